"""Decoded text as a finding shows it: on one line, without secrets, cut, as code that ends nowhere else."""

from __future__ import annotations

_MAX_SHOWN = 100


def shown_text(text: str) -> str:
    """The beginning of a text as code; what is not printable is escaped."""
    line = " ".join(text[: 4 * _MAX_SHOWN].split())
    plain = "".join(each if each.isprintable() and each.isascii() else ascii(each)[1:-1] for each in line).replace(
        "`", "'"
    )
    return f"`{plain[:_MAX_SHOWN]}{'…' if len(plain) > _MAX_SHOWN or len(text) > 4 * _MAX_SHOWN else ''}`"
