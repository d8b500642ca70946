"""Rust."""

from __future__ import annotations

import re

from auditor.forensics.languages import grammar_workarounds
from auditor.forensics.languages.built_query_patterns import BUILT_QUERY, BUILT_VALUE_QUERY
from auditor.forensics.languages.keyword_gated_patterns import compile_pattern
from auditor.forensics.languages.language_rule_types import (
    ALL_ARGUMENTS,
    RECEIVER,
    WHOLE_CALL,
    ArgumentCondition,
    CallRule,
    NodeRule,
    UncheckedResult,
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
    DEBUG_MARKER_TEXT,
    DECODED_SHELL_COMMAND,
    EMPTY_OUTPUT_REASON,
    IDENTIFIER_REASON,
    INTENDED_OUTPUT_REASON,
    KEYED_HASH_REASON,
    ORIGIN_NOT_TRACED_REASON,
    PROGRAM_FILE_STATEMENT,
    RANDOM_NAME_SOURCE,
    READ_ONLY_COMMAND,
    REPORTED_ELSEWHERE_REASON,
    SHELL_INVOCATION,
    TEMPORARY_PATH_ARGUMENT,
    UNCHECKED_OUTPUT_STATEMENT,
    UNVERIFIED_TLS_COMMAND,
    UNVERIFIED_TLS_KEYWORDS,
    UNVERIFIED_TLS_URL,
    USE_NOT_TRACED_REASON,
    WRITE_NOT_TRACED_REASON,
    graph_query_rule,
    temporary_file_rules,
    temporary_folder_rules,
)
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, ITEM_SEPARATOR, StringSyntax
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.source_text.decode_and_run_commands import DECODE_AND_RUN_STATEMENT, NOT_DECODED_REASON
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_COMMAND_LINE_PROGRAM = re.compile(
    rb"\bfn\s+main\s*\(|\b(?:clap|structopt|argh|pico_args|dialoguer|indicatif|crossterm|colored|rustyline)\b|\benv::args|\bstdout\(\)|(?s:\bprintln!.*\bprintln!.*\bprintln!)"
)
"""What a program holds that speaks to whoever runs it."""
_ARGUMENT_CALLS = (".arg", ".args")
_SINGLE_ITEM = rf"[^{ITEM_SEPARATOR}]*$"
"""The command is the last word so far: of a chain, each call is asked."""
_SHELL_ALTERNATIVE = compile_pattern(
    rf"^(?:[^{ITEM_SEPARATOR}]*\n)?(?:/bin/)?(?:ba|z)?sh(?:\n[^{ITEM_SEPARATOR}]*)?{ITEM_SEPARATOR}(?:-\w*c|(?:[^{ITEM_SEPARATOR}\n]*{ITEM_SEPARATOR}[^{ITEM_SEPARATOR}\n]*\n)-\w*c|-\w*c\n[^{ITEM_SEPARATOR}]*|[^{ITEM_SEPARATOR}\n]*\n-\w*c){ITEM_SEPARATOR}[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK}"
)
"""One of two shells, and the words for either."""
_SHELL_VARIABLE_COMMAND = compile_pattern(
    r"(?i)^(?:\w+::)*Command::new\(\s*&?(?:\w+[._])*(?:(?:user|login|default|system)?_?shell(?:_?(?:path|bin|cmd|name))?|(?:ba|z|da|k)?sh(?:_?(?:path|bin))?)(?:\.\w+\(\))?\s*\)"
)
_TIMEOUT_CALL = re.compile(rb"\.timeout\(|\btimeout(?:_at)?\(|\.read_timeout\(")
_NO_REQWEST = re.compile(rb"\A(?!.*\breqwest\b)|reqwest::blocking", re.DOTALL)
_OUTPUT_ONLY = UncheckedResult(
    behind=re.compile(rb"\s*(?:\.await)?\s*(?:\?|\.(?:unwrap\(\)|expect\([^()]*\)))\s*\.(?:stdout|stderr)\b"),
    uses=re.compile(rb".?@\.(?:stdout|stderr)\b", re.DOTALL),
)
_DISCARDED_RESULT = UncheckedResult(before=re.compile(rb"\blet\s+_\s*(?::[^=]{0,60})?=\s*\Z"), dropped=False)
"""What a call gives is given to nobody, and not handed on."""
_QUERY_CALLS = (
    "sqlx::query", "query", "query_as", "query_scalar", "query_with", "query_as_with", "raw_sql", "sql_query", "sql", "QueryBuilder::new", "Statement::from_string", "Statement::from_sql_and_values",
    ".execute", ".query", ".query_row", ".query_map", ".query_one", ".query_opt", ".query_raw", ".query_and_then", ".prepare", ".prepare_cached", ".execute_batch", ".batch_execute", ".simple_query",
    ".execute_unprepared", ".fetch", ".fetch_all", ".fetch_one", ".query_first", ".query_drop", ".query_iter", ".exec_drop", ".sql", ".conditional_query",
)  # fmt: skip
_CLAUSE_CALLS = (".filter", ".or_filter", "sql", "cust", "Expr::cust", ".order")
_IN_MACRO = r"^[^\"]*(?:\"(?:[^\"\\]|\\.)*\"[^\"]*)*?"
"""What stands before something in a macro, whose calls the grammar does not tell: texts are passed over whole."""
_TEST_CFG = r"cfg\(\s*(?:test\s*\)|all\(\s*(?:[^()]*,\s*)?test\s*[,)])"
_TEST_ATTRIBUTE = r"#\[(?:\w+::)*(?:test|rstest|quickcheck|test_case|wasm_bindgen_test)\s*(?:\([^\]]*\))?\]"
_TEST_SYNTAX = TestSyntax(
    words=(b"#[test", b"::test", b"#[rstest", b"#[quickcheck", b"#[wasm_bindgen_test"),
    functions=compile_pattern(_TEST_ATTRIBUTE),
    beside=compile_pattern(rf"#\[{_TEST_CFG}|{_TEST_ATTRIBUTE}"),
    test_only_file=compile_pattern(rf"^(?:\s|//[^\n]*\n)*#!\[{_TEST_CFG}"),
    function_kinds=frozenset({"function_item"}),
    groups=frozenset({"mod_item"}),
    above=frozenset({"attribute_item", "line_comment", "block_comment"}),
    checks=compile_pattern(
        r"\b(?:(?:debug_)?assert\w*|panic|unreachable|prop_assert\w*|matches|insta|snapshot\w*)!|\.(?:unwrap\w*|expect\w*)\(|\?[;)\s.]|\.(?:compile_fail|pass)\(|(?m:^)[^=\n]{0,200}\.(?:success|failure|succeeds?|fails?|passes)\(\)\s*;|\b(?i:assert|check|expect|verify|run|test|eqnice|compare)\w*!?\s*[(.]|should_panic"
    ),
    counted=compile_pattern(
        r"(?:assert|eqnice)\w*!|\b(?:panic|unreachable)!|\b(?i:assert|check|expect|verify|compare)\w*\s*\(|\.(?:expect_err|unwrap_err|assert\w*)\("
    ),
    announced=compile_pattern(r"#\[should_panic\b"),
    made=re.compile(rb"macro_rules!\s*(?P<name>\w{1,80})\s*\{(?P<body>[^\n]*(?:\n(?!\})[^\n]*){0,60})"),
    trivial=compile_pattern(r"\b(?:debug_)?assert!\(\s*true\s*(?:,[^;]*)?\)|\bassert_eq!\(\s*(\w+)\s*,\s*\1\s*\)"),
    skipped=compile_pattern(r"#\[ignore\b|#\[cfg\(\s*(?:any\(\s*\)|false)\s*\)\]"),
    conditional=compile_pattern(r"#\[cfg_attr\([^\]]*\bignore\b|#\[cfg\((?!\s*test\s*\))"),
    constraint=compile_pattern(r"^(?:\s|//[^\n]*\n)*#!\[cfg\((?!\s*test\s*\))(?P<never>\s*(?:any\(\s*\)|false)\s*\))?"),
)
_STRING_SYNTAX = StringSyntax(
    literals=frozenset({"string_literal", "raw_string_literal"}),
    gives={"let_declaration": ("pattern", "value"), "const_item": ("name", "value"), "static_item": ("name", "value"), "assignment_expression": ("left", "right"), "compound_assignment_expr": ("left", "right")},
    declares=frozenset({"let_declaration", "const_item", "static_item"}),
    around={"parenthesized_expression": "", "reference_expression": "value", "try_expression": "", "await_expression": "", "block": "", "else_clause": ""},
    choices={"if_expression": ("consequence", "alternative")},
    lists=frozenset({"array_expression", "tuple_expression"}),
    returns=frozenset({"return_expression"}),
    lasts=True,
    members=frozenset({"field_expression"}),
    calls=frozenset({"call_expression"}),
    macros=frozenset({"macro_invocation"}),
    same=re.compile(r"(?:^|\.)(?:to_string|to_owned|into|as_str|as_ref|clone|trim|to_lowercase|to_path_buf|display|to_string_lossy|to_uppercase|replace|as_bytes|unwrap|build|sql|into_string|stdout|stderr|stdin|current_dir|env|envs|kill_on_drop|env_clear)$"),
    identity_calls=re.compile(r"^(?:String::from|String::new|PathBuf::new|Cow::from|Cow::Borrowed|Box::from|String::with_capacity|Path::new|PathBuf::from|AssertSqlSafe|sqlx::AssertSqlSafe|SqlStr::from|sql|sql_query|diesel::sql_query|diesel::dsl::sql)$|(?:^|::)Command::new$|(?:^|::)sql(?:::<.*>)?$"),
    adds=re.compile(r"(?:^|\.)(?:push_str|push)$"),
    append_methods=re.compile(r"(?:^|\.)(?:args?|raw_arg)$"),
    growing=re.compile(rb"[\w.]{1,80}\s*\.(?:push_str|push|args?|raw_arg)\("),
    join_calls=re.compile(r"(?:^|\.)(?:join|concat)$"),
    paths=re.compile(r"(?P<on>(?:^|\.)join$)"),
    temporary_folder=re.compile(rb"(?:std::)?(?:env::)?temp_dir\(\)"),
)  # fmt: skip
RUST = Language(
    name="rust",
    grammar=lambda _content: grammar("tree_sitter_rust"),
    alternative_parses=lambda content: ((grammar("tree_sitter_rust"), grammar_workarounds.rewrite_rust(content)),),
    calls={"call_expression": "function"},
    functions=frozenset({"function_item", "closure_expression"}),
    branches=frozenset({"if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"}),
    comments=frozenset({"line_comment", "block_comment"}),
    writing=_STRING_SYNTAX,
    test_syntax=_TEST_SYNTAX,
    passing=frozenset({"try_expression", "await_expression"}),
    failing=re.compile(rb"fn(?<=\bfn)\s+(?!send\b|try_send\b)(?P<name>\w+)\s{0,20}(?:<[^<>()]{0,100}>)?\s{0,20}\((?>[^()]{0,500}\)|(?:[^()]|\([^()]{0,500}\)){0,500}\))\s*->\s*(?:[\w:]+::)?Result\b"),
    fallible_call_rules=(CallRule("code.swallowed_exception", (), "Error is silently dropped at {call}", (), 0.55, "the failure may not matter", unchecked_result=_DISCARDED_RESULT),),
    types=(rb"\b@\s*:\s*&?(?:'\w+\s+)?(?:mut\s+)?([A-Za-z_][\w:]*)",),
    discarded_result_prefix=re.compile(rb"\blet\s+_\s*(?::[^=]{0,60})?=\s*(?:match\s+)?$"),
    rules=(
        CallRule("code.shell_execution", _ARGUMENT_CALLS, DECODE_AND_RUN_STATEMENT, (ArgumentCondition(WHOLE_CALL, reads=compile_pattern(rf"{SHELL_INVOCATION}{_SINGLE_ITEM}")), ArgumentCondition(WHOLE_CALL, reads=DECODED_SHELL_COMMAND)), 0.95, NOT_DECODED_REASON),
        CallRule("code.shell_execution", _ARGUMENT_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(WHOLE_CALL, reads=compile_pattern(rf"{SHELL_INVOCATION}[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK}{_SINGLE_ITEM}")),), 0.9, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", _ARGUMENT_CALLS, "{call} runs a constant command in a shell", (ArgumentCondition(WHOLE_CALL, reads=compile_pattern(rf"{SHELL_INVOCATION}[^{ITEM_SEPARATOR}{DYNAMIC_MARK}]+$")),), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", _ARGUMENT_CALLS, BUILT_REMOTE_STATEMENT, (ArgumentCondition(WHOLE_CALL, reads=BUILT_REMOTE_COMMAND),), 0.8, ORIGIN_NOT_TRACED_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.shell_execution", _ARGUMENT_CALLS, CONSTANT_REMOTE_STATEMENT, (ArgumentCondition(WHOLE_CALL, reads=CONSTANT_REMOTE_COMMAND),), 0.5, CONSTANT_COMMAND_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.shell_execution", (".exec", ".execute"), BUILT_REMOTE_STATEMENT, (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)(?:chan(?:nel)?|session|ssh)$")), ArgumentCondition(None, compile_pattern(r"format!|^&?\w+$"), reads=compile_pattern(r"\0"))), 0.75, ORIGIN_NOT_TRACED_REASON, beside=(b"ssh2", b"russh", b"openssh", b"thrussh")),
        CallRule("code.dynamic_code", _ARGUMENT_CALLS, "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(WHOLE_CALL, reads=BUILT_INTERPRETER_COMMAND),), 0.75, ORIGIN_NOT_TRACED_REASON, beside=(b'"-c"', b'"-e"', b'"--eval"', b'"-p"', b'"-r"')),
        CallRule("code.dynamic_code", ("evalexpr::eval", *(f"evalexpr::eval_{kind}" for kind in ("boolean", "string", "int", "float", "number", "tuple", "empty", "boolean_with_context", "int_with_context", "float_with_context", "number_with_context", "string_with_context")), "evalexpr::eval_with_context", "evalexpr::eval_with_context_mut", "evalexpr::build_operator_tree", "meval::eval_str", "meval::eval_str_with_context", "fasteval::ez_eval", "Tera::one_off", "tera::Tera::one_off", "JexlEvaluator::eval"), "Code injection risk: {call} evaluates text as an expression", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.7, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(0, sources_pattern=compile_pattern(r"include_str!|read_to_string\(")),)),
        CallRule("code.tls_verification_off", _ARGUMENT_CALLS, "Program is run with TLS or SSH host key checks turned off", (ArgumentCondition(WHOLE_CALL, reads=UNVERIFIED_TLS_COMMAND),), 0.9, "whether it is used was not analysed", beside=UNVERIFIED_TLS_KEYWORDS),
        NodeRule("code.tls_verification_off", "string_literal", "TLS certificate is not verified", UNVERIFIED_TLS_URL, 0.9, "whether it is used was not analysed"),
        CallRule("code.shell_execution", _ARGUMENT_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(WHOLE_CALL, reads=_SHELL_ALTERNATIVE),), 0.85, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", _ARGUMENT_CALLS, "Shell injection risk: {call} runs a command in a shell chosen at run time", (ArgumentCondition(WHOLE_CALL, _SHELL_VARIABLE_COMMAND), ArgumentCondition(WHOLE_CALL, reads=compile_pattern(rf"^{DYNAMIC_MARK}{ITEM_SEPARATOR}-\w*c{ITEM_SEPARATOR}[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK}{_SINGLE_ITEM}"))), 0.8, "the shell was recognised by name only"),
        CallRule("code.shell_execution", ("duct::cmd", "cmd"), "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_SHELL_COMMAND),), 0.85, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", ("run_script::run", "run_script::spawn"), "Shell injection risk: {call} runs a command in a shell", (), 0.85, "the origin of the command was not analysed"),
        NodeRule("code.shell_execution", "macro_invocation", "Shell injection risk: a command is run in a shell", compile_pattern(r"^(?:\w+::)*cmd!\s*[({]\s*(?:\w+\s*,\s*)?\"(?:/bin/)?(?:ba|z)?sh(?:\"\s*,\s*\"|\s+)-\w*c\b"), 0.8, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", ("sh_dangerous", "duct_sh::sh_dangerous"), "Shell injection risk: {call} runs a command in a shell", (), 0.9, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", ("libc::system", "nix::libc::system"), "Shell injection risk: {call} runs a command in a shell", (), 0.9, "the origin of the command was not analysed"),
        CallRule("code.shell_execution", ("Exec::shell", "subprocess::Exec::shell", "Exec::cmd_shell"), "Shell injection risk: {call} runs a command in a shell", (), 0.9, "the origin of the command was not analysed", (ArgumentCondition(0, reads=compile_pattern(r"^[^\0]*$")),)),
        CallRule("code.shell_execution", ("Exec::shell",), "{call} runs a constant command in a shell", (), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.dynamic_code", (".eval", ".eval_with_scope", ".eval_expression", ".eval_file", ".compile", "Engine::eval", ".run_string", ".execute_script"), "Code injection risk: {call} runs text in an embedded interpreter", (ArgumentCondition(None, reads=compile_pattern(r"\0")),), 0.65, "the type of the receiver is not known", unless_in_file=re.compile(rb"\A(?!.*(?:rhai|mlua|rlua|boa_engine|deno_core|rquickjs|pyo3|steel|gluon|\bv8\b))", re.DOTALL)),
        CallRule("code.dynamic_code", (".load", ".run", ".run_bound"), "Code injection risk: {call} runs text in an embedded interpreter", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.65, "the type of the receiver is not known", unless_in_file=re.compile(rb"\A(?!.*(?:mlua|rlua|pyo3|PyModule|Python::with_gil))", re.DOTALL)),
        CallRule("code.dynamic_code", (".render_str", ".render_template", ".render_named_str", ".template_from_str", ".add_raw_template", ".register_template_string", ".add_template_owned", "Tera::one_off", "tera::Tera::one_off"), "Template injection risk: a template that is not a project file is run", (ArgumentCondition(None, compile_pattern(r"(?i)(?:template|te?mpl|source|text|body|markup|layout|input|content)\w*(?:\.(?:as_str|clone|to_string|as_ref)\(\))?\)?$|format!"), reads=compile_pattern(r"\0")),), 0.6, "the origin of the text was not analysed", (ArgumentCondition(None, sources_pattern=compile_pattern(r"include_str!|read_to_string\(")),), beside=(b"minijinja", b"tera", b"Tera", b"andlebars")),
        CallRule("code.dynamic_code", ("Library::new", "libloading::Library::new"), "`libloading` loads code at run time", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.75, "the origin of the file was not analysed"),
        CallRule("code.tls_verification_off", (".danger_accept_invalid_certs", ".danger_accept_invalid_hostnames", ".tls_danger_accept_invalid_certs", ".tls_danger_accept_invalid_hostnames", ".accept_invalid_certs", ".accept_invalid_hostnames", ".use_preconfigured_insecure", ".dangerous_accept_invalid_certs", ".dangerous_accept_invalid_hostnames", ".with_danger_accept_invalid_certs", ".with_danger_skip_domain_validation", ".allow_invalid_certificates", ".allow_invalid_hostnames", ".disable_verification", ".tls_insecure", ".trust_cert_insecure"), "TLS certificate is not verified", (ArgumentCondition(0, reads=compile_pattern(r"^true$")),), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".set_certificate_verifier", ".with_custom_certificate_verifier"), "Every TLS certificate is accepted", (ArgumentCondition(0, compile_pattern(r"(?i)(?:\bno_?|skip|insecure|accept(?:_?(?:all|any|invalid))|trust_?all|dummy|danger|disable|allow_?any|null|noop)\w*")),), 0.85, "the verifier was recognised by name only"),
        CallRule("code.tls_verification_off", (".set_verify", ".set_verify_callback"), "TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"SslVerifyMode::NONE|SSL_VERIFY_NONE|^SslVerifyMode::empty\(\)")),), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".set_verify_hostname", ".verify_hostname", ".ssl_verify_peer", ".ssl_verify_host", ".verify_peer"), "TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"^false$")),), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".ssl_options",), "TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"DANGER_ACCEPT_INVALID")),), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".trust_cert",), "TLS certificate is not verified", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$")),), 0.9, "whether it is used was not analysed", beside=(b"tiberius",)),
        CallRule("code.tls_verification_off", (".enable_server_cert_auth", ".verify_hostname", ".verify"), "TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"^false$")),), 0.9, "whether it is used was not analysed", beside=(b"mqtt", b"ssl", b"tls", b"Tls", b"Ssl")),
        CallRule("code.tls_verification_off", (".ssl_mode",), "TLS certificate is not verified", (ArgumentCondition(0, compile_pattern(r"SslVerifyMode::None")),), 0.9, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "function_item", "Every TLS certificate is accepted", compile_pattern(r"^(?:pub\s+)?fn\s+verify_server_cert\b[^{]{0,900}\{\s*(?:return\s+)?(?:Ok\(\s*)?(?:[\w:]*::)?ServerCertVerified::assertion\(\)"), because="whether it is used was not analysed"),
        CallRule("code.tls_verification_off", (".certificate_check",), "Every TLS certificate is accepted", (ArgumentCondition(0, compile_pattern(r"^(?:move\s*)?\|[^|]*\|\s*(?:\{\s*)?(?:Ok\(\s*)?(?:\w+::)*CertificateCheckStatus::CertificateOk|^(?:move\s*)?\|[^|]*\|\s*true\s*$")),), 0.9, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "function_item", "Every SSH host key is accepted", compile_pattern(r"^(?:async\s+)?fn\s+check_server_key\b[^{]{0,400}\{\s*(?:return\s+)?Ok\(\s*true\s*\)"), because="whether it is used was not analysed"),
        CallRule("code.weak_hash", ("md5::compute", "Md5::new", "Sha1::new", "Md5::digest", "Sha1::digest", "Md4::new", "Md4::digest", "Md2::new", "Md2::digest", "Md5::new_with_prefix", "Sha1::new_with_prefix", "Md5::default", "Sha1::default", "Md5::default", "Ripemd160::new", "Sha1::from", "sha1_smol::Sha1::new"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
        NodeRule("code.weak_hash", "macro_invocation", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(rf"{_IN_MACRO}\b(?:md5::compute|(?:Md5|Sha1|Md4)::(?:new|default|digest|from|new_with_prefix))\s*\("), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("md5::Context::new", "Context::new"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$")),), 0.7, USE_NOT_TRACED_REASON, unless_in_file=re.compile(rb"\A(?!.*\bmd5::(?:\{[^}]*)?Context\b)", re.DOTALL)),
        NodeRule("code.weak_hash", "generic_type", "Weak hash is used with a key (MD5)", compile_pattern(r"^(?:\w+::)*Hmac<\s*(?:\w+::)*(?:Md5|Md4)\s*>"), 0.5, KEYED_HASH_REASON),
        CallRule("code.weak_hash", ("sha::sha1", "openssl::sha::sha1", "sha::Sha1::new", "Sha1::from_bytes", "md5::digest"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("MessageDigest::from_name", "digest::from_name"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=compile_pattern(r"^(?i:md5|sha-?1|md4)$")),), 0.7, USE_NOT_TRACED_REASON),
        NodeRule("code.weak_hash", "generic_function", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(r"^(?!.*\b[hH]mac(?:::|<))[\w:.]+::(?:<Md5>|<Sha1>|<Md4>|<Md5,|<Sha1,|<md5::Md5>|<sha1::Sha1>)"), 0.65, USE_NOT_TRACED_REASON),
        NodeRule("code.weak_hash", "bracketed_type", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(r"^<\s*(?:\w+::)*(?:Md5 as|Sha1 as|Md4 as)\s"), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("MessageDigest::md5", "MessageDigest::sha1"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$")),), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("digest::digest", "digest::Context::new", "Context::new"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"SHA1_FOR_LEGACY_USE_ONLY")),), 0.7, USE_NOT_TRACED_REASON),
        graph_query_rule(("neo4rs::query", "query", "Query::new")),
        CallRule("code.sql_from_strings", _QUERY_CALLS, "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.85, ORIGIN_NOT_TRACED_REASON, applies_to_callers=True),
        CallRule("code.sql_from_strings", _QUERY_CALLS, "Table or column name is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON),
        CallRule("code.sql_from_strings", (".query", "Statement::from_string", ".execute", "Statement::from_sql_and_values", ".query_one", ".exec", ".exec_drop"), "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(1, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.85, ORIGIN_NOT_TRACED_REASON, applies_to_callers=True),
        CallRule("code.sql_from_strings", (".query", "Statement::from_string", ".execute", "Statement::from_sql_and_values", ".query_one", ".exec", ".exec_drop"), "Table or column name is interpolated into the query of {call}", (ArgumentCondition(1, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON),
        CallRule("code.sql_from_strings", (".push",), "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)(?:builder|query|qb|sql)$")), ArgumentCondition(0, reads=BUILT_QUERY_PART, form=compile_pattern(r"format!"))), 0.75, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", (".push",), "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, reads=compile_pattern(rf"{BUILT_QUERY_PART.pattern}|^\0$"), distinguishes_identifiers=True), ArgumentCondition(RECEIVER, sources_pattern=compile_pattern(r"\bQueryBuilder(?:::<[^>]{1,60}>)?::new"))), 0.7, ORIGIN_NOT_TRACED_REASON, beside=(b"QueryBuilder",)),
        CallRule("code.sql_from_strings", (".push",), "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)(?:builder|query|qb|sql)$")), ArgumentCondition(0, compile_pattern(r"^&?[a-z_][\w.]*(?:\.(?:as_str|to_string|clone)\(\))?$"), reads=compile_pattern(r"^\0$"), distinguishes_identifiers=True)), 0.7, ORIGIN_NOT_TRACED_REASON, unless_in_file=re.compile(rb"\A(?!.*\bQueryBuilder\b)", re.DOTALL)),
        CallRule("code.sql_from_strings", _CLAUSE_CALLS, "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, reads=BUILT_CONDITION),), 0.75, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", (".filter", ".or_filter", ".order"), "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, compile_pattern(r"^(?:[\w:]*::)?sql(?:::<[^>]*>+)?\(\s*&?format!\(")),), 0.8, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.no_timeout", ("reqwest::get", "reqwest::Client::new", "Client::new", "reqwest::Client::builder", "Client::builder", "reqwest::ClientBuilder::new", "ClientBuilder::new", "reqwest::Client::default"), "No timeout on {call}: the request can hang forever", (), 0.65, "each request may set its own timeout", unless_in_file=_NO_REQWEST, unless_nearby=_TIMEOUT_CALL),
        CallRule("code.no_timeout", (".timeout", ".read_timeout", ".set_read_timeout", ".timeout_global"), "Timeout is turned off: the call can hang forever", (ArgumentCondition(0, compile_pattern(r"^None$")),), 0.7, "a timeout may be set elsewhere"),
        CallRule("code.no_timeout", ("ureq::get", "ureq::post", "ureq::put", "ureq::delete", "ureq::agent", "ureq::Agent::new", "ureq::patch", "ureq::head", "ureq::request", "ureq::AgentBuilder::new", "AgentBuilder::new", "ureq::builder", "isahc::get", "isahc::post", "minreq::get", "minreq::post", "minreq::put", "minreq::delete"), "No timeout on {call}: the request can hang forever", (), 0.6, "a timeout may be set elsewhere", unless_nearby=re.compile(rb"(?i)timeout")),
        CallRule("code.no_timeout", ("TcpStream::connect",), "Connection has no timeout and can hang forever", (), 0.6, "the operating system's timeout may be short enough", unless_nearby=re.compile(rb"\.set_read_timeout\(|\btimeout(?:_at)?\(|Timeout\b|\.set_nonblocking\(")),
        CallRule("code.subprocess_unchecked", (".status", ".output", ".spawn", ".wait"), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, compile_pattern(r"\bCommand::new\(|^(?:cmd|command|child)$")),), 0.8, REPORTED_ELSEWHERE_REASON, dropped=True),
        CallRule("code.subprocess_unchecked", (".status", ".output", ".spawn", ".wait"), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, typed=compile_pattern(r"^(?:\w+::)*(?:Command|Child)$")),), 0.8, REPORTED_ELSEWHERE_REASON, dropped=True),
        CallRule("code.subprocess_unchecked", (".wait",), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, compile_pattern(r"^\w+$"), sources_pattern=compile_pattern(r"\bCommand::new\([^;]*\.spawn\(")),), 0.75, REPORTED_ELSEWHERE_REASON, dropped=True, beside=(b"Command::new",)),
        CallRule("code.subprocess_unchecked", (".is_ok", ".is_err"), "Only the start of the child process is checked, not its exit status", (ArgumentCondition(RECEIVER, compile_pattern(r"^(?!.*\"(?:--version|-[vV]|--help|which)\")(?:\w+::)*Command::new\((?!\s*\"which\").*\.(?:status|output|wait)\(\s*\)\s*(?:\.await)?$")),), 0.65, EMPTY_OUTPUT_REASON, beside=(b"Command::new",)),
        CallRule("code.subprocess_unchecked", (".output", ".wait_with_output"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(RECEIVER, compile_pattern(r"\bCommand::new\(|^(?:cmd|command|child)$")),), 0.7, EMPTY_OUTPUT_REASON, unchecked_result=_OUTPUT_ONLY),
        CallRule("code.subprocess_unchecked", (".spawn",), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, compile_pattern(r"\bCommand::new\(")),), 0.65, REPORTED_ELSEWHERE_REASON, unchecked_result=UncheckedResult(uses=re.compile(rb"(?!)"))),
        CallRule("code.subprocess_unchecked", (".unwrap", ".expect", ".context", ".with_context", ".map_err", ".wrap_err", ".wrap_err_with", ".unwrap_or_else", ".change_context", ".into_diagnostic"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(RECEIVER, compile_pattern(r"^(?:\w+::)*Command::new\(.*\.(?:output|wait_with_output)\(\s*\)\s*(?:\.await)?\s*$|^(?:cmd|command|child)\.(?:output|wait_with_output)\(\s*\)\s*(?:\.await)?\s*$")),), 0.7, EMPTY_OUTPUT_REASON, unchecked_result=_OUTPUT_ONLY),
        CallRule("code.subprocess_unchecked", (".unwrap", ".expect", ".ok"), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, compile_pattern(r"^(?:\w+\.)*(?:cmd|command|child|process)\.(?:status|output|spawn|wait)\(\s*\)\s*(?:\.await)?$")),), 0.65, REPORTED_ELSEWHERE_REASON, dropped=True),
        CallRule("code.subprocess_unchecked", (".unwrap", ".expect", ".ok"), "Exit status of the child process is never checked", (ArgumentCondition(RECEIVER, compile_pattern(r"\bCommand::new\(.*\.(?:status|output|spawn|wait)\(\s*\)\s*(?:\.await)?$")),), 0.7, REPORTED_ELSEWHERE_REASON, dropped=True),
        NodeRule("code.subprocess_unchecked", "match_expression", UNCHECKED_OUTPUT_STATEMENT, compile_pattern(r"^match\s+[^{]{1,600}\{.{0,200}?\bOk\(\s*(?:mut\s+)?(\w+)\s*\)\s*=>(?=.{0,600}?\b\1\.stdout\b)(?!.{0,1200}?(?:\b\1\.status\b|\.success\(\)))"), 0.65, EMPTY_OUTPUT_REASON, beside=(b"Command::new",)),
        NodeRule("code.subprocess_unchecked", "if_expression", UNCHECKED_OUTPUT_STATEMENT, compile_pattern(r"^if\s+let\s+Ok\(\s*(?:mut\s+)?(\w+)\s*\)\s*=\s*[^{]{1,600}\{(?=.{0,600}?\b\1\.stdout\b)(?!.{0,1200}?(?:\b\1\.status\b|\.success\(\)))"), 0.65, EMPTY_OUTPUT_REASON, beside=(b"Command::new",)),
        CallRule("code.subprocess_unchecked", (".map", ".and_then", ".map_or", ".map_or_else"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(RECEIVER, compile_pattern(r"\bCommand::new\(.*\.output\(\)")), ArgumentCondition(None, compile_pattern(r"^\|\s*(?:mut\s+)?(\w+)\s*\|(?=.*?\b\1\.stdout\b)(?!.*?(?:\b\1\.status\b|\.success\(\)))"))), 0.65, EMPTY_OUTPUT_REASON, (ArgumentCondition(RECEIVER, compile_pattern(r"\.filter\(")),), beside=(b".stdout",)),
        *temporary_file_rules(("File::create", "fs::write", "fs::File::create", "std::fs::write", "tokio::fs::write")),
        *temporary_file_rules(("fs::copy", "fs::rename"), place=1),
        *temporary_file_rules(("UnixListener::bind", "UnixDatagram::bind", "UnixSeqpacketListener::bind", "Connection::open", "sled::open", "redb::Database::create", "Database::create", "DB::open_default", "rusqlite::Connection::open")),
        *temporary_file_rules((".open",), ArgumentCondition(RECEIVER, compile_pattern(r"\.create_new\(\s*true|^(?!.*(?:\.(?:create|write|append|truncate)\(\s*true|OpenOptions))|^(?!.*\.(?:create|write|append|truncate)\(\s*true)"))),
        CallRule("code.insecure_temporary_file", _ARGUMENT_CALLS, PROGRAM_FILE_STATEMENT, (ArgumentCondition(0, reads=TEMPORARY_PATH_ARGUMENT), ArgumentCondition(WHOLE_CALL, compile_pattern(r"\bCommand::new\(|^(?:cmd|command)\b"))), 0.55, WRITE_NOT_TRACED_REASON, (ArgumentCondition(WHOLE_CALL, reads=READ_ONLY_COMMAND), ArgumentCondition(0, sources_pattern=RANDOM_NAME_SOURCE))),
        *temporary_folder_rules(("fs::create_dir_all", "create_dir_all")),
        CallRule("code.swallowed_exception", ("fs::write", "fs::rename", "fs::copy", "fs::create_dir_all", "fs::create_dir", "fs::set_permissions", "fs::read_to_string", "fs::read", "File::create", "File::open"), "Error is silently dropped at {call}", (), 0.55, "the failure may not matter", unchecked_result=_DISCARDED_RESULT),
        CallRule("code.swallowed_exception", ("panic::catch_unwind", "catch_unwind"), "Result of `catch_unwind` is ignored, which drops a panic", (), 0.65, "the origin of the panic was not analysed", unchecked_result=_DISCARDED_RESULT),
        CallRule("code.swallowed_exception", ("fs::remove_file", "fs::remove_dir_all", "fs::remove_dir", "fs::hard_link", ".write_all", ".flush", ".sync_all", ".commit", ".execute", ".save", ".persist", ".publish", ".upload"), "Error is silently dropped at {call}", (), 0.5, "the failure may not matter", unchecked_result=_DISCARDED_RESULT),
        CallRule("code.swallowed_exception", (".send", ".join"), "Error is silently dropped at {call}", (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^$")),), 0.5, "the failure may not matter", unchecked_result=_DISCARDED_RESULT),
        CallRule("code.swallowed_exception", (".ok", ".unwrap_or_default"), "Error is silently dropped at {call}", (), 0.5, "the failure may not matter", dropped=True),
        CallRule("code.swallowed_exception", (".unwrap_or_default", ".unwrap_or", ".unwrap_or_else"), "{call} hides the error behind a fixed value", (ArgumentCondition(RECEIVER, compile_pattern(r"(?:\bfs::read(?:_to_string|_dir)?\([^()]*\)|\.(?:fetch_all|fetch_one|fetch_optional|execute|send|query_row|query_map|commit|load)(?:::<[^()]*>)?\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:\.await)?)\s*$")), ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^(?!\|\s*[a-z])"))), 0.5, "callers may treat the value as a failure"),
        NodeRule("code.swallowed_exception", "match_expression", "`match` hides the error behind a fixed value", compile_pattern(r"^match\s+(?![^{]{0,300}(?:parse|from_str|try_from|try_into|recv|\block|\bvar\(|strip|decode|find|utf8|metadata|symlink|canonicalize|lookup|poll|next|read_link|peek|downcast|compare))[^{]{1,300}\{.{0,1200}?\bErr\(\s*_\w*\s*\)\s*=>\s*(?:return\s+)?(?:None|\(\)|Vec::new\(\)|vec!\[\]|String::new\(\)|0|Default::default\(\)|\w+::default\(\)|HashMap::new\(\)|return|continue)\s*,?\s*\}$"), 0.5, "the failure may not matter"),
        CallRule("code.swallowed_exception", ("drop", "mem::drop", "std::mem::drop"), "Error is silently dropped at {call}", (ArgumentCondition(0, compile_pattern(r"^(?:std::)?fs::(?:write|rename|copy|create_dir_all|remove_file|remove_dir_all)\(|\.(?:write_all|flush|sync_all|commit|save)\([^()]*\)$")),), 0.55, "the failure may not matter"),
        CallRule("code.swallowed_exception", (".unwrap_or",), "Error is silently dropped at {call}", (ArgumentCondition(0, compile_pattern(r"^\(\)$")),), 0.5, "the failure may not matter", dropped=True),
        NodeRule("code.swallowed_exception", "match_arm", "`Err` is matched and silently dropped", compile_pattern(r"^Err\(\s*(?:_\w*|\w+)\s*\)\s*=>\s*(?:\{\s*\}|\(\))\s*,?$"), 0.65, "the failure may not matter"),
        NodeRule("code.swallowed_exception", "if_expression", "`Err` is matched and silently dropped", compile_pattern(r"^if\s+let\s+Err\(\s*\w+\s*\)\s*=[^{]{1,400}\{\s*\}$"), 0.75, "the failure may not matter"),
        NodeRule("text.debug_leftovers", "macro_invocation", "Printed text looks like leftover debug output", compile_pattern(rf"^e?print(?:ln)?!\s*[(\[{{]\s*(?:{DEBUG_MARKER_TEXT.pattern.removeprefix('^')})"), 0.75, "the output may be meant for users"),
        NodeRule("text.debug_leftovers", "macro_invocation", BARE_VALUE_STATEMENT, compile_pattern(r"^e?print(?:ln)?!\s*\(\s*\"(?:\{\w*:#?\?\}(?:[ ,]{0,3}\{\w*:#?\?\}){0,4}|(\w+)\s*[:=]+>?\s*\{(?:\1:#?\?\}|:#?\?\}(?=\"\s*,\s*&?(?:\w+\.)*\1\b)))\""), 0.55, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM),
        NodeRule("text.debug_leftovers", "macro_invocation", "Printed text looks like leftover debug output", compile_pattern(r"^e?print(?:ln)?!\s*[(\[{]\s*\"[\s\[(*#=-]{0,10}(?:DEBUG\b|DBG\b|(?i:debug|dbg)\s*[:>])"), 0.6, INTENDED_OUTPUT_REASON, unless_in_file=re.compile(rb"(?i)\bif\b[^\n{]{0,60}(?:debug|verbose|trace)")),
        NodeRule("text.debug_leftovers", "macro_invocation", BARE_VALUE_STATEMENT, compile_pattern(r"^e?println!\s*\(\s*\"[a-z]\w{0,20}\s\{:#?\?\}\"\s*,"), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM),
        NodeRule("text.debug_leftovers", "macro_invocation", "Variable is printed with its name, like debug output", compile_pattern(r"^e?print(?:ln)?!\s*\(\s*\"(?:[A-Za-z]\w*::)*(\w+)\s*[:=]+>?\s*\{(?:\1\}\"|\}\"\s*,\s*&?(?:\w+\.)*\1\s*\))"), 0.5, INTENDED_OUTPUT_REASON, unless_in_file=_COMMAND_LINE_PROGRAM),
        NodeRule("text.debug_leftovers", "macro_invocation", "Leftover debugging statement", compile_pattern(r"^dbg!\s*[(\[{]")),
    ),
)  # fmt: skip
