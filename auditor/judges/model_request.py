"""One question to one model through the Anthropic SDK, to its end: an answer, or the cause why there is none.

The only module that hears a judge over the network. A request is streamed and counts only when its last event came. The SDK
repeats what failed before the answer began; what breaks later, or does not follow the schema, is asked once more here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from auditor.domain import Attempt, Cause
from auditor.judges.model_budget import BudgetTracker
from auditor.judges.model_prices import TokenUsage, same_model
from auditor.judges.reply_validation import InvalidReply

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

Said = TypeVar("Said")
_MAX_ATTEMPTS = 2
_RETRY_FACTOR = 2
"""How many times as many tokens an answer that did not fit gets."""
_MAX_TEXT_LENGTH = 80
"""Characters of a name or a reason of the server's."""
_MAX_CHARACTERS_PER_TOKEN = 40
"""More characters than any token stands for."""
_MAX_TOKEN_COUNT = 10**9
"""More than any request takes: what claims more is no count."""


@dataclass(frozen=True)
class Question:
    """All of a request but the credentials."""

    judge: str
    round: int
    model: str
    system: str
    material: str
    turn: str
    schema: dict[str, Any]
    max_tokens: int
    effort: str = ""
    pictures: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Media type and content in base64, shown before the text."""
    round_material: str = ""
    """What all who are asked in this round read after the material; a cache keeps it as a second step of the prefix."""

    def body(self, max_tokens: int | None = None) -> dict[str, Any]:
        """What is sent. No tools, no sampling, nothing that changes from run to run."""
        shown: list[dict[str, Any]] = [
            {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}
            for media, data in self.pictures
        ]
        common = [each for each in (self.material, self.round_material) if each]
        shown += [{"type": "text", "text": each, "cache_control": {"type": "ephemeral"}} for each in common]
        return {
            "model": self.model,
            "max_tokens": max_tokens or self.max_tokens,
            "system": self.system,
            "messages": [{"role": "user", "content": [*shown, {"type": "text", "text": self.turn}]}],
            "output_config": self._output_config(),
        }

    def counted(self) -> dict[str, Any]:
        """The same request for the token counting endpoint."""
        return {name: value for name, value in self.body().items() if name != "max_tokens"}

    def _output_config(self) -> dict[str, Any]:
        form: dict[str, Any] = {"format": {"type": "json_schema", "schema": self.schema}}
        return {"effort": self.effort, **form} if self.effort else form


@dataclass(frozen=True)
class AskOutcome(Generic[Said]):
    """How a question ended: with what was said, or with a cause and a sentence."""

    said: Said | None = None
    cause: Cause | None = None
    reason: str = ""
    attempts: tuple[Attempt, ...] = ()


@dataclass(eq=False)
class _AttemptFailed(Exception):
    """An attempt without a usable answer. `is_retryable` says whether another attempt may succeed."""

    cause: Cause
    reason: str
    again: bool = False
    needs_more_tokens: bool = False


@dataclass
class _Response:
    """What came of one request so far; filled while the stream runs, so that a broken one is accounted for too."""

    message: Message | None = None
    request_id: str = ""
    finished: bool = False
    is_unbilled: bool = False
    """The server turned the request away before any work."""
    started: float = field(default_factory=time.monotonic)


async def ask(
    client: AsyncAnthropic,
    question: Question,
    parse: Callable[[str], Said],
    budget: BudgetTracker,
    prompt_tokens: int,
    deadline: float,
    on_start: Callable[[], None],
) -> AskOutcome[Said]:
    """Ask until there is an answer or no hope of one. Never raises for what a model or the network does.

    `parse` turns the text of an answer into what it says, or raises NotUsable. `deadline` is a time of the running loop.
    `on_start` is called when an answer begins, and at the end in any case.
    """
    attempts: list[Attempt] = []
    room = question.max_tokens
    try:
        async with asyncio.timeout_at(deadline):
            for number in range(1, _MAX_ATTEMPTS + 1):
                refusal = budget.refusal([(question.model, prompt_tokens, room)])
                if refusal:
                    return _failed_outcome(attempts, Cause.OVER_BUDGET, f"Another request was not sent: {refusal}.")
                try:
                    said = await _attempt(client, question, room, parse, budget, prompt_tokens, attempts, on_start)
                    return AskOutcome(said=said, attempts=tuple(attempts))
                except _AttemptFailed as trouble:
                    if not trouble.again or number == _MAX_ATTEMPTS:
                        return AskOutcome(cause=trouble.cause, reason=trouble.reason, attempts=tuple(attempts))
                    room = room * _RETRY_FACTOR if trouble.needs_more_tokens else room
    except TimeoutError:
        return _failed_outcome(attempts, Cause.TIMED_OUT, "The deadline passed before there was an answer.")
    finally:
        on_start()
    raise AssertionError("the last attempt returns")


def _failed_outcome(attempts: Sequence[Attempt], cause: Cause, reason: str) -> AskOutcome[Said]:
    """No answer; where an attempt had failed before, that is said too."""
    before = (
        f" An attempt before it ended as {attempts[-1].outcome}." if attempts and cause is Cause.OVER_BUDGET else ""
    )
    return AskOutcome(cause=cause, reason=f"{reason}{before}", attempts=tuple(attempts))


async def _attempt(
    client: AsyncAnthropic,
    question: Question,
    max_tokens: int,
    parse: Callable[[str], Said],
    budget: BudgetTracker,
    prompt_tokens: int,
    attempts: list[Attempt],
    on_start: Callable[[], None],
) -> Said:
    """One request. Whatever becomes of it, it is on the list of attempts and settled."""
    seen = _Response()
    held = budget.reserve(question.model, prompt_tokens, max_tokens)
    outcome = Cause.TIMED_OUT.value
    try:
        await _stream(client, question, max_tokens, seen, on_start)
        said = _parse_answer(question, seen, max_tokens, parse)
    except _AttemptFailed as trouble:
        outcome = trouble.cause.value
        raise
    else:
        outcome = "ok"
        return said
    finally:
        attempt = _make_attempt(question, len(attempts) + 1, seen, outcome, budget)
        attempts.append(attempt)
        budget.settle(held, question.model, _token_usage(seen))


async def _stream(
    client: AsyncAnthropic, question: Question, max_tokens: int, response: _Response, on_start: Callable[[], None]
) -> None:
    """Send it and read the answer to its end. Raises _Trouble for all that can go wrong on the way."""
    from auditor.judges.http_limits import ResponseTooLarge

    try:
        async with client.messages.stream(**question.body(max_tokens)) as stream:
            response.request_id = stream.request_id or ""
            async for event in stream:
                on_start()
                if event.type == "message_start" or response.message is not None:
                    response.message = stream.current_message_snapshot
                response.finished = response.finished or event.type == "message_stop"
    except ResponseTooLarge as error:
        raise _AttemptFailed(Cause.INVALID, f"What came back is no answer of this API: {error}.") from error
    except Exception as error:
        raise _classify_error(error, response) from error


def _classify_error(error: Exception, response: _Response) -> _AttemptFailed:
    """What an error of the request means."""
    import anthropic
    import httpx2

    kind = type(error).__name__
    if isinstance(error, anthropic.APIStatusError):
        response.request_id = error.request_id or response.request_id
        response.is_unbilled = error.status_code >= 400
        return _classify_status_error(error)
    if isinstance(error, (anthropic.APITimeoutError, httpx2.TimeoutException)):
        return _AttemptFailed(Cause.TIMED_OUT, "The connection stayed silent for too long.", again=True)
    if isinstance(error, (anthropic.APIConnectionError, httpx2.HTTPError, OSError)):
        if response.message is None:
            return _AttemptFailed(
                Cause.UNAVAILABLE, f"The service could not be reached ({kind}): try its address and the network."
            )
        return _AttemptFailed(Cause.UNAVAILABLE, f"The connection was lost ({kind}).", again=True)
    if isinstance(error, (ValueError, TypeError, AssertionError, AttributeError, LookupError)):
        return _AttemptFailed(Cause.INVALID, f"What came back is no answer of this API ({kind}).", again=True)
    return _AttemptFailed(Cause.UNAVAILABLE, f"The request could not be made ({kind}).")


_TRANSIENT_ERRORS = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})
_SPENDING_LIMIT_CODES = ("spend_limit", "billing")
_NO_CREDIT_MESSAGE = "credit balance"
"""In the message of an invalid request when the account has none left."""
_STATUS_HINTS = {
    401: ": it does not accept the key",
    403: ": the key may not do this",
    404: ": it knows no such model or address",
    413: ": the prompt is too large for it",
    **dict.fromkeys(
        (301, 302, 303, 307, 308), ": it points to another address, and a prompt is sent to none but its own"
    ),
}


def _classify_status_error(error: Any) -> _AttemptFailed:
    """An error of the API. Inside a stream its status is 200, and nobody has repeated the request yet."""
    kind = _short_text(getattr(error, "type", ""))
    code = _short_text(getattr(error, "error_code", ""))
    status = int(error.status_code)
    told = f"{kind or 'error'}, HTTP {status}"
    spent = any(each in f"{kind} {code}" for each in _SPENDING_LIMIT_CODES)
    if status == 402 or spent or _NO_CREDIT_MESSAGE in str(getattr(error, "api_message", "")):
        return _AttemptFailed(Cause.OVER_BUDGET, f"The account's own spending limit is reached ({told}).")
    if status == 200:
        return _AttemptFailed(
            Cause.UNAVAILABLE, f"The service broke off its answer ({told}).", again=kind in _TRANSIENT_ERRORS
        )
    return _AttemptFailed(Cause.UNAVAILABLE, f"The service refused the request ({told}){_hint(error)}.")


def _hint(error: Any) -> str:
    """The likely cause of a refused request, for the person who can fix it."""
    from auditor.judges.http_limits import MAX_RETRY_SECONDS, retry_after_seconds

    wait = retry_after_seconds(error.response)
    if wait is not None and wait > MAX_RETRY_SECONDS:
        return f": it asks to wait for longer than {MAX_RETRY_SECONDS:.0f} seconds"
    return _STATUS_HINTS.get(int(error.status_code), "")


_CAUSE_BY_STOP_REASON = {
    "refusal": Cause.REFUSED,
    "max_tokens": Cause.TRUNCATED,
    "model_context_window_exceeded": Cause.TRUNCATED,
}


def _parse_answer(question: Question, response: _Response, max_tokens: int, parse: Callable[[str], Said]) -> Said:
    """What the finished message says. Why it stopped is first, its text last."""
    message = response.message
    if message is None:
        raise _AttemptFailed(Cause.INVALID, "What came back holds no message.", again=True)
    if not response.finished or message.stop_reason is None:
        raise _AttemptFailed(Cause.UNAVAILABLE, "The answer ended in the middle.", again=True)
    stopped = _short_text(message.stop_reason)
    if stopped in _CAUSE_BY_STOP_REASON:
        raise _classify_stop(message)
    if stopped not in ("end_turn", "stop_sequence"):
        raise _AttemptFailed(Cause.INVALID, f"It stopped for another reason ({stopped}).", again=True)
    answered = _short_text(message.model)
    if not same_model(question.model, answered):
        raise _AttemptFailed(Cause.INVALID, f"Another model answered ({answered!r}).")
    texts = [block.text for block in message.content if block.type == "text"]
    if len(texts) != 1:
        raise _AttemptFailed(Cause.INVALID, f"It holds {len(texts)} bodies where one was asked for.", again=True)
    if len(texts[0]) > max_tokens * _MAX_CHARACTERS_PER_TOKEN:
        raise _AttemptFailed(
            Cause.INVALID, f"It holds {len(texts[0]):,} characters, more than {max_tokens:,} tokens can."
        )
    try:
        return parse(texts[0])
    except InvalidReply as error:
        raise _AttemptFailed(Cause.INVALID, f"The answer cannot be used: {error}.", again=True) from error


def _classify_stop(message: Message) -> _AttemptFailed:
    if message.stop_reason == "refusal":
        category = _short_text(getattr(message.stop_details, "category", ""))
        named = f" (category {category})" if category else ""
        return _AttemptFailed(Cause.REFUSED, f"The model refused to answer{named}.")
    if message.stop_reason == "max_tokens":
        return _AttemptFailed(Cause.TRUNCATED, "The answer did not fit.", again=True, needs_more_tokens=True)
    return _AttemptFailed(Cause.TRUNCATED, "The evidence did not fit the model's context window.")


def _token_usage(response: _Response) -> TokenUsage | None:
    """Tokens by kind; None when they are unknown, because no answer began or its counts are invalid."""
    usage = getattr(response.message, "usage", None)
    if usage is None:
        return TokenUsage() if response.is_unbilled else None
    details = getattr(usage, "output_tokens_details", None)
    told = [
        getattr(usage, "input_tokens", None),
        getattr(usage, "cache_creation_input_tokens", None) or 0,
        getattr(usage, "cache_read_input_tokens", None) or 0,
        getattr(usage, "output_tokens", None),
        getattr(details, "thinking_tokens", None) or 0,
    ]
    counts = [each for each in told if isinstance(each, int) and 0 <= each <= _MAX_TOKEN_COUNT]
    return TokenUsage(*counts) if len(counts) == len(told) else None


def _short_text(value: object) -> str:
    """A short text of the server's as a record can hold it; empty where it is not a string."""
    return value[:_MAX_TEXT_LENGTH].encode("utf-8", errors="replace").decode("utf-8") if isinstance(value, str) else ""


def _make_attempt(question: Question, number: int, response: _Response, outcome: str, budget: BudgetTracker) -> Attempt:
    told = _token_usage(response)
    used = told or TokenUsage()
    free = response.is_unbilled and told == TokenUsage()
    entry = budget.price(question.model)
    return Attempt(
        judge=question.judge,
        round=question.round,
        number=number,
        asked=question.model,
        answered=_short_text(getattr(response.message, "model", "")),
        request_id=_short_text(response.request_id),
        outcome=outcome,
        stop_reason=_short_text(getattr(response.message, "stop_reason", "")),
        input_tokens=used.input,
        cache_write_tokens=used.cache_write,
        cache_read_tokens=used.cache_read,
        output_tokens=used.output,
        thinking_tokens=used.thinking,
        usd=0.0 if free else round(entry.usd(used), 6) if entry and told is not None else None,
        seconds=round(time.monotonic() - response.started, 3),
    )
