"""Commands that a description says are there, such as `make seed`, held against the files that would hold them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from auditor.forensics.description.change_contents import FROM_WORDING, MAX_SENTENCES, Answer, Ground, Held, Sentence
from auditor.forensics.description.code_name_claims import stated
from auditor.forensics.description.phrase_claim_checks import Told, held_once
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, groups_by_role
from auditor.lazy_regex import lazy_compile

_COMMAND = r"`(?:\$\s*)?(?P<command_{0}>make|npm run|yarn run|pnpm run|just)\s+(?P<task_{0}>[\w][\w:.-]{{0,40}})`"
_DOES = r"(?:runs?|does|calls?|builds?|starts?|creates?|installs?|executes?|launches|generates?|fills?|seeds?|checks|lints?|formats?|deploys?|cleans?|prints?|shows?|brings?|works?|invokes?|wraps?|tests)"
_SAID = combine_patterns(
    rf"(?:^(?:[-*+]\s+|\[x\]\s+)?(?:the\s+)?(?:new\s+)?(?:command\s+|target\s+)?|\bnew\s+|,\s*|\band\s+){_COMMAND.format('there')}\s+(?:target\s+|command\s+)?(?:now\s+|also\s+|then\s+)?{_DOES}\b",
    rf"\b(?:add|introduc|creat|provid)(?:es?|s|e?d|ing)?\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:command\s+|target\s+|script\s+)?{_COMMAND.format('added')}",
)
_WRONG = "The description says that a command is there, and no file of the repository holds it"


class _Runner(NamedTuple):
    """Where the tasks of a command stand, and how one is written."""

    holds: Callable[[str], bool]
    task: str
    more: re.Pattern[str]
    """What brings tasks in from files that were not read."""


_MAKES = lazy_compile(
    r"(?:^|/)(?:GNUmakefile|[Mm]akefile(?:\.[\w.-]+)?|[\w.-]+\.(?:mk|mak)|CMakeLists\.txt|Makefile\.(?:am|in|PL)|configure(?:\.ac)?)$"
)
_SCRIPTS = lazy_compile(r"(?:^|/)package\.json$")
_JUST = lazy_compile(r"(?:^|/)\.?justfile$|\.just$", re.IGNORECASE)
_RUNNERS = {
    "make": _Runner(lambda path: _MAKES.search(path) is not None, r"^[^#\t=]{{0,200}}(?<![\w.-]){}(?![\w-])[^=\n]{{0,200}}:", lazy_compile(r"^-?s?include\b|\$\(|%", re.MULTILINE)),
    "npm": _Runner(lambda path: _SCRIPTS.search(path) is not None, r"\"{}\"\s*:", lazy_compile(r"(?!)")),
    "just": _Runner(lambda path: _JUST.search(path) is not None, r"^@?{}\b", lazy_compile(r"^(?:import|mod)\b", re.MULTILINE)),
}  # fmt: skip


def held_commands(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every command that is said to be there, once."""
    yield from held_once(_told(said, ground))


def _told(said: list[Sentence], ground: Ground) -> Iterator[Told]:
    for sentence in said[:MAX_SENTENCES]:
        for found in stated(_SAID, sentence.text):
            command, task = groups_by_role(found).values()
            name = "npm" if " " in command else command.lower()
            weigh = partial(_there, name, task, ground, added=found["command_added"] is not None)
            yield Told("command", (command, task), sentence, weigh, _WRONG)


def _there(name: str, task: str, ground: Ground, *, added: bool) -> Answer | None:
    """None where a file that may hold it was not read."""
    runner = _RUNNERS[name]
    holding = ground.once(f"files for {name}", lambda: [path for path in ground.tree.head if runner.holds(path)])
    if not holding:
        return Answer(
            False, confidence=0.75, because=f"{FROM_WORDING}; the command may be meant for another repository"
        )
    read = {path: ground.documents.head[path] for path in holding if path in ground.documents.head}
    form = re.compile(runner.task.format(re.escape(task)), re.MULTILINE)
    if any(form.search(text) for text in read.values()):
        return Answer(holds=True)
    if any(runner.more.search(text) for text in read.values()) or len(read) < len(holding):
        untouched = added and not any(runner.holds(path) for path in ground.touched)
        return Answer(False, confidence=0.65, because=FROM_WORDING) if untouched and len(holding) == 1 else None
    return Answer(False, confidence=0.75, because=FROM_WORDING)
