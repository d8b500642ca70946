"""Calls, methods and properties whose result is a constant where all that they are given is: what each of them does.

Rows are functions of standard libraries: Python, JavaScript, Ruby, Go, Java and PHP.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import zlib
from collections.abc import Callable, Mapping
from itertools import zip_longest

from auditor.constant_folding.folded_values import (
    MAX_FOLDED_LENGTH,
    FoldedText,
    FoldedValue,
    Segment,
    joined,
    transformed,
)
from auditor.constant_folding.format_fields import brace_fields, text_fields

Given = list[FoldedValue]
_MAX_CODE_POINT = 0x10FFFF


def plain(value: FoldedValue) -> str | None:
    """The text that a value is, or that its codes or letters are together."""
    if isinstance(value, FoldedText):
        return value.text
    if not isinstance(value, list):
        return None
    letters = []
    for each in value[:MAX_FOLDED_LENGTH]:
        letter = (
            chr(each)
            if isinstance(each, int) and 0 <= each <= _MAX_CODE_POINT and not 0xD800 <= each <= 0xDFFF
            else plain(each)
            if isinstance(each, FoldedText)
            else None
        )
        if letter is None:
            return None
        letters.append(letter)
    return "".join(letters)


def _made(value: FoldedValue, text: str | None, step: str) -> FoldedText | None:
    """A text that a value was turned into."""
    if text is None:
        return None
    if isinstance(value, FoldedText):
        return transformed(value, text, step)
    parts = [each for each in value if isinstance(each, FoldedText)] if isinstance(value, list) else []
    whole = joined(parts) if parts else None
    if whole is not None and whole.segments:
        return transformed(whole, text, step)
    return FoldedText((Segment(text, 0, 0),), frozenset({step})) if len(text) <= MAX_FOLDED_LENGTH else None


def decode_base64(text: str) -> str | None:
    """Text of base64, of either alphabet, with or without padding."""
    body = re.sub(r"\s", "", text).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True).decode("latin-1")
    except (ValueError, binascii.Error):
        return None


def decode_hex(text: str) -> str | None:
    """Text of hexadecimal digits."""
    try:
        return bytes.fromhex(re.sub(r"[\s:]|0x|\\x", "", text)).decode("latin-1")
    except ValueError:
        return None


def _base32(text: str) -> str | None:
    try:
        return base64.b32decode(text + "=" * (-len(text) % 8), casefold=True).decode("latin-1")
    except (ValueError, binascii.Error):
        return None


def _base85(text: str) -> str | None:
    try:
        return base64.b85decode(text.encode("latin-1")).decode("latin-1")
    except (ValueError, UnicodeEncodeError):
        return None


def _inflate(text: str) -> str | None:
    """The beginning of compressed bytes, as far as is allowed."""
    try:
        packed = text.encode("latin-1")
        for bits in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):
            try:
                return zlib.decompressobj(bits).decompress(packed, MAX_FOLDED_LENGTH).decode("latin-1")
            except zlib.error:
                continue
    except UnicodeEncodeError:
        pass
    return None


def _rot13(text: str) -> str:
    return codecs.encode(text, "rot13")


_CODECS: Mapping[str, tuple[str, Callable[[str], str | None]]] = {
    "base64": ("base64", decode_base64), "base64url": ("base64", decode_base64), "base64_codec": ("base64", decode_base64), "base-64": ("base64", decode_base64),
    "hex": ("hex", decode_hex), "hex_codec": ("hex", decode_hex), "rot13": ("rot13", _rot13), "rot_13": ("rot13", _rot13), "rot-13": ("rot13", _rot13),
    "zlib": ("compressed", _inflate), "zlib_codec": ("compressed", _inflate), "zip": ("compressed", _inflate),
}  # fmt: skip


def _by_codec(value: FoldedValue, given: Given, fallback: bool = True) -> FoldedValue | None:
    named = plain(given[0]) if given else None
    step = _CODECS.get((named or "").lower())
    text = plain(value)
    if step is None:
        return value if fallback else None
    return None if text is None else _made(value, step[1](text), step[0])


def _decoding(step: str, decode: Callable[[str], str | None]) -> Callable[[Given], FoldedValue | None]:
    def call(given: Given) -> FoldedValue | None:
        text = plain(given[0]) if given else None
        return None if text is None else _made(given[0], decode(text), step)

    return call


def _codes(given: Given) -> FoldedValue | None:
    """`chr(101)`, `String.fromCharCode(101, 118)`, and the same with a list, or through `apply`."""
    flat: list[FoldedValue] = []
    for each in given:
        flat += each if isinstance(each, list) else [each] if isinstance(each, int) else []
    return _made(flat, plain(flat), "character codes") if flat else None


def _bytes(given: Given) -> FoldedValue | None:
    if not given:
        return None
    return _codes(given) if isinstance(given[0], list) else given[0] if isinstance(given[0], FoldedText) else None


def _buffer(given: Given) -> FoldedValue | None:
    """`Buffer.from(text, "base64")`, `Buffer.from([101, 118])`."""
    if given and isinstance(given[0], FoldedText):
        return _by_codec(given[0], given[1:])
    return _bytes(given)


def _map(given: Given) -> FoldedValue | None:
    if len(given) < 2:
        return None
    named, drawn = plain(given[0]), given[1]
    if isinstance(drawn, FoldedText):
        drawn = [ord(each) for each in drawn.text]
    if named in {"chr", "unichr", "String.fromCharCode"} and isinstance(drawn, list):
        return _codes([drawn])
    return drawn if named in {"str", "String", "ord"} else None


def _reverse(value: FoldedValue) -> FoldedValue | None:
    if isinstance(value, list):
        parts = [each for each in value if isinstance(each, FoldedText)]
        return (
            [FoldedText(each.segments, each.steps | {"reversed"}) for each in reversed(parts)]
            if len(parts) == len(value)
            else value[::-1]
        )
    text = plain(value)
    return None if text is None else _made(value, text[::-1], "reversed")


def _letters(value: FoldedValue, given: Given) -> FoldedValue | None:
    """`text.split("")`, and splitting at a sign."""
    text = plain(value)
    if not isinstance(value, FoldedText) or text is None:
        return None
    sign = plain(given[0]) if given else None
    start, end = value.span
    words = list(text) if not sign else text.split(sign)
    return [FoldedText((Segment(each, start, end),), value.steps) for each in words[:MAX_FOLDED_LENGTH]]


def join(sign: str, value: FoldedValue) -> FoldedValue | None:
    """The elements of a list as one text, with a sign between them."""
    if isinstance(value, FoldedText):
        return value if not sign else None
    texts = [each for each in value if isinstance(each, FoldedText)] if isinstance(value, list) else []
    if not isinstance(value, list) or len(texts) != len(value) or not texts:
        return None
    parts = (
        texts if not sign else [part for each in texts for part in (FoldedText((Segment(sign, *each.span),)), each)][1:]
    )
    return joined(parts)


def _join_method(value: FoldedValue, given: Given) -> FoldedValue | None:
    """`"".join(list)` of Python, `list.join("")` of other languages."""
    if isinstance(value, FoldedText):
        return join(value.text, given[0]) if given else None
    return join(plain(given[0]) or "" if given else ",", value)


def _strings_join(given: Given) -> FoldedValue | None:
    return join(plain(given[1]) or "", given[0]) if len(given) > 1 else None


def _implode(given: Given) -> FoldedValue | None:
    """`implode("", $list)` of PHP, whose sign may be left out."""
    return join(plain(given[0]) or "" if len(given) > 1 else "", given[-1]) if given else None


def _replace(value: FoldedValue, given: Given) -> FoldedValue | None:
    text, old, new = plain(value), plain(given[0]) if given else None, plain(given[1]) if len(given) > 1 else None
    return (
        None
        if text is None or not old or new is None or len(new) > 100
        else _made(value, text.replace(old, new), "replaced")
    )


def _translate(value: FoldedValue, given: Given) -> FoldedValue | None:
    """`tr("a-z", "n-za-m")` of Ruby, where both are as long."""
    text, old, new = plain(value), plain(given[0]) if given else None, plain(given[1]) if len(given) > 1 else None
    if text is None or old is None or new is None:
        return None
    old, new = _ranges(old), _ranges(new)
    return _made(value, text.translate(str.maketrans(old, new)), "replaced") if len(old) == len(new) else None


def _ranges(written: str) -> str:
    spans = re.sub(
        r"([a-z])-([a-z])", lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))), written
    )
    return re.sub(r"([A-Z])-([A-Z])", lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))), spans)


def _pack(value: FoldedValue, given: Given) -> FoldedValue | None:
    """`["6576"].pack("H*")`, `[101, 118].pack("c*")` of Ruby."""
    how = (plain(given[0]) or "" if given else "").lower()[:1]
    text = plain(value)
    decode = {"h": ("hex", decode_hex), "m": ("base64", decode_base64)}.get(how)
    return (
        None
        if text is None
        else _made(value, decode[1](text), decode[0])
        if decode
        else _made(value, text, "character codes")
    )


def _unpack(value: FoldedValue, given: Given) -> FoldedValue | None:
    """`text.unpack1("m")` of Ruby."""
    how = plain(given[0]) or "" if given else ""
    return _pack(value, given) if isinstance(value, FoldedText) and how[:1] == "m" else None


def _concat(value: FoldedValue, given: Given) -> FoldedValue | None:
    parts = [each for each in (value, *given) if isinstance(each, FoldedText)]
    return joined(parts) if len(parts) == 1 + len(given) else None


def _format(fields: Callable[[str], tuple[list[str], list[str]]]) -> Callable[[FoldedValue, Given], FoldedValue | None]:
    def fill(value: FoldedValue, given: Given) -> FoldedValue | None:
        texts = {str(number): each for number, each in enumerate(given) if isinstance(each, FoldedText)}
        around, names = fields(value.text) if isinstance(value, FoldedText) else ([], [])
        if not isinstance(value, FoldedText) or len(texts) != len(given) or not names or not texts.keys() >= {*names}:
            return None
        pieces = [FoldedText((Segment(each, *value.span),)) for each in around]
        parts = [each for piece, name in zip_longest(pieces, names) for each in (piece, texts.get(name)) if each]
        return joined([each for each in parts if each.text])

    return fill


def _cased(change: Callable[[str], str]) -> Callable[[FoldedValue, Given], FoldedValue | None]:
    def method(value: FoldedValue, _given: Given) -> FoldedValue | None:
        text = plain(value) if isinstance(value, FoldedText) else None
        changed = None if text is None else change(text)
        return value if changed == text else _made(value, changed, "replaced")

    return method


def _same(value: FoldedValue, _given: Given) -> FoldedValue | None:
    return value


def _without_arguments(
    method: Callable[[FoldedValue, Given], FoldedValue | None],
) -> Callable[[FoldedValue], FoldedValue | None]:
    return lambda value: method(value, [])


def _first(given: Given) -> FoldedValue | None:
    return given[0] if given else None


def _part(value: FoldedValue, given: Given) -> FoldedValue | None:
    """`substring(1, 3)`, `slice(-4)`."""
    text = plain(value) if isinstance(value, FoldedText) else None
    bounds = [each for each in given if isinstance(each, int)]
    return (
        None
        if text is None or len(bounds) != len(given) or not given
        else _made(value, text[slice(*bounds[:2])] if len(bounds) > 1 else text[bounds[0] :], "cut")
    )


def sliced(value: FoldedValue, parts: list[str]) -> FoldedValue | None:
    """`value[1:4]`, `value[::-1]`, by what is written between the colons."""
    bounds = [int(each) if each.removeprefix("-").isdecimal() and len(each) < 7 else None for each in parts]
    if len(bounds) > 2 and bounds[2] == 0:
        return None
    part = slice(*bounds)
    if isinstance(value, list):
        return value[part]
    return (
        _made(value, value.text[part], "reversed" if part.step == -1 else "cut")
        if isinstance(value, FoldedText)
        else None
    )


def text_of_number(number: FoldedValue, *, little: bool) -> FoldedValue | None:
    """`(7957...).to_bytes(40, "big")`: the bytes that a number is written with, as one character each."""
    if not isinstance(number, int) or number <= 0 or number.bit_length() > MAX_FOLDED_LENGTH:
        return None
    read = number.to_bytes((number.bit_length() + 7) // 8, "little" if little else "big")
    return FoldedText((Segment(read.decode("latin-1"), 0, 0),), frozenset({"number"}), named=True)


_BASE64 = _decoding("base64", decode_base64)
_HEX = _decoding("hex", decode_hex)
CALLS: Mapping[str, Callable[[Given], FoldedValue | None]] = {
    **dict.fromkeys(("b64decode", "urlsafe_b64decode", "standard_b64decode", "decodebytes", "a2b_base64", "atob", "decode64", "strict_decode64", "urlsafe_decode64", "base64_decode"), _BASE64),
    **dict.fromkeys(("fromhex", "unhexlify", "a2b_hex", "hex.DecodeString", "hex2bin"), _HEX),
    **dict.fromkeys(("base64.StdEncoding.DecodeString", "base64.URLEncoding.DecodeString", "base64.RawStdEncoding.DecodeString"), _BASE64),
    "b32decode": _decoding("base32", _base32), "b85decode": _decoding("base85", _base85), "a85decode": _decoding("base85", _base85),
    **dict.fromkeys(("zlib.decompress", "gzip.decompress", "zlib.inflateSync", "zlib.gunzipSync", "zlib.unzipSync", "inflateSync", "gunzipSync", "Inflate.inflate"), _decoding("compressed", _inflate)),
    **dict.fromkeys(("chr", "unichr", "fromCharCode", "fromCodePoint", "String.fromCharCode.apply", "String.fromCodePoint.apply"), _codes),
    **dict.fromkeys(("bytes", "bytearray", "Uint8Array"), _bytes), "Buffer.from": _buffer, "map": _map,
    "strrev": lambda given: _reverse(given[0]) if given else None, "str_rot13": _decoding("rot13", _rot13), "implode": _implode,
    "codecs.decode": lambda given: _by_codec(given[0], given[1:], fallback=False) if given else None,
    "codecs.encode": lambda given: _by_codec(given[0], given[1:], fallback=False) if given else None,
    "reversed": lambda given: _reverse(_letters(given[0], []) or given[0]) if given else None,
    **dict.fromkeys(("str", "String", "list", "tuple", "unescape", "decodeURIComponent", "StringBuilder", "StringBuffer", "String::from", "OsStr::new", "OsString::from"), _first), "strings.Join": _strings_join, "String.join": lambda given: join(plain(given[0]) or "", given[1:]) if given else None,
}  # fmt: skip
METHODS: Mapping[str, Callable[[FoldedValue, Given], FoldedValue | None]] = {
    "join": _join_method, "decode": _by_codec, "encode": _by_codec, "toString": _by_codec, "split": _letters, "chars": _letters, "reverse": lambda value, _: _reverse(value),
    **dict.fromkeys(("replace", "replaceAll", "gsub", "sub"), _replace), **dict.fromkeys(("tr", "translate"), _translate), "pack": _pack, **dict.fromkeys(("unpack", "unpack1"), _unpack),
    "concat": _concat, "format": _format(brace_fields), "%": _format(text_fields), **dict.fromkeys(("strip", "trim", "Trim", "rstrip", "lstrip", "chomp"), _cased(str.strip)),
    **dict.fromkeys(("lower", "toLowerCase", "downcase"), _cased(str.lower)), **dict.fromkeys(("upper", "toUpperCase", "upcase"), _cased(str.upper)), "swapcase": _cased(str.swapcase),
    **dict.fromkeys(("substring", "slice", "substr"), _part), **dict.fromkeys(("to_s", "to_str", "to_string", "ToString", "to_owned", "into", "as_str", "as_ref", "freeze", "to_sym", "valueOf", "tobytes", "buffer"), _same),
}  # fmt: skip
PROPERTIES: Mapping[str, Callable[[FoldedValue], FoldedValue | None]] = {
    "chr": lambda value: _codes([value]), "join": lambda value: join("", value),
    **{name: _without_arguments(METHODS[name]) for name in ("reverse", "chars", "swapcase", "downcase", "upcase", "to_s", "to_sym", "freeze", "strip", "chomp")},
}  # fmt: skip
