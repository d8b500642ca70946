"""Two versions of the auditor are asked about the same change, and what differs is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.compare.__main__ import main
from tests.compare.changes import merged_changes
from tests.compare.differences import Difference, differences
from tests.compare.versions import ROOT
from tests.repos import Drawing

pytestmark = pytest.mark.slow
"""The comparison is a tool of developers, and each test audits by two checkouts."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    drawing = Drawing(tmp_path / "drawn")
    drawing.commit({"app.py": "def run():\n    return 1\n"}, "Add run")
    drawing.commit({"app.py": "def run(value):\n    return eval(value)\n"}, "Take a value")
    return drawing.path


def _other_version(folder: Path) -> Path:
    """A checkout that has other words for `eval` and another weight for security."""
    for name in ("auditor", "rubric", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    Drawing(folder).git("init", "--quiet")
    rubric = folder / "rubric" / "pull-request.yaml"
    text = rubric.read_text()
    assert "quorum: 2" in text
    rubric.write_text(text.replace("quorum: 2", "quorum: 3").replace("Security", "Safety"))
    return folder


def test_a_version_does_not_differ_from_itself(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = main([str(ROOT), str(ROOT), str(repository), "--store", str(tmp_path / "store"), "--jobs", "1"])
    assert "1 audits: 1 identical, 0 differ in texts alone, 0 in answers." in capsys.readouterr().out
    assert ended == 0


def test_a_version_with_another_rubric_differs_in_the_record(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = _other_version(tmp_path / "other")
    ended = main([str(ROOT), str(other), str(repository), "--store", str(tmp_path / "store"), "--texts"])
    said = capsys.readouterr().out
    assert "rubric.definition.rules.quorum" in said
    assert "+ 3" in said
    assert ended == 1


def test_what_a_model_would_be_asked_is_compared_as_well(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(ROOT), str(_other_version(tmp_path / "other")), str(repository), "--prompts", "--store", str(tmp_path / "store")])  # fmt: skip
    assert "  prompts" in capsys.readouterr().out


def test_times_costs_and_the_tool_are_no_difference() -> None:
    old = {"tool": {"version": "1"}, "timings": {"a": 1}, "cost": {"usd": 0}, "verdict": {"conclusion": "passed"}}
    new = {"tool": {"version": "2"}, "timings": {"a": 2}, "cost": {"usd": 1}, "verdict": {"conclusion": "passed"}}
    assert differences(old, new) == []


def test_an_outcome_is_an_answer_and_a_statement_is_text() -> None:
    old = {"evidence": [{"probe": "code.x", "outcome": "found", "statement": "One."}]}
    new = {"evidence": [{"probe": "code.x", "outcome": "not_found", "statement": "None."}]}
    assert [(each.place, each.answer) for each in differences(old, new)] == [
        ("answer of code.x", True),
        ("evidence[0].outcome", False),
        ("evidence[0].statement", False),
    ]


def test_lists_of_other_lengths_are_one_difference() -> None:
    old = {"evidence": [{"probe": "code.x", "outcome": "found"}]}
    assert [each.place for each in differences(old, {"evidence": []})] == ["answer of code.x", "evidence"]


def test_a_field_that_was_added_is_left_out_where_it_is_named() -> None:
    old = {"evidence": [{"locations": [{"path": "a.py"}]}]}
    new = {"evidence": [{"locations": [{"path": "a.py", "definition": "run"}]}]}
    assert differences(old, new, frozenset({"definition"})) == []
    assert differences(old, new) == [Difference("evidence[0].locations[0].definition", None, "run", answer=False)]


def test_changes_are_drawn_from_the_main_line_newest_first(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "drawn")
    commits = [drawing.commit({"app.py": f"{number}\n"}, f"Set {number}") for number in range(4)]
    drawn = merged_changes(drawing.path, 2, 1, "pull-request")
    assert [(each.base, each.head) for each in drawn] == [(commits[1], commits[2]), (commits[0], commits[1])]
