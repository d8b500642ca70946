"""How the work came about, as far as commits tell. What they say is the author's word: facts here never repeat it.

Names, dates and messages can be written at will, so everything drawn from them is a claim with a confidence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from pydantic import ConfigDict

from auditor.domain import (
    Commit,
    CommitFile,
    CommitLocation,
    Fact,
    Frozen,
    History,
    Location,
    ProbeData,
    Status,
    Subject,
)
from auditor.forensics.facts import counted, each_of, found, not_applicable, not_found, several, unavailable, verb
from auditor.forensics.probe import probe
from auditor.forensics.roles import Role, role
from auditor.late import late

HOUR = 3600
DAY = 24 * HOUR
BULK_SHARE = 0.8
"""Share of all file changes in one commit from which a history counts as a bulk upload."""
_FEW = 5
_CLAIMS = "dates and authorship are what the author's machine wrote"
_SHORT = late(r"^(?:test|tests|temp|typos?|clean|asdf+\w*|qwert\w*|blah+|x{2,}|a{2,}|\W+)\W*$", re.IGNORECASE)
_EMPTY = frozenset(
    {
        "änderungen", "a", "add", "added", "adding", "additional", "adds", "adjust", "adjusted", "adjustment", "adjustments", "again", "ajustes",
        "all", "also", "an", "and", "another", "anpassungen", "anything", "argh", "arreglos", "as", "attempt", "backup", "big", "bit", "bits", "bug",
        "bugfix", "bugfixes", "bugs", "cambios", "change", "changed", "changes", "changing", "checkpoint", "clean", "cleaned", "cleanup", "cleanups",
        "code", "commit", "commited", "commits", "committing", "complete", "completed", "corrected", "correction", "corrections", "create",
        "created", "day", "delete", "deleted", "done", "edit", "edited", "edits", "end", "error", "errors", "everything", "far", "few", "file",
        "files", "final", "finally", "finals", "finish", "finished", "fix", "fixed", "fixes", "fixing", "fixup", "for", "further", "hmm",
        "hotfix", "improve", "improved", "improvement", "improvements", "in", "issue", "issues", "it", "just", "last", "latest", "little", "lol",
        "made", "maj", "make", "makes", "minor", "misc", "miscellaneous", "mistake", "mistakes", "modification", "modifications", "modified",
        "modifs", "modify", "more", "my", "new", "nothing", "now", "of", "ok", "okay", "on", "oops", "ops", "other", "others", "pieces",
        "please", "problem", "problems", "progress", "push", "pushed", "pushing", "quick", "real", "really", "refactor", "refactored", "refactoring",
        "remove", "removed", "retry", "save", "saved", "saves", "saving", "several", "small", "so", "some", "something",
        "still", "stuff", "that", "the", "thing", "things", "this", "tiny", "tmp", "today", "todo", "tomorrow", "try", "trying",
        "tweak", "tweaked", "tweaking", "tweaks", "ugh", "up", "update", "updated", "updates", "updating", "upload", "uploaded", "various",
        "via", "whatever", "wip", "work", "worked", "working", "works",
    }
)  # fmt: skip
"""Words that say neither what was done to what, nor why."""
_NAMING = late(r"[#/`:@_<>|=&$(){}\[\]\"']|->|\d{3}|\w?[.]\w")
"""Marks of an issue, a path, a name, a version."""
_STOCK = late(r"(?:chore|fix|feat|refactor|style|misc|wip)!?:\s+(?=\S)", re.IGNORECASE)
_COUNTED = late(r"\d{1,2}")
_FEW_WORDS = 6
_WITH_ANY = frozenset({Role.TEST, Role.DOCUMENTATION, Role.LOCK, Role.GENERATED})
_MANY = 30
"""Commits from which a history has steps to show, whatever was imported in one of them."""
_ALONG = frozenset(
    {
        "changelog.md", "readme.md", "package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "uv.lock", "poetry.lock", "pyproject.toml", "pom.xml",
        "cargo.toml", "cargo.lock", "go.mod", "go.sum", "license", "version",
    }
)  # fmt: skip
"""Files that a release or an update of dependencies touches in every folder that has one."""
_MECHANICAL = late(
    r"\b(?:re)?format|\blint|\btypos?\b|copyright|licen[sc]e|\bheaders?\b|new year|whitespace|\bimports\b|\brenam|\bblack\b|\bruff\b|prettier|eslint|\bmypy\b|error.?prone"
    r"|\bspelling|\bindent|\bmove\b|\bbump|\bupgrade\b|\bport\b|\bmigrat|\bconvert\b|\breplace\b|type annotations|type errors|\bfixup all\b|broken .*links?|\bregistry\b",
    re.IGNORECASE,
)
_TRAILER = late(r"^(?:git-svn-id|change-id|signed-off-by|co-authored-by|reviewed-by|[a-z-]+-by):", re.IGNORECASE)
MAX_PURPOSES = 30
"""Files that one commit may touch and still look like one step."""
_SCATTERED = 20
_CORNERS = 6
"""Files, and folders at the top, from which a commit reaches into many parts of a project at once."""
_PLACES = 3
"""Unrelated places, at the top of the tree, that bear out a first line that speaks of several changes and names none."""
_ENOUGH_PURPOSES = 5
"""Purposes in a first line that need nothing to bear them out."""
_PART = late(
    r"\s*[;+&]\s+|\s+[/|]\s+|\s*,\s+(?:and\s+|plus\s+)?|\s+(?:and|plus|as well as)\s+|(?<=\w)[.!]\s+|(?:^|\s)\(?\d{1,2}[.)]\s+",
    re.IGNORECASE,
)
_AGAIN = late(
    r"^(?:(?:(?:and|also|then|plus|additionally|finally)\b,?|(?:wip|feat|feature|fix|chore|refactor|docs?|build|ci|perf|style|test)(?:\([\w ./-]{1,40}\))?!?:)\s+)+(?=\w+\s)",
    re.IGNORECASE,
)
"""What stands before a further purpose without being a part of it."""
_SQUASHED = late(r"\(#\d+\)\s*$")
"""A branch merged into one commit: below it stand the steps towards one purpose."""
_FEWEST_PURPOSES = 3
_DOES = late(
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
_ITEM = late(r"^(?:[-*+\u2022\u2013]|\(?\d{1,2}[.)])\s+(?P<said>\S.{0,200})")
"""A line of a list below the first line of a message."""
_TYPED = late(r"^(?P<type>feat|fix|chore|refactor|perf|build|style|ci)(?:\([\w ./-]{1,40}\))?!?:\s+\S", re.IGNORECASE)
_ACCOMPANIES = late(
    r"\b(?:tests?|specs?|docs?|documentation|readme|changelog|release notes|comments?|docstrings?|types?|typings|snapshots?|fixtures?|lint\w*|ruff|mypy|format\w*|(?:bump|raise|update|increase|set)\w*\s+(?:the\s+)?(?:package\s+|project\s+)?versions?|lock ?files?|imports?|ci|deps|dependenc\w+|examples?|references?|usages?|callers?|calls?|call sites|configs?|configuration|translations?)\b",
    re.IGNORECASE,
)
"""What goes with whatever purpose a commit has."""
_TIDIES = late(
    r"^(?:re-?)?(?:sort|format(?!ting\s+(?:fix|change|issue|error))|lint(?!(?:ing|er)?\s+(?:fix|error|warning|issue|rule)|er)|tid(?:y|ied)|clean)(?:s|t?ed|t?ing)?\b",
    re.IGNORECASE,
)
"""How a purpose begins that puts in order what is there: what it is done to needs none of the others."""
_SUNDRY = late(
    r"^(?:\w+(?:\([^)]{0,80}\))?:\s*)?(?:(?:some|all|many|more|lots of|a bunch of|a lot of)\s+)?(?:various|several|misc(?:ellaneous)?\.?|assorted|sundry|random|different|multiple|mixed|a bunch of|lots of|loads of|tons of|a couple of|a few|a lot of|bunch of|a pile of|a heap of|all kinds of|all sorts of)\s+(?:(?:\w+|small|minor|other)\s+)?(?:fix(?:es)?|changes|improvements|updates|things|stuff|tweaks|edits|features|bug\s?fixes|additions|clean-?ups)\s*[.!]*$",
    re.IGNORECASE,
)
"""A first line that says of itself that it stands for several purposes."""
_COLLECTS = late(
    r"^(?:(?:the|my|a|an|big|huge|large|feature|features|change|changes|update|updates|fix|fixes|new|next|weekly|daily|friday|monday|end of|work of|all)\s+){0,4}"
    r"(?:bundle|batch|bulk|collection|mix(?:ed bag)?|grab bag|bits and pieces|odds and ends|dump|drop|sync|snapshot|catch-?up|things|stuff|changes|updates|features|improvements"
    r"|work|progress|everything|day|week|weekend|sprint|iteration|milestone|round|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|yesterday|housekeeping|maintenance)"
    r"(?:\s+(?:of|for|from|the|this|last|week|day|sprint|today|yesterday|changes|work|things|stuff|fixes|features|updates|commit|#?\d{1,4})){0,5}\s*[.:!]*$",
    re.IGNORECASE,
)
"""A first line under which anything may be listed."""


class Progression(ProbeData):
    """The shape of a history."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    commits: int
    span_hours: float
    largest_commit_share: float
    bulk: bool


