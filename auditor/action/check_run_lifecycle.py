"""One run's case: what it is about, what it has begun on GitHub, and how it is brought to its end."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import IO

from auditor.action import audit_child_process, event_plans, merge_groups, result_pages
from auditor.action.action_inputs import CommentMode, Drafts, Inputs, Judges, KeepAnswers
from auditor.action.approval_lookup import ApprovalLookup
from auditor.action.audit_child_process import AuditFailure, BenchChoice, ResolvedRequest
from auditor.action.event_plans import AuditPullRequest, AuditTree, CarryOver, FindPullRequest, Plan, Skip, Superseded
from auditor.action.run_conclusions import Outcome, check_conclusion
from auditor.action.runner_environment import Runner
from auditor.action.step_log import Log
from auditor.audit_builder import AuditRequest, AuditResult
from auditor.domain import (
    ApprovalStatus,
    AuditReport,
    CheckConclusion,
    CheckRun,
    Delivery,
    Description,
    PullRequest,
    UserError,
)
from auditor.github import ErrorKind, GitHub, GitHubError
from auditor.judges.signed_answer_cache import MIN_SECRET_LENGTH
from auditor.publishers import PublicationSubject, PublishContext, bot_login, check_run_publisher, publish
from auditor.report import answers_kept_on_check_run
from auditor.report.bench_description import judged_by
from auditor.report.github_links import Links
from auditor.report.previous_scores import VerdictHistory, parse_history
from auditor.rubric_loader import names as built_in_rubrics
from auditor.settings import DEFAULT_RUBRIC, Inconclusive

QUERY_SECONDS = 15.0
"""For asking GitHub how things stand, and for beginning the check run; each time. With a GitHub that never answers, all of
this and what the publishers take stays below a minute."""
RETRY_SECONDS = 10.0
"""For beginning it once more, after the audit, where GitHub could not be reached before."""
COMPLETION_SECONDS = 15.0
"""For completing the check run of an audit that came to nothing."""
CANCELLATION_SECONDS = 5.0
"""The same when the runner has asked the step to end: it waits ten seconds before it kills."""
_TRANSIENT_KINDS = frozenset({ErrorKind.UNREACHABLE, ErrorKind.TOO_LATE, ErrorKind.RATE_LIMITED})
CHECK_NAME = "Automaton Auditor"


@dataclass(frozen=True)
class RunResult:
    """The outcome of the run, and why in a sentence where there is no verdict."""

    outcome: Outcome
    sentence: str = ""
    report: AuditReport | None = None
    deliveries: tuple[Delivery, ...] = ()
    check_url: str | None = None


@dataclass(frozen=True)
class _AuditSubject:
    """What the verdict is about."""

    sha: str
    number: int | None = None
    ref: str = ""
    previous_head: str | None = None
    """The head before the push that called for this run."""
    base: str = ""
    """The branch that the pull request is to go into."""
    base_sha: str | None = None
    whole: bool = False
    """Is it the whole repository and not a change?"""


def check_name(inputs: Inputs, rubric: str, *, is_whole_repository: bool = False) -> str:
    """The name of the check run, as branch protection has to ask for it.

    A whole repository has another one: a push to the branch of a pull request is about the same commit, and its
    verdict must not be taken for that on the change.
    """
    name = inputs.check_name or f"{CHECK_NAME} ({rubric})"
    return f"{name}, whole repository" if is_whole_repository else name


class AuditRun:
    """Carries out a plan, and keeps track of what has to be completed when something goes wrong."""

    def __init__(self, runner: Runner, inputs: Inputs, stream: IO[str]) -> None:
        self.runner = runner
        self.wanted = inputs
        self.inconclusive = Inconclusive.ACTION_REQUIRED
        self._log = Log(stream)
        self._stream = stream
        self._started = time.monotonic()
        self._notices: list[str] = []
        self._matter: _AuditSubject | None = None
        self._about: PublicationSubject | None = None
        self._run: CheckRun | GitHubError | None = None
        self._memory: VerdictHistory | None = None
        self._answers = ""
        self._label_is_older = False
        self._github: GitHub | None = None

    def execute(self, plan: Plan) -> RunResult:
        """Do what the plan says. Raises UserError for what the workflow's author can fix."""
        if isinstance(plan, Skip):
            return RunResult(Outcome.SKIPPED, plan.reason)
        self._github = self._connect()
        if isinstance(plan, AuditTree):
            self._matter = _AuditSubject(plan.sha, ref=self.runner.ref, previous_head=plan.previous_head, whole=True)
            return self._audited(self._make_request(head=plan.sha))
        if isinstance(plan, CarryOver):
            return self._carry_over(plan)
        if isinstance(plan, FindPullRequest):
            found = self._find_pull_request(plan)
            return found if isinstance(found, RunResult) else self._audit_pull_request(found, found)
        return self._audit_pull_request(plan, None)

    def notice(self, text: str) -> None:
        """A notice for the log and in every report."""
        self._notices.append(text)
        self._log.say(text)

    # How things stand

    def _connect(self) -> GitHub | None:
        """GitHub with the token, or nothing. Only a server on this machine is spared the pause between two writes."""
        if not self.wanted.token:
            self.notice("There is no token, so nothing is written to GitHub.")
            return None
        loopback = self.runner.api_url.startswith("http://")
        return GitHub.connect(
            self.runner.api_url, self.wanted.token, self.runner.repository, pace=0.0 if loopback else 1.0
        )

    def _find_pull_request(self, plan: FindPullRequest) -> AuditPullRequest | RunResult:
        if self._github is None:
            raise UserError(
                "a workflow_run needs a token to find its pull request: keep the default of the input token."
            )
        try:
            pulls = self._github.within(QUERY_SECONDS).find_pull_requests(
                plan.head_sha, plan.head_repository, plan.head_branch
            )
        except GitHubError as trouble:
            return RunResult(Outcome.ERROR, f"The pull request could not be looked for: {trouble.sentence}")
        if not pulls:
            return RunResult(Outcome.SKIPPED, "No open pull request has the commit of that run as its head any more.")
        first = min(pulls, key=lambda each: each.number)
        self._matter = _AuditSubject(first.head_sha, first.number)
        if len(pulls) > 1:  # each has a base of its own, and a verdict on one would stand for all of them
            named = ", ".join(str(each.number) for each in sorted(pulls, key=lambda each: each.number))
            return RunResult(
                Outcome.ERROR,
                f"The pull requests {named} have the same head, and the event does not say which one is meant: close all but one, then run the workflow again.",
            )
        return AuditPullRequest(first.number, first)

    def _audit_pull_request(self, plan: AuditPullRequest, live: AuditPullRequest | None) -> RunResult:
        now = live.event_state if live is not None else self._fetch_pull_request(plan)
        if isinstance(now, RunResult):
            return now
        settled = event_plans.resolve_plan(
            plan,
            now,
            attempt=self.runner.attempt,
            skip_drafts=self.wanted.drafts is Drafts.SKIP,
            label=self.wanted.label,
        )
        if isinstance(settled, Skip):
            return RunResult(Outcome.SKIPPED, settled.reason)
        if isinstance(settled, Superseded):
            return RunResult(Outcome.SUPERSEDED, f"The head is {settled.head_sha} by now, and its own run decides.")
        pull = settled.event_state
        if pull.mergeable is False:
            self.notice("The pull request has conflicts with its base; what it changes is audited all the same.")
        self._matter = _AuditSubject(
            pull.head_sha, pull.number, previous_head=plan.previous_head, base=pull.base_ref, base_sha=pull.base_sha
        )
        verdict = self._approvals.verdict_to_repeat(plan, pull, self.wanted)
        if verdict is not None:
            return self._repeated(verdict, "This review does not affect the verdict, which is still")
        labelled = self.wanted.label is not None and self.wanted.label in pull.labels
        self._label_is_older = (
            pull.fork and labelled and not event_plans.was_label_set_on(plan, pull.head_sha, str(self.wanted.label))
        )
        answered = live is not None or now is not plan.event_state  # else GitHub has just not answered
        if answered:
            self._withdraw_outdated(pull)
        return self._audited(
            self._make_request(
                head=f"refs/pull/{pull.number}/head",
                base=pull.base_sha,
                expected_head=pull.head_sha,
                pull_request=pull.number,
                fork=pull.fork,
                approval_status=self._approvals.status(pull, answered=answered),
                trusted=not pull.fork or labelled,
                description=Description(title=pull.title, body=pull.body),
            )
        )

    def _fetch_pull_request(self, plan: AuditPullRequest) -> PullRequest | RunResult:
        """The pull request now. A first run may go by its event when GitHub does not answer; a later one may not."""
        if self._github is None:
            return plan.event_state
        try:
            return self._github.within(QUERY_SECONDS).pull_request(plan.number)
        except GitHubError as trouble:
            if self.runner.attempt > 1:
                return RunResult(
                    Outcome.ERROR, f"The current state of the pull request could not be read: {trouble.sentence}"
                )
            self.notice(
                f"The pull request is taken from the event, because GitHub could not be asked: {trouble.sentence}"
            )
            return plan.event_state

    def _withdraw_outdated(self, pull: PullRequest) -> None:
        """Before anything else can go wrong: what passed for another base counts no longer."""
        if self._github is None:
            return
        instead = check_conclusion(Outcome.INCONCLUSIVE, self.wanted.check_conclusion, Inconclusive.ACTION_REQUIRED)
        assert instead is not None, "an open verdict has a conclusion"
        try:
            check_run_publisher.withdraw(
                self._github.within(QUERY_SECONDS), pull.head_sha, pull.number, pull.base_sha, instead
            )
        except GitHubError as trouble:
            if trouble.kind not in (ErrorKind.DENIED, ErrorKind.READ_ONLY, ErrorKind.NOT_FOUND):
                self._log.warn(trouble.sentence)  # what the token may not do is told once, when the check run is begun

    def _repeated(self, verdict: CheckRun, why: str) -> RunResult:
        """The end of a run that takes the verdict of a concluded check run of ours."""
        if verdict.conclusion == CheckConclusion.NEUTRAL.value:
            self.inconclusive = Inconclusive.NEUTRAL
        outcome = merge_groups.outcome_of(verdict)
        return RunResult(outcome, f"{why}: {verdict.conclusion}.", check_url=verdict.url)

    @property
    def _approvals(self) -> ApprovalLookup:
        return ApprovalLookup(self._github, self._log.warn, QUERY_SECONDS)

    # The audit

    def _make_request(
        self,
        *,
        head: str,
        base: str | None = None,
        expected_head: str | None = None,
        pull_request: int | None = None,
        fork: bool | None = None,
        approval_status: ApprovalStatus = ApprovalStatus(),  # noqa: B008 - frozen
        trusted: bool = True,
        description: Description | None = None,
    ) -> AuditRequest:
        return AuditRequest(
            target=self.runner.clone_url,
            base=base,
            head=head,
            token=self.wanted.token or None,
            timeout=self._left(),
            requested_settings=self.wanted.requested_settings(),
            bench_settings=self.wanted.bench_settings(
                trusted=trusted, seconds=max(1.0, self._left() / 3), repository=self.runner.repository_url
            ),
            environment=self.wanted.judge_environment(self.runner.access),
            repository=self.runner.repository,
            pull_request=pull_request,
            fork=fork,
            approval_status=approval_status,
            description=description,
            check_name=check_name(self.wanted, self.wanted.rubric or DEFAULT_RUBRIC),
            workflow_path=self.runner.workflow_path,
            expected_head=expected_head,
        )

    def _left(self) -> float:
        """Seconds of the input `timeout` that are left."""
        return max(1.0, self.wanted.timeout - (time.monotonic() - self._started))

    def _audited(self, order: AuditRequest, *, model: bool = True) -> RunResult:
        done = self._run_process(order, model=model)
        if isinstance(done, AuditFailure) and done.outcome is Outcome.SUPERSEDED and self._is_current_head(order):
            # GitHub moves the ref of a pull request a moment after its head: the commit itself can be fetched already.
            done = self._run_process(replace(order, head=order.expected_head), model=model)
        if isinstance(done, AuditFailure):
            return RunResult(done.outcome, done.sentence)
        return self._publish(done)

    def _run_process(self, order: AuditRequest, *, model: bool) -> AuditResult | AuditFailure:
        return audit_child_process.audit(
            order, self._left(), lambda settled: self._choose_bench(settled, model=model), self._log.say
        )

    def _is_current_head(self, request: AuditRequest) -> bool:
        """Is the head that was ordered the pull request's head now?"""
        if self._github is None or request.pull_request is None:
            return False
        try:
            return (
                self._github.within(QUERY_SECONDS).pull_request(request.pull_request).head_sha == request.expected_head
            )
        except GitHubError:
            return False

    def _choose_bench(self, settled: ResolvedRequest, *, model: bool) -> BenchChoice:
        """Begin the check run, which finds out whether the token may write, and say who is to judge."""
        self.inconclusive = settled.inconclusive
        self._begin(settled.rubric, QUERY_SECONDS)
        return BenchChoice(self._judges() if model else Judges.EMBEDDED.value, self._answers)

    def _judges(self) -> str:
        if (
            self.wanted.has_credentials
            and self.wanted.keep_answers is KeepAnswers.ALWAYS
            and not self.wanted.seal_secret
        ):
            self._log.say(
                f"What a model answers is not kept for the next run: there is no key of {MIN_SECRET_LENGTH} characters to seal it with; give one by the input answers-key."
            )
        if self._label_is_older and not self._was_judged_by_model():
            self.notice(
                f"No model is called: the label {self.wanted.label!r} does not seem to have been set on this commit and base. Remove it and set it again to call a model."
            )
            return Judges.EMBEDDED.value
        if self.wanted.judges is Judges.AUTO and not isinstance(self._run, CheckRun):
            if self.wanted.has_credentials:
                self.notice("No model is asked, because the verdict could not be written where it is looked for.")
            return Judges.EMBEDDED.value
        return self.wanted.judges.value

    def _was_judged_by_model(self) -> bool:
        """Does our own check run on this very commit say so, against the base of now?

        Nobody from a fork can write it, but its author can lead the pull request from base to base, and each would be a new hearing.
        """
        past = self._memory.now if self._memory else None
        if past is None or self._matter is None or past.bench == Judges.EMBEDDED.value:
            return False
        return (past.head, past.base) == (self._matter.sha, self._matter.base_sha)

    def _begin(self, rubric: str, seconds: float) -> None:
        assert self._matter is not None, "there is something to be audited"
        matter = self._matter
        self._about = PublicationSubject(rubric, matter.sha, matter.number, matter.ref, matter.base)
        if self._github is None:
            return
        github = self._github.within(seconds)
        try:
            name = check_name(self.wanted, rubric, is_whole_repository=matter.whole)
            self._run = check_run_publisher.begin(github, self._about, name, self.runner.run_url)
            self._load_history(github, self._run)
        except GitHubError as trouble:
            if not isinstance(self._run, CheckRun):
                self._run = trouble
            self._log.warn(trouble.sentence)

    def _load_history(self, github: GitHub, run: CheckRun) -> None:
        """What our check run says of itself, or else the one on the head before the push: scores, and sealed answers."""
        self._memory, self._answers = parse_history(run.text), answers_kept_on_check_run.find_sealed(run.text)
        if self._memory is not None or self._matter is None or self._about is None:
            return
        if self._matter.previous_head in (None, self._about.sha):
            return
        runs = github.check_runs(str(self._matter.previous_head), self._about.external_id)
        texts = [each.text for each in runs if each.app == run.app]
        self._memory = next(filter(None, map(parse_history, texts)), None)
        self._answers = self._answers or next(filter(None, map(answers_kept_on_check_run.find_sealed, texts)), "")

    def _publish(self, result: AuditResult) -> RunResult:
        assert self._about is not None, "the child process sent its result"
        self._retry_check_run()
        if not self._is_github_silent:
            result = replace(result, report=self._approvals.with_current_approval(result.report))
        report = result.report
        for notice in result.notices:
            self._log.say(notice)
        self._log.say(judged_by(report))
        run = self._run if isinstance(self._run, CheckRun) else None
        outcome = Outcome.of(report.verdict.conclusion)
        links = Links(
            server_url=self.runner.server_url,
            repository=self.runner.repository,
            head_sha=report.subject.head,
            base_sha=report.subject.merge_base,
            run_url=self.runner.run_url,
            check_url=run.url if run else None,
            tool=self.runner.tool_home,
        )
        if report.tool.bench == Judges.EMBEDDED.value and not result.answers:
            result = replace(result, answers=self._answers)  # kept for the run in which a model judges again
        publication = result_pages.make_publication(
            result,
            check_conclusion(outcome, self.wanted.check_conclusion, self.inconclusive),
            links,
            self._memory,
            self._notices,
            commented=self.wanted.comment is CommentMode.ALWAYS and self._pull_request_number() is not None,
            most_annotations=self.wanted.annotations,
        )
        deliveries = publish(publication, self._publish_context())
        for each in deliveries:
            if each.reason:
                self._log.warn(f"{each.destination}: {each.reason}")
        if any(each.superseded for each in deliveries):
            outcome = Outcome.SUPERSEDED
        return RunResult(outcome, report=report, deliveries=deliveries)

    def _retry_check_run(self) -> None:
        """One more try at a check run that passing trouble kept from being begun."""
        assert self._about is not None, "the child process sent its result"
        if self._is_github_silent:
            self._begin(self._about.rubric, RETRY_SECONDS)

    @property
    def _is_github_silent(self) -> bool:
        """Did GitHub not answer when the check run was begun? Then no more time is spent on asking what can be done without."""
        return isinstance(self._run, GitHubError) and self._run.kind in _TRANSIENT_KINDS

    def _pull_request_number(self) -> int | None:
        return self._matter.number if self._matter else None

    def _publish_context(self) -> PublishContext:
        assert self._about is not None, "a verdict is about something"
        return PublishContext(
            about=self._about,
            stdout=self._stream,
            github=self._github,
            run=self._run,
            step_summary=self.runner.summary,
            workspace=self.runner.workspace,
            folder=self.wanted.report_directory,
        )

    # Merge groups

    def _carry_over(self, plan: CarryOver) -> RunResult:
        self._matter = _AuditSubject(plan.sha, ref=f"merge-group/{plan.number or plan.base_sha}")
        verdict = self._earlier_verdict(plan.number) if plan.number else None
        if verdict is None or self._github is None or plan.number is None:
            return self._audit_group(plan, "The pull request has no verdict to carry over")
        rubric = verdict.external_id.split("/")[1]
        self._begin(rubric, QUERY_SECONDS)
        if not self._is_ours(verdict):
            return self._audit_group(plan, "The check run on the pull request is another app's")
        repeated = self._repeated(verdict, f"The verdict of pull request {plan.number} is carried over")
        by = self._approvals.status_of_number(plan.number)
        if repeated.outcome is Outcome.PASSED and not (by.author_can_write or by.approved_by):
            return self._audit_group(
                plan, "The pull request is of an author who cannot write, and nobody has approved it now", by
            )
        conclusion = CheckConclusion(verdict.conclusion or "")
        outcome, sentence = repeated.outcome, repeated.sentence
        if not isinstance(self._run, CheckRun):
            return RunResult(outcome, sentence)
        output = result_pages.carried_over_output(plan.number, verdict.title, verdict.url)
        try:
            done = check_run_publisher.abandon(self._github.within(COMPLETION_SECONDS), self._run, conclusion, output)
        except GitHubError as trouble:
            self._log.warn(trouble.sentence)
            return RunResult(outcome, sentence)
        return RunResult(outcome, sentence, check_url=done.url)

    def _audit_group(self, plan: CarryOver, why: str, by: ApprovalStatus | None = None) -> RunResult:
        """Audit what the group changes, as a change of the author of its pull request."""
        self.notice(f"{why}, so its merge group is audited; no model is asked.")
        if by is None and plan.number is not None:
            by = self._approvals.status_of_number(plan.number)
        order = self._make_request(
            head=plan.sha, base=plan.base_sha, expected_head=plan.sha, approval_status=by or ApprovalStatus()
        )
        return self._audited(order, model=False)

    def _earlier_verdict(self, number: int) -> CheckRun | None:
        """Our concluded check run on the head of a pull request: the one of the rubric asked for, or the only one."""
        if self._github is None:
            return None
        github = self._github.within(QUERY_SECONDS)
        try:
            head = github.pull_request(number).head_sha
            runs = github.check_runs(head)
        except GitHubError as trouble:
            self._log.warn(trouble.sentence)
            return None
        return merge_groups.find_verdict(number, runs, self.wanted)

    def _is_ours(self, verdict: CheckRun) -> bool:
        """Has our own app made it? An external id can be given by any app that may write checks."""
        run = self._run if isinstance(self._run, CheckRun) else None
        try:
            return self._github is not None and verdict.app == bot_login.app(self._github.within(QUERY_SECONDS), run)
        except GitHubError as trouble:
            self._log.warn(trouble.sentence)
            return False

    # Ends without a verdict

    def abandon(self, ending: RunResult) -> RunResult:
        """Complete the check run of an audit that came to nothing; begin it for that, where it is known on what."""
        conclusion = check_conclusion(ending.outcome, self.wanted.check_conclusion, self.inconclusive)
        stopping = ending.outcome is Outcome.STOPPED
        if conclusion is None or self._github is None or ending.check_url or ending.deliveries:
            return ending
        if self._run is None and self._matter is not None and not stopping and ending.outcome is not Outcome.SUPERSEDED:
            rubric = self.wanted.rubric if self.wanted.rubric in built_in_rubrics() else DEFAULT_RUBRIC
            self._begin(rubric or DEFAULT_RUBRIC, COMPLETION_SECONDS)
        github = self._github.within(CANCELLATION_SECONDS if stopping else COMPLETION_SECONDS)
        try:
            begun = self._begun(github)
            if begun is None:
                return ending
            output = result_pages.no_verdict_output(ending.outcome, ending.sentence, self._answers)
            run = check_run_publisher.abandon(github, begun, conclusion, output)
        except GitHubError as trouble:
            self._log.warn(trouble.sentence)
            return ending
        return RunResult(ending.outcome, ending.sentence, check_url=run.url)

    def _begun(self, github: GitHub) -> CheckRun | None:
        """The check run as it is now: a signal may have come while it was made, or just after it was concluded."""
        if self._about is None or isinstance(self._run, GitHubError):
            return None
        runs = github.check_runs(self._about.sha, self._about.external_id)
        if self._run is None:
            return next(iter(runs), None)
        return next((each for each in runs if each.id == self._run.id), self._run)

    def close(self) -> None:
        """Give the connections back."""
        if self._github is not None:
            self._github.close()
