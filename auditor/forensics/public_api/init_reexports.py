"""What the front of a Python package, its `__init__.py`, passes on of modules whose names say that they are for the package alone.

Other public modules of a package may pass such names on, too, but most only use them: they must say so, by a list of
exports, `import name as name` or `import *`, or be there for nothing else.

Texts are hostile and read by forms alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from posixpath import dirname

from auditor.forensics.source_text.comments import strip_comments_and_docstrings
from auditor.lazy_regex import lazy_compile

_DEEPEST = 12
_TAKES = lazy_compile(
    r"^[ \t]{0,40}from[ \t]{1,20}(?P<dots>\.{0,12})(?P<origin>[\w.]{0,200})[ \t]{1,20}import[ \t]{0,20}(?:\((?P<many>[^()]{0,20000})\)|(?P<some>[^\n(]{1,2000}))",
    re.MULTILINE,
)
_MARGIN = lazy_compile(r"^(?:(?P<own>(?:async[ \t]{1,20})?def|class)\b|[^\s)\]}])", re.MULTILINE)
_EXPORTS = lazy_compile(
    r"^__all__(?:[ \t]{0,20}:[^=\n]{1,80})?[ \t]{0,20}=[ \t]{0,20}(?:\((?P<round>[^()]{0,100000})\)|\[(?P<square>[^\[\]]{0,100000})\])[ \t]{0,20}$",
    re.MULTILINE,
)
_EXPORT = lazy_compile(r"[\"'](\w{1,200})[\"']")
_TAKING = lazy_compile(
    r"^(?:from|import|try|except|else|finally|if[ \t]{1,20}(?:typing\.)?TYPE_CHECKING|__\w{1,50}__)\b", re.MULTILINE
)
"""What stands at the margin of a module that is there for nothing but what it takes from others."""
_NAMED = lazy_compile(r"^(?P<name>\w{1,200})(?:\s{1,20}as\s{1,20}(?P<other>\w{1,200}))?$")


def is_private(path: str) -> bool:
    """Does the name of a module, or of a folder around it, say that it is for its own package only?"""
    *folders, module = path.removesuffix(".py").split("/")
    return _is_hidden(module) or any(map(_is_private_folder, folders))


def _is_hidden(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _is_private_folder(name: str) -> bool:
    return _is_hidden(name) or name in _INTERNAL or name.endswith(("_internal", "_internals"))


_INTERNAL = frozenset({"internal", "internals"})


def twin(path: str) -> str:
    """The front of the package that is imported like a module, and the other way round."""
    stem = path.removesuffix(".py")
    return f"{stem.removesuffix('/__init__')}.py" if stem.endswith("/__init__") else f"{stem}/__init__.py"


def fronts(changed: Iterable[str], files: Collection[str]) -> set[str]:
    """The fronts of the packages around private modules: others import those."""
    found: set[str] = set()
    for path in changed:
        if path.endswith(".py") and is_private(path):
            folders = path.split("/")[:-1][:_DEEPEST]
            around = ("/".join((*folders[:depth], "__init__.py")) for depth in range(1, len(folders) + 1))
            found.update(front for front in around if front in files and not is_private(front))
    return found


def beside(changed: Iterable[str], files: Iterable[str]) -> dict[str, frozenset[str]]:
    """Public modules in the same folder as changed private modules or packages, and the names of those."""
    holding: dict[str, set[str]] = {}
    for path in changed:
        if path.endswith(".py") and is_private(path):
            parts = path.removesuffix(".py").split("/")
            at = next((at for at, part in enumerate(parts[:-1]) if _is_private_folder(part)), len(parts) - 1)
            holding.setdefault("/".join(parts[:at]), set()).add(parts[at])
    found: dict[str, frozenset[str]] = {}
    for path in files if holding else ():
        folder, _, name = path.rpartition("/")
        if name.endswith(".py") and folder in holding and name != "__init__.py" and not _is_hidden(name):
            found[path] = frozenset(holding[folder])
    return found


def taken(path: str, text: str, files: Collection[str]) -> Iterator[tuple[str, Mapping[str, str] | None]]:
    """The private modules in the tree that a front, or one that it takes from, takes from: all, or names there -> names here."""
    code = strip_comments_and_docstrings(text) if "import" in text else ""
    exports = None if is_private(path) else _exports(code)
    offers = exports is not None or path.endswith("__init__.py") or is_private(path) or _takes_only(code)
    for found in _of_the_module(code):
        said = (found["many"] or found["some"]).replace("\\", " ").split(",")
        if found["dots"] and not found["origin"] and offers:
            yield from ((each, None) for each in _modules(path, len(found["dots"]), said, files, exports))
            continue
        target = _module(path, len(found["dots"]), found["origin"], files)
        if target is None or not is_private(target):
            continue
        if [each.strip() for each in said] == ["*"]:
            yield target, None if exports is None else {each: each for each in sorted(exports)}
            continue
        named = [told for each in said if (told := _NAMED.match(each.strip())) is not None]
        seen = {
            told["name"]: told["other"] or told["name"] for told in named if offers or told["name"] == told["other"]
        }
        if seen or offers:
            yield target, {name: other for name, other in seen.items() if _is_offered(other, exports)}


def _takes_only(code: str) -> bool:
    """Is a module there for nothing but what it takes from others?"""
    return sum(1 for _ in _MARGIN.finditer(code)) == sum(1 for _ in _TAKING.finditer(code))


def _is_offered(name: str, exports: Collection[str] | None) -> bool:
    return not name.startswith("_") if exports is None else name in exports


def _of_the_module(code: str) -> Iterator[re.Match[str]]:
    """Imports that bind names of the module, and not of a function or class in it."""
    margin = [(found.start(), found["own"] is not None) for found in _MARGIN.finditer(code)]
    for found in _TAKES.finditer(code):
        at = bisect_right(margin, (found.start(), True)) - 1
        if at < 0 or not margin[at][1]:
            yield found


def _exports(code: str) -> frozenset[str] | None:
    """What a module says it offers; None where it says nothing, or puts its list together."""
    found = _EXPORTS.search(code) if code.count("__all__") == 1 else None
    return None if found is None else frozenset(_EXPORT.findall(found["round"] or found["square"] or ""))


def _modules(
    path: str, dots: int, said: Iterable[str], files: Collection[str], exports: Collection[str] | None
) -> Iterator[str]:
    """Private modules that are passed on whole, by a public name of their own: `from . import _parse as parse`."""
    for each in said:
        told = _NAMED.match(each.strip())
        if told is not None and told["name"].startswith("_") and _is_offered(told["other"] or told["name"], exports):
            target = _module(path, dots, told["name"], files)
            if target is not None:
                yield target


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
