"""Python of other versions is read by what it means in this one, line for line."""

from __future__ import annotations

import ast
import sys

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.probe_kit.file_record import ReadStatus
from auditor.forensics.python.syntax_translation import translate_source


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ('print "a", b', 'print("a", b)'),
        ("if x: print x,", "if x: print(x,)"),
        ('print >>out, "a"', 'print("a", file=out)'),
        ("print >>out", "print( file=out)"),
        ("exec code", "exec(code)"),
        ("exec code in names", "exec(code, names)"),
        ("try:\n    f()\nexcept A, b:\n    pass", "try:\n    f()\nexcept (A, b):\n    pass"),
        ("try:\n    f()\nexcept (A, B), c:\n    pass", "try:\n    f()\nexcept ((A, B), c):\n    pass"),
        ('raise A, "b"', "raise A"),
        ("a <> 0777 + 00 + 12L", "a != 0o777 + 0o0 + 12"),
        ('a = `b` + ur"c"', 'a = (b) + r"c"'),
        ("def f(a, (b, c)): return lambda (d, e): d", "def f(a,  b, c ): return lambda  d, e : d"),
        ('print 1\na = f"{b["c"]}"', "print(1)\na = f\"{b['c']}\""),
        (
            "type A[B] = list[B]\nclass C[B]: pass\ndef d[E](e: E): pass",
            "A = list[B]\nclass C: pass\ndef d(e: E): pass",
        ),
        ('print 1\na = t"{b}"', 'print(1)\na = f"{b}"'),
    ],
)
def test_a_statement_of_another_version_is_put_into_words_of_this_one(older: str, newer: str) -> None:
    put = translate_source(older)
    assert put is not None
    assert ast.dump(ast.parse(put.source)) == ast.dump(ast.parse(newer))


@pytest.mark.parametrize(
    "source",
    [
        "a = 1",
        "print(a)",
        "def f(:\n    print 1",
        "class A[T = int]:\n    a = = 1",
        "type A[T = int] = list[(]",
        "a = 10\nb = 0x1F\nc = 'd'",
    ],
)
def test_what_is_broken_or_needs_no_other_words_is_left_as_it_is(source: str) -> None:
    assert translate_source(source) is None


def test_a_file_of_an_older_version_is_read_with_its_names_and_quoted_as_it_is_written() -> None:
    source = 'import subprocess as run\ndef f(line):\n    print "runs", line\n    run.call(line, shell=True)\n    print f(line)\n'
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.shell_execution"],)))
    ((seen,),) = record.sites.values()
    assert (seen.site.line, seen.quote) == (4, "run.call(line, shell=True)")
    assert seen.site.confidence <= 0.6
    assert "another version of Python" in seen.site.reason
    assert record.reading is ReadStatus.PARTIAL


def test_a_quote_shows_the_statement_of_the_older_version() -> None:
    source = 'def f(code):\n    exec code in {}\n    print "x"\n'
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.dynamic_code"],)))
    assert [seen.quote for seen in record.sites["code.dynamic_code"]] == ["exec code in {}"]


def test_a_statement_of_an_older_version_is_read_also_where_another_is_broken() -> None:
    source = 'import os\ndef f(line):\n    print "runs"\n    os.system(line)\n\ndef g(:\n    pass\n'
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.shell_execution"],)))
    assert [seen.site.line for seen in record.sites["code.shell_execution"]] == [4]


def test_an_error_that_is_caught_under_a_name_of_the_older_kind_is_told() -> None:
    source = "def f(a):\n    try:\n        print a\n    except Exception, e:\n        pass\n"
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.swallowed_exception"],)))
    assert [seen.site.line for seen in record.sites["code.swallowed_exception"]] == [4]


_NEWER = {
    "a type alias": "type Names = list[str]\n",
    "an alias with parameters": "type Names[T] = dict[str, T]\n",
    "parameters of types": "class Box[T: (int, str), *Ts, **P]:\n    def put[U](self, item: U) -> U: ...\n",
    "defaults of types": "class Box[T: int = bool, *Ts = *tuple[int, ...], **P = [int]]:\n    def put[U = T](self, item: U) -> U: ...\n",
    "an alias whose type has a default": "type Names[T = str] = dict[str, T]\n",
    "quotes inside a formatted text": 'a = f"{b["c"]}"\n',
    "two exceptions without brackets": "try:\n    f()\nexcept A, B:\n    g()\n",
}


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this interpreter parses all of it")
@pytest.mark.parametrize("newer", _NEWER.values(), ids=_NEWER)
def test_a_file_with_newer_syntax_is_read_like_any_other(newer: str) -> None:
    source = newer + "import subprocess as run\ndef f(line):\n    run.call(line, shell=True)\n"
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.shell_execution"],)))
    ((seen,),) = record.sites.values()
    assert seen.quote == "run.call(line, shell=True)"
    assert seen.site.confidence == 1.0
    assert record.reading is ReadStatus.FULL


_LOSSY = {
    "a call in the bound of a type": "class Box[T: run.call(line, shell=True)]: ...\n",
    "a call in a default that no grammar knows yet": "class Box[T = run.call(line, shell=True)]: ...\n",
    "an escape inside a formatted text": "a = f\"{getattr(b, 'sys\\x74em')}\"\n",
    "a template": 'a = t"{b}"\n',
    "a statement of Python 2": "print 1\n",
}


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this interpreter parses some of it")
@pytest.mark.parametrize("newer", _LOSSY.values(), ids=_LOSSY)
def test_a_file_of_which_something_was_left_out_does_not_count_as_read(newer: str) -> None:
    source = "import subprocess as run\n" + newer + "def f(line):\n    pass\n"
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.shell_execution"],)))
    assert record.reading is ReadStatus.PARTIAL


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this interpreter parses it")
def test_the_value_of_a_type_alias_is_looked_at() -> None:
    source = "import os\ntype Names = os.system(line)\n"
    record = scan_file(source.encode(), "python", Interest((discover_probes()["code.shell_execution"],)))
    assert [seen.site.line for seen in record.sites["code.shell_execution"]] == [2]
