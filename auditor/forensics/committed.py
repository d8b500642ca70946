"""Secrets in every commit of the audited history: which contents to look through, and where what was found stood.

Each content is looked through once, by its blob id; what the cache keeps of it are offsets, never a value. Values
live in memory only, to tell equal ones and to keep them out of every quote.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.domain import EntryKind, Fact, FileChange, History, TreeEntry
from auditor.domain.globs import matches
from auditor.forensics.cache import RecordCache, probe_set_version
from auditor.forensics.detector import Detector, Hit, Unscanned
from auditor.forensics.inputs import CommittedSecrets, SecretPlace
from auditor.forensics.placeholders import LOOSE, is_placeholder
from auditor.forensics.roles import Role, is_example, is_test, role
from auditor.forensics.selection import binary_by_name
from auditor.repo import BlobReader, Refused

MAX_BLOBS = 100_000
"""Contents that one audit looks through, newest first."""
MAX_BYTES = 3_000_000_000
MAX_CONTENT = 8_000_000
_BINARY_PROBE = 8000
_QUOTE = 300
_MATERIAL = re.compile(
    r"(?:^|/)(?:testdata|test[-_]?data|[_-]*fixtures?[_-]*|[_-]*mocks?[_-]*|test[-_]\w+|\w+[-_]tests?)/", re.IGNORECASE
)
_SHORTEST = 6
"""Characters of a value that is kept out of quotes; shorter ones would take words out of them."""


@dataclass(frozen=True)
class Ground:
    """Where to look: the history, the head's files in scope, and what stood there before."""

    history: History
    head_sha: str
    in_scope: Mapping[str, TreeEntry]
    head: Mapping[str, TreeEntry]
    changes: tuple[FileChange, ...] | None
    base: Callable[[], Iterable[TreeEntry]]
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Writing:
    """A content that somebody committed: where, and in which commit."""

    blob: str
    path: str
    commit: str
    by_change: bool
    """Did the change write it? Always, where there is no base."""


@dataclass(frozen=True, slots=True)
class _Value:
    """A secret in a content: its kind, itself, its line, and that line without it."""

    kind: str
    value: str
    line: int
    quote: str
    sure: bool


@dataclass
class _Looked:
    values: dict[str, tuple[_Value, ...]] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """What a probe may see, and the values that nobody may."""

    secrets: CommittedSecrets
    values: frozenset[str]


def look_for_secrets(
    ground: Ground,
    reader: BlobReader,
    detector: Detector,
    cache: RecordCache,
    prepare: Callable[[Iterable[str]], None],
    progress: Callable[[int, int], None],
) -> Found:
    """Every secret of the range, with the oldest commit that it stands in at each path."""
    brought = frozenset(change.path for change in ground.changes or () if change.base is None)
    writings = [each for each in _writings(ground) if not _left_out(each.path, ground.exclude, brought)]
    wanted = list(dict.fromkeys(each.blob for each in reversed(writings)))
    kept, beyond = wanted[:MAX_BLOBS], len(wanted) - MAX_BLOBS
    prepare(kept)
    looked = _look(kept, reader, detector, cache, progress)
    if not any(looked.values.values()):
        return Found(_answer([], writings, looked, ground, beyond), frozenset())
    before = _before(ground, reader, detector, cache, prepare)
    places = _places(writings, looked, ground, before)
    shown = [place for place in places if not _is_material(place)]
    values = frozenset(each.value for found in looked.values.values() for each in found if len(each.value) >= _SHORTEST)
    return Found(_answer(shown, writings, looked, ground, beyond, len(places) - len(shown)), values)


def _writings(ground: Ground) -> Iterator[_Writing]:
    """Everything committed, oldest first; the head's files last, for what the history did not show."""
    for commit in reversed(ground.history.commits):
        for file in commit.files:
            if file.blob is not None and file.kind is EntryKind.FILE:
                yield _Writing(file.blob, file.path, commit.sha, by_change=True)
    changed = {change.path for change in ground.changes or ()}
    for path, entry in ground.in_scope.items():
        if entry.kind is EntryKind.FILE:
            yield _Writing(entry.blob, path, ground.head_sha, by_change=ground.changes is None or path in changed)


def _left_out(path: str, exclude: tuple[str, ...], brought: frozenset[str]) -> bool:
    """Binary by its name, or excluded; an exclusion speaks of what is there, not of what a change brings in."""
    return binary_by_name(path) or (path not in brought and any(matches(path, pattern) for pattern in exclude))


