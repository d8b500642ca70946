"""Commands of Makefiles and justfiles: a script per recipe line, with constant variables of the file put in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import LineSpan, ShellScript, program_name, same_lines

_RULE = re.compile(
    r"^(?P<name>[^\s:=#][^:=#\n]{0,200}?)\s*::?(?!=)(?P<needs>[^;\n]{0,500})(?:;(?P<command>.*))?$", re.DOTALL
)
_ASSIGNED = re.compile(
    r"^(?:override\s+|export\s+)*(?P<name>[\w.-]{1,80})\s*(?:::?:?|\?|\+|!)?=[ \t]*(?P<value>.*)$", re.DOTALL
)
_SHELL_ASSIGNED = re.compile(r"^[\w.-]{1,80}\s*!=")
_DEFINE = re.compile(r"^define\s+(?P<name>[\w.-]{1,80})")
_VARIABLE = re.compile(r"\$(?:\((?P<round>[\w.-]{1,80})\)|\{(?P<curly>[\w.-]{1,80})\})")
_CALL = re.compile(r"\$\((?!\()(?:[^()\n]|\([^()\n]{0,300}\)){1,600}\)")
_SHELL_CALL = re.compile(r"\$\(shell\s+")
_IGNORED = re.compile(r"^\.IGNORE\s*:(?P<names>[^\n]{0,1000})$")
_IGNORING_FLAGS = re.compile(
    r"^(?:override\s+|export\s+)*MAKEFLAGS\s*[:+]?=[^#\n]*(?:--ignore-errors\b|[\s=]-(?!-)[a-zA-Z]{0,6}i[a-zA-Z]{0,4}(?=\s|$)|=\s*[a-zA-Z]{0,4}i[a-zA-Z]{0,3}(?=\s|$))"
)
_INERT_SHELLS = frozenset({"true", "echo", "cat", ":"})
_PREFIX = "@+- \t"
_MAX_LOGICAL = 20_000
_MAX_DEPTH = 4
_MAX_VALUE = 2_000
_MAX_PUT_IN = 60
"""Variables that are put into a recipe line in one go."""


@dataclass(frozen=True)
class _Row:
    """A logical line, continuation lines included, with its first and last line in the file."""

    text: str
    first: int
    last: int

    def lines(self) -> tuple[LineSpan, ...]:
        return tuple((number, number) for number in range(self.first, self.last + 1))


@dataclass
class _Reading:
    is_just: bool
    values: dict[str, str] = field(default_factory=dict)
    one_shell: bool = False
    passes: str = ""
    """Why the failure of every command is passed over."""
    passing_targets: frozenset[str] = frozenset()


def makefile_scripts(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a Makefile or a justfile, each named by its targets, with those that these need; one without text where a rule only needs others."""
    reading = _Reading(form.id == "justfile")
    rows = list(_logical_rows(text.replace("\r\n", "\n").split("\n")))
    reading.values = dict(_values(rows))
    reading.one_shell = any(row.text.startswith(".ONESHELL") for row in rows)
    reading.passes = "" if reading.is_just else _ignored_failures(rows, reading.values)
    reading.passing_targets = frozenset(
        name for row in rows if (found := _IGNORED.match(row.text)) is not None for name in found["names"].split()
    )
    yield from _function_scripts(rows, reading)
    targets: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    block: list[_Row] = []
    for row in [*rows, _Row("end:", 0, 0)]:
        begun = row.text[:1]
        is_recipe = begun == "\t" or (reading.is_just and begun == " ")
        if is_recipe and targets:
            block.append(row)
            continue
        if not row.text.strip() or row.text.startswith("#"):
            continue
        yield from _recipe(block, targets, needs, form, reading)
        block = []
        rule = None if is_recipe or _ASSIGNED.match(row.text) else _RULE.match(row.text)
        targets = tuple(each.lstrip("@") for each in rule["name"].split()) if rule else ()
        needs = tuple(rule["needs"].split()) if rule else ()
        if rule and rule["command"] and not reading.is_just:
            block = [_Row(f"\t{rule['command']}", row.first, row.last)]


def _logical_rows(rows: Sequence[str]) -> Iterator[_Row]:
    held: list[str] = []
    for number, row in enumerate(rows, start=1):
        held.append(row)
        if row.endswith("\\") and sum(map(len, held)) < _MAX_LOGICAL and number < len(rows):
            continue
        yield _Row("\n".join(held), number - len(held) + 1, number)
        held = []


