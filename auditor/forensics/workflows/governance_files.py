"""Which files govern others, by their paths: the gate and its owners, what runs it, and instructions for agents.

Instructions and workflows name further files: those are followed from what stands at the base, which nobody who
proposes a change can write.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from posixpath import normpath

from auditor.lazy_regex import lazy_compile

_GATE_PATH = lazy_compile(
    r"^(?:(?:\.github/)?\.?auditor\.ya?ml|\.github/auditor/.*|(?:\.github/|\.gitlab/|docs/)?CODEOWNERS|(?:.*/)?rubrics?/[^/]+\.ya?ml|\.gitlab-ci\.yml"
    r"|\.github/(?:rulesets|settings)[/.].*|(?:\.github/)?\.?(?:mergify\.ya?ml|kodiak\.toml|bulldozer\.ya?ml|policy\.ya?ml|bors\.toml|prow\.ya?ml))$",
    re.IGNORECASE,
)
_PYTHON_STARTUP_FILE = lazy_compile(r"(?:^|/)(?:sitecustomize|usercustomize)\.py$", re.IGNORECASE)
_PIPELINE_PATH = lazy_compile(
    r"^\.github/workflows/[^/]+\.ya?ml$|(?:^|/)action\.ya?ml$|^\.circleci/config\.yml$|(?:^|/)azure-pipelines[^/]*\.ya?ml$|^bitbucket-pipelines\.yml$"
    r"|^\.travis\.yml$|^\.buildkite/|^(?:.*/)?Jenkinsfile$|^\.gitlab-ci\.yml$|^\.gitlab/ci/"
)
_INSTRUCTION_PATH = lazy_compile(
    r"(?:^|/)(?:copilot-instructions\.md"
    r"|copilot-setup-steps\.ya?ml|llms(?:-full)?\.txt|\.?mcp\.json|opencode\.jsonc?|\.crush\.json|\.(?:cursor|windsurf|cline|roo|continue|kilocode|augment)rules[^/]*"
    r"|\.aider\.conf\.yml|\.goosehints|\.roomodes|\.rules|\.augment-guidelines|\.claude\.json|\.?(?:coderabbit|sweep|ellipsis)\.ya?ml|\.?greptile\.json|\.pr_agent\.toml)$"
    r"|(?:^|/)\.(?:agents?|cursor|clinerules|junie|claude|claude-plugin|windsurf|continue|roo|gemini|codex|kiro|augment|trae|amazonq|qodo|opencode|kilocode|openhands|aiassistant|firebender"
    r"|github/(?:instructions|prompts|agents|chatmodes|skills|copilot|hooks))/",
    re.IGNORECASE,
)
_INSTRUCTION_NAMES = r"(?:AGENTS?|CLAUDE|GEMINI|QWEN|CODEX|CRUSH|WARP|JULES|REPLIT|BUGBOT|SKILL)"
_CASE_SENSITIVE_NAME = lazy_compile(rf"(?:^|/){_INSTRUCTION_NAMES}\.md$")
"""Names that agents look for in this case only. In lower case they are common names of other pages."""
_CASE_INSENSITIVE_NAME = lazy_compile(
    rf"^(?:{_INSTRUCTION_NAMES}|CONVENTIONS)\.md$|(?:^|/){_INSTRUCTION_NAMES}\.(?:override|local)\.md$", re.IGNORECASE
)
"""At the root they are found in any letters, on machines that do not tell small ones from capitals; with a second word nothing else is meant."""
_AUDIT_COMMAND = lazy_compile(r"automaton[-_]auditor|\bauditor\s+(?:audit|action)\b", re.IGNORECASE)
_REFERENCE_LINE = lazy_compile(r"\buses\b|rubric|config|waiv|auditor", re.IGNORECASE)


def is_gate(path: str) -> bool:
    """Does a file of that path say what the gate demands or whom it answers to, or run before anything of Python does?"""
    return bool(_GATE_PATH.match(path) or _PYTHON_STARTUP_FILE.search(path))


def is_pipeline(path: str) -> bool:
    """Is it a workflow, an action or another service's pipeline?"""
    return bool(_PIPELINE_PATH.search(path))


