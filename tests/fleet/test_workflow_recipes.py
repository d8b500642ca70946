"""The workflow for many audits and the recipes: their scripts, run as the runner would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from auditor.fleet.store import Store
from auditor.fleet.targets import parse_targets
from tests.fleet.recorded_store import RecordedStore

pytest.importorskip("duckdb")
ROOT = Path(__file__).parents[2]
FLEET = yaml.safe_load((ROOT / ".github/workflows/fleet.yml").read_text())
TRY = yaml.safe_load((ROOT / ".github/recipes/try-the-gate.yml").read_text())
NIGHTLY = yaml.safe_load((ROOT / ".github/recipes/nightly-audits.yml").read_text())


def script(workflow: dict[str, Any], job: str, name: str) -> str:
    (found,) = [each["run"] for each in workflow["jobs"][job]["steps"] if each.get("name") == name]
    return str(found)


def execute(text: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step in a folder that has this checkout as `venv/bin/auditor`, and a `gh` that notes what it is given."""
    programs = folder / "venv/bin"
    programs.mkdir(parents=True, exist_ok=True)
    for name, content in (
        ("auditor", f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m auditor "$@"\n'),
        ("gh", '#!/bin/sh\necho "$@" >> gh.log\n'),
    ):
        (programs / name).write_text(content)
        (programs / name).chmod(0o755)
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "HOME": str(folder),
        "GITHUB_OUTPUT": str(folder / "output"),
    }
    environment |= {"GITHUB_STEP_SUMMARY": str(folder / "summary.md"), **variables}
    return subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, check=False)  # fmt: skip


def test_the_parts_of_all_jobs_become_one_store_and_a_site(recorded: RecordedStore, tmp_path: Path) -> None:
    for number, each in enumerate(recorded.store.records()):
        part = tmp_path / f"parts/fleet-part-{number % 2 + 1}"
        for kind in ("records", "units"):
            place = part / each.path.relative_to(recorded.store.path).as_posix().replace("records", kind)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(each.path).replace("/records/", f"/{kind}/"), place)
        shutil.copy(recorded.store.path / "store.json", part)
    done = execute(script(FLEET, "collect", "Put the parts together"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert Store.open(tmp_path / "store").keys() == recorded.store.keys()
    assert "20 audits" in (tmp_path / "site/index.html").read_text()
    assert "| `https://example.org/shop` | 20 |" in (tmp_path / "summary.md").read_text()


@pytest.mark.parametrize(("shards", "listed"), [("1", "shards=[1]\n"), ("3", "shards=[1,2,3]\n")])
@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_plan_lists_the_parts(tmp_path: Path, shards: str, listed: str) -> None:
    assert execute(script(FLEET, "plan", "List the parts"), tmp_path, SHARDS=shards, REVISION="a" * 40).returncode == 0
    assert (tmp_path / "output").read_text() == listed


@pytest.mark.parametrize(
    ("shards", "revision"),
    [("0", "a" * 40), ("100", "a" * 40), ("$(id)", "a" * 40), ("2", "main"), ("2", "a" * 40 + "\n")],
)
def test_the_plan_refuses_what_is_no_number_or_commit(tmp_path: Path, shards: str, revision: str) -> None:
    assert execute(script(FLEET, "plan", "List the parts"), tmp_path, SHARDS=shards, REVISION=revision).returncode == 1
    assert not (tmp_path / "output").exists()


def test_the_recipe_comments_what_the_gate_would_have_done(recorded: RecordedStore, tmp_path: Path) -> None:
    shutil.copytree(recorded.store.path, tmp_path / "store")
    text = script(TRY, "try", "Comment what the gate would have done")
    done = execute(text, tmp_path, ISSUE="7", REPOSITORY="example/shop")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "gh.log").read_text() == "issue comment 7 --repo example/shop --body-file effect.md\n"
    assert (tmp_path / "effect.md").read_text().startswith("**Of 20 audits, ")
    assert (tmp_path / "summary.md").read_text() == (tmp_path / "effect.md").read_text()


def test_the_recipe_writes_targets_that_are_read(tmp_path: Path) -> None:
    text = script(TRY, "try", "Audit the last 50 merged pull requests").partition("code=0")[0]
    assert execute(text, tmp_path, SERVER="https://example.org", REPOSITORY="a/b").returncode == 0
    (target,) = parse_targets((tmp_path / "targets.yaml").read_text(), "targets.yaml", tmp_path)
    assert (target.repository, target.pulls.last if target.pulls else None) == ("https://example.org/a/b", 50)


def test_workflows_ask_for_no_permission_at_the_top_and_the_caller_gives_what_the_jobs_need() -> None:
    given = NIGHTLY["jobs"]["fleet"]["permissions"]
    assert [each["permissions"] for each in (FLEET, TRY, NIGHTLY)] == [{}, {}, {}]
    for job in FLEET["jobs"].values():
        assert (job.get("permissions") or {}).items() <= given.items()
    assert set(NIGHTLY["jobs"]["fleet"]["with"]) == set(
        FLEET[True]["workflow_call"]["inputs"]
    )  # YAML reads `on` as true
