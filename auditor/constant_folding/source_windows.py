"""Stretches of a source in which a string may be written in pieces: found by their signs, so that the rest is never gone into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice

import ahocorasick_rs

_METHOD = r"\)?\.(?:replace|gsub|tr|split|reverse|format|concat|decode|unpack1?)\b"
_SIGN = r"\s{0,80}(?:[+.]|\.\.|<<|\\\r?\n)?\s{0,80}"
_JOINT = re.compile(
    rf"""["'`](?:(?<=[\w+/=.-]["'`])(?<!\\[nrt]["'`]){_SIGN}[rbfuRBFU]{{0,2}}["'`][\w+/=.-]|{_METHOD})"""
)
"""Two strings with nothing but a sign between them, or a method of a string that makes another one."""
_WORD_JOINT = re.compile(rf"""["'`](?:(?<=\w["'`])(?<!\\[nrt]["'`]){_SIGN}[rbfuRBFU]{{0,2}}["'`]\w|{_METHOD})""")
_SIGNED_WORD_JOINT = re.compile(
    rf"""["'`](?:(?<=\w["'`])(?<!\\[nrt]["'`])\s{{0,80}}(?:\+|\.\.?)\s{{0,80}}["'`]\w|{_METHOD})"""
)
"""The same where a word may be cut, and nothing else; in languages that need a sign between strings."""
_ESCAPES = re.compile(r"\\(?:x[2-7][0-9a-fA-F]\\x[2-7]|u00[2-7][0-9a-fA-F]\\u00)")
_WORDS = (
    "fromhex", "unhexlify", "a2b_hex", "b64decode", "decode64", "b32decode", "b85decode", "atob(", "Buffer.from", "fromCharCode", "fromCodePoint", "chr(", ".chr", "chr,",
    "[::", "::2]", "::3]", "::4]", "::5]", ".to_bytes(", "].reverse", "rot13", "rot_13", "rot-13", "ROT13", "DecodeString", "].pack", "].join(", "]).join(", '"".join', "''.join", "%s%s", "{}{}", "strings.Join", '${"', "${'",
)  # fmt: skip
"""Signs of calls that make a text of other ones."""
_ASSIGNED = re.compile(r"""=\s{0,9}(?:["'][^"'\n]{2,400}["']|(?:0x)?[0-9a-fA-F_]{20,400}\b)""")
_PICKED = re.compile(r"(?<![\w.])([A-Za-z_]\w{0,60})(?:\[[^\]\n]{0,20}::[^\]\n]{0,9}\]|\.to_bytes\()")
"""A name of which some letters are taken, or the bytes."""
_TARGET = re.compile(r"(?<![\w.])((?:self\.|this\.|@)?[A-Za-z_]\w{0,60})(?:\s{0,9}:\s{0,9}\w{1,30})?\s{0,9}[:+]?\Z")
_NAME_BEFORE = re.compile(r"((?:(?:self|this)\.|@)?[A-Za-z_]\w{0,60}|[\"'])\s{0,9}\Z")
_NAME_BEHIND = re.compile(r"\s{0,9}((?:(?:self|this)\.|@)?[A-Za-z_]\w{0,60}|[\"'])")
_HOLES = re.compile(r"\{([A-Za-z_][\w.]{0,60})\}|\$([A-Za-z_]\w{0,60})")
_NAME_LENGTH = 120
_MAX_ANCHORS = 2_000
_LINES_AROUND = 30
_MAX_WINDOW = 6_000
"""Characters on either side of a sign."""


def anchors(source: str, *, of_words: bool = False, adjacent: bool = True) -> list[int]:
    """Places at which a string may be assembled or decoded; on demand only those where a word may be cut.

    `adjacent` says whether strings that are next to each other are one.
    """
    joints = _JOINT if not of_words else _WORD_JOINT if adjacent else _SIGNED_WORD_JOINT
    found = {each.start() for each, _ in zip(joints.finditer(source), range(_MAX_ANCHORS), strict=False)}
    found.update(each.start() for each, _ in zip(_ESCAPES.finditer(source), range(_MAX_ANCHORS), strict=False))
    found.update(start for _, start, _ in islice(_word_search().find_matches_as_indexes(source), _MAX_ANCHORS))
    return sorted({*found, *_named_anchors(source, of_words)})


@cache
def _word_search() -> ahocorasick_rs.AhoCorasick:
    return ahocorasick_rs.AhoCorasick(_WORDS)


def _named_anchors(source: str, of_words: bool) -> Iterator[int]:
    """Places where names of constants are joined, and where these get their text."""
    constants: dict[str, list[int]] = {}
    for each in _ASSIGNED.finditer(source):
        target = _TARGET.search(source[max(0, each.start() - _NAME_LENGTH) : each.start()])
        if target is not None:
            constants.setdefault(target[1], []).append(each.start())
            if source[each.start() - 1] == "+":
                yield from constants[target[1]][-10:]
    if constants:
        used: set[str] = set()
        yield from _sums(source, constants, used)
        yield from _filled(source, constants, used, of_words)
        for each in _PICKED.finditer(source) if not of_words else ():
            if each[1] in constants:
                used.add(each[1])
                yield each.start()
        for name in used:
            yield from constants[name][:10]


def _sums(source: str, constants: Mapping[str, object], used: set[str]) -> Iterator[int]:
    """Signs between two names of constants, or between one and a string."""
    at = source.find("+")
    while at >= 0:
        before, behind = _NAME_BEFORE.search(source[max(0, at - _NAME_LENGTH) : at]), _NAME_BEHIND.match(source, at + 1)
        if before is not None and behind is not None:
            names = {before[1], behind[1]} - {'"', "'"}
            if names and all(name in constants for name in names):
                used |= names
                yield at
        at = source.find("+", at + 1)


def _filled(source: str, constants: Mapping[str, object], used: set[str], of_words: bool) -> Iterator[int]:
    """Holes of texts that the names of constants fill; only those in or beside a word."""
    for each in _HOLES.finditer(source):
        name = each[1] or each[2]
        if name in constants and (not of_words or _touches_word(source, each.start(), each.end())):
            used.add(name)
            yield each.start()


def _touches_word(source: str, start: int, end: int) -> bool:
    before, behind = source[max(0, start - 2) : start].rstrip("$#")[-1:], source[end : end + 2].lstrip("$#")[:1]
    return any(each.isalnum() or each in "_{}" for each in (before, behind) if each)


def windows(source: str, places: Iterable[int]) -> list[tuple[int, int]]:
    """The lines around some places, those that meet as one."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and place < found[-1][1] - _MAX_WINDOW // 8:
            continue
        start, end = _around(source, place)
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _around(source: str, place: int) -> tuple[int, int]:
    first, last = max(0, place - _MAX_WINDOW), min(len(source), place + _MAX_WINDOW)
    start = end = place
    for _ in range(_LINES_AROUND):
        start = source.rfind("\n", first, start)
        if start < 0:
            start = first
            break
    for _ in range(_LINES_AROUND):
        end = source.find("\n", end + 1, last)
        if end < 0:
            end = last
            break
    return start, end


def line_start(source: str, place: int) -> int:
    """Where the line begins that holds a place."""
    return source.rfind("\n", 0, place) + 1