def _look(
    blobs: Sequence[str],
    reader: BlobReader,
    detector: Detector,
    cache: RecordCache,
    progress: Callable[[int, int], None],
) -> _Looked:
    looked = _Looked()
    known = _from_cache(blobs, cache)
    again = [blob for blob, hits in known.items() if hits]
    for blob, content in reader.read(again, limit=MAX_CONTENT):
        if isinstance(content, bytes):
            looked.values[blob] = _values(_text(content), known[blob])
    fresh = [blob for blob in blobs if blob not in known]
    results: dict[str, bytes] = {}
    done = 0
    for blob, content, answer in detector.scan(_contents(fresh, reader, looked)):
        done += 1
        progress(done, len(fresh))
        if isinstance(answer, Unscanned):
            looked.unread[blob] = answer.reason
            continue
        hits = tuple(hit for hit in answer if not _harmless(hit, content))
        results[_key(blob)] = json.dumps([[h.kind, h.start, h.end, h.line, h.sure] for h in hits]).encode("ascii")
        if hits:
            looked.values[blob] = _values(content, hits)
    cache.put(results)
    return looked


def _contents(blobs: Iterable[str], reader: BlobReader, looked: _Looked) -> Iterator[tuple[str, bytes]]:
    total = 0
    for blob, content in reader.read(blobs, limit=MAX_CONTENT):
        if isinstance(content, Refused):
            looked.unread[blob] = content.reason
        elif total > MAX_BYTES:
            looked.unread[blob] = "beyond what one audit reads"
        else:
            total += len(content)
            text = _text(content)
            if b"\0" not in text[:_BINARY_PROBE]:
                yield blob, text


_WIDE = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def _text(content: bytes) -> bytes:
    """The content in UTF-8 when it says by its first bytes that it is UTF-16: offsets must mean the same to all."""
    coding = _WIDE.get(content[:2])
    return content if coding is None else content.decode(coding, errors="replace").encode("utf-8")


def _key(blob: str) -> str:
    return f"{probe_set_version()}:secrets:{blob}"


def _from_cache(blobs: Sequence[str], cache: RecordCache) -> dict[str, tuple[Hit, ...]]:
    by_key = {_key(blob): blob for blob in blobs}
    found: dict[str, tuple[Hit, ...]] = {}
    for key, stored in cache.get(by_key).items():
        try:
            found[by_key[key]] = tuple(
                Hit(str(kind), int(start), int(end), int(line), bool(sure))
                for kind, start, end, line, sure in json.loads(stored)
            )
        except (ValueError, TypeError):
            continue  # not what we wrote: look again
    return found


def _harmless(hit: Hit, content: bytes) -> bool:
    value = content[hit.start : hit.end].decode("utf-8", errors="replace")
    after = content[hit.end : hit.end + 300].partition(b"\n")[0].decode("utf-8", errors="replace")
    return is_placeholder(hit.kind, value, after)


def _values(content: bytes, hits: Iterable[Hit]) -> tuple[_Value, ...]:
    """The values at those places. An inner one of two that overlap says nothing more."""
    values: list[_Value] = []
    end = -1
    for hit in sorted(hits, key=lambda each: (each.start, -each.end, not each.sure, each.kind)):
        if hit.start < end:
            continue
        end = hit.end
        values.append(
            _Value(
                hit.kind,
                content[hit.start : hit.end].decode("utf-8", errors="replace"),
                hit.line,
                _quote(content, hit),
                hit.sure,
            )
        )
    return tuple(values)


def _quote(content: bytes, hit: Hit) -> str:
    """The line up to the value, and what the value is; what follows may be more of it."""
    start = content.rfind(b"\n", 0, hit.start) + 1
    before = content[max(start, hit.start - _QUOTE) : hit.start].decode("utf-8", errors="replace").lstrip()
    return f"{before}[{hit.kind} not shown]"


def _before(
    ground: Ground,
    reader: BlobReader,
    detector: Detector,
    cache: RecordCache,
    prepare: Callable[[Iterable[str]], None],
) -> frozenset[str]:
    """Values that stood in the touched files before the change."""
    if ground.changes is None:
        return frozenset()
    touched = {file.path for commit in ground.history.commits for file in commit.files}
    touched |= {change.base.path for change in ground.changes if change.base is not None}
    blobs = list(dict.fromkeys(
        entry.blob for entry in ground.base() if entry.path in touched and entry.kind is EntryKind.FILE and not binary_by_name(entry.path)
    ))  # fmt: skip
    prepare(blobs)
    stood = _look(blobs, reader, detector, cache, lambda _done, _all: None)
    return frozenset(each.value for found in stood.values.values() for each in found)


