"""Untrusted input that reaches a dangerous call through a subclass, a table, a field or options, beside code that is harmless."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial.authors.drawing import CODE, FORGERY, LOADING, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names

_FLASK = "import subprocess, shlex, requests\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n@app.post('/x')\ndef run():\n"
PYTHON: list[Case] = [
    ("options of a packer", SHELL, _FLASK + "    more = request.json['more'].split()\n    subprocess.run(['/bin/tar', '-cf', 'out.tar', *more, 'data'], check=True)\n", _FLASK + "    more = request.json['more'].split()\n    subprocess.run(['/bin/tar', '-cf', 'out.tar', '--', *more], check=True)\n    subprocess.run(['echo', *more], check=True)\n"),
    ("a request that is prepared", FORGERY, _FLASK + "    made = requests.Request('GET', f\"https://{request.args['shop']}/state\").prepare()\n    return requests.Session().send(made, timeout=3).text\n", _FLASK + "    made = requests.Request('GET', 'https://shop.example/state', params=request.args).prepare()\n    return requests.Session().send(made, timeout=3).text\n"),
]  # fmt: skip
_EXPRESS = "const express = require('express');\nconst app = express();\n"
JAVASCRIPT: list[Case] = [
    ("part of a query", QUERY, _EXPRESS + "const { literal } = require('sequelize');\napp.get('/a', async (req, res) => res.json(await Item.findAll({ order: literal(req.query.by) })));\n", _EXPRESS + "const { literal } = require('sequelize');\napp.get('/a', async (req, res) => res.json(await Item.findAll({ order: literal('rank DESC'), limit: Number(req.query.n) })));\n"),
    ("a template through a table", CODE, _EXPRESS + "const ejs = require('ejs');\nconst views = { page: ejs.render };\napp.post('/a', (req, res) => res.end(views.page(req.body.page)));\n", _EXPRESS + "const ejs = require('ejs');\nconst views = { page: ejs.render };\napp.post('/a', (req, res) => res.end(views.page('<b><%= t %></b>', { t: req.body.page })));\n"),
    ("a client of a chosen host", FORGERY, _EXPRESS + "const { GraphQLClient } = require('graphql-request');\napp.get('/a', (req, res) => res.json(new GraphQLClient(`http://${req.query.zone}/q`)));\n", _EXPRESS + "const { GraphQLClient } = require('graphql-request');\napp.get('/a', (req, res) => res.json(new GraphQLClient(`http://shop.example/${req.query.zone}`)));\n"),
    ("a module that is compiled by its key", CODE, "const Module = require('module');\nconst made = new Module('x');\nmade['_compile'](require('./text.json')[0], 'x');\n", "const Module = require('module');\nconst made = new Module('x');\nmade['_compile']('exports.a = 1', 'x');\n"),
]  # fmt: skip
_GO = 'package shop\n\nimport (\n\t"net/http"\n\t"net/http/httputil"\n)\n\nvar Proxy = &httputil.ReverseProxy{Director: func(in *http.Request) {\n\t%s\n}}\n'
GO: list[Case] = [
    ("a host that a header sets", FORGERY, _GO % 'in.URL.Host = in.Header.Get("X-Shop") + ".internal"', _GO % 'in.URL.Host = "shop.internal"\n\tin.URL.Path = "/" + in.Header.Get("X-Shop")'),
]  # fmt: skip
_SPRING = 'import java.io.*;\nimport org.springframework.web.bind.annotation.*;\n\n@RestController\npublic class Stock {\n    static class Box extends ObjectInputStream {\n        Box(InputStream in) throws IOException {\n            super(in);\n        }\n    }\n\n    @PutMapping("/stock")\n    public Object put(%s) throws Exception {\n        %s\n    }\n}\n'
JAVA: list[Case] = [
    ("a subclass of a reader of objects", LOADING, _SPRING % ("InputStream sent", "Box box = new Box(sent);\n        return box.readObject();"), _SPRING % ("InputStream sent", "Box box = new Box(new FileInputStream(\"stock.bin\"));\n        return sent.available() > 0 ? box.readObject() : null;")),
    ("a subclass with a filter", LOADING, _SPRING % ("InputStream sent", "Box box = new Box(sent);\n        return box.readUnshared();"), _SPRING % ("InputStream sent", "Box box = new Box(sent);\n        box.setObjectInputFilter(ONLY_STOCK);\n        return box.readUnshared();")),
    ("a parameter without an annotation", SHELL, _SPRING % ("String name", "return Runtime.getRuntime().exec(\"lp \" + name);"), _SPRING % ("int name", "return Runtime.getRuntime().exec(\"lp \" + name);")),
    ("a class whose name is turned round", SHELL, _SPRING % ("@RequestParam String name", "Class<?> c = Class.forName(new StringBuffer(\"emitnuR.gnal.avaj\").reverse().toString());\n        var run = c.getMethod(\"exe\" + \"c\", String.class);\n        return run.invoke(c.getMethod(\"getRuntime\").invoke(null), name);"), _SPRING % ("@RequestParam String name", "Class<?> c = Class.forName(new StringBuffer(\"gnirtS.gnal.avaj\").reverse().toString());\n        return c.getMethod(\"val\" + \"ueOf\", Object.class).invoke(null, name);")),
]  # fmt: skip
PHP: list[Case] = [
    ("a page behind a folder", CODE, "<?php\n\n$part = $_GET['part'] ?? 'start';\nrequire_once __DIR__ . '/parts/' . $part . '.php';\n", "<?php\n\n$part = $_GET['part'] === 'cart' ? 'cart' : 'start';\nrequire_once __DIR__ . '/parts/' . $part . '.php';\n"),
    ("functions of a constant", SHELL, "<?php\n\nfinal class Line\n{\n    private const ALL = ['ltrim', 'passthru'];\n\n    public function put(): void\n    {\n        $text = 'lp ' . $_POST['t'];\n        foreach (self::ALL as $one) {\n            $one($text);\n        }\n    }\n}\n", "<?php\n\nfinal class Line\n{\n    private const ALL = ['ltrim', 'strtolower'];\n\n    public function put(): void\n    {\n        $text = 'lp ' . $_POST['t'];\n        foreach (self::ALL as $one) {\n            $text = $one($text);\n        }\n    }\n}\n"),
    ("functions of a field", SHELL, "<?php\n\nfinal class Line\n{\n    private array $all = ['ltrim', 'system'];\n\n    public function put(): void\n    {\n        foreach ($this->all as $one) {\n            call_user_func($one, $_POST['t']);\n        }\n    }\n}\n", "<?php\n\nfinal class Line\n{\n    private array $all = ['ltrim', 'ucfirst'];\n\n    public function put(): void\n    {\n        foreach ($this->all as $one) {\n            call_user_func($one, $_POST['t']);\n        }\n    }\n}\n"),
]  # fmt: skip
LANGUAGES = {"py": PYTHON, "js": JAVASCRIPT, "go": GO, "java": JAVA, "php": PHP}
EVERY = [(suffix, number) for suffix, cases in LANGUAGES.items() for number in range(len(cases))]
IDS = [f"{suffix}-{name}" for suffix, cases in LANGUAGES.items() for name in names(cases)]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    """What is found in each file, in one repository a language."""
    target: Path = tmp_path_factory.mktemp("shop")
    return {suffix: evidence_by_case(target / suffix, cases, suffix) for suffix, cases in LANGUAGES.items()}


@pytest.mark.parametrize(("suffix", "number"), EVERY, ids=IDS)
def test_input_that_takes_another_way_is_seen(suffix: str, number: int, found: dict[str, Found]) -> None:
    assert_is_found(found[suffix], number, LANGUAGES[suffix][number], suffix)


@pytest.mark.parametrize(("suffix", "number"), EVERY, ids=IDS)
def test_what_only_looks_like_it_is_silent(suffix: str, number: int, found: dict[str, Found]) -> None:
    assert_is_silent(found[suffix], number, suffix)
