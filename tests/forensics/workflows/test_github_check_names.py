"""Checks have the names that GitHub shows; what only a run decides is a gap in them, drawn here as three dots."""

from __future__ import annotations

import pytest

from auditor.forensics.workflows.github_check_names import MAX_CHECKS, WorkflowParser
from auditor.forensics.workflows.workflow_yaml import UnreadableYaml

PATH = ".github/workflows/a.yml"
CALLED = ".github/workflows/b.yml"


def names(text: str, **others: str) -> set[str]:
    """The names of a workflow's checks."""
    checks = WorkflowParser(
        {PATH: text, **{f".github/workflows/{name}.yml": each for name, each in others.items()}}
    ).checks(PATH)
    assert not isinstance(checks, UnreadableYaml), checks
    return {"...".join(each.name.parts) for each in checks}


def of_job(rows: str) -> set[str]:
    """The names of the job `x` with those rows."""
    return names(
        f"on: push\njobs:\n  x:\n    runs-on: a\n{''.join(f'    {row}{chr(10)}' for row in rows.splitlines())}"
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("", {"x"}),
        ("name:", {"x"}),
        ("name: ''", {"x"}),
        ("name: [a]", {"x"}),
        ("name: A check", {"A check"}),
        ("name: 3.10", {"3.1"}),
        ("name: '3.10'", {"3.10"}),
        ("name: Build ${{ inputs.target }}", {"Build ..."}),
        ("name: ${{ inputs.a }} and ${{ github.sha }}", {"... and ..."}),
        ("name: ${{ github.ref && 'A' || 'B' }}", {"A", "B"}),
        ("name: ${{ !true || 1 == '1' }}", {"true"}),
        ("name: ${{ matrix.none }}", {"x"}),
        ("name: ${{ join(fromJSON('[1, \"b\", null]'), '-') }}", {"1-b-"}),
        ("name: ${{ format('{0} {{1}} {1}', 'a', 2.50) }}", {"a {1} 2.5"}),
        ("name: ${{ format('{1}', 'a') }}", {"...", "x"}),
        ("name: ${{ toJSON(1) }}", {"...", "x"}),
        ("name: ${{ a b }}", {"...", "x"}),
    ],
)  # fmt: skip
def test_a_job_shows_its_name_or_else_its_id(rows: str, expected: set[str]) -> None:
    assert of_job(rows) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("matrix: {a: [1, b], c: [true]}", {"x", "x (1, true)", "x (b, true)"}),
        ("matrix: {a: [{b: 1, c: [2, ~]}]}", {"x", "x (1, 2)"}),
        ("matrix: {a: ['', ~]}", {"x"}),
        ("matrix: {a: []}", {"x"}),
        ("matrix: {a: [1, 2], exclude: [{a: '2'}]}", {"x", "x (1)"}),
        ("matrix: {include: [{a: 1, b: 2}, {b: 3}]}", {"x", "x (1, 2)", "x (3)"}),
        ("matrix: {a: [1, 2], include: [{a: 1, b: hidden}, {a: 3, b: shown}]}", {"x", "x (1)", "x (2)", "x (3, shown)"}),
        ("matrix: {a: [y], b: ['1_0'], exclude: [{b: 10}]}", {"x", "x (...)"}),
        ("matrix: {a: [y], b: ['z'], exclude: [{b: 10}, {A: Y}]}", {"x"}),
        ("matrix: {a: [y], include: [{A: z}]}", {"x", "x (y)", "x (z)"}),
        ("matrix: {Include: [{a: y}]}", {"x", "x (...)"}),
        ("matrix: {a: [y], '${{ insert }}': '${{ vars.A }}'}", {"x", "x (...)"}),
        ("matrix: {a: ['${{ vars.A }}', c]}", {"x", "x (...)", "x (c)"}),
        ("matrix: {a: ['${{ vars.A }}'], exclude: [{a: b}]}", {"x", "x (...)"}),
        ("matrix: {a: '${{ fromJSON(vars.A) }}'}", {"x", "x (...)"}),
        ("matrix: >-\n    ${{ fromJSON('{\"a\": [1, 2]}') }}", {"x", "x (1)", "x (2)"}),
        ("matrix: ${{ vars.A }}", {"x", "x (...)"}),
        (f"matrix: {{a: [{'y' * 120}]}}", {"x", f"x ({'y' * 94}..."}),
    ],
)  # fmt: skip
def test_values_of_a_matrix_follow_a_name_without_expressions(rows: str, expected: set[str]) -> None:
    assert of_job(f"strategy:\n  {rows}") == expected


def test_an_expression_in_the_name_takes_the_place_of_the_values() -> None:
    rows = "name: On ${{ matrix.os }} ${{ matrix.extra.v }}\nstrategy:\n  matrix: {os: [a, b], include: [{os: b, extra: {v: 1}}]}"
    assert of_job(rows) == {"On a ", "On b 1"}


CALLING = f"on: push\njobs:\n  x:\n    uses: ./{CALLED}\n    strategy: {{matrix: {{v: [1, 2]}}}}\n    with: {{t: 'T${{{{ matrix.v }}}}'}}\n"


def test_a_called_workflow_shows_its_jobs_behind_the_one_that_calls() -> None:
    called = "on: {workflow_call: {inputs: {t: {}, u: {default: u}}}}\njobs:\n  y:\n    name: ${{ inputs.t }}-${{ inputs.u }}\n"
    alone = {"x", "x (1)", "x (2)"}
    assert names(CALLING, b=called) >= alone | {"x (1) / T1-u", "x (2) / T2-u"}
    assert names(CALLING) == alone | {"x / ...", "x (1) / ...", "x (2) / ..."}
    assert names(called.replace("{workflow_call:", "{push: , workflow_call:")) == {"...-..."}
    assert names(called) == set()


def test_workflows_that_call_each_other_have_an_end() -> None:
    looped = WorkflowParser(
        {PATH: f"on: [push, workflow_call]\njobs:\n  x: {{uses: ./{PATH}}}\n  y: {{uses: ./{PATH}}}\n"}
    )
    assert looped.checks(PATH) == UnreadableYaml(f"it has more than {MAX_CHECKS:,} checks")


def test_what_a_job_says_is_the_same_however_it_is_written() -> None:
    written = (
        "on: push\njobs:\n  x:\n    steps:\n      - run: |\n          make\n      - {uses: 'a/b@v1', with: {c: 1}}\n"
    )
    anew = "on: push\njobs: {x: {steps: [{run: \"make\\n\"}, {with: {'c': '1'}, uses: a/b@v1}]}} # as before\n"
    other = written.replace("make", "make all")
    contents = []
    for each in (written, anew, other):
        checks = WorkflowParser({PATH: each}).checks(PATH)
        assert not isinstance(checks, UnreadableYaml)
        contents.append(checks[0].content)
    assert contents[0] == contents[1] != contents[2]
