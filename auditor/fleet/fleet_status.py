"""What a store holds: counted from its small files, and each record held against its digest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from auditor import __version__
from auditor.fleet.store import FailureFile, LastRun, Store


@dataclass
class RepositoryStatus:
    """The audits of one repository."""

    repository: str
    conclusions: Counter[str] = field(default_factory=Counter)
    failed: int = 0


@dataclass(frozen=True)
class FleetStatus:
    """A store, counted."""

    done: int
    repositories: tuple[RepositoryStatus, ...]
    failures: tuple[FailureFile, ...]
    edited: tuple[str, ...]
    """Keys of records that do not have the bytes that an audit wrote, or lack their description."""
    other_versions: int
    """Records that another version of the tool made: this one audits their units again."""
    last_run: LastRun | None


def read_status(store: Store) -> FleetStatus:
    """Count a store. One record at a time is read, and only for its digest."""
    repositories: dict[str, RepositoryStatus] = {}

    def of(name: str) -> RepositoryStatus:
        return repositories.setdefault(name, RepositoryStatus(name))

    done = other_versions = 0
    edited: list[str] = []
    for record in store.records():
        if record.about is None or record.about.key != record.key or not record.is_unchanged:
            edited.append(record.key)
            continue
        done += 1
        other_versions += record.about.unit.version != __version__
        of(record.about.unit.repository).conclusions[record.about.conclusion] += 1
    records = store.keys()
    failures = tuple(each for each in store.failures() if each.key not in records)
    for each in failures:
        of(each.unit.repository).failed += 1
    named = tuple(repositories[name] for name in sorted(repositories))
    return FleetStatus(done, named, failures, tuple(edited), other_versions, store.last_run())
