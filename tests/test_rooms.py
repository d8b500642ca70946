"""The rooms of forensics: what they may import of each other, and the map of them in CONTRIBUTING."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.imports import imports_of

ROOT = Path(__file__).parents[1]
FORENSICS = "auditor.forensics"
ROOMS = sorted(each.name for each in (ROOT / "auditor/forensics").iterdir() if (each / "__init__.py").is_file())


@cache
def imported() -> dict[str, set[str]]:
    """What each module of the auditor imports of it."""
    return imports_of(ROOT / "auditor")


def room(module: str) -> str:
    """The room that a module lies in; empty outside forensics."""
    return module.removeprefix(f"{FORENSICS}.").partition(".")[0] if module.startswith(f"{FORENSICS}.") else ""


@cache
def crossings() -> tuple[tuple[str, str], ...]:
    """Every import of a module in a room by a module outside of it."""
    return tuple((module, target) for module, targets in imported().items() for target in targets if room(target) and room(module) != room(target))  # fmt: skip


def layers() -> list[list[str]]:
    """The layers of the rooms as the import contract has them, top first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (own,) = [each for each in contracts if each.get("containers") == [FORENSICS]]
    assert own["exhaustive"] is True
    return [layer.split(" | ") for layer in own["layers"]]


def test_no_module_lies_loose() -> None:
    loose = [each for each in imported() if each.startswith(f"{FORENSICS}.") and each.count(".") == 2]
    assert sorted(map(room, loose)) == ROOMS


def test_the_import_contract_orders_every_room() -> None:
    assert sorted(name for layer in layers() for name in layer) == ROOMS


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_says_what_it_knows_and_what_it_never_does(name: str) -> None:
    said = ast.get_docstring(ast.parse((ROOT / f"auditor/forensics/{name}/__init__.py").read_text())) or ""
    assert re.search(r"\b(Never|Knows no|No |never)\b", said)
    assert 80 < len(said) < 500


@pytest.mark.parametrize("name", ROOMS)
def test_only_the_modules_that_a_room_names_are_imported_from_outside(name: str) -> None:
    source = ast.parse((ROOT / f"auditor/forensics/{name}/__init__.py").read_text())
    named = {
        each
        for node in source.body
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and "__all__" in ast.unparse(node)
        for each in ast.literal_eval(node.value)
    }
    submodules = {target.split(".")[3] for _, target in crossings() if room(target) == name and target.count(".") > 2}
    public = {each for each in named if f"{FORENSICS}.{name}.{each}" in imported()}
    assert submodules == public


def drawn() -> tuple[set[str], set[tuple[str, str]]]:
    """Rooms and arrows of the map in CONTRIBUTING."""
    text = (ROOT / ".github/CONTRIBUTING.md").read_text()
    (picture,) = re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)
    arrows = re.findall(r"^\s*(\w+) --> (\w+)", picture, re.MULTILINE)
    return {name for arrow in arrows for name in arrow}, set(arrows)


def test_the_map_shows_every_room_and_what_it_stands_on() -> None:
    """Arrows that follow from others are left out: what is drawn is the transitive reduction of the imports."""
    between = {(room(module), room(target)) for module, target in crossings() if room(module)}
    below = {name: {low for high, low in between if high == name} for name in ROOMS}

    def reached(name: str) -> set[str]:
        return {each for low in below[name] for each in (low, *reached(low))}

    direct = {(name, low) for name in ROOMS for low in below[name] if not any(low in reached(other) for other in below[name] - {low})}  # fmt: skip
    rooms, arrows = drawn()
    assert rooms == set(ROOMS)
    assert arrows == direct


def test_every_room_has_a_line_in_the_map() -> None:
    text = (ROOT / ".github/CONTRIBUTING.md").read_text()
    assert [name for name in ROOMS if f"| `{name}/` |" not in text] == []


def test_every_path_that_contributing_names_is_there() -> None:
    text = (ROOT / ".github/CONTRIBUTING.md").read_text()
    named = re.findall(r"`((?:auditor|forensics|tests|rubric|templates)/[\w./-]+)`", text)
    paths = {f"auditor/{each}" if each.startswith("forensics/") else each for each in named}
    assert len(paths) > 20
    assert [each for each in sorted(paths) if not (ROOT / each).exists()] == []
