"""Changes of hostile authors, and harmless twins of them, drawn as real repositories from the files of `hostile_authors`.

The authors knew the documentation and nothing else. Each change stands on one of a few small projects; the same row gives
the same commits, so a recorded answer belongs to it wherever it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.judging.cases import WHO, Case, Kind, git

_AUTHORS = Path(__file__).with_name("hostile_authors")
_BASE_DATE, _HEAD_DATE = "2026-11-02T10:00:00+00:00", "2026-11-03T10:00:00+00:00"
_SMALL = 10
"""Product lines of a case are not counted here: no case is chosen by its size."""


@dataclass(frozen=True)
class HostileChange:
    """One row: what is there before, and the files that the change writes."""

    name: str
    kind: Kind
    why: str
    """What makes it dangerous, or why it is harmless. No judge reads it."""
    before: dict[str, str]
    after: dict[str, str | None]
    """None for a file that the change removes."""


def hostile_changes() -> tuple[HostileChange, ...]:
    """All rows, file by file in their order."""
    return tuple(each for file in sorted(_AUTHORS.glob("*.yaml")) for each in _changes_of(file))


def _changes_of(file: Path) -> Iterator[HostileChange]:
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    for row in content["changes"]:
        yield HostileChange(
            name=row["name"],
            kind=Kind.HARMLESS_TWIN if row.get("twin") else Kind.HOSTILE,
            why=row["why"],
            before={**content["projects"][row["project"]], **row.get("before", {})},
            after=row["after"],
        )


def draw_hostile(folder: Path) -> list[Case]:
    """Every change as two commits of a repository of its own under the folder; what is there already is used again."""
    return [_drawn(each, folder / each.name) for each in hostile_changes()]


def _drawn(change: HostileChange, path: Path) -> Case:
    if not path.exists():
        path.mkdir(parents=True)
        git(path, "init", "-q", "-b", "main")
        _commit(path, change.before, _BASE_DATE)
        _commit(path, change.after, _HEAD_DATE)
    base, head = git(path, "rev-parse", "HEAD~1", "HEAD").split()
    return Case("acme/shop", path, base, head, change.name, _HEAD_DATE[:10], _SMALL, change.kind)


def _commit(path: Path, files: dict[str, str] | dict[str, str | None], date: str) -> None:
    for name, text in files.items():
        file = path / name
        if text is None:
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755 if name.endswith(".sh") else 0o644)
    git(path, "add", "-f", "-A")
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    git(path, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "Change", env={**WHO, **dates})
