"""The facts that what a description says is held against: files, words and definitions that come and go."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Any, NamedTuple, TypeVar

from auditor.domain import Description, FileChange, Location, Side, TreeEntry
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.source_text.comments import code_lines, compact_code_by_line
from auditor.forensics.source_text.definition_names import definitions, unqualified
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.file_roles import Role, is_code, is_test, language, role
from auditor.lazy_regex import lazy_compile

MAX_DESCRIPTION = 70_000
"""Characters that are read; GitHub takes 65,536 in a body."""
MAX_SENTENCES = 400
"""Sentences in which names, numbers and places are looked for."""
MAX_TOLD = 40
"""Statements of one kind that are held against all lines of a change: nobody who explains one makes more."""
MAX_WORDS = 4_000_000
"""Characters of changed files whose words are compared; in a larger change nothing is said to be missing."""
MAX_LINE = 1_000
"""Characters of a line in which forms are looked for."""
_T = TypeVar("_T")
FROM_WORDING = "what is claimed was read from the wording"


class Sentence(NamedTuple):
    """Line 0 is the title, others count in the body from 1."""

    line: int
    text: str


class Answer(NamedTuple):
    """Does a claim hold? `at` shows where it does not."""

    holds: bool
    at: tuple[Location, ...] = ()
    confidence: float = 0.8
    because: str = FROM_WORDING


class Held(NamedTuple):
    """A claim and what became of it."""

    kind: str
    sentence: Sentence
    answer: Answer
    wrong: str


_FENCE = lazy_compile(r"^\s{0,3}(?:```|~~~)")
_HIDDEN = lazy_compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BOX = lazy_compile(r"^\s*[-*+]\s*\[(?P<mark>.?)\]\s*")
_STOP = lazy_compile(r"(?<=[.!?;])\s+")
_UNDONE = lazy_compile(r"^(?P<deed>revert|reapply|back out|undo)\b.*", re.IGNORECASE | re.DOTALL)
"""A title that quotes another change to say that it is taken back."""
_BLANKS = lazy_compile(r"\s{2,}")
"""They say nothing, and forms of words that ask for blanks in several places would take the square of their number."""
_WRAPPED = 45
"""Characters of a line from which the next one may be the rest of its sentence."""


def sentences(description: Description) -> Iterator[Sentence]:
    """What the description says: the title, then the body without code, quotes, hidden comments and empty boxes."""
    title = _BLANKS.sub(" ", _plain(description.title[:1000].strip()))
    yield Sentence(0, _UNDONE.sub(r"\g<deed>", title))
    body = _plain(description.body[:MAX_DESCRIPTION].replace("\r\n", "\n"))
    shown = _HIDDEN.sub(lambda hidden: "\n" * hidden.group().count("\n"), body)
    if is_bump(description.title):
        shown = "\n".join(takewhile(lambda line: not _FOREIGN.match(line), shown.split("\n")))
    for number, line in _unwrapped(_spoken(shown)):
        box = _BOX.match(line)
        text = line[box.end() :] if box else line
        for sentence in _STOP.split(text):
            if sentence.strip():
                told = _BLANKS.sub(" ", sentence.strip())
                yield Sentence(number, f"[x] {told}" if box else told)


_STEPS = 3
"""Commits from which a list of them is what GitHub makes of a branch that it squashes."""


def before_steps(said: list[Sentence]) -> list[Sentence]:
    """What is said before the messages of single commits, of which later ones may have undone earlier ones.

    They begin with a star each and stand apart, as nobody writes a list.
    """
    starred = [number for number, each in enumerate(said) if each.text.startswith("* ") and each.line]
    apart = all(said[one].line + 1 < said[other].line for one, other in pairwise(starred))
    return said[: starred[0]] if len(starred) >= _STEPS and apart else said


_BUMP = lazy_compile(
    r"\b(?:bump|update|upgrade)\w{0,2}\b.{0,200}(?:\bto v?\d|\bupdates?\b|\bv\d)|\(deps|^deps\b", re.IGNORECASE
)
_FOREIGN = lazy_compile(
    r"^\s*(?:<(?:details|summary|blockquote|h\d)\b|#{1,6}\s*(?:release notes|changelog|commits)\b|(?:release notes|changelog|commits)\s*$)",
    re.IGNORECASE,
)
"""Where a description of a new version of a package begins to quote what others say of that package."""


def is_bump(title: str) -> bool:
    """Does a change bring a new version of a package, so that its description quotes what others say of that one?"""
    return _BUMP.search(title[:1000]) is not None


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")


def _spoken(text: str) -> Iterator[tuple[int, str]]:
    """The lines that the author says, with their numbers; a line that is left out is empty."""
    inside = False
    pasted = _Pasted()
    for number, line in enumerate(text.split("\n"), start=1):
        if _FENCE.match(line):
            inside = not inside
            yield number, ""
            continue
        box = _BOX.match(line)
        put_by = _TODO.match(line) or (box and not box["mark"].strip())
        silent = pasted.takes(line) or inside or line.lstrip().startswith(">") or put_by
        yield number, "" if silent else line


_TODO = lazy_compile(r"\s{0,40}(?:[-*+]\s{1,4})?(?:TODO|FIXME)\b")


class _Pasted:
    """What is set off by four blanks behind an empty line is shown, not said; below an entry of a list it is a part of that."""

    def __init__(self) -> None:
        self._after_words = self._after_blank = self._inside = False

    def takes(self, line: str) -> bool:
        """Is the next line a part of what is shown?"""
        if not line.strip():
            self._after_blank = True
            return self._inside
        deep = line.startswith(("    ", "\t"))
        self._inside = deep and (self._inside or (self._after_blank and self._after_words))
        if not deep:
            self._after_words = _LISTED.match(line) is None
        self._after_blank = False
        return self._inside


_LISTED = lazy_compile(r"\s{0,40}(?:[-*+\u2022]|\w{1,3}[.)])\s")


def _goes_on(last: str, text: str) -> bool:
    return text[0].islower() or text[0] in "`(" or (_OPEN_END.search(last) is not None and not _LISTED.match(text))


_OPEN_END = lazy_compile(
    r"(?:,|\b(?:a|an|the|this|that|these|of|in|on|at|to|for|from|by|with|and|or|but|as|is|are|was|were|be|its|their|which|when|into|than|no|not))$",
    re.IGNORECASE,
)
"""How a line ends behind which there must be more."""


def _unwrapped(given: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines of which those that only go on with the sentence before them, as in messages of 72 columns, are put together."""
    number, waiting, last = 0, "", ""
    for here, line in given:
        text = line.strip()
        if text and len(last) >= _WRAPPED and last[-1] not in ".!?:;" and _goes_on(last, text):
            waiting, last = f"{waiting} {text}", text
            continue
        if waiting:
            yield number, waiting
        number, waiting, last = here, line if text else "", text
    if waiting:
        yield number, waiting


