"""Questions and their answers: from memory where it has them, else from a model, all within one budget."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from auditor.domain import Answer, Attempt, Cost, SeenPicture
from auditor.judges import judge_panel
from auditor.judges.judge_panel import ClientFactory, Timeouts
from auditor.judges.model_budget import Budget, BudgetTracker
from auditor.judges.model_prices import find_prices
from auditor.judges.model_request import AskOutcome, Question, Said
from auditor.judges.recorded_answers import (
    AnswerRecord,
    AnswerStore,
    JudgeReply,
    NullAnswerStore,
    StoredAnswer,
    digest,
    sha256,
    today,
)

_PROMPT_STEP = 5_000
_FORMAT_VERSION = "1"
"""Incremented when the meaning of a question or an answer changes."""


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
    prompt_tokens: int = 80_000
    """For rules, criteria, exhibits and evidence together."""
    source_tokens: int = 30_000
    budget: Budget = field(default_factory=Budget)
    pace: Timeouts = field(default_factory=Timeouts)
    instructions: str = ""
    never_send: tuple[str, ...] = ()
    """Globs of files of which no line may be sent."""
    provider: str = "anthropic"


@dataclass(frozen=True)
class Query(Generic[Said]):
    """A question, what identifies the part of it that others share, and how its answer is read and written down."""

    question: Question
    prompt_digest: str
    """SHA-256 of rules and material."""
    read: Callable[[str, str], Said]
    """Turns the text of an answer, and the key of its question, into what it says; raises NotUsable."""
    criteria: tuple[str, ...] = ()
    reply: Callable[[Said], JudgeReply] = lambda _said: JudgeReply()
    seen: Callable[[Said], tuple[SeenPicture, ...]] = lambda _said: ()

    def answer(self) -> Answer:
        """What the record says of the question, before there is an answer."""
        asked = self.question
        form = sha256(asked.schema)
        own = f"{asked.round_material}\0{asked.turn}" if asked.round_material else asked.turn
        turn = hashlib.sha256(own.encode("utf-8", errors="surrogatepass")).hexdigest()
        return Answer(
            judge=asked.judge,
            round=asked.round,
            key=sha256([_FORMAT_VERSION, asked.model, asked.effort, form, self.prompt_digest, turn]),
            model=asked.model,
            effort=asked.effort,
            schema_digest=form,
            prompt_digest=self.prompt_digest,
            persona_digest=turn,
            criteria=self.criteria,
            digest="",
        )

    def heard(self, answer: Answer, outcome: AskOutcome[Said]) -> AnswerRecord:
        """The answer with the opinions read from it, and its digest."""
        said = outcome.said
        reply = JudgeReply() if said is None else self.reply(said)
        seen = () if said is None else self.seen(said)
        told = answer.model_copy(update={"cause": outcome.cause, "reason": outcome.reason, "seen": seen})
        return AnswerRecord(
            answer=told.model_copy(update={"digest": digest(reply, told)}),
            opinions=reply.opinions,
            raised=reply.raised,
            votes=reply.votes,
        )


class AnswerCollector:
    """Gets the answers of one audit, from the store or from a model."""

    def __init__(
        self, options: Options, connect: ClientFactory, store: AnswerStore | None, flush: Callable[[], None]
    ) -> None:
        self.options = options
        self._connect = connect
        self._memory = store if store is not None else NullAnswerStore()
        self._flush = flush
        self._budget = BudgetTracker(options.budget, priced=options.provider == "anthropic")
        self.cost = Cost()
        """All that was spent so far."""
        self._reused: tuple[StoredAnswer, ...] = ()

    def affordable_prompt_tokens(self, judges: Sequence[str], later_answer_tokens: int) -> int:
        """The largest prompt, up to the one allowed, with which every judge can be asked twice at the worst price."""
        rooms = (self.options.answer_tokens, later_answer_tokens)
        models = [self.options.models.get(each, self.options.model) for each in judges]
        size = self.options.prompt_tokens
        while size > _PROMPT_STEP and self._budget.refusal([(m, size, room) for m in models for room in rooms]):
            size -= _PROMPT_STEP
        return size

    def question(self, judge: str, number: int, system: str, material: str, turn: str, **more: Any) -> Question:
        """A question of round `number` with the model, the room and the effort that the options give this judge."""
        model = self.options.models.get(judge, self.options.model)
        entry = find_prices(model)
        return Question(
            judge=judge,
            round=number,
            model=model,
            system=system,
            material=material,
            turn=turn,
            max_tokens=more.pop("max_tokens", self.options.answer_tokens),
            effort=self.options.effort or ("medium" if entry is not None and entry.effort else ""),
            **more,
        )

    def ask(self, queries: Sequence[Query[Said]], later_answer_tokens: int = 0) -> list[AnswerRecord]:
        """An answer to each, in their order. What is remembered is not asked for.

        `later_answer_tokens` is the room for an answer of the next round, whose money is held back.
        """
        answers = [each.answer() for each in queries]
        known = {answer.key: kept for answer in answers if (kept := self._memory.recall(answer)) is not None}
        found = {key: kept.heard for key, kept in known.items()}
        open_ = [(query, answer) for query, answer in zip(queries, answers, strict=True) if answer.key not in found]
        fresh: dict[str, AnswerRecord] = {}
        outcomes = self._ask_models(open_, fresh, later_answer_tokens) if open_ else {}
        attempts = tuple(attempt for outcome in outcomes.values() for attempt in outcome.attempts)
        if not self._memory.is_replay:
            self._reused = (*self._reused, *known.values())
        self.cost = cost((*self.cost.attempts, *attempts), self._reused, replayed=self._memory.is_replay)
        return [found.get(answer.key) or fresh[answer.key] for answer in answers]

    def _ask_models(
        self,
        unanswered: Sequence[tuple[Query[Said], Answer]],
        new_records: dict[str, AnswerRecord],
        later_answer_tokens: int,
    ) -> dict[str, AskOutcome[Said]]:
        """Ask, and remember every answer the moment it is there: it is paid for, whatever becomes of the others."""
        questions = [query.question for query, _ in unanswered]
        reads = {answer.judge: _bind_key(query, answer.key) for query, answer in unanswered}
        by_judge = {answer.judge: (query, answer) for query, answer in unanswered}

        def heard(judge: str, outcome: AskOutcome[Said]) -> None:
            query, answer = by_judge[judge]
            new_records[answer.key] = query.heard(answer, outcome)
            self._memory.save(StoredAnswer(heard=new_records[answer.key], day=today(), usd=total_usd(outcome.attempts)))

        outcomes = asyncio.run(
            judge_panel.ask_judges(
                self._connect, questions, reads, self._budget, self.options.pace, heard, later_answer_tokens
            )
        )
        self._flush()
        return outcomes


def _bind_key(query: Query[Said], key: str) -> Callable[[str], Said]:
    return lambda text: query.read(text, key)


def total_usd(bills: Sequence[Attempt] | Sequence[StoredAnswer]) -> float | None:
    """The sum of what they cost; one of unknown price makes it unknown."""
    prices = [each.usd for each in bills]
    return None if None in prices else round(sum(each for each in prices if each is not None), 6)


def cost(attempts: tuple[Attempt, ...], reused: tuple[StoredAnswer, ...], *, replayed: bool) -> Cost:
    """The bill of these attempts, and of the answers that were known when they were given."""
    return Cost(
        model_calls=len(attempts),
        input_tokens=sum(each.input_tokens + each.cache_write_tokens + each.cache_read_tokens for each in attempts),
        cache_write_tokens=sum(each.cache_write_tokens for each in attempts),
        cache_read_tokens=sum(each.cache_read_tokens for each in attempts),
        output_tokens=sum(each.output_tokens for each in attempts),
        thinking_tokens=sum(each.thinking_tokens for each in attempts),
        usd=total_usd(attempts),
        reused=len(reused),
        reused_usd=total_usd(reused),
        replayed=replayed,
        attempts=attempts,
    )
