"""Tests that a change takes away, switches off or weakens, in languages other than Python."""

from __future__ import annotations

import pytest

from auditor.domain import Outcome
from auditor.forensics.languages.file_rule_evaluation import scan_file
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.probe_kit.probe_inputs import Documents, PythonModules
from auditor.forensics.source_text.file_outline import DeclaredTest, Outline, RunCondition
from auditor.forensics.source_text.file_roles import language
from tests.auditing import asked, found, places
from tests.forensics.probes.asking import added, ask, change, deleted, modified
from tests.repos import Drawing

LOST = "tests.removed_or_skipped"
GONE = "removed"
OFF = "now skipped or expected to fail"
PERHAPS = "only under a condition"
ALONE = "marked with `.only`"
LESS = "lost more than half of"
OTHER = "in the same file"
WAYS = (GONE, OFF, PERHAPS, ALONE, LESS, OTHER)


def outline(path: str, source: str) -> Outline:
    known = covered_languages()[language(path)]
    shape = scan_file(source.encode(), known, known.probes).outline
    assert shape is not None
    return shape


def cases(path: str, source: str) -> list[DeclaredTest]:
    return list(outline(path, source).tests)


def compared(path: str, base: str, head: str) -> list[str]:
    """In which ways tests of a file are said to be lost."""
    seen = PythonModules({}, {}, {}, {path: outline(path, head)}, {path: outline(path, base)})
    facts = ask(LOST, change(modified(path)), seen, Documents({}))
    return [way for each in facts if each.outcome is Outcome.FOUND for way in WAYS if way in each.statement]


JS = "describe('sum', () => {\n  %s('adds', () => {\n    expect(sum(1, 2)).toBe(3);\n  });\n  it('knows zero', () => { expect(sum()).toBe(0); });\n});\n"
GO = 'package a\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {\n%s\tif one() != 1 {\n\t\tt.Fatal("no")\n\t}\n}\n'
JAVA = (
    "class ATest {\n  %s\n  void one() { assertEquals(1, a()); }\n  @Test\n  void two() { assertEquals(2, b()); }\n}\n"
)
RUST = "#[cfg(test)]\nmod tests {\n    #[test]\n%s    fn one() {\n        assert_eq!(a(), 1);\n    }\n}\n"
RSPEC = (
    "RSpec.describe A do\n  %s do\n    expect(a).to eq 1\n  end\n  it 'has two' do\n    expect(b).to eq 2\n  end\nend\n"
)
MINI = "class ATest < Minitest::Test\n  def test_one\n%s    assert_equal 1, a\n  end\nend\n"
BATS = '@test "adds" {\n%s  run sum 1 2\n  [ "$output" -eq 3 ]\n}\n'
MANY = "it('one', () => {\n  expect(a()).toBe(1);\n  expect(b()).toBe(2);\n  expect(c()).toBe(3);\n});\n"

