"""Rows of `script_values.yaml`: which commands of a script run, print or clean a value."""

from __future__ import annotations

import re
from functools import cache, cached_property
from pathlib import Path

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import read_table

_DATA = Path(__file__).with_name("script_values.yaml")


class Interpreter(Frozen):
    """Programs that run as code what follows an option."""

    programs: frozenset[str]
    option: str
    source: str = Field(pattern="^https://")


class Evaluator(Frozen):
    """Programs that run all that they are given."""

    programs: frozenset[str]
    source: str = Field(pattern="^https://")


class Expander(Frozen):
    """Programs for which a word of a form is a program of their own, which can start others."""

    programs: frozenset[str]
    word: str
    file: str = ""
    always: bool = False
    source: str = Field(pattern="^https://")


class ScriptValues(Frozen):
    """The whole table; the YAML file says what each part means."""

    shells: frozenset[str]
    wrappers: frozenset[str]
    interpreters: tuple[Interpreter, ...]
    evaluators: tuple[Evaluator, ...]
    expanders: tuple[Expander, ...]
    appenders: frozenset[str]
    sourcing: frozenset[str]
    input_files: frozenset[str]
    substituting: frozenset[str]
    copying: frozenset[str]
    arithmetic_operators: frozenset[str]
    code_variables: frozenset[str]
    environment_files: tuple[str, ...]
    line_cleaners: tuple[str, ...]
    texts_of_many_lines: tuple[str, ...]
    cleaners: tuple[str, ...]
    outsider_commands: tuple[str, ...]
    outsider_fields: tuple[str, ...]
    outsider_variables: tuple[str, ...]
    printers: frozenset[str]
    filters: frozenset[str]
    senders: frozenset[str]
    data_options: tuple[str, ...]
    lookups: frozenset[str]
    publishers: frozenset[str]
    published_things: frozenset[str]
    text_options: tuple[str, ...]
    environment_printers: frozenset[str]

    @cached_property
    def text_option(self) -> re.Pattern[str]:
        """The options of publishers whose value everybody can read."""
        return re.compile("|".join(self.text_options))

    @cached_property
    def data_option(self) -> re.Pattern[str]:
        """The options of senders whose value is sent as data."""
        return re.compile("|".join(self.data_options))

    @cached_property
    def cleaner(self) -> re.Pattern[str]:
        """What leaves nothing of a value that could be code."""
        return re.compile("|".join(self.cleaners))

    @cached_property
    def outsider_command(self) -> re.Pattern[str]:
        """What prints text of outsiders."""
        return re.compile("|".join(self.outsider_commands))

    def expanded_word(self, program: str) -> re.Pattern[str] | None:
        """The form of the words that a program expands or runs in a language of its own; None for any other program."""
        row = next((each for each in self.expanders if program in each.programs), None)
        return re.compile(row.word) if row else None

    def expanded_file(self, program: str) -> re.Pattern[str] | None:
        """The form of the words that name a file whose text a program expands; None for any other program."""
        row = next((each for each in self.expanders if program in each.programs), None)
        return re.compile(row.file) if row and row.file else None

    @cached_property
    def evaluating(self) -> frozenset[str]:
        """Programs that run all that they are given."""
        return frozenset(name for each in self.evaluators for name in each.programs)

    @cached_property
    def printed_text(self) -> re.Pattern[str]:
        """The fields of a record that hold text of outsiders."""
        return re.compile("|".join(self.outsider_fields))

    @cached_property
    def line_cleaner(self) -> re.Pattern[str]:
        """What leaves one line of a value, or writes its line ends in another form."""
        return re.compile("|".join(self.line_cleaners))

    @cached_property
    def text_of_many_lines(self) -> re.Pattern[str]:
        """The expressions and commands whose text may have several lines."""
        return re.compile("|".join(self.texts_of_many_lines))

    @cached_property
    def interpreting(self) -> frozenset[str]:
        """Programs that run a file, or what they read where they are given none."""
        return frozenset(name for each in self.interpreters for name in each.programs)

    def code_option(self, program: str) -> re.Pattern[str] | None:
        """The option behind which a program takes code; None where it takes none."""
        row = next((each for each in self.interpreters if program in each.programs), None)
        return re.compile(row.option) if row else None


@cache
def script_values() -> ScriptValues:
    """The table."""
    return read_table(_DATA, ScriptValues)
