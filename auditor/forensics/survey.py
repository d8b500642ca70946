"""A survey of the subject: select files, read each blob once, ask every probe, number the facts."""

from __future__ import annotations

import gc
import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_type_hints

from auditor.domain import (
    Coverage,
    Description,
    EntryKind,
    Evidence,
    Fact,
    FileChange,
    FileCoverage,
    FileStatus,
    History,
    Side,
    Subject,
    TreeEntry,
    UserError,
)
from auditor.domain.globs import fits
from auditor.forensics import reading, ruff
from auditor.forensics.aggregate import LookedAt, site_facts
from auditor.forensics.cache import RecordCache
from auditor.forensics.concealing import conceal, without_values
from auditor.forensics.deadline import Clock, Overrun, within
from auditor.forensics.facts import not_applicable, unavailable
from auditor.forensics.gathered import Gathered, Options
from auditor.forensics.inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.languages import covered
from auditor.forensics.look import MAX_PYTHON, MAX_TEXT, Interest
from auditor.forensics.neighbours import Neighbours
from auditor.forensics.probe import Probe, SubjectProbe, discovered
from auditor.forensics.record import FileRecord, Reading
from auditor.forensics.roles import Role, is_code, is_test, language, role
from auditor.forensics.selection import Selection, followed, linked, select
from auditor.forensics.served import PACKAGING, entries_in, product_reaches, reaches_in, served
from auditor.forensics.supplies import Order, Supplied, Supplies
from auditor.forensics.workers import Pool
from auditor.repo import Refused, Repo

_MAX_DOCUMENT = 1_000_000
_MAX_LINK = 4_096


def survey(
    repo: Repo,
    subject: Subject,
    ids: tuple[str, ...],
    options: Options,
    cache: RecordCache,
    past: Callable[[], History],
) -> Gathered:
    """Ask the named probes about the subject, whatever was asked before. Raises UserError for one that does not exist.

    The history may still be read elsewhere: `past` waits for it.
    """
    known = discovered()
    strangers = sorted(set(ids) - set(known))
    if strangers:
        raise UserError(
            f"the rubric names the probe {strangers[0]!r}, which does not exist: see `auditor rubric check`."
        )
    asked = tuple(known[probe_id] for probe_id in ids)
    interest = Interest(asked, compares=subject.merge_base is not None)
    with _without_collection(), ruff.SecondLook(interest.codes) as again:
        ground = _survey(repo, subject, interest, options, cache, again, past)
        clock = Clock()
        answers = _answers((each for each in asked if isinstance(each, SubjectProbe)), ground, clock)
        reading.look_again(ground.seen, again)
        reading.keep(ground.seen, cache, ground.supplied.secret_blobs)
        answers |= _answers((each for each in asked if not isinstance(each, SubjectProbe)), ground, clock)
        facts = [(each.id, conceal(fact, ground.supplied.hidden)) for each in asked for fact in answers[each.id]]
    return Gathered(
        evidence=_numbered(facts),
        coverage=without_values(ground.coverage, ground.supplied.hidden),
        advice={probe.id: probe.advice for probe in asked},
        cached_files=ground.seen.cached,
        overran=clock.overran,
    )


