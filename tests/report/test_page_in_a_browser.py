"""Pages as Chromium shows them: no request, no word in the console, nothing too wide, nothing that axe-core finds serious.

Skipped where Chromium, Node.js or the two npm packages are absent. To have them:

    apt-get install chromium
    npm install --prefix FOLDER axe-core puppeteer-core
    NODE_FOLDER=FOLDER python -m pytest tests/report/test_page_in_a_browser.py
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from auditor.domain import AuditReport
from auditor.report import comparison_pages
from auditor.report.html_report import html
from tests.comparisons import hostile_pair
from tests.report.test_page import with_graph
from tests.reports import LINKS, contested, typical

SCRIPT = Path(__file__).with_name("browse.mjs")
BROWSER = os.environ.get("BROWSER") or shutil.which("chromium") or shutil.which("google-chrome") or ""
MODULES = Path(os.environ.get("NODE_FOLDER", "node")).resolve() / "node_modules"


def missing() -> str:
    """What a browser test lacks; empty for nothing."""
    if not BROWSER:
        return "Chromium is not installed"
    if shutil.which("node") is None:
        return "Node.js is not installed"
    absent = [each for each in ("axe-core", "puppeteer-core") if not (MODULES / each).is_dir()]
    return f"NODE_FOLDER has no {' and no '.join(absent)}" if absent else ""


pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "nothing is missing")

RECORDS: dict[str, AuditReport] = {"typical": typical(), "contested": contested(), "graph": with_graph()}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the browser says of each page in each theme and width, with everything folded and unfolded."""
    folder = tmp_path_factory.mktemp("pages")
    pages = {name: html(record, LINKS) for name, record in RECORDS.items()}
    pages["comparison"] = comparison_pages.html(hostile_pair("plain words"))
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["node", str(SCRIPT), *(str(folder / f"{name}.html") for name in pages)],
        env={**os.environ, "BROWSER": BROWSER, "MODULES": str(MODULES)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(found) == len(pages) * 2 * 3
    return found


def test_a_page_asks_for_nothing_and_breaks_no_policy(seen: list[dict[str, Any]]) -> None:
    assert [
        (each["page"], each["requests"], each["console"]) for each in seen if each["requests"] or each["console"]
    ] == []


def test_a_page_is_no_wider_than_the_window(seen: list[dict[str, Any]]) -> None:
    assert [(each["page"], each["width"], each["overflow"]) for each in seen if each["overflow"] > 0] == []


def test_axe_finds_nothing_serious(seen: list[dict[str, Any]]) -> None:
    serious = [
        (each["page"], each["theme"], each["width"], found)
        for each in seen
        for found in each["violations"]
        if found["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_axe_would_find_text_without_contrast(seen: list[dict[str, Any]]) -> None:
    """The rules ran: each page passed the one on contrast, which needs a browser that draws."""
    assert all("color-contrast" in each["passed"] for each in seen)
