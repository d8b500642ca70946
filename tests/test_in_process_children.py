"""Child processes as threads give the same answers, and leave nothing behind."""

from __future__ import annotations

import os
from pathlib import Path

from auditor.forensics.engine import worker_pool
from tests.auditing import asked
from tests.in_process_children import in_process_children
from tests.repos import Drawing

_FILES = {
    "a.py": "import hashlib\nhashlib.md5(b'')\n",
    "b.go": 'package b\nimport "crypto/md5"\nvar s = md5.New()\n',
    "c.py": "def f(:\n",
}


def test_the_answers_are_those_of_processes(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "repo")
    drawing.commit(dict(_FILES))
    probes = ("code.weak_hash", "coverage.analysed", "secrets.committed")
    expected = asked(drawing.path, None, *probes)
    with in_process_children():
        answered = asked(drawing.path, None, *probes)
    assert answered == expected


def test_the_process_starts_children_and_can_end_as_before() -> None:
    before = (dict(vars(worker_pool)), os._exit)
    with in_process_children():
        assert before != (dict(vars(worker_pool)), os._exit)
    assert before == (dict(vars(worker_pool)), os._exit)
