"""What the facts say of names, versions, numbers and subjects that a description speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from auditor.domain import Status
from auditor.forensics.claim_ground import FROM_WORDING, Answer, Ground, Held, Sentence, denied, places, stem
from auditor.forensics.claim_names import Deed, Name, Parsed, Said
from auditor.forensics.claim_words import GENERAL
from auditor.forensics.forms import either
from auditor.forensics.outline import Outline
from auditor.forensics.roles import is_code, is_test
from auditor.late import late

MAX_SENTENCES = 400
MAX_NAMES = 120
"""Names of a description that are looked for in the change."""
_ELSEWHERE = f"{FROM_WORDING}; a name can be put together, or be meant for another project"
_WRONG = {
    Deed.ADDED: "The description says that names are added, and no line that comes holds them",
    Deed.REMOVED: "The description says that names go, and they are as they were before",
    Deed.KEPT: "The description says that names stay, and they are gone",
    Deed.DEPRECATED: "The description says that names are deprecated, and they are gone or not marked so",
    Deed.NOW: "The description says what code does now, and no line that comes names it",
    Deed.SAME_SIGNATURE: "The description says that signatures stay, and parameters change",
}
_RENAMED_WRONG = "The description says that one name takes the place of another, and the new one does not come"


def held_names(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """What is said of names of code, each name in each role once."""
    seen: set[tuple[Deed, str]] = set()
    for sentence in said[:MAX_SENTENCES]:
        for each in Parsed(sentence).said():
            key = each.deed, each.name.text
            if each.name.is_path or key in seen or len(seen) >= MAX_NAMES:
                continue
            seen.add(key)
            answer = _renamed(each, ground) if each.other is not None else _CHECKS[each.deed](each.name, ground)
            if answer is not None:
                wrong = _RENAMED_WRONG if each.other is not None else _WRONG.get(each.deed, "")
                yield Held(f"name_{each.deed}", sentence, answer, wrong)


def _comes(name: Name, ground: Ground) -> bool:
    """Does a line that the change writes hold it?"""
    if name.word and name.word in ground.added:
        return True
    return ground.comes(_literal(name))


def _goes(name: Name, ground: Ground) -> bool:
    if name.word and name.word in ground.gone:
        return True
    return ground.goes(_literal(name))


def _literal(name: Name) -> str:
    return name.text if not name.word else name.text.strip().removesuffix("()")


def _stands(name: Name, ground: Ground) -> bool:
    """Does it stand anywhere in the changed files, or in one of their names?"""
    if name.word and (name.word in ground.after or name.word in ground.before):
        return True
    if any(name.text.strip("`/ ") in path for path in ground.touched):
        return True
    texts = (*ground.documents.head.values(), *ground.documents.base.values())
    return any(name.text in text for text in texts)


def _telling(name: Name) -> bool:
    """Is it long and plain enough that its absence says something?"""
    return name.marked and len(name.word or name.text) > 2 and name.word not in _COMMON


_COMMON = frozenset(
    {"None", "null", "nil", "true", "false", "True", "False", "undefined", "self", "this", "int", "str", "string", "bool",
     "void", "main", "master", "dev", "git", "npm", "pip", "cargo", "make", "any", "object", "list", "dict", "float"}
)  # fmt: skip


def _added(name: Name, ground: Ground) -> Answer | None:
    if _comes(name, ground) or _names_file(name, ground):
        return Answer(holds=True)
    if not _telling(name) or not ground.whole or _stands(name, ground):
        return None
    return Answer(False, confidence=0.7, because=_ELSEWHERE)


def _names_file(name: Name, ground: Ground) -> bool:
    """Does a changed file go by that name?"""
    wanted = name.word.lower().replace("_", "")
    stems = (path.rpartition("/")[2].partition(".")[0] for path in ground.touched)
    return bool(wanted) and any(each.lower().replace("_", "").replace("-", "") == wanted for each in stems)


def _removed(name: Name, ground: Ground) -> Answer | None:
    word = name.word
    before, after = ground.defined_before[word], ground.defined[word]
    if not word or not before:
        if _goes(name, ground):
            return Answer(holds=True)
        there = _telling(name) and ground.whole and bool(ground.change.files)
        return Answer(False, confidence=0.6, because=_ELSEWHERE) if there and word in ground.after else None
    if after < before:
        return Answer(holds=True)
    if ground.modules.unreadable or not _telling(name) or ground.gone[word] > ground.added[word]:
        return Answer(holds=True) if _goes(name, ground) else None
    return Answer(False, confidence=0.75, because=f"{FROM_WORDING}; one of several of that name may be meant")


def _kept(name: Name, ground: Ground) -> Answer | None:
    word = name.word
    if not word or not _telling(name):
        return None
    if word in ground.after:
        return Answer(holds=True) if word in ground.added or ground.defined[word] else None
    if ground.defined_before[word] and not ground.modules.unreadable:
        return Answer(False, confidence=0.8, because=f"{FROM_WORDING}; a file that the change left alone may offer it")
    return None


def _deprecated(name: Name, ground: Ground) -> Answer | None:
    word = name.word
    if word and ground.defined_before[word] and word not in ground.after and not ground.modules.unreadable:
        return Answer(False, confidence=0.8)
    if any(_MARKED.search(line) for line in ground.came):
        return Answer(holds=True)
    if not ground.whole or not _telling(name):
        return None
    return Answer(False, confidence=0.7, because=f"{FROM_WORDING}; a mark of the project's own may say it")


_MARKED = late(r"deprecat|obsolete|\bwarn", re.IGNORECASE)


def _now(name: Name, ground: Ground) -> Answer | None:
    if _comes(name, ground):
        return Answer(holds=True)
    if not _telling(name) or not name.word or not ground.whole or not _has_code(ground) or _stands(name, ground):
        return None
    return Answer(False, confidence=0.65, because=_ELSEWHERE)


def _has_code(ground: Ground) -> bool:
    return any(is_code(file.path) for file in ground.change.files)


def _named(name: Name, ground: Ground) -> Answer | None:
    """A name that is only mentioned says what the change is about where the change holds it; else it says nothing."""
    meant = name.word in ground.edited or _comes(name, ground) or _goes(name, ground)
    return Answer(True, confidence=0.6) if meant else None


def _same_signature(name: Name, ground: Ground) -> Answer | None:
    word = name.word
    modules = ground.modules
    then = _signatures((*modules.base.values(), *modules.others_base.values()), word)
    now = _signatures((*modules.head.values(), *modules.others.values()), word)
    if not then:
        return None
    return Answer(then <= now, confidence=0.8)


def _signatures(outlines: Iterable[Outline], word: str) -> set[object]:
    return {
        form
        for shape in outlines
        for form in (
            *(each.signature for each in shape.functions if each.name == word),
            *(each.takes for each in shape.offers if re.split(r"\.|::|#", each.name)[-1] == word),
        )
    }


_CHECKS = {
    Deed.ADDED: _added,
    Deed.REMOVED: _removed,
    Deed.KEPT: _kept,
    Deed.DEPRECATED: _deprecated,
    Deed.NOW: _now,
    Deed.NAMED: _named,
    Deed.SAME_SIGNATURE: _same_signature,
}


def _renamed(said: Said, ground: Ground) -> Answer | None:
    """The new name must come. That the old one stays beside it is usual where others call it."""
    assert said.other is not None
    if _comes(said.other, ground) and (_goes(said.name, ground) or _stands(said.name, ground)):
        return Answer(holds=True)
    if not ground.whole or not _telling(said.other) or _comes(said.other, ground):
        return None
    there = _stands(said.other, ground) and not _stays(said.name, ground)
    return None if there else Answer(False, confidence=0.75, because=_ELSEWHERE)


def _stays(name: Name, ground: Ground) -> bool:
    return name.word in ground.after and not _goes(name, ground)


_VERSION = r"`{{0,2}}v?(?P<{}>\d+(?:\.\d+){{0,4}}(?:[-.+]?[A-Za-z][\w.]{{0,20}})?)`{{0,2}}"
_BUMPED = late(
    r"\b(?P<verb>bump|upgrade|update|pin|downgrade|raise|lower|increase|decrease|reduce|set|change|move|go)(?:s|ed|d|ing|ned)?\s+(?P<what>(?:[^\s.;:]{1,60}\s+){1,7}?)(?:from\s+"
    + _VERSION.format("old")
    + r"(?:\s+\w{1,12})?\s+)?(?:to|at|->)\s+"
    + _VERSION.format("new")
    + r"(?!\w|[/:]\d)",
    re.IGNORECASE,
)
_OTHER_NUMBER = "The description names a version or a number that no line which comes holds"
_QUANTITY = late(r"\d+")


_RELEASE = late(r"(?<![\w.])v?(\d{1,5}(?:\.\d{1,5}){1,3}[\w.-]{0,12})(?![\w.])")


def held_numbers(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Versions and limits that are said to be set, and numbers of files and tests."""
    for version in _RELEASE.findall(said[0].text) if said else ():
        if any(version in line for line in ground.came):
            yield Held("version", said[0], Answer(True, confidence=0.7), "")
    for sentence in said[:MAX_SENTENCES]:
        for bumped in _BUMPED.finditer(sentence.text):
            answer = None if denied(sentence.text, bumped.start()) else _bumped(bumped, ground)
            if answer is not None:
                yield Held("number", sentence, answer, _OTHER_NUMBER)
        yield from _counted(sentence, ground)


