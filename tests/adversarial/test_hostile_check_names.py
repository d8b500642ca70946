"""No job of a change passes for the audit's own check, in whatever way its name is written; honest names are left alone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from auditor.action.action_inputs import Inputs
from auditor.action.check_run_lifecycle import check_name
from auditor.domain import Outcome
from auditor.forensics.probe_kit.probe_inputs import Documents
from auditor.forensics.workflows.workflow_files import GovernanceFiles
from auditor.publishers.check_run_publisher import _name_suffix
from tests.action.stage import REPOSITORY, staged
from tests.auditing import asked, audited, found
from tests.forensics.probes.asking import added, ask, change, modified
from tests.repos import Content, Drawing

PROBE = "governance.gate_changed"
AUDIT = """\
on: pull_request
permissions: {}
jobs:
  audit:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      checks: write
    steps:
      - uses: OWNER/automaton-auditor@v1
        with:
          check-name: The gate
"""
CALLED = """\
on: workflow_call
permissions: {}
jobs:
  look:
    name: Look at it
    runs-on: ubuntu-latest
    steps:
      - run: auditor audit . --base main
"""
CALLING = "on: pull_request\npermissions: {}\njobs:\n  quality:\n    uses: ./.github/workflows/called.yml\n"
OTHER = "on: push\npermissions: {}\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make docs\n"
BASE: dict[str, Content] = {
    ".github/workflows/audit.yml": AUDIT,
    ".github/workflows/called.yml": CALLED,
    ".github/workflows/calling.yml": CALLING,
    ".github/workflows/other.yml": OTHER,
    "src/app.py": "x = 1\n",
}
NEW = ".github/workflows/new.yml"
HEAD = "on: pull_request\npermissions: {}\n"
BODY = "    runs-on: ubuntu-latest\n    steps:\n      - run: 'true'\n"


def job(*rows: str, name: str = "x") -> dict[str, Content]:
    """A new workflow with one job that does nothing."""
    return {NEW: f"{HEAD}jobs:\n  {name}:\n{''.join(f'    {row}{chr(10)}' for row in rows)}{BODY}"}


def matrix(row: str, *rows: str, name: str = "x") -> dict[str, Content]:
    """A new workflow with one job of a matrix that does nothing."""
    return job(*rows, "strategy:", f"  matrix: {row}", name=name)


SURE: dict[str, dict[str, Content]] = {
    "plain": job("name: audit"),
    "id": job(name="audit"),
    "other letters and space": job("name: ' Audit '"),
    "escape": job('name: "aud\\u0069t"'),
    "folded": job("name: >-", "  audit"),
    "folded over lines": job("name: >", "  Automaton", "  Auditor", "  (pull-request)"),
    "literal": job("name: |", "  audit"),
    "literal of an expression": job("name: ${{ 'audit' }}"),
    "expressions": job("name: ${{ 'au' }}${{ 'dit' }}"),
    "format": job("name: ${{ format('{0}d{1}', 'au', 'it') }}"),
    "condition": job("name: ${{ github.event_name == 'push' && 'other' || 'audit' }}"),
    "matrix in the name": matrix("{a: [other, audit]}", "name: ${{ matrix.a }}"),
    "matrix of json": matrix("{a: \"${{ fromJSON('[1, \\\"audit\\\"]') }}\"}", "name: ${{ matrix.a }}"),
    "included value": matrix("{include: [{a: au, b: dit}]}", "name: ${{ matrix.a }}${{ matrix.b }}"),
    "default name of a matrix": matrix("{a: [pull-request]}", "name: Automaton Auditor"),
    "skipped matrix": matrix("{a: [1, 2]}", "if: false", name="audit"),
    "matrix of an empty value": matrix("{a: ['']}", name="audit"),
    "flow style": {NEW: "{on: push, permissions: {}, jobs: {x: {name: audit, runs-on: a, steps: [{run: 'true'}]}}}\n"},
    "anchors": {NEW: f"name: &n audit\n{HEAD}jobs:\n  x:\n    name: *n\n{BODY}"},
    "anchored job": {NEW: f"{HEAD}jobs:\n  y: &job\n{BODY}  audit: *job\n"},
    "quoted keys": {NEW: f'{HEAD}"jobs":\n  x:\n    "n\\x61me": audit\n{BODY}'},
    "key of an expression": {NEW: f"{HEAD}jobs:\n  x:\n    ${{{{ 'name' }}}}: audit\n{BODY}"},
    "carriage returns": {NEW: job("name: audit")[NEW].replace("\n", "\r\n")},  # type: ignore[union-attr, arg-type]
    "configured check name": job("name: The gate"),
    "check of the whole repository": job("name: The gate, whole repository"),
    "verdict form": job("name: Automaton Auditor (pull-request) \N{MIDDLE DOT} pull-request verdict"),
    "default check name": job("name: Automaton Auditor (pull-request)"),
    "default check name of a rubric of one's own": job("name: Automaton Auditor (mine)"),
    "in an old workflow": {".github/workflows/other.yml": f"{OTHER}  audit:\n{BODY}"},
    "name of an old job": {".github/workflows/other.yml": OTHER.replace("  docs:\n", "  docs:\n    name: audit\n")},
    "in a moved workflow": {".github/workflows/other.yml": None, NEW: f"{OTHER}  audit:\n{BODY}"},
    "in place of the audit": {".github/workflows/audit.yml": f"{HEAD}jobs:\n  audit:\n{BODY}"},
    "called workflow": {
        NEW: f"{HEAD}jobs:\n  quality:\n    uses: ./.github/workflows/part.yml\n",
        ".github/workflows/part.yml": f"on: workflow_call\njobs:\n  a:\n    name: Look at it\n{BODY}",
    },
    "name given to a called workflow": {
        NEW: f"{HEAD}jobs:\n  quality:\n    uses: ./.github/workflows/part.yml\n    with: {{title: Look at it}}\n",
        ".github/workflows/part.yml": f"on: {{workflow_call: {{inputs: {{title: {{type: string}}}}}}}}\njobs:\n  a:\n    name: ${{{{ inputs.title }}}}\n{BODY}",
    },
    "written with a slash": job("name: quality / Look at it"),
}  # fmt: skip
AT_RUN_TIME: dict[str, dict[str, Content]] = {
    "input": job("name: ${{ inputs.name }}"),
    "variable": job("name: ${{ vars.NAME }}"),
    "output": matrix("${{ fromJSON(needs.a.outputs.b) }}", "name: ${{ matrix.name }}"),
    "a part": job("name: aud${{ inputs.rest }}"),
    "both ends": job("name: ${{ inputs.a }}di${{ inputs.b }}"),
    "value of a matrix": matrix("{a: '${{ fromJSON(vars.LIST) }}'}", "name: Automaton Auditor"),
    "unclosed": job("name: ${{ 'audit"),
    "function that is not known": job("name: ${{ case(true, 'audit') }}"),
    "workflow of others": {NEW: f"{HEAD}jobs:\n  quality:\n    uses: a/b/.github/workflows/c.yml@{'1' * 40}\n"},
    "cannot be read": {NEW: f"{HEAD}jobs:\n  x:\n    name: other\n    Name: audit\n{BODY}"},
    "too many": matrix(f"{{a: [{', '.join(map(str, range(300)))}]}}", "name: ${{ matrix.a }}"),
}


def drawn(drawing: Drawing, files: dict[str, Content]) -> Drawing:
    drawing.commit(dict(BASE))
    drawing.branch("work")
    drawing.commit({"src/app.py": "x = 2\n", **files})
    return drawing


@pytest.mark.parametrize("files", SURE.values(), ids=SURE.keys())
def test_a_job_with_the_name_of_the_audits_check_is_a_confirmed_finding(
    drawing: Drawing, files: dict[str, Content]
) -> None:
    facts = found(asked(drawn(drawing, files).path, "main", PROBE), PROBE)
    assert any(each.confidence >= 0.8 and "has the name of the audit's own check" in each.statement for each in facts)


@pytest.mark.parametrize("files", AT_RUN_TIME.values(), ids=AT_RUN_TIME.keys())
def test_a_name_that_only_a_run_tells_and_that_could_be_that_of_the_audit_is_a_finding(
    drawing: Drawing, files: dict[str, Content]
) -> None:
    facts = found(asked(drawn(drawing, files).path, "main", PROBE), PROBE)
    assert any(each.confidence >= 0.8 and "own check" in each.statement for each in facts)


@pytest.mark.parametrize(
    "named",
    [
        "plain", "escape", "folded", "expressions", "matrix in the name", "default name of a matrix", "flow style", "anchors", "called workflow", "configured check name",
        "default check name", "input", "cannot be read",
    ],
)  # fmt: skip
def test_a_change_that_forges_the_audits_check_does_not_pass(drawing: Drawing, named: str) -> None:
    report = audited(drawn(drawing, {**SURE, **AT_RUN_TIME}[named]).path, "main")
    assert report.verdict.conclusion == "failed"
    (facts,) = found(report, PROBE)
    assert "own check" in facts.statement


TWINS: dict[str, dict[str, Content]] = {
    "another name": job(name="audit-docs"),
    "name that holds it": job("name: audit the docs"),
    "matrix": matrix("{python: ['3.11'], os: [ubuntu]}", name="test"),
    "matrix in the name": matrix("{os: [ubuntu, windows]}", "name: ${{ matrix.os }}"),
    "matrix with a filter": matrix("{os: [a, audit], exclude: [{os: audit}]}", "name: ${{ matrix.os }}"),
    "input behind a constant": job("name: Build ${{ inputs.target }}"),
    "matrix of an output behind a constant": matrix("'${{ fromJSON(needs.a.outputs.b) }}'", "name: Test ${{ matrix.a }}"),
    "default name of a matrix of an output": matrix("'${{ fromJSON(needs.a.outputs.b) }}'", name="test"),
    "condition": job("name: ${{ github.event_name == 'push' && 'Deploy' || 'Check' }}"),
    "id that a name hides": job("name: Check the docs", name="audit"),
    "name of a step": {NEW: f"{HEAD}jobs:\n  x:\n    runs-on: a\n    steps:\n      - name: audit\n        run: make\n"},
    "name of the workflow": {NEW: f"name: audit\n{HEAD}jobs:\n  x:\n{BODY}"},
    "comment": job("# name: audit"),
    "called workflow alone": {NEW: f"on: workflow_call\npermissions: {{}}\njobs:\n  audit:\n{BODY}"},
    "workflow of others": {NEW: f"{HEAD}jobs:\n  build:\n    uses: a/b/.github/workflows/c.yml@{'1' * 40}\n"},
    "no workflow": {"ci/new.yml": f"{HEAD}jobs:\n  audit:\n{BODY}"},
}  # fmt: skip


@pytest.mark.parametrize("files", TWINS.values(), ids=TWINS.keys())
def test_an_honest_name_is_left_alone(drawing: Drawing, files: dict[str, Content]) -> None:
    (fact,) = asked(drawn(drawing, files).path, "main", PROBE).evidence
    assert fact.outcome is Outcome.NOT_FOUND, fact.statement


def test_a_change_with_honest_names_passes(drawing: Drawing) -> None:
    files = matrix("{os: [ubuntu, windows]}", "name: ${{ matrix.os }}") | {
        "tests/test_app.py": "def test_x():\n    assert 1\n"
    }
    assert audited(drawn(drawing, files).path, "main").verdict.conclusion == "passed"


OLD = f"{OTHER}  audit:\n    name: 'Audit'\n{BODY}"


@pytest.mark.parametrize(
    ("now", "outcome"),
    [
        (OLD.replace("name: 'Audit'", "name: >-\n      Audit"), Outcome.NOT_FOUND),
        (OLD.replace(BODY, "    steps: [{run: \"true\"}] # nothing\n    runs-on: &a ubuntu-latest\n"), Outcome.NOT_FOUND),
        (OLD.replace("make docs", "make all docs"), Outcome.NOT_FOUND),
        (OLD.replace("'true'", "'false || true'"), Outcome.FOUND),
    ],
    ids=["scalar", "flow style", "another job", "what it does"],
)  # fmt: skip
def test_an_old_job_of_that_name_may_be_written_anew_but_do_nothing_else(now: str, outcome: Outcome) -> None:
    path = ".github/workflows/other.yml"
    before = {".github/workflows/audit.yml": AUDIT, path: OLD}
    facts = ask(PROBE, change(modified(path)), Documents({path: now}, {path: OLD}), GovernanceFiles(before))
    assert [each.outcome for each in facts] == [outcome]


def test_a_check_name_that_is_a_variable_reserves_no_other_names() -> None:
    base = {".github/workflows/audit.yml": AUDIT.replace("The gate", "${{ vars.GATE }}")}
    text = str(job("name: Build ${{ inputs.target }}")[NEW])
    (fact,) = ask(PROBE, change(added(NEW)), Documents({NEW: text}), GovernanceFiles(base))
    assert fact.outcome is Outcome.NOT_FOUND


def test_where_nothing_runs_the_audit_a_name_of_a_run_stands_in_for_no_check() -> None:
    for text, outcome in (
        (job("name: ${{ inputs.name }}")[NEW], Outcome.NOT_FOUND),
        (SURE["default check name"][NEW], Outcome.FOUND),
    ):
        facts = ask(PROBE, change(added(NEW)), Documents({NEW: str(text)}), GovernanceFiles())
        assert [each.outcome for each in facts] == [outcome]


def script(body: str, name: str = "Badge") -> dict[str, Content]:
    """A new workflow with one step that runs a script."""
    rows = "".join(f"          {row}\n" for row in body.split("\n"))
    return {NEW: f"{HEAD}env:\n  NAME: {name}\njobs:\n  x:\n    runs-on: a\n    steps:\n      - run: |\n{rows}"}


PUBLISHED = {
    "a check by the API": script("gh api repos/x/check-runs -f name='The gate' -f conclusion=success"),
    "a status by the API": script("curl -d '{\"state\": \"success\", \"context\": \"the Gate\"}' https://api.github.com/repos/x/statuses/$SHA"),
    "a name in a variable": script('gh api repos/x/check-runs -f "name=$NAME" -f conclusion=success', "The gate"),
    "the product in a variable": script('gh api repos/x/check-runs -f "name=$NAME (pull-request)"', "Automaton Auditor"),
    "the job of the audit": script("gh api repos/x/statuses/$SHA -f context=audit -f state=success"),
}  # fmt: skip
HONESTLY_PUBLISHED = {
    "another check": script("gh api repos/x/check-runs -f name=coverage -f conclusion=success"),
    "a command of the same word": script("npm audit && gh api repos/x/statuses/$SHA -f context=npm"),
    "the name without a check": script("echo 'The gate' is on", "Automaton Auditor"),
}


@pytest.mark.parametrize("files", PUBLISHED.values(), ids=PUBLISHED)
def test_a_step_that_publishes_a_check_of_the_name_is_found(files: dict[str, Content], tmp_path: Path) -> None:
    repo = Drawing(tmp_path)
    base = repo.commit(BASE)
    repo.commit(files)
    told = [each for each in found(asked(tmp_path, base, PROBE), PROBE) if "publishes a check" in each.statement]
    assert [each.confidence for each in told] == [0.9]


@pytest.mark.parametrize("files", HONESTLY_PUBLISHED.values(), ids=HONESTLY_PUBLISHED)
def test_a_step_that_publishes_another_check_is_not(files: dict[str, Content], tmp_path: Path) -> None:
    repo = Drawing(tmp_path)
    base = repo.commit(BASE)
    repo.commit(files)
    assert [each for each in found(asked(tmp_path, base, PROBE), PROBE) if "publishes a check" in each.statement] == []


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("rubric", ["pull-request", "agent-swarm", "mine"])
def test_every_name_that_the_check_run_can_have_is_reserved(rubric: str, whole: bool) -> None:
    for inputs, known in ((Inputs(), ""), (Inputs(check_name="Quality, for sure"), "Quality, for sure")):
        name = check_name(inputs, rubric, is_whole_repository=whole)
        for each in (name, f"{name}{_name_suffix(rubric)}"):
            text = str(job(f"name: '{each}'")[NEW])
            (fact,) = ask(PROBE, change(added(NEW)), Documents({NEW: text}), GovernanceFiles(check_name=known))
            assert fact.outcome is Outcome.FOUND, each


def test_the_check_name_that_the_action_runs_under_is_reserved_whatever_its_workflow_says(tmp_path: Path) -> None:
    with staged(tmp_path) as stage:
        stage.inputs["check-name"] = "Quality"
        stage.pull({NEW: job("name: quality")[NEW], "src/more.py": "x = 2\n"})
        ended = stage.run()
        assert ended.outputs["verdict"] == "failed", ended.log
        assert "own check `Quality`" in ended.summary


@pytest.mark.parametrize(
    ("workflow", "verdict"),
    [
        (f"{REPOSITORY}/{NEW}@refs/pull/7/merge", "passed"),
        (f"{REPOSITORY}/.github/workflows/gate.yml@refs/pull/7/merge", "failed"),
        (f"{REPOSITORY}-rules/{NEW}@refs/heads/main", "failed"),
        ("", "failed"),
    ],
    ids=["its own workflow", "another workflow", "one of another repository", "not known"],
)
def test_a_first_audit_passes_only_where_its_own_workflow_runs(tmp_path: Path, workflow: str, verdict: str) -> None:
    with staged(tmp_path) as stage:
        stage.pull({NEW: AUDIT.replace("          check-name: The gate\n", "          timeout: 600\n")})
        ended = stage.run(GITHUB_WORKFLOW_REF=workflow)
        assert ended.outputs["verdict"] == verdict, ended.log


@pytest.mark.parametrize(
    "text",
    [
        f"on: push\njobs:\n{''.join(f'  j{at}: {{name: a{at}}}{chr(10)}' for at in range(12_000))}",
        "on: push\nx: &m {a: [" + "1, " * 250 + "1]}\njobs:\n" + "".join(f"  j{at}: {{strategy: {{matrix: *m}}}}\n" for at in range(190)),
        "on: push\nx: &m {a: [" + "1, " * 15 + "1], b: [" + "1, " * 15 + "1], exclude: &e [" + "{a: {c: 1}}, " * 400 + "]}\njobs:\n" + "".join(f"  j{at}: {{strategy: {{matrix: *m}}}}\n" for at in range(20)),
        "on: push\njobs:\n  j:\n    name: ${{ " + "(" * 900 + "}}\n",
        "on: push\njobs:\n  j:\n    name: ${{ " + "a[" * 900 + "}}\n",
        "on: push\njobs:\n  j:\n    name: ${{ " + "format('{0}{0}{0}{0}', " * 30 + "'aaaa'" + ")" * 30 + " }}\n",
        "on: push\njobs:\n  j:\n    name: '" + "${{ a || ''b'' }}" * 110 + "'\n",
        "on: push\njobs:\n  j:\n    name: ${{ fromJSON('" + "[" * 1_900 + "') }}\n",
        "on: push\njobs:\n  j:\n    name: \"" + "${{ x }}a" * 200 + "\"\n",
        "on: [push, workflow_call]\njobs:\n" + "".join(f"  j{at}:\n    uses: ./{NEW}\n" for at in range(30)),
    ],
    ids=["jobs", "matrices", "filters", "brackets", "indexes", "format", "conditions", "json", "gaps", "calls"],
)  # fmt: skip
def test_names_that_are_written_to_take_long_are_read_in_time(text: str) -> None:
    started = time.process_time()
    base = {".github/workflows/audit.yml": AUDIT}
    facts = ask(PROBE, change(added(NEW)), Documents({NEW: text}), GovernanceFiles(base))
    assert time.process_time() - started < 3
    assert all(each.outcome in {Outcome.FOUND, Outcome.NOT_FOUND} for each in facts)
