"""A survey of the subject: select files, read each blob once, ask every probe, number the facts."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain

from auditor.domain import Evidence, Fact, History, Side, Subject, UserError
from auditor.forensics.engine import blob_batch_reading, ruff_second_look
from auditor.forensics.engine.affected_callers import CallerSearch, affected, as_unchanged
from auditor.forensics.engine.cross_file_aliases import ImportedNameScanner
from auditor.forensics.engine.enclosing_definitions import EnclosingDefinitions
from auditor.forensics.engine.file_selection import select
from auditor.forensics.engine.gathering_context import GatheringContext
from auditor.forensics.engine.gathering_options import GatheredEvidence, Options
from auditor.forensics.engine.input_providers import InputGatherer
from auditor.forensics.engine.neighbour_flows import NeighbourFlowScanner
from auditor.forensics.engine.open_questions import (
    add_open_questions,
    find_open_uses,
    texts_for_open_questions,
    with_unchanged_users,
)
from auditor.forensics.engine.probe_context import (
    InitialInputs,
    OutlineInputs,
    ProbeInputs,
)
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_invocation import Questions, input_kinds
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.product_test_files import UseSearch, as_changes
from auditor.forensics.engine.symbolic_links import follow_links, links_to_read
from auditor.forensics.engine.worker_pool import Pool
from auditor.forensics.probe_kit.probe_decorators import Probe, SubjectProbe
from auditor.forensics.probe_kit.probe_inputs import Tree
from auditor.forensics.probe_kit.site_aggregation import site_facts
from auditor.forensics.python.thread_calls import BackgroundTask
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.forensics.secrets.redacted_facts import redact_coverage, redact_fact
from auditor.forensics.secrets.secret_places import CommittedSecrets
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
            f"the rubric names the probe {strangers[0]!r}, which does not exist: run `auditor rubric check` for all mistakes."
        )
    asked = tuple(known[probe_id] for probe_id in ids)
    interest = Interest(asked, has_base=subject.merge_base is not None)
    questions = Questions(asked, repo.changes() if subject.merge_base else None, options.description)
    with _pause_garbage_collection(), ruff_second_look.SecondLook(interest.ruff_codes) as again:
        ground = _gather_inputs(repo, subject, interest, questions, options, cache, again, read_history)
        questions.ask_remaining(ground)
        blob_batch_reading.collect_ruff_findings(ground.seen, again)
        blob_batch_reading.store_records(ground.seen, cache, ground.gathered.secret_blobs)
        answers = add_open_questions(questions.answers | _site_and_text_facts(asked, ground), ground.open_uses)
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
        came = {each.path for each in changes or () if each.base is None or each.base.path != each.path}
        before = {**{path: entry for path, entry in head.items() if path not in came}, **selection.base}
        uses = UseSearch(head, before, changes, selection, reader.read)
        drawn_in = uses.newly_used()
        selection = replace(selection, head={**selection.head, **drawn_in})
        uses = replace(uses, selection=selection)
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
            workflow_path=options.workflow_path,
        )
        supplies.begin(order, reader)
        known = InitialInputs(
            subject=subject,
            description=options.description,
            tree=Tree(head, {entry.path: entry for entry in base_entries}),
            changes=changes,
            history=order.history,
            selection=selection,
            patterns=(*questions.reads(), *texts_for_open_questions(questions.asked, changes)),
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
        outlined = OutlineInputs(known, seen, uses.product_tests(seen, drawn_in), as_changes(drawn_in))
        pool.background_work = chain(pool.background_work, questions.ask_before_rescan(outlined))
        callers = CallerSearch(head, changes, selection, seen, reader.read, pool).callers()
        neighbours = ImportedNameScanner(seen, interest, reader, repo.prepare, pool)
        with_names = {
            Side.HEAD: neighbours.records({**selection.head, **callers}, head),
            Side.BASE: neighbours.records({**selection.base, **callers}, before),
        }
        flows = NeighbourFlowScanner(seen, reader, pool)
        with_names[Side.HEAD] |= flows.records({**selection.head, **callers}, head)
        with_names[Side.BASE] |= flows.records({**selection.base, **callers}, before)
        found = affected(callers, with_names[Side.HEAD], with_names[Side.BASE])
        for records in with_names.values():
            for path in callers.keys() - found.keys():
                records.pop(path, None)
        outlined = replace(outlined, drawn_in=(*outlined.drawn_in, *as_unchanged(found)))
        open_uses = find_open_uses(changes or (), known.texts[Side.BASE], known.texts[Side.HEAD])
        open_uses = with_unchanged_users(open_uses, head, changes or (), reader)
        deque(pool.background_work, maxlen=0)
        return ProbeInputs(
            outlined=outlined,
            rescanned_records=with_names,
            listing_completeness=(listing.complete, listing.limit_reason),
            gathered=supplies.gather(order, reader),
            open_uses=open_uses,
        )


def _start_history(history: BackgroundTask[History]) -> Iterator[None]:
    """Read the history from here on: earlier, reading the first files would have waited for it."""
    history.begin()
    yield


def _build_result_model() -> Iterator[None]:
    """Have the types of the answer worked out, which is done when the first one is made at the latest."""
    GatheredEvidence.model_rebuild()
    yield


def _site_and_text_facts(asked: tuple[Probe, ...], ground: ProbeInputs) -> dict[str, list[Fact]]:
    """What came of the questions that were asked of each file while it was looked at."""
    known = ground.known.changes
    changes = None if known is None else (*known, *ground.outlined.drawn_in)
    return {
        each.id: list(site_facts(each, ground.head, ground.base, changes))
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
