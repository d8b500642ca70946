"""Which pipelines check what is proposed, and which scripts and recipes they call for it.

Told by words: a program that no table knows may check something too. What a change makes of the checks is compared elsewhere.
"""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from auditor.forensics.library_models.project_files import project_files
from auditor.forensics.library_models.shell_programs import UNIX_SHELL
from auditor.forensics.workflows.governance_files import is_pipeline, references_pipeline
from auditor.forensics.workflows.recipe_files import task_calls
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import names_of

CALLED_FILES = (
    *sorted(names_of(project_files().command_files)),
    *(
        f"{folder}/*.{ending}"
        for folder in sorted(names_of(project_files().command_folders))
        for ending in ("py", "js", "mjs", "cjs", "rb")
    ),
)
"""Patterns of pipelines, scripts and recipes, by their paths."""

_PULL_REQUEST_TRIGGER = lazy_compile(
    r"(?<![\w-])(?:pull_request(?:_target)?|merge_group)(?![\w.-])|^[ \t]*pr:|^[ \t]*pull-requests:|merge_request_event",
    re.MULTILINE,
)
_PUSH_TRIGGER = lazy_compile(r"(?<![\w-])push(?![\w.-])")
_TAG_PUSH_TRIGGER = lazy_compile(r"push:[ \t]*\n\s+tags(?:-ignore)?:")
_CHECK_WORDS = lazy_compile(
    r"\b(?:tests?|testing|\w{0,12}lint\w*|check\w*(?<!checkout)|verify|validat\w+|knip|depcheck|publint|size-limit|bundlesize|bundlewatch|lychee\S*|vale|reuse|gitleaks|trufflehog|sonar\w*|snyk|danger|kubeconform|conftest|kube-score|checkov|tfsec|buf\s+breaking|cargo-?\s?deny|deny\s+check|dotnet|swift|mix|vet|build|compile|pytest|tox|nox|unittest|ctest|vitest|jest|mocha|cypress|playwright|rspec|rubocop|eslint|prettier"
    r"|biome|tsc|mypy|pyright|ruff|flake8|pylint|black|bandit|golangci\S*|staticcheck|gosec|shellcheck|actionlint|zizmor|hadolint|yamllint|markdownlint\S*|ktlint|detekt|checkstyle"
    r"|spotbugs|codeql\S*|semgrep|trivy|clippy|fmt|format|pre-commit|phpunit|phpstan|psalm|gradlew?|mvnw?|bazel|make(?!\s+sure\b)|rake|codespell|coverage|dependency-review\S*|typecheck|audit|scan\w*|verify\w*)\b",
    re.IGNORECASE,
)
_TEST_WORDS = lazy_compile(
    r"\b(?:tests?|lint\w*|vet|pytest|tox|nox|vitest|jest|mocha|rspec|rubocop|eslint|mypy|pyright|ruff|flake8|pylint|golangci\S*|clippy|phpunit|phpstan|pre-commit|ctest|gradlew check|mvn\w{0,4} (?:-\S{1,80} ){0,20}verify)\b",
    re.IGNORECASE,
)
_DELIVERY_WORDS = lazy_compile(r"\b(?:deploy\w*|publish\w*|release\w*|pages|upload-pages\S*)\b", re.IGNORECASE)
_ACTIVE_LINE = lazy_compile(
    r"^\s*(?:-\s+)?(?:uses|run|script|sh|bat|command|entry)\b\s*[:('\"]|^\s*-\s+(?!name\b|id\b|if\b|with\b)\S|^\s*[^\s:#]+(?:\s|$)(?!.*:\s*$)"
)
"""Lines that run something, unlike lines that name or set something."""
_NAME_KEY = lazy_compile(r"^[ \t]*(?:-[ \t]+)?name:\s*([^\n]{1,200})", re.MULTILINE)
_MAX_LINE_LENGTH = 1_000


def find_check_pipelines(texts: Mapping[str, str], included: Collection[str] = ()) -> frozenset[str]:
    """Pipelines that check what is proposed, and the workflows and actions that these call."""
    checks = {
        path for path, text in texts.items() if (is_pipeline(path) or path in included) and _checks_changes(path, text)
    }
    for _ in range(_MAX_CALL_DEPTH):
        called = {
            path
            for path in texts
            if path not in checks
            and is_pipeline(path)
            and any(references_pipeline(texts[each], path) for each in checks)
        }
        if not called:
            break
        checks |= called
    return frozenset(checks)


