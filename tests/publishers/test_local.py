"""What is left on the runner: workflow commands, the job summary, outputs and report files."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from auditor.domain import Annotation, AnnotationLevel
from auditor.publishers import job_summary_publisher, report_file_publisher, step_outputs, workflow_command_publisher
from tests.publishers.desks import note


def runner_reads(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Workflow commands as a runner understands them: what it decodes, line by line."""
    found = []
    for line in text.split("\n"):
        matched = re.match(r"^\s*::(?P<name>[a-z-]+)(?: (?P<properties>.*?))?::(?P<message>.*)$", line)
        if matched:
            pairs = (each.partition("=") for each in (matched["properties"] or "").split(",") if each)
            properties = {
                key: value.replace("%0D", "\r")
                .replace("%0A", "\n")
                .replace("%3A", ":")
                .replace("%2C", ",")
                .replace("%25", "%")
                for key, _, value in pairs
            }
            found.append((matched["name"], properties, matched["message"]))
    return found


def test_annotations_are_commands_in_their_order() -> None:
    stream = io.StringIO()
    levels = [AnnotationLevel.FAILURE, AnnotationLevel.WARNING, AnnotationLevel.NOTICE]
    shown = [note(line).model_copy(update={"level": level}) for line, level in enumerate(levels, 1)]
    assert workflow_command_publisher.write(stream, shown) == 0
    assert [(name, each["file"], each["line"]) for name, each, _ in runner_reads(stream.getvalue())] == [
        ("error", "app.py", "1"),
        ("warning", "app.py", "2"),
        ("notice", "app.py", "3"),
    ]


def test_ten_of_a_level_are_printed_and_the_others_counted() -> None:
    stream = io.StringIO()
    warnings = [note(line).model_copy(update={"level": AnnotationLevel.WARNING}) for line in range(1, 14)]
    assert workflow_command_publisher.write(stream, [*map(note, range(1, 13)), *warnings]) == 2 + 3
    printed = runner_reads(stream.getvalue())
    assert [each["line"] for name, each, _ in printed if name == "error"] == [str(line) for line in range(1, 11)]
    assert len(printed) == 20


