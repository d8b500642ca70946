"""Go."""

from __future__ import annotations

import re

from auditor.forensics.languages.built_query_patterns import BUILT_QUERY, BUILT_VALUE_QUERY
from auditor.forensics.languages.keyword_gated_patterns import compile_pattern
from auditor.forensics.languages.language_rule_types import (
    ALL_ARGUMENTS,
    RECEIVER,
    SOURCE_BEFORE,
    WHOLE_CALL,
    ArgumentCondition,
    CallRule,
    HandlerRule,
    NodeRule,
    ValueRule,
)
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.rules_shared_by_languages import (
    BARE_VALUE_STATEMENT,
    BUILT_CONDITION,
    BUILT_INTERPRETER_COMMAND,
    BUILT_QUERY_PART,
    BUILT_REMOTE_COMMAND,
    BUILT_REMOTE_STATEMENT,
    BUILT_SHELL_COMMAND,
    CONSTANT_COMMAND_REASON,
    CONSTANT_REMOTE_COMMAND,
    CONSTANT_REMOTE_STATEMENT,
    CONSTANT_SHELL_COMMAND,
    DEBUG_LABEL_TEXT,
    DEBUG_MARKER_TEXT,
    DECODED_SHELL_COMMAND,
    FIXED_FILE_STATEMENT,
    IDENTIFIER_REASON,
    INTENDED_OUTPUT_REASON,
    KEYED_HASH_REASON,
    ORIGIN_NOT_TRACED_REASON,
    PRIVATE_FOLDER_REASON,
    REPORTED_ELSEWHERE_REASON,
    UNINFORMATIVE_COMMENT_BODY,
    UNVERIFIED_TLS_COMMAND,
    UNVERIFIED_TLS_KEYWORDS,
    UNVERIFIED_TLS_URL,
    USE_NOT_TRACED_REASON,
    debug_print_rules,
    graph_query_rule,
    temporary_argument_rule,
    temporary_file_rules,
    temporary_folder_rules,
)
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, ITEM_SEPARATOR, StringSyntax
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.source_text.decode_and_run_commands import DECODE_AND_RUN_STATEMENT, NOT_DECODED_REASON
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_IMPORT = re.compile(r"\s*(?:import\s+)?(\w+|\.)?\s*\"([\w./-]{1,200})\"\s*(?://.*)?$")


def read_imports(text: str) -> dict[str, str]:
    """Local names -> import paths, for the packages that rules name."""
    names: dict[str, str] = {}
    for line in text[:20_000].split("\n"):
        found = _IMPORT.match(line) if '"' in line else None
        if found is not None:
            names[found[1] or found[2].rpartition("/")[2]] = found[2]
    return names


