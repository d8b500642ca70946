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
from auditor.domain.published_texts import TOOL_ID
from auditor.github import ANNOTATIONS_PER_REQUEST, ErrorKind, GitHub, GitHubError
from auditor.publishers import bot_login, shared_head_commit
from auditor.publishers.head_freshness import PublicationSubject, create_once
from auditor.report import answers_kept_on_check_run
from auditor.report.previous_scores import parse_history

IN_PROGRESS_OUTPUT = CheckOutput(title="The audit is under way", summary="The verdict will be shown here.")
OUTDATED_OUTPUT = CheckOutput(
    title="Superseded by a newer commit",
    summary="The pull request has another head or base by now, and the run on that decides.",
)
REPLACED_OUTPUT = CheckOutput(
    title="Superseded by a later run",
    summary="A later run on the same commit has the verdict that counts.",
)
WITHDRAWN_OUTPUT = CheckOutput(
    title="To be audited again",
    summary="The verdict that stood here was on another base. The audit against the base of now has not ended.",
)
STAND_IN_OUTPUT = CheckOutput(
    title="A job has the name of this check",
    summary="The verdict is in a check with a longer name, and this one has the same conclusion. Rename the job, or set the input `check-name`.",
)
_MAX_RECOVERIES = 2
"""How often a batch is looked for when it is unclear whether it was written."""


class SubjectOutdated(Exception):
    """The pull request has another head or base by now: nothing of the verdict was written."""


def begin(github: GitHub, about: PublicationSubject, name: str, details_url: str | None = None) -> CheckRun:
    """The check run to conclude later: ours on this commit when there is one, else a new one `in_progress`.

    Either way something is written, so that a token that may not write is found out now. When a job on the commit
    goes by that name, or our own verdict by another rubric, ours gets a longer one: of two checks with one name both
    would have to pass, or one would hide the other. Another app does not drive us from our name. Raises GitHubTrouble.
    """
    for own_name in (name, f"{name}{_name_suffix(about.rubric)}"):
        runs = github.check_runs(about.sha, name=own_name)
        if not any(_has_name_conflict(run, about) for run in runs):
            return _reuse_run(github, about, runs, details_url) or _create_run(
                github, about, own_name, runs, details_url
            )
    raise GitHubError(
        ErrorKind.INVALID, "A job or another tool has the check's name on this commit: choose another check name."
    )


def _name_suffix(rubric: str) -> str:
    return f" \N{MIDDLE DOT} {rubric} verdict"


def _has_name_conflict(run: CheckRun, about: PublicationSubject) -> bool:
    """Verdicts on other pull requests with this head share the name, see `sharing`."""
    tool, _, rest = run.external_id.partition("/")
    if tool != TOOL_ID:
        return run.app == bot_login.JOB_APP
    rubric, _, matter = rest.partition("/")
    return rubric != about.rubric and about.external_id == f"{TOOL_ID}/{about.rubric}/{matter}"


def withdraw(github: GitHub, sha: str, number: int, base: str, instead: CheckConclusion) -> None:
    """Take back what passed on this commit for the pull request when it had another base.

    Checks belong to commits: a pull request that is led to another branch would keep the verdict by the rules of the
    first one until there is a new one, and for good when the new audit comes to nothing. Raises GitHubTrouble.
    """
    ours = re.compile(rf"({TOOL_ID}/[a-z][a-z0-9-]*/{int(number)})(/superseded)?")
    known = [(run, found) for run in github.check_runs(sha) if (found := ours.fullmatch(run.external_id))]
    stale = {found[1] for run, found in known if not found[2] and _audited_base(run) != base}
    for run, found in known:
        if found[1] in stale and run.conclusion in shared_head_commit.PASSING and run.conclusion != instead:
            try:
                github.update_check_run(
                    run.id, conclusion=instead, output=WITHDRAWN_OUTPUT.model_copy(update={"text": run.text})
                )
            except GitHubError as trouble:
                if trouble.kind is not ErrorKind.DENIED:  # then it is another app's, with our external id
                    raise


def _audited_base(run: CheckRun) -> str | None:
    memory = parse_history(run.text)
    return memory.now.base if memory else None


