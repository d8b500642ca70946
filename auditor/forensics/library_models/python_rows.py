"""The rows for Python of the tables beside this file, below the key `python`; rows for other languages are left alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.file_sections import python_section
from auditor.row_tables import build_table

FOLDER = Path(__file__).parent
SECTION = "python"
Table = TypeVar("Table", bound=Frozen)


def python_reader(topic: str, schema: type[Table]) -> Callable[[], Table]:
    """A function that gives the rows for Python of a topic, which are read when first asked for."""

    @cache
    def rows() -> Table:
        path = FOLDER / f"{topic}.yaml"
        return build_table(schema, python_section(path.read_text(encoding="utf-8")), path, SECTION, part=SECTION)

    return rows
