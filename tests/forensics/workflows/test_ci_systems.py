"""Checks of other CI systems than that of GitHub: what weakens one, and what only looks like it."""

from __future__ import annotations

import pytest

from auditor.forensics.workflows.check_comparison import find_weakenings
from auditor.forensics.workflows.check_inventory import collect_checks
from auditor.forensics.workflows.ci_systems import ci_system, ci_systems, read_pipeline
from auditor.forensics.workflows.workflow_model import NO_LIMIT, Workflow

GITLAB = """\
stages: [test]
default:
  image: python:3.13
.shared:
  before_script:
    - pip install .
lint:
  stage: test
  script:
    - ruff check .
unit:
  extends: .shared
  stage: test
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - |
      pip list
      pytest -q
"""
AZURE = """\
pool: {vmImage: ubuntu-latest}
jobs:
  - job: unit
    steps:
      - script: pip install .
      - script: pytest -q
        displayName: Tests
"""
CIRCLE = """\
version: 2.1
jobs:
  unit:
    docker: [{image: "cimg/python:3.13"}]
    steps:
      - checkout
      - run: pip install .
      - run:
          name: Tests
          command: pytest -q
workflows:
  main:
    jobs: [unit]
"""
TRAVIS = """\
language: python
install: pip install .
script:
  - ruff check .
  - pytest -q
jobs:
  include:
    - name: types
      script: mypy src
"""
BUILDKITE = """\
steps:
  - label: Style
    command: ruff check .
  - wait
  - group: Tests
    steps:
      - label: Unit
        commands:
          - pip install .
          - pytest -q
"""
BITBUCKET = """\
image: python:3.13
pipelines:
  default:
    - step:
        name: Unit
        script:
          - pip install .
          - pytest -q
  pull-requests:
    '**':
      - parallel:
          - step:
              name: Style
              script: [ruff check .]
          - step:
              name: Types
              script: [mypy src]
  branches:
    main:
      - step:
          script: [./deploy.sh]
"""
PATHS = {
    GITLAB: ".gitlab-ci.yml",
    AZURE: "azure-pipelines.yml",
    CIRCLE: ".circleci/config.yml",
    TRAVIS: ".travis.yml",
    BUILDKITE: ".buildkite/pipeline.yml",
    BITBUCKET: "bitbucket-pipelines.yml",
}


def said(before: str, after: str) -> list[str]:
    """What is said of the checks of a pipeline."""
    path = PATHS[before]
    sides = (collect_checks({path: text}, ()) for text in (before, after))
    return [each.says for each in find_weakenings(*sides)]


def edited(text: str, old: str, new: str) -> tuple[str, str]:
    """A pipeline, and the same with one place written anew."""
    assert old in text
    return text, text.replace(old, new, 1)


