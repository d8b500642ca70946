"""No modules of the package import each other in a circle, wherever in a file the imports are."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.imports import imports_of

PACKAGE = Path(__file__).resolve().parent.parent / "auditor"


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert cycles(imports_of(PACKAGE)) == []


@pytest.mark.parametrize(
    ("upper", "lower"),
    [
        ("import package.lower\n", "import package.upper\n"),
        ("from package import lower\n", "from package import upper\n"),
        ("from package.lower import name\n", "def f():\n    from package.upper import name\n"),
        ("from package.lower import name\n", "if TYPE_CHECKING:\n    from package.upper import Name\n"),
        ("from .lower import name\n", "from . import upper\n"),
    ],
)
def test_an_import_counts_wherever_it_is_and_however_it_is_written(tmp_path: Path, upper: str, lower: str) -> None:
    imports = imports_of(_package(tmp_path, upper=upper, lower=lower))
    assert cycles(imports) == [{"package.upper", "package.lower"}]


def test_a_package_and_the_modules_below_it_are_modules_of_their_own(tmp_path: Path) -> None:
    package = _package(tmp_path, __init__="from package import lower\n", upper="from package import lower\n", lower="")
    assert imports_of(package)["package.upper"] == {"package.lower"}
    assert cycles(imports_of(package)) == []


def test_a_name_of_a_package_is_imported_from_the_package(tmp_path: Path) -> None:
    package = _package(tmp_path, __init__="from package.lower import name\n", lower="from package import name\n")
    assert cycles(imports_of(package)) == [{"package", "package.lower"}]


def test_circles_that_share_a_module_are_one_cycle() -> None:
    imports = {"a": {"b", "c"}, "b": {"a"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert cycles(imports) == [{"a", "b", "c"}, {"d", "e"}]


def cycles(imports: Mapping[str, set[str]]) -> list[set[str]]:
    """The largest groups of modules each of which leads to all others of its group."""
    reached = {name: _reached(name, imports) for name in _in_circles(imports)}
    groups = {frozenset(each for each in reached[name] if name in reached.get(each, ())) for name in reached}
    return [set(each) for each in sorted(groups, key=sorted) if len(each) > 1]


def _in_circles(imports: Mapping[str, set[str]]) -> list[str]:
    """The modules to look at: none where the imports have an order."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError:
        return list(imports)
    return []


def _reached(name: str, imports: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = imports.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _package(folder: Path, **modules: str) -> Path:
    package = folder / "package"
    package.mkdir()
    for name, text in {"__init__": "", **modules}.items():
        (package / f"{name}.py").write_text(text)
    return package
