"""Secrets in every commit of the audited history: which contents to look through, and where what was found stood.

Values live in memory only, to tell equal ones and to keep them out of every quote.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.domain import EntryKind, FileChange, History, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.forensics.secrets.content_scan import (
    SearchResult,
    SecretValue,
    VersionChain,
    search_blobs,
    search_short_texts,
)
from auditor.forensics.secrets.placeholder_secrets import is_generic_kind
from auditor.forensics.secrets.redacted_facts import MIN_VALUE_LENGTH
from auditor.forensics.secrets.secret_detector import Detector
from auditor.forensics.secrets.secret_places import CommittedSecrets, SecretPlace, SecretSource
from auditor.forensics.source_text.file_roles import Role, is_compressed_by_name, is_example, is_test, role
from auditor.repo.git_objects import MISSING_BLOB, BlobReader

MAX_BLOBS = 100_000
"""Contents that one audit looks through, newest first."""
_MAX_DISGUISED_BYTES = 100_000
"""Bytes up to which a content is looked into although its name says that it is compressed."""
_SLICE_SIZE = 20_000
"""Contents of which all are looked through before older ones are: time may not suffice for all."""
_TEST_DATA_FOLDER = re.compile(
    r"(?:^|/)(?:i18n|locales?|translations|testdata|test[-_]?data|[_-]*fixtures?[_-]*|[_-]*mocks?[_-]*|test[-_]\w+|\w+[-_]tests?)/",
    re.IGNORECASE,
)
_PLAIN_NOTE = re.compile(
    r"^(?!.*(?:example|sample|demo|tutorial|bench|template|dummy|fake|expected)).*\.(?:log|text|txt)$", re.IGNORECASE
)
"""Notes without markup beside the documents: a whole private key in one of them shows no reader how a key looks."""


@dataclass(frozen=True)
class ScanScope:
    """Where to look: the history, the head's files in scope, and what stood there before."""

    history: History
    head_sha: str
    in_scope: Mapping[str, TreeEntry]
    head: Mapping[str, TreeEntry]
    changes: tuple[FileChange, ...] | None
    base: Callable[[], Iterable[TreeEntry]]
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _CommittedBlob:
    """A content that somebody committed: where, and in which commit."""

    blob: str
    path: str
    commit: str
    is_from_change: bool
    """Did the change write it? Always, where there is no base."""


@dataclass(frozen=True)
class ScanResult:
    """What a probe may see, the values that nobody may, and the contents in which some are or could be."""

    secrets: CommittedSecrets
    values: frozenset[str]
    blobs: frozenset[str]


def scan_history(
    ground: ScanScope,
    reader: BlobReader,
    detector: Detector,
    cache: RecordCache,
    fetch_blobs: Callable[[Iterable[str]], None],
    progress: Callable[[int, int], None],
) -> ScanResult:
    """Every secret of the range, with the oldest commit that it is in at each path."""
    brought = frozenset(change.path for change in ground.changes or () if change.base is None)
    writings = [each for each in _committed_blobs(ground) if not _is_excluded(each.path, ground.exclude, brought)]
    links = list(_committed_links(ground))
    stood = _base_blobs(ground)
    wanted = list(dict.fromkeys(each.blob for each in reversed([*stood, *writings, *links])))
    kept, beyond = frozenset(wanted[:MAX_BLOBS]), len(wanted) - MAX_BLOBS
    fetch_blobs(wanted[:MAX_BLOBS])
    looked = _search(
        [each for each in (*stood, *writings, *links) if each.blob in kept], reader, detector, cache, progress
    )
    looked = _unquoted_only_in_settings(looked, [*stood, *writings])
    spoken, unheard = _metadata_secrets(ground, writings, detector)
    state = _ScanState(writings + links, looked, beyond, unheard, detector.lost)
    if not any(looked.values.values()) and not spoken:
        return ScanResult(_committed_secrets([], state, ground), frozenset(), frozenset(looked.unread))
    before = frozenset(value.value for each in stood for value in looked.values.get(each.blob, ()))
    pointed = _link_secrets(links, looked, ground, before)
    places = [*_places(writings, looked, ground, before), *pointed, *(place for _, place in spoken)]
    shown = [place for place in places if not _is_test_data(place)]
    found = [each for values in looked.values.values() for each in values] + [value for value, _ in spoken]
    values = frozenset(piece for each in found for piece in each.masked if len(piece) >= MIN_VALUE_LENGTH)
    answer = _committed_secrets(shown, state, ground, len(places) - len(shown))
    return ScanResult(answer, values, frozenset((*looked.values, *looked.unread)))


_SETTINGS_FILE = re.compile(
    r"(?:^|/)(?:\.?env(?:rc)?(?:\.[^/]*)?|[^/]*\.(?:env|ya?ml|properties|ini|cfg|conf|config|tfvars|dockerfile)|Dockerfile[^/]*|\.(?:npmrc|pypirc|netrc))$",
    re.IGNORECASE,
)
_UNQUOTED_KIND = "plain-secret"
"""The kind without quotes: in code it would be the name of something else."""


