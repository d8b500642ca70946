"""GitHub workflows: their permissions and secrets, and who can make them run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from auditor.domain import Fact, Side
from auditor.forensics.probe_kit.fact_outcomes import not_applicable, not_found, unread_files
from auditor.forensics.probe_kit.located_facts import LocatedSite, located_facts
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.probes.workflow_line_findings import line_findings
from auditor.forensics.secrets.placeholder_secrets import NOT_VERIFIED_REASON, confidence_of
from auditor.forensics.secrets.secret_places import CommittedSecrets, SecretPlace
from auditor.forensics.workflows.element_names import with_element_names
from auditor.forensics.workflows.outsider_triggers import is_safe_for_outsiders
from auditor.forensics.workflows.proposed_code import fetches_proposed_code
from auditor.forensics.workflows.script_injection import find_untrusted_outputs, has_only_trusted_expressions
from auditor.forensics.workflows.workflow_files import WorkflowFile, WorkflowFiles, WorkflowFinding
from auditor.lazy_regex import lazy_compile

_CONFIDENCE_LEVELS = {"high": 0.95, "medium": 0.75, "low": 0.5}
_SEVERITY_MEASURES = {"high": 1.0, "medium": 0.75, "low": 0.5, "informational": 0.4}
_CONTROL_REASON = "whether outsiders control the value was judged by its name"
_USES = lazy_compile(r"^[ \t]*(?:-[ \t]+)?uses:\s*[\"']?(?P<used>[^\s\"'#]+)", re.MULTILINE)
_OFFICIAL = lazy_compile(r"^(?:actions|github)/")
_VERSION = lazy_compile(r"@v?\d+(?:\.\d+)*$")
_DISPATCH_INPUT = lazy_compile(r"\$\{\{\s*(?:github\.event\.)?inputs\.")
_CALLED = lazy_compile(r"^\s*[\"']?workflow_call\b|\bon:[^\n]{0,200}\bworkflow_call\b", re.MULTILINE)
_STARTING_USERS_REASON = "users who can start the workflow can already write to the repository"
_CALLING_WORKFLOWS_REASON = "other workflows pass the value, and whether it is text from outsiders was not checked"
_INPUT = lazy_compile(r"^(?!.*github\.(?:event|head_ref)).*\$\{\{\s*(?:inputs|env)\.")
_ENVIRONMENT = lazy_compile(r"\$\{\{\s*env\.")
_CALLERS_REASON = "only workflows of this repository call it, and the values that they pass were not checked"
_FOREIGN_EXPRESSION = lazy_compile(r"\$\{\{[^}]{0,200}(?:github\.(?:event\.(?!inputs)|head_ref)|steps\.)")


class _Reading(NamedTuple):
    """What a rule makes of a finding."""

    statement: str
    confidence: float
    because: str
    measure: float | None = None
    fingerprint: str = ""


_FindingReader = Callable[[WorkflowFinding, str, WorkflowFile], _Reading | None]


@probe("workflows.script_injection")
def script_injection(workflows: WorkflowFiles, change: Change | None) -> Iterator[Fact]:
    """Can outsiders inject text into a workflow script?

    Counts: an expression with a title, a body, a branch name or other text from outsiders that is expanded inside `run:` or a
    script, a variable with such text that a script in any language runs as code (`eval "$TITLE"`, `exec(os.environ["TITLE"])`),
    such text as the command that an action runs, as the image, runner or shell of a job, or in a program of `make`, `sed` or `awk`, and
    a body that is written into `GITHUB_ENV`. Does not count: a value
    passed through `env:` that the script treats as data.

    Pass the value through `env:` and read it there, as a quoted shell variable or as `process.env.NAME`: an expression is pasted into the script before it runs.
    """
    yield from _facts(workflows, change, _injection, "No workflow expands untrusted text in a script.")


def _injection(finding: WorkflowFinding, path: str, workflow: WorkflowFile) -> _Reading | None:
    statements = {
        "template-injection": "Script injection: {expressions} [is|are] expanded inside a script",
        "output-injection": "Script injection: {expressions} [is|are] expanded inside a script",
        "github-env": "Untrusted text is written to the environment of later steps (`GITHUB_ENV` or `GITHUB_PATH`)",
        "insecure-commands": "Unsafe workflow commands are enabled (`ACTIONS_ALLOW_UNSECURE_COMMANDS`)",
    }
    if finding.rule == "evaluated-text":
        return _Reading(finding.says, _finding_confidence(finding), _CONTROL_REASON)
    if finding.rule not in statements or finding.severity == "informational":
        return None
    if (
        finding.rule == "template-injection"
        and not workflow.is_action
        and has_only_trusted_expressions(workflow.text, finding.line)
    ):
        return None
    if (
        not workflow.is_action
        and _DISPATCH_INPUT.search(workflow.line(finding.line))
        and not _FOREIGN_EXPRESSION.search(workflow.line(finding.line))
    ):
        is_called = _CALLED.search(workflow.text) is not None
        return _Reading(
            "Workflow [input is|inputs are] expanded inside a script: {expressions}",
            0.6 if is_called else 0.5,
            _CALLING_WORKFLOWS_REASON if is_called else _STARTING_USERS_REASON,
        )
    if workflow.is_action and path.startswith(".github/") and _INPUT.search(workflow.line(finding.line)):
        return _Reading(
            "Action [input is|inputs are] expanded inside a script: {expressions}",
            0.6,
            _CALLERS_REASON,
        )
    line = workflow.line(finding.line)
    statement = statements[finding.rule]
    if finding.rule == "template-injection" and _ENVIRONMENT.search(line) and not _FOREIGN_EXPRESSION.search(line):
        statement = "Environment [variable is|variables are] expanded inside a script: {expressions}"
    return _Reading(statement, _finding_confidence(finding), _CONTROL_REASON)


@probe("workflows.unpinned_actions")
def unpinned_actions(workflows: WorkflowFiles, change: Change | None) -> Iterator[Fact]:
    """Are actions used without being pinned to a commit?

    Counts: an action or an image at a tag or a branch, which can be moved to other code. Does not count: one at a full commit ID or
    a digest, and actions of the repository itself.

    Pin each action to a full commit ID, with the version as a comment, and let a bot update it.
    """
    yield from _facts(workflows, change, _unpinned, "Every action is pinned to a commit.")


def _unpinned(finding: WorkflowFinding, _path: str, workflow: WorkflowFile) -> _Reading | None:
    if finding.rule != "unpinned-uses":
        return None
    line = workflow.line(finding.line)
    used = _USES.match(line)
    share = _unpinned_share(workflow.text)
    if used is not None and _OFFICIAL.match(used["used"]):
        return _Reading(
            "GitHub's own [action is|actions are] not pinned to a commit: {actions}",
            0.6,
            "GitHub maintains the action, so the tag is unlikely to be hijacked",
            share,
            _any_version(used["used"]),
        )
    is_image = used is not None and used["used"].startswith(_IMAGE)
    return _Reading(
        "Docker [image is|images are] not pinned to a digest, so [its|their] content can change: {actions}"
        if is_image
        else "Third-party [action is|actions are] not pinned to a commit, so [its|their] code can change: {actions}",
        1.0,
        "",
        share,
        _any_version(used["used"]) if used else "",
    )


def _any_version(used: str) -> str:
    """The action whatever its version is: an update is no new finding, a step from a version to a branch is one."""
    return _VERSION.sub("@version", used)


@lru_cache(maxsize=32)
def _unpinned_share(text: str) -> float | None:
    """The share of a workflow's third-party actions that are not pinned; cached, because each of them reports it."""
    every = [each for each in _USES.findall(text) if not each.startswith((".", "$"))]
    loose = [each for each in every if not _COMMIT.search(each)]
    return round(len(loose) / len(every), 4) if every else None


