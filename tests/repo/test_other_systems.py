"""What macOS and odd locales do to git, played here: broken developer tools, names in another spelling, no home."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.domain import UserError
from auditor.repo.git_hardening import git_environment
from auditor.repo.repository_opening import open_repository
from tests.repos import Drawing

ROOT = Path(__file__).parents[2]
NO_TOOLS = "xcrun: error: invalid active developer path (/Library/Developer/CommandLineTools), missing xcrun at: /Library/Developer/CommandLineTools/usr/bin/xcrun"
NO_LICENSE = "You have not agreed to the Xcode license agreements, please run 'sudo xcodebuild -license' from within a Terminal window to review and agree to the Xcode license agreements."


def command(*arguments: str, prelude: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, after some Python that shapes its surroundings."""
    script = f"{prelude}\nimport sys\nfrom auditor.cli import run\nsys.exit(run(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={
            **{name: os.environ[name] for name in ("PATH", "KF_RULE_CACHE_DIR")},
            "PYTHONPATH": str(ROOT),
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def program(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(("said", "code"), [(NO_TOOLS, 1), (NO_LICENSE, 69)])
def test_a_git_that_xcode_keeps_from_running_is_one_sentence_with_its_last_line(
    drawing: Drawing, tmp_path: Path, said: str, code: int
) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    fakes = program(tmp_path / "bin", "git", f"printf 'noise\\n%s\\n' \"{said}\" >&2\nexit {code}")
    done = command("audit", str(drawing.path), PATH=f"{fakes}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert done.stderr == (
        f"auditor: git cannot be run (`git version` ended with {code}: {said}): "
        "repair or reinstall it; on macOS run `xcode-select --install` and accept the Xcode license.\n"
    )


def test_what_a_broken_git_says_is_cut_and_harmless(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    fakes = program(
        tmp_path / "bin", "git", "printf '\\033[31m' >&2; head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1"
    )
    done = command("audit", str(drawing.path), PATH=f"{fakes}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert len(done.stderr) < 600
    assert "\033" not in done.stderr


def test_git_is_that_of_the_developer_tools_that_the_user_has_chosen(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `/usr/bin/git` of macOS does, the program on PATH only runs where DEVELOPER_DIR leads it to the tools."""
    drawing.commit({"a.py": "x = 1\n"})
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    fakes = program(tmp_path / "bin", "git", f'[ "$DEVELOPER_DIR" = /tools ] || exit 1\nexec {real} "$@"')
    monkeypatch.setenv("PATH", f"{fakes}:{os.environ['PATH']}")
    with pytest.raises(UserError, match="git cannot be run"), open_repository(drawing.path):
        pass
    monkeypatch.setenv("DEVELOPER_DIR", "/tools")
    with open_repository(drawing.path) as repo:
        assert repo.head == drawing.head


def test_a_branch_is_found_by_the_name_in_head_though_no_listing_shows_it(drawing: Drawing) -> None:
    """A link to a folder plays the disk that ignores case: a file opens by a name that is not listed."""
    drawing.commit({"a.py": "x = 1\n"})
    drawing.git("checkout", "--quiet", "-b", "team/feature")
    sha = drawing.commit({"a.py": "x = 2\n"})
    heads = drawing.path / ".git/refs/heads"
    if not (heads / "Team").exists():  # it does where the disk really ignores case
        (heads / "Team").symlink_to("team")
    (drawing.path / ".git/HEAD").write_text("ref: refs/heads/Team/feature\n")
    with open_repository(drawing.path, base="main") as repo:
        assert repo.head == sha


@pytest.mark.parametrize("name", ["refs/heads/../../../id", "/id", "refs/heads/x.lock", "refs/heads/to-a-link"])
def test_a_head_cannot_lead_out_of_the_refs(drawing: Drawing, tmp_path: Path, name: str) -> None:
    sha = drawing.commit({"a.py": "x = 1\n"})
    drawing.git("checkout", "--quiet", "-b", "other")
    for file in (tmp_path / "id", drawing.path / "id", drawing.path / ".git/refs/heads/x.lock"):
        file.write_text(sha)
    (drawing.path / ".git/refs/heads/to-a-link").symlink_to(tmp_path / "id")
    (drawing.path / ".git/HEAD").write_text(f"ref: {name}\n")
    with pytest.raises(UserError, match="HEAD has no commit yet"), open_repository(drawing.path):
        pass


def test_a_packed_branch_in_another_case_is_named(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    drawing.git("checkout", "--quiet", "-b", "feature")
    drawing.git("pack-refs", "--all")
    (drawing.path / ".git/HEAD").write_text("ref: refs/heads/Feature\n")
    with pytest.raises(UserError, match="run `git switch feature`"), open_repository(drawing.path):
        pass
    with (
        pytest.raises(UserError, match="did you mean 'main'"),
        open_repository(drawing.path, head="feature", base="MAIN"),
    ):
        pass


COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize("base", [None, "main"])
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("SRC/API", "'SRC/API' is not part of the audited commit: did you mean 'src/api'?"),
        ("src/Api", "'src/Api' is not part of the audited commit: did you mean 'src/api'?"),
        (
            DECOMPOSED,
            f"'{DECOMPOSED}' is not part of the audited commit: did you mean '{COMPOSED}', 'caf\\xe9' in ASCII?",
        ),
        ("later", "'later' is not part of the audited commit: commit it first, or give another folder."),
        ("src/later", "'src/later' is not part of the audited commit: commit it first, or give another folder."),
        ("old", "'old' is not part of the audited commit: commit it first, or give another folder."),
    ],
)
def test_a_folder_that_is_not_committed_by_that_name_is_refused(
    drawing: Drawing, asked: str, said: str, base: str | None
) -> None:
    """On a disk that ignores case or Unicode form, all of these lead to the folder that is there."""
    drawing.commit({"src/api/a.py": "x = 1\n", f"{COMPOSED}/a.py": "x = 1\n", "old": "a file\n"})
    drawing.branch("work")
    drawing.commit({"src/api/a.py": "x = 2\n", "old": None})
    (drawing.path / asked).mkdir(parents=True, exist_ok=True)
    with pytest.raises(UserError) as error, open_repository(drawing.path / asked, base=base):
        pass
    assert str(error.value) == said


def test_a_folder_that_only_one_side_of_a_change_has_is_audited(drawing: Drawing) -> None:
    drawing.commit({"old/a.py": "x = 1\n", "b.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit({"old/a.py": None, "new/a.py": "x = 1\n"})
    (drawing.path / "old").mkdir(exist_ok=True)
    for folder in ("old", "new"):
        with open_repository(drawing.path / folder, base="main") as repo:
            assert [each.path for each in repo.changes()] == [f"{folder}/a.py"]
            assert not repo.unchanged
    with (
        pytest.raises(UserError, match="'old' is not part of the audited commit"),
        open_repository(drawing.path / "old"),
    ):
        pass


def test_a_folder_whose_name_holds_a_line_break_or_a_wildcard_is_no_other(drawing: Drawing) -> None:
    drawing.commit({"a\nb/a.py": "x = 1\n", "star/a.py": "x = 1\n"})
    (drawing.path / "s*").mkdir()
    with open_repository(drawing.path / "a\nb") as repo:
        assert [each.path for each in repo.files().entries] == ["a\nb/a.py"]
    with (
        pytest.raises(UserError, match="is not part of the audited commit: commit it first"),
        open_repository(drawing.path / "s*"),
    ):
        pass


def test_a_folder_in_another_spelling_is_looked_for_in_bounds(drawing: Drawing) -> None:
    """A folder with very many folders, and a path that is very deep: refused all the same, and soon."""
    blob = drawing.store("blob", b"")
    leaf = drawing.store("tree", b"100644 a\0" + bytes.fromhex(blob))
    wide = drawing.store("tree", b"".join(b"40000 %08d\0" % number + bytes.fromhex(leaf) for number in range(600_000)))
    commit = drawing.git("commit-tree", "-m", "Wide", wide)
    drawing.git("update-ref", "refs/heads/main", commit)
    deep = "/".join(["D"] * 100)
    for asked in ("00000001x", deep):
        (drawing.path / asked).mkdir(parents=True)
        with pytest.raises(UserError, match="commit it first"), open_repository(drawing.path / asked, base="main"):
            pass


@pytest.mark.parametrize("packed", [False, True])
def test_a_branch_with_an_umlaut_is_audited_where_the_locale_knows_none(
    drawing: Drawing, tmp_path: Path, packed: bool
) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    drawing.git("branch", "größer")
    drawing.git("checkout", "--quiet", "-b", "grün")
    drawing.commit({"a.py": "x = 2\n"})
    if packed:
        drawing.git("pack-refs", "--all")
    done = command(
        "audit", str(drawing.path), "--base", "größer", "--no-cache", "--out", str(tmp_path / "out"), "--fail-under", "1",
        LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/report.json").is_file()


def test_a_user_without_a_home_can_audit(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    nobody = "import pwd\ndef unknown(number): raise KeyError(number)\npwd.getpwuid = unknown"
    done = command("audit", str(drawing.path), "--out", str(tmp_path / "out"), "--fail-under", "1", prelude=nobody)
    assert done.returncode == 0, done.stderr


def test_ssh_gets_the_known_hosts_of_a_home_with_blanks_as_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/Users/Ada O'Neil 100%")
    seen = tmp_path / "seen"
    fakes = program(tmp_path / "bin", "ssh", f'printf "%s\\n" "$@" > {seen}')
    calls = git_environment(tmp_path, protocols="ssh")["GIT_SSH_COMMAND"]
    subprocess.run(
        ["sh", "-c", f'{calls} "$@"', "git", "host"], env={"PATH": f"{fakes}:{os.environ['PATH']}"}, check=True
    )
    assert seen.read_text().splitlines()[-2:] == [
        """-oUserKnownHostsFile="/Users/Ada O'Neil 100%%/.ssh/known_hosts\"""",
        "host",
    ]
    if shutil.which("ssh") is None:
        return
    told = subprocess.run(["sh", "-c", f"{calls} -G host"], capture_output=True, text=True, check=True).stdout
    assert "userknownhostsfile /Users/Ada O'Neil 100%/.ssh/known_hosts\n" in told