_MAX_CALL_DEPTH = 5
"""How deep calls from workflow to workflow are followed; GitHub itself allows few levels."""


def _checks_changes(path: str, text: str) -> bool:
    """Does it check what is proposed? What only runs on tags, on a schedule or by hand does not."""
    if path.rpartition("/")[2] in {"action.yml", "action.yaml"}:
        return False  # it does nothing by itself
    plain = strip_comments(text)
    if not path.startswith(".github/workflows/"):
        return any(_TEST_WORDS.search(line) for line in _active_lines(plain))
    triggers, _, jobs = plain.partition("\njobs:")
    if _PULL_REQUEST_TRIGGER.search(triggers):
        named = any(map(_TEST_WORDS.search, _NAME_KEY.findall(jobs)))
        return (
            named
            or any(_CHECK_WORDS.search(line) for line in _active_lines(jobs))
            or _fails_by_itself(jobs)
            or _runs_repository_script(triggers, jobs)
        )
    if not _PUSH_TRIGGER.search(triggers) or _TAG_PUSH_TRIGGER.search(triggers) or _DELIVERY_WORDS.search(plain):
        return False
    return any(_TEST_WORDS.search(line) for line in _active_lines(jobs))


def _fails_by_itself(jobs: str) -> bool:
    """Does a script fail explicitly? One that delivers may fail for its own reasons, so it does not count."""
    return _FAILURE_STATEMENT.search(jobs) is not None and not _DELIVERY_WORDS.search(jobs)


def _runs_repository_script(triggers: str, jobs: str) -> bool:
    """Does it run a script of the repository on what is proposed? One that answers, delivers or runs with the base's rights may do so for other ends."""
    if _PRIVILEGED_TRIGGER.search(triggers) or _DELIVERY_WORDS.search(jobs) or _TRIAGE_WORDS.search(jobs):
        return False
    return any(_script_paths(line) or _RECIPE_CALL.search(line) for line in _active_lines(jobs))


_RECIPE_CALL = lazy_compile(
    r"\b(?:g?make|just|task|mage|rake|inv(?:oke)?|nox|tox|poe|earthly|lefthook)\s+[\w+:-]|\b(?:hatch|pdm|mise|npm|pnpm|yarn|bun|turbo|composer)\s+run(?:-script)?\s+\w|\bcargo\s+xtask\b"
)
"""How a step calls a recipe of the repository."""
_PRIVILEGED_TRIGGER = lazy_compile(
    r"\bpull_request_target\b|\btypes:[^\n]{0,100}\b(?:closed|labeled|unlabeled|assigned)\b"
)
_TRIAGE_WORDS = lazy_compile(
    r"\b(?:label|comment|triag|assign|welcome|greet|stale|notif|backport|cherry|rebase)\w*", re.IGNORECASE
)
_FAILURE_STATEMENT = lazy_compile(r"\bexit [1-9]|::error\b|\bcore\.setFailed\(|\bprocess\.exit\(1\)|\bgrep\s+-\w{0,4}q")


def _active_lines(text: str) -> list[str]:
    return [line[:_MAX_LINE_LENGTH] for line in text.split("\n") if _ACTIVE_LINE.match(line[:_MAX_LINE_LENGTH])]


def strip_comments(text: str) -> str:
    """A pipeline without its comments and empty lines."""
    rows = (line.partition(" #")[0].rstrip() for line in text.split("\n") if not line.lstrip().startswith("#"))
    return "\n".join(row for row in rows if row)


