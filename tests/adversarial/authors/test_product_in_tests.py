"""Product code in files that are named like tests: what runs or imports a file says what it is, not its name."""

from __future__ import annotations

import json

import pytest

from auditor.forensics.source_text.file_roles import is_test
from tests.adversarial.authors.gated import audit_change, gate
from tests.repos import Content, Drawing

JS = "const { exec } = require('child_process')\n\nexports.print = (req) => {\n  exec('lp ' + req.query.name)\n}\n"
CALM_JS = "exports.print = (req) => req.query.name\n"
PYTHON = "import os\n\n\ndef print_label(name):\n    os.system('lp ' + name)\n"
CALM_PYTHON = "def print_label(name):\n    return name\n"
GO = (
    'package server\n\nimport "os/exec"\n\nfunc Print(name string) {\n\texec.Command("sh", "-c", "lp "+name).Run()\n}\n'
)
RUBY = 'def print_label(name)\n  system("lp #{name}")\nend\n'
RUST = 'use std::process::Command;\n\npub fn print(name: &str) {\n    Command::new("sh").arg("-c").arg(format!("lp {}", name)).spawn().unwrap();\n}\n'
JAVA = 'package shop;\n\nclass LabelTest {\n  void print(String name) throws Exception {\n    Runtime.getRuntime().exec(new String[] {"sh", "-c", "lp " + name});\n  }\n}\n'
SERVICE = "services:\n  web:\n    image: shop\n    {}\n"
DEPLOY = "name: ci\non: push\njobs:\n  {}:\n    runs-on: ubuntu-latest\n    steps:\n      - name: {}\n        run: |\n          echo go\n          python tests/server.py\n"


