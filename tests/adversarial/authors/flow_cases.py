"""What tests of untrusted input in several languages ask of their cases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from auditor.domain import CodeLocation, Evidence
from tests.adversarial.authors.drawing import Case

Found = Mapping[str, list[Evidence]]


def assert_way_is_told(found: Found, number: int, case: Case, suffix: str) -> None:
    """The hostile file has one confirmed finding that names source and sink, at both places."""
    seen = [each for each in found[f"shop{number}/hostile.{suffix}"] if each.probe == case[1]]
    (flow,) = [each for each in seen if " reaches `" in each.statement]
    assert flow.confidence >= 0.8
    lines = {place.start for place in flow.locations if isinstance(place, CodeLocation)}
    assert {int(line) for line in re.findall(r"\(line (\d+)\)", flow.statement)} <= lines


def assert_is_found(found: Found, number: int, case: Case, suffix: str) -> None:
    """The hostile file has a finding of the probe that is at least possible."""
    seen = [each for each in found[f"shop{number}/hostile.{suffix}"] if each.probe == case[1]]
    assert seen
    assert max(each.confidence for each in seen) >= 0.5


def assert_is_silent(found: Found, number: int, suffix: str) -> None:
    """The benign file has no finding that is at least possible."""
    assert [each.statement for each in found[f"shop{number}/benign.{suffix}"] if each.confidence >= 0.5] == []


def names(cases: Sequence[Case]) -> list[str]:
    """What the cases are called."""
    return [each[0] for each in cases]
