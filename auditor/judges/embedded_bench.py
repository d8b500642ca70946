"""The bench that asks no model: each persona is a written scoring policy, and its words come from the evidence.

The same evidence always gives the same opinions. One function serves all personas; how they differ
(what they make of doubt, of partial work, of silence) is the rubric's data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.domain import (
    NO_DOSSIER,
    Abstention,
    Cause,
    Citation,
    CodeLocation,
    CommitLocation,
    Counts,
    Credit,
    Criterion,
    Dossier,
    Evidence,
    Exhibit,
    Expect,
    HearingRecord,
    Opinion,
    Persona,
    Policy,
    Rounding,
    Rubric,
    Scope,
    Severity,
    Standing,
    State,
    Step,
    assess_rubric,
)
from auditor.domain.english_lists import first_few
from auditor.judges.bench_interface import Hearing, SourceReader
from auditor.rule_pages import finding_text

if TYPE_CHECKING:
    from auditor.judges.image_classification import PictureFinder
    from auditor.synthesis import Dispute, MergedObjection

_MAX_DETAILED = 3
"""Broken expectations that an argument describes in full; the rest are counted."""
_MAX_PLACES = 2


class EmbeddedBench:
    """Scores by the rubric's written policies. No model, no network, no key."""

    name = "embedded"

    def __init__(self, note: str = "") -> None:
        """`note` says in a sentence why no model is asked, where somebody may have expected one."""
        self._note = note

    def exhibit_tokens(self, rubric: Rubric) -> None:  # noqa: ARG002 - a bench is asked so
        """None: without a model nobody reads."""
        return

    def hear(
        self,
        rubric: Rubric,
        evidence: tuple[Evidence, ...],
        scope: Scope,
        advice: Mapping[str, str],
        dossier: Dossier = NO_DOSSIER,  # noqa: ARG002 - without a model nobody reads
    ) -> Hearing:
        """One opinion or abstention of every persona on every criterion that applies."""
        standings = assess_rubric(rubric, evidence, scope)
        said = [form_opinion(*each, advice) for each in _asked(rubric, standings)]
        return _hearing(said, self._note)

    def look(self, evidence: tuple[Evidence, ...], pictures: PictureFinder) -> tuple[Evidence, ...]:  # noqa: ARG002 - a bench is asked so
        """The same evidence: without a model nobody looks at pictures."""
        return evidence

    def rehear(
        self,
        hearing: Hearing,
        disputes: tuple[Dispute, ...],  # noqa: ARG002 - a bench is asked so
        source: SourceReader,  # noqa: ARG002
        objections: tuple[MergedObjection, ...] = (),  # noqa: ARG002
        served: tuple[Exhibit, ...] = (),  # noqa: ARG002
    ) -> Hearing:
        """The same opinions: a policy would say the same again. Their citations are checked by the synthesis."""
        return hearing


def hear_scores(rubric: Rubric, standings: Mapping[str, tuple[Standing, ...]]) -> Hearing:
    """The hearing of the embedded bench without arguments and remediation: all that a verdict rests on."""
    return _hearing([score_opinion(*each) for each in _asked(rubric, standings)])


def _asked(
    rubric: Rubric, standings: Mapping[str, tuple[Standing, ...]]
) -> Iterator[tuple[Persona, Criterion, tuple[Standing, ...]]]:
    """Who is asked about what: every persona about every criterion that applies."""
    for criterion in rubric.criteria:
        stand = tuple(each for each in standings[criterion.id] if each.state is not State.NOT_APPLICABLE)
        if stand:
            yield from ((persona, criterion, stand) for persona in rubric.personas)


def _hearing(said: Sequence[Opinion | Abstention], note: str = "") -> Hearing:
    return Hearing(
        tuple(each for each in said if isinstance(each, Opinion)),
        tuple(each for each in said if isinstance(each, Abstention)),
        record=HearingRecord(note=note),
    )


@dataclass(frozen=True)
class CreditedExpectation:
    """An expectation with the credit that a persona gives it, from 0 to 1."""

    standing: Standing
    credit: float

    @property
    def is_met(self) -> bool:
        """Does it earn full credit?"""
        return self.credit >= 1.0


@dataclass(frozen=True)
class _Weighing:
    """What a persona makes of the expectations of a criterion."""

    counted: tuple[CreditedExpectation, ...]
    violations: tuple[CreditedExpectation, ...]
    """The most severe first."""
    limited: int | None
    score: int

    @property
    def broken(self) -> list[Standing]:
        """The violations that evidence speaks of."""
        return [each.standing for each in self.violations if each.standing.evidence]