def _reuse_run(
    github: GitHub, about: PublicationSubject, runs: Iterable[CheckRun], details_url: str | None
) -> CheckRun | None:
    """Our run, recognized by GitHub letting us write to it: an external id can be given by any app."""
    for run in runs:
        if run.external_id == about.external_id:
            try:
                return github.update_check_run(run.id, external_id=run.external_id, details_url=details_url)
            except GitHubError as trouble:
                if trouble.kind is not ErrorKind.DENIED:
                    raise
    return None


def _create_run(
    github: GitHub, about: PublicationSubject, name: str, known: Iterable[CheckRun], details_url: str | None
) -> CheckRun:
    before = {run.id for run in known}

    def look() -> CheckRun | None:
        runs = github.check_runs(about.sha, about.external_id, name=name)
        return next((run for run in runs if run.id not in before), None)

    return create_once(
        github,
        lambda: github.create_check_run(name, about.sha, about.external_id, IN_PROGRESS_OUTPUT, details_url),
        look,
    )


@dataclass(frozen=True)
class ConclusionResult:
    """The check run with its conclusion, and in a sentence what else did not come about."""

    run: CheckRun
    reason: str = ""


def conclude(
    github: GitHub, about: PublicationSubject, run: CheckRun, conclusion: CheckConclusion, output: CheckOutput
) -> ConclusionResult:
    """Write the verdict. The conclusion is sent with the first annotations, so that it is there whatever follows.

    Raises Overtaken when a newer commit is the head, or the base another one: the run is cancelled then, unless it
    holds a verdict by now. Raises GitHubTrouble when there is no conclusion.
    """
    if _is_outdated(github, about):
        now = github.check_runs(about.sha, name=run.name)
        if not next((each for each in now if each.id == run.id), run).is_completed:
            kept = answers_kept_on_check_run.to_line(
                answers_kept_on_check_run.find_sealed(output.text)
            )  # the run on the newer commit looks for it here
            overtaken = OUTDATED_OUTPUT.model_copy(update={"text": kept})
            github.update_check_run(run.id, output=overtaken, conclusion=CheckConclusion.CANCELLED)
        raise SubjectOutdated
    runs = [each for each in github.check_runs(about.sha, name=run.name) if each.app == run.app]
    # Another run of the workflow on the same commit may have written since this one began.
    run = next((each for each in runs if each.id == run.id), run)
    if (
        conclusion in shared_head_commit.PASSING
        and (number := shared_head_commit.blocking_pull_request(github, about, runs)) is not None
    ):
        conclusion, output = (
            shared_head_commit.HELD_BACK_CONCLUSION,
            shared_head_commit.held_back_output(output, number),
        )
    present = [_normalize(each) for each in github.annotations(run.id)] if run.annotations else []
    outdated = ""
    if Counter(present) - Counter({_normalize(each) for each in output.annotations}):
        try:
            run, present = _create_run(github, about, run.name, runs, None), []
        except GitHubError as trouble:  # better the verdict beside old annotations than no verdict
            outdated = f"Annotations of an earlier verdict still show: {trouble.sentence}"
    concluded = _send_conclusion(github, run, conclusion, output, present)
    left = _update_other_runs(github, about, runs, concluded.run, conclusion)
    left = f"{left} {_update_stand_in(github, concluded.run, conclusion)}".strip()
    return replace(concluded, reason=" ".join(filter(None, (concluded.reason, outdated, left))))


def _is_outdated(github: GitHub, about: PublicationSubject) -> bool:
    """As far as the token can see: one that may write checks need not be able to read pull requests.

    The check run stands on the commit that was audited, so it takes nothing from a newer one.
    """
    try:
        return about.is_outdated(github)
    except GitHubError as trouble:
        if trouble.kind in (ErrorKind.DENIED, ErrorKind.NOT_FOUND):
            return False
        raise


def _update_other_runs(
    github: GitHub, about: PublicationSubject, runs: Iterable[CheckRun], run: CheckRun, conclusion: CheckConclusion
) -> str:
    """See to the other runs of the commit, now that the verdict is written: what could not be done, in a sentence."""
    try:
        for each in runs:
            if each.id != run.id:
                _supersede_run(github, about, each, run, conclusion)
        if conclusion not in shared_head_commit.PASSING:
            shared_head_commit.hold_back_others(github, about, runs)
    except GitHubError as trouble:
        return f"An older check run of this commit is still there: {trouble.sentence}"
    return ""


