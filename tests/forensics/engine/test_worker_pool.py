"""Worker processes against sources that break parsers. Nothing else may lose a finding."""

from __future__ import annotations

import faulthandler
import os
import time
from collections.abc import Callable, Iterator

import pytest

from auditor.forensics.engine import worker_pool
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.engine.site_probe_scan import PROBE_ERRORS
from auditor.forensics.engine.worker_pool import Pool, Task
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from tests.auditing import audited, covered, found
from tests.repos import Drawing

SHELL = "import os\nos.system(command)\n"
BOMBS = {
    "minus": "-" * 100_000 + "1",
    "not": "not " * 100_000 + "x",
    "lambda": "lambda: " * 5_000 + "0",
    "plus": "+".join(["1"] * 100_000),
    "attributes": "a" + ".a" * 50_000,
    "elif": "if x: pass\n" + "elif x: pass\n" * 3_000,
    "brackets": "(" * 500_000,
    "lists": "[" * 90 + "]" * 90,
    "integers": "x = [" + "1," * 450_000 + "]",
    "names": "a\n" * 450_000,
    "calls": "f" + "()" * 20_000,
    "strings": "x = " + "'a' " * 100_000,
    "surrogate": "x = '\\ud800'",
    "deep blocks": "".join(" " * n + "if x:\n" for n in range(99)) + " " * 99 + "pass\n",
    "one line": "x = '" + "y" * 900_000 + "'",
    "f-strings": "x = " + "f'{" * 50 + "1" + "}'" * 50,
}


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_a_bomb_ends_in_time_with_a_reason_and_costs_no_other_file_its_findings(drawing: Drawing, name: str) -> None:
    drawing.commit({"bomb.py": BOMBS[name], "a.py": SHELL, "z.py": SHELL + "# z\n"})
    started = time.monotonic()
    report = audited(drawing.path)
    assert time.monotonic() - started < 20
    (site,) = found(report, "code.shell_execution")
    assert [place.path for place in site.locations] == ["a.py", "z.py"]  # type: ignore[union-attr]
    status, reason = covered(report)["bomb.py"]
    assert status == "analysed" or reason


def run(files: dict[str, str], jobs: int = 1) -> dict[str, FileRecord]:
    interest = Interest((discover_probes()["code.shell_execution"],))
    with Pool(interest, jobs) as pool:
        for name, source in files.items():
            pool.submit(Task(name, "python", source.encode()))
        return {task.key: FileRecord.unpack(packed) for task, packed in pool.results()}


def _segfault() -> None:
    """End the process as bad memory access does, without the dump that would read as a failure of the suite."""
    faulthandler.disable()
    os.kill(os.getpid(), 11)


def _fail() -> None:
    raise OSError


def _work_without_end() -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("deed", "patience", "said"),
    [
        (_segfault, 60, "SIGSEGV"),
        (lambda: os._exit(7), 60, "ended the process"),
        (_work_without_end, 60, "longer than 0.2 seconds"),
        (lambda: time.sleep(60), 1, "no answer in time"),
        (_fail, 60, "a bug in the auditor stopped reading it (OSError)"),
    ],
)
def test_a_worker_that_dies_works_on_for_ever_hangs_or_fails_loses_only_its_own_file(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    deed: Callable[[], None],
    patience: int,
    said: str,
) -> None:

    def look_or_die(content: bytes, language: str, interest: Interest) -> FileRecord:
        if b"bomb" in content:
            deed()
        return scan_file(content, language, interest)

    monkeypatch.setattr(worker_pool, "scan_file", look_or_die)
    monkeypatch.setattr(worker_pool, "FILE_SECONDS", 0.2)
    monkeypatch.setattr(worker_pool, "_EXTRA_SECONDS_PER_FILE", 0.2)
    monkeypatch.setattr(worker_pool, "WALL_TIME_FACTOR", patience)
    records = run({"1.py": SHELL, "2.py": "bomb = 1", "3.py": SHELL, "4.py": "bomb = 2", "5.py": SHELL})
    assert {name for name, record in records.items() if record.sites} == {"1.py", "3.py", "5.py"}
    for name in ("2.py", "4.py"):
        assert records[name].reading is ReadStatus.NONE
        assert said in records[name].reason
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("error", PROBE_ERRORS)
def test_a_probe_that_stumbles_is_said_and_takes_no_other_probe_with_it(error: type[Exception]) -> None:
    from dataclasses import replace

    from auditor.forensics.probe_kit.probe_decorators import SiteProbe

    good, bad = discover_probes()["code.shell_execution"], discover_probes()["code.dynamic_code"]
    assert isinstance(bad, SiteProbe)

    def stumble(_match: object) -> object:
        raise error

    record = scan_file(b"import os\nos.system(x)\neval(x)\n", "python", Interest((good, replace(bad, ask=stumble))))  # type: ignore[arg-type]
    assert set(record.sites) == {"code.shell_execution"}
    assert "failed on it" in record.failed["code.dynamic_code"]


