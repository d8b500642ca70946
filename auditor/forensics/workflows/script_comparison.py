"""Whether what checks call for, a script or a recipe, starts fewer of them than before or lets more of them fail.

A workflow tells its steps apart by its form; here only the commands themselves are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from auditor.forensics.workflows.pipeline_text_comparison import LENIENT, without_comments
from auditor.lazy_regex import lazy_compile

_WIDEST = 1_000
_PARTS = lazy_compile(r"&&|\|\||[;|&()`]|[\"']\s*,|:\s*[\"']")
_BEFORE = (
    r"^[\s@+\"'\[-]{0,60}(?:(?:commands|script|run|cmd|entry)\s{0,3}[:=]\s{0,3}[\"'|>]{0,2}\s{0,3})?(?:(?:[A-Za-z_]\w{0,60}=\S{0,200}|if|then|else|do|!|sudo|env|time|timeout|\d{1,5}[smh]?|nice|xvfb-run|coverage|cross-env|docker|docker-compose|compose|exec|command|sh|bash|bat|run|run-script|x|dlx|-m|-\S{1,60}"
    r"|uv|uvx|poetry|pdm|pipenv|pipx|hatch|rye|npx|npm|pnpm|yarn|bunx?|bundle|python[\d.]{0,5}|\$\(\w{1,40}\)|\$\{?\w{1,40}\}?|cargo|go|dotnet|swift|mix|mvnw?|gradlew?|\./mvnw|\./gradlew|g?make|just|rake|task)\s{1,20}){0,8}[\"']?(?:\S{0,100}/)?"
)
_CHECKER = lazy_compile(
    rf"{_BEFORE}(?:tests?|lint\w{{0,20}}|vet|pytest|py\.test|unittest|nose2|tox|nox|vitest|jest|mocha|ava|rspec|ctest|nextest|phpunit|phpstan|psalm|rubocop|eslint|biome|tsc|mypy|pyright|ruff|flake8|pylint|black|bandit|golangci\S{{0,20}}|staticcheck|gosec|clippy|shellcheck|pre-commit|typecheck|verify|check)\b(?!\s{{0,10}}=|-)"
)
_SCRIPT = lazy_compile(
    r"^[\s@-]{0,60}(?:(?:ba|da|z)?sh\s{1,10}|python[\d.]{0,5}\s{1,10}|node\s{1,10})?(?:\./)?([\w./-]{0,200}[\w-]\.(?:sh|py|js|mjs|ts|rb|pl))\b"
)
_DASHED = lazy_compile(r"^\t@?-@?[ \t]*([^\n]{1,200})", re.MULTILINE)
_ENDS_EARLY = lazy_compile(r"^(?:exit|return)(?:[ \t]{1,20}0)?[ \t;]{0,20}$")
"""At the margin: what stands below is not run."""
_CONDITION = lazy_compile(r"^(?:if|for|while|until|case|else|elif)\b|(?:\bthen|\bdo|\{|&&|\|\||\\)$")
_CONDITION_ENDS = lazy_compile(r"^(?:fi|done|esac|\})(?![\w-])")
_HELD_TEXT = lazy_compile(r"^\s{0,40}(?:cat|:|true|echo|read|tee)\b[^\n<]{0,200}<<-?\s{0,5}[\"']?(\w{1,60})")
_NO_RUN = lazy_compile(
    r"\s--?(?:collect-only|co|version|help|setup-plan|dry-run|just-print|no-run|listTests|list-tests|exit-zero|fixtures|show-files|show-settings)(?![\w-])"
)
"""With these a check runs nothing, or says yes."""
_LET_PASS = lazy_compile(
    r"(?:^|[\s;&|(\"'])(?:true|:)\s{0,5}\|\||\bfalse\s{0,5}&&|\b(?:if|while)\s{1,5}(?:false|!\s{0,3}(?:true|:))\s{0,5}(?:;|$)|\btrap\b[^\n]{0,100}\bexit\s{1,5}0|\bexit\s{1,5}0\s{0,5}(?:&&|;\s{0,5}\w)"
    r"|^\s{0,80}(?:-\s)?\s{0,20}(?:when:\s{0,5}[\"']?(?:manual|never)|soft_fail:\s{0,5}true|continueOnError:\s{0,5}true|condition:\s{0,5}false|enabled:\s{0,5}false|ignore_errors\s{0,5}[:=]\s{0,5}true|ignore_outcome\s{0,5}=\s{0,5}true)|returnStatus:\s{0,5}true"
    r"|^\s{0,80}(?:function\s{1,5})?(?:pytest|mypy|ruff|flake8|pylint|pyright|bandit|eslint|jest|vitest|mocha|tsc|cargo|go|phpunit|phpstan|rspec|rubocop|tox|nox|npm|make|python3?)\s{0,5}\(\s{0,5}\)|\balias\s{1,5}[\w-]{1,40}=",
    re.MULTILINE,
)
"""Ways to pass over what fails; the last of them give the name of a check another meaning."""
_UNHEARD = lazy_compile(r"(?:;\s{0,5}(?:true|:|exit\s{1,5}0)|[^&|>\d\s]\s{0,5}&)[\s\"',]{0,20}$")
"""Behind a check: how it ended is not heard of."""
_LESS = lazy_compile(r"\s(?:--deselect|--ignore(?:-glob)?|-k)(?=[\s=])")
_STRICT = lazy_compile(
    r"(?:^|;|&&)\s{0,20}set\s[^\n;&]{0,40}?(?:-[a-z]{0,6}e|errexit)|\spipefail\b|\s-Werror\b|-D[ \t=]?warnings|\s--(?:strict|check|max-warnings|cov-fail-under|fail-under|error-on-warnings)(?![\w-])",
    re.MULTILINE,
)
"""What makes checks stricter than they are by themselves."""


def demands_less(before: str, after: str, new: Mapping[str, str]) -> bool:
    """Are fewer checks started than before, or more of them let fail? `new` holds the files that came with it, by path."""
    before, after = _run(before), _run(after)
    if _checks(after, new) < _checks(before, {}) or _lenient(after) > _lenient(before):
        return True
    return not any(_SCRIPT.match(each) for each in _commands(after)) and _strict(after) < _strict(before)


def fails_less(before: str, after: str) -> bool:
    """Has a program that checks lost most of its ways to fail, or ends early where it did not? How it checks is not asked."""
    ways = [sum(1 for _ in _FAILS.finditer(each)) for each in (before, after)]
    early = [sum(1 for _ in _ENDS_WELL.finditer(each)) for each in (before, after)]
    return ways[1] * 2 < ways[0] or early[1] > early[0]


_FAILS = lazy_compile(
    r"\bcheck\s{0,5}=\s{0,5}True\b|\bcheck_(?:call|output)\s{0,5}\(|\braise\b|\bthrow\b|\bassert\b|\bexecSync\s{0,5}\(|\breturncode\b|\bexit(?:Code)?\s{0,5}[(=]\s{0,5}(?!0|\)|=)|\b(?:die|abort|fail)\b|\bsession\.run\s{0,5}\("
)
_ENDS_WELL = lazy_compile(r"^(?:sys\.|os\._|process\.)?exit\s{0,5}\(?\s{0,5}0?\s{0,5}\)?[ \t;]{0,20}$", re.MULTILINE)
"""At the margin: what stands below is not run."""


def _checks(text: str, new: Mapping[str, str]) -> int:
    """How many commands check something; a script may, and one that is new as often as its own commands do."""
    count = 0
    of_new: dict[str, int] = {}  # a new script is read once, however often it is called
    for command in _commands(text):
        script = _SCRIPT.match(command)
        if script is not None and (path := script[1].removeprefix("./")) in new:
            if path not in of_new:
                of_new[path] = sum(map(_is_check, _commands(_run(new[path]))))
            count += of_new[path]
        else:
            count += _is_check(command)
    return count


def _is_check(command: str) -> bool:
    """To ask a check for its version, or for what it would run, is none."""
    known = _CHECKER.match(command) is not None or _SCRIPT.match(command) is not None
    return known and not _NO_RUN.search(command)


def _run(text: str) -> str:
    """The text up to where it ends early, without its comments and the texts that are held in it and run by nobody."""
    kept: list[str] = []
    held, depth = "", 0
    for line in without_comments(text).split("\n"):
        if held:
            held = "" if line.strip() == held else held
            continue
        plain = line[:_WIDEST].rstrip()
        if not depth and _ENDS_EARLY.match(plain) and not (kept and _CONDITION.search(kept[-1][:_WIDEST].rstrip())):
            break
        if not line[:1].isspace():
            depth = max(0, depth - 1) if _CONDITION_ENDS.match(plain) else depth + _opens(plain)
        opened = _HELD_TEXT.match(plain)
        held = opened[1] if opened else ""
        kept.append(line)
    return "\n".join(kept)


def _opens(line: str) -> bool:
    """Does a line at the margin begin something that ends on a line of its own?"""
    begins = line.startswith(("if ", "for ", "while ", "until ", "case ")) or line.endswith("{")
    return begins and not line.endswith(("fi", "done", "esac", "}"))


def _strict(text: str) -> int:
    return sum(1 for _ in _STRICT.finditer(text))


def _commands(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield from _PARTS.split(line[:_WIDEST])


def _lenient(text: str) -> int:
    """In how many places a failure is let pass; in a Makefile, a dash before a command does so."""
    dashed = sum(_CHECKER.match(found[1]) is not None for found in _DASHED.finditer(text))
    lines = [line[:_WIDEST] for line in text.split("\n")]
    checks = [line for line in lines if any(_CHECKER.match(part) for part in _PARTS.split(line))]
    unheard = sum(1 for line in checks if _UNHEARD.search(line))
    less = sum(len(_LESS.findall(line)) for line in checks)
    past = sum(1 for line in lines for _ in _LET_PASS.finditer(line))
    return len(LENIENT.findall(text)) + dashed + unheard + less + past
