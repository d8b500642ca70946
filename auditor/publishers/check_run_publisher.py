"""The check run: begun before the work, concluded after it, each annotation on it once.

GitHub knows no way to take an annotation back, and each update adds. So a run that is found again keeps what still
holds and gets what is missing; when it carries something that no longer holds, a new run of the same name takes its
place and the old one steps aside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from auditor.domain import Annotation, CheckConclusion, CheckOutput, CheckRun
from auditor.domain.publication import TOOL
from auditor.github import ANNOTATIONS_PER_REQUEST, GitHub, GitHubTrouble, TroubleKind
from auditor.publishers import bot_login, shared_head_commit
from auditor.publishers.head_freshness import About, once
from auditor.report import check_run_answers
from auditor.report.previous_scores import recall

BEGUN = CheckOutput(title="The audit is under way", summary="The verdict will stand here.")
OVERTAKEN = CheckOutput(
    title="Superseded by a newer commit",
    summary="The pull request has another head or base by now, and the run on that decides.",
)
STEPPED_ASIDE = CheckOutput(
    title="Superseded by a later run",
    summary="A later run on the same commit has the verdict that counts.",
)
WITHDRAWN = CheckOutput(
    title="To be audited anew",
    summary="The verdict that stood here was on another base. The audit against the base of now has not ended.",
)
STAND_IN = CheckOutput(
    title="A job goes by the name of this check",
    summary="The verdict stands in a check of a longer name, and this one ends as that does. Give the job another name, or the check by the input `check-name`.",
)
_RECOVERIES = 2
"""How often a batch of unclear fate is looked for."""


class Overtaken(Exception):
    """The pull request has another head or base by now: nothing of the verdict was written."""


def begin(github: GitHub, about: About, name: str, details_url: str | None = None) -> CheckRun:
    """The check run to conclude later: ours on this commit when there is one, else a new one `in_progress`.

    Either way something is written, so that a token that may not write is found out now. When a job on the commit
    goes by that name, or our own verdict by another rubric, ours gets a longer one: of two checks with one name both
    would have to pass, or one would hide the other. Another app does not drive us from our name. Raises GitHubTrouble.
    """
    for own_name in (name, f"{name}{_longer(about.rubric)}"):
        runs = github.check_runs(about.sha, name=own_name)
        if not any(_takes_the_name(run, about) for run in runs):
            return _found(github, about, runs, details_url) or _made(github, about, own_name, runs, details_url)
    raise GitHubTrouble(
        TroubleKind.INVALID, "A job or another tool has the check's name on this commit: choose another check name."
    )


def _longer(rubric: str) -> str:
    return f" \N{MIDDLE DOT} {rubric} verdict"


def _takes_the_name(run: CheckRun, about: About) -> bool:
    """Verdicts on other pull requests with this head share the name, see `sharing`."""
    tool, _, rest = run.external_id.partition("/")
    if tool != TOOL:
        return run.app == bot_login.JOB_APP
    rubric, _, matter = rest.partition("/")
    return rubric != about.rubric and about.external_id == f"{TOOL}/{about.rubric}/{matter}"


def withdraw(github: GitHub, sha: str, number: int, base: str, instead: CheckConclusion) -> None:
    """Take back what passed on this commit for the pull request when it had another base.

    Checks belong to commits: a pull request that is led to another branch would keep the verdict by the rules of the
    first one until there is a new one, and for good when the new audit comes to nothing. Raises GitHubTrouble.
    """
    ours = re.compile(rf"({TOOL}/[a-z][a-z0-9-]*/{int(number)})(/superseded)?")
    known = [(run, found) for run in github.check_runs(sha) if (found := ours.fullmatch(run.external_id))]
    stale = {found[1] for run, found in known if not found[2] and _base(run) != base}
    for run, found in known:
        if found[1] in stale and run.conclusion in shared_head_commit.PASSING and run.conclusion != instead:
            try:
                github.update_check_run(
                    run.id, conclusion=instead, output=WITHDRAWN.model_copy(update={"text": run.text})
                )
            except GitHubTrouble as trouble:
                if trouble.kind is not TroubleKind.DENIED:  # then it is another app's, with our external id
                    raise


def _base(run: CheckRun) -> str | None:
    memory = recall(run.text)
    return memory.now.base if memory else None


def _found(github: GitHub, about: About, runs: Iterable[CheckRun], details_url: str | None) -> CheckRun | None:
    """Our run, told by GitHub letting us write to it: an external id can be given by any app."""
    for run in runs:
        if run.external_id == about.external_id:
            try:
                return github.update_check_run(run.id, external_id=run.external_id, details_url=details_url)
            except GitHubTrouble as trouble:
                if trouble.kind is not TroubleKind.DENIED:
                    raise
    return None


def _made(github: GitHub, about: About, name: str, known: Iterable[CheckRun], details_url: str | None) -> CheckRun:
    before = {run.id for run in known}

    def look() -> CheckRun | None:
        runs = github.check_runs(about.sha, about.external_id, name=name)
        return next((run for run in runs if run.id not in before), None)

    return once(github, lambda: github.create_check_run(name, about.sha, about.external_id, BEGUN, details_url), look)


@dataclass(frozen=True)
class Concluded:
    """The check run with its conclusion, and in a sentence what else did not come about."""

    run: CheckRun
    reason: str = ""


def conclude(
    github: GitHub, about: About, run: CheckRun, conclusion: CheckConclusion, output: CheckOutput
) -> Concluded:
    """Write the verdict. The conclusion goes out with the first annotations, so that it stands whatever follows.

    Raises Overtaken when a newer commit is the head, or the base another one: the run is cancelled then, unless it
    holds a verdict by now. Raises GitHubTrouble when there is no conclusion.
    """
    if _overtaken(github, about):
        now = github.check_runs(about.sha, name=run.name)
        if not next((each for each in now if each.id == run.id), run).completed:
            kept = check_run_answers.to_line(
                check_run_answers.sealed_in(output.text)
            )  # the run on the newer commit looks for it here
            overtaken = OVERTAKEN.model_copy(update={"text": kept})
            github.update_check_run(run.id, output=overtaken, conclusion=CheckConclusion.CANCELLED)
        raise Overtaken
    runs = [each for each in github.check_runs(about.sha, name=run.name) if each.app == run.app]
    # Another run of the workflow on the same commit may have written since this one began.
    run = next((each for each in runs if each.id == run.id), run)
    if (
        conclusion in shared_head_commit.PASSING
        and (number := shared_head_commit.holder(github, about, runs)) is not None
    ):
        conclusion, output = shared_head_commit.HELD_BACK, shared_head_commit.held(output, number)
    present = [_plain(each) for each in github.annotations(run.id)] if run.annotations else []
    outdated = ""
    if Counter(present) - Counter({_plain(each) for each in output.annotations}):
        try:
            run, present = _made(github, about, run.name, runs, None), []
        except GitHubTrouble as trouble:  # better the verdict beside old annotations than no verdict
            outdated = f"Annotations of an earlier verdict still show: {trouble.sentence}"
    concluded = _complete(github, run, conclusion, output, present)
    left = _tidied(github, about, runs, concluded.run, conclusion)
    left = f"{left} {_stood_in(github, concluded.run, conclusion)}".strip()
    return replace(concluded, reason=" ".join(filter(None, (concluded.reason, outdated, left))))


def _overtaken(github: GitHub, about: About) -> bool:
    """As far as the token can tell: one that may write checks need not be able to read pull requests.

    The check run stands on the commit that was audited, so it takes nothing from a newer one.
    """
    try:
        return about.overtaken(github)
    except GitHubTrouble as trouble:
        if trouble.kind in (TroubleKind.DENIED, TroubleKind.NOT_FOUND):
            return False
        raise


def _tidied(github: GitHub, about: About, runs: Iterable[CheckRun], run: CheckRun, conclusion: CheckConclusion) -> str:
    """See to the other runs of the commit, now that the verdict stands: what could not be done, in a sentence."""
    try:
        for each in runs:
            if each.id != run.id:
                _follow(github, about, each, run, conclusion)
        if conclusion not in shared_head_commit.PASSING:
            shared_head_commit.hold_others(github, about, runs)
    except GitHubTrouble as trouble:
        return f"An older check run of this commit still stands: {trouble.sentence}"
    return ""


def _stood_in(github: GitHub, run: CheckRun, conclusion: CheckConclusion) -> str:
    """Where a job has our name, let a verdict that does not pass stand under it too; what went wrong, in a sentence.

    Whoever changes a workflow names its jobs: without this, a job that does nothing could pass for the required check.
    """
    rubric = run.external_id.removeprefix(f"{TOOL}/").partition("/")[0]
    name = run.name.removesuffix(_longer(rubric))
    if name == run.name:
        return ""
    identity_of_it = f"{run.external_id}/stand-in"
    try:
        known = [each for each in github.check_runs(run.head_sha, identity_of_it, name=name) if each.app == run.app]
        if not known and conclusion in shared_head_commit.PASSING:
            return ""
        made = known[0] if known else github.create_check_run(name, run.head_sha, identity_of_it, STAND_IN, run.url)
        if made.conclusion != conclusion:
            github.update_check_run(made.id, conclusion=conclusion, output=STAND_IN, details_url=run.url)
    except GitHubTrouble as trouble:
        return f"A job has the name of the check, and the verdict could not be shown beside it: {trouble.sentence}"
    return ""


def _follow(github: GitHub, about: About, old: CheckRun, heir: CheckRun, conclusion: CheckConclusion) -> None:
    """An older run of ours gives way to the one that counts, and has its conclusion from then on.

    Which of two runs with one name counts depends on their suites, which nobody can choose, and on times: with one
    conclusion it does not matter. A newer one is another process's, which concludes it itself.
    """
    superseded = f"{about.external_id}/superseded"
    if old.external_id == about.external_id and old.id < heir.id:
        github.update_check_run(
            old.id, output=STEPPED_ASIDE, conclusion=conclusion, external_id=superseded, details_url=heir.url
        )
    elif old.external_id == superseded and old.conclusion != conclusion:
        github.update_check_run(old.id, conclusion=conclusion)


def _complete(
    github: GitHub,
    run: CheckRun,
    conclusion: CheckConclusion,
    output: CheckOutput,
    present: Sequence[Annotation],
) -> Concluded:
    """Conclude, and add what is missing in batches. A batch of unclear fate is looked for, never sent blindly again."""

    def send(batch: Sequence[Annotation], *, final: bool) -> CheckRun:
        shown = output.model_copy(update={"annotations": tuple(batch)})
        return github.update_check_run(run.id, output=shown, conclusion=conclusion if final else None)

    missing = _missing(output, present)
    concluded: CheckRun | None = None
    recoveries = _RECOVERIES
    while concluded is None or missing:
        batch = missing[:ANNOTATIONS_PER_REQUEST]
        try:
            concluded = send(batch, final=concluded is None)
        except GitHubTrouble as trouble:
            if trouble.maybe_done and batch and recoveries:
                recoveries -= 1
                github.pause()
                missing = _missing(output, github.annotations(run.id))
                continue
            if concluded is None and not (batch and trouble.kind is TroubleKind.INVALID):
                raise
            reason = f"{len(missing)} annotations are not on the check run: {trouble.sentence}"
            return Concluded(concluded or send((), final=True), reason)
        missing = missing[len(batch) :]
    return Concluded(concluded)


def _missing(output: CheckOutput, present: Iterable[Annotation]) -> list[Annotation]:
    there = {_plain(each) for each in present}
    return [each for each in dict.fromkeys(output.annotations) if _plain(each) not in there]


def _plain(annotation: Annotation) -> Annotation:
    """The annotation as it is compared: GitHub may keep blanks at the ends of a text its own way."""
    return annotation.model_copy(update={"title": annotation.title.strip(), "message": annotation.message.strip()})


def abandon(github: GitHub, run: CheckRun, conclusion: CheckConclusion, output: CheckOutput) -> CheckRun:
    """End a run without a verdict: after a crash, a timeout or a signal. One request, no annotations.

    A verdict from before on the same commit is left as it is, unless it was withdrawn.
    """
    if run.completed and run.title != WITHDRAWN.title:
        return run
    done = github.update_check_run(run.id, output=output.model_copy(update={"annotations": ()}), conclusion=conclusion)
    _stood_in(github, done, conclusion)
    return done
