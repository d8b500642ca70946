"""GitHub workflows: what runs with the repository's own rights, and who can make it run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from auditor.domain import Fact, Side
from auditor.forensics.probe_kit.fact_outcomes import code_location, not_applicable, not_found, unavailable
from auditor.forensics.probe_kit.located_facts import LocatedSite, located_facts
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.probes.workflow_line_findings import line_findings
from auditor.forensics.secrets.placeholder_secrets import NOT_VERIFIED_REASON, confidence_of
from auditor.forensics.secrets.secret_places import CommittedSecrets, SecretPlace
from auditor.forensics.workflows.outsider_triggers import is_safe_for_outsiders
from auditor.forensics.workflows.script_injection import find_untrusted_outputs, has_only_trusted_expressions
from auditor.forensics.workflows.workflow_files import WorkflowFile, WorkflowFiles, WorkflowFinding
from auditor.lazy_regex import lazy_compile

_CONFIDENCE_LEVELS = {"high": 0.95, "medium": 0.75, "low": 0.5}
_SEVERITY_MEASURES = {"high": 1.0, "medium": 0.75, "low": 0.5, "informational": 0.4}
_CONTROL_REASON = "what an outsider controls was judged by the name of the value"
_USES = lazy_compile(r"^[ \t]*(?:-[ \t]+)?uses:\s*[\"']?(?P<used>[^\s\"'#]+)", re.MULTILINE)
_OFFICIAL = lazy_compile(r"^(?:actions|github)/")
_VERSION = lazy_compile(r"@v?\d+(?:\.\d+)*$")
_HEAD_REF = lazy_compile(
    r"ref:\s*.{0,40}github\.(?:event\.pull_request\.head\.(?:sha|ref)|head_ref)|gh pr checkout|refs/pull/"
)
_DISPATCH_INPUT = lazy_compile(r"\$\{\{\s*(?:github\.event\.)?inputs\.")
_INPUT = lazy_compile(r"^(?!.*github\.(?:event|head_ref)).*\$\{\{\s*(?:inputs|env)\.")
_CALLERS_REASON = "only workflows of this repository call it, and what they pass was not followed"
_FOREIGN_EXPRESSION = lazy_compile(r"\$\{\{[^}]{0,200}(?:github\.(?:event\.(?!inputs)|head_ref)|steps\.)")
FindingReader = Callable[[WorkflowFinding, str, WorkflowFile], LocatedSite | None]


@probe("workflows.script_injection")
def script_injection(workflows: WorkflowFiles, change: Change | None) -> Iterator[Fact]:
    """Can text that outsiders write become part of a script of a workflow?

    Titles, bodies, names of branches and the like in a `run:` or a script, by an expression. Through `env:`
    they are data.

    Pass the value through `env:` and use it as a quoted shell variable; an expression is pasted into the script before the shell sees it.
    """
    yield from _facts(workflows, change, _injection, "No workflow pastes foreign text into a script.")


def _injection(finding: WorkflowFinding, path: str, workflow: WorkflowFile) -> LocatedSite | None:
    statements = {
        "template-injection": "An expression that others may fill is pasted into a script",
        "output-injection": "An expression that others may fill is pasted into a script",
        "github-env": "Foreign text is written into the environment of later steps",
        "insecure-commands": "Commands in printed text are obeyed (ACTIONS_ALLOW_UNSECURE_COMMANDS)",
    }
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
        return _located_site(
            finding,
            path,
            workflow,
            "An input given by hand is pasted into a script",
            0.5,
            "whoever may start the workflow may write to the repository anyway",
        )
    if workflow.is_action and path.startswith(".github/") and _INPUT.search(workflow.line(finding.line)):
        return _located_site(
            finding, path, workflow, "An input of a local action is expanded in a script", 0.6, _CALLERS_REASON
        )
    return _located_site(
        finding, path, workflow, statements[finding.rule], _finding_confidence(finding), _CONTROL_REASON
    )


@probe("workflows.unpinned_actions")
def unpinned_actions(workflows: WorkflowFiles, change: Change | None) -> Iterator[Fact]:
    """Are actions used by a name that can be moved to other code?

    Tags and branches can be moved; a full commit id or a digest cannot. Actions of the repository itself count
    for nothing.

    Pin each action to a full commit id, with the version as a comment, and let a bot raise it.
    """
    yield from _facts(workflows, change, _unpinned, "Every action is pinned to a commit.")


def _unpinned(finding: WorkflowFinding, path: str, workflow: WorkflowFile) -> LocatedSite | None:
    if finding.rule != "unpinned-uses":
        return None
    line = workflow.line(finding.line)
    used = _USES.match(line)
    share = _unpinned_share(workflow.text)
    if used is not None and _OFFICIAL.match(used["used"]):
        return _located_site(
            finding,
            path,
            workflow,
            "An action of GitHub's own is used by a tag that can move",
            0.6,
            "GitHub publishes it itself, so somebody else is unlikely to move the tag",
            share,
            _any_version(used["used"]),
        )
    return _located_site(
        finding,
        path,
        workflow,
        "An action of somebody else is used by a tag or branch that can move",
        1.0,
        "",
        share,
        _any_version(used["used"]) if used else "",
    )


def _any_version(used: str) -> str:
    """The action whatever its version is: to raise it is no new fault, to go from a version to a branch is one."""
    return _VERSION.sub("@version", used)


@lru_cache(maxsize=32)
def _unpinned_share(text: str) -> float | None:
    """The share of a workflow's foreign actions that can move; cached, because each of them reports it."""
    every = [each for each in _USES.findall(text) if not each.startswith((".", "$"))]
    loose = [each for each in every if not _COMMIT.search(each)]
    return round(len(loose) / len(every), 4) if every else None


