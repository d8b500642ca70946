"""A survey of the subject: select files, read each blob once, ask every probe, number the facts."""

from __future__ import annotations

import gc
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain

from auditor.domain import EntryKind, Evidence, Fact, FileChange, History, Side, Subject, TreeEntry, UserError
from auditor.forensics.engine import blob_batch_reading, ruff_second_look
from auditor.forensics.engine.cross_file_aliases import ImportedNameScanner
from auditor.forensics.engine.enclosing_definitions import EnclosingDefinitions
from auditor.forensics.engine.file_selection import Selection, select
from auditor.forensics.engine.gathering_options import GatheredEvidence, Options
from auditor.forensics.engine.input_providers import GatheringContext, InputGatherer
from auditor.forensics.engine.probe_context import (
    MAX_DOCUMENT_BYTES,
    InitialInputs,
    OutlineInputs,
    ProbeInputs,
    ReadBlobs,
)
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_invocation import Questions, input_kinds
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.symbolic_links import follow_links, links_to_read
from auditor.forensics.engine.worker_pool import Pool
from auditor.forensics.probe_kit.file_record import FileRecord
from auditor.forensics.probe_kit.probe_decorators import Probe, SubjectProbe
from auditor.forensics.probe_kit.probe_inputs import Tree
from auditor.forensics.probe_kit.site_aggregation import site_facts
from auditor.forensics.public_api.shipped_test_modules import (
    PACKAGING_FILES,
    entry_points_in,
    find_imported_test_modules,
    product_test_imports,
    test_imports_in,
)
from auditor.forensics.python.source_parsing import MAX_PYTHON_BYTES
from auditor.forensics.python.thread_calls import BackgroundTask
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.forensics.secrets.redacted_facts import redact_coverage, redact_fact
from auditor.forensics.secrets.secret_places import CommittedSecrets
from auditor.forensics.source_text.file_roles import Role, is_test, language, role
from auditor.repo.repository import Repo


def survey(
    repo: Repo,
    subject: Subject,
    ids: tuple[str, ...],
    options: Options,
    cache: RecordCache,
    read_history: Callable[[], History],
) -> GatheredEvidence:
    """Ask the named probes about the subject, whatever was asked before. Raises UserError for one that does not exist.

    `read_history` reads the history, once.
    """
    known = discover_probes()
    strangers = sorted(set(ids) - set(known))
    if strangers:
        raise UserError(
            f"the rubric names the probe {strangers[0]!r}, which does not exist: see `auditor rubric check`."
        )
    asked = tuple(known[probe_id] for probe_id in ids)
    interest = Interest(asked, has_base=subject.merge_base is not None)
    questions = Questions(asked, repo.changes() if subject.merge_base else None, options.description)
    with _pause_garbage_collection(), ruff_second_look.SecondLook(interest.ruff_codes) as again:
        ground = _gather_inputs(repo, subject, interest, questions, options, cache, again, read_history)
        questions.ask_remaining(ground)
        blob_batch_reading.collect_ruff_findings(ground.seen, again)
        blob_batch_reading.store_records(ground.seen, cache, ground.gathered.secret_blobs)
        answers = questions.answers | _site_and_text_facts(asked, ground)
        around = EnclosingDefinitions(
            {
                side: {path: record.outline for path, record in records.items()}
                for side, records in ground.records.items()
            }
        )
        facts = [
            (each.id, redact_fact(around.add_definitions(fact), ground.gathered.hidden))
            for each in asked
            for fact in answers[each.id]
        ]
    return GatheredEvidence(
        evidence=_number_facts(facts),
        coverage=redact_coverage(ground.coverage, ground.gathered.hidden),
        advice={probe.id: probe.advice for probe in asked},
        cached_files=ground.seen.cached_count,
        overran=questions.clock.overran or _is_secret_search_incomplete(ground),
    )


def _is_secret_search_incomplete(ground: ProbeInputs) -> bool:
    """Did the secret detector fail? Another run may search what this one could not."""
    found = ground.gathered.by_kind.get(CommittedSecrets)
    return isinstance(found, CommittedSecrets) and bool(found.lost)


@contextmanager
def _pause_garbage_collection() -> Iterator[None]:
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


