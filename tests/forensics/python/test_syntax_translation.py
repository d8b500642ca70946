"""Python of other versions is read by what it means in this one, line for line."""

from __future__ import annotations

import ast

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
        ("type A[B] = list[B]\nclass C[B]: pass\ndef d[E](e: E): pass", "pass\nclass C: pass\ndef d(e: E): pass"),
        ('print 1\na = t"{b}"', 'print(1)\na = f"{b}"'),
    ],
)
def test_a_statement_of_another_version_is_put_into_words_of_this_one(older: str, newer: str) -> None:
    put = translate_source(older)
    assert put is not None
    assert ast.dump(ast.parse(put)) == ast.dump(ast.parse(newer))


@pytest.mark.parametrize("source", ["a = 1", "print(a)", "def f(:\n    print 1", "a = 10\nb = 0x1F\nc = 'd'"])
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
