"""Lines of a change that do something sensitive, whether or not a rule finds a fault in them. They are no findings."""

from __future__ import annotations

from pydantic import Field

from auditor.domain.evidence import CodeLocation
from auditor.domain.frozen_model import Frozen


class SensitiveArea(Frozen):
    """One sensitive thing that lines of the change do."""

    area: str
    does: str = Field(description="What the lines do, as in `starts programs`.")
    places: tuple[CodeLocation, ...] = Field(description="The lines, most telling first, with their text.")
    left_out: int = Field(
        default=0,
        ge=0,
        description="Further places. Of one file, lines beyond 20,000 are counted before moved ones are left out.",
    )


class SensitiveLines(Frozen):
    """What a reader looks at first. It bears on no score and on no gate."""

    areas: tuple[SensitiveArea, ...] = Field(
        default=(), description="Certificate checks first, input of requests last."
    )
    unread_files: int = Field(default=0, ge=0, description="Changed files that were not searched, for their size.")
