"""The shape of a file without its bodies: what it defines, imports and exports.

Its parts are named tuples: a large code base has hundreds of thousands of them, and each is made twice, by the
worker that read the file and by whoever reads the record back.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache, partial
from itertools import product
from typing import Any, NamedTuple, TypeVar

TEST_MODULE_NAME = re.compile(r"(?:^|[^\w]|_)(?:tests?|testing|specs?|e2e|conftest)(?:_|[^\w]|$)", re.IGNORECASE)
"""Part of a dotted module name by which its file may count as test code; wider than the conventions of `roles`."""
ALIASED_NAMES_KEY = "names"
"""Under this word a module tells which of a few things, that change what others do, a name of its own stands for."""


class ParameterKind(IntEnum):
    """How an argument can be passed."""

    POSITIONAL_ONLY = 0
    POSITIONAL = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4


class Parameter(NamedTuple):
    """One parameter of a function."""

    name: str
    kind: ParameterKind
    has_default: bool
    is_annotated: bool


class Function(NamedTuple):
    """One function or method. `line` is that of its `def`, decorators above it not counted."""

    qualname: str
    line: int
    end: int
    is_public: bool
    has_docstring: bool
    has_return_annotation: bool
    signature: str
    """Its parameters as `signature` writes them: most functions share theirs with many others, and are never asked for them."""
    decorators: tuple[str, ...]
    complexity: int
    is_async: bool = False
    is_method: bool = False
    is_nested: bool = False

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2]

    @property
    def class_name(self) -> str:
        """The qualified name of the class that the method belongs to; empty for a function."""
        return self.qualname.rpartition(".")[0] if self.is_method else ""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters, in order."""
        return parameters(self.signature)


class Class(NamedTuple):
    """One class."""

    qualname: str
    line: int
    end: int
    is_public: bool
    has_docstring: bool
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    is_nested: bool = False


class Import(NamedTuple):
    """A name that an import binds at module level, and what it stands for (`*` for all of a module)."""

    name: str
    qualified_name: str
    line: int


class RunCondition(IntEnum):
    """Whether a test runs at all."""

    ALWAYS = 0
    CONDITIONALLY = 1
    NEVER = 2


class DeclaredTest(NamedTuple):
    """One test of a file in a language other than Python. `digest` identifies its body."""

    name: str
    line: int
    runs: RunCondition
    alone: bool
    """Does it keep the other tests of the file from running, as `it.only` does?"""
    checks: int
    """Lines on which something is checked."""
    mark: str


class Export(NamedTuple):
    """One thing that a file in another language than Python offers to others.

    `kind` is function, method, type, value, field, passed (a name from another module) or all (of another module).
    `takes` is None where there are no parameters to compare, else each of them as callers see it: its type where calls go
    by type, its name where they do not. `required_count` of them must be passed, any number when `endless`. `types` are the written
    types of `takes` where calls go by name. `gives` is the written type of a result or of what is kept; a kind property is
    one that whoever makes an object gives, and must give when `required_count` is 1.
    """

    name: str
    kind: str
    line: int
    takes: tuple[str, ...] | None = None
    required_count: int = 0
    endless: bool = False
    typed: bool = True
    gives: str = ""
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """What a module defines and offers. `names` are its other module-level names, functions and classes left out."""

    has_docstring: bool
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()
    names: tuple[str, ...] = ()
    exports: tuple[str, ...] | None = None
    has_module_getattr: bool = False
    """Does it define `__getattr__`, so that names may come from nowhere?"""
    imported_test_modules: tuple[str, ...] = ()
    """Modules named like tests that are imported anywhere in it."""
    tests: tuple[DeclaredTest, ...] = ()
    """Tests, where the language is not Python."""
    exported_symbols: tuple[Export, ...] = ()
    """What it exports, where the language is not Python."""
    renamed: tuple[Import, ...] = ()
    """Module-level names that plainly stand for something imported, or for a plain instance of it: `run = os.system`, `session = Session()`; functions and methods that run what they are given."""

    requested_names: tuple[str, ...] = ()
    """Qualified names of imported things that a probe needs to know more about."""
    known_values: Mapping[str, object] = field(default_factory=dict)
    """Constants of the module by name; of functions, what they give back or pass on: `{"gives": keys}`, `{"passes": parameters}`."""

    def pack(self) -> list[Any]:
        """For a record on disk. What there is much of has columns; tuples without names are written three times as fast as those with."""
        return [
            self.has_docstring, _to_columns(self.functions), _to_columns(self.classes), _to_columns(self.imports), self.names, self.exports, self.has_module_getattr,
            self.imported_test_modules, [*map(tuple, self.tests)], [*map(tuple, self.exported_symbols)], [*map(tuple, self.renamed)],
            self.requested_names, self.known_values,
        ]  # fmt: skip

    @classmethod
    def unpack(cls, packed: list[Any]) -> Outline:
        """The outline again. Raises ValueError, TypeError or IndexError when the lists have another shape."""
        (
            documented,
            functions,
            classes,
            imports,
            names,
            exports,
            dynamic,
            reaches,
            tests,
            offers,
            renamed,
            asks,
            tells,
        ) = packed
        return cls(
            documented,
            _functions_from_columns(functions),
            _from_columns(Class, classes, _CLASS_TUPLE_COLUMNS),
            _from_columns(Import, imports),
            tuple(names),
            None if exports is None else tuple(exports),
            dynamic,
            tuple(reaches),
            tuple([DeclaredTest(name, line, _RUN_CONDITIONS[runs], alone, checks, mark) for name, line, runs, alone, checks, mark in tests]),
            tuple([Export(name, kind, line, None if takes is None else tuple(takes), least, endless, typed, gives, tuple(types)) for name, kind, line, takes, least, endless, typed, gives, types in offers]),
            tuple([Import._make(each) for each in renamed]),
            tuple(asks),
            dict(tells),
        )  # fmt: skip


