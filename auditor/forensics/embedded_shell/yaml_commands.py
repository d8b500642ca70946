"""Commands in YAML: the values of some keys, at any depth, with the environment, the shell and the names around them.

The text is read event by event: nothing is constructed, and an alias counts as all that it stands for. Never raises for its content.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import yaml

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import (
    LineSpan,
    ShellScript,
    consecutive_lines,
    environment_script,
    program_name,
    quoted_words,
    same_lines,
)

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_EVENTS = 200_000
_MAX_DEPTH = 60
_MAX_ITEMS = 500
_VARIABLE_NAME = re.compile(r"[A-Za-z_]\w{0,80}")


@dataclass(frozen=True, slots=True)
class _Text:
    """A scalar with its first and last line in the file, and the file's lines for each line of the text."""

    text: str
    first: int
    last: int
    lines: tuple[LineSpan, ...]


@dataclass(slots=True)
class _Level:
    """An open mapping or sequence."""

    is_mapping: bool
    parent: _Level | None
    above: str = ""
    """The key that it is the value of."""
    key: str | None = None
    facts: dict[str, str] = field(default_factory=dict)
    """Its texts by key: what says the shell and the name."""
    environment: dict[str, str] = field(default_factory=dict)
    items: list[_Text] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Found:
    """A command as written in the file, with its key and the mapping that contains the key."""

    words: tuple[_Text, ...]
    key: str
    level: _Level
    is_list: bool