_COMMIT = lazy_compile(r"@(?:[0-9a-f]{40}|[0-9a-f]{64})$|@sha256:")


@probe("workflows.dangerous_trigger")
def dangerous_trigger(workflows: WorkflowFiles, change: Change | None) -> Iterator[Fact]:
    """Can outsiders start a workflow that has secrets or may write?

    `pull_request_target`, `workflow_run` and comments as triggers of jobs that hold secrets, that may write, or that touch
    what was proposed. The right to label and to comment alone does not count, nor does a message that is sent when another
    workflow has ended and takes nothing of it along.

    Use `pull_request` for whatever runs code of the change; keep `pull_request_target` and `workflow_run` for jobs that never touch it.
    """
    yield from _facts(workflows, change, _trigger, "No workflow with rights of its own starts on what outsiders do.")


def _trigger(finding: WorkflowFinding, path: str, workflow: WorkflowFile) -> LocatedSite | None:
    if finding.rule != "dangerous-triggers" or (
        is_safe_for_outsiders(workflow.text) and not _has_script_injection(workflow)
    ):
        return None
    if _HEAD_REF.search(workflow.text):
        return _located_site(
            finding,
            path,
            workflow,
            "A workflow with rights starts on what outsiders do, and checks out what they wrote",
            0.95,
            "whether that code runs was not followed",
        )
    return _located_site(
        finding,
        path,
        workflow,
        "A workflow with rights starts on what outsiders do",
        0.6,
        "it may never touch what they wrote",
    )


def _has_script_injection(workflow: WorkflowFile) -> bool:
    """Does it paste text of outsiders into a script?"""
    told = (
        each for each in workflow.findings if each.rule == "template-injection" and each.severity != "informational"
    )
    pasted = any(not has_only_trusted_expressions(workflow.text, each.line) for each in told)
    return pasted or next(find_untrusted_outputs(workflow.text), None) is not None


@probe("workflows.broad_permissions")
def broad_permissions(workflows: WorkflowFiles, change: Change | None) -> Iterator[Fact]:
    """Does a workflow hold more rights than it says it needs?

    All rights, no word about rights, or a right to write that no step seems to use.

    Put `permissions: {}` at the top of the workflow and give each job the few rights that it uses.
    """
    yield from _facts(workflows, change, _permissions, "Every workflow says which rights it needs, and none takes all.")


def _permissions(finding: WorkflowFinding, path: str, workflow: WorkflowFile) -> LocatedSite | None:
    if finding.rule not in {"excessive-permissions", "unused-right"}:
        return None
    if "default permissions" in finding.says:
        first = next(
            each for each in workflow.findings if each.rule == finding.rule and "default permissions" in each.says
        )
        if finding != first:
            return None  # said once for the whole workflow
        return _located_site(
            finding,
            path,
            workflow,
            "A workflow leaves its rights to the repository's default",
            0.6,
            "the default may be to read only",
        )
    if finding.rule == "unused-right":
        return _located_site(
            finding,
            path,
            workflow,
            finding.says,
            _CONFIDENCE_LEVELS[finding.confidence],
            "what its steps use was told by their words",
        )
    if "write-all" in finding.says or finding.severity == "high":
        return _located_site(
            finding,
            path,
            workflow,
            "A workflow takes rights to write that reach far",
            0.9,
            "what its steps use was not followed",
        )
    return _located_site(
        finding,
        path,
        workflow,
        "A right is given to a whole workflow, not to the job that uses it",
        0.6,
        "what its steps use was not followed",
    )


