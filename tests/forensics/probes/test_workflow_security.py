"""GitHub workflows: what outsiders can start, write into, and what it may do."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from auditor.domain import Evidence, Outcome
from auditor.forensics.engine.gathering_options import Options
from auditor.forensics.probes.workflow_line_findings import _row_findings
from auditor.forensics.workflows.unused_permissions import find_unused_permissions
from auditor.forensics.workflows.workflow_files import WorkflowFile
from auditor.forensics.workflows.zizmor_scan import MAX_WORKFLOW_LENGTH, UnreadableWorkflow, WorkflowScan
from tests.auditing import gathered
from tests.repos import Drawing

PINNED = "actions/checkout@" + "0123456789" * 4
SAFE = f"""name: ci
on: pull_request
permissions: {{}}
jobs:
  test:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
      - uses: {PINNED}
        with: {{persist-credentials: false}}
      - run: echo "$TITLE"
        env:
          TITLE: ${{{{ github.event.pull_request.title }}}}
"""

SECRET = "env: {TOKEN: '${{ secrets.TOKEN }}'}"


def asked(drawing: Drawing, probe: str, base: str | None = None) -> list[Evidence]:
    """What one probe says of the drawing."""
    return list(gathered(drawing.path, base, [probe], Options(jobs=1)).evidence)


def lines_of(evidence: list[Evidence]) -> list[int | None]:
    """Lines of everything found."""
    return [
        place.start
        for each in evidence
        if each.outcome is Outcome.FOUND
        for place in each.locations
        if place.kind == "code"
    ]


@pytest.mark.parametrize(
    ("probe", "old", "new", "line"),
    [
        ("workflows.script_injection", 'echo "$TITLE"', 'echo "${{ github.event.pull_request.title }}"', 12),
        ("workflows.unpinned_actions", PINNED, "someone/thing@v1", 10),
        ("workflows.dangerous_trigger", "on: pull_request", f"on: pull_request_target\n{SECRET}", 2),
        ("workflows.broad_permissions", "permissions:\n      contents: read", "permissions: write-all", 7),
        ("workflows.broad_permissions", "permissions: {}", "permissions: write-all", 3),
        ("workflows.secrets_exposed", "github.event.pull_request.title", "toJSON(secrets)", 14),
    ],
)
def test_each_question_is_answered_where_it_stands_and_not_where_it_does_not(
    drawing: Drawing, probe: str, old: str, new: str, line: int
) -> None:
    drawing.commit({".github/workflows/ci.yml": SAFE})
    drawing.branch("work")
    [clean] = asked(drawing, probe)
    assert clean.outcome is Outcome.NOT_FOUND
    drawing.commit({".github/workflows/ci.yml": SAFE.replace(old, new)})
    evidence = asked(drawing, probe, base="main")
    assert lines_of(evidence) == [line]
    assert [each.introduced for each in evidence if each.outcome is Outcome.FOUND] == [True]


@pytest.mark.parametrize(("after", "new"), [("someone/thing@v2.1", False), ("someone/thing@main", True)])
def test_to_raise_the_version_of_an_action_that_was_not_pinned_is_no_new_fault(
    drawing: Drawing, after: str, new: bool
) -> None:
    drawing.commit({".github/workflows/ci.yml": SAFE.replace(PINNED, "someone/thing@v1")})
    drawing.branch("work")
    drawing.commit({".github/workflows/ci.yml": SAFE.replace(PINNED, after)})
    [evidence] = asked(drawing, "workflows.unpinned_actions", base="main")
    assert (evidence.outcome, evidence.introduced) == (Outcome.FOUND, new)


def test_what_was_there_before_is_not_introduced_by_a_shift_of_lines(drawing: Drawing) -> None:
    old = SAFE.replace(PINNED, "someone/thing@v1")
    drawing.commit({".github/workflows/ci.yml": old})
    drawing.branch("work")
    drawing.commit({".github/workflows/ci.yml": f"# a comment\n\n{old}"})
    [evidence] = asked(drawing, "workflows.unpinned_actions", base="main")
    assert (evidence.outcome, evidence.introduced) == (Outcome.FOUND, False)


def test_a_trigger_that_checks_out_the_change_is_surer_than_one_that_does_not(drawing: Drawing) -> None:
    outside = SAFE.replace("on: pull_request", f"on: pull_request_target\n{SECRET}")
    checked_out = outside.replace(
        "{persist-credentials: false}", "{ref: '${{ github.event.pull_request.head.sha }}', persist-credentials: false}"
    )
    drawing.commit({".github/workflows/a.yml": outside, ".github/workflows/b.yml": checked_out})
    sure = {
        place.path: each.confidence
        for each in asked(drawing, "workflows.dangerous_trigger")
        for place in each.locations
        if place.kind == "code"
    }
    assert sure[".github/workflows/a.yml"] < 0.8 <= sure[".github/workflows/b.yml"]


def test_actions_of_a_repository_are_read_too_and_other_yaml_is_not(drawing: Drawing) -> None:
    action = "name: a\ndescription: b\ninputs: {x: {description: y}}\nruns:\n  using: composite\n  steps:\n    - run: echo ${{ inputs.x }}\n      shell: bash\n"
    drawing.commit({"tool/action.yml": action, "deploy/pipeline.yml": SAFE.replace(PINNED, "someone/thing@v1")})
    assert lines_of(asked(drawing, "workflows.script_injection")) == [7]
    assert lines_of(asked(drawing, "workflows.unpinned_actions")) == []


def test_an_image_is_pinned_by_its_digest_and_not_by_a_commit(drawing: Drawing) -> None:
    drawing.commit({".github/workflows/ci.yml": SAFE.replace(PINNED, "docker://alpine:3")})
    [evidence] = asked(drawing, "workflows.unpinned_actions")
    assert (
        evidence.statement == "Docker image is not pinned to a digest, so its content can change: `docker://alpine:3`."
    )
    digest = f"docker://alpine@sha256:{'0123456789abcdef' * 4}"
    drawing.commit({".github/workflows/ci.yml": SAFE.replace(PINNED, digest)})
    assert lines_of(asked(drawing, "workflows.unpinned_actions")) == []


def test_without_workflows_the_questions_do_not_apply(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    assert [each.outcome for each in asked(drawing, "workflows.broad_permissions")] == [Outcome.NOT_APPLICABLE]


def test_ignore_comments_configuration_and_environment_count_for_nothing(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIZMOR_CONFIG", str(drawing.path / "zizmor.yml"))
    monkeypatch.setenv("GH_TOKEN", "not-to-be-passed-on")
    drawing.commit(
        {
            "zizmor.yml": "rules: {unpinned-uses: {disable: true}}\n",
            ".github/zizmor.yml": "rules: {unpinned-uses: {disable: true}}\n",
            ".github/workflows/ci.yml": SAFE.replace(PINNED, "someone/thing@v1 # zizmor: ignore[unpinned-uses]"),
        }
    )
    assert lines_of(asked(drawing, "workflows.unpinned_actions")) == [10]


def test_a_workflow_that_cannot_be_read_is_said_and_costs_no_other_its_findings() -> None:
    bomb = "a0: &a0 x\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 6)}]\n" for n in range(1, 40))
    texts = {
        "bomb.yml": f"on: push\n{bomb}",
        "deep.yml": "a: " + "[" * 50_000,
        "broken.yml": "on: [push\n jobs: {",
        "not.yml": "just text",
        "large.yml": "#" * (MAX_WORKFLOW_LENGTH + 1),
        "evil\n::warning::.yml": SAFE.replace(PINNED, "someone/thing@v1"),
    }
    with WorkflowScan(texts.items()) as look:
        outcome = {path: each for (path, _text), each in look.wait_for_outcomes().items()}
    assert {path for path, each in outcome.items() if isinstance(each, UnreadableWorkflow)} == {
        "bomb.yml", "deep.yml", "broken.yml", "not.yml", "large.yml",
    }  # fmt: skip
    found = outcome["evil\n::warning::.yml"]
    assert not isinstance(found, UnreadableWorkflow)
    assert [each.rule for each in found] == ["unpinned-uses"]


def test_a_workflow_that_grows_too_large_to_be_read_does_not_count_as_the_empty_one_it_was(drawing: Drawing) -> None:
    path = ".github/workflows/ci.yml"
    drawing.commit({path: ""})
    drawing.branch("work")
    drawing.commit({path: "#" * (MAX_WORKFLOW_LENGTH * 4 + 1)})
    [fact] = asked(drawing, "workflows.unpinned_actions", "main")
    assert fact.outcome is Outcome.UNAVAILABLE


@pytest.mark.parametrize(
    "row",
    [lambda n: " " * n + ("env:" if n % 2 else "steps:"), lambda _: "env:", lambda n: " " * (n % 90) + "- id: x"],
    ids=["nested", "flat", "steps"],
)
def test_environments_without_end_cost_a_workflow_little_time(row: Callable[[int], str]) -> None:
    rows = "\n".join(row(n) for n in range(20_000))[: MAX_WORKFLOW_LENGTH - 200]
    text = f"{rows}\nx: ${{{{ secrets.A }}}} ${{{{ steps.x.outputs.a }}}} >> GITHUB_OUTPUT"
    started = time.process_time()
    list(_row_findings(WorkflowFile(text)))
    assert time.process_time() - started < 2


def job(rights: str, *steps: str, more: str = "") -> str:
    """A workflow of one job with those steps."""
    taken = "".join(f"      - {each}\n" for each in ("uses: actions/checkout@v4", *steps))
    return f"name: it\non: pull_request\npermissions: {{{rights}}}\n{more}jobs:\n  a:\n    steps:\n{taken}"


CHECKOUT = "      - uses: actions/checkout@v4\n"
LEAVES_NOTHING = "uses: actions/checkout@v5\n        with:\n          persist-credentials: false"
TOKEN = "env:\n  GH_TOKEN: ${{ github.token }}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (job("packages: write, contents: write, actions: write", "run: pipx run codespell docs"), {"packages", "contents", "actions"}),
        (job("packages: write, checks: write", "run: docker run alpine true"), {"packages", "checks"}),
        (job("packages: write, issues: write", "run: docker push ghcr.io/a/b", more=TOKEN), {"issues"}),
        (job("contents: write, pull-requests: write", "uses: actions/labeler@v5"), {"contents"}),
        (job("contents: write", "run: |\n          ./update.sh\n          git push"), set()),
        (job("id-token: write, pages: write", "uses: actions/deploy-pages@v4"), set()),
        (job("security-events: write, contents: read", "uses: github/codeql-action/analyze@v3"), set()),
        (job("issues: write", "run: gh issue list", more=TOKEN), set()),
        (job("contents: write", LEAVES_NOTHING, "run: git push origin HEAD").replace(CHECKOUT, ""), {"contents"}),
        (job("contents: write", LEAVES_NOTHING, "run: git push origin HEAD"), set()),
        (job("contents: write", LEAVES_NOTHING, "uses: stefanzweifel/git-auto-commit-action@v5").replace(CHECKOUT, ""), set()),
        (job("packages: write", "uses: aws-actions/amazon-ecr-login@v2", "run: docker push 1.dkr.ecr.eu-west-1.amazonaws.com/a"), {"packages"}),
        (job("packages: write", "uses: docker/login-action@v3\n        with: {password: '${{ secrets.GITHUB_TOKEN }}'}", "run: docker push ghcr.io/a"), set()),
        (job("packages: write", "uses: acme/publish-image@v3"), set()),
        ("on: push\npermissions:\n  packages: write\njobs:\n  a:\n    uses: ./.github/workflows/b.yml\n", set()),
        ("on: push\npermissions: read-all\njobs:\n  a:\n    permissions:\n      statuses: write # why\n    steps:\n      - run: make\n", {"statuses"}),
        (f"on: push\n{TOKEN}permissions:\n  packages: write\njobs:\n  a:\n    steps:\n      - run: make\n  b:\n    steps:\n      - run: docker push a\n", set()),
    ],
)  # fmt: skip
def test_rights_that_no_step_uses_are_told_by_what_the_steps_say(text: str, expected: set[str]) -> None:
    assert {each.right for each in find_unused_permissions(text, ".github/workflows/a.yml")} == expected


def test_a_right_without_the_token_is_surely_unused_and_one_beside_it_is_not() -> None:
    [sure] = find_unused_permissions(job("packages: write", "run: make"), "a.yml")
    [unsure] = find_unused_permissions(job("packages: write", "run: make", more=TOKEN), "a.yml")
    assert (sure.sure, unsure.sure, sure.line) == (True, False, 3)
