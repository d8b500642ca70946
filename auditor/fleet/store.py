"""The store of a fleet: one folder of records, and nothing beside them that could disagree with them.

    DIR/store.json                format of the store, and the tool that made it
    DIR/records/<aa>/<key>.json   a record (`report.json`), whole; its presence says that the unit is done
    DIR/units/<aa>/<key>.json     what the record is of, how it ended, and the SHA-256 of the record's bytes
    DIR/failures/<aa>/<key>.json  a unit that failed by its own exit, with the reason
    DIR/last-run.json             what the last run did, for `auditor fleet status`
    DIR/lock                      who holds the store
    DIR/mirrors/                  one bare partial mirror per repository
    DIR/tmp/                      work under way; swept when a run begins

`<key>` is the key of the unit, `<aa>` its first two digits. A file is written under a temporary name in `DIR/tmp` and
renamed, so it is whole or not there. Runs on several machines may fill stores of their own that are then copied together.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from auditor import __version__
from auditor.domain import Frozen, UserError
from auditor.fleet.unit import KEY_LENGTH, Unit

FORMAT = 1
_MAX_SMALL_BYTES = 1_000_000
_TOOL = "automaton-auditor"
_HEX = frozenset("0123456789abcdef")
Small = TypeVar("Small", bound=Frozen)


class StoreInfo(Frozen):
    """`store.json`."""

    format: int
    tool: str = _TOOL
    version: str = Field(default=__version__, description="Version of the tool that made the store.")


class UnitFile(Frozen):
    """`units/<aa>/<key>.json`: what a record is of, and how the audit ended."""

    key: str
    unit: Unit
    pull_request: int | None = None
    record_sha256: str = Field(description="Of the bytes of the record.")
    conclusion: str
    overall: float | None = None
    usd: float | None = None
    seconds: float = Field(description="Wall seconds of the audit.")
    finished_at: str = Field(description="ISO 8601, UTC.")


class FailureFile(Frozen):
    """`failures/<aa>/<key>.json`: a unit that ended without a record, by its own fault."""

    key: str
    unit: Unit
    pull_request: int | None = None
    reason: str
    attempts: int
    failed_at: str = Field(description="ISO 8601, UTC.")


class TargetProblem(Frozen):
    """A target of which units could not be listed, or not be prepared."""

    repository: str
    sentence: str
    passing: bool = Field(default=False, description="May another run succeed without a change of the targets?")


class LastRun(Frozen):
    """`last-run.json`."""

    started_at: str
    ended_at: str = ""
    units: int = 0
    already_there: int = 0
    done: int = 0
    failed: int = 0
    left: int = Field(default=0, description="Units without a record that another run takes up.")
    usd: float = 0.0
    stopped: str = Field(default="", description="Why the run ended before its end; empty when it did not.")
    problems: tuple[TargetProblem, ...] = Field(default=(), description="The first of them.")
    problem_count: int = 0


@dataclass(frozen=True)
class StoredRecord:
    """Where a record is, and what is known of it without reading it."""

    key: str
    path: Path
    about: UnitFile | None
    """None where `units/` has no file for it, or none that can be read."""

    @property
    def is_unchanged(self) -> bool:
        """Does the record have the bytes that the audit wrote?"""
        if self.about is None:
            return False
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == self.about.record_sha256


@dataclass(frozen=True)
class Store:
    """An open store. Reads need no lock; only the run that holds `store_lock.hold`, or one of its workers, may write records."""

    path: Path

    @classmethod
    def open(cls, path: Path, *, create: bool = False) -> Store:
        """Open the store in a folder, or make one of an empty or missing folder. Raises UserError."""
        file = path / "store.json"
        try:
            if create and not file.exists():
                _require_empty(path)
                path.mkdir(parents=True, exist_ok=True)
                store = cls(path)
                store.write("store.json", StoreInfo(format=FORMAT))
                return store
            _require_format(file)
        except FileNotFoundError as error:
            raise UserError(f"{path} holds no store: run `auditor fleet run TARGETS --store {path}` first.") from error
        except OSError as error:
            raise UserError(f"the store {path} cannot be opened ({error.strerror}): give another --store.") from error
        return cls(path)

    def record_path(self, key: str) -> Path:
        """Where the record of a unit is, once it is there."""
        return self._place("records", key)

    def unit_path(self, key: str) -> Path:
        """Where the description of a record is."""
        return self._place("units", key)

    def failure_path(self, key: str) -> Path:
        """Where the reason of a failure is."""
        return self._place("failures", key)

    @property
    def mirrors(self) -> Path:
        """The folder of mirrors."""
        return self.path / "mirrors"

    @property
    def work(self) -> Path:
        """The folder of work under way."""
        return self.path / "tmp"

    def keys(self, kind: str = "records") -> frozenset[str]:
        """The keys of all `records`, `units` or `failures`, without opening one."""
        return frozenset(key for key, _ in self._files(kind))

    def records(self) -> Iterator[StoredRecord]:
        """Every record in the order of its key; none is in memory."""
        yield from map(self.record, sorted(self.keys()))

    def record(self, key: str) -> StoredRecord:
        """The record of a key that is there."""
        return StoredRecord(key, self.record_path(key), _read(UnitFile, self.unit_path(key)))

    def failures(self) -> Iterator[FailureFile]:
        """Every failure in the order of its key."""
        for _, path in sorted(self._files("failures")):
            found = _read(FailureFile, path)
            if found is not None:
                yield found

    def last_run(self) -> LastRun | None:
        """What the last run did; None before the first."""
        return _read(LastRun, self.path / "last-run.json")

    def put_record(self, about: UnitFile, content: bytes) -> None:
        """Write the description of a record, then the record: a unit whose record exists is done."""
        self.write(str(self.unit_path(about.key).relative_to(self.path)), about)
        self._write_bytes(self.record_path(about.key), content)
        self.failure_path(about.key).unlink(missing_ok=True)

    def put_failure(self, failure: FailureFile) -> None:
        """Write why a unit failed."""
        self.write(str(self.failure_path(failure.key).relative_to(self.path)), failure)

    def write(self, name: str, value: Frozen) -> None:
        """Write a small JSON file of the store, whole or not at all."""
        text = json.dumps(value.model_dump(mode="json"), ensure_ascii=True, indent=2) + "\n"
        self._write_bytes(self.path / name, text.encode())

    def sweep(self) -> None:
        """Remove what runs that were killed left behind. Only for who holds the lock."""
        if self.work.is_dir():
            for each in self.work.iterdir():
                if each.is_dir():
                    shutil.rmtree(each, ignore_errors=True)
                else:
                    each.unlink(missing_ok=True)

    def _place(self, kind: str, key: str) -> Path:
        return self.path / kind / key[:2] / f"{key}.json"

    def _files(self, kind: str) -> Iterator[tuple[str, Path]]:
        """Key and path of every file with the name that its place wants; other files count for nothing."""
        try:
            folders = sorted(each.name for each in os.scandir(self.path / kind) if each.is_dir(follow_symlinks=False))
        except FileNotFoundError:
            return
        for folder in folders:
            for each in os.scandir(self.path / kind / folder):
                key = each.name.removesuffix(".json")
                if len(key) == KEY_LENGTH and _HEX.issuperset(key) and key[:2] == folder and key != each.name:
                    yield key, Path(each.path)

    def _write_bytes(self, place: Path, content: bytes) -> None:
        self.work.mkdir(exist_ok=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = self.work / f"{place.stem[:80]}.{os.getpid()}.{secrets.token_hex(4)}"
        try:
            with beside.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(place)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)


def _read(kind: type[Small], path: Path) -> Small | None:
    """A small file of the store as a value; None for one that is missing or that was changed by hand to something else."""
    try:
        if path.stat().st_size > _MAX_SMALL_BYTES:
            return None
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _require_empty(path: Path) -> None:
    if path.is_dir() and any(path.iterdir()):
        raise UserError(f"{path} is neither empty nor a store: give a new folder with --store.")
    if path.exists() and not path.is_dir():
        raise UserError(f"{path} is a file: give a folder with --store.")


def _require_format(file: Path) -> None:
    try:
        info = json.loads(file.read_bytes()[:_MAX_SMALL_BYTES])
        known = info["format"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UserError(f"{file} is damaged: restore it, or give a new folder with --store.") from error
    if known != FORMAT:
        made = str(info.get("version", "unknown"))[:20]
        raise UserError(
            f"{file.parent} is a store of format {str(known)[:20]}, made by version {made}; this version reads format {FORMAT}: "
            "use that version, or give a new folder with --store."
        )
