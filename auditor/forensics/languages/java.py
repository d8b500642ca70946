"""Java."""

from __future__ import annotations

import re

from auditor.forensics.languages.built_query_patterns import BUILT_QUERY, BUILT_VALUE_QUERY
from auditor.forensics.languages.keyword_gated_patterns import compile_pattern
from auditor.forensics.languages.language_rule_types import (
    ALL_ARGUMENTS,
    RECEIVER,
    WHOLE_CALL,
    ArgumentCondition,
    CallRule,
    HandlerRule,
    NodeRule,
    UncheckedResult,
    ValueRule,
)
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.rules_shared_by_languages import (
    BARE_VALUE_STATEMENT,
    BUILT_CONDITION,
    BUILT_INTERPRETER_COMMAND,
    BUILT_REMOTE_COMMAND,
    BUILT_REMOTE_STATEMENT,
    BUILT_SHELL_COMMAND,
    CONSTANT_COMMAND_REASON,
    CONSTANT_REMOTE_COMMAND,
    CONSTANT_REMOTE_STATEMENT,
    CONSTANT_SHELL_COMMAND,
    DECODED_SHELL_COMMAND,
    EMPTY_OUTPUT_REASON,
    FIXED_FILE_STATEMENT,
    FIXED_TEMPORARY_PATH,
    GUESSABLE_FOLDER_STATEMENT,
    GUESSABLE_TEMPORARY_PATH,
    IDENTIFIER_REASON,
    INTENDED_OUTPUT_REASON,
    KEYED_HASH_REASON,
    ORIGIN_NOT_TRACED_REASON,
    PARTLY_GENERATED_REASON,
    PRIVATE_FOLDER_REASON,
    RANDOM_NAME_SOURCE,
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
from auditor.forensics.languages.string_syntax import StringSyntax
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.source_text.decode_and_run_commands import (
    DECODE_AND_RUN_COMMAND,
    DECODE_AND_RUN_STATEMENT,
    NOT_DECODED_REASON,
)
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_BROAD = compile_pattern(
    r"^catch\s*\(\s*(?:final\s+)?(?:java\.lang\.)?(?:(?:Exception|Throwable)\s+|RuntimeException\s+(?!(?:ignored?|expected|unused)\w*\s*\)))\w+\s*\)"
)
_UNEXPECTED_EXCEPTION = r"(?:\w*SQL\w*|Runtime|Batch\w*|DataAccess|Persistence|Hibernate|JPA|Messaging|JMS|Mail\w*|Execution|Remote|Naming|Servlet|Mongo\w*|Redis\w*|Jedis\w*|Kafka\w*|Amqp|RestClient|WebClient\w*|HttpClientError|Stripe|\w*Payment\w*|GeneralSecurity|\w*Crypto\w*|KeyStore\w*|Certificate|SSL\w*|Authentication|AccessDenied|Security|Transaction\w*|\w*Rollback\w*|OptimisticLock\w*)Exception|Error|OutOfMemoryError|LinkageError|AssertionError"
"""Failures of databases, of what protects something, of other machines, and those of every kind: no code is written so that they happen."""
_IGNORED_EXCEPTION = compile_pattern(
    rf"^catch\s*\(\s*(?:final\s+)?[\w.|\s]*?\b(?:{_UNEXPECTED_EXCEPTION})\s[\w.|\s]*?\b(?:ignored?|expected|unused)\w*\s*\)"
)
_QUERY_CALLS = (
    ".executeQuery", ".executeUpdate", ".execute", ".executeLargeUpdate", ".addBatch", ".prepareStatement", ".prepareCall", ".createQuery", ".createNativeQuery", ".createSQLQuery", ".createStatement",
    ".createNativeMutationQuery", ".createMutationQuery", ".createSelectionQuery", ".query", ".queryForObject", ".queryForList", ".queryForMap", ".queryForRowSet", ".queryForStream", ".update", ".batchUpdate",
    ".rawQuery", ".execSQL", ".resultQuery", ".fetch", ".fetchOne", ".sql", ".nativeQuery", ".executeSql", ".select", ".selectList", ".setQuery", ".createCommand", ".executeAndFetch", ".find", ".list", ".newQuery", ".preparedQuery", ".queryForInt", ".queryForLong", "PreparedStatementCreatorFactory",
    "SimpleQuery", "NativeQuery", "executeQuery", "executeUpdate", "runQuery", "query",
)  # fmt: skip
_CLAUSE_CALLS = (
    ".where",
    ".and",
    ".or",
    ".condition",
    ".having",
    ".orderBy",
    ".field",
    "condition",
    "field",
    "DSL.condition",
    "DSL.field",
    ".sqlRestriction",
    "Restrictions.sqlRestriction",
)
_SQL_FRAGMENT_CALLS = (
    "DSL.condition",
    "DSL.field",
    "DSL.sql",
    "DSL.query",
    "DSL.resultQuery",
    "Restrictions.sqlRestriction",
)
_RUNTIME_CALLS = (".exec", "exec")
_NOT_EXPECTED_TO_FAIL = compile_pattern(r"\A(?!.*\bfail\([^;]{0,300}\);\s*\}\s*\Z)")
"""What does not end in failing: a test that fails where nothing is thrown wants the exception."""
_SSH_KEYWORDS = (b"jsch", b"schmizz", b"sshd.client", b"trilead", b"ganymed")
"""Libraries that run commands on another machine."""
_LOGGING_CALL = r"\.(?:error|warn|warning|severe|log|info|debug|fine|trace)\s*\(|printStackTrace"
_LOGGED_ERROR = compile_pattern(
    r"^catch\s*\(\s*(?:final\s+)?[\w.]+\s+(\w+)\s*\).*(?:\.(?:error|warn|warning|severe|fatal|log)\s*\([^;]{0,200}?,\s*\1\s*\)\s*;|\.withThrowable\(\s*\1\b|\.setCause\(\s*\1\b|\b\1\.printStackTrace\(|captureException\(\s*\1\b|\.uncaughtException\()"
)
"""A handler that keeps the trace of what it logs."""
_MAIN_LOOP = compile_pattern(
    r"while\s*\(\s*(?:true\b|!|[\w.]*(?:running|active|alive|open|started)\w*(?:\.get)?(?:\(\))?\s*\))|for\s*\(\s*;\s*;\s*\)|(?:@\w+(?:\([^)]*\))?\s+)*(?:public\s+|private\s+|protected\s+|static\s+|final\s+)*(?:void|int)\s+main\s*\("
    r"|(?:@\w+(?:\([^)]*\))?\s+)*@(?:Scheduled|KafkaListener|RabbitListener|JmsListener|SqsListener|EventListener|StreamListener|PulsarListener|ExceptionHandler|Async|Incoming)\b"
)
"""What a program, a thread or a message begins in."""
_COMMAND_LINE_PROGRAM = re.compile(
    rb"\bstatic\s+(?:final\s+)?void\s+main\s*\(|\bvoid\s+main\s*\(|\b(?:Scanner|Console|picocli|JCommander|CommandLineRunner|ApplicationRunner|ShellComponent|jline|CommandLine)\b|(?s:System\.out\b.*System\.out\b.*System\.out\b)"
)
"""What a program holds that speaks to whoever runs it."""
_PERMISSIVE_VERIFIER = r"^(?:[\w@]+\s+){0,6}(?:HostnameVerifier|TrustStrategy|X509HostnameVerifier)\s+\w+\s*=\s*(?:\([^)]{0,100}\)\s*->\s*(?:true\b|\{\s*return\s+true\s*;)|NoopHostname|TrustAll)"
_TIMEOUT_ELSEWHERE_REASON = "a timeout may be set elsewhere"
_DECODING_CALL = compile_pattern(r"\bBase64\b|\bparseBase64Binary\(|\bHex(?:Format)?\b\.")
_NEW_ONLY = ArgumentCondition(None, compile_pattern(r"\bCREATE_NEW\b"))
_ONLY_READ = re.compile(
    rb"\A(?!.*(?:Writer|OutputStream|PrintStream|RandomAccessFile|\.createNewFile\(|\.write|Files\.(?:copy|move|new)|transferTo\(|\.save|\.store\(|\.mkdirs?\(|BodyHandlers\.ofFile|\.download|\.saveAs|ZipFile|\.extract|getObject\(|\.toFile\(|\.setOutput|\.export))",
    re.DOTALL,
)
"""A file that writes nothing."""
_UNCHECKED_PROCESS = UncheckedResult(
    behind=re.compile(rb"\s*\.(?:getInputStream|getErrorStream|inputReader)\(\)"),
    uses=re.compile(
        rb".?@\.(?:getInputStream|getErrorStream|getOutputStream|inputReader|errorReader|outputWriter|pid|toHandle|info|isAlive|destroy|destroyForcibly)\(|[;{})]@\.(?:waitFor|destroy|destroyForcibly)\([^;]*\)\s*;",
        re.DOTALL,
    ),
)
"""Of a child process, nobody asks with what it ended."""
_FIXED_VALUE = r"(?:\s*//[^\n]*\n)?\s*(?:return(?:\s+(?:null|false|true|-?\d+L?|\"[^\"]*\"|-?\d+(?:\.\d+)?[dDfF]?|'[^']{1,2}'|(?:Optional\w*|List|Map|Set|Collections|Stream|ImmutableList|ImmutableMap|ImmutableSet)\.(?:<[\w<>, ?]{1,60}>)?(?:empty\w*|of)\(\s*\)|new\s+(?:\w+\.)*(?:ArrayList|HashMap|HashSet|LinkedHashMap|LinkedList|TreeMap|JSONObject|JSONArray|StringBuilder|Object|String|byte|int)(?:<[\w<>, ?]{0,60}>)?(?:\(\s*0?\s*\)|\[\s*0\s*\])|(?:\w+\.)?[A-Z][A-Z0-9_]{2,40}))?|continue|break)\s*;\s*"
_EMPTY_VALUE = r"(?:null|false|-?\d+L?|\"[^\"]{0,40}\"|(?:Mono|Flux|Observable|Single|Maybe|Completable|Optional|Stream|List|Map|Set|Collections|Try)\.(?:<[\w<>, ?]{1,60}>)?(?:empty\w*|just|of|never|complete)\(\s*(?:null|false|\"\")?\s*\)|new (?:ArrayList|HashMap|HashSet)<\w*>\(\))"
_EMPTY_BODY = r"\s*\{(?:\s|//[^\n]*\n|/\*[^*]*\*/)*\}$"
"""A body that does nothing."""
_CONSTANT_ASSIGNMENT_BODY = r"\s*\{\s*(?:this\.)?\w+\s*=\s*(?:null|false|-?\d+L?|\"[^\"]{0,40}\"|Optional\.empty\(\)|(?:List|Map|Set)\.of\(\)|Collections\.empty\w+\(\)|new ArrayList<>\(\)|new HashMap<>\(\))\s*;\s*\}$"
_SWALLOWING_BODY = rf"{_EMPTY_BODY}|{_CONSTANT_ASSIGNMENT_BODY}|\s*\{{{_FIXED_VALUE}\}}$"
"""A body that only drops what it catches, which is told elsewhere."""
_SHELL_NAME = compile_pattern(
    r"(?i)^(?:(?:user|login|default|system)?_?shell(?:path|bin|cmd|name)?|(?:ba|z|da|k)?sh(?:_?(?:path|bin))?)$|^System\.getenv\(\"SHELL\"\)$"
)
_TEST_SYNTAX = TestSyntax(
    words=(b"@Test", b"@ParameterizedTest", b"@RepeatedTest", b"@Property", b".Test"),
    functions=compile_pattern(
        r"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b"
    ),
    function_kinds=frozenset({"method_declaration"}),
    groups=frozenset({"class_declaration"}),
    checks=compile_pattern(
        r"\b(?i:assert|verify|fail|expect|check|should|must|ensure|validate)\w*[.(]|\bgiven\(\)|\.then\(\)|\bthen\(|\bawait\(|\.until\w*\(|\b(?:run|test|(?<![mM]vc\.)perform)\w*\(|\bassert\b|\bthrow\b|expected\s*=|assertThat|\.andExpect"
    ),
    counted=compile_pattern(
        r"\b(?i:assert|verify|fail|expect|check|should|then)\w*\s*\(|\.(?:is|has|contains|andExpect)\w*\("
    ),
    trivial=compile_pattern(
        r"\bassert(?:True\(\s*true\s*\)|False\(\s*false\s*\)|Null\(\s*null\s*\)|(?:Equals|Same)\(\s*(\w+)\s*,\s*\1\s*\))|\bassertThat\(\s*true\s*\)\.isTrue\(\)|\bassertThat\((?>(?:[^(),;\"]|\"[^\"\n]{0,200}\"|\((?>(?:[^()\"]|\"[^\"\n]{0,200}\"|\([^()]{0,200}\)){0,200})\)){1,200})\)\s*;"
    ),
    skipped=compile_pattern(r"@(?:[\w.]+\.)?(?:Disabled|Ignore)\b(?!\w)|\benabled\s*=\s*false"),
    conditional=compile_pattern(r"@(?:[\w.]+\.)?(?:Disabled|Enabled)(?:If|On|For|In)\w*\b"),
    announced=compile_pattern(r"\bcontext\w*Loads?\w*\s*\(|\bexpected\s*=|\bexpectedExceptions\s*="),
    stops=compile_pattern(
        r"(?:\w+\.)?(?:assumeTrue\(\s*false\b|assumeFalse\(\s*true\b|abort\()|throw new (?:\w+\.)*(?:SkipException|TestAbortedException|AssumptionViolatedException)"
    ),
)
_STRING_SYNTAX = StringSyntax(
    literals=frozenset({"string_literal"}),
    gives={"variable_declarator": ("name", "value"), "assignment_expression": ("left", "right")},
    declares=frozenset({"variable_declarator"}),
    around={"parenthesized_expression": "", "cast_expression": "value"},
    choices={"ternary_expression": ("consequence", "alternative")},
    lists=frozenset({"array_initializer", "array_creation_expression"}),
    members=frozenset({"field_access"}),
    calls=frozenset({"method_invocation", "object_creation_expression"}),
    format_calls=re.compile(r"^(?:String\.)?format$"),
    format_methods=re.compile(r"(?:^|\.)formatted$"),
    same=re.compile(r"(?:^|\.)(?:toString|trim|strip|intern|stripIndent|toPath|toURL|toURI|toUri|redirectErrorStream|directory|inheritIO|redirectOutput|redirectInput|redirectError|replace)$"),
    identity_calls=re.compile(r"^(?:String\.valueOf|String|StringBuilder|StringBuffer|Objects\.requireNonNull|(?:java\.util\.)?(?:ArrayList|LinkedList)|Paths\.get|Path\.of|File|StringSubstitutor)$"),
    adds=re.compile(r"(?:^|\.)(?:append|concat)$"),
    append_methods=re.compile(r"(?:^|\.)(?:add|command)$"),
    growing=re.compile(rb"[\w.]{1,80}\s*\.(?:append|add|command)\("),
    list_calls=re.compile(r"^(?:List\.of|Arrays\.asList|ImmutableList\.of|Stream\.of|Lists\.newArrayList)$"),
    commands=re.compile(r"^(?:ProcessBuilder|Runtime|GroovyShell|Yaml|URL|URI)$|^Runtime\.getRuntime$|^URI\.create$"),
    join_calls=re.compile(r"(?:^|\.)join$"),
    paths=re.compile(r"^(?:java\.io\.)?File$|^(?:Paths\.get|Path\.of)$|(?P<on>(?:^|\.)resolve$)"),
    returns=frozenset({"return_statement"}),
    own="this.",
    temporary_folder=re.compile(rb"System\.getProperty\(\s*\"java\.io\.tmpdir\"\s*(?:,[^()]*)?\)|FileUtils\.getTempDirectory(?:Path)?\(\)"),
)  # fmt: skip
JAVA = Language(
    name="java",
    grammar=lambda _content: grammar("tree_sitter_java"),
    calls={"method_invocation": "name", "object_creation_expression": "type"},
    callee_fields=("object", "name", "type"),
    functions=frozenset({"method_declaration", "constructor_declaration", "lambda_expression"}),
    branches=frozenset({"if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "switch_label", "catch_clause", "ternary_expression"}),
    writing=_STRING_SYNTAX,
    values=frozenset({"assignment_expression", "variable_declarator"}),
    handlers=frozenset({"catch_clause"}),
    package_prefix=re.compile(r"^(?:[a-z]\w*\.){2,8}(?=[A-Z])"),
    types=(rb"\b([A-Z]\w*)(?:<[^<>;(){}]{0,80}>)?(?:\[\])?\s+@\s*[=;,):]",),
    comments=frozenset({"line_comment", "block_comment"}),
    test_syntax=_TEST_SYNTAX,
    rules=(
        CallRule("code.shell_execution", ("ProcessBuilder", ".command", *_RUNTIME_CALLS), DECODE_AND_RUN_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=DECODED_SHELL_COMMAND),), 0.95, NOT_DECODED_REASON),
        CallRule("code.shell_execution", ("ProcessBuilder", ".command", *_RUNTIME_CALLS), "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_SHELL_COMMAND),), 0.9, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", ("ProcessBuilder", ".command", *_RUNTIME_CALLS), "{call} runs a constant command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=CONSTANT_SHELL_COMMAND),), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", ("ProcessBuilder", ".command", *_RUNTIME_CALLS), BUILT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_REMOTE_COMMAND),), 0.8, ORIGIN_NOT_TRACED_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.shell_execution", ("ProcessBuilder", ".command", *_RUNTIME_CALLS), CONSTANT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=CONSTANT_REMOTE_COMMAND),), 0.5, CONSTANT_COMMAND_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.shell_execution", ("CommandLine",), "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(0, compile_pattern(r"^\"(?:/bin/)?(?:ba|z)?sh\"$|^\"cmd(?:\.exe)?\"$")),), 0.7, "the origin of the command was not analysed", beside=(b'"-c"', b'"/c"', b'"/C"')),
        CallRule("code.dynamic_code", ("ProcessBuilder", ".command", *_RUNTIME_CALLS), "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_INTERPRETER_COMMAND),), 0.75, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.tls_verification_off", ("ProcessBuilder", ".command", *_RUNTIME_CALLS), "Program is run with TLS or SSH host key checks turned off", (ArgumentCondition(ALL_ARGUMENTS, reads=UNVERIFIED_TLS_COMMAND),), 0.9, "whether it is used was not analysed", beside=UNVERIFIED_TLS_KEYWORDS),
        NodeRule("code.tls_verification_off", "string_literal", "TLS certificate is not verified", UNVERIFIED_TLS_URL, 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".put", ".setProperty", ".property"), "Host name in the TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"^\"(?:ssl\.endpoint\.identification\.algorithm|mail\.smtps?\.ssl\.checkserveridentity)\"$|SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG$")), ArgumentCondition(1, compile_pattern(r"^\"(?:false)?\"$|^false$"))), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".put", ".setProperty", ".property"), "TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"^\"mail\.(?:smtps?|imaps?|pop3s?)\.ssl\.trust\"$")), ArgumentCondition(1, compile_pattern(r"^\"\*\"$"))), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".invalidHostNameAllowed", ".sslInvalidHostNameAllowed", ".setTrustAllCertificates", ".trustAllCertificates", ".allowInsecure", ".setAcceptAnyCertificate", ".disableHostnameVerification"), "Host name in the TLS certificate is not verified", (), 0.9, "whether it is used was not analysed", (ArgumentCondition(0, compile_pattern(r"^false$")),)),
        NodeRule("code.tls_verification_off", "field_access", "SSH host key is not verified", compile_pattern(r"^(?:\w+\.)*(?:AcceptAllServerKeyVerifier\.INSTANCE|TrustAllStrategy\.INSTANCE|AllowAllHostnameVerifier\.INSTANCE)$"), because="whether it is used was not analysed"),
        CallRule("code.shell_execution", _RUNTIME_CALLS, "Command that is encoded in the source is decoded and run", (ArgumentCondition(0, _DECODING_CALL),), 0.9, NOT_DECODED_REASON),
        CallRule("code.shell_execution", _RUNTIME_CALLS, DECODE_AND_RUN_STATEMENT, (ArgumentCondition(0, compile_pattern(DECODE_AND_RUN_COMMAND)),), 0.95, NOT_DECODED_REASON),
        CallRule("code.dynamic_code", (".eval",), "Text that is encoded in the source is decoded and run as code", (ArgumentCondition(0, _DECODING_CALL),), 0.9, NOT_DECODED_REASON),
        CallRule("code.shell_execution", ("Runtime.getRuntime().exec",), "Argument injection risk: {call} splits a command built as one string at its spaces", (ArgumentCondition(0, reads=compile_pattern(r"^[^\x1f]*(?:[^\0\x1f]\0|\0[^\0\x1f])[^\x1f]*$")),), 0.75, "the command is split at its spaces and run without a shell"),
        CallRule("code.shell_execution", (".exec",), "Argument injection risk: {call} splits a command built as one string at its spaces", (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^Runtime\b")), ArgumentCondition(0, reads=compile_pattern(r"^[^\x1f]*(?:[^\0\x1f]\0|\0[^\0\x1f])[^\x1f]*$")),), 0.75, "the command is split at its spaces and run without a shell"),
        CallRule("code.shell_execution", (".exec",), "{call} runs a constant command in a shell", (ArgumentCondition(0, reads=compile_pattern(r"^(?:/bin/)?(?:ba|z)?sh -c |^cmd(?:\.exe)? /c ")),), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", (".setCommand", ".executeRemoteCommand", ".createExecChannel"), "Shell injection risk: {call} runs a command in a shell on another machine", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.8, "the origin of the command was not analysed", beside=_SSH_KEYWORDS),
        CallRule("code.shell_execution", (".exec",), "Shell injection risk: {call} runs a command in a shell on another machine", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)(?:session|ssh)$")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.8, "the origin of the command was not analysed", beside=_SSH_KEYWORDS),
        CallRule("code.shell_execution", (".setCommand", ".executeRemoteCommand", ".createExecChannel"), "Constant command is run in a shell on another machine", (ArgumentCondition(0),), 0.5, CONSTANT_COMMAND_REASON, beside=_SSH_KEYWORDS),
        CallRule("code.shell_execution", ("CommandLine.parse",), "Argument injection risk: {call} splits a command built as one string at its spaces", (ArgumentCondition(0, reads=compile_pattern(r"[^\0]\0|\0[^\0]")),), 0.7, "the command is split at its spaces and run without a shell unless it names one"),
        CallRule("code.dynamic_code", (".eval",), "Code injection risk: {call} runs text as code in a script engine", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.6, "the type of the receiver is not known"),
        CallRule("code.dynamic_code", (".eval",), "Code injection risk: {call} runs text as code in a script engine", (ArgumentCondition(1, reads=compile_pattern(r"\0")),), 0.7, "the type of the receiver is not known", unless_in_file=re.compile(rb"\A(?!.*(?:polyglot|javax\.script))", re.DOTALL)),
        CallRule("code.shell_execution", ("ProcessBuilder", ".command"), "Shell injection risk: {call} runs a command in a shell chosen at run time", (ArgumentCondition(0, _SHELL_NAME), ArgumentCondition(1, compile_pattern(r"^\"-\w*c\"$"))), 0.8, "the shell was recognised by name only"),
        CallRule("code.dynamic_code", ("GroovyShell.evaluate", ".parseExpression", ".parseClass", ".evaluateString", ".compileExpression", "MVEL.eval", "MVEL.executeExpression", "Ognl.getValue", "Ognl.parseExpression", "Eval.me", "ScriptFactory.createScript", ".createExpression", ".createValueExpression"), "Code injection risk: {call} evaluates text as an expression", (ArgumentCondition(None, reads=compile_pattern(r"^(?!.*\x1f).*\0")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.75, "the origin of the text was not analysed"),
        CallRule("code.dynamic_code", (".parse", ".run"), "Code injection risk: {call} runs text as Groovy code", (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^Groovy"), typed=compile_pattern(r"^GroovyShell$")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.75, "the origin of the text was not analysed", unless_in_file=re.compile(rb"\A(?!.*\bGroovyShell\b)", re.DOTALL)),
        CallRule("code.dynamic_code", (".cook", ".createFastEvaluator"), "Code injection risk: text is compiled and run as code", (ArgumentCondition(None, reads=compile_pattern(r"^\0")),), 0.75, "the origin of the text was not analysed", unless_in_file=re.compile(rb"\A(?!.*\bjanino\b)", re.DOTALL)),
        CallRule("code.dynamic_code", (".evaluate",), "Code injection risk: {call} runs text as Groovy code", (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^(?:Groovy|groovy)")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.8, "the origin of the text was not analysed"),
        CallRule("code.dynamic_code", ("Template",), "Template injection risk: a template that is not a project file is run", (ArgumentCondition(1, sources_pattern=compile_pattern(r"\bStringReader\("), reads=compile_pattern(r"\0")),), 0.65, "the origin of the text was not analysed", beside=(b"freemarker",)),
        CallRule("code.dynamic_code", ("Velocity.evaluate", ".evaluate"), "Template injection risk: a template that is not a project file is run", (ArgumentCondition(3, reads=compile_pattern(r"\0")),), 0.7, "the origin of the text was not analysed", beside=(b"velocity",)),
        CallRule("code.dynamic_code", (".putTemplate", ".getLiteralTemplate", ".compileInline", ".process"), "Template injection risk: a template that is not a project file is run", (ArgumentCondition(None, compile_pattern(r"(?i)(?:templates?|bod(?:y|ies)|text|source|content|markup|html)(?:\(\))?$"), reads=compile_pattern(r"^\0$")),), 0.6, "the origin of the text was not analysed", beside=(b"StringTemplateLoader", b"StringTemplateResolver", b"getLiteralTemplate", b"compileInline")),
        CallRule("code.dynamic_code", ("Class.forName", ".loadClass"), "Code injection risk: untrusted input names the class to load", (ArgumentCondition(0, sources_pattern=compile_pattern(r"\bgetParameter\(|\bgetHeader\(|\bgetQueryString\(|\bpathParam\(|\bqueryParam\(")),), 0.7, "a check of the name may exist elsewhere", beside=(b"getParameter(", b"getHeader(", b"athParam(", b"ueryParam(")),
        CallRule("code.dynamic_code", ("AviatorEvaluator.execute", "AviatorEvaluator.compile", "QLExpress.execute", "ExpressRunner.execute", "Jexl.execute", "JShell.eval", "ELProcessor.eval", "Ognl.setValue", "ScriptCompiler.compile", "ExpressionFactory.createValueExpression"), "Code injection risk: {call} evaluates text as an expression", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.75, "the origin of the text was not analysed"),
        CallRule("code.dynamic_code", (".execute",), "Code injection risk: {call} evaluates text as an expression", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)(?:ExpressRunner\(|express_?runner$|aviator\w*$|^runner$)")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.7, "the origin of the text was not analysed", beside=(b"ExpressRunner", b"Aviator")),
        CallRule("code.dynamic_code", (".buildConstraintViolationWithTemplate",), "Code injection risk: a validation message built at run time is evaluated as an expression", (ArgumentCondition(0, reads=compile_pattern(r"[^\0]\0|\0[^\0]")),), 0.6, "newer versions of the library do not read expressions here"),
        CallRule("code.dynamic_code", (".defineClass",), "`defineClass` loads code at run time", (), 0.7, "the origin of the code was not analysed"),
        CallRule("code.unsafe_deserialization", ("ObjectInputStream", "XMLDecoder", "java.io.ObjectInputStream", "java.beans.XMLDecoder", "SerializationUtils.deserialize", "HessianInput", "Hessian2Input"), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(None),), 0.8, "the origin of the data was not analysed", (ArgumentCondition(WHOLE_CALL, compile_pattern(r"\bresolveClass\s*\(")),), unless_in_file=re.compile(rb"Config\.setSerialFilter"), unless_nearby=re.compile(rb"setObjectInputFilter\(|ValidatingObjectInputStream")),
        CallRule("code.unsafe_deserialization", (".readClassAndObject",), "Unsafe deserialization: the data chooses the class that is created", (), 0.75, "a list of allowed types may be set elsewhere"),
        CallRule("code.unsafe_deserialization", (".setTrustAllPackages",), "Unsafe deserialization: the data chooses the class that is created", (ArgumentCondition(0, compile_pattern(r"^true$")),), 0.9, "the origin of the data was not analysed"),
        CallRule("code.unsafe_deserialization", ("JdkSerializationRedisSerializer", "DefaultDeserializer", "RedisSerializer.java", "SimpleMessageConverter"), "Unsafe deserialization: {call} can run code from the data", (), 0.65, "the origin of the data was not analysed"),
        CallRule("code.unsafe_deserialization", (".asObject",), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(0),), 0.7, "the origin of the data was not analysed", beside=(b"FSTConfiguration",)),
        CallRule("code.unsafe_deserialization", (".load", ".loadAll", ".loadAs"), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^Yaml\b")),), 0.7, "the version that reads the data is not known", (ArgumentCondition(RECEIVER, sources_pattern=compile_pattern(r"(?i)safe")),)),
        CallRule("code.unsafe_deserialization", (".enableDefaultTyping", ".activateDefaultTyping", ".enableDefaultTypingAsProperty"), "Unsafe deserialization: the data chooses the class that is created", (), 0.85, "a validator may restrict the classes", (ArgumentCondition(None, compile_pattern(r"(?<!LaissezFaireSubType)[vV]alidator(?!\.instance\b)|\bptv\b")),)),
        CallRule("code.unsafe_deserialization", (".allowIfBaseType", ".allowIfSubType"), "Unsafe deserialization: the data chooses the class that is created", (ArgumentCondition(0, compile_pattern(r"^Object\.class$|^\"\"$")),), 0.85, "the origin of the data was not analysed"),
        CallRule("code.unsafe_deserialization", (".getObject",), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(RECEIVER, typed=compile_pattern(r"^ObjectMessage$")),), 0.65, "whether the sender is trusted was not analysed"),
        CallRule("code.unsafe_deserialization", (".setAutoTypeSupport",), "Unsafe deserialization: the data chooses the class that is created", (ArgumentCondition(0, compile_pattern(r"^true$")),), 0.85, "a list of allowed types may be set elsewhere"),
        CallRule("code.unsafe_deserialization", (".setRegistrationRequired",), "Unsafe deserialization: the data chooses the class that is created", (ArgumentCondition(0, compile_pattern(r"^false$")),), 0.7, "the origin of the data was not analysed"),
        CallRule("code.unsafe_deserialization", ("JSON.parse", "JSON.parseObject", "JSONObject.parseObject"), "Unsafe deserialization: the data chooses the class that is created", (ArgumentCondition(None, compile_pattern(r"\bSupportAutoType\b")),), 0.85, "the origin of the data was not analysed"),
        NodeRule("code.unsafe_deserialization", "annotation", "Unsafe deserialization: the data chooses the class that is created", compile_pattern(r"^@(?:\w+\.)*JsonTypeInfo\(.*\bId\.(?:MINIMAL_)?CLASS\b"), 0.65, "a validator may restrict the classes"),
        CallRule("code.unsafe_deserialization", (".fromXML",), "Unsafe deserialization: {call} can run code from the data", (), 0.75, "a list of allowed types may be set elsewhere", unless_nearby=re.compile(rb"\.allowTypes(?!ByWildcard\(\s*new String\[\]\s*\{\s*\"\*\*?\")|\.addPermission\((?!\s*AnyTypePermission\b)|\.allowTypeHierarchy\((?!\s*Object\.class)")),
        CallRule("code.unsafe_deserialization", (".addPermission",), "Unsafe deserialization: the data chooses the class that is created", (ArgumentCondition(0, compile_pattern(r"^AnyTypePermission\.ANY$|^new AnyTypePermission\(")),), 0.9, "the origin of the data was not analysed"),
        graph_query_rule((".run", ".executableQuery", ".executeQuery", ".query")),
        CallRule("code.sql_from_strings", _QUERY_CALLS, "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.85, ORIGIN_NOT_TRACED_REASON, applies_to_callers=True),
        CallRule("code.sql_from_strings", _QUERY_CALLS, "Table or column name is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON),
        CallRule("code.sql_from_strings", (".queryForObject", ".query", ".execute", ".createQuery", ".run", ".update"), "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(1, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.8, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", (".queryForObject", ".query", ".execute", ".createQuery", ".run", ".update"), "Table or column name is interpolated into the query of {call}", (ArgumentCondition(1, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON),
        CallRule("code.sql_from_strings", (".put", ".append", ".add", "BasicDBObject", "Document", "BasicQuery"), "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(0, compile_pattern(r"^\"\$where\"$")), ArgumentCondition(1, reads=compile_pattern(r"[^\0]\0|\0[^\0]"))), 0.8, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", _SQL_FRAGMENT_CALLS, "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, reads=compile_pattern(r"[^\0]\0|\0[^\0]")),), 0.75, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", _CLAUSE_CALLS, "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, reads=BUILT_CONDITION),), 0.7, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", (".createQuery", ".createNativeQuery"), "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(0, reads=compile_pattern(r"^\s*(?i:from)\s+\w.*\0")),), 0.85, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("MessageDigest.getInstance",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=compile_pattern(r"^(?i:md5|md4|md2|sha-?1|sha)$")),), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("MessageDigest.getInstance", "DigestUtils.getDigest"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"^(?:\w+\.)*(?:\w+_)?(?:MD5|MD2|SHA_?1)(?:_\w+)?(?:\.\w+\(\))?$")),), 0.65, "the hash was recognised by name only"),
        CallRule("code.weak_hash", ("MessageDigestPasswordEncoder", "MessageDigestAlgorithms", "HashedCredentialsMatcher", "SimpleHash", "Digester", "HmacUtils", "DigestAuthenticator"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=compile_pattern(r"^(?i:md5|md4|md2|sha-?1|sha)$")),), 0.75, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("NoOpPasswordEncoder.getInstance", "NoOpPasswordEncoder"), "{call} stores passwords in plain text", (), 0.9, "whether it is used was not analysed"),
        CallRule("code.weak_hash", ("Md4PasswordEncoder", "Md5PasswordEncoder", "ShaPasswordEncoder", "LdapShaPasswordEncoder", "StandardPasswordEncoder", "PlaintextPasswordEncoder"), "{call} hashes passwords with a weak algorithm", (), 0.8, "whether it is used was not analysed", (ArgumentCondition(0, compile_pattern(r"^(?:256|384|512)$")),)),
        CallRule("code.weak_hash", ("Md5Hash", "Sha1Hash", "Md2Hash", "MD5Digest", "SHA1Digest", "MD4Digest", "MD2Digest", "RIPEMD160Digest", "Md5Crypt.md5Crypt", "Md5Crypt.apr1Crypt", "MD5.Digest", "MD5.digest"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("md5Hex", "sha1Hex", "md5DigestAsHex", "md5Digest"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0),), 0.7, USE_NOT_TRACED_REASON, beside=(b"DigestUtils.", b"DigestUtil.")),
        CallRule("code.weak_hash", (".setAlgorithm", ".setHashAlgorithmName", ".setDigestAlgorithm", ".hashAlgorithm"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=compile_pattern(r"^(?i:md5|md4|md2|sha-?1|sha)$")),), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("SecretKeyFactory.getInstance",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=compile_pattern(r"^(?i:PBKDF2WithHmac(?:SHA1|MD5)|PBEWith(?:MD5|SHA1?)And\w+)$")),), 0.65, USE_NOT_TRACED_REASON),
        NodeRule("code.weak_hash", "method_reference", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(r"^DigestUtils?::(?:md5|sha1)(?:Hex|DigestAsHex)?$"), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("Signature.getInstance",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=compile_pattern(r"^(?i:(?:md5|md2|sha-?1)with)")),), 0.75, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("Mac.getInstance",), "Weak hash is used with a key (MD5)", (ArgumentCondition(0, reads=compile_pattern(r"^(?i:hmac-?md5)$")),), 0.5, KEYED_HASH_REASON),
        CallRule("code.weak_hash", ("DigestUtils.md5DigestAsHex", "DigestUtils.md5Digest", "DigestUtils.shaHex", "DigestUtils.sha", "DigestUtils.getMd5Digest", "DigestUtils.getSha1Digest", "SecureUtil.md5", "MD5Utils.md5", "DigestUtil.md5Hex"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("HmacUtils.hmacMd5Hex", "HmacUtils.hmacMd5"), "Weak hash is used with a key (MD5)", (), 0.5, KEYED_HASH_REASON),
        CallRule("code.weak_hash", ("DigestUtils",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"MD5|MD2|SHA_1|MessageDigestAlgorithms\.MD|\"(?i:md5|sha-?1)\"")),), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("DigestUtils.md5Hex", "DigestUtils.sha1Hex", "DigestUtils.md5", "DigestUtils.sha1", "Hashing.md5", "Hashing.sha1"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.tls_verification_off", (".setHostnameVerifier", ".setDefaultHostnameVerifier", ".hostnameVerifier", ".setSSLHostnameVerifier"), "Host name in the TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"ALLOW_ALL|AllowAll|\)\s*->\s*(?:true\b|\{\s*return\s+true\s*;\s*\})|\bverify\s*\([^)]{0,200}\)\s*\{\s*return\s+true\s*;")),), 0.95, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "field_access", "Host name in the TLS certificate is not verified", compile_pattern(r"^NoopHostnameVerifier\.INSTANCE$"), because="whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("NoopHostnameVerifier", "AllowAllHostnameVerifier"), "Host name in the TLS certificate is not verified", (), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("PromiscuousVerifier",), "SSH host key is not verified", (), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".loadTrustMaterial",), "Every TLS certificate is accepted", (ArgumentCondition(None, compile_pattern(r"TrustAll|->\s*true\b|TrustSelfSigned")),), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".trustManager", ".setTrustManager"), "Every TLS certificate is accepted", (ArgumentCondition(0, compile_pattern(r"^InsecureTrustManagerFactory\.")),), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".setTrustAll", ".trustAll", ".trustAllCerts", ".relaxedHTTPSValidation", ".setUseInsecureTrustManager"), "TLS certificate is not verified", (), 0.9, "whether it is used was not analysed", (ArgumentCondition(0, compile_pattern(r"^false$")),)),
        CallRule("code.tls_verification_off", (".setVerifyHost", ".verifySsl", ".setVerifySsl"), "Host name in the TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"^false$")),), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".setConfig",), "SSH host key is not verified", (ArgumentCondition(0, compile_pattern(r"StrictHostKeyChecking")), ArgumentCondition(1, compile_pattern(r"^\"no\"$"))), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("System.setProperty",), "Host name in the TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"^\"(?:jdk\.internal\.httpclient\.disableHostnameVerification|com\.sun\.jndi\.ldap\.object\.disableEndpointIdentification)\"$")), ArgumentCondition(1, compile_pattern(r"^\"(?:true)?\"$|TRUE"))), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".put", ".setProperty"), "SSH host key is not verified", (ArgumentCondition(0, compile_pattern(r"^\"StrictHostKeyChecking\"$")), ArgumentCondition(1, compile_pattern(r"^\"no\"$"))), 0.95, "whether it is used was not analysed"),
        *temporary_file_rules(("FileWriter", "FileOutputStream", "PrintWriter", "PrintStream", "RandomAccessFile", "java.io.FileWriter", "java.io.FileOutputStream"), ArgumentCondition(1, compile_pattern(r"^\"r\"$"))),
        *temporary_file_rules(("Files.write", "Files.writeString", "Files.newBufferedWriter", "Files.newOutputStream", "Files.newByteChannel"), _NEW_ONLY),
        *temporary_file_rules(("Files.copy", "Files.move"), place=1),
        *temporary_file_rules(("FileUtils.writeStringToFile", "FileUtils.write", "FileUtils.writeByteArrayToFile", "FileUtils.openOutputStream")),
        CallRule("code.insecure_temporary_file", ("File", "java.io.File"), "File with a fixed name is used in the shared temporary directory: another user can create it first", (ArgumentCondition(WHOLE_CALL, reads=FIXED_TEMPORARY_PATH),), 0.65, PRIVATE_FOLDER_REASON, unless_in_file=_ONLY_READ),
        CallRule("code.insecure_temporary_file", ("File", "java.io.File"), "File with a predictable name is used in the shared temporary directory: another user can create it first", (ArgumentCondition(WHOLE_CALL, reads=GUESSABLE_TEMPORARY_PATH),), 0.55, PARTLY_GENERATED_REASON, (ArgumentCondition(WHOLE_CALL, sources_pattern=RANDOM_NAME_SOURCE),), unless_in_file=_ONLY_READ),
        *temporary_file_rules(("FileChannel.open", "AsynchronousFileChannel.open"), _NEW_ONLY, ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^[^\x1f]*$|\bREAD\b(?!.*\b(?:WRITE|CREATE|APPEND)\b)"))),
        *temporary_file_rules(("FileHandler", "java.util.logging.FileHandler", "FileAppender")),
        CallRule("code.insecure_temporary_file", ("UnixDomainSocketAddress.of", "DomainSocketAddress", "AFUNIXSocketAddress.of"), FIXED_FILE_STATEMENT, (ArgumentCondition(0, reads=FIXED_TEMPORARY_PATH),), 0.75, PRIVATE_FOLDER_REASON, unless_in_file=re.compile(rb"\A(?!.*\b(?:bind|ServerSocketChannel|ServerBootstrap)\b)", re.DOTALL)),
        CallRule("code.insecure_temporary_file", ("DriverManager.getConnection", ".setUrl", ".setJdbcUrl", ".url"), FIXED_FILE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^\"jdbc:(?:sqlite|h2|derby|hsqldb|duckdb):(?:file:)?/(?:var/)?tmp/")),), 0.65, PRIVATE_FOLDER_REASON),
        temporary_argument_rule(("ProcessBuilder", "java.lang.ProcessBuilder")),
        temporary_argument_rule((".exec",), ArgumentCondition(RECEIVER, reads=compile_pattern(r"^Runtime\b"))),
        *temporary_folder_rules(("Files.createDirectories",)),
        CallRule("code.insecure_temporary_file", (".mkdir", ".mkdirs"), GUESSABLE_FOLDER_STATEMENT, (ArgumentCondition(RECEIVER, reads=FIXED_TEMPORARY_PATH),), 0.55, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", (".mkdir", ".mkdirs"), "Temporary name is made first and the directory later: another user can create it in between", (ArgumentCondition(RECEIVER, sources_pattern=compile_pattern(r"\bcreateTempFile\(")),), 0.8, "the machine may have no other users"),
        CallRule("code.no_timeout", ("HttpClient.newHttpClient", "HttpClient.newBuilder"), "No timeout on {call}: the request can hang forever", (), 0.7, _TIMEOUT_ELSEWHERE_REASON, unless_nearby=re.compile(rb"\.(?:timeout|connectTimeout)\(")),
        CallRule("code.no_timeout", ("Socket", "java.net.Socket"), "Connection has no timeout and can hang forever", (ArgumentCondition(1),), 0.6, "the operating system's timeout may be short enough", unless_nearby=re.compile(rb"\.setSoTimeout\(")),
        CallRule("code.no_timeout", ("HttpClients.createDefault", "HttpClientBuilder.create().build", "DefaultHttpClient", "HttpClients.createSystem", "WebClient.create", "ClientBuilder.newClient"), "No timeout on {call}: the request can hang forever", (), 0.6, _TIMEOUT_ELSEWHERE_REASON, unless_nearby=re.compile(rb"[tT]imeout")),
        CallRule("code.no_timeout", (".connect",), "Connection has no timeout and can hang forever", (ArgumentCondition(0, compile_pattern(r"^new (?:[\w.]+\.)?InetSocketAddress\(")), ArgumentCondition(RECEIVER, typed=compile_pattern(r"^(?:SSL)?Socket$"))), 0.6, "the operating system's timeout may be short enough", (ArgumentCondition(1),), unless_nearby=re.compile(rb"\.setSoTimeout\(")),
        CallRule("code.no_timeout", ("RestClient.create", "RestClient.builder", "WebClient.builder"), "No timeout on {call}: the request can hang forever", (), 0.55, _TIMEOUT_ELSEWHERE_REASON, unless_nearby=re.compile(rb"[tT]imeout|requestFactory\(|clientConnector\(")),
        CallRule("code.no_timeout", (".build",), "No timeout on {call}: the request can hang forever", (ArgumentCondition(RECEIVER, compile_pattern(r"^\w+$|^new RestTemplateBuilder\("), typed=compile_pattern(r"^RestTemplateBuilder$"), reads=compile_pattern(r"^RestTemplateBuilder")),), 0.55, _TIMEOUT_ELSEWHERE_REASON, unless_in_file=re.compile(rb"\A(?!.*\bRestTemplateBuilder\b)", re.DOTALL), unless_nearby=re.compile(rb"[tT]imeout|requestFactory\(")),
        CallRule("code.no_timeout", ("IOUtils.toString", "IOUtils.toByteArray", "IOUtils.copy", "ImageIO.read", "Resources.toString"), "No timeout on {call}: the request can hang forever", (ArgumentCondition(0, reads=compile_pattern(r"^UR[LI]\b")),), 0.65, _TIMEOUT_ELSEWHERE_REASON),
        CallRule("code.no_timeout", ("FileUtils.copyURLToFile",), "No timeout on {call}: the request can hang forever", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^[^\x1f]*(?:\x1f[^\x1f]*){1,2}$")),), 0.65, _TIMEOUT_ELSEWHERE_REASON, (ArgumentCondition(2),)),
        CallRule("code.no_timeout", (".timeout",), "Timeout is turned off: the call can hang forever", (ArgumentCondition(0, compile_pattern(r"^0$")), ArgumentCondition(RECEIVER, compile_pattern(r"^Jsoup\."))), 0.85, _TIMEOUT_ELSEWHERE_REASON),
        CallRule("code.no_timeout", ("FTPClient", "FTPSClient"), "Connection has no timeout and can hang forever", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$|^(?!.*\x1f)")),), 0.55, "the operating system's timeout may be short enough", unless_in_file=re.compile(rb"Timeout\(")),
        CallRule("code.no_timeout", (".connect",), "Connection has no timeout and can hang forever", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$")), ArgumentCondition(RECEIVER, typed=compile_pattern(r"^Session$"))), 0.55, "the operating system's timeout may be short enough", unless_in_file=re.compile(rb"\.setTimeout\("), beside=(b"jsch",)),
        CallRule("code.no_timeout", (".build",), "No timeout on {call}: the request can hang forever", (ArgumentCondition(RECEIVER, compile_pattern(r"^HttpClients\.custom\(|^HttpClientBuilder\.create\(|^HttpAsyncClients\.custom\(")),), 0.55, _TIMEOUT_ELSEWHERE_REASON, unless_nearby=re.compile(rb"[tT]imeout|setDefaultRequestConfig\(|setDefaultConnectionConfig\("), beside=(b"HttpClients.custom(", b"HttpClientBuilder.create(", b"HttpAsyncClients.custom(")),
        CallRule("code.no_timeout", (".openStream",), "No timeout on {call}: the request can hang forever", (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^UR[LI]\b"), typed=compile_pattern(r"^UR[LI]$")),), 0.75, _TIMEOUT_ELSEWHERE_REASON, (ArgumentCondition(RECEIVER, sources_pattern=compile_pattern(r"\bget(?:System)?Resource|(?i:resource|bundle|classpath|\bjar)")),)),
        CallRule("code.no_timeout", (".openConnection",), "No timeout on {call}: the request can hang forever", (), 0.7, _TIMEOUT_ELSEWHERE_REASON, unless_nearby=re.compile(rb"\.setReadTimeout\(|\.setConnectTimeout\(")),
        CallRule("code.no_timeout", ("RestTemplate",), "No timeout on {call}: the request can hang forever", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$")),), 0.6, _TIMEOUT_ELSEWHERE_REASON, unless_nearby=re.compile(rb"[tT]imeout")),
        CallRule("code.no_timeout", (".connectTimeout", ".readTimeout", ".callTimeout", ".setReadTimeout", ".setConnectTimeout"), "Timeout is turned off: the call can hang forever", (ArgumentCondition(0, compile_pattern(r"^0[lL]?$|Duration\.ZERO")),), 0.8, _TIMEOUT_ELSEWHERE_REASON),
        CallRule("code.subprocess_unchecked", (".waitFor",), "Exit status of the child process is never checked", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$")),), 0.75, REPORTED_ELSEWHERE_REASON, dropped=True, unless_in_file=re.compile(rb"\.exitValue\(")),
        CallRule("code.subprocess_unchecked", (".start", ".exec"), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^(?:ProcessBuilder|Runtime)\b")),), 0.75, REPORTED_ELSEWHERE_REASON, dropped=True),
        CallRule("code.subprocess_unchecked", (".waitFor",), "Exit status of the child process is never checked", (ArgumentCondition(1),), 0.65, REPORTED_ELSEWHERE_REASON, dropped=True, unless_in_file=re.compile(rb"\.exitValue\(|\A(?!.*\bProcess(?:Builder)?\b)", re.DOTALL)),
        CallRule("code.subprocess_unchecked", (".start", ".exec"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(RECEIVER, reads=compile_pattern(r"^(?:ProcessBuilder|Runtime)\b")),), 0.7, EMPTY_OUTPUT_REASON, unchecked_result=_UNCHECKED_PROCESS),
        ValueRule("code.tls_verification_off", compile_pattern(r"[vV]erifier$"), compile_pattern(r"ALLOW_ALL|^\([^)]{0,100}\)\s*->\s*true\b"), "Host name in the TLS certificate is not verified"),
        HandlerRule("code.swallowed_exception", "`catch` silently drops every exception", _BROAD, empty=True),
        HandlerRule("code.swallowed_exception", "Catch-all handler hides every error behind a fixed value", compile_pattern(_BROAD.pattern + rf"\s*\{{{_FIXED_VALUE}\}}$"), confidence=0.7, because="callers may treat the value as a failure"),
        HandlerRule("code.swallowed_exception", "Catch-all handler hides every error behind a fixed value", compile_pattern(_BROAD.pattern + _CONSTANT_ASSIGNMENT_BODY), confidence=0.6, because="callers may treat the value as a failure"),
        CallRule("code.swallowed_exception", (".exceptionally", ".onErrorResume", ".onErrorReturn", ".recover", ".onExceptionResumeNext", ".onErrorResumeNext", ".onErrorReturnItem"), "{call} turns every error into a fixed value", (ArgumentCondition(0, compile_pattern(rf"^(?:\(?\s*(?:Throwable\s+|final\s+)?\w+\s*\)?\s*->\s*)?(?:{_EMPTY_VALUE}|\{{\s*return\s+{_EMPTY_VALUE}\s*;\s*\}})$")),), 0.6, "callers may treat the value as a failure", (ArgumentCondition(1),)),
        CallRule("code.swallowed_exception", (".onErrorComplete",), "{call} silently drops every error", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$")),), 0.6, "the failure may be reported elsewhere"),
        CallRule("code.swallowed_exception", (".handle",), "{call} turns every error into a fixed value", (ArgumentCondition(0, compile_pattern(r"^\(\s*\w+\s*,\s*(\w+)\s*\)\s*->(?!.*\b\1\b)")),), 0.6, "callers may treat the value as a failure", beside=(b"CompletableFuture", b"CompletionStage", b"reactor")),
        CallRule("code.swallowed_exception", (".getOrElse", ".orElse"), "{call} turns every error into a fixed value", (ArgumentCondition(RECEIVER, compile_pattern(r"^Try\.(?:of|ofCallable|ofSupplier)\(")), ArgumentCondition(0, compile_pattern(rf"^{_EMPTY_VALUE}$"))), 0.55, "callers may treat the value as a failure"),
        HandlerRule("code.subprocess_unchecked", "Failure of a child process is caught and ignored", _BROAD, empty=True, confidence=0.6, because="the failure may be expected", tried=compile_pattern(r"\bnew ProcessBuilder\(|\bgetRuntime\(\)\.exec\(")),
        HandlerRule("code.swallowed_exception", "`catch` silently drops every exception", compile_pattern(_BROAD.pattern + rf"\s*{UNINFORMATIVE_COMMENT_BODY}"), confidence=0.75),
        HandlerRule("code.swallowed_exception", "`catch` silently drops every exception", compile_pattern(_BROAD.pattern + rf"(?!\s*{UNINFORMATIVE_COMMENT_BODY}){_EMPTY_BODY}"), confidence=0.6, because="a comment may give the reason"),
        HandlerRule("code.swallowed_exception", "`catch` silently drops an exception", compile_pattern(r"^catch\s*\(\s*(?!(?:final\s+)?(?:java\.lang\.)?(?:Exception|Throwable|RuntimeException|NumberFormatException)\s)(?!.{0,200}\b(?:ignored?|expected|unused)\w*\s*\))"), empty=True, confidence=0.6, because="the named exception may be expected", tried=_NOT_EXPECTED_TO_FAIL),
        HandlerRule("code.swallowed_exception", "`catch` hides an unexpected error behind a fixed value", compile_pattern(rf"^catch\s*\(\s*(?:final\s+)?(?:[\w.]+\.)?(?:\w*SQL\w*|DataAccess|Persistence|Hibernate|JPA|NullPointer)Exception\s+\w+\s*\)\s*\{{{_FIXED_VALUE}\}}$"), confidence=0.55, because="callers may treat the value as a failure"),
        HandlerRule("code.swallowed_exception", "`catch` silently drops an exception", compile_pattern(rf"^catch\s*\(\s*(?!(?:final\s+)?(?:java\.lang\.)?(?:Exception|Throwable|RuntimeException|NumberFormatException)\s)(?!.{{0,200}}\b(?:ignored?|expected|unused)\w*\s*\))[^)]{{1,200}}\)\s*{UNINFORMATIVE_COMMENT_BODY}"), confidence=0.55, because="the named exception may be expected", tried=_NOT_EXPECTED_TO_FAIL),
        HandlerRule("code.swallowed_exception", "`catch` silently drops an exception", _IGNORED_EXCEPTION, empty=True, confidence=0.55, because="the variable's name says that it is ignored on purpose", tried=_NOT_EXPECTED_TO_FAIL),
        HandlerRule("code.broad_except", "Broad `catch` handles every exception the same way", compile_pattern(_BROAD.pattern + rf"(?!{_SWALLOWING_BODY})(?!.{{0,1500}}(?:throw\b|{_LOGGING_CALL}))"), confidence=0.8),
        HandlerRule("code.broad_except", "Broad `catch` handles every exception and only logs it", compile_pattern(_BROAD.pattern + rf"(?!.{{0,1500}}\bthrow\b)(?=.{{0,1500}}(?:{_LOGGING_CALL}))"), confidence=0.5, because="the failure is logged", unless=_LOGGED_ERROR, within=_MAIN_LOOP),
        NodeRule("code.tls_verification_off", "method_declaration", "Host name in the TLS certificate is not verified", compile_pattern(r"\bboolean\s+verify\s*\(\s*(?:final\s+)?String\s+\w+\s*,\s*(?:final\s+)?SSLSession\s+\w+\s*\)\s*\{\s*return\s+true\s*;\s*\}"), because="whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "local_variable_declaration", "Host name in the TLS certificate is not verified", compile_pattern(_PERMISSIVE_VERIFIER), because="whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "field_declaration", "Host name in the TLS certificate is not verified", compile_pattern(_PERMISSIVE_VERIFIER), because="whether it is used was not analysed"),
        NodeRule("code.sql_from_strings", "annotation", "SQL built by string formatting: a value is interpolated into the query", compile_pattern(r"^@(?:Select|Update|Delete|Insert)\(.*\$\{\w"), 0.75, ORIGIN_NOT_TRACED_REASON),
        NodeRule("code.tls_verification_off", "method_declaration", "Every TLS certificate is accepted", compile_pattern(r"\bvoid\s+checkServerTrusted\s*\([^)]{0,300}\)[^{]{0,200}\{\s*(?://[^\n]{0,200}\s*)?(?:return;\s*)?\}"), because="whether it is used was not analysed"),
        *debug_print_rules(("System.out.println", "System.out.print", "System.out.printf", "System.err.println", "System.err.print", "System.err.printf")),
        CallRule("text.debug_leftovers", ("System.out.println", "System.out.print"), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^\w+(?:\.\w+(?:\(\))?){0,3}$|^\"(\w+)\s*[:=]+\s*\"\s*\+\s*\1$|^\w+\.toString\(\)$|^(?:Arrays\.(?:deepT|t)oString|String\.valueOf|Objects\.toString)\(\s*\w+\s*\)$")),), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("System.out.println", "System.out.print"), "Values are printed after a short label, like debug output", (ArgumentCondition(0, compile_pattern(r"^\"[a-z]\w{0,20}\s*[:=]?\s*\"\s*\+\s*\w+(?:\.\w+(?:\(\w*\))?){0,3}(?:\s*\+\s*\"[\s,;:=/-]{1,4}\"\s*\+\s*\w+(?:\.\w+(?:\(\w*\))?){0,3}){1,5}$")),), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", (".peek",), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^System\.(?:out|err)::print(?:ln)?$|^\w+\s*->\s*System\.(?:out|err)\.print")),), 0.6, INTENDED_OUTPUT_REASON),
        CallRule("text.debug_leftovers", (".forEach",), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^System\.out::print(?:ln)?$")),), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("System.out.printf",), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^\"(?:\w+\s*[:=]+\s*)?%s(?:[ ,]{1,2}%s){0,3}(?:%n|\\n)?\"$")),), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        NodeRule("text.debug_leftovers", "method_invocation", "Leftover debugging statement", compile_pattern(r"^Thread\.dumpStack\(")),
    ),
)  # fmt: skip
