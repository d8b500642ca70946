"""Java."""

from __future__ import annotations

from auditor.forensics.languages.grammars import grammar
from auditor.forensics.languages.rules import (
    DECODED,
    DECODES,
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

_SHELL = form(r"^\"(?:/bin/|/usr/bin/)?(?:ba|z)?sh\"$|^\"cmd(?:\.exe)?\"$")
_SWITCH = form(r"^\"(?:-c|/[cC])\"$")
_BROAD = form(r"^catch\s*\(\s*(?:final\s+)?(?:java\.lang\.)?(?:Exception|Throwable)\s+\w+\s*\)")
_RUN = form(r"throw\b|\.(?:error|warn|warning|severe|log|info|debug|fine)\s*\(|printStackTrace")
_QUERYING = (
    ".executeQuery",
    ".executeUpdate",
    ".execute",
    ".prepareStatement",
    ".createQuery",
    ".createNativeQuery",
    ".query",
    ".queryForObject",
    ".update",
)
_ENCODED = form(r"\bBase64\b|\bparseBase64Binary\(|\bHex(?:Format)?\b\.")
_TESTING = Testing(
    words=(b"@Test", b"@ParameterizedTest", b"@RepeatedTest", b"@Property", b".Test"),
    functions=form(r"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b"),
    function_kinds=frozenset({"method_declaration"}),
    groups=frozenset({"class_declaration"}),
    checks=form(
        r"\b(?i:assert|verify|fail|expect|check|should|must|ensure|validate|run|test|given|perform)\w*[.(]|\bthrow\b|expected\s*=|assertThat"
    ),
    counted=form(r"\b(?i:assert|verify|fail|expect|check|should|then)\w*\s*\(|\.(?:is|has|contains|andExpect)\w*\("),
    trivial=form(
        r"\bassert(?:True\(\s*true\s*\)|False\(\s*false\s*\)|Null\(\s*null\s*\)|(?:Equals|Same)\(\s*(\w+)\s*,\s*\1\s*\))|\bassertThat\(\s*true\s*\)\.isTrue\(\)"
    ),
    skipped=form(r"@(?:[\w.]+\.)?(?:Disabled|Ignore)\b(?!\w)|\benabled\s*=\s*false"),
    conditional=form(r"@(?:[\w.]+\.)?(?:Disabled|Enabled)(?:If|On|For|In)\w*\b"),
    stops=form(
        r"(?:\w+\.)?(?:assumeTrue\(\s*false\b|assumeFalse\(\s*true\b|abort\()|throw new (?:\w+\.)*(?:SkipException|TestAbortedException|AssumptionViolatedException)"
    ),
)
JAVA = Language(
    name="java",
    grammar=lambda _content: grammar("tree_sitter_java"),
    calls=frozenset({"method_invocation", "object_creation_expression"}),
    callee=("object", "name", "type"),
    functions=frozenset({"method_declaration", "constructor_declaration", "lambda_expression"}),
    branches=frozenset({"if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "switch_label", "catch_clause", "ternary_expression"}),
    naming=("variable_declarator", "name", "value"),
    values=frozenset({"assignment_expression"}),
    handlers=frozenset({"catch_clause"}),
    comments=frozenset({"line_comment", "block_comment"}),
    testing=_TESTING,
    rules=(
        Call("code.shell_execution", ("ProcessBuilder",), "A command is handed to a shell", (Argument(0, _SHELL), Argument(1, _SWITCH)), 0.9, "where the command comes from was not followed"),
        Call("code.shell_execution", (".exec",), "A command is handed to a shell", (Argument(0, form(r"\"(?:/bin/|/usr/bin/)?(?:ba)?sh\"\s*,\s*\"-c\"")),), 0.9, "where the command comes from was not followed"),
        Call("code.shell_execution", (".exec",), "A command that stands encoded in the code is run", (Argument(0, _ENCODED),), 0.9, UNDECODED),
        Call("code.shell_execution", (".exec",), DECODES, (Argument(0, form(DECODED)),), 0.95, UNDECODED),
        Call("code.dynamic_code", (".eval",), "Text that stands encoded in the code is run as code", (Argument(0, _ENCODED),), 0.9, UNDECODED),
        Call("code.shell_execution", ("Runtime.getRuntime().exec",), "A command is put together as one text", (Argument(0, form(r"\+")),), 0.75, "it is taken apart at its blanks and reaches no shell"),
        Call("code.dynamic_code", (".eval",), "Text is run as code (a script engine)", (Argument(0, form(r"^(?!\").")),), 0.6, "what the receiver is was not followed"),
        Call("code.unsafe_deserialization", ("ObjectInputStream", "XMLDecoder"), "Data that can carry code is unpacked", (Argument(None),), 0.8, "where the data comes from was not followed"),
        Call("code.sql_from_strings", _QUERYING, "A query is put together from strings", (Argument(0, form(rf"^(?:String\.format\(\s*)?\"{SQL}.*?(?:\"\s*\+|%s)")),), 0.85, "where its parts come from was not followed"),
        Call("code.sql_from_strings", _QUERYING, "A query is put together from strings before it is run", (Argument(0, form(rf"^(?:String\.format\(\s*)?\"{SQL}.*?(?:{GLUED}|%s)"), named=True),), 0.8, "where its parts come from, and what the name is given later, was not followed", (Argument(0, MARKS, named=True),)),
        Call("code.weak_hash", ("MessageDigest.getInstance",), "A weak hash is used", (Argument(0, form(r"^\"(?i:md5|md2|sha-?1)\"$")),), 0.7, JUDGED),
        Call("code.weak_hash", ("DigestUtils.md5Hex", "DigestUtils.sha1Hex", "DigestUtils.md5", "DigestUtils.sha1", "Hashing.md5", "Hashing.sha1"), "A weak hash is used", (), 0.7, JUDGED),
        Call("code.tls_verification_off", (".setHostnameVerifier", ".setDefaultHostnameVerifier", ".hostnameVerifier", ".setSSLHostnameVerifier"), "The other side's name is not checked", (Argument(0, form(r"NoopHostnameVerifier|ALLOW_ALL|\)\s*->\s*true\b")),), 0.95, "whether it is ever used was not followed"),
        Call("code.insecure_temporary_file", ("File",), "A file with a fixed name stands in the shared temporary folder", (Argument(0, form(r"^\"/tmp/")),), 0.7, "the folder may belong to one user"),
        Value("code.tls_verification_off", form(r"[vV]erifier$"), form(r"ALLOW_ALL|NoopHostnameVerifier"), "The other side's name is not checked"),
        Handler("code.swallowed_exception", "Every exception is caught and dropped", _BROAD, empty=True),
        Handler("code.swallowed_exception", "An exception is caught and dropped", form(r"^catch\s*\(\s*(?!(?:final\s+)?(?:java\.lang\.)?(?:Exception|Throwable|InterruptedException|NumberFormatException)\s)(?!.{0,200}\b(?:ignored?|expected|unused)\w*\s*\))"), empty=True, confidence=0.6, because="the one exception that is named may be expected"),
        Handler("code.broad_except", "Every exception is caught by naming the widest class", form(_BROAD.pattern + rf"(?!.{{0,1500}}(?:{_RUN.pattern}))"), confidence=0.8),
        Piece("code.tls_verification_off", "method_declaration", "Every certificate is accepted", form(r"\bvoid\s+checkServerTrusted\s*\([^)]{0,300}\)[^{]{0,200}\{\s*(?://[^\n]{0,200}\s*)?(?:return;\s*)?\}"), because="whether it is ever used was not followed"),
        Piece("text.debug_leftovers", "method_invocation", "A debugging aid was left behind", form(r"^Thread\.dumpStack\(")),
    ),
)  # fmt: skip