_WORD = lazy_compile(r"[^\W\d][\w$]{0,199}|\d+(?:\.\d+)*")
_PART = lazy_compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(said: Iterable[Sentence]) -> frozenset[str]:
    """All words of what is said."""
    return frozenset(word for sentence in said for word in _WORD.findall(sentence.text))


@dataclass(frozen=True)
class Ground:
    """The facts that claims are held against."""

    change: Change
    documents: Documents
    modules: PythonModules
    tree: Tree
    surfaces: PublicSurfaces = PublicSurfaces()  # noqa: RUF009 - a value that cannot change
    words_said: frozenset[str] = frozenset()
    """The words of the description."""

    @cached_property
    def product(self) -> list[FileChange]:
        """Product code of the change, without what was only moved."""
        return [file for file in self.change.files if role(file.path) is Role.PRODUCT and (file.added or file.deleted)]

    @cached_property
    def touched(self) -> frozenset[str]:
        """The paths of both sides."""
        return frozenset(entry.path for file in self.change.files for entry in _entries(file))

    @cached_property
    def file_names(self) -> frozenset[str]:
        """The names of all files of both sides, without their folders, in small letters."""
        return frozenset(path.rpartition("/")[2].lower() for path in (*self.tree.head, *self.tree.base))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The files of the head by the last part of their path."""
        found: dict[str, list[str]] = {}
        for path in self.tree.head:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def standing(self, said: str) -> list[str]:
        """The files of the head that a path means, or one of those in a folder."""
        ending = f"/{said}"
        named = [path for path in self._by_name.get(said.rpartition("/")[2], ()) if f"/{path}".endswith(ending)]
        if named:
            return [said] if said in named else named
        if said in self.tree.folders:
            return [next(path for path in self.tree.head if path.startswith(f"{said}/"))]
        return []

    @cached_property
    def came(self) -> list[str]:
        """The lines that the change writes, of all files whose text is at hand."""
        return self.came_in(lambda _: True)

    def came_in(self, fits: Callable[[str], bool]) -> list[str]:
        """Those of files with fitting paths."""
        return [line for file in self.change.files if fits(file.path) for line in self.came_of(file)]

    def came_of(self, file: FileChange) -> list[str]:
        """Those of one file; none where its text is not at hand."""
        return _lines(file.head, file.added_lines, self.documents.head)

    @cached_property
    def went(self) -> list[str]:
        """The lines that it takes away."""
        return self.went_from(lambda _: True)

    def went_from(self, fits: Callable[[str], bool]) -> list[str]:
        """Those of files with fitting paths."""
        return [line for file in self.change.files if fits(file.path) for line in self.went_of(file)]

    def went_of(self, file: FileChange) -> list[str]:
        """Those of one file; none where its text is not at hand."""
        return _lines(file.base, file.deleted_lines, self.documents.base)

    @cached_property
    def _made(self) -> dict[str, Any]:
        """What `once` has made."""
        return {}

    def once(self, what: str, make: Callable[[], _T]) -> _T:
        """Something that many statements are held against, made when the first of them asks for it."""
        if what not in self._made:
            self._made[what] = make()
        made: _T = self._made[what]
        return made

    @cached_property
    def product_came(self) -> list[str]:
        """The beginnings of the lines of code that come, those of tests left out."""
        return [beginning(line) for line in self.came_in(lambda path: is_code(path) and not is_test(path))]

    def standing_lines(self) -> Iterator[str]:
        """The beginnings of all lines of the changed files at the head."""
        return (beginning(line) for text in self.documents.head.values() for line in text.split("\n"))

    @cached_property
    def came_together(self) -> str:
        """The lines that come in small letters, parts of a name run together."""
        return _run_together(self.came)

    @cached_property
    def run_together(self) -> str:
        """The same of all texts of both sides, and of the paths."""
        return _run_together((*self.documents.head.values(), *self.documents.base.values(), *self.tree.head))

    @cached_property
    def added(self) -> Counter[str]:
        """Words in the lines that come."""
        return Counter(word for line in self.came for word in _WORD.findall(line))

    @cached_property
    def gone(self) -> Counter[str]:
        """Words in the lines that go."""
        return Counter(word for line in self.went for word in _WORD.findall(line))

    @cached_property
    def after(self) -> frozenset[str]:
        """All words of the changed files at the head."""
        return frozenset(word for text in self.documents.head.values() for word in _WORD.findall(text))

    @cached_property
    def before(self) -> frozenset[str]:
        """All words of the changed files at the base."""
        return frozenset(word for text in self.documents.base.values() for word in _WORD.findall(text))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The beginnings of all words, and parts of words, that come, go or name a changed file."""
        paths = (part for path in (*self.touched, *self.edited) for part in _PART.findall(path))
        parts = (part for word in (*self.added, *self.gone) for part in _PART.findall(word))
        return frozenset(map(stem, (*paths, *parts)))

    @cached_property
    def edited(self) -> frozenset[str]:
        """The names of functions and classes whose lines the change touches, and of the files they stand in."""
        names = {path.rpartition("/")[2].partition(".")[0] for path in self.touched}
        for file in self.change.files:
            for outlines, entry, numbers in (
                (self.outlines, file.head, file.added_lines),
                (self.outlines_before, file.base, file.deleted_lines),
            ):
                shape = None if entry is None else outlines.get(entry.path)
                if shape is not None and numbers:
                    touched = sorted(numbers)
                    names.update(
                        unqualified(each.qualname)
                        for each in definitions(shape)
                        if _any_within(touched, each.line, each.end)
                    )
        return frozenset(names)

    @cached_property
    def small_enough(self) -> bool:
        """Is the change no larger than its words can be compared?"""
        return sum(map(len, (*self.documents.head.values(), *self.documents.base.values()))) <= MAX_WORDS

    @cached_property
    def whole(self) -> bool:
        """Is all at hand that the change writes and takes away, so that what is not there can be called missing?"""
        return self.small_enough and not any(
            (file.binary and is_code(file.path)) or self._lacks(file) for file in self.change.files
        )

    def _lacks(self, file: FileChange) -> bool:
        head, base = self.documents.head, self.documents.base
        return bool(
            (file.added and (file.head is None or file.head.path not in head))
            or (file.deleted and (file.base is None or file.base.path not in base))
        )

    @cached_property
    def outlines(self) -> dict[str, Outline]:
        """The outlines of the changed files at the head, whatever language they are in."""
        return {**self.modules.head, **self.modules.others}

    @cached_property
    def outlines_before(self) -> dict[str, Outline]:
        """The same at the base."""
        return {**self.modules.base, **self.modules.other_languages_base}

    @cached_property
    def defined(self) -> Counter[str]:
        """How often the changed files define each name at the head; members by their last part."""
        return _defined(self.outlines.values())

    @cached_property
    def defined_before(self) -> Counter[str]:
        """The same at the base."""
        return _defined(self.outlines_before.values())

    def comes(self, text: str) -> bool:
        """Does a line that comes hold a piece of text, blanks aside?"""
        return _bare(text) in self._came if text.strip() else False

    def goes(self, text: str) -> bool:
        """Does a line that goes hold it?"""
        return _bare(text) in self._went if text.strip() else False

    @cached_property
    def _came(self) -> str:
        return "\n".join(map(_bare, self.came))

    @cached_property
    def _went(self) -> str:
        return "\n".join(map(_bare, self.went))

    @cached_property
    def _of_words(self) -> dict[str, bool]:
        """Answers of `only_words` by path: each sentence of a description may ask for every file."""
        return {}

    def only_words(self, file: FileChange) -> bool:
        """Does nothing but comments, docstrings and blank lines differ?"""
        if file.path not in self._of_words:
            self._of_words[file.path] = self._differs_in_words(file)
        return self._of_words[file.path]

    def _differs_in_words(self, file: FileChange) -> bool:
        before = "" if file.base is None else self.documents.base.get(file.base.path)
        after = "" if file.head is None else self.documents.head.get(file.head.path)
        if before is None or after is None:
            return not (file.added or file.deleted)
        if language(file.path) == "python" or file.path in self.modules.head or file.path in self.modules.base:
            return code_lines(before) == code_lines(after)
        return _code(before, file.path) == _code(after, file.path)

    def only_strings(self, file: FileChange) -> bool:
        """Do only the words within strings differ, beside comments?"""
        texts = self.texts(file)
        if texts is None or not is_code(file.path):
            return False
        string = _LONGER_STRING if language(file.path) in _LETTERS_ALONE else _STRING
        bare = [_code(string.sub('""', text), file.path) for text in texts]
        return bare[0] == bare[1] if language(file.path) != "python" else _plain_python(texts)

    @cached_property
    def product_beside_tests(self) -> list[FileChange]:
        """Product code that changes elsewhere than in tests that stand beside it, comments included."""
        return [file for file in self.product if not self._tests_within(file)]

    def _tests_within(self, file: FileChange) -> bool:
        """Do all lines that change stand behind the mark by which Rust sets tests apart?"""
        if file.head is None or language(file.path) != "rust":
            return False
        text = self.documents.head.get(file.head.path)
        marked = TESTS_APART.search(text) if text else None
        if text is None or marked is None:
            return False
        first = text.count("\n", 0, marked.start()) + 1
        return all(each.head_start >= first for each in file.hunks)

    def rewrites(self, file: FileChange) -> bool:
        """Do lines go that did something and come nowhere again? Imports, blanks and comments are none."""
        lost = self.went_of(file)
        kept = {_bare(line) for line in self.came_of(file)}
        if file.deleted and not lost:
            return True
        if any(_PUT_ASIDE.search(line) for line in kept):
            return True
        return any(_DOES.search(line) and not _BRINGS_IN.match(line) and _bare(line) not in kept for line in lost)

    def texts(self, file: FileChange) -> tuple[str, str] | None:
        """Both sides of a file that was edited, where they were read."""
        if file.base is None or file.head is None or not (file.added or file.deleted):
            return None
        before, after = self.documents.base.get(file.base.path), self.documents.head.get(file.head.path)
        return None if before is None or after is None else (before, after)


