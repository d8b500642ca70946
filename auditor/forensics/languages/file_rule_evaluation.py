"""One file of a covered language: parsed once, walked once, asked all that its page of rules asks.

Nothing here recurses, and every stretch that is looked at is bounded, so a hostile file costs no more than its length.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from auditor.forensics.languages.call_rule_evaluation import show_call, show_call_handed_on, show_callers, spoken_of
from auditor.forensics.languages.called_names import worth_asking
from auditor.forensics.languages.exports import TYPED
from auditor.forensics.languages.exports.export_readers import offers_of
from auditor.forensics.languages.function_metrics import functions_of
from auditor.forensics.languages.handler_rule_evaluation import show_handler
from auditor.forensics.languages.language_rule_types import Language, encoded, last_of
from auditor.forensics.languages.node_rule_evaluation import show_pieces
from auditor.forensics.languages.parsed_file import File, Looked
from auditor.forensics.languages.test_cases import test_lines, tests_of
from auditor.forensics.languages.tree_walk import TooDeep, beyond, first_of_interest, kinds_in, refused, walk_of
from auditor.forensics.languages.value_rule_evaluation import show_values
from auditor.forensics.source_text.file_outline import DeclaredTest, Outline, RunCondition
from auditor.forensics.source_text.site_types import Site
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


_PARTLY = "a part of the file could not be parsed"
_MENDED = 400_000
"""Bytes of a file that is parsed more than once when it has an error."""
_DEEP = "nested too deeply to be looked at"
_UNSURE_CHECK = "a helper whose name does not say so may check something"


def look(content: bytes, language: Language, wanted: frozenset[str], *, compared: bool = True) -> Looked:
    """What the rules of a language see in a file; what two versions are compared by is read only where they are."""
    reason = beyond(content, language)
    if reason:
        return Looked(unread=reason)
    if language.dialect is not None and language.dialect.search(content[:200]):
        return Looked(reason="a dialect that is only read as text")
    text = content.decode("utf-8", errors="replace")
    said = language.words.standing(text)
    grammar, tree = _parsed(content, language, said)
    if tree is None or is_too_complex(tree, len(content)):
        return Looked(unread=_DEEP if tree else f"parsing it took longer than {parse_timeout(len(content)):g} seconds")
    root = tree.root_node
    kinds = kinds_in(said, language)
    begin = 0 if root.has_error else first_of_interest(content, language, kinds)
    seen = walk_of(grammar, language, kinds).nodes(root, begin)
    reason = refused(seen, content, language)
    if reason:
        return Looked(unread=reason)
    names = _imports(text, language, said)
    file = File(
        language, content, said, names, Looked(), wanted, root, grammar, time.process_time() + MAX_PARSE_SECONDS
    )
    try:
        return _looked(file, seen, compared=compared)
    except TooDeep:
        return Looked(unread=_DEEP)
    finally:
        file.let_go()


def _parsed(content: bytes, language: Language, said: frozenset[str]) -> tuple[Grammar, Tree | None]:
    """The tree of a file, and the grammar that gave it: of several ways to read one with an error, that in which least is broken."""
    plain = language.dialects and language.dialects.isdisjoint(said)
    ready = language.unready and language.unready.isdisjoint(said)
    grammar, first = language.grammar(b"" if plain else content), content if ready else language.prepared(content)
    tree = parse_tree(get_parser(grammar), first)
    if tree is None or not tree.root_node.has_error or len(content) > _MENDED or is_too_complex(tree, len(content)):
        return grammar, tree
    least, tried = count_broken_bytes(tree), (grammar, first)
    for other, written in language.otherwise(content):
        if least == 0:
            break  # nothing can be less
        if (other, written) == tried:
            continue
        again = parse_tree(get_parser(other), written)
        if again is not None and (lost := count_broken_bytes(again)) < least:
            grammar, tree, least = other, again, lost
    return grammar, tree


def _looked(file: File, seen: Mapping[str, list[Node]], *, compared: bool) -> Looked:
    """What there is to say of a file, from the nodes of the kinds that its language asks for."""
    language, content, looked = file.language, file.source, file.looked
    functions = file.functions = sort_nodes(seen, language.functions)
    groups = sort_nodes(seen, language.groups)
    callees = file.callees = list(chain.from_iterable(seen.get(kind, ()) for kind in language.calls))
    heads = {name.encode() for name, meant in file.names.items() if last_of(meant) in language.by_name}
    own = language.wrappers(content)
    file.hands_on = language.hands_on | own
    heads.update(encoded(own))
    if language.failing is not None:
        heads.update(name.encode() for name in file.failing)
    of_rules, of_tests = worth_asking(content, language, heads, callees, lambda: file.queries)
    for call, named, rules in spoken_of(file, of_rules):
        show_call(file, call, named, rules)
        if named in file.hands_on:
            show_call_handed_on(file, call)
    show_callers(file)
    _ask(file, seen)
    looked.tests = test_lines(content, language, functions, groups)
    cases = _tests(file, of_tests, functions, groups, compared=compared)
    shape = functions_of(file, functions, list(chain.from_iterable(seen.get(kind, ()) for kind in language.branches)))
    offers = (
        offers_of(content, language.name, file.root, file.said, compared=compared)
        if compared or language.name in TYPED
        else ()
    )
    looked.outline = Outline(
        has_docstring=True, functions=shape, tests=cases if compared else (), exported_symbols=offers
    )
    if file.root.has_error:
        looked.reason = _PARTLY
    return looked


def _imports(text: str, language: Language, said: frozenset[str]) -> dict[str, str]:
    if language.imports is None or (language.imported and language.imported.isdisjoint(said)):
        return {}
    return language.imports(text)


def _ask(file: File, seen: Mapping[str, Sequence[Node]]) -> None:
    """Show each node that is no call to the rules of its sort."""
    language = file.language
    if language.of_values:
        show_values(file, list(chain.from_iterable(seen.get(kind, ()) for kind in language.values)))
    for kind in language.handlers:
        for node in seen.get(kind, ()):
            show_handler(file, node)
    for kind, rules in language.of_pieces.items():
        if kind in seen:
            show_pieces(file, kind, rules, seen[kind])


def _tests(
    file: File, callees: Sequence[Node], functions: Sequence[Node], groups: Sequence[Node], *, compared: bool
) -> tuple[DeclaredTest, ...]:
    """The tests of the file; one that checks nothing is noted, one that does not run is not claimed to check."""
    testing = file.language.testing
    if testing is None or testing.watched.isdisjoint(file.said):
        return ()
    found = tests_of(
        file.source, file.language, file.said, file.with_calls(callees), functions, groups, compared=compared
    )
    for each in found:
        if each.case.runs is RunCondition.NEVER:
            continue
        file.looked.candidates["tests.without_assertions"] += 1
        if each.verdict != "something" and "tests.without_assertions" in file.wanted:
            says, doubt, why = _BARE[each.verdict]
            end = min(each.end, each.case.line + 5)
            file.looked.sites["tests.without_assertions"].append(Site(each.case.line, end, says, "", doubt, why))
    return tuple(each.case for each in found)


_BARE = {
    "nothing": ("A test checks nothing", 0.7, _UNSURE_CHECK),
    "trivially": ("A test only asserts what is always true", 1.0, ""),
}
