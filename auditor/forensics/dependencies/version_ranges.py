"""Does a version lie in a range that a manifest asks for? In the words of pip, Poetry, Cargo, Bundler and Composer."""

from __future__ import annotations

import re
from functools import lru_cache

from auditor.lazy_regex import lazy_compile

_VERSION = lazy_compile(r"^[vV=]?(?:\d+!)?(\d{1,9}(?:\.\d{1,9}){0,5})(.*)$")
_PART = lazy_compile(r"^(===|~=|==|!=|>=|<=|~>|<|>|\^|~|=)?\s*[vV]?(\d[\w.+!*-]*|\*)$")
Release = tuple[int, ...]


@lru_cache(maxsize=20_000)
def is_in_range(version: str, spec: str, default_operator: str) -> bool | None:
    """Is the version within the range? None where that cannot be determined.

    `default_operator` is what a number without a sign means: `^` for Cargo and Poetry, `=` otherwise.
    """
    release = _release(version)
    if release is None or "||" in spec or "|" in spec or " or " in spec or "@" in spec or " - " in spec:
        return None
    verdict = True
    for part in re.split(r"\s*,\s*|(?<=[\w*])\s+(?=[<>=!~^])", spec.strip()):
        if part in {"", "*", "x"}:
            continue
        one = _satisfies(release, part.strip(), default_operator)
        if one is None:
            return None
        verdict = verdict and one
    return verdict


def _release(version: str) -> Release | None:
    """The numbers of a version; None for one that is not final, which other rules hold for."""
    found = _VERSION.match(version.strip())
    if found is None or not re.fullmatch(r"(?:\.post\d+|\+[\w.]+|\.\*)?", found[2]):
        return None
    return tuple(int(each) for each in found[1].split("."))


def _satisfies(release: Release, part: str, default_operator: str) -> bool | None:  # noqa: PLR0911 - one for every sign
    found = _PART.match(part)
    if found is None:
        return None
    sign, written = found[1] or default_operator, found[2]
    if written == "*":
        return True
    wild = written.endswith((".*", ".x"))
    bound = _release(written.removesuffix(".*").removesuffix(".x"))
    if bound is None:
        return None
    if wild:
        return (release[: len(bound)] == bound) is (sign != "!=")
    if sign in {"~=", "~>"}:
        return _pad(release) >= _pad(bound) and release[: max(len(bound) - 1, 1)] == bound[: max(len(bound) - 1, 1)]
    if sign == "^":
        kept = next((number for number, each in enumerate(bound) if each), len(bound) - 1) + 1
        return _pad(release) >= _pad(bound) and _pad(release)[:kept] == bound[:kept]
    if sign == "~":
        kept = min(2, len(bound))
        return _pad(release) >= _pad(bound) and _pad(release)[:kept] == bound[:kept]
    return _compare(_pad(release), sign, _pad(bound))


def _compare(release: Release, sign: str, bound: Release) -> bool | None:
    return {
        "=": release == bound, "==": release == bound, "===": release == bound, "!=": release != bound,
        ">=": release >= bound, "<=": release <= bound, ">": release > bound, "<": release < bound,
    }.get(sign)  # fmt: skip


def _pad(release: Release) -> Release:
    return (*release, *(0,) * (8 - len(release)))
