"""What the front of a Python package, its `__init__.py`, passes on of modules whose names say that they are for the package alone.

Texts are hostile and read by forms alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from posixpath import dirname

from auditor.late import late

_DEEPEST = 12
_TAKES = late(
    r"^[ \t]{0,40}from[ \t]{1,20}(?P<dots>\.{0,12})(?P<origin>[\w.]{0,200})[ \t]{1,20}import[ \t]{0,20}(?:\((?P<many>[^()]{0,20000})\)|(?P<some>[^\n(]{1,2000}))",
    re.MULTILINE,
)
_COMMENT = late(r"#[^\n]*")
_NAMED = late(r"^(?P<name>\w{1,200})(?:\s{1,20}as\s{1,20}(?P<other>\w{1,200}))?$")


def is_private(path: str) -> bool:
    """Does the name of a module, or of a folder around it, say that it is for its own package only?"""
    parts = path.removesuffix(".py").split("/")
    return any(part.startswith("_") and not part.startswith("__") for part in parts)


def fronts(changed: Iterable[str], files: Collection[str]) -> set[str]:
    """The fronts of the packages around private modules: others import those."""
    found: set[str] = set()
    for path in changed:
        if path.endswith(".py") and is_private(path):
            folders = path.split("/")[:-1][:_DEEPEST]
            around = ("/".join((*folders[:depth], "__init__.py")) for depth in range(1, len(folders) + 1))
            found.update(front for front in around if front in files and not is_private(front))
    return found


def taken(path: str, text: str, files: Collection[str]) -> Iterator[tuple[str, Mapping[str, str] | None]]:
    """The private modules in the tree that a front, or one that it takes from, takes from: all, or names there -> names here."""
    for found in _TAKES.finditer(text):
        target = _module(path, len(found["dots"]), found["origin"], files)
        if target is None or not is_private(target):
            continue
        said = _COMMENT.sub("", found["many"] or found["some"]).replace("\\", " ").split(",")
        if [each.strip() for each in said] == ["*"]:
            yield target, None
            continue
        named = [told for each in said if (told := _NAMED.match(each.strip())) is not None]
        seen = {told["name"]: told["other"] or told["name"] for told in named}
        yield target, {name: other for name, other in seen.items() if not other.startswith("_")}


def _module(path: str, dots: int, origin: str, files: Collection[str]) -> str | None:
    """The file behind the module that is named in an import; a package is its front."""
    folders = dirname(path).split("/") if dirname(path) else []
    parts = [part for part in origin.split(".") if part]
    if dots:
        above = folders[: len(folders) - dots + 1] if dots <= len(folders) + 1 else None
    else:
        above = next((folders[:at] for at, folder in enumerate(folders) if parts[:1] == [folder]), None)
    if above is None or not parts:
        return None
    place = "/".join((*above, *parts))
    return next((each for each in (f"{place}.py", f"{place}/__init__.py") if each in files), None)