_IMAGE = "docker://"
_COMMIT = lazy_compile(r"@(?:[0-9a-f]{40}|[0-9a-f]{64})$|@sha256:")


@probe("workflows.dangerous_trigger")
def dangerous_trigger(workflows: WorkflowFiles, change: Change | None) -> Iterator[Fact]:
    """Can outsiders start a workflow that has secrets or write access?

    Counts: `pull_request_target`, `workflow_run` or a comment as the trigger of a job that has secrets or write access, or that uses
    what was proposed; in such a job also each step that installs, applies or runs what outsiders propose or store in an artifact, that
    approves or merges their pull requests, or reports a check as passed. Does not count: permission to label and comment alone, and a message that is sent after another workflow
    and uses none of its results.

    Use `pull_request` for jobs that run code of the change. Keep `pull_request_target` and `workflow_run` for jobs that never run code from the pull request.
    """
    yield from _facts(workflows, change, _trigger, "Outsiders can start no workflow that has secrets or write access.")


def _trigger(finding: WorkflowFinding, _path: str, workflow: WorkflowFile) -> _Reading | None:
    if finding.rule == "outsider-action":
        return _Reading(finding.says, _CONFIDENCE_LEVELS[finding.confidence], _ACTION_REASON)
    if finding.rule != "dangerous-triggers" or (
        is_safe_for_outsiders(workflow.text) and not _has_script_injection(workflow)
    ):
        return None
    if fetches_proposed_code(f"{workflow.text}\n{workflow.called}"):
        return _Reading(
            "Outsiders can start {workflows}, which [has|have] secrets or write access and [checks|check] out their code",
            0.95,
            "whether the code runs was not checked",
        )
    return _Reading(
        "Outsiders can start {workflows}, which [has|have] secrets or write access",
        0.6,
        "the workflow may never use their code or text",
    )


