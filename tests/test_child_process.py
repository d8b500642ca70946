"""Children with limits where the system refuses some, and children that cannot start: other systems played on this one."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from auditor import child_process
from auditor.action import audit_child_process
from auditor.action.run_conclusions import Outcome as Ending
from auditor.audit_builder import AuditRequest, AuditResult, run_audit
from auditor.child_process import Child, Limits, NotStarted, limit_command, start
from auditor.cli import run
from auditor.domain import Outcome
from auditor.forensics.agent_systems.analysis_child_process import analyze_in_child_process
from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.documents import reader_child_process as documents
from auditor.forensics.documents.embedded_images import image_bytes
from auditor.forensics.engine import worker_pool
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.engine.worker_pool import Pool, Task
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from auditor.forensics.secrets import secret_detector
from auditor.forensics.secrets.secret_detector import Detector, Passage, Unscanned
from tests.auditing import audited
from tests.papers import pdf
from tests.repos import Drawing

TOKEN = "gh" + "p_" + "x7Gq92mnLp0zT4vB1kRw8sYc3dFh5jKa6eUo"
WORKFLOW = """\
name: ci
on: [push]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: echo ${{ github.event.head_commit.message }}
"""
FILES = {
    ".github/workflows/ci.yml": WORKFLOW,
    "README.md": "# A project\n\nSee `app.py`.\n",
    "app.py": "import os\n\n\ndef run(command):\n    os.system(command)\n",
    "page.js": "export const run = (text) => eval(text);\n",
}
REFUSED = "This system refuses a limit on address space"
REFUSING_SHELL = """\
#!/bin/bash
shift
script=$1
shift
exec /bin/bash -c "ulimit() { if [ \\"\\$1\\" = -v ]; then echo refused >&2; return 1; fi; builtin ulimit \\"\\$@\\"; }; $script" "$@"
"""


@pytest.fixture(autouse=True)
def _fresh_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "_refused_limits", set())


def refuse_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """As macOS does for a process that has more address space than the limit."""
    real = resource.setrlimit

    def setrlimit(which: int, limits: tuple[int, int]) -> None:
        if which == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        real(which, limits)

    monkeypatch.setattr(resource, "setrlimit", setrlimit)


def refuse_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def setrlimit(_which: int, _limits: tuple[int, int]) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(resource, "setrlimit", setrlimit)


def hide_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "_STATM", Path("/nowhere/self/statm"))


def carried(target: Path) -> AuditResult:
    return run_audit(AuditRequest(target=str(target), jobs=2), lambda *_: None)


def fixed(report: Any) -> dict[str, Any]:
    """What of a record is the same in every run."""
    data: dict[str, Any] = json.loads(report.model_dump_json())
    return {name: value for name, value in data.items() if name not in {"timings", "cost"}}


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (refuse_memory, (REFUSED,)),
        (hide_proc, ("/proc is not available",)),
        (refuse_all, (REFUSED, "This system refuses a limit on processor time", "This system refuses a limit on core")),
    ],
)
def test_a_system_that_refuses_limits_gives_the_same_record_and_one_notice_a_limit(
    drawing: Drawing,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    play: Any,
    said: tuple[str, ...],
) -> None:
    drawing.commit({**FILES, "report.pdf": pdf("A report on the system.")})
    before = carried(drawing.path)
    assert before.notices == ()
    play(monkeypatch)
    after = carried(drawing.path)
    assert fixed(after.report) == fixed(before.report)
    assert len(after.notices) == len(said)
    assert all(notice.startswith(start) for notice, start in zip(after.notices, said, strict=True))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("play", [refuse_memory, hide_proc, refuse_all])
def test_documents_pictures_and_agent_systems_are_read_where_limits_are_refused(
    monkeypatch: pytest.MonkeyPatch, play: Any
) -> None:
    play(monkeypatch)
    content = pdf("Some text on a page.", images=1)
    document = documents.read("a.pdf", content)
    assert (document.problem, [each.text for each in document.passages]) == ("", ["Some text on a page."])
    assert [each.page for each in image_bytes("a.pdf", content)] == [1]
    system = analyze_in_child_process(
        [Source("graph.py", "from langgraph.graph import StateGraph\n\ng = StateGraph(dict)\n")]
    )
    assert (system.failed, system.unread) == ("", {})


@pytest.mark.parametrize("place", ["auditor.child_process._set_limits", "os.fork"])
def test_a_child_for_one_document_or_system_that_cannot_start_blames_neither(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(place, _raise if place.endswith("_limit") else _no_fork)
    with pytest.raises(NotStarted, match=r"^A process that reads documents could not start \("):
        documents.read("a.md", b"# Text\n")
    with pytest.raises(NotStarted, match=r"^A process that reads agent systems could not start \("):
        analyze_in_child_process([Source("graph.py", "x = 1\n")])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit on address space")
def test_a_shell_that_allows_less_memory_gives_the_same_record_and_one_notice(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit(FILES)
    whole = fixed(carried(drawing.path).report)
    limited = ["sh", "-c", 'ulimit -v 1000000; exec "$@"', "-", sys.executable, "-m", "auditor"]
    command = [*limited, "audit", str(drawing.path), "--no-cache", "--jobs=1", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    record = json.loads((tmp_path / "report.json").read_text())
    assert {name: value for name, value in record.items() if name not in {"timings", "cost"}} == whole
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("This shell allows a process less memory than the audit does")


def test_zizmor_and_git_run_where_the_shell_refuses_a_limit_on_memory(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing.commit(FILES)
    before = audited(drawing.path)
    shell = tmp_path / "bin" / "sh"
    shell.parent.mkdir()
    shell.write_text(REFUSING_SHELL)
    shell.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shell.parent}{os.pathsep}{os.environ['PATH']}")
    assert subprocess.run(["sh", "-c", "ulimit -v 1000000"], capture_output=True, check=False).stderr == b"refused\n"
    after = audited(drawing.path)
    assert fixed(after) == fixed(before)
    assert any(each.probe.startswith("workflow") and each.outcome is Outcome.FOUND for each in after.evidence)


def test_a_command_of_the_shell_gets_its_limits_and_its_arguments() -> None:
    shown = ["sh", "-c", 'ulimit -v; ulimit -f; ulimit -c; echo "$@"', "-", "a b", "$0"]
    done = subprocess.run(
        limit_command(shown, memory_kb=3_000_000, blocks=7_000), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["3000000", "7000", "0", "a b $0"]
    assert done.stderr == ""


def _tell_limits(pipe: Connection) -> None:
    pipe.send([resource.getrlimit(each) for each in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE)])


def told(child: Child) -> Any:
    try:
        child.wait_ready()
        return child.pipe.recv()
    finally:
        child.end()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit on address space")
def test_a_limit_is_never_higher_than_the_hard_one(monkeypatch: pytest.MonkeyPatch) -> None:
    memory, seconds, core = told(start(_tell_limits, (), Limits(1 << 30, 20), what="A child"))
    assert memory[0] == memory[1] > 1 << 30
    assert (seconds, core) == ((20, 25), (0, 0))
    real = resource.getrlimit
    hard = {resource.RLIMIT_AS: 1 << 30, resource.RLIMIT_CPU: 7}
    monkeypatch.setattr(resource, "getrlimit", lambda which: (-1, hard[which]) if which in hard else real(which))
    child = start(lambda pipe: pipe.send(_really_limited()), (), Limits(1 << 30, 20), what="A child")
    assert told(child) == [1 << 30, 7]
    assert [each.partition(" (")[0] for each in child_process.notices()] == [
        "This shell allows a process less memory than the audit does",
        "This shell allows a process less processor time than the audit does",
    ]


def _really_limited() -> list[int]:
    """The soft limits of this process, as the system shows them."""
    lines = Path("/proc/self/limits").read_text().splitlines()
    return [int(line[26:].split()[0]) for name in ("Max address", "Max cpu") for line in lines if line.startswith(name)]


def test_the_watch_on_memory_ends_a_worker_and_costs_its_file_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_memory(monkeypatch)
    monkeypatch.setattr(worker_pool, "MEMORY_BYTES", 60_000_000)

    def look_or_grow(content: bytes, language: str, interest: Interest) -> FileRecord:
        taken = []
        while b"bomb" in content:
            taken.append(b"x" * 1_000_000)
            time.sleep(0.001)
        return scan_file(content, language, interest)

    monkeypatch.setattr(worker_pool, "scan_file", look_or_grow)
    records = read({"1.py": "eval(x)\n", "2.py": "bomb = 1\n", "3.py": "eval(x)\n"})
    assert {name for name, record in records.items() if record.sites} == {"1.py", "3.py"}
    assert (records["2.py"].reading, records["2.py"].reason) == (
        ReadStatus.NONE,
        "reading it took more memory than is allowed",
    )


def read(files: dict[str, str], jobs: int = 1) -> dict[str, FileRecord]:
    with Pool(Interest((discover_probes()["code.dynamic_code"],)), jobs) as pool:
        for name, source in files.items():
            pool.submit(Task(name, "python", source.encode()))
        return {task.key: FileRecord.unpack(packed) for task, packed in pool.results()}


def _raise(*_: object) -> None:
    raise ValueError("current limit exceeds maximum limit")


def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _no_fork() -> int:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


@pytest.mark.parametrize(
    ("place", "deed", "said"),
    [
        ("auditor.forensics.engine.worker_pool._set_up", _raise, "(ValueError: current limit exceeds maximum limit)"),
        ("auditor.forensics.engine.worker_pool._set_up", _die, "(ended by SIGKILL)"),
        ("auditor.forensics.engine.worker_pool.scan_file", _raise, "(ValueError: current limit exceeds maximum limit)"),
        ("auditor.child_process._set_limits", _raise, "(ValueError: current limit exceeds maximum limit)"),
        ("os.fork", _no_fork, "(Resource temporarily unavailable), so nothing was judged. End other processes"),
    ],
)
def test_a_worker_that_cannot_start_is_our_fault_and_costs_no_file(
    drawing: Drawing,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    place: str,
    deed: Any,
    said: str,
) -> None:
    drawing.commit({f"f{number}.py": "x = 1\n" for number in range(100)})
    monkeypatch.setattr(place, deed)
    out = tmp_path / "out"
    assert run(["audit", str(drawing.path), "--no-cache", "--out", str(out), "--jobs", "2"]) == 3
    shown = capfd.readouterr()
    assert shown.out == ""
    (sentence,) = shown.err.splitlines()
    assert sentence.startswith(f"auditor: A process that reads files could not start {said}")
    assert not (out / "report.json").exists()


def test_where_no_second_worker_can_start_the_first_reads_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    real, forks = os.fork, []

    def fork() -> int:
        forks.append(1)
        return _no_fork() if len(forks) > 1 else real()

    monkeypatch.setattr(os, "fork", fork)
    monkeypatch.setattr(worker_pool, "BATCH_FILES", 5)
    records = read({f"{number}.py": "eval(x)\n" for number in range(40)}, jobs=4)
    assert len(records) == 40
    assert all(record.sites for record in records.values())
    assert len(forks) == 2


def test_an_action_whose_child_cannot_start_says_so(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing.commit(FILES)
    monkeypatch.setattr(os, "fork", _no_fork)
    found = audit_child_process.audit(
        AuditRequest(target=str(drawing.path)),
        20,
        lambda _: audit_child_process.BenchChoice("embedded"),
        lambda _: None,
    )
    assert isinstance(found, audit_child_process.AuditFailure)
    assert found.outcome is Ending.BUG
    assert found.sentence.startswith("The process of the audit could not start (Resource temporarily unavailable)")


def test_a_child_that_never_gets_ready_is_not_waited_for_without_end() -> None:
    child = start(_tell_limits, what="A child", setup=lambda: time.sleep(60))
    with pytest.raises(NotStarted, match="no answer in time"):
        child.wait_ready(0.1)
    child.end()


def test_the_detector_finds_the_same_in_a_process_that_is_spawned(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing.commit({"app.py": f"token = '{TOKEN}'\n", "b.py": "x = 1\n"})
    before = audited(drawing.path)
    monkeypatch.setattr(secret_detector, "START_METHOD", "spawn")
    after = audited(drawing.path)
    assert fixed(after) == fixed(before)
    assert [each.outcome for each in after.evidence if each.probe == "secrets.committed"] == [Outcome.FOUND]


def test_a_spawned_detector_is_started_again_and_keeps_no_open_file_of_ours(tmp_path: Path) -> None:
    with (tmp_path / "held").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        probe = Detector("spawn")
        try:
            [(_, first)] = probe.scan([Passage(f"x = '{TOKEN}'".encode(), "a")])
            assert probe._child is not None
            number = probe._child.process.pid
            if Path("/proc/self/fd").exists():
                opened = [os.readlink(each) for each in Path(f"/proc/{number}/fd").iterdir()]
                assert str(tmp_path / "held") not in opened
            os.kill(number or 0, signal.SIGKILL)
            probe._child.process.join()
            [(_, second)] = probe.scan([Passage(f"y = '{TOKEN}'".encode(), "b")])
        finally:
            probe.end()
    assert not isinstance(first, Unscanned)
    assert not isinstance(second, Unscanned)
    assert [hit.kind for hit in (*first, *second)] == ["github-pat", "github-pat"]


def test_only_macos_spawns_the_detector() -> None:
    assert secret_detector._START_METHODS == {"darwin": "spawn"}
    assert ("spawn" if sys.platform == "darwin" else "fork") == secret_detector.START_METHOD