@contextmanager
def _without_collection() -> Iterator[None]:
    """Records are many and hold no cycles: looking for some would take longer than reading them.

    Frozen, they are left out of the search that would otherwise come first thing after this.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.freeze()
            gc.enable()


@dataclass(frozen=True)
class _Ground:
    """Everything that probes may ask for."""

    subject: Subject
    description: Description | None
    tree: Tree
    changes: tuple[FileChange, ...] | None
    history: History
    selection: Selection
    seen: reading.Seen
    with_names: Mapping[Side, Mapping[str, FileRecord]]
    """Records of files that were looked at again, with what other modules pass on to them."""
    texts: Mapping[Side, Mapping[str, str]]
    listed_whole: tuple[bool, str]
    supplied: Supplied

    @cached_property
    def records(self) -> Mapping[Side, Mapping[str, FileRecord]]:
        """What each file showed, by side and path."""
        return {
            side: {path: self.seen.records[reading.key(entry)] for path, entry in entries.items()}
            | dict(self.with_names[side])
            for side, entries in ((Side.HEAD, self.selection.head), (Side.BASE, self.selection.base))
        }

    @cached_property
    def head(self) -> LookedAt:
        """What the head's files showed, the second look included: not to be asked for before that is over."""
        return self._looked_at(Side.HEAD, self.selection.head)

    @cached_property
    def base(self) -> LookedAt:
        """What the base side of the change showed, in the same way."""
        return self._looked_at(Side.BASE, self.selection.base)

    def _looked_at(self, side: Side, entries: Mapping[str, TreeEntry]) -> LookedAt:
        keys = {path: reading.key(entry) for path, entry in entries.items()}
        second = {path: self.seen.second[key] for path, key in keys.items() if key in self.seen.second}
        return LookedAt(self.records[side], second, self.tree.served)

    @cached_property
    def modules(self) -> PythonModules:
        """Outlines of both sides."""
        outlines = {
            side: {path: record.outline for path, record in records.items() if record.outline is not None}
            for side, records in self.records.items()
        }
        python = {
            side: {path: each for path, each in some.items() if language(path) == "python"}
            for side, some in outlines.items()
        }
        others = {
            side: {path: each for path, each in some.items() if language(path) != "python"}
            for side, some in outlines.items()
        }
        return PythonModules(
            python[Side.HEAD],
            python[Side.BASE],
            {
                path: record.reason
                for path, record in self.records[Side.HEAD].items()
                if record.outline is None
                and language(path) in {"python", *covered()}
                and record.reading is not Reading.BINARY
            },
            others[Side.HEAD],
            others[Side.BASE],
        )

    @cached_property
    def coverage(self) -> Coverage:
        """What became of every file in scope, by path."""
        files = [*self.selection.settled, *(_covered(path, record) for path, record in self.records[Side.HEAD].items())]
        complete, reason = self.listed_whole
        return Coverage(files=tuple(sorted(files, key=lambda file: file.path)), complete=complete, limit_reason=reason)


def _survey(
    repo: Repo,
    subject: Subject,
    interest: Interest,
    options: Options,
    cache: RecordCache,
    again: ruff.SecondLook,
    past: Callable[[], History],
) -> _Ground:
    """Read all that the probes need, in the fewest trips; the second look is only begun."""
    asked = interest.probes
    listing = repo.files(Side.HEAD)
    head = {entry.path: entry for entry in listing.entries}
    base_entries = repo.files(Side.BASE).entries if subject.merge_base and _want(asked, Tree) else ()
    changes = repo.changes() if subject.merge_base else None
    selection = select(head, changes, options.exclude, whole_tree=options.whole_tree)
    links = linked(selection, head)
    repo.prepare(entry.blob for each in (selection.head, selection.base, links) for entry in each.values())
    with Supplies(frozenset(_kinds(asked))) as supplies, repo.blobs() as reader, Pool(interest, options.jobs) as pool:
        selection = followed(selection, head, _targets(links, reader.read))
        order = Order(
            repo=repo,
            subject=subject,
            head=head,
            changes=changes,
            selection=selection,
            history=past,
            exclude=options.exclude,
            cache=cache,
            progress=options.progress,
            reports=options.reports,
            papers=options.papers,
        )
        supplies.begin(order, reader)
        seen = reading.read_all(
            [*selection.head.values(), *selection.base.values()],
            reader,
            interest,
            cache,
            pool,
            again,
            lambda done, total: options.progress("Reading files", done, total),
        )
        patterns = tuple(
            pattern
            for probe in asked
            if isinstance(probe, SubjectProbe) and not _misses(probe, changes, options.description)
            for pattern in _reads(probe, changes)
        )
        came = {each.path for each in changes or () if each.base is None or each.base.path != each.path}
        before = {**{path: entry for path, entry in head.items() if path not in came}, **selection.base}
        neighbours = Neighbours(seen, interest, reader, repo.prepare, pool)
        with_names = {
            Side.HEAD: neighbours.records(selection.head, head),
            Side.BASE: neighbours.records(selection.base, before),
        }
        served = _served(head, changes, selection, seen, reader.read)
        texts = {
            side: _texts(entries, patterns, reader.read)
            for side, entries in ((Side.HEAD, selection.head), (Side.BASE, selection.base))
        }
        supplied = supplies.gather(order, reader)
    return _Ground(
        subject=subject,
        description=options.description,
        tree=Tree(head, {entry.path: entry for entry in base_entries}, served),
        changes=changes,
        history=order.history(),
        selection=selection,
        seen=seen,
        with_names=with_names,
        texts=texts,
        listed_whole=(listing.complete, listing.limit_reason),
        supplied=supplied,
    )