_SCRIPT_PATH = lazy_compile(
    r"(?<![\w./$-])(?:\./)?((?:[\w.-]{1,100}/){0,8}[\w-][\w.-]{0,100}\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|ps1|bat|php|lua|R|exs|groovy))\b"
)
_EXTENSIONLESS_PROGRAM = lazy_compile(
    r"(?<![\w./$-])(?:\./((?:[\w.-]{1,100}/){0,8}[\w-]{1,100})|((?:scripts?|bin|tools?|ci|hack|dev|\.github|\.ci)/(?:[\w.-]{1,100}/){0,7}[\w-]{1,100}))(?![\w./-])"
)
"""A program of the repository without a suffix; it counts only as the command itself."""
_MODULE_RUN = lazy_compile(
    r"\bpython[\d.]*\s+(?:-[A-Za-z]{1,3}\s+)*-m\s+((?:scripts?|tools?|ci|hack|dev|devtools|build_?tools)(?:\.\w{1,100}){1,8})|\bgo\s+run\s+(?:-\S{1,100}\s+)*\./((?:scripts?|tools?|ci|hack|dev|build|internal/tools?)(?:/[\w.-]{1,100}){0,7})(?![\w/])|\bcargo\s+(xtask)\b"
)
"""A module or a folder of programs that serve whoever works on the project: what others use is checked, and checks nothing."""
_ACTION_PATH_REFERENCE = lazy_compile(
    r"(?:github\.action_path\s*\}\}|\$\{?GITHUB_ACTION_PATH\}?)[\"']?/((?:[\w.-]{1,100}/){0,8}[\w.-]{1,100})"
)
_ACTION_ENTRY_POINT = lazy_compile(
    r"^[ \t]{1,20}(?:main|pre|post|entrypoint|image):\s*[\"']?(?:\./|/)?((?:[\w.-]{1,100}/){0,8}[\w.-]{1,100})[\"']?\s*$",
    re.MULTILINE,
)
"""An entry point of an action that lies in its own folder."""
_COMMAND_START = lazy_compile(r"^\s*(?:-\s+)?(?:[\w-]{1,60}:(?:\s+|$))?[|>'\"]*\s*|(?:&&|\|\||[;|(){}])\s*")
_READ_ONLY_COMMAND = lazy_compile(
    r"(?:shellcheck|shfmt|"
    + UNIX_SHELL
    + r"\s+-n|chmod|cat|head|tail|cp|mv|ls|grep|sed|diff|wc|test|\[+|git|echo|dos2unix|prettier|eslint|black|isort|flake8|pylint|mypy|rubocop)\s"
)
"""Commands that inspect or move a script and do not run it."""
_TEST_RUNNER = lazy_compile(
    r"\b(?:pytest|py\.test|nose2|unittest|vitest|jest|mocha|ava|rspec|playwright\s+test|node\s+--test)\b(?=\s)"
)
"""Test runners: the files that they are given are what is checked, not part of what checks."""
_INTERPRETER = lazy_compile(r"(?:^|[\s/])(?:" + UNIX_SHELL + r"|python[\d.]*|node|ruby|perl|pwsh)\s+(?:-\S{1,40}\s+)*$")
"""An interpreter that runs the script after it as a program."""


def _script_paths(line: str) -> list[str]:
    """The scripts that a line runs."""
    begins = [each.end() for each in _COMMAND_START.finditer(line)]
    at = frozenset(begins)
    named = [found[1] for found in _SCRIPT_PATH.finditer(line) if _is_run(line, begins, found)]
    return [*named, *(found[1] or found[2] for found in _EXTENSIONLESS_PROGRAM.finditer(line) if found.start() in at)]


def _module_paths(line: str) -> Iterator[str]:
    """The files or folders of the modules that a line runs; folders end with a slash."""
    for module, folder, crate in _MODULE_RUN.findall(line):
        if module:
            path = module.replace(".", "/")
            yield from (f"{path}.py", f"{path}/__main__.py")
        else:
            yield f"{(folder or crate).rstrip('/')}/"


def _action_script_paths(path: str, text: str) -> Iterator[str]:
    """The scripts that an action runs from its own folder."""
    folder, _, name = path.rpartition("/")
    if name not in {"action.yml", "action.yaml"}:
        return
    for each in (*_ACTION_PATH_REFERENCE.findall(text), *_ACTION_ENTRY_POINT.findall(text)):
        yield f"{folder}/{each}".lstrip("/")


def _is_run(line: str, command_starts: list[int], found: re.Match[str]) -> bool:
    """Is a script run there, in a line whose commands begin at these places? What is only looked at is what is checked, and so is a program at the top that is sourced to be tried."""
    before = bisect_right(command_starts, found.start())
    said = line[command_starts[before - 1] if before else 0 : found.start()]
    if _TEST_RUNNER.search(said) and not _INTERPRETER.search(said[-200:]):
        return False
    if "/" in found[0] and not said:
        return True
    if said.split()[-1:] in ([], ["."], ["source"]):
        return bool(said) and ("/" in found[1] or _CHECK_WORDS.search(found[1]) is not None)
    return not _READ_ONLY_COMMAND.match(said)


