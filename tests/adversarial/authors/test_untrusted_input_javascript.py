"""Untrusted input in JavaScript that reaches a dangerous call, and the same code where it does not."""

# ruff: noqa: S608 - sources that are read and never run

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, LOADING, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names

CP = 'const cp = require("child_process")\n'
APP = 'const express = require("express")\nconst app = express()\n'
PG = 'const { Pool } = require("pg")\nconst pool = new Pool()\n'
CASES: list[Case] = [
    ("a whole command", SHELL, CP + 'module.exports = (req, res) => {\n  cp.exec(req.query.c)\n}\n', CP + 'module.exports = (req, res) => {\n  cp.execFile("ls", [req.query.c])\n}\n'),
    ("a template text", SHELL, CP + 'exports.f = function (req, res) {\n  const { host } = req.body\n  cp.execSync(`ping ${host}`)\n}\n', CP + 'exports.f = function (req, res) {\n  const { count } = req.body\n  cp.execSync(`ping -c ${Number(count)} localhost`)\n}\n'),
    ("other names of the parameters", SHELL, CP + APP + 'app.get("/", (a, b) => {\n  cp.exec("ls " + a.query.dir)\n})\n', CP + APP + 'app.get("/", (a, b) => {\n  b.send(a.query.dir)\n  cp.execFile("ls", ["-l"])\n})\n'),
    ("a handler with a name", SHELL, CP + APP + 'function list(q, r) {\n  cp.exec("ls " + q.params.dir)\n}\napp.get("/:dir", list)\n', CP + APP + 'function list(q, r) {\n  cp.execFile("ls", ["--", q.params.dir])\n}\napp.get("/:dir", list)\n'),
    ("a destructured request", SHELL, CP + 'exports.f = ({ query }, res) => {\n  cp.exec("ls " + query.d)\n}\n', CP + 'exports.f = ({ query }, res) => {\n  res.json(query.d)\n}\n'),
    ("the program", SHELL, CP + 'exports.f = (req, res) => {\n  cp.spawn(req.body.program, ["-l"])\n}\n', CP + 'exports.f = (req, res) => {\n  cp.spawn("ls", [req.body.program])\n}\n'),
    ("a shell option", SHELL, CP + 'exports.f = (req, res) => {\n  cp.spawn("ls", [req.body.d], { shell: true })\n}\n', CP + 'exports.f = (req, res) => {\n  cp.spawn("ls", [req.body.d], { shell: false })\n}\n'),
    ("a shell among the words", SHELL, CP + 'exports.f = (req, res) => {\n  const words = ["-c", "ls " + req.body.d]\n  cp.spawn("bash", words)\n}\n', CP + 'exports.f = (req, res) => {\n  const words = ["run.sh", req.body.d]\n  cp.spawn("bash", words)\n}\n'),
    ("Koa", SHELL, CP + 'const Router = require("koa-router")\nconst router = new Router()\nrouter.post("/", async (c) => {\n  cp.exec(c.request.body.cmd)\n})\n', CP + 'const Router = require("koa-router")\nconst router = new Router()\nrouter.post("/", async (c) => {\n  cp.execFile("ls", [c.request.body.cmd])\n})\n'),
    ("Fastify", SHELL, CP + 'const fastify = require("fastify")()\nfastify.get("/", async (request, reply) => {\n  cp.exec("ls " + request.query.d)\n})\n', CP + 'const fastify = require("fastify")()\nfastify.get("/", async (request, reply) => {\n  return request.query.d\n})\n'),
    ("a route of Next", SHELL, 'import { exec } from "node:child_process"\nexport async function POST(request) {\n  const { cmd } = await request.json()\n  exec(cmd)\n}\n', 'import { execFile } from "node:child_process"\nexport async function POST(request) {\n  const { cmd } = await request.json()\n  execFile("ls", [cmd])\n}\n'),
    ("an alias of the request", SHELL, CP + 'exports.f = (req, res) => {\n  const r = req\n  cp.exec(r["query"]["c"])\n}\n', CP + 'exports.f = (req, res) => {\n  const r = { query: { c: "ls" } }\n  cp.execFile(r["query"]["c"])\n}\n'),
    ("a whole query", QUERY, PG + 'exports.f = async (req, res) => {\n  await pool.query(req.body.sql)\n}\n', PG + 'exports.f = async (req, res) => {\n  await pool.query("select $1", [req.body.sql])\n}\n'),
    ("a query that is built", QUERY, PG + 'exports.f = async (req, res) => {\n  const name = req.query.name.trim()\n  await pool.query("select * from t where n = \'" + name + "\'")\n}\n', PG + 'exports.f = async (req, res) => {\n  const name = parseInt(req.query.name, 10)\n  await pool.query("select * from t where n = " + name)\n}\n'),
    ("a variable called params", QUERY, PG + 'exports.f = async (req, res) => {\n  const params = req.query.name\n  await pool.query(`select * from t where n = ${params}`)\n}\n', PG + 'exports.f = async (req, res) => {\n  const params = req.query.names.map((_, i) => "$" + i).join()\n  await pool.query("select * from t where n = any($1)", [req.query.names])\n}\n'),
    ("a function called sanitize", QUERY, PG + 'function sanitize(x) {\n  return x\n}\nexports.f = async (req, res) => {\n  await pool.query("select * from t where n = \'" + sanitize(req.query.n) + "\'")\n}\n', PG + 'function sanitize(x) {\n  return x.replace(/[^a-z0-9]/gi, "")\n}\nexports.f = async (req, res) => {\n  await pool.query("select * from t where n = \'" + sanitize(req.query.n) + "\'")\n}\n'),
    ("an allow-list that decides nothing", QUERY, PG + 'const COLUMNS = ["a", "b"]\nexports.f = async (req, res) => {\n  const sort = req.query.sort\n  COLUMNS.includes(sort)\n  await pool.query("select * from t order by " + sort)\n}\n', PG + 'const COLUMNS = ["a", "b"]\nexports.f = async (req, res) => {\n  const sort = req.query.sort\n  if (!COLUMNS.includes(sort)) {\n    return res.sendStatus(400)\n  }\n  await pool.query("select * from t order by " + sort)\n}\n'),
    ("an allow-list that the request fills", QUERY, PG + 'exports.f = async (req, res) => {\n  const allowed = req.body.allowed\n  const sort = req.query.sort\n  if (allowed.includes(sort)) {\n    await pool.query("select * from t order by " + sort)\n  }\n}\n', PG + 'exports.f = async (req, res) => {\n  const allowed = new Set(["a", "b"])\n  const sort = req.query.sort\n  if (allowed.has(sort)) {\n    await pool.query("select * from t order by " + sort)\n  }\n}\n'),
    ("a form that is not anchored", QUERY, PG + 'exports.f = async (req, res) => {\n  if (!/^\\w+/.test(req.query.sort)) return\n  await pool.query("select * from t order by " + req.query.sort)\n}\n', PG + 'exports.f = async (req, res) => {\n  if (!/^\\w+$/.test(req.query.sort)) return\n  await pool.query("select * from t order by " + req.query.sort)\n}\n'),
    ("a list that grows", QUERY, PG + 'exports.f = async (req, res) => {\n  const parts = ["select * from t where 1 = 1"]\n  parts.push("and n = " + req.query.n)\n  await pool.query(parts.join(" "))\n}\n', PG + 'exports.f = async (req, res) => {\n  const parts = ["select * from t where 1 = 1"]\n  const values = []\n  if (req.query.n) {\n    parts.push("and n = $1")\n    values.push(req.query.n)\n  }\n  await pool.query(parts.join(" "), values)\n}\n'),
    ("a helper of the file", QUERY, PG + 'function run(sql) {\n  return pool.query(sql)\n}\nexports.f = (req, res) => {\n  run("delete from t where id = " + req.params.id)\n}\n', PG + 'function run(sql, values) {\n  return pool.query(sql, values)\n}\nexports.f = (req, res) => {\n  run("delete from t where id = $1", [req.params.id])\n}\n'),
    ("a function that reads it", QUERY, PG + 'const term = (req) => req.query.term || ""\nexports.f = (req, res) => {\n  pool.query("select * from t where n like \'%" + term(req) + "%\'")\n}\n', PG + 'const term = (req) => Number(req.query.term || 0)\nexports.f = (req, res) => {\n  pool.query("select * from t where n = " + term(req))\n}\n'),
    ("a callback over members", QUERY, PG + 'exports.f = (req, res) => {\n  req.body.ids.forEach((id) => {\n    pool.query("delete from t where id = " + id)\n  })\n}\n', PG + 'exports.f = (req, res) => {\n  req.body.ids.forEach((id) => {\n    pool.query("delete from t where id = $1", [id])\n  })\n}\n'),
    ("an object with the text", QUERY, PG + 'exports.f = (req, res) => {\n  pool.query({ text: "select " + req.query.c, values: [] })\n}\n', PG + 'exports.f = (req, res) => {\n  pool.query({ text: "select $1", values: [req.query.c] })\n}\n'),
    ("the library's own quoting of another library", QUERY, PG + 'const mysql = { escape: (x) => x }\nexports.f = (req, res) => {\n  pool.query("select * from t where n = " + mysql.escaped(req.query.n) + req.query.n)\n}\n', 'const mysql = require("mysql2")\nconst pool = mysql.createPool({})\nexports.f = (req, res) => {\n  pool.query("select * from t where n = " + mysql.escape(req.query.n))\n}\n'),
    ("evaluated text", CODE, 'exports.f = (req, res) => {\n  res.json(eval(req.body.expression))\n}\n', 'exports.f = (req, res) => {\n  res.json(JSON.parse(req.body.expression))\n}\n'),
    ("a function of text", CODE, 'exports.f = (req, res) => {\n  const g = new Function("x", "return " + req.query.e)\n  res.json(g(1))\n}\n', 'exports.f = (req, res) => {\n  const g = (x) => x + req.query.e\n  res.json(g(1))\n}\n'),
    ("a virtual machine", CODE, 'const vm = require("vm")\nexports.f = (req, res) => {\n  vm.runInNewContext(req.body.code, {})\n}\n', 'const vm = require("vm")\nexports.f = (req, res) => {\n  res.json(vm.isContext(req.body))\n}\n'),
    ("a timer", CODE, 'exports.f = (req, res) => {\n  setTimeout(req.query.code, 10)\n}\n', 'exports.f = (req, res) => {\n  setTimeout(() => res.json(req.query.code), 10)\n}\n'),
    ("a module", CODE, 'exports.f = (req, res) => {\n  const plugin = require("./plugins/" + req.params.name)\n  plugin(res)\n}\n', 'const PLUGINS = { a: "./plugins/a" }\nexports.f = (req, res) => {\n  const plugin = require(PLUGINS[req.params.name])\n  plugin(res)\n}\n'),
    ("a template", CODE, 'const ejs = require("ejs")\nexports.f = (req, res) => {\n  res.send(ejs.render(req.body.template, {}))\n}\n', 'const ejs = require("ejs")\nexports.f = (req, res) => {\n  res.send(ejs.render("<b><%= t %></b>", { t: req.body.template }))\n}\n'),
    ("deserialization", LOADING, 'const serialize = require("node-serialize")\nexports.f = (req, res) => {\n  serialize.unserialize(req.cookies.profile)\n}\n', 'const serialize = require("node-serialize")\nexports.f = (req, res) => {\n  res.send(serialize.serialize(req.cookies.profile))\n}\n'),
    ("a switch that lets all through", QUERY, PG + 'exports.f = (req, res) => {\n  const sort = req.query.sort\n  switch (sort) {\n    default:\n      pool.query("select * from t order by " + sort)\n  }\n}\n', PG + 'exports.f = (req, res) => {\n  const sort = req.query.sort\n  switch (sort) {\n    case "name":\n      pool.query("select * from t order by " + sort)\n  }\n}\n'),
    ("a check before another value", QUERY, PG + 'exports.f = (req, res) => {\n  let sort = "a"\n  if (sort === "a") {\n    sort = req.query.sort\n    pool.query("select * from t order by " + sort)\n  }\n}\n', PG + 'exports.f = (req, res) => {\n  const sort = req.query.sort === "a" ? req.query.sort : "b"\n  pool.query("select * from t order by " + sort)\n}\n'),
    ("a class that keeps it", SHELL, CP + 'class Job {\n  constructor(dir) {\n    this.dir = dir\n  }\n  take(req, res) {\n    this.dir = req.query.dir\n  }\n  run() {\n    cp.exec("ls " + this.dir)\n  }\n}\n', CP + 'class Job {\n  take(req, res) {\n    this.dir = req.query.dir\n    this.cmd = "ls"\n  }\n  run() {\n    cp.execFile(this.cmd, [this.dir])\n  }\n}\n'),
    ("a constructor by its name", CODE, "const f = () => 1\nexports.f = (req, res) => {\n  res.json(f['constructor'](req.body.x)())\n}\n", "const f = () => 1\nexports.f = (req, res) => {\n  res.json({ name: f['constructor'].name, kind: req.body.x['constructor'] === Object })\n}\n"),
    ("a constructor of a method by its name", CODE, "exports.f = (req, res) => {\n  res.json([]['filter']['constructor'](req.body.x)())\n}\n", "exports.f = (req, res) => {\n  res.json(['constructor']['filter']((one) => one !== req.body.x))\n}\n"),
    ("a constructor by a name that is kept", CODE, "exports.f = (req, res) => {\n  const k = 'constructor'\n  res.json((() => 1)[k](req.body.x)())\n}\n", "exports.f = (req, res) => {\n  const k = 'constructor'\n  res.json(k === req.body.x ? 1 : 2)\n}\n"),
    ("a default of a parameter that is taken apart", SHELL, "const go = (c, { execSync: e } = require('node:child_process')) => e(c)\nexports.f = (req, res) => {\n  res.send(go(req.body.x))\n}\n", "const go = (c, { basename: e } = require('node:path')) => e(c)\nexports.f = (req, res) => {\n  res.send(go(req.body.x))\n}\n"),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "js")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_reaches_a_dangerous_call_is_confirmed_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "js")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_is_provably_harmless_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "js")
