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
from auditor.judges.model_budget import Purse
from auditor.judges.model_prices import Tokens, same_model
from auditor.judges.reply_validation import NotUsable

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

Said = TypeVar("Said")
_MOST_ATTEMPTS = 2
_LARGER = 2
"""How much more room an answer gets that did not fit."""
_LONGEST = 80
"""Characters of a name or a reason of the server's."""
_LETTERS = 40
"""More characters than a token stands for."""
_MOST_TOKENS = 10**9
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

    def body(self, max_tokens: int | None = None) -> dict[str, Any]:
        """What is sent. No tools, no sampling, nothing that changes from run to run."""
        shown: list[dict[str, Any]] = [
            {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}
            for media, data in self.pictures
        ]
        shown.append({"type": "text", "text": self.material, "cache_control": {"type": "ephemeral"}})
        return {
            "model": self.model,
            "max_tokens": max_tokens or self.max_tokens,
            "system": self.system,
            "messages": [{"role": "user", "content": [*shown, {"type": "text", "text": self.turn}]}],
            "output_config": self._output(),
        }

    def counted(self) -> dict[str, Any]:
        """The same request, to have its tokens counted."""
        return {name: value for name, value in self.body().items() if name != "max_tokens"}

    def _output(self) -> dict[str, Any]:
        form: dict[str, Any] = {"format": {"type": "json_schema", "schema": self.schema}}
        return {"effort": self.effort, **form} if self.effort else form


@dataclass(frozen=True)
class Outcome(Generic[Said]):
    """How a question ended: with what was said, or with a cause and a sentence."""

    said: Said | None = None
    cause: Cause | None = None
    reason: str = ""
    attempts: tuple[Attempt, ...] = ()


@dataclass(eq=False)
class _Trouble(Exception):
    """An attempt without a usable answer. `again` says whether the same may go well a second time."""

    cause: Cause
    reason: str
    again: bool = False
    larger: bool = False


@dataclass
class _Seen:
    """What came of one request so far; filled while the stream runs, so that a broken one is accounted for too."""

    message: Message | None = None
    request_id: str = ""
    finished: bool = False
    unbilled: bool = False
    """The server turned the request away before any work."""
    started: float = field(default_factory=time.monotonic)


async def ask(
    client: AsyncAnthropic,
    question: Question,
    read: Callable[[str], Said],
    purse: Purse,
    prompt_tokens: int,
    deadline: float,
    begun: Callable[[], None],
) -> Outcome[Said]:
    """Ask until there is an answer or no hope of one. Never raises for what a model or the network does.

    `read` turns the text of an answer into what it says, or raises NotUsable. `deadline` is a time of the running loop.
    `begun` is called when an answer begins, and at the end in any case.
    """
    attempts: list[Attempt] = []
    room = question.max_tokens
    try:
        async with asyncio.timeout_at(deadline):
            for number in range(1, _MOST_ATTEMPTS + 1):
                refusal = purse.refusal([(question.model, prompt_tokens, room)])
                if refusal:
                    return _given_up(attempts, Cause.OVER_BUDGET, f"Another request was not sent: {refusal}.")
                try:
                    said = await _attempt(client, question, room, read, purse, prompt_tokens, attempts, begun)
                    return Outcome(said=said, attempts=tuple(attempts))
                except _Trouble as trouble:
                    if not trouble.again or number == _MOST_ATTEMPTS:
                        return Outcome(cause=trouble.cause, reason=trouble.reason, attempts=tuple(attempts))
                    room = room * _LARGER if trouble.larger else room
    except TimeoutError:
        return _given_up(attempts, Cause.TIMED_OUT, "The deadline passed before there was an answer.")
    finally:
        begun()
    raise AssertionError("the last attempt returns")


def _given_up(attempts: Sequence[Attempt], cause: Cause, reason: str) -> Outcome[Said]:
    """No answer; where an attempt had failed before, that is told too."""
    before = (
        f" An attempt before it ended as {attempts[-1].outcome}." if attempts and cause is Cause.OVER_BUDGET else ""
    )
    return Outcome(cause=cause, reason=f"{reason}{before}", attempts=tuple(attempts))


