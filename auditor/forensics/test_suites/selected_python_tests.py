"""Which Python tests of a file pytest selects, by the names of classes and functions, and by expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from auditor.forensics.python.source_parsing import ParseFailure, parse_source
from auditor.forensics.test_suites.configured_suite import ConfiguredSuite, EffectiveSetting
from auditor.forensics.test_suites.path_patterns import fits_name
from auditor.forensics.test_suites.rendered_code import render
from auditor.forensics.test_suites.runner_table import Effect

_MAX_TESTS = 5_000
_MAX_EXPRESSION = 1_000


class PythonTest(NamedTuple):
    """A function that may be a test. `is_unittest` says that its class is a `TestCase`."""

    path: str
    class_name: str
    name: str
    marks: frozenset[str]
    is_unittest: bool

    @property
    def node_id(self) -> str:
        """The id by which pytest knows it, without parameters."""
        return "::".join(each for each in (self.path, self.class_name, self.name) if each)

    @property
    def title(self) -> str:
        """Its name with that of its class."""
        return f"{self.class_name}.{self.name}" if self.class_name else self.name


def list_functions(path: str, text: str) -> Sequence[PythonTest]:
    """The functions of a module and the methods of its classes, with their marks; none where it is not parsed."""
    tree = parse_source(text)
    return () if isinstance(tree, ParseFailure) else tuple(_functions(path, tree))[:_MAX_TESTS]


def _functions(path: str, tree: ast.Module) -> Iterator[PythonTest]:
    module_marks = frozenset(
        mark
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(each, ast.Name) and each.id == "pytestmark" for each in node.targets)
        for mark in _marks(node.value.elts if isinstance(node.value, (ast.List, ast.Tuple)) else [node.value])
    )
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield PythonTest(path, "", node.name, module_marks | _marks(node.decorator_list), is_unittest=False)
        elif isinstance(node, ast.ClassDef):
            marks = module_marks | _marks(node.decorator_list)
            unittest = any("TestCase" in render(base) for base in node.bases[:5])
            for each in node.body:
                if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield PythonTest(path, node.name, each.name, marks | _marks(each.decorator_list), unittest)


def _marks(decorators: Sequence[ast.expr]) -> frozenset[str]:
    """`slow` for `@pytest.mark.slow` and `@pytest.mark.slow(...)`."""
    names = [each.func if isinstance(each, ast.Call) else each for each in decorators]
    return frozenset(
        each.attr
        for each in names
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Attribute) and each.value.attr == "mark"
    )


def deselects(suite: ConfiguredSuite, test: PythonTest) -> EffectiveSetting | None:
    """The setting by which a test of a collected file is not run; None where it is, or where that is not known."""
    if not test.is_unittest:
        functions, classes = suite.of(Effect.FUNCTIONS), suite.of(Effect.CLASSES)
        if functions and not any(_fits_prefix(test.name, value) for each in functions for value in each.values):
            return functions[-1]
        if test.class_name and classes and not _fits_any(test.class_name, classes):
            return classes[-1]
    for each in suite.of(Effect.DESELECTED):
        own = test._replace(path=test.path[len(suite.folder) + 1 :] if suite.folder else test.path).node_id
        if any(value and own.startswith(value.removeprefix("./")) for value in each.values):
            return each
    for effect, names in ((Effect.KEYWORD, _keyword_names(test)), (Effect.MARKER, test.marks)):
        for each in suite.of(effect)[-1:]:
            match = _contains(names) if effect is Effect.KEYWORD else names.__contains__
            if evaluate_expression(each.values[-1] if each.values else "", match) is False:
                return each
    return None


def _fits_any(name: str, settings: Sequence[EffectiveSetting]) -> bool:
    return any(_fits_prefix(name, value) for each in settings for value in each.values)


def _fits_prefix(name: str, pattern: str) -> bool:
    """Is it a name that pytest takes: one that begins with the pattern, or that the pattern fits as a glob."""
    return name.startswith(pattern) or fits_name(name, pattern)


def _keyword_names(test: PythonTest) -> frozenset[str]:
    return frozenset({test.path.rpartition("/")[2], test.class_name, test.name, *test.marks})


def _contains(names: frozenset[str]) -> Callable[[str], bool]:
    lowered = [each.lower() for each in names]
    return lambda word: any(word.lower() in each for each in lowered)


def evaluate_expression(expression: str, match: Callable[[str], bool]) -> bool | None:
    """The truth of an expression of `-k` or `-m`; None for one that is not evaluated. An empty one selects everything."""
    if not expression.strip():
        return True
    if len(expression) > _MAX_EXPRESSION:
        return None
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _truth(tree.body, match)


def _truth(node: ast.expr, match: Callable[[str], bool]) -> bool | None:
    if isinstance(node, ast.Name):
        return match(node.id)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return match(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _truth(node.operand, match)
        return None if inner is None else not inner
    if isinstance(node, ast.BoolOp):
        parts = [_truth(each, match) for each in node.values]
        if isinstance(node.op, ast.And):
            return False if False in parts else None if None in parts else True
        return True if True in parts else None if None in parts else False
    return None
