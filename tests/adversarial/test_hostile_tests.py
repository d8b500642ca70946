"""Tests and dicts written to take long to compare: what is looked for in them takes no square of their length."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.public_api.framework_entry_points import ClassHierarchy, find_applications
from auditor.forensics.source_text.file_outline import Function
from auditor.forensics.test_suites import merged_python_tests
from tests.forensics.probes.asking import modules


def written(body: str, name: str = "test_a") -> merged_python_tests.TestFunction:
    """A test of one long line."""
    file = merged_python_tests.TestFile("tests/test_a.py", ["def test_a():", f"    {body}"])
    return merged_python_tests.TestFunction(file, Function(name, 1, 2, True, True, False, "", (), 1))


@pytest.mark.parametrize("body", ["for " * 50_000, "parametrize(a," * 7_000, "[" * 100_000, "x = [" * 20_000, "a:" + "b" * 100_000, "1." * 50_000])  # fmt: skip
def test_tests_of_one_long_line_are_compared_in_time(body: str) -> None:
    started = time.process_time()
    taken, taking = merged_python_tests.match_merged_tests([written(body)], [written(body, "test_b")], [])
    assert len(taken) == len(taking)
    assert time.process_time() - started < 3


def test_many_dicts_in_one_function_are_read_in_time() -> None:
    source = (
        "def f(r):\n"
        + '    x = {"a": 1, "b": 2, "c": 3, "d": 4}\n' * 20_000
        + "    return r['a'] + r['b'] + r['c'] + r['d']\n"
    )
    started = time.process_time()
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.dict_soup"],)))
    assert record.outline is not None
    assert not record.outline.known_values
    assert time.process_time() - started < 5


def test_options_that_many_calls_share_are_looked_through_once() -> None:
    source = "import requests\nA = {'headers': 1}\n" + "requests.get(url, **A)\n" * 10_000
    started = time.process_time()
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.no_timeout"],)))
    assert len(record.sites["code.no_timeout"]) == 10_000
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    "options",
    [
        "A = {" + ", ".join(f"'k{number}': 1" for number in range(20_000)) + "}\n",
        "".join(f"{name} = {{{', '.join([f'**{chr(ord(name) + 1)}'] * 90)}}}\n" for name in "ABCDEFGHIJKLMNOPQRSTUVWXY"),
        "A = " + " | ".join(["A"] * 500) + "\n",
    ],
    ids=["long", "inside each other", "made of itself"],
)  # fmt: skip
def test_options_of_many_calls_are_followed_in_time(options: str) -> None:
    source = f"import requests\n{options}" + "requests.get(url, **A)\n" * 1_000
    started = time.process_time()
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.no_timeout"],)))
    assert record.candidates["code.no_timeout"] == 1_000
    assert not record.sites
    assert time.process_time() - started < 3


def test_a_test_whose_text_opens_many_comments_is_read_in_time() -> None:
    source = f"it('b', () => {{ const x = \"{'/* ' * 40_000}\"; expect(x) }})\n"
    started = time.process_time()
    record = scan_file(source.encode(), "typescript", Interest((discover_probes()["tests.without_assertions"],)))
    assert not record.reason
    assert time.process_time() - started < 2


def test_many_classes_of_one_name_and_many_servers_are_looked_up_in_time() -> None:
    source = "".join(f"class A(B{number}):\n    def m{number}(self): ...\n" for number in range(3_000))
    seen = modules({"shop/a.py": source})
    started = time.process_time()
    kin = ClassHierarchy(seen)
    assert not any(map(kin.is_override, seen.head["shop/a.py"].functions))
    paths = {f"d{number}/{name}" for number in range(5_000) for name in ("manage.py", "x/wsgi.py")}
    found = find_applications(paths)
    assert all(map(found.contains, paths))
    assert not found.contains("e/a.py")
    assert time.process_time() - started < 4
