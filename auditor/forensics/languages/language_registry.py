"""Languages beside Python, each a description: what its grammar calls things, and which calls, values and handlers a probe asks about.

A file is parsed once by tree-sitter and walked once by one query. What stands in strings and comments is no code;
names are followed through the imports of the file. `covered_languages` tells which languages there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from auditor.forensics.languages.described_languages import described_languages

if TYPE_CHECKING:
    from auditor.forensics.languages.language_type import Language


class _LanguageRegistry(Mapping[str, "Language"]):
    """Languages by name. A description is read when it is asked for: most trees need few."""

    def __getitem__(self, name: str) -> Language:
        if name not in self:
            raise KeyError(name)
        from auditor.forensics.languages.language_loader import load_language

        return load_language(name)

    def __contains__(self, name: object) -> bool:
        return name in described_languages()

    def __iter__(self) -> Iterator[str]:
        return iter(described_languages())

    def __len__(self) -> int:
        return len(described_languages())


@cache
def covered_languages() -> Mapping[str, Language]:
    """Every language besides Python that is parsed, by the name that a file's suffix gives it."""
    return _LanguageRegistry()


def has_rule_for(language: str, probe_id: str) -> bool:
    """Does a language have a rule for that probe?"""
    known = covered_languages().get(language)
    return known is not None and probe_id in known.probes
