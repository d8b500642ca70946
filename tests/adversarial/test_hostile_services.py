"""A service that means ill, or is broken below HTTP: time stays within the judge's deadline and memory within a bound.

A real server on loopback, the real SDK, and the client that audits use.
"""

from __future__ import annotations

import asyncio
import functools
import json
import time
import tracemalloc
import zlib
from email.utils import formatdate

import httpx2
import pytest

from auditor.domain import Cause, Scope
from auditor.judges.bench_factory import BenchSettings, make_bench
from auditor.judges.bench_interface import Hearing
from auditor.judges.http_limits import MAX_ANSWER_BYTES, MAX_BODY_BYTES, MAX_EVENT_BYTES, max_answer_bytes
from tests.judges.cases import ADVICE, SEEN, SMALL
from tests.judges.model_server import Behaviour, Line, Served, listening, well
from tests.judges.model_stand_in import JUDGES, Says, Standin, good, judge

GRACE = 1.5
"""Seconds beyond the deadline, on a busy machine."""
PING = b'event: ping\ndata: {"type": "ping"}\n\n'
START = (
    b'event: message_start\ndata: {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", '
    b'"model": "claude-sonnet-5-5", "content": [], "stop_reason": null, "usage": {"input_tokens": 9, "output_tokens": 1}}}\n\n'
    b'event: content_block_start\ndata: {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}\n\n'
)


def delta(text: str) -> bytes:
    event = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
    return f"event: content_block_delta\ndata: {json.dumps(event)}\n\n".encode()


def hear(server: Served, seconds: float = 10.0) -> Hearing:
    settings = BenchSettings(judges="claude", base_url=server.url, seconds=seconds, answer_tokens=8_000)
    return make_bench(settings, {"ANTHROPIC_API_KEY": "test-key"}).hear(SMALL, SEEN, Scope.WHOLE_TREE, ADVICE)


def counting(behave: Behaviour) -> Behaviour:
    """Tokens are counted as they should be; only the answer goes wrong."""

    async def both(line: Line) -> None:
        if line.counts:
            await line.head(200, "application/json")
            await line.send(b'{"input_tokens": 900}')
        else:
            await behave(line)

    return both


def without_end(data: bytes, *, status: int = 200, kind: str = "text/event-stream", first: bytes = b"", pause: float = 0.0) -> Behaviour:  # fmt: skip
    async def behave(line: Line) -> None:
        await line.head(status, kind)
        await line.send(first)
        while not line.writer.is_closing():
            await line.send(data)
            await asyncio.sleep(pause)

    return behave


async def dripping_headers(line: Line) -> None:
    await line.send(b"HTTP/1.1 200 OK\r\n")
    while not line.writer.is_closing():
        await line.send(b"x")
        await asyncio.sleep(0.05)


async def headers_without_end(line: Line) -> None:
    await line.send(b"HTTP/1.1 200 OK\r\n")
    while not line.writer.is_closing():
        await line.send(b"x-more: " + b"y" * 1000 + b"\r\n")