def _places(writings: list[_Writing], looked: _Looked, ground: Ground, before: frozenset[str]) -> list[SecretPlace]:
    """For every value and path the oldest commit it stands in, and the head's line if it still does."""
    marks: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    places: list[SecretPlace] = []
    for writing in writings:
        for each in looked.values.get(writing.blob, ()):
            mark = marks.setdefault(each.value, _fingerprint(each, writing))
            if (each.value, writing.path) in seen:
                continue
            seen.add((each.value, writing.path))
            now = _at_head(each.value, writing.path, looked, ground)
            places.append(
                SecretPlace(
                    kind=each.kind,
                    fingerprint=mark,
                    path=writing.path,
                    line=each.line if now is None else now.line,
                    commit=writing.commit,
                    quote=each.quote if now is None else now.quote,
                    at_head=now is not None,
                    introduced=None if ground.changes is None else writing.by_change and each.value not in before,
                    sure=each.sure,
                )
            )
    return places


def _at_head(value: str, path: str, looked: _Looked, ground: Ground) -> _Value | None:
    entry = ground.head.get(path)
    return (
        None
        if entry is None
        else next((each for each in looked.values.get(entry.blob, ()) if each.value == value), None)
    )


def _fingerprint(value: _Value, writing: _Writing) -> str:
    """Made of the place where the value first stood and not of the value, so that no guess can be tried against it."""
    place = f"{value.kind}\0{writing.commit}\0{writing.path}\0{value.line}"
    return hashlib.blake2b(place.encode("utf-8", errors="surrogatepass"), digest_size=6).hexdigest()


def _is_material(place: SecretPlace) -> bool:
    """A value that anybody can make up, where tests, examples and documents make them up."""
    return place.kind in LOOSE and (
        is_test(place.path)
        or is_example(place.path)
        or role(place.path) is Role.DOCUMENTATION
        or bool(_MATERIAL.search(place.path))
    )


def _answer(
    places: list[SecretPlace],
    writings: list[_Writing],
    looked: _Looked,
    ground: Ground,
    beyond: int,
    material: int = 0,
) -> CommittedSecrets:
    paths = {writing.blob: writing.path for writing in writings}
    unread = {paths[blob]: reason for blob, reason in looked.unread.items() if blob in paths}
    reasons = [ground.history.limit_reason] if not ground.history.complete else []
    if beyond > 0:
        reasons.append(f"only the newest {MAX_BLOBS:,} contents were looked through")
    return CommittedSecrets(
        places=tuple(sorted(places, key=lambda each: (each.path, each.line, each.fingerprint))),
        commits=len(ground.history.commits),
        contents=len({writing.blob for writing in writings}) - max(beyond, 0),
        unread=dict(sorted(unread.items())),
        material=material,
        limit_reason="; ".join(reasons),
    )


def conceal(fact: Fact, values: frozenset[str]) -> Fact:
    """The fact without those values in anything it says, quotes or carries."""
    packed = fact.model_dump_json()
    pieces = [
        each for each in _pieces(values) if json.dumps(each, ensure_ascii=False)[1:-1] in packed or each in packed
    ]
    cut = "…" in packed
    if not pieces and not cut:
        return fact
    plain = fact.model_dump(mode="json", exclude={"data"})
    clean = Fact.model_validate(_without(plain, pieces, values))
    data = fact.data
    if data is not None:
        data = type(data).model_validate(_without(data.model_dump(mode="json"), pieces, values))
    return clean.model_copy(update={"data": data})


def _pieces(values: frozenset[str]) -> list[str]:
    """Values, longest first, and the longer lines of those that have several."""
    pieces = {
        line.strip() for value in values for line in (value, *value.splitlines()) if len(line.strip()) >= _SHORTEST
    }
    return sorted((each for each in pieces if not each.startswith("-----")), key=lambda each: (-len(each), each))


def _without(said: Any, pieces: list[str], values: frozenset[str]) -> Any:
    """Plain data without the pieces. Its depth is that of our own models."""
    if isinstance(said, str):
        for piece in pieces:
            said = said.replace(piece, "[redacted secret]")
        return _uncut(said, values) if said.endswith("…") else said
    if isinstance(said, list):
        return [_without(each, pieces, values) for each in said]
    if isinstance(said, dict):
        return {key: _without(each, pieces, values) for key, each in said.items()}
    return said


def _uncut(said: str, values: frozenset[str]) -> str:
    """A quote cut in the middle of a value ends with the value's beginning."""
    body = said[:-1]
    for value in values:
        for length in range(min(len(value), len(body)), _SHORTEST - 1, -1):
            if body.endswith(value[:length]):
                return f"{body[:-length]}[redacted secret]…"
    return said
