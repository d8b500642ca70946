"""Which records of two folders are compared with each other."""

from __future__ import annotations

from auditor.domain import Scope, Subject
from auditor.ledger.record_pairing import RecordKey, RecordPairing, pair_records


def key(path: str, repository: str = "a", head: str = "1", base: str | None = "0", rubric: str = "r") -> RecordKey:
    return RecordKey(path, Subject(repository=repository, head=head, base=base, scope=Scope.INTRODUCED), rubric)


def paths(pairing: RecordPairing) -> list[tuple[str, str]]:
    return [(first.path, second.path) for first, second in pairing.pairs]


def test_records_of_the_same_change_are_paired_whatever_their_names() -> None:
    pairing = pair_records([key("x.json", "a"), key("y.json", "b")], [key("x.json", "b"), key("z.json", "a")])
    assert paths(pairing) == [("x.json", "z.json"), ("y.json", "x.json")]


def test_records_of_different_commits_are_paired_by_their_path_below_the_folder() -> None:
    pairing = pair_records(
        [key("a/report.json", "a"), key("b/report.json", "b"), key("c/report.json", "c")],
        [key("a/report.json", "a", head="2"), key("b/report.json", "b", head="2"), key("d/report.json", "d")],
    )
    assert paths(pairing) == [("a/report.json", "a/report.json"), ("b/report.json", "b/report.json")]
    assert [each.path for each in pairing.only_before] == ["c/report.json"]
    assert [each.path for each in pairing.only_after] == ["d/report.json"]


def test_whole_trees_at_the_same_commit_are_the_same_subject() -> None:
    assert paths(pair_records([key("x.json", base=None)], [key("y.json", base=None)])) == [("x.json", "y.json")]


def test_several_records_of_one_change_are_told_apart_by_rubric_and_path() -> None:
    before = [key("x.json", rubric="r"), key("y.json", rubric="s")]
    after = [key("y.json", rubric="r"), key("x.json", rubric="s")]
    assert paths(pair_records(before, after)) == [("x.json", "y.json"), ("y.json", "x.json")]
    alike = [key("x.json"), key("y.json")]
    assert paths(pair_records(alike, alike)) == [("x.json", "x.json"), ("y.json", "y.json")]


def test_what_is_left_of_a_subject_after_pairing_by_path_is_paired_with_what_is_left() -> None:
    before = [key("x.json"), key("old.json"), key("y.json", "b")]
    after = [key("x.json", head="2"), key("new.json"), key("y.json", "c")]
    assert paths(pair_records(before, after)) == [
        ("x.json", "x.json"),
        ("old.json", "new.json"),
        ("y.json", "y.json"),
    ]


def test_a_record_that_could_belong_to_two_others_stays_alone() -> None:
    pairing = pair_records([key("x.json")], [key("y.json"), key("z.json")])
    assert pairing.pairs == ()
    assert len(pairing.only_after) == 2