@functools.cache
def _packed(megabytes: int) -> bytes:
    packer = zlib.compressobj(wbits=31)
    part = PING * (1_000_000 // len(PING))
    return b"".join([packer.compress(START), *(packer.compress(part) for _ in range(megabytes)), packer.flush()])


def bomb(encoding: str) -> Behaviour:
    async def behave(line: Line) -> None:
        packed = _packed(100)
        await line.head(200, "text/event-stream", content_encoding=encoding)
        await line.send(packed)

    return behave


FLOOD = 65_536
FLOODS: dict[str, tuple[Behaviour, str]] = {
    "a body without an end": (without_end(b"x" * FLOOD), "one event of it"),
    "one event without an end": (without_end(b"y" * FLOOD, first=START + b"data: "), "one event of it"),
    "one event of many lines": (without_end(b"data: y\n" * 8_000, first=START), "one event of it"),
    "a body of another kind": (without_end(b" " * FLOOD, kind="text/html"), "longer than 2,000,000"),
    "JSON without an end": (without_end(b" " * FLOOD, kind="application/json"), f"longer than {MAX_BODY_BYTES:,}"),
    "an error without an end": (without_end(b" " * FLOOD, status=400), f"longer than {MAX_BODY_BYTES:,}"),
    "pings without an end": (without_end(PING * 2_000, first=START), "longer than 2,000,000"),
    "an answer without an end": (without_end(delta("z" * 60_000), first=START), "longer than 2,000,000"),
    "a small body that unpacks to 100 MB": (bomb("gzip"), "packs its answers"),
    "one packed in another way": (bomb("zstd"), "packs its answers"),
}  # fmt: skip
DRIPS: dict[str, Behaviour] = {
    "an error that drips": without_end(b" ", status=400, kind="application/json", pause=0.05),
    "pings now and then": without_end(PING, first=START, pause=0.05),
    "an answer that drips": without_end(delta("z"), first=START, pause=0.05),
    "headers that drip": dripping_headers,
    "headers without an end, again and again": headers_without_end,
}


@pytest.mark.parametrize("name", FLOODS)
def test_who_sends_without_end_is_given_up_long_before_the_deadline(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.judges.http_limits.MAX_ANSWER_BYTES", 2_000_000)
    behave, told = FLOODS[name]
    with listening(counting(behave)) as server:
        started = time.monotonic()
        hearing = hear(server, 40.0)
        assert time.monotonic() - started < 30.0
    assert {each.cause for each in hearing.abstentions} == {Cause.INVALID}
    assert all(told in each.reason for each in hearing.abstentions), hearing.abstentions[0].reason
    assert len(server.asked) == 3


@pytest.mark.parametrize("name", DRIPS)
def test_who_sends_drop_by_drop_gets_no_more_time_than_a_judge_has(name: str) -> None:
    with listening(counting(DRIPS[name])) as server:
        started = time.monotonic()
        hearing = hear(server, 1.0)
        assert time.monotonic() - started < 1.0 + GRACE
    assert {each.cause for each in hearing.abstentions} == {Cause.TIMED_OUT}


@pytest.mark.parametrize(
    "name",
    [
        "one event of many lines",
        "JSON without an end",
        "an answer without an end",
        "a small body that unpacks to 100 MB",
    ],
)
def test_the_memory_that_a_service_can_fill_is_bounded(name: str) -> None:
    """The raw bytes, what the SDK makes of them, and the largest event, for three judges at once."""
    with listening(counting(FLOODS[name][0])) as server:
        tracemalloc.start()
        try:
            hear(server, 40.0)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 3 * (3 * MAX_ANSWER_BYTES + 4 * MAX_EVENT_BYTES), f"{peak / 1e6:.0f} MB"


@pytest.mark.parametrize(
    ("body", "most"),
    [
        (b'{"max_tokens": 16000}', 8_000_000),
        (b'{"max_tokens": 128000}', 32_000_000),
        (b'{"max_tokens": "all"}', 8_000_000),
        (b"[]", 8_000_000),
        (b"no JSON", 8_000_000),
    ],
)
def test_who_asks_for_a_longer_answer_takes_a_longer_one(body: bytes, most: int) -> None:
    assert max_answer_bytes(httpx2.Request("POST", "https://api.example/v1/messages", content=body)) == most


def test_a_count_without_an_end_is_not_waited_for_and_the_judges_are_heard() -> None:
    model = Standin(lambda body: Says(good(body)))

    async def behave(line: Line) -> None:
        await (without_end(b" " * FLOOD, kind="application/json")(line) if line.counts else well(line, model))

    with listening(behave) as server:
        assert len(hear(server, 20.0).opinions) == 6


def test_an_answer_is_not_packed_when_asked_for_so() -> None:
    model = Standin(lambda body: Says(good(body)))
    with listening(lambda line: well(line, model)) as server:
        assert len(hear(server).opinions) == 6
    assert {each.headers["accept-encoding"] for each in server.lines} == {"identity"}


def test_a_prompt_follows_nobody_to_another_address() -> None:
    with listening(without_end(b"x")) as elsewhere:

        async def away(line: Line) -> None:
            await line.head(307, "text/plain", location=f"{elsewhere.url}{line.path}", content_length="0")

        with listening(away) as server:
            hearing = hear(server)
        assert elsewhere.lines == []
    assert {each.cause for each in hearing.abstentions} == {Cause.UNAVAILABLE}
    assert "points to another address" in hearing.abstentions[0].reason


def limited(**headers: str) -> Behaviour:
    async def behave(line: Line) -> None:
        await line.head(429, "application/json", **headers)
        await line.send(b'{"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}')

    return behave


NEVER = {
    "years": "999999999",
    "beyond counting": "9" * 400,
    "infinity": "inf",
    "an exponent": "1e300",
    "a date far away": formatdate(4_000_000_000, usegmt=True),
}
SOON = {
    "before now": "-5",
    "no number": "soon",
    "not a number": "nan",
    "a date that was": formatdate(1_000_000_000, usegmt=True),
    "a date that cannot be": "Mon, 99 Foo 2026 99:99:99 GMT",
    "nothing": "",
}


@pytest.mark.parametrize("name", NEVER)
def test_who_asks_to_wait_for_ever_is_not_waited_for(name: str) -> None:
    with listening(counting(limited(retry_after=NEVER[name]))) as server:
        started = time.monotonic()
        hearing = hear(server, 30.0)
        assert time.monotonic() - started < 15.0
        assert len(server.asked) == 3
    assert {each.cause for each in hearing.abstentions} == {Cause.UNAVAILABLE}
    assert "asks to wait for longer than 60 seconds" in hearing.abstentions[0].reason


@pytest.mark.parametrize("name", SOON)
def test_a_wait_that_makes_no_sense_is_a_short_one(name: str) -> None:
    model = Standin(lambda body: Says(good(body)))
    turned_away: set[str] = set()

    async def behave(line: Line) -> None:
        who = line.body["messages"][0]["content"][-1]["text"]
        if line.counts or who in turned_away:
            await well(line, model)
        else:
            turned_away.add(who)
            await limited(retry_after=SOON[name])(line)

    with listening(behave) as server:
        assert len(hear(server, 20.0).opinions) == 6
        assert len(server.asked) == 6


@pytest.mark.parametrize(
    ("silent", "how"),
    [
        ("prosecutor", "says nothing"),
        ("prosecutor", "begins and says no more"),
        ("defense", "says nothing"),
        ("tech_lead", "begins and says no more"),
    ],
)
def test_one_judge_that_hangs_leader_or_not_takes_no_other_with_it(silent: str, how: str) -> None:
    model = Standin(lambda body: Says(good(body)))

    async def behave(line: Line) -> None:
        if line.counts or judge(line.body) != silent:
            await well(line, model)
            return
        if how == "begins and says no more":
            await line.head()
            await line.send(START)
        await asyncio.sleep(60)

    with listening(behave) as server:
        started = time.monotonic()
        hearing = hear(server, 2.0)
        assert time.monotonic() - started < 2.0 + GRACE
    assert {each.judge for each in hearing.opinions} == {*JUDGES.values()} - {silent}
    assert {(each.judge, each.cause) for each in hearing.abstentions} == {(silent, Cause.TIMED_OUT)}
