"""The audit in a process of its own: whatever becomes of it, there is somebody left to say how it ended.

A crash, a kill for want of memory, a hanging request and a passed deadline all end the child only. What comes back is
data: the record as JSON, or a sentence.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from auditor import child_process
from auditor.action.run_conclusions import Outcome
from auditor.audit_builder import Carried, Commission, Moved, carry_out
from auditor.child_process import Child, NotStarted
from auditor.domain import UserError
from auditor.report.report_json import from_json, to_json
from auditor.settings import Inconclusive, Settings

GRACE = 3.0
"""Seconds the child gets to take its temporary directory away."""
_SENTENCE = 600
_LOOK = 0.25
"""Seconds between two looks at whether the child is still there."""


@dataclass(frozen=True)
class Settled:
    """What the child found to be asked, before anything was paid for."""

    rubric: str
    inconclusive: Inconclusive


@dataclass(frozen=True)
class Undone:
    """There is no record, and why. `sentence` is on one line for each mistake."""

    outcome: Outcome
    sentence: str


@dataclass(frozen=True)
class Counsel:
    """Who is to judge, and what judges answered before, as it was kept: foreign until its seal is found to be right."""

    judges: str
    answers: str = ""


Consulted = Callable[[Settled], Counsel]
"""Told what was settled; says who is to judge."""


def audit(order: Commission, seconds: float, consulted: Consulted, say: Callable[[str], None]) -> Carried | Undone:
    """Carry out an order within so many seconds. `say` gets our own words on what is being done.

    All that the child and what it starts put on disk lies in one folder, which goes even where the child is killed.
    """
    try:
        folder = tempfile.mkdtemp(prefix="auditor-")
    except OSError as error:
        return Undone(
            Outcome.ERROR, f"No temporary directory can be made ({error.strerror}): set TMPDIR to one with space."
        )
    try:
        return _carried_out_by_a_child(order, folder, seconds, consulted, say)
    finally:
        _end_those_in(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _carried_out_by_a_child(
    order: Commission, folder: str, seconds: float, consulted: Consulted, say: Callable[[str], None]
) -> Carried | Undone:
    until = time.monotonic() + seconds
    try:
        child = child_process.start(_child, (order, folder), what="The process of the audit", daemon=False)
    except NotStarted as failure:
        return Undone(Outcome.BUG, str(failure))
    try:
        child.wait_ready()
        return _listen(child, until, seconds, consulted, say)
    except NotStarted as failure:
        return Undone(Outcome.BUG, str(failure))
    finally:
        _end(child)


def _listen(
    child: Child,
    until: float,
    seconds: float,
    consulted: Consulted,
    say: Callable[[str], None],
) -> Carried | Undone:
    while True:
        if not _speaks(child, until):
            if not child.process.is_alive():
                return Undone(Outcome.ERROR, _died(child))
            return Undone(
                Outcome.TIMED_OUT,
                f"The audit took longer than {seconds:.0f} seconds: raise the input timeout, or exclude files in .github/auditor.yml.",
            )
        try:
            message: dict[str, Any] = json.loads(child.pipe.recv_bytes())
        except (EOFError, OSError):
            return Undone(Outcome.ERROR, _died(child))
        kind = message["kind"]
        if kind == "step":
            say(message["what"])
        elif kind == "settled":
            counsel = consulted(Settled(message["rubric"], Inconclusive(message["inconclusive"])))
            child.pipe.send_bytes(json.dumps([counsel.judges, counsel.answers]).encode())
        elif kind == "carried":
            report = from_json(message["report"])
            inconclusive = Inconclusive(message["inconclusive"])
            return Carried(report, tuple(message["notices"]), inconclusive, message["answers"], message["questions"])
        else:
            return Undone(Outcome(message["outcome"]), message["sentence"])


def _speaks(child: Child, until: float) -> bool:
    """Wait for a message until then, or until the child has ended without one.

    Its own workers hold the pipe too, so that its end alone is no end of the pipe.
    """
    while not child.pipe.poll(min(_LOOK, max(0.0, until - time.monotonic()))):
        if time.monotonic() >= until or not child.process.is_alive():
            return child.pipe.poll(0)
    return True


def _died(child: Child) -> str:
    child.process.join(GRACE)
    code = child.process.exitcode
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        cause = " (there may be too little memory)" if name == "SIGKILL" else ""
        return f"The audit was ended by {name}{cause}: use a larger runner, or exclude files in .github/auditor.yml."
    return f"The audit ended with {code} and no word."


def _end(child: Child) -> None:
    """See the child and all it started ended."""
    process = child.process
    if process.is_alive():
        process.terminate()
        process.join(GRACE)
    if process.pid is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # what is left of its group
    process.join(GRACE)
    child.pipe.close()


def _end_those_in(folder: str) -> None:
    """End what still works in the folder: git leads groups of its own, and a child that was killed could not end it.

    Where the system does not show who works where, git ends by itself as soon as it reads or writes.
    """
    place = Path(folder).resolve()  # as the system shows it, whatever links lead there
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is another user's
            if (process / "cwd").readlink().is_relative_to(place):
                os.kill(int(process.name), signal.SIGKILL)


def _child(pipe: Connection, order: Commission, folder: str) -> None:
    """The child's whole life. It prints nothing: what it read is foreign, and a runner obeys lines that look like commands."""
    with suppress(OSError):
        os.setpgid(0, 0)
    tempfile.tempdir = folder
    debugging = bool(os.environ.get("AUDITOR_DEBUG"))
    with _mute(keep_errors=debugging):
        answer = _answer(order, pipe, debugging=debugging)
        with suppress(BrokenPipeError):
            pipe.send_bytes(json.dumps(answer).encode())
            pipe.close()


