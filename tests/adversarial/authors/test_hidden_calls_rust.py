"""Dangerous calls in Rust that hide behind pointers to functions."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names


def _function(body: str) -> str:
    """A file with one function."""
    lines = "".join(f"    {each}\n" for each in body.split("\n"))
    return f"use std::process::Command;\nuse std::process::Command as Cmd;\n\nfn print(x: &str, quiet: bool, mode: u8) {{\n{lines}}}\n"


CASES: list[Case] = [
    (
        "another name",
        SHELL,
        _function('let start = Command::new;\nstart("sh").arg("-c").arg(x).output().unwrap();'),
        _function('let start = Command::new;\nstart("ls").arg("-c").arg(x).output().unwrap();'),
    ),
    (
        "an argument of a macro",
        SHELL,
        _function('println!("{:?}", Command::new("sh").arg("-c").arg(x).status());'),
        _function('println!("{:?} {}", Command::new("sh").arg("-c").arg("date").status(), x);'),
    ),
    (
        "a list in a macro",
        SHELL,
        _function('let _ = dbg!(Command::new("bash").args(["-c", x]).output());'),
        _function('let _ = dbg!(Command::new("du").args(["-c", x]).output());'),
    ),
    (
        "a type of a pointer",
        SHELL,
        _function('let start: fn(&str) -> Command = Command::new;\nlet mut run = start("bash");\nrun.args(["-c", x]);'),
        _function('let start: fn(&str) -> Command = Command::new;\nlet mut run = start("du");\nrun.args(["-c", x]);'),
    ),
    (
        "a table",
        SHELL,
        _function('let table = [Command::new, other];\ntable[0]("sh").arg("-c").arg(x).output().unwrap();'),
        _function('let table = [other, Command::new];\ntable[0]("sh").arg("-c").arg(x).output().unwrap();'),
    ),
    (
        "a tuple of functions",
        SHELL,
        _function('let (start, _) = (Command::new, 1);\nstart("sh").arg("-c").arg(x).output().unwrap();'),
        _function('let (start, _) = (other, 1);\nstart("sh").arg("-c").arg(x).output().unwrap();'),
    ),
    (
        "a choice",
        SHELL,
        _function(
            'let start = if quiet { other } else { Command::new };\nstart("sh").arg("-c").arg(x).output().unwrap();'
        ),
        _function('let start = if quiet { other } else { another };\nstart("sh").arg("-c").arg(x).output().unwrap();'),
    ),
    (
        "a match",
        SHELL,
        _function(
            'let start = match mode { 1 => Command::new, _ => other };\nstart("sh").arg("-c").arg(x).output().unwrap();'
        ),
        _function(
            'let start = match mode { 1 => another, _ => other };\nstart("sh").arg("-c").arg(x).output().unwrap();'
        ),
    ),
    (
        "a parameter",
        SHELL,
        _function(
            'each(Command::new, x);\n}\nfn each(start: fn(&str) -> Command, x: &str) {\n    start("sh").arg("-c").arg(x).output().unwrap();'
        ),
        _function(
            'each(other, x);\n}\nfn each(start: fn(&str) -> Command, x: &str) {\n    start("sh").arg("-c").arg(x).output().unwrap();'
        ),
    ),
    (
        "a function that returns it",
        SHELL,
        _function(
            'pick()("sh").arg("-c").arg(x).output().unwrap();\n}\nfn pick() -> fn(&str) -> Command {\n    Command::new'
        ),
        _function('pick()("sh").arg("-c").arg(x).output().unwrap();\n}\nfn pick() -> fn(&str) -> Command {\n    other'),
    ),
    (
        "a constant",
        SHELL,
        _function(
            'START("sh").arg("-c").arg(x).output().unwrap();\n}\nconst START: fn(&str) -> Command = Command::new;\nfn end() {'
        ),
        _function(
            'START("sh").arg("-c").arg(x).output().unwrap();\n}\nconst START: fn(&str) -> Command = other;\nfn end() {'
        ),
    ),
    (
        "a field",
        SHELL,
        _function(
            'let runner = Runner { start: Command::new };\n(runner.start)("sh").arg("-c").arg(x).output().unwrap();'
        ),
        _function('let runner = Runner { start: other };\n(runner.start)("sh").arg("-c").arg(x).output().unwrap();'),
    ),
    (
        "a builder that is kept",
        SHELL,
        _function('let mut run = Command::new("sh");\nlet again = &mut run;\nagain.arg("-c");\nagain.arg(x);'),
        _function('let mut run = Command::new("ls");\nlet again = &mut run;\nagain.arg("-c");\nagain.arg(x);'),
    ),
    (
        "another name by its import",
        SHELL,
        _function('Cmd::new("sh").arg("-c").arg(x).output().unwrap();'),
        _function('Cmd::new("ls").arg("-c").arg(x).output().unwrap();'),
    ),
    (
        "a branch before the last one",
        SHELL,
        'use std::process::Command;\nfn show(name: &str, plain: bool) {\n    let line;\n    if plain {\n        line = format!("cat {name}");\n    } else {\n        line = "true".to_string();\n    }\n    Command::new("sh").arg("-c").arg(line).status().unwrap();\n}\n',
        'use std::process::Command;\nfn show(name: &str, plain: bool) {\n    let line;\n    if plain {\n        line = format!("list-{name}");\n    } else {\n        line = "list".to_string();\n    }\n    Command::new("cat").arg("--").arg(line).status().unwrap();\n}\n',
    ),
    (
        "a function of C under another name",
        SHELL,
        'use std::ffi::CString;\n\nextern "C" {\n    #[link_name = "popen"]\n    fn open_list(name: *const i8, way: *const i8) -> *mut u8;\n}\n\npub fn list(name: &str) {\n    let line = CString::new(format!("ls {name}")).unwrap();\n    unsafe { open_list(line.as_ptr(), c"r".as_ptr()) };\n}\n',
        'use std::ffi::CString;\n\nextern "C" {\n    #[link_name = "puts"]\n    fn put_list(name: *const i8) -> i32;\n}\n\npub fn list(name: &str) {\n    let line = CString::new(format!("ls {name}")).unwrap();\n    unsafe { put_list(line.as_ptr()) };\n}\n',
    ),
    (
        "a declared function of C",
        SHELL,
        'use std::ffi::CString;\n\nunsafe extern "C" {\n    fn popen(name: *const i8, way: *const i8) -> *mut u8;\n}\n\npub fn list(name: &str) {\n    let line = CString::new(format!("ls {name}")).unwrap();\n    unsafe { popen(line.as_ptr(), c"r".as_ptr()) };\n}\n',
        'fn popen(name: &str) -> usize {\n    name.len()\n}\n\npub fn list(name: &str) -> usize {\n    popen(&format!("ls {name}"))\n}\n',
    ),
    (
        "a module of processes beside a type of that name",
        SHELL,
        'use std::process;\n\npub struct Command(Vec<String>);\n\npub fn show(name: String) {\n    process::Command::new("sh").arg("-c").arg(name).status().unwrap();\n}\n',
        'pub struct Command(Vec<String>);\n\nimpl Command {\n    fn new(name: &str) -> Self {\n        Command(vec![name.to_string()])\n    }\n\n    fn arg(mut self, word: String) -> Self {\n        self.0.push(word);\n        self\n    }\n}\n\npub fn show(name: String) -> Command {\n    Command::new("sh").arg("-c".to_string()).arg(name)\n}\n',
    ),
    (
        "a label that is left at once",
        SHELL,
        'use std::process::Command;\nfn f(x: &str) {\n    let mut c = format!("rm {}", x);\n    \'a: { if true { break \'a; } c = "ls".to_string(); }\n    Command::new("sh").arg("-c").arg(&c).output().unwrap();\n}\n',
        'use std::process::Command;\nfn f(x: &str) {\n    let mut c = format!("rm {}", x);\n    \'a: { if true { break \'a; } c = "ls".to_string(); }\n    Command::new("ls").arg("--").arg(&c).output().unwrap();\n}\n',
    ),
    (
        "a part that nobody awaits",
        SHELL,
        'use std::process::Command;\nfn f(x: &str) {\n    let mut c = format!("rm {}", x);\n    let _z = async { c = "ls".to_string(); };\n    Command::new("sh").arg("-c").arg(&c).output().unwrap();\n}\n',
        'use std::process::Command;\nfn f(x: &str) {\n    let mut c = format!("rm {}", x);\n    let _z = async { c = "ls".to_string(); };\n    Command::new("ls").arg("--").arg(&c).output().unwrap();\n}\n',
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "rs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_call_that_hides_is_found(number: int, found: Found) -> None:
    assert_is_found(found, number, CASES[number], "rs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_only_looks_like_it_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "rs")
