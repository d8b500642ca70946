"""Which verdict of a pull request its merge group gets. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from auditor.action.action_inputs import Inputs
from auditor.action.run_conclusions import Outcome
from auditor.domain import CheckConclusion, CheckRun, Conclusion, external_id
from auditor.domain.published_texts import TOOL_ID
from auditor.report.previous_scores import parse_history
from auditor.settings import DEFAULT_RUBRIC

OUTCOMES: Mapping[CheckConclusion, Outcome] = {
    CheckConclusion.SUCCESS: Outcome.PASSED,
    CheckConclusion.FAILURE: Outcome.FAILED,
    CheckConclusion.ACTION_REQUIRED: Outcome.INCONCLUSIVE,
    CheckConclusion.NEUTRAL: Outcome.INCONCLUSIVE,
}
"""Conclusions that say how a gate ended. A cancelled or timed-out run says nothing."""


def outcome_of(run: CheckRun) -> Outcome:
    """How the audit ended that a concluded check run of ours is about.

    What the run remembers of itself can be forged, so it only tells apart what is `neutral` anyway.
    """
    conclusion = CheckConclusion(run.conclusion or "")
    memory = parse_history(run.text) if conclusion is CheckConclusion.NEUTRAL else None
    if memory is not None and memory.now.conclusion is Conclusion.NOTHING_TO_JUDGE:
        return Outcome.NOTHING_TO_JUDGE
    return OUTCOMES[conclusion]


def find_verdict(number: int, runs: Sequence[CheckRun], wanted: Inputs) -> CheckRun | None:
    """The check run that says how a pull request ended: the one of the rubric or name asked for, or else the only one's.

    `runs` are those on its head, newest first. One that was replaced by a later run is not found under its old id.
    """
    ours = [each for each in runs if re.fullmatch(rf"{TOOL_ID}/[a-z][a-z0-9-]*/{number}", each.external_id)]
    expected = external_id(wanted.rubric or DEFAULT_RUBRIC, number)
    named = [each for each in ours if each.name == wanted.check_name or each.external_id == expected]
    candidates = named or ([] if wanted.rubric or wanted.check_name else ours)
    return next((each for each in candidates if each.is_completed and each.conclusion in OUTCOMES), None)
