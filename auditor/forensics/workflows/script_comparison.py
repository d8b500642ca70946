"""Whether what checks call for, a script or a recipe, starts fewer of them than before or lets more of them fail.

A workflow tells its steps apart by its form; here only the commands themselves are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from auditor.forensics.library_models.shell_programs import UNIX_SHELL
from auditor.forensics.workflows.pipeline_text_comparison import IGNORED_FAILURE, strip_comments
from auditor.lazy_regex import lazy_compile

_MAX_LINE_LENGTH = 1_000
_COMMAND_SEPARATOR = lazy_compile(r"&&|\|\||[;|&()`]|[\"']\s*,|:\s*[\"']")
_COMMAND_PREFIX = (
    r"^[\s@+\"'\[-]{0,60}(?:(?:commands|script|run|cmd|entry)\s{0,3}[:=]\s{0,3}[\"'|>]{0,2}\s{0,3})?(?:(?:[A-Za-z_]\w{0,60}=\S{0,200}|if|then|else|do|!|sudo|env|time|timeout|\d{1,5}[smh]?|nice|xvfb-run|coverage|cross-env|docker|docker-compose|compose|exec|command|sh|bash|bat|run|run-script|x|dlx|-m|-\S{1,60}"
    r"|uv|uvx|poetry|pdm|pipenv|pipx|hatch|rye|npx|npm|pnpm|yarn|bunx?|bundle|python[\d.]{0,5}|\$\(\w{1,40}\)|\$\{?\w{1,40}\}?|cargo|go|dotnet|swift|mix|mvnw?|gradlew?|\./mvnw|\./gradlew|g?make|just|rake|task)\s{1,20}){0,8}[\"']?(?:\S{0,100}/)?"
)
_CHECK_COMMAND = lazy_compile(
    rf"{_COMMAND_PREFIX}(?:tests?|lint\w{{0,20}}|vet|pytest|py\.test|unittest|nose2|tox|nox|vitest|jest|mocha|ava|rspec|ctest|nextest|phpunit|phpstan|psalm|rubocop|eslint|biome|tsc|mypy|pyright|ruff|flake8|pylint|black|bandit|golangci\S{{0,20}}|staticcheck|gosec|clippy|shellcheck|pre-commit|typecheck|verify|check)\b(?!\s{{0,10}}=|-)"
)
_SCRIPT_CALL = lazy_compile(
    r"^[\s@-]{0,60}(?:"
    + UNIX_SHELL
    + r"\s{1,10}|python[\d.]{0,5}\s{1,10}|node\s{1,10})?(?:\./)?([\w./-]{0,200}[\w-]\.(?:sh|py|js|mjs|ts|rb|pl))\b"
)
_MAKEFILE_IGNORED_COMMAND = lazy_compile(r"^\t@?-@?[ \t]*([^\n]{1,200})", re.MULTILINE)
_SUCCESSFUL_EXIT = lazy_compile(r"^(?:exit|return)(?:[ \t]{1,20}0)?[ \t;]{0,20}$")
"""An unindented successful exit: what stands below is not run."""
_BLOCK_START = lazy_compile(r"^(?:if|for|while|until|case|else|elif)\b|(?:\bthen|\bdo|\{|&&|\|\||\\)$")
_BLOCK_END = lazy_compile(r"^(?:fi|done|esac|\})(?![\w-])")
_HEREDOC = lazy_compile(r"^\s{0,40}(?:cat|:|true|echo|read|tee)\b[^\n<]{0,200}<<-?\s{0,5}[\"']?(\w{1,60})")
_NON_RUNNING_OPTION = lazy_compile(
    r"\s--?(?:collect-only|co|version|help|setup-plan|dry-run|just-print|no-run|listTests|list-tests|exit-zero|fixtures|show-files|show-settings)(?![\w-])"
)
"""Options with which a check runs nothing, or always succeeds."""
_MASKED_FAILURE = lazy_compile(
    r"(?:^|[\s;&|(\"'])(?:true|:)\s{0,5}\|\||\bfalse\s{0,5}&&|\b(?:if|while)\s{1,5}(?:false|!\s{0,3}(?:true|:))\s{0,5}(?:;|$)|\btrap\b[^\n]{0,100}\bexit\s{1,5}0|\bexit\s{1,5}0\s{0,5}(?:&&|;\s{0,5}\w)"
    r"|^\s{0,80}(?:-\s)?\s{0,20}(?:when:\s{0,5}[\"']?(?:manual|never)|soft_fail:\s{0,5}true|continueOnError:\s{0,5}true|condition:\s{0,5}false|enabled:\s{0,5}false|ignore_errors\s{0,5}[:=]\s{0,5}true|ignore_outcome\s{0,5}=\s{0,5}true)|returnStatus:\s{0,5}true"
    r"|^\s{0,80}(?:function\s{1,5})?(?:pytest|mypy|ruff|flake8|pylint|pyright|bandit|eslint|jest|vitest|mocha|tsc|cargo|go|phpunit|phpstan|rspec|rubocop|tox|nox|npm|make|python3?)\s{0,5}\(\s{0,5}\)|\balias\s{1,5}[\w-]{1,40}=",
    re.MULTILINE,
)
"""Ways to pass over what fails; the last of them give the name of a check another meaning."""
_IGNORED_STATUS = lazy_compile(r"(?:;\s{0,5}(?:true|:|exit\s{1,5}0)|[^&|>\d\s]\s{0,5}&)[\s\"',]{0,20}$")
"""What follows a check and discards its exit status."""
_TEST_EXCLUSION_OPTION = lazy_compile(r"\s(?:--deselect|--ignore(?:-glob)?|-k)(?=[\s=])")
_STRICT_OPTION = lazy_compile(
    r"(?:^|;|&&)\s{0,20}set\s[^\n;&]{0,40}?(?:-[a-z]{0,6}e|errexit)|\spipefail\b|\s-Werror\b|-D[ \t=]?warnings|\s--(?:strict|check|max-warnings|cov-fail-under|fail-under|error-on-warnings)(?![\w-])",
    re.MULTILINE,
)
"""Options that make checks stricter than by default."""


def is_weakened_script(before: str, after: str, new_files: Mapping[str, str]) -> bool:
    """Does it start fewer checks than before, or ignore more failures? `new` holds the added files by path."""
    before, after = _executed_text(before), _executed_text(after)
    if _count_checks(after, new_files) < _count_checks(before, {}) or _count_ignored_failures(
        after
    ) > _count_ignored_failures(before):
        return True
    return not any(_SCRIPT_CALL.match(each) for each in _split_commands(after)) and _count_strict_options(
        after
    ) < _count_strict_options(before)


def is_weakened_program(before: str, after: str) -> bool:
    """Has a program that checks lost most of its ways to fail, or ends early where it did not? How it checks is not asked."""
    ways = [sum(1 for _ in _FAILURE_STATEMENT.finditer(each)) for each in (before, after)]
    early = [sum(1 for _ in _PROGRAM_EXIT.finditer(each)) for each in (before, after)]
    return ways[1] * 2 < ways[0] or early[1] > early[0]


_FAILURE_STATEMENT = lazy_compile(
    r"\bcheck\s{0,5}=\s{0,5}True\b|\bcheck_(?:call|output)\s{0,5}\(|\braise\b|\bthrow\b|\bassert\b|\bexecSync\s{0,5}\(|\breturncode\b|\bexit(?:Code)?\s{0,5}[(=]\s{0,5}(?!0|\)|=)|\b(?:die|abort|fail)\b|\bsession\.run\s{0,5}\("
)
_PROGRAM_EXIT = lazy_compile(r"^(?:sys\.|os\._|process\.)?exit\s{0,5}\(?\s{0,5}0?\s{0,5}\)?[ \t;]{0,20}$", re.MULTILINE)
"""An unindented successful exit: what stands below is not run."""


def _count_checks(text: str, new_files: Mapping[str, str]) -> int:
    """How many commands check something; a new script counts as often as its own commands do."""
    count = 0
    of_new: dict[str, int] = {}  # a new script is read once, however often it is called
    for command in _split_commands(text):
        script = _SCRIPT_CALL.match(command)
        if script is not None and (path := script[1].removeprefix("./")) in new_files:
            if path not in of_new:
                of_new[path] = sum(map(_is_check, _split_commands(_executed_text(new_files[path]))))
            count += of_new[path]
        else:
            count += _is_check(command)
    return count


def _is_check(command: str) -> bool:
    """To ask a check for its version, or for what it would run, is none."""
    known = _CHECK_COMMAND.match(command) is not None or _SCRIPT_CALL.match(command) is not None
    return known and not _NON_RUNNING_OPTION.search(command)


def _executed_text(text: str) -> str:
    """The text up to an early exit, without comments and here-documents."""
    kept: list[str] = []
    held, depth = "", 0
    for line in strip_comments(text).split("\n"):
        if held:
            held = "" if line.strip() == held else held
            continue
        plain = line[:_MAX_LINE_LENGTH].rstrip()
        if (
            not depth
            and _SUCCESSFUL_EXIT.match(plain)
            and not (kept and _BLOCK_START.search(kept[-1][:_MAX_LINE_LENGTH].rstrip()))
        ):
            break
        if not line[:1].isspace():
            depth = max(0, depth - 1) if _BLOCK_END.match(plain) else depth + _opens_block(plain)
        opened = _HEREDOC.match(plain)
        held = opened[1] if opened else ""
        kept.append(line)
    return "\n".join(kept)


def _opens_block(line: str) -> bool:
    """Does an unindented line begin a block that ends on a line of its own?"""
    begins = line.startswith(("if ", "for ", "while ", "until ", "case ")) or line.endswith("{")
    return begins and not line.endswith(("fi", "done", "esac", "}"))


def _count_strict_options(text: str) -> int:
    return sum(1 for _ in _STRICT_OPTION.finditer(text))


def _split_commands(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield from _COMMAND_SEPARATOR.split(line[:_MAX_LINE_LENGTH])


def _count_ignored_failures(text: str) -> int:
    """In how many places a failure is ignored; in a Makefile, a dash before a command does so."""
    dashed = sum(_CHECK_COMMAND.match(found[1]) is not None for found in _MAKEFILE_IGNORED_COMMAND.finditer(text))
    lines = [line[:_MAX_LINE_LENGTH] for line in text.split("\n")]
    checks = [line for line in lines if any(_CHECK_COMMAND.match(part) for part in _COMMAND_SEPARATOR.split(line))]
    unheard = sum(1 for line in checks if _IGNORED_STATUS.search(line))
    less = sum(len(_TEST_EXCLUSION_OPTION.findall(line)) for line in checks)
    past = sum(1 for line in lines for _ in _MASKED_FAILURE.finditer(line))
    return len(IGNORED_FAILURE.findall(text)) + dashed + unheard + less + past
