"""One repository with a folder for each case, and what is found in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from auditor.domain import CodeLocation, Evidence, Outcome
from tests.auditing import asked
from tests.repos import Drawing

SHELL = "code.shell_execution"
CODE = "code.dynamic_code"
LOADING = "code.unsafe_deserialization"
QUERY = "code.sql_from_strings"
PATH = "code.path_traversal"
FORGERY = "code.request_forgery"
REDIRECT = "code.open_redirect"
SENT = "code.environment_sent"
TLS = "code.tls_verification_off"
Case = tuple[str, str, str, str]
"""What hides the call, the probe that must see it, the hostile source, and one that looks like it and is harmless."""


def evidence_by_case(target: Path, cases: Iterable[Case], suffix: str = "py") -> dict[str, list[Evidence]]:
    """What is found in the hostile and in the benign file of each case, by their paths."""
    files = {
        path: source for number, case in enumerate(cases) for path, source in files_of(number, case, suffix).items()
    }
    return evidence_by_path(target, files, SHELL, CODE, LOADING, QUERY, TLS, PATH, FORGERY, REDIRECT, SENT)


def evidence_by_path(target: Path, files: Mapping[str, str], *probes: str) -> dict[str, list[Evidence]]:
    """What probes find in each of some files, all of which one change adds."""
    drawing = Drawing(target)
    base = drawing.commit({"README.md": "# Shop\n"})
    drawing.commit(files)
    found: dict[str, list[Evidence]] = {path: [] for path in files}
    for each in asked(target, base, *probes).evidence:
        if each.outcome is Outcome.FOUND and each.introduced:
            for path in {place.path for place in each.locations if isinstance(place, CodeLocation)}:
                found[path].append(each)
    return found


def files_of(number: int, case: Case, suffix: str = "py") -> Mapping[str, str]:
    """The two files of a case."""
    return {f"shop{number}/hostile.{suffix}": case[2], f"shop{number}/benign.{suffix}": case[3]}
