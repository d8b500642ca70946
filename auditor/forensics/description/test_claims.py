"""Claims that tests come with a change, compared with what it touches."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.domain import FileChange
from auditor.forensics.description.change_contents import Answer, ChangeContents, CheckedClaim
from auditor.forensics.description.claim_sentences import Sentence, states
from auditor.forensics.source_text.file_roles import Role, is_test, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile

NAMED_FOR_TESTS = lazy_compile(
    r"(?:^|[/_.-])(?:test|spec|fixture|mock|snapshot|bench|conftest|playground)|Tests?\b|tests?\.\w+$"
    r"|(?:^|/)(?:tox\.ini|noxfile\.py|Makefile|justfile|Rakefile)$",
    re.IGNORECASE,
)
"""Paths of tests, of what they read, and of what sets them up or runs them."""
_TEST_BEGIN = lazy_compile(
    r"\s*+(?:#\[(?:\w+::)?(?:test|rstest)\b|(?:async )?def test_|func (?:Test|Benchmark|Fuzz|Example)[A-Z_]|@(?:Parameterized)?Test\b"
    r"|(?:it|test|describe|specify)\s*+\(?+\s*+[\"'`]|@test\b|>>> |//[/!]\s*+```)"
)
"""How tests begin beside what they test, doctests of Python and Rust included."""
_ASSERTION = lazy_compile(r"assert|\bexpect\w*[!(.]|\bshould\b|\bt\.(?:Error|Fatal)")
"""Lines that may belong to a test in a file of product code."""
_ADJECTIVES = r"(?:(?:an?|the|some|new|more|many|several|few|unit|regression|integration|end-to-end|e2e|snapshot|fuzz|smoke|property(?:-based)?|golden|contract|acceptance|functional|parametri[sz]ed|table-driven|focused|dedicated|basic|simple|failing|another|further|matching|relevant|missing|extra|additional|corresponding|proper|comprehensive|full|first|two|three|\d+|[\w-]{1,30} and|[\w-]{1,30},)\s+){0,5}"
_TESTS = r"tests?\b(?!\s*(?:runner|discovery|framework|harness|command|mode|server|environment|data|workflow|jobs?\b|stages?\b|steps?\b|phases?\b|pipeline|targets?\b|bed|ing|suite|plan|account|double|helper|utilit|file name|counts?\b|numbers?\b|results?\b|output|instructions?\b|badges?\b|matrix|docs?\b|containers?\b|artifacts?\b)|(?<=\btest)\s+(?:with|on|against|under)\b|[^.;]{0,40}\bto\s+(?:the\s+)?(?:sdist|tarball|distribution|package|matrix|ci|image|docker|tox|workflow)\b)"
_TESTS_CLAIMED = combine_patterns(
    rf"\b(?:add(?:s|ed|ing)?|includ(?:es?|ed|ing)|wr(?:ites?|ote|itten)|extend(?:s|ed)?|updat(?:es?|ed)|improv(?:es?|ed)|with)\s+{_ADJECTIVES}{_TESTS}",
    rf"\b(?:updat(?:es?|ed)|extend(?:s|ed)?|expand(?:s|ed)?|adapt(?:s|ed)?|adjust(?:s|ed)?|improv(?:es?|ed))\s+(?:the\s+|our\s+)?(?:existing\s+|current\s+|affected\s+|related\s+)?(?:unit\s+|integration\s+)?(?:{_TESTS}|test suite\b)",
    r"^(?:[-*+]\s+)?tests?:\s+(?:add|extend|cover|new|updat|regression)\w{0,4}\b",
    r"\b(?:adds?|added|adding|extends?|extended|improves?|improved)\s+(?:unit\s+|more\s+|some\s+|missing\s+)?(?:regression|unit[- ]test|test)\s+coverage\b",
    r"^(?:[-*+]\s+)?more\s+(?:unit\s+|integration\s+)?tests(?=\s*(?:$|[.,;]|\bfor\b))|^\+\s+tests\s*$",
    r"\b(?:adds?|added)\s+(?:some\s+|more\s+|new\s+)?assertions\b",
    r"\btests?\s+(?:cases?\s+)?(?:`[^`\n]{1,80}`\s+)?(?:(?:have|has|were|was|are|is)\s+)?(?:been\s+)?(?:added|included|updated|extended|written)\b",
    r"\btests?\s+(?:cases?\s+)?(?:for|of|on|around|covering)\s+[^\s.;:!?][^.;:!?\n]{0,80}?\s(?:have|has|were|was|are|is)\s+(?:been\s+)?(?:also\s+)?(?:added|included|written)\b(?!\s+(?:later|separately|elsewhere|in (?:a|the) (?:next|follow|later)))",
    r"\bcovered by\s+(?:an?\s+|some\s+|two\s+|three\s+)?(?:(?!existing\b|current\b|already\b|our\b|the\b|other\b)[\w-]{1,30}\s+){0,3}tests?\b",
    rf"\b(?:add|introduc|implement|creat|includ|writ|provid|bring)\w{{0,4}}\s+[^.;:!?]{{1,120}}?(?:,\s*|\s+)(?:and|plus|with|along with|together with|as well as)\s+(?:also\s+)?(?:an?|new|some|two|three|several|\d+|unit|regression|integration)\s+(?:[\w-]{{1,30}}\s+){{0,3}}?{_TESTS}",
    r"\b(?:plus|including|incl\.?)\s+(?:new\s+|unit\s+|regression\s+)?tests\b(?=\s*(?:$|[.,;)]))",
    r"\b(?:add|introduc|implement|creat|includ|writ|provid|bring)\w{0,4}\s+(?:(?!to\b|for\b|that\b|which\b|run|when\b|between\b|of\b|with\b|in\b|and\b|on\b)[^\s.;:!?]{1,60}\s+){1,8}?(?:(?:and|&|\+)\s+)?(?<=[,d&+]\s)(?:unit\s+|regression\s+)?tests(?=\s*(?:$|[.,;)]|\band\b))",
    r"^(?:[-*+]\s+)?(?:unit\s+tests\s+cover|tests\s+now\s+cover|new\s+tests\s+cover)\b",
    r"^[-*+]\s+(?:(?:new|unit|regression|integration|added)\s+){0,3}tests?\s+(?:cases?\s+)?(?:for|that|covering|of)\b(?!.{0,80}\b(?:pass|run|ran|green|fail)\w*)",
    r"\bnew\s+(?:(?:unit|regression|integration|e2e|end-to-end|table-driven)\s+)?tests?\s+(?:cases?\s+)?(?:for|covers?|covering|in|that|which)\b",
    r"\b(?:add(?:s|ed|ing)?|includ(?:es?|ed|ing)|with|writes?|wrote)\s+(?:an?\s+|some\s+|new\s+)(?:[\w-]{1,20}\s+){0,2}specs?\b(?=\s+(?:for|that|which|cover\w*)\b)(?!\s+for\s+the\s+(?:api|format|protocol))",
    r"\b(?:adds?|added|adding|extends?|extended)\s+(?:unit\s+|more\s+|some\s+)?test coverage\b",
    r"\b(?:an?|new|one|two|three|more)\s+(?:(?:new|unit|regression|integration)\s+){0,2}tests?\s+(?:cases?\s+)?(?:in\s+\S{1,100}\s+)?(?:now\s+)?(?:reproduces?|exercises?|demonstrates?|holds?|covers?|proves?|checks?|verif(?:y|ies)|guards?|pins?|asserts?|ensures?|makes? sure)\b(?!.{0,60}\balready\b)",
    r"^\[x\]\s+(?:unit |regression |integration )?(?:tests\b|test(?=\s*(?:$|[.,;:]|cases?\b|added\b|for\b)))(?!\s+(?:on|in|against|under|the|with|that|if|whether|both|all)\b)(?!.{0,80}\b(?:pass|run|ran|exist|local))",
)


def find_test_claims(said: list[Sentence], contents: ChangeContents) -> Iterator[CheckedClaim]:
    """The first claim that tests are added or changed; nothing where what changes may be a test."""
    sentence = next((each for each in said if states(_TESTS_CLAIMED, each.text)), None)
    touched = None if sentence is None else touches_tests(contents)
    if sentence is not None and touched is not None:
        wrong = "The description says that tests come with the change, but it touches no test"
        yield CheckedClaim("tests", sentence, Answer(touched), wrong)


def touches_tests(contents: ChangeContents) -> bool | None:
    """Is a test added or edited? None without changed code, and where data or settings of tests or assertions elsewhere change."""
    files, lines = contents.change.files, contents.added_lines
    if any(is_test(file.path) and file.added for file in files) or any(map(_TEST_BEGIN.match, lines)):
        return True
    if any(_added_in_test_module(file, contents) for file in files):
        return True
    if not contents.is_complete or any(map(_may_test, contents.paths)) or any(map(_ASSERTION.search, lines)):
        return None
    return False if contents.code_files else None


def _may_test(path: str) -> bool:
    return role(path) is Role.WORKFLOW or NAMED_FOR_TESTS.search(path) is not None


def _added_in_test_module(file: FileChange, contents: ChangeContents) -> bool:
    first = first_test_line(file, contents)
    return first is not None and any(number >= first for number in file.added_lines)


def first_test_line(file: FileChange, contents: ChangeContents) -> int | None:
    """The line at which the test module of a Rust file begins; by custom it continues to the end of the file."""
    text = contents.documents.head.get(file.head.path) if file.head and file.path.endswith(".rs") else None
    begin = _RUST_TEST_MODULE.search(text) if text else None
    return None if text is None or begin is None else text.count("\n", 0, begin.start()) + 1


_RUST_TEST_MODULE = lazy_compile(
    r"^[ \t]*#\[cfg\(test\)\]\s{0,200}(?:#\[[^\]\n]{0,200}\]\s{0,200}){0,4}(?:pub(?:\([^)\n]{0,40}\))?\s+)?mod\b",
    re.MULTILINE,
)
"""In a comment, or before a single import, the mark sets no tests apart."""
