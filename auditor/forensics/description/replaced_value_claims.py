"""What is said to take the place of what: images, runners, addresses and other values, which stand word for word in files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from auditor.forensics.description.change_contents import FROM_WORDING, MAX_SENTENCES, Answer, Ground, Held, Sentence
from auditor.forensics.description.code_name_claims import stated
from auditor.forensics.description.phrase_claim_checks import Told, held_once
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group, groups_by_role
from auditor.lazy_regex import lazy_compile

_IMAGE = r"(?<![\w/.-])[a-z0-9][\w./-]{0,80}\w:(?:[A-Za-z0-9][\w.-]{0,60}\w|\d)"
_TAGGED = (
    r"(?:ubuntu|windows|macos|debian|alpine|python|node|golang|ruby|php|openjdk|temurin)-\d[\w.]{0,20}(?:-\w{1,20})?"
)
_TOKEN = rf"(?:`[^`\s]{{3,80}}`|\"[^\"\s]{{3,80}}\"|'[^'\s]{{3,80}}'|{_IMAGE}|{_TAGGED})"
_CHANGES = (
    r"(?:chang|switch|mov|bump|upgrad|updat|migrat|rais|lower|swap|replac|go|com|downgrad)(?:es?|s|e?d|ing|ping|ped)?"
)
_STEP = combine_patterns(
    rf"\b{_CHANGES}\s+(?:[^.;]{{0,80}}?\s)?from\s+(?:the\s+)?(?P<old>{_TOKEN})\s+(?:base\s+image\s+)?(?:to|->|\u2192)\s+(?:the\s+)?(?P<new>{_TOKEN})(?![\w/])",
    rf"\breplac(?:es?|ed|ing)\s+(?:the\s+)?(?:base\s+)?(?:image\s+|runner\s+)?(?P<old_replaced>{_TOKEN})\s+(?:with|by)\s+(?:the\s+)?(?P<new_replacing>{_TOKEN})(?![\w/])",
    rf"(?P<old_lost>{_TOKEN})\s+(?:is|was|are|were|has been)\s+replaced\s+(?:with|by)\s+(?:the\s+)?(?P<new_won>{_TOKEN})(?![\w/])",
    rf"\buse(?:s|d)?\s+(?:the\s+)?(?P<new_used>{_TOKEN})\s+(?:instead of|in place of|rather than)\s+(?:the\s+)?(?P<old_unused>{_TOKEN})(?![\w/])",
    rf"(?P<old_before>{_IMAGE}|{_TAGGED})`?\s*(?:->|=>|\u2192)\s*`?(?P<new_after>{_IMAGE}|{_TAGGED})(?![\w/])",
)
_ON = combine_patterns(
    rf"\b(?:base\s+)?images?\s+(?:is|are|becomes|now|(?:(?:chang|switch|mov|bump|upgrad|updat|pinn?|set)(?:es?|s|e?d|ing)?))\s+(?:now\s+)?(?:(?:to|at|on)\s+)?(?P<image>`?(?:{_IMAGE})`?)(?![\w/])",
    rf"\b(?:pin|set|bump|upgrade|update|change|switch|move)(?:s|e?d|ing|ned|ning|ping)?\s+(?:the\s+|our\s+|all\s+)?(?:[\w-]{{1,20}}\s+){{0,3}}?(?:images?|base|runners?|container|Dockerfile)\s+(?:to|at|on)\s+(?:the\s+)?(?P<pinned>`?(?:{_IMAGE}|{_TAGGED})`?)(?![\w/])",
    rf"\b(?:now\s+(?:based|built|runs?|builds?)|(?:is|are)\s+now\s+(?:based|built))\s+on\s+(?:the\s+)?(?P<based>`?(?:{_IMAGE}|{_TAGGED})`?)(?![\w/])",
)
_NAME = r"(?:`(?P<{0}>[A-Za-z_][\w.-]{{1,60}})`|(?P<{0}_bare>[A-Z][A-Z0-9]{{1,30}}(?:_[A-Z0-9]{{1,30}}){{0,5}}))(?:\s+(?:in|of)\s+\S{{1,120}})?"
_VALUE = r"(?:`{{1,2}}(?P<{0}>[^`\n]{{1,60}})`{{1,2}}|\"(?P<{0}_quoted>[^\"\n]{{1,60}})\"|(?P<{0}_plain>v?\d[\w.]{{0,20}}))(?![\w%])(?!\.\w)"
_SET = combine_patterns(
    rf"(?<![\w`]){_NAME.format('name_stepped')}\s+(?:(?:is|was|has been|gets)\s+)?(?:now\s+)?(?:goes|go|went|moves|changes|raised|lowered|changed|bumped|increased|decreased|reduced|moved|set)\s+from\s+{_VALUE.format('old')}\s+to\s+{_VALUE.format('new_becomes')}",
    rf"(?<![\w`]){_NAME.format('name_turned')}\s+(?:is\s+now(?:\s+set\s+to)?|now\s+(?:is|defaults\s+to)|becomes|(?:is|was|has been|gets)\s+(?:now\s+)?(?:raised|lowered|changed|bumped|increased|decreased|reduced|set)\s+to)\s+{_VALUE.format('new_turns')}",
)
"""A setting that is said to get another value."""
_WRONG = "The description says what takes the place of something, and another thing does"
_ADDRESS = lazy_compile(r"^(?:https?|localhost|\d+\.\d+\.\d+\.\d+)\b")


def held_values(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every value that is said to be new, once."""
    yield from held_once(
        Told("value", new, sentence, partial(_came, old, new, ground), _WRONG)
        for sentence in said[:MAX_SENTENCES]
        for old, new in _steps(sentence.text)
        if not _ADDRESS.match(new)
    )


