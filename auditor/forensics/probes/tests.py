"""Whether tests come with the code, say something, and stay."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from auditor.domain import CodeLocation, Fact, FileChange, Side, Status
from auditor.forensics.bindings import first_name, origin
from auditor.forensics.bodies import checks, lines_of
from auditor.forensics.facts import found, lines, not_applicable, not_found, several, some, unavailable, verb
from auditor.forensics.inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.joined_tests import Test, TestFile, taken_over
from auditor.forensics.lost_tests import at_base, at_head, lost_tests, read_whole
from auditor.forensics.module import Kept, Module, Scope, inside
from auditor.forensics.outline import Function, Outline
from auditor.forensics.probe import probe, site_probe
from auditor.forensics.roles import Role, is_code, is_example, is_expected_output, is_test, is_tooling, role
from auditor.forensics.sites import Match, Site
from auditor.forensics.switched_off import switched_off
from auditor.forensics.words import watched
from auditor.forensics.written import READ, gone_lines, written
from auditor.late import late

_WORTH_A_TEST = 10
"""Added product lines below which a change may do without a test of its own."""
_NEW_WORTH_A_TEST = 5
"""The same where a function or class is new."""
_ACCOMPANIED = 0.05
"""Test lines to product lines from which tests count as coming along; below it a line or two stands in for them."""
_ENOUGH = 0.1
"""Test files to product files from which a repository counts as tested."""


@probe("tests.changed_with_code", reads=READ, of_changes=True)
def changed_with_code(
    change: Change | None, tree: Tree, documents: Documents, modules: PythonModules
) -> Iterator[Fact]:
    """Do tests come along with the code?

    Of a change: lines of tests beside new lines of product code; fewer than ten (five with a new function) do
    not apply. Of a tree: one test file for ten of product code.

    Add a test that fails without the change; where that makes no sense, say why in the description.
    """
    if change is None:
        yield from _whole_tree(tree)
        return
    touched = [file for file in change.files if file.added]
    tooled = any(_is_product(path) and not is_tooling(path) for path in tree.head)
    product = [
        file
        for file in touched
        if (_is_product(file.path) and not (tooled and is_tooling(file.path))) or file.path in modules.served
    ]
    tests = [file for file in touched if _is_test_code(file.path) and file.path not in modules.served]
    code = [file for file in change.files if is_code(file.path)]
    gone = gone_lines(code, documents)
    new = written(product, gone, documents)
    added = new.lines - new.of_tests
    if not added:
        yield not_applicable(
            "What the change adds to product code are comments and lines that moved."
            if product
            else "The change adds no product code."
        )
        return
    test_lines = written(tests, gone, documents).lines + new.of_tests
    fresh = _fresh(product, change, modules)
    named = f" ({_definitions(fresh)})" if fresh else ""
    statement = f"The change adds {_lines_of(added)} of product code{named} and {_lines_of(test_lines)} of tests; comments and moved lines are left out"
    share = test_lines / added
    if share >= _ACCOMPANIED:
        yield found(
            f"{statement}.",
            at=[lines(file.path) for file in tests[:10]],
            confidence=0.9,
            because="whether these tests run the new code was not followed",
            measure=1.0,
        )
    elif added < (_NEW_WORTH_A_TEST if fresh else _WORTH_A_TEST):
        yield not_applicable(f"{statement}. That is too little to need a test of its own.")
    else:
        largest = sorted(product, key=lambda file: (-file.added, file.path))
        yield not_found(
            f"{statement}.",
            at=[lines(file.path) for file in largest[:10] if file.head],
            confidence=0.6 if fresh == 0 else 0.9,
            because=_KNOWN_CODE if fresh == 0 else "tests that were there before may run the new code",
            measure=round(share, 4),
        )


_KNOWN_CODE = "no function or class is new, so tests that were there before may well run what changed"


def _fresh(product: Sequence[FileChange], change: Change, modules: PythonModules) -> int | None:
    """How many functions and classes are new by name; None when a file of the change cannot be asked, or is new itself."""
    head = {path: each for path, each in {**modules.others, **modules.head}.items() if path in change.by_path}
    shapes = [head.get(file.path) for file in product]
    before, after = (
        Counter(name for each in side for name in _named(each))
        for side in ((*modules.base.values(), *modules.others_base.values()), head.values())
    )
    more = after - before
    names = {name for each in shapes if each is not None for name in _defined(each)}
    fresh = max(0, sum(more[name] for name in names) - _renamed(product, head, more))
    blind = None in shapes or any(file.base is None for file in product)
    return None if blind and not fresh else fresh


def _renamed(product: Sequence[FileChange], head: Mapping[str, Outline], more: Counter[str]) -> int:
    """How many of the functions whose names are there more often than before have a new first line above an old body."""
    found: Counter[str] = Counter()
    for file in product:
        shape = head.get(file.path)
        for each in shape.functions if shape is not None and file.base is not None else ():
            if more[each.name] > 0 and each.end > each.line and each.line in file.added_lines:
                body = range(each.line + 1, each.end + 1)
                found[each.name] += not any(line in file.added_lines for line in body)
    return sum(min(count, more[name]) for name, count in found.items())


def _defined(shape: Outline) -> set[str]:
    """The names of what a file defines."""
    return set(_named(shape))


def _named(shape: Outline) -> list[str]:
    """The name of each definition; a function without one is known by its line, which says nothing."""
    names = [*(each.name for each in shape.functions), *(each.qualname.rpartition(".")[2] for each in shape.classes)]
    return [each for each in names if " " not in each]


def _definitions(count: int) -> str:
    return "a new function or class" if count == 1 else f"{count:,} new functions or classes"


def _lines_of(count: int) -> str:
    return "1 line" if count == 1 else f"{count:,} lines" if count else "not one line"


def _is_test_code(path: str) -> bool:
    """Fixtures and data beside the tests check nothing; a script may have no suffix."""
    named = is_code(path) or "." not in path.rpartition("/")[2]
    return is_test(path) and named and not path.endswith("conftest.py")


def _is_product(path: str) -> bool:
    return role(path) is Role.PRODUCT and is_code(path) and not is_example(path)


def _whole_tree(tree: Tree) -> Iterator[Fact]:
    product = [path for path in tree.head if _is_product(path)]
    tests = [path for path in tree.head if is_test(path) and is_code(path)]
    if not product:
        yield not_applicable("There is no product code.")
        return
    share = len(tests) / len(product)
    there = f"{verb(len(tests), 'is', 'are')} {several(len(tests), 'test file')}" if tests else "is no test file"
    statement = f"There {there} beside {several(len(product), 'file')} of product code"
    if share >= _ENOUGH:
        yield found(
            f"{statement}.", confidence=0.9, because="what the tests reach was not followed", measure=min(share, 1.0)
        )
    else:
        yield not_found(f"{statement}.", confidence=0.9, because="tests may live in another repository", measure=share)


_RAISES = frozenset(
    {
        "raises",
        "warns",
        "deprecated_call",
        "assertRaises",
        "assertRaisesRegex",
        "assertWarns",
        "assertLogs",
        "fail",
        "does_not_raise",
        "raise_for_status",
        "check_returncode",
        "check_call",
        "check_output",
        "expectThat",
        "fnmatch_lines",
        "re_match_lines",
        "no_fnmatch_line",
        "no_re_match_line",
    }
)
_CHECKING = re.compile(
    r"^_*(?:assert|check|verify|verifies|expect|should|must|compare|same_|equals?_|eq_|ok_|fail|run_test|validate_against|matches_)",
    re.IGNORECASE,
)


def _perhaps_checking_nothing(shown: list[Kept], module: Module) -> list[Kept]:
    if isinstance(shown[0][0], ast.Assert):
        return []  # kept for what holds them
    named = [each for each in shown if each[0].name.startswith("test")]
    checking = _checking(module) if named else ()
    return [each for each in named if each[0] not in checking]


_GIVEN = "a helper whose name does not say so may check something"


@site_probe(
    "tests.without_assertions",
    none="Every test checks something.",
    nodes=(ast.FunctionDef, ast.AsyncFunctionDef, ast.Assert),
    glance=_perhaps_checking_nothing,
    counted=(ast.FunctionDef, ast.AsyncFunctionDef),
)
def without_assertions(match: Match) -> Iterator[Site]:
    """Are there tests that check nothing?

    A test counts that runs code and asserts nothing, or only what is always true. Checks made by helpers, mocks, snapshots, expected exceptions and schemas are checks.

    Assert what the code should have done; a test that only runs code passes whatever it does.
    """
    node = match.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    if _is_nested(match) or _is_stub(node) or _is_called_by_others(node):
        return
    verdict = _checks(node, match)
    if verdict == "nothing":
        yield match.site("A test checks nothing", at=node, call=node.name, confidence=0.8, because=_GIVEN)
    elif verdict == "trivially":
        yield match.site("A test only asserts what is always true", at=node, call=node.name)


def _is_nested(match: Match) -> bool:
    return match.scope.is_function


def _is_called_by_others(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A fixture, or what answers at an address (`@router.post("/login/test-token")`)."""
    return any("fixture" in _text(each) or _is_address(each) for each in node.decorator_list)


