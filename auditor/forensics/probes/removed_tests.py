"""Whether a change takes tests away, switches them off or weakens them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.domain import CodeLocation, Fact, Side, Status
from auditor.forensics.bodies import checks, lines_of
from auditor.forensics.checkers import says_it_checks
from auditor.forensics.definitions import given_names
from auditor.forensics.facts import found, lines, not_applicable, not_found, several, some, unavailable
from auditor.forensics.inputs import Change, Documents, PythonModules
from auditor.forensics.joined_tests import Test, TestFile, taken_over
from auditor.forensics.lost_tests import at_base, at_head, lost_tests, read_whole
from auditor.forensics.outline import Function
from auditor.forensics.probe import probe
from auditor.forensics.roles import Role, is_code, is_expected_output, is_test, role
from auditor.forensics.switched_off import switched_off
from auditor.late import late

_RUNNERS = (
    *(f"{folder}{name}" for folder in ("", "**/")
      for name in ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", "package.json", "jest.config.*", "vitest.config.*", "playwright.config.*", "pom.xml", "build.gradle",
                   "build.gradle.kts", "Makefile", "justfile", "Cargo.toml", ".rspec")),
    ".github/workflows/*", ".gitlab-ci.yml", ".travis.yml", ".circleci/config.yml", "Jenkinsfile", "azure-pipelines.yml",
)  # fmt: skip
"""Where it is said which tests are run."""
_LEFT_OUT = re.compile(
    r"--ignore(?:-glob)?[= ]\S{0,200}(?:test|spec)|--deselect\b|\bcollect_ignore(?:_glob)?\s*[+=]|norecursedirs\s*=.{0,200}(?:test|spec)|testPathIgnorePatterns|\btestIgnore\b"
    r"|(?<!/)\b(?:skipTests|skipITs|maven\.test\.skip)\b(?!\W{1,3}false)|\bgradlew?\b.{0,200}\s-x\s+\w*[tT]est|\s-[km]\s*[=\s]?\s*\\?[\"']not\s|-skip[= ]\S{0,10}Test|\btest\b.{0,200}\s--skip\s"
    r"|--exclude(?:-pattern)?[= ]\S{0,200}(?:test|spec)|--passWithNoTests|\"test\"\s*:\s*\"(?:echo\b|true\b|exit 0)|^\s*test\s*=\s*false\b|\btests?\b.{0,40}\benabled\s*=\s*false"
)
"""Forms by which a setting or a command leaves tests out."""


@probe("tests.removed_or_skipped", reads=("*.py", "**/*.py", *_RUNNERS))
def removed_or_skipped(change: Change, modules: PythonModules, documents: Documents) -> Iterator[Fact]:
    """Does the change remove or switch off tests?

    Tests that are gone and not found elsewhere, marked to be skipped, left out by settings or commands, or left
    with less than half of their checks.

    Keep the test and mend the code; where a test is obsolete, replace it by one for what holds now.
    """
    if all(role(file.path) in _NO_TESTS and file.path.rpartition("/")[2] not in _MANIFESTS for file in change.files):
        yield not_applicable("The change touches neither code nor settings, and so no test.")
        return
    dark = sorted(path for path in modules.unreadable if is_test(path) and not is_expected_output(path))
    after = list(_tests(modules, Side.HEAD))
    head_names = {each.name for _, each in after}
    before = [(path, each) for path, each in _tests(modules, Side.BASE) if path not in dark]
    gone = [(path, each) for path, each in before if each.name not in head_names]
    sources = {
        side: {path: text.split("\n") for path, text in texts.items() if is_test(path)}
        for side, texts in ((Side.HEAD, documents.head), (Side.BASE, documents.base))
    }
    dropped = _dropped(modules)
    along = [(path, each) for path, each in gone if dropped & _words(sources[Side.BASE].get(path, []), each)]
    fresh = _fresh_tests(modules, sources[Side.HEAD])
    told = set(along)
    joined, fresh = _joined([each for each in gone if each not in told], fresh, change, modules, sources)
    told.update(joined)
    renamed, missed = _parted([each for each in gone if each not in told], fresh)
    skipped, conditional = switched_off(change, modules, after, before, sources)
    off = {each.qualname for _, each in (*skipped, *conditional)}
    weakened = [place for place in _weakened(change, modules, sources) if place[1].qualname not in off]
    others = lost_tests(change, modules)
    deleted = [
        file.path
        for file in change.files
        if file.status is Status.DELETED
        and is_test(file.path)
        and is_code(file.path)
        and not file.path.endswith(".py")
        and not read_whole(file.path, modules.others_base.get(file.path))
    ]
    known = len(before) + others.before
    lost = (
        _Lost("removed and not found elsewhere in the change", [*_python(missed, Side.BASE), *at_base(others.gone)], 0.8, _UNDER_ANOTHER_NAME),
        _Lost("removed along with code named there", _python(along, Side.BASE), 0.4, "what they were for seems to be gone as well"),
        _Lost("gone while as many others came in the same file", [*_python(renamed, Side.BASE), *at_base(others.renamed)], 0.5, "they may be the same ones, renamed and rewritten"),
        _Lost("newly skipped or expected to fail", [*_python(skipped), *at_head(others.skipped)], 0.9, "a condition on the mark was not followed"),
        _Lost("newly run under a condition only", [*_python(conditional), *at_head(others.conditional)], 0.6, "the condition may hold wherever the tests are run"),
        _Lost("newly marked to run alone, which keeps the others of its file from running", at_head(others.alone), 0.9, "the runner may be told to refuse such marks"),
        _Lost("left with less than half of the checks from before", [*_python(weakened), *at_head(others.weakened)], 0.6, "checks may be put together, or made by a helper"),
    )  # fmt: skip
    for each in lost:
        if each.at:
            yield found(
                f"{_tests_are(len(each.at))} {each.how}{_names(each.at)}.",
                at=each.at,
                confidence=each.confidence,
                because=each.because,
                measure=min(1.0, round(len(each.at) / max(1, known), 4)),
                introduced=True,
            )
    if deleted:
        yield found(
            "Test files are deleted.",
            at=[lines(path, side=Side.BASE) for path in deleted],
            confidence=0.7,
            because="what they held was not read test by test",
            introduced=True,
        )
    settings = list(_left_out(change, documents))
    if settings:
        yield found(
            "A setting or a command leaves tests out that were run before.",
            at=settings,
            confidence=0.75,
            because="whether the tests that it names were run before was not followed",
            introduced=True,
        )
    if dark:
        yield unavailable(
            f"{several(len(dark), 'changed test file')} could not be read.", at=[lines(path) for path in dark]
        )
    if not (any(each.at for each in lost) or deleted or settings or dark):
        yield not_found(
            "The change removes, skips and weakens no test.",
            confidence=0.85,
            because="skips under a condition were not followed",
        )


_MANIFESTS = frozenset({"package.json", "pom.xml"})
"""Data by their form that say how tests are run."""
_NO_TESTS = frozenset({Role.DOCUMENTATION, Role.DATA, Role.LOCK, Role.VENDORED, Role.GENERATED})


def _left_out(change: Change, documents: Documents) -> Iterator[CodeLocation]:
    """New lines in settings of tests, and in what runs them, by which some are left out."""
    for file in change.files:
        text = documents.head.get(file.path) if file.head is not None else None
        if text is None or (file.path.endswith(".py") and not file.path.endswith("conftest.py")):
            continue
        rows = text.split("\n")
        known = documents.base.get(file.base.path, "") if file.base is not None else None
        asked_for = _asked_for(rows) if _GROUP.search(text) else frozenset[str]()
        for number in sorted(file.added_lines):
            row = rows[number - 1][:_WIDEST] if number <= len(rows) else ""
            told = _LEFT_OUT.search(row)
            if (
                told is not None
                and known is not None
                and not row.lstrip().startswith(("#", "//"))
                and told[0] not in known
                and not _is_run_apart(row, asked_for)
            ):
                yield lines(file.path, number, number, quote=row.strip())


_WIDEST = 1_000
_GROUP = late(r"\s-[km]\s{0,5}=?\s{0,5}\\?[\"']not\s{1,5}(?P<group>\w{1,80})\\?[\"']")
_ASKED_FOR = late(r"\s-[km][=\s]\s{0,5}\\?[\"']?(\w{1,80})\b")


def _asked_for(rows: Iterable[str]) -> frozenset[str]:
    """The groups of tests that the commands of a file ask for; a comment runs none."""
    told = (row.partition(" #")[0] for row in rows if not row.lstrip().startswith(("#", "//")))
    return frozenset(group for row in told for group in _ASKED_FOR.findall(row))


def _is_run_apart(row: str, asked_for: Container[str]) -> bool:
    """Is all that a command leaves out a group of tests that another one of the same file asks for?"""
    left = _GROUP.findall(row)
    return bool(left) and all(group in asked_for for group in left) and _LEFT_OUT.search(_GROUP.sub(" ", row)) is None


def _fresh_tests(modules: PythonModules, sources: Mapping[str, list[str]]) -> Counter[str]:
    """How many tests of names that were nowhere before each file has; one that checks nothing takes no other's place."""
    known = {each.name for _, each in _tests(modules, Side.BASE)}
    return Counter(
        path
        for path, each in _tests(modules, Side.HEAD)
        if each.name not in known and (path not in sources or checks(sources[path], each))
    )


