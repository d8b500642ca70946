"""Answers that were given before: on a record to be heard again, or in a folder so that nobody is asked twice.

An answer is known by the digest of its question. What is remembered carries a digest of its own, so that an edit shows.
It guards against mistakes and stray files, not against somebody who can compute digests: hear only records and use only
folders of those you trust, and share no folder with runs that untrusted changes start. Where others can write, answers are
kept under a seal (see `sealed`).
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from pydantic import Field, ValidationError

from auditor.domain import Answer, AuditReport, Frozen, Opinion, RaisedObjection, UserError, Vote

MAX_AGE_DAYS = 30
"""Days after which an answer is asked for again: what a model's name stands for changes."""
_MAX_FILES = 2_000
_MAX_BYTES = 5_000_000


@dataclass(frozen=True)
class JudgeReply:
    """What a usable answer of a judge says."""

    opinions: tuple[Opinion, ...] = ()
    raised: tuple[RaisedObjection, ...] = ()
    votes: tuple[Vote, ...] = ()


class AnswerRecord(Frozen):
    """An answer and what was read from it."""

    answer: Answer
    opinions: tuple[Opinion, ...] = ()
    raised: tuple[RaisedObjection, ...] = ()
    votes: tuple[Vote, ...] = ()

    @property
    def is_intact(self) -> bool:
        """Does the digest on the record match the content?"""
        return self.answer.digest == digest(JudgeReply(self.opinions, self.raised, self.votes), self.answer)

    def answers(self, asked: Answer) -> bool:
        """Is it the answer to that question, put to that judge?"""
        told = {"cause": self.answer.cause, "reason": self.answer.reason, "seen": self.answer.seen}
        parts: tuple[Opinion | RaisedObjection | Vote, ...] = (*self.opinions, *self.raised, *self.votes)
        mine = all(each.judge == asked.judge and each.question == asked.key for each in parts)
        return mine and self.answer == asked.model_copy(update={**told, "digest": self.answer.digest})


class StoredAnswer(Frozen):
    """An answer as it is stored, with its day and its price."""

    heard: AnswerRecord
    day: date
    usd: float | None = Field(default=0.0, description="Null when its price is not known.")

    def fresh(self, today: date) -> bool:
        """May it still be used?"""
        return timedelta() <= today - self.day <= timedelta(days=MAX_AGE_DAYS)


def today() -> date:
    """The day by UTC."""
    return datetime.now(UTC).date()


def digest(reply: JudgeReply, answer: Answer) -> str:
    """SHA-256 of what came of a question: the reply, what was read in pictures, or the cause of silence."""
    said = [each.model_dump(mode="json") for each in reply.opinions]
    seen = [each.model_dump(mode="json") for each in answer.seen]
    more = [[each.model_dump(mode="json") for each in part] for part in (reply.raised, reply.votes)]
    return sha256(
        [said, seen, answer.cause.value if answer.cause else None, answer.reason, *(more if any(more) else [])]
    )


def sha256(plain: Any) -> str:
    """SHA-256 of plain data, written in one way only."""
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class AnswerStore(Protocol):
    """A store of earlier answers, asked before a model is."""

    @property
    def is_replay(self) -> bool:
        """Does it stand for the model, so that nobody is asked at all?"""
        ...

    def recall(self, asked: Answer) -> StoredAnswer | None:
        """The answer to a question that has none yet, if it is known."""
        ...

    def save(self, stored: StoredAnswer) -> None:
        """Store an answer."""
        ...


@dataclass(frozen=True)
class NullAnswerStore:
    """A store that never holds an answer."""

    is_replay: bool = False

    def recall(self, asked: Answer) -> StoredAnswer | None:  # noqa: ARG002 - whatever the question
        """Always None."""
        return None

    def save(self, stored: StoredAnswer) -> None:
        """Do nothing."""


class RecordAnswerStore:
    """The answers on a record. A question that is not on it has no answer: the record is of another audit."""

    is_replay = True

    def __init__(self, report: AuditReport, origin: str) -> None:
        """Raises UserError when the record holds no answers of a model, or was edited."""
        self._origin = origin
        said: dict[str, list[Opinion]] = defaultdict(list)
        raised: dict[str, list[RaisedObjection]] = defaultdict(list)
        for objection in report.hearing.raised:
            raised[objection.question].append(objection)
        votes: dict[str, list[Vote]] = defaultdict(list)
        for vote in (vote for each in report.objections for vote in each.votes):
            votes[vote.question].append(vote)
        for opinion in (*report.opinions, *report.hearing.superseded):
            if opinion.question:  # the others come from written policies, which are applied afresh
                said[opinion.question].append(opinion)
        self._record_by_key: dict[str, AnswerRecord] = {}
        for answer in report.hearing.answers:
            place = {criterion: number for number, criterion in enumerate(answer.criteria)}
            opinions = sorted(said.pop(answer.key, []), key=lambda each: place.get(each.criterion, len(place)))
            heard = AnswerRecord(
                answer=answer,
                opinions=tuple(opinions),
                raised=tuple(raised.pop(answer.key, ())),
                votes=tuple(votes.pop(answer.key, ())),
            )
            if not heard.is_intact:
                raise UserError(
                    f"{origin} was edited: the answer of {answer.judge} does not match its digest. Use the original report.json."
                )
            self._record_by_key[answer.key] = heard
        if not self._record_by_key:
            raise UserError(
                f"{origin} contains no answers of a model: give the report.json of an audit with --judges claude."
            )
        if said or raised or votes:
            raise UserError(
                f"{origin} was edited: it contains opinions, objections or votes that no recorded answer contains. Use the original report.json."
            )

    def recall(self, asked: Answer) -> StoredAnswer | None:
        """The recorded answer. Raises UserError when the question is not on the record."""
        heard = self._record_by_key.get(asked.key)
        if heard is None or not heard.answers(asked):
            raise UserError(
                f"{self._origin} is the record of another audit: replay it with the same commit, rubric, model and settings."
            )
        return StoredAnswer(heard=heard, day=today())

    def save(self, stored: StoredAnswer) -> None:
        """Do nothing: a record is never changed."""


@dataclass(frozen=True)
class FolderAnswerStore:
    """Answers in files, one each. Any trouble with one means that it is not known, never an error."""

    folder: Path
    today: date = field(default_factory=today)
    is_replay: bool = False

    def recall(self, asked: Answer) -> StoredAnswer | None:
        """The answer, when its file is there, whole, not too old, and holds what its name says."""
        file = self.folder / f"{asked.key}.json"
        try:
            seen = file.lstat()
            if not stat.S_ISREG(seen.st_mode) or seen.st_size > _MAX_BYTES:
                return None  # a pipe would be waited for, and a device has no end
            kept = StoredAnswer.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):
            return None
        sound = kept.heard.answers(asked) and kept.heard.is_intact and kept.fresh(self.today)
        return kept if sound else None

    def save(self, stored: StoredAnswer) -> None:
        """Write it beside its place and move it there. Answers that failed are not kept: the next run asks again."""
        answer = stored.heard.answer
        if answer.cause is not None:
            return
        file = self.folder / f"{answer.key}.json"
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds words about private code
            self._remove_oldest()
            beside.write_text(stored.model_dump_json(), encoding="utf-8")
            beside.replace(file)

    def _remove_oldest(self) -> None:
        files = sorted(self.folder.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in files[: max(0, len(files) - _MAX_FILES + 1)]:
            old.unlink(missing_ok=True)
