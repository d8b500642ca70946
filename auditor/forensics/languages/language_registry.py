"""Languages beside Python, each a page of data: what its grammar calls things, and which calls, values and handlers a probe asks about.

A file is parsed once by tree-sitter and walked once by one query. What stands in strings and comments is no code;
names are followed through the imports of the file. `covered_languages` tells which languages there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.forensics.languages.language_type import Language

_LANGUAGE_MODULES = {
    "javascript": "javascript",
    "typescript": "javascript",
    "go": "go",
    "java": "java",
    "rust": "rust",
    "ruby": "ruby",
    "shell": "shell",
}
"""The module that a language's page stands in."""


class _LanguageRegistry(Mapping[str, "Language"]):
    """Languages by name. A page is opened when it is asked for: its many forms take time to compile, and most trees need few."""

    def __init__(self) -> None:
        self._loaded: dict[str, Language] = {}

    def __getitem__(self, name: str) -> Language:
        if name not in self._loaded:
            page = import_module(f"{__package__}.{_LANGUAGE_MODULES[name]}")
            self._loaded[name] = getattr(page, name.upper())
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in _LANGUAGE_MODULES

    def __iter__(self) -> Iterator[str]:
        return iter(_LANGUAGE_MODULES)

    def __len__(self) -> int:
        return len(_LANGUAGE_MODULES)


@cache
def covered_languages() -> Mapping[str, Language]:
    """Every language besides Python that is parsed, by the name that a file's suffix gives it."""
    return _LanguageRegistry()


def has_rule_for(language: str, probe_id: str) -> bool:
    """Does a language have a rule for that probe?"""
    known = covered_languages().get(language)
    return known is not None and probe_id in known.probes
