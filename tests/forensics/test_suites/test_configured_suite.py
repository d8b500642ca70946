"""What a runner collects by its settings: files, tests and switches, and patterns that nobody can make slow."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.test_suites import path_patterns
from auditor.forensics.test_suites.configured_suite import ConfiguredSuite, configure
from auditor.forensics.test_suites.path_patterns import UnknownPattern
from auditor.forensics.test_suites.runner_table import Effect, Format, Runner, runners
from auditor.forensics.test_suites.selected_python_tests import deselects, evaluate_expression, list_functions
from auditor.forensics.test_suites.settings_readers import UnreadableSettings, read_settings


def runner(name: str) -> Runner:
    return next(each for each in runners() if each.name == name)


def suite(name: str, folder: str = "", **texts: str) -> ConfiguredSuite:
    """A suite of a folder; keywords are names of files with `_` for `.`."""
    return configure(
        runner(name), folder, {file.replace("__", "."): text for file, text in texts.items()}, lambda _: True
    )


def test_every_default_of_the_table_is_a_key_of_its_runner() -> None:
    for each in runners():
        assert set(each.defaults) <= set(each.key_rows), each.name


def test_every_file_name_of_the_table_has_a_reader() -> None:
    for each in runners():
        for file in each.files:
            read = read_settings(file.format, "{}" if file.format is Format.JSON else "")
            assert file.format in {Format.MAVEN, Format.PHPUNIT} or not isinstance(read, UnreadableSettings), file.name


@pytest.mark.parametrize(
    ("path", "collected"),
    [("test_a.py", True), ("a/b_test.py", True), ("a/tests.py", False), ("build/test_a.py", False), (".x/test_a.py", False)],
)  # fmt: skip
def test_pytest_collects_by_its_defaults(path: str, collected: bool) -> None:
    assert (suite("pytest").rejects(path) is None) is collected


@pytest.mark.parametrize(
    ("settings", "path", "rejecting"),
    [
        ("testpaths = a", "b/test_a.py", "testpaths"),
        ("testpaths = a", "a/test_a.py", ""),
        ("testpaths = a/*", "a/b/test_a.py", ""),
        ("testpaths = build", "build/test_a.py", ""),
        ("python_files = check_*.py", "test_a.py", "python_files"),
        ("python_files = a/*.py", "a/x.py", ""),
        ("norecursedirs = a", "a/test_a.py", "norecursedirs"),
        ("norecursedirs = a", "b/test_a.py", ""),
        ("addopts = --ignore=a", "a/test_a.py", "--ignore"),
        ("addopts = --ignore=a", "ab/test_a.py", ""),
        ("addopts = -q\n  --ignore-glob=**/test_a*", "x/test_a.py", "--ignore-glob"),
        ("addopts = --co", "test_a.py", "--co"),
        ("addopts = -x -p no:doctest -W error", "test_a.py", ""),
    ],
)
def test_a_setting_of_pytest_leaves_out_what_it_says(settings: str, path: str, rejecting: str) -> None:
    found = suite("pytest", pytest__ini=f"[pytest]\n{settings}\n").rejects(path)
    assert (found.name if found is not None else "") == rejecting


def test_settings_speak_of_the_folder_they_stand_in() -> None:
    own = suite("pytest", "a", pytest__ini="[pytest]\ntestpaths = tests\n")
    assert own.rejects("a/tests/test_a.py") is None
    assert own.rejects("a/test_a.py") is not None


def test_a_file_that_is_first_hides_the_others() -> None:
    own = suite("pytest", pytest__ini="", tox__ini="[pytest]\npython_files = x.py\n")
    assert own.file == "pytest.ini"
    assert own.rejects("test_a.py") is None


def test_a_value_that_is_computed_leaves_nothing_out_and_is_known_as_such() -> None:
    text = "export default { testMatch: [...names(), '**/a.js'], testPathIgnorePatterns: skipped };\n"
    own = suite("jest", jest__config__js=text.replace("export default", "module.exports ="))
    assert own.rejects("b.js") is None
    assert {each.name: each.unknown for each in own.settings if each.unknown} == {"testMatch": "names()", "testPathIgnorePatterns": "skipped"}  # fmt: skip


TESTS = "import pytest\n\n\n@pytest.mark.slow\ndef test_one(): ...\n\n\nclass TestA:\n    def test_two(self): ...\n\n    def helper(self): ...\n"


@pytest.mark.parametrize(
    ("settings", "left_out"),
    [
        ("", ["helper"]),
        ("addopts = -m 'not slow'", ["test_one", "helper"]),
        ("addopts = -m slow", ["test_two", "helper"]),
        ("addopts = -k TestA", ["test_one", "helper"]),
        ("addopts = -k 'not (one or two)'", ["test_one", "test_two", "helper"]),
        ("addopts = --deselect tests/test_a.py::TestA", ["test_two", "helper"]),
        ("python_classes = Check", ["test_two", "helper"]),
        ("python_functions = *_one helper", ["test_two"]),
    ],
)
def test_tests_of_a_file_are_chosen_by_names_marks_and_expressions(settings: str, left_out: list[str]) -> None:
    own = suite("pytest", pytest__ini=f"[pytest]\n{settings}\n")
    tests = list_functions("tests/test_a.py", TESTS)
    assert [each.name for each in tests if deselects(own, each) is not None] == left_out


@pytest.mark.parametrize("expression", ["a(", "a == b", "__import__('os')", "not " * 5_000 + "a", "a" * 2_000])
def test_an_expression_that_is_none_is_not_evaluated(expression: str) -> None:
    assert evaluate_expression(expression, lambda _: True) is None


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("**/*.{test,spec}.?(c|m)[jt]s?(x)", "a/b.test.mts", True),
        ("**/*.{test,spec}.?(c|m)[jt]s?(x)", "a/b.tests.ts", False),
        ("src/**", "src/a/b.js", True),
        ("src/*.js", "src/a/b.js", False),
        ("<rootDir>/src/**/*.js", "src/b.js", True),
        ("./test/**/*.js", "test/a/b.js", True),
    ],
)
def test_globs_fit_paths_as_the_runners_read_them(glob: str, path: str, fits: bool) -> None:
    assert path_patterns.glob_test(glob)(path) is fits


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(a|b)*\1", ".*a.*b.*c", "(?<=a)b", "[", "a" * 400])
def test_a_regular_expression_that_may_take_long_is_not_evaluated(pattern: str) -> None:
    with pytest.raises(UnknownPattern):
        path_patterns.regex_test(pattern)


@pytest.mark.parametrize("glob", ["!(a)/b.js", "{a,b}" * 12, "?(a)" * 80])
def test_a_glob_that_stands_for_too_much_is_not_evaluated(glob: str) -> None:
    with pytest.raises(UnknownPattern):
        path_patterns.glob_test(glob)


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        (Format.TOML, "[a]\n" + "".join(f"k{number} = 1\n" for number in range(20_000))),
        (Format.JSON, '{"a":' * 10_000),
        (Format.JSON, "/*" * 100_000),
        (Format.JAVASCRIPT, "module.exports = {a: [" * 5_000),
        (Format.JAVASCRIPT, "const a0 = 1;" + "".join(f"const a{n + 1} = [a{n}, a{n}];" for n in range(40)) + "module.exports = {testMatch: a40}"),
        (Format.INI, "[pytest]\naddopts =\n" + "  --ignore=a\n" * 20_000),
        (Format.GRADLE, "test {\n" * 20_000),
        (Format.MAVEN, "<a>" * 50_000),
        (Format.WORDS, "--tag 'a\n" * 20_000),
    ],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_settings_written_to_take_long_are_read_in_time(format_: Format, text: str) -> None:
    started = time.process_time()
    read_settings(format_, text)
    assert time.process_time() - started < 8


def test_many_stars_are_matched_in_time() -> None:
    own = suite(
        "pytest", pytest__ini="[pytest]\npython_files = " + "*a" * 100 + "b.py\nnorecursedirs = " + "*a*" * 90 + "\n"
    )
    started = time.process_time()
    for number in range(200):
        own.rejects(f"{'a' * 200}/test_{'a' * 100}{number}.py")
    assert time.process_time() - started < 3


def test_switches_are_values_and_not_words() -> None:
    assert suite("Maven", pom__xml="<project><properties><skipTests>${quick}</skipTests></properties></project>").of(Effect.DISABLED)[0].unknown == "${quick}"  # fmt: skip


def test_many_regular_expressions_are_matched_in_time() -> None:
    patterns = ", ".join(f'"a{number}*{"a?" * 20}b"' for number in range(300))
    own = suite("jest", jest__config__json=f'{{"testPathIgnorePatterns": [{patterns}]}}')
    started = time.process_time()
    for number in range(50):
        own.rejects(f"{'a' * 240}{number}.test.js")
    assert time.process_time() - started < 3
    assert [each.name for each in own.unevaluated] == ["testPathIgnorePatterns"]
