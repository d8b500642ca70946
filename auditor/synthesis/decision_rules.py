"""The rules, one function each, tried in the order of `DECISION_RULES`; the first that applies decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor

from auditor.domain import (
    Criterion,
    KeptOpinion,
    Omission,
    Opinion,
    Rule,
    Ruling,
    RulingStatus,
    SetAside,
    Standing,
    Waiver,
)
from auditor.domain.english_lists import first_few
from auditor.synthesis.decision_case import Case, is_confirmed, persona_title
from auditor.synthesis.mean_score import one_decimal
from auditor.synthesis.ruling_dissent import add_dissent
from auditor.synthesis.score_caps import apply_caps


def rule_on(case: Case) -> Ruling:
    """The ruling by the first rule that applies, with the caps and the dissent."""
    ruling = next(found for rule in DECISION_RULES if (found := rule(case)) is not None)
    ruling = ruling.model_copy(update={"dropped": case.dropped}) if case.dropped else ruling
    if ruling.status not in (RulingStatus.JUDGED, RulingStatus.INCONCLUSIVE):
        return ruling
    return add_dissent(case, ruling if ruling.score is None else apply_caps(case, ruling))


def _not_applicable(case: Case) -> Ruling | None:
    if case.applicable:
        return None
    if case.reading is not None and (case.reading.has_exhibits or case.reading.omitted_share):
        return None
    if case.criterion.exhibits:
        return Ruling(
            criterion=case.criterion.id,
            status=RulingStatus.NOT_APPLICABLE,
            rule=Rule.NOT_APPLICABLE,
            sentence="Only a model that reads the change can judge this criterion, and none did.",
        )
    return Ruling(
        criterion=case.criterion.id,
        status=RulingStatus.NOT_APPLICABLE,
        rule=Rule.NOT_APPLICABLE,
        sentence="There is nothing here that this criterion looks at.",
    )


def _waived(case: Case) -> Ruling | None:
    if case.waiver is None:
        return None
    return waived_ruling(case.criterion, case.waiver).model_copy(update={"set_aside": case.set_aside})


def waived_ruling(criterion: Criterion, waiver: Waiver) -> Ruling:
    """The ruling on a criterion that a waiver of the base side names."""
    until = f" until {waiver.until}" if waiver.until else ""
    return Ruling(
        criterion=criterion.id,
        status=RulingStatus.WAIVED,
        rule=Rule.WAIVED,
        sentence=f"The base side waives this criterion{until}: {waiver.reason}",
    )


def _change_not_shown(case: Case) -> Ruling | None:
    """Judges who saw too little of a change cannot say that it is right."""
    limit = case.rubric.rules.objections.omitted_share
    if case.reading is None or case.reading.omitted_share <= limit:
        return None
    places = first_few([_spoken_place(each) for each in case.reading.omissions if each.product_lines], _MAX_PLACES)
    return _inconclusive_ruling(
        case,
        Rule.CHANGE_NOT_SHOWN,
        f"The judges saw {floor(round(100 * (1 - case.reading.omitted_share), 6))}% of the changed product lines, "
        f"and at least {1 - limit:.0%} are needed. Not shown: {places}.",
    )


def _reviewer_addressed(case: Case) -> Ruling | None:
    """What judges say of a change that talks to them is worth nothing, in either direction."""
    if case.reading is None or not case.reading.voided_by:
        return None
    first = case.reading.voided_by[0]
    place = next((f" at `{each.spoken}`" for each in first.locations), "")
    return _inconclusive_ruling(
        case,
        Rule.REVIEWER_ADDRESSED,
        f"The change speaks to its reviewers{place} ({first.id}), so opinions that rest on reading it do not count.",
    )


_MAX_PLACES = 5


def _spoken_place(omission: Omission) -> str:
    lines = f":{omission.start}-{omission.end}" if omission.start is not None else ""
    return f"`{omission.path}{lines}`"


def _quorum(case: Case) -> Ruling | None:
    needed = min(case.rubric.rules.quorum, len(case.rubric.personas))
    if len(case.opinions) >= needed:
        return None
    causes = [
        f"The {persona_title(case, each.judge)} gave none ({each.cause.value.replace('_', ' ')}: {each.reason.rstrip('.')})."
        for each in case.abstentions
    ]
    causes += [
        f"That of the {persona_title(case, each.judge)} was set aside ({each.reason})." for each in case.set_aside
    ]
    count = len(case.opinions)
    which = "No opinion counts" if not count else f"Only {count} opinion{' counts' if count == 1 else 's count'}"
    needs = f"{needed} {'is' if needed == 1 else 'are'} needed"
    return _inconclusive_ruling(case, Rule.QUORUM, " ".join([f"{which}, and {needs}.", *causes]))


def _security_override(case: Case) -> Ruling | None:
    """Only severe violations override.

    A security criterion also asks about lesser things (a digest used as a checksum, a file that could not be read). If
    any of them capped the score at 3, a weak checksum would look like code run from outside, and the prose around the
    score would have to explain the difference away; they weigh in by their scores and by the caps that the rubric names.
    """
    if not case.criterion.security:
        return None
    confirmed = [each for each in case.standings if is_confirmed(case, each) and each.expectation.severity.is_severe]
    if not confirmed:
        return None
    cap = case.rubric.rules.security_cap
    seen = _violation_sentence(confirmed)
    if case.arbiter is None:
        return _inconclusive_ruling(
            case,
            Rule.SECURITY_OVERRIDE,
            f"{seen} The rule needs the opinion of the {case.rubric.arbiter.title}, and it is missing.",
        )
    score = min(cap, case.arbiter.score)
    sentence = (
        f"{seen} The score is therefore at most {cap:g}, and no more than the "
        f"{case.rubric.arbiter.title}'s {case.arbiter.score}; praise cannot outweigh it."
    )
    return _judged_ruling(case, Rule.SECURITY_OVERRIDE, score, sentence, {case.arbiter.judge: 1.0})


def _violation_sentence(confirmed: Sequence[Standing]) -> str:
    """The most severe violation in words, and how many there are beside it. Names of probes say nothing to a reader."""
    first = min(confirmed, key=lambda each: (-each.expectation.severity.rank, -each.confidence))
    said = f"“{first.evidence[0].statement.strip().rstrip('.')}”" if first.evidence else first.expectation.probe
    others = len(confirmed) - 1
    return f"A violation is confirmed: {said}{f', and {others} more' if others else ''}."


def _fact_supremacy(case: Case) -> Ruling | None:
    above = case.rubric.rules.praise_above
    broken = [each for each in case.applicable if is_confirmed(case, each) and each.is_corroborated]
    if not broken or len(broken) < len(case.applicable):
        return None
    praise = [each for each in case.opinions if each.score > above]
    if not praise:
        return None
    aside = tuple(
        SetAside(
            judge=each.judge,
            score=each.score,
            reason="every expectation is confidently broken, and a second look agrees",
        )
        for each in praise
    )
    rest = tuple(each for each in case.opinions if each not in praise)
    left = Case(case.rubric, case.criterion, case.standings, rest, (*case.set_aside, *aside), case.abstentions)
    if not rest:
        return _inconclusive_ruling(
            left,
            Rule.FACT_SUPREMACY,
            f"Every opinion is above {above:g} although every expectation is broken; none is left to count.",
        )
    titles = ", ".join(persona_title(case, each.judge) for each in praise)
    weights = _normalize_weights(left, {each.judge: case.persona(each).weight for each in rest})
    return _judged_ruling(
        left, Rule.FACT_SUPREMACY, _weighted_mean(rest, weights),
        f"Every expectation is confidently broken and a second look agrees, so the score above {above:g} ({titles}) is set aside.", weights,
    )  # fmt: skip


def _functionality_weight(case: Case) -> Ruling | None:
    rules = case.rubric.rules
    arbiter = case.arbiter
    if not case.criterion.architecture or arbiter is None or arbiter.score < rules.functional_from:
        return None
    others = [each for each in case.opinions if each is not arbiter]
    spare = (1 - rules.functional_share) / len(others) if others else 0.0
    weights = _normalize_weights(
        case, {arbiter.judge: rules.functional_share, **{each.judge: spare for each in others}}
    )
    share = f"{weights[arbiter.judge]:.0%}"
    sentence = f"On architecture the {case.rubric.arbiter.title}'s {arbiter.score} shows that it works, so that opinion counts {share}."
    return _judged_ruling(case, Rule.FUNCTIONALITY_WEIGHT, _weighted_mean(case.opinions, weights), sentence, weights)


def _variance_re_evaluation(case: Case) -> Ruling | None:
    limit = case.rubric.rules.spread
    if case.spread <= limit:
        return None
    if case.arbiter is None:
        return _inconclusive_ruling(
            case,
            Rule.VARIANCE_RE_EVALUATION,
            f"The opinions are {case.spread} apart, and the {case.rubric.arbiter.title}, who would decide between them, gave none that counts.",
        )
    sentence = f"The opinions are {case.spread} apart, which is more than {limit:g}, and each cites existing evidence, so the opinion of the {case.rubric.arbiter.title} decides."
    return _judged_ruling(case, Rule.VARIANCE_RE_EVALUATION, case.arbiter.score, sentence, {case.arbiter.judge: 1.0})


def _weighted_average(case: Case) -> Ruling:
    weights = _normalize_weights(case, {each.judge: case.persona(each).weight for each in case.opinions})
    parts = " + ".join(f"{each.score} at {weights[each.judge]:.0%}" for each in case.opinions)
    return _judged_ruling(
        case,
        Rule.WEIGHTED_AVERAGE,
        _weighted_mean(case.opinions, weights),
        f"The opinions are averaged by weight: {parts}.",
        weights,
    )


DECISION_RULES: tuple[Callable[[Case], Ruling | None], ...] = (
    _not_applicable,
    _waived,
    _change_not_shown,
    _reviewer_addressed,
    _quorum,
    _security_override,
    _fact_supremacy,
    _functionality_weight,
    _variance_re_evaluation,
    _weighted_average,
)


def _normalize_weights(case: Case, weights: dict[str, float]) -> dict[str, float]:
    """Weights renormalised over the opinions that count."""
    total = sum(weights[each.judge] for each in case.opinions)
    return {each.judge: weights[each.judge] / total for each in case.opinions}


def _weighted_mean(opinions: Sequence[Opinion], shares: dict[str, float]) -> float:
    return sum(each.score * shares[each.judge] for each in opinions)


def _judged_ruling(case: Case, rule: Rule, score: float, sentence: str, shares: dict[str, float]) -> Ruling:
    return Ruling(
        criterion=case.criterion.id,
        status=RulingStatus.JUDGED,
        score=one_decimal(score),
        rule=rule,
        sentence=sentence,
        spread=case.spread,
        kept=tuple(
            KeptOpinion(judge=each.judge, score=each.score, weight=round(shares.get(each.judge, 0.0), 4))
            for each in case.opinions
        ),
        set_aside=case.set_aside,
    )


def _inconclusive_ruling(case: Case, rule: Rule, sentence: str) -> Ruling:
    return Ruling(
        criterion=case.criterion.id,
        status=RulingStatus.INCONCLUSIVE,
        rule=rule,
        sentence=sentence,
        spread=case.spread if case.opinions else None,
        kept=tuple(KeptOpinion(judge=each.judge, score=each.score, weight=0.0) for each in case.opinions),
        set_aside=case.set_aside,
    )
