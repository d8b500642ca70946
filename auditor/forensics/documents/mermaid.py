"""Mermaid flowcharts and state diagrams as nodes and edges: chains, `&`, subgraphs, labels, classes, both directions.

One pass over each statement, with bounds on nodes and edges; what it does not know it passes over and says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.lazy_regex import lazy_compile

MAX_TEXT_LENGTH = 200_000
MAX_NODES = 2_000
MAX_EDGES = 5_000
_MAX_DEPTH = 30
_HEADER = lazy_compile(
    r"^\s*(?P<kind>graph|flowchart(?:-\w+)?|stateDiagram(?:-v2)?)\b[ \t]*(?P<direction>TB|TD|BT|RL|LR)?", re.IGNORECASE
)
_IDENTIFIER = lazy_compile(r"(?:\[\*\]|[^\W_][\w.]*|_[\w.]+)(?:-(?![-.>])[\w.]+)*")
_CLASS_SUFFIX = lazy_compile(r":::[\w-]+|@\{[^{}]{0,500}\}")
_LINK = lazy_compile(
    r"\s*(?P<left>[<ox](?=[-=]))?(?:"
    r"(?P<unseen>~{3,})"
    r"|(?P<open>--|==|-\.)\s+(?P<text>[^\n|]{0,200}?)\s+(?:-{2,}|={2,}|\.+-)(?P<after>[>ox](?![\w-])|>)?"
    r"|(?:-{2,}|={2,}|-\.+-)(?P<right>>|[ox](?=\s|\|))?"
    r")\s*(?:\|(?P<label>[^|\n]{0,300})\|)?\s*"
)
_SKIPPED_STATEMENT = lazy_compile(
    r"^(?:classDef|class|style|linkStyle|click|direction|accTitle|accDescr|title|hide|scale|note|%%)\b", re.IGNORECASE
)
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_SUBGRAPH = lazy_compile(
    r"^subgraph\b\s*(?P<name>[^\[\"\n]*?)\s*(?:[\[\"(]+(?P<title>[^\])\"]{0,300}).*)?$", re.IGNORECASE
)
_STATE = lazy_compile(
    r"^state\s+(?:\"(?P<title>[^\"]{0,300})\"\s+as\s+)?(?P<name>[\w.-]+)\s*(?:<<(?P<mark>\w+)>>)?\s*(?P<opens>\{)?",
    re.IGNORECASE,
)
_TRANSITION = lazy_compile(
    r"^(?P<source>\[\*\]|[\w.-]+)\s*-->\s*(?P<target>\[\*\]|[\w.-]+)\s*(?::\s*(?P<label>.{0,300}))?$"
)


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge as drawn, from source to target."""

    source: str
    target: str
    label: str = ""


@dataclass
class Diagram:
    """A diagram read: nodes with their labels, arrows, and which group each node is in."""

    kind: str
    nodes: dict[str, str] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)
    groups: dict[str, set[str]] = field(default_factory=dict)
    decisions: set[str] = field(default_factory=set)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ParallelStage:
    """A node from which several others go out, and the one at which they come together again."""

    source: str
    branches: tuple[str, ...]
    join: str


def parse(text: str) -> Diagram | None:
    """The diagram; None for a kind of diagram that is no graph of nodes, or for no diagram at all."""
    lines = _clean_lines(text[:MAX_TEXT_LENGTH])
    header = _HEADER.match(lines[0]) if lines else None
    if header is None:
        return None
    lines[0] = lines[0][header.end() :]
    kind = "state" if header["kind"].lower().startswith("state") else "flowchart"
    drawing = Diagram(kind)
    if len(text) > MAX_TEXT_LENGTH:
        drawing.problem = f"only its first {MAX_TEXT_LENGTH:,} characters were read"
    reader = _read_states if kind == "state" else _read_flowchart
    reader(lines, drawing)
    _expand_groups(drawing)
    return drawing


