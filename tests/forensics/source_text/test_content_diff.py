"""Of two versions of a content only what tells them apart is looked through, and nothing is missed by that."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable

import pytest

from auditor.forensics.source_text.content_diff import WINDOW_MARGIN_BYTES, difference, difference_from_nothing

TOKEN = re.compile(rb"TOKEN-[0-9]{6}")


def places(text: bytes) -> set[tuple[int, int]]:
    """Where tokens stand."""
    return {found.span() for found in TOKEN.finditer(text)}


def derived(before: bytes, after: bytes) -> set[tuple[int, int]]:
    """Where tokens stand in a version, from where they stood before and from looking through the windows alone."""
    how = difference(before, after)
    seen = {(now, now + end - start) for start, end in places(before) if (now := how.moved(start, end)) is not None}
    for window in how.windows:
        for start, end in places(after[window.start : window.end]):
            if window.covers(start + window.start, end + window.start):
                seen.add((start + window.start, end + window.start))
    return seen


def source(chance: random.Random, lines: int) -> list[bytes]:
    """Lines of which every fortieth holds a token."""
    return [
        b"TOKEN-%06d\n" % chance.randrange(10**6) if chance.random() < 0.025 else b"x = %d\n" % chance.randrange(10**9)
        for _ in range(lines)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_edited_moved_or_deleted_the_places_are_those_of_looking_through_everything(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - it draws texts
    lines = source(chance, chance.choice([3, 400, 6000]))
    before = b"".join(lines)
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(lines) + 1)
        many = chance.choice([1, 1, 3, 300])
        match chance.randrange(4):
            case 0:
                lines[at:at] = source(chance, many)
            case 1:
                del lines[at : at + many]
            case 2:
                lines[at : at + many] = source(chance, many)
            case _:
                cut = lines[at : at + many]
                del lines[at : at + many]
                lines[:0] = cut
    after = b"".join(lines)
    assert derived(before, after) == places(after)


def test_a_token_that_two_versions_complete_together_is_seen_in_the_second() -> None:
    before = b"a\n" * 50_000 + b"TOKEN-123" + b"\nb" * 50_000
    after = before.replace(b"TOKEN-123", b"TOKEN-123456")
    assert derived(before, after) == places(after) != set()


def test_a_small_edit_of_a_large_file_leaves_little_to_look_through() -> None:
    before = b"".join(b"line %d\n" % number for number in range(100_000))
    after = before.replace(b"line 500\n", b"line five hundred\n").replace(b"line 70000\n", b"")
    assert sum(window.end - window.start for window in difference(before, after).windows) < 5 * WINDOW_MARGIN_BYTES


def test_equal_contents_leave_nothing_and_unknown_ones_everything() -> None:
    assert difference(b"same", b"same").windows == ()
    [window] = difference_from_nothing(b"all of it").windows
    assert (window.start, window.end) == (0, 9)
    assert difference(b"", b"new").windows == difference_from_nothing(b"new").windows


@pytest.mark.parametrize(
    "draw",  # drawn in the test: what is collected is in memory for all of the suite
    [
        lambda: (b"a" * 4_000_000, b"a" * 4_000_001),
        lambda: (b"ab" * 2_000_000, b"ba" * 2_000_000),
        lambda: (b"\n" * 4_000_000, b"x\n" * 2_000_000),
        lambda: (b"a" * 63 + b"b" * 4_000_000, b"b" * 4_000_000 + b"a" * 63),
    ],
)
def test_texts_made_to_be_compared_slowly_are_not(draw: Callable[[], tuple[bytes, bytes]]) -> None:
    before, after = draw()
    started = time.process_time()
    how = difference(before, after)
    assert time.process_time() - started < 1.0
    assert all(before[each.before :][: each.length] == after[each.after :][: each.length] for each in how.kept)


@pytest.mark.parametrize("place", [20, 2_000, 6_300])
def test_an_edit_within_a_long_private_key_has_all_of_the_key_looked_through(place: int) -> None:
    key = b"-----BEGIN KEY-----\n" + b"MIIC\n" * 1_280 + b"-----END KEY-----\n"
    before = b"a = 1\n" * 3_000 + key + b"b = 1\n" * 3_000
    at = 18_000 + place
    [window] = difference(before, before[:at] + b"X" + before[at:]).windows
    assert window.start <= 18_000
    assert window.end >= 18_000 + len(key)
    assert window.end - window.start < len(key) + 2 * WINDOW_MARGIN_BYTES + 200


@pytest.mark.parametrize("body", [600, 2_500])
@pytest.mark.parametrize("behind", [b"", b"-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n"])
@pytest.mark.parametrize("ahead", [b"", b"-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n"])
def test_a_certificate_beside_a_long_private_key_hides_none_of_it(ahead: bytes, behind: bytes, body: int) -> None:
    key = b"-----BEGIN KEY-----\n" + b"MIIC\n" * body + b"-----END KEY-----\n"
    top = b"a = 1\n" * 3_000 + ahead
    after = top + key + behind + b"b = 1\n" * 3_000
    before = after.replace(b"MIIC\n-----END KEY-----\n", b"")
    [window] = difference(before, after).windows
    assert window.start <= len(top)
    assert window.end >= len(top) + len(key)
