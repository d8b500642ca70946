"""The one error that a user causes. It stands below everything, so that `--help` loads no types of the record."""

from __future__ import annotations

from collections.abc import Iterable


class UserError(Exception):
    """A mistake that the user can mend. The message is one sentence that also says how."""


def did_you_mean(written: str, known: Iterable[str], otherwise: str) -> str:
    """The known word that somebody may have meant, as a question; something else to say where none is near."""
    import difflib

    close = difflib.get_close_matches(written, list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else otherwise
