"""How often one host is asked: at most so many fetches at a time, and not before it said we may."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar
from urllib.parse import urlsplit

from auditor.repo.mirror import FetchFailed

MAX_TRIES = 4
MAX_WAIT_SECONDS = 900.0
"""A host that asks for a longer wait is asked by the next run."""
_FIRST_WAIT_SECONDS = 2.0
Fetched = TypeVar("Fetched")


class Stopped(Exception):
    """The run stops: nothing more is fetched."""


class HostLimits:
    """Fetches of one run, host by host. For several threads."""

    def __init__(self, per_host: int, stop: threading.Event, first_wait: float = _FIRST_WAIT_SECONDS) -> None:
        self._per_host = per_host
        self._stop = stop
        self._first_wait = first_wait
        self._lock = threading.Lock()
        self._slots: dict[str, threading.BoundedSemaphore] = {}
        self._not_before: dict[str, float] = {}

    def fetch(self, url: str, action: Callable[[], Fetched]) -> Fetched:
        """Do what fetches from the URL's host, again after a failure that may pass. Raises FetchFailed, and Stopped."""
        host = urlsplit(url).hostname or url.partition(":")[0]
        for attempt in range(1, MAX_TRIES + 1):
            try:
                with self._slot(host):
                    return action()
            except FetchFailed as failed:
                wait = failed.wait if failed.wait is not None else self._first_wait * 4 ** (attempt - 1)
                if not failed.passing or attempt == MAX_TRIES or wait > MAX_WAIT_SECONDS:
                    raise
                self._pause(host, wait, everybody=failed.wait is not None)
        raise AssertionError("the last try returns or raises")

    @contextmanager
    def _slot(self, host: str) -> Iterator[None]:
        with self._lock:
            slots = self._slots.setdefault(host, threading.BoundedSemaphore(self._per_host))
        while not slots.acquire(timeout=0.2):
            if self._stop.is_set():
                raise Stopped
        try:
            while (left := self._not_before.get(host, 0.0) - time.monotonic()) > 0:
                if self._stop.wait(min(left, 0.5)):
                    raise Stopped
            if self._stop.is_set():
                raise Stopped
            yield
        finally:
            slots.release()

    def _pause(self, host: str, seconds: float, *, everybody: bool) -> None:
        """Wait before another try. What the host itself asked for holds for every fetch from it."""
        if everybody:
            with self._lock:
                self._not_before[host] = max(self._not_before.get(host, 0.0), time.monotonic() + seconds)
        elif self._stop.wait(seconds):
            raise Stopped
