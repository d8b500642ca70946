"""Contents as text that a secret can be looked for in: UTF-16 and UTF-32 made UTF-8, and what is no text told apart."""

from __future__ import annotations

_PROBE = 8_000
_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def as_text(content: bytes) -> tuple[bytes, bool]:
    """The content in UTF-8, or as it is, and whether it is text.

    Of a binary file the zero bytes become line ends: what stands between them can be looked through all the same.
    """
    coding = next((coding for mark, coding in _MARKS if content.startswith(mark)), None) or _wide(content)
    if coding is not None:
        return content.decode(coding, errors="replace").encode("utf-8"), True
    if b"\0" in content[:_PROBE]:
        return content.replace(b"\0", b"\n"), False
    return content, True


def _wide(content: bytes) -> str | None:
    """UTF-16 that does not say so: every other byte of the start is zero."""
    start = content[:_PROBE]
    if b"\0" not in start or len(start) < 8:
        return None
    for coding, zeros, letters in (("utf-16-le", start[1::2], start[::2]), ("utf-16-be", start[::2], start[1::2])):
        if zeros.count(0) > 0.7 * len(zeros) and letters.count(0) < 0.02 * len(letters) + 1:
            return coding
    return None
