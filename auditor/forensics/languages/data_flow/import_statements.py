"""Statements that import, read as local names, what each stands for, and the packages; one reader a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Imported = tuple[str, str, str]
"""The local name, empty where there is none, what it stands for, and the package."""
_CLAUSE = re.compile(
    r"\bimport\b(?:\s+type\b)?([^;\"']{1,3000}?)\bfrom\s*$|\bimport\b\s*([\w$]{1,100})\s*=\s*require\($"
)
_BRACES = re.compile(r"\{([^{}]*)\}")
_BOUND = re.compile(r"(?:([\w$]+|\*)\s+as\s+)?([\w$]+)$")
_VERSION = re.compile(r"/v\d+$")
_JAVA = re.compile(r"import\s+(?:static\s+)?([\w.]{1,300}?)(?:\.\*)?\s*;?$")
_CSHARP = re.compile(r"(?:global\s+)?using\s+(?:static\s+)?(?:(\w{1,100})\s*=\s*)?(?:global::)?([\w.]{1,300})")
_PHP = re.compile(r"use\s+(?:function\s+|const\s+)?([^;]{1,3000})")
_PHP_NAME = re.compile(r"\\?([\w\\]{1,300})(?:\s+as\s+(\w{1,100}))?$")
_RUST_PART = re.compile(r"([\w:*]{1,300})(?:\s+as\s+(\w{1,100}))?$")
_QUOTED = re.compile(r"[\"'`]([^\"'`\n]{1,300})[\"'`]")
_MAX_NESTED = 6
_MAX_NAMES = 300


def plain_module(module: str) -> str:
    """A module without the mark of those that come with Node."""
    return module.removeprefix("node:")


def imported_by(language: str, written: str) -> Iterator[Imported]:
    """What one statement imports."""
    yield from _READERS.get(language, _of_javascript)(written)


def _of_javascript(written: str) -> Iterator[Imported]:
    quoted = list(_QUOTED.finditer(written))
    if not quoted:
        return
    module = plain_module(quoted[-1][1])
    yield "", "", module
    found = _CLAUSE.search(written[: quoted[-1].start()].rstrip())
    if found is None:
        return
    if found[2]:
        yield found[2], module, module
        return
    braces = _BRACES.search(found[1])
    for each in braces[1].split(",") if braces else ():
        bound = _BOUND.search(each.strip().removeprefix("type "))
        if bound is not None:
            own = bound[1] or bound[2]
            yield bound[2], module if own == "default" else f"{module}.{own}", module
    for each in _BRACES.sub("", found[1]).split(","):
        bound = _BOUND.search(each.strip())
        if bound is not None:
            yield bound[2], module, module


def _of_go(written: str) -> Iterator[Imported]:
    quoted = _QUOTED.search(written)
    if quoted is not None:
        path = _VERSION.sub("", quoted[1])
        alias = written[: quoted.start()].strip()
        local = alias or path.rpartition("/")[2].removeprefix("go-")
        yield ("" if local in "._" else local), path, path


def _of_java(written: str) -> Iterator[Imported]:
    found = _JAVA.match(" ".join(written.split()))
    if found is not None:
        yield found[1].rpartition(".")[2], found[1], found[1]


def _of_csharp(written: str) -> Iterator[Imported]:
    found = _CSHARP.match(" ".join(written.split()))
    if found is not None:
        yield found[1] or "", found[2], found[2]


def _of_php(written: str) -> Iterator[Imported]:
    found = _PHP.match(" ".join(written.split()))
    if found is None:
        return
    head, brace, rest = found[1].partition("{")
    for each in (rest.rstrip("} ") if brace else head).split(",")[:_MAX_NAMES]:
        bound = _PHP_NAME.match(each.strip())
        if bound is not None:
            whole = f"{head if brace else ''}{bound[1]}".strip("\\ ").replace("\\", ".")
            yield bound[2] or whole.rpartition(".")[2], whole, whole


def _of_rust(written: str) -> Iterator[Imported]:
    tree = " ".join(written.split()).partition("use ")[2].rstrip("; ")
    for path, alias in _flat(tree.replace(" ::", "::"), "", _MAX_NESTED):
        whole = path.removesuffix(".self").removesuffix(".*")
        yield alias or ("" if path.endswith("*") else whole.rpartition(".")[2]), whole, whole


def _flat(tree: str, before: str, depth: int) -> Iterator[tuple[str, str]]:
    """The paths of a tree of names: `a::{b, c::d as e}`."""
    if depth <= 0:
        return
    for part in _split(tree):
        head, brace, rest = part.partition("{")
        if brace:
            yield from _flat(rest.rstrip()[:-1], f"{before}{head.strip().replace('::', '.')}", depth - 1)
            continue
        bound = _RUST_PART.match(part)
        if bound is not None:
            yield f"{before}{bound[1].replace('::', '.')}", bound[2] or ""


def _split(tree: str) -> Iterator[str]:
    """The parts between commas outside of braces."""
    depth, begin = 0, 0
    for place, sign in enumerate(tree):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            yield tree[begin:place].strip()
            begin = place + 1
    yield tree[begin:].strip()


_READERS: dict[str, Callable[[str], Iterator[Imported]]] = {
    "go": _of_go,
    "java": _of_java,
    "csharp": _of_csharp,
    "php": _of_php,
    "rust": _of_rust,
}