WEAKENED = [
    (*edited(GITLAB, "unit:\n", "unit:\n  allow_failure: true\n"), "it has `allow_failure: true`"),
    (*edited(GITLAB, "unit:\n", "unit:\n  allow_failure: yes\n"), "it has `allow_failure: true`"),
    (*edited(GITLAB, "pytest -q", "pytest -q || true"), "`|| true` follows it"),
    (*edited(GITLAB, "lint:\n", "lint:\n  when: manual\n"), "`when: manual` waits for somebody to start it"),
    (*edited(GITLAB, "lint:\n", "lint:\n  when: never\n"), "`when: never` keeps it from running"),
    (*edited(GITLAB, "lint:\n", "lint:\n  only: [tags]\n"), "`only: tags` fits no change"),
    (*edited(GITLAB, "lint:\n", "lint:\n  only: {refs: [schedules, web]}\n"), "fits no change"),
    (*edited(GITLAB, "lint:\n", "lint:\n  only: [main]\n"), "it only runs after the merge"),
    (*edited(GITLAB, "lint:\n", "lint:\n  except: [branches, merge_requests]\n"), "`except` leaves out every change"),
    (*edited(GITLAB, '    - if: $CI_PIPELINE_SOURCE == "merge_request_event"\n', ""), "it only runs after the merge"),
    (*edited(GITLAB, '    - if: $CI_PIPELINE_SOURCE == "merge_request_event"\n    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n', "    - if: $CI_COMMIT_TAG\n"), "none of its `rules` fits a change"),
    (*edited(GITLAB, '"merge_request_event"\n    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n', '"merge_request_event"\n      allow_failure: true\n'), "it has `allow_failure: true`"),
    (*edited(GITLAB, '"merge_request_event"\n    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n', '"merge_request_event"\n      when: manual\n'), "waits for somebody to start it"),
    (*edited(GITLAB, "lint:\n  stage: test\n  script:\n    - ruff check .\n", ""), "`ruff check .` in job `lint` was removed without a replacement"),
    (*edited(GITLAB, "lint:\n", ".lint:\n"), "`ruff check .` in job `lint` was removed without a replacement"),
    (*edited(GITLAB, "ruff check .", "ruff check --exit-zero ."), "`--exit-zero` makes it succeed"),
    (*edited(AZURE, "Tests\n", "Tests\n        continueOnError: true\n"), "it has `continueOnError: true`"),
    (*edited(AZURE, "job: unit\n", "job: unit\n    continueOnError: true\n"), "it has `continueOnError: true`"),
    (*edited(AZURE, "Tests\n", "Tests\n        enabled: false\n"), "`enabled: false` keeps it from running"),
    (*edited(AZURE, "job: unit\n", "job: unit\n    condition: false\n"), "`condition: false` keeps it from running"),
    (*edited(AZURE, "      - script: pytest -q\n        displayName: Tests\n", ""), "was removed without a replacement"),
    (*edited(CIRCLE, "pytest -q", "pytest -q || true"), "`|| true` follows it"),
    (*edited(CIRCLE, "name: Tests\n", "name: Tests\n          when: on_fail\n"), "`when: on_fail` keeps it from running"),
    (*edited(CIRCLE, "jobs: [unit]", "jobs: []"), "no workflow lists its job"),
    (*edited(CIRCLE, "  main:\n", "  main:\n    when: false\n"), "`when: false` keeps it from running"),
    (*edited(CIRCLE, "  main:\n", "  main:\n    unless: true\n"), "`unless: true` keeps it from running"),
    (*edited(CIRCLE, "jobs: [unit]", "jobs:\n      - unit:\n          filters: {branches: {only: main}}"), "it only runs after the merge"),
    (*edited(AZURE, "job: unit\n", "job: unit\n    condition: and(succeeded(), eq(variables['Build.Reason'], 'Schedule'))\n"), "`condition: and(succeeded(), eq(variables['Build.Rea` keeps it from running"),
    (*edited(AZURE, "job: unit\n", "job: unit\n    condition: ne(variables.Build.Reason, 'PullRequest')\n"), "keeps it from running"),
    (*edited(AZURE, "job: unit\n", "job: unit\n    condition: eq(variables['Build.SourceBranch'], 'refs/heads/main')\n"), "keeps it from running"),
    (*edited(AZURE, "jobs:\n", "pr: none\njobs:\n"), "`pr: none` keeps it from running"),
    (*edited(AZURE, "jobs:\n", "pr: {branches: {exclude: ['*']}}\njobs:\n"), "`exclude: *` keeps it from running"),
    (*edited(AZURE, "job: unit\n", "job: unit\n    condition: |\n      and(\n        succeeded(),\n        eq('Manual', variables['build.reason'])\n      )\n"), "keeps it from running"),
    (*edited(AZURE, "job: unit\n", "job: unit\n    condition: Failed()\n"), "keeps it from running"),
    (*edited(CIRCLE, "jobs: [unit]", "jobs:\n      - unit:\n          filters: {branches: {ignore: /.*/}}"), "`ignore` leaves out every change"),
    (*edited(CIRCLE, "  main:\n", "  main:\n    triggers: [{schedule: {cron: '0 0 * * *'}}]\n"), "keeps it from running"),
    (*edited(GITLAB, "unit:\n", "unit:\n  allow_failure: {exit_codes: 2}\n"), "`exit_codes` allows the exit code 2"),
    (*edited(GITLAB, "unit:\n", "unit:\n  allow_failure: {exit_codes: [1, 137]}\n"), "`exit_codes` allows the exit code 1"),
    (*edited(GITLAB, "stages: [test]\n", "stages: [test]\nworkflow:\n  rules:\n    - if: $CI_PIPELINE_SOURCE == \"schedule\"\n"), "none of its `rules` fits a change"),
    (*edited(TRAVIS, "pytest -q", "pytest -q || true"), "`|| true` follows it"),
    (*edited(TRAVIS, "  - ruff check .\n", ""), "`ruff check .` was removed without a replacement"),
    (*edited(TRAVIS, "name: types\n", "name: types\n      if: type = cron\n"), "`if: type = cron` keeps it from running"),
    (*edited(TRAVIS, "name: types\n", "name: types\n      if: tag IS present\n"), "keeps it from running"),
    (*edited(BUILDKITE, "label: Style\n", "label: Style\n    soft_fail: true\n"), "it has `soft_fail: true`"),
    (*edited(BUILDKITE, "label: Unit\n", "label: Unit\n        soft_fail: [{exit_status: 1}]\n"), "`exit_status` allows the exit code 1"),
    (*edited(BUILDKITE, "label: Unit\n", "label: Unit\n        soft_fail: [{exit_status: '*'}]\n"), "`exit_status` allows the exit code *"),
    (*edited(BUILDKITE, "label: Unit\n", "label: Unit\n        skip: Too slow\n"), "`skip: Too slow` keeps it from running"),
    (*edited(BUILDKITE, "label: Unit\n", "label: Unit\n        branches: main\n"), "it only runs after the merge"),
    (*edited(BUILDKITE, "label: Style\n", "label: Style\n    if: build.source == 'schedule'\n"), "keeps it from running"),
    (*edited(BITBUCKET, "name: Unit\n", "name: Unit\n        trigger: manual\n"), "`trigger: manual` waits for somebody to start it"),
    (*edited(BITBUCKET, "pytest -q", "pytest -q || exit 0"), "`|| exit 0` follows it"),
    (*edited(BITBUCKET, "[mypy src]", "[echo mypy src]"), "`mypy src` in job `Types` was removed without a replacement"),
    (*edited(BITBUCKET, "  pull-requests:\n", "  custom:\n"), "`ruff check .` in job `Style` was removed without a replacement"),
]  # fmt: skip
HONEST = [
    edited(GITLAB, "unit:\n", "unit:\n  allow_failure: false\n"),
    edited(GITLAB, "lint:\n", "style:\n"),
    edited(GITLAB, "- ruff check .", "- ruff check src\n    - ruff format --check ."),
    edited(GITLAB, "stages: [test]", "stages: [test, deploy]\ndeploy:\n  stage: deploy\n  when: manual\n  script: [./deploy.sh]"),
    edited(GITLAB, "lint:\n", "lint:\n  only: [branches, merge_requests]\n"),
    edited(GITLAB, "lint:\n", "lint:\n  except: [tags]\n"),
    edited(GITLAB, "    - ruff check .\n", "    - !reference [.style, script]\n.style:\n  script: [ruff check .]\n"),
    edited(GITLAB, "lint:\n  stage: test\n", ".base: &base\n  stage: test\nlint:\n  <<: *base\n"),
    edited(GITLAB, "    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH\n", "    - if: $CI_COMMIT_TAG\n      when: never\n    - when: on_success\n"),
    edited(AZURE, "Tests\n", "Unit tests\n        continueOnError: false\n"),
    edited(AZURE, "job: unit\n", "job: unit\n    condition: succeeded()\n"),
    edited(AZURE, "  - job: unit\n", "  - job: unit\n    timeoutInMinutes: 10\n"),
    edited(CIRCLE, "jobs: [unit]", "jobs:\n      - unit:\n          context: shop"),
    edited(CIRCLE, "name: Tests", "name: Unit tests"),
    edited(CIRCLE, "  main:\n", "  nightly:\n    when: false\n    jobs: [unit]\n  main:\n"),
    edited(CIRCLE, "jobs: [unit]", "jobs:\n      - unit:\n          filters: {tags: {only: /^v/}}"),
    edited(AZURE, "job: unit\n", "job: unit\n    condition: or(succeeded(), eq(variables['Build.Reason'], 'Schedule'))\n"),
    edited(AZURE, "job: unit\n", "job: unit\n    condition: eq(variables['Build.Reason'], 'PullRequest')\n"),
    edited(AZURE, "jobs:\n", "pr: [main]\njobs:\n"),
    edited(AZURE, "job: unit\n", "job: unit\n    condition: and(succeeded(), ne(eq(variables['Build.Reason'], 'Manual'), true))\n"),
    edited(AZURE, "job: unit\n", "job: unit\n    condition: and(succeeded(), or(eq(variables['Build.Reason'], 'Manual'), eq(variables['Build.Reason'], 'PullRequest')))\n"),
    edited(GITLAB, "unit:\n", "unit:\n  allow_failure: {exit_codes: 137}\n"),
    edited(GITLAB, "stages: [test]\n", "stages: [test]\nworkflow:\n  rules:\n    - if: $CI_COMMIT_TAG\n      when: never\n    - when: always\n"),
    edited(TRAVIS, "  - ruff check .\n  - pytest -q\n", "  - ruff check . && pytest -q -x\n"),
    edited(TRAVIS, "name: types\n", "name: typing\n      if: type = pull_request\n"),
    edited(TRAVIS, "script:\n  - ruff check .\n  - pytest -q\njobs:\n  include:\n", "jobs:\n  include:\n    - script: ruff check .\n    - script: pytest -q\n"),
    edited(BUILDKITE, "label: Style\n", "label: Style\n    soft_fail: [{exit_status: 77}]\n    skip: false\n"),
    edited(BUILDKITE, "label: Unit\n", "label: Unit\n        if: build.source == 'schedule' || build.pull_request.id != null\n"),
    edited(BITBUCKET, "name: Unit\n", "name: Unit\n        trigger: automatic\n"),
    edited(BITBUCKET, "      - parallel:\n          - step:\n", "      - parallel:\n          steps:\n          - step:\n"),
    edited(BITBUCKET, "[./deploy.sh]", "[./deliver.sh]"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "says"), WEAKENED, ids=range(len(WEAKENED)))
