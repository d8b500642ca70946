"""The command line as a user meets it: exit codes, sentences, files."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from auditor import cli
from auditor.forensics.engine.probe_discovery import discover_probes
from tests.repos import Drawing

ROOT = Path(__file__).resolve().parents[2]
GOOD = {
    "pkg/a.py": '"""A."""\n\n\ndef double(x: int) -> int:\n    """Twice x."""\n    return x * 2\n',
    "tests/test_a.py": "def test_double():\n    assert double(2) == 4\n",
}
SHELL = "import os\n\n\ndef run(command):\n    os.system(command)\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def good(drawing: Drawing) -> Drawing:
    """A repository with nothing to fault."""
    drawing.commit(GOOD)
    drawing.branch("work")
    return drawing


def run(*arguments: object) -> int:
    return cli.run([str(each) for each in arguments])


def test_a_good_change_passes_and_writes_both_reports(
    good: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good.commit({"pkg/b.py": GOOD["pkg/a.py"], "tests/test_b.py": GOOD["tests/test_a.py"]})
    assert run("audit", good.path, "--base", "main") == cli.PASSED
    printed = capsys.readouterr()
    assert "Passed with" in printed.out
    assert printed.err == ""
    assert {each.name for each in (tmp_path / "auditor-report").iterdir()} == {"report.json", "report.md"}


def test_runs_with_other_hash_seeds_and_numbers_of_workers_write_the_same_record(
    drawing: Drawing, tmp_path: Path
) -> None:
    above = "".join(f"class Above{n}:\n    def run{n}(self):\n        pass\n\n\n" for n in range(90))
    below = "".join(
        f"class Below{n}({', '.join(f'Above{each}' for each in range(90))}):\n    def run{n * 9}(self):\n        pass\n\n\n"
        for n in range(9)
    )
    drawing.commit({"pkg/kin.py": above + below, "pkg/shell.py": SHELL, "web/a.js": "eval(x)\n", **GOOD})
    told = []
    for seed, jobs in (("1", "1"), ("2", "2")):
        out = tmp_path / seed
        command = (
            sys.executable,
            "-m",
            "auditor",
            "audit",
            drawing.path,
            "--quiet",
            "--no-cache",
            "--jobs",
            jobs,
            "--out",
            out,
        )
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=False)
        record = json.loads((out / "report.json").read_text())
        told.append({key: value for key, value in record.items() if key not in {"timings", "cost"}})

    assert told[0] == told[1]


def test_every_format_can_be_asked_for(good: Drawing, tmp_path: Path) -> None:
    good.commit({"pkg/b.py": SHELL})
    formats = [word for each in ("json", "md", "sarif", "html") for word in ("--format", each)]
    assert run("audit", good.path, "--base", "main", "--quiet", *formats) == cli.FAILED
    folder = tmp_path / "auditor-report"
    assert {each.name for each in folder.iterdir()} == {"report.json", "report.md", "report.sarif", "report.html"}
    log = json.loads((folder / "report.sarif").read_text())
    assert log["runs"][0]["results"][0]["ruleId"] == "code.shell_execution"
    assert log["runs"][0]["tool"]["driver"]["rules"][0]["shortDescription"]["text"] == "Change too large to review"
    assert "https://" not in (folder / "report.html").read_text()


def test_a_change_with_a_hole_fails_the_gate(good: Drawing, capsys: pytest.CaptureFixture[str]) -> None:
    good.commit({"pkg/b.py": SHELL})
    assert run("audit", good.path, "--base", "main") == cli.FAILED
    out = capsys.readouterr().out
    assert "pkg/b.py:5" in out
    assert "makes the check fail" in out


def test_a_change_that_nobody_can_judge_is_inconclusive(good: Drawing) -> None:
    good.commit({"pkg/b.py": "def f(:\n"})
    assert run("audit", good.path, "--base", "main", "-q") == cli.INCONCLUSIVE


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("audit", "nowhere"), "does not exist"),
        (("audit", ".", "--base", "gone"), "not in a git repository"),
        (("audit", "{good}", "--base", "gone"), "there is no commit 'gone' in this repository: check --base"),
        (("audit", "{good}", "--base", "mian"), "did you mean 'main'?"),
        (("audit", "{good}", "--head", "wrok"), "did you mean 'work'?"),
        (("audit", "{good}", "--rubric", "pull-requets"), "did you mean 'pull-request'?"),
        (("audit", "{good}", "--rubric", "gone.yaml"), "cannot be read"),
        (("audit", "{good}", "--config", "gone.yml"), "cannot be read"),
        (("audit", "{good}", "--min", "security"), "CRITERION=N"),
        (("audit", "{good}", "--min", "safety=3"), "'safety' is not a criterion"),
        (("audit", "{good}", "--min", "securty=3"), "did you mean 'security'?"),
        (("audit", "{good}", "--min", "security=9"), "between 1 and 5"),
        (("audit", "{good}", "--description", __file__), "--description needs --base"),
        (("audit", "{good}", "--out", __file__), "it is a file"),
        (("audit", "{good}", "--fail-under", "9"), "range"),
        (("audit", "{good}", "--fail-under", "nan"), "not a number"),
        (("audit", "{good}", "--timeout", "nan"), "not a number"),
        (("audit", "{good}", "--token-env", "NOT_SET_ANYWHERE"), "not set"),
        (("audit",), "TARGET"),
        (("audti",), "audti"),
        (("replay", "gone.json"), "cannot be read"),
        (
            ("rubric", "show", "gone"),
            "no built-in rubric 'gone': choose one of agent-swarm, pull-request.",
        ),
        (("explain", "code.no_timeouts"), "did you mean 'code.no_timeout'?"),
        (("explain", "?"), "`auditor explain` lists all."),
        (("rubric", "check", "gone.yaml"), "cannot be read"),
    ],
)
def test_mistakes_of_the_user_are_sentences_and_exit_code_2(
    good: Drawing, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert run(*(each.format(good=good.path) for each in arguments)) == cli.MISTAKE
    printed = capsys.readouterr()
    assert said in printed.err
    assert "Traceback" not in printed.err
    assert printed.err.startswith("auditor: ")


def test_a_bug_of_ours_is_one_line_and_exit_code_3(
    good: Drawing, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from auditor.forensics.engine import evidence_gathering

    def stumble(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(evidence_gathering, "gather", stumble)
    assert run("audit", good.path) == cli.BUG
    printed = capsys.readouterr()
    assert "ZeroDivisionError" in printed.err
    assert len(printed.err.strip().splitlines()) == 1


@pytest.mark.parametrize("out", ["taken", "taken/below", "/proc/reports", "folder", "long" * 100])
def test_a_place_where_no_report_can_be_written_is_told_before_the_audit(
    good: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str], out: str
) -> None:
    (tmp_path / "taken").write_text("a file")
    (tmp_path / "folder" / "report.md").mkdir(parents=True)
    assert run("audit", good.path, "--out", out) == cli.MISTAKE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "give another folder with --out" in printed.err
    assert list((tmp_path / "cache" / "auditor").iterdir()) == []


def test_an_audit_that_comes_to_nothing_leaves_no_empty_folder(good: Drawing, tmp_path: Path) -> None:
    assert run("audit", good.path, "--base", "gone", "--out", tmp_path / "a" / "b") == cli.MISTAKE
    assert not (tmp_path / "a").exists()


def test_reports_that_cannot_be_written_after_all_are_kept_elsewhere_and_the_verdict_is_shown(
    good: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    real = Path.write_text

    def full(path: Path, text: str, **more: str) -> int:
        if path.parent.name == "auditor-report":
            raise OSError(28, "No space left on device")
        return real(path, text, **more)

    monkeypatch.setattr(Path, "write_text", full)
    assert run("audit", good.path) == cli.MISTAKE
    printed = capsys.readouterr()
    assert " of 5" in printed.out
    (kept,) = (tmp_path / "temporary").glob("auditor-report-*")
    assert f"No space left on device); they are in {kept} instead" in printed.err
    assert {each.name for each in kept.iterdir()} == {"report.json", "report.md"}


@pytest.mark.parametrize("cache", ["taken", "taken/below", "/proc/cache"])
def test_a_cache_that_cannot_be_used_is_told_in_one_line_and_the_audit_goes_on(
    good: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str], cache: str
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert run("audit", good.path, "--cache", cache) == cli.PASSED
    printed = capsys.readouterr()
    assert "Passed with" in printed.out
    assert printed.err.startswith(f"Nothing is kept for the next audit: the cache folder {cache} cannot be used (")
    assert printed.err.count("\n") == 1


def test_options_win_over_the_gate_of_the_rubric_and_are_recorded(good: Drawing, tmp_path: Path) -> None:
    assert run("audit", good.path, "-q", "--fail-under", "5", "--min", "tests=4.5", "--format", "json") in (
        cli.PASSED,
        cli.FAILED,
    )
    record = json.loads((tmp_path / "auditor-report" / "report.json").read_text())
    assert record["rubric"]["gate"]["overall"] == 5
    assert record["rubric"]["gate_origin"] == {
        "overall": "option",
        "criteria.correctness": "rubric",
        "criteria.security": "rubric",
        "criteria.governance": "rubric",
        "criteria.tests": "option",
        "no_new": "rubric",
        "approval_for": "rubric",
    }
    assert not (tmp_path / "auditor-report" / "report.md").exists()


def test_replay_says_same_and_another_rubric_says_where_it_differs(
    good: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good.commit({"pkg/b.py": SHELL})
    run("audit", good.path, "--base", "main", "-q")
    record = tmp_path / "auditor-report" / "report.json"
    assert run("replay", record) == cli.PASSED
    assert capsys.readouterr().out.startswith("same: failed")
    from auditor import rubric_loader

    (tmp_path / "other.yaml").write_text(
        rubric_loader.source("pull-request").replace("security_cap: 3", "security_cap: 1")
    )
    assert run("replay", record, "--rubric", tmp_path / "other.yaml") == cli.FAILED
    assert "verdict.rulings.security.sentence" in capsys.readouterr().out


def test_a_record_whose_rubric_was_edited_is_found_out(
    good: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("audit", good.path, "-q")
    record = tmp_path / "auditor-report" / "report.json"
    record.write_text(record.read_text().replace('"quorum": 2', '"quorum": 1'))
    assert run("replay", record) == cli.FAILED
    assert "digest" in capsys.readouterr().out


def test_rules_are_listed_and_explained_with_their_languages_and_the_criteria_that_use_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("explain") == cli.PASSED
    lines = capsys.readouterr().out.splitlines()
    assert "code.no_timeout" in {line.split()[0] for line in lines}
    assert all(line.endswith("?") for line in lines)
    rules = ("code.mutable_default", "code.shell_execution", "text.todo_added", "swarm.state", "diagrams.parallel")
    assert run("explain", "--markdown", *rules, "code.public_api_break", "tests.changed_with_code") == cli.PASSED
    _, default, shell, todo, state, drawn, broken, tested = f"\n{capsys.readouterr().out}".split("\n## ")
    assert "**Reads:** Python." in default
    assert "**Reads:** Python, C#, Go, Java, JavaScript, PHP, Ruby, Rust, shell, TypeScript." in shell
    assert "- `pull-request`, criterion `security`: critical severity" in shell
    assert "**Reads:** every text file, in any language." in todo
    assert "**Reads:** the Python and LangGraph.js code of an agent system, all files together." in state
    assert "**Reads:** the architecture reports of a whole repository, and its code." in drawn
    assert (
        "**Reads:** a pull request or other change, compared with its base; nothing where there is no base." in broken
    )
    assert "**Reads:** a pull request or other change, or a whole repository." in tested


def test_a_rule_is_explained_in_a_terminal_without_marks_of_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "code.shell_execution") == cli.PASSED
    shown = capsys.readouterr().out
    assert "Shell injection risk." in shown
    assert "subprocess.run(f" in shown
    assert "https://cwe.mitre.org/data/definitions/78.html" in shown
    assert "**Why" not in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_every_probe_says_what_counts_and_what_does_not_between_its_question_and_its_advice() -> None:
    untold = [each.id for each in discover_probes().values() if len(each.terms.split()) < 8]
    assert untold == []


def test_rubrics_can_be_listed_shown_copied_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rubric", "list") == cli.PASSED
    assert "pull-request" in capsys.readouterr().out
    assert run("rubric", "show", "pull-request") == cli.PASSED
    (tmp_path / "mine.yaml").write_text(capsys.readouterr().out)
    assert run("rubric", "check", tmp_path / "mine.yaml") == cli.PASSED
    (tmp_path / "mine.yaml").write_text(
        (tmp_path / "mine.yaml").read_text().replace("probe: code.weak_hash", "probe: code.weak_hush")
    )
    assert run("rubric", "check", tmp_path / "mine.yaml") == cli.MISTAKE
    assert "did you mean 'code.weak_hash'" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["report", "rubric", "config"])
def test_schemas_are_printed_as_json(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("schema", what) == cli.PASSED
    assert json.loads(capsys.readouterr().out)["type"] == "object"


def test_uncommitted_work_is_told_in_one_line(good: Drawing, capsys: pytest.CaptureFixture[str]) -> None:
    good.write({"pkg/a.py": "changed"})
    run("audit", good.path)
    assert capsys.readouterr().err == "1 file has uncommitted changes; they are not part of this audit.\n"


def test_a_change_that_is_none_is_told_in_one_line(good: Drawing, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("audit", good.path, "--base", "main") == cli.PASSED
    said = "Nothing to audit: the base already contains every commit of the head.\n"
    assert capsys.readouterr().err == said
    run("audit", f"file://{good.path}", "--base", "main", "--head", "work")
    assert capsys.readouterr().err == said


def test_every_line_keeps_its_margin_on_a_narrow_terminal(
    good: Drawing, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    good.commit({"pkg/b.py": SHELL})
    run("audit", good.path, "--base", "main", "--no-cache")
    drawn = capsys.readouterr().out.partition("\n Reports: ")[0].splitlines()
    assert max(map(len, drawn)) <= 50
    assert [line for line in drawn if line and not line.startswith(" ")] == []


def test_hostile_names_reach_the_terminal_escaped(good: Drawing, capsys: pytest.CaptureFixture[str]) -> None:
    good.commit({"pkg/\x1b[31mred\u202e.py": SHELL})
    run("audit", good.path, "--base", "main")
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err
    assert "⟨U+001B⟩[31mred⟨U+202E⟩.py:5" in printed.out


def shell(command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command line with `auditor` in it, run by a real shell; its standard output cannot be a terminal."""
    called = command.replace("auditor", f'"{sys.executable}" -m auditor', 1)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(["/bin/sh", "-c", called], capture_output=True, text=True, env=environment, check=False)