def form_opinion(
    persona: Persona, criterion: Criterion, stand: tuple[Standing, ...], advice: Mapping[str, str]
) -> Opinion | Abstention:
    """One persona's opinion on one criterion; an abstention where nothing is known."""
    if _is_dark(stand):
        return _abstain(persona, criterion)
    weighed = _weigh(persona.policy, stand)
    return Opinion(
        judge=persona.id,
        criterion=criterion.id,
        score=weighed.score,
        argument=_write_argument(persona, stand, weighed),
        citations=_make_citations(stand, weighed),
        remediation=tuple(step for each in weighed.broken for step in _make_steps(each, advice)),
    )


def score_opinion(persona: Persona, criterion: Criterion, stand: tuple[Standing, ...]) -> Opinion | Abstention:
    """The same opinion without argument and remediation."""
    if _is_dark(stand):
        return _abstain(persona, criterion)
    weighed = _weigh(persona.policy, stand)
    citations = _make_citations(stand, weighed)
    return Opinion(judge=persona.id, criterion=criterion.id, score=weighed.score, argument="", citations=citations)


def _is_dark(stand: tuple[Standing, ...]) -> bool:
    return all(each.state is State.UNKNOWN for each in stand)


def _abstain(persona: Persona, criterion: Criterion) -> Abstention:
    return Abstention(
        judge=persona.id,
        criterion=criterion.id,
        cause=Cause.UNAVAILABLE,
        reason="None of the evidence this criterion rests on could be gathered.",
    )


def _weigh(policy: Policy, stand: tuple[Standing, ...]) -> _Weighing:
    counted = tuple(
        CreditedExpectation(each, credit) for each in stand if (credit := _credit_for(policy, each)) is not None
    )
    violations = tuple(
        sorted(
            (each for each in counted if not each.is_met and each.standing.state is State.UNMET), key=_severity_order
        )
    )
    limited = policy.severe_limit if any(_is_severe(each) for each in violations) else None
    score = _score(policy, counted, limited)
    if policy.doubt is Counts.AS_SURE:
        softened = tuple(_soften_doubtful(policy, each) for each in counted)
        score = max(score, min(_score(policy, softened, limited), _MAX_SCORE_IN_DOUBT))
    return _Weighing(counted, violations, limited, score)


def _make_citations(stand: tuple[Standing, ...], weighed: _Weighing) -> tuple[Citation, ...]:
    """One for each violation; without any, one for each of the first expectations."""
    cited = weighed.broken or [each for each in stand if each.evidence][:_MAX_DETAILED]
    return tuple(_make_citation(each.evidence[0]) for each in cited)


def _credit_for(policy: Policy, standing: Standing) -> float | None:
    """What an expectation earns; None when the persona leaves it out."""
    if standing.state is State.UNKNOWN:
        return _credit_by_policy(policy.unknown, None)
    if standing.confidence < policy.doubt_below and policy.doubt not in {Counts.AS_SEEN, Counts.AS_SURE}:
        return _credit_by_policy(policy.doubt, 0.0)
    if standing.state is State.MET:
        return 1.0
    if policy.partial is Credit.NONE:
        return 0.0
    if policy.partial is Credit.GENEROUS and standing.measure is not None and not _is_severe_fault(standing):
        share = standing.measure if standing.expectation.expect is Expect.FOUND else 1.0 - standing.measure
        return min(max(standing.credit, share), 0.9)
    return standing.credit


def _soften_doubtful(policy: Policy, counted: CreditedExpectation) -> CreditedExpectation:
    """The same with more credit for a doubtful fault; what is missing gets no more."""
    standing = counted.standing
    is_fault = standing.state is State.UNMET and standing.expectation.expect is Expect.NOT_FOUND
    if not is_fault or standing.confidence >= policy.doubt_below:
        return counted
    return CreditedExpectation(standing, 1.0 - standing.confidence * (1.0 - counted.credit))


_MAX_SCORE_IN_DOUBT = 4
"""The highest score for what may well be broken."""


def _is_severe_fault(standing: Standing) -> bool:
    """Is it a severe fault? That it is in one place of many does not excuse it: one way in is enough."""
    return standing.expectation.severity.is_severe and standing.expectation.expect is Expect.NOT_FOUND


def _credit_by_policy(counts: Counts, as_seen: float | None) -> float | None:
    return {Counts.MET: 1.0, Counts.UNMET: 0.0, Counts.IGNORED: None, Counts.AS_SEEN: as_seen}[counts]


