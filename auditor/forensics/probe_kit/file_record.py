"""What was seen in one file, by content alone: the unit that workers return and the cache keeps.

A record knows no path and no other file, so it holds wherever the same bytes appear. It is written as
plain JSON lists: reading one back from a cache can fail, but cannot run anything.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic_core import from_json, to_json

from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.site_probe_types import Site


class ReadStatus(StrEnum):
    """How far a file could be read."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"
    BINARY = "binary"


MINIFIED_LENGTH = 5_000
"""Characters from which a line is taken for minified code: its text says nothing about which part of it was edited."""
MINIFIED = "minified"
"""The mark of a site on such a line."""


@dataclass(frozen=True, slots=True)
class SeenSite:
    """A site and the source line it is on."""

    site: Site
    quote: str
    mark: str = ""
    """Digest of all source lines of the site, white space at their ends left out; it differs for edited code. Or MINIFIED."""
    related: tuple[tuple[int, str], ...] = ()
    """Other lines that belong to it, as they are in the source."""
    repeats: int = 1
    """How many equal ones there are on a minified line."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """All that was seen in one file."""

    reading: ReadStatus
    reason: str = ""
    sites: dict[str, tuple[SeenSite, ...]] = field(default_factory=dict)
    candidates: dict[str, int] = field(default_factory=dict)
    """How many places each probe was shown."""
    failed: dict[str, str] = field(default_factory=dict)
    """Probes that could not answer on this file, and why."""
    outline: Outline | None = None
    detected_language: str = ""
    """The language of the code in the file, where its name does not say it."""
    tests: tuple[tuple[int, int], ...] = ()
    """First and last lines of the tests that are in the same file as the code they test."""
    test_paths: tuple[str, ...] = ()
    """Paths that it quotes and that may be those of files named like tests."""

    def in_tests(self, line: int) -> bool:
        """Does a line belong to a test that is in the file?"""
        return any(start <= line <= end for start, end in self.tests)

    def pack(self) -> bytes:
        """The record as JSON."""
        return _encode_json(
            [
                self.reading.value,
                self.reason,
                {
                    probe: [[s.site.line, s.site.end, s.site.statement, s.site.call, s.site.confidence, s.site.reason, s.quote, s.mark, s.related, s.repeats] for s in seen]
                    for probe, seen in self.sites.items()
                },
                self.candidates,
                self.failed,
                None if self.outline is None else self.outline.pack(),
                self.detected_language,
                self.tests,
                self.test_paths,
            ]
        )  # fmt: skip

    @classmethod
    def unpack(cls, packed: bytes) -> FileRecord:
        """The record again. Raises ValueError when the bytes are something else."""
        try:
            reading, reason, sites, candidates, failed, shape, carries, tests, test_paths = _decode_json(packed)
            return cls(
                ReadStatus(reading),
                str(reason),
                {str(probe): tuple(_unpack_site(each) for each in seen) for probe, seen in sites.items()},
                {str(probe): int(count) for probe, count in candidates.items()},
                {str(probe): str(why) for probe, why in failed.items()},
                None if shape is None else Outline.unpack(shape),
                str(carries),
                tuple((int(start), int(end)) for start, end in tests),
                tuple(map(str, test_paths)),
            )
        except (TypeError, IndexError, AttributeError, KeyError, RecursionError) as error:
            raise ValueError("not a record") from error


def _encode_json(value: list[Any]) -> bytes:
    """JSON, by what is fast; lone surrogates are beyond that, and are escaped by what is not."""
    try:
        return to_json(value)
    except ValueError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def _decode_json(packed: bytes) -> Any:
    """What JSON says. Raises ValueError or RecursionError when it is none."""
    try:
        return from_json(packed, cache_strings="keys")
    except ValueError:
        return json.loads(packed)


def _unpack_site(packed: list[Any]) -> SeenSite:
    line, end, statement, call, confidence, reason, quote, mark, related, repeats = packed
    site = Site(int(line), int(end), str(statement), str(call), float(confidence), str(reason))
    lines = tuple((int(number), str(text)) for number, text in related)
    return SeenSite(site, str(quote), str(mark), lines, int(repeats))
