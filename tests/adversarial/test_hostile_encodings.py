"""Source that is encoded so that a reader takes it for a binary file does not pass unread."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from auditor.domain import AuditReport, Conclusion, FileStatus
from tests.auditing import audited, covered
from tests.repos import Content, Drawing

JAVASCRIPT = "import {{ exec }} from 'child_process';\n// note{nul}\nexport function run(request) {{ exec(request.query.name); }}\n"
DANGEROUS = {
    "src/app.js": JAVASCRIPT,
    "src/app.ts": JAVASCRIPT,
    "src/app.py": "import os\n# note{nul}\ndef run(request):\n    os.system(request.args['name'])\n",
    "tools/run.sh": "# note{nul}\neval \"$1\"\n",
    "src/run.rb": "# note{nul}\ndef run(params)\n  system(params[:name])\nend\n",
    "src/run.go": 'package run\n\nimport "os/exec"\n\n// note{nul}\nfunc Run(name string) {{ exec.Command("sh", "-c", name).Run() }}\n',
    "src/Run.java": "class Run {{\n  // note{nul}\n  void run(String name) throws Exception {{ Runtime.getRuntime().exec(new String[] {{\"sh\", \"-c\", name}}); }}\n}}\n",
    "src/run.rs": 'use std::process::Command;\n// note{nul}\npub fn run(name: &str) {{ Command::new("sh").arg("-c").arg(name).spawn().unwrap(); }}\n',
    "tools/deploy": "#!/usr/bin/env bash\n# note{nul}\neval \"$1\"\n",
}  # fmt: skip


def change_to(drawing: Drawing, files: dict[str, Content]) -> AuditReport:
    """The audit of a change that adds the files to a small project."""
    drawing.commit({"README.md": "# A project\n", "src/other.js": "export const limit = 3;\n"})
    drawing.branch("work")
    drawing.commit(files)
    return audited(drawing.path, "main")


@pytest.mark.parametrize("path", DANGEROUS)
def test_a_zero_byte_in_a_comment_does_not_hide_source(drawing: Drawing, path: str) -> None:
    report = change_to(drawing, {path: DANGEROUS[path].format(nul="\0").encode()})
    assert report.verdict.conclusion is not Conclusion.PASSED
    status, reason = covered(report)[path]
    assert status == FileStatus.UNAVAILABLE.value
    assert "zero bytes" in reason


def test_a_zero_byte_behind_eight_thousand_others_does_not_either(drawing: Drawing) -> None:
    text = "// filler\n" * 2_000 + DANGEROUS["src/app.js"].format(nul="\0")
    assert change_to(drawing, {"src/app.js": text.encode()}).verdict.conclusion is not Conclusion.PASSED


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("path", ["src/app.js", "src/app.ts", "src/app.py"])
def test_wide_encodings_do_not_hide_source(drawing: Drawing, path: str, coding: str) -> None:
    report = change_to(drawing, {path: DANGEROUS[path].format(nul="").encode(coding)})
    assert report.verdict.conclusion is not Conclusion.PASSED


def test_source_in_utf_16_with_its_mark_is_analysed(drawing: Drawing) -> None:
    report = change_to(drawing, {"src/app.ts": DANGEROUS["src/app.ts"].format(nul="").encode("utf-16")})
    assert covered(report)["src/app.ts"] == ("analysed", "")
    assert report.verdict.conclusion is Conclusion.FAILED


def test_harmless_source_in_utf_16_with_its_mark_passes(drawing: Drawing) -> None:
    report = change_to(drawing, {"src/app.ts": "export const LIMIT = 4;\n".encode("utf-16")})
    assert report.verdict.conclusion is Conclusion.PASSED


def test_pictures_and_data_with_zero_bytes_are_no_source(drawing: Drawing) -> None:
    report = change_to(drawing, {"logo.raw": b"\0\1\2" * 100, "src/other.js": b"export const limit = 4;\n"})
    assert covered(report)["logo.raw"] == (FileStatus.NOT_APPLICABLE.value, "binary")
    assert report.verdict.conclusion is Conclusion.PASSED


def test_unreadable_source_that_the_change_leaves_alone_leaves_nothing_open(drawing: Drawing) -> None:
    drawing.commit({"old.js": b"// \0\n", "README.md": "# A project\n"})
    drawing.branch("work")
    drawing.commit({"src/other.js": "export const limit = 4;\n"})
    assert audited(drawing.path, "main").verdict.conclusion is Conclusion.PASSED


def test_five_megabytes_of_zero_bytes_are_read_at_once(drawing: Drawing, tmp_path: Path) -> None:
    started = time.process_time()
    report = change_to(drawing, {"a.js": b"\0" * 5_000_000})
    assert report.verdict.conclusion is not Conclusion.PASSED
    assert time.process_time() - started < 5
