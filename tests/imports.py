"""The imports between the modules of a package, read with `ast`: deferred and type-checking ones count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path


@cache
def imports_of(package: Path) -> dict[str, set[str]]:
    """Each module of a package, and the modules of it that it imports anywhere in its file."""
    files = module_files(package)
    return {name: set(_imported(name, path, files)) - {name} for name, path in files.items()}


def module_files(package: Path) -> dict[str, Path]:
    """The file of each module of a package, by the module's name."""
    return {_name(path.relative_to(package.parent)): path for path in sorted(package.rglob("*.py"))}


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(name: str, path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in files)
        elif isinstance(node, ast.ImportFrom):
            above = inside.split(".")[: len(inside.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for each in node.names:
                yield from [module for module in (f"{source}.{each.name}", source) if module in files][:1]
