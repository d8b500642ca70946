"""Draw real git repositories in a temporary directory, byte for byte as a test wants them.

Thousands are drawn: what a few small files say as well as a process of git's, they are made to say by hand.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_CONFIGURATION = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"
_UNTENDED = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false"}
"""Nothing is packed or swept after a commit: looking whether it should be is a process each time."""
Content = str | bytes | None
"""What a file should hold; None takes it away."""


@dataclass
class Drawing:
    """A repository with a work tree, made commit by commit with fixed names and dates."""

    path: Path
    clock: int = 1_700_000_000
    environment: dict[str, str] = field(default_factory=dict)

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
        said = (self._own / "HEAD").read_text().strip()
        ref = self._own / said.removeprefix("ref: ")
        return ref.read_text().strip() if ref.is_file() else self.git("rev-parse", "HEAD")

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
                "GIT_AUTHOR_NAME": "Ada",
                "GIT_AUTHOR_EMAIL": "ada@example.org",
                "GIT_COMMITTER_NAME": "Ada",
                "GIT_COMMITTER_EMAIL": "ada@example.org",
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
            GIT_AUTHOR_DATE=f"@{self.clock if authored is None else authored} +0000",
            GIT_COMMITTER_DATE=f"@{self.clock if committed is None else committed} +0000",
            **environment,
        )
        return self.head

    def store(self, kind: str, content: bytes) -> str:
        """Put an object into the repository as it is, and give its id: for trees of which git would make thousands by as many processes."""
        whole = f"{kind} {len(content)}\0".encode() + content
        name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        place = self._own / "objects" / name[:2] / name[2:]
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(zlib.compress(whole, 1))
        return name

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
