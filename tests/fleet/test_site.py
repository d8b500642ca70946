"""The site about a store: pages that need nothing, link to each other, and let no name of an audited repository act."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from auditor.domain import AuditReport, CodeLocation, UserError
from auditor.fleet.site_content import rule_file
from auditor.fleet.site_writer import write_site
from auditor.fleet.store import Store
from auditor.fleet.table_index import build_index
from tests.fleet.commands import run
from tests.fleet.recorded_store import RecordedStore, put

pytest.importorskip("duckdb")
HOSTILE = 'https://example.org/"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x1b{{ 7*7 }}/../../x'


class Page(HTMLParser):
    """Tags, links and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in {"href", "src"}]

    def handle_data(self, data: str) -> None:
        self.text += data


def texts(rule: str) -> tuple[str, str]:
    return f"What about {rule}?", "Do better."


def site(store: Store, folder: Path, *, records: bool = False) -> dict[str, str]:
    """The pages of a store by their names."""
    write_site(store, build_index(store), folder, texts, records=records)
    return {each.name: each.read_text() for each in sorted(folder.glob("*.html"))}


def with_hostile_path(report: AuditReport) -> AuditReport:
    """The record with a hostile file name, statement and rule."""
    place = CodeLocation(path='a"><script>alert(2)</script>\x1b.py', start=3)
    fact = next(each for each in report.evidence if each.probe == "code.shell_execution")
    evil = fact.model_copy(update={"locations": (place,), "statement": "<b>`x`</b> <script>alert(3)</script>"})
    return report.model_copy(update={"evidence": tuple(evil if each is fact else each for each in report.evidence)})


@pytest.fixture(scope="module")
def pages(recorded: RecordedStore, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return site(recorded.store, tmp_path_factory.mktemp("site") / "site")


def test_there_is_an_overview_a_page_a_repository_and_a_page_a_rule(pages: dict[str, str]) -> None:
    assert "index.html" in pages
    assert len([each for each in pages if each.startswith("repository-")]) == 1
    assert "rule-code.shell_execution.html" in pages
    assert "20 audits of 1 repository" in pages["index.html"]
    assert "What about code.shell_execution?" in pages["rule-code.shell_execution.html"]


def test_every_link_leads_to_a_page_of_the_site(pages: dict[str, str]) -> None:
    for text in pages.values():
        assert set(Page(text).links) <= set(pages)


def test_pages_allow_no_script_and_load_nothing(pages: dict[str, str]) -> None:
    for text in pages.values():
        page = Page(text)
        assert "default-src 'none'; style-src 'sha256-" in text
        assert not {"script", "link", "img", "iframe", "object", "form"} & set(page.tags)
        assert not {"style", "onload", "onclick"} & page.attributes


def test_every_bar_has_its_figure_as_text(pages: dict[str, str]) -> None:
    rows = re.findall(r"<tr>(?:(?!</tr>).)*<rect(?:(?!</tr>).)*</tr>", pages["index.html"], re.DOTALL)
    assert rows
    for each in rows:
        assert re.search(r"<td>[^<]*\d[^<]*</td><td><svg", each)


def test_demands_that_were_not_met_have_words(pages: dict[str, str]) -> None:
    for text in pages.values():
        assert not re.search(r">[^<]*(?:\bno_new\b|\bcriteria\.)[^<]*<", text)
    assert "Findings of a severity that blocks" in pages["index.html"]


def test_every_box_that_scrolls_has_a_name(pages: dict[str, str]) -> None:
    for text in pages.values():
        for box in re.findall(r"<[^>]*tabindex[^>]*>", text):
            assert 'role="group" aria-label' in box


def test_the_page_of_a_record_leads_back_to_the_overview(recorded: RecordedStore, tmp_path: Path) -> None:
    pages = site(recorded.store, tmp_path / "site", records=True)
    for name, text in pages.items():
        assert ("index.html" in Page(text).links) is (name != "index.html")


def test_figures_are_those_of_the_records(recorded: RecordedStore, pages: dict[str, str]) -> None:
    blocked = sum(each.verdict.conclusion.value == "failed" for each in recorded.records().values())
    assert f"<strong>{blocked}</strong> blocked" in pages["index.html"]


def test_hostile_names_are_text_on_every_page(recorded: RecordedStore, tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store", create=True)
    for report in recorded.records().values():
        found = any(each.probe == "code.shell_execution" and each.locations for each in report.evidence)
        put(store, HOSTILE, with_hostile_path(report) if found else report)
    pages = site(store, tmp_path / "site", records=True)
    assert len([each for each in pages if each.startswith("record-")]) == 20
    for name, text in pages.items():
        page = Page(text)
        assert not {"script", "img"} & set(page.tags), name
        assert not {"\x1b", "\u202e"} & set(text)
        assert "onerror" not in page.attributes
        assert re.fullmatch(r"[a-z0-9._-]+\.html", name)
    (repository,) = [text for name, text in pages.items() if name.startswith("repository-")]
    assert "<script>alert(1)</script>" in Page(repository).text
    assert "{{ 7*7 }}" in Page(repository).text
    assert 'a"><script>alert(2)</script>' in Page(pages["rule-code.shell_execution.html"]).text


@pytest.mark.parametrize("name", ["../../etc/passwd", "a.b/c", "", "x" * 500, "code.shell_execution\n"])
def test_a_rule_of_a_record_names_no_file_outside_of_the_site(name: str) -> None:
    assert re.fullmatch(r"rule-[0-9a-f]{20}\.html", rule_file(name))


def test_a_site_is_replaced_and_another_folder_is_not(recorded: RecordedStore, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    site(recorded.store, folder)
    (folder / "rule-old.html").write_text("old")
    assert "rule-old.html" not in site(recorded.store, folder)
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="holds something else than a site"):
        site(recorded.store, other)
    assert [each.name for each in other.iterdir()] == ["mine.txt"]
    assert not list(tmp_path.glob(".site*"))


def test_the_command_writes_the_site(recorded: RecordedStore, tmp_path: Path) -> None:
    shutil.copytree(recorded.store.path, tmp_path / "store")
    code, printed = run("fleet", "report", tmp_path / "store", "-o", tmp_path / "site")
    assert code == 0
    assert re.search(r"\d+ pages, [\d,]+ bytes: ", printed)
    assert "index.html" in printed
