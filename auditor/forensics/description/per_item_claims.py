"""What is promised of each of several things: a test for every one, a new name wherever the old one stood, no other part of the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.domain import Location
from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    MAX_SENTENCES,
    Answer,
    Ground,
    Held,
    Sentence,
    places,
    stem,
)
from auditor.forensics.description.claim_wordings import GENERAL
from auditor.forensics.description.code_name_claims import Parsed, stated
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.comments import compact_code_by_line
from auditor.forensics.source_text.definition_names import definitions, unqualified
from auditor.forensics.source_text.file_roles import is_code, is_test, language
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_THEM = r"(?:functions?|methods?|helpers?|class(?:es)?|commands?|options?|endpoints?|routes?|fields?|rules?|validators?|parsers?|them|new\s+ones|of\s+them|ones|cases?)"
_EACH_TESTED = combine_patterns(
    rf"\btests?\s+(?:cases?\s+)?(?:(?:are|were|is|was)\s+)?(?:that\s+|which\s+)?(?:(?:now\s+)?added\s+|included\s+)?(?:for|of|cover(?:s|ing)?)\s+(?:both|all|each|every|either|the\s+(?:two|three|four))(?:\s+(?:of|the|these|new|two|three|four|added)){{0,4}}\s+{_THEM}\b",
    r"\b(?:both|all|each|all\s+(?:three|four)|all\s+of\s+them)\s+(?:are|is|have|has|come\s+with|comes\s+with|with)\s+(?:now\s+)?(?:an?\s+|unit\s+|their\s+own\s+|its\s+own\s+)*(?:tests?\b|tested\b|covered\s+by\s+(?:unit\s+)?tests?)",
)
_UNTESTED = "The description says that each of several things is tested, and no test that changes names one of them"
_ALL_OF_THEM = combine_patterns(
    r"\b(?:all|every|each|both|remaining)\s+(?:of\s+(?:the|its)\s+)?(?:(?:the|its|other|existing|remaining|internal)\s+){0,4}(?:callers?|call\s*-?\s*sites?|calls|usages?|uses|users|references|occurrences|imports|places|consumers|invocations|instances|mentions)\b",
    r"\b(?:everywhere|throughout|across\s+the\s+(?:whole\s+|entire\s+)?(?:code\s*base|repo(?:sitory)?|project|board|package|code|module)|no\s+(?:more\s+)?(?:references|usages?|uses|callers|occurrences|mentions)\s+(?:to|of|are|remain)|(?:callers|usages|uses|references|imports)\s+(?:are|were|have\s+been)\s+(?:all\s+)?(?:updated|adapted|adjusted|changed|renamed|switched|migrated|moved))\b",
)
_LEFT = (
    "The description says that a new name stands wherever the old one did, and a changed file still holds the old one"
)
_ONLY_PART = combine_patterns(
    r"(?:^|[:;,(]\s*|\b(?:this|it|(?:pr|commit|change|patch|that))\s+)(?:only|just)\s+(?:ever\s+)?(?:touch|chang|edit|modif|affect|concern)(?:es|s|ed|ies|ied)?\s+(?:the\s+)?(?P<touches>[a-z][a-z-]{3,30})(?:\s+(?:module|package|class|component|service|layer|code|logic|folder|crate|app|handler|itself)){0,2}(?=\s*(?:$|[.,;:!)]))",
    r"\b(?:changes?|diff|edits?|work|fix|it|everything)\s+(?:is|are|was|were|stays?|remains?)\s+(?:\w+\s+)?(?:limited|confined|restricted|scoped|contained|local)\s+(?:only\s+)?(?:to|in|within)\s+the\s+(?P<limited>[a-z][a-z-]{3,30})(?:\s+(?:module|package|class|component|service|layer|code|logic|folder|crate|app|handler)){0,2}(?=\s*(?:$|[.,;:!)]))",
    r"\b(?:nothing|no\s+(?:code|files?|changes?))\s+(?:\w+\s+)?(?:outside(?:\s+of)?|beyond|other\s+than|except(?:\s+for)?|besides|but|apart\s+from)\s+the\s+(?P<beside>[a-z][a-z-]{3,30})(?:\s+(?:module|package|class|component|service|layer|code|logic|folder|crate|app|handler)){0,2}\s+(?:is|are|was|were|has\s+been|changes?|needs?)",
    r"\bonly\s+the\s+(?P<alone>[a-z][a-z-]{3,30})(?:\s+(?:module|package|class|component|service|layer|code|logic|folder|crate|app|handler)){0,2}\s+(?:is|was|has\s+been|gets)\s+(?:touched|changed|affected|edited|modified)\b",
)
_NO_PARTS = frozenset({"tests", "test", "docs", "documentation", "code", "comments", "readme", "changelog", "version", "default", "style", "formatting", "whitespace", "names", "name", "case", "behaviour", "behavior", "title", "text", "wording", "colour", "color", "output", "message", "messages", "internals", "implementation", "files", "file", "lines", "line", "workflow", "dependencies", "imports"})  # fmt: skip
_BEYOND = "The description says that one part of the code changes, and code elsewhere does too"
_BARE = lazy_compile(r"[^0-9a-z]+")
_PIECE = lazy_compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LEFT_ON_PURPOSE = lazy_compile(
    r"deprecat|alias|legacy|backward|compat|renamed|formerly|\bold\b|obsolete", re.IGNORECASE
)


def held_promises(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """What is promised of each of several things."""
    yield from held_by_form(said, _FORMS, ground)
    yield from _renamed_everywhere(said, ground)
    yield from _all_tested(said, ground)


def _all_tested(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """None where fewer than two of the names that the description speaks of are new, or no test names any."""
    promise = next((each for each in said[:MAX_SENTENCES] for _ in stated(_EACH_TESTED, each.text)), None)
    if promise is None or not ground.whole:
        return
    named = {name.word for each in said[:MAX_SENTENCES] for name in Parsed(each).parts if name.marked and name.word}
    new = sorted(
        word for word in _defined(ground) if word in named and not ground.defined_before[word] and len(word) > 2
    )
    texts = [
        ground.documents.head.get(file.path, "") for file in ground.change.files if is_test(file.path) and file.added
    ]
    tested = [word for word in new if any(_plain(word) in _plain(text) for text in texts)]
    if len(new) > 1 and tested:
        because = f"{FROM_WORDING}; a test can reach it by another name"
        yield Held("each_tested", promise, Answer(len(tested) == len(new), confidence=0.65, because=because), _UNTESTED)


def _defined(ground: Ground) -> set[str]:
    """The names of functions and classes that the changed files define at the head, those of tests left out."""
    shapes = (shape for path, shape in ground.outlines.items() if not is_test(path))
    return {unqualified(each.qualname) for shape in shapes for each in definitions(shape)}


def _plain(text: str) -> str:
    return _BARE.sub("", text.lower())


def _renamed_everywhere(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Old names that the changed files still hold, where a sentence says that all are new."""
    promise = next((each for each in said[:MAX_SENTENCES] for _ in stated(_ALL_OF_THEM, each.text)), None)
    if promise is None or not ground.whole:
        return
    renamed = [each for sentence in said[:MAX_SENTENCES] for each in Parsed(sentence).said() if each.other is not None]
    for each in renamed[:_MOST_NAMES]:
        old, new = each.name.word, each.other.word if each.other is not None else ""
        if len(old) < 3 or not new or old == new or new not in ground.added or old not in ground.gone:
            continue
        left = list(_still(old, new, ground))
        because = f"{FROM_WORDING}; another thing of that name may be meant"
        yield Held("renamed_everywhere", promise, Answer(not left, tuple(left[:5]), 0.65, because), _LEFT)


