"""Rust."""

from __future__ import annotations

import re

from auditor.forensics.languages import grammar_workarounds
from auditor.forensics.languages.language_rule_types import (
    ALL,
    AS_IT_IS,
    DECODED_IN_A_SHELL,
    DROPPED_RESULT,
    FIXED,
    FIXED_FOREIGN_COMMAND,
    FIXED_ON_ANOTHER_MACHINE,
    FOREIGN_COMMAND,
    GLUED_CONDITION,
    GLUED_PART,
    GLUED_QUERY,
    HANDED_NAME,
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
    NOT_FOLLOWED,
    ON_ANOTHER_MACHINE,
    ONLY_READS,
    OUTPUT_TAKEN,
    PASSED,
    PERHAPS_EMPTY,
    READ_BY_SOMEBODY,
    RECEIVER,
    SHARED_HANDED,
    SHELLS,
    UNGUESSABLE,
    VALUE_QUERY,
    Argument,
    Call,
    Language,
    Piece,
    Testing,
    Unlooked,
    folder,
    form,
    graph_queries,
    temporary,
)
from auditor.forensics.languages.string_syntax import FILLED, NEXT, Writing
from auditor.forensics.source_text.decode_and_run_commands import DECODE_AND_RUN_STATEMENT, NOT_DECODED_REASON
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_TALKS = re.compile(
    rb"\bfn\s+main\s*\(|\b(?:clap|structopt|argh|pico_args|dialoguer|indicatif|crossterm|colored|rustyline)\b|\benv::args|\bstdout\(\)|(?s:\bprintln!.*\bprintln!.*\bprintln!)"
)
"""What a program holds that speaks to whoever runs it."""
_GIVEN = (".arg", ".args")
_ONE = rf"[^{NEXT}]*$"
"""The command is the last word so far: of a chain, each call is asked."""
_EITHER_SHELL = form(
    rf"^(?:[^{NEXT}]*\n)?(?:/bin/)?(?:ba|z)?sh(?:\n[^{NEXT}]*)?{NEXT}(?:-\w*c|(?:[^{NEXT}\n]*{NEXT}[^{NEXT}\n]*\n)-\w*c|-\w*c\n[^{NEXT}]*|[^{NEXT}\n]*\n-\w*c){NEXT}[^{NEXT}]*{FILLED}"
)
"""One of two shells, and the words for either."""
_SHELL_NAMED = form(
    r"(?i)^(?:\w+::)*Command::new\(\s*&?(?:\w+[._])*(?:(?:user|login|default|system)?_?shell(?:_?(?:path|bin|cmd|name))?|(?:ba|z|da|k)?sh(?:_?(?:path|bin))?)(?:\.\w+\(\))?\s*\)"
)
_LIMITED = re.compile(rb"\.timeout\(|\btimeout(?:_at)?\(|\.read_timeout\(")
_NO_REQWEST = re.compile(rb"\A(?!.*\breqwest\b)|reqwest::blocking", re.DOTALL)
_OUTPUT_ONLY = Unlooked(
    behind=re.compile(rb"\s*(?:\.await)?\s*(?:\?|\.(?:unwrap\(\)|expect\([^()]*\)))\s*\.(?:stdout|stderr)\b"),
    uses=re.compile(rb".?@\.(?:stdout|stderr)\b", re.DOTALL),
)
_NAMELESS = Unlooked(before=re.compile(rb"\blet\s+_\s*(?::[^=]{0,60})?=\s*\Z"), dropped=False)
"""What a call gives is given to nobody, and not handed on."""
_QUERYING = (
    "sqlx::query", "query", "query_as", "query_scalar", "query_with", "query_as_with", "raw_sql", "sql_query", "sql", "QueryBuilder::new", "Statement::from_string", "Statement::from_sql_and_values",
    ".execute", ".query", ".query_row", ".query_map", ".query_one", ".query_opt", ".query_raw", ".query_and_then", ".prepare", ".prepare_cached", ".execute_batch", ".batch_execute", ".simple_query",
    ".execute_unprepared", ".fetch", ".fetch_all", ".fetch_one", ".query_first", ".query_drop", ".query_iter", ".exec_drop", ".sql", ".conditional_query",
)  # fmt: skip
_PARTS = (".filter", ".or_filter", "sql", "cust", "Expr::cust", ".order")
_IN_MACRO = r"^[^\"]*(?:\"(?:[^\"\\]|\\.)*\"[^\"]*)*?"
"""What stands before something in a macro, whose calls the grammar does not tell: texts are passed over whole."""
_FOR_TESTS = r"cfg\(\s*(?:test\s*\)|all\(\s*(?:[^()]*,\s*)?test\s*[,)])"
_MARK = r"#\[(?:\w+::)*(?:test|rstest|quickcheck|test_case|wasm_bindgen_test)\s*(?:\([^\]]*\))?\]"
_TESTING = Testing(
    words=(b"#[test", b"::test", b"#[rstest", b"#[quickcheck", b"#[wasm_bindgen_test"),
    functions=form(_MARK),
    beside=form(rf"#\[{_FOR_TESTS}|{_MARK}"),
    all_for_tests=form(rf"^(?:\s|//[^\n]*\n)*#!\[{_FOR_TESTS}"),
    function_kinds=frozenset({"function_item"}),
    groups=frozenset({"mod_item"}),
    above=frozenset({"attribute_item", "line_comment", "block_comment"}),
    checks=form(
        r"\b(?:(?:debug_)?assert\w*|panic|unreachable|prop_assert\w*|matches|insta|snapshot\w*)!|\.(?:unwrap\w*|expect\w*)\(|\?[;)\s.]|\.(?:compile_fail|pass)\(|(?m:^)[^=\n]{0,200}\.(?:success|failure|succeeds?|fails?|passes)\(\)\s*;|\b(?i:assert|check|expect|verify|run|test|eqnice|compare)\w*!?\s*[(.]|should_panic"
    ),
    counted=form(
        r"(?:assert|eqnice)\w*!|\b(?:panic|unreachable)!|\b(?i:assert|check|expect|verify|compare)\w*\s*\(|\.(?:expect_err|unwrap_err|assert\w*)\("
    ),
    announced=form(r"#\[should_panic\b"),
    made=re.compile(rb"macro_rules!\s*(?P<name>\w{1,80})\s*\{(?P<body>[^\n]*(?:\n(?!\})[^\n]*){0,60})"),
    trivial=form(r"\b(?:debug_)?assert!\(\s*true\s*(?:,[^;]*)?\)|\bassert_eq!\(\s*(\w+)\s*,\s*\1\s*\)"),
    skipped=form(r"#\[ignore\b|#\[cfg\(\s*(?:any\(\s*\)|false)\s*\)\]"),
    conditional=form(r"#\[cfg_attr\([^\]]*\bignore\b|#\[cfg\((?!\s*test\s*\))"),
    constraint=form(r"^(?:\s|//[^\n]*\n)*#!\[cfg\((?!\s*test\s*\))(?P<never>\s*(?:any\(\s*\)|false)\s*\))?"),
)
_WRITING = Writing(
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
    wraps=re.compile(r"^(?:String::from|String::new|PathBuf::new|Cow::from|Cow::Borrowed|Box::from|String::with_capacity|Path::new|PathBuf::from|AssertSqlSafe|sqlx::AssertSqlSafe|SqlStr::from|sql|sql_query|diesel::sql_query|diesel::dsl::sql)$|(?:^|::)Command::new$|(?:^|::)sql(?:::<.*>)?$"),
    adds=re.compile(r"(?:^|\.)(?:push_str|push)$"),
    collects=re.compile(r"(?:^|\.)(?:args?|raw_arg)$"),
    growing=re.compile(rb"[\w.]{1,80}\s*\.(?:push_str|push|args?|raw_arg)\("),
    joins=re.compile(r"(?:^|\.)(?:join|concat)$"),
    paths=re.compile(r"(?P<on>(?:^|\.)join$)"),
    temporary=re.compile(rb"(?:std::)?(?:env::)?temp_dir\(\)"),
)  # fmt: skip
RUST = Language(
    name="rust",
    grammar=lambda _content: grammar("tree_sitter_rust"),
    otherwise=lambda content: ((grammar("tree_sitter_rust"), grammar_workarounds.rust(content)),),
    calls={"call_expression": "function"},
    functions=frozenset({"function_item", "closure_expression"}),
    branches=frozenset({"if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"}),
    comments=frozenset({"line_comment", "block_comment"}),
    writing=_WRITING,
    testing=_TESTING,
    passing=frozenset({"try_expression", "await_expression"}),
    failing=re.compile(rb"fn(?<=\bfn)\s+(?!send\b|try_send\b)(?P<name>\w+)\s{0,20}(?:<[^<>()]{0,100}>)?\s{0,20}\((?>[^()]{0,500}\)|(?:[^()]|\([^()]{0,500}\)){0,500}\))\s*->\s*(?:[\w:]+::)?Result\b"),
    of_failing=(Call("code.swallowed_exception", (), "A failure is dropped", (), 0.55, "it may be known that it does not matter", unlooked=_NAMELESS),),
    types=(rb"\b@\s*:\s*&?(?:'\w+\s+)?(?:mut\s+)?([A-Za-z_][\w:]*)",),
    unwanted=re.compile(rb"\blet\s+_\s*(?::[^=]{0,60})?=\s*(?:match\s+)?$"),
    rules=(
        Call("code.shell_execution", _GIVEN, DECODE_AND_RUN_STATEMENT, (Argument(ITSELF, reads=form(rf"{SHELLS}{_ONE}")), Argument(ITSELF, reads=DECODED_IN_A_SHELL)), 0.95, NOT_DECODED_REASON),
        Call("code.shell_execution", _GIVEN, "A command is handed to a shell", (Argument(ITSELF, reads=form(rf"{SHELLS}[^{NEXT}]*{FILLED}{_ONE}")),), 0.9, "where the command comes from was not followed"),
        Call("code.shell_execution", _GIVEN, "A constant command is handed to a shell", (Argument(ITSELF, reads=form(rf"{SHELLS}[^{NEXT}{FILLED}]+$")),), 0.5, FIXED),
        Call("code.shell_execution", _GIVEN, FOREIGN_COMMAND, (Argument(ITSELF, reads=ON_ANOTHER_MACHINE),), 0.8, PASSED, beside=(b"ssh", b"mosh")),
        Call("code.shell_execution", _GIVEN, FIXED_FOREIGN_COMMAND, (Argument(ITSELF, reads=FIXED_ON_ANOTHER_MACHINE),), 0.5, FIXED, beside=(b"ssh", b"mosh")),
        Call("code.shell_execution", (".exec", ".execute"), FOREIGN_COMMAND, (Argument(RECEIVER, form(r"(?i)(?:chan(?:nel)?|session|ssh)$")), Argument(None, form(r"format!|^&?\w+$"), reads=form(r"\0"))), 0.75, PASSED, beside=(b"ssh2", b"russh", b"openssh", b"thrussh")),
        Call("code.dynamic_code", _GIVEN, "Text is run as code by an interpreter", (Argument(ITSELF, reads=IN_AN_INTERPRETER),), 0.75, PASSED, beside=(b'"-c"', b'"-e"', b'"--eval"', b'"-p"', b'"-r"')),
        Call("code.dynamic_code", ("evalexpr::eval", *(f"evalexpr::eval_{kind}" for kind in ("boolean", "string", "int", "float", "number", "tuple", "empty", "boolean_with_context", "int_with_context", "float_with_context", "number_with_context", "string_with_context")), "evalexpr::eval_with_context", "evalexpr::eval_with_context_mut", "evalexpr::build_operator_tree", "meval::eval_str", "meval::eval_str_with_context", "fasteval::ez_eval", "Tera::one_off", "tera::Tera::one_off", "JexlEvaluator::eval"), "Text is run as code (an expression)", (Argument(0, reads=form(r"\0")),), 0.7, PASSED, (Argument(0, made_of=form(r"include_str!|read_to_string\(")),)),
        Call("code.tls_verification_off", _GIVEN, "A program is told not to check who answers", (Argument(ITSELF, reads=LAX_PROGRAM),), 0.9, "whether it is ever used was not followed", beside=LAX_WORDS),
        Piece("code.tls_verification_off", "string_literal", "The other side's certificate is not checked", LAX_ADDRESS, 0.9, "whether it is ever used was not followed"),
        Call("code.shell_execution", _GIVEN, "A command is handed to a shell", (Argument(ITSELF, reads=_EITHER_SHELL),), 0.85, "where the command comes from was not followed"),
        Call("code.shell_execution", _GIVEN, "A command is handed to a shell that is chosen at run time", (Argument(ITSELF, _SHELL_NAMED), Argument(ITSELF, reads=form(rf"^{FILLED}{NEXT}-\w*c{NEXT}[^{NEXT}]*{FILLED}{_ONE}"))), 0.8, "which program it is was told by the name alone"),
        Call("code.shell_execution", ("duct::cmd", "cmd"), "A command is handed to a shell", (Argument(ALL, reads=IN_A_SHELL),), 0.85, "where the command comes from was not followed"),
        Call("code.shell_execution", ("run_script::run", "run_script::spawn"), "A command is handed to a shell", (), 0.85, "where the command comes from was not followed"),
        Piece("code.shell_execution", "macro_invocation", "A command is handed to a shell", form(r"^(?:\w+::)*cmd!\s*[({]\s*(?:\w+\s*,\s*)?\"(?:/bin/)?(?:ba|z)?sh(?:\"\s*,\s*\"|\s+)-\w*c\b"), 0.8, "where the command comes from was not followed"),
        Call("code.shell_execution", ("sh_dangerous", "duct_sh::sh_dangerous"), "A command is handed to a shell", (), 0.9, "where the command comes from was not followed"),
        Call("code.shell_execution", ("libc::system", "nix::libc::system"), "A command is handed to a shell", (), 0.9, "where the command comes from was not followed"),
        Call("code.shell_execution", ("Exec::shell", "subprocess::Exec::shell", "Exec::cmd_shell"), "A command is handed to a shell", (), 0.9, "where the command comes from was not followed", (Argument(0, reads=form(r"^[^\0]*$")),)),
        Call("code.shell_execution", ("Exec::shell",), "A constant command is handed to a shell", (), 0.5, FIXED),
        Call("code.dynamic_code", (".eval", ".eval_with_scope", ".eval_expression", ".eval_file", ".compile", "Engine::eval", ".run_string", ".execute_script"), "Text is run as code (an interpreter)", (Argument(None, reads=form(r"\0")),), 0.65, "what the receiver is was not followed", without=re.compile(rb"\A(?!.*(?:rhai|mlua|rlua|boa_engine|deno_core|rquickjs|pyo3|steel|gluon|\bv8\b))", re.DOTALL)),
        Call("code.dynamic_code", (".load", ".run", ".run_bound"), "Text is run as code (an interpreter)", (Argument(0, reads=form(r"\0")),), 0.65, "what the receiver is was not followed", without=re.compile(rb"\A(?!.*(?:mlua|rlua|pyo3|PyModule|Python::with_gil))", re.DOTALL)),
        Call("code.dynamic_code", (".render_str", ".render_template", ".render_named_str", ".template_from_str", ".add_raw_template", ".register_template_string", ".add_template_owned", "Tera::one_off", "tera::Tera::one_off"), "Text is run as code (a template that is no file of the project)", (Argument(None, form(r"(?i)(?:template|te?mpl|source|text|body|markup|layout|input|content)\w*(?:\.(?:as_str|clone|to_string|as_ref)\(\))?\)?$|format!"), reads=form(r"\0")),), 0.6, "where the text comes from was not followed", (Argument(None, made_of=form(r"include_str!|read_to_string\(")),), beside=(b"minijinja", b"tera", b"Tera", b"andlebars")),
        Call("code.dynamic_code", ("Library::new", "libloading::Library::new"), "Code is loaded at run time (libloading)", (Argument(0, reads=form(r"\0")),), 0.75, "where the file comes from was not followed"),
        Call("code.tls_verification_off", (".danger_accept_invalid_certs", ".danger_accept_invalid_hostnames", ".tls_danger_accept_invalid_certs", ".tls_danger_accept_invalid_hostnames", ".accept_invalid_certs", ".accept_invalid_hostnames", ".use_preconfigured_insecure", ".dangerous_accept_invalid_certs", ".dangerous_accept_invalid_hostnames", ".with_danger_accept_invalid_certs", ".with_danger_skip_domain_validation", ".allow_invalid_certificates", ".allow_invalid_hostnames", ".disable_verification", ".tls_insecure", ".trust_cert_insecure"), "The other side's certificate is not checked", (Argument(0, reads=form(r"^true$")),), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", (".set_certificate_verifier", ".with_custom_certificate_verifier"), "Every certificate is accepted", (Argument(0, form(r"(?i)(?:\bno_?|skip|insecure|accept(?:_?(?:all|any|invalid))|trust_?all|dummy|danger|disable|allow_?any|null|noop)\w*")),), 0.85, "what checks them was told by its name alone"),
        Call("code.tls_verification_off", (".set_verify", ".set_verify_callback"), "The other side's certificate is not checked", (Argument(0, form(r"SslVerifyMode::NONE|SSL_VERIFY_NONE|^SslVerifyMode::empty\(\)")),), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", (".set_verify_hostname", ".verify_hostname", ".ssl_verify_peer", ".ssl_verify_host", ".verify_peer"), "The other side's certificate is not checked", (Argument(0, form(r"^false$")),), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", (".ssl_options",), "The other side's certificate is not checked", (Argument(0, form(r"DANGER_ACCEPT_INVALID")),), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", (".trust_cert",), "The other side's certificate is not checked", (Argument(ALL, reads=form(r"^$")),), 0.9, "whether it is ever used was not followed", beside=(b"tiberius",)),
        Call("code.tls_verification_off", (".enable_server_cert_auth", ".verify_hostname", ".verify"), "The other side's certificate is not checked", (Argument(0, form(r"^false$")),), 0.9, "whether it is ever used was not followed", beside=(b"mqtt", b"ssl", b"tls", b"Tls", b"Ssl")),
        Call("code.tls_verification_off", (".ssl_mode",), "The other side's certificate is not checked", (Argument(0, form(r"SslVerifyMode::None")),), 0.9, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "function_item", "Every certificate is accepted", form(r"^(?:pub\s+)?fn\s+verify_server_cert\b[^{]{0,900}\{\s*(?:return\s+)?(?:Ok\(\s*)?(?:[\w:]*::)?ServerCertVerified::assertion\(\)"), because="whether it is ever used was not followed"),
        Call("code.tls_verification_off", (".certificate_check",), "Every certificate is accepted", (Argument(0, form(r"^(?:move\s*)?\|[^|]*\|\s*(?:\{\s*)?(?:Ok\(\s*)?(?:\w+::)*CertificateCheckStatus::CertificateOk|^(?:move\s*)?\|[^|]*\|\s*true\s*$")),), 0.9, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "function_item", "Every key of the other side is accepted", form(r"^(?:async\s+)?fn\s+check_server_key\b[^{]{0,400}\{\s*(?:return\s+)?Ok\(\s*true\s*\)"), because="whether it is ever used was not followed"),
        Call("code.weak_hash", ("md5::compute", "Md5::new", "Sha1::new", "Md5::digest", "Sha1::digest", "Md4::new", "Md4::digest", "Md2::new", "Md2::digest", "Md5::new_with_prefix", "Sha1::new_with_prefix", "Md5::default", "Sha1::default", "Md5::default", "Ripemd160::new", "Sha1::from", "sha1_smol::Sha1::new"), "A weak hash is used", (), 0.7, JUDGED),
        Piece("code.weak_hash", "macro_invocation", "A weak hash is used", form(rf"{_IN_MACRO}\b(?:md5::compute|(?:Md5|Sha1|Md4)::(?:new|default|digest|from|new_with_prefix))\s*\("), 0.7, JUDGED),
        Call("code.weak_hash", ("md5::Context::new", "Context::new"), "A weak hash is used", (Argument(ALL, reads=form(r"^$")),), 0.7, JUDGED, without=re.compile(rb"\A(?!.*\bmd5::(?:\{[^}]*)?Context\b)", re.DOTALL)),
        Piece("code.weak_hash", "generic_type", "A weak hash is used with a key", form(r"^(?:\w+::)*Hmac<\s*(?:\w+::)*(?:Md5|Md4)\s*>"), 0.5, KEYED),
        Call("code.weak_hash", ("sha::sha1", "openssl::sha::sha1", "sha::Sha1::new", "Sha1::from_bytes", "md5::digest"), "A weak hash is used", (), 0.7, JUDGED),
        Call("code.weak_hash", ("MessageDigest::from_name", "digest::from_name"), "A weak hash is used", (Argument(0, reads=form(r"^(?i:md5|sha-?1|md4)$")),), 0.7, JUDGED),
        Piece("code.weak_hash", "generic_function", "A weak hash is used", form(r"^(?!.*\b[hH]mac(?:::|<))[\w:.]+::(?:<Md5>|<Sha1>|<Md4>|<Md5,|<Sha1,|<md5::Md5>|<sha1::Sha1>)"), 0.65, JUDGED),
        Piece("code.weak_hash", "bracketed_type", "A weak hash is used", form(r"^<\s*(?:\w+::)*(?:Md5 as|Sha1 as|Md4 as)\s"), 0.7, JUDGED),
        Call("code.weak_hash", ("MessageDigest::md5", "MessageDigest::sha1"), "A weak hash is used", (Argument(ALL, reads=form(r"^$")),), 0.7, JUDGED),
        Call("code.weak_hash", ("digest::digest", "digest::Context::new", "Context::new"), "A weak hash is used", (Argument(0, form(r"SHA1_FOR_LEGACY_USE_ONLY")),), 0.7, JUDGED),
        graph_queries(("neo4rs::query", "query", "Query::new")),
        Call("code.sql_from_strings", _QUERYING, "A query is put together from strings", (Argument(0, reads=VALUE_QUERY, told_apart=True),), 0.85, PASSED, handed_on=True),
        Call("code.sql_from_strings", _QUERYING, "A name is put into a query as text", (Argument(0, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", (".query", "Statement::from_string", ".execute", "Statement::from_sql_and_values", ".query_one", ".exec", ".exec_drop"), "A query is put together from strings", (Argument(1, reads=VALUE_QUERY, told_apart=True),), 0.85, PASSED, handed_on=True),
        Call("code.sql_from_strings", (".query", "Statement::from_string", ".execute", "Statement::from_sql_and_values", ".query_one", ".exec", ".exec_drop"), "A name is put into a query as text", (Argument(1, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", (".push",), "A part of a query is put together from strings", (Argument(RECEIVER, form(r"(?i)(?:builder|query|qb|sql)$")), Argument(0, reads=GLUED_PART, form=form(r"format!"))), 0.75, PASSED),
        Call("code.sql_from_strings", (".push",), "A part of a query is put together from strings", (Argument(0, reads=form(rf"{GLUED_PART.pattern}|^\0$"), told_apart=True), Argument(RECEIVER, made_of=form(r"\bQueryBuilder(?:::<[^>]{1,60}>)?::new"))), 0.7, PASSED, beside=(b"QueryBuilder",)),
        Call("code.sql_from_strings", (".push",), "A part of a query is put together from strings", (Argument(RECEIVER, form(r"(?i)(?:builder|query|qb|sql)$")), Argument(0, form(r"^&?[a-z_][\w.]*(?:\.(?:as_str|to_string|clone)\(\))?$"), reads=form(r"^\0$"), told_apart=True)), 0.7, PASSED, without=re.compile(rb"\A(?!.*\bQueryBuilder\b)", re.DOTALL)),
        Call("code.sql_from_strings", _PARTS, "A part of a query is put together from strings", (Argument(0, reads=GLUED_CONDITION),), 0.75, PASSED),
        Call("code.sql_from_strings", (".filter", ".or_filter", ".order"), "A part of a query is put together from strings", (Argument(0, form(r"^(?:[\w:]*::)?sql(?:::<[^>]*>+)?\(\s*&?format!\(")),), 0.8, PASSED),
        Call("code.no_timeout", ("reqwest::get", "reqwest::Client::new", "Client::new", "reqwest::Client::builder", "Client::builder", "reqwest::ClientBuilder::new", "ClientBuilder::new", "reqwest::Client::default"), "A request may wait without end", (), 0.65, "a limit may be set for each request", without=_NO_REQWEST, without_near=_LIMITED),
        Call("code.no_timeout", (".timeout", ".read_timeout", ".set_read_timeout", ".timeout_global"), "A time limit is switched off", (Argument(0, form(r"^None$")),), 0.7, "a limit may be set elsewhere"),
        Call("code.no_timeout", ("ureq::get", "ureq::post", "ureq::put", "ureq::delete", "ureq::agent", "ureq::Agent::new", "ureq::patch", "ureq::head", "ureq::request", "ureq::AgentBuilder::new", "AgentBuilder::new", "ureq::builder", "isahc::get", "isahc::post", "minreq::get", "minreq::post", "minreq::put", "minreq::delete"), "A request may wait without end", (), 0.6, "a limit may be set elsewhere", without_near=re.compile(rb"(?i)timeout")),
        Call("code.no_timeout", ("TcpStream::connect",), "A connection may wait without end", (), 0.6, "the system's own limit may be short enough", without_near=re.compile(rb"\.set_read_timeout\(|\btimeout(?:_at)?\(|Timeout\b|\.set_nonblocking\(")),
        Call("code.subprocess_unchecked", (".status", ".output", ".spawn", ".wait"), "Nobody looks at how a child process ended", (Argument(RECEIVER, form(r"\bCommand::new\(|^(?:cmd|command|child)$")),), 0.8, DROPPED_RESULT, dropped=True),
        Call("code.subprocess_unchecked", (".status", ".output", ".spawn", ".wait"), "Nobody looks at how a child process ended", (Argument(RECEIVER, typed=form(r"^(?:\w+::)*(?:Command|Child)$")),), 0.8, DROPPED_RESULT, dropped=True),
        Call("code.subprocess_unchecked", (".wait",), "Nobody looks at how a child process ended", (Argument(RECEIVER, form(r"^\w+$"), made_of=form(r"\bCommand::new\([^;]*\.spawn\(")),), 0.75, DROPPED_RESULT, dropped=True, beside=(b"Command::new",)),
        Call("code.subprocess_unchecked", (".is_ok", ".is_err"), "A child process counts as gone well once it was started", (Argument(RECEIVER, form(r"^(?!.*\"(?:--version|-[vV]|--help|which)\")(?:\w+::)*Command::new\((?!\s*\"which\").*\.(?:status|output|wait)\(\s*\)\s*(?:\.await)?$")),), 0.65, PERHAPS_EMPTY, beside=(b"Command::new",)),
        Call("code.subprocess_unchecked", (".output", ".wait_with_output"), OUTPUT_TAKEN, (Argument(RECEIVER, form(r"\bCommand::new\(|^(?:cmd|command|child)$")),), 0.7, PERHAPS_EMPTY, unlooked=_OUTPUT_ONLY),
        Call("code.subprocess_unchecked", (".spawn",), "Nobody looks at how a child process ended", (Argument(RECEIVER, form(r"\bCommand::new\(")),), 0.65, DROPPED_RESULT, unlooked=Unlooked(uses=re.compile(rb"(?!)"))),
        Call("code.subprocess_unchecked", (".unwrap", ".expect", ".context", ".with_context", ".map_err", ".wrap_err", ".wrap_err_with", ".unwrap_or_else", ".change_context", ".into_diagnostic"), OUTPUT_TAKEN, (Argument(RECEIVER, form(r"^(?:\w+::)*Command::new\(.*\.(?:output|wait_with_output)\(\s*\)\s*(?:\.await)?\s*$|^(?:cmd|command|child)\.(?:output|wait_with_output)\(\s*\)\s*(?:\.await)?\s*$")),), 0.7, PERHAPS_EMPTY, unlooked=_OUTPUT_ONLY),
        Call("code.subprocess_unchecked", (".unwrap", ".expect", ".ok"), "Nobody looks at how a child process ended", (Argument(RECEIVER, form(r"^(?:\w+\.)*(?:cmd|command|child|process)\.(?:status|output|spawn|wait)\(\s*\)\s*(?:\.await)?$")),), 0.65, DROPPED_RESULT, dropped=True),
        Call("code.subprocess_unchecked", (".unwrap", ".expect", ".ok"), "Nobody looks at how a child process ended", (Argument(RECEIVER, form(r"\bCommand::new\(.*\.(?:status|output|spawn|wait)\(\s*\)\s*(?:\.await)?$")),), 0.7, DROPPED_RESULT, dropped=True),
        Piece("code.subprocess_unchecked", "match_expression", OUTPUT_TAKEN, form(r"^match\s+[^{]{1,600}\{.{0,200}?\bOk\(\s*(?:mut\s+)?(\w+)\s*\)\s*=>(?=.{0,600}?\b\1\.stdout\b)(?!.{0,1200}?(?:\b\1\.status\b|\.success\(\)))"), 0.65, PERHAPS_EMPTY, beside=(b"Command::new",)),
        Piece("code.subprocess_unchecked", "if_expression", OUTPUT_TAKEN, form(r"^if\s+let\s+Ok\(\s*(?:mut\s+)?(\w+)\s*\)\s*=\s*[^{]{1,600}\{(?=.{0,600}?\b\1\.stdout\b)(?!.{0,1200}?(?:\b\1\.status\b|\.success\(\)))"), 0.65, PERHAPS_EMPTY, beside=(b"Command::new",)),
        Call("code.subprocess_unchecked", (".map", ".and_then", ".map_or", ".map_or_else"), OUTPUT_TAKEN, (Argument(RECEIVER, form(r"\bCommand::new\(.*\.output\(\)")), Argument(None, form(r"^\|\s*(?:mut\s+)?(\w+)\s*\|(?=.*?\b\1\.stdout\b)(?!.*?(?:\b\1\.status\b|\.success\(\)))"))), 0.65, PERHAPS_EMPTY, (Argument(RECEIVER, form(r"\.filter\(")),), beside=(b".stdout",)),
        *temporary(("File::create", "fs::write", "fs::File::create", "std::fs::write", "tokio::fs::write")),
        *temporary(("fs::copy", "fs::rename"), place=1),
        *temporary(("UnixListener::bind", "UnixDatagram::bind", "UnixSeqpacketListener::bind", "Connection::open", "sled::open", "redb::Database::create", "Database::create", "DB::open_default", "rusqlite::Connection::open")),
        *temporary((".open",), Argument(RECEIVER, form(r"\.create_new\(\s*true|^(?!.*(?:\.(?:create|write|append|truncate)\(\s*true|OpenOptions))|^(?!.*\.(?:create|write|append|truncate)\(\s*true)"))),
        Call("code.insecure_temporary_file", _GIVEN, HANDED_NAME, (Argument(0, reads=SHARED_HANDED), Argument(ITSELF, form(r"\bCommand::new\(|^(?:cmd|command)\b"))), 0.55, NOT_FOLLOWED, (Argument(ITSELF, reads=ONLY_READS), Argument(0, made_of=UNGUESSABLE))),
        *folder(("fs::create_dir_all", "create_dir_all")),
        Call("code.swallowed_exception", ("fs::write", "fs::rename", "fs::copy", "fs::create_dir_all", "fs::create_dir", "fs::set_permissions", "fs::read_to_string", "fs::read", "File::create", "File::open"), "A failure is dropped", (), 0.55, "it may be known that it does not matter", unlooked=_NAMELESS),
        Call("code.swallowed_exception", ("panic::catch_unwind", "catch_unwind"), "A panic is caught and dropped", (), 0.65, "where it comes from was not followed", unlooked=_NAMELESS),
        Call("code.swallowed_exception", ("fs::remove_file", "fs::remove_dir_all", "fs::remove_dir", "fs::hard_link", ".write_all", ".flush", ".sync_all", ".commit", ".execute", ".save", ".persist", ".publish", ".upload"), "A failure is dropped", (), 0.5, "it may be known that it does not matter", unlooked=_NAMELESS),
        Call("code.swallowed_exception", (".send", ".join"), "A failure is dropped", (Argument(ALL, reads=form(r"^$")),), 0.5, "it may be known that it does not matter", unlooked=_NAMELESS),
        Call("code.swallowed_exception", (".ok", ".unwrap_or_default"), "A failure is dropped", (), 0.5, "it may be known that it does not matter", dropped=True),
        Call("code.swallowed_exception", (".unwrap_or_default", ".unwrap_or", ".unwrap_or_else"), "A failure is dropped, and a fixed value takes its place", (Argument(RECEIVER, form(r"(?:\bfs::read(?:_to_string|_dir)?\([^()]*\)|\.(?:fetch_all|fetch_one|fetch_optional|execute|send|query_row|query_map|commit|load)(?:::<[^()]*>)?\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:\.await)?)\s*$")), Argument(ALL, reads=form(r"^(?!\|\s*[a-z])"))), 0.5, "who gets the value may know what it stands for"),
        Piece("code.swallowed_exception", "match_expression", "A failure is looked at, and a fixed value takes its place", form(r"^match\s+(?![^{]{0,300}(?:parse|from_str|try_from|try_into|recv|\block|\bvar\(|strip|decode|find|utf8|metadata|symlink|canonicalize|lookup|poll|next|read_link|peek|downcast|compare))[^{]{1,300}\{.{0,1200}?\bErr\(\s*_\w*\s*\)\s*=>\s*(?:return\s+)?(?:None|\(\)|Vec::new\(\)|vec!\[\]|String::new\(\)|0|Default::default\(\)|\w+::default\(\)|HashMap::new\(\)|return|continue)\s*,?\s*\}$"), 0.5, "it may be known that it does not matter"),
        Call("code.swallowed_exception", ("drop", "mem::drop", "std::mem::drop"), "A failure is dropped", (Argument(0, form(r"^(?:std::)?fs::(?:write|rename|copy|create_dir_all|remove_file|remove_dir_all)\(|\.(?:write_all|flush|sync_all|commit|save)\([^()]*\)$")),), 0.55, "it may be known that it does not matter"),
        Call("code.swallowed_exception", (".unwrap_or",), "A failure is dropped", (Argument(0, form(r"^\(\)$")),), 0.5, "it may be known that it does not matter", dropped=True),
        Piece("code.swallowed_exception", "match_arm", "A failure is looked at and dropped", form(r"^Err\(\s*(?:_\w*|\w+)\s*\)\s*=>\s*(?:\{\s*\}|\(\))\s*,?$"), 0.65, "it may be known that it does not matter"),
        Piece("code.swallowed_exception", "if_expression", "A failure is looked at and dropped", form(r"^if\s+let\s+Err\(\s*\w+\s*\)\s*=[^{]{1,400}\{\s*\}$"), 0.75, "it may be known that it does not matter"),
        Piece("text.debug_leftovers", "macro_invocation", "A line is printed that says of itself that it is for debugging", form(rf"^e?print(?:ln)?!\s*[(\[{{]\s*(?:{MARKED.pattern.removeprefix('^')})"), 0.75, "whoever runs it may be meant to read it"),
        Piece("text.debug_leftovers", "macro_invocation", AS_IT_IS, form(r"^e?print(?:ln)?!\s*\(\s*\"(?:\{\w*:#?\?\}(?:[ ,]{0,3}\{\w*:#?\?\}){0,4}|(\w+)\s*[:=]+>?\s*\{(?:\1:#?\?\}|:#?\?\}(?=\"\s*,\s*&?(?:\w+\.)*\1\b)))\""), 0.55, READ_BY_SOMEBODY, without=_TALKS),
        Piece("text.debug_leftovers", "macro_invocation", "A line is printed that says of itself that it is for debugging", form(r"^e?print(?:ln)?!\s*[(\[{]\s*\"[\s\[(*#=-]{0,10}(?:DEBUG\b|DBG\b|(?i:debug|dbg)\s*[:>])"), 0.6, READ_BY_SOMEBODY, without=re.compile(rb"(?i)\bif\b[^\n{]{0,60}(?:debug|verbose|trace)")),
        Piece("text.debug_leftovers", "macro_invocation", AS_IT_IS, form(r"^e?println!\s*\(\s*\"[a-z]\w{0,20}\s\{:#?\?\}\"\s*,"), 0.5, READ_BY_SOMEBODY, without=_TALKS),
        Piece("text.debug_leftovers", "macro_invocation", "A variable is printed by its name", form(r"^e?print(?:ln)?!\s*\(\s*\"(?:[A-Za-z]\w*::)*(\w+)\s*[:=]+>?\s*\{(?:\1\}\"|\}\"\s*,\s*&?(?:\w+\.)*\1\s*\))"), 0.5, READ_BY_SOMEBODY, without=_TALKS),
        Piece("text.debug_leftovers", "macro_invocation", "A debugging aid was left behind", form(r"^dbg!\s*[(\[{]")),
    ),
)  # fmt: skip
