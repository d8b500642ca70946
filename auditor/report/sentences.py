"""The verdict as a sentence, for a heading, a check run's title or a comment."""

from __future__ import annotations

from auditor.domain import AuditReport, Conclusion, Cost, GateReason
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
    return tuple(each.sentence for each in rest if each not in first)


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


def judged_by(report: AuditReport) -> str:
    """Who judged and what it cost, in one sentence."""
    if report.tool.bench == "embedded":
        return "Judged by written policies; no model was asked."
    return f"Judged by the {report.tool.bench} bench: {cost(report.cost)}."


def cost(spent: Cost) -> str:
    """What the judges used up, in words."""
    calls = f"{spent.model_calls:,} {'request' if spent.model_calls == 1 else 'requests'}"
    tokens = f"{spent.input_tokens:,} tokens read, {spent.output_tokens:,} written"
    price = "price not known" if spent.usd is None else f"{spent.usd:.2f} USD"
    return f"{calls}, {tokens}, {price}"