@pytest.mark.parametrize(
    ("place", "source", "user", "uses"),
    [
        ("src/label.test.js", JS, "src/app.js", "const label = require('./label.test.js')\n"),
        ("src/label.test.js", JS, "src/app.js", "const label = require('./label.test')\n"),
        ("src/label.test.js", JS, "src/app.js", "const label = require('./label.te' + 'st')\n"),
        ("src/label.spec.ts", JS, "src/app.ts", "export { print } from \"./label.spec.js\"\n"),
        ("tests/label.mjs", JS, "src/app.mjs", "const label = await import(\n  '../tests/label.mjs'\n)\n"),
        ("tests/index.js", JS, "src/app.js", "const label = require('../tests')\n"),
        ("tests/label.js", JS, "src/app.js", "const label = require(path.join(__dirname, '..', 'tests', 'label.js'))\n"),
        ("tests/label.js", JS, "src/app.js", "new Worker('./tests/label.js')\n"),
        ("src/tests/label.js", JS, "src/app.ts", "import { print } from '@/tests/label'\n"),
        ("tests/label.js", JS, "web/index.html", "<script src='/tests/label.js'></script>\n"),
        ("tests/server.py", PYTHON, "shop/app.py", "from tests.server import print_label\n"),
        ("tests/server.py", PYTHON, "shop/app.py", "import runpy\n\nrunpy.run_path('tests/server.py')\n"),
        ("tests/server.py", PYTHON, "shop/app.py", "exec(open('tests/server.py').read())\n"),
        ("tests/server/print.go", GO, "main.go", 'package main\n\nimport "example.com/shop/tests/server"\n\nfunc main() { server.Print("a") }\n'),
        ("spec/label.rb", RUBY, "lib/app.rb", "require_relative '../spec/label'\n"),
        ("src/label_tests.rs", RUST, "src/lib.rs", "pub mod label_tests;\n"),
        ("tests/label.rs", RUST, "src/lib.rs", "#[path = \"../tests/label.rs\"]\npub mod label;\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("when", ["together", "the test file later", "the use later"])
def test_a_test_named_file_that_product_uses_is_product(
    drawing: Drawing, place: str, source: str, user: str, uses: str, when: str
) -> None:
    base: dict[str, Content] = {}
    head: dict[str, Content] = {place: source, user: uses}
    if when == "the test file later":
        base, head = {user: uses, place: "\n"}, {place: source}
    elif when == "the use later":
        base, head = {place: source}, {user: uses}
    seen = audit_change(drawing, base, head)
    assert seen.finds(place)
    assert seen.ended == "failed"


def test_a_script_of_another_language_that_the_change_starts_is_product(drawing: Drawing) -> None:
    start = "import subprocess\n\nsubprocess.run(['node', 'tests/label.js'], check=True, timeout=9)\n"
    seen = audit_change(drawing, {"shop/app.py": "x = 1\n"}, {"tests/label.js": JS, "shop/app.py": start})
    assert seen.finds("tests/label.js")
    assert seen.ended == "failed"


@pytest.mark.parametrize(
    ("path", "is_served"),
    [
        ("pages/api/__tests__/label.test.ts", True),
        ("web/src/pages/api/tests/label.ts", True),
        ("src/app/tests/route.ts", True),
        ("src/app/label.test.ts", False),
        ("app/__tests__/route.ts", False),
        ("src/pages/__tests__/label.test.tsx", False),
        ("tests/fixtures/pages/api/label.ts", False),
        ("__tests__/pages/api/label.test.ts", False),
        ("pages/api/tests/test_label.py", False),
    ],
)
def test_a_file_among_the_routes_of_next_is_product(path: str, is_served: bool) -> None:
    assert is_test(path) is not is_served


def test_a_test_named_java_file_among_main_sources_is_product(drawing: Drawing) -> None:
    seen = audit_change(drawing, {}, {"src/main/java/shop/LabelTest.java": JAVA})
    assert seen.finds("src/main/java/shop/LabelTest.java")
    assert seen.ended == "failed"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", json.dumps({"main": "./tests/server.js"})),
        ("package.json", json.dumps({"bin": {"label": "tests/server.js"}})),
        ("package.json", json.dumps({"exports": {".": {"import": "./tests/server.js"}}})),
        ("package.json", json.dumps({"scripts": {"start": "NODE_ENV=production node tests/server.js"}})),
        ("package.json", json.dumps({"scripts": {"postinstall": "echo a && node ./tests/server"}})),
        ("Dockerfile", "FROM node:22\nCOPY . /app\nCMD [\"node\", \"/app/tests/server.js\"]\n"),
        ("Dockerfile", "FROM node:22\nCOPY tests/server.js /srv/main.js\nCMD node /srv/main.js\n"),
        ("Dockerfile", "FROM node:22\nCOPY tests/ /srv/\nENTRYPOINT [\"node\", \\\n  \"/srv/server.js\"]\n"),
        ("Dockerfile", "FROM node:22\nWORKDIR /srv\nCOPY tests .\nCMD [\"node\", \"server.js\"]\n"),
        ("compose.yaml", SERVICE.format("command: node tests/server.js")),
        ("docker-compose.yml", SERVICE.format("entrypoint:\n      - node\n      - tests/server.js")),
        ("Procfile", "web: node tests/server.js\n"),
        ("Makefile", "run: deps\n\t@node tests/server.js\n"),
        ("ops/shop.service", "[Service]\nExecStart=/usr/bin/node /srv/shop/../tests/server.js\nExecStartPre=node tests/server.js\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("when", ["together", "the file later", "the manifest later"])
def test_a_test_named_file_that_a_manifest_runs_is_product(drawing: Drawing, path: str, text: str, when: str) -> None:
    base: dict[str, Content] = {}
    head: dict[str, Content] = {"tests/server.js": JS, path: text}
    if when == "the file later":
        base, head = {path: text, "tests/server.js": CALM_JS}, {"tests/server.js": JS}
    elif when == "the manifest later":
        base, head = {"tests/server.js": JS, path: "\n"}, {path: text}
    seen = audit_change(drawing, base, head)
    assert seen.finds("tests/server.js")
    assert seen.ended == "failed"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", '[project.scripts]\nlabel = "tests.server:print_label"\n'),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n  label = tests.server:print_label\n"),
        ("Procfile", "web: gunicorn tests.server:print_label\n"),
        ("Procfile", "worker: python -m tests.server\n"),
        (".github/workflows/deploy.yml", DEPLOY.format("go", "Go")),
        (".github/workflows/ci.yml", DEPLOY.format("deploy", "Go")),
        (".github/workflows/ci.yml", DEPLOY.format("go", "Publish the shop")),
    ],
)  # fmt: skip
def test_a_python_file_among_tests_that_a_manifest_runs_is_product(drawing: Drawing, path: str, text: str) -> None:
    seen = audit_change(drawing, {}, {"tests/server.py": PYTHON, path: text})
    assert seen.finds("tests/server.py")
    assert seen.ended == "failed"


@pytest.mark.parametrize("steps", [1, 2])
def test_uses_are_followed_through_further_test_named_files(drawing: Drawing, steps: int) -> None:
    chain: dict[str, Content] = {f"tests/step{number}.js": f"module.exports = require('./step{number + 1}')\n" for number in range(steps)}  # fmt: skip
    chain[f"tests/step{steps}.js"] = CALM_JS
    chain["src/app.js"] = "const step = require('../tests/step0')\n"
    seen = audit_change(drawing, chain, {f"tests/step{steps}.js": JS})
    assert seen.finds(f"tests/step{steps}.js")
    assert seen.ended == "failed"


def test_old_findings_of_a_file_that_was_product_already_are_not_new(drawing: Drawing) -> None:
    base: dict[str, Content] = {"tests/label.js": JS, "src/a.js": "require('../tests/label')\n", "src/b.js": "let a = 1\n"}  # fmt: skip
    seen = audit_change(drawing, base, {"src/b.js": "const a = require('../tests/label')\n"})
    assert not seen.finds("tests/label.js")
    assert seen.ended == "passed"


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"tests/other.test.js": "const a = require('./server')\n"},
        {"package.json": json.dumps({"main": "src/app.js", "scripts": {"test": "node tests/server.js", "pretest": "node tests/server.js"}})},
        {"package.json": json.dumps({"scripts": {"build": "mocha tests/server.js", "start": "node --test tests/server.js"}})},
        {"jest.config.js": "module.exports = { setupFiles: ['./tests/server.js'] }\n"},
        {"vitest.config.ts": "export default { test: { setupFiles: ['./tests/server.js'] } }\n"},
        {"Dockerfile": "FROM node:22\nCOPY . .\nCMD [\"node\", \"src/app.js\"]\n"},
        {"Dockerfile": "FROM node:22\nCOPY tests/ tests/\nCMD [\"npx\", \"jest\", \"tests/server.js\"]\n"},
        {"Dockerfile.test": "FROM node:22\nCMD [\"node\", \"tests/server.js\"]\n"},
        {"docker-compose.yml": "services:\n  e2e-tests:\n    command: node tests/server.js\n"},
        {"Makefile": "test:\n\tnode tests/server.js\n"},
        {".github/workflows/ci.yml": "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: node tests/server.js\n"},
        {"scripts/bench.js": "require('../tests/server')\n"},
        {"docs/guide.md": "Run `node tests/server.js`.\n"},
        {"src/app.js": "// see '../tests/server'\nconst name = 'tests are in tests/server'\n"},
    ],
)  # fmt: skip
def test_helpers_of_tests_stay_tests(drawing: Drawing, others: dict[str, Content]) -> None:
    if "src/app.js" in others:
        others = {"src/app.js": "const name = 'the tests/server of a test'\n"}
    seen = audit_change(drawing, {}, {"tests/server.js": JS, **others})
    assert not seen.finds("tests/server.js")
    assert seen.finds("tests/server.js", in_tests=True)
    assert seen.ended == "passed"