def _unquoted_only_in_settings(looked: SearchResult, writings: Sequence[_CommittedBlob]) -> SearchResult:
    """What was found, values without quotes only where a file of settings has that content."""
    settings = {each.blob for each in writings if _SETTINGS_FILE.search(each.path)}
    values = {
        blob: tuple(each for each in found if each.kind != _UNQUOTED_KIND or blob in settings)
        for blob, found in looked.values.items()
    }
    return SearchResult({blob: found for blob, found in values.items() if found}, looked.unread, looked.searched)


def _committed_blobs(ground: ScanScope) -> Iterator[_CommittedBlob]:
    """Everything committed, oldest first; the head's files last, for what the history did not show."""
    for commit in reversed(ground.history.commits):
        for file in commit.files:
            if file.blob is not None and file.kind is EntryKind.FILE:
                yield _CommittedBlob(file.blob, file.path, commit.sha, is_from_change=True)
    changed = {change.path for change in ground.changes or ()}
    for path, entry in ground.in_scope.items():
        if entry.kind is EntryKind.FILE:
            yield _CommittedBlob(
                entry.blob, path, ground.head_sha, is_from_change=ground.changes is None or path in changed
            )


def _committed_links(ground: ScanScope) -> Iterator[_CommittedBlob]:
    """Symbolic links that somebody committed, oldest first: where one leads is text like any other."""
    for commit in reversed(ground.history.commits):
        for file in commit.files:
            if file.blob is not None and file.kind is EntryKind.SYMLINK:
                yield _CommittedBlob(file.blob, file.path, commit.sha, is_from_change=True)


def _link_secrets(
    links: list[_CommittedBlob], looked: SearchResult, ground: ScanScope, before: frozenset[str]
) -> list[SecretPlace]:
    """Secrets in what symbolic links lead to, each value once at every path."""
    seen: dict[tuple[str, str], SecretPlace] = {}
    for link in links:
        for value in looked.values.get(link.blob, ()):
            new = None if ground.changes is None else value.value not in before
            place = _metadata_place(value, link.path, link.commit, value.line, new, "link")
            seen.setdefault((value.value, link.path), place)
    return list(seen.values())


def _metadata_secrets(
    ground: ScanScope, writings: Sequence[_CommittedBlob], detector: Detector
) -> tuple[list[tuple[SecretValue, SecretPlace]], str]:
    """Secrets in messages of commits and in who made them, and in names of files, and why some were not looked through.

    The latter two are shown by the oldest commit that has them.
    """
    oldest: dict[str, _CommittedBlob] = {}
    for writing in writings:
        oldest.setdefault(writing.path, writing)
    messages = search_short_texts(((each.sha, each.message) for each in ground.history.commits), detector)
    names = search_short_texts(((path, path) for path in oldest), detector)
    introduced = None if ground.changes is None else True
    people: dict[str, str] = {}
    for commit in reversed(ground.history.commits):
        for who in (commit.author, commit.committer):
            people.setdefault(f"{who.name} <{who.email}>", commit.sha)
    signed = search_short_texts(((said, said) for said in people), detector)
    told = [
        (value, _metadata_place(value, "", people[said], 1, introduced, "signature"))
        for said, values in signed.values.items()
        for value in values
    ]
    told += [
        (value, _metadata_place(value, "", sha, value.line, introduced, "message"))
        for sha, values in messages.values.items()
        for value in values
    ]
    for path, values in names.values.items():
        new = introduced and oldest[path].is_from_change and all(each.path != path for each in ground.base())
        told += [(value, _metadata_place(value, path, oldest[path].commit, 1, new, "name")) for value in values]
    return told, messages.unread or names.unread or signed.unread


def _metadata_place(
    value: SecretValue, path: str, commit: str, line: int, introduced: bool | None, stands_in: SecretSource
) -> SecretPlace:
    writing = _CommittedBlob("", path, commit, is_from_change=True)
    return SecretPlace(
        kind=value.kind,
        fingerprint=_fingerprint(value, writing),
        path=path,
        line=line,
        commit=commit,
        quote=f"[{value.kind} not shown]",
        at_head=False,
        introduced=introduced,
        sure=value.sure,
        source=stands_in,
    )


def _is_excluded(path: str, exclude: tuple[str, ...], added_paths: frozenset[str]) -> bool:
    """An exclusion speaks of what is there, not of what a change brings in."""
    return path not in added_paths and matches_any(path, exclude)


def _search(
    writings: Sequence[_CommittedBlob],
    reader: BlobReader,
    detector: Detector,
    cache: RecordCache,
    progress: Callable[[int, int], None],
) -> SearchResult:
    """A name that says compressed is believed of large contents alone: no text that is called a picture gets by."""
    plain = {each.blob for each in writings if not is_compressed_by_name(each.path)}
    looked = search_blobs(
        _version_chains([each for each in writings if each.blob in plain]), reader, detector, cache, progress
    )
    packed = _version_chains([each for each in writings if each.blob not in plain])
    disguised = search_blobs(packed, reader, detector, cache, limit=_MAX_DISGUISED_BYTES)
    lost = {
        blob: reason for blob, reason in disguised.unread.items() if not reason.startswith(("larger", MISSING_BLOB))
    }
    searched = looked.searched | disguised.searched
    return SearchResult({**looked.values, **disguised.values}, {**looked.unread, **lost}, searched)


