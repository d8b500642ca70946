"""Rows of data flow, the limits within which values are followed, and regular expressions that hold a text."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.languages.data_flow.flow_models import language_models
from auditor.forensics.languages.data_flow.plain_patterns import holds_whole_text, removes_all_but_plain
from auditor.forensics.languages.file_rule_evaluation import scan_file
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.languages.parsed_file import FileScan

SHELL = "code.shell_execution"
LANGUAGES = ("csharp", "go", "java", "javascript", "php", "ruby", "rust", "typescript")
HANDLER = 'const cp = require("child_process")\nexports.f = (req, res) => {\n%s}\n'


def _scanned(source: str, language: str = "javascript") -> FileScan:
    return scan_file(source.encode(), covered_languages()[language], frozenset({SHELL}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_of_sinks_belongs_to_a_rule_of_its_language(language: str) -> None:
    probes = {each.probe for each in language_models(language).sinks}
    assert probes
    assert probes <= covered_languages()[language].probes


def test_a_language_without_kinds_is_not_followed() -> None:
    assert covered_languages()["shell"].data_flow is None


@pytest.mark.parametrize(
    ("pattern", "language", "holds"),
    [
        (r"^\w+$", "javascript", True),
        (r"^[a-z_]{1,20}$", "javascript", True),
        (r"^(a|b)$", "javascript", True),
        (r"^a|b$", "javascript", False),
        (r"^\w+", "javascript", False),
        (r"^.+$", "javascript", False),
        (r"^[^;]+$", "javascript", False),
        (r"^[\w ]+$", "javascript", False),
        (r"^\w+$", "ruby", False),
        (r"\A\w+\z", "ruby", True),
        (r"\A\w+\Z", "ruby", False),
        (r"^\w+$", "go", True),
    ],
)
def test_only_an_anchored_form_of_plain_characters_holds_a_text(pattern: str, language: str, *, holds: bool) -> None:
    assert holds_whole_text(pattern, "", language) is holds


def test_a_form_of_many_lines_holds_nothing() -> None:
    assert not holds_whole_text(r"^\w+$", "m", "javascript")


@pytest.mark.parametrize(
    ("pattern", "removes"), [("[^a-z0-9]", True), (r"\W+", True), ("[^a-z;]", False), ("[a-z]", False)]
)
def test_what_is_left_behind_a_form_is_plain_only_if_all_else_fits(pattern: str, *, removes: bool) -> None:
    assert removes_all_but_plain(pattern) is removes


def test_a_file_with_too_many_dangerous_calls_says_how_far_it_was_followed() -> None:
    looked = _scanned(HANDLER % ("  cp.exec(req.query.a)\n" * 1_100))
    assert "first 1,000 calls" in looked.reason
    assert len(looked.sites[SHELL]) == 1_100


@pytest.mark.parametrize(
    "body",
    [
        "  let a0 = req.query.a\n" + "".join(f"  let a{n + 1} = a{n}\n" for n in range(600)) + "  cp.exec(a600)\n",
        "".join(f"  let a{n} = [{', '.join(f'a{m}' for m in range(max(0, n - 9), n))}]\n" for n in range(120)) + "  cp.exec(a119)\n",
        "  let a = req.query.a\n" + "  a = a + b\n" * 600 + "  cp.exec(a)\n",
    ],
    ids=["a long way", "many ways", "many assignments"],
)  # fmt: skip
def test_what_is_not_followed_to_the_end_is_reported_all_the_same(body: str) -> None:
    (site,) = _scanned(HANDLER % body).sites[SHELL]
    assert site.confidence >= 0.5


def test_a_value_that_is_made_of_itself_ends() -> None:
    looked = _scanned(HANDLER % "  let a = b\n  let b = a\n  cp.exec('ls ' + a + req.query.c)\n")
    assert [each.confidence for each in looked.sites[SHELL]] == [1.0]


def test_functions_that_call_each_other_end() -> None:
    source = "function f(a) { return g(a) }\nfunction g(a) { return f(a) }\n" + HANDLER % "  cp.exec(f(req.query.a))\n"
    assert [each.line for each in _scanned(source).sites[SHELL]] == [5]


PHP_PAGE = "<?php\n$dir = $_GET['dir'];\n"


@pytest.mark.parametrize(
    ("language", "source", "is_found"),
    [
        ("php", PHP_PAGE + "function f() { system('ls ' . $dir); }\n", False),
        ("php", PHP_PAGE + "$f = function () use ($dir) { system('ls ' . $dir); };\n", True),
        ("php", "<?php\nif ($a) $x = $_GET['x']; else $x = 'ls';\nsystem($x);\n", True),
        ("javascript", HANDLER % "  let a\n  if (b) a = req.query.a; else a = 'ls'\n  cp.exec(a)\n", True),
        ("javascript", HANDLER % "  let a = req.query.a\n  a = 'ls'\n  cp.exec(a)\n", False),
        ("javascript", HANDLER % "  const a = req.query.a.map((x) => Number(x))\n  cp.exec('kill ' + a.join(' '))\n", False),
        ("javascript", HANDLER % "  const a = req.query.a.map((x) => x.trim())\n  cp.exec('kill ' + a.join(' '))\n", True),
    ],
    ids=["another scope of PHP", "a closure", "a branch without braces", "the same in JavaScript", "a new value", "numbers", "texts"],
)  # fmt: skip
def test_a_name_holds_what_may_reach_it(language: str, source: str, *, is_found: bool) -> None:
    found = any(" reaches `" in each.statement for each in _scanned(source, language).sites[SHELL])
    assert found is is_found


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("csharp", "class A : Controller { void F(string q) { var a = Request.Query" + "?.A(b)" * 400 + "; Process.Start(a); } }"),
        ("csharp", "class A : Controller { void F() { Process.Start(" + "q switch { _ => " * 200 + "Request" + " }" * 200 + "); } }"),
        ("php", "<?php $x = $_GET['x']; $f = $f; $f($x); system(" + "[" * 300 + "$x" + "]" * 300 + ");"),
        ("php", "<?php " + "$f = 'call_user_func'; $f(" * 200 + "'system', $_GET['x']" + ")" * 200 + ";"),
        ("rust", "use axum::extract::Query;\nfn f(Query(q): Query<P>) { Command::new(format!(" + '"{}", format!(' * 300 + "q" + ")" * 302 + "; }"),
        ("rust", "use axum::extract::Query;\nfn f(Query(q): Query<P>) { let c = Command::new(\"sh\")" + ".arg(q)" * 1500 + "; }"),
    ],
    ids=["a chain of members", "nested switches", "a name of itself", "nested callbacks", "nested macros", "a long command"],
)  # fmt: skip
def test_hostile_shapes_end(language: str, source: str) -> None:
    before = time.process_time()
    _scanned(source, language)
    assert time.process_time() - before < 5


def test_a_fixed_program_does_not_clear_words_of_which_nothing_is_known() -> None:
    source = 'use axum::Json;\nfn f(line: &str) {\n    let shell = "bash";\n    std::process::Command::new(shell).args(["-c", line]);\n}\n'
    assert [each.line for each in _scanned(source, "rust").sites[SHELL]] == [4]
