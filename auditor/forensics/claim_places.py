"""Files and folders that alone are said to change, or not to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.domain import Status
from auditor.forensics.claim_ground import LATER, MAX_SENTENCES, Answer, Ground, Held, Sentence, denied, places
from auditor.forensics.forms import either
from auditor.forensics.roles import is_code, is_test

_THINGS = r"(?:the\s+)?(?:changes?|diff|edit|patch|work|fix|pr|pull request|commit)"
_AT = r"`(?P<{}>[\w@.+-]{{1,80}}(?:/[\w@.+-]{{1,80}}){{0,12}}/?)`"
_CONFINED = either(
    r"\b(?:limited|confined|restricted|local)\s+to\s+(?:the\s+)?(?:file\s+|folder\s+|directory\s+|package\s+|module\s+)?" + _AT.format("place"),
    r"\b(?:only|just|nothing but|nothing outside(?: of)?|nothing beyond)\s+(?:(?:touch|chang|edit|modif|updat|affect)\w{0,4}\s+)?(?:the\s+)?(?:files?\s+(?:in|under|below)\s+|folder\s+|module\s+)?" + _AT.format("alone") + r"(?:\s+(?:is|was|are|were)\s+(?:touched|changed|edited|modified)|\s+changes?\b|\s*(?:[.,;!]|$))",
    rf"\b(?:all|every)\s+(?:of\s+)?{_THINGS}\s+(?:is|are|happens?|lives?|stays?)\s+(?:in|inside|under|within)\s+" + _AT.format("within"),
)  # fmt: skip
_UNTOUCHED = either(
    _AT.format("spared") + r"\s+(?:(?:is|are|was|were)\s+(?:not\s+(?:touched|changed|edited|modified)|untouched|unchanged|left (?:alone|unchanged))|(?:stays?|remains?)\s+(?:untouched|unchanged|as (?:it|they) (?:is|are|was|were)))",
    r"\b(?:in|of|under)\s+" + _AT.format("place") + r"\s+(?:are|is|was|were)\s+(?:not\s+(?:touched|changed|edited|modified)|untouched|unchanged|left alone)",
    r"\b(?:does not|doesn't|do not|don't|did not|didn't|without)\s+(?:touch|chang|edit|modif)\w{0,4}\s+(?:the\s+|anything\s+(?:in|under|inside)\s+|(?:\w+\s+){1,3}in\s+)?" + _AT.format("object"),
    r"\bno\s+changes?\s+(?:to|in)\s+" + _AT.format("denied"),
)  # fmt: skip


def held_places(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Files and folders that alone are said to change, or not to."""
    files = [file for file in ground.change.files if file.added or file.deleted or file.status is not Status.MODIFIED]
    for sentence in said[:MAX_SENTENCES]:
        for named in _CONFINED.finditer(sentence.text):
            place = _place(named, ground)
            if place and not denied(sentence.text, named.start(), LATER):
                beyond = [
                    file
                    for file in files
                    if not _lies_in(file.path, place) and is_code(file.path) and not is_test(file.path)
                ]
                wrong = "The description says that the change stays in one place, and code elsewhere changes"
                yield Held("confined", sentence, Answer(not beyond, places(beyond), 0.75), wrong)
        for named in _UNTOUCHED.finditer(sentence.text):
            place = _place(named, ground)
            if place:
                edited = [
                    file
                    for file in files
                    if any(_lies_in(path, place) for path in (file.path, file.base.path if file.base else ""))
                ]
                wrong = "The description says that files stay as they were, and the change edits them"
                yield Held("untouched", sentence, Answer(not edited, places(edited), 0.8), wrong)


def _place(named: re.Match[str], ground: Ground) -> str:
    """The file or folder that is named; nothing where it is another kind of name."""
    text = next(filter(None, named.groupdict().values()), "").removeprefix("./").rstrip("/")
    known = (
        ground.tree.exists(text) or text in ground.tree.endings or any(_lies_in(path, text) for path in ground.touched)
    )
    return text if known else ""


def _lies_in(path: str, place: str) -> bool:
    return bool(place) and f"/{place}/" in f"/{path}/"
