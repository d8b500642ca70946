"""Answers that were given before: on a record to be heard again, or in a folder so that nobody is asked twice.

An answer is known by the digest of its question. What is remembered carries a digest of its own, so that an edit shows.
It guards against mistakes and stray files, not against somebody who can compute digests: hear only records and use only
folders of those you trust, and share no folder with runs that untrusted changes start.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from auditor.domain import Answer, AuditReport, Frozen, Opinion, UserError

_MOST_FILES = 2_000
_MAX_BYTES = 5_000_000


class Heard(Frozen):
    """An answer with what came of it."""

    answer: Answer
    opinions: tuple[Opinion, ...] = ()

    @property
    def sound(self) -> bool:
        """Is it what was written down?"""
        return self.answer.digest == digest(self.opinions, self.answer)

    def answers(self, asked: Answer) -> bool:
        """Is it the answer to that question, put to that judge?"""
        told = {"cause": self.answer.cause, "reason": self.answer.reason, "seen": self.answer.seen}
        mine = all(each.judge == asked.judge and each.question == asked.key for each in self.opinions)
        return mine and self.answer == asked.model_copy(update={**told, "digest": self.answer.digest})


def digest(opinions: tuple[Opinion, ...], answer: Answer) -> str:
    """SHA-256 of what came of a question: opinions, what was read in pictures, or the cause of silence."""
    said = [each.model_dump(mode="json") for each in opinions]
    seen = [each.model_dump(mode="json") for each in answer.seen]
    return sha256([said, seen, answer.cause.value if answer.cause else None, answer.reason])


def sha256(plain: Any) -> str:
    """SHA-256 of plain data, written in one way only."""
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class Memory(Protocol):
    """Where answers may come from instead of a model."""

    @property
    def replays(self) -> bool:
        """Does it stand for the model, so that nobody is asked at all?"""
        ...

    def recall(self, asked: Answer) -> Heard | None:
        """The answer to a question that has none yet, if it is known."""
        ...

    def keep(self, heard: Heard) -> None:
        """Remember an answer."""
        ...


@dataclass(frozen=True)
class Nothing:
    """No memory at all."""

    replays: bool = False

    def recall(self, asked: Answer) -> Heard | None:  # noqa: ARG002 - whatever the question
        """Nothing is known."""
        return None

    def keep(self, heard: Heard) -> None:
        """Nothing is kept."""


class Recorded:
    """The answers on a record. A question that is not on it has no answer: the record is of another audit."""

    replays = True

    def __init__(self, report: AuditReport, origin: str) -> None:
        """Raises UserError when the record holds no answers of a model, or was edited."""
        self._origin = origin
        said: dict[str, list[Opinion]] = defaultdict(list)
        for opinion in (*report.opinions, *report.hearing.superseded):
            if opinion.question:  # the others come from written policies, which are applied afresh
                said[opinion.question].append(opinion)
        self._heard: dict[str, Heard] = {}
        for answer in report.hearing.answers:
            place = {criterion: number for number, criterion in enumerate(answer.criteria)}
            opinions = sorted(said.pop(answer.key, []), key=lambda each: place.get(each.criterion, len(place)))
            heard = Heard(answer=answer, opinions=tuple(opinions))
            if not heard.sound:
                raise UserError(
                    f"{origin} was changed after it was written: what {answer.judge} said does not have the digest on the record."
                )
            self._heard[answer.key] = heard
        if not self._heard:
            raise UserError(
                f"{origin} holds no answers of a model: give the report.json of an audit with --judges claude."
            )
        if said:
            raise UserError(
                f"{origin} was changed after it was written: it holds opinions that answer no question on the record."
            )

    def recall(self, asked: Answer) -> Heard | None:
        """The recorded answer. Raises UserError when the question is not on the record."""
        heard = self._heard.get(asked.key)
        if heard is None or not heard.answers(asked):
            raise UserError(
                f"{self._origin} is the record of another audit: commit, rubric, model and settings must be the same to hear it again."
            )
        return heard

    def keep(self, heard: Heard) -> None:
        """The record stays as it is."""


class Folder:
    """Answers in files, one each. Any trouble with one means that it is not known, never an error."""

    replays = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def recall(self, asked: Answer) -> Heard | None:
        """The answer, when its file is there, whole, and holds what its name says."""
        file = self._folder / f"{asked.key}.json"
        try:
            if file.stat().st_size > _MAX_BYTES:
                return None
            heard = Heard.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):
            return None
        return heard if heard.answers(asked) and heard.sound else None

    def keep(self, heard: Heard) -> None:
        """Write it beside its place and move it there. Answers that failed are not kept: the next run asks again."""
        if heard.answer.cause is not None:
            return
        file = self._folder / f"{heard.answer.key}.json"
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds words about private code
            self._make_room()
            beside.write_text(heard.model_dump_json(), encoding="utf-8")
            beside.replace(file)

    def _make_room(self) -> None:
        files = sorted(self._folder.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in files[: max(0, len(files) - _MOST_FILES + 1)]:
            old.unlink(missing_ok=True)
