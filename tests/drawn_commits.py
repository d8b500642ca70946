"""Commits written as git writes them, without a process of git's: thousands of small ones are drawn."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_FILES = 300
"""Of a work tree that is read whole for each commit; git looks only at the files that changed."""
_PLAIN_NAME = re.compile(r"[A-Za-z][\w -]*\w|[A-Za-z]", re.ASCII)
_PLAIN_EMAIL = re.compile(r"[A-Za-z][\w.+-]*@[\w.-]*\w", re.ASCII)
_ROLES = ("AUTHOR", "COMMITTER")
_WORD = 0xFFFFFFFF
_LONGEST_NAME = 0xFFF


class LeftToGit(Exception):
    """What is to be committed needs rules of git's that are not repeated here."""


@dataclass(frozen=True)
class Entry:
    """A file of the work tree as a commit holds it."""

    path: bytes
    mode: int
    name: str
    status: os.stat_result


def store(own: Path, kind: str, content: bytes) -> str:
    """Put an object into the repository whose `.git` is `own`, and give its id."""
    whole = f"{kind} {len(content)}\0".encode() + content
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    place = own / "objects" / name[:2] / name[2:]
    place.parent.mkdir(exist_ok=True)
    if not place.exists():
        place.write_bytes(zlib.compress(whole, 1))
    return name


def commit(own: Path, parent: str | None, message: str, said: Mapping[str, str]) -> str:
    """Commit the work tree, write the index that belongs to it, and give the id.

    `said` holds names, addresses and dates as git's environment does. Raises LeftToGit, with nothing changed but objects
    that nobody refers to.
    """
    people = [_person(said, role) for role in _ROLES]
    if "\0" in message:
        raise LeftToGit
    entries = _stored_files(own)
    lines = [f"tree {_stored_tree(own, [(each.path.split(b'/'), each) for each in entries])}"]
    lines += [f"parent {parent}"] if parent else []
    lines += [f"author {people[0]}", f"committer {people[1]}"]
    (own / "index").write_bytes(_index(entries))
    return store(own, "commit", "\n".join([*lines, "", message]).encode())


def _person(said: Mapping[str, str], role: str) -> str:
    """Name, address and date of one who commits; what git would clean or read in another way is left to it."""
    name, email, date = (said[f"GIT_{role}_{each}"] for each in ("NAME", "EMAIL", "DATE"))
    if not (_PLAIN_NAME.fullmatch(name) and _PLAIN_EMAIL.fullmatch(email) and re.fullmatch(r"@\d+ \+0000", date)):
        raise LeftToGit
    return f"{name} <{email}> {date[1:]}"


def _stored_files(own: Path) -> list[Entry]:
    """All files of the work tree, stored, in the order of an index. Raises LeftToGit for attributes, modules and many files."""
    found: list[Entry] = []
    folders = [(own.parent, b"")]
    while folders:
        folder, prefix = folders.pop()
        with os.scandir(folder) as listed:
            inside = list(listed)
        for each in inside:
            path = prefix + os.fsencode(each.name)
            if folder == own.parent and each.name == ".git":
                continue
            if each.name.lower() in (".git", ".gitattributes", ".gitmodules") or len(found) == MOST_FILES:
                raise LeftToGit
            if each.is_dir(follow_symlinks=False):
                folders.append((Path(each.path), path + b"/"))
            else:
                found.append(_stored_file(own, each, path))
    return sorted(found, key=lambda entry: entry.path)


def _stored_file(own: Path, file: os.DirEntry[str], path: bytes) -> Entry:
    status = file.stat(follow_symlinks=False)
    if stat.S_ISLNK(status.st_mode):
        return Entry(path, 0o120000, store(own, "blob", os.fsencode(os.readlink(file.path))), status)
    if not stat.S_ISREG(status.st_mode):
        raise LeftToGit
    mode = 0o100755 if status.st_mode & stat.S_IXUSR else 0o100644
    return Entry(path, mode, store(own, "blob", Path(file.path).read_bytes()), status)


def _stored_tree(own: Path, files: Sequence[tuple[list[bytes], Entry]]) -> str:
    """A tree and those below it. Git sorts a folder as if its name ended with a slash."""
    below: dict[bytes, list[tuple[list[bytes], Entry]]] = {}
    rows: list[tuple[bytes, bytes]] = []
    for (first, *rest), file in files:
        if rest:
            below.setdefault(first, []).append((rest, file))
        else:
            rows.append((first, b"%o %s\0" % (file.mode, first) + bytes.fromhex(file.name)))
    for name, inside in below.items():
        rows.append((name + b"/", b"40000 %s\0" % name + bytes.fromhex(_stored_tree(own, inside))))
    return store(own, "tree", b"".join(row for _, row in sorted(rows)))


def _index(entries: Sequence[Entry]) -> bytes:
    """An index of version 2, as https://git-scm.com/docs/index-format has it, so that git sees a clean work tree."""
    whole = b"DIRC" + struct.pack(">II", 2, len(entries)) + b"".join(map(_index_entry, entries))
    return whole + hashlib.sha1(whole, usedforsecurity=False).digest()


def _index_entry(entry: Entry) -> bytes:
    known = entry.status
    times = [part for time in (known.st_ctime_ns, known.st_mtime_ns) for part in divmod(time, 10**9)]
    numbers = [*times, known.st_dev, known.st_ino, entry.mode, known.st_uid, known.st_gid, known.st_size]
    head = struct.pack(">10I", *(each & _WORD for each in numbers)) + bytes.fromhex(entry.name)
    written = head + struct.pack(">H", min(len(entry.path), _LONGEST_NAME)) + entry.path
    return written + b"\0" * (8 - len(written) % 8)
