"""Versions in a title such as `Bump X from A to B`, compared with manifests and lock files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from auditor.domain import FileChange
from auditor.forensics.dependencies.dependency_types import normalize_name
from auditor.forensics.dependencies.manifest_formats import is_lock, is_manifest, read_lock, read_manifest
from auditor.forensics.description.change_contents import Answer, ChangeContents, CheckedClaim, places
from auditor.forensics.description.claim_sentences import Sentence, is_denied
from auditor.lazy_regex import lazy_compile

_MAX_UPDATES = 20
"""Updates of one title that are looked at."""
_VERSION = r"v?(?P<{}>\d{{1,6}}(?:\.\d{{1,6}}){{0,4}}(?:[-.+]?[A-Za-z][\w.]{{0,20}})?)"
_VERB = lazy_compile(r"\b(?:bump|upgrade|update|downgrade|pin)(?:s|ed|d|ing|ned)?\b", re.IGNORECASE)
_UPDATE = lazy_compile(
    rf"(?<!\S)[`\"']?(?P<name>[\w@][\w@/.-]{{0,100}})[`\"']?\s+(?:version\s+)?(?:from\s+{_VERSION.format('old')}\s+)?to\s+{_VERSION.format('new')}(?![\w/]|\.\d)",
    re.IGNORECASE,
)
_ANY_PATCH = lazy_compile(r"(?:\.[xX*])+$")
"""The end of `1.x`, which stands for every version that starts so."""
_OWN_VERSION = lazy_compile(r"^\s*[\"']?version[\"']?\s*[:=]\s*[\"'](?P<version>\d[\w.+-]{0,40})[\"']")
_FIGURE = lazy_compile(r"\d+(?:\.\d+)*")
_WRONG = "The title names a version other than the one in the changed manifest or lock file"


class _Update(NamedTuple):
    name: str
    new: str


def find_version_claims(said: list[Sentence], contents: ChangeContents) -> Iterator[CheckedClaim]:
    """The updates that the title names."""
    for title in said[:1]:
        for update in _updates(title.text):
            if (answer := _answer(update, contents)) is not None:
                yield CheckedClaim("version", title, answer, _WRONG)


def _updates(title: str) -> Iterator[_Update]:
    verb = _VERB.search(title)
    if verb is None or is_denied(title, verb.start()):
        return
    for found in list(_UPDATE.finditer(title, verb.end()))[:_MAX_UPDATES]:
        if found["old"] or "." in found["new"]:
            yield _Update(found["name"], _ANY_PATCH.sub("", found["new"]))


def _answer(update: _Update, contents: ChangeContents) -> Answer | None:
    """None where no changed manifest or lock file says which version it is."""
    form = re.compile(rf"(?<![\d.]){re.escape(update.new)}(?!\d)")
    if any(update.new in line and form.search(line) for line in contents.added_lines):
        return Answer(True)
    held = {file.path: _versions(file, update.name, contents) for file in contents.change.files}
    if not contents.is_complete or any(_agree(each, update.new) for versions in held.values() for each in versions):
        return None
    others = [file for file in contents.change.files if held[file.path]]
    return Answer(False, places(others)) if others else None


def _versions(file: FileChange, name: str, contents: ChangeContents) -> frozenset[str]:
    """The versions that a changed manifest or lock file has of a package now, where they are others than before."""
    if file.head is None or not (is_manifest(file.path) or is_lock(file.path)):
        return frozenset()
    now = _versions_in(file.head.path, contents.documents.head.get(file.head.path, ""), name)
    then = (
        _versions_in(file.base.path, contents.documents.base.get(file.base.path, ""), name)
        if file.base
        else frozenset()
    )
    return now - then


def _versions_in(path: str, text: str, name: str) -> frozenset[str]:
    if is_lock(path):
        lock = read_lock(path, text)
        wanted = normalize_name(lock.registry, name)
        return frozenset(
            each.removeprefix("v")
            for held, versions in lock.versions.items()
            if normalize_name(lock.registry, held) == wanted
            for each in versions
        )
    if name.lower() == "version":
        return frozenset(own["version"] for line in text.split("\n") if (own := _OWN_VERSION.match(line[:300])))
    manifest = read_manifest(path, text)
    wanted = normalize_name(manifest.registry, name)
    asked = (each for each in manifest.dependencies if normalize_name(manifest.registry, each.name) == wanted)
    return frozenset(figure for each in asked for figure in _FIGURE.findall(each.spec))


def _agree(one: str, other: str) -> bool:
    """Are two versions the same as far as both are written?"""
    return all(first == second for first, second in zip(one.split("."), other.split("."), strict=False))
