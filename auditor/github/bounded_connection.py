"""PyGithub's connections with bounds: an answer has a largest size, an end in time, and no say in where we go next."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import requests
from github.Requester import (
    HTTPRequestsConnectionClass,
    HTTPSRequestsConnectionClass,
    Requester,
    RequestsResponse,
)

from auditor.github.request_deadline import Deadline

MAX_RESPONSE_BYTES = 32 * 1024 * 1024
"""Bytes. A page of 100 comments, each of the longest that GitHub takes, is about 7 MB of plain letters."""
READ_SECONDS = 15.0
"""Seconds without a single byte, after which a connection counts as dead."""
_CHUNK_BYTES = 1 << 16


class ResponseTooLarge(Exception):
    """The answer is larger than anything GitHub sends."""


class Redirected(Exception):
    """The answer sends us to another address. We name every address ourselves and follow none."""

    def __init__(self, status: int) -> None:
        super().__init__(f"redirected with {status}")
        self.status = status


class AnswerPending(Exception):
    """The answer is that there is none yet. PyGithub would ask again for ever."""


class DeadlinePassed(Exception):
    """The deadline passed before the answer was complete."""


@dataclass
class RequestLimits:
    """The limits of the current request."""

    deadline: Deadline


def make_connection_classes(
    limits: RequestLimits,
) -> tuple[type[HTTPRequestsConnectionClass], type[HTTPSRequestsConnectionClass]]:
    """Connection classes for PyGithub that keep to the bounds as they are when a request is made."""

    class Plain(HTTPRequestsConnectionClass):
        def getresponse(self) -> RequestsResponse:
            return _send_request(self, limits.deadline)

    class Encrypted(HTTPSRequestsConnectionClass):
        def getresponse(self) -> RequestsResponse:
            return _send_request(self, limits.deadline)

    return Plain, Encrypted


_injection_lock = threading.Lock()


@contextlib.contextmanager
def inject_connections(limits: RequestLimits) -> Iterator[None]:
    """While this is open, a new `Github` takes our connections; afterwards everybody else gets PyGithub's again."""
    with _injection_lock:
        Requester.injectConnectionClasses(*make_connection_classes(limits))
        try:
            yield
        finally:
            Requester.resetConnectionClasses()


def _send_request(
    connection: HTTPRequestsConnectionClass | HTTPSRequestsConnectionClass, deadline: Deadline
) -> RequestsResponse:
    seconds = min(READ_SECONDS, deadline.left())
    if seconds <= 0:
        raise DeadlinePassed
    response = connection.session.request(
        connection.verb,
        f"{connection.protocol}://{connection.host}:{connection.port}{connection.url}",
        headers=connection.headers,
        data=connection.input,
        timeout=seconds,
        verify=connection.verify,
        allow_redirects=False,
        stream=True,
    )
    with contextlib.closing(response):
        if response.status_code == 202:
            raise AnswerPending
        if 300 <= response.status_code < 400:
            raise Redirected(response.status_code)
        return _BufferedResponse(response, _read_body(response, deadline))


class _BufferedResponse(RequestsResponse):
    """An answer that was read within its bounds. GitHub writes UTF-8 and nothing else."""

    def __init__(self, response: requests.Response, content: bytes) -> None:
        super().__init__(response)
        self._content = content

    def read(self) -> str:
        return self._content.decode("utf-8", errors="replace")


def _read_body(response: requests.Response, deadline: Deadline) -> bytes:
    """The body, read as it arrives: waiting for a full buffer would let a slow sender hold us past the deadline."""
    body = bytearray()
    while chunk := response.raw.read1(_CHUNK_BYTES, decode_content=True):
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise ResponseTooLarge
        if not deadline.left():
            raise DeadlinePassed
    return bytes(body)
