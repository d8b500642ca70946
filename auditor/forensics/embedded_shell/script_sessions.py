"""Scripts that run one after another in the same folder, joined: what one of them downloads, a later one may run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from auditor.forensics.embedded_shell.shell_script import ShellScript

_DOWNLOADS = re.compile(r"\b(?:curl|wget)\b")


def joined_sessions(scripts: Iterable[ShellScript], begin: re.Pattern[str] = _DOWNLOADS) -> Iterator[ShellScript]:
    """The scripts of each session as one, from the first that downloads something, or that holds what is asked for."""
    sessions: dict[str, list[ShellScript]] = {}
    for each in scripts:
        held = sessions.get(each.session, [])
        if each.session and each.is_shell and not each.is_environment and (held or begin.search(each.text)):
            sessions.setdefault(each.session, held).append(each)
    for held in sessions.values():
        if len(held) > 1:
            text = "\n".join(each.plain_text() for each in held)
            lines = tuple(span for each in held for span in _spans(each))
            yield replace(held[0], text=text, lines=lines, placeholders="")


def _spans(script: ShellScript) -> Iterator[tuple[int, int]]:
    """As many spans as the script has lines."""
    for number in range(script.plain_text().count("\n") + 1):
        yield script.span(number + 1, number + 1)
