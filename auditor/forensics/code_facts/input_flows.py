"""Untrusted input: where it enters a file, the names it passes through, and what functions do with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

CALL_MARK = "()"
"""Stands behind the name of a function in what a file asks about functions of other files."""
_MAX_NAMES = 4
"""Names on the way that a statement lists."""
_MAX_SINKS = 20
_MAX_WRITTEN = 60


def shown_source(source: str) -> str:
    """Source on one line, cut to what a statement can hold, without the marks of code."""
    text = " ".join(source.replace("`", "'").split())
    return text if len(text) <= _MAX_WRITTEN else f"{text[:_MAX_WRITTEN]}…"


class Grade(StrEnum):
    """Who may send it: anybody by a request, a server that is asked, the author of a file that is read, or the person who starts the program.

    The environment is what must not be sent: it holds the secrets of the program.
    """

    REQUEST = "request"
    DOWNLOAD = "download"
    FILE = "file"
    LOCAL = "local"
    ENVIRONMENT = "environment"


_INPUT_WORDS = {Grade.ENVIRONMENT: "Environment", Grade.FILE: "Input", Grade.LOCAL: "Input"}
"""What it is called in a statement, where not everybody may send it."""


@dataclass(frozen=True, slots=True)
class FoundSource:
    """Untrusted input as it is written, the line on which it is, and who may send it."""

    written: str
    line: int
    grade: Grade
    returned: str = ""
    """Where a function of another module is called that returns the input: the input as it is written there."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Untrusted input, the names it passes through from the source on, and the lines of these."""

    source: FoundSource
    names: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    def through(self, name: str, line: int) -> Flow:
        """The same flow, one name further."""
        if self.names[-1:] == (name,):
            return self
        return Flow(self.source, (*self.names, name), (*self.lines, line))

    def widened(self, written: str) -> Flow:
        """The flow from the part that is taken, as it is written: from `request.args["name"]` instead of `request.args`."""
        if self.names or not written.startswith(self.source.written):
            return self
        return Flow(replace(self.source, written=written))

    def related_lines(self, line: int) -> tuple[int, ...]:
        """The lines on the way to a call, without that of the call."""
        return tuple(sorted({self.source.line, *self.lines} - {line}))

    def statement(self, called: str, line: int, further: str = "") -> str:
        """The sentence that names where untrusted input comes from, what it reaches, and the names between."""
        names = list(dict.fromkeys(self.names))[-_MAX_NAMES:]
        way = f" through {', '.join(f'`{each}`' for each in names)}" if names else ""
        source = self.source
        returned = f", which returns `{source.returned}`," if source.returned else ""
        what = _INPUT_WORDS.get(source.grade, "Untrusted input")
        return (
            f"{what} `{source.written}` (line {source.line}){returned} reaches `{called}` (line {line}){further}{way}"
        )


@dataclass(frozen=True, slots=True)
class FunctionSink:
    """A parameter of a function that reaches a dangerous call there."""

    probe: str
    position: int
    called: str


@dataclass(frozen=True, slots=True)
class FunctionFlow:
    """What a function does with what it is given, and what it gives back."""

    source: str = ""
    """The untrusted input that it returns, as it is written there; empty where it returns none."""
    held: Mapping[int, str] = field(default_factory=dict)
    """Positions and names of the parameters that its result holds."""
    sinks: tuple[FunctionSink, ...] = ()

    def packed(self) -> dict[str, object]:
        """The flow as the outline of its file holds it; empty where it says nothing."""
        told: dict[str, object] = {"source": self.source} if self.source else {}
        if self.held:
            told["holds"] = [[number, self.held[number]] for number in sorted(self.held)]
        if self.sinks:
            told["sinks"] = [[each.probe, each.position, each.called] for each in self.sinks]
        return told


def unpacked_flow(told: object) -> FunctionFlow | None:
    """The flow that `packed` wrote to the outline of another file; None for anything else."""
    if not isinstance(told, Mapping):
        return None
    held = {int(number): str(name) for number, name in told.get("holds", ())}
    return FunctionFlow(str(told.get("source", "")), held, tuple(_sinks(told.get("sinks", ()))))


def _sinks(rows: list[tuple[str, int, str]]) -> Iterator[FunctionSink]:
    for probe, position, called in rows[:_MAX_SINKS]:
        yield FunctionSink(str(probe), int(position), str(called))
