"""What is said to be done to every one of something, or to leave none: no print, no f-string in a query, no use of a name.

A file is asked for what it keeps only where a line goes from it that held the same: elsewhere something else is spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from auditor.domain import FileChange, Location
from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    MAX_SENTENCES,
    TESTS_APART,
    Answer,
    Ground,
    Held,
    Sentence,
    beginning,
    denied,
    put_off,
)
from auditor.forensics.description.phrase_claim_checks import Told, held_once
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.comments import compact_code_by_line
from auditor.forensics.source_text.file_roles import is_code, is_test, language
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile


class _Thing(NamedTuple):
    """What one can get rid of: how it is called, how it stands in code, and in which languages."""

    words: str
    sign: re.Pattern[str]
    languages: frozenset[str]
    before: str = ""
    """What must follow those words for them to mean it."""


_SCRIPT = frozenset({"javascript", "typescript"})
_PYTHON = frozenset({"python"})
_KEYWORDS = r"(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s|DELETE\s+FROM\s)"
_SAFE = r"(?!\s*(?:\w{0,30}(?:table|column|cols|field|placeholder|order|where|clause|sql|schema|limit|direction|marks|qs)\w{0,20}|[\"',. ]{1,8}join)\b)"
_PUT_TOGETHER = lazy_compile(
    rf"\b[fF][\"']{{1,3}}[^\n]{{0,300}}?{_KEYWORDS}[^\n{{]{{0,300}}\{{{_SAFE}\w"
    rf"|[\"'`]\s*{_KEYWORDS}[^\"`\n]{{0,300}}(?:\$\{{{_SAFE}\w|#\{{{_SAFE}\w)"
    rf"|[\"']\s*{_KEYWORDS}[^\"\n]{{0,300}}\"\s*(?:\+\s*{_SAFE}\w|%\s*[(\w]|\.format\()"
    rf"|\"\s*{_KEYWORDS}[^\"\n]{{0,300}}(?:\$(?!\d){_SAFE}\w)",
    re.IGNORECASE,
)
_ANY = frozenset({"python", "javascript", "typescript", "ruby", "php", "java", "kotlin", "csharp", "go"})
_THINGS = (
    _Thing(r"console\.logs?(?:\(\))?|console\s+(?:logs|output)", lazy_compile(r"\bconsole\.log\("), _SCRIPT),
    _Thing(r"prints?(?:\(\))?", lazy_compile(r"^\s*print\("), _PYTHON),
    _Thing(
        r"(?:explicit\s+)?anys?",
        lazy_compile(r"(?::|<|\bas)\s*any\b(?:\[\])?(?=\s*(?:[=,;)>|&{]|$))"),
        frozenset({"typescript"}),
        r"(?=`?\s+(?:types?|casts?|annotations?))",
    ),
    _Thing(r"vars?", lazy_compile(r"^\s*(?:for\s*\(\s*)?var\s"), _SCRIPT, r"(?=`?\s+(?:declarations?|statements?))"),
    _Thing(r"unwraps?(?:\(\))?", lazy_compile(r"\.unwrap\(\)"), frozenset({"rust"})),
    _Thing(r"panics?(?:\(\))?", lazy_compile(r"\bpanic!?\("), frozenset({"go", "rust"})),
    _Thing(r"bare\s+`?excepts?`?(?:\s+clauses?)?", lazy_compile(r"^\s*except\s*:"), _PYTHON),
    _Thing(
        r"(?:star|wildcard)[\s-]+imports?",
        lazy_compile(r"^\s*(?:from\s+\S{1,80}\s+import\s+\*|import\s+[\w.]+\.\*;)"),
        _ANY,
    ),
    _Thing(
        r"mutable\s+default(?:s|\s+(?:arguments?|values?|parameters?))",
        lazy_compile(r"\bdef\s+\w+\([^\n]{0,300}=\s*(?:\[\]|\{\}|list\(\)|dict\(\)|set\(\))"),
        _PYTHON,
    ),
    _Thing(r"inline\s+styles?(?:\s+attributes?)?", lazy_compile(r"\sstyle=(?:\{\{|\")"), _SCRIPT),
    _Thing(r"class\s+components?", lazy_compile(r"\bextends\s+(?:React\.)?(?:Pure)?Component\b"), _SCRIPT),
    _Thing(r"require(?:\(\))?", lazy_compile(r"=\s*require\("), _SCRIPT, r"(?=`?\s+calls?)"),
    _Thing(r"eslint[-\s]disables?", lazy_compile(r"eslint-disable"), _SCRIPT),
    _Thing(r"ts-(?:ignore|nocheck)s?", lazy_compile(r"@ts-(?:ignore|nocheck|expect-error)"), _SCRIPT),
)
_KIND = r"(?:calls?|uses?|usages?|occurrences?|statements?|declarations?|instances?|types?|casts?|annotations?|clauses?|comments?|imports?|lines?|references?)"
_NAME = r"`@?(?P<{0}>[A-Za-z_$][\w$.:]{{2,80}}?)[!]?(?:\([^`\n]{{0,40}}\))?`"
_WHAT = "(?P<{0}_thing>" + "|".join(f"(?:`?(?:{thing.words}){thing.before}`?)" for thing in _THINGS) + ")"
_ONE = rf"(?:{_NAME}|{_WHAT})(?:\s+{_KIND})?"
_ALL = r"(?:all|every|each|any|the\s+(?:last|remaining|few\s+remaining)|remaining)"
_FILL = r"(?:(?:of|the|its|our|other|remaining|old|existing|last|single|uses?|usages?|calls?|occurrences?|instances?|references?|to|direct|stray|leftover|debug)\s+){0,4}"
_GETS_RID = r"(?:remov|replac|drop|delet|convert|eliminat|strip|swap|turn|chang|switch|migrat|rewrit|get|got)(?:e?s|e?d|ing|ped|ping|ting)?(?:\s+rid\s+of)?"
_NONE_LEFT = combine_patterns(
    rf"\b{_GETS_RID}\s+{_ALL}\s+{_FILL}{_ONE.format('all')}",
    rf"\b{_ALL}\s+{_FILL}{_ONE.format('passive')}\s+(?:(?:is|are|was|were|have\s+been|has\s+been)\s+)?(?:now\s+)?(?:removed|replaced|gone|dropped|converted|deleted|turned\s+into|switched|migrated|rewritten)\b",
    rf"\b(?:no|not\s+a\s+single|zero)\s+(?:more\s+)?{_FILL}{_ONE.format('none')}\s+(?:(?:is|are)\s+)?(?:left|remains?|any\s*more|anywhere|in\s+the\s+(?:whole\s+)?(?:code|module|file|package))\b",
    rf"\bno\s+more\s+{_FILL}{_ONE.format('no_more')}",
    rf"\bno\s+longer\s+(?:uses?|calls?|contains?|needs?|has|have)\s+(?:any\s+)?{_ONE.format('no_longer')}(?=\s*(?:$|[.,;:)]|\band\b|\bany|\bin\b))",
    rf"{_NAME.format('gone')}\s+(?:is|are)\s+(?:gone|no\s+longer\s+(?:used|called))\s+(?:everywhere|anywhere|completely|entirely|altogether|in\s+the\s+(?:code|module|file|package))",
)
_SQL = r"(?:(?:SQL|database|db|raw|hand-?written)\s+)?(?:quer(?:y|ies)|statements?|SQL)"
_BOUND = r"(?:parametri[sz]\w{1,4}|parameteri[sz]\w{1,4}|(?:bound|query|named|positional)\s+param\w{1,8}|placeholders?|prepared\s+statements?|bind\s+\w{1,10})"
_TOGETHER = r"(?:f-?strings?|(?:string|str)\s*(?:interpolation|concatenation|formatting|building)|interpolat\w{1,5}|concatenat\w{1,4}|format(?:ted|ting)\s+strings?|template\s+(?:strings?|literals?)|`?\.?format`?(?:\(\))?)"
_QUERIES = combine_patterns(
    rf"\b(?:all|every|each)\s+(?:[\w`]{{1,30}}\s+){{0,2}}?{_SQL}\b[^.;]{{0,50}}?\b{_BOUND}",
    rf"\b{_BOUND}\s+(?:are\s+(?:now\s+)?used\s+)?(?:in|for|by|throughout)\s+(?:all|every|each)\s+(?:[\w`]{{1,30}}\s+){{0,2}}?{_SQL}\b",
    rf"\bparamet(?:e)?ri[sz]\w{{1,4}}\s+(?:all|every|each)\s+(?:[\w`]{{1,30}}\s+){{0,2}}?{_SQL}\b",
    rf"\bno\s+(?:[\w`]{{1,20}}\s+)?{_SQL}\s+(?:is|are|gets?)\s+(?:[\w]{{1,20}}\s+){{0,4}}?(?:with|by|from|through|using|via|in)\s+(?:[\w]{{1,20}}\s+){{0,2}}?{_TOGETHER}",
    rf"\b(?:no|removes?\s+all|replaces?\s+all|all)\s+(?:more\s+)?{_TOGETHER}\s+(?:is\s+|are\s+)?(?:left\s+|used\s+|remains?\s+)?(?:in|from|for|of)\s+(?:the\s+|our\s+|any\s+)?{_SQL}\b",
    rf"\b(?:queries|statements|SQL)\s+(?:are|is)\s+(?:now\s+)?all\s+{_BOUND}",
)
_BUT = lazy_compile(
    r"\b(?:except|apart from|other than|almost|nearly|most|some|unless|tests?|aside|where(?:ver)? possible|still|instead of|not|unused|dead|commented)\b|n't\b",
    re.IGNORECASE,
)
_KEPT = "The description says that none of something is left, and a file from which some goes keeps more"


def held_leftovers(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every statement that none of something is left."""
    if ground.whole:
        yield from held_once(
            Told("none_left", what, sentence, partial(_left, sign, languages, sentence, ground), _KEPT)
            for sentence in said[:MAX_SENTENCES]
            for what, sign, languages in _told(sentence.text)
        )


