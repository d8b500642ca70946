"""Labelled cases: reading them, and the files they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from auditor.domain import Outcome

ROOT = Path(__file__).parent
PLANTED = {
    "{{github token}}": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
    "{{begin private key}}": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "{{end private key}}": "-----END RSA " + "PRIVATE KEY-----",
}
"""What a case writes for a secret: put together here, so that no scanner takes a case for a leak."""
_CHARACTER = re.compile(r"\{\{U\+([0-9A-F]{4,6})\}\}")
"""A character that is not seen, or passes for another, as a case writes it: it would deceive who reads the case."""


SAFE_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader in C where the machine has it: it reads the same nine times as fast."""


class NoCases(ValueError):
    """What was named holds no cases that can be read; says in one sentence why."""


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Expected(_Closed):
    """What a careful reader answers."""

    outcome: Outcome
    data: dict[str, Any] = Field(default_factory=dict)
    at_most: float = 1.0
    only_of: Literal["product", "tests", ""] = ""
    """Which code the answer is about; where it is not said, product code, or tests where the question is about tests."""

    def in_tests(self, probe: str) -> bool:
        """Is the answer about tests?"""
        return self.only_of == "tests" or (not self.only_of and probe == "tests.without_assertions")


class Edit(_Closed):
    """A change of one file of a project."""

    path: str
    find: str
    replace: str


class Made(_Closed):
    """One commit of a case."""

    message: str = "Change something"
    files: dict[str, str | None] = Field(default_factory=dict)
    hours: float = 1.0


class Case(_Closed):
    """A small repository and the answers about it."""

    name: str
    project: str = Field(default="", alias="from")
    edits: tuple[Edit, ...] = ()
    files: dict[str, str | None] = Field(default_factory=dict)
    commits: tuple[Made, ...] = ()
    base: int = 0
    """Of the commits, how many stood before the change; without any, the whole repository is the subject."""
    description: str = ""
    reports: tuple[str, ...] = ()
    expect: dict[str, Expected]

    def tree(self) -> dict[str, str]:
        """The files of the case, the project's with its edits first. Raises ValueError for an edit that does not fit."""
        tree: dict[str, str] = dict(project(self.project)) if self.project else {}
        for edit in self.edits:
            if tree.get(edit.path, "").count(edit.find) != 1:
                raise ValueError(f"{self.name}: {edit.find!r} does not stand exactly once in {edit.path}")
            tree[edit.path] = tree[edit.path].replace(edit.find, edit.replace)
        for path, text in self.files.items():
            if text is None:
                tree.pop(path)
            else:
                tree[path] = text
        return tree


def _planted(text: str) -> str:
    for name, secret in PLANTED.items():
        text = text.replace(name, secret)
    return _CHARACTER.sub(lambda found: chr(int(found[1], 16)), text)


def project(name: str) -> dict[str, str]:
    """The files of a project that cases start from."""
    found: dict[str, str] = yaml.safe_load((ROOT / "projects" / f"{name}.yaml").read_text(encoding="utf-8"))
    return found


def read(file: Path) -> Iterator[Case]:
    """The cases of a file. `probe: found` is short for `probe: {outcome: found}`. Raises NoCases where it holds something else."""
    try:
        told = yaml.load(_planted(file.read_text(encoding="utf-8")), Loader=SAFE_LOADER) or []  # noqa: S506 - a safe loader
    except (OSError, UnicodeDecodeError) as error:
        raise NoCases(f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}.") from error
    except yaml.YAMLError as error:
        raise NoCases(f"{file} is not YAML: {' '.join(str(error).split())}.") from error
    if not isinstance(told, list):
        raise NoCases(f"{file} holds no list of cases.")
    for number, each in enumerate(told, start=1):
        yield _case(file, number, each)


def _case(file: Path, number: int, told: object) -> Case:
    expect = told.get("expect") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(expect, dict):
        raise NoCases(f"{file}: case {number} says not what to expect of which probe.")
    answers = {probe: {"outcome": said} if isinstance(said, str) else said for probe, said in expect.items()}
    try:
        return Case.model_validate({**told, "expect": answers})
    except ValidationError as error:
        wrong = error.errors()[0]
        place = ".".join(map(str, wrong["loc"]))
        raise NoCases(f"{file}: case {number} is not as a case is written, at {place}: {wrong['msg']}.") from error


def given(place: Path) -> list[Path]:
    """The case files that are meant by a path: itself, or those in the folder. Raises NoCases for a folder without any."""
    found = sorted(place.rglob("*.yaml")) if place.is_dir() else [place]
    if not found:
        raise NoCases(f"{place} is a folder without case files (*.yaml).")
    return found


def files(*folders: str) -> list[Path]:
    """All case files of the folders, by name."""
    return [file for folder in folders for file in sorted((ROOT / folder).glob("*.yaml"))]