async def _attempt(
    client: AsyncAnthropic,
    question: Question,
    room: int,
    read: Callable[[str], Said],
    purse: Purse,
    prompt_tokens: int,
    attempts: list[Attempt],
    begun: Callable[[], None],
) -> Said:
    """One request. Whatever becomes of it, it is on the list of attempts and settled."""
    seen = _Seen()
    held = purse.reserve(question.model, prompt_tokens, room)
    outcome = Cause.TIMED_OUT.value
    try:
        await _stream(client, question, room, seen, begun)
        said = _answer(question, seen, room, read)
    except _Trouble as trouble:
        outcome = trouble.cause.value
        raise
    else:
        outcome = "ok"
        return said
    finally:
        attempt = _accounted(question, len(attempts) + 1, seen, outcome, purse)
        attempts.append(attempt)
        purse.settle(held, question.model, _used(seen))


async def _stream(
    client: AsyncAnthropic, question: Question, room: int, seen: _Seen, begun: Callable[[], None]
) -> None:
    """Send it and read the answer to its end. Raises _Trouble for all that can go wrong on the way."""
    from auditor.judges.http_limits import TooMuch

    try:
        async with client.messages.stream(**question.body(room)) as stream:
            seen.request_id = stream.request_id or ""
            async for event in stream:
                begun()
                if event.type == "message_start" or seen.message is not None:
                    seen.message = stream.current_message_snapshot
                seen.finished = seen.finished or event.type == "message_stop"
    except TooMuch as error:
        raise _Trouble(Cause.INVALID, f"What came back is no answer of this API: {error}.") from error
    except Exception as error:
        raise _trouble(error, seen) from error


def _trouble(error: Exception, seen: _Seen) -> _Trouble:
    """What an error of the request means."""
    import anthropic
    import httpx2

    kind = type(error).__name__
    if isinstance(error, anthropic.APIStatusError):
        seen.request_id = error.request_id or seen.request_id
        seen.unbilled = error.status_code >= 400
        return _refused_by_server(error)
    if isinstance(error, (anthropic.APITimeoutError, httpx2.TimeoutException)):
        return _Trouble(Cause.TIMED_OUT, "The connection stayed silent for too long.", again=True)
    if isinstance(error, (anthropic.APIConnectionError, httpx2.HTTPError, OSError)):
        if seen.message is None:
            return _Trouble(
                Cause.UNAVAILABLE, f"The service could not be reached ({kind}): try its address and the network."
            )
        return _Trouble(Cause.UNAVAILABLE, f"The connection was lost ({kind}).", again=True)
    if isinstance(error, (ValueError, TypeError, AssertionError, AttributeError, LookupError)):
        return _Trouble(Cause.INVALID, f"What came back is no answer of this API ({kind}).", again=True)
    return _Trouble(Cause.UNAVAILABLE, f"The request could not be made ({kind}).")


_PASSING = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})
_SPENT = ("spend_limit", "billing")
_NO_CREDIT = "credit balance"
"""In the message of an invalid request when the account has none left."""
_HINTS = {
    401: ": it does not accept the key",
    403: ": the key may not do this",
    404: ": it knows no such model or address",
    413: ": the prompt is too large for it",
    **dict.fromkeys(
        (301, 302, 303, 307, 308), ": it points to another address, and a prompt is sent to none but its own"
    ),
}


def _refused_by_server(error: Any) -> _Trouble:
    """An error of the API. Inside a stream its status is 200, and nobody has repeated the request yet."""
    kind = _words(getattr(error, "type", ""))
    code = _words(getattr(error, "error_code", ""))
    status = int(error.status_code)
    told = f"{kind or 'error'}, HTTP {status}"
    spent = any(each in f"{kind} {code}" for each in _SPENT)
    if status == 402 or spent or _NO_CREDIT in str(getattr(error, "api_message", "")):
        return _Trouble(Cause.OVER_BUDGET, f"The account's own spending limit is reached ({told}).")
    if status == 200:
        return _Trouble(Cause.UNAVAILABLE, f"The service broke off its answer ({told}).", again=kind in _PASSING)
    return _Trouble(Cause.UNAVAILABLE, f"The service refused the request ({told}){_hint(error)}.")


