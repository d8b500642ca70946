"""Untrusted input that reaches a dangerous call by way of a function in another file, whichever of the two a change touches."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from auditor.domain import CodeLocation, Evidence, Outcome
from tests.adversarial.authors.drawing import CODE, LOADING, PATH, QUERY, SHELL
from tests.auditing import asked
from tests.repos import Drawing


class Change(NamedTuple):
    """Files that are there, files that the change writes, and what is to be found in one of them."""

    name: str
    probe: str
    at: str
    there: dict[str, str]
    hostile: dict[str, str]
    benign: dict[str, str]


_REQUEST = "from flask import request\n"
_SOURCES = (
    f"{_REQUEST}\n\ndef wanted():\n    return request.args['q']\n\n\ndef number():\n    return int(request.args['q'])\n"
)
_RUNS = "import subprocess\n\n\ndef run(cmd):\n    subprocess.run(cmd, shell=True)\n\n\ndef show(cmd):\n    subprocess.run(['ls', cmd])\n"
_QUERIES = "def build(name):\n    return f\"select * from t where n = '{name}'\"\n\n\ndef fixed(name):\n    return 'select 1'\n"
_REPO = "class Repo:\n    def find(self, name):\n        return open('/data/' + name).read()\n\n    def label(self, name):\n        return name\n\n\nrepo = Repo()\n"
_CHECKED = "import subprocess\n\n\ndef run(cmd):\n    if cmd not in ('ls', 'df'):\n        raise ValueError(cmd)\n    subprocess.run(cmd, shell=True)\n"


def _python(imports: str, body: str, *, takes_in: bool = True) -> dict[str, str]:
    return {"app.py": f"{_REQUEST if takes_in else ''}{imports}\n\n\ndef f(cursor):\n    {body}\n"}


_VIEW = (
    _REQUEST
    + "from repo import Repo\n\n\nclass View:\n    def __init__(self):\n        self.repo = Repo()\n\n    def get(self):\n        return self.repo.{}(request.args['n'])\n"
)
PYTHON = [
    Change("a source in another module", QUERY, "app.py", {"web.py": _SOURCES}, _python("from web import wanted", "cursor.execute(wanted())", takes_in=False), _python("from web import number", "cursor.execute(number())", takes_in=False)),
    Change("a source in another module by way of a name", QUERY, "app.py", {"web.py": _SOURCES}, _python("import web", "q = web.wanted()\n    cursor.execute('select ' + q)", takes_in=False), _python("import web", "q = web.number()\n    cursor.execute('select %d' % q)", takes_in=False)),
    Change("a source behind a package", QUERY, "app.py", {"a/web.py": _SOURCES, "a/__init__.py": "from a.web import number, wanted\n"}, _python("from a import wanted", "cursor.execute(wanted())", takes_in=False), _python("from a import number", "cursor.execute(number())", takes_in=False)),
    Change("a sink in another module", SHELL, "app.py", {"util.py": _RUNS}, _python("from util import run", "run(request.args['c'])"), _python("from util import show", "show(request.args['c'])")),
    Change("a sink that is given its argument by name", SHELL, "app.py", {"util.py": _RUNS}, _python("import util", "util.run(cmd=request.args['c'])"), _python("import util", "util.show(cmd=request.args['c'])")),
    Change("a sink that is exported again", SHELL, "app.py", {"util/run.py": _RUNS, "util/__init__.py": "from .run import run, show\n"}, _python("from util import run", "run(request.args['c'])"), _python("from util import show", "show(request.args['c'])")),
    Change("a sink that checks", SHELL, "app.py", {"util.py": _RUNS, "checked.py": _CHECKED}, _python("from util import run", "run(request.args['c'])"), _python("from checked import run", "run(request.args['c'])")),
    Change("a query that is built elsewhere", QUERY, "app.py", {"sql.py": _QUERIES}, _python("from sql import build", "cursor.execute(build(request.args['n']))"), _python("from sql import fixed", "cursor.execute(fixed(request.args['n']))")),
    Change("a module that is loaded elsewhere", CODE, "app.py", {"load.py": "import importlib\n\n\ndef plugin(name):\n    return importlib.import_module(name)\n"}, _python("from load import plugin", "plugin(request.args['m'])"), _python("from load import plugin", "plugin('csv')\n    print(request.args['m'])")),
    Change("data that is loaded elsewhere", LOADING, "app.py", {"data.py": "import pickle\n\n\ndef read(data):\n    return pickle.loads(data)\n"}, _python("from data import read", "read(request.data)"), _python("from data import read", "print(request.data)")),
    Change("a method of an object that is held", PATH, "app.py", {"repo.py": _REPO}, {"app.py": _VIEW.format("find")}, {"app.py": _VIEW.format("label")}),
    Change("a method of an object of the other module", PATH, "app.py", {"repo.py": _REPO}, _python("from repo import repo", "return repo.find(request.args['n'])"), _python("from repo import repo", "return repo.label(request.args['n'])")),
    Change("a method of an object of the module", PATH, "app.py", {"repo.py": _REPO}, _python("from repo import Repo\n\nr = Repo()", "return r.find(request.args['n'])"), _python("from repo import Repo\n\nr = Repo()", "return r.label(request.args['n'])")),
    Change("a helper that begins to run its parameter", SHELL, "app.py", {"util.py": "import subprocess\n\n\ndef run(cmd):\n    subprocess.run(['ls', cmd])\n", **_python("from util import run", "run(request.args['c'])")}, {"util.py": "import subprocess\n\n\ndef run(cmd):\n    subprocess.run(cmd)\n"}, {"util.py": "import subprocess\n\n\ndef run(cmd):\n    subprocess.run(['ls', '-l', cmd])\n"}),
    Change("a helper that begins to return a request", QUERY, "app.py", {"web.py": "def wanted():\n    return 'select 1'\n", **_python("from web import wanted", "cursor.execute(wanted())", takes_in=False)}, {"web.py": _SOURCES}, {"web.py": "def wanted():\n    return 'select 2'\n"}),
]  # fmt: skip
_EXPRESS = "const express = require('express');\nconst app = express();\n"
_SCRIPTS = "const cp = require('child_process');\nfunction run(cmd) { cp.exec(cmd); }\nfunction show(cmd) { cp.execFile('ls', [cmd]); }\nmodule.exports = { run, show };\n"


def _script(imports: str, body: str) -> dict[str, str]:
    return {"app.js": f"{_EXPRESS}{imports}\napp.get('/', (req, res) => {{ {body}; res.end(); }});\n"}


def _typed(method: str) -> dict[str, str]:
    return {
        "src/app.ts": f"import express from 'express';\nimport * as files from '../lib/files';\nconst app = express();\napp.get('/', (req, res) => {{ res.send(files.{method}(req.params.n)); }});\n"
    }


_MYSQL = "const mysql = require('mysql');\nconst db = mysql.createConnection({});\n"
_SCRIPT_CLASS = "class Repo { find(n) { return db.query(`select * from t where n = '${n}'`); } label(n) { return db.query('select ?', [n]); } }\nmodule.exports = Repo;\n"
SCRIPTS = [
    Change("a sink that is required", SHELL, "app.js", {"util.js": _SCRIPTS}, _script("const { run } = require('./util');", "run(req.query.c)"), _script("const { show } = require('./util');", "show(req.query.c)")),
    Change("a sink of a module that is required as a whole", SHELL, "app.js", {"lib/util.js": _SCRIPTS}, _script("const util = require('./lib/util');", "util.run(req.query.c)"), _script("const util = require('./lib/util');", "util.show(req.query.c)")),
    Change("a sink in TypeScript", PATH, "src/app.ts", {"lib/files.ts": "import fs from 'fs';\nexport function load(name: string) { return fs.readFileSync('/data/' + name); }\nexport function label(name: string) { return name; }\n"}, _typed("load"), _typed("label")),
    Change("a class that is exported", QUERY, "app.js", {"repo.js": _MYSQL + _SCRIPT_CLASS}, _script("const Repo = require('./repo');\nconst repo = new Repo();", "repo.find(req.query.n)"), _script("const Repo = require('./repo');\nconst repo = new Repo();", "repo.label(req.query.n)")),
    Change("a source in another file", QUERY, "app.js", {"web.js": "exports.wanted = function (req, res) { return req.query.q; };\nexports.number = function (req, res) { return Number(req.query.q); };\n"}, {"app.js": f"const {{ wanted }} = require('./web');\n{_MYSQL}module.exports = (a, b) => db.query('select ' + wanted(a, b));\n"}, {"app.js": f"const {{ number }} = require('./web');\n{_MYSQL}module.exports = (a, b) => db.query('select ' + number(a, b));\n"}),
    Change("a query that is built in another file", QUERY, "app.js", {"sql.js": "exports.build = (n) => `select * from t where n = '${n}'`;\nexports.fixed = (n) => 'select 1';\n"}, _script(f"const {{ build }} = require('./sql');\n{_MYSQL}", "db.query(build(req.query.n))"), _script(f"const {{ fixed }} = require('./sql');\n{_MYSQL}", "db.query(fixed(req.query.n))")),
    Change("a value that is kept elsewhere", SHELL, "app.js", {"held.js": "const { AsyncLocalStorage } = require('async_hooks');\nconst command = new AsyncLocalStorage();\nconst shop = new AsyncLocalStorage();\nmodule.exports = { command, shop, keep: (req, res, next) => command.run(req.query.c, () => shop.run({ id: Number(req.query.id), name: req.query.name }, next)) };\n"}, _script("const cp = require('child_process');\nconst held = require('./held');", "cp.exec(held.command.getStore())"), _script("const cp = require('child_process');\nconst held = require('./held');", "cp.execFile('ls', ['--', held.shop.getStore().id])")),
    Change("a dangerous function under another name", SHELL, "app.js", {"util.js": "const cp = require('child_process');\nconst run = cp.exec;\nconst show = cp.execFile;\nmodule.exports = { run, show };\n"}, _script("const { run } = require('./util');", "run(req.query.c)"), _script("const { show } = require('./util');", "show('ls', ['--', req.query.c])")),
    Change("a helper that begins to run its parameter", SHELL, "app.js", {"util.js": _SCRIPTS.replace("cp.exec(cmd)", "cp.execFile('ls', [cmd])"), **_script("const { run } = require('./util');", "run(req.query.c)")}, {"util.js": _SCRIPTS}, {"util.js": _SCRIPTS.replace("cp.exec(cmd)", "cp.execFile('df', [cmd])")}),
]  # fmt: skip
_GO_RUN = 'package shop\n\nimport "os/exec"\n\nfunc run(cmd string) {\n\texec.Command("sh", "-c", cmd).Run()\n}\n\nfunc show(cmd string) {\n\texec.Command("ls", cmd).Run()\n}\n'
_GO_STORE = 'package shop\n\nimport "database/sql"\n\ntype Store struct{ db *sql.DB }\n\nfunc (s *Store) Find(n string) {\n\ts.db.Query("select * from t where n = \'" + n + "\'")\n}\n\nfunc (s *Store) Label(n string) {\n\ts.db.Query("select $1", n)\n}\n'


def _go(call: str, more: str = "") -> dict[str, str]:
    return {
        "app.go": f'package shop\n\nimport (\n\t"net/http"\n{more})\n\ntype server struct{{ store *Store }}\n\nfunc (s *server) f(w http.ResponseWriter, r *http.Request) {{\n\t{call}(r.FormValue("c"))\n}}\n'
    }


_OTHER_PACKAGE = '\n\t"example.com/acme/shop/internal/sh"\n'
_JAVA = 'package shop;\n\nimport java.io.*;\n\nclass Notes {\n    static String load(String n) throws Exception { return new BufferedReader(new FileReader(n)).readLine(); }\n    String find(String n) throws Exception { return new BufferedReader(new FileReader("/x/" + n)).readLine(); }\n    static int count(String n) { return Integer.parseInt(n); }\n    String label(String n) { return n; }\n}\n'


def _java(body: str, field: str = "") -> dict[str, str]:
    return {
        "shop/App.java": f"package shop;\n\nimport javax.servlet.http.*;\n\nclass App {{\n    {field}\n    void f(HttpServletRequest request) throws Exception {{\n        {body}\n    }}\n}}\n"
    }


_RUBY = "class Repo\n  def self.load(n)\n    File.read(n)\n  end\n\n  def find(n)\n    `ls #{n}`\n  end\n\n  def self.count(n)\n    n.to_i\n  end\nend\n"


def _ruby(body: str) -> dict[str, str]:
    return {
        "app/controllers/things_controller.rb": f"class ThingsController < ApplicationController\n  def show\n    {body}\n  end\nend\n"
    }


_CONTROLLER = "app/controllers/things_controller.rb"
_SINATRA = "require 'sinatra'\nrequire_relative 'util'\nget '/' do\n  {}(params[:c])\nend\n"
OTHERS = [
    Change("a function of the package", SHELL, "app.go", {"run.go": _GO_RUN}, _go("run"), _go("show")),
    Change("a function of another package", SHELL, "app.go", {"internal/sh/run.go": _GO_RUN.replace("package shop", "package sh").replace("func run", "func Run").replace("func show", "func Show")}, _go("sh.Run", _OTHER_PACKAGE), _go("sh.Show", _OTHER_PACKAGE)),
    Change("a method of a type of the package", QUERY, "app.go", {"store.go": _GO_STORE}, _go("s.store.Find"), _go("s.store.Label")),
    Change("a function that begins to run its parameter", SHELL, "app.go", {"run.go": _GO_RUN.replace('"sh", "-c", cmd', '"ls", cmd'), **_go("run")}, {"run.go": _GO_RUN}, {"run.go": _GO_RUN.replace('"sh", "-c", cmd', '"ls", "-l", cmd')}),
    Change("a static method", PATH, "shop/App.java", {"shop/Notes.java": _JAVA}, _java('Notes.load(request.getParameter("f"));'), _java('Notes.count(request.getParameter("f"));')),
    Change("a method of a new object", PATH, "shop/App.java", {"shop/Notes.java": _JAVA}, _java('new Notes().find(request.getParameter("f"));'), _java('new Notes().label(request.getParameter("f"));')),
    Change("a method of a variable", PATH, "shop/App.java", {"shop/Notes.java": _JAVA}, _java('Notes n = new Notes();\n        n.find(request.getParameter("f"));'), _java('Notes n = new Notes();\n        n.label(request.getParameter("f"));')),
    Change("a method of a field", PATH, "shop/App.java", {"shop/Notes.java": _JAVA}, _java('n.find(request.getParameter("f"));', "private final Notes n = new Notes();"), _java('n.label(request.getParameter("f"));', "private final Notes n = new Notes();")),
    Change("a method of a class of Rails", PATH, _CONTROLLER, {"app/models/repo.rb": _RUBY}, _ruby("Repo.load(params[:n])"), _ruby("Repo.count(params[:n])")),
    Change("a method of a new object of Rails", SHELL, _CONTROLLER, {"app/models/repo.rb": _RUBY}, _ruby("Repo.new.find(params[:n])"), _ruby("Repo.new.find('x')")),
    Change("a required function", SHELL, "app.rb", {"util.rb": "def run(c)\n  system(c)\nend\n\ndef show(c)\n  system('ls', c)\nend\n"}, {"app.rb": _SINATRA.format("run")}, {"app.rb": _SINATRA.format("show")}),
    Change("a method that begins to run its parameter", SHELL, _CONTROLLER, {"app/models/repo.rb": _RUBY.replace("`ls #{n}`", "n"), **_ruby("Repo.new.find(params[:n])")}, {"app/models/repo.rb": _RUBY}, {"app/models/repo.rb": _RUBY.replace("`ls #{n}`", "n.to_s")}),
]  # fmt: skip
CHANGES = [*PYTHON, *SCRIPTS, *OTHERS]
_NAMES = [f"{each.name} in {each.at.rpartition('.')[2]}" for each in CHANGES]


def new_findings(folder: Path, there: dict[str, str], written: dict[str, str], *probes: str) -> list[Evidence]:
    """What a change of some files brings."""
    drawing = Drawing(folder)
    base = drawing.commit({"README.md": "# Shop\n", **there})
    drawing.commit(written)
    found = asked(folder, base, *probes).evidence
    return [each for each in found if each.outcome is Outcome.FOUND and each.introduced]


@pytest.mark.parametrize("change", CHANGES, ids=_NAMES)
def test_input_is_followed_through_a_function_of_another_file(change: Change, tmp_path: Path) -> None:
    found = new_findings(tmp_path, change.there, change.hostile, change.probe)
    (flow,) = [each for each in found if " reaches `" in each.statement]
    assert {each.path for each in flow.locations if isinstance(each, CodeLocation)} == {change.at}
    assert flow.confidence >= 0.8


@pytest.mark.parametrize("change", CHANGES, ids=_NAMES)
def test_a_function_that_does_no_harm_stays_silent(change: Change, tmp_path: Path) -> None:
    found = new_findings(tmp_path, change.there, change.benign, SHELL, CODE, LOADING, QUERY, PATH)
    assert [each.statement for each in found if each.confidence >= 0.5] == []


def test_a_flow_that_was_there_before_is_not_new(tmp_path: Path) -> None:
    there = {"util.py": _RUNS, **_python("from util import run", "run(request.args['c'])")}
    assert new_findings(tmp_path, there, {"util.py": f'"""Runs."""\n\n{_RUNS}'}, SHELL) == []


def test_modules_that_import_each_other_end(tmp_path: Path) -> None:
    written = {
        "a.py": f"{_REQUEST}from b import g\n\n\ndef f(cursor):\n    cursor.execute(g())\n    return g()\n",
        "b.py": "from a import f\n\n\ndef g():\n    return f(None)\n",
        "a.js": f"{_EXPRESS}const b = require('./b');\nexports.f = (req, res) => b.g(req, res);\napp.get('/', (req, res) => b.g(req.query.c));\n",
        "b.js": "const a = require('./a');\nexports.g = (req, res) => a.f(req, res);\n",
    }
    assert new_findings(tmp_path, {}, written, SHELL, QUERY) == []