@probe("history.progression")
def progression(history: History, subject: Subject) -> Iterator[Fact]:
    """Did the work grow step by step?

    Not so where one commit holds four fifths of all file changes; of a whole history also not where it has fewer
    than five commits, or all were made within an hour. A change of fewer than five commits does not apply.

    Commit as you go, one working step at a time, instead of uploading the result.
    """
    own, cut = _own(history)
    if not own:
        yield _nothing(history)
        return
    sizes = [len(commit.files) for commit in own]
    share = max(sizes) / (sum(sizes) or 1)
    span = _span_hours(own)
    bulk = share >= BULK_SHARE and sum(sizes) > 10 and len(own) < _MANY
    if subject.merge_base and len(own) < _FEW:
        yield not_applicable(f"The change has {_counted(len(own))}: too few to speak of a progression.")
        return
    if cut and (bulk or len(own) < _FEW or span < 1):
        yield unavailable(f"Too little of the history is there to see steps in it: {history.limit_reason}.")
        return
    data = Progression(commits=len(own), span_hours=round(span, 1), largest_commit_share=round(share, 4), bulk=bulk)
    sure, why = _sureness(history, 0.8)
    shape = _shape(len(own), span, share)
    tell = partial(not_found, because=why, data=data)
    if bulk:
        largest = own[sizes.index(max(sizes))]
        statement = f"The history is an upload in bulk: {shape}."
        yield tell(statement, at=[_at(largest)], confidence=sure, measure=round(1 - share, 4))
    elif len(own) < _FEW:
        largest = own[sizes.index(max(sizes))]
        yield tell(f"The history is too short to show steps: {shape}.", at=[_at(largest)], confidence=min(sure, 0.6))
    elif span < 1 and not subject.merge_base:
        ends = [_at(own[0]), _at(own[-1])]
        yield tell(f"All commits were written within an hour: {shape}.", at=ends, confidence=min(sure, 0.7))
    else:
        yield found(f"The work grew in steps: {shape}.", confidence=sure, because=why, data=data)


