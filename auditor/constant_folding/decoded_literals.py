"""Texts that are hidden in a source: joined, listed or escaped strings, character codes, and base64 or hexadecimal digits, decoded up to twice."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from auditor.constant_folding.expression_folding import Folding
from auditor.constant_folding.folded_values import FoldedExpression, FoldedText, Segment
from auditor.constant_folding.source_windows import anchors, line_start, windows
from auditor.constant_folding.text_calls import decode_base64, decode_hex
from auditor.constant_folding.token_stream import MAX_SOURCE_LENGTH

MIN_HIDDEN_LENGTH = 8
"""Characters of a text that is worth a look."""
_ENCODED = re.compile(r"(?:(?<![\w+/=-])|(?<=\w=))[A-Za-z0-9+/_-]{20,20000}={0,2}(?![\w+/=-])")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){10,}\Z")
_MAX_RUNS = 3_000
_MAX_ROUNDS = 2
_READABLE = re.compile(r"[\x20-\x7e\t\r\n]{8,}\Z")
_TEXT_BYTES = re.compile(r"[\x20-\x7e\t\r\n]{8}")


def hidden_texts(source: str) -> list[FoldedExpression]:
    """Every text that the source results in and does not say, by where it is written; of some the decoded text as well."""
    source = source[:MAX_SOURCE_LENGTH]
    found = [*_folded(source), *_decoded_runs(source), *_listed(source), *_coded(source)]
    return [each for each in found if len(each.text) >= MIN_HIDDEN_LENGTH]


def _folded(source: str) -> Iterator[FoldedExpression]:
    places = anchors(source)
    seen: dict[tuple[int, int], FoldedExpression] = {}
    for start, end in windows(source, places):
        first = next((place for place in places if start <= place < end), start)
        for begin in dict.fromkeys((start, line_start(source, first))):
            expressions = Folding(source[begin:end]).expressions[:_MAX_RUNS]
            for each in expressions:
                seen.setdefault((each.start + begin, each.end + begin), each.moved(begin))
            if expressions and not _may_begin_inside_text(source, start):
                break
    if places:
        for each in _named_elsewhere(source, places):
            seen.setdefault((each.start, each.end), each)
    for each in seen.values():
        yield each
        yield from _decoded(each)


_PIECE = r"[\w+/=-]{1,60}+"
_LIST = re.compile(
    rf"\[\s*+[\"']{_PIECE}[\"'](?:\s*+,\s*+[\"']{_PIECE}[\"']){{1,19}}+\s*+,?\s*+\]"
    rf"|^([ \t]*+)-[ \t]++[\"']?{_PIECE}[\"']?[ \t]*+(?:\n\1-[ \t]++[\"']?{_PIECE}[\"']?[ \t]*+){{1,19}}+$",
    re.MULTILINE,
)
"""A list of words in brackets, and one with a row for each word."""
_ITEM = re.compile(r"(?<![\w+/=-])(?=[\w+/=-]{0,59}[\w+/=])[\w+/=-]{1,60}+")
_MIXED = re.compile(r"(?=\D*\d)(?=[^A-Z]*[A-Z])[\w+/=-]{16,200}\Z")


def _listed(source: str) -> Iterator[FoldedExpression]:
    """What lists of short words read like when they are joined: code far away may do so."""
    for found, _ in zip(_LIST.finditer(source), range(_MAX_RUNS), strict=False):
        items = list(_ITEM.finditer(source, found.start(), found.end()))
        if _MIXED.match("".join(each[0] for each in items)):
            segments = tuple(Segment(each[0], each.start(), each.end()) for each in items)
            yield FoldedExpression(
                found.start(), found.end(), 0, 0, FoldedText(segments, frozenset({"a list of strings"}))
            )


_CODE = r"(?:\(\s?(?:byte|char|sbyte|uint8_t)\s?\)\s?)?(?:0x[2-7][0-9a-fA-F]|3[2-9]|[4-9]\d|1[01]\d|12[0-6]|b?'[\x20-\x26\x28-\x5b\x5d-\x7e]'|10|13|0x0[aAdD])(?:u8|[uU])?"
"""The code of a character that is printed or ends a line, or the character between single quotes."""
_CODES = re.compile(rf"[\[({{]\s*+{_CODE}(?:\s*+,\s*+{_CODE}){{15,4000}}+\s*+,?\s*+[\])}}]")
_ONE_CODE = re.compile(r"'(?P<character>.)'|0x(?P<hex>[0-9a-fA-F]{2})|(?P<decimal>\d{2,3})")


def _coded(source: str) -> Iterator[FoldedExpression]:
    """What lists of character codes read like: `[]byte{103, 104, 112}`, `new char[] {'g', 'h', 'p'}`."""
    for found, _ in zip(_CODES.finditer(source), range(_MAX_RUNS), strict=False):
        codes = list(_ONE_CODE.finditer(source, found.start(), found.end()))
        segments = tuple(Segment(_character(each), each.start(), each.end()) for each in codes)
        listed = FoldedExpression(
            found.start(), found.end(), 0, 0, FoldedText(segments, frozenset({"a list of character codes"}))
        )
        yield listed
        yield from _decoded(listed)


def _character(code: re.Match[str]) -> str:
    if code["character"]:
        return code["character"]
    return chr(int(code["hex"], 16) if code["hex"] else int(code["decimal"]))


def _may_begin_inside_text(source: str, place: int) -> bool:
    """May a place be inside a text of several lines, which would turn what is code and what is text around?"""
    return any(source.count(mark, 0, place) % 2 for mark in ('"""', "'''", "`"))


def _named_elsewhere(source: str, places: list[int]) -> list[FoldedExpression]:
    """Expressions whose names are given their text far away: only the lines of interest are read, one after the other."""
    lines = sorted({line_start(source, place) for place in places})
    spans = [(start, end if (end := source.find("\n", start)) >= 0 else len(source)) for start in lines]
    text = "\n".join(source[start:end] for start, end in spans)
    starts, at = [], 0
    for start, end in spans:
        starts.append((at, start - at))
        at += end - start + 1
    return [_placed(each, starts) for each in Folding(text).expressions[:_MAX_RUNS] if each.value.named]


def _placed(expression: FoldedExpression, starts: list[tuple[int, int]]) -> FoldedExpression:
    """The expression with the places that it has in the source, of which only some lines were read."""

    def by(place: int) -> int:
        at = bisect_right(starts, place, key=lambda each: each[0]) - 1
        return starts[at][1] if at >= 0 else 0

    segments = tuple(
        Segment(each.text, each.start + by(each.start), each.end + by(each.start)) for each in expression.value.segments
    )
    value = FoldedText(segments, expression.value.steps, expression.value.named)
    shift = by(expression.start)
    return FoldedExpression(
        expression.start + shift, expression.end + shift, expression.first, expression.last, value, expression.complete
    )


def _decoded_runs(source: str) -> Iterator[FoldedExpression]:
    for run, _ in zip(_ENCODED.finditer(source), range(_MAX_RUNS), strict=False):
        if decode_once(run[0]) is None:
            continue
        value = FoldedText((Segment(run[0], run.start(), run.end()),))
        yield from _decoded(FoldedExpression(run.start(), run.end(), 0, 0, value))


def _decoded(of: FoldedExpression) -> Iterator[FoldedExpression]:
    """What a text results in where it is base64 or hexadecimal digits of a text, up to twice."""
    text, steps = of.text, of.value.steps
    for _ in range(_MAX_ROUNDS):
        read = decode_once(text)
        if read is None:
            return
        text, step = read
        steps = steps | {step}
        start, end = of.value.span
        yield FoldedExpression(
            of.start,
            of.end,
            of.first,
            of.last,
            FoldedText((Segment(text, start, end),), steps, of.value.named),
            of.complete,
        )


def decode_once(text: str) -> tuple[str, str] | None:
    """What a text reads like decoded, and how; none where that is no text."""
    body = text.strip()
    if len(body) < MIN_HIDDEN_LENGTH * 2 or len(body) > MAX_SOURCE_LENGTH:
        return None
    if _HEX.match(body):
        made = decode_hex(body)
        if made is not None and _READABLE.match(made):
            return made, "hex"
    if not body.isascii() or (body.isalpha() and (body.islower() or body.isupper())):
        return None
    head = decode_base64(body[:16])
    if head is None or not _TEXT_BYTES.match(head):
        return None
    made = decode_base64(body)
    return (made, "base64") if made is not None and _READABLE.match(made) else None
