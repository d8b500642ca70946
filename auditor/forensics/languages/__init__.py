"""Languages beside Python, each a page of data: what its grammar calls things, and which calls, values and handlers a probe asks about.

A file is parsed once by tree-sitter and walked once by one query. What stands in strings and comments is no code;
names are followed through the imports of the file. `covered` tells which languages there are.
"""

from __future__ import annotations

from functools import cache

from auditor.forensics.languages.rules import Language


@cache
def covered() -> dict[str, Language]:
    """Every language that is read in depth beside Python, by the name that a file's suffix gives it."""
    from auditor.forensics.languages import go, java, javascript, ruby, rust, shell

    known = (javascript.JAVASCRIPT, javascript.TYPESCRIPT, go.GO, java.JAVA, rust.RUST, ruby.RUBY, shell.SHELL)
    return {each.name: each for each in known}


def answers(language: str, probe_id: str) -> bool:
    """Has that language a rule for that question?"""
    known = covered().get(language)
    return known is not None and probe_id in known.probes
