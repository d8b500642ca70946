"""Whether links between documents lead somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import normpath
from typing import NamedTuple

from auditor.domain import Fact
from auditor.english_counts import by_count
from auditor.forensics.documents import restructuredtext
from auditor.forensics.documents.link_anchors import anchors_of
from auditor.forensics.documents.link_targets import (
    EXTERNAL_TARGET,
    is_repository_target,
    names_missing_heading,
    target_exists,
    targets,
)
from auditor.forensics.documents.markdown_parser import MARKDOWN_PATTERNS, THIRD_PARTY_DOCUMENT, find_line
from auditor.forensics.documents.unchanged_documents import UnchangedDocuments
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, list_names, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, Tree
from auditor.forensics.source_text.file_roles import is_expected_output

_RESTRUCTURED = ".rst"
_LINKED = (*MARKDOWN_PATTERNS, f"*{_RESTRUCTURED}", f"**/*{_RESTRUCTURED}")


_NO_BYSTANDERS = UnchangedDocuments()


@probe("docs.links_resolve", reads=_LINKED)
def links_resolve(
    change: Change | None, documents: Documents, tree: Tree, bystanders: UnchangedDocuments = _NO_BYSTANDERS
) -> Iterator[Fact]:
    """Are links between documents broken?

    Counts: in Markdown a link to a file, folder or heading of the repository (from its root if it begins with a slash), in
    reStructuredText a link to a file, an image or an included file, and a link of another document to a file that the change removes.
    Does not count: a link to another site, which is never requested.

    Correct the target, or drop the link. The anchor of a heading is its text in lower case with hyphens.
    """
    anchors = anchors_of(_markdown({**bystanders.linked_texts, **documents.head}), _markdown(documents.head), tree)
    links = [each for each in _links(documents, tree) if change is None or each.line in change.added_lines(each.path)]
    broken = [each for each in links if not target_exists(each.path, each.target, tree, anchors)]
    left = list(_links_to_removed(bystanders))
    yield _links_fact(len(links) + len(left), [*broken, *left], change, tree)


class _Link(NamedTuple):
    """Where a link is, and where it leads."""

    path: str
    line: int
    target: str

    @property
    def quote(self) -> str:
        """What is shown of it."""
        return self.target[:200]


def _describe(broken: Sequence[_Link], tree: Tree) -> str:
    """The broken links, and which part of them is missing where it is the same for all."""
    names = list(dict.fromkeys(each.quote for each in broken))
    headings = {names_missing_heading(each.path, each.target, tree) for each in broken}
    missing = {frozenset({True}): "no such heading in the file", frozenset({False}): "no such file"}.get(
        frozenset(headings)
    )
    lead = "Broken link" if len(names) == 1 else f"{len(names):,} broken links"
    return f"{lead}{f' ({missing})' if missing else ''}: {list_names(names)}"


def _links_fact(examined: int, broken: Sequence[_Link], change: Change | None, tree: Tree) -> Fact:
    if not examined:
        return not_applicable("No document in scope links to a file of the repository.")
    if broken:
        return found(
            f"{_describe(broken, tree)}.",
            at=[code_location(each.path, each.line, each.line, quote=each.quote) for each in broken],
            confidence=0.85,
            because="a site generator may resolve links differently",
            measure=round(len(broken) / examined, 4),
            introduced=None if change is None else True,
        )
    links = "The only link" if examined == 1 else f"All {examined:,} links"
    return not_found(f"{links} inside the repository {by_count(examined, 'works', 'work')}.")


def _markdown(texts: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in texts.items() if not path.endswith(_RESTRUCTURED)}


def _links(documents: Documents, tree: Tree) -> Iterator[_Link]:
    """The links of documents that speak of a place in the repository."""
    for path, text in sorted(documents.head.items()):
        if is_expected_output(path):
            continue
        led = restructuredtext.targets(text) if path.endswith(_RESTRUCTURED) else targets(text)
        within = [(target, line) for target, line in led if is_repository_target(target, path, tree)]
        source = text.split("\n") if within else []
        for target, line in within:
            yield _Link(path, find_line(source, line, target), target)


def _links_to_removed(bystanders: UnchangedDocuments) -> Iterator[_Link]:
    """Links of unchanged documents to files and folders that the change removes."""
    from urllib.parse import unquote

    for path, text in sorted(bystanders.texts.items()):
        if is_expected_output(path) or THIRD_PARTY_DOCUMENT.search(path):
            continue
        source = text.split("\n")
        for target, line in targets(text):
            named = unquote(target.partition("#")[0].partition("?")[0])
            if not named or EXTERNAL_TARGET.match(target) or named.startswith("/"):
                continue
            if normpath(f"{path.rpartition('/')[0]}/{named}").lstrip("/") in bystanders.gone:
                yield _Link(path, find_line(source, line, target), target)
