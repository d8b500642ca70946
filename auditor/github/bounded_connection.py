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

LARGEST_ANSWER = 32 * 1024 * 1024
"""Bytes. A page of 100 comments, each of the longest that GitHub takes, is about 7 MB of plain letters."""
SLOWEST_SILENCE = 15.0
"""Seconds without a single byte, after which a connection counts as dead."""
_CHUNK = 1 << 16


class TooLarge(Exception):
    """The answer is larger than anything GitHub sends."""


class Elsewhere(Exception):
    """The answer sends us to another address. We name every address ourselves and follow none."""

    def __init__(self, status: int) -> None:
        super().__init__(f"redirected with {status}")
        self.status = status


class NotYet(Exception):
    """The answer is that there is none yet. PyGithub would ask again for ever."""


class Overtaken(Exception):
    """The deadline passed before the answer was complete."""


@dataclass
class Bounds:
    """What holds for the request that is under way."""

    deadline: Deadline


def bounded(bounds: Bounds) -> tuple[type[HTTPRequestsConnectionClass], type[HTTPSRequestsConnectionClass]]:
    """Connection classes for PyGithub that keep to the bounds as they are when a request is made."""

    class Plain(HTTPRequestsConnectionClass):
        def getresponse(self) -> RequestsResponse:
            return _read(self, bounds.deadline)

    class Encrypted(HTTPSRequestsConnectionClass):
        def getresponse(self) -> RequestsResponse:
            return _read(self, bounds.deadline)

    return Plain, Encrypted


_injecting = threading.Lock()


@contextlib.contextmanager
def injected(bounds: Bounds) -> Iterator[None]:
    """While this is open, a new `Github` takes our connections; afterwards everybody else gets PyGithub's again."""
    with _injecting:
        Requester.injectConnectionClasses(*bounded(bounds))
        try:
            yield
        finally:
            Requester.resetConnectionClasses()


def _read(
    connection: HTTPRequestsConnectionClass | HTTPSRequestsConnectionClass, deadline: Deadline
) -> RequestsResponse:
    seconds = min(SLOWEST_SILENCE, deadline.left())
    if seconds <= 0:
        raise Overtaken
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
            raise NotYet
        if 300 <= response.status_code < 400:
            raise Elsewhere(response.status_code)
        return _Whole(response, _content(response, deadline))


class _Whole(RequestsResponse):
    """An answer that was read within its bounds. GitHub writes UTF-8 and nothing else."""

    def __init__(self, response: requests.Response, content: bytes) -> None:
        super().__init__(response)
        self._content = content

    def read(self) -> str:
        return self._content.decode("utf-8", errors="replace")


def _content(response: requests.Response, deadline: Deadline) -> bytes:
    """The body, read as it comes: waiting for a full buffer would let a slow sender hold us past the deadline."""
    body = bytearray()
    while chunk := response.raw.read1(_CHUNK, decode_content=True):
        body += chunk
        if len(body) > LARGEST_ANSWER:
            raise TooLarge
        if not deadline.left():
            raise Overtaken
    return bytes(body)
