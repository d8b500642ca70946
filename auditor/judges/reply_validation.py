"""What a judge may answer, and what of an answer counts. Nothing a model writes is used before it has passed here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field, ValidationError

from auditor.domain import Citation, Evidence, Exhibit, Frozen, Opinion, Step
from auditor.judges import prompt
from auditor.judges.objection_reading import ObjectionAnswer, find_quote, objection_schema, raised_objections
from auditor.judges.recorded_answers import JudgeReply
from auditor.judges.voting import Ballot, VoteAnswer, read_votes, vote_schema
from auditor.report import prompt_text
from auditor.report.secret_redaction import redact
from auditor.synthesis.citation_check import find_line, is_quoted, normalize_spaces

_DECORATION = "`\"' \u201c\u201d\u2018\u2019"
_MAX_LINE = 10**9
_MAX_ERROR_LENGTH = 200
"""Characters of an error message about an answer."""
_MAX_ITEMS = 200
"""Citations or steps of one opinion. Every citation is looked up among all places of its evidence."""


class _CitationReply(Frozen):
    evidence: str
    quote: str
    path: str
    line: int | None


class _OpinionReply(Frozen):
    criterion: str
    argument: Annotated[str, Field(min_length=1)]
    citations: Annotated[tuple[_CitationReply, ...], Field(max_length=_MAX_ITEMS)]
    remediation: Annotated[tuple[Step, ...], Field(max_length=_MAX_ITEMS)]
    score: Annotated[int, Field(ge=1, le=5)]


class _Reply(Frozen):
    opinions: tuple[_OpinionReply, ...]
    objections: tuple[ObjectionAnswer, ...] = ()
    votes: tuple[VoteAnswer, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What one judge was asked in one round, and what it may cite."""

    judge: str
    criteria: tuple[str, ...]
    evidence: Mapping[str, Evidence]
    exhibits: Mapping[str, Exhibit] = field(default_factory=dict)
    """Code, for opinions, objections and votes."""
    documents: Mapping[str, Exhibit] = field(default_factory=dict)
    """Prose, for opinions alone."""
    may_object: bool = False
    """Is it the round in which objections are raised?"""
    ballot: Ballot | None = None


class InvalidReply(Exception):
    """An answer that is not what was asked for, and what is wrong with it."""


def schema(criteria: Sequence[str], *, with_exhibits: bool = False) -> dict[str, Any]:
    """The JSON Schema every judge answers in: the same for all, argument before score, no free keys.

    It only uses what the API enforces; the rest is looked at afterwards. Rubric ids are all it tells. With exhibits it names
    no ids at all and serves both rounds, since the schema is part of what a cached prefix is known by.
    """
    cited = closed_object(
        evidence={"type": "string"},
        quote={"type": "string"},
        path={"type": "string"},
        line={"anyOf": [{"type": "integer"}, {"type": "null"}]},
    )
    text = {"type": "string"}
    step = closed_object(evidence=text, path=text, change=text)
    said = closed_object(
        criterion={"type": "string"} if with_exhibits else {"enum": list(criteria)},
        argument={"type": "string"},
        citations={"type": "array", "items": cited},
        remediation={"type": "array", "items": step},
        score={"enum": [1, 2, 3, 4, 5]},
    )
    opinions = {"type": "array", "items": said}
    if not with_exhibits:
        return closed_object(opinions=opinions)
    return closed_object(
        opinions=opinions,
        objections={"type": "array", "items": objection_schema(closed_object)},
        votes={"type": "array", "items": vote_schema(closed_object)},
    )