_RUN_CONDITIONS = tuple(RunCondition)
_SIGNATURE, _DECORATORS = map(Function._fields.index, ("signature", "decorators"))
_CLASS_TUPLE_COLUMNS = tuple(map(Class._fields.index, ("bases", "decorators", "attributes")))


def _to_columns(rows: tuple[tuple[Any, ...], ...]) -> list[tuple[Any, ...]]:
    return list(zip(*rows, strict=True))


Row = TypeVar("Row", bound=NamedTuple)


def _from_columns(kind: type[Row], columns: list[list[Any]], tuple_columns: Iterable[int] = ()) -> tuple[Row, ...]:
    """The rows of some columns; cells of the columns `tuple_columns` become tuples again."""
    if not columns:
        return ()
    if len(columns) != len(kind._fields):
        raise ValueError(f"{len(columns)} columns of a {kind.__name__}")
    for number in tuple_columns:
        columns[number] = list(map(tuple, columns[number]))
    return tuple(map(partial(tuple.__new__, kind), zip(*columns, strict=True)))


def _functions_from_columns(columns: list[list[Any]]) -> tuple[Function, ...]:
    for each in set(columns[_SIGNATURE]) if columns else ():
        parameters(each)  # which raises when it is none
    return _from_columns(Function, columns, (_DECORATORS,))


_PARAMETER_CODES = {
    chr(ord("a") + number): way for number, way in enumerate(product(ParameterKind, (False, True), (False, True)))
}
"""How a parameter is passed, whether it has a default, whether it is annotated: as one letter."""
_PARAMETER_LETTERS = "".join(_PARAMETER_CODES)
_POSITIONAL_ONLY, _POSITIONAL, _VAR_POSITIONAL, _KEYWORD_ONLY, _VAR_KEYWORD = range(0, len(_PARAMETER_LETTERS), 4)
_DEFAULT, _ANNOTATED = 2, 1


_PLAIN, _TYPED, _PLAIN_DEFAULT, _TYPED_DEFAULT = (
    _PARAMETER_LETTERS[_POSITIONAL + way] for way in (0, _ANNOTATED, _DEFAULT, _DEFAULT + _ANNOTATED)
)


def signature(own: ast.arguments) -> str:
    """The parameters of a function in one word: each as a letter for the way it is passed, and its name."""
    if own.posonlyargs or own.vararg or own.kwonlyargs or own.kwarg:
        return ",".join(_encode_all_parameters(own))
    if not own.defaults:
        return ",".join([(_TYPED if each.annotation else _PLAIN) + each.arg for each in own.args])
    first = len(own.args) - len(own.defaults)
    passed = [(_TYPED if each.annotation else _PLAIN) + each.arg for each in own.args[:first]]
    passed += [(_TYPED_DEFAULT if each.annotation else _PLAIN_DEFAULT) + each.arg for each in own.args[first:]]
    return ",".join(passed)


def _encode_all_parameters(own: ast.arguments) -> Iterator[str]:
    """The parameters of a function that has others than plain ones."""
    positional = [*own.posonlyargs, *own.args]
    without_default = len(positional) - len(own.defaults)
    only = len(own.posonlyargs)
    for number, each in enumerate(positional):
        way = _POSITIONAL_ONLY if number < only else _POSITIONAL
        yield (
            _PARAMETER_LETTERS[way + _DEFAULT * (number >= without_default) + (each.annotation is not None)] + each.arg
        )
    if own.vararg:
        yield _PARAMETER_LETTERS[_VAR_POSITIONAL + _DEFAULT + (own.vararg.annotation is not None)] + own.vararg.arg
    for each, default in zip(own.kwonlyargs, own.kw_defaults, strict=True):
        yield (
            _PARAMETER_LETTERS[_KEYWORD_ONLY + _DEFAULT * (default is not None) + (each.annotation is not None)]
            + each.arg
        )
    if own.kwarg:
        yield _PARAMETER_LETTERS[_VAR_KEYWORD + _DEFAULT + (own.kwarg.annotation is not None)] + own.kwarg.arg


@lru_cache(maxsize=10_000)
def parameters(encoded: str) -> tuple[Parameter, ...]:
    """The parameters that a signature stands for. Raises KeyError or IndexError when it is none."""
    return tuple([Parameter(each[1:], *_PARAMETER_CODES[each[0]]) for each in encoded.split(",")]) if encoded else ()
