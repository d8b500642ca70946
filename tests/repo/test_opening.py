"""Opening repositories: what the user gets wrong, what an enemy prepares, and what is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from auditor.domain import UserError
from auditor.repo import uncommitted_notice
from auditor.repo.repository_opening import open_repository
from tests.repos import Drawing


@pytest.fixture
def empty_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of our own, to see what stays in it."""
    place = tmp_path / "temp"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def message(*arguments: object, **options: object) -> str:
    with pytest.raises(UserError) as error, open_repository(*arguments, **options):  # type: ignore[arg-type]
        pass
    return str(error.value)


def test_mistakes_of_the_user_are_one_sentence_with_the_fix(drawing: Drawing, tmp_path: Path) -> None:
    assert "does not exist: give a path" in message(tmp_path / "nowhere")
    assert "did you mean https://example.org/own/shop?" in message(Path("example.org/own/shop"))
    assert "does not exist: give a path" in message(Path("own/shop"))
    (tmp_path / "plain").mkdir()
    assert "not in a git repository" in message(tmp_path / "plain")
    assert "no commit yet" in message(drawing.path)
    drawing.commit({"a": "1"})
    assert "no commit 'gone'" in message(drawing.path, base="gone")
    assert "no commit 'gone'" in message(drawing.path, head="gone")
    assert "'--output=x' is not a commit: give a branch" in message(drawing.path, base="--output=x")
    drawing.git("switch", "--quiet", "--orphan", "island")
    drawing.commit({"b": "1"})
    assert "have no common commit" in message(drawing.path, base="main")


def test_an_unborn_branch_is_no_hindrance_when_the_head_is_named(drawing: Drawing) -> None:
    sha = drawing.commit({"a": "1"})
    drawing.git("switch", "--quiet", "--orphan", "island")
    assert "no commit yet" in message(drawing.path)
    with open_repository(drawing.path, head="main") as repo:
        assert repo.head == sha


def test_a_file_or_a_folder_that_is_not_committed_is_no_target(drawing: Drawing) -> None:
    drawing.commit({"a": "1"})
    (drawing.path / "later").mkdir()
    assert "is a file" in message(drawing.path / "a")
    assert "not part of the audited commit" in message(drawing.path / "later")