@contextmanager
def _mute(*, keep_errors: bool) -> Iterator[None]:
    sys.stdout.flush()
    sys.stderr.flush()
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    if not keep_errors:
        os.dup2(nothing, 2)
    os.close(nothing)
    yield


def _answer(order: Commission, pipe: Connection, *, debugging: bool) -> dict[str, Any]:
    said: set[str] = set()

    def step(what: str, _done: int, _total: int) -> None:
        if what not in said:
            said.add(what)
            pipe.send_bytes(json.dumps({"kind": "step", "what": what}).encode())

    def consult(settled: Settings) -> str:
        told = {"kind": "settled", "rubric": settled.charge.rubric.id, "inconclusive": settled.inconclusive.value}
        pipe.send_bytes(json.dumps(told).encode())
        counsel = Counsel(*json.loads(pipe.recv_bytes()))
        if order.judging.sealed is not None:
            order.judging.sealed.open(counsel.answers)
        return counsel.judges

    from auditor.forensics.engine import evidence_gathering

    try:
        carried = carry_out(order, step, consult)
    except UserError as error:
        return _undone(Outcome.ERROR, str(error))
    except Moved as moved:
        return _undone(Outcome.SUPERSEDED, f"The head of the pull request is {moved.head} by now.")
    except NotStarted as failure:
        return _undone(Outcome.BUG, str(failure))
    except Exception as error:  # noqa: BLE001 - whoever waits for the answer tells it, and the traceback is at hand
        if debugging:
            traceback.print_exc()
        return _undone(Outcome.BUG, f"{type(error).__name__}: {str(error)[:200]!r}")
    return {
        "kind": "carried",
        "report": to_json(carried.report),
        "notices": carried.notices,
        "inconclusive": carried.inconclusive.value,
        "answers": carried.answers,
        "questions": dict(evidence_gathering.questions()),
    }


def _undone(outcome: Outcome, sentence: str) -> dict[str, Any]:
    return {"kind": "undone", "outcome": outcome.value, "sentence": sentence[:_SENTENCE]}
