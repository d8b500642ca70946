"""The bench that asks Claude: every persona once on all criteria, the outliers of a dispute once more.

Whatever a model or the network does ends as opinions or as abstentions with their cause. Nothing here decides anything.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from auditor.domain import (
    Abstention,
    Answer,
    Attempt,
    Cause,
    CodeLocation,
    Cost,
    Criterion,
    Evidence,
    HearingRecord,
    Opinion,
    Persona,
    Rubric,
    Scope,
    Side,
    State,
    standings,
)
from auditor.judges import panel, prompt, reply, vision
from auditor.judges.agreement import agreement
from auditor.judges.asking import Outcome, Question, Said
from auditor.judges.embedded import opinion
from auditor.judges.hearing import Hearing, Source, at_issue
from auditor.judges.memory import Heard, Memory, Nothing, digest, sha256
from auditor.judges.panel import Connect, Pace
from auditor.judges.prices import known
from auditor.judges.purse import Budget, Purse
from auditor.judges.vision import Picture, Pictures
from auditor.synthesis import Dispute
from auditor.synthesis.citations import fault

_FORM = "1"
"""Changes when the meaning of a question or an answer does."""
_MOST_FILES = 12
"""Files of which a judge sees the full source in the re-hearing."""


@dataclass(frozen=True)
class Options:
    """How the judges are asked. Token counts bound single prompts and answers; the budget bounds the audit."""

    model: str
    models: Mapping[str, str] = field(default_factory=dict)
    """Another model for a persona, by its id."""
    effort: str = ""
    """`low`, `medium`, `high`, `xhigh` or `max`; empty for `medium` where the model is known to take one."""
    answer_tokens: int = 16_000
    evidence_tokens: int = 60_000
    source_tokens: int = 30_000
    budget: Budget = field(default_factory=Budget)
    pace: Pace = field(default_factory=Pace)
    instructions: str = ""
    provider: str = "anthropic"


@dataclass(frozen=True)
class _Matter:
    """What the judges were asked about."""

    rubric: Rubric
    evidence: tuple[Evidence, ...]
    criteria: tuple[Criterion, ...]
    material: prompt.Material


class ClaudeBench:
    """Three personas heard by a model. One bench hears one audit: its budget covers both rounds."""

    name = "claude"

    def __init__(
        self,
        options: Options,
        connect: Connect,
        memory: Memory | None = None,
        flush: Callable[[], None] = lambda: None,
    ) -> None:
        """`flush` is called after each round: it sends what telemetry still holds."""
        self._options = options
        self._connect = connect
        self._memory = memory if memory is not None else Nothing()
        self._flush = flush
        self._purse = Purse(options.budget, priced=options.provider == "anthropic")
        self._matter: _Matter | None = None
        self._looked: tuple[Answer, ...] = ()
        self._seeing = Cost()

    def look(self, evidence: tuple[Evidence, ...], pictures: Pictures) -> tuple[Evidence, ...]:
        """Have a model look at the pictures that no program reads, once; what it says becomes evidence."""
        return tuple(self._look(each, shown) if (shown := tuple(pictures(each))) else each for each in evidence)

    def _look(self, evidence: Evidence, shown: tuple[Picture, ...]) -> Evidence:
        fit = vision.presentable(shown)
        if not fit:
            return evidence
        question = Question(
            judge=vision.WHO,
            round=1,
            model=self._options.model,
            system=prompt.eyes(),
            material=vision.TURN,
            turn="Answer in the schema.",
            schema=vision.schema(len(fit)),
            max_tokens=self._options.answer_tokens,
            effort=self._effort(self._options.model),
            pictures=tuple(each.encoded for each in fit),
        )
        looked_at = sha256([question.system, question.material, [each.digest for each in fit]])
        answer = self._unanswered(question, looked_at, ())
        heard = self._memory.recall(answer.key)
        if heard is None:
            outcome = self._run([question], {vision.WHO: partial(vision.read, pictures=fit)})[vision.WHO]
            told = answer.model_copy(
                update={"cause": outcome.cause, "reason": outcome.reason, "seen": outcome.said or ()}
            )
            heard = Heard(answer=told.model_copy(update={"digest": digest((), told)}))
            self._memory.keep(heard)
            self._seeing = _summed(self._seeing, _cost(outcome.attempts, 0, replayed=False))
        else:
            self._seeing = _summed(self._seeing, _cost((), 1, replayed=self._memory.replays))
        self._looked = (*self._looked, heard.answer)
        if heard.answer.cause is not None:
            return vision.unseen(evidence, heard.answer.cause)
        return vision.evidence_of(evidence, heard.answer.seen, len(shown) - len(fit))

    def hear(self, rubric: Rubric, evidence: tuple[Evidence, ...], scope: Scope, advice: Mapping[str, str]) -> Hearing:
        """One opinion or abstention of every persona on every criterion that applies."""
        at_stake, dark = at_issue(rubric, evidence, scope)
        criteria = tuple(each for each in at_stake if _for_judges(each))
        written = _by_policy(rubric, [each for each in at_stake if not _for_judges(each)], evidence, scope, advice)
        unknown = tuple(
            _silence(
                persona.id,
                each.id,
                Cause.UNAVAILABLE,
                "None of the evidence this criterion rests on could be gathered.",
            )
            for each in dark
            for persona in rubric.personas
        )
        if not criteria:
            return Hearing(written, unknown, self._seeing, self._record(None))
        common = prompt.material(
            criteria,
            evidence,
            scope,
            advice,
            budget=self._options.evidence_tokens,
            instructions=self._options.instructions,
        )
        self._matter = _Matter(rubric, evidence, criteria, common)
        if common.too_small:
            reason = f"Nobody was asked: {common.too_small}."
            silent = _silences(rubric.personas, criteria, Cause.OVER_BUDGET, reason)
            return Hearing(written, (*unknown, *silent), self._seeing, self._record(common))
        ids = tuple(each.id for each in criteria)
        asked = {persona.id: ids for persona in rubric.personas}
        roles = {persona.id: prompt.role(persona, ids) for persona in rubric.personas}
        heard, cost = self._ask(1, asked, roles)
        said = [each for one in heard for each in one.opinions]
        silent = tuple(
            _silence(one.answer.judge, criterion, one.answer.cause, one.answer.reason)
            for one in heard
            if one.answer.cause is not None
            for criterion in one.answer.criteria
        )
        record = self._record(common, tuple(one.answer for one in heard), said)
        return Hearing(_in_order(rubric, (*written, *said)), (*unknown, *silent), _summed(self._seeing, cost), record)

    def rehear(self, hearing: Hearing, disputes: tuple[Dispute, ...], source: Source) -> Hearing:
        """Ask the outliers of each dispute once more, with the full source of what they cited.

        What written policies said they would say again.

        An answer replaces what the judge had said on those criteria; without one the first opinion stays.
        """
        matter = self._matter
        asked = {each.id for each in matter.criteria} if matter else set()
        open_ = [each for each in disputes if each.criterion in asked]
        contested = {
            persona: tuple(each.criterion for each in open_ if persona in each.outliers)
            for persona in dict.fromkeys(judge for each in open_ for judge in each.outliers)
        }
        if matter is None or not contested:
            return hearing
        personas = {each.id: each for each in matter.rubric.personas}
        turns = {
            judge: prompt.role(personas[judge], criteria)
            + self._cited_sources(judge, criteria, hearing, matter, source)
            for judge, criteria in contested.items()
        }
        heard, cost = self._ask(2, contested, turns)
        new = {(each.judge, each.criterion): each for one in heard for each in one.opinions}
        replaced = tuple(each for each in hearing.opinions if (each.judge, each.criterion) in new)
        opinions = tuple(new.get((each.judge, each.criterion), each) for each in hearing.opinions)
        record = hearing.record.model_copy(
            update={
                "answers": (*hearing.record.answers, *(one.answer for one in heard)),
                "superseded": replaced,
                "agreement": agreement([each for each in opinions if each.question], tuple(personas)),
            }
        )
        return Hearing(opinions, hearing.abstentions, _summed(hearing.cost, cost), record)

    def _cited_sources(
        self, judge: str, criteria: Sequence[str], hearing: Hearing, matter: _Matter, source: Source
    ) -> str:
        """The full text of the files that the judge's standing citations on those criteria lead to."""
        by_id = {each.id: each for each in matter.evidence}
        wanted: dict[tuple[str, Side], None] = {}
        for each in hearing.opinions:
            if each.judge != judge or each.criterion not in criteria:
                continue
            probes = {each.probe for each in matter.rubric.criterion(each.criterion).evidence}
            for citation in each.citations:
                if not fault(citation, by_id, probes) and not citation.evidence.startswith(prompt.WITHHELD):
                    wanted.update(dict.fromkeys(_files(by_id[citation.evidence], citation.path)))
        files = {path: source(path, side) for path, side in list(wanted)[:_MOST_FILES]}
        return prompt.second_look(files, self._options.source_tokens)

    def _ask(
        self, number: int, asked: Mapping[str, tuple[str, ...]], turns: Mapping[str, str]
    ) -> tuple[list[Heard], Cost]:
        """One round: what is remembered is taken from there, the rest is asked for."""
        matter = self._matter
        assert matter is not None, "a round is about something"
        form = reply.schema([each.id for each in matter.criteria])
        questions = {judge: self._question(number, judge, matter.material, turns[judge], form) for judge in asked}
        answers = {
            judge: self._unanswered(each, matter.material.digest, asked[judge]) for judge, each in questions.items()
        }
        found = {judge: kept for judge, each in answers.items() if (kept := self._memory.recall(each.key))}
        open_ = [each for judge, each in questions.items() if judge not in found]
        by_id = {each.id: each for each in matter.evidence}
        reads = {
            each.judge: partial(
                reply.opinions,
                judge=each.judge,
                asked=asked[each.judge],
                evidence=by_id,
                question=answers[each.judge].key,
            )
            for each in open_
        }
        outcomes = self._run(open_, reads) if open_ else {}
        heard = [found.get(judge) or _heard(answers[judge], outcomes[judge]) for judge in asked]
        for each in heard:
            if each.answer.judge in outcomes:
                self._memory.keep(each)
        attempts = tuple(attempt for outcome in outcomes.values() for attempt in outcome.attempts)
        return heard, _cost(attempts, len(found), replayed=self._memory.replays)

    def _run(
        self, questions: Sequence[Question], reads: Mapping[str, Callable[[str], Said]]
    ) -> dict[str, Outcome[Said]]:
        outcomes = asyncio.run(panel.hear(self._connect, questions, reads, self._purse, self._options.pace))
        self._flush()
        return outcomes

    def _effort(self, model: str) -> str:
        entry = known(model)
        return self._options.effort or ("medium" if entry is not None and entry.effort else "")

    def _question(
        self, number: int, judge: str, common: prompt.Material, turn: str, form: dict[str, object]
    ) -> Question:
        model = self._options.models.get(judge, self._options.model)
        return Question(
            judge=judge,
            round=number,
            model=model,
            system=common.system,
            material=common.text,
            turn=turn,
            schema=form,
            max_tokens=self._options.answer_tokens,
            effort=self._effort(model),
        )

    @staticmethod
    def _unanswered(question: Question, prompt_digest: str, criteria: tuple[str, ...]) -> Answer:
        """What the record says of a question, before there is an answer."""
        schema_digest = sha256(question.schema)
        persona_digest = hashlib.sha256(question.turn.encode("utf-8", errors="surrogatepass")).hexdigest()
        identity = [_FORM, question.model, question.effort, schema_digest, prompt_digest, persona_digest]
        return Answer(
            judge=question.judge,
            round=question.round,
            key=sha256(identity),
            model=question.model,
            effort=question.effort,
            schema_digest=schema_digest,
            prompt_digest=prompt_digest,
            persona_digest=persona_digest,
            criteria=criteria,
            digest="",
        )

    def _record(
        self, common: prompt.Material | None, answers: tuple[Answer, ...] = (), opinions: Sequence[Opinion] = ()
    ) -> HearingRecord:
        words = self._options.instructions
        judges = tuple(each.id for each in self._matter.rubric.personas) if self._matter else ()
        return HearingRecord(
            instructions_digest=hashlib.sha256(words.encode()).hexdigest() if words else None,
            packing=common.packing if common else None,
            answers=(*self._looked, *answers),
            agreement=agreement(opinions, judges) if opinions else None,
        )


