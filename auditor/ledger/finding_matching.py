"""Which findings of two records are the same one."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from auditor.domain import CodeLocation
from auditor.domain.comparison import Finding
from auditor.ledger.finding_fingerprint import identity, position

_Key = Callable[[Finding], Hashable]


@dataclass
class Matching:
    """Findings paired so far, and those that still wait for a partner."""

    before: list[Finding]
    after: list[Finding]
    pairs: list[tuple[Finding, Finding]] = field(default_factory=list)


def match(before: Sequence[Finding], after: Sequence[Finding]) -> Matching:
    """Pairs of findings with equal identity, the nearest of equal ones first; the rest stays unpaired.

    Of several equal ones, those on the same line are paired first, then those in the same file, in order. A place without
    a definition (records before schema version 1.1 have none) is at last paired by its text within the same file.
    """
    found = Matching(list(before), list(after))
    for key in (_same_line, _same_file_and_outcome, _same_file, _same_identity):
        _pair_by(key, found, found.before, found.after)
    _pair_by(_text_in_file, found, _without_definition(found.before), found.after)
    _pair_by(_text_in_file, found, found.before, _without_definition(found.after))
    return found


def _same_line(finding: Finding) -> Hashable:
    return _same_identity(finding), position(finding.place), finding.outcome, finding.statement


def _same_file_and_outcome(finding: Finding) -> Hashable:
    return *_same_file(finding), finding.outcome


def _same_file(finding: Finding) -> tuple[Hashable, ...]:
    return _same_identity(finding), position(finding.place)[0]


def _same_identity(finding: Finding) -> Hashable:
    return identity(finding.probe, finding.place, in_tests=finding.in_tests)


def _text_in_file(finding: Finding) -> Hashable:
    """None where the place has no path or no quote to go by."""
    place = finding.place
    if not isinstance(place, CodeLocation) or not place.quote:
        return None
    return finding.probe, place.path, "".join(place.quote.split()), place.side


def _without_definition(findings: Iterable[Finding]) -> list[Finding]:
    return [each for each in findings if isinstance(each.place, CodeLocation) and each.place.definition is None]


def _pair_by(key: _Key, found: Matching, before: Sequence[Finding], after: Sequence[Finding]) -> None:
    """Pair findings with the same key in their order, and take them off the lists of those that wait."""
    waiting: dict[Hashable, deque[Finding]] = defaultdict(deque)
    for each in after:
        waiting[key(each)].append(each)
    waiting.pop(None, None)
    made = [(each, waiting[key(each)].popleft()) for each in before if waiting.get(key(each))]
    paired = {each.fingerprint for each, _ in made}, {each.fingerprint for _, each in made}
    found.pairs += made
    found.before = [each for each in found.before if each.fingerprint not in paired[0]]
    found.after = [each for each in found.after if each.fingerprint not in paired[1]]
