"""The bench that asks Claude: every persona once on all criteria, the outliers of a dispute once more.

Whatever a model or the network does ends as opinions or as abstentions with their cause. Nothing here decides anything.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from auditor.domain import (
    Abstention,
    Agreement,
    Answer,
    Cause,
    CodeLocation,
    Criterion,
    Evidence,
    HearingRecord,
    Opinion,
    Persona,
    Rubric,
    Scope,
    SeenPicture,
    Side,
    State,
    Unconfirmed,
    UserError,
    assess_expectations,
)
from auditor.judges import image_classification, prompt, reply_validation
from auditor.judges.answer_cache import AnswerRecord, AnswerStore, sha256
from auditor.judges.answer_lookup import AnswerCollector, Options, Query
from auditor.judges.bench_interface import Hearing, SourceReader, split_criteria
from auditor.judges.embedded_bench import form_opinion
from auditor.judges.image_classification import Picture, PictureFinder
from auditor.judges.judge_agreement import agreement
from auditor.judges.judge_panel import ClientFactory
from auditor.synthesis import Dispute
from auditor.synthesis.citation_check import check_citations, find_fault

__all__ = ["ClaudeBench", "Options"]
_MAX_FILES = 12
"""Files of which a judge sees the full source in the re-hearing."""


@dataclass(frozen=True)
class _HearingContext:
    """What the judges are asked about: the rubric, the evidence, the criteria and the common prompt."""

    rubric: Rubric
    evidence: tuple[Evidence, ...]
    criteria: tuple[Criterion, ...]
    material: prompt.Material


class ClaudeBench:
    """Three personas heard by a model. One bench hears one audit: its budget covers pictures and both rounds."""

    name = "claude"

    def __init__(
        self,
        options: Options,
        connect: ClientFactory,
        store: AnswerStore | None = None,
        flush: Callable[[], None] = lambda: None,
        note: str = "",
    ) -> None:
        """`flush` is called after each round: it sends what telemetry still holds. `note` says why this bench was chosen."""
        self._options = options
        self._note = note
        self._collector = AnswerCollector(options, connect, store, flush)
        self._matter: _HearingContext | None = None
        self._looked: tuple[Answer, ...] = ()

    def look(self, evidence: tuple[Evidence, ...], pictures: PictureFinder) -> tuple[Evidence, ...]:
        """Have a model look at the pictures that no program reads, once; what it says becomes evidence."""
        return tuple(self._inspect(each, shown) if (shown := tuple(pictures(each))) else each for each in evidence)

    def _inspect(self, evidence: Evidence, shown: tuple[Picture, ...]) -> Evidence:
        fit = image_classification.select_pictures(shown)
        if not fit:
            return evidence
        question = self._collector.question(
            image_classification.JUDGE_ID,
            1,
            prompt.render_picture_rules(),
            image_classification.MATERIAL,
            image_classification.INSTRUCTION,
            schema=image_classification.schema(len(fit)),
            pictures=tuple(each.encoded for each in fit),
        )
        query: Query[tuple[SeenPicture, ...]] = Query(
            question,
            sha256([question.system, question.material, [each.digest for each in fit]]),
            lambda text, _key: image_classification.parse_reply(text, fit),
            seen=lambda said: said,
        )
        (heard,) = self._collector.ask([query])
        self._looked = (*self._looked, heard.answer)
        if heard.answer.cause is not None:
            return image_classification.note_failure(evidence, heard.answer.cause)
        return image_classification.add_picture_result(evidence, heard.answer.seen, len(shown) - len(fit))

    def hear(self, rubric: Rubric, evidence: tuple[Evidence, ...], scope: Scope, advice: Mapping[str, str]) -> Hearing:
        """One opinion or abstention of every persona on every criterion that applies."""
        self._require_known_personas(rubric)
        at_stake, dark = split_criteria(rubric, evidence, scope)
        criteria = tuple(each for each in at_stake if _is_visible_to_judges(each, evidence, scope))
        written = _policy_opinions(rubric, [each for each in at_stake if each not in criteria], evidence, scope, advice)
        unknown = _make_abstentions(
            rubric.personas, dark, Cause.UNAVAILABLE, "None of the evidence this criterion rests on could be gathered."
        )
        if not criteria:
            return Hearing(written, unknown, self._collector.cost, self._record(None))
        common = prompt.build_material(
            criteria,
            evidence,
            scope,
            advice,
            budget=self._options.evidence_tokens,
            instructions=self._options.instructions,
        )
        if common.too_small:
            reason = f"Nobody was asked: {common.too_small}."
            silent = _make_abstentions(rubric.personas, criteria, Cause.OVER_BUDGET, reason)
            return Hearing(written, (*unknown, *silent), self._collector.cost, self._record(common))
        self._matter = _HearingContext(rubric, evidence, criteria, common)
        ids = tuple(each.id for each in criteria)
        turns = {each.id: (ids, prompt.render_role(each, ids)) for each in rubric.personas}
        heard = self._ask_round(1, self._matter, turns)
        said = [each for one in heard for each in one.opinions]
        record = self._record(common, tuple(one.answer for one in heard), agreement(said, list(turns)))
        return Hearing(
            _sort_opinions(rubric, (*written, *said)), (*unknown, *_unanswered(heard)), self._collector.cost, record
        )

    def _require_known_personas(self, rubric: Rubric) -> None:
        """Every persona that was given a model of its own is one of the rubric's."""
        known = [each.id for each in rubric.personas]
        for name in self._options.models:
            if name not in known:
                raise UserError(
                    f"a model is named for {name!r}, which is no persona of {rubric.id}: there are {', '.join(known)}."
                )

    def rehear(self, hearing: Hearing, disputes: tuple[Dispute, ...], source: SourceReader) -> Hearing:
        """Ask the outliers of each dispute once more, with the full source of what they cited.

        What written policies said they would say again. An answer replaces what the judge had said on those criteria;
        without one, or without a citation in it that stands, the first opinion stays and is recorded as unconfirmed:
        by faltering here a judge does not take its own words back, and praise that could have sunk buys no pass.
        """
        matter = self._matter
        if matter is None:
            return hearing
        asked = {each.id for each in matter.criteria}
        turns = {}
        for persona in matter.rubric.personas:
            ids = tuple(each.criterion for each in disputes if persona.id in each.outliers and each.criterion in asked)
            if ids:
                shown = self._cited_sources(persona.id, ids, hearing, matter, source)
                turns[persona.id] = (ids, prompt.render_role(persona, ids) + shown)
        if not turns:
            return hearing
        heard = self._ask_round(2, matter, turns)
        said = [each for one in heard for each in one.opinions]
        new = {(each.judge, each.criterion): each for each in said if _has_valid_citation(each, matter)}
        opinions = tuple(new.get((each.judge, each.criterion), each) for each in hearing.opinions)
        judges = [each.id for each in matter.rubric.personas]
        faltered = tuple(
            Unconfirmed(judge=judge, criterion=criterion)
            for judge, (ids, _) in turns.items()
            for criterion in ids
            if (judge, criterion) not in new
        )
        record = hearing.record.model_copy(
            update={
                "answers": (*hearing.record.answers, *(one.answer for one in heard)),
                "superseded": (
                    *(each for each in hearing.opinions if (each.judge, each.criterion) in new),
                    *(each for each in said if (each.judge, each.criterion) not in new),
                ),
                "unconfirmed": faltered,
                "agreement": agreement([each for each in opinions if each.question], judges),
            }
        )
        return replace(hearing, opinions=opinions, cost=self._collector.cost, record=record)

    def _ask_round(
        self, number: int, context: _HearingContext, turns: Mapping[str, tuple[tuple[str, ...], str]]
    ) -> list[AnswerRecord]:
        """Ask each judge its turn about its criteria. Rules, material and schema are the same for all, byte for byte."""
        form = reply_validation.schema([each.id for each in context.criteria])
        by_id = {each.id: each for each in context.evidence}
        common = context.material
        queries: list[Query[tuple[Opinion, ...]]] = [
            Query(
                self._collector.question(judge, number, common.system, common.text, turn, schema=form),
                common.digest,
                partial(reply_validation.parse_opinions, judge, ids, by_id),
                ids,
                opinions=lambda said: said,
            )
            for judge, (ids, turn) in turns.items()
        ]
        return self._collector.ask(queries)

    def _cited_sources(
        self, judge: str, criteria: Sequence[str], hearing: Hearing, context: _HearingContext, source: SourceReader
    ) -> str:
        """The full text of the files that the judge's standing citations on those criteria lead to."""
        by_id = {each.id: each for each in context.evidence}
        wanted: dict[tuple[str, Side], None] = {}
        for each in hearing.opinions:
            if each.judge != judge or each.criterion not in criteria:
                continue
            probes = {expectation.probe for expectation in context.rubric.criterion(each.criterion).evidence}
            for citation in each.citations:
                if not find_fault(citation, by_id, probes) and prompt.is_visible_to_judges(citation.evidence):
                    wanted.update(dict.fromkeys(_cited_files(by_id[citation.evidence], citation.path)))
        files = {path: source(path, side) for path, side in list(wanted)[:_MAX_FILES]}
        return prompt.render_rehearing(files, self._options.source_tokens, _secret_lines(context.evidence))

    def _record(
        self, common: prompt.Material | None, answers: tuple[Answer, ...] = (), alike: Agreement | None = None
    ) -> HearingRecord:
        words = self._options.instructions
        return HearingRecord(
            note=self._note,
            instructions_digest=hashlib.sha256(words.encode()).hexdigest() if words else None,
            packing=common.packing if common else None,
            answers=(*self._looked, *answers),
            agreement=alike,
        )


