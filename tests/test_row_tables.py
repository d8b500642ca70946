"""Tables beside the code that reads them: what is refused, each mistake with its line, and every table that ships."""

from __future__ import annotations

import pytest

from auditor.domain import UserError
from auditor.domain.frozen_model import Frozen
from auditor.row_tables import (
    NameRows,
    NameSet,
    PatternRows,
    Row,
    Source,
    combined_pattern,
    names_of,
    parse_table,
)

DOCUMENTED = "source: https://docs.example.org/"


class Tool(Row):
    """A row with an own column to sort by."""

    tool: str
    suffixes: NameSet
    steps: tuple[str, ...] = ()
    source: Source


class Table(Frozen):
    """A section of each kind."""

    names: NameRows = ()
    tools: tuple[Tool, ...] = ()
    words: PatternRows = ()


def read(section: str, *rows: str) -> Table:
    """The table with these rows, from line 2 on."""
    return parse_table(Table, f"{section}:\n" + "".join(f"  - {{{row}}}\n" for row in rows), "t.yaml")


def refused(section: str, *rows: str) -> list[str]:
    """The mistakes in such a table."""
    with pytest.raises(UserError) as caught:
        read(section, *rows)
    return str(caught.value).splitlines()


def test_names_of_rows_are_read_as_one_set() -> None:
    table = read("names", f"names: [a, c], {DOCUMENTED}", f"names: [b], {DOCUMENTED}")
    assert names_of(table.names) == {"a", "b", "c"}


def test_a_tuple_keeps_its_order() -> None:
    assert read("tools", f"tool: t, suffixes: [x], steps: [b, a], {DOCUMENTED}").tools[0].steps == ("b", "a")


def test_patterns_are_joined_into_one_that_keeps_them_apart() -> None:
    words = read("words", f"pattern: 'a|b', {DOCUMENTED}", f"pattern: 'cd$', {DOCUMENTED}").words
    assert [text for text in ("a", "xb", "cd", "cdx") if combined_pattern(words).search(text)] == ["a", "xb", "cd"]


def test_a_set_out_of_order_is_named_with_its_line() -> None:
    assert refused("names", f"names: [a], {DOCUMENTED}", f"names: [c, b], {DOCUMENTED}")[0].startswith(
        "t.yaml:3: names: names are sorted: 'b' belongs before 'c'"
    )


def test_a_name_twice_in_a_set_is_named_with_its_line() -> None:
    (mistake,) = refused("tools", f"tool: t, suffixes: [x, x], {DOCUMENTED}")
    assert mistake.startswith("t.yaml:2: suffixes: 'x' is there twice")


def test_a_name_in_two_rows_is_named_with_its_line() -> None:
    assert refused("names", f"names: [a, b], {DOCUMENTED}", f"names: [b], {DOCUMENTED}") == [
        "t.yaml:3: 'b' is in two rows."
    ]


def test_rows_out_of_order_are_named_with_their_line() -> None:
    rows = (f"tool: b, suffixes: [x], {DOCUMENTED}", f"tool: a, suffixes: [y], {DOCUMENTED}")
    assert refused("tools", *rows) == ["t.yaml:3: rows are sorted: 'a' belongs before 'b'."]


@pytest.mark.parametrize("row", ["names: [a]", "names: [a], source: somewhere", "names: [a], source: 'http://a.org'"])
def test_a_row_without_an_address_of_its_source_is_refused(row: str) -> None:
    (mistake,) = refused("names", row)
    assert mistake.startswith("t.yaml:2: source")


def test_an_unknown_column_is_named_with_its_line_and_what_was_meant() -> None:
    (mistake,) = refused("tools", f"tool: t, suffixs: [x], suffixes: [y], {DOCUMENTED}")
    assert mistake.startswith("t.yaml:2: unknown key 'suffixs'")
    assert "suffixes" in mistake
