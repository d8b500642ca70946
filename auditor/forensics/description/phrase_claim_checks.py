"""Statements that are told by forms of words and held against the change one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from auditor.forensics.description.change_contents import (
    LATER,
    MAX_SENTENCES,
    MAX_TOLD,
    Answer,
    Ground,
    Held,
    Sentence,
)
from auditor.forensics.description.code_name_claims import stated

Weigh = Callable[[re.Match[str], Sentence, Ground], Answer | None]
"""What the facts say of a statement in a form of words; None where they say nothing."""


class Form(NamedTuple):
    """A form of words, what it is held against, and what is said where it does not hold."""

    words: re.Pattern[str]
    weigh: Weigh
    kind: str
    wrong: str


def held_by_form(said: list[Sentence], forms: tuple[Form, ...], ground: Ground) -> Iterator[Held]:
    """Every statement in one of the forms, of all that a description makes the first few; what is said again is weighed once."""
    known: dict[tuple[str, str, str], Answer | None] = {}
    for sentence in said[:MAX_SENTENCES]:
        for form in forms:
            for found in stated(form.words, sentence.text, LATER):
                key = form.kind, found.group(), sentence.text
                if key not in known and len(known) < MAX_TOLD:
                    known[key] = form.weigh(found, sentence, ground)
                answer = known.get(key)
                if answer is not None:
                    yield Held(form.kind, sentence, answer, form.wrong)


class Told(NamedTuple):
    """A statement of a sentence: what tells it from others, what it is held against, and what is said where it does not hold."""

    kind: str
    about: Hashable
    sentence: Sentence
    weigh: Callable[[], Answer | None]
    wrong: str


def held_once(told: Iterable[Told], most: int = MAX_TOLD) -> Iterator[Held]:
    """The first so many statements, each of them once however often it is made."""
    seen: set[Hashable] = set()
    for each in told:
        if each.about not in seen and len(seen) < most:
            seen.add(each.about)
            answer = each.weigh()
            if answer is not None:
                yield Held(each.kind, each.sentence, answer, each.wrong)
