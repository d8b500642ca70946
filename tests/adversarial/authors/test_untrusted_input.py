"""Untrusted input that reaches a dangerous call, and names that claim that it is harmless."""

from __future__ import annotations

import re

import pytest

from auditor.domain import CodeLocation, Evidence
from tests.adversarial.authors.drawing import CODE, LOADING, QUERY, SHELL, Case, evidence_by_case

FLOWS: list[Case] = [
    ('a whole query', QUERY, "from flask import request\ndef f(cursor):\n    cursor.execute(request.args['n'])\n", "from flask import request\ndef f(cursor):\n    cursor.execute('select ?', (request.args['n'],))\n"),
    ('a query from a table of queries', QUERY, "from flask import request\ndef f(cursor):\n    q = request.args['n']\n    cursor.execute(q)\n", "from flask import request\nQ = {'a': 'select 1'}\ndef f(cursor):\n    cursor.execute(Q[request.args['n']])\n"),
    ('a command as JSON', SHELL, 'from flask import request\nimport subprocess\ndef f():\n    subprocess.run(request.json)\n', "from flask import request\nimport subprocess\ndef f():\n    subprocess.run(['ls', request.json])\n"),
    ('the program of a list', SHELL, "from flask import request\nimport subprocess\ndef f():\n    cmd = [request.args['p'], '-l']\n    subprocess.run(cmd)\n", "from flask import request\nimport subprocess\ndef f():\n    cmd = ['ls', request.args['p']]\n    subprocess.run(cmd)\n"),
    ('a template', CODE, "from flask import request\nfrom jinja2 import Template\ndef f():\n    Template(request.form['t']).render()\n", "from flask import request\nfrom jinja2 import Template\ndef f():\n    Template('<b>{{ t }}').render(t=request.form['t'])\n"),
    ('a template that is rendered', CODE, "from flask import request\nfrom flask import render_template_string\ndef f():\n    x = request.args['x']\n    return render_template_string('<b>' + x)\n", "from flask import request\nfrom flask import render_template_string\ndef f():\n    x = request.args['x']\n    return render_template_string('<b>{{ x }}', x=x)\n"),
    ('an import', CODE, "from flask import request\nimport importlib\ndef f():\n    importlib.import_module(request.args['m'])\n", "from flask import request\nimport importlib\ndef f():\n    m = request.args['m']\n    if m in ('csv', 'json'):\n        importlib.import_module(m)\n"),
    ('a helper of the file', SHELL, "from flask import request\nimport subprocess\ndef run(c):\n    subprocess.run(c)\ndef f():\n    run(request.args['c'])\n", "from flask import request\nimport subprocess\ndef run(c):\n    subprocess.run(c)\ndef f():\n    run(['ls'])\n    print(request.args['c'])\n"),
    ('a method of the class', CODE, "from flask import request\nclass R:\n    def run(self, c):\n        return __import__(c)\n    def f(self):\n        self.run(request.args['c'])\n", "from flask import request\nclass R:\n    def run(self, c):\n        return __import__(c)\n    def f(self):\n        self.run('json')\n        print(request.args['c'])\n"),
    ('a function that reads it', QUERY, "from flask import request\ndef g():\n    return request.args['q']\ndef f(cursor):\n    cursor.execute(g())\n", "from flask import request\ndef g():\n    return int(request.args['q'])\ndef f(cursor):\n    cursor.execute(g())\n"),
    ('a dictionary on the way', QUERY, "from flask import request\ndef f(cursor):\n    d = {'q': request.args['q'], 'n': 1}\n    cursor.execute(d['q'])\n", "from flask import request\ndef f(cursor):\n    d = {'q': request.args['q'], 'n': 'select 1'}\n    cursor.execute(d['n'])\n"),
    ('a loop', QUERY, 'from flask import request\ndef f(cursor):\n    for q in request.json:\n        cursor.execute(q)\n', "from flask import request\ndef f(cursor):\n    for q in request.json:\n        cursor.execute('select ?', (q,))\n"),
    ('a list that grows', QUERY, "from flask import request\ndef f(cursor):\n    parts = ['select']\n    parts.append(request.args['q'])\n    cursor.execute(' '.join(parts))\n", "from flask import request\ndef f(cursor):\n    parts = ['select']\n    parts.append('1')\n    cursor.execute(' '.join(parts))\n    print(request.args['q'])\n"),
    ('Django', QUERY, "from django.shortcuts import render\ndef view(request):\n    q = request.GET['q']\n    return M.objects.raw(q)\n", "from django.shortcuts import render\ndef view(request):\n    return M.objects.raw('select 1', [request.GET['q']])\n"),
    ('FastAPI', QUERY, "from fastapi import FastAPI\napp = FastAPI()\n@app.get('/')\ndef f(q: str):\n    db.execute(q)\n", "from fastapi import FastAPI\napp = FastAPI()\n@app.get('/')\ndef f(q: int):\n    db.execute(q)\n"),
    ('a body of FastAPI', QUERY, "from fastapi import FastAPI\nfrom pydantic import BaseModel\napp = FastAPI()\nclass B(BaseModel):\n    q: str\n@app.post('/')\ndef f(b: B):\n    db.execute(b.q)\n", "from fastapi import FastAPI, Depends\napp = FastAPI()\n@app.post('/')\ndef f(db=Depends(get_db), q=Depends(get_query)):\n    db.execute(q)\n"),
    ('Starlette', QUERY, "from starlette.requests import Request\nasync def f(req: Request):\n    data = await req.json()\n    db.execute(data['q'])\n", 'from starlette.requests import Request\nasync def f(req: Request):\n    db.execute(req.app.state.query)\n'),
    ('aiohttp', QUERY, "from aiohttp import web\nasync def f(request):\n    d = await request.post()\n    db.execute(d['q'])\n", "from aiohttp import web\nasync def f(request):\n    db.execute(request.app['query'])\n"),
    ('Tornado', QUERY, "import tornado.web\nclass H(tornado.web.RequestHandler):\n    def get(self):\n        db.execute(self.get_argument('q'))\n", "import tornado.web\nclass H(tornado.web.RequestHandler):\n    def get(self):\n        db.execute(self.settings['q'])\n"),
    ('Bottle', QUERY, 'from bottle import request\ndef f():\n    db.execute(request.query.q)\n', 'from bottle import request\ndef f():\n    db.execute(request.app.query)\n'),
    ('a route of Flask', QUERY, "from flask import Flask\napp = Flask(__name__)\n@app.route('/<q>')\ndef f(q):\n    db.execute(q)\n", "from flask import Flask\napp = Flask(__name__)\n@app.route('/<int:q>')\ndef f(q):\n    db.execute(q)\n"),
    ('pickle in C', LOADING, 'from flask import request\nimport _pickle\ndef f():\n    return _pickle.loads(request.data)\n', 'from flask import request\nimport json\ndef f():\n    return json.loads(request.data)\n'),
    ('arrays', LOADING, "from flask import request\nimport numpy\ndef f():\n    return numpy.load(request.files['f'], allow_pickle=True)\n", "from flask import request\nimport numpy\ndef f():\n    return numpy.load(request.files['f'])\n"),
    ('joblib', LOADING, "from flask import request\nimport joblib\ndef f():\n    return joblib.load(request.files['f'])\n", "from flask import request\nimport joblib\ndef f():\n    return joblib.dump(request.files['f'], 'x')\n"),
    ('weights', LOADING, "from flask import request\nimport torch\ndef f():\n    return torch.load(request.files['f'], weights_only=False)\n", "from flask import request\nimport torch\ndef f():\n    return torch.load(request.files['f'], weights_only=True)\n"),
    ('YAML', LOADING, 'from flask import request\nimport yaml\ndef f():\n    return yaml.unsafe_load(request.data)\n', 'from flask import request\nimport yaml\ndef f():\n    return yaml.safe_load(request.data)\n'),
    ('dill', LOADING, 'from flask import request\nimport dill\ndef f():\n    return dill.loads(request.data)\n', 'from flask import request\nimport dill\ndef f():\n    return dill.dumps(request.data)\n'),
    ('shelve', LOADING, "from flask import request\nimport shelve\ndef f():\n    return shelve.open(request.args['p'])\n", "from flask import request\nimport shelve\ndef f():\n    return request.args['p']\n"),
    ('marshal', LOADING, 'from flask import request\nimport marshal\ndef f():\n    return marshal.loads(request.data)\n', 'from flask import request\nimport marshal\ndef f():\n    return marshal.dumps(request.data)\n'),
    ('decoded data', LOADING, "from flask import request\nimport pickle, base64\ndef f():\n    return pickle.loads(base64.b64decode(request.cookies['s']))\n", "from flask import request\nimport pickle, base64\ndef f():\n    return base64.b64decode(request.cookies['s'])\n"),
    ('a variable called params', QUERY, "from flask import request\ndef f(c):\n    params = request.args['n']\n    c.execute(f'select * from t where n = {params}')\n", "from flask import request\ndef f(c):\n    ids = request.args.getlist('n')\n    params = ', '.join('?' for _ in ids)\n    c.execute(f'select * from t where n in ({params})', ids)\n"),
    ('an allow-list that decides nothing', QUERY, "from flask import request\ndef f(c):\n    n = request.args['n']\n    n in ('a', 'b')\n    c.execute('select * from t order by ' + n)\n", "from flask import request\ndef f(c):\n    n = request.args['n']\n    if n not in ('a', 'b'):\n        raise ValueError(n)\n    c.execute('select * from t order by ' + n)\n"),
    ('a check before another value', QUERY, "from flask import request\ndef f(c):\n    n = 'a'\n    if n in ('a', 'b'):\n        n = request.args['n']\n        c.execute('select * from t order by ' + n)\n", "from flask import request\ndef f(c):\n    n = request.args['n']\n    m = n if n in ('a', 'b') else 'a'\n    c.execute('select * from t order by ' + m)\n"),
    ('a check of the request by itself', QUERY, "from flask import request\ndef f(c):\n    n = request.args['n']\n    if n in request.args.values():\n        c.execute('select * from t order by ' + n)\n", "from flask import request\nALLOWED = {'a', 'b'}\ndef f(c):\n    n = request.args['n']\n    if n in ALLOWED:\n        c.execute('select * from t order by ' + n)\n"),
    ('a test of characters that is not used', QUERY, "from flask import request\ndef f(c):\n    n = request.args['n']\n    n.isdigit()\n    c.execute('select * from t where n = ' + n)\n", "from flask import request\ndef f(c):\n    n = request.args['n']\n    if not n.isdigit():\n        return\n    c.execute('select * from t where n = ' + n)\n"),
    ('the words of a text', SHELL, "from flask import request\nimport shlex\nimport subprocess\ndef f():\n    subprocess.run(shlex.split(request.args['c']), check=True)\n", 'from flask import request\nimport shlex\nimport subprocess\ndef f():\n    subprocess.run(shlex.split(\'ls -- \' + request.args[\'c\']), check=True)\n    subprocess.run(f"ls {request.args[\'c\']}".split(), check=True)\n'),
    ('a program whose name input completes', SHELL, 'from flask import request\nimport subprocess\ndef f():\n    subprocess.run(f"tool-{request.args[\'c\']} -l".split(), check=True)\n', 'from flask import request\nimport subprocess\ndef f():\n    subprocess.run(f"tool {int(request.args[\'c\'])} -l".split(), check=True)\n'),
    ('a configuration of logging', CODE, 'from flask import request\nimport logging.config\ndef f():\n    logging.config.dictConfig(request.get_json())\n', "from flask import request\nimport logging.config\ndef f():\n    logging.config.dictConfig({'version': 1, 'root': {'level': 'INFO'}})\n    print(request.get_json())\n"),
    ('a template of an engine', CODE, "from django.http import HttpResponse\nfrom django.template import engines\ndef view(request):\n    return HttpResponse(engines['django'].from_string(request.GET['t']).render({}))\n", "from django.http import HttpResponse\nfrom packaging.tags import Tag\ndef view(request):\n    return HttpResponse(str(Tag.from_string(request.GET['t'])))\n"),
    ('a module from a table', CODE, "from flask import request\nimport importlib\ndef f():\n    importlib.import_module({'a': 'math'}.get(request.args['m'], request.args['n']))\n", "from flask import request\nimport importlib\ndef f():\n    importlib.import_module({'a': 'math'}.get(request.args['m'], 'cmath'))\n"),
]  # fmt: skip
NAMES: list[Case] = [
    ('a function called int', QUERY, "def int(x):\n    return x\ndef f(c, x):\n    c.execute('select * from t where n = ' + int(x))\n", "def f(c, x):\n    c.execute(f'select * from t where n = {int(x)}')\n"),
    ('a function called quote_identifier', QUERY, "def quote_identifier(x):\n    return x\ndef f(c, x):\n    c.execute('select * from t where n = ' + quote_identifier(x))\n", 'def quote_identifier(x):\n    return \'"\' + x.replace(\'"\', \'""\') + \'"\'\ndef f(c, x):\n    c.execute(\'select * from t where n = \' + quote_identifier(x))\n'),
    ('a parameter called placeholders', QUERY, "def f(c, placeholders):\n    c.execute('select * from t where n = ' + placeholders)\n", "def f(c, n):\n    placeholders = ', '.join(['%s'] * n)\n    c.execute('select * from t where n in (' + placeholders + ')')\n"),
    ('a class called Literal', QUERY, "class Literal: ...\ndef f(c, x: Literal['a']):\n    c.execute('select * from t where n = ' + x)\n", "from typing import Literal\ndef f(c, x: Literal['a']):\n    c.execute('select * from t where n = ' + x)\n"),
    ('an attribute in capitals', QUERY, "class T: ...\ndef f(c, x):\n    T.NAME = x\n    c.execute('select * from t where n = ' + T.NAME)\n", "class T:\n    NAME = 'a'\ndef f(c):\n    c.execute('select * from t where n = ' + T.NAME)\n"),
    ('a function called range', QUERY, "def range(x):\n    return x\ndef f(c, x):\n    c.execute('select * from t where n = ' + range(x))\n", "def f(c, x):\n    c.execute('select * from t where n = %d' % len(x))\n"),
    ('a loader called SafeLoader', LOADING, 'import yaml\nclass SafeLoader(yaml.UnsafeLoader): ...\ndef f(x):\n    yaml.load(x, Loader=SafeLoader)\n', 'import yaml\nclass OurLoader(yaml.SafeLoader): ...\ndef f(x):\n    yaml.load(x, Loader=OurLoader)\n'),
]  # fmt: skip
CASES = [*FLOWS, *NAMES]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Evidence]]:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES)


@pytest.mark.parametrize("number", range(len(FLOWS)), ids=[each[0] for each in FLOWS])
def test_input_that_reaches_a_dangerous_call_is_confirmed_with_its_way(
    number: int, found: dict[str, list[Evidence]]
) -> None:
    seen = [each for each in found[f"shop{number}/hostile.py"] if each.probe == FLOWS[number][1]]
    (flow,) = [each for each in seen if " reaches `" in each.statement]
    assert flow.confidence >= 0.8
    lines = {place.start for place in flow.locations if isinstance(place, CodeLocation)}
    assert {int(line) for line in re.findall(r"\(line (\d+)\)", flow.statement)} <= lines


@pytest.mark.parametrize("number", range(len(FLOWS), len(CASES)), ids=[each[0] for each in NAMES])
def test_a_name_exempts_nothing(number: int, found: dict[str, list[Evidence]]) -> None:
    assert [each.probe for each in found[f"shop{number}/hostile.py"]] == [CASES[number][1]]


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each[0] for each in CASES])
def test_what_is_provably_harmless_is_not(number: int, found: dict[str, list[Evidence]]) -> None:
    assert [each.statement for each in found[f"shop{number}/benign.py"] if each.confidence >= 0.5] == []