def _update_stand_in(github: GitHub, run: CheckRun, conclusion: CheckConclusion) -> str:
    """Where a job has our name, write a verdict that does not pass under it too; what went wrong, in a sentence.

    Whoever changes a workflow names its jobs: without this, a job that does nothing could pass for the required check.
    """
    rubric = run.external_id.removeprefix(f"{TOOL_ID}/").partition("/")[0]
    name = run.name.removesuffix(_name_suffix(rubric))
    if name == run.name:
        return ""
    identity_of_it = f"{run.external_id}/stand-in"
    try:
        known = [each for each in github.check_runs(run.head_sha, identity_of_it, name=name) if each.app == run.app]
        if not known and conclusion in shared_head_commit.PASSING:
            return ""
        made = (
            known[0] if known else github.create_check_run(name, run.head_sha, identity_of_it, STAND_IN_OUTPUT, run.url)
        )
        if made.conclusion != conclusion:
            github.update_check_run(made.id, conclusion=conclusion, output=STAND_IN_OUTPUT, details_url=run.url)
    except GitHubError as trouble:
        return f"A job has the name of the check, and the verdict could not be shown beside it: {trouble.sentence}"
    return ""


def _supersede_run(
    github: GitHub, about: PublicationSubject, old: CheckRun, successor: CheckRun, conclusion: CheckConclusion
) -> None:
    """An older run of ours gives way to the one that counts, and has its conclusion from then on.

    Which of two runs with one name counts depends on their suites, which nobody can choose, and on times: with one
    conclusion it does not matter. A newer one is another process's, which concludes it itself.
    """
    superseded = f"{about.external_id}/superseded"
    if old.external_id == about.external_id and old.id < successor.id:
        github.update_check_run(
            old.id, output=REPLACED_OUTPUT, conclusion=conclusion, external_id=superseded, details_url=successor.url
        )
    elif old.external_id == superseded and old.conclusion != conclusion:
        github.update_check_run(old.id, conclusion=conclusion)


def _send_conclusion(
    github: GitHub,
    run: CheckRun,
    conclusion: CheckConclusion,
    output: CheckOutput,
    present: Sequence[Annotation],
) -> ConclusionResult:
    """Conclude, and add what is missing in batches. A batch of unclear fate is looked for, never sent blindly again."""

    def send(batch: Sequence[Annotation], *, final: bool) -> CheckRun:
        shown = output.model_copy(update={"annotations": tuple(batch)})
        return github.update_check_run(run.id, output=shown, conclusion=conclusion if final else None)

    missing = _missing_annotations(output, present)
    concluded: CheckRun | None = None
    recoveries = _MAX_RECOVERIES
    while concluded is None or missing:
        batch = missing[:ANNOTATIONS_PER_REQUEST]
        try:
            concluded = send(batch, final=concluded is None)
        except GitHubError as trouble:
            if trouble.maybe_done and batch and recoveries:
                recoveries -= 1
                github.pause()
                missing = _missing_annotations(output, github.annotations(run.id))
                continue
            if concluded is None and not (batch and trouble.kind is ErrorKind.INVALID):
                raise
            reason = f"{len(missing)} annotations are not on the check run: {trouble.sentence}"
            return ConclusionResult(concluded or send((), final=True), reason)
        missing = missing[len(batch) :]
    return ConclusionResult(concluded)


def _missing_annotations(output: CheckOutput, present: Iterable[Annotation]) -> list[Annotation]:
    there = {_normalize(each) for each in present}
    return [each for each in dict.fromkeys(output.annotations) if _normalize(each) not in there]


def _normalize(annotation: Annotation) -> Annotation:
    """The annotation as it is compared: GitHub may keep blanks at the ends of a text its own way."""
    return annotation.model_copy(update={"title": annotation.title.strip(), "message": annotation.message.strip()})


def abandon(github: GitHub, run: CheckRun, conclusion: CheckConclusion, output: CheckOutput) -> CheckRun:
    """End a run without a verdict: after a crash, a timeout or a signal. One request, no annotations.

    A verdict from before on the same commit is left as it is, unless it was withdrawn.
    """
    if run.is_completed and run.title != WITHDRAWN_OUTPUT.title:
        return run
    done = github.update_check_run(run.id, output=output.model_copy(update={"annotations": ()}), conclusion=conclusion)
    _update_stand_in(github, done, conclusion)
    return done
