"""The tables of untrusted input, guards, and shells among the words of a command."""

from __future__ import annotations

import ast

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.possible_aliases import ALIAS_NODES
from auditor.forensics.python.shell_words import interpreter_code, reads_script_from_input, shell_script
from auditor.forensics.python.source_parsing import parse_module
from auditor.forensics.python.taint_models import SourceKind, taint_models
from auditor.forensics.python.value_guards import guarded_since
from auditor.forensics.source_text.site_probe_types import Text
from tests.seeing import sites


def test_every_sink_belongs_to_a_probe_and_every_row_names_its_source() -> None:
    models = taint_models()
    assert {each.probe for each in models.sinks} <= discover_probes().keys()
    documented = [
        *(each.source for each in models.sources),
        *(each.source for each in models.sinks),
        *(each.source for each in models.harmless),
    ]
    assert all("https://" in each for each in documented)
    assert all(each.members or each.kind not in {SourceKind.OBJECT, SourceKind.CLASS} for each in models.sources)


def guarded(source: str) -> bool:
    """Is `x`, the argument of the last call of `use`, guarded? `y` is no fixed set."""
    module = parse_module(Text(source, "python"), ALIAS_NODES)
    assert isinstance(module, Module)
    call, scope = max(module.calls["use"], key=lambda each: each[0].lineno)
    found = guarded_since(module, call.args[0], scope, call.lineno, lambda allowed: not isinstance(allowed, ast.Name))
    return found is not None


@pytest.mark.parametrize(
    ("source", "held"),
    [
        ("def f(x):\n    if x in ('a',):\n        use(x)\n", True),
        ("def f(x):\n    if x not in ('a',):\n        return\n    use(x)\n", True),
        ("def f(x):\n    if x in ('a',):\n        pass\n    else:\n        raise E\n    use(x)\n", True),
        ("def f(x):\n    if not (x and x in ('a',)):\n        abort(404)\n    use(x)\n", True),
        ("def f(x):\n    if x and x in ('a',):\n        use(x)\n", True),
        ("def f(x):\n    assert x == 'a'\n    use(x)\n", True),
        ("def f(x):\n    if not x.isidentifier():\n        raise E\n    use(x)\n", True),
        ("def f(x):\n    use(x) if x in ('a',) else None\n", True),
        ("def f(x):\n    x in ('a',)\n    use(x)\n", False),
        ("def f(x):\n    if x in ('a',):\n        pass\n    use(x)\n", False),
        ("def f(x):\n    if x not in ('a',):\n        use(x)\n", False),
        ("def f(x):\n    if x in ('a',) or z:\n        use(x)\n", False),
        ("def f(x):\n    if z:\n        if x not in ('a',):\n            return\n    use(x)\n", False),
        ("def f(x):\n    if x not in ('a',):\n        log(x)\n    use(x)\n", False),
        ("def f(x, y):\n    if x in y:\n        use(x)\n", False),
        ("def f(x, z):\n    if z in ('a',):\n        use(x)\n", False),
    ],
)
def test_a_condition_holds_a_value_where_it_decides(source: str, held: bool) -> None:
    assert guarded(source) is held


@pytest.mark.parametrize(
    ("words", "at"),
    [
        (["sh", "-c", None], 2),
        (["/bin/bash", "-euo", "pipefail", "-c", None], 4),
        (["bash", "-ec", None], 2),
        (["bash", "-c", "-e", None], 3),
        (["sudo", "-u", "root", "bash", "-xec", None], 5),
        (["cmd.exe", "/c", None], 2),
        (["pwsh", "-NoProfile", "-Command", None], 3),
        (["bash", "script.sh", "-c", None], None),
        (["bash", None, "-c"], None),
        (["grep", "-c", None], None),
        (["bash", "-c"], None),
        ([], None),
    ],
)
def test_a_shell_runs_the_word_behind_its_options(words: list[object], at: int | None) -> None:
    assert shell_script(words) == at


def test_a_shell_without_a_script_reads_its_input_and_an_interpreter_runs_code_by_its_option() -> None:
    assert reads_script_from_input(["sh"])
    assert reads_script_from_input(["bash", "-s"])
    assert reads_script_from_input(["python3", "-"])
    assert not reads_script_from_input(["sh", "run.sh"])
    assert not reads_script_from_input(["sort"])
    assert interpreter_code(["python3.12", "-Ic", None]) == ("python", 2)
    assert interpreter_code(["node", "--eval", None]) == ("node", 2)
    assert interpreter_code(["python", "-m", "tool", "-c", None]) is None


def test_the_command_line_and_the_environment_are_of_a_lower_grade() -> None:
    (site,) = sites("code.sql_from_strings", "import sys\ndb.execute(sys.argv[1])\n")
    assert site.confidence == 0.5
    assert site.statement == "Input `sys.argv[1]` (line 2) reaches `db.execute` (line 2)"
    assert sites("code.shell_execution", "import os, subprocess\nsubprocess.run([os.environ['EDITOR'], path])\n") == []


def test_a_flow_names_source_way_and_sink_with_their_lines() -> None:
    source = 'from flask import request\ndef f(cursor):\n    query = request.args["n"]\n    text = query.strip()\n    cursor.execute(text)\n'
    (site,) = sites("code.sql_from_strings", source)
    assert site.statement == (
        'Untrusted input `request.args["n"]` (line 3) reaches `cursor.execute` (line 5) through `query`, `text`'
    )
    assert (site.line, site.related, site.confidence) == (5, (3, 4), 0.9)


def test_hostile_chains_of_names_end() -> None:
    ring = "\n".join(f"    a{n} = a{(n + 1) % 400} + b{n} + a{(n + 7) % 400}" for n in range(400))
    assert sites("code.sql_from_strings", f"from flask import request\ndef f(db):\n{ring}\n    db.execute(a0)\n") == []


@pytest.mark.parametrize(
    ("command", "confidences"),
    [
        ('"ls " + shlex.quote(x)', []),
        ('f"ls {shlex.quote(x)} -n {int(y)}"', []),
        ("shlex.quote(x)", [0.4]),
        ('f"ls {shlex.quote(x)} {y}"', [1.0]),
        ('"ls " + quote(x)', [1.0]),
    ],
)
def test_a_command_of_quoted_values_is_reported_only_where_one_may_name_the_program(
    command: str, confidences: list[float]
) -> None:
    seen = sites("code.shell_execution", f"import os, shlex\ndef f(x, y):\n    os.system({command})\n")
    assert [site.confidence for site in seen] == confidences
