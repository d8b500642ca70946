"""Functions that go by another name than before, or by none, are known by the lines that they kept."""

from __future__ import annotations

import time
from difflib import SequenceMatcher

import pytest

from auditor.domain import Fact, FileChange, Hunk, Outcome, Status, TreeEntry
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.probe_kit.probe_inputs import PythonModules
from auditor.forensics.public_api.renamed_functions import BaseFunctions
from auditor.forensics.source_text.file_outline import Function, Outline
from tests.forensics.probes.asking import ask, change


def rewritten(before: str, after: str, path: str = "a.ts", old: str = "a.ts") -> FileChange:
    """The change that makes one text of another, with the stretches that differ."""
    lines = before.splitlines(), after.splitlines()
    hunks = tuple(
        Hunk(one + (two > one), two - one, three + (four > three), four - three)
        for tag, one, two, three, four in SequenceMatcher(None, *lines, autojunk=False).get_opcodes()
        if tag != "equal"
    )
    status = Status.MODIFIED if path == old else Status.RENAMED
    return FileChange(status, TreeEntry(old, "0" * 40), TreeEntry(path, "1" * 40), hunks, 1, 1)


def outline(source: str) -> Outline:
    outlined = scan_file(source.encode(), "typescript", Interest(())).outline
    assert outlined is not None
    return outlined


def asked(probe: str, before: str, after: str, path: str = "a.ts") -> Fact:
    modules = PythonModules({}, others={path: outline(after)}, other_languages_base={"a.ts": outline(before)})
    (fact,) = ask(probe, change(rewritten(before, after, path)), modules)
    return fact


def steps(count: int, word: str = "step") -> str:
    return "".join(f"    {word}({number})\n" for number in range(count))


def handed(body: str, head: str = "rows.forEach((row) => {") -> str:
    return f"const a = 1\n{head}\n{body}}})\n"


@pytest.mark.parametrize("path", ["a.ts", "b.ts"])
def test_a_long_function_without_a_name_that_only_moved_down_is_not_new(path: str) -> None:
    before = handed(steps(120))
    for above in ("import b from 'b'\n", "import b from 'b'\n" * 30, "other.map((each) => {\n    first(each)\n})\n"):
        fact = asked("code.long_functions", before, above + before.replace("step(60)", "other(60)"), path)
        assert fact.outcome is Outcome.NOT_FOUND


def test_what_a_function_without_a_name_was_stood_at_its_lines_and_not_at_its_number() -> None:
    short, long = "first.map((each) => {\n    one(each)\n})\n", handed(steps(130))
    fact = asked("code.long_functions", f"{short}\n{long}", f"{long}\n{short}")
    assert fact.outcome is Outcome.NOT_FOUND
    grown = asked("code.long_functions", handed(steps(80)), "\n" * 40 + handed(steps(120)))
    assert grown.statement == ("Anonymous function at line 42 grew from 82 to 122 lines (limit 100).")


def test_a_long_function_without_a_name_that_is_new_is_told() -> None:
    for before in ("const a = 1\n", handed(steps(10)), handed(steps(120, "other"))):
        fact = asked("code.long_functions", before, handed(steps(120)))
        assert fact.statement.startswith("New anonymous function at line ")


def test_a_function_that_is_renamed_is_as_large_as_it_was() -> None:
    def named(name: str, count: int) -> str:
        return f"function {name}() {{\n{steps(count)}}}\n"

    assert asked("code.long_functions", named("old", 120), named("fresh", 121)).outcome is Outcome.NOT_FOUND
    assert asked("code.long_functions", named("old", 80), named("fresh", 130)).statement == (
        "Function `fresh` grew from 82 to 132 lines (limit 100)."
    )
    both = named("old", 80) + f"function fresh() {{\n{steps(120, 'other')}}}\n"
    assert "New function" in asked("code.long_functions", named("old", 80), both).statement


def test_branches_of_a_function_without_a_name_are_compared_with_those_it_had() -> None:
    body = "".join(f"    if (row === {number}) one({number})\n" for number in range(20))
    moved = asked("code.complexity", handed(body), f"import b from 'b'\n{handed(body)}".replace("one(7)", "two(7)"))
    assert moved.outcome is Outcome.NOT_FOUND
    assert asked("code.complexity", "const a = 1\n", handed(body)).outcome is Outcome.FOUND


def test_what_is_taken_out_of_a_larger_function_is_not_charged_to_who_takes_it_out() -> None:
    before = f"function all() {{\n{steps(260)}}}\n"
    lines = before.splitlines(keepends=True)
    after = "".join([*lines[:130], "    rest()\n}\nfunction rest() {\n", *lines[130:]])
    assert asked("code.long_functions", before, after).outcome is Outcome.NOT_FOUND


def test_a_file_full_of_functions_is_gone_through_in_time() -> None:
    functions = tuple(Function(f"line {at}", at, at + 1, True, True, True, "", (), 20) for at in range(1, 40_000, 2))
    hunks = tuple(Hunk(at, 1, at + 1, 1) for at in range(4, 40_000, 4))
    file = FileChange(Status.MODIFIED, TreeEntry("a.ts", "0" * 40), TreeEntry("a.ts", "1" * 40), hunks, 1, 1)
    earlier = BaseFunctions(change(file), {"a.ts": Outline(True, functions=functions)})
    begun = time.process_time()
    for each in functions:
        earlier.function("a.ts", each)
    assert time.process_time() - begun < 2
