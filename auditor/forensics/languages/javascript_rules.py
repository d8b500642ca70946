"""The rules of probes for JavaScript and TypeScript."""

from __future__ import annotations

import re

from auditor.forensics.languages.built_query_patterns import BUILT_QUERY, BUILT_VALUE_QUERY
from auditor.forensics.languages.keyword_gated_patterns import compile_pattern
from auditor.forensics.languages.language_rule_types import (
    ALL_ARGUMENTS,
    RECEIVER,
    SOURCE_AFTER,
    SOURCE_BEFORE,
    WHOLE_CALL,
    ArgumentCondition,
    CallRule,
    HandlerRule,
    NodeRule,
    UncheckedResult,
    ValueRule,
)
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
    DEBUG_MARKER_TEXT,
    DECODED_SHELL_COMMAND,
    EMPTY_OUTPUT_REASON,
    FIXED_FILE_STATEMENT,
    GUESSABLE_FOLDER_STATEMENT,
    IDENTIFIER_REASON,
    INTENDED_OUTPUT_REASON,
    KEYED_HASH_REASON,
    ORIGIN_NOT_TRACED_REASON,
    PRIVATE_FOLDER_REASON,
    REPORTED_ELSEWHERE_REASON,
    UNCHECKED_OUTPUT_STATEMENT,
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
from auditor.forensics.source_text.decode_and_run_commands import (
    DECODE_AND_RUN_COMMAND,
    DECODE_AND_RUN_STATEMENT,
    NOT_DECODED_REASON,
)

