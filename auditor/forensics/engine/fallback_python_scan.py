"""A second way to read Python that the running interpreter cannot parse: newer syntax, or a broken file.

Newer syntax that has exact words in this version is translated, and the file is read like any other. Otherwise tree-sitter
recovers from errors, so calls outside the broken stretch are still seen, and every answer is less sure, with the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.site_probe_scan import SitesByProbe, ask_site_probes, quote_line
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus, SeenSite
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.source_parsing import ParseFailure, parse_module, parse_source
from auditor.forensics.python.syntax_translation import Translation, parse_with_tree_sitter, translate_source
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.site_probe_types import Text

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_CONFIDENCE = 0.6
"""What an answer from a stretch of a broken file is worth."""
_MAX_STATEMENTS = 5000
_SEPARATE_STATEMENT_REASON = "the file as a whole could not be parsed; this statement was read on its own"
_SEPARATE_STATEMENTS_NOTE = "the other statements were read"
_OTHER_VERSION_REASON = "the file is written for another version of Python; it was translated before it was read"
_OTHER_VERSION_NOTE = "its statements of other versions were translated before they were read"


def scan_unparsed(
    text: Text,
    unparsed: ParseFailure,
    interest: Interest,
    sites: SitesByProbe,
    candidates: dict[str, int],
    failed: dict[str, str],
) -> FileRecord:
    """Read a file that this interpreter cannot parse: as a whole in its own syntax, or statement by statement.

    One whose translation is exact counts as read, with full confidence.
    """
    if not unparsed.broken:
        return FileRecord(ReadStatus.NONE, unparsed.reason, sites, candidates, failed)
    translated = translate_source(text.content)
    module = None if translated is None else _parse_translation(translated, text, interest)
    if module is not None and translated is not None and translated.is_exact:
        own, shape = _ask(module, interest, candidates, failed)
        sites.update({probe: tuple(_as_written(each, text) for each in seen) for probe, seen in own.items()})
        return FileRecord(ReadStatus.FULL, "", sites, candidates, failed, shape)
    because, read = (
        (_OTHER_VERSION_REASON, _OTHER_VERSION_NOTE)
        if module is not None
        else (_SEPARATE_STATEMENT_REASON, _SEPARATE_STATEMENTS_NOTE)
    )
    module = module or _parse_statements(text, interest)
    if module is None:
        return FileRecord(ReadStatus.NONE, unparsed.reason, sites, candidates, failed)
    own, _ = _ask(module, interest, candidates, failed)
    for probe, seen in own.items():
        sites[probe] = tuple(_lower_confidence(_as_written(each, text), because) for each in seen)
    return FileRecord(ReadStatus.PARTIAL, f"{unparsed.reason}; {read}", sites, candidates, failed)


def _ask(
    module: Module, interest: Interest, candidates: dict[str, int], failed: dict[str, str]
) -> tuple[SitesByProbe, Outline | None]:
    """What the probes see in a module, and its outline."""
    module.renamed, module.told = interest.renamed, interest.told
    sites: SitesByProbe = {}
    shape = ask_site_probes(module, interest, sites, candidates, failed)
    return sites, shape


def _as_written(seen: SeenSite, text: Text) -> SeenSite:
    """The site with the line as its author wrote it."""
    return SeenSite(seen.site, quote_line(text.lines, seen.site.line), seen.mark, repeats=seen.repeats)


def _lower_confidence(seen: SeenSite, because: str) -> SeenSite:
    confidence = min(seen.site.confidence, MAX_CONFIDENCE)
    reason = f"{seen.site.reason}; {because}" if seen.site.reason else because
    return SeenSite(
        replace(seen.site, confidence=confidence, reason=reason), seen.quote, seen.mark, repeats=seen.repeats
    )


def _parse_translation(translated: Translation, text: Text, interest: Interest) -> Module | None:
    module = parse_module(Text(translated.source, text.language), interest.kinds)
    return None if isinstance(module, ParseFailure) else module


def _parse_statements(text: Text, interest: Interest) -> Module | None:
    """A module made of the statements that parse on their own, each on its own lines; None when there is none."""
    body: list[ast.stmt] = []
    for start, statement in _statements(text.content):
        tree = parse_source(statement)
        if isinstance(tree, ParseFailure):
            translated = translate_source(statement)
            tree = parse_source(translated.source if translated is not None else "")
        if isinstance(tree, ParseFailure):
            continue
        ast.increment_lineno(tree, start) if start else None
        body.extend(tree.body)
    if not body:
        return None
    try:
        return Module(text, ast.Module(body=body, type_ignores=[]), interest.kinds)
    except (RecursionError, MemoryError):
        return None


def _statements(source: str) -> Iterator[tuple[int, str]]:
    """Row (from 0) and text of the statements that hold no error, outermost first."""
    raw = source.encode("utf-8", errors="replace")
    lines = source.split("\n")
    root = parse_with_tree_sitter(raw)
    waiting: list[Node] = [root] if root is not None else []
    for _ in range(_MAX_STATEMENTS):
        if not waiting:
            return
        node = waiting.pop()
        if node.has_error or node.type in {"module", "block"}:
            waiting.extend(reversed(node.children[:_MAX_STATEMENTS]))
            continue
        if not node.is_named or node.type == "comment":
            continue
        row, column = node.start_point
        text = raw[node.start_byte : node.end_byte].decode("utf-8", errors="replace")
        indent = lines[row][:column] if row < len(lines) else ""
        if indent.strip():
            continue
        yield row, _dedent(text, indent)


def _dedent(text: str, indent: str) -> str:
    if not indent:
        return text
    return "\n".join(line.removeprefix(indent) for line in text.split("\n"))
