"""Whatever goes wrong with GitHub, as one error with a kind and a sentence."""

from __future__ import annotations

import re
from enum import StrEnum

_MAX_TEXT_LENGTH = 300
"""Characters of a foreign text that a sentence keeps."""


class ErrorKind(StrEnum):
    """What kind of trouble it is, as far as it matters to the caller."""

    DENIED = "denied"
    """The token is unknown, missing, or not allowed to do this."""
    READ_ONLY = "read_only"
    """The token may read and not write, as in a workflow of a fork's pull request."""
    NOT_FOUND = "not_found"
    """It is not there, or the token may not see it: GitHub does not tell the two apart."""
    RATE_LIMITED = "rate_limited"
    """GitHub asks to wait longer than the deadline allows."""
    UNREACHABLE = "unreachable"
    """No answer, a broken answer, or a failure on GitHub's side, after all tries."""
    INVALID = "invalid"
    """GitHub refused what was sent, or sent what cannot be understood."""
    TOO_LATE = "too_late"
    """The deadline passed."""


class GitHubError(Exception):
    """GitHub did not do what it was asked.

    `sentence` is complete, on one line, and holds no token. `maybe_done` says that a write may have been
    carried out although no answer came: look before asking again. `wait` is how many seconds GitHub asked for.
    """

    def __init__(
        self,
        kind: ErrorKind,
        sentence: str,
        *,
        maybe_done: bool = False,
        is_transient: bool = False,
        wait: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence
        self.maybe_done = maybe_done
        self.passing = is_transient
        self.wait = wait


def clean_text(text: object, secret: str = "") -> str:
    """A foreign text for a sentence: one line, printable, short, and without the secret."""
    words = str(text)[: 4 * _MAX_TEXT_LENGTH]
    if secret:
        words = words.replace(secret, "[token]")
    words = re.sub(r"\s+", " ", "".join(each if each.isprintable() else " " for each in words)).strip()
    return words if len(words) <= _MAX_TEXT_LENGTH else words[: _MAX_TEXT_LENGTH - 1] + "…"