def test_a_reader_that_leaves_early_does_not_change_the_exit_code(good: Drawing) -> None:
    done = shell(f'{{ auditor audit "{good.path}" --no-cache; echo $? >code; }} | true')
    assert Path("code").read_text() == f"{cli.PASSED}\n"
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_verdict_that_cannot_be_printed_is_told_in_one_sentence(good: Drawing) -> None:
    done = shell(f'auditor audit "{good.path}" --no-cache >/dev/full')
    assert done.returncode == cli.MISTAKE
    assert done.stderr.startswith("auditor: the standard output cannot be written (No space left on device)")
    assert len(done.stderr.splitlines()) == 1


def test_a_terminal_without_unicode_gets_the_verdict_in_what_it_can_show(good: Drawing) -> None:
    good.commit({"pkg/ж.py": SHELL})
    done = shell(f'auditor audit "{good.path}" --base main --no-cache', PYTHONIOENCODING="latin-1")
    assert done.returncode == cli.FAILED
    assert "pkg/?.py:5" in done.stdout
    assert done.stdout.isascii()


def test_the_command_alone_shows_its_help_with_examples_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == cli.MISTAKE
    shown = capsys.readouterr().err
    assert shown.startswith("Usage: auditor")
    assert "\n    auditor audit .  " in shown
    assert "\n    auditor replay auditor-report/report.json  " in shown


def test_a_report_that_fails_half_way_leaves_the_old_one_whole(
    good: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("audit", good.path, "-q", "--format", "json")
    before = (tmp_path / "auditor-report" / "report.json").read_bytes()
    real = Path.write_text

    def half(path: Path, text: str, **more: str) -> int:
        real(path, text[: len(text) // 2], **more)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", half)
    assert run("audit", good.path, "-q", "--format", "json") == cli.MISTAKE
    assert (tmp_path / "auditor-report" / "report.json").read_bytes() == before
    assert [each.name for each in (tmp_path / "auditor-report").iterdir()] == ["report.json"]


@pytest.mark.parametrize("home", ["", "/dev/null", "/proc"])
def test_a_home_that_can_keep_nothing_is_no_trouble(good: Drawing, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", home)
    assert run("audit", good.path, "-q") == cli.PASSED


def test_the_cache_can_be_read_by_its_owner_only(good: Drawing, tmp_path: Path) -> None:
    run("audit", good.path, "-q")
    run("audit", good.path, "-q", "--cache", tmp_path / "mine")
    for folder in (tmp_path / "cache" / "auditor", tmp_path / "mine"):
        assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IRWXU
