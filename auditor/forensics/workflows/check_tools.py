"""Which commands and actions check a change, and which options make them succeed whatever they find.

The tools are rows of `check_tools.yaml`; recipes and scripts of the repository are known by what their names say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameRows, Row, SortedNames, Source, names_of, read_table

_DATA = Path(__file__).with_name("check_tools.yaml")


class Kind(StrEnum):
    """What a check is about; a tool of the same kind can take another's place."""

    TESTS = "tests"
    STYLE = "style"
    TYPES = "types"
    SECURITY = "security"
    BUILD = "build"
    OTHER = "other"
    """A recipe or script of the repository whose name does not say more."""


class Tool(Row):
    """A row of tools."""

    names: tuple[str, ...] = Field(min_length=1)
    kind: Kind = Kind.OTHER
    subcommands: SortedNames = ()
    never_fails: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    leaves_out: tuple[str, ...] = ()
    demands: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    opaque: bool = False
    source: Source

    def sort_key(self) -> str:
        """The first name."""
        return self.names[0]

    def owned(self) -> Iterable[str]:
        """All names."""
        return self.names


class Action(Row):
    """A row of actions."""

    names: tuple[str, ...] = Field(min_length=1)
    kind: Kind
    never_fails: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    source: Source

    def sort_key(self) -> str:
        """The first name."""
        return self.names[0]

    def owned(self) -> Iterable[str]:
        """All names."""
        return self.names


class KindByName(Frozen):
    """A pattern of recipe and script names, and the kind of check that a matching name means."""

    kind: Kind
    pattern: str
    source: Source


class _Tables(Frozen):
    tools: tuple[Tool, ...]
    shows_only: NameRows
    recipes: tuple[str, ...]
    recipes_never_fail: tuple[Tool, ...]
    actions: tuple[Action, ...]
    wrappers: tuple[str, ...]
    interpreters: NameRows
    wrapper_options: NameRows
    kinds_by_name: tuple[KindByName, ...]


class RecognizedCheck(NamedTuple):
    """A recognized check: its tool, kind and normalized command, and why it can never fail (or nothing)."""

    tool: str
    kind: Kind
    command: str
    opaque: bool
    """Is what it runs written in another file, which may hold any check?"""
    never_fails_reason: str

    @property
    def lacks(self) -> bool:
        """Can it never fail only because an option is missing? The script may fail by other means."""
        return self.never_fails_reason.startswith(_MISSING_OPTION_PREFIX)


class _Lookup(NamedTuple):
    tools: Mapping[str, Tool]
    shows_only: frozenset[str]
    recipes: Mapping[str, Tool | None]
    actions: Mapping[str, Action]
    wrappers: frozenset[str]
    interpreters: frozenset[str]
    wrapper_options: frozenset[str]
    kinds_by_name: tuple[tuple[re.Pattern[str], Kind], ...]


@cache
def _lookup() -> _Lookup:
    tables = read_table(_DATA, _Tables)
    lenient = {name: row for row in tables.recipes_never_fail for name in row.names}
    return _Lookup(
        {name: row for row in tables.tools for name in row.names},
        names_of(tables.shows_only),
        {name: lenient.get(name.split()[0]) for name in tables.recipes},
        {name.lower(): row for row in tables.actions for name in row.names},
        frozenset(tables.wrappers),
        names_of(tables.interpreters),
        names_of(tables.wrapper_options),
        tuple((re.compile(row.pattern), row.kind) for row in tables.kinds_by_name),
    )


_VARIABLE = lazy_compile(r"\$\{?(?:\{\s*env\.)?([A-Za-z_]\w{0,40})(?:\s*\}?\})?")
_ENV_ASSIGNMENT = lazy_compile(r"^[A-Za-z_]\w*=")
_INSTALL_ARGUMENTS = lazy_compile(
    r"^(?:-\S+ |\S+ ){0,3}install\b|^(?:-\S+ )*(?:install|add|ci|sync|update|upgrade|login|config|cache|setup|version|info|self|init)\b"
)
_CI_RECIPE = lazy_compile(r"^(?:-\S+ )*ci(?![\w-])")
_CI_INSTALLS = frozenset({"npm", "pnpm"})
"""Programs whose command `ci` installs; for others it is a recipe of that name."""
_INSTALLED_TOOL = lazy_compile(r"(?:^|/)\.?s?bin/([\w.-]+)$")
"""A program in a folder in which package managers put programs: `vendor/bin`, `node_modules/.bin`, `.venv/bin`."""
_MAX_WORDS = 60
_MISSING_OPTION_PREFIX = "it cannot fail without"
_MAX_WRAPPERS = 8
_SCRIPT_PATH = lazy_compile(
    r"^(?:\./)?(?:[\w.-]+/)*[\w.-]+\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|ps1|php)$|^\./[\w./-]+$"
    r"|^(?:scripts?|bin|tools?|ci|hack|dev|\.github|\.ci)/(?:[\w-]+/)*[\w-]+$"
)


