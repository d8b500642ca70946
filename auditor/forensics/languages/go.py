"""Go."""

from __future__ import annotations

import re

from auditor.forensics.languages.grammars import grammar
from auditor.forensics.languages.rules import (
    ALL,
    DECODED_IN_A_SHELL,
    DECODES,
    DROPPED_RESULT,
    FIXED,
    FIXED_IN_A_SHELL,
    GLUED_CONDITION,
    GLUED_PART,
    GLUED_QUERY,
    IDENTIFIER,
    IN_A_SHELL,
    JUDGED,
    PASSED,
    RECEIVER,
    UNDECODED,
    VALUE_QUERY,
    Argument,
    Call,
    Handler,
    Language,
    Piece,
    Testing,
    Value,
    form,
)
from auditor.forensics.languages.texts import NEXT, Writing

_IMPORT = re.compile(r"\s*(?:import\s+)?(\w+|\.)?\s*\"([\w./-]{1,200})\"\s*(?://.*)?$")


def imports(text: str) -> dict[str, str]:
    """Local name -> import path, for the packages that rules speak of."""
    names: dict[str, str] = {}
    for line in text[:20_000].split("\n"):
        found = _IMPORT.match(line) if '"' in line else None
        if found is not None:
            names[found[1] or found[2].rpartition("/")[2]] = found[2]
    return names


