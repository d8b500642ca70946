"""Who judged, why they and no others, and what it cost: one text for every surface."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.domain import AuditReport, Cause, Conclusion, Cost
from auditor.english_counts import pluralize

NO_MODEL = "No model was asked: the scores come from the rubric's written policies."
_CENT = 0.01


def judged_by(report: AuditReport) -> str:
    """Who judged and what it cost, and where nobody named the bench, why it is this one."""
    if report.verdict.conclusion is Conclusion.NOTHING_TO_JUDGE:
        return "No judge was asked: the change is empty."
    if report.tool.bench == "embedded":
        return " ".join(filter(None, (NO_MODEL, _unread_change_note(report), report.hearing.note)))
    silent = _silent_judges(report)
    models = "" if silent.all and not report.cost.attempts else ", ".join(_model_names(report))
    opening = "No opinion came from" if silent.all else "Judged by"
    took = _reused_text(report.cost) if report.cost.reused and not report.cost.attempts else usage_text(report.cost)
    used = f": {took}{f', by {models}' if models else ''}" if report.cost.attempts or not silent.all else ""
    sentences = [f"{opening} the {report.tool.bench} bench{used}."]
    sentences += filter(None, (report.hearing.note,))
    sentences += silent.told
    if report.cost.replayed:
        sentences.append("The answers come from a record; nobody was asked.")
    elif report.cost.reused and report.cost.attempts:
        sentences.append(f"Besides, {_reused_text(report.cost)}.")
    packing = report.hearing.packing
    if packing is not None and not packing.whole and not silent.all:
        sentences.append(f"The judges saw {packing.shown:,} of {packing.places:,} places, the most severe first.")
    sentences += _agreement_sentences(report)
    return " ".join(sentences)


def _unread_change_note(report: AuditReport) -> str:
    """What a bench without a model cannot see, where the rubric asks about it."""
    asks = any(each.exhibits for each in report.rubric.definition.criteria)
    return "Nobody read the change for defects that no probe looks for." if asks and report.subject.merge_base else ""


@dataclass(frozen=True)
class _SilentJudges:
    """Who gave no usable answer, in sentences, and whether that was everybody."""

    told: tuple[str, ...]
    all: bool = False


def _silent_judges(report: AuditReport) -> _SilentJudges:
    """A reason that all judges share is given once. One who falters when heard again had judged before."""
    personas = {each.id: each.title for each in report.rubric.definition.personas}
    answers = [each for each in report.hearing.answers if each.judge in personas]
    if not answers:
        unasked = [each.reason for each in report.abstentions if each.cause is Cause.OVER_BUDGET]
        return _SilentJudges(tuple(dict.fromkeys(unasked)), bool(unasked))
    failed = [(each, each.cause) for each in answers if each.cause is not None]
    everybody = len(failed) == len(answers)
    if everybody and len({each.reason for each, _ in failed}) == 1:
        return _SilentJudges(
            (f"No judge gave a usable answer ({_cause_text(failed[0][1])}). {failed[0][0].reason}",), all=True
        )
    told = (
        f"{personas[each.judge]} gave no usable answer{' when heard again' if each.round > 1 else ''} ({_cause_text(cause)}). {each.reason}"
        for each, cause in failed
    )
    return _SilentJudges(tuple(told), everybody)


def _cause_text(cause: Cause) -> str:
    return cause.value.replace("_", " ")


def _reused_text(cost: Cost) -> str:
    """How many answers were not asked for again, and what they cost when they were given."""
    answers = "1 answer that was" if cost.reused == 1 else f"{cost.reused} answers that were"
    then = "at a price that is not known" if cost.reused_usd is None else f"for {price(cost.reused_usd)}"
    now = "" if cost.attempts else f", {price(cost.usd)} now"
    return f"{answers} given to the same evidence before, {then}{now}"


def _agreement_sentences(report: AuditReport) -> list[str]:
    """How far the judges were of one mind: for readers, who may take three voices for three votes."""
    found = report.hearing.agreement
    if found is None:
        return []
    if found.convergent:
        return ["All judges gave the same scores throughout, so count them as one."]
    votes = found.effective_votes
    return [] if votes is None else [f"By how alike they scored, the judges amount to {votes:.1f} votes."]


def _model_names(report: AuditReport) -> list[str]:
    """Models by the name they answered with; those that were asked, where none answered in this run."""
    answered = [each.answered for each in report.cost.attempts if each.answered and each.outcome == "ok"]
    return list(dict.fromkeys(answered or [each.model for each in report.hearing.answers]))


def usage_text(cost: Cost) -> str:
    """What the judges used up, in words."""
    calls = f"{pluralize(cost.model_calls, 'request')}"
    cached = f" ({cost.cache_read_tokens:,} from the cache)" if cost.cache_read_tokens else ""
    slowest = max((each.seconds for each in cost.attempts), default=0.0)
    waited = f", the slowest {slowest:.1f} s" if slowest else ""
    tokens = f"{cost.input_tokens:,} tokens read{cached}, {cost.output_tokens:,} written"
    return f"{calls}, {tokens}, {_cost_text(cost)}{waited}"


def _cost_text(cost: Cost) -> str:
    """The sum, or as much of it as is known."""
    known = sum(each.usd for each in cost.attempts if each.usd is not None)
    return f"at least {price(known)}" if cost.usd is None and known else price(cost.usd)


def price(usd: float | None) -> str:
    """An amount, with more digits where it is below a cent; one that is not known says so."""
    if usd is None:
        return "price not known"
    return f"{usd:.4f} USD" if 0 < usd < _CENT else f"{usd:.2f} USD"


def cost_table(report: AuditReport) -> tuple[str, ...]:
    """Every request on its line under a head, and the sum last."""
    if not report.cost.attempts:
        return (judged_by(report),)
    rows = [
        (
            each.judge,
            str(each.round),
            each.answered or each.asked,
            each.outcome,
            f"{each.input_tokens:,}",
            f"{each.cache_write_tokens:,}",
            f"{each.cache_read_tokens:,}",
            f"{each.output_tokens:,}",
            f"{each.thinking_tokens:,}",
            "not known" if each.usd is None else f"{each.usd:.4f}",
            f"{each.seconds:.1f}",
            each.request_id or "-",
        )
        for each in report.cost.attempts
    ]
    widths = [max(len(row[column]) for row in (_COLUMNS, *rows)) for column in range(len(_COLUMNS))]
    lines = (
        "  ".join(
            cell.rjust(width) if column in _NUMERIC_COLUMNS else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (_COLUMNS, *rows)
    )
    return (*lines, judged_by(report))


_COLUMNS = (
    "judge",
    "round",
    "model",
    "outcome",
    "input",
    "cache write",
    "cache read",
    "output",
    "thinking",
    "USD",
    "seconds",
    "request",
)
_NUMERIC_COLUMNS = frozenset(range(4, 11))
