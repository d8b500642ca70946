"""Authors who ask for less coverage along with their change, each beside an honest change of the same settings."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.auditing import asked, found
from tests.repos import Content, Drawing

PROBE = "tests.coverage_threshold_lowered"
SURE = 0.6
Files = dict[str, Content]
PRODUCT: Files = {
    "shop/cart.py": "def total(prices):\n    return sum(prices)\n",
    "src/cart.js": "export const total = 1;\n",
}
TOUCHED: Files = {
    "shop/cart.py": "def total(prices):\n    return sum(prices) + 1\n",
    "src/cart.js": "export const total = 2;\n",
}


class Case(NamedTuple):
    """A settings file before and after; `says` is what a finding of a hostile change holds, and empty for an honest one."""

    name: str
    base: Files
    head: Files
    says: str = ""


def text(path: str, before: str, after: str, says: str = "") -> Case:
    """A change of one settings file, along with product code."""
    return Case(f"{path}: {says or after.strip()[:40]}", {path: before}, {path: after}, says)


REPORT = "[report]\nfail_under = %s\n"
COV = "[pytest]\naddopts = -q --cov-fail-under=%s\n"
JEST = '{"jest": {"coverageThreshold": {"global": {"lines": %s, "branches": 80}}}}\n'
VITEST = "export default defineConfig({ test: { coverage: { thresholds: { lines: %s }%s } } });\n"
NYC = '{"check-coverage": %s, "lines": %s, "exclude": ["test/**"%s]}\n'
CODECOV = "coverage:\n  status:\n    project:\n      default:\n        target: %s\n%s"
HOSTILE = [
    text(".coveragerc", REPORT % 90, REPORT % 50, "`report.fail_under` in `.coveragerc` is lowered from 90 to 50 percent."),
    text(".coveragerc", REPORT % 90, "[report]\nshow_missing = true\n", "`report.fail_under` (90 percent) is removed from `.coveragerc`."),
    text(".coveragerc", "[run]\nomit = tests/*\n", "[run]\nomit =\n    tests/*\n    shop/cart.py\n", "`run.omit` in `.coveragerc` takes `shop/cart.py`"),
    text("docs/.coveragerc", "[run]\nbranch = True\n", "[run]\nbranch = True\nomit = *\n", "`run.omit` in `docs/.coveragerc` takes every file"),
    text("pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", '[tool.coverage.report]\nfail_under = 90\nexclude_also = [".*"]\n', "`report.exclude_also` in `pyproject.toml` takes ordinary lines"),
    text(".coveragerc", "[report]\nfail_under = 90\n", "[report]\nfail_under = 90\nexclude_lines =\n    pragma: no cover\n    def .*\n", "`report.exclude_lines` in `.coveragerc` takes ordinary lines"),
    text("setup.cfg", "[coverage:report]\nfail_under = 90\n", "[coverage:report]\nfail_under = 10\n", "is lowered from 90 to 10"),
    text("pyproject.toml", "[tool.coverage.report]\nfail_under = 100\n", "[tool.coverage.report]\nfail_under = 99.5\n", "from 100 to 99.5"),
    text("pyproject.toml", '[tool.coverage.run]\nomit = []\n', '[tool.coverage.run]\nomit = ["shop/*"]\n', "`run.omit` in `pyproject.toml`"),
    text("pytest.ini", COV % 90, COV % 60, "`--cov-fail-under` in `pytest.ini` is lowered from 90 to 60"),
    text("package.json", JEST % 90, JEST % 20, "`coverageThreshold.global.lines` in `package.json` is lowered from 90 to 20"),
    text("jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 90 } } };\n", "module.exports = { verbose: true };\n", "is removed from `jest.config.js`"),
    text("jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 90 } } };\n", "module.exports = { coverageThreshold: { global: { lines: least() } } };\n", "is no longer a number"),
    text("vitest.config.ts", VITEST % (90, ""), VITEST % (30, ""), "`thresholds.lines` in `vitest.config.ts` is lowered from 90 to 30"),
    text("vitest.config.ts", VITEST % (90, ""), VITEST % (90, ", exclude: ['src/**']"), "`exclude` in `vitest.config.ts` takes `src/cart.js`"),
    text(".nycrc", NYC % ("true", 90, ""), NYC % ("false", 90, ""), "`check-coverage` is switched off"),
    text(".nycrc", NYC % ("true", 90, ""), NYC % ("true", 90, ', "src/cart.js"'), "takes `src/cart.js`"),
    text("codecov.yml", CODECOV % ("80%", ""), CODECOV % ("40%", ""), "is lowered from 80 to 40"),
    text("codecov.yml", CODECOV % ("80%", ""), CODECOV % ("80%", "        threshold: 25%\n"), "lets coverage drop by 25 instead of 0"),
    text("codecov.yml", CODECOV % ("80%", ""), CODECOV % ("80%", "        informational: true\n"), "is no longer enforced"),
]  # fmt: skip
HONEST = [
    text("pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", '[tool.coverage.report]\nfail_under = 90\nexclude_also = ["if TYPE_CHECKING:", "raise NotImplementedError", "def __repr__"]\n'),
    text("docs/.coveragerc", "[run]\nbranch = True\n", "[run]\nbranch = True\nomit =\n    tests/*\n    */migrations/*\n"),
    text(".coveragerc", REPORT % 90, REPORT % 95),
    text(".coveragerc", REPORT % 90, REPORT % 90 + "show_missing = true\n"),
    text(".coveragerc", "[run]\nbranch = true\n", "[run]\nbranch = true\nomit =\n    tests/*\n    setup.py\n"),
    text(".coveragerc", "[run]\nomit = shop/*\n", "[run]\nomit = shop/*\nbranch = true\n"),
    Case("moved to pyproject.toml", {".coveragerc": REPORT % 90}, {".coveragerc": None, "pyproject.toml": "[tool.coverage.report]\nfail_under = 90\n"}),
    Case("moved to pytest-cov", {".coveragerc": REPORT % 90}, {".coveragerc": "[report]\nshow_missing = 1\n", "pytest.ini": COV % 90}),
    Case("from Jest to Vitest", {"package.json": JEST % 80}, {"package.json": "{}\n", "vitest.config.ts": VITEST % (80, "")}),
    text("pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", "[tool.coverage.report]\nfail_under = 90.0\n"),
    text("pytest.ini", COV % 60, COV % 90),
    text("package.json", JEST % 20, JEST % 90),
    text("vitest.config.ts", VITEST % (30, ""), VITEST % (30, ", exclude: ['dist/**']")),
    text(".nycrc", NYC % ("true", 90, ""), NYC % ("true", 90, ', "dist/**"')),
    text(".nycrc", NYC % ("false", 90, ""), NYC % ("true", 90, "")),
    text("codecov.yml", CODECOV % ("40%", ""), CODECOV % ("80%", "")),
    text("codecov.yml", CODECOV % ("80%", "        threshold: 5%\n"), CODECOV % ("80%", "        threshold: 1%\n")),
    text("codecov.yml", CODECOV % ("80%", ""), CODECOV % ("80%", "comment: false\n")),
]  # fmt: skip


def said(path: Path, case: Case) -> list[str]:
    """The findings that are confirmed or likely."""
    repo = Drawing(path)
    base = repo.commit({**PRODUCT, **case.base})
    repo.commit({**TOUCHED, **case.head})
    return [each.statement for each in found(asked(path, base, PROBE), PROBE) if each.confidence >= SURE]


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_coverage_that_is_asked_for_less_is_found(case: Case, tmp_path: Path) -> None:
    assert any(case.says in each for each in said(tmp_path, case)), case.says


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.name)
def test_honest_changes_of_coverage_settings_are_let_through(case: Case, tmp_path: Path) -> None:
    assert said(tmp_path, case) == []
