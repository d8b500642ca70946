"""Pages as Chromium shows them: light and dark in three widths and in print, folded and unfolded, looked at by axe-core.

What a browser needs is absent on many machines. To have it:

    apt-get install chromium
    npm install --prefix FOLDER axe-core puppeteer-core
    NODE_FOLDER=FOLDER python -m pytest tests/report/test_page_in_a_browser.py tests/fleet/test_site_in_a_browser.py
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Seen = list[dict[str, Any]]
_SCRIPT = Path(__file__).with_name("browse.mjs")
_BROWSER = os.environ.get("BROWSER") or shutil.which("chromium") or shutil.which("google-chrome") or ""
_MODULES = Path(os.environ.get("NODE_FOLDER", "node")).resolve() / "node_modules"
_VIEWS = 7
"""Two themes in three widths, and print."""


def missing() -> str:
    """What a browser test lacks; empty for nothing."""
    if not _BROWSER:
        return "Chromium is not installed"
    if shutil.which("node") is None:
        return "Node.js is not installed"
    absent = [each for each in ("axe-core", "puppeteer-core") if not (_MODULES / each).is_dir()]
    return f"NODE_FOLDER has no {' and no '.join(absent)}" if absent else ""


def browse(pages: Sequence[Path]) -> Seen:
    """What the browser says of each page in each view."""
    done = subprocess.run(
        ["node", str(_SCRIPT), *map(str, pages)],
        env={**os.environ, "BROWSER": _BROWSER, "MODULES": str(_MODULES)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    found: Seen = json.loads(done.stdout)
    assert len(found) == len(pages) * _VIEWS
    return found


def loaded(seen: Seen) -> list[object]:
    """Pages that asked for something, or of which the console has a word."""
    return [(each["page"], each["requests"], each["console"]) for each in seen if each["requests"] or each["console"]]


def too_wide(seen: Seen) -> list[object]:
    """Pages that are wider than the window."""
    return [(each["page"], each["width"], each["overflow"]) for each in seen if each["overflow"] > 0]


def broken(seen: Seen) -> list[object]:
    """Words in tables that a line end cuts in two."""
    return [(each["page"], each["theme"], each["width"], each["broken"]) for each in seen if each["broken"]]


def serious(seen: Seen) -> list[object]:
    """What axe-core finds serious."""
    return [
        (each["page"], each["theme"], each["width"], found)
        for each in seen
        for found in each["violations"]
        if found["impact"] in ("serious", "critical")
    ]
