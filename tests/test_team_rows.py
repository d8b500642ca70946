"""A team's own rows in an audit: they count at the base, take effect after the merge, and are in the record."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor import cli
from auditor.action.setup_doctor import diagnose_folder
from auditor.action.workflow_usage import FindingLevel
from auditor.audit_builder import AuditRequest, AuditResult
from auditor.domain import Evidence, Outcome, UserError
from auditor.forensics.library_models.team_rows import NO_TEAM_ROWS, team_rows
from auditor.settings import RequestedSettings, local_row_files
from tests.auditing import carried_out
from tests.repos import Content, Drawing

SOURCE = "source: https://docs.acme.example/"
CONFIG = "rows: [.github/auditor/rows]\n"
ROWS = ".github/auditor/rows"
CLIENT = f"python:\n  request_functions:\n    - {{names: [acme.http.fetch], {SOURCE}}}\n"
QUOTING = f"harmless:\n  - {{calls: [acme.sh.quote], probes: [code.shell_execution], {SOURCE}}}\n"
CALLS = "from acme.http import fetch\n\n\ndef orders():\n    return fetch('https://shop.example/orders')\n"
QUOTED = "import os\n\nfrom flask import request\n\nfrom acme.sh import quote\n\n\ndef find():\n    os.system('grep ' + quote(request.args['word']))\n"


def audited(drawing: Drawing, **given: object) -> AuditResult:
    """The result of an audit of the change from main."""
    asked = {"target": str(drawing.path), "base": "main", "jobs": 1, **given}
    return carried_out(AuditRequest(**asked))  # type: ignore[arg-type]


def reported(result: AuditResult, probe: str) -> list[Evidence]:
    return [each for each in result.report.evidence if each.probe == probe and each.outcome is Outcome.FOUND]


def change(drawing: Drawing, base: dict[str, Content], head: dict[str, Content]) -> AuditResult:
    drawing.commit({"README.md": "Acme.\n", **base})
    drawing.branch("work")
    drawing.commit(head)
    return audited(drawing)


AT_BASE: dict[str, Content] = {".github/auditor.yml": CONFIG, f"{ROWS}/network_timeouts.yaml": CLIENT}


def test_a_client_of_the_team_without_a_timeout_is_reported_with_its_row_at_the_base(drawing: Drawing) -> None:
    result = change(drawing, AT_BASE, {"shop.py": CALLS})
    (found,) = reported(result, "code.no_timeout")
    assert "acme.http.fetch" in found.statement
    record = result.report.rubric.team_rows
    assert record is not None
    assert (record.files, record.rows) == ((f"base:{ROWS}/network_timeouts.yaml",), 1)
    assert any("1 team row in force" in notice for notice in result.notices)


def test_the_same_change_without_rows_reports_nothing(drawing: Drawing) -> None:
    result = change(drawing, {}, {"shop.py": CALLS})
    assert reported(result, "code.no_timeout") == []
    assert result.report.rubric.team_rows is None


def test_a_client_of_the_team_with_a_timeout_is_fine(drawing: Drawing) -> None:
    result = change(drawing, AT_BASE, {"shop.py": CALLS.replace("orders')", "orders', timeout=5)")})
    assert reported(result, "code.no_timeout") == []


def test_rows_that_the_head_adds_take_effect_after_the_merge_and_are_reported(drawing: Drawing) -> None:
    result = change(drawing, {}, {**AT_BASE, "shop.py": CALLS})
    assert reported(result, "code.no_timeout") == []
    assert result.report.rubric.team_rows is None
    assert any(
        "edits files that decide what may be merged" in each.statement
        for each in reported(result, "governance.gate_changed")
    )


def test_a_change_is_not_exempted_by_the_sanitizer_row_that_it_adds(drawing: Drawing) -> None:
    base: dict[str, Content] = {".github/auditor.yml": CONFIG, f"{ROWS}/network_timeouts.yaml": CLIENT}
    result = change(drawing, base, {f"{ROWS}/taint_models.yaml": QUOTING, "search.py": QUOTED})
    (found,) = reported(result, "code.shell_execution")
    assert found.confidence > 0.8
    (governed,) = reported(result, "governance.gate_changed")
    assert f"{ROWS}/taint_models.yaml" in governed.statement


def test_a_sanitizer_row_at_the_base_counts_and_is_named_in_the_record(drawing: Drawing) -> None:
    base: dict[str, Content] = {".github/auditor.yml": CONFIG, f"{ROWS}/taint_models.yaml": QUOTING}
    result = change(drawing, base, {"search.py": QUOTED})
    assert reported(result, "code.shell_execution") == []
    record = result.report.rubric.team_rows
    assert record is not None
    assert record.harmless_calls == ("acme.sh.quote",)
    assert any("Treated as harmless: `acme.sh.quote`" in notice for notice in result.notices)


def test_the_head_cannot_switch_off_rows_of_the_base(drawing: Drawing) -> None:
    gone: dict[str, Content] = {".github/auditor.yml": "exclude: ['**']\n", f"{ROWS}/network_timeouts.yaml": None}
    result = change(drawing, AT_BASE, {**gone, "shop.py": CALLS})
    assert len(reported(result, "code.no_timeout")) == 1


@pytest.mark.parametrize(
    ("topic", "rows", "source", "probe"),
    [
        ("shell_execution", f"python:\n  shell_calls:\n    - {{names: [acme.sh.run], {SOURCE}}}\n", "from acme.sh import run\n\n\ndef show(name):\n    run(f'cat {name}')\n", "code.shell_execution"),
        ("shell_execution", f"python:\n  optional_shell_calls:\n    - {{names: [acme.sh.Remote.apply], {SOURCE}}}\n", "from acme import sh\n\n\ndef show(name):\n    sh.Remote().apply(f'cat {name}', shell=True)\n", "code.shell_execution"),
        ("sql_queries", f"python:\n  fragments:\n    - {{names: [acme.db.piece], {SOURCE}}}\n", "from acme.db import piece\n\n\ndef order(name):\n    return piece(f'order by {name}')\n", "code.sql_from_strings"),
        ("sql_queries", f"python:\n  query_methods:\n    - {{names: [ask_store], {SOURCE}}}\n", "def rows(store, name):\n    return store.ask_store(f\"select a from b where c = '{name}'\")\n", "code.sql_from_strings"),
        ("network_timeouts", f"python:\n  socket_timeouts:\n    - {{names: [acme.bus.connect], argument: deadline, position: 1, {SOURCE}}}\n", "import acme.bus\n\nBUS = acme.bus.connect('bus.example')\n", "code.no_timeout"),
        ("network_timeouts", f"python:\n  sessions:\n    - {{names: [acme.http.Session], {SOURCE}}}\n", "from acme.http import Session\n\nPAGE = Session().get('https://shop.example/')\n", "code.no_timeout"),
        ("network_timeouts", f"python:\n  default_timeouts:\n    - {{names: [acme.http.patient], {SOURCE}}}\n", "from acme.http import patient\n\nPAGE = patient('https://shop.example/', timeout=None)\n", "code.no_timeout"),
        ("taint_models", f"sinks:\n  - {{probe: code.dynamic_code, calls: [acme.rules.run], argument: rule, position: 0, {SOURCE}}}\n", "from flask import request\n\nfrom acme import rules\n\n\ndef apply():\n    rules.run(request.args['rule'])\n", "code.dynamic_code"),
        ("taint_models", f"sources:\n  - {{kind: call, names: [acme.queue.receive], grade: request, {SOURCE}}}\n", "import importlib\n\nfrom acme import queue\n\n\ndef work():\n    importlib.import_module(queue.receive())\n", "code.dynamic_code"),
    ],
    ids=["shell", "shell option", "query piece", "query method", "own timeout argument", "session", "default turned off", "dangerous call", "untrusted source"],
)  # fmt: skip
def test_a_row_makes_code_reported_that_is_not_without_it(
    drawing: Drawing, topic: str, rows: str, source: str, probe: str
) -> None:
    sure = 0.7
    drawing.commit({"README.md": "Acme.\n"})
    drawing.branch("with-rows")
    drawing.commit({".github/auditor.yml": CONFIG, f"{ROWS}/{topic}.yaml": rows})
    drawing.branch("work")
    drawing.commit({"app.py": source})
    with_row, without = audited(drawing, base="with-rows"), audited(drawing)
    assert [each for each in reported(with_row, probe) if each.confidence >= sure]
    assert [each for each in reported(without, probe) if each.confidence >= sure] == []


def test_the_record_cache_does_not_answer_for_other_rows(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"README.md": "Acme.\n"})
    drawing.branch("with-rows")
    drawing.commit(AT_BASE)
    drawing.branch("work")
    drawing.commit({"shop.py": CALLS})
    counts = [
        len(reported(audited(drawing, base=base, cache=tmp_path / "cache"), "code.no_timeout"))
        for base in ("main", "with-rows", "main", "with-rows")
    ]
    assert counts == [0, 1, 0, 1]


def test_nothing_is_in_force_after_an_audit(drawing: Drawing) -> None:
    change(drawing, AT_BASE, {"shop.py": CALLS})
    assert team_rows() == NO_TEAM_ROWS


def test_without_a_base_rows_count_only_with_the_named_configuration(drawing: Drawing) -> None:
    drawing.commit({**AT_BASE, "shop.py": CALLS})
    assert reported(audited(drawing, base=None), "code.no_timeout") == []
    named = RequestedSettings(config=drawing.path / ".github/auditor.yml")
    assert len(reported(audited(drawing, base=None, requested_settings=named), "code.no_timeout")) == 1


def test_a_mistake_in_rows_of_the_base_stops_the_audit_with_file_and_line(drawing: Drawing) -> None:
    wrong = CLIENT.replace("names", "name")
    with pytest.raises(UserError, match=rf"base:{ROWS}/network_timeouts.yaml:3: "):
        change(drawing, {**AT_BASE, f"{ROWS}/network_timeouts.yaml": wrong}, {"shop.py": CALLS})


@pytest.mark.parametrize("folder", ["/etc", "..", ".github", "rows", ".github/auditor/../../rows", "':(glob)**'", ".github/auditor/*"])  # fmt: skip
def test_a_folder_outside_of_the_governed_one_is_refused(drawing: Drawing, folder: str) -> None:
    with pytest.raises(UserError, match=r"auditor\.yml:1: rows"):
        change(drawing, {".github/auditor.yml": f"rows: [{folder}]\n"}, {"a.py": "x = 1\n"})


def test_the_examples_on_the_page_about_configuration_do_what_it_says(drawing: Drawing) -> None:
    text = (Path(__file__).parents[1] / ".github/docs/configuration.md").read_text(encoding="utf-8")
    section = text.partition("\n## Rows of your own\n")[2].partition("\n## ")[0]
    client, shell, quoting = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    calls = dict(zip(("late", "fine", "risky", "quoted"), re.findall(r"`(acme\.[a-z.]+\(.*\))`(?= is|, and|,? is)", section.replace(" and `", "\n`")), strict=True))  # fmt: skip
    head = {f"{name}.py": f"import acme\n\n\ndef do(url, name):\n    return {call}\n" for name, call in calls.items()}
    base = {".github/auditor.yml": CONFIG, f"{ROWS}/network_timeouts.yaml": client, f"{ROWS}/shell_execution.yaml": shell, f"{ROWS}/taint_models.yaml": quoting}  # fmt: skip
    result = change(drawing, dict(base), dict(head))
    assert [place.path for each in reported(result, "code.no_timeout") for place in each.locations if place.kind == "code"] == ["late.py"]  # fmt: skip
    assert [place.path for each in reported(result, "code.shell_execution") for place in each.locations if place.kind == "code"] == ["risky.py"]  # fmt: skip


def test_a_client_that_the_repository_defines_is_found_through_its_imports(drawing: Drawing) -> None:
    base: dict[str, Content] = {**AT_BASE, "acme/__init__.py": "", "acme/http.py": "def fetch(url, timeout=None):\n    return _send(url, timeout)\n"}  # fmt: skip
    head: dict[str, Content] = {
        "acme/near.py": "from .http import fetch\n\nPAGE = fetch('https://shop.example/')\n",
        "acme/again.py": "from acme.http import fetch\n",
        "shop.py": "from acme.again import fetch as get\n\nPAGE = get('https://shop.example/')\n",
        "direct.py": "from acme import http\n\nPAGE = http.fetch('https://shop.example/')\n",
    }
    head["acme/search.py"] = QUOTED.replace("from acme.sh import", "from .sh import")
    base |= {"acme/sh.py": "def quote(word):\n    return _escaped(word)\n", f"{ROWS}/taint_models.yaml": QUOTING}
    result = change(drawing, base, head)
    assert reported(result, "code.shell_execution") == []
    paths = {
        place.path for each in reported(result, "code.no_timeout") for place in each.locations if place.kind == "code"
    }
    assert paths == {"acme/near.py", "shop.py", "direct.py"}


def test_the_command_checks_a_folder_of_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "network_timeouts.yaml").write_text(CLIENT)
    assert cli.run(["rubric", "check", str(tmp_path)]) == cli.PASSED
    assert capsys.readouterr().out == f"{tmp_path}: fine: 1 file, 1 row.\n"
    (tmp_path / "sql_queries.yaml").write_text(
        "python:\n  no_section: []\n  fragments:\n    - {names: [acme.db.run]}\n"
    )
    assert cli.run(["rubric", "check", str(tmp_path)]) == cli.MISTAKE
    said = capsys.readouterr().err
    assert "sql_queries.yaml:2: unknown key 'no_section'" in said
    assert "sql_queries.yaml:4: source is missing" in said


def test_the_doctor_checks_the_rows_that_the_configuration_names(tmp_path: Path) -> None:
    rows = tmp_path / ROWS
    rows.mkdir(parents=True)
    (tmp_path / ".github/auditor.yml").write_text(CONFIG)
    (rows / "network_timeouts.yaml").write_text(CLIENT)
    assert not [each for each in diagnose_folder(tmp_path).findings if "network_timeouts" in each.says]
    (rows / "network_timeouts.yaml").write_text(CLIENT.replace("names", "name"))
    (wrong,) = [
        each
        for each in diagnose_folder(tmp_path).findings
        if "network_timeouts.yaml:3: unknown key 'name'" in each.says
    ]
    assert wrong.weight is FindingLevel.WRONG


def test_a_symbolic_link_among_rows_of_the_base_stops_the_audit(drawing: Drawing, tmp_path: Path) -> None:
    drawing.write({".github/auditor.yml": CONFIG, f"{ROWS}/network_timeouts.yaml": CLIENT})
    (drawing.path / ROWS / "sql_queries.yaml").symlink_to("/etc/passwd")
    with pytest.raises(UserError, match="must be a regular file"):
        change(drawing, {}, {"a.py": "x = 1\n"})


def test_a_folder_of_this_machine_is_read_without_its_links(tmp_path: Path) -> None:
    (tmp_path / "sql_queries.yaml").symlink_to("/etc/passwd")
    assert local_row_files(tmp_path) == []


def test_a_folder_without_rows_is_a_mistake(drawing: Drawing) -> None:
    with pytest.raises(UserError, match="holds no file of rows"):
        change(drawing, {".github/auditor.yml": CONFIG}, {"a.py": "x = 1\n"})
