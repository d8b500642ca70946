"""The words that the patterns of a language cannot do without, kept beside Python's byte code.

To work them out takes as long as to read a small change. Only the process that starts an audit keeps them: those that read files of
the audited repository write nothing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from auditor.compiled_data import keep_data, kept_data
from auditor.forensics.languages import keyword_gated_patterns
from auditor.forensics.languages.language_registry import covered_languages

_ALGORITHM = Path(keyword_gated_patterns.__file__)


@cache
def prepare_language(name: str) -> None:
    """Load a language and what its files are searched for, so that the processes started after this have it."""
    language = covered_languages().get(name)
    if language is None:
        return
    source = _ALGORITHM.with_name(f"{name}.needs")
    made_by = _ALGORITHM.read_bytes()
    known = keyword_gated_patterns.known_needs
    kept = kept_data(source, made_by)
    if isinstance(kept, dict):
        known.update(kept)
    count = len(known)
    _ = language.words
    if kept is None or len(known) > count:
        keep_data(source, made_by, dict(known))