def _told(text: str) -> Iterator[tuple[str, re.Pattern[str], frozenset[str]]]:
    """What is said to be gone, as it would stand in code."""
    if _BUT.search(text):
        return
    for found in _NONE_LEFT.finditer(text):
        if denied(text, found.start(), _PUT_OFF) or put_off(text, found.end()):
            continue
        key, value = next((key, value) for key, value in found.groupdict().items() if value)
        if not key.endswith("_thing"):
            yield value, _whole(value.strip(".:")), frozenset()
        else:
            yield from ((value, each.sign, each.languages) for each in _called(value))
    for found in _QUERIES.finditer(text):
        if not (denied(text, found.start(), _PUT_OFF) or put_off(text, found.end())):
            yield "queries", _PUT_TOGETHER, _ANY


_PUT_OFF = lazy_compile(
    r"\b(?:todo|should|would|could|may|might|later|planned|will|if|when|please|used to|previously|want|need)\b",
    re.IGNORECASE,
)


def _called(words: str) -> list[_Thing]:
    return [each for each in _THINGS if re.fullmatch(each.words, words.strip("`"), re.IGNORECASE)]


@lru_cache(256)
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")


def _left(sign: re.Pattern[str], languages: frozenset[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no line with it goes from a file of the product."""
    gone = ground.once("gone by file", lambda: {each.path: ground.went_of(each) for each in ground.change.files})
    held = [
        file
        for file in ground.change.files
        if is_code(file.path)
        and not is_test(file.path)
        and (not languages or language(file.path) in languages)
        and any(sign.search(beginning(line)) for line in gone[file.path])
    ]
    left = [
        place
        for file in held
        if _is_meant(file, sentence)
        for place in _standing(file, sign, ground, named=not languages)
    ]
    if not held:
        return None
    because = f"{FROM_WORDING}; what is left may be meant to stay"
    return Answer(not left, tuple(left[:5]), 0.65, because)


def _is_meant(file: FileChange, sentence: Sentence) -> bool:
    """Does the sentence name the file, or none?"""
    named = _FILE.findall(sentence.text)
    return not named or any(file.path.endswith(each.removeprefix("./")) for each in named)


_FILE = lazy_compile(
    r"(?<![\w/.-])[\w./-]{1,80}\.(?:py|js|jsx|ts|tsx|go|rs|rb|java|kt|php|cs|vue|mjs|cjs|c|cpp|h|ex|exs|scala|swift)\b"
)


def _standing(file: FileChange, sign: re.Pattern[str], ground: Ground, *, named: bool) -> Iterator[Location]:
    """Lines of code of the head that hold it; what Rust sets apart for tests, and what defines or imports a name, is left out."""
    text = None if file.head is None else ground.documents.head.get(file.head.path)
    if text is None:
        return
    apart = TESTS_APART.search(text) if language(file.path) == "rust" else None
    given = text[: apart.start() if apart else None].split("\n")
    numbers = [number for number, line in enumerate(given, start=1) if sign.search(beginning(line))]
    code = compact_code_by_line(text, language(file.path), numbers) if numbers else []
    for number in numbers:
        line = beginning(given[number - 1])
        shown = _STRING.sub('""', line) if not _PUT_TOGETHER.search(line) else line
        if number <= len(code) and code[number - 1] and sign.search(shown) and not (named and _DEFINES.search(line)):
            yield code_location(file.path, number, number)


_STRING = lazy_compile(r"\"[^\"\n]*\"|'[^'\n]*'|//.*|#\s.*")
_DEFINES = lazy_compile(
    r"^\s*(?:export\s+)?(?:async\s+)?(?:def|class|func|function|fn|fun|type|import|from|use|using)\b|\bnoqa\b|eslint-disable|deprecat"
)