def _shape(commits: int, span: float, share: float) -> str:
    if commits == 1:
        return "one commit"
    part = f"{share:.0%}" if share >= 0.005 else "less than 1%"
    return f"{_counted(commits)} over {_spoken(span)}, the largest with {part} of all file changes"


def _own(history: History) -> tuple[list[Commit], bool]:
    """Commits that are no merges, and whether the history was cut off: the oldest then seems to write all files at once."""
    own = [commit for commit in history.commits if not commit.is_merge]
    later = [commit for commit in own if commit.parents]
    cut = not history.complete and len(later) < len(own)
    return (later, cut) if cut and later else (own, cut)


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
            else _nothing(history)
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
        _of_commits(
            len(listing),
            whole,
            "says itself that it serves several purposes, and reaches into unrelated places",
            "say themselves that they serve several purposes, and reach into unrelated places",
        ),
        at=[_at(commit) for commit in listing[:20]],
        confidence=0.7,
        because="what a message lists may be parts of one purpose",
        measure=round(len(listing) / whole, 4),
    )


def _many_files(wide: Sequence[Commit], whole: int, told: str) -> Fact:
    return found(
        _of_commits(
            len(wide),
            whole,
            f"touches more than {MAX_PURPOSES} files in many folders{told}",
            f"touch more than {MAX_PURPOSES} files in many folders{told}",
        ),
        at=[_at(commit) for commit in wide[:20]],
        confidence=0.7,
        because="a mechanical change is wide and still one purpose, and not each says so",
        measure=round(len(wide) / whole, 4),
    )