def test_a_clone_without_its_blobs_says_how_to_get_them(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a": "1"})
    drawing.branch("work")
    drawing.commit({"a": "2"})
    drawing.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial.git"
    drawing.git("clone", "--quiet", "--bare", "--filter=blob:none", f"file://{drawing.path}", str(partial))
    with open_repository(partial, base="main") as repo:
        assert len(repo.files().entries) == 1
        assert repo.read("a") is None
        with pytest.raises(UserError, match=r"objects are missing.*git fetch --refetch --no-filter"):
            repo.changes()
    drawing.git("-C", str(partial), "fetch", "--quiet", "--refetch", "--no-filter", "origin", "work", "main")
    with open_repository(partial, base="main") as repo:
        assert [each.path for each in repo.changes()] == ["a"]


def test_a_ref_whose_name_holds_a_line_break_cannot_pose_as_another(drawing: Drawing) -> None:
    drawing.commit({"a": "1"})
    first = drawing.git("rev-parse", "HEAD")
    second = drawing.commit({"a": "2"})
    (drawing.path / ".git" / "refs" / "heads" / f"x\n{second} refs").mkdir(parents=True)
    (drawing.path / ".git" / "refs" / "heads" / f"x\n{second} refs" / "main").write_text(second)
    drawing.git("update-ref", "refs/heads/main", first)
    with open_repository(drawing.path, head="main") as repo:
        assert repo.head == first


def test_a_machine_without_git_or_with_an_old_one_is_told(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing.commit({"a": "1"})
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho git version 2.20.1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{old.parent}:{os.environ['PATH']}")
    assert "too old" in message(drawing.path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git was not found" in message(drawing.path)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("ssh://user:secret@example.org/x.git", "credentials"),
        ("ext::sh -c 'touch canary'", "not allowed"),
        ("ftp://example.org/x.git", "not supported"),
        ("https://user:secret@example.org/x.git", "credentials"),
    ],
)
def test_transports_that_could_run_things_or_leak_are_refused(target: str, said: str) -> None:
    text = message(target)
    assert said in text
    assert "secret" not in text


def test_a_host_that_cannot_be_reached_is_one_sentence() -> None:
    assert "cannot be reached" in message("https://127.0.0.1:9/x.git", timeout=20)


def test_a_base_known_only_at_the_remote_is_used_and_said(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a": "1"})
    drawing.git("clone", "--quiet", str(drawing.path), str(tmp_path / "clone"))
    clone = Drawing(tmp_path / "clone")
    clone.branch("work")
    clone.git("branch", "-D", "main")
    clone.commit({"a": "2"})
    with open_repository(clone.path, base="main") as repo:
        assert any("origin/main" in notice for notice in repo.notices)
        assert len(repo.changes()) == 1


def test_uncommitted_work_is_told_however_long_the_audit_takes(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uncommitted_notice, "_TIMEOUT_SECONDS", 1.0)
    drawing.commit({"a": "1"})
    drawing.write({f"{number:04}-{'long' * 50}": "x" for number in range(1_000)})  # more than a pipe holds
    with open_repository(drawing.path) as repo:
        time.sleep(1.5)
        assert repo.notices == ("1000 files have uncommitted changes; they are not part of this audit.",)


def test_uncommitted_work_is_told_in_one_line_and_reports_of_ours_are_not_counted(drawing: Drawing) -> None:
    drawing.commit({"a.py": "1", ".gitignore": "ignored\n"})
    with open_repository(drawing.path) as repo:
        assert repo.notices == ()
    drawing.write({"a.py": "2", "new.py": "1", "ignored": "1", "auditor-report/report.md": "1"})
    with open_repository(drawing.path) as repo:
        assert repo.notices == ("2 files have uncommitted changes; they are not part of this audit.",)


@pytest.mark.parametrize("depth", [3, 4])
def test_a_change_whose_commits_are_all_in_a_shallow_clone_has_its_whole_history(
    drawing: Drawing, tmp_path: Path, depth: int
) -> None:
    for number in range(5):
        drawing.commit({"a.py": f"x = {number}\n"})
    base = drawing.git("rev-parse", "HEAD~2").strip()
    drawing.git("clone", "--quiet", f"--depth={depth}", f"file://{drawing.path}", str(tmp_path / "shallow"))
    with open_repository(tmp_path / "shallow", base=base) as repo:
        history = repo.log()
    assert len(history.commits) == 2
    assert history.complete


def test_a_change_that_merges_what_a_shallow_clone_cuts_off_lacks_commits(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": "x = 0\n"})
    drawing.branch("side")
    for number in range(4):
        drawing.commit({f"b{number}.py": "x = 1\n"})
    drawing.git("checkout", "--quiet", "main")
    base = drawing.commit({"c.py": "x = 1\n"})
    drawing.git("merge", "--quiet", "--no-ff", "-m", "Take the side in", "side")
    drawing.git("clone", "--quiet", "--depth=3", f"file://{drawing.path}", str(tmp_path / "shallow"))
    with open_repository(tmp_path / "shallow", base=base) as repo:
        assert not repo.log().complete


@pytest.mark.parametrize(
    ("base", "said"),
    [
        ("HEAD~3", "is shallow"),
        ("0123abcd", "is shallow"),
        ("nowhere", "fetch it first"),
        ("mian", "did you mean 'main'?"),
    ],
)
def test_a_base_that_a_shallow_clone_may_only_lack_is_told_from_one_that_is_misspelt(
    drawing: Drawing, tmp_path: Path, base: str, said: str
) -> None:
    for number in range(5):
        drawing.commit({"a.txt": str(number)})
    drawing.git("clone", "--quiet", "--depth=2", f"file://{drawing.path}", str(tmp_path / "shallow"))
    assert said in message(tmp_path / "shallow", base=base)


def test_a_base_by_distance_that_a_whole_clone_lacks_is_no_matter_of_depth(drawing: Drawing) -> None:
    drawing.commit({"a.txt": "1"})
    assert "check --base" in message(drawing.path, base="HEAD~3")


def test_a_shallow_clone_says_that_its_history_is_cut(drawing: Drawing, tmp_path: Path) -> None:
    for number in range(5):
        drawing.commit({"a": str(number)})
    drawing.git("clone", "--quiet", "--depth=2", f"file://{drawing.path}", str(tmp_path / "shallow"))
    with open_repository(tmp_path / "shallow") as repo:
        history = repo.log()
    assert len(history.commits) == 2
    assert not history.complete


EVIL = """
[core]
    fsmonitor = touch {canary}
    hooksPath = {hooks}
    sshCommand = touch {canary}
    pager = touch {canary}
    editor = touch {canary}
    attributesFile = {attributes}
[filter "evil"]
    clean = touch {canary}
    smudge = touch {canary}
    process = touch {canary}
[diff]
    external = touch {canary}
[diff "evil"]
    textconv = touch {canary}
    command = touch {canary}
[alias]
    status = !touch {canary}
    log = !touch {canary}
[include]
    path = {included}
[uploadpack]
    packObjectsHook = touch {canary}
[gpg]
    program = touch {canary}
[log]
    showSignature = true
"""


def test_nothing_that_a_hostile_repository_configures_is_run(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": "x = 1\n", ".gitattributes": "* filter=evil diff=evil\n"})
    drawing.branch("work")
    drawing.commit({"a.py": "x = 2\n"})
    canary, hooks = tmp_path / "canary", tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {canary}\n")
        (hooks / name).chmod(0o755)
    (tmp_path / "attributes").write_text("* filter=evil diff=evil\n")
    (tmp_path / "included").write_text(f"[core]\n\tfsmonitor = touch {canary}\n")
    config = drawing.path / ".git" / "config"
    config.write_text(
        config.read_text()
        + EVIL.format(canary=canary, hooks=hooks, attributes=tmp_path / "attributes", included=tmp_path / "included")
    )
    drawing.write({"a.py": "x = 3\n"})
    with open_repository(drawing.path, base="main") as repo:
        assert len(repo.changes()) == 1
        assert repo.log().commits
        assert repo.files().entries
        assert repo.read("a.py") == b"x = 2\n"
        assert repo.notices
    assert not canary.exists()


def test_the_environment_of_git_children_holds_nothing_of_ours(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drawing.commit({"a.py": "1"})
    seen = tmp_path / "seen"
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    real = subprocess.run(["/usr/bin/env", "which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    wrapper.write_text(f'#!/bin/sh\nenv >> {seen}\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("A_SECRET_TOKEN", "canary-value")
    with open_repository(drawing.path) as repo:
        repo.log()
        repo.read("a.py")
    assert "GIT_CONFIG_NOSYSTEM=1" in seen.read_text()
    assert "canary-value" not in seen.read_text()


def test_nothing_is_left_behind_after_success_or_error(drawing: Drawing, empty_temp: Path) -> None:
    drawing.commit({"a.py": "1"})
    with open_repository(drawing.path):
        assert list(empty_temp.iterdir())
    assert not list(empty_temp.iterdir())
    with pytest.raises(RuntimeError), open_repository(drawing.path):
        raise RuntimeError
    message(drawing.path, base="gone")
    assert not list(empty_temp.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_behind_after_a_signal(drawing: Drawing, tmp_path: Path, number: signal.Signals) -> None:
    drawing.commit({"a.py": "1"})
    place = tmp_path / "temp"
    place.mkdir()
    script = (
        "import sys, time\nfrom auditor.repo.repository_opening import open_repository\n"
        # Short sleeps: a signal in the moment before a system call is only looked at after it.
        f"with open_repository({str(drawing.path)!r}):\n    print('open', flush=True)\n    while True:\n        time.sleep(0.05)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(place), "PYTHONPATH": os.getcwd()},
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"open\n"
        assert list(place.iterdir())
        child.send_signal(number)
        child.wait(timeout=20)
    assert child.returncode != 0
    assert not list(place.iterdir())


def test_a_git_that_hangs_is_ended_with_a_sentence(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing.commit({"a.py": "1"})
    real = subprocess.run(["/usr/bin/env", "which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\ncase "$*" in *ls-tree*) sleep 60;; esac\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    started = time.monotonic()
    with pytest.raises(UserError, match="longer than 1 seconds"), open_repository(drawing.path, timeout=1) as repo:
        repo.files()
    assert time.monotonic() - started < 15