_QUOTED = r'"""[^"]*+(?>(?:"(?!"")[^"]*+)*)"""|r"[^"]*+"|(?<!\\)"(?>(?:[^"\\\n]++|\\.)*)"|`[^`]*+`'
"""A quote behind a backslash begins no string: were it asked too, a row of them would cost the square of its length."""
_STRING = lazy_compile(_QUOTED + r"|(?<!\\)'(?>(?:[^'\\\n]++|\\.)*)'")
_RAW = r'r(?P<hashes>#{1,3})"[^"]*+(?>(?:"(?!(?P=hashes))[^"]*+)*)(?:"(?P=hashes)|\Z)'
"""One that is not closed goes on to the end, and is looked through once."""
_LONGER_STRING = lazy_compile(rf"{_RAW}|{_QUOTED}" + r"|'(?:[^'\\\n]|\\.[^'\n]{0,8})'")
"""The same in languages in which what stands between single marks is one letter."""
_LETTERS_ALONE = frozenset({"rust", "go", "java", "kotlin", "c", "cpp", "csharp", "scala", "swift"})


def _plain_python(texts: tuple[str, str]) -> bool:
    before, after = (code_lines(_STRING.sub('""', text)) for text in texts)
    return before == after


_PUT_ASIDE = lazy_compile(
    r"\bskip(?:If|Unless|if)?\(|mark\.(?:skip|xfail)|unittest\.(?:skip|expected)|^[xf]?(?:it|describe|test)\.(?:skip|only|todo)\(|^x(?:it|describe)\(|\bt\.Skip\w*\(|^@(?:Disabled|Ignore)\b|^#\[ignore"
)
_DOES = lazy_compile(r"[(=]|\b(?:assert|expect|return|raise)\b")
_BRINGS_IN = lazy_compile(
    r"\s*(?:import|from|use|using|require|#|//|/?\*|const\s+[\w{},\s]{1,200}=\s*require|export|package|})"
)


