"""One file of a covered language: parsed once, walked once, asked all that its page of rules asks.

Nothing here recurses, and every stretch that is looked at is bounded, so a hostile file costs no more than its length.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from auditor.forensics.languages.call_rule_evaluation import (
    apply_call_rules,
    apply_rules_to_callers,
    apply_rules_to_wrapped_command,
    match_calls,
)
from auditor.forensics.languages.called_names import select_relevant_callees
from auditor.forensics.languages.data_flow.file_flows import apply_data_flow
from auditor.forensics.languages.exports.export_readers import exports_of
from auditor.forensics.languages.function_metrics import functions_of
from auditor.forensics.languages.handler_rule_evaluation import apply_handler_rules
from auditor.forensics.languages.keyword_gated_patterns import encode_words
from auditor.forensics.languages.language_rule_types import last_name_part
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.node_rule_evaluation import apply_node_rules
from auditor.forensics.languages.parsed_file import FileScan, ParsedFile
from auditor.forensics.languages.test_cases import find_tests, test_lines
from auditor.forensics.languages.tree_walk import (
    TooDeep,
    first_relevant_byte,
    node_query,
    rejection_reason,
    skip_reason,
    wanted_kinds,
)
from auditor.forensics.languages.value_rule_evaluation import apply_value_rules
from auditor.forensics.source_text.file_outline import DeclaredTest, Outline, RunCondition
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.source_text.syntax_trees import (
    MAX_PARSE_SECONDS,
    count_broken_bytes,
    get_parser,
    is_too_complex,
    parse_timeout,
    parse_tree,
    sort_nodes,
)

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Tree


_PARTLY_PARSED_REASON = "a part of the file could not be parsed"
_MAX_REPARSED_BYTES = 400_000
"""Bytes of a file that is parsed more than once when it has an error."""
_TOO_DEEP_REASON = "nested too deeply to be looked at"
_UNKNOWN_HELPER_REASON = "a helper function may contain assertions"


def scan_file(
    content: bytes,
    language: Language,
    wanted: frozenset[str],
    *,
    compared: bool = True,
    neighbours: Mapping[str, object] | None = None,
    summarized: frozenset[str] = frozenset(),
) -> FileScan:
    """Apply the rules of a language to a file; what only a comparison of versions needs is read when `compared`.

    `neighbours` tells what is known of functions of other files; with `summarized` functions, only what these do is read.
    """
    reason = skip_reason(content, language)
    if reason:
        return FileScan(unread=reason)
    if language.unsupported_dialect is not None and language.unsupported_dialect.search(content[:200]):
        return FileScan(reason="a dialect that is only read as text")
    text = content.decode("utf-8", errors="replace")
    said = language.words.standing(text)
    grammar, tree = _parse_best(content, language, said)
    if tree is None or is_too_complex(tree, len(content)):
        return FileScan(
            unread=_TOO_DEEP_REASON if tree else f"parsing it took longer than {parse_timeout(len(content)):g} seconds"
        )
    root = tree.root_node
    kinds = wanted_kinds(said, language)
    begin = 0 if root.has_error else first_relevant_byte(content, language, kinds)
    seen = node_query(grammar, language, kinds).nodes(root, begin)
    reason = rejection_reason(seen, content, language)
    if reason:
        return FileScan(unread=reason)
    names = _imports(text, language, said)
    file = ParsedFile(
        language,
        content,
        said,
        names,
        FileScan(),
        wanted,
        root,
        grammar,
        time.process_time() + MAX_PARSE_SECONDS,
        neighbours=neighbours or {},
        summarized=summarized,
        follows_neighbours=compared,
    )
    try:
        return _scan_nodes(file, seen, compared=compared)
    except TooDeep:
        return FileScan(unread=_TOO_DEEP_REASON)
    finally:
        file.release()


def _parse_best(content: bytes, language: Language, keywords: frozenset[str]) -> tuple[Grammar, Tree | None]:
    """The tree of a file, and the grammar that gave it: of several ways to read one with an error, that in which least is broken."""
    plain = language.dialect_keywords and language.dialect_keywords.isdisjoint(keywords)
    ready = language.preprocess_keywords and language.preprocess_keywords.isdisjoint(keywords)
    grammar, first = language.grammar(b"" if plain else content), content if ready else language.preprocess(content)
    tree = parse_tree(get_parser(grammar), first)
    if (
        tree is None
        or not tree.root_node.has_error
        or len(content) > _MAX_REPARSED_BYTES
        or is_too_complex(tree, len(content))
    ):
        return grammar, tree
    least, tried = count_broken_bytes(tree), (grammar, first)
    for other, written in language.alternative_parses(content):
        if least == 0:
            break  # nothing can be less
        if (other, written) == tried:
            continue
        again = parse_tree(get_parser(other), written)
        if again is not None and (lost := count_broken_bytes(again)) < least:
            grammar, tree, least = other, again, lost
    return grammar, tree


def _scan_nodes(file: ParsedFile, nodes_by_kind: Mapping[str, list[Node]], *, compared: bool) -> FileScan:
    """What there is to say of a file, from the nodes of the kinds that its language asks for."""
    language, content, looked = file.language, file.source, file.looked
    functions = file.functions = sort_nodes(nodes_by_kind, language.functions)
    groups = sort_nodes(nodes_by_kind, language.groups)
    callees = file.callees = list(chain.from_iterable(nodes_by_kind.get(kind, ()) for kind in language.calls))
    heads = {name.encode() for name, meant in file.names.items() if last_name_part(meant) in language.by_name}
    own = language.wrappers(content)
    file.wrapper_commands = language.wrapper_commands | own
    heads.update(encode_words(own))
    if language.failing is not None:
        heads.update(name.encode() for name in file.failing)
    of_rules, of_tests = select_relevant_callees(content, language, heads, callees, lambda: file.has_query_text)
    for call, named, rules in match_calls(file, of_rules):
        apply_call_rules(file, call, named, rules)
        if named in file.wrapper_commands:
            apply_rules_to_wrapped_command(file, call)
    apply_rules_to_callers(file)
    _apply_rules_to_nodes(file, nodes_by_kind)
    apply_data_flow(file)
    looked.tests = test_lines(content, language, functions, groups)
    cases = _test_cases(file, of_tests, functions, groups, compared=compared)
    shape = functions_of(
        file, functions, list(chain.from_iterable(nodes_by_kind.get(kind, ()) for kind in language.branches))
    )
    offers = (
        exports_of(content, language.exports, file.root, file.said, compared=compared)
        if compared or language.compares_types
        else ()
    )
    looked.outline = Outline(
        has_docstring=True, functions=shape, tests=cases if compared else (), exported_symbols=offers
    )
    if file.root.has_error:
        looked.reason = _PARTLY_PARSED_REASON
    return looked


def _imports(text: str, language: Language, keywords: frozenset[str]) -> dict[str, str]:
    if language.imports is None or (language.imported and language.imported.isdisjoint(keywords)):
        return {}
    return language.imports(text)


def _apply_rules_to_nodes(file: ParsedFile, nodes_by_kind: Mapping[str, Sequence[Node]]) -> None:
    """Apply the rules of values, handlers and nodes."""
    language = file.language
    if language.value_rules:
        apply_value_rules(file, list(chain.from_iterable(nodes_by_kind.get(kind, ()) for kind in language.values)))
    for kind in language.handlers:
        for node in nodes_by_kind.get(kind, ()):
            apply_handler_rules(file, node)
    for kind, rules in language.node_rules.items():
        if kind in nodes_by_kind:
            apply_node_rules(file, kind, rules, nodes_by_kind[kind])


def _test_cases(
    file: ParsedFile, callees: Sequence[Node], functions: Sequence[Node], groups: Sequence[Node], *, compared: bool
) -> tuple[DeclaredTest, ...]:
    """The tests of the file; one that checks nothing is noted, one that does not run is not claimed to check."""
    testing = file.language.test_syntax
    if testing is None or testing.file_keywords.isdisjoint(file.said):
        return ()
    found = find_tests(
        file.source, file.language, file.said, file.pair_with_calls(callees), functions, groups, compared=compared
    )
    for each in found:
        if each.case.runs is RunCondition.NEVER:
            continue
        file.looked.candidates["tests.without_assertions"] += 1
        if each.verdict != "something" and "tests.without_assertions" in file.wanted:
            says, doubt, why = _UNCHECKED_TEST_FINDINGS[each.verdict]
            end = min(each.end, each.case.line + 5)
            name = each.case.name if each.case.name.isidentifier() else ""
            file.looked.sites["tests.without_assertions"].append(Site(each.case.line, end, says, name, doubt, why))
    return tuple(each.case for each in found)


_UNCHECKED_TEST_FINDINGS = {
    "nothing": ("No assertions in {test}", 0.7, _UNKNOWN_HELPER_REASON),
    "trivially": ("Every assertion in {test} is always true", 1.0, ""),
}
