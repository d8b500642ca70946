"""Pictures that only eyes can read: a model says what kind of diagram each is, in numbers and words of ours.

What comes of it is evidence of doubtful certainty, below what confirms a violation, and never an opinion. Nothing that
stands in a picture can reach a report through here: the answer has no free text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, ValidationError

from auditor.domain import Cause, Evidence, Frozen, Outcome, PictureKind, SeenPicture, Sureness
from auditor.english_counts import by_count, pluralize
from auditor.judges.reply_validation import InvalidReply, closed_object, reject_duplicate_keys

MAX_PICTURES = 8
MAX_PICTURE_BYTES = 3_500_000
"""Of one picture, as a file."""
JUDGE_ID = "eyes"
"""What the record calls it, in place of a persona."""
MATERIAL = "Say of each of these pictures what it shows."
INSTRUCTION = "Answer in the schema."
_MEDIA_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_CONFIDENCE = {Sureness.LOW: 0.4, Sureness.MEDIUM: 0.55, Sureness.HIGH: 0.7}
"""Confidence in what a model reads; all below what the rubrics call confirmed."""
_CONFIDENCE_REASON = "a model read the picture, and nobody checked it"
_DIAGRAM_KINDS = frozenset({PictureKind.GRAPH, PictureKind.ARCHITECTURE})


@dataclass(frozen=True)
class Picture:
    """One picture of a document."""

    source: str
    """Document and page, or file."""
    media_type: str
    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def encoded(self) -> tuple[str, str]:
        """As a request carries it."""
        return self.media_type, base64.b64encode(self.content).decode("ascii")


PictureFinder = Callable[[Evidence], Sequence[Picture]]
"""The pictures a piece of evidence says nobody looked at; none for all other evidence."""


def select_pictures(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """Those a model can be shown, each once, as many as the limits allow, in their order."""
    fit = {
        each.digest: each
        for each in pictures
        if each.media_type in _MEDIA_TYPES and 0 < len(each.content) <= MAX_PICTURE_BYTES
    }
    return tuple(fit.values())[:MAX_PICTURES]


def schema(count: int) -> dict[str, Any]:
    """The JSON Schema of an answer on so many pictures: enums, numbers and one yes or no."""
    seen = closed_object(
        number={"enum": list(range(1, count + 1))},
        kind={"enum": [each.value for each in PictureKind]},
        parallel_stages={"enum": list(range(10))},
        branches={"enum": list(range(21))},
        stages={"enum": list(range(21))},
        ordered={"type": "boolean"},
        sure={"enum": [each.value for each in Sureness]},
    )
    return closed_object(pictures={"type": "array", "items": seen})


class _PictureReply(Frozen):
    number: Annotated[int, Field(ge=1)]
    kind: PictureKind
    parallel_stages: Annotated[int, Field(ge=0, le=9)]
    branches: Annotated[int, Field(ge=0, le=20)]
    stages: Annotated[int, Field(ge=0, le=20)]
    ordered: bool
    sure: Sureness


class _Reply(Frozen):
    pictures: tuple[_PictureReply, ...]


def parse_reply(text: str, pictures: Sequence[Picture]) -> tuple[SeenPicture, ...]:
    """What was read in each picture, in their order. Raises NotUsable unless each is described exactly once."""
    try:
        reply = _Reply.model_validate_json(
            json.dumps(json.loads(text, object_pairs_hook=reject_duplicate_keys)), strict=True
        )
    except (ValidationError, ValueError, RecursionError) as error:
        raise InvalidReply("it does not follow the schema") from error
    by_number = {each.number: each for each in reply.pictures}
    if sorted(each.number for each in reply.pictures) != list(range(1, len(pictures) + 1)):
        raise InvalidReply("it does not describe every picture once")
    return tuple(
        SeenPicture(source=picture.source, **by_number[number].model_dump(exclude={"number"}))
        for number, picture in enumerate(pictures, 1)
    )


def add_picture_result(evidence: Evidence, seen: Sequence[SeenPicture], unseen_count: int) -> Evidence:
    """The evidence with the answer in place of its silence."""
    showing = [each for each in seen if each.kind in _DIAGRAM_KINDS and each.parallel_stages and each.branches > 1]
    rest = f" {unseen_count} more {by_count(unseen_count, 'was', 'were')} not shown to it." if unseen_count else ""
    if showing:
        best = max(showing, key=lambda each: (_CONFIDENCE[each.sure], each.parallel_stages))
        stages = f"{pluralize(best.parallel_stages, 'parallel stage')}"
        order = ", in an order that can be followed" if best.ordered else ""
        statement = f"Of {_count_phrase(seen)}, {len(showing)} {by_count(len(showing), 'shows', 'show')} parallel branches: {stages}, {best.branches} branches at the widest{order}."
        return _with_outcome(evidence, Outcome.FOUND, f"{statement}{rest}", _CONFIDENCE[best.sure])
    sure = min((_CONFIDENCE[each.sure] for each in seen), default=min(_CONFIDENCE.values()))
    outcome = Outcome.UNAVAILABLE if unseen_count else Outcome.NOT_FOUND
    return _with_outcome(evidence, outcome, f"None of {_count_phrase(seen)} shows parallel branches.{rest}", sure)


def note_failure(evidence: Evidence, cause: Cause) -> Evidence:
    """The evidence when a model was asked and gave no usable answer: unchanged but for a note why."""
    said = f"{evidence.statement.rstrip('.')}; a model was asked and gave no usable answer ({cause.value.replace('_', ' ')})."
    return evidence.model_copy(update={"statement": said})


def _with_outcome(evidence: Evidence, outcome: Outcome, statement: str, sure: float) -> Evidence:
    doubt = {"confidence": sure, "confidence_reason": _CONFIDENCE_REASON} if outcome is not Outcome.UNAVAILABLE else {}
    return evidence.model_copy(update={"outcome": outcome, "statement": statement, **doubt})


def _count_phrase(seen: Sequence[SeenPicture]) -> str:
    return "1 picture that a model looked at" if len(seen) == 1 else f"{len(seen)} pictures that a model looked at"
