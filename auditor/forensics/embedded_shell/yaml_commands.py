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
    environment_script,
    program_name,
    quoted_words,
    same_lines,
    unread_scripts,
)
from auditor.forensics.embedded_shell.used_variables import UsedVariables
from auditor.forensics.embedded_shell.yaml_texts import YamlText, written_text
from auditor.forensics.library_models.shell_programs import UNIX_SHELLS

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_EVENTS = 200_000
"""Events of a file that are read; and as many again of what its aliases stand for."""
_MAX_DEPTH = 60
_MAX_ITEMS = 500
_TOO_DEEP = f"shell commands nested more than {_MAX_DEPTH} levels deep were not checked by any rule"
_TOO_LARGE = f"shell commands after the first {_MAX_EVENTS:,} values of the file were not checked by any rule"
_TOO_LONG = f"shell commands after the first {_MAX_ITEMS} of a list were not checked by any rule"
_MANY_COMMANDS = 1_000
_MANY_CHARACTERS = 500_000
"""Commands, and characters of commands, from which those that aliases only repeat are left out."""
_VARIABLE_NAME = re.compile(r"[A-Za-z_]\w{0,80}")


_NOTHING = YamlText("", 0, 0, ())
"""What an alias stands for that has no anchor."""


@dataclass(slots=True)
class _Anchored:
    """A mapping or sequence that has an anchor, as the events and values that it is made of."""

    pieces: list[_Piece]
    size: int = 0
    """Events of all that it stands for."""
    depth: int = 0
    """Levels that are open in it at once."""

    def measure(self) -> None:
        """Work out size and depth, once all of it is there."""
        is_open = 0
        for each in self.pieces:
            inner = each if isinstance(each, _Anchored) else None
            self.size += inner.size if inner else 1
            is_open += isinstance(each, _STARTS) - isinstance(each, _ENDS)
            self.depth = max(self.depth, is_open + (inner.depth if inner else 0))


_Piece = yaml.Event | YamlText | _Anchored
_STARTS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


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
    items: list[YamlText] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Found:
    """A command as written in the file, with its key and the mapping that contains the key."""

    words: tuple[YamlText, ...]
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
    for each in _without_repeats([_with_command(each, commands, form) for each in walk.found], form):
        yield from _scripts(each, form)
    for key, written in walk.files:
        yield ShellScript(written.text, written.lines, (key,), inner_format=form.holding[key])
    for assignment, written in walk.variables:
        lines = same_lines(written.first, written.last, assignment)
        yield environment_script(assignment, lines, form.placeholders)
    if walk.unread:
        yield unread_scripts("; ".join(walk.unread))


@dataclass
class _Walk:
    rows: Sequence[str]
    form: ShellFormat
    found: list[_Found] = field(default_factory=list)
    open: list[_Level] = field(default_factory=list)
    anchors: dict[str, YamlText | _Anchored] = field(default_factory=dict)
    """What each anchor stands for at this place of the file."""
    variables: list[tuple[str, YamlText]] = field(default_factory=list)
    """Assignments of the environments, as a shell writes them, and where each stands."""
    files: list[tuple[str, YamlText]] = field(default_factory=list)
    """Texts that are files of another format, each with its key."""
    recorded: list[tuple[str, _Anchored, int]] = field(default_factory=list)
    """The mappings and sequences with an anchor that are open, with how deep they are."""
    unread: dict[str, None] = field(default_factory=dict)
    """Why commands may be missing."""
    left: int = _MAX_EVENTS
    left_of_aliases: int = _MAX_EVENTS
    skipped: int = 0
    """Levels that are open but too deep to be read."""

    def take(self, event: yaml.Event) -> bool:
        """Process an event; False where the file is larger than anybody writes."""
        self.left -= 1
        if self.left < 0:
            self.unread[_TOO_LARGE] = None
            return False
        if self.skipped:
            self.skipped += isinstance(event, _STARTS) - isinstance(event, _ENDS)
            return True
        if isinstance(event, _STARTS) and len(self.open) >= _MAX_DEPTH:
            self.unread[_TOO_DEEP] = None
            self.skipped = 1
        elif isinstance(event, _STARTS) and event.anchor:
            self.recorded.append((event.anchor, _Anchored([]), len(self.open)))
        piece = _NOTHING if self.skipped else self._piece(event)
        if self.recorded:
            self.recorded[-1][1].pieces.append(piece)
        self._walk(piece)
        while self.recorded and len(self.open) == self.recorded[-1][2]:
            anchor, held, _ = self.recorded.pop()
            held.measure()
            self.anchors[anchor] = held
            if self.recorded:
                self.recorded[-1][1].pieces.append(held)
        return True

    def _piece(self, event: yaml.Event) -> _Piece:
        """What an event stands for: a value, what its anchor stands for at this place, or itself."""
        if isinstance(event, yaml.AliasEvent):
            return self.anchors.get(event.anchor or "", _NOTHING)
        if not isinstance(event, yaml.ScalarEvent):
            return event
        written = written_text(event, self.rows)
        if event.anchor:
            self.anchors[event.anchor] = written
        return written

    def _walk(self, piece: _Piece) -> None:
        if isinstance(piece, YamlText):
            self._value(piece)
        elif isinstance(piece, _Anchored):
            self._repeat(piece)
        elif isinstance(piece, _STARTS):
            self._begin(isinstance(piece, yaml.MappingStartEvent))
        elif isinstance(piece, _ENDS):
            self._end(self.open.pop())

    def _repeat(self, held: _Anchored) -> None:
        """Go through what an alias stands for; past it where that is too deep or too much."""
        reason = _TOO_DEEP if len(self.open) + held.depth > _MAX_DEPTH else ""
        reason = reason or (_TOO_LARGE if held.size > self.left_of_aliases else "")
        if reason:
            self.unread[reason] = None
            self._value(_NOTHING)
            return
        self.left_of_aliases -= sum(not isinstance(each, _Anchored) for each in held.pieces)
        for each in held.pieces:
            self._walk(each)

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

    def _value(self, written: YamlText) -> None:
        if not self.open:
            return
        level = self.open[-1]
        if not level.is_mapping:
            self._item(level, written)
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

    def _item(self, level: _Level, written: YamlText) -> None:
        if len(level.items) < _MAX_ITEMS:
            level.items.append(written)
        elif level.above in self.form.keys:
            self.unread[_TOO_LONG] = None

    def _is_environment(self, level: _Level) -> bool:
        """Is it a mapping of variables, rather than an entry of a list of them?"""
        is_value = level.parent is not None and level.parent.is_mapping
        return is_value and bool(self.form.environment) and level.above == self.form.environment

    def _set(self, name: str, value: str, written: YamlText) -> None:
        if _VARIABLE_NAME.fullmatch(name) and len(self.variables) < _MAX_ITEMS:
            self.variables.append((f"{name}={quoted_words([value])}", written))


