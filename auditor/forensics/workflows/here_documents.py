"""Here-documents of a shell script into which the shell puts values: those whose end is written without quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.lazy_regex import lazy_compile

_OPENED = lazy_compile(r"(?<!<)<<-?[ \t]*(?P<quote>[\"'\\]?)(?P<end>[A-Za-z_]\w{0,60})[^\n]{0,500}\n")
_MAX_DOCUMENTS = 200


def expanded_documents(script: str) -> Iterator[tuple[int, str]]:
    """The line (from 1) of the command of each document with values, and the text of the document."""
    place = 0
    for _ in range(_MAX_DOCUMENTS):
        opened = _OPENED.search(script, place)
        if opened is None:
            return
        closed = re.compile(rf"^[ \t]*{opened['end']}[ \t]*$", re.MULTILINE).search(script, opened.end())
        place = closed.end() if closed else len(script)
        if not opened["quote"]:
            yield script.count("\n", 0, opened.start()) + 1, script[opened.end() : closed.start() if closed else place]