def test_a_check_that_holds_no_change_back_any_more_is_reported(before: str, after: str, says: str) -> None:
    assert says in " ".join(said(before, after))


@pytest.mark.parametrize(("before", "after"), HONEST, ids=range(len(HONEST)))
def test_a_check_that_is_kept_moved_or_renamed_is_not(before: str, after: str) -> None:
    assert said(before, after) == []


def test_a_check_that_moves_to_another_system_is_kept() -> None:
    before = collect_checks({".gitlab-ci.yml": GITLAB}, ())
    workflow = "on: pull_request\njobs:\n  all:\n    steps:\n      - run: ruff check .\n      - run: pytest -q\n"
    after = collect_checks({".github/workflows/ci.yml": workflow}, ())
    assert [each.says for each in find_weakenings(before, after)] == []


def test_a_pipeline_that_cannot_be_read_is_none_without_checks() -> None:
    assert ".gitlab-ci.yml" in collect_checks({".gitlab-ci.yml": "a: [\n"}, ()).unread


def test_each_file_has_one_system_and_workflows_of_github_have_none() -> None:
    names = [found.system for path in PATHS.values() if (found := ci_system(path))]
    assert names == ["GitLab CI", "Azure Pipelines", "CircleCI", "Travis CI", "Buildkite", "Bitbucket Pipelines"]
    assert ci_system(".github/workflows/ci.yml") is None
    assert {each.system for each in ci_systems()} == set(names)


