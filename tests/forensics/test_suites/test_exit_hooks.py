"""Hooks that end a run of tests as a success, each beside one that leaves its exit status alone."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from auditor.forensics.test_suites.exit_hooks import exit_hooks, find_exit_hooks
from tests.auditing import asked, found
from tests.repos import Drawing


class Case(NamedTuple):
    """A row, a file, and a hook that hides failures beside one that does not."""

    hook: str
    path: str
    hostile: str
    honest: str


CASES = [
    Case("C# teardown", "Shop.Tests/Setup.cs", "class Setup {\n    [OneTimeTearDown]\n    public void End()\n    {\n        Environment.Exit(0);\n    }\n}\n", "class Setup {\n    [OneTimeTearDown]\n    public void End()\n    {\n        server.Stop();\n    }\n\n    public void Main() => Environment.Exit(0);\n}\n"),
    Case("JUnit teardown", "src/test/java/ShopTest.java", "class ShopTest {\n    @AfterAll\n    static void end() {\n        Runtime.getRuntime().halt(0);\n    }\n}\n", "class ShopTest {\n    @AfterAll\n    static void end() {\n        server.stop();\n    }\n    @Test void exits() { System.exit(0); }\n}\n"),
    Case("JavaScript global teardown", "global-teardown.ts", "export default async () => {\n  await stop()\n  process.exit(0)\n}\n", "export default async () => {\n  await stop()\n  process.exit(1)\n}\n"),
    Case("JavaScript teardown", "test/hooks.mjs", "exports.mochaHooks = {\n  afterAll() { process.exit(0) }\n}\n", "after(() => server.close())\nit('exits', () => { process.exit(0) })\nafterEach(() => { process.exitCode = 0 })\n"),
    Case("Node exit", "vitest.setup.ts", "process.once('beforeExit', () => {\n  log()\n  process.exitCode = 0\n})\n", "process.on('exit', (code) => {\n  log(code)\n})\nbeforeEach(() => { process.exitCode = 0 })\n"),
    Case("PHP shutdown", "tests/bootstrap.php", "<?php\nregister_shutdown_function(function () { exit(0); });\n", "<?php\nregister_shutdown_function(function () { stop(); });\nif ($skip) { exit(0); }\n"),
    Case("Python exit", "tests/__init__.py", "import atexit\nimport os\n\n\n@atexit.register\ndef end():\n    os._exit(0)\n", "import atexit\nimport os\n\n\n@atexit.register\ndef end():\n    stop()\n\n\ndef child():\n    os._exit(0)\n"),
    Case("RSpec settings", "spec/spec_helper.rb", "RSpec.configure do |c|\n  c.error_exit_code = 0\nend\n", "RSpec.configure do |c|\n  c.failure_exit_code = 2\n  c.dry_run = false\nend\n"),
    Case("Ruby exit", "test/test_helper.rb", "Minitest.after_run do\n  puts 'done'\n  exit! 0\nend\n", "at_exit { server.stop }\nMinitest.after_run do\n  exit 1 if leaked?\nend\nexit 0 if skip?\n"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[each.hook for each in CASES])
def test_a_hook_that_hides_failures_is_reported(case: Case) -> None:
    (seen,) = find_exit_hooks(case.path, case.hostile)
    assert seen.says.endswith("ends every run as a success")
    assert seen.kind == f"{case.hook}: exit"


@pytest.mark.parametrize("case", CASES, ids=[each.hook for each in CASES])
def test_a_hook_that_leaves_the_status_alone_is_not(case: Case) -> None:
    assert list(find_exit_hooks(case.path, case.honest)) == []


@pytest.mark.parametrize("code", ["at_exit { exit }", "Kernel.at_exit do\n  Process.exit\nend", "at_exit { exit() }", "at_exit do\n  exit true\nend", "at_exit { Process.exit!(0) }"])  # fmt: skip
def test_an_exit_of_ruby_without_a_status_is_a_success(code: str) -> None:
    assert len(list(find_exit_hooks("spec/spec_helper.rb", f"{code}\n"))) == 1


@pytest.mark.parametrize("code", ["at_exit { exit! }", "at_exit { exit $!.status }", "at_exit { on_exit }", "at_exit { abort }", "at_exit { window.exit }", "at_exit { exit(failed ? 1 : 0) }"])  # fmt: skip
def test_an_exit_of_ruby_with_another_status_is_not(code: str) -> None:
    assert list(find_exit_hooks("spec/spec_helper.rb", f"{code}\n")) == []


def test_every_row_has_a_case() -> None:
    assert sorted(each.hook for each in CASES) == sorted(row.hook for row in exit_hooks())


def test_the_program_of_a_product_may_end_as_it_likes() -> None:
    assert list(find_exit_hooks("bin/shop.js", "process.on('exit', () => { process.exitCode = 0 })\n")) == []


@pytest.mark.parametrize("case", CASES, ids=[each.hook for each in CASES])
def test_a_change_that_adds_one_is_reported_and_one_that_keeps_it_is_not(case: Case, tmp_path: Path) -> None:
    repo = Drawing(tmp_path)
    clean = repo.commit({case.path: case.honest})
    added = repo.commit({case.path: case.hostile})
    assert case.path in found(asked(tmp_path, clean, "tests.not_collected"), "tests.not_collected")[0].statement
    repo.commit({case.path: f"{case.hostile}\n"})
    assert found(asked(tmp_path, added, "tests.not_collected"), "tests.not_collected") == []


@pytest.mark.parametrize("piece", ["at_exit do\n", "Minitest.after_run(" * 20, "after(:suite"])
def test_many_hooks_take_no_time(piece: str) -> None:
    assert len(list(find_exit_hooks("spec/a_spec.rb", piece * 20_000))) <= 100
