"""Mermaid as nodes and edges, and the parallel stages that a drawing shows."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.documents.mermaid import MAX_EDGES, Diagram, parallel_stages, parse


def drawn(text: str) -> Diagram:
    """The drawing of a text that is one."""
    drawing = parse(text)
    assert drawing is not None
    return drawing


def arrows(text: str) -> list[tuple[str, str]]:
    """Source and target of every arrow."""
    return [(each.source, each.target) for each in drawn(text).arrows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graph TD\nA-->B", [("A", "B")]),
        ("graph TD; A-->B; B-->C", [("A", "B"), ("B", "C")]),
        ("flowchart LR\n  A --> B --> C", [("A", "B"), ("B", "C")]),
        ("graph LR\nA & B --> C & D", [("A", "C"), ("A", "D"), ("B", "C"), ("B", "D")]),
        ("graph LR\nA[Start here] -->|yes| B{Is it?}", [("A", "B")]),
        ("graph LR\nA -- some text --> B", [("A", "B")]),
        ("graph LR\nA -. text .-> B\nA == text ==> C", [("A", "B"), ("A", "C")]),
        ("graph LR\nA -.-> B\nA ==> C\nA --- D\nA --o E\nA --x F", [("A", "B"), ("A", "C"), ("A", "D"), ("A", "E"), ("A", "F")]),
        ("graph LR\nA <--> B", [("A", "B"), ("B", "A")]),
        ("graph LR\nA ~~~ B\nA --> C", [("A", "C")]),
        ("graph LR\nA:::big --> B:::small\nclassDef big fill:#f9f\nclass A big\nstyle A fill:#fff\nlinkStyle 0 stroke:#f00", [("A", "B")]),
        ('graph TD\nA["a (b) --> c; d"] --> B("x")', [("A", "B")]),
        ("graph TD\nmy-node --> other_node.x", [("my-node", "other_node.x")]),
        ("graph TD\n%% A --> X\nA --> B %% note", [("A", "B")]),
        ("---\ntitle: x\n---\n%%{init: {'theme': 'dark'}}%%\nflowchart TD\nA((a)) ---> B>flag] ----> C[/p/]", [("A", "B"), ("B", "C")]),
        ("graph TD\nstart --> ende\nende --> subgraphic", [("start", "ende"), ("ende", "subgraphic")]),
        ("graph TD\nsubgraph S [Group]\n  direction LR\n  B --> C\nend\nA --> S\nS --> D", [("B", "C"), ("A", "B"), ("C", "D")]),
        ("stateDiagram-v2\n[*] --> A\nA --> B: go\nB --> [*]", [("[start]", "A"), ("A", "B"), ("B", "[end]")]),
        ("stateDiagram\nstate fork <<fork>>\nA --> fork\nfork --> B\nnote right of A\n  X --> Y\nend note\nfork --> C", [("A", "fork"), ("fork", "B"), ("fork", "C")]),
    ],
)  # fmt: skip
def test_arrows_are_read_as_drawn(text: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(arrows(text)) == sorted(expected)


def test_labels_and_groups_are_kept() -> None:
    drawing = drawn('graph TD\nsubgraph L1["Layer 1"]\nA["Repo<br/>Investigator"]\nend\nA -->|ok| B')
    assert drawing.nodes == {"A": "Repo Investigator", "B": "B"}
    assert drawing.groups == {"L1": {"A"}}
    assert drawing.arrows[0].label == "ok"


@pytest.mark.parametrize(
    "text", ["", "sequenceDiagram\nA->>B: hi", "pie\n", "just text", "classDiagram\nA <|-- B", "graphics TD"]
)
def test_what_is_no_graph_of_nodes_is_none(text: str) -> None:
    assert parse(text) is None


COURT = """graph TD
START --> ctx
ctx --> repo & docs & vision
repo & docs & vision --> agg
agg -->|evidence| pro & defense & lead
agg -->|none| END
pro & defense & lead --> justice
justice --> END"""


def test_two_stages_are_seen_with_their_branches_and_joins() -> None:
    stages = parallel_stages(drawn(COURT))
    assert [(each.source, each.join) for each in stages] == [("ctx", "agg"), ("agg", "justice")]
    [forked] = parallel_stages(drawn("graph TD\nA((START)) --> F{Fan-Out}\nF --> B\nF --> C\nB --> D\nC --> D"))
    assert (forked.source, forked.branches, forked.join) == ("F", ("B", "C"), "D")
    assert stages[0].branches == ("repo", "docs", "vision")


@pytest.mark.parametrize(
    "text",
    [
        "graph TD\nA --> B --> C --> D",
        "graph TD\nA{ok?} -->|yes| B\nA -->|no| C\nB --> D\nC --> D",
        "graph TD\nA -->|valid| B\nA -->|invalid| C\nB --> D\nC --> D",
        "graph TD\nA --> B\nA --> C",
        "graph TD\nA{Dispatch?} --> B\nA --> C\nB --> D\nC --> D",
        "graph TD\nA{Fan-Out} -->|code| B\nA -->|docs| C\nB --> D\nC --> D",
        "stateDiagram-v2\nstate pick <<choice>>\nA --> pick\npick --> B\npick --> C\nB --> D\nC --> D",
    ],
)
def test_a_chain_a_choice_and_ways_that_never_meet_are_no_parallel_stage(text: str) -> None:
    assert parallel_stages(drawn(text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "graph TD\n" + " & ".join(f"a{n}" for n in range(300)) + " --> " + " & ".join(f"b{n}" for n in range(300)),
        "graph TD\n" + "\n".join(f"n{n} --> n{n + 1}" for n in range(20_000)),
        "graph TD\nA" + "[" * 100_000,
        "graph TD\nA " + "-" * 150_000,
        "graph TD\nA -- " + "x " * 60_000,
        "graph TD\n" + "subgraph a\n" * 20_000,
        "graph TD\nA[" + '"' * 100_001,
        "stateDiagram-v2\n" + "state x {\n" * 20_000,
        "%%{" * 40_000,
        "---\n" * 40_000,
        "graph TD\n" + ";" * 150_000,
    ],
)  # fmt: skip
def test_bombs_take_no_time_and_stay_within_bounds(text: str) -> None:
    started = time.process_time()
    drawing = parse(text)
    if drawing is not None:
        parallel_stages(drawing)
        assert len(drawing.arrows) <= MAX_EDGES
    assert time.process_time() - started < 3
