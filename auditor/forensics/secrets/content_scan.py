"""Looking through contents for secrets: each once, and of versions of one file only what distinguishes them.

What is kept of a content from one audit to the next are places, never a value. Values live in memory only.
"""

from __future__ import annotations

import json
import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from auditor.forensics.record_cache.disk_cache import RecordCache, probe_set_version
from auditor.forensics.secrets.hidden_secrets import HiddenTexts, HiddenValue, hidden_passage
from auditor.forensics.secrets.placeholder_secrets import is_placeholder
from auditor.forensics.secrets.secret_detector import Answer, Detector, Hit, Passage, Unscanned
from auditor.forensics.source_text.content_diff import Difference, Window, difference, difference_from_nothing
from auditor.forensics.source_text.text_decoding import decode_text
from auditor.repo.git_objects import BlobReader, SkippedBlob

MAX_CONTENT_BYTES = 8_000_000
MAX_TOTAL_BYTES = 3_000_000_000
"""Bytes of contents that one audit reads in search of secrets."""
MAX_OLDER_FOLDED_BYTES = 1_000_000
"""Bytes around what older versions of files changed in which strings in pieces are put together; the newest version always is read so."""
TIMEOUT_SECONDS = 180.0
"""Wall seconds for everything that one audit looks through; what is left then is listed as unread."""
TIMEOUT_REASON = "the time limit for the secret search was reached"
_MAX_QUOTE_LENGTH = 300
_SHORT_TEXT_BATCH_BYTES = 100_000
"""Bytes of short texts that are looked through together."""

VersionChain = Sequence[str]
"""Ids of contents that are likely versions of one another, neighbours next to each other."""


@dataclass(frozen=True, slots=True)
class SecretValue:
    """A secret in a content: what it is, itself, where, and its line without it."""

    kind: str
    value: str
    start: int
    end: int
    line: int
    quote: str
    sure: bool
    hidden: HiddenValue | None = None
    """How it is written where the content does not say it as it is; the place is that of the expression then."""

    @property
    def masked(self) -> tuple[str, ...]:
        """What must not be quoted: the value, and the pieces that it is written in."""
        return (self.value,) if self.hidden is None else (self.value, *self.hidden.pieces)


@dataclass
class SearchResult:
    """What stood in each content that held something, what could not be looked through, and all that was, by blob id."""

    values: dict[str, tuple[SecretValue, ...]] = field(default_factory=dict)
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
    values: list[SecretValue] = field(default_factory=list)
    failure_reason: str = ""


class VersionWindow(NamedTuple):
    """What a passage is a part of: a stretch of a version, or the texts that are hidden in one."""

    version: _Version
    window: Window
    hidden: HiddenTexts | None = None


def search_blobs(
    chains: Iterable[VersionChain],
    reader: BlobReader,
    detector: Detector,
    cache: RecordCache,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    *,
    limit: int = MAX_CONTENT_BYTES,
) -> SearchResult:
    """Every secret of those contents of at most `limit` bytes; a content is in one chain only."""
    chains = [list(each) for each in chains]
    looked = SearchResult()
    known = _load_cached([blob for chain in chains for blob in chain], cache)
    looked.searched.update(known)
    for blob, content in reader.read((blob for blob, hits in known.items() if hits), limit=limit):
        if isinstance(content, SkippedBlob):
            looked.unread[blob] = content.reason
            looked.searched.discard(blob)
        else:
            text = decode_text(content)[0]
            looked.values[blob] = tuple(
                _make_value(kind, start, end, sure, text) for kind, start, end, sure in known[blob]
            )
    search = _BlobSearch(reader, limit, looked, progress, sum(len(chain) for chain in chains) - len(known))
    again: Sequence[VersionChain] = [
        fresh for chain in chains if (fresh := [blob for blob in chain if blob not in known])
    ]
    while again:
        again = search.search_chains(again, detector)
    cache.put(search.results)
    return looked


class ShortTextSecrets(NamedTuple):
    """Secrets in short texts, by the name of the text, and why some texts were not looked through."""

    values: dict[str, tuple[SecretValue, ...]]
    unread: str


def search_short_texts(words: Iterable[tuple[str, str]], detector: Detector) -> ShortTextSecrets:
    """Secrets of issuers' own forms in short texts, by the name each is given with: messages of commits, names of files."""
    found: dict[str, tuple[SecretValue, ...]] = {}
    unread = ""
    for passage, answer in detector.scan(_batch_short_texts(words)):
        if isinstance(answer, Unscanned):
            unread = answer.reason
            continue
        for hit in answer:
            name, start, end = passage.owner[bisect_right(passage.owner, hit.start, key=lambda each: each[1]) - 1]
            if hit.sure and start <= hit.start and hit.end <= end:
                text = passage.text[start:end]
                value = _make_value(hit.kind, hit.start - start, hit.end - start, hit.sure, text)
                if not _is_harmless(value, text):
                    found[name] = _outermost_values((*found.get(name, ()), value))
    return ShortTextSecrets(found, unread)


