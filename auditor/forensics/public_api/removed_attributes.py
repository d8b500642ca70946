"""Attributes and constants of classes that a change takes away."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.public_api.breaking_changes import (
    BreakingChange,
    BreakKind,
)
from auditor.forensics.public_api.known_types import known_types
from auditor.forensics.public_api.outline_pairs import base_location, is_public
from auditor.forensics.source_text.file_outline import Outline


def removed_attributes(path: str, before: Outline, now: Outline) -> Iterator[BreakingChange]:
    """What public classes held by name and hold no longer: members of enums, fields of records, constants.

    A field that `__init__` takes by its name is taken to be one still, for most keep what they are given.
    """
    classes = {each.qualname: each for each in now.classes}
    methods = {each.qualname: each for each in now.functions}
    for old in before.classes:
        new = classes.get(old.qualname)
        if (
            new is None
            or not is_public(old)
            or old.qualname.rpartition(".")[2] in _SETTINGS_CLASSES
            or set(new.bases) - set(old.bases)
        ):
            continue
        inherits = not set(old.bases) <= known_types("plain_bases")
        made = methods.get(f"{old.qualname}.__init__")
        kept = {*new.attributes, *(() if made is None else (each.name for each in made.parameters))}
        for name in old.attributes:
            if name not in kept and not name.startswith("_") and f"{old.qualname}.{name}" not in methods:
                sure, why = (
                    (0.6, "it may be inherited now")
                    if inherits
                    else (0.85, "it may have been internal despite its name")
                )
                yield BreakingChange(
                    _ATTRIBUTE_REMOVED, f"`{old.qualname}.{name}`", base_location(path, old), sure, why
                )


_ATTRIBUTE_REMOVED = BreakKind("Public attribute {} was removed", "{} public attributes were removed: {}")
_SETTINGS_CLASSES = frozenset({"Meta", "Config", "Media", "Params"})
"""Nested classes that hold settings, which nobody reads by name."""
RECORD_BASES = frozenset({"NamedTuple", "BaseModel", "Struct"})
RECORD_DECORATORS = frozenset({"dataclass", "define", "frozen", "mutable", "attrs"})
