"""The tests of a file: what each is called, whether it runs, how much it checks.

What switches a test off may be on itself, on what holds it, in its first statements, or above the whole file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from auditor.forensics.languages.keyword_gated_patterns import PatternSearch
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.test_bodies import (
    AssertionHelpers,
    assess_checks,
    body_code,
    body_digest,
    checks_indirectly,
    ends_early,
    statements,
)
from auditor.forensics.languages.test_declarations import (
    MAX_ABOVE,
    MAX_HEADER,
    TestDeclaration,
    declared_by_function,
    new_tuple,
    nodes_near_words,
    tests_from_calls,
    tests_from_functions,
    text_between,
)
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.source_text.file_outline import DeclaredTest, RunCondition

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_BODY = 200_000
_MAX_TESTS = 20_000


class ParsedTest(NamedTuple):
    """A test, its last line, and what its body checks: `something`, `trivially`, or `nothing`."""

    case: DeclaredTest
    end: int
    verdict: str


def find_tests(
    source: bytes,
    language: Language,
    keywords: frozenset[str],
    calls: Sequence[tuple[Node, Node]],
    functions: Sequence[Node],
    groups: Sequence[Node],
    *,
    compared: bool,
) -> list[ParsedTest]:
    """Every test of a file of some words, from the calls that may be tests with what they call, the functions, and what holds several tests.

    Only where two versions are compared it is counted how much each checks, and marked what its body is.
    """
    testing = language.test_syntax
    if testing is None:
        return []
    if testing.first_line_pattern is not None:
        return list(_tests_by_lines(source, testing, compared=compared))
    tests, holders = tests_from_calls(source, language, testing, calls)
    if testing.heading is not None:
        tests += tests_from_functions(source, testing, testing.heading.form, functions)
        holders += [declared_by_function(source, node, testing) for node in groups]
    tests.sort(key=lambda each: each.node.start_byte)
    if all(each.announced for each in tests):
        return []  # something else with the name of a test
    around = [(each.node.start_byte, each.node.end_byte, *_run_condition(each.header, testing)) for each in holders]
    around += _skipped_groups(source, testing, keywords, functions, groups)
    around = [each for each in around if each[2] is not RunCondition.ALWAYS or each[3]][:MAX_ABOVE]
    least = _file_condition(source, testing)
    helpers = AssertionHelpers(source, testing, functions)
    stopping = None if testing.stop_words and testing.stop_words.isdisjoint(keywords) else testing.stops_search
    return [
        _parse_test(source, each, testing, around, least, helpers, stopping, compared=compared)
        for each in tests[:_MAX_TESTS]
    ]


def _skipped_groups(
    source: bytes, testing: TestSyntax, keywords: frozenset[str], functions: Sequence[Node], groups: Sequence[Node]
) -> Iterator[tuple[int, int, RunCondition, bool]]:
    """What holds tests that are all skipped by what runs before each of them: `setUp`."""
    if testing.preparations is None or testing.stops is None or testing.stop_words.isdisjoint(keywords):
        return
    for node in functions[:_MAX_TESTS]:
        body = node.child_by_field_name("body")
        if body is None or node.type not in testing.function_kinds:
            continue
        if not any(testing.stops.match(first) for first in statements(source, body)):
            continue
        holders = [each for each in groups if each.start_byte <= node.start_byte < each.end_byte]
        if holders and testing.preparations.search(declared_by_function(source, node, testing).header):
            holder = min(holders, key=lambda each: each.end_byte - each.start_byte)
            yield holder.start_byte, holder.end_byte, RunCondition.NEVER, False


def test_lines(
    source: bytes, language: Language, functions: Sequence[Node], groups: Sequence[Node]
) -> list[tuple[int, int]]:
    """First and last lines of the tests of a file, and of what is built for them only, where a language has both beside the product."""
    testing = language.test_syntax
    if testing is None or testing.beside is None or b"test" not in source:
        return []
    if testing.test_only_file is not None and testing.test_only_file.search(
        text_between(source, 0, len(source), MAX_HEADER)
    ):
        return [(1, source.count(b"\n") + 1)]
    marked = [each for each in functions if each.type in testing.function_kinds]
    found: list[tuple[int, int]] = []
    nodes = sorted([*groups, *marked], key=lambda each: each.start_byte)[:_MAX_TESTS]
    for node in nodes_near_words(source, testing.beside_words, nodes):
        first = node.start_point[0] + 1
        if found and first <= found[-1][1]:
            continue  # inside one that is known
        if testing.beside.search(declared_by_function(source, node, testing).header):
            found.append((first, node.end_point[0] + 1))
    return found


@lru_cache(maxsize=4_096)
def _run_condition(header: str, testing: TestSyntax) -> tuple[RunCondition, bool]:
    """What the marks of a test or holder say: does it run, and does it run alone? Most headers are alike."""
    alone = testing.alone is not None and testing.alone.search(header) is not None
    if testing.skipped is not None and testing.skipped.search(header):
        return RunCondition.NEVER, alone
    if testing.conditional is not None and testing.conditional.search(header):
        return RunCondition.CONDITIONALLY, alone
    return RunCondition.ALWAYS, alone


def _parse_test(
    source: bytes,
    written: TestDeclaration,
    testing: TestSyntax,
    around: Sequence[tuple[int, int, RunCondition, bool]],
    file_condition: RunCondition,
    helpers: AssertionHelpers,
    stopping: PatternSearch | None,
    *,
    compared: bool,
) -> ParsedTest:
    node, body = written.node, written.body
    runs, alone = _run_condition(written.header, testing)
    for start, end, their_runs, their_alone in around:
        if start <= node.start_byte < end:
            runs, alone = max(runs, their_runs), alone or their_alone
    runs = max(runs, file_condition)
    text, verdict, count = "", "something", 0
    if written.announced:
        runs = RunCondition.NEVER
    elif body is not None:
        text = body_code(text_between(source, body.start_byte, body.end_byte, _MAX_BODY), testing)
        verdict, count = assess_checks(text, testing, compared=compared)
        if verdict == "nothing" and checks_indirectly(written, text, testing, helpers):
            verdict = "something"
        if ends_early(source, body, text, testing, stopping):
            runs = RunCondition.NEVER
    mark = body_digest(text or written.header) if compared else ""
    case = new_tuple(DeclaredTest, (written.title, node.start_point[0] + 1, runs, alone, count, mark))
    return new_tuple(ParsedTest, (case, node.end_point[0] + 1, verdict))


def _file_condition(source: bytes, testing: TestSyntax) -> RunCondition:
    """What a build condition of the whole file means for its tests."""
    if testing.constraint is None:
        return RunCondition.ALWAYS
    found = testing.constraint.search(source[:4_000].decode("utf-8", errors="replace"))
    if found is None:
        return RunCondition.ALWAYS
    return RunCondition.NEVER if found["never"] else RunCondition.CONDITIONALLY


def _tests_by_lines(source: bytes, testing: TestSyntax, *, compared: bool) -> Iterator[ParsedTest]:
    """Tests that begin with a line of their form and end with a closing bracket alone."""
    assert testing.first_line_pattern is not None
    opened: tuple[int, str] | None = None
    held: list[str] = []
    for number, line in enumerate(source.decode("utf-8", errors="replace").split("\n"), start=1):
        begun = testing.first_line_pattern.match(line[:MAX_HEADER])
        if begun is not None:
            opened, held = (number, begun["title"].strip("\"'")), []
        elif opened is not None and line.rstrip() == "}":
            text = body_code("\n".join(held), testing)
            off = testing.stops is not None and any(
                testing.stops.match(each.strip()) for each in _outermost_lines(text)
            )
            runs = RunCondition.NEVER if off else RunCondition.ALWAYS
            verdict, count = assess_checks(text, testing, compared=compared)
            mark = body_digest(text) if compared else ""
            yield ParsedTest(DeclaredTest(opened[1], opened[0], runs, False, count, mark), number, verdict)
            opened = None
        elif opened is not None and len(held) < 5_000:
            held.append(line[:2_000])


def _outermost_lines(text: str) -> list[str]:
    """Lines at least depth of a body."""
    kept = [line for line in text.split("\n") if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in kept), default=0)
    return [line for line in kept if len(line) - len(line.lstrip()) == depth]
