"""Scripts in pages and components: `<script>` elements, the head of an Astro component, the scriptlets of templates.

What comes out has the lines of the file it came from: what is no script is left blank. Never says what a template does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.template_code import blanked, code_spans, template_of

_MAX_SCRIPTS = 2_000
"""Openings of script elements, and of scriptlets, that a page may have; of one with more, none is read."""
_OPENING = re.compile(r"<%|<\?|<jsp:|<script|@|\{\{|\{!!|#\{", re.IGNORECASE)
"""What opens a piece of code in a template."""
_MAX_TEMPLATE_LINES = 20_000
_TAG_NAME = re.compile(r"<script(?=[\s/>])", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"(?P<attributes>(?>(?:[^>\"']{1,500}+|\"[^\"]{0,500}+\"|'[^']{0,500}+'){0,20}))>")
_CLOSING_TAG = re.compile(r"</script", re.IGNORECASE)
_TYPE = re.compile(r"\btype\s*=\s*[\"']?(?P<type>[^\"'\s>]*)", re.IGNORECASE)
_TYPESCRIPT = re.compile(r"\blang\s*=\s*[\"']?tsx?\b|typescript", re.IGNORECASE)
_SCRIPT_TYPES = re.compile(
    r"^(?:|module|(?:text|application)/(?:x-)?(?:java|ecma|type|live)script|text/(?:babel|jsx|tsx)|ts|tsx)$",
    re.IGNORECASE,
)
"""Types of what a browser or a bundler runs; JSON, templates and import maps are data."""
_ASTRO_HEAD = re.compile(r"\s{0,200}---[^\S\n]*\n")
_ASTRO_HEAD_END = re.compile(r"^---", re.MULTILINE)
_SCRIPTLET = re.compile(r"<%(?P<kind>[%#=_-]?)")
_SCRIPTLET_END = re.compile(r"[-_]?%>")
_SCRIPTLET_MARKS = re.compile(r"<%#[^%]{0,2000}+%>|<%[=_-]?|[-_]?%>")
"""What is no script of a scriptlet inside a script element."""
_PHP_CODE = re.compile(r"<\?(?:php\s|=|\s)")
_PHP_PIECE = re.compile(r"<\?(?:(?P<prints>=|php\s+echo\b)|php\b)?[\s\S]{0,5000}?\?>")
"""A piece of PHP in a page: what it prints stands for a value of a script around it."""
_XML_DECLARATION = re.compile(
    r"<\?xml(?:\s{1,20}\w{1,20}\s{0,20}=\s{0,20}(?:\"[^\"<>?]{0,100}\"|'[^'<>?]{0,100}')){1,3}\s{0,20}\?>"
)
"""Text to PHP, whose grammar takes it for code; with short tags it would not compile."""


@dataclass(frozen=True, slots=True)
class EmbeddedScripts:
    """The scripts of a page as one source, and the language that reads them all."""

    source: str
    language: str
    unread: str = ""
    """Why scripts and page could not be separated; usually empty."""
    is_template: bool = False
    """Are they pieces of a template, which need not make sense on their own?"""


def extract_scripts(text: str, suffix: str) -> EmbeddedScripts | None:
    """The scripts of a page, each where it is; None where the file is no page, or holds none."""
    if suffix not in file_suffixes(FileKind.PAGE):
        template = template_of(text, suffix)
        if template is None:
            return None
        if sum(1 for _ in _OPENING.finditer(text)) > _MAX_SCRIPTS or text.count("\n") > _MAX_TEMPLATE_LINES:
            return EmbeddedScripts(
                "", template.language, "it contains more code than is read from one template", is_template=True
            )
        pieces = code_spans(text, template)
        members = {start: template.members for (start, _), are_members in pieces.items() if are_members}
        code = _blank_outside(text, _disjoint(list(pieces)), members, ends_lines=template.language == "ruby")
        return EmbeddedScripts(f"{template.before}{code}", template.language, is_template=True)
    if (
        sum(1 for _ in islice(_TAG_NAME.finditer(text), _MAX_SCRIPTS)) == _MAX_SCRIPTS
        or text.count("<%") > _MAX_SCRIPTS
    ):
        return EmbeddedScripts("", "javascript", "it contains more scripts than are read from one page")
    if suffix in file_suffixes(FileKind.SERVED):
        text = _PHP_PIECE.sub(lambda piece: f"{'0' if piece['prints'] else ' '}{blanked(piece[0][1:])}", text)
    spans = sorted({*_astro_head(text, suffix), *_scriptlets(text, suffix)})
    typed = bool(spans) and suffix == "astro"
    for start, end, is_typescript in _script_elements(text):
        spans.append((start, end))
        typed = typed or is_typescript
    if not spans:
        return None
    source = _blank_outside(text, _disjoint(sorted(spans)))
    if suffix == "ejs":
        source = _SCRIPTLET_MARKS.sub(lambda mark: blanked(mark[0]), source)
    return EmbeddedScripts(source, "typescript" if typed else "javascript")


def extract_php(text: str, suffix: str) -> EmbeddedScripts | None:
    """The whole of a page that holds code of PHP for a server to run; None for any other file."""
    if suffix not in file_suffixes(FileKind.SERVED) or _PHP_CODE.search(text) is None:
        return None
    return EmbeddedScripts(blank_xml_declarations(text), "php", is_template=True)


def blank_xml_declarations(text: str) -> str:
    """The text of a template with blanks for declarations of XML, which look like code of PHP."""
    return _XML_DECLARATION.sub(lambda found: blanked(found[0]), text)


def _script_elements(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where the texts of script elements begin and end, and whether they are TypeScript."""
    place = 0
    for named in _TAG_NAME.finditer(text):
        opened = _ATTRIBUTES.match(text, named.end()) if named.start() >= place else None
        if opened is None:
            continue
        closed = _CLOSING_TAG.search(text, opened.end())
        place = len(text) if closed is None else closed.start()
        attributes = opened["attributes"]
        kind = _TYPE.search(attributes)
        if _SCRIPT_TYPES.match(kind["type"] if kind else "") and text[opened.end() : place].strip():
            yield opened.end(), place, _TYPESCRIPT.search(attributes) is not None