def _is_address(decorator: ast.expr) -> bool:
    first = decorator.args[0] if isinstance(decorator, ast.Call) and decorator.args else None
    return isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.startswith("/")


def _is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A body that only raises or is skipped is not claimed to be a test."""
    return any(isinstance(each, ast.Raise) for each in node.body) or any(
        "skip" in _text(each) or "xfail" in _text(each) for each in node.decorator_list
    )


def _text(decorator: ast.expr) -> str:
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


_MOCKS = watched("ock")


def _checks(node: ast.FunctionDef | ast.AsyncFunctionDef, match: Match) -> str:
    """`something`, `trivially` or `nothing`, of a test that holds no check of its own kind and calls none of the file."""
    if _MEANT_TO_RUN.search(node.name) or _CHECKED_BY.intersection(each.arg for each in node.args.args):
        return "something"
    verdict = "nothing"
    calls: list[ast.Call] = []
    for each in inside(*node.body):
        if isinstance(each, ast.Assert):
            verdict = "trivially"  # as any other is known to check
        elif isinstance(each, ast.Attribute) and each.attr in {"should", "should_not"}:
            return "something"
        elif isinstance(each, ast.Call):
            if _checks_its_child(each):
                return "something"
            if _is_check(each):
                verdict = "trivially"
            calls.append(each)
    checked = (verdict == "nothing" and _checks_by_others(calls, match)) or _is_said_to_run(node, match.module)
    return "something" if checked else verdict


_MISSAID = re.compile(
    r"(?:was_|is_|been_)?(?:called_(?:once|with|once_with|any|twice|times)|awaited_(?:once|with|once_with))|was_(?:not_)?(?:called|awaited)|has_(?:any_)?calls?|not_called|called_times"
)
"""Names that no mock knows, so that it makes up another mock for them, which is true."""


def _asks_mock(test: ast.expr, scope: Scope, module: Module) -> bool:
    """`assert sent.called_once_with(...)`, or `assert sent.called_once`, of something that makes up whatever it is asked for."""
    asked = test.func if isinstance(test, ast.Call) else test
    if not isinstance(asked, ast.Attribute) or not _MISSAID.fullmatch(asked.attr):
        return False
    named = module.resolve(asked.value, scope)
    return named is None or "mock" in named.lower() or "patch" in named.lower()


def _checks_by_others(calls: Iterable[ast.Call], match: Match) -> bool:
    """Is something called that a module gives that checks by what it is called, or that raises unless a document fits its schema?"""
    taken = _from_tests(match.module)
    names = (match.resolve(each.func) or "" for each in calls if first_name(each.func) in taken)
    return any(_OF_SCHEMAS.match(each) or (_IN_TESTS.search(each) and _OF_CHECKS.search(each)) for each in names)


def _from_tests(module: Module) -> frozenset[str]:
    """Names that a file imports from test modules, or from what checks documents; worked out once."""
    known = module.memory.get("tests.from_tests")
    if isinstance(known, frozenset):
        return known
    plain = ((each, "") for node, _ in module.nodes.get(ast.Import, ()) for each in node.names)
    other = ((each, origin(node)) for node, _ in module.nodes.get(ast.ImportFrom, ()) for each in node.names)
    taken = frozenset(
        (each.asname or each.name).partition(".")[0]
        for each, start in (*plain, *other)
        if _OF_SCHEMAS.match(f"{start}{each.name}.") or _IN_TESTS.search(f"{start}{each.name}.")
    )
    module.memory["tests.from_tests"] = taken
    return taken


_OF_SCHEMAS = re.compile(r"(?:jsonschema|fastjsonschema|voluptuous|cerberus|pandera|schemathesis)\.")
_IN_TESTS = re.compile(r"^\.|(?:^|\.)(?:tests?|testing)\.")
_OF_CHECKS = re.compile(
    r"(?:^|[._])(?:checks?|checkers?|checking|assert\w{0,30}|verify|verification|expectations?|matchers?|comparisons?|compare)\.\w{1,80}$",
    re.IGNORECASE,
)
"""Qualified names of what checks for others."""


_MEANT_TO_RUN = re.compile(
    r"(?:does|do|should|must|will)(?:_?n[o']?t|_never)_(?:raise|fail|crash|throw|error)|doesnt_(?:raise|fail|crash)|no_(?:error|exception|crash)|without_(?:error|exception|raising|crash)",
    re.IGNORECASE,
)
"""Names of tests that say what they check: that nothing is raised."""
_SAID_TO_RUN = re.compile(
    r"\b(?:should|must|does|do|did|will|shall|can)(?:n't| not| never)\s+(?:raise|fail|crash|throw|error|explode|blow)|\bno\s+(?:error|exception|crash)\b|\bwithout\s+(?:raising|an?\s+(?:error|exception)|errors?|exceptions?|crashing)",
    re.IGNORECASE,
)
_MOST_SAID = 60


def _is_said_to_run(node: ast.FunctionDef | ast.AsyncFunctionDef, module: Module) -> bool:
    """Does a comment or the docstring of a test say that what it checks is that nothing is raised?"""
    rows = module.lines[node.lineno - 1 : node.end_lineno or node.lineno][:_MOST_SAID]
    said = [row[row.index("#") :][:_WIDEST] for row in rows if "#" in row]
    return _SAID_TO_RUN.search("\n".join([(ast.get_docstring(node, clean=False) or "")[:_WIDEST], *said])) is not None


_CHECKED_BY = frozenset({"benchmark"})
"""Fixtures that do the checking themselves, or measure."""


def _checks_itself(call: ast.Call) -> bool:
    """`assertTrue(True)`, `assertEqual(x, x)`: a check that says the same whatever the code does."""
    name = _text(call)
    if name in {"assertTrue", "assertIsNotNone", "assert_"} and call.args:
        return isinstance(call.args[0], ast.Constant) and bool(call.args[0].value)
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


def _checks_its_child(call: ast.Call) -> bool:
    """`subprocess.run(..., check=True)`, which raises when the program fails."""
    return bool(call.keywords) and any(
        each.arg == "check" and isinstance(each.value, ast.Constant) and each.value.value is True
        for each in call.keywords
    )


def _is_check(call: ast.Call) -> bool:
    return _says_so(_text(call))


@lru_cache(maxsize=4096)
def _says_so(name: str) -> bool:
    """Does a function say by its name that it checks something?"""
    return name in _RAISES or bool(_CHECKING.match(name)) or name.startswith(("assert", "Assert"))


def _checking(module: Module) -> set[ast.AST]:
    """What holds an assertion or a call of something that says it checks, or calls a function of the file that does, however deep; worked out once."""
    known = module.memory.get("tests.checking")
    if isinstance(known, set):
        return known
    named: dict[str, ast.AST] = {}
    for each in module.scopes:
        if isinstance(each.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            named[each.node.name] = each.node
    holding: set[ast.AST] = set()
    new = list(_scopes_of_checks(module))
    while new:
        place: Scope | None = new.pop()
        while place is not None and place.node not in holding:
            holding.add(place.node)
            name = getattr(place.node, "name", "")
            if named.get(name) is place.node:
                new += [scope for _, scope in module.calls.get(name, ())]
            place = place.parent
    module.memory["tests.checking"] = holding
    return holding


def _scopes_of_checks(module: Module) -> Iterator[Scope]:
    """Where something is asserted that may be untrue, or what says that it checks is called."""
    mocks = module.says(_MOCKS)
    for node, scope in module.nodes.get(ast.Assert, ()):
        if not _always_true(node.test) and not (mocks and _asks_mock(node.test, scope, module)):
            yield scope
    for name, calls in module.calls.items():
        for call, scope in calls if _says_so(name) else ():
            if not _checks_itself(call):
                yield scope


def _always_true(test: ast.expr) -> bool:  # noqa: PLR0911 - a table of the kinds of expressions
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Tuple):
        return bool(test.elts)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.GtE):
        least = test.comparators[0]
        counts = isinstance(test.left, ast.Call) and isinstance(test.left.func, ast.Name) and test.left.func.id == "len"
        return counts and isinstance(least, ast.Constant) and type(least.value) is int and least.value == 0
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.Is)):
        return _same(test.left, test.comparators[0])
    if isinstance(test, ast.BoolOp):
        sure = any if isinstance(test.op, ast.Or) else all
        return sure(_always_true(each) for each in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return isinstance(test.operand, ast.Constant) and not test.operand.value
    return False


_RUNNERS = (
    *(f"{folder}{name}" for folder in ("", "**/")
      for name in ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", "package.json", "jest.config.*", "vitest.config.*", "playwright.config.*", "pom.xml", "build.gradle",
                   "build.gradle.kts", "Makefile", "justfile", "Cargo.toml", ".rspec")),
    ".github/workflows/*", ".gitlab-ci.yml", ".travis.yml", ".circleci/config.yml", "Jenkinsfile", "azure-pipelines.yml",
)  # fmt: skip
"""Where it is said which tests are run."""
_LEFT_OUT = re.compile(
    r"--ignore(?:-glob)?[= ]\S{0,200}(?:test|spec)|--deselect\b|\bcollect_ignore(?:_glob)?\s*[+=]|norecursedirs\s*=.{0,200}(?:test|spec)|testPathIgnorePatterns|\btestIgnore\b"
    r"|(?<!/)\b(?:skipTests|skipITs|maven\.test\.skip)\b(?!\W{1,3}false)|\bgradlew?\b.{0,200}\s-x\s+\w*[tT]est|\s-[km]\s*[=\s]?\s*\\?[\"']not\s|-skip[= ]\S{0,10}Test|\btest\b.{0,200}\s--skip\s"
    r"|--exclude(?:-pattern)?[= ]\S{0,200}(?:test|spec)|--passWithNoTests|\"test\"\s*:\s*\"(?:echo\b|true\b|exit 0)|^\s*test\s*=\s*false\b|\btests?\b.{0,40}\benabled\s*=\s*false"
)
"""Forms by which a setting or a command leaves tests out."""


@probe("tests.removed_or_skipped", reads=("*.py", "**/*.py", *_RUNNERS))
def removed_or_skipped(change: Change, modules: PythonModules, documents: Documents) -> Iterator[Fact]:
    """Does the change remove or switch off tests?

    Tests that are gone and not found elsewhere, marked to be skipped, left out by settings or commands, or left
    with less than half of their checks.

    Keep the test and mend the code; where a test is obsolete, replace it by one for what holds now.
    """
    if all(role(file.path) in _NO_TESTS and file.path.rpartition("/")[2] not in _MANIFESTS for file in change.files):
        yield not_applicable("The change touches neither code nor settings, and so no test.")
        return
    dark = sorted(path for path in modules.unreadable if is_test(path) and not is_expected_output(path))
    after = list(_tests(modules, Side.HEAD))
    head_names = {each.name for _, each in after}
    before = [(path, each) for path, each in _tests(modules, Side.BASE) if path not in dark]
    gone = [(path, each) for path, each in before if each.name not in head_names]
    sources = {
        side: {path: text.split("\n") for path, text in texts.items() if is_test(path)}
        for side, texts in ((Side.HEAD, documents.head), (Side.BASE, documents.base))
    }
    dropped = _dropped(modules)
    along = [(path, each) for path, each in gone if dropped & _words(sources[Side.BASE].get(path, []), each)]
    fresh = _fresh_tests(modules, sources[Side.HEAD])
    told = set(along)
    joined, fresh = _joined([each for each in gone if each not in told], fresh, change, modules, sources)
    told.update(joined)
    renamed, missed = _parted([each for each in gone if each not in told], fresh)
    skipped, conditional = switched_off(change, modules, after, before, sources)
    off = {each.qualname for _, each in (*skipped, *conditional)}
    weakened = [place for place in _weakened(change, modules, sources) if place[1].qualname not in off]
    others = lost_tests(change, modules)
    deleted = [
        file.path
        for file in change.files
        if file.status is Status.DELETED
        and is_test(file.path)
        and is_code(file.path)
        and not file.path.endswith(".py")
        and not read_whole(file.path, modules.others_base.get(file.path))
    ]
    known = len(before) + others.before
    lost = (
        _Lost("removed and not found elsewhere in the change", [*_python(missed, Side.BASE), *at_base(others.gone)], 0.8, _UNDER_ANOTHER_NAME),
        _Lost("removed along with code named there", _python(along, Side.BASE), 0.4, "what they were for seems to be gone as well"),
        _Lost("gone while as many others came in the same file", [*_python(renamed, Side.BASE), *at_base(others.renamed)], 0.5, "they may be the same ones, renamed and rewritten"),
        _Lost("newly skipped or expected to fail", [*_python(skipped), *at_head(others.skipped)], 0.9, "a condition on the mark was not followed"),
        _Lost("newly run under a condition only", [*_python(conditional), *at_head(others.conditional)], 0.6, "the condition may hold wherever the tests are run"),
        _Lost("newly marked to run alone, which keeps the others of its file from running", at_head(others.alone), 0.9, "the runner may be told to refuse such marks"),
        _Lost("left with less than half of the checks from before", [*_python(weakened), *at_head(others.weakened)], 0.6, "checks may be put together, or made by a helper"),
    )  # fmt: skip
    for each in lost:
        if each.at:
            yield found(
                f"{_tests_are(len(each.at))} {each.how}{_names(each.at)}.",
                at=each.at,
                confidence=each.confidence,
                because=each.because,
                measure=min(1.0, round(len(each.at) / max(1, known), 4)),
                introduced=True,
            )
    if deleted:
        yield found(
            "Test files are deleted.",
            at=[lines(path, side=Side.BASE) for path in deleted],
            confidence=0.7,
            because="what they held was not read test by test",
            introduced=True,
        )
    settings = list(_left_out(change, documents))
    if settings:
        yield found(
            "A setting or a command leaves tests out that were run before.",
            at=settings,
            confidence=0.75,
            because="whether the tests that it names were run before was not followed",
            introduced=True,
        )
    if dark:
        yield unavailable(
            f"{several(len(dark), 'changed test file')} could not be read.", at=[lines(path) for path in dark]
        )
    if not (any(each.at for each in lost) or deleted or settings or dark):
        yield not_found(
            "The change removes, skips and weakens no test.",
            confidence=0.85,
            because="skips under a condition were not followed",
        )


_MANIFESTS = frozenset({"package.json", "pom.xml"})
"""Data by their form that say how tests are run."""
_NO_TESTS = frozenset({Role.DOCUMENTATION, Role.DATA, Role.LOCK, Role.VENDORED, Role.GENERATED})


def _left_out(change: Change, documents: Documents) -> Iterator[CodeLocation]:
    """New lines in settings of tests, and in what runs them, by which some are left out."""
    for file in change.files:
        text = documents.head.get(file.path) if file.head is not None else None
        if text is None or (file.path.endswith(".py") and not file.path.endswith("conftest.py")):
            continue
        rows = text.split("\n")
        known = documents.base.get(file.base.path, "") if file.base is not None else None
        asked_for = _asked_for(rows) if _GROUP.search(text) else frozenset[str]()
        for number in sorted(file.added_lines):
            row = rows[number - 1][:_WIDEST] if number <= len(rows) else ""
            told = _LEFT_OUT.search(row)
            if (
                told is not None
                and known is not None
                and not row.lstrip().startswith(("#", "//"))
                and told[0] not in known
                and not _is_run_apart(row, asked_for)
            ):
                yield lines(file.path, number, number, quote=row.strip())


_WIDEST = 1_000
_GROUP = late(r"\s-[km]\s{0,5}=?\s{0,5}\\?[\"']not\s{1,5}(?P<group>\w{1,80})\\?[\"']")


_ASKED_FOR = late(r"\s-[km][=\s]\s{0,5}\\?[\"']?(\w{1,80})\b")


def _asked_for(rows: Iterable[str]) -> frozenset[str]:
    """The groups of tests that the commands of a file ask for; a comment runs none."""
    told = (row.partition(" #")[0] for row in rows if not row.lstrip().startswith(("#", "//")))
    return frozenset(group for row in told for group in _ASKED_FOR.findall(row))


def _is_run_apart(row: str, asked_for: Container[str]) -> bool:
    """Is all that a command leaves out a group of tests that another one of the same file asks for?"""
    left = _GROUP.findall(row)
    return bool(left) and all(group in asked_for for group in left) and _LEFT_OUT.search(_GROUP.sub(" ", row)) is None


def _fresh_tests(modules: PythonModules, sources: Mapping[str, list[str]]) -> Counter[str]:
    """How many tests of names that were nowhere before each file has; one that checks nothing takes no other's place."""
    known = {each.name for _, each in _tests(modules, Side.BASE)}
    return Counter(
        path
        for path, each in _tests(modules, Side.HEAD)
        if each.name not in known and (path not in sources or checks(sources[path], each))
    )


