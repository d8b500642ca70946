"""What a sentence says is so by default: switches that are on or off, and values that options and variables have unless told otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence, beginning
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.description.version_and_count_claims import ungrouped
from auditor.forensics.source_text.file_roles import is_test
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, groups_by_role
from auditor.lazy_regex import lazy_compile

_NAME = r"(?:`(?:--)?(?P<{0}>[A-Za-z][\w.-]{{1,60}})`|(?<![\w-])--(?P<{0}_option>[a-z][\w-]{{1,60}})|\b(?P<{0}_shaped>[A-Za-z]\w{{0,40}}_\w{{1,60}}|[a-z]{{2,30}}[A-Z]\w{{1,60}}))"
_KIND = r"(?:\s+(?:flag|option|setting|switch|parameter|argument|variable|field|feature|toggle|key|env(?:ironment)?(?:\s+var\w*)?))?"
_BE = r"(?:is|are|stays?|remains?|comes|starts|ships|was|being)"
_ON = r"(?:on|enabled|true|active|activated|opt-out|switched on|turned on)"
_OFF = r"(?:off|disabled|false|inactive|deactivated|opt-in|switched off|turned off)"
_SWITCHED = combine_patterns(
    rf"{_NAME.format('on')}{_KIND}\)?,?\s+(?:which\s+|that\s+|and\s+)?(?:{_BE}\s+)(?:now\s+|still\s+)?{_ON}\s+(?:by\s+default|unless\b|out of the box)",
    rf"{_NAME.format('off')}{_KIND}\)?,?\s+(?:which\s+|that\s+|and\s+)?(?:{_BE}\s+)(?:now\s+|still\s+)?{_OFF}\s+(?:by\s+default|unless\b|out of the box)",
    rf"{_NAME.format('on_to')}{_KIND}\)?,?\s+(?:which\s+|that\s+|and\s+)?(?:now\s+)?(?:defaults?\s+to|is\s+by\s+default)\s+`?{_ON}\b",
    rf"{_NAME.format('off_to')}{_KIND}\)?,?\s+(?:which\s+|that\s+|and\s+)?(?:now\s+)?(?:defaults?\s+to|is\s+by\s+default)\s+`?{_OFF}\b",
    rf"{_NAME.format('on_in')}{_KIND}\s*[(,]\s*(?:default:?\s+`?{_ON}\b|{_ON}\s+by\s+default)",
    rf"{_NAME.format('off_in')}{_KIND}\s*[(,]\s*(?:default:?\s+`?{_OFF}\b|{_OFF}\s+by\s+default)",
)
_TRUTH = lazy_compile(
    r"(?<![\w\"'.-])(?P<on>true|True|TRUE|YES|yes|on)(?![\w\"'.-])|(?<![\w\"'.-])(?P<off>false|False|FALSE|NO|no|off)(?![\w\"'.-])|[\"'](?P<on_quoted>true|on|yes)[\"']|[\"'](?P<off_quoted>false|off|no)[\"']|(?P<on_action>store_false)|(?P<off_action>store_true)"
)
_COMPARED = lazy_compile(r"[=!]==?|\bis\b|\beq\b|\bassert|\bexpect|\bif\b|\?\s")
_NUMBER = r"(?P<{}>\d{{1,9}}(?:[_,]\d{{3}}){{0,3}}(?:\.\d{{1,6}})?)"
_VALUED = combine_patterns(
    rf"{_NAME.format('told')}{_KIND}\)?,?\s+(?:which\s+|that\s+|and\s+)?(?:now\s+)?(?:defaults?\s+to|(?:has|with)\s+(?:an?\s+|the\s+)?default\s+(?:value\s+)?of|is\s+by\s+default)\s+`?{_NUMBER.format('to')}(?![\w%]*\.\d)",
    rf"{_NAME.format('called')}{_KIND}\s*\((?:the\s+)?default(?:s\s+to)?:?\s+(?:is\s+)?`?{_NUMBER.format('in')}(?![\w%]*\.\d)",
    rf"{_NAME.format('being')}{_KIND}\)?,?\s+(?:which\s+|that\s+)?(?:{_BE}\s+)`?{_NUMBER.format('by')}`?\s+(?:\w{{1,12}}\s+)?by\s+default\b",
    rf"\b(?:the\s+)?default\s+(?:value\s+)?(?:of|for)\s+(?:the\s+)?{_NAME.format('of')}{_KIND}\s+(?:is\s+now|becomes|is|goes\s+(?:from\s+\S{{1,12}}\s+)?to|changes\s+(?:from\s+\S{{1,12}}\s+)?to)\s+`?{_NUMBER.format('now')}(?![\w%]*\.\d)",
    rf"\b(?:without|unless|if no)\s+{_NAME.format('without')}(?:\s+(?:the|a|an|is|it|given|set|[a-z]{{2,20}})){{1,4}}\s+`?{_NUMBER.format('then')}(?![\w%]*\.\d)",
)
_WORDED = combine_patterns(
    rf"{_NAME.format('told')}{_KIND}\)?,?\s+(?:which\s+|that\s+|and\s+)?(?:now\s+)?(?:defaults?\s+to|is\s+by\s+default)\s+[`\"'](?P<to>[A-Za-z][\w./:-]{{1,40}})[`\"']",
    rf"{_NAME.format('called')}{_KIND}\s*\((?:the\s+)?default(?:s\s+to)?:?\s+(?:is\s+)?[`\"'](?P<in>[A-Za-z][\w./:-]{{1,40}})[`\"']",
    r"\b(?:the\s+)?default\s+(?P<kind>[a-z]{3,20})\s+(?:is|becomes|is\s+now)\s+(?:now\s+)?[`\"'](?P<now>[A-Za-z][\w./:-]{1,40})[`\"']",
)
_STRING = lazy_compile(r"[\"'`](?P<text>[A-Za-z][\w./:-]{1,40})[\"'`]")
_WRITTEN = lazy_compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?")
_AS_ONE = str.maketrans("", "", "_-. ")
_SWITCH_WRONG = "The description says what a switch is by default, and the line that comes says the opposite"
_VALUE_WRONG = "The description tells a default, and the line that comes gives another"


def held_defaults(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """What is said to be so by default."""
    yield from held_by_form(said, _FORMS, ground)


def _lines_of(name: str, ground: Ground) -> list[str]:
    """What stands behind the name in the lines that come, tests and documents left out."""
    wanted = name.lower().translate(_AS_ONE).lstrip("-")
    came = ground.once("lines for machines", lambda: list(_for_machines(ground)))
    return [_behind(line, wanted) for line, plain in came if wanted in plain]


def _for_machines(ground: Ground) -> Iterator[tuple[str, str]]:
    """The lines that come, tests and documents left out, each with itself in small letters without signs."""
    for line in ground.came_in(lambda path: not is_test(path) and not path.endswith(_FOR_READERS)):
        yield beginning(line), beginning(line).lower().translate(_AS_ONE)


_FOR_READERS = (".md", ".rst", ".txt", ".adoc", ".mdx")


def _behind(line: str, wanted: str) -> str:
    """The rest of a line behind a name that is written with or without signs between its words."""
    form = r"[_\-. ]?".join(map(re.escape, wanted[:80]))
    found = re.search(rf"(?<![A-Za-z0-9]){form}(?![A-Za-z0-9])", line, re.IGNORECASE)
    return line[found.end() :] if found else ""


def _switched(found: re.Match[str], __: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes gives the name a truth, or gives it both."""
    told, name = next(iter(groups_by_role(found).items()))
    shown = {
        way
        for line in _lines_of(name, ground)
        if not _COMPARED.search(line)
        for each in _TRUTH.finditer(line)
        for way in groups_by_role(each)
    }
    if len(shown) != 1 or not ground.whole:
        return None
    return Answer(told in shown, confidence=0.7)


