"""One run's case: what it is about, what it has begun on GitHub, and how it is brought to its end."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import IO

from auditor.action import audit_child_process, event_plans, merge_groups, result_pages
from auditor.action.action_inputs import CommentMode, Drafts, Inputs, Judges, Keeping
from auditor.action.audit_child_process import Counsel, Settled, Undone
from auditor.action.event_plans import AuditPullRequest, AuditTree, CarryOver, FindPullRequest, Plan, Skip, Superseded
from auditor.action.run_conclusions import Outcome, check_conclusion
from auditor.action.runner_environment import Runner
from auditor.action.step_log import Log
from auditor.audit_builder import Carried, Commission
from auditor.domain import AuditReport, CheckConclusion, CheckRun, Delivery, Description, PullRequest, UserError
from auditor.github import GitHub, GitHubTrouble, TroubleKind
from auditor.judges.signed_answer_cache import LEAST_SECRET
from auditor.publishers import About, Desk, bot_login, check_run_publisher, publish
from auditor.report import check_run_answers
from auditor.report.bench_description import judged_by
from auditor.report.github_links import Links
from auditor.report.previous_scores import Memory, recall
from auditor.rubric_loader import names as built_in_rubrics
from auditor.settings import DEFAULT_RUBRIC, Inconclusive

ASKING_SECONDS = 15.0
"""For asking GitHub how things stand, and for beginning the check run; each time. With a GitHub that never answers, all of
this and what the publishers take stays below a minute."""
AGAIN_SECONDS = 10.0
"""For beginning it once more, after the audit, where GitHub could not be reached before."""
ENDING_SECONDS = 15.0
"""For completing the check run of an audit that came to nothing."""
STOPPING_SECONDS = 5.0
"""The same when the runner has asked the step to end: it waits ten seconds before it kills."""
_PASSES = frozenset({TroubleKind.UNREACHABLE, TroubleKind.TOO_LATE, TroubleKind.RATE_LIMITED})
CHECK_NAME = "Automaton Auditor"


@dataclass(frozen=True)
class Ending:
    """How the run ended, and in a sentence why, where there is no verdict to say it."""

    outcome: Outcome
    sentence: str = ""
    report: AuditReport | None = None
    deliveries: tuple[Delivery, ...] = ()
    check_url: str | None = None


@dataclass(frozen=True)
class _Matter:
    """What the verdict will be about."""

    sha: str
    number: int | None = None
    ref: str = ""
    earlier: str | None = None
    """The head before the push that called for this run."""
    base: str = ""
    """The branch that the pull request is to go into."""
    base_sha: str | None = None
    whole: bool = False
    """Is it the whole repository and not a change?"""


def check_name(wanted: Inputs, rubric: str, *, whole: bool = False) -> str:
    """The name of the check run, as branch protection has to ask for it.

    A whole repository has another one: a push to the branch of a pull request is about the same commit, and its
    verdict must not be taken for that on the change.
    """
    name = wanted.check_name or f"{CHECK_NAME} ({rubric})"
    return f"{name}, whole repository" if whole else name


class Case:
    """Follows a plan to its ending, and remembers what has to be ended when something goes wrong on the way."""

    def __init__(self, runner: Runner, wanted: Inputs, stream: IO[str]) -> None:
        self.runner = runner
        self.wanted = wanted
        self.inconclusive = Inconclusive.ACTION_REQUIRED
        self._log = Log(stream)
        self._stream = stream
        self._started = time.monotonic()
        self._notices: list[str] = []
        self._matter: _Matter | None = None
        self._about: About | None = None
        self._run: CheckRun | GitHubTrouble | None = None
        self._memory: Memory | None = None
        self._answers = ""
        self._label_is_older = False
        self._github: GitHub | None = None

    def follow(self, plan: Plan) -> Ending:
        """Do what the plan says. Raises UserError for what the workflow's author can mend."""
        if isinstance(plan, Skip):
            return Ending(Outcome.SKIPPED, plan.reason)
        self._github = self._connected()
        if isinstance(plan, AuditTree):
            self._matter = _Matter(plan.sha, ref=self.runner.ref, earlier=plan.earlier, whole=True)
            return self._audited(self._order(head=plan.sha))
        if isinstance(plan, CarryOver):
            return self._carried(plan)
        if isinstance(plan, FindPullRequest):
            found = self._found(plan)
            return found if isinstance(found, Ending) else self._pull_request(found, found)
        return self._pull_request(plan, None)

    def notice(self, text: str) -> None:
        """Something to be told in the log and in every report."""
        self._notices.append(text)
        self._log.say(text)

    # How things stand

    def _connected(self) -> GitHub | None:
        """GitHub with the token, or nothing. Only a server on this machine is spared the pause between two writes."""
        if not self.wanted.token:
            self.notice("There is no token, so nothing is written to GitHub.")
            return None
        loopback = self.runner.api_url.startswith("http://")
        return GitHub.connect(
            self.runner.api_url, self.wanted.token, self.runner.repository, pace=0.0 if loopback else 1.0
        )

    def _found(self, plan: FindPullRequest) -> AuditPullRequest | Ending:
        if self._github is None:
            raise UserError(
                "a workflow_run needs a token to find its pull request: leave the input token at its default."
            )
        try:
            pulls = self._github.within(ASKING_SECONDS).pull_requests_of(
                plan.head_sha, plan.head_repository, plan.head_branch
            )
        except GitHubTrouble as trouble:
            return Ending(Outcome.ERROR, f"The pull request could not be looked for: {trouble.sentence}")
        if not pulls:
            return Ending(Outcome.SKIPPED, "No open pull request has the commit of that run as its head any more.")
        first = min(pulls, key=lambda each: each.number)
        self._matter = _Matter(first.head_sha, first.number)
        if len(pulls) > 1:  # each has a base of its own, and a verdict on one would stand for all of them
            named = ", ".join(str(each.number) for each in sorted(pulls, key=lambda each: each.number))
            return Ending(
                Outcome.ERROR,
                f"The pull requests {named} have the same head, and the event does not say which one is meant: close all but one, then run the workflow again.",
            )
        return AuditPullRequest(first.number, first)

    def _pull_request(self, plan: AuditPullRequest, live: AuditPullRequest | None) -> Ending:
        now = live.as_told if live is not None else self._live(plan)
        if isinstance(now, Ending):
            return now
        settled = event_plans.settle(
            plan,
            now,
            attempt=self.runner.attempt,
            skip_drafts=self.wanted.drafts is Drafts.SKIP,
            label=self.wanted.label,
        )
        if isinstance(settled, Skip):
            return Ending(Outcome.SKIPPED, settled.reason)
        if isinstance(settled, Superseded):
            return Ending(Outcome.SUPERSEDED, f"The head is {settled.head_sha} by now, and its own run decides.")
        pull = settled.as_told
        if pull.mergeable is False:
            self.notice("The pull request has conflicts with its base; what it changes is audited all the same.")
        self._matter = _Matter(
            pull.head_sha, pull.number, earlier=plan.earlier, base=pull.base_ref, base_sha=pull.base_sha
        )
        labelled = self.wanted.label is not None and self.wanted.label in pull.labels
        self._label_is_older = (
            pull.fork and labelled and not event_plans.set_on(plan, pull.head_sha, str(self.wanted.label))
        )
        if live is not None or now is not plan.as_told:  # else GitHub has just not answered
            self._withdraw(pull)
        return self._audited(
            self._order(
                head=f"refs/pull/{pull.number}/head",
                base=pull.base_sha,
                expected_head=pull.head_sha,
                pull_request=pull.number,
                fork=pull.fork,
                trusted=not pull.fork or labelled,
                description=Description(title=pull.title, body=pull.body),
            )
        )

    def _live(self, plan: AuditPullRequest) -> PullRequest | Ending:
        """The pull request now. A first run may go by its event when GitHub does not answer; a later one may not."""
        if self._github is None:
            return plan.as_told
        try:
            return self._github.within(ASKING_SECONDS).pull_request(plan.number)
        except GitHubTrouble as trouble:
            if self.runner.attempt > 1:
                return Ending(Outcome.ERROR, f"How the pull request stands now could not be asked: {trouble.sentence}")
            self.notice(f"The pull request is taken as the event tells it: {trouble.sentence}")
            return plan.as_told

    def _withdraw(self, pull: PullRequest) -> None:
        """Before anything else can go wrong: what passed for another base counts no longer."""
        if self._github is None:
            return
        instead = check_conclusion(Outcome.INCONCLUSIVE, self.wanted.check_conclusion, Inconclusive.ACTION_REQUIRED)
        assert instead is not None, "an open verdict has a conclusion"
        try:
            check_run_publisher.withdraw(
                self._github.within(ASKING_SECONDS), pull.head_sha, pull.number, pull.base_sha, instead
            )
        except GitHubTrouble as trouble:
            if trouble.kind not in (TroubleKind.DENIED, TroubleKind.READ_ONLY, TroubleKind.NOT_FOUND):
                self._log.warn(trouble.sentence)  # what the token may not do is told once, when the check run is begun

    # The audit

    def _order(
        self,
        *,
        head: str,
        base: str | None = None,
        expected_head: str | None = None,
        pull_request: int | None = None,
        fork: bool | None = None,
        trusted: bool = True,
        description: Description | None = None,
    ) -> Commission:
        return Commission(
            target=self.runner.clone_url,
            base=base,
            head=head,
            token=self.wanted.token or None,
            timeout=self._left(),
            wishes=self.wanted.wishes(),
            judging=self.wanted.judging(
                trusted=trusted, seconds=max(1.0, self._left() / 3), repository=self.runner.repository_url
            ),
            environment=self.wanted.reaching(self.runner.access),
            repository=self.runner.repository,
            pull_request=pull_request,
            fork=fork,
            description=description,
            check_name=check_name(self.wanted, self.wanted.rubric or DEFAULT_RUBRIC),
            expected_head=expected_head,
        )

    def _left(self) -> float:
        """Seconds of the input `timeout` that are left."""
        return max(1.0, self.wanted.timeout - (time.monotonic() - self._started))

    def _audited(self, order: Commission, *, model: bool = True) -> Ending:
        done = self._confined(order, model=model)
        if isinstance(done, Undone) and done.outcome is Outcome.SUPERSEDED and self._still(order):
            # GitHub moves the ref of a pull request a moment after its head: the commit itself can be fetched already.
            done = self._confined(replace(order, head=order.expected_head), model=model)
        if isinstance(done, Undone):
            return Ending(done.outcome, done.sentence)
        return self._published(done)

    def _confined(self, order: Commission, *, model: bool) -> Carried | Undone:
        return audit_child_process.audit(
            order, self._left(), lambda settled: self._consulted(settled, model=model), self._log.say
        )

    def _still(self, order: Commission) -> bool:
        """Is the head that was ordered the pull request's head now?"""
        if self._github is None or order.pull_request is None:
            return False
        try:
            return self._github.within(ASKING_SECONDS).pull_request(order.pull_request).head_sha == order.expected_head
        except GitHubTrouble:
            return False

    def _consulted(self, settled: Settled, *, model: bool) -> Counsel:
        """Begin the check run, which finds out whether the token may write, and say who is to judge."""
        self.inconclusive = settled.inconclusive
        self._begin(settled.rubric, ASKING_SECONDS)
        return Counsel(self._judges() if model else Judges.EMBEDDED.value, self._answers)

    def _judges(self) -> str:
        if self.wanted.credentials and self.wanted.keep_answers is Keeping.ALWAYS and not self.wanted.sealing:
            self._log.say(
                f"What a model answers is not kept for the next run: there is no key of {LEAST_SECRET} characters to seal it with; give one by the input answers-key."
            )
        if self._label_is_older and not self._judged_by_a_model():
            self.notice(
                f"No model is asked: the label {self.wanted.label!r} was not set on this commit against this base, as far as can be told. Take it off and set it again to have a model asked."
            )
            return Judges.EMBEDDED.value
        if self.wanted.judges is Judges.AUTO and not isinstance(self._run, CheckRun):
            if self.wanted.credentials:
                self.notice("No model is asked, because the verdict could not be written where it is looked for.")
            return Judges.EMBEDDED.value
        return self.wanted.judges.value

    def _judged_by_a_model(self) -> bool:
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
        self._about = About(rubric, matter.sha, matter.number, matter.ref, matter.base)
        if self._github is None:
            return
        github = self._github.within(seconds)
        try:
            name = check_name(self.wanted, rubric, whole=matter.whole)
            self._run = check_run_publisher.begin(github, self._about, name, self.runner.run_url)
            self._recall(github, self._run)
        except GitHubTrouble as trouble:
            if not isinstance(self._run, CheckRun):
                self._run = trouble
            self._log.warn(trouble.sentence)

    def _recall(self, github: GitHub, run: CheckRun) -> None:
        """What our check run says of itself, or else the one on the head before the push: scores, and sealed answers."""
        self._memory, self._answers = recall(run.text), check_run_answers.sealed_in(run.text)
        if self._memory is not None or self._matter is None or self._about is None:
            return
        if self._matter.earlier in (None, self._about.sha):
            return
        runs = github.check_runs(str(self._matter.earlier), self._about.external_id)
        texts = [each.text for each in runs if each.app == run.app]
        self._memory = next(filter(None, map(recall, texts)), None)
        self._answers = self._answers or next(filter(None, map(check_run_answers.sealed_in, texts)), "")

    def _published(self, done: Carried) -> Ending:
        assert self._about is not None, "the child told what was settled"
        self._begin_again()
        report = done.report
        for notice in done.notices:
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
        )
        if report.tool.bench == Judges.EMBEDDED.value and not done.answers:
            done = replace(done, answers=self._answers)  # kept for the run in which a model judges again
        publication = result_pages.verdict(
            done,
            check_conclusion(outcome, self.wanted.check_conclusion, self.inconclusive),
            links,
            self._memory,
            self._notices,
            commented=self.wanted.comment is CommentMode.ALWAYS and self._matter_number() is not None,
            most_annotations=self.wanted.annotations,
        )
        deliveries = publish(publication, self._desk())
        for each in deliveries:
            if each.reason:
                self._log.warn(f"{each.destination}: {each.reason}")
        if any(each.superseded for each in deliveries):
            outcome = Outcome.SUPERSEDED
        return Ending(outcome, report=report, deliveries=deliveries)

    def _begin_again(self) -> None:
        """One more try at a check run that passing trouble kept from being begun."""
        assert self._about is not None, "the child told what was settled"
        if isinstance(self._run, GitHubTrouble) and self._run.kind in _PASSES:
            self._begin(self._about.rubric, AGAIN_SECONDS)

    def _matter_number(self) -> int | None:
        return self._matter.number if self._matter else None

    def _desk(self) -> Desk:
        assert self._about is not None, "a verdict is about something"
        return Desk(
            about=self._about,
            stdout=self._stream,
            github=self._github,
            run=self._run,
            step_summary=self.runner.summary,
            workspace=self.runner.workspace,
            folder=self.wanted.report_directory,
        )

    # Merge groups

    def _carried(self, plan: CarryOver) -> Ending:
        self._matter = _Matter(plan.sha, ref=f"merge-group/{plan.number or plan.base_sha}")
        verdict = self._earlier_verdict(plan.number) if plan.number else None
        if verdict is None or self._github is None or plan.number is None:
            self.notice(
                "The pull request has no verdict to carry over, so its merge group is audited; no model is asked."
            )
            return self._audited(self._order(head=plan.sha, base=plan.base_sha, expected_head=plan.sha), model=False)
        rubric = verdict.external_id.split("/")[1]
        self._begin(rubric, ASKING_SECONDS)
        if not self._is_ours(verdict):
            self.notice("The check run on the pull request is another app's, so its merge group is audited.")
            return self._audited(self._order(head=plan.sha, base=plan.base_sha, expected_head=plan.sha), model=False)
        conclusion = CheckConclusion(verdict.conclusion or "")
        outcome = merge_groups.outcome_of(verdict)
        if conclusion is CheckConclusion.NEUTRAL:
            self.inconclusive = Inconclusive.NEUTRAL
        sentence = f"The verdict of pull request {plan.number} is carried over: {conclusion.value}."
        if not isinstance(self._run, CheckRun):
            return Ending(outcome, sentence)
        output = result_pages.carried_over(plan.number, verdict.title, verdict.url)
        try:
            done = check_run_publisher.abandon(self._github.within(ENDING_SECONDS), self._run, conclusion, output)
        except GitHubTrouble as trouble:
            self._log.warn(trouble.sentence)
            return Ending(outcome, sentence)
        return Ending(outcome, sentence, check_url=done.url)

    def _earlier_verdict(self, number: int) -> CheckRun | None:
        """Our concluded check run on the head of a pull request: the one of the rubric asked for, or the only one."""
        if self._github is None:
            return None
        github = self._github.within(ASKING_SECONDS)
        try:
            head = github.pull_request(number).head_sha
            runs = github.check_runs(head)
        except GitHubTrouble as trouble:
            self._log.warn(trouble.sentence)
            return None
        return merge_groups.verdict_of(number, runs, self.wanted)

    def _is_ours(self, verdict: CheckRun) -> bool:
        """Has our own app made it? An external id can be given by any app that may write checks."""
        run = self._run if isinstance(self._run, CheckRun) else None
        try:
            return self._github is not None and verdict.app == bot_login.app(self._github.within(ASKING_SECONDS), run)
        except GitHubTrouble as trouble:
            self._log.warn(trouble.sentence)
            return False

    # Ends without a verdict

    def abandon(self, ending: Ending) -> Ending:
        """Complete the check run of an audit that came to nothing; begin it for that, where it is known on what."""
        conclusion = check_conclusion(ending.outcome, self.wanted.check_conclusion, self.inconclusive)
        stopping = ending.outcome is Outcome.STOPPED
        if conclusion is None or self._github is None or ending.check_url or ending.deliveries:
            return ending
        if self._run is None and self._matter is not None and not stopping and ending.outcome is not Outcome.SUPERSEDED:
            rubric = self.wanted.rubric if self.wanted.rubric in built_in_rubrics() else DEFAULT_RUBRIC
            self._begin(rubric or DEFAULT_RUBRIC, ENDING_SECONDS)
        github = self._github.within(STOPPING_SECONDS if stopping else ENDING_SECONDS)
        try:
            begun = self._begun(github)
            if begun is None:
                return ending
            output = result_pages.no_verdict(ending.outcome, ending.sentence, self._answers)
            run = check_run_publisher.abandon(github, begun, conclusion, output)
        except GitHubTrouble as trouble:
            self._log.warn(trouble.sentence)
            return ending
        return Ending(ending.outcome, ending.sentence, check_url=run.url)

    def _begun(self, github: GitHub) -> CheckRun | None:
        """The check run as it stands now: a signal may have come while it was made, or just after it was concluded."""
        if self._about is None or isinstance(self._run, GitHubTrouble):
            return None
        runs = github.check_runs(self._about.sha, self._about.external_id)
        if self._run is None:
            return next(iter(runs), None)
        return next((each for each in runs if each.id == self._run.id), self._run)

    def close(self) -> None:
        """Give the connections back."""
        if self._github is not None:
            self._github.close()