@pytest.mark.parametrize(
    "text",
    ["a: &a\n  extends: [a, a]\n  script: [x]\n", "a:\n  script:\n    - !reference [a, script]\n", "<<: 1\n", "a: {rules: [1]}\n"],
)  # fmt: skip
def test_jobs_that_refer_to_themselves_end(text: str) -> None:
    assert collect_checks({".gitlab-ci.yml": text}, ()).checks == []


@pytest.mark.parametrize(
    "condition", ["and(" + "(()" * 300, "and(" + "(a)" * 330, "and(" + "eq(variables['Build.Reason'], " * 30]
)
def test_conditions_that_open_brackets_without_end_are_read_and_decide_nothing(condition: str) -> None:
    job = f'jobs:\n  - job: unit\n    condition: "{condition}"\n    steps:\n      - script: pytest -q\n'
    system = ci_system("azure-pipelines.yml")
    assert system is not None
    pipeline = read_pipeline(job, system)
    assert isinstance(pipeline, Workflow)
    assert [each.limit for each in pipeline.jobs] == [NO_LIMIT]


def test_references_that_lead_back_are_followed_once() -> None:
    text = f"a:\n  script: [{', '.join(['!reference [a, script]'] * 200)}, pytest -q]\n"
    system = ci_system(".gitlab-ci.yml")
    assert system is not None
    pipeline = read_pipeline(text, system)
    assert isinstance(pipeline, Workflow)
    assert [step.run for job in pipeline.jobs for step in job.steps] == ["pytest -q", "pytest -q"]