_TextSpans = list[tuple[str, int, int]]


def _batch_short_texts(words: Iterable[tuple[str, str]]) -> Iterator[Passage[_TextSpans]]:
    """Many short texts in few passages, each with who starts and ends where in it."""
    text, pieces = bytearray(), _TextSpans()
    for name, said in words:
        start = len(text)
        text += said.encode("utf-8", errors="replace")
        pieces.append((name, start, len(text)))
        text += b"\n\n"
        if len(text) > _SHORT_TEXT_BATCH_BYTES:
            yield Passage(bytes(text), pieces)
            text, pieces = bytearray(), _TextSpans()
    if pieces:
        yield Passage(bytes(text), pieces)


class _BlobSearch:
    def __init__(
        self, reader: BlobReader, limit: int, looked: SearchResult, progress: Callable[[int, int], None], contents: int
    ) -> None:
        self.results: dict[str, bytes] = {}
        self._reader = reader
        self._limit = limit
        self._looked = looked
        self._progress = progress
        self._contents = contents
        self._done = 0
        self._read = 0
        self._folded = 0
        self._end = time.monotonic() + TIMEOUT_SECONDS

    def search_chains(self, chains: Sequence[VersionChain], detector: Detector) -> list[VersionChain]:
        """Look through the chains. Gives those contents that have to be looked at again, because their neighbour failed."""
        again: list[VersionChain] = []
        for passage, answer in detector.scan(self._passages(chains)):
            if detector.ended:
                return []  # nobody waits for what comes of it
            version = passage.owner.version
            self._take(passage.owner, answer)
            version.open -= 1
            if not version.open and not self._finish(version):
                again.append([version.blob])
        return again

    def _passages(self, chains: Sequence[VersionChain]) -> Iterator[Passage[VersionWindow]]:
        starts = {chain[0] for chain in chains}
        before: _Version | None = None
        last = b""
        for blob, content in self._reader.read((blob for chain in chains for blob in chain), limit=self._limit):
            if blob in starts:
                before = None
            if isinstance(content, SkippedBlob):
                self._looked.unread[blob] = content.reason
                continue
            self._read += len(content)
            if self._read > MAX_TOTAL_BYTES:
                self._looked.unread[blob] = "beyond the size limit of one audit"
                continue
            if time.monotonic() > self._end:
                self._looked.unread[blob] = TIMEOUT_REASON
                continue
            text, is_text = decode_text(content)
            how = (
                difference_from_nothing(text) if before is None or before.is_text != is_text else difference(last, text)
            )
            stretches = how.windows or (_EMPTY_WINDOW,)
            folds = is_text and (before is None or self._folded < MAX_OLDER_FOLDED_BYTES)
            found = (hidden_passage(text, window) for window in stretches) if folds else ()
            self._folded += sum(window.end - window.start for window in stretches) if before is not None else 0
            hidden = [each for each in found if each is not None]
            version = _Version(blob, text, is_text, how, before if how.kept else None, len(stretches) + len(hidden))
            for number, window in enumerate(stretches):
                held = len(text) if not number else 0
                yield Passage(text[window.start : window.end], VersionWindow(version, window), held)
            for each in hidden:
                yield Passage(each.passage, VersionWindow(version, each.window, each))
            before, last = version, text

    def _take(self, owner: VersionWindow, answer: Answer) -> None:
        version, window, hidden = owner
        if isinstance(answer, Unscanned):
            version.failure_reason = answer.reason
            return
        if hidden is not None:
            version.values += _hidden_values(version.text, hidden, answer)
            return
        for hit in answer:
            start, end = hit.start + window.start, hit.end + window.start
            if window.covers(start, end) and (hit.sure or version.is_text):
                value = _make_value(hit.kind, start, end, hit.sure, version.text)
                if not _is_harmless(value, version.text):
                    version.values.append(value)

    def _finish(self, version: _Version) -> bool:
        """All of a content is answered for. False when its neighbour was not, so that it has to be looked at alone."""
        before, version.before = version.before, None
        self._done += 1
        self._progress(self._done, self._contents)
        if version.failure_reason:
            self._looked.unread[version.blob] = version.failure_reason
            version.text = b""
            return True
        if before is not None and before.failure_reason:
            version.failure_reason = before.failure_reason  # for the next one; nothing is kept of it
            version.text = b""
            return False
        for value in before.values if before is not None else ():
            now = version.how.moved(value.start, value.end)
            if now is not None:
                version.values.append(_moved_value(value, now, version.text))
        version.values = list(_outermost_values(version.values))
        version.text = b""
        if all(each.hidden is None for each in version.values):  # others could not be told from their places
            self.results[_cache_key(version.blob)] = _encode_values(version.values)
        self._looked.searched.add(version.blob)
        if version.values:
            self._looked.values[version.blob] = tuple(version.values)
        return True