_COMMAND = ("os/exec.Command",)
_CONTEXT = ("os/exec.CommandContext",)
_SYSTEM = ("syscall.Exec", "os.StartProcess", "syscall.ForkExec", "golang.org/x/sys/unix.Exec")
_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{IN_A_SHELL.pattern.replace('^', '', 1)})")
_FIXED_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{FIXED_IN_A_SHELL.pattern.replace('^', '', 1)})")
_DECODED_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{DECODED_IN_A_SHELL.pattern.replace('^', '', 1)})")
_LISTED = form(rf"^[^{NEXT}]*{NEXT}(?:{IN_A_SHELL.pattern.replace('^', '', 1)})")
_QUERYING = (
    ".Query", ".QueryRow", ".Exec", ".Raw", ".Get", ".Select", ".Queryx", ".QueryRowx", ".MustExec", ".NamedExec", ".NamedQuery", ".Prepare", ".Preparex", ".PrepareNamed", ".Queryf",
    ".QueryString", ".ExecSQL", ".SQL", ".NewRaw", ".NewQuery", ".Queue", "Query", "Exec", "query", "exec",
)  # fmt: skip
_QUERYING_SECOND = (
    ".QueryContext", ".QueryRowContext", ".ExecContext", ".PrepareContext", ".GetContext", ".SelectContext", ".QueryxContext", ".QueryRowxContext", ".MustExecContext", ".NamedExecContext",
    ".Query", ".QueryRow", ".Exec", ".Get", ".Select", ".Prepare", ".NewRaw",
)  # fmt: skip
_PARTS = (
    ".Where",
    ".Or",
    ".Not",
    ".Having",
    ".Joins",
    ".Order",
    ".Group",
    ".WhereOr",
    ".Find",
    ".First",
    ".Delete",
    ".Last",
    ".Take",
)
_STANDARD = (
    *(f"os.{name}" for name in ("ReadFile", "Open", "Create", "OpenFile", "ReadDir", "Stat", "Getwd", "Mkdir", "MkdirAll", "WriteFile", "Rename", "CreateTemp", "MkdirTemp")),
    *(f"io.{name}" for name in ("ReadAll", "Copy")), *(f"io/ioutil.{name}" for name in ("ReadFile", "ReadAll", "WriteFile", "ReadDir")),
    *(f"encoding/json.{name}" for name in ("Marshal", "MarshalIndent", "Unmarshal")),
    *(f"strconv.{name}" for name in ("Atoi", "ParseInt", "ParseBool", "ParseFloat", "ParseUint")),
    *(f"net/http.{name}" for name in ("Get", "Post", "Head", "NewRequest", "NewRequestWithContext")),
    "database/sql.Open", "net.Dial", "net.Listen", "net/url.Parse", "time.Parse", "time.ParseDuration", "crypto/rand.Read", "encoding/base64.StdEncoding.DecodeString",
)  # fmt: skip
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
_WRITING = Writing(
    literals=frozenset({"interpreted_string_literal", "raw_string_literal"}),
    gives={"short_var_declaration": ("left", "right"), "var_spec": ("name", "value"), "const_spec": ("name", "value"), "assignment_statement": ("left", "right")},
    declares=frozenset({"short_var_declaration", "var_spec", "const_spec"}),
    around={"parenthesized_expression": "", "expression_list": "", "literal_element": "", "variadic_argument": "", "unary_expression": "operand", "type_conversion_expression": "operand"},
    lists=frozenset({"composite_literal", "literal_value"}),
    members=frozenset({"selector_expression"}),
    calls=frozenset({"call_expression"}),
    formats=re.compile(r"^(?:fmt\.)?Sprintf$"),
    same=re.compile(r"(?:^|\.)(?:String)$|^(?:\w+)\.String$"),
    wraps=re.compile(r"^(?:strings\.(?:TrimSpace|ToLower|ToUpper|Trim|ReplaceAll|Replace|TrimSuffix|TrimPrefix)|string|fmt\.Sprint|squirrel\.Expr|gorm\.Expr)$"),
    adds=re.compile(r"(?:^|\.)(?:WriteString|WriteRune)$"),
    collects=re.compile(r"^append$"),
    growing=re.compile(rb"[\w.]{1,80}\.(?:WriteString|WriteRune)\(|fmt\.Fprintf\("),
    makes_list=re.compile(r"(?!)"),
    commands=re.compile(r"^exec\.Command(?:Context)?$"),
    joins=re.compile(r"^strings\.Join$"),
    writes=re.compile(r"^fmt\.Fprintf$"),
)  # fmt: skip
GO = Language(
    name="go",
    grammar=lambda _content: grammar("tree_sitter_go"),
    calls=frozenset({"call_expression"}),
    plain=re.compile(rb"(\w+(?:\.\w+)*)\("),
    further=re.compile(rb"(?:\s*\.\w+)*?\s*\.(\w+)\("),
    functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    branches=frozenset({"if_statement", "for_statement", "expression_case", "type_case", "communication_case"}),
    writing=_WRITING,
    unwanted=re.compile(rb"(?:\A|[\n;{])\s*(?:_\s*=|(?:\w+\s*,\s*)?_\s*:?=)\s*$"),
    values=frozenset({"keyed_element", "assignment_statement", "short_var_declaration", "var_spec"}),
    handlers=frozenset({"if_statement"}),
    handler_body="consequence",
    imports=imports,
    testing=_TESTING,
    rules=(
        Call("code.shell_execution", _COMMAND, DECODES, (Argument(ALL, reads=DECODED_IN_A_SHELL),), 0.95, UNDECODED),
        Call("code.shell_execution", _CONTEXT, DECODES, (Argument(ALL, reads=_DECODED_WITH_CONTEXT),), 0.95, UNDECODED),
        Call("code.shell_execution", _COMMAND, "A command is handed to a shell", (Argument(ALL, reads=IN_A_SHELL),), 0.95, "where the command comes from was not followed"),
        Call("code.shell_execution", _CONTEXT, "A command is handed to a shell", (Argument(ALL, reads=_WITH_CONTEXT),), 0.95, "where the command comes from was not followed"),
        Call("code.shell_execution", _COMMAND, "A constant command is handed to a shell", (Argument(ALL, reads=FIXED_IN_A_SHELL),), 0.5, FIXED),
        Call("code.shell_execution", _CONTEXT, "A constant command is handed to a shell", (Argument(ALL, reads=_FIXED_WITH_CONTEXT),), 0.5, FIXED),
        Call("code.shell_execution", _SYSTEM, "A command is handed to a shell", (Argument(ALL, reads=_LISTED),), 0.9, "where the command comes from was not followed"),
        Call("code.dynamic_code", ("plugin.Open",), "Code is loaded at run time (plugin.Open)", (), 0.8, "where the file comes from was not followed"),
        Call("code.dynamic_code", (".Eval", ".RunString", ".DoString", ".RunScript", ".EvalString", ".PCall", ".RunProgram"), "Text is run as code (an interpreter)", (Argument(0, reads=form(r"\0")),), 0.65, "what the receiver is was not followed", without=re.compile(rb"\A(?!.*(?:goja|otto|yaegi|gopher-lua|golua|starlark|v8go|tengo|anko|gval|expr-lang|quickjs|duktape|govaluate))", re.DOTALL)),
        Call("code.sql_from_strings", _QUERYING, "A query is put together from strings", (Argument(0, reads=VALUE_QUERY, told_apart=True),), 0.85, PASSED, handed_on=True),
        Call("code.sql_from_strings", _QUERYING, "A name is put into a query as text", (Argument(0, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", _QUERYING_SECOND, "A query is put together from strings", (Argument(1, reads=VALUE_QUERY, told_apart=True),), 0.85, PASSED),
        Call("code.sql_from_strings", _QUERYING_SECOND, "A name is put into a query as text", (Argument(1, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", (".Get", ".Select", ".GetContext", ".SelectContext"), "A query is put together from strings", (Argument(2, reads=VALUE_QUERY, told_apart=True),), 0.85, PASSED),
        Call("code.sql_from_strings", (".Get", ".Select", ".GetContext", ".SelectContext"), "A name is put into a query as text", (Argument(2, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", _PARTS, "A part of a query is put together from strings", (Argument(None, reads=GLUED_CONDITION),), 0.75, PASSED),
        Call("code.sql_from_strings", (".Order", ".Joins", ".OrderExpr", ".WhereRaw", ".GroupRaw"), "A part of a query is put together from strings", (Argument(0, reads=GLUED_PART),), 0.7, PASSED),
        Call("code.weak_hash", ("crypto/md5.New", "crypto/md5.Sum", "crypto/sha1.New", "crypto/sha1.Sum", "golang.org/x/crypto/md4.New", "golang.org/x/crypto/ripemd160.New"), "A weak hash is used", (), 0.7, JUDGED),
        Call("code.weak_hash", ("crypto/hmac.New",), "A weak hash is used", (Argument(0, form(r"^(?:md5|sha1)\.New$")),), 0.7, JUDGED),
        Call("code.no_timeout", ("net/http.Get", "net/http.Post", "net/http.Head", "net/http.PostForm", "net/http.DefaultClient.Do", "net/http.DefaultClient.Get", "net/http.DefaultClient.Post", "net/http.DefaultClient.Head"), "A request may wait without end", (), 0.8, _UNTIMED, without=re.compile(rb"DefaultClient\.Timeout\s*=|NewRequestWithContext\(")),
        Call("code.no_timeout", ("net.Dial", "crypto/tls.Dial"), "A connection may wait without end", (), 0.6, "the system's own limit may be short enough", (Argument(0, form(r"^\"unix")),), without=re.compile(rb"\.Set(?:Read|Write)?Deadline\(")),
        Call("code.subprocess_unchecked", (".Run", ".Start", ".Wait", ".Output", ".CombinedOutput"), "Nobody looks at how a child process ended", (Argument(RECEIVER, reads=form(r"^exec\x1f")),), 0.85, DROPPED_RESULT, dropped=True),
        Call("code.insecure_temporary_file", ("io/ioutil.WriteFile", "os.WriteFile", "os.Create", "os.OpenFile"), "A file with a fixed name is written to the shared temporary folder", (Argument(0, reads=form(r"^/(?:var/)?tmp/[^\0]+$")),), 0.8, "the folder may belong to one user"),
        Call("code.insecure_temporary_file", ("io/ioutil.WriteFile", "os.WriteFile", "os.Create", "os.OpenFile"), "A file with a name that can be guessed is written to the shared temporary folder", (Argument(0, reads=form(r"^/(?:var/)?tmp/[\w.-]+\0[\w.\0-]*$")),), 0.6, "part of the name is made at run time", (Argument(None, form(r"\bO_EXCL\b")),), without=re.compile(rb"(?i)\brand\.|uuid|\bulid\b|\bx?ksuid\b|nonce|MkdirTemp|CreateTemp|TempDir|TempFile")),
        Call("code.insecure_temporary_file", ("io/ioutil.WriteFile", "os.WriteFile", "os.Create", "os.OpenFile"), "A file with a fixed name is written to the shared temporary folder", (Argument(0, form(r"os\.TempDir\(\)\s*(?:,|\+)\s*\"[^\"]*\"\s*\)?$")),), 0.75, "the folder may belong to one user"),
        Call("code.swallowed_exception", _STANDARD, "An error is dropped", (), 0.6, "it may be known that it cannot fail", dropped=True),
        Call("code.swallowed_exception", ("recover",), "A panic is caught and dropped", (), 0.75, "where it comes from was not followed", dropped=True),
        Value("code.no_timeout", form(r"\w*[cC]lient$"), form(r"^&?http\.Client\{\s*\}"), "A request may wait without end", 0.7, _UNTIMED),
        Value("code.tls_verification_off", form(r"InsecureSkipVerify$"), form(r"^true\b|^!0"), "The other side's certificate is not checked"),
        Value("code.tls_verification_off", form(r"HostKeyCallback$"), form(r"^ssh\.InsecureIgnoreHostKey\(\)"), "The other side's key is not checked"),
        Handler("code.swallowed_exception", "A panic is caught and dropped", form(r"^if\s+(?:\w+\s*:=\s*recover\(\)\s*;\s*\w+\s*!=\s*nil|recover\(\)\s*!=\s*nil)\s*\{"), empty=True),
        Handler("code.swallowed_exception", "An error is looked at and dropped", form(r"^if\s+(?:[^{]{0,300};\s*)?\w*[eE]rr\s*!=\s*nil\s*\{"), empty=True),
        Piece("text.debug_leftovers", "call_expression", "A debugging aid was left behind", form(r"^(?:spew\.Dump|runtime\.Breakpoint)\(")),
    ),
)  # fmt: skip