_COMMAND_CALLS = ("os/exec.Command",)
_COMMAND_CONTEXT_CALLS = ("os/exec.CommandContext",)
_EXEC_CALLS = ("syscall.Exec", "os.StartProcess", "syscall.ForkExec", "golang.org/x/sys/unix.Exec")
_NO_COMMAND = re.compile(rb"\A(?!.*\bexec\.Command)", re.DOTALL)
"""Where no command is made, what is run is something else, and need not be followed."""
_WITH_CONTEXT = compile_pattern(
    rf"^[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}(?:{BUILT_SHELL_COMMAND.pattern.replace('^', '', 1)})"
)
_FIXED_WITH_CONTEXT = compile_pattern(
    rf"^[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}(?:{CONSTANT_SHELL_COMMAND.pattern.replace('^', '', 1)})"
)
_DECODED_WITH_CONTEXT = compile_pattern(
    rf"^[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}(?:{DECODED_SHELL_COMMAND.pattern.replace('^', '', 1)})"
)
_INTERPRETED_WITH_CONTEXT = compile_pattern(
    rf"^[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}(?:{BUILT_INTERPRETER_COMMAND.pattern.replace('^', '', 1)})"
)
_REMOTE_WITH_CONTEXT = compile_pattern(
    rf"^[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}(?:{BUILT_REMOTE_COMMAND.pattern.replace('^', '', 1)})"
)
_FIXED_REMOTE_WITH_CONTEXT = compile_pattern(
    rf"^[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}(?:{CONSTANT_REMOTE_COMMAND.pattern.replace('^', '', 1)})"
)
_LISTED = compile_pattern(
    rf"^[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}(?:{BUILT_SHELL_COMMAND.pattern.replace('^', '', 1)})"
)
_QUERY_CALLS = (
    ".Query", ".QueryRow", ".Exec", ".Raw", ".Get", ".Select", ".Queryx", ".QueryRowx", ".MustExec", ".NamedExec", ".NamedQuery", ".Prepare", ".Preparex", ".PrepareNamed", ".Queryf",
    ".QueryString", ".ExecSQL", ".QueryOne", ".QueryEx", ".ExecEx", ".QueryRowEx", ".ExecOne", ".ColumnExpr", ".TableExpr", ".SQL", ".NewRaw", ".NewQuery", ".Queue", "Query", "Exec", "query", "exec",
)  # fmt: skip
_QUERY_CONTEXT_CALLS = (
    ".QueryContext", ".QueryRowContext", ".ExecContext", ".PrepareContext", ".GetContext", ".SelectContext", ".QueryxContext", ".QueryRowxContext", ".MustExecContext", ".NamedExecContext",
    ".Query", ".QueryRow", ".Exec", ".Get", ".Select", ".Prepare", ".NewRaw", ".QueryOne", ".QueryOneContext", ".ExecOne", ".ExecOneContext",
)  # fmt: skip
_CLAUSE_CALLS = (
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
_FALLIBLE_STANDARD_CALLS = (
    *(f"os.{name}" for name in ("ReadFile", "Open", "Create", "OpenFile", "ReadDir", "Stat", "Getwd", "Mkdir", "MkdirAll", "WriteFile", "Rename", "CreateTemp", "MkdirTemp")),
    *(f"io.{name}" for name in ("ReadAll", "Copy")), *(f"io/ioutil.{name}" for name in ("ReadFile", "ReadAll", "WriteFile", "ReadDir")),
    *(f"encoding/json.{name}" for name in ("Marshal", "MarshalIndent", "Unmarshal")),
    *(f"strconv.{name}" for name in ("Atoi", "ParseInt", "ParseBool", "ParseFloat", "ParseUint")),
    *(f"net/http.{name}" for name in ("Get", "Post", "Head", "NewRequest", "NewRequestWithContext")),
    "database/sql.Open", "net.Dial", "net.Listen", "net/url.Parse", "time.Parse", "time.ParseDuration", "crypto/rand.Read", "encoding/base64.StdEncoding.DecodeString",
)  # fmt: skip
_FALLIBLE_RECEIVER = r"(?i)^(?:\w+\.)*(?:\w*db|\w*tx|\w*conn|\w*pool|\w*stmt|\w*rows?|dec(?:oder)?)$|(?:json|gob|xml|yaml)\.NewDecoder\(|\.QueryRow(?:Context)?\("
_BLANK_ASSIGNMENT = compile_pattern(
    r"^_(?:\s*,\s*_)?\s*=\s*(?:(?!hash|buf|b\.|sb\.|h\.|fmt\.|flag|(?:sh|sha\d*|md5\w*|mac|hmac|digest|crc\w*)\.)[\w.\[\]]{1,80}\.)?(?i:save|store|flush|commit|send|publish|delete|remove|update|insert|create|exec|encode|decode|unmarshal|marshal|parse|load|read(?!er)|open|connect|ping|notify|process|upload|download|apply|migrate|enqueue|dispatch|emit|persist|refresh|rename|move|mkdir|chmod|submit|import|export|charge|reserve|deliver|append|write(?!string|byte|rune|r?\(w\b))\w*\("
)
"""What is called for its effect, and its error is given to nobody."""
_ERROR_BRANCH = r"^if\s+(?:[^{]{0,300};\s*)?\w*[eE]rr\s*!=\s*nil"
_RETURNS_NOTHING = re.compile(
    rb"\Afunc\s*(?:(?:\([^()]*\)\s*)?\w+\s*(?:\[[^\]]*\]\s*)?)?\((?:[^()]|\([^()]*\))*\)\s*\Z"
)
_RETURNS_ERROR = re.compile(rb"\berror\)?\s*\Z")
_RETURNS_ONE_VALUE = re.compile(rb"\)\s*(?!error\b)[\w.*\[\]]{1,80}\s*\Z")
_REMOTE_CALL = compile_pattern(
    r"\b\w*[eE]rr\s*:?=\s*(?:\w+\.){0,3}(?:db|tx|conn|pool|store|repo|repository|client|api|svc|service|http|cache|redis|rdb|queue|bucket|s3)\w*\.(?i:(?!parse|decode|valid)\w{1,60})\([^\n]{0,300}\n\s*\Z|\b\w*[eE]rr\s*:?=\s*(?:os\.ReadFile|ioutil\.ReadAll|io\.ReadAll|json\.Marshal)\([^\n]{0,300}\n\s*\Z"
)
"""What failed asked another machine, or read all of something."""
_COMMAND_LINE_PROGRAM = re.compile(
    rb"(?m:^package\s+(?:main|cmd|cli|commands?|printers?|print|output|ui|term\w*|render\w*|report\w*|display)\b)|\"(?:flag|github\.com/(?:spf13/cobra|urfave/cli|alecthomas/kong|fatih/color)[^\"]*)\"|\bos\.(?:Args|Stdout|Stdin)\b|(?s:\bfmt\.Print.*\bfmt\.Print.*\bfmt\.Print)"
)
"""What a program holds that speaks to whoever runs it."""
_OWN_PRINT_FUNCTION = re.compile(rb"func print(?:ln)?\(|\bprint(?:ln)?\s*:?=|(?m:^package\s+main\b)")
_DEADLINE_ELSEWHERE_REASON = "a deadline may be set elsewhere in the program"
_TIMEOUT_SETTING = rb"\.Timeout\s*=[^=]|context\.With(?:Timeout|Deadline)\(|NewRequestWithContext\((?!\s*context\.(?:Background|TODO)\(\))"
"""What a file holds that sets an end to some request."""
_TIMEOUT_SETTING_PATTERN = re.compile(_TIMEOUT_SETTING)
_DEFAULT_CLIENT_TIMEOUT = re.compile(rb"DefaultClient(?:\.Timeout)?\s*=[^=]")
_COMPARISON_BEFORE = re.compile(rb"(?:[=!]=|\bcase)\s*\Z")
_CLIENT_FIELD_ACCESS = re.compile(rb"\.(?!Do|Get|Post|Head)|\s*[=!]=|\s*=[^=]")
_HMAC_ARGUMENT_BEFORE = re.compile(rb"\bhmac\.New\(\s{0,40}\Z")
"""What makes something of a digest and a key stands right before it."""
_DIGEST = re.compile(rb"\s*(?:\(|[=!]=)")
_SERVER_TIMEOUT = re.compile(rb"\.(?:ReadTimeout|ReadHeaderTimeout)\s*=[^=]|http\.TimeoutHandler\(")
_PROCESS_WAIT = re.compile(
    rb"\w*(?:[cC](?:md|ommand|hild)|[pP]roc(?:ess)?)\w*\.(?:Wait|Release|Signal|Kill)\(|\.ProcessState\b|\bcmd\w*\.Process\b"
)
_NO_INTERPRETER_LIBRARY = re.compile(
    rb"\A(?!.*(?:goja|otto|yaegi|gopher-lua|golua|starlark|v8go|tengo|anko|gval|expr-lang|quickjs|duktape|govaluate))",
    re.DOTALL,
)
_SHELL_NAME = compile_pattern(
    r"(?i)^(?:[\w.]*[._])?(?:(?:user|login|default|system)?_?shell(?:path|bin|cmd|name)?|(?:ba|z|da|k)?sh(?:_?(?:path|bin|cmd|name))?)$|^os\.Getenv\(\"SHELL\"\)$"
)
_TEMPLATE = ArgumentCondition(
    RECEIVER,
    compile_pattern(r"(?i)^(?:\w+\.)*(?:\w*template\.(?:New|Must)\(|\w*te?mpl\w*$|\w*tpl\w*$|t(?:ext|html)?t?$)"),
)
_TEMPLATE_KEYWORDS = (b"text/template", b"html/template")
_REQUEST_INPUT = compile_pattern(
    r"(?i)\bFormValue\(|PostForm|\bURL\.Query\(|\.(?:Query|Param|QueryParam|DefaultQuery|BodyParser|Body|Bind|ShouldBind\w*)\(|\b(?:r|req|request)\.Body\b|\b(?:req|request|input|payload|body|msg|message|event|row|record|tenant|customer|user|account|campaign|merchant|org|organi[sz]ation|workspace|webhook|subscriber)\.\w|\.(?:FindOne|QueryRow\w*|GetTemplate)\("
)
"""What is asked for, or kept for a customer."""
_TEST_SYNTAX = TestSyntax(
    words=(b"func Test", b") Test"),
    functions=compile_pattern(r"^func (?:\(\s*\w*\s*\*?\w+\s*\) )?Test(?![a-z])\w*\((?:\s*\w+ \*testing\.T\s*)?\)"),
    function_kinds=frozenset({"function_declaration", "method_declaration"}),
    checks=compile_pattern(
        r"(?<=\w)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|Run(?!\([^{}]{1,300}?,\s*func\s*\()|Skip\w*)\(|\b(?i:assert|require|must|expect|check|verify|compare|want|test(?!ing\.)|ensure)\w*[.(]|(?<!\.)\b(?i:run)\w*[.(]|\.(?:Run|run)\w+\(|\bpanic\(|(?<=\w)\.(?:Equal|NotEqual|True|False|Nil|NotNil|NoError|Len|Contains|Empty|NotEmpty|Panics|Greater|Less|Zero|ElementsMatch|Regexp|That)\w*\("
    ),
    counted=compile_pattern(
        r"(?<=\w)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?i:assert|require|must|expect|check|verify|is|qt)\w*\.\w+\(|\b(?i:assert|require|expect|check|verify)\w*\(|(?<=\w)\.(?:Equal|NotEqual|True|False|Nil|NotNil|NoError|Len|Contains|Empty|NotEmpty|Panics)\w*\("
    ),
    trivial=compile_pattern(
        r"\b(?:assert|require)\.(?:True\(\s*\w+\s*,\s*true\s*\)|False\(\s*\w+\s*,\s*false\s*\)|Nil\(\s*\w+\s*,\s*nil\s*\)|Equal\(\s*\w+\s*,\s*(\w+)\s*,\s*\1\s*\))"
    ),
    stops=compile_pattern(r"\w+\.(?:Skip|Skipf|SkipNow)\("),
    constraint=compile_pattern(
        r"^(?:\s*(?://(?!go:build)[^\n]*)?\n)*//go:build\s+(?P<never>(?:ignore|ignored|never|none|disabled|skip|exclude)\s*\n)?"
    ),
)
_STRING_SYNTAX = StringSyntax(
    literals=frozenset({"interpreted_string_literal", "raw_string_literal"}),
    gives={"short_var_declaration": ("left", "right"), "var_spec": ("name", "value"), "const_spec": ("name", "value"), "assignment_statement": ("left", "right")},
    declares=frozenset({"short_var_declaration", "var_spec", "const_spec"}),
    around={"parenthesized_expression": "", "expression_list": "", "literal_element": "", "variadic_argument": "", "unary_expression": "operand", "type_conversion_expression": "operand"},
    package_level_name=re.compile(r"(?:[a-z]\w*\.)?[A-Z]\w*\Z"),
    lists=frozenset({"composite_literal", "literal_value"}),
    members=frozenset({"selector_expression"}),
    calls=frozenset({"call_expression"}),
    format_calls=re.compile(r"^(?:fmt\.)?Sprintf$"),
    same=re.compile(r"(?:^|\.)(?:String)$|^(?:\w+)\.String$"),
    identity_calls=re.compile(r"^(?:strings\.(?:TrimSpace|ToLower|ToUpper|Trim|ReplaceAll|Replace|TrimSuffix|TrimPrefix)|string|fmt\.Sprint|squirrel\.Expr|gorm\.Expr)$"),
    adds=re.compile(r"(?:^|\.)(?:WriteString|WriteRune)$"),
    append_methods=re.compile(r"^append$"),
    growing=re.compile(rb"[\w.]{1,80}\.(?:WriteString|WriteRune)\(|fmt\.Fprintf\("),
    list_calls=re.compile(r"(?!)"),
    commands=re.compile(r"^exec\.Command(?:Context)?$"),
    join_calls=re.compile(r"^strings\.Join$"),
    paths=re.compile(r"^(?:file)?path\.Join$"),
    temporary_folder=re.compile(rb"os\.TempDir\(\)"),
    writes=re.compile(r"^fmt\.Fprintf$"),
    returns=frozenset({"return_statement"}),
)  # fmt: skip
GO = Language(
    name="go",
    grammar=lambda _content: grammar("tree_sitter_go"),
    calls={"call_expression": "function"},
    functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    branches=frozenset({"if_statement", "for_statement", "expression_case", "type_case", "communication_case"}),
    writing=_STRING_SYNTAX,
    statements=frozenset({"expression_statement", "defer_statement", "go_statement"}),
    discarded_result_prefix=re.compile(rb"(?:\A|[\n;{])\s*(?:_\s*=|(?:\w+\s*,\s*)?_\s*:?=)\s*$"),
    values=frozenset({"keyed_element", "assignment_statement", "short_var_declaration", "var_spec"}),
    handlers=frozenset({"if_statement"}),
    handler_body="consequence",
    types=(rb"(?<![\w.])@(?:\s*,\s*\w+){0,5}\s+(\*?[A-Za-z_][\w.]*)", rb"(?<![\w.])@\s*(?:,\s*\w+\s*)?:?=\s*&?([A-Za-z_][\w.]*)\{"),
    failing=re.compile(rb"(?m)func(?<=^func)\s+(?:\(\s{0,20}\w{0,80}\s{0,20}\*?(?P<of>\w{1,80})(?:\[[^\]]{0,40}\])?\s{0,20}\)\s{0,20})?(?!Close\b|Write\b|WriteString\b|Fprint)(?P<name>\w+)\((?>[^()\n]{0,300}\)|(?:[^()\n]|\([^()\n]*\)){0,300}\))\s*(?:error|\((?:[^()\n]{0,150}[\s,(])?error\))\s*\{"),
    fallible_call_rules=(CallRule("code.swallowed_exception", (), "Error is silently dropped at {call}", (), 0.6, "the call may never fail in practice", dropped=True),),
    imports=read_imports,
    test_syntax=_TEST_SYNTAX,
    rules=(
        CallRule("code.shell_execution", _COMMAND_CALLS, DECODE_AND_RUN_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=DECODED_SHELL_COMMAND),), 0.95, NOT_DECODED_REASON),
        CallRule("code.shell_execution", _COMMAND_CONTEXT_CALLS, DECODE_AND_RUN_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=_DECODED_WITH_CONTEXT),), 0.95, NOT_DECODED_REASON),
        CallRule("code.shell_execution", _COMMAND_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_SHELL_COMMAND),), 0.95, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", _COMMAND_CONTEXT_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=_WITH_CONTEXT),), 0.95, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", _COMMAND_CALLS, "{call} runs a constant command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=CONSTANT_SHELL_COMMAND),), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", _COMMAND_CONTEXT_CALLS, "{call} runs a constant command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=_FIXED_WITH_CONTEXT),), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", _COMMAND_CALLS, BUILT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_REMOTE_COMMAND),), 0.8, ORIGIN_NOT_TRACED_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.shell_execution", _COMMAND_CONTEXT_CALLS, BUILT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=_REMOTE_WITH_CONTEXT),), 0.8, ORIGIN_NOT_TRACED_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.shell_execution", _COMMAND_CALLS, CONSTANT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=CONSTANT_REMOTE_COMMAND),), 0.5, CONSTANT_COMMAND_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.shell_execution", _COMMAND_CONTEXT_CALLS, CONSTANT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=_FIXED_REMOTE_WITH_CONTEXT),), 0.5, CONSTANT_COMMAND_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.dynamic_code", _COMMAND_CALLS, "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_INTERPRETER_COMMAND),), 0.8, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.dynamic_code", _COMMAND_CONTEXT_CALLS, "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(ALL_ARGUMENTS, reads=_INTERPRETED_WITH_CONTEXT),), 0.8, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.tls_verification_off", (*_COMMAND_CALLS, *_COMMAND_CONTEXT_CALLS), "Program is run with TLS or SSH host key checks turned off", (ArgumentCondition(ALL_ARGUMENTS, reads=UNVERIFIED_TLS_COMMAND),), 0.9, "whether it is used was not analysed", beside=UNVERIFIED_TLS_KEYWORDS),
        NodeRule("code.tls_verification_off", "interpreted_string_literal", "TLS certificate is not verified", UNVERIFIED_TLS_URL, 0.9, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "raw_string_literal", "TLS certificate is not verified", UNVERIFIED_TLS_URL, 0.9, "whether it is used was not analysed"),
        CallRule("code.shell_execution", _EXEC_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=_LISTED),), 0.9, "the origin of the command was not analysed"),
        CallRule("code.dynamic_code", (".Parse",), "Template injection risk: untrusted input is run as a template", (_TEMPLATE, ArgumentCondition(0, sources_pattern=_REQUEST_INPUT)), 0.75, "whether the author of the template is trusted was not analysed", beside=_TEMPLATE_KEYWORDS),
        CallRule("code.dynamic_code", (".Parse",), "Template injection risk: untrusted input is run as a template", (_TEMPLATE, ArgumentCondition(0, compile_pattern(r"^\w+$"), reads=compile_pattern(r"^\0?$")), ArgumentCondition(SOURCE_BEFORE, compile_pattern(r"\.Scan\([^()]{0,200}&"))), 0.65, "whether the author of the template is trusted was not analysed", beside=_TEMPLATE_KEYWORDS),
        CallRule("code.dynamic_code", (".Parse",), "Template injection risk: untrusted input is run as a template", (_TEMPLATE, ArgumentCondition(0, compile_pattern(r"^(?!(?i:\w*(?:config|cfg|opts?|options|settings?|flags?))\.)\w+\.(?:Template|Body|Text|Markup|Content|Message)$"))), 0.6, "whether the author of the template is trusted was not analysed", beside=(b"ampaign", b"ustomer", b"enant", b"erchant", b"ubscriber")),
        CallRule("code.dynamic_code", (".Parse",), "Template injection risk: a template built at run time is run", (_TEMPLATE, ArgumentCondition(0, kinds=frozenset({"binary_expression", "call_expression", "identifier"}), reads=compile_pattern(r"[^\0]\0|\0[^\0]"))), 0.55, "the origin of its parts was not analysed", (ArgumentCondition(0, sources_pattern=compile_pattern(r"(?i)\bReadFile\(|embed|\bReadAll\(|te?mpl|layout")),), beside=_TEMPLATE_KEYWORDS),
        CallRule("code.dynamic_code", ("plugin.Open",), "`plugin.Open` loads code at run time", (), 0.8, "the origin of the file was not analysed"),
        CallRule("code.dynamic_code", (".Eval", ".RunString", ".DoString", ".RunScript", ".EvalString", ".PCall", ".RunProgram"), "Code injection risk: {call} runs text in an embedded interpreter", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.65, "the type of the receiver is not known", unless_in_file=_NO_INTERPRETER_LIBRARY),
        CallRule("code.shell_execution", (".Run", ".Start", ".Output", ".CombinedOutput"), "Shell injection risk: {call} runs a command in a shell on another machine", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)^(?:\w+\.)*\w*sess(?:ion)?$")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.8, "the origin of the command was not analysed", beside=(b"x/crypto/ssh",)),
        CallRule("code.shell_execution", (".Run", ".Start", ".Output", ".CombinedOutput"), "Constant command is run in a shell on another machine", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)^(?:\w+\.)*\w*sess(?:ion)?$")), ArgumentCondition(0)), 0.5, CONSTANT_COMMAND_REASON, beside=(b"x/crypto/ssh",)),
        CallRule("code.dynamic_code", ("go.starlark.net/starlark.ExecFile", "go.starlark.net/starlark.ExecFileOptions", "go.starlark.net/starlark.Eval", "github.com/expr-lang/expr.Eval", "github.com/antonmedv/expr.Eval", "github.com/PaesslerAG/gval.Evaluate", "github.com/expr-lang/expr.Compile", "github.com/antonmedv/expr.Compile", "github.com/Knetic/govaluate.NewEvaluableExpression", "github.com/Knetic/govaluate.NewEvaluableExpressionWithFunctions", "github.com/casbin/govaluate.NewEvaluableExpression", "github.com/d5/tengo/v2.NewScript", "github.com/d5/tengo/v2.Eval", "github.com/apaxa-go/eval.ParseString"), "Code injection risk: {call} runs text in an embedded interpreter", (ArgumentCondition(None, reads=compile_pattern(r"^\0$"), form=compile_pattern(r"^[\w.]+$")),), 0.65, "the origin of the text was not analysed"),
        CallRule("code.dynamic_code", (".Run", ".Do"), "Code injection risk: {call} runs text in an embedded interpreter", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)^(?:\w*vm|\w*otto|\w*js|\w*runtime|\w*interp\w*)$")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.65, "the type of the receiver is not known", unless_in_file=_NO_INTERPRETER_LIBRARY),
        CallRule("code.shell_execution", _COMMAND_CALLS, "Shell injection risk: {call} runs a command in a shell chosen at run time", (ArgumentCondition(0, _SHELL_NAME), ArgumentCondition(1, compile_pattern(r"^[\"`]-\w*c[\"`]$"))), 0.8, "the shell was recognised by name only"),
        CallRule("code.shell_execution", _COMMAND_CONTEXT_CALLS, "Shell injection risk: {call} runs a command in a shell chosen at run time", (ArgumentCondition(1, _SHELL_NAME), ArgumentCondition(2, compile_pattern(r"^[\"`]-\w*c[\"`]$"))), 0.8, "the shell was recognised by name only"),
        CallRule("code.shell_execution", _COMMAND_CALLS, "Shell injection risk: {call} runs a command in a shell chosen at run time", (ArgumentCondition(0, _SHELL_NAME), ArgumentCondition(1, compile_pattern(r"^append\([\w.]{1,60},\s*(?:\w+\.){0,3}(?i:\w*(?:command|cmd|script)\w*)\)\.\.\.$"))), 0.7, "the shell was recognised by name only"),
        graph_query_rule((".Run", "neo4j.ExecuteQuery", ".ExecuteQuery")),
        CallRule("code.sql_from_strings", _QUERY_CALLS, "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.85, ORIGIN_NOT_TRACED_REASON, applies_to_callers=True),
        CallRule("code.sql_from_strings", _QUERY_CALLS, "Table or column name is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON),
        CallRule("code.sql_from_strings", _QUERY_CONTEXT_CALLS, "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(1, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.85, ORIGIN_NOT_TRACED_REASON, applies_to_callers=True),
        CallRule("code.sql_from_strings", _QUERY_CONTEXT_CALLS, "Table or column name is interpolated into the query of {call}", (ArgumentCondition(1, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON),
        CallRule("code.sql_from_strings", (".Get", ".Select", ".GetContext", ".SelectContext"), "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(2, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.85, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", (".Get", ".Select", ".GetContext", ".SelectContext"), "Table or column name is interpolated into the query of {call}", (ArgumentCondition(2, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON),
        CallRule("code.sql_from_strings", _CLAUSE_CALLS, "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(None, reads=BUILT_CONDITION),), 0.75, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", (".Order", ".Where", ".Having", ".Group", ".Raw", ".Joins", ".Select"), "SQL injection risk: request input becomes a part of the query in {call}", (ArgumentCondition(0, compile_pattern(r"^(?:c|ctx|r|req|request|context)\.(?:Query|DefaultQuery|Param|QueryParam|FormValue|PostForm|PostFormValue)\(|^r\.URL\.Query\(\)\.Get\(")),), 0.7, ORIGIN_NOT_TRACED_REASON, beside=(b"gorm", b"sqlx", b"bun", b"squirrel", b"database/sql", b"xorm")),
        CallRule("code.sql_from_strings", (".Order", ".Joins", ".OrderExpr", ".WhereRaw", ".GroupRaw"), "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, reads=BUILT_QUERY_PART),), 0.7, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("crypto/md5.New", "crypto/md5.Sum", "crypto/sha1.New", "crypto/sha1.Sum", "golang.org/x/crypto/md4.New", "golang.org/x/crypto/ripemd160.New", "crypto/sha1.NewCSHA"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
        NodeRule("code.weak_hash", "selector_expression", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(r"^(?:md5|sha1|md4|ripemd160)\.New$"), 0.7, USE_NOT_TRACED_REASON, unless_before=_HMAC_ARGUMENT_BEFORE, unless_after=_DIGEST),
        CallRule("code.weak_hash", ("crypto/hmac.New",), "Weak hash is used with a key (MD5)", (ArgumentCondition(0, compile_pattern(r"^md[45]\.New$")),), 0.5, KEYED_HASH_REASON),
        NodeRule("code.weak_hash", "selector_expression", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(r"^crypto\.(?:SHA1|MD5|MD4)$"), 0.65, USE_NOT_TRACED_REASON, unless_before=_COMPARISON_BEFORE, unless_after=re.compile(rb"\s*(?:[=!]=|:[^=])|\.(?!New\()")),
        CallRule("code.no_timeout", ("net/http.Get", "net/http.Post", "net/http.Head", "net/http.PostForm"), "No timeout on {call}: the request can hang forever", (), 0.8, _DEADLINE_ELSEWHERE_REASON, unless_in_file=_DEFAULT_CLIENT_TIMEOUT),
        NodeRule("code.no_timeout", "selector_expression", "`http.DefaultClient` has no timeout: its requests can hang forever", compile_pattern(r"^http\.DefaultClient$"), 0.7, _DEADLINE_ELSEWHERE_REASON, unless_in_file=_DEFAULT_CLIENT_TIMEOUT, unless_nearby=_TIMEOUT_SETTING_PATTERN, unless_before=_COMPARISON_BEFORE, unless_after=_CLIENT_FIELD_ACCESS),
        CallRule("code.no_timeout", ("resty.New", "retryablehttp.NewClient", "github.com/hashicorp/go-retryablehttp.NewClient", "cleanhttp.DefaultClient", "cleanhttp.DefaultPooledClient", "github.com/hashicorp/go-cleanhttp.DefaultClient", "github.com/hashicorp/go-cleanhttp.DefaultPooledClient", "gorequest.New", "github.com/parnurzeal/gorequest.New", "sling.New", "github.com/dghubble/sling.New"), "HTTP client has no timeout: its requests can hang forever", (), 0.6, _DEADLINE_ELSEWHERE_REASON, unless_nearby=re.compile(rb"\.(?:SetTimeout|Timeout|SetContext|NewRequestWithContext)\(|\.Timeout\s*=[^=]|\.HTTPClient\s*=[^=]")),
        CallRule("code.no_timeout", ("new",), "HTTP client has no timeout: its requests can hang forever", (ArgumentCondition(0, compile_pattern(r"^http\.Client$")),), 0.65, _DEADLINE_ELSEWHERE_REASON, unless_nearby=_TIMEOUT_SETTING_PATTERN),
        CallRule("code.no_timeout", ("net.Dial", "crypto/tls.Dial", "net/smtp.Dial", "net/smtp.SendMail", "net/rpc.Dial", "net/textproto.Dial"), "Connection has no timeout and can hang forever", (), 0.6, "the operating system's timeout may be short enough", (ArgumentCondition(0, compile_pattern(r"^\"(?:unix|udp)")),), unless_nearby=re.compile(rb"\.Set(?:Read|Write)?Deadline\(")),
        CallRule("code.no_timeout", ("golang.org/x/crypto/ssh.Dial", "ssh.Dial"), "Connection has no timeout and can hang forever", (ArgumentCondition(2),), 0.55, "the operating system's timeout may be short enough", (ArgumentCondition(2, compile_pattern(r"\bTimeout\s*:")),), unless_in_file=re.compile(rb"\bTimeout\s*[:=]|\.Timeout\b|WithTimeout\(")),
        CallRule("code.no_timeout", ("github.com/jlaffaye/ftp.Dial", "github.com/jlaffaye/ftp.Connect", "ftp.Dial"), "Connection has no timeout and can hang forever", (), 0.55, "the operating system's timeout may be short enough", unless_nearby=re.compile(rb"Timeout")),
        CallRule("code.no_timeout", ("net/http.ListenAndServe", "net/http.ListenAndServeTLS", "net/http.Serve"), "Server has no read timeout: slow clients can hold connections forever", (), 0.6, "a proxy in front of it may set a timeout", unless_in_file=re.compile(rb"http\.TimeoutHandler\(")),
        NodeRule("code.no_timeout", "var_spec", "HTTP client has no timeout: its requests can hang forever", compile_pattern(r"^\w+\s+http\.Client$"), 0.65, _DEADLINE_ELSEWHERE_REASON, unless_nearby=_TIMEOUT_SETTING_PATTERN),
        NodeRule("code.no_timeout", "var_spec", "Connection has no timeout and can hang forever", compile_pattern(r"^\w+\s+net\.Dialer$"), 0.55, "the operating system's timeout may be short enough", unless_in_file=re.compile(rb"\.Timeout\s*=[^=]|\.DialContext\(|\.Set(?:Read|Write)?Deadline\(")),
        NodeRule("code.no_timeout", "composite_literal", "HTTP client has no timeout: its requests can hang forever", compile_pattern(r"^http\.Client\{(?!.*\b(?:ResponseHeader)?Timeout\s*:(?!\s*0\s*[,}\n]))"), 0.65, _DEADLINE_ELSEWHERE_REASON, unless_nearby=_TIMEOUT_SETTING_PATTERN),
        NodeRule("code.no_timeout", "composite_literal", "Server has no read timeout: slow clients can hold connections forever", compile_pattern(r"^http\.Server\{(?!.*\bRead(?:Header)?Timeout\s*:)"), 0.6, "a proxy in front of it may set a timeout", unless_nearby=_SERVER_TIMEOUT),
        CallRule("code.subprocess_unchecked", (".Run", ".Start", ".Wait", ".Output", ".CombinedOutput"), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^exec\x1f")),), 0.85, REPORTED_ELSEWHERE_REASON, dropped=True, unless_in_file=_NO_COMMAND),
        CallRule("code.subprocess_unchecked", (".Run", ".Start", ".Wait", ".Output", ".CombinedOutput"), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, typed=compile_pattern(r"^\*?exec\.Cmd$")),), 0.8, REPORTED_ELSEWHERE_REASON, dropped=True),
        CallRule("code.subprocess_unchecked", (".Start",), "Child process is started but never waited for", (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^exec\x1f"), typed=compile_pattern(r"^\*?exec\.Cmd$")),), 0.55, "it may be waited for elsewhere", unless_nearby=_PROCESS_WAIT),
        NodeRule("code.shell_execution", "composite_literal", "Shell injection risk: a command is run in a shell", compile_pattern(r"^exec\.Cmd\s?\{"), 0.9, "the origin of the command was not analysed", reads=("Args", BUILT_SHELL_COMMAND)),
        NodeRule("code.shell_execution", "composite_literal", "Constant command is run in a shell", compile_pattern(r"^exec\.Cmd\s?\{"), 0.5, CONSTANT_COMMAND_REASON, reads=("Args", compile_pattern(rf"{CONSTANT_SHELL_COMMAND.pattern}[^{DYNAMIC_MARK}]*$"))),
        NodeRule("code.weak_hash", "selector_expression", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(r"^x509\.(?:SHA1With|MD5With|MD2With|ECDSAWithSHA1|DSAWithSHA1)\w*$"), 0.6, USE_NOT_TRACED_REASON, unless_before=_COMPARISON_BEFORE, unless_after=re.compile(rb"\s*(?:[=!]=|:(?!=))")),
        *temporary_file_rules(("net.Listen", "net.ListenPacket", ".Listen"), ArgumentCondition(0, compile_pattern(r"^(?!\"unix)")), place=1),
        CallRule("code.insecure_temporary_file", ("net.ListenUnix", "net.ListenUnixgram"), FIXED_FILE_STATEMENT, (ArgumentCondition(1, compile_pattern(r"\bName\s*:\s*[\"`]/(?:var/)?tmp/")),), 0.8, PRIVATE_FOLDER_REASON),
        *temporary_file_rules(("github.com/gofrs/flock.New", "flock.New", "go.etcd.io/bbolt.Open", "bolt.Open", "bbolt.Open", "badger.DefaultOptions", "leveldb.OpenFile", "lockfile.New", "os.Truncate")),
        *temporary_file_rules(("os.Rename",), place=1),
        CallRule("code.insecure_temporary_file", ("database/sql.Open", "sqlx.Open", "sqlx.Connect", "github.com/jmoiron/sqlx.Open", "github.com/jmoiron/sqlx.Connect"), FIXED_FILE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^\"sqlite")), ArgumentCondition(1, reads=compile_pattern(r"^(?:file:)?/(?:var/)?tmp/[^\0]+$"))), 0.7, PRIVATE_FOLDER_REASON),
        *temporary_file_rules(("io/ioutil.WriteFile", "os.WriteFile", "os.Create")),
        *temporary_file_rules(("os.OpenFile",), ArgumentCondition(1, compile_pattern(r"\bO_EXCL\b|^os\.O_RDONLY$|^0$"))),
        temporary_argument_rule(_COMMAND_CALLS),
        temporary_argument_rule(("os/exec.CommandContext",)),
        *temporary_folder_rules(("os.MkdirAll",)),
        CallRule("code.swallowed_exception", _FALLIBLE_STANDARD_CALLS, "Error is silently dropped at {call}", (), 0.6, "the call may never fail in practice", dropped=True),
        CallRule("code.swallowed_exception", (".Decode", ".Commit", ".Unmarshal", ".Scan", ".Exec", ".ExecContext", ".Ping", ".PingContext"), "Error is silently dropped at {call}", (ArgumentCondition(RECEIVER, compile_pattern(_FALLIBLE_RECEIVER)),), 0.6, "the call may never fail in practice", dropped=True),
        NodeRule("code.swallowed_exception", "assignment_statement", "Error is assigned to `_` and ignored", _BLANK_ASSIGNMENT, 0.5, "the failure may not matter"),
        CallRule("code.swallowed_exception", ("recover",), "`recover()` silently drops a panic", (), 0.75, "the origin of the panic was not analysed", dropped=True),
        ValueRule("code.tls_verification_off", compile_pattern(r"InsecureSkipVerify$"), compile_pattern(r"^true\b|^!0"), "TLS certificate is not verified", unless_in_file=re.compile(rb"\bVerify(?:PeerCertificate|Connection)\s*[:=]\s*(?!nil\b|func\([^{}]{0,200}\{\s*return\s+nil\s*\})[\w(]")),
        CallRule("code.tls_verification_off", ("golang.org/x/crypto/ssh.InsecureIgnoreHostKey", "ssh.InsecureIgnoreHostKey"), "SSH host key is not verified", (), 0.95, "whether it is used was not analysed"),
        ValueRule("code.tls_verification_off", compile_pattern(r"HostKeyCallback$"), compile_pattern(r"^(?:ssh\.HostKeyCallback\()?func\([^)]*\)\s*(?:\(\w+ error\)|error)\s*\{\s*return nil\s*\}"), "SSH host key is not verified"),
        HandlerRule("code.swallowed_exception", "`recover()` silently drops a panic", compile_pattern(r"^if\s+(?:\w+\s*:=\s*recover\(\)\s*;\s*\w+\s*!=\s*nil|recover\(\)\s*!=\s*nil)\s*\{"), empty=True),
        HandlerRule("code.swallowed_exception", "`recover()` silently drops a panic", compile_pattern(r"^if\s+(?:\w+\s*:=\s*recover\(\)\s*;\s*\w+\s*!=\s*nil|recover\(\)\s*!=\s*nil)\s*\{\s*(?:return|[\w.]{1,40}\s*=\s*(?:nil|0|\"\"|false|true|-1))\s*;?\s*(?:return\s*)?\}$"), confidence=0.7),
        HandlerRule("code.swallowed_exception", "`if err != nil` drops the error", compile_pattern(rf"{_ERROR_BRANCH}\s*\{{\s*\w*[eE]rr\s*=\s*nil\s*;?\s*\}}$"), confidence=0.65, because="the failure may be expected"),
        HandlerRule("code.swallowed_exception", "`if err != nil` hides the error behind a fixed value", compile_pattern(rf"{_ERROR_BRANCH}\s*\{{\s*return\s+(?:nil|\"\"|0|-1|\[\]\w+\{{\}}|map\[\w+\]\w+\{{\}})\s*\}}$"), confidence=0.5, because="callers may treat the value as a failure", header=_RETURNS_ONE_VALUE, tried=_REMOTE_CALL),
        HandlerRule("code.subprocess_unchecked", "Failure of a child process is detected but ignored", compile_pattern(r"^if\s+(?:[\w, ]{1,60}:?=\s*)?(?:exec\.Command(?:Context)?\([^{]{0,300}\)|\w*(?:cmd|Cmd|command))\.(?:Run|Wait|Start|Output|CombinedOutput)\(\)\s*;\s*\w*[eE]rr\s*!=\s*nil\s*\{"), empty=True),
        HandlerRule("code.swallowed_exception", "`if err != nil` drops the error", compile_pattern(rf"^if\s+(?:[^{{]{{0,300}};\s*)?\w*[eE]rr\s*!=\s*nil\s*{UNINFORMATIVE_COMMENT_BODY}"), confidence=0.7),
        HandlerRule("code.swallowed_exception", "`if err != nil` drops the error", compile_pattern(r"^if\s+(?:[^{]{0,300};\s*)?\w*[eE]rr\s*!=\s*nil\s*\{"), empty=True),
        HandlerRule("code.swallowed_exception", "`if err != nil` drops the error", compile_pattern(rf"{_ERROR_BRANCH}\s*\{{\s*return\s*\}}$"), confidence=0.5, because="the failure may be expected", header=_RETURNS_NOTHING),
        HandlerRule("code.swallowed_exception", "`if err != nil` drops the error", compile_pattern(r"^if\s+\w*[eE]rr\s*:?=\s*(?![^;{]{0,300}(?i:parse|unmarshal|decode|scan|valid|stat\b|close|remove|mkdir|lookup|\bget|read|check|match))[^;{]{1,300};\s*\w*[eE]rr\s*!=\s*nil\s*\{\s*(?:continue|break)\s*\}$"), confidence=0.5, because="the failure may be expected"),
        HandlerRule("code.swallowed_exception", "`if err != nil` returns no error", compile_pattern(rf"{_ERROR_BRANCH}\s*\{{\s*return\s+(?:(?:nil|false|true|\"\"|\w+\{{\}}|-?\d+)\s*,\s*){{0,3}}nil\s*\}}$"), confidence=0.6, because="the failure may be expected", header=_RETURNS_ERROR),
        *debug_print_rules(("fmt.Println", "fmt.Printf", "fmt.Print", "log.Println", "log.Printf", "log.Print", "println", "print")),
        CallRule("text.debug_leftovers", ("fmt.Println", "fmt.Print"), BARE_VALUE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, form=None, reads=compile_pattern(r"^[^\x1f]*$")), ArgumentCondition(0, compile_pattern(r"^&?\w+(?:\.\w+)*$"))), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("fmt.Println",), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^[\"`]\w[\w ]{0,20}\s*(?:[:=]|->)\s*[\"`]$")), ArgumentCondition(1, compile_pattern(r"^&?\w+(?:\.\w+)*$|^len\(\s*\w+(?:\.\w+)*\s*\)$"))), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("fmt.Println",), "Values are printed after a short label, like debug output", (ArgumentCondition(0, compile_pattern(r"^[\"`](?!(?i:listen|start|run|serv|connect|version|ready|usage|fail|error|warn|saved|wrote|done|took|found|total|using|loaded))[a-z]\w{0,20}:?[\"`]$")), ArgumentCondition(1, compile_pattern(r"^&?\w+(?:\.\w+)*(?:\[\w+\])?$")), ArgumentCondition(2, compile_pattern(r"^&?\w+(?:\.\w+)*(?:\[[\w.]+\]|\([\w.]*\))?$"))), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("println", "print"), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^&?\w+(?:\.\w+)*$|^[\"`]\w[\w ]{0,20}\s*[:=]?\s*[\"`]$")),), 0.5, INTENDED_OUTPUT_REASON, (ArgumentCondition(RECEIVER),), unless_in_file=_OWN_PRINT_FUNCTION, in_function=True),
        CallRule("text.debug_leftovers", ("fmt.Fprintf", "fmt.Fprintln", "fmt.Fprint"), "Printed text looks like leftover debug output", (ArgumentCondition(0, compile_pattern(r"^os\.Std(?:err|out)$")), ArgumentCondition(1, DEBUG_MARKER_TEXT)), 0.75, INTENDED_OUTPUT_REASON),
        CallRule("text.debug_leftovers", ("fmt.Fprintf", "fmt.Fprintln", "fmt.Fprint"), "Printed text looks like leftover debug output", (ArgumentCondition(0, compile_pattern(r"^os\.Std(?:err|out)$")), ArgumentCondition(1, DEBUG_LABEL_TEXT)), 0.6, INTENDED_OUTPUT_REASON, unless_in_file=re.compile(rb"(?i)\bif\b[^\n]{0,60}(?:debug|verbose|trace)")),
        CallRule("text.debug_leftovers", ("fmt.Printf",), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^[\"`](?:\w+\s*[:=]+\s*)?%[+#]?v(?:,?\s*%[+#]?v){0,4}\s*(?:\\n)?[\"`]$")),), 0.55, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("fmt.Printf",), "Variable is printed with its name, like debug output", (ArgumentCondition(WHOLE_CALL, compile_pattern(r"(?i)^fmt\.Printf\(\s*[\"`](\w+)\s*[:=]+\s*%[\w+#.]{1,4}\s*(?:\\n)?[\"`]\s*,\s*(?:\w+\.)*\1\s*\)$")),), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        NodeRule("text.debug_leftovers", "call_expression", "Leftover debugging statement", compile_pattern(r"^(?:litter\.Dump|pp\.Println|repr\.Println|godump\.Dump|debug\.PrintStack|spew\.Dump|runtime\.Breakpoint)\(")),
    ),
)  # fmt: skip