def _valued(found: re.Match[str], __: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes gives the name a number."""
    name, number = groups_by_role(found).values()
    value = float(ungrouped(number))
    behind = _lines_of(name, ground)
    numbers = [float(each.replace("_", "")) for line in behind for each in _WRITTEN.findall(line)]
    if not numbers or not ground.whole:
        return None
    everywhere = ground.once("numbers that come", lambda: frozenset(_numbers(ground)))
    if any(_same(value, each) for each in everywhere):
        return Answer(any(_same(value, each) for each in numbers), confidence=0.6) if value in numbers else None
    return Answer(False, confidence=0.7, because=f"{FROM_WORDING}; a value can be put together")


def _worded(found: re.Match[str], __: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes gives the name a word."""
    name, word = groups_by_role(found).values()
    given = [each["text"] for line in _lines_of(name, ground) for each in _STRING.finditer(line)]
    if not given or not ground.whole or word.lower() in _TRUTHS:
        return None
    held = word in given or any(word in line for line in ground.came)
    return Answer(held, confidence=0.65)


_TRUTHS = frozenset({"true", "false", "on", "off", "none", "null", "nil", "undefined", "yes", "no"})


def _numbers(ground: Ground) -> Iterator[float]:
    return (float(each.replace("_", "")) for line in ground.came for each in _WRITTEN.findall(beginning(line)))


def _same(one: float, other: float) -> bool:
    """In any usual unit."""
    units = (1, 60, 1_000, 1_024, 3_600, 60_000, 86_400, 1_048_576, 1_000_000)
    return any(one * unit == other or other * unit == one for unit in units)


_FORMS = (
    Form(_SWITCHED, _switched, "switch", _SWITCH_WRONG),
    Form(_VALUED, _valued, "default", _VALUE_WRONG),
    Form(_WORDED, _worded, "default_word", _VALUE_WRONG),
)
