"""What the author of a change says about it, held against what the change does.

A description is written by the person whose work is judged, so it is never believed and never shown to a judge. What
stands in it is kept in a fact's data; statements say in our own words what was claimed and what is there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from pydantic import ConfigDict

from auditor.domain import Description, Fact, FileChange, Frozen, Location, ProbeData, Side
from auditor.forensics.claim_words import (
    DOCUMENTS,
    LAYOUT,
    LAYOUT_TITLE,
    NOTHING,
    REFACTORING,
    SMALL,
    SMALL_TITLE,
    TESTED,
    TESTS_ONLY,
    TYPO,
    TYPO_TITLE,
    UNBROKEN,
)
from auditor.forensics.comments import code_alone
from auditor.forensics.compatibility import breaks, is_interface
from auditor.forensics.facts import found, lines, not_applicable, not_found
from auditor.forensics.inputs import Change, Documents, PythonModules, Surfaces, Tree
from auditor.forensics.lost_offers import compared_before, lost_offers
from auditor.forensics.probe import probe
from auditor.forensics.roles import Role, is_code, is_test, language, role

_PYTHON = ("*.py", "**/*.py", "*.pyi", "**/*.pyi")
MAX_DESCRIPTION = 70_000
"""Characters that are read; GitHub takes 65,536 in a body."""
MAX_PATHS = 200
_QUOTE = 200
_WORDS = "what is claimed was read from the wording"
_SMALL = 5
"""Lines of code, changed together with their neighbours, up to which a change may be the correction of a typing error."""
_IN_PLACE = 2
"""Neighbouring lines that the correction of a typing error may change."""
_LITTLE = 60
"""Changed lines of product code up to which a change is small by anybody's measure."""
_LARGE = 200
"""Changed lines of product code from which nobody would call it small; between the two, some would and some would not."""
_GROWTH = 150
"""Added lines of product code beside which hardly any is deleted, from which a change does more than rearrange what was there."""
_BEGINNING = 3
"""Lines of a description that speak of the change as a whole."""
_REWRITTEN = 10
"""Words that come or go in one file from which it was not only laid out anew."""
_NO_SURFACES = Surfaces()


class Claim(Frozen):
    """One thing that the description says, in its own words. Line 0 is the title, others count in the body from 1."""

    kind: str
    line: int
    words: str
    holds: bool