_STRING = frozenset({"string"})
_PARTLY_DYNAMIC = compile_pattern(r"\0.|.\0")
_QUERY_CALLS = (
    ".query", ".execute", ".raw", ".exec", ".run", ".all", ".get", ".each", ".prepare", ".one", ".none", ".many", ".any", ".oneOrNone", ".manyOrNone", ".result", ".multi",
    ".$queryRawUnsafe", ".$executeRawUnsafe", ".$queryRaw", ".$executeRaw", ".unsafe", ".literal", ".executeSql", ".executeQuery", ".runQuery", ".rawQuery", ".queryRaw", ".queryOne",
    ".queryAsync", ".execAsync", ".runAsync", ".getAllAsync", ".getFirstAsync", ".batch", ".sql", ".fromSql", ".simple", ".call",
    "query", "execute", "runQuery", "executeQuery", "execSql", "queryDb", "sql", ".createQuery", ".nativeQuery",
    "fetchAll", "fetchOne", "fetchRows", "fetchRow", "getRows", "getRow", "queryAll", "queryOne", "queryRows", "selectAll", "selectOne", "execQuery", "runSql", "runSQL", "execSQL", "dbQuery", "dbAll", "dbGet", "dbRun", "all", "run",
    ".fetchAll", ".fetchOne", ".fetchRows", ".fetchRow", ".queryAll", ".queryRows", ".selectAll", ".selectOne", ".execQuery", ".runSql", ".select", ".rows", ".first", ".fetch", ".command",
)  # fmt: skip
_RAW_CLAUSE_CALLS = (
    ".whereRaw",
    ".orWhereRaw",
    ".andWhereRaw",
    ".havingRaw",
    ".orderByRaw",
    ".groupByRaw",
    ".joinRaw",
    ".selectRaw",
    ".fromRaw",
    ".raw",
    ".literal",
    ".unsafe",
)
_CLAUSE_CALLS = (
    ".where",
    ".andWhere",
    ".orWhere",
    ".having",
    ".andHaving",
    ".leftJoin",
    ".innerJoin",
    ".leftJoinAndSelect",
    ".innerJoinAndSelect",
)
_SHELL_CALLS = (
    "child_process.exec",
    "child_process.execSync",
    "shelljs.exec",
    "node-cmd.run",
    "node-cmd.runSync",
    "node-cmd.get",
)
_DOES_NOTHING = compile_pattern(
    r"^(?:async\s+)?(?:\(\s*\w*\s*(?::\s*\w+\s*)?\)|\w+)\s*=>\s*\{\s*;?\s*\}$|^(?:async\s+)?function\s*\w*\(\s*\w*\s*\)\s*\{\s*\}$|^(?:_\.|lodash\.)?noop$"
)
"""A function of nothing."""
_PLAIN_VALUE = r"(?:undefined|null|void 0|false|!1|-?\d+|''|\"\"|``|\[\s*\])"
_FIXED_VALUE = rf"(?:{_PLAIN_VALUE}|\(\s*+\{{\s*+(?:\w++:\s*+{_PLAIN_VALUE}\s*+,?\s*+){{0,8}}\}}\s*+\))"
_RETURNS_FIXED_VALUE = compile_pattern(
    rf"^(?:async\s+)?(?:\(\s*\w*\s*(?::\s*\w+\s*)?\)|\w+)\s*=>\s*(?:{_FIXED_VALUE}|\(\s*{_FIXED_VALUE}\s*\)|\{{\s*return\s+(?:{_FIXED_VALUE}|\{{\s*\}})\s*;?\s*\}})$|^(?:async\s+)?function\s*\w*\(\s*\w*\s*\)\s*\{{\s*return\s+(?:{_FIXED_VALUE}|\{{\s*\}})\s*;?\s*\}}$"
)
"""A function that returns the same empty value for any arguments."""
_RETURNS_EMPTY_STREAM = compile_pattern(
    rf"^(?:\(\s*\w*\s*(?::\s*\w+\s*)?\)|\w+)\s*=>\s*(?:of\(\s*(?:{_FIXED_VALUE}|\{{\s*\}})?\s*\)|EMPTY|NEVER|empty\(\))$"
)
_EMPTY_FUNCTION_KEYWORDS = (b"=> {}", b"=> { }", b"=>{}", b"=>{ }", b") {}", b") { }", b"){}", b"noop")
_EXPECTED_FAILURE_CALL = r"JSON\.parse|new\s+(?:URL|RegExp|Date|Intl)\b|decodeURI\w*|require\.resolve|\w*(?:[sS]tat|[aA]ccess|[eE]xists|readFile|readdir|readlink|realpath|unlink|mkdir|rm|which)(?:Sync)?\(|BigInt\(|atob\(|btoa\(|\w+Storage\b|\b(?:import|require)\(|structuredClone|Intl\.|\w*[vV]erify\w*\(|\w*[pP]arse\w*\(|\w*[dD]ecode\w*\(|\w*[vV]alid\w*\(|matches\(|\bfetch\("
_MAY_FAIL_AS_EXPECTED = compile_pattern(
    r"\.(?:json|text|blob|arrayBuffer|formData|is(?:Visible|Hidden|Enabled|Disabled|Checked))\(\)\s*$|\.then\(\s*\(\w*\)\s*=>\s*(?:true|!0)\s*\)\s*$|\b(?:l?stat|access|readlink|realpath)\([^()]*\)\s*$|JSON\.parse\("
)
"""What a promise is of that is known to fail in one way."""
_RISKY = compile_pattern(rf"^(?!.*?(?:{_EXPECTED_FAILURE_CALL}))")
"""What is tried may fail in more ways than one."""
_AWAITING_TRY = compile_pattern(rf"^(?=.*?\bawait\b)(?!.*?(?:{_EXPECTED_FAILURE_CALL}))")
_REMOTE_CALL_TRY = compile_pattern(
    rf"^(?=.*?(?:{_EXPECTED_FAILURE_CALL})).*?\bawait\s+(?:this\.)?[\w$.#]{{0,60}}(?i:redis|database|\bdb|prisma|knex|pool|repo|repository|store|client|api|service|queue|bucket|s3|collection|model|mailer|stripe|kafka|mongo\w*|gateway)\.(?!verify|parse|decode|valid)\w{{1,60}}\("
)
"""What is tried asks another machine, beside what may be expected to fail."""
_FALLIBLE_SYNC_TRY = compile_pattern(
    rf"^(?!.*?(?:{_EXPECTED_FAILURE_CALL}|\bawait\b|\b(?:document|window|navigator|screen|self|globalThis|process\.(?:binding|kill))\b|\btypeof\b|\bcreateElement|getExtension\(|getContext\(|\bnew\s+[\w.]+\(|(?i:supports?|detect|feature|compat)))(?=.*?\w\()"
)
"""What is tried calls something that may fail in more ways than one, is not waited for, and asks no browser what it can do."""
_NEVER_TRUE = compile_pattern(rf"{_AWAITING_TRY.pattern}(?!.*?\breturn\s+(?:true|!0)\b)")
"""What is tried does not say that it went well, so that `false` could say that it did not."""
_CATCH_HEAD = r"^catch\s*(?:\([^)]{0,80}\)\s*)?\{\s*"
_SPAWN_CALLS = (
    "child_process.spawn",
    "child_process.spawnSync",
    "child_process.execFile",
    "child_process.execFileSync",
    "cross-spawn",
    "cross-spawn.sync",
    "cross-spawn.spawn",
    "execa",
    "execa.execa",
    "execa.execaSync",
    "execa.sync",
    "Bun.spawn",
    "Bun.spawnSync",
    "node-pty.spawn",
    "pty.spawn",
    "@actions/exec.exec",
    "@actions/exec.getExecOutput",
)
_DENO_CALLS = ("Deno.Command", "Deno.run")
_DECODING_CALL = compile_pattern(
    r"\batob\(|Buffer\.from\([^;]{0,2000}?['\"](?:base64|hex)['\"]|\bunescape\(|\bfromCharCode\("
)
_EVAL_CALLS = (
    "eval",
    "window.eval",
    "globalThis.eval",
    "global.eval",
    "self.eval",
    "(0, eval)",
    "(0,eval)",
    "(1, eval)",
    "(1,eval)",
    "window['eval']",
    'window["eval"]',
    "globalThis['eval']",
    'globalThis["eval"]',
    "global['eval']",
    'global["eval"]',
)
_TIMER_CALLS = (
    "setTimeout",
    "setInterval",
    "window.setTimeout",
    "window.setInterval",
    "globalThis.setTimeout",
    "globalThis.setInterval",
    "self.setTimeout",
    "global.setTimeout",
    "global.setInterval",
)
_FUNCTION_CONSTRUCTORS = ("Function", "AsyncFunction", "GeneratorFunction", "window.Function", "globalThis.Function", "constructor.constructor", ".constructor.constructor")  # fmt: skip
_REQUEST_INPUT = r"\b(?:req|request|ctx|context|event)\.(?:body|query|params|request|queryStringParameters|pathParameters)\b|\bsearchParams\.get\("
_REQUEST_KEYWORDS = (b"req.", b"request.", b"ctx.", b"context.", b"event.", b"searchParams")
"""Values that the sender of a request chooses."""
_EXPRESSION_EVALUATORS = (
    "mathjs.evaluate", "safe-eval", "safer-eval", "notevil", "static-eval", "expression-eval.eval", "node-eval",
    "jexl.eval", "jexl.evalSync", "angular-expressions.compile", ".evalCode", ".evalCodeAsync", ".compileScriptSync", ".compileScript", ".evalClosure", ".evalClosureSync",
)  # fmt: skip
_SCRIPT_OF_TEXT = ArgumentCondition(
    SOURCE_BEFORE,
    compile_pattern(r"\.(?:text|textContent|innerText|innerHTML)\s*=(?!=)\s*(?!['\"][^'\"\n]*['\"]\s*[;\n])[^\s=]"),
)
"""What goes into a script stands right before."""
_DATA = re.compile(rb"ld\+json|application/json")
_DYNAMIC_BLOB = compile_pattern(r"\bnew\s+Blob\(\s*\[(?!\s*(?:'[^']*'|\"[^\"]*\"|`[^`$]*`)\s*\])")
"""A file that is made of text at run time."""
_VM_CALLS = (
    "vm.runInNewContext",
    "vm.runInThisContext",
    "vm.runInContext",
    "vm.compileFunction",
    "vm.Script",
    "vm.SourceTextModule",
    "vm.createScript",
)
_CHILD_PROCESS_CALLS = (
    "child_process.spawnSync",
    "cross-spawn.sync",
    "child_process.spawn",
    "cross-spawn",
    "cross-spawn.spawn",
    "shelljs.exec",
)
_SHELL_NAME = compile_pattern(
    r"(?i)^(?:[\w.]*[._])?(?:(?:user|login|default|system)?_?shell(?:path|bin|cmd|name)?|(?:ba|z|da|k)?sh(?:_?(?:path|bin))?)$|^process\.env\.SHELL\b"
)
_WEAK_WITH_KEY = compile_pattern(r"(?:^|\n)(?i:md[245]|rsa-md5)(?:\n|$)")
_WEAK = compile_pattern(r"(?:^|\n)(?i:md5|sha-?1|md4|md2|ripemd-?160|rsa-md5|rsa-sha1)(?:\n|$)")
_WRITE_CALLS = (
    ".writeFile", ".writeFileSync", ".appendFile", ".appendFileSync", ".createWriteStream", ".openSync", "writeFile", "writeFileSync", "appendFileSync", "createWriteStream", "openSync",
    "appendFile", "outputFile", "outputFileSync", "outputJson", "writeJson", "Bun.write", "Deno.writeTextFile", "Deno.writeFile", "Deno.writeTextFileSync", "Deno.writeFileSync", ".outputFile", ".outputFileSync", ".outputJson", ".outputJsonSync", ".writeJson", ".writeJsonSync",
)  # fmt: skip
_COPY_CALLS = (
    "fs.rename",
    "rename",
    "renameSync",
    "fsp.rename",
    "fsp.copyFile",
    "fs.promises.rename",
    "fs.promises.copyFile",
    "fs.copyFile",
    "fs.copyFileSync",
    "copyFile",
    "copyFileSync",
    "fs.copySync",
    "fs.renameSync",
)
_NEW_ONLY = r"\bO_EXCL\b|['\"]a?[wa]x\+?['\"]|^['\"]r\+?['\"]$"
"""Flags with which nothing that is there already is written to."""
_OUTPUT_ONLY = UncheckedResult(
    before=re.compile(rb"\{\s*(?:(?:stdout|stderr|output)(?:\s*:\s*\w+)?\s*,?\s*){1,3}\}\s*=\s*(?:await\s+)?\Z"),
    behind=re.compile(rb"\s*\.(?:stdout|stderr|output)\b"),
    uses=re.compile(rb".?@\??\.(?:stdout|stderr|output|pid)\b", re.DOTALL),
)
"""Of what a child process gives, its output alone is asked for."""
_UNCHECKED_PROCESS = UncheckedResult(
    uses=re.compile(
        rb".?@\.(?:(?:stdin|stdout|stderr|pid)\b|(?:on|once)\(\s*['\"](?:(?:error|spawn|message)['\"]|(?:close|exit|disconnect)['\"]\s*,\s*(?:async\s*)?(?:\(\s*\)\s*=>|function\s*\w*\(\s*\)|(?:function\s*\w*)?\(?\s*(?P<code>\w+)\b[^)=]{0,60}\)?\s*(?:=>\s*)?\{(?:(?!\b(?P=code)\b)[^{}])*\})))",
        re.DOTALL,
    )
)
"""Of a child process, nobody asks with what it ended."""
_CALLBACK_IGNORING_FIRST = compile_pattern(
    r"^(?:async\s+)?(?:function\s*\w*\s*)?\(\s*\)|^(?!.{1990})(?:async\s+)?(?:function\s*\w*\s*)?\(\s*(\w+)\b(?:\s*:[^,)]*)?\s*,[^)]*\)(?!.*\b\1\b)"
)
"""A function without parameters, or of several of which it makes no use of the first."""
_CALLBACK_IGNORING_ERROR = compile_pattern(
    r"^(?:async\s+)?(?:function\s*(?!\w*(?i:err|handle|fail|catch))\w*\s*)?\(\s*(err|error)\b(?:\s*:[^,)]*)?\s*,(?!\s*_*(?:req|request|stack|promise|ctx|context|event|variables|info|code)\b)\s*(\w+(?!\w)|[^\w\s])[^)]*\)(?!.{1900})(?!.*\b\1\b)(?!.*(?:!\s*\2\b|\b\2\s*===?\s*(?:null|undefined)\b))"
)
"""A callback `(err, result)` that checks neither `err` nor whether `result` is there."""
_ERROR_CALLBACK_BEFORE = re.compile(
    rb"(?:\b(?:on[A-Z]\w*|\w*[eE]rr(?:or)?\w*|catch\w*|reject\w*|reduce\w*|fail\w*|retry\w*)['\"]?\s*[:=(]|['\"][\w.:-]*(?i:error|rejection|exception|fail)[\w.:-]*['\"]\s*,|\bexec(?:File)?\([^\n]{0,150}[,(])\s*\Z"
)
"""What stands before a function that is called of failures alone, or of how a child process ended, which is a question of its own."""
_TIMEOUT_SETTING = re.compile(
    rb"\b(?:timeout|timeoutMs|signal|AbortSignal|AbortController|headersTimeout|bodyTimeout)\b|\.setTimeout\(|\bsetTimeout\([^;]{0,100}(?:abort|destroy|cancel|reject)"
)
"""What a file holds that sets an end to some request."""
_PLATFORM_TIMEOUT_REASON = "the platform may have a default timeout of some minutes"
_OTHER_FETCH = rb"\bfunction\*?\s+fetch\b|\b(?:const|let|var)\s+fetch\b|\b(?:import|const)\s*\{[^}]{0,2000}\bfetch\b|\bfetch\s*[,:?=)]|@cloudflare|\bself\.addEventListener\("
"""Something else is called `fetch`, or is passed under that name."""
_IN_A_BROWSER = rb"\b(?:document|window|navigator|localStorage|sessionStorage|customElements)\b\s*[.\[]|['\"]use client['\"]|['\"](?:react|preact|vue|svelte|solid-js|@angular/core|cypress)['\"]|\bCypress\."
"""The user can leave the page while waiting."""
_WRITES_A_TEST = rb"(?:describe|it|test)(?:\.\w+)?\(\s*['\"`]"
_IN_A_TEST = rb"(?m:^)%b" % _WRITES_A_TEST
"""Most files of tests hold one that is not indented, and it is found by its words; what is indented is looked for behind every blank."""
_IN_AN_INDENTED_TEST = rb"(?m:^[ \t]*)%b" % _WRITES_A_TEST
_TIMEOUT_ELSEWHERE_REASON = "a default timeout may be set elsewhere"
_TIMEOUT_WRAPPER = ArgumentCondition(
    SOURCE_BEFORE,
    compile_pattern(
        r"(?:\bPromise\.race\(\s*\[[^;]{0,280}|\b\w*(?:[tT]imeout|[dD]eadline)\(\s*(?:(?:async\s*)?\(\)\s*=>\s*)?)\Z"
    ),
)
"""What is waited for no longer than something else takes."""
_TIMEOUT_OR_OTHER_FETCH = re.compile(
    rb"|".join((_IN_A_TEST, _TIMEOUT_SETTING.pattern, _OTHER_FETCH, _IN_A_BROWSER, _IN_AN_INDENTED_TEST)), re.DOTALL
)
_TIMEOUT_DISABLED = compile_pattern(
    r"\b(?:timeout|headersTimeout|bodyTimeout|request)\s*:\s*(?:0|false|Infinity|undefined|null)\b(?!\s*\|\|)"
)
_NO_TIMEOUT_DISABLED = re.compile(rb"\A(?!.*%b)" % _TIMEOUT_DISABLED.pattern.encode(), re.DOTALL)
"""Options stand in the source as they are read: where none is there, names need not be followed."""
_NO_LIBRARY = re.compile(
    rb"\A(?!.*['\"](?:node:)?(?:https?|follow-redirects|got|node-fetch|superagent|needle)['\"])|['\"]msw['\"/]|%b"
    % _TIMEOUT_SETTING.pattern,
    re.DOTALL,
)
_NO_CLIENT = re.compile(
    rb"\A(?!.*['\"](?:superagent|undici|request|request-promise(?:-native)?)['\"])|%b" % _TIMEOUT_SETTING.pattern,
    re.DOTALL,
)
_NO_ELECTRON = re.compile(rb"\A(?!.*['\"]electron(?:/main)?['\"])|\.abort\(|%b" % _TIMEOUT_SETTING.pattern, re.DOTALL)
_VERBS = ("get", "post", "put", "patch", "delete", "head")
_AXIOS_CALLS = tuple(f"axios.{verb}" for verb in ("get", "post", "put", "patch", "delete", "head", "request"))
_TIMEOUT_OPTION = compile_pattern(r"\b(?:timeout|signal|adapter)\b|\.\.\.|(?:^|\n)\0(?:\n|$)")
"""Options that set an end, or of which not all can be seen."""