def stem(word: str) -> str:
    """The beginning that a word's forms share: `rounding`, `rounded` and `rounds` are one."""
    plain = word.lower()
    bare = re.sub(r"(?:ization|isation|ations?|ings?|ers?|ed|es|s|e)$", "", plain) if len(plain) > 4 else plain
    return bare[:-1] if len(bare) > 3 and len(plain) > 4 and bare[-1] == bare[-2] else bare


def _code(text: str, path: str) -> list[str]:
    return [line for line in compact_code_by_line(text, language(path), ()) if line]


def _any_within(numbers: list[int], start: int, end: int) -> bool:
    at = bisect_left(numbers, start)
    return at < len(numbers) and numbers[at] <= end


def _run_together(texts: Iterable[str]) -> str:
    return "\n".join(texts).lower().replace("_", "").replace("-", "")


def _bare(text: str) -> str:
    return "".join(text.split())


def _entries(file: FileChange) -> Iterator[TreeEntry]:
    return (entry for entry in (file.base, file.head) if entry is not None)


TESTS_APART = lazy_compile(
    r"^[ \t]*#\[cfg\(test\)\]\s{0,200}(?:#\[[^\]\n]{0,200}\]\s{0,200}){0,4}(?:pub(?:\([^)\n]{0,40}\))?\s+)?mod\b",
    re.MULTILINE,
)
"""Where Rust sets the tests of a file apart, in a module: in a comment, or before a single import, the words set nothing apart."""


