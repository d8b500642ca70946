"""The gate: what was asked of the scores, and how each demand ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from auditor.domain import (
    CodeLocation,
    Conclusion,
    Expect,
    Gate,
    GatePolicy,
    GateReason,
    Objection,
    Rubric,
    Ruling,
    RulingStatus,
    Severity,
    Standing,
    State,
)
from auditor.domain.english_lists import first_few
from auditor.english_counts import by_count

_PRECEDENCE = (Conclusion.FAILED, Conclusion.INCONCLUSIVE, Conclusion.NOTHING_TO_JUDGE, Conclusion.PASSED)


def judge_gate(
    rubric: Rubric,
    policy: GatePolicy,
    rulings: Mapping[str, Ruling],
    overall: float | None,
    standings: Mapping[str, tuple[Standing, ...]],
    objections: Sequence[Objection] = (),
) -> Gate:
    """Every demand with its outcome. Failed outranks inconclusive outranks passed; a demand never disappears."""
    reasons = (
        *_check_overall(policy, overall),
        *_check_criteria(rubric, policy, rulings, objections),
        *_check_no_new(rubric, policy, rulings, standings),
        *_check_judged(rubric, rulings),
    )
    return make_gate(reasons)


def empty_gate(
    rubric: Rubric,
    policy: GatePolicy,
    rulings: Mapping[str, Ruling],
    standings: Mapping[str, tuple[Standing, ...]],
) -> Gate:
    """The gate of an empty change: every demand is listed, and none asks for a score that nobody gave."""
    overall = GateReason(
        demand="overall",
        conclusion=Conclusion.PASSED,
        threshold=policy.overall,
        sentence="There is no overall score, and none is asked of an empty change.",
    )
    judged = GateReason(
        demand="judged",
        conclusion=Conclusion.NOTHING_TO_JUDGE,
        actual=0.0,
        sentence="The audited content is the same at the merge base and at the head.",
    )
    return make_gate(
        (
            *([] if policy.overall is None else [overall]),
            *_check_criteria(rubric, policy, rulings),
            *_check_no_new(rubric, policy, rulings, standings),
            judged,
        )
    )


def make_gate(reasons: tuple[GateReason, ...]) -> Gate:
    """The gate with these demands: failed outranks inconclusive outranks all others."""
    outcomes = {each.conclusion for each in reasons}
    return Gate(conclusion=next((each for each in _PRECEDENCE if each in outcomes), Conclusion.PASSED), reasons=reasons)


def with_demand(gate: Gate, reason: GateReason) -> Gate:
    """The gate with one demand more, before the demand that all was judged."""
    *others, last = gate.reasons
    return make_gate((*others, reason, last) if last.demand == "judged" else (*gate.reasons, reason))


def _check_overall(policy: GatePolicy, overall: float | None) -> Iterator[GateReason]:
    threshold = policy.overall
    if threshold is None:
        return
    if overall is None:
        yield GateReason(
            demand="overall",
            conclusion=Conclusion.INCONCLUSIVE,
            threshold=threshold,
            sentence=f"There is no overall score to hold against {threshold:g}.",
        )
        return
    held = overall >= threshold
    yield GateReason(
        demand="overall",
        conclusion=Conclusion.PASSED if held else Conclusion.FAILED,
        threshold=threshold,
        actual=overall,
        sentence=f"The overall score {overall:.1f} is {'at least' if held else 'below'} {threshold:.1f}.",
    )


def _check_criteria(
    rubric: Rubric, policy: GatePolicy, rulings: Mapping[str, Ruling], objections: Sequence[Objection] = ()
) -> Iterator[GateReason]:
    for criterion in rubric.criteria:
        threshold = policy.criteria.get(criterion.id)
        if threshold is None:
            continue
        ruling = rulings[criterion.id]
        conclusion, sentence = _check_ruling(criterion.title, threshold, ruling, objections)
        yield GateReason(
            demand=f"criteria.{criterion.id}",
            conclusion=conclusion,
            threshold=threshold,
            actual=ruling.score if ruling.score is not None else ruling.status.value,
            sentence=sentence,
        )


def _check_ruling(
    title: str, threshold: float, ruling: Ruling, objections: Sequence[Objection]
) -> tuple[Conclusion, str]:
    if ruling.status is RulingStatus.INCONCLUSIVE:
        return Conclusion.INCONCLUSIVE, f"{title} could not be judged, so {threshold:.1f} is not reached."
    if ruling.score is None:
        return Conclusion.PASSED, f"{title} is {ruling.status.value.replace('_', ' ')}, so nothing is asked of it."
    if ruling.score >= threshold:
        return Conclusion.PASSED, f"{title} has {ruling.score:.1f}, at least {threshold:.1f}."
    cause = _defect_phrase(ruling, objections)
    return Conclusion.FAILED, f"{title} has {ruling.score:.1f}, below {threshold:.1f}{cause}."


def _defect_phrase(ruling: Ruling, objections: Sequence[Objection]) -> str:
    """The place of the most severe objection that holds the score down, if one does."""
    capping = {each.objection: each.cap for each in ruling.caps if each.objection}
    named = sorted((each for each in objections if each.id in capping), key=lambda each: capping[each.id])
    if not named:
        return ""
    more = f" and {len(named) - 1} more" if len(named) > 1 else ""
    return f", because judges see a defect in {named[0].path}:{named[0].start}{more}"


def _check_no_new(
    rubric: Rubric, policy: GatePolicy, rulings: Mapping[str, Ruling], standings: Mapping[str, tuple[Standing, ...]]
) -> Iterator[GateReason]:
    if policy.no_new is None:
        return
    found = [
        each
        for criterion in rubric.criteria
        if rulings[criterion.id].status is not RulingStatus.WAIVED
        for each in standings[criterion.id]
        if each.state is State.UNMET
        and each.expectation.expect is Expect.NOT_FOUND
        and each.expectation.severity.rank >= policy.no_new.rank
        and each.confidence >= rubric.rules.confirmed
    ]
    broken = sorted(found, key=lambda each: (-each.expectation.severity.rank, -each.confidence))
    named = ", ".join(dict.fromkeys(each.expectation.probe for each in broken))
    asked = _severity_phrase(policy.no_new)
    dark = _unanswered_expectations(rubric, policy.no_new, rulings, standings)
    if dark and not broken:
        yield GateReason(
            demand="no_new",
            conclusion=Conclusion.INCONCLUSIVE,
            threshold=policy.no_new.value,
            sentence=_open_question_sentence(asked, dark),
            evidence=tuple(dict.fromkeys(evidence.id for each in dark for evidence in each.unanswered)),
        )
        return
    yield GateReason(
        demand="no_new",
        conclusion=Conclusion.FAILED if broken else Conclusion.PASSED,
        threshold=policy.no_new.value,
        actual=named or None,
        sentence=_violation_sentence(rubric, broken, asked) if broken else f"Nothing of {asked} is confirmed.",
        evidence=tuple(dict.fromkeys(evidence.id for each in broken for evidence in each.evidence)),
    )


def _severity_phrase(severity: Severity) -> str:
    return "critical severity" if severity is Severity.CRITICAL else f"{severity.value} severity or above"


def _violation_sentence(rubric: Rubric, broken: list[Standing], asked: str) -> str:
    """What was seen that the gate allows none of, the most severe in words and with its places, then the names of all."""
    first = broken[0]
    seen = first.evidence[0]
    what = seen.statement.strip().rstrip(".")
    if len(what) > _LONG_STATEMENT and ": " in what:
        what = what.partition(": ")[0]  # the names behind it stand in the report
    places = [each.spoken for each in seen.locations]
    others = len(places) - 1
    elsewhere = f" and {others:,} other place{'s' if others > 1 else ''}" if others > 0 else ""
    where = f" in {places[0]}{elsewhere}" if places else ""
    probes = list(dict.fromkeys(each.expectation.probe for each in broken))
    sure = {each.id for standing in broken for each in standing.evidence if each.confidence >= rubric.rules.confirmed}
    more = len(sure - {seen.id})
    beside = f", and {more:,} more {by_count(more, 'finding', 'findings')} of {asked}" if more else ""
    return f"{what}{where}, severity {first.expectation.severity.value}{beside} ({', '.join(probes)})."


def _unanswered_expectations(
    rubric: Rubric, severity: Severity, rulings: Mapping[str, Ruling], standings: Mapping[str, tuple[Standing, ...]]
) -> list[Standing]:
    """Expectations of that severity whose probes could not answer, each probe once. A finding in doubt is no answer either."""
    dark = {
        each.expectation.probe: each
        for criterion in reversed(rubric.criteria)
        if rulings[criterion.id].status is not RulingStatus.WAIVED
        for each in reversed(standings[criterion.id])
        if (each.state is State.UNKNOWN or _is_in_doubt(rubric, each))
        and each.expectation.expect is Expect.NOT_FOUND
        and each.expectation.severity.rank >= severity.rank
    }
    return list(reversed(dark.values()))


def _is_in_doubt(rubric: Rubric, standing: Standing) -> bool:
    """Is there a finding that is not sure enough to count, beside what could not be looked into?"""
    return standing.state is State.UNMET and standing.confidence < rubric.rules.confirmed and bool(standing.unanswered)


_MAX_FILES = 2
_LONG_STATEMENT = 90
"""Characters of a statement from which the names that it ends with are left to the report."""


def _open_question_sentence(asked: str, dark: list[Standing]) -> str:
    """What could not be determined: what somebody must read, where lines leave the question open, else the unread files."""
    probes = ", ".join(each.expectation.probe for each in dark)
    lines = [
        (evidence.statement.partition(". ")[0].strip().rstrip("."), place.spoken)
        for each in dark
        for evidence in each.unanswered
        for place in evidence.locations
        if isinstance(place, CodeLocation) and place.start is not None
    ]
    if not lines:
        return f"Whether there is anything of {asked} could not be determined{_unread_files_phrase(dark)} ({probes})."
    statement, first = lines[0]
    others = len({place for _, place in lines}) - 1
    more = f" and {others:,} more line{'s' if others > 1 else ''}" if others else ""
    return f"Somebody must read {first}{more}: {statement} ({probes})."


def _unread_files_phrase(dark: list[Standing]) -> str:
    """The files that could not be read to the end, where it is they that leave the question open."""
    places = (place for each in dark for evidence in each.unanswered for place in evidence.locations)
    files = list(dict.fromkeys(place.path for place in places if isinstance(place, CodeLocation)))
    if not files:
        return ""
    named = " and ".join(files) if len(files) <= _MAX_FILES else first_few(files, _MAX_FILES)
    return f", as {named} could not be looked into in full"


def _check_judged(rubric: Rubric, rulings: Mapping[str, Ruling]) -> Iterator[GateReason]:
    """What nobody could judge never counts as passed."""
    lost = [
        criterion.title for criterion in rubric.criteria if rulings[criterion.id].status is RulingStatus.INCONCLUSIVE
    ]
    judged = sum(ruling.status is RulingStatus.JUDGED for ruling in rulings.values())
    waived = sum(ruling.status is RulingStatus.WAIVED for ruling in rulings.values())
    if lost:
        sentence = f"{len(lost)} of {len(rulings)} criteria could not be judged: {', '.join(lost)}."
    elif not judged:
        sentence = (
            "Nothing was judged: no criterion applies."
            if not waived
            else "Nothing was judged: every criterion that applies is waived."
        )
    else:
        sentence = f"{judged} of {len(rulings)} criteria were judged; none that applies was left open."
    yield GateReason(
        demand="judged",
        conclusion=Conclusion.INCONCLUSIVE if lost or not judged else Conclusion.PASSED,
        actual=float(judged),
        sentence=sentence,
    )
