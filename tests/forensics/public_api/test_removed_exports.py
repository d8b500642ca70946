"""Breaks of what others call, in languages other than Python."""

from __future__ import annotations

import time

import pytest

from auditor.domain import Outcome
from auditor.forensics.public_api.package_reachability import find_reexports, follow_reexports, package_entry_points
from tests.auditing import asked, found, places
from tests.forensics.test_suites.test_other_language_comparison import outline
from tests.repos import Drawing

BREAK = "code.public_api_break"
PACKAGE = '{"name": "own", "main": "./dist/index.js"}'
INDEX = "export { run, type Options } from './run.js';\nexport * from './extra';\n"
RUN = "export interface Options { a: string }\nexport function run(target: string, options?: Options): void {}\nexport function inside(a: string): void {}\n"
EXTRA = "export const extra = (a: number) => a;\nexport class Tool {\n  use(a: number): void {}\n  private hide(): void {}\n}\n"
NPM = {"package.json": PACKAGE, "src/index.ts": INDEX, "src/run.ts": RUN, "src/extra.ts": EXTRA}
CARGO = {
    "Cargo.toml": '[package]\nname = "own"\n',
    "src/lib.rs": "pub mod shown;\nmod hidden;\npub use hidden::Kept;\n",
    "src/shown.rs": "pub fn run(a: &str) {}\npub(crate) fn own() {}\n",
    "src/hidden.rs": "pub struct Kept;\nimpl Kept {\n    pub fn go(&self, a: u8) {}\n}\npub fn unseen() {}\n",
}
GO = {
    "go.mod": "module own\n",
    "a/a.go": "package a\n\nfunc Run(a string) {}\n\nfunc own() {}\n\ntype T struct{ Field int }\n\nfunc (t *T) Do() {}\n",
}
JAVA = {
    "src/main/java/a/A.java": "package a;\npublic class A {\n  public static final int X = 1;\n  public void run(String a) {}\n  void own() {}\n}\n"
}

LOOSE = {
    "lib/money.ts": "export function format(a: number): string { return String(a); }\nexport function add(a: number, b: number) { return a + b; }\n",
    "lib/other.js": "export const one = (a) => a;\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "own"\n',
    "src/lib.rs": "pub fn keep(a: u8) -> Vec<u8> { vec![a] }\npub fn load() -> Result<u8, Error> { Ok(1) }\npub fn wait() {}\n#[derive(Debug, Clone)]\npub struct Mark {\n    pub at: u32,\n}\n"
    "#[non_exhaustive]\npub enum Open {\n    A,\n}\npub enum Closed {\n    A,\n}\nimpl Mark {\n    pub fn new() -> Mark { Mark { at: 1 } }\n}\n",
}
GEM = {
    "own.gemspec": "Gem::Specification.new\n",
    "lib/own.rb": "module Own\n  LIMIT = 3\n  class Sum\n    attr_reader :parts, :kind\n    def initialize(parts)\n      @parts = parts\n    end\n"
    "    def split(number)\n    end\n    def self.read(text, strict: false)\n    end\n    private\n    def own(a)\n    end\n  end\nend\n",
}
TYPED = {
    "package.json": PACKAGE,
    "src/index.ts": "export interface Options { a: string; b?: number }\nexport type State = 'on' | 'off';\nexport enum Way { In, Out }\nexport class Box {\n  name = 'x';\n  get size(): number { return 1; }\n}\n"
    "export function find(id: string, options: Options): Box { return new Box(); }\nexport function total(all: number[]) {\n  return all.length;\n}\nexport function load(path: string) {\n  return reading(path);\n}\n",
}
WRITTEN = {
    "package.json": PACKAGE,
    "src/index.ts": "export const write: (key: string, again?: boolean) => void = (key, again = true) => {\n  write(key);\n};\n",
}
BEANS = {
    "src/main/java/a/A.java": "package a;\npublic class A {\n  public long size() { return 1; }\n  public Iterable<String> all() { return null; }\n  public void read() {}\n}\n"
}

