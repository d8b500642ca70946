"""How long, how large and how many a sentence says something is, held against the amounts that the changed files give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import islice
from math import isclose, prod
from typing import NamedTuple

from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    MAX_SENTENCES,
    MAX_TOLD,
    Answer,
    Ground,
    Held,
    Sentence,
    beginning,
    denied,
    put_off,
)
from auditor.forensics.description.claim_wordings import GENERAL
from auditor.forensics.description.phrase_claim_checks import Told, held_once
from auditor.forensics.description.version_and_count_claims import as_number, ungrouped
from auditor.forensics.source_text.file_roles import is_code, is_test
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile

_SPELT = r"half an|half a|(?:a |one )?hundred|an|a|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty-five|forty|fifty|sixty|ninety"
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0, "w": 604_800.0}
_TIME_UNITS = r"(?:milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?|weeks?)"
_SIZES = {"k": 1, "m": 2, "g": 3, "t": 4}
_TOLD = combine_patterns(
    rf"(?<![\w.$#/:+-])`?(?P<number>\d{{1,6}}(?:[_,]\d{{3}}){{0,2}}(?:\.\d{{1,3}})?|(?<!\bthan )(?:{_SPELT}))(?:\s+(?:more|full|whole|further)\b)?[\s-]?(?P<unit>{_TIME_UNITS})\b(?P<half>\s+and\s+a\s+half)?`?(?![\w%/]|\.\w|\s*(?:->|=>|\u2192|to\b)|\s+(?:ago|old|earlier|later|faster|slower|in\s+(?:ci|tests))\b)",
)
_TOLD_SIZE = combine_patterns(
    r"(?<![\w.$#/:+-])`?(?P<number>\d{1,6}(?:\.\d{1,3})?)[\s-]?(?P<unit>[kmgt]i?b|[kmgt]i|(?:kilo|mega|giga)bytes?)\b`?(?![\w%/]|\.\w|\s*(?:->|=>|\u2192|to\b)|\s+(?:smaller|larger|less|saved))",
)
_COUNTED = combine_patterns(
    r"(?<![\w.$#/:+-])`?(?P<number>\d{1,7}(?:[_,]\d{3}){0,2}|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)`?\s+(?:[a-z][\w-]{1,20}\s+){0,2}?(?P<what>(?!(?:attempts|tries|retries|tests?|files?|lines?|cases|commits?|specs|errors|warnings|failures|issues|bugs|places|callers|sites|people|users|contributors|checks|assertions|scenarios|modules|repos\w*|projects|years|is|was|has|this|as|us|its|less|times|passes|changes|plus)\b)[a-z]{3,20}s)\b(?!\s+(?:ago|old|faster|slower))"
)
_OTHER_TIMES = lazy_compile(
    r"\b(?:faster|slower|speed\w*|bench\w*|took|takes?|taking|spends?|latency|throughput|measured|about|around|roughly|approximately|average|p\d\d|ago|issue|since|was|were|used to|previously|before|currently|today|hang(?:s|ing)?|stall\w*|would|could|might|sometimes|often|usually|example|e\.g|say|imagine|because|users?|reported|see[ns]?|observed|locally|tested|ran|run|years?|deprecat\w*|costs?|happened|waited|sat|stood|outages?|incidents?|effectively|altogether|in total|overall|combined|ram|rss|concurrent|consum\w*|in\s+ci|out\s+of|\d{4}-\d\d-\d\d|\d\d:\d\d)\b|~|\u2248|#\d",
    re.IGNORECASE,
)
"""Words of sentences whose amounts tell of a run, of a fault or of other times."""
_LASTS = lazy_compile(
    r"time|interval|ttl|delay|wait|pause|expir|max_?age|second|minute|hour|day|\bms\b|_ms|retry|period|window|duration|deadline|backoff|poll|refresh|sleep|alive|grace|lease|cron|stale|retention|every",
    re.IGNORECASE,
)
_TAKES_ROOM = lazy_compile(
    r"size|limit|bytes|buffer|max|chunk|memory|capacity|quota|length|heap|storage", re.IGNORECASE
)
_FIGURE = r"\d[\d_]{0,15}(?:\.\d{1,9})?(?:e\d{1,2})?"
_VALUE = lazy_compile(
    rf"(?<![\w.])(?P<value>{_FIGURE}(?:\s*\*\s*{_FIGURE}){{0,4}})(?P<behind>\s*\*\s*[\w.]{{1,40}}|\.[a-z_]{{1,12}}\b|\s?(?:[a-zA-Z]{{1,7}})\b)?"
)
_BEFORE = lazy_compile(
    r"(?P<unit>milli|ms|nano|micro|sec|min(?:ute)?s?(?![a-z])|hour|day|week)[a-z]*[\"']?\s*(?:\(|=>|:=|[=:])?\s*(?:Some\(|int\(|float\(|\w{1,20}\()?[\"']?$",
    re.IGNORECASE,
)
_LEAST = lazy_compile(r"(?<![A-Za-z])min[\"']?\s*(?:\(|=>|:=|[=:])?\s*$", re.IGNORECASE)
"""A name that may as well be one of the least as one of minutes."""
_UNIT_WORDS = (
    ("milli", "ms"), ("nano", ""), ("micro", ""), ("second", "s"), ("sec", "s"), ("minute", "m"), ("min", "m"), ("hour", "h"), ("hr", "h"), ("day", "d"), ("week", "w"), ("ms", "ms"),
)  # fmt: skip
_BARE = {"ms": "ms", "s": "s", "m": "m", "h": "h", "d": "d"}
_GIVEN = lazy_compile(
    rf"(?P<name>[A-Za-z_][\w.-]{{1,60}})[\"']?\s*(?::\s*[A-Za-z][\w.<>]{{0,20}}\s*)?(?:=>|:=|[=:(])\s*(?P<value>{_FIGURE})\b(?!\.\d)"
)
_PIECE = lazy_compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NO_NUMBERS = "The description tells an amount that no changed file holds, and another one comes"
_PUT_TOGETHER = f"{FROM_WORDING}; an amount can be put together, or be told of something else"
MAX_TEXT = 600_000
"""Characters of changed files in which amounts are looked for."""


class _Amounts(NamedTuple):
    """What numbers the lines of some files hold: those with a unit in seconds, those without as they stand."""

    timed: frozenset[float]
    plain: frozenset[float]

    def lasts(self, seconds: float) -> bool:
        """Is one of them that time, in whatever unit?"""
        units = (0.001, 1.0, 60.0, 3_600.0, 86_400.0, 1e-6, 1e-9)
        return any(_near(seconds, each) for each in self.timed) or any(
            _near(seconds / unit, each) for unit in units for each in self._about(seconds / unit)
        )

    def _about(self, value: float) -> Iterable[float]:
        return (value,) if value in self.plain else (round(value, 6),) if round(value, 6) in self.plain else ()

    def holds(self, number: float) -> bool:
        """Does it stand there without a unit?"""
        return number in self.plain

    def takes(self, number: float, unit: str) -> bool:
        """Is one of them that size, in bytes or any larger unit?"""
        power = _SIZES[unit[0].lower()]
        sizes = {number * base**each for base in (1_000, 1_024) for each in range(power + 1)}
        sizes |= {number / base for base in (1_000, 1_024)}
        return any(size in self.plain for size in sizes)


def _near(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=1e-6)


def held_measures(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every time, size and number of things that is said to be so from now on, once."""
    yield from held_once(
        Told(kind, found.group(), sentence, partial(_weighed, kind, found, ground), _NO_NUMBERS)
        for sentence in said[:MAX_SENTENCES]
        if not _OTHER_TIMES.search(sentence.text)
        for kind, found in islice(_told(sentence.text), MAX_TOLD)
    )


