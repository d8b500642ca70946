"""What the facts say of the names of code that a description speaks of."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from functools import partial

from auditor.forensics.description.accompanying_file_claims import tests_begin_in
from auditor.forensics.description.change_contents import FROM_WORDING, MAX_SENTENCES, Answer, Ground, Held, Sentence
from auditor.forensics.description.code_name_claims import Deed, Name, Parsed, Said
from auditor.forensics.description.phrase_claim_checks import Told, held_once
from auditor.forensics.source_text.definition_names import definition_spans, unqualified
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.file_roles import is_code, is_test
from auditor.lazy_regex import lazy_compile

MAX_NAMES = 120
"""Names of a description that are looked for in the change."""
_ELSEWHERE = f"{FROM_WORDING}; a name can be put together, or be meant for another project"
_WRONG = {
    Deed.ADDED: "The description says that names are added, and no line that comes holds them",
    Deed.TESTED: "The description says that names are tested, and no test that changes holds them",
    Deed.REMOVED: "The description says that names go, and they are as they were before",
    Deed.CUT: "The description says that names are taken out of something, and no line that goes holds them",
    Deed.KEPT: "The description says that names stay, and they are gone",
    Deed.UNTOUCHED: "The description says that code stays as it was, and its lines change",
    Deed.NAMED: "The description names something that no changed file holds, and the change brings one of a similar name",
    Deed.DEPRECATED: "The description says that names are deprecated, and they are gone or not marked so",
    Deed.NOW: "The description says what code does now, and no line that comes names it",
    Deed.SAME_SIGNATURE: "The description says that signatures stay, and parameters change",
    Deed.BECOMES: "The description says what a name is from now on, and no changed file holds it",
    Deed.WORKED: "The description says what the change does with a name, and no changed file holds it",
}
_RENAMED_WRONG = "The description says that one name takes the place of another, and the new one does not come"


def held_names(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """What is said of names of code, each name in each role once."""
    told = (
        Told(f"name_{each.deed}", (each.deed, each.name.text), sentence, partial(_weighed, each, ground), _wrong(each))
        for sentence in said[:MAX_SENTENCES]
        for each in Parsed(sentence).said()
        if not each.name.is_path
    )
    yield from held_once(told, MAX_NAMES)


def _weighed(said: Said, ground: Ground) -> Answer | None:
    return _CHECKS[said.deed](said.name, ground) if said.other is None else _renamed(said.name, said.other, ground)


def _wrong(said: Said) -> str:
    return _WRONG[said.deed] if said.other is None else _RENAMED_WRONG


def _comes(name: Name, ground: Ground) -> bool:
    """Does a line that the change writes hold it?"""
    if name.word and name.word in ground.added:
        return True
    return ground.comes(_literal(name)) or _word_by_word(name, ground.added) or _is_option(name, ground)


def _is_option(name: Name, ground: Ground) -> bool:
    """Does an option come by its bare name, as in `flag.Bool("json")`, or by that of what holds it, as `dry_run` does?"""
    option = _OPTION.match(name.text)
    if option is None:
        return False
    bare = option["bare"]
    quoted = (f"{mark}{bare}{mark}" for mark in "\"'")
    return ("-" in bare and bare.replace("-", "_") in ground.added) or any(map(ground.comes, quoted))


_OPTION = lazy_compile(r"--?(?P<bare>[A-Za-z][\w-]{1,60})")


def _word_by_word(name: Name, words: Container[str]) -> bool:
    """Do all words of several come, be it on lines of their own, as in settings?"""
    several = _PLAIN.findall(name.text) if _APART.search(name.text) else []
    return len(several) > 1 and all(word in words for word in several)


_PLAIN = lazy_compile(r"[^\W\d]\w{2,}")
_APART = lazy_compile(r"\s")


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
    if name.text.startswith("--") and name.text.lstrip("-").replace("-", "_") in ground.after:
        return True
    texts = (*ground.documents.head.values(), *ground.documents.base.values())
    return any(name.text in text for text in texts)


def _telling(name: Name) -> bool:
    """Is it long and plain enough that its absence says something?"""
    if _COMMAND.match(name.text):
        return False
    return name.marked and len(name.word or name.text) > 2 and name.word not in _COMMON


_COMMAND = lazy_compile(
    r"(?:make|npm|npx|pnpm|yarn|pip|uv|poetry|git|docker|cargo|go|python\d?|pytest|bundle|rake|gradle|mvn|tox|nox|just|curl|\$)\s+\S"
)
"""What is typed into a shell is made of words that stand apart in files."""
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
        if name.text.startswith("--") and ground.whole and _telling(name) and _stays_in_code(name, ground):
            return Answer(False, confidence=0.65, because=_ELSEWHERE)
        if _goes(name, ground):
            return Answer(holds=True)
        there = _telling(name) and ground.whole and bool(ground.change.files)
        return Answer(False, confidence=0.6, because=_ELSEWHERE) if there and word in ground.after else None
    if after < before:
        return Answer(holds=True)
    if ground.modules.unreadable or not _telling(name) or ground.gone[word] > ground.added[word]:
        return Answer(holds=True) if _goes(name, ground) else None
    return Answer(False, confidence=0.75, because=f"{FROM_WORDING}; one of several of that name may be meant")


def _cut(name: Name, ground: Ground) -> Answer | None:
    """What is taken out of something stands in lines that go, whatever stays of it elsewhere."""
    if _WITH_ARITY.search(name.text):
        return _definition_goes(name.word, ground)
    plain = _is_of_code(name) or name.text.startswith("--")
    if not _telling(name) or not plain or not ground.whole or not ground.went:
        return Answer(True, confidence=0.6) if _goes(name, ground) else None
    if _stays_in_code(name, ground):
        return Answer(False, confidence=0.65, because=_ELSEWHERE)
    return Answer(True, confidence=0.6) if _goes(name, ground) else None


_WITH_ARITY = lazy_compile(r"\w[?!]?/\d$")
"""A function that is told with the number of its parameters, which no call of it is."""


def _definition_goes(word: str, ground: Ground) -> Answer | None:
    """None where no changed file of code defines it before."""
    form = re.compile(
        rf"^\s*(?:def|defp|defmacro|fun|fn|-spec)\s+{re.escape(word)}\b|^{re.escape(word)}\(", re.MULTILINE
    )
    before, after = (
        sum(len(form.findall(text)) for path, text in side.items() if is_code(path) and word in text)
        for side in (ground.documents.base, ground.documents.head)
    )
    return Answer(after < before, confidence=0.7, because=_ELSEWHERE) if before and ground.whole else None


def _stays_in_code(name: Name, ground: Ground) -> bool:
    """Does code that changes hold it before and after, and no line of code that goes?"""
    literal = _literal(name)
    wanted = re.compile(rf"(?<![\w-]){re.escape(literal)}(?![\w-])")
    for side in (ground.documents.head, ground.documents.base):
        texts = (text for path, text in side.items() if is_code(path) and not is_test(path) and literal in text)
        if not any(map(wanted.search, texts)):
            return False
    return not any(wanted.search(line) for line in ground.went_from(lambda path: is_code(path) and not is_test(path)))


def _untouched(name: Name, ground: Ground) -> Answer | None:
    """None for what the changed files do not define just once."""
    word = name.word
    if not word or ground.defined[word] != 1 or ground.defined_before[word] != 1 or ground.modules.unreadable:
        return None
    for file in ground.change.files:
        if file.base is None or file.head is None or is_test(file.path):
            continue
        then, now = ground.outlines_before.get(file.base.path), ground.outlines.get(file.head.path)
        texts = ground.texts(file)
        if then is None or now is None or texts is None:
            continue
        bodies = [
            [_bare_lines(text, *span) for span in definition_spans(shape, word)]
            for text, shape in zip(texts, (then, now), strict=True)
        ]
        if all(bodies):
            same = bodies[0] == bodies[1] or ground.only_words(file)
            return Answer(same, confidence=0.65, because=f"{FROM_WORDING}; what it does may be meant")
    return None


def _bare_lines(text: str, start: int, end: int) -> list[str]:
    """Lines without blanks and comments that stand alone."""
    given = ("".join(line.split()) for line in text.split("\n")[start - 1 : end])
    return [line for line in given if line and not line.startswith(("#", "//", "*", "/*"))]


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
    left_behind = word in ground.gone and word not in ground.after
    if not ground.whole or not _telling(name) or left_behind:
        return None  # what somebody else deprecated is no longer used
    return Answer(False, confidence=0.7, because=f"{FROM_WORDING}; a mark of the project's own may say it")


_MARKED = lazy_compile(r"deprecat|obsolete|\bwarn", re.IGNORECASE)


def _now(name: Name, ground: Ground) -> Answer | None:
    if _comes(name, ground):
        return Answer(holds=True)
    if not _telling(name) or not name.word or not ground.whole or not _has_code(ground) or _stands(name, ground):
        return None
    return Answer(False, confidence=0.65, because=_ELSEWHERE)


def _has_code(ground: Ground) -> bool:
    return any(is_code(file.path) for file in ground.change.files)


def _becomes(name: Name, ground: Ground) -> Answer | None:
    """A new name stands at the head, be it in lines that stood there before."""
    if _comes(name, ground) or _names_file(name, ground):
        return Answer(holds=True)
    if not _telling(name) or not name.word or not ground.whole or name.word in ground.after:
        return None
    held = any(name.text in text for text in ground.documents.head.values())
    return None if held else Answer(False, confidence=0.65, because=_ELSEWHERE)


def _worked(name: Name, ground: Ground) -> Answer | None:
    """What a change does something with, stands in the files that it touches, before or after."""
    if _comes(name, ground) or _goes(name, ground):
        return Answer(True, confidence=0.6)
    if not _is_of_code(name) or not ground.whole or _stands(name, ground) or _names_file(name, ground):
        return None
    return Answer(False, confidence=0.6, because=_ELSEWHERE)


def _is_of_code(name: Name) -> bool:
    """Does nobody write it but for a name of code? A plain word in marks may be a tool, a branch or a value."""
    plain = bool(name.word) or _OPTION.fullmatch(name.text) is not None
    return plain and _telling(name) and _SHAPED.search(name.text) is not None


_SHAPED = lazy_compile(r"[A-Za-z]_[A-Za-z]|[a-z][A-Z]|\(\)$|^--\w+-\w|\w::\w")


def _named(name: Name, ground: Ground) -> Answer | None:
    """A name that is only mentioned says what the change is about where the change holds it; else it says nothing."""
    meant = name.word in ground.edited or _comes(name, ground) or _goes(name, ground)
    if meant:
        return Answer(True, confidence=0.6)
    if not _is_setting(name) or not ground.whole or _stands(name, ground) or not _has_code(ground):
        return None
    return Answer(False, confidence=0.6, because=_ELSEWHERE) if _alike(name, ground) else None


def _is_setting(name: Name) -> bool:
    """Is it an option, a variable of the environment or a name of many parts, which people write as it is?"""
    return name.marked and _SETTING.fullmatch(name.text) is not None


_SETTING = lazy_compile(
    r"[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6}|[a-z][a-z0-9]{1,30}(?:_[a-z0-9]{1,30}){2,6}|--[a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){1,5}"
)


def _alike(name: Name, ground: Ground) -> bool:
    """Is one of the new words that of all parts but one, or nearly spelt so?"""
    masked = ground.once("new names of one other part", lambda: frozenset(_each_masked(ground)))
    return tuple(_parts(name.text)) not in masked and not masked.isdisjoint(_masked(name.text))


def _each_masked(ground: Ground) -> Iterator[tuple[str, ...]]:
    for word in ground.added:
        yield tuple(_parts(word))
        if word not in ground.before:
            yield from _masked(word)


def _masked(text: str) -> Iterator[tuple[str, ...]]:
    """The parts of a name, each of them left out once."""
    parts = _parts(text)
    if 1 < len(parts) < _MOST_PARTS:
        yield from ((*parts[:number], "", *parts[number + 1 :]) for number in range(len(parts)))


_MOST_PARTS = 8


def _parts(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _tested(name: Name, ground: Ground) -> Answer | None:
    """None where no test comes, which another claim tells, or where not all of those that come are at hand."""
    if not _telling(name) or not ground.whole:
        return None
    paths = [file.head.path for file in ground.change.files if file.head is not None and file.added]
    texts = [ground.documents.head.get(path) for path in paths if is_test(path) or tests_begin_in(path, ground)]
    if not texts or None in texts:
        return None
    wanted = _letters(name.word or name.text)
    held = not wanted or any(wanted in _letters(text or "") for text in texts)
    because = f"{FROM_WORDING}; a test can reach it by another name"
    return Answer(held, confidence=0.6, because=because)


def _letters(text: str) -> str:
    return _BESIDE_LETTERS.sub("", text).lower()


_BESIDE_LETTERS = lazy_compile(r"[^0-9A-Za-z]+")


def _same_signature(name: Name, ground: Ground) -> Answer | None:
    then = _signatures(ground.outlines_before.values(), name.word)
    now = _signatures(ground.outlines.values(), name.word)
    return Answer(then <= now, confidence=0.8) if then else None


def _signatures(outlines: Iterable[Outline], word: str) -> set[object]:
    return {
        form
        for shape in outlines
        for form in (
            *(each.signature for each in shape.functions if each.name == word),
            *(each.takes for each in shape.exported_symbols if unqualified(each.name) == word),
        )
    }


_CHECKS = {
    Deed.ADDED: _added,
    Deed.REMOVED: lambda name, ground: (
        _definition_goes(name.word, ground) if _WITH_ARITY.search(name.text) else _removed(name, ground)
    ),
    Deed.CUT: _cut,
    Deed.KEPT: _kept,
    Deed.UNTOUCHED: _untouched,
    Deed.DEPRECATED: _deprecated,
    Deed.NOW: _now,
    Deed.NAMED: _named,
    Deed.SAME_SIGNATURE: _same_signature,
    Deed.TESTED: _tested,
    Deed.BECOMES: _becomes,
    Deed.WORKED: _worked,
}


def _renamed(old: Name, new: Name, ground: Ground) -> Answer | None:
    """The new name must come. That the old one stays beside it is usual where others call it."""
    if _comes(new, ground) and (_goes(old, ground) or _stands(old, ground)):
        return Answer(holds=True)
    if not ground.whole or not _telling(new) or _comes(new, ground):
        return None
    there = _stands(new, ground) and not _stays(old, ground)
    return None if there else Answer(False, confidence=0.75, because=_ELSEWHERE)


def _stays(name: Name, ground: Ground) -> bool:
    return name.word in ground.after and not _goes(name, ground)
