"""What a change contains, as far as claims are compared with it: files, lines that come, code beside comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from auditor.domain import FileChange, Location, Side
from auditor.forensics.description.claim_sentences import Sentence
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.source_text.comments import lines_without_comments
from auditor.forensics.source_text.file_roles import Role, is_code, language, role
from auditor.forensics.source_text.programming_languages import languages_with_quoted_letters
from auditor.lazy_regex import lazy_compile

_MAX_PLACES = 20
"""Files that an answer names."""
_MAX_LINE = 1_000
"""Characters of a line in which patterns are searched."""


class Answer(NamedTuple):
    """Does a claim hold? `at` shows where it does not. The confidence is at least 0.8: below that, there is no answer."""

    holds: bool
    at: tuple[Location, ...] = ()
    confidence: float = 0.8
    because: str = "the claim was recognized by its wording"


class CheckedClaim(NamedTuple):
    """A claim, the facts' answer, and what to report where it does not hold."""

    kind: str
    sentence: Sentence
    answer: Answer
    wrong: str


@dataclass(frozen=True)
class ChangeContents:
    """The facts that claims are compared with."""

    change: Change
    documents: Documents
    modules: PythonModules
    tree: Tree
    surfaces: PublicSurfaces = PublicSurfaces()  # noqa: RUF009 - a value that cannot change

    @cached_property
    def paths(self) -> frozenset[str]:
        """The paths of the changed files on both sides."""
        files = self.change.files
        return frozenset(each.path for file in files for each in (file.base, file.head) if each is not None)

    @cached_property
    def top_folders(self) -> frozenset[str]:
        """The folders at the top of the tree on both sides."""
        paths = (*self.tree.head, *self.tree.base)
        return frozenset(path.partition("/")[0] for path in paths if "/" in path)

    @cached_property
    def added_lines(self) -> tuple[str, ...]:
        """The lines that the change writes, of all files whose text is at hand."""
        return tuple(line for file in self.change.files for line in self.added_lines_of(file))

    def added_lines_of(self, file: FileChange) -> Iterator[str]:
        """Those of one file, cut after 1,000 characters; none where its text is not at hand."""
        text = None if file.head is None else self.documents.head.get(file.head.path)
        source = [] if text is None else text.split("\n")
        return (source[number - 1][:_MAX_LINE] for number in sorted(file.added_lines) if number <= len(source))

    @cached_property
    def is_complete(self) -> bool:
        """Is the text of everything that the change writes at hand, so that what is not there can be called missing?"""
        head = self.documents.head
        return not any(
            (file.binary and is_code(file.path)) or (file.added and (file.head is None or file.head.path not in head))
            for file in self.change.files
        )

    @cached_property
    def code_files(self) -> tuple[FileChange, ...]:
        """Product code and tests in which more than comments and docstrings differs."""
        return tuple(file for file in self.change.files if self._is_code(file.path) and self.differs_in_code(file))

    @cached_property
    def beyond_words(self) -> tuple[FileChange, ...]:
        """Those of them in which more than the content of strings differs, such as help texts."""
        return tuple(file for file in self.code_files if self._differs(file, _code_without_strings))

    def _is_code(self, path: str) -> bool:
        """Code by its role, or a script without a suffix that was read as Python."""
        named = is_code(path) and role(path) in (Role.PRODUCT, Role.TEST)
        return named or path in self.modules.head or path in self.modules.base

    def differs_in_code(self, file: FileChange) -> bool:
        """Does more than comments, docstrings and blank lines differ?"""
        return self._differs(file, _code)

    def _differs(self, file: FileChange, kept: Callable[[str, str], str]) -> bool:
        before = "" if file.base is None else self.documents.base.get(file.base.path)
        after = "" if file.head is None else self.documents.head.get(file.head.path)
        if before is None or after is None:
            return bool(file.added or file.deleted)
        name = language(file.path) or "python"
        return kept(before, name) != kept(after, name)


def _code(text: str, name: str) -> str:
    """The code of a text in a language, without comments and docstrings."""
    lines = lines_without_comments(text, name)
    kept = (line.rstrip() if name == "python" else "".join(line.split()) for line in lines)
    return "\n".join(filter(None, kept))


def _code_without_strings(text: str, name: str) -> str:
    return (_LONG_STRING if name in languages_with_quoted_letters() else _STRING).sub('""', _code(text, name))


_QUOTED = r'"""[^"]*+(?>(?:"(?!"")[^"]*+)*)"""|r"[^"]*+"|(?<!\\)"(?>(?:[^"\\\n]++|\\.)*)"|`[^`]*+`'
"""A quote after a backslash starts no string: were it tried too, a row of them would cost the square of its length."""
_STRING = lazy_compile(_QUOTED + r"|(?<!\\)'(?>(?:[^'\\\n]++|\\.)*)'")
_RAW = r'r(?P<hashes>#{1,3})"[^"]*+(?>(?:"(?!(?P=hashes))[^"]*+)*)(?:"(?P=hashes)|\Z)'
_LONG_STRING = lazy_compile(rf"{_RAW}|{_QUOTED}" + r"|'(?:[^'\\\n]|\\.[^'\n]{0,8})'")
"""The same in languages in which single quotes hold one letter."""


def places(files: Iterable[FileChange]) -> tuple[Location, ...]:
    """Up to twenty files as places to look at."""
    sides = ((file.path, Side.HEAD if file.head else Side.BASE) for file in files)
    return tuple(code_location(path, side=side) for path, side in list(sides)[:_MAX_PLACES])


Check = Callable[[list[Sentence], ChangeContents], Iterator[CheckedClaim]]
"""Finds the claims of one kind and compares them with the change."""
