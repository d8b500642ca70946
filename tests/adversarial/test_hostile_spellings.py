"""Every call that a rule asks for, made in other ways than rules expect: none of them keeps a file from being read."""

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from tests.seeing import sites

ALL = Interest(tuple(discover_probes().values()))
SPELLINGS = {
    "another name": "    m = {called}\n    m(a)\n    m(a, 1, b=2)\n    m()\n    m(*a, **k)\n",
    "an element": "    [{called}][0](a)\n    [{called}][0]()\n    {{'k': {called}}}['k'](a, b=1)\n",
    "a partial": "    partial({called}, a)()\n    partial({called})(b=a)\n    partial({called}, **k)(*a)\n",
    "a lambda": "    (lambda: {called})()(a)\n    (n := {called})(a)\n    ({called} if a else k)(a)\n    map({called}, a)\n",
    "no arguments": "    {called}()\n    {called}(*a)\n    {called}(**k)\n    with {called}() as z: z(a)\n",
    "another use": "    {called}\n    {called} = k\n    {called}.x = k\n    {called}['x'] = a\n    del {called}\n",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_methods_that_rules_ask_for_are_read_however_they_are_called(spelling: str) -> None:
    methods = sorted(each for each in ALL.by_method_name if each.isidentifier())
    assert len(methods) > 100
    source = "from functools import partial\n" + "".join(
        f"def f{number}(x, a, k):\n{SPELLINGS[spelling].format(called=f'x.{each}')}"
        for number, each in enumerate(methods)
    )
    record = scan_file(source.encode(), "python", ALL)
    assert (record.reading, record.reason) == ("full", "")


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_functions_that_rules_ask_for_are_read_however_they_are_called(spelling: str) -> None:
    functions = sorted(each for each in ALL.by_name if "." in each and all(map(str.isidentifier, each.split("."))))
    assert len(functions) > 500
    for start in range(0, len(functions), 100):
        some = functions[start : start + 100]
        source = "from functools import partial\n" + "".join(
            f"import {each.partition('.')[0]}\ndef f{number}(a, k):\n{SPELLINGS[spelling].format(called=each)}"
            for number, each in enumerate(some)
        )
        record = scan_file(source.encode(), "python", ALL)
        assert (record.reading, record.reason) == ("full", ""), some


GAPS = {
    "line break behind": ".\n    ",
    "line break before": "\n    .",
    "blanks": " . ",
    "blank behind": ". ",
    "comment behind": "./* run */",
    "comment before": "/* run */.",
    "comment with a dot": "./* a.b */",
    "comment to the end of the line": ". // run\n   ",
    "comment and line break before": " // run\n   .",
    "line break of Windows": ".\r\n\t",
}
CALLS = {
    "javascript": "const cp = require('child_process');\nfunction f(x) {{\n  cp{dot}exec('ls ' + x);\n}}\n",
    "typescript": "import * as cp from 'child_process';\nexport function f(x: string) {{\n  cp{dot}exec('ls ' + x);\n}}\n",
    "go": 'package a\n\nimport "os/exec"\n\nfunc f(x string) {{\n\texec{dot}Command("bash", "-c", x)\n}}\n',
    "java": 'class A {{\n  void f(String x) {{\n    Runtime.getRuntime(){dot}exec("sh -c " + x);\n  }}\n}}\n',
    "csharp": 'using System.Diagnostics;\nclass A {{\n  void F(string x) {{\n    Process{dot}Start("sh", "-c " + x);\n  }}\n}}\n',
    "rust": 'use std::process::Command;\nfn f(x: &str) {{\n    Command::new("sh").arg("-c"){dot}arg(x){dot}output();\n}}\n',
}


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("language", CALLS)
def test_blanks_and_comments_around_the_dot_of_a_name_hide_no_call(language: str, gap: str) -> None:
    if language == "go" and "before" in gap and "line" in gap:
        pytest.skip("Go ends the statement there")
    assert len(sites("code.shell_execution", CALLS[language].format(dot=GAPS[gap]), language)) == 1


WRAPPED = {
    "javascript": ["(cp)", "(\ncp\n)", "cp?", "c\\u0070"],
    "typescript": ["(cp as any)", "(<any>cp)", "cp!", "(cp satisfies object)", "(cp as any)!"],
    "go": ["(exec)"],
    "csharp": ["(Process)", "@Process", "global::System.Diagnostics.Process", "Pro\\u0063ess"],
}


@pytest.mark.parametrize(("language", "owner"), [(each, owner) for each in WRAPPED for owner in WRAPPED[each]])
def test_signs_around_a_name_that_change_nothing_hide_no_call(language: str, owner: str) -> None:
    plain = {"javascript": "cp", "typescript": "cp", "go": "exec", "csharp": "Process"}[language]
    source = CALLS[language].format(dot=".")
    assert f"  {plain}." in source or f"\t{plain}." in source
    changed = source.replace(f"  {plain}.", f"  {owner}.").replace(f"\t{plain}.", f"\t{owner}.")
    assert len(sites("code.shell_execution", changed, language)) == 1


@pytest.mark.parametrize("used", ["vadd", "v\\u0061dd", "v\\u{61}dd", "\\u0076\\u0061\\u0064\\u0064"])
def test_a_variable_is_followed_however_its_name_is_escaped(used: str) -> None:
    source = f"app.get('/a', (req, res) => {{\n  const vadd = req.query.q;\n  fs.readFileSync({used});\n}});\n"
    assert [
        each.line for each in sites("code.path_traversal", f"const fs = require('fs');\n{source}", "javascript")
    ] == [4]


@pytest.mark.parametrize("called", ["unserialize", "\\unserialize", "\\UNSERIALIZE"])
def test_a_backslash_before_a_name_of_php_is_no_escape(called: str) -> None:
    source = f"<?php\n$v = {called}($_GET['a']);\n"
    assert [each.line for each in sites("code.unsafe_deserialization", source, "php")] == [2]


@pytest.mark.parametrize(
    "made", ["<Command>::new", "<std::process::Command>::new", "Command :: new", "Command::r#new", "(Command::new)"]
)
def test_a_program_of_rust_is_seen_however_its_path_is_written(made: str) -> None:
    source = CALLS["rust"].format(dot=".").replace("Command::new", made)
    assert len(sites("code.shell_execution", source, "rust")) == 1


@pytest.mark.parametrize("called", ["EXEC", "Exec", "\\Exec", "(exec)", "exec /* now */ "])
def test_letters_and_signs_in_names_of_functions_of_php_hide_no_call(called: str) -> None:
    source = f"<?php\nfunction f($x) {{\n  {called}('ls ' . $x);\n}}\n"
    assert len(sites("code.shell_execution", source, "php")) == 1


def test_many_blanks_and_comments_in_names_take_no_time() -> None:
    name = "cp" + " /* */ " * 40 + "." + " // \n" * 40 + "exec"
    source = f"const cp = require('child_process');\n{f'{name}(x);' * 1_000}\n"
    record = scan_file(source.encode(), "javascript", ALL)
    assert (record.reading, record.reason) == ("full", "")
