"""The ways in which faults are really written, and what is written like them and right: one small file each.

A case in `practised/` begins with `=== PROBE + NAME` where the probe has to see something, with `-` where it must not;
`@LANGUAGE` behind the name says what the file is when it is no Python. `<U+202E>` stands for the character of that number,
so that what nobody can see is seen in a case.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file

_PLACE = Path(__file__).parent / "practised"
_WRITTEN_OUT = re.compile(r"<U\+([0-9A-F]{4,6})>")


def _cases() -> dict[str, list[tuple[str, bool, str, str]]]:
    """Name, whether something is to be seen, language and content, by probe."""
    cases: dict[str, list[tuple[str, bool, str, str]]] = defaultdict(list)
    for file in sorted(_PLACE.glob("*.txt")):
        for block in f"\n{file.read_text(encoding='utf-8')}".split("\n=== ")[1:]:
            head, _, content = block.partition("\n")
            probe, sign, name = head.split(" ", 2)
            name, _, language = name.partition(" @")
            meant = _WRITTEN_OUT.sub(lambda number: chr(int(number[1], 16)), content)
            cases[probe].append((name, sign == "+", language or "python", meant + "\n"))
    return cases


CASES = _cases()


@pytest.mark.parametrize("probe", sorted(CASES))
def test_a_probe_tells_the_fault_from_its_look_alikes(probe: str) -> None:
    interest = Interest((discover_probes()[probe],))
    wrong = []
    for name, there, language, content in CASES[probe]:
        record = scan_file(content.encode(), language, interest)
        assert not record.failed, name
        assert not record.reason, name
        if bool(record.sites) is not there:
            wrong.append(f"{name}: {'missed' if there else 'wrongly told'}")
    assert wrong == []


@pytest.mark.parametrize("probe", sorted(CASES))
def test_every_probe_has_cases_of_both_kinds(probe: str) -> None:
    assert {there for _, there, _, _ in CASES[probe]} == {True, False}
