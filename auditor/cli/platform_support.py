"""Which systems an audit runs on."""

from __future__ import annotations

from importlib.util import find_spec

from auditor.user_error import UserError

_UNIX_MODULES = ("fcntl", "resource")
"""Modules that every Unix has and Windows lacks: without them git and the readers of files run without limits."""


def require_unix() -> None:
    """Raise UserError on Windows, where nothing can be audited."""
    if any(find_spec(name) is None for name in _UNIX_MODULES):
        raise UserError(
            "audits do not run on Windows: install WSL (https://learn.microsoft.com/windows/wsl/install) and run "
            "auditor in it; `auditor replay`, `auditor compare`, `auditor schema`, `auditor cost` and `auditor rubric` work "
            "here."
        )
