"""Draw real git repositories in a temporary directory, byte for byte as a test wants them.

Thousands are drawn: what a few small files say as well as a process of git's, they are made to say by hand.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests import drawn_commits

_CONFIGURATION = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"
_UNTENDED = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false"}
"""Nothing is packed or swept after a commit: looking whether it should be is a process each time."""
_IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}
_DATES = {"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"}
Content = str | bytes | None
"""What a file should hold; None takes it away."""


@dataclass
class Drawing:
    """A repository with a work tree, made commit by commit with fixed names and dates."""

    path: Path
    clock: int = 1_700_000_000
    environment: dict[str, str] = field(default_factory=dict)
    _index: bytes = b""
    """The index as it was written with the last commit that git had no part in."""

    def __post_init__(self) -> None:
        if self._own.exists():
            return
        for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info", "hooks"):
            (self._own / folder).mkdir(parents=True)
        (self._own / "config").write_text(_CONFIGURATION)
        self._stand_on("main")

    @property
    def _own(self) -> Path:
        return self.path / ".git"

    def _stand_on(self, branch: str) -> None:
        (self._own / "HEAD").write_text(f"ref: refs/heads/{branch}\n")

    @property
    def head(self) -> str:
        """The commit that is checked out."""
        return self._tip() or self.git("rev-parse", "HEAD")

    def _tip(self) -> str | None:
        """The commit that is checked out, if there is one and its ref is a file of its own."""
        place = self._tip_file
        return place.read_text().strip() if place.is_file() else None

    @property
    def _tip_file(self) -> Path:
        """The file that names the commit that is checked out: that of a branch, or HEAD itself."""
        said = (self._own / "HEAD").read_text().strip()
        return self._own / (said.removeprefix("ref: ") if said.startswith("ref: ") else "HEAD")

    def git(self, *arguments: str, stdin: bytes | None = None, **environment: str) -> str:
        """Run git here, cut off from the configuration of whoever runs the tests."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            input=stdin,
            capture_output=True,
            check=False,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.path),
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_CONFIG_GLOBAL": os.devnull,
                **_UNTENDED,
                **_IDENTITY,
                **self.environment,
                **environment,
            },
        )
        if done.returncode:
            raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode(errors="surrogateescape").strip()

    def write(self, files: Mapping[str, Content]) -> None:
        """Put files into the work tree; None removes one."""
        for name, content in files.items():
            target = self.path / name
            if content is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(
        self,
        files: Mapping[str, Content] | None = None,
        message: str = "Change something",
        *,
        authored: int | None = None,
        committed: int | None = None,
        **environment: str,
    ) -> str:
        """Write the files, commit everything and give the SHA. Times are seconds since 1970; an hour passes each time."""
        self.write(files or {})
        self.clock += 3600
        said = {
            "GIT_AUTHOR_DATE": f"@{self.clock if authored is None else authored} +0000",
            "GIT_COMMITTER_DATE": f"@{self.clock if committed is None else committed} +0000",
            **environment,
        }
        return self._commit_by_hand(message, said) or self._commit_by_git(message, said)

    def _commit_by_hand(self, message: str, said: Mapping[str, str]) -> str | None:
        """The commit, or None where git has to make it: because of what is in it, or of what git has staged."""
        index = self._own / "index"
        known = {**_IDENTITY, **self.environment, **said}
        if known.keys() != _IDENTITY.keys() | _DATES or (self._own / "config").read_text() != _CONFIGURATION:
            return None
        if any((self._own / each).exists() for each in ("MERGE_HEAD", "packed-refs")):
            return None
        if index.exists() and index.read_bytes() != self._index:
            return None
        try:
            made = drawn_commits.commit(self._own, self._tip(), message, known)
        except drawn_commits.LeftToGit:
            return None
        self._index = index.read_bytes()
        place = self._tip_file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{made}\n")
        return made

    def _commit_by_git(self, message: str, said: Mapping[str, str]) -> str:
        self.git("add", "--all", "--force")
        self.git(
            "commit",
            "--quiet",
            "--allow-empty",
            "--no-verify",
            "--file=-",
            "--cleanup=verbatim",
            "--allow-empty-message",
            stdin=message.encode(),
            **said,
        )
        self._index = (self._own / "index").read_bytes()
        return self.head

    def store(self, kind: str, content: bytes) -> str:
        """Put an object into the repository as it is, and give its id: for trees of which git would make thousands by as many processes."""
        return drawn_commits.store(self._own, kind, content)

    def branch(self, name: str) -> None:
        """Start a branch here and switch to it."""
        ref = self._own / "refs" / "heads" / name
        assert not ref.exists(), f"there is a branch {name} already"
        head = self.head
        ref.parent.mkdir(parents=True, exist_ok=True)
        ref.write_text(f"{head}\n")
        self._stand_on(name)

    def switch(self, name: str) -> None:
        """Switch to a branch."""
        self.git("switch", "--quiet", name)
