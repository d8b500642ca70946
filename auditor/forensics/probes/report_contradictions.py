"""What reports claim that the code contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ConfigDict

from auditor.domain import Fact, Frozen, Location, ProbeData
from auditor.english_counts import pluralize
from auditor.forensics.agent_systems.graph_topology import is_chain, topology_of_data
from auditor.forensics.agent_systems.system_report_types import (
    AgentSystem,
    GraphData,
    OutputsData,
    ProbeAnswer,
    StateData,
    SynthesisData,
)
from auditor.forensics.documents.passages import SENTENCE_BREAK, Document, Passage, PassageKind
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.documents.unread_reports import unread_report_facts
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found, unavailable
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Tree
from auditor.forensics.source_text.file_roles import is_code, is_test
from auditor.forensics.source_text.rubric_phrase_patterns import pattern
from auditor.lazy_regex import lazy_compile

_FILE = lazy_compile(r"[\w./\\-]+\.(?:py|tsx?|jsx?|mjs|md|pdf|docx|txt|json|ya?ml|toml|png|svg|jpe?g)\b")
_OF_PLANS = lazy_compile(
    r"\b(?:future|roadmap|next steps?|planned|todo|backlog|remediations?|recommend(?:ation|ed)s?|limitations?|(?:known|open|remaining) (?:issues|gaps|work)|gaps|forward plan|(?:action|improvement) (?:plan|items?)|areas for improvement|priority areas|(?:help|contributions?) wanted|how to (?:help|contribute)|contributing|wish ?list|ideas)\b"
    r"|ausblick|maßnahmen|einschränkungen|próximos pasos|limitaciones|mejoras|próximos passos|limitações|melhorias|prochaines étapes|prossimi passi|下一步|改进|今後",
    re.IGNORECASE,
)
"""Headings of what is planned or missing."""
_TASK = lazy_compile(
    r"[\W_]{0,12}(?:p\d\W{1,6})?(?:remediation|address|issue|priority \d|todo|fix)?\W{0,6}(?:add|improve|implement|introduce|verify|ensure|refactor|consider|apply|extend|review|address)\b"
    r"|.{0,300}?\baction\W{0,3}:\s",
    re.IGNORECASE,
)
"""How a task begins, which asks for something that is not done yet."""


class ContradictedClaim(Frozen):
    """A claim, where it is, and the fact that speaks against it."""

    claim: str
    place: str
    fact: str


class Contradictions(ProbeData):
    """All claims that the code contradicts."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    claims: tuple[ContradictedClaim, ...]


@dataclass(frozen=True)
class _ContradictingFact:
    """What would be claimed, and the fact that contradicts it."""

    claim: str
    fact: str
    sure: float


@dataclass(frozen=True)
class _ClaimPatterns:
    """The patterns of claims that facts contradict, and the patterns of denials."""

    contradicted: tuple[tuple[re.Pattern[str], _ContradictingFact], ...]
    denied: re.Pattern[str]
    negated: re.Pattern[str]


@probe("docs.claims_contradicted")
def claims_contradicted(reports: Reports, tree: Tree, system: AgentSystem) -> Iterator[Fact]:
    """Does a report make claims that the code contradicts?

    Counts: a claim of a kind that the rubric has words for, compared with facts that are certain: parallel work in a linear graph,
    structured output, a deterministic score, a temporary clone, reducers, a retry, tests. Does not count: a sentence that denies it, a
    task, a plan, or a file name.

    Change the sentence or the code. Say what the system does today, and separately what is planned.
    """
    readable = [document for document in reports.documents if document.passages]
    yield from unread_report_facts(reports)
    if not readable:
        return
    if not reports.claims:
        yield not_applicable("The rubric lists no claims to check.")
        return
    against = list(_contradicting_facts(tree, system))
    told = _ClaimPatterns(
        tuple((pattern(reports.claims[each.claim]), each) for each in against if each.claim in reports.claims),
        pattern(reports.denials),
        pattern(reports.negations),
    )
    contradicted: list[tuple[ContradictedClaim, Location, float]] = []
    for document in readable:
        for passage in document.passages:
            if passage.kind in (PassageKind.PARAGRAPH, PassageKind.ITEM, PassageKind.TABLE) and not _OF_PLANS.search(
                passage.heading
            ):
                for claim, sure in _find_contradictions(document, passage, told):
                    contradicted.append((claim, document.at(passage, claim.claim), sure))
    if contradicted:
        yield found(
            f"The code contradicts {pluralize(len(contradicted), 'claim')} of the reports. In fact, {'; '.join(sorted({claim.fact for claim, *_ in contradicted}))}.",
            at=[place for _, place, _ in contradicted],
            confidence=min(sure for *_, sure in contradicted),
            because="claims were recognised by their wording",
            data=Contradictions(claims=tuple(claim for claim, *_ in contradicted)),
        )
    elif system.failed and not against:
        yield unavailable(f"The code could not be analysed, so no claim was checked: {system.failed}.")
    else:
        yield not_found(
            "The code contradicts no claim of the reports.",
            confidence=0.75,
            because="only known kinds of claims were checked",
        )


