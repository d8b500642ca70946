"""Texts that a content results in and does not say, as the detector is shown them: joined strings, escapes, base64 and the like."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from auditor.constant_folding.decoded_literals import hidden_texts
from auditor.constant_folding.folded_values import FoldedExpression
from auditor.constant_folding.piece_stretches import piece_stretches
from auditor.forensics.secrets.placeholder_secrets import KINDS_WITHOUT_FORMAT
from auditor.forensics.secrets.secret_detector import Hit
from auditor.forensics.source_text.content_diff import Window

_MIN_LENGTH = 12
"""Characters of the shortest text that is asked about."""
_MAX_TEXTS = 500
_MAX_PASSAGE_BYTES = 500_000
_MAX_BEFORE = 120
_JOINED = frozenset({"joined"})


@dataclass(frozen=True, slots=True)
class HiddenValue:
    """A secret that is written in pieces or encoded: itself, the place of its expression, and what must not be quoted."""

    value: str
    start: int
    end: int
    before: str
    how: str
    pieces: tuple[str, ...]
    lines: tuple[int, ...]
    """Lines of its pieces other than the first of its expression."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A text in a passage: from where on, and what is written before it on its line."""

    start: int
    before: str
    expression: FoldedExpression


@dataclass(frozen=True, slots=True)
class HiddenTexts:
    """Texts that are hidden in a stretch of a content, one on each line of a passage."""

    window: Window
    passage: bytes
    shown: tuple[_Shown, ...]

    def value_at(self, hit: Hit, content: bytes) -> HiddenValue | None:
        """The secret at a place of the passage; none where it is in no text, or where the content says it as it is."""
        at = bisect_right(self.shown, hit.start, key=lambda each: each.start) - 1
        if at < 0:
            return None
        shown = self.shown[at]
        expression = shown.expression
        start, end = hit.start - shown.start, hit.end - shown.start
        if end > len(expression.text) or (hit.kind in KINDS_WITHOUT_FORMAT and not expression.value.steps <= _JOINED):
            return None
        value = expression.text[start:end]
        source = content.decode("latin-1")
        if value in source[expression.start : expression.end]:
            return None
        stretches = piece_stretches(source, expression, start, end)
        first = source.count("\n", 0, expression.start) + 1
        lines = {source.count("\n", 0, each) + 1 for each, _ in stretches} - {first}
        return HiddenValue(
            value,
            expression.start,
            expression.end,
            shown.before,
            _how(expression),
            tuple(source[begin:stop] for begin, stop in stretches),
            tuple(sorted(lines)),
        )


def _how(expression: FoldedExpression) -> str:
    steps = sorted(expression.value.steps - {"name"})
    return " and ".join(
        f"{each} text" if each in {"reversed", "replaced", "cut"} else _NAMES.get(each, each) for each in steps
    )


_NAMES = {"joined": "joined strings", "hex": "hexadecimal digits", "compressed": "compressed bytes"}


def hidden_passage(content: bytes, window: Window) -> HiddenTexts | None:
    """What is hidden in a stretch of a content, to be looked through; none where nothing is."""
    source = content[window.start : window.end].decode("latin-1")
    passage, shown = bytearray(), list[_Shown]()
    for each in hidden_texts(source):
        if len(each.text) < _MIN_LENGTH or len(shown) >= _MAX_TEXTS or len(passage) > _MAX_PASSAGE_BYTES:
            continue
        moved = each.moved(window.start)
        if not window.covers(moved.start, moved.end):
            continue
        before = source[max(0, each.start - _MAX_BEFORE) : each.start].rpartition("\n")[2].rstrip("\"'`( ")
        encoded = each.text.encode("latin-1", errors="replace")
        head = f'{before} "'.encode("latin-1", errors="replace")
        shown.append(_Shown(len(passage) + len(head), before + ' "', moved))
        passage += head + encoded + b'"\n'
    return HiddenTexts(window, bytes(passage), tuple(shown)) if shown else None
