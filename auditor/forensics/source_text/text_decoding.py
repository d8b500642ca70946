"""Contents as text: UTF-16 and UTF-32 decoded, and binary files recognized."""

from __future__ import annotations

_SAMPLE_BYTES = 8_000
_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def decode_byte_order_mark(content: bytes) -> bytes:
    """The content in UTF-8 where a byte order mark says that it is UTF-16 or UTF-32; else as it is.

    Compilers and shells read such files by their mark. Zero characters in the text stay.
    """
    coding = _encoding_by_byte_order_mark(content)
    return content if coding is None else content.decode(coding, errors="replace").encode("utf-8")


def _encoding_by_byte_order_mark(content: bytes) -> str | None:
    return next((coding for mark, coding in _BYTE_ORDER_MARKS if content.startswith(mark)), None)


def decode_text(content: bytes) -> tuple[bytes, bool]:
    """The content in UTF-8, or as it is, and whether it is text.

    Of a binary file the zero bytes become line ends: what stands between them can be looked through all the same.
    """
    coding = _encoding_by_byte_order_mark(content) or _detect_utf16(content)
    if coding is not None:
        return content.decode(coding, errors="replace").encode("utf-8"), True
    if b"\0" in content[:_SAMPLE_BYTES]:
        return content.replace(b"\0", b"\n"), False
    return content, True


def _detect_utf16(content: bytes) -> str | None:
    """The byte order of UTF-16 without a byte order mark: every other byte at the start is zero."""
    start = content[:_SAMPLE_BYTES]
    if b"\0" not in start or len(start) < 8:
        return None
    for coding, zeros, letters in (("utf-16-le", start[1::2], start[::2]), ("utf-16-be", start[::2], start[1::2])):
        if zeros.count(0) > 0.7 * len(zeros) and letters.count(0) < 0.02 * len(letters) + 1:
            return coding
    return None
