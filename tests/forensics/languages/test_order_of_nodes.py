"""Nodes come in the order of the source, so that where only the first of them are looked at, it is the same ones in every run."""

from __future__ import annotations

import pytest

from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.languages.tree_walk import NodeQuery
from auditor.forensics.source_text.syntax_trees import get_parser, parse_tree

CALLS = {
    "javascript": b"run(a, other(b));\n" * 500,
    "rust": b"fn f() {\n" + b"    run(a, other(b));\n" * 500 + b"}\n",
}


@pytest.mark.parametrize("name", CALLS)
def test_nodes_of_a_kind_are_sorted_by_where_they_begin(name: str) -> None:
    language = covered_languages()[name]
    grammar = language.grammar(b"")
    tree = parse_tree(get_parser(grammar), CALLS[name])
    assert tree is not None
    query = NodeQuery(grammar, language, language.kinds)
    half = len(CALLS[name]) // 2
    for found in (query.nodes(tree.root_node), query.within(tree.root_node, half, half + 2_000)):
        places = [node.byte_range for node in found["call_expression"]]
        assert len(places) > 100
        assert places == sorted(places)