SAID = [
    ("a.test.ts", JS % "it", JS % "it.skip", [OFF]),
    ("a.test.ts", JS % "it", JS % "xit", [OFF]),
    ("a.test.ts", JS % "it", JS % "it.skipIf(process.env.CI)", [PERHAPS]),
    ("a.test.ts", JS % "it", JS % "it.only", [ALONE]),
    ("a.test.ts", JS % "it", (JS % "it").replace("describe(", "describe.skip("), [OFF]),
    ("a.test.ts", JS % "it", (JS % "it").replace("describe(", "xdescribe("), [OFF]),
    ("a.test.ts", JS % "it", (JS % "it").replace("  it('adds', () => {\n    expect(sum(1, 2)).toBe(3);\n  });\n", "  it.todo('adds');\n"), [OFF]),
    ("a.test.ts", JS % "it", "describe('sum', () => {\n  it('knows zero', () => { expect(sum()).toBe(0); });\n});\n", [GONE]),
    ("a.test.ts", JS % "it", (JS % "it").replace("  it('adds'", "  // it('adds'").replace("    expect(sum(1, 2)).toBe(3);\n  });\n", ""), [GONE]),
    ("a.test.ts", JS % "it", (JS % "it").replace("'adds', () => {\n    expect(sum(1, 2)).toBe(3)", "'multiplies', () => {\n    expect(times(1, 2)).toBe(2)"), [OTHER]),
    ("a.test.mjs", "test('one', () => { assert(a()); });\n", "test('one', { skip: true }, () => { assert(a()); });\n", [OFF]),
    ("a.test.mjs", "test('one', (t) => { assert(a()); });\n", "test('one', (t) => { t.skip('later'); assert(a()); });\n", [OFF]),
    ("a.test.js", MANY, MANY.replace("  expect(b()).toBe(2);\n  expect(c()).toBe(3);\n", ""), [LESS]),
    ("a.test.js", MANY, MANY.replace("a()).toBe(1)", "true).toBe(true)").replace("b()).toBe(2)", "1).toEqual(1)"), [LESS]),
    ("a.test.js", MANY, MANY.replace("  expect(b", "  // expect(b").replace("  expect(c", "  // expect(c"), [LESS]),
    ("a.test.js", MANY, MANY.replace("  expect(a", "  return;\n  expect(a"), [OFF]),
    ("a.test.js", "it.each([1])('is %d', (x) => { expect(x).toBe(1); });\nit('b', f);\n", "it.skip.each([1])('is %d', (x) => { expect(x).toBe(1); });\nit('b', f);\n", [OFF]),
    ("a_test.go", GO % "", GO % '\tt.Skip("flaky")\n', [OFF]),
    ("a_test.go", GO % "", (GO % "").replace("TestOne", "testOne"), [GONE]),
    ("a_test.go", GO % "", "//go:build integration\n\n" + GO % "", [PERHAPS]),
    ("a_test.go", GO % "", "//go:build ignore\n\n" + GO % "", [OFF]),
    ("ATest.java", JAVA % "@Test", JAVA % '@Disabled("later") @Test', [OFF]),
    ("ATest.java", JAVA % "@Test", JAVA % "@Test @Ignore", [OFF]),
    ("ATest.java", JAVA % "@Test", JAVA % "", [GONE]),
    ("ATest.java", JAVA % "@Test", JAVA % "@Test @DisabledOnOs(OS.LINUX)", [PERHAPS]),
    ("ATest.java", JAVA % "@Test", "@Disabled\n" + JAVA % "@Test", [OFF]),
    ("src/a.rs", RUST % "", RUST % "    #[ignore]\n", [OFF]),
    ("src/a.rs", RUST % "", (RUST % "").replace("    #[test]\n", ""), [GONE]),
    ("src/a.rs", RUST % "", (RUST % "").replace("#[cfg(test)]", '#[cfg(all(test, feature = "slow"))]'), [PERHAPS]),
    ("a_spec.rb", RSPEC % "it 'has one'", RSPEC % "xit 'has one'", [OFF]),
    ("a_spec.rb", RSPEC % "it 'has one'", RSPEC % "it 'has one', skip: 'later'", [OFF]),
    ("a_spec.rb", RSPEC % "it 'has one'", RSPEC % "fit 'has one'", [ALONE]),
    ("a_spec.rb", RSPEC % "it 'has one'", "RSpec.describe A do\n  it 'has two' do\n    expect(b).to eq 2\n  end\nend\n", [GONE]),
    ("a_test.rb", MINI % "", MINI % "    skip 'later'\n", [OFF]),
    ("a_test.rb", MINI % "", (MINI % "").replace("test_one", "check_one"), [GONE]),
    ("a.bats", BATS % "", BATS % '  skip "later"\n', [OFF]),
    ("a.bats", BATS % "" + BATS.replace("adds", "b") % "", BATS % "", [GONE]),
]  # fmt: skip