MADE = {**NPM, "src/extra.ts": "export class Tool {\n  constructor() { this.n = 1; }\n  use(a: number): void {}\n}\n"}
MADE_WITH = {**NPM, "src/extra.ts": "export class Tool {\n  constructor(n: number) { this.n = n; }\n}\n"}
MADE_IN_JAVA = {"src/main/java/a/A.java": "package a;\npublic class A {\n  public A() {}\n  public void run() {}\n}\n"}
MADE_IN_JAVA_TWICE = {
    "src/main/java/a/A.java": "package a;\npublic class A {\n  public A() {}\n  public A(int n) {}\n}\n"
}


def turned(files: dict[str, str], *turns: tuple[str, str]) -> dict[str, str]:
    """The last of the files with some words in it replaced."""
    path = list(files)[-1]
    text = files[path]
    for old, new in turns:
        assert old in text
        text = text.replace(old, new)
    return {path: text}


EXPLAINED = "".join(
    f"    # How many there are of kind {n},\n    # which is {n}.\n    # @return [Integer]\n    def of_{n}\n    end\n\n"
    for n in range(180)
)
LONG_GEM = {"own.gemspec": GEM["own.gemspec"], "lib/own.rb": f"module Own\n  class Sum\n{EXPLAINED}  end\nend\n"}
LONG_CRATE = {
    "Cargo.toml": CARGO["Cargo.toml"],
    "src/lib.rs": "pub struct Sum;\nimpl Sum {\n" + "".join(f"    /// How many there are.\n    ///\n    /// Of kind {n}.\n    pub fn of_{n}(&self) {{}}\n" for n in range(180)) + "}\n",
}  # fmt: skip
FINAL = {
    "src/main/java/a/A.java": "package a;\npublic final class A {\n  public void run() {}\n  protected void setUp() {}\n}\n"
}
BRANCHED = "module Outer\n  module Inner\n    LIMIT = 3\n    def self.run(a)\n    end\n  end\nend\n"

KEPT_SCRIPT = "/**\n * Of one step.\n * @internal\n */\nexport function step(a: number): void {}\n\n/** @internal */\nexport const depth = 3;\n\nexport class Mixer {\n  /** @private */\n  stir(): void {}\n}\n"
KEPT_RUBY = "module Own\n  # Adds.\n  #\n  # @api private\n  class Adder\n    def add(a)\n    end\n  end\n\n  class Sum\n    # @api private\n    attr_accessor :kept\n\n    def inner # :nodoc:\n    end\n\n    def all\n    end\n  end\nend\n"
KEPT_RUST = "#[doc(hidden)]\npub fn expand() {}\nimpl Mark {\n    /// For macros.\n    #[doc(hidden)]\n    pub fn raw(&self) {}\n}\n"
RUST_LEFT: dict[str, str | None] = {"src/lib.rs": RUST["src/lib.rs"]}