def _joined(
    gone: Sequence[tuple[str, Function]],
    fresh: Counter[str],
    change: Change,
    modules: PythonModules,
    sources: Mapping[Side, Mapping[str, list[str]]],
) -> tuple[list[tuple[str, Function]], Counter[str]]:
    """Tests that go on in others of the change, and how many new ones are left in each file that take nothing over."""
    files = {side: {path: TestFile(path, rows) for path, rows in texts.items()} for side, texts in sources.items()}
    then, now = files[Side.BASE], files[Side.HEAD]
    lost = {Test(then[path], each): (path, each) for path, each in gone if path in then}
    before = [(path, each) for path, each in _tests(modules, Side.BASE) if path in then] if lost else []
    after = [
        Test(now[path], each)
        for path, each in _tests(modules, Side.HEAD)
        if lost and path in change.by_path and path in now
    ]
    taken, taking = taken_over(list(lost), after, [Test(then[path], each) for path, each in before])
    known = {each.name for _, each in before}
    new = Counter(each.file.path for each in taking if each.function.name not in known)
    return [lost[each] for each in lost if each in taken], fresh - new


def _parted(
    gone: Sequence[tuple[str, Function]], fresh: Counter[str]
) -> tuple[list[tuple[str, Function]], list[tuple[str, Function]]]:
    """Those in whose place another came in the same file, and the others."""
    left = fresh.copy()
    parts: tuple[list[tuple[str, Function]], list[tuple[str, Function]]] = [], []
    for path, each in gone:
        parts[left[path] <= 0].append((path, each))
        left[path] -= 1
    return parts