@probe("workflows.secrets_exposed")
def secrets_exposed(workflows: WorkflowFiles, change: Change | None, secrets: CommittedSecrets) -> Iterator[Fact]:
    """Does a workflow hand out more secrets than a step needs?

    All secrets at once, secrets in the environment of a whole workflow, inherited ones, and what is written
    down: in an address, a header, an argument or an environment. A made-up password of a service that lives as long
    as the job is none.

    Pass each secret by its name to the one step that uses it; never all of them, and never written down in the file.
    """
    written = [each for each in secrets.places if each.path in workflows.head and each.at_head]
    kept = frozenset((each.path, each.line) for each in written)

    def reading(finding: WorkflowFinding, path: str, workflow: WorkflowFile) -> LocatedSite | None:
        told = finding.rule == _ZIZMOR_LOGIN_RULE and (path, finding.line) in kept
        return None if told else _exposed_secret_site(finding, path, workflow)

    old = [_literal_secret_site(each) for each in written if each.introduced is False]
    none = "Secrets go by name to the steps that use them."
    yield from _facts(
        workflows, change, reading, none, {Side.HEAD: [*map(_literal_secret_site, written)], Side.BASE: old}
    )


_ZIZMOR_LOGIN_RULE = "hardcoded-container-credentials"


def _literal_secret_site(secret: SecretPlace) -> LocatedSite:
    return LocatedSite(
        path=secret.path,
        line=secret.line,
        quote=secret.quote,
        statement="A secret is written down in a workflow.",
        what=secret.kind,
        confidence=confidence_of(secret.kind, by_form=secret.sure),
        because=NOT_VERIFIED_REASON,
    )


_CONFIDENCE_REASONS = {
    "printed-secret": "logs hide what stands in them unchanged",
    "shared-secret": "whether every step uses it was not followed",
}


def _exposed_secret_site(finding: WorkflowFinding, path: str, workflow: WorkflowFile) -> LocatedSite | None:
    statements = {
        "secrets-inherit": "All secrets are passed on to another workflow",
        "overprovisioned-secrets": "All secrets are put into one step",
        "unredacted-secrets": "A secret is taken apart, so that logs no longer hide it",
        _ZIZMOR_LOGIN_RULE: "A password is written down in a workflow",
        "printed-secret": "A secret is printed, and only its form in the log is hidden",
        "shared-secret": "A secret is given to every step of a job, or of all jobs",
    }
    if finding.rule not in statements:
        return None
    if finding.rule == "secrets-inherit" and "uses: ./" in workflow.line(finding.line):
        statement = "All secrets are passed on to another workflow of this repository"
        return _located_site(finding, path, workflow, statement, 0.6, "the other workflow is reviewed like this one")
    confidence = _CONFIDENCE_LEVELS.get(finding.confidence, 0.5)
    return _located_site(
        finding,
        path,
        workflow,
        statements[finding.rule],
        confidence,
        _CONFIDENCE_REASONS.get(finding.rule, "by zizmor's own judgement"),
    )


def _finding_confidence(finding: WorkflowFinding) -> float:
    return min(_CONFIDENCE_LEVELS.get(finding.confidence, 0.5), _SEVERITY_MEASURES.get(finding.severity, 0.4))


def _located_site(
    finding: WorkflowFinding,
    path: str,
    workflow: WorkflowFile,
    statement: str,
    confidence: float,
    because: str,
    measure: float | None = None,
    fingerprint: str = "",
) -> LocatedSite:
    return LocatedSite(
        path=path,
        line=finding.line,
        quote=workflow.line(finding.line).strip(),
        statement=f"{statement}.",
        what=finding.rule,
        confidence=confidence,
        because=because if confidence < 1 else "",
        measure=measure,
        fingerprint=fingerprint,
    )


def _facts(
    workflows: WorkflowFiles,
    change: Change | None,
    read_finding: FindingReader,
    none_statement: str,
    further_sites: Mapping[Side, Sequence[LocatedSite]] = MappingProxyType({}),
) -> Iterator[Fact]:
    """What the findings of the workflows mean for one question, with places that were told by other means."""
    if not workflows.head:
        yield not_applicable("No GitHub workflow or action is in scope.")
        return
    places = {side: [*_finding_sites(workflows, side, read_finding), *further_sites.get(side, ())] for side in Side}
    yield from located_facts(places[Side.HEAD], places[Side.BASE], change)
    dark = {path: each.unread for path, each in workflows.head.items() if each.unread}
    if dark:
        yield unavailable(
            f"{len(dark)} of {len(workflows.head)} workflows could not be read: {next(iter(dark.values()))}.",
            at=[code_location(path) for path in dark],
        )
    if not places[Side.HEAD] and len(dark) < len(workflows.head):
        yield not_found(
            none_statement, confidence=0.95, because="what an action or a called workflow does inside was not followed"
        )


def _finding_sites(workflows: WorkflowFiles, side: Side, read_finding: FindingReader) -> Iterator[LocatedSite]:
    for path, workflow in (workflows.head if side is Side.HEAD else workflows.base).items():
        for finding in (*workflow.findings, *(() if workflow.unread else line_findings(path, workflow))):
            placed = read_finding(finding, path, workflow)
            if placed is not None:
                yield placed
