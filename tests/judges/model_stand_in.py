"""A model to ask in tests: the real SDK talks to it through a transport of its own, byte for byte as to the API.

It does what a real local server in these tests cannot: count tokens, keep a cache by the published rule, answer by what
it was asked, and break in every way that was seen in the wild.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import anthropic
import httpx2

from auditor.judges import http_limits
from auditor.judges.judge_panel import ClientFactory

Body = dict[str, Any]
JUDGES = {"# Role: Prosecutor": "prosecutor", "# Role: Defense": "defense", "# Role: Tech Lead": "tech_lead"}


@dataclass(frozen=True)
class Says:
    """One answer, or one way to fail."""

    text: str = ""
    stop: str | None = "end_turn"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: dict[str, Any] = field(default_factory=dict)
    """Body of a failing status, or an error event inside the stream when the status is 200."""
    texts: tuple[str, ...] = ()
    """Several bodies in one answer."""
    raw: bytes | None = None
    """Sent in place of events."""
    model: str = ""
    cut: bool = False
    """The stream ends in the middle, without an error."""
    drop: Exception | None = None
    """Raised in the middle of the stream."""
    before: float = 0.0
    """Seconds until the first event."""
    during: float = 0.0
    """Seconds from the first event to the last."""
    details: dict[str, Any] | None = None


Answers = Callable[[Body], Says]


def judge(body: Body) -> str:
    """Who is asked."""
    turn = body["messages"][0]["content"][-1]["text"]
    return next(name for title, name in JUDGES.items() if title in turn)


def is_vote(body: Body) -> bool:
    """Is this the second round, in which judges vote?"""
    return "# Votes" in body["messages"][0]["content"][-1]["text"]


def voted_on(body: Body) -> list[str]:
    """The objections that a judge is asked to vote on, by the names they have in the prompt."""
    lines = body["messages"][0]["content"][-1]["text"].splitlines()
    return [line.split("]")[0].strip("[") for line in lines if line.startswith("[q")]


def criteria(body: Body) -> list[str]:
    """What is asked about."""
    turn = body["messages"][0]["content"][-1]["text"]
    found = re.search(r"(?:charge|criteria|Assess|judge|examine): ([a-z0-9_, ]+)\.", turn)
    assert found is not None
    return found.group(1).split(", ")


def evidence(body: Body) -> list[tuple[str, str]]:
    """Ids of evidence and their statements, as the prompt shows them."""
    text = body["messages"][0]["content"][0]["text"]
    return re.findall(r"^\[([a-z_]+\.[a-z_]+#\d+)\][^\n]*\nS\| ([^\n]*)$", text, re.MULTILINE)


def exhibit(body: Body) -> tuple[str, str] | None:
    """The id of the first hunk and a line of it that can be quoted; None where no change is shown."""
    text = body["messages"][0]["content"][0]["text"]
    found = re.search(r"^\[(hunk#\d+)\][^\n]*\n((?:[-+ ]\d+\|[^\n]*\n?)+)", text, re.MULTILINE)
    lines = [row.partition("|")[2].strip() for row in found.group(2).splitlines()] if found else []
    return None if found is None else (found.group(1), max(lines, key=len))


def good(body: Body, scores: dict[str, int] | int = 4, **more: Any) -> str:
    """A proper answer: for each criterion an opinion that cites every piece of evidence by its statement; or a vote on each objection."""
    if is_vote(body):
        unsure = {"vote": "cannot_tell", "exhibit": "", "quote": "", "reason": "It is not shown."}
        votes = [{"objection": name, **unsure} for name in voted_on(body)]
        return json.dumps({"opinions": [], "objections": [], "votes": votes})
    read = exhibit(body)
    quoted = [*evidence(body), *([read] if read else [])]
    cited = [{"evidence": name, "quote": said, "path": "", "line": None} for name, said in quoted]
    return json.dumps(
        {
            **({"objections": [], "votes": []} if read else {}),
            "opinions": [
                {
                    "criterion": each,
                    "argument": f"Seen by {judge(body)}. It is so.",
                    "citations": cited,
                    "remediation": [],
                    "score": scores if isinstance(scores, int) else scores[each],
                    **more,
                }
                for each in criteria(body)
            ],
        }
    )


def tokens(*texts: str) -> int:
    return sum(len(text.encode()) for text in texts) // 4


@dataclass
class Standin:
    """Answers requests and remembers them."""

    answers: Answers
    counting: int | None = 0
    """Tokens that are counted; 0 counts for real, None means that it cannot count."""
    asked: list[Body] = field(default_factory=list)
    counted: list[Body] = field(default_factory=list)
    course: list[tuple[str, str]] = field(default_factory=list)
    """Who was asked, whose answer began, whose ended, in the order in which it happened."""
    cached_from: int = 1024
    _cache: set[str] = field(default_factory=set)

    def connect(self, **more: Any) -> ClientFactory:
        """A factory of real clients that end here."""

        def made() -> anthropic.AsyncAnthropic:
            transport = httpx2.MockTransport(self.handle)
            return anthropic.AsyncAnthropic(
                api_key="test-key",
                base_url="http://127.0.0.1:9",
                http_client=anthropic.DefaultAsyncHttpxClient(transport=transport, **http_limits.client_options()),
                timeout=anthropic.Timeout(more.pop("silence", 20.0), connect=5.0),
                max_retries=more.pop("max_retries", 2),
                **more,
            )

        return made

    async def handle(self, request: httpx2.Request) -> httpx2.Response:
        """The answer to one request."""
        body = json.loads(request.content)
        if request.url.path.endswith("/count_tokens"):
            self.counted.append(body)
            if self.counting is None:
                return httpx2.Response(
                    404, json={"type": "error", "error": {"type": "not_found_error", "message": "no"}}
                )
            return httpx2.Response(200, json={"input_tokens": self.counting or self._size(body)})
        self.asked.append(body)
        self._note("asked", body)
        said = self.answers(body)
        if said.status != 200:
            return httpx2.Response(
                said.status, headers={"request-id": f"req_{len(self.asked)}", **said.headers}, json=said.error
            )
        usage, prefixes = self._usage(body)
        headers = {"content-type": "text/event-stream", "request-id": f"req_{len(self.asked)}", **said.headers}
        return httpx2.Response(200, headers=headers, content=self._events(body, said, usage, prefixes))

    @staticmethod
    def _size(body: Body) -> int:
        return tokens(body["system"], *(part.get("text", "") for part in body["messages"][0]["content"]))

    def _usage(self, body: Body) -> tuple[dict[str, int], tuple[str, ...]]:
        """The published rule: the longest marked prefix is read once the answer that wrote it began to stream."""
        texts = [each for each in body["messages"][0]["content"] if each["type"] == "text"]
        marked = [number for number, each in enumerate(texts, 1) if "cache_control" in each]
        whole = tokens(body["system"], *(each["text"] for each in texts))
        sizes = {number: tokens(body["system"], *(each["text"] for each in texts[:number])) for number in marked}
        prefixes = {number: self._prefix(body, number) for number in marked if sizes[number] >= self.cached_from}
        if not prefixes:
            return {"input_tokens": whole}, ()
        read = max((sizes[number] for number, each in prefixes.items() if each in self._cache), default=0)
        written = max(sizes[number] for number in prefixes) - read
        usage = {"input_tokens": whole - read - written}
        usage |= {"cache_read_input_tokens": read} if read else {}
        usage |= {"cache_creation_input_tokens": written} if written else {}
        return usage, tuple(prefixes.values())

    @staticmethod
    def _prefix(body: Body, count: int) -> str:
        shown = body["messages"][0]["content"][:count]
        identity = json.dumps([body["model"], body["output_config"], body["system"], shown])
        return hashlib.sha256(identity.encode()).hexdigest()

    async def _events(
        self, body: Body, said: Says, usage: dict[str, int], prefixes: tuple[str, ...]
    ) -> AsyncIterator[bytes]:
        await asyncio.sleep(said.before)
        self._note("began", body)
        self._cache.update(prefixes)
        if said.raw is not None:
            yield said.raw
            return
        message: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": said.model or body["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {**usage, "output_tokens": 1},
        }
        yield _event("message_start", message=message)
        for index, text in enumerate(said.texts or (said.text,)):
            yield _event("content_block_start", index=index, content_block={"type": "text", "text": ""})
            half = len(text) // 2
            yield _event("content_block_delta", index=index, delta={"type": "text_delta", "text": text[:half]})
            await asyncio.sleep(said.during)
            if said.drop is not None:
                raise said.drop
            if said.cut:
                return
            if said.error:
                yield _event("error", **said.error)
                return
            yield _event("content_block_delta", index=index, delta={"type": "text_delta", "text": text[half:]})
            yield _event("content_block_stop", index=index)
        delta = {"stop_reason": said.stop, "stop_sequence": None, "stop_details": said.details}
        yield _event(
            "message_delta", delta=delta, usage={"output_tokens": max(1, tokens(*(said.texts or (said.text,))))}
        )
        self._note("ended", body)
        yield _event("message_stop")

    def _note(self, what: str, body: Body) -> None:
        if any(title in body["messages"][0]["content"][-1]["text"] for title in JUDGES):
            self.course.append((what, judge(body)))


def _event(kind: str, **data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()
