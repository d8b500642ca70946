"""Foreign text made harmless for a model: one line, no secrets, every character visible."""

from __future__ import annotations

import re
from functools import lru_cache

from auditor.report.escaping import visible
from auditor.report.secret_redaction import redact

_MAX_INDENT = 120
"""Columns of indentation that are shown."""
_REFUSAL_TRIGGER = re.compile(r"ANTHROPIC_MAGIC_STRING_[A-Z0-9_]+", re.IGNORECASE)
"""Documented strings that make a model refuse. Who writes one into a file wants no judge."""

HIDDEN_LINE = "⟨a line with a secret, not shown⟩"
"""What stands for a line in which a probe has seen a secret."""
_MARKS = str.maketrans("⟨⟩", "⟪⟫")

_BYTES_PER_TOKEN = 3
"""Fewer than prose or code has on average (3.5 to 4), so that an estimate is rather too high."""


@lru_cache(maxsize=20_000)  # a quote is looked for among the same places for every citation
def sanitize(text: str) -> str:
    """Foreign text as a judge sees it: one line, no secrets, no invisible characters, no refusal triggers."""
    return visible(_REFUSAL_TRIGGER.sub("[a string that makes models refuse]", redact(text))).strip()


def without_marks(text: str) -> str:
    """Foreign text in which nothing is a mark of ours: its own brackets `⟨` and `⟩` become `⟪` and `⟫`, as long as they were."""
    return text.translate(_MARKS)


def indented(line: str) -> str:
    """A line as a judge sees it, with the blanks before it: in many languages they show what belongs together."""
    bare = line.lstrip(" \t")
    blanks = line[: len(line) - len(bare)].expandtabs(4)
    return f"{blanks[:_MAX_INDENT]}{sanitize(bare)}" if bare.strip() else ""


def estimate_tokens(text: str) -> int:
    """Estimated tokens of a text; rather too many than too few."""
    return -(-len(text.encode("utf-8", errors="surrogatepass")) // _BYTES_PER_TOKEN)
