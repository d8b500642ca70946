"""Where the installed tool can be read, as the installer recorded it."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from auditor.report.rule_page_text import ToolHome

_DISTRIBUTION = "automaton-auditor"
_RECORD = "direct_url.json"
"""https://packaging.python.org/en/latest/specifications/direct-url/"""


def installed_tool_home() -> ToolHome | None:
    """The repository and commit from which this tool was installed; None for an installation from files or an index."""
    try:
        written = distribution(_DISTRIBUTION).read_text(_RECORD)
    except PackageNotFoundError:
        return None
    return tool_home_of(written or "")


def tool_home_of(record: str) -> ToolHome | None:
    """The repository and commit that a record of an installation names; None where it names none on the web."""
    from auditor.report.rule_page_text import ToolHome

    try:
        told: Any = json.loads(record)
        url, commit = str(told["url"]), str(told["vcs_info"]["commit_id"])
    except (ValueError, LookupError, TypeError):
        return None
    parts = urlsplit(url)
    if parts.scheme != "https" or parts.username or parts.password or not parts.hostname:
        return None
    return ToolHome(url.removesuffix("/").removesuffix(".git"), commit)
