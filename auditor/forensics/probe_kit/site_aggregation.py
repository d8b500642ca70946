"""From places in single files to facts about the subject.

Places with the same statement, confidence and standing become one fact with several locations. Product
code and test code are answered separately, and silence is only said of files that could be read. What a change
brings in is measured against all of the kind that it brings in: a file with many good places excuses no new bad one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from pydantic import ConfigDict

from auditor.domain import CodeLocation, Fact, FileChange, Frozen, Outcome, ProbeData, SecondLook
from auditor.forensics.probe_kit.file_record import MINIFIED, FileRecord, SeenSite
from auditor.forensics.probe_kit.probe_decorators import SiteProbe, TextProbe
from auditor.forensics.probe_kit.side_records import FileTotals, SideRecords, is_test_probe
from auditor.forensics.probe_kit.site_statements import named_statement, statement_without_lines
from auditor.forensics.source_text.site_probe_types import FILE_NAME, Text

DISAGREEMENT_FACTOR = 0.9
"""What is left of the confidence when ruff looked for the same thing and did not report it."""


class SiteData(Frozen):
    """One place, as it is in a fact's data; the line is 0 where the name of the file is meant."""

    path: str
    line: int
    call: str
    in_tests: bool


class Sites(ProbeData):
    """All places of a fact."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    sites: tuple[SiteData, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    path: str
    seen: SeenSite
    in_tests: bool
    introduced: bool | None
    look: SecondLook | None


def site_facts(
    probe: SiteProbe | TextProbe, head: SideRecords, base: SideRecords, changes: Iterable[FileChange] | None
) -> Iterator[Fact]:
    """The facts of one site or text probe."""
    holders = dict(each for in_tests in (False, True) for each in head.files[in_tests].holders.get(probe.id, ()))
    changed = None if changes is None else tuple(changes)
    new = None if changed is None else _introduced_places(probe, holders, head, base, changed)
    brought = (
        _count_added_candidates(probe.id, head, base, changed) if changed and isinstance(probe, SiteProbe) else None
    )
    named = _name_places(probe, head, changed)
    for in_tests in (False, True):
        files = head.files[in_tests]
        places = [each for each in named if each.in_tests is in_tests]
        places += [
            _Place(
                path,
                seen,
                in_tests,
                None if new is None else (path, number) in new,
                _second_look_of(probe, head, path, seen),
            )
            for path, record in files.holders.get(probe.id, ())
            for number, seen in enumerate(record.sites[probe.id])
            if head.in_tests(path, record, seen) is in_tests
        ]
        share = _ShareBasis(files.candidates[probe.id], None if brought is None else brought[in_tests], places)
        yield from _class_facts(probe, places, files, share, in_tests=in_tests)


def _name_places(
    probe: SiteProbe | TextProbe, head: SideRecords, changes: tuple[FileChange, ...] | None
) -> list[_Place]:
    """What a probe that reads names sees in those of all files, or of a change in those that it brings."""
    if not (isinstance(probe, TextProbe) and probe.reads_names):
        return []
    paths = head.records if changes is None else filter(None, map(_new_name, changes))
    return [
        _Place(
            path,
            SeenSite(replace(site, line=0, end=0), ""),
            head.is_test(path),
            None if changes is None else True,
            None,
        )
        for path in sorted(paths)
        for site in islice(probe.ask(Text(path, FILE_NAME)), 1)
    ]


def _new_name(change: FileChange) -> str:
    """The path of a file that a change adds or renames."""
    if change.head is None or (change.base is not None and change.base.path == change.head.path):
        return ""
    return change.head.path


@dataclass(frozen=True)
class _ShareBasis:
    """What the places of a fact are a share of: all that the probe was shown, or of new ones all that the change brought."""

    shown: int
    added_count: int | None
    places: list[_Place]

    def of(self, members: list[_Place]) -> float | None:
        """The share of places that are all new, or all not."""
        whole = self.shown
        if self.added_count is not None and members[0].introduced:
            whole = max(self.added_count, sum(each.introduced is True for each in self.places))
        return min(1.0, round(len(members) / whole, 4)) if whole else None


def _class_facts(
    probe: SiteProbe | TextProbe, places: list[_Place], files: FileTotals, share: _ShareBasis, *, in_tests: bool
) -> Iterator[Fact]:
    what = "test" if in_tests else "product"
    kind = "code in a supported language" if isinstance(probe, SiteProbe) else "text"
    count = files.asked(probe)
    if not count and not places:
        yield Fact(outcome=Outcome.NOT_APPLICABLE, statement=f"No {what} {kind} is in scope.", in_tests=in_tests)
        return
    unread = files.unread(probe)
    yield from _found_facts(places, share, in_tests=in_tests)
    if not places and len(unread) < count:
        yield _not_found_fact(probe, count, len(unread), in_tests=in_tests)
    yield from _unavailable_facts(unread, in_tests=in_tests)


def _found_facts(places: list[_Place], share: _ShareBasis, *, in_tests: bool) -> Iterator[Fact]:
    groups: dict[tuple[object, ...], list[_Place]] = defaultdict(list)
    for place in places:
        confidence, reason = _confidence(place)
        site = place.seen.site
        groups[-confidence, site.statement, reason, place.introduced, place.look].append(place)
    for group in sorted(groups, key=lambda each: tuple(map(str, each))):
        members = groups[group]
        first = members[0]
        confidence, reason = _confidence(first)
        yield Fact(
            outcome=Outcome.FOUND,
            statement=named_statement(first.seen.site.statement, [each.seen.site.call for each in members]),
            locations=tuple(each for member in members for each in _locations(member)),
            confidence=confidence,
            confidence_reason=reason,
            measure=share.of(members),
            introduced=first.introduced,
            in_tests=in_tests,
            second_look=first.look,
            data=Sites(
                sites=tuple(
                    SiteData(path=m.path, line=m.seen.site.line, call=m.seen.site.call, in_tests=in_tests)
                    for m in members
                )
            ),
        )


def _locations(place: _Place) -> Iterator[CodeLocation]:
    """Where a place is, then the other lines that belong to it."""
    yield _location(place.path, place.seen)
    for line, quote in place.seen.related:
        yield CodeLocation(path=place.path, start=line, end=line, quote=quote)


def _location(path: str, seen: SeenSite) -> CodeLocation:
    """The lines of a site, or the whole file where its name is meant."""
    site = seen.site
    if not site.line:
        return CodeLocation(path=path)
    return CodeLocation(path=path, start=site.line, end=max(site.end, site.line), quote=seen.quote)


def _confidence(place: _Place) -> tuple[float, str]:
    site = place.seen.site
    if place.look is not SecondLook.DISAGREES:
        return site.confidence, site.reason
    doubt = "ruff does not report it"
    return round(site.confidence * DISAGREEMENT_FACTOR, 4), f"{site.reason}; {doubt}" if site.reason else doubt


def _not_found_fact(probe: SiteProbe | TextProbe, files: int, unread: int, *, in_tests: bool) -> Fact:
    statement = (
        probe.none_statement
        if not in_tests
        else f"In test code {probe.none_statement[:1].lower()}{probe.none_statement[1:]}"
    )
    return Fact(
        outcome=Outcome.NOT_FOUND,
        statement=statement,
        in_tests=in_tests,
        confidence=round((files - unread) / files, 4),
        confidence_reason=f"{unread} of {files} files could not be read to the end" if unread else "",
    )


def _unavailable_facts(unread: Mapping[str, str], *, in_tests: bool) -> Iterator[Fact]:
    by_reason: dict[str, list[str]] = defaultdict(list)
    for path, reason in sorted(unread.items()):
        by_reason[reason].append(path)
    for reason, paths in sorted(by_reason.items()):
        count = "One file" if len(paths) == 1 else f"{len(paths)} files"
        yield Fact(
            outcome=Outcome.UNAVAILABLE,
            statement=f"{count} could not be read to the end: {reason}.",
            locations=tuple(CodeLocation(path=path) for path in paths),
            in_tests=in_tests,
        )


def _second_look_of(probe: SiteProbe | TextProbe, head: SideRecords, path: str, seen: SeenSite) -> SecondLook | None:
    if not isinstance(probe, SiteProbe) or not probe.second_look or path not in head.second:
        return None
    site = seen.site
    reported = any(
        code in probe.second_look and start <= site.end and end >= site.line for code, start, end in head.second[path]
    )
    return SecondLook.AGREES if reported else SecondLook.DISAGREES


def _count_added_candidates(
    probe_id: str, head: SideRecords, base: SideRecords, changes: Iterable[FileChange]
) -> Mapping[bool, int]:
    """How many more places the probe was shown in the files of the change than before it, by whether they are tests."""
    paths = {change.path for change in changes}
    more: Counter[bool] = Counter()
    for sign, side in ((1, {path: head.records[path] for path in head.records.keys() & paths}), (-1, base.records)):
        for path, record in side.items():
            in_tests = head.is_test(path) or (is_test_probe(probe_id) and bool(record.tests))
            more[in_tests] += sign * record.candidates.get(probe_id, 0)
    return more


def _introduced_places(
    probe: SiteProbe | TextProbe,
    holders: Mapping[str, FileRecord],
    head: SideRecords,
    base: SideRecords,
    changes: Iterable[FileChange],
) -> set[tuple[str, int]]:
    """Which places the change brought in: those that the base side of the change does not have as often.

    Comparing all the lines a place spans, over all changed files at once, leaves moved code, renamed files
    and shifted lines out (of a definition its first line is compared, for that is what it is known by); what moves from tests into product code is new there. On minified lines,
    which differ as a whole, places of one statement and call are counted file by file. Of several equal places, those on lines that the change wrote count as new first.
    """
    by_path = {change.path: change for change in changes}
    whole = isinstance(probe, SiteProbe) and probe.is_about_definitions
    before: Counter[_Fingerprint] = Counter()
    for path, record in base.records.items():
        for seen in record.sites.get(probe.id, ()):
            before[_fingerprint(path, seen, whole=whole, in_tests=base.in_tests(path, record, seen))] += seen.repeats
    places: dict[_Fingerprint, list[tuple[bool, str, int]]] = defaultdict(list)
    for path, record in sorted(holders.items()):
        change = by_path.get(path)
        if change is None:
            continue
        written = change.added_lines
        old_path = change.base.path if change.base is not None else path
        for number, seen in enumerate(record.sites.get(probe.id, ())):
            touched = any(line in written for line in range(seen.site.line, seen.site.end + 1))
            fingerprint = _fingerprint(old_path, seen, whole=whole, in_tests=head.in_tests(path, record, seen))
            places[fingerprint] += [(not touched, path, number)] * seen.repeats
    new: set[tuple[str, int]] = set()
    for known, found in places.items():
        surplus = max(0, len(found) - before[known])
        new.update((path, number) for _, path, number in sorted(found)[:surplus])
    return new


class _Fingerprint(NamedTuple):
    """What must be equal for two places to be the same."""

    statement: str
    code: str
    in_tests: bool


def _fingerprint(path: str, seen: SeenSite, *, whole: bool, in_tests: bool) -> _Fingerprint:
    called = seen.site.call.rpartition(".")[2]  # what it is called on has another name in each version
    code = f"{path} {called}" if seen.mark == MINIFIED else seen.quote if whole else seen.mark
    return _Fingerprint(statement_without_lines(seen.site.statement), code, in_tests)