def _all_of_one_purpose(history: History, whole: int, told: str) -> Fact:
    sure, why = _sureness(history, 1.0)
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
_POINTS_BACK = late(r"\b(?:it|its|them|their|this|that|these|those|there|same|accordingly|instead)\b", re.IGNORECASE)
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
    return items if _COLLECTS.match(subject) or _SUNDRY.match(subject) or _says_nothing(commit.subject) else []


def _name(file: CommitFile) -> str:
    return file.path.rpartition("/")[2]


def _is_mechanical(commit: Commit) -> bool:
    """Does it say so, and do nothing but modify?"""
    modified = sum(file.status is Status.MODIFIED for file in commit.files)
    return modified >= 0.9 * len(commit.files) and bool(_MECHANICAL.search(commit.subject))


@probe("history.messages")
def messages(history: History) -> Iterator[Fact]:
    """Do commit messages say nothing?

    Messages of nothing but stock words (wip, fix, update). A short message that names a thing says something.

    Write what changes and why, in a line that makes sense a year later.
    """
    own = [commit for commit in history.commits if not commit.is_merge]
    if not own:
        yield _nothing(history)
        return
    empty = [commit for commit in own if _says_nothing(commit.subject) and not _explains(commit.message)]
    sure, why = _sureness(history, 1.0)
    if not empty:
        yield not_found(f"{each_of(len(own), 'commit message')} says something.", confidence=sure, because=why)
        return
    yield found(
        _says_little(len(empty), len(own)),
        at=[_at(commit) for commit in empty[:20]],
        confidence=sure,
        because=why,
        measure=round(len(empty) / len(own), 4),
    )


def _nothing(history: History) -> Fact:
    """Without commits the question does not apply, unless a limit kept them away."""
    if history.complete:
        return not_applicable("There is no commit to look at.")
    return unavailable(f"There is no commit to look at: {history.limit_reason}.")


def _says_nothing(subject: str) -> bool:
    """A stock word, or too short: a character of a wide script says as much as a syllable, so it counts twice."""
    text = subject.strip()
    length = sum(2 if unicodedata.east_asian_width(each) in {"W", "F"} else 1 for each in text[:4])
    return length < 4 or bool(_SHORT.match(text)) or _is_stock(_STOCK.sub("", text[:200], count=1))


def _is_stock(text: str) -> bool:
    """Is it made of nothing but words that fit any commit? An issue, a name, a version say something."""
    if _NAMING.search(text):
        return False
    if any(len(each) >= 4 and each.isupper() for each in re.findall(r"[A-Za-z]+", text)) and not text.isupper():
        return False  # a file such as CHANGES or TODO
    words = [each for each in re.split(r"[^\w]+", text.lower()) if each and not _COUNTED.fullmatch(each)]
    return 0 < len(words) <= _FEW_WORDS and all(re.sub(r"\d{1,2}$", "", each) in _EMPTY for each in words)


def _explains(message: str) -> bool:
    """Does the rest of a message say what its first line does not? Lines that tools add are no words of the author."""
    rest = [line.strip() for line in message.strip().split("\n")[1:]]
    return len(" ".join(line for line in rest if line and not _TRAILER.match(line))) >= 20


class DatedCommit(Frozen):
    """A commit and what is odd about its dates."""

    sha: str
    what: str


def _says_little(empty: int, whole: int) -> str:
    """How many messages say nothing, and what they are instead."""
    if whole == 1:
        return "The only commit message says nothing: it is empty or a single stock word."
    it_is = verb(empty, "says nothing: it is", "say nothing: they are")
    return f"{counted(empty, whole, 'commit message')} {it_is} empty or a single stock word."


