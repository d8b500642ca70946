"""Which word of a command a program runs as a command or as code, where that word is not constant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from typing import NamedTuple

from auditor.forensics.library_models.command_words import TextOperandRow, TextOptionRow, command_words
from auditor.forensics.python.shell_words import Words, is_launcher, program_name, started_program
from auditor.row_tables import by_name

_ROWS = command_words()
_SETTINGS = {
    name: tuple(f"{each.lower()}*" for each in row.settings) for name, row in by_name(_ROWS.command_settings).items()
}
_OPERANDS = by_name(_ROWS.text_operands)
_OPTIONS = by_name(_ROWS.text_options)
_PROGRAMS = frozenset({*_SETTINGS, *_OPERANDS, *_OPTIONS})
_CLUSTER = re.compile(r"-[A-Za-z]{1,12}$")
_MAX_BEGINNING = 300


class Beginning(NamedTuple):
    """Stands for a word of a command of which only the beginning is constant."""

    text: str


class RunText(NamedTuple):
    """A word that is run as a text."""

    program: str
    at: int
    runs: str


def run_texts(words: Words) -> Iterator[RunText]:
    """The words, not constant, that the program among the words runs as a command or as code."""
    for start in _program_positions(words):
        program = program_name(words[start])
        yield from (RunText(program, at, "command") for at in _settings(program, words, start + 1))
        if program in _OPTIONS:
            yield from (RunText(program, at, "command") for at in _option_texts(_OPTIONS[program], words, start + 1))
        if program in _OPERANDS:
            row = _OPERANDS[program]
            yield from (RunText(program, at, row.runs) for at in _operand_texts(row, words, start + 1))


def _program_positions(words: Words) -> Iterator[int]:
    """Where the programs are that run texts: the first word, and what programs start that start others."""
    first = started_program(words, _runs_texts)
    if first is None:
        return
    yield first
    later = (at for at, word in enumerate(words) if at and first == 0 and is_launcher(words[0]) and _runs_texts(word))
    yield from islice(later, 1)


def _runs_texts(word: object) -> bool:
    return program_name(word) in _PROGRAMS


def _settings(program: str, words: Words, start: int) -> Iterator[int]:
    """Words that begin like a setting that is a command."""
    for at, word in enumerate(words[start:], start):
        text = word.text[:_MAX_BEGINNING].lower() if isinstance(word, Beginning) else ""
        if text and any(fnmatchcase(text, each) for each in _SETTINGS.get(program, ())):
            yield at


def _option_texts(row: TextOptionRow, words: Words, start: int) -> Iterator[int]:
    """What follows the options of a row, in the same word or as the next."""
    operands, at = 0, start
    while at < len(words) and operands <= row.operands:
        word = words[at]
        if isinstance(word, Beginning) and _begins_with_option(row, word.text):
            yield at
        if not isinstance(word, str) or not word.startswith("-"):
            operands += 1
        elif word == "--":
            return
        elif word in row.long_options or _ends_in(word, row.letters):
            if at + 1 < len(words) and not isinstance(words[at + 1], str):
                yield at + 1
            at += 1
        elif _ends_in(word, row.value_letters):
            at += 1
        at += 1


def _begins_with_option(row: TextOptionRow, text: str) -> bool:
    """`-cTEXT`, `--command=TEXT`."""
    attached = text[:1] == "-" and text[1:2] != "-" and text[1:2] in tuple(row.letters)
    return attached or _ends_in(text, row.letters) or text.startswith(tuple(f"{each}=" for each in row.long_options))


def _operand_texts(row: TextOperandRow, words: Words, start: int) -> Iterator[int]:
    """The operand that is run, and those behind it where a program joins them."""
    operands, at = 0, start
    while at < len(words) and operands <= row.operands:
        word = words[at]
        option = word.text if isinstance(word, Beginning) else word
        if isinstance(option, str) and option.startswith("-") and option != "-":
            if _ends_in(option, row.unless_letters) or option[1:2] in (*row.unless_letters,):
                return
            at += 2 if _ends_in(option, row.value_letters) else 1
            continue
        operands += 1
        at += 1
    if operands > row.operands:
        last = at if row.runs == "code" else len(words)
        yield from (each for each in range(at - 1, last) if not isinstance(words[each], str))


def _ends_in(word: str, letters: str) -> bool:
    """Is it one or several options of one letter in one word, the last one of them among the letters?"""
    return _CLUSTER.match(word) is not None and word[-1] in letters
