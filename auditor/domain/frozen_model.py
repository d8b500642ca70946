"""What every domain type shares: frozen values that refuse unknown keys."""

from __future__ import annotations

import os

from pydantic import BaseModel, ConfigDict

os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
# No plugin has a say in what is on record, and looking for one reads the metadata of every installed package.


class Frozen(BaseModel):
    """A value: it never changes after it is made, and a misspelt key is an error.

    What checks a type is built when it is first needed: an audit meets few of the types there are.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
