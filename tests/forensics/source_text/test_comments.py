"""Lines of code without their comments, in languages beside Python too."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.source_text.comments import lines_without_comments


@pytest.mark.parametrize(
    ("language", "source", "code"),
    [
        ("python", "x = 1  # one\n'''text'''\ny = '# two'", ["x = 1  ", "", "y = '# two'"]),
        ("javascript", "a(); // one\nb('// two', `// three`); /* four */", ["a();", "b('// two', `// three`);"]),
        ("javascript", '/* one\ntwo */\nurl = "http://a";', ["", "", 'url = "http://a";']),
        ("javascript", "it's // one\n'\\'// two' // three", ["it's", "'\\'// two'"]),
        ("yaml", "a: b#c # one\n# two\nd: 'e # f'", ["a: b#c", "", "d: 'e # f'"]),
        ("shell", "echo $# ${x#y} # one", ["echo $# ${x#y}"]),
        ("sql", "a --b\n-- c", ["a", ""]),
        ("csv", "a # b // c", ["a # b // c"]),
    ],
)
def test_comments_are_cut_off_and_what_looks_like_one_is_not(language: str, source: str, code: list[str]) -> None:
    assert lines_without_comments(source, language) == code


@pytest.mark.parametrize(
    "piece", ["' ", "'\\", "\"'`", "a // ", " ", "\\", "'a", "/ ", "/* ", "\n/*", "\n'", "`${", "\\'", "'\\'"]
)
@pytest.mark.parametrize("language", ["javascript", "php", "yaml"])
def test_cutting_comments_off_takes_linear_time(piece: str, language: str) -> None:
    started = time.process_time()
    assert lines_without_comments(f"{piece * 20_000}x // # y", language)
    assert time.process_time() - started < 1
