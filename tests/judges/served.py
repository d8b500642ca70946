"""The stand-in behind a real socket, for the step as a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx2

from tests.judges.standin import Standin


@contextmanager
def served(model: Standin) -> Iterator[str]:
    """The address at which the stand-in answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            answer, body = asyncio.run(_answered(model, f"http://model{self.path}", content))
            self.send_response(answer.status_code)
            for name, value in answer.headers.items():
                if name not in ("content-length", "transfer-encoding"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def _answered(model: Standin, url: str, content: bytes) -> tuple[httpx2.Response, bytes]:
    answer = await model.handle(httpx2.Request("POST", url, content=content))
    return answer, await answer.aread()
