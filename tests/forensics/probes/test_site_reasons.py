"""A place that is not quite sure says why: a fact without the reason would end the audit that meets it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

FORENSICS = Path(__file__).parents[3] / "auditor" / "forensics"


def unexplained(source: str) -> Iterator[int]:
    """Lines that make a site with a confidence below 1 and without a reason."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "site":
            given = {each.arg: each.value for each in node.keywords}
            sure = given.get("confidence")
            if sure is not None and not (isinstance(sure, ast.Constant) and sure.value == 1) and "because" not in given:
                yield node.lineno


def test_every_site_below_full_confidence_gives_its_reason() -> None:
    found = [
        f"{file.relative_to(FORENSICS)}:{line}"
        for file in sorted(FORENSICS.rglob("*.py"))
        for line in unexplained(file.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_a_site_without_a_reason_is_seen() -> None:
    assert list(unexplained("match.site('a', confidence=0.9)\nmatch.site('a', confidence=0.9, because='b')\n")) == [1]
