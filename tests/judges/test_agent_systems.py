"""What a model hears of an agent system: the same evidence that the embedded judges have, by the command a user runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import run
from tests.accuracy.labelled import project
from tests.judges.model_server import served
from tests.judges.model_stand_in import Body, Says, Standin, evidence, good
from tests.repos import Drawing

REPORT = """# The court

Judges run in parallel: `prosecutor`, `defense` and `tech_lead` stand in `src/nodes/judges.py`.

```mermaid
flowchart TB
    START --> repo_investigator --> gather
    START --> doc_analyst --> gather
```
"""


def _audit(drawing: Drawing, tmp_path: Path, out: str, *more: str) -> dict[str, Any]:
    (tmp_path / "court.md").write_text(REPORT, encoding="utf-8")
    run(
        ["audit", str(drawing.path), "--rubric", "agent-swarm", "--report", str(tmp_path / "court.md"), "--out", str(tmp_path / out),
         "--no-cache", "--jobs", "1", *more]
    )  # fmt: skip
    found: dict[str, Any] = json.loads((tmp_path / out / "report.json").read_text(encoding="utf-8"))
    return found


def _material(body: Body) -> str:
    text: str = body["messages"][0]["content"][0]["text"]
    return text


def test_a_model_hears_of_an_agent_system_what_the_embedded_judges_hear(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    drawing.commit(project("courtroom"), "The courtroom")
    alone = _audit(drawing, tmp_path, "embedded", "--judges", "embedded")
    model = Standin(lambda body: Says(good(body)))
    with served(model) as url:
        asked = _audit(drawing, tmp_path, "claude", "--judges", "claude", "--base-url", url)
    assert asked["evidence"] == alone["evidence"]
    assert len(model.asked) == 3
    assert len({_material(body) for body in model.asked}) == 1
    heard = dict(evidence(model.asked[0]))
    facts = {each["id"]: each for each in alone["evidence"] if not each["probe"].startswith("history.")}
    told = {each["probe"] for name, each in facts.items() if name in heard}
    assert {each["probe"] for each in facts.values()} - told == set()
    for name, said in heard.items():
        assert said == facts[name]["statement"]
    assert {each["judge"] for each in asked["opinions"]} == {"prosecutor", "defense", "tech_lead"}


def test_the_whole_graph_and_not_its_first_lines_reach_the_model(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    drawing.commit(project("courtroom"), "The courtroom")
    model = Standin(lambda body: Says(good(body)))
    with served(model) as url:
        found = _audit(drawing, tmp_path, "claude", "--judges", "claude", "--base-url", url)
    graph = next(each["data"] for each in found["evidence"] if each["id"] == "swarm.graph#1")
    told = _material(model.asked[0]).partition("[swarm.graph#1]")[2]
    data = next(line for line in told.splitlines() if line.startswith("D| "))
    assert len(graph["edges"]) > 5
    assert json.loads(data.removeprefix("D| ")) == graph
