"""Edits to files with instructions for coding agents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from auditor.domain import Fact, FileChange
from auditor.forensics.probe_kit.change_places import change_paths, change_places
from auditor.forensics.probe_kit.fact_outcomes import found, list_names, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.forensics.workflows.governance_files import (
    imported_paths,
    is_agent_instruction,
)
from auditor.forensics.workflows.workflow_files import GovernanceFiles
from auditor.lazy_regex import lazy_compile


@probe("agents.instructions_changed", reads=(".vscode/settings.json", "**/.vscode/settings.json"))
def instructions_changed(change: Change, documents: Documents, governing: GovernanceFiles) -> Iterator[Fact]:
    """Does the change edit instructions for coding agents?

    Counts: a file that coding agents read as instructions, rules, skills or settings, such as `AGENTS.md`, `CLAUDE.md` or the rules
    of an editor, and a file that one of them links to or imports.

    Have a maintainer read the new text as carefully as code, and approve it.
    """
    taken = frozenset(
        name
        for place, text in governing.texts.items()
        if is_agent_instruction(place)
        for name in imported_paths(text, place)
    )
    ends = [end for link, end in governing.links.items() if is_agent_instruction(link)]
    touched = [file for file in change.files if _is_instruction(file, documents, taken, ends)]
    if not touched:
        yield not_found("The change does not edit instructions for coding agents.")
        return
    yield found(
        f"The change edits instructions that coding agents follow, which a person should approve: {list_names(file.path for file in touched)}.",
        at=change_places(touched),
        introduced=True,
    )


def _is_instruction(file: FileChange, documents: Documents, imported: frozenset[str], ends: Sequence[str]) -> bool:
    """Is it an instruction by its name, or because one at the base links to it or imports it?"""
    names = change_paths(file)
    return (
        any(is_agent_instruction(name) or name in imported for name in names)
        or any(name == end or name.startswith(f"{end}/") for name in names for end in ends)
        or any(_agent_settings(documents.head, name) != _agent_settings(documents.base, name) for name in names)
    )


def _agent_settings(texts: Mapping[str, str], path: str) -> frozenset[str]:
    """Lines of an editor's settings that concern its agent."""
    return frozenset(line.strip() for line in texts.get(path, "").split("\n") if _AGENT_SETTING.search(line))


_AGENT_SETTING = lazy_compile(r"autoApprove|yolo|\bchat\.|\bcopilot\b|\bclaude\b", re.IGNORECASE)
