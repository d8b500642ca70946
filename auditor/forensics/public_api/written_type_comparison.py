"""Whether one written type holds no more than another, as far as the two say so themselves.

Types are read as text: alternatives, a head and its arguments, the members of an object. What a name stands for is not
looked up, so two names are two types unless one is known to be the wider.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import lru_cache

from auditor.forensics.public_api.known_types import standard_names, supertypes, type_aliases, unit_types
from auditor.lazy_regex import lazy_compile

_MAX_TYPE_LENGTH = 400
"""Characters of a type that is compared; longer ones are only tested for equality."""
_MAX_DEPTH = 6
_TOP_TYPES = frozenset({"Any", "any", "unknown", "object", "Object", "dyn Any"})
_BOTTOM_TYPES = frozenset({"never", "Never", "NoReturn", "!", "Any", "any"})
_TYPE_VARIABLE = lazy_compile(r"(?<!\w)[A-Z]\d?(?!\w)|(?<!\w)T[A-Z]\w*|(?<!\w)[A-Z]\w*T(?!\w)")
"""How variables of types are called: which type one stands for is not written there."""


def is_same_type(one: str, other: str) -> bool:
    """Are two written types equal but for layout and where a name comes from?"""
    return _normalize_type(one) == _normalize_type(other)


def is_narrowed(old: str, new: str) -> bool:
    """May the new type reject something that the old type accepted?"""
    return not _is_subtype(old, new)


def is_widened(old: str, new: str) -> bool:
    """May the new type have a value that users of the old type do not expect?"""
    return _normalize_type(old) not in unit_types() and not _is_subtype(new, old)


def _is_standard(name: str) -> bool:
    """Does a name mean the same everywhere?"""
    return name in standard_names() or name in _TOP_TYPES or name in _BOTTOM_TYPES


def has_unknown_alias(old: str, new: str, known: Container[str]) -> bool:
    """Does only one type name a type that is neither known nor built in? It may be an alias of the other."""
    one, other = (frozenset(_TYPE_NAME.findall(_normalize_type(each)[:_MAX_TYPE_LENGTH])) for each in (old, new))
    return any(each not in type_aliases() and not _is_standard(each) and each not in known for each in one ^ other)


_TYPE_NAME = lazy_compile(r"(?<![\w\"'.])_?[A-Z]\w*(?![\w\"'])")


def _is_subtype(inner: str, outer: str) -> bool:
    one, other = _normalize_type(inner), _normalize_type(outer)
    if one == other:
        return True
    if max(len(one), len(other)) > _MAX_TYPE_LENGTH:
        return False
    if _TYPE_VARIABLE.search(one) or _TYPE_VARIABLE.search(other):
        return True
    return _is_subtype_at_depth(one, other, _MAX_DEPTH)


@lru_cache(maxsize=2_000)
def _normalize_type(text: str) -> str:
    """The type without insignificant blanks, quotes around names, lifetimes and module prefixes."""
    text = " ".join(text.split())  # forms that look for blanks would go through long rows of them again and again
    said = text if len(text) > _MAX_TYPE_LENGTH else re.sub(r"'[a-z_]\w*\b(?!')\s?", "", text)
    said = re.sub(r"^[\"']([^\"'|]*[\w\])])[\"']$", r"\1", said.strip()) if re.search(r"[\[.A-Z]", said[:60]) else said
    said = re.sub(r"\s*([\[\]<>(){},:|&;=?])\s*", r"\1", said)
    said = re.sub(r"(?<![\w\"'])(?:[a-z_]\w*(?:\.|::)){1,8}(?=[A-Za-z_])", "", said)
    said = re.sub(r",(?=[\])}>])", "", said)
    return " ".join(said.split())


def _is_subtype_at_depth(one: str, other: str, depth: int) -> bool:
    if one == other or depth == 0:
        return True
    left, right = list(_union_members(one)), list(_union_members(other))
    if len(left) > 1 or len(right) > 1 or left != [one] or right != [other]:
        return all(any(_is_subtype_at_depth(each, wide, depth - 1) for wide in right) for each in left)
    if (
        other in _TOP_TYPES
        or one in _BOTTOM_TYPES
        or (other in unit_types() and other != "None")
        or _is_literal_of(one, other)
    ):
        return True
    if one.startswith("{") and other.startswith("{"):
        return True  # members are not compared
    return _compare_constructors(one, other, depth)


def _is_literal_of(one: str, other: str) -> bool:
    """Is it a literal value of that type?"""
    return any(form.fullmatch(one) and other in types for form, types in _LITERAL_TYPES)


_LITERAL_TYPES = (
    (lazy_compile(r"[\"'`].*[\"'`]"), frozenset({"string", "str"})),
    (lazy_compile(r"-?\d[\d._]*"), frozenset({"number", "int"})),
    (lazy_compile(r"(?i:true|false)"), frozenset({"boolean", "bool"})),
)


def _compare_constructors(one: str, other: str, depth: int) -> bool:
    (head, inner), (above, outer) = _split_arguments(one), _split_arguments(other)
    if head == above == "Result" and len(inner) != len(outer):
        return inner[:1] == outer[:1]  # an alias that leaves the error out
    if head == above and head and inner and len(inner) == len(outer):
        return all(_is_subtype_at_depth(each, wide, depth - 1) for each, wide in zip(inner, outer, strict=True))
    if head == above and bool(inner) != bool(outer):
        return True  # without arguments it may be of anything
    if above not in supertypes().get(head, ()):
        return False
    return (
        not outer
        or not inner
        or len(inner) != len(outer)
        or all(_is_subtype_at_depth(each, wide, depth - 1) for each, wide in zip(inner, outer, strict=True))
    )


def _split_arguments(text: str) -> tuple[str, list[str]]:
    """The constructor of a type and its arguments: `list` and `str` of `list[str]`; `readonly T[]` is an array."""
    bare = text.removeprefix("readonly ")
    if bare.endswith("[]"):
        return ("ReadonlyArray" if bare != text else "Array"), [bare[:-2].removeprefix("(").removesuffix(")")]
    found = re.match(r"(?P<head>[\w ]{1,100})[\[<](?P<inner>.*)[\]>]$", text)
    if found is None:
        return type_aliases().get(text, text), []
    return type_aliases().get(found["head"], found["head"]), list(split_top_level(found["inner"], ","))


def _union_members(text: str) -> Iterator[str]:
    head, inner = _split_arguments(text)
    if head == "Optional" and inner and text.endswith("]"):
        yield from _union_members(inner[0])
        yield "None"
    elif head in {"Union", "Literal"} and text.endswith("]"):
        yield from inner
    elif "|" in text:
        yield from (each for each in split_top_level(text, "|") if each)
    else:
        yield text


def split_top_level(text: str, separator: str) -> Iterator[str]:
    """The parts of a text between separators that are in no brackets and no quotes."""
    depth, begin, quote = 0, 0, ""
    for at, each in enumerate(text):
        if quote:
            quote = "" if each == quote else quote
        elif each in "\"'`":
            quote = each
        elif each in "([{<":
            depth += 1
        elif each in ")]}" or (each == ">" and text[at - 1 : at] not in {"-", "="}):
            depth = max(0, depth - 1)
        elif each == separator and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1
    yield text[begin:].strip()