BREAKS = [
    ("what stands beside something internal", {**NPM, "src/extra.ts": EXTRA + KEPT_SCRIPT}, {"src/extra.ts": EXTRA}, ["Public type `Mixer` was removed"]),
    ("a method below one that is private by its comment", {**GEM, "lib/own.rb": KEPT_RUBY}, {"lib/own.rb": KEPT_RUBY.replace("def all", "def every")}, ["Public method `Own::Sum#all` was removed"]),
    ("the last method of a long class that is well explained", LONG_GEM, turned(LONG_GEM, ("    def of_179\n    end\n", "")), ["Public method `Own::Sum#of_179` was removed"]),
    ("a method that a class of Java leaves to others", {"src/main/java/a/A.java": FINAL["src/main/java/a/A.java"].replace("final ", "")}, {"src/main/java/a/A.java": FINAL["src/main/java/a/A.java"].replace("final ", "").replace("  protected void setUp() {}\n", "")}, ["Public method `a.A.setUp` was removed"]),
    ("a module of Ruby that is offered under a condition", {"own.gemspec": GEM["own.gemspec"], "lib/own.rb": f"if defined?(Outer)\n{BRANCHED}end\n"}, {"lib/own.rb": "if defined?(Outer)\nmodule Outer\nend\nend\n"}, ["Public type `Outer::Inner` was removed"]),
    ("a function behind a named re-export", NPM, {"src/run.ts": RUN.replace("function run", "function start"), "src/index.ts": INDEX.replace("run,", "")}, ["Public function `run` was removed"]),
    ("a name taken out of the entry only", NPM, {"src/index.ts": INDEX.replace("run, ", "")}, ["`run` is no longer exported"]),
    ("a file no longer passed on", NPM, {"src/index.ts": INDEX.replace("export * from './extra';\n", "")}, ["The package no longer exports `src/extra.ts`"]),
    ("a new parameter", NPM, {"src/run.ts": RUN.replace("target: string,", "target: string, depth: number,")}, ["Public function gained a required parameter: `run`"]),
    ("a parameter that loses its default", {**NPM, "src/extra.ts": EXTRA.replace("(a: number) =>", "(a = 1) =>")}, {"src/extra.ts": EXTRA}, ["Optional parameter became required: `extra`"]),
    ("a lost parameter", NPM, {"src/extra.ts": EXTRA.replace("(a: number) =>", "() =>")}, ["Public function lost a parameter: `extra`"]),
    ("a lost method", NPM, {"src/extra.ts": EXTRA.replace("  use(a: number): void {}\n", "")}, ["Public method `Tool.use` was removed"]),
    ("a constructor of TypeScript that took something", MADE_WITH, turned(MADE_WITH, ("  constructor(n: number) { this.n = n; }\n", "")), ["Public method `Tool.constructor` was removed"]),
    ("all constructors of Java, of which one took something", MADE_IN_JAVA_TWICE, turned(MADE_IN_JAVA_TWICE, ("  public A() {}\n  public A(int n) {}\n", "")), ["Public method `a.A.new` was removed"]),
    ("a class behind a star", NPM, {"src/extra.ts": "export const extra = (a: number) => a;\n"}, ["Public type `Tool` was removed"]),
    ("CommonJS", {"package.json": PACKAGE, "index.js": "exports.run = function (a) {};\nexports.stop = function () {};\n"}, {"index.js": "exports.stop = function () {};\n"}, ["Public function `run` was removed"]),
    ("a public function of a public module", CARGO, {"src/shown.rs": "pub(crate) fn own() {}\n"}, ["Public function `run` was removed"]),
    ("a method of a type that is passed on", CARGO, {"src/hidden.rs": CARGO["src/hidden.rs"].replace("a: u8", "a: &str")}, ["Parameters of a public function changed: `Kept::go` (was `(&self, u8)`, now `(&self, &str)`)"]),
    ("an exported function of Go", GO, {"a/a.go": GO["a/a.go"].replace("func Run(a string)", "func Run(a, b string)")}, ["Parameters of a public function changed: `Run` (was `(string)`, now `(string, string)`)"]),
    ("an exported field of Go", GO, {"a/a.go": GO["a/a.go"].replace("Field int", "field int")}, ["Public field `T.Field` was removed"]),
    ("a function of a tree without any package", LOOSE, {"lib/money.ts": LOOSE["lib/money.ts"].replace("(a: number): string", "(a: number, locale: string): string")}, ["Public function gained a required parameter: `format`"]),
    ("an arrow of a tree without any package", LOOSE, {"lib/other.js": None}, ["Public function `one` was removed"]),
    ("a public method of Java", JAVA, {"src/main/java/a/A.java": JAVA["src/main/java/a/A.java"].replace("public void run", "private void run")}, ["Public method `a.A.run` was removed"]),
    ("results, fields, traits and variants of Rust", RUST, turned(RUST, ("-> Vec<u8>", "-> (Vec<u8>, usize)"), ("pub fn wait", "pub async fn wait"), ("Debug, Clone", "Debug"), ("at: u32", "at: u64"), ("enum Closed {\n", "enum Closed {\n    B,\n")),
     ["New variant `Closed::B` breaks exhaustive matches", "Public type no longer derives `Mark.Clone`", "Type of `Mark.at` changed from `u32` to `u64`; check its uses", "`wait` must now be awaited", "Return type of `keep` changed from `Vec<u8>` to `(Vec<u8>, usize)`; check its callers"]),
    ("a field that whoever writes a type of Rust out must give", RUST, turned(RUST, ("pub at: u32", "pub at: u32,\n    pub to: u32")), ["New field `Mark.to` breaks struct literals"]),
    ("results of Go", GO, turned(GO, ("func Run(a string)", "func Run(a string) error")), ["Return type of `Run` changed to `error`; check its callers"]),
    ("results and exceptions of Java", BEANS, turned(BEANS, ("long size", "int[] size"), ("void read()", "void read() throws java.io.IOException")),
     ["`a.A.read` throws a new exception that callers must handle", "Return type of `a.A.size` changed from `long` to `int[]`; check its callers"]),
    ("methods, arguments and constants of a gem", GEM, turned(GEM, ("def split(number)", "def allocate(weights:)"), ("strict: false", "strict:"), ("  LIMIT = 3\n", ""), (", :kind", ""), ("initialize(parts)", "initialize(parts, kind)")),
     ["2 public methods were removed: `Own::Sum#kind`, `Own::Sum#split`", "Optional parameter became required: `Own::Sum.read`", "Public function gained a required parameter: `Own::Sum.new`", "Public name `Own::LIMIT` was removed"]),
    ("a result that is no promise any more", turned(WRITTEN, (": (key: string, again?: boolean) => void = (key, again = true) =>", " = async (key: string): Promise<number> =>")), {"src/index.ts": "export const write = (key: string): number => 1;\n"}, ["`write` no longer returns a promise"]),
    ("a parameter that must be passed where no type says otherwise", turned(WRITTEN, (": (key: string, again?: boolean) => void", "")), {"src/index.ts": "export const write = (key, again) => {\n  write(key);\n};\n"}, ["Optional parameter became required: `write`"]),
    ("members, alternatives and results of TypeScript", TYPED, turned(TYPED, ("a: string; b?", "a: string[]; c: string; b?"), ("'on' | 'off'", "'on'"), ("In, Out", "In"), ("  get size(): number { return 1; }\n", ""), ("): Box", "): Box | null"), ("(id: string", "(id: number"), ("function total(all: number[]) {\n", "async function total(all: number[]) {\n  await rates();\n")),
     ["Parameter type of `find` (`id`) was narrowed from `string` to `number`", "Public field `Box.size` was removed", "Public name `Way.Out` was removed", "New required property: `Options.c`", "Return type of `find` changed from `Box` to `Box | null`; check its callers",
      "`total` must now be awaited", "Type changed in 2 public fields or type aliases, whose uses must be checked: `Options.a`, `State`"]),
    ("a deleted class of Java", JAVA, {"src/main/java/a/A.java": None}, ["Public type `a.A` was removed"]),
]  # fmt: skip

