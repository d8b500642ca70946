"""The tables of untrusted input: sources, sinks, and what lies between. The rows are in `taint_models.yaml`."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path

from pydantic import Field

from auditor import strict_yaml
from auditor.domain.frozen_model import Frozen
from auditor.forensics.source_text.keyword_index import register_keywords

_DATA = Path(__file__).with_name("taint_models.yaml")


class Grade(StrEnum):
    """Who may send it: anybody by a request, or the person who starts the program."""

    REQUEST = "request"
    LOCAL = "local"


class SourceKind(StrEnum):
    """What the names of a source are."""

    OBJECT = "object"
    CLASS = "class"
    PARAMETER = "parameter"
    METHOD = "method"
    ROUTE = "route"
    CALL = "call"
    VALUE = "value"


class Part(StrEnum):
    """What of an argument does harm."""

    WHOLE = "whole"
    PROGRAM = "program"


class Source(Frozen):
    """A row of sources."""

    kind: SourceKind
    names: frozenset[str] = Field(min_length=1)
    members: frozenset[str] = frozenset()
    requires: frozenset[str] = frozenset()
    grade: Grade
    source: str = Field(pattern="^https://")


class Sink(Frozen):
    """A row of sinks."""

    probe: str
    calls: frozenset[str] = Field(min_length=1)
    argument: str
    position: int = Field(ge=0)
    part: Part = Part.WHOLE
    needs_input: bool = False
    """Is a call of it reported only where input may come from outside, so that a value held to a fixed set is none?"""
    alone: bool = True
    """Is untrusted input there enough, whatever the other arguments say?"""
    source: str = Field(pattern="^https://")


class Harmless(Frozen):
    """A row of calls whose result can do no harm; without probes, for none of them."""

    calls: frozenset[str] = Field(min_length=1)
    probes: frozenset[str] = frozenset()
    source: str = Field(pattern="^https://")


class TaintModels(Frozen):
    """All rows."""

    words: tuple[str, ...]
    environment_words: tuple[str, ...]
    sources: tuple[Source, ...]
    sinks: tuple[Sink, ...]
    returning: frozenset[str]
    harmless: tuple[Harmless, ...]
    harmless_methods: frozenset[str]

    def of_kind(self, kind: SourceKind) -> tuple[Source, ...]:
        """The sources of a kind."""
        return tuple(each for each in self.sources if each.kind is kind)

    def harmless_for(self, probe: str) -> frozenset[str]:
        """Calls whose result can do no harm where a probe looks."""
        rows = (each for each in self.harmless if not each.probes or probe in each.probes)
        return frozenset(name for each in rows for name in each.calls)


@cache
def taint_models() -> TaintModels:
    """The tables, read once."""
    return strict_yaml.parse(TaintModels, _DATA.read_text(encoding="utf-8"), _DATA.name)


@cache
def sinks_of(probe: str) -> dict[str, Sink]:
    """The sinks that a probe reports, by the calls."""
    return {name: each for each in taint_models().sinks if each.probe == probe for name in each.calls}


@cache
def source_words() -> frozenset[str]:
    """Words of which one is in every file that takes in untrusted input, but for the environment."""
    return register_keywords(*taint_models().words)


@cache
def all_source_words() -> frozenset[str]:
    """The same, the words of the environment among them."""
    return source_words() | register_keywords(*taint_models().environment_words)


@cache
def sources_of_kind(kind: SourceKind) -> tuple[Source, ...]:
    """The sources of a kind."""
    return taint_models().of_kind(kind)


@cache
def source_words_by_kind() -> dict[bool, frozenset[str]]:
    """Last words of what can be a source: of attributes under True, of calls under False."""
    rows = taint_models().sources
    attributes = {each for row in rows for each in row.members}
    attributes |= {name.rpartition(".")[2] for row in rows for name in row.names if row.kind in _BY_ATTRIBUTE}
    calls = {name.rpartition(".")[2] for row in rows for name in row.names if row.kind is SourceKind.CALL}
    return {True: frozenset(attributes), False: frozenset(calls)}


_BY_ATTRIBUTE = frozenset({SourceKind.METHOD, SourceKind.VALUE})


@cache
def known_call_words(probe: str) -> frozenset[str]:
    """Last words of the calls that are followed through, or whose result can do no harm where a probe looks."""
    return frozenset(name.rpartition(".")[2] for name in harmless_calls(probe) | taint_models().returning)


@cache
def harmless_calls(probe: str) -> frozenset[str]:
    """Calls whose result can do no harm where a probe looks."""
    return taint_models().harmless_for(probe)