def yaml_scripts(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a YAML file; those before the first error where it has one."""
    walk = _Walk(text.split("\n"), form)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            if not walk.take(event):
                break
    except (yaml.YAMLError, ValueError, RecursionError):
        pass  # a program that runs the file reads no further either
    commands = {(id(each.level), each.key): each.words for each in walk.found} if form.arguments else {}
    for each in walk.found:
        yield from _scripts(_with_command(each, commands, form), form)
    for key, written in walk.files:
        yield ShellScript(written.text, written.lines, (key,), inner_format=form.holding[key])
    for assignment, written in walk.variables:
        lines = same_lines(written.first, written.last, assignment)
        yield environment_script(assignment, lines, form.placeholders)


@dataclass
class _Walk:
    rows: Sequence[str]
    form: ShellFormat
    found: list[_Found] = field(default_factory=list)
    open: list[_Level] = field(default_factory=list)
    anchored: dict[str, _Text] = field(default_factory=dict)
    variables: list[tuple[str, _Text]] = field(default_factory=list)
    """Assignments of the environments, as a shell writes them, and where each stands."""
    files: list[tuple[str, _Text]] = field(default_factory=list)
    """Texts that are files of another format, each with its key."""
    collections: dict[str, Sequence[yaml.Event]] = field(default_factory=dict)
    """The events of each mapping and sequence that has an anchor."""
    recorded: list[tuple[str, list[yaml.Event], int]] = field(default_factory=list)
    """Those that are open, with how deep they are."""
    left: int = _MAX_EVENTS

    def take(self, event: yaml.Event) -> bool:
        """Process an event; False where the file is deeper or larger than anybody writes."""
        for _, events, _ in self.recorded:
            events.append(event)
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)) and event.anchor:
            self.recorded.append((event.anchor, [event], len(self.open)))
        goes_on = self._walk(event)
        while self.recorded and len(self.open) == self.recorded[-1][2]:
            anchor, events, _ = self.recorded.pop()
            self.collections[anchor] = events
        return goes_on

    def _walk(self, event: yaml.Event) -> bool:
        self.left -= 1
        if isinstance(event, yaml.ScalarEvent):
            written = _written(event, self.rows)
            if event.anchor:
                self.anchored[event.anchor] = written
            self._value(written)
        elif isinstance(event, yaml.AliasEvent) and event.anchor in self.collections:
            return all(map(self._walk, self.collections[event.anchor]))
        elif isinstance(event, yaml.AliasEvent):
            self._value(self.anchored.get(event.anchor or "", _Text("", 0, 0, ())))
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._begin(isinstance(event, yaml.MappingStartEvent))
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._end(self.open.pop())
        return len(self.open) < _MAX_DEPTH and self.left > 0

    def _begin(self, is_mapping: bool) -> None:
        parent = self.open[-1] if self.open else None
        above = ""
        if parent is not None:
            above = (parent.key or "") if parent.is_mapping else parent.above
            parent.key = None if parent.is_mapping else parent.key
        self.open.append(_Level(is_mapping, parent, above))

    def _end(self, level: _Level) -> None:
        """A list of texts below a key of commands, and entries of an environment that is written as a list."""
        if level.is_mapping or level.parent is None or not level.items:
            return
        if level.above in self.form.keys:
            self.found.append(_Found(tuple(level.items), level.above, level.parent, is_list=True))
        elif self.form.environment and level.above == self.form.environment:
            pairs = (each.text.partition("=") for each in level.items)
            level.parent.environment.update({name: value for name, _, value in pairs})
            for each in level.items:
                name, _, value = each.text.partition("=")
                self._set(name, value, each)

    def _value(self, written: _Text) -> None:
        if not self.open:
            return
        level = self.open[-1]
        if not level.is_mapping:
            if len(level.items) < _MAX_ITEMS:
                level.items.append(written)
        elif level.key is None:
            level.key = written.text
        else:
            key, level.key = level.key, None
            level.facts[key] = written.text
            if key == self.form.shell and level.above == "run":
                _set_default_shell(level, key, written.text)
            if key in self.form.keys:
                self.found.append(_Found((written,), key, level, is_list=False))
            if key in self.form.holding:
                self.files.append((key, written))
            if self.form.pairs and key == "value" and "name" in level.facts:
                self._set(level.facts["name"], written.text, written)
            elif self._is_environment(level) and level.parent is not None:
                level.parent.environment[key] = written.text
                self._set(key, written.text, written)

    def _is_environment(self, level: _Level) -> bool:
        """Is it a mapping of variables, rather than an entry of a list of them?"""
        is_value = level.parent is not None and level.parent.is_mapping
        return is_value and bool(self.form.environment) and level.above == self.form.environment

    def _set(self, name: str, value: str, written: _Text) -> None:
        if _VARIABLE_NAME.fullmatch(name) and len(self.variables) < _MAX_ITEMS:
            self.variables.append((f"{name}={quoted_words([value])}", written))


def _set_default_shell(level: _Level, key: str, shell: str) -> None:
    """Set the shell of `defaults: {run: {shell: ...}}` for the mapping that contains `defaults`, unless it has one."""
    defaults = level.parent
    if defaults is not None and defaults.above == "defaults" and defaults.parent is not None:
        defaults.parent.facts.setdefault(key, shell)


def _written(event: yaml.ScalarEvent, rows: Sequence[str]) -> _Text:
    """A text with its lines. Of one that YAML folds, the lines are joined as a shell joins them, so that each keeps its own."""
    start, end = event.start_mark, event.end_mark
    first, last = (start.line + 1, end.line + 1) if start and end else (1, 1)
    if event.style == "|":
        return _Text(event.value, first, last - 1, consecutive_lines(first + 1, event.value))
    if event.style == ">":
        body = _dedented(rows[first : last - 1])
        return _Text(_folded(body), first, last - 1, consecutive_lines(first + 1, "\n".join(body)))
    if not event.style and last > first and "\n" not in event.value:
        body = [row.strip() for row in rows[first - 1 : last]]
        body[0] = rows[first - 1][start.column if start else 0 :].strip()
        if " ".join(filter(None, body)) == event.value:
            return _Text(" \\\n".join(body), first, last, consecutive_lines(first, "\n".join(body)))
    return _Text(event.value, first, last, same_lines(first, last, event.value))


def _dedented(rows: Sequence[str]) -> list[str]:
    """Rows without the indentation of the first that has words; blank ones at the end are left out."""
    depth = next((len(row) - len(row.lstrip(" ")) for row in rows if row.strip()), 0)
    body = [row[depth:].rstrip() for row in rows]
    while body and not body[-1]:
        body.pop()
    return body or [""]


def _folded(body: Sequence[str]) -> str:
    """A folded text; a row ends in a backslash where YAML joins it with the next: neither is blank or indented further."""
    joined = [
        f"{row} \\" if row and below and not row[0].isspace() and not below[0].isspace() else row
        for row, below in zip(body, [*body[1:], ""], strict=True)
    ]
    return "\n".join(joined)


def _with_command(found: _Found, commands: Mapping[tuple[int, str], tuple[_Text, ...]], form: ShellFormat) -> _Found:
    """A list of arguments behind the shell that it continues, where the mapping has one; anything else as it is."""
    begun = commands.get((id(found.level), form.arguments.get(found.key, "")), ())
    if not begun or not found.is_list or program_name(begun[0].text) not in _SHELLS:
        return found
    return replace(found, words=(*begun, *found.words))


def _scripts(found: _Found, form: ShellFormat) -> Iterator[ShellScript]:
    names = tuple(_names_around(found))
    environment = _environment(found.level)
    shell = _shell(found.level, form)
    for text, lines in _command_texts(found, form):
        said = text.replace("$$", "$") if form.dollars else text
        if said.strip():
            yield ShellScript(
                said, lines, names, shell, environment, placeholders=form.placeholders, session=_session(found.level)
            )


def _command_texts(found: _Found, form: ShellFormat) -> Iterator[tuple[str, tuple[LineSpan, ...]]]:
    if not (found.is_list and form.argv):
        yield from ((each.text, each.lines) for each in found.words)
        return
    words = list(found.words)
    through_shell = words[0].text == "CMD-SHELL"
    if words[0].text in {"CMD", "CMD-SHELL", "NONE"}:
        words = words[1:]
    if through_shell:
        yield from ((each.text, each.lines) for each in words)
    elif words:
        yield argv_text([(each.text, each.lines) for each in words], (words[0].first, words[-1].last))


def argv_text(words: Sequence[tuple[str, tuple[LineSpan, ...]]], span: LineSpan) -> tuple[str, tuple[LineSpan, ...]]:
    """A list of arguments as a command line: of a shell that is given a script, that script."""
    texts = [text for text, _ in words]
    if program_name(texts[0]) in _SHELLS:
        for (option, _), script in pairwise(words):
            if option.startswith("-") and not option.startswith("--") and option.endswith("c"):
                return script
    text = quoted_words(texts)
    return text, same_lines(*span, text)


_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})


def _names_around(found: _Found) -> Iterator[str]:
    """Keys and names from the outside in, the key of the command last."""
    names: list[str] = [found.key]
    level: _Level | None = found.level
    while level is not None:
        names += [each for each in (level.facts.get("name", ""), level.above) if each]
        level = level.parent
    yield from reversed(names)


def _session(level: _Level) -> str:
    """What names the list of steps that a command belongs to, else the mapping whose lists of commands run one after another."""
    outer: _Level | None = level
    while outer is not None and outer.is_mapping:
        outer = outer.parent
    return str(id(outer or level))


def _environment(level: _Level | None) -> Mapping[str, str]:
    held: list[dict[str, str]] = []
    while level is not None:
        held.append(level.environment)
        level = level.parent
    return ChainMap(*(each for each in held if each))


def _shell(level: _Level | None, form: ShellFormat) -> str:
    """The program that runs a command, by the nearest key that names it."""
    while form.shell and level is not None:
        if level.facts.get(form.shell):
            return level.facts[form.shell]
        level = level.parent
    return ""
