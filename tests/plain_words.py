"""Words that read as if translated. Plain English has fix, report, is, passed, third-party, added, at least."""

from __future__ import annotations

import re

RULED_OUT = re.compile(
    r"\b(mend(?:s|ed|ing)?|tells?|told|stands?(?! for\b)|handed|whoever|comes(?! from\b)|goes(?! wrong\b)|purse|at the (?:least|most)"
    r"|of one's own|(?:somebody|someone) else's|gravest|anew|glued|put together|put into)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'```.*?```|`[^`\n]+`|"[^"\n]+"|\]\([^)]+\)', re.DOTALL)


def ruled_out(text: str) -> list[str]:
    """Such words outside of code and quotations: what the product prints is quoted as it is."""
    return RULED_OUT.findall(_QUOTED.sub(" ", text))
