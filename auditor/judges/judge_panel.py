"""The judges together: one leads so that the others read its prefix from the cache; none can hold up or fail another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.domain import Cause
from auditor.judges.model_budget import BudgetTracker
from auditor.judges.model_prices import find_prices
from auditor.judges.model_request import AskOutcome, Question, Said, ask
from auditor.report.prompt_text import estimate_tokens

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

ClientFactory = Callable[[], "AsyncAnthropic"]
_MIN_CACHED_TOKENS = 1024
"""Tokens below which a prefix is not cached, for models that are not in the table."""


_TOKENS_PER_PICTURE = 5_000
"""Tokens a picture may take at the most; the service counts more exactly."""


@dataclass(frozen=True)
class Timeouts:
    """The timeouts of a round, in seconds."""

    deadline: float = 180.0
    """For each round, from its start to its end."""
    leader_timeout: float = 20.0
    """For the leader's first sign; then the others start all the same."""
    counting: float = 20.0
    """For having the tokens of a prompt counted."""
    lead: bool = True


async def ask_judges(
    connect: ClientFactory,
    questions: Sequence[Question],
    parsers: Mapping[str, Callable[[str], Said]],
    budget: BudgetTracker,
    timeouts: Timeouts,
    on_outcome: Callable[[str, AskOutcome[Said]], None],
    later_answer_tokens: int = 0,
) -> dict[str, AskOutcome[Said]]:
    """The outcome of every judge's question, by judge. Never raises for what models or the network do.

    `on_outcome` is told of each the moment it is there, so that what interrupts the others takes nothing from it.
    `later_answer_tokens` is the room for an answer of a second round to the same judges, for which money must be left.
    """
    made = connect()  # imports the SDK the first time, which is no judge's delay
    deadline = asyncio.get_running_loop().time() + timeouts.deadline
    async with made as client:
        sizes = await _prompt_sizes(client, questions, min(timeouts.counting, timeouts.deadline / 4))
        refusal = _refusal(questions, sizes, budget, later_answer_tokens)
        if refusal:
            reason = f"Nobody was asked: {refusal}."
            unasked: dict[str, AskOutcome[Said]] = {
                each.judge: AskOutcome(cause=Cause.OVER_BUDGET, reason=reason) for each in questions
            }
            for judge, outcome in unasked.items():
                on_outcome(judge, outcome)
            return unasked

        async def one(question: Question, wait: asyncio.Event | None, begun: asyncio.Event) -> AskOutcome[Said]:
            if wait is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(wait.wait(), min(timeouts.leader_timeout, timeouts.deadline / 4))
            outcome = await ask(
                client, question, parsers[question.judge], budget, sizes[question.judge], deadline, begun.set
            )
            on_outcome(question.judge, outcome)
            return outcome

        outcomes = await asyncio.gather(*(one(*each) for each in _order_questions(questions, lead=timeouts.lead)))
    return {each.judge: outcome for each, outcome in zip(questions, outcomes, strict=True)}


def _order_questions(
    questions: Sequence[Question], *, lead: bool
) -> list[tuple[Question, asyncio.Event | None, asyncio.Event]]:
    """Each question, the sign it waits for, and the sign it gives when its answer begins.

    Of each model the first leads, since caches are kept by model. Where the prefix is too short to be cached, nobody waits.
    """
    leaders: dict[str, asyncio.Event] = {}
    ordered: list[tuple[Question, asyncio.Event | None, asyncio.Event]] = []
    for each in questions:
        begun = asyncio.Event()
        follows = leaders.get(each.model) if lead and _is_cacheable(each) else None
        leaders.setdefault(each.model, begun)
        ordered.append((each, follows, begun))
    return ordered


def _is_cacheable(question: Question) -> bool:
    entry = find_prices(question.model)
    return estimate_tokens(question.system) + estimate_tokens(question.material) >= (
        entry.cached_from if entry else _MIN_CACHED_TOKENS
    )


def _refusal(
    questions: Sequence[Question], sizes: Mapping[str, int], budget: BudgetTracker, later_answer_tokens: int
) -> str:
    """Why the rounds cannot be paid at their worst; nothing is spent on a panel that cannot be heard whole."""
    now = [(each.model, sizes[each.judge], each.max_tokens) for each in questions]
    later = [(each.model, sizes[each.judge], later_answer_tokens) for each in questions] if later_answer_tokens else []
    return budget.refusal([*now, *later])


async def _prompt_sizes(client: AsyncAnthropic, questions: Sequence[Question], seconds: float) -> dict[str, int]:
    """Tokens of each prompt: counted by the service once a model, estimated where it cannot or will not count.

    The roles differ by a few hundred bytes, so that their difference is estimated.
    """
    counted: dict[str, tuple[int, int]] = {}
    for each in questions:
        if each.model not in counted:
            size = await _count_tokens(client, each, seconds)
            counted[each.model] = (size if size is not None else _estimate_prompt(each), estimate_tokens(each.turn))
    return {
        each.judge: counted[each.model][0] + max(0, estimate_tokens(each.turn) - counted[each.model][1])
        for each in questions
    }


async def _count_tokens(client: AsyncAnthropic, question: Question, seconds: float) -> int | None:
    """What the service counts; None when it does not say, because the request itself will say why."""
    try:
        async with asyncio.timeout(seconds):
            found = await client.messages.count_tokens(**question.counted())
            size = int(found.input_tokens)
            return size if size > 0 else None  # a prompt of nothing would be paid by no budget
    except Exception:  # noqa: BLE001 - whatever keeps the service from counting, the estimate holds the budget
        return None


def _estimate_prompt(question: Question) -> int:
    texts = (question.system, question.material, question.round_material, question.turn, str(question.schema))
    return sum(map(estimate_tokens, texts)) + _TOKENS_PER_PICTURE * len(question.pictures)
