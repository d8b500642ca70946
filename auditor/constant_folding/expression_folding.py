"""Constant expressions of a source and the texts that they come to."""

from __future__ import annotations

from collections.abc import Callable

from auditor.constant_folding.folded_values import (
    MAX_FOLDED_LENGTH,
    FoldedExpression,
    FoldedText,
    FoldedValue,
    Segment,
    joined,
)
from auditor.constant_folding.literal_tokens import (
    JOINING_LANGUAGES,
    NAME,
    NUMBER,
    SIGN,
    STRING,
    Token,
    string_body,
    unescaped,
)
from auditor.constant_folding.text_calls import CALLS, METHODS, PROPERTIES, sliced, text_of_number
from auditor.constant_folding.text_templates import fill_holes
from auditor.constant_folding.token_stream import BITWISE, TokenStream, number_of

_MAX_DEPTH = 12
_MAX_STEPS = 150_000
_MAX_ITEMS = 5_000
_JOINING = frozenset({"+", "..", "."})


class Folding(TokenStream):
    """The tokens of a source and its constant expressions."""

    def __init__(self, source: str, language: str = "") -> None:
        super().__init__(source, language)
        self._joins = language in JOINING_LANGUAGES
        self.expressions: list[FoldedExpression] = []
        self.constants: dict[str, FoldedValue] = {}
        """What names stand for, as far as the source has been gone through."""
        self._steps = 0
        self._depth = 0
        self._fold_all()

    def _fold_all(self) -> None:
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind == NAME and self.sign(at + 1) in {"=", "+="} and self.is_start(at):
                at = self._assignment(at, self.annotated(at) or token)
                continue
            read = self._expression(at) if self._may_begin(at) else None
            if read is None:
                at += 1
                continue
            value, end = read
            at = max(end, at + 1) if self._note(at, end, value) else at + 1

    def _assignment(self, at: int, name: Token) -> int:
        """Go over an assignment and keep what the name stands for from here on."""
        grows = self.sign(at + 1) == "+="
        read = self._expression(at + 2)
        value = None if read is None or self.continues(read[1]) else read[0]
        end = at + 2 if read is None else read[1]
        if grows:
            before = self.constants.get(name.text)
            texts = [each for each in (before, value) if isinstance(each, FoldedText)]
            value = joined(texts) if len(texts) == 2 else None
        if value is None:
            self.constants.pop(name.text, None)
        else:
            self.constants[name.text] = value
        if read is not None and (grows or value is None or value is read[0]):
            self._note(at + 2, end, value if grows and value is not None else read[0])
        return end

    def _note(self, first: int, end: int, value: FoldedValue) -> bool:
        """Keep an expression that is hidden; False where others may be inside it."""
        if not isinstance(value, FoldedText):
            return False
        if value.steps and end > first:
            start, stop = self.tokens[first].start, self.tokens[end - 1].end
            if any(not each.end for each in value.segments):
                value = FoldedText((Segment(value.text, start, stop),), value.steps, value.named)
            self.expressions.append(FoldedExpression(start, stop, first, end, value, not self.continues(end)))
        return True

    def _may_begin(self, at: int) -> bool:
        token = self.tokens[at]
        if token.kind == STRING:
            return not self.is_plain(at, token)
        if token.kind == NAME:
            return token.text in self.constants or self._called(token.text) is not None or self._owner(token.text) != ""
        return token.text == "[" or (token.text == "(" and not self.is_call(at))

    def _called(self, name: str) -> str | None:
        """The name of a call that is known, by its last parts."""
        last = name.rpartition("::")[2].rpartition(".")[2]
        return next((each for each in (name, last) if each in CALLS), None)

    def _owner(self, name: str) -> str:
        """What a method or property is taken from where that is a known constant."""
        owner = name.rpartition(".")[0].removesuffix("?")
        return owner if owner in self.constants else ""

    def _expression(self, at: int) -> tuple[FoldedValue, int] | None:
        """The constant that begins at a token, and the token behind it."""
        self._steps += 1
        if self._depth > _MAX_DEPTH or self._steps > _MAX_STEPS:
            return None
        self._depth += 1
        try:
            return self._sum(at)
        finally:
            self._depth -= 1

    def _sum(self, at: int) -> tuple[FoldedValue, int] | None:
        read = self._operand(at)
        if read is None:
            return None
        first, end = read
        if not isinstance(first, FoldedText):
            return read
        parts, length = [first], first.length
        while len(parts) < _MAX_ITEMS and self.sign(end) in _JOINING:
            more = self._operand(end + 1)
            if more is None or not isinstance(more[0], FoldedText):
                break
            length += more[0].length
            if length > MAX_FOLDED_LENGTH:
                break
            parts.append(more[0])
            end = more[1]
        whole = joined(parts) if len(parts) > 1 else first
        return None if whole is None else (whole, end)

    def _operand(self, at: int) -> tuple[FoldedValue, int] | None:
        """A literal, a list, a name, a call or what is in brackets, with all that is done to it."""
        read = self._primary(at)
        while read is not None:
            more = self._postfix(*read)
            if more is None:
                return read
            read = more
        return None

    def _primary(self, at: int) -> tuple[FoldedValue, int] | None:
        token = self.tokens[at] if at < len(self.tokens) else None
        if token is None or token.kind == STRING:
            return None if token is None else self._strings(at)
        if token.kind == NUMBER:
            return number_of(token), at + 1
        if token.kind == NAME:
            return self._named(at, token)
        if token.text == "(":
            read = self._expression(at + 1)
            return (read[0], read[1] + 1) if read is not None and self.sign(read[1]) == ")" else None
        return self._list(at) if token.text == "[" else None

    def _strings(self, at: int) -> tuple[FoldedValue, int] | None:
        """A string, and those that are right behind it: many languages join them."""
        parts: list[FoldedText] = []
        end, length = at, 0
        while end < len(self.tokens) and self.tokens[end].kind == STRING and len(parts) < _MAX_ITEMS:
            if parts and not (self._joins and self._is_adjacent(end)):
                break
            read = self._literal(self.tokens[end])
            length += 0 if read is None else read.length
            if read is None or (parts and length > MAX_FOLDED_LENGTH):
                break
            parts.append(read)
            end += 1
        if len(parts) < 2:
            return (parts[0], end) if parts else None
        whole = joined(parts)
        return None if whole is None else (whole, end)

    def _is_adjacent(self, at: int) -> bool:
        between = self.source[self.tokens[at - 1].end : self.tokens[at].start]
        return "\n" not in between or "\\\n" in between or self._depth > 1 or self.sign(at - 2) in {"(", "["}

    def _literal(self, token: Token) -> FoldedText | None:
        start, end = string_body(token)
        body = self.source[start:end]
        if "{" in body or "$" in body:
            filled = fill_holes(body, start, token, self.constants)
            if filled is not None:
                return filled
            if "f" in token.prefix or (token.text[0] == "`" and "${" in body):
                return None
        raw = "r" in token.prefix
        text, needless = (body, False) if raw else unescaped(body)
        return FoldedText((Segment(text, start, end),), frozenset({"escapes"}) if needless else frozenset())

    def _named(self, at: int, token: Token) -> tuple[FoldedValue, int] | None:
        name = token.text
        called = self._called(name)
        if called is not None and self.sign(at + 1) == "(":
            read = self._arguments(at + 1)
            if read is not None:
                value = self._call(called, read[0], at)
                if value is not None:
                    return value, read[1]
        if name == "new" and at + 1 < len(self.tokens):
            return self._primary(at + 1)
        if name in self.constants:
            return _as_named(self.constants[name]), at + 1
        owner = self._owner(name)
        return self._member(_as_named(self.constants[owner]), name.rpartition(".")[2], at + 1) if owner else None

    def _call(self, called: str, given: list[FoldedValue], at: int) -> FoldedValue | None:
        value = CALLS[called](given)
        if isinstance(value, FoldedText) and not value.segments:
            return None
        if isinstance(value, FoldedText) and value.segments[0].end == 0:
            token = self.tokens[at]
            return FoldedText((Segment(value.text, token.start, token.end),), value.steps, value.named)
        return value

    def _arguments(self, at: int) -> tuple[list[FoldedValue], int] | None:
        """The arguments of a call from its bracket on; a comprehension is one of them."""
        return self._items(at, ")", lambda end: self._comprehension(end) or self._mapped(end) or self._expression(end))

    def _items(
        self, at: int, closing: str, read: Callable[[int], tuple[FoldedValue, int] | None]
    ) -> tuple[list[FoldedValue], int] | None:
        """What is between a bracket and its closing one, and the token behind that."""
        items: list[FoldedValue] = []
        end = at + 1
        while self.sign(end) != closing:
            found = read(end + (closing == ")" and self.sign(end) == "..."))
            if found is None or len(items) >= _MAX_ITEMS:
                return None
            items.append(found[0])
            end = found[1]
            if self.sign(end) == ",":
                end += 1
            elif self.sign(end) != closing:
                return None
        return items, end + 1

    def _mapped(self, at: int) -> tuple[FoldedValue, int] | None:
        """A name that is only passed on: `null`, `chr` of `map(chr, codes)`, and strings of any kind."""
        token = self.tokens[at] if at < len(self.tokens) else None
        if token is None or token.kind != NAME or self.sign(at + 1) not in {",", ")"} or token.text in self.constants:
            return None
        return FoldedText((Segment(token.text, token.start, token.end),), frozenset({"name"})), at + 1

    def _comprehension(self, at: int) -> tuple[FoldedValue, int] | None:
        """`chr(c) for c in [...]`, `chr(c ^ 7) for c in b"..."`: the texts that it gives."""
        word, opened = self.name(at), self.sign(at + 1)
        drawn = self.name(at + 2)
        if word not in _CODE_CALLS or opened != "(" or not drawn:
            return None
        shift, end = self.shift(at + 3)
        if (
            self.sign(end) != ")"
            or self.name(end + 1) != "for"
            or self.name(end + 2) != drawn
            or self.name(end + 3) != "in"
        ):
            return None
        read = self._expression(end + 4)
        if read is None:
            return None
        value = CALLS["chr"]([_shifted(read[0], shift)])
        return None if value is None else (value, read[1])

    def _list(self, at: int) -> tuple[FoldedValue, int] | None:
        made = self._comprehension(at + 1)
        if made is not None:
            return (made[0], made[1] + 1) if self.sign(made[1]) == "]" else None
        return self._items(at, "]", self._expression)

    def _postfix(self, value: FoldedValue, at: int) -> tuple[FoldedValue, int] | None:
        """The value with the next method, property or slice applied; none where there is no more, or none that is known."""
        sign = self.sign(at)
        if sign in {".", "?."} and self.name(at + 1):
            names = self.name(at + 1).split(".")
            member = self._member(value, names[0], at + 2) if len(names) == 1 else None
            if len(names) > 1:
                for name in names[:-1]:
                    made = PROPERTIES[name](value) if name in PROPERTIES else None
                    if made is None:
                        return None
                    value = made
                member = self._member(value, names[-1], at + 2)
            return member
        if sign == "[":
            return self._slice(value, at)
        if sign == "%" and isinstance(value, FoldedText):
            return self._formatted(value, at)
        return None

    def _member(self, value: FoldedValue, name: str, at: int) -> tuple[FoldedValue, int] | None:
        if name == _BYTES_OF_NUMBER and self.sign(at) == "(":
            return self._number_text(value, at)
        if self.sign(at) == "(" and name in METHODS:
            read = self._arrow(value, name, at) or self._method(value, name, at)
            if read is not None:
                return read
        if name in PROPERTIES and self.sign(at) != "(":
            made = PROPERTIES[name](value)
            return None if made is None else (made, at)
        return None

    def _number_text(self, value: FoldedValue, at: int) -> tuple[FoldedValue, int] | None:
        """`.to_bytes(length, "big")`, whatever the length is computed from; `//` in it may be taken for a comment."""
        end, depth, words = at, 0, list[str]()
        while end < min(len(self.tokens), at + _MAX_ARGUMENT_TOKENS):
            depth += {"(": 1, ")": -1}.get(self.sign(end), 0)
            words.append(self.tokens[end].text.strip("\"'"))
            end += 1
            if depth == 0 or end >= len(self.tokens) or self.is_on_next_line(end):
                break
        made = text_of_number(value, little="little" in words)
        return None if made is None else (made, end)

    def _method(self, value: FoldedValue, name: str, at: int) -> tuple[FoldedValue, int] | None:
        read = self._arguments(at)
        made = None if read is None else METHODS[name](value, read[0])
        return None if made is None or read is None else (made, read[1])

    def _arrow(self, value: FoldedValue, name: str, at: int) -> tuple[FoldedValue, int] | None:
        """`.map(c => String.fromCharCode(c ^ 7))`, `.map { |c| c.chr }` aside."""
        drawn, end = self.name(at + 1), at + 2
        if self.sign(at + 1) == "(":
            drawn, end = self.name(at + 2), at + 4
        if name != "map" or not drawn or self.sign(end) != "=>" or self.name(end + 1) not in _CODE_CALLS:
            return None
        if self.name(end + 3) != drawn:
            return None
        shift, end = self.shift(end + 4)
        if self.sign(end) != ")" or self.sign(end + 1) != ")":
            return None
        made = CALLS["chr"]([_shifted(value, shift)])
        return None if made is None else (made, end + 2)

    def _slice(self, value: FoldedValue, at: int) -> tuple[FoldedValue, int] | None:
        """`[::-1]`, `[3]`, `[1:4]` of a text or list."""
        end, parts = at + 1, [""]
        for _ in range(8):
            token = self.tokens[end] if end < len(self.tokens) else None
            if (
                token is None
                or (token.kind == SIGN and token.text not in {":", "-", "::"})
                or token.kind in {STRING, NAME}
            ):
                break
            parts = (
                [*parts, *[""] * token.text.count(":")] if ":" in token.text else [*parts[:-1], parts[-1] + token.text]
            )
            end += 1
        if self.sign(end) != "]" or len(parts) > 3 or not any((*parts, len(parts) > 1)):
            return None
        made = sliced(value, parts) if len(parts) > 1 else _item(value, parts[0])
        return None if made is None else (made, end + 1)

    def _formatted(self, value: FoldedText, at: int) -> tuple[FoldedValue, int] | None:
        """`"%s%s" % ("a", "b")`."""
        read = self._arguments(at + 1) if self.sign(at + 1) == "(" else self._operand(at + 1)
        if read is None:
            return None
        given: list[FoldedValue] = [*read[0]] if isinstance(read[0], list) else [read[0]]
        made = METHODS["%"](value, given)
        return None if made is None else (made, read[1])


_BYTES_OF_NUMBER = "to_bytes"
_MAX_ARGUMENT_TOKENS = 40
_CODE_CALLS = frozenset({"chr", "unichr", "String.fromCharCode", "String.fromCodePoint"})


def _as_named(value: FoldedValue) -> FoldedValue:
    return FoldedText(value.segments, value.steps, named=True) if isinstance(value, FoldedText) else value


def _shifted(value: FoldedValue, shift: tuple[str, int]) -> FoldedValue:
    if isinstance(value, FoldedText):
        value = [ord(each) for each in value.text]
    sign, by = shift
    return (
        [BITWISE[sign](each, by) if isinstance(each, int) else each for each in value]
        if isinstance(value, list)
        else value
    )


def _item(value: FoldedValue, written: str) -> FoldedValue | None:
    digits = written.removeprefix("-")
    if not digits.isdecimal() or len(digits) > 5 or not isinstance(value, list):
        return None
    return value[int(written)] if -len(value) <= int(written) < len(value) else None
