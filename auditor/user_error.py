"""The one error that a user causes. It imports nothing, so that `--help` loads no types of the record."""

from __future__ import annotations

from collections.abc import Iterable


class UserError(Exception):
    """A mistake that the user can fix. The message is one sentence that also says how."""


def did_you_mean(written: str, known: Iterable[str], fallback: str) -> str:
    """The known word that somebody may have meant, as a question; something else to say where none is near."""
    import difflib

    words = list(known)
    close = [each for each in words if fold_name(each) == fold_name(written)] or difflib.get_close_matches(
        written, words, n=1
    )
    return f"did you mean {close[0]!r}?" if close else fallback


def fold_name(name: str) -> str:
    """A name as a disk that ignores case and Unicode form compares it (D145 in chapter 3 of the Unicode Standard)."""
    import unicodedata

    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())
