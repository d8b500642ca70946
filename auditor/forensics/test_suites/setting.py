"""One setting of a settings file."""

from __future__ import annotations

from typing import NamedTuple


class Setting(NamedTuple):
    """A dotted key, its constant values, and where it is."""

    key: str
    values: tuple[str, ...]
    line: int
    unknown: str = ""
    """The source of a part that is no constant; empty where all of it is known."""
    is_table: bool = False

    @property
    def is_true(self) -> bool:
        """Is it switched on?"""
        return bool(self.values) and self.values[-1].lower() in {"true", "1", "yes", "on"}

    @property
    def is_false(self) -> bool:
        """Is it switched off?"""
        return bool(self.values) and self.values[-1].lower() in {"false", "0", "no", "off"}
