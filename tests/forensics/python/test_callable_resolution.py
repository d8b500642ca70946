"""Which functions an expression may be."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from auditor.forensics.python.callable_resolution import possible_callees
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.possible_aliases import ALIAS_NODES
from auditor.forensics.python.source_parsing import parse_module
from auditor.forensics.source_text.site_probe_types import Text


def callees(source: str) -> set[str]:
    """The functions that the last call of `it(...)` may be, the callee written in its place."""
    module = parse_module(Text(dedent(source), "python"), ALIAS_NODES)
    assert isinstance(module, Module)
    call, scope = module.calls["asked"][-1]
    assert isinstance(call.args[0], ast.expr)
    return {each.name for each in possible_callees(module, call.args[0], scope)}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import os\nasked(os.system)", {"os.system"}),
        ("from os import system as s\nasked(s)", {"os.system"}),
        ("asked(eval)", {"eval"}),
        ("import os\na, b = len, os.system\nasked(b)", {"os.system"}),
        ("import os\nfor f in (len, os.system):\n    asked(f)", {"len", "os.system"}),
        ("import os\nfor n, f in [('a', os.system)]:\n    asked(f)", {"os.system"}),
        ("import os\nT = {'a': len, 'b': os.system}\nasked(T[key])", {"len", "os.system"}),
        ("import os\nT = {'a': len, 'b': os.system}\nasked(T['b'])", {"os.system"}),
        ("import os\nT = {'a': len}\nasked(T.get(key, os.system))", {"len", "os.system"}),
        ("import os\nasked([len, os.system][1])", {"os.system"}),
        ("import os\nasked(os.system if a else len)", {"len", "os.system"}),
        ("import os\ndef f(run=os.system):\n    asked(run)", {"os.system"}),
        ("import os\ndef f(tools=os):\n    asked(tools.system)", {"os.system"}),
        ("import os\ndef g():\n    return os\nasked(g().system)", {"os.system"}),
        ("import os\ndef g(x):\n    return x\nasked(g(os).system)", {"os.system"}),
        ("import os\ng = lambda: os\nasked(g().system)", {"os.system"}),
        ("import os\nclass T:\n    run = os.system\nasked(T.run)", {"os.system"}),
        ("import os\nclass T:\n    os = os\nasked(T().os.system)", {"os.system"}),
        ("import os\nclass T:\n    def __init__(self):\n        self.run = os.system\n    def f(self):\n        asked(self.run)", {"os.system"}),
        ("import subprocess\nclass P(subprocess.Popen): ...\nasked(P)", {"subprocess.Popen"}),
        ("import os\nasked(globals()['os'].system)", {"os.system"}),
        ("import os, operator\nasked(operator.attrgetter('system')(os))", {"os.system"}),
        ("import os, functools\nasked(functools.partial(os.system))", {"os.system"}),
        ("def f(c):\n    run = c.execute\n    asked(run)", {".execute"}),
        ("import pickle\nif a:\n    kind = pickle.loads(x)\nelse:\n    kind = dict\nasked(kind)", {"dict"}),
        ("def own(x): ...\nasked(own)", set()),
        ("def f(g):\n    asked(g)", set()),
        ("class T:\n    def run(self): ...\nasked(T.run)", set()),
        ("import subprocess\nclass P(subprocess.Popen):\n    def __init__(self): ...\nasked(P)", set()),
        ("import os\nT = {'a': len, 'b': os.system}\nasked(T['a'])", {"len"}),
    ],
)  # fmt: skip
def test_an_expression_may_be_every_function_that_reaches_it(source: str, names: set[str]) -> None:
    assert callees(source) == names


def test_a_name_that_is_bound_in_several_ways_is_told_with_doubt() -> None:
    module = parse_module(Text("import os\nrun = len\nif a:\n    run = os.system\nrun(x)\n", "python"), ALIAS_NODES)
    assert isinstance(module, Module)
    call, scope = module.calls["run"][0]
    assert {(each.name, bool(each.doubt)) for each in possible_callees(module, call.func, scope)} == {
        ("len", True),
        ("os.system", True),
    }


def test_names_that_go_round_in_circles_end() -> None:
    ring = "\n".join(f"a{n} = a{(n + 1) % 300} if x else b{n}" for n in range(300))
    assert callees(f"{ring}\nasked(a0)") <= {f"b{n}" for n in range(300)}
