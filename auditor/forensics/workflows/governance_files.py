"""Which files govern others, by their paths: the gate and its owners, what runs it, and instructions for agents.

Instructions and workflows name further files: those are followed from what stands at the base, which nobody who
proposes a change can write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from posixpath import normpath

from auditor.lazy_regex import lazy_compile

_GATE = lazy_compile(
    r"^(?:(?:\.github/)?\.?auditor\.ya?ml|\.github/auditor/.*|(?:\.github/|\.gitlab/|docs/)?CODEOWNERS|(?:.*/)?rubrics?/[^/]+\.ya?ml|\.gitlab-ci\.yml"
    r"|\.github/(?:rulesets|settings)[/.].*|(?:\.github/)?\.?(?:mergify\.ya?ml|kodiak\.toml|bulldozer\.ya?ml|policy\.ya?ml|bors\.toml|prow\.ya?ml))$",
    re.IGNORECASE,
)
_ALWAYS_RUN = lazy_compile(r"(?:^|/)(?:sitecustomize|usercustomize)\.py$", re.IGNORECASE)
_PIPELINE = lazy_compile(
    r"^\.github/workflows/[^/]+\.ya?ml$|(?:^|/)action\.ya?ml$|^\.circleci/config\.yml$|^azure-pipelines[^/]*\.ya?ml$|^bitbucket-pipelines\.yml$"
    r"|^\.travis\.yml$|^\.buildkite/|^(?:.*/)?Jenkinsfile$|^\.gitlab-ci\.yml$|^\.gitlab/ci/"
)
_INSTRUCTIONS = lazy_compile(
    r"(?:^|/)(?:copilot-instructions\.md"
    r"|copilot-setup-steps\.ya?ml|llms(?:-full)?\.txt|\.?mcp\.json|opencode\.jsonc?|\.crush\.json|\.(?:cursor|windsurf|cline|roo|continue|kilocode|augment)rules[^/]*"
    r"|\.aider\.conf\.yml|\.goosehints|\.roomodes|\.rules|\.augment-guidelines|\.claude\.json|\.?(?:coderabbit|sweep|ellipsis)\.ya?ml|\.?greptile\.json|\.pr_agent\.toml)$"
    r"|(?:^|/)\.(?:agents?|cursor|clinerules|junie|claude|claude-plugin|windsurf|continue|roo|gemini|codex|kiro|augment|trae|amazonq|qodo|opencode|kilocode|openhands|aiassistant|firebender"
    r"|github/(?:instructions|prompts|agents|chatmodes|skills|copilot|hooks))/",
    re.IGNORECASE,
)
_NAMES = r"(?:AGENTS?|CLAUDE|GEMINI|QWEN|CODEX|CRUSH|WARP|JULES|REPLIT|BUGBOT|SKILL)"
_BY_EXACT_NAME = lazy_compile(rf"(?:^|/){_NAMES}\.md$")
"""Names that agents look for as they are written here. In small letters they are pages about estate agents, or about a product."""
_IN_ANY_LETTERS = lazy_compile(
    rf"^(?:{_NAMES}|CONVENTIONS)\.md$|(?:^|/){_NAMES}\.(?:override|local)\.md$", re.IGNORECASE
)
"""At the root they are found in any letters, on machines that do not tell small ones from capitals; with a second word nothing else is meant."""
_RUNS_US = lazy_compile(r"automaton[-_]auditor|\bauditor\s+(?:audit|action)\b", re.IGNORECASE)
_HANDED = lazy_compile(r"\buses\b|rubric|config|waiv|auditor", re.IGNORECASE)


def is_gate(path: str) -> bool:
    """Does a file of that path say what the gate demands or whom it answers to, or run before anything of Python does?"""
    return bool(_GATE.match(path) or _ALWAYS_RUN.search(path))


def is_pipeline(path: str) -> bool:
    """Is it a workflow, an action or another service's pipeline?"""
    return bool(_PIPELINE.search(path))


def instructs(path: str) -> bool:
    """Is it made for coding or reviewing agents to follow?"""
    return any(each.search(path) for each in (_INSTRUCTIONS, _BY_EXACT_NAME, _IN_ANY_LETTERS))


def runs_us(text: str) -> bool:
    """Does the text start this audit?"""
    return bool(_RUNS_US.search(text))


def running(texts: Mapping[str, str]) -> frozenset[str]:
    """Pipelines that start this audit, themselves or by calling one that does."""
    ours = {path for path, text in texts.items() if is_pipeline(path) and runs_us(text)}
    while True:
        callers = {path for path, text in texts.items() if path not in ours and any(calls(text, each) for each in ours)}
        if not callers:
            return frozenset(ours)
        ours |= callers


def calls(text: str, path: str) -> bool:
    """Does a pipeline use the workflow or action of that path, or hand it over as configuration or rubric?"""
    folder, _, name = path.rpartition("/")
    names = {path, folder} if re.fullmatch(r"action\.ya?ml", name) and folder else {path}
    return any(
        _HANDED.search(line) and any(_stands(line, each) for each in names)
        for line in text.split("\n")
        if not line.lstrip().startswith("#")
    )


def _stands(line: str, name: str) -> bool:
    at = line.find(name)
    while at >= 0:
        before, after = line[:at], line[at + len(name) : at + len(name) + 1]
        if not re.search(r"[\w-]$|[\w.-]/$", before.removesuffix("./")) and not re.match(r"[\w/-]", after):
            return True
        at = line.find(name, at + 1)
    return False


def leads_to(link: str, target: str) -> str:
    """The path in the tree that a symbolic link speaks of; nothing when it leads out of it."""
    path = normpath(f"{link.rpartition('/')[0] or '.'}/{target}")
    return "" if target.startswith("/") or path.startswith("..") else path


def taken_in(text: str, place: str) -> frozenset[str]:
    """The paths that an instruction file takes in by an at sign and a path, from its own folder or the root."""
    folder = place.rpartition("/")[0]
    named = {start for each in _TAKEN_IN.finditer(text) for start in _starts(each["path"])}
    return frozenset(named | {f"{folder}/{each}" for each in named} if folder else named)


_TAKEN_IN = lazy_compile(r"(?<!\S)@(?:\./)?(?P<path>\S{1,300})")
_MARKS = lazy_compile(r"[^\w/-]")


def _starts(written: str) -> Iterator[str]:
    """A path as it is written, and without what follows it: a full stop, a bracket."""
    yield written
    yield from (written[: mark.start()] for mark in islice(_MARKS.finditer(written), _MOST_MARKS))


_MOST_MARKS = 20
