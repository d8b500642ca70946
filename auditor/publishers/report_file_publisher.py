"""Reports as files in a known folder, whatever the audited repository has put in the way."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CREATE_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write(root: Path, folder: str, contents: Mapping[str, str]) -> tuple[Path, ...]:
    """Write files into a folder below `root`, and give their paths. Raises OSError and ValueError.

    The workspace may hold what a pull request's author checked in. So no link below `root` is followed, and each
    file is written beside its place and moved there: whole, or what stood there before, and never through a link.
    """
    parts = PurePosixPath(folder).parts
    if not parts or ".." in parts or PurePosixPath(folder).is_absolute():
        raise ValueError("the folder of the reports lies below the workspace")
    if any("/" in name or name in ("", ".", "..") for name in contents):
        raise ValueError("a report is a plain file name")
    with _open_folder(root, parts) as directory:
        for name, text in contents.items():
            _write_atomically(directory, name, text.encode("utf-8", errors="backslashreplace"))
    return tuple(root.joinpath(*parts, name) for name in contents)


@contextmanager
def _open_folder(root: Path, parts: tuple[str, ...]) -> Iterator[int]:
    """The folder, made where it is missing, reached without following a link."""
    held = os.open(root, _DIRECTORY & ~os.O_NOFOLLOW)
    try:
        for part in parts:
            made = _make_folder(part, held)
            below = os.open(part, _DIRECTORY, dir_fd=held)
            if made:
                os.fchmod(below, 0o755)  # later steps run as another user than a container does
            os.close(held)
            held = below
        yield held
    finally:
        os.close(held)


def _make_folder(name: str, above: int) -> bool:
    """Make a folder; False when something of that name is there."""
    try:
        os.mkdir(name, dir_fd=above)
    except FileExistsError:
        return False
    return True


def _write_atomically(directory: int, name: str, content: bytes) -> None:
    beside = f".{name}.{secrets.token_hex(8)}"
    with open(beside, "wb", opener=lambda path, _flags: os.open(path, _CREATE_NEW, 0o644, dir_fd=directory)) as stream:
        try:
            stream.write(content)
            stream.flush()
            os.fchmod(stream.fileno(), 0o644)
            os.replace(beside, name, src_dir_fd=directory, dst_dir_fd=directory)
        except BaseException:
            os.unlink(beside, dir_fd=directory)
            raise