NO_BREAKS = [
    ("what a benchmark of Java runs", {"metrics/src/main/java/a/SumBenchmark.java": JAVA["src/main/java/a/A.java"]}, {"metrics/src/main/java/a/SumBenchmark.java": "package a;\npublic class A {\n}\n"}),
    ("what TypeScript calls internal", {**NPM, "src/extra.ts": EXTRA + KEPT_SCRIPT}, {"src/extra.ts": EXTRA + "export class Mixer {\n}\n"}),
    ("what a gem calls private", {**GEM, "lib/own.rb": KEPT_RUBY}, {"lib/own.rb": "module Own\n  class Sum\n    def all\n    end\n  end\nend\n"}),
    ("what Rust hides from its documents", {**RUST, "src/lib.rs": RUST["src/lib.rs"] + KEPT_RUST}, RUST_LEFT),
    ("one method more in a long class that is well explained", LONG_GEM, turned(LONG_GEM, ("    def of_3\n", "    # One more.\n    #\n    # Of all kinds.\n    def of_all\n    end\n\n    def of_3\n"))),
    ("one method more in a long type of Rust that is well explained", LONG_CRATE, turned(LONG_CRATE, ("    pub fn of_3(", "    pub fn of_all(&self) {}\n    /// One more.\n    ///\n    /// Of all.\n    pub fn of_3("))),
    ("a module of Ruby that moves under a condition", {"own.gemspec": GEM["own.gemspec"], "lib/own.rb": BRANCHED}, {"lib/own.rb": f"if defined?(Other)\n  module Other\n  end\nelsif defined?(Outer)\n{BRANCHED}else\n  raise 'none'\nend\n"}),
    ("what is protected in a class that nobody can extend", FINAL, turned(FINAL, ("protected void setUp", "void setUp"))),
    ("a class whose misspelt name stays for another", NPM, {"src/extra.ts": EXTRA.replace("class Tool", "class Tools") + "/** @deprecated */\nexport const Tool = Tools;\n"}),
    ("what no entry serves", NPM, {"src/run.ts": RUN.replace("inside", "within")}),
    ("a new optional parameter", NPM, {"src/run.ts": RUN.replace("options?: Options", "options?: Options, more = 1")}),
    ("a function that moved behind the same name", NPM, {"src/run.ts": "export interface Options { a: string }\n", "src/walk.ts": RUN.partition("\n")[2], "src/index.ts": INDEX + "export { run } from './walk';\n" and "export { type Options } from './run.js';\nexport { run } from './walk';\nexport * from './extra';\n"}),
    ("a private method", NPM, {"src/extra.ts": EXTRA.replace("hide", "conceal")}),
    ("a private package", {**NPM, "package.json": '{"private": true, "main": "./dist/index.js"}'}, {"src/run.ts": "export interface Options { a: string }\n", "src/index.ts": "export {};\n"}),
    ("a function that moved, without any package", LOOSE, {"lib/other.js": None, "lib/own.js": LOOSE["lib/other.js"]}),
    ("a script that is started, without any package", {"scripts/run.js": "export function run(a) {}\n", "lib/x.js": "export const x = 1;\n"}, {"scripts/run.js": "\n"}),
    ("a package that comes along", LOOSE, {"lib/other.js": "export const two = 2;\n", "package.json": '{"private": true}'}),
    ("names in comments and strings", NPM, {"src/run.ts": RUN + "// export function gone() {}\nconst s = 'export function other() {}';\n"}),
    ("an unseen function of a private module", CARGO, {"src/hidden.rs": CARGO["src/hidden.rs"].replace("pub fn unseen() {}\n", "")}),
    ("a program of Rust", {"Cargo.toml": CARGO["Cargo.toml"], "src/main.rs": "mod shown;\n", "src/shown.rs": "pub fn run() {}\n"}, {"src/shown.rs": "pub fn other() {}\n"}),
    ("an unexported function of Go", GO, {"a/a.go": GO["a/a.go"].replace("func own() {}\n", "")}),
    ("a function that moved to another file of its package", GO, {"a/a.go": GO["a/a.go"].replace("func Run(a string) {}\n", ""), "a/b.go": "package a\n\nfunc Run(a string) {}\n"}),
    ("further arguments of Go", GO, {"a/a.go": GO["a/a.go"].replace("(a string)", "(a string, more ...int)")}),
    ("a command of Go", {"main.go": "package main\n\nfunc Run() {}\n"}, {"main.go": "package main\n\nfunc Other() {}\n"}),
    ("an internal package of Go", {"internal/a.go": GO["a/a.go"]}, {"internal/a.go": "package a\n"}),
    ("a method of a package of Java", JAVA, {"src/main/java/a/A.java": JAVA["src/main/java/a/A.java"].replace("  void own() {}\n", "")}),
    ("results and fields of Rust that say the same or more", RUST, turned(RUST, ("-> Result<u8, Error>", "-> crate::Result<u8>"), ("new() -> Mark", "new() -> Self"), ("fn wait()", "fn wait() -> u8"), ("Debug, Clone", "Debug, Clone, PartialEq"), ("enum Open {\n", "enum Open {\n    B,\n"), ("a: u8) -> Vec", "b: u8) -> Vec"))),
    ("another name of the same type of Go", GO, {"a/a.go": GO["a/a.go"].replace("Run(a string)", "Run(a Word)").replace("Field int", "Field Count") + "\ntype Word = string\n\ntype Count = int\n"}),
    ("named results of Go", GO, turned(GO, ("own() {}", "own() error { return nil }"))),
    ("a narrower result of Java", BEANS, turned(BEANS, ("Iterable<String>", "List<String>"), ("void read()", "void read() throws IllegalStateException"))),
    ("what a gem keeps, adds or never showed", GEM, turned(GEM, ("def split(number)", "def parts_of(number, more = 1)\n    end\n    alias split parts_of\n    def further"), ("attr_reader :parts, :kind", "attr_accessor :parts\n    def kind = 1"), ("strict: false", "strict: true, more: 1"), ("def own(a)", "def own"))),
    ("methods of an application of Ruby", {"config/application.rb": "X = 1\n", "lib/own.rb": GEM["lib/own.rb"]}, {"lib/own.rb": "module Own\nend\n"}),
    ("types of TypeScript that take more and give less", TYPED, turned(TYPED, ("a: string; b?", "a: string; c?: string; b?"), ("'on' | 'off'", "'on' | 'off' | 'idle'"), ("(id: string", "(id: string | number"), ("function load(path: string) {\n  return reading(path);", "async function load(path: string) {\n  const read = await reading(path);\n  return read;"))),
    ("a constructor of TypeScript that took nothing", MADE, turned(MADE, ("  constructor() { this.n = 1; }\n", "  n = 1;\n"))),
    ("a constructor of Java that took nothing", MADE_IN_JAVA, turned(MADE_IN_JAVA, ("  public A() {}\n", ""))),
    ("what a function takes whose name has a type", WRITTEN, turned(WRITTEN, ("(key, again = true) => {\n  write(key);", "async (key, again) => {\n  await write(key);"))),
    ("an overload of Java", JAVA, {"src/main/java/a/A.java": JAVA["src/main/java/a/A.java"].replace("void own", "public void run(int a) {}\n  void own")}),
]  # fmt: skip


