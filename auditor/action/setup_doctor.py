"""What a setup can and cannot do: event, token, fork, key, the check to require, and the YAML that fixes what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from auditor import rubric_loader, strict_yaml
from auditor.action import action_inputs, event_plans, runner_environment, workflow_examples
from auditor.action.action_inputs import Inputs, Judges, KeepAnswers
from auditor.action.check_run_lifecycle import check_name
from auditor.action.event_plans import AuditPullRequest, AuditTree, CarryOver, FindPullRequest, Plan
from auditor.action.runner_environment import Runner
from auditor.action.workflow_usage import ActionStep, Finding, FindingLevel, check_step, find_action_steps
from auditor.domain import UserError
from auditor.github import GitHub, GitHubError
from auditor.judges.anthropic_client import Provider, required_variables
from auditor.publishers import job_summary_publisher
from auditor.report.escaping import for_terminal
from auditor.settings import CONFIG_PATH, DEFAULT_RUBRIC, Config, require_valid_rows

_TIMEOUT_SECONDS = 30.0
_OIDC_VARIABLE = "ACTIONS_ID_TOKEN_REQUEST_URL"
_MARKS = {FindingLevel.FINE: "fine ", FindingLevel.NOTE: "note ", FindingLevel.WRONG: "WRONG"}


@dataclass(frozen=True)
class Diagnosis:
    """What was found, and the workflow to use instead; empty where nothing is wrong."""

    findings: tuple[Finding, ...]
    recipe: str = ""

    @property
    def wrong(self) -> bool:
        """Is anything wrong?"""
        return any(each.weight is FindingLevel.WRONG for each in self.findings)


def run(environment: Mapping[str, str], folder: Path, say: Callable[[str], None]) -> int:
    """Examine a run of a workflow, or the workflows in a folder, and say what was found. 1 when something is wrong.

    `say` prints a line. None begins like a command that a runner would obey.
    """
    inside = bool(environment.get("GITHUB_EVENT_NAME") and environment.get("GITHUB_REPOSITORY"))
    try:
        found = diagnose_run(environment) if inside else diagnose_folder(folder)
    except UserError as error:
        found = Diagnosis(tuple(Finding(FindingLevel.WRONG, line) for line in str(error).splitlines()))
    for line in _render_lines(found):
        say(for_terminal(line))
    if inside and environment.get("GITHUB_STEP_SUMMARY"):
        page = "\n".join(
            ["### Automaton Auditor: setup check", "", "```text", *map(for_terminal, _render_lines(found)), "```", ""]
        )
        with suppress(OSError, job_summary_publisher.TooLong):
            job_summary_publisher.write(Path(environment["GITHUB_STEP_SUMMARY"]), page.replace("\r", ""))
    return 1 if found.wrong else 0


def _render_lines(found: Diagnosis) -> Iterator[str]:
    for each in found.findings:
        yield f"{_MARKS[each.weight]} {_one_line(each.says)}"
        if each.remedy:
            yield f"      {_one_line(each.remedy)}"
    if found.recipe:
        yield "A workflow that fixes it:"
        yield from (f"  {line}" for line in found.recipe.splitlines())


def _one_line(text: str) -> str:
    return " ".join(text.replace("`" * 3, "'''").split())


# Inside a workflow


def diagnose_run(environment: Mapping[str, str]) -> Diagnosis:
    """What the run at hand can do. Raises UserError for inputs that are wrong."""
    wanted, strangers = action_inputs.read(environment)
    about = runner_environment.read(environment)
    plan = event_plans.plan(about, runner_environment.read_payload(about))
    uses = _action_reference(environment)
    found = [
        Finding(FindingLevel.FINE, f"Event {about.event}: {_describe_plan(plan)}"),
        *(Finding(FindingLevel.NOTE, each) for each in strangers),
        *_check_fork(about, plan),
        *_check_token(about, wanted, plan),
        *_check_key(about, wanted, plan),
    ]
    diagnosis = Diagnosis(tuple(found))
    fork = isinstance(plan, AuditPullRequest) and plan.event_state.fork
    if not diagnosis.wrong:
        return diagnosis
    return Diagnosis(
        diagnosis.findings,
        workflow_examples.pull_request_target_workflow(uses) if fork else workflow_examples.pull_request_workflow(uses),
    )


def _action_reference(environment: Mapping[str, str]) -> str:
    """The Action as the workflow names it, where the runner says so."""
    repository, ref = environment.get("GITHUB_ACTION_REPOSITORY", ""), environment.get("GITHUB_ACTION_REF", "")
    return f"{repository}@{ref}" if repository and ref else workflow_examples.ACTION_REFERENCE


def _describe_plan(plan: Plan) -> str:
    if isinstance(plan, AuditPullRequest):
        return f"pull request {plan.number} is audited."
    if isinstance(plan, FindPullRequest):
        return "the pull request with the head of that run is looked for and audited."
    if isinstance(plan, CarryOver):
        return "the merge group gets the verdict of its pull request; no model is asked."
    if isinstance(plan, AuditTree):
        return "the whole repository is audited at this commit; there is no comment."
    return f"nothing is audited: {plan.reason}"


_RESTRICTED_EVENTS = frozenset({"pull_request", "pull_request_review"})
"""Events whose runs get a read-only token and no secrets if the change is from a fork."""


def _check_fork(runner_environment: Runner, plan: Plan) -> Iterator[Finding]:
    told = plan.event_state if isinstance(plan, AuditPullRequest) else None
    dependabot = runner_environment.actor == "dependabot[bot]"
    if told is None or not (told.fork or dependabot):
        yield Finding(FindingLevel.FINE, "The change is not from a fork.")
    elif runner_environment.event in _RESTRICTED_EVENTS and not told.fork:
        yield Finding(
            FindingLevel.NOTE,
            "The change is from Dependabot: GitHub gives this run no secrets of Actions, and a read-only token unless the workflow names permissions.",
            "To have a model judge, store its key as a Dependabot secret, too (see Forks in the documentation).",
        )
    elif runner_environment.event in _RESTRICTED_EVENTS:
        yield Finding(
            FindingLevel.NOTE,
            "The change is from a fork: GitHub gives this run a read-only token and no secrets, even if the workflow asks for more.",
            "Require the job, whose exit code is the verdict, or use pull_request_target (see Forks in the documentation).",
        )
    else:
        yield Finding(
            FindingLevel.FINE,
            f"The change is from {'a fork' if told.fork else 'Dependabot'}; {runner_environment.event} gives the job a token that can write, and the Action runs no code of the change.",
        )


def _check_token(about: Runner, wanted: Inputs, plan: Plan) -> Iterator[Finding]:
    name = check_name(wanted, wanted.rubric or DEFAULT_RUBRIC)
    if not wanted.token:
        yield Finding(FindingLevel.WRONG, "There is no token.", "Keep the default of the input token.")
        return
    told = plan.event_state if isinstance(plan, AuditPullRequest) else None
    reading_only = about.event in _RESTRICTED_EVENTS and told is not None and told.fork
    try:
        github = GitHub.connect(about.api_url, wanted.token, about.repository, deadline=_TIMEOUT_SECONDS, pace=0.0)
        rights = github.write_refusals(told.number if told else None)
        for right, why, what in (
            ("checks: write", rights.checks, "the check run"),
            ("pull-requests: write", rights.comments, "the comment"),
        ):
            if told is None and right.startswith("pull"):
                continue
            if not why:
                yield Finding(FindingLevel.FINE, f"The token can write {what}.")
            else:
                weight = FindingLevel.NOTE if reading_only else FindingLevel.WRONG
                yield Finding(weight, f"The token cannot write {what}: {why}", f"Give the job the permission {right}.")
        if told is not None:
            yield from _check_required(github, told.base_ref, name)
    except GitHubError as trouble:
        yield Finding(FindingLevel.WRONG, f"GitHub could not be reached: {trouble.sentence}")


def _check_required(github: GitHub, branch: str, name: str) -> Iterator[Finding]:
    try:
        required = github.required_checks(branch)
    except GitHubError:
        required = ()
    if name in required:
        yield Finding(FindingLevel.FINE, f"The branch {branch} requires the check {name!r}.")
    else:
        yield Finding(
            FindingLevel.NOTE,
            f"The branch {branch} does not seem to require the check {name!r} (this token may not see all rules).",
            "Require it in branch protection or a ruleset after its first run.",
        )


def _check_key(about: Runner, wanted: Inputs, plan: Plan) -> Iterator[Finding]:
    if wanted.judges is Judges.EMBEDDED:
        yield Finding(FindingLevel.FINE, "The embedded judges score the change. They need no key.")
        return
    fork = isinstance(plan, AuditPullRequest) and plan.event_state.fork
    if wanted.federation_rule and not wanted.anthropic_api_key and _OIDC_VARIABLE not in about.access:
        yield Finding(
            FindingLevel.WRONG, "The job cannot get an OIDC token.", "Give the job the permission id-token: write."
        )
        return
    judging = wanted.bench_settings(trusted=True, seconds=_TIMEOUT_SECONDS)
    platform = wanted.provider is not Provider.ANTHROPIC
    if not judging.has_credentials(wanted.judge_environment(about.access)):
        asked = wanted.judges is Judges.CLAUDE
        yield Finding(
            FindingLevel.WRONG if asked else FindingLevel.NOTE,
            f"There is no key for a model{', but judges: claude needs one' if asked else ', so the embedded judges score the change'}.",
            f"Set {required_variables(judging.provider, judging.key_env)} for the step, for example with the login action of the platform."
            if platform
            else "Set anthropic-api-key from a secret. On pull_request, runs of forks and Dependabot get no secrets.",
        )
    elif fork and wanted.label is None and wanted.judges is Judges.AUTO:
        yield Finding(
            FindingLevel.NOTE,
            "For a change from a fork, a model is called only if a maintainer sets a label.",
            f"Name the label in the input label, such as label: {workflow_examples.LABEL}.",
        )
    else:
        yield Finding(FindingLevel.FINE, "There is a key: judges on Claude score the change.")
    if wanted.has_credentials and wanted.keep_answers is KeepAnswers.ALWAYS and not wanted.seal_secret:
        yield Finding(
            FindingLevel.NOTE,
            "The answers of the model are not cached between runs, because there is no long-lived key to sign them.",
            "Set answers-key from a secret, such as the output of `openssl rand -hex 32`.",
        )


# On a developer's machine


def diagnose_folder(folder: Path) -> Diagnosis:
    """What the workflows and the configuration of a checkout ask for. Raises UserError for files that cannot be read."""
    home = folder / ".github"
    found: list[Finding] = []
    used: list[ActionStep] = []
    local = (folder / "action.yml").is_file() and "Automaton Auditor" in _read_file(folder / "action.yml").decode(
        errors="replace"
    )
    for path in sorted([*(home / "workflows").glob("*.yml"), *(home / "workflows").glob("*.yaml")]):
        uses = find_action_steps(str(path.relative_to(folder)), _read_file(path), local=local)
        used.extend(uses)
        for use in uses:
            said = check_step(use)
            where = f"{use.file}, job {use.job_id}"
            found += [Finding(each.weight, f"{where}: {each.says}", each.remedy) for each in said]
            wanted = {name: value for name, value in use.given.items() if "${{" not in value}
            if not any(each.weight is FindingLevel.WRONG for each in said):
                named = wanted.get("check-name") or check_name(Inputs(), _rubric_id(folder, wanted.get("rubric", "")))
                found.append(Finding(FindingLevel.FINE, f"{where}: the check to require is {named!r}."))
    if not used:
        found.append(Finding(FindingLevel.WRONG, "No workflow uses the Action.", "Add .github/workflows/audit.yml."))
    workflows = Diagnosis(tuple(found))
    recipe = _recipe_for(used) if workflows.wrong else ""  # no workflow corrects the configuration
    return Diagnosis((*found, *_check_configuration(folder)), recipe)


def _recipe_for(used: list[ActionStep]) -> str:
    """The recipe in place of the first use, with the inputs it gives that exist."""
    if not used:
        return workflow_examples.pull_request_workflow()
    first = used[0]
    known = {each.name for each in action_inputs.INPUTS}
    given = {name: value for name, value in first.given.items() if name in known}
    make = (
        workflow_examples.pull_request_target_workflow
        if "pull_request_target" in first.events
        else workflow_examples.pull_request_workflow
    )
    return make(first.uses, given)


def _rubric_id(folder: Path, named: str) -> str:
    """The id of the rubric that an input or else the configuration names. Raises UserError for one that is wrong."""
    path = folder / CONFIG_PATH
    if not named and path.is_file():
        with suppress(UserError):  # told below, with its lines
            named = strict_yaml.parse(Config, _read_file(path), CONFIG_PATH).rubric or ""
    if not named or named in rubric_loader.names():
        return named or DEFAULT_RUBRIC
    return rubric_loader.load(_read_file(folder / named), named).id


def _check_configuration(folder: Path) -> Iterator[Finding]:
    path = folder / CONFIG_PATH
    if not path.is_file():
        yield Finding(FindingLevel.FINE, f"There is no {CONFIG_PATH}: the gate of the rubric applies.")
        return
    try:
        config = strict_yaml.parse(Config, _read_file(path), CONFIG_PATH)
        require_valid_rows(config, folder)
    except UserError as error:
        for line in str(error).splitlines():
            yield Finding(FindingLevel.WRONG, line, "Correct it on the base branch: the audit reads it there.")
    else:
        yield Finding(
            FindingLevel.FINE, f"{CONFIG_PATH} is valid. A pull request is audited with the file of its base branch."
        )


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror}): give a readable checkout.") from error
