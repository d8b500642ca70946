"""Facts made of the places that probes of the whole subject saw."""

from __future__ import annotations

from auditor.domain import CodeLocation
from auditor.forensics.probe_kit.located_facts import LocatedSite, located_facts


def test_places_on_one_line_are_told_in_the_order_in_which_they_were_seen_and_once_each() -> None:
    quotes = [f"requests[{extra}]" for extra in ["socks", "security", "http2", "cli", "brotli", "zstd"]]
    seen = [
        LocatedSite("setup.py", 3, quote, "A package is asked for in any version", "pypi:requests") for quote in quotes
    ]

    [fact] = located_facts([*seen, *reversed(seen)], [], None)

    assert [each.quote for each in fact.locations if isinstance(each, CodeLocation)] == quotes
