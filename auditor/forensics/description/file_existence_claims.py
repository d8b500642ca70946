"""Files that a description names: whether they are there, and whether what is said to happen to them does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from auditor.domain import Status
from auditor.forensics.description.change_contents import Answer, Ground, Held, Sentence, denied, is_bump
from auditor.forensics.description.file_references import ADDRESS, LIBRARY, PATH, PRETEND, is_address, stands, touches
from auditor.lazy_regex import lazy_compile

MAX_PATHS = 200
_DIRECTLY = r"\s+(?:the\s+|a\s+|an\s+|our\s+|new\s+|old\s+|unused\s+|obsolete\s+|empty\s+|file\s+|module\s+|script\s+|test\s+){0,4}[`\"'*(\[]{0,3}$"
_DELETES = lazy_compile(rf"\b(?:delet(?:es?|ed|ing)|remov(?:es?|ed|ing)|drop(?:s|ped)?){_DIRECTLY}", re.IGNORECASE)
_FROM_IT = lazy_compile(r"^[`\"'*)\]]{0,3}\s*(?:from|in)\b", re.IGNORECASE)
_PART_OF_IT = lazy_compile(
    r"^[`\"'*)\]]{0,3}\s+(?:[`\"']?[\w.:/-]{1,60}[`\"']?\s+){0,2}(?:targets?|rules?|recipes?|entry|entries|sections?|jobs?|steps?|stages?|settings?|options?|lines?|keys?|fields?|imports?|badges?|blocks?|references?|usages?)\b",
    re.IGNORECASE,
)
_BRINGS = lazy_compile(
    rf"\b(?:add(?:s|ed|ing)?|creat(?:es?|ed|ing)|introduc(?:es?|ed|ing)|new(?:\s+file|\s+module)?){_DIRECTLY}",
    re.IGNORECASE,
)
_TO = lazy_compile(
    r"^[`\"'*)\]]{0,3}\s+(?:to|into|->|=>|\u2192)\s+(?:the\s+)?[`\"'*(\[]{0,3}(?P<path>[\w@+.-]{1,100}(?:/[\w@+.-]{1,100}){0,12}/?)"
)
_MOVES = lazy_compile(rf"\b(?:renam(?:es?|ed|ing)|mov(?:es?|ed|ing)){_DIRECTLY}", re.IGNORECASE)
_EDITS = lazy_compile(
    rf"\b(?:(?:add|creat|introduc|updat|edit|chang|fix|rewrit|delet|remov)(?:e?s|e?d|ing)?|new|is\s+now|becomes|renamed\s+(?:to|as|into)|(?:extract|split|mov|pull|factor|refactor)\w{{0,4}}\s[^.;]{{1,80}}\sinto){_DIRECTLY}",
    re.IGNORECASE,
)
_INTO = lazy_compile(
    r"^[`\"'*)\]]{0,3}\s*(?:to|in|into|from|entry|entries|for (?:users?|each|every|projects?))\b", re.IGNORECASE
)
_ABSENT = "The description names files that are not there, neither before nor after the change"
_OTHERWISE = "The description says that files come, go or move, and they do not"


class _Path(NamedTuple):
    sentence: Sentence
    path: str
    before: str
    after: str


def held_paths(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every path in the description, once: what is said of it, and whether it is there."""
    foreign = bool(said) and is_bump(said[0].text)
    for each in islice(_named_paths(said, ground), MAX_PATHS):
        yield from _held(each, ground, foreign)


def _held(named: _Path, ground: Ground, foreign: bool) -> Iterator[Held]:
    sentence, path, before, _ = named
    put_off = denied(before, len(before), _PUT_OFF)
    happened = None if put_off else _happened(named, ground)
    if happened is not None:
        yield Held("path_made", sentence, happened, _OTHERWISE)
    elif touches(path, ground):
        yield Held("path", sentence, Answer(holds=True), "")
    elif not foreign and not stands(path, ground):
        doubtful = "/" not in path and (not _EDITS.search(before) or _INTO.match(named.after) is not None)
        made = _MADE_LATER.search(before) or _MADE_LATER.search(named.after[:100])
        if not (doubtful or made or _OF_ANOTHER.search(before) or denied(before, len(before))):
            because = "a path may be meant for another repository or for later"
            yield Held("path", sentence, Answer(False, confidence=0.7, because=because), _ABSENT)


