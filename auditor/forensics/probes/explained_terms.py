"""Whether architecture reports explain the terms of the rubric."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import ConfigDict

from auditor.domain import Fact, Frozen, Location, ProbeData, Term
from auditor.forensics.agent_systems.system_report_types import AgentSystem, GraphData
from auditor.forensics.documents.passages import SENTENCE_BREAK, Document, Passage, PassageKind
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.documents.unread_reports import unread_report_facts
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import PythonModules, Tree
from auditor.forensics.source_text.file_roles import is_code
from auditor.lazy_regex import lazy_compile

_MIN_WORDS = 25
"""Words that a passage needs to define something and say how it works."""
_MIN_WORDS_WITHOUT_CODE = 50
"""Words that a passage needs when it names no code."""
_NUMBER = lazy_compile(r"\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+[A-Z]")
_PASSAGES = 4
_WORDS = lazy_compile(r"\w+")
_IDENTIFIER = lazy_compile(r"\b[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?")
_CAPTION = lazy_compile(r"^(?:table|figure|fig\.)\s*\d", re.IGNORECASE)


class TermData(Frozen):
    """How often a term is in the text proper, whether it is explained, and where."""

    occurrences: int
    explained: bool
    locations: tuple[str, ...]


class Terms(ProbeData):
    """Terms by their id in the rubric."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    terms: dict[str, TermData]


@dataclass(frozen=True)
class _Explanation:
    document: Document
    passage: Passage
    sure: float
    because: str
    depth: int = 0
    """Characters before the term: an explanation begins with what it explains."""


@probe("docs.terms_explained")
def terms_explained(reports: Reports, modules: PythonModules, tree: Tree, system: AgentSystem) -> Iterator[Fact]:
    """Are the rubric's terms explained, not only named?

    Counts: a passage that names the term and has at least 25 words and a name from the code, or else 50 words in three sentences. Does
    not count: summaries, contents, captions, a list of terms, a heading alone, or a term in a diagram. Whether an explanation is
    correct is not judged.

    Say for each term what it means here, how the system does it, and in which function or file.
    """
    if not reports.terms:
        yield not_applicable("The rubric lists no terms to explain.")
        return
    readable = [document for document in reports.documents if document.passages]
    yield from unread_report_facts(reports)
    if not readable:
        return
    names = _names(modules, tree, system)
    data: dict[str, TermData] = {}
    explanations: dict[str, _Explanation] = {}
    dropped: list[Location] = []
    for term in reports.terms:
        mentions = [
            (document, number) for document in readable for number in _mentions(document, term, reports.summaries)
        ]
        tried = [_explained(document, number, term, reports, names) for document, number in mentions]
        best = max(
            (each for each in tried if each is not None), key=lambda each: (each.sure, -each.depth), default=None
        )
        in_text = [
            (document, document.passages[number])
            for document, number in mentions
            if document.passages[number].kind is not PassageKind.HEADING
        ]
        data[term.id] = TermData(
            occurrences=len(in_text),
            explained=best is not None,
            locations=tuple(document.place_of(passage) for document, passage in in_text[:50]),
        )
        if best is not None:
            explanations[term.id] = best
        else:
            dropped += [document.at(passage) for document, passage in in_text[:3]]
    share = round(len(explanations) / len(reports.terms), 4)
    if len(explanations) == len(reports.terms):
        weakest = min(explanations.values(), key=lambda each: each.sure)
        yield found(
            f"All {len(reports.terms)} terms are explained.",
            at=[each.document.at(each.passage) for each in explanations.values()],
            confidence=weakest.sure,
            because=weakest.because,
            measure=1.0,
            data=Terms(terms=data),
        )
        return
    yield not_found(
        _unexplained_text(reports.terms, data),
        at=[*dropped, *(each.document.at(each.passage) for each in explanations.values())],
        confidence=0.8,
        because="passages were judged by the code they name and their length, not by their meaning",
        measure=share,
        data=Terms(terms=data),
    )


def _unexplained_text(terms: tuple[Term, ...], data: Mapping[str, TermData]) -> str:
    """A sentence about how many terms are explained, and which others are only named or missing."""
    known = [term for term in terms if data[term.id].explained]
    named = [term.title for term in terms if not data[term.id].explained and data[term.id].occurrences]
    unnamed = [term.title for term in terms if not data[term.id].explained and not data[term.id].occurrences]
    if not known and not named:
        return f"The reports name none of the {len(terms)} terms that the rubric asks for: {', '.join(unnamed)}."
    said = [
        f"{len(known) or 'None'} of {len(terms)} terms that the rubric asks for {'is' if len(known) < 2 else 'are'} explained"
    ]
    if named:
        said.append(f"{', '.join(named)} {'is' if len(named) == 1 else 'are'} only named")
    if unnamed:
        said.append(f"{', '.join(unnamed)} {'is' if len(unnamed) == 1 else 'are'} missing")
    return f"{'; '.join(said)}."


def _mentions(document: Document, term: Term, summaries: tuple[str, ...]) -> Iterator[int]:
    """Passages that name a term. Contents and summaries name everything and explain nothing."""
    pattern = _pattern(term.variants)
    for number, passage in enumerate(document.passages):
        if (
            passage.kind in (PassageKind.CONTENTS, PassageKind.CODE)
            or _is_summary(passage.heading, summaries)
            or _CAPTION.match(passage.text)
        ):
            continue
        if pattern.search(passage.text):
            yield number


