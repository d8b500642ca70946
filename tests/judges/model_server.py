"""The stand-in behind a real socket on loopback, for audits in a process of their own, and servers that misbehave below HTTP."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2

from tests.judges.model_stand_in import Body, Standin


@dataclass
class Line:
    """An open connection, after a request came in."""

    path: str
    headers: dict[str, str]
    body: Body
    writer: asyncio.StreamWriter

    @property
    def counts(self) -> bool:
        """Is it asked to count tokens?"""
        return self.path.endswith("/count_tokens")

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def head(self, status: int = 200, kind: str = "text/event-stream", **more: str) -> None:
        """Status line and headers of an answer that ends with the connection."""
        lines = [f"HTTP/1.1 {status} X", f"content-type: {kind}", "connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
        await self.send("\r\n".join([*lines, "", ""]).encode())


Behaviour = Callable[[Line], Awaitable[None]]


@dataclass
class Served:
    """A running server."""

    url: str
    lines: list[Line] = field(default_factory=list)

    @property
    def asked(self) -> list[Line]:
        """Requests that were not for counting."""
        return [each for each in self.lines if not each.counts]


@contextmanager
def served(model: Standin) -> Iterator[str]:
    """The address at which the stand-in answers."""
    with listening(lambda line: well(line, model)) as server:
        yield server.url


@contextmanager
def listening(behave: Behaviour) -> Iterator[Served]:
    """Listen on a free port of 127.0.0.1 until the end of the block, whatever hangs then. What is sent is up to `behave`."""
    ready = threading.Event()
    found: dict[str, Any] = {}

    async def main() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        found["url"] = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        found["served"] = Served(found["url"])
        found["end"] = asyncio.Event()
        found["loop"] = asyncio.get_running_loop()
        ready.set()
        await found["end"].wait()
        server.close()
        for line in found["served"].lines:
            line.writer.transport.abort()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *rest = head.strip().split("\r\n")
            headers = {name.strip().lower(): value.strip() for name, _, value in (each.partition(":") for each in rest)}
            body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))) or b"{}")
            line = Line(first.split(" ")[1], headers, body, writer)
            found["served"].lines.append(line)
            await behave(line)
            writer.close()
            await writer.wait_closed()

    thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield found["served"]
    finally:
        found["loop"].call_soon_threadsafe(found["end"].set)
        thread.join()


async def well(line: Line, model: Standin) -> None:
    """Answer as the stand-in would."""
    request = httpx2.Request("POST", f"http://127.0.0.1{line.path}", json=line.body)
    answer = await model.handle(request)
    kind = answer.headers.get("content-type", "application/json")
    await line.head(answer.status_code, kind)
    async for chunk in answer.aiter_bytes():
        await line.send(chunk)
