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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from auditor import child_process
from auditor.action.run_conclusions import Outcome
from auditor.audit_builder import AuditRequest, AuditResult, HeadMoved, run_audit
from auditor.child_process import Child, NotStarted
from auditor.domain import UserError
from auditor.report.report_json import from_json, to_json
from auditor.report.rule_page_text import RuleText
from auditor.settings import Inconclusive, Settings

GRACE_SECONDS = 3.0
"""Seconds the child gets to take its temporary directory away."""
_MAX_SENTENCE = 600
_POLL_SECONDS = 0.25
"""Seconds between two looks at whether the child is still there."""


@dataclass(frozen=True)
class ResolvedRequest:
    """What the child is asked to do, before anything is paid for."""

    rubric: str
    inconclusive: Inconclusive


@dataclass(frozen=True)
class AuditFailure:
    """Why there is no record. `sentence` has one line for each mistake."""

    outcome: Outcome
    sentence: str


@dataclass(frozen=True)
class BenchChoice:
    """Who judges, and the sealed answers of earlier audits: untrusted until their seal is verified."""

    judges: str
    answers: str = ""


BenchChooser = Callable[[ResolvedRequest], BenchChoice]
"""Given the resolved request, returns who judges."""


def audit(
    order: AuditRequest, seconds: float, choose_bench: BenchChooser, say: Callable[[str], None]
) -> AuditResult | AuditFailure:
    """Carry out an order within so many seconds. `say` gets our own words on what is being done.

    All that the child and what it starts put on disk lies in one folder, which goes even where the child is killed.
    """
    try:
        folder = tempfile.mkdtemp(prefix="auditor-")
    except OSError as error:
        return AuditFailure(
            Outcome.ERROR, f"No temporary directory can be made ({error.strerror}): set TMPDIR to one with space."
        )
    try:
        return _run_in_child(order, folder, seconds, choose_bench, say)
    finally:
        _kill_processes_in(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _run_in_child(
    order: AuditRequest, folder: str, seconds: float, choose_bench: BenchChooser, say: Callable[[str], None]
) -> AuditResult | AuditFailure:
    until = time.monotonic() + seconds
    try:
        child = child_process.start(_child_main, (order, folder), what="The process of the audit", daemon=False)
    except NotStarted as failure:
        return AuditFailure(Outcome.BUG, str(failure))
    try:
        child.wait_ready()
        return _receive_messages(child, until, seconds, choose_bench, say)
    except NotStarted as failure:
        return AuditFailure(Outcome.BUG, str(failure))
    finally:
        _end_child(child)


def _receive_messages(
    child: Child,
    deadline: float,
    seconds: float,
    choose_bench: BenchChooser,
    say: Callable[[str], None],
) -> AuditResult | AuditFailure:
    while True:
        if not _wait_for_message(child, deadline):
            if not child.process.is_alive():
                return AuditFailure(Outcome.ERROR, _exit_message(child))
            return AuditFailure(
                Outcome.TIMED_OUT,
                f"The audit took longer than {seconds:.0f} seconds: raise the input timeout, or exclude files in .github/auditor.yml.",
            )
        try:
            message: dict[str, Any] = json.loads(child.pipe.recv_bytes())
        except (EOFError, OSError):
            return AuditFailure(Outcome.ERROR, _exit_message(child))
        kind = message["kind"]
        if kind == "step":
            say(message["what"])
        elif kind == "settled":
            counsel = choose_bench(ResolvedRequest(message["rubric"], Inconclusive(message["inconclusive"])))
            child.pipe.send_bytes(json.dumps([counsel.judges, counsel.answers]).encode())
        elif kind == "carried":
            report = from_json(message["report"])
            inconclusive = Inconclusive(message["inconclusive"])
            return AuditResult(
                report, tuple(message["notices"]), inconclusive, message["answers"], _rule_texts(message["rules"])
            )
        else:
            return AuditFailure(Outcome(message["outcome"]), message["sentence"])


def _wait_for_message(child: Child, deadline: float) -> bool:
    """Wait for a message until then, or until the child has ended without one.

    Its own workers hold the pipe too, so that its end alone is no end of the pipe.
    """
    while not child.pipe.poll(min(_POLL_SECONDS, max(0.0, deadline - time.monotonic()))):
        if time.monotonic() >= deadline or not child.process.is_alive():
            return child.pipe.poll(0)
    return True


def _exit_message(child: Child) -> str:
    child.process.join(GRACE_SECONDS)
    code = child.process.exitcode
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        cause = " (there may be too little memory)" if name == "SIGKILL" else ""
        return f"The audit was ended by {name}{cause}: use a larger runner, or exclude files in .github/auditor.yml."
    return f"The audit ended with {code} and no word."


def _end_child(child: Child) -> None:
    """See the child and all it started ended."""
    process = child.process
    if process.is_alive():
        process.terminate()
        process.join(GRACE_SECONDS)
    if process.pid is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # what is left of its group
    process.join(GRACE_SECONDS)
    child.pipe.close()


def _kill_processes_in(folder: str) -> None:
    """End what still works in the folder: git leads groups of its own, and a child that was killed could not end it.

    Where the system does not show who works where, git ends by itself as soon as it reads or writes.
    """
    place = Path(folder).resolve()  # as the system shows it, whatever links lead there
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is another user's
            if (process / "cwd").readlink().is_relative_to(place):
                os.kill(int(process.name), signal.SIGKILL)


def _child_main(pipe: Connection, order: AuditRequest, folder: str) -> None:
    """The child's whole life. It prints nothing: what it read is foreign, and a runner obeys lines that look like commands."""
    with suppress(OSError):
        os.setpgid(0, 0)
    tempfile.tempdir = folder
    debugging = bool(os.environ.get("AUDITOR_DEBUG"))
    with _silence_output(keep_errors=debugging):
        answer = _child_answer(order, pipe, debugging=debugging)
        with suppress(BrokenPipeError):
            pipe.send_bytes(json.dumps(answer).encode())
            pipe.close()


@contextmanager
def _silence_output(*, keep_errors: bool) -> Iterator[None]:
    sys.stdout.flush()
    sys.stderr.flush()
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    if not keep_errors:
        os.dup2(nothing, 2)
    os.close(nothing)
    yield


def _child_answer(order: AuditRequest, pipe: Connection, *, debugging: bool) -> dict[str, Any]:
    said: set[str] = set()

    def step(what: str, _done: int, _total: int) -> None:
        if what not in said:
            said.add(what)
            pipe.send_bytes(json.dumps({"kind": "step", "what": what}).encode())

    def consult(settled: Settings) -> str:
        told = {
            "kind": "settled",
            "rubric": settled.applied_rubric.rubric.id,
            "inconclusive": settled.inconclusive.value,
        }
        pipe.send_bytes(json.dumps(told).encode())
        counsel = BenchChoice(*json.loads(pipe.recv_bytes()))
        if order.bench_settings.sealed is not None:
            order.bench_settings.sealed.open(counsel.answers)
        return counsel.judges

    from auditor.forensics.engine.rule_texts import rule_texts

    try:
        carried = run_audit(order, step, consult)
    except UserError as error:
        return _failure_message(Outcome.ERROR, str(error))
    except HeadMoved as moved:
        return _failure_message(Outcome.SUPERSEDED, f"The head of the pull request is {moved.head} by now.")
    except NotStarted as failure:
        return _failure_message(Outcome.BUG, str(failure))
    except Exception as error:  # noqa: BLE001 - whoever waits for the answer tells it, and the traceback is at hand
        if debugging:
            traceback.print_exc()
        return _failure_message(Outcome.BUG, f"{type(error).__name__}: {str(error)[:200]!r}")
    return {
        "kind": "carried",
        "report": to_json(carried.report),
        "notices": carried.notices,
        "inconclusive": carried.inconclusive.value,
        "answers": carried.answers,
        "rules": [each.model_dump() for each in rule_texts().values()],
    }


def _rule_texts(rows: Iterable[dict[str, Any]]) -> Mapping[str, RuleText]:
    return {each.id: each for each in map(RuleText.model_validate, rows)}


def _failure_message(outcome: Outcome, sentence: str) -> dict[str, Any]:
    return {"kind": "undone", "outcome": outcome.value, "sentence": sentence[:_MAX_SENTENCE]}
