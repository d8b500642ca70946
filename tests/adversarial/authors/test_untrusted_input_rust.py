"""Untrusted input in Rust that reaches a dangerous call, and the same code where it does not."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names

_AXUM = "use axum::extract::{Json, Path, Query};\nuse std::process::Command;\n\nstruct Params {\n    name: String,\n    page: u32,\n}\n\n"
_ACTIX = "use actix_web::{get, web, HttpRequest};\nuse std::process::Command;\n\n"
_POSTGRES = "use tokio_postgres::Client;\n"
_ROCKET = "use rocket::get;\nuse std::process::Command;\n\n"


def _handler(
    body: str, parameters: str = "Query(params): Query<Params>", before: str = _AXUM, attribute: str = ""
) -> str:
    """One handler."""
    lines = "".join(f"    {each}\n" for each in body.split("\n"))
    return f"{before}{attribute}async fn show({parameters}) -> String {{\n{lines}    String::new()\n}}\n"


CASES: list[Case] = [
    (
        "words of a shell",
        SHELL,
        _handler('Command::new("sh").arg("-c").arg(format!("ls {}", params.name)).output().unwrap();'),
        _handler('Command::new("sh").arg("-c").arg(format!("head -n {}", params.page)).output().unwrap();'),
    ),
    (
        "an argument of a macro",
        SHELL,
        _handler('println!("{:?}", Command::new("sh").arg("-c").arg(params.name).status());'),
        _handler('println!("{:?}", Command::new("head").arg("-n").arg(params.name).status());'),
    ),
    (
        "a name in the text",
        SHELL,
        _handler(
            'let name = params.name.trim();\nCommand::new("bash").args(["-c", &format!("ls {name}")]).status().unwrap();'
        ),
        _handler(
            'let name = params.name.trim();\nCommand::new("ls").args(["-c", &format!("a{name}")]).status().unwrap();'
        ),
    ),
    (
        "a command in steps",
        SHELL,
        _handler(
            'let mut run = Command::new("/bin/sh");\nrun.arg("-c");\nlet mut line = String::from("du ");\nline.push_str(&dir);\nrun.arg(line);\nrun.spawn().unwrap();',
            "Path(dir): Path<String>",
        ),
        _handler(
            'let mut run = Command::new("/bin/sh");\nrun.arg("-c");\nlet mut line = String::from("kill ");\nline.push_str(&dir.to_string());\nrun.arg(line);\nrun.spawn().unwrap();',
            "Path(dir): Path<u32>",
        ),
    ),
    (
        "one of two parts of a path",
        SHELL,
        _handler(
            'Command::new("sh").arg("-c").arg("ls ".to_string() + &dir).output().unwrap();\ndrop(id);',
            "Path((id, dir)): Path<(u32, String)>",
        ),
        _handler(
            'Command::new("sh").arg("-c").arg("ls ".to_string() + &id.to_string()).output().unwrap();\ndrop(dir);',
            "Path((id, dir)): Path<(u32, String)>",
        ),
    ),
    (
        "a program",
        SHELL,
        _handler("Command::new(&params.name).output().unwrap();"),
        _handler('Command::new("ls").arg(&params.name).output().unwrap();'),
    ),
    (
        "a choice",
        SHELL,
        _handler(
            'let tool = match params.name.as_str() {\n    "" => "ls",\n    other => other,\n};\nCommand::new(tool).output().unwrap();'
        ),
        _handler(
            'let tool = match params.name.as_str() {\n    "disk" => "df",\n    _ => "ls",\n};\nCommand::new(tool).output().unwrap();'
        ),
    ),
    (
        "an allow-list that is asked",
        SHELL,
        _handler(
            'if !params.name.starts_with("l") {\n    return String::new();\n}\nCommand::new(&params.name).output().unwrap();'
        ),
        _handler(
            'if !["ls", "df"].contains(&params.name.as_str()) {\n    return String::new();\n}\nCommand::new(&params.name).output().unwrap();'
        ),
    ),
    (
        "an extractor of Actix",
        SHELL,
        _handler(
            'let q = req.query_string().to_owned();\nCommand::new("sh").args(&["-c", &q]).output().unwrap();',
            "req: HttpRequest",
            _ACTIX,
            '#[get("/run")]\n',
        ),
        _handler(
            'let q = req.query_string().to_owned();\nCommand::new("ls").args(&["-c", &q]).output().unwrap();',
            "req: HttpRequest",
            _ACTIX,
            '#[get("/run")]\n',
        ),
    ),
    (
        "a part of a path of Rocket",
        SHELL,
        _handler(
            'Command::new("sh").arg("-c").arg(format!("ls {}", dir)).output().unwrap();',
            "dir: &str",
            _ROCKET,
            '#[get("/<dir>")]\n',
        ),
        _handler(
            'Command::new("sh").arg("-c").arg(format!("kill {}", id)).output().unwrap();',
            "id: u32",
            _ROCKET,
            '#[get("/<id>")]\n',
        ),
    ),
    (
        "a helper of the file",
        SHELL,
        _handler("run(&params.name);")
        + 'fn run(line: &str) {\n    Command::new("sh").arg("-c").arg(line).output().unwrap();\n}\n',
        _handler("run(&params.name);") + 'fn run(dir: &str) {\n    Command::new("ls").arg(dir).output().unwrap();\n}\n',
    ),
    (
        "a query of sqlx",
        QUERY,
        _handler(
            "let sql = format!(\"SELECT * FROM items WHERE name = '{}'\", params.name);\nsqlx::query(&sql).fetch_all(&pool).await.unwrap();"
        ),
        _handler(
            'sqlx::query("SELECT * FROM items WHERE name = $1").bind(&params.name).fetch_all(&pool).await.unwrap();'
        ),
    ),
    (
        "a number in a query",
        QUERY,
        _handler(
            'let n = params.name.parse::<String>().unwrap();\nsqlx::query(&format!("SELECT * FROM items LIMIT {n}")).fetch_all(&pool).await.unwrap();'
        ),
        _handler(
            'let n: u32 = params.name.parse().unwrap();\nsqlx::query(&format!("SELECT * FROM items LIMIT {n}")).fetch_all(&pool).await.unwrap();'
        ),
    ),
    (
        "SQL of Diesel",
        QUERY,
        _handler(
            'diesel::sql_query("SELECT * FROM items WHERE name = \'".to_owned() + &body.name + "\'").load(&mut c);',
            "Json(body): Json<Params>",
        ),
        _handler(
            'diesel::sql_query("SELECT * FROM items WHERE name = $1").bind::<Text, _>(&body.name).load(&mut c);',
            "Json(body): Json<Params>",
        ),
    ),
    (
        "a query of Postgres",
        QUERY,
        _POSTGRES
        + _handler(
            'if let Some(name) = params.get("name") {\n    client.query(&format!("SELECT * FROM items WHERE name = \'{}\'", name), &[]).await.unwrap();\n}',
            "client: Client, Query(params): Query<HashMap<String, String>>",
        ),
        _POSTGRES
        + _handler(
            'if let Some(name) = params.get("name") {\n    client.query("SELECT * FROM items WHERE name = $1", &[name]).await.unwrap();\n}',
            "client: Client, Query(params): Query<HashMap<String, String>>",
        ),
    ),
    (
        "a library",
        CODE,
        _handler('unsafe { libloading::Library::new(format!("plugins/{}", params.name)) }.unwrap();'),
        _handler('unsafe { libloading::Library::new(format!("plugins/{}.so", params.page)) }.unwrap();'),
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "rs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_reaches_a_dangerous_call_is_confirmed_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "rs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_is_provably_harmless_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "rs")
