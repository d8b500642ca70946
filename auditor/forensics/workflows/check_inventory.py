"""The checks that workflows run: each command or action that can refuse a change, and how strongly it does.

Calls of local workflows, local actions and changed shell scripts are followed, so that a check that is moved into one of
them is found there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from auditor.forensics.workflows.change_triggers import Reach, TriggerResult, classify_triggers, named_branches
from auditor.forensics.workflows.check_tools import RecognizedCheck, recognize_action, recognize_command
from auditor.forensics.workflows.ci_systems import ci_system, included_pipelines, read_pipeline
from auditor.forensics.workflows.constant_conditions import constant_truth
from auditor.forensics.workflows.recipe_scripts import recipe_lines
from auditor.forensics.workflows.shell_commands import INERT, ShellCommand, parse_commands
from auditor.forensics.workflows.shell_names import shell_names
from auditor.forensics.workflows.workflow_model import Job, LimitKind, Step, UnreadableYaml, Workflow, read_workflow
from auditor.lazy_regex import lazy_compile

MAX_COMMANDS = 20_000
_MAX_CALL_DEPTH = 5
"""How deep calls from workflow to workflow or action are followed; GitHub allows few more levels."""
_ERREXIT_OPTION = lazy_compile(r"-(?!-)[a-z]*e")
_ERREXIT_SHEBANG = lazy_compile(r"#!\s*/\S+(?:\s+-S)?(?:\s+\w*sh)?\s+-\w*e")
_RUNS_AFTER_FAILURE = lazy_compile(r"\balways\(\)|!\s*cancelled\(\)|\bfailure\(\)")
_FAILURE_STATEMENT = lazy_compile(r"\bexit\s+[1-9]|\bfalse\b|\[\[?\s|\btest\s|\bcore\.setFailed\b")
_GIT_DIFF_CHECK = lazy_compile(r"\bgit\s+(?:diff\s[^\n]*--(?:exit-code|quiet)|status\s+--porcelain)")
"""Git commands by which a script fails on what a formatter has changed."""


class Strength(IntEnum):
    """How strongly a check holds a change back; more is better."""

    NOT_RUN = 0
    CANNOT_FAIL = 1
    """It runs, and its failure does not count."""
    AFTER_MERGE = 2
    EVERY_PUSH = 3
    BEFORE_MERGE = 4


@dataclass(frozen=True)
class Check:
    """A check that a workflow runs, where it is written, and why it is no stronger."""

    path: str
    file: str
    line: int
    job: str
    step: str
    known: RecognizedCheck
    strength: Strength
    why: str = ""

    @property
    def can_block(self) -> bool:
        """Can it block a change?"""
        return self.strength > Strength.CANNOT_FAIL


@dataclass(frozen=True)
class _CallContext:
    """What applies to all steps of a job or its callee: `path` is the workflow, `file` the file that is read."""

    path: str
    strength: Strength
    why: str
    events: tuple[str, ...]
    file: str
    line: int = 0
    job: str = ""
    step: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0
    windows: bool = False

    def weakened_to(self, strength: Strength, why: str) -> _CallContext:
        """A copy whose strength is at most the given one."""
        return replace(self, strength=strength, why=why) if strength < self.strength else self

    def inside(self, file: str, line: int) -> _CallContext:
        """A copy for a file that is called from here."""
        return replace(self, file=file, line=line, depth=self.depth + 1)

    def never_runs_reason(self, condition: str) -> str:
        """Why a condition is never true for a change; empty where it may be."""
        if not condition:
            return ""
        values = [constant_truth(condition, self._event_context(each), condition=True) for each in self.events or ("",)]
        return (
            f"`if: {' '.join(condition.split())[:60]}` is never true" if all(each is False for each in values) else ""
        )

    def _event_context(self, event: str) -> dict[str, str]:
        """The known values of a run that this event starts."""
        named = {"github.event_name": event} if event else {}
        return {**self.known, **named, **({"github.ref": "refs/pull/0/merge"} if event == "pull_request" else {})}


class _LimitExceeded(Exception):
    """The workflows run more commands than are read."""


@dataclass
class CollectedChecks:
    """The checks and workflows of one side, and the workflows that could not be read or followed, with the reason."""

    checks: list[Check] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    """Files whose commands were read: pipelines, and the actions, scripts and recipes that they call."""
    followed: dict[str, frozenset[str]] = field(default_factory=dict)
    """Commands that call scripts or recipes whose text was read -> the files of these."""
    unread: dict[str, str] = field(default_factory=dict)
    cut: dict[str, str] = field(default_factory=dict)
    workflows: dict[str, Workflow] = field(default_factory=dict)

    @property
    def branches(self) -> frozenset[str]:
        """Branches that the filters of its workflows name."""
        return named_branches(self.workflows.values())


def collect_checks(
    texts: Mapping[str, str], paths: Collection[str], branches: Collection[str] | None = None
) -> CollectedChecks:
    """The checks of the workflows among these texts, in a tree with these paths."""
    collected = CollectedChecks()
    included = included_pipelines(texts, texts.keys())
    taken = {each for several in included.values() for each in several}
    for path, text in texts.items():
        system = None if is_workflow(path) else ci_system(path)
        if is_workflow(path) or (system is not None and path not in taken):
            others = {each: texts[each] for each in included.get(path, ())}
            read = read_workflow(text) if system is None else read_pipeline(text, system, others)
            if isinstance(read, UnreadableYaml):
                collected.unread[path] = read.reason
            else:
                collected.workflows[path] = read
                collected.files |= {path, *others}
    _collect(collected, texts, paths, collected.branches if branches is None else branches)
    return collected


def collect_workflow_checks(path: str, workflow: Workflow, texts: Mapping[str, str]) -> CollectedChecks:
    """The checks of one workflow, and those of what it calls among these texts."""
    collected = CollectedChecks(workflows={path: workflow})
    _collect(collected, texts, (), ())
    return collected


def _collect(
    collected: CollectedChecks, texts: Mapping[str, str], paths: Collection[str], branches: Collection[str]
) -> None:
    reader = _CheckReader(texts, collected.workflows, collected.followed, collected.files)
    for path, workflow in collected.workflows.items():
        try:
            collected.checks.extend(
                reader.workflow_checks(path, workflow, classify_triggers(workflow, paths, branches))
            )
        except _LimitExceeded:
            collected.cut[path] = f"workflows run more than {MAX_COMMANDS:,} commands"


def has_errexit_shebang(script: str) -> bool:
    """Does the first line start a shell that stops at errors?"""
    return _ERREXIT_SHEBANG.match(script) is not None


def is_workflow(path: str) -> bool:
    """Does GitHub read the file as a workflow?"""
    folder, _, name = path.rpartition("/")
    return folder == ".github/workflows" and name.endswith((".yml", ".yaml"))


_STRENGTH_BY_REACH = {
    Reach.NEVER: Strength.NOT_RUN,
    Reach.AFTER_MERGE: Strength.AFTER_MERGE,
    Reach.EVERY_PUSH: Strength.EVERY_PUSH,
    Reach.BEFORE_MERGE: Strength.BEFORE_MERGE,
}


_STRENGTH_BY_LIMIT = {
    LimitKind.NOT_RUN: Strength.NOT_RUN,
    LimitKind.CANNOT_FAIL: Strength.CANNOT_FAIL,
    LimitKind.AFTER_MERGE: Strength.AFTER_MERGE,
    LimitKind.NONE: Strength.BEFORE_MERGE,
}


@dataclass
class _CheckReader:
    """Follows what workflows call. The number of commands is bounded, as files may call each other repeatedly."""

    texts: Mapping[str, str]
    workflows: Mapping[str, Workflow]
    followed: dict[str, frozenset[str]]
    files: set[str]
    left: int = MAX_COMMANDS

    def workflow_checks(self, path: str, workflow: Workflow, trigger: TriggerResult) -> Iterator[Check]:
        around = _CallContext(path, _STRENGTH_BY_REACH[trigger.reach], trigger.why, trigger.events, path)
        yield from self._job_checks(workflow, around)

    def _count_command(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _LimitExceeded

    def _job_checks(self, workflow: Workflow, around: _CallContext) -> Iterator[Check]:
        skipped: dict[str, str] = {}
        for job in workflow.jobs:
            self._count_command()
            inner = _job_context(job, around, skipped)
            path = job.uses.removeprefix("./")
            called = self.workflows.get(path) if job.uses.startswith("./") else None
            if called is not None and around.depth < _MAX_CALL_DEPTH:
                yield from self._job_checks(called, inner.inside(path, 0))
            elif job.uses and called is None and (known := recognize_action(job.uses, {})) is not None:
                yield _make_check(replace(inner, line=job.line), known)
            yield from self._step_list_checks(job.steps, inner)

    def _step_list_checks(self, steps: Sequence[Step], around: _CallContext) -> Iterator[Check]:
        for at, step in enumerate(steps):
            self._count_command()
            other = _other_code(step, around)
            around = around.weakened_to(Strength.NOT_RUN, other) if other else around
            settled = step.id != "" and any(_checks_outcome_of(each, step.id) for each in steps[at + 1 :])
            yield from self._step_checks(replace(step, continue_on_error="") if settled else step, around)

    def _step_checks(self, step: Step, around: _CallContext) -> Iterator[Check]:
        inner = replace(around, step=step.name or around.step, line=step.line)
        inner = inner.weakened_to(_STRENGTH_BY_LIMIT[step.limit.kind], step.limit.why)
        never = inner.never_runs_reason(step.condition)
        if never:
            inner = inner.weakened_to(Strength.NOT_RUN, never)
        elif constant_truth(step.continue_on_error, inner.known) is True:
            inner = inner.weakened_to(Strength.CANNOT_FAIL, "the step has `continue-on-error: true`")
        if step.uses:
            yield from self._action_checks(step, inner)
        if step.run:
            yield from self._script_checks(step, inner)

    def _action_checks(self, step: Step, around: _CallContext) -> Iterator[Check]:
        folder = step.uses.removeprefix("./").rstrip("/")
        path = next((each for each in (f"{folder}/action.yml", f"{folder}/action.yaml") if each in self.texts), "")
        if step.uses.startswith("./") and path and around.depth < _MAX_CALL_DEPTH:
            read = read_workflow(self.texts[path])
            if isinstance(read, Workflow):
                self.files.add(path)
                yield from self._step_list_checks(read.jobs[0].steps, around.inside(path, 0))
            return
        known = recognize_action(step.uses, {**step.env, **step.inputs})
        if known is not None:
            yield _make_check(around, known)

    def _script_checks(self, step: Step, around: _CallContext) -> Iterator[Check]:
        program, *options = step.shell.split() or ["pwsh" if around.windows else ""]
        name = program.rpartition("/")[2]
        if name in shell_names("inert_shells"):
            around = around.weakened_to(Strength.NOT_RUN, f"`shell: {step.shell[:40]}` does not run the script")
        elif name and name not in shell_names("shells"):
            return  # another language: its text is no list of commands
        errexit = not options or any(_ERREXIT_OPTION.match(each) for each in options) or "errexit" in options
        pipefail = (name == "bash" and not options) or "pipefail" in step.shell
        if name in {"pwsh", "powershell", "cmd"}:
            errexit = pipefail = True  # other rules apply there; only what is written behind a command counts
        around = replace(around, line=step.run_line)
        yield from self._command_checks(step.run, step.env, around, errexit=errexit, pipefail=pipefail)

    def _command_checks(
        self, text: str, env: Mapping[str, str], around: _CallContext, *, errexit: bool, pipefail: bool = False
    ) -> Iterator[Check]:
        settles = _GIT_DIFF_CHECK.search(text) is not None
        for each in parse_commands(text, errexit=errexit, pipefail=pipefail):
            self._count_command()
            heard = _command_context(replace(around, line=around.line + each.line), each)
            quoted = _inline_script(each.words)
            if quoted is not None and around.depth < _MAX_CALL_DEPTH:
                yield from self._command_checks(quoted, env, heard.inside(around.file, heard.line), errexit=False)
                continue
            known = recognize_command(each.words, env)
            if known is not None:
                if settles and known.lacks:
                    known = known._replace(never_fails_reason="")
                yield from self._called_checks(known, env, heard)

    def _called_checks(self, known: RecognizedCheck, env: Mapping[str, str], around: _CallContext) -> Iterator[Check]:
        """The checks in a called script or recipe where its text is available; else the call itself."""
        inner: list[Check] = []
        texts: list[str] = []
        files: set[str] = set()
        words = known.command.split(" ")
        if around.depth < _MAX_CALL_DEPTH:
            if known.opaque and known.tool.endswith((".sh", ".bash")) and known.tool in self.texts:
                text = self.texts[known.tool]
                strict = "-e" in words or has_errexit_shebang(text)
                texts.append(text)
                files.add(known.tool)
                inner += self._command_checks(text, env, around.inside(known.tool, 1), errexit=strict)
            for row in recipe_lines(words, self.texts):
                deeper = around.inside(row.path, row.line)
                passed_over = known.never_fails_reason or row.ignored_failure
                if passed_over:
                    deeper = deeper.weakened_to(Strength.CANNOT_FAIL, passed_over)
                texts.append(row.text)
                files.add(row.path)
                inner += self._command_checks(row.text, env, deeper, errexit=False)
        if files:
            self.files |= files
            self.followed[known.command] = frozenset(files)
        if not inner and texts and not any(map(_can_fail, texts)):
            around = around.weakened_to(Strength.CANNOT_FAIL, "it only runs `true`, `echo` or the like")
        yield from inner or [_make_check(around, known)]


_WITHOUT_EFFECT = INERT | {"set", "shopt", "export", "unset", "umask"}


def _can_fail(script: str) -> bool:
    """Does a script run a program that can fail?"""
    return any(
        each.words[0] not in _WITHOUT_EFFECT
        and each.words != ("exit", "0")
        and not (len(each.words) == 2 and each.words[1] in shell_names("only_informing"))
        for each in parse_commands(script)
    )


_CHECKOUT = lazy_compile(r"^actions/checkout@")
_BASE_REFERENCE = lazy_compile(
    r"^(?:refs/heads/|origin/)?(?:main|master|develop|trunk)$"
    r"|^\$\{\{\s*(?:github\.(?:base_ref|event\.(?:pull_request\.base\.\w+|repository\.default_branch)))\s*\}\}$"
)


def _other_code(step: Step, around: _CallContext) -> str:
    """Why the steps after one do not see the change, where it checks out the base in its place; empty where they do."""
    is_for_changes = any(each.startswith("pull_request") for each in around.events)
    if not is_for_changes or not _CHECKOUT.match(step.uses) or step.condition or step.inputs.get("path"):
        return ""
    reference = step.inputs.get("ref", "").strip()
    return f"it checks out `{reference[:60]}`, not the change" if _BASE_REFERENCE.match(reference) else ""


def _checks_outcome_of(step: Step, name: str) -> bool:
    """Does a later step fail depending on the `outcome` of an earlier one?"""
    said = f"steps.{name}.outcome"
    asked = said in step.condition or said in step.run or any(said in each for each in step.env.values())
    return asked and _FAILURE_STATEMENT.search(step.run) is not None


def _job_context(job: Job, around: _CallContext, skipped: dict[str, str]) -> _CallContext:
    """The context of a job. Records a skipped job in `skipped`, as the jobs that need it are skipped too."""
    known = {f"matrix.{key.lower()}": each[0] for key, each in job.matrix.items() if len(set(each)) == 1}
    inner = replace(
        around,
        job=f"{around.job}/{job.id}".strip("/"),
        known={**around.known, **known},
        file=job.file or around.file,
        line=job.line,
        windows="windows" in job.runs_on.lower() and "$" not in job.runs_on,
    )
    inner = inner.weakened_to(_STRENGTH_BY_LIMIT[job.limit.kind], job.limit.why)
    needed = next(
        (skipped[each] for each in job.needs if each in skipped and not _RUNS_AFTER_FAILURE.search(job.condition)), ""
    )
    never = inner.never_runs_reason(job.condition) or needed
    if never:
        skipped[job.id] = f"it needs the job `{job.id[:40]}`, which never runs"
        return inner.weakened_to(Strength.NOT_RUN, never)
    if constant_truth(job.continue_on_error, inner.known) is True:
        return inner.weakened_to(Strength.CANNOT_FAIL, "the job has `continue-on-error: true`")
    return inner


def _command_context(around: _CallContext, command: ShellCommand) -> _CallContext:
    if command.skipped:
        return around.weakened_to(Strength.NOT_RUN, command.skipped)
    return around.weakened_to(Strength.CANNOT_FAIL, command.unheard) if command.unheard else around


def _inline_script(words: tuple[str, ...]) -> str | None:
    """The script that a shell is given as an argument."""
    if len(words) < 3 or words[0].rpartition("/")[2] not in {"bash", "sh", "zsh", "dash"}:
        return None
    at = next((n for n, word in enumerate(words[1:4], start=1) if word.startswith("-") and word.endswith("c")), None)
    return words[at + 1].strip("\"'") if at is not None and at + 1 < len(words) else None


def _make_check(around: _CallContext, known: RecognizedCheck) -> Check:
    if known.never_fails_reason:
        around = around.weakened_to(Strength.CANNOT_FAIL, known.never_fails_reason)
    return Check(around.path, around.file, around.line, around.job, around.step, known, around.strength, around.why)