def _gather_inputs(
    repo: Repo,
    subject: Subject,
    interest: Interest,
    questions: Questions,
    options: Options,
    cache: RecordCache,
    second_look: ruff_second_look.SecondLook,
    read_history: Callable[[], History],
) -> ProbeInputs:
    """Read all that the probes need, in the fewest trips; the second look is only begun.

    What needs no file to be looked at is asked while others look at them.
    """
    wanted = input_kinds(interest.probes)
    history = BackgroundTask(read_history)
    listing = repo.files(Side.HEAD)
    head = {entry.path: entry for entry in listing.entries}
    base_entries = repo.files(Side.BASE).entries if subject.merge_base and Tree in wanted else ()
    changes = questions.changes
    selection = select(head, changes, options.exclude, whole_tree=options.whole_tree)
    links = links_to_read(selection, head, changes)
    repo.prepare(entry.blob for each in (selection.head, selection.base, links) for entry in each.values())
    with InputGatherer(wanted) as supplies, repo.blobs() as reader, Pool(interest, options.jobs) as pool:
        followed = follow_links(selection, head, changes, links, reader.read)
        selection, changes = followed.selection, followed.changes
        questions.changes = changes
        order = GatheringContext(
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
        known = InitialInputs(
            subject=subject,
            description=options.description,
            tree=Tree(head, {entry.path: entry for entry in base_entries}),
            changes=changes,
            history=order.history,
            selection=selection,
            patterns=questions.reads(),
            read=reader.read,
            gather_input=lambda kind: supplies.given(kind, order, reader),
        )
        pool.background_work = chain(_start_history(history), questions.ask_before_scan(known), _build_result_model())
        seen = blob_batch_reading.read_all(
            [*selection.head.values(), *selection.base.values()],
            reader,
            interest,
            cache,
            pool,
            second_look,
            lambda done, total: options.progress("Reading files", done, total),
        )
        came = {each.path for each in changes or () if each.base is None or each.base.path != each.path}
        before = {**{path: entry for path, entry in head.items() if path not in came}, **selection.base}
        outlined = OutlineInputs(known, seen, _imported_test_files(head, changes, selection, seen, reader.read))
        pool.background_work = chain(pool.background_work, questions.ask_before_rescan(outlined))
        neighbours = ImportedNameScanner(seen, interest, reader, repo.prepare, pool)
        with_names = {
            Side.HEAD: neighbours.records(selection.head, head),
            Side.BASE: neighbours.records(selection.base, before),
        }
        deque(pool.background_work, maxlen=0)
        return ProbeInputs(
            outlined=outlined,
            rescanned_records=with_names,
            listing_completeness=(listing.complete, listing.limit_reason),
            gathered=supplies.gather(order, reader),
        )


def _start_history(history: BackgroundTask[History]) -> Iterator[None]:
    """Read the history from here on: sooner, whoever reads the first files would have waited for it."""
    history.begin()
    yield


def _build_result_model() -> Iterator[None]:
    """Have the types of the answer worked out, which is done when the first one is made at the latest."""
    GatheredEvidence.model_rebuild()
    yield


def _imported_test_files(
    head: Mapping[str, TreeEntry],
    changes: tuple[FileChange, ...] | None,
    selection: Selection,
    seen: blob_batch_reading.ScanResults,
    read: ReadBlobs,
) -> frozenset[str]:
    """Test-named modules that product code imports.

    Product files that the change leaves alone are searched only where a module it edits is named like a test and shows
    something to probes that it did not show before: whether that counts depends on them.
    """
    records = {path: seen.records[blob_batch_reading.record_key(entry)] for path, entry in selection.head.items()}
    outlines = {
        path: record.outline
        for path, record in records.items()
        if record.outline is not None and language(path) == "python"
    }
    reaches = product_test_imports(outlines)
    edited = {change.path: change.base for change in changes or () if change.base is not None}
    if any(
        is_test(path)
        and records[path].outline
        and _has_new_sites(records[path], seen.records.get(blob_batch_reading.record_key(before)))
        for path, before in edited.items()
        if path in records
    ):
        others = {path: entry for path, entry in head.items() if path not in records and _may_import(path, entry)}
        contents = dict(read({entry.blob for entry in others.values()}, limit=MAX_PYTHON_BYTES))
        for path, entry in others.items():
            content = contents[entry.blob]
            if isinstance(content, bytes):
                reaches[path] = test_imports_in(content.decode("utf-8", errors="replace"))
    for path, names in _entry_point_modules(head, read).items():
        reaches[path] = (*reaches.get(path, ()), *names)
    return find_imported_test_modules(head, reaches, outlines)


def _has_new_sites(record: FileRecord, before: FileRecord | None) -> bool:
    """Do probes see something in a file that was not there before the change?"""
    return any(_count_sites(record, probe) - _count_sites(before, probe) for probe in record.sites)


def _count_sites(record: FileRecord | None, probe: str) -> Counter[tuple[str, str]]:
    """What a probe saw in a file, by the code that it saw it in."""
    return Counter((each.site.statement, each.mark) for each in record.sites.get(probe, ())) if record else Counter()


def _entry_point_modules(head: Mapping[str, TreeEntry], read: ReadBlobs) -> dict[str, tuple[str, ...]]:
    """Test-named modules behind the project's commands, by the packaging file that names them."""
    files = {path: head[path] for path in PACKAGING_FILES if path in head and head[path].kind is EntryKind.FILE}
    contents = dict(read({entry.blob for entry in files.values()}, limit=MAX_DOCUMENT_BYTES)) if files else {}
    texts = {path: contents[entry.blob] for path, entry in files.items()}
    return {
        path: entry_points_in(content.decode("utf-8", errors="replace"))
        for path, content in texts.items()
        if isinstance(content, bytes)
    }


def _may_import(path: str, entry: TreeEntry) -> bool:
    return entry.kind is EntryKind.FILE and language(path) == "python" and role(path) is Role.PRODUCT


def _site_and_text_facts(asked: tuple[Probe, ...], ground: ProbeInputs) -> dict[str, list[Fact]]:
    """What came of the questions that were asked of each file while it was looked at."""
    return {
        each.id: list(site_facts(each, ground.head, ground.base, ground.known.changes))
        for each in asked
        if not isinstance(each, SubjectProbe)
    }


def _number_facts(facts: list[tuple[str, Fact]]) -> tuple[Evidence, ...]:
    counted: dict[str, int] = {}
    evidence = []
    for probe_id, fact in facts:
        counted[probe_id] = counted.get(probe_id, 0) + 1
        values = {name: getattr(fact, name) for name in Fact.model_fields}
        evidence.append(Evidence(id=f"{probe_id}#{counted[probe_id]}", probe=probe_id, **values))
    return tuple(evidence)
