"""Looking through contents for secrets: each once, and of versions of one file only what tells them apart.

What is kept of a content from one audit to the next are places, never a value. Values live in memory only.
"""

from __future__ import annotations

import json
import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from auditor.forensics.record_cache.disk_cache import RecordCache, probe_set_version
from auditor.forensics.secrets.placeholder_secrets import is_placeholder
from auditor.forensics.secrets.secret_detector import Answer, Detector, Passage, Unscanned
from auditor.forensics.source_text.content_diff import Difference, Window, difference, whole
from auditor.forensics.source_text.text_decoding import as_text
from auditor.repo.git_objects import BlobReader, Refused

MAX_CONTENT = 8_000_000
MAX_BYTES = 3_000_000_000
"""Bytes of contents that one audit reads in search of secrets."""
SECONDS = 180.0
"""Wall seconds for everything that one audit looks through; what is left then is listed as unread."""
LATE = "beyond the time that one audit takes to look for secrets"
_QUOTE = 300
_WORDS = 100_000
"""Bytes of short texts that are looked through together."""

Chain = Sequence[str]
"""Ids of contents that are likely versions of one another, neighbours next to each other."""


@dataclass(frozen=True, slots=True)
class Value:
    """A secret in a content: what it is, itself, where, and its line without it."""

    kind: str
    value: str
    start: int
    end: int
    line: int
    quote: str
    sure: bool


@dataclass
class Looked:
    """What stood in each content that held something, what could not be looked through, and all that was, by blob id."""

    values: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    searched: set[str] = field(default_factory=set)
    """Contents that were looked through to the end, in this audit or in one before it."""


@dataclass
class _Version:
    """A content that is being looked through. Its predecessor in the chain is always done before it."""

    blob: str
    text: bytes
    is_text: bool
    how: Difference
    before: _Version | None
    open: int
    values: list[Value] = field(default_factory=list)
    trouble: str = ""


Piece = tuple[_Version, Window]


def look(
    chains: Iterable[Chain],
    reader: BlobReader,
    detector: Detector,
    cache: RecordCache,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    *,
    limit: int = MAX_CONTENT,
) -> Looked:
    """Every secret of those contents of at most `limit` bytes; a content stands in one chain only."""
    chains = [list(each) for each in chains]
    looked = Looked()
    known = _from_cache([blob for chain in chains for blob in chain], cache)
    looked.searched.update(known)
    for blob, content in reader.read((blob for blob, hits in known.items() if hits), limit=limit):
        if isinstance(content, Refused):
            looked.unread[blob] = content.reason
            looked.searched.discard(blob)
        else:
            text = as_text(content)[0]
            looked.values[blob] = tuple(_valued(kind, start, end, sure, text) for kind, start, end, sure in known[blob])
    search = _Search(reader, limit, looked, progress, sum(len(chain) for chain in chains) - len(known))
    again: Sequence[Chain] = [fresh for chain in chains if (fresh := [blob for blob in chain if blob not in known])]
    while again:
        again = search.through(again, detector)
    cache.put(search.results)
    return looked


class InWords(NamedTuple):
    """Secrets in short texts, by the name of the text, and why some texts were not looked through."""

    values: dict[str, tuple[Value, ...]]
    unread: str


def look_in_words(words: Iterable[tuple[str, str]], detector: Detector) -> InWords:
    """Secrets of issuers' own forms in short texts, by the name each is given with: messages of commits, names of files."""
    found: dict[str, tuple[Value, ...]] = {}
    unread = ""
    for passage, answer in detector.scan(_gathered(words)):
        if isinstance(answer, Unscanned):
            unread = answer.reason
            continue
        for hit in answer:
            name, start, end = passage.owner[bisect_right(passage.owner, hit.start, key=lambda each: each[1]) - 1]
            if hit.sure and start <= hit.start and hit.end <= end:
                text = passage.text[start:end]
                value = _valued(hit.kind, hit.start - start, hit.end - start, hit.sure, text)
                if not _harmless(value, text):
                    found[name] = _outermost((*found.get(name, ()), value))
    return InWords(found, unread)


_Pieces = list[tuple[str, int, int]]


def _gathered(words: Iterable[tuple[str, str]]) -> Iterator[Passage[_Pieces]]:
    """Many short texts in few passages, each with who starts and ends where in it."""
    text, pieces = bytearray(), _Pieces()
    for name, said in words:
        start = len(text)
        text += said.encode("utf-8", errors="replace")
        pieces.append((name, start, len(text)))
        text += b"\n\n"
        if len(text) > _WORDS:
            yield Passage(bytes(text), pieces)
            text, pieces = bytearray(), _Pieces()
    if pieces:
        yield Passage(bytes(text), pieces)