def _dropped(modules: PythonModules) -> set[str]:
    """The names of product code that the change takes away and defines nowhere else.

    Those in whose place as many others came are left out: code that goes on under another name takes no test along.
    """
    before, after = (
        {(path, name) for path, shape in side.items() if not is_test(path) for name in _defined(shape)}
        for side in (modules.base, modules.head)
    )
    known, kept = {name for _, name in before}, {name for _, name in after}
    place = modules.base.keys() & modules.head.keys()
    came = Counter(path if path in place else "" for path, name in after if name not in known)
    gone = [(path if path in place else "", name) for path, name in before if name not in kept]
    went = Counter(path for path, _ in gone)
    return {name for path, name in gone if len(name) >= _TELLING and went[path] > came[path]}


def _words(source: list[str], test: Function) -> set[str]:
    return set(_WORD.findall("\n".join(source[test.line - 1 : test.end])))


_TELLING = 4
"""Letters of a name from which a test that holds it speaks of it."""
_WORD = re.compile(r"\w+")
_UNDER_ANOTHER_NAME = "a test may go on under another name, or with the code it was for"


@dataclass(frozen=True)
class _Lost:
    """One way in which tests are lost, and where."""

    how: str
    at: Sequence[CodeLocation]
    confidence: float
    because: str


