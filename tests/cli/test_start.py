"""What is loaded when: a command pays for what it uses, and the same audit again pays for little."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.repos import Drawing

_PRINTED = "print(*sorted(sys.modules), file=sys.stderr)"


def loaded(*arguments: object) -> set[str]:
    """Every module that a run of the command has loaded by its end."""
    script = f"import sys; from auditor.cli import run; run(sys.argv[1:]); {_PRINTED}"
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def within(modules: set[str], *packages: str) -> set[str]:
    """Those that are one of the packages or stand in one."""
    return {each for each in modules if any(f"{each}.".startswith(f"{package}.") for package in packages)}


def test_an_audit_of_what_was_audited_before_loads_nothing_that_reads_code(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit(
        {"pkg/a.py": "import os\n\n\ndef run(command):\n    os.system(command)\n", "web/b.ts": "let a = 1;\n"}
    )
    audit = ("audit", drawing.path, "--cache", tmp_path / "cache", "--out", tmp_path / "out")
    reading = (
        "auditor.forensics.engine.repository_survey",
        "auditor.forensics.probes",
        "auditor.forensics.engine.worker_pool",
        "auditor.forensics.engine.single_file_scan",
        "auditor.forensics.agent_systems",
        "auditor.forensics.documents",
        "markdown_it",
        "multiprocessing",
        "tree_sitter",
    )
    assert within(loaded(*audit), *reading) >= {
        "auditor.forensics.engine.repository_survey",
        "auditor.forensics.probes.shell_execution",
    }
    assert within(loaded(*audit), *reading) == set()


def test_an_audit_by_the_embedded_bench_loads_no_other_and_no_destination(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    modules = loaded("audit", drawing.path, "--no-cache", "--out", tmp_path / "out")
    others = (
        "auditor.judges.claude_bench",
        "auditor.judges.judge_panel",
        "auditor.judges.recorded_answers",
        "auditor.judges.image_classification",
    )
    assert within(modules, "auditor.judges.embedded_bench")
    assert (
        within(modules, *others, "anthropic", "auditor.github", "github", "auditor.publishers", "auditor.action")
        == set()
    )
    forms = ("annotations", "check_run", "comment", "html", "previous", "sarif")
    assert within(modules, *(f"auditor.report.{each}" for each in forms)) == set()


def test_an_interruption_while_the_command_loads_is_quiet() -> None:
    script = """
import sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == "auditor.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from auditor.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_help_loads_no_types_of_the_record(tmp_path: Path) -> None:
    assert within(loaded("audit", "--help"), "auditor.domain", "pydantic", "git", "rich", "yaml") == set()
