"""Versions, limits and counts that a description names, held against the lines and files that come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from auditor.domain import Status
from auditor.forensics.description.change_contents import (
    DENIAL,
    FROM_WORDING,
    LATER,
    MAX_SENTENCES,
    Answer,
    Ground,
    Held,
    Sentence,
    denied,
    places,
    stem,
)
from auditor.forensics.description.claim_wordings import GENERAL
from auditor.forensics.source_text.file_roles import is_code, is_test
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_VERSION = (
    r"[`\"']{{0,3}}(?:[<>=~^]{{1,2}}\s?)?v?(?P<{}>\d+(?:\.\d+){{0,4}}(?:[-.+]?[A-Za-z][\w.]{{0,20}})?)[`\"']{{0,3}}"
)
_BUMPED = lazy_compile(
    r"(?<![\w-])(?P<verb>bump|upgrade|update|pin|downgrade|raise|lower|increase|decrease|reduce|set|change|move|go)(?:s|ed|d|ing|ned)?\s+(?P<what>(?:[^\s.;:]{1,60}(?:\.[^\s.;:]{1,30}){0,3}\s+){1,7}?)(?:from\s+"
    + _VERSION.format("old")
    + r"(?:\s+\w{1,12})?\s+)?(?:to|at|->)\s+"
    + _VERSION.format("new")
    + r"(?!\w|[/:]\d)",
    re.IGNORECASE,
)
_AND_ANOTHER = lazy_compile(
    r"(?:,|,?\s+and)\s+(?P<what>[\w@/.`-]{2,60})\s+(?:from\s+"
    + _VERSION.format("old")
    + r"\s+)?to\s+"
    + _VERSION.format("new")
    + r"(?!\w|[/:]\d)",
    re.IGNORECASE,
)


_MOST_STEPS = 100
"""Different ones that are held against all lines that come."""


class _Step(NamedTuple):
    """From what to what something is said to go."""

    what: str
    old: str | None
    new: str


_OTHER_NUMBER = "The description names a version or a number that no line which comes holds"
_STILL_SERVED = "The description says that a version is served no longer, and no line that changes names it"
_QUANTITY = lazy_compile(r"\d+")
_RELEASE = lazy_compile(r"(?<![\w.])v?(\d{1,5}(?:\.\d{1,5}){1,3}[\w.-]{0,12})(?![\w.])")


def held_numbers(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Versions and limits that are said to be set, and numbers of files and tests."""
    for version in _RELEASE.findall(said[0].text) if said else ():
        if any(version in line for line in ground.came):
            yield Held("version", said[0], Answer(True, confidence=0.7), "")
    known = _Known(ground)
    for sentence in said[:MAX_SENTENCES]:
        for bumped in _BUMPED.finditer(sentence.text):
            if denied(sentence.text, bumped.start()):
                continue
            rest = sentence.text[bumped.end() :]
            steps = [_Step(bumped["what"], bumped["old"], bumped["new"])]
            steps += [_Step(also["what"], also["old"], also["new"]) for also in _AND_ANOTHER.finditer(rest)]
            for answer in (known.of(bumped["verb"].lower(), step) for step in steps[:20]):
                if answer is not None:
                    yield Held("number", sentence, answer, _OTHER_NUMBER)
        for dropped in _NO_SUPPORT.finditer(sentence.text):
            answer = None if denied(sentence.text, dropped.start()) else _without_support(dropped, ground)
            if answer is not None:
                yield Held("number", sentence, answer, _STILL_SERVED)
        yield from _counted(sentence, ground)


