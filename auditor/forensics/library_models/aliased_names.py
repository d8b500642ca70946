"""Names that are followed through assignments: rows of `aliased_names.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class AliasedNames(Frozen):
    """Classes and constants by their own name."""

    tracked: NameRows


aliased_names = python_reader("aliased_names", AliasedNames)