def _astro_head(text: str, suffix: str) -> Iterator[tuple[int, int]]:
    opened = _ASTRO_HEAD.match(text) if suffix == "astro" else None
    if opened is not None:
        closed = _ASTRO_HEAD_END.search(text, opened.end())
        yield opened.end(), len(text) if closed is None else closed.start()


def _scriptlets(text: str, suffix: str) -> Iterator[tuple[int, int]]:
    """The code of scriptlets, comments and escaped tags left out."""
    place = 0
    while suffix == "ejs" and (opened := _SCRIPTLET.search(text, place)) is not None:
        closed = _SCRIPTLET_END.search(text, opened.end())
        place = len(text) if closed is None else closed.end()
        if opened["kind"] not in ("%", "#"):
            yield opened.end(), len(text) if closed is None else closed.start()


def _disjoint(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    place = 0
    for start, end in spans:
        if end > max(start, place):
            yield max(start, place), end
            place = end


def _blank_outside(
    text: str,
    spans: Iterator[tuple[int, int]],
    around: Mapping[int, Sequence[str]] = MappingProxyType({}),
    *,
    ends_lines: bool = True,
) -> str:
    """The text with blanks for what lies outside of some stretches, and an end of statement behind each; `around` some are more words.

    `ends_lines` says whether the end of a line is enough of an end.
    """
    kept: list[str] = []
    place = 0
    for start, end in spans:
        kept += [_blank(text[place:start], ends_lines=ends_lines), text[start:end].join(around.get(start, ("", "")))]
        place = end
    return "".join((*kept, _blank(text[place:], ends_lines=ends_lines)))


def _blank(gap: str, *, ends_lines: bool) -> str:
    """As many lines as the gap has, all blank, and a semicolon at its start, so that what is before it ends there."""
    if gap.startswith("\n"):
        return f"{'' if ends_lines else ';'}{blanked(gap)}"
    return f";{blanked(gap[1:])}" if gap else ""
