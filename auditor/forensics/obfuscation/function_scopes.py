"""What names of JavaScript stand for, each in the function that declares it: minified code gives every function the same few names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.constant_folding.literal_tokens import NAME, SIGN, Token

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_DECLARING = frozenset({"var", "let", "const"})
_BLOCK_WORDS = frozenset({"if", "for", "while", "switch", "catch", "with", "await"})
"""What opens a block, and no function, before parentheses and a brace."""
_MAX_PARAMETERS = 60


@dataclass
class _Bracket:
    """An open bracket: the word before it, the names directly in it, and whether names are declared in it now."""

    before: str
    names: list[str] = field(default_factory=list)
    declaring: bool = False


@dataclass
class _Function:
    """An open function: how many brackets were open before its body, and the names that it declares."""

    depth: int
    is_expression: bool
    names: set[str] = field(default_factory=set)


@dataclass
class FunctionScopes:
    """The functions around a token, as a walk through all tokens in order sees them."""

    tokens: Sequence[Token]
    meanings: dict[str, list[str]] = field(default_factory=dict)
    """Names, and what each is in the functions that declare it, the innermost last."""
    functions: list[_Function] = field(default_factory=lambda: [_Function(-1, is_expression=False)])
    brackets: list[_Bracket] = field(default_factory=lambda: [_Bracket("")])
    parameters: tuple[str, ...] = ()
    """Names in the parentheses that were closed last."""
    header: str = ""
    """The word before those."""

    def get(self, name: str) -> str:
        """What a name was said to be, in the innermost function that declares it."""
        known = self.meanings.get(name)
        return known[-1] if known else ""

    def assign(self, name: str, meaning: str) -> None:
        """Note what a name is from now on: in the function that declares it, else everywhere."""
        known = self.meanings.setdefault(name, [])
        known[-1:] = [meaning]

    def enter(self, at: int) -> None:
        """Pass the token at an index."""
        token = self.tokens[at]
        if token.kind == NAME:
            self._pass_name(at, token.text)
        elif token.kind == SIGN:
            self._pass_sign(at, token.text)

    def _pass_name(self, at: int, name: str) -> None:
        bracket = self.brackets[-1]
        before = self.tokens[at - 1].text if at else ""
        if name in _DECLARING:
            bracket.declaring = True
        elif bracket.declaring and (before in _DECLARING or before == ","):
            self._declare(name, self.get(name))  # it may have been given a value above its declaration
        behind = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
        if len(bracket.names) < _MAX_PARAMETERS and behind != "=":
            bracket.names.append(name)

    def _declare(self, name: str, meaning: str) -> None:
        function = self.functions[-1]
        if name not in function.names:
            function.names.add(name)
            self.meanings.setdefault(name, []).append(meaning)

    def _pass_sign(self, at: int, sign: str) -> None:
        if sign in {",", ";"}:
            self._end_expressions(len(self.brackets))
            self.brackets[-1].declaring &= sign == ","
        elif sign == "=>":
            self._open_arrow(at)
        elif sign in _OPENING:
            self._open(at, sign)
        elif sign in _CLOSING and len(self.brackets) > 1:
            self._close(sign)

    def _open_arrow(self, at: int) -> None:
        before = self.tokens[at - 1] if at else None
        taken = self.parameters if before is None or before.kind == SIGN else (before.text,)
        behind = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
        self._open_function(taken, is_expression=behind != "{")

    def _open(self, at: int, sign: str) -> None:
        before = self.tokens[at - 1].text if at else ""
        if sign == "{" and before == ")" and self.header not in _BLOCK_WORDS:
            self._open_function(self.parameters, is_expression=False)
        named = self.tokens[at - 1].text if at and self.tokens[at - 1].kind == NAME else ""
        self.brackets.append(_Bracket(named))

    def _open_function(self, taken: Sequence[str], *, is_expression: bool) -> None:
        self.functions.append(_Function(len(self.brackets), is_expression))
        for each in taken:
            self._declare(each, "")

    def _end_function(self) -> None:
        for each in self.functions.pop().names:
            self.meanings[each].pop()

    def _close(self, sign: str) -> None:
        closed = self.brackets.pop()
        if sign == ")":
            self.parameters, self.header = tuple(closed.names), closed.before
        depth = len(self.brackets)
        self._end_expressions(depth + 1)
        if sign == "}" and self.functions[-1].depth == depth:
            self._end_function()

    def _end_expressions(self, depth: int) -> None:
        """End the functions without braces whose body ends at this depth."""
        while self.functions[-1].is_expression and self.functions[-1].depth >= depth:
            self._end_function()
