"""What comments at the top of a file say when a tool wrote it: rows of `generated_notices.yaml`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.team_rows import kept_by_team_rows, team_rows
from auditor.row_tables import KeyRow, PatternRows, Source, combined_pattern, read_table

TOPIC = "generated_notices"
_MIN_TEAM_NOTICE = 12
"""Characters of a notice, so that no common word of comments is one."""
_DATA = Path(__file__).with_name("generated_notices.yaml")


class _Notices(Frozen):
    generated: PatternRows
    do_not_edit: PatternRows
    produced_by: PatternRows
    copied: PatternRows
    banner: PatternRows
    license: PatternRows


class TeamNotice(KeyRow):
    """A text that a tool of the team writes at the top of the files that it makes; taken literally, letters of either case."""

    text: Annotated[str, Field(min_length=_MIN_TEAM_NOTICE, max_length=200, pattern=r"^\S(?:[^\r\n]*\S)?$")]
    source: Source


class TeamGeneratedNotices(Frozen):
    """What a team may add."""

    generated: tuple[TeamNotice, ...] = ()


Section = Literal["generated", "do_not_edit", "produced_by", "copied", "banner", "license"]


@kept_by_team_rows
def notice_pattern(section: Section) -> re.Pattern[str]:
    """Found in every notice of a section."""
    pattern = combined_pattern(getattr(read_table(_DATA, _Notices), section), re.IGNORECASE)
    own = team_rows().tables.get(TOPIC)
    if own is None or section != "generated":
        return pattern
    literal = "|".join(re.escape(row.text) for row in own.generated)
    return re.compile(f"{pattern.pattern}|{literal}", re.IGNORECASE) if literal else pattern