class Dates(ProbeData):
    """All commits with odd dates."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    commits: tuple[DatedCommit, ...]


_ODD = {
    "unreadable": ("carries a date that cannot be read", "carry a date that cannot be read", 0.95, "broken tools write such dates too"),
    "future": ("was written, by its own dates, more than an hour after it was committed", "were written, by their own dates, more than an hour after they were committed", 0.85, "a wrong clock does the same"),
    "ahead": ("carries a date that lies two days or more after that of this audit, {day}", "carry a date that lies two days or more after that of this audit, {day}", 0.9, "the clock of this machine was believed"),
    "before_parent": ("was committed, by its own dates, more than an hour before its parent", "were committed, by their own dates, more than an hour before their parents", 0.8, "a wrong clock does the same"),
}  # fmt: skip
_USUAL = {
    "mismatch": "committed by somebody else than the author",
    "author_before_parent": "written, going by the dates, more than a day before the parent",
}
"""Oddities that everyday work leaves behind: they are told, and prove nothing."""


@probe("history.dates")
def dates(history: History) -> Iterator[Fact]:
    """Do commit dates contradict each other?

    Later than the day of the audit (in UTC, with a day to spare), or more than an hour before a parent. Rebasing
    leaves differences that are told and not charged.

    Set the clock of the machine that commits; where dates were rewritten, say so in the description.
    """
    if not history.commits:
        yield _nothing(history)
        return
    by_sha = {commit.sha: commit for commit in history.commits}
    odd: dict[str, list[Commit]] = {}
    for commit in history.commits:
        for what in _oddities(commit, by_sha, history.read_at):
            odd.setdefault(what, []).append(commit)
    serious = {what: commits for what, commits in odd.items() if what not in _USUAL}
    if not serious:
        yield not_found(
            f"{_dates(len(history.commits))} together{_also(odd)}.",
            data=Dates(
                commits=tuple(DatedCommit(sha=each.sha, what=what) for what in _USUAL for each in odd.get(what, ()))
            ),
            confidence=_sureness(history, 0.9)[0],
            because=_sureness(history, 0.9)[1],
        )
        return
    for what, commits in serious.items():
        one, many, confidence, because = _ODD[what]
        day = _day(history.read_at)
        yield found(
            _of_commits(len(commits), len(history.commits), one.format(day=day), many.format(day=day)),
            at=[_at(commit) for commit in commits[:20]],
            confidence=confidence,
            because=because,
            measure=round(len(commits) / len(history.commits), 4),
            data=Dates(commits=tuple(DatedCommit(sha=commit.sha, what=what) for commit in commits)),
        )


def _also(odd: dict[str, list[Commit]]) -> str:
    """What is told and not charged."""
    told = [f"{len(odd[what]):,} {sentence}" for what, sentence in _USUAL.items() if what in odd]
    return f"; among them, as merging and rebasing leave it, {' and '.join(told)}" if told else ""


def _oddities(commit: Commit, by_sha: dict[str, Commit], now: int | None) -> Iterator[str]:
    authored, committed = commit.author.time, commit.committer.time
    if authored is None or committed is None:
        yield "unreadable"
        return
    if authored > committed + HOUR:
        yield "future"
    if now is not None and max(authored, committed) >= (now // DAY + 2) * DAY:
        yield "ahead"  # by days, so that audits of one day say the same
    parents = [by_sha[parent].committer.time for parent in commit.parents if parent in by_sha]
    if any(time is not None and committed < time - HOUR for time in parents):
        yield "before_parent"
    written = [by_sha[parent].author.time for parent in commit.parents if parent in by_sha]
    if any(time is not None and authored < time - DAY for time in written):
        yield "author_before_parent"
    if commit.author.email != commit.committer.email:
        yield "mismatch"


def _day(moment: int | None) -> str:
    """A day of the calendar, in UTC."""
    return datetime.fromtimestamp(moment or 0, UTC).date().isoformat()


def _span_hours(commits: list[Commit]) -> float:
    times = [commit.author.time for commit in commits if commit.author.time is not None]
    return (max(times) - min(times)) / HOUR if times else 0.0


def _counted(commits: int) -> str:
    return several(commits, "commit")


def _of_commits(part: int, whole: int, one: str, many: str) -> str:
    """`2 of 7 commits` and what they do, or `The only commit` and what it does."""
    which = "The only commit" if whole == 1 else counted(part, whole, "commit")
    return f"{which} {verb(part, one, many)}."


def _dates(commits: int) -> str:
    return "The dates of the only commit fit" if commits == 1 else f"The dates of {commits:,} commits fit"


def _spoken(hours: float) -> str:
    if hours < 0.05:
        return "a few minutes"
    return f"{hours / 24:,.0f} days" if hours >= 48 else f"{hours:.1f} hours"


def _sureness(history: History, confidence: float) -> tuple[float, str]:
    if history.complete:
        return confidence, _CLAIMS
    return round(confidence * 0.75, 2), f"{_CLAIMS}; {history.limit_reason}"


def _at(commit: Commit) -> Location:
    return CommitLocation(sha=commit.sha)