def _default_timeout_pattern(client_names: bytes) -> re.Pattern[bytes]:
    """What may set an end for calls that show none themselves: defaults of one of these, and what works for all requests."""
    return re.compile(
        rb"\b%b\.defaults\.(?:timeout(?!\s{0,20}=\s{0,20}0\b)|adapter|signal)|\bdefaults\s*[,=]|\binterceptors\b|Promise\.(?:race|any)\(|(?<!\bset)(?<!Signal\.)(?<!\)\.)[tT]imeout\(|\bnock\(|['\"]msw['\"/]"
        % client_names
    )


_DEFAULT_TIMEOUT = _default_timeout_pattern(rb"(?:\w{0,40}[aA]xios\w{0,40}|http|request|got)")
_INSTANCE_DEFAULT_TIMEOUT = _default_timeout_pattern(
    rb"\w{0,40}(?:[aA]xios|[cC]lient|[aA]pi|API|[hH]ttp|[iI]nstance|[rR]equest|[sS]ervice|[sS]ession|[rR]est|[bB]ackend|[sS]erver|[gG]ateway)\w{0,40}"
)
"""The same for a client that is made there."""


def _missing_timeout_rule(calls: tuple[str, ...], place: int) -> CallRule:
    """Calls that show all their options, at a place, and no end among them, even in a file where others have one."""
    return CallRule("code.no_timeout", calls, "No timeout on {call}: the request can hang forever", (ArgumentCondition(0),), 0.55, _TIMEOUT_ELSEWHERE_REASON, (ArgumentCondition(place, reads=_TIMEOUT_OPTION),), unless_in_file=_DEFAULT_TIMEOUT)  # fmt: skip


