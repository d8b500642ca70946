"""What judges answered, kept on the check run for the next audit: the last line of its text, an HTML comment nobody sees.

Here it is only text. Whoever may write check runs can write such a line, so it is sealed where answers are made and
believed there by its seal alone.
"""

from __future__ import annotations

import re

MAX_LENGTH = 30_000
"""Characters of the sealed answers; the rest of the text is for readers."""
_LINE = re.compile(rf"<!-- automaton-auditor:answers ([0-9A-Za-z+/=.]{{1,{MAX_LENGTH}}}) -->")


def to_line(sealed: str) -> str:
    """The line that holds them; empty for nothing."""
    return f"<!-- automaton-auditor:answers {sealed} -->" if sealed else ""


def find_sealed(text: str | None) -> str:
    """The sealed answers in a check run's text: its last line, if it is such a line to the letter, else nothing."""
    last = (text or "").rstrip().rpartition("\n")[2]
    found = _LINE.fullmatch(last)
    return found[1] if found else ""
