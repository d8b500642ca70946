"""Secrets in commits and files, as probes are given them: their places, never their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SecretSource = Literal["content", "message", "name", "link", "signature"]
"""What of a commit holds a secret: a file's content, its own message, or the name of a file."""


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """A secret at a path: the oldest commit of the range that it is in, and whether it still does.

    In the message of a commit it has no path.
    """

    kind: str
    fingerprint: str
    path: str
    line: int
    commit: str
    quote: str
    at_head: bool
    introduced: bool | None
    sure: bool
    """Does it have a format that only its issuer uses?"""
    source: SecretSource = "content"
    hidden: str = ""
    """How it is written where the content does not say it as it is."""
    other_lines: tuple[int, ...] = ()
    """Further lines on which a part of it is written."""


@dataclass(frozen=True)
class CommittedSecrets:
    """Secrets in all commits of the range and in the head's files in scope. No value is in here."""

    places: tuple[SecretPlace, ...]
    commits: int = 0
    content_count: int = 0
    """Versions of files that were looked through to the end."""
    unread: Mapping[str, str] = field(default_factory=dict, metadata={"doc": "path -> reason"})
    unread_content_count: int = 0
    """Versions of files that could not be looked through."""
    unheard: str = ""
    """Why commit messages, file names or signatures were not searched; empty where all were."""
    lost: str = ""
    """Why the secret detector failed; empty where it did not."""
    material: int = 0
    """Made-up keys and passwords in tests, examples and documents that were left out."""
    limit_reason: str = ""
