"""Whether single commits do too much at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from auditor.domain import Commit, CommitFile, Fact, History, Status
from auditor.english_counts import by_count
from auditor.forensics.history.commit_facts import commit_location, describe_share, history_confidence, no_commits_fact
from auditor.forensics.history.meaningless_messages import is_uninformative
from auditor.forensics.library_models.project_files import project_files
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.source_text.file_roles import Role, role
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import names_of

_ACCOMPANYING_ROLES = frozenset({Role.TEST, Role.DOCUMENTATION, Role.LOCK, Role.GENERATED})
_ROUTINE_FILES = names_of(project_files().routine_files)
"""Files that a release or an update of dependencies touches in every folder that has one."""
_MECHANICAL = lazy_compile(
    r"\b(?:re)?format|\blint|\btypos?\b|copyright|licen[sc]e|\bheaders?\b|new year|whitespace|\bimports\b|\brenam|\bblack\b|\bruff\b|prettier|eslint|\bmypy\b|error.?prone"
    r"|\bspelling|\bindent|\bmove\b|\bbump|\bupgrade\b|\bport\b|\bmigrat|\bconvert\b|\breplace\b|type annotations|type errors|\bfixup all\b|broken .*links?|\bregistry\b",
    re.IGNORECASE,
)
MAX_FILES = 30
"""Files that one commit may touch and still look like one step."""
_SCATTERED = 20
_MIN_SCATTERED_FOLDERS = 6
"""Files, and folders at the top, from which a commit reaches into many parts of a project at once."""
_PLACES = 3
"""Unrelated places, at the top of the tree, that bear out a first line that speaks of several changes and names none."""
_CONCLUSIVE_PURPOSES = 5
"""Number of purposes in a subject line that needs no further sign."""
_PART = lazy_compile(
    r"\s*[;+&]\s+|\s+[/|]\s+|\s*,\s+(?:and\s+|plus\s+)?|\s+(?:and|plus|as well as)\s+|(?<=\w)[.!]\s+|(?:^|\s)\(?\d{1,2}[.)]\s+",
    re.IGNORECASE,
)
_PURPOSE_PREFIX = lazy_compile(
    r"^(?:(?:(?:and|also|then|plus|additionally|finally)\b,?|(?:wip|feat|feature|fix|chore|refactor|docs?|build|ci|perf|style|test)(?:\([\w ./-]{1,40}\))?!?:)\s+)+(?=\w+\s)",
    re.IGNORECASE,
)
"""Words before a further purpose that are not part of it."""
_MIN_PURPOSES = 3
_PURPOSE_START = lazy_compile(
    r"^(?:(?:add|fix|update|upgrade|bump|remove|delete|drop|rewrite|refactor|rename|move|translate|improve|change|implement|introduce|support|clean|document|test|make|use"
    r"|replace|create|switch|extend|split|merge|allow|enable|disable|set\s?up|configure|migrate|convert|rework|redesign|tidy|simplify|correct|handle|paginate|raise|lower|increase"
    r"|reduce|cache|ship|show|hide|wire|write|build|port|speed|bring|turn|send|store|load|parse|validate|prevent|avoid|ignore|return|start|downgrade|restyle|localise|localize|deploy|publish"
    r"|integrate|optimise|optimize|prepare|refresh|retire|revert|rotate|secure|tweak|adjust|tune|unify|wrap|expose|extract|separate|install|let|stop|limit|validate|sort|swap|repair|patch|lint|export|import|print|draw|render|sync|track|filter|group|retry|compress|encrypt|throttle|pin|unpin|guard|reject|accept|require|offer|list|mark|count|sign|verify|warn|restore|recover|collect|record|schedule|notify|mail|archive|undo|duplicate|forward|redirect|upload|download|mute|silence|colou?r|sanitize|sanitise|escape|deprecate|document|rebuild|recalculate|compute|calculate)(?:s|e?d|ing)?"
    r"|(?:re)?format(?:s|ted|ting)?"
    r"|new|made|wrote|rewrote|rewritten|written|built|brought|sent|split|set|put|hid|hidden|shown)\b",
    re.IGNORECASE,
)
"""How a purpose begins in a list of several."""
_MAX_LISTED_FILES = 200
_STEM = 6
"""Letters by which a word of a message is known again in a path: `emails` in `email/send.py`."""
_ITEM = lazy_compile(r"^(?:[-*+\u2022\u2013]|\(?\d{1,2}[.)])\s+(?P<said>\S.{0,200})")
"""A line of a list below the first line of a message."""
_ACCOMPANYING_WORDS = lazy_compile(
    r"\b(?:tests?|specs?|docs?|documentation|readme|changelog|release notes|comments?|docstrings?|types?|typings|snapshots?|fixtures?|lint\w*|ruff|mypy|format\w*|(?:bump|raise|update|increase|set)\w*\s+(?:the\s+)?(?:package\s+|project\s+)?versions?|lock ?files?|imports?|ci|deps|dependenc\w+|examples?|references?|usages?|callers?|calls?|call sites|configs?|configuration|translations?)\b",
    re.IGNORECASE,
)
"""Files that change with any purpose of a commit."""
_TIDY_START = lazy_compile(
    r"^(?:re-?)?(?:sort|format(?!ting\s+(?:fix|change|issue|error))|lint(?!(?:ing|er)?\s+(?:fix|error|warning|issue|rule)|er)|tid(?:y|ied)|clean)(?:s|t?ed|t?ing)?\b",
    re.IGNORECASE,
)
"""How a purpose begins that only tidies up: its object relates to none of the others."""
_SUNDRY_SUBJECT = lazy_compile(
    r"^(?:\w+(?:\([^)]{0,80}\))?:\s*)?(?:(?:some|all|many|more|lots of|a bunch of|a lot of)\s+)?(?:various|several|misc(?:ellaneous)?\.?|assorted|sundry|random|different|multiple|mixed|a bunch of|lots of|loads of|tons of|a couple of|a few|a lot of|bunch of|a pile of|a heap of|all kinds of|all sorts of)\s+(?:(?:\w+|small|minor|other)\s+)?(?:fix(?:es)?|changes|improvements|updates|things|stuff|tweaks|edits|features|bug\s?fixes|additions|clean-?ups)\s*[.!]*$",
    re.IGNORECASE,
)
"""A subject line that says that the commit has several purposes."""
_COLLECTIVE_SUBJECT = lazy_compile(
    r"^(?:(?:the|my|a|an|big|huge|large|feature|features|change|changes|update|updates|fix|fixes|new|next|weekly|daily|friday|monday|end of|work of|all)\s+){0,4}"
    r"(?:bundle|batch|bulk|collection|mix(?:ed bag)?|grab bag|bits and pieces|odds and ends|dump|drop|sync|snapshot|catch-?up|things|stuff|changes|updates|features|improvements"
    r"|work|progress|everything|day|week|weekend|sprint|iteration|milestone|round|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|yesterday|housekeeping|maintenance)"
    r"(?:\s+(?:of|for|from|the|this|last|week|day|sprint|today|yesterday|changes|work|things|stuff|fixes|features|updates|commit|#?\d{1,4})){0,5}\s*[.:!]*$",
    re.IGNORECASE,
)
"""A subject line under which anything may be listed."""


@probe("history.atomic_commits")
def atomic_commits(history: History) -> Iterator[Fact]:
    """Do single commits do too much at once?

    Counts: a commit with more than 30 files in many folders, and one whose message names three unrelated purposes. Does not count:
    mechanical changes, merges, and files that every release touches.

    Make one commit for each purpose: a move, a rename, a fix and a feature are four.
    """
    own = [commit for commit in history.commits if not commit.is_merge and commit.parents]
    if not own:
        yield (
            not_applicable("No commit has a parent to compare it with.")
            if history.complete
            else no_commits_fact(history)
        )
        return
    broad = {commit.sha: commit for commit in own if _is_broad(commit)}
    wide = [commit for commit in broad.values() if not _is_mechanical(commit)]
    alike = len(broad) - len(wide)
    told = (
        f"; {alike:,} other large {by_count(alike, 'commit is a mechanical change', 'commits are mechanical changes')}"
    )
    listing = [each for each in own if each.sha not in broad and _has_several_purposes(each)]
    if listing:
        yield _several_purposes(listing, len(own))
    if wide:
        yield _many_files(wide, len(own), told if alike else "")
    if not wide and not listing:
        yield _all_of_one_purpose(history, len(own), told if alike else "")


def _several_purposes(listing: Sequence[Commit], whole: int) -> Fact:
    return found(
        describe_share(
            len(listing),
            whole,
            "lists several purposes in its message and touches unrelated places",
            "list several purposes in their messages and touch unrelated places",
        ),
        at=[commit_location(commit) for commit in listing[:20]],
        confidence=0.7,
        because="the listed items may be parts of one purpose",
        measure=round(len(listing) / whole, 4),
    )


def _many_files(wide: Sequence[Commit], whole: int, told: str) -> Fact:
    return found(
        describe_share(
            len(wide),
            whole,
            f"touches more than {MAX_FILES} files in many folders{told}",
            f"touch more than {MAX_FILES} files in many folders{told}",
        ),
        at=[commit_location(commit) for commit in wide[:20]],
        confidence=0.7,
        because="a mechanical change has one purpose, and not every message says so",
        measure=round(len(wide) / whole, 4),
    )


def _all_of_one_purpose(history: History, whole: int, told: str) -> Fact:
    sure, why = history_confidence(history, 1.0)
    limit = f"more than {MAX_FILES} files in many folders"
    none = f"None of {whole:,} commits touches {limit} or lists" if whole > 1 else ""
    return not_found(
        f"{none or f'The only commit neither touches {limit} nor lists'} unrelated purposes{told}.",
        confidence=sure,
        because=why,
    )


def _is_broad(commit: Commit) -> bool:
    """Many files in many folders, without files that were only moved and those that every release touches."""
    if len(commit.files) <= MAX_FILES:
        return False
    files = [file for file in commit.files if _name(file).lower() not in _ROUTINE_FILES]
    added, deleted = (
        {_name(file) for file in files if file.status is status} for status in (Status.ADDED, Status.DELETED)
    )
    left = [file for file in files if file.status is Status.MODIFIED or _name(file) not in added & deleted]
    return len(left) > MAX_FILES and len({file.path.rpartition("/")[0] for file in left}) > 8


def _has_several_purposes(commit: Commit) -> bool:
    """Does its first line list several purposes, or say that there are several, and does it reach into unrelated places?

    The list is the evidence. A wide reach bears out any list; where few files are touched, what goes with every purpose
    (tests, documents, settings) is counted neither as a purpose nor as a place, unless it is put in order, and in one
    place only purposes count that speak of nothing that another one speaks of.
    """
    if _is_scattered(commit) and _lists_purposes(commit):
        return True
    if len(commit.files) <= 1:
        return False
    listed = [each for each in _purposes(commit) if _TIDY_START.match(each) or not _ACCOMPANYING_WORDS.search(each)]
    if len(listed) < _MIN_PURPOSES:
        return _SUNDRY_SUBJECT.match(commit.subject[:200]) is not None and len(_places(commit)) >= _PLACES
    if len(listed) >= _CONCLUSIVE_PURPOSES or (len(_places(commit)) > 1 and len(listed) - _count_related(listed) > 1):
        return True
    return len(_touched(commit)) > 1 and _count_unrelated(listed) >= _MIN_PURPOSES


def _count_related(purposes: list[str]) -> int:
    """How many purposes share a word with an earlier one: an export, its button and its page are one purpose."""
    known: set[str] = set()
    count = 0
    for each in purposes:
        first, _, rest = each.lower().partition(" ")
        said = {word[:_STEM] for word in re.findall(r"[a-z]{4,}", rest)} - _STOP_WORDS
        count += bool(said & known) or _BACK_REFERENCE.search(rest) is not None
        known |= said | {first[:_STEM]}
    return count


def _count_unrelated(purposes: list[str]) -> int:
    """How many purposes share no word with an earlier one."""
    known: set[str] = set()
    count = 0
    for each in purposes:
        said = {word[:_STEM] for word in re.findall(r"[a-z]{4,}", each.lower().partition(" ")[2])} - _STOP_WORDS
        count += bool(said) and not said & known and not _BACK_REFERENCE.search(each)
        known |= said
    return count


_STOP_WORDS = frozenset(
    {"with", "from", "into", "when", "that", "this", "onto", "than", "more", "also", "only", "some", "their", "there"}
)
_BACK_REFERENCE = lazy_compile(
    r"\b(?:it|its|them|their|this|that|these|those|there|same|accordingly|instead)\b", re.IGNORECASE
)
"""Words of a purpose that refer to the one before."""


def _places(commit: Commit) -> set[str]:
    """Where it reaches, by what is at the top of the tree; what belongs to every purpose is left out."""
    return {path.partition("/")[0] for path in _touched(commit)}


def _touched(commit: Commit) -> list[str]:
    """The files that it touches, without what belongs to every purpose."""
    product = (each.path for each in commit.files if _name(each).lower() not in _ROUTINE_FILES)
    return [path for path in product if role(path) not in _ACCOMPANYING_ROLES]


def _is_scattered(commit: Commit) -> bool:
    """Does it reach into many unrelated parts, by the top-level folders of what is left without what every release touches?"""
    if len(commit.files) < _SCATTERED:
        return False
    files = [file for file in commit.files if _name(file).lower() not in _ROUTINE_FILES]
    return (
        len(files) >= _SCATTERED
        and len({file.path.partition("/")[0] for file in files if "/" in file.path}) >= _MIN_SCATTERED_FOLDERS
    )


def _lists_purposes(commit: Commit) -> bool:
    """Does its first line name three purposes or more? Three things that are added at once are one."""
    if len([part for part in re.split(r"\s*;\s+", commit.subject[:400]) if len(part.split()) > 1]) >= _MIN_PURPOSES:
        return True
    return len(_purposes(commit)) >= _MIN_PURPOSES


def _purposes(commit: Commit) -> list[str]:
    """Parts of its first line that each say what is done; where that line says nothing, or only that there are several, the list below it."""
    parts = [part.strip() for part in _PART.split(commit.subject[:400])]
    said = [_PURPOSE_PREFIX.sub("", part, count=1) for part in parts]
    found = [part for part in said if len(part.split()) > 1 and _PURPOSE_START.match(part)]
    if len(found) < _MIN_PURPOSES and not found:
        found = _parts_with_place(commit, said)
    return found if len(found) >= _MIN_PURPOSES else [*found, *_body_items(commit)]


def _parts_with_place(commit: Commit, parts: list[str]) -> list[str]:
    """The parts of a mere list of things, such as `Login, search and dark mode`, that each match a changed place."""
    if len(parts) < _MIN_PURPOSES or ":" in commit.subject.removeprefix("WIP:"):
        return []
    places = {path: path.partition("/")[0] for path in (each.path for each in commit.files[:_MAX_LISTED_FILES])}
    taken: dict[str, str] = {}
    for part in parts:
        stems = [word[:_STEM] for word in re.findall(r"[a-z]{3,}", part.lower())]
        at = next(
            (top for path, top in places.items() if top not in taken and any(each in path.lower() for each in stems)),
            "",
        )
        if at:
            taken[at] = part
    return list(taken.values())


def _body_items(commit: Commit) -> list[str]:
    """The items of a list below a collective subject line."""
    rows = [row.strip() for row in commit.message.strip().split("\n")[1:60]]
    items = [told["said"] for row in rows if (told := _ITEM.match(row)) and len(told["said"].split()) > 1]
    if not items:
        return []
    subject = commit.subject[:200]
    return (
        items
        if _COLLECTIVE_SUBJECT.match(subject) or _SUNDRY_SUBJECT.match(subject) or is_uninformative(commit.subject)
        else []
    )


def _name(file: CommitFile) -> str:
    return file.path.rpartition("/")[2]


def _is_mechanical(commit: Commit) -> bool:
    """Does it say so, and do nothing but modify?"""
    modified = sum(file.status is Status.MODIFIED for file in commit.files)
    return modified >= 0.9 * len(commit.files) and bool(_MECHANICAL.search(commit.subject))
