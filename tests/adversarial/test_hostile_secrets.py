"""Wherever in a repository a secret is put, it is found; wherever it is found, its value stands in nothing we write."""

from __future__ import annotations

import base64
import json
import random
import string
import tempfile
import time
from pathlib import Path

import pytest

from auditor import cli
from auditor.domain import Fact, Outcome
from auditor.forensics.secrets import content_scan
from auditor.forensics.secrets.redacted_facts import redact_fact
from auditor.repo import commit_log
from tests.auditing import Answers, asked
from tests.repos import Content, Drawing

SECRETS = "secrets.committed"
_LETTERS = string.ascii_letters + string.digits


def drawn(prefix: str, length: int, seed: int) -> str:
    """A value of a secret's form, made when the test runs: none stands in this file."""
    chance = random.Random(f"{prefix}{seed}")  # noqa: S311 - it only has to look drawn by chance
    return prefix + "".join(chance.choice(_LETTERS) for _ in range(length))


def token(seed: int = 1) -> str:
    return drawn("gh" + "p_", 36, seed)


def places(report: Answers) -> set[tuple[str, str, str]]:
    """Kind, path and commit of every secret told."""
    return {
        (each["kind"], each["path"], each["commit"])
        for evidence in report.evidence
        if evidence.probe == SECRETS and evidence.outcome is Outcome.FOUND and evidence.data is not None
        for each in evidence.data.model_dump()["secrets"]
    }


def test_an_octopus_merge_hides_nothing(drawing: Drawing) -> None:
    drawing.commit({"a.py": "a = 0\n"})
    for name in ("one", "two", "three"):
        drawing.switch("main")
        drawing.branch(name)
        drawing.commit({f"{name}.py": "x = 1\n"})
    drawing.switch("main")
    drawing.branch("work")
    drawing.git("merge", "--quiet", "--no-commit", "one", "two", "three")
    merge = drawing.commit({"a.py": f"a = '{token()}'\n", "brought.py": f"b = '{token(2)}'\n"})
    drawing.commit({"a.py": "a = 0\n", "brought.py": None})
    report = asked(drawing.path, "main", SECRETS)
    assert places(report) == {("github-pat", "a.py", merge), ("github-pat", "brought.py", merge)}


def test_neither_a_graft_nor_a_replacement_takes_a_commit_out_of_sight(drawing: Drawing) -> None:
    first = drawing.commit({"a.py": "a = 0\n"})
    leak = drawing.commit({"a.py": f"a = '{token()}'\n"})
    clean = drawing.commit({"a.py": "a = 1\n"})
    drawing.git("replace", "--graft", clean, first)
    (drawing.path / ".git" / "info").mkdir(exist_ok=True)
    (drawing.path / ".git" / "info" / "grafts").write_text(f"{clean} {first}\n")
    assert places(asked(drawing.path, None, SECRETS)) == {("github-pat", "a.py", leak)}


def test_attributes_that_blank_the_diff_and_a_huge_diff_hide_nothing(drawing: Drawing) -> None:
    drawing.commit({"a.py": "a = 0\n"})
    drawing.branch("work")
    files: dict[str, Content] = {f"padding/{number}.py": f"x = {number}\n" for number in range(400)}
    files[".gitattributes"] = "* binary -diff linguist-generated\n*.py export-ignore -text\n"
    files["long.py"] = "x = '" + "ab" * 400_000 + f"'; k = '{token()}'\n" + "y = 1\n" * 50_000
    leak = drawing.commit(files)
    drawing.commit({"long.py": None})
    assert places(asked(drawing.path, "main", SECRETS)) == {("github-pat", "long.py", leak)}


def test_a_notebook_a_submodule_address_and_a_picture_by_name_are_looked_into(drawing: Drawing) -> None:
    notebook = json.dumps(
        {"cells": [{"cell_type": "code", "source": [], "outputs": [{"text": [f"key={token(1)}\n"]}]}]}
    )
    modules = f'[submodule "x"]\n\tpath = x\n\turl = https://user:{token(2)}@github.com/o/x.git\n'
    leak = drawing.commit({"run.ipynb": notebook, ".gitmodules": modules, "logo.png": f"k = {token(3)}\n"})
    assert places(asked(drawing.path, None, SECRETS)) >= {
        ("github-pat", "run.ipynb", leak),
        ("github-pat", ".gitmodules", leak),
        ("github-pat", "logo.png", leak),
    }


