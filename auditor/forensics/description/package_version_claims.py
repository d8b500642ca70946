"""Versions of packages that a description tells, in sentences or in rows of a table, held against the manifests that come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from auditor.forensics.dependencies.manifest_formats import is_manifest
from auditor.forensics.description.change_contents import FROM_WORDING, MAX_SENTENCES, Answer, Ground, Held, Sentence
from auditor.forensics.description.version_and_count_claims import agree
from auditor.lazy_regex import lazy_compile

_ASKED = lazy_compile(
    r"^\s*(?:gem\s+)?[\"']?(?P<name>@?[A-Za-z][\w.-]{0,60}(?:/[\w.-]{1,60}){0,4})(?:\[[\w,-]{1,60}\])?[\"']?(?:\s{1,8}|\s{0,8}(?:[:=,]|==|>=|~=|=>)\s{0,8})\{?\s{0,8}(?:version\s{0,8}=\s{0,8})?[\"']?[\^~<>=v\s]{0,4}(?P<version>\d{1,5}(?:\.\d{1,6}){1,3})(?![\w.])"
)
_NO_PACKAGES = frozenset({"version", "python", "node", "npm", "rust-version", "ruby", "php", "go", "engines", "require", "requires-python"})  # fmt: skip
_VERSION = lazy_compile(r"(?<![\w.])[v^~]?(?P<version>\d{1,5}(?:\.\d{1,6}){1,3})(?![\w]|\.\d)")
_OF_OTHERS = lazy_compile(
    r"\b(?:thr(?:u|ough)|until|prior|earlier|older|below|affect\w*|vulnerab\w*|cve-\d+|ghsa-\w+|exploit\w*|does\s+not|introduced\s+in)\b|n't\b|<"
    r"|\d[`\"')]{0,2}\s+(?:also\s+|has\s+|had\s+)?(?:add|fix|dropp|introduc|remov|chang|deprecat|broke|break|br(?:ings|ought)|requir|need)\w{0,4}\b",
    re.IGNORECASE,
)
"""Words by which a version is one of those that a fault of a package is in, or that brought something to it."""
_WRONG = "The description tells the version of a package, and the manifest that comes asks for another"
_MOST = 200
"""Packages that are looked for."""


def held_packages(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every package of a manifest that comes with one version, of which a sentence tells another."""
    asked = _asked(ground)
    if not asked:
        return
    names = "|".join(re.escape(each) for each in sorted(asked, key=len, reverse=True)[:_MOST])
    form = re.compile(rf"(?<![\w./@-])`?(?P<name>{names})(?![\w/-])", re.IGNORECASE)
    told: dict[str, list[_Told]] = {}
    for sentence in said[:MAX_SENTENCES]:
        if _OF_OTHERS.search(sentence.text):
            continue
        found = list(form.finditer(sentence.text))[:20]
        for each, following in zip(found, [*found[1:], None], strict=False):
            end = following.start() if following else len(sentence.text)
            versions = [version["version"] for version in _VERSION.finditer(sentence.text, each.end(), end)]
            if versions:
                told.setdefault(each["name"].lower(), []).append(_Told(sentence, versions))
    for name, of_it in told.items():
        versions = [version for each in of_it for version in each.versions]
        held = any(agree(asked[name], version) for version in versions) or _in_lock(versions[-1], ground)
        if held or of_it[-1].versions[-1].count(".") > 1:
            yield Held("package", of_it[-1].sentence, Answer(held, confidence=0.7, because=FROM_WORDING), _WRONG)


class _Told(NamedTuple):
    """The versions that a sentence tells behind the name of a package."""

    sentence: Sentence
    versions: list[str]


def _in_lock(version: str, ground: Ground) -> bool:
    """Does a line come that holds the version, as a lock file does of which the manifest tells only the beginning?"""
    return any(version in line for line in ground.came)


def _asked(ground: Ground) -> dict[str, str]:
    """The packages of which lines come that ask for them, all for the same version, and that version."""
    found: dict[str, set[str]] = {}
    for line in ground.came_in(is_manifest):
        asked = _ASKED.match(line[:300])
        if asked and asked["name"].lower() not in _NO_PACKAGES:
            for name in _names(asked["name"].lower()):
                found.setdefault(name, set()).add(asked["version"])
    return {name: next(iter(versions)) for name, versions in found.items() if len(versions) == 1}


def _names(path: str) -> Iterator[str]:
    """A package, and what people call one that goes by an address: `github.com/jackc/pgx/v5` is `pgx`."""
    yield path
    parts = [part for part in path.split("/") if not _MAJOR.fullmatch(part)]
    if "." in parts[0] and len(parts) > 1:
        yield "/".join(parts[-2:])
        if len(parts[-1]) > 2:
            yield parts[-1]


_MAJOR = lazy_compile(r"v\d{1,3}")
