"""A change that leaves everything as it was is nothing to judge; one that only looks so is judged."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor import cli
from auditor.domain import (
    SCHEMA_VERSION,
    AuditReport,
    Conclusion,
    Evidence,
    GatePolicy,
    RulingStatus,
    Scope,
    Severity,
    Subject,
    Waiver,
)
from auditor.judges.bench_interface import Hearing
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.report.check_run_text import check_output
from auditor.report.comment_text import comment
from auditor.report.github_links import Links
from auditor.report.html_report import html
from auditor.report.job_summary_text import summary
from auditor.report.markdown_report import markdown
from auditor.report.previous_scores import make_history
from auditor.report.report_json import from_json, to_json
from auditor.report.sarif_report import sarif
from auditor.synthesis import is_empty, replay
from tests.auditing import audited
from tests.forensics.probes.test_leaked_secrets import TOKEN
from tests.repos import Drawing
from tests.verdicts import criterion, evidence, expectation, rubric

SENTENCE = "Nothing to judge: the audited content is the same at the merge base and at the head."
SHELL = "import os\n\n\ndef run(command):\n    os.system(command)\n"
CODE = {"src/a.py": '"""A."""\n', "docs/b.md": "# B\n"}


class Unasked(EmbeddedBench):
    """A bench that must not be asked: a model would cost money."""

    def hear(self, *_: object) -> Hearing:
        raise AssertionError("nobody is asked about an empty change")

    def look(self, *_: object) -> tuple[Evidence, ...]:
        raise AssertionError("nobody is shown a picture of an empty change")


@pytest.fixture
def empty(drawing: Drawing) -> Drawing:
    """A branch with one commit that changes nothing, on old code that has a grave violation."""
    drawing.commit({**CODE, "src/shell.py": SHELL})
    drawing.branch("work")
    drawing.commit(message="fix")
    return drawing


def test_an_empty_change_has_no_score_and_asks_no_judge(empty: Drawing) -> None:
    report = audited(empty.path, "main", bench=Unasked())
    assert report.verdict.conclusion is Conclusion.NOTHING_TO_JUDGE
    assert report.verdict.overall is None
    assert {each.status for each in report.verdict.rulings} == {RulingStatus.NOT_APPLICABLE}
    assert (report.subject.unchanged, report.opinions, report.abstentions) == (True, (), ())
    assert [(each.demand, each.conclusion.value) for each in report.verdict.gate.reasons] == [
        ("overall", "passed"),
        ("criteria.correctness", "passed"),
        ("criteria.security", "passed"),
        ("criteria.governance", "passed"),
        ("no_new", "passed"),
        ("judged", "nothing_to_judge"),
    ]


def test_a_branch_that_has_nothing_of_its_own_is_an_empty_change(drawing: Drawing) -> None:
    drawing.commit(CODE)
    drawing.branch("work")
    drawing.switch("main")
    drawing.commit({"src/a.py": '"""Later."""\n'})
    drawing.switch("work")
    assert audited(drawing.path, "main").verdict.conclusion is Conclusion.NOTHING_TO_JUDGE


def test_what_a_commit_changes_and_the_next_one_takes_back_is_an_empty_change(drawing: Drawing) -> None:
    drawing.commit(CODE)
    drawing.branch("work")
    drawing.commit({"src/a.py": SHELL})
    drawing.commit(CODE, "Revert it")
    assert audited(drawing.path, "main").verdict.conclusion is Conclusion.NOTHING_TO_JUDGE


def test_a_secret_that_was_added_and_taken_out_again_still_fails(drawing: Drawing) -> None:
    drawing.commit(CODE)
    drawing.branch("work")
    drawing.commit({"key.txt": f"token = {TOKEN}\n"})
    drawing.commit({"key.txt": None}, "Take the key out again")
    report = audited(drawing.path, "main")
    assert report.subject.unchanged
    assert report.verdict.conclusion is Conclusion.FAILED
    assert replay(report).same


def test_the_whole_tree_is_judged_where_it_is_asked_for(empty: Drawing) -> None:
    report = audited(empty.path, "main", whole_tree=True)
    assert report.verdict.conclusion is Conclusion.FAILED
    assert report.verdict.overall is not None


def _binary(drawing: Drawing) -> None:
    drawing.commit({"logo.bin": b"\0\1\2"})


def _mode(drawing: Drawing) -> None:
    drawing.git("update-index", "--chmod=+x", "src/a.py")
    drawing.git("commit", "--quiet", "-m", "Let it be run")


def _submodule(drawing: Drawing) -> None:
    drawing.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor/lib")
    drawing.git("commit", "--quiet", "-m", "Add the library")


def _excluded(drawing: Drawing) -> None:
    drawing.commit({"legacy/a.py": SHELL})


def _line_ending(drawing: Drawing) -> None:
    drawing.commit({"src/a.py": '"""A."""\r\n'})


@pytest.mark.parametrize("change", [_binary, _mode, _submodule, _excluded, _line_ending])
def test_a_change_that_no_probe_reads_is_not_empty(drawing: Drawing, change: Callable[[Drawing], None]) -> None:
    drawing.commit({**CODE, ".github/auditor.yml": 'exclude: ["legacy/**"]\n'})
    drawing.branch("work")
    change(drawing)
    report = audited(drawing.path, "main")
    assert not report.subject.unchanged
    assert report.verdict.conclusion is not Conclusion.NOTHING_TO_JUDGE
    assert report.verdict.overall is not None


def test_a_head_that_equals_one_of_two_merge_bases_takes_back_what_the_other_brought(drawing: Drawing) -> None:
    """After crossing merges, git merges from both bases: a head with the tree of the one undoes the other."""
    drawing.commit(CODE)
    root = drawing.head
    one = drawing.commit({"one.txt": "1\n"})
    drawing.git("checkout", "--quiet", "-b", "other", root)
    two = drawing.commit({"guard.txt": "2\n"})
    trees = {each: drawing.git("rev-parse", f"{each}^{{tree}}") for each in (one, two)}
    drawing.switch("main")
    drawing.git("merge", "--quiet", "--no-edit", two)
    for chosen in (one, two):
        work = drawing.git("commit-tree", "-p", two, "-p", one, "-m", "Merge", trees[chosen])
        drawing.git("update-ref", "refs/heads/work", work)
        drawing.git("symbolic-ref", "HEAD", "refs/heads/work")
        assert len(drawing.git("merge-base", "--all", "main", "work").split()) == 2
        report = audited(drawing.path, "main")
        assert not report.subject.unchanged
        assert report.verdict.conclusion is not Conclusion.NOTHING_TO_JUDGE


def test_nothing_of_a_change_in_the_audited_folder_is_nothing_to_judge(drawing: Drawing) -> None:
    drawing.commit(CODE)
    drawing.branch("work")
    drawing.commit({"src/a.py": SHELL})
    assert audited(drawing.path / "docs", "main").verdict.conclusion is Conclusion.NOTHING_TO_JUDGE
    assert audited(drawing.path / "src", "main").verdict.conclusion is Conclusion.FAILED


def test_a_remote_branch_with_an_empty_change_is_nothing_to_judge(empty: Drawing, tmp_path: Path) -> None:
    empty.git("config", "uploadpack.allowFilter", "true")
    out = tmp_path / "out"
    assert cli.run(["audit", f"file://{empty.path}", "--base", "main", "--out", str(out), "--quiet"]) == 0
    assert json.loads((out / "report.json").read_text())["verdict"]["conclusion"] == "nothing_to_judge"


def test_every_surface_says_that_there_is_nothing_to_judge(
    empty: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert cli.run(["audit", str(empty.path), "--base", "main", "--out", str(out), "--no-cache"]) == cli.PASSED
    printed = " ".join(capsys.readouterr().out.split())
    report = from_json((out / "report.json").read_text())
    links = Links()
    check = check_output(report, links, None, (), max_annotations=50)
    surfaces = {
        "terminal": printed,
        "Markdown": markdown(report),
        "HTML": re.sub(r"</?span[^>]*>", "", html(report)),
        "comment": comment(report, links, None, ()),
        "job summary": summary(report, links, None, ()),
        "check run": check.title,
    }
    for name, text in surfaces.items():
        assert SENTENCE in text, name
        assert "nothing_to_judge" not in re.sub(
            r'class="[^"]*"|<style>.*?</style>|<!--.*?-->', "", text, flags=re.DOTALL
        )
        assert "assed with" not in text, name
    assert "No judge was asked: the change is empty." in printed
    (run,) = json.loads(sarif(report, links, {}))["runs"]
    assert "nothing_to_judge" in json.dumps(run["properties"])


def _emptied(report: AuditReport) -> AuditReport:
    """The record of a change that was judged, forged to say that it was empty."""
    return report.model_copy(update={"subject": report.subject.model_copy(update={"unchanged": True})})


def test_the_verdict_is_replayed_and_a_forged_one_is_found_out(empty: Drawing, tmp_path: Path) -> None:
    report = audited(empty.path, "main")
    (tmp_path / "report.json").write_text(to_json(report))
    assert cli.run(["replay", str(tmp_path / "report.json")]) == cli.PASSED
    empty.commit({"src/a.py": '"""Another."""\n'})
    judged = audited(empty.path, "main")
    assert replay(judged).same
    assert "verdict.conclusion" in {each.path for each in replay(_emptied(judged)).differences}


def test_a_record_of_an_older_version_is_read_and_replayed(empty: Drawing, tmp_path: Path) -> None:
    empty.commit({"src/a.py": '"""Another."""\n'})
    plain = json.loads(to_json(audited(empty.path, "main")))
    assert plain["schema_version"] == SCHEMA_VERSION
    del plain["subject"]["unchanged"], plain["exhibits"], plain["objections"]
    for added in ("omissions", "product_lines", "raised"):
        del plain["hearing"][added]
    definition = plain["rubric"]["definition"]
    for each in definition["criteria"]:
        del each["exhibits"], each["documents"]
    definition["criteria"] = [each for each in definition["criteria"] if each["evidence"]]
    del definition["rules"]["objections"], definition["gate"]["criteria"]["correctness"]
    plain["verdict"]["rulings"] = [each for each in plain["verdict"]["rulings"] if each["criterion"] != "correctness"]
    asked = [each for each in plain["verdict"]["gate"]["reasons"] if each["demand"] != "criteria.correctness"]
    reasons = json.dumps(asked).replace(" of 11 criteria", " of 10 criteria")
    plain["verdict"]["gate"]["reasons"] = json.loads(reasons)
    canonical = json.dumps(definition, sort_keys=True, separators=(",", ":"))
    plain["rubric"]["digest"] = hashlib.sha256(canonical.encode()).hexdigest()
    plain["schema_version"] = "1.0"
    (tmp_path / "report.json").write_text(json.dumps(plain))
    assert cli.run(["replay", str(tmp_path / "report.json")]) == cli.PASSED


def test_the_next_audit_names_the_empty_one_before_it(empty: Drawing) -> None:
    memory = make_history(audited(empty.path, "main"))
    empty.commit({"src/a.py": '"""Another."""\n'})
    text = comment(audited(empty.path, "main"), Links(), memory, ())
    assert "(nothing to judge): " in text


def test_the_whole_tree_option_without_a_base_is_refused_in_a_sentence(
    drawing: Drawing, capsys: pytest.CaptureFixture[str]
) -> None:
    drawing.commit(CODE)
    assert cli.run(["audit", str(drawing.path), "--whole-tree"]) == cli.MISTAKE
    assert capsys.readouterr().err == (
        "auditor: --whole-tree needs --base: without --base the whole tree is audited anyway.\n"
    )


SMALL = rubric(
    criterion(expectation("code.x", severity="high"), expectation("code.y", severity="medium"), name="security")
)
SUBJECT = Subject(repository="drawn", head="a" * 40, merge_base="b" * 40, scope=Scope.INTRODUCED, unchanged=True)


@pytest.mark.parametrize(
    ("seen", "no_new", "waived", "is_nothing"),
    [
        ({"probe": "code.x", "outcome": "not_found"}, None, False, True),
        ({"probe": "code.x", "outcome": "not_applicable"}, None, False, True),
        ({"probe": "code.x", "outcome": "unavailable"}, None, False, False),
        ({"probe": "code.x", "outcome": "unavailable"}, None, True, True),
        ({"probe": "code.x", "introduced": True}, None, False, False),
        ({"probe": "code.x", "introduced": True, "confidence": 0.3}, None, False, False),
        ({"probe": "code.x", "introduced": True}, None, True, True),
        ({"probe": "code.y", "introduced": True}, None, False, True),
        ({"probe": "code.y", "introduced": True}, "medium", False, False),
        ({"probe": "code.y", "outcome": "unavailable"}, "medium", False, False),
    ],
)
def test_what_is_grave_or_unknown_in_the_commits_is_something_to_judge(
    seen: dict[str, Any], no_new: str | None, waived: bool, is_nothing: bool
) -> None:
    gate = GatePolicy(no_new=None if no_new is None else Severity(no_new))
    waivers = [Waiver(criterion="security", reason="It is known.")] if waived else []
    other = {"code.x": "code.y", "code.y": "code.x"}[seen["probe"]]
    found = [evidence(**seen), evidence(other, outcome="not_found")]
    assert is_empty(SUBJECT, SMALL, found, gate, waivers) is is_nothing
    changed = SUBJECT.model_copy(update={"unchanged": False})
    assert not is_empty(changed, SMALL, found, gate, waivers)
