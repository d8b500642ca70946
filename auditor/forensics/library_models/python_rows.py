"""The rows for Python of the tables beside this file, below the key `python`; rows for other languages are left alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.file_sections import python_section
from auditor.row_tables import build_table

FOLDER = Path(__file__).parent
SECTION = "python"
Table = TypeVar("Table", bound=Frozen)


def read_python(topic: str, schema: type[Table]) -> Table:
    """The rows for Python of a topic, read once."""
    return cast("Table", _read_python(topic, cast("Any", schema)))


@cache
def _read_python(topic: str, schema: type[Frozen]) -> Frozen:
    path = FOLDER / f"{topic}.yaml"
    return build_table(schema, python_section(path.read_text(encoding="utf-8")), path, SECTION, part=SECTION)
