"""Files of rows: what is refused, each mistake with its line, and every file that ships."""

from __future__ import annotations

import importlib
import re

import pytest

from auditor.domain import UserError
from auditor.domain.frozen_model import Frozen
from auditor.forensics import library_models
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.library_models.python_rows import FOLDER, SECTION
from auditor.row_tables import (
    ArgumentRows,
    NameRows,
    arguments_of,
    by_name,
    method_names,
    names_of,
    parse_table,
    positions_of,
    qualified_names,
)

DOCUMENTED = "source: https://docs.example.org/"


class Table(Frozen):
    """Sections of a file: names, and calls with an argument."""

    clients: NameRows
    readers: ArgumentRows = ()


def parse_python(text: str) -> Table:
    """The rows for Python in the text of a file."""
    return parse_table(Table, text, "t.yaml", section=SECTION, beside=("other_languages",))


def read(*rows: str) -> Table:
    """The table of a file whose section `clients` has these rows, from line 3 on."""
    return parse_python("python:\n  clients:\n" + "".join(f"    - {{{row}}}\n" for row in rows))


def refused(*rows: str) -> list[str]:
    """The mistakes in such a file."""
    with pytest.raises(UserError) as caught:
        read(*rows)
    return str(caught.value).splitlines()


def test_a_row_stands_for_its_names_and_for_each_owner_with_each_member() -> None:
    table = read(f"names: [a.send, b.send], owners: [c, d], members: [get, put], {DOCUMENTED}")
    assert names_of(table.clients) == {"a.send", "b.send", "c.get", "c.put", "d.get", "d.put"}
    assert set(by_name(table.clients)) == names_of(table.clients)


def test_a_call_has_an_argument_and_may_have_a_position() -> None:
    text = f"python:\n  clients: []\n  readers:\n    - {{names: [a.load], argument: file, position: 0, {DOCUMENTED}}}\n    - {{names: [b.load], argument: path, {DOCUMENTED}}}\n"  # fmt: skip
    table = parse_python(text)
    assert arguments_of(table.readers) == {"a.load": "file", "b.load": "path"}
    assert positions_of(table.readers) == {"a.load": ("file", 0), "b.load": ("path", None)}


def test_a_file_may_have_rules_for_other_languages_beside_its_rows_for_python() -> None:
    assert parse_python("python:\n  clients: []\nother_languages:\n  go: []\n") == Table(clients=())


def test_an_unknown_column_is_named_with_its_line_and_what_was_meant() -> None:
    (mistake,) = refused(f"names: [a], {DOCUMENTED}", f"names: [b], ownres: [c], {DOCUMENTED}")
    assert mistake.startswith("t.yaml:4: unknown key 'ownres'")
    assert "owners" in mistake


def test_an_unknown_section_is_named_with_its_line() -> None:
    with pytest.raises(UserError, match=r"^t\.yaml:3: unknown key 'clinets'"):
        parse_python("python:\n  clients: []\n  clinets: []\n")


def test_a_missing_section_is_named() -> None:
    with pytest.raises(UserError, match=r"^t\.yaml:1: clients is missing\.$"):
        parse_python("python:\n  readers: []\n")


@pytest.mark.parametrize(
    "text", ["", "python: 1\n", "clients: []\n", "python:\n  clients: 1\n", "python:\n  clients: [1]\n"]
)
def test_what_is_no_table_is_a_mistake_and_no_crash(text: str) -> None:
    with pytest.raises(UserError, match=r"^t\.yaml:\d: "):
        parse_python(text)


def test_a_row_without_a_source_is_named_with_its_line() -> None:
    (mistake,) = refused(f"names: [a], {DOCUMENTED}", "names: [b]")
    assert mistake == "t.yaml:4: source is missing."


@pytest.mark.parametrize("source", ["somewhere", "http://a.example.org", "convention: ?", '""'])
def test_a_source_is_an_address_or_says_what_the_convention_is(source: str) -> None:
    (mistake,) = refused(f"names: [a], source: {source!r}")
    assert mistake.startswith("t.yaml:3: source")


def test_a_name_that_is_there_twice_is_named_with_its_line() -> None:
    (mistake,) = refused(f"names: [a.get, a.get], {DOCUMENTED}")
    assert mistake.startswith("t.yaml:3: names: 'a.get' is there twice")
    (mistake,) = refused(f"names: [a.get], {DOCUMENTED}", f"owners: [a], members: [get, put], {DOCUMENTED}")
    assert mistake == "t.yaml:4: 'a.get' is in two rows."


def test_names_and_rows_out_of_order_are_named_with_their_lines() -> None:
    (mistake,) = refused(f"names: [b, a], {DOCUMENTED}")
    assert mistake.startswith("t.yaml:3: names: names are sorted: 'a' belongs before 'b'")
    (mistake,) = refused(f"names: [b], {DOCUMENTED}", f"names: [a], {DOCUMENTED}")
    assert mistake == "t.yaml:4: rows are sorted: 'a' belongs before 'b'."


def test_a_row_of_nothing_is_a_mistake() -> None:
    (mistake,) = refused(f"names: [a], {DOCUMENTED}", DOCUMENTED)
    assert mistake.startswith("t.yaml:4: a row has `names`, or `owners` and `members`")


def test_all_mistakes_of_rows_are_named_at_once_and_then_those_between_rows() -> None:
    assert len(refused("names: [b, a]", f"names: [], {DOCUMENTED}")) == 3
    assert len(refused(f"names: [b, c], {DOCUMENTED}", f"names: [a, b], {DOCUMENTED}")) == 2


TOPICS = sorted(path.stem for path in FOLDER.glob("*.yaml") if "\npython:" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("topic", TOPICS)
def test_every_file_that_ships_is_read_by_the_module_of_its_name(topic: str) -> None:
    module = importlib.import_module(f"{library_models.__name__}.{topic}")
    table = getattr(module, topic)()
    assert all(getattr(table, section) for section in type(table).model_fields)
    assert topic in library_models.__all__


@pytest.mark.parametrize("topic", TOPICS)
def test_every_rule_that_the_head_of_a_file_names_is_there(topic: str) -> None:
    head = (FOLDER / f"{topic}.yaml").read_text(encoding="utf-8").partition("\npython:\n")[0]
    named = set(re.findall(r"`([a-z]+\.[a-z_]+)`", head))
    assert named <= discover_probes().keys()


def test_methods_and_qualified_names_are_told_apart_by_a_dot_in_front() -> None:
    rows = read(f"names: [.send, http.get], {DOCUMENTED}").clients
    assert (method_names(rows), qualified_names(rows)) == (["send"], ["http.get"])
