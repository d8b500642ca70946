"""Files that commands in documents run or read: a script behind its interpreter, a file behind an option, a folder to make in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from auditor.domain.frozen_model import Frozen
from auditor.forensics.documents.path_mentions import suffix_pattern
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameRows, NameSet, Row, Source, name_reader, read_table

_DATA = Path(__file__).with_name("command_programs.yaml")


class _FolderOptions(Row):
    program: str
    options: NameSet
    source: Source


class _Programs(Frozen):
    prefixes: NameRows
    runners: NameRows
    interpreters: NameRows
    file_programs: NameRows
    file_options: NameRows
    folder_options: tuple[_FolderOptions, ...]


_names = name_reader(_DATA, _Programs)


@cache
def _folder_options() -> Mapping[str, frozenset[str]]:
    """Options behind which a program is given the folder to work in, by program."""
    return {row.program: row.options for row in read_table(_DATA, _Programs).folder_options}


MAX_LINES = 400
_PROMPT = lazy_compile(r"^\s*(?:[\w.@~:/\\-]{0,60}[$#>%]\s+|>>>\s*)?")
_COMMAND_SEPARATOR = lazy_compile(r"\s*(?:&&|\|\||[;|])\s*")
_WORD = lazy_compile(r"\"([^\"]*)\"|'([^']*)'|(\S+)")
_ENVIRONMENT_ASSIGNMENT = lazy_compile(r"^[A-Z_][A-Z0-9_]*=\S*$")
_FILE_COMMANDS = frozenset({"cp", "chmod"})
_FILE_PATH = lazy_compile(
    lambda: (
        rf"^\.?/?(?:[\w@+-][\w.@+-]*/|\.[\w-]+/){{0,12}}(?:[\w@+-][\w.@+-]*\.(?:{suffix_pattern()})|(?:Dockerfile|Makefile|Containerfile)(?:\.[\w-]+)?)$"
    )
)
_FOLDER_PATH = lazy_compile(r"^\.?/?(?:[\w@+-][\w.@+-]*/?){1,12}$")
_MODULE_NAME = lazy_compile(r"^[a-z_]\w*(?:\.\w+){1,8}$")
_CREATING_COMMANDS = frozenset({"touch", "mkdir", "tee"})
_COPYING_COMMANDS = frozenset({"cp", "mv", "ln"})
_SCRIPT_PATH = lazy_compile(
    r"^\./.*\.(?:sh|bash|py|rb|js|mjs|ts|pl|php|ps1)$|^(?:scripts?|bin|tools?|hack|ci)/[\w./-]+\.(?:sh|bash|py|rb|js|mjs|ts|pl)$"
)


class CommandPaths(NamedTuple):
    """The paths that a line of commands requires, and those that it creates."""

    required: tuple[str, ...]
    modules: tuple[str, ...]
    made: tuple[str, ...]


def paths_in_command(line: str) -> CommandPaths:
    """The files, folders and Python modules that a line of commands requires, and those that it creates."""
    needed: list[str] = []
    modules: list[str] = []
    made: list[str] = []
    for part in _COMMAND_SEPARATOR.split(_PROMPT.sub("", line[:1_000], count=1))[:20]:
        words = [next(filter(None, found.groups()), "") for found in _WORD.finditer(part)][:60]
        made += _created_paths(words)
        plain = _strip_wrappers(words)
        if plain:
            needed += [each for each in _required_paths(plain) if each not in made]
            modules += _modules(plain)
    return CommandPaths(tuple(needed), tuple(modules), tuple(made))


def _strip_wrappers(words: list[str]) -> list[str]:
    """The command without what is set before it, what starts it, and the redirection of its output."""
    while words and (_ENVIRONMENT_ASSIGNMENT.match(words[0]) or words[0] in _names("prefixes")):
        words = words[1:]
    while " ".join(words[:2]) in _names("runners"):
        words = words[2:]
        while words and words[0].startswith("-"):
            words = words[1:]
    kept: list[str] = []
    skip = False
    for word in words:
        if skip or word.startswith("#"):
            if not skip:
                break
            skip = False
        elif re.match(r"^\d?>>?$|^<<?$", word):
            skip = True
        elif not re.match(r"^\d?[<>]", word):
            kept.append(word)
    return kept


def _created_paths(words: list[str]) -> Iterator[str]:
    if not words:
        return
    program = words[0] if words[0] != "sudo" else (words[1] if len(words) > 1 else "")
    if program in _CREATING_COMMANDS:
        yield from (each for each in words[1:] if not each.startswith("-"))
    if program in _COPYING_COMMANDS and len(words) > 2:
        yield words[-1]
    for each, following in pairwise(words):
        if each in {">", ">>", "-o", "--output", "-O", "--out"}:
            yield following


def _required_paths(words: list[str]) -> Iterator[str]:
    program = words[0]
    if _SCRIPT_PATH.match(program):
        yield program
    if program in _names("interpreters") and "-m" not in words[:3] and "-c" not in words[:2]:
        runs = (each.partition("::")[0] for each in words[1:] if not each.startswith("-"))
        script = next((each for each in runs if _FILE_PATH.match(each)), None)
        if script is not None:
            yield script
    elif program in _FILE_COMMANDS:
        first = next((each for each in words[1:] if not each.startswith(("-", "+")) and not each.isdigit()), "")
        if "/" in first and _FILE_PATH.match(first):
            yield first
    if program in _names("file_programs"):
        yield from _option_files(words)
    for option in _folder_options().get(program, ()):
        yield from (
            place
            for place in _option_values(words, (option,))
            if _FOLDER_PATH.match(place) and not place.startswith("/")
        )


def _option_files(words: list[str]) -> Iterator[str]:
    yield from (
        each
        for each in _option_values(words, _names("file_options"))
        if _FILE_PATH.match(each) and not each.startswith("/")
    )


def _option_values(words: list[str], options: Collection[str]) -> Iterator[str]:
    for each, following in zip(words, [*words[1:], ""], strict=True):
        name, _, value = each.partition("=")
        if name in options:
            yield value or following


def _modules(words: list[str]) -> Iterator[str]:
    """The dotted module that Python is to run."""
    if words[0] in {"python", "python3", "py"} and "-m" in words[:3]:
        at = words.index("-m")
        if len(words) > at + 1 and _MODULE_NAME.match(words[at + 1]):
            yield words[at + 1]
