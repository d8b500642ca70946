"""JavaScript and TypeScript."""

from __future__ import annotations

import re
from typing import Any

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
from auditor.forensics.languages.seeking import Sought

_IMPORT = Sought(
    re.compile(r"\bimport\s+(?:type\s+)?([^;'\"]{1,2000}?)\s+from\s+['\"](?:node:)?([^'\"\n]{1,200})['\"]")
)
_REQUIRE = Sought(
    re.compile(
        r"\b(?:const|let|var)\s+(\{[^}]{0,1000}\}|\w+)\s*=\s*(?:(?:require\(['\"](?:node:)?util['\"]\)\.|\w+\.)?promisify\(\s*)?(?:await\s+import|require)\(\s*['\"](?:node:)?([^'\"\n]{1,200})['\"]\s*\)(?:\.(\w+))?"
    )
)
_ALIAS = Sought(
    re.compile(r"\b(?:const|let|var)\s+(\w+)\s*=\s*(?:(?:util\.)?promisify\(\s*)?(\w+(?:\.\w+)?)\s*\)?\s*(?:;|\n|$)")
)
_MODULES = ("child_process", "crypto", "vm", "shelljs", "node-serialize", "cross-spawn", "execa")
_SPOKEN_OF = Sought(re.compile(rf"\b(?:from|require\(|import\()\s*['\"](?:node:)?(?:{'|'.join(_MODULES)})['\"]"))


def imports(text: str) -> dict[str, str]:
    """Local names of the modules that rules speak of; other modules need not be told apart."""
    if not _SPOKEN_OF.occurs(text):
        return {}
    names: dict[str, str] = {}
    for bound, module in (found.groups() for found in _IMPORT.fits(text)):
        _bind(bound, module, names)
    for bound, module, member in (found.groups() for found in _REQUIRE.fits(text)):
        _bind(bound, f"{module}.{member}" if member else module, names)
    for name, target in (found.groups() for found in _ALIAS.fits(text)) if names else ():
        head, mark, rest = target.partition(".")
        if head in names and name not in names:
            names[name] = f"{names[head]}{mark}{rest}"
    return names


def _bind(bound: str, module: str, names: dict[str, str]) -> None:
    braces = re.search(r"\{([^}]*)\}", bound)
    for each in (braces[1] if braces else "").split(","):
        parts = re.split(r"\s+as\s+|\s*:\s*", each.strip())
        if parts[0].isidentifier():
            names[parts[-1].strip()] = f"{module}.{parts[0]}"
    rest = re.sub(r"\{[^}]*\}", "", bound)
    for each in rest.split(","):
        name = each.replace("* as", "").strip()
        if name.isidentifier():
            names[name] = module


_CLOSED = re.compile(rb"</[A-Za-z>]")
_ASSERTED = re.compile(rb"(?:=|return|\()\s*<[A-Z]\w*>\s*\w")


def _typed(content: bytes) -> Any:
    """TypeScript with or without markup: the two grammars disagree about `<`."""
    markup = b"/>" in content or (b"</" in content and _CLOSED.search(content) is not None)
    tsx = markup and not _ASSERTED.search(content)
    return grammar("tree_sitter_typescript", "language_tsx" if tsx else "language_typescript")


