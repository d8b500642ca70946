"""Both sides of opinions that lie far apart, and why one prevailed."""

from __future__ import annotations

from auditor.domain import (
    Opinion,
    Rule,
    Ruling,
)
from auditor.synthesis.decision_case import Case, persona_title


def add_dissent(case: Case, ruling: Ruling) -> Ruling:
    """A wide spread ends with both sides heard, also where no score came of it."""
    if case.spread <= case.rubric.rules.spread:
        return ruling
    high = max(case.opinions, key=lambda each: each.score)
    low = min(case.opinions, key=lambda each: each.score)
    sides = (
        f"{persona_title(case, high.judge)} gave {high.score}: {_main_sentence(high.argument)} "
        f"{persona_title(case, low.judge)} gave {low.score}: {_main_sentence(low.argument)}"
    )
    return ruling.model_copy(
        update={"dissent": f"{_outcome_sentence(ruling)} {sides} {_prevailing_sentence(case, ruling, high, low)}"}
    )


def _outcome_sentence(ruling: Ruling) -> str:
    if ruling.score is None:
        return f"By the rule “{ruling.rule.spoken}” there is no score."
    return f"By the rule “{ruling.rule.spoken}” the score is {ruling.score:.1f}."


def _prevailing_sentence(case: Case, ruling: Ruling, high: Opinion, low: Opinion) -> str:
    """Which of the two sides the score lies nearer to, and why; on an exact tie neither."""
    score = ruling.score
    if score is None:
        return "Neither view prevailed: the rule could not be applied, and both are recorded here as dissent."
    above, below = abs(high.score - score), abs(low.score - score)
    ground = _rule_basis(ruling.rule, case)
    if abs(above - below) < _TIE_TOLERANCE:
        return f"The score is midway, so neither view prevailed; the rule rests on {ground}, and both are recorded here as dissent."
    nearer, farther = (high, low) if above < below else (low, high)
    return (
        f"The view of the {persona_title(case, nearer.judge)} prevailed because the rule rests on {ground}; "
        f"that of the {persona_title(case, farther.judge)} did not, and is recorded here as dissent."
    )


_TIE_TOLERANCE = 1e-6


def _rule_basis(rule: Rule, case: Case) -> str:
    grounds = {
        Rule.SECURITY_OVERRIDE: "a confirmed violation",
        Rule.FACT_SUPREMACY: "facts that no opinion outweighs",
        Rule.FUNCTIONALITY_WEIGHT: f"what the {case.rubric.arbiter.title} could count as working",
        Rule.VARIANCE_RE_EVALUATION: f"the known facts that the {case.rubric.arbiter.title} counted",
    }
    return grounds.get(rule, "the weights of the opinions")


def _main_sentence(argument: str) -> str:
    """The sentence of an argument that carries it: the one after the opening, or the opening itself."""
    sentences = argument.split(". ")
    chosen = sentences[1] if len(sentences) > 1 else sentences[0]
    return f"“{chosen.rstrip('.')}.”"
