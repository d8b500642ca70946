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

REDACTED_LINE = "⟨a line with a secret, not shown⟩"
"""What a prompt shows in place of a line in which a probe has found a secret."""
_RESERVED_BRACKETS = str.maketrans("⟨⟩", "⟪⟫")

_BYTES_PER_TOKEN = 3
"""Fewer than prose or code has on average (3.5 to 4), so that an estimate is rather too high."""


@lru_cache(maxsize=20_000)  # a quote is looked for among the same places for every citation
def sanitize(text: str) -> str:
    """Foreign text as a judge sees it: one line, no secrets, no invisible characters, no refusal triggers."""
    return visible(_REFUSAL_TRIGGER.sub("[a string that makes models refuse]", redact(text))).strip()


def replace_reserved_brackets(text: str) -> str:
    """Foreign text with `⟪⟫` in place of the brackets `⟨⟩`, which only notes of the auditor may have in a prompt."""
    return text.translate(_RESERVED_BRACKETS)


def indented(line: str) -> str:
    """A line as a judge sees it, with the blanks before it: in many languages they show what belongs together."""
    bare = line.lstrip(" \t")
    blanks = line[: len(line) - len(bare)].expandtabs(4)
    return f"{blanks[:_MAX_INDENT]}{sanitize(bare)}" if bare.strip() else ""


def estimate_tokens(text: str) -> int:
    """Estimated tokens of a text; rather too many than too few."""
    return -(-len(text.encode("utf-8", errors="surrogatepass")) // _BYTES_PER_TOKEN)
