"""The places within documents that links can lead to: headings, labels and what is named as such."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from auditor.forensics.documents.markdown_parser import MAX_DEPTH, is_too_complex
from auditor.forensics.probe_kit.probe_inputs import Tree
from auditor.lazy_regex import lazy_compile

_MAX_FOLDER_DEPTH = 20
"""Folders above a document in which a generator may be set up."""
_EXPLICIT_ANCHOR = lazy_compile(
    r"<(?:a|h[1-6]|div|span|p)\s[^>]{0,200}?(?:id|name)\s*=\s*[\"']([^\"'>]{1,200})[\"']|\{(?::[^{}#\n]{0,100})?#([\w-]{1,100})(?:\s[^{}\n]{0,100})?\}|\sid=[\"']([^\"'>]{1,200})[\"']",
    re.IGNORECASE,
)
_LABEL = lazy_compile(r"^\(([\w-]{1,100})\)=[ \t]{0,20}$", re.MULTILINE)
"""The label before a heading, by which all pages of a site can link to it."""
_GENERATED_CONTENT = lazy_compile(
    r"^[ \t]{0,20}(?::::[ \t]{1,9}(?:mkdocs-\w|\w{1,100}[.:]\w)|-{1,2}8<-|\{![^!\n]|\{%-?[ \t]{0,9}include|```\{include)|^import [^\n]{1,200}\.mdx?['\"]",
    re.MULTILINE,
)
"""What a generator puts other text in the place of: nobody can tell which headings come with it."""
_SINGLE_HYPHEN_GENERATORS = ("mkdocs.yml", "mkdocs.yaml", ".vitepress")
"""What lies in or above a folder of documents of which a generator makes pages with one hyphen in an anchor where GitHub makes several."""


@dataclass(frozen=True)
class Anchors:
    """The anchors of each document of which all are known, and the labels that stand for a place in any of them."""

    by_path: Mapping[str, frozenset[str]]
    labels: frozenset[str]

    def may_contain(self, path: str, anchor: str) -> bool:
        """Is there such a place in a document, as far as it is known?"""
        return path not in self.by_path or anchor in self.by_path[path] or anchor in self.labels


def anchors_of(documents: Mapping[str, str], label_sources: Mapping[str, str], tree: Tree) -> Anchors:
    """The anchors of these documents in Markdown, with the labels of those."""
    return Anchors(
        {path: _anchors(text, path, tree) for path, text in documents.items() if not _GENERATED_CONTENT.search(text)},
        frozenset(name.lower() for text in label_sources.values() for name in _LABEL.findall(text)),
    )


def _anchors(text: str, path: str, tree: Tree) -> frozenset[str]:
    """Anchors of a document: GitHub's for its headings (numbered when repeated), those of the generator that makes a page of it, and explicit ones."""
    from markdown_it import MarkdownIt

    names: set[str] = {next(filter(None, groups)).lower() for groups in _EXPLICIT_ANCHOR.findall(text)}
    seen: dict[str, int] = {}
    if is_too_complex(text):
        return frozenset(names)
    blocks = MarkdownIt("commonmark", {"maxNesting": MAX_DEPTH}).parse(text)
    for heading, inline in pairwise(blocks):
        if heading.type == "heading_open":
            spoken = "".join(child.content for child in inline.children or () if child.type in {"text", "code_inline"})
            slug = re.sub(r"[^\w\- ]", "", spoken.strip().lower()).replace(" ", "-")
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            names.add(slug if count == 0 else f"{slug}-{count}")
    if names and _uses_single_hyphens(path, tree):
        closer = {re.sub(r"-{2,}", "-", each).strip("-") for each in names}
        names |= closer | {re.sub(r"-(\d+)$", r"_\1", each) for each in closer}
    return frozenset(names)


def _uses_single_hyphens(path: str, tree: Tree) -> bool:
    folders = path.split("/")[:-1][:_MAX_FOLDER_DEPTH]
    above = ("/".join([*folders[:depth], ""]) for depth in range(len(folders) + 1))
    return any(tree.exists(folder + each) for folder in above for each in _SINGLE_HYPHEN_GENERATORS)
