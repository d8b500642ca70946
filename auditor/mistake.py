"""The one error that a user causes. It stands below everything, so that `--help` loads no types of the record."""

from __future__ import annotations


class UserError(Exception):
    """A mistake that the user can mend. The message is one sentence that also says how."""
