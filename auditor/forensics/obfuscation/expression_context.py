"""Where an expression of a source is used: which call it is an argument of, which table it is a key of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from auditor.constant_folding.folded_values import FoldedExpression
from auditor.constant_folding.literal_tokens import NAME, SIGN, Token

_MAX_TOKENS_BACK = 60
_MAX_DEPTH = 4
_CLOSING = {")": "(", "]": "[", "}": "{"}


class Use(NamedTuple):
    """A call, or a table, around an expression."""

    name: str
    argument: int
    """Which argument it is; -1 for the key of a table."""
    called: bool = False
    """Is what the key gives called at once?"""


def uses(tokens: Sequence[Token], expression: FoldedExpression, aliases: Mapping[str, str]) -> list[Use]:
    """The key or call that an expression is in, the innermost first."""
    found: list[Use] = []
    before = expression.first - 1
    if _sign(tokens, before) == "[" and _sign(tokens, expression.last) == "]" and expression.complete:
        owner = _owner(tokens, before)
        if owner is not None:
            found.append(Use(aliases.get(owner, owner), -1, _sign(tokens, expression.last + 1) in {"(", "?."}))
    at = expression.first
    for _ in range(_MAX_DEPTH):
        opened = _opening(tokens, at)
        if opened is None:
            break
        at, argument = opened
        name = _callee(tokens, at)
        if name:
            found.append(Use(aliases.get(name, name), argument))
    return found


def _owner(tokens: Sequence[Token], bracket: int) -> str | None:
    """What a bracket takes an entry of; none where it begins a list."""
    token = tokens[bracket - 1] if bracket > 0 else None
    if token is None:
        return None
    if token.kind == NAME:
        return None if token.text in {"return", "in", "of", "case", "typeof", "await", "yield"} else token.text
    if token.text == ")":
        opened = _matching(tokens, bracket - 1)
        return _callee(tokens, opened) if opened is not None else ""
    return "" if token.text == "]" else None


def _callee(tokens: Sequence[Token], opened: int) -> str:
    """The name before a bracket of arguments; empty where there is none."""
    token = tokens[opened - 1] if opened > 0 else None
    if token is None or token.kind != NAME or tokens[opened].text != "(":
        return ""
    return token.text


def _opening(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """The bracket that is open at a token, and how many commas are between."""
    depth = commas = 0
    for index in range(at - 1, max(-1, at - _MAX_TOKENS_BACK), -1):
        token = tokens[index]
        if token.kind != SIGN:
            continue
        if token.text in _CLOSING:
            depth += 1
        elif token.text in {"(", "[", "{"}:
            if depth == 0:
                return (index, commas) if token.text == "(" else _opening_around(tokens, index)
            depth -= 1
        elif depth == 0 and token.text == ",":
            commas += 1
        elif depth == 0 and token.text in {";", "=>"}:
            return None
    return None


def _opening_around(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    return None if tokens[at].text == "{" else _opening(tokens, at)


def _matching(tokens: Sequence[Token], at: int) -> int | None:
    """The bracket that one closes."""
    depth = 0
    for index in range(at, max(-1, at - _MAX_TOKENS_BACK), -1):
        text = tokens[index].text if tokens[index].kind == SIGN else ""
        if text in _CLOSING:
            depth += 1
        elif text in {"(", "[", "{"}:
            depth -= 1
            if depth == 0:
                return index
    return None


def _sign(tokens: Sequence[Token], at: int) -> str:
    token = tokens[at] if 0 <= at < len(tokens) else None
    return token.text if token is not None and token.kind == SIGN else ""


def call_aliases(tokens: Sequence[Token], names: frozenset[str]) -> dict[str, str]:
    """Names that a file gives to calls of interest: `g = getattr`, `import exec as e`."""
    found: dict[str, str] = {}
    for at in range(1, len(tokens) - 1):
        token = tokens[at]
        if token.text not in {"=", "as", ":="} or tokens[at - 1].kind != NAME or tokens[at + 1].kind != NAME:
            continue
        left, right = (
            (tokens[at - 1].text, tokens[at + 1].text)
            if token.text != "as"
            else (tokens[at + 1].text, tokens[at - 1].text)
        )
        right = found.get(right, right)
        if (right in names or right.rpartition(".")[2] in names) and _sign(tokens, at + 2) not in {"(", "["}:
            found[left] = right
    return found