def recognize_command(words: Sequence[str], env: Mapping[str, str]) -> RecognizedCheck | None:
    """The check that a command is, or None. `env` is the environment that its step sets."""
    plain = [each.strip("\"'") for each in words[:_MAX_WORDS]]
    if plain and (variable := _VARIABLE.fullmatch(plain[0])) is not None:
        plain[0] = variable[1].lower()  # `$CARGO test`, `${{ env.CARGO }} test`
    forms = list(_strip_wrappers(plain))
    found = (known for plain in reversed(forms) if (known := _recognize_words(_by_tool_name(plain), env)) is not None)
    return next(found, None)


def _by_tool_name(words: list[str]) -> list[str]:
    """A command with the name of a known tool in place of its path: `phpunit` for `php vendor/bin/phpunit`."""
    at = 1 if len(words) > 1 and words[0] in _lookup().interpreters else 0
    installed = _INSTALLED_TOOL.search(words[at])
    return [installed[1], *words[at + 1 :]] if installed is not None and installed[1] in _lookup().tools else words


def _recognize_words(words: Sequence[str], env: Mapping[str, str]) -> RecognizedCheck | None:
    lookup = _lookup()
    for count in (3, 2, 1):
        name = " ".join(words[:count])
        if len(words) >= count and (row := lookup.tools.get(name)) is not None:
            if _prepares(row, words[count:]):
                return None
            return _tool_check(name, row, words, count, env)
    return _recipe_check(lookup, words, env) or _script_check(words)


def _prepares(row: Tool, rest: Sequence[str]) -> bool:
    """Does a tool only prepare or show something with these arguments?"""
    if row.subcommands:
        named = [each for each in rest if not each.startswith("-")]
        return bool(named) and not set(named) & set(row.subcommands)
    return row.kind is not Kind.BUILD and _INSTALL_ARGUMENTS.match(" ".join(rest)) is not None


def _tool_check(name: str, row: Tool, words: Sequence[str], count: int, env: Mapping[str, str]) -> RecognizedCheck:
    further = [word for variable in row.options for word in env.get(variable, "").split()[:_MAX_WORDS]]
    rest = [*words[count:], *further]
    passes = _shows_only_reason(rest) or _never_fails_reason(row, rest)
    return RecognizedCheck(
        row.names[0] if name.startswith("./") else name, row.kind, " ".join(words), row.opaque, passes
    )


def _shows_only_reason(rest: Sequence[str]) -> str:
    """The option with which any tool or recipe only shows something."""
    given = next((each for each in rest if each in _lookup().shows_only), "")
    return f"`{given}` makes it succeed" if given else ""


def _never_fails_reason(row: Tool, rest: Sequence[str]) -> str:
    """The option that makes a tool always succeed, or the missing option without which it does."""
    joined = f" {' '.join(rest)} "
    given = next((each for each in row.never_fails if f" {each} " in joined), "")
    if given:
        return f"`{given}` makes it succeed"
    if row.needs and not any(f" {each} " in joined or f" {each}=" in joined for each in row.needs):
        return f"{_MISSING_OPTION_PREFIX} `{row.needs[0]}`"
    return ""


def less_strict_reason(old: RecognizedCheck, new: RecognizedCheck) -> str:
    """Why a tool seems to check less with the arguments of another command; empty where it does not."""
    row = _lookup().tools.get(new.tool)
    if row is None or new.tool != old.tool:
        return ""
    more = next((each for each in row.leaves_out if _count(each, new) > _count(each, old)), "")
    less = next(
        (each for each in row.demands if _count(each, old) and not any(_count(one, new) for one in row.demands)), ""
    )
    return f"`{more}` was added" if more else f"`{less}` was removed" if less else ""


