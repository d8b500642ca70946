"""The verdict as a sentence, for a heading, a check run's title or a comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from auditor.domain import (
    APPROVAL_DEMAND,
    AuditReport,
    CodeLocation,
    Conclusion,
    Evidence,
    GateReason,
    Outcome,
    RulingStatus,
)
from auditor.english_counts import by_count
from auditor.report.certainty import meaning_of
from auditor.report.escaping import clip
from auditor.report.fix_priorities import Priority

CONCLUSION_WORDS = {each: each.spoken.capitalize() for each in Conclusion}
CONCLUSION_MARKS = {
    Conclusion.PASSED: "\u2705",
    Conclusion.FAILED: "\u274c",
    Conclusion.INCONCLUSIVE: "\u26a0\ufe0f",
    Conclusion.NOTHING_TO_JUDGE: "\u26aa",
}
_MAX_REASON = 220


def verdict(report: AuditReport) -> str:
    """How the audit ended and why, in one sentence. May quote titles of the rubric: escape it like any foreign text."""
    ended = report.verdict.conclusion
    overall = f" with {report.verdict.overall:.1f} of 5" if report.verdict.overall is not None else ""
    if ended is Conclusion.PASSED:
        asked = any(each.demand != "judged" for each in report.verdict.gate.reasons)
        return f"Passed{overall}{': everything the gate asks for is there' if asked else ''}."
    decisive = decisive_reasons(report)
    said = f"{CONCLUSION_WORDS[ended]}{overall}{f': {_inline_reason(decisive[0])}' if decisive else ''}"
    return said if said.endswith("…") else f"{said}."


def decisive_reasons(report: AuditReport) -> tuple[GateReason, ...]:
    """What the conclusion rests on, the most telling first; empty when the gate passed."""
    ended = report.verdict.conclusion
    if ended is Conclusion.PASSED:
        return ()
    return tuple(sorted((each for each in report.verdict.gate.reasons if each.conclusion is ended), key=_reason_rank))


def other_reasons(report: AuditReport) -> tuple[str, ...]:
    """Sentences of all other reasons for not passing, beyond the one in the verdict's sentence."""
    first = decisive_reasons(report)[:1]
    rest = [each for each in report.verdict.gate.reasons if each.conclusion is not Conclusion.PASSED]
    if report.verdict.conclusion is Conclusion.PASSED:
        return ()
    return (
        *(each.sentence for each in rest if each not in first),
        *_unavailable_causes(report),
        *_hints(open_evidence(report)),
        *([_APPROVE_HINT] if needs_approval(report) else []),
    )


def open_evidence(report: AuditReport) -> list[Evidence]:
    """The evidence that leaves a demand of the gate open."""
    reasons = (each for each in report.verdict.gate.reasons if each.conclusion is Conclusion.INCONCLUSIVE)
    named = {name for each in reasons for name in each.evidence}
    return [each for each in report.evidence if each.id in named]


def needs_approval(report: AuditReport) -> bool:
    """Does the gate wait for somebody to approve the commit?"""
    return any(
        each.demand == APPROVAL_DEMAND and each.conclusion is Conclusion.INCONCLUSIVE
        for each in report.verdict.gate.reasons
    )


def _hints(left: Sequence[Evidence]) -> Iterator[str]:
    """What to do about evidence that leaves the gate open: of a line, and of a file that was not read."""
    of_lines = [each for each in left if any(isinstance(at, CodeLocation) and at.start for at in each.locations)]
    if of_lines:
        yield _READ_HINT
    if len(of_lines) < len(left):
        yield _EXCLUDE_HINT


def _unavailable_causes(report: AuditReport) -> Iterator[str]:
    """Why nobody could judge a criterion that rests on nothing but what could not be determined, each cause once."""
    left = {each.criterion for each in report.verdict.rulings if each.status is RulingStatus.INCONCLUSIVE}
    asked = {
        each.id: frozenset(looked_at.probe for looked_at in each.evidence)
        for each in report.rubric.definition.criteria
        if each.id in left
    }
    causes: dict[str, None] = {}
    for probes in asked.values():
        seen = [each for each in report.evidence if each.probe in probes and each.outcome is not Outcome.NOT_APPLICABLE]
        if all(each.outcome is Outcome.UNAVAILABLE for each in seen):
            causes |= dict.fromkeys(with_note(each.statement, "") for each in seen)
    yield from islice(causes, _MAX_CAUSES)


