"""Hosts that a lock file takes packages from, and the lines that differ from the rest."""

from __future__ import annotations

import re
from collections import Counter

from auditor.late import late

RESOLVED = late(r"^\s*\"?resolved\"?:?\s+\"([^\"]{1,500})\"")
SOURCE_URL = late(r"^\s*source\s*=\s*(?:\{\s*)?(?:registry|git|url)?\s*=?\s*\"([^\"]{1,500})\"")
_HOST = late(r"^(?:git\+|registry\+|sparse\+)?[a-z+]+://(?:[^/@]*@)?([^/:]+)", re.IGNORECASE)


_SAME_REGISTRY = (
    frozenset({"registry.npmjs.org", "registry.yarnpkg.com"}),
    frozenset({"pypi.org", "files.pythonhosted.org"}),
    frozenset({"github.com", "index.crates.io"}),
)


def elsewhere(text: str, form: re.Pattern[str]) -> tuple[tuple[int, str], ...]:
    """Lines whose address has another host than most: one that differs from all others is odd, a mirror for all is not."""
    seen: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        found = form.match(line[:1000])
        host = _HOST.match(found[1]) if found else None
        if found is not None and host is not None:
            seen.append((number, line.strip()[:300], host[1].lower()))
    if not seen:
        return ()
    usual = {Counter(host for *_, host in seen).most_common(1)[0][0]}
    for same in _SAME_REGISTRY:
        usual |= same if usual & same else set()
    return tuple((number, line) for number, line, host in seen if host not in usual)