def test_many_files_come_back_once_each() -> None:
    files = {f"{n}.py": SHELL for n in range(300)}
    assert set(run(files, jobs=2)) == set(files)


def test_a_long_line_waits_for_answers_instead_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "BATCH_BYTES", 1_000)
    monkeypatch.setattr(worker_pool, "MAX_QUEUED_BYTES", 3_000)
    files = {f"{n}.py": SHELL * 20 for n in range(100)}
    waiting: list[int] = []
    interest = Interest((discover_probes()["code.shell_execution"],))
    with Pool(interest, 2) as pool:
        for name, source in files.items():
            pool.submit(Task(name, "python", source.encode()))
            waiting.append(pool._waiting_bytes)
        answered = [task.key for task, _ in pool.results()]
    assert sorted(answered) == sorted(files)
    assert max(waiting) <= 3_000


def test_a_worker_that_dies_between_two_batches_takes_no_file_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "BATCH_FILES", 1)
    with Pool(Interest((discover_probes()["code.shell_execution"],)), 1) as pool:
        pool.submit(Task("1.py", "python", SHELL.encode()))
        first = list(pool.results())
        os.kill(pool._workers[0].child.process.pid or 0, 9)
        pool._workers[0].child.process.join()
        pool.submit(Task("2.py", "python", SHELL.encode()))
        second = list(pool.results())
    records = {task.key: FileRecord.unpack(packed) for task, packed in (*first, *second)}
    assert {name for name, record in records.items() if record.sites} == {"1.py", "2.py"}


def test_documents_and_sources_made_to_be_slow_end_in_time(drawing: Drawing) -> None:
    drawing.commit({f"d{n}/f{n}.py": "x = 1\n" for n in range(200)})
    drawing.branch("work")
    parameters = ", ".join(f"p{n}: dict = {{}}" for n in range(1500))
    drawing.commit(
        {
            "spans.md": " ".join(f"`gone/f{n}.py`" for n in range(3900)),
            "links.md": "[" * 100_000,
            "hashes.py": "#" * 50_000 + "\nx = 'TODO'\n" + "# a\n" * 10_000,
            "parameters.py": f"def f({parameters}):\n" + "    x = 1\n" * 5000,
            "slashes.js": "/" * 90_000 + "\n" + ("// " * 600 + "\n") * 50,
        }
    )
    started = time.monotonic()
    report = audited(drawing.path, "main")
    assert time.monotonic() - started < 20
    assert {status for status, _ in covered(report).values()} <= {"analysed", "partial", "text"}


def test_a_whole_tree_with_a_base_reads_documents_that_the_change_left_alone(drawing: Drawing) -> None:
    drawing.commit({"README.md": "See `src/gone.py` and [a](gone.md).\n", "a.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit({"a.py": "x = 2\n"})
    assert found(audited(drawing.path, "main", whole_tree=True), "docs.paths_exist") == []


def test_work_of_the_callers_goes_on_until_an_answer_comes_and_no_further() -> None:
    steps: list[int] = []

    def work() -> Iterator[None]:
        for number in range(1_000):
            steps.append(number)
            time.sleep(0.02)
            yield

    with Pool(Interest((discover_probes()["code.shell_execution"],)), 1) as pool:
        pool.background_work = work()
        pool.submit(Task("a.py", "python", b"x = 1\n" * 2_000))
        assert [task.key for task, _ in pool.results()] == ["a.py"]
        assert 0 < len(steps) < 500
        next(pool.background_work)
        assert steps[-1] == len(steps) - 1, "what is left of it is the caller's"