_WORKING_DIRECTORY = lazy_compile(
    r"\bworking-directory:\s*[\"']?(?:\./)?([\w./-]{1,200}?)/?[\"']?\s*$|\bcd\s+(?:\./)?([\w./-]{1,200})|\s-C\s+(?:\./)?([\w./-]{1,200})",
    re.MULTILINE,
)
WHOLE_FILE = ""
"""Stands for a whole file that has no recipes called by name."""


class _PipelineCalls(NamedTuple):
    """What one pipeline runs: its active lines, its working directories, and the scripts that it names."""

    lines: tuple[str, ...]
    folders: frozenset[str]
    scripts: frozenset[str]


class CalledScripts:
    """What pipelines call: scripts by their paths, and recipes by their names."""

    def __init__(self, pipelines: Iterable[tuple[str, str]]) -> None:
        self._pipelines = [_read_pipeline(path, text) for path, text in pipelines]
        self._scripts = frozenset(script for each in self._pipelines for script in each.scripts)
        self._pipelines_by_folder: dict[str, list[int]] = {}
        for number, each in enumerate(self._pipelines):
            for folder in each.folders:
                self._pipelines_by_folder.setdefault(folder, []).append(number)
        self._named: dict[tuple[re.Pattern[str], tuple[int, ...]], frozenset[str]] = {}

    def changes_meaning(self, path: str, before: str | None, after: str | None) -> bool:
        """Does a called file, or the called recipe in it, change its meaning? None is text that was not read."""
        if _TEST_FILE.search(path) and before is not None and _TEST_DECLARATION.search(before):
            return False  # what tests lose is a question of its own; `run-test.js` may be what runs them
        if self._is_called_script(path) and (before is None or after is None):
            return True
        return before is not None and self.part(path, before) != self.part(path, after or "")

    def part(self, path: str, text: str) -> str:
        """The called part of a file without comments: a whole script, or the recipes called by name."""
        if self._is_called_script(path):
            return strip_comments(text)
        return "\n".join(said for _, said in sorted(self._recipes(path, text).items()))

    def recipe_names(self, path: str, text: str) -> frozenset[str]:
        """The recipes of a file that are called by name; `WHOLE_FILE` for a script, a pipeline or all recipes."""
        is_whole = task_calls(path) is None or self._is_called_script(path)
        return frozenset({WHOLE_FILE} if is_whole else self._recipes(path, text))

    def _recipes(self, path: str, text: str) -> dict[str, str]:
        tasks = task_calls(path)
        wanted = self._wanted(tasks, path.rpartition("/")[0]) if tasks is not None else frozenset()
        return _called_recipes(path, text, wanted) if wanted else {}

    def _is_called_script(self, path: str) -> bool:
        """Is it a script that a pipeline names by its full path, or from its working directory?"""
        above = [path[: at + 1] for at, letter in enumerate(path) if letter == "/"][:_MAX_FOLDER_DEPTH]
        if path in self._scripts or any(folder in self._scripts for folder in above):
            return True
        cuts = [number for number, letter in enumerate(path) if letter == "/"][:_MAX_FOLDER_DEPTH]
        return any(
            path[cut + 1 :] in self._pipelines[at].scripts
            for cut in cuts
            for at in self._pipelines_by_folder.get(path[:cut], ())
        )

    def _wanted(self, tasks: re.Pattern[str], folder: str) -> frozenset[str]:
        """The tasks called by name in pipelines with that working directory; cached for the same pipelines."""
        near = tuple(self._pipelines_by_folder.get(folder, ())) if folder else tuple(range(len(self._pipelines)))
        known = self._named.get((tasks, near))
        if known is None:
            lines = (line for at in near for line in self._pipelines[at].lines)
            told = ("".join(filter(None, found.groups())) for line in lines for found in tasks.finditer(line))
            words = (word for said in told for word in said.split() or [WHOLE_FILE])
            known = self._named[tasks, near] = frozenset(words)
        return known


