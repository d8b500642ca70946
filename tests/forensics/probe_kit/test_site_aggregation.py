"""One fact for all sites of a statement: the names of what was called stand in it as code."""

from __future__ import annotations

import pytest

from auditor.domain import Outcome
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus, SeenSite
from auditor.forensics.probe_kit.probe_decorators import SiteProbe
from auditor.forensics.probe_kit.side_records import SideRecords
from auditor.forensics.probe_kit.site_aggregation import site_facts
from auditor.forensics.source_text.site_probe_types import Site


def statement(text: str, *calls: str) -> str:
    """What the fact says about sites of one statement in a file, one line each."""
    probe = discover_probes()["code.no_timeout"]
    assert isinstance(probe, SiteProbe)
    seen = tuple(SeenSite(Site(line, line, text, call), "") for line, call in enumerate(calls, start=1))
    head = SideRecords({"a.py": FileRecord(ReadStatus.FULL, sites={probe.id: seen})})
    (found,) = [each for each in site_facts(probe, head, SideRecords({}), None) if each.outcome is Outcome.FOUND]
    assert len(found.locations) == len(calls)
    return found.statement


@pytest.mark.parametrize(
    ("calls", "shown"),
    [
        (("requests.get",), "No timeout on `requests.get`"),
        (("requests.get", "requests.get"), "No timeout on `requests.get`"),
        (("requests.put", "requests.get"), "No timeout on `requests.get` or `requests.put`"),
        (("a", "b", "c", "d"), "No timeout on `a`, `b`, `c` or 1 other"),
        (("a", "b", "c", "d", "e"), "No timeout on `a`, `b`, `c` or 2 others"),
        (("client(`x`).get",), "No timeout on `.get`"),
        (("client.get`\n`",), "No timeout on a call"),
        (("",), "No timeout on a call"),
        (('hashlib.new("md5")',), 'No timeout on `hashlib.new("md5")`'),
        (('client(x).hash(..., "md5")',), 'No timeout on `.hash(..., "md5")`'),
        (("Hmac<Md5>",), "No timeout on `Hmac<Md5>`"),
    ],
)
def test_a_statement_names_what_was_called_at_its_sites(calls: tuple[str, ...], shown: str) -> None:
    assert statement("No timeout on {call}", *calls) == shown


def test_a_statement_that_asks_for_no_name_is_shown_as_it_is() -> None:
    assert statement("Connection has no timeout", "connect") == "Connection has no timeout"


@pytest.mark.parametrize(
    ("calls", "shown"),
    [
        (("parse",), "`parse` uses a dict as a record"),
        (("parse", "read"), "`parse` and `read` use a dict as a record"),
        (("a", "b", "c", "d"), "`a`, `b`, `c` and 1 other use a dict as a record"),
    ],
)
def test_a_statement_about_functions_agrees_with_their_number(calls: tuple[str, ...], shown: str) -> None:
    assert statement("{calls} [uses|use] a dict as a record", *calls) == shown


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("test_a",), "No assertions in test `test_a`"),
        (("test_a", "test_b"), "No assertions in tests `test_a` and `test_b`"),
        (("", ""), "No assertions in a test"),
        (("test_a", ""), "No assertions in test `test_a` and others"),
    ],
)
def test_a_statement_about_tests_names_those_that_are_functions(names: tuple[str, ...], shown: str) -> None:
    assert statement("No assertions in {test}", *names) == shown
