"""What every domain type shares: frozen values that refuse unknown keys."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: it never changes after it is made, and a misspelt key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
