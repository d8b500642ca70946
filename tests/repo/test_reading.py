"""Files, changes and history of real repositories, with names and dates that an enemy would choose."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from unidiff import PatchSet  # type: ignore[attr-defined]

from auditor.domain import EntryKind, Hunk, Side, Status
from auditor.repo.git_objects import SkippedBlob
from auditor.repo.repository_opening import open_repository
from tests.repos import Drawing

HOSTILE_NAMES = [
    "plain.py",
    "new\nline.py",
    "tab\there.py",
    'quote".py',
    "back\\slash.py",
    "\x1b[31mred.py",
    "a => b.py",
    "{x => y}.py",
    " leading blank.py",
    "-dash.py",
    "ünïcode.py",
    ":colon:.py",
    "a\u202eb.py",
]


def test_files_are_listed_by_kind_and_read_by_id(drawing: Drawing) -> None:
    drawing.write({"a.py": "x = 1\n", "sub/b.md": "text"})
    (drawing.path / "link").symlink_to("/etc/passwd")
    drawing.commit()
    with open_repository(drawing.path) as repo:
        kinds = {entry.path: entry.kind for entry in repo.files().entries}
        assert kinds == {"a.py": EntryKind.FILE, "sub/b.md": EntryKind.FILE, "link": EntryKind.SYMLINK}
        assert repo.read("a.py") == b"x = 1\n"
        assert repo.read("link") is None


def test_hostile_names_survive_in_files_changes_and_history(drawing: Drawing) -> None:
    drawing.commit({"base": "x"})
    drawing.branch("work")
    drawing.commit({name: f"{number}\n" for number, name in enumerate(HOSTILE_NAMES)})
    with open_repository(drawing.path, base="main") as repo:
        assert {change.path for change in repo.changes()} == set(HOSTILE_NAMES)
        assert all(change.added == 1 for change in repo.changes())
        assert {file.path for file in repo.log().commits[0].files} == set(HOSTILE_NAMES)
        assert set(HOSTILE_NAMES) < {entry.path for entry in repo.files().entries}


def test_a_name_that_is_not_utf8_hides_no_other_change(drawing: Drawing) -> None:
    drawing.commit({"base": "x"})
    drawing.branch("work")
    with open(os.fsencode(drawing.path) + b"/\xff\xfe.py", "wb") as file:
        file.write(b"x = 1\n")
    drawing.commit({"other.py": "y = 1\n"})
    with open_repository(drawing.path, base="main") as repo:
        assert {change.path for change in repo.changes()} == {"\\xff\\xfe.py", "other.py"}


def test_changed_files_whose_names_read_the_same_are_two(drawing: Drawing) -> None:
    drawing.commit({"base": "x"})
    drawing.branch("work")
    with open(os.fsencode(drawing.path) + b"/\xff.py", "wb") as file:
        file.write(b"x = 1\n")
    drawing.commit({"\\xff.py": "y = 1\n"})
    with open_repository(drawing.path, base="main") as repo:
        changed = {change.path for change in repo.changes()}
        assert len(changed) == 2
        assert changed < {entry.path for entry in repo.files().entries}


def test_a_change_has_exact_hunks(drawing: Drawing) -> None:
    drawing.commit({"a.py": "1\n2\n3\n4\n5\n"})
    drawing.branch("work")
    drawing.commit({"a.py": "1\ntwo\n3\n5\n6\n7\n"})
    with open_repository(drawing.path, base="main") as repo:
        (change,) = repo.changes()
    assert change.hunks == (Hunk(2, 1, 2, 1), Hunk(4, 1, 3, 0), Hunk(5, 0, 5, 2))
    assert change.added_lines == {2, 5, 6}
    assert change.deleted_lines == {2, 4}


def test_hunks_agree_with_another_parser(drawing: Drawing) -> None:
    before = {f"f{n}.py": "".join(f"line {k}\n" for k in range(50)) for n in range(20)}
    drawing.commit(before)
    drawing.branch("work")
    drawing.commit(
        {f"f{n}.py": "".join(f"line {k}{'!' * (k % (n + 2) == 0)}\n" for k in range(50) if k % 17) for n in range(20)}
    )
    patch = PatchSet(drawing.git("diff", "-U0", "main", "work") + "\n")
    expected = {f.path: [(h.source_start, h.source_length, h.target_start, h.target_length) for h in f] for f in patch}
    with open_repository(drawing.path, base="main") as repo:
        ours = {
            c.path: [(h.base_start, h.base_count, h.head_start, h.head_count) for h in c.hunks] for c in repo.changes()
        }
    assert ours == expected


def test_content_that_looks_like_a_patch_cannot_pose_as_one(drawing: Drawing) -> None:
    drawing.commit({"a.txt": "-- a/x\ndiff --git a/y b/y\n@@ -1 +1 @@\n", "z.txt": "1\n"})
    drawing.branch("work")
    drawing.commit({"a.txt": "++ b/x\n@@ -9,9 +9,9 @@\ndiff --git a/q b/q\n", "z.txt": "2\n"})
    with open_repository(drawing.path, base="main") as repo:
        assert {change.path: (change.added, change.deleted) for change in repo.changes()} == {
            "a.txt": (3, 3),
            "z.txt": (1, 1),
        }


def test_renames_type_changes_deletions_and_binaries_keep_their_places(drawing: Drawing) -> None:
    drawing.commit(
        {"old.py": "x = 1\n" * 20, "kind.txt": "text\n", "gone.py": "y\n", "bin": b"\0\1\2", "last.py": "1\n"}
    )
    drawing.branch("work")
    drawing.git("mv", "old.py", "new.py")
    (drawing.path / "kind.txt").unlink()
    (drawing.path / "kind.txt").symlink_to("elsewhere")
    drawing.commit({"gone.py": None, "bin": b"\0\3\4", "last.py": "2\n"})
    with open_repository(drawing.path, base="main") as repo:
        found = {change.path: change for change in repo.changes()}
    assert found["new.py"].status is Status.RENAMED
    assert found["new.py"].base is not None
    assert found["new.py"].base.path == "old.py"
    assert found["gone.py"].status is Status.DELETED
    assert found["kind.txt"].head is not None
    assert found["kind.txt"].head.kind is EntryKind.SYMLINK
    assert found["bin"].binary
    assert found["last.py"].hunks == (Hunk(1, 1, 1, 1),)


def test_attributes_of_the_head_do_not_blank_the_diff(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit(
        {"a.py": "x = 2\n", ".gitattributes": "*.py -diff binary linguist-generated export-ignore filter=evil\n"}
    )
    with open_repository(drawing.path, base="main") as repo:
        assert {change.path: change.added for change in repo.changes()} == {"a.py": 1, ".gitattributes": 1}


def test_history_keeps_any_message_and_absurd_dates(drawing: Drawing) -> None:
    message = "subject\n\n\x01body\x1e :100644 100644 M\tfake\n"
    drawing.commit({"a": "1"}, message)
    tree = drawing.git("write-tree")
    raw = f"tree {tree}\nauthor A <a@example.org> 99999999999999999999 +0000\ncommitter A <a@example.org> 5 +9999\n\nodd\n"
    odd = drawing.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw.encode())
    with open_repository(drawing.path) as repo:
        (commit,) = repo.log().commits
        assert commit.message.startswith("subject\n\n\x01body")
        assert [file.path for file in commit.files] == ["a"]
    with open_repository(drawing.path, head=odd) as repo:
        assert repo.log().commits[0].author.time is None


def test_the_base_side_is_the_merge_base_and_configuration_comes_from_the_tip(drawing: Drawing) -> None:
    drawing.commit({"config": "old", "a.py": "1\n"})
    drawing.branch("work")
    drawing.commit({"a.py": "2\n"})
    drawing.switch("main")
    drawing.commit({"config": "new"})
    drawing.switch("work")
    with open_repository(drawing.path, base="main") as repo:
        assert repo.merge_base != repo.base
        assert repo.read("config", Side.BASE) == b"old"
        assert repo.read_commit(str(repo.base), "config") == b"new"
        assert [change.path for change in repo.changes()] == ["a.py"]


def test_blobs_over_the_limit_and_missing_ones_are_refused_with_a_reason(drawing: Drawing) -> None:
    drawing.commit({"small": "x", "large": "y" * 1000})
    with open_repository(drawing.path) as repo, repo.blobs() as reader:
        ids = {entry.path: entry.blob for entry in repo.files().entries}
        answers = dict(reader.read([ids["large"], "0" * 40, ids["small"]], limit=100))
    assert answers[ids["small"]] == b"x"
    assert isinstance(answers[ids["large"]], SkippedBlob)
    assert "larger than 100 bytes" in answers[ids["large"]].reason  # type: ignore[union-attr]
    assert isinstance(answers["0" * 40], SkippedBlob)


@pytest.mark.parametrize("place", ["sub", "sub/deep"])
def test_a_folder_of_a_repository_limits_what_is_read(drawing: Drawing, place: str) -> None:
    drawing.commit({"top.py": "1", "sub/a.py": "1", "sub/deep/b.py": "1", "subway/c.py": "1"})
    with open_repository(drawing.path / place) as repo:
        assert repo.folder == place
        assert all(entry.path.startswith(f"{place}/") for entry in repo.files().entries)


def test_bare_repositories_and_linked_worktrees_can_be_read(drawing: Drawing, tmp_path: Path) -> None:
    sha = drawing.commit({"a.py": "1"})
    bare = tmp_path / "bare.git"
    drawing.git("clone", "--quiet", "--bare", str(drawing.path), str(bare))
    drawing.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "side")
    for target in (bare, tmp_path / "linked"):
        with open_repository(target) as repo:
            assert repo.head == sha
            assert repo.read("a.py") == b"1"


def test_a_sha256_repository_can_be_read(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "drawn")
    drawing.git("init", "--quiet", "--object-format=sha256", str(tmp_path / "long"))
    long = Drawing.__new__(Drawing)
    long.path, long.clock, long.environment = tmp_path / "long", 1_700_000_000, {}
    sha = long.commit({"a.py": "1"})
    with open_repository(long.path) as repo:
        assert repo.head == sha
        assert repo.read("a.py") == b"1"


@pytest.mark.parametrize("said", ["86400", "", "-1", "soon", "9" * 30, "\u0663"])
def test_the_audit_has_the_time_that_reproducible_builds_set_or_that_of_the_clock(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    monkeypatch.setenv("SOURCE_DATE_EPOCH", said)
    with open_repository(drawing.path) as repo:
        read_at = repo.log().read_at
    assert read_at == 86_400 if said == "86400" else (read_at or 0) > 1_700_000_000


def test_sizes_that_come_with_the_listing_of_a_whole_tree_are_those_of_the_contents(drawing: Drawing) -> None:
    texts = {"a.py": "x = 1\n", "empty.txt": "", "b/large.txt": "y" * 70_000, "b/same.py": "x = 1\n"}
    drawing.commit(texts)
    with open_repository(drawing.path) as repo:
        listed = repo.files()
        with repo.blobs() as reader:
            asked = reader.sizes(entry.blob for entry in listed.entries)
    assert {entry.path: asked[entry.blob] for entry in listed.entries} == {path: len(texts[path]) for path in texts}
    assert listed.sizes == asked


def test_a_history_knows_the_commit_that_the_change_starts_from_and_a_whole_one_starts_from_none(
    drawing: Drawing,
) -> None:
    drawing.commit({"a.py": "1"}, "First")
    start = drawing.commit({"a.py": "2"}, "Second\n\nat length")
    drawing.branch("work")
    drawing.commit({"a.py": "3"}, "Third")
    with open_repository(drawing.path, base="main") as repo:
        change = repo.log()
    assert change.start is not None
    assert (change.start.sha, change.start.committer.time, change.start.files) == (start, drawing.clock - 3_600, ())
    assert [each.subject for each in change.commits] == ["Third"]
    with open_repository(drawing.path) as repo:
        assert repo.log().start is None


def test_a_listing_that_was_begun_beforehand_is_the_one_that_is_read(drawing: Drawing) -> None:
    drawing.commit({"a.py": "1", "b/c.py": "2"})
    with open_repository(drawing.path) as repo:
        before = repo.git_processes
        repo.begin_files()
        assert [entry.path for entry in repo.files().entries] == ["a.py", "b/c.py"]
        assert repo.git_processes == before + 1


def test_a_listing_that_was_begun_and_is_never_read_is_ended_with_the_repository(drawing: Drawing) -> None:
    drawing.commit({f"{n}.txt": "" for n in range(2_000)})  # more than a pipe holds
    with open_repository(drawing.path) as repo:
        others = set(repo._git._under_way)
        repo.begin_files()
        (listing,) = repo._git._under_way - others
    assert listing.wait(timeout=5) == -signal.SIGKILL
