"""A file that is looked at again for what it calls keeps what the other rules saw, and is unread where the second look fails."""

from __future__ import annotations

from auditor.forensics.engine.neighbour_flows import _with_flows
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus, SeenSite
from auditor.forensics.source_text.site_probe_types import Site

FOLLOWED = frozenset({"code.shell_execution"})


def seen(line: int, statement: str) -> tuple[SeenSite, ...]:
    return (SeenSite(Site(line, line, statement), "", ""),)


FIRST = FileRecord(
    ReadStatus.FULL,
    "a dialect",
    sites={"code.shell_execution": seen(3, "an old place"), "code.debug_leftover": seen(9, "a print")},
    candidates={"code.shell_execution": 2, "code.debug_leftover": 4},
)


def test_rules_that_follow_values_are_answered_by_the_second_look_and_others_by_the_first() -> None:
    again = FileRecord(
        ReadStatus.FULL,
        sites={"code.shell_execution": seen(5, "a new place"), "code.sql_injection": seen(1, "not asked for")},
        candidates={"code.shell_execution": 3},
        failed={"code.shell_execution": "the rule failed on it"},
    )
    merged = _with_flows(FIRST, again, FOLLOWED)
    assert merged.sites == {**FIRST.sites, "code.shell_execution": seen(5, "a new place")}
    assert merged.candidates == {"code.shell_execution": 3, "code.debug_leftover": 4}
    assert merged.failed == {"code.shell_execution": "the rule failed on it"}
    assert merged.reason == "a dialect"


def test_a_place_that_the_second_look_no_longer_sees_is_gone() -> None:
    merged = _with_flows(FIRST, FileRecord(ReadStatus.FULL), FOLLOWED)
    assert set(merged.sites) == {"code.debug_leftover"}


def test_a_file_whose_second_look_failed_is_unread() -> None:
    failed = FileRecord(ReadStatus.NONE, "reading it took longer than 10 seconds")
    assert _with_flows(FIRST, failed, FOLLOWED) is failed
