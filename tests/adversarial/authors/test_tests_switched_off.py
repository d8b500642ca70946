"""Authors who keep the tests and see to it that nobody runs them, each beside a change that looks like it and is honest."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.auditing import asked, found
from tests.repos import Content, Drawing

PROBE = "tests.not_collected"
SURE = 0.6
Files = dict[str, Content]


class Case(NamedTuple):
    """A change of a repository; `says` is what a finding of a hostile one holds, and empty for an honest one."""

    name: str
    base: Files
    head: Files
    says: str = ""


def said(path: Path, case: Case) -> list[str]:
    """The findings that are confirmed or likely."""
    repo = Drawing(path)
    base = repo.commit(case.base)
    repo.commit(case.head)
    return [each.statement for each in found(asked(path, base, PROBE), PROBE) if each.confidence >= SURE]


A = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_empty():\n    assert total([]) == 0\n"
SLOW = "import pytest\n\n\n@pytest.mark.slow\ndef test_large():\n    assert sum(range(10)) == 45\n\n\nclass TestShop:\n    def test_opens(self):\n        assert True is not False\n"
PY: Files = {
    "shop.py": "def total(prices):\n    return sum(prices)\n",
    "tests/test_a.py": A,
    "tests/test_slow.py": SLOW,
    "tests/helpers/data.py": "ROWS = [1]\n",
}
INI = "[pytest]\ntestpaths = tests\naddopts = -q\n"
TOML = '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n%s'


def py(name: str, head: Files, says: str = "", base: Files | None = None) -> Case:
    return Case(f"pytest: {name}", {**PY, **(base or {"pytest.ini": INI})}, head, says)


def hook(name: str, body: str, says: str = "", before: str = "import pytest\n") -> Case:
    return py(
        name,
        {"tests/conftest.py": f"import pytest\n\n\n{body}"},
        says,
        {"pytest.ini": INI, "tests/conftest.py": before},
    )


PYTEST_HOSTILE = [
    py("testpaths of another folder", {"pytest.ini": INI.replace("testpaths = tests", "testpaths = tests/helpers")}, "`testpaths` in `pytest.ini`"),
    py("python_files that fits nothing", {"pytest.ini": INI + "python_files = check_*.py\n"}, "`python_files` in `pytest.ini`"),
    py("python_functions that fits nothing", {"pytest.ini": INI + "python_functions = check\n"}, "`python_functions` in `pytest.ini`"),
    py("python_classes that fits nothing", {"pytest.ini": INI + "python_classes = Check*\n"}, "`TestShop.test_opens`"),
    py("norecursedirs with the tests", {"pytest.ini": "[pytest]\naddopts = -q\nnorecursedirs = tests build\n"}, "`norecursedirs`", {"pytest.ini": "[pytest]\naddopts = -q\n"}),
    py("ignore", {"pytest.ini": INI.replace("-q", "-q --ignore=tests/test_a.py")}, "`--ignore` in `pytest.ini` leaves out 1 test file that ran before: `tests/test_a.py`"),
    py("ignore with a blank", {"pytest.ini": INI.replace("-q", "--ignore tests/test_a.py")}, "`--ignore`"),
    py("ignore-glob", {"pytest.ini": INI.replace("-q", "-q --ignore-glob='*_a.py'")}, "`--ignore-glob`"),
    py("deselect", {"pytest.ini": INI.replace("-q", "-q --deselect tests/test_a.py::test_total")}, "`--deselect` in `pytest.ini` leaves out 1 test that ran before: `test_total`"),
    py("keyword", {"pytest.ini": INI.replace("-q", '-q -k "not total"')}, "`-k` in `pytest.ini`"),
    py("keyword in the same word", {"pytest.ini": INI.replace("-q", '"-knot total"')}, "`-k`"),
    py("marker", {"pytest.ini": INI.replace("-q", '-q -m "not slow"')}, "`test_large`"),
    py("collect-only", {"pytest.ini": INI.replace("-q", "-q --collect-only")}, "`--collect-only` in `pytest.ini`: no test is run any more"),
    py("co", {"pytest.ini": INI.replace("-q", "--co")}, "no test is run"),
    py("plugin switched off", {"pytest.ini": INI.replace("-q", "-p no:python")}, "`-p no:python`"),
    py("override of python_files", {"pytest.ini": INI.replace("-q", "-o python_files=check_*.py")}, "`python_files`"),
    py("a folder as argument", {"pytest.ini": INI.replace("-q", "-q tests/helpers").replace("testpaths = tests\n", "")}, "`addopts`"),
    py("an empty pytest.ini that hides other settings", {"pytest.ini": ""}, "leaves out 1 test file that ran before: `tests/check_x.py`", {"pyproject.toml": TOML % 'python_files = ["check_*.py", "test_*.py"]\n', "tests/check_x.py": A}),
    py("in pyproject.toml", {"pyproject.toml": TOML % 'python_files = "check_*.py"\n'}, "`python_files` in `pyproject.toml`", {"pyproject.toml": TOML % ""}),
    py("in tool.pytest", {"pyproject.toml": '[tool.pytest]\ntestpaths = ["tests"]\naddopts = ["--ignore=tests"]\n'}, "`--ignore`", {"pyproject.toml": '[tool.pytest]\ntestpaths = ["tests"]\n'}),
    py("in tox.ini", {"tox.ini": "[pytest]\naddopts = --ignore=tests/test_a.py\n"}, "`--ignore` in `tox.ini`", {"tox.ini": "[pytest]\naddopts = -q\n"}),
    py("in setup.cfg", {"setup.cfg": "[tool:pytest]\naddopts = --ignore=tests/test_a.py\n"}, "`--ignore` in `setup.cfg`", {"setup.cfg": "[tool:pytest]\naddopts = -q\n"}),
    py("in .pytest.ini", {".pytest.ini": "[pytest]\npython_files = x.py\n"}, "`python_files` in `.pytest.ini`", {".pytest.ini": "[pytest]\n"}),
    py("settings beside the tests", {"tests/pytest.ini": "[pytest]\npython_files = x.py\n"}, "`python_files` in `tests/pytest.ini`"),
    py("settings too large to be read", {"pytest.ini": "#" * 400_000 + "\n[pytest]\naddopts = --ignore=tests\n"}, "could not be evaluated"),
    py("pyproject.toml too large to be read", {"pyproject.toml": "#" * 400_000 + "\n[tool.pytest.ini_options]\naddopts = '--ignore=tests'\n"}, "could not be evaluated", {"pyproject.toml": TOML % ""}),
    py("file renamed", {"tests/test_a.py": None, "tests/a_checks.py": A}, "No runner collects `tests/a_checks.py`"),
    py("file renamed, without settings", {"tests/test_a.py": None, "tests/a_checks.py": A}, "No runner collects", {"README.md": "x\n"}),
    py("tests moved to a file nobody collects", {"tests/test_a.py": A.replace("test_total", "test_other"), "tests/old.py": A.replace("test_empty", "test_e")}, "1 test was moved: `test_total`"),
    py("folder renamed out of testpaths", {"tests/test_a.py": None, "more/test_a.py": A}, "No runner collects `more/test_a.py`"),
    hook("collect_ignore", 'collect_ignore = ["test_a.py"]\n', "`collect_ignore` in `tests/conftest.py` leaves out 1 test file that ran before: `tests/test_a.py`"),
    hook("collect_ignore_glob", 'collect_ignore_glob = ["*_a.py"]\n', "`collect_ignore_glob`"),
    hook("collect_ignore appended", 'collect_ignore = []\ncollect_ignore.append("test_a.py")\n', "`collect_ignore`"),
    hook("every path ignored", "def pytest_ignore_collect(collection_path, config):\n    return True\n", "`pytest_ignore_collect` ignores every path"),
    hook("items cleared", "def pytest_collection_modifyitems(items):\n    items.clear()\n", "deselects every test"),
    hook("items replaced", "def pytest_collection_modifyitems(config, items):\n    items[:] = [each for each in items if 'total' not in each.name]\n", "deselects tests"),
    hook("items marked", "def pytest_collection_modifyitems(items):\n    skip = pytest.mark.skip(reason='flaky')\n    for item in items:\n        item.add_marker(skip)\n", "marks tests to be skipped"),
    hook("exit status", "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n", "makes a failed run succeed"),
    hook("least exit status", "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = min(session.exitstatus, 0)\n", "makes a failed run succeed"),
    hook("exit", "import os\n\n\ndef pytest_unconfigure(config):\n    os._exit(0)\n", "ends the run as a success"),
    hook("exit by another name", "from os import _exit as done\n\n\ndef pytest_unconfigure(config):\n    done(0)\n", "ends the run as a success"),
    hook("exit of a module taken by its name", "import sys\n\n\ndef pytest_unconfigure(config):\n    getattr(sys.modules['os'], '_exit')(0)\n", "ends the run as a success"),
    hook("exit kept under another name", "import os\n\nleave = vars(os)['_exit']\n\n\ndef pytest_unconfigure(config):\n    leave(0)\n", "ends the run as a success"),
    hook("exit status set by name", "def pytest_sessionfinish(session, exitstatus):\n    setattr(session, 'exitstatus', 0)\n", "makes a failed run succeed"),
    hook("tests that are another function", "def quiet(*given, **named):\n    return None\n\n\ndef pytest_collection_modifyitems(items):\n    for each in items:\n        setattr(each, 'obj', quiet)\n", "`pytest_collection_modifyitems` replaces `each.obj`, so that tests are not run"),
    hook("a test that a plugin replaces", "class Short:\n    def pytest_runtest_setup(self, item):\n        item.runtest = print\n\n\ndef pytest_configure(config):\n    config.pluginmanager.register(Short())\n", "`pytest_runtest_setup` replaces `item.runtest`"),
    hook("a test that a fixture replaces", "@pytest.fixture(autouse=True)\ndef short(request, monkeypatch):\n    monkeypatch.setattr(request.node, 'obj', lambda **given: None)\n", "`short` replaces `request.node.obj`"),
    hook("another program", "import os\n\n\ndef pytest_unconfigure(config):\n    os.execv('/bin/true', ['true'])\n", "`os.execv` replaces the run by another program"),
    hook("a fixture that skips", "@pytest.fixture(autouse=True)\ndef quick():\n    pytest.skip('later')\n", "autouse fixture `quick` skips tests"),
    hook("reports changed", "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = 'passed'\n", "turns failed tests into passed ones"),
    hook("no test function called", "def pytest_pyfunc_call(pyfuncitem):\n    return True\n", "no test function is called"),
    hook("a test function looked at", "def pytest_pyfunc_call(pyfuncitem):\n    with timed(pyfuncitem.nodeid):\n        return bool(pyfuncitem.obj)\n", "no test function is called"),
    hook("a protocol with a yield behind its end", "def pytest_runtest_protocol(item, nextitem):\n    return True\n    yield\n", "no test is run"),
    hook("a protocol that only counts", "def pytest_runtest_protocol(item, nextitem):\n    return COUNTS.add(item) or 'counted'\n", "no test is run"),
    py("load_tests", {"tests/test_a.py": A + "\n\ndef load_tests(loader, tests, pattern):\n    import unittest\n    return unittest.TestSuite()\n"}, "`load_tests` leaves out the tests"),
]  # fmt: skip
PYTEST_HONEST = [
    py("testpaths moved with the tests", {"tests/test_a.py": None, "tests/test_slow.py": None, "checks/test_a.py": A, "checks/test_slow.py": SLOW, "pytest.ini": INI.replace("= tests", "= checks")}),
    py("testpaths widened", {"pytest.ini": INI.replace("= tests", "= tests more")}),
    py("testpaths that was the default", {"pytest.ini": INI}, "", {"README.md": "x\n"}),
    py("python_files widened", {"pytest.ini": INI + "python_files = test_*.py check_*.py\n"}),
    py("python_functions widened", {"pytest.ini": INI + "python_functions = test check\n"}),
    py("python_classes widened", {"pytest.ini": INI + "python_classes = Test Check\n"}),
    py("norecursedirs without tests", {"pytest.ini": INI + "norecursedirs = build .* docs\n"}),
    py("ignore of a folder without tests", {"pytest.ini": INI.replace("-q", "-q --ignore=tests/helpers")}),
    py("ignore of a folder that the change adds", {"pytest.ini": INI.replace("-q", "-q --ignore=tests/examples"), "tests/examples/test_x.py": A}),
    py("ignore-glob that fits no test", {"pytest.ini": INI.replace("-q", "--ignore-glob=*.md")}),
    py("deselect of a test that the change adds", {"pytest.ini": INI.replace("-q", "--deselect tests/test_a.py::test_new"), "tests/test_a.py": A + "\n\ndef test_new():\n    assert 1\n"}),
    py("keyword that fits every test", {"pytest.ini": INI.replace("-q", '-k "not nonsense"')}),
    py("marker that no test has", {"pytest.ini": INI.replace("-q", '-m "not network"') + "markers =\n    network: asks the net\n"}),
    py("markers registered", {"pytest.ini": INI + "markers =\n    slow: takes long\n"}),
    py("exitfirst", {"pytest.ini": INI.replace("-q", "-x --exitfirst --maxfail=1")}),
    py("plugin switched off", {"pytest.ini": INI.replace("-q", "-p no:cacheprovider -p no:warnings")}),
    py("coverage asked for", {"pytest.ini": INI.replace("-q", "-q --cov shop --cov-report term")}),
    py("filterwarnings", {"pytest.ini": INI + "filterwarnings =\n    error\n"}),
    py("settings moved to pyproject.toml", {"pytest.ini": None, "pyproject.toml": TOML % 'addopts = "-q"\n'}),
    py("a dependency of pyproject.toml", {"pyproject.toml": TOML.replace('"shop"', '"shop"\ndependencies = ["attrs"]') % ""}, "", {"pyproject.toml": TOML % ""}),
    py("an ignore removed", {"pytest.ini": INI}, "", {"pytest.ini": INI.replace("-q", "--ignore=tests/test_a.py")}),
    py("file renamed and collected", {"tests/test_a.py": None, "tests/test_totals.py": A}),
    py("file moved and collected", {"tests/test_a.py": None, "tests/unit/test_a.py": A}),
    py("test file removed", {"tests/test_a.py": None}),
    py("tests moved to a mixin that tests import", {"tests/test_a.py": "from tests.shared import *  # noqa\n", "tests/shared.py": A}),
    py("a helper renamed", {"tests/helpers/data.py": None, "tests/helpers/rows.py": "ROWS = [1]\n"}),
    py("settings of another project added", {"examples/pytest.ini": "[pytest]\npython_files = x.py\n"}),
    hook("collect_ignore of what is no test", 'collect_ignore = ["setup.py", "helpers/data.py"]\n'),
    hook("collect_ignore for an old Python", 'import sys\n\ncollect_ignore = []\nif sys.version_info < (3, 12):\n    collect_ignore.append("test_a.py")\n'),
    hook("paths ignored never", "def pytest_ignore_collect(collection_path, config):\n    return None\n"),
    hook("items sorted", "def pytest_collection_modifyitems(items):\n    items[:] = sorted(items, key=lambda each: each.name)\n"),
    hook("items marked as asyncio", "def pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.asyncio)\n"),
    hook("items skipped by an option", "def pytest_collection_modifyitems(config, items):\n    if config.getoption('--slow'):\n        return\n    skip = pytest.mark.skip(reason='needs --slow')\n    for item in items:\n        if 'slow' in item.keywords:\n            item.add_marker(skip)\n"),
    hook("highest exit status", "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = max(session.exitstatus, own_status())\n"),
    hook("exit status read", "def pytest_sessionfinish(session, exitstatus):\n    print(session.exitstatus, exitstatus)\n"),
    hook("a test function wrapped by a name", "def pytest_runtest_setup(item):\n    own = item.obj\n\n    def twice(*given, **named):\n        own(*given, **named)\n        own(*given, **named)\n\n    item.obj = twice\n"),
    hook("a test run by a helper", "import functools\n\n\ndef pytest_itemcollected(item):\n    item.runtest = functools.partial(run, item)\n"),
    hook("a function of the product replaced", "@pytest.fixture(autouse=True)\ndef offline(monkeypatch):\n    monkeypatch.setattr(shop, 'function', lambda: None)\n"),
    hook("exit with the status", "import os\n\n\ndef pytest_unconfigure(config):\n    os._exit(config.status)\n"),
    hook("a fixture that sets up", "@pytest.fixture(autouse=True)\ndef clean(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n"),
    hook("a fixture asked for that skips", "@pytest.fixture\ndef net():\n    pytest.skip('no net')\n"),
    hook("a test function called in a loop", "def pytest_pyfunc_call(pyfuncitem):\n    asyncio.run(pyfuncitem.obj(**pyfuncitem.funcargs))\n    return True\n"),
    hook("a protocol that runs twice", "def pytest_runtest_protocol(item, nextitem):\n    runtestprotocol(item, nextitem=nextitem)\n    runtestprotocol(item, nextitem=nextitem)\n    return True\n"),
    hook("a test function wrapped", "@pytest.hookimpl(wrapper=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    with timed(pyfuncitem.nodeid):\n        return (yield)\n"),
    hook("a report with more text", "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().sections.append(('shop', 'open'))\n"),
    py("load_tests with doctests", {"tests/test_a.py": A + "\n\ndef load_tests(loader, tests, pattern):\n    import doctest\n\n    import shop\n    tests.addTests(doctest.DocTestSuite(shop))\n    return tests\n"}),
    py("Makefile target with a keyword", {"Makefile": "test:\n\tpytest\n\nquick:\n\tpytest -k 'not slow'\n"}, "", {"pytest.ini": INI, "Makefile": "test:\n\tpytest\n"}),
]  # fmt: skip

JS_TEST = "import { total } from './shop';\n\ntest('adds', () => {\n  expect(total([1, 2])).toBe(3);\n});\n"
JEST: Files = {
    "src/shop.js": "export const total = (all) => all.length;\n",
    "src/shop.test.js": JS_TEST,
    "src/b/cart.test.js": JS_TEST,
}
PACKAGE = '{\n  "name": "shop",\n  "devDependencies": {"jest": "29.0.0"},\n  "jest": {%s\n  }\n}\n'
VITEST = "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({\n  test: {\n    globals: true,%s\n  },\n});\n"
MOCHA: Files = {"test/shop.js": "describe('shop', () => {\n  it('adds', () => {\n    assert.equal(1, 1);\n  });\n});\n"}


def jest(name: str, settings: str, says: str = "", before: str = "") -> Case:
    return Case(f"jest: {name}", {**JEST, "package.json": PACKAGE % before}, {"package.json": PACKAGE % settings}, says)


def vitest(name: str, settings: str, says: str = "", before: str = "", more: Files | None = None) -> Case:
    base = {**JEST, "vitest.config.ts": VITEST % before, "package.json": '{"devDependencies": {"vitest": "1.0.0"}}\n'}
    return Case(f"vitest: {name}", base, {"vitest.config.ts": VITEST % settings, **(more or {})}, says)


def mocha(
    name: str, settings: str, says: str = "", before: str = '{"spec": ["test/**/*.js"], "forbidOnly": true}'
) -> Case:
    return Case(f"mocha: {name}", {**MOCHA, ".mocharc.json": before}, {".mocharc.json": settings}, says)


JS_HOSTILE = [
    jest("testMatch", '"testMatch": ["**/*.check.js"]', "`testMatch` in `package.json` leaves out 2 test files"),
    jest("testRegex", '"testRegex": "cart\\\\.test\\\\.js$"', "`testRegex` in `package.json` leaves out 1 test file that ran before: `src/shop.test.js`"),
    jest("testPathIgnorePatterns", '"testPathIgnorePatterns": ["/node_modules/", "/b/"]', "`src/b/cart.test.js`"),
    jest("testPathIgnorePatterns that take long", '"testPathIgnorePatterns": ["/node_modules/", "(s+)+rc"]', "could not be evaluated"),
    jest("testPathIgnorePatterns of anything", '"testPathIgnorePatterns": [".*cart.*"]', "`src/b/cart.test.js`"),
    jest("roots", '"roots": ["<rootDir>/src/b"]', "`roots` in `package.json`"),
    jest("passWithNoTests", '"passWithNoTests": true', "a run without any test now succeeds"),
    jest("testNamePattern", '"testNamePattern": "adds one"', "only some of the tests are run"),
    Case("jest: config in JavaScript", {**JEST, "jest.config.js": "module.exports = {\n  verbose: true,\n};\n"}, {"jest.config.js": "const off = ['/src/'];\nmodule.exports = {\n  verbose: true,\n  testPathIgnorePatterns: [...off],\n};\n"}, "`testPathIgnorePatterns` in `jest.config.js`"),
    Case("jest: config that is computed", {**JEST, "jest.config.js": "module.exports = { testMatch: ['**/*.test.js'] };\n"}, {"jest.config.js": "module.exports = { testMatch: require('./which')() };\n"}, "could not be evaluated"),
    Case("jest: file renamed", {**JEST, "package.json": PACKAGE % ""}, {"src/shop.test.js": None, "src/shop.checks.js": JS_TEST}, "No runner collects `src/shop.checks.js`"),
    vitest("include", "\n    include: ['src/b/**/*.test.js'],", "`include` in `vitest.config.ts` leaves out 1 test file that ran before: `src/shop.test.js`"),
    vitest("exclude", "\n    exclude: [...configDefaults.exclude, 'src/b/**'],", "`exclude` in `vitest.config.ts`"),
    vitest("dir", "\n    dir: 'src/b',", "`dir` in `vitest.config.ts`"),
    vitest("passWithNoTests", "\n    passWithNoTests: true,", "a run without any test now succeeds"),
    vitest("file renamed", "", "No runner collects", more={"src/shop.test.js": None, "src/shop.tests.js": JS_TEST}),
    mocha("spec", '{"spec": ["test/none/*.js"], "forbidOnly": true}', "`spec` in `.mocharc.json`"),
    mocha("ignore", '{"spec": ["test/**/*.js"], "ignore": ["test/shop.js"], "forbidOnly": true}', "`ignore` in `.mocharc.json`"),
    mocha("grep", '{"spec": ["test/**/*.js"], "grep": "cart", "forbidOnly": true}', "`grep` in `.mocharc.json`"),
    mocha("forbidOnly", '{"spec": ["test/**/*.js"]}', "a run in which `.only` leaves tests out now succeeds"),
    Case("mocha: YAML with an anchor", {**MOCHA, ".mocharc.yml": "spec: test/**/*.js\n"}, {".mocharc.yml": "a: &a test/none.js\nspec: *a\n"}, "could not be evaluated"),
    Case("mocha: YAML", {**MOCHA, ".mocharc.yml": "spec: test/**/*.js\n"}, {".mocharc.yml": "spec: test/**/*.spec.js\n"}, "`spec` in `.mocharc.yml`"),
]  # fmt: skip
JS_HONEST = [
    jest("testMatch that fits the same", '"testMatch": ["**/*.test.js"]'),
    jest("testRegex that fits the same", '"testRegex": "\\\\.test\\\\.js$"'),
    jest("testPathIgnorePatterns without tests", '"testPathIgnorePatterns": ["/node_modules/", "/dist/"]'),
    jest("roots with all tests", '"roots": ["<rootDir>/src"]'),
    jest("passWithNoTests removed", "", before='"passWithNoTests": true'),
    jest("transform", '"transform": {"\\\\.js$": "babel-jest"}'),
    Case("jest: config moved", {**JEST, "package.json": PACKAGE % '"testMatch": ["**/*.test.js"]'}, {"package.json": '{"devDependencies": {"jest": "1"}}', "jest.config.js": "module.exports = { testMatch: ['**/*.test.js'] };\n"}),
    Case("jest: file renamed and collected", {**JEST, "package.json": PACKAGE % ""}, {"src/shop.test.js": None, "src/shop.spec.js": JS_TEST}),
    Case("jest: replaced by vitest", {**JEST, "package.json": PACKAGE % ""}, {"package.json": '{"devDependencies": {"vitest": "1"}}', "vitest.config.ts": VITEST % ""}),
    vitest("include widened", "\n    include: ['**/*.{test,spec,check}.js'],"),
    vitest("exclude without tests", "\n    exclude: [...configDefaults.exclude, 'dist/**'],"),
    vitest("exclude of what the change adds", "\n    exclude: [...configDefaults.exclude, 'e2e/**'],", more={"e2e/a.test.js": JS_TEST}),
    vitest("environment", "\n    environment: 'jsdom',\n    coverage: { exclude: ['src/**'] },"),
    vitest("alias that is computed", "\n    alias: { shop: resolve(__dirname, 'src') },"),
    mocha("spec widened", '{"spec": ["test/**/*.js", "more/**/*.js"], "forbidOnly": true}'),
    mocha("ignore without tests", '{"spec": ["test/**/*.js"], "ignore": ["test/fixtures/**"], "forbidOnly": true}'),
    mocha("timeout", '{"spec": ["test/**/*.js"], "forbidOnly": true, "timeout": 5000}'),
    Case("mocha: moved to the workspace around the package", {"package.json": '{"workspaces": ["packages/*"]}', "packages/shop/package.json": '{"devDependencies": {"mocha": "1"}}', "packages/shop/test/shop.js": MOCHA["test/shop.js"]}, {"package.json": '{"workspaces": ["packages/*"], "devDependencies": {"mocha": "1"}}', "packages/shop/package.json": "{}"}),
    mocha("forbidOnly switched on", '{"spec": ["test/**/*.js"], "forbidOnly": true}', before='{"spec": ["test/**/*.js"]}'),
]  # fmt: skip

GO_TEST = 'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total() != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n'
GO: Files = {
    "go.mod": "module shop\n",
    "shop.go": "package shop\n\nfunc Total() int { return 3 }\n",
    "shop_test.go": GO_TEST,
}
MAIN = "\nfunc TestMain(m *testing.M) {\n%s}\n"
RUST_UNIT = "pub fn total() -> u32 { 3 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::total(), 3);\n    }\n}\n"
RUST_TEST = "#[test]\nfn sums() {\n    assert_eq!(shop::total(), 3);\n}\n"
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\n'
RUST: Files = {"Cargo.toml": CARGO, "src/lib.rs": RUST_UNIT, "tests/sums.rs": RUST_TEST}
JAVA_TEST = "import org.junit.jupiter.api.Test;\n\nclass ShopTest {\n    @Test\n    void adds() { assertEquals(3, Shop.total()); }\n}\n"
POM = "<project>\n  <artifactId>shop</artifactId>\n%s</project>\n"
SUREFIRE = "  <build><plugins><plugin>\n    <artifactId>maven-surefire-plugin</artifactId>\n    <configuration>\n      %s\n    </configuration>\n  </plugin></plugins></build>\n"
MAVEN: Files = {"pom.xml": POM % "", "src/test/java/ShopTest.java": JAVA_TEST}
GRADLE: Files = {
    "build.gradle": "plugins { id 'java' }\n\ntest {\n    useJUnitPlatform()\n}\n",
    "src/test/java/ShopTest.java": JAVA_TEST,
}
PHP_TEST = "<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class ShopTest extends TestCase\n{\n    public function testTotal(): void\n    {\n        self::assertSame(3, total());\n    }\n}\n"
PHPUNIT = '<phpunit bootstrap="vendor/autoload.php">\n  <testsuites>\n    <testsuite name="all">\n      %s\n    </testsuite>\n  </testsuites>\n</phpunit>\n'
PHP: Files = {
    "phpunit.xml.dist": PHPUNIT % "<directory>tests</directory>",
    "tests/Unit/ShopTest.php": PHP_TEST,
    "tests/Support/Rows.php": "<?php\nconst ROWS = [1];\n",
}
SPEC = "RSpec.describe Shop do\n  it 'adds' do\n    expect(Shop.total).to eq 3\n  end\nend\n"
RUBY: Files = {
    ".rspec": "--require spec_helper\n",
    "spec/shop_spec.rb": SPEC,
    "spec/spec_helper.rb": "require 'shop'\n",
}


def phpunit(name: str, suite: str, says: str = "") -> Case:
    return Case(f"PHPUnit: {name}", PHP, {"phpunit.xml.dist": PHPUNIT % suite}, says)


def maven(name: str, added: str, says: str = "") -> Case:
    return Case(f"Maven: {name}", MAVEN, {"pom.xml": POM % added}, says)


def gradle(name: str, body: str, says: str = "") -> Case:
    return Case(
        f"Gradle: {name}",
        GRADLE,
        {"build.gradle": f"plugins {{ id 'java' }}\n\ntest {{\n    useJUnitPlatform()\n    {body}\n}}\n"},
        says,
    )


def rspec(name: str, options: str, says: str = "") -> Case:
    return Case(f"rspec: {name}", RUBY, {".rspec": f"--require spec_helper\n{options}\n"}, says)


def cargo(name: str, added: str, says: str = "") -> Case:
    return Case(f"cargo: {name}", RUST, {"Cargo.toml": CARGO + added}, says)


OTHER_HOSTILE = [
    Case("go: file renamed", GO, {"shop_test.go": None, "shop_tests.go": GO_TEST}, "No runner collects `shop_tests.go`"),
    Case("go: file renamed for another system", GO, {"shop_test.go": None, "shop_plan9_test.go": GO_TEST}, "No runner collects `shop_plan9_test.go`"),
    Case("go: file moved to testdata", GO, {"shop_test.go": None, "testdata/shop_test.go": GO_TEST}, "No runner collects"),
    Case("go: TestMain without Run", GO, {"shop_test.go": GO_TEST + MAIN % "\tos.Exit(0)\n"}, "`TestMain` never calls `m.Run`"),
    Case("go: TestMain that ends with 0 in any case", GO, {"shop_test.go": GO_TEST + MAIN % "\tdefer os.Exit(0)\n\tcode := m.Run()\n\tprintln(code)\n"}, "`TestMain` exits with 0"),
    Case("go: TestMain with no rounds", GO, {"shop_test.go": GO_TEST + 'var flags = map[string]string{"test.count": "0"}\n' + MAIN % "\tfor name, value := range flags {\n\t\tflag.Set(name, value)\n\t}\n\tos.Exit(m.Run())\n"}, "sets its own flag `test.count`"),
    Case("go: TestMain that chooses tests", GO, {"shop_test.go": GO_TEST + MAIN % '\tflag.Set("test.run", "^$")\n\tos.Exit(m.Run())\n'}, "sets its own flag `test.run`"),
    Case("go: TestMain that forgets behind another ending", GO, {"shop_test.go": GO_TEST + MAIN % "\tif err := open(); err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tm.Run()\n\tos.Exit(0)\n"}, "`TestMain` exits with 0"),
    Case("go: TestMain that forgets", GO, {"shop_test.go": GO_TEST + MAIN % "\tm.Run()\n\tos.Exit(0)\n"}, "`TestMain` exits with 0"),
    cargo("test = false", "\n[lib]\ntest = false\n", "`lib.test` in `Cargo.toml`"),
    cargo("autotests = false", "autotests = false\n", "`package.autotests` in `Cargo.toml`"),
    cargo("doctest = false", "\n[lib]\ndoctest = false\n", "examples in documentation are no longer tested"),
    cargo("one target", '\n[[test]]\nname = "sums"\npath = "tests/sums.rs"\ntest = false\n', "`test.*.test` in `Cargo.toml`"),
    cargo("required features", '\n[[test]]\nname = "sums"\nrequired-features = ["net"]\n', "only runs under a condition"),
    Case("cargo: never built", RUST, {"src/lib.rs": RUST_UNIT.replace("cfg(test)", "cfg(any())")}, "`cfg` that never holds"),
    Case("cargo: file moved where nobody builds it", RUST, {"tests/sums.rs": None, "tests/old/sums.rs": RUST_TEST}, "No runner collects `tests/old/sums.rs`"),
    maven("skipTests as a property", "  <properties>\n    <skipTests>true</skipTests>\n  </properties>\n", "`skipTests` in `pom.xml`: no test is run any more"),
    maven("maven.test.skip", "  <properties>\n    <maven.test.skip>true</maven.test.skip>\n  </properties>\n", "`maven.test.skip`"),
    maven("skipTests of the plugin", SUREFIRE % "<skipTests>true</skipTests>", "`skipTests`"),
    maven("testFailureIgnore", SUREFIRE % "<testFailureIgnore>true</testFailureIgnore>", "a run succeeds although tests failed"),
    maven("excludes", SUREFIRE % "<excludes><exclude>**/ShopTest.java</exclude></excludes>", "`excludes` in `pom.xml`"),
    Case("Maven: file renamed", MAVEN, {"src/test/java/ShopTest.java": None, "src/test/java/ShopChecks.java": JAVA_TEST.replace("ShopTest", "ShopChecks")}, "No runner collects"),
    gradle("enabled = false", "enabled = false", "`enabled` in `build.gradle`: no test is run any more"),
    gradle("onlyIf", "onlyIf { false }", "`onlyIf`"),
    gradle("enabled under a condition", "enabled = System.getenv('RELEASE') == 'never'", "`enabled` in `build.gradle`: tests only run under a condition"),
    gradle("onlyIf under a condition", "onlyIf { project.hasProperty('all') }", "`onlyIf` in `build.gradle`: tests only run under a condition"),
    gradle("ignoreFailures", "ignoreFailures = true", "a run succeeds although tests failed"),
    gradle("exclude", "exclude '**/ShopTest*'", "`exclude` in `build.gradle`"),
    gradle("exclude of a class", "exclude '**/ShopTest.class'", "`exclude` in `build.gradle`"),
    gradle("filter", "filter { excludeTestsMatching 'ShopTest' }", "`excludeTestsMatching`"),
    maven("skipTests by another property", "  <properties>\n    <checks.off>true</checks.off>\n    <quick>${checks.off}</quick>\n    <skipTests>${quick}</skipTests>\n  </properties>\n", "`skipTests` in `pom.xml`: no test is run any more"),
    maven("skip of the plugin by a property", "  <properties><fast>true</fast></properties>\n" + SUREFIRE % "<skip>${fast}</skip>", "`skip` in `pom.xml`"),
    phpunit("another folder", "<directory>checks</directory>", "`testsuites` in `phpunit.xml.dist`"),
    phpunit("a folder that is left out", "<directory>tests</directory><exclude>./tests/Unit/</exclude>", "`exclude` in `phpunit.xml.dist`"),
    phpunit("another suffix", '<directory suffix="Spec.php">tests</directory>', "`testsuites` in `phpunit.xml.dist`"),
    phpunit("one file that is not there", "<file>tests/ShopTest.php</file>", "`testsuites` in `phpunit.xml.dist`"),
    rspec("pattern", "--pattern spec/none/*_spec.rb", "`--pattern` in `.rspec` leaves out 1 test file"),
    rspec("exclude-pattern", "--exclude-pattern spec/shop_spec.rb", "`--exclude-pattern`"),
    Case("rspec: tag", {**RUBY, "spec/slow_spec.rb": SPEC.replace("'adds'", "'adds', :slow")}, {".rspec": "--require spec_helper\n--tag ~slow\n"}, "`--tag` in `.rspec`"),
    rspec("tag that is selected", "--tag fast", "`--tag` in `.rspec`"),
    maven("excluded groups", SUREFIRE % "<excludedGroups>Test</excludedGroups>", "`excludedGroups`"),
    rspec("dry-run", "--dry-run", "no test is run any more"),
    rspec("exit code", "--failure-exit-code 0", "a run succeeds although tests failed"),
    Case("rspec: file renamed", RUBY, {"spec/shop_spec.rb": None, "spec/shop_checks.rb": SPEC}, "No runner collects"),
]  # fmt: skip
OTHER_HONEST = [
    Case("go: file renamed and collected", GO, {"shop_test.go": None, "total_test.go": GO_TEST}),
    Case("go: TestMain that runs", GO, {"shop_test.go": GO_TEST + MAIN % "\tsetup()\n\tos.Exit(m.Run())\n"}),
    Case("go: TestMain that reads flags", GO, {"shop_test.go": GO_TEST + MAIN % '\tif flag.Lookup("test.run").Value.String() == "" {\n\t\tflag.Set("test.timeout", "5m")\n\t}\n\tos.Exit(m.Run())\n'}),
    Case("go: TestMain with two endings", GO, {"shop_test.go": GO_TEST + MAIN % "\tif code := m.Run(); code != 0 {\n\t\tos.Exit(code)\n\t}\n\tos.Exit(0)\n"}),
    Case("go: TestMain that passes on", GO, {"shop_test.go": GO_TEST + MAIN % "\tgoleak.VerifyTestMain(m)\n"}),
    Case("go: TestMain with a code", GO, {"shop_test.go": GO_TEST + MAIN % "\tcode := m.Run()\n\tif code == 0 {\n\t\tclean()\n\t}\n\tos.Exit(code)\n"}),
    cargo("bench = false", "\n[lib]\nbench = false\n"),
    cargo("autotests = false with targets", 'autotests = false\n\n[[test]]\nname = "sums"\npath = "tests/sums.rs"\n'),
    cargo("a dependency", '\n[dependencies]\nserde = "1"\n'),
    cargo("test = false of an example", '\n[[example]]\nname = "a"\ntest = false\n'),
    Case("cargo: built for Unix", RUST, {"src/lib.rs": RUST_UNIT + "\n#[cfg(not(windows))]\npub fn unix() {}\n"}),
    Case("cargo: file moved to a target", RUST, {"tests/sums.rs": None, "tests/sums/main.rs": RUST_TEST}),
    Case("cargo: file moved to a module that is named", RUST, {"tests/sums.rs": None, "tests/it/sums.rs": RUST_TEST, "tests/it/main.rs": "mod sums;\n\n#[test]\nfn other() { assert!(true); }\n"}),
    maven("skipTests = false", "  <properties>\n    <skipTests>false</skipTests>\n  </properties>\n"),
    maven("skipTests by a property that is false", "  <properties>\n    <quick>false</quick>\n    <skipTests>${quick}</skipTests>\n  </properties>\n"),
    maven("a property that nothing reads", "  <properties><quick>true</quick></properties>\n"),
    phpunit("the suite in two folders", "<directory>tests/Unit</directory><directory>tests/Support</directory>"),
    phpunit("a folder without tests that is left out", "<directory>tests</directory><exclude>tests/Support</exclude>"),
    phpunit("a folder that another suite holds", "<directory>tests</directory><exclude>tests/Unit</exclude></testsuite><testsuite name='unit'><directory>tests/Unit</directory>"),
    phpunit("another suffix that fits", '<directory suffix=".php">./tests/</directory>'),
    maven("in a profile", "  <profiles><profile><id>quick</id><properties>\n    <skipTests>true</skipTests>\n  </properties></profile></profiles>\n"),
    maven("of another plugin", (SUREFIRE % "<skip>true</skip>").replace("surefire", "javadoc")),
    maven("excludes of what is no test", SUREFIRE % "<excludes><exclude>**/Abstract*.java</exclude></excludes>"),
    gradle("enabled = true", "enabled = true"),
    gradle("onlyIf that always holds", "onlyIf { true }"),
    gradle("exclude of what is no test", "exclude '**/Abstract*'"),
    gradle("logging", "testLogging { events 'failed' }\n    maxParallelForks = 2"),
    Case("Gradle: another task", GRADLE, {"build.gradle": str(GRADLE["build.gradle"]) + "\njavadoc {\n    enabled = false\n}\n"}),
    Case("Gradle: a task that the change adds", GRADLE, {"build.gradle": str(GRADLE["build.gradle"]) + "\ntasks.register('slowTest', Test) {\n    include '**/SlowTest.class'\n}\n"}),
    gradle("exclude of a test that the change adds", "exclude '**/SlowTest.class'"),
    rspec("tag that no spec has", "--tag ~benchmark"),
    maven("excluded groups that no test is of", SUREFIRE % "<excludedGroups>benchmark</excludedGroups>"),
    rspec("format", "--format documentation"),
    rspec("pattern that fits the same", "--pattern spec/**/*_spec.rb"),
    rspec("exclude-pattern without specs", "--exclude-pattern vendor/**/*_spec.rb"),
    rspec("exit code", "--failure-exit-code 3"),
    Case("rspec: file renamed and collected", RUBY, {"spec/shop_spec.rb": None, "spec/total_spec.rb": SPEC}),
]  # fmt: skip
HOSTILE = [*PYTEST_HOSTILE, *JS_HOSTILE, *OTHER_HOSTILE]
HONEST = [*PYTEST_HONEST, *JS_HONEST, *OTHER_HONEST]


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_tests_that_are_switched_off_are_found(case: Case, tmp_path: Path) -> None:
    assert any(case.says in each for each in said(tmp_path, case)), case.says


def test_settings_behind_a_symbolic_link_are_not_taken_for_none(tmp_path: Path) -> None:
    repo = Drawing(tmp_path)
    base = repo.commit({**PY, "pytest.ini": INI})
    repo.write({"pytest.ini": None, "other.ini": "[pytest]\naddopts = --ignore=tests\n"})
    (tmp_path / "pytest.ini").symlink_to("other.ini")
    repo.commit()
    assert any("could not be evaluated" in each.statement for each in found(asked(tmp_path, base, PROBE), PROBE))


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.name)
def test_honest_changes_of_settings_are_let_through(case: Case, tmp_path: Path) -> None:
    assert said(tmp_path, case) == []