def _secret_lines(evidence: Iterable[Evidence]) -> Mapping[str, set[int]]:
    """Lines by file at which a probe has seen a secret, of whatever form."""
    found: dict[str, set[int]] = defaultdict(set)
    for each in evidence:
        if each.probe.startswith("secrets."):
            for place in each.locations:
                if isinstance(place, CodeLocation) and place.start is not None:
                    found[place.path].update(range(place.start, (place.end or place.start) + 1))
    return found


def _has_valid_citation(opinion: Opinion, context: _HearingContext) -> bool:
    """Does the opinion have at least one valid citation?"""
    probes = {each.probe for each in context.rubric.criterion(opinion.criterion).evidence}
    return not check_citations(opinion, {each.id: each for each in context.evidence}, probes).reason


def _is_visible_to_judges(criterion: Criterion, evidence: tuple[Evidence, ...], scope: Scope) -> bool:
    """Is there evidence on the criterion that a model may see?"""
    return any(
        prompt.is_visible_to_judges(each.expectation.probe) and each.state not in (State.NOT_APPLICABLE, State.UNKNOWN)
        for each in assess_expectations(criterion, evidence, scope)
    )


def _policy_opinions(
    rubric: Rubric,
    criteria: Iterable[Criterion],
    evidence: tuple[Evidence, ...],
    scope: Scope,
    advice: Mapping[str, str],
) -> tuple[Opinion, ...]:
    """What the personas' written policies say where a model may see nothing, as of claims against facts."""
    said = (
        form_opinion(
            persona,
            each,
            tuple(one for one in assess_expectations(each, evidence, scope) if one.state is not State.NOT_APPLICABLE),
            advice,
        )
        for each in criteria
        for persona in rubric.personas
    )
    return tuple(each for each in said if isinstance(each, Opinion))


