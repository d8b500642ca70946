"""Texts with holes that are filled with constants: f-strings, template literals, interpolation of Ruby and shells."""

from __future__ import annotations

import re
from collections.abc import Mapping

from auditor.constant_folding.folded_values import FoldedText, FoldedValue, Segment, joined
from auditor.constant_folding.literal_tokens import Token, unescaped

_HOLES = {
    "f": re.compile(r"(?<!\{)\{\s{0,9}([A-Za-z_][\w.]{0,80}|\"[^\"{}\n]{0,200}\"|'[^'{}\n]{0,200}')\s{0,9}\}(?!\})"),
    "$": re.compile(
        r"\$\{\s{0,9}([A-Za-z_][\w.$]{0,80}|\"[^\"{}\n]{0,200}\"|'[^'{}\n]{0,200}')\s{0,9}\}|\$([A-Za-z_]\w{0,80})"
    ),
    "#": re.compile(r"#\{\s{0,9}([A-Za-z_@][\w.]{0,80}|\"[^\"{}\n]{0,200}\"|'[^'{}\n]{0,200}')\s{0,9}\}"),
}
_MAX_HOLES = 200


def fill_holes(body: str, start: int, token: Token, constants: Mapping[str, FoldedValue]) -> FoldedText | None:
    """A text with all its holes filled; none where one holds something else than a constant, or where there is no hole."""
    form = _form(body, token)
    found = list(_HOLES[form].finditer(body))[:_MAX_HOLES] if form else []
    parts: list[FoldedText] = []
    at = 0
    for hole in found:
        value = _held(hole, start, constants)
        if value is None:
            return None
        parts += [_written(body[at : hole.start()], start + at), value]
        at = hole.end()
    if not parts or (form == "f" and re.search(r"(?<!\{)\{(?!\{)", body[at:])):
        return None
    rest = body[at:]
    return joined([each for each in (*parts, _written(rest, start + at)) if each.text])


def _form(body: str, token: Token) -> str:
    if "f" in token.prefix:
        return "f"
    if token.text[0] == "'" or "r" in token.prefix:
        return ""
    return "#" if "#{" in body else "$" if "$" in body else ""


def _held(hole: re.Match[str], start: int, constants: Mapping[str, FoldedValue]) -> FoldedText | None:
    named = next(each for each in hole.groups() if each is not None)
    if named[0] in "\"'":
        return FoldedText((Segment(named[1:-1], start + hole.start(), start + hole.end()),))
    value = constants.get(named)
    return FoldedText(value.segments, value.steps, named=True) if isinstance(value, FoldedText) else None


def _written(text: str, start: int) -> FoldedText:
    return FoldedText((Segment(unescaped(text)[0], start, start + len(text)),))
