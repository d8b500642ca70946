"""Commands of a Dockerfile: `RUN`, `CMD`, `ENTRYPOINT` and `HEALTHCHECK` in both forms, with continued lines and here-documents.

Also what a shell of `SHELL` runs before each command, what `ENV` sets and what `ADD` downloads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import (
    LineSpan,
    ShellScript,
    environment_script,
    program_name,
    quoted_words,
)
from auditor.forensics.embedded_shell.yaml_commands import argv_text
from auditor.forensics.library_models.shell_programs import UNIX_SHELLS

_INSTRUCTION = re.compile(
    r"^\s*(?:ONBUILD\s+)?(?P<name>RUN|CMD|ENTRYPOINT|HEALTHCHECK|SHELL|ENV|ARG|ADD|FROM)\s+(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_OPTION = re.compile(r"\s*--[\w-]+(?:=(?:\"[^\"\n]*\"|\S*))?(?=\s|$)")
_HEALTH_COMMAND = re.compile(r"\s*CMD\s", re.IGNORECASE)
_HEREDOC = re.compile(r"<<(?P<dash>-?)(?P<quote>[\"']?)(?P<end>[A-Za-z_]\w{0,60})(?P=quote)")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_ESCAPE = re.compile(r"#\s*escape\s*=\s*`\s*$", re.IGNORECASE)


@dataclass
class _Step:
    """An instruction with its rows, those of its here-documents apart."""

    rows: list[str]
    numbers: list[int]
    bodies: list[tuple[list[str], int]]

    def text(self) -> str:
        return "\n".join(self.rows)

    def lines(self) -> tuple[LineSpan, ...]:
        return tuple((number, number) for number in self.numbers)


def dockerfile_scripts(text: str, _form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a Dockerfile, each named by its instruction."""
    shell, stage = "", 0
    for step in _steps(text.split("\n")):
        found = _INSTRUCTION.match(step.text())
        if found is None:
            continue
        name, rest = found["name"].upper(), found["rest"]
        if name == "SHELL":
            shell, *given = _words(rest) or [""]
            if given and given[-1][:1] not in {"-", "/"} and program_name(shell) in UNIX_SHELLS:
                yield from _scripts(name, rest, step, shell)
        elif name == "FROM":
            stage += 1
        elif name in {"ENV", "ARG"}:
            yield environment_script(_assignments(rest), step.lines())
        elif name == "ADD":
            yield from _download(rest, step, str(stage))
        else:
            yield from (replace(each, session=str(stage)) for each in _scripts(name, rest, step, shell))


def _download(rest: str, step: _Step, session: str) -> Iterator[ShellScript]:
    """What `ADD` takes from a server without a checksum, as the command that does the same."""
    words = _words(rest) or rest.replace("\\\n", " ").split()
    paths = [each for each in words if not each.startswith("--")]
    if any(each.startswith("--checksum") for each in words):
        return
    for address in paths[:-1]:
        if _ADDRESS.match(address):
            name = address.partition("?")[0].rpartition("/")[2]
            target = f"{paths[-1].rstrip('/')}/{name}" if paths[-1].endswith(("/", ".")) else paths[-1]
            text = quoted_words(["wget", "-O", target.removeprefix("./"), address])
            yield ShellScript(text, step.lines()[:1], ("ADD",), session=session)


def _assignments(rest: str) -> str:
    """`NAME=value ...` as it is written, and the old form `NAME value` the same way."""
    name, _, value = rest.strip().partition(" ")
    return rest if "=" in name else f"{name}={quoted_words([value.strip()])}"


def _scripts(name: str, rest: str, step: _Step, shell: str) -> Iterator[ShellScript]:
    while (option := _OPTION.match(rest)) is not None:
        rest = rest[option.end() :]
    if name == "HEALTHCHECK":
        command = _HEALTH_COMMAND.match(rest)
        if command is None:
            return
        rest = rest[command.end() :]
    lines = step.lines()[step.text().count("\n") - rest.count("\n") :]
    words = _words(rest)
    if words:
        whole = (lines[0][0], lines[-1][1])
        text, spans = argv_text([(word, (whole,) * (word.count("\n") + 1)) for word in words], whole)
        yield ShellScript(text, spans, (name,))
        return
    bare = _HEREDOC.sub("", rest).strip()
    if bare:
        # a program that is given the document runs it, not the shell
        yield ShellScript(_HEREDOC.sub("", rest), lines, (name,), shell)
    if not bare or program_name(bare) in UNIX_SHELLS:
        for body, start in step.bodies:
            first = body[0] if body else ""
            runner = first[2:].strip() if first.startswith("#!") else shell
            spans = tuple((number, number) for number in range(start, start + max(1, len(body))))
            yield ShellScript("\n".join(body), spans, (name,), runner)


def _words(text: str) -> list[str]:
    """The words of the form in brackets; none where it is the other form."""
    if not text.lstrip().startswith("["):
        return []
    try:
        words = json.loads(re.sub(r"\\\n", " ", text))
    except (ValueError, RecursionError):
        return []
    return [str(each) for each in words] if isinstance(words, list) else []


def _steps(rows: Sequence[str]) -> Iterator[_Step]:
    escape = "`" if any(_ESCAPE.match(row.strip()) for row in rows[:5]) else "\\"
    at = 0
    while at < len(rows):
        step = _Step([], [], [])
        while at < len(rows):
            row = rows[at].rstrip("\r")
            at += 1
            if row.lstrip().startswith("#") or (step.rows and not row.strip()):
                continue  # comments and blank rows between continued ones are left out
            continued = row.rstrip().endswith(escape)
            step.rows.append(f"{row.rstrip()[:-1]}\\" if continued else row)
            step.numbers.append(at)
            if not continued:
                break
        if step.rows and _INSTRUCTION.match(step.rows[0]):
            at = _take_heredocs(step, rows, at)
        if step.rows and step.rows[0].strip():
            yield step


def _take_heredocs(step: _Step, rows: Sequence[str], at: int) -> int:
    for opened in list(_HEREDOC.finditer(step.text()))[:20]:
        start, body = at + 1, []
        while at < len(rows):
            row = rows[at].rstrip("\r")
            at += 1
            plain = row.lstrip("\t") if opened["dash"] else row
            if plain == opened["end"]:
                break
            body.append(plain)
        step.bodies.append((body, start))
    return at