_STRING = frozenset({"string"})
_FILLED = form(r"\$\{|^[^`]*\+|\+\s*\w")
_QUERY = (Argument(0, form(rf"^\s*[`\"']{SQL}.*?(?:\$\{{|[\"'`]\s*\+)")),)
_QUERYING = (
    ".query",
    ".execute",
    ".raw",
    ".exec",
    ".run",
    ".all",
    ".prepare",
    ".$queryRawUnsafe",
    ".$executeRawUnsafe",
    ".unsafe",
)
_NAMED = (Argument(0, form(rf"^[`\"']{SQL}.*?(?:\$\{{(?!\s*[A-Z][A-Z0-9_]*\s*\}})|{GLUED})"), named=True),)
_RUN = ("child_process.exec", "child_process.execSync", "shelljs.exec")
_SPAWN = (
    "child_process.spawn",
    "child_process.spawnSync",
    "child_process.execFile",
    "child_process.execFileSync",
    "cross-spawn",
    "cross-spawn.sync",
    "execa",
    "execa.execa",
)
_ENCODED = form(r"\batob\(|Buffer\.from\([^;]{0,2000}?['\"](?:base64|hex)['\"]|\bunescape\(|\bfromCharCode\(")
_RULES = (
    Call("code.shell_execution", _RUN, DECODES, (Argument(0, form(DECODED)),), 0.95, UNDECODED),
    Call("code.dynamic_code", ("eval", "Function", "setTimeout", "setInterval"), "Text that stands encoded in the code is run as code", (Argument(None, _ENCODED),), 0.95, UNDECODED, (Argument(0, kinds=frozenset({"arrow_function", "function_expression"})),)),
    Call("code.shell_execution", _RUN, "A constant command is handed to a shell", (Argument(0, kinds=_STRING),), 0.5, FIXED),
    Call("code.shell_execution", _RUN, "A constant command is handed to a shell", (Argument(0, form(r"^`[^$]*`$")),), 0.5, FIXED),
    Call("code.shell_execution", _RUN, "A command put together at run time is handed to a shell", (Argument(0, _FILLED),), 0.95, "where its parts come from was not followed"),
    Call("code.shell_execution", _RUN, "A command is handed to a shell", (Argument(0),), 0.85, "where the command comes from was not followed"),
    Call("code.shell_execution", _SPAWN, "A program is started through a shell", (Argument(None, form(r"\bshell\s*:\s*(?:true|['\"])")),), 0.9, "where the arguments come from was not followed"),
    Call("code.shell_execution", ("execa.execaCommand", "execa.command"), "A command is taken apart at its blanks", (Argument(0, _FILLED),), 0.6, "it reaches no shell unless asked to"),
    Call("code.dynamic_code", ("eval",), "Text is run as code (eval)", (), 0.9, "where the text comes from was not followed", (Argument(0, kinds=_STRING),)),
    Call("code.dynamic_code", ("Function",),
        "Text is run as code (new Function)",
        (Argument(None, form(r"\$\{|\+|^[A-Za-z_$(]")),),
        0.85,
        "where the text comes from was not followed",
    ),
    Call("code.dynamic_code", ("vm.runInNewContext", "vm.runInThisContext", "vm.runInContext", "vm.compileFunction"), "Text is run as code (vm)", (), 0.8, "where the text comes from was not followed"),
    Call("code.dynamic_code", ("setTimeout", "setInterval"), "Text is run as code by a timer", (Argument(0, kinds=_STRING),), 0.9, "what the text holds was not followed"),
    Call("code.dynamic_code", ("setTimeout", "setInterval"), "Text put together at run time is run as code by a timer", (Argument(0, form(r"^['\"`]"), frozenset({"binary_expression", "template_string"})),), 0.9, "where its parts come from was not followed"),
    Call("code.unsafe_deserialization", ("node-serialize.unserialize",), "Data that can carry code is unpacked", (), 0.95, "where the data comes from was not followed"),
    Call("code.sql_from_strings", _QUERYING, "A query is put together from strings", _QUERY, 0.85, "where its parts come from was not followed"),
    Call("code.sql_from_strings", _QUERYING, "A query is put together from strings before it is run", _NAMED, 0.8, "where its parts come from, and what the name is given later, was not followed", (Argument(0, MARKS, named=True),)),
    Call("code.weak_hash", ("crypto.createHash", "crypto.createHmac"), "A weak hash is used", (Argument(0, form(r"^['\"`](?i:md5|sha-?1|md4|ripemd160)['\"`]$")),), 0.7, JUDGED),
    Call(
        "code.swallowed_exception",
        (".catch",),
        "Every failure of a promise is dropped",
        (Argument(0, form(r"^(?:\(\s*\w*\s*\)|\w+)\s*=>\s*\{\s*\}$")),),
        0.8,
        "the failure may be told elsewhere",
    ),
    Call(
        "code.swallowed_exception",
        (".catch",),
        "Every failure of a promise becomes an empty value",
        (Argument(0, form(r"^(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:undefined|null|void 0)$")),),
        0.5,
        "the empty value may be what the caller expects",
    ),
    Value("code.tls_verification_off", form(r"rejectUnauthorized['\"]?$|strictSSL['\"]?$"), form(r"^false\b"), "The other side's certificate is not checked"),
    Value("code.tls_verification_off", form(r"NODE_TLS_REJECT_UNAUTHORIZED['\"\]]*$"), form(r"^['\"]?0"), "Certificates are not checked in the whole process"),
    Handler("code.swallowed_exception", "Every exception is caught and dropped", empty=True),
    Piece("text.debug_leftovers", "debugger_statement", "A debugging aid was left behind"),
)  # fmt: skip
_MARKS = rb"(?:\.(?:only|skip|todo|fixme|fails|failing|concurrent|sequential|serial|parallel|shuffle|each|for|skipIf|runIf|cb))*"
_TESTING = Testing(
    words=(b"it(", b"it.", b"test(", b"test.", b"specify"),
    calls=re.compile(rb"(?:(?:t|Deno|QUnit)\.)?[xf]?(?:it|test|specify)" + _MARKS + rb"(?![\w$.])"),
    holders=re.compile(rb"(?:test\.)?[xf]?(?:describe|context|suite)" + _MARKS + rb"(?![\w$.])"),
    checks=form(
        r"\b(?:expect\w*|assert\w*|should|verify\w*|check\w*|fail|throws?|rejects|snapshot\w*|toMatch\w*|toThrow\w*|t\.(?:is|deepEqual|true|false|throws|pass)|ensure\w*|validate\w*|until\w*|waitFor\w*|run[A-Z]\w*Tests?|test[A-Z]\w*|(?:create|make)\w*Tests?)\b|\.(?:should|to)\b"
    ),
    counted=form(
        r"\b(?:expect|assert)\w*(?:\.\w+)*\s*[(<]|\.should\b|\bt\.(?:is|not|deepEqual|true|false|truthy|falsy|throws|equal|same|ok)\w*\(|\.(?:rejects|toThrow)\b"
    ),
    trivial=form(
        r"\bexpect\(\s*(true|false|\d+|null|undefined)\s*\)\.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.be)\(\s*\1\s*\)|\bexpect\(\s*true\s*\)\.(?:toBeTruthy\(\s*\)|to\.be\.true)|\bassert(?:\.ok)?\(\s*(?:true|1)\s*(?:,[^;]{0,200})?\)|\bassert\.(?:equal|strictEqual|deepEqual)\(\s*(\w+)\s*,\s*\2\s*\)"
    ),
    skipped=form(
        r"^x(?:it|test|specify|describe|context|suite)\b|^[\w.]*\.(?:skip|todo|fixme|fails|failing)\b|\b(?:skip|todo)\s*:\s*(?!false\b|undefined\b|null\b)\S"
    ),
    conditional=form(r"^[\w.]*\.(?:skipIf|runIf)\b"),
    alone=form(r"^f(?:it|test|specify|describe|context|suite)\b|^[\w.]*\.only\b|\bonly\s*:\s*true\b"),
    stops=form(
        r"(?:(?:await\s+)?(?:this|t|ctx|context|test|it)\.(?:skip|fixme|todo)\(\s*(?:\)|['\"`]|true\b))|(?:pending|skip)\(\s*(?:\)|['\"`])"
    ),
)
_WORDS = {
    "calls": frozenset({"call_expression", "new_expression"}),
    "callee": ("function", "constructor"),
    "plain": re.compile(rb"(?:new\s+)?([\w$]+(?:\??\.[\w$]+)*)\("),
    "further": re.compile(rb"(?:\s*\??\.[\w$]+)*?\s*\??\.([\w$]+)\("),
    "functions": frozenset({"function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function_declaration"}),
    "branches": frozenset({"if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case", "catch_clause", "ternary_expression"}),
    "naming": ("variable_declarator", "name", "value"),
    "values": frozenset({"pair", "assignment_expression"}),
    "handlers": frozenset({"catch_clause"}),
    "imports": imports,
    "testing": _TESTING,
    "rules": _RULES,
}  # fmt: skip
JAVASCRIPT = Language(name="javascript", grammar=lambda _content: grammar("tree_sitter_javascript"), **_WORDS)  # type: ignore[arg-type]
TYPESCRIPT = Language(name="typescript", grammar=_typed, **_WORDS)  # type: ignore[arg-type]