def _clean_lines(text: str) -> list[str]:
    """Statements, without comments, directives and front matter."""
    text = re.sub(r"\A\s*---\n.{0,5000}?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"%%\{[^%]{0,5000}\}%%", "", text, flags=re.DOTALL)
    lines = [re.sub(r"%%.*$", "", line).rstrip() for line in text.split("\n")]
    while lines and not lines[0].strip():
        lines.pop(0)
    return lines


def _read_flowchart(lines: list[str], drawing: Diagram) -> None:
    open_groups: list[str] = []
    for statement in _statements(lines):
        if _SKIPPED_STATEMENT.match(statement):
            continue
        group = _SUBGRAPH.match(statement)
        if group is not None:
            if len(open_groups) < _MAX_DEPTH:
                name = (group["name"] or group["title"] or f"group {len(drawing.groups)}").strip()
                open_groups.append(name)
                drawing.groups.setdefault(name, set())
            continue
        if statement.lower() == "end":
            if open_groups:
                open_groups.pop()
            continue
        _read_chain(statement, drawing, open_groups)
        if drawing.problem:
            return


def _statements(lines: list[str]) -> Iterator[str]:
    for line in lines:
        for statement in _split_statements(line[:5000]):
            stripped = statement.strip()
            if stripped:
                yield stripped


def _split_statements(line: str) -> Iterator[str]:
    """At semicolons outside of quotes and brackets."""
    start, depth, quoted = 0, 0, False
    for place, letter in enumerate(line):
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in "[({":
            depth += 1
        elif not quoted and letter in "])}":
            depth = max(0, depth - 1)
        elif letter == ";" and not quoted and not depth:
            yield line[start:place]
            start = place + 1
    yield line[start:]


def _read_chain(statement: str, drawing: Diagram, groups: list[str]) -> None:
    """Nodes, a link, nodes, a link, ... of one statement."""
    place = 0
    before: list[str] = []
    link: re.Match[str] | None = None
    while place < len(statement):
        nodes, place = _node_list(statement, place, drawing, groups)
        if not nodes:
            return
        if link is not None:
            _connect(before, nodes, link, drawing)
        before = nodes
        link = _LINK.match(statement, place)
        if link is None or link.end() == place:
            return
        place = link.end()


def _node_list(statement: str, place: int, drawing: Diagram, groups: list[str]) -> tuple[list[str], int]:
    nodes: list[str] = []
    while True:
        while place < len(statement) and statement[place] in " \t&":
            place += 1
        found = _IDENTIFIER.match(statement, place)
        if found is None:
            return nodes, place
        name = found[0]
        label, place, decides = _read_shape(statement, found.end())
        marked = _CLASS_SUFFIX.match(statement, place)
        place = marked.end() if marked else place
        _add_node(name, label, drawing, groups)
        if decides:
            drawing.decisions.add(name)
        nodes.append(name)
        after = re.compile(r"\s*&").match(statement, place)
        if after is None:
            return nodes, place
        place = after.end()


def _read_shape(statement: str, place: int) -> tuple[str, int, bool]:
    """The text in a node's brackets, where they end, and whether they are those of a decision."""
    if place >= len(statement) or statement[place] not in "[({>":
        return "", place, False
    if statement[place] == ">":
        end = statement.find("]", place)
        return (statement[place + 1 : end].strip(), end + 1, False) if end > 0 else ("", place, False)
    stack: list[str] = []
    quoted = False
    for at in range(place, len(statement)):
        letter = statement[at]
        if letter == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif letter in _CLOSING:
            stack.append(_CLOSING[letter])
        elif stack and letter == stack[-1]:
            stack.pop()
            if not stack:
                text = statement[place : at + 1].strip("[](){}/\\ \"'")
                return text, at + 1, statement[place] == "{"
    return "", len(statement), False


def _add_node(name: str, label: str, drawing: Diagram, groups: list[str]) -> None:
    if name in drawing.groups and not label:
        return
    if len(drawing.nodes) >= MAX_NODES:
        drawing.problem = f"it has more than {MAX_NODES:,} nodes"
        return
    if label or name not in drawing.nodes:
        drawing.nodes[name] = " ".join(re.sub(r"<[^>]{0,50}>|\\n", " ", label).split()) or drawing.nodes.get(name, name)
    for group in groups:
        drawing.groups[group].add(name)


def _connect(before: list[str], after: list[str], link: re.Match[str], drawing: Diagram) -> None:
    if link["unseen"]:
        return
    label = (link["label"] or link["text"] or "").strip().strip('"')
    both = bool(link["left"] and link["left"] == "<")
    for source in before:
        for target in after:
            _add_arrow(Arrow(source, target, label), drawing)
            if both:
                _add_arrow(Arrow(target, source, label), drawing)


def _add_arrow(arrow: Arrow, drawing: Diagram) -> None:
    if len(drawing.arrows) >= MAX_EDGES:
        drawing.problem = f"it has more than {MAX_EDGES:,} edges"
    else:
        drawing.arrows.append(arrow)


def _read_states(lines: list[str], drawing: Diagram) -> None:
    """A state diagram; `[*]` is the start as a source and the end as a target, of the whole or of a composite state."""
    open_groups: list[str] = []
    for statement in _without_notes(_statements(lines)):
        moved = _TRANSITION.match(statement)
        declared = _STATE.match(statement)
        if statement == "}":
            open_groups = open_groups[:-1]
        elif moved is not None:
            _add_transition(moved, drawing, open_groups)
        elif declared is not None:
            _add_state(declared, drawing, open_groups)
        if drawing.problem:
            return


def _without_notes(statements: Iterator[str]) -> Iterator[str]:
    in_note = False
    for statement in statements:
        spoken = statement.lower()
        if in_note or spoken.startswith("note "):
            in_note = not spoken.startswith("end note") and (in_note or ":" not in statement)
        else:
            yield statement


def _add_transition(moved: re.Match[str], drawing: Diagram, groups: list[str]) -> None:
    scope = f"{groups[-1]}." if groups else ""
    source = f"{scope}[start]" if moved["source"] == "[*]" else moved["source"]
    target = f"{scope}[end]" if moved["target"] == "[*]" else moved["target"]
    for name in (source, target):
        _add_node(name, "", drawing, groups)
    _add_arrow(Arrow(source, target, (moved["label"] or "").strip()), drawing)


def _add_state(declared: re.Match[str], drawing: Diagram, groups: list[str]) -> None:
    if declared["mark"] == "choice":
        drawing.decisions.add(declared["name"])
    if declared["opens"] and len(groups) < _MAX_DEPTH:
        groups.append(declared["name"])
        drawing.groups.setdefault(declared["name"], set())
    else:
        _add_node(declared["name"], declared["title"] or "", drawing, groups)


def _expand_groups(drawing: Diagram) -> None:
    """An arrow to a group leads to the nodes it begins with, one from a group leaves those it ends with."""
    for name in drawing.groups:
        drawing.nodes.pop(name, None)
    arrows: list[Arrow] = []
    for arrow in drawing.arrows:
        sources = _group_ends(arrow.source, drawing, first=False)
        targets = _group_ends(arrow.target, drawing, first=True)
        arrows += [Arrow(source, target, arrow.label) for source in sources for target in targets]
        if len(arrows) > MAX_EDGES:
            drawing.problem = f"it has more than {MAX_EDGES:,} edges"
            break
    drawing.arrows = list(dict.fromkeys(arrows))[:MAX_EDGES]


def _group_ends(name: str, drawing: Diagram, *, first: bool) -> list[str]:
    members = drawing.groups.get(name)
    if not members:
        return [name]
    inner = [arrow for arrow in drawing.arrows if arrow.source in members and arrow.target in members]
    reached = {arrow.target if first else arrow.source for arrow in inner}
    return sorted(members - reached) or sorted(members)


def parallel_stages(drawing: Diagram) -> tuple[ParallelStage, ...]:
    """Nodes with several ways out that are no choice, whose ways meet again."""
    after: dict[str, list[str]] = {}
    labels: dict[str, set[str]] = {}
    for arrow in drawing.arrows:
        if arrow.target not in after.setdefault(arrow.source, []):
            after[arrow.source].append(arrow.target)
        if arrow.label:
            labels.setdefault(arrow.source, set()).add(arrow.label.lower())
    stages: list[ParallelStage] = []
    for source, branches in after.items():
        if len(branches) < 2:
            continue
        chosen = _is_choice(source, branches, drawing) or (
            source in drawing.decisions and not _is_fork(source, drawing)
        )
        for together in _branches_by_label(source, drawing) if chosen else [branches]:
            join = _find_join(together, after)
            if join is not None:
                stages.append(ParallelStage(source, tuple(together), join))
    return tuple(stages)


def _branches_by_label(source: str, drawing: Diagram) -> list[list[str]]:
    """Of a choice, the branches that one and the same word leads to: they run together."""
    found: dict[str, list[str]] = {}
    for arrow in drawing.arrows:
        if arrow.source == source and arrow.label and arrow.target not in found.setdefault(arrow.label.lower(), []):
            found[arrow.label.lower()].append(arrow.target)
    return [each for each in found.values() if len(each) > 1]


def _is_fork(source: str, drawing: Diagram) -> bool:
    """Does a node drawn like a decision say that everything after it runs: by its own words, where no word picks one of the ways?"""
    said = {arrow.label.lower() for arrow in drawing.arrows if arrow.source == source and arrow.label}
    label = drawing.nodes.get(source, source)
    return len(said) < 2 and "?" not in label and _FORK_WORDS.search(f"{source} {label}") is not None


_FORK_WORDS = lazy_compile(
    r"fan[ _-]?out|parallel|\bforks?\b|\bsplits?\b|dispatch|broadcast|scatter|concurren", re.IGNORECASE
)


def _is_choice(source: str, branches: list[str], drawing: Diagram) -> bool:
    """Different words on the ways out say that one of them is taken; the same data sent on each way does not."""
    said = {arrow.label.lower() for arrow in drawing.arrows if arrow.source == source and arrow.label}
    chosen = lazy_compile(
        r"\b(?:yes|no|true|false|ok|else|if|fail\w*|error|missing|empty|success|valid|invalid|retry|continue|skip|pass)\b"
    )
    return len(said) > 1 and any(chosen.search(each) for each in said) and len(said) >= len(branches) - 1


def _find_join(branches: list[str], after: dict[str, list[str]]) -> str | None:
    """The nearest node that at least two of the branches lead to."""
    distance = [_distances(branch, after) for branch in branches]
    shared: dict[str, int] = {}
    for node in {each for reached in distance for each in reached}:
        near = sorted(reached[node] for reached in distance if node in reached)
        if len(near) >= 2 and (node not in branches or len(near) == len(branches)):
            shared[node] = near[0] + near[1] - len(near)
    candidates = {node: cost for node, cost in shared.items() if node not in branches}
    return min(candidates, key=lambda node: (candidates[node], node)) if candidates else None


def _distances(start: str, after: dict[str, list[str]]) -> dict[str, int]:
    reached = {start: 0}
    waiting = [start]
    while waiting:
        node = waiting.pop(0)
        for each in after.get(node, ()):
            if each not in reached:
                reached[each] = reached[node] + 1
                waiting.append(each)
    return reached
