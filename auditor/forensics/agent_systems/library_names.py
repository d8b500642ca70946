"""Names of libraries, and of their calls, that the study knows: rows of `library_names.yaml`."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameRows, NameSet, Row, Source, name_reader, read_table

BUILTINS = frozenset(dir(builtins))
_DATA = Path(__file__).with_name("library_names.yaml")


class _Exports(Row):
    library: str
    names: NameSet
    source: Source


class _Names(Frozen):
    auth_messages: NameRows
    builder_methods: NameRows
    builders: NameRows
    cleanup_calls: NameRows
    clone_calls: NameRows
    computing_calls: NameRows
    concurrency_calls: NameRows
    data_suffixes: NameRows
    exports: tuple[_Exports, ...]
    file_read_calls: NameRows
    git_clone_options_with_value: NameRows
    http_post_calls: NameRows
    inspecting_calls: NameRows
    log_calls: NameRows
    model_addresses: NameRows
    model_calls: NameRows
    model_classes: NameRows
    model_packages: NameRows
    model_wrappers: NameRows
    no_score_calls: NameRows
    parsing_calls: NameRows
    path_calls: NameRows
    persona_suffixes: NameRows
    process_calls: NameRows
    prompt_calls: NameRows
    request_schema_keys: NameRows
    schema_arguments: NameRows
    spread_calls: NameRows
    summarizing_calls: NameRows
    text_splitting_methods: NameRows
    thread_calls: NameRows
    tool_methods: NameRows
    write_calls: NameRows


known_names = name_reader(_DATA, _Names)
"""The names of a section."""


@cache
def recorded_calls() -> frozenset[str]:
    """Calls that questions look at once the program was followed."""
    return frozenset().union(*map(known_names, _RECORDED))


_RECORDED = (
    "process_calls",
    "clone_calls",
    "model_calls",
    "http_post_calls",
    "write_calls",
    "cleanup_calls",
    "text_splitting_methods",
    "parsing_calls",
)


@cache
def library_exports() -> Mapping[str, frozenset[str]]:
    """What libraries offer that are imported whole, where a file imports several of them so."""
    return {row.library: row.names for row in read_table(_DATA, _Names).exports}


@cache
def joined_pattern(section: str, form: str = "(?:{})", flags: int = 0) -> re.Pattern[str]:
    """The regular expressions of a section as alternatives, inserted into a form."""
    return re.compile(form.format("|".join(sorted(known_names(section)))), flags)


@cache
def suffixes_with_dot(section: str) -> tuple[str, ...]:
    """The suffixes of a section as names of files end with them."""
    return tuple(f".{each}" for each in sorted(known_names(section)))