def _score(policy: Policy, counted: Sequence[CreditedExpectation], limited: int | None) -> int:
    weight = sum(each.standing.expectation.weight for each in counted)
    share = sum(each.credit * each.standing.expectation.weight for each in counted) / weight if weight else 0.0
    exact = round(1 + 4 * share, 6)
    rounded = {
        Rounding.DOWN: math.floor(exact),
        Rounding.NEAREST: math.floor(exact + 0.5),
        Rounding.UP: math.ceil(exact),
    }
    score = min(max(rounded[policy.rounding], 1), 5)
    if policy.slight_floor is not None and all(_is_slight(each) for each in counted if not each.is_met):
        score = max(score, policy.slight_floor)
    if limited is not None:
        score = min(score, limited)
    if score == 1 and policy.spare_the_one and share > 0:
        return 2
    return score


def _is_severe(counted: CreditedExpectation) -> bool:
    return counted.credit == 0 and counted.standing.expectation.severity.is_severe


def _is_slight(counted: CreditedExpectation) -> bool:
    """Is it known to be broken, and only of low severity? What is in the dark is not known to be slight."""
    return counted.standing.state is State.UNMET and counted.standing.expectation.severity is Severity.LOW


def _severity_order(counted: CreditedExpectation) -> tuple[float, float, str]:
    """Sort key: the most severe first, then by the weight lost."""
    expectation = counted.standing.expectation
    return (-expectation.severity.rank, -expectation.weight * (1 - counted.credit), expectation.probe)


def _write_argument(persona: Persona, stand: tuple[Standing, ...], weighed: _Weighing) -> str:
    voice, counted, violations, limited = persona.voice, weighed.counted, weighed.violations, weighed.limited
    met = sum(each.is_met for each in counted)
    sentences = [voice.opening.format(met=met, counted=len(counted), score=weighed.score)]
    for each in violations[:_MAX_DETAILED]:
        form = voice.credited if each.credit > 0 else voice.broken
        sentences.append(
            form.format(
                seen=_statement(each.standing),
                where=_places_sentence(each.standing),
                doubt=_confidence_note(each.standing),
            )
        )
    if len(violations) > _MAX_DETAILED:
        sentences.append(voice.more.format(count=len(violations) - _MAX_DETAILED))
    dark = [each for each in stand if each.state is State.UNKNOWN]
    unknown = [*dark, *(each.standing for each in counted if not each.is_met and each.standing.state is State.MET)]
    if not violations and not unknown:
        best = max(
            (each for each in counted if each.standing.evidence and each.standing.state is State.MET),
            key=lambda each: each.standing.expectation.weight,
            default=None,
        )
        if best is not None:
            sentences.append(voice.clean.format(seen=_statement(best.standing)))
    forgiven = [each.standing for each in counted if each.is_met and each.standing.state is State.UNMET]
    doubted = [*unknown, *forgiven][:_MAX_DETAILED]
    sentences += [voice.unknown.format(question=_probe_topic(each.expectation.probe)) for each in doubted]
    if limited is not None and voice.limit:
        sentences.append(voice.limit.format(limit=limited))
    return " ".join(" ".join(sentences).split())


def _probe_topic(probe: str) -> str:
    """The topic of a probe in words: `swarm.output_retry` is about “output retry”."""
    return f"“{probe.rpartition('.')[2].replace('_', ' ')}”"


def _statement(standing: Standing) -> str:
    return f"{standing.evidence[0].statement.rstrip('.')}." if standing.evidence else ""


def _places_sentence(standing: Standing) -> str:
    places = [place for each in standing.evidence for place in each.locations]
    if not places:
        return ""
    return f"See {first_few([each.spoken for each in places], _MAX_PLACES)}."


def _confidence_note(standing: Standing) -> str:
    sure = standing.evidence[0] if standing.evidence else None
    if sure is None or sure.confidence >= 1.0:
        return ""
    return f" (Confidence {sure.confidence:.0%}: {sure.confidence_reason}.)"


def _make_citation(evidence: Evidence) -> Citation:
    """The first words that are at a place of the evidence; without any, its statement."""
    place = next((each for each in evidence.locations if each.quote), None)
    if place is None:
        return Citation(evidence=evidence.id, quote=evidence.statement)
    return Citation(
        evidence=evidence.id,
        quote=place.quote,
        path="" if isinstance(place, CommitLocation) else place.path,
        line=place.start if isinstance(place, CodeLocation) else None,
    )


def _make_steps(standing: Standing, advice: Mapping[str, str]) -> list[Step]:
    """What to try for the first finding, and for each other one that needs something else."""
    first, *others = [_make_step(each, advice) for each in standing.evidence]
    return [first, *(each for each in others if each.change != first.change)]


def _make_step(seen: Evidence, advice: Mapping[str, str]) -> Step:
    place = next((each for each in seen.locations if isinstance(each, CodeLocation)), None)
    special = finding_text(seen.probe, seen.statement, place.path if place else "").advice
    change = special or advice.get(seen.probe, "")
    return Step(path=place.path if place else "", change=change, evidence=seen.id)