def said(drawing: Drawing, before: dict[str, str], after: dict[str, str | None]) -> list[str]:
    drawing.commit(dict(before))
    drawing.branch("work")
    drawing.commit(dict(after))
    return [each.statement.rstrip(".") for each in found(asked(drawing.path, "main", BREAK), BREAK)]


@pytest.mark.parametrize(
    ("before", "after", "expected"), [each[1:] for each in BREAKS], ids=[each[0] for each in BREAKS]
)
def test_what_others_can_no_longer_call_is_told(
    drawing: Drawing, before: dict[str, str], after: dict[str, str | None], expected: list[str]
) -> None:
    assert sorted(said(drawing, before, after)) == sorted(expected)


@pytest.mark.parametrize(("before", "after"), [each[1:] for each in NO_BREAKS], ids=[each[0] for each in NO_BREAKS])
def test_what_others_never_could_call_or_still_can_is_not_told(
    drawing: Drawing, before: dict[str, str], after: dict[str, str | None]
) -> None:
    assert said(drawing, before, after) == []


def test_a_break_is_placed_where_the_name_stood(drawing: Drawing) -> None:
    drawing.commit(dict(GO))
    drawing.branch("work")
    drawing.commit({"a/a.go": "package a\n"})
    assert places(found(asked(drawing.path, "main", BREAK), BREAK)) == [("a/a.go", 3), ("a/a.go", 7)]


