"""The commands of a shell script, and whether the failure of each makes the script fail.

Follows what decides that: `set -e` and its absence, `||`, pipes, `&`, conditions, an early `exit 0`. Nothing is run, and
what a variable or a function holds is not followed; where that matters, a failure counts as heard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from auditor.lazy_regex import lazy_compile

MAX_CHARACTERS = 60_000
MAX_COMMANDS = 500
_HEREDOC = lazy_compile(r"<<-?\s{0,5}[\"']?(\w{1,60})[\"']?")
_TOKEN = lazy_compile(
    r"(?P<space>[ \t\r]+|\\\n)|(?P<comment>(?<![^\s;&|(])#[^\n]*)|(?P<sign>&&|\|\||;;|\|&|&>>?|>&\d?|\d?>>?&?\d?|<<<?-?|<|[;&|\n(){}])"
    r"|(?P<word>(?:\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"|\$\{\{(?:(?!\}\}).){0,400}\}\}|\$\{[^}\n]{0,400}\}|\$\((?:[^()]|\([^()]{0,400}\)){0,2000}\)|`[^`]*`|\{(?=[^\s;])|(?<=[^\s;])\}|[^\s;&|(){}<>\\'\"`]|[\\'\"`])+)",
    re.DOTALL,
)
_STOPS = frozenset({"&&", "||", ";", ";;", "|", "|&", "&", "\n", "(", ")", "{", "}"})
_ASSIGNMENT = lazy_compile(r"^[A-Za-z_]\w*=")
_SUCCEEDS = frozenset({"true", ":", "echo", "printf", "exit 0", "return 0", "test 1", "/bin/true"})
"""Commands that end well whatever came before."""
INERT = frozenset({"true", ":", "echo", "printf", "/bin/true"})
"""Programs that do nothing that can fail."""
_EXITS = lazy_compile(r"(?:^|[\s;&|({])(?:exit|return)\s+(?:[1-9]\d{0,2}|\"?\$)|(?:^|[\s;&|({])false\b|::error\b")
"""The script says somewhere that it fails."""
_OPENS = {"if": "fi", "while": "done", "until": "done", "for": "done", "case": "esac"}
_SKIPS = frozenset({"then", "else", "do", "!", "time"})


@dataclass(frozen=True)
class Command:
    """A simple command: its words, its line from 0, and why its failure is not heard (empty where it is) or it never runs."""

    words: tuple[str, ...]
    line: int
    unheard: str = ""
    skipped: str = ""


@dataclass
class _Part:
    """A command while it is read: what stands before and behind it."""

    words: list[str]
    line: int
    before: str = ""
    behind: str = ""
    opened: tuple[str, ...] = ()
    negated: bool = False
    asked: bool = False


def commands(script: str, *, errexit: bool = True, pipefail: bool = False) -> tuple[Command, ...]:
    """The commands of a script that is started with these options of the shell."""
    parts = list(islice(_parts(script[:MAX_CHARACTERS]), MAX_COMMANDS))
    return tuple(_judged(parts, script, errexit=errexit, pipefail=pipefail))


def _parts(script: str) -> Iterator[_Part]:
    """Simple commands in order, with the signs around them and the blocks that are open."""
    opened: list[str] = []
    words: list[str] = []
    asked, negated, aside, before, line = False, False, False, "\n", 0
    for sign, text, row in _tokens(script):
        if sign and text not in _STOPS:
            aside = text.endswith((">", "<"))
            continue
        if aside and not sign:
            aside = False
            continue
        aside = False
        if not sign and not (not words and text in {*_OPENS, *_OPENS.values(), *_SKIPS, "elif"}):
            line = line if words else row
            words.append(text)
            continue
        if not sign:
            asked = text in {"if", "while", "until", "elif"} or (asked and text in {"!", "time"})
            negated = text == "!" or (negated and text == "time")
            _turn(opened, text)
            continue
        if words:
            yield _Part(words, line, before, text, tuple(opened), negated, asked)
            words, negated = [], False
        asked = asked and text in {"&&", "||", "|"}
        _turn(opened, text)
        before = text if text not in {"(", "{"} else before
    if words:
        yield _Part(words, line, before, "\n", tuple(opened), negated, asked)


def _turn(opened: list[str], text: str) -> None:
    """Open or close a block."""
    if text in _OPENS or text in {"(", "{"}:
        opened.append(text)
    elif opened and text in {"fi", "done", "esac", ")", "}"}:
        opened.pop()


def _tokens(script: str) -> Iterator[tuple[bool, str, int]]:
    """Whether each is a sign, its text, and its line from 0; comments and texts held in the script are left out."""
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


def _judged(parts: Sequence[_Part], script: str, *, errexit: bool, pipefail: bool) -> Iterator[Command]:
    ended = ""
    for at, part in enumerate(parts):
        said = " ".join(part.words)
        if part.words[0] == "set":
            errexit, pipefail = _options(part.words, errexit=errexit, pipefail=pipefail)
        skipped = ended or _never(parts, at)
        yield Command(tuple(part.words), part.line, _unheard(parts, at, script, errexit, pipefail), skipped)
        if not part.opened and said in {"exit 0", "exit"} and part.before in {"\n", ";"} and part.behind in {"\n", ";"}:
            ended = "`exit 0` ends the script before it"


def _options(words: Sequence[str], *, errexit: bool, pipefail: bool) -> tuple[bool, bool]:
    for at, word in enumerate(words[1:], start=1):
        name = words[at + 1] if word[1:].endswith("o") and at + 1 < len(words) else ""
        if word[:1] in {"-", "+"}:
            on = word[0] == "-"
            errexit = on if "e" in word[1:] or name == "errexit" else errexit
            pipefail = on if name == "pipefail" else pipefail
    return errexit, pipefail


def _never(parts: Sequence[_Part], at: int) -> str:
    """Does a command that always ends the same way stand before it?"""
    part = parts[at]
    before = " ".join(parts[at - 1].words) if at else ""
    if (part.before == "&&" and before == "false") or (part.before == "||" and before in {"true", ":"}):
        return f"`{before} {part.before}` stands before it"
    if part.opened:
        for other in reversed(parts[:at]):
            if other.asked and len(other.opened) <= len(part.opened):
                never = " ".join(other.words) == "false" and not other.negated
                return "`if false` surrounds it" if never and other.behind in {"\n", ";"} else ""
    return ""


def _unheard(parts: Sequence[_Part], at: int, script: str, errexit: bool, pipefail: bool) -> str:
    """Why the failure of a command does not fail the script; empty where it does."""
    part = parts[at]
    rest = parts[at + 1 :]
    fails_later = _EXITS.search("\n".join(" ".join(each.words) for each in rest)) is not None
    if part.asked or part.negated:
        return "" if fails_later or part.behind == "&&" else "its exit status is only a condition"
    if part.behind == "&":
        return "" if any(each.words[0] == "wait" for each in rest) else "it runs in the background"
    if part.behind in {"|", "|&"} and not pipefail and "PIPESTATUS" not in script:
        end = next((each for each in rest if each.behind not in {"|", "|&"}), None)
        return f"its exit status is lost in the pipe to `{end.words[0][:40]}`" if end is not None else ""
    after = _alternative(part, rest)
    return after if after is not None else _passed_over(part, rest, fails_later, errexit)


def _passed_over(part: _Part, rest: Sequence[_Part], fails_later: bool, errexit: bool) -> str:
    """Why the commands that follow hide how one ended."""
    if rest and _ends_well(part, rest):
        return "`exit 0` follows it"
    if not errexit and not fails_later and any(not each.opened for each in _behind_chain(part, rest)):
        return "the shell does not stop at errors, and other commands follow"
    return ""


def _behind_chain(part: _Part, rest: Sequence[_Part]) -> Sequence[_Part]:
    """The commands behind the `&&` chain that one stands in: those of the chain do not run where it fails."""
    sign, at = part.behind, 0
    while sign == "&&" and at < len(rest):
        sign, at = rest[at].behind, at + 1
    return rest[at:]


def _alternative(part: _Part, rest: Sequence[_Part]) -> str | None:
    """What `||` behind a command, or behind the rest of its `&&` chain, makes of its failure; None without one."""
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
    if any(_EXITS.search(each) for each in said):
        return ""
    last = said[-1]
    assigned = _ASSIGNMENT.match(last)
    if assigned is not None:
        name = last[: assigned.end() - 1]
        later = "\n".join(" ".join(each.words) for each in rest if each is not other)
        return "" if re.search(rf"\$\{{?{name}\b|\(\(.*\b{name}\b", later) else f"`|| {last[:40]}` follows it"
    first = group[-1].words[0]
    return f"`|| {said[0][:40]}` follows it" if first in _SUCCEEDS or last in _SUCCEEDS else ""


def _ends_well(part: _Part, rest: Sequence[_Part]) -> bool:
    """Does `exit 0` follow at the margin, or `; true` on its own line?"""
    if part.opened:
        return False
    after = rest[0]
    if part.behind == ";" and after.line == part.line and " ".join(after.words) in {"true", ":", "exit 0", "exit"}:
        return True
    return " ".join(rest[-1].words) == "exit 0" and not rest[-1].opened and rest[-1].before in {"\n", ";"}