def _joined(
    gone: Sequence[tuple[str, Function]],
    fresh: Counter[str],
    change: Change,
    modules: PythonModules,
    sources: Mapping[Side, Mapping[str, list[str]]],
) -> tuple[list[tuple[str, Function]], Counter[str]]:
    """Tests that go on in others of the change, and how many new ones are left in each file that take nothing over."""
    files = {side: {path: TestFile(path, rows) for path, rows in texts.items()} for side, texts in sources.items()}
    then, now = files[Side.BASE], files[Side.HEAD]
    lost = {Test(then[path], each): (path, each) for path, each in gone if path in then}
    before = [(path, each) for path, each in _tests(modules, Side.BASE) if path in then] if lost else []
    after = [
        Test(now[path], each)
        for path, each in _tests(modules, Side.HEAD)
        if lost and path in change.by_path and path in now
    ]
    taken, taking = taken_over(list(lost), after, [Test(then[path], each) for path, each in before])
    known = {each.name for _, each in before}
    new = Counter(each.file.path for each in taking if each.function.name not in known)
    return [lost[each] for each in lost if each in taken], fresh - new


def _parted(
    gone: Sequence[tuple[str, Function]], fresh: Counter[str]
) -> tuple[list[tuple[str, Function]], list[tuple[str, Function]]]:
    """Those in whose place another came in the same file, and the others."""
    left = fresh.copy()
    parts: tuple[list[tuple[str, Function]], list[tuple[str, Function]]] = [], []
    for path, each in gone:
        parts[left[path] <= 0].append((path, each))
        left[path] -= 1
    return parts


