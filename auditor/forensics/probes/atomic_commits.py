"""Whether single commits do too much at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from auditor.domain import Commit, CommitFile, Fact, History, Status
from auditor.forensics.history.commit_facts import commit_location, describe_share, history_confidence, no_commits_fact
from auditor.forensics.history.meaningless_messages import is_uninformative
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found, verb
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.source_text.file_roles import Role, role
from auditor.lazy_regex import lazy_compile

_WITH_ANY = frozenset({Role.TEST, Role.DOCUMENTATION, Role.LOCK, Role.GENERATED})
_ALONG = frozenset(
    {
        "changelog.md", "readme.md", "package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "uv.lock", "poetry.lock", "pyproject.toml", "pom.xml",
        "cargo.toml", "cargo.lock", "go.mod", "go.sum", "license", "version",
    }
)  # fmt: skip
"""Files that a release or an update of dependencies touches in every folder that has one."""
_MECHANICAL = lazy_compile(
    r"\b(?:re)?format|\blint|\btypos?\b|copyright|licen[sc]e|\bheaders?\b|new year|whitespace|\bimports\b|\brenam|\bblack\b|\bruff\b|prettier|eslint|\bmypy\b|error.?prone"
    r"|\bspelling|\bindent|\bmove\b|\bbump|\bupgrade\b|\bport\b|\bmigrat|\bconvert\b|\breplace\b|type annotations|type errors|\bfixup all\b|broken .*links?|\bregistry\b",
    re.IGNORECASE,
)
MAX_PURPOSES = 30
"""Files that one commit may touch and still look like one step."""
_SCATTERED = 20
_CORNERS = 6
"""Files, and folders at the top, from which a commit reaches into many parts of a project at once."""
_PLACES = 3
"""Unrelated places, at the top of the tree, that bear out a first line that speaks of several changes and names none."""
_ENOUGH_PURPOSES = 5
"""Purposes in a first line that need nothing to bear them out."""
_PART = lazy_compile(
    r"\s*[;+&]\s+|\s+[/|]\s+|\s*,\s+(?:and\s+|plus\s+)?|\s+(?:and|plus|as well as)\s+|(?<=\w)[.!]\s+|(?:^|\s)\(?\d{1,2}[.)]\s+",
    re.IGNORECASE,
)
_AGAIN = lazy_compile(
    r"^(?:(?:(?:and|also|then|plus|additionally|finally)\b,?|(?:wip|feat|feature|fix|chore|refactor|docs?|build|ci|perf|style|test)(?:\([\w ./-]{1,40}\))?!?:)\s+)+(?=\w+\s)",
    re.IGNORECASE,
)
"""What stands before a further purpose without being a part of it."""
_SQUASHED = lazy_compile(r"\(#\d+\)\s*$")
"""A branch merged into one commit: below it stand the steps towards one purpose."""
_FEWEST_PURPOSES = 3
_DOES = lazy_compile(
    r"^(?:(?:add|fix|update|upgrade|bump|remove|delete|drop|rewrite|refactor|rename|move|translate|improve|change|implement|introduce|support|clean|document|test|make|use"
    r"|replace|create|switch|extend|split|merge|allow|enable|disable|set\s?up|configure|migrate|convert|rework|redesign|tidy|simplify|correct|handle|paginate|raise|lower|increase"
    r"|reduce|cache|ship|show|hide|wire|write|build|port|speed|bring|turn|send|store|load|parse|validate|prevent|avoid|ignore|return|start|downgrade|restyle|localise|localize|deploy|publish"
    r"|integrate|optimise|optimize|prepare|refresh|retire|revert|rotate|secure|tweak|adjust|tune|unify|wrap|expose|extract|separate|install|let|stop|limit|validate|sort|swap|repair|patch|lint|export|import|print|draw|render|sync|track|filter|group|retry|compress|encrypt|throttle|pin|unpin|guard|reject|accept|require|offer|list|mark|count|sign|verify|warn|restore|recover|collect|record|schedule|notify|mail|archive|undo|duplicate|forward|redirect|upload|download|mute|silence|colou?r|sanitize|sanitise|escape|deprecate|document|rebuild|recalculate|compute|calculate)(?:s|e?d|ing)?"
    r"|(?:re)?format(?:s|ted|ting)?"
    r"|new|made|wrote|rewrote|rewritten|written|built|brought|sent|split|set|put|hid|hidden|shown)\b",
    re.IGNORECASE,
)
"""How a purpose begins in a list of several."""
_LISTED = 200
_STEM = 6
"""Letters by which a word of a message is known again in a path: `emails` in `email/send.py`."""
_ITEM = lazy_compile(r"^(?:[-*+\u2022\u2013]|\(?\d{1,2}[.)])\s+(?P<said>\S.{0,200})")
"""A line of a list below the first line of a message."""
_TYPED = lazy_compile(
    r"^(?P<type>feat|fix|chore|refactor|perf|build|style|ci)(?:\([\w ./-]{1,40}\))?!?:\s+\S", re.IGNORECASE
)
_ACCOMPANIES = lazy_compile(
    r"\b(?:tests?|specs?|docs?|documentation|readme|changelog|release notes|comments?|docstrings?|types?|typings|snapshots?|fixtures?|lint\w*|ruff|mypy|format\w*|(?:bump|raise|update|increase|set)\w*\s+(?:the\s+)?(?:package\s+|project\s+)?versions?|lock ?files?|imports?|ci|deps|dependenc\w+|examples?|references?|usages?|callers?|calls?|call sites|configs?|configuration|translations?)\b",
    re.IGNORECASE,
)
"""What goes with whatever purpose a commit has."""
_TIDIES = lazy_compile(
    r"^(?:re-?)?(?:sort|format(?!ting\s+(?:fix|change|issue|error))|lint(?!(?:ing|er)?\s+(?:fix|error|warning|issue|rule)|er)|tid(?:y|ied)|clean)(?:s|t?ed|t?ing)?\b",
    re.IGNORECASE,
)
"""How a purpose begins that puts in order what is there: what it is done to needs none of the others."""
_SUNDRY = lazy_compile(
    r"^(?:\w+(?:\([^)]{0,80}\))?:\s*)?(?:(?:some|all|many|more|lots of|a bunch of|a lot of)\s+)?(?:various|several|misc(?:ellaneous)?\.?|assorted|sundry|random|different|multiple|mixed|a bunch of|lots of|loads of|tons of|a couple of|a few|a lot of|bunch of|a pile of|a heap of|all kinds of|all sorts of)\s+(?:(?:\w+|small|minor|other)\s+)?(?:fix(?:es)?|changes|improvements|updates|things|stuff|tweaks|edits|features|bug\s?fixes|additions|clean-?ups)\s*[.!]*$",
    re.IGNORECASE,
)
"""A first line that says of itself that it stands for several purposes."""
_COLLECTS = lazy_compile(
    r"^(?:(?:the|my|a|an|big|huge|large|feature|features|change|changes|update|updates|fix|fixes|new|next|weekly|daily|friday|monday|end of|work of|all)\s+){0,4}"
    r"(?:bundle|batch|bulk|collection|mix(?:ed bag)?|grab bag|bits and pieces|odds and ends|dump|drop|sync|snapshot|catch-?up|things|stuff|changes|updates|features|improvements"
    r"|work|progress|everything|day|week|weekend|sprint|iteration|milestone|round|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|yesterday|housekeeping|maintenance)"
    r"(?:\s+(?:of|for|from|the|this|last|week|day|sprint|today|yesterday|changes|work|things|stuff|fixes|features|updates|commit|#?\d{1,4})){0,5}\s*[.:!]*$",
    re.IGNORECASE,
)
"""A first line under which anything may be listed."""


@probe("history.atomic_commits")
def atomic_commits(history: History) -> Iterator[Fact]:
    """Do single commits do too much at once?

    More than 30 files in many folders, or a message that names three purposes that have nothing to do with each
    other. Mechanical changes, merges and what a release touches are left out.

    Give every purpose its own commit: a move, a rename, a fix and a feature are four.
    """
    own = [commit for commit in history.commits if not commit.is_merge and commit.parents]
    if not own:
        yield (
            not_applicable("No commit here has a parent to be compared with.")
            if history.complete
            else no_commits_fact(history)
        )
        return
    broad = {commit.sha: commit for commit in own if _is_broad(commit)}
    wide = [commit for commit in broad.values() if not _is_mechanical(commit)]
    alike = len(broad) - len(wide)
    told = f"; {alike:,} wide {verb(alike, 'one says that it changes', 'ones say that they change')} all alike"
    listing = [each for each in own if each.sha not in broad and _serves_several(each)]
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
            "says itself that it serves several purposes, and reaches into unrelated places",
            "say themselves that they serve several purposes, and reach into unrelated places",
        ),
        at=[commit_location(commit) for commit in listing[:20]],
        confidence=0.7,
        because="what a message lists may be parts of one purpose",
        measure=round(len(listing) / whole, 4),
    )


def _many_files(wide: Sequence[Commit], whole: int, told: str) -> Fact:
    return found(
        describe_share(
            len(wide),
            whole,
            f"touches more than {MAX_PURPOSES} files in many folders{told}",
            f"touch more than {MAX_PURPOSES} files in many folders{told}",
        ),
        at=[commit_location(commit) for commit in wide[:20]],
        confidence=0.7,
        because="a mechanical change is wide and still one purpose, and not each says so",
        measure=round(len(wide) / whole, 4),
    )


def _all_of_one_purpose(history: History, whole: int, told: str) -> Fact:
    sure, why = history_confidence(history, 1.0)
    limit = f"more than {MAX_PURPOSES} files in many folders"
    none = f"None of {whole:,} commits touches {limit}, or lists" if whole > 1 else ""
    return not_found(
        f"{none or f'The only commit neither touches {limit} nor lists'} purposes that have nothing to do with each other{told}.",
        confidence=sure,
        because=why,
    )


def _is_broad(commit: Commit) -> bool:
    """Many files in many folders, without files that were only moved and those that every release touches."""
    if len(commit.files) <= MAX_PURPOSES:
        return False
    files = [file for file in commit.files if _name(file).lower() not in _ALONG]
    added, deleted = (
        {_name(file) for file in files if file.status is status} for status in (Status.ADDED, Status.DELETED)
    )
    left = [file for file in files if file.status is Status.MODIFIED or _name(file) not in added & deleted]
    return len(left) > MAX_PURPOSES and len({file.path.rpartition("/")[0] for file in left}) > 8


def _serves_several(commit: Commit) -> bool:
    """Does its first line list several purposes, or say that there are several, and does it reach into unrelated places?

    The list is the evidence. A wide reach bears out any list; where few files are touched, what goes with every purpose
    (tests, documents, settings) is counted neither as a purpose nor as a place, unless it is put in order, and in one
    place only purposes count that speak of nothing that another one speaks of.
    """
    if _is_scattered(commit) and _lists_purposes(commit):
        return True
    if len(commit.files) <= 1:
        return False
    listed = [each for each in _purposes(commit) if _TIDIES.match(each) or not _ACCOMPANIES.search(each)]
    if len(listed) < _FEWEST_PURPOSES:
        return _SUNDRY.match(commit.subject[:200]) is not None and len(_places(commit)) >= _PLACES
    if len(listed) >= _ENOUGH_PURPOSES or (len(_places(commit)) > 1 and len(listed) - _tied(listed) > 1):
        return True
    return len(_touched(commit)) > 1 and _unrelated(listed) >= _FEWEST_PURPOSES


def _tied(purposes: list[str]) -> int:
    """How many of them speak of what one before speaks of or does: an export, its button and its page are one purpose."""
    known: set[str] = set()
    count = 0
    for each in purposes:
        first, _, rest = each.lower().partition(" ")
        said = {word[:_STEM] for word in re.findall(r"[a-z]{4,}", rest)} - _FILLING
        count += bool(said & known) or _POINTS_BACK.search(rest) is not None
        known |= said | {first[:_STEM]}
    return count


def _unrelated(purposes: list[str]) -> int:
    """How many of them speak of nothing that one before speaks of, by their words."""
    known: set[str] = set()
    count = 0
    for each in purposes:
        said = {word[:_STEM] for word in re.findall(r"[a-z]{4,}", each.lower().partition(" ")[2])} - _FILLING
        count += bool(said) and not said & known and not _POINTS_BACK.search(each)
        known |= said
    return count


_FILLING = frozenset(
    {"with", "from", "into", "when", "that", "this", "onto", "than", "more", "also", "only", "some", "their", "there"}
)
_POINTS_BACK = lazy_compile(
    r"\b(?:it|its|them|their|this|that|these|those|there|same|accordingly|instead)\b", re.IGNORECASE
)
"""Words of a purpose that speak of the one before."""


def _places(commit: Commit) -> set[str]:
    """Where it reaches, by what stands at the top of the tree; what goes with every purpose is left out."""
    return {path.partition("/")[0] for path in _touched(commit)}


def _touched(commit: Commit) -> list[str]:
    """The files that it touches, without what goes with every purpose."""
    product = (each.path for each in commit.files if _name(each).lower() not in _ALONG)
    return [path for path in product if role(path) not in _WITH_ANY]


def _is_scattered(commit: Commit) -> bool:
    """Does it reach into many unrelated parts, by the top-level folders of what is left without what every release touches?"""
    if len(commit.files) < _SCATTERED:
        return False
    files = [file for file in commit.files if _name(file).lower() not in _ALONG]
    return (
        len(files) >= _SCATTERED
        and len({file.path.partition("/")[0] for file in files if "/" in file.path}) >= _CORNERS
    )


def _lists_purposes(commit: Commit) -> bool:
    """Does its first line name three purposes or more? Three things that are added at once are one."""
    if len([part for part in re.split(r"\s*;\s+", commit.subject[:400]) if len(part.split()) > 1]) >= _FEWEST_PURPOSES:
        return True
    return len(_purposes(commit)) >= _FEWEST_PURPOSES


def _purposes(commit: Commit) -> list[str]:
    """Parts of its first line that each say what is done; where that line says nothing, or only that there are several, the list below it."""
    parts = [part.strip() for part in _PART.split(commit.subject[:400])]
    said = [_AGAIN.sub("", part, count=1) for part in parts]
    found = [part for part in said if len(part.split()) > 1 and _DOES.match(part)]
    if len(found) < _FEWEST_PURPOSES and not found:
        found = _named_places(commit, said)
    return found if len(found) >= _FEWEST_PURPOSES else [*found, *_below(commit)]


def _named_places(commit: Commit, parts: list[str]) -> list[str]:
    """The parts of a mere list of things, such as `Login, search and dark mode`, each of which has a place of its own in the change."""
    if len(parts) < _FEWEST_PURPOSES or ":" in commit.subject.removeprefix("WIP:"):
        return []
    places = {path: path.partition("/")[0] for path in (each.path for each in commit.files[:_LISTED])}
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


def _below(commit: Commit) -> list[str]:
    """The items of a list below a first line that holds them together by nothing, and lines below it of types of their own."""
    rows = [row.strip() for row in commit.message.strip().split("\n")[1:60]]
    typed = {told["type"].lower(): row for row in (commit.subject, *rows) if ":" in row and (told := _TYPED.match(row))}
    if len(typed) >= _FEWEST_PURPOSES and not _SQUASHED.search(commit.subject):
        return list(typed.values())
    items = [told["said"] for row in rows if (told := _ITEM.match(row)) and len(told["said"].split()) > 1]
    if not items:
        return []
    subject = commit.subject[:200]
    return items if _COLLECTS.match(subject) or _SUNDRY.match(subject) or is_uninformative(commit.subject) else []


def _name(file: CommitFile) -> str:
    return file.path.rpartition("/")[2]


def _is_mechanical(commit: Commit) -> bool:
    """Does it say so, and do nothing but modify?"""
    modified = sum(file.status is Status.MODIFIED for file in commit.files)
    return modified >= 0.9 * len(commit.files) and bool(_MECHANICAL.search(commit.subject))
