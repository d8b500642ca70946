"""Names of nodes and ways that say that something went wrong."""

from __future__ import annotations

import re

_ERROR_WORDS = re.compile(
    r"err(?:or)?s?(?:$|_)|fail|fatal|abort|degrad|fallback|missing|(?:^|_)no_|empty|incomplete|insufficient|skip|retry|invalid|halt"
    r"|(?:^|_)bad(?:$|_)|malformed|unsupported|refus|unavailable|exception|crash|broken|recover|reject|cancel|bail|timeout|not_found|unhealthy"
    r"|dismiss|give_?up|apolog|dead_?letter|quarantin|inconclusive|unable|cannot|rescue|withdraw|nothing",
    re.IGNORECASE,
)


def names_error(word: str) -> bool:
    """Does a name of a node or a way say that something went wrong?"""
    return _ERROR_WORDS.search(word) is not None
