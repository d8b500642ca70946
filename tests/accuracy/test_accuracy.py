"""The labelled cases about agent systems, read in this process; a few of all kinds go through the whole engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import DATA_TYPES
from tests.accuracy.__main__ import main
from tests.accuracy.labelled import ROOT, Case, files, read
from tests.accuracy.measuring import compare, difference, run
from tests.forensics.agent_systems.reading import system

CASES = [case for file in files("cases") for case in read(file)]
CODE = [case for case in CASES if set(case.expect) <= set(DATA_TYPES)]
_EACH = 12


@pytest.mark.parametrize("case", CODE, ids=lambda case: case.name)
def test_a_careful_reader_agrees_with_the_answers(case: Case) -> None:
    answers = system(case.tree())
    checked = [compare(case.name, probe, wanted, probe_facts(answers, probe)) for probe, wanted in case.expect.items()]
    assert [(each.probe, each.wrong) for each in checked if not each.hit] == []


@pytest.mark.parametrize("case", CASES[::_EACH], ids=lambda case: case.name)
def test_the_engine_gives_the_same_answers_on_a_real_repository(case: Case) -> None:
    assert [(each.probe, each.wrong) for each in run(case) if not each.hit] == []


def test_there_are_positives_and_negatives_for_every_probe_of_agent_systems() -> None:
    for probe in DATA_TYPES:
        outcomes = {str(case.expect[probe].outcome) for case in CASES if probe in case.expect}
        assert {"found", "not_found"} <= outcomes, probe


@pytest.mark.parametrize(
    ("wanted", "got", "reason"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, ""),
        ({"a": [2, 1]}, {"a": (1, 2)}, ""),
        ({"a": [{"x": 1}]}, {"a": [{"x": 2}, {"x": 1, "y": 3}]}, ""),
        ({"a": [{"x": 1}]}, {"a": [{"x": 2}]}, "data.a lacks {'x': 1}"),
        ({"a": {"b": 1}}, {"a": {}}, "data.a.b is None, not 1"),
        ({"a": [1]}, {"a": [1, 2]}, "data.a is [1, 2], not [1]"),
    ],
)
def test_a_label_is_compared_by_what_it_names(wanted: object, got: object, reason: str) -> None:
    assert difference(wanted, got, "data") == reason


def test_the_reports_of_a_case_are_read_for_the_terms_of_the_rubric() -> None:
    text = "# How\n\nThe work starts in `work.py`.\n"
    expect = {"docs.claimed_paths": {"outcome": "found"}, "docs.terms_explained": {"outcome": "not_found"}}
    files = {"how.md": text, "work.py": "print('work')\n"}
    case = Case.model_validate({"name": "a report", "files": files, "reports": ["how.md"], "expect": expect})
    assert [(each.probe, each.wrong) for each in run(case)] == [
        ("docs.claimed_paths", ""),
        ("docs.terms_explained", ""),
    ]


def test_a_case_with_a_base_is_audited_as_a_change_with_what_its_author_says() -> None:
    grown = "def twice(n):\n    return n + n\n" * 20
    case = Case.model_validate({
        "name": "a change",
        "commits": [{"files": {"a.py": "x = 1\n"}}, {"files": {"b.py": grown}, "hours": 2}],
        "base": 1,
        "description": "Add b\n\nTests are added for all of it.",
        "expect": {"tests.changed_with_code": {"outcome": "not_found"}, "claims.description_matches": {"outcome": "not_found"}},
    })  # fmt: skip
    assert [(each.probe, each.wrong) for each in run(case)] == [
        ("tests.changed_with_code", ""),
        ("claims.description_matches", ""),
    ]


_WRITTEN = """
- name: a module
  files: {a.py: "x = 1"}
  expect: {code.shell_execution: not_found}
"""


def test_a_folder_stands_for_the_case_files_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "some.yaml").write_text(_WRITTEN)
    (tmp_path / "README.md").write_text("no case")
    assert main([str(tmp_path)]) == 0
    assert "given: 1 cases, 1 answers, 1 right" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot be read: No such file or directory"),
        ("a: [", "is not YAML"),
        ("a: b", "holds no list of cases"),
        ("- name: a case\n", "case 1 says not what to expect"),
        ("- [a, b]\n", "case 1 says not what to expect"),
        (
            f"{_WRITTEN}- name: another\n  expect: {{docs.x: perhaps}}\n",
            "case 2 is not as a case is written, at expect.",
        ),
        (f"{_WRITTEN}  filse: {{}}\n", "case 1 is not as a case is written, at filse: "),
    ],
)
def test_what_holds_no_cases_is_told_in_one_sentence(
    text: str | None, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.yaml"
    if text is not None:
        file.write_text(text)
    assert main([str(file)]) == 2
    told = capsys.readouterr()
    assert reason in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)


def test_a_folder_without_case_files_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path} is a folder without case files (*.yaml).\n"


def test_a_reader_that_has_left_ends_it_quietly(tmp_path: Path) -> None:
    (tmp_path / "some.yaml").write_text(_WRITTEN)
    asked = [sys.executable, "-m", "tests.accuracy", str(tmp_path)]
    with subprocess.Popen(asked, cwd=ROOT.parent.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as told:
        assert told.stdout is not None
        assert told.stderr is not None
        told.stdout.close()
        assert (told.stderr.read(), told.wait()) == (b"", 2)