def closed_object(**properties: Any) -> dict[str, Any]:
    """An object with these properties, all of them, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def parse_reply(asked: Asked, text: str, question: str) -> JudgeReply:
    """What an answer says, opinions in the order of the criteria asked about. Raises InvalidReply.

    The whole text must be one JSON object of the schema, with every criterion asked about exactly once. `question` is the
    key that all parts will name. Objections and votes that do not hold cost nothing but themselves. A judge who votes and
    gives its opinion again keeps its votes: models were seen to do so, and what was not asked about is not read.
    """
    reply = _parse_reply(text)
    named = [each.criterion for each in reply.opinions]
    for criterion in asked.criteria:
        if named.count(criterion) != 1:
            raise InvalidReply(f"it gives {named.count(criterion)} opinions on {criterion} where one was asked for")
    strangers = sorted(set(named) - set(asked.criteria))
    if strangers and asked.ballot is None:
        raise InvalidReply(f"it speaks of {strangers[0][:60]!r}, which was not asked")
    by_criterion = {each.criterion: each for each in reply.opinions}
    raised = raised_objections(asked.judge, reply.objections, asked.exhibits, question) if asked.may_object else ()
    votes = read_votes(asked.ballot, reply.votes, asked.exhibits, question) if asked.ballot is not None else ()
    return JudgeReply(
        tuple(_make_opinion(by_criterion[criterion], asked, question) for criterion in asked.criteria), raised, votes
    )


def _parse_reply(text: str) -> _Reply:
    if not text.strip():
        raise InvalidReply("it is empty")
    try:
        plain = json.loads(text, object_pairs_hook=reject_duplicate_keys, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidReply("it is not one JSON document") from error
    try:
        return _Reply.model_validate_json(_replace_surrogates(json.dumps(plain, ensure_ascii=False)), strict=True)
    except (ValidationError, RecursionError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else {"loc": ("?",), "msg": "nested too deeply"}
        where = ".".join(str(part) for part in first["loc"][:6])
        raise InvalidReply(
            f"it does not follow the schema: {where[:_MAX_ERROR_LENGTH]}: {first['msg'][:_MAX_ERROR_LENGTH]}"
        ) from error


def reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys appear once. Raises ValueError for a duplicate, as either value could be meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _reject_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _make_opinion(said: _OpinionReply, asked: Asked, question: str) -> Opinion:
    return Opinion(
        judge=asked.judge,
        criterion=said.criterion,
        score=said.score,
        argument=redact(said.argument),
        citations=tuple(_cited(each, asked) for each in said.citations),
        remediation=tuple(_restore_step(each, asked.evidence.get(each.evidence)) for each in said.remediation),
        question=question,
    )


def _cited(cited: _CitationReply, asked: Asked) -> Citation:
    """The citation with quote, path and line as the exhibit or the evidence has them."""
    shown = asked.exhibits.get(cited.evidence) or asked.documents.get(cited.evidence)
    if shown is not None:
        found = find_quote(cited.evidence, cited.quote, {cited.evidence: shown})
        if found is not None:
            return Citation(evidence=cited.evidence, quote=found.quote, path=found.path, line=found.line)
    return _restore_citation(cited, asked.evidence.get(cited.evidence))


def _replace_surrogates(text: str) -> str:
    """Text that can be written as UTF-8: JSON may contain lone surrogates."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _restore_step(step: Step, evidence: Evidence | None) -> Step:
    """The step with its path as the record has it; a path that the evidence does not name is left out."""
    return Step(
        path=next((each for each in _paths(evidence) if prompt_text.sanitize(each) == step.path.strip()), "")
        if evidence
        else "",
        change=redact(step.change),
        evidence=step.evidence if evidence else "",
    )


def _restore_citation(cited: _CitationReply, evidence: Evidence | None) -> Citation:
    """The citation with quote, path and line put back as the record has them, where the judge saw another spelling.

    What stands nowhere is kept as it was given, so that the record shows what was dropped and why.
    """
    line = cited.line if cited.line is not None and 0 < cited.line <= _MAX_LINE else None
    raw = Citation(evidence=cited.evidence, quote=redact(cited.quote), path=cited.path, line=line)
    if evidence is None:
        return raw
    path = next(
        (each for each in _paths(evidence) if cited.path and prompt_text.sanitize(each) == cited.path.strip()), raw.path
    )
    said = (evidence.statement, prompt.visible_statement(evidence))
    quoted = [
        (each.quote, prompt_text.sanitize(each.quote))
        for each in evidence.locations
        if not path or getattr(each, "path", "") == path
    ]
    texts = [*quoted, said] if path else [said, *quoted]
    quote = next((found for text, seen in texts if (found := _find_quote(raw.quote, text, seen))), raw.quote)
    if path not in _paths(evidence) and is_quoted(quote, evidence.statement):
        path = ""  # a statement has no path, and one beside it would lead a reader astray
    placed = raw.model_copy(update={"quote": quote, "path": path})
    return placed.model_copy(update={"line": find_line(placed, evidence)})


def _find_quote(quote: str, text: str, seen: str) -> str:
    """The quote as it is in the text; the whole text where the judge saw it written otherwise; else nothing."""
    for form in dict.fromkeys((quote, quote.strip(_DECORATION), quote.removeprefix("Q|").removeprefix("S|").strip())):
        if is_quoted(form, text):
            return form
        if is_quoted(form, seen):
            return normalize_spaces(text)
    return ""


def _paths(evidence: Evidence) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for each in evidence.locations if (path := getattr(each, "path", ""))))
