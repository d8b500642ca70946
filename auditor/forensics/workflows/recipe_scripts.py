"""What a recipe of the repository runs: rules of Makefiles and justfiles, scripts of package.json, commands of tox.ini."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from auditor.forensics.workflows.recipe_files import recipe_files_by_program
from auditor.lazy_regex import lazy_compile

_RULE_HEADER = lazy_compile(r"^(?P<name>[\w./-]{1,80})(?P<rest>[^:=\n]{0,200}):(?!=)(?P<needs>[^\n]{0,500})")
_TOX_COMMANDS = lazy_compile(r"^commands(?:_pre|_post)?\s*=\s*(?P<first>.*)$")
_MAX_LINES = 300


class RecipeLine(NamedTuple):
    """A line of a recipe that a shell runs: its file, its line from 1, and whether its failure is passed over."""

    path: str
    line: int
    text: str
    ignores_failure: bool


def recipe_lines(words: Sequence[str], texts: Mapping[str, str]) -> tuple[RecipeLine, ...]:
    """The lines that a command such as `make test` runs, where the file with its recipes is among these texts."""
    program = words[0] if words else ""
    path = next((each for each in recipe_files_by_program().get(program, ()) if each in texts), "")
    if not path:
        return ()
    named = [each for each in words[1:] if not each.startswith("-") and each not in {"run", "run-script"}]
    if program == "tox":
        found = _tox_lines(path, texts[path])
    elif path.endswith(".json"):
        found = _package_script_lines(path, texts[path], named[:1])
    else:
        found = _makefile_lines(path, texts[path], named)
    return tuple(line for line, _ in zip(found, range(_MAX_LINES), strict=False))


def _makefile_lines(path: str, text: str, rule_names: Sequence[str]) -> Iterator[RecipeLine]:
    """The lines of the named rules, by default of the first one, and of their prerequisites."""
    rules: dict[str, tuple[list[str], list[RecipeLine]]] = {}
    current = ""
    for number, row, begun in _join_continuations(text):
        rule = None if begun[:1].isspace() else _RULE_HEADER.match(row)
        if rule is not None:
            current = rule["name"]
            rules.setdefault(current, ([], []))[0].extend(rule["needs"].split())
        elif begun[:1].isspace() and current and row.strip() and not row.lstrip().startswith("#"):
            rules[current][1].append(_recipe_line(path, number, row))
        elif row.strip() and not row.startswith("#"):
            current = ""
    first = next((each for each in rules if not each.startswith(".")), "")
    waiting = [*(each for each in rule_names if each in rules)] or [first]
    for name in _with_prerequisites(waiting, {each: needs for each, (needs, _) in rules.items()}):
        yield from rules[name][1]


def _with_prerequisites(names: list[str], needs: Mapping[str, Sequence[str]]) -> Iterator[str]:
    seen: set[str] = set()
    while names:
        name = names.pop(0)
        if name in needs and name not in seen:
            seen.add(name)
            yield name
            names += [each for each in needs[name] if each in needs]


def _recipe_line(path: str, number: int, row: str) -> RecipeLine:
    plain = row.strip()
    signs = plain[: len(plain) - len(plain.lstrip("@+- "))]
    return RecipeLine(path, number, plain.lstrip("@+- "), "-" in signs)


def _join_continuations(text: str) -> Iterator[tuple[int, str, str]]:
    """Logical lines: the number of the first row, the joined text, and its first character."""
    held, begin = "", 0
    for number, row in enumerate(text.split("\n"), start=1):
        begin = begin if held else number
        held += row.removesuffix("\\")
        if row.endswith("\\") and len(held) < 20_000:
            continue
        yield begin, held, held[:1]
        held = ""


def _package_script_lines(path: str, text: str, script_names: Sequence[str]) -> Iterator[RecipeLine]:
    try:
        scripts = json.loads(text).get("scripts")
    except (ValueError, AttributeError, RecursionError):
        return
    if not isinstance(scripts, dict):
        return
    first = script_names[0] if script_names else ""
    name = "test" if first == "t" else first
    for each in (f"pre{name}", name, f"post{name}"):
        said = scripts.get(each)
        if isinstance(said, str):
            at = text.find(json.dumps(each))
            yield RecipeLine(path, text.count("\n", 0, max(at, 0)) + 1, said, False)


def _tox_lines(path: str, text: str) -> Iterator[RecipeLine]:
    """The commands of all environments, because names and factors decide which of them run."""
    inside = False
    for number, row in enumerate(text.split("\n"), start=1):
        begun = _TOX_COMMANDS.match(row)
        if begun is not None or (inside and row[:1].isspace()):
            inside = True
            plain = (begun["first"] if begun else row).strip()
            if plain and not plain.startswith("#"):
                yield RecipeLine(path, number, plain.lstrip("- "), plain.startswith("-"))
        elif row.strip() and not row.startswith("#"):
            inside = False
