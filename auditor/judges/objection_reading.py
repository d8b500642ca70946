"""Objections as judges write them, checked against the exhibits. Nothing counts whose quote or cause is not found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from auditor.domain import (
    ConsequenceKind,
    Exhibit,
    ExhibitKind,
    ExhibitLine,
    Frozen,
    LineMark,
    Quote,
    RaisedObjection,
    Reach,
    Side,
)
from auditor.report.secret_redaction import redact
from auditor.synthesis.citation_check import quoted_lines

MAX_OBJECTIONS = 6
"""Objections of one judge that count; the rest is on the record."""
_MAX_RECORDED = 30
_MAX_TEXT = 1_000
_DECORATION = re.compile(r"^[-+ ]?\d+\| ?", re.MULTILINE)
"""Marks and numbers of exhibit lines, which a judge may copy along."""
_NEED = re.compile(r"(?:definition|callers|tests) [\w.$:?!]{1,120}|(?:lines|base) \S{1,300} [1-9]\d{0,6}-[1-9]\d{0,6}")


class CauseAnswer(Frozen):
    """The changed line that a judge names as the cause."""

    exhibit: str
    quote: str


class ObjectionAnswer(Frozen):
    """One objection in a judge's answer."""

    exhibit: str
    path: str
    first_line: int
    last_line: int
    quote: str
    caused_by: CauseAnswer
    claim: Annotated[str, Field(min_length=1)]
    trigger: str
    consequence: ConsequenceKind
    effect: str
    reach: Reach
    fix: str
    needs: str


def objection_schema(closed_object: Any) -> dict[str, Any]:
    """The JSON Schema of one objection. It names no ids, so that the same bytes serve every audit."""
    text, number = {"type": "string"}, {"type": "integer"}
    schema: dict[str, Any] = closed_object(
        exhibit=text,
        path=text,
        first_line=number,
        last_line=number,
        quote=text,
        caused_by=closed_object(exhibit=text, quote=text),
        claim=text,
        trigger=text,
        consequence={"enum": [each.value for each in ConsequenceKind]},
        effect=text,
        reach={"enum": [each.value for each in Reach]},
        fix=text,
        needs=text,
    )
    return schema


def raised_objections(
    judge: str, answers: Sequence[ObjectionAnswer], exhibits: Mapping[str, Exhibit], question: str
) -> tuple[RaisedObjection, ...]:
    """What a judge objects to, in its order. What does not hold, and what exceeds the number that counts, says why."""
    counted = 0
    raised = []
    for answer in answers[:_MAX_RECORDED]:
        each = _raised(judge, answer, exhibits, question)
        if not each.fault:
            counted += 1
            if counted > MAX_OBJECTIONS:
                each = each.model_copy(update={"fault": f"only {MAX_OBJECTIONS} objections of a judge count"})
        raised.append(each)
    return tuple(raised)


def _raised(judge: str, answer: ObjectionAnswer, exhibits: Mapping[str, Exhibit], question: str) -> RaisedObjection:
    exhibit = exhibits.get(answer.exhibit)
    lines = _lines(answer.quote, exhibit, answer.first_line)
    numbers = _numbers(lines) or (max(1, answer.first_line), max(1, answer.first_line, answer.last_line))
    cause, cause_fault = find_cause(answer.caused_by, exhibits)
    return RaisedObjection(
        judge=judge,
        exhibit=answer.exhibit[:100],
        path=exhibit.path if exhibit is not None else redact(answer.path[:500]),
        side=_side(lines),
        start=numbers[0],
        end=numbers[1],
        definition=exhibit.definition if exhibit is not None else None,
        quote="\n".join(each.text.strip() for each in lines) or _text(answer.quote),
        caused_by=cause,
        claim=_text(answer.claim),
        trigger=_text(answer.trigger),
        consequence=answer.consequence,
        effect=_text(answer.effect),
        reach=answer.reach,
        fix=_text(answer.fix),
        needs=answer.needs.strip() if _NEED.fullmatch(answer.needs.strip()) else "",
        fault=_place_fault(answer, exhibit, lines) or cause_fault,
        question=question,
    )


def _place_fault(answer: ObjectionAnswer, exhibit: Exhibit | None, lines: Sequence[ExhibitLine]) -> str:
    if exhibit is None:
        return f"there is no exhibit {answer.exhibit[:60]}"
    if not lines:
        return f"its quote was not found in {exhibit.id}"
    return "" if answer.trigger.strip() else "it names no trigger"


def find_cause(answer: CauseAnswer, exhibits: Mapping[str, Exhibit]) -> tuple[Quote, str]:
    """The changed line that is said to be the cause, and what is wrong with it: it must be added or removed by the change."""
    exhibit = exhibits.get(answer.exhibit)
    lines = _lines(answer.quote, exhibit)
    quote = Quote(
        exhibit=answer.exhibit[:100],
        quote="\n".join(each.text.strip() for each in lines) or _text(answer.quote),
        path=exhibit.path if exhibit is not None else "",
        line=lines[0].number if lines else None,
    )
    if exhibit is None or exhibit.kind is not ExhibitKind.HUNK:
        return quote, "its cause is in no hunk of the change"
    if not lines:
        return quote, f"the quote of its cause was not found in {exhibit.id}"
    if all(each.mark is LineMark.KEPT for each in lines):
        return quote, "its cause is a line that the change leaves as it was"
    return quote, ""


def find_quote(exhibit_id: str, quote: str, exhibits: Mapping[str, Exhibit]) -> Quote | None:
    """A quote where it is: in the exhibit named, else in the only other one that holds it; None where it is nowhere."""
    named = exhibits.get(exhibit_id)
    candidates = (
        [named] if named is not None and _lines(quote, named) else [e for e in exhibits.values() if _lines(quote, e)]
    )
    if len(candidates) != 1:
        return None
    lines = _lines(quote, candidates[0])
    return Quote(
        exhibit=candidates[0].id,
        quote="\n".join(each.text.strip() for each in lines),
        path=candidates[0].path,
        line=lines[0].number,
    )


def _lines(quote: str, exhibit: Exhibit | None, near: int | None = None) -> tuple[ExhibitLine, ...]:
    """The lines of an exhibit that a quote covers; none where it is not there."""
    if exhibit is None:
        return ()
    for form in dict.fromkeys((quote, _DECORATION.sub("", quote), quote.strip().strip("`"))):
        found = quoted_lines(form, exhibit, near)
        if found is not None:
            return exhibit.lines[found[0] : found[1] + 1]
    return ()


def _side(lines: Sequence[ExhibitLine]) -> Side:
    """The base only where every quoted line is removed."""
    return Side.BASE if lines and all(each.mark is LineMark.REMOVED for each in lines) else Side.HEAD


def _numbers(lines: Sequence[ExhibitLine]) -> tuple[int, int] | None:
    side = _side(lines)
    numbers = [each.number for each in lines if (each.mark is LineMark.REMOVED) is (side is Side.BASE)]
    return (min(numbers), max(numbers)) if numbers else None


def _text(text: str) -> str:
    return redact(" ".join(text.split())[:_MAX_TEXT])
