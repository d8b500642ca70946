"""Where the rubrics and templates that ship with the tool are: in the wheel, or beside the package in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def rubrics() -> Path:
    """The folder of built-in rubrics."""
    return _resource_folder("rubric")


def templates() -> Path:
    """The folder of templates."""
    return _resource_folder("templates")


def _resource_folder(name: str) -> Path:
    in_wheel = _PACKAGE / "shipped_files" / name
    return in_wheel if in_wheel.is_dir() else _PACKAGE.parent / name
