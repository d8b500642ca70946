"""The pages that users read: README.md and the folder .github/docs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / ".github" / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def page(name: str) -> str:
    """The text of a page of .github/docs."""
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """What is below a heading of the second level, up to the next one."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found is not None, heading
    return found[1]


def workflow_texts() -> list[str]:
    """The workflows to copy: that of the README, then those of the page on forks."""
    return re.findall(r"```yaml\n(name:.*?)```", README + page("forks.md"), re.DOTALL)