def held_settings(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every setting that is said to get another value, once."""
    yield from held_once(_set_anew(said, ground))


def _set_anew(said: list[Sentence], ground: Ground) -> Iterator[Told]:
    for sentence in said[:MAX_SENTENCES]:
        for found in stated(_SET, sentence.text):
            told = groups_by_role(found)
            name, new = told["name"], told["new"]
            if any(letter.isdigit() for letter in new):
                weigh = partial(_set, name, told.get("old", ""), new, ground)
                yield Told("setting", name, sentence, weigh, _OTHER_VALUE)


_OTHER_VALUE = "The description gives a setting another value than the line does that comes"


def _set(name: str, old: str, new: str, ground: Ground) -> Answer | None:
    """None where no line that comes gives the setting a value that is written out."""
    if _written(new, ground.came):
        return Answer(holds=True)
    given = re.compile(
        rf"(?<![\w.-]){re.escape(name)}[\"']?\s*(?::\s*[A-Za-z][\w\[\]. |]{{0,40}})?(?:=|:)\s*(?P<value>[\"'][^\"'\n]{{1,60}}[\"']|[\d][\w.]*)\s*(?:[,;)}}]|#|//|$)"
    )
    came, went = (
        [each["value"].strip("\"'") for line in lines if name in line and (each := given.search(line[:2000]))]
        for lines in (ground.came, ground.went)
    )
    if not came or not ground.whole:
        return None
    if _PLAIN.fullmatch(new) and all(_PLAIN.fullmatch(each) for each in came) and old not in went:
        return None
    return Answer(False, confidence=0.75) if all(_figures(each) != _figures(new) for each in came) else None


_PLAIN = lazy_compile(r"\d+(?:\.\d+)?")


def _figures(value: str) -> list[str]:
    return re.findall(r"\d+", value)


def _steps(text: str) -> Iterator[tuple[str, str]]:
    """What goes and what takes its place; nothing goes where that is not told."""
    for found in stated(_STEP, text):
        told = groups_by_role(found)
        yield _bare(told["old"]), _bare(told["new"])
    for found in stated(_ON, text):
        yield "", _bare(first_group(found))


def _bare(token: str) -> str:
    return token.strip("`\"'")


def _came(old: str, new: str, ground: Ground) -> Answer | None:
    """None where the old value did not stand in a line that goes, or the new one may be put together from parts."""
    if _written(new, ground.came):
        return Answer(holds=True)
    if not ground.whole or not ground.came:
        return None
    name, colon, _ = new.partition(":")
    if colon and _other_tag(name, ground):
        return Answer(False, confidence=0.8)
    if not old or not _written(old, ground.went) or _written(old, ground.came):
        return None
    lacking = [part for part in _PART.findall(new) if part not in ground.added]
    figures = any(any(letter.isdigit() for letter in part) for part in lacking)
    return Answer(False, confidence=0.7, because=f"{FROM_WORDING}; a value can be put together") if figures else None


_PART = lazy_compile(r"[^\W\d][\w$]*|\d+(?:\.\d+)*")


def _written(token: str, written: list[str]) -> bool:
    whole = re.compile(rf"(?<![\w.]){re.escape(token)}(?![\w-]|\.\d)", re.IGNORECASE)
    low = token.lower()
    return any(low in line.lower() and whole.search(line) for line in written)


def _other_tag(name: str, ground: Ground) -> bool:
    """Does a line come in which the image stands with another tag, one that is written out?"""
    tagged = re.compile(rf"(?<![\w.]){re.escape(name)}:[A-Za-z0-9][\w.-]*(?![\w.${{-])")
    return any(name in line and tagged.search(line) for line in ground.came)
