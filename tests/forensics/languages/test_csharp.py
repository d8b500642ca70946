"""What C# needs beyond rows: conditions of the preprocessor, types in names of calls, and what others can reach."""

from __future__ import annotations

import pytest

from auditor.dossier.syntax import read_syntax
from auditor.forensics.languages.called_names import without_type_arguments
from auditor.forensics.languages.csharp_preprocessor import branch_alternatives
from auditor.forensics.languages.exports.export_readers import exports_of
from auditor.forensics.source_text.syntax_trees import get_parser, parse_tree
from auditor.forensics.source_text.tree_sitter_grammars import grammar

SPLIT = b"""class A {
#if NEW
    void Run(Span<int> x)
#else
    void Run(int[] x)
#endif
    { }
#if DEBUG
    void Log() { }
#endif
}
"""


def exported(source: str) -> dict[str, tuple[str, ...] | None]:
    """Names and parameters of what a file offers."""
    tree = parse_tree(get_parser(grammar("tree_sitter_c_sharp", "language")), source.encode())
    assert tree is not None
    found = exports_of(source.encode(), "csharp", tree.root_node, frozenset(), compared=True)
    return {each.name: each.takes for each in found}


def test_one_branch_of_each_condition_is_kept_and_every_byte_in_its_place() -> None:
    first, last = (content for _, content in branch_alternatives(SPLIT))
    assert b"Span<int>" in first
    assert b"int[] x" not in first
    assert b"int[] x" in last
    assert b"Span<int>" not in last
    assert b"void Log()" in first
    assert b"void Log()" in last
    for each in (first, last):
        assert len(each) == len(SPLIT)
        assert each.count(b"\n") == SPLIT.count(b"\n")
        assert b"#" not in each


def test_a_file_without_directives_has_no_other_reading() -> None:
    assert list(branch_alternatives(b"class A { }")) == []


@pytest.mark.parametrize(
    "source", [b"#endif\n#else\n#if", b"#if A\n" * 200 + b"x", b"#else\n#elif B\nint a;\n#endif\n"]
)
def test_conditions_that_do_not_match_are_read_without_an_error(source: bytes) -> None:
    assert all(len(content) == len(source) for _, content in branch_alternatives(source))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (b"db.Query<Dictionary<string, Foo.Bar>>", b"db.Query"),
        (b"iter.collect::<Vec<_>>", b"iter.collect"),
        (b"List<int>", b"List"),
        (b"db.Query", b"db.Query"),
        (b"a > b >", b"a > b >"),
        (b">", b">"),
        (b"", b""),
    ],
)
def test_the_types_that_a_call_is_told_are_no_part_of_its_name(written: bytes, name: bytes) -> None:
    assert without_type_arguments(written) == name


def test_what_others_can_reach_is_public_or_protected_in_a_type_that_is() -> None:
    found = exported(
        "namespace Shop { public class Cart<T> { public Cart(int a) { } public void Add(string? name, int n = 3) { }\n"
        "protected int Total { get; } internal void Reset() { } void Hidden() { } public const int Max = 3; }\n"
        "internal class Store { public void Open() { } } public interface IPay { void Pay(ref int sum); }\n"
        "public enum Kind { Small } public sealed class Box { protected void Pack() { } } }\n"
    )
    assert found == {
        "Shop.Cart": None,
        "Shop.Cart.new": ("int",),
        "Shop.Cart.Add": ("string", "int="),
        "Shop.Cart.Total": None,
        "Shop.Cart.Max": None,
        "Shop.IPay": None,
        "Shop.IPay.Pay": ("ref int",),
        "Shop.Kind": None,
        "Shop.Kind.Small": None,
        "Shop.Box": None,
        "Shop.Box.new": (),
    }


def test_what_callers_may_leave_out_has_a_mark() -> None:
    found = exported(
        "public interface ILog { void Write(string text, params object[] values); void Close(bool now = true); }"
    )
    assert (found["ILog.Write"], found["ILog.Close"]) == (("string", "object[]="), ("bool=",))


def test_members_under_conditions_and_in_the_namespace_of_a_file_are_found() -> None:
    found = exported("namespace Shop;\npublic class Cart {\n#if NEW\n    public void Add() { }\n#endif\n}\n")
    assert found == {"Shop.Cart": None, "Shop.Cart.new": (), "Shop.Cart.Add": ()}


def test_judges_are_shown_whole_methods_and_know_what_they_call() -> None:
    syntax = read_syntax(
        "src/Cart.cs", b"class Cart {\n    int Total() {\n        return Sum<int>(x?.Get(), new Row());\n    }\n}\n"
    )
    assert syntax is not None
    assert [(each.qualified_name, each.start, each.end) for each in syntax.definitions] == [
        ("Cart", 1, 5),
        ("Cart.Total", 2, 4),
    ]
    assert {name for _, name in syntax.calls} == {"Get", "Row", "Sum"}
