"""A survey of the subject: select files, read each blob once, ask every probe, number the facts."""

from __future__ import annotations

import gc
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain

from auditor.domain import EntryKind, Evidence, Fact, FileChange, History, Side, Subject, TreeEntry, UserError
from auditor.forensics.engine import blob_batch_reading, ruff_second_look
from auditor.forensics.engine.enclosing_definitions import EnclosingDefinitions
from auditor.forensics.engine.file_selection import Selection, followed, linked, select
from auditor.forensics.engine.gathering_options import Gathered, Options
from auditor.forensics.engine.imported_name_resolution import Neighbours
from auditor.forensics.engine.input_providers import Order, Supplies
from auditor.forensics.engine.probe_context import MAX_DOCUMENT, Ground, Known, Outlined, Read
from auditor.forensics.engine.probe_discovery import discovered
from auditor.forensics.engine.probe_invocation import Questions, kinds
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.worker_pool import Pool
from auditor.forensics.probe_kit.file_record import FileRecord
from auditor.forensics.probe_kit.probe_decorators import Probe, SubjectProbe
from auditor.forensics.probe_kit.probe_inputs import Tree
from auditor.forensics.probe_kit.site_aggregation import site_facts
from auditor.forensics.public_api.shipped_test_modules import (
    PACKAGING,
    entries_in,
    product_reaches,
    reaches_in,
    served,
)
from auditor.forensics.python.source_parsing import MAX_PYTHON
from auditor.forensics.python.thread_calls import Beside
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.forensics.secrets.fact_masking import conceal, without_values
from auditor.forensics.secrets.secret_places import CommittedSecrets
from auditor.forensics.source_text.file_roles import Role, is_test, language, role
from auditor.repo.repository import Repo

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

    `past` reads the history, once.
    """
    known = discovered()
    strangers = sorted(set(ids) - set(known))
    if strangers:
        raise UserError(
            f"the rubric names the probe {strangers[0]!r}, which does not exist: see `auditor rubric check`."
        )
    asked = tuple(known[probe_id] for probe_id in ids)
    interest = Interest(asked, compares=subject.merge_base is not None)
    questions = Questions(asked, repo.changes() if subject.merge_base else None, options.description)
    with _without_collection(), ruff_second_look.SecondLook(interest.codes) as again:
        ground = _survey(repo, subject, interest, questions, options, cache, again, past)
        questions.ask_the_rest(ground)
        blob_batch_reading.look_again(ground.seen, again)
        blob_batch_reading.keep(ground.seen, cache, ground.supplied.secret_blobs)
        answers = questions.answers | _shown(asked, ground)
        around = EnclosingDefinitions(
            {
                side: {path: record.outline for path, record in records.items()}
                for side, records in ground.records.items()
            }
        )
        facts = [
            (each.id, conceal(around.located(fact), ground.supplied.hidden))
            for each in asked
            for fact in answers[each.id]
        ]
    return Gathered(
        evidence=_numbered(facts),
        coverage=without_values(ground.coverage, ground.supplied.hidden),
        advice={probe.id: probe.advice for probe in asked},
        cached_files=ground.seen.cached,
        overran=questions.clock.overran or _is_search_lost(ground),
    )


def _is_search_lost(ground: Ground) -> bool:
    """Was the secret detector given up? Another run may look through what this one could not."""
    found = ground.supplied.by_kind.get(CommittedSecrets)
    return isinstance(found, CommittedSecrets) and bool(found.lost)


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


def _survey(
    repo: Repo,
    subject: Subject,
    interest: Interest,
    questions: Questions,
    options: Options,
    cache: RecordCache,
    again: ruff_second_look.SecondLook,
    past: Callable[[], History],
) -> Ground:
    """Read all that the probes need, in the fewest trips; the second look is only begun.

    What needs no file to be looked at is asked while others look at them.
    """
    wanted = kinds(interest.probes)
    history = Beside(past)
    listing = repo.files(Side.HEAD)
    head = {entry.path: entry for entry in listing.entries}
    base_entries = repo.files(Side.BASE).entries if subject.merge_base and Tree in wanted else ()
    changes = questions.changes
    selection = select(head, changes, options.exclude, whole_tree=options.whole_tree)
    links = linked(selection, head)
    repo.prepare(entry.blob for each in (selection.head, selection.base, links) for entry in each.values())
    with Supplies(wanted) as supplies, repo.blobs() as reader, Pool(interest, options.jobs) as pool:
        selection = followed(selection, head, _targets(links, reader.read))
        order = Order(
            repo=repo,
            subject=subject,
            head=head,
            changes=changes,
            selection=selection,
            history=history.result,
            exclude=options.exclude,
            cache=cache,
            progress=options.progress,
            reports=options.reports,
            papers=options.papers,
            check_name=options.check_name,
        )
        supplies.begin(order, reader)
        known = Known(
            subject=subject,
            description=options.description,
            tree=Tree(head, {entry.path: entry for entry in base_entries}),
            changes=changes,
            history=order.history,
            selection=selection,
            patterns=questions.reads(),
            read=reader.read,
            supply=lambda kind: supplies.given(kind, order, reader),
        )
        pool.meanwhile = chain(_begun(history), questions.ask_beforehand(known), _ready_to_answer())
        seen = blob_batch_reading.read_all(
            [*selection.head.values(), *selection.base.values()],
            reader,
            interest,
            cache,
            pool,
            again,
            lambda done, total: options.progress("Reading files", done, total),
        )
        came = {each.path for each in changes or () if each.base is None or each.base.path != each.path}
        before = {**{path: entry for path, entry in head.items() if path not in came}, **selection.base}
        outlined = Outlined(known, seen, _served(head, changes, selection, seen, reader.read))
        pool.meanwhile = chain(pool.meanwhile, questions.ask_meanwhile(outlined))
        neighbours = Neighbours(seen, interest, reader, repo.prepare, pool)
        with_names = {
            Side.HEAD: neighbours.records(selection.head, head),
            Side.BASE: neighbours.records(selection.base, before),
        }
        deque(pool.meanwhile, maxlen=0)
        return Ground(
            outlined=outlined,
            with_names=with_names,
            listed_whole=(listing.complete, listing.limit_reason),
            supplied=supplies.gather(order, reader),
        )


def _begun(history: Beside[History]) -> Iterator[None]:
    """Read the history from here on: sooner, whoever reads the first files would have waited for it."""
    history.begin()
    yield


def _ready_to_answer() -> Iterator[None]:
    """Have the types of the answer worked out, which is done when the first one is made at the latest."""
    Gathered.model_rebuild()
    yield


def _targets(links: Mapping[str, TreeEntry], read: Read) -> dict[str, str]:
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
    seen: blob_batch_reading.Seen,
    read: Read,
) -> frozenset[str]:
    """Test-named modules that product code imports.

    Product files that the change leaves alone are searched only where a module it edits is named like a test and shows
    something to probes that it did not show before: whether that counts depends on them.
    """
    records = {path: seen.records[blob_batch_reading.key(entry)] for path, entry in selection.head.items()}
    outlines = {
        path: record.outline
        for path, record in records.items()
        if record.outline is not None and language(path) == "python"
    }
    reaches = product_reaches(outlines)
    edited = {change.path: change.base for change in changes or () if change.base is not None}
    if any(
        is_test(path)
        and records[path].outline
        and _shows_more(records[path], seen.records.get(blob_batch_reading.key(before)))
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


def _entries(head: Mapping[str, TreeEntry], read: Read) -> dict[str, tuple[str, ...]]:
    """Test-named modules behind the project's commands, by the packaging file that names them."""
    files = {path: head[path] for path in PACKAGING if path in head and head[path].kind is EntryKind.FILE}
    contents = dict(read({entry.blob for entry in files.values()}, limit=MAX_DOCUMENT)) if files else {}
    texts = {path: contents[entry.blob] for path, entry in files.items()}
    return {
        path: entries_in(content.decode("utf-8", errors="replace"))
        for path, content in texts.items()
        if isinstance(content, bytes)
    }


def _may_import(path: str, entry: TreeEntry) -> bool:
    return entry.kind is EntryKind.FILE and language(path) == "python" and role(path) is Role.PRODUCT


def _shown(asked: tuple[Probe, ...], ground: Ground) -> dict[str, list[Fact]]:
    """What came of the questions that were asked of each file while it was looked at."""
    return {
        each.id: list(site_facts(each, ground.head, ground.base, ground.known.changes))
        for each in asked
        if not isinstance(each, SubjectProbe)
    }


def _numbered(facts: list[tuple[str, Fact]]) -> tuple[Evidence, ...]:
    counted: dict[str, int] = {}
    evidence = []
    for probe_id, fact in facts:
        counted[probe_id] = counted.get(probe_id, 0) + 1
        values = {name: getattr(fact, name) for name in Fact.model_fields}
        evidence.append(Evidence(id=f"{probe_id}#{counted[probe_id]}", probe=probe_id, **values))
    return tuple(evidence)
