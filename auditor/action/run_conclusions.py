"""How a run ends: its outcome, and what the check run and the step make of it. The whole table is here."""

from __future__ import annotations

from enum import StrEnum

from auditor.action.action_inputs import CheckPolicy, FailStep
from auditor.domain import CheckConclusion, Conclusion
from auditor.settings import Inconclusive

ERROR_CODE, BUG_CODE, STOPPED_CODE = 2, 3, 143
_FAILED_CODE, _INCONCLUSIVE_CODE = 1, 4


class Outcome(StrEnum):
    """How a run of the Action ended."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    NOTHING_TO_JUDGE = "nothing to judge"
    ERROR = "error"
    BUG = "bug"
    TIMED_OUT = "timed out"
    STOPPED = "stopped"
    SUPERSEDED = "superseded"
    SKIPPED = "skipped"

    @staticmethod
    def of(conclusion: Conclusion) -> Outcome:
        """The outcome of an audit that was done."""
        return Outcome(conclusion.spoken)


_CHECK_CONCLUSIONS = {
    Outcome.PASSED: CheckConclusion.SUCCESS,
    Outcome.FAILED: CheckConclusion.FAILURE,
    Outcome.NOTHING_TO_JUDGE: CheckConclusion.NEUTRAL,
    Outcome.ERROR: CheckConclusion.FAILURE,
    Outcome.BUG: CheckConclusion.FAILURE,
    Outcome.TIMED_OUT: CheckConclusion.TIMED_OUT,
    Outcome.STOPPED: CheckConclusion.CANCELLED,
    Outcome.SUPERSEDED: CheckConclusion.CANCELLED,
}
_BLOCKING = frozenset({CheckConclusion.FAILURE, CheckConclusion.ACTION_REQUIRED, CheckConclusion.TIMED_OUT})
_EXIT_CODES = {
    Outcome.FAILED: _FAILED_CODE,
    Outcome.INCONCLUSIVE: _INCONCLUSIVE_CODE,
    Outcome.ERROR: ERROR_CODE,
    Outcome.BUG: BUG_CODE,
    Outcome.TIMED_OUT: ERROR_CODE,
    Outcome.STOPPED: STOPPED_CODE,
}
_WITHOUT_VERDICT = frozenset({Outcome.ERROR, Outcome.BUG, Outcome.TIMED_OUT})


def check_conclusion(outcome: Outcome, policy: CheckPolicy, inconclusive: Inconclusive) -> CheckConclusion | None:
    """How the check run concludes. None: none is written, so that a required one keeps waiting and cannot pass unseen."""
    if outcome is Outcome.SKIPPED:
        return None
    found = CheckConclusion(inconclusive.value) if outcome is Outcome.INCONCLUSIVE else _CHECK_CONCLUSIONS[outcome]
    return CheckConclusion.NEUTRAL if policy is CheckPolicy.REPORT and found in _BLOCKING else found


def exit_code(outcome: Outcome, fail_step: FailStep, inconclusive: Inconclusive) -> int:
    """What the step ends with. A run that was stopped says so whatever is asked."""
    if outcome is Outcome.STOPPED:
        return STOPPED_CODE
    if fail_step is FailStep.NEVER or (fail_step is FailStep.ERROR and outcome not in _WITHOUT_VERDICT):
        return 0
    if outcome is Outcome.INCONCLUSIVE and inconclusive is Inconclusive.NEUTRAL:
        return 0
    return _EXIT_CODES.get(outcome, 0)


_MEANINGS = {
    Outcome.PASSED: "the gate passed",
    Outcome.FAILED: "the gate failed",
    Outcome.INCONCLUSIVE: "something could not be judged, and nothing failed",
    Outcome.NOTHING_TO_JUDGE: "the change is empty: merge base and head have the same tree",
    Outcome.ERROR: "the audit could not run: a wrong input or configuration, or git or GitHub could not be reached",
    Outcome.BUG: "a bug in the tool",
    Outcome.TIMED_OUT: "the audit took longer than the input `timeout`",
    Outcome.STOPPED: "the run was cancelled",
    Outcome.SUPERSEDED: "a newer commit was pushed during the run, and its own run decides",
    Outcome.SKIPPED: "nothing to audit: a draft, a closed pull request, or an event that changes nothing",
}


def outcome_table() -> str:
    """Every outcome under every setting, as a Markdown table."""
    lines = [
        "| Outcome | Meaning | Check, `gate` | Check, `report` | Step, `gate` | Step, `error` | Step, `never` |",
        "|:--|:--|:--|:--|:-:|:-:|:-:|",
    ]
    for outcome in Outcome:
        policies = tuple(Inconclusive) if outcome is Outcome.INCONCLUSIVE else (Inconclusive.ACTION_REQUIRED,)
        for policy in policies:
            name = (
                f"{outcome.value}, `inconclusive: {policy.value}`" if outcome is Outcome.INCONCLUSIVE else outcome.value
            )
            checks = [check_conclusion(outcome, each, policy) for each in CheckPolicy]
            steps = [exit_code(outcome, each, policy) for each in FailStep]
            cells = [
                name,
                _MEANINGS[outcome],
                *(f"`{each.value}`" if each else "none" for each in checks),
                *map(str, steps),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