_TEST_FILE = lazy_compile(
    r"(?:^|/)(?:test_[^/]{1,100}|[^/]{1,100}[._-](?:test|spec))\.(?:py|rb|[cm]?[jt]sx?|pl|t|php)$"
)
"""Test files that a pipeline runs one by one, by the names that every test runner looks for."""
_TEST_DECLARATION = lazy_compile(
    r"^[ \t]{0,40}(?:async[ \t]{1,5})?def[ \t]{1,5}test|^[ \t]{0,40}class[ \t]{1,5}(?:Test\w|\w{1,80}Test)"
    r"|^[ \t]{0,40}(?:describe|context|it|test|suite|specify|subtest)(?:\.\w{1,20})?[ \t]{0,5}\(?[ \t]{0,5}[\"'`]"
    r"|^[ \t]{0,40}(?:RSpec\.describe|use[ \t]{1,5}Test::|(?:public[ \t]{1,5})?function[ \t]{1,5}test)",
    re.MULTILINE,
)
"""What the question about lost tests knows for a test; a script that only goes by such a name holds none."""
_MAX_FOLDER_DEPTH = 50
"""Folders above a script that are looked up."""


def _read_pipeline(path: str, text: str) -> _PipelineCalls:
    folders = (each.rstrip("/") for found in _WORKING_DIRECTORY.findall(text) for each in found)
    triggers, _, jobs = strip_comments(text).partition("\njobs:")
    lines = tuple(line for line in _active_lines(jobs or triggers) if not _DELIVERY_WORDS.search(line))
    scripts = frozenset(script for line in lines for script in (*_script_paths(line), *_module_paths(line)))
    scripts |= frozenset(_action_script_paths(path, text))
    return _PipelineCalls(lines, frozenset(each for each in folders if each and each != "."), scripts)


def _called_recipes(path: str, text: str, wanted: frozenset[str]) -> dict[str, str]:
    """The wanted recipes of a file, with those that they call themselves."""
    if path.endswith(".toml"):
        known = _toml_tasks(text)
        return {each: known[each] for each in known if each in wanted}
    known = (
        _package_scripts(text)
        if path.endswith(".json")
        else _makefile_rules(text)
        if _MAKEFILE_PATH.search(path)
        else {}
    )
    if not known:
        return {WHOLE_FILE: strip_comments(text)}
    first = next(iter(known))
    waiting = [each for each in known if each in wanted or (each == first and WHOLE_FILE in wanted)]
    taken = dict[str, str]()
    while waiting:
        name = waiting.pop()
        if name in known and name not in taken:
            taken[name] = known[name]
            waiting += [word for word in _TASK_NAME.findall(known[name][:_MAX_RECIPE_LENGTH]) if word in known]
    return taken


_MAX_RECIPE_LENGTH = 20_000
_TASK_NAME = lazy_compile(r"[\w:.-]{1,80}")
_MAKEFILE_PATH = lazy_compile(r"(?:[Mm]akefile|\.mk|[Jj]ustfile)$")
_RULE_HEADER = lazy_compile(r"^([\w./-]{1,80})(?:\s[^:=\n]{0,200})?:(?!=)")


def _package_scripts(text: str) -> dict[str, str]:
    try:
        scripts = json.loads(text).get("scripts")
    except (ValueError, AttributeError, RecursionError):
        return {}
    return {str(name): str(said) for name, said in scripts.items()} if isinstance(scripts, dict) else {}


def _toml_tasks(text: str) -> dict[str, str]:
    """Recipes of Hatch, PDM, Poe, taskipy and mise, which are kept in TOML tables."""
    try:
        data = tomllib.loads(text)
        tool = data.get("tool") or {}
        hatch = [each.get("scripts") for each in ((tool.get("hatch") or {}).get("envs") or {}).values()]
        others = (((tool.get(name) or {}).get(table)) for name, table in _TASK_TABLES)
        tables = [each for each in (*hatch, *others, data.get("tasks")) if isinstance(each, dict)]
    except (ValueError, AttributeError, RecursionError):
        return {}
    return {str(name): str(said) for each in tables for name, said in each.items()}


_TASK_TABLES = (("pdm", "scripts"), ("poe", "tasks"), ("taskipy", "tasks"))


def _makefile_rules(text: str) -> dict[str, str]:
    """Recipes by name: the header row with the indented rows below it."""
    known: dict[str, list[str]] = {}
    name = ""
    for row in strip_comments(text).split("\n"):
        if (found := _RULE_HEADER.match(row)) is not None:
            name = found[1]
            known.setdefault(name, []).append(row)
        elif name and row[:1].isspace():
            known[name].append(row)
        else:
            name = ""
    return {each: "\n".join(rows) for each, rows in known.items() if not each.startswith(".")}