def _version_chains(writings: Sequence[_CommittedBlob]) -> list[VersionChain]:
    """The newest contents, those of one path next to each other: neighbours are mostly equal, for git and for us."""
    newest = list(dict.fromkeys((each.blob, each.path) for each in reversed(writings)))
    seen: set[str] = set()
    chains: list[VersionChain] = []
    for start in range(0, len(newest), _SLICE_SIZE):
        by_path: dict[str, list[str]] = {}
        for blob, path in newest[start : start + _SLICE_SIZE]:
            if blob not in seen:
                seen.add(blob)
                by_path.setdefault(path, []).append(blob)
        chains += by_path.values()
    return chains


def _base_blobs(ground: ScanScope) -> list[_CommittedBlob]:
    """The touched files as they were before the change: what stood there is not new, and to be kept out of quotes too."""
    if ground.changes is None:
        return []
    touched = {file.path for commit in ground.history.commits for file in commit.files}
    touched |= {change.base.path for change in ground.changes if change.base is not None}
    return [
        _CommittedBlob(entry.blob, entry.path, "", is_from_change=False)
        for entry in ground.base()
        if entry.path in touched and entry.kind is EntryKind.FILE
    ]


def _places(
    writings: list[_CommittedBlob], looked: SearchResult, ground: ScanScope, before: frozenset[str]
) -> list[SecretPlace]:
    """For every value and path the oldest commit it is in, and the head's line if it still does."""
    marks: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    places: list[SecretPlace] = []
    for writing in writings:
        for each in looked.values.get(writing.blob, ()):
            mark = marks.setdefault(each.value, _fingerprint(each, writing))
            if (each.value, writing.path) in seen:
                continue
            seen.add((each.value, writing.path))
            now = _value_at_head(each.value, writing.path, looked, ground)
            places.append(
                SecretPlace(
                    kind=each.kind,
                    fingerprint=mark,
                    path=writing.path,
                    line=each.line if now is None else now.line,
                    commit=writing.commit,
                    quote=each.quote if now is None else now.quote,
                    at_head=now is not None,
                    introduced=None if ground.changes is None else writing.is_from_change and each.value not in before,
                    sure=each.sure,
                    **_hiding(each if now is None else now),
                )
            )
    return places


def _hiding(value: SecretValue) -> dict[str, Any]:
    """How a value is hidden, and the lines on which its pieces are."""
    hidden = value.hidden
    return {} if hidden is None else {"hidden": hidden.how, "other_lines": hidden.lines}


def _value_at_head(value: str, path: str, looked: SearchResult, ground: ScanScope) -> SecretValue | None:
    entry = ground.head.get(path)
    return (
        None
        if entry is None
        else next((each for each in looked.values.get(entry.blob, ()) if each.value == value), None)
    )


def _fingerprint(value: SecretValue, writing: _CommittedBlob) -> str:
    """Made of the place where the value first stood and not of the value, so that no guess can be tried against it."""
    place = f"{value.kind}\0{writing.commit}\0{writing.path}\0{value.line}"
    return hashlib.blake2b(place.encode("utf-8", errors="surrogatepass"), digest_size=6).hexdigest()


def _is_test_data(place: SecretPlace) -> bool:
    """A value that anybody can make up, where tests, examples and documents make them up."""
    if not is_generic_kind(place.kind):
        return False
    if is_test(place.path) or _TEST_DATA_FOLDER.search(place.path):
        return True
    if place.kind == "private-key" and _PLAIN_NOTE.search(place.path):
        return False
    return is_example(place.path) or role(place.path) is Role.DOCUMENTATION


@dataclass(frozen=True)
class _ScanState:
    """What was to be looked through, how far that went, and how many contents were left out from the start."""

    writings: Sequence[_CommittedBlob]
    looked: SearchResult
    beyond: int
    unheard: str
    """Why messages, names or signatures were not looked through; empty where all were."""
    lost: str
    """Why the detector was given up; empty where it was not."""


def _committed_secrets(
    places: list[SecretPlace], state: _ScanState, ground: ScanScope, test_data_count: int = 0
) -> CommittedSecrets:
    written = {writing.blob for writing in state.writings}
    dark = state.looked.unread
    unread = {writing.path: dark[writing.blob] for writing in state.writings if writing.blob in dark}
    reasons = [ground.history.limit_reason] if not ground.history.complete else []
    if state.beyond > 0:
        reasons.append(f"only the newest {MAX_BLOBS:,} file versions were searched")
    return CommittedSecrets(
        places=tuple(sorted(places, key=lambda each: (each.path, each.line, each.fingerprint))),
        commits=len(ground.history.commits),
        content_count=len(state.looked.searched & written),
        unread=dict(sorted(unread.items())),
        unread_content_count=len(dark.keys() & written),
        unheard=state.unheard,
        lost=state.lost,
        material=test_data_count,
        limit_reason="; ".join(reasons),
    )
