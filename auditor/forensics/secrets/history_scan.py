"""Secrets in every commit of the audited history: which contents to look through, and where what was found stood.

Values live in memory only, to tell equal ones and to keep them out of every quote.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.domain import EntryKind, FileChange, History, TreeEntry
from auditor.domain.glob_patterns import fits
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.forensics.secrets.fact_masking import SHORTEST
from auditor.forensics.secrets.placeholder_secrets import LOOSE
from auditor.forensics.secrets.secret_detector import Detector
from auditor.forensics.secrets.secret_places import CommittedSecrets, SecretPlace, StandsIn
from auditor.forensics.secrets.secret_search import Chain, Looked, Value, look, look_in_words
from auditor.forensics.source_text.file_roles import Role, is_example, is_test, packed_by_name, role
from auditor.repo.git_objects import MISSING, BlobReader

MAX_BLOBS = 100_000
"""Contents that one audit looks through, newest first."""
_MAX_DISGUISED = 100_000
"""Bytes up to which a content is looked into although its name says that it is compressed."""
_SLICE = 20_000
"""Contents of which all are looked through before older ones are: time may not suffice for all."""
_MATERIAL = re.compile(
    r"(?:^|/)(?:i18n|locales?|translations|testdata|test[-_]?data|[_-]*fixtures?[_-]*|[_-]*mocks?[_-]*|test[-_]\w+|\w+[-_]tests?)/",
    re.IGNORECASE,
)


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


@dataclass(frozen=True)
class Found:
    """What a probe may see, the values that nobody may, and the contents in which some stand or could stand."""

    secrets: CommittedSecrets
    values: frozenset[str]
    blobs: frozenset[str]


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
    links = list(_links(ground))
    stood = _stood(ground)
    wanted = list(dict.fromkeys(each.blob for each in reversed([*stood, *writings, *links])))
    kept, beyond = frozenset(wanted[:MAX_BLOBS]), len(wanted) - MAX_BLOBS
    prepare(wanted[:MAX_BLOBS])
    looked = _look(
        [each for each in (*stood, *writings, *links) if each.blob in kept], reader, detector, cache, progress
    )
    looked = _of_settings(looked, [*stood, *writings])
    spoken, unheard = _spoken(ground, writings, detector)
    state = _State(writings + links, looked, beyond, unheard, detector.lost)
    if not any(looked.values.values()) and not spoken:
        return Found(_answer([], state, ground), frozenset(), frozenset(looked.unread))
    before = frozenset(value.value for each in stood for value in looked.values.get(each.blob, ()))
    pointed = _pointed(links, looked, ground, before)
    places = [*_places(writings, looked, ground, before), *pointed, *(place for _, place in spoken)]
    shown = [place for place in places if not _is_material(place)]
    found = [each for values in looked.values.values() for each in values] + [value for value, _ in spoken]
    values = frozenset(each.value for each in found if len(each.value) >= SHORTEST)
    answer = _answer(shown, state, ground, len(places) - len(shown))
    return Found(answer, values, frozenset((*looked.values, *looked.unread)))


_SETTINGS = re.compile(
    r"(?:^|/)(?:\.?env(?:rc)?(?:\.[^/]*)?|[^/]*\.(?:env|ya?ml|properties|ini|cfg|conf|config|tfvars|dockerfile)|Dockerfile[^/]*|\.(?:npmrc|pypirc|netrc))$",
    re.IGNORECASE,
)
_PLAIN = "plain-secret"
"""The kind without quotes: in code it would be the name of something else."""


def _of_settings(looked: Looked, writings: Sequence[_Writing]) -> Looked:
    """What was found, values without quotes only where a file of settings has that content."""
    settings = {each.blob for each in writings if _SETTINGS.search(each.path)}
    values = {
        blob: tuple(each for each in found if each.kind != _PLAIN or blob in settings)
        for blob, found in looked.values.items()
    }
    return Looked({blob: found for blob, found in values.items() if found}, looked.unread, looked.searched)


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


def _links(ground: Ground) -> Iterator[_Writing]:
    """Symbolic links that somebody committed, oldest first: where one leads is text like any other."""
    for commit in reversed(ground.history.commits):
        for file in commit.files:
            if file.blob is not None and file.kind is EntryKind.SYMLINK:
                yield _Writing(file.blob, file.path, commit.sha, by_change=True)


def _pointed(links: list[_Writing], looked: Looked, ground: Ground, before: frozenset[str]) -> list[SecretPlace]:
    """Secrets in what symbolic links lead to, each value once at every path."""
    seen: dict[tuple[str, str], SecretPlace] = {}
    for link in links:
        for value in looked.values.get(link.blob, ()):
            new = None if ground.changes is None else value.value not in before
            place = _told(value, link.path, link.commit, value.line, new, "link")
            seen.setdefault((value.value, link.path), place)
    return list(seen.values())


def _spoken(
    ground: Ground, writings: Sequence[_Writing], detector: Detector
) -> tuple[list[tuple[Value, SecretPlace]], str]:
    """Secrets in messages of commits and in who made them, and in names of files, and why some were not looked through.

    The latter two are shown by the oldest commit that has them.
    """
    oldest: dict[str, _Writing] = {}
    for writing in writings:
        oldest.setdefault(writing.path, writing)
    messages = look_in_words(((each.sha, each.message) for each in ground.history.commits), detector)
    names = look_in_words(((path, path) for path in oldest), detector)
    introduced = None if ground.changes is None else True
    people: dict[str, str] = {}
    for commit in reversed(ground.history.commits):
        for who in (commit.author, commit.committer):
            people.setdefault(f"{who.name} <{who.email}>", commit.sha)
    signed = look_in_words(((said, said) for said in people), detector)
    told = [
        (value, _told(value, "", people[said], 1, introduced, "signature"))
        for said, values in signed.values.items()
        for value in values
    ]
    told += [
        (value, _told(value, "", sha, value.line, introduced, "message"))
        for sha, values in messages.values.items()
        for value in values
    ]
    for path, values in names.values.items():
        new = introduced and oldest[path].by_change and all(each.path != path for each in ground.base())
        told += [(value, _told(value, path, oldest[path].commit, 1, new, "name")) for value in values]
    return told, messages.unread or names.unread or signed.unread


def _told(value: Value, path: str, commit: str, line: int, introduced: bool | None, stands_in: StandsIn) -> SecretPlace:
    writing = _Writing("", path, commit, by_change=True)
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
        stands_in=stands_in,
    )


def _left_out(path: str, exclude: tuple[str, ...], brought: frozenset[str]) -> bool:
    """An exclusion speaks of what is there, not of what a change brings in."""
    return path not in brought and fits(path, exclude)


def _look(
    writings: Sequence[_Writing],
    reader: BlobReader,
    detector: Detector,
    cache: RecordCache,
    progress: Callable[[int, int], None],
) -> Looked:
    """A name that says compressed is believed of large contents alone: no text that is called a picture gets by."""
    plain = {each.blob for each in writings if not packed_by_name(each.path)}
    looked = look(_chains([each for each in writings if each.blob in plain]), reader, detector, cache, progress)
    packed = _chains([each for each in writings if each.blob not in plain])
    disguised = look(packed, reader, detector, cache, limit=_MAX_DISGUISED)
    lost = {blob: reason for blob, reason in disguised.unread.items() if not reason.startswith(("larger", MISSING))}
    searched = looked.searched | disguised.searched
    return Looked({**looked.values, **disguised.values}, {**looked.unread, **lost}, searched)


def _chains(writings: Sequence[_Writing]) -> list[Chain]:
    """The newest contents, those of one path next to each other: neighbours are mostly equal, for git and for us."""
    newest = list(dict.fromkeys((each.blob, each.path) for each in reversed(writings)))
    seen: set[str] = set()
    chains: list[Chain] = []
    for start in range(0, len(newest), _SLICE):
        by_path: dict[str, list[str]] = {}
        for blob, path in newest[start : start + _SLICE]:
            if blob not in seen:
                seen.add(blob)
                by_path.setdefault(path, []).append(blob)
        chains += by_path.values()
    return chains


def _stood(ground: Ground) -> list[_Writing]:
    """The touched files as they were before the change: what stood there is not new, and to be kept out of quotes too."""
    if ground.changes is None:
        return []
    touched = {file.path for commit in ground.history.commits for file in commit.files}
    touched |= {change.base.path for change in ground.changes if change.base is not None}
    return [
        _Writing(entry.blob, entry.path, "", by_change=False)
        for entry in ground.base()
        if entry.path in touched and entry.kind is EntryKind.FILE
    ]


def _places(writings: list[_Writing], looked: Looked, ground: Ground, before: frozenset[str]) -> list[SecretPlace]:
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


def _at_head(value: str, path: str, looked: Looked, ground: Ground) -> Value | None:
    entry = ground.head.get(path)
    return (
        None
        if entry is None
        else next((each for each in looked.values.get(entry.blob, ()) if each.value == value), None)
    )


def _fingerprint(value: Value, writing: _Writing) -> str:
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


@dataclass(frozen=True)
class _State:
    """What was to be looked through, how far that went, and how many contents were left out from the start."""

    writings: Sequence[_Writing]
    looked: Looked
    beyond: int
    unheard: str
    """Why messages, names or signatures were not looked through; empty where all were."""
    lost: str
    """Why the detector was given up; empty where it was not."""


def _answer(places: list[SecretPlace], state: _State, ground: Ground, material: int = 0) -> CommittedSecrets:
    written = {writing.blob for writing in state.writings}
    dark = state.looked.unread
    unread = {writing.path: dark[writing.blob] for writing in state.writings if writing.blob in dark}
    reasons = [ground.history.limit_reason] if not ground.history.complete else []
    if state.beyond > 0:
        reasons.append(f"only the newest {MAX_BLOBS:,} contents were looked through")
    return CommittedSecrets(
        places=tuple(sorted(places, key=lambda each: (each.path, each.line, each.fingerprint))),
        commits=len(ground.history.commits),
        contents=len(state.looked.searched & written),
        unread=dict(sorted(unread.items())),
        unread_contents=len(dark.keys() & written),
        unheard=state.unheard,
        lost=state.lost,
        material=material,
        limit_reason="; ".join(reasons),
    )
