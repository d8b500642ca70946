"""What GitHub says of the author of a pull request and of its approvals, asked for a run of the Action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from auditor.action import merge_groups
from auditor.action.action_inputs import Inputs
from auditor.action.approval_questions import is_decision_of_writer, look_up_approval, unanswered
from auditor.action.event_plans import AuditPullRequest
from auditor.domain import APPROVAL_DEMAND, ApprovalStatus, AuditReport, CheckRun, PullRequest
from auditor.github import GitHub, GitHubError
from auditor.publishers import bot_login
from auditor.synthesis import derive_verdict


@dataclass(frozen=True)
class ApprovalLookup:
    """Asks GitHub, each time for at most so many seconds. Trouble is logged, and never approves anything."""

    github: GitHub | None
    warn: Callable[[str], None]
    seconds: float

    def status(self, pull: PullRequest, *, answered: bool = True) -> ApprovalStatus:
        """That of a pull request. `answered` is false where GitHub has just not answered another question."""
        if not answered:
            return unanswered(pull, "Approvals could not be read, because GitHub did not answer.")
        return look_up_approval(self.github and self.github.within(self.seconds), pull)

    def status_of_number(self, number: int) -> ApprovalStatus:
        """That of the pull request with a number; where it cannot be read, that of an author who cannot write."""
        if self.github is None:
            return ApprovalStatus()
        try:
            return self.status(self.github.within(self.seconds).pull_request(number))
        except GitHubError as trouble:
            return ApprovalStatus(
                author_can_write=False, unanswered=f"The pull request could not be read: {trouble.sentence}"
            )

    def verdict_to_repeat(self, plan: AuditPullRequest, pull: PullRequest, wanted: Inputs) -> CheckRun | None:
        """Our verdict on the head, where the event is about a review that cannot change it; none where it has to be audited.

        Anybody may review: without this, each of their reviews would ask a model again.
        """
        if plan.review is None or self.github is None:
            return None
        github = self.github.within(self.seconds)
        try:
            if plan.review.decides and is_decision_of_writer(github, pull, plan.review.author):
                return None
            verdict = merge_groups.find_verdict(pull.number, github.check_runs(pull.head_sha), wanted)
            return verdict if verdict is not None and verdict.app == bot_login.app(github) else None
        except GitHubError as trouble:
            self.warn(trouble.sentence)
            return None

    def with_current_approval(self, report: AuditReport) -> AuditReport:
        """The report with the approvals of now: somebody may have approved, or taken it back, while it was made."""
        number = report.subject.pull_request
        asked = any(each.demand == APPROVAL_DEMAND for each in report.verdict.gate.reasons)
        if not asked or self.github is None or number is None:
            return report
        try:
            pull = self.github.within(self.seconds).pull_request(number)
        except GitHubError as trouble:
            self.warn(trouble.sentence)
            return report
        return with_status(report, self.status(pull)) if pull.head_sha == report.subject.head else report


def with_status(report: AuditReport, now: ApprovalStatus) -> AuditReport:
    """The report with what GitHub says now, and the verdict that follows; the same where GitHub says nothing."""
    if now == report.subject.approval_status or now.unanswered:
        return report
    subject = report.subject.model_copy(update={"approval_status": now})
    changed = report.model_copy(update={"subject": subject})
    verdict = derive_verdict(changed, changed.rubric.definition, changed.rubric.gate)
    return changed.model_copy(update={"verdict": verdict})
