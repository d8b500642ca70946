"""What a service may do to us before we stop listening: so many bytes, none of them packed, no redirect, no long wait.

The deadline of a judge bounds its time, and this bounds its memory: a body without an end, an event without an end, and a
small body that unpacks to a large one are given up at the same place, whatever else they are. Imports the HTTP library,
so import it only where somebody is asked.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

MAX_ANSWER_BYTES = 8_000_000
"""Bytes of a streamed answer of up to 32,000 tokens, each in an event of its own; whoever asks for more tokens takes more."""
_BYTES_PER_EVENT = 250
"""Bytes that an event with one token takes."""
MAX_BODY_BYTES = 1_000_000
"""Bytes of any other body: counts and errors are small."""
MAX_EVENT_BYTES = 500_000
"""Bytes of one event of a stream."""
MAX_RETRY_SECONDS = 60.0
"""Seconds a service may ask to wait before the next try; who asks for more is taken at its word and not tried again."""
_CHUNK_BYTES = 16_384
"""Bytes handed on at once. Between two pieces timers get their turn, however fast bytes come in."""


class ResponseTooLarge(Exception):
    """A service sent more than any answer takes. Says what."""


def client_options() -> dict[str, Any]:
    """Options of the HTTP client that bound what it takes."""
    return {
        "event_hooks": {"response": [_limit_response]},
        "follow_redirects": False,  # the prompt would go with it to wherever the answer says
    }


HEADERS = {"Accept-Encoding": "identity"}
"""What every request says: nothing has to be unpacked here."""


async def _limit_response(response: httpx2.Response) -> None:
    """Put a bounded stream in the place of the response's own. Raises nothing yet: reading it does."""
    packed = response.headers.get("content-encoding", "identity").strip().lower()
    fault = "" if packed in ("", "identity") else "the service packs its answers though it was asked not to"
    response.headers.pop("content-encoding", None)
    streamed = response.is_success and not _is_json(response)
    events = streamed and response.headers.get("content-type", "").startswith("text/event-stream")
    assert isinstance(response.stream, httpx2.AsyncByteStream), "the client is an asynchronous one"
    most = max_answer_bytes(response.request) if streamed else MAX_BODY_BYTES
    response.stream = _LimitedStream(response.stream, most, MAX_EVENT_BYTES if events else most, fault)
    wait = retry_after_seconds(response)
    if wait is not None and wait > MAX_RETRY_SECONDS:
        response.headers["x-should-retry"] = "false"


def max_answer_bytes(request: httpx2.Request) -> int:
    """Bytes that the answer to a request may take, by the tokens it asks for."""
    try:
        asked = json.loads(request.content)["max_tokens"]
    except (ValueError, TypeError, KeyError, httpx2.RequestNotRead):
        return MAX_ANSWER_BYTES
    return max(MAX_ANSWER_BYTES, asked * _BYTES_PER_EVENT) if isinstance(asked, int) else MAX_ANSWER_BYTES


def _is_json(response: httpx2.Response) -> bool:
    return response.headers.get("content-type", "").split(";")[0].strip().lower() == "application/json"


def retry_after_seconds(response: httpx2.Response) -> float | None:
    """Seconds that the service asks to wait before the next try; None when it does not say or cannot be understood."""
    said = response.headers.get("retry-after-ms", "")
    with suppress(ValueError):
        return _number_or_none(float(said) / 1000)
    said = response.headers.get("retry-after", "")
    with suppress(ValueError):
        return _number_or_none(float(said))
    with suppress(ValueError, TypeError, OverflowError):
        then = parsedate_to_datetime(said)
        return ((then if then.tzinfo else then.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds()
    return None


def _number_or_none(seconds: float) -> float | None:
    return None if math.isnan(seconds) else seconds


class _LimitedStream(httpx2.AsyncByteStream):
    """The bytes of a response in small pieces, up to so many, and up to so many between two blank lines."""

    def __init__(self, stream: httpx2.AsyncByteStream, max_bytes: int, max_event_bytes: int, error: str) -> None:
        self._stream = stream
        self._most = max_bytes
        self._max_event_bytes = max_event_bytes
        self._error = error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._error:
            raise ResponseTooLarge(self._error)
        total = event = 0
        before = b""
        async for chunk in self._stream:
            for start in range(0, len(chunk), _CHUNK_BYTES):
                piece = chunk[start : start + _CHUNK_BYTES]
                total += len(piece)
                ends = _after_last_blank_line(before + piece)
                event = event + len(piece) if ends < 0 else len(before) + len(piece) - ends
                if total > self._most:
                    raise ResponseTooLarge(f"it is longer than {self._most:,} bytes")
                if event > self._max_event_bytes:
                    raise ResponseTooLarge(f"one event of it is longer than {self._max_event_bytes:,} bytes")
                before = piece[-3:]
                yield piece
                await asyncio.sleep(0)

    async def aclose(self) -> None:
        await self._stream.aclose()


def _after_last_blank_line(piece: bytes) -> int:
    """Where what follows the last blank line begins; -1 when there is none."""
    return max((at + len(end) for end in _BLANK_LINES if (at := piece.rfind(end)) >= 0), default=-1)


_BLANK_LINES = (b"\n\n", b"\r\r", b"\r\n\r\n")
