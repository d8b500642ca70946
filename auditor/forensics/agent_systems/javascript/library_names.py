"""What LangGraph.js, its neighbours and the language itself call things, beside the names that the following of code knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import KeyRow, NameRows, Source, names_of, read_table

PACKAGE_MARK = "script:"
"""Stands before what a script imports from, since scripts name files and packages rather than modules."""
SCRIPT_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_SCRIPT = re.compile(r"\.[cm]?[jt]sx?$")
_DATA = Path(__file__).with_name("library_names.yaml")


class _Renamed(KeyRow):
    name: str
    python: str
    source: Source


class _Names(Frozen):
    methods: tuple[_Renamed, ...]
    options: tuple[_Renamed, ...]
    calls_with_options: NameRows


@cache
def method_names() -> Mapping[str, str]:
    """Methods that have another name in Python."""
    return {row.name: row.python for row in read_table(_DATA, _Names).methods}


@cache
def option_names() -> Mapping[str, str]:
    """Options that have another name in Python."""
    return {row.name: row.python for row in read_table(_DATA, _Names).options}


@cache
def calls_with_options() -> frozenset[str]:
    """Calls whose one object of options is read as arguments by name."""
    return names_of(read_table(_DATA, _Names).calls_with_options)


def is_script(path: str) -> bool:
    """Is it a JavaScript or TypeScript file, declarations left out?"""
    return bool(_SCRIPT.search(path)) and not path.endswith((".d.ts", ".d.mts", ".d.cts"))


def package_name(name: str) -> str:
    """The qualified name of what a script imports from a package: `@langchain/langgraph` becomes `langchain.langgraph`."""
    if not name.startswith(PACKAGE_MARK):
        return name
    bare = name.removeprefix(PACKAGE_MARK).removeprefix("node:").removeprefix("npm:").lstrip("@")
    return bare.replace("/", ".").replace("-", "_")