def _python(tests: list[tuple[str, Function]], side: Side = Side.HEAD) -> list[CodeLocation]:
    return [lines(path, each.line, each.line, quote=f"def {each.name}", side=side) for path, each in tests]


def _names(at: Sequence[CodeLocation]) -> str:
    """The names of tests that are functions; a title is free text of the author's and stays in the quote."""
    names = [each.quote.removeprefix("def ") for each in at]
    told = [name for name in names if name.isidentifier()]
    return f": {some(told)}" if told else ""


def _weakened(
    change: Change, modules: PythonModules, sources: Mapping[Side, Mapping[str, list[str]]]
) -> Iterator[tuple[str, Function]]:
    """Tests that stay under their name and check less than half of what they did, two checks or more having gone.

    What a helper of the change's test files checks for a test is checked.
    """
    helpers: frozenset[str] | None = None
    for file in change.files:
        if file.base is None or file.head is None or file.head.path not in modules.head:
            continue
        old_shape = modules.base.get(file.base.path)
        old_text, new_text = sources[Side.BASE].get(file.base.path), sources[Side.HEAD].get(file.head.path)
        if old_shape is None or old_text is None or new_text is None:
            continue
        before = {each.qualname: each for each in old_shape.functions}
        for each in modules.head[file.head.path].functions:
            old = before.get(each.qualname) if each.name.startswith("test") and not each.nested else None
            if old is None or lines_of(old_text, old) == lines_of(new_text, each):
                continue
            had = checks(old_text, old)
            has = checks(new_text, each) if had > 1 else had
            if not _lost_most(had, has):
                continue
            helpers = _checking_helpers(modules, sources[Side.HEAD]) if helpers is None else helpers
            had += _called(helpers, lines_of(old_text, old))
            has += _called(helpers, lines_of(new_text, each))
            if _lost_most(had, has) and not (has and _made_a_table(old, each, old_text, new_text)):
                yield file.head.path, each