_ACTION_REASON = "conditions inside scripts and actions were not followed"


def _has_script_injection(workflow: WorkflowFile) -> bool:
    """Does it expand untrusted text in a script?"""
    told = (
        each for each in workflow.findings if each.rule == "template-injection" and each.severity != "informational"
    )
    pasted = any(not has_only_trusted_expressions(workflow.text, each.line) for each in told)
    return pasted or next(find_untrusted_outputs(workflow.text), None) is not None


@probe("workflows.broad_permissions")
def broad_permissions(workflows: WorkflowFiles, change: Change | None) -> Iterator[Fact]:
    """Does a workflow have more permissions than it needs?

    Counts: `write-all`, no `permissions:` key at all, a broad permission for the whole workflow instead of one job, and write
    access that no step seems to use.

    Set `permissions: {}` at the top of the workflow, and give each job only the permissions that it uses.
    """
    yield from _facts(
        workflows, change, _permissions, "Every workflow lists the permissions that it needs, and none takes all."
    )


def _permissions(finding: WorkflowFinding, _path: str, workflow: WorkflowFile) -> _Reading | None:
    if finding.rule not in {"excessive-permissions", "unused-right"}:
        return None
    if "default permissions" in finding.says:
        first = next(
            each for each in workflow.findings if each.rule == finding.rule and "default permissions" in each.says
        )
        if finding != first:
            return None  # said once for the whole workflow
        return _Reading(
            "No `permissions:` key in {workflows}, so every job gets the default permissions of the repository",
            0.6,
            "the default may be read-only",
        )
    if finding.rule == "unused-right":
        return _Reading(
            finding.says,
            _CONFIDENCE_LEVELS[finding.confidence],
            "what the steps use was judged by their text",
        )
    if "write-all" in finding.says or finding.severity == "high":
        return _Reading(
            "Every job of the workflow gets write access: {permissions}"
            if "workflow level" in finding.says
            else "Every step of the job gets write access: {permissions}",
            0.9,
            "what its steps use was not followed",
        )
    return _Reading(
        "Write access for all jobs of the workflow, not only for the job that uses it: {permissions}",
        0.6,
        "what its steps use was not followed",
    )


@probe("workflows.secrets_exposed")
def secrets_exposed(workflows: WorkflowFiles, change: Change | None, secrets: CommittedSecrets) -> Iterator[Fact]:
    """Does a workflow expose secrets to more steps than it needs to?

    Counts: all secrets at once, `secrets: inherit`, a secret in the environment of a whole workflow or job, a printed secret, a checkout whose
    token gets into an artifact, a secret
    or all variables that a script sends to a server as data, looks up as part of a host name or writes into a comment, and a password that is hard-coded in a URL, a header, an argument or an
    environment. Does not count: a made-up password of a
    service container, which only exists during the job.

    Pass each secret by name to the one step that uses it. Never hard-code a secret.
    """
    written = [each for each in secrets.places if each.path in workflows.head and each.at_head]
    kept = frozenset((each.path, each.line) for each in written)

    def reading(finding: WorkflowFinding, path: str, workflow: WorkflowFile) -> _Reading | None:
        told = finding.rule == _ZIZMOR_LOGIN_RULE and (path, finding.line) in kept
        return None if told else _exposed_secret(finding, workflow)

    old = [_literal_secret_site(each) for each in written if each.introduced is False]
    none = "Each secret is passed by name to the step that uses it."
    yield from _facts(
        workflows, change, reading, none, {Side.HEAD: [*map(_literal_secret_site, written)], Side.BASE: old}
    )


