"""What is reported about a run: the pages where there is no verdict, the outputs, and a verdict ready to be published. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.action.run_conclusions import Outcome
from auditor.audit_builder import AuditResult
from auditor.domain import AuditReport, CheckConclusion, CheckOutput, Conclusion, Delivery, RulingStatus
from auditor.publishers import Publication
from auditor.report import answers_kept_on_check_run
from auditor.report.check_run_text import check_output
from auditor.report.comment_text import comment
from auditor.report.escaping import clip, for_check, for_markdown, for_plain
from auditor.report.github_links import Links
from auditor.report.html_report import html
from auditor.report.job_summary_text import summary
from auditor.report.markdown_report import markdown
from auditor.report.previous_scores import VerdictHistory
from auditor.report.report_json import to_json
from auditor.report.sarif_report import sarif

OUTPUTS = (
    "verdict",
    "score",
    "failed-criteria",
    "inconclusive-criteria",
    "report-path",
    "check-url",
    "comment-url",
)
_TITLES = {
    Outcome.PASSED: "Passed",
    Outcome.FAILED: "Failed",
    Outcome.INCONCLUSIVE: "Inconclusive",
    Outcome.NOTHING_TO_JUDGE: "Nothing to judge",
    Outcome.ERROR: "The audit could not run",
    Outcome.BUG: "The audit ended with a bug in the tool",
    Outcome.TIMED_OUT: "The audit timed out",
    Outcome.STOPPED: "The run was cancelled",
    Outcome.SUPERSEDED: "Superseded by a newer commit",
    Outcome.SKIPPED: "Nothing to audit",
}
_MAX_TITLE = 200
_MAX_TEXT = 2_000


def make_publication(
    result: AuditResult,
    conclusion: CheckConclusion | None,
    links: Links,
    history: VerdictHistory | None,
    notices: Iterable[str],
    *,
    commented: bool,
    most_annotations: int,
) -> Publication:
    """A verdict, ready for every place."""
    report = result.report
    said = (*notices, *result.notices)
    return Publication(
        conclusion=conclusion,
        check=check_output(report, links, history, said, max_annotations=most_annotations, answers=result.answers),
        comment=comment(report, links, history, said) if commented else None,
        summary=summary(report, links, history, said),
        files={
            "report.json": to_json(report),
            "report.md": markdown(report),
            "report.html": html(report, Links(tool=links.tool)),
            "report.sarif": sarif(report, links, result.rules),
        },
    )


def no_verdict_output(outcome: Outcome, sentence: str, answers: str = "") -> CheckOutput:
    """What the check run shows of an audit that came to nothing. Answers that were kept stay for the next one."""
    title = _TITLES[outcome]
    summary = for_check(for_markdown(clip(sentence, _MAX_TEXT))) or title
    return CheckOutput(title=title, summary=summary, text=answers_kept_on_check_run.to_line(answers))


def summary_page(outcome: Outcome, sentence: str) -> str:
    """What the job summary shows without a report."""
    lines = [f"- {for_markdown(clip(line, _MAX_TEXT))}" for line in sentence.splitlines() if line.strip()]
    return "\n".join([f"### Automaton Auditor: {_TITLES[outcome].lower()}", "", *lines, ""])


def carried_over_output(number: int, title: str, url: str | None) -> CheckOutput:
    """What the check run of a merge group shows: the verdict of its pull request."""
    told = for_check(for_plain(clip(title, _MAX_TITLE - 60)))
    where = f"[its check run]({url})" if url else "its check run"
    return CheckOutput(
        title=clip(f"As pull request {number}: {told}", _MAX_TITLE),
        summary=f"The verdict on the head of pull request {number} also applies to its merge group; no judge was asked again. It is in {where}.",
    )


def outputs(
    outcome: Outcome,
    report: AuditReport | None = None,
    deliveries: Iterable[Delivery] = (),
    report_path: str = "",
    check_url: str | None = None,
) -> Mapping[str, str]:
    """The step's outputs: words of a closed set, numbers, ids of criteria and addresses; no foreign text."""
    made = {each.destination: each for each in deliveries if each.delivered}
    found = dict.fromkeys(OUTPUTS, "") | {"verdict": outcome.value}
    if report is not None:
        overall = report.verdict.overall
        found["score"] = "" if overall is None else f"{overall:.1f}"
        found["failed-criteria"] = ",".join(_failed_criteria(report))
        found["inconclusive-criteria"] = ",".join(_inconclusive_criteria(report))
    if "files" in made:
        found["report-path"] = report_path
    for destination in ("check", "comment"):
        if destination in made:
            found[f"{destination}-url"] = made[destination].url or ""
    if check_url and not found["check-url"]:
        found["check-url"] = check_url
    return found


def _inconclusive_criteria(report: AuditReport) -> list[str]:
    """Criteria without a score for want of opinions, and those whose demand hangs on an opinion that is missing."""
    hanging = {
        each.demand.removeprefix("criteria.")
        for each in report.verdict.gate.reasons
        if each.conclusion is Conclusion.INCONCLUSIVE
    }
    return [
        each.criterion
        for each in report.verdict.rulings
        if each.status is RulingStatus.INCONCLUSIVE or each.criterion in hanging
    ]


def _failed_criteria(report: AuditReport) -> list[str]:
    """Criteria that failed the gate: by a demand of their own, or by evidence that a demand names."""
    reasons = [each for each in report.verdict.gate.reasons if each.conclusion is Conclusion.FAILED]
    named = {each.demand.removeprefix("criteria.") for each in reasons if each.demand.startswith("criteria.")}
    probes = {identity.partition("#")[0] for each in reasons for identity in each.evidence}
    return [
        criterion.id
        for criterion in report.rubric.definition.criteria
        if criterion.id in named or probes & {expectation.probe for expectation in criterion.evidence}
    ]
