"""Ruby."""

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
    BUILT_QUERY_PART,
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
    GUESSABLE_FILE_STATEMENT,
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

_PARTLY_DYNAMIC = compile_pattern(r"[^\0\x1f]\0|\0[^\0\x1f]")
_SHELL_CALLS = (
    "system", "Kernel.system", "exec", "Kernel.exec", "spawn", "Kernel.spawn", "Process.spawn", "IO.popen", "Open3.capture2", "Open3.capture3", "Open3.capture2e", "Open3.popen3", "Open3.popen2",
    "Open3.popen2e", "Open3.pipeline", "Open3.pipeline_r", "PTY.spawn", "PTY.getpty", "sh", "POSIX::Spawn::Child.new",
)  # fmt: skip
_HMAC_CALLS = tuple(f"OpenSSL::HMAC.{made}" for made in ("hexdigest", "digest", "base64digest", "new"))
_HMAC_ARGUMENT_BEFORE = re.compile(rb"\bHMAC\.\w{1,20}[( ]\s{0,40}\Z")
"""What makes something of a digest and a key stands right before it."""
_QUERY_CALLS = (
    ".execute", ".exec_query", ".exec_update", ".exec_delete", ".exec_insert", ".find_by_sql", ".count_by_sql", ".select_all", ".select_one", ".select_rows", ".select_value", ".select_values", ".query", ".exec",
    ".exec_params", ".async_exec", ".prepare", ".execute2", ".execute_batch", ".get_first_row", ".get_first_value", ".run", ".fetch", ".with_sql", ".sql_literal", ".async_query", ".insert", ".update", ".delete",
    "find_by_sql", "execute", "count_by_sql", "select_all", "Arel.sql", "Sequel.lit", "Sequel.literal",
)  # fmt: skip
_CLAUSE_CALLS = (
    ".where", "where", ".not", ".or", ".having", ".joins", "joins", ".find_by", "find_by", ".exists?", "exists?", ".delete_all", ".update_all", "update_all", ".destroy_all", ".from", ".pluck", ".calculate", ".sum",
    ".count", ".lock", ".find_each", ".rewhere", ".filter", ".exclude", ".select", ".group", ".delete_by", ".destroy_by", "delete_all", "destroy_all", "having", "rewhere", "delete_by", "destroy_by", ".first", ".last",
)  # fmt: skip
_FRAGMENT_CALLS = (
    ".order",
    "order",
    ".joins",
    "joins",
    "select",
    ".select",
    "pluck",
    "having",
    ".reorder",
    "reorder",
    ".group",
    ".order_append",
    "Arel.sql",
    "Sequel.lit",
    ".pluck",
    ".from",
    ".in_order_of",
)
_BUILT_CLAUSE = compile_pattern(rf"{BUILT_QUERY_PART.pattern}|\w\(\s*\0\s*\)")
_NO_OPTION = compile_pattern(r"^(?!\w+:|:\w+\s*=>|\*\*|['\"][rwab+]+['\"]$|&|err\b|out\b|in\b|\w*opt(?:ion)?s\b)")
"""A word of a command, and nothing that tells how it is to be run."""
_DATABASE_KEYWORDS = (b"ActiveRecord", b"ApplicationRecord", b"Sequel", b"Controller", b"scope :")
"""What is in files where a part of a query is asked for, and not something of a page or of a list."""
_GENERATOR_KEYWORDS = (b"Thor::Actions", b"Rails::Generators", b"TTY::Command")
"""Where `run` stands for a command line."""
_DEPLOYMENT_KEYWORDS = (b"SSHKit", b"capistrano", b"on roles", b"on release_roles", b"on primary")
"""Where `execute` stands for a command line on another machine."""
_EVAL_CALLS = (
    "eval",
    "Kernel.eval",
    "instance_eval",
    "class_eval",
    "module_eval",
    ".instance_eval",
    ".class_eval",
    ".module_eval",
)
_LOGGED_ERROR = compile_pattern(
    r"\.backtrace\b|\bfull_message\b|capture_exception|notify_error|Honeybadger\.notify|Rollbar\.error|Bugsnag\.notify|Rails\.error\.report|\.detailed_message|\b(?:error|fatal|warn)\s*\(\s*e(?:x|rr|rror|xception)?\s*\)|exception:\s*e"
)
"""A handler that keeps the trace of what it logs."""
_MAIN_LOOP = compile_pattern(
    r"loop\s*(?:do\b|\{)|while\s+(?:true\b|!|@?running|not\b)|until\s+@?\w*(?:stop|shut|done|exit|quit)|def\s+(?:self\.)?(?:main|perform|call!?)\b(?=\s*(?:$|\n|\(\s*(?:\w+,\s*)?env\b|\(\s*\*))|Thread\.(?:new|start)\b"
)
"""What a program, a thread or a job begins in."""
_COMMAND_LINE_PROGRAM = re.compile(
    rb"\A#!|\bARGV\b|\b(?:OptionParser|Thor|GLI|TTY|Dry::CLI|Slop|Readline|Reline|Rake|IRB)\b|__FILE__\s*==\s*\$|\$PROGRAM_NAME|\$0\b|(?m:^[ \t]*task\s)"
)
"""What a program holds that speaks to whoever runs it."""
_STATUS_CHECK = re.compile(rb"\$\?|\$CHILD_STATUS|Process\.last_status|\bset -e")
_READ_ONLY_OR_EXCLUSIVE = ArgumentCondition(None, compile_pattern(r"\bEXCL\b|^['\"](?:rb?|rt|r:[\w:-]+|\w*x\w*)['\"]$"))
_OUTPUT_ONLY = UncheckedResult(
    before=re.compile(rb"(?:\A|[\n;{|(])\s*(?:@?\w+\s*,\s*){0,2}(?:_\w*|@?\w+\s*,)\s*=\s*\Z"),
    behind=re.compile(rb"\s*(?:\[\s*0\s*\]|\.first\b)"),
    uses=re.compile(rb".?@(?:\[\s*0\s*\]|\.first\b)", re.DOTALL),
)
"""Of a child process, its output alone is asked for."""
_TEST_SYNTAX = TestSyntax(
    words=(b"it ", b"it(", b"it{", b"scenario", b"test ", b"test(", b"specify", b"example", b"should ", b"def test_"),
    calls=re.compile(rb"(?:[xf]?(?:it|specify|example|scenario)|test|should|pending|skip)(?![\w.?!])"),
    holders=re.compile(rb"(?:RSpec\.)?[xf]?(?:describe|context|feature)(?![\w.?!])"),
    functions=compile_pattern(r"^def test_\w+"),
    function_kinds=frozenset({"method"}),
    checks=compile_pattern(
        r"\b(?i:assert|refute|expect|should|must|wont|is_expected|check|verify|flunk|raise|compare|ensure|skip|pending)\w*|have_\w+"
    ),
    counted=compile_pattern(
        r"\b(?:assert|refute|expect|is_expected|should|must_|wont_|flunk|check_|verify_|have_received)\w*"
    ),
    trivial=compile_pattern(
        r"\bexpect[ (](?![^\n]{0,300}(?:\.|\b)(?:to|not_to|to_not)\b)[^\n{]{0,300}\)[ \t]*\n(?!\s*[.&])|\bassert(?:_equal)?[ (]+(true|1)\b(?:\s*,\s*\1\b)?\)?[ \t]*(?:\n|$)|\bexpect\((true|1)\)\.to\s+(?:eq|be)[ (]*\2\b\)?"
    ),
    skipped=compile_pattern(
        r"^(?:x(?:it|specify|example|describe|context|feature)|skip|pending)\b|\b(?:skip|pending)(?::|\s*=>)\s*(?!false|nil)\S|(?<!\w):(?:skip|pending)\b"
    ),
    conditional=compile_pattern(r"\b(?:if|unless)(?::|\s*=>)"),
    alone=compile_pattern(
        r"^f(?:it|specify|example|describe|context|feature)\b|\bfocus(?::|\s*=>)\s*true|(?<!\w):focus\b"
    ),
    stops=compile_pattern(r"(?:skip|pending)\b(?!\s*[=.])(?!.*\b(?:if|unless)\b)"),
    comments=compile_pattern(r"(?m:^\s*#[^\n]*)"),
)
_STRING_SYNTAX = StringSyntax(
    literals=frozenset({"string", "chained_string", "heredoc_beginning", "bare_string", "subshell"}),
    interpolation_kinds=frozenset({"interpolation"}),
    gives={"assignment": ("left", "right"), "operator_assignment": ("left", "right"), "binary": ("left", "right")},
    binary_kinds=frozenset({"binary"}),
    around={"unary": "operand", "parenthesized_statements": "", "splat_argument": "", "begin": "", "then": "", "else": ""},
    choices={"conditional": ("consequence", "alternative"), "if": ("consequence", "alternative")},
    lists=frozenset({"array", "string_array"}),
    names=frozenset({"identifier", "instance_variable", "constant", "global_variable"}),
    members=frozenset({"scope_resolution"}),
    calls=frozenset({"call"}),
    placeholder_pattern=re.compile(r"%(?:\d+\$)?[-+ #0]*\d*(?:\.\d+)?([a-zA-Z%])|%[{<]\w{1,40}[}>]"),
    format_calls=re.compile(r"^(?:Kernel\.)?(?:format|sprintf)$"),
    same=re.compile(r"(?:^|\.)(?:to_s|to_str|squish|strip|freeze|dup|chomp|strip_heredoc|gsub|sub|html_safe|tr|downcase|upcase|presence|\+@)$"),
    identity_calls=re.compile(r"^(?:Pathname\.new|Pathname|File\.expand_path|String\.new|String|Arel\.sql|Sequel\.lit)$"),
    adds=re.compile(r"(?:^|\.)(?:concat)$"),
    append_methods=re.compile(r"(?:^|\.)(?:push|append)$"),
    growing=re.compile(rb"[\w.@]{1,80}\.(?:concat|push|append)\b"),
    join_calls=re.compile(r"(?:^|\.)join$"),
    paths=re.compile(r"^File\.join$|(?P<on>(?:^|\.)join$)"),
    temporary_folder=re.compile(rb"(?:Dir\.)?tmpdir"),
    heredoc_kinds=("heredoc_beginning", "heredoc_body"),
)  # fmt: skip
_PLAIN_VALUE_NAME = r"(?!\w*(?:message|msg|line|text|output|report|usage|help|banner|version|summary|content|table|out|str|string|result_text|body|sql|yaml|json|csv|error|err|e|ex)s?\b)@?[a-z_]\w*"
"""A name that stands for a value, and not for words to a reader."""
_CONSTANT_VALUE = r"(?:nil|false|true|\[\s*\]|\{\s*\}|-?\d[\d_.]*|\"[^\"#\n]{0,60}\"|'[^'\n]{0,60}'|:\w+|(?:[A-Z]\w*::)*[A-Z][A-Z0-9_]+|(?:Hash|Array|Set|String|Struct|OpenStruct)\.new(?:\(\))?)"
"""A value that is the same whatever went wrong."""
_CONSTANT_ASSIGNMENT = rf"@{{0,2}}[a-z_]\w*\s*=\s*{_CONSTANT_VALUE}"
_NOT_ERROR_FLAG = r"(?!@{0,2}\w*(?i:err|fail|exc|rais|rescue|caught|valid|ok\b|success))"
"""A name that says that something failed is no value in place of it."""
_SWALLOWING_BLOCK = rf"\s*(?:#[^\n]*\s*)*(?:(?:return\s+)?(?:next|{_CONSTANT_VALUE})|return|break|{_CONSTANT_ASSIGNMENT})?\s*(?:#[^\n]*\s*)*$"
"""The rest of a handler that does nothing, or puts a fixed value in place of what failed."""
_FIXED_VALUE = rf"(?:=>[ \t]*\w+[ \t]*)?(?:\n|;|then)\s*(?:(?:return\s+)?(?:next|{_CONSTANT_VALUE})|return|break|{_NOT_ERROR_FLAG}{_CONSTANT_ASSIGNMENT})\s*$"
_SWALLOWING_BODY = rf"[ \t]*{_FIXED_VALUE}|(?:[ \t]*=>[ \t]*\w+)?(?:\s|#[^\n]*(?:\n|$))*$"
"""What stands behind the class that a handler names where it only drops what it catches, which is told elsewhere."""
RUBY = Language(
    name="ruby",
    grammar=lambda _content: grammar("tree_sitter_ruby"),
    calls={"call": "method"},
    callee_fields=("receiver", "method"),
    functions=frozenset({"method", "singleton_method"}),
    comment_starts=(b"#", b"=begin"),
    branches=frozenset({"if", "unless", "elsif", "while", "until", "for", "when", "rescue", "conditional", "if_modifier", "unless_modifier"}),
    values=frozenset({"assignment", "pair"}),
    handlers=frozenset({"rescue"}),
    writing=_STRING_SYNTAX,
    declared=False,
    implicit_return_prefix=re.compile(rb"\bdef\s+[\w.]{1,80}\?[^\n]{0,100}\n\s*\Z"),
    statements=frozenset({"program", "body_statement", "then", "block_body", "do", "else", "begin", "ensure", "when"}),
    modifiers=frozenset({"if_modifier", "unless_modifier", "while_modifier", "until_modifier"}),
    test_syntax=_TEST_SYNTAX,
    rules=(
        CallRule("code.shell_execution", _SHELL_CALLS, DECODE_AND_RUN_STATEMENT, (ArgumentCondition(0, compile_pattern(DECODE_AND_RUN_COMMAND)),), 0.95, NOT_DECODED_REASON),
        CallRule("code.shell_execution", _SHELL_CALLS, DECODE_AND_RUN_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=DECODED_SHELL_COMMAND),), 0.95, NOT_DECODED_REASON),
        NodeRule("code.shell_execution", "subshell", DECODE_AND_RUN_STATEMENT, compile_pattern(DECODE_AND_RUN_COMMAND), 0.95, NOT_DECODED_REASON),
        CallRule("code.dynamic_code", _EVAL_CALLS, "Text that is encoded in the source is decoded and run as code", (ArgumentCondition(0, compile_pattern(r"\bBase64\b|\.unpack1?\(\s*['\"](?:m|H\*)")),), 0.95, NOT_DECODED_REASON),
        CallRule("code.shell_execution", _SHELL_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_SHELL_COMMAND),), 0.95, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.shell_execution", _SHELL_CALLS, "Shell injection risk: {call} runs a command built at run time in a shell", (ArgumentCondition(0, reads=_PARTLY_DYNAMIC),), 0.9, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(1, _NO_OPTION), ArgumentCondition(0, kinds=frozenset({"array", "splat_argument"})))),
        CallRule("code.shell_execution", _SHELL_CALLS, "Shell injection risk: {call} runs a command built at run time in a shell", (ArgumentCondition(1, reads=_PARTLY_DYNAMIC), ArgumentCondition(0, kinds=frozenset({"identifier", "hash", "instance_variable", "constant"}))), 0.85, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(2, compile_pattern(r"^(?!\w+:|:\w+\s*=>|\*\*)")),)),
        CallRule("code.shell_execution", _SHELL_CALLS, "Shell injection risk: {call} runs a command in a shell", (ArgumentCondition(0, kinds=frozenset({"identifier", "instance_variable", "call", "element_reference"}), reads=compile_pattern(r"^\0$")),), 0.75, "a command without spaces and special characters is run without a shell", (ArgumentCondition(1, _NO_OPTION), ArgumentCondition(0, compile_pattern(r"(?i)shelljoin|\.join$|\bargs?$|argv|words|^\*|\bblock$")))),
        CallRule("code.shell_execution", (*_SHELL_CALLS,), "{call} runs a constant command in a shell", (ArgumentCondition(0, reads=compile_pattern(r"^[^\0\x1f]*[|&;<>$*`][^\0\x1f]*$")),), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", _SHELL_CALLS, "{call} runs a constant command in a shell", (ArgumentCondition(ALL_ARGUMENTS, reads=CONSTANT_SHELL_COMMAND),), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", _SHELL_CALLS, BUILT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_REMOTE_COMMAND),), 0.8, ORIGIN_NOT_TRACED_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.shell_execution", _SHELL_CALLS, CONSTANT_REMOTE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=CONSTANT_REMOTE_COMMAND),), 0.5, CONSTANT_COMMAND_REASON, beside=(b"ssh", b"mosh")),
        CallRule("code.tls_verification_off", _SHELL_CALLS, "Program is run with TLS or SSH host key checks turned off", (ArgumentCondition(ALL_ARGUMENTS, reads=UNVERIFIED_TLS_COMMAND),), 0.9, "whether it is used was not analysed", beside=UNVERIFIED_TLS_KEYWORDS),
        NodeRule("code.tls_verification_off", "subshell", "Program is run with TLS or SSH host key checks turned off", compile_pattern(r"\bcurl\s(?:[^;|&\n]{0,300}?\s)?(?:--insecure|-[a-zA-Z]{0,8}k[a-zA-Z]{0,8})\s|\bwget\s[^;|&\n]{0,300}?--no-check-certificate|\bStrictHostKeyChecking[= ](?:no|off)\b"), 0.9, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "string", "TLS certificate is not verified", UNVERIFIED_TLS_URL, 0.9, "whether it is used was not analysed"),
        CallRule("code.shell_execution", ("Open3.pipeline", "Open3.pipeline_r", "Open3.pipeline_w", "Open3.pipeline_rw", "Open3.pipeline_start"), "Shell injection risk: {call} runs a command built at run time in a shell", (ArgumentCondition(None, kinds=frozenset({"string"}), reads=_PARTLY_DYNAMIC),), 0.85, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.shell_execution", (".exec!",), "Shell injection risk: a command built at run time is run in a shell on another machine", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.8, ORIGIN_NOT_TRACED_REASON, beside=(b"ssh", b"SSH")),
        CallRule("code.shell_execution", (".exec!",), "Constant command is run in a shell on another machine", (ArgumentCondition(0, reads=compile_pattern(r"^[^\0]+$")),), 0.5, CONSTANT_COMMAND_REASON, beside=(b"ssh", b"SSH")),
        CallRule("code.shell_execution", ("run", ".run"), "Shell injection risk: {call} runs a command built at run time in a shell", (ArgumentCondition(0, reads=_PARTLY_DYNAMIC),), 0.85, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(1, compile_pattern(r"^(?!\w+:|:\w+\s*=>|\*\*)")),), beside=_GENERATOR_KEYWORDS),
        CallRule("code.shell_execution", ("run", ".run"), "{call} runs a constant command in a shell", (ArgumentCondition(0, reads=compile_pattern(r"^[^\0\x1f]*[|&;<>$*`][^\0\x1f]*$")),), 0.5, CONSTANT_COMMAND_REASON, beside=_GENERATOR_KEYWORDS),
        CallRule("code.shell_execution", ("execute", "capture", ".execute", ".capture"), "Shell injection risk: a command built at run time is run in a shell on another machine", (ArgumentCondition(0, kinds=frozenset({"string"}), reads=_PARTLY_DYNAMIC), ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^[^\x1f]*$"))), 0.8, ORIGIN_NOT_TRACED_REASON, beside=_DEPLOYMENT_KEYWORDS),
        CallRule("code.shell_execution", ("ruby",), "Shell injection risk: {call} runs a command built at run time in a shell", (ArgumentCondition(0, kinds=frozenset({"string"}), reads=_PARTLY_DYNAMIC), ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^[^\x1f]*$"))), 0.8, ORIGIN_NOT_TRACED_REASON, beside=(b"task ", b"Rake")),
        CallRule("code.dynamic_code", _SHELL_CALLS, "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(ALL_ARGUMENTS, reads=BUILT_INTERPRETER_COMMAND),), 0.8, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.shell_execution", ("open", "Kernel.open", "IO.read", "IO.readlines", "URI.open"), "Shell injection risk: {call} runs a command built at run time in a shell", (ArgumentCondition(0, reads=compile_pattern(r"^\s*\|.*\0")),), 0.9, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.shell_execution", ("open", "Kernel.open", "IO.read", "IO.readlines"), "{call} runs a constant command in a shell", (ArgumentCondition(0, reads=compile_pattern(r"^\s*\|[^\0]+$")),), 0.5, CONSTANT_COMMAND_REASON),
        NodeRule("code.shell_execution", "subshell", "Shell injection risk: a command built at run time is run in a shell", compile_pattern(rf"^(?!.*(?:{DECODE_AND_RUN_COMMAND})).*#\{{"), 0.9, ORIGIN_NOT_TRACED_REASON),
        NodeRule("code.shell_execution", "subshell", "Constant command is run in a shell", compile_pattern(rf"^(?!.*#\{{)(?!.*(?:{DECODE_AND_RUN_COMMAND}))"), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.dynamic_code", _EVAL_CALLS, "Code injection risk: {call} runs text as code", (ArgumentCondition(0, compile_pattern(r"^(?!&|:|['\"][^#]*['\"]$|__FILE__)")),), 0.8, "the origin of the text was not analysed", (ArgumentCondition(0, reads=compile_pattern(r"^[^\0]+$")),)),
        CallRule("code.dynamic_code", ("binding.eval", "TOPLEVEL_BINDING.eval"), "Code injection risk: {call} runs text as code", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.8, "the origin of the text was not analysed"),
        CallRule("code.dynamic_code", (".eval",), "Code injection risk: {call} runs text as code", (ArgumentCondition(RECEIVER, compile_pattern(r"(?i)(?:^|_|\.)(?:binding|scope)$")), ArgumentCondition(0, reads=compile_pattern(r"\0"))), 0.75, "the origin of the text was not analysed"),
        CallRule("code.dynamic_code", ("ERB.new", "Haml::Engine.new", "Slim::Template.new", "Liquid::Template.parse"), "Template injection risk: untrusted input is run as a template", (ArgumentCondition(0, compile_pattern(r"\bparams\b|\brequest\.")),), 0.85, "a check of the input may exist elsewhere"),
        CallRule("code.dynamic_code", ("render",), "Template injection risk: untrusted input is run as a template", (ArgumentCondition(None, compile_pattern(r"^inline:\s*.*\b(?:params|request)\b")),), 0.85, "a check of the input may exist elsewhere"),
        CallRule("code.dynamic_code", ("ERB.new", "Haml::Engine.new", "Slim::Template.new"), "Template injection risk: a template built at run time is run", (ArgumentCondition(0, reads=compile_pattern(r"[^\0]\0|\0[^\0]|^\0$")),), 0.55, "the template may come from a file of the project", (ArgumentCondition(0, compile_pattern(r"File\.read|\.read\b|IO\.read|(?i:template|\bDATA\b)")),)),
        CallRule("code.dynamic_code", ("RubyVM::InstructionSequence.compile", "RubyVM::InstructionSequence.new"), "Code injection risk: {call} runs text as code", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.8, "the origin of the text was not analysed"),
        CallRule("code.dynamic_code", ("render", ".render"), "Template injection risk: a template built at run time is run", (ArgumentCondition(None, compile_pattern(r"^inline:\s*(?:[@a-z_][\w.@]*$|\"[^\"]*#\{)")),), 0.6, "the template may come from a file of the project", (ArgumentCondition(None, compile_pattern(r"(?i)\.read\b|File\.")),)),
        CallRule("code.dynamic_code", (".send", ".public_send", ".__send__", "send", "public_send", "__send__", ".method", "method"), "Code injection risk: untrusted input names the method that {call} runs", (ArgumentCondition(0, compile_pattern(r"^\(?(?:params|request\.params)\b")),), 0.65, "a check of the name may exist elsewhere"),
        CallRule("code.dynamic_code", (".send", ".public_send", ".__send__", "send"), "Code injection risk: {call} runs text as code", (ArgumentCondition(0, compile_pattern(r"^:(?:instance_|class_|module_)?eval$")), ArgumentCondition(1, reads=compile_pattern(r"\0"))), 0.8, "the origin of the text was not analysed"),
        CallRule("code.dynamic_code", ("load", "require", "require_relative", "Kernel.load", "Kernel.require"), "Code injection risk: untrusted input names the module to load", (ArgumentCondition(0, compile_pattern(r"^\(?(?:params|request\.params)\b|#\{\s*params\b")),), 0.75, "a check of the name may exist elsewhere"),
        CallRule("code.dynamic_code", ("ExecJS.eval", "ExecJS.exec", "ExecJS.compile", "Dentaku", "Dentaku!", "Dentaku.evaluate"), "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.7, "the origin of the text was not analysed", (ArgumentCondition(0, compile_pattern(r"File\.read|\.read\b")),)),
        CallRule("code.dynamic_code", (".eval", ".exec", ".evaluate", ".evaluate!"), "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(0, reads=compile_pattern(r"\0")), ArgumentCondition(RECEIVER, sources_pattern=compile_pattern(r"\b(?:MiniRacer::Context|Quickjs::VM|QuickJS::\w+|V8::Context|Dentaku::Calculator|Duktape::Context|Rufus::Lua::State|Mustang::Context|Rhino::Context)\.new|(?i:calculator|js_?context)$"))), 0.7, "the origin of the text was not analysed", beside=(b"MiniRacer", b"Quickjs", b"QuickJS", b"V8::", b"Dentaku", b"Duktape", b"Rufus::Lua")),
        CallRule("code.dynamic_code", (".const_get", "const_get"), "Code injection risk: {call} picks a class by a name built at run time", (ArgumentCondition(0, compile_pattern(r"\bparams\b|\brequest\b")),), 0.7, "a check of the name may exist elsewhere"),
        CallRule("code.dynamic_code", (".constantize", ".safe_constantize"), "Code injection risk: {call} picks a class by a name built at run time", (ArgumentCondition(RECEIVER, sources_pattern=compile_pattern(r"\bparams\b|\brequest\b")),), 0.7, "a check of the name may exist elsewhere"),
        CallRule("code.unsafe_deserialization", ("Marshal.load", "Marshal.restore"), "Unsafe deserialization: {call} can run code from the data", (), 0.85, "the origin of the data was not analysed", (ArgumentCondition(0, compile_pattern(r"^\(?Marshal\.dump\b")),)),
        CallRule("code.unsafe_deserialization", ("YAML.unsafe_load", "Psych.unsafe_load", "YAML.unsafe_load_file", "Psych.unsafe_load_file", "Oj.object_load", "Ox.parse_obj", "CSV.load"), "Unsafe deserialization: {call} can run code from the data", (), 0.9, "the origin of the data was not analysed"),
        CallRule("code.unsafe_deserialization", ("YAML.load", "Psych.load", "YAML.load_documents"), "Unsafe deserialization: {call} can run code from the data", (), 0.65, "newer versions of the library accept only plain values", (ArgumentCondition(0, kinds=frozenset({"heredoc_beginning"})), ArgumentCondition(0, compile_pattern(r"^['\"][^#]*['\"]$")), ArgumentCondition(None, compile_pattern(r"\b(?:permitted_classes|safe:|safe\s*=>)")))),
        CallRule("code.unsafe_deserialization", ("YAML.load_file", "Psych.load_file", "YAML.load_stream", "Psych.load_stream"), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(0, reads=compile_pattern(r"\0")),), 0.5, "newer versions of the library accept only plain values", (ArgumentCondition(0, compile_pattern(r"(?i)config|Rails\.root|__dir__|expand_path|settings|locale|fixture")), ArgumentCondition(None, compile_pattern(r"\bpermitted_classes")))),
        CallRule("code.unsafe_deserialization", ("JSON.load", "JSON.parse", "JSON.restore", "JSON.parse!"), "Unsafe deserialization: the data chooses the class that is created", (ArgumentCondition(None, compile_pattern(r"\bcreate_additions(?::|\s*=>)\s*true\b")),), 0.85, "the origin of the data was not analysed"),
        CallRule("code.unsafe_deserialization", ("Oj.load",), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(None, compile_pattern(r"\bmode:\s*:object\b|:mode\s*=>\s*:object\b")),), 0.85, "the origin of the data was not analysed"),
        CallRule("code.unsafe_deserialization", ("Oj.load",), "Unsafe deserialization: {call} can run code from the data", (), 0.5, "the mode may be set for all calls elsewhere", (ArgumentCondition(None, compile_pattern(r"\bmode\b")),)),
        graph_query_rule((".run", ".query", ".execute_query")),
        CallRule("code.sql_from_strings", _QUERY_CALLS, "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.8, ORIGIN_NOT_TRACED_REASON, applies_to_callers=True),
        CallRule("code.sql_from_strings", _QUERY_CALLS, "Table or column name is interpolated into the query of {call}", (ArgumentCondition(0, reads=BUILT_QUERY),), 0.6, IDENTIFIER_REASON),
        CallRule("code.sql_from_strings", _CLAUSE_CALLS, "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, kinds=frozenset({"string", "binary", "call", "identifier", "array", "chained_string", "heredoc_beginning"}), reads=BUILT_CONDITION),), 0.8, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(0, compile_pattern(r"^[\w.:]*(?:sanitize_sql|Arel)")),)),
        CallRule("code.sql_from_strings", _FRAGMENT_CALLS, "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, kinds=frozenset({"string", "binary", "chained_string"}), reads=_BUILT_CLAUSE),), 0.75, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", (".where", ".order", "order", ".reorder", ".group", ".pluck", ".select", ".having", ".joins", ".from", "where"), "SQL injection risk: request input becomes a part of the query in {call}", (ArgumentCondition(0, compile_pattern(r"^(?:params|request\.params)(?:\[|\.(?:fetch|dig)\b)[^{]{0,100}$")),), 0.7, "newer versions of the library reject some of it"),
        CallRule("code.sql_from_strings", (".where", ".having", ".order", ".reorder", ".group", ".joins", ".from", ".pluck", ".select", "where", "order", "select"), "SQL injection risk: {call} takes a part of a query built by string formatting", (ArgumentCondition(0, compile_pattern(r"^\"#\{[^{}\"]{1,100}\}\"$"), reads=compile_pattern(r"^\0$")),), 0.6, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(None, compile_pattern(r"^(?:from:|:from\b)")),), beside=_DATABASE_KEYWORDS),
        CallRule("code.sql_from_strings", (".prepare",), "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(1, reads=BUILT_VALUE_QUERY, distinguishes_identifiers=True),), 0.8, ORIGIN_NOT_TRACED_REASON),
        NodeRule("code.sql_from_strings", "element_reference", "SQL built by string formatting: a value is interpolated into the query", compile_pattern(r"^(?:[@$]{0,2}\w*(?:DB|db|database|conn|connection))\[\s*\"(?i:\s*(?:select|insert|update|delete)\b)[^\"]*#\{"), 0.8, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.weak_hash", tuple(f"{made}{method}" for made in ("Digest::MD5", "Digest::SHA1", "OpenSSL::Digest::MD5", "OpenSSL::Digest::SHA1", "OpenSSL::Digest::MD4", "Digest::RMD160") for method in (".hexdigest", ".digest", ".base64digest", ".new", ".file")), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON, unless_before=_HMAC_ARGUMENT_BEFORE),
        CallRule("code.weak_hash", ("OpenSSL::Digest.new", "OpenSSL::Digest.digest", "OpenSSL::Digest.hexdigest", "Digest.const_get"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, reads=compile_pattern(r"^:?(?i:md5|md4|sha-?1)$")),), 0.7, USE_NOT_TRACED_REASON, unless_before=_HMAC_ARGUMENT_BEFORE),
        CallRule("code.weak_hash", _HMAC_CALLS, "Weak hash is used with a key (MD5)", (ArgumentCondition(0, reads=compile_pattern(r"^:?(?i:md[245])$")),), 0.5, KEYED_HASH_REASON),
        CallRule("code.weak_hash", ("OpenSSL::PKCS5.pbkdf2_hmac_sha1",), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("OpenSSL::PKCS5.pbkdf2_hmac", "OpenSSL::KDF.pbkdf2_hmac"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(None, compile_pattern(r"^(?:hash:\s*)?(?:['\"](?i:md5|sha-?1)['\"]|OpenSSL::Digest(?:::(?:MD5|SHA1)\.new|\.new\(\s*['\"](?i:md5|sha-?1)))")),), 0.7, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("Digest",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"^:(?:MD5|SHA1|RMD160)$")),), 0.7, USE_NOT_TRACED_REASON),
        NodeRule("code.weak_hash", "scope_resolution", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(r"^(?:OpenSSL::)?Digest::(?:MD5|SHA1|MD4|RMD160)$"), 0.6, USE_NOT_TRACED_REASON, unless_before=re.compile(rb"(?:::|\bHMAC\.\w{1,20}[( ][^\n]{0,80}|(?:class|module|rescue|when|is_a\?\(|==)\s*)\Z"), unless_after=re.compile(rb"\s*(?:\.|::)")),
        CallRule("code.weak_hash", _HMAC_CALLS, "Weak hash is used with a key (MD5)", (ArgumentCondition(0, compile_pattern(r"^OpenSSL::Digest(?:::MD[45]\.new|\.new\(\s*[\"'](?i:md[45]))")),), 0.5, KEYED_HASH_REASON),
        CallRule("code.tls_verification_off", ("Net::SSH.start", "Net::SCP.start", "Net::SFTP.start", "Net::SCP.upload!"), "SSH host key is not verified", (ArgumentCondition(None, compile_pattern(r"(?:verify_host_key|paranoid):?\s*(?:=>)?\s*(?::never|false)")),), 0.95, "whether it is used was not analysed"),
        CallRule("code.subprocess_unchecked", ("system", "Kernel.system"), "Exit status of the child process is never checked", (), 0.8, REPORTED_ELSEWHERE_REASON, (ArgumentCondition(None, compile_pattern(r"\bexception:\s*true|^\*\*|^\*\w*(?:arg|opt)\w*$|^\.\.\.")),), dropped=True, unless_nearby=_STATUS_CHECK),
        *temporary_file_rules(("File.open", "File.new", "IO.open", "CSV.open", "Zlib::GzipWriter.open", "open"), _READ_ONLY_OR_EXCLUSIVE),
        *temporary_file_rules(("File.write", "IO.write", "FileUtils.touch", "File.binwrite", "IO.binwrite")),
        *temporary_file_rules(("FileUtils.cp", "FileUtils.mv", "FileUtils.copy", "FileUtils.move", "IO.copy_stream", "File.rename"), place=1),
        CallRule("code.insecure_temporary_file", (".write", ".binwrite"), FIXED_FILE_STATEMENT, (ArgumentCondition(RECEIVER, reads=FIXED_TEMPORARY_PATH),), 0.8, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", (".write", ".binwrite"), GUESSABLE_FILE_STATEMENT, (ArgumentCondition(RECEIVER, reads=GUESSABLE_TEMPORARY_PATH),), 0.65, PARTLY_GENERATED_REASON, (ArgumentCondition(RECEIVER, sources_pattern=RANDOM_NAME_SOURCE),)),
        *temporary_file_rules(("UNIXServer.new", "UNIXServer.open", "Socket.unix_server_socket", "Socket.unix_server_loop", "Logger.new", "SQLite3::Database.new", "SQLite3::Database.open", "PStore.new", "YAML::Store.new", "GDBM.new", "DBM.open", "pidfile", "state_path", "stdout_redirect")),
        CallRule("code.insecure_temporary_file", ("bind", "listen"), FIXED_FILE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^['\"](?:unix://)?/(?:var/)?tmp/[^'\"#]+")),), 0.8, PRIVATE_FOLDER_REASON),
        temporary_argument_rule(_SHELL_CALLS),
        *temporary_folder_rules(("FileUtils.mkdir_p", "FileUtils.makedirs", "mkdir_p")),
        CallRule("code.no_timeout", tuple(f"{made}.{verb}" for made in ("HTTP", "Typhoeus", "Curl") for verb in ("get", "post", "put", "patch", "delete", "head")), "No timeout on {call}: the request can hang forever", (), 0.65, "a timeout may be set elsewhere", (ArgumentCondition(RECEIVER, compile_pattern(r"^(?:::)?Net::")),), unless_nearby=re.compile(rb"(?i)timeout")),
        CallRule("code.no_timeout", ("Net::HTTP.start", "Net::HTTP.new", "Faraday.new", "HTTParty.get", "HTTParty.post", "RestClient::Request.execute"), "Timeout is turned off: the call can hang forever", (ArgumentCondition(None, compile_pattern(r"\b(?:read_|open_)?timeout:\s*(?:nil|false)\b")),), 0.9, "a timeout may be set elsewhere"),
        CallRule("code.no_timeout", ("TCPSocket.new", "TCPSocket.open", "Socket.tcp", "UNIXSocket.tcp"), "Connection has no timeout and can hang forever", (), 0.6, "the operating system's timeout may be short enough", (ArgumentCondition(None, compile_pattern(r"timeout")),), unless_nearby=re.compile(rb"Timeout\.timeout|IO\.select|_nonblock\b")),
        CallRule("code.subprocess_unchecked", ("Open3.capture3", "Open3.capture2", "Open3.capture2e"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(0),), 0.7, EMPTY_OUTPUT_REASON, unchecked_result=_OUTPUT_ONLY),
        CallRule("code.subprocess_unchecked", ("Open3.capture3",), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(0),), 0.7, EMPTY_OUTPUT_REASON, unchecked_result=UncheckedResult(before=re.compile(rb"(?:\A|[\n;{|(])\s*@?\w+\s*,\s*@?\w+\s*=\s*\Z"))),
        CallRule("code.subprocess_unchecked", ("IO.popen",), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(0),), 0.65, EMPTY_OUTPUT_REASON, unchecked_result=UncheckedResult(behind=re.compile(rb"\s*\.(?:read|readlines|gets|each_line)\b|\s*(?:\{|do)\s*\|\s*(\w+)\s*\|\s*\1\.(?:read|readlines|each_line|gets)\b"), dropped=False), unless_nearby=_STATUS_CHECK),
        CallRule("code.subprocess_unchecked", ("IO.popen",), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(0), ArgumentCondition(WHOLE_CALL, compile_pattern(r"(?:\{|do)\s*\|\s*(\w+)\s*\|\s*\1\.(?:read|readlines|each_line|gets)\b"))), 0.65, EMPTY_OUTPUT_REASON, unless_nearby=_STATUS_CHECK),
        CallRule("code.subprocess_unchecked", ("Open3.popen3", "Open3.popen2", "Open3.popen2e"), UNCHECKED_OUTPUT_STATEMENT, (ArgumentCondition(0), ArgumentCondition(WHOLE_CALL, compile_pattern(r"(?:\{|do)\s*\|\s*(?:\w+\s*,\s*){1,3}?(\w+)\s*\|(?!.*\b\1\b)(?=.*\.(?:read|gets|each_line|readlines)\b)"))), 0.65, EMPTY_OUTPUT_REASON, unless_nearby=_STATUS_CHECK),
        CallRule("code.subprocess_unchecked", ("Process.wait", "Process.waitpid", "Process.detach"), "Exit status of the child process is never checked", (), 0.6, REPORTED_ELSEWHERE_REASON, dropped=True, unless_nearby=_STATUS_CHECK),
        NodeRule("code.subprocess_unchecked", "subshell", UNCHECKED_OUTPUT_STATEMENT, compile_pattern(r"^`|^%x"), 0.5, EMPTY_OUTPUT_REASON, unless_nearby=_STATUS_CHECK),
        ValueRule("code.no_timeout", compile_pattern(r"\.(?:receive_timeout|send_timeout|connect_timeout)$"), compile_pattern(r"^(?:nil|0)\b(?!\.)"), "Timeout is turned off: the call can hang forever", 0.8, "a timeout may be set elsewhere"),
        ValueRule("code.unsafe_deserialization", compile_pattern(r"cookies_serializer$"), compile_pattern(r"^:(?:marshal|hybrid)\b"), "Unsafe deserialization: loading the data can run code", 0.8, "only the holder of the application's secret key can write it"),
        CallRule("code.unsafe_deserialization", ("serialize",), "Unsafe deserialization: {call} can run code from the data", (ArgumentCondition(None, compile_pattern(r"^(?:coder:\s*)?Marshal$")),), 0.75, "the origin of the data was not analysed"),
        ValueRule("code.no_timeout", compile_pattern(r"\.(?:read_timeout|open_timeout|timeout)$"), compile_pattern(r"^nil\b"), "Timeout is turned off: the call can hang forever", 0.9, "a timeout may be set elsewhere"),
        ValueRule("code.tls_verification_off", compile_pattern(r"(?:verify_mode|ssl_verify_mode|verify_ssl|VERIFY_PEER)\"?\]?$"), compile_pattern(r"VERIFY_NONE|^:none\b|^['\"]none['\"]|^0$"), "TLS certificate is not verified"),
        ValueRule("code.tls_verification_off", compile_pattern(r"\b(?:verify(?:_ssl)?|verify_hostname|ssl_verifypeer|ssl_verify_peer|verify_peer|tls_verify|ssl_verify|verify_certificate)\"?\]?$"), compile_pattern(r"^(?:false\b|0\b)"), "TLS certificate is not verified", 0.6, "the setting was recognised by name only", unless_in_file=re.compile(rb"(?i)\A(?!.*(?:http|faraday|excon|ssl|tls|curb|typhoeus|rest.?client|elastic|redis|mysql|socket))", re.DOTALL)),
        NodeRule("code.tls_verification_off", "assignment", "TLS certificate is not verified", compile_pattern(r"^[\w:.]+\[:?['\"]?ssl_verify_peer['\"]?\]\s*=\s*false"), 0.95, "whether it is used was not analysed"),
        ValueRule("code.tls_verification_off", compile_pattern(r"verify_host_key$"), compile_pattern(r"^(?::never|false)\b"), "SSH host key is not verified"),
        HandlerRule("code.swallowed_exception", "`rescue` silently drops every exception", compile_pattern(r"^rescue[ \t]*(?:=>[ \t]*\w+[ \t]*)?(?:\n|;|$|then)|^rescue\s+(?:Exception|StandardError)\b"), empty=True, confidence=0.85),
        NodeRule("code.swallowed_exception", "rescue_modifier", "`rescue` silently drops every exception", compile_pattern(rf"^(?!.{{0,200}}?(?:\b(?:Integer|Float|Rational|BigDecimal|Date|Time|DateTime|URI|JSON|YAML|IPAddr|Regexp)(?:\(|\.(?:parse|new|strptime|iso8601)\b)|\.(?:parse|constantize|const_get|to_time|to_date)\b)).*?\brescue\s+(?:(?:next|break|return)(?:\s+{_CONSTANT_VALUE})?|{_CONSTANT_VALUE})\s*$"), 0.8, "callers may expect the empty value"),
        NodeRule("code.swallowed_exception", "rescue_modifier", "`rescue` silently drops every exception", compile_pattern(r"\brescue\s+(?:nil|false|\[\]|\{\}|''|\"\"|true)\s*$"), 0.85, "callers may expect the empty value"),
        HandlerRule("code.swallowed_exception", "`rescue` silently drops every exception", compile_pattern(rf"^rescue[ \t]*(?:(?:Exception|StandardError)[ \t]*)?{_FIXED_VALUE}"), confidence=0.8),
        HandlerRule("code.swallowed_exception", "`rescue` silently drops every exception", compile_pattern(rf"^rescue[ \t]+(?:(?:[\w:]+\s*,\s*){{1,6}}(?:Exception|StandardError)\b|(?:Exception|StandardError)\s*,\s*[\w:]+)(?:\s*,\s*[\w:]+){{0,6}}[ \t]*{_FIXED_VALUE}"), confidence=0.8),
        HandlerRule("code.swallowed_exception", "`rescue` silently drops every exception", compile_pattern(r"^rescue\s+(?:[\w:]+\s*,\s*){1,6}(?:Exception|StandardError)\b"), empty=True, confidence=0.85),
        HandlerRule("code.swallowed_exception", "`rescue RuntimeError` silently drops every error of a plain `raise`", compile_pattern(r"^rescue\s+RuntimeError\b"), empty=True, confidence=0.65),
        HandlerRule("code.subprocess_unchecked", "Failure of a child process is caught and ignored", empty=True, confidence=0.65, because="the failure may be expected", tried=compile_pattern(r"\b(?:system\([^\n]{0,300}exception:\s*true|sh\s*[(\"']|Open3\.\w+\()")),
        CallRule("code.swallowed_exception", ("suppress",), "{call} silently drops every exception", (ArgumentCondition(0, compile_pattern(r"^(?:StandardError|Exception)$")),), 0.85, "which exceptions the code can raise was not analysed"),
        HandlerRule("code.broad_except", "Broad `rescue` catches every `StandardError` and only logs it", compile_pattern(r"^rescue[ \t]*(?:StandardError[ \t]*)?(?:=>[ \t]*\w+[ \t]*)?(?:\n|;|then)(?!.{0,1500}\b(?:raise|retry|exit|abort|fail)\b)(?=.{0,1500}(?:\blog|\bwarn|\bputs|\berror\b))"), confidence=0.5, because="the failure is logged", unless=_LOGGED_ERROR, within=_MAIN_LOOP),
        HandlerRule("code.broad_except", "Broad `rescue` catches every `StandardError` and handles all the same way", compile_pattern(r"^rescue[ \t]*(?:StandardError[ \t]*)?=>[ \t]*(\w+)[ \t]*(?:\n|;|then)(?!.{0,1500}\b(?:raise|retry|exit|abort|fail|throw|log\w*|warn|puts|error)\b)(?=.{0,1500}?\b\1\b)"), confidence=0.5, because="the handler uses the exception and may pass it on"),
        HandlerRule("code.broad_except", "Broad `rescue` catches every `StandardError` and continues with a fallback", compile_pattern(rf"^rescue[ \t]*(?:StandardError[ \t]*)?(?:=>[ \t]*(\w+)[ \t]*)?(?:\n|;|then)(?!{_SWALLOWING_BLOCK})(?!.{{0,1500}}(?:\b(?:raise|retry|exit|abort|fail|throw|flunk|redo)\b|\blog|\bwarn|\bputs|\berror\b))(?!.{{0,1500}}?\b\1\b)"), confidence=0.5, because="the fallback may be intended"),
        HandlerRule("code.broad_except", "`rescue Exception` catches everything, even signals and exits, and only logs it", compile_pattern(r"^rescue\s+(?:[\w:]+\s*,\s*)*Exception\b(?!.{0,1500}\braise\b)(?=.{0,1500}(?:log|warn|puts))"), confidence=0.5, because="the failure is logged"),
        HandlerRule("code.broad_except", "`rescue Exception` catches everything, even signals and exits", compile_pattern(rf"^rescue\s+Exception\b(?!{_SWALLOWING_BODY})(?!.{{0,1500}}(?:\braise\b|log|warn|puts))"), confidence=0.85),
        CallRule("text.debug_leftovers", ("binding.pry", "binding.irb", "byebug", "debugger", "binding.break", "binding.b", "binding.remote_pry", "binding.pry_remote", "binding.remote_byebug", "binding.console", "save_and_open_page", "save_and_open_screenshot", "page.save_and_open_page"), "Leftover debugging call: {call}", (), 0.95, "a debugging tool may call it on purpose"),
        *debug_print_rules(("puts", "p", "pp", "print", "$stdout.puts", "$stderr.puts", "STDERR.puts", "STDOUT.puts", "warn")),
        CallRule("text.debug_leftovers", ("p", "pp", "ap", "jj"), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^[@\w:.\[\]?!]+$|^(?:\w+:|\{|\[)")),), 0.6, INTENDED_OUTPUT_REASON, (ArgumentCondition(RECEIVER),), unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("puts", "print", "$stdout.puts", "$stderr.puts", "warn"), BARE_VALUE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^[@\w.]+\.(?:inspect|to_yaml|to_json|pretty_inspect|class|methods|backtrace)$|^\"(?:\w+\s*[:=]+>?\s*)?#\{[@\w.]+\.inspect\}\"$|^caller\b|^JSON\.pretty_generate\(\s*@?\w+\s*\)$")),), 0.6, INTENDED_OUTPUT_REASON, (ArgumentCondition(RECEIVER, compile_pattern(r"^(?!\$std)")),), unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("puts", "print", "$stdout.puts", "$stderr.puts"), "Variable is printed with its name, like debug output", (ArgumentCondition(0, compile_pattern(r"^\"(\w+)\s*(?:[:=]+>?|->)\s*#\{@{0,2}(?:\w+\.)*\1\}\"$")),), 0.6, INTENDED_OUTPUT_REASON, (ArgumentCondition(RECEIVER, compile_pattern(r"^(?!\$std)")),), unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("puts",), "Values are printed after a short label, like debug output", (ArgumentCondition(0, compile_pattern(r"^\"[a-z]\w{0,20}\s*[:=]?\s*#\{[@\w.]+\}(?:[\s,;:=/-]{1,4}#\{[@\w.]+(?:\[[\w:]+\])?\}){1,5}\"$")),), 0.5, INTENDED_OUTPUT_REASON, (ArgumentCondition(RECEIVER),), unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        CallRule("text.debug_leftovers", ("puts",), BARE_VALUE_STATEMENT, (ArgumentCondition(ALL_ARGUMENTS, reads=compile_pattern(r"^[^\x1f]*$")), ArgumentCondition(0, compile_pattern(rf"^{_PLAIN_VALUE_NAME}$"))), 0.5, INTENDED_OUTPUT_REASON, (ArgumentCondition(RECEIVER),), unless_in_file=_COMMAND_LINE_PROGRAM, in_function=True),
        NodeRule("text.debug_leftovers", "identifier", "Leftover debugging statement", compile_pattern(r"^(?:byebug|debugger|remote_byebug|save_and_open_page|save_and_open_screenshot)$"), 0.9, "a debugging tool may call it on purpose", alone=True),
    ),
)  # fmt: skip