def test_a_file_moved_and_edited_at_once_keeps_its_secret_in_sight(drawing: Drawing) -> None:
    lines = [f"value_{number} = {number}" for number in range(2_000)]
    drawing.commit({"old.py": "\n".join(lines)})
    lines[1_000] = f"k = '{token()}'"
    drawing.git("mv", "old.py", "new.py")
    leak = drawing.commit({"new.py": "\n".join(lines)})
    drawing.git("mv", "new.py", "newer.py")
    del lines[1_000]
    drawing.commit({"newer.py": "\n".join(lines)})
    assert places(asked(drawing.path, None, SECRETS)) == {("github-pat", "new.py", leak)}


def test_messages_and_names_of_files_are_looked_through_and_told_without_the_value(drawing: Drawing) -> None:
    drawing.commit({"a.py": "a = 0\n"})
    drawing.branch("work")
    spoken = drawing.commit({"a.py": "a = 1\n"}, f"Try it\n\nWorks with {token(1)} for now")
    named = drawing.commit({f"dump-{token(2)}.txt": "nothing\n"})
    report = asked(drawing.path, "main", SECRETS)
    assert {(kind, commit) for kind, _, commit in places(report)} == {("github-pat", spoken), ("github-pat", named)}
    said = {each.statement for each in report.evidence if each.probe == SECRETS}
    assert any("in a commit message" in each for each in said)
    assert any("in a file name" in each for each in said)
    assert token(1) not in report.model_dump_json()
    assert token(2) not in report.model_dump_json()


