"""Names, outlines and records of single files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from auditor.forensics.probe_kit.probe_decorators import SiteProbe
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.source_parsing import DecodeFailure, decode_source
from auditor.forensics.source_text.site_probe_types import Site, Text
from tests.forensics.probes.asking import shape


def resolved(source: str) -> str | None:
    """What the function called last in a source resolves to."""
    module = Module(Text(source, "python"), ast.parse(source), Interest(()).kinds)
    calls = (each for some in module.calls.values() for each in some)
    node, scope = max(calls, key=lambda each: (each[0].lineno, -each[0].col_offset))
    return module.resolve(node.func, scope)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import a\na.b()", "a.b"),
        ("import a.b\na.b.c()", "a.b.c"),
        ("import a.b as x\nx.c()", "a.b.c"),
        ("from a import b as x\nx()", "a.b"),
        ("from . import b\nb()", ".b"),
        ("from ..a import b\nb()", "..a.b"),
        ("import a\nx = a.b\nx()", "a.b"),
        ("import a\ndef f():\n    x = a.b\n    x()", "a.b"),
        ("def f():\n    import a\n    a.b()", "a.b"),
        ("import a\nwith a.B() as x:\n    x.c()", "a.B.c"),
        ("eval()", "eval"),
        (
            "import a\nclass C:\n    def __init__(self):\n        self.x = a.B()\n    def f(self):\n        self.x.c()",
            "a.B.c",
        ),
        ("def f(x: a.B):\n    x.c()", "a.B.c"),
        ("from typing import Optional\nfrom a import B\ndef f(x: Optional[B]):\n    x.c()", "a.B.c"),
        ("from a import *\nb()", "a.b"),
        ("from a import *\nlen()", "len"),
        ("class C:\n    def f(self):\n        self.x = self.x.y\n        self.x.c()", None),
        ("def f(x: list[a.B]):\n    x.c()", None),
        ("import a\ndef f(a):\n    a.b()", None),
        ("import a\na = other()\na.b()", None),
        ("from a import b\nfrom c import b\nb()", None),
        ("import a\nclass C:\n    a = 1\n    def f(self):\n        a.b()", "a.b"),
        ("x = x\nx()", None),
        ("x = y\ny = x\nx()", None),
        ("for a in b:\n    a()", None),
        ("import a\ntry:\n    pass\nexcept E as a:\n    a.b()", None),
    ],
)
def test_a_name_stands_for_what_it_was_bound_to(source: str, name: str | None) -> None:
    assert resolved(source) == name


def test_an_outline_has_what_callers_need() -> None:
    outlined = shape(
        '"""Doc."""\nimport os as o\nfrom a import *\n__all__ = ["f", "C"]\nX: int = 1\n\n@cache\nasync def f(a, /, b: int, *args, c=1, **kw) -> int:\n'
        "    if a and b:\n        return 1\n\nclass C(Base):\n    y: int\n    def m(self):\n        def inner(): ...\n"
    )
    assert outlined.has_docstring
    assert outlined.exports == ("f", "C")
    assert [(each.name, each.qualified_name) for each in outlined.imports] == [("o", "os"), ("*", "a.*")]
    f, m, inner = outlined.functions
    assert (f.qualname, f.is_async, f.complexity, f.decorators, f.is_public) == ("f", True, 2, ("cache",), True)
    assert [(p.name, p.kind.name, p.has_default, p.is_annotated) for p in f.parameters] == [
        ("a", "POSITIONAL_ONLY", False, False),
        ("b", "POSITIONAL", False, True),
        ("args", "VAR_POSITIONAL", True, False),
        ("c", "KEYWORD_ONLY", True, False),
        ("kw", "VAR_KEYWORD", True, False),
    ]
    assert (m.qualname, m.class_name, inner.is_nested) == ("C.m", "C", True)
    assert outlined.classes[0].attributes == ("y",)


@pytest.mark.parametrize(
    "source",
    [
        "import os\nfirst = os.system\nsecond = first\nsecond(command)\n",
        "import os\nthird: object = os.system\nthird(command)\n",
        "from os import system as fourth\nfifth = fourth\nfifth(command)\n",
        "import os\nsixth = vars(os)['system']\nsixth(command)\n",
        "import os\nseventh = os.__dict__['system']\nseventh(command)\n",
        "import os\nninth = getattr(os, 'system')\nninth(command)\n",
        "import os\neighth = getattr(os, 'sys' + 'tem')\neighth(command)\n",
        "from os import *\nsystem(command)\n",
        "import sys\nsys.modules['os'].system(command)\n",
        "from importlib import import_module as load\nimport importlib\ntenth = importlib.import_module('os')\ntenth.system(command)\n",
        "from fabric import Connection\nclass C:\n    def __init__(self, given: Connection | None):\n        self.there = given\n    def f(self):\n        self.there.run(command)\n",
        "import builtins\nimport os as eleventh\nwith eleventh as twelfth:\n    (thirteenth := twelfth).system(command)\n",
    ],
)
def test_a_call_is_seen_under_every_name_the_file_gives_to_it(source: str) -> None:
    shell = discover_probes()["code.shell_execution"]
    assert len(scan_file(source.encode(), "python", Interest((shell,))).sites["code.shell_execution"]) == 1


def test_a_probe_is_asked_only_where_its_glance_says_so_but_was_shown_all() -> None:
    asked: list[str] = []

    def ask(match: Match) -> Iterator[Site]:
        asked.append(ast.unparse(match.node))
        yield match.site("seen")

    probe = SiteProbe(
        "code.made_up",
        "?",
        "",
        "",
        ask,
        "",
        nodes=(ast.Expr,),
        counted=(ast.Expr,),
        node_filter=lambda shown, _module: [each for each in shown if each[0].lineno == 2],
    )
    record = scan_file(b"first\nsecond\nthird\n", "python", Interest((probe,)))
    assert asked == ["second"]
    assert record.candidates == {"code.made_up": 3}


def test_what_only_makes_a_callable_is_shown_but_neither_counted_in_vain_nor_followed() -> None:
    interest = Interest((discover_probes()["code.shell_execution"],))
    made = "import subprocess as s\nfrom functools import partial\npartial(print)\npartial(max, 1)\npartial(s.run, shell=True)\ns.run(x)\n"
    record = scan_file(made.encode(), "python", interest)
    assert [seen.site.line for seen in record.sites["code.shell_execution"]] == [5]
    assert record.candidates["code.shell_execution"] == 2
    assert interest.followed == interest.by_name.keys() - {"functools.partial", "functools.partialmethod"}


def test_the_walk_refuses_a_kind_that_it_does_not_stop_at() -> None:
    with pytest.raises(TypeError, match=r"does not stop at \['Attribute'\]"):
        Module(Text("a.b", "python"), ast.parse("a.b"), {ast.Attribute})


def test_what_an_annotation_names_is_not_passed_on() -> None:
    loads = discover_probes()["code.unsafe_deserialization"]
    source = b"import pickle\ndef f(x: pickle.Unpickler) -> pickle.Unpickler: ...\ng(pickle.Unpickler)\n"
    (seen,) = scan_file(source, "python", Interest((loads,))).sites["code.unsafe_deserialization"]
    assert seen.site.line == 3


def test_a_record_survives_its_packing() -> None:
    record = scan_file(b"def f(a, b=1): ...\nclass C: ...\n", "python", Interest(()))
    assert FileRecord.unpack(record.pack()) == record


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'["full","",{},{},{}]',
        b'["odd","",{},{},{},null]',
        b'["full","",{"p":[[1]]},{},{},null]',
        b'["full","",{},{},{},[false,[["f"],[1],[1],[true],[false],[false],["?x"],[[]],[1],[false],[false],[false]],[],[],[],null,false,[],[]],false]',
    ],
)
def test_other_bytes_are_no_record(packed: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - that it is a ValueError is the claim
        FileRecord.unpack(packed)


@pytest.mark.parametrize(
    ("content", "reading"),
    [
        (b"x = 1", ReadStatus.FULL),
        (b"\xef\xbb\xbfx = 1", ReadStatus.FULL),
        (b"x = 1\r\ny = 2\r", ReadStatus.FULL),
        (b"x = '\xff'", ReadStatus.NONE),
        ("x = 1".encode("utf-16"), ReadStatus.NONE),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'", ReadStatus.FULL),
        (b"# coding: utf-7\nx = 1", ReadStatus.NONE),
        (b"print 'python 2'", ReadStatus.PARTIAL),
    ],
)
def test_only_known_codings_are_read(content: bytes, reading: ReadStatus) -> None:
    assert scan_file(content, "python", Interest(())).reading is reading


def test_a_match_on_true_is_read_like_any_other_code() -> None:
    assert scan_file(b"match x:\n    case True:\n        pass\n", "python", Interest(())).reading is ReadStatus.FULL


@pytest.mark.parametrize("source", [b"f()  # see\rimport os\n", b"a = 1\nf()  # see\rimport os; os.system(a)\n"])
def test_code_behind_a_carriage_return_in_a_comment_is_not_read_as_if_editors_showed_it(source: bytes) -> None:
    assert isinstance(decode_source(source), DecodeFailure)


@pytest.mark.parametrize(
    "source", [b"# a\r\nb = 1\r\n", b"# a\rb = 1\r", b"# a\r\r\nb = 1\r\r\n", b"a = 1\n# b\r# c\n"]
)
def test_line_ends_of_all_kinds_are_read(source: bytes) -> None:
    assert isinstance(decode_source(source), str)