@pytest.mark.parametrize(
    ("beside", "confidence"),
    [
        ({}, 0.85),
        ({"main.go": "package main\n"}, 0.5),
        ({"cmd/own/main.go": "package main\n"}, 0.85),
        ({"main.go": "package main\n", "a/go.mod": "module own/a\n"}, 0.85),
        ({"domain.go": "package own\n"}, 0.85),
    ],
)
def test_what_a_module_of_go_that_is_a_program_offers_may_serve_nobody_else(
    drawing: Drawing, beside: dict[str, str], confidence: float
) -> None:
    drawing.commit({**GO, **beside})
    drawing.branch("work")
    drawing.commit({"a/a.go": GO["a/a.go"].replace("func Run(a string) {}\n", "")})
    (fact,) = found(asked(drawing.path, "main", BREAK), BREAK)
    assert fact.confidence == confidence


def test_a_main_file_that_comes_with_a_break_makes_no_program_of_a_library_of_go(drawing: Drawing) -> None:
    drawing.commit(dict(GO))
    drawing.branch("work")
    drawing.commit({"a/a.go": GO["a/a.go"].replace("func Run(a string) {}\n", ""), "main.go": "package main\n"})
    (fact,) = found(asked(drawing.path, "main", BREAK), BREAK)
    assert fact.confidence == 0.85