NOT_SAID = [
    ("a.test.ts", JS % "it.skip", JS % "it.skip"),
    ("a.test.ts", JS % "it.skip", JS % "it"),
    ("a.test.ts", JS % "it", (JS % "it").replace("'adds'", "'adds numbers'")),
    ("a.test.ts", JS % "it", (JS % "it").replace("describe('sum'", "describe('the sum'")),
    ("a.test.ts", JS % "it", JS % "test"),
    ("a.test.ts", JS % "it", JS % "it" + "// it.skip('x')\nconst s = \"it.skip('adds', () => {})\";\n"),
    ("a.test.ts", JS % "it", (JS % "it").replace("'knows zero'", "'knows .skip and { skip: true }'")),
    ("a.test.ts", JS % "it", (JS % "it").replace("expect(sum(1", "if (slow) this.skip();\n    expect(sum(1")),
    ("a.test.mjs", "test('one', (t) => { assert(a()); });\n", "test('one', { skip: false }, (t) => { assert(a()); });\n"),
    ("a.test.js", MANY, MANY.replace("  expect(c()).toBe(3);\n", "")),
    ("play.spec.ts", "test('one', async ({ page }) => { expect(await page.title()).toBe('x'); });\n", "test('one', async ({ page, browserName }) => { test.skip(browserName === 'firefox', 'no'); expect(await page.title()).toBe('x'); });\n"),
    ("a_test.go", GO % "", GO % "\tif testing.Short() {\n\t\tt.Skip()\n\t}\n"),
    ("a_test.go", "//go:build linux\n\n" + GO % "", "//go:build linux\n\n" + GO % ""),
    ("a.test.ts", JS % "it", JS % "it" + "it.skipIf(slow)('is new', () => { expect(a()).toBe(1); });\n"),
    ("test/fixtures/a.bats", BATS % "", BATS % '  skip "later"\n'),
    ("a_test.go", GO % "", "// Copyright\n\n" + GO % "\t// t.Skip()\n"),
    ("ATest.java", JAVA % "@Test", JAVA % '@DisplayName("@Disabled") @Test'),
    ("ATest.java", JAVA % "@Test", JAVA % "@ParameterizedTest"),
    ("src/a.rs", RUST % "", (RUST % "").replace("assert_eq!(a(), 1)", "assert_eq!(a(), 2)")),
    ("src/a.rs", RUST % "", RUST % "    // #[ignore]\n"),
    ("a_spec.rb", RSPEC % "it 'has one'", RSPEC % "it 'has one', :slow"),
    ("a_test.rb", MINI % "", MINI % "    skip 'no net' if offline?\n"),
    ("a.bats", BATS % "", BATS % "  # skip\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "base", "head", "expected"), SAID)
def test_a_lost_test_is_told_with_how_it_was_lost(path: str, base: str, head: str, expected: list[str]) -> None:
    assert compared(path, base, head) == expected


@pytest.mark.parametrize(("path", "base", "head"), NOT_SAID)
def test_what_only_looks_like_a_loss_is_not_told(path: str, base: str, head: str) -> None:
    assert compared(path, base, head) == []


@pytest.mark.parametrize("condition", ["@DisabledOnOs(OS.WINDOWS)\n", "@Disabled\n"])
def test_tests_renamed_under_an_old_condition_are_not_newly_switched_off(condition: str) -> None:
    base = condition + JAVA % "@Test"
    renamed = base.replace("void one", "void first").replace("void two", "void second")
    assert cases("ATest.java", base)[0].runs is not RunCondition.ALWAYS
    assert compared("ATest.java", base, renamed) == []


def test_a_new_test_may_come_with_a_condition_but_not_switched_off() -> None:
    new = "  @Test\n  %s\n  void three() { assertEquals(3, c()); }\n}\n"
    base = JAVA % "@Test"
    assert compared("ATest.java", base, base[:-2] + new % "@DisabledOnOs(OS.WINDOWS)") == []
    assert compared("ATest.java", base, base[:-2] + new % "@Disabled") == [OFF]


def test_a_test_that_moved_to_another_file_is_not_lost() -> None:
    shape = outline("a.test.ts", JS % "it")
    seen = PythonModules({}, {}, {}, {"b.test.ts": shape}, {"a.test.ts": shape})
    facts = ask(LOST, change(deleted("a.test.ts"), added("b.test.ts")), seen, Documents({}))
    assert [each.outcome for each in facts] == [Outcome.NOT_FOUND]


def test_a_deleted_file_loses_each_of_its_tests_and_one_without_tests_loses_none() -> None:
    seen = PythonModules({}, {}, {}, {}, {"a.test.ts": outline("a.test.ts", JS % "it"), "test/help.ts": Outline(True)})
    [fact] = ask(LOST, change(deleted("a.test.ts"), deleted("test/help.ts")), seen, Documents({}))
    assert fact.statement == f"2 tests {GONE}: `adds` and 1 more."


def test_a_deleted_script_may_have_been_a_test_as_a_whole() -> None:
    seen = PythonModules({}, {}, {}, {}, {"test/checks.sh": outline("test/checks.sh", "nvm ls || exit 1\n")})
    [fact] = ask(LOST, change(deleted("test/checks.sh")), seen, Documents({}))
    assert fact.statement == "Test file is deleted: `test/checks.sh`."


def test_what_a_file_held_before_must_be_known_to_say_that_it_lost_something() -> None:
    path = "a.test.ts"
    seen = PythonModules({}, {}, {}, {path: outline(path, JS % "it.skip")}, {})
    facts = ask(LOST, change(modified(path)), seen, Documents({}))
    assert [each.outcome for each in facts] == [Outcome.NOT_FOUND]


def test_bodies_of_bats_tests_are_code_like_any_other() -> None:
    known = covered_languages()["shell"]
    source = '@test "adds" { # bats\n  eval "$text"\n}\n' * 30
    assert len(scan_file(source.encode(), known, known.probes).sites["code.dynamic_code"]) == 30


def test_a_test_file_that_can_no_longer_be_read_is_unknown_not_removed() -> None:
    path = "a.test.ts"
    seen = PythonModules({}, {}, {path: "nested too deeply"}, {}, {path: outline(path, JS % "it")})
    facts = ask(LOST, change(modified(path)), seen, Documents({}))
    assert [each.outcome for each in facts] == [Outcome.UNAVAILABLE]


def test_each_test_is_seen_with_its_title_line_and_checks() -> None:
    source = "suite('a', () => {\n  test.concurrent('b', async () => {\n    expect(1 + x).toBe(2);\n    expect(y).toBe(2);\n  });\n});\nit('c', run);\nvalue.test('d', () => {});\n"
    assert [(each.name, each.line, each.runs, each.checks) for each in cases("a.test.ts", source)] == [
        ("b", 2, RunCondition.ALWAYS, 2),
        ("c", 7, RunCondition.ALWAYS, 0),
    ]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.test.ts", "it('one', () => { expect(true).toBe(true); });\n"),
        ("a_test.go", GO.replace("\tif one() != 1 {\n\t\tt.Fatal(\"no\")\n\t}\n", "") % "\tassert.True(t, true)\n"),
        ("ATest.java", JAVA.replace("assertEquals(1, a())", "assertTrue(true)") % "@Test"),
        ("src/a.rs", (RUST % "").replace("assert_eq!(a(), 1)", "assert!(true)")),
        ("a_test.rb", (MINI % "").replace("assert_equal 1, a", "assert true")),
    ],
)  # fmt: skip
def test_a_test_of_what_is_always_true_checks_nothing(path: str, source: str) -> None:
    known = covered_languages()[language(path)]
    looked = scan_file(source.encode(), known, known.probes)
    assert [site.statement for site in looked.sites["tests.without_assertions"]] == [
        "Every assertion in {test} is always true"
    ]


def test_a_real_change_is_told_at_the_lines_where_tests_stood(drawing: Drawing) -> None:
    drawing.commit({"sum.test.ts": JS % "it", "sum.ts": "export const sum = () => 0;\n"})
    drawing.branch("work")
    drawing.commit(
        {"sum.test.ts": "describe('sum', () => {\n  it.skip('knows zero', () => { expect(sum()).toBe(0); });\n});\n"}
    )
    report = asked(drawing.path, "main", LOST)
    told = {each.statement: places([each]) for each in found(report, LOST)}
    assert told == {f"Test {GONE}: `adds`.": [("sum.test.ts", 2)], f"Test is {OFF}.": [("sum.test.ts", 2)]}
    assert all(each.introduced for each in found(report, LOST))
