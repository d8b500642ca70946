"""A real git server on a loopback port: `git http-backend` behind a handler that asks for a token."""

from __future__ import annotations

import base64
import contextlib
import os
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit


@dataclass
class GitServer:
    """What it serves, whom it lets in, how it fails, and what it was asked."""

    root: Path
    url: str
    token: str | None = None
    status: int | None = None
    """Answer everything with this status instead."""
    delay: float = 0.0
    requests: list[str] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    about: GitServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def log_message(self, *_: object) -> None:
        return

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _answer(self, body: bytes) -> None:
        self.about.requests.append(f"{self.command} {self.path}")
        time.sleep(self.about.delay)
        if self.about.token is not None:
            wanted = base64.b64encode(f"x-access-token:{self.about.token}".encode()).decode()
            if self.headers.get("Authorization") != f"Basic {wanted}":
                return self._plain(401, b"who are you?", ("WWW-Authenticate", 'Basic realm="git"'))
        if self.about.status is not None:
            return self._plain(self.about.status, b"no")
        return self._backend(body)

    def _plain(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        with contextlib.suppress(OSError):  # whoever asked has left
            self.end_headers()
            self.wfile.write(body)

    def _backend(self, body: bytes) -> None:
        parts = urlsplit(self.path)
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            check=False,
            env={
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(self.about.root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "PATH_INFO": parts.path,
                "QUERY_STRING": parts.query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "REMOTE_ADDR": "127.0.0.1",
            },
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().splitlines() if ": " in line]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        self._plain(status, content, *((name, value) for name, value in headers if name != "Status"))


@contextlib.contextmanager
def serve(root: Path, certificate: Path | None = None) -> Iterator[GitServer]:
    """Serve the bare repositories below a folder, for reading; with a certificate (and its key) by https."""
    server = GitServer(root, "")
    handler = type("Handler", (_Handler,), {"about": server})
    listening = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    listening.daemon_threads = True
    server.url = f"http://127.0.0.1:{listening.server_port}"
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        listening.socket = context.wrap_socket(listening.socket, server_side=True)
        server.url = f"https://localhost:{listening.server_port}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()
