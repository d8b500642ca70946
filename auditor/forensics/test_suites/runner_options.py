"""Options of a runner's command line that a settings file holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from auditor.forensics.test_suites.runner_table import Effect, Option, Runner

_MAX_WORDS = 500
Made = TypeVar("Made")


def expand_options(
    runner: Runner,
    words: Sequence[str],
    line: int,
    exists: Callable[[str], bool],
    make: Callable[[Effect, str, tuple[str, ...], int], Made],
) -> Iterator[Made]:
    """What the known options of a command line do. `exists` knows the files and folders."""
    position = 0
    words = words[:_MAX_WORDS]
    free = True
    while position < len(words):
        word = words[position]
        position += 1
        row, name, value = _recognize(runner, word)
        if row is None:
            if runner.positional is not None and free and not word.startswith("-") and _is_path(word, exists):
                yield make(runner.positional, "addopts", (word.rstrip("/"),), line)
            free = not word.startswith("-") or word in runner.flags or "=" in word
            continue
        free = True
        if row.flag:
            yield make(row.effect, name, ("true",), line)
            continue
        if value is None:
            value = words[position] if position < len(words) else ""
            position += 1
        if row.effect is Effect.OVERRIDE:
            key, _, given = value.partition("=")
            yield make(row.effect, key.strip(), (given,), line)
        elif row.effect in {Effect.DISABLED, Effect.PASSES}:
            if value in row.values:
                yield make(row.effect, f"{name} {value}", ("true",), line)
        else:
            yield make(row.effect, row.key or name, (value,), line)


def _recognize(runner: Runner, word: str) -> tuple[Option | None, str, str | None]:
    """The row of an option, its name, and the value written in the same word."""
    rows = runner.option_rows
    if word in rows:
        return rows[word], word, None
    name, sign, value = word.partition("=")
    if sign and name in rows:
        return rows[name], name, value
    if len(word) > 2 and word[0] == "-" != word[1] and word[:2] in rows and not rows[word[:2]].flag:
        return rows[word[:2]], word[:2], word[2:]
    return None, word, None


def _is_path(word: str, exists: Callable[[str], bool]) -> bool:
    plain = word.partition("::")[0].removeprefix("./").rstrip("/")
    return bool(plain) and exists(plain)