class Claims(ProbeData):
    """All claims that could be held against the change."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    claims: tuple[Claim, ...]
    names_issue: bool
    announces_break: bool


@dataclass(frozen=True)
class _Ground:
    """The facts that claims are held against."""

    change: Change
    documents: Documents
    modules: PythonModules
    tree: Tree
    surfaces: Surfaces


class _Sentence(NamedTuple):
    line: int
    text: str


class _Answer(NamedTuple):
    """Does a claim hold? `at` shows where it does not."""

    holds: bool
    at: tuple[Location, ...] = ()
    confidence: float = 0.8
    because: str = _WORDS


@dataclass(frozen=True)
class _Kind:
    """A kind of claim: how it is worded in titles and sentences, how it is checked, and what to say when it is wrong."""

    name: str
    title: re.Pattern[str]
    said: re.Pattern[str]
    check: Callable[[_Ground], _Answer | None]
    wrong: str
    until: int = MAX_DESCRIPTION
    """The last line on which it speaks of all of the change: further down, what was squashed into it is told one by one."""


@probe("claims.description_matches", reads=_PYTHON)
def description_matches(
    description: Description,
    change: Change,
    documents: Documents,
    modules: PythonModules,
    tree: Tree,
    surfaces: Surfaces = _NO_SURFACES,
) -> Iterator[Fact]:
    """Does what the description says match the change?

    Correct the description or the change, so that whoever reviews starts from what is there.
    """
    said = list(_sentences(description))
    ground = _Ground(change, documents, modules, tree, surfaces)
    held = [*_held(said, ground), *_paths(said, ground)]
    extra = _Extra(any(map(_names_issue, said)), any(map(_announces_break, said)))
    issue = "it names an issue" if extra.names_issue else "it names no issue"
    if not held:
        yield not_applicable(f"The description claims nothing that the change could contradict; {issue}.")
        return
    right = [each for each in held if each.answer.holds]
    wrong = [each for each in held if not each.answer.holds]
    if not wrong:
        unsure = min(held, key=lambda each: each.answer.confidence).answer
        what = "One claim of the description was" if len(held) == 1 else f"{len(held)} claims of the description were"
        yield found(
            f"{what} held against the change and agrees with it; {issue}."
            if len(held) == 1
            else f"{what} held against the change and agree with it; {issue}.",
            confidence=unsure.confidence,
            because=unsure.because,
            measure=1.0,
            data=extra.claims(held),
        )
        return
    share = round(len(right) / len(held), 4)
    for sentence in dict.fromkeys(each.wrong for each in wrong):
        group = [each for each in wrong if each.wrong == sentence]
        unsure = min((each.answer for each in group), key=lambda answer: answer.confidence)
        yield not_found(
            f"{sentence} ({_lines_of(group)}).",
            at=dict.fromkeys(place for each in group for place in each.answer.at),
            confidence=unsure.confidence,
            because=unsure.because,
            measure=share,
            data=extra.claims(group),
        )


class _Held(NamedTuple):
    """A claim and what became of it."""

    kind: str
    sentence: _Sentence
    answer: _Answer
    wrong: str


class _Extra(NamedTuple):
    """What is told but proves nothing."""

    names_issue: bool
    announces_break: bool

    def claims(self, held: list[_Held]) -> Claims:
        """The data of a fact about these claims."""
        return Claims(
            claims=tuple(
                Claim(kind=each.kind, line=each.sentence.line, words=_kept(each.sentence.text), holds=each.answer.holds)
                for each in held
            ),
            names_issue=self.names_issue,
            announces_break=self.announces_break,
        )


def _kept(text: str) -> str:
    whole = text.encode("utf-8", errors="backslashreplace").decode("utf-8")
    return whole if len(whole) <= _QUOTE else whole[:_QUOTE] + "…"


def _lines_of(held: list[_Held]) -> str:
    """Where the claims stand, in words of ours."""
    numbers = sorted({each.sentence.line for each in held})
    title = ["the title"] if numbers[0] == 0 else []
    body = [str(number) for number in numbers if number][:5]
    return " and ".join([*title, *([f"line {', '.join(body)} of the text"] if body else [])])


_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BOX = re.compile(r"^\s*[-*+]\s*\[(?P<mark>.?)\]\s*")
_STOP = re.compile(r"(?<=[.!?;])\s+")


def _sentences(description: Description) -> Iterator[_Sentence]:
    """What the description says: the title, then the body without code, quotes, hidden comments and empty boxes."""
    yield _Sentence(0, description.title[:1000].strip().replace("\u2019", "'"))
    body = description.body[:MAX_DESCRIPTION].replace("\r\n", "\n").replace("\u2019", "'")
    shown = _HIDDEN.sub(lambda hidden: "\n" * hidden.group().count("\n"), body)
    inside = False
    for number, line in enumerate(shown.split("\n"), start=1):
        if _FENCE.match(line):
            inside = not inside
            continue
        box = _BOX.match(line)
        if inside or line.lstrip().startswith(">") or (box and not box["mark"].strip()):
            continue
        text = line[box.end() :] if box else line
        for sentence in _STOP.split(text):
            if sentence.strip():
                yield _Sentence(number, f"[x] {sentence.strip()}" if box else sentence.strip())


_DENIAL = re.compile(
    r"\b(?:no|not|without|never|cannot|lacks?|missing|todo|will|shall|should|would|must|needs?|later|follow[- ]?up|planned|future|if|unless|please|instead of|skip(?:s|ped)?|remov(?:e[sd]?|ing)|delet(?:e[sd]?|ing))\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:()]|\bbut\b|\band\b", re.IGNORECASE)


def _denied(text: str, start: int) -> bool:
    """Does a word before the claim, in the same clause, take it back or put it off?"""
    clause = _CLAUSE.split(text[max(0, start - 200) : start])[-1]
    return _DENIAL.search(clause) is not None


def _held(said: list[_Sentence], ground: _Ground) -> Iterator[_Held]:
    """Every kind of claim that is made, once, with what the facts say of it."""
    for kind in _KINDS:
        sentence = next((each for each in said if _makes(kind, each)), None)
        if sentence is not None and (answer := kind.check(ground)) is not None:
            yield _Held(kind.name, sentence, answer, kind.wrong)


def _makes(kind: _Kind, sentence: _Sentence) -> bool:
    if sentence.line == 0 and kind.title.search(sentence.text):
        return True
    if sentence.line > kind.until:
        return False
    return any(not _denied(sentence.text, claim.start()) for claim in kind.said.finditer(sentence.text))


def _tests_changed(ground: _Ground) -> _Answer:
    added = any(is_test(file.path) and is_code(file.path) and file.added for file in ground.change.files)
    return _Answer(added, confidence=0.8, because=f"{_WORDS}; tests may stand in files whose names do not say so")


def _nothing_breaks(ground: _Ground) -> _Answer | None:
    """None where no public interface was there before, or in a language that is not compared."""
    change, modules = ground.change, ground.modules
    if not any(map(is_interface, modules.base)) and not compared_before(modules, ground.surfaces):
        return None
    told = [*breaks(change, modules, ground.tree), *lost_offers(change, modules, ground.surfaces)]
    gone = [each for each in told if each.confidence >= 0.5]
    if not gone:
        return _Answer(holds=True)
    surest = max(gone, key=lambda each: each.confidence)
    confidence = round(0.9 * surest.confidence, 2)
    because = f"{_WORDS}; {surest.because}" if surest.because else _WORDS
    return _Answer(False, tuple(each.at for each in gone), confidence, because)


def _only_documents(ground: _Ground) -> _Answer:
    beyond = _code_changed(ground)
    told = all(language(file.path) == "python" for file in beyond)
    because = _WORDS if told else f"{_WORDS}; comments are told from code only in Python"
    return _Answer(not beyond, _places(beyond), 0.9 if told else 0.6, because)


def _only_typo(ground: _Ground) -> _Answer | None:
    """None for lines here and there: they may be the correction of a name, and may be more."""
    beyond = _code_changed(ground)
    if not beyond:
        return _Answer(holds=True)
    if sum(map(_rewritten, beyond)) <= _SMALL:
        return None
    return _Answer(False, _places(beyond), 0.8, f"{_WORDS}; a misspelt name may stand in many places")


def _rewritten(file: FileChange) -> int:
    """Lines that change together with their neighbours; a letter is corrected in its own line."""
    stretches = (max(each.base_count, each.head_count) for each in file.hunks)
    return sum(each for each in stretches if each > _IN_PLACE)


def _only_refactoring(ground: _Ground) -> _Answer:
    broken = _nothing_breaks(ground)
    if broken is not None and not broken.holds:
        return broken
    demands = [
        file
        for file in ground.change.files
        if role(file.path) is Role.WORKFLOW or (role(file.path) is Role.LOCK and file.added)
    ]
    return _Answer(not demands, _places(demands), 0.6, f"{_WORDS}; behaviour was not compared")


def _only_rearranged(ground: _Ground) -> _Answer | None:
    """None where as much goes as comes: that says nothing of behaviour."""
    product = _product(ground)
    added, deleted = sum(file.added for file in product), sum(file.deleted for file in product)
    if added < _GROWTH or 10 * deleted >= added:
        return None
    at = _places(sorted(product, key=lambda file: -file.added))
    return _Answer(False, at, 0.6, f"{_WORDS}; what is new may not be in use yet")


def _product(ground: _Ground) -> list[FileChange]:
    """Product code of the change, without what was only moved."""
    return [file for file in ground.change.files if role(file.path) is Role.PRODUCT and (file.added or file.deleted)]


def _is_small(ground: _Ground) -> _Answer | None:
    """None for what some call small and others do not."""
    product = _product(ground)
    weight = sum(max(file.added, file.deleted) for file in product)
    if weight <= _LITTLE:
        return _Answer(holds=True)
    if weight < _LARGE:
        return None
    return _Answer(False, _places(sorted(product, key=lambda file: -file.added)), 0.7, f"{_WORDS}; lines were counted")


def _only_tests(ground: _Ground) -> _Answer:
    beyond = [file for file in _product(ground) if not _only_words(file, ground)]
    return _Answer(not beyond, _places(beyond), 0.7, f"{_WORDS}; what serves tests may stand beside the product")


def _only_layout(ground: _Ground) -> _Answer | None:
    """Are the words of the Python files the same as before? None where no such file was edited."""
    edited = [file for file in ground.change.files if _texts(file, ground) is not None]
    beyond = [file for file in edited if _words_changed(_texts(file, ground) or ("", "")) > _REWRITTEN]
    if not edited:
        return None
    return _Answer(not beyond, _places(beyond), 0.8, f"{_WORDS}; words were compared, not what they do")


def _texts(file: FileChange, ground: _Ground) -> tuple[str, str] | None:
    """Both sides of a file that was edited, where they were read."""
    if file.base is None or file.head is None or not (file.added or file.deleted):
        return None
    before, after = ground.documents.base.get(file.base.path), ground.documents.head.get(file.head.path)
    return None if before is None or after is None else (before, after)


def _words_changed(texts: tuple[str, str]) -> int:
    before, after = (Counter(_WORD.findall(text)) for text in texts)
    return sum(((before - after) + (after - before)).values())


_WORD = re.compile(r"\w+")


def _code_changed(ground: _Ground) -> list[FileChange]:
    """Files whose code differs, comments and docstrings of Python left out; workflows and locked dependencies too."""
    return [file for file in ground.change.files if _is_machinery(file.path, ground) and not _only_words(file, ground)]


def _is_machinery(path: str, ground: _Ground) -> bool:
    """Code by its name or by what it holds, and what runs or fixes other code."""
    return is_code(path) or path in ground.modules.head or role(path) in (Role.WORKFLOW, Role.LOCK)


def _only_words(file: FileChange, ground: _Ground) -> bool:
    before = "" if file.base is None else ground.documents.base.get(file.base.path)
    after = "" if file.head is None else ground.documents.head.get(file.head.path)
    if before is None or after is None:
        return not (file.added or file.deleted)
    return code_alone(before) == code_alone(after)


def _places(files: list[FileChange]) -> tuple[Location, ...]:
    return tuple(lines(file.path, side=Side.HEAD if file.head else Side.BASE) for file in files[:20])


_KINDS = (
    _Kind(
        "tests",
        re.compile(r"^tests?(?:\([^)]{0,80}\))?!?:", re.IGNORECASE),
        TESTED,
        _tests_changed,
        "The description says that tests come with the change, and no test is added or extended",
    ),
    _Kind(
        "nothing_breaks",
        NOTHING,
        UNBROKEN,
        _nothing_breaks,
        "The description says that nothing breaks for callers, and public names or parameters are gone",
    ),
    _Kind(
        "only_documents",
        re.compile(r"^docs?(?:\([^)]{0,80}\))?:|^\[docs?\]", re.IGNORECASE),
        DOCUMENTS,
        _only_documents,
        "The description says that only documentation changes, and more than that changes",
    ),
    _Kind(
        "only_typo",
        TYPO_TITLE,
        TYPO,
        _only_typo,
        "The description speaks of a typing error, and the change goes far beyond one",
    ),
    _Kind(
        "only_refactoring",
        re.compile(r"^refactor(?:\([^)]{0,80}\))?:", re.IGNORECASE),
        REFACTORING,
        _only_refactoring,
        "The description says that behaviour stays as it was, and what callers or machines rely on changes",
    ),
    _Kind(
        "only_rearranged",
        re.compile(rf"^refactor(?:\([^)]{{0,80}}\))?:|{REFACTORING.pattern}", re.IGNORECASE),
        REFACTORING,
        _only_rearranged,
        "The description says that behaviour stays as it was, and the change adds much and takes hardly anything away",
        until=_BEGINNING,
    ),
    _Kind(
        "small",
        SMALL_TITLE,
        SMALL,
        _is_small,
        "The description speaks of a small change, and hundreds of lines of product code change",
    ),
    _Kind(
        "only_tests",
        NOTHING,
        TESTS_ONLY,
        _only_tests,
        "The description says that only tests change, and product code changes",
    ),
    _Kind(
        "only_layout",
        LAYOUT_TITLE,
        LAYOUT,
        _only_layout,
        "The description says that only the layout of code changes, and its words change",
    ),
)

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://\S+|\bwww\.\S+", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/.:@~$<{-])(?:\.?[\w@+-][\w.@+-]{0,100}/){1,12}[\w.@+-]{1,100}\.[A-Za-z]\w{0,9}\b(?![/<>{}*])"
)
_PRETEND = re.compile(r"path/to|foo|example|your[-_]|my[-_]|xxx", re.IGNORECASE)
_MADE = re.compile(
    r"\b(?:chang|updat|modif|edit|fix|rewrit|rewrote|refactor|add|remov|delet|renam|touch|adjust)\w{0,5}\b[^,;:]{0,60}$",
    re.IGNORECASE,
)
_ABSENT = "The description names files that are not there, neither before nor after the change"
_UNTOUCHED = "The description says that files change which the change does not touch"


def _paths(said: list[_Sentence], ground: _Ground) -> Iterator[_Held]:
    touched = {entry.path for file in ground.change.files for entry in (file.base, file.head) if entry is not None}
    for sentence, path, before in islice(_named_paths(said), MAX_PATHS):
        if path in touched or any(each.endswith(f"/{path}") for each in touched):
            yield _Held("path", sentence, _Answer(holds=True), "")
        elif not _stands(path, ground.tree):
            if not _denied(before, len(before)):
                answer = _Answer(
                    False, confidence=0.7, because="a path may be meant for another repository or for later"
                )
                yield _Held("path", sentence, answer, _ABSENT)
        elif _MADE.search(before) and not _denied(before, len(before)):
            answer = _Answer(False, confidence=0.6, because=f"{_WORDS}; a file can be named for another reason")
            yield _Held("path_changed", sentence, answer, _UNTOUCHED)


def _named_paths(said: list[_Sentence]) -> Iterator[tuple[_Sentence, str, str]]:
    """Sentence, path and what stands before it, for every path in the description; addresses are none."""
    seen: set[str] = set()
    for sentence in said:
        text = _ADDRESS.sub(" ", sentence.text)
        for named in _PATH.finditer(text):
            path = named.group().removeprefix("./")
            first = path.partition("/")[0]
            if path in seen or _PRETEND.search(path) or ("." in first.lstrip(".") and not first.startswith(".")):
                continue  # `example.org/page.html` is an address
            seen.add(path)
            yield sentence, path, text[max(0, named.start() - 200) : named.start()]


def _stands(path: str, tree: Tree) -> bool:
    return tree.exists(path) or path in tree.base or path in tree.endings


_ISSUE = re.compile(
    r"(?<![\w&/])(?:[\w.-]{1,100}/[\w.-]{1,100})?#\d{1,9}\b|/issues/\d{1,9}\b|\bGH-\d{1,9}\b", re.IGNORECASE
)
_KEYED = re.compile(r"\b(?i:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?)\b:?\s+[A-Z][A-Z0-9]{1,15}-\d{1,9}\b")
_BREAKING = re.compile(r"^BREAKING[ -]CHANGES?\b|^\[x\]\s+breaking\s+change", re.IGNORECASE)
_BANG = re.compile(r"^\w{1,20}(?:\([^)]{0,80}\))?!:")


def _names_issue(sentence: _Sentence) -> bool:
    return bool(_ISSUE.search(sentence.text) or _KEYED.search(sentence.text))


def _announces_break(sentence: _Sentence) -> bool:
    return bool(_BREAKING.search(sentence.text) or (sentence.line == 0 and _BANG.search(sentence.text)))
