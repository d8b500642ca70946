"""What manifests run in production: packages' entry points and start scripts, images, compose files, Procfiles, deploying steps.

Read by form and within limits; a command that starts a test tool runs no product. Never follows variables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from posixpath import normpath

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.row_tables import NameRows, name_reader
from auditor.forensics.source_text.file_roles import is_example, is_test
from auditor.forensics.workflows.check_tools import Kind, recognize_command
from auditor.forensics.workflows.workflow_job_lines import KEY
from auditor.forensics.workflows.yaml_line_indentation import indentation, parent_rows

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
_IMAGE_STEP = re.compile(r"^\s*(?P<step>CMD|ENTRYPOINT|COPY|ADD)\s+(?P<rest>.*)$", re.IGNORECASE)
_SERVICE_COMMAND = re.compile(r"^\s*Exec(?:Start|StartPre|StartPost|Reload)\s*=\s*[-@:+!]*(?P<rest>.+)$")
_TARGET = re.compile(r"^(?P<name>[\w.-]+)\s*:(?!=)")
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
    rows = text.split("\n")[:_MAX_ROWS]
    if path.startswith(".github/"):
        return _words(_workflow_commands(path, rows))
    read = next((read for end, read in _COMMAND_READERS if name.endswith(end)), None)
    return _image_paths(rows) if read is None else _words(read(rows))


def _process_commands(rows: list[str]) -> Iterator[str]:
    """The commands of a Procfile."""
    return (row.partition(":")[2] for row in rows if not _TEST_WORD.search(row.partition(":")[0]))


def _unit_commands(rows: list[str]) -> Iterator[str]:
    """The commands of a systemd unit."""
    return (found["rest"] for row in rows if (found := _SERVICE_COMMAND.match(row)))


def _package_paths(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    try:
        package = json.loads(text)
    except (ValueError, RecursionError):
        return (), ()
    if not isinstance(package, dict):
        return (), ()
    entries = [each for key in sorted(_names("entry_keys")) for each in _texts(package.get(key))]
    scripts = package.get("scripts")
    commands = (
        [value for key, value in scripts.items() if key in _names("scripts") or str(key).startswith("start:")]
        if isinstance(scripts, dict)
        else []
    )
    paths, modules = _words(each for each in commands if isinstance(each, str))
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


def _image_paths(rows: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What an image starts, by its path in the repository, and single files that are copied into it."""
    commands: list[str] = []
    copied: list[tuple[str, str]] = []
    for row in _whole_rows(rows):
        found = _IMAGE_STEP.match(row)
        if found is None:
            continue
        if found["step"].upper() in ("CMD", "ENTRYPOINT"):
            commands.append(found["rest"])
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


def _recipes(rows: list[str]) -> Iterator[str]:
    """The recipes of targets that run or build the product."""
    runs = False
    for row in rows:
        if row.startswith("\t"):
            if runs:
                yield row.lstrip("\t @-+")
            continue
        target = _TARGET.match(row)
        if target is not None:
            runs = target["name"] in _names("scripts")


def _service_commands(rows: list[str]) -> Iterator[str]:
    """Commands of services that are not named for tests, whether written in the row or as a list below it."""
    above = parent_rows(rows)
    for number, row in enumerate(rows):
        found = KEY.match(row)
        if found is None or found["key"] not in ("command", "entrypoint"):
            continue
        owner = rows[above[number]] if above.get(number, -1) >= 0 else ""
        if not _TEST_WORD.search(owner):
            yield " ".join((found["value"].strip("|>"), *_below(rows, number)))


def _below(rows: list[str], number: int) -> Iterator[str]:
    """The rows that belong to a key, list entries at its own depth included."""
    depth = indentation(rows[number])
    for row in rows[number + 1 :]:
        if row.strip() and (
            indentation(row) < depth or (indentation(row) == depth and not row.lstrip().startswith("- "))
        ):
            return
        yield row.strip().removeprefix("- ")


def _workflow_commands(path: str, rows: list[str]) -> Iterator[str]:
    """The commands of steps that deploy, release or publish, by the names of file, workflow, job and step."""
    above = parent_rows(rows)
    title = next((row for row in rows if row.startswith("name:")), "")
    whole = _DEPLOYS.search(f"{path.rpartition('/')[2]} {title}") is not None
    for number, row in enumerate(rows):
        found = KEY.match(row.replace("- ", "  ", 1) if row.lstrip().startswith("- ") else row)
        if found is None or found["key"] != "run":
            continue
        names = " ".join(_names_around(rows, above, number))
        if (whole or _DEPLOYS.search(names)) and not _TEST_WORD.search(names):
            yield "\n".join((found["value"].strip("|>-"), *_below(rows, number)))


def _names_around(rows: list[str], above: dict[int, int], number: int) -> Iterator[str]:
    """The name of the step that a row is in, and the keys around it."""
    start = number
    while start > 0 and not rows[start].lstrip().startswith("- "):
        start -= 1
    depth = indentation(rows[start])
    for at, row in enumerate(rows[start : number + 20], start):
        if at != start and row.strip() and indentation(row) <= depth:
            break
        if row.strip().removeprefix("- ").startswith("name:"):
            yield row
    place = above.get(start, -1)
    while place >= 0:
        yield rows[place]
        place = above.get(place, -1)


_COMMAND_READERS: tuple[tuple[str | tuple[str, ...], Callable[[list[str]], Iterator[str]]], ...] = (
    ("procfile", _process_commands),
    (".service", _unit_commands),
    ("makefile", _recipes),
    ((".yml", ".yaml"), _service_commands),
)
