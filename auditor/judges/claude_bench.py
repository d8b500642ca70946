"""The bench that asks Claude: every persona once on all criteria, the outliers of a dispute once more.

Whatever a model or the network does ends as opinions or as abstentions with their cause. Nothing here decides anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from auditor.domain import (
    NO_DOSSIER,
    Agreement,
    Answer,
    Cause,
    Criterion,
    Dossier,
    Evidence,
    Exhibit,
    HearingRecord,
    Opinion,
    Rubric,
    Scope,
    SeenPicture,
    Side,
    State,
    Unconfirmed,
    UserError,
    assess_expectations,
)
from auditor.domain.evidence import secret_lines
from auditor.judges import image_classification, prompt, reply_validation
from auditor.judges.answer_lookup import AnswerCollector, Options, Query
from auditor.judges.bench_interface import Hearing, SourceReader, split_criteria
from auditor.judges.image_classification import Picture, PictureFinder
from auditor.judges.judge_agreement import agreement
from auditor.judges.judge_panel import ClientFactory
from auditor.judges.opinion_lists import cited_files, make_abstentions, policy_opinions, sort_opinions, unanswered
from auditor.judges.recorded_answers import AnswerRecord, AnswerStore, JudgeReply, sha256
from auditor.judges.voting import Ballot, ballots, render_ballot
from auditor.report.prompt_text import estimate_tokens
from auditor.synthesis import Dispute, MergedObjection
from auditor.synthesis.citation_check import check_citations, find_fault, sources_for

__all__ = ["ClaudeBench", "Options"]
_EXHIBIT_SHARE = 0.7
"""Share of a prompt that the change may take; the rest is for rules, criteria and evidence."""
_OTHER_TOKENS = 15_000
"""Tokens that are left for those in a small prompt."""
_VOTE_TOKENS = 8_000
"""Most tokens of an answer that holds votes alone, thinking included."""
_MAX_FILES = 12
"""Files of which a judge sees the full source in the re-hearing."""


@dataclass(frozen=True)
class _HearingContext:
    """What the judges are asked about: the rubric, the evidence, the criteria and the common prompt."""

    rubric: Rubric
    evidence: tuple[Evidence, ...]
    criteria: tuple[Criterion, ...]
    material: prompt.Material
    dossier: Dossier = NO_DOSSIER
    served: tuple[Exhibit, ...] = ()
    """What judges asked to see before the vote."""

    @property
    def evidence_by_id(self) -> Mapping[str, Evidence]:
        """The evidence by id."""
        return {each.id: each for each in self.evidence}

    @property
    def exhibits_by_id(self) -> Mapping[str, Exhibit]:
        """The exhibits of code by id."""
        return {each.id: each for each in (*self.dossier.exhibits, *self.served)}

    @property
    def documents_by_id(self) -> Mapping[str, Exhibit]:
        """The exhibits of prose by id."""
        return {each.id: each for each in self.dossier.documents}


@dataclass(frozen=True)
class _Turn:
    """What one judge is asked in a round, beside what all read."""

    text: str
    criteria: tuple[str, ...] = ()
    ballot: Ballot | None = None


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

    def exhibit_tokens(self, rubric: Rubric) -> int | None:
        """The larger part of the prompt that can be paid for in both rounds."""
        if not any(each.exhibits for each in rubric.criteria):
            return None
        affordable = self._affordable_tokens(rubric)
        room = max(0, min(int(_EXHIBIT_SHARE * affordable), affordable - _OTHER_TOKENS))
        if room == 0:
            self._note = (
                f"{self._note} The budget leaves no room for the change in a prompt; --max-usd gives more.".strip()
            )
        return room

    def _affordable_tokens(self, rubric: Rubric) -> int:
        return self._collector.affordable_prompt_tokens([each.id for each in rubric.personas], _VOTE_TOKENS)

    def hear(
        self,
        rubric: Rubric,
        evidence: tuple[Evidence, ...],
        scope: Scope,
        advice: Mapping[str, str],
        dossier: Dossier = NO_DOSSIER,
    ) -> Hearing:
        """One opinion or abstention of every persona on every criterion that applies, and what they object to."""
        self._require_known_personas(rubric)
        shown = bool(dossier.exhibits)
        at_stake, dark = split_criteria(rubric, evidence, scope, has_exhibits=shown)
        criteria = tuple(
            each for each in at_stake if (each.exhibits and shown) or _is_visible_to_judges(each, evidence, scope)
        )
        written = policy_opinions(rubric, [each for each in at_stake if each not in criteria], evidence, scope, advice)
        unknown = make_abstentions(
            rubric.personas, dark, Cause.UNAVAILABLE, "None of the evidence this criterion rests on could be gathered."
        )
        if not criteria:
            return Hearing(written, unknown, cost=self._collector.cost, record=self._record(dossier))
        common = prompt.build_material(
            criteria,
            evidence,
            scope,
            advice,
            budget=self._evidence_tokens(rubric, criteria, scope, advice, dossier),
            instructions=self._options.instructions,
            dossier=dossier,
            never_send=self._options.never_send,
        )
        if common.too_small:
            reason = f"Nobody was asked: {common.too_small}."
            silent = make_abstentions(rubric.personas, criteria, Cause.OVER_BUDGET, reason)
            return Hearing(
                written, (*unknown, *silent), cost=self._collector.cost, record=self._record(dossier, common)
            )
        self._matter = _HearingContext(rubric, evidence, criteria, common, dossier)
        ids = tuple(each.id for each in criteria)
        turns = {each.id: _Turn(prompt.render_role(each, ids, reads_change=shown), ids) for each in rubric.personas}
        heard = self._ask_round(1, self._matter, turns)
        said = [each for one in heard for each in one.opinions]
        record = self._record(dossier, common, tuple(one.answer for one in heard), agreement(said, list(turns)))
        record = record.model_copy(update={"raised": tuple(each for one in heard for each in one.raised)})
        return Hearing(
            sort_opinions(rubric, (*written, *said)),
            (*unknown, *unanswered(heard)),
            cost=self._collector.cost,
            record=record,
        )

    def _evidence_tokens(
        self,
        rubric: Rubric,
        criteria: Sequence[Criterion],
        scope: Scope,
        advice: Mapping[str, str],
        dossier: Dossier,
    ) -> int:
        """Tokens that are left for evidence beside rules, criteria and the change."""
        if not dossier.exhibits:
            return self._options.evidence_tokens
        bare = prompt.build_material(criteria, (), scope, advice, budget=0, instructions=self._options.instructions)
        taken = estimate_tokens(bare.system) + estimate_tokens(bare.text) + dossier.tokens
        return max(1, min(self._options.evidence_tokens, self._affordable_tokens(rubric) - taken))

    def _require_known_personas(self, rubric: Rubric) -> None:
        """Every persona that was given a model of its own is one of the rubric's."""
        known = [each.id for each in rubric.personas]
        for name in self._options.models:
            if name not in known:
                raise UserError(
                    f"there is no persona {name!r} in the rubric {rubric.id}: name a model for one of {', '.join(known)}."
                )

    def rehear(
        self,
        hearing: Hearing,
        disputes: tuple[Dispute, ...],
        source: SourceReader,
        objections: tuple[MergedObjection, ...] = (),
        served: tuple[Exhibit, ...] = (),
    ) -> Hearing:
        """Ask the outliers of each dispute once more, with the full source of what they cited, and have objections voted on.

        What written policies said they would say again. An answer replaces what the judge had said on those criteria;
        without one, or without a citation in it that stands, the first opinion stays and is recorded as unconfirmed:
        by faltering here a judge does not take its own words back, and praise that could have sunk buys no pass.
        """
        context = self._matter
        if context is None:
            return hearing
        context = replace(context, served=served)
        turns = self._second_turns(context, hearing, disputes, source, objections)
        if not turns:
            return hearing
        heard = self._ask_round(2, context, turns)
        said = [each for one in heard for each in one.opinions]
        new = {(each.judge, each.criterion): each for each in said if _has_valid_citation(each, context)}
        opinions = tuple(new.get((each.judge, each.criterion), each) for each in hearing.opinions)
        judges = [each.id for each in context.rubric.personas]
        faltered = tuple(
            Unconfirmed(judge=judge, criterion=criterion)
            for judge, turn in turns.items()
            for criterion in turn.criteria
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
        votes = tuple(each for one in heard for each in one.votes)
        return replace(hearing, opinions=opinions, votes=votes, cost=self._collector.cost, record=record)

    def _second_turns(
        self,
        context: _HearingContext,
        hearing: Hearing,
        disputes: tuple[Dispute, ...],
        source: SourceReader,
        objections: tuple[MergedObjection, ...],
    ) -> Mapping[str, _Turn]:
        """What each judge is asked in the second round: one request for both, and none for who is asked nothing."""
        asked = {each.id for each in context.criteria}
        voting = {each.judge: each for each in ballots(objections, context.rubric, context.material.digest)}
        turns = {}
        for persona in context.rubric.personas:
            ids = tuple(each.criterion for each in disputes if persona.id in each.outliers and each.criterion in asked)
            ballot = voting.get(persona.id)
            if not ids and ballot is None:
                continue
            text = prompt.render_role(persona, ids, reads_change=bool(context.dossier.exhibits))
            text += self._cited_sources(persona.id, ids, hearing, context, source) if ids else ""
            text += prompt.render_votes(render_ballot(ballot), only_votes=not ids) if ballot is not None else ""
            turns[persona.id] = _Turn(text, ids, ballot)
        return turns

    def _ask_round(self, number: int, context: _HearingContext, turns: Mapping[str, _Turn]) -> list[AnswerRecord]:
        """Ask each judge its turn about its criteria. Rules, material and schema are the same for all, byte for byte."""
        form = reply_validation.schema(
            [each.id for each in context.criteria], with_exhibits=bool(context.dossier.exhibits)
        )
        common = context.material
        requested = prompt.render_requested_code(context.served)
        queries: list[Query[JudgeReply]] = []
        for judge, turn in turns.items():
            asked = reply_validation.Asked(
                judge,
                turn.criteria,
                context.evidence_by_id,
                context.exhibits_by_id,
                context.documents_by_id,
                may_object=number == 1,
                ballot=turn.ballot,
            )
            room: dict[str, Any] = (
                {} if turn.criteria else {"max_tokens": min(_VOTE_TOKENS, self._options.answer_tokens)}
            )
            question = self._collector.question(
                judge, number, common.system, common.text, turn.text, schema=form, round_material=requested, **room
            )
            read = partial(reply_validation.parse_reply, asked)
            queries.append(Query(question, common.digest, read, turn.criteria, reply=lambda said: said))
        later = _VOTE_TOKENS if number == 1 and context.dossier.exhibits else 0
        return self._collector.ask(queries, later)

    def _cited_sources(
        self, judge: str, criteria: Sequence[str], hearing: Hearing, context: _HearingContext, source: SourceReader
    ) -> str:
        """The full text of the files that the judge's standing citations on those criteria lead to."""
        by_id = {each.id: each for each in context.evidence}
        wanted: dict[tuple[str, Side], None] = {}
        for each in hearing.opinions:
            if each.judge != judge or each.criterion not in criteria:
                continue
            sources = sources_for(context.rubric.criterion(each.criterion), by_id, {})
            for citation in each.citations:
                if not find_fault(citation, sources) and prompt.is_visible_to_judges(citation.evidence):
                    wanted.update(dict.fromkeys(cited_files(by_id[citation.evidence], citation.path)))
        files = {path: source(path, side) for path, side in list(wanted)[:_MAX_FILES]}
        return prompt.render_rehearing(files, self._options.source_tokens, secret_lines(context.evidence))

    def _record(
        self,
        dossier: Dossier,
        common: prompt.Material | None = None,
        answers: tuple[Answer, ...] = (),
        alike: Agreement | None = None,
    ) -> HearingRecord:
        words = self._options.instructions
        return HearingRecord(
            note=self._note,
            instructions_digest=hashlib.sha256(words.encode()).hexdigest() if words else None,
            packing=common.packing if common else None,
            answers=(*self._looked, *answers),
            agreement=alike,
            omissions=dossier.omissions,
            product_lines=dossier.product_lines,
        )


def _has_valid_citation(opinion: Opinion, context: _HearingContext) -> bool:
    """Does the opinion have at least one valid citation?"""
    criterion = context.rubric.criterion(opinion.criterion)
    shown = {**context.exhibits_by_id, **context.documents_by_id}
    return not check_citations(opinion, sources_for(criterion, context.evidence_by_id, shown)).reason


def _is_visible_to_judges(criterion: Criterion, evidence: tuple[Evidence, ...], scope: Scope) -> bool:
    """Is there evidence on the criterion that a model may see?"""
    return any(
        prompt.is_visible_to_judges(each.expectation.probe) and each.state not in (State.NOT_APPLICABLE, State.UNKNOWN)
        for each in assess_expectations(criterion, evidence, scope)
    )
