"""Calls that run a text which is decoded first, wherever it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.constant_folding.literal_tokens import NAME, SIGN, STRING, Token
from auditor.forensics.obfuscation.hidden_names import Names, named_in
from auditor.forensics.source_text.site_probe_types import Site, Text

_UNREADABLE = "{call} runs text that is decoded from "
_UNSEEN = "what is decoded was not analysed"
_MAX_TOKENS_INSIDE = 300


def unreadable_runs(text: Text, tokens: list[Token], names: Names, aliases: dict[str, str]) -> Iterator[Site]:
    """Calls that run a text that is decoded first, wherever it comes from."""
    decoded: dict[str, str] = {}
    for at, token in enumerate(tokens):
        if token.kind != NAME or at + 1 >= len(tokens):
            continue
        sign = tokens[at + 1].text if tokens[at + 1].kind == SIGN else ""
        if sign == "=":
            how = _decoder(tokens, at + 2, _statement_end(text, tokens, at + 2), names, decoded)
            decoded.pop(token.text, None)
            if how:
                decoded[token.text] = how
        elif sign == "(" and (runner := runner_name(aliases.get(token.text, token.text), names)):
            how = _decoder(tokens, at + 2, _closing(tokens, at + 1), names, decoded)
            if how:
                line = text.content.count("\n", 0, token.start) + 1
                yield Site(line, line, f"{_UNREADABLE}{how}, so nobody can review it", runner, 0.9, _UNSEEN)


def runner_name(name: str, names: Names) -> str:
    """The call that runs a text; `exec` and the like only by their whole name, as patterns and tables have methods of that name."""
    last = named_in(name, names.runners)
    return last if last and (last == name or last not in _AMBIGUOUS) else ""


_AMBIGUOUS = frozenset({"exec", "eval", "compile", "system", "setTimeout", "setInterval"})


def _closing(tokens: list[Token], at: int) -> int:
    depth = 0
    for index in range(at, min(len(tokens), at + _MAX_TOKENS_INSIDE)):
        text = tokens[index].text if tokens[index].kind == SIGN else ""
        depth += (text == "(") - (text == ")")
        if depth == 0:
            return index
    return at


def _statement_end(text: Text, tokens: list[Token], at: int) -> int:
    """Where a statement ends: at the end of a line outside of brackets."""
    depth = 0
    for index in range(at, min(len(tokens), at + _MAX_TOKENS_INSIDE)):
        sign = tokens[index].text if tokens[index].kind == SIGN else ""
        if depth == 0 and (
            sign == ";" or (index > at and "\n" in text.content[tokens[index - 1].end : tokens[index].start])
        ):
            return index
        depth += (sign in {"(", "[", "{"}) - (sign in {")", "]", "}"})
        if depth < 0:
            return index
    return at


def _decoder(tokens: list[Token], start: int, end: int, names: Names, decoded: dict[str, str]) -> str:
    """How the text is encoded that some tokens give; empty where it is not."""
    for index in range(start, end):
        token = tokens[index]
        if token.kind != NAME:
            continue
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if called and (row := named_in(token.text, names.decoders)):
            return names.decoders[row]
        if called and token.text in {"Buffer.from", "codecs.decode"}:
            how = next(
                (
                    each.text.strip("\"'`")
                    for each in tokens[index:end]
                    if each.kind == STRING and each.text.strip("\"'`") in _ENCODINGS
                ),
                "",
            )
            if how:
                return _ENCODINGS[how]
        owner = token.text.partition(".")[0]
        if owner in decoded and not (index + 1 < end and tokens[index + 1].text == "="):
            return decoded[owner]
    return ""


_ENCODINGS = {
    "base64": "base64",
    "hex": "hexadecimal digits",
    "rot13": "rot13",
    "rot_13": "rot13",
    "zlib": "compressed bytes",
}
