"""The shape of a Python file without its bodies: what it defines, imports and exports.

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
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from auditor.forensics.bindings import DOTTED, first_name, last_name, origin
from auditor.forensics.options import OPTIONS, switched
from auditor.forensics.usual import told_settings
from auditor.forensics.words import watched

if TYPE_CHECKING:
    from auditor.forensics.bindings import FunctionNode
    from auditor.forensics.module import Module, Scope


LIKE_A_TEST = re.compile(r"(?:^|[^\w]|_)(?:tests?|testing|specs?|e2e|conftest)(?:_|[^\w]|$)", re.IGNORECASE)
"""Part of a dotted module name by which its file may count as test code; wider than the conventions of `roles`."""
_MODULE = re.compile(r"\.{0,20}[^\W\d]\w*(?:\.\w+){0,20}$")


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
    annotated: bool


class Function(NamedTuple):
    """One function or method. `line` is that of its `def`, decorators above it not counted."""

    qualname: str
    line: int
    end: int
    public: bool
    documented: bool
    annotated_return: bool
    signature: str
    """Its parameters as `signature` writes them: most functions share theirs with many others, and are never asked for them."""
    decorators: tuple[str, ...]
    complexity: int
    is_async: bool = False
    is_method: bool = False
    nested: bool = False

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2]

    @property
    def in_class(self) -> str:
        """The qualified name of the class that it stands in; empty when it is no method."""
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
    public: bool
    documented: bool
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    nested: bool = False


class Import(NamedTuple):
    """A name that an import binds at module level, and what it stands for (`*` for all of a module)."""

    name: str
    qualified: str
    line: int


class Runs(IntEnum):
    """Whether a test runs at all."""

    ALWAYS = 0
    CONDITIONALLY = 1
    NEVER = 2


class Case(NamedTuple):
    """One test of a file in another language than Python. `mark` tells the same body from another one."""

    name: str
    line: int
    runs: Runs
    alone: bool
    """Does its mark keep the other tests of the file from running?"""
    checks: int
    """Lines on which something is checked."""
    mark: str


class Export(NamedTuple):
    """One thing that a file in another language than Python offers to others.

    `kind` is function, method, type, value, field, passed (a name from another module) or all (of another module).
    `takes` is None where there are no parameters to compare, else each of them as callers see it: its type where calls go
    by type, its name where they do not. `least` of them must be passed, any number when `endless`. `types` are the written
    types of `takes` where calls go by name. `gives` is the written type of a result or of what is kept; a kind property is
    one that whoever makes an object gives, and must give when `least` is 1.
    """

    name: str
    kind: str
    line: int
    takes: tuple[str, ...] | None = None
    least: int = 0
    endless: bool = False
    typed: bool = True
    gives: str = ""
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """What a module defines and offers. `names` are its other module-level names, functions and classes left out."""

    documented: bool
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()
    names: tuple[str, ...] = ()
    exports: tuple[str, ...] | None = None
    dynamic: bool = False
    """Does it define `__getattr__`, so that names may come from nowhere?"""
    reaches: tuple[str, ...] = ()
    """Modules named like tests that are imported anywhere in it."""
    tests: tuple[Case, ...] = ()
    """Tests, where the language is not Python."""
    offers: tuple[Export, ...] = ()
    """What it exports, where the language is not Python."""
    renamed: tuple[Import, ...] = ()
    """Module-level names that plainly stand for something imported, or for a plain instance of it: `run = os.system`, `session = Session()`; functions and methods that run what they are given."""

    asks: tuple[str, ...] = ()
    """Qualified names of imported things of which a probe wanted to know more than this file tells."""
    tells: Mapping[str, object] = field(default_factory=dict)
    """Constants of the module by name; of functions, what they give back or pass on: `{"gives": keys}`, `{"passes": parameters}`."""

    def packed(self) -> list[Any]:
        """For a record on disk. What there is much of goes by columns; tuples without names are written three times as fast as those with."""
        return [
            self.documented, _columns(self.functions), _columns(self.classes), _columns(self.imports), self.names, self.exports, self.dynamic,
            self.reaches, [*map(tuple, self.tests)], [*map(tuple, self.offers)], [*map(tuple, self.renamed)],
            self.asks, self.tells,
        ]  # fmt: skip

    @classmethod
    def unpacked(cls, packed: list[Any]) -> Outline:
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
            _functions(functions),
            _made(Class, classes, _NAMES_OF_CLASSES),
            _made(Import, imports),
            tuple(names),
            None if exports is None else tuple(exports),
            dynamic,
            tuple(reaches),
            tuple([Case(name, line, _RUNS[runs], alone, checks, mark) for name, line, runs, alone, checks, mark in tests]),
            tuple([Export(name, kind, line, None if takes is None else tuple(takes), least, endless, typed, gives, tuple(types)) for name, kind, line, takes, least, endless, typed, gives, types in offers]),
            tuple([Import._make(each) for each in renamed]),
            tuple(asks),
            dict(tells),
        )  # fmt: skip


_RUNS = tuple(Runs)
_SIGNATURE, _DECORATORS = map(Function._fields.index, ("signature", "decorators"))
_NAMES_OF_CLASSES = tuple(map(Class._fields.index, ("bases", "decorators", "attributes")))


def _columns(rows: tuple[tuple[Any, ...], ...]) -> list[tuple[Any, ...]]:
    return list(zip(*rows, strict=True))


Row = TypeVar("Row", bound=NamedTuple)


def _made(kind: type[Row], columns: list[list[Any]], of_names: Iterable[int] = ()) -> tuple[Row, ...]:
    """The rows again that the columns were made of; several names in one place are a tuple."""
    if not columns:
        return ()
    if len(columns) != len(kind._fields):
        raise ValueError(f"{len(columns)} columns of a {kind.__name__}")
    for number in of_names:
        columns[number] = list(map(tuple, columns[number]))
    return tuple(map(partial(tuple.__new__, kind), zip(*columns, strict=True)))


def _functions(columns: list[list[Any]]) -> tuple[Function, ...]:
    for each in set(columns[_SIGNATURE]) if columns else ():
        parameters(each)  # which raises when it is none
    return _made(Function, columns, (_DECORATORS,))


_WAYS = {chr(ord("a") + number): way for number, way in enumerate(product(ParameterKind, (False, True), (False, True)))}
"""How a parameter is passed, whether it has a default, whether it is annotated: as one letter."""
_LETTERS = "".join(_WAYS)
_POSITIONAL_ONLY, _POSITIONAL, _VAR_POSITIONAL, _KEYWORD_ONLY, _VAR_KEYWORD = range(0, len(_LETTERS), 4)
_DEFAULT, _ANNOTATED = 2, 1


_PLAIN, _TYPED, _PLAIN_DEFAULT, _TYPED_DEFAULT = (
    _LETTERS[_POSITIONAL + way] for way in (0, _ANNOTATED, _DEFAULT, _DEFAULT + _ANNOTATED)
)


def signature(own: ast.arguments) -> str:
    """The parameters of a function in one word: each as a letter for the way it is passed, and its name."""
    if own.posonlyargs or own.vararg or own.kwonlyargs or own.kwarg:
        return ",".join(_all_ways(own))
    if not own.defaults:
        return ",".join([(_TYPED if each.annotation else _PLAIN) + each.arg for each in own.args])
    first = len(own.args) - len(own.defaults)
    passed = [(_TYPED if each.annotation else _PLAIN) + each.arg for each in own.args[:first]]
    passed += [(_TYPED_DEFAULT if each.annotation else _PLAIN_DEFAULT) + each.arg for each in own.args[first:]]
    return ",".join(passed)


def _all_ways(own: ast.arguments) -> Iterator[str]:
    """The parameters of a function that has others than plain ones."""
    positional = [*own.posonlyargs, *own.args]
    without_default = len(positional) - len(own.defaults)
    only = len(own.posonlyargs)
    for number, each in enumerate(positional):
        way = _POSITIONAL_ONLY if number < only else _POSITIONAL
        yield _LETTERS[way + _DEFAULT * (number >= without_default) + (each.annotation is not None)] + each.arg
    if own.vararg:
        yield _LETTERS[_VAR_POSITIONAL + _DEFAULT + (own.vararg.annotation is not None)] + own.vararg.arg
    for each, default in zip(own.kwonlyargs, own.kw_defaults, strict=True):
        yield _LETTERS[_KEYWORD_ONLY + _DEFAULT * (default is not None) + (each.annotation is not None)] + each.arg
    if own.kwarg:
        yield _LETTERS[_VAR_KEYWORD + _DEFAULT + (own.kwarg.annotation is not None)] + own.kwarg.arg


@lru_cache(maxsize=10_000)
def parameters(written: str) -> tuple[Parameter, ...]:
    """The parameters that a signature stands for. Raises KeyError or IndexError when it is none."""
    return tuple([Parameter(each[1:], *_WAYS[each[0]]) for each in written.split(",")]) if written else ()


def outline(module: Module) -> Outline:
    """The shape of a parsed file."""
    imports: list[Import] = []
    names: list[str] = []
    exports: tuple[str, ...] | None = None
    given: list[tuple[str, ast.expr, int]] = []
    tells: dict[str, object] = {}
    for statement in _top_level(module.tree.body):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            imports += _imported(statement)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            names += _assigned(statement)
            exports = _exported(statement, exports)
            value: Any = statement.value
            if type(value) is ast.Call and not value.args and not value.keywords:
                value = value.func  # `session = Session()`: what is asked of the one is asked of the other
            if type(value) in DOTTED and names:
                given.append((names[-1], value, statement.lineno))
            if names and (type(value) in _TOLD_KINDS or names[-1].isupper()):
                _note(statement, names[-1], imports, tells)
    known = {each.name: each.qualified for each in imports}
    functions: list[Function] = []
    classes: list[Class] = []
    for scope in module.scopes:
        node = scope.node
        kind = type(node)
        if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            functions.append(_outlined_function(node, scope, known, exports))  # type: ignore[arg-type]
        elif kind is ast.ClassDef:
            classes.append(_outlined_class(node, scope, known, exports))  # type: ignore[arg-type]
    functions.sort(key=_LINE)
    classes.sort(key=_LINE)
    return Outline(
        documented=_documented(module.tree),
        functions=tuple(functions),
        classes=tuple(classes),
        imports=tuple(imports),
        names=tuple(dict.fromkeys(names)),
        exports=exports,
        dynamic="__getattr__" in [each.qualname for each in functions],
        renamed=tuple(
            [Import(name, _dotted(value, known), line) for name, value, line in given if first_name(value) in known]
            + [Import(name, stands_for, 0) for name, stands_for in module.running.items()]
        ),
        reaches=tuple(sorted(_tests_named(module))),
        asks=tuple(sorted(module.asked)) if module.asked else (),
        tells=_with_makers(module, {name: value for name, value in tells.items() if value is not _SEVERAL}),
    )


_LONGEST_TOLD = 60
_SEVERAL = object()
"""Stands for the value of a name that is given more than one."""


NAMES = "names"
"""Under this word a module tells which of a few things, that change what others do, a name of its own stands for."""
_TOLD_NAMES = frozenset(
    {"Exception", "BaseException", "Loader", "UnsafeLoader", "FullLoader", "CLoader", "CUnsafeLoader", "CFullLoader", "CERT_NONE", "AutoAddPolicy", "WarningPolicy"}
)  # fmt: skip


def _stands_for(value: ast.expr | None, imports: list[Import]) -> list[str]:
    """Those of a few things that a name stands for: the widest exceptions, loaders that build anything, and what leaves checks out."""
    each = value.elts if isinstance(value, ast.Tuple) else [value]
    found = [one for one in each if type(one) in DOTTED and last_name(one) in _TOLD_NAMES]
    known = {one.name: one.qualified for one in imports} if found else {}
    return [_dotted(one, known) for one in found if one is not None]


_TOLD_KINDS = frozenset({ast.Tuple, ast.Name, ast.Attribute})
"""Kinds of values that may be names of such things."""


def _note(
    statement: ast.Assign | ast.AnnAssign | ast.AugAssign, name: str, imports: list[Import], tells: dict[str, object]
) -> None:
    """Note what a statement tells others of a name."""
    if name.isupper():
        _tell(statement, name, tells)
    if type(statement.value) in _TOLD_KINDS and (stands_for := _stands_for(statement.value, imports)):
        tells[name] = {NAMES: stands_for}


def _tell(statement: ast.Assign | ast.AnnAssign | ast.AugAssign, name: str, tells: dict[str, object]) -> None:
    """Note the constant that a statement gives to a name, where it may change what a call does: of numbers none but zero does."""
    value = statement.value
    if type(value) is ast.Dict or (type(value) is ast.Call and last_name(value.func) == "dict"):
        options = switched(value)
        tells[name] = {OPTIONS: options} if options and name not in tells else _SEVERAL
        return
    constant = value.value if type(value) is ast.Constant else _SEVERAL
    if isinstance(constant, str):
        told = len(constant) <= _LONGEST_TOLD
    else:
        told = constant is None or isinstance(constant, bool) or (type(constant) is int and not constant)
    tells[name] = constant if told and name not in tells and not isinstance(statement, ast.AugAssign) else _SEVERAL


_KEYS = 4
"""Constant keys from which a dict that is given back is a record; as many as `dict_records.KEYS`."""


_SWITCHING = watched("verify", '"timeout"')


def _with_makers(module: Module, tells: dict[str, object]) -> dict[str, object]:
    """The same with the functions of the module that give back a dict with fixed keys, or pass on what they are given."""
    written: dict[int, str] = {}
    dicts = module.nodes.get(ast.Dict, ())
    switching = bool(dicts) and module.says(_SWITCHING)
    for node, scope in dicts:
        if (len(node.keys) >= _KEYS or switching) and "." not in scope.qualname:
            written[id(node)] = scope.qualname
    for scope in module.scopes if written else ():
        maker = scope.node
        if isinstance(maker, (ast.FunctionDef, ast.AsyncFunctionDef)) and scope.qualname == maker.name:
            for each in maker.body:
                if type(each) is ast.Return and type(each.value) is ast.Dict and id(each.value) in written:
                    keys = [key.value for key in each.value.keys if isinstance(key, ast.Constant)]
                    if len(keys) == len(each.value.keys) >= _KEYS and all(isinstance(key, str) for key in keys):
                        tells[maker.name] = {"gives": keys}
                    if switching and (options := switched(each.value)):
                        tells[maker.name] = {**_of(tells.get(maker.name)), OPTIONS: options}
    for name, passed in module.passing.items():
        tells[name] = {**_of(tells.get(name)), "passes": sorted(passed)}
    return {**told_settings(module), **tells}


def _of(told: object) -> dict[str, object]:
    """What is told of a function already."""
    return told if isinstance(told, dict) else {}


@lru_cache(maxsize=10_000)
def _is_like_a_test(module: str) -> bool:
    return LIKE_A_TEST.search(module) is not None


_LINE = attrgetter("line")


def _outlined_function(
    node: FunctionNode, scope: Scope, known: dict[str, str], exports: tuple[str, ...] | None
) -> Function:
    qualname, parent, decorators = scope.qualname, scope.parent, node.decorator_list
    return tuple.__new__(  # in half the time that it takes by name
        Function,
        (
            qualname,
            node.lineno,
            node.end_lineno,
            _public(qualname, exports),
            _documented(node),
            node.returns is not None,
            signature(node.args),
            tuple([_dotted(each, known) for each in decorators]) if decorators else (),
            1 + scope.branches,
            type(node) is ast.AsyncFunctionDef,
            parent is not None and type(parent.node) is ast.ClassDef,
            scope.nested,
        ),
    )


def _outlined_class(node: ast.ClassDef, scope: Scope, known: dict[str, str], exports: tuple[str, ...] | None) -> Class:
    attributes = [name for each in _top_level(node.body) if type(each) in _BINDING for name in _assigned(each)]
    return Class(
        scope.qualname,
        node.lineno,
        node.end_lineno or node.lineno,
        _public(scope.qualname, exports),
        _documented(node),
        tuple([_dotted(each, known) for each in node.bases]),
        tuple([_dotted(each, known) for each in node.decorator_list]) if node.decorator_list else (),
        tuple(dict.fromkeys(attributes)) if attributes else (),
        scope.nested,
    )


_BINDING = frozenset({ast.Assign, ast.AnnAssign})


def _public(qualname: str, exports: tuple[str, ...] | None) -> bool:
    if "_" in qualname and (qualname[0] == "_" or "._" in qualname) and any(map(_is_private, qualname.split("."))):
        return exports is not None and qualname in exports and "." not in qualname
    return exports is None or qualname.partition(".")[0] in exports


def _is_private(name: str) -> bool:
    return name[:1] == "_" and not (name[:2] == "__" == name[-2:])


def _documented(node: ast.Module | FunctionNode | ast.ClassDef) -> bool:
    first = node.body[0] if node.body else None
    if type(first) is not ast.Expr or type(first.value) is not ast.Constant:
        return False
    text = first.value.value
    return isinstance(text, str) and text != "" and not text.isspace()


def _dotted(expression: ast.expr, known: dict[str, str]) -> str:
    """A dotted name with its first part looked up among the imports; empty for anything that is no name."""
    if type(expression) is ast.Name:
        return known.get(expression.id, expression.id)
    parts: list[str] = []
    node: ast.AST = expression
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            break
    if not isinstance(node, ast.Name):
        return ""
    first = known.get(node.id, node.id)
    return f"{first}.{parts[0]}" if len(parts) == 1 else ".".join([first, *reversed(parts)])


def _top_level(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements of a body, and those inside its `if` and `try` blocks."""
    if _BRANCHING.isdisjoint(map(type, body)):
        return body
    found: list[ast.stmt] = []
    waiting = body[::-1]
    while waiting:
        statement = waiting.pop()
        found.append(statement)
        if isinstance(statement, ast.If):
            waiting += reversed([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            handled = [each for handler in statement.handlers for each in handler.body]
            waiting += reversed([*statement.body, *handled, *statement.orelse, *statement.finalbody])
    return found


_BRANCHING = frozenset({ast.If, ast.Try})


def _imported(statement: ast.Import | ast.ImportFrom) -> list[Import]:
    line = statement.lineno
    if isinstance(statement, ast.ImportFrom):
        start = origin(statement)
        return [Import(each.asname or each.name, start + each.name, line) for each in statement.names]
    names = [(each.asname or each.name.partition(".")[0], each) for each in statement.names]
    return [Import(name, each.name if each.asname else name, line) for name, each in names]


def _tests_named(module: Module) -> set[str]:
    """Modules named like tests that an import names, at any depth, and members named so, which may be modules."""
    names = [alias.name for node, _ in module.nodes.get(ast.Import, ()) for alias in node.names]
    named = set(filter(_is_like_a_test, names))
    for node, _ in module.nodes.get(ast.ImportFrom, ()):
        # where the two meet is a dot, so that no such word stands across it
        like = node.module is not None and _is_like_a_test(node.module)
        members = [alias.name for alias in node.names if like or _is_like_a_test(alias.name)]
        if members:
            start = origin(node)
            named.update([start + name for name in members])
    for name in ("__import__", "import_module", "run_module"):
        for node, _ in module.calls.get(name, ()):
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and _MODULE.match(first.value):
                named.update(filter(_is_like_a_test, (first.value,)))
    return named


def _assigned(statement: ast.stmt) -> list[str]:
    """The names that an assignment binds; one that only adds to them binds none."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    if len(targets) == 1 and type(targets[0]) is ast.Name:
        return [targets[0].id]
    return [
        each.id
        for target in targets
        for each in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else (target,))
        if isinstance(each, ast.Name)
    ]


def _exported(
    statement: ast.Assign | ast.AnnAssign | ast.AugAssign, before: tuple[str, ...] | None
) -> tuple[str, ...] | None:
    """The literal names in `__all__` after this statement, or None as long as there are none."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    value = statement.value
    if not isinstance(value, (ast.List, ast.Tuple)) or not any(_is_all(each) for each in targets):
        return before
    names = [each.value for each in value.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return (*(before or ()), *names)


def _is_all(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "__all__"
