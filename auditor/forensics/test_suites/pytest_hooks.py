"""Hooks and fixtures of a `conftest.py`, and `load_tests`, that keep tests from running or a run from failing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from auditor.forensics.probe_kit.fact_outcomes import code_excerpt
from auditor.forensics.test_suites.pytest_names import pytest_names, replacing_hooks
from auditor.forensics.test_suites.rendered_code import render
from auditor.forensics.test_suites.replaced_tests import assigned_attribute, replaced_test
from auditor.lazy_regex import lazy_compile

_SKIP = lazy_compile(r"(?:^|[^\w])(?:skip|xfail|Skipped|SkipTest)\b")
_ENVIRONMENT = lazy_compile(
    r"getoption|getvalue|getini|\.option\b|environ|getenv|platform|version|importorskip|find_spec|which\(|is_available|has_|HAS_|HAVE_|sys\."
)
"""What a condition asks for that differs from one run to another, and not from test to test."""
CERTAIN, BY_TEST, BY_ENVIRONMENT = 0.9, 0.75, 0.5
"""How sure it is that tests which ran no longer do: always, for chosen tests, or where the environment says so."""
_SUCCESS = frozenset({"0", "ExitCode.OK", "pytest.ExitCode.OK", "os.EX_OK", ""})


class CodeSwitch(NamedTuple):
    """Something in the code of a test suite that switches tests off. `kind` is the same on both sides."""

    kind: str
    says: str
    line: int
    confidence: float


def find_switches(tree: ast.Module, *, is_conftest: bool) -> Iterator[CodeSwitch]:
    """Every switch of a module; outside of a `conftest.py` only those that count there."""
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == "load_tests":
            yield from _load_tests(statement)
    if not is_conftest:
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _hook_switches(node)
            if node.name.startswith("pytest_") or _is_fixture(node):
                yield from _replaced_tests(node, tree)
    yield from _exit_switches(tree)


def _hook_switches(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeSwitch]:
    name = node.name
    if name in {"pytest_collection_modifyitems", "pytest_itemcollected"}:
        yield from _modified_items(node)
    elif name == "pytest_ignore_collect":
        yield from _ignored_paths(node)
    elif name in pytest_names("report_hooks"):
        yield from _changed_reports(node)
    elif name in replacing_hooks():
        yield from _replaced(node)
    elif name in {"pytest_runtest_setup", "pytest_runtest_call"} or _is_autouse(node):
        yield from _skipping_statements(node)


def _replaced_tests(node: ast.FunctionDef | ast.AsyncFunctionDef, tree: ast.Module) -> Iterator[CodeSwitch]:
    for statement, conditions in _conditions(node.body):
        if target := replaced_test(statement, node, tree) if _simple(statement) else "":
            says = f"`{node.name}` replaces `{target}`, so that tests are not run"
            yield CodeSwitch(f"{node.name}: replaced", says, statement.lineno, _confidence(conditions))


def _conditions(body: Iterable[ast.stmt], above: tuple[str, ...] = ()) -> Iterator[tuple[ast.stmt, tuple[str, ...]]]:
    """The statements of a function with the conditions that they are under; one that returns early counts for the rest."""
    held = above
    for each in body:
        yield each, held
        if isinstance(each, ast.If):
            test = render(each.test)
            yield from _conditions(each.body, (*held, test))
            yield from _conditions(each.orelse, (*held, test))
            if any(isinstance(last, (ast.Return, ast.Continue)) for last in each.body[-1:]):
                held = (*held, test)
        elif isinstance(each, (ast.For, ast.While, ast.With, ast.AsyncFor, ast.AsyncWith)):
            yield from _conditions(each.body, held)
        elif isinstance(each, ast.Try):
            yield from _conditions(each.body, held)
            for handler in each.handlers:
                yield from _conditions(handler.body, (*held, "sys.exc_info"))


def _confidence(conditions: tuple[str, ...]) -> float:
    real = [each for each in conditions if each not in {"True", "1", "not False"}]
    if not real:
        return CERTAIN
    return BY_ENVIRONMENT if any(_ENVIRONMENT.search(each) for each in real) else BY_TEST


def _simple(statement: ast.stmt) -> bool:
    return not isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.AsyncFor, ast.AsyncWith))


def _modified_items(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeSwitch]:
    kept = {
        target.id: render(each.value)
        for each in ast.walk(node)
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    for statement, conditions in _conditions(node.body):
        if not _simple(statement):
            continue
        says = _drops_items(statement) or _marks_items(statement, kept)
        if says:
            yield CodeSwitch(f"{node.name}: {says}", f"`{node.name}` {says}", statement.lineno, _confidence(conditions))


def _drops_items(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Assign) and render(statement.targets[0]).startswith("items["):
        value = render(statement.value)
        if value.startswith(("sorted(", "list(reversed(", "reversed(")) or isinstance(statement.value, ast.BinOp):
            return ""
        return "deselects every test" if value in {"[]", "()", "list()"} else "deselects tests"
    text = render(statement)
    if text.startswith(("items.clear(", "items.remove(", "items.pop(", "del items[")) or ".pytest_deselected(" in text:
        return "deselects every test" if text.startswith(("items.clear(", "del items[:]")) else "deselects tests"
    return ""


def _marks_items(statement: ast.stmt, kept: dict[str, str]) -> str:
    for each in ast.walk(statement):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "add_marker":
            given = render(each.args[0]) if each.args else ""
            given = kept.get(given, given)
            if _SKIP.search(given) and "skipif" not in given:
                return "marks tests to be skipped"
    return ""


def _ignored_paths(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeSwitch]:
    for statement, conditions in _conditions(node.body):
        if isinstance(statement, ast.Return) and render(statement.value) not in {"", "None", "False"}:
            certain = render(statement.value) == "True"
            confidence = _confidence(conditions) if certain else min(BY_TEST, _confidence(conditions))
            says = "ignores every path" if certain and confidence == CERTAIN else "ignores paths"
            yield CodeSwitch(node.name, f"`{node.name}` {says}", statement.lineno, confidence)


def _changed_reports(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeSwitch]:
    for statement, conditions in _conditions(node.body):
        if isinstance(statement, ast.Assign):
            target, value = render(statement.targets[0]), render(statement.value)
            if target.endswith(".outcome") and value in {"'passed'", "'skipped'"}:
                confidence = max(BY_TEST, _confidence(conditions))
                yield CodeSwitch(
                    node.name, f"`{node.name}` turns failed tests into passed ones", statement.lineno, confidence
                )


def _replaced(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeSwitch]:
    """A hook that always has a result, and does not do itself what pytest would have done."""
    hook = replacing_hooks()[node.name]
    body = [render(each) for each in ast.walk(node) if isinstance(each, (ast.Attribute, ast.Name))]
    if any("wrapper=True" in render(each) for each in node.decorator_list):
        return
    for statement, conditions in _conditions(node.body):
        if not isinstance(statement, ast.Return) or conditions:
            continue
        value = render(statement.value)
        is_empty = value in pytest_names("empty_results")
        runs = hook.runs or {"runtestprotocol", ".funcargs"}
        if value in {"", "None"} or not (is_empty or hook.runs) or any(run in text for run in runs for text in body):
            continue
        says = f"`{node.name}` returns `{code_excerpt(value)}`, so that {hook.says}"
        yield CodeSwitch(node.name, says, statement.lineno, CERTAIN if is_empty else BY_TEST)


def _is_autouse(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(each, ast.Call)
        and render(each.func).endswith("fixture")
        and any(word.arg == "autouse" and render(word.value) == "True" for word in each.keywords)
        for each in node.decorator_list
    )


def _is_fixture(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("fixture" in render(each) for each in node.decorator_list)


def _skipping_statements(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeSwitch]:
    what = f"autouse fixture `{node.name}`" if node.decorator_list else f"`{node.name}`"
    for statement, conditions in _conditions(node.body):
        if _simple(statement) and _SKIPPING_CALL.match(render(statement)):
            yield CodeSwitch(f"{node.name}: skip", f"{what} skips tests", statement.lineno, _confidence(conditions))


_SKIPPING_CALL = lazy_compile(r"(?:pytest\.)?(?:skip|xfail)\(|raise (?:unittest\.)?(?:SkipTest|pytest\.skip)")


def _exit_switches(tree: ast.Module) -> Iterator[CodeSwitch]:
    """What ends a run as a success whatever its tests said."""
    names = _imported_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.Expr)):
            target, value = assigned_attribute(node)
            if target.endswith((".exitstatus", ".testsfailed")) and value is not None and _may_be_success(value):
                says = f"`{target} = {render(value)}` makes a failed run succeed"
                yield CodeSwitch("exit status", says, node.lineno, CERTAIN)
        elif isinstance(node, ast.Call):
            name = _resolve(node.func, names)
            given = [_resolve(each, names) for each in (*node.args, *(word.value for word in node.keywords))]
            if name == "atexit.register" and len(given) > 1:
                name, given = given[0], given[1:]
            if name in pytest_names("exit_calls") and _exits_with_success(name, given):
                yield CodeSwitch("exit", f"`{name}` ends the run as a success", node.lineno, CERTAIN)
            elif name in pytest_names("program_calls"):
                says = f"`{name}` replaces the run by another program, whose exit status counts"
                yield CodeSwitch("program", says, node.lineno, BY_TEST)


def _may_be_success(value: ast.expr) -> bool:
    """Is it the status of success, or a call that may give it back: `min(status, 0)`?"""
    given = value.args if isinstance(value, ast.Call) else [value]
    return any(render(each) in _SUCCESS for each in given)


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """What the names that a module imports stand for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.update({each.asname or each.name: f"{node.module}.{each.name}" for each in node.names})
        elif isinstance(node, ast.Import):
            found.update({each.asname: each.name for each in node.names if each.asname})
    given = [each for each in ast.walk(tree) if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)]
    for each in given:
        if isinstance(each.value, (ast.Attribute, ast.Call, ast.Subscript)):
            found.setdefault(render(each.targets[0]), _resolve(each.value, found))
    return found


