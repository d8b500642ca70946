"""Checks in scripts and recipes that pipelines call in ways which are not resolved, and in a Jenkinsfile.

What is called is known by words. The commands are read from the file by its format, as if all of them ran for every change, and
compared as those of jobs are. Of a program in another language than that of the shell it is only asked how it may fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts
from auditor.forensics.embedded_shell.shell_formats import format_of
from auditor.forensics.library_models.project_files import project_files
from auditor.forensics.source_text.file_roles import language
from auditor.forensics.workflows.check_comparison import Weakening, find_weakenings
from auditor.forensics.workflows.check_inventory import CollectedChecks, collect_workflow_checks, has_errexit_shebang
from auditor.forensics.workflows.checking_pipelines import WHOLE_FILE, CalledScripts
from auditor.forensics.workflows.workflow_model import NO_LIMIT, Job, Limit, LimitKind, Step, Workflow
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import names_of

_CONFIDENCE = 0.65
_REASON = "whether checks call it was read from words"
_COMMAND_LANGUAGES = names_of(project_files().command_languages) | {""}
"""Languages in which a file is a list of commands."""
_STRICT, _LOOSE = "bash -e {0}", "bash {0}"
_PASSED_OVER = lazy_compile(r"\breturnStatus:\s{0,5}true")
"""How a step of Jenkins passes over what its script returns."""
_FAILURE_STATEMENT = lazy_compile(
    r"\bcheck\s{0,5}=\s{0,5}True\b|\bcheck_(?:call|output)\s{0,5}\(|\braise\b|\bthrow\b|\bassert\b|\bexecSync\s{0,5}\(|\breturncode\b|\bexit(?:Code)?\s{0,5}[(=]\s{0,5}(?!0|\)|=)|\b(?:die|abort|fail)\b|\bsession\.run\s{0,5}\("
)
_PROGRAM_EXIT = lazy_compile(r"(?m)^(?:sys\.|os\._|process\.)?exit\s{0,5}\(?\s{0,5}0?\s{0,5}\)?[ \t;]{0,20}$")
"""An unindented successful exit: what stands below is not run."""


class ChangedFile(NamedTuple):
    """A file that is on both sides of a change: its paths and its texts."""

    old_path: str
    path: str
    before: str
    after: str

    @property
    def sides(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The path and the text before and after the change."""
        return (self.old_path, self.before), (self.path, self.after)


class CalledFiles:
    """The changed files that pipelines call, and whose call is not resolved."""

    def __init__(self, pipelines: Mapping[str, str], changed: Iterable[ChangedFile]) -> None:
        self._pipelines, self._called = pipelines, CalledScripts(sorted(pipelines.items()))
        self.files = tuple(each for each in changed if self._is_called(each))

    def weakenings(self, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Weakening]:
        """Weakenings in them. `old` and `new` are the scripts of both sides."""
        for each in self.files:
            if language(each.path) in _COMMAND_LANGUAGES or each.old_path in self._pipelines:
                before = _file_checks(each.old_path, each.before, self._called, old)
                after = _file_checks(each.path, each.after, self._called, new)
                for found in find_weakenings(before, after):
                    yield replace(
                        found, confidence=min(found.confidence, _CONFIDENCE), because=found.because or _REASON
                    )
                continue
            how = program_weakening(*(self._called.part(*side) for side in each.sides))
            if how:
                yield Weakening(f"CI was weakened: `{each.path}` {how}.", _CONFIDENCE, _REASON, each.path)

    def _is_called(self, file: ChangedFile) -> bool:
        return file.old_path in self._pipelines or self._called.changes_meaning(file.old_path, file.before, file.after)


def program_weakening(before: str, after: str) -> str:
    """How a program that checks can fail less often than before, as the rest of a sentence; how it checks is not asked."""
    ways = [sum(1 for _ in _FAILURE_STATEMENT.finditer(each)) for each in (before, after)]
    if ways[1] * 2 < ways[0]:
        return "has lost most of its statements that can fail"
    early = [sum(1 for _ in _PROGRAM_EXIT.finditer(each)) for each in (before, after)]
    return "now exits successfully before its end" if early[1] > early[0] else ""


def _file_checks(path: str, text: str, called: CalledScripts, scripts: Mapping[str, str]) -> CollectedChecks:
    """The checks of a script, or of the recipes of a file that pipelines call by name."""
    steps = tuple(_steps(path, text, called.recipe_names(path, text)))
    return collect_workflow_checks(path, Workflow({"pull_request": {}}, (Job("", 1, steps=steps),)), scripts)


def _steps(path: str, text: str, names: frozenset[str]) -> Iterator[Step]:
    form, rows = format_of(path), text.split("\n")
    if not form:
        yield Step(line=1, run=text, run_line=1, shell=_STRICT if has_errexit_shebang(text) else _LOOSE)
        return
    for each in embedded_scripts(text, form):
        if each.text and each.is_shell and (WHOLE_FILE in names or not names.isdisjoint(each.names)):
            passed_over = each.ignored_failure or (
                "`returnStatus: true` passes over its status"
                if _PASSED_OVER.search(rows[each.line - 1][:1_000])
                else ""
            )
            yield Step(
                line=each.line,
                run=each.plain_text(),
                run_line=each.line,
                shell=_STRICT if "\n" in each.text else _LOOSE,
                env=each.environment,
                limit=Limit(LimitKind.CANNOT_FAIL, passed_over) if passed_over else NO_LIMIT,
            )
