"""The tables of untrusted input: sources, sinks, and what lies between. The rows are in `taint_models.yaml`."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from pathlib import Path

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.code_facts.flow_rows import CheckRow, HarmlessRow, SinkRow, SourceRow
from auditor.forensics.code_facts.input_flows import Grade
from auditor.forensics.library_models.team_rows import kept_by_team_rows, team_rows
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.row_tables import FreeSet, TopicRow, read_table
from auditor.row_tables import Source as Documented

TOPIC = "taint_models"
_DATA = Path(__file__).with_name("taint_models.yaml")


class SourceKind(StrEnum):
    """What the names of a source are."""

    OBJECT = "object"
    CLASS = "class"
    PARAMETER = "parameter"
    METHOD = "method"
    ROUTE = "route"
    HANDLER = "handler"
    CALL = "call"
    VALUE = "value"


class Part(StrEnum):
    """What of an argument does harm."""

    WHOLE = "whole"
    PROGRAM = "program"
    RECEIVER = "receiver"
    ADDRESS = "address"
    ANY = "any"
    FILE = "file"
    KEYS = "keys"
    OPTIONS = "options"


class Source(SourceRow):
    """A row of sources."""

    kind: SourceKind
    beside: FreeSet = frozenset()
    """Names of the other parameter of a function that a platform calls with the input and what surrounds it."""
    bases: FreeSet = frozenset()
    """Ends of the names of base classes: only methods of such a class are given it, or have it."""

    def owned(self) -> Iterable[str]:
        """All names of the kind, for each package that a file must import; those of the environment by themselves."""
        begin = f"sent {self.kind}" if self.grade is Grade.ENVIRONMENT else self.kind
        return [f"{begin} {each} {package}".strip() for each in self.names for package in self.requires or ("",)]


class Sink(SinkRow):
    """A row of sinks."""

    argument: str
    position: int = Field(ge=0)
    part: Part = Part.WHOLE
    alone: bool = True
    """Is untrusted input there enough, whatever the other arguments say?"""
    remote: bool = False
    """Is it reported only where others than the person who starts the program give the input?"""
    on_input: bool = False
    """Is it one only where the method is called on untrusted input as well?"""

    def owned(self) -> Iterable[str]:
        """All calls, for the rule and the argument; those that run a file by themselves."""
        what = f"{self.argument}, {self.part}" if self.part is Part.FILE else self.argument
        return [f"{each} ({what}, {self.probe})" for each in self.calls]


class Harmless(HarmlessRow):
    """A row of calls whose result can do no harm."""

    def owned(self) -> Iterable[str]:
        """All calls, for each of the rules."""
        return [f"{each} ({probe})" if probe else each for each in self.calls for probe in self.probes or ("",)]


class Carrier(TopicRow):
    """Methods that put a value into an object, and those that take it out elsewhere."""

    puts: FreeSet
    takes: FreeSet
    source: Documented


class Checks(CheckRow):
    """Checks of Python; with a dot in front a method of the value."""

    raising: FreeSet = frozenset()
    """Methods of the value that raise an exception where it is not harmless."""


class TaintModels(Frozen):
    """All rows."""

    words: tuple[str, ...]
    environment_words: tuple[str, ...]
    download_words: tuple[str, ...]
    file_checks: FreeSet
    """Calls by which what is in a file may be checked."""
    secret_variables: FreeSet
    """Environment variables whose value no service asks for as it is."""
    sources: tuple[Source, ...]
    sinks: tuple[Sink, ...]
    returning: FreeSet
    harmless: tuple[Harmless, ...]
    harmless_methods: FreeSet
    joining_methods: FreeSet
    carriers: tuple[Carrier, ...]
    rooted_members: FreeSet
    checks: tuple[Checks, ...]

    def harmless_members_for(self, probe: str) -> frozenset[str]:
        """Members of a request whose value can do no harm where a probe looks."""
        return frozenset(name for each in self.harmless if probe in each.probes for name in each.members)

    def harmless_for(self, probe: str) -> frozenset[str]:
        """Calls whose result can do no harm where a probe looks."""
        rows = (each for each in self.harmless if not each.probes or probe in each.probes)
        return frozenset(name for each in rows for name in each.calls)


@cache
def followed_probes() -> frozenset[str]:
    """The rules that follow untrusted input."""
    return frozenset(each.probe for each in built_in_taint_models().sinks)


@cache
def checks_for(probe: str) -> Checks | None:
    """The checks after which a value can do no harm where a probe looks."""
    return next((each for each in built_in_taint_models().checks if probe in each.probes), None)


def built_in_taint_models() -> TaintModels:
    """The tables, read once."""
    return read_table(_DATA, TaintModels)


@kept_by_team_rows
def taint_models() -> TaintModels:
    """The tables, with the rows of the team that are in force."""
    known, own = built_in_taint_models(), team_rows().tables.get(TOPIC)
    if own is None:
        return known
    added = {section: (*getattr(known, section), *getattr(own, section)) for section in type(own).model_fields}
    words = (*known.words, *(name.rpartition(".")[2] for row in own.sources for name in sorted(row.names)))
    return known.model_copy(update={**added, "words": words})


@kept_by_team_rows
def sinks_of(probe: str) -> dict[str, tuple[Sink, ...]]:
    """The sinks that a probe reports, by the calls; several where more than one argument does harm."""
    found: dict[str, tuple[Sink, ...]] = {}
    for each in taint_models().sinks:
        for name in each.calls if each.probe == probe else ():
            found[name] = (*found.get(name, ()), each)
    return found


@kept_by_team_rows
def source_words() -> frozenset[str]:
    """Words of which one is in every file that takes in untrusted input, but for the environment."""
    return register_keywords(*taint_models().words)


@kept_by_team_rows
def environment_words() -> frozenset[str]:
    """Words of which one is in every file that reads the environment."""
    return register_keywords(*taint_models().environment_words)


@kept_by_team_rows
def all_source_words() -> frozenset[str]:
    """Words of all sources, those of the environment and of downloads among them."""
    return source_words() | environment_words() | register_keywords(*taint_models().download_words)


@cache
def leaving_probes() -> frozenset[str]:
    """The rules that ask what leaves the program, and not what enters it."""
    rows = (each for each in built_in_taint_models().sources if each.grade is Grade.ENVIRONMENT)
    return frozenset(probe for each in rows for probe in each.probes)


@cache
def putting_calls() -> frozenset[str]:
    """Methods that store their first argument in an object."""
    return frozenset(name for each in built_in_taint_models().carriers for name in each.puts)


@cache
def taking_calls() -> frozenset[str]:
    """Methods that return what was stored in an object."""
    return frozenset(name for each in built_in_taint_models().carriers for name in each.takes)


@cache
def secret_variables() -> frozenset[str]:
    """Environment variables whose value no service asks for as it is."""
    return built_in_taint_models().secret_variables


@kept_by_team_rows
def sources_for(probe: str) -> tuple[Source, ...]:
    """The sources that matter where a probe looks: what must not leave the program, or what comes from outside."""
    leaves = probe in leaving_probes()
    return tuple(each for each in taint_models().sources if each.matters_to(probe, leaves=leaves))


@kept_by_team_rows
def source_words_by_kind() -> dict[bool, frozenset[str]]:
    """Last words of what can be a source: of attributes under True, of calls under False."""
    rows = taint_models().sources
    attributes = {each for row in rows for each in row.members}
    attributes |= {name.rpartition(".")[2] for row in rows for name in row.names if row.kind in _BY_ATTRIBUTE}
    calls = {name.rpartition(".")[2] for row in rows for name in row.names if row.kind is SourceKind.CALL}
    return {True: frozenset(attributes), False: frozenset(calls)}


_BY_ATTRIBUTE = frozenset({SourceKind.METHOD, SourceKind.VALUE})


@kept_by_team_rows
def known_call_words(probe: str) -> frozenset[str]:
    """Last words of the calls that are followed through, or whose result can do no harm where a probe looks."""
    return frozenset(name.rpartition(".")[2] for name in harmless_calls(probe) | taint_models().returning)


@kept_by_team_rows
def harmless_members(probe: str) -> frozenset[str]:
    """Members of a request whose value can do no harm where a probe looks."""
    return taint_models().harmless_members_for(probe)


@kept_by_team_rows
def harmless_calls(probe: str) -> frozenset[str]:
    """Calls whose result can do no harm where a probe looks."""
    return taint_models().harmless_for(probe)
