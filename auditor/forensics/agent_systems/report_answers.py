"""The answer whether a report is written: a Markdown file with headings, at the end of the run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Choice,
    Const,
    Item,
    Map,
    Op,
    Text,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.system_report_types import NO_PRODUCT_CODE, ProbeAnswer, Spot, Where, WhereData
from auditor.forensics.agent_systems.value_contents import known_words, text_of, walk

MAX_VALUE_PARTS = 6_000
"""Parts of a value that are looked at."""
REPORT_NAME = re.compile(r"report|verdict|result|decision|ruling|judgment|answer|output|final", re.IGNORECASE)
_SUMMARY_NAME = re.compile(
    r"audit|summary|review|brief|memo|analysis|finding|article|paper|digest|minutes", re.IGNORECASE
)
_HEADING = re.compile(r"(?:^|\n)\s{0,3}#{1,4} ?\S?")
_MARKDOWN = re.compile(r"\.(?:md|markdown)\b", re.IGNORECASE)
_DATA_FILE = re.compile(r"\.(?:jsonl?|ya?ml|csv|toml|py)\b", re.IGNORECASE)
_SERIALISED = frozenset({"dumps", "dump", "safe_dump", "to_json", "model_dump_json", "stringify"})
_HEADINGS = 2
"""Headings by which a text is a report, wherever it is written to."""


def report_answer(study: ProgramStudy) -> ProbeAnswer:
    """Is a report written, where, and of what?"""
    if not study.python:
        return NO_PRODUCT_CODE
    found: list[tuple[Where, float, str]] = []
    printed: list[Spot] = []
    for event in study.events(
        lambda each: each.call.last in {"write_text", "write", "writelines", "print"} and each.call.place.unit.product
    ):
        call = event.call
        headings = _headings(call.args) or _headings(tuple(_from_state(study, call)))
        if call.last == "print":
            if headings > 2:
                printed.append(study.place_spot(call.place))
            continue
        path = _written_to(call)
        markdown = bool(_MARKDOWN.search(path))
        if not _may_report(call, path, headings, markdown=markdown):
            continue
        dead = study.unused_reason(call.place.unit, call.place.node) or study.disabled_reason(
            call.place.unit, call.place.node
        )
        where = Where(
            path=call.place.unit.path,
            line=call.place.line,
            what=f"{headings} heading{'s' * (headings != 1)}" + (f" to {_shown(path)}" if markdown else ""),
        )
        found.append((where, 0.95 if headings >= _HEADINGS and markdown else 0.7, dead))
    live = [(where, sure) for where, sure, dead in found if not dead]
    if live:
        live.sort(key=lambda each: -each[1])
        data = WhereData(where=tuple(where for where, _ in live))
        spots = tuple(study.line(study.program.units[where.path], where.line) for where, _ in live)
        sure = live[0][1]
        return ProbeAnswer(answer=True, statement=f"A Markdown report is written to a file ({live[0][0].what}).", data=data, spots=spots, confidence=sure,
                      because="" if sure >= 1 else "the text or its path is built at run time")  # fmt: skip
    sure, why = study.doubt(of=0.8)
    if found:
        where, _, dead = found[0]
        return ProbeAnswer(answer=False, statement=f"The code that writes the report is dead code: {dead}.", data=WhereData(where=(where,)), confidence=0.7,
                      because="code outside this repository may use it", spots=(study.line(study.program.units[where.path], where.line),))  # fmt: skip
    if printed:
        return ProbeAnswer(
            answer=False,
            statement="The report is printed, not written to a file.",
            data=WhereData(where=()),
            spots=tuple(printed[:5]),
            confidence=sure,
            because=why,
        )
    return ProbeAnswer(
        answer=False,
        statement="No Markdown report is written to a file.",
        data=WhereData(where=()),
        confidence=sure,
        because=why,
    )


def _may_report(call: Call, path: str, headings: int, *, markdown: bool) -> bool:
    """May what is written be a report: by its headings, or as Markdown from somewhere that speaks of one?"""
    if _is_data(call) or (_DATA_FILE.search(path) and not markdown):
        return False
    if headings >= _HEADINGS:
        return True
    return markdown and headings + _unknown_content(call) >= 1 and _is_report(call, path)


def _is_data(call: Call) -> bool:
    """Is what is written the record of a machine, such as JSON?"""
    parts = (part for each in call.args for part in walk(each, lambda part: isinstance(part, (Op, Text, Choice))))
    return any(isinstance(part, Call) and part.last in _SERIALISED for part in parts)


def _is_report(call: Call, path: str) -> bool:
    """Do the path, the function or the file speak of a report, where nothing is seen of what is written?"""
    unit = call.place.unit
    function = unit.function_of(call.place.node)
    told = f"{path} {function.name if function is not None else ''} {unit.stem}"
    return REPORT_NAME.search(told) is not None or _SUMMARY_NAME.search(told) is not None


def _from_state(study: ProgramStudy, call: Call) -> Iterator[Value]:
    """What nodes of the graph put under the keys that a call takes from its result."""
    if "written by nodes" not in study.memory:
        found: dict[str, list[Value]] = {}
        for graph in study.live_graphs[:2]:
            for part in (part for result in graph.results.values() for part in walk(result) if isinstance(part, Map)):
                for key, value in part.items:
                    found.setdefault(text_of(key) or "", []).append(value)
        study.memory["written by nodes"] = found
    by_key: dict[str, list[Value]] = study.memory["written by nodes"]
    taken = {_key_of(part) for value in call.args for part in walk(value)}
    for name in sorted(taken - {""}):
        yield from by_key.get(name, [])[:40]


def _key_of(part: Value) -> str:
    """The key that something is taken by, `result["report"]` or `result.get("report")`; empty for anything else."""
    if isinstance(part, Call) and part.name == ".get" and part.args:
        return text_of(part.args[0]) or ""
    return (text_of(part.key) or "") if isinstance(part, Item) else ""


def _headings(values: tuple[Value, ...]) -> int:
    """Markdown headings in what is written."""
    texts = [
        known_words(part) if isinstance(part, Const) else ""
        for value in values
        for part in walk(value, limit=MAX_VALUE_PARTS)
    ]
    return sum(len(_HEADING.findall(text)) for text in texts if "#" in text)


def _unknown_content(call: Call) -> int:
    return int(any(isinstance(part, (Unknown, Attr, Item, Call)) for value in call.args for part in walk(value)))


def _shown(path: str) -> str:
    """Of the known words of a path the one that names the file, or what is known of its end."""
    word = next(each for each in reversed(path.split(_GAP)) if _MARKDOWN.search(each)).strip()
    name = word.replace("\\", "/").rpartition("/")[2]
    return f"*{name}" if name.startswith((".", "_", "-")) else name


_GAP = "\n"
"""Between known words of a path stands what only a run knows."""


def _written_to(call: Call) -> str:
    """The known words of the path a call writes to."""
    if not isinstance(call.func, Attr):
        return ""
    return _GAP.join(
        part.value for part in walk(call.func.base) if isinstance(part, Const) and isinstance(part.value, str)
    )