def _for_judges(criterion: Criterion) -> bool:
    """Is there anything in it that a model may see?"""
    return any(prompt.seen_by_judges(each.probe) for each in criterion.evidence)


def _by_policy(
    rubric: Rubric,
    criteria: Iterable[Criterion],
    evidence: tuple[Evidence, ...],
    scope: Scope,
    advice: Mapping[str, str],
) -> tuple[Opinion, ...]:
    """What the personas' written policies say where a model may see nothing, as of claims against facts."""
    said = (
        opinion(
            persona,
            each,
            tuple(one for one in standings(each, evidence, scope) if one.state is not State.NOT_APPLICABLE),
            advice,
        )
        for each in criteria
        for persona in rubric.personas
    )
    return tuple(each for each in said if isinstance(each, Opinion))


def _files(evidence: Evidence, path: str) -> Iterable[tuple[str, Side]]:
    for each in evidence.locations:
        if isinstance(each, CodeLocation) and path in ("", each.path):
            yield each.path, each.side


def _heard(answer: Answer, outcome: Outcome[tuple[Opinion, ...]]) -> Heard:
    opinions = outcome.said or ()
    told = answer.model_copy(update={"cause": outcome.cause, "reason": outcome.reason})
    return Heard(answer=told.model_copy(update={"digest": digest(opinions, told)}), opinions=opinions)