class _Known:
    """What became of each step, looked for once however often it is told, and of the first ones only."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._answers: dict[tuple[str, _Step], Answer | None] = {}

    def of(self, verb: str, step: _Step) -> Answer | None:
        """None for what nothing can be said of."""
        if (verb, step) not in self._answers and len(self._answers) < _MOST_STEPS:
            self._answers[verb, step] = _bumped(verb, step, self._ground)
        return self._answers.get((verb, step))


def _bumped(verb: str, step: _Step, ground: Ground) -> Answer | None:
    number = _ANY_OF.sub("", step.new)
    number = number if "." in number else _UNIT.sub("", number)
    alone = re.compile(rf"(?<![\d.]){re.escape(number)}(?!\d)")
    if any(number in line and alone.search(line) for line in ground.came):
        return Answer(holds=True)
    if not ground.whole or not ground.came or any(_PINNED.search(line) for line in ground.came):
        return None
    subject = [word for word in re.findall(r"[^\W\d]\w+", step.what) if word.lower() not in GENERAL]
    about = [line for line in ground.came if any(_speaks_of(word, line) for word in subject)]
    if "." in number:
        shown = about if step.old is None else [*about, *ground.came]
        if not about and subject and verb.lower() in _OF_VERSIONS and not _comes_in_part(number, ground):
            return Answer(False, confidence=0.65, because=f"{FROM_WORDING}; a version can be kept under another name")
        told = any(_QUANTITY.search(line) for line in shown) and not _comes_by_parts(number, about)
        return Answer(False, confidence=0.75) if told else None
    if not number.isdecimal():
        return None
    gone = [line for line in ground.went if any(_speaks_of(word, line) for word in subject)]
    in_one_unit = step.old is not None and any(each[1] == step.old for line in gone for each in _FIGURE.finditer(line))
    same = _equal if in_one_unit else _same_amount
    others = [line for line in about if (other := _FIGURE.search(line)) and not same(number, other[1])]
    return (
        Answer(False, confidence=0.65, because=f"{FROM_WORDING}; a number can be written in another unit")
        if others
        else None
    )


_ANY_OF = lazy_compile(r"(?:\.[xX*])+$")
"""The end of `1.x`, which is every version that begins so."""
_UNIT = lazy_compile(r"(?<=\d)[A-Za-z]{1,12}$")
"""The `s` of `40s`, which code says in another way or not at all."""
_PINNED = lazy_compile(r"\b[0-9a-f]{40}\b")
"""A commit, by which an action or a package is held instead of by its version."""
_FIGURE = lazy_compile(r"(?:[=:(,<>]|\b(?:to|of|is))\s*(\d[\d_]*(?:\.\d+)?)\b")


_OF_VERSIONS = frozenset({"bump", "upgrade", "downgrade", "raise", "lower", "pin"})
_NO_SUPPORT = lazy_compile(
    r"\b(?:drop|remov|end|discontinu|ceas|stop)\w{0,4}\s+(?:support(?:ing)?\s+(?:for\s+|of\s+)?)?(?P<what>[A-Za-z][\w.+]{1,20})\s+v?(?P<number>\d{1,3}(?:\.\d{1,3}){0,2})\b(?P<after>\s+(?:support|compat\w*|from\b))?",
    re.IGNORECASE,
)
_RUNTIMES = frozenset({"python", "node", "node.js", "nodejs", "ruby", "java", "jdk", "go", "php", "django", "rails", "rust", "pypy"})  # fmt: skip


def _comes_in_part(number: str, ground: Ground) -> bool:
    """Does a line that comes or goes hold the version in any usual way: `3.8`, `38`, `3, 8` or `3_8`, or its first two parts?"""
    parts = number.removeprefix("v").split(".")[:2]
    joined = "".join(parts)
    apart = r"[.,_-]\s?".join(map(re.escape, parts))
    form = re.compile(rf"(?<![\d.])(?:{apart}|{re.escape(joined)})(?!\d)")
    return any(form.search(line) for line in (*ground.came, *ground.went))


_PART_OF_VERSION = lazy_compile(r"major|minor", re.IGNORECASE)


def _comes_by_parts(number: str, lines: list[str]) -> bool:
    """Do lines name the first two parts of a version one by one: `MAJOR=5` and `MINOR=4`?"""
    parts = frozenset(number.removeprefix("v").split(".")[:2])
    named = (line for line in lines if _PART_OF_VERSION.search(line))
    return parts <= frozenset(part for line in named for part in _QUANTITY.findall(line))


def _without_support(said: re.Match[str], ground: Ground) -> Answer | None:
    """None where a version has one part, which stands anywhere, or where it may not be a runtime."""
    major, _, minor = said["number"].partition(".")
    if (
        said["what"].lower() not in _RUNTIMES
        or not minor.isdigit()
        or not ground.whole
        or not ground.came + ground.went
    ):
        return None
    versions = (said["number"], f"{major}.{int(minor) + 1}")
    held = any(_comes_in_part(version, ground) for version in versions)
    return Answer(held, confidence=0.65, because=f"{FROM_WORDING}; what served it alone may not name it")


def _equal(said: str, written: str) -> bool:
    return float(said) == float(written.replace("_", ""))


def _same_amount(said: str, written: str) -> bool:
    """Are two numbers the same in any usual unit?"""
    one, other = float(said), float(written.replace("_", ""))
    units = (1, 10, 60, 100, 1000, 1024, 3600, 24, 60_000, 86_400, 1_000_000, 1_048_576)
    return any(one * unit == other or other * unit == one for unit in units)


def _speaks_of(word: str, line: str) -> bool:
    return stem(word) in line.lower()


_SPELT = {
    "no": 0, "a": 1, "an": 1, "one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60,
    "ninety": 90, "hundred": 100, "one hundred": 100,
}  # fmt: skip
_GROUPING = str.maketrans("", "", "_,")


_SOME = r"(?P<{}>\d{{1,4}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a single)"
_FILES = combine_patterns(
    r"\b(?:touch|chang|edit|modif|updat|affect)\w{0,4}\s+(?:just\s+|only\s+|exactly\s+)?" + _SOME.format("of_files") + r"\s+files?\b(?!\s+(?:type|format|per|at))",
    r"\b(?:only|just|exactly)\s+" + _SOME.format("of_just") + r"\s+files?\s+(?:(?:is|are|was|were)\s+)?(?:touched|changed|edited|modified|changes?)\b",
    r"\b(?:change|diff|pr|patch|commit)\s+(?:spans|covers|affects|consists of|is)\s+" + _SOME.format("of_span") + r"\s+files?\b(?!\s+(?:type|format|per|at))",
    r"\b" + _SOME.format("of_all") + r"\s+files?\s+(?:(?:is|are|was|were|in total)\s+)?(?:touched|changed|edited|modified|changes?|updated)\b",
)  # fmt: skip
_MADE = combine_patterns(
    r"\b(?P<deed>add|creat|delet|remov|renam|mov)(?:e?s|e?d|ing)?\s+"
    + _SOME.format("count")
    + r"\s+(?:new\s+|old\s+|whole\s+)?files\b"
)
_CAME = combine_patterns(
    r"(?:^(?:[-*+]\s+)?|\b(?:add|introduc|creat|into|with|in|brings?)(?:s|es|ed|ing)?\s+)"
    + _SOME.format("count")
    + r"\s+new\s+(?:files|modules)\b"
)
_TESTS = combine_patterns(
    r"\b(?:add(?:s|ed|ing)?|with|write|wrote|brings?|plus|comes with|includ(?:es?|ing))\s+"
    + _SOME.format("count")
    + r"\s+(?:(?:new|more|unit|regression|integration|further|additional|small)\s+){0,3}tests?(?:\s+cases?)?\b(?!\s+(?:file|suite|module|class|runner|helper|util)\w*)",
    _SOME.format("there")
    + r"\s+(?:(?:new|more|unit|regression|integration|further|additional)\s+){1,3}tests?(?:\s+cases?)?\b(?!\s+(?:file|suite|module|class|runner|helper|util)\w*)",
)
_ENDPOINTS = combine_patterns(
    r"\b(?:add|introduc|creat|implement|expos|provid|bring)\w{0,4}\s+"
    + _SOME.format("count")
    + r"\s+(?:(?:new|REST|HTTP|API|JSON|public|further|more)\s+){0,3}(?:endpoints|routes)\b"
)
_ROUTE = lazy_compile(
    r"^\s*@\w+(?:\.\w+){0,3}\.(?:get|post|put|patch|delete|head|options|route)\(|\b(?:app|router|mux|api|server|r|e|g)\.(?:get|post|put|patch|delete|handle|handlefunc)\("
    r"|@(?:Get|Post|Put|Patch|Delete|Request)Mapping\b|^\s*(?:get|post|put|patch|delete)\s+[\"']/",
    re.IGNORECASE,
)
"""How a line gives an address to what answers there."""
_BUNDLED = lazy_compile(r"\bmethods\s*=|\bresources?\b|^\s*for\s", re.IGNORECASE)
"""Lines by which several come at once."""
_STATUS = {"add": Status.ADDED, "creat": Status.ADDED, "delet": Status.DELETED, "remov": Status.DELETED, "renam": Status.RENAMED, "mov": Status.RENAMED}  # fmt: skip


def as_number(text: str) -> int:
    """The number that a figure or a word is. Raises KeyError for another word."""
    plain = ungrouped(text.lower().removeprefix("a "))
    return int(plain) if plain.isdigit() else _SPELT[plain]


def ungrouped(figure: str) -> str:
    """A figure without the signs that part its digits: `10000` for `10,000` and `10_000`."""
    return figure.translate(_GROUPING)


def agree(one: str, other: str) -> bool:
    """Are two versions the same as far as both are told?"""
    return all(first == second for first, second in zip(one.split("."), other.split("."), strict=False))


def _counted(sentence: Sentence, ground: Ground) -> Iterator[Held]:
    """How many files, routes and tests a sentence says there are."""
    for weigh in (_files_touched, _files_made, _routes_made, _tests_made):
        held = weigh(sentence, ground)
        if held is not None:
            yield held


def _first(form: re.Pattern[str], sentence: Sentence, denial: re.Pattern[str] = DENIAL) -> re.Match[str] | None:
    """Where a sentence first says something in a form of words; None where it takes that back."""
    said = form.search(sentence.text)
    return None if said is None or denied(sentence.text, said.start(), denial) else said


_OTHER_NUMBER_OF_FILES = "The description gives another number of files than change"


def _files_touched(sentence: Sentence, ground: Ground) -> Held | None:
    said, files = _first(_FILES, sentence), ground.change.files
    if said is None or not files:
        return None
    count = as_number(first_group(said))
    groups = ([file for file in files if fits(file.path)] for fits in (bool, is_code, lambda path: not is_test(path)))
    answer = Answer(any(len(group) == count for group in groups), places(files), 0.7)
    return Held("count_of_files", sentence, answer, _OTHER_NUMBER_OF_FILES)


def _files_made(sentence: Sentence, ground: Ground) -> Held | None:
    files = ground.change.files
    if said := _first(_MADE, sentence, LATER):
        happened = [file for file in files if file.status is _STATUS[said["deed"].lower()]]
        answer = Answer(len(happened) == as_number(said["count"]), places(happened), 0.7)
        return Held("count_of_files", sentence, answer, _OTHER_NUMBER_OF_FILES)
    if files and (said := _first(_CAME, sentence, LATER)):
        new = [file for file in files if file.base is None or file.base.path != file.path]
        answer = Answer(len(new) >= as_number(said["count"]), places(new), 0.7)
        return Held("count_of_files", sentence, answer, "The description gives a larger number of new files than come")
    return None


def _routes_made(sentence: Sentence, ground: Ground) -> Held | None:
    said = _first(_ENDPOINTS, sentence, LATER)
    routes = 0 if said is None else sum(_ROUTE.search(line) is not None for line in ground.came)
    if said is None or not routes or not ground.whole or any(_BUNDLED.search(line) for line in ground.came):
        return None
    answer = Answer(routes >= as_number(said["count"]), confidence=0.7, because=FROM_WORDING)
    return Held("count_of_routes", sentence, answer, "The description gives a larger number of endpoints than come")


def _tests_made(sentence: Sentence, ground: Ground) -> Held | None:
    said = _first(_TESTS, sentence)
    told = None if said is None else _tests_came(ground)
    if said is None or told is None:
        return None
    count = as_number(first_group(said))
    if told < count and not told:
        return None
    answer = Answer(told >= count, confidence=0.7, because=f"{FROM_WORDING}; cases of one test were not counted")
    return Held("count_of_tests", sentence, answer, "The description gives a larger number of tests than come")


def _tests_came(ground: Ground) -> int | None:
    """How many tests the head has that the base had not; None where cases in tables or unread files blur the number."""
    modules = ground.modules
    beside = {path for path, shape in modules.others.items() if shape.tests}
    tests = ground.came_in(lambda path: is_test(path) or path in beside)
    if modules.unreadable or any(_TABLED.search(line) for line in tests) or not ground.whole:
        return None
    now, then = (
        {
            each.name
            for path, shape in outlines.items()
            for each in shape.functions
            if is_test(path) and each.name.startswith("test")
        }
        | {each.name for shape in outlines.values() for each in shape.tests}
        for outlines in (ground.outlines, ground.outlines_before)
    )
    begun = _begun(ground)
    return max(len(now - then), begun) if now - then or begun else 0


def _begun(ground: Ground) -> int:
    """How many more lines come than go that begin a test."""
    came, went = (
        sum(_TEST.match(line) is not None for line in side)
        for side in (ground.came_in(is_test), ground.went_from(is_test))
    )
    return max(0, came - went)


_TEST = lazy_compile(
    r"\s*+(?:@(?:Parameterized)?Test\b|#\[(?:\w+::)?test\b|(?:async\s+)?def test_|func Test[A-Z_]|(?:it|test|specify)\s*+\(?\s*+[\"'`]|\[(?:Fact|Test|Theory|TestMethod)\b|public function test|TEST(?:_F|_CASE)?\()"
)
"""How a test begins, in languages of which the outlines tell none too."""


_TABLED = lazy_compile(
    r"parametri[sz]e|subtest|\.each\b|t\.Run\(|rstest|ParameterizedTest|@case|test_case|DataProvider|ddt|hypothesis|for .{1,80} in ",
    re.IGNORECASE,
)
