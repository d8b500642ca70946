"""The audit in a process of its own, over a real git server: carried out, or a sentence."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from auditor.action import audit_child_process
from auditor.action.audit_child_process import AuditFailure, BenchChoice, ResolvedRequest
from auditor.action.run_conclusions import Outcome
from auditor.audit_builder import AuditRequest, AuditResult
from auditor.domain import Conclusion
from auditor.settings import Inconclusive, RequestedSettings, SettingsSource
from tests.action.git_server import GitServer, serve
from tests.repos import Drawing

SHELL = "import os\n\n\ndef run(command):\n    os.system(command)\n"


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary directories lie; none of them is left, however an audit ends."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[tuple[GitServer, Drawing]]:
    """A repository with one pull request, hosted as `example/project`."""
    work = Drawing(tmp_path / "work")
    work.commit({"pkg/a.py": "x = 1\n", ".github/auditor.yml": "inconclusive: failure\n"})
    work.branch("change")
    work.commit({"pkg/b.py": SHELL})
    hosted = tmp_path / "root" / "example" / "project.git"
    work.git("clone", "--quiet", "--bare", str(work.path), str(hosted))
    for name in ("allowFilter", "allowAnySHA1InWant"):
        work.git("-C", str(hosted), "config", f"uploadpack.{name}", "true")
    work.git("-C", str(hosted), "update-ref", "refs/pull/7/head", "change")
    work.git("-C", str(hosted), "update-ref", "-d", "refs/heads/change")
    with serve(tmp_path / "root") as server:
        yield server, work


def order(server: GitServer, work: Drawing, **more: object) -> AuditRequest:
    return AuditRequest(
        target=f"{server.url}/example/project.git",
        base=work.git("rev-parse", "main"),
        head="refs/pull/7/head",
        requested_settings=RequestedSettings(requested_by=SettingsSource.INPUT),
        **more,  # type: ignore[arg-type]
    )


def audited(given: AuditRequest, seconds: float = 60.0) -> tuple[AuditResult | AuditFailure, list[object]]:
    heard: list[object] = []

    def consulted(settled: ResolvedRequest) -> BenchChoice:
        heard.append(settled)
        return BenchChoice("embedded")

    return audit_child_process.audit(given, seconds, consulted, heard.append), heard


def test_a_pull_request_is_audited_through_the_base_repository_with_the_token(
    hosted: tuple[GitServer, Drawing],
) -> None:
    server, work = hosted
    server.token = "t0ken"
    found, heard = audited(order(server, work, token="t0ken", pull_request=7, repository="example/project"))
    assert isinstance(found, AuditResult)
    assert found.report.verdict.conclusion is Conclusion.FAILED
    assert found.inconclusive is Inconclusive.FAILURE
    assert (found.report.subject.repository, found.report.subject.pull_request) == ("example/project", 7)
    assert ResolvedRequest("pull-request", Inconclusive.FAILURE) in heard
    assert heard.index("Opening the repository") < heard.index(ResolvedRequest("pull-request", Inconclusive.FAILURE))


def test_a_head_that_moved_meanwhile_is_told_from_what_was_ordered(hosted: tuple[GitServer, Drawing]) -> None:
    found, heard = audited(order(*hosted, expected_head="5" * 40))
    assert isinstance(found, AuditFailure)
    assert found.outcome is Outcome.SUPERSEDED
    assert not [each for each in heard if isinstance(each, ResolvedRequest)]


@pytest.mark.parametrize("status", [403, 404, 500])
def test_a_clone_that_fails_is_one_sentence(hosted: tuple[GitServer, Drawing], status: int) -> None:
    hosted[0].status = status
    found, _ = audited(order(*hosted))
    assert isinstance(found, AuditFailure)
    assert found.outcome is Outcome.ERROR
    assert found.sentence.startswith("Nothing was fetched:")


def test_a_wrong_token_is_refused_and_never_told(hosted: tuple[GitServer, Drawing]) -> None:
    hosted[0].token = "t0ken"
    found, _ = audited(order(*hosted, token="wr0ng"))
    assert isinstance(found, AuditFailure)
    assert "login" in found.sentence
    assert "wr0ng" not in found.sentence


def test_time_that_is_up_ends_the_child_and_all_it_started(hosted: tuple[GitServer, Drawing]) -> None:
    hosted[0].delay = 30
    started = time.monotonic()
    found, _ = audited(order(*hosted), seconds=0.5)
    assert isinstance(found, AuditFailure)
    assert found.outcome is Outcome.TIMED_OUT
    assert time.monotonic() - started < 5


def test_a_folder_for_temporary_files_that_cannot_be_written_is_one_sentence(
    hosted: tuple[GitServer, Drawing], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/proc/none")
    found, heard = audited(order(*hosted))
    assert isinstance(found, AuditFailure)
    assert found.sentence.startswith("No temporary directory can be made (No such file or directory): set TMPDIR")
    assert heard == []


shows_processes = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="who runs, and where, is read from /proc, which this system lacks"
)


def running_children() -> set[int]:
    """Children of this process that have not ended; one that nobody has waited for yet is no longer running."""
    here = os.getpid()
    children = [int(each) for each in Path(f"/proc/{here}/task/{here}/children").read_text().split()]
    return {each for each in children if "\nState:\tZ" not in Path(f"/proc/{each}/status").read_text()}


@pytest.fixture
def started_before() -> set[int]:
    """Children that earlier tests of this process left for its whole life, such as the tracker of shared memory."""
    return running_children()


@shows_processes
def test_a_child_that_is_killed_is_told_as_such(hosted: tuple[GitServer, Drawing], started_before: set[int]) -> None:
    def killing(_settled: ResolvedRequest) -> BenchChoice:
        (child,) = running_children() - started_before
        os.kill(child, signal.SIGKILL)
        return BenchChoice("embedded")

    found = audit_child_process.audit(order(*hosted), 60, killing, lambda _: None)
    assert isinstance(found, AuditFailure)
    assert found.outcome is Outcome.ERROR
    assert "SIGKILL (there may be too little memory)" in found.sentence


@shows_processes
def test_a_child_that_is_killed_while_its_workers_read_is_told_at_once(
    hosted: tuple[GitServer, Drawing], started_before: set[int]
) -> None:
    def killing(what: str) -> None:
        if what == "Reading files":
            (child,) = running_children() - started_before
            os.kill(child, signal.SIGKILL)

    started = time.monotonic()
    found = audit_child_process.audit(order(*hosted), 60, lambda _: BenchChoice("embedded"), killing)
    assert isinstance(found, AuditFailure)
    assert "SIGKILL" in found.sentence
    assert time.monotonic() - started < 20


def working_in(folder: Path) -> list[str]:
    """What runs in a folder: git that was not ended, mostly."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (each / "cwd").readlink().is_relative_to(folder):
                found.append((each / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


@shows_processes
@pytest.mark.parametrize("by_link", [False, True])
def test_a_child_that_is_killed_leaves_no_git_that_waits_for_a_server(
    hosted: tuple[GitServer, Drawing],
    started_before: set[int],
    temporary: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    by_link: bool,
) -> None:
    if by_link:  # the system shows where a process works, and not by which name it went there
        (tmp_path / "link").symlink_to(temporary)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "link"))
    hosted[0].delay = 8
    met: list[str] = []

    def killing() -> None:
        while not any("remote-http" in each for each in met):
            met.extend(working_in(temporary))
            time.sleep(0.02)
        for child in running_children() - started_before:
            os.kill(child, signal.SIGKILL)

    killer = threading.Thread(target=killing)
    killer.start()
    found, _ = audited(order(*hosted))
    killer.join()
    assert isinstance(found, AuditFailure)
    assert met
    assert wholly_ended(temporary)


def wholly_ended(folder: Path) -> bool:
    until = time.monotonic() + 2
    while left := working_in(folder):
        if time.monotonic() > until:
            return not left
        time.sleep(0.02)
    return True


def test_a_bug_is_told_by_its_name(hosted: tuple[GitServer, Drawing], monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("oops\n::error::x")

    monkeypatch.setattr("auditor.pipeline.audit", stumble)
    found, _ = audited(order(*hosted))
    assert found == AuditFailure(Outcome.BUG, "ZeroDivisionError: 'oops\\n::error::x'")
