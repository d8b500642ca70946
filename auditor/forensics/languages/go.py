"""Go."""

from __future__ import annotations

import re

from auditor.forensics.languages.language_rule_types import (
    ALL,
    AS_IT_IS,
    BEFORE,
    DECODED_IN_A_SHELL,
    DROPPED_RESULT,
    FIXED,
    FIXED_FOREIGN_COMMAND,
    FIXED_IN_A_SHELL,
    FIXED_NAME,
    FIXED_ON_ANOTHER_MACHINE,
    FOREIGN_COMMAND,
    GLUED_CONDITION,
    GLUED_PART,
    GLUED_QUERY,
    IDENTIFIER,
    IN_A_SHELL,
    IN_AN_INTERPRETER,
    ITSELF,
    JUDGED,
    KEYED,
    LAX_ADDRESS,
    LAX_PROGRAM,
    LAX_WORDS,
    MARKED,
    ON_ANOTHER_MACHINE,
    ONE_USER,
    PASSED,
    READ_BY_SOMEBODY,
    RECEIVER,
    SAYS_DEBUG,
    SHRUGGED,
    VALUE_QUERY,
    Argument,
    Call,
    Handler,
    Language,
    Piece,
    Testing,
    Value,
    folder,
    form,
    graph_queries,
    handed,
    marked,
    temporary,
)
from auditor.forensics.languages.string_syntax import FILLED, NEXT, Writing
from auditor.forensics.source_text.decode_and_run_commands import DECODE_AND_RUN_STATEMENT, NOT_DECODED_REASON
from auditor.forensics.source_text.tree_sitter_grammars import grammar

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
_NO_COMMAND = re.compile(rb"\A(?!.*\bexec\.Command)", re.DOTALL)
"""Where no command is made, what is run is something else, and need not be followed."""
_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{IN_A_SHELL.pattern.replace('^', '', 1)})")
_FIXED_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{FIXED_IN_A_SHELL.pattern.replace('^', '', 1)})")
_DECODED_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{DECODED_IN_A_SHELL.pattern.replace('^', '', 1)})")
_INTERPRETED_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{IN_AN_INTERPRETER.pattern.replace('^', '', 1)})")
_FOREIGN_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{ON_ANOTHER_MACHINE.pattern.replace('^', '', 1)})")
_FIXED_FOREIGN_WITH_CONTEXT = form(rf"^[^{NEXT}]*{NEXT}(?:{FIXED_ON_ANOTHER_MACHINE.pattern.replace('^', '', 1)})")
_LISTED = form(rf"^[^{NEXT}]*{NEXT}(?:{IN_A_SHELL.pattern.replace('^', '', 1)})")
_QUERYING = (
    ".Query", ".QueryRow", ".Exec", ".Raw", ".Get", ".Select", ".Queryx", ".QueryRowx", ".MustExec", ".NamedExec", ".NamedQuery", ".Prepare", ".Preparex", ".PrepareNamed", ".Queryf",
    ".QueryString", ".ExecSQL", ".QueryOne", ".QueryEx", ".ExecEx", ".QueryRowEx", ".ExecOne", ".ColumnExpr", ".TableExpr", ".SQL", ".NewRaw", ".NewQuery", ".Queue", "Query", "Exec", "query", "exec",
)  # fmt: skip
_QUERYING_SECOND = (
    ".QueryContext", ".QueryRowContext", ".ExecContext", ".PrepareContext", ".GetContext", ".SelectContext", ".QueryxContext", ".QueryRowxContext", ".MustExecContext", ".NamedExecContext",
    ".Query", ".QueryRow", ".Exec", ".Get", ".Select", ".Prepare", ".NewRaw", ".QueryOne", ".QueryOneContext", ".ExecOne", ".ExecOneContext",
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
_FALLIBLE = r"(?i)^(?:\w+\.)*(?:\w*db|\w*tx|\w*conn|\w*pool|\w*stmt|\w*rows?|dec(?:oder)?)$|(?:json|gob|xml|yaml)\.NewDecoder\(|\.QueryRow(?:Context)?\("
_BLANKED = form(
    r"^_(?:\s*,\s*_)?\s*=\s*(?:(?!hash|buf|b\.|sb\.|h\.|fmt\.|flag|(?:sh|sha\d*|md5\w*|mac|hmac|digest|crc\w*)\.)[\w.\[\]]{1,80}\.)?(?i:save|store|flush|commit|send|publish|delete|remove|update|insert|create|exec|encode|decode|unmarshal|marshal|parse|load|read(?!er)|open|connect|ping|notify|process|upload|download|apply|migrate|enqueue|dispatch|emit|persist|refresh|rename|move|mkdir|chmod|submit|import|export|charge|reserve|deliver|append|write(?!string|byte|rune|r?\(w\b))\w*\("
)
"""What is called for its effect, and its error is given to nobody."""
_FAILED = r"^if\s+(?:[^{]{0,300};\s*)?\w*[eE]rr\s*!=\s*nil"
_GIVES_NOTHING = re.compile(rb"\Afunc\s*(?:(?:\([^()]*\)\s*)?\w+\s*(?:\[[^\]]*\]\s*)?)?\((?:[^()]|\([^()]*\))*\)\s*\Z")
_GIVES_AN_ERROR = re.compile(rb"\berror\)?\s*\Z")
_GIVES_ONE_VALUE = re.compile(rb"\)\s*(?!error\b)[\w.*\[\]]{1,80}\s*\Z")
_ASKED_ANOTHER = form(
    r"\b\w*[eE]rr\s*:?=\s*(?:\w+\.){0,3}(?:db|tx|conn|pool|store|repo|repository|client|api|svc|service|http|cache|redis|rdb|queue|bucket|s3)\w*\.(?i:(?!parse|decode|valid)\w{1,60})\([^\n]{0,300}\n\s*\Z|\b\w*[eE]rr\s*:?=\s*(?:os\.ReadFile|ioutil\.ReadAll|io\.ReadAll|json\.Marshal)\([^\n]{0,300}\n\s*\Z"
)
"""What failed asked another machine, or read all of something."""
_TALKS = re.compile(
    rb"(?m:^package\s+(?:main|cmd|cli|commands?|printers?|print|output|ui|term\w*|render\w*|report\w*|display)\b)|\"(?:flag|github\.com/(?:spf13/cobra|urfave/cli|alecthomas/kong|fatih/color)[^\"]*)\"|\bos\.(?:Args|Stdout|Stdin)\b|(?s:\bfmt\.Print.*\bfmt\.Print.*\bfmt\.Print)"
)
"""What a program holds that speaks to whoever runs it."""
_PRINTS_OF_ITS_OWN = re.compile(rb"func print(?:ln)?\(|\bprint(?:ln)?\s*:?=|(?m:^package\s+main\b)")
_UNTIMED = "the process may set a deadline of its own"
_LIMITED = rb"\.Timeout\s*=[^=]|context\.With(?:Timeout|Deadline)\(|NewRequestWithContext\((?!\s*context\.(?:Background|TODO)\(\))"
"""What a file holds that sets an end to some request."""
_NO_LIMIT = re.compile(_LIMITED)
_DEFAULT_LIMITED = re.compile(rb"DefaultClient(?:\.Timeout)?\s*=[^=]")
_COMPARED = re.compile(rb"(?:[=!]=|\bcase)\s*\Z")
_ITS_FIELD = re.compile(rb"\.(?!Do|Get|Post|Head)|\s*[=!]=|\s*=[^=]")
_KEYED = re.compile(rb"\bhmac\.New\(\s{0,40}\Z")
"""What makes something of a digest and a key stands right before it."""
_DIGEST = re.compile(rb"\s*(?:\(|[=!]=)")
_UNSERVED = re.compile(rb"\.(?:ReadTimeout|ReadHeaderTimeout)\s*=[^=]|http\.TimeoutHandler\(")
_WAITED = re.compile(
    rb"\w*(?:[cC](?:md|ommand|hild)|[pP]roc(?:ess)?)\w*\.(?:Wait|Release|Signal|Kill)\(|\.ProcessState\b|\bcmd\w*\.Process\b"
)
_INTERPRETERS = re.compile(
    rb"\A(?!.*(?:goja|otto|yaegi|gopher-lua|golua|starlark|v8go|tengo|anko|gval|expr-lang|quickjs|duktape|govaluate))",
    re.DOTALL,
)
_SHELL_NAME = form(
    r"(?i)^(?:[\w.]*[._])?(?:(?:user|login|default|system)?_?shell(?:path|bin|cmd|name)?|(?:ba|z|da|k)?sh(?:_?(?:path|bin|cmd|name))?)$|^os\.Getenv\(\"SHELL\"\)$"
)
_TEMPLATE = Argument(
    RECEIVER, form(r"(?i)^(?:\w+\.)*(?:\w*template\.(?:New|Must)\(|\w*te?mpl\w*$|\w*tpl\w*$|t(?:ext|html)?t?$)")
)
_OF_TEMPLATES = (b"text/template", b"html/template")
_WRITTEN_BY_OTHERS = form(
    r"(?i)\bFormValue\(|PostForm|\bURL\.Query\(|\.(?:Query|Param|QueryParam|DefaultQuery|BodyParser|Body|Bind|ShouldBind\w*)\(|\b(?:r|req|request)\.Body\b|\b(?:req|request|input|payload|body|msg|message|event|row|record|tenant|customer|user|account|campaign|merchant|org|organi[sz]ation|workspace|webhook|subscriber)\.\w|\.(?:FindOne|QueryRow\w*|GetTemplate)\("
)
"""What is asked for, or kept for a customer."""
_TESTING = Testing(
    words=(b"func Test", b") Test"),
    functions=form(r"^func (?:\(\s*\w*\s*\*?\w+\s*\) )?Test(?![a-z])\w*\((?:\s*\w+ \*testing\.T\s*)?\)"),
    function_kinds=frozenset({"function_declaration", "method_declaration"}),
    checks=form(
        r"(?<=\w)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|Run(?!\([^{}]{1,300}?,\s*func\s*\()|Skip\w*)\(|\b(?i:assert|require|must|expect|check|verify|compare|want|test(?!ing\.)|ensure)\w*[.(]|(?<!\.)\b(?i:run)\w*[.(]|\.(?:Run|run)\w+\(|\bpanic\(|(?<=\w)\.(?:Equal|NotEqual|True|False|Nil|NotNil|NoError|Len|Contains|Empty|NotEmpty|Panics|Greater|Less|Zero|ElementsMatch|Regexp|That)\w*\("
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
    exported=re.compile(r"(?:[a-z]\w*\.)?[A-Z]\w*\Z"),
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
    paths=re.compile(r"^(?:file)?path\.Join$"),
    temporary=re.compile(rb"os\.TempDir\(\)"),
    writes=re.compile(r"^fmt\.Fprintf$"),
    returns=frozenset({"return_statement"}),
)  # fmt: skip
GO = Language(
    name="go",
    grammar=lambda _content: grammar("tree_sitter_go"),
    calls={"call_expression": "function"},
    functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    branches=frozenset({"if_statement", "for_statement", "expression_case", "type_case", "communication_case"}),
    writing=_WRITING,
    statements=frozenset({"expression_statement", "defer_statement", "go_statement"}),
    unwanted=re.compile(rb"(?:\A|[\n;{])\s*(?:_\s*=|(?:\w+\s*,\s*)?_\s*:?=)\s*$"),
    values=frozenset({"keyed_element", "assignment_statement", "short_var_declaration", "var_spec"}),
    handlers=frozenset({"if_statement"}),
    handler_body="consequence",
    types=(rb"(?<![\w.])@(?:\s*,\s*\w+){0,5}\s+(\*?[A-Za-z_][\w.]*)", rb"(?<![\w.])@\s*(?:,\s*\w+\s*)?:?=\s*&?([A-Za-z_][\w.]*)\{"),
    failing=re.compile(rb"(?m)func(?<=^func)\s+(?:\(\s{0,20}\w{0,80}\s{0,20}\*?(?P<of>\w{1,80})(?:\[[^\]]{0,40}\])?\s{0,20}\)\s{0,20})?(?!Close\b|Write\b|WriteString\b|Fprint)(?P<name>\w+)\((?>[^()\n]{0,300}\)|(?:[^()\n]|\([^()\n]*\)){0,300}\))\s*(?:error|\((?:[^()\n]{0,150}[\s,(])?error\))\s*\{"),
    of_failing=(Call("code.swallowed_exception", (), "An error is dropped", (), 0.6, "it may be known that it cannot fail", dropped=True),),
    imports=imports,
    testing=_TESTING,
    rules=(
        Call("code.shell_execution", _COMMAND, DECODE_AND_RUN_STATEMENT, (Argument(ALL, reads=DECODED_IN_A_SHELL),), 0.95, NOT_DECODED_REASON),
        Call("code.shell_execution", _CONTEXT, DECODE_AND_RUN_STATEMENT, (Argument(ALL, reads=_DECODED_WITH_CONTEXT),), 0.95, NOT_DECODED_REASON),
        Call("code.shell_execution", _COMMAND, "A command is handed to a shell", (Argument(ALL, reads=IN_A_SHELL),), 0.95, "where the command comes from was not followed"),
        Call("code.shell_execution", _CONTEXT, "A command is handed to a shell", (Argument(ALL, reads=_WITH_CONTEXT),), 0.95, "where the command comes from was not followed"),
        Call("code.shell_execution", _COMMAND, "A constant command is handed to a shell", (Argument(ALL, reads=FIXED_IN_A_SHELL),), 0.5, FIXED),
        Call("code.shell_execution", _CONTEXT, "A constant command is handed to a shell", (Argument(ALL, reads=_FIXED_WITH_CONTEXT),), 0.5, FIXED),
        Call("code.shell_execution", _COMMAND, FOREIGN_COMMAND, (Argument(ALL, reads=ON_ANOTHER_MACHINE),), 0.8, PASSED, beside=(b"ssh", b"mosh")),
        Call("code.shell_execution", _CONTEXT, FOREIGN_COMMAND, (Argument(ALL, reads=_FOREIGN_WITH_CONTEXT),), 0.8, PASSED, beside=(b"ssh", b"mosh")),
        Call("code.shell_execution", _COMMAND, FIXED_FOREIGN_COMMAND, (Argument(ALL, reads=FIXED_ON_ANOTHER_MACHINE),), 0.5, FIXED, beside=(b"ssh", b"mosh")),
        Call("code.shell_execution", _CONTEXT, FIXED_FOREIGN_COMMAND, (Argument(ALL, reads=_FIXED_FOREIGN_WITH_CONTEXT),), 0.5, FIXED, beside=(b"ssh", b"mosh")),
        Call("code.dynamic_code", _COMMAND, "Text is run as code by an interpreter", (Argument(ALL, reads=IN_AN_INTERPRETER),), 0.8, PASSED),
        Call("code.dynamic_code", _CONTEXT, "Text is run as code by an interpreter", (Argument(ALL, reads=_INTERPRETED_WITH_CONTEXT),), 0.8, PASSED),
        Call("code.tls_verification_off", (*_COMMAND, *_CONTEXT), "A program is told not to check who answers", (Argument(ALL, reads=LAX_PROGRAM),), 0.9, "whether it is ever used was not followed", beside=LAX_WORDS),
        Piece("code.tls_verification_off", "interpreted_string_literal", "The other side's certificate is not checked", LAX_ADDRESS, 0.9, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "raw_string_literal", "The other side's certificate is not checked", LAX_ADDRESS, 0.9, "whether it is ever used was not followed"),
        Call("code.shell_execution", _SYSTEM, "A command is handed to a shell", (Argument(ALL, reads=_LISTED),), 0.9, "where the command comes from was not followed"),
        Call("code.dynamic_code", (".Parse",), "Text from outside is run as code (a template)", (_TEMPLATE, Argument(0, made_of=_WRITTEN_BY_OTHERS)), 0.75, "who may write it was not followed", beside=_OF_TEMPLATES),
        Call("code.dynamic_code", (".Parse",), "Text from outside is run as code (a template)", (_TEMPLATE, Argument(0, form(r"^\w+$"), reads=form(r"^\0?$")), Argument(BEFORE, form(r"\.Scan\([^()]{0,200}&"))), 0.65, "who may write it was not followed", beside=_OF_TEMPLATES),
        Call("code.dynamic_code", (".Parse",), "Text from outside is run as code (a template)", (_TEMPLATE, Argument(0, form(r"^(?!(?i:\w*(?:config|cfg|opts?|options|settings?|flags?))\.)\w+\.(?:Template|Body|Text|Markup|Content|Message)$"))), 0.6, "who may write it was not followed", beside=(b"ampaign", b"ustomer", b"enant", b"erchant", b"ubscriber")),
        Call("code.dynamic_code", (".Parse",), "Text is run as code (a template put together at run time)", (_TEMPLATE, Argument(0, kinds=frozenset({"binary_expression", "call_expression", "identifier"}), reads=form(r"[^\0]\0|\0[^\0]"))), 0.55, "where its parts come from was not followed", (Argument(0, made_of=form(r"(?i)\bReadFile\(|embed|\bReadAll\(|te?mpl|layout")),), beside=_OF_TEMPLATES),
        Call("code.dynamic_code", ("plugin.Open",), "Code is loaded at run time (plugin.Open)", (), 0.8, "where the file comes from was not followed"),
        Call("code.dynamic_code", (".Eval", ".RunString", ".DoString", ".RunScript", ".EvalString", ".PCall", ".RunProgram"), "Text is run as code (an interpreter)", (Argument(0, reads=form(r"\0")),), 0.65, "what the receiver is was not followed", without=_INTERPRETERS),
        Call("code.shell_execution", (".Run", ".Start", ".Output", ".CombinedOutput"), "A command is handed to a shell on another machine", (Argument(RECEIVER, form(r"(?i)^(?:\w+\.)*\w*sess(?:ion)?$")), Argument(0, reads=form(r"\0"))), 0.8, "where the command comes from was not followed", beside=(b"x/crypto/ssh",)),
        Call("code.shell_execution", (".Run", ".Start", ".Output", ".CombinedOutput"), "A constant command is handed to a shell on another machine", (Argument(RECEIVER, form(r"(?i)^(?:\w+\.)*\w*sess(?:ion)?$")), Argument(0)), 0.5, FIXED, beside=(b"x/crypto/ssh",)),
        Call("code.dynamic_code", ("go.starlark.net/starlark.ExecFile", "go.starlark.net/starlark.ExecFileOptions", "go.starlark.net/starlark.Eval", "github.com/expr-lang/expr.Eval", "github.com/antonmedv/expr.Eval", "github.com/PaesslerAG/gval.Evaluate", "github.com/expr-lang/expr.Compile", "github.com/antonmedv/expr.Compile", "github.com/Knetic/govaluate.NewEvaluableExpression", "github.com/Knetic/govaluate.NewEvaluableExpressionWithFunctions", "github.com/casbin/govaluate.NewEvaluableExpression", "github.com/d5/tengo/v2.NewScript", "github.com/d5/tengo/v2.Eval", "github.com/apaxa-go/eval.ParseString"), "Text is run as code (an interpreter)", (Argument(None, reads=form(r"^\0$"), form=form(r"^[\w.]+$")),), 0.65, "where the text comes from was not followed"),
        Call("code.dynamic_code", (".Run", ".Do"), "Text is run as code (an interpreter)", (Argument(RECEIVER, form(r"(?i)^(?:\w*vm|\w*otto|\w*js|\w*runtime|\w*interp\w*)$")), Argument(0, reads=form(r"\0"))), 0.65, "what the receiver is was not followed", without=_INTERPRETERS),
        Call("code.shell_execution", _COMMAND, "A command is handed to a shell that is chosen at run time", (Argument(0, _SHELL_NAME), Argument(1, form(r"^[\"`]-\w*c[\"`]$"))), 0.8, "which program it is was told by the name alone"),
        Call("code.shell_execution", _CONTEXT, "A command is handed to a shell that is chosen at run time", (Argument(1, _SHELL_NAME), Argument(2, form(r"^[\"`]-\w*c[\"`]$"))), 0.8, "which program it is was told by the name alone"),
        Call("code.shell_execution", _COMMAND, "A command is handed to a shell that is chosen at run time", (Argument(0, _SHELL_NAME), Argument(1, form(r"^append\([\w.]{1,60},\s*(?:\w+\.){0,3}(?i:\w*(?:command|cmd|script)\w*)\)\.\.\.$"))), 0.7, "which program it is was told by the name alone"),
        graph_queries((".Run", "neo4j.ExecuteQuery", ".ExecuteQuery")),
        Call("code.sql_from_strings", _QUERYING, "A query is put together from strings", (Argument(0, reads=VALUE_QUERY, told_apart=True),), 0.85, PASSED, handed_on=True),
        Call("code.sql_from_strings", _QUERYING, "A name is put into a query as text", (Argument(0, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", _QUERYING_SECOND, "A query is put together from strings", (Argument(1, reads=VALUE_QUERY, told_apart=True),), 0.85, PASSED, handed_on=True),
        Call("code.sql_from_strings", _QUERYING_SECOND, "A name is put into a query as text", (Argument(1, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", (".Get", ".Select", ".GetContext", ".SelectContext"), "A query is put together from strings", (Argument(2, reads=VALUE_QUERY, told_apart=True),), 0.85, PASSED),
        Call("code.sql_from_strings", (".Get", ".Select", ".GetContext", ".SelectContext"), "A name is put into a query as text", (Argument(2, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", _PARTS, "A part of a query is put together from strings", (Argument(None, reads=GLUED_CONDITION),), 0.75, PASSED),
        Call("code.sql_from_strings", (".Order", ".Where", ".Having", ".Group", ".Raw", ".Joins", ".Select"), "What is asked for becomes a part of a query", (Argument(0, form(r"^(?:c|ctx|r|req|request|context)\.(?:Query|DefaultQuery|Param|QueryParam|FormValue|PostForm|PostFormValue)\(|^r\.URL\.Query\(\)\.Get\(")),), 0.7, PASSED, beside=(b"gorm", b"sqlx", b"bun", b"squirrel", b"database/sql", b"xorm")),
        Call("code.sql_from_strings", (".Order", ".Joins", ".OrderExpr", ".WhereRaw", ".GroupRaw"), "A part of a query is put together from strings", (Argument(0, reads=GLUED_PART),), 0.7, PASSED),
        Call("code.weak_hash", ("crypto/md5.New", "crypto/md5.Sum", "crypto/sha1.New", "crypto/sha1.Sum", "golang.org/x/crypto/md4.New", "golang.org/x/crypto/ripemd160.New", "crypto/sha1.NewCSHA"), "A weak hash is used", (), 0.7, JUDGED),
        Piece("code.weak_hash", "selector_expression", "A weak hash is used", form(r"^(?:md5|sha1|md4|ripemd160)\.New$"), 0.7, JUDGED, unless_before=_KEYED, unless_behind=_DIGEST),
        Call("code.weak_hash", ("crypto/hmac.New",), "A weak hash is used with a key", (Argument(0, form(r"^md[45]\.New$")),), 0.5, KEYED),
        Piece("code.weak_hash", "selector_expression", "A weak hash is used", form(r"^crypto\.(?:SHA1|MD5|MD4)$"), 0.65, JUDGED, unless_before=_COMPARED, unless_behind=re.compile(rb"\s*(?:[=!]=|:[^=])|\.(?!New\()")),
        Call("code.no_timeout", ("net/http.Get", "net/http.Post", "net/http.Head", "net/http.PostForm"), "A request may wait without end", (), 0.8, _UNTIMED, without=_DEFAULT_LIMITED),
        Piece("code.no_timeout", "selector_expression", "A client is used whose requests may wait without end", form(r"^http\.DefaultClient$"), 0.7, _UNTIMED, without=_DEFAULT_LIMITED, without_near=_NO_LIMIT, unless_before=_COMPARED, unless_behind=_ITS_FIELD),
        Call("code.no_timeout", ("resty.New", "retryablehttp.NewClient", "github.com/hashicorp/go-retryablehttp.NewClient", "cleanhttp.DefaultClient", "cleanhttp.DefaultPooledClient", "github.com/hashicorp/go-cleanhttp.DefaultClient", "github.com/hashicorp/go-cleanhttp.DefaultPooledClient", "gorequest.New", "github.com/parnurzeal/gorequest.New", "sling.New", "github.com/dghubble/sling.New"), "A client is made whose requests may wait without end", (), 0.6, _UNTIMED, without_near=re.compile(rb"\.(?:SetTimeout|Timeout|SetContext|NewRequestWithContext)\(|\.Timeout\s*=[^=]|\.HTTPClient\s*=[^=]")),
        Call("code.no_timeout", ("new",), "A client is made whose requests may wait without end", (Argument(0, form(r"^http\.Client$")),), 0.65, _UNTIMED, without_near=_NO_LIMIT),
        Call("code.no_timeout", ("net.Dial", "crypto/tls.Dial", "net/smtp.Dial", "net/smtp.SendMail", "net/rpc.Dial", "net/textproto.Dial"), "A connection may wait without end", (), 0.6, "the system's own limit may be short enough", (Argument(0, form(r"^\"(?:unix|udp)")),), without_near=re.compile(rb"\.Set(?:Read|Write)?Deadline\(")),
        Call("code.no_timeout", ("golang.org/x/crypto/ssh.Dial", "ssh.Dial"), "A connection may wait without end", (Argument(2),), 0.55, "the system's own limit may be short enough", (Argument(2, form(r"\bTimeout\s*:")),), without=re.compile(rb"\bTimeout\s*[:=]|\.Timeout\b|WithTimeout\(")),
        Call("code.no_timeout", ("github.com/jlaffaye/ftp.Dial", "github.com/jlaffaye/ftp.Connect", "ftp.Dial"), "A connection may wait without end", (), 0.55, "the system's own limit may be short enough", without_near=re.compile(rb"Timeout")),
        Call("code.no_timeout", ("net/http.ListenAndServe", "net/http.ListenAndServeTLS", "net/http.Serve"), "A server waits for its clients without end", (), 0.6, "something in front of it may set a limit", without=re.compile(rb"http\.TimeoutHandler\(")),
        Piece("code.no_timeout", "var_spec", "A client is made whose requests may wait without end", form(r"^\w+\s+http\.Client$"), 0.65, _UNTIMED, without_near=_NO_LIMIT),
        Piece("code.no_timeout", "var_spec", "A connection may wait without end", form(r"^\w+\s+net\.Dialer$"), 0.55, "the system's own limit may be short enough", without=re.compile(rb"\.Timeout\s*=[^=]|\.DialContext\(|\.Set(?:Read|Write)?Deadline\(")),
        Piece("code.no_timeout", "composite_literal", "A client is made whose requests may wait without end", form(r"^http\.Client\{(?!.*\b(?:ResponseHeader)?Timeout\s*:(?!\s*0\s*[,}\n]))"), 0.65, _UNTIMED, without_near=_NO_LIMIT),
        Piece("code.no_timeout", "composite_literal", "A server waits for its clients without end", form(r"^http\.Server\{(?!.*\bRead(?:Header)?Timeout\s*:)"), 0.6, "something in front of it may set a limit", without_near=_UNSERVED),
        Call("code.subprocess_unchecked", (".Run", ".Start", ".Wait", ".Output", ".CombinedOutput"), "Nobody looks at how a child process ended", (Argument(RECEIVER, reads=form(r"^exec\x1f")),), 0.85, DROPPED_RESULT, dropped=True, without=_NO_COMMAND),
        Call("code.subprocess_unchecked", (".Run", ".Start", ".Wait", ".Output", ".CombinedOutput"), "Nobody looks at how a child process ended", (Argument(RECEIVER, typed=form(r"^\*?exec\.Cmd$")),), 0.8, DROPPED_RESULT, dropped=True),
        Call("code.subprocess_unchecked", (".Start",), "A child process is started and nobody waits for its end", (Argument(RECEIVER, reads=form(r"^exec\x1f"), typed=form(r"^\*?exec\.Cmd$")),), 0.55, "it may be waited for elsewhere", without_near=_WAITED),
        Piece("code.shell_execution", "composite_literal", "A command is handed to a shell", form(r"^exec\.Cmd\s?\{"), 0.9, "where the command comes from was not followed", reads=("Args", IN_A_SHELL)),
        Piece("code.shell_execution", "composite_literal", "A constant command is handed to a shell", form(r"^exec\.Cmd\s?\{"), 0.5, FIXED, reads=("Args", form(rf"{FIXED_IN_A_SHELL.pattern}[^{FILLED}]*$"))),
        Piece("code.weak_hash", "selector_expression", "A weak hash is used", form(r"^x509\.(?:SHA1With|MD5With|MD2With|ECDSAWithSHA1|DSAWithSHA1)\w*$"), 0.6, JUDGED, unless_before=_COMPARED, unless_behind=re.compile(rb"\s*(?:[=!]=|:(?!=))")),
        *temporary(("net.Listen", "net.ListenPacket", ".Listen"), Argument(0, form(r"^(?!\"unix)")), place=1),
        Call("code.insecure_temporary_file", ("net.ListenUnix", "net.ListenUnixgram"), FIXED_NAME, (Argument(1, form(r"\bName\s*:\s*[\"`]/(?:var/)?tmp/")),), 0.8, ONE_USER),
        *temporary(("github.com/gofrs/flock.New", "flock.New", "go.etcd.io/bbolt.Open", "bolt.Open", "bbolt.Open", "badger.DefaultOptions", "leveldb.OpenFile", "lockfile.New", "os.Truncate")),
        *temporary(("os.Rename",), place=1),
        Call("code.insecure_temporary_file", ("database/sql.Open", "sqlx.Open", "sqlx.Connect", "github.com/jmoiron/sqlx.Open", "github.com/jmoiron/sqlx.Connect"), FIXED_NAME, (Argument(0, form(r"^\"sqlite")), Argument(1, reads=form(r"^(?:file:)?/(?:var/)?tmp/[^\0]+$"))), 0.7, ONE_USER),
        *temporary(("io/ioutil.WriteFile", "os.WriteFile", "os.Create")),
        *temporary(("os.OpenFile",), Argument(1, form(r"\bO_EXCL\b|^os\.O_RDONLY$|^0$"))),
        handed(_COMMAND),
        handed(("os/exec.CommandContext",)),
        *folder(("os.MkdirAll",)),
        Call("code.swallowed_exception", _STANDARD, "An error is dropped", (), 0.6, "it may be known that it cannot fail", dropped=True),
        Call("code.swallowed_exception", (".Decode", ".Commit", ".Unmarshal", ".Scan", ".Exec", ".ExecContext", ".Ping", ".PingContext"), "An error is dropped", (Argument(RECEIVER, form(_FALLIBLE)),), 0.6, "it may be known that it cannot fail", dropped=True),
        Piece("code.swallowed_exception", "assignment_statement", "An error is dropped", _BLANKED, 0.5, "it may be known that it does not matter"),
        Call("code.swallowed_exception", ("recover",), "A panic is caught and dropped", (), 0.75, "where it comes from was not followed", dropped=True),
        Value("code.tls_verification_off", form(r"InsecureSkipVerify$"), form(r"^true\b|^!0"), "The other side's certificate is not checked", without=re.compile(rb"\bVerify(?:PeerCertificate|Connection)\s*[:=]\s*(?!nil\b|func\([^{}]{0,200}\{\s*return\s+nil\s*\})[\w(]")),
        Call("code.tls_verification_off", ("golang.org/x/crypto/ssh.InsecureIgnoreHostKey", "ssh.InsecureIgnoreHostKey"), "The other side's key is not checked", (), 0.95, "whether it is ever used was not followed"),
        Value("code.tls_verification_off", form(r"HostKeyCallback$"), form(r"^(?:ssh\.HostKeyCallback\()?func\([^)]*\)\s*(?:\(\w+ error\)|error)\s*\{\s*return nil\s*\}"), "The other side's key is not checked"),
        Handler("code.swallowed_exception", "A panic is caught and dropped", form(r"^if\s+(?:\w+\s*:=\s*recover\(\)\s*;\s*\w+\s*!=\s*nil|recover\(\)\s*!=\s*nil)\s*\{"), empty=True),
        Handler("code.swallowed_exception", "A panic is caught and dropped", form(r"^if\s+(?:\w+\s*:=\s*recover\(\)\s*;\s*\w+\s*!=\s*nil|recover\(\)\s*!=\s*nil)\s*\{\s*(?:return|[\w.]{1,40}\s*=\s*(?:nil|0|\"\"|false|true|-1))\s*;?\s*(?:return\s*)?\}$"), confidence=0.7),
        Handler("code.swallowed_exception", "An error is looked at and dropped", form(rf"{_FAILED}\s*\{{\s*\w*[eE]rr\s*=\s*nil\s*;?\s*\}}$"), confidence=0.65, because="it may be expected"),
        Handler("code.swallowed_exception", "An error is looked at, and a fixed value takes its place", form(rf"{_FAILED}\s*\{{\s*return\s+(?:nil|\"\"|0|-1|\[\]\w+\{{\}}|map\[\w+\]\w+\{{\}})\s*\}}$"), confidence=0.5, because="who gets the value may know what it stands for", header=_GIVES_ONE_VALUE, tried=_ASKED_ANOTHER),
        Handler("code.subprocess_unchecked", "The failure of a child process is looked at and dropped", form(r"^if\s+(?:[\w, ]{1,60}:?=\s*)?(?:exec\.Command(?:Context)?\([^{]{0,300}\)|\w*(?:cmd|Cmd|command))\.(?:Run|Wait|Start|Output|CombinedOutput)\(\)\s*;\s*\w*[eE]rr\s*!=\s*nil\s*\{"), empty=True),
        Handler("code.swallowed_exception", "An error is looked at and dropped", form(rf"^if\s+(?:[^{{]{{0,300}};\s*)?\w*[eE]rr\s*!=\s*nil\s*{SHRUGGED}"), confidence=0.7),
        Handler("code.swallowed_exception", "An error is looked at and dropped", form(r"^if\s+(?:[^{]{0,300};\s*)?\w*[eE]rr\s*!=\s*nil\s*\{"), empty=True),
        Handler("code.swallowed_exception", "An error is looked at and dropped", form(rf"{_FAILED}\s*\{{\s*return\s*\}}$"), confidence=0.5, because="it may be expected", header=_GIVES_NOTHING),
        Handler("code.swallowed_exception", "An error is looked at and dropped", form(r"^if\s+\w*[eE]rr\s*:?=\s*(?![^;{]{0,300}(?i:parse|unmarshal|decode|scan|valid|stat\b|close|remove|mkdir|lookup|\bget|read|check|match))[^;{]{1,300};\s*\w*[eE]rr\s*!=\s*nil\s*\{\s*(?:continue|break)\s*\}$"), confidence=0.5, because="it may be expected"),
        Handler("code.swallowed_exception", "An error is looked at, and none is given back", form(rf"{_FAILED}\s*\{{\s*return\s+(?:(?:nil|false|true|\"\"|\w+\{{\}}|-?\d+)\s*,\s*){{0,3}}nil\s*\}}$"), confidence=0.6, because="it may be expected", header=_GIVES_AN_ERROR),
        *marked(("fmt.Println", "fmt.Printf", "fmt.Print", "log.Println", "log.Printf", "log.Print", "println", "print")),
        Call("text.debug_leftovers", ("fmt.Println", "fmt.Print"), AS_IT_IS, (Argument(ALL, form=None, reads=form(r"^[^\x1f]*$")), Argument(0, form(r"^&?\w+(?:\.\w+)*$"))), 0.5, READ_BY_SOMEBODY, without=_TALKS, in_function=True),
        Call("text.debug_leftovers", ("fmt.Println",), AS_IT_IS, (Argument(0, form(r"^[\"`]\w[\w ]{0,20}\s*(?:[:=]|->)\s*[\"`]$")), Argument(1, form(r"^&?\w+(?:\.\w+)*$|^len\(\s*\w+(?:\.\w+)*\s*\)$"))), 0.5, READ_BY_SOMEBODY, without=_TALKS, in_function=True),
        Call("text.debug_leftovers", ("fmt.Println",), "Values are printed behind a word", (Argument(0, form(r"^[\"`](?!(?i:listen|start|run|serv|connect|version|ready|usage|fail|error|warn|saved|wrote|done|took|found|total|using|loaded))[a-z]\w{0,20}:?[\"`]$")), Argument(1, form(r"^&?\w+(?:\.\w+)*(?:\[\w+\])?$")), Argument(2, form(r"^&?\w+(?:\.\w+)*(?:\[[\w.]+\]|\([\w.]*\))?$"))), 0.5, READ_BY_SOMEBODY, without=_TALKS, in_function=True),
        Call("text.debug_leftovers", ("println", "print"), AS_IT_IS, (Argument(0, form(r"^&?\w+(?:\.\w+)*$|^[\"`]\w[\w ]{0,20}\s*[:=]?\s*[\"`]$")),), 0.5, READ_BY_SOMEBODY, (Argument(RECEIVER),), without=_PRINTS_OF_ITS_OWN, in_function=True),
        Call("text.debug_leftovers", ("fmt.Fprintf", "fmt.Fprintln", "fmt.Fprint"), "A line is printed that says of itself that it is for debugging", (Argument(0, form(r"^os\.Std(?:err|out)$")), Argument(1, MARKED)), 0.75, READ_BY_SOMEBODY),
        Call("text.debug_leftovers", ("fmt.Fprintf", "fmt.Fprintln", "fmt.Fprint"), "A line is printed that says of itself that it is for debugging", (Argument(0, form(r"^os\.Std(?:err|out)$")), Argument(1, SAYS_DEBUG)), 0.6, READ_BY_SOMEBODY, without=re.compile(rb"(?i)\bif\b[^\n]{0,60}(?:debug|verbose|trace)")),
        Call("text.debug_leftovers", ("fmt.Printf",), AS_IT_IS, (Argument(0, form(r"^[\"`](?:\w+\s*[:=]+\s*)?%[+#]?v(?:,?\s*%[+#]?v){0,4}\s*(?:\\n)?[\"`]$")),), 0.55, READ_BY_SOMEBODY, without=_TALKS, in_function=True),
        Call("text.debug_leftovers", ("fmt.Printf",), "A variable is printed by its name", (Argument(ITSELF, form(r"(?i)^fmt\.Printf\(\s*[\"`](\w+)\s*[:=]+\s*%[\w+#.]{1,4}\s*(?:\\n)?[\"`]\s*,\s*(?:\w+\.)*\1\s*\)$")),), 0.5, READ_BY_SOMEBODY, without=_TALKS, in_function=True),
        Piece("text.debug_leftovers", "call_expression", "A debugging aid was left behind", form(r"^(?:litter\.Dump|pp\.Println|repr\.Println|godump\.Dump|debug\.PrintStack|spew\.Dump|runtime\.Breakpoint)\(")),
    ),
)  # fmt: skip
