"""What GitHub says of the author of a pull request and of its approvals, asked for a run of the Action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from auditor.action import merge_groups
from auditor.action.action_inputs import Inputs
from auditor.action.authorship import ask_authorship, is_decision_of_writer, unanswered
from auditor.action.event_plans import AuditPullRequest
from auditor.domain import APPROVAL_DEMAND, AuditReport, Authorship, CheckRun, PullRequest
from auditor.github import GitHub, GitHubError
from auditor.publishers import bot_login
from auditor.synthesis import derive_verdict


@dataclass(frozen=True)
class Approvals:
    """Asks GitHub, each time for at most so many seconds. Trouble is logged, and never approves anything."""

    github: GitHub | None
    warn: Callable[[str], None]
    seconds: float

    def authorship(self, pull: PullRequest, *, answered: bool = True) -> Authorship:
        """That of a pull request. `answered` is false where GitHub has just not answered another question."""
        if not answered:
            return unanswered(pull, "GitHub did not answer, so nobody was asked for approvals.")
        return ask_authorship(self.github and self.github.within(self.seconds), pull)

    def authorship_of(self, number: int) -> Authorship:
        """That of the pull request with a number; where it cannot be read, that of an author who cannot write."""
        if self.github is None:
            return Authorship()
        try:
            return self.authorship(self.github.within(self.seconds).pull_request(number))
        except GitHubError as trouble:
            return Authorship(can_write=False, unanswered=f"The pull request could not be read: {trouble.sentence}")

    def verdict_beside_review(self, plan: AuditPullRequest, pull: PullRequest, wanted: Inputs) -> CheckRun | None:
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

    def with_current(self, report: AuditReport) -> AuditReport:
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
        return with_authorship(report, self.authorship(pull)) if pull.head_sha == report.subject.head else report


def with_authorship(report: AuditReport, now: Authorship) -> AuditReport:
    """The report with what GitHub says now, and the verdict that follows; the same where GitHub says nothing."""
    if now == report.subject.authorship or now.unanswered:
        return report
    subject = report.subject.model_copy(update={"authorship": now})
    changed = report.model_copy(update={"subject": subject})
    verdict = derive_verdict(changed, changed.rubric.definition, changed.rubric.gate)
    return changed.model_copy(update={"verdict": verdict})
