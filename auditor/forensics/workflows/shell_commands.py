"""The commands of a shell script, and whether the failure of each makes the script fail.

Follows what decides that: `set -e` and its absence, `||`, pipes, `&`, conditions, an early `exit 0`. Nothing is run, and
what a variable or a function holds is not followed; where that matters, a failure counts as heard.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, islice

from auditor.forensics.workflows.shell_names import shell_names
from auditor.lazy_regex import lazy_compile

MAX_CHARACTERS = 60_000
MAX_COMMANDS = 500
_HEREDOC = lazy_compile(r"<<-?\s{0,5}[\"']?(\w{1,60})[\"']?")
_TOKEN = lazy_compile(
    r"(?P<space>[ \t\r]+|\\\n)|(?P<comment>(?<![^\s;&|(])#[^\n]*)|(?P<sign>&&|\|\||;;|\|&|&>>?|>&\d?|\d?>>?&?\d?|<<<?-?|<|[;&|\n(){}])"
    r"|(?P<word>(?:\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"|\$\{\{(?:(?!\}\}).){0,400}\}\}|\$\{[^}\n]{0,400}\}|\$\((?:[^()]|\([^()]{0,400}\)){0,2000}\)|`[^`]*`|\{(?=[^\s;])|(?<=[^\s;])\}|[^\s;&|(){}<>\\'\"`]|[\\'\"`])+)",
    re.DOTALL,
)
_SEPARATORS = frozenset({"&&", "||", ";", ";;", "|", "|&", "&", "\n", "(", ")", "{", "}"})
_ASSIGNMENT = lazy_compile(r"^[A-Za-z_]\w*=")
INERT = frozenset({"true", ":", "echo", "printf", "/bin/true"})
"""Programs that do nothing that can fail."""
_EXPLICIT_FAILURE = lazy_compile(
    r"(?:^|[\s;&|({])(?:exit|return)\s+(?:[1-9]\d{0,2}|\"?\$)|(?:^|[\s;&|({])false\b|::error\b"
)
"""A statement with which a script fails explicitly."""
_BLOCK_ENDS = {"if": "fi", "while": "done", "until": "done", "for": "done", "case": "esac"}
_PREFIX_KEYWORDS = frozenset({"then", "else", "do", "!", "time"})


@dataclass(frozen=True)
class ShellCommand:
    """A simple command: its words, its line from 0, and why its failure is ignored or it never runs, if so."""

    words: tuple[str, ...]
    line: int
    unheard: str = ""
    skipped: str = ""


@dataclass
class _ParsedCommand:
    """A command with its separators and the blocks that enclose it."""

    words: list[str]
    line: int
    before: str = ""
    behind: str = ""
    opened: tuple[str, ...] = ()
    negated: bool = False
    asked: bool = False


@lru_cache(maxsize=32)
def parse_commands(script: str, *, errexit: bool = True, pipefail: bool = False) -> tuple[ShellCommand, ...]:
    """The commands of a script that is started with these options of the shell."""
    parts = list(islice(_split_commands(script[:MAX_CHARACTERS]), MAX_COMMANDS))
    return tuple(_evaluate_commands(parts, script, errexit=errexit, pipefail=pipefail))


def _split_commands(script: str) -> Iterator[_ParsedCommand]:
    """Simple commands in order, with the separators around them and the enclosing blocks."""
    opened: list[str] = []
    words: list[str] = []
    asked, negated, aside, before, line = False, False, False, "\n", 0
    for sign, text, row in tokenize(script):
        if sign and text not in _SEPARATORS:
            aside = text.endswith((">", "<"))
            continue
        if aside and not sign:
            aside = False
            continue
        aside = False
        if not sign and not (not words and text in {*_BLOCK_ENDS, *_BLOCK_ENDS.values(), *_PREFIX_KEYWORDS, "elif"}):
            line = line if words else row
            words.append(text)
            continue
        if not sign:
            asked = text in {"if", "while", "until", "elif"} or (asked and text in {"!", "time"})
            negated = text == "!" or (negated and text == "time")
            _update_blocks(opened, text)
            continue
        if words:
            yield _ParsedCommand(words, line, before, text, tuple(opened), negated, asked)
            words, negated = [], False
        asked = asked and text in {"&&", "||", "|"}
        _update_blocks(opened, text)
        before = text if text not in {"(", "{"} else before
    if words:
        yield _ParsedCommand(words, line, before, "\n", tuple(opened), negated, asked)


def _update_blocks(open_blocks: list[str], text: str) -> None:
    """Open or close a block."""
    if text in _BLOCK_ENDS or text in {"(", "{"}:
        open_blocks.append(text)
    elif open_blocks and text in {"fi", "done", "esac", ")", "}"}:
        open_blocks.pop()


def tokenize(script: str) -> Iterator[tuple[bool, str, int]]:
    """Whether each token is an operator, its text, and its line from 0; comments and here-documents are left out."""
    at, row, held = 0, 0, ""
    while at < len(script):
        found = _TOKEN.match(script, at)
        if found is None:
            at += 1
            continue
        at = found.end()
        if found.lastgroup in {"sign", "word"}:
            yield found.lastgroup == "sign", found[0], row
        row += found[0].count("\n")
        if found[0] in {"<<", "<<-"}:
            opening = _HEREDOC.match(script, found.start())
            held = opening[1] if opening else ""
        elif found[0] == "\n" and held:
            end = re.compile(rf"^[ \t]*{held}[ \t]*$", re.MULTILINE).search(script, at)
            stop = end.start() if end else len(script)
            row += script.count("\n", at, stop)
            at, held = (end.end() if end else stop), ""


def _evaluate_commands(
    parts: Sequence[_ParsedCommand], script: str, *, errexit: bool, pipefail: bool
) -> Iterator[ShellCommand]:
    ended, trapped = "", ""
    replaced = _succeeding_names(script)
    last_failing = _last_failing_part(parts)
    for at, part in enumerate(parts):
        said = " ".join(part.words)
        trapped = trapped or _succeeding_trap(part)
        if part.words[0] == "set":
            errexit, pipefail = _apply_set_options(part.words, errexit=errexit, pipefail=pipefail)
        skipped = ended or replaced.get(part.words[0], "") or _never_runs_reason(parts, at)
        unheard = trapped or _ignored_failure_reason(
            parts, at, script, errexit, pipefail, fails_later=at < last_failing
        )
        yield ShellCommand(tuple(part.words), part.line, unheard, skipped)
        if not part.opened and said in {"exit 0", "exit"} and part.before in {"\n", ";"} and part.behind in {"\n", ";"}:
            ended = "`exit 0` ends the script before it"


def _last_failing_part(parts: Sequence[_ParsedCommand]) -> int:
    """The number of the last command with which a script fails explicitly, -1 without one."""
    texts = ["\n" + " ".join(each.words) for each in parts]
    starts = list(accumulate(map(len, texts), initial=0))
    last = -1
    for found in _EXPLICIT_FAILURE.finditer("".join(texts)):
        last = found.start()
    return bisect(starts, last) - 1


def _succeeding_trap(part: _ParsedCommand) -> str:
    """Why a script succeeds whatever fails in it, because of a command that it sets for its end; empty for any other command."""
    if part.words[0] != "trap" or part.opened or not _END_SIGNALS.intersection(part.words[2:]):
        return ""
    return f"`trap {part.words[1][:40]}` makes the script succeed" if _SUCCESS.search(part.words[1]) else ""


def _succeeding_names(script: str) -> dict[str, str]:
    """Functions and aliases of a script that do nothing but succeed, with what is wrong with a command of their name."""
    return {
        found["name"]: f"{kind} named `{found['name'][:40]}` replaces it"
        for kind, form in (("a function", _SUCCEEDING_FUNCTION), ("an alias", _SUCCEEDING_ALIAS))
        for found in islice(form.finditer(script[:MAX_CHARACTERS]), MAX_COMMANDS)
    }


_END_SIGNALS = frozenset({"EXIT", "0", "ERR"})
_SUCCESS = lazy_compile(r"(?:^|[;&\s\"'])exit\s+0\b")
_SUCCEEDING_FUNCTION = lazy_compile(
    r"(?:^|[\n;])[ \t]*(?:function[ \t]+)?(?P<name>[\w.-]{1,80})[ \t]*\(\)\s*\{\s*(?:(?:true|:|return(?:[ \t]+0)?|exit[ \t]+0|echo\b[^;\n}]{0,200}|printf\b[^;\n}]{0,200})\s*[;\n]?\s*)+\}"
)
"""A function whose body only prints or succeeds."""
_SUCCEEDING_ALIAS = lazy_compile(
    r"(?:^|[\n;&])[ \t]*alias[ \t]+(?P<name>[\w.-]{1,80})=[\"']?(?:true|:|echo|printf|exit[ \t]+0)(?![\w-])"
)


def _apply_set_options(words: Sequence[str], *, errexit: bool, pipefail: bool) -> tuple[bool, bool]:
    for at, word in enumerate(words[1:], start=1):
        name = words[at + 1] if word[1:].endswith("o") and at + 1 < len(words) else ""
        if word[:1] in {"-", "+"}:
            on = word[0] == "-"
            errexit = on if "e" in word[1:] or name == "errexit" else errexit
            pipefail = on if name == "pipefail" else pipefail
    return errexit, pipefail


def _never_runs_reason(parts: Sequence[_ParsedCommand], at: int) -> str:
    """Why a command never runs, because of a constant condition before it; empty where it may run."""
    part = parts[at]
    before = " ".join(parts[at - 1].words) if at else ""
    if (part.before == "&&" and before == "false") or (part.before == "||" and before in {"true", ":"}):
        return f"`{before} {part.before}` precedes it"
    if part.opened:
        for other in reversed(parts[:at]):
            if other.asked and len(other.opened) <= len(part.opened):
                never = " ".join(other.words) == "false" and not other.negated
                return "`if false` surrounds it" if never and other.behind in {"\n", ";"} else ""
    return ""


def _ignored_failure_reason(
    parts: Sequence[_ParsedCommand], at: int, script: str, errexit: bool, pipefail: bool, *, fails_later: bool
) -> str:
    """Why the failure of a command does not fail the script; empty where it does."""
    part = parts[at]
    rest = parts[at + 1 :]
    if part.asked or part.negated:
        return "" if fails_later or part.behind == "&&" else "its exit status is only a condition"
    if part.behind == "&":
        return "" if any(each.words[0] == "wait" for each in rest) else "it runs in the background"
    if part.behind in {"|", "|&"} and not pipefail and "PIPESTATUS" not in script:
        end = next((each for each in rest if each.behind not in {"|", "|&"}), None)
        return f"its exit status is lost in the pipe to `{end.words[0][:40]}`" if end is not None else ""
    after = _or_fallback_reason(part, rest)
    return after if after is not None else _masked_by_later_commands(part, rest, fails_later, errexit)


def _masked_by_later_commands(
    part: _ParsedCommand, rest: Sequence[_ParsedCommand], fails_later: bool, errexit: bool
) -> str:
    """Why later commands mask how a command ended."""
    if rest and _is_followed_by_success(part, rest, errexit=errexit):
        return "`exit 0` follows it"
    if not errexit and not fails_later and any(not each.opened for each in _after_and_chain(part, rest)):
        return "the shell does not stop at errors, and other commands follow"
    return ""


def _after_and_chain(part: _ParsedCommand, rest: Sequence[_ParsedCommand]) -> Sequence[_ParsedCommand]:
    """The commands after the `&&` chain of a command; those of the chain do not run where it fails."""
    sign, at = part.behind, 0
    while sign == "&&" and at < len(rest):
        sign, at = rest[at].behind, at + 1
    return rest[at:]


def _or_fallback_reason(part: _ParsedCommand, rest: Sequence[_ParsedCommand]) -> str | None:
    """What `||` after a command, or after its `&&` chain, does with its failure; None without one."""
    sign = part.behind
    others = iter(rest)
    other = next(others, None)
    while sign in {"&&", "|", "|&"} and other is not None:
        sign, other = other.behind, next(others, None)
    if sign != "||" or other is None:
        return None
    group = [other]
    if len(other.opened) > len(part.opened):
        group += [each for each in others if len(each.opened) > len(part.opened)][:50]
    said = [" ".join(each.words) for each in group]
    if any(_EXPLICIT_FAILURE.search(each) for each in said):
        return ""
    last = said[-1]
    assigned = _ASSIGNMENT.match(last)
    if assigned is not None:
        name = last[: assigned.end() - 1]
        later = "\n".join(" ".join(each.words) for each in rest if each is not other)
        return "" if re.search(rf"\$\{{?{name}\b|\(\(.*\b{name}\b", later) else f"`|| {last[:40]}` follows it"
    first = group[-1].words[0]
    return (
        f"`|| {said[0][:40]}` follows it"
        if first in shell_names("always_succeed") or last in shell_names("always_succeed")
        else ""
    )


def _is_followed_by_success(part: _ParsedCommand, rest: Sequence[_ParsedCommand], *, errexit: bool) -> bool:
    """Does `; true` follow on its line, or `exit 0` at the end, which a shell that stops at the error does not reach?"""
    if part.opened:
        return False
    after = rest[0]
    if part.behind == ";" and after.line == part.line and " ".join(after.words) in {"true", ":", "exit 0", "exit"}:
        return True
    last, stops = rest[-1], errexit and part.behind != "&&"
    return not stops and " ".join(last.words) == "exit 0" and not last.opened and last.before in {"\n", ";"}
