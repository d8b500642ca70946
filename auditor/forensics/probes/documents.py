"""Whether documentation speaks of what is there."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from posixpath import normpath
from typing import Any

from auditor.domain import Fact, FileChange
from auditor.forensics.compatibility import definitions_before
from auditor.forensics.facts import counted, found, lines, not_applicable, not_found, some
from auditor.forensics.inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.mentions import PLANNED, PLANNING, is_output, path_in, stands
from auditor.forensics.outline import Class, Function
from auditor.forensics.probe import probe
from auditor.forensics.roles import Role, is_example, is_expected_output, role

_MARKDOWN = ("*.md", "**/*.md", "*.markdown", "**/*.markdown")
_MAX_DEPTH = 40
MAX_MARKDOWN = 300_000
"""Characters of a document that is parsed; the largest among the code bases looked at has half of that."""
MAX_BRACKETS = 8_000
MAX_MENTIONS = 1_000
_CONTEXT = 400
_LONG_LINE = 20_000
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\[(*])|\n\s*(?:[-*+]|\d+[.)])\s|\|")
_HISTORY = re.compile(
    r"(?:^|/)(?:changelog|changes|history|news|release[-_ ]?notes|releases)[^/]*\.(?:md|markdown)$", re.IGNORECASE
)


@dataclass(frozen=True)
class _Mention:
    path: str
    line: int
    text: str
    context: str
    heading: str = ""


@probe("docs.paths_exist", reads=_MARKDOWN)
def paths_exist(change: Change | None, documents: Documents, tree: Tree) -> Iterator[Fact]:
    """Does the documentation name files that are not there?

    Correct the path, or say plainly that the file is planned.
    """
    mentions = [
        mention
        for path, text in sorted(documents.head.items())
        if not _HISTORY.search(path) and not is_expected_output(path)
        for mention in islice(_mentions(path, text), MAX_MENTIONS)
        if _counts(change, path, mention.line)
    ]
    if not mentions:
        yield not_applicable("No document in scope names a file of the repository.")
        return
    missing = [mention for mention in mentions if not stands(mention.text, mention.path, tree)]
    wrong = [
        mention
        for mention in missing
        if not PLANNED.search(mention.context)
        and not PLANNING.search(mention.heading)
        and not is_output(mention.text, tree)
    ]
    if not wrong:
        planned = f"; {len(missing)} more are announced, historical or made by tools" if missing else ""
        yield not_found(f"{len(mentions) - len(missing)} paths named in documents exist{planned}.")
        return
    yield found(
        f"{_of(len(wrong), len(mentions), 'path')} named in documents {'does' if len(wrong) == 1 else 'do'} not exist: {some(dict.fromkeys(each.text for each in wrong))}.",
        at=[lines(mention.path, mention.line, mention.line, quote=mention.text) for mention in wrong],
        confidence=0.75,
        because="a path may be meant for another repository or be made at run time",
        measure=round(len(wrong) / len(mentions), 4),
        introduced=None if change is None else True,
    )


def _of(part: int, whole: int, thing: str) -> str:
    return f"The only {thing}" if whole == 1 else f"{part:,} of {whole:,} {thing}s"


def _counts(change: Change | None, path: str, line: int) -> bool:
    """Is a line in question: any line of a whole tree, those that the change wrote otherwise?"""
    return change is None or line in _written(change, path)


@lru_cache(maxsize=256)
def _written_by(file: FileChange) -> frozenset[int]:
    return frozenset(file.added_lines())


def _written(change: Change, path: str) -> frozenset[int]:
    file = change.by_path.get(path)
    return frozenset() if file is None else _written_by(file)


def _mentions(path: str, text: str) -> Iterator[_Mention]:
    source = text.split("\n")
    headings = [number for number, line in enumerate(source) if line.startswith("#")]
    for token, line in _inline_tokens(text):
        if token.type != "code_inline":
            continue
        named = path_in(token.content)
        if named is None:
            continue
        number = _line_of(source, line, token.content)
        above = bisect_left(headings, number)
        heading = source[headings[above - 1]][:_CONTEXT] if above else ""
        yield _Mention(path, number, named, _sentence_around(source, number, token.content), heading)


def _sentence_around(source: list[str], number: int, words: str) -> str:
    """The sentence, list item or table cell in which words stand on a line; it may begin a line earlier and end one later."""
    before = "" if number < 2 or not source[number - 2].strip() else source[number - 2][-_CONTEXT:]
    line = source[number - 1][:_LONG_LINE]
    after = source[number][:_CONTEXT] if number < len(source) and source[number].strip() else ""
    joined = f"{before}\n{line}\n{after}"
    at = joined.find(words, len(before))
    if at < 0:
        return line[:_CONTEXT]
    starts = [found.end() for found in _SENTENCE.finditer(joined, 0, at)]
    end = _SENTENCE.search(joined, at + len(words))
    return joined[starts[-1] if starts else 0 : end.start() if end else len(joined)][: 3 * _CONTEXT]


def _line_of(source: list[str], start: int, words: str) -> int:
    """The line (from 1) on which words stand, in the paragraph that starts at `start` (from 0)."""
    for offset, line in enumerate(source[start : start + 50]):
        if words in line[:_LONG_LINE]:
            return start + offset + 1
    return start + 1


def _too_tangled(text: str) -> bool:
    """Would parsing take longer than any honest document asks for? Brackets cost the parser the most."""
    return len(text) > MAX_MARKDOWN or text.count("[") > MAX_BRACKETS or text.count("`") > MAX_BRACKETS


def _inline_tokens(text: str) -> Iterator[tuple[Any, int]]:
    """Every inline token and the line (from 0) where its paragraph starts; nothing for text too tangled to parse."""
    from markdown_it import MarkdownIt

    if _too_tangled(text):
        return
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_DEPTH}).enable("table")
    for block in parser.parse(text):
        if block.type == "inline" and block.children:
            for child in block.children:
                yield child, block.map[0] if block.map else 0


@probe("docs.links_resolve", reads=_MARKDOWN)
def links_resolve(change: Change | None, documents: Documents, tree: Tree) -> Iterator[Fact]:
    """Do links between documents lead nowhere?

    Correct the target; a link to a heading uses its text in lower case with hyphens.
    """
    examined, broken = 0, []
    anchors = {path: _anchors(text) for path, text in documents.head.items()}
    for path, text in sorted(documents.head.items()):
        if is_expected_output(path):
            continue
        source = text.split("\n")
        for token, line in _inline_tokens(text):
            target = _target(token)
            if target is None:
                continue
            number = _line_of(source, line, target)
            if not _counts(change, path, number):
                continue
            examined += 1
            if not _leads_somewhere(path, target, tree, anchors):
                broken.append(lines(path, number, number, quote=target[:200]))
    if not examined:
        yield not_applicable("No document in scope links to a place in the repository.")
    elif broken:
        yield found(
            f"{_of(len(broken), examined, 'link')} inside the repository {'leads' if len(broken) == 1 else 'lead'} nowhere: {some(dict.fromkeys(each.quote for each in broken))}.",
            at=broken,
            confidence=0.85,
            because="a site generator may resolve links in its own way",
            measure=round(len(broken) / examined, 4),
            introduced=None if change is None else True,
        )
    else:
        yield not_found(f"All {examined} links inside the repository lead somewhere.")


def _target(token: Any) -> str | None:
    raw = (
        token.attrGet("href") if token.type == "link_open" else token.attrGet("src") if token.type == "image" else None
    )
    if (
        not isinstance(raw, str)
        or not raw
        or re.match(r"^(?:[a-z][a-z0-9+.-]*:|//|/)", raw, re.IGNORECASE)
        or "{" in raw
    ):
        return None
    return raw


def _leads_somewhere(path: str, target: str, tree: Tree, anchors: dict[str, frozenset[str]]) -> bool:
    from urllib.parse import unquote

    named, _, anchor = target.partition("#")
    named = unquote(named.partition("?")[0])
    place = normpath(f"{path.rpartition('/')[0]}/{named}").lstrip("/") if named else path
    if named and place != "." and not tree.exists(place):
        return place.startswith("..")  # out of the repository: GitHub's own pages, not to be judged
    if not anchor or place not in anchors or re.match(r"^L\d+", anchor):
        return True
    return unquote(anchor).lower() in anchors[place]


_EXPLICIT = re.compile(
    r"<a\s[^>]{0,200}?(?:id|name)\s*=\s*[\"']([^\"'>]{1,200})[\"']|\{#([\w-]{1,100})\}|\sid=[\"']([^\"'>]{1,200})[\"']",
    re.IGNORECASE,
)


def _anchors(text: str) -> frozenset[str]:
    """Anchors of a document: GitHub's for its headings (numbered when repeated), and explicit ones."""
    from markdown_it import MarkdownIt

    names: set[str] = {next(filter(None, groups)).lower() for groups in _EXPLICIT.findall(text)}
    seen: dict[str, int] = {}
    if _too_tangled(text):
        return frozenset(names)
    blocks = MarkdownIt("commonmark", {"maxNesting": _MAX_DEPTH}).parse(text)
    for heading, inline in pairwise(blocks):
        if heading.type == "heading_open":
            spoken = "".join(child.content for child in inline.children or () if child.type in {"text", "code_inline"})
            slug = re.sub(r"[^\w\- ]", "", spoken.strip().lower()).replace(" ", "-")
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            names.add(slug if count == 0 else f"{slug}-{count}")
    return frozenset(names)


