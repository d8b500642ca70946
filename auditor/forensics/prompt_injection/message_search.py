"""Messages to an automated reviewer in a text: where words say enough to one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate

from auditor.forensics.prompt_injection import vocabulary
from auditor.forensics.prompt_injection.line_windows import WINDOW, find_windows, split_pieces
from auditor.forensics.prompt_injection.plain_words import is_disguised, plain_words, visible_text
from auditor.forensics.prompt_injection.rule_matching import Hit, rules_that_hold, tag_words
from auditor.forensics.prompt_injection.vocabulary import Kind, Mark, Rule

__all__ = ["Message", "disguised_anchors", "file_anchors", "find_messages", "is_disguised"]

_KINDS: tuple[Kind, ...] = ("reader", "order", "claim", "frame", "attack")
_SINGLE = frozenset({"reader", "attack"})
"""Kinds of which a second one adds nothing: to be named twice makes nobody a reviewer."""
_CERTAINTY = {4: 0.6, 5: 0.85, 6: 0.95}
_UNCERTAIN = 0.6
_SAID_TO = {0: 5, 1: 3, 2: 1}
"""What must be ordered and claimed, by how clear it is that a reviewer is spoken to."""
_WEAK_FRAME_SAYS = 3
"""What must be ordered and claimed where something only looks like the surroundings of a prompt."""
_SELF_SUFFICIENT = 5
"""Weight of a frame that needs nothing beside it."""

file_anchors = cache(vocabulary.file_anchors)
disguised_anchors = cache(vocabulary.disguised_anchors)


@dataclass(frozen=True, slots=True)
class Message:
    """Lines, from 1, that speak to a reviewer, what they do, and how sure that is."""

    start: int
    end: int
    meaning: str
    confidence: float


def find_messages(content: str, *, disguised: bool = False) -> list[Message]:
    """The messages in a text, in order; of those that overlap the clearest. In a disguised one every line is put in plain words first."""
    if disguised or is_disguised(content):
        content = "\n".join(map(plain_words, content.split("\n")))
    pieces = split_pieces(content)
    read = cache(partial(_read, cache(plain_words)))  # what a file repeats is read once
    found = []
    for first in find_windows(pieces):
        window = pieces[first : first + WINDOW]
        message = read(tuple(each.text for each in window))
        if message is not None:
            start, end = window[message.start - 1].line, window[message.end - 1].line
            found.append(replace(message, start=start, end=end))
    return list(_clearest(found))


def _read(in_plain_words: Callable[[str], str], window: tuple[str, ...]) -> Message | None:
    """What a window says to a reviewer, if it does; its lines are counted from 1."""
    plain = [in_plain_words(each) for each in window]
    ends = list(accumulate(len(each) + 1 for each in plain))
    marks = list(_marks("\n".join(window), plain, ends))
    found = (_message([*marks, *rules_that_hold(words)], ends) for words in tag_words(" ".join(plain)))
    return max(filter(None, found), key=lambda each: each.confidence, default=None)


def _marks(raw: str, plain: Sequence[str], ends: Sequence[int]) -> Iterator[Hit]:
    for mark, form in _mark_forms():
        found = form.search(visible_text(raw))
        if found:
            line = raw.count("\n", 0, found.start())
            start = ends[line - 1] if line else 0
            yield Hit(mark, "frame", start, start + len(plain[line]))


@cache
def _mark_forms() -> tuple[tuple[Mark, re.Pattern[str]], ...]:
    return tuple((each, re.compile(each.form, re.IGNORECASE)) for each in vocabulary.rule_table().marks)


def _message(hits: Sequence[Hit], ends: Sequence[int]) -> Message | None:
    best = _best(hits)
    scores = {kind: hit.rule.weight + _has_more(hit, hits) for kind, hit in best.items()}
    is_called = any(isinstance(hit.rule, Rule) and hit.rule.calls for hit in hits)
    sure = _certainty(scores, is_called=is_called)
    telling = next((best[kind] for kind in ("frame", "order", "claim") if kind in best), None)
    if not sure or telling is None:
        return None
    first, last = min(hit.start for hit in best.values()), max(hit.end for hit in best.values())
    start, end = bisect_right(ends, first), min(bisect_right(ends, last - 1), len(ends) - 1)
    return Message(start + 1, end + 1, telling.rule.meaning, sure)


def _best(hits: Sequence[Hit]) -> dict[Kind, Hit]:
    """The weightiest hit of each kind; what an order says already is no claim beside it."""
    found: dict[Kind, Hit] = {}
    for kind in _KINDS:
        order = found.get("order") if kind == "claim" else None
        own = [hit for hit in hits if hit.gives == kind and (order is None or not _is_inside(hit, order))]
        if own:
            found[kind] = max(own, key=lambda hit: hit.rule.weight)
    return found


def _is_inside(hit: Hit, other: Hit) -> bool:
    return other.start <= hit.start and hit.end <= other.end


def _has_more(best: Hit, hits: Sequence[Hit]) -> bool:
    """Do other words say something else of the same kind?"""
    return best.gives not in _SINGLE and any(
        hit.gives == best.gives
        and hit.rule.meaning != best.rule.meaning
        and (hit.end <= best.start or hit.start >= best.end)
        for hit in hits
    )


def _certainty(scores: Mapping[Kind, int], *, is_called: bool) -> float:
    """How sure it is that a message is one, by what its words give; 0 where they give too little."""
    reader, order, claim, frame = (scores.get(kind, 0) for kind in ("reader", "order", "claim", "frame"))
    said = order + claim
    is_message = (
        frame >= _SELF_SUFFICIENT
        or (frame > 1 and said > 0)
        or (frame > 0 and said >= _WEAK_FRAME_SAYS)
        or (order > 0 and said >= _SAID_TO[min(reader, max(_SAID_TO))])
        or (reader > 2 and claim > (0 if is_called else 1))
    )
    total = reader + said + frame - scores.get("attack", 0)
    sure = _CERTAINTY.get(min(total, max(_CERTAINTY)), 0.0) if is_message else 0.0
    is_clear = frame > 1 or (reader > 1 and order > 0)
    return sure if is_clear else min(sure, _UNCERTAIN)


def _clearest(found: Sequence[Message]) -> Iterator[Message]:
    """Of messages that share a line the one that is surest, then the shortest, then the first."""
    left: list[Message] = []
    for each in sorted(found, key=lambda message: (-message.confidence, message.end - message.start, message.start)):
        if all(each.end < other.start or each.start > other.end for other in left):
            left.append(each)
    return iter(sorted(left, key=lambda message: message.start))
