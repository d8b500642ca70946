"""The HTTP side: connections that stay open, pages with Link headers, failures on the wire, a log of everything."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.fake_github.faults import Armed, Fault, How
from tests.fake_github.routes import Reply, Request, answer
from tests.fake_github.state import JOB_TOKEN, World


@dataclass(frozen=True)
class Seen:
    """A request that came, and with which status it was answered (0: not at all)."""

    verb: str
    path: str
    query: dict[str, str]
    body: Any
    status: int
    token: str
    answer: Any = field(default=None, repr=False)
    odd: bool = False
    """Empty on purpose, to be refused: not what GitHub describes."""

    @property
    def line(self) -> str:
        """For lists of requests in tests: verb and path."""
        return f"{self.verb} {self.path}"


@dataclass
class FakeGitHub:
    """A running server; leave it to end it. `prefix` is `/api/v3` on a server of one's own."""

    world: World = field(default_factory=World)
    prefix: str = ""
    faults: list[Armed] = field(default_factory=list)
    log: list[Seen] = field(default_factory=list)
    events: list[tuple[str, str, Callable[[World], object]]] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        self.server = _Server(("127.0.0.1", 0), _handler(self))
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)

    @property
    def connections(self) -> int:
        """How often somebody connected."""
        return self.server.connections

    @property
    def site(self) -> str:
        """Where the web pages would be: `GITHUB_SERVER_URL`."""
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def url(self) -> str:
        """Where the API is: `GITHUB_API_URL`."""
        return self.site + self.prefix

    @property
    def token(self) -> str:
        """The token of a job that may write."""
        return JOB_TOKEN

    def fail(self, *faults: Fault) -> None:
        """Let the next matching requests fail."""
        self.faults.extend(map(Armed, faults))

    def before(self, verb: str, path: str, happens: Callable[[World], object]) -> None:
        """Let something happen just before the first request whose path ends so is served."""
        self.events.append((verb, path, happens))

    @property
    def lines(self) -> list[str]:
        """The requests so far: verb and path."""
        return [seen.line for seen in self.log]

    @property
    def writes(self) -> list[str]:
        """The requests so far that change something."""
        return [seen.line for seen in self.log if seen.verb != "GET"]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    connections = 0

    def get_request(self) -> tuple[Any, Any]:
        self.connections += 1
        return super().get_request()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked may leave before the answer, and says so by itself; anything else is told."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def _handler(fake: FakeGitHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16
        disable_nagle_algorithm = True
        timeout = 30

        def log_message(self, *_words: object) -> None:
            """Keep quiet: the log is for tests."""

        def _any(self) -> None:
            _serve(fake, self)

        do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _any  # noqa: N815

    return Handler


def _serve(fake: FakeGitHub, handler: BaseHTTPRequestHandler) -> None:
    content = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    parts = urlsplit(handler.path)
    path = parts.path.removeprefix(fake.prefix)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    body, verb = _json(content), handler.command
    with fake.lock:
        fault = next((each.fault for each in fake.faults if each.strikes(verb, path)), None)
        reply = _effect(fake, handler, (verb, path, query, body), fault)
    if fault is None or fault.how is not How.ANSWER:
        status, headers, data = _page(fake, path, query, reply)
    else:
        status, headers, data = fault.status, dict(fault.headers), fault.body
    _send(fake, handler, fault, status, {"Content-Type": "application/json; charset=utf-8", **headers}, data)


def _effect(
    fake: FakeGitHub, handler: BaseHTTPRequestHandler, asked: tuple[str, str, dict[str, str], Any], fault: Fault | None
) -> Reply:
    """Do what is asked, unless a fault is in the way, and write it down."""
    verb, path, query, body = asked
    for event in [each for each in fake.events if each[0] == verb and path.endswith(each[1])]:
        fake.events.remove(event)
        event[2](fake.world)
    given = (handler.headers.get("Authorization") or "").removeprefix("token ").removeprefix("Bearer ")
    token = fake.world.tokens.get(given)
    if fault is not None and not fault.served:
        reply = Reply(fault.status if fault.how is How.ANSWER else 0)
    elif given and token is None:
        reply = Reply(401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest"})
    else:
        reply = answer(verb, path, Request(fake.world, token, query, body, fake.site, fake.url))
    status = fault.status if fault is not None and fault.how is How.ANSWER else reply.status
    whole = reply.data if reply.entries is None else reply.wrap(reply.entries[:10])
    shown = whole if fault is None else None
    fake.log.append(Seen(verb, path, query, body, status, token.name if token else "", shown, odd=body == {}))
    return reply


def _json(content: bytes) -> Any:
    try:
        return json.loads(content) if content else None
    except ValueError:
        return content


def _page(fake: FakeGitHub, path: str, query: dict[str, str], reply: Reply) -> tuple[int, dict[str, str], bytes]:
    """The answer, a list of entries cut to the page asked for, with links to the others."""
    headers, data = dict(reply.headers), reply.data
    if reply.entries is not None:
        size = min(100, max(1, int(query.get("per_page", 30))))
        page = max(1, int(query.get("page", 1)))
        last = max(1, -(-len(reply.entries) // size))
        data = reply.wrap(reply.entries[(page - 1) * size : page * size])
        links = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        shown = [
            f'<{fake.url}{path}?{urlencode({**query, "page": number})}>; rel="{name}"'
            for name, number in links.items()
            if 1 <= number <= last and number != page
        ]
        if shown:
            headers["Link"] = ", ".join(shown)
    return reply.status, headers, b"" if data is None else json.dumps(data).encode()


def _send(
    fake: FakeGitHub,
    handler: BaseHTTPRequestHandler,
    fault: Fault | None,
    status: int,
    headers: dict[str, str],
    data: bytes,
) -> None:
    how = fault.how if fault else How.ANSWER
    if how is How.DROP:
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)
        return
    if how is How.SLOW and fault:
        fake.closing.wait(fault.seconds)
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    try:
        if how is How.CUT:
            handler.wfile.write(data[: len(data) // 2])
            handler.wfile.flush()
            handler.close_connection = True
            handler.connection.shutdown(socket.SHUT_RDWR)
        elif how is How.DRIP and fault:
            _drip(fake, handler, data, fault.seconds)
        else:
            handler.wfile.write(data)
            handler.wfile.flush()
    except OSError:
        handler.close_connection = True  # whoever asked has left


def _drip(fake: FakeGitHub, handler: BaseHTTPRequestHandler, data: bytes, seconds: float) -> None:
    for byte in data:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        if fake.closing.wait(seconds):
            return
