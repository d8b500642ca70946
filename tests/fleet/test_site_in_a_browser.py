"""The site about a store in Chromium: overview, repository, rule and record pages, in every theme, width and in print."""

from __future__ import annotations

import shutil

import pytest

from auditor.fleet.site_writer import write_site
from auditor.fleet.store import FailureFile, Store
from auditor.fleet.table_index import build_index
from auditor.fleet.unit import Unit
from tests.fleet.recorded_store import RecordedStore, put
from tests.report.browser import Seen, broken, browse, loaded, missing, serious, too_wide

pytest.importorskip("duckdb")
pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "nothing is missing")
LONG = "https://git.example.org/" + "a-very-long-name-of-a-repository/" * 6


@pytest.fixture(scope="module")
def seen(recorded: RecordedStore, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(recorded.store.path, folder / "store", ignore=shutil.ignore_patterns("tables"))
    store = Store.open(folder / "store")
    for each in recorded.records().values():
        put(store, LONG, each)
    lost = Unit(repository=LONG, head="d" * 40, rubric="r", bench="embedded", version="1")
    store.put_failure(FailureFile(key=lost.key, unit=lost, reason="boom", attempts=2, failed_at="2026-01-01"))
    write_site(store, build_index(store), folder / "site", lambda rule: (f"What about `{rule}`?", "Do."), records=True)
    kinds = {each.name.partition("-")[0]: each for each in sorted((folder / "site").glob("*.html"))}
    assert sorted(kinds) == ["index.html", "record", "repository", "rule"]
    return browse(tuple(kinds.values()))


def test_the_site_asks_for_nothing(seen: Seen) -> None:
    assert loaded(seen) == []


def test_no_page_of_the_site_is_wider_than_the_window(seen: Seen) -> None:
    assert too_wide(seen) == []


def test_no_word_in_a_table_of_the_site_is_cut_in_two(seen: Seen) -> None:
    assert broken(seen) == []


def test_axe_finds_nothing_serious_in_the_site(seen: Seen) -> None:
    assert serious(seen) == []
    assert all("color-contrast" in each["passed"] for each in seen)
