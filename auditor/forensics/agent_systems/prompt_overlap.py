"""How much two prompts share: equal runs of words once their common lines are left out."""

from __future__ import annotations

import re

MAX_OVERLAP = 0.5
"""Share of the shorter prompt's word triples from which two prompts count as one."""
_MIN_OWN_WORDS = 40
"""Words that each persona must say for itself before a common frame is left out of the comparison; a changed name and a sentence are no persona."""
_MAX_WORDS = 4_000
_MAX_PIECES = 2_000
_SENTENCE_END = re.compile(r"\n+|(?<=[.!?:;])\s+")
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return [each.group().lower() for each in _WORD.finditer(text[:200_000])]


def overlap(one: str, other: str) -> float:
    """How much two personas share, 0 to 1: of what each says for itself, where a frame that both carry word for word leaves enough."""
    own, others = _without_common_lines(one, other)
    enough = min(len(words_of(own)), len(words_of(others))) >= _MIN_OWN_WORDS
    return _shared_share(own, others) if enough else _shared_share(one, other)


def _shared_share(one: str, other: str) -> float:
    """Share of the shorter text's word triples that are in the other too."""
    first, second = (_word_triples(words_of(each)[:_MAX_WORDS]) for each in (one, other))
    shorter = min(len(first), len(second))
    return round(len(first & second) / shorter, 4) if shorter else 0.0


def _without_common_lines(one: str, other: str) -> tuple[str, str]:
    """Two texts without the lines and sentences that both carry word for word: the format of the answer, the task, the rubric."""
    first, second = _pieces(one), _pieces(other)
    frame = first.keys() & second.keys()
    return tuple("\n".join(text for key, text in each.items() if key not in frame) for each in (first, second))  # type: ignore[return-value]


def _pieces(text: str) -> dict[tuple[str, ...], str]:
    """The lines and sentences of a text by their words."""
    parts = [each for each in _SENTENCE_END.split(text[:200_000]) if each.strip()]
    return {tuple(words_of(each)): each for each in parts[:_MAX_PIECES]}


def _word_triples(words: list[str]) -> set[tuple[str, ...]]:
    size = 3 if len(words) >= 3 else 1
    return {tuple(words[start : start + size]) for start in range(len(words) - size + 1)}
