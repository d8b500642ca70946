"""Names that are followed through assignments: rows of `aliased_names.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class AliasedNames(NamedTuple):
    """Classes and constants by their own name."""

    tracked: Names


def aliased_names() -> AliasedNames:
    """The rows, read once."""
    return read_python("aliased_names", AliasedNames)
