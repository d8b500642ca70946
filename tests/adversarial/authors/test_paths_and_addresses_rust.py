"""Untrusted input in Rust that chooses a file, a host or the target of a redirect, and the same code where it is checked."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import FORGERY, PATH, REDIRECT, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names

_AXUM = "use axum::extract::{Path, Query};\nuse axum::response::Redirect;\nuse std::collections::HashMap;\nuse std::fs;\nuse std::fs::File;\nuse std::path::PathBuf;\nuse url::Url;\n\n"
_ACTIX = "use actix_files::NamedFile;\nuse actix_web::{get, http::header, web, HttpResponse};\n\n"


def _axum(name: str, probe: str, hostile: str, benign: str, given: str = "Path(name): Path<String>") -> Case:
    def source(body: str) -> str:
        lines = "".join(f"    {each}\n" for each in body.split("\n"))
        return f'{_AXUM}const ROOT: &str = "/data/";\n\nasync fn show({given}) -> impl IntoResponse {{\n{lines}}}\n'

    return name, probe, source(hostile), source(benign)


def _actix(name: str, probe: str, hostile: str, benign: str) -> Case:
    def source(body: str) -> str:
        return f'{_ACTIX}#[get("/f/{{name}}")]\nasync fn show(name: web::Path<String>) -> HttpResponse {{\n    {body}\n}}\n'

    return name, probe, source(hostile), source(benign)


_QUERY = "Query(q): Query<HashMap<String, String>>"
_STATE = "State(client): State<reqwest::Client>, Path(name): Path<String>"
_UPLOAD = 'use axum::extract::Multipart;\n\nasync fn upload(mut form: Multipart) {{\n    while let Some(field) = form.next_field().await.unwrap() {{\n        let name = {};\n        tokio::fs::write(format!("/data/{{name}}"), field.bytes().await.unwrap()).await.unwrap();\n    }}\n}}\n'
_ROCKET = "use rocket::fs::NamedFile;\nuse rocket::response::Redirect;\nuse std::path::{Path, PathBuf};\n\n"
CASES: list[Case] = [
    _axum("a file that is read", PATH, "fs::read_to_string(format!(\"/data/{name}\")).unwrap()", "fs::read_to_string(format!(\"/data/{id}\")).unwrap()", "Path((name, id)): Path<(String, u32)>"),
    _axum("a joined path", PATH, "let path = PathBuf::from(ROOT).join(&name);\ntokio::fs::read(path).await.unwrap()", "let path = PathBuf::from(ROOT).join(std::path::Path::new(&name).file_name().unwrap());\ntokio::fs::read(path).await.unwrap()"),
    _axum("a path that is compared before it is resolved", PATH, "let path = PathBuf::from(ROOT).join(&name);\nif !path.starts_with(ROOT) {\n    return String::new();\n}\nfs::read_to_string(path).unwrap()", "let path = PathBuf::from(ROOT).join(&name).canonicalize().unwrap();\nif !path.starts_with(ROOT) {\n    return String::new();\n}\nfs::read_to_string(path).unwrap()"),
    _axum("a check that decides nothing", PATH, "let path = fs::canonicalize(PathBuf::from(ROOT).join(&name)).unwrap();\nif !path.starts_with(ROOT) {\n    println!(\"{path:?}\");\n}\nfs::remove_file(path).unwrap()", "let path = fs::canonicalize(PathBuf::from(ROOT).join(&name)).unwrap();\nif path.starts_with(ROOT) {\n    fs::remove_file(path).unwrap()\n}"),
    _axum("a file that is opened", PATH, "let file = File::open(name).unwrap();", "if name.contains(\"..\") || name.contains('/') {\n    return String::new();\n}\nlet file = File::open(PathBuf::from(ROOT).join(name)).unwrap();"),
    _axum("parts of a path", PATH, "if PathBuf::from(&name).components().any(|c| matches!(c, Component::CurDir)) {\n    return String::new();\n}\nfs::write(PathBuf::from(ROOT).join(&name), \"x\").unwrap()", "if PathBuf::from(&name).components().any(|c| matches!(c, Component::ParentDir | Component::RootDir)) {\n    return String::new();\n}\nfs::write(PathBuf::from(ROOT).join(&name), \"x\").unwrap()"),
    _axum("the target of a copy", PATH, "std::fs::copy(\"/a\", format!(\"{ROOT}{}\", q[\"to\"])).unwrap()", "let to: u64 = q[\"to\"].parse().unwrap();\nstd::fs::copy(\"/a\", format!(\"{ROOT}{}\", to)).unwrap()", _QUERY),
    _axum("a folder that is deleted", PATH, "std::fs::remove_dir_all(std::path::Path::new(ROOT).join(name)).unwrap()", "std::fs::remove_dir_all(std::path::Path::new(ROOT).join(\"cache\")).unwrap()"),
    _axum("a name of a known list", PATH, "if name.is_empty() {\n    return String::new();\n}\nfs::read_to_string(name).unwrap()", "if ![\"a.txt\", \"b.txt\"].contains(&name.as_str()) {\n    return String::new();\n}\nfs::read_to_string(name).unwrap()"),
    _axum("a file with options", PATH, "std::fs::OpenOptions::new().write(true).open(name).unwrap()", "std::fs::OpenOptions::new().write(true).open(\"/data/all\").unwrap()"),
    _actix("a file that is sent", PATH, "NamedFile::open(format!(\"/data/{}\", name)).unwrap().into_response(&req)", "NamedFile::open(\"/data/index.html\").unwrap().into_response(&req)"),
    _axum("an address", FORGERY, "reqwest::get(&name).await.unwrap()", "reqwest::get(format!(\"https://shop.example/{name}\")).await.unwrap()"),
    _axum("an address of a client", FORGERY, "client.get(name).send().await.unwrap()", "client.get(\"https://shop.example/\").query(&[(\"n\", name)]).send().await.unwrap()", _STATE),
    _axum("an address of a new client", FORGERY, "let client = reqwest::Client::new();\nclient.post(format!(\"http://{}/hook\", q[\"host\"])).send().await.unwrap()", "let client = reqwest::Client::new();\nclient.post(format!(\"http://shop.example/{}\", q[\"host\"])).send().await.unwrap()", _QUERY),
    _axum("an address of another library", FORGERY, "ureq::get(&name).call().unwrap()", "ureq::get(\"https://shop.example/\").set(\"x-name\", &name).call().unwrap()"),
    _axum("a host that is not asked for", FORGERY, "let url = Url::parse(&name).unwrap();\nif url.scheme() != \"https\" {\n    return String::new();\n}\nreqwest::get(url).await.unwrap()", "let url = Url::parse(&name).unwrap();\nif url.host_str() != Some(\"shop.example\") {\n    return String::new();\n}\nreqwest::get(url).await.unwrap()"),
    _axum("a redirect", REDIRECT, "Redirect::to(&q[\"next\"])", "Redirect::to(&format!(\"/items/{}\", q[\"next\"]))", _QUERY),
    _axum("a redirect that is only asked for a slash at its end", REDIRECT, "let next = q[\"next\"].clone();\nif !next.ends_with('/') {\n    return Redirect::to(\"/\");\n}\nRedirect::temporary(&next)", "let next = q[\"next\"].clone();\nif !next.starts_with('/') || next.starts_with(\"//\") {\n    return Redirect::to(\"/\");\n}\nRedirect::temporary(&next)", _QUERY),
    _actix("a header", REDIRECT, "HttpResponse::Found().append_header((\"Location\", name.into_inner())).finish()", "HttpResponse::Found().append_header((\"X-Name\", name.into_inner())).finish()"),
    _actix("a header by its constant", REDIRECT, "HttpResponse::Found().insert_header((header::LOCATION, name.as_str())).finish()", "HttpResponse::Found().insert_header((header::LOCATION, format!(\"/n/{}\", name))).finish()"),
    ("a redirect of Rocket", REDIRECT, _ROCKET + "#[get(\"/?<next>\")]\nfn go(next: String) -> Redirect {\n    Redirect::to(next)\n}\n", _ROCKET + "#[get(\"/?<next>\")]\nfn go(next: String) -> Redirect {\n    Redirect::to(uri!(item(next)))\n}\n"),
    ("a file of Rocket", PATH, _ROCKET + "#[get(\"/?<file>\")]\nasync fn files(file: String) -> Option<NamedFile> {\n    NamedFile::open(Path::new(\"static/\").join(file)).await.ok()\n}\n", _ROCKET + "#[get(\"/<file..>\")]\nasync fn files(file: PathBuf) -> Option<NamedFile> {\n    NamedFile::open(Path::new(\"static/\").join(file)).await.ok()\n}\n"),
    ("a file of a form under its own name", PATH, _UPLOAD.format("field.file_name().unwrap().to_string()"), _UPLOAD.format("std::path::Path::new(field.file_name().unwrap()).file_name().unwrap().to_string_lossy()")),
    ("a function by another name", PATH, "use axum::extract::Path;\nuse std::fs::read_to_string as slurp;\n\nasync fn show(Path(name): Path<String>) -> String {\n    slurp(name).unwrap()\n}\n", "use axum::extract::Path;\nuse std::string::ToString as slurp;\n\nasync fn show(Path(name): Path<String>) -> String {\n    slurp(name).unwrap()\n}\n"),
    _axum("options of a file", PATH, "std::fs::File::options().write(true).open(name).unwrap()", "std::fs::File::options().write(true).open(\"/data/all\").unwrap()"),
    _axum("characters that are left", PATH, "let plain: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '/').collect();\nfs::read_to_string(plain).unwrap()", "let plain: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();\nfs::read_to_string(plain).unwrap()"),
    _axum("a host inside a format", FORGERY, "reqwest::get(format!(\"https://{name}.shop.example/\")).await.unwrap()", "reqwest::get(format!(\"https://{}/{name}\", \"shop.example\")).await.unwrap()"),
    _axum("an address of a client that is built", FORGERY, "reqwest::Client::builder().build().unwrap().get(&name).send().await.unwrap()", "reqwest::Client::builder().user_agent(name).build().unwrap().get(\"https://shop.example/\").send().await.unwrap()"),
    _axum("an argument with a name in a format", FORGERY, "reqwest::get(format!(\"https://{host}/{}\", 1, host = name)).await.unwrap()", "reqwest::get(format!(\"https://{host}/{}\", name, host = \"shop.example\")).await.unwrap()"),
    _axum("an argument with a number in a format", FORGERY, "reqwest::get(format!(\"https://{1}/{0}\", 1, name)).await.unwrap()", "reqwest::get(format!(\"https://{1}/{0}\", name, \"shop.example\")).await.unwrap()"),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "rs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_chooses_a_place_is_found_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "rs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_place_that_is_checked_or_fixed_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "rs")