def _lost_most(had: int, has: int) -> bool:
    return had - has > 1 and has * 2 < had


def _checking_helpers(modules: PythonModules, sources: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The functions of the change's test files that check something and are no tests themselves."""
    return frozenset(
        each.name
        for path, shape in modules.head.items()
        if path in sources and is_test(path)
        for each in shape.functions
        if not each.name.startswith(("test", "__")) and not each.nested and checks(sources[path], each)
    )


def _called(helpers: frozenset[str], body: Sequence[str]) -> int:
    """On how many lines one of the helpers is called; one whose name says that it checks is counted already."""
    return sum(1 for line in body if any(name in helpers and not _says_so(name) for name in _CALLED.findall(line)))


_CALLED = re.compile(r"\b(\w+)\(")


_OF_TABLES = re.compile(r"\b(?:for\s[^\n]{1,200}\sin\b|subTest\(|subtests\.test\()")
_PARAMETERS = frozenset(
    {"parametrize", "parameterized", "expand", "given", "parameterize", "cases", "data", "ddt", "example"}
)


def _made_a_table(old: Function, new: Function, before: Sequence[str], after: Sequence[str]) -> bool:
    """Was a test written anew with parameters, or with a loop, so that each of its checks is made for many values?"""
    given = [
        sum(name.rpartition(".")[2] in _PARAMETERS for name in each.decorators)
        + len(_OF_TABLES.findall("\n".join(lines_of(text, each))))
        for each, text in ((old, before), (new, after))
    ]
    return given[1] > given[0]


def _tests_are(count: int) -> str:
    return "1 test is" if count == 1 else f"{count} tests are"


def _tests(modules: PythonModules, side: Side) -> Iterator[tuple[str, Function]]:
    outlines = modules.head if side is Side.HEAD else modules.base
    for path, shape in sorted(outlines.items()):
        if is_test(path):
            for each in shape.functions:
                if each.name.startswith("test") and not each.nested:
                    yield path, each
