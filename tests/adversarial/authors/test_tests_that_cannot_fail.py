"""Authors who keep every test and see to it that none can fail, each beside an honest change of the same place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.auditing import asked, found
from tests.repos import Drawing
from tests.seeing import sites

PROBE = "tests.removed_or_skipped"
SILENCED = "tests.without_assertions"


class Case(NamedTuple):
    """A test file before the change, and with what a hostile and an honest change make of it."""

    path: str
    before: str
    hostile: str
    honest: str


PHP = "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass ATest extends TestCase {\n%s    public function testA(): void { $this->assertSame(2, add(1)); }\n}\n"
JAVA = "class ATest {\n%s    @Test void a() { assertEquals(2, add(1)); }\n}\n"
CSHARP = "public class ATests {\n%s    [Test] public void A() { Assert.AreEqual(2, Add(1)); }\n}\n"
UNITTEST = "import unittest\n\n\nclass TestA(unittest.TestCase):\n%s    def test_a(self) -> None:\n        self.assertEqual(add(1, 2), 3)\n"
MANY = 'import pytest\n\n\n@pytest.mark.parametrize("n", %s)\ndef test_a(n):\n    assert add(n, 2) == 3\n'
CASES = {
    "setUp of PHPUnit": Case(
        "tests/ATest.php",
        PHP % "",
        PHP % "    protected function setUp(): void { $this->markTestSkipped(); }\n",
        PHP % "    protected function setUp(): void { if (!extension_loaded('gd')) { $this->markTestSkipped(); } }\n",
    ),
    "preparation of JUnit": Case(
        "src/test/java/ATest.java",
        JAVA % "",
        JAVA % "    @BeforeEach void off() { Assumptions.assumeTrue(false); }\n",
        JAVA % "    @BeforeEach void fresh() { Assumptions.assumeTrue(isUnix()); }\n",
    ),
    "preparation of NUnit": Case(
        "tests/ATests.cs",
        CSHARP % "",
        CSHARP % "    [SetUp] public void Off() { Assert.Ignore(); }\n",
        CSHARP % "    [SetUp] public void Fresh() { Reset(); }\n",
    ),
    "setUp of unittest": Case(
        "tests/test_a.py",
        UNITTEST % "",
        UNITTEST % "    def setUp(self) -> None:\n        self.skipTest('later')\n\n",
        UNITTEST % "    def setUp(self) -> None:\n        if not NET:\n            self.skipTest('no net')\n\n",
    ),
    "no parameters": Case("tests/test_a.py", MANY % "[1]", MANY % "[]", MANY % "[[]]"),
}


def skipped(path: Path, case: Case, after: str) -> list[str]:
    """What is said of the change."""
    repo = Drawing(path)
    base = repo.commit({case.path: case.before})
    repo.commit({case.path: after})
    return [each.statement for each in found(asked(path, base, PROBE), PROBE)]


@pytest.mark.parametrize("name", CASES)
def test_what_skips_every_test_before_it_runs_is_seen(name: str, tmp_path: Path) -> None:
    (statement,) = skipped(tmp_path, CASES[name], CASES[name].hostile)
    assert statement.startswith("Test is now skipped")


@pytest.mark.parametrize("name", CASES)
def test_what_prepares_tests_is_silent(name: str, tmp_path: Path) -> None:
    assert skipped(tmp_path, CASES[name], CASES[name].honest) == []


@pytest.mark.parametrize("caught", ["AssertionError", "Exception"])
def test_assertions_whose_failures_are_suppressed_check_nothing(caught: str) -> None:
    source = (
        f"import contextlib\n\n\ndef test_a():\n    with contextlib.suppress({caught}):\n        assert add(1) == 2\n"
    )
    (site,) = sites(SILENCED, source)
    assert "are caught and ignored" in site.statement


def test_an_assertion_beside_suppressed_ones_still_checks() -> None:
    start = "from contextlib import suppress\n\n\ndef test_a():\n"
    assert (
        sites(SILENCED, f"{start}    with suppress(AssertionError):\n        assert ready()\n    assert add(1) == 2\n")
        == []
    )
    assert sites(SILENCED, f"{start}    with suppress(OSError):\n        assert add(1) == 2\n") == []
