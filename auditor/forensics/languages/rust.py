"""Rust."""

from __future__ import annotations

from auditor.forensics.languages.grammars import grammar
from auditor.forensics.languages.rules import (
    DECODED,
    DECODES,
    JUDGED,
    SQL,
    UNDECODED,
    Argument,
    Call,
    Language,
    Piece,
    Testing,
    form,
)

_PROGRAM = r"(?:[\w:]*::)?Command::new\(\s*\"(?:/bin/|/usr/bin/)?(?:ba|z)?sh\"\s*\)"
_SHELL = rf"{_PROGRAM}\s*\.arg\(\s*\"-c\"\s*\)"
_SHELL_LIST = rf"{_PROGRAM}\s*\.args\(\s*&?\[\s*\"-c\"\s*,"
_REST = r"(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*"
"""What stands in the brackets of a call, with three further pairs inside each other at most."""
_TESTING = Testing(
    words=(b"#[test", b"::test", b"#[rstest", b"#[quickcheck", b"#[wasm_bindgen_test"),
    functions=form(r"#\[(?:\w+::)*(?:test|rstest|quickcheck|test_case|wasm_bindgen_test)\s*(?:\([^\]]*\))?\]"),
    function_kinds=frozenset({"function_item"}),
    groups=frozenset({"mod_item"}),
    above=frozenset({"attribute_item", "line_comment", "block_comment"}),
    checks=form(
        r"\b(?:assert\w*|panic|unreachable|prop_assert\w*|matches|insta|snapshot\w*)!|\.(?:unwrap\w*|expect\w*)\(|\?[;)\s.]|\b(?i:assert|check|expect|verify|run|test|eqnice|compare)\w*!?\s*[(.]|should_panic"
    ),
    counted=form(
        r"(?:assert|eqnice)\w*!|\b(?:panic|unreachable)!|\b(?i:assert|check|expect|verify|compare)\w*\s*\(|\.(?:expect_err|unwrap_err|assert\w*)\("
    ),
    trivial=form(r"\b(?:debug_)?assert!\(\s*true\s*(?:,[^;]*)?\)|\bassert_eq!\(\s*(\w+)\s*,\s*\1\s*\)"),
    skipped=form(r"#\[ignore\b|#\[cfg\(\s*(?:any\(\s*\)|false)\s*\)\]"),
    conditional=form(r"#\[cfg_attr\([^\]]*\bignore\b|#\[cfg\((?!\s*test\s*\))"),
    constraint=form(r"^(?:\s|//[^\n]*\n)*#!\[cfg\((?!\s*test\s*\))(?P<never>\s*(?:any\(\s*\)|false)\s*\))?"),
)
RUST = Language(
    name="rust",
    grammar=lambda _content: grammar("tree_sitter_rust"),
    calls=frozenset({"call_expression"}),
    functions=frozenset({"function_item", "closure_expression"}),
    branches=frozenset({"if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"}),
    comments=frozenset({"line_comment", "block_comment"}),
    testing=_TESTING,
    rules=(
        Piece("code.shell_execution", "call_expression", DECODES, form(rf"^(?:{_SHELL}\s*\.arg\(|{_SHELL_LIST})[^;]*?(?:{DECODED})"), 0.95, UNDECODED),
        Piece("code.shell_execution", "call_expression", "A command is handed to a shell", form(rf"^{_SHELL}\s*\.args?\(\s*(?!\"[^\"]*\"\s*\)){_REST}\)$|^{_SHELL_LIST}(?!\s*\"[^\"]*\"\s*,?\s*\]){_REST}\)$"), 0.9, "where the command comes from was not followed"),
        Piece("code.shell_execution", "call_expression", "A constant command is handed to a shell", form(rf"^(?!.*(?:{DECODED}))(?:{_SHELL}\s*\.arg\(\s*\"[^\"]*\"\s*\)$|{_SHELL_LIST}\s*\"[^\"]*\"\s*,?\s*\]\s*\))$"), 0.5, "the command is a constant, so nothing foreign can reach the shell here"),
        Call("code.tls_verification_off", (".danger_accept_invalid_certs", ".danger_accept_invalid_hostnames"), "The other side's certificate is not checked", (Argument(0, form(r"^true$")),), 0.95, "whether it is ever used was not followed"),
        Call("code.weak_hash", ("md5::compute", "Md5::new", "Sha1::new", "Md5::digest", "Sha1::digest"), "A weak hash is used", (), 0.7, JUDGED),
        Call("code.sql_from_strings", ("sqlx::query", "query", ".execute", ".query", ".query_row", ".prepare", "sql_query"), "A query is put together from strings", (Argument(0, form(rf"^&?format!\(\s*r?#*\"{SQL}.*?\{{")),), 0.85, "where its parts come from was not followed"),
        Piece("text.debug_leftovers", "macro_invocation", "A debugging aid was left behind", form(r"^dbg!\s*[(\[{]")),
    ),
)  # fmt: skip
