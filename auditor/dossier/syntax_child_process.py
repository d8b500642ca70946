"""Reads the syntax of hostile files in a child process with limits on time and memory."""

from __future__ import annotations

import json
import os
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING

from auditor.child_process import WALL_TIME_FACTOR, Child, Limits, NotStarted, start
from auditor.dossier.syntax import Definition, Syntax, grammar_name, read_syntax

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_MEMORY_BYTES = 1 << 30
_SECONDS = 60
"""Processor seconds for all files of a dossier; those of two hundred files take about two."""
_SECONDS_A_FILE = 5
_MAX_ANSWER = 32_000_000
_MAX_LOSSES = 3
"""Children that may be lost; after that files are shown by their lines alone."""


@dataclass
class SyntaxReader:
    """Reads files one after the other; used as a context, since it owns a process."""

    _child: Child | None = None
    _losses: int = 0
    _known: dict[tuple[str, bytes], Syntax | None] = field(default_factory=dict)

    def __enter__(self) -> SyntaxReader:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def read(self, path: str, content: bytes) -> Syntax | None:
        """The syntax of a file; None where no grammar reads it, or reading it ends the process."""
        if not grammar_name(path) or self._losses >= _MAX_LOSSES:
            return None
        key = (path, content)
        if key not in self._known:
            self._known[key] = self._asked(path, content)
        return self._known[key]

    def _asked(self, path: str, content: bytes) -> Syntax | None:
        try:
            child = self._child or self._start()
            child.pipe.send_bytes(path.encode("utf-8", errors="replace") + b"\0" + content)
            answer = child.pipe.recv_bytes(_MAX_ANSWER) if child.pipe.poll(WALL_TIME_FACTOR * _SECONDS_A_FILE) else b""
            return _decoded(answer)
        except (EOFError, OSError, ValueError, NotStarted):
            self._losses += 1
            self._end()
            return None

    def _start(self) -> Child:
        self._child = start(_work, (), Limits(_MEMORY_BYTES, _SECONDS), what="A process that reads changed files")
        self._child.wait_ready()
        return self._child

    def _end(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


def _work(pipe: Connection) -> None:
    """The child's life: a file in, its syntax out, until the pipe closes."""
    while True:
        try:
            path, _, content = pipe.recv_bytes().partition(b"\0")
        except EOFError:
            os._exit(0)
        pipe.send_bytes(_encoded(read_syntax(path.decode("utf-8", errors="replace"), content)))


def _encoded(syntax: Syntax | None) -> bytes:
    if syntax is None:
        return b"null"
    return json.dumps([[astuple(each) for each in syntax.definitions], syntax.calls]).encode("ascii")


def _decoded(answer: bytes) -> Syntax | None:
    """What the child says, as types of ours. Raises ValueError for anything else."""
    parts = json.loads(answer)
    if parts is None:
        return None
    try:
        definitions, calls = parts
        return Syntax(
            tuple(Definition(*each) for each in definitions),
            tuple((int(line), str(name)) for line, name in calls),
        )
    except TypeError as error:
        raise ValueError("the answer has another form") from error