def _cited_files(evidence: Evidence, path: str) -> Iterable[tuple[str, Side]]:
    for each in evidence.locations:
        if isinstance(each, CodeLocation) and path in ("", each.path):
            yield each.path, each.side


def _sort_opinions(rubric: Rubric, opinions: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """By criterion, then by persona, as the rubric lists them."""
    criteria = {each.id: number for number, each in enumerate(rubric.criteria)}
    personas = {each.id: number for number, each in enumerate(rubric.personas)}
    return tuple(sorted(opinions, key=lambda each: (criteria[each.criterion], personas[each.judge])))


def _make_abstentions(
    personas: Iterable[Persona], criteria: Iterable[Criterion], cause: Cause, reason: str
) -> tuple[Abstention, ...]:
    return tuple(
        Abstention(judge=persona.id, criterion=each.id, cause=cause, reason=reason)
        for each in criteria
        for persona in personas
    )


def _unanswered(records: Iterable[AnswerRecord]) -> tuple[Abstention, ...]:
    """Judges without a usable answer, on everything they were asked."""
    return tuple(
        Abstention(judge=one.answer.judge, criterion=criterion, cause=one.answer.cause, reason=one.answer.reason)
        for one in records
        if one.answer.cause is not None
        for criterion in one.answer.criteria
    )
