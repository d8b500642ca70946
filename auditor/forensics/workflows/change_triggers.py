"""Whether a workflow starts for changes before they are merged, by its events and their filters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import islice
from typing import NamedTuple

from auditor.forensics.workflows.workflow_model import Workflow
from auditor.lazy_regex import lazy_compile


class Reach(IntEnum):
    """For which commits a workflow starts; more is better."""

    NEVER = 0
    MERGED = 1
    """Pushes to some branches only: after the merge."""
    PUSHED = 2
    """Pushes to all branches."""
    PROPOSED = 3
    """Pull requests or the merge queue."""


class Start(NamedTuple):
    """How far a workflow reaches, the events that start it for a change, and why it does not reach further."""

    reach: Reach
    events: tuple[str, ...]
    why: str = ""


_PROPOSED = ("pull_request", "pull_request_target", "merge_group")
_TYPES = frozenset({"opened", "synchronize", "reopened", "ready_for_review"})
_USUAL = frozenset(
    {"main", "master", "trunk", "develop", "development", "dev", "devel", "default", "stable", "next", "staging", "canary", "production", "prod", "release", "unstable", "edge", "nightly", "beta", "alpha", "rc", "latest", "integration", "mainline"}
)  # fmt: skip
"""Names that branches usually have: which branches exist is not written in the tree."""
_WILD = lazy_compile(r"[*?+\[!]")
_NUMBERED = lazy_compile(r"\d")
_LONGEST_PATTERN = 200
_MOST_MATCHED = 300


def start(workflow: Workflow, paths: Collection[str], branches: Collection[str]) -> Start:
    """How a workflow starts in a tree with these files, where these branches are named by workflows."""
    reached: dict[str, Reach] = {}
    why = ""
    for event in (*_PROPOSED, "push"):
        filters = workflow.events.get(event)
        if filters is None:
            continue
        never = _never(event, filters, paths, branches)
        if never:
            why = why or never
        else:
            reached[event] = _reach(event, filters)
    best = max(reached.values(), default=Reach.NEVER)
    if best is Reach.NEVER:
        others = ", ".join(f"`{each[:40]}`" for each in islice(workflow.events, 3))
        return Start(best, (), why or f"it starts on {others or 'nothing'} only")
    events = tuple(each for each, reach in reached.items() if reach is best)
    return Start(best, events, "" if best > Reach.MERGED else why or "it starts after the merge only")


def _reach(event: str, filters: Mapping[str, Sequence[str]]) -> Reach:
    if event != "push":
        return Reach.PROPOSED
    some = filters.get("branches", ())
    return Reach.PUSHED if not some or {"**", "*"} & set(some) else Reach.MERGED


def _never(event: str, filters: Mapping[str, Sequence[str]], paths: Collection[str], branches: Collection[str]) -> str:
    """Why no change starts a workflow by this event; empty where one may."""
    types = filters.get("types", ())
    if event.startswith("pull_request") and types and not _TYPES & set(types):
        return f"`{event}` starts it for {', '.join(f'`{each[:30]}`' for each in types[:3])} only"
    if event == "push" and "branches" not in filters and "branches-ignore" not in filters and _of_tags(filters):
        return "it starts for tags only"
    some = filters.get("branches", ())
    if some and not any(_may_exist(each, branches) for each in some if not each.startswith("!")):
        return f"no known branch is named {', '.join(f'`{each[:40]}`' for each in some[:3])}"
    if {"**"} & set(filters.get("branches-ignore", ())):
        return "`branches-ignore` leaves out every branch"
    return _by_paths(filters, paths)


def _of_tags(filters: Mapping[str, Sequence[str]]) -> bool:
    return "tags" in filters or "tags-ignore" in filters


def _may_exist(pattern: str, branches: Collection[str]) -> bool:
    return bool(_WILD.search(pattern) or _NUMBERED.search(pattern) or pattern.lower() in _USUAL or pattern in branches)


def _by_paths(filters: Mapping[str, Sequence[str]], paths: Collection[str]) -> str:
    wanted = filters.get("paths", ())
    if wanted and paths and not any(_matches_one(each, paths) for each in wanted if not each.startswith("!")):
        return f"no file matches `paths: {', '.join(wanted[:3])[:60]}`"
    if {"**"} & set(filters.get("paths-ignore", ())):
        return "`paths-ignore` leaves out every file"
    return ""


def named_branches(workflows: Iterable[Workflow]) -> frozenset[str]:
    """Branches that the filters of workflows name."""
    filters = (each for workflow in workflows for each in workflow.events.values())
    return frozenset(name for each in filters for name in (*each.get("branches", ()), *each.get("branches-ignore", ())))


def _matches_one(pattern: str, paths: Collection[str]) -> bool:
    """Does a file match? A pattern or a tree that is too large to be tried out counts as a match."""
    if len(pattern) > _LONGEST_PATTERN or _SELDOM.search(pattern):
        return True
    literals = [each for each in _LITERALS.split(pattern) if each]
    likely = (path for path in paths if all(each in path for each in literals))
    tried = list(islice(likely, _MOST_MATCHED + 1))
    return len(tried) > _MOST_MATCHED or any(_fits(pattern, path) for path in tried)


_SELDOM = lazy_compile(r"[\[?+]")
"""Signs of patterns that are not tried out."""
_LITERALS = lazy_compile(r"\*+/?")


def _fits(pattern: str, path: str) -> bool:
    """GitHub's filter patterns: `*` stays in a folder, `**` does not."""
    tokens = _tokens(pattern)
    at = _onward({0}, tokens)
    for sign in path:
        moved = set()
        for place in at:
            if place < len(tokens):
                text, repeats = tokens[place]
                if text in {sign, "**"} or (text == "*" and sign != "/"):
                    moved.add(place if repeats else place + 1)
                    moved.add(place + 1)
        at = _onward(moved, tokens)
        if not at:
            return False
    return len(tokens) in at


def _tokens(pattern: str) -> list[tuple[str, bool]]:
    """Signs and stars, each with whether it may stand for several."""
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


def _onward(at: set[int], tokens: Sequence[tuple[str, bool]]) -> set[int]:
    """Places that are reached without a sign: stars may stand for nothing."""
    reached = set(at)
    for place in range(len(tokens)):
        if place in reached and tokens[place][0] in {"*", "**"}:
            reached.add(place + 1)
    return reached
