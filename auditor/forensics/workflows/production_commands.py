"""What manifests run in production: packages' entry points and start scripts, images, compose files, Procfiles, deploying steps.

Read by form and within limits; a command that starts a test tool runs no product. Never follows variables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from posixpath import normpath

from auditor.domain.frozen_model import Frozen
from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts
from auditor.forensics.embedded_shell.shell_formats import format_of
from auditor.forensics.source_text.file_roles import is_example, is_test
from auditor.forensics.workflows.check_tools import Kind, recognize_command
from auditor.row_tables import NameRows, name_reader

_MANIFEST = re.compile(
    r"(?:^|/)(?:package\.json|Procfile|(?:Docker|Container)file(?:\.[\w-]+)?|[\w.-]+\.[dD]ockerfile|(?:docker-)?compose[\w.-]*\.ya?ml|[\w@.-]+\.service|[mM]akefile|GNUmakefile|pyproject\.toml|setup\.(?:cfg|py))$"
    r"|^\.github/workflows/[^/]+\.ya?ml$"
)
_TEST_WORD = re.compile(r"(?:^|[^a-z])(?:tests?|testing|e2e|ci|spec|specs)(?:[^a-z]|$)", re.IGNORECASE)


class _Scripts(Frozen):
    scripts: NameRows
    entry_keys: NameRows


_names = name_reader(Path(__file__).with_name("production_scripts.yaml"), _Scripts)
_DEPLOYS = re.compile(r"deploy|publish|release|\bprod\b|production", re.IGNORECASE)
_IMAGE_STEP = re.compile(r"^\s*(?:COPY|ADD)\s+(?P<rest>.*)$", re.IGNORECASE)
_SERVICE_KEYS = frozenset({"ExecStart", "ExecStartPre", "ExecStartPost", "ExecReload"})
_ENTRY_POINT = re.compile(r"=[ \t]*[\"']?([A-Za-z_][\w.]{0,200}):[A-Za-z_]")
_WORD = re.compile(r"[^\s\"'\[\],=(){}<>]{1,300}")
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_MODULE = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[\w.()]+)?$|^[A-Za-z_]\w*:[\w.()]+$")
_MAX_ROWS = 5_000
_MAX_COMMANDS = 300
MAX_MANIFESTS = 200


def is_production_manifest(path: str) -> bool:
    """May a file of that path say what runs in production? Those among tests and examples, or named for them, do not."""
    if not _MANIFEST.search(path) or is_test(path) or is_example(path):
        return False
    return path.startswith(".github/") or not _TEST_WORD.search(path)


def production_paths(path: str, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The paths, and the Python modules, that a manifest runs in production."""
    name = path.rpartition("/")[2].lower()
    if name == "package.json":
        return _package_paths(text)
    if name in {"pyproject.toml", "setup.cfg", "setup.py"}:
        return (), tuple(dict.fromkeys(islice(_ENTRY_POINT.findall(text), _MAX_COMMANDS)))
    form = format_of(path)
    scripts = [each for each in embedded_scripts(text, form) if _runs_product(form, path, each.names)]
    commands = [each.text.replace("\\\n", " ") for each in scripts]
    return _image_paths(text.split("\n")[:_MAX_ROWS], commands) if form == "dockerfile" else _words(commands)


def _runs_product(form: str, path: str, names: tuple[str, ...]) -> bool:
    """Is a command of a format, with these names around it, one that runs or builds the product?"""
    if form in {"makefile", "package_json"}:
        return any(each in _names("scripts") or each.startswith("start:") for each in names)
    if form == "dockerfile":
        return names[0] in {"CMD", "ENTRYPOINT"}
    if form == "systemd_unit":
        return names[0] in _SERVICE_KEYS
    if form == "compose":
        return names[-1] in {"command", "entrypoint"} and not _TEST_WORD.search(" ".join(names[-2:-1]))
    if form == "github_workflow":
        inner = " ".join(names[names.index("jobs") :] if "jobs" in names else names)
        deploys = _DEPLOYS.search(f"{path.rpartition('/')[2]} {' '.join(names)}") is not None
        return names[-1] == "run" and deploys and not _TEST_WORD.search(inner)
    return not _TEST_WORD.search(names[0])


def _package_paths(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return (), ()
    if not isinstance(package, dict):
        return (), ()
    entries = [each for key in sorted(_names("entry_keys")) for each in _texts(package.get(key))]
    scripts = embedded_scripts(text, "package_json")
    paths, modules = _words(each.text for each in scripts if _runs_product("package_json", "", each.names))
    return (*entries, *paths), modules


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth < 6:
        for each in islice(value.values() if isinstance(value, dict) else value, _MAX_COMMANDS):
            yield from _texts(each, depth + 1)


def _words(commands: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The paths and modules among the words of commands that run no test tool."""
    paths: dict[str, None] = {}
    modules: dict[str, None] = {}
    for command in islice(commands, _MAX_COMMANDS):
        for piece in _SEPARATOR.split(command[:2_000]):
            words = _WORD.findall(piece)
            if not words or _runs_tests(words):
                continue
            for word, before in zip(words, ["", *words], strict=False):
                if "/" in word or "." in word:
                    paths[word.partition(":")[0] if word.endswith(":app") else word] = None
                if before == "-m" or _MODULE.match(word):
                    modules[word.partition(":")[0]] = None
    return tuple(paths), tuple(modules)


def _runs_tests(words: list[str]) -> bool:
    """Do the words start a test tool? A script that is only named like tests is none."""
    if "--test" in words:
        return True
    for start in range(min(len(words), 4)):
        known = recognize_command(words[start:], {})
        if known is not None and known.kind is Kind.TESTS and "/" not in known.tool and "." not in known.tool:
            return True
    return False


def _image_paths(rows: list[str], commands: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What an image starts, by its path in the repository, and single files that are copied into it."""
    copied: list[tuple[str, str]] = []
    for row in _whole_rows(rows):
        found = _IMAGE_STEP.match(row)
        if found is None:
            continue
        words = [each for each in _WORD.findall(found["rest"]) if not each.startswith("--")]
        copied += [(source, words[-1]) for source in words[:-1]]
    paths, modules = _words(commands)
    sources = [source for source, _ in copied if "." in source.rpartition("/")[2].strip(".")]
    return (*paths, *sources, *_copied_paths(paths, copied)), modules


def _copied_paths(paths: Iterable[str], copied: list[tuple[str, str]]) -> Iterator[str]:
    """Where files that an image starts lie in the repository."""
    for path in paths:
        for source, target in copied[:50]:
            inside = normpath(target).lstrip("/")
            bare = normpath(path).lstrip("/")
            if inside not in (".", "") and bare.startswith(f"{inside}/"):
                yield f"{normpath(source)}/{bare.removeprefix(f'{inside}/')}"
            yield f"{normpath(source)}/{bare}"
            yield f"{normpath(source)}/{bare.rpartition('/')[2]}"


def _whole_rows(rows: list[str]) -> Iterator[str]:
    """Rows with those that a backslash continues."""
    held = ""
    for row in rows:
        if row.rstrip().endswith("\\"):
            held += f"{row.rstrip()[:-1]} "
            continue
        yield held + row
        held = ""
    if held:
        yield held
