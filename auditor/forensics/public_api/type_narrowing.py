"""Whether one written type holds no more than another, as far as the two say so themselves.

Types are read as text: alternatives, a head and its arguments, the members of an object. What a name stands for is not
looked up, so two names are two types unless one is known to be the wider.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import lru_cache

from auditor.lazy_regex import lazy_compile

_LONGEST = 400
"""Characters of a type that is compared; a longer one is only the same or another."""
_DEEPEST = 6
_ANY = frozenset({"Any", "any", "unknown", "object", "Object", "dyn Any"})
_NOTHING = frozenset({"", "None", "void", "()", "undefined", "Void", "Unit"})
_NEVER = frozenset({"never", "Never", "NoReturn", "!", "Any", "any"})
_WIDER = {
    "list": {"Sequence", "Collection", "Iterable", "MutableSequence", "Reversible"}, "tuple": {"Sequence", "Collection", "Iterable"},
    "set": {"AbstractSet", "Collection", "Iterable", "MutableSet"}, "frozenset": {"AbstractSet", "Collection", "Iterable"},
    "dict": {"Mapping", "MutableMapping", "Collection", "Iterable"}, "Sequence": {"Collection", "Iterable"}, "Mapping": {"Collection", "Iterable"},
    "Collection": {"Iterable"}, "Iterator": {"Iterable"}, "Generator": {"Iterator", "Iterable"}, "AsyncGenerator": {"AsyncIterator", "AsyncIterable"},
    "defaultdict": {"dict", "Mapping", "MutableMapping"}, "OrderedDict": {"dict", "Mapping", "MutableMapping"}, "Path": {"PathLike", "PurePath"},
    "int": {"float", "complex", "long", "double", "Integer"}, "bool": {"int"}, "float": {"double"}, "short": {"int", "long"}, "byte": {"int", "long"}, "long": {"Long", "double"},
    "Coroutine": {"Awaitable"}, "Task": {"Awaitable", "Future"}, "bytes": {"Buffer"}, "bytearray": {"Buffer"},
    "ArrayList": {"list", "Collection", "Iterable"}, "HashMap": {"Map"}, "TreeMap": {"Map", "SortedMap"},
    "HashSet": {"set", "Collection"}, "Integer": {"Number", "int"}, "Long": {"Number", "long"}, "Double": {"Number", "double"}, "BigInteger": {"Number"}, "BigDecimal": {"Number"},
    "String": {"CharSequence"}, "IOException": {"Exception"}, "Array": {"ReadonlyArray", "Iterable", "ArrayLike"}, "Map": {"ReadonlyMap"}, "Promise": {"PromiseLike"},
}  # fmt: skip
"""Head of a type -> those that take all of its values, in Python, TypeScript and Java."""
_BUILT_IN = {"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type", "Text": "str"}  # fmt: skip
_VARIABLE = lazy_compile(r"(?<!\w)[A-Z]\d?(?!\w)|(?<!\w)T[A-Z]\w*|(?<!\w)[A-Z]\w*T(?!\w)")
"""How variables of types are called: which type one stands for is not written there."""


def same(one: str, other: str) -> bool:
    """Do the two say the same, but for layout and where a name comes from?"""
    return _plain(one) == _plain(other)


def narrows(old: str, new: str) -> bool:
    """May something that was taken as the old type be refused by the new one?"""
    return not _fits(old, new)


def widens(old: str, new: str) -> bool:
    """May a value of the new type be one that whoever was given the old type does not expect?"""
    return _plain(old) not in _NOTHING and not _fits(new, old)


def is_open(old: str, new: str, known: Container[str]) -> bool:
    """Does only one of them speak of a type that is neither known nor built in? It may be another name of what the other says."""
    one, other = (frozenset(_NAME.findall(_plain(each)[:_LONGEST])) for each in (old, new))
    return any(each not in _BUILT_IN and each not in _STANDARD and each not in known for each in one ^ other)


_NAME = lazy_compile(r"(?<![\w\"'.])_?[A-Z]\w*(?![\w\"'])")
_STANDARD = frozenset(
    {
        *_ANY, *_NEVER, *_NOTHING, *_WIDER, *(each for several in _WIDER.values() for each in several), "Optional", "Union", "Literal", "Callable", "Counter", "ChainMap", "Final", "Annotated",
        "ClassVar", "Decimal", "Fraction", "UUID", "Enum", "Pattern", "Match", "IO", "TextIO", "BinaryIO", "StringIO", "BytesIO", "Awaitable", "AsyncIterator", "AsyncIterable", "Future", "Hashable", "Sized",
        "Container", "Exception", "BaseException", "Error", "Date", "RegExp", "URL", "Buffer", "Uint8Array", "ArrayBuffer", "Record", "Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable",
        "Function", "Symbol", "Response", "Request", "Headers", "WeakMap", "ReadableStream", "Blob", "File", "FormData", "URLSearchParams", "EventEmitter", "AbortSignal", "BigInt", "Number", "Boolean", "Ordered",
    }
)  # fmt: skip
"""Names that mean the same wherever they are written."""


def _fits(inner: str, outer: str) -> bool:
    one, other = _plain(inner), _plain(outer)
    if one == other:
        return True
    if max(len(one), len(other)) > _LONGEST:
        return False
    if _VARIABLE.search(one) or _VARIABLE.search(other):
        return True
    return _within(one, other, _DEEPEST)


@lru_cache(maxsize=2_000)
def _plain(text: str) -> str:
    """The type without blanks that say nothing, quotes around a name, lifetimes and the modules of names."""
    text = " ".join(text.split())  # forms that look for blanks would go through long rows of them again and again
    said = text if len(text) > _LONGEST else re.sub(r"'[a-z_]\w*\b(?!')\s?", "", text)
    said = re.sub(r"^[\"']([^\"'|]*[\w\])])[\"']$", r"\1", said.strip()) if re.search(r"[\[.A-Z]", said[:60]) else said
    said = re.sub(r"\s*([\[\]<>(){},:|&;=?])\s*", r"\1", said)
    said = re.sub(r"(?<![\w\"'])(?:[a-z_]\w*(?:\.|::)){1,8}(?=[A-Za-z_])", "", said)
    said = re.sub(r",(?=[\])}>])", "", said)
    return " ".join(said.split())


def _within(one: str, other: str, depth: int) -> bool:
    if one == other or depth == 0:
        return True
    left, right = list(_alternatives(one)), list(_alternatives(other))
    if len(left) > 1 or len(right) > 1 or left != [one] or right != [other]:
        return all(any(_within(each, wide, depth - 1) for wide in right) for each in left)
    if other in _ANY or one in _NEVER or (other in _NOTHING and other != "None") or _is_one_of(one, other):
        return True
    if one.startswith("{") and other.startswith("{"):
        return _holds(one, other, depth)
    return _by_head(one, other, depth)


def _is_one_of(one: str, other: str) -> bool:
    """Is it a value that is written out, of that type?"""
    return any(form.fullmatch(one) and other in types for form, types in _VALUES)


_VALUES = (
    (lazy_compile(r"[\"'`].*[\"'`]"), frozenset({"string", "str"})),
    (lazy_compile(r"-?\d[\d._]*"), frozenset({"number", "int"})),
    (lazy_compile(r"(?i:true|false)"), frozenset({"boolean", "bool"})),
)


def _by_head(one: str, other: str, depth: int) -> bool:
    (head, inner), (above, outer) = _parted(one), _parted(other)
    if head == above == "Result" and len(inner) != len(outer):
        return inner[:1] == outer[:1]  # an alias that leaves the error out
    if head == above and head and inner and len(inner) == len(outer):
        return all(_within(each, wide, depth - 1) for each, wide in zip(inner, outer, strict=True))
    if head == above and bool(inner) != bool(outer):
        return True  # without arguments it may be of anything
    if above not in _WIDER.get(head, ()):
        return False
    return (
        not outer
        or not inner
        or len(inner) != len(outer)
        or all(_within(each, wide, depth - 1) for each, wide in zip(inner, outer, strict=True))
    )


def _parted(text: str) -> tuple[str, list[str]]:
    """The head of a type and its arguments: `list` and `str` of `list[str]`; `readonly T[]` is an array too."""
    bare = text.removeprefix("readonly ")
    if bare.endswith("[]"):
        return ("ReadonlyArray" if bare != text else "Array"), [bare[:-2].removeprefix("(").removesuffix(")")]
    found = re.match(r"(?P<head>[\w ]{1,100})[\[<](?P<inner>.*)[\]>]$", text)
    if found is None:
        return _BUILT_IN.get(text, text), []
    return _BUILT_IN.get(found["head"], found["head"]), list(split(found["inner"], ","))


def _alternatives(text: str) -> Iterator[str]:
    head, inner = _parted(text)
    if head == "Optional" and inner and text.endswith("]"):
        yield from _alternatives(inner[0])
        yield "None"
    elif head in {"Union", "Literal"} and text.endswith("]"):
        yield from inner
    elif "|" in text:
        yield from (each for each in split(text, "|") if each)
    else:
        yield text


def _holds(one: str, other: str, depth: int) -> bool:
    """Has an object every member that another one has, of a type within?"""
    mine, asked = _members(one), _members(other)
    for name, (kind, optional) in asked.items():
        if name not in mine:
            if not optional:
                return False
        elif (mine[name][1] and not optional) or not _within(mine[name][0], kind, depth - 1):
            return False
    return True


def _members(text: str) -> dict[str, tuple[str, bool]]:
    found: dict[str, tuple[str, bool]] = {}
    for part in re.split(r"[;,](?![^<({\[]*[>)}\]])", text[1:-1]):
        name, _, kind = part.partition(":")
        if name:
            found[name.removeprefix("readonly ").rstrip("?")] = (kind, name.endswith("?"))
    return found


def split(text: str, mark: str) -> Iterator[str]:
    """The parts of a text between marks that stand in no brackets and no quotes."""
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
        elif each == mark and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1
    yield text[begin:].strip()
