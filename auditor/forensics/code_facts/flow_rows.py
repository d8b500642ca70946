"""What rows of untrusted input have in common, in any language: sources, dangerous calls, and what lies between."""

from __future__ import annotations

from pydantic import Field

from auditor.forensics.code_facts.input_flows import Grade
from auditor.row_tables import FreeSet, TopicRow
from auditor.row_tables import Source as Documented


class SourceRow(TopicRow):
    """A row of sources."""

    names: FreeSet = Field(min_length=1)
    members: FreeSet = frozenset()
    requires: FreeSet = frozenset()
    probes: FreeSet = frozenset()
    """The rules for which it is untrusted; without any, for all."""
    grade: Grade
    source: Documented

    def matters_to(self, probe: str, *, leaves: bool) -> bool:
        """Is it untrusted where a probe looks? Where that asks what leaves the program, the environment alone is."""
        return (self.grade is Grade.ENVIRONMENT) is leaves and (not self.probes or probe in self.probes)


class SinkRow(TopicRow):
    """A row of dangerous calls."""

    probe: str
    calls: FreeSet = Field(min_length=1)
    needs_input: bool = False
    """Is a call of it reported only where input may come from outside, so that a value held to a fixed set is none?"""
    requires: FreeSet = frozenset()
    """Packages of which the file must import one."""
    unless: FreeSet = frozenset()
    """Arguments or options of which one makes the call harmless."""
    doubt: str = ""
    """Why it is only likely to do harm."""
    source: Documented


class HarmlessRow(TopicRow):
    """A row of calls whose result can do no harm; without probes, for none of them."""

    calls: FreeSet = frozenset()
    members: FreeSet = frozenset()
    """Members of a request whose value can do no harm there."""
    probes: FreeSet = frozenset()
    source: Documented


class CheckRow(TopicRow):
    """A row of checks, after which a value can do no harm where the probes look, in any language."""

    probes: FreeSet = Field(min_length=1)
    passing: FreeSet = frozenset()
    """Calls that are true of a harmless value, if it was normalized before; a row says how their names are written."""
    parts: FreeSet = frozenset()
    """Members that hold the part of a value that does harm: held to a fixed set, or empty, the value does none."""
    parsers: FreeSet = frozenset()
    """Calls whose result has those members."""
    absent: FreeSet = frozenset()
    """Texts without which a value does no harm."""
    normalizing: FreeSet = frozenset()
    """Calls of which one must have made a value before a check of how it begins says anything."""
    source: Documented