_MAX_CAUSES = 3


_READ_HINT = "If no text from outside can reach the line, merge without the check, or waive the criterion for the file in the configuration of the base branch."
_APPROVE_HINT = "Review the change. If it is safe, approve the pull request on GitHub, or else request changes. If the audit does not start again after that, run the workflow again."
_EXCLUDE_HINT = "Files that nobody needs to judge, such as build results, can be named under exclude in the base side's configuration."


def lead(report: AuditReport, found: Sequence[Priority]) -> str:
    """The words before the first finding; empty where there is none, where it is weak, or where the verdict names it."""
    named = [each.evidence[0] for each in decisive_reasons(report)[:1] if each.evidence]
    if not found or found[0].weak or found[0].evidence.id in named:
        return ""
    return "To fix:" if len(found) == 1 else f"{len(found):,} findings. First:"


def waiver_sentences(report: AuditReport) -> tuple[str, ...]:
    """What is waived, until when, and why: a sentence or two for each waiver in force."""
    titles = {each.id: each.title for each in report.rubric.definition.criteria}
    return tuple(
        f"Waived{f' until {each.until}' if each.until else ''}: {titles.get(each.criterion, each.criterion)}"
        f"{f' in {each.path}' if each.path else ''}. {each.reason}"
        for each in report.rubric.waivers
    )


def evidence_sentence(evidence: Evidence) -> str:
    """What was seen, as a whole sentence, with how sure that is and why not more."""
    return with_note(evidence.statement, confidence_note(evidence))


def confidence_note(evidence: Evidence) -> str:
    """How sure it is and why not more; empty where nothing is in doubt."""
    if evidence.confidence >= 1:
        return ""
    return f"{evidence.confidence:.0%} sure: {evidence.confidence_reason}"


def with_note(statement: str, note: str) -> str:
    """A statement that ends with one full stop, whether it had one or not, and the doubt before it."""
    bare = statement.rstrip()
    if note:
        return f"{bare.removesuffix('.')} ({note})."
    return bare if bare.endswith(_SENTENCE_ENDS) else f"{bare}."


_SENTENCE_ENDS = (".", "!", "?", "\u2026")


def _reason_rank(reason: GateReason) -> int:
    """What was seen says more than the score it cost, that more than what could not be determined, and all more than the overall."""
    if reason.demand == "no_new" and reason.conclusion is Conclusion.FAILED:
        return -1
    kinds = ("criteria", "no_new", "objections", "approval", "overall", "judged")
    kind = reason.demand.split(".", 1)[0]
    return kinds.index(kind) if kind in kinds else len(kinds)


def advice_sentences(finding: Priority) -> tuple[str, ...]:
    """Why a finding matters, what to try, when it is fine, and how sure it is: a sentence or two each, as far as known."""
    meaning = meaning_of(finding.certainty)
    said = (
        (finding.harm, f"Why: {finding.harm}"),
        (finding.tried, f"Try: {finding.tried}"),
        (finding.fine_if, f"Fine if {finding.fine_if}."),
        (meaning, f"{finding.certainty.capitalize()}: {meaning}."),
    )
    return tuple(sentence for known, sentence in said if known)


def no_fixes(*, weak: int, defects: bool) -> str:
    """What is said in place of a list of findings that is empty but for weak ones."""
    if weak:
        return f"Nothing to fix first. {weak_sentence(weak)}"
    return "Rules found nothing else to fix." if defects else "Nothing: every expectation that applies is met."


def weak_sentence(weak: int) -> str:
    """How many findings are weak, and what that means."""
    return f"{weak:,} {by_count(weak, 'finding is', 'findings are')} of low severity or only possible."


def _inline_reason(reason: GateReason) -> str:
    """A reason as it is behind a colon: without its full stop, and beginning small where no title or name begins it."""
    bare = reason.sentence.strip().removesuffix(".")
    if reason.demand == "no_new" and bare.endswith(")"):
        bare = bare.rpartition(" (")[0]  # the names of the probes stand in the list of reasons
    bare = clip(bare, _MAX_REASON)
    begins = bare.split(" ", 1)[0]
    seen = reason.demand == "no_new" and (begins == "A" or (begins[1:].isalpha() and begins[1:].islower()))
    plain = seen or begins in _LOWERCASE_WORDS
    return bare[:1].lower() + bare[1:] if plain else bare


_LOWERCASE_WORDS = {"The", "There", "Whether", "Nothing"}