def _pattern(variants: Iterable[str]) -> re.Pattern[str]:
    """Variants with any blank, hyphen or slash between their words; word limits only where words have them."""
    forms = []
    for variant in variants:
        words = [re.escape(word) for word in re.split(r"[\s/_-]+", variant.strip()) if word]
        form = r"[\s/&_\u2010-\u2015-]{1,4}".join(words)
        forms.append(rf"(?<![A-Za-z0-9]){form}(?![A-Za-z0-9])")
    return lazy_compile("|".join(forms), re.IGNORECASE)


def _is_summary(heading: str, summaries: tuple[str, ...]) -> bool:
    spoken = heading.lower()
    return any(each.lower() in spoken for each in summaries)


def _explained(
    document: Document, number: int, term: Term, reports: Reports, names: frozenset[str]
) -> _Explanation | None:
    """The explanation that starts at a passage, if one does: a definition, a mechanism, and code that exists."""
    passage = document.passages[number]
    section = _section(document, number)
    text = " ".join(each.text for each in section)
    if passage.kind is PassageKind.HEADING and not section:
        return None
    if passage.kind is not PassageKind.HEADING and _only_listed(passage.text, term, reports.terms):
        return None
    words = len(_WORDS.findall(text))
    sentences = sum(len(SENTENCE_BREAK.split(each.text)) for each in section if each.kind is not PassageKind.CODE)
    code = _named_identifiers(section, names)
    shown = passage if passage.kind is not PassageKind.HEADING else section[0]
    named = _pattern(term.variants).search(passage.text)
    depth = 0 if named is None or passage.kind is PassageKind.HEADING else named.start()
    if code and words >= _MIN_WORDS:
        sure = 0.85 if len(code) > 1 else 0.75
        return _Explanation(document, shown, sure, "whether the explanation is correct was not judged", depth)
    if words >= _MIN_WORDS_WITHOUT_CODE and sentences >= 3:
        return _Explanation(document, shown, 0.6, "the passage names no existing code", depth)
    return None


def _section(document: Document, number: int) -> list[Passage]:
    """A passage and what belongs to it: the next ones, until a heading."""
    first = document.passages[number]
    start = number + 1 if first.kind is PassageKind.HEADING else number
    section: list[Passage] = []
    for passage in document.passages[start : start + 3 * _PASSAGES]:
        if len(section) == _PASSAGES:
            break
        if passage.kind is PassageKind.HEADING and _is_inline_heading(passage, first):
            continue
        if passage.kind in (PassageKind.HEADING, PassageKind.CONTENTS):
            if first.kind is PassageKind.HEADING or (passage.kind is PassageKind.HEADING and section):
                break
            continue
        if first.kind is PassageKind.ITEM and section and passage.kind is PassageKind.ITEM:
            break  # an item of a list explains itself
        section.append(passage)
    return section


def _is_inline_heading(heading: Passage, first: Passage) -> bool:
    """Is an apparent heading only a word set apart, within a numbered section?"""
    return heading.page is not None and _NUMBER.match(first.heading) is not None and _NUMBER.match(heading.text) is None


def _only_listed(text: str, term: Term, terms: tuple[Term, ...]) -> bool:
    """Does every sentence that names the term also name several others and say little more?"""
    own = _pattern(term.variants)
    for sentence in SENTENCE_BREAK.split(text):
        if not own.search(sentence):
            continue
        others = sum(bool(_pattern(each.variants).search(sentence)) for each in terms if each.id != term.id)
        if others < 2 or len(_WORDS.findall(sentence)) > 12 * (others + 1):
            return False
    return True


def _named_identifiers(section: list[Passage], names: frozenset[str]) -> set[str]:
    """Identifiers in the passages that occur in the code."""
    known: set[str] = set()
    for passage in section:
        for words in _IDENTIFIER.findall(passage.text[:5000]):
            last = words.removesuffix("()").rpartition(".")[2]
            looks_like_code = (
                "_" in words
                or "." in words
                or words.endswith("()")
                or bool(re.search(r"[a-z][A-Z]", words))
                or words in passage.marked
            )
            if looks_like_code and last in names:
                known.add(last)
    return known


def _names(modules: PythonModules, tree: Tree, system: AgentSystem) -> frozenset[str]:
    """Names that the code defines or imports, names of files, and nodes of graphs."""
    names: set[str] = set()
    for shape in modules.head.values():
        names.update(each.name for each in shape.functions)
        names.update(each.qualname.rpartition(".")[2] for each in shape.classes)
        names.update(attribute for each in shape.classes for attribute in each.attributes)
        names.update(shape.names)
        for imported in shape.imports:
            names.update((imported.name, imported.qualified_name.rpartition(".")[2]))
            if imported.qualified_name == "operator":
                names.update(("add", "ior"))
            if "langgraph" in imported.qualified_name:
                names.update(("add_edge", "add_node", "add_conditional_edges", "compile"))
    for path in tree.head:
        if is_code(path):
            stem, _, suffix = path.rpartition("/")[2].rpartition(".")
            names.update((stem, suffix))
    for judged_ in system.answers.get("swarm.graph", ()):
        if isinstance(judged_.data, GraphData):
            names.update(judged_.data.nodes)
    return frozenset(each for each in names if len(each) > 1)
