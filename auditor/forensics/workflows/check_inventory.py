"""The checks that workflows run: each command or action that can refuse a change, and how strongly it does.

Calls of local workflows, local actions and changed shell scripts are followed, so that a check that is moved into one of
them is found there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from auditor.forensics.workflows.change_triggers import Reach, Start, named_branches, start
from auditor.forensics.workflows.check_tools import Known, known_action, known_command
from auditor.forensics.workflows.constant_conditions import constant
from auditor.forensics.workflows.recipe_scripts import recipe_lines
from auditor.forensics.workflows.shell_commands import INERT, Command, commands
from auditor.forensics.workflows.workflow_model import Job, Step, Unread, Workflow, read_workflow
from auditor.lazy_regex import lazy_compile

MAX_COMMANDS = 20_000
_DEEPEST = 5
"""Calls from workflow to workflow or action that are followed; GitHub allows few more."""
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "pwsh", "powershell", "cmd", "msys2", "wsl-bash", "alpine.sh", "cygwin", "micromamba-shell", "nix", "nix-shell", "fish"})  # fmt: skip
_STOPS = lazy_compile(r"-(?!-)[a-z]*e")
_STRICT = lazy_compile(r"#!\s*/\S+(?:\s+-S)?(?:\s+\w*sh)?\s+-\w*e")
_INERT = frozenset({"true", "echo", "cat", ":", "printf", "test", "ls", "/bin/true", "false"})
_FORCED = lazy_compile(r"\balways\(\)|!\s*cancelled\(\)|\bfailure\(\)")
_FAILS = lazy_compile(r"\bexit\s+[1-9]|\bfalse\b|\[\[?\s|\btest\s|\bcore\.setFailed\b")
_SETTLES = lazy_compile(r"\bgit\s+(?:diff\s[^\n]*--(?:exit-code|quiet)|status\s+--porcelain)")
"""How a script refuses what a formatter has changed."""


class Strength(IntEnum):
    """How strongly a check holds a change back; more is better."""

    NOT_RUN = 0
    PASSES = 1
    """It runs, and its failure does not count."""
    MERGED = 2
    PUSHED = 3
    PROPOSED = 4


@dataclass(frozen=True)
class Check:
    """A check that a workflow runs, where it is written, and why it is no stronger."""

    path: str
    file: str
    line: int
    job: str
    step: str
    known: Known
    strength: Strength
    why: str = ""

    @property
    def guards(self) -> bool:
        """Can it refuse a change?"""
        return self.strength > Strength.PASSES


@dataclass(frozen=True)
class _Around:
    """What holds for all steps of a job, or of what it calls: `path` is the workflow, `file` what is read in its place."""

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

    def weaker(self, strength: Strength, why: str) -> _Around:
        """The same, no stronger than that."""
        return replace(self, strength=strength, why=why) if strength < self.strength else self

    def inside(self, file: str, line: int) -> _Around:
        """In a file that is called from here."""
        return replace(self, file=file, line=line, depth=self.depth + 1)

    def never(self, condition: str) -> str:
        """Why a condition is never true for a change; empty where it may be."""
        if not condition:
            return ""
        values = [constant(condition, self._context(each), condition=True) for each in self.events or ("",)]
        return (
            f"`if: {' '.join(condition.split())[:60]}` is never true" if all(each is False for each in values) else ""
        )

    def _context(self, event: str) -> dict[str, str]:
        """What is known of a run that this event starts."""
        named = {"github.event_name": event} if event else {}
        return {**self.known, **named, **({"github.ref": "refs/pull/0/merge"} if event == "pull_request" else {})}


class _TooMuch(Exception):
    """More is called than is read."""


@dataclass
class Collected:
    """The checks of one side, its workflows, and those that could not be read or followed to the end with the reason."""

    checks: list[Check] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    cut: dict[str, str] = field(default_factory=dict)
    workflows: dict[str, Workflow] = field(default_factory=dict)

    @property
    def branches(self) -> frozenset[str]:
        """Branches that the filters of its workflows name."""
        return named_branches(self.workflows.values())


def collect(texts: Mapping[str, str], paths: Collection[str], branches: Collection[str] | None = None) -> Collected:
    """The checks of the workflows among these texts, in a tree with these paths."""
    collected = Collected()
    for path, text in texts.items():
        if is_workflow(path):
            read = read_workflow(text)
            if isinstance(read, Unread):
                collected.unread[path] = read.reason
            else:
                collected.workflows[path] = read
    known = collected.branches if branches is None else branches
    reader = _Reader(texts, collected.workflows)
    for path, workflow in collected.workflows.items():
        try:
            collected.checks.extend(reader.of_workflow(path, workflow, start(workflow, paths, known)))
        except _TooMuch:
            collected.cut[path] = f"workflows run more than {MAX_COMMANDS:,} commands"
    return collected


def is_workflow(path: str) -> bool:
    """Does GitHub read the file as a workflow?"""
    folder, _, name = path.rpartition("/")
    return folder == ".github/workflows" and name.endswith((".yml", ".yaml"))


_BY_REACH = {
    Reach.NEVER: Strength.NOT_RUN,
    Reach.MERGED: Strength.MERGED,
    Reach.PUSHED: Strength.PUSHED,
    Reach.PROPOSED: Strength.PROPOSED,
}


@dataclass
class _Reader:
    """Follows what workflows call. The number of commands is bounded, as files may call each other over and over."""

    texts: Mapping[str, str]
    workflows: Mapping[str, Workflow]
    left: int = MAX_COMMANDS

    def of_workflow(self, path: str, workflow: Workflow, begun: Start) -> Iterator[Check]:
        around = _Around(path, _BY_REACH[begun.reach], begun.why, begun.events, path)
        yield from self._of_jobs(workflow, around)

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _TooMuch

    def _of_jobs(self, workflow: Workflow, around: _Around) -> Iterator[Check]:
        skipped: dict[str, str] = {}
        for job in workflow.jobs:
            self._spend()
            inner = _in_job(job, around, skipped)
            path = job.uses.removeprefix("./")
            called = self.workflows.get(path) if job.uses.startswith("./") else None
            if called is not None and around.depth < _DEEPEST:
                yield from self._of_jobs(called, inner.inside(path, 0))
            elif job.uses and called is None and (known := known_action(job.uses, {})) is not None:
                yield _check(replace(inner, line=job.line), known)
            yield from self._of_steps(job.steps, inner)

    def _of_steps(self, steps: Sequence[Step], around: _Around) -> Iterator[Check]:
        for at, step in enumerate(steps):
            self._spend()
            settled = step.id != "" and any(_asks_for(each, step.id) for each in steps[at + 1 :])
            yield from self._of_step(replace(step, may_fail="") if settled else step, around)

    def _of_step(self, step: Step, around: _Around) -> Iterator[Check]:
        inner = replace(around, step=step.name or around.step, line=step.line)
        never = inner.never(step.condition)
        if never:
            inner = inner.weaker(Strength.NOT_RUN, never)
        elif constant(step.may_fail, inner.known) is True:
            inner = inner.weaker(Strength.PASSES, "the step has `continue-on-error: true`")
        if step.uses:
            yield from self._of_use(step, inner)
        if step.run:
            yield from self._of_script(step, inner)

    def _of_use(self, step: Step, around: _Around) -> Iterator[Check]:
        folder = step.uses.removeprefix("./").rstrip("/")
        path = next((each for each in (f"{folder}/action.yml", f"{folder}/action.yaml") if each in self.texts), "")
        if step.uses.startswith("./") and path and around.depth < _DEEPEST:
            read = read_workflow(self.texts[path])
            if isinstance(read, Workflow):
                yield from self._of_steps(read.jobs[0].steps, around.inside(path, 0))
            return
        known = known_action(step.uses, {**step.env, **step.inputs})
        if known is not None:
            yield _check(around, known)

    def _of_script(self, step: Step, around: _Around) -> Iterator[Check]:
        program, *options = step.shell.split() or ["pwsh" if around.windows else ""]
        name = program.rpartition("/")[2]
        if name in _INERT:
            around = around.weaker(Strength.NOT_RUN, f"`shell: {step.shell[:40]}` does not run the script")
        elif name and name not in _SHELLS:
            return  # another language: its text is no list of commands
        errexit = not options or any(_STOPS.match(each) for each in options) or "errexit" in options
        pipefail = (name == "bash" and not options) or "pipefail" in step.shell
        if name in {"pwsh", "powershell", "cmd"}:
            errexit = pipefail = True  # other rules apply there; only what is written behind a command counts
        around = replace(around, line=step.run_line)
        yield from self._of_text(step.run, step.env, around, errexit=errexit, pipefail=pipefail)

    def _of_text(
        self, text: str, env: Mapping[str, str], around: _Around, *, errexit: bool, pipefail: bool = False
    ) -> Iterator[Check]:
        settles = _SETTLES.search(text) is not None
        for each in commands(text, errexit=errexit, pipefail=pipefail):
            self._spend()
            heard = _heard(replace(around, line=around.line + each.line), each)
            quoted = _quoted(each.words)
            if quoted is not None and around.depth < _DEEPEST:
                yield from self._of_text(quoted, env, heard.inside(around.file, heard.line), errexit=False)
                continue
            known = known_command(each.words, env)
            if known is not None:
                if settles and known.lacks:
                    known = known._replace(passes="")
                yield from self._of_known(known, env, heard)

    def _of_known(self, known: Known, env: Mapping[str, str], around: _Around) -> Iterator[Check]:
        """The checks in the script or recipe that is called, where its text is there; else the call itself."""
        inner: list[Check] = []
        texts: list[str] = []
        words = known.command.split(" ")
        if around.depth < _DEEPEST:
            if known.opaque and known.tool.endswith((".sh", ".bash")) and known.tool in self.texts:
                text = self.texts[known.tool]
                strict = "-e" in words or _STRICT.match(text) is not None
                texts.append(text)
                inner += self._of_text(text, env, around.inside(known.tool, 1), errexit=strict)
            for row in recipe_lines(words, self.texts):
                deeper = around.inside(row.path, row.line)
                if row.ignored or known.passes:
                    deeper = deeper.weaker(Strength.PASSES, known.passes or "`-` before it ignores its failure")
                texts.append(row.text)
                inner += self._of_text(row.text, env, deeper, errexit=False)
        if not inner and texts and not any(map(_does_something, texts)):
            around = around.weaker(Strength.PASSES, "all that it runs is `true`, `echo` or the like")
        yield from inner or [_check(around, known)]


def _does_something(script: str) -> bool:
    """Does a script run a program that can fail?"""
    return any(each.words[0] not in INERT for each in commands(script))


def _asks_for(step: Step, name: str) -> bool:
    """Does a later step fail by how an earlier one ended? Its `outcome` is kept where its `conclusion` is made a success."""
    said = f"steps.{name}.outcome"
    asked = said in step.condition or said in step.run or any(said in each for each in step.env.values())
    return asked and _FAILS.search(step.run) is not None


def _in_job(job: Job, around: _Around, skipped: dict[str, str]) -> _Around:
    """What holds in a job; notes it among those that are skipped, as jobs that need it are then skipped too."""
    known = {f"matrix.{key.lower()}": each[0] for key, each in job.matrix.items() if len(set(each)) == 1}
    inner = replace(
        around,
        job=f"{around.job}/{job.id}".strip("/"),
        known={**around.known, **known},
        line=job.line,
        windows="windows" in job.runs_on.lower() and "$" not in job.runs_on,
    )
    needed = next((skipped[each] for each in job.needs if each in skipped and not _FORCED.search(job.condition)), "")
    never = inner.never(job.condition) or needed
    if never:
        skipped[job.id] = f"it needs the job `{job.id[:40]}`, which never runs"
        return inner.weaker(Strength.NOT_RUN, never)
    if constant(job.may_fail, inner.known) is True:
        return inner.weaker(Strength.PASSES, "the job has `continue-on-error: true`")
    return inner


def _heard(around: _Around, command: Command) -> _Around:
    if command.skipped:
        return around.weaker(Strength.NOT_RUN, command.skipped)
    return around.weaker(Strength.PASSES, command.unheard) if command.unheard else around


def _quoted(words: tuple[str, ...]) -> str | None:
    """The script that a shell is given as a text."""
    if len(words) < 3 or words[0].rpartition("/")[2] not in {"bash", "sh", "zsh", "dash"}:
        return None
    at = next((n for n, word in enumerate(words[1:4], start=1) if word.startswith("-") and word.endswith("c")), None)
    return words[at + 1].strip("\"'") if at is not None and at + 1 < len(words) else None


def _check(around: _Around, known: Known) -> Check:
    if known.passes:
        around = around.weaker(Strength.PASSES, known.passes)
    return Check(around.path, around.file, around.line, around.job, around.step, known, around.strength, around.why)
