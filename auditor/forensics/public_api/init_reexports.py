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

_MAX_FOLDER_DEPTH = 12
_FROM_IMPORT = lazy_compile(
    r"^[ \t]{0,40}from[ \t]{1,20}(?P<dots>\.{0,12})(?P<origin>[\w.]{0,200})[ \t]{1,20}import[ \t]{0,20}(?:\((?P<many>[^()]{0,20000})\)|(?P<some>[^\n(]{1,2000}))",
    re.MULTILINE,
)
_TOP_LEVEL_STATEMENT = lazy_compile(r"^(?:(?P<own>(?:async[ \t]{1,20})?def|class)\b|[^\s)\]}])", re.MULTILINE)
_ALL_ASSIGNMENT = lazy_compile(
    r"^__all__(?:[ \t]{0,20}:[^=\n]{1,80})?[ \t]{0,20}=[ \t]{0,20}(?:\((?P<round>[^()]{0,100000})\)|\[(?P<square>[^\[\]]{0,100000})\])[ \t]{0,20}$",
    re.MULTILINE,
)
_QUOTED_NAME = lazy_compile(r"[\"'](\w{1,200})[\"']")
_REEXPORT_STATEMENT = lazy_compile(
    r"^(?:from|import|try|except|else|finally|if[ \t]{1,20}(?:typing\.)?TYPE_CHECKING|__\w{1,50}__)\b", re.MULTILINE
)
"""Top-level statements of a module that only re-exports names of others."""
_IMPORTED_NAME = lazy_compile(r"^(?P<name>\w{1,200})(?:\s{1,20}as\s{1,20}(?P<other>\w{1,200}))?$")


def is_private_module(path: str) -> bool:
    """Is a module, or a folder around it, named as private to its own package?"""
    *folders, module = path.removesuffix(".py").split("/")
    return _is_private_name(module) or any(map(_is_private_folder, folders))


def _is_private_name(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _is_private_folder(name: str) -> bool:
    return _is_private_name(name) or name in _INTERNAL_FOLDERS or name.endswith(("_internal", "_internals"))


_INTERNAL_FOLDERS = frozenset({"internal", "internals"})


def alternative_path(path: str) -> str:
    """`pkg/__init__.py` for `pkg.py` and the other way round: both are imported by the same name."""
    stem = path.removesuffix(".py")
    return f"{stem.removesuffix('/__init__')}.py" if stem.endswith("/__init__") else f"{stem}/__init__.py"


def find_package_inits(changed: Iterable[str], files: Collection[str]) -> set[str]:
    """The `__init__.py` files of the public packages around private modules."""
    found: set[str] = set()
    for path in changed:
        if path.endswith(".py") and is_private_module(path):
            folders = path.split("/")[:-1][:_MAX_FOLDER_DEPTH]
            around = ("/".join((*folders[:depth], "__init__.py")) for depth in range(1, len(folders) + 1))
            found.update(front for front in around if front in files and not is_private_module(front))
    return found


def find_public_siblings(changed: Iterable[str], files: Iterable[str]) -> dict[str, frozenset[str]]:
    """Public modules in the same folder as changed private modules or packages, and the names of those."""
    holding: dict[str, set[str]] = {}
    for path in changed:
        if path.endswith(".py") and is_private_module(path):
            parts = path.removesuffix(".py").split("/")
            at = next((at for at, part in enumerate(parts[:-1]) if _is_private_folder(part)), len(parts) - 1)
            holding.setdefault("/".join(parts[:at]), set()).add(parts[at])
    found: dict[str, frozenset[str]] = {}
    for path in files if holding else ():
        folder, _, name = path.rpartition("/")
        if name.endswith(".py") and folder in holding and name != "__init__.py" and not _is_private_name(name):
            found[path] = frozenset(holding[folder])
    return found


def find_private_imports(
    path: str, text: str, files: Collection[str]
) -> Iterator[tuple[str, Mapping[str, str] | None]]:
    """The private modules that a module re-exports from: all names (None), or names there -> names here."""
    code = strip_comments_and_docstrings(text) if "import" in text else ""
    exports = None if is_private_module(path) else _explicit_exports(code)
    offers = exports is not None or path.endswith("__init__.py") or is_private_module(path) or _only_reexports(code)
    for found in _module_level_imports(code):
        said = (found["many"] or found["some"]).replace("\\", " ").split(",")
        target = _resolve_module(path, len(found["dots"]), found["origin"], files)
        if target is None or not is_private_module(target):
            continue
        if [each.strip() for each in said] == ["*"]:
            yield target, None if exports is None else {each: each for each in sorted(exports)}
            continue
        named = [told for each in said if (told := _IMPORTED_NAME.match(each.strip())) is not None]
        seen = {
            told["name"]: told["other"] or told["name"] for told in named if offers or told["name"] == told["other"]
        }
        if seen or offers:
            yield target, {name: other for name, other in seen.items() if _is_offered(other, exports)}


def _only_reexports(code: str) -> bool:
    """Does a module do nothing but re-export names of others?"""
    return sum(1 for _ in _TOP_LEVEL_STATEMENT.finditer(code)) == sum(1 for _ in _REEXPORT_STATEMENT.finditer(code))


def _is_offered(name: str, exports: Collection[str] | None) -> bool:
    return not name.startswith("_") if exports is None else name in exports


def _module_level_imports(code: str) -> Iterator[re.Match[str]]:
    """Imports that bind names of the module, and not of a function or class in it."""
    margin = [(found.start(), found["own"] is not None) for found in _TOP_LEVEL_STATEMENT.finditer(code)]
    for found in _FROM_IMPORT.finditer(code):
        at = bisect_right(margin, (found.start(), True)) - 1
        if at < 0 or not margin[at][1]:
            yield found


def _explicit_exports(code: str) -> frozenset[str] | None:
    """The names in `__all__`; None where it is missing or computed."""
    found = _ALL_ASSIGNMENT.search(code) if code.count("__all__") == 1 else None
    return None if found is None else frozenset(_QUOTED_NAME.findall(found["round"] or found["square"] or ""))


def _resolve_module(path: str, dots: int, origin: str, files: Collection[str]) -> str | None:
    """The file of the module that an import names; of a package its `__init__.py`."""
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