def _resolve(node: ast.expr, names: dict[str, str]) -> str:
    """What an expression names, also where a module or a member is taken by its name: `__import__("os")._exit`."""
    if isinstance(node, ast.Attribute):
        return f"{_resolve(node.value, names)}.{node.attr}"
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[-1], ast.Constant):
        taken, name = str(node.args[-1].value), render(node.func).rpartition(".")[2]
        if name in {"__import__", "import_module"}:
            return taken
        if name == "getattr":
            return f"{_resolve(node.args[0], names)}.{taken}"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        held, key = node.value, str(node.slice.value)
        of_vars = isinstance(held, ast.Call) and render(held.func) == "vars" and held.args
        owner = _resolve(held.args[0] if isinstance(held, ast.Call) and of_vars else held, names)
        return key if owner == "sys.modules" else f"{owner.removesuffix('.__dict__')}.{key}"
    first, dot, rest = render(node).partition(".")
    return f"{names.get(first, first)}{dot}{rest}"


def _exits_with_success(name: str, given: list[str]) -> bool:
    if name == "pytest.exit":
        return bool(given) and given[-1] in _SUCCESS
    return (given[0] if given else "") in _SUCCESS


def _load_tests(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeSwitch]:
    """`load_tests` that gives back something else than the tests it was given."""
    arguments = [each.arg for each in node.args.args]
    given = arguments[1] if len(arguments) > 1 else "tests"
    uses = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    loader = arguments[0] if arguments else "loader"
    returned = [render(each.value) for each in ast.walk(node) if isinstance(each, ast.Return)]
    if given in uses or loader in uses or (uses & {"defaultTestLoader", "TestLoader"}):
        return
    empty = all(each in {"", "None"} or each.endswith("TestSuite()") for each in returned)
    yield CodeSwitch(
        "load_tests", "`load_tests` leaves out the tests of the module", node.lineno, CERTAIN if empty else BY_TEST
    )


class IgnoredEntry(NamedTuple):
    """An entry of `collect_ignore` or `collect_ignore_glob`, relative to the folder of the `conftest.py`."""

    pattern: str
    line: int
    confidence: float
    is_glob: bool


def find_ignored(tree: ast.Module) -> Iterator[IgnoredEntry]:
    """The constant entries of the lists of ignored files."""
    for statement, conditions in _conditions(tree.body):
        for name, value in _ignoring(statement):
            confidence = _confidence(conditions)
            for each in ast.walk(value):
                if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value:
                    yield IgnoredEntry(each.value, statement.lineno, confidence, name.endswith("_glob"))


def _ignoring(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and statement.value is not None:
        target = render(statement.targets[0] if isinstance(statement, ast.Assign) else statement.target)
        if target in {"collect_ignore", "collect_ignore_glob"}:
            yield target, statement.value
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement.value.args:
        name, _, method = render(statement.value.func).partition(".")
        if name in {"collect_ignore", "collect_ignore_glob"} and method in {"append", "extend"}:
            yield name, statement.value.args[0]
