"""When something is said to run: on which event a workflow starts, and at which times what is scheduled does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence, beginning
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.file_roles import Role, is_test, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile

_RUNS = r"(?:runs?|running|starts?|started|triggers?|triggered|fires?|builds?|publish(?:es|ed)?|executes?|executed|deploys?|scheduled|kicks\s+off)"
_STARTED = combine_patterns(
    rf"\b{_RUNS}\b[^.;]{{0,80}}?\b(?P<tag>(?:when(?:ever)?|once|on|for|by)\s+(?:an?\s+|each\s+|every\s+|any\s+|new\s+|the\s+|version\s+|release\s+|pushed\s+|pushing\s+){{0,3}}(?:tags?\b(?!\s+of)|`v\*`))",
    rf"\b{_RUNS}\b[^.;]{{0,80}}?\b(?P<pull>(?:on|for|in)\s+(?:an?\s+|each\s+|every\s+|all\s+|any\s+|the\s+|new\s+){{0,2}}(?:pull\s+requests?|prs?)\b)",
    rf"\b{_RUNS}\b[^.;]{{0,80}}?\b(?P<hand>by\s+hand|manually|on\s+demand)\b",
    rf"\b{_RUNS}\b[^.;]{{0,80}}?\b(?P<clock>(?<!on )nightly(?!\s+(?:rust|toolchain|builds?|releases?|versions?))|every\s+(?:day|night|week|hour|morning|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{{1,2}}\s+(?:minutes|hours))|daily|hourly|weekly|on\s+a\s+schedule|once\s+an?\s+(?:day|week|hour))\b",
    rf"\b{_RUNS}\b[^.;]{{0,80}}?\b(?P<release>(?:when(?:ever)?|once)\s+(?:a|the|new)\s+(?:new\s+)?release\s+(?:is|gets|has\s+been)\s+(?:published|created|cut|drafted))",
    rf"\b{_RUNS}\b[^.;]{{0,80}}?\b(?P<push>on\s+(?:an?\s+|each\s+|every\s+|any\s+)?push(?:es)?\b(?!\s+(?:of|to)\s+(?:an?\s+)?tags?))",
)
_EVENTS = {
    "tag": {"tags", "create", "release"},
    "pull": {"pull_request", "pull_request_target", "merge_group", "issue_comment", "workflow_run"},
    "hand": {"workflow_dispatch", "repository_dispatch"},
    "clock": {"schedule"},
    "release": {"release", "tags"},
    "push": {"push", "workflow_run"},
}
"""What may start a workflow that is said to start so; one that another calls starts as that does."""
_EVENT = lazy_compile(
    r"(?:^[ \t]*(?:-[ \t]*)?|[\[,{][ \t]*)[\"']?(?P<name>[a-z_]{3,25})[\"']?[ \t]*(?=:|$|[\],}#])", re.MULTILINE
)
_ON = lazy_compile(r"^[\"']?on[\"']?\s*:(?P<rest>[^\n]*(?:\n(?:[ \t#-][^\n]*)?){0,200})", re.MULTILINE)
_OTHER_EVENT = "The description says when a workflow starts, and the workflow that comes starts at something else"
_UNCHANGED = lazy_compile(
    r"\b(?:still|remains?|already|continues?|unchanged|as before|previously|used to|no longer|not|never|instead of|currently|was|were|other|local(?:ly)?)\b|n't\b",
    re.IGNORECASE,
)


def held_triggers(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every statement on when something runs."""
    yield from held_by_form(said, _FORMS, ground)


