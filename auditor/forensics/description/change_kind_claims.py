"""Claims of what kind a change is: documentation only, tests only, no code change, no functional change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from auditor.domain import FileChange
from auditor.forensics.description.breaking_change_claims import breaking_changes, certain_breaks, contradiction
from auditor.forensics.description.change_contents import Answer, ChangeContents, CheckedClaim, places
from auditor.forensics.description.claim_sentences import Sentence, states
from auditor.forensics.description.test_claims import NAMED_FOR_TESTS, first_test_line
from auditor.forensics.source_text.file_roles import Role, is_example, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile

_DOCUMENTATION_PATH = lazy_compile(
    r"(?:^|/)(?:docs?|documentation|guides?|website|site|landing|www|man)/", re.IGNORECASE
)


@dataclass(frozen=True)
class ChangeKind:
    """A kind of change: its wordings, which files contradict it, and which agree with it."""

    name: str
    wordings: re.Pattern[str]
    contradicting: Callable[[ChangeContents], list[FileChange]]
    agreeing: Callable[[ChangeContents], bool]
    wrong: str


def find_change_kind_claims(said: list[Sentence], contents: ChangeContents) -> Iterator[CheckedClaim]:
    """Each kind that the description claims, once; nothing where the files of the change neither contradict nor agree."""
    for kind in _KINDS:
        sentence = next((each for each in said if states(kind.wordings, each.text)), None)
        answer = None if sentence is None else _answer(kind, contents)
        if sentence is not None and answer is not None:
            yield CheckedClaim(kind.name, sentence, answer, kind.wrong)
    yield from _no_functional_change(said, contents)


def _answer(kind: ChangeKind, contents: ChangeContents) -> Answer | None:
    if not contents.change.files or not contents.is_complete:
        return None
    if beyond := kind.contradicting(contents):
        return Answer(False, places(beyond))
    return Answer(True) if kind.agreeing(contents) else None


def _no_functional_change(said: list[Sentence], contents: ChangeContents) -> Iterator[CheckedClaim]:
    """Public names that are gone and that the description does not mention contradict; a change without product code agrees."""
    sentence = next((each for each in said if states(_NO_FUNCTIONAL_CHANGE, each.text)), None)
    if sentence is None:
        return
    mentioned = {word for each in said for word in _WORD.findall(each.text)}
    certain = certain_breaks(breaking_changes(contents) or [])
    gone = [each for each in certain if not set(_WORD.findall(each.name)[-1:]) & mentioned]
    wrong = "The description says that nothing changes in function, but public names or parameters are gone"
    if gone:
        yield CheckedClaim("no_functional_change", sentence, contradiction(gone), wrong)
    elif contents.change.files and not _product_code(contents) and not _machinery(contents):
        yield CheckedClaim("no_functional_change", sentence, Answer(True), wrong)


_WORD = lazy_compile(r"[^\W\d]\w*")


def _product_code(contents: ChangeContents) -> list[FileChange]:
    return [file for file in contents.code_files if role(file.path) is not Role.TEST]


def _machinery(contents: ChangeContents) -> list[FileChange]:
    """Workflows and lock files beyond their comments: they run code, or decide which code runs."""
    runs = (Role.WORKFLOW, Role.LOCK)
    return [file for file in contents.change.files if role(file.path) in runs and contents.differs_in_code(file)]


def _beyond_documentation(contents: ChangeContents) -> list[FileChange]:
    """Code and what runs it; examples and what builds the documentation are part of that."""
    return [
        file
        for file in (*contents.beyond_words, *_machinery(contents))
        if not is_example(file.path) and not _DOCUMENTATION_PATH.search(file.path)
    ]


def _only_documentation(contents: ChangeContents) -> bool:
    return all(
        role(file.path) is Role.DOCUMENTATION
        or _DOCUMENTATION_PATH.search(file.path)
        or file in _in_words_only(contents)
        for file in contents.change.files
    )


def _in_words_only(contents: ChangeContents) -> list[FileChange]:
    """Code files that change in comments and docstrings only."""
    code = (Role.PRODUCT, Role.TEST)
    return [file for file in contents.change.files if role(file.path) in code and file not in contents.code_files]


def _beyond_tests(contents: ChangeContents) -> list[FileChange]:
    return [file for file in _product_code(contents) if not _serves_tests(file, contents)]


def _serves_tests(file: FileChange, contents: ChangeContents) -> bool:
    """By its path, or because all its changed lines are in the test module of a Rust file."""
    if NAMED_FOR_TESTS.search(file.path):
        return True
    first = first_test_line(file, contents)
    return first is not None and all(each.head_start >= first for each in file.hunks)


def _only_tests(contents: ChangeContents) -> bool:
    return all(role(file.path) is Role.TEST or NAMED_FOR_TESTS.search(file.path) for file in contents.change.files)


_END = r"(?=\s*(?:$|[.,;:!)\]\u2013\u2014]|-\s|here\b|in this\b))"
_ONLY = r"(?:only|just|solely|purely|merely|nothing but)"
_EDITS = r"(?:(?:touch|chang|updat|edit|affect|fix|improv|adjust|modif|add|extend)\w{0,4}\s+)"
_DOCUMENTATION = r"(?:docs?|documentation|readme|comments?|docstrings?)"
_CHANGES = r"(?:\s+(?:files?|changes?|updates?|tweaks?|edits?|fix(?:es)?))?"
_CHANGED = rf"{_CHANGES}(?:\s+(?:is|are|was|were)\s+(?:changed|touched|affected|updated|edited)\b|\s+changes?\b|\s+for\b|{_END})"
_ALONE = r"(?=(?:\s+(?:changes?|commit|pr|patch|update|fix))?\s*(?:$|[.,;:!()\]*]))"
_DOCUMENTATION_ONLY = combine_patterns(
    rf"(?<!\bleft )(?<!\bkept )(?<!\bas )\b{_DOCUMENTATION}(?:-|\s+changes?\s+|\s+)only\b{_ALONE}",
    rf"(?:^(?:[-*+]\s+|\[x\]\s+)?|[:;,(]\s*|\b(?:this|it|pr|change|commit|patch)(?:'s|\s+is|\s+was)?\s+){_ONLY}\s+{_EDITS}?(?:an?\s+|the\s+)?(?:some\s+)?{_DOCUMENTATION}{_CHANGED}",
)
_TESTS = r"(?:(?:the|unit|integration|existing|new|some|more|missing|regression)\s+){0,3}tests?(?:\s+(?:cases?|files?|code|suite))?"
_TESTS_ONLY = combine_patterns(
    rf"\btests?(?:-|\s+changes?\s+|\s+)only\b{_ALONE}",
    rf"(?:^(?:[-*+]\s+|\[x\]\s+)?|[:;,(]\s*|\b(?:this|it|pr|change|commit|patch)(?:'s|\s+is|\s+was)?\s+){_ONLY}\s+{_EDITS}?{_TESTS}{_CHANGED}",
)
_OUR_CODE = r"(?:production|product|source|application|runtime|library|non-test)\s+code"
_CODE = rf"(?:{_OUR_CODE}|code)"
_EDITED = r"(?:changed|touched|affected|edited|modified|updated)"
_NARROWED = r"(?!\s+(?:otherwise|when|where|if|unless|for|on|in|with|without|while|until|except|outside|other|path|style|paths|(?:(?:is|are|was|were)\s+)?(?:needed|required|necessary))\b)"
"""What would narrow a claim to a part of the change."""
_NO_CODE_CHANGE = combine_patterns(
    rf"\bno\s+{_CODE}\s+(?:changes?\b|(?:is|was|has been|gets)\s+{_EDITED}\b){_NARROWED}",
    rf"\bno\s+changes?\s+(?:to|in|of)\s+(?:the\s+|any\s+)?{_CODE}\b{_NARROWED}",
    rf"\b(?:does not|doesn't|did not|didn't|without)\s+(?:chang|touch|affect|edit|modify)\w{{0,4}}\s+(?:the\s+|any\s+|our\s+)?{_CODE}\b{_NARROWED}",
    rf"\b(?:the\s+code|{_OUR_CODE})\s+(?:itself\s+)?(?:is|stays?|remains?|was)\s+(?:left\s+)?(?:unchanged|untouched|not {_EDITED})\b{_NARROWED}",
)
_BEHAVIOUR = r"(?:behaviou?r|functionality|logic|semantics)"
_NO_FUNCTIONAL_CHANGE = combine_patterns(
    r"\b(?:pure|purely|only|just|merely)\s+(?:an?\s+)?(?:internal\s+)?(?:refactor(?:ing|ed)?|restructur(?:ing|ed)|clean-?up)\b",
    r"\b(?:refactor(?:ing)?|clean-?up)[- ]only\b",
    rf"\bno\s+(?:functional|behaviou?ral?|behaviou?r|semantic|logic(?:al)?|user[- ](?:visible|facing)|observable)\s+(?:changes?|differences?|impact|effects?)\b{_NARROWED}",
    rf"\bno\s+(?:changes?|differences?)\s+(?:in|to|of)\s+(?:the\s+|any\s+)?(?:\w+\s+)?{_BEHAVIOUR}\b{_NARROWED}",
    rf"(?<!\bremaining )(?<!\bother )\b{_BEHAVIOUR}\s+(?:is|are|stays?|remains?|was|were)\s+(?:kept\s+)?(?:exactly\s+|completely\s+)?(?:unchanged|the same|identical|unaffected|preserved|not changed)\b{_NARROWED}",
    rf"\b(?:doesn't|does not|do not|don't|without)\s+(?:chang|alter|affect)(?:e|ing)?\s+(?:any\s+|the\s+)?(?:\w+\s+)?{_BEHAVIOUR}\b{_NARROWED}",
    r"\bfunctionally\s+(?:identical|equivalent|the same|unchanged)\b",
)
_KINDS = (
    ChangeKind(
        "documentation_only",
        _DOCUMENTATION_ONLY,
        _beyond_documentation,
        _only_documentation,
        "The description says that only documentation changes, but code or what runs it changes",
    ),
    ChangeKind(
        "tests_only",
        _TESTS_ONLY,
        _beyond_tests,
        _only_tests,
        "The description says that only tests change, but product code changes",
    ),
    ChangeKind(
        "no_code_change",
        _NO_CODE_CHANGE,
        _product_code,
        lambda contents: not _product_code(contents),
        "The description says that no code changes, but product code changes",
    ),
)
