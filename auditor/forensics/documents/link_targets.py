"""Where links of a document lead, and whether a place of that name is in the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import normpath
from typing import Any

from auditor.forensics.documents.link_anchors import Anchors
from auditor.forensics.documents.markdown_parser import MAX_LINE_LENGTH, tokens
from auditor.forensics.probe_kit.probe_inputs import Tree
from auditor.lazy_regex import lazy_compile


def _inline_tokens(text: str) -> Iterator[tuple[Any, int]]:
    """Every inline token, and every piece of HTML, with the line (from 0) where its paragraph starts."""
    return (
        (token, line) for token, line in tokens(text, with_link_text=True) if token.type not in {"fence", "code_block"}
    )


def targets(text: str) -> Iterator[tuple[str, int]]:
    """Where links and images of a document lead, and the line (from 0) of their block, in HTML their own."""
    for token, line in _inline_tokens(text):
        name = {"link_open": "href", "image": "src"}.get(token.type)
        raw = token.attrGet(name) if name else None
        if isinstance(raw, str):
            yield raw, line
        elif token.type in {"html_block", "html_inline"}:
            yield from (
                (found[1], line + token.content.count("\n", 0, found.start(1)))
                for found in _HTML_TARGET.finditer(token.content[:MAX_LINE_LENGTH])
                if _FILE_TARGET.search(found[1])
            )


_HTML_TARGET = lazy_compile(
    r"<(?:a|img|source)\s[^>]{0,400}?\b(?:href|src|srcset)\s*=\s*[\"']([^\"'>\s]{1,300})", re.IGNORECASE
)
_FILE_TARGET = lazy_compile(
    r"^[^?#]*\.(?:md|markdown|rst|png|jpe?g|gif|svg|webp|pdf|txt|html|py|js|ts|json|ya?ml)(?:[?#]|$)|^#", re.IGNORECASE
)
EXTERNAL_TARGET = lazy_compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_EMAIL_ADDRESS = lazy_compile(r"^[\w.+-]{1,80}@[\w-]{1,80}\.[\w.-]{1,80}$")
_SITE_FOLDER = lazy_compile(
    r"(?:^|/)(?:docs?|documentation|website|www|site|content|pages|book|blog|guides?|manual)/", re.IGNORECASE
)


def is_repository_target(target: str, document: str, tree: Tree) -> bool:
    """Does a link speak of a place in the repository? From the root only where no site is made of the document."""
    if not target or EXTERNAL_TARGET.match(target) or "{" in target or "://" in target or _EMAIL_ADDRESS.match(target):
        return False
    if not target.startswith("/"):
        return True
    named = target.partition("#")[0].strip("/")
    known = tree.exists(named) and named != ""
    inner = "/" in named and tree.exists(named.partition("/")[0])  # a folder of the repository, not of a site
    return known or (_FILE_TARGET.search(target) is not None and (inner or not _SITE_FOLDER.search(document)))


def target_exists(path: str, target: str, tree: Tree, anchors: Anchors) -> bool:
    """Is there a file, a folder or a heading for a link, or a page that a generator makes? Pages of others are not judged."""
    from urllib.parse import unquote

    named, _, anchor = target.partition("#")
    named = unquote(named.partition("?")[0])
    folder = "" if named.startswith("/") else path.rpartition("/")[0]
    place = normpath(f"{folder}/{named}").lstrip("/") if named else path
    if named and place != "." and not tree.exists(place):
        if _PLACEHOLDER.match(named) or any(tree.exists(each) for each in _generated_pages(path, named, place)):
            return True
        # out of the repository are GitHub's own pages, not to be judged
        return (
            place.startswith("..")
            or _GITHUB_PAGE.match(named) is not None
            or (named.startswith("/") and _exists_in_site(path, named, tree))
        )
    if not anchor or re.match(r"^L\d+", anchor):
        return True
    return anchors.may_contain(place, unquote(anchor).lower().replace(_EMOJI_VARIATION_SELECTOR, ""))


def names_missing_heading(path: str, target: str, tree: Tree) -> bool:
    """Does the file of a broken link exist, so that it is the heading that is missing?"""
    from urllib.parse import unquote

    named = unquote(target.partition("#")[0].partition("?")[0])
    folder = "" if named.startswith("/") else path.rpartition("/")[0]
    return not named or tree.exists(normpath(f"{folder}/{named}").lstrip("/"))


def _generated_pages(document: str, named: str, place: str) -> Iterator[str]:
    """The pages that a generator may mean by a link without a suffix: it serves each under its name, or as a folder of that name."""
    if "." in named.rstrip("/").rpartition("/")[2].strip("."):
        return
    places = {place, normpath(f"{document.rpartition('.')[0]}/{named}").lstrip("/")}
    for each in places:
        if not each.startswith(".."):
            yield from (f"{each}{ending}" for ending in _PAGE_ENDINGS)


_PAGE_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".ipynb", "/index.md", "/README.md")
_PLACEHOLDER = lazy_compile(r"[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,40}/")
"""What is filled in when a page is made, such as the address of its pictures."""
_GITHUB_PAGE = lazy_compile(
    r"^(?:\.\./)+(?:(?:tree|blob|raw|commits?|compare|edit)/[^/]+(?:/|$)|(?:issues|pulls?|releases|wiki|actions|discussions)(?:/(?:\d+|new|latest|tag|choose)[\w./-]{0,200})?/?$)"
)
"""Pages that GitHub has beside a repository's own: a text that is shown there in a comment leads to them so."""


def _exists_in_site(document: str, named: str, tree: Tree) -> bool:
    """Does a path from the root of a site lead somewhere from one of the folders around the document?"""
    folders = document.split("/")[:-1][:_MAX_FOLDER_DEPTH]
    return any(tree.exists(normpath("/".join(folders[:depth]) + named)) for depth in range(1, len(folders) + 1))


_MAX_FOLDER_DEPTH = 20
"""Folders around a document in which a site may begin."""
_EMOJI_VARIATION_SELECTOR = "\ufe0f"
"""Says that the sign before it is to be shown in colours; GitHub keeps it in an anchor and drops the sign."""
