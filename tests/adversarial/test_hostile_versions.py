"""Files that look like Python of another version and are written to take long: each is given up, or read, in time."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.python.syntax_translation import translate_source
from tests.adversarial.authors.gated import audit_change
from tests.repos import Drawing

PIECES = 9_500


@pytest.mark.parametrize(
    "source",
    [
        "print x % y\n" * PIECES,
        "exec x in y\n" * PIECES,
        "try:\n  print 1\n" + "except A, b: pass\n" * PIECES,
        "raise A, (\n1)\n" * PIECES,
        "print 1\nx = " + "0777 + " * PIECES + "1\n",
        "print 1\nx = [" + 'ur"",' * PIECES + "]\n",
        'print 1\nx = f"{a["b"]}"\n' + 'x = f"{a["b"]}"\n' * PIECES,
        "print 1\nx = " + 'f"{a[' * 200 + "1" + ']}"' * 200 + "\n",
        "print 1\nx = " + "(" * PIECES + "1" + ")" * PIECES + "\n",
        "print " + "(" * PIECES,
        "print 1\ndef f(" + "(a," * PIECES + "b" + ")" * PIECES + "): pass\n",
        "print 1\nx = " + "lambda (a, b): " * PIECES + "1\n",
        "print `" * PIECES,
        "type A[B] = list[B]\n" * PIECES,
        "class C[T: (int, str)]: pass\n" * PIECES,
        "class C[T = int]: pass\n" * PIECES,
        "class C[T = int]: pass\n" + "(" * 500_000,
        "class C[T = " + "(" * PIECES + "]: pass\n",
        "class C[T: " + "(" * 400 + "a" + ")" * 400 + "]: pass\n",
        "class C[T: (" + "a, " * PIECES + ")]: pass\n",
        "print 1\n" + "#\n" * 50_000,
        "print 1\n" + "#\n\n" * 40_000,
        "print 1\n" + "\\\n" * 50_000,
        "print 1\n" + "a\\\n" * 30_000,
        "print 1\n" + ("if a:\n" + "a\\\n" * 900 + " b\n") * 40,
    ],
)
def test_what_pretends_to_be_of_another_version_is_put_into_other_words_in_time(source: str) -> None:
    started = time.process_time()
    translate_source(source)
    assert time.process_time() - started < 2


@pytest.mark.parametrize("many", ["#\n" * 50_000, "# eval\n\n" * 10_000, "f()\n" + "  #\n" * 20_000])
@pytest.mark.parametrize("statement", ["print 1", "print 1 1"])
def test_comments_in_their_thousands_neither_take_long_nor_hide_what_stands_behind_them(
    many: str, statement: str
) -> None:
    started = time.process_time()
    record = scan_file(
        f"{statement}\n{many}eval(input())\n".encode(), "python", Interest((discover_probes()["code.dynamic_code"],))
    )
    (found,) = record.sites["code.dynamic_code"]
    assert found.quote == "eval(input())"
    assert time.process_time() - started < 2


@pytest.mark.parametrize("piece", ['8"); ', "(x for ", "if a: else ", "f'{", "@ "])
def test_what_a_grammar_recovers_from_slowly_is_given_up_once_and_told_as_unread(piece: str) -> None:
    source = f"import os\nos.system(a)\nx = 1 {piece * (900_000 // len(piece))}\n"
    started = time.process_time()
    record = scan_file(source.encode(), "python", Interest(tuple(discover_probes().values())))
    assert time.process_time() - started < 3.5
    assert record.reading != "full"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this interpreter parses it")
@pytest.mark.parametrize(
    ("newer", "ended"),
    [
        ("type Names = list[str]\nos.system(line)\n", "failed"),
        ("class Box[T: os.system(line)]: ...\n", "inconclusive"),
        ("def box[T = os.system(line)](): ...\n", "inconclusive"),
        ("a = f'{getattr(os, 'sys\\x74em')(line)}'\n", "inconclusive"),
        ("type Names = list[str]\n", "passed"),
    ],
)
def test_a_line_of_newer_syntax_never_turns_a_failing_change_into_one_that_passes(
    tmp_path: Path, newer: str, ended: str
) -> None:
    source = f"import os\nfrom sys import argv\nline = argv[1]\n{newer}"

    assert audit_change(Drawing(tmp_path), {}, {"shop/labels.py": source}).ended == ended