def _in_order(rubric: Rubric, opinions: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """By criterion, then by persona, as the rubric lists them."""
    criteria = {each.id: number for number, each in enumerate(rubric.criteria)}
    personas = {each.id: number for number, each in enumerate(rubric.personas)}
    return tuple(sorted(opinions, key=lambda each: (criteria[each.criterion], personas[each.judge])))


def _silences(
    personas: Iterable[Persona], criteria: Sequence[Criterion], cause: Cause, reason: str
) -> tuple[Abstention, ...]:
    return tuple(_silence(persona.id, each.id, cause, reason) for persona in personas for each in criteria)


def _silence(judge: str, criterion: str, cause: Cause, reason: str) -> Abstention:
    return Abstention(judge=judge, criterion=criterion, cause=cause, reason=reason)


def _cost(attempts: tuple[Attempt, ...], found: int, *, replayed: bool) -> Cost:
    prices = [each.usd for each in attempts]
    return Cost(
        model_calls=len(attempts),
        input_tokens=sum(each.input_tokens + each.cache_write_tokens + each.cache_read_tokens for each in attempts),
        cache_write_tokens=sum(each.cache_write_tokens for each in attempts),
        cache_read_tokens=sum(each.cache_read_tokens for each in attempts),
        output_tokens=sum(each.output_tokens for each in attempts),
        thinking_tokens=sum(each.thinking_tokens for each in attempts),
        usd=None if None in prices else round(sum(each for each in prices if each is not None), 6),
        reused=0 if replayed else found,
        replayed=replayed,
        attempts=attempts,
    )


def _summed(first: Cost, second: Cost) -> Cost:
    return _cost(
        (*first.attempts, *second.attempts),
        first.reused + second.reused,
        replayed=first.replayed or second.replayed,
    )