class _Search:
    def __init__(
        self, reader: BlobReader, limit: int, looked: Looked, progress: Callable[[int, int], None], contents: int
    ) -> None:
        self.results: dict[str, bytes] = {}
        self._reader = reader
        self._limit = limit
        self._looked = looked
        self._progress = progress
        self._contents = contents
        self._done = 0
        self._read = 0
        self._end = time.monotonic() + SECONDS

    def through(self, chains: Sequence[Chain], detector: Detector) -> list[Chain]:
        """Look through the chains. Gives those contents that have to be looked at again, because their neighbour failed."""
        again: list[Chain] = []
        for passage, answer in detector.scan(self._passages(chains)):
            if detector.ended:
                return []  # nobody waits for what comes of it
            version, window = passage.owner
            self._take(version, window, answer)
            version.open -= 1
            if not version.open and not self._finish(version):
                again.append([version.blob])
        return again

    def _passages(self, chains: Sequence[Chain]) -> Iterator[Passage[Piece]]:
        starts = {chain[0] for chain in chains}
        before: _Version | None = None
        last = b""
        for blob, content in self._reader.read((blob for chain in chains for blob in chain), limit=self._limit):
            if blob in starts:
                before = None
            if isinstance(content, Refused):
                self._looked.unread[blob] = content.reason
                continue
            self._read += len(content)
            if self._read > MAX_BYTES:
                self._looked.unread[blob] = "beyond what one audit reads"
                continue
            if time.monotonic() > self._end:
                self._looked.unread[blob] = LATE
                continue
            text, is_text = as_text(content)
            how = whole(text) if before is None or before.is_text != is_text else difference(last, text)
            version = _Version(blob, text, is_text, how, before if how.kept else None, max(1, len(how.windows)))
            for number, window in enumerate(how.windows or (_NOWHERE,)):
                held = len(text) if not number else 0
                yield Passage(text[window.start : window.end], (version, window), held)
            before, last = version, text

    def _take(self, version: _Version, window: Window, answer: Answer) -> None:
        if isinstance(answer, Unscanned):
            version.trouble = answer.reason
            return
        for hit in answer:
            start, end = hit.start + window.start, hit.end + window.start
            if window.decides(start, end) and (hit.sure or version.is_text):
                value = _valued(hit.kind, start, end, hit.sure, version.text)
                if not _harmless(value, version.text):
                    version.values.append(value)

    def _finish(self, version: _Version) -> bool:
        """All of a content is answered for. False when its neighbour was not, so that it has to be looked at alone."""
        before, version.before = version.before, None
        self._done += 1
        self._progress(self._done, self._contents)
        if version.trouble:
            self._looked.unread[version.blob] = version.trouble
            version.text = b""
            return True
        if before is not None and before.trouble:
            version.trouble = before.trouble  # for the next one; nothing is kept of it
            version.text = b""
            return False
        for value in before.values if before is not None else ():
            now = version.how.moved(value.start, value.end)
            if now is not None:
                version.values.append(_valued(value.kind, now, now + value.end - value.start, value.sure, version.text))
        version.values = list(_outermost(version.values))
        version.text = b""
        self.results[_key(version.blob)] = _packed(version.values)
        self._looked.searched.add(version.blob)
        if version.values:
            self._looked.values[version.blob] = tuple(version.values)
        return True


_NOWHERE = Window(0, 0, 0, 0)


def _packed(values: Iterable[Value]) -> bytes:
    return json.dumps([[each.kind, each.start, each.end, each.sure] for each in values]).encode("ascii")


def _key(blob: str) -> str:
    return f"{probe_set_version()}:secrets:{blob}"


_Place = tuple[str, int, int, bool]


def _from_cache(blobs: Sequence[str], cache: RecordCache) -> dict[str, tuple[_Place, ...]]:
    by_key = {_key(blob): blob for blob in blobs}
    found: dict[str, tuple[_Place, ...]] = {}
    for key, stored in cache.get(by_key).items():
        try:
            found[by_key[key]] = tuple(
                (str(kind), int(start), int(end), bool(sure)) for kind, start, end, sure in json.loads(stored)
            )
        except (ValueError, TypeError, RecursionError):
            continue  # not what we wrote: look again
    return found


def _harmless(value: Value, content: bytes) -> bool:
    after = content[value.end : value.end + _QUOTE].partition(b"\n")[0].decode("utf-8", errors="replace")
    before = content[max(0, value.start - _QUOTE) : value.start].rpartition(b"\n")[2].decode("utf-8", errors="replace")
    return is_placeholder(value.kind, value.value, after, before) or is_of_a_digest(before, value.value, after)


def is_of_a_digest(before: str, value: str, after: str) -> bool:
    """Does it stand in the midst of a digest as lock files write them? Some of thousands hold the letters of a token by chance."""
    begun, ended = _DIGEST.search(before[-_WIDEST_DIGEST:]), _DIGEST_GOES_ON.match(after)
    if begun is None or ended is None or not _OF_DIGESTS.fullmatch(value):
        return False
    return len(begun[2]) + len(value) + len(ended[0]) == _DIGESTS[begun[1]]


_DIGESTS = {"1": 28, "256": 44, "384": 64, "512": 88}
"""Letters of a digest, by its kind."""
_OF_DIGESTS = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_WIDEST_DIGEST = 100
_DIGEST = re.compile(r"(?<![\w-])sha(1|256|384|512)-([A-Za-z0-9+/]*)\Z")
_DIGEST_GOES_ON = re.compile(r"[A-Za-z0-9+/]*={0,2}(?![\w+/=-])")


def _valued(kind: str, start: int, end: int, sure: bool, content: bytes) -> Value:
    value = content[start:end].decode("utf-8", errors="replace")
    line = content.count(b"\n", 0, start) + 1
    return Value(kind, value, start, end, line, _quote(content, start, kind), sure)


def _outermost(values: Iterable[Value]) -> tuple[Value, ...]:
    """An inner one of two that overlap says nothing more."""
    kept: list[Value] = []
    end = -1
    for each in sorted(values, key=lambda each: (each.start, -each.end, not each.sure, each.kind)):
        if each.start >= end:
            end = each.end
            kept.append(each)
    return tuple(kept)


def _quote(content: bytes, start: int, kind: str) -> str:
    """The line up to the value, and what the value is; what follows may be more of it."""
    line = content.rfind(b"\n", 0, start) + 1
    before = content[max(line, start - _QUOTE) : start].decode("utf-8", errors="replace").lstrip()
    return f"{before}[{kind} not shown]"