_MADE_LATER = lazy_compile(
    r"\b(?:(?:re)?generat|emit|produc|output|writ|creat\w+ (?:at|on|when)|download|git)\w{0,4}\b[^.;]{0,60}$|\b(?:(?:git)?ignored?|ignores|exclud\w+|(?:re)?generated|not (?:a )?part of|built|written|emitted|produced|run[- ]time)\b",
    re.IGNORECASE,
)
"""Words by which a file is made when something runs, or is kept out of the repository."""
_OF_ANOTHER = lazy_compile(r"\b(?!it|this|that|package|project|repo|module)\w+'s\s+[`\"'*(\[]{0,3}$")
"""The file of somebody else, as in `the server's src/app.py`."""
_PUT_OFF = lazy_compile(
    r"\b(?:no|not|never|todo|will|should|would|could|later|planned|if|unless|please)\b|n't\b", re.IGNORECASE
)


def _happened(named: _Path, ground: Ground) -> Answer | None:
    """Where a file is said to come, go or move: does it? None where nothing of the kind is said."""
    target = _TO.match(named.after)
    if target is not None and _MOVES.search(named.before):
        told = target["path"].rstrip("/").removeprefix("./")
        place = told if _at_head(told, ground) else _meant(named.path, told)
        there = _at_head(place, ground)
        if not there and not _LIKE_A_PLACE.search(place):
            return None
        return Answer(there and not ground.tree.exists(named.path), confidence=0.75)
    if not touches(named.path, ground):
        return None
    changed = [file for file in ground.change.files if f"/{file.path}".endswith(f"/{named.path}")]
    if _DELETES.search(named.before) and not (_FROM_IT.match(named.after) or _PART_OF_IT.match(named.after)):
        left = [file for file in changed if file.head is not None]
        return Answer(not left or len(left) < len(changed), confidence=0.75)
    if _BRINGS.search(named.before):
        gone = bool(changed) and all(file.status is Status.DELETED for file in changed)
        return Answer(not gone, confidence=0.75)
    return None


_LIKE_A_PLACE = lazy_compile(r"[/.]")


def _meant(path: str, target: str) -> str:
    """The target of a move; of one that only tells another suffix, the file with that one."""
    other = _SUFFIX.fullmatch(target)
    return f"{path.rpartition('.')[0]}{target}" if other and "." in path else target


_SUFFIX = lazy_compile(r"\.[a-z]\w{0,4}")


def _at_head(path: str, ground: Ground) -> bool:
    return ground.tree.exists(path) or path in ground.tree.endings


def _is_choice(path: str, ground: Ground) -> bool:
    """Does the slash say «or», as in `node/deno.js` or, of three files, in `one/two/three.md`?"""
    *others, last = path.split("/")
    if not others or ground.tree.exists(others[0]) or stands(path, ground):
        return False
    suffix = last[last.rfind(".") :]
    named = all(f"{each}{suffix}".lower() in ground.file_names for each in (*others, last.removesuffix(suffix)))
    return named or (len(others) == 1 and _RUNTIME.match(last) is not None)


_RUNTIME = lazy_compile(
    r"^(?:vue|nuxt|next|node|io|react|d3|three|express|ember|angular|backbone|socket|alpine)\.js$", re.IGNORECASE
)


_NUMBERED = lazy_compile(r"[\w.]{0,40}#\d")
"""What makes an issue of a repository out of what looks like a file, as in `pypa/packaging.python.org#7`."""
_FLAG = lazy_compile(r"(?<=\s)-{1,2}[A-Za-z][\w/.=-]*")
_MOST_FLAGS = 3
"""Flags of a line from which it is a command, and what it names is made when that runs."""


def _named_paths(said: list[Sentence], ground: Ground) -> Iterator[_Path]:
    """Every path in the description with what stands around it; addresses are none."""
    seen: set[str] = set()
    for sentence in said:
        if len(_FLAG.findall(sentence.text)) > _MOST_FLAGS:
            continue
        text = ADDRESS.sub(" ", sentence.text)
        for named in PATH.finditer(text):
            path = named.group().removeprefix("./")
            qualified = path.rpartition(".")[2][:1].isupper() and not stands(path, ground)
            if path in seen or PRETEND.search(path) or is_address(path) or qualified or _is_choice(path, ground):
                continue
            if ("/" not in path and LIBRARY.match(path)) or _NUMBERED.match(text, named.end()):
                continue
            seen.add(path)
            yield _Path(
                sentence, path, text[max(0, named.start() - 200) : named.start()], text[named.end() : named.end() + 200]
            )