_ZIZMOR_LOGIN_RULE = "hardcoded-container-credentials"


def _literal_secret_site(secret: SecretPlace) -> LocatedSite:
    return LocatedSite(
        path=secret.path,
        line=secret.line,
        quote=secret.quote,
        statement="A secret is hard-coded in {workflows}.",
        what=secret.kind,
        confidence=confidence_of(secret.kind, by_form=secret.sure),
        because=NOT_VERIFIED_REASON,
    )


_CONFIDENCE_REASONS = {
    "sent-secret": "whether the server is meant to get it was not checked",
    "printed-secret": "logs mask a secret only where it is unchanged",
    "stored-secret": "whether the file is removed before the upload was not checked",
    "stored-checkout": "whether the token is removed before the upload was not checked",
    "shared-secret": "whether every step uses it was not checked",
}


def _exposed_secret(finding: WorkflowFinding, workflow: WorkflowFile) -> _Reading | None:
    statements = {
        "sent-secret": f"A script sends {finding.says} to a server",
        "stored-secret": "A secret is written into an artifact, which everybody with read access can download",
        "stored-checkout": finding.says,
        "secrets-inherit": "All secrets are passed to another workflow (`secrets: inherit`)",
        "overprovisioned-secrets": "All secrets are exposed to one step",
        "unredacted-secrets": "A secret is split into parts, which logs do not mask",
        _ZIZMOR_LOGIN_RULE: "A password is hard-coded in {workflows}",
        "printed-secret": "A secret is printed to the log, which masks only its exact form",
        "shared-secret": "[Secret is|Secrets are] exposed to every step of a job or workflow: {secrets}",
    }
    if finding.rule not in statements:
        return None
    if finding.rule == "secrets-inherit" and "uses: ./" in workflow.line(finding.line):
        statement = "All secrets are passed to another workflow of this repository (`secrets: inherit`)"
        return _Reading(statement, 0.6, "the called workflow is reviewed like this one")
    confidence = _CONFIDENCE_LEVELS.get(finding.confidence, 0.5)
    return _Reading(
        statements[finding.rule],
        confidence,
        _CONFIDENCE_REASONS.get(finding.rule, "this is zizmor's own confidence"),
    )


def _finding_confidence(finding: WorkflowFinding) -> float:
    return min(_CONFIDENCE_LEVELS.get(finding.confidence, 0.5), _SEVERITY_MEASURES.get(finding.severity, 0.4))


def _facts(
    workflows: WorkflowFiles,
    change: Change | None,
    read_finding: _FindingReader,
    none_statement: str,
    further_sites: Mapping[Side, Sequence[LocatedSite]] = MappingProxyType({}),
) -> Iterator[Fact]:
    """The facts of one rule: those from the findings in the workflows, and `further_sites`."""
    if not workflows.head:
        yield not_applicable("No GitHub workflow or action is in scope.")
        return
    places = {side: [*_finding_sites(workflows, side, read_finding), *further_sites.get(side, ())] for side in Side}
    yield from map(with_element_names, located_facts(places[Side.HEAD], places[Side.BASE], change))
    dark = {path: each.unread for path, each in workflows.head.items() if each.unread}
    yield from unread_files(dark)
    if not places[Side.HEAD] and len(dark) < len(workflows.head):
        yield not_found(none_statement, confidence=0.95, because="what actions and called workflows do was not checked")


def _finding_sites(workflows: WorkflowFiles, side: Side, read_finding: _FindingReader) -> Iterator[LocatedSite]:
    for path, workflow in (workflows.head if side is Side.HEAD else workflows.base).items():
        for finding in (*workflow.findings, *(() if workflow.unread else line_findings(path, workflow))):
            read = read_finding(finding, path, workflow)
            if read is not None:
                yield LocatedSite(
                    path=path,
                    line=finding.line,
                    quote=workflow.line(finding.line).strip(),
                    statement=f"{read.statement}.",
                    what=finding.rule,
                    confidence=read.confidence,
                    because=read.because if read.confidence < 1 else "",
                    measure=read.measure,
                    fingerprint=read.fingerprint,
                )
