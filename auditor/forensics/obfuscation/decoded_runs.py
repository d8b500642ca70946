"""Calls that run a text which is decoded first, wherever it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.constant_folding.literal_tokens import NAME, SIGN, STRING, Token
from auditor.forensics.obfuscation.function_scopes import FunctionScopes
from auditor.forensics.obfuscation.hidden_names import Names, named_in
from auditor.forensics.source_text.site_probe_types import Site, Text

_UNREADABLE = "{call} runs text that is decoded from "
_UNSEEN = "what is decoded was not analysed"
_MAX_TOKENS_INSIDE = 300
_MAX_PARENTHESES = 6
_WITH_SCOPES = frozenset({"javascript", "typescript", "vue", "svelte", "astro"})


def unreadable_runs(text: Text, tokens: list[Token], names: Names, aliases: dict[str, str]) -> Iterator[Site]:
    """Calls that run a text that is decoded first, wherever it comes from."""
    decoded = FunctionScopes(tokens)
    for at, token in enumerate(tokens):
        if text.language in _WITH_SCOPES:
            decoded.enter(at)
        if token.kind != NAME or at + 1 >= len(tokens):
            continue
        sign = tokens[at + 1].text if tokens[at + 1].kind == SIGN else ""
        if sign == "=":
            how = _decoder(tokens, at + 2, _statement_end(text, tokens, at + 2), names, decoded)
            decoded.assign(token.text, how)
        elif sign == "(" and (runner := runner_name(aliases.get(token.text, token.text), names)):
            if _is_of_pattern(tokens, at) or (runner in names.function_runners and _is_function(tokens, at + 2)):
                continue
            how = _decoder(tokens, at + 2, _closing(tokens, at + 1), names, decoded)
            if how:
                line = text.content.count("\n", 0, token.start) + 1
                yield Site(line, line, f"{_UNREADABLE}{how}, so nobody can review it", runner, 0.9, _UNSEEN)


def _is_of_pattern(tokens: list[Token], at: int) -> bool:
    """Is it a method of a regular expression, which is no token: `/a/.exec(text)`?"""
    return at > 1 and tokens[at - 1].text == "." and tokens[at - 2].kind == SIGN and tokens[at - 2].text not in ")]}"


def _is_function(tokens: list[Token], at: int) -> bool:
    """Is an argument a function, and not what a call of one gives?"""
    for _ in range(_MAX_PARENTHESES):
        first = _text_at(tokens, at)
        if first == "(":
            behind = _text_at(tokens, _closing(tokens, at) + 1)
            if behind not in {",", ")"}:
                return behind == "=>"
        elif first == "function":
            header = next((each for each in range(at, at + 4) if _text_at(tokens, each) == "("), at)
            body = _closing(tokens, header) + 1
            return _text_at(tokens, _closing(tokens, body, "{}") + 1) in {",", ")"}
        elif first != "async":
            return _text_at(tokens, at + 1) == "=>"
        at += 1
    return False


def _text_at(tokens: list[Token], at: int) -> str:
    return tokens[at].text if at < len(tokens) else ""


def runner_name(name: str, names: Names) -> str:
    """The call that runs a text; `exec` and the like only by their whole name, as patterns and tables have methods of that name."""
    last = named_in(name, names.runners)
    return last if last and (last == name or last not in _AMBIGUOUS) else ""


_AMBIGUOUS = frozenset({"exec", "eval", "compile", "system", "setTimeout", "setInterval"})


def _closing(tokens: list[Token], at: int, pair: str = "()") -> int:
    depth = 0
    for index in range(at, min(len(tokens), at + _MAX_TOKENS_INSIDE)):
        text = tokens[index].text if tokens[index].kind == SIGN else ""
        depth += (text == pair[0]) - (text == pair[1])
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


def _decoder(tokens: list[Token], start: int, end: int, names: Names, decoded: FunctionScopes) -> str:
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
        if (how := decoded.get(owner)) and not (index + 1 < end and tokens[index + 1].text == "="):
            return how
    return ""


_ENCODINGS = {
    "base64": "base64",
    "hex": "hexadecimal digits",
    "rot13": "rot13",
    "rot_13": "rot13",
    "zlib": "compressed bytes",
}