def _started(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None unless what starts a workflow is new or changes, and nothing else of the kind may start it."""
    if _UNCHANGED.search(sentence.text):
        return None
    blocks: list[tuple[str, str]] = []
    fresh = False
    for file in ground.change.files:
        if file.head is None or role(file.path) is not Role.WORKFLOW or not file.path.startswith(".github/workflows/"):
            continue
        text = ground.documents.head.get(file.head.path)
        block = _ON.search(text) if text is not None else None
        if text is None or block is None:
            return None
        start = text.count("\n", 0, block.start()) + 1
        end = start + block.group().count("\n")
        fresh = fresh or any(start <= number <= end for number in file.added_lines)
        blocks.append((file.path, block["rest"]))
    if not fresh:
        return None
    events = _EVENTS[found.lastgroup or ""] | {"workflow_call"}
    held = any(not events.isdisjoint(_EVENT.findall(text)) for _, text in blocks)
    return Answer(held, tuple(code_location(path) for path, _ in blocks[:5]), 0.7, FROM_WORDING)


_CRON = lazy_compile(
    r"(?<![\w*/])(?P<minute>\*(?:/\d{1,2})?|\d{1,2}(?:,\d{1,2}){0,5})\s+(?P<hour>\*(?:/\d{1,2})?|\d{1,2}(?:[,-]\d{1,2}){0,8})\s+(?P<date>\*(?:/\d{1,2})?|\d{1,2}(?:,\d{1,2}){0,5})\s+(?P<month>\*|[\d,-]{1,10})\s+(?P<weekday>\*|[0-7](?:[,-][0-7]){0,6}|[A-Za-z]{3}(?:[,-][A-Za-z]{3}){0,6})(?![\w*/])"
)
_DAYS = {"sun": "0", "mon": "1", "tue": "2", "wed": "3", "thu": "4", "fri": "5", "sat": "6"}
_TIMED = combine_patterns(
    r"\bat\s+(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)\b(?!\s*(?:am|pm|local|CET|CEST|PST|EST))",
    r"\b(?P<period>nightly|daily|every\s+(?:day|night)|once\s+a\s+day|hourly|every\s+hour|once\s+an\s+hour|weekly|every\s+week|once\s+a\s+week)\b",
    r"\b(?:every|each|on)\s+(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)days?\b",
    r"\bevery\s+(?P<every>\d{1,2})\s+(?P<unit>minutes|hours)\b",
)
_SCHEDULES = lazy_compile(
    r"\b(?:cron\w*|schedul\w*|nightly|daily|hourly|weekly|every|runs?|job|workflow)\b", re.IGNORECASE
)
_OTHER_TIME = "The description says at which times something runs, and the schedule that comes has others"


class _Cron(NamedTuple):
    minute: str
    hour: str
    date: str
    weekday: str


def _timed(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no schedule comes."""
    if _UNCHANGED.search(sentence.text) or not _SCHEDULES.search(sentence.text) or not ground.whole:
        return None
    came = ground.once("schedules", lambda: list(_schedules(ground)))
    return Answer(any(_fits(found, each) for each in came), confidence=0.7) if came else None


def _schedules(ground: Ground) -> Iterator[_Cron]:
    """What lines that come schedule, those of documents left out."""
    for line in ground.came_in(lambda path: not is_test(path) and not path.endswith((".md", ".rst"))):
        for each in _CRON.finditer(beginning(line)):
            yield _Cron(each["minute"], each["hour"], each["date"], _numbered(each["weekday"]))


def _numbered(weekday: str) -> str:
    return re.sub(r"[A-Za-z]{3}", lambda name: _DAYS.get(name.group().lower(), "?"), weekday)


def _fits(found: re.Match[str], cron: _Cron) -> bool:
    if found["hour"]:
        hours, minutes = re.findall(r"\d+", cron.hour), re.findall(r"\d+", cron.minute)
        return "*" in cron.hour or (
            any(int(each) == int(found["hour"]) for each in hours)
            and any(int(each) == int(found["minute"]) for each in minutes)
        )
    if found["weekday"]:
        day = _DAYS[found["weekday"].lower()[:3]]
        return "-" in cron.weekday or day in cron.weekday or (day == "0" and "7" in cron.weekday)
    if found["every"]:
        field = cron.minute if found["unit"].lower() == "minutes" else cron.hour
        return field == f"*/{int(found['every'])}" or "," in field
    period = found["period"].lower()
    if "hour" in period:
        return cron.hour == "*" and not cron.minute.startswith("*")
    if "week" in period:
        return cron.weekday != "*" or cron.date != "*"
    return cron.hour[:1].isdigit() and cron.weekday in ("*", "1-5", "0-6") and cron.date == "*"


_FORMS = (
    Form(_STARTED, _started, "starts", _OTHER_EVENT),
    Form(_TIMED, _timed, "timed", _OTHER_TIME),
)
