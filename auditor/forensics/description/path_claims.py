"""Paths that a description names in code marks, and that neither side of the change has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from auditor.forensics.description.change_contents import Answer, ChangeContents, CheckedClaim
from auditor.forensics.description.claim_sentences import Sentence, is_denied
from auditor.forensics.documents.path_mentions import suffix_pattern
from auditor.lazy_regex import lazy_compile

_MAX_PATHS = 200
"""Paths that are looked at."""
_MARKED_PATH = lazy_compile(
    lambda: (
        rf"(?<!`)(?P<marks>`{{1,2}})(?:\./)?(?P<path>(?:[\w.@+-]{{1,100}}/){{0,12}}[\w.@+-]{{1,100}}\.(?:{suffix_pattern()}|lock))(?P<line>:\d+)?(?P=marks)(?!`)"
    )
)
"""A file with a known suffix and nothing beside it: refs such as `origin/8.0.x`, commands and names of code are none."""
_MERGE_TITLE = lazy_compile(r"^merge\b", re.IGNORECASE)
"""Titles that name branches and pull requests."""
_PLACEHOLDER = lazy_compile(r"path/to|foo|bar\b|example|your[-_]|my[-_]|xxx", re.IGNORECASE)
_NOT_OURS = lazy_compile(
    r"\b(?:(?:re)?generat|emit|produc|output|writ|download|ignor|exclud|built|install|upstream|another|their)\w*\b|\brun[- ]?time\b|\w's\s+`",
    re.IGNORECASE,
)
"""Words of a sentence about files that are made when something runs, or that belong to others."""


_OWN_DEED = lazy_compile(
    r"\b(?:add|new|introduc|creat|updat|edit|extend|rewrit|fix|renam|mov|split|extract)\w{0,3}\b", re.IGNORECASE
)
"""Words by which the change itself is said to touch a file."""


def find_path_claims(said: list[Sentence], contents: ChangeContents) -> Iterator[CheckedClaim]:
    """Each path, once: a changed file, or one that is nowhere although its first folder is there or the change is said to touch it."""
    seen: set[str] = set()
    for sentence, path, before in islice(_marked_paths(said), _MAX_PATHS):
        answer = None if path in seen else _answer(path, sentence, before, contents)
        seen.add(path)
        if answer is not None:
            yield CheckedClaim("path", sentence, answer, _ABSENT)


_ABSENT = "The description names files that exist neither before nor after the change"


def _marked_paths(said: list[Sentence]) -> Iterator[tuple[Sentence, str, str]]:
    """Paths with their sentences and the text before them."""
    for sentence in said:
        if sentence.line or not _MERGE_TITLE.match(sentence.text):
            for found in _MARKED_PATH.finditer(sentence.text):
                yield sentence, found["path"], sentence.text[: found.start()]


def _answer(path: str, sentence: Sentence, before: str, contents: ChangeContents) -> Answer | None:
    """None for a path that is there and does not change, and for one that may not be meant for this repository."""
    if any(f"/{each}".endswith(f"/{path}") for each in contents.paths):
        return Answer(True)
    tree = contents.tree
    if tree.exists(path) or path in tree.base or path in tree.endings:
        return None
    known = path.partition("/")[0] in contents.top_folders
    own = "/" in path and (known or _OWN_DEED.search(before))
    foreign = _PLACEHOLDER.search(path) or _NOT_OURS.search(sentence.text) or is_denied(before, len(before))
    return Answer(False) if own and not foreign else None
