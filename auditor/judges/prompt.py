"""What a judge reads: rules, criteria, evidence, role. The same tree gives the same bytes, however it is framed.

Of foreign origin there are only statements, paths, quotes and data of the evidence. Each stands on one line behind a
mark, with secrets taken out and unseen characters written out, between tags whose name comes from a digest of what they
enclose. Of history and of what the author claims nothing is shown at all, since whatever is found there depends on how the
change is framed; what else depends on commits is shown without their number, order and ids.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from auditor import packaged_files
from auditor.domain import (
    NO_DOSSIER,
    CodeLocation,
    CommitLocation,
    Criterion,
    DocumentLocation,
    Dossier,
    Evidence,
    Exhibit,
    Expect,
    Omission,
    Outcome,
    Packing,
    Persona,
    Scope,
    Side,
)
from auditor.domain.glob_patterns import matches_any
from auditor.judges.evidence_selection import PromptEvidence, PromptPlace, select_evidence
from auditor.report.exhibit_text import exhibits_text
from auditor.report.prompt_text import (
    REDACTED_LINE,
    estimate_tokens,
    indented,
    replace_reserved_brackets,
    sanitize,
)
from auditor.report.secret_redaction import redact

if TYPE_CHECKING:
    import jinja2

_HIDDEN_PROBES = ("claims.", "history.")
"""Probes whose very answer is the author's to choose, by words, dates or how the work is cut: a model sees nothing of them."""
_COMMIT_PROBES = ("secrets.",)
"""Probes that look into commits for what they hold."""
_PLACE_KEYS = frozenset({"sites", "secrets"})
"""Data that lists the places once more, secrets with marks made of commits."""
_COMMIT_ID = re.compile(r"\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b")
"""A commit's id depends on who wrote it, when and with what words."""
_COMMIT_COUNT = re.compile(r"[\d,]+ commits? and [\d,]+ versions? of files")


