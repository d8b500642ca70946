"""The verdict as a sentence, for a heading, a check run's title or a comment."""

from __future__ import annotations

from auditor.domain import AuditReport, Conclusion, GateReason
from auditor.report.escaping import clip

WORDS = {Conclusion.PASSED: "Passed", Conclusion.FAILED: "Failed", Conclusion.INCONCLUSIVE: "Inconclusive"}
MARKS = {Conclusion.PASSED: "\u2705", Conclusion.FAILED: "\u274c", Conclusion.INCONCLUSIVE: "\u26a0\ufe0f"}
_REASON = 160


def verdict(report: AuditReport) -> str:
    """How the audit ended and why, in one sentence. May quote titles of the rubric: escape it like any foreign text."""
    ended = report.verdict.conclusion
    overall = f" with {report.verdict.overall:.1f} of 5" if report.verdict.overall is not None else ""
    if ended is Conclusion.PASSED:
        asked = any(each.demand != "judged" for each in report.verdict.gate.reasons)
        return f"Passed{overall}{': everything the gate asks for is there' if asked else ''}."
    decisive = deciding(report)
    return f"{WORDS[ended]}{overall}{f': {_inside(clip(decisive[0].sentence, _REASON))}' if decisive else ''}."


def deciding(report: AuditReport) -> tuple[GateReason, ...]:
    """What the conclusion rests on, the most telling first; empty when the gate passed."""
    ended = report.verdict.conclusion
    if ended is Conclusion.PASSED:
        return ()
    return tuple(sorted((each for each in report.verdict.gate.reasons if each.conclusion is ended), key=_telling))


def also(report: AuditReport) -> tuple[str, ...]:
    """Sentences of all other reasons for not passing, beyond the one in the verdict's sentence."""
    first = deciding(report)[:1]
    rest = [each for each in report.verdict.gate.reasons if each.conclusion is not Conclusion.PASSED]
    if report.verdict.conclusion is Conclusion.PASSED:
        return ()
    unread = [each for each in rest if each.conclusion is Conclusion.INCONCLUSIVE and each.evidence]
    return (*(each.sentence for each in rest if each not in first), *([_UNREAD] if unread else []))


_UNREAD = "Files that nobody needs to judge, such as build results, can be named under exclude in the base side's configuration."


def first_of(found: int) -> str:
    """What stands before the first thing to mend, when so many were found."""
    return "To mend:" if found == 1 else f"First of {found:,} things to mend:"


def _telling(reason: GateReason) -> int:
    """A criterion with its score says more than a list of probes, and that more than the overall score."""
    kinds = ("criteria", "no_new", "overall", "judged")
    kind = reason.demand.split(".", 1)[0]
    return kinds.index(kind) if kind in kinds else len(kinds)


def _inside(sentence: str) -> str:
    """A sentence as it stands behind a colon: without its full stop, and beginning small where a plain word begins it."""
    bare = sentence.strip().removesuffix(".")
    begins = bare.split(" ", 1)[0]
    return bare[:1].lower() + bare[1:] if begins in _PLAIN else bare


_PLAIN = {"The", "Confirmed", "There", "Whether", "Nothing"}
