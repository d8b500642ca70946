"""Dangerous calls in JavaScript that hide behind values, tables, reflection and other modules."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, PATH, QUERY, SHELL, TLS, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names

CP = 'const cp = require("child_process")\n'
CASES: list[Case] = [
    ("a function in a field that another file calls", SHELL, CP + 'class Tools {\n  constructor() {\n    this.start = cp.execSync\n  }\n}\nmodule.exports = Tools\n', CP + 'class Tools {\n  constructor() {\n    this.start = cp.execFileSync\n  }\n}\nmodule.exports = Tools\n'),
    ("a function in a record that is given back", CODE, 'module.exports = () => {\n  const tools = { name: "x", start: eval }\n  return tools\n}\n', 'module.exports = () => {\n  const tools = { name: "x", start: parseInt }\n  return tools\n}\n'),
    ("a module that is loaded later", SHELL, 'module.exports = (x) =>\n  import("node:child_process").then(async ({ spawn, execSync: run }) => run(`ls ${x}`))\n', 'module.exports = (x) =>\n  import("node:child_process").then(async ({ spawn, execFileSync: run }) => run("ls", [x]))\n'),
    ("a module that a function is given later", SHELL, 'module.exports = (x) =>\n  import("child_process").then(function (tools) { return tools.exec("ls " + x) })\n', 'module.exports = (x) =>\n  import("child_process").then(function (tools) { return tools.execFile("ls", [x]) })\n'),
    ("a text that an operand may replace", SHELL, CP + 'module.exports = (quiet, x) => { let text = "ls " + x; quiet || (text = "ls"); cp.exec(text) }\n', CP + 'module.exports = (quiet, x) => { let text = "ls -l"; quiet || (text = "ls"); cp.execFile(text, [x]) }\n'),
    ("input that an operand may replace", SHELL, CP + 'app.get("/", (req, res) => {\n  let text = req.query.x\n  res.locals.quiet ? (text = "ls") : res.end()\n  cp.exec(text)\n})\n', CP + 'app.get("/", (req, res) => {\n  let text = req.query.x\n  text = "ls"\n  cp.execFile(text)\n})\n'),
    ("an alias", SHELL, CP + 'const run = cp.exec\nmodule.exports = (x) => {\n  run("ls " + x)\n}\n', CP + 'const run = cp.execFile\nmodule.exports = (x) => {\n  run("ls", [x])\n}\n'),
    ("bind", SHELL, CP + 'const run = cp.exec.bind(cp)\nmodule.exports = (x) => {\n  run(x)\n}\n', CP + 'const run = cp.execFile.bind(cp, "ls")\nmodule.exports = (x) => {\n  run([x])\n}\n'),
    ("bind with the argument", SHELL, CP + 'module.exports = (x) => {\n  cp.exec.bind(cp, x)()\n}\n', CP + 'module.exports = (x) => {\n  cp.exec.bind(cp, "ls")()\n}\n'),
    ("call", SHELL, CP + 'module.exports = (x) => {\n  cp.exec.call(null, x)\n}\n', CP + 'module.exports = (x) => {\n  cp.execFile.call(null, "ls", [x])\n}\n'),
    ("apply", SHELL, CP + 'module.exports = (x) => {\n  cp.exec.apply(cp, [x])\n}\n', CP + 'module.exports = (x) => {\n  cp.execFile.apply(cp, ["ls", [x]])\n}\n'),
    ("Reflect", SHELL, CP + 'module.exports = (x) => {\n  Reflect.apply(cp.exec, cp, [x])\n}\n', CP + 'module.exports = (x) => {\n  Reflect.apply(cp.execFile, cp, ["ls", [x]])\n}\n'),
    ("a member under a key", SHELL, CP + 'module.exports = (x) => {\n  cp["ex" + "ec"](x)\n}\n', CP + 'module.exports = (x) => {\n  cp["exec" + "File"]("ls", [x])\n}\n'),
    ("a key that is joined", SHELL, CP + 'const key = ["ex", "ec", "Sync"].join("")\nmodule.exports = (x) => {\n  cp[key](x)\n}\n', CP + 'const key = ["exec", "FileSync"].join("")\nmodule.exports = (x) => {\n  cp[key]("ls", [x])\n}\n'),
    ("an escaped key", SHELL, CP + 'module.exports = (x) => {\n  cp["\\x65xec"](x)\n}\n', CP + 'module.exports = (x) => {\n  cp["\\x65xecFile"]("ls", [x])\n}\n'),
    ("a module in place", SHELL, 'module.exports = (x) => {\n  require("child_" + "process").exec(x)\n}\n', 'module.exports = (x) => {\n  require("child_" + "process").execFile("ls", [x])\n}\n'),
    ("another loader", SHELL, 'module.exports = (x) => {\n  process.mainModule.require("child_process").execSync(x)\n}\n', 'module.exports = (x) => {\n  process.mainModule.require("child_process").execFileSync("ls", [x])\n}\n'),
    ("a table", SHELL, CP + 'const tools = { list: cp.execFile, run: cp.exec }\nmodule.exports = (x) => {\n  tools.run(x)\n}\n', CP + 'const tools = { list: cp.execFile, run: cp.exec }\nmodule.exports = (x) => {\n  tools.list("ls", [x])\n}\n'),
    ("a destructured module", SHELL, 'const { exec: go } = require("node:child_process")\nconst again = go\nmodule.exports = (x) => {\n  again(`ls ${x}`)\n}\n', 'const { execFile: go } = require("node:child_process")\nconst again = go\nmodule.exports = (x) => {\n  again("ls", [x])\n}\n'),
    ("a function that returns it", SHELL, CP + 'const pick = () => cp.exec\nmodule.exports = (x) => {\n  pick()(x)\n}\n', CP + 'const pick = () => cp.execFile\nmodule.exports = (x) => {\n  pick()("ls", [x])\n}\n'),
    ("a parameter", SHELL, CP + 'function use(run, x) {\n  run(x)\n}\nmodule.exports = (x) => use(cp.exec, x)\n', CP + 'function use(run, x) {\n  run("ls", [x])\n}\nmodule.exports = (x) => use(cp.execFile, x)\n'),
    ("a default", SHELL, CP + 'module.exports = (x, run = cp.exec) => {\n  run(x)\n}\n', CP + 'module.exports = (x, run = cp.execFile) => {\n  run("ls", [x])\n}\n'),
    ("a class field", SHELL, CP + 'class Runner {\n  run = cp.exec\n  list(x) {\n    this.run(x)\n  }\n}\nmodule.exports = Runner\n', CP + 'class Runner {\n  run = cp.execFile\n  list(x) {\n    this.run("ls", [x])\n  }\n}\nmodule.exports = Runner\n'),
    ("a choice", SHELL, CP + 'module.exports = (x, sync) => {\n  (sync ? cp.execSync : cp.exec)(x)\n}\n', CP + 'module.exports = (x, sync) => {\n  (sync ? cp.execFileSync : cp.execFile)("ls", [x])\n}\n'),
    ("a promise of it", SHELL, 'import { promisify } from "util"\nimport * as cp from "child_process"\nconst run = promisify(cp.exec)\nexport const list = (x) => run("ls " + x)\n', 'import { promisify } from "util"\nimport * as cp from "child_process"\nconst run = promisify(cp.execFile)\nexport const list = (x) => run("ls", [x])\n'),
    ("a callback that is passed on", SHELL, CP + 'const { pool } = require("./pool")\npool.use(cp.exec)\n', CP + 'const { pool } = require("./pool")\npool.use(cp.execFile)\n'),
    ("a re-export", SHELL, 'export { exec as list } from "child_process"\n', 'export { execFile as list } from "child_process"\n'),
    ("an export", SHELL, CP + 'module.exports = { list: cp.exec }\n', CP + 'module.exports = { list: cp.execFile }\n'),
    ("a loop over functions", SHELL, CP + 'module.exports = (x) => {\n  for (const run of [console.log, cp.exec]) {\n    run(x)\n  }\n}\n', CP + 'module.exports = (x) => {\n  for (const run of [console.log, console.warn]) {\n    run(x, cp.constants)\n  }\n}\n'),
    ("map", CODE, "module.exports = (x) => [x].map(eval)\n", "module.exports = (x) => [x].map(Number)\n"),
    ("a promise that runs it", CODE, "module.exports = (p) => p.then(eval)\n", "module.exports = (p) => p.then(JSON.parse)\n"),
    ("a table in place", CODE, 'module.exports = (x) => ({ e: eval })["e"](x)\n', 'module.exports = (x) => ({ e: JSON.parse, f: eval })["e"](x)\n'),
    ("a comma", CODE, "module.exports = (x) => (0, eval)(x)\n", "module.exports = (x) => (0, JSON.parse)(x)\n"),
    ("the global object", CODE, 'module.exports = (x) => globalThis["ev" + "al"](x)\n', 'module.exports = (x) => globalThis["parse" + "Int"](x)\n'),
    ("the global object under another name", CODE, 'const g = globalThis\nmodule.exports = (x) => g["ev".concat("al")](x)\n', 'const g = globalThis\nmodule.exports = (x) => g["parse".concat("Int")](x)\n'),
    ("the constructor of functions", CODE, 'module.exports = (x) => (() => {}).constructor(x)()\n', 'module.exports = (x) => (class {}).constructor.name + x\n'),
    ("the constructor of a constructor", CODE, 'module.exports = (x) => [].constructor.constructor(x)()\n', 'module.exports = (x) => [].constructor.from(x)\n'),
    ("a function without new", CODE, 'const F = Function\nmodule.exports = (x) => F("a", x)(1)\n', 'const F = Number\nmodule.exports = (x) => F(x)\n'),
    ("Reflect that constructs", CODE, 'module.exports = (x) => Reflect.construct(Function, [x])()\n', 'module.exports = (x) => Reflect.construct(Date, [x])\n'),
    ("a loader of modules", CODE, 'import vm from "vm"\nconst run = vm.runInThisContext\nexport const f = (x) => run(x)\n', 'import vm from "vm"\nconst is = vm.isContext\nexport const f = (x) => is(x)\n'),
    ("a method under another name", QUERY, 'const db = require("mysql").createPool({})\nconst q = db.query.bind(db)\nmodule.exports = (x) => q("select * from t where n = \'" + x + "\'")\n', 'const db = require("mysql").createPool({})\nconst q = db.query.bind(db)\nmodule.exports = (x) => q("select * from t where n = ?", [x])\n'),
    ('the constructor of async functions', CODE, 'module.exports = (x) => (async () => {}).constructor(x)()\n', 'module.exports = (x) => (async () => {}).constructor.name + x\n'),
    ('the constructor of a generator', CODE, 'module.exports = (x) => new (function* () {}).constructor(x)()\n', 'module.exports = (x) => (function* () {}).constructor.name + x\n'),
    ('the constructor of a method of a list', CODE, 'module.exports = (x) => [].filter.constructor(x)()\n', 'module.exports = (x) => [].filter.call(x, Boolean)\n'),
    ('the constructor of a method of a text', CODE, 'module.exports = (x) => "".sub.constructor(x)()\n', 'module.exports = (x) => "".constructor(x)\n'),
    ('a subclass of functions', CODE, 'class P extends Function {}\nmodule.exports = (x) => new P(x)()\n', 'class P extends Map {}\nmodule.exports = (x) => new P(x)\n'),
    ('a call of call', CODE, 'module.exports = (x) => Function.prototype.call.call(eval, null, x)\n', 'module.exports = (x) => Function.prototype.call.call(parseInt, null, x)\n'),
    ('an apply by call', CODE, 'module.exports = (x) => Function.prototype.apply.call(eval, null, [x])\n', 'module.exports = (x) => Function.prototype.apply.call(parseInt, null, [x])\n'),
    ('a made loader', SHELL, 'const { createRequire } = require("module")\nmodule.exports = (x) => createRequire(__filename)("child_process").execSync(x)\n', 'const { createRequire } = require("module")\nmodule.exports = (x) => createRequire(__filename)("child_process").execFileSync("ls", [x])\n'),
    ('a made loader in a name', SHELL, 'import { createRequire } from "node:module"\nconst load = createRequire(import.meta.url)\nexport const f = (x) => load("child_process").execSync(x)\n', 'import { createRequire } from "node:module"\nconst load = createRequire(import.meta.url)\nexport const f = (x) => load("child_process").execFileSync("ls", [x])\n'),
    ('a made loader of a module', SHELL, 'const load = require("module").createRequire(__filename)\nconst cp = load("child_process")\nmodule.exports = (x) => cp.execSync(x)\n', 'const load = require("module").createRequire(__filename)\nconst cp = load("child_process")\nmodule.exports = (x) => cp.execFileSync("ls", [x])\n'),
    ('a destructured key', SHELL, 'const k = "exec"\nconst { [k]: run } = require("child_process")\nmodule.exports = (x) => {\n  run(x)\n}\n', 'const k = "execFile"\nconst { [k]: run } = require("child_process")\nmodule.exports = (x) => {\n  run("ls", [x])\n}\n'),
    ('a key of a table', SHELL, CP + 'const V = { print: "exec", list: "execFile" }\nmodule.exports = (x) => {\n  cp[V.print](x)\n}\n', CP + 'const V = { print: "exec", list: "execFile" }\nmodule.exports = (x) => {\n  cp[V.list]("ls", [x])\n}\n'),
    ('a key of a frozen table', SHELL, CP + 'const V = Object.freeze({ print: "exec" })\nmodule.exports = (x) => {\n  cp[V["print"]](x)\n}\n', CP + 'const V = Object.freeze({ print: "execFile" })\nmodule.exports = (x) => {\n  cp[V["print"]]("ls", [x])\n}\n'),
    ('a static field', SHELL, 'const { execSync } = require("child_process")\nclass Tools {\n  static print = execSync\n}\nmodule.exports = (x) => Tools.print(x)\n', 'const { execFileSync } = require("child_process")\nclass Tools {\n  static print = execFileSync\n}\nmodule.exports = (x) => Tools.print("ls", [x])\n'),
    ('a field set in the constructor', SHELL, 'const { execSync } = require("child_process")\nclass Tools {\n  constructor() {\n    this.run = execSync\n  }\n  list(x) {\n    this.run(x)\n  }\n}\nmodule.exports = Tools\n', 'const { execFileSync } = require("child_process")\nclass Tools {\n  constructor() {\n    this.run = execFileSync\n  }\n  list(x) {\n    this.run("ls", [x])\n  }\n}\nmodule.exports = Tools\n'),
    ('a member found among all', SHELL, CP + 'module.exports = (x) => Object.values(cp).find((f) => f.name === "exec")(x)\n', CP + 'module.exports = (x) => Object.values({ a: x }).find((f) => f.name === cp.constants)\n'),
    ('vm of text', CODE, 'const vm = require("vm")\nmodule.exports = (code) => vm.runInThisContext(code)\n', 'const vm = require("vm")\nconst code = `\n  1 + 1\n`\nmodule.exports = () => vm.runInThisContext(code)\n'),
    ('vm that compiles text', CODE, 'const vm = require("vm")\nmodule.exports = (code) => vm.compileFunction(code)\n', 'const vm = require("vm")\nmodule.exports = () => {\n  const code = `return 1`\n  return vm.compileFunction(code)\n}\n'),
    ('a script of text', CODE, 'const vm = require("vm")\nmodule.exports = (code) => new vm.Script(code)\n', 'const vm = require("vm")\nconst code = "1 + 1"\nmodule.exports = () => new vm.Script(code)\n'),
    ('the input of a shell', SHELL, CP + 'module.exports = (req, res) => {\n  cp.execFileSync("sh", ["-s"], { input: req.body.script })\n}\n', CP + 'module.exports = (req, res) => {\n  cp.execFileSync("gzip", ["-c"], { input: req.body.script })\n}\n'),
    ('a joined key of an object', TLS, 'const options = {}\noptions["reject" + "Unauthorized"] = false\nmodule.exports = options\n', 'const options = {}\noptions["reject" + "Authorized"] = false\noptions[0] = false\nmodule.exports = options\n'),
    ('a key in a constant', TLS, 'const key = "reject" + "Unauthorized"\nmodule.exports = { [key]: false }\n', 'const key = "reject" + "Unauthorized"\nmodule.exports = { [key]: true }\n'),
    ('a joined variable of the environment', TLS, 'process.env["NODE_TLS_REJECT" + "_UNAUTHORIZED"] = "0"\n', 'process.env["NODE_TLS_REJECT" + "_UNAUTHORIZED"] = "1"\n'),
    ('a joined key', TLS, 'const https = require("https")\nmodule.exports = (u) => https.get(u, { ["reject" + "Unauthorized"]: false })\n', 'const https = require("https")\nmodule.exports = (u) => https.get(u, { ["reject" + "Unauthorized"]: true })\n'),
    ("the process under another name", SHELL, 'const { getBuiltinModule: take } = process\nmodule.exports = (x) => take("node:child_process").execSync(x)\n', 'const { getBuiltinModule: take } = process\nmodule.exports = (x) => take("node:path").join(x)\n'),
    ("the process as a module", SHELL, 'import runtime from "node:process"\nexport const f = (x) => runtime.getBuiltinModule("child_process").exec(x)\n', 'import runtime from "node:process"\nexport const f = (x) => runtime.getBuiltinModule("child_process").execFile("ls", [x])\n'),
    ("a loader under another name", SHELL, 'const load = require\nmodule.exports = (x) => load("child_process").exec(x)\n', 'const load = require\nmodule.exports = (x) => load("child_process").execFile("ls", [x])\n'),
    ("an internal part of Node", SHELL, 'const inner = process\nmodule.exports = (line) => {\n  const { spawn } = inner.binding("spawn_sync")\n  return spawn({ file: "sh", args: ["sh", "-c", line] })\n}\n', 'const inner = process\nmodule.exports = (line) => {\n  const { getHiddenValue } = inner.binding("util")\n  return getHiddenValue({ file: "sh", args: ["sh", "-c", line] })\n}\n'),
    ("a name inside of an object", SHELL, 'const cp = require("child_process")\nmodule.exports = function (line) {\n  with (cp) return exec(line)\n}\n', 'const cp = require("child_process")\nmodule.exports = function (line) {\n  with ({ exec: (x) => x }) return exec(line)\n}\n'),
    ("a name inside of an object that is made", SHELL, 'const tools = Object.create(require("child_process"), { size: { get() { return this.execSync } } })\nmodule.exports = function (line) {\n  with (tools) {\n    return size(line)\n  }\n}\n', 'const tools = Object.create(require("path"), { size: { get() { return this.join } } })\nmodule.exports = function (line) {\n  with (tools) {\n    return size(line)\n  }\n}\n'),
    ("an object that is made of another", SHELL, 'const tools = Object.create(require("child_process"))\nmodule.exports = (line) => tools.execSync(line)\n', 'const tools = Object.create(require("child_process"))\nmodule.exports = (line) => tools.execFileSync("ls", [line])\n'),
    ("a property that is described", SHELL, 'const tools = Object.create({}, { run: { value: require("child_process").execSync } })\nmodule.exports = (line) => tools.run(line)\n', 'const tools = Object.create({}, { run: { value: require("child_process").execFileSync } })\nmodule.exports = (line) => tools.run("ls", [line])\n'),
    ("a copy of a module", SHELL, 'const tools = Object.assign({}, require("child_process"), { size: 3 })\nmodule.exports = (line) => tools.exec(line)\n', 'const tools = Object.assign({}, require("child_process"), { size: 3 })\nmodule.exports = (line) => tools.execFile("ls", [line])\n'),
    ("a listener", SHELL, 'const { execSync: size } = require("child_process")\nrequire("./bus").once("size", size)\n', 'const { execFileSync: size } = require("child_process")\nconst bus = require("./bus")\nbus.once("size", size)\nbus.once("end", (e) => /a/.exec(e))\n'),
    ("a listener by its name in an import", SHELL, 'import { exec as size } from "node:child_process"\nimport { bus } from "./bus"\nbus.addListener("size", size)\n', 'import { exec as size } from "./sizes"\nimport { bus } from "./bus"\nimport "node:child_process"\nbus.addListener("size", size)\n'),
    ("a joined key of a query", QUERY, 'const KEY = "$" + "where"\nmodule.exports = (db, n) => db.find({ [KEY]: `this.a == ${n}` })\n', 'const KEY = "$" + "comment"\nmodule.exports = (db, n) => db.find({ [KEY]: `a is ${n}`, a: n })\n'),
    ("a joined key of a query that is set", QUERY, 'module.exports = (db, n) => {\n  const q = {}\n  q["$wh" + "ere"] = "this.a == " + n\n  return db.find(q)\n}\n', 'module.exports = (db, n) => {\n  const q = {}\n  q["where"] = "a is " + n\n  return q\n}\n'),
    ('a constant beside a value', QUERY, "function list(db, name) {\n  return db.query(`select * from shops where name = '${name ? name : 'none'}'`);\n}\n", "function list(db, name) {\n  return db.query(`select * from shops where name = '${name ? 'some' : 'none'}'`);\n}\n"),
    ('a value that a branch replaces', QUERY, 'function list(db, name) {\n  let asked = name;\n  if (name.length > 40) {\n    asked = \'long\';\n  }\n  return db.query("select * from shops where name = \'" + asked + "\'");\n}\n', 'function list(db, name) {\n  let asked = \'all\';\n  if (name.length > 40) {\n    asked = \'long\';\n  }\n  return db.query("select * from shops where name = \'" + asked + "\'");\n}\n'),
    ('an earlier return', QUERY, "function wording(name) {\n  if (name) {\n    return `select * from shops where name = '${name}'`;\n  }\n  return 'select * from shops';\n}\nfunction list(db, name) {\n  return db.query(wording(name));\n}\n", "function wording(name) {\n  if (name) {\n    return 'select * from shops where name is not null';\n  }\n  return 'select * from shops';\n}\nfunction list(db, name) {\n  return db.query(wording(name));\n}\n"),
    ('a function of C', SHELL, "const koffi = require('koffi');\nconst c = koffi.load('libc.so.6');\nconst run = c.func('int system(const char *line)');\n", "const koffi = require('koffi');\nconst c = koffi.load('libc.so.6');\nconst put = c.func('int puts(const char *line)');\n"),
    ('an event of a function in the cloud', PATH, "const fs = require('fs');\nexports.handler = async (event) => fs.readFileSync('data/' + event.pathParameters.name, 'utf8');\n", "const fs = require('fs');\nexports.handler = async (event) => fs.readFileSync('data/list', 'utf8') + event.pathParameters.name;\n"),
    ('a generator', PATH, "const fs = require('fs');\nconst app = require('express')();\nfunction* pages(req) {\n  yield req.query.page;\n}\napp.get('/', (req, res) => {\n  for (const page of pages(req)) res.write(fs.readFileSync(`pages/${page}`));\n});\n", "const fs = require('fs');\nconst app = require('express')();\nfunction* pages(req) {\n  yield req.query.page === 'cart' ? 'cart' : 'start';\n}\napp.get('/', (req, res) => {\n  for (const page of pages(req)) res.write(fs.readFileSync(`pages/${page}`));\n});\n"),
    ('a nested function that nobody calls', SHELL, 'const cp = require("child_process")\nfunction f(x, ok) { let c = "rm " + x; function n() { c = "ls" } cp.exec(c) }\n', 'const cp = require("child_process")\nfunction f(x, ok) { let c = "pwd"; function n() { c = "ls" } cp.exec(c) }\n'),
    ('a walk over nothing', SHELL, 'const cp = require("child_process")\nfunction f(x, ok) { let c = "rm " + x; [].forEach(() => { c = "ls" }); cp.exec(c) }\n', 'const cp = require("child_process")\nfunction f(x, ok) { let c = "pwd"; [].forEach(() => { c = "ls" }); cp.exec(c) }\n'),
    ('a label that is left at once', SHELL, 'const cp = require("child_process")\nfunction f(x, ok) { let c = "rm " + x; a: { break a; c = "ls" } cp.exec(c) }\n', 'const cp = require("child_process")\nfunction f(x, ok) { let c = "pwd"; a: { break a; c = "ls" } cp.exec(c) }\n'),
    ('an attempt that fails', SHELL, 'const cp = require("child_process")\nfunction f(x, ok) { let c = "rm " + x; try { throw 1; c = "ls" } catch (e) { } cp.exec(c) }\n', 'const cp = require("child_process")\nfunction f(x, ok) { let c = "pwd"; try { throw 1; c = "ls" } catch (e) { } cp.exec(c) }\n'),
    ('a name of a nested function', SHELL, 'const cp = require("child_process")\nfunction f(x) {\n  let c = "pwd"\n  const fill = () => { c = "rm " + x }\n  fill()\n  cp.exec(c)\n}\n', 'const cp = require("child_process")\nfunction f(x) {\n  let c = "pwd"\n  const fill = () => { let c = "rm " + x; return c }\n  fill()\n  cp.exec(c)\n}\n'),
]  # fmt: skip
TYPED_CASES: list[Case] = [
    ("a function said to be there", SHELL, 'import { exec } from "child_process"\nexport const list = (x: string) => exec!("ls " + x)\n', 'import { execFile } from "child_process"\nexport const list = (x: string) => execFile!("ls", [x])\n'),
    ("a member said to be there", SHELL, 'import * as cp from "child_process"\nexport const list = (x: string) => cp.exec!("ls " + x)\n', 'import * as cp from "child_process"\nexport const list = (x: string) => !(cp.execFile!("ls", [x]))\n'),
    ('an enum', SHELL, 'import * as cp from "child_process"\nenum V { Print = "exec", List = "execFile" }\nexport const f = (x: string) => cp[V.Print](x)\n', 'import * as cp from "child_process"\nenum V { Print = "exec", List = "execFile" }\nexport const f = (x: string) => cp[V.List]("ls", [x])\n'),
    ('a table as const', SHELL, 'import * as cp from "child_process"\nconst V = { print: "exec" } as const\nexport const f = (x: string) => cp[V.print](x)\n', 'import * as cp from "child_process"\nconst V = { print: "execFile" } as const\nexport const f = (x: string) => cp[V.print]("ls", [x])\n'),
    ("an alias in a namespace", SHELL, 'import * as cp from "child_process"\nnamespace Safe {\n  export import run = cp.execSync\n}\nexport const f = (x: string) => Safe.run(x)\n', 'import * as cp from "child_process"\nnamespace Safe {\n  export import run = cp.execFileSync\n}\nexport const f = (x: string) => Safe.run("ls", [x])\n'),
    ("an alias of a member", SHELL, 'import * as cp from "child_process"\nimport run = cp.exec\nexport const f = (x: string) => run(x)\n', 'import * as cp from "child_process"\nimport run = cp.execFile\nexport const f = (x: string) => run("ls", [x])\n'),
    ("an alias that a namespace offers", SHELL, 'import * as cp from "child_process"\nexport namespace Safe {\n  export import run = cp.exec\n}\n', 'import * as cp from "child_process"\nexport namespace Safe {\n  export import run = cp.execFile\n}\n'),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "js")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_call_that_hides_is_found(number: int, found: Found) -> None:
    assert_is_found(found, number, CASES[number], "js")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_only_looks_like_it_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "js")


@pytest.fixture(scope="module")
def found_in_typescript(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """The same for the cases in TypeScript."""
    return evidence_by_case(tmp_path_factory.mktemp("typed_shop"), TYPED_CASES, "ts")


@pytest.mark.parametrize("number", range(len(TYPED_CASES)), ids=names(TYPED_CASES))
def test_a_call_that_hides_in_typescript_is_found(number: int, found_in_typescript: Found) -> None:
    assert_is_found(found_in_typescript, number, TYPED_CASES[number], "ts")


@pytest.mark.parametrize("number", range(len(TYPED_CASES)), ids=names(TYPED_CASES))
def test_what_only_looks_like_it_in_typescript_is_not(number: int, found_in_typescript: Found) -> None:
    assert_is_silent(found_in_typescript, number, "ts")
