"""What every domain type shares: frozen values that refuse unknown keys, and the one error a user causes."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: it never changes after it is made, and a misspelt key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class UserError(Exception):
    """A mistake that the user can mend. The message is one sentence that also says how."""