def beginning(line: str) -> str:
    """As much of a line as forms of code are looked for in, long rows of blanks in it made short.

    No form asks how many blanks there are, and of one with several places for some, each would be tried with all others.
    """
    if len(line) <= _USUAL:
        return line
    return _BLANKS.sub(" " * _FEW, line[:MAX_LINE])


_USUAL = 120
"""Characters of a line in which no row of blanks is long."""
_FEW = 8
_BLANKS = lazy_compile(rf"\s{{{_FEW + 1},}}")


def _lines(entry: TreeEntry | None, numbers: Iterable[int], texts: Mapping[str, str]) -> list[str]:
    text = None if entry is None else texts.get(entry.path)
    if text is None:
        return []
    source = text.split("\n")
    return [source[number - 1] for number in sorted(numbers) if number <= len(source)]


def _defined(outlines: Iterable[Outline]) -> Counter[str]:
    found: Counter[str] = Counter()
    for shape in outlines:
        named = {each.qualname for each in definitions(shape)}
        named.update(each.name for each in shape.exported_symbols if each.kind != "passed")
        named.update(shape.names)
        found.update(unqualified(name) for name in named)
    return found


def places(files: Iterable[FileChange]) -> tuple[Location, ...]:
    """Up to twenty files as places to look at."""
    return tuple(code_location(file.path, side=Side.HEAD if file.head else Side.BASE) for file in list(files)[:20])