_VALUE_NAME = r"(?!(?:\w+\.)*_?(?:e|ex|err|error|errors|exception|reason|cause|stack|message|msg|line|lines|output|text|command|cmd|usage|help|banner|summary|report|version|content|str|table)\b(?!\.(?!message|stack|cause|content)))(?:this\.)?[a-z_$][\w$]*(?:\??\.[\w$]+|\[\w+\])*"
_BARE_VALUE = compile_pattern(
    rf"^console\.\w+\(\s*(?:(?:util\.)?inspect\(\s*{_VALUE_NAME}\s*(?:,\s*[^()]{{0,80}})?\)|{_VALUE_NAME}(?:\s*,\s*{_VALUE_NAME}){{0,5}}|\{{\s*{_VALUE_NAME}(?:\s*,\s*{_VALUE_NAME}){{0,5}}\s*\}}|JSON\.stringify\(\s*{_VALUE_NAME}[^()]{{0,40}}\))\s*,?\s*\)$"
)
"""Values are printed, and nothing that says what they are."""
_LABELED_BY_NAME = compile_pattern(
    r"(?i)^console\.\w+\(\s*(?:['\"](?:the\s+)?(\w+)\s*(?:is\s*)?[:=]*(?:-*>)?\s*['\"]\s*,\s*(?:\w+\.)*\1|`(\w+)\s*[:=]+\s*\$\{\s*(?:\w+\.)*\2\s*\}`)\s*\)$"
)
"""What is printed is the name of a variable and what it holds."""
_NAMED_AMONG_WORDS = compile_pattern(
    r"^console\.\w+\(\s*['\"](?!.{0,40}(?i:listen|start|running|server|connect|version|ready|usage|fail|error|warn|saved|wrote|written|done))(?:[\w ]{1,24}\s)?(\w+)(?<!port)(?<!url)(?<!host)(?<!path)(?<!file)(?:\s\w{1,12})?\s*[:=]*\s*['\"]\s*,\s*(?:\w+\.)*\1\s*\)$"
)
"""The same, its name among a few words."""
_LABELED_VALUE = compile_pattern(
    rf"^console\.\w+\(\s*['\"](?!(?i:listen|start|running|server|connect|version|ready|usage|fail|error|warn|saved|wrote|written|done|took|found|total|using|loaded|build))[a-z]\w{{0,20}}:?['\"](?:\s*,\s*{_VALUE_NAME}(?:\([^()]{{0,60}}\))?){{2,5}}\s*,?\s*\)$"
)
"""A word, and several values behind it."""
_COMMAND_LINE_PROGRAM = re.compile(
    rb"\A#!|\bprocess\.(?:argv|stdout|exit\b)|\bparseArgs\b|\bDeno\.(?:args|exit)\b|['\"](?:commander|yargs(?:/\w+)?|cac|sade|mri|citty|chalk|kleur|picocolors|ora|inquirer|prompts|enquirer|meow|minimist|arg|readline|node:readline|ink|figlet|cli-table3?|@oclif/[\w-]+|@clack/[\w-]+|@inquirer/[\w-]+|consola|dotenv/config)['\"]|(?m:^(?:await\s+)?(?:main|run|cli)\(\))"
)
"""Signs of a command-line program, which prints for its user."""
_SSH_KEYWORDS = (b"ssh2", b"node-ssh", b"simple-ssh")
_NO_DOLLAR_LIBRARY = re.compile(rb"\A(?!.*['\"](?:zx|zx/\w+|bun|execa|dax|@david/dax)['\"])", re.DOTALL)
"""A file in which `$` stands for something else."""
_AWAITED = ArgumentCondition(SOURCE_BEFORE, compile_pattern(r"(?:^|[;{}\n])\s*await\s+$"))
"""A statement that waits, and takes nothing."""
_RUNS_A_CHILD = compile_pattern(
    r"^(?=.*?\b(?:exec(?:File)?Sync|execaSync|await\s+(?:exec\w{0,20}|\$))\s*[(`])(?!.*?(?:\breturn\s+(?:true|!0)\b|\bwhich\b|\bwhere\b|command -v|--version|\btype |\bkill|\bopen\b|\bstart\b))"
)
"""What is tried runs a child process, and not only to see whether there is such a program."""
_TEMPLATE_CALLS = (
    "ejs.render", "ejs.compile", "pug.render", "pug.compile", "_.template", "lodash.template", "nunjucks.renderString", "nunjucks.compile", "doT.template", "eta.renderString", ".renderString",
)  # fmt: skip
_BRACE_TEMPLATE_CALLS = (
    "Handlebars.compile",
    "handlebars.compile",
    "hbs.compile",
    "jade.render",
    "jade.compile",
    "Liquid.parseAndRender",
    ".parseAndRender",
    ".parseAndRenderSync",
    "Eta.renderString",
    "Edge.renderRaw",
    ".renderRaw",
)
"""The same, of which those that are no files of the project are told by what they are made of alone."""
_STORED_INPUT = compile_pattern(
    r"\.(?:find(?:One|Unique|First|ById|ByPk|OneBy|OneOrFail|UniqueOrThrow|FirstOrThrow)\w*|query\w*|execute|\$queryRaw)\(|\b(?i:tenant|customer|user|merchant|account|campaign|org|workspace|payload|input)\??\.\w*(?i:te?mpl|body|html|text|source|subject|message|format|markup)"
)
"""What a database holds, or a customer wrote."""
RULES = (
    CallRule("code.shell_execution", _SHELL_CALLS, DECODE_AND_RUN_STATEMENT, (ArgumentCondition(0, compile_pattern(DECODE_AND_RUN_COMMAND)),), 0.95, NOT_DECODED_REASON),
    CallRule("code.dynamic_code", (*_EVAL_CALLS, *_FUNCTION_CONSTRUCTORS, *_TIMER_CALLS), "Text that is encoded in the source is decoded and run as code", (ArgumentCondition(None, _DECODING_CALL),), 0.95, NOT_DECODED_REASON, (ArgumentCondition(0, kinds=frozenset({"arrow_function", "function_expression"})),)),
    CallRule("code.shell_execution", _SHELL_CALLS, "{call} runs a constant command in a shell", (ArgumentCondition(0, kinds=_STRING),), 0.5, CONSTANT_COMMAND_REASON),
    CallRule("code.shell_execution", _SHELL_CALLS, "{call} runs a constant command in a shell", (ArgumentCondition(0, reads=compile_pattern(r"^[^\0]+$")),), 0.5, CONSTANT_COMMAND_REASON),
    CallRule("code.shell_execution", _SHELL_CALLS, "Shell injection risk: {call} runs a command built at run time in a shell", (ArgumentCondition(0, reads=_PARTLY_DYNAMIC),), 0.95, "the origin of its parts was not analysed"),
    CallRule("code.shell_execution", _SHELL_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(0),), 0.85, "the origin of the command was not analysed"),
    CallRule("code.shell_execution", (*_SPAWN_CALLS, *_DENO_CALLS), DECODE_AND_RUN_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=DECODED_SHELL_COMMAND),), 0.95, NOT_DECODED_REASON),
    CallRule("code.shell_execution", (*_SPAWN_CALLS, *_DENO_CALLS), "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_SHELL_COMMAND),), 0.95, "the origin of the command was not analysed"),
    CallRule("code.shell_execution", (*_SPAWN_CALLS, *_DENO_CALLS), "{call} runs a constant command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=CONSTANT_SHELL_COMMAND),), 0.5, CONSTANT_COMMAND_REASON),
    CallRule("code.shell_execution", _SPAWN_CALLS, BUILT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_REMOTE_COMMAND),), 0.8, "the origin of its parts was not analysed", beside=(b"ssh", b"mosh")),
    CallRule("code.shell_execution", _SPAWN_CALLS, CONSTANT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=CONSTANT_REMOTE_COMMAND),), 0.5, CONSTANT_COMMAND_REASON, beside=(b"ssh", b"mosh")),
    CallRule("code.shell_execution", ("gulp-shell.task",), "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(0),), 0.7, "the origin of the command was not analysed"),
    CallRule("code.shell_execution", _DENO_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(0, compile_pattern(r"^['\"`](?:/bin/)?(?:ba|z)?sh['\"`]")), ArgumentCondition(1, compile_pattern(r"\bargs\s*:\s*\[\s*['\"`]-\w*c['\"`]"))), 0.9, "the origin of the command was not analysed"),
    CallRule("code.shell_execution", (*_SPAWN_CALLS, "child_process.fork"), "Shell injection risk: {call} starts a program through a shell", (ArgumentCondition(None, reads=compile_pattern(r"^(?!\{[^{}]*\bshell\s*:\s*(?:false|!1)\b).*\bshell\s*:\s*(?:true|!0|['\"]|[\w.]+(?:shell|Shell|SHELL)\b|process\.platform|\w*(?:[iI]s_?|IS_?|\b)(?:[wW]in|WIN)(?:dows|DOWS|32)?\b)")),), 0.9, "the origin of the arguments was not analysed"),
    CallRule("code.shell_execution", (".execCommand", ".exec"), "Shell injection risk: a command built at run time is run in a shell on another machine", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.8, "the origin of its parts was not analysed", (ArgumentCondition(0, kinds=frozenset({"regex"})),), beside=_SSH_KEYWORDS),
    CallRule("code.shell_execution", (".execCommand", ".exec"), "Constant command is run in a shell on another machine", (ArgumentCondition(0, kinds=frozenset({"string", "template_string", "identifier"}), reads=compile_pattern(r"^[^\0]+$")),), 0.5, CONSTANT_COMMAND_REASON, beside=_SSH_KEYWORDS),
    NodeRule("code.shell_execution", "call_expression", "Shell injection risk: a command built at run time is run in a shell", compile_pattern(r"^\$`\s*(?:sudo\s+)?(?:/bin/)?(?:ba|z|da)?sh\s+-\w*c\s+[\"']?[^`]*\$\{"), 0.85, "the origin of its parts was not analysed", beside=(b"$`",), unless_in_file=_NO_DOLLAR_LIBRARY),
    NodeRule("code.shell_execution", "call_expression", "Shell injection risk: a value is inserted into a command without quoting", compile_pattern(r"^\$`[^`]*\$\{\s*\{\s*raw\s*:"), 0.85, "the origin of its parts was not analysed", beside=(b"$`",), unless_in_file=_NO_DOLLAR_LIBRARY),
    NodeRule("code.shell_execution", "call_expression", "Shell injection risk: a command built at run time is run in a shell", compile_pattern(r"^\$\(\s*\{[^`]{0,200}\bshell\s*:\s*(?:true|['\"])[^`]{0,200}\}\s*\)`[^`]*\$\{"), 0.85, "the origin of its parts was not analysed", beside=(b"})`",), unless_in_file=_NO_DOLLAR_LIBRARY),
    CallRule("code.dynamic_code", (*_SPAWN_CALLS, *_DENO_CALLS), "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_INTERPRETER_COMMAND),), 0.8, "the origin of the text was not analysed"),
    CallRule("code.shell_execution", ("execa.execaCommand", "execa.command", "execa.execaCommandSync", "execa.commandSync"), "Argument injection risk: {call} splits a command at its spaces", (ArgumentCondition(0, reads=_PARTLY_DYNAMIC),), 0.6, "no shell is used unless an option sets one"),
    CallRule("code.subprocess_unchecked", _CHILD_PROCESS_CALLS, "Exit status of the child process is never checked", (ArgumentCondition(0),), 0.75, REPORTED_ELSEWHERE_REASON, (ArgumentCondition(None, compile_pattern(r"=>|\bfunction\b")),), dropped=True, unless_in_file=re.compile(rb"\bset\(\s*['\"]-e|config\.fatal\s*=\s*true")),
    CallRule("code.subprocess_unchecked", ("child_process.spawnSync", "cross-spawn.sync"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(0),), 0.7, EMPTY_OUTPUT_REASON, unchecked_result=_OUTPUT_ONLY),
    CallRule("code.subprocess_unchecked", ("child_process.spawn", "cross-spawn", "cross-spawn.spawn"), "Exit status of the child process is never checked", (ArgumentCondition(0),), 0.65, REPORTED_ELSEWHERE_REASON, (ArgumentCondition(None, compile_pattern(r"\bdetached\s*:\s*true")),), unchecked_result=_UNCHECKED_PROCESS),
    CallRule("code.subprocess_unchecked", ("once", "events.once"), "Exit status of the child process is never checked", (ArgumentCondition(1, compile_pattern(r"^['\"](?:exit|close)['\"]$")), _AWAITED), 0.6, REPORTED_ELSEWHERE_REASON, beside=(b"child_process",)),
    CallRule("code.subprocess_unchecked", (".catch",), "Failure of a child process is caught and ignored", (ArgumentCondition(0, _DOES_NOTHING), ArgumentCondition(RECEIVER, compile_pattern(r"^(?:execa|execAsync|execFileAsync|execPromise|exec|execFile|\$)\w*\s*[(`]"))), 0.65, REPORTED_ELSEWHERE_REASON, beside=(b"child_process", b"execa", b"zx")),
    HandlerRule("code.subprocess_unchecked", "Failure of a child process is caught and ignored", empty=True, confidence=0.65, because="the failure may be expected", tried=_RUNS_A_CHILD),
    CallRule("code.subprocess_unchecked", ("Bun.spawnSync",), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(0),), 0.7, EMPTY_OUTPUT_REASON, unchecked_result=_OUTPUT_ONLY),
    CallRule("code.subprocess_unchecked", (".outputSync", ".output"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(RECEIVER, sources_pattern=compile_pattern(r"\bnew\s+Deno\.Command\(")),), 0.7, EMPTY_OUTPUT_REASON, unchecked_result=_OUTPUT_ONLY, beside=(b"Deno.Command",)),
    CallRule("code.subprocess_unchecked", ("execa.execa", "execa", "execa.execaSync", "execa.sync", "execa.execaCommand", "execa.$"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(None, compile_pattern(r"\breject\s*:\s*false\b")),), 0.75, EMPTY_OUTPUT_REASON, unchecked_result=_OUTPUT_ONLY),
    CallRule("code.subprocess_unchecked", ("execa.execa", "execa", "execa.execaSync", "execa.sync", "execa.execaCommand", "execa.$"), "Exit status of the child process is never checked", (ArgumentCondition(None, compile_pattern(r"\breject\s*:\s*false\b")), _AWAITED), 0.75, REPORTED_ELSEWHERE_REASON),
    NodeRule("code.subprocess_unchecked", "expression_statement", "Exit status of the child process is never checked", compile_pattern(r"^await\s+\$(?:\([^`]{0,200}\))?`[^`]*`\s*\.(?:quiet\(\)\s*\.)?nothrow\("), 0.75, REPORTED_ELSEWHERE_REASON),
    CallRule("code.subprocess_unchecked", ("child_process.exec", "child_process.execFile"), "Callback of {call} never checks whether the child process failed", (ArgumentCondition(None, _CALLBACK_IGNORING_FIRST, frozenset({"arrow_function", "function_expression"})),), 0.7, EMPTY_OUTPUT_REASON),
    CallRule("code.subprocess_unchecked", ("child_process.exec", "child_process.execFile"), "{call} has no callback: a failure of the child process is not reported", (ArgumentCondition(0),), 0.7, REPORTED_ELSEWHERE_REASON, (ArgumentCondition(None, compile_pattern(r"=>|\bfunction\b|^\w+$"), frozenset({"arrow_function", "function_expression", "identifier", "member_expression"})),), dropped=True),
    NodeRule("code.dynamic_code", "call_expression", "Code injection risk: `eval` runs text as code", compile_pattern(r"^(?:eval\.call|eval\.apply|Function\.call|Function\.apply)\("), 0.85, "the origin of the text was not analysed"),
    CallRule("code.dynamic_code", _EVAL_CALLS, "Code injection risk: {call} runs text as code", (), 0.9, "the origin of the text was not analysed", (ArgumentCondition(0, reads=compile_pattern(r"^[^\0]*$")),)),
    CallRule("code.dynamic_code", _FUNCTION_CONSTRUCTORS,
        "Code injection risk: `new Function` runs text as code",
        (ArgumentCondition(None, reads=compile_pattern(r"\0")),),
        0.85,
        "the origin of the text was not analysed",
        (ArgumentCondition(0, kinds=frozenset({"arrow_function", "function_expression"})),),
    ),
    CallRule("code.dynamic_code", ("require", "import"), "Code injection risk: untrusted input names the module to load", (ArgumentCondition(0, kinds=frozenset({"identifier", "member_expression", "template_string", "binary_expression", "call_expression", "subscript_expression"}), sources_pattern=compile_pattern(_REQUEST_INPUT)),), 0.75, "a check of the name may exist elsewhere", beside=_REQUEST_KEYWORDS),
    CallRule("code.dynamic_code", ("Reflect.construct",), "Code injection risk: `new Function` runs text as code", (ArgumentCondition(0, compile_pattern(r"^(?:\w+\.)?Function$")),), 0.85, "the origin of the text was not analysed"),
    CallRule("code.dynamic_code", _EXPRESSION_EVALUATORS, "Code injection risk: {call} evaluates text as an expression", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.7, "the origin of the text was not analysed"),
    CallRule("code.dynamic_code", (".evaluate", ".evalSync"), "Code injection risk: {call} evaluates text as an expression", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)^(?:\w+\.)?(?:math|jexl|jse|calculator)$")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.7, "the origin of the text was not analysed", beside=(b"mathjs", b"jexl", b"jse-eval", b"expression-eval")),
    CallRule("code.dynamic_code", ("Worker", "import"), "Code injection risk: a module is loaded from text with a `data:` or `blob:` URL", (ArgumentCondition(0, sources_pattern=_DYNAMIC_BLOB),), 0.75, "the origin of the text was not analysed", beside=(b"new Blob(",)),
    CallRule("code.dynamic_code", _VM_CALLS, "Code injection risk: {call} runs text as code", (), 0.8, "the origin of the text was not analysed", (ArgumentCondition(0, kinds=_STRING),)),
    CallRule("code.dynamic_code", ("Worker", "worker_threads.Worker"), "Code injection risk: text is run as code in a worker", (ArgumentCondition(1, compile_pattern(r"\beval\s*:\s*true\b")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.85, "the origin of the text was not analysed"),
    CallRule("code.dynamic_code", ("._compile", ".executeJavaScript", ".globalEval", "vm2.VM.run", "execScript", ".$eval_text"), "Code injection risk: {call} runs text as code", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.8, "the origin of the text was not analysed", (ArgumentCondition(0, kinds=frozenset({"arrow_function", "function_expression"})),)),
    CallRule("code.dynamic_code", (".run", ".runFile"), "Code injection risk: {call} runs text as code", (ArgumentCondition(RECEIVER, sources_pattern=compile_pattern(r"\bnew\s+(?:vm2\.)?(?:(?:Node)?VM|Sandbox)\b")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.8, "the origin of the text was not analysed", beside=(b"vm2", b"'sandbox'", b'"sandbox"')),
    CallRule("code.dynamic_code", ("require-from-string", "requireFromString", "module._compile"), "Code injection risk: {call} runs text as code", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.8, "the origin of the text was not analysed"),
    CallRule("code.dynamic_code", (".evaluate", ".evaluateHandle", ".executeScript", ".executeAsyncScript", ".addScriptTag"), "Code injection risk: {call} runs text built at run time as code in a page", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)(?:page|frame|browser|driver|worker|tab)\w*$")), ArgumentCondition(0, kinds=frozenset({"template_string", "binary_expression"}), reads=compile_pattern(r"\0"))), 0.75, "the origin of its parts was not analysed"),
    CallRule("code.dynamic_code", ("import",), "Code injection risk: text is compiled as a module and run", (ArgumentCondition(0, compile_pattern(r"\bdata:"), reads=compile_pattern(r"^data:[^,]*,.*\0")),), 0.85, "the origin of the text was not analysed"),
    CallRule("code.dynamic_code", (".appendChild", ".append", ".prepend", ".insertBefore", ".replaceWith", ".before", ".after"), "Code injection risk: text is run as a script in a page", (_SCRIPT_OF_TEXT, ArgumentCondition(0, compile_pattern(r"^[\w$.]{1,60}$"), sources_pattern=compile_pattern(r"\bcreateElement\(\s*['\"`]script['\"`]")),), 0.65, "the origin of the text was not analysed", (ArgumentCondition(SOURCE_BEFORE, compile_pattern(r"\.src\s*=")),), unless_in_file=_DATA, beside=(b"createElement('script'", b'createElement("script"', b"createElement(`script`")),
    CallRule("code.dynamic_code", (*_TEMPLATE_CALLS, *_BRACE_TEMPLATE_CALLS), "Template injection risk: untrusted input is run as a template", (ArgumentCondition(0, sources_pattern=compile_pattern(r"\b(?:req|request|ctx)\.(?:body|query|params|request)\b")),), 0.85, "a check of the input may exist elsewhere"),
    CallRule("code.dynamic_code", (*_TEMPLATE_CALLS, *_BRACE_TEMPLATE_CALLS), "Template injection risk: untrusted input is run as a template", (ArgumentCondition(0, sources_pattern=_STORED_INPUT),), 0.65, "whether the author of the template is trusted was not analysed"),
    CallRule("code.dynamic_code", _TEMPLATE_CALLS, "Template injection risk: a template built at run time is run", (ArgumentCondition(0, reads=compile_pattern(r"[^\0]\0|\0[^\0]|^\0$")),), 0.55, "the template may come from a file of the project", (ArgumentCondition(0, sources_pattern=compile_pattern(r"(?i)read\w*\(|templates?\b|\bfetch\(|require\(|layout|\bhtml\b")),)),
    CallRule("code.dynamic_code", _TIMER_CALLS, "{call} runs text as code: pass a function", (ArgumentCondition(0, kinds=_STRING),), 0.9, "the content of the text was not analysed"),
    CallRule("code.dynamic_code", _TIMER_CALLS, "Code injection risk: {call} runs text built at run time as code", (ArgumentCondition(0, compile_pattern(r"^[^=]*['\"`]"), frozenset({"binary_expression", "template_string"})),), 0.9, "the origin of its parts was not analysed"),
    CallRule("code.dynamic_code", _TIMER_CALLS, "Code injection risk: {call} runs text built at run time as code", (ArgumentCondition(0, kinds=frozenset({"identifier"}), reads=compile_pattern(r"\w.*\(.*\)|[;=].*\0|\0.*[;=(]")),), 0.85, "the origin of its parts was not analysed"),
    CallRule("code.unsafe_deserialization", ("node-serialize.unserialize", "serialize-to-js.deserialize", "funcster.deepDeserialize", "cryo.parse"), "Unsafe deserialization: {call} can run code from the data", (), 0.95, "the origin of the data was not analysed"),
    CallRule("code.unsafe_deserialization", (".unserialize",), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(0),), 0.6, "the type of the receiver is not known"),
    CallRule("code.unsafe_deserialization", (".load", ".loadAll"), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(None, compile_pattern(r"\bDEFAULT_FULL_SCHEMA\b|\bjs-yaml-js-types\b")),), 0.9, "the origin of the data was not analysed"),
    graph_query_rule((".run", ".executeQuery", ".query")),
    CallRule("code.sql_from_strings", _QUERY_CALLS, "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.85, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)cache\w*$|\bmap$|logger$|\blog$|\bconsole$")),), applies_to_callers=True),
    CallRule("code.sql_from_strings", _QUERY_CALLS, "Table or column name is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON, (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)cache\w*$|\bmap$|logger$|\blog$|\bconsole$")),)),
    CallRule("code.sql_from_strings", _RAW_CLAUSE_CALLS, "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, reads=BUILT_CONDITION),), 0.8, ORIGIN_NOT_TRACED_REASON),
    CallRule("code.sql_from_strings", _RAW_CLAUSE_CALLS[:8], "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, reads=BUILT_QUERY_PART),), 0.7, ORIGIN_NOT_TRACED_REASON),
    CallRule("code.sql_from_strings", ("Prisma.raw", "sql.raw", "sql.unsafe", "kyselySql.raw", "Sequelize.literal", "sequelize.literal"), "Table or column name is interpolated into the query of {call}", (ArgumentCondition(0, kinds=frozenset({"identifier", "member_expression", "subscript_expression"}), reads=compile_pattern(r"^\0$")),), 0.55, IDENTIFIER_REASON, (ArgumentCondition(0, compile_pattern(r"(?i)(?:sql|query|statement|ddl|migration|text|clause|fragment)s?$")),)),
    CallRule("code.sql_from_strings", ("Sequelize.literal", "sequelize.literal"), "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, reads=BUILT_QUERY_PART),), 0.75, ORIGIN_NOT_TRACED_REASON),
    CallRule("code.sql_from_strings", _CLAUSE_CALLS, "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(None, kinds=frozenset({"template_string", "binary_expression", "identifier"}), reads=BUILT_CONDITION),), 0.75, ORIGIN_NOT_TRACED_REASON),
    CallRule("code.shell_execution", (".sendText",), "Shell injection risk: {call} runs a command in a terminal's shell", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.65, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(1, compile_pattern(r"^false$")),), beside=(b"vscode",)),
    CallRule("code.sql_from_strings", (".$where",), "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(0, reads=_PARTLY_DYNAMIC),), 0.8, ORIGIN_NOT_TRACED_REASON),
    NodeRule("code.sql_from_strings", "pair", "SQL built by string formatting: a value is interpolated into the query", compile_pattern(r"^['\"]?\$where['\"]?\s*:"), 0.8, ORIGIN_NOT_TRACED_REASON, reads=("value", _PARTLY_DYNAMIC)),
    CallRule("code.shell_execution", _SPAWN_CALLS, "Shell injection risk: {call} runs a command in a shell chosen at run time", (ArgumentCondition(0, _SHELL_NAME), ArgumentCondition(1, compile_pattern(r"^\[\s*\.\.\.[\w.]{1,60},\s*(?:\w+\.){0,3}(?i:\w*(?:command|cmd|script)\w*)\s*\]$"))), 0.7, "the shell was recognised by name only"),
    CallRule("code.shell_execution", _SPAWN_CALLS, "Shell injection risk: {call} runs a command in a shell chosen at run time", (ArgumentCondition(0, _SHELL_NAME), ArgumentCondition(1, compile_pattern(r"^\[\s*['\"`]-\w*c['\"`]\s*,"))), 0.8, "the shell was recognised by name only"),
    CallRule("code.unsafe_deserialization", (".load", ".loadAll"), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(1, compile_pattern(r"\bschema\b")),), 0.75, "the origin of the data was not analysed", (ArgumentCondition(1, compile_pattern(r"(?:JSON|CORE|FAILSAFE)_SCHEMA")),), unless_in_file=re.compile(rb"\A(?!.*js-yaml-js-types)", re.DOTALL)),
    CallRule("code.weak_hash", ("crypto.createHash", "crypto.hash", ".createHash", "createHash"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=_WEAK),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", ("crypto.createHash", "crypto.hash", ".createHash", "createHash"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"^[\w.]*(?:^|[._])(?i:md5|sha_?1)$")),), 0.65, "the hash was recognised by name only"),
    CallRule("code.weak_hash", (".deriveKey", ".deriveBits"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"\bhash\s*:\s*(?:\{\s*name\s*:\s*)?['\"](?i:sha-?1)['\"]")),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", ("jssha", "jsSHA"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"^['\"]SHA-1['\"]$")),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", (".digestStringAsync", "digestStringAsync", ".digestAsync"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"\.(?:MD[245]|SHA1)$|^['\"](?:MD5|SHA-1)['\"]$")),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", ("hash.js.sha1", "hash.js.md5", ".hash.sha1.hash", "ts-md5.Md5", "Md5.hashStr", "apache-md5"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", ("crypto.createHmac",), "Weak hash is used with a key (MD5)", (ArgumentCondition(0, reads=_WEAK_WITH_KEY),), 0.5, KEYED_HASH_REASON),
    CallRule("code.weak_hash", (".digest",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"^['\"`{].{0,40}?(?i:sha-?1|md5)['\"`]")),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", (".subtle.digest", "subtle.digest", "CryptoHasher.hash", "Bun.CryptoHasher", "Bun.CryptoHasher.hash", "CryptoHasher", "sha.js", "crypto.createSign", "crypto.createVerify"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=_WEAK),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", ("crypto.pbkdf2", "crypto.pbkdf2Sync"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(4, reads=_WEAK),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", ("object-hash", "hasha", "hasha.hash", "hasha.hashSync", "hasha.hashFile", "hasha.hashFileSync", "hasha.fromFile", "hasha.fromFileSync", "hasha.fromStream", "objectHash"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(1, reads=compile_pattern(r"\balgorithm\s*:\s*['\"`](?i:md5|sha1)['\"`]")),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", (".md5.create", ".sha1.create", "Bun.MD5", "Bun.SHA1", "Bun.MD4"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.weak_hash", ("md5", "blueimp-md5", "js-md5", "sha1", "js-sha1", "js-md5.md5", "js-sha1.sha1", "js-md5.md5.create", "crypto-js.MD5", "crypto-js.SHA1", "crypto-js/md5", "crypto-js/sha1", "CryptoJS.MD5", "CryptoJS.SHA1", "ts-md5.Md5.hashStr", "ts-md5.Md5.hashAsciiStr", "SparkMD5.hash", "spark-md5.hash", "SparkMD5.ArrayBuffer.hash", "spark-md5.ArrayBuffer.hash", "md5.create", "@noble/hashes/legacy.md5", "@noble/hashes/legacy.sha1", "@noble/hashes/sha1.sha1"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0),), 0.7, USE_NOT_TRACED_REASON),
    CallRule("code.no_timeout", (*_AXIOS_CALLS, "axios"), "No timeout on {call}: the request can hang forever", (), 0.6, "a default timeout may be set elsewhere", (ArgumentCondition(None, reads=compile_pattern(r"\b(?:timeout|signal)\b")), _TIMEOUT_WRAPPER), unless_in_file=re.compile(rb"\btimeout\b|AbortSignal|AbortController")),
    CallRule("code.no_timeout", ("axios.create",), "HTTP client has no timeout: its requests can hang forever", (), 0.6, "each request may set its own timeout", (ArgumentCondition(0, reads=compile_pattern(r"\b(?:timeout|signal|adapter)\b|\.\.\.|^\0$")),), unless_in_file=re.compile(rb"\btimeout\b|AbortSignal|AbortController")),
    CallRule("code.no_timeout", ("https.get", "http.get", "https.request", "http.request", "got", *(f"got.{verb}" for verb in _VERBS), "node-fetch", "nodeFetch", "superagent", *(f"superagent.{verb}" for verb in _VERBS), "needle", *(f"needle.{verb}" for verb in _VERBS)), "No timeout on {call}: the request can hang forever", (ArgumentCondition(0),), 0.6, _TIMEOUT_ELSEWHERE_REASON, (_TIMEOUT_WRAPPER,), unless_in_file=_NO_LIBRARY),
    _missing_timeout_rule(("axios.get", "axios.delete", "axios.head", "axios.options"), 1),
    _missing_timeout_rule(("axios.post", "axios.put", "axios.patch"), 2),
    CallRule("code.no_timeout", ("axios", "axios.request"), "No timeout on {call}: the request can hang forever", (ArgumentCondition(0, kinds=frozenset({"object"})),), 0.55, _TIMEOUT_ELSEWHERE_REASON, (ArgumentCondition(0, reads=_TIMEOUT_OPTION),), unless_in_file=_DEFAULT_TIMEOUT),
    CallRule("code.no_timeout", ("axios.create",), "HTTP client has no timeout: its requests can hang forever", (), 0.55, "each request may set its own timeout", (ArgumentCondition(0, reads=_TIMEOUT_OPTION),), unless_in_file=_INSTANCE_DEFAULT_TIMEOUT),
    _missing_timeout_rule(("got", *(f"got.{verb}" for verb in _VERBS), "node-fetch", "nodeFetch"), 1),
    CallRule("code.no_timeout", tuple(f"superagent.{verb}" for verb in _VERBS), "No timeout on {call}: the request can hang forever", (ArgumentCondition(0),), 0.55, _TIMEOUT_ELSEWHERE_REASON, (ArgumentCondition(SOURCE_AFTER, compile_pattern(r"^[^;]{0,290}?\.timeout\(")),), unless_in_file=_DEFAULT_TIMEOUT),
    CallRule("code.no_timeout", (*_AXIOS_CALLS, "axios", "axios.create", "got", "got.extend", *(f"got.{verb}" for verb in _VERBS), "ky", "ky.create", "ky.extend", *(f"ky.{verb}" for verb in _VERBS), "undici.request", "undici.fetch", "undici.Agent", "undici.Client", "undici.Pool", "request", *(f"request.{verb}" for verb in _VERBS), *(f"superagent.{verb}" for verb in _VERBS)), "Timeout is turned off: the call can hang forever", (ArgumentCondition(None, reads=_TIMEOUT_DISABLED),), 0.75, "a timeout may be set elsewhere", unless_in_file=_NO_TIMEOUT_DISABLED),
    NodeRule("code.no_timeout", "pair", "Timeout is turned off: the call can hang forever", compile_pattern(r"^(?:timeout: 0|timeout:0|timeout: Infinity)$"), 0.6, "where the options are used was not analysed", beside=(b"'axios'", b'"axios"', b"'got'", b'"got"', b"'ky'", b'"ky"')),
    NodeRule("code.no_timeout", "return_statement", "Timeout is turned off: the call can hang forever", compile_pattern(r"^return\s*\{[^;]{0,1500}?\b(?:timeout: 0|timeout:0|timeout: false|timeout: Infinity|timeout: null)\s*[,}]"), 0.6, "where the options are used was not analysed", beside=(b"axios", b"baseURL", b"httpsAgent", b"rejectUnauthorized", b"prefixUrl")),
    CallRule("code.no_timeout", ("got.extend",), "HTTP client has no timeout: its requests can hang forever", (), 0.6, "each request may set its own timeout", unless_in_file=_NO_LIBRARY),
    CallRule("code.no_timeout", ("fetch", "undici.fetch", "undici.request", "globalThis.fetch"), "No timeout on {call}: only the platform's default limits the request", (ArgumentCondition(0),), 0.5, _PLATFORM_TIMEOUT_REASON, (ArgumentCondition(0, compile_pattern(r"^['\"`](?:/|data:|blob:|\./)|\bimport\.meta\b")), ArgumentCondition(0, compile_pattern(r"^(?:[\w.]*[rR]eq(?:uest)?|event\.request)$")), ArgumentCondition(1, compile_pattern(r"\b(?:signal|timeout)\b|^(?!\{)|\.\.\.")), _TIMEOUT_WRAPPER), unless_in_file=_TIMEOUT_OR_OTHER_FETCH),
    CallRule("code.no_timeout", ("request", "rp", *(f"{made}.{verb}" for made in ("request", "rp") for verb in _VERBS)), "No timeout on {call}: the request can hang forever", (ArgumentCondition(0),), 0.55, _TIMEOUT_ELSEWHERE_REASON, unless_in_file=_NO_CLIENT),
    CallRule("code.no_timeout", ("net.request", "net.fetch", "electron.net.request", "electron.net.fetch"), "No timeout on {call}: the request can hang forever", (ArgumentCondition(0),), 0.65, "a timeout may be set elsewhere", unless_in_file=_NO_ELECTRON),
    CallRule("code.no_timeout", ("net.connect", "net.createConnection", "tls.connect"), "Connection has no timeout and can hang forever", (ArgumentCondition(0),), 0.5, "the operating system's timeout may be short enough", (ArgumentCondition(0, compile_pattern(r"(?i)^['\"`]|\bpath\s*:|sock|pipe")),), unless_in_file=_TIMEOUT_SETTING),
    *temporary_file_rules(_WRITE_CALLS, ArgumentCondition(1, compile_pattern(_NEW_ONLY)), ArgumentCondition(2, compile_pattern(_NEW_ONLY))),
    *temporary_file_rules(_COPY_CALLS, place=1),
    *temporary_file_rules((".listen", "Database", "sqlite3.Database", "Sqlite.Database", ".toFile", "pino.destination", ".destination")),
    *temporary_file_rules(("fs.open", "fsp.open", "fsPromises.open", "fs.promises.open"), ArgumentCondition(1, compile_pattern(r"^(?!['\"][wa]\+?['\"])"))),
    CallRule("code.insecure_temporary_file", (".listen",), FIXED_FILE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^\{[^{}]*\bpath\s*:\s*['\"`]/(?:var/)?tmp/")),), 0.8, PRIVATE_FOLDER_REASON),
    CallRule("code.insecure_temporary_file", (".screenshot", ".pdf", ".File", ".DailyRotateFile"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"\b(?:path|filename)\s*:\s*['\"`]/(?:var/)?tmp/[^'\"`$]+['\"`]")),), 0.7, PRIVATE_FOLDER_REASON),
    CallRule("code.insecure_temporary_file", ("multer", ".lock", ".lockSync"), GUESSABLE_FOLDER_STATEMENT, (ArgumentCondition(0, compile_pattern(r"\bdest\s*:\s*['\"`]/(?:var/)?tmp/|^['\"`]/(?:var/)?tmp/")),), 0.55, PRIVATE_FOLDER_REASON),
    temporary_argument_rule((*_SPAWN_CALLS, *_SHELL_CALLS)),
    *temporary_folder_rules(("fs.mkdir", "fs.mkdirSync", "fsp.mkdir", "mkdir", "mkdirSync"), ArgumentCondition(1, compile_pattern(r"\brecursive\s*:\s*true"))),
    *temporary_folder_rules((".ensureDir", ".ensureDirSync", ".mkdirp", ".mkdirpSync", "mkdirp", "mkdirp.sync")),
    CallRule("code.insecure_temporary_file", ("tmp.tmpNameSync", "tmp.tmpName", "tempy.file", "temp.path"), "{call} only makes a name: another user can create the file first", (), 0.7, PRIVATE_FOLDER_REASON),
    CallRule(
        "code.swallowed_exception",
        (".catch",),
        "Promise rejections are silently dropped",
        (ArgumentCondition(0, compile_pattern(r"^(?:async\s+)?(?:\(\s*\w*\s*(?::\s*\w+\s*)?\)|\w+)\s*=>\s*\{\s*;?\s*\}$|^(?:async\s+)?function\s*\w*\(\s*\w*\s*\)\s*\{\s*\}$|^(?:_\.|lodash\.)?noop$|^(?:async\s+)?(?:\(\s*\w*\s*(?::\s*\w+\s*)?\)|\w+)\s*=>\s*" + UNINFORMATIVE_COMMENT_BODY)),),
        0.8,
        "the failure may be reported elsewhere",
    ),
    CallRule(
        "code.swallowed_exception",
        (".catch",),
        "Promise rejections become a fixed value, which hides errors",
        (ArgumentCondition(0, _RETURNS_FIXED_VALUE),),
        0.5,
        "callers may expect the empty value",
        (ArgumentCondition(RECEIVER, _MAY_FAIL_AS_EXPECTED),),
    ),
    CallRule("code.swallowed_exception", (".then",), "Promise rejections become a fixed value, which hides errors", (ArgumentCondition(1, _RETURNS_FIXED_VALUE),), 0.5, "callers may expect the empty value", (ArgumentCondition(RECEIVER, _MAY_FAIL_AS_EXPECTED),)),
    CallRule("code.swallowed_exception", ("catchError",), "{call} turns every error of a stream into an empty value", (ArgumentCondition(0, _RETURNS_EMPTY_STREAM),), 0.55, "callers may expect the empty value"),
    CallRule("code.swallowed_exception", ("fs.writeFile", "fs.appendFile", "fs.rename", "fs.copyFile", "fs.rm"), "Empty callback of {call} ignores every error", (ArgumentCondition(None, _DOES_NOTHING),), 0.6, "the failure may be reported elsewhere"),
    CallRule("code.swallowed_exception", ("fs.readFile", "fs.writeFile", "fs.appendFile", "fs.rename", "fs.copyFile"), "Callback ignores its error argument", (ArgumentCondition(None, _CALLBACK_IGNORING_FIRST, frozenset({"arrow_function", "function_expression"})),), 0.55, "the failure may be reported elsewhere"),
    *(
        NodeRule("code.swallowed_exception", kind, "Callback ignores its error argument", _CALLBACK_IGNORING_ERROR, 0.55, "the failure may be reported elsewhere", unless_before=_ERROR_CALLBACK_BEFORE, beside=(b"(err,", b"(error,", b"(err:", b"(error:"))
        for kind in ("function_expression", "arrow_function", "function_declaration")
    ),
    CallRule("code.swallowed_exception", (".then",), "Promise rejections are silently dropped", (ArgumentCondition(1, _DOES_NOTHING),), 0.8, "the failure may be reported elsewhere", beside=_EMPTY_FUNCTION_KEYWORDS),
    CallRule("code.swallowed_exception", (".on", ".once", ".addListener"), "Empty listener silently drops every error", (ArgumentCondition(0, compile_pattern(r"^['\"`](?:error|uncaughtException|unhandledRejection)['\"`]$")), ArgumentCondition(1, _DOES_NOTHING)), 0.65, "the failure may be reported elsewhere", beside=_EMPTY_FUNCTION_KEYWORDS),
    HandlerRule("code.swallowed_exception", "`catch` silently drops every exception", compile_pattern(_CATCH_HEAD + r"void\s+\w+\s*;?\s*\}$"), confidence=0.7),
    HandlerRule("code.swallowed_exception", "`catch` silently drops every exception", compile_pattern(_CATCH_HEAD + r"(?:return|continue)\s*;?\s*\}$"), confidence=0.6, tried=_RISKY),
    HandlerRule("code.swallowed_exception", "Catch-all handler hides every error behind a fixed value", compile_pattern(_CATCH_HEAD + r"return\s+(?:null|undefined|\[\]|\{\}|''|\"\"|0|-1)\s*;?\s*\}$"), confidence=0.5, because="callers may treat the value as a failure", tried=_AWAITING_TRY),
    HandlerRule("code.swallowed_exception", "Catch-all handler hides every error behind a fixed value", compile_pattern(_CATCH_HEAD + r"return\s+(?:null|undefined|\[\]|\{\}|''|\"\"|0|-1)\s*;?\s*\}$"), confidence=0.5, because="callers may treat the value as a failure", tried=_REMOTE_CALL_TRY),
    HandlerRule("code.swallowed_exception", "Catch-all handler hides every error behind a fixed value", compile_pattern(_CATCH_HEAD + r"(?:this\.)?\w+\s*=\s*(?:null|undefined|\[\]|\{\}|''|\"\"|0|-1)\s*;?\s*\}$"), confidence=0.5, because="callers may treat the value as a failure", tried=_AWAITING_TRY),
    HandlerRule("code.swallowed_exception", "Catch-all handler hides every error behind a fixed value", compile_pattern(_CATCH_HEAD + r"(?:return\s+|(?:this\.)?\w+\s*=\s*)(?:null|undefined|\[\]|\{\}|''|\"\"|0|-1)\s*;?\s*\}$"), confidence=0.5, because="callers may treat the value as a failure", tried=_FALLIBLE_SYNC_TRY),
    HandlerRule("code.swallowed_exception", "Catch-all handler hides every error behind a fixed value", compile_pattern(_CATCH_HEAD + r"return\s+false\s*;?\s*\}$"), confidence=0.5, because="callers may treat the value as a failure", tried=_NEVER_TRUE),
    CallRule("code.tls_verification_off", (".appendSwitch",), "TLS certificate checks are turned off for the whole process", (ArgumentCondition(0, compile_pattern(r"ignore-certificate-errors")),), 0.9, "whether it is used was not analysed"),
    CallRule("code.tls_verification_off", (".setCertificateVerifyProc",), "Every TLS certificate is accepted", (ArgumentCondition(0, compile_pattern(r"\(\s*0\s*\)")),), 0.9, "whether it is used was not analysed"),
    ValueRule("code.tls_verification_off", compile_pattern(r"(?:rejectUnauthorized|strictSSL|validateCertificate|sslValidate|validateCerts|verifyCertificate|checkCertificate|verifySSL|verifySsl|sslVerify)['\"]?$"), compile_pattern(r"^(?:false|!1|!true|0)\b"), "TLS certificate is not verified"),
    ValueRule("code.tls_verification_off", compile_pattern(r"rejectUnauthorized['\"]?$"), compile_pattern(r"^[^,?{}]{1,200}\?\s*(?:(?:false|!1)\s*:|true\s*:\s*false\b)"), "TLS certificate is not verified in some cases", 0.7, "the condition was not analysed"),
    ValueRule("code.tls_verification_off", compile_pattern(r"(?:ignoreHTTPSErrors|acceptInsecureCerts|tlsAllowInvalidCertificates|tlsAllowInvalidHostnames|tlsInsecure|trustServerCertificate)['\"]?$"), compile_pattern(r"^(?:true|!0)\b"), "TLS certificate is not verified"),
    CallRule("code.tls_verification_off", (".disableTLSCerts",), "TLS certificate is not verified", (), 0.95, "whether it is used was not analysed"),
    ValueRule("code.tls_verification_off", compile_pattern(r"hostVerifier['\"]?$"), compile_pattern(r"^(?:async\s*)?(?:function\s*\w*)?\(?[^)]{0,100}\)?\s*(?::\s*\w+\s*)?(?:=>)?\s*(?:true\b|!0|\{\s*return\s+(?:true|!0)\s*;?\s*\})"), "SSH host key is not verified"),
    NodeRule("code.tls_verification_off", "string", "TLS certificate is not verified", UNVERIFIED_TLS_URL, 0.9, "whether it is used was not analysed"),
    NodeRule("code.tls_verification_off", "template_string", "TLS certificate is not verified", UNVERIFIED_TLS_URL, 0.9, "whether it is used was not analysed"),
    NodeRule("code.tls_verification_off", "string", "TLS certificate checks are turned off for the whole process", compile_pattern(r"^['\"]--ignore-certificate-errors"), 0.9, "whether it is used was not analysed"),
    NodeRule("code.tls_verification_off", "object", "TLS certificate is not verified", compile_pattern(r"^\{(?=[^{}]{0,600}?\btarget\s*:)[^{}]{0,600}?\b(?:secure: false|secure:false|secure: !1)\b"), 0.8, "whether it is used was not analysed"),
    CallRule("code.tls_verification_off", ("createProxyMiddleware", "createProxyServer", ".createProxyServer", ".createProxy", ".createProxyMiddleware"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"\bsecure\s*:\s*(?:false|!1)\b")),), 0.8, "whether it is used was not analysed"),
    CallRule("code.tls_verification_off", (*_SPAWN_CALLS, *_SHELL_CALLS), "Program is run with TLS or SSH host key checks turned off", (ArgumentCondition(ALL_ARGUMENTS, reads=UNVERIFIED_TLS_COMMAND),), 0.9, "whether it is used was not analysed", beside=UNVERIFIED_TLS_KEYWORDS),
    ValueRule("code.tls_verification_off", compile_pattern(r"checkServerIdentity['\"]?$"), compile_pattern(r"^(?:async\s*)?(?:function\s*\w*)?\(?[^)]{0,100}\)?\s*(?::\s*\w+\s*)?(?:=>)?\s*(?:undefined|null|void 0|\{\s*(?:return(?:\s+(?:undefined|null|true))?\s*;?)?\s*\})"), "Host name in the TLS certificate is not verified"),
    ValueRule("code.tls_verification_off", compile_pattern(r"NODE_TLS_REJECT_UNAUTHORIZED['\"\]]*$"), compile_pattern(r"^['\"`]?0|^false"), "TLS certificate checks are turned off for the whole process"),
    HandlerRule("code.swallowed_exception", "`catch` silently drops every exception", empty=True),
    HandlerRule("code.swallowed_exception", "`catch` silently drops every exception", compile_pattern(UNINFORMATIVE_COMMENT_BODY), confidence=0.7),
    NodeRule("code.tls_verification_off", "call_expression", "Every TLS certificate is accepted", compile_pattern(r"^[\w.]+\.on\(\s*['\"]certificate-error['\"].{0,800}?\w+\(\s*true\s*\)"), 0.9, "whether it is used was not analysed"),
    NodeRule("text.debug_leftovers", "debugger_statement", "Leftover debugging statement"),
    CallRule("text.debug_leftovers", ("console.log", "console.debug"), BARE_VALUE_STATEMENT, (ArgumentCondition(WHOLE_CALL, _BARE_VALUE),), 0.55, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
    CallRule("text.debug_leftovers", ("console.log", "console.debug", "console.info", "console.warn", "console.error"), "Variable is printed with its name, like debug output", (ArgumentCondition(WHOLE_CALL, _LABELED_BY_NAME),), 0.6, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
    CallRule("text.debug_leftovers", ("console.log", "console.debug"), "Variable is printed with its name, like debug output", (ArgumentCondition(WHOLE_CALL, _NAMED_AMONG_WORDS),), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
    CallRule("text.debug_leftovers", ("console.log", "console.debug"), "Values are printed after a short label, like debug output", (ArgumentCondition(WHOLE_CALL, _LABELED_VALUE),), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
    CallRule("text.debug_leftovers", ("console.dir", "console.table"), BARE_VALUE_STATEMENT, (ArgumentCondition(0, kinds=frozenset({"identifier", "member_expression"})),), 0.55, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
    CallRule("text.debug_leftovers", ("console.log", "console.debug"), "Values are printed after an arrow, like debug output", (ArgumentCondition(0, compile_pattern(r"^['\"`][\s*#-]{0,5}[=-]{1,40}>+\s*\w{0,24}\s*[:=]?\s*['\"`]$")), ArgumentCondition(1, compile_pattern(r"^[\w$.\[\]]+$"))), 0.6, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
    CallRule("text.debug_leftovers", ("screen.debug", "page.pause", "cy.pause", "cy.debug", "browser.debug", "screen.logTestingPlaygroundURL"), "Leftover debugging call: {call}", (), 0.85, "a debugging tool may call it on purpose"),
    CallRule("text.debug_leftovers", ("alert", "window.alert"), "Alert text looks like leftover debug output", (ArgumentCondition(0, DEBUG_MARKER_TEXT),), 0.75, INTENDED_OUTPUT_REASON),
    CallRule("text.debug_leftovers", ("console.trace",), "Leftover debugging call: {call}", (), 0.7, INTENDED_OUTPUT_REASON),
    *debug_print_rules(("console.log", "console.debug", "console.info", "console.warn", "console.error", "console.trace")),
)  # fmt: skip
