"""What a team may add to the tables of untrusted input: its own sources, dangerous calls and functions that make a value harmless."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.team_rows import MAX_LIST, DottedName, Identifier, QualifiedName
from auditor.forensics.python.taint_models import Harmless, Sink, Source, SourceKind, built_in_taint_models
from auditor.row_tables import Source as Documented

_OWN_NAMES = frozenset({SourceKind.HANDLER, SourceKind.METHOD, SourceKind.PARAMETER, SourceKind.ROUTE})
"""Kinds whose names have no module before them."""
_Names = Annotated[frozenset[Identifier], Field(max_length=MAX_LIST)]
_Calls = Annotated[frozenset[QualifiedName], Field(min_length=1, max_length=MAX_LIST)]


def _require_known_rules(probes: frozenset[str]) -> None:
    known = sorted({each.probe for each in built_in_taint_models().sinks})
    if unknown := sorted(probes - set(known)):
        raise ValueError(f"{unknown[0]!r} is no rule that follows untrusted input; there are {', '.join(known)}")


class TeamSource(Source):
    """A source of the team's own."""

    names: Annotated[frozenset[DottedName], Field(min_length=1, max_length=MAX_LIST)]
    members: _Names = frozenset()
    requires: _Names = frozenset()
    source: Documented

    @model_validator(mode="after")
    def _names_fit_the_kind(self) -> Self:
        for name in sorted(self.names):
            if self.kind in _OWN_NAMES and "." in name:
                raise ValueError(f"names of the kind {self.kind} have no module: {name!r}")
            if self.kind not in _OWN_NAMES and "." not in name:
                raise ValueError(f"names of the kind {self.kind} are qualified, such as acme.web.{name}")
        if self.kind in _OWN_NAMES and not self.requires:
            raise ValueError(f"a row of the kind {self.kind} names in `requires` the package that a file must import")
        return self


class TeamSink(Sink):
    """A dangerous call of the team's own."""

    calls: _Calls
    argument: Identifier
    source: Documented

    @model_validator(mode="after")
    def _rule_is_known(self) -> Self:
        _require_known_rules(frozenset({self.probe}))
        return self


class TeamHarmless(Harmless):
    """A function of the team's own whose result can do no harm, and the rules for which that is so."""

    calls: _Calls
    probes: Annotated[frozenset[str], Field(min_length=1)]
    source: Documented

    @model_validator(mode="after")
    def _rules_are_known(self) -> Self:
        _require_known_rules(self.probes)
        return self


class TeamTaintModels(Frozen):
    """The sections that a team may write."""

    sources: tuple[TeamSource, ...] = ()
    sinks: tuple[TeamSink, ...] = ()
    harmless: tuple[TeamHarmless, ...] = ()
