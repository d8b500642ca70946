"""Statements made in one of a few words, of which the lines that come show another: levels, answers, methods, order, errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from typing import NamedTuple

from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    Answer,
    Ground,
    Held,
    Sentence,
    beginning,
    denied,
)
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.source_text.definition_names import unqualified
from auditor.forensics.source_text.file_roles import is_code, is_test
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_STILL = lazy_compile(
    r"\b(?:still|remains?|stays?|(?<!is )(?<!are )(?<!was )(?<!were )(?<!been )already|already(?=\s+(?:return|answer|handl|cover|rais|throw|log|so\b|the\s+case)\w*)|continues?|unchanged|kept?|keeps|as before|existing|previously|before|used to|was|were)\b",
    re.IGNORECASE,
)
"""Words of sentences that tell how things were, or that they are as they were."""
_BY_ANOTHER = f"{FROM_WORDING}; what it tells may be done by code that the change leaves alone"


def held_opposed(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Statements of which lines that come show the opposite."""
    yield from held_by_form(said, _FORMS, ground)


_Shown = Callable[[str], Iterable[str]]
"""Which of the words of a kind a line of code shows."""


def _came(shown: _Shown, ground: Ground) -> frozenset[str]:
    """Those that lines of the product show which come."""
    return ground.once(
        f"came {shown.__name__}", lambda: frozenset(each for line in ground.product_came for each in shown(line))
    )


def _standing(shown: _Shown, ground: Ground) -> frozenset[str]:
    """Those that any line of the changed files shows at the head."""
    return ground.once(
        f"standing {shown.__name__}",
        lambda: frozenset(each for line in ground.standing_lines() for each in shown(line)),
    )