HOSTILE = [
    "::add-mask::secret",
    "x\n::set-output name=verdict::passed",
    "x\r::stop-commands::evil",
    "a%0A::error::evil",
    "x::error file=evil.py,line=1::evil",
    "name,line=99,file=evil.py",
    "\u2028::error::evil",
    "##[error]evil",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_command_or_a_property(text: str) -> None:
    stream = io.StringIO()
    hostile = Annotation(
        path=text.strip() or "x", start_line=3, end_line=3, level=AnnotationLevel.NOTICE, title=text, message=text
    )
    workflow_command_publisher.write(stream, [hostile])
    printed = stream.getvalue()
    assert printed.count("\n") == 1
    assert "\r" not in printed
    ((name, properties, _),) = runner_reads(printed)
    assert (name, set(properties), properties["line"]) == ("notice", {"file", "line", "endLine", "title"}, "3")


def test_the_summary_is_appended(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    file.write_text("before\n")
    job_summary_publisher.write(file, "# Verdict\n\n")
    assert file.read_text() == "before\n# Verdict\n"


def test_a_summary_that_github_would_drop_is_refused_whole_counting_bytes(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    with pytest.raises(job_summary_publisher.TooLong):
        job_summary_publisher.write(file, "é" * (job_summary_publisher.MAX_BYTES // 2))
    assert file.stat().st_size == 0
    job_summary_publisher.write(file, "é" * (job_summary_publisher.MAX_BYTES // 2 - 1))
    with pytest.raises(job_summary_publisher.TooLong):
        job_summary_publisher.write(file, "more")


def runner_outputs(text: str) -> dict[str, str]:
    """GITHUB_OUTPUT as a runner reads it."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        name, separator, delimiter = line.partition("<<")
        assert separator, line
        value = []
        for each in lines:
            if each == delimiter:
                break
            value.append(each)
        found[name] = "\n".join(value)
    return found


def test_outputs_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "output"
    values = {"verdict": "failed", "failed-criteria": "security\ntests", "score": "", "check-url": "https://x/?a=b<<c"}
    step_outputs.write(file, {"report-path": "/tmp/x"})
    step_outputs.write(file, values)
    assert runner_outputs(file.read_text()) == {"report-path": "/tmp/x", **values}


def test_no_value_ends_itself_or_starts_another_output(tmp_path: Path) -> None:
    file = tmp_path / "output"
    step_outputs.write(file, {"score": "1"})
    known = file.read_text().split("\n")[0].partition("<<")[2]
    assert re.fullmatch(r"end_[0-9a-f]{32}", known)
    hostile = f"failed\n{known}\nverdict=passed\nverdict<<{known}\npassed\n{known}"
    step_outputs.write(file, {"verdict": hostile})
    assert runner_outputs(file.read_text()) == {"score": "1", "verdict": hostile}


@pytest.mark.parametrize("values", [{"a\nb": "x"}, {"a<<b": "x"}, {"": "x"}, {"verdict": "x" * 300_000}])
def test_outputs_that_no_runner_takes_are_our_own_mistake(tmp_path: Path, values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="outputs"):
        step_outputs.write(tmp_path / "output", values)
    assert not (tmp_path / "output").exists()


def test_reports_are_readable_by_later_steps_and_replaced_whole(tmp_path: Path) -> None:
    previous = os.umask(0o077)
    try:
        for words in ("old", "new"):
            written = report_file_publisher.write(
                tmp_path, "out/auditor-report", {"report.json": words, "report.md": words}
            )
    finally:
        os.umask(previous)
    assert [path.read_text() for path in written] == ["new", "new"]
    assert {path.name for path in written[0].parent.iterdir()} == {"report.json", "report.md"}
    assert all(path.stat().st_mode & 0o777 == 0o644 for path in written)
    assert written[0].parent.stat().st_mode & 0o755 == 0o755


@pytest.mark.parametrize("folder", ["", ".", "..", "../out", "/etc", "a/../../b"])
def test_the_folder_lies_below_the_workspace(tmp_path: Path, folder: str) -> None:
    with pytest.raises(ValueError, match="workspace"):
        report_file_publisher.write(tmp_path / "workspace", folder, {"report.json": "{}"})


@pytest.mark.parametrize("name", ["../report.json", "a/b", "", ".."])
def test_a_report_is_a_plain_file_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="plain file name"):
        report_file_publisher.write(tmp_path, "out", {name: "{}"})


def test_links_that_the_author_checked_in_lead_nowhere(tmp_path: Path) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    workspace.mkdir()
    outside.mkdir()
    (outside / "precious").write_text("precious")
    (workspace / "linked").symlink_to(outside)
    with pytest.raises(OSError, match=r"linked|Not a directory|symbolic"):
        report_file_publisher.write(workspace, "linked", {"precious": "gone"})
    with pytest.raises(OSError, match=r"linked|Not a directory|symbolic"):
        report_file_publisher.write(workspace, "linked/below", {"precious": "gone"})
    (workspace / "auditor-report").mkdir()
    (workspace / "auditor-report" / "report.json").symlink_to(outside / "precious")
    report_file_publisher.write(workspace, "auditor-report", {"report.json": "{}"})
    assert (workspace / "auditor-report" / "report.json").read_text() == "{}"
    assert not (workspace / "auditor-report" / "report.json").is_symlink()
    assert [each.read_text() for each in outside.iterdir()] == ["precious"]
    assert not (outside / "below").exists()


def test_a_report_that_cannot_be_moved_into_place_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "out" / "report.json").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        report_file_publisher.write(tmp_path, "out", {"report.json": "{}"})
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["report.json"]
