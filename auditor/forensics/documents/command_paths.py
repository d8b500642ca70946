"""Files that commands in documents run or read: a script behind its interpreter, a file behind an option, a folder to make in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from auditor.forensics.documents.path_mentions import SUFFIXES
from auditor.lazy_regex import late

MAX_LINES = 400
_PROMPT = late(r"^\s*(?:[\w.@~:/\\-]{0,60}[$#>%]\s+|>>>\s*)?")
_PARTS = late(r"\s*(?:&&|\|\||[;|])\s*")
_WORD = late(r"\"([^\"]*)\"|'([^']*)'|(\S+)")
_GIVEN = late(r"^[A-Z_][A-Z0-9_]*=\S*$")
_BEFORE = frozenset({"sudo", "time", "nice", "exec", "env", "nohup", "npx", "pnpx", "bunx", "uvx", "watch"})
_RUNNERS = frozenset({("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run"), ("rye", "run"), ("bundle", "exec"), ("pnpm", "exec"), ("yarn", "exec"), ("docker", "exec")})  # fmt: skip
_INTERPRETERS = frozenset(
    {"python", "python3", "py", "bash", "sh", "zsh", "node", "ruby", "perl", "php", "deno", "bun", "tsx", "ts-node", "source", ".",
     "streamlit", "pytest", "Rscript", "julia", "go", "lua", "pwsh", "ansible-playbook", "psql", "k6", "locust"}
)  # fmt: skip
_READERS = frozenset({"cp", "chmod"})
_OPTIONS = frozenset(
    {"-f", "--file", "-r", "--requirement", "--requirements", "-c", "--config", "--constraint", "--env-file", "--manifest-path", "--rcfile",
     "--config-file", "-p", "--project", "--values", "-var-file", "--private-key", "--schema", "--input-file"}
)  # fmt: skip
_READ_BY_OPTION = frozenset(
    {"docker", "docker-compose", "podman", "make", "gmake", "kubectl", "helm", "pip", "pip3", "alembic", "tox", "cargo", "tsc", "eslint", "mkdocs",
     "gunicorn", "uvicorn", "pre-commit", "terraform", "ansible-playbook", "psql", "npm", "yarn", "prettier", "jest", "vitest", "pytest", "mypy",
     "ruff", "webpack", "vite", "uv", "conda", "mamba", "celery", "supervisord", "nginx", "redis-server", "prisma", "skaffold", "buf"}
)  # fmt: skip
_FOLDER_OPTIONS = {
    "make": ("-C", "--directory"),
    "npm": ("--prefix",),
    "yarn": ("--cwd",),
    "pnpm": ("-C", "--dir"),
    "terraform": ("-chdir",),
}
_NAMED = late(
    rf"^\.?/?(?:[\w@+-][\w.@+-]*/|\.[\w-]+/){{0,12}}(?:[\w@+-][\w.@+-]*\.(?:{SUFFIXES})|(?:Dockerfile|Makefile|Containerfile)(?:\.[\w-]+)?)$"
)
_FOLDER = late(r"^\.?/?(?:[\w@+-][\w.@+-]*/?){1,12}$")
_MODULE = late(r"^[a-z_]\w*(?:\.\w+){1,8}$")
_WRITES = frozenset({"touch", "mkdir", "tee"})
_TAKES_PLACE = frozenset({"cp", "mv", "ln"})
_SCRIPT = late(
    r"^\./.*\.(?:sh|bash|py|rb|js|mjs|ts|pl|php|ps1)$|^(?:scripts?|bin|tools?|hack|ci)/[\w./-]+\.(?:sh|bash|py|rb|js|mjs|ts|pl)$"
)


class Commanded(NamedTuple):
    """What a line of commands needs to be there, and what it makes."""

    needed: tuple[str, ...]
    modules: tuple[str, ...]
    made: tuple[str, ...]


def commanded(line: str) -> Commanded:
    """The files, folders and Python modules that a line of commands takes for granted, and those that it makes."""
    needed: list[str] = []
    modules: list[str] = []
    made: list[str] = []
    for part in _PARTS.split(_PROMPT.sub("", line[:1_000], count=1))[:20]:
        words = [next(filter(None, found.groups()), "") for found in _WORD.finditer(part)][:60]
        made += _made(words)
        plain = _plain(words)
        if plain:
            needed += [each for each in _needed(plain) if each not in made]
            modules += _modules(plain)
    return Commanded(tuple(needed), tuple(modules), tuple(made))


def _plain(words: list[str]) -> list[str]:
    """The command without what is set before it, what starts it, and where its output goes."""
    while words and (_GIVEN.match(words[0]) or words[0] in _BEFORE):
        words = words[1:]
    while tuple(words[:2]) in _RUNNERS:
        words = words[2:]
        while words and words[0].startswith("-"):
            words = words[1:]
    kept: list[str] = []
    skip = False
    for word in words:
        if skip or word.startswith("#"):
            if not skip:
                break
            skip = False
        elif re.match(r"^\d?>>?$|^<<?$", word):
            skip = True
        elif not re.match(r"^\d?[<>]", word):
            kept.append(word)
    return kept


def _made(words: list[str]) -> Iterator[str]:
    if not words:
        return
    program = words[0] if words[0] != "sudo" else (words[1] if len(words) > 1 else "")
    if program in _WRITES:
        yield from (each for each in words[1:] if not each.startswith("-"))
    if program in _TAKES_PLACE and len(words) > 2:
        yield words[-1]
    for each, following in pairwise(words):
        if each in {">", ">>", "-o", "--output", "-O", "--out"}:
            yield following


def _needed(words: list[str]) -> Iterator[str]:
    program = words[0]
    if _SCRIPT.match(program):
        yield program
    if program in _INTERPRETERS and "-m" not in words[:3] and "-c" not in words[:2]:
        runs = (each.partition("::")[0] for each in words[1:] if not each.startswith("-"))
        script = next((each for each in runs if _NAMED.match(each)), None)
        if script is not None:
            yield script
    elif program in _READERS:
        first = next((each for each in words[1:] if not each.startswith(("-", "+")) and not each.isdigit()), "")
        if "/" in first and _NAMED.match(first):
            yield first
    if program in _READ_BY_OPTION:
        yield from _by_option(words)
    for option in _FOLDER_OPTIONS.get(program, ()):
        yield from (place for place in _values(words, (option,)) if _FOLDER.match(place) and not place.startswith("/"))


def _by_option(words: list[str]) -> Iterator[str]:
    yield from (each for each in _values(words, tuple(_OPTIONS)) if _NAMED.match(each) and not each.startswith("/"))


def _values(words: list[str], options: tuple[str, ...]) -> Iterator[str]:
    for each, following in zip(words, [*words[1:], ""], strict=True):
        name, _, value = each.partition("=")
        if name in options:
            yield value or following


def _modules(words: list[str]) -> Iterator[str]:
    """The dotted module that Python is told to run."""
    if words[0] in {"python", "python3", "py"} and "-m" in words[:3]:
        at = words.index("-m")
        if len(words) > at + 1 and _MODULE.match(words[at + 1]):
            yield words[at + 1]