def _targets(
    links: Mapping[str, TreeEntry], read: Callable[..., Iterator[tuple[str, bytes | Refused]]]
) -> dict[str, str]:
    """What symbolic links say."""
    if not links:
        return {}
    contents = dict(read({entry.blob for entry in links.values()}, limit=_MAX_LINK))
    return {
        path: content.decode("utf-8", errors="backslashreplace")
        for path, entry in links.items()
        if isinstance(content := contents[entry.blob], bytes)
    }


def _served(
    head: Mapping[str, TreeEntry],
    changes: tuple[FileChange, ...] | None,
    selection: Selection,
    seen: reading.Seen,
    read: Callable[..., Iterator[tuple[str, bytes | Refused]]],
) -> frozenset[str]:
    """Test-named modules that product code imports.

    Product files that the change leaves alone are searched only where a module it edits is named like a test and shows
    something to probes that it did not show before: whether that counts depends on them.
    """
    records = {path: seen.records[reading.key(entry)] for path, entry in selection.head.items()}
    outlines = {
        path: record.outline
        for path, record in records.items()
        if record.outline is not None and language(path) == "python"
    }
    reaches = product_reaches(outlines)
    edited = {change.path: change.base for change in changes or () if change.base is not None}
    if any(
        is_test(path) and records[path].outline and _shows_more(records[path], seen.records.get(reading.key(before)))
        for path, before in edited.items()
        if path in records
    ):
        others = {path: entry for path, entry in head.items() if path not in records and _may_import(path, entry)}
        contents = dict(read({entry.blob for entry in others.values()}, limit=MAX_PYTHON))
        for path, entry in others.items():
            content = contents[entry.blob]
            if isinstance(content, bytes):
                reaches[path] = reaches_in(content.decode("utf-8", errors="replace"))
    for path, names in _entries(head, read).items():
        reaches[path] = (*reaches.get(path, ()), *names)
    return served(head, reaches, outlines)


def _shows_more(record: FileRecord, before: FileRecord | None) -> bool:
    """Do probes see something in a file that was not there before the change?"""
    return any(_marked(record, probe) - _marked(before, probe) for probe in record.sites)


def _marked(record: FileRecord | None, probe: str) -> Counter[tuple[str, str]]:
    """What a probe saw in a file, by the code that it saw it in."""
    return Counter((each.site.statement, each.mark) for each in record.sites.get(probe, ())) if record else Counter()


def _entries(
    head: Mapping[str, TreeEntry], read: Callable[..., Iterator[tuple[str, bytes | Refused]]]
) -> dict[str, tuple[str, ...]]:
    """Test-named modules behind the project's commands, by the packaging file that names them."""
    files = {path: head[path] for path in PACKAGING if path in head and head[path].kind is EntryKind.FILE}
    contents = dict(read({entry.blob for entry in files.values()}, limit=_MAX_DOCUMENT)) if files else {}
    texts = {path: contents[entry.blob] for path, entry in files.items()}
    return {
        path: entries_in(content.decode("utf-8", errors="replace"))
        for path, content in texts.items()
        if isinstance(content, bytes)
    }


def _may_import(path: str, entry: TreeEntry) -> bool:
    return entry.kind is EntryKind.FILE and language(path) == "python" and role(path) is Role.PRODUCT


def _texts(
    entries: Mapping[str, TreeEntry],
    patterns: tuple[str, ...],
    read: Callable[..., Iterator[tuple[str, bytes | Refused]]],
) -> dict[str, str]:
    fitting = {path: entry for path, entry in entries.items() if fits(path, patterns)}
    contents = dict(read((entry.blob for entry in fitting.values()), limit=min(_MAX_DOCUMENT, MAX_TEXT)))
    return {
        path: content.decode("utf-8", errors="backslashreplace").replace("\r\n", "\n")
        for path, entry in fitting.items()
        if isinstance(content := contents[entry.blob], bytes) and b"\0" not in content[:8000]
    }


def _want(asked: tuple[Probe, ...], kind: type) -> bool:
    return kind in set(_kinds(asked))


def _kinds(asked: tuple[Probe, ...]) -> Iterator[Any]:
    """Every type of input that some probe asks for."""
    for probe in asked:
        if isinstance(probe, SubjectProbe):
            for hint in _parameters(probe).values():
                yield from _members(hint)


def _parameters(probe: SubjectProbe) -> dict[str, Any]:
    hints = get_type_hints(probe.ask)
    hints.pop("return", None)
    return hints


def _members(hint: Any) -> tuple[Any, ...]:
    """The members of a union, or the type itself."""
    return tuple(getattr(hint, "__args__", ())) or (hint,)


