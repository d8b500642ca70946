"""Request input in calls of libraries that do harm with it, each beside a harmless twin: queries, code, programs, files and addresses."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.seeing import sites

SQL, CODE, SHELL = "code.sql_from_strings", "code.dynamic_code", "code.shell_execution"
PATH, ADDRESS = "code.path_traversal", "code.request_forgery"
FLASK = "from flask import request\n"
EXPRESS = "const express = require('express');\nconst { spawn } = require('child_process');\n"
GO = 'package a\nimport ("net/http"; "os/exec"; "gorm.io/gorm"; "net/http/httputil")\n'
SPRING = "import org.springframework.web.bind.annotation.*;\n"


class Case(NamedTuple):
    """A probe, a language, what both files begin with, and the two ways to go on."""

    name: str
    probe: str
    language: str
    head: str
    hostile: str
    benign: str


def python(name: str, probe: str, hostile: str, benign: str, head: str = "") -> Case:
    """Two statements of a view of Flask."""
    return Case(name, probe, "python", f"{FLASK}{head}\n\ndef view(a):\n", f"    {hostile}\n", f"    {benign}\n")


def express(name: str, probe: str, hostile: str, benign: str, head: str = "") -> Case:
    """Two statements of a handler of Express."""
    both = (f"express().post('/a', (req, res) => {{ {each} }});\n" for each in (hostile, benign))
    return Case(name, probe, "javascript", EXPRESS + head, *both)


def go(name: str, probe: str, hostile: str, benign: str) -> Case:
    """Two statements of a handler in Go."""
    both = (
        f"func A(db *gorm.DB, w http.ResponseWriter, r *http.Request) {{\n{each}\n}}\n" for each in (hostile, benign)
    )
    return Case(name, probe, "go", GO, *both)


def spring(name: str, probe: str, imports: str, hostile: str, benign: str) -> Case:
    """Two statements of a handler in Java."""
    both = (
        f'@RestController\nclass A {{\n@GetMapping("/a") Object a(@RequestParam String by) throws Exception {{\n{each}\n}}\n}}\n'
        for each in (hostile, benign)
    )
    return Case(name, probe, "java", f"import {imports};\n{SPRING}", *both)


CASES = [
    python("an operator of SQLAlchemy", SQL, "return Order.total.op(request.args['op'])(5)", "return Order.total.op(OPERATORS[request.args['op']])(5)"),
    python("a prefix of a query", SQL, "return select(Order).prefix_with(request.args['plan'])", "return select(Order).prefix_with('DISTINCT')"),
    python("a column that is text", SQL, "return literal_column(request.args['by'])", "return literal_column('total')", "from sqlalchemy import literal_column"),
    python("lookups of Django", SQL, "return Order.objects.filter(**request.args.to_dict())", "return Order.objects.filter(**{k: request.args[k] for k in LOOKUPS})"),
    python("a condition of MongoDB", SQL, "return users.find_one(request.get_json())", "return users.find_one({'name': request.args['name']})"),
    python("a function by its name", CODE, "return resolve_name(request.args['name'])()", "return resolve_name('shop.csv:render')()", "from pkgutil import resolve_name"),
    python("a loader of Scrapy", CODE, "return load_object(request.args['name'])", "return load_object(PIPELINE)", "from scrapy.utils.misc import load_object"),
    python("variables of a program", SHELL, "subprocess.run(['bin/a'], env={**os.environ, **request.get_json()}, check=True)", "subprocess.run(['bin/a'], env={**os.environ, 'LANG': request.args['lang']}, check=True)", "import os, subprocess"),
    python("options of a call", SHELL, "subprocess.run(['bin/a'], **request.get_json())", "subprocess.run(['bin/a'], **OPTIONS)", "import subprocess"),
    python("an option of git", SHELL, "subprocess.run(['git', 'diff', request.args['since']], check=True)", "subprocess.run(['git', 'diff', '--', request.args['path']], check=True)", "import subprocess"),
    python("an option of git behind a check", SHELL, "subprocess.run(['git', 'diff', a or request.args['since']], check=True)", "if a.startswith('-'): return\n    subprocess.run(['git', 'diff', request.args['since']], check=True)", "import subprocess"),
    python("a variable of make", SHELL, "subprocess.run(['make', 'label', 'NAME=' + request.form['name']], check=True)", "subprocess.run(['make', 'label', 'NAME=shop'], check=True)", "import subprocess"),
    python("the prefix of a temporary file", PATH, "return NamedTemporaryFile(prefix=request.args['name'])", "return NamedTemporaryFile(suffix=request.args['name'])", "from tempfile import NamedTemporaryFile"),
    python("an address of fsspec", ADDRESS, "return fsspec.open(request.args['source'])", "return fsspec.open('https://files.example/' + request.args['source'])", "import fsspec"),
    express("options of a template", CODE, "res.render('a', { title: 'A', ...req.query });", "res.render('a', { ...DEFAULTS, text: req.query.text });"),
    express("a path of JSON", CODE, "res.json(JSONPath({ path: req.query.part, json: DATA }));", "res.json(JSONPath({ path: '$.a', json: req.body }));", "const { JSONPath } = require('jsonpath-plus');\n"),
    express("options of a program", SHELL, "spawn('bin/a', [], { timeout: 1, ...req.body });", "spawn('bin/a', [], { env: { ...process.env, NAME: String(req.body.name) } });"),
    express("an option of git", SHELL, "spawn('git', ['clone', req.query.url]);", "spawn('git', ['clone', '--', req.query.url]);"),
    express("a line that env splits", SHELL, "spawn('/usr/bin/env', ['--split-string', req.query.line]);", "spawn('/usr/bin/env', ['-S', 'node a.js']);"),
    express("a condition of MongoDB", SQL, "User.findOne(req.body);", "User.findOne({ mail: req.body.mail });"),
    express("a condition of Prisma", SQL, "const { where } = req.body; db.order.findMany({ where });", "db.order.findMany({ where: { id: req.body.id } });", "const { PrismaClient } = require('@prisma/client');\nconst db = new PrismaClient();\n"),
    go("an option of git", SHELL, 'exec.Command("git", "diff", r.FormValue("ref")).Run()', 'exec.Command("git", "diff", "--", r.FormValue("path")).Run()'),
    go("a line that env splits", SHELL, 'exec.Command("env", "--split-string="+r.FormValue("line")).Run()', 'exec.Command("env", "LINE="+r.FormValue("line"), "bin/a").Run()'),
    go("a condition of gorm", SQL, 'db.First(&account, r.PathValue("id"))', 'db.First(&account, "id = ?", r.PathValue("id"))'),
    go("an order of gorm", SQL, 'db.Order(r.FormValue("by")).Find(&orders)', 'db.Order("total").Find(&orders)'),
    go("the host of a proxy", ADDRESS, '_ = httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.Out.URL.Host = p.In.Header.Get("X-Region") }}', '_ = httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.Out.URL.Host = "eu.shop.example" }}'),
    spring("an unsafe order", SQL, "org.springframework.data.jpa.domain.JpaSort", "return orders.find(JpaSort.unsafe(by));", 'return orders.find(JpaSort.unsafe("LENGTH(name)"));'),
    spring("a database that is named", CODE, "java.sql.DriverManager", "return DriverManager.getConnection(by);", "return DriverManager.getConnection(ADDRESS);"),
    spring("a resource that is named", PATH, "org.springframework.core.io.ResourceLoader", "return loader.getResource(by);", 'return loader.getResource("classpath:logo.png");'),
    Case("an expression in C#", CODE, "csharp", "using System.Linq.Dynamic.Core;\nusing Microsoft.AspNetCore.Mvc;\n", "public class A : ControllerBase {\n[HttpGet] public object Find(string by) => Orders.Where(by);\n}\n", "public class A : ControllerBase {\n[HttpGet] public object Find(string by) => Orders.Where(each => each.Name == by);\n}\n"),
    Case("a function of a filter", CODE, "php", "<?php\n", "$a = filter_input(INPUT_GET, 'a', FILTER_CALLBACK, ['options' => $_GET['style']]);\n", "$a = filter_input(INPUT_GET, 'a', FILTER_CALLBACK, ['options' => 'ucfirst']);\n"),
    Case("a lock clause", SQL, "ruby", "class A < ApplicationController\n", "def a\nStock.lock(params[:mode])\nend\nend\n", "def a\nStock.where(id: params[:id]).lock(true)\nend\nend\n"),
    Case("an expression in Rust", SQL, "rust", "use axum::extract::Query;\nuse sea_orm::sea_query::Expr;\n", "async fn a(Query(by): Query<By>) { let _ = Expr::cust(by.text); }\n", 'async fn a(Query(by): Query<By>) { let _ = Expr::cust("total > 5"); }\n'),
    python("an expression of XPath", SQL, "return a.xpath(\"till[@code='%s']\" % request.form['code'])", "return a.xpath('till[@code=$code]', code=request.form['code'])", "from lxml import etree"),
    python("an expression of XPath in a file", SQL, "return TILLS.xpath(f\"till[@code='{request.form['code']}']\")", "return TILLS.xpath('till[@code=$code]', code=request.form['code'])", "from lxml import etree\nTILLS = etree.XML('<tills/>')"),
    python("a filter of a directory", SQL, "with ldap3.Connection(SERVER) as people: return people.search(BASE, f\"(uid={request.form['name']})\")", "with ldap3.Connection(SERVER) as people: return people.search(BASE, f\"(uid={escape_filter_chars(request.form['name'])})\")", "import ldap3\nfrom ldap3.utils.conv import escape_filter_chars"),
    python("a page that is made a file", ADDRESS, "return HTML(string='<p>' + request.form['note']).write_pdf()", "return HTML(string='<p>' + escape(request.form['note'])).write_pdf()", "from html import escape\nfrom weasyprint import HTML"),
    python("an extension of a database", CODE, "return apsw.Connection('a.db').loadextension(request.args['name'])", "return apsw.Connection('a.db').loadextension('./fts5')", "import apsw"),
    python("a library that is loaded", CODE, "return FFI().dlopen('/opt/' + request.args['name'])", "return FFI().dlopen('/opt/' + LIBRARIES[request.args['name']])", "from cffi import FFI"),
    python("a formula of sympy", CODE, "return sympy.integrate(request.args['f'])", "return sympy.integrate(FORMULAS[request.args['f']])", "import sympy"),
    python("a function of sympy", CODE, "return sympy.lambdify(X, request.args['f'])", "return sympy.lambdify(request.args['f'], X + 1)", "import sympy"),
    python("templates of a table", CODE, "pages = {'a': '<p>'}\n    pages['b'] = '<b>' + request.form['b']\n    return tornado.template.DictLoader(pages)", "pages = {'a': '<p>'}\n    return tornado.template.DictLoader(pages).load('a').generate(b=request.form['b'])", "import tornado.template"),
    python("a template of Bottle", CODE, "return bottle.template(request.form['page'])", "return bottle.template('<p>{{text}}', text=request.form['text'])", "import bottle"),
    python("what is timed", CODE, "return timeit.repeat('1', request.form['setup'])", "return timeit.repeat('1', repeat=int(request.form['n']))", "import timeit"),
    python("what is profiled", CODE, "return cProfile.run(request.form['rule'])", "return cProfile.run('main()', request.form['name'])", "import cProfile"),
    python("the type of a function", CODE, "return type(view)(compile(request.form['rule'], 'a', 'exec'), {})()", "return type(a)(compile(request.form['rule'], 'a', 'exec'), {})"),
    python("a function of compiled code", CODE, "return FunctionType(RULES[0] or request.get_data(), {})", "return FunctionType(RULES[0], {'text': request.get_data()})", "from types import FunctionType"),
    express("an expression of XPath", SQL, "xpath.select(`//till[@code='${req.body.code}']`, TILLS);", "xpath.select('//till', TILLS).find((each) => each.code === req.body.code);", "const xpath = require('xpath');\n"),
    express("all that is asked of Prisma", SQL, "const page = req.body; db.order.findMany({ where: { shopId }, ...page });", "const { skip, take } = req.body; db.order.findMany({ where: { shopId }, skip, take });"),
    express("a page that a browser loads", ADDRESS, "page.setContent(req.body.html);", "page.setContent('<p>paid</p>');", "const puppeteer = require('puppeteer');\n"),
    spring("an option of git in Java", SHELL, "java.util.List", 'return new ProcessBuilder("git", "clone", by).start();', 'return new ProcessBuilder("git", "clone", "--", by).start();'),
    spring("an option of tar in an array", SHELL, "java.util.List", 'return Runtime.getRuntime().exec(new String[] {"tar", "-x", "-f", "a.tar", by});', 'return Runtime.getRuntime().exec(new String[] {"tar", "-x", "-f", "a.tar", "--", by});'),
    spring("an expression of XPath in Java", SQL, "javax.xml.xpath.XPath", 'return xpath.evaluate("//till[@code=\'" + by + "\']", TILLS);', 'return xpath.evaluate("//till[@code=$code]", TILLS);'),
    Case("an option of git in Ruby", SHELL, "ruby", "class A < ApplicationController\n", "def a\nsystem('git', 'clone', params[:url])\nend\nend\n", "def a\nsystem('git', 'clone', '--', params[:url])\nend\nend\n"),
    Case("a line that env splits in Ruby", SHELL, "ruby", "class A < ApplicationController\n", "def a\nsystem('env', '-i', '-S', params[:line])\nend\nend\n", "def a\nsystem('env', '-i', 'bin/a', '-S', params[:line])\nend\nend\n"),
    Case("an option of curl in Ruby", SHELL, "ruby", "class A < ApplicationController\n", "def a\nOpen3.capture2('curl', params[:url])\nend\nend\n", "def a\nreturn if params[:url].start_with?('-')\nOpen3.capture2('curl', params[:url])\nend\nend\n"),
    Case("an option of git in PHP", SHELL, "php", "<?php\nuse Symfony\\Component\\Process\\Process;\n", "$p = new Process(['git', 'clone', $_GET['url']]);\n", "$p = new Process(['git', 'clone', '--', $_GET['url']]);\n"),
    Case("an option of git in a line of C#", SHELL, "csharp", "using System.Diagnostics;\nusing Microsoft.AspNetCore.Mvc;\n", "public class A : ControllerBase {\n[HttpGet] public object Find(string url) => Process.Start(\"git\", \"clone \" + url);\n}\n", "public class A : ControllerBase {\n[HttpGet] public object Find(string url) => Process.Start(\"git\", \"clone -- \" + url);\n}\n"),
    Case("an option of git in a list of C#", SHELL, "csharp", "using System.Diagnostics;\nusing Microsoft.AspNetCore.Mvc;\n", "public class A : ControllerBase {\n[HttpGet] public object Find(string url) { var info = new ProcessStartInfo(\"git\"); info.ArgumentList.Add(\"clone\"); info.ArgumentList.Add(url); return Process.Start(info); }\n}\n", "public class A : ControllerBase {\n[HttpGet] public object Find(string url) { var info = new ProcessStartInfo(\"git\"); info.ArgumentList.Add(\"clone\"); info.ArgumentList.Add(\"--\"); info.ArgumentList.Add(url); return Process.Start(info); }\n}\n"),
    Case("an option of git in Rust", SHELL, "rust", "use axum::extract::Query;\nuse std::process::Command;\n", "async fn a(Query(by): Query<By>) { let _ = Command::new(\"git\").arg(\"clone\").arg(by.url).status(); }\n", "async fn a(Query(by): Query<By>) { let _ = Command::new(\"git\").arg(\"clone\").arg(\"--\").arg(by.url).status(); }\n"),
    Case("a sender of mail in PHP", SHELL, "php", "<?php\n", "mb_send_mail('a@shop.example', 'A', 'B', [], '-f' . $_POST['sender']);\n", "mb_send_mail('a@shop.example', 'A', $_POST['text'], [], '-f desk@shop.example');\n"),
    Case("a list of arguments of a sender of mail", SHELL, "php", "<?php\n", "$m = ['a@shop.example', 'A'];\nmail(...$m, ...['B', '', '-f' . $_POST['sender']]);\n", "$m = ['a@shop.example', $_POST['title']];\nmail(...$m, ...[$_POST['text'], '', '-f desk@shop.example']);\n"),
    Case("a filter of a directory in PHP", SQL, "php", "<?php\n", "$a = ldap_search($c, BASE, '(uid=' . $_POST['name'] . ')');\n", "$a = ldap_search($c, BASE, '(uid=' . ldap_escape($_POST['name'], '', LDAP_ESCAPE_FILTER) . ')');\n"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[each.name for each in CASES])
def test_request_input_in_a_library_is_reported(case: Case) -> None:
    assert sites(case.probe, case.head + case.hostile, case.language)


@pytest.mark.parametrize("case", CASES, ids=[each.name for each in CASES])
def test_what_only_looks_like_it_is_not(case: Case) -> None:
    assert sites(case.probe, case.head + case.benign, case.language) == []