@dataclass(frozen=True)
class Material:
    """What all judges read alike: the rules, and criteria with evidence. It is the prefix that a cache can keep."""

    system: str
    text: str
    packing: Packing
    too_small: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of the rules and the material."""
        return hashlib.sha256(f"{self.system}\0{self.text}".encode("utf-8", errors="surrogatepass")).hexdigest()


def build_material(
    criteria: Sequence[Criterion],
    evidence: Iterable[Evidence],
    scope: Scope,
    advice: Mapping[str, str],
    *,
    budget: int,
    instructions: str = "",
    dossier: Dossier = NO_DOSSIER,
    never_send: tuple[str, ...] = (),
) -> Material:
    """The common part of all prompts, with as many places of the evidence as `budget` tokens hold.

    `instructions` are the base side's own words. They and the rubric are trusted; nothing of the head is.
    """
    asked = {each.probe for criterion in criteria for each in criterion.evidence if is_visible_to_judges(each.probe)}
    relevant = sorted(_drop_redundant([each for each in evidence if each.probe in asked]), key=_evidence_order)
    broken = {(each.probe, each.outcome) for each in relevant} & _breaking_outcomes(criteria)
    change = exhibits_text(dossier.exhibits)
    readers = [each.id for each in criteria if each.documents]
    documents = exhibits_text(dossier.documents) if readers else ""
    packed = select_evidence([_to_prompt_evidence(each, never_send) for each in relevant], criteria, budget)
    return Material(
        system=_template("system.md.j2").render(with_change=bool(dossier.exhibits), with_documents=bool(documents)),
        text=_template("criteria_and_evidence.md.j2").render(
            criteria=[_visible_criterion(each) for each in criteria],
            advice={probe: sanitize(text) for probe, text in advice.items() if probe in {each for each, _ in broken}},
            scope=scope,
            instructions=instructions.strip(),
            change=change,
            change_fence=fence_id(change),
            documents=documents,
            documents_for=f"`{'`, `'.join(readers)}`",
            documents_fence=fence_id(documents),
            not_shown=[_spoken_omission(each) for each in dossier.omissions],
            evidence=packed.text,
            fence=fence_id(packed.text),
            left_out=packed.packing.places - packed.packing.shown,
            places=packed.packing.places,
        ),
        packing=packed.packing,
        too_small=packed.too_small,
    )


def _spoken_omission(omission: Omission) -> str:
    """A part of the change that judges do not see, in one line."""
    lines = f", lines {omission.start} to {omission.end}" if omission.start is not None else ""
    return f"{sanitize(omission.path)}{lines} ({omission.reason.value.replace('_', ' ')})"


def render_votes(objections: str, *, only_votes: bool) -> str:
    """The objections that a judge votes on, for its turn in the second round."""
    return _template("votes.md.j2").render(objections=objections, fence=fence_id(objections), only_votes=only_votes)


def render_requested_code(served: Sequence[Exhibit]) -> str:
    """The code that judges asked to see, the same for all who vote; empty when there is none."""
    shown = exhibits_text(served)
    return _template("requested_code.md.j2").render(shown=shown, fence=fence_id(shown)) if served else ""


def render_role(persona: Persona, criteria: Iterable[str], *, reads_change: bool = False) -> str:
    """What one judge alone reads, after the material: who it is and what it is asked."""
    name = f"personas/{persona.id}.md.j2"
    known = (packaged_files.templates() / "judges" / name).is_file()
    return _template(name if known else "personas/other_persona.md.j2").render(
        persona=persona, criteria=", ".join(criteria), reads_change=reads_change
    )


def render_picture_rules() -> str:
    """The rules for a model that looks at pictures."""
    return _template("picture_questions.md.j2").render()


def render_rehearing(
    files: Mapping[str, str | None], budget: int, secret_lines: Mapping[str, Collection[int]] | None = None
) -> str:
    """The full source of what a judge cited, for the re-hearing; whole files, as many as the budget holds.

    `secret_lines` names lines by file, counted from 1, in which a probe has seen a secret: of those nothing is shown.
    """
    texts: list[str] = []
    used = missing = 0
    for path, content in files.items():
        text = "" if content is None else _number_lines(path, content, (secret_lines or {}).get(path, ()))
        if content is None or used + estimate_tokens(text) > budget:
            missing += 1
            continue
        texts.append(text)
        used += estimate_tokens(text)
    sources = "\n".join(texts)
    return _template("rehearing.md.j2").render(sources=sources, fence=fence_id(sources), missing=missing)


def _number_lines(path: str, content: str, secret_lines: Collection[int]) -> str:
    kept = (
        REDACTED_LINE if number in secret_lines else replace_reserved_brackets(line)
        for number, line in enumerate(content.split("\n"), 1)
    )
    lines = redact("\n".join(kept)).removesuffix("\n").split("\n")
    return "\n".join(
        [
            f"P| {sanitize(replace_reserved_brackets(path))}",
            *(f"{number}| {indented(line)}" for number, line in enumerate(lines, 1)),
        ]
    )


def fence_id(text: str) -> str:
    """A number from the digest of the text, so that nothing inside can name it; the same text has the same."""
    digest = hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
    while digest[:24] in text:
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:24]


def is_visible_to_judges(probe: str) -> bool:
    """May a model see what this probe found?"""
    return not probe.startswith(_HIDDEN_PROBES)


def visible_statement(evidence: Evidence) -> str:
    """The statement as a judge sees it, without how many commits the same tree took."""
    said = sanitize(evidence.statement)
    return _COMMIT_COUNT.sub("the commits and files", said) if evidence.probe.startswith(_COMMIT_PROBES) else said


def _visible_criterion(criterion: Criterion) -> Criterion:
    """The criterion without the expectations that judges do not see."""
    kept = tuple(each for each in criterion.evidence if is_visible_to_judges(each.probe))
    return criterion if len(kept) == len(criterion.evidence) else criterion.model_copy(update={"evidence": kept})


def _drop_redundant(evidence: Sequence[Evidence]) -> Iterable[Evidence]:
    """The evidence without answers of `not applicable` that are beside another answer of the same probe."""
    answered = {each.probe for each in evidence if each.outcome is not Outcome.NOT_APPLICABLE}
    told: set[str] = set()
    for each in evidence:
        if each.outcome is not Outcome.NOT_APPLICABLE or each.probe not in answered | told:
            told.add(each.probe)
            yield each


def _breaking_outcomes(criteria: Iterable[Criterion]) -> set[tuple[str, Outcome]]:
    """Probes with the outcome that breaks an expectation: where advice is of use."""
    return {
        (each.probe, Outcome.FOUND if each.expect is Expect.NOT_FOUND else Outcome.NOT_FOUND)
        for criterion in criteria
        for each in criterion.evidence
    }


def _evidence_order(evidence: Evidence) -> tuple[str, int]:
    return evidence.probe, int(evidence.id.rpartition("#")[2])


def _to_prompt_evidence(evidence: Evidence, never_send: tuple[str, ...]) -> PromptEvidence:
    marks = [evidence.outcome.value]
    if evidence.confidence < 1:
        marks.append(f"confidence {evidence.confidence:.2f}")
    if evidence.measure is not None:
        marks.append(f"share {evidence.measure:.2f}")
    if evidence.introduced is not None:
        marks.append("new" if evidence.introduced else "old")
    if evidence.in_tests:
        marks.append("about tests")
    if evidence.second_look is not None:
        marks.append(f"a second way of looking {evidence.second_look.value}")
    if evidence.waived:
        marks.append(f"waived for {' and '.join(evidence.waived)}")
    lines = [f"[{evidence.id}] {', '.join(marks)}", f"S| {visible_statement(evidence)}"]
    if evidence.confidence_reason:
        lines.append(f"W| {sanitize(evidence.confidence_reason)}")
    return PromptEvidence(evidence, "\n".join(lines), tuple(_prompt_places(evidence, never_send)))


def _prompt_places(evidence: Evidence, never_send: tuple[str, ...]) -> Iterable[PromptPlace]:
    for number, each in enumerate(evidence.locations, 1):
        if not isinstance(each, CommitLocation):
            place = each.model_copy(update={"quote": ""}) if matches_any(each.path, never_send) else each
            yield PromptPlace(evidence.id, number, each.path, _render_place(place))
        elif each.quote:
            yield PromptPlace(evidence.id, number, "", f"P in the history|\nQ| {sanitize(each.quote)}")
    told = {} if evidence.data is None else evidence.data.model_dump(mode="json")
    if told and not told.keys() <= _PLACE_KEYS:
        data = json.dumps(told, sort_keys=True, ensure_ascii=False)
        yield PromptPlace(
            evidence.id, len(evidence.locations) + 1, "", f"D| {_COMMIT_ID.sub('(commit)', sanitize(data))}"
        )


def _render_place(place: CodeLocation | DocumentLocation) -> str:
    if isinstance(place, DocumentLocation):
        where = f"page {place.page}"
    else:
        lines = _render_lines(place)
        where = f"{lines}, before" if place.side is Side.BASE else lines
    quote = f"\nQ| {sanitize(place.quote)}" if place.quote else ""
    return f"P {where}| {sanitize(place.path)}{quote}"


def _render_lines(place: CodeLocation) -> str:
    if place.start is None:
        return "whole file"
    return f"line {place.start}" if place.end in (None, place.start) else f"lines {place.start} to {place.end}"


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(packaged_files.templates() / "judges"),
        autoescape=False,  # noqa: S701 - the reader is a model: foreign text is made harmless by `shown`
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        undefined=jinja2.StrictUndefined,
    )


def _template(name: str) -> jinja2.Template:
    return _environment().get_template(name)
