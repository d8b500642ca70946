"""The shape of a Python file without its bodies: what it defines, imports and exports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ParameterKind(StrEnum):
    """How an argument can be passed."""

    POSITIONAL_ONLY = "positional_only"
    POSITIONAL = "positional"
    VAR_POSITIONAL = "var_positional"
    KEYWORD_ONLY = "keyword_only"
    VAR_KEYWORD = "var_keyword"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function."""

    name: str
    kind: ParameterKind
    has_default: bool
    annotated: bool


@dataclass(frozen=True, slots=True)
class Function:
    """One function or method."""

    qualname: str
    line: int
    end: int
    public: bool
    documented: bool
    annotated_return: bool
    parameters: tuple[Parameter, ...]
    decorators: tuple[str, ...]
    complexity: int
    is_async: bool = False
    in_class: str = ""
    nested: bool = False
    asserts: bool = False


@dataclass(frozen=True, slots=True)
class Class:
    """One class."""

    qualname: str
    line: int
    end: int
    public: bool
    documented: bool
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    nested: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """A name that an import binds at module level, and what it stands for."""

    name: str
    qualified: str
    line: int


@dataclass(frozen=True, slots=True)
class Outline:
    """What a module defines and offers."""

    documented: bool
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()
    names: tuple[str, ...] = ()
    exports: tuple[str, ...] | None = None
