"""Commands in JSON: texts below some keys, with comments allowed. Never raises for its content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import ShellScript, same_lines
from auditor.forensics.embedded_shell.yaml_commands import argv_text

_TOKEN = re.compile(r'"(?>(?:[^"\\\n]|\\.){0,60000})"|//[^\n]*|/\*(?>(?:[^*]|\*(?!/)){0,20000})\*/|[{}\[\]:,]')
_MAX_DEPTH = 60
_MAX_TOKENS = 300_000


@dataclass(slots=True)
class _Level:
    key: str | None = None
    is_list: bool = False
    words: list[tuple[str, int]] = field(default_factory=list)


def json_scripts(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a JSON file, each named by the keys that lead to it."""
    for path, words in _texts(text):
        place = next((at for at, key in enumerate(path) if key in form.below or not form.below), None)
        if place is None or (place > 0 and not form.nested) or (form.keys and path[-1] not in form.keys):
            continue
        names = tuple(path[place + 1 :] or path[place:])
        if form.argv and len(words) > 1:
            text_, lines = argv_text([(word, ((line, line),)) for word, line in words], (words[0][1], words[-1][1]))
            yield ShellScript(text_, lines, names)
            continue
        for word, line in words:
            if word.strip():
                yield ShellScript(word, same_lines(line, line, word), names, session="scripts")


def _texts(text: str) -> Iterator[tuple[list[str], list[tuple[str, int]]]]:
    """Texts that are values, with the keys that lead to them and their lines; of a list of texts all at once."""
    open_levels: list[_Level] = []
    line, at, colon = 1, 0, False
    for number, token in enumerate(_TOKEN.finditer(text)):
        if number > _MAX_TOKENS or len(open_levels) > _MAX_DEPTH:
            return
        line += text.count("\n", at, token.start())
        at, sign = token.start(), token[0]
        if sign in "{[":
            open_levels.append(_Level(is_list=sign == "["))
        elif sign in "}]" and open_levels:
            closed = open_levels.pop()
            if closed.words:
                yield [each.key for each in open_levels if each.key is not None], closed.words
        elif sign[0] == '"' and open_levels:
            level, said = open_levels[-1], _decoded(sign)
            if level.is_list:
                level.words.append((said, line))
            elif colon:
                yield [each.key for each in open_levels if each.key is not None], [(said, line)]
            else:
                level.key = said
        colon = sign == ":" or (colon and sign.startswith(("//", "/*")))


def _decoded(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted[1:-1]
