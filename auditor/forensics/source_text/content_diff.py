"""Two versions of a content side by side: which stretches stayed, and around what is new, where to look again.

Neighbouring versions of a file are mostly equal, so what was seen in one need not be looked for in the other. Equal
stretches are compared as memory, without splitting lines: that costs a tenth of looking through them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MATCH_CONTEXT_BYTES = 1_200
"""Bytes around a place that can decide whether a secret is there; the widest rule of the catalogue looks 1,100 back."""
WINDOW_MARGIN_BYTES = 2_048
"""Bytes around what is new that are looked through again; only a private key can be longer, and is looked for."""
_MAX_PRIVATE_KEY_BYTES = 32_768
"""Bytes of the longest private key, as text: RSA of 16,384 bits takes 13,000, a PGP key with subkeys some more."""
_BLOCK_BYTES = 16_384
_TOLERANCE_BYTES = 128
"""Bytes by which an equal part may be reported too short: finding its exact end costs more than scanning them."""
_SAMPLE_BYTES = 64
_MAX_SHIFT_BYTES = 8_192
"""Bytes by which a part may have moved relative to what precedes it."""
_MIN_STRETCH_BYTES = 2 * WINDOW_MARGIN_BYTES
"""An equal stretch that is shorter than this saves no looking."""
_MAX_TRIES = 400


@dataclass(frozen=True, slots=True)
class CommonStretch:
    """A stretch that both versions share, and where it starts in each."""

    before: int
    after: int
    length: int


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch to look through. Only what touches its inner part counts: the rest is context."""

    start: int
    inner_start: int
    inner_end: int
    end: int

    def covers(self, start: int, end: int) -> bool:
        """Is a place decided by searching this window?"""
        return end > self.inner_start and start < self.inner_end and self.start <= start and end <= self.end


@dataclass(frozen=True, slots=True)
class Difference:
    """What a version shares with the one before it, and where it has to be looked through again."""

    kept: tuple[CommonStretch, ...]
    windows: tuple[Window, ...]

    def moved(self, start: int, end: int) -> int | None:
        """Where a place of the old version starts now; None when it must be searched for again or is gone."""
        for each in self.kept:
            if each.before <= start and end <= each.before + each.length:
                now = start - each.before + each.after
                return None if any(window.covers(now, now + end - start) for window in self.windows) else now
        return None


def difference_from_nothing(content: bytes) -> Difference:
    """The difference to an unknown version: all of the content is to be searched."""
    return Difference((), (Window(0, 0, len(content), len(content)),))


def difference(before: bytes, after: bytes) -> Difference:
    """How a version came from another; any two contents will do, but only alike ones save work."""
    kept = tuple(_common_stretches(before, after))
    return Difference(kept, tuple(_windows(kept, len(before), after)))


def _common_stretches(before: bytes, after: bytes) -> Iterator[CommonStretch]:
    first = _common_start(before, 0, len(before), after, 0, len(after))
    last = _common_end(before, first, len(before), after, first, len(after))
    if first:
        yield CommonStretch(0, 0, first)
    yield from _common_stretches_between(before, first, len(before) - last, after, first, len(after) - last)
    if last:
        yield CommonStretch(len(before) - last, len(after) - last, last)


def _common_stretches_between(
    before: bytes, old: int, old_end: int, after: bytes, new: int, new_end: int
) -> Iterator[CommonStretch]:
    """Long equal stretches between two places, found by short samples of the newer version, each a bit further on."""
    ahead = _SAMPLE_BYTES
    for _ in range(_MAX_TRIES):
        at = new + ahead
        if new_end - at < _MIN_STRETCH_BYTES or old_end - old < _MIN_STRETCH_BYTES:
            return
        found = before.find(after[at : at + _SAMPLE_BYTES], old, min(old_end, old + ahead + _MAX_SHIFT_BYTES))
        if found >= 0:
            back = _common_end(before, old, found, after, new, at)
            forth = _common_start(before, found, old_end, after, at, new_end)
            if back + forth >= _MIN_STRETCH_BYTES:
                yield CommonStretch(found - back, at - back, back + forth)
                old, new, ahead = found + forth, at + forth, _SAMPLE_BYTES
                continue
        ahead += ahead // 2


def _windows(kept: Sequence[CommonStretch], old_length: int, after: bytes) -> Iterator[Window]:
    """One for each place where something came in or went out; those that would overlap are one."""
    length = len(after)
    waiting: Window | None = None
    for start, end in _gaps(kept, old_length, length):
        outer = _widen_to_private_key(
            after, start, end, max(0, start - WINDOW_MARGIN_BYTES), min(length, end + WINDOW_MARGIN_BYTES)
        )
        window = Window(outer[0], max(0, start - MATCH_CONTEXT_BYTES), min(length, end + MATCH_CONTEXT_BYTES), outer[1])
        if waiting is None:
            waiting = window
        elif window.start <= waiting.end:
            first, last = min(window.start, waiting.start), max(window.end, waiting.end)
            waiting = Window(first, waiting.inner_start, window.inner_end, last)
        else:
            yield waiting
            waiting = window
    if waiting is not None:
        yield waiting


def _widen_to_private_key(text: bytes, start: int, end: int, first: int, last: int) -> tuple[int, int]:
    """A window from `first` to `last` widened to hold all of any private key that reaches into the place in its middle.

    Certificates and other keys are written in the same form and may stand right before and behind it, so it is widened
    from the first head within reach to the foot that follows the place; what is looked through in vain costs only time.
    """
    header = text.find(b"-----BEGIN", max(0, start - _MAX_PRIVATE_KEY_BYTES), end + _TOLERANCE_BYTES)
    if header < 0:
        return first, last
    footer = text.find(b"-----END", end, end + _MAX_PRIVATE_KEY_BYTES)
    return min(first, header), last if footer < 0 else max(last, min(len(text), footer + 80))


def _gaps(kept: Sequence[CommonStretch], old_length: int, new_length: int) -> Iterator[tuple[int, int]]:
    old = new = 0
    for each in (*kept, CommonStretch(old_length, new_length, 0)):
        if each.before > old or each.after > new:
            yield new, each.after
        old, new = each.before + each.length, each.after + each.length


def _common_start(one: bytes, start: int, end: int, other: bytes, other_start: int, other_end: int) -> int:
    """How many bytes from the two starts on are equal."""
    longest = min(end - start, other_end - other_start)
    same = 0
    while same < longest:
        step = min(_BLOCK_BYTES, longest - same)
        if not other.startswith(one[start + same : start + same + step], other_start + same):
            break
        same += step
    upper = min(longest, same + _BLOCK_BYTES)
    while upper - same > _TOLERANCE_BYTES:
        middle = (same + upper + 1) // 2
        if other.startswith(one[start + same : start + middle], other_start + same):
            same = middle
        else:
            upper = middle - 1
    return same


def _common_end(one: bytes, start: int, end: int, other: bytes, other_start: int, other_end: int) -> int:
    """How many bytes up to the two ends are equal."""
    longest = min(end - start, other_end - other_start)
    same = 0
    while same < longest:
        step = min(_BLOCK_BYTES, longest - same)
        if not other.startswith(one[end - same - step : end - same], other_end - same - step):
            break
        same += step
    upper = min(longest, same + _BLOCK_BYTES)
    while upper - same > _TOLERANCE_BYTES:
        middle = (same + upper + 1) // 2
        if other.startswith(one[end - middle : end - same], other_end - middle):
            same = middle
        else:
            upper = middle - 1
    return same
