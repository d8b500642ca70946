"""Commits that are drawn without git are the commits that git would make."""

import os
from pathlib import Path

import pytest

from tests.repos import Content, Drawing

FILES: dict[str, Content] = {
    "a.py": "import os\n",
    "a/b.py": "x = 1\n",
    "a-b/c.txt": "text",
    "a.b": b"\0\xff",
    "z/y/x/deep.md": "# deep\n",
    "ü.txt": "ü\n",
    "empty": "",
}


def _by_git(drawing: Drawing, message: str) -> str:
    drawing.clock += 3600
    date = f"@{drawing.clock} +0000"
    drawing.git("add", "--all", "--force")
    drawing.git(
        "commit",
        "-q",
        "--allow-empty",
        "--allow-empty-message",
        "--cleanup=verbatim",
        "--file=-",
        stdin=message.encode(),
        GIT_AUTHOR_DATE=date,
        GIT_COMMITTER_DATE=date,
    )
    return drawing.git("rev-parse", "HEAD")


@pytest.mark.parametrize("message", ["Add it", "Add it\n\nBecause.\n\n", "", "# not a comment\n", "ü"])
def test_a_drawn_commit_has_the_id_that_git_gives_it(tmp_path: Path, message: str) -> None:
    drawn, by_git = Drawing(tmp_path / "drawn"), Drawing(tmp_path / "git")
    for each in (drawn, by_git):
        each.write(FILES)
        (each.path / "run.sh").write_text("#!/bin/sh\n")
        (each.path / "run.sh").chmod(0o755)
        os.symlink("../a.py", each.path / "a" / "link")
    assert drawn.commit(message=message) == _by_git(by_git, message)
    for each in (drawn, by_git):
        each.write({"a.py": None, "a/b.py": "x = 2\n"})
    assert drawn.commit(message=message) == _by_git(by_git, message)
    assert drawn.git("status", "--porcelain") == ""
    drawn.git("fsck", "--strict")


def test_what_git_staged_is_committed_by_git(drawing: Drawing) -> None:
    drawing.commit({"old.py": "x = 1\n", "a.py": "y = 1\n"})
    drawing.git("mv", "old.py", "new.py")
    drawing.commit()
    drawing.git("update-index", "--chmod=+x", "a.py")
    drawing.commit({"new.py": "x = 2\n"})
    assert drawing.git("ls-tree", "--name-only", "HEAD").split() == ["a.py", "new.py"]
    assert drawing.git("status", "--porcelain") == ""
    drawing.git("fsck", "--strict")


def test_attributes_and_repositories_inside_are_left_to_git(drawing: Drawing) -> None:
    inside = Drawing(drawing.path / "sub")
    inside.commit({"a.py": ""})
    drawing.commit({".gitattributes": "*.txt text\n", "a.txt": "one\r\n"})
    assert drawing.git("cat-file", "blob", "HEAD:a.txt") == "one"
    assert drawing.git("ls-tree", "HEAD", "sub").split()[:3] == ["160000", "commit", inside.head]


def test_names_that_git_would_clean_are_left_to_it(drawing: Drawing) -> None:
    drawing.commit({"a.py": ""}, GIT_AUTHOR_NAME=" .Ada; ")
    assert drawing.git("show", "-s", "--format=%an") == "Ada"
