"""Calls in progress, the calls that lead outside, and what functions hand back."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import Enum

from auditor.forensics.agent_systems.abstract_values import Call, Class, Env, Place, Value
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit

MAX_EVENTS = 20_000
"""Calls that lead outside, and values handed back, that are remembered."""


class BlockEnd(Enum):
    """How a block of statements ends."""

    FALLS_THROUGH = 0
    BREAKS_LOOP = 1
    LEAVES_FUNCTION = 2


@dataclass(slots=True, eq=False)
class Frame:
    """One call in progress: whose code, with which names, called from where."""

    unit: Unit
    node: FunctionDefinition | ast.Module | ast.ClassDef
    env: Env
    called: Place | None = None
    returns: list[Value] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    branches: int = 0
    owner: Class | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ExternalCall:
    """A call that leads outside, and the calls of the repository's own code that led to it, outermost first."""

    call: Call
    frames: tuple[Frame, ...]
    context: str

    @property
    def function(self) -> FunctionDefinition | None:
        """The function it is in; None at module level."""
        node = self.frames[-1].node if self.frames else None
        return node if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else None


@dataclass(slots=True, eq=False)
class Imports:
    """What imports brought that is no name of its own."""

    stars: dict[str, list[str]] = field(default_factory=dict)
    """Libraries of which a file imports every name."""
    lacking: dict[tuple[str, str], str] = field(default_factory=dict)
    """File and name of an import -> the file of the project that has nothing of that name."""


@dataclass(slots=True, eq=False)
class ReturnedValue:
    """A value that a function hands back, and where."""

    unit: Unit
    node: ast.Return
    value: Value
    frame: Frame
