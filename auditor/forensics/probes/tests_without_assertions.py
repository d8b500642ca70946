"""Whether tests check something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.assert_helpers import is_assert_helper_name
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import callee_name, import_prefix, root_name, text_constant
from auditor.forensics.python.scoped_nodes import Scope, ScopedNode, walk_nodes
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site


def _filter_candidates(candidates: list[ScopedNode], module: Module) -> list[ScopedNode]:
    if isinstance(candidates[0][0], ast.Assert):
        return []  # kept for what holds them
    named = [each for each in candidates if each[0].name.startswith("test")]
    checking = _asserting_functions(module) if named else ()
    return [each for each in named if each[0] not in checking]


_HELPER_REASON = "a helper function may contain assertions"


@site_probe(
    "tests.without_assertions",
    none_statement="Every test has an assertion.",
    nodes=(ast.FunctionDef, ast.AsyncFunctionDef, ast.Assert),
    node_filter=_filter_candidates,
    measured_nodes=(ast.FunctionDef, ast.AsyncFunctionDef),
)
def without_assertions(match: Match) -> Iterator[Site]:
    """Are there tests without assertions?

    A test counts that has no assertion, or only assertions that are always true. Checks in helper functions, mocks, snapshots, expected exceptions and schemas are assertions.

    Compare a result of the tested code with the value that is expected.
    """
    node = match.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    if _is_nested(match) or _is_stub(node) or _is_fixture_or_route(node):
        return
    verdict = _assertion_kind(node, match)
    if verdict == "nothing":
        yield match.site("No assertions in {test}", at=node, call=node.name, confidence=0.8, because=_HELPER_REASON)
    elif any(start >= node.lineno and end <= (node.end_lineno or 0) for start, end in _silenced_lines(match.module)):
        yield match.site("Failures of assertions are caught and ignored in {test}", at=node, call=node.name)
    elif verdict == "trivially":
        yield match.site("Only assertions that are always true in {test}", at=node, call=node.name)


def _is_nested(match: Match) -> bool:
    return match.scope.is_function


def _is_fixture_or_route(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is it a fixture, or a request handler (`@router.post("/login/test-token")`)?"""
    return any("fixture" in callee_name(each) or _is_address(each) for each in node.decorator_list)


def _is_address(decorator: ast.expr) -> bool:
    first = decorator.args[0] if isinstance(decorator, ast.Call) and decorator.args else None
    return (text_constant(first) or "").startswith("/")


