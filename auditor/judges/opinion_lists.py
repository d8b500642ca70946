"""Opinions and abstentions of all judges on all criteria, from policies and from answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.domain import (
    Abstention,
    Cause,
    CodeLocation,
    Criterion,
    Evidence,
    Opinion,
    Persona,
    Rubric,
    Scope,
    Side,
    State,
    assess_expectations,
)
from auditor.judges.embedded_bench import form_opinion
from auditor.judges.recorded_answers import AnswerRecord


def policy_opinions(
    rubric: Rubric,
    criteria: Iterable[Criterion],
    evidence: tuple[Evidence, ...],
    scope: Scope,
    advice: Mapping[str, str],
) -> tuple[Opinion, ...]:
    """What the personas' written policies say where a model may see nothing, as of claims against facts."""
    said = (
        form_opinion(
            persona,
            each,
            tuple(one for one in assess_expectations(each, evidence, scope) if one.state is not State.NOT_APPLICABLE),
            advice,
        )
        for each in criteria
        for persona in rubric.personas
    )
    return tuple(each for each in said if isinstance(each, Opinion))


def cited_files(evidence: Evidence, path: str) -> Iterable[tuple[str, Side]]:
    """The files of the evidence, or the one that is named, each with its side."""
    for each in evidence.locations:
        if isinstance(each, CodeLocation) and path in ("", each.path):
            yield each.path, each.side


def sort_opinions(rubric: Rubric, opinions: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """By criterion, then by persona, as the rubric lists them."""
    criteria = {each.id: number for number, each in enumerate(rubric.criteria)}
    personas = {each.id: number for number, each in enumerate(rubric.personas)}
    return tuple(sorted(opinions, key=lambda each: (criteria[each.criterion], personas[each.judge])))


def make_abstentions(
    personas: Iterable[Persona], criteria: Iterable[Criterion], cause: Cause, reason: str
) -> tuple[Abstention, ...]:
    """An abstention of every persona on every one of some criteria."""
    return tuple(
        Abstention(judge=persona.id, criterion=each.id, cause=cause, reason=reason)
        for each in criteria
        for persona in personas
    )


def unanswered(records: Iterable[AnswerRecord]) -> tuple[Abstention, ...]:
    """Judges without a usable answer, on everything they were asked."""
    return tuple(
        Abstention(judge=one.answer.judge, criterion=criterion, cause=one.answer.cause, reason=one.answer.reason)
        for one in records
        if one.answer.cause is not None
        for criterion in one.answer.criteria
    )