def test_a_language_whose_offers_are_settled_at_run_time_is_said_not_to_be_compared(drawing: Drawing) -> None:
    drawing.commit({"lib/a.lua": "function run(a) end\n"})
    drawing.branch("work")
    drawing.commit({"lib/a.lua": "function walk(a) end\n"})
    [fact] = [each for each in asked(drawing.path, "main", BREAK).evidence if each.probe == BREAK]
    assert fact.outcome is Outcome.NOT_APPLICABLE
    assert "The API of Lua code is not compared" in fact.statement


@pytest.mark.parametrize(
    ("said_in_manifest", "served"),
    [
        ('{"exports": {".": {"import": "./dist/index.mjs"}, "./deep": "./dist/deep/index.js"}}', ["src/index.ts", "src/deep/index.ts"]),
        ('{"exports": {"./*": "./lib/*.js"}}', ["lib/a.js"]),
        ("{}", ["src/index.ts"]),
        ('{"exports": [1, null, {"a": "../../../etc/passwd"}]}', ["src/index.ts"]),
        ('{"private": true, "main": "index.js"}', []),
        ("[" * 100_000, []),
        ("[]", []),
    ],
)  # fmt: skip
def test_entries_are_found_by_what_the_manifest_says(said_in_manifest: str, served: list[str]) -> None:
    files = frozenset({"package.json", "src/index.ts", "src/deep/index.ts", "lib/a.js"})
    assert sorted(package_entry_points("package.json", said_in_manifest, files)) == sorted(served)


@pytest.mark.parametrize(
    "text",
    [
        "export {" * 40_000,
        "import" + " " * 300_000,
        "import a" + "\n" * 300_000,
        "export { a as b, b as a } from './a';\n" * 5_000,
        "export * from './a';" * 10_000,
        "pub use a::\n" * 20_000,
        "pub use " + "{" * 100_000,
        "exports = " * 30_000,
    ],
)
@pytest.mark.parametrize("path", ["a.ts", "src/lib.rs"])
def test_hostile_files_are_walked_in_time(path: str, text: str) -> None:
    started = time.process_time()
    files = frozenset({path, "src/a.rs"})
    assert len(list(find_reexports(path, text, files))) <= 20_000
    assert set(follow_reexports({path: "own"}, files, lambda paths: dict.fromkeys(paths, text))) <= files
    assert time.process_time() - started < 4


UNTYPED = "code.untyped_public_functions"


def test_exported_functions_of_typescript_that_take_anything_are_told(drawing: Drawing) -> None:
    drawing.commit(
        {
            "src/a.ts": "export function bare(a, b: string) {}\nexport const given: Handler = (a) => a;\nexport const typed = (a: string, b = 1) => a;\nfunction own(a) {}\n",
            "src/b.js": "export function plain(a) {}\n",
        }
    )
    [fact] = found(asked(drawing.path, None, UNTYPED), UNTYPED)
    assert fact.statement == "A public function lacks type annotations: `bare`."
    assert places([fact]) == [("src/a.ts", 1)]


def test_a_typescript_function_that_was_untyped_before_is_not_charged_to_who_touches_it(drawing: Drawing) -> None:
    drawing.commit({"src/a.ts": "export function bare(a) {}\n"})
    drawing.branch("work")
    drawing.commit({"src/a.ts": "export function bare(a, b: string) {}\n"})
    assert found(asked(drawing.path, "main", UNTYPED), UNTYPED) == []


def test_parameters_are_read_as_callers_see_them() -> None:
    source = "export async function* a({ b }, c = 1, ...d) {}\nexport default (e?: string) => e;\n"
    assert [
        (each.name, each.takes, each.required_count, each.endless) for each in outline("a.ts", source).exported_symbols
    ] == [
        ("a", ("{}", "c"), 1, True),
        ("default", ("e",), 0, False),
    ]


def test_a_part_of_a_record_and_an_object_that_is_needed_break_callers(drawing: Drawing) -> None:
    record = "package a;\npublic record R(int x) {\n  public static int of() { return 1; }\n}\n"
    after = record.replace("int x", "int x, int y").replace("static ", "")
    told = said(drawing, {"src/main/java/a/R.java": record}, {"src/main/java/a/R.java": after})
    assert sorted("`a.R.new`" in each for each in told) == [False, True]
    assert sorted("`a.R.of`" in each for each in told) == [False, True]
