"""Ways in which GitHub, or what lies between, fails."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class How(StrEnum):
    """What becomes of the answer."""

    ANSWER = "answer"
    DROP = "drop"
    CUT = "cut"
    SLOW = "slow"
    DRIP = "drip"


@dataclass(frozen=True)
class Fault:
    """A failure of the next requests that match, after some that go well. `served` ones have their effect all the same."""

    how: How = How.ANSWER
    verb: str = "*"
    path: str = ""
    times: int = 1
    skip: int = 0
    served: bool = False
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    seconds: float = 0.0

    @classmethod
    def refusing(cls, status: int, message: str, headers: Mapping[str, str] | None = None, **more: Any) -> Fault:
        """An answer in the shape of GitHub's errors."""
        body = {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}
        return cls(status=status, headers=headers or {}, body=json.dumps(body).encode(), **more)

    @classmethod
    def server_error(cls, status: int = 502, **more: Any) -> Fault:
        """A 5xx; by default the request has no effect."""
        return cls.refusing(status, "Server Error", **more)

    @classmethod
    def drop(cls, **more: Any) -> Fault:
        """The connection ends without an answer."""
        return cls(How.DROP, **more)

    @classmethod
    def cut(cls, **more: Any) -> Fault:
        """The answer ends in the middle."""
        return cls(How.CUT, served=True, **more)

    @classmethod
    def slow(cls, seconds: float, **more: Any) -> Fault:
        """The answer takes long; the request has its effect at once."""
        return cls(How.SLOW, seconds=seconds, served=True, **more)

    @classmethod
    def drip(cls, seconds: float, **more: Any) -> Fault:
        """One byte after the other."""
        return cls(How.DRIP, seconds=seconds, served=True, **more)

    @classmethod
    def broken_json(cls, **more: Any) -> Fault:
        """200, and then no JSON."""
        return cls(status=200, body=b'{"id": 1, "bod', **more)

    @classmethod
    def read_only(cls, **more: Any) -> Fault:
        """The refusal that a fork's token meets."""
        return cls.refusing(403, "Resource not accessible by integration", **more)

    @classmethod
    def primary_limit(cls, reset_in: float, **more: Any) -> Fault:
        """The hour's requests are spent."""
        headers = {
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Limit": "1000",
            "X-RateLimit-Reset": str(int(time.time() + reset_in)),
        }
        return cls.refusing(403, "API rate limit exceeded for installation ID 1.", headers, **more)

    @classmethod
    def secondary_limit(cls, retry_after: int | None = None, status: int = 403, **more: Any) -> Fault:
        """Too many writes in a short time."""
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
        return cls.refusing(status, message, headers, **more)


@dataclass
class Armed:
    """A fault in wait."""

    fault: Fault
    matched: int = 0

    def strikes(self, verb: str, path: str) -> bool:
        """Does it hit this request? It counts."""
        if self.fault.verb not in ("*", verb) or not re.search(self.fault.path, path):
            return False
        self.matched += 1
        return self.fault.skip < self.matched <= self.fault.skip + self.fault.times
