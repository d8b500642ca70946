"""Rust."""

from __future__ import annotations

from functools import cache
from typing import Any

from auditor.forensics.languages.rules import JUDGED, SQL, Argument, Call, Language, Piece, form


@cache
def _grammar() -> Any:
    import tree_sitter
    import tree_sitter_rust

    return tree_sitter.Language(tree_sitter_rust.language())


_PROGRAM = r"(?:[\w:]*::)?Command::new\(\s*\"(?:/bin/|/usr/bin/)?(?:ba|z)?sh\"\s*\)"
_SHELL = rf"{_PROGRAM}\s*\.arg\(\s*\"-c\"\s*\)"
_SHELL_LIST = rf"{_PROGRAM}\s*\.args\(\s*&?\[\s*\"-c\"\s*,"
_REST = r"(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*"
"""What stands in the brackets of a call, with three further pairs inside each other at most."""
RUST = Language(
    name="rust",
    grammar=lambda _content: _grammar(),
    calls=frozenset({"call_expression"}),
    functions=frozenset({"function_item", "closure_expression"}),
    branches=frozenset({"if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"}),
    comments=frozenset({"line_comment", "block_comment"}),
    tests=form(r"#\[(?:\w+::)*test(?:\([^\]]*\))?\]\s*(?:#\[[^\]]*\]\s*|//[^\n]*\s*)*\0|\0#\[test\]"),
    test_kinds=frozenset({"function_item"}),
    checks=form(r"\b(?:assert\w*|panic|unreachable|prop_assert\w*|matches|insta|snapshot\w*)!|\.(?:unwrap\w*|expect\w*)\(|\?[;)\s.]|\b(?i:assert|check|expect|verify|run|test|eqnice|compare)\w*!?\s*[(.]|should_panic"),
    rules=(
        Piece("code.shell_execution", "call_expression", "A command is handed to a shell", form(rf"^{_SHELL}\s*\.args?\(\s*(?!\"[^\"]*\"\s*\)){_REST}\)$|^{_SHELL_LIST}\s*(?!\"[^\"]*\"\s*,?\s*\]){_REST}\)$"), 0.9, "where the command comes from was not followed"),
        Piece("code.shell_execution", "call_expression", "A constant command is handed to a shell", form(rf"^{_SHELL}\s*\.arg\(\s*\"[^\"]*\"\s*\)$|^{_SHELL_LIST}\s*\"[^\"]*\"\s*,?\s*\]\s*\)$"), 0.5, "the command is a constant, so nothing foreign can reach the shell here"),
        Call("code.tls_verification_off", (".danger_accept_invalid_certs", ".danger_accept_invalid_hostnames"), "The other side's certificate is not checked", (Argument(0, form(r"^true$")),), 0.95, "whether it is ever used was not followed"),
        Call("code.weak_hash", ("md5::compute", "Md5::new", "Sha1::new", "Md5::digest", "Sha1::digest"), "A weak hash is used", (), 0.7, JUDGED),
        Call("code.sql_from_strings", ("sqlx::query", "query", ".execute", ".query", ".query_row", ".prepare", "sql_query"), "A query is put together from strings", (Argument(0, form(rf"^&?format!\(\s*r?#*\"{SQL}.*?\{{")),), 0.85, "where its parts come from was not followed"),
        Piece("text.debug_leftovers", "macro_invocation", "A debugging aid was left behind", form(r"^dbg!\s*[(\[{]")),
    ),
)  # fmt: skip