def test_what_a_shallow_clone_cannot_show_is_said(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": f"a = '{token()}'\n"})
    drawing.commit({"a.py": "a = 1\n"})
    drawing.git("clone", "--quiet", "--depth=1", f"file://{drawing.path}", str(tmp_path / "shallow"))
    report = asked(tmp_path / "shallow", None, SECRETS)
    [fact] = [each for each in report.evidence if each.probe == SECRETS]
    assert fact.outcome is Outcome.NOT_FOUND
    assert "shallow" in fact.confidence_reason
    assert fact.confidence < 0.8


def test_what_lies_beyond_the_limits_is_said_even_when_something_was_found(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_log, "MAX_COMMITS", 2)
    for number in range(4):
        drawing.commit({"a.py": f"a = '{token(number)}'\n"})
    report = asked(drawing.path, None, SECRETS)
    facts = [each for each in report.evidence if each.probe == SECRETS]
    assert {each.outcome for each in facts} == {Outcome.FOUND}
    assert all("newest" in each.confidence_reason for each in facts)


def test_what_time_does_not_suffice_for_is_told_as_unread(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_scan, "TIMEOUT_SECONDS", -1.0)
    drawing.commit({"a.py": f"a = '{token()}'\n"})
    facts = [each for each in asked(drawing.path, None, SECRETS).evidence if each.probe == SECRETS]
    [dark] = [each for each in facts if each.outcome is Outcome.UNAVAILABLE]
    assert "the time limit for the secret search was reached" in dark.statement
    assert [place.path for place in dark.locations if place.kind == "code"] == ["a.py"]


def test_a_value_stands_in_no_file_that_is_written_and_in_nothing_printed(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    wrapped = base64.b64encode(f"TOKEN={token(3)}".encode()).decode("ascii")
    planted = [token(1), token(2), wrapped, token(3), token(4), token(5), drawn("", 24, 6), token(7)]
    drawing.commit({"README.md": "# A thing\n", "gone.py": f"import os\nos.system('echo {token(7)}' + input())\n"})
    drawing.branch("work")
    drawing.commit(
        {
            "gone.py": "import os\n",
            "app.py": f"import os\n\n\ndef run(c):\n    os.system(c + '{planted[0]}')  # TODO: remove {planted[0]}\n    print('{planted[0]}')\n",
            "b.py": f"import subprocess\n\ntry:\n    subprocess.run('curl {planted[1]}', shell=True)\nexcept:\n    pass\n",
            "secret.yaml": f"kind: Secret\ndata:\n  env: {planted[2]}\n",
            f"log-{planted[4]}.py": "import os\nos.system(input())\n",
            "settings.py": f"PASSWORD = '{planted[6]}'\n",
            "README.md": f"# A thing\n\nSee `src/{planted[0]}.py` and [it](docs/{planted[1]}.md).\n",
        },
        f"Say {planted[5]}",
    )  # fmt: skip
    formats = [word for each in ("json", "md", "sarif", "html") for word in ("--format", each)]
    cli.run(["audit", str(drawing.path), "--base", "main", "--cache", str(tmp_path / "kept"), *formats])
    printed = capfd.readouterr()
    written = {
        each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file() and drawing.path not in each.parents
    }
    assert {each.suffix for each in written} >= {".json", ".md", ".sarif", ".html", ".sqlite"}
    for value in planted:
        assert value not in printed.out + printed.err
        assert not [str(each) for each, content in written.items() if value.encode() in content]
    assert not list(temporary.iterdir())


def test_where_links_lead_and_who_made_a_commit_are_looked_through_too(drawing: Drawing) -> None:
    drawing.commit({"a.py": "a = 0\n"})
    drawing.branch("work")
    (drawing.path / "latest").symlink_to(f"/srv/{token(1)}/app")
    linked = drawing.commit()
    (drawing.path / "latest").unlink()
    (drawing.path / "latest").symlink_to("/srv/app")
    drawing.commit()
    signed = drawing.commit({"a.py": "a = 1\n"}, GIT_AUTHOR_EMAIL=f"{token(2)}@example.org")
    named = drawing.commit({"a.py": "a = 2\n"}, GIT_COMMITTER_NAME=f"bot {token(3)}")
    report = asked(drawing.path, "main", SECRETS)
    assert places(report) == {
        ("github-pat", "latest", linked),
        ("github-pat", "", signed),
        ("github-pat", "", named),
    }
    said = {each.statement for each in report.evidence if each.probe == SECRETS}
    assert any("in the target of a symbolic link" in each for each in said)
    assert any("in the name or e-mail address of a commit" in each for each in said)
    for number in (1, 2, 3):
        assert token(number) not in report.model_dump_json()


def test_a_quote_that_is_cut_within_a_secret_loses_the_longest_beginning_of_any() -> None:
    first, second = token(1), token(1)[8:20] + drawn("", 20, 2)
    fact = Fact(outcome=Outcome.FOUND, statement=f"It says {first[:24]}…")
    values = frozenset({first, second, *(token(1)[start:] + "x" for start in range(10, 18))})
    assert redact_fact(fact, values).statement == "It says [redacted secret]…"


def test_a_quote_that_is_cut_within_a_line_of_a_key_loses_the_beginning_of_that_line() -> None:
    lines = [drawn("", 64, seed) for seed in range(3)]
    key = "\n".join(["-----BEGIN " + "PRIVATE KEY-----", *lines, "-----END " + "PRIVATE KEY-----"])
    fact = Fact(outcome=Outcome.FOUND, statement=f"It says {lines[1][:30]}…")
    assert redact_fact(fact, frozenset({key})).statement == "It says [redacted secret]…"
    plain = Fact(outcome=Outcome.FOUND, statement="It says nothing of it…")
    assert redact_fact(plain, frozenset({key})) == plain


def test_thousands_of_secrets_are_kept_out_of_cut_quotes_in_time() -> None:
    values = frozenset(token(seed) for seed in range(5_000))
    fact = Fact(outcome=Outcome.FOUND, statement="a" * 2_000 + "…")
    started = time.process_time()
    for _ in range(20):
        redact_fact(fact, values)
    assert time.process_time() - started < 1.5