@probe("docs.public_docstrings")
def public_docstrings(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Are there public functions and classes without a docstring?

    Say in a sentence what it does for its caller; add what it returns and raises where that is not plain.
    """
    examined = 0
    bare: list[tuple[str, Function | Class]] = []
    before = {} if change is None else definitions_before(modules)
    for path, shape in sorted(modules.head.items()):
        if role(path) is not Role.PRODUCT or not path.endswith(".py") or is_example(path):
            continue
        written = None if change is None else _written(change, path)
        definitions: tuple[Function | Class, ...] = (*shape.functions, *shape.classes)
        for each in definitions:
            if not each.public or each.nested or each.qualname.rpartition(".")[2].startswith("__") or _needs_none(each):
                continue
            if written is not None and each.line not in written:
                continue
            old = before.get((path, each.qualname)) or before.get(("", each.qualname))
            if not each.documented and old is not None and not old.documented:
                continue  # the change touched its line for another reason
            examined += 1
            if not each.documented:
                bare.append((path, each))
    if not examined:
        yield not_applicable("No public function or class is in scope.")
    elif bare:
        yield found(
            f"{counted(len(bare), examined, 'public definition')} without a docstring: {some(each.qualname for _, each in bare)}.",
            at=[lines(path, each.line, each.line, quote=each.qualname) for path, each in bare],
            measure=round(len(bare) / examined, 4),
            introduced=None if change is None else True,
        )
    else:
        yield not_found(f"Each of {examined:,} public functions and classes has a docstring.")


def _needs_none(definition: Function | Class) -> bool:
    """Overloads, overriding methods and setters are documented elsewhere."""
    return any(
        name.rpartition(".")[2] in {"overload", "override", "setter", "deleter"} for name in definition.decorators
    )