_EMPTY_WINDOW = Window(0, 0, 0, 0)


def _encode_values(values: Iterable[SecretValue]) -> bytes:
    return json.dumps([[each.kind, each.start, each.end, each.sure] for each in values]).encode("ascii")


def _cache_key(blob: str) -> str:
    return f"{probe_set_version()}:secrets:{blob}"


_CachedPlace = tuple[str, int, int, bool]


def _load_cached(blobs: Sequence[str], cache: RecordCache) -> dict[str, tuple[_CachedPlace, ...]]:
    by_key = {_cache_key(blob): blob for blob in blobs}
    found: dict[str, tuple[_CachedPlace, ...]] = {}
    for key, stored in cache.get(by_key).items():
        try:
            found[by_key[key]] = tuple(
                (str(kind), int(start), int(end), bool(sure)) for kind, start, end, sure in json.loads(stored)
            )
        except (ValueError, TypeError, RecursionError):
            continue  # not what we wrote: look again
    return found


def _is_harmless(value: SecretValue, content: bytes) -> bool:
    after = content[value.end : value.end + _MAX_QUOTE_LENGTH].partition(b"\n")[0].decode("utf-8", errors="replace")
    before = (
        content[max(0, value.start - _MAX_QUOTE_LENGTH) : value.start]
        .rpartition(b"\n")[2]
        .decode("utf-8", errors="replace")
    )
    return is_placeholder(value.kind, value.value, after, before) or is_part_of_digest(before, value.value, after)


def is_part_of_digest(before: str, value: str, after: str) -> bool:
    """Is it in the midst of a digest as lock files write them? Some of thousands hold the letters of a token by chance."""
    begun, ended = _DIGEST_START.search(before[-_MAX_DIGEST_LENGTH:]), _DIGEST_END.match(after)
    if begun is None or ended is None or not _DIGEST_CHARACTERS.fullmatch(value):
        return False
    return len(begun[2]) + len(value) + len(ended[0]) == _DIGEST_LENGTHS[begun[1]]


_DIGEST_LENGTHS = {"1": 28, "256": 44, "384": 64, "512": 88}
"""Letters of a digest, by its kind."""
_DIGEST_CHARACTERS = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_MAX_DIGEST_LENGTH = 100
_DIGEST_START = re.compile(r"(?<![\w-])sha(1|256|384|512)-([A-Za-z0-9+/]*)\Z")
_DIGEST_END = re.compile(r"[A-Za-z0-9+/]*={0,2}(?![\w+/=-])")


def _make_value(kind: str, start: int, end: int, sure: bool, content: bytes) -> SecretValue:
    value = content[start:end].decode("utf-8", errors="replace")
    line = content.count(b"\n", 0, start) + 1
    return SecretValue(kind, value, start, end, line, _quote(content, start, kind), sure)


def _moved_value(value: SecretValue, now: int, content: bytes) -> SecretValue:
    """A value of the version before, by its place in this one."""
    end = now + value.end - value.start
    if value.hidden is None:
        return _make_value(value.kind, now, end, value.sure, content)
    line = content.count(b"\n", 0, now) + 1
    lines = tuple(each + line - value.line for each in value.hidden.lines)
    hidden = replace(value.hidden, lines=lines)
    return replace(value, start=now, end=end, line=line, quote=_quote(content, now, value.kind), hidden=hidden)


def _hidden_values(content: bytes, hidden: HiddenTexts, answer: tuple[Hit, ...]) -> Iterator[SecretValue]:
    """Secrets in texts that the content results in and does not say."""
    for hit in answer:
        made = hidden.value_at(hit, content)
        if made is None or is_placeholder(hit.kind, made.value, '"', made.before):
            continue
        line = content.count(b"\n", 0, made.start) + 1
        quote = _quote(content, made.start, hit.kind)
        yield SecretValue(hit.kind, made.value, made.start, made.end, line, quote, hit.sure, made)


def _outermost_values(values: Iterable[SecretValue]) -> tuple[SecretValue, ...]:
    """An inner one of two that overlap says nothing more."""
    kept: list[SecretValue] = []
    end = -1
    for each in sorted(values, key=lambda each: (each.start, -each.end, not each.sure, each.kind)):
        if each.start >= end:
            end = each.end
            kept.append(each)
    return tuple(kept)


def _quote(content: bytes, start: int, kind: str) -> str:
    """The line up to the value, and what the value is; what follows may be more of it."""
    line = content.rfind(b"\n", 0, start) + 1
    before = content[max(line, start - _MAX_QUOTE_LENGTH) : start].decode("utf-8", errors="replace").lstrip()
    return f"{before}[{kind} not shown]"
