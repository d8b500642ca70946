"""One request after the other: paced, bounded by a deadline, repeated only where that does no harm.

PyGithub's own repeating is off: it repeats POST although the first may have been served, never PATCH, and at once.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from auditor import __version__
from auditor.github.bounded_connection import RequestLimits, inject_connections
from auditor.github.error_translation import to_github_error
from auditor.github.github_error import ErrorKind, GitHubError
from auditor.github.request_deadline import Deadline

API_VERSION = "2022-11-28"
MAX_TRIES = 4
"""How often a request is sent at most."""
_READ_PACE_FACTOR = 0.25
"""Seconds between requests for each second between writes, as PyGithub's defaults have it."""


class Transport:
    """PyGithub's requester and what we hold it to. One thread at a time: its pacing knows no lock."""

    def __init__(self, api_url: str, token: str, pace: float) -> None:
        import github

        self._secret = token
        self._pace = pace
        self._limits = RequestLimits(Deadline.within(0))
        with inject_connections(self._limits):
            self._client = github.Github(
                auth=github.Auth.Token(token),
                base_url=api_url,
                user_agent=f"automaton-auditor/{__version__}",
                retry=None,
                per_page=100,
                seconds_between_requests=pace * _READ_PACE_FACTOR,
                seconds_between_writes=pace,
                lazy=True,
                api_version=API_VERSION,
            )

    def __repr__(self) -> str:
        """Without the token."""
        return "Transport()"

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def pause(self, deadline: Deadline) -> None:
        """Wait as long as between two writes."""
        time.sleep(min(self._pace, deadline.left()))

    def send(
        self,
        verb: str,
        path: str,
        *,
        deadline: Deadline,
        query: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
        repeatable: bool = True,
    ) -> Any:
        """Send one request, again after a passing failure, and give the answer as plain data.

        A request that is not `repeatable` goes out again only when it certainly was not carried out: nobody
        listened, or a rate limit turned it away. Raises GitHubTrouble.
        """
        for attempt in range(1, MAX_TRIES + 1):
            try:
                return self._once(verb, path, deadline, query, body)
            except GitHubError as trouble:
                wait = trouble.wait if trouble.wait is not None else self._pace * 2 ** (attempt - 1)
                if not trouble.passing or attempt == MAX_TRIES or (trouble.maybe_done and not repeatable):
                    raise
                if wait >= deadline.left():
                    raise _too_late_error(trouble, wait) from None
                time.sleep(wait)
        raise AssertionError("the last try returns or raises")

    def _once(
        self,
        verb: str,
        path: str,
        deadline: Deadline,
        query: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None,
    ) -> Any:
        self._limits.deadline = deadline
        try:
            _, data = self._client.requester.requestJsonAndCheck(
                verb, path, parameters=dict(query or {}), input=None if body is None else dict(body)
            )
        except Exception as error:  # noqa: BLE001 - four libraries raise here, and PyGithub anything at all on an odd answer
            # The library's errors hold the request with its headers: they are not carried along.
            raise to_github_error(error, verb, self._secret) from None
        return data


def _too_late_error(trouble: GitHubError, wait: float) -> GitHubError:
    """There is no time for another try."""
    if trouble.kind is ErrorKind.RATE_LIMITED:
        return GitHubError(trouble.kind, trouble.sentence, maybe_done=trouble.maybe_done, wait=wait)
    return GitHubError(
        ErrorKind.TOO_LATE,
        f"{trouble.sentence[:-1]}, and no time is left to try again.",
        maybe_done=trouble.maybe_done,
    )
