"""DuckDB, which is an optional dependency: loaded when a question is asked over a store."""

from __future__ import annotations

import importlib
from typing import Any

from auditor.domain import UserError

INSTALL_HINT = "DuckDB is not installed: run `pip install '.[fleet]'` in a checkout of Automaton Auditor."


def load_duckdb() -> Any:
    """The library. Raises UserError with the install command when it is missing."""
    try:
        return importlib.import_module("duckdb")
    except ImportError as error:
        raise UserError(INSTALL_HINT) from error


def glob_escaped(path: str) -> str:
    """A path in which DuckDB sees no pattern."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in path)


def quoted(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