def _bumped(said: re.Match[str], ground: Ground) -> Answer | None:
    number = said["new"]
    if any(re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", line) for line in ground.came):
        return Answer(holds=True)
    if not ground.whole or not ground.came or any(_PINNED.search(line) for line in ground.came):
        return None
    subject = [word for word in re.findall(r"[^\W\d]\w+", said["what"]) if word.lower() not in GENERAL]
    about = [line for line in ground.came if any(_speaks_of(word, line) for word in subject)]
    if "." in number:
        shown = about if said["old"] is None else [*about, *ground.came]
        return Answer(False, confidence=0.75) if any(_QUANTITY.search(line) for line in shown) else None
    others = [line for line in about if (other := _FIGURE.search(line)) and not _same_amount(number, other[1])]
    return (
        Answer(False, confidence=0.65, because=f"{FROM_WORDING}; a number can be written in another unit")
        if others
        else None
    )


_PINNED = late(r"\b[0-9a-f]{40}\b")
"""A commit, by which an action or a package is held instead of by its version."""
_FIGURE = late(r"(?:[=:(,<>]|\b(?:to|of|is))\s*(\d[\d_]*(?:\.\d+)?)\b")


def _same_amount(said: str, written: str) -> bool:
    """Are two numbers the same in any usual unit?"""
    one, other = float(said), float(written.replace("_", ""))
    units = (1, 10, 60, 100, 1000, 1024, 3600, 24, 60_000, 86_400, 1_000_000, 1_048_576)
    return any(one * unit == other or other * unit == one for unit in units)


def _speaks_of(word: str, line: str) -> bool:
    return stem(word) in line.lower()


_COUNTS = {
    "no": 0, "a": 1, "an": 1, "one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_SOME = r"(?P<{}>\d{{1,4}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a single)"
_FILES = either(
    r"\b(?:touch|chang|edit|modif|updat|affect)\w{0,4}\s+(?:just\s+|only\s+|exactly\s+)?" + _SOME.format("of_files") + r"\s+files?\b(?!\s+(?:type|format|per|at))",
    r"\b(?:only|just|exactly)\s+" + _SOME.format("of_just") + r"\s+files?\s+(?:(?:is|are|was|were)\s+)?(?:touched|changed|edited|modified|changes?)\b",
    r"\b" + _SOME.format("of_all") + r"\s+files?\s+(?:(?:is|are|was|were|in total)\s+)?(?:touched|changed|edited|modified|changes?|updated)\b",
)  # fmt: skip
_MADE = either(
    r"\b(?P<deed>add|creat|delet|remov|renam|mov)(?:e?s|e?d|ing)?\s+"
    + _SOME.format("count")
    + r"\s+(?:new\s+|old\s+|whole\s+)?files\b"
)
_TESTS = either(
    r"\b(?:add(?:s|ed|ing)?|with|write|wrote|brings?|plus|comes with|includ(?:es?|ing))\s+"
    + _SOME.format("count")
    + r"\s+(?:(?:new|more|unit|regression|integration|further|additional|small)\s+){0,3}tests?(?:\s+cases?)?\b(?!\s+(?:file|suite|module|class|runner|helper|util)\w*)",
    _SOME.format("there")
    + r"\s+(?:(?:new|more|unit|regression|integration|further|additional)\s+){1,3}tests?(?:\s+cases?)?\b(?!\s+(?:file|suite|module|class|runner|helper|util)\w*)",
)
_STATUS = {"add": Status.ADDED, "creat": Status.ADDED, "delet": Status.DELETED, "remov": Status.DELETED, "renam": Status.RENAMED, "mov": Status.RENAMED}  # fmt: skip


def _number(text: str) -> int:
    plain = text.lower().removeprefix("a ")
    return int(plain) if plain.isdigit() else _COUNTS[plain]


def _counted(sentence: Sentence, ground: Ground) -> Iterator[Held]:
    files = ground.change.files
    if (said := _FILES.search(sentence.text)) and not denied(sentence.text, said.start()) and files:
        count = _number(next(filter(None, said.groupdict().values())))
        groups = (
            [file for file in files if fits(file.path)] for fits in (bool, is_code, lambda path: not is_test(path))
        )
        answer = Answer(any(len(group) == count for group in groups), places(files), 0.7)
        yield Held("count_of_files", sentence, answer, "The description gives another number of files than change")
    if (said := _MADE.search(sentence.text)) and not denied(sentence.text, said.start(), _LATER):
        happened = [file for file in files if file.status is _STATUS[said["deed"].lower()]]
        answer = Answer(len(happened) == _number(said["count"]), places(happened), 0.7)
        yield Held("count_of_files", sentence, answer, "The description gives another number of files than change")
    if (said := _TESTS.search(sentence.text)) and not denied(sentence.text, said.start()):
        told = _tests_came(ground)
        count = _number(next(filter(None, said.groupdict().values())))
        if told is not None and (told >= count or told > 0):
            answer = Answer(
                told >= count, confidence=0.7, because=f"{FROM_WORDING}; cases of one test were not counted"
            )
            yield Held("count_of_tests", sentence, answer, "The description gives a larger number of tests than come")


_LATER = late(r"\b(?:no|not|never|todo|will|should|would|later|planned|if|unless)\b|n't\b", re.IGNORECASE)


def _tests_came(ground: Ground) -> int | None:
    """How many tests the head has that the base had not; None where cases in tables or unread files blur the number."""
    modules = ground.modules
    if modules.unreadable or any(_TABLED.search(line) for line in ground.came) or not ground.whole:
        return None
    now, then = (
        {
            each.name
            for path, shape in side
            for each in shape.functions
            if is_test(path) and each.name.startswith("test")
        }
        | {each.name for _, shape in side for each in shape.tests}
        for side in (
            [*modules.head.items(), *modules.others.items()],
            [*modules.base.items(), *modules.others_base.items()],
        )
    )
    return len(now - then)


_TABLED = late(
    r"parametri[sz]e|subtest|\.each\b|t\.Run\(|rstest|ParameterizedTest|@case|test_case|DataProvider|ddt|hypothesis|for .{1,80} in ",
    re.IGNORECASE,
)

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
            if place and not denied(sentence.text, named.start(), _LATER):
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


_STRONG = r"(?:add|introduc|creat|implement|remov|drop|delet|renam|mov|replac|extract|split|support|handl|validat|reject|return|rais|throw|convert|pars|log|retry|retri|cach|skip|allow|requir|check|limit|escap|quot|clos|lock|expos|inline|merg|round|count|sort|filter|encrypt|hash|sign|format|print|stor|load|save|read|writ|send|deprecat|deduplicat|paginat|timeout|stop|ignor|disabl|enabl|switch|use|us|let|accept|warn|fail|report|show|hid|redact|sanitiz|normaliz|normalis)(?:e|es|s|ed|ing|ies|ied|ped|ping|ting|ted|y|ring|red|ning|ned|ming|med)?"
_SUBJECT = late(
    rf"^(?:\[x\]\s+|[-*+]\s+|\w+(?:\([^)]{{0,80}}\))?!?:\s*)?(?:this\s+(?:\w+\s+)?|also\s+|now\s+|it\s+)?{_STRONG}\s+(?P<object>.{{3,160}})",
    re.IGNORECASE,
)
_ANY = late(r"^(?P<object>.{3,160})")
_STEMS_GENERAL = frozenset(map(stem, GENERAL))


def held_subject(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """What a description is about where it names nothing: its words stand in the names and lines that change.

    Nothing is said to be wrong by this: people have other words for what code calls by its own.
    """
    if not ground.small_enough:
        return
    for sentence in islice(said, 6):
        for form, needed in ((_SUBJECT, 1), (_ANY, 2)):
            about = form.match(sentence.text)
            if about is None or (form is _ANY and sentence.line):
                continue
            words = {stem(word) for word in re.findall(r"[^\W\d_]{3,40}", about["object"])} - _STEMS_GENERAL
            if len({word for word in words if len(word) > 2} & ground.stems) >= needed:
                yield Held(
                    "subject",
                    sentence,
                    Answer(True, confidence=0.5, because=f"{FROM_WORDING}; words were compared, not what they mean"),
                    "",
                )
                return