def _dropped(modules: PythonModules) -> set[str]:
    """The names of product code that the change takes away and defines nowhere else.

    Those in whose place as many others came are left out: code that goes on under another name takes no test along.
    """
    before, after = (
        {(path, name) for path, shape in side.items() if not is_test(path) for name in given_names(shape)}
        for side in (modules.base, modules.head)
    )
    known, kept = {name for _, name in before}, {name for _, name in after}
    place = modules.base.keys() & modules.head.keys()
    came = Counter(path if path in place else "" for path, name in after if name not in known)
    gone = [(path if path in place else "", name) for path, name in before if name not in kept]
    went = Counter(path for path, _ in gone)
    return {name for path, name in gone if len(name) >= _TELLING and went[path] > came[path]}


def _words(source: list[str], test: Function) -> set[str]:
    return set(_WORD.findall("\n".join(source[test.line - 1 : test.end])))


_TELLING = 4
"""Letters of a name from which a test that holds it speaks of it."""
_WORD = re.compile(r"\w+")
_UNDER_ANOTHER_NAME = "a test may go on under another name, or with the code it was for"


@dataclass(frozen=True)
class _Lost:
    """One way in which tests are lost, and where."""

    how: str
    at: Sequence[CodeLocation]
    confidence: float
    because: str