def is_agent_instruction(path: str) -> bool:
    """Is it made for coding or reviewing agents to follow?"""
    return any(each.search(path) for each in (_INSTRUCTION_PATH, _CASE_SENSITIVE_NAME, _CASE_INSENSITIVE_NAME))


def runs_audit(text: str) -> bool:
    """Does the text start this audit?"""
    return bool(_AUDIT_COMMAND.search(text))


def find_audit_pipelines(texts: Mapping[str, str], included: Collection[str] = ()) -> frozenset[str]:
    """Pipelines that start this audit, themselves or by calling one that does."""
    ours = {path for path, text in texts.items() if (is_pipeline(path) or path in included) and runs_audit(text)}
    while True:
        callers = {
            path
            for path, text in texts.items()
            if path not in ours and any(references_pipeline(text, each) for each in ours)
        }
        if not callers:
            return frozenset(ours)
        ours |= callers


def references_pipeline(text: str, path: str) -> bool:
    """Does a pipeline use the workflow or action of that path, or pass it as configuration or rubric?"""
    folder, _, name = path.rpartition("/")
    names = {path, folder} if re.fullmatch(r"action\.ya?ml", name) and folder else {path}
    return any(
        _REFERENCE_LINE.search(line) and any(_contains_path(line, each) for each in names)
        for line in text.split("\n")
        if not line.lstrip().startswith("#")
    )


def called_scripts(texts: Iterable[str], paths: Collection[str]) -> frozenset[str]:
    """The shell scripts among some paths that texts name."""
    words = {found[0].lstrip("./") for text in texts for found in _SCRIPT_PATH.finditer(_FOLDER_VARIABLE.sub("", text))}
    return frozenset(words.intersection(paths))


_FOLDER_VARIABLE = lazy_compile(r"\$(?:\w{1,80}|\{\w{1,80}\})[\"']?/")
"""A folder in a variable before a path, which mostly is that of the repository."""
_SCRIPT_PATH = lazy_compile(r"(?<![\w./-])[\w./-]{1,300}\.(?:sh|bash)(?![\w/-])")


def _contains_path(line: str, name: str) -> bool:
    at = line.find(name)
    while at >= 0:
        before, after = line[:at], line[at + len(name) : at + len(name) + 1]
        if not re.search(r"[\w-]$|[\w.-]/$", before.removesuffix("./")) and not re.match(r"[\w/-]", after):
            return True
        at = line.find(name, at + 1)
    return False


def resolve_link(link: str, target: str) -> str:
    """The path in the tree that a symbolic link points to; empty when it leads out of it."""
    path = normpath(f"{link.rpartition('/')[0] or '.'}/{target}")
    return "" if target.startswith("/") or path.startswith("..") else path


def imported_paths(text: str, path: str) -> frozenset[str]:
    """The paths that an instruction file imports by an at sign and a path, from its own folder or the root."""
    folder = path.rpartition("/")[0]
    named = {start for each in _IMPORT_REFERENCE.finditer(text) for start in _path_candidates(each["path"])}
    return frozenset(named | {f"{folder}/{each}" for each in named} if folder else named)


_IMPORT_REFERENCE = lazy_compile(r"(?<!\S)@(?:\./)?(?P<path>\S{1,300})")
_PUNCTUATION = lazy_compile(r"[^\w/-]")


def _path_candidates(written: str) -> Iterator[str]:
    """A path as it is written, and cut before each punctuation mark that may follow it."""
    yield written
    yield from (written[: mark.start()] for mark in islice(_PUNCTUATION.finditer(written), _MAX_PUNCTUATION))


_MAX_PUNCTUATION = 20