DENIAL = lazy_compile(
    r"\b(?:no|not|without|never|cannot|lacks?|missing|todo|will|shall|should|would|could|can|may|might|must|needs?|already|previous(?:ly)?|going to|happy to|glad to|plan to|like to|want to|try to|later|follow[- ]?up|planned|future|if|unless|please|instead of|skip(?:s|ped)?|tricky|hard|difficult|impossible|unable|remov(?:e[sd]?|ing)|delet(?:e[sd]?|ing))\b|n't\b|'ll\b",
    re.IGNORECASE,
)
LATER = lazy_compile(r"\b(?:no|not|never|todo|will|should|would|later|planned|if|unless)\b|n't\b", re.IGNORECASE)
"""Words before a count or a place by which it is denied or put off."""
_CLAUSE = lazy_compile(r"[,;:()]|\bbut\b|\band\b|\b(?:is|are)\s+now\b", re.IGNORECASE)


def denied(text: str, start: int, denial: re.Pattern[str] = DENIAL) -> bool:
    """Does a word before the claim, in the same clause, take it back or put it off?"""
    clause = _CLAUSE.split(text[max(0, start - 200) : start])[-1]
    return denial.search(clause) is not None


_PUT_OFF = lazy_compile(
    r"^[^.;:!?]{0,80}?\b(?:later|soon|follow[- ]?ups?|separate(?:ly)?|next (?:pr|release|step|week|sprint|version)|(?:an)?other (?:pr|pull request|commit|branch|change)|(?:different|subsequent|upcoming|own) (?:pr|pull request|commit|change)|in (?:the )?future|once|already|todo|before (?:the )?merg\w+|if (?:needed|wanted|you|necessary)|as needed)\b",
    re.IGNORECASE,
)


def put_off(text: str, end: int) -> bool:
    """Do words behind a claim say that it is done another time or elsewhere?"""
    return _PUT_OFF.match(text[end : end + 200]) is not None


Check = Callable[[Ground], Answer | None]
"""What the facts say of a claim; None where they say nothing."""
