"""Answers kept in a place that others can write to: believed by their seal, and by nothing else.

The seal is an HMAC-SHA256 over all that is kept: each question's model, schema, prompt and persona by their digests (the
prompt holds all the evidence that judges were shown), the answer, its day and its price. Its key is derived (HKDF, RFC 5869)
from a secret that no pull request from a fork has, for one repository, one address of the model and one version of this
tool. What has no such seal is never parsed, so the worst that somebody can do to it is to have the model asked again.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import zlib
from collections.abc import Sequence
from datetime import date

from pydantic import Field, ValidationError

from auditor.domain import Answer, Frozen
from auditor.judges.recorded_answers import MAX_AGE_DAYS, StoredAnswer

MIN_SECRET_LENGTH = 32
"""Characters of a secret that nobody can guess: a seal is public, so that guesses can be tried at home."""
_PURPOSE = b"automaton-auditor: answers kept between audits"
_MAX_BYTES = 4_000_000
_MAX_ANSWERS = 50


class _SealedContent(Frozen):
    """What is under a seal."""

    answers: tuple[StoredAnswer, ...] = Field(max_length=_MAX_ANSWERS)


class SealedAnswerStore:
    """The answer store of one audit: opened from what the last audit sealed, sealed again for the next."""

    is_replay = False

    def __init__(self, secret: str, bound_to: Sequence[str], today: date, max_length: int) -> None:
        """`bound_to` says what the answers hold for, beside their questions; `max_length` bounds the characters of the seal."""
        assert len(secret) >= MIN_SECRET_LENGTH, "a shorter secret can be guessed"
        self._key = derive_key(secret, bound_to)
        self._today = today
        self._most = max_length
        self._known: dict[str, StoredAnswer] = {}
        self._used: dict[str, StoredAnswer] = {}
        self._asked = False
        self.notices: tuple[str, ...] = ()
        """What became of what was kept, for every report."""

    def open(self, sealed: str) -> None:
        """Take in what was kept. Whatever is wrong with it is a notice, and the answers are asked for again."""
        if not sealed:
            return
        content = self._unseal(sealed)
        if content is None:
            self._notice(
                "Answers kept on an earlier check run are not used: they are not sealed with this key by this version for this repository."
            )
            return
        fresh = [each for each in content if each.fresh(self._today)]
        if len(fresh) < len(content):
            self._notice(f"{len(content) - len(fresh)} kept answers are older than {MAX_AGE_DAYS} days and not used.")
        self._known = {each.heard.answer.key: each for each in fresh}

    def recall(self, asked: Answer) -> StoredAnswer | None:
        """The answer that was kept for that very question."""
        self._asked = True
        kept = self._known.get(asked.key)
        if kept is None or not kept.heard.answers(asked) or not kept.heard.is_intact:
            return None
        self._used[asked.key] = kept
        return kept

    def save(self, stored: StoredAnswer) -> None:
        """Remember an answer for the next audit. One that failed is not kept: the next audit asks again."""
        if stored.heard.answer.cause is None:
            self._used[stored.heard.answer.key] = stored.model_copy(update={"day": self._today})

    def sealed(self) -> str:
        """What this audit made use of, sealed; what there was before, where nobody was asked. Empty for nothing.

        What is too long is left out, the longest answers first, and a notice says so.
        """
        chosen = sorted((self._used if self._asked else self._known).values(), key=_length_order)[:_MAX_ANSWERS]
        for count in range(len(chosen), 0, -1):
            text = self._seal(tuple(chosen[:count]))
            if len(text) <= self._most:
                if count < len(chosen):
                    self._notice(_too_long_notice(len(chosen) - count, len(chosen)))
                return text
        if chosen:
            self._notice(_too_long_notice(len(chosen), len(chosen)))
        return ""

    def _notice(self, text: str) -> None:
        self.notices = (*self.notices, text)

    def _seal(self, answers: tuple[StoredAnswer, ...]) -> str:
        packed = zlib.compress(_SealedContent(answers=answers).model_dump_json().encode(), level=9)
        return f"{self._tag(packed)}.{base64.b64encode(packed).decode()}"

    def _unseal(self, sealed: str) -> tuple[StoredAnswer, ...] | None:
        """What is under the seal, if it is ours. Nothing is unpacked before the seal is found to be right."""
        tag, _, data = sealed.partition(".")
        try:
            packed = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            return None
        if not hmac.compare_digest(tag.encode(), self._tag(packed).encode()):
            return None
        try:
            return _SealedContent.model_validate_json(zlib.decompressobj().decompress(packed, _MAX_BYTES)).answers
        except (zlib.error, ValidationError):
            return None

    def _tag(self, packed: bytes) -> str:
        return hmac.new(self._key, packed, hashlib.sha256).hexdigest()


def derive_key(secret: str, bound_to: Sequence[str]) -> bytes:
    """A key of 32 bytes for this purpose and these names alone (HKDF with SHA-256, one block)."""
    extracted = hmac.new(_PURPOSE, secret.encode(), hashlib.sha256).digest()
    names = json.dumps(list(bound_to)).encode()
    return hmac.new(extracted, names + b"\x01", hashlib.sha256).digest()


def _length_order(kept: StoredAnswer) -> tuple[int, str]:
    return len(kept.model_dump_json()), kept.heard.answer.key


def _too_long_notice(left: int, count: int) -> str:
    return f"{left} of {count} answers are too long to be kept, so the next audit of the same evidence asks for them again."
