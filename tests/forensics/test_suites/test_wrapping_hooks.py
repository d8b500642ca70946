"""Hooks around tests that never run them, each beside one that does."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from auditor.forensics.test_suites.wrapping_hooks import find_wrapping_hooks, wrapping_hooks


class Case(NamedTuple):
    """A row, a file, and a hook that runs no test beside one that does."""

    hook: str
    path: str
    hostile: str
    honest: str


CASES = [
    Case("JUnit interceptor", "src/test/java/Timed.java", "class Timed implements InvocationInterceptor {\n  @Override\n  public void interceptTestMethod(Invocation<Void> call, ReflectiveInvocationContext<Method> c) {\n    log(c);\n  }\n}\n", "class Timed implements InvocationInterceptor {\n  @Override\n  public void interceptTestMethod(Invocation<Void> call, ReflectiveInvocationContext<Method> c) throws Throwable {\n    log(c);\n    call.proceed();\n  }\n}\n"),
    Case("NUnit command", "Shop.Tests/Timed.cs", "class Timed : DelegatingTestCommand {\n    public override TestResult Execute(TestExecutionContext context)\n    {\n        return context.CurrentResult;\n    }\n}\n", "class Timed : DelegatingTestCommand {\n    public override TestResult Execute(TestExecutionContext context)\n    {\n        return innerCommand.Execute(context);\n    }\n}\n"),
    Case("PHPUnit test case", "tests/ShopTestCase.php", "<?php\nclass ShopTestCase extends TestCase {\n    protected function runTest(): mixed\n    {\n        return null;\n    }\n}\n", "<?php\nclass ShopTestCase extends TestCase {\n    protected function runTest(): mixed\n    {\n        return parent::runTest();\n    }\n}\n"),
    Case("RSpec around", "spec/spec_helper.rb", "RSpec.configure do |config|\n  config.around(:each) do |example|\n    timed { example.description }\n  end\nend\n", "RSpec.configure do |config|\n  config.around(:each) do |example|\n    timed { example.run }\n  end\n  config.around { |each| timed(&each) }\nend\n"),
    Case("unittest run", "tests/base.py", "class Base(TestCase):\n    def run(self, result=None):\n        return result\n\n    def other(self):\n        pass\n", "class Base(TestCase):\n    def run(self, result=None):\n        with timed():\n            return super().run(result)\n\n    def other(self):\n        pass\n"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[each.hook for each in CASES])
def test_a_hook_that_runs_no_test_is_reported(case: Case) -> None:
    (found,) = find_wrapping_hooks(case.path, case.hostile)
    assert found.says.startswith("`")
    assert found.kind == f"{case.hook}: run"


@pytest.mark.parametrize("case", CASES, ids=[each.hook for each in CASES])
def test_a_hook_that_runs_its_test_is_not(case: Case) -> None:
    assert list(find_wrapping_hooks(case.path, case.honest)) == []


def test_every_row_has_a_case() -> None:
    assert sorted(each.hook for each in CASES) == sorted(row.hook for row in wrapping_hooks())


@pytest.mark.parametrize("piece", ["around do |a|\n", " void interceptTestMethod(" * 20, "function runTest("])
def test_many_hooks_take_no_time(piece: str) -> None:
    assert len(list(find_wrapping_hooks("spec/a_spec.rb", piece * 20_000))) <= 100
