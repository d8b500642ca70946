"""How the work came about, as far as commits tell. What they say is the author's word: facts here never repeat it.

Names, dates and messages can be written at will, so everything drawn from them is a claim with a confidence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

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
from auditor.forensics.facts import found, not_applicable, not_found, unavailable
from auditor.forensics.probe import probe
from auditor.forensics.roles import Role, role

HOUR = 3600
DAY = 24 * HOUR
BULK_SHARE = 0.8
"""Share of all file changes in one commit from which a history counts as a bulk upload."""
_FEW = 5
_CLAIMS = "dates and authorship are what the author's machine wrote"
_SHORT = re.compile(
    r"^(?:wip|fix(?:es|ed|up)?|update[sd]?|changes?|misc|stuff|test|tmp|temp|commit|asdf+|\.+|done|cleanup|minor|more|oops|typo)\W*$",
    re.IGNORECASE,
)
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
_MECHANICAL = re.compile(
    r"\b(?:re)?format|\blint|\btypos?\b|copyright|licen[sc]e|\bheaders?\b|new year|whitespace|\bimports\b|\brenam|\bblack\b|\bruff\b|prettier|eslint|\bmypy\b|error.?prone"
    r"|\bspelling|\bindent|\bmove\b|\bbump|\bupgrade\b|\bport\b|\bmigrat|\bconvert\b|\breplace\b|type annotations|type errors|\bfixup all\b|broken .*links?|\bregistry\b",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"^(?:git-svn-id|change-id|signed-off-by|co-authored-by|reviewed-by|[a-z-]+-by):", re.IGNORECASE)
MAX_PURPOSES = 30
"""Files that one commit may touch and still look like one step."""
_SCATTERED = 20
_CORNERS = 6
"""Files, and folders at the top, from which a commit reaches into many parts of a project at once."""
_PLACES = 3
"""Unrelated places, at the top of the tree, that bear out a first line that speaks of several changes and names none."""
_ENOUGH_PURPOSES = 5
"""Purposes in a first line that need nothing to bear them out."""
_PART = re.compile(r"\s*[;+&]\s+|\s+[/|]\s+|\s*,\s+(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_FEWEST_PURPOSES = 3
_DOES = re.compile(
    r"^(?:add|fix|update|upgrade|bump|remove|delete|drop|rewrite|refactor|rename|move|translate|improve|change|implement|introduce|support|clean|document|test|make|use"
    r"|replace|create|switch|extend|split|merge|allow|enable|disable|new|set\s?up|configure|migrate|convert|rework|redesign|tidy|simplify|correct|handle)"
    r"(?:s|e?d|ing)?\b",
    re.IGNORECASE,
)
"""How a purpose begins in a list of several."""
_ACCOMPANIES = re.compile(
    r"\b(?:tests?|specs?|docs?|documentation|readme|changelog|release notes|comments?|docstrings?|types?|typings|snapshots?|fixtures?|lint\w*|ruff|mypy|format\w*|versions?|lock ?files?|imports?|ci|deps|dependenc\w+|examples?|references?|usages?|callers?|calls?|call sites|configs?|configuration|translations?)\b",
    re.IGNORECASE,
)
"""What goes with whatever purpose a commit has."""
_SUNDRY = re.compile(
    r"^(?:\w+(?:\([^)]{0,80}\))?:\s*)?(?:(?:some|all|many|more|lots of|a bunch of|a lot of)\s+)?(?:various|several|misc(?:ellaneous)?\.?|assorted|sundry|random|different|multiple|a bunch of|lots of)\s+(?:(?:\w+|small|minor|other)\s+)?(?:fix(?:es)?|changes|improvements|updates|things|stuff|tweaks|edits|features|bug\s?fixes|additions|clean-?ups)\s*[.!]*$",
    re.IGNORECASE,
)
"""A first line that says of itself that it stands for several purposes."""


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
    data = Progression(commits=len(own), span_hours=round(span, 1), largest_commit_share=round(share, 4), bulk=bulk)
    largest = own[sizes.index(max(sizes))]
    if subject.merge_base and len(own) < _FEW:
        yield not_applicable(
            f"The change has {len(own)} {'commit' if len(own) == 1 else 'commits'}: too few to speak of a progression."
        )
        return
    if cut and (bulk or len(own) < _FEW or span < 1):
        yield unavailable(f"Too little of the history is there to see steps in it: {history.limit_reason}.")
        return
    sure, why = _sureness(history, 0.8)
    shape = f"{_counted(len(own))} over {_spoken(span)}, the largest with {share:.0%} of all file changes"
    if bulk:
        yield not_found(
            f"The history is an upload in bulk: {shape}.",
            at=[_at(largest)],
            confidence=sure,
            because=why,
            measure=round(1 - share, 4),
            data=data,
        )
    elif len(own) < _FEW:
        yield not_found(
            f"The history is too short to show steps: {shape}.",
            at=[_at(largest)],
            confidence=min(sure, 0.6),
            because=why,
            data=data,
        )
    elif span < 1 and len(own) >= _FEW and not subject.merge_base:
        yield not_found(
            f"All commits were written within an hour: {shape}.",
            at=[_at(own[0]), _at(own[-1])],
            confidence=min(sure, 0.7),
            because=why,
            data=data,
        )
    else:
        yield found(f"The work grew in steps: {shape}.", confidence=sure, because=why, data=data)


def _own(history: History) -> tuple[list[Commit], bool]:
    """Commits that are no merges, and whether the history was cut off: the oldest then seems to write all files at once."""
    own = [commit for commit in history.commits if not commit.is_merge]
    later = [commit for commit in own if commit.parents]
    cut = not history.complete and len(later) < len(own)
    return (later, cut) if cut and later else (own, cut)


@probe("history.atomic_commits")
def atomic_commits(history: History) -> Iterator[Fact]:
    """Do single commits do too much at once?

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
    if len(own) == 1 and history.complete:
        yield not_applicable("There is 1 commit: it is as wide as the whole, which is looked at by itself.")
        return
    broad = {commit.sha: commit for commit in own if _is_broad(commit)}
    wide = [commit for commit in broad.values() if not _is_mechanical(commit)]
    alike = len(broad) - len(wide)
    told = f"; {alike} wide ones say that they change all alike" if alike else ""
    listing = [each for each in own if each.sha not in broad and _serves_several(each)]
    if listing:
        yield found(
            f"{len(listing)} of {len(own):,} commits say themselves that they serve several purposes, and reach into unrelated places.",
            at=[_at(commit) for commit in listing[:20]],
            confidence=0.7,
            because="what a message lists may be parts of one purpose",
            measure=round(len(listing) / len(own), 4),
        )
    if wide:
        yield found(
            f"{len(wide)} of {len(own):,} commits touch more than {MAX_PURPOSES} files in many folders{told}.",
            at=[_at(commit) for commit in wide[:20]],
            confidence=0.7,
            because="a mechanical change is wide and still one purpose, and not each says so",
            measure=round(len(wide) / len(own), 4),
        )
    if not wide and not listing:
        sure, why = _sureness(history, 1.0)
        yield not_found(
            f"None of {len(own):,} commits touches more than {MAX_PURPOSES} files in many folders, or lists purposes that have nothing to do with each other{told}.",
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
    (tests, documents, settings) is counted neither as a purpose nor as a place.
    """
    if _is_scattered(commit) and _lists_purposes(commit):
        return True
    if len(commit.files) <= 1:
        return False
    listed = len([each for each in _purposes(commit) if not _ACCOMPANIES.search(each)])
    if listed < _FEWEST_PURPOSES:
        return _SUNDRY.match(commit.subject[:200]) is not None and len(_places(commit)) >= _PLACES
    return listed >= _ENOUGH_PURPOSES or len(_places(commit)) > 1


def _places(commit: Commit) -> set[str]:
    """Where it reaches, by what stands at the top of the tree; what goes with every purpose is left out."""
    product = (each.path for each in commit.files if _name(each).lower() not in _ALONG)
    return {path.partition("/")[0] for path in product if role(path) not in _WITH_ANY}


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
    """Parts of its first line that each say what is done."""
    parts = [part for part in _PART.split(commit.subject[:400]) if len(part.split()) > 1]
    return [part for part in parts if _DOES.match(part)]


def _name(file: CommitFile) -> str:
    return file.path.rpartition("/")[2]


def _is_mechanical(commit: Commit) -> bool:
    """Does it say so, and do nothing but modify?"""
    modified = sum(file.status is Status.MODIFIED for file in commit.files)
    return modified >= 0.9 * len(commit.files) and bool(_MECHANICAL.search(commit.subject))


@probe("history.messages")
def messages(history: History) -> Iterator[Fact]:
    """Do commit messages say nothing?

    Write what changes and why, in a line that makes sense a year later.
    """
    own = [commit for commit in history.commits if not commit.is_merge]
    if not own:
        yield _nothing(history)
        return
    empty = [commit for commit in own if _says_nothing(commit.subject) and not _explains(commit.message)]
    sure, why = _sureness(history, 1.0)
    if not empty:
        yield not_found(f"Each of {len(own):,} commit messages says something.", confidence=sure, because=why)
        return
    yield found(
        f"{len(empty)} of {len(own):,} commit messages say nothing: they are empty or a single stock word.",
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
    return length < 4 or bool(_SHORT.match(text))


def _explains(message: str) -> bool:
    """Does the rest of a message say what its first line does not? Lines that tools add are no words of the author."""
    rest = [line.strip() for line in message.strip().split("\n")[1:]]
    return len(" ".join(line for line in rest if line and not _TRAILER.match(line))) >= 20


class DatedCommit(Frozen):
    """A commit and what is odd about its dates."""

    sha: str
    what: str


class Dates(ProbeData):
    """All commits with odd dates."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    commits: tuple[DatedCommit, ...]


_ODD = {
    "unreadable": ("carry a date that cannot be read", 0.95, "broken tools write such dates too"),
    "future": ("were written, by their own dates, more than a day after they were committed", 0.85, "a wrong clock does the same"),
    "before_parent": ("were committed, by their own dates, more than a day before their parent", 0.8, "a wrong clock does the same"),
}  # fmt: skip
_USUAL = {
    "mismatch": "committed by somebody else than the author",
    "author_before_parent": "written, by their own dates, more than a day before their parent",
}
"""Oddities that everyday work leaves behind: they are told, and prove nothing."""


@probe("history.dates")
def dates(history: History) -> Iterator[Fact]:
    """Do commit dates contradict each other?

    Set the clock of the machine that commits; where dates were rewritten, say so in the description.
    """
    if not history.commits:
        yield _nothing(history)
        return
    by_sha = {commit.sha: commit for commit in history.commits}
    odd: dict[str, list[Commit]] = {}
    for commit in history.commits:
        for what in _oddities(commit, by_sha):
            odd.setdefault(what, []).append(commit)
    serious = {what: commits for what, commits in odd.items() if what not in _USUAL}
    if not serious:
        yield not_found(
            f"The dates of {len(history.commits):,} commits fit together{_also(odd)}.",
            data=Dates(
                commits=tuple(DatedCommit(sha=each.sha, what=what) for what in _USUAL for each in odd.get(what, ()))
            ),
            confidence=_sureness(history, 0.9)[0],
            because=_sureness(history, 0.9)[1],
        )
        return
    for what, commits in serious.items():
        sentence, confidence, because = _ODD[what]
        yield found(
            f"{len(commits)} of {len(history.commits):,} commits {sentence}.",
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


def _oddities(commit: Commit, by_sha: dict[str, Commit]) -> Iterator[str]:
    authored, committed = commit.author.time, commit.committer.time
    if authored is None or committed is None:
        yield "unreadable"
        return
    if authored > committed + DAY:
        yield "future"
    parents = [by_sha[parent].committer.time for parent in commit.parents if parent in by_sha]
    if any(time is not None and committed < time - DAY for time in parents):
        yield "before_parent"
    written = [by_sha[parent].author.time for parent in commit.parents if parent in by_sha]
    if any(time is not None and authored < time - DAY for time in written):
        yield "author_before_parent"
    if commit.author.email != commit.committer.email:
        yield "mismatch"


def _span_hours(commits: list[Commit]) -> float:
    times = [commit.author.time for commit in commits if commit.author.time is not None]
    return (max(times) - min(times)) / HOUR if times else 0.0


def _counted(commits: int) -> str:
    return "1 commit" if commits == 1 else f"{commits:,} commits"


def _spoken(hours: float) -> str:
    return f"{hours / 24:,.0f} days" if hours >= 48 else f"{hours:.1f} hours"


def _sureness(history: History, confidence: float) -> tuple[float, str]:
    if history.complete:
        return confidence, _CLAIMS
    return round(confidence * 0.75, 2), f"{_CLAIMS}; {history.limit_reason}"


def _at(commit: Commit) -> Location:
    return CommitLocation(sha=commit.sha)
