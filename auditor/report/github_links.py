"""Links that we build ourselves. Nothing that is published contains another address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from auditor.domain import CodeLocation, CommitLocation, Location, Side
from auditor.report.escaping import for_link_target
from auditor.report.rule_page_text import ToolHome
from auditor.rule_pages import rule_pages

_RENDERED_SUFFIXES = (
    ".md",
    ".markdown",
    ".rst",
    ".adoc",
    ".asciidoc",
    ".org",
    ".textile",
    ".ipynb",
    ".csv",
    ".tsv",
    ".svg",
)
"""Files that GitHub renders: a link to a line needs the plain view."""
_NAME = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ESCAPED_BYTE = re.compile(r"\\x[0-9a-f]{2}")
_REDACTED = "[redacted "


@dataclass(frozen=True)
class Links:
    """Where published text may point to. Whatever is not known has no link, so the command line has none at all.

    `tool` is where the documentation of this tool itself is.

    `base_sha` is the commit on which places of the base side stand: the merge base.
    """

    server_url: str = ""
    repository: str = ""
    head_sha: str = ""
    base_sha: str | None = None
    run_url: str | None = None
    check_url: str | None = None
    report_url: str | None = None
    tool: ToolHome | None = None

    def rule(self, rule: str) -> str | None:
        """The section of a rule in this tool's documentation; none for a rule without a page."""
        return self._safe_url(self.tool.rule_uri(rule)) if self.tool is not None and rule in rule_pages() else None

    def place(self, location: Location) -> str | None:
        """The place at its commit: lines of a file, a document, or a commit."""
        if isinstance(location, CommitLocation):
            return self.commit(location.sha)
        if isinstance(location, CodeLocation):
            sha = self.base_sha if location.side is Side.BASE else self.head_sha
            return self._lines(sha, location.path, location.start, location.end)
        return self._lines(self.head_sha, location.path, None, None)

    def commit(self, sha: str) -> str | None:
        """The page of a commit; none when the text is no SHA."""
        home = self.home
        return f"{home}/commit/{sha}" if home and is_commit_id(sha) else None

    @property
    def check(self) -> str | None:
        """The check run's page."""
        return self._safe_url(self.check_url)

    @property
    def run(self) -> str | None:
        """The workflow run's page."""
        return self._safe_url(self.run_url)

    @property
    def report(self) -> str | None:
        """Where the whole report can be had."""
        return self._safe_url(self.report_url)

    def _lines(self, sha: str | None, path: str, start: int | None, end: int | None) -> str | None:
        home = self.home
        if not home or not sha or not is_commit_id(sha) or not is_tree_path(path):
            return None
        url = f"{home}/blob/{sha}/{for_link_target(path)}"
        if start is None:
            return url
        plain = "?plain=1" if path.lower().endswith(_RENDERED_SUFFIXES) else ""
        last = f"-L{end}" if end is not None and end > start else ""
        return f"{url}{plain}#L{start}{last}"

    @property
    def home(self) -> str:
        """The repository's page; empty when it is not known."""
        server = self._safe_url(self.server_url)
        return f"{server}/{self.repository}" if server and _NAME.fullmatch(self.repository) else ""

    def _safe_url(self, url: str | None) -> str | None:
        """An address that ends neither a Markdown link nor an HTML attribute, whatever is in it."""
        if not url or not url.startswith(("https://", "http://")):
            return None
        return quote(url.rstrip("/").encode(errors="surrogatepass"), safe=":/?#&=%+,;@~.-_")


NO_LINKS = Links()
"""For the command line, which knows no addresses."""


def is_commit_id(text: str) -> bool:
    """Is it the whole id of a commit?"""
    return _SHA.fullmatch(text) is not None


def is_tree_path(path: str) -> bool:
    """Can the path be the exact name of a file in the repository? Not one with bytes or secrets written differently."""
    parts = path.split("/")
    return not (
        any(part in {"", ".", ".."} for part in parts)
        or "\0" in path
        or _ESCAPED_BYTE.search(path)
        or _REDACTED in path
        or any("\ud800" <= each <= "\udfff" for each in path)
    )
