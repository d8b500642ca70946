"""Whether a workflow starts for changes before they are merged, by its events and their filters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from auditor.domain.frozen_model import Frozen
from auditor.forensics.workflows.workflow_model import Workflow
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameRows, name_reader


class Reach(IntEnum):
    """For which commits a workflow starts; more is better."""

    NEVER = 0
    AFTER_MERGE = 1
    """Pushes to some branches only: after the merge."""
    EVERY_PUSH = 2
    """Pushes to all branches."""
    BEFORE_MERGE = 3
    """Pull requests or the merge queue."""


class TriggerResult(NamedTuple):
    """How early a workflow starts, the events that start it for a change, and why it does not start earlier."""

    reach: Reach
    events: tuple[str, ...]
    why: str = ""


_PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target", "merge_group")
_COMMIT_ACTIVITY_TYPES = frozenset({"opened", "synchronize", "reopened", "ready_for_review"})


class _Branches(Frozen):
    branches: NameRows


_names = name_reader(Path(__file__).with_name("common_branches.yaml"), _Branches)
_GLOB_CHARACTERS = lazy_compile(r"[*?+\[!]")
_DIGIT = lazy_compile(r"\d")
_MAX_PATTERN_LENGTH = 200
_MAX_MATCHED_PATHS = 300


def classify_triggers(workflow: Workflow, paths: Collection[str], branches: Collection[str]) -> TriggerResult:
    """How early a workflow starts in a tree with these files; `branches` are the branches that workflows name."""
    reached: dict[str, Reach] = {}
    why = ""
    for event in (*_PULL_REQUEST_EVENTS, "push"):
        filters = workflow.events.get(event)
        if filters is None:
            continue
        never = _never_starts_reason(event, filters, paths, branches)
        if never:
            why = why or never
        else:
            reached[event] = _event_reach(event, filters)
    best = max(reached.values(), default=Reach.NEVER)
    if best is Reach.NEVER:
        others = ", ".join(f"`{each[:40]}`" for each in islice(workflow.events, 3))
        return TriggerResult(best, (), why or f"it only starts on {others or 'nothing'}")
    events = tuple(each for each, reach in reached.items() if reach is best)
    return TriggerResult(best, events, "" if best > Reach.AFTER_MERGE else why or "it only starts after the merge")


def _event_reach(event: str, filters: Mapping[str, Sequence[str]]) -> Reach:
    if event != "push":
        return Reach.BEFORE_MERGE
    some = filters.get("branches", ())
    return Reach.EVERY_PUSH if not some or {"**", "*"} & set(some) else Reach.AFTER_MERGE


def _never_starts_reason(
    event: str, filters: Mapping[str, Sequence[str]], paths: Collection[str], branches: Collection[str]
) -> str:
    """Why no change starts a workflow by this event; empty where one may."""
    types = filters.get("types", ())
    if event.startswith("pull_request") and types and not _COMMIT_ACTIVITY_TYPES & set(types):
        return f"`{event}` starts it for {', '.join(f'`{each[:30]}`' for each in types[:3])} only"
    if event == "push" and "branches" not in filters and "branches-ignore" not in filters and _has_tag_filter(filters):
        return "it only starts for tags"
    some = filters.get("branches", ())
    if some and not any(_may_match_branch(each, branches) for each in some if not each.startswith("!")):
        return f"no known branch is named {', '.join(f'`{each[:40]}`' for each in some[:3])}"
    if {"**"} & set(filters.get("branches-ignore", ())):
        return "`branches-ignore` excludes every branch"
    return _path_filter_reason(filters, paths)


def _has_tag_filter(filters: Mapping[str, Sequence[str]]) -> bool:
    return "tags" in filters or "tags-ignore" in filters


def _may_match_branch(pattern: str, branches: Collection[str]) -> bool:
    return bool(
        _GLOB_CHARACTERS.search(pattern)
        or _DIGIT.search(pattern)
        or pattern.lower() in _names("branches")
        or pattern in branches
    )


def _path_filter_reason(filters: Mapping[str, Sequence[str]], paths: Collection[str]) -> str:
    wanted = filters.get("paths", ())
    if wanted and paths and not any(_matches_any_path(each, paths) for each in wanted if not each.startswith("!")):
        return f"no file matches `paths: {', '.join(wanted[:3])[:60]}`"
    if {"**"} & set(filters.get("paths-ignore", ())):
        return "`paths-ignore` excludes every file"
    return ""


def named_branches(workflows: Iterable[Workflow]) -> frozenset[str]:
    """Branches that the filters of workflows name."""
    filters = (each for workflow in workflows for each in workflow.events.values())
    return frozenset(name for each in filters for name in (*each.get("branches", ()), *each.get("branches-ignore", ())))


def _matches_any_path(pattern: str, paths: Collection[str]) -> bool:
    """Does a pattern match a file? True as well where the pattern or the tree is too large to be tried."""
    if len(pattern) > _MAX_PATTERN_LENGTH or _UNSUPPORTED_CHARACTERS.search(pattern):
        return True
    literals = [each for each in _WILDCARD.split(pattern) if each]
    likely = (path for path in paths if all(each in path for each in literals))
    tried = list(islice(likely, _MAX_MATCHED_PATHS + 1))
    return len(tried) > _MAX_MATCHED_PATHS or any(_matches_pattern(pattern, path) for path in tried)


_UNSUPPORTED_CHARACTERS = lazy_compile(r"[\[?+]")
"""Characters of patterns that are not evaluated."""
_WILDCARD = lazy_compile(r"\*+/?")


def _matches_pattern(pattern: str, path: str) -> bool:
    """GitHub's filter patterns: `*` matches within a folder, `**` across folders."""
    tokens = _tokenize_pattern(pattern)
    at = _skip_wildcards({0}, tokens)
    for sign in path:
        moved = set()
        for place in at:
            if place < len(tokens):
                text, repeats = tokens[place]
                if text in {sign, "**"} or (text == "*" and sign != "/"):
                    moved.add(place if repeats else place + 1)
                    moved.add(place + 1)
        at = _skip_wildcards(moved, tokens)
        if not at:
            return False
    return len(tokens) in at


def _tokenize_pattern(pattern: str) -> list[tuple[str, bool]]:
    """The characters and wildcards of a pattern, each with whether it may repeat."""
    found: list[tuple[str, bool]] = []
    for sign in pattern.removeprefix("./"):
        if sign == "*":
            if found and found[-1][0] == "*":
                found[-1] = ("**", True)
            elif not (found and found[-1][0] == "**"):
                found.append(("*", True))
        elif sign == "/" and found and found[-1][0] == "**":
            continue  # `**/x` matches `x` too
        else:
            found.append((sign, False))
    return found


def _skip_wildcards(at: set[int], tokens: Sequence[tuple[str, bool]]) -> set[int]:
    """The positions that are reached without reading a character, because wildcards may match nothing."""
    reached = set(at)
    for place in range(len(tokens)):
        if place in reached and tokens[place][0] in {"*", "**"}:
            reached.add(place + 1)
    return reached