def _hint(error: Any) -> str:
    """What may be behind a refused request, for whoever can mend it."""
    from auditor.judges.http_limits import LONGEST_WAIT, asked_wait

    wait = asked_wait(error.response)
    if wait is not None and wait > LONGEST_WAIT:
        return f": it asks to wait for longer than {LONGEST_WAIT:.0f} seconds"
    return _HINTS.get(int(error.status_code), "")


_STOPS = {
    "refusal": Cause.REFUSED,
    "max_tokens": Cause.TRUNCATED,
    "model_context_window_exceeded": Cause.TRUNCATED,
}


def _answer(question: Question, seen: _Seen, room: int, read: Callable[[str], Said]) -> Said:
    """What the finished message says. Why it stopped comes first, its text last."""
    message = seen.message
    if message is None:
        raise _Trouble(Cause.INVALID, "What came back holds no message.", again=True)
    if not seen.finished or message.stop_reason is None:
        raise _Trouble(Cause.UNAVAILABLE, "The answer ended in the middle.", again=True)
    stopped = _words(message.stop_reason)
    if stopped in _STOPS:
        raise _stopped(message)
    if stopped not in ("end_turn", "stop_sequence"):
        raise _Trouble(Cause.INVALID, f"It stopped for another reason ({stopped}).", again=True)
    answered = _words(message.model)
    if not same_model(question.model, answered):
        raise _Trouble(Cause.INVALID, f"Another model answered ({answered!r}).")
    texts = [block.text for block in message.content if block.type == "text"]
    if len(texts) != 1:
        raise _Trouble(Cause.INVALID, f"It holds {len(texts)} bodies where one was asked for.", again=True)
    if len(texts[0]) > room * _LETTERS:
        raise _Trouble(Cause.INVALID, f"It holds {len(texts[0]):,} characters, more than {room:,} tokens can.")
    try:
        return read(texts[0])
    except NotUsable as error:
        raise _Trouble(Cause.INVALID, f"The answer cannot be used: {error}.", again=True) from error


def _stopped(message: Message) -> _Trouble:
    if message.stop_reason == "refusal":
        category = _words(getattr(message.stop_details, "category", ""))
        named = f" (category {category})" if category else ""
        return _Trouble(Cause.REFUSED, f"The model refused to answer{named}.")
    if message.stop_reason == "max_tokens":
        return _Trouble(Cause.TRUNCATED, "The answer did not fit.", again=True, larger=True)
    return _Trouble(Cause.TRUNCATED, "The evidence did not fit the model's context window.")


def _used(seen: _Seen) -> Tokens | None:
    """Tokens by kind; None when nobody can tell, since no answer began or what it says of them are no counts."""
    usage = getattr(seen.message, "usage", None)
    if usage is None:
        return Tokens() if seen.unbilled else None
    details = getattr(usage, "output_tokens_details", None)
    told = [
        getattr(usage, "input_tokens", None),
        getattr(usage, "cache_creation_input_tokens", None) or 0,
        getattr(usage, "cache_read_input_tokens", None) or 0,
        getattr(usage, "output_tokens", None),
        getattr(details, "thinking_tokens", None) or 0,
    ]
    counts = [each for each in told if isinstance(each, int) and 0 <= each <= _MOST_TOKENS]
    return Tokens(*counts) if len(counts) == len(told) else None


def _words(value: object) -> str:
    """A short text of the server's as a record can hold it; nothing where it sent something else."""
    return value[:_LONGEST].encode("utf-8", errors="replace").decode("utf-8") if isinstance(value, str) else ""


def _accounted(question: Question, number: int, seen: _Seen, outcome: str, purse: Purse) -> Attempt:
    told = _used(seen)
    used = told or Tokens()
    free = seen.unbilled and told == Tokens()
    entry = purse.price(question.model)
    return Attempt(
        judge=question.judge,
        round=question.round,
        number=number,
        asked=question.model,
        answered=_words(getattr(seen.message, "model", "")),
        request_id=_words(seen.request_id),
        outcome=outcome,
        stop_reason=_words(getattr(seen.message, "stop_reason", "")),
        input_tokens=used.input,
        cache_write_tokens=used.cache_write,
        cache_read_tokens=used.cache_read,
        output_tokens=used.output,
        thinking_tokens=used.thinking,
        usd=0.0 if free else round(entry.usd(used), 6) if entry and told is not None else None,
        seconds=round(time.monotonic() - seen.started, 3),
    )
