"""Ruby."""

from __future__ import annotations

import re

from auditor.forensics.languages.grammars import grammar
from auditor.forensics.languages.rules import (
    DECODED,
    DECODES,
    FIXED,
    JUDGED,
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

_FILLED = form(r"#\{|^[^,]*\+")
_RUN = (
    "system",
    "Kernel.system",
    "exec",
    "Kernel.exec",
    "spawn",
    "IO.popen",
    "Open3.capture2",
    "Open3.capture3",
    "Open3.capture2e",
    "Open3.popen3",
)
_EVAL = (
    "eval",
    "Kernel.eval",
    "instance_eval",
    "class_eval",
    "module_eval",
    ".instance_eval",
    ".class_eval",
    ".module_eval",
)
_OPENED = "where its parts come from was not followed"
_TESTING = Testing(
    words=(b"it ", b"it(", b"it{", b"test ", b"test(", b"specify", b"example", b"should ", b"def test_"),
    calls=re.compile(rb"(?:[xf]?(?:it|specify|example)|test|should|pending|skip)(?![\w.?!])"),
    holders=re.compile(rb"(?:RSpec\.)?[xf]?(?:describe|context|feature)(?![\w.?!])"),
    functions=form(r"^def test_\w+"),
    function_kinds=frozenset({"method"}),
    checks=form(
        r"\b(?i:assert|refute|expect|should|must|is_expected|check|verify|flunk|raise|compare|ensure|skip|pending)\w*|\.to\b|have_\w+"
    ),
    counted=form(r"\b(?:assert|refute|expect|is_expected|should|must_|wont_|flunk|check_|verify_|have_received)\w*"),
    trivial=form(
        r"\bassert(?:_equal)?[ (]+(true|1)\b(?:\s*,\s*\1\b)?\)?[ \t]*(?:\n|$)|\bexpect\((true|1)\)\.to\s+(?:eq|be)[ (]*\2\b\)?"
    ),
    skipped=form(
        r"^(?:x(?:it|specify|example|describe|context|feature)|skip|pending)\b|\b(?:skip|pending)(?::|\s*=>)\s*(?!false|nil)\S|(?<!\w):(?:skip|pending)\b"
    ),
    conditional=form(r"\b(?:if|unless)(?::|\s*=>)"),
    alone=form(r"^f(?:it|specify|example|describe|context|feature)\b|\bfocus(?::|\s*=>)\s*true|(?<!\w):focus\b"),
    stops=form(r"(?:skip|pending)\b(?!\s*[=.])(?!.*\b(?:if|unless)\b)"),
    comments=form(r"(?m:^\s*#[^\n]*)"),
)
RUBY = Language(
    name="ruby",
    grammar=lambda _content: grammar("tree_sitter_ruby"),
    calls=frozenset({"call"}),
    callee=("receiver", "method"),
    functions=frozenset({"method", "singleton_method"}),
    branches=frozenset({"if", "unless", "elsif", "while", "until", "for", "when", "rescue", "conditional", "if_modifier", "unless_modifier"}),
    values=frozenset({"assignment", "pair"}),
    handlers=frozenset({"rescue"}),
    testing=_TESTING,
    rules=(
        Call("code.shell_execution", _RUN, DECODES, (Argument(0, form(DECODED)),), 0.95, UNDECODED),
        Piece("code.shell_execution", "subshell", DECODES, form(DECODED), 0.95, UNDECODED),
        Call("code.dynamic_code", _EVAL, "Text that stands encoded in the code is run as code", (Argument(0, form(r"\bBase64\b|\.unpack1?\(\s*['\"](?:m|H\*)")),), 0.95, UNDECODED),
        Call("code.shell_execution", _RUN, "A command put together at run time is handed to a shell", (Argument(0, _FILLED, frozenset({"string", "binary"})),), 0.9, _OPENED, (Argument(1, form(r"^(?!\w+:)")),)),
        Call("code.shell_execution", ("system", "Kernel.system", "IO.popen"), "A constant command is handed to a shell", (Argument(0, form(r"^['\"][^'\"]*[|&;<>$*][^'\"]*['\"]$")),), 0.5, FIXED),
        Piece("code.shell_execution", "subshell", "A command put together at run time is handed to a shell", form(rf"^(?!.*(?:{DECODED})).*#\{{"), 0.9, _OPENED),
        Piece("code.shell_execution", "subshell", "A constant command is handed to a shell", form(rf"^(?!.*#\{{)(?!.*(?:{DECODED}))"), 0.5, FIXED),
        Call("code.dynamic_code", _EVAL, "Text is run as code", (Argument(0, form(r"^(?!&|:|['\"][^#]*['\"]$|__FILE__)")),), 0.8, "where the text comes from was not followed"),
        Call("code.unsafe_deserialization", ("Marshal.load", "Marshal.restore"), "Data that can carry code is unpacked", (), 0.85, "where the data comes from was not followed"),
        Call("code.unsafe_deserialization", ("YAML.unsafe_load", "Psych.unsafe_load", "YAML.unsafe_load_file"), "Data that can carry code is unpacked", (), 0.9, "where the data comes from was not followed"),
        Call("code.sql_from_strings", (".execute", ".exec_query", ".find_by_sql", ".select_all", ".query", ".exec", ".where", "where", "find_by_sql"), "A query is put together from strings", (Argument(0, form(rf"^\"(?:{SQL}.*?|[\w.\s]+(?:=|[<>]|(?i:LIKE)|IN)\s*['(%]{{0,3}})#\{{")),), 0.8, _OPENED),
        Call("code.weak_hash", ("Digest::MD5.hexdigest", "Digest::SHA1.hexdigest", "Digest::MD5.digest", "Digest::SHA1.digest", "OpenSSL::Digest::MD5.new", "OpenSSL::Digest::SHA1.new", "Digest::MD5.new", "Digest::SHA1.new"), "A weak hash is used", (), 0.7, JUDGED),
        Value("code.tls_verification_off", form(r"verify_mode\"?$|ssl_verify_mode\"?$"), form(r"VERIFY_NONE"), "The other side's certificate is not checked"),
        Value("code.tls_verification_off", form(r"\bverify(?:_ssl)?$"), form(r"^false\b"), "The other side's certificate is not checked", 0.6, "what is verified was told by the name alone"),
        Handler("code.swallowed_exception", "Every exception is caught and dropped", form(r"^rescue\s*(?:=>\s*\w+\s*)?(?:\n|;|$|then)|^rescue\s+(?:Exception|StandardError)\b"), empty=True, confidence=0.85),
        Handler("code.broad_except", "Every exception is caught by naming the widest class", form(r"^rescue\s+Exception\b(?!.{0,1500}(?:\braise\b|log|warn|puts))"), confidence=0.85),
        Call("text.debug_leftovers", ("binding.pry", "binding.irb", "byebug", "debugger", "binding.break"), "A debugging aid was left behind", (), 0.95, "a tool for debugging may call it on purpose"),
    ),
)  # fmt: skip