def _count(option: str, known: RecognizedCheck) -> int:
    """How often an option is given."""
    given = f" {known.command} "
    return given.count(f" {option} ") + given.count(f" {option}=")


def _recipe_check(lookup: _Lookup, words: Sequence[str], env: Mapping[str, str]) -> RecognizedCheck | None:
    for count in (3, 2, 1):
        name = " ".join(words[:count])
        if len(words) < count or name not in lookup.recipes:
            continue
        rest = " ".join(words[count:])
        is_named_ci = _CI_RECIPE.match(rest) is not None and (count > 1 or words[0] not in _CI_INSTALLS)
        if _INSTALL_ARGUMENTS.match(rest) and not is_named_ci:
            return None
        row = lookup.recipes[name]
        named = " ".join(each for each in words[1:] if not each.startswith("-"))
        passes = _tool_check(name, row, words, count, env).never_fails_reason if row else _shows_only_reason(words)
        return RecognizedCheck(name, _kind_of(named), " ".join(words), True, passes)
    return None


def _script_check(words: Sequence[str]) -> RecognizedCheck | None:
    at = 1 if words[0] in _lookup().interpreters and len(words) > 1 else 0
    path = next((each for each in words[at:] if not each.startswith("-")), "")
    if not _SCRIPT_PATH.match(path):
        return None
    return RecognizedCheck(path.removeprefix("./"), _kind_of(path.rpartition("/")[2]), " ".join(words), True, "")


def _kind_of(name: str) -> Kind:
    lowered = name.lower()
    return next((kind for form, kind in _lookup().kinds_by_name if form.search(lowered)), Kind.OTHER)


def _strip_wrappers(words: list[str]) -> Iterator[list[str]]:
    """A command, then what remains without assignments and after each program that only starts another."""
    wrappers = _lookup().wrappers
    for _ in range(_MAX_WRAPPERS):
        while words and _ENV_ASSIGNMENT.match(words[0]):
            words = words[1:]
        if not words:
            return
        yield words
        count = next((n for n in (4, 3, 2, 1) if " ".join(words[:n]) in wrappers and len(words) > n), 0)
        rest = (
            _container_command(words[count:]) if words[0].startswith("docker") else _skip_wrapper_options(words[count:])
        )
        if not count or not rest or (count == 1 and words[0].startswith("python") and not rest[0].endswith(".py")):
            return
        words = rest


def _container_command(words: list[str]) -> list[str]:
    """The command that a container runs, from the first known tool on; the image name may precede it."""
    tools = _lookup().tools
    return next((words[at:] for at, word in enumerate(words) if word in tools), [])


def _skip_wrapper_options(words: list[str]) -> list[str]:
    """The words from the first one on that may be a program, without the options of a wrapper."""
    at = 0
    while at < len(words) and (
        words[at].startswith("-") or _ENV_ASSIGNMENT.match(words[at]) or words[at][:1].isdigit()
    ):
        takes = words[at] in _lookup().wrapper_options and "=" not in words[at]
        at += 2 if takes else 1
    name = words[at].split(":", 1)[-1] if at < len(words) and ":" in words[at] and "/" not in words[at] else None
    return [name or words[at], *words[at + 1 :]] if at < len(words) else []


def recognize_action(uses: str, inputs: Mapping[str, str]) -> RecognizedCheck | None:
    """The check that a step with `uses:` is, or None."""
    name = uses.partition("@")[0]
    row = _lookup().actions.get(name.lower())
    if row is None:
        folder = name.lower().rpartition("/")[2]
        checks = re.search(r"(?:^|[-_/])(?:lint|linter|tests?|check|scan|audit|verify)(?:$|[-_])", folder)
        return RecognizedCheck(name, _kind_of(folder), name, True, "") if checks and not name.startswith(".") else None
    return RecognizedCheck(name, row.kind, name, False, next(_never_fails_reasons(row, inputs), ""))


def _never_fails_reasons(row: Action, inputs: Mapping[str, str]) -> Iterator[str]:
    for name, values in row.never_fails.items():
        if inputs.get(name, "").strip().lower() in values:
            yield f"`{name}: {inputs[name]}` makes it succeed"
