"""Untrusted input that reaches a dangerous call by way of a function in another file, in C#, PHP and Rust."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import CodeLocation
from tests.adversarial.authors.drawing import CODE, FORGERY, LOADING, PATH, QUERY, REDIRECT, SHELL
from tests.adversarial.authors.test_other_files import Change, new_findings

_STORE = 'using System.IO;\nusing System.Diagnostics;\n\nnamespace Shop.Services;\n\npublic class FileStore : IFileStore\n{\n    public string Load(string name) => File.ReadAllText("/data/" + name);\n    public string Label(string name) { return name; }\n    public static void Run(string command) { Process.Start("/bin/sh", "-c " + command); }\n    public static void Show(string command) { System.Console.WriteLine(command); }\n}\n'
_STORES = {
    "Services/FileStore.cs": _STORE,
    "Services/IFileStore.cs": "namespace Shop.Services;\n\npublic interface IFileStore { string Load(string name); }\n",
}


def _csharp(body: str, more: str = "") -> dict[str, str]:
    return {
        "Controllers/ItemsController.cs": f"using Microsoft.AspNetCore.Mvc;\nusing Shop.Services;\n\nnamespace Shop.Controllers;\n\npublic class ItemsController : ControllerBase\n{{\n    {more}\n    [HttpGet]\n    public IActionResult Get(string name)\n    {{\n        {body}\n        return Ok();\n    }}\n}}\n"
    }


_ITEMS = "Controllers/ItemsController.cs"
_FIELD = "private readonly IFileStore _files;"
CSHARP = [
    Change("a method of an injected interface", PATH, _ITEMS, _STORES, _csharp("_files.Load(name);", _FIELD), _csharp("_files.Label(name);", _FIELD)),
    Change("a method of a property", PATH, _ITEMS, _STORES, _csharp("this.Files.Load(name);", "public FileStore Files { get; set; }"), _csharp("this.Files.Label(name);", "public FileStore Files { get; set; }")),
    Change("a method of a new object", PATH, _ITEMS, _STORES, _csharp("var files = new FileStore();\n        files.Load(Request.Query[\"f\"]);"), _csharp("var files = new FileStore();\n        files.Load(\"a\" + int.Parse(Request.Query[\"f\"]));")),
    Change("a static method", SHELL, _ITEMS, _STORES, _csharp("FileStore.Run(name);"), _csharp("FileStore.Show(name);")),
    Change("a method that begins to open a file", PATH, _ITEMS, {**_STORES, "Services/FileStore.cs": _STORE.replace('File.ReadAllText("/data/" + name)', "name"), **_csharp("_files.Load(name);", _FIELD)}, {"Services/FileStore.cs": _STORE}, {"Services/FileStore.cs": _STORE.replace('File.ReadAllText("/data/" + name)', "name.Trim()")}),
]  # fmt: skip
_FILES = "<?php\n\nnamespace App\\Services;\n\nclass Files\n{\n    public function load(string $name)\n    {\n        return file_get_contents('/data/' . $name);\n    }\n\n    public static function remove($name)\n    {\n        unlink('/data/' . $name);\n    }\n\n    public function label(string $name)\n    {\n        return basename($name);\n    }\n}\n"
_HELPERS = "<?php\n\nfunction show_page($page) { include 'pages/' . $page; }\nfunction run_it($command) { system($command); }\nfunction label_it($text) { return trim($text); }\nfunction wanted() { return $_GET['q']; }\nfunction number() { return (int) $_GET['q']; }\n"


def _php(body: str, more: str = "") -> dict[str, str]:
    return {
        "app/Http/Controllers/ItemController.php": f"<?php\n\nnamespace App\\Http\\Controllers;\n\nuse App\\Services\\Files;\nuse Illuminate\\Http\\Request;\n\nclass ItemController extends Controller\n{{\n    {more}\n\n    public function show(Request $request)\n    {{\n        {body}\n    }}\n}}\n"
    }


def _page(body: str) -> dict[str, str]:
    return {"index.php": f"<?php\n\nrequire_once __DIR__ . '/lib/helpers.php';\n\n{body}\n"}


_ITEM = "app/Http/Controllers/ItemController.php"
_SERVICES = {"app/Services/Files.php": _FILES}
_LIB = {"lib/helpers.php": _HELPERS}
PHP = [
    Change("a method of an injected object", PATH, _ITEM, _SERVICES, _php("$this->files->load($request->input('f'));", "public function __construct(private Files $files) {}"), _php("$this->files->label($request->input('f'));", "public function __construct(private Files $files) {}")),
    Change("a method of a property", PATH, _ITEM, _SERVICES, _php("$this->files->load($request->input('f'));", "private Files $files;"), _php("$this->files->label($request->input('f'));", "private Files $files;")),
    Change("a static method", PATH, _ITEM, _SERVICES, _php("Files::remove($request->query('f'));"), _php("Files::remove(basename($request->query('f')));")),
    Change("a function of a file that is required", SHELL, "index.php", _LIB, _page("run_it($_GET['c']);"), _page("label_it($_GET['c']);")),
    Change("a page that is included", CODE, "index.php", _LIB, _page("show_page($_GET['p']);"), _page("show_page('home.php');\necho label_it($_GET['p']);")),
    Change("a source in another file", PATH, "index.php", _LIB, _page("unlink('/data/' . wanted());"), _page("unlink('/data/' . number());")),
    Change("a method that begins to open a file", PATH, _ITEM, {"app/Services/Files.php": _FILES.replace("'/data/' . $name);\n    }\n\n    public static", "'/data/x');\n    }\n\n    public static"), **_php("(new Files())->load($request->input('f'));")}, _SERVICES, {"app/Services/Files.php": _FILES.replace("'/data/' . $name);\n    }\n\n    public static", "'/data/y');\n    }\n\n    public static")}),
]  # fmt: skip
_RUST_FILES = 'use std::fs;\nuse std::process::Command;\n\npub struct Store {\n    root: String,\n}\n\nimpl Store {\n    pub fn new() -> Self {\n        Store { root: String::new() }\n    }\n\n    pub fn load(&self, name: &str) -> String {\n        fs::read_to_string(format!("/data/{}", name)).unwrap()\n    }\n\n    pub fn label(&self, name: &str) -> String {\n        name.to_string()\n    }\n}\n\npub fn remove(name: &str) {\n    fs::remove_file(name).unwrap();\n}\n\npub fn run(command: &str) {\n    Command::new("sh").arg("-c").arg(command).status().unwrap();\n}\n\npub fn show(command: &str) {\n    println!("{}", command);\n}\n'


def _rust(imports: str, body: str, given: str = "Path(name): Path<String>") -> dict[str, str]:
    return {
        "src/routes.rs": f"use axum::extract::{{Path, State}};\nuse std::sync::Arc;\n{imports}\n\npub async fn show({given}) -> String {{\n    {body}\n}}\n"
    }


_ROUTES = "src/routes.rs"
_MODULE = {"src/files.rs": _RUST_FILES}
_STATE = "State(store): State<Arc<Store>>, Path(name): Path<String>"
RUST = [
    Change("a function of a module", PATH, _ROUTES, _MODULE, _rust("use crate::files;", "files::remove(&name);\n    name"), _rust("use crate::files;", "files::show(&name);\n    name")),
    Change("a function that is imported", SHELL, _ROUTES, _MODULE, _rust("use crate::files::{run, show};", "run(&name);\n    String::new()"), _rust("use crate::files::{run, show};", "show(&name);\n    String::new()")),
    Change("a function of a module of a folder", SHELL, _ROUTES, {"src/files/mod.rs": _RUST_FILES}, _rust("", "crate::files::run(&name);\n    String::new()"), _rust("", "crate::files::show(&name);\n    String::new()")),
    Change("a method of a new object", PATH, _ROUTES, _MODULE, _rust("use crate::files::Store;", "Store::new().load(&name)"), _rust("use crate::files::Store;", "Store::new().label(&name)")),
    Change("a method of a shared object", PATH, _ROUTES, _MODULE, _rust("use crate::files::Store;", "store.load(&name)", _STATE), _rust("use crate::files::Store;", "store.label(&name)", _STATE)),
    Change("a function that begins to run its parameter", SHELL, _ROUTES, {"src/files.rs": _RUST_FILES.replace("Command::new(\"sh\").arg(\"-c\").arg(command)", "Command::new(\"ls\").arg(command)"), **_rust("use crate::files;", "files::run(&name);\n    name")}, _MODULE, {"src/files.rs": _RUST_FILES.replace("Command::new(\"sh\").arg(\"-c\").arg(command)", "Command::new(\"df\").arg(command)")}),
]  # fmt: skip
CHANGES = [*CSHARP, *PHP, *RUST]
_NAMES = [f"{each.name} in {each.at.rpartition('.')[2]}" for each in CHANGES]


@pytest.mark.parametrize("change", CHANGES, ids=_NAMES)
def test_input_is_followed_through_a_function_of_another_file(change: Change, tmp_path: Path) -> None:
    found = new_findings(tmp_path, change.there, change.hostile, change.probe)
    (flow,) = [each for each in found if " reaches `" in each.statement]
    assert {each.path for each in flow.locations if isinstance(each, CodeLocation)} == {change.at}
    assert flow.confidence >= 0.8


@pytest.mark.parametrize("change", CHANGES, ids=_NAMES)
def test_a_function_that_does_no_harm_stays_silent(change: Change, tmp_path: Path) -> None:
    probes = (SHELL, CODE, LOADING, QUERY, PATH, FORGERY, REDIRECT)
    found = new_findings(tmp_path, change.there, change.benign, *probes)
    assert [each.statement for each in found if each.confidence >= 0.5] == []
