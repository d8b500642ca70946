"""Amounts and versions that a sentence says are set from now on: limits, waits, sizes, defaults. They stand in what changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    MAX_SENTENCES,
    MAX_TOLD,
    Answer,
    Ground,
    Held,
    Sentence,
)
from auditor.forensics.description.code_name_claims import stated
from auditor.forensics.description.level_and_order_claims import STATUSES
from auditor.forensics.description.phrase_claim_checks import Told, held_once
from auditor.forensics.description.quantity_claims import gives
from auditor.forensics.description.version_and_count_claims import ungrouped
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_KINDS = r"(?:time-?outs?|retries|retry|attempts?|limits?|default|max(?:imum)?|min(?:imum)?|size|ports?|thresholds?|ttl|intervals?|batch(?:es)?|buffers?|cap|delay|debounce|chunks?|depth|window|capacity|concurrency|workers|budget|length|exit (?:code|status)|status(?: code)?|entries|cache|period|backoff|grace|quota|rate|page)"
_UNITS = r"(?:s|secs?|seconds?|ms|milliseconds?|m|min|mins|minutes?|h|hours?|days?|kb|mb|gb|kib|mib|gib|k|bytes?|characters?|chars?|entries|items?|rows?|retries|attempts?|times|workers|threads|connections|requests|results|records|levels?|px)"
_NUMBER = r"`?(?P<{}>\d{{2,9}}(?:[_,]\d{{3}}){{0,3}}|\d{{1,6}}(?=[\s-]?(?:s|secs?|seconds?|ms|minutes?|h|hours?|days?|kb|mb|gb|kib|mib)\b))`?(?!\d|\.\d|\w*\.\w|%|\s?[x\u00d7]\s?\d|\s?(?:%|percent|x\b|times\s+(?:faster|slower)|tests?|files?|lines?|cases?|places?|callers?|sites?|commits?|stars?|issues?|warnings?|failures?|(?:days?|weeks?|months?|years?)\s+ago))"
_TO = r"(?:to|at|of|is|are|=|:|->|=>|\u2192|becomes)"
_SET = combine_patterns(
    rf"\b(?:rais|bump|increas|lift|lower|reduc|decreas|set|chang|shorten|lengthen|cap|limit|doubl|halv|extend|updat)(?:es?|s|e?d|ing|ped|ping|ting)?\s+(?:[\w'`-]{{1,30}}\s+){{0,5}}?{_KINDS}\s+(?:[\w'`-]{{1,30}}\s+){{0,3}}?(?:from\s+\S{{1,20}}\s+(?:\w{{1,12}}\s+)?)?(?:to|at|by default to)\s+{_NUMBER.format('raised')}",
    rf"\b{_KINDS}\s+(?:of\s+\S{{1,30}}\s+)?(?:is|are)\s+(?:now\s+|raised\s+to\s+|lowered\s+to\s+|set\s+to\s+|increased\s+to\s+|reduced\s+to\s+|changed\s+to\s+|bumped\s+to\s+){{1,2}}{_NUMBER.format('now')}",
    rf"\bdefault(?:s|ed|ing)?\s*(?:(?:value|{_KINDS})\s+)?(?:(?!was\b|were\b|had\b|not\b)[\w`-]{{1,30}}\s+)?{_TO}?\s*{_NUMBER.format('default')}",
    rf"\bdefault\s+(?:\w{{1,20}}\s+){{0,3}}(?:changes?|goes|moves)\s+from\s+\S{{1,20}}\s+to\s+{_NUMBER.format('another')}",
    rf"\b(?:caps?|limits?|truncates?|clamps?|waits?|retr(?:y|ies)|sleeps?|debounces?|polls?|refresh(?:es)?|expires?)\s+(?:[\w'`-]{{1,30}}\s+){{0,5}}?(?:to|at|for|after|every|up to|at most)\s+{_NUMBER.format('capped')}",
    rf"\b(?:with|uses?|adds?|sets?)\s+(?:an?|the)\s+(?:default\s+)?(?:[\w-]{{1,20}}\s+){{0,2}}?{_KINDS}\s+of\s+{_NUMBER.format('given')}",
    rf"\b(?:with|uses?|adds?|sets?)\s+(?:an?|the)\s+{_NUMBER.format('unit')}[\s-]?{_UNITS}?[\s-]+(?:\w{{1,20}}\s+)?{_KINDS}\b",
    rf"\b(?:listens?|listening|runs|served?)\s+on\s+(?:the\s+)?port\s+{_NUMBER.format('port')}",
    rf"\b(?:returns?|responds? with|exits? with(?: status| code)?|answers? with)\s+(?:a\s+|an\s+)?(?:http\s+|status\s+|code\s+)?{_NUMBER.format('answer')}\b(?=\s*(?:$|[.,;)]|instead|when|if|for|on))",
    rf"(?:^|[\s(`]){_KINDS}`?:?\s+\d{{1,9}}\s?{_UNITS}?\s*(?:->|=>|\u2192)\s*{_NUMBER.format('stepped')}",
    rf"(?:^|[\s(])`?[A-Z][A-Z0-9]{{1,30}}(?:_[A-Z0-9]{{1,30}}){{1,5}}`?\s*(?:=|is\s+now|is\s+set\s+to|now)\s*{_NUMBER.format('constant')}",
)
_RELEASE = combine_patterns(
    r"\b(?:bump|upgrad|updat|pin|downgrad|releas|requir|rais|lower|mov|set|cap|install|depend|cut|prepar)(?:es?|s|e?d|ing|ned|ning|ping|ped)?\s+(?:(?!from\b|that\b|which\b|than\b|since\b|in\b|with\b)[^\s.;:!?()=<>]{1,60}(?:\s+|(?===|>=))){0,6}?(?:version\s+|v|==|>=|to\s+v?|at\s+v?|=)?(?<![\d.])`?(?P<version>\d{1,5}\.\d{1,5}\.\d{1,6})(?![\w.-]*\w|`?\s{0,3}(?:->|=>|\u2192))",
    r"^(?:[-*+]\s+)?`?[\w@/.-]{2,60}`?:?\s+\(?v?\d{1,5}(?:\.\d{1,5}){1,3}\s*(?:->|=>|\u2192)\s*v?(?P<arrived>\d{1,5}\.\d{1,5}(?:\.\d{1,6})?)(?![\w.-]*\w)",
)
_MEASURED = lazy_compile(
    r"\b(?:faster|slower|speed\w*|bench\w*|took|takes|latency|throughput|measured|about|around|roughly|approximately|pass(?:es|ed)?|average|p\d\d|ago|issue|since)\b|~|#\d",
    re.IGNORECASE,
)
"""Words of sentences whose numbers tell of a run and not of the code."""
_WRITTEN = lazy_compile(r"(?<![\w.])(?P<plain>\d[\d_]{0,15}(?:\.\d{1,9})?)(?:e(?P<power>\d{1,2}))?")
_PRODUCT = lazy_compile(r"(?<![\w.])(\d[\d_]{0,9})\s*\*\s*(\d[\d_]{0,9})(?:\s*\*\s*(\d[\d_]{0,9}))?")
_SHIFT = lazy_compile(r"\b(1|2)\s*(<<|\*\*)\s*(\d{1,2})\b")
_AMOUNTS = (1, 10, 24, 60, 100, 1000, 1024, 3600, 60_000, 86_400, 3_600_000, 1_000_000, 1_048_576)
_OTHER_AMOUNT = "The description says which amount is set, and no changed file holds it in any unit"
_OTHER_VERSION = "The description says which version is set, and no changed file holds it"
_BY_ANOTHER_NAME = f"{FROM_WORDING}; a number can be put together, or be written as a word"
MAX_TEXT = 2_000_000
"""Characters of changed files in which numbers are looked for."""


def held_amounts(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every amount and every version that is said to be set, once."""
    yield from held_once(_told(said, ground))


