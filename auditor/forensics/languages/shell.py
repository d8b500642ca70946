"""Shell scripts."""

from __future__ import annotations

import re

from auditor.forensics.languages.grammars import grammar
from auditor.forensics.languages.rules import (
    DECODED,
    DECODES,
    UNDECODED,
    UNPACK,
    Argument,
    Call,
    Language,
    Piece,
    Testing,
    form,
)

_TEST = re.compile(rb"(?m:^@test[ \t][^\n]*\{)")


def _prepared(content: bytes) -> bytes:
    """Tests of bats as functions, which is what they are made into before they run."""
    return _TEST.sub(lambda found: b"t()".ljust(len(found[0]) - 1) + b"{", content) if b"@test" in content else content


_MAX_PIPES = 2_000


def _is_endless(content: bytes) -> bool:
    """Has it a pipeline of thousands of commands?"""
    if content.count(b"|") < _MAX_PIPES:
        return False
    pipes = 0
    for line in content.split(b"\n"):
        pipes += line.count(b"|")
        if pipes >= _MAX_PIPES:
            return True
        if not line.rstrip().endswith(b"|"):
            pipes = 0
    return False


_FETCH = r"(?:curl|wget)\b[^|\n]*"
_FOREIGN = Argument(None, form(rf"(?:\$\(|<\(|`)\s*(?:curl|wget)\b|(?:\$\(|<\(|`)[^)(`]{{0,300}}?(?:{UNPACK})"))
"""What other rules tell of: text from the network, and text that is decoded first."""
_PASSED = "where its parts come from was not followed"
_TESTING = Testing(
    words=(b"@test",),
    by_lines=form(r"^@test\s+(?P<title>\"[^\"]*\"|'[^']*'|\S+)\s*\{"),
    checks=form(r"\S"),
    counted=form(r"(?m:^\s*!?\s*)(?:\[\[?\s|\(\(|test\s|assert\w*|refute\w*|fail\b|diff\s|cmp\s)|\|\s*grep\b"),
    trivial=form(r"(?m:^\s*(?:true|:|\[ 1 -eq 1 \])\s*$)"),
    stops=form(r"skip\b(?!\s*\()"),
    comments=form(r"(?m:^\s*#[^\n]*)"),
    whole_files=True,
)
SHELL = Language(
    name="shell",
    grammar=lambda _content: grammar("tree_sitter_bash"),
    calls=frozenset({"command"}),
    callee=("name",),
    endless=_is_endless,
    prepared=_prepared,
    functions=frozenset({"function_definition"}),
    branches=frozenset({"if_statement", "elif_clause", "for_statement", "while_statement", "case_item", "c_style_for_statement"}),
    dialect=re.compile(rb"^(?:#compdef|#autoload|#!.{0,40}\bzsh\b)"),
    testing=_TESTING,
    rules=(
        Piece("code.dynamic_code", "pipeline", DECODES, form(DECODED), 0.95, UNDECODED),
        Piece("code.dynamic_code", "command", DECODES, form(rf"^(?:{DECODED})"), 0.95, UNDECODED),
        Piece("code.dynamic_code", "command", "What is fetched from the network is run", form(r"^(?:eval|source|\.|(?:/usr)?(?:/bin/)?(?:ba|z|da|k)?sh)\s[^;\n]{0,100}?(?:\$\(|<\(|`)\s*(?:curl|wget)\b"), 0.9, "who answers at the address was not followed"),
        Call("code.dynamic_code", ("eval",), "Text is run as commands (eval)", (Argument(None, form(r"\$\{?\w|\$\(|`")),), 0.7, "the text may be made by the script itself", (_FOREIGN,)),
        Call("code.shell_execution", ("sh", "bash", "/bin/sh", "/bin/bash"), "A command put together at run time is handed to another shell", (Argument(0, form(r"^-\w*c$")), Argument(1, form(r"^\"[^\"]*\$(?!\{?\w+@Q)|^\$"))), 0.7, _PASSED, (_FOREIGN,)),
        Piece("code.dynamic_code", "pipeline", "What is fetched from the network is run", form(rf"^{_FETCH}\|\s*(?:sudo\s+)?(?:env\s+)?(?:/bin/|/usr/bin/)?(?:ba|z|da)?sh\b|^{_FETCH}\|\s*(?:sudo\s+)?(?:python[\d.]*|perl|ruby|node)\b(?!\s+-m\s+json)"), 0.9, "who answers at the address was not followed"),
        Call("code.tls_verification_off", ("curl",), "The other side's certificate is not checked", (Argument(None, form(r"^(?:-k|--insecure|-[a-zA-Z]*k[a-zA-Z]*)$")),), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", ("wget",), "The other side's certificate is not checked", (Argument(None, form(r"^--no-check-certificate$")),), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", ("git",), "The other side's certificate is not checked", (Argument(None, form(r"http\.sslVerify=false")),), 0.95, "whether it is ever used was not followed"),
        Call("code.insecure_temporary_file", ("mktemp",), "A temporary name is taken without the file", (Argument(None, form(r"^(?:-u|--dry-run)$")),), 0.85, "the folder may belong to one user"),
        Piece("code.insecure_temporary_file", "file_redirect", "A file with a fixed name is written to the shared temporary folder", form(r"^\d?>{1,2}\s*\"?/tmp/[\w.$-]+"), 0.7, "the folder may belong to one user"),
        Piece("text.debug_leftovers", "command", "A debugging aid was left behind", form(r"^set -[a-z]*x[a-z]*$"), 0.5, "tracing may be wanted"),
    ),
)  # fmt: skip
