"""`auditor compare` as a user meets it: two records, two folders, formats, exit codes and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor import cli
from auditor.cli import record_folder
from auditor.domain import AuditReport
from auditor.report.report_json import to_json
from tests.auditing import audited
from tests.reports import contested, typical
from tests.repos import Drawing

SHELL = 'import os\n\n\ndef send(file):\n    os.system(f"lp {file}")\n'
MOVED = f'"""Printing."""\n\nLIMIT = 3\n\n\ndef other() -> int:\n    """Three."""\n    return LIMIT\n\n\n{SHELL}'


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: object) -> int:
    return cli.run(["compare", *map(str, arguments)])


def write(path: str, report: AuditReport, **changed: object) -> Path:
    """A record on disk, with top-level keys replaced, or left out where the value is None."""
    plain = json.loads(to_json(report)) | changed
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({key: value for key, value in plain.items() if value is not None}))
    return file


def about(report: AuditReport, **changed: object) -> AuditReport:
    return report.model_copy(update={"subject": report.subject.model_copy(update=changed)})


def test_two_audits_of_real_commits_show_what_was_added_and_not_what_only_moved(
    drawing: Drawing, capsys: pytest.CaptureFixture[str]
) -> None:
    drawing.commit({"pkg/printing.py": SHELL})
    first = write("a.json", audited(drawing.path, rubric="pull-request"))
    drawing.commit({"pkg/printing.py": MOVED, "pkg/old.py": SHELL.replace("send", "stop")})
    second = write("b.json", audited(drawing.path, rubric="pull-request"))
    assert run(first, second) == 1
    said = capsys.readouterr().out
    assert "pkg/old.py:5  os.system" in said
    assert "pkg/printing.py:15" not in said


def test_equal_records_end_with_0_and_different_ones_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    same, other = write("a.json", typical()), write("b.json", contested())
    assert run(same, same) == 0
    assert "No differences: failed in both" in capsys.readouterr().out
    assert run(same, other) == 1
    assert "Failed → inconclusive" in capsys.readouterr().out


def test_a_difference_in_findings_alone_ends_with_1() -> None:
    fewer = typical().model_copy(update={"evidence": typical().evidence[:-1]})
    assert run(write("a.json", typical()), write("b.json", fewer)) == 1


@pytest.mark.parametrize(
    ("form", "begins"),
    [("terminal", "\n Note: "), ("markdown", "# Failed"), ("json", "{\n"), ("html", "<!doctype html>\n")],
)
def test_every_format_is_printed_or_written_to_a_file(
    form: str, begins: str, capsys: pytest.CaptureFixture[str]
) -> None:
    records = write("a.json", typical()), write("b.json", contested())
    assert run(*records, "--format", form) == 1
    printed = capsys.readouterr().out
    assert printed.lstrip("\n").startswith(begins.lstrip("\n"))
    assert run(*records, "--format", form, "--out", "out.txt") == 1
    assert capsys.readouterr().out == ""
    assert Path("out.txt").read_text().strip() == printed.strip()
    assert sorted(each.name for each in Path().iterdir()) == ["a.json", "b.json", "out.txt"]


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2"])
def test_a_record_of_an_older_schema_differs_in_nothing_from_the_same_audit_today(
    version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = {"exhibits": None, "objections": None} if version in ("1.0", "1.1") else {}
    old = write("old.json", typical(), schema_version=version, **gone)
    assert run(old, write("new.json", typical())) == 0
    assert "No differences" in capsys.readouterr().out


def test_findings_of_a_record_without_definitions_are_found_again(drawing: Drawing) -> None:
    drawing.commit({"pkg/printing.py": SHELL})
    report = audited(drawing.path, rubric="pull-request")
    plain = json.loads(to_json(report))
    places = [place for each in plain["evidence"] for place in each["locations"]]
    assert any(place.pop("definition", None) for place in places)
    old = write("old.json", report, schema_version="1.0", evidence=plain["evidence"])
    assert run(old, write("new.json", report)) == 0


def test_folders_are_paired_and_the_rest_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    write("a/one/report.json", typical())
    write("b/one/report.json", about(contested(), head="5" * 40))
    write("a/two.json", about(typical(), repository="acme/two"))
    write("b/renamed.json", about(typical(), repository="acme/two"))
    write("a/three.json", about(typical(), repository="acme/three"))
    assert run("a", "b") == 1
    said = capsys.readouterr().out
    assert "2 pairs of records: 1 differs, 1 in scores or conclusion." in said
    assert "one/report.json" in said
    assert "two.json →" in said
    assert said.index("Only in the first folder") < said.index("three.json")
    assert "Only in the second folder" not in said


def test_folders_with_equal_records_end_with_0_and_a_record_without_a_partner_with_1() -> None:
    write("a/report.json", typical())
    write("b/report.json", typical())
    assert run("a", "b") == 0
    write("b/other.json", about(typical(), repository="acme/other"))
    assert run("a", "b") == 1


def test_files_of_a_folder_that_are_no_records_are_named_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    write("a/report.json", typical())
    write("b/report.json", typical())
    Path("a/notes.json").write_text("{}")
    Path("a/broken.json").write_text("{")
    Path("a/notes.txt").write_text("not looked at")
    assert run("a", "b") == 0
    said = capsys.readouterr().out
    assert "a/notes.json is not a record of an audit" in said
    assert "a/broken.json is not JSON" in said
    assert "notes.txt" not in said


def test_a_folder_with_too_many_files_is_a_mistake(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record_folder, "MAX_FILES", 1)
    write("a/one.json", typical())
    write("a/two.json", typical())
    assert run("a", "a") == cli.MISTAKE
    assert "a contains more than 1 JSON files: give a smaller folder." in capsys.readouterr().err


def test_a_loop_of_links_in_a_folder_is_not_followed() -> None:
    write("a/report.json", typical())
    write("b/report.json", typical())
    Path("a/again").symlink_to(Path("a").resolve())
    assert run("a", "b") == 0


def test_different_rubrics_are_compared_and_said_first(capsys: pytest.CaptureFixture[str]) -> None:
    other = json.loads(to_json(typical()))["rubric"]
    other["definition"]["id"] = "own"
    assert run(write("a.json", typical()), write("b.json", typical(), rubric=other)) == 0
    assert capsys.readouterr().out.split("\n")[1].startswith(" Note: The rubrics differ, `pull-request` and `own`")


def test_mistakes_are_one_sentence_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    record = write("a.json", typical())
    Path("no.json").write_text('{"a": 1}')
    Path("text.json").write_text("hello")
    Path("future.json").write_text('{"schema_version": "9.0"}')
    Path("empty").mkdir()
    for arguments, said in (
        ((record, "gone.json"), "gone.json cannot be read (No such file or directory)"),
        ((record, "no.json"), "no.json is not a record of an audit: give the report.json"),
        ((record, "text.json"), "text.json is not JSON"),
        ((record, "future.json"), "future.json has schema version '9.0', but this version reads 1.0 to"),
        ((record, "empty"), "empty is a folder and a.json is not: give two records or two folders"),
        (("empty", "empty"), "empty contains no record: give a folder with the report.json of an audit"),
        ((record,), "Missing argument 'B'"),
        ((record, record, "--format", "pdf"), "'pdf' is not one of"),
        ((record, record, "--out", "gone/out.txt"), "gone/out.txt cannot be written (No such file or directory)"),
    ):
        assert run(*arguments) == cli.MISTAKE, arguments
        printed = capsys.readouterr()
        assert said in printed.err, arguments
        assert printed.out == ""


def test_the_help_has_examples_and_says_what_the_exit_codes_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    said = capsys.readouterr().out
    assert "auditor compare monday/report.json tuesday/report.json" in said
    assert "--format html --out changes.html" in said
    assert "0  nothing differs" in said
    assert "1  something differs" in said


def test_hostile_names_and_texts_are_inert_in_errors(capsys: pytest.CaptureFixture[str]) -> None:
    record = write("a.json", typical())
    assert run(record, "\x1b[31mgone\u202e.json") == cli.MISTAKE
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "\u202e" not in said