def _answers(probes: Iterable[Probe], ground: _Ground, clock: Clock) -> dict[str, list[Fact]]:
    return {probe.id: list(_asked(probe, ground, clock)) for probe in probes}


def _asked(probe: Probe, ground: _Ground, clock: Clock) -> Iterator[Fact]:
    if not isinstance(probe, SubjectProbe):
        yield from site_facts(probe, ground.head, ground.base, ground.changes)
        return
    missing = _misses(probe, ground.changes, ground.description)
    if missing:
        yield not_applicable(missing)
        return
    given = {name: _provided(probe, _members(hint)[0], ground) for name, hint in _parameters(probe).items()}
    if not inspect.isgeneratorfunction(probe.ask):
        raise TypeError(f"the probe {probe.id} must yield its facts")
    facts = guarded(probe.ask(**given), clock)
    yield from facts or [unavailable("The probe gave no answer.")]


def _reads(probe: SubjectProbe, changes: tuple[FileChange, ...] | None) -> tuple[str, ...]:
    """Globs of the texts that a probe is given here."""
    return () if probe.of_changes and changes is None else probe.reads


def _misses(probe: SubjectProbe, changes: tuple[FileChange, ...] | None, description: Description | None) -> str:
    """Why the question makes no sense here: it needs a change or a description, and there is none."""
    needed = {hint for hint in _parameters(probe).values() if not _members(hint)[1:]}
    if Change in needed and changes is None:
        return "The whole tree is audited, so there is no change to look at."
    if Description in needed and description is None:
        return "No description came with the audit."
    return ""


def guarded(facts: Iterator[Fact], clock: Clock) -> list[Fact]:
    """Facts up to an input that a probe stumbles on, or takes too long over, which is then said."""
    seen: list[Fact] = []
    try:
        with within(clock.left()):
            seen.extend(facts)
    except (RecursionError, MemoryError) as error:
        seen.append(unavailable(f"The question was given up: {type(error).__name__} on this input."))
    except Overrun:
        clock.overran = True
        seen.append(unavailable("The question was given up: answering it took longer than it may."))
    return seen


def _provided(probe: SubjectProbe, kind: Any, ground: _Ground) -> object:
    if kind is Change:
        return None if ground.changes is None else Change(ground.changes)
    if kind is Documents:
        reads = _reads(probe, ground.changes)
        return Documents(
            *(
                {path: text for path, text in ground.texts[side].items() if fits(path, reads)}
                for side in (Side.HEAD, Side.BASE)
            )
        )
    simple = {
        Subject: ground.subject,
        Description: ground.description,
        Tree: ground.tree,
        History: ground.history,
        **ground.supplied.by_kind,
    }
    if kind in simple:
        return simple[kind]
    if kind is PythonModules:
        return ground.modules
    if kind is Coverage:
        return ground.coverage
    raise TypeError(f"the probe {probe.id} asks for {kind!r}, which nobody provides")


def _covered(path: str, record: FileRecord) -> FileCoverage:
    if record.reading is Reading.BINARY and is_code(path):
        reason = "code by its name, but it holds zero bytes: it was not read"
        return FileCoverage(path=path, status=FileStatus.UNAVAILABLE, reason=reason)
    if record.reading is Reading.BINARY:
        return FileCoverage(path=path, status=FileStatus.NOT_APPLICABLE, reason="binary")
    if record.reading is Reading.NONE:
        return FileCoverage(path=path, status=FileStatus.UNAVAILABLE, reason=record.reason)
    if record.failed and not record.reason:
        return FileCoverage(
            path=path, status=FileStatus.PARTIAL, reason=f"{len(record.failed)} probes could not answer on it"
        )
    deep = language(path) in {"python", *covered()} or bool(record.carries)
    reason = record.reason if deep or not is_code(path) else f"{language(path)} is only read as text"
    if reason:
        return FileCoverage(path=path, status=FileStatus.PARTIAL, reason=reason)
    return FileCoverage(path=path, status=FileStatus.ANALYSED)


def _numbered(facts: list[tuple[str, Fact]]) -> tuple[Evidence, ...]:
    counted: dict[str, int] = {}
    evidence = []
    for probe_id, fact in facts:
        counted[probe_id] = counted.get(probe_id, 0) + 1
        values = {name: getattr(fact, name) for name in Fact.model_fields}
        evidence.append(Evidence(id=f"{probe_id}#{counted[probe_id]}", probe=probe_id, **values))
    return tuple(evidence)
