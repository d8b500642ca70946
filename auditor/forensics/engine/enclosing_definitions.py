"""Which function or class the places of a fact lie in, by the outlines of their files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from auditor.domain import CodeLocation, Fact, Location, Side
from auditor.forensics.source_text.definition_names import definitions
from auditor.forensics.source_text.file_outline import Outline

Outlines = Mapping[Side, Mapping[str, Outline | None]]
"""The outlines of files by side and path; None where a file has none."""


@dataclass
class EnclosingDefinitions:
    """Looks up definitions; the spans of a file are sorted once."""

    outlines: Outlines
    _spans: dict[tuple[Side, str], list[tuple[int, int, str]]] = field(default_factory=dict)

    def add_definitions(self, fact: Fact) -> Fact:
        """The fact with the qualified name of the innermost definition at each of its places in code."""
        locations = tuple(self._named(each) for each in fact.locations)
        return fact if locations == fact.locations else fact.model_copy(update={"locations": locations})

    def _named(self, location: Location) -> Location:
        if not isinstance(location, CodeLocation) or location.start is None:
            return location
        name = self._at(location.side, location.path, location.start)
        return location if name is None else location.model_copy(update={"definition": name})

    def _at(self, side: Side, path: str, line: int) -> str | None:
        spans = self._sorted_spans(side, path)
        for start, end, name in reversed(spans[: bisect_right(spans, line, key=lambda span: span[0])]):
            if start <= line <= end:
                return name
        return None

    def _sorted_spans(self, side: Side, path: str) -> list[tuple[int, int, str]]:
        if (side, path) not in self._spans:
            outline = self.outlines.get(side, {}).get(path)
            found = () if outline is None else definitions(outline)
            named = [(each.line, -each.end, each.qualname) for each in found if " " not in each.qualname]
            self._spans[side, path] = [(start, -end, name) for start, end, name in sorted(named)]
        return self._spans[side, path]
