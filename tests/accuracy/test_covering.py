"""Which labelled cases are kept, and in which file each stands."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from auditor.domain import Outcome
from auditor.forensics.engine.probe_discovery import discover_probes
from tests.accuracy.covering import MOST_LINES_WRITTEN, OF_EACH_ANSWER, branches, choose, comparison, write
from tests.accuracy.labelled import Case, files
from tests.accuracy.measuring import Checked
from tests.accuracy.recording import RecordedCase, WrittenCase, written
from tests.accuracy.topics import file_name, topics

WRITTEN = [each for file in files("cases", "independent_cases") for each in written(file)]


_ENOUGH = max(OF_EACH_ANSWER)


def _recorded(
    name: str,
    *,
    bits: int = 0,
    lines: int = 10,
    wrong: str = "",
    outcome: str = "found",
    folder: str = "independent_cases",
) -> RecordedCase:
    probe = "code.weak_hash"
    case = Case.model_validate({"name": name, "expect": {probe: {"outcome": outcome}}})
    answer = Checked(name, probe, Outcome(outcome), Outcome(outcome), wrong)
    return RecordedCase(
        WrittenCase(Path(folder, "some.yaml"), case, f"- name: {name}\n" * (lines - 1)), bits, (answer,)
    )


def _enough(outcome: str = "found") -> list[RecordedCase]:
    return [_recorded(f"{outcome} {number}", lines=2, outcome=outcome) for number in range(_ENOUGH)]


def _names(cases: list[RecordedCase]) -> list[str]:
    return [each.written.case.name for each in cases]


def test_every_case_that_is_answered_wrongly_is_kept() -> None:
    wrong = _recorded("wrong", lines=500, wrong="not found")
    assert wrong in choose([*_enough(), wrong])


def test_no_more_cases_than_enough_are_kept_for_an_answer_and_the_shortest_of_them() -> None:
    longer = [_recorded(f"long {number}") for number in range(5)]
    assert choose([*longer, *_enough()]) == _enough()


def test_each_expected_answer_and_each_folder_has_cases_of_its_own() -> None:
    others = [_recorded("not there", outcome="not_found"), _recorded("beside the probes", folder="cases")]
    assert choose([*_enough(), *others]) == [*_enough(), *others]


def test_the_fewest_lines_that_run_every_branch_are_kept() -> None:
    wide, narrow, double = (
        _recorded("wide", bits=0b0111),
        _recorded("narrow", bits=0b1000),
        _recorded("double", bits=0b0110),
    )
    kept = choose([*_enough(), double, narrow, wide])
    assert {"narrow", "wide", "double"} & set(_names(kept)) == {"narrow", "wide"}
    assert branches(kept) == 0b1111


def test_cases_beside_the_probes_are_kept_whatever_they_run() -> None:
    beside, other = _recorded("beside", folder="cases", lines=90), _recorded("other", bits=0b1111, lines=90)
    assert _names(choose([beside, other], 100)) == ["beside"]


def test_branches_are_given_up_where_the_lines_are_used_up() -> None:
    dear, cheap = _recorded("dear", bits=0b0111, lines=100), _recorded("cheap", bits=0b1000)
    assert _names(choose([dear, cheap], 50)) == ["cheap"]


def test_some_lines_are_kept_for_answers_of_which_there_are_few() -> None:
    branch, seldom = _recorded("branch", bits=0b1111, lines=95), _recorded("seldom", outcome="not_found", lines=10)
    assert _names(choose([branch, seldom], 100)) == ["seldom"]
    assert _names(choose([branch, seldom], 110)) == ["branch", "seldom"]


def test_the_comparison_shows_the_share_of_wrong_answers_before_and_after() -> None:
    wrong = _recorded("wrong", wrong="not found")
    row = comparison([*_enough(), *_enough(), wrong, wrong], [*_enough(), wrong, wrong]).splitlines()[1].split()
    assert row[:3] == ["code.weak_hash", "18", "0.111"]
    assert row[5:7] == ["10", "0.200"]


def test_written_cases_keep_their_texts_and_comments_and_replace_the_files(tmp_path: Path) -> None:
    for folder in ("cases", "independent_cases"):
        (tmp_path / folder).mkdir()
    old = tmp_path / "independent_cases" / "old.yaml"
    told = "- name: a hash  # a remark\n  files:\n    a.go: |\n      package a\n\n  expect:\n    code.weak_hash: not_found\n"
    old.write_text(f"# head\n{told}")
    case = RecordedCase(next(written(old)), 1, ())
    write([case], tmp_path)
    assert not old.exists()
    assert (tmp_path / "independent_cases" / "hashes_and_temporary_files.yaml").read_text() == told


def test_every_probe_belongs_to_a_topic() -> None:
    assert [probe for probe in discover_probes() if not any(row.asks(probe) for row in topics())] == []


def test_a_topic_by_language_names_the_language_of_most_code() -> None:
    expect = {"code.sql_from_strings": {"outcome": "found"}}
    case = Case.model_validate(
        {"name": "a", "files": {"a.py": "x", "b.ts": "x\ny\nz", "c.md": "x\n" * 9}, "expect": expect}
    )
    assert file_name(case, topics()) == "injection_in_javascript.yaml"
    ruby = case.model_copy(update={"files": {"a.rb": "x"}})
    assert file_name(ruby, topics()) == "injection_in_other_languages.yaml"


@pytest.mark.parametrize("folder", ["cases", "independent_cases"])
def test_each_case_stands_in_the_file_of_its_topic(folder: str) -> None:
    rows = topics()
    placed = [
        (each.file.name, file_name(each.case, rows), each.case.name)
        for each in WRITTEN
        if each.file.parent.name == folder
    ]
    assert [each for each in placed if each[0] != each[1]] == []


def test_a_name_is_given_once_in_a_file() -> None:
    assert [key for key, count in Counter(each.key for each in WRITTEN).items() if count > 1] == []


def test_the_cases_take_no_more_lines_than_are_meant_for_them() -> None:
    assert sum(each.lines for each in WRITTEN) <= MOST_LINES_WRITTEN, (
        "run: python -m tests.accuracy.covering LOG --write"
    )
