"""Whether what checks call for, a script or a recipe, starts fewer of them than before or lets more of them fail.

A workflow tells its steps apart by its form; here only the commands themselves are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from auditor.forensics.checks import LENIENT, without_comments
from auditor.late import late

_WIDEST = 1_000
_PARTS = late(r"&&|\|\||[;|&()`]|[\"']\s*,|:\s*[\"']")
_BEFORE = (
    r"^[\s@+\"'\[-]{0,60}(?:(?:commands|script|run|cmd|entry)\s{0,3}[:=]\s{0,3}[\"'|>]{0,2}\s{0,3})?(?:(?:[A-Za-z_]\w{0,60}=\S{0,200}|if|then|else|do|!|sudo|env|time|timeout|\d{1,5}[smh]?|nice|xvfb-run|coverage|cross-env|docker|docker-compose|compose|exec|command|run|run-script|x|dlx|-m|-\S{1,60}"
    r"|uv|uvx|poetry|pdm|pipenv|pipx|hatch|rye|npx|npm|pnpm|yarn|bunx?|bundle|python[\d.]{0,5}|\$\(\w{1,40}\)|\$\{?\w{1,40}\}?|cargo|go|dotnet|swift|mix|mvnw?|gradlew?|\./mvnw|\./gradlew|g?make|just|rake|task)\s{1,20}){0,8}[\"']?(?:\S{0,100}/)?"
)
_CHECKER = late(
    rf"{_BEFORE}(?:tests?|lint\w{{0,20}}|vet|pytest|py\.test|unittest|nose2|tox|nox|vitest|jest|mocha|ava|rspec|ctest|nextest|phpunit|phpstan|psalm|rubocop|eslint|biome|tsc|mypy|pyright|ruff|flake8|pylint|black|bandit|golangci\S{{0,20}}|staticcheck|gosec|clippy|shellcheck|pre-commit|typecheck|verify|check)\b(?!\s{{0,10}}=|-)"
)
_SCRIPT = late(
    r"^[\s@-]{0,60}(?:(?:ba|da|z)?sh\s{1,10}|python[\d.]{0,5}\s{1,10}|node\s{1,10})?(?:\./)?([\w./-]{0,200}[\w-]\.(?:sh|py|js|mjs|ts|rb|pl))\b"
)
_DASHED = late(r"^\t@?-@?[ \t]*([^\n]{1,200})", re.MULTILINE)


def demands_less(before: str, after: str, new: Mapping[str, str]) -> bool:
    """Are fewer checks started than before, or more of them let fail? `new` holds the files that came with it, by path."""
    return _checks(after, new) < _checks(before, {}) or _lenient(after) > _lenient(before)


def _checks(text: str, new: Mapping[str, str]) -> int:
    """How many commands check something; a script may, and one that is new as often as its own commands do."""
    count = 0
    of_new: dict[str, int] = {}  # a new script is read once, however often it is called
    for command in _commands(text):
        script = _SCRIPT.match(command)
        if script is not None and (path := script[1].removeprefix("./")) in new:
            if path not in of_new:
                of_new[path] = sum(map(_is_check, _commands(new[path])))
            count += of_new[path]
        else:
            count += _is_check(command)
    return count


def _is_check(command: str) -> bool:
    return _CHECKER.match(command) is not None or _SCRIPT.match(command) is not None


def _commands(text: str) -> Iterator[str]:
    for line in without_comments(text).split("\n"):
        yield from _PARTS.split(line[:_WIDEST])


def _lenient(text: str) -> int:
    """In how many places a failure is let pass; in a Makefile, a dash before a command does so."""
    plain = without_comments(text)
    dashed = sum(_CHECKER.match(found[1]) is not None for found in _DASHED.finditer(plain))
    return len(LENIENT.findall(plain)) + dashed
