"""What a judge may answer, and what of an answer counts. Nothing a model writes is used before it has passed here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, ValidationError

from auditor.domain import Citation, Evidence, Frozen, Opinion, Step
from auditor.judges import prompt
from auditor.report import prompt_text
from auditor.report.secret_redaction import redact
from auditor.synthesis.citation_check import line_of, spaced, stands

_DECORATION = "`\"' \u201c\u201d\u2018\u2019"
_LAST_LINE = 10**9
_LONGEST = 200
"""Characters of a complaint about an answer."""
_MOST = 200
"""Citations or steps of one opinion. Every citation is looked up among all places of its evidence."""


class _Cited(Frozen):
    evidence: str
    quote: str
    path: str
    line: int | None


class _Said(Frozen):
    criterion: str
    argument: Annotated[str, Field(min_length=1)]
    citations: Annotated[tuple[_Cited, ...], Field(max_length=_MOST)]
    remediation: Annotated[tuple[Step, ...], Field(max_length=_MOST)]
    score: Annotated[int, Field(ge=1, le=5)]


class _Reply(Frozen):
    opinions: tuple[_Said, ...]


class NotUsable(Exception):
    """An answer that is not what was asked for, and what is wrong with it."""


def schema(criteria: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema every judge answers in: the same for all, argument before score, no free keys.

    It only uses what the API enforces; the rest is looked at afterwards. Rubric ids are all it tells.
    """
    cited = closed(
        evidence={"type": "string"},
        quote={"type": "string"},
        path={"type": "string"},
        line={"anyOf": [{"type": "integer"}, {"type": "null"}]},
    )
    text = {"type": "string"}
    step = closed(evidence=text, path=text, change=text)
    said = closed(
        criterion={"enum": list(criteria)},
        argument={"type": "string"},
        citations={"type": "array", "items": cited},
        remediation={"type": "array", "items": step},
        score={"enum": [1, 2, 3, 4, 5]},
    )
    return closed(opinions={"type": "array", "items": said})


def closed(**properties: Any) -> dict[str, Any]:
    """An object with these properties, all of them, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def opinions(
    judge: str, asked: Sequence[str], evidence: Mapping[str, Evidence], text: str, question: str
) -> tuple[Opinion, ...]:
    """The opinions in an answer, in the order of `asked`. Raises NotUsable.

    The whole text must be one JSON object of the schema, with every criterion asked about exactly once. `question` is the
    key that the opinions will name.
    """
    reply = _read(text)
    named = [each.criterion for each in reply.opinions]
    for criterion in asked:
        if named.count(criterion) != 1:
            raise NotUsable(f"it gives {named.count(criterion)} opinions on {criterion} where one was asked for")
    strangers = sorted(set(named) - set(asked))
    if strangers:
        raise NotUsable(f"it speaks of {strangers[0][:60]!r}, which was not asked")
    by_criterion = {each.criterion: each for each in reply.opinions}
    return tuple(_opinion(by_criterion[criterion], judge, evidence, question) for criterion in asked)


def _read(text: str) -> _Reply:
    if not text.strip():
        raise NotUsable("it is empty")
    try:
        plain = json.loads(text, object_pairs_hook=once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise NotUsable("it is not one JSON document") from error
    try:
        return _Reply.model_validate_json(_sound(json.dumps(plain, ensure_ascii=False)), strict=True)
    except (ValidationError, RecursionError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else {"loc": ("?",), "msg": "nested too deeply"}
        where = ".".join(str(part) for part in first["loc"][:6])
        raise NotUsable(f"it does not follow the schema: {where[:_LONGEST]}: {first['msg'][:_LONGEST]}") from error


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys appear once: of two, nobody could say which counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _opinion(said: _Said, judge: str, evidence: Mapping[str, Evidence], question: str) -> Opinion:
    return Opinion(
        judge=judge,
        criterion=said.criterion,
        score=said.score,
        argument=redact(said.argument),
        citations=tuple(_citation(each, evidence.get(each.evidence)) for each in said.citations),
        remediation=tuple(_step(each, evidence.get(each.evidence)) for each in said.remediation),
        question=question,
    )


def _sound(text: str) -> str:
    """Text that can be written as UTF-8: JSON may spell out halves of a character."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _step(step: Step, evidence: Evidence | None) -> Step:
    """The step with its path as the record has it; a path that the evidence does not name is left out."""
    return Step(
        path=next((each for each in _paths(evidence) if prompt_text.shown(each) == step.path.strip()), "")
        if evidence
        else "",
        change=redact(step.change),
        evidence=step.evidence if evidence else "",
    )


def _citation(cited: _Cited, evidence: Evidence | None) -> Citation:
    """The citation with quote, path and line put back as the record has them, where the judge saw another spelling.

    What stands nowhere is kept as it was given, so that the record shows what was dropped and why.
    """
    line = cited.line if cited.line is not None and 0 < cited.line <= _LAST_LINE else None
    raw = Citation(evidence=cited.evidence, quote=redact(cited.quote), path=cited.path, line=line)
    if evidence is None:
        return raw
    path = next(
        (each for each in _paths(evidence) if cited.path and prompt_text.shown(each) == cited.path.strip()), raw.path
    )
    said = (evidence.statement, prompt.statement(evidence))
    quoted = [
        (each.quote, prompt_text.shown(each.quote))
        for each in evidence.locations
        if not path or getattr(each, "path", "") == path
    ]
    texts = [*quoted, said] if path else [said, *quoted]
    quote = next((found for text, seen in texts if (found := _as_it_stands(raw.quote, text, seen))), raw.quote)
    if path not in _paths(evidence) and stands(quote, evidence.statement):
        path = ""  # a statement has no path, and one beside it would lead a reader astray
    placed = raw.model_copy(update={"quote": quote, "path": path})
    return placed.model_copy(update={"line": line_of(placed, evidence)})


def _as_it_stands(quote: str, text: str, seen: str) -> str:
    """The quote as it stands in the text; the whole text where the judge saw it written otherwise; else nothing."""
    for form in dict.fromkeys((quote, quote.strip(_DECORATION), quote.removeprefix("Q|").removeprefix("S|").strip())):
        if stands(form, text):
            return form
        if stands(form, seen):
            return spaced(text)
    return ""


def _paths(evidence: Evidence) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for each in evidence.locations if (path := getattr(each, "path", ""))))
