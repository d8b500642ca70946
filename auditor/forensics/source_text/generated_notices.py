"""What comments at the top of a file say when a tool wrote it: rows of `generated_notices.yaml`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.row_tables import PatternRows, combined_pattern, read_table

_DATA = Path(__file__).with_name("generated_notices.yaml")


class _Notices(Frozen):
    generated: PatternRows
    do_not_edit: PatternRows
    produced_by: PatternRows
    copied: PatternRows
    banner: PatternRows
    license: PatternRows


Section = Literal["generated", "do_not_edit", "produced_by", "copied", "banner", "license"]


@cache
def notice_pattern(section: Section) -> re.Pattern[str]:
    """Found in every notice of a section."""
    return combined_pattern(getattr(read_table(_DATA, _Notices), section), re.IGNORECASE)