def _values(rows: Sequence[_Row]) -> Iterator[tuple[str, str]]:
    """Variables of the file and their texts, those over several lines included."""
    defined, body = "", list[str]()
    for row in rows:
        if defined:
            if row.text.strip() == "endef":
                yield defined, "\n".join(body)[:_MAX_VALUE]
                defined, body = "", []
            else:
                body.append(row.text)
            continue
        begun = _DEFINE.match(row.text)
        if begun is not None:
            defined = begun["name"]
        elif (found := _ASSIGNED.match(row.text)) is not None:
            yield found["name"], found["value"].replace("\\\n", " ")[:_MAX_VALUE]


def _ignored_failures(rows: Sequence[_Row], values: Mapping[str, str]) -> str:
    """Why make passes over the failure of every command; empty where it does not."""
    if any((found := _IGNORED.match(row.text)) is not None and not found["names"].strip() for row in rows):
        return "`.IGNORE` ignores its failure"
    if any(_IGNORING_FLAGS.match(row.text) for row in rows):
        return "`MAKEFLAGS` ignores its failure"
    shell = values.get("SHELL", "").split()
    if shell and program_name(shell[0]) in _INERT_SHELLS:
        return f"`SHELL` is `{shell[0]}`"
    return ""


def _recipe(
    block: Sequence[_Row], targets: tuple[str, ...], needs: tuple[str, ...], form: ShellFormat, reading: _Reading
) -> Iterator[ShellScript]:
    if not block:
        yield from [ShellScript("", (), targets, needs=needs)] if targets else []
        return
    first = block[0].text.strip().lstrip("@")
    if reading.one_shell or (reading.is_just and first.startswith("#!")):
        text = "\n".join(row.text[1:] if row.text[:1] == "\t" else row.text for row in block)
        spans = tuple(span for row in block for span in row.lines())
        runner = first[2:].strip().rpartition("env ")[2] if first.startswith("#!") else ""
        yield ShellScript(_put_in(text, reading), spans, targets, runner, needs=needs, placeholders=form.placeholders)
        return
    for row in block:
        plain = row.text.lstrip()
        signs = plain[: len(plain) - len(plain.lstrip(_PREFIX))]
        text = _put_in(plain.lstrip(_PREFIX), reading)
        spans = row.lines() if text.count("\n") + 1 == len(row.lines()) else same_lines(row.first, row.last, text)
        if text.strip() and not text.startswith("#"):
            yield ShellScript(
                text,
                spans,
                targets,
                needs=needs,
                ignored_failure=_passed_over(signs, targets, reading),
                placeholders=form.placeholders,
                session=" ".join(targets),
            )


def _passed_over(signs: str, targets: tuple[str, ...], reading: _Reading) -> str:
    if "-" in signs:
        return "`-` before it ignores its failure"
    return "`.IGNORE` ignores its failure" if reading.passing_targets.intersection(targets) else reading.passes


def _put_in(text: str, reading: _Reading) -> str:
    """A recipe as the shell is given it: constant variables put in, other expansions of make as plain words."""
    if reading.is_just:
        return text
    kept = text.replace("$$", _DOLLAR)
    for _ in range(_MAX_DEPTH):
        put = _VARIABLE.sub(lambda found: _value(found, reading.values), kept, count=_MAX_PUT_IN)[:_MAX_LOGICAL]
        if put == kept:
            break
        kept = put
    return _CALL.sub("expression", kept).replace(_DOLLAR, "$")


_DOLLAR = "\x01"


def _value(found: re.Match[str], values: Mapping[str, str]) -> str:
    name = found["round"] or found["curly"] or ""
    return values.get(name, f"variable_{name}").replace("$$", _DOLLAR)


def _function_scripts(rows: Sequence[_Row], reading: _Reading) -> Iterator[ShellScript]:
    """What `$(shell ...)` and `!=` run while the file is read."""
    for row in () if reading.is_just else rows:
        for call in list(_SHELL_CALL.finditer(row.text))[:20]:
            text = _put_in(_balanced(row.text, call.end()), reading)
            yield ShellScript(text, same_lines(row.first, row.last, text), ("$(shell)",))
        if _SHELL_ASSIGNED.match(row.text) and (found := _ASSIGNED.match(row.text)) is not None:
            text = _put_in(found["value"], reading)
            yield ShellScript(text, same_lines(row.first, row.last, text), ("$(shell)",))


def _balanced(text: str, start: int) -> str:
    depth = 1
    for at in range(start, min(len(text), start + _MAX_VALUE)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at]
    return text[start : start + _MAX_VALUE]