def _told(said: list[Sentence], ground: Ground) -> Iterator[Told]:
    figures = _Figures(ground)
    for sentence in said[:MAX_SENTENCES]:
        if _MEASURED.search(sentence.text):
            continue
        for found in islice(stated(_SET, sentence.text), MAX_TOLD):
            number = ungrouped(first_group(found))
            if found["answer"] and number in STATUSES:
                continue
            yield Told("amount", number, sentence, partial(_amount, int(number), figures), _OTHER_AMOUNT)
        for found in islice(stated(_RELEASE, sentence.text), MAX_TOLD):
            version = first_group(found)
            yield Told("release", version, sentence, partial(_version, version, ground), _OTHER_VERSION)


@dataclass(frozen=True)
class _Figures:
    """The numbers of a change, read once and only where a description tells some."""

    ground: Ground

    @cached_property
    def came(self) -> set[float]:
        """Those of lines that come."""
        return _numbers(self.ground.came)

    @cached_property
    def held(self) -> set[float] | None:
        """Those of the changed files, before and after; None where there is too much to read, or not all is at hand."""
        texts = [*self.ground.documents.head.values(), *self.ground.documents.base.values()]
        whole = self.ground.whole and any(map(gives, self.ground.touched))
        return _numbers(texts) if whole and sum(map(len, texts)) <= MAX_TEXT else None


def _amount(number: int, figures: _Figures) -> Answer | None:
    """None where the changed files held the number before, or hold it beside what changes."""
    if _among(number, figures.came):
        return Answer(True, confidence=0.6)
    if figures.held is None or _among(number, figures.held):
        return None
    return Answer(False, confidence=0.6, because=_BY_ANOTHER_NAME)


def _among(number: int, others: set[float]) -> bool:
    """Is it one of them, in any usual unit?"""
    return any(float(number * unit) in others or number / unit in others for unit in _AMOUNTS)


def _numbers(texts: list[str]) -> set[float]:
    """All numbers that are written out, and those that are written as a product or a power."""
    found: set[float] = set()
    for text in texts:
        for each in _WRITTEN.finditer(text):
            found.add(float(each["plain"].replace("_", "")) * 10.0 ** int(each["power"] or 0))
        for one, other, third in _PRODUCT.findall(text):
            found.add(float(one) * float(other) * float(third or 1))
        for base, sign, power in _SHIFT.findall(text):
            found.add(float(2 ** int(power) * (int(base) if sign == "<<" else 1)))
    return found


def _version(version: str, ground: Ground) -> Answer | None:
    """None where a shorter form of it stands in what changes, or a commit by which it may be held."""
    if any(version in line for line in ground.came):
        return Answer(True, confidence=0.7)
    if not ground.whole or not ground.came or any(_PINNED.search(line) for line in ground.came):
        return None
    shorter = re.compile(rf"(?<![\d.]){re.escape(version.rpartition('.')[0])}(?![\d])")
    texts = (*ground.documents.head.values(), *ground.touched)
    if any(version in text or shorter.search(text) for text in texts):
        return None
    return Answer(False, confidence=0.65, because=f"{FROM_WORDING}; a version can be kept under another name")


_PINNED = lazy_compile(r"\b[0-9a-f]{40}\b|sha(?:256|512)")
