"""Commands in XML: attributes and texts of some elements, and programs with their arguments. Never raises for its content.

`keys` of the format are whole commands, `words` a program and its arguments one by one, `rest` several arguments in one text: `element` stands for the text of an element,
`element@attribute` for an attribute. What is not well-formed is read as far as its tags go.
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import LineSpan, ShellScript, consecutive_lines
from auditor.forensics.embedded_shell.yaml_commands import argv_text

_TOKEN = re.compile(
    r"<!--[\s\S]*?(?:-->|\Z)|<!\[CDATA\[(?P<data>[\s\S]*?)(?:\]\]>|\Z)"
    r"|<(?P<closes>/?)(?:[\w.-]{1,80}:)?(?P<name>[\w.-]{1,80})"
    r"(?P<attributes>(?>(?:\s+|[\w:.-]{1,80}\s*=\s*(?:\"[^\"]{0,20000}\"|'[^']{0,20000}')){0,400}))(?P<empty>/?)>"
)
_ATTRIBUTE = re.compile(r"(?P<name>[\w:.-]{1,80})\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')")
_MAX_TOKENS = 100_000
_MAX_DEPTH = 200
_MAX_SPLIT = 20_000
_Word = tuple[str, tuple[LineSpan, ...]]


@dataclass(slots=True)
class _Element:
    name: str
    start: int
    """Where its text begins."""
    words: list[_Word] | None = None
    """The program and the arguments below it; None where an element around it has them, or none was seen."""
    pieces: list[tuple[str, int]] = field(default_factory=list)
    """Its text and where each piece of it begins."""


def xml_scripts(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of an XML file, each named by its element."""
    reader = _Reader(text, form)
    at = 0
    for number, token in enumerate(_TOKEN.finditer(text)):
        if number > _MAX_TOKENS or len(reader.open) > _MAX_DEPTH:
            return
        reader.take_text(at, text[at : token.start()])
        at = token.end()
        if token["data"] is not None:
            reader.take_text(token.start("data"), token["data"], is_escaped=False)
        elif token["name"] is not None:
            yield from reader.take_tag(token)


@dataclass
class _Reader:
    text: str
    form: ShellFormat
    open: list[_Element] = field(default_factory=list)
    line_ends: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.line_ends = [found.start() for found in re.finditer("\n", self.text)]

    def take_text(self, at: int, said: str, *, is_escaped: bool = True) -> None:
        """Add a piece of text to the innermost open element."""
        if self.open and said.strip():
            self.open[-1].pieces.append((unescape(said) if is_escaped else said, at))

    def take_tag(self, token: re.Match[str]) -> Iterator[ShellScript]:
        """The commands that a tag holds or ends."""
        name = token["name"]
        if token["closes"]:
            if any(each.name == name for each in self.open):
                while (closed := self.open.pop()).name != name:
                    pass
                yield from self._ended(closed)
            return
        element = _Element(name, token.end())
        self.open.append(element)
        for found in _ATTRIBUTE.finditer(token["attributes"]):
            quote = "double" if found["double"] is not None else "single"
            start = token.start("attributes") + found.start(quote)
            yield from self._told(f"{name}@{found['name']}", element, unescape(found[quote]), start)
        if token["empty"]:
            yield from self._ended(self.open.pop())

    def _ended(self, element: _Element) -> Iterator[ShellScript]:
        if element.pieces:
            said = "".join(piece for piece, _ in element.pieces)
            holder = self.open[-1] if self.open else element
            yield from self._told(element.name, holder, said, element.pieces[0][1])
        if element.words and len(element.words) > 1:
            whole = (element.words[0][1][0][0], element.words[-1][1][-1][1])
            said, lines = argv_text(element.words, whole)
            yield ShellScript(said, lines, (element.name,), placeholders=self.form.placeholders)

    def _told(self, key: str, holder: _Element, said: str, start: int) -> Iterator[ShellScript]:
        """A command, or a word of one that ends with the element that holds it."""
        form = self.form
        if not said.strip() or not (key in form.keys or key in form.words or key in form.rest):
            return
        lines = consecutive_lines(bisect_left(self.line_ends, start) + 1, said)
        if key in form.keys:
            yield ShellScript(said, lines, (key.partition("@")[0],), placeholders=form.placeholders)
            return
        owner = next((each for each in self.open if each.words is not None), holder)
        owner.words = owner.words or []
        for word in _split(said) if key in form.rest else [said.strip()]:
            owner.words.append((word, (lines[0],) * (word.count("\n") + 1)))


def _split(said: str) -> list[str]:
    try:
        return shlex.split(said[:_MAX_SPLIT])
    except ValueError:
        return said.split()