def _is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A body that only raises or is skipped is not claimed to be a test."""
    return any(isinstance(each, ast.Raise) for each in node.body) or any(
        "skip" in callee_name(each) or "xfail" in callee_name(each) for each in node.decorator_list
    )


_MOCKS = register_keywords("ock")


def _assertion_kind(node: ast.FunctionDef | ast.AsyncFunctionDef, match: Match) -> str:
    """`something`, `trivially` or `nothing`, of a test with no assertion of its own and no checking helper."""
    if _NO_RAISE_TEST_NAME.search(node.name) or _CHECKING_FIXTURES.intersection(each.arg for each in node.args.args):
        return "something"
    verdict = "nothing"
    calls: list[ast.Call] = []
    for each in walk_nodes(*node.body):
        if isinstance(each, ast.Assert):
            verdict = "trivially"  # as any other is known to check
        elif isinstance(each, ast.Attribute) and each.attr in {"should", "should_not"}:
            return "something"
        elif isinstance(each, ast.Call):
            if _is_checked_subprocess(each):
                return "something"
            if _is_check(each):
                verdict = "trivially"
            calls.append(each)
    checked = (verdict == "nothing" and _calls_checking_helper(calls, match)) or _is_smoke_test(node, match.module)
    return "something" if checked else verdict


_MISSPELLED_MOCK_ASSERTION = re.compile(
    r"(?:was_|is_|been_)?(?:called_(?:once|with|once_with|any|twice|times)|awaited_(?:once|with|once_with))|was_(?:not_)?(?:called|awaited)|has_(?:any_)?calls?|not_called|called_times"
)
"""Attributes that no mock has, so that it creates another mock for them, which is true."""


def _is_misspelled_mock_assertion(test: ast.expr, scope: Scope, module: Module) -> bool:
    """`assert sent.called_once_with(...)`, or `assert sent.called_once`, of something that makes up whatever it is asked for."""
    asked = test.func if isinstance(test, ast.Call) else test
    if not isinstance(asked, ast.Attribute) or not _MISSPELLED_MOCK_ASSERTION.fullmatch(asked.attr):
        return False
    named = module.resolve(asked.value, scope)
    return named is None or "mock" in named.lower() or "patch" in named.lower()


def _calls_checking_helper(calls: Iterable[ast.Call], match: Match) -> bool:
    """Is a function of a checking module called, or one that raises unless a document fits its schema?"""
    taken = _names_from_test_modules(match.module)
    names = (match.resolve(each.func) or "" for each in calls if root_name(each.func) in taken)
    return any(
        _SCHEMA_LIBRARY.match(each) or (_IN_TESTS.search(each) and _CHECKING_NAME.search(each)) for each in names
    )


@remembered
def _names_from_test_modules(module: Module) -> frozenset[str]:
    """Names that a file imports from test modules, or from schema validators; cached."""
    plain = ((each, "") for node, _ in module.nodes.get(ast.Import, ()) for each in node.names)
    other = ((each, import_prefix(node)) for node, _ in module.nodes.get(ast.ImportFrom, ()) for each in node.names)
    return frozenset(
        (each.asname or each.name).partition(".")[0]
        for each, start in (*plain, *other)
        if _SCHEMA_LIBRARY.match(f"{start}{each.name}.") or _IN_TESTS.search(f"{start}{each.name}.")
    )


_SCHEMA_LIBRARY = re.compile(r"(?:jsonschema|fastjsonschema|voluptuous|cerberus|pandera|schemathesis)\.")
_IN_TESTS = re.compile(r"^\.|(?:^|\.)(?:tests?|testing)\.")
_CHECKING_NAME = re.compile(
    r"(?:^|[._])(?:checks?|checkers?|checking|assert\w{0,30}|verify|verification|expectations?|matchers?|comparisons?|compare)\.\w{1,80}$"
    r"|(?:^|\.)testing\.(?:is|is_not|is_true|is_false|in|not_in|ne|lt|le|gt|ge)_?$",
    re.IGNORECASE,
)
"""Qualified names of functions that check for others."""
_NO_RAISE_TEST_NAME = re.compile(
    r"(?:does|do|should|must|will)(?:_?n[o']?t|_never)_(?:raise|fail|crash|throw|error)|doesnt_(?:raise|fail|crash)|no_(?:error|exception|crash)|without_(?:error|exception|raising|crash)",
    re.IGNORECASE,
)
"""Names of tests that say that nothing is raised."""
_NO_RAISE_COMMENT = re.compile(
    r"\b(?:should|must|does|do|did|will|shall|can)(?:n't| not| never)\s+(?:raise|fail|crash|throw|error|explode|blow)|\bno\s+(?:error|exception|crash)\b|\bwithout\s+(?:raising|an?\s+(?:error|exception)|errors?|exceptions?|crashing)",
    re.IGNORECASE,
)
_MAX_TEST_LINES = 60
_MAX_LINE_LENGTH = 1_000
"""Lines of a test, and characters of each, in which it may say that nothing is to be raised."""


def _is_smoke_test(node: ast.FunctionDef | ast.AsyncFunctionDef, module: Module) -> bool:
    """Does a comment or the docstring of a test say that nothing is raised?"""
    rows = module.lines[node.lineno - 1 : node.end_lineno or node.lineno][:_MAX_TEST_LINES]
    said = [row[row.index("#") :][:_MAX_LINE_LENGTH] for row in rows if "#" in row]
    return (
        _NO_RAISE_COMMENT.search("\n".join([(ast.get_docstring(node, clean=False) or "")[:_MAX_LINE_LENGTH], *said]))
        is not None
    )


_CHECKING_FIXTURES = frozenset({"benchmark"})
"""Fixtures that check or measure by themselves."""


def _is_tautology(call: ast.Call) -> bool:
    """`assertTrue(True)`, `assertEqual(x, x)`: a check that is independent of the code."""
    name = callee_name(call)
    if name in {"assertTrue", "assertIsNotNone", "assert_"} and call.args:
        return _always_true(call.args[0])
    if name in {"assertFalse", "assertIsNone"} and call.args:
        return isinstance(call.args[0], ast.Constant) and not call.args[0].value
    if name in {"assertEqual", "assertEquals", "assertIs", "assert_equal"} and len(call.args) > 1:
        return _same(call.args[0], call.args[1])
    return False


def _same(left: ast.expr, right: ast.expr) -> bool:
    """Is it the same name, or the same constant, on both sides?"""
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
        return bool(left.value == right.value)
    return isinstance(left, ast.Name) and isinstance(right, ast.Name) and left.id == right.id


def _is_checked_subprocess(call: ast.Call) -> bool:
    """`subprocess.run(..., check=True)`, which raises when the program fails."""
    return bool(call.keywords) and any(
        each.arg == "check" and isinstance(each.value, ast.Constant) and each.value.value is True
        for each in call.keywords
    )


def _is_check(call: ast.Call) -> bool:
    return is_assert_helper_name(callee_name(call))


@remembered
def _asserting_functions(module: Module) -> set[ast.AST]:
    """Functions with an assertion, or with a call of such a function of the file, at any depth; cached."""
    named: dict[str, ast.AST] = {}
    for each in module.scopes:
        if isinstance(each.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            named[each.node.name] = each.node
    holding: set[ast.AST] = set()
    new = list(_scopes_with_assertions(module))
    while new:
        place: Scope | None = new.pop()
        while place is not None and place.node not in holding:
            holding.add(place.node)
            name = getattr(place.node, "name", "")
            if named.get(name) is place.node:
                new += [scope for _, scope in module.calls.get(name, ())]
            place = place.parent
    return holding


def _scopes_with_assertions(module: Module) -> Iterator[Scope]:
    """Scopes with an assertion that may fail, or with a call of something named as a check."""
    mocks = module.says(_MOCKS)
    silenced = _silenced_lines(module)
    for node, scope in module.nodes.get(ast.Assert, ()):
        if any(start <= node.lineno <= end for start, end in silenced):
            continue
        if not _always_true(node.test) and not (mocks and _is_misspelled_mock_assertion(node.test, scope, module)):
            yield scope
    for name, calls in module.calls.items():
        for call, scope in calls if is_assert_helper_name(name) else ():
            if not _is_tautology(call) and not any(start <= call.lineno <= end for start, end in silenced):
                yield scope


_CAUGHT = frozenset({"AssertionError", "Exception", "BaseException"})
"""What a failed assertion raises, and the classes above it."""


@remembered
def _silenced_lines(module: Module) -> tuple[tuple[int, int], ...]:
    """First and last lines of the bodies of `with suppress(AssertionError)`, where no assertion can fail a test; cached."""
    calls = {
        id(call): scope
        for call, scope in module.calls.get("suppress", ())
        if any(isinstance(each, ast.Name) and each.id in _CAUGHT for each in call.args)
    }
    holders = {id(scope): scope.node for scope in calls.values()}.values()
    return tuple(
        (each.body[0].lineno, each.body[-1].end_lineno or each.body[-1].lineno)
        for holder in holders
        for each in walk_nodes(holder)
        if isinstance(each, (ast.With, ast.AsyncWith)) and any(id(one.context_expr) in calls for one in each.items)
    )


def _always_true(test: ast.expr) -> bool:
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, (ast.Tuple, ast.List, ast.Set)):
        return any(not isinstance(each, ast.Starred) for each in test.elts)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _is_trivial_comparison(test.left, test.ops[0], test.comparators[0])
    if isinstance(test, ast.BoolOp):
        sure = any if isinstance(test.op, ast.Or) else all
        return sure(_always_true(each) for each in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return isinstance(test.operand, ast.Constant) and not test.operand.value
    return isinstance(test, (ast.Lambda, ast.GeneratorExp))  # what is made is never called or taken from


def _is_trivial_comparison(left: ast.expr, sign: ast.cmpop, right: ast.expr) -> bool:
    """Is a comparison always true: of a thing with itself, or of a length with zero?"""
    if isinstance(sign, (ast.Eq, ast.Is)):
        return _same(left, right)
    counts = isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "len"
    none = isinstance(right, ast.Constant) and type(right.value) is int and right.value == 0
    return isinstance(sign, ast.GtE) and counts and none
