"""Languages beside Python, each a description: what its grammar calls things, and which calls, values and handlers a probe asks about.

A file is parsed once by tree-sitter and walked once by one query. Strings and comments are not code;
names are followed through the imports of the file. `covered_languages` lists the languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from auditor.forensics.languages.described_languages import described_languages

if TYPE_CHECKING:
    from auditor.forensics.languages.description_rows import Description
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


def reads_exports(language: str) -> bool:
    """Is read what a file of that language offers to others?"""
    return language in described_languages() and _description(language).exports is not None


def grammar_of(language: str) -> tuple[str, str] | None:
    """The package of a language's grammar and the function in it; None for a language without a description."""
    row = _description(language).grammar if language in described_languages() else None
    return None if row is None else (row.package, row.dialect)


def _description(language: str) -> Description:
    from auditor.forensics.languages.language_loader import description_of

    return description_of(language)


def has_rule_for(language: str, probe_id: str) -> bool:
    """Does a language have a rule for that probe?"""
    known = covered_languages().get(language)
    return known is not None and probe_id in known.probes
