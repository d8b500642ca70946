"""Lines without a sensitive word that are sensitive for where they are: shown where somebody has to approve the change."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from auditor.audit_builder import ChangeReader
from auditor.repo.repository_opening import open_repository
from tests.repos import Drawing

Files = Mapping[str, str | bytes | None]
VIEW = 'from flask import request\n\nfrom shop.names import clean\n\n\ndef show():\n    """Show."""\n    return clean(request.args["name"])\n'
CLEAN = "def clean(name):\n    return name\n"


def places(drawing: Drawing, before: Files, after: Files, *, with_unnamed: bool = True) -> list[str]:
    drawing.commit({"README": "A project.\n", **before})
    drawing.branch("change")
    drawing.commit(dict(after))
    with open_repository(drawing.path, base="main") as repo:
        lines = ChangeReader(repo).sensitive_lines((), (), with_unnamed)
    return [f"{area.area} {each.spoken}" for area in lines.areas for each in area.places]


def test_code_that_handles_requests_is_shown_without_a_word_that_is_known(drawing: Drawing) -> None:
    after = VIEW.replace("    return", "    unheard_of(1)\n    return")
    assert places(drawing, {"shop/views.py": VIEW}, {"shop/views.py": after}) == ["request_handling shop/views.py:8"]


def test_so_is_a_changed_file_that_such_a_file_of_the_change_names(drawing: Drawing) -> None:
    before = {"shop/views.py": VIEW, "shop/names.py": CLEAN, "shop/other.py": "def other(name):\n    return name\n"}
    after = {
        "shop/views.py": VIEW.replace("    return", "    unheard_of(1)\n    return"),
        "shop/names.py": CLEAN.replace("return name", "return unheard_of(name)"),
        "shop/other.py": "def other(name):\n    return unheard_of(name)\n",
    }
    assert places(drawing, before, after) == [
        "request_handling shop/names.py:2",
        "request_handling shop/views.py:8",
    ]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("deploy/flow.json", '{"type": "unheard-of"}\n', "other_files deploy/flow.json:1"),
        ("lib/shop/items.ex", "def show(x), do: unheard_of(x)\n", "other_files lib/shop/items.ex:1"),
        ("release.sh", "unheard_of $1\n", "scripts release.sh:1"),
        ("vendor/lib/a.py", "unheard_of(1)\n", "other_files vendor/lib/a.py:1"),
        ("vendor/lib/b.py", "x = 1\n" * 3_000, "unsearched_files vendor/lib/b.py"),
        ("shop/native.so", b"\x7fELF\0\0", "unsearched_files shop/native.so"),
        ("shop/hidden.py", b"x = 1\n\0\n", "unsearched_files shop/hidden.py"),
    ],
)
def test_what_no_grammar_reads_is_shown(drawing: Drawing, path: str, text: str | bytes, expected: str) -> None:
    assert places(drawing, {}, {path: text}) == [expected]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/guide.md", "Call unheard_of.\n"),
        ("tests/test_a.py", "def test_a():\n    assert unheard_of(1)\n"),
        ("examples/a.ex", "unheard_of(1)\n"),
        ("site/look.css", "a { color: red }\n"),
        ("site/logo.png", b"\x89PNG\0\0"),
        ("locale/de.po", 'msgid "a"\n'),
        ("shop/sums.py", "def add(a, b):\n    return a + b\n"),
    ],
)
def test_what_is_inert_a_test_or_parsed_code_away_from_requests_is_not(
    drawing: Drawing, path: str, text: str | bytes
) -> None:
    assert places(drawing, {}, {path: text}) == []


def test_comments_blanks_imports_and_what_was_there_before_are_not_shown(drawing: Drawing) -> None:
    after = VIEW.replace("from shop.names", "import sums\n\n# A note.\nfrom shop.names").replace(
        "def show", "def  show"
    )
    assert places(drawing, {"shop/views.py": VIEW}, {"shop/views.py": after}) == []


def test_a_line_that_is_removed_from_code_that_handles_requests_is_shown(drawing: Drawing) -> None:
    before = VIEW.replace("    return", "    unheard_of(1)\n    return")
    assert places(drawing, {"shop/views.py": before}, {"shop/views.py": VIEW}) == ["request_handling shop/views.py:8"]


def test_a_binary_file_that_is_deleted_shows_nothing(drawing: Drawing) -> None:
    assert places(drawing, {"shop/native.so": b"\x7fELF\0\0"}, {"shop/native.so": None}) == []


def test_they_are_shown_only_where_they_are_asked_for(drawing: Drawing) -> None:
    assert places(drawing, {}, {"deploy/flow.json": '{"a": "b"}\n'}, with_unnamed=False) == []