def _against(told: str, shown: _Shown, sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes shows any, or the one that is told may be shown by one that stays."""
    came = _came(shown, ground)
    if not ground.whole or _STILL.search(sentence.text) or not came:
        return None
    if told in came:
        return Answer(True, confidence=0.6)
    if told in _standing(shown, ground):
        return None
    return Answer(False, confidence=0.65, because=_BY_ANOTHER)


_LEVEL = r"(?P<{}>trace|debug|info(?:rmation(?:al)?)?|notice|warn(?:ing)?|error|critical|fatal)s?"
_END_OF_LEVEL = r"`?(?=\s*(?:level\b|severity\b|messages?\b|instead\b|rather\b|now\b|and\b|with\b|when\b|if\b|for\b|so\b|once\b|only\b|in the log|$|[.,;:)]))"
_LOGGED = combine_patterns(
    rf"\blog(?:s|ged|ging)?\b(?:\s+(?!instead\b|not\b|no\b)[^\s.;:]{{1,40}}){{0,10}}?\s+(?:at|on|with|as)\s+(?:the\s+|an?\s+)?(?:log\s+)?(?:level\s+)?`?{_LEVEL.format('at')}{_END_OF_LEVEL}",
    rf"\blog(?:s|ged)?\s+an?\s+(?:\w{{1,20}}\s+)?`?{_LEVEL.format('a')}`?(?=\s+(?:message|line|entry|log)\b)",
    r"\b(?:logs?|logged|emits?|gives?|prints?)\s+an?\s+(?:\w{1,20}\s+)?(?P<warns>warning)s?\b(?!\s+(?:that\s+the\s+user|box|sign|banner|header|dialog|page))",
    r"\blogs?\s+an\s+(?P<errs>error)\b(?=\s+(?:if|when|for|once|instead|and\s+goes\s+on)\b)",
    rf"\ban?\s+(?:\w{{1,20}}\s+)?{_LEVEL.format('is_logged')}(?:\s+(?:message|line|entry))?\s+is\s+(?:now\s+)?(?:logged|emitted|written\s+to\s+the\s+log)\b",
    rf"\b(?:goe?s?|written|moved?s?|ends?\s+up)\s+(?:now\s+)?(?:to|in)\s+the\s+{_LEVEL.format('goes_to')}\s+log\b",
    rf"\b(?:log(?:s|ged|ging)?|message|level)\b[^.;:]{{0,60}}?\b(?:lower|rais|demot|promot|chang|downgrad|mov|switch|reduc)\w{{0,4}}\s+(?:from\s+`?\w{{3,12}}`?\s+)?to\s+(?:the\s+|an?\s+)?`?{_LEVEL.format('to')}{_END_OF_LEVEL}",
    rf"\b(?:lower|rais|demot|promot|chang|downgrad|reduc)\w{{0,4}}\s+(?:[^\s.;:]{{1,30}}\s+){{0,6}}?log\w{{0,8}}\s+(?:[^\s.;:]{{1,30}}\s+){{0,4}}?to\s+(?:the\s+|an?\s+)?`?{_LEVEL.format('now')}{_END_OF_LEVEL}",
)
_SAME_LEVEL = {"warning": "warn", "information": "info", "informational": "info", "exception": "error", "err": "error", "critical": "fatal", "notice": "info", "panic": "fatal"}  # fmt: skip
_LOGS = lazy_compile(
    r"\b(?:\w{0,20}log\w{0,12}|slog|console|tracing|zap|klog|Log)(?:\(\))?(?:\.\w{1,20}\(\))?(?:\.|::|->)(?P<called>trace|debug|info|notice|warn|warning|error|exception|critical|fatal|panic)[fw]?(?:Context|Ctx|ln|_once)?\s*[!({]"
    r"|\b(?P<macro>trace|debug|info|warn|error)!\s*\("
    r"|\b(?:log|_log|logger|write)\w{0,6}\(\s*(?:\w{1,20}\.|:)?(?:LOG_|Level\w{0,5}\.)?(?P<given>trace|debug|info|notice|warn|warning|error|err|critical|fatal)\b"
    r"|\bLog(?:Level)?\.?(?P<net>Trace|Debug|Information|Warning|Error|Critical)\("
    r"|\bwarnings\.(?P<python>warn)\("
    r"|\bLogger\.(?P<elixir>debug|info|notice|warn|warning|error)\b"
    r"|\b(?:log|logger|logging|LOG|Level|LogLevel|zerolog)\.(?P<named>TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL|Debug|Info|Warn|Error)\b",
    re.IGNORECASE,
)


def _levels(line: str) -> Iterator[str]:
    for found in _LOGS.finditer(line):
        yield _plain_level(first_group(found))


def _plain_level(word: str) -> str:
    low = word.lower()
    return _SAME_LEVEL.get(low, low)


def _level(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    return _against(_plain_level(first_group(found)), _levels, sentence, ground)


_ANSWERS = combine_patterns(
    r"\b(?:answers?|responds?|repl(?:y|ies)|returns?|(?:is|are|be|being)\s+(?:now\s+|all\s+|then\s+)?(?:answered|rejected|refused|returned|reported|turned\s+away|told)|gets?|gives?|status(?:\s+code)?s?|http|yields?|sends?|fails?|ends?|raises?|throws?|produces?|results?|a|an)\s+"
    r"(?:(?:is|are|with|in|by|now|as|code|status|http|an?|the|also|back|of|proper|plain)\s+){0,4}`?(?P<status>[2-5]\d\d)(?:\s+(?P<named>(?-i:[A-Z]\w{1,20}(?:\s[A-Z]\w{1,20}){0,3})))?`?(?![\w%-]|\.\d|\s?(?:ms|kb|mb|gb|px|%)|\s+(?!responses\b|errors\b|answers\b|unless\b|as\b|always\b|is\b|was\b|has\b|plus\b|status\b|this\b)[a-z]{2,20}s\b)"
)
_OF_ANSWERS = lazy_compile(
    r"status|abort|http|code|respon|\bres\.|\brender\b|\bhead\b|send|error|refuse|reject|halt|json\(|@ApiResponse|\bw\.|Result|StatusCodes?",
    re.IGNORECASE,
)
_THREE_DIGITS = lazy_compile(
    r"(?<![\w.])(?P<code>[2-5]\d\d)(?![\w.%])|(?:HTTP_|Status|sendStatus\()(?P<joined>[2-5]\d\d)(?!\d)"
)
_CODES = {
    each.phrase.lower().replace(" ", "").replace("-", "").replace("'", ""): str(each.value) for each in HTTPStatus
}
_CODES |= {each.name.lower().replace("_", ""): str(each.value) for each in HTTPStatus}
_CODES |= {
    "unprocessableentity": "422",
    "unprocessablecontent": "422",
    "contenttoolarge": "413",
    "payloadtoolarge": "413",
    "requestentitytoolarge": "413",
    "requesturitoolong": "414",
    "uritoolong": "414",
    "requestedrangenotsatisfiable": "416",
    "rangenotsatisfiable": "416",
    "permanentredirect": "308",
}
"""Their names without blanks; those that RFC 9110 gave other names are told by both, whichever Python knows."""
STATUSES = frozenset(_CODES.values())
"""Numbers by which answers of HTTP are told."""
_NAMING = re.compile("|".join(sorted(filter(lambda name: len(name) > 3, _CODES), key=len, reverse=True)))


def statuses(line: str) -> Iterator[str]:
    """The statuses of answers that a line tells, by number or by name."""
    for digits in _THREE_DIGITS.finditer(line):
        if digits["joined"] or _OF_ANSWERS.search(line):
            yield digits["code"] or digits["joined"]
    for named in _NAMING.findall(line.lower().replace("_", "")):
        yield _CODES[named]


def _any_code(line: str) -> Iterator[str]:
    """Numbers that may be statuses, whatever they stand for."""
    return (found.group() for found in _HUNDREDS.finditer(line))


_HUNDREDS = lazy_compile(r"[2-5]\d\d")


_NAMED_ANSWERS = lazy_compile(
    r"\b(?:[Aa]nswer(?:s|ed)?|[Rr]esponds?|[Rr]epl(?:y|ies)|[Rr]eturns?|[Gg]ives?|[Ss]ends?|[Rr]ejected|[Rr]efused)\s+(?:now\s+)?(?:(?:with|by)\s+)?(?:an?\s+|the\s+)?(?:HTTP\s+)?`?"
    r"(?P<name>Not Found|Conflict|Forbidden|Unauthorized|Bad Request|No Content|Too Many Requests|Unprocessable (?:Entity|Content)|Gone|Accepted|Payload Too Large|Service Unavailable|Method Not Allowed|Not Implemented|Bad Gateway|Gateway Timeout)`?(?!\w)"
)
_IN_PLACE_OF = lazy_compile(r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of)\b", re.IGNORECASE)


def _status(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where the number stands anywhere in the changed files, or no other of its kind comes."""
    told = found["status"]
    return _answered(told, found.start("status"), sentence, ground) if told in STATUSES else None


def _named_status(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """The same of a status that is told by its name alone."""
    told = _CODES[found["name"].lower().replace(" ", "")]
    return _answered(told, found.start("name"), sentence, ground)


def _answered(told: str, start: int, sentence: Sentence, ground: Ground) -> Answer | None:
    if not ground.whole or _STILL.search(sentence.text) or denied(sentence.text, start, _IN_PLACE_OF):
        return None
    came = _came(statuses, ground)
    if told in came:
        return Answer(True, confidence=0.6)
    rivals = {each for each in came if each[0] == told[0] or (each[0] in "45" and told[0] in "45")}
    if not rivals or told in _standing(_any_code, ground) | _standing(statuses, ground):
        return None
    return Answer(False, confidence=0.65, because=_BY_ANOTHER)


_METHOD = r"(?P<{}>GET|POST|PUT|PATCH|DELETE)"
_ROUTED = lazy_compile(rf"(?<![\w/.-])`?{_METHOD.format('method')}`?\s+`?(?P<path>/[\w/{{}}<>:.$*\[\]-]{{2,120}})")
_PIECE_OF_PATH = r"[\w/{}<>:.$*\[\]-]{1,120}"
_ROUTE = lazy_compile(
    rf"\.(?P<called>get|post|put|patch|delete|Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|MapGet|MapPost|MapPut|MapPatch|MapDelete)\(\s*[\"'`](?P<path_called>{_PIECE_OF_PATH})[\"'`]"
    rf"|@(?P<spring>Get|Post|Put|Patch|Delete)(?:Mapping)?(?:\(\s*(?:(?:path|value)\s*=\s*)?\{{?[\"'](?P<path_spring>{_PIECE_OF_PATH})[\"']|\(\)|\s*$)"
    rf"|\[Http(?P<net>Get|Post|Put|Patch|Delete)\(\s*\"(?P<path_net>{_PIECE_OF_PATH})\""
    rf"|^\s*(?P<rails>get|post|put|patch|delete)\s+[\"'](?P<path_rails>{_PIECE_OF_PATH})[\"']"
    rf"|(?:Handle|HandleFunc|route|Route|Methods?)\w{{0,10}}\(\s*[\"'](?P<go>GET|POST|PUT|PATCH|DELETE)[\"']?,?\s+[\"']?(?P<path_go>{_PIECE_OF_PATH})[\"']"
    rf"|\.route\(\s*\"(?P<path_axum>{_PIECE_OF_PATH})\"\s*,\s*(?:\w{{1,20}}::){{0,3}}(?P<axum>get|post|put|patch|delete)\("
    rf"|\.route\(\s*[\"'](?P<path_flask>{_PIECE_OF_PATH})[\"'][^)\n]{{0,120}}methods\s*=\s*[\[(]\s*[\"'](?P<flask>GET|POST|PUT|PATCH|DELETE)[\"']\s*,?\s*[\])]"
)


class _Route(NamedTuple):
    method: str
    parts: tuple[str, ...]


def _routes(lines: Iterable[str], before: tuple[str, ...]) -> Iterator[_Route]:
    """The routes of one file, with the beginning that all of them share."""
    for line in lines:
        for found in _ROUTE.finditer(line):
            told = {name: value for name, value in found.groupdict().items() if value}
            path = next((value for name, value in told.items() if name.startswith("path_")), "")
            method = next(value for name, value in told.items() if not name.startswith("path_"))
            yield _Route(method.upper().removeprefix("MAP"), (*before, *_parts(path)))


_SHARED = lazy_compile(
    rf"(?:@(?:Rest)?Controller|@RequestMapping|@Path|\[Route|\bprefix\s*=|\burl_prefix\s*=|\.group)\(?\s*(?:(?:path|value)\s*=\s*)?\{{?[\"'](?P<path>{_PIECE_OF_PATH})[\"']"
)
"""The beginning of all addresses of a file."""


def _routes_of(ground: Ground, *, came: bool) -> Iterator[_Route]:
    """The routes of the changed files, or of their lines that come."""
    for file in ground.change.files:
        text = None if file.head is None else ground.documents.head.get(file.head.path)
        if text is None or not is_code(file.path) or is_test(file.path):
            continue
        shared = {_parts(each["path"]) for each in _SHARED.finditer(text)}
        before = next(iter(shared)) if len(shared) == 1 else ()
        chosen = ground.came_of(file) if came else text.split("\n")
        yield from _routes((beginning(line) for line in chosen), before)


def _parts(path: str) -> tuple[str, ...]:
    """The pieces of an address, with one word for all that stands for a value."""
    pieces = path.partition("?")[0].strip("/.").split("/")
    return tuple("*" if _FOR_A_VALUE.search(each) else each.lower() for each in pieces if each)


_FOR_A_VALUE = lazy_compile(r"[{}<>:$*\[\]]")


def _routes_that_come(ground: Ground) -> list[_Route]:
    return ground.once("routes that come", lambda: list(_routes_of(ground, came=True)))


def _method(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None unless a route that comes has that address, and none of that address has the method."""
    told = _parts(found["path"])
    if not told or not ground.whole or _STILL.search(sentence.text) or set(told) == {"*"}:
        return None
    fitting = [each for each in _routes_that_come(ground) if _fit(told, each.parts)]
    if not fitting:
        return None
    everywhere = ground.once("routes", lambda: list(_routes_of(ground, came=False)))
    methods = {each.method for each in everywhere if _fit(told, each.parts)}
    return Answer(found["method"].upper() in methods, confidence=0.7, because=_BY_ANOTHER)


def _fit(told: tuple[str, ...], written: tuple[str, ...]) -> bool:
    """Does one end in the other, of which it is more than a value? A router may have a beginning of its own."""
    shorter = min(len(told), len(written))
    return bool(shorter) and told[-shorter:] == written[-shorter:] and any(each != "*" for each in told[-shorter:])


_OLDEST = r"(?:oldest|earliest)\s+(?:[\w-]{1,20}\s+){0,3}?(?:comes?\s+|is\s+|are\s+)?first\b|\b(?:waited|waiting)\s+(?:the\s+)?longest\s+(?:comes?\s+|is\s+|are\s+|goes\s+)?first\b|\b(?:by|in)\s+(?:ascending\s+(?:date|time)|chronological\s+order)"
_NEWEST = r"(?:newest|latest|youngest|most\s+recent(?:ly\s+\w{1,20})?)\s+(?:[\w-]{1,20}\s+){0,3}?(?:comes?\s+|is\s+|are\s+)?(?:first|at\s+the\s+top|on\s+top)\b|\b(?:by|in)\s+(?:descending\s+(?:date|time)|reverse\s+chronological\s+order)"
_BY_SIZE = (
    r"\b(?P<smallest>(?:cheapest|smallest|lowest|shortest|fewest)\s+(?:(?!priorit)[\w-]{1,20}\s+){0,2}?first)\b",
    r"\b(?P<largest>(?:largest|biggest|highest|longest|greatest|heaviest|dearest)\s+(?:(?!priorit)[\w-]{1,20}\s+){0,2}?first)\b",
    r"\bin\s+(?P<ascends>ascending|rising)\s+order\b",
    r"\bin\s+(?P<descends>descending|falling)\s+order\b",
)
_SORTED = combine_patterns(
    rf"\b(?P<up>{_OLDEST})",
    rf"\b(?P<down>{_NEWEST})",
    r"\b(?:sort|order|list|rank)(?:s|ed|ing)?\s+(?:[^\s.;:]{1,40}\s+){0,8}?(?:in\s+)?(?P<rising>ascending|increasing)\b",
    r"\b(?:sort|order|list|rank)(?:s|ed|ing)?\s+(?:[^\s.;:]{1,40}\s+){0,8}?(?:in\s+)?(?P<falling>descending|decreasing)\b",
    *_BY_SIZE,
)
_OF_TIME = r"(?:\w{0,30}(?:At|_at|[Dd]ate|[Tt]ime|[Cc]reated|[Uu]pdated|[Ss]tamp|[Pp]ublished|[Ss]ince|[Aa]dded|[Ss]tart\w{0,4}|[Rr]elease\w?)\w{0,20}|id)"
_DOWN = r"\b(?:order_?by|sort\w{{0,6}}|orderBy)\b[^\n]{{0,80}}?\b{0}[\"'`)\]]{{0,3}}\s*,?\s*[\"':.]{{0,2}}(?P<{1}>desc|DESC|descending|-1)\b|\b{0}\s*:\s*(?:[\"':]|SortOrder\.|Order\.)?(?P<{1}_word>desc|DESC|-1)\b|[\"']-(?P<{1}_sign>{0})[\"']|\b[bB]\.?(?P<{1}_less>{0})\)?\s*-\s*\(?\+?[aA]\.{0}|\bb\.{0}\.(?P<{1}_text>localeCompare|cmp|compareTo|partial_cmp)\(&?a\.|OrderByDescending\([^)\n]{{0,40}}?\.(?P<{1}_net>{0})"
_UP = r"\b(?:order_?by|orderBy)\b[^\n]{{0,80}}?\b{0}[\"'`)\]]{{0,3}}\s*,?\s*[\"':.]{{0,2}}(?P<{1}>asc|ASC|ascending)\b|\b{0}\s*:\s*(?:[\"':]|SortOrder\.|Order\.)?(?P<{1}_word>asc|ASC|1)\b|order_by\(\s*[\"'](?P<{1}_sign>{0})[\"']|\b[aA]\.(?P<{1}_less>{0})\)?\s*-\s*\(?\+?[bB]\.{0}|\ba\.{0}\.(?P<{1}_text>localeCompare|cmp|compareTo|partial_cmp)\(&?b\.|\bOrderBy\([^)\n]{{0,40}}?\.(?P<{1}_net>{0})\b|(?i:ORDER\s+BY)\s+(?:\w{{1,10}}\.)?(?P<{1}_bare>{0})\s*(?:[\"'`;)]|$|LIMIT\b)|\.order\(:?[\"']?(?P<{1}_rails>{0})[\"']?\)"
_SQL_DOWN = r"(?i:ORDER\s+BY)\s+(?:\w{{1,10}}\.)?(?P<{1}_sql>{0})\s+(?i:DESC)\b|\.order\(\s*[\"']?(?P<{1}_rails>{0})[\"']?:?\s*(?i::?desc)\b|reverse\s*=\s*(?P<{1}_python>True)|\.(?P<{1}_turned>reversed|reverse)\(|\b(?:sort|slices)\.(?P<{1}_go>Reverse)\("
_DIRECTION_OF_TIME = (
    lazy_compile(f"{_DOWN}|{_SQL_DOWN}".format(_OF_TIME, "down")),
    lazy_compile(_UP.format(_OF_TIME, "up")),
)
_ANYTHING = r"\w{1,40}"
_DIRECTION = (lazy_compile(f"{_DOWN}|{_SQL_DOWN}".format(_ANYTHING, "down")), lazy_compile(_UP.format(_ANYTHING, "up")))


_RISES = lazy_compile(r"\bsorted\(|\.sort\((?:key=|\))|\.sort_by[!\s({]|\bsort\.Ints\(|\.sorted\(\)")


def _ways(line: str) -> Iterator[str]:
    """Which ways a line sorts."""
    if _RISES.search(line) and "reverse" not in line:
        yield "up"
    yield from (way for way, form in zip(("down", "up"), _DIRECTION, strict=True) if form.search(line))


def _ways_of_time(line: str) -> Iterator[str]:
    """The same of what tells a time."""
    return (way for way, form in zip(("down", "up"), _DIRECTION_OF_TIME, strict=True) if form.search(line))


def _order(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where both directions come, or none."""
    if not ground.whole or _STILL.search(sentence.text):
        return None
    told = "down" if any(found[each] for each in ("down", "falling", "largest", "descends")) else "up"
    shown = _came(_ways_of_time if found["down"] or found["up"] else _ways, ground)
    if len(shown) != 1:
        return None
    return Answer(told in shown, confidence=0.65, because=f"{FROM_WORDING}; where it is shown may be another place")


_NAME_OF_ERROR = r"(?:\w{1,30}(?:::|\.)){0,3}(?:Err[A-Z]\w{1,50}|[A-Z]\w{0,50}(?:Error|Exception|Failure|Fault|Err)|[A-Z]\w{1,30}::[A-Z]\w{1,40})"
_RAISES = lazy_compile(
    rf"\b(?:[Rr]aises?|[Tt]hrows?|[Ff]ails?\s+with|[Rr]eject(?:s|ed)\s+with|[Rr]efused\s+with|[Rr]eported\s+as|[Ss]urfaces?\s+as|[Pp]anics?\s+with|[Ee]nds?\s+(?:in|with))\s+(?:an?\s+|the\s+|now\s+)?`(?P<error>{_NAME_OF_ERROR})(?:\(\))?`"
    rf"|\b[Aa]n?\s+`(?P<passive>{_NAME_OF_ERROR})`\s+is\s+(?:now\s+)?(?:raised|thrown)\b"
    rf"|\b(?:[Rr]aises?|[Tt]hrows?)\s+(?:an?\s+|the\s+)?(?P<bare>{_NAME_OF_ERROR})\b"
)
_RAISED = lazy_compile(
    r"\b(?:raise|throw|throws)\s+(?:new\s+)?&?(?P<thrown>[A-Za-z_][\w.:]{1,80})|\bErr\(\s*(?P<err>[A-Z][\w:]{1,80})|\bok_or(?:_else)?\((?:\|\|\s*)?(?P<ok_or>[A-Z][\w:]{1,80})|\bmap_err\((?:\|\w{1,10}\|\s*)?(?P<map_err>[A-Z][\w:]{1,80})|\breturn\s+(?:[\w\"{}.()]{1,30},\s*){0,3}(?P<go>(?:\w{1,30}\.)?Err[A-Z]\w{1,60})|\breject\(\s*new\s+(?P<rejected>\w{1,60})|\braise\s+(?P<ruby>[A-Z][\w:]{1,80}),"
)


def _errors(line: str) -> Iterator[str]:
    for found in _RAISED.finditer(line):
        yield unqualified(first_group(found))


def _raises(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where lines that come name it, or throw nothing that is new."""
    if not ground.whole or _STILL.search(sentence.text):
        return None
    told = unqualified(first_group(found))
    if found["bare"] and (told in _BY_THEMSELVES or told not in ground.after):
        return None
    thrown = {each for each in _came(_errors, ground) if _LIKE_ERROR.search(each)}
    if told in thrown:
        return Answer(True, confidence=0.6)
    if not thrown or told in ground.added:
        return None
    return Answer(False, confidence=0.65, because=_BY_ANOTHER)


_BY_THEMSELVES = frozenset({"ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "ValidationError", "NullPointerException", "OSError", "RuntimeError"})  # fmt: skip
"""Errors that come of what is called, so that no line that throws them need be there."""
_LIKE_ERROR = lazy_compile(r"^[A-Z]")
_RETURNS = lazy_compile(
    r"\b[Rr]eturn(?:s|ed)?\s+(?:now\s+)?(?:an?\s+|the\s+)?`?(?:[Ee]mpty\s+(?P<empty>list|array|slice|string|dict(?:ionary)?|object|map|set|tuple|vec\w{0,3}|hash)|(?P<nothing>None|null|nil|undefined)|(?P<truth>[Tt]rue|[Ff]alse)|(?P<minus>-1))`?(?![\w.(]|\s+or\b|/)"
    r"|\b[Aa]n\s+empty\s+(?P<given_back>list|array|slice|string|dict(?:ionary)?|object|map|set|tuple)\s+is\s+(?:now\s+)?returned\b"
)
_GIVEN_BACK = lazy_compile(
    r"\breturn\s+(?:(?P<list>\[\s*\]|list\(\)|new\s+ArrayList\w{0,3}<?>?\(\)|List\.of\(\)|Collections\.emptyList\(\)|Vec::new\(\)|vec!\[\])|(?P<object>\{\s*\}|dict\(\)|new\s+Map\(\)|Map\.of\(\))|(?P<string>\"\"|''|``)|(?P<tuple>\(\s*\)|tuple\(\))|(?P<set>set\(\)|new\s+Set\(\))|(?P<none>None|null|nil|undefined)|(?P<truth>[Tt]rue|[Ff]alse)|(?P<minus>-1))\s*(?:;|,|$|#|//|\bif\b|\bunless\b)"
)
_SAME_KIND = {"array": "list", "slice": "list", "vec": "list", "vector": "list", "dict": "object", "dictionary": "object", "map": "object", "hash": "object"}  # fmt: skip


def _given_back(line: str) -> Iterator[str]:
    for found in _GIVEN_BACK.finditer(line):
        kind = found.lastgroup or ""
        yield found["truth"].lower() if kind == "truth" else kind


def _returns(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    kind = (found["empty"] or found["given_back"] or "").lower()
    told = _SAME_KIND.get(kind, kind) if kind else "none" if found["nothing"] else (found["truth"] or "minus").lower()
    answer = _against(told, _given_back, sentence, ground)
    return None if answer is not None and not answer.holds and found["truth"] and _may_work_out(ground) else answer


def _may_work_out(ground: Ground) -> bool:
    """Does a line come that gives back what is only known when it runs, or may the last line of a function do so?"""
    if any(not is_test(path) and path.endswith(_LAST_LINES_COUNT) for path in ground.touched):
        return True
    came = (each for line in ground.product_came for each in _ANY_GIVEN_BACK.finditer(line))
    return any(_GIVEN_BACK.match(each.string, each.start()) is None for each in came)


_LAST_LINES_COUNT = (".rb", ".rs", ".ex", ".exs", ".scala", ".kt")
"""Languages in which a function gives back its last line, whatever that is."""
_ANY_GIVEN_BACK = lazy_compile(r"\breturn\s{1,4}(?![;\s])")


_ENDS = combine_patterns(
    r"\bexit(?:s|ed|ing)?\s+(?:(?:code|status|with|is|of|a|an|non-zero|the|now|are)\s+){1,4}`?(?P<code>\d{1,3})\b(?!\.\d)",
)
_ENDED = lazy_compile(
    r"\b(?:sys\.|os\.|process\.|System\.|std::process::|Environment\.)?[Ee]xit\s*\(?\s*(?P<code>\d{1,3})\b|\bSystemExit\(\s*(?P<raised>\d{1,3})\b|ExitCode::from\(\s*(?P<rust>\d{1,3})|\bexitCode\s*=\s*(?P<node>\d{1,3})"
)


def _codes(line: str) -> Iterator[str]:
    """The codes with which a line ends the process, but for that of success."""
    return (code for each in _ENDED.finditer(line) if (code := first_group(each)) != "0")


def _ends(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    return _against(found["code"], _codes, sentence, ground) if found["code"] != "0" else None


_ASYNC = r"(?:async|asynchronous|a\s+coroutine|awaitable)"
_AWAITED = combine_patterns(
    rf"`(?P<now>[\w.]{{2,80}})(?:\(\))?`\s+(?:(?:function|method)\s+)?(?:(?:is|becomes?|was\s+made)\s+)(?:now\s+)?{_ASYNC}\b",
    rf"\b(?:make|turn|convert)(?:s|ed)?\s+`(?P<made>[\w.]{{2,80}})(?:\(\))?`\s+(?:(?:function|method)\s+)?(?:into\s+)?(?:an?\s+)?{_ASYNC}\b",
)
_WAITS = lazy_compile(
    r"\b(?:async|await|suspend|Task|Promise|Future|CompletableFuture|Deferred|coroutine|Mono|Flux|impl Future)\b|->\s*Awaitable"
)


def _awaited(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no changed file defines it."""
    name = first_group(found).rpartition(".")[2]
    form = re.compile(
        rf"\b(?:def|function|fn|fun|func)\s+{re.escape(name)}\s*[(<]|\b{re.escape(name)}\s*[=:]\s*(?:async\s*)?(?:function\b|\()"
    )
    defined = [line for line in ground.standing_lines() if name in line and form.search(line)]
    return Answer(any(map(_WAITS.search, defined)), confidence=0.7) if defined and ground.whole else None


_FORMS = (
    Form(_ENDS, _ends, "exit", "The description says with which code something ends, and lines that come end it with another"),
    Form(_AWAITED, _awaited, "async", "The description says that something is asynchronous, and its definition is not"),
    Form(_LOGGED, _level, "level", "The description says at which level something is logged, and lines that come log at another"),
    Form(_ANSWERS, _status, "status", "The description says with which status is answered, and lines that come answer with another"),
    Form(_NAMED_ANSWERS, _named_status, "status", "The description says with which status is answered, and lines that come answer with another"),
    Form(_ROUTED, _method, "method", "The description names the method of an address, and the line that comes has another"),
    Form(_SORTED, _order, "order", "The description says what comes first, and the lines that come sort the other way round"),
    Form(_RAISES, _raises, "raises", "The description says which error is raised, and lines that come raise another"),
    Form(_RETURNS, _returns, "returns", "The description says what is returned, and lines that come return something else"),
)  # fmt: skip