def _set_default_shell(level: _Level, key: str, shell: str) -> None:
    """Set the shell of `defaults: {run: {shell: ...}}` for the mapping that contains `defaults`, unless it has one."""
    defaults = level.parent
    if defaults is not None and defaults.above == "defaults" and defaults.parent is not None:
        defaults.parent.facts.setdefault(key, shell)


def _with_command(found: _Found, commands: Mapping[tuple[int, str], tuple[YamlText, ...]], form: ShellFormat) -> _Found:
    """A list of arguments behind the shell that it continues, where the mapping has one; anything else as it is."""
    begun = commands.get((id(found.level), form.arguments.get(found.key, "")), ())
    if not begun or not found.is_list or program_name(begun[0].text) not in UNIX_SHELLS:
        return found
    return replace(found, words=(*begun, *found.words))


def _without_repeats(found: Sequence[_Found], form: ShellFormat) -> Sequence[_Found]:
    """Commands without the sessions that aliases repeat word for word, where there would be more than are read."""
    count = sum(len(each.words) for each in found)
    characters = sum(len(word.text) for each in found for word in each.words)
    if count <= _MANY_COMMANDS and characters <= _MANY_CHARACTERS:
        return found
    used = UsedVariables()
    sessions: dict[str, list[_Found]] = {}
    for each in found:
        sessions.setdefault(_session(each.level), []).append(each)
    kept = {tuple(_identity(each, form, used) for each in held): name for name, held in reversed(sessions.items())}
    names = frozenset(kept.values())
    return [each for each in found if _session(each.level) in names]


def _identity(found: _Found, form: ShellFormat, used: UsedVariables) -> tuple[object, ...]:
    """What must be equal for two commands to do the same; a text of the file is the same object wherever an alias repeats it."""
    words = tuple(map(id, found.words))
    return words, found.key, found.is_list, _shell(found.level, form), used.of(found.words, _environments(found.level))


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
    if program_name(texts[0]) in UNIX_SHELLS:
        for (option, _), script in pairwise(words):
            if option.startswith("-") and not option.startswith("--") and option.endswith("c"):
                return script
    text = quoted_words(texts)
    return text, same_lines(*span, text)


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
    return ChainMap(*_environments(level))


def _environments(level: _Level | None) -> list[dict[str, str]]:
    """The environments around a command that hold something, the innermost first."""
    held: list[dict[str, str]] = []
    while level is not None:
        held.append(level.environment)
        level = level.parent
    return [each for each in held if each]


def _shell(level: _Level | None, form: ShellFormat) -> str:
    """The program that runs a command, by the nearest key that names it."""
    while form.shell and level is not None:
        if level.facts.get(form.shell):
            return level.facts[form.shell]
        level = level.parent
    return ""