def _find_contradictions(
    document: Document, passage: Passage, patterns: _ClaimPatterns
) -> Iterator[tuple[ContradictedClaim, float]]:
    for sentence in SENTENCE_BREAK.split(passage.text[:20_000]):
        spoken = _FILE.sub(" ", sentence)  # a name of a file claims nothing
        claimed = [each for words, each in patterns.contradicted if _is_claimed(spoken, words, patterns.negated)]
        if claimed and not patterns.denied.search(sentence) and not _TASK.match(sentence):
            for each in claimed:
                place = document.place_of(passage)
                yield ContradictedClaim(claim=sentence[:300].strip(), place=place, fact=each.fact), each.sure


def _is_claimed(sentence: str, words: re.Pattern[str], negated: re.Pattern[str]) -> bool:
    """Is something claimed, and not denied in the same part of the sentence? Words that are alone only name it."""
    found = words.search(sentence)
    if found is None or not _LETTER.search(words.sub("", sentence)):
        return False
    begins = max((each.end() for each in _PART_BEGINS.finditer(sentence, 0, found.start())), default=0)
    ends = _PART_ENDS.search(sentence, found.end())
    return negated.search(sentence, begins, ends.start() if ends else len(sentence)) is None


_LETTER = lazy_compile(r"\w")
_PART_BEGINS = lazy_compile(r"[:;\uff1a\uff1b]|\s[-\u2013\u2014]\s")
_PART_ENDS = lazy_compile(
    r"[:;\uff1a\uff1b]|\s[-\u2013\u2014]\s|\bso\b(?! far\b)|\bbecause\b"
    r"|,?\sand\s(?:so|do|does|cannot|can|never|no|nothing|nobody|none|without)\b|,\s(?:not|never|no|nothing|nobody|none|neither|nor|without)\b",
    re.IGNORECASE,
)
"""Where another part of a sentence begins: what it denies is something else than what stood before."""


def _contradicting_facts(tree: Tree, system: AgentSystem) -> Iterator[_ContradictingFact]:
    """What the code is surely not, with the claim that would say it is."""
    yield from _graph_facts(system)
    yield from _model_facts(system)
    for probe_id, claim, fact in (
        ("code.clone_in_temporary_directory", "temporary_clone", "the clone is not in a temporary directory"),
        ("swarm.reducers", "reducers", "fields that parallel nodes write have no reducer"),
        ("swarm.output_retry", "retry", "invalid output is not retried"),
    ):
        answers = system.answers.get(probe_id, ())
        if answers and all(each.answer is False and each.confidence >= 0.8 for each in answers):
            yield _ContradictingFact(claim, fact, 0.8)
    states = system.answers.get("swarm.state", ())
    if states and all(_has_no_reducers(each) for each in states):
        yield _ContradictingFact("uses_reducers", "no field of the state has a reducer", 0.8)
    code = [path for path in tree.head if is_code(path)]
    if code and not any(is_test(path) for path in code):
        yield _ContradictingFact("tested", "there are no tests", 0.85)


def _graph_facts(system: AgentSystem) -> Iterator[_ContradictingFact]:
    """What the graphs are surely not, and what no code that was followed to its end does."""
    judged = [(each, each.data) for each in system.answers.get("swarm.graph", ()) if isinstance(each.data, GraphData)]
    running = [data for _, data in judged if not data.dead]
    if not running or min(each.confidence for each, _ in judged) < 0.8:
        return
    if all(
        not each.fan_out and not each.beside and (each.linear or is_chain(topology_of_data(each))) for each in running
    ):
        yield _ContradictingFact("parallel", "the graph is linear", 0.85)
    clones = system.answers.get("code.clone_in_temporary_directory", ())
    followed = clones and not system.unread and all(".py:" in each.builder for each in running)
    if followed and all(each.answer is None and not each.unanswered for each in clones):
        yield _ContradictingFact("cloning", "the code clones no repository", 0.7)


def _model_facts(system: AgentSystem) -> Iterator[_ContradictingFact]:
    """What is surely not done with the answers of models."""
    for outputs in system.answers.get("swarm.structured_output", ()):
        if (
            isinstance(outputs.data, OutputsData)
            and (outputs.data.method == "manual_parse" or (outputs.data.method == "none" and outputs.data.calls))
            and not outputs.data.bound_elsewhere
            and outputs.confidence >= 0.7
        ):
            yield _ContradictingFact("structured_output", "model answers are parsed by hand", 0.8)
    for synthesis in system.answers.get("swarm.synthesis", ()):
        if (
            isinstance(synthesis.data, SynthesisData)
            and synthesis.data.model_sets_scores
            and synthesis.confidence >= 0.7
        ):
            yield _ContradictingFact("deterministic", "a model sets the final scores", 0.8)


def _has_no_reducers(state: ProbeAnswer) -> bool:
    """Was a state followed to all its fields, of which none has a reducer?"""
    return (
        isinstance(state.data, StateData)
        and state.confidence >= 0.8
        and not state.data.unresolved
        and bool(state.data.fields)
        and all(each.reducer == "none" for each in state.data.fields.values())
    )
