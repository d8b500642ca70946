"""Protections that a hostile change switches off or removes, and commands that it makes run unasked, as drawn repositories."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from auditor.domain import CodeLocation, Evidence, Outcome
from tests.auditing import asked
from tests.repos import Content, Drawing

WEAKENED = "code.protection_weakened"
COMMAND = "governance.automatic_command"
Files = dict[str, Content]


class Case(NamedTuple):
    """A change: the question, the file that is named, what was there, and what the change writes; None removes a file."""

    name: str
    probe: str
    path: str
    base: str
    head: str | None
    confidence: float = 0.7


SETTINGS = "import os\n\nSECRET_KEY = os.environ['SECRET_KEY']\nDEBUG = False\nMIDDLEWARE = [\n    'django.middleware.csrf.CsrfViewMiddleware',\n]\nSESSION_COOKIE_SECURE = True\n"
APP = "const express = require('express');\nconst helmet = require('helmet');\n\nconst app = express();\napp.use(helmet());\napp.post('/refund', requireAuth, (req, res) => res.json(refund(req.body)));\n"
VIEW = "from flask import Blueprint\nfrom .auth import admin_required\n\nbp = Blueprint('a', __name__)\n\n\n@bp.post('/wipe')\n@admin_required\ndef wipe():\n    return do_wipe()\n"
HOOKS = "repos:\n  - repo: https://github.com/gitleaks/gitleaks\n    rev: v8.18.0\n    hooks:\n      - id: gitleaks\n"
FLOW_HOOKS = "repos:\n  - repo: https://github.com/gitleaks/gitleaks\n    rev: v8.18.0\n    hooks: [{id: gitleaks}]\n"
PACKAGE = '{\n  "name": "shop",\n  "scripts": {\n    "test": "jest"\n  }\n}\n'
POM = "<project>\n<properties>\n<a/>\n</properties>\n</project>\n"
GRADLE = "plugins {\n  id 'java'\n}\n"
HOSTILE = [
    Case("debug mode", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS.replace("DEBUG = False", "DEBUG = True")),
    Case("no protection from forged requests", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS.replace("    'django.middleware.csrf.CsrfViewMiddleware',\n", "")),
    Case("a cookie over plain HTTP", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS.replace("SECURE = True", "SECURE = False")),
    Case("a key in the code", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS.replace("os.environ['SECRET_KEY']", "'shop-2024'")),
    Case("no security headers", WEAKENED, "src/app.js", APP, APP.replace("app.use(helmet());\n", "")),
    Case("a route without a login", WEAKENED, "src/app.js", APP, APP.replace("requireAuth, ", "")),
    Case("a handler without its check", WEAKENED, "shop/admin.py", VIEW, VIEW.replace("@admin_required\n", "").replace("from .auth import admin_required\n", "")),
    Case("a commit hook less", WEAKENED, ".pre-commit-config.yaml", HOOKS, HOOKS.replace("      - id: gitleaks", "      - id: gitleaks\n        stages: [manual]")),
    Case("no commit hook left", WEAKENED, ".pre-commit-config.yaml", FLOW_HOOKS, "repos: []\n"),
    Case("a scanner that ignores everything", WEAKENED, ".semgrepignore", "vendor/\n", "**\n"),
    Case("all commit hooks less", WEAKENED, ".pre-commit-config.yaml", HOOKS, None),
    Case("a test that cannot fail", WEAKENED, "package.json", PACKAGE, PACKAGE.replace('"jest"', '"jest || true"')),
    Case("certificates of packages", WEAKENED, ".npmrc", "", "strict-ssl=false\n"),
    Case("tests that a build skips", WEAKENED, "pom.xml", POM, POM.replace("<a/>", "<skipTests>true</skipTests>")),
    Case("tests that a build skips by an option", WEAKENED, ".mvn/maven.config", "", "-DskipTests\n"),
    Case("tests whose failure a build ignores", WEAKENED, "pom.xml", POM, POM.replace("<a/>", "<testFailureIgnore>true</testFailureIgnore>")),
    Case("checks whose failure Gradle ignores", WEAKENED, "build.gradle", GRADLE, GRADLE + "test {\n  ignoreFailures = true\n}\n"),
    Case("tests that Gradle leaves out", WEAKENED, "build.gradle", GRADLE, GRADLE + "test { enabled = false }\n"),
    Case("a type checker without errors", WEAKENED, "mypy.ini", "[mypy]\nstrict = true\n", "[mypy]\nignore_errors = true\n"),
    Case("a linter without files", WEAKENED, "ruff.toml", "select = ['ALL']\n", "exclude = ['*']\n"),
    Case("a scanner of code without files", WEAKENED, ".github/codeql/config.yml", "name: a\n", "name: a\npaths-ignore: ['**']\n"),
    Case("a script on install", COMMAND, "package.json", PACKAGE, PACKAGE.replace('"test"', '"postinstall": "node scripts/setup.js",\n    "test"')),
    Case("a task of the editor", COMMAND, ".vscode/tasks.json", "", '{"tasks": [{"command": "make", "runOptions": {"runOn": "folderOpen"}}]}\n'),
    Case("a line of a path file", COMMAND, "shop.pth", "", "import os; os.system('id')\n"),
]  # fmt: skip
BENIGN = [
    Case("another setting", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS + "TIME_ZONE = 'UTC'\n"),
    Case("debug mode of developers", WEAKENED, "shop/settings/dev.py", "", "DEBUG = True\n"),
    Case("a stricter route", WEAKENED, "src/app.js", APP, APP.replace("requireAuth", "requireAdmin")),
    Case("a handler that is removed with its check", WEAKENED, "shop/admin.py", VIEW, VIEW.partition("@bp.post")[0]),
    Case("a hook in another style", WEAKENED, ".pre-commit-config.yaml", FLOW_HOOKS, HOOKS.replace("v8.18.0", "v8.19.0")),
    Case("a scanner that ignores generated files", WEAKENED, ".semgrepignore", "vendor/\n", "vendor/\n*.min.js\n"),
    Case("a list of what is checked", WEAKENED, ".eslintignore", "vendor/\n", "*\n!src\n"),
    Case("a newer hook", WEAKENED, ".pre-commit-config.yaml", HOOKS, HOOKS.replace("v8.18.0", "v8.19.0")),
    Case("a test of insecure cookies", WEAKENED, "tests/test_cookie.py", "", "def test_cookie(client):\n    client.set_cookie('s', '1', secure=False)\n"),
    Case("tests that a build runs", WEAKENED, "pom.xml", POM, POM.replace("<a/>", "<skipTests>false</skipTests>")),
    Case("a build without a task", WEAKENED, "build.gradle", GRADLE, GRADLE + "distZip { enabled = false }\n"),
    Case("a module without a type check", WEAKENED, "mypy.ini", "[mypy]\nstrict = true\n", "[mypy]\nstrict = true\n[mypy-a.*]\nignore_errors = true\n"),
    Case("a linter without generated files", WEAKENED, "ruff.toml", "select = ['ALL']\n", "exclude = ['*_pb2.py']\n"),
    Case("a formatter on install", COMMAND, "package.json", PACKAGE, PACKAGE.replace('"test"', '"postinstall": "patch-package",\n    "test"')),
]  # fmt: skip


def found(path: Path, case: Case) -> list[Evidence]:
    """What the question of a case finds in its change."""
    drawing = Drawing(path)
    files: Files = {"README.md": "# Shop\n"}
    base = drawing.commit(files | ({case.path: case.base} if case.base else {}))
    if case.head is None:
        (drawing.path / case.path).unlink()
    drawing.commit({} if case.head is None else {case.path: case.head})
    return [each for each in asked(path, base, case.probe).evidence if each.outcome is Outcome.FOUND]


@pytest.mark.parametrize("case", HOSTILE, ids=[each.name for each in HOSTILE])
def test_it_is_told_at_its_place(case: Case, tmp_path: Path) -> None:
    seen = found(tmp_path, case)
    assert seen
    assert all(each.introduced for each in seen)
    assert max(each.confidence for each in seen) >= case.confidence
    assert {place.path for each in seen for place in each.locations if isinstance(place, CodeLocation)} == {case.path}


@pytest.mark.parametrize("case", BENIGN, ids=[each.name for each in BENIGN])
def test_what_only_looks_like_it_is_not(case: Case, tmp_path: Path) -> None:
    assert [each.statement for each in found(tmp_path, case)] == []


def test_a_whole_tree_is_not_judged(tmp_path: Path) -> None:
    Drawing(tmp_path).commit({"shop/settings.py": "DEBUG = True\n"})
    seen = asked(tmp_path, None, WEAKENED, COMMAND).evidence
    assert {each.outcome for each in seen} == {Outcome.NOT_APPLICABLE}