def _told(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for kind, form in (("lasts", _TOLD), ("takes_room", _TOLD_SIZE), ("how_many", _COUNTED)):
        for found in form.finditer(text):
            if not (denied(text, found.start(), _TAKEN_BACK) or put_off(text, found.end())):
                yield kind, found


_TAKEN_BACK = lazy_compile(
    r"\b(?:not|never|todo|should|would|later|planned|if|unless|please|instead of|rather than|no longer|up from|down from|from)\b(?!\s+(?:now\s+on|the\s+default))|n't\b",
    re.IGNORECASE,
)


def _weighed(kind: str, found: re.Match[str], ground: Ground) -> Answer | None:
    """None unless another amount of the same kind comes."""
    known = ground.once("amounts", lambda: _held_by(ground))
    if known is None:
        return None
    number = _number(found["number"])
    if kind == "lasts":
        half = 0.5 if found["half"] else 0.0
        unit = _unit(found["unit"])
        exact = number + half in (0.5, 1.5) or (number * 4).is_integer()
        if not unit or not exact or (number == 1 and not found["half"]):
            return None
        held = known.lasts((number + half) * _SECONDS[unit])
        rival = not held and _rival(_LASTS, ground)
    elif kind == "takes_room":
        held = known.takes(number, found["unit"])
        rival = not held and _rival(_TAKES_ROOM, ground)
    else:
        held = known.holds(number)
        rival = not held and _given_to(found.string, ground)
    if held or not rival:
        return None
    return Answer(False, confidence=0.6, because=_PUT_TOGETHER)


def _number(text: str) -> float:
    plain = ungrouped(text.lower())
    return 0.5 if plain.startswith("half") else float(plain) if plain[0].isdigit() else float(as_number(plain))


def _unit(word: str) -> str:
    low = word.lower()
    if low in _BARE:
        return _BARE[low]
    return next((unit for form, unit in _UNIT_WORDS if low.startswith(form)), "")


def _rival(names: re.Pattern[str], ground: Ground) -> bool:
    """Does a line of code or of settings come that gives such a thing a number?"""
    return any(
        number not in (0.0, 1.0) and names.search(around)
        for line, around in _written(ground)
        for _, number in _amounts(line)
    )


def _given_to(text: str, ground: Ground) -> bool:
    """Does a line come that gives a number to what the sentence names?"""
    words = {_root(word) for word in re.findall(r"[^\W\d_]{3,40}", text)} - _ROOTS_GENERAL
    return any(
        float(given["value"].replace("_", "")) >= 2
        and words
        & {_root(piece) for piece in _PIECE.findall(given["name"] if given["name"] not in _BARE_NAMES else around)}
        for line, around in _written(ground)
        for given in _GIVEN.finditer(line)
    )


_BARE_NAMES = frozenset({"default", "value", "max", "min", "limit", "size"})
"""What says nothing of what it is of, so that the lines above it are asked."""


def _root(word: str) -> str:
    """What a word and its plural share."""
    return _PLURAL.sub("", word.lower()) if len(word) > 3 else word.lower()


_PLURAL = lazy_compile(r"(?:ies|es|s|y|e)$")
_ROOTS_GENERAL = frozenset(map(_root, GENERAL))


def _written(ground: Ground) -> list[tuple[str, str]]:
    """The lines of code and settings that come, tests left out, each with those above it that come too."""
    return ground.once("lines with those above", lambda: _with_those_above(ground))


def _with_those_above(ground: Ground) -> list[tuple[str, str]]:
    came = [beginning(line) for line in ground.came_in(gives)]
    return [(line, " ".join(came[max(0, number - 3) : number + 1])) for number, line in enumerate(came)]


def gives(path: str) -> bool:
    """Is it code or settings, tests left out, so that it may give something a number?"""
    return not is_test(path) and (is_code(path) or _SETTINGS.search(path) is not None)


_SETTINGS = lazy_compile(
    r"\.(?:ya?ml|toml|json|ini|cfg|conf|env|properties|tf|hcl)$|(?:^|/)(?:Dockerfile|\.env)[\w.]*$"
)


def _held_by(ground: Ground) -> _Amounts | None:
    """Those of all changed files, on both sides; None where not all is at hand or it is too much."""
    texts = [*ground.documents.head.values(), *ground.documents.base.values()]
    if not ground.whole or sum(map(len, texts)) > MAX_TEXT or not any(map(gives, ground.touched)):
        return None
    timed: set[float] = set()
    plain: set[float] = set()
    for text in texts:
        for line in text.split("\n"):
            for unit, number in _amounts(beginning(line)):
                (timed if unit else plain).add(number * _SECONDS[unit] if unit else number)
    return _Amounts(frozenset(timed), frozenset(plain))


@lru_cache(4_096)
def _amounts(line: str) -> tuple[tuple[str, float], ...]:
    """The numbers of a line with their units; those of a product count as one, and by themselves where more is multiplied."""
    found: list[tuple[str, float]] = []
    for each in _VALUE.finditer(line):
        factors = [float(part.strip().replace("_", "")) for part in each["value"].split("*")]
        behind = (each["behind"] or "").lower().strip()
        before = _BEFORE.search(line[max(0, each.start() - 40) : each.start()])
        unit = _unit_behind(behind) or (_unit(before["unit"]) if before and not behind.startswith("*") else "")
        found.append((unit, prod(factors)))
        if not unit or _LEAST.search(line[max(0, each.start() - 40) : each.start()]):
            found += [("", factor) for factor in factors]
    return tuple(found)


def _unit_behind(text: str) -> str:
    """The unit of `5 * time.Minute`, `5.minutes` and `5m`; nothing for other words."""
    if text.startswith("*"):
        return next((unit for form, unit in _UNIT_WORDS if form in text and unit and "per" not in text), "")
    bare = text.lstrip(".")
    return _BARE.get(bare, "") or next((unit for form, unit in _UNIT_WORDS if bare.startswith(form)), "")
