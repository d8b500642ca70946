"""What is measured: a real repository, its Python files on disk, and stretches of its history of a given size."""

from __future__ import annotations

import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ground:
    """A repository and the folder into which its Python files were written out for tools that need files."""

    repository: Path
    folder: Path
    python_files: int
    python_lines: int
    python_bytes: int

    def git(self, *arguments: str) -> str:
        """Ask git about the repository."""
        return git(self.repository, *arguments)

    def base_of(self, files: int) -> tuple[str, int]:
        """The nearest first-parent ancestor from which at least `files` files differ, and how many really do."""
        ancestors = self.git("rev-list", "--first-parent", "--max-count=3000", "HEAD").split()
        low, high = 1, len(ancestors) - 1
        while low < high:
            middle = (low + high) // 2
            if self._changed(ancestors[middle]) >= files:
                high = middle
            else:
                low = middle + 1
        return ancestors[low], self._changed(ancestors[low])

    def _changed(self, base: str) -> int:
        return self.git("diff-tree", "-r", "-z", "--name-only", base, "HEAD").count("\0")


def git(repository: Path, *arguments: str) -> str:
    """Run git on a repository and give what it prints. Raises CalledProcessError when it fails."""
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", str(repository), *arguments], capture_output=True, check=True
    )
    return done.stdout.decode(errors="surrogateescape").strip("\n")


def prepare(repository: Path, scratch: Path) -> Ground:
    """Write the head's Python files out below `scratch`."""
    folder = scratch / "tree"
    folder.mkdir()
    archive = scratch / "tree.tar"
    git(repository, "archive", "--format=tar", f"--output={archive}", "HEAD")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data", members=[m for m in tar if m.isfile() and m.name.endswith(".py")])
    archive.unlink()
    sources = [path.read_bytes() for path in folder.rglob("*.py")]
    return Ground(
        repository=repository,
        folder=folder,
        python_files=len(sources),
        python_lines=sum(source.count(b"\n") for source in sources),
        python_bytes=sum(map(len, sources)),
    )