_MOST_NAMES = 20


def _still(old: str, new: str, ground: Ground) -> Iterator[Location]:
    """Lines of code of changed files that use an old name and did so before; what defines it or leads on to the new one is none."""
    wanted = re.compile(rf"(?<![\w$]){re.escape(old)}(?![\w$])")
    defines = re.compile(
        rf"\b(?:def|class|func|function|fn|fun|type|const|let|var|val|struct|enum|interface|trait|module|static|public|private|protected|export)\b[^=(;]{{0,120}}(?<![\w$.]){re.escape(old)}(?![\w$])|^\s*{re.escape(old)}\s*[:=]"
    )
    for file in ground.change.files:
        text = None if file.head is None else ground.documents.head.get(file.head.path)
        if text is None or not is_code(file.path) or old not in text:
            continue
        given = text.split("\n")
        numbers = [number for number, line in enumerate(given, start=1) if old in line and wanted.search(line)]
        code = compact_code_by_line(text, language(file.path), numbers)
        for number in numbers:
            line = given[number - 1][:1_000]
            bare = _STRINGS.sub("", line)
            kept = new in line or defines.search(line) or _LEFT_ON_PURPOSE.search(line) or not wanted.search(bare)
            if number <= len(code) and code[number - 1] and not kept:
                yield code_location(file.path, number, number)


_STRINGS = lazy_compile(r"\"[^\"\n]*\"|'[^'\n]*'|//.*|#\s.*")


def _only_part(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no changed file goes by that word, or the other ones speak of it too."""
    word = first_group(found).lower()
    if word in _NO_PARTS or word in GENERAL or not ground.whole:
        return None
    wanted = stem(word)
    code = [file for file in ground.change.files if is_code(file.path) and not is_test(file.path)]
    inside = [file for file in code if _goes_by(file.path, wanted)]
    beyond = [file for file in code if file not in inside and not ground.only_words(file)]
    if not inside:
        return None
    told = [file for file in beyond if any(wanted in line.lower() for line in ground.came_of(file))]
    if beyond and len(told) == len(beyond):
        return None
    beyond = [file for file in beyond if file not in told]
    return Answer(not beyond, places(beyond), 0.65, f"{FROM_WORDING}; a part can have files of other names")


def _goes_by(path: str, wanted: str) -> bool:
    return any(stem(piece) == wanted for piece in _PIECE.findall(path))


_FORMS = (Form(_ONLY_PART, _only_part, "only_part", _BEYOND),)