@pytest.mark.parametrize("path", ["tests/conftest.py", "conftest.py", "shop/tests/helpers.py", "tests/test_label.py"])
def test_python_helpers_of_tests_stay_tests(drawing: Drawing, path: str) -> None:
    others: dict[str, Content] = {
        "shop/app.py": CALM_PYTHON,
        "tests/test_other.py": "from tests.conftest import print_label\nfrom shop.tests.helpers import print_label\n",
        "noxfile.py": "def tests(session):\n    session.run('python', 'tests/test_label.py')\n",
    }
    seen = audit_change(drawing, {"shop/app.py": "\n"}, {path: PYTHON, **others})
    assert not seen.finds(path)
    assert seen.ended == "passed"


def test_a_rust_module_of_tests_stays_a_test(drawing: Drawing) -> None:
    files: dict[str, Content] = {"src/label_tests.rs": RUST, "src/lib.rs": "#[cfg(test)]\nmod label_tests;\n"}
    seen = audit_change(drawing, {}, files)
    assert not seen.finds("src/label_tests.rs")
    assert seen.ended == "passed"


def test_a_use_that_the_change_takes_away_makes_no_product(drawing: Drawing) -> None:
    drawing.commit({"src/app.js": "require('../tests/label')\n", "tests/label.js": CALM_JS})
    drawing.branch("work")
    drawing.commit({"src/app.js": "let a = 1\n", "tests/label.js": JS})
    seen = gate(drawing)
    assert not seen.finds("tests/label.js")
    assert seen.ended == "passed"