def _python(tests: list[tuple[str, Function]], side: Side = Side.HEAD) -> list[CodeLocation]:
    return [lines(path, each.line, each.line, quote=f"def {each.name}", side=side) for path, each in tests]


def _names(at: Sequence[CodeLocation]) -> str:
    """The names of tests that are functions; a title is free text of the author's and stays in the quote."""
    names = [each.quote.removeprefix("def ") for each in at]
    told = [name for name in names if name.isidentifier()]
    return f": {some(told)}" if told else ""


def _weakened(
    change: Change, modules: PythonModules, sources: Mapping[Side, Mapping[str, list[str]]]
) -> Iterator[tuple[str, Function]]:
    """Tests that stay under their name and check less than half of what they did, two checks or more having gone.

    What a helper of the change's test files checks for a test is checked.
    """
    helpers: frozenset[str] | None = None
    for file in change.files:
        if file.base is None or file.head is None or file.head.path not in modules.head:
            continue
        old_shape = modules.base.get(file.base.path)
        old_text, new_text = sources[Side.BASE].get(file.base.path), sources[Side.HEAD].get(file.head.path)
        if old_shape is None or old_text is None or new_text is None:
            continue
        before = {each.qualname: each for each in old_shape.functions}
        for each in modules.head[file.head.path].functions:
            old = before.get(each.qualname) if each.name.startswith("test") and not each.nested else None
            if old is None or lines_of(old_text, old) == lines_of(new_text, each):
                continue
            had = checks(old_text, old)
            has = checks(new_text, each) if had > 1 else had
            if not _lost_most(had, has):
                continue
            helpers = _checking_helpers(modules, sources[Side.HEAD]) if helpers is None else helpers
            had += _called(helpers, lines_of(old_text, old))
            has += _called(helpers, lines_of(new_text, each))
            if _lost_most(had, has) and not (has and _made_a_table(old, each, old_text, new_text)):
                yield file.head.path, each


def _lost_most(had: int, has: int) -> bool:
    return had - has > 1 and has * 2 < had


def _checking_helpers(modules: PythonModules, sources: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The functions of the change's test files that check something and are no tests themselves."""
    return frozenset(
        each.name
        for path, shape in modules.head.items()
        if path in sources and is_test(path)
        for each in shape.functions
        if not each.name.startswith(("test", "__")) and not each.nested and checks(sources[path], each)
    )


def _called(helpers: frozenset[str], body: Sequence[str]) -> int:
    """On how many lines one of the helpers is called; one whose name says that it checks is counted already."""
    return sum(
        1 for line in body if any(name in helpers and not says_it_checks(name) for name in _CALLED.findall(line))
    )


_CALLED = re.compile(r"\b(\w+)\(")
_OF_TABLES = re.compile(r"\b(?:for\s[^\n]{1,200}\sin\b|subTest\(|subtests\.test\()")
_PARAMETERS = frozenset(
    {"parametrize", "parameterized", "expand", "given", "parameterize", "cases", "data", "ddt", "example"}
)


def _made_a_table(old: Function, new: Function, before: Sequence[str], after: Sequence[str]) -> bool:
    """Was a test written anew with parameters, or with a loop, so that each of its checks is made for many values?"""
    given = [
        sum(name.rpartition(".")[2] in _PARAMETERS for name in each.decorators)
        + len(_OF_TABLES.findall("\n".join(lines_of(text, each))))
        for each, text in ((old, before), (new, after))
    ]
    return given[1] > given[0]


def _tests_are(count: int) -> str:
    return "1 test is" if count == 1 else f"{count} tests are"


def _tests(modules: PythonModules, side: Side) -> Iterator[tuple[str, Function]]:
    outlines = modules.head if side is Side.HEAD else modules.base
    for path, shape in sorted(outlines.items()):
        if is_test(path):
            for each in shape.functions:
                if each.name.startswith("test") and not each.nested:
                    yield path, each
