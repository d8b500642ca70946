"""Go."""

from __future__ import annotations

import re

from auditor.forensics.languages.grammars import grammar
from auditor.forensics.languages.rules import (
    DECODED,
    DECODES,
    FIXED,
    GLUED,
    JUDGED,
    MARKS,
    SQL,
    UNDECODED,
    Argument,
    Call,
    Handler,
    Language,
    Piece,
    Testing,
    Value,
    form,
)

_IMPORT = re.compile(r"\s*(?:import\s+)?(\w+|\.)?\s*\"([\w./-]{1,200})\"\s*(?://.*)?$")


def imports(text: str) -> dict[str, str]:
    """Local name -> import path, for the packages that rules speak of."""
    names: dict[str, str] = {}
    for line in text[:20_000].split("\n"):
        found = _IMPORT.match(line) if '"' in line else None
        if found is not None:
            names[found[1] or found[2].rpartition("/")[2]] = found[2]
    return names


_SHELL = form(r"^\"(?:/bin/|/usr/bin/)?(?:ba|z|da|k)?sh\"$|^\"(?:cmd(?:\.exe)?|powershell|pwsh)\"$")
_SWITCH = form(r"^\"(?:-[lie]?c|/[cC]|-Command)\"$")
_LITERAL = form(r"^[\"`][^\"`]*[\"`]$")
_QUERY = form(rf"^(?:fmt\.Sprintf\(\s*)?[\"`]{SQL}.*?(?:%[svdq]|[\"`]\s*\+)")
_NAMED = form(rf"^(?:fmt\.Sprintf\(\s*)?[\"`]{SQL}.*?(?:%[svdq]|{GLUED})")
_COMMAND = ("os/exec.Command",)
_CONTEXT = ("os/exec.CommandContext",)
_UNTIMED = "the process may set a deadline of its own"
_TESTING = Testing(
    words=(b"func Test", b") Test"),
    functions=form(r"^func (?:\(\s*\w*\s*\*?\w+\s*\) )?Test(?![a-z])\w*\((?:\s*\w+ \*testing\.T\s*)?\)"),
    function_kinds=frozenset({"function_declaration", "method_declaration"}),
    checks=form(
        r"(?<=\w)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|Run|Skip\w*)\(|\b(?i:assert|require|must|expect|check|verify|compare|want|run|test|ensure)\w*[.(]|\bpanic\(|(?<=\w)\.(?:Equal|NotEqual|True|False|Nil|NotNil|NoError|Len|Contains|Empty|NotEmpty|Panics|Greater|Less|Zero|ElementsMatch|Regexp|That)\w*\("
    ),
    counted=form(
        r"(?<=\w)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?i:assert|require|must|expect|check|verify|is|qt)\w*\.\w+\(|\b(?i:assert|require|expect|check|verify)\w*\(|(?<=\w)\.(?:Equal|NotEqual|True|False|Nil|NotNil|NoError|Len|Contains|Empty|NotEmpty|Panics)\w*\("
    ),
    trivial=form(
        r"\b(?:assert|require)\.(?:True\(\s*\w+\s*,\s*true\s*\)|False\(\s*\w+\s*,\s*false\s*\)|Nil\(\s*\w+\s*,\s*nil\s*\)|Equal\(\s*\w+\s*,\s*(\w+)\s*,\s*\1\s*\))"
    ),
    stops=form(r"\w+\.(?:Skip|Skipf|SkipNow)\("),
    constraint=form(
        r"^(?:\s*(?://(?!go:build)[^\n]*)?\n)*//go:build\s+(?P<never>(?:ignore|ignored|never|none|disabled|skip|exclude)\s*\n)?"
    ),
)
GO = Language(
    name="go",
    grammar=lambda _content: grammar("tree_sitter_go"),
    calls=frozenset({"call_expression"}),
    plain=re.compile(rb"(\w+(?:\.\w+)*)\("),
    further=re.compile(rb"(?:\s*\.\w+)*?\s*\.(\w+)\("),
    functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    branches=frozenset({"if_statement", "for_statement", "expression_case", "type_case", "communication_case"}),
    naming=("short_var_declaration", "left", "right"),
    values=frozenset({"keyed_element", "assignment_statement"}),
    handlers=frozenset({"if_statement"}),
    handler_body="consequence",
    imports=imports,
    testing=_TESTING,
    rules=(
        Call("code.shell_execution", _COMMAND, DECODES, (Argument(0, _SHELL), Argument(1, _SWITCH), Argument(2, form(DECODED))), 0.95, UNDECODED),
        Call("code.shell_execution", _CONTEXT, DECODES, (Argument(1, _SHELL), Argument(2, _SWITCH), Argument(3, form(DECODED))), 0.95, UNDECODED),
        Call("code.shell_execution", _COMMAND, "A constant command is handed to a shell", (Argument(0, _SHELL), Argument(1, _SWITCH), Argument(2, _LITERAL)), 0.5, FIXED),
        Call("code.shell_execution", _COMMAND, "A command is handed to a shell", (Argument(0, _SHELL), Argument(1, _SWITCH)), 0.95, "where the command comes from was not followed"),
        Call("code.shell_execution", _CONTEXT, "A constant command is handed to a shell", (Argument(1, _SHELL), Argument(2, _SWITCH), Argument(3, _LITERAL)), 0.5, FIXED),
        Call("code.shell_execution", _CONTEXT, "A command is handed to a shell", (Argument(1, _SHELL), Argument(2, _SWITCH)), 0.95, "where the command comes from was not followed"),
        Call("code.dynamic_code", ("plugin.Open",), "Code is loaded at run time (plugin.Open)", (), 0.8, "where the file comes from was not followed"),
        Call("code.sql_from_strings", (".Query", ".QueryRow", ".Exec", ".Raw", ".Get", ".Select"), "A query is put together from strings", (Argument(0, _QUERY),), 0.85, "where its parts come from was not followed"),
        Call("code.sql_from_strings", (".Query", ".QueryRow", ".Exec", ".Raw", ".Get", ".Select"), "A query is put together from strings before it is run", (Argument(0, _NAMED, named=True),), 0.8, "where its parts come from, and what the name is given later, was not followed", (Argument(0, MARKS, named=True),)),
        Call("code.sql_from_strings", (".QueryContext", ".QueryRowContext", ".ExecContext"), "A query is put together from strings", (Argument(1, _QUERY),), 0.85, "where its parts come from was not followed"),
        Call("code.sql_from_strings", (".QueryContext", ".QueryRowContext", ".ExecContext"), "A query is put together from strings before it is run", (Argument(1, _NAMED, named=True),), 0.8, "where its parts come from, and what the name is given later, was not followed", (Argument(1, MARKS, named=True),)),
        Call("code.weak_hash", ("crypto/md5.New", "crypto/md5.Sum", "crypto/sha1.New", "crypto/sha1.Sum"), "A weak hash is used", (), 0.7, JUDGED),
        Call("code.no_timeout", ("net/http.Get", "net/http.Post", "net/http.Head", "net/http.PostForm"), "A request may wait without end", (), 0.8, _UNTIMED),
        Call("code.insecure_temporary_file", ("io/ioutil.WriteFile", "os.WriteFile", "os.Create"), "A file with a fixed name is written to the shared temporary folder", (Argument(0, form(r"^\"/tmp/")),), 0.8, "the folder may belong to one user"),
        Value("code.tls_verification_off", form(r"InsecureSkipVerify$"), form(r"^true\b"), "The other side's certificate is not checked"),
        Handler("code.swallowed_exception", "An error is looked at and dropped", form(r"^if\s+(?:[^{]{0,300};\s*)?\w*[eE]rr\s*!=\s*nil\s*\{"), empty=True),
        Piece("text.debug_leftovers", "call_expression", "A debugging aid was left behind", form(r"^(?:spew\.Dump|runtime\.Breakpoint)\(")),
    ),
)  # fmt: skip
