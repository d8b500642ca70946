"""The files of a change that somebody has to approve where its author cannot write to the repository."""

from __future__ import annotations

from pydantic import Field

from auditor.domain.evidence import CodeLocation
from auditor.domain.frozen_model import Frozen


class FilesToApprove(Frozen):
    """Changed files other than prose, pictures and the like, each with its first changed line."""

    places: tuple[CodeLocation, ...] = Field(default=(), description="In the order of their paths, at most 40.")
    left_out: int = Field(default=0, ge=0, description="Further files.")

    @property
    def count(self) -> int:
        """How many files there are."""
        return len(self.places) + self.left_out
