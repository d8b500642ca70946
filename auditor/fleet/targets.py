"""What a fleet run audits, as people write it: YAML with a closed schema, or a plain list of URLs and paths."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from auditor import strict_yaml
from auditor.domain import Frozen, UserError
from auditor.repo.remote_fetch import parse_address
from auditor.strict_yaml import KeyPath

MAX_TARGETS = 10_000
MAX_PULLS = 1_000
_MAX_LIST_BYTES = 4_000_000
_YAML_START = re.compile(r"^\s*(?:targets|rubric|gate|reports)\s*:", re.MULTILINE)


class PullState(StrEnum):
    """Which pull requests are audited."""

    MERGED = "merged"
    OPEN = "open"
    CLOSED = "closed"


class Pulls(Frozen):
    """Pull requests of a repository on GitHub."""

    state: PullState = Field(default=PullState.MERGED, description="`merged`, `open`, or `closed` (without a merge).")
    last: int = Field(ge=1, le=MAX_PULLS, description="How many, those changed last first.")


class TargetGate(Frozen):
    """The gate of a target; what is left out is as the configuration of its base or the rubric says."""

    overall: float | None = Field(default=None, ge=1, le=5, description="Lowest overall score that passes.")
    criteria: dict[str, Annotated[float, Field(ge=1, le=5)]] = Field(
        default_factory=dict, description="Lowest score by criterion."
    )


class Target(Frozen):
    """A repository, and what of it is audited. Without `changes`, `ref` and `pulls` it is the tree of its default branch."""

    repository: str = Field(min_length=1, max_length=2_000, description="URL or path. A path is relative to the file.")
    changes: tuple[str, ...] = Field(default=(), description="Changes as `BASE..HEAD`, by commit, tag or branch.")
    ref: str | None = Field(default=None, min_length=1, description="The whole tree at this branch, tag or commit.")
    pulls: Pulls | None = Field(default=None, description="Pull requests, read through the API of GitHub.")
    rubric: str | None = Field(default=None, description="Built-in rubric, or the path of a rubric file.")
    gate: TargetGate | None = Field(default=None, description="Thresholds of the gate.")
    reports: tuple[str, ...] = Field(default=(), description="Reports on the system, checked against the code.")

    @model_validator(mode="after")
    def _one_subject(self) -> Target:
        if self.ref is not None and (self.changes or self.pulls):
            raise ValueError("ref audits a whole tree: give it a target of its own, without changes and pulls")
        return self


class TargetFile(Frozen):
    """A file of targets. Its top-level keys are the defaults of every target."""

    rubric: str | None = Field(default=None, description="Rubric of targets that name none.")
    gate: TargetGate | None = Field(default=None, description="Gate of targets that have none.")
    reports: tuple[str, ...] = Field(default=(), description="Reports of targets that name none.")
    targets: tuple[Target, ...] = Field(min_length=1, max_length=MAX_TARGETS, description="What is audited.")


def parse_targets(text: str, origin: str, folder: Path) -> tuple[Target, ...]:
    """The targets that a text describes, with the defaults of its top and paths made absolute.

    Raises UserError listing every mistake as `origin:line: sentence`.
    """
    if _YAML_START.search(text):
        parsed = strict_yaml.parse(TargetFile, text, origin, _mistakes)
    else:
        parsed = _plain_list(text, origin)
    return tuple(_settle(each, parsed, folder) for each in parsed.targets)


def _settle(target: Target, file: TargetFile, folder: Path) -> Target:
    """A target with the defaults of its file, and paths relative to its folder."""
    rubric = target.rubric or file.rubric
    return target.model_copy(
        update={
            "repository": _absolute(target.repository, folder),
            "rubric": str(folder / rubric) if rubric is not None and (folder / rubric).is_file() else rubric,
            "gate": target.gate or file.gate,
            "reports": tuple(os.path.abspath(folder / each) for each in target.reports or file.reports),
        }
    )


def _absolute(repository: str, folder: Path) -> str:
    """A URL without slash and `.git` at its end, so that one repository has one name; or an absolute path."""
    address = parse_address(repository)
    if address is None:
        return os.path.abspath(folder / Path(repository).expanduser())  # a link keeps its name
    return address.url.rstrip("/").removesuffix(".git") if address.protocol in {"https", "http"} else address.url


def split_range(change: str) -> tuple[str, str] | None:
    """Base and head of `BASE..HEAD`; None for what is no such range."""
    base, separator, head = change.partition("..")
    valid = separator and base and head and not head.startswith(".") and ".." not in head
    return (base, head) if valid and is_revision(base) and is_revision(head) else None


def is_revision(name: str) -> bool:
    """Can this be the name of a commit, without being taken for an option or a second line?"""
    return (
        0 < len(name) <= 500 and name.isprintable() and not name.startswith("-") and not re.search(r"[\s:?*\\]", name)
    )


def _mistakes(data: object) -> Iterator[tuple[KeyPath, str]]:
    """What no schema says: ranges that are none, and repositories that cannot be read."""
    targets = data.get("targets") if isinstance(data, dict) else None
    for number, target in enumerate(targets if isinstance(targets, list) else ()):
        if not isinstance(target, dict):
            continue
        yield from _repository_mistakes(target.get("repository"), ("targets", number, "repository"))
        changes = target.get("changes")
        for place, change in enumerate(changes if isinstance(changes, list) else ()):
            if isinstance(change, str) and split_range(change) is None:
                yield ("targets", number, "changes", place), f"{change[:60]!r} is no change: write BASE..HEAD."
        ref = target.get("ref")
        if isinstance(ref, str) and ref and not is_revision(ref):
            yield (
                ("targets", number, "ref"),
                f"{ref[:60]!r} is no name of a commit: name a branch, a tag or a commit id.",
            )


def _repository_mistakes(repository: object, place: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if not isinstance(repository, str):
        return
    if not repository.isprintable() or not repository.strip() or repository.startswith("-"):
        yield place, f"{repository[:60]!r} is neither a URL nor a path."
        return
    try:
        parse_address(repository)
    except (UserError, ValueError) as error:
        yield place, str(error) if isinstance(error, UserError) else f"{repository[:60]!r} is not a valid URL."


def _plain_list(text: str, origin: str) -> TargetFile:
    """One URL or path a line. Empty lines and those that begin with `#` count for nothing."""
    if len(text) > _MAX_LIST_BYTES:
        raise UserError(f"{origin}: larger than {_MAX_LIST_BYTES:,} bytes: give several smaller lists.")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    named = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not named:
        raise UserError(f"{origin}: no target in it: write one URL or path a line, or YAML with `targets:`.")
    if len(named) > MAX_TARGETS:
        raise UserError(
            f"{origin}: {len(named):,} targets, at most {MAX_TARGETS:,} are read: give several smaller lists."
        )
    mistakes = [f"{origin}:{number}: {said}" for number, line in named for _, said in _repository_mistakes(line, ())]
    if mistakes:
        raise UserError("\n".join(mistakes))
    return TargetFile(targets=tuple(Target(repository=line) for _, line in named))
