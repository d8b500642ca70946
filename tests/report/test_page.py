"""The page of one record: plots with their figures as text, findings with their code, and nothing that acts or asks."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from pathlib import Path

import pytest

from auditor.domain import (
    AuditReport,
    CodeLocation,
    Conclusion,
    Evidence,
    Excerpt,
    ExhibitLine,
    LineMark,
    ObjectionState,
    Outcome,
    ProbeData,
    Quote,
    Side,
    Vote,
    VoteKind,
)
from auditor.report.code_highlighting import highlight
from auditor.report.code_lines import CodeFinder, CodeLine
from auditor.report.fix_priorities import priorities
from auditor.report.graph_layout import MAX_NODES, Box, draw_graph
from auditor.report.html_report import html
from auditor.report.page_plots import HIGHEST, LOWEST, demands, heat_map, percent
from auditor.report.topology import built_graphs, claimed_graphs
from tests.adversarial.test_hostile_text import HTML_TAGS, OURS, read, unseen
from tests.auditing import audited
from tests.comparisons import objection, with_objections
from tests.hostile import PAYLOADS
from tests.reports import LINKS, contested, typical
from tests.repos import Drawing

ONE_MEGABYTE = 1_000_000


def text_of(page: str) -> str:
    """What a reader sees, blanks as one."""
    bare = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", bare).split())


@pytest.mark.parametrize("report", [typical(), contested()], ids=["typical", "contested"])
def test_the_policy_allows_the_one_style_sheet_and_nothing_else(report: AuditReport) -> None:
    page = html(report, LINKS)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" in page
    assert "url(" not in style
    assert "@import" not in style
    assert not re.search(r"<(?:script|img|link|iframe|object|embed|form|input|image|use|foreignObject)\b", page)
    assert not re.search(r"<[^>]*\s(?:style|on\w+|src|srcset|xlink:href)\s*=", page)


@pytest.mark.parametrize("report", [typical(), contested()], ids=["typical", "contested"])
def test_every_link_inside_the_page_leads_somewhere_and_every_name_is_there_once(report: AuditReport) -> None:
    page = html(report, LINKS)
    names = re.findall(r'\sid="([^"]+)"', page)
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(names)
    assert set(re.findall(r'aria-labelledby="([^"]+)"', page)) <= set(names)


def test_a_link_to_a_criterion_leads_into_what_is_folded_so_that_a_browser_unfolds_it() -> None:
    page = html(contested(), LINKS)
    for criterion in contested().rubric.definition.criteria:
        assert f'href="#{criterion.id}"' in page
        assert f'</summary>\n<div class="body" id="{criterion.id}">' in page


def test_signs_before_words_are_not_read_aloud() -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", html(typical(), LINKS), re.DOTALL)
    for rule in re.findall(r"(?:summary|\.state[.\w]*)::before \{[^}]*\}", style):
        signs = re.findall(r'content: ("[^"]+")(?: / (""))?', rule)
        assert not signs or [quiet for _, quiet in signs] == ["", '""']


def test_each_code_block_is_named_by_its_finding_and_places_are_said_to_follow() -> None:
    places = tuple(_spots(number)[0] for number in range(9))
    record = typical()
    found = [
        each.model_copy(update={"locations": places}) if each.id == "code.shell_execution#1" else each
        for each in record.evidence
    ]
    page = html(record.model_copy(update={"evidence": tuple(found)}), LINKS)
    labels = re.findall(r'<pre class="code"[^>]*aria-label="([^"]*)"', page)
    assert "Code of finding 2" in labels
    assert len(labels) == len(set(labels))
    assert "and 6 more places, all listed below" in text_of(page)
    assert "all listed in the report" not in page


def test_every_figure_of_a_plot_is_text_beside_it() -> None:
    page = html(typical(), LINKS)
    shown = text_of(page)
    assert "Security has 3.0, below 4.0." in shown
    assert "Prosecutor 2 · Defense 3 · Tech Lead 3" in shown
    assert "1 finding of Security, at most critical" in shown
    assert all('aria-hidden="true"' in each for each in re.findall(r"<svg[^>]*>", page))


def test_a_cell_of_the_heat_map_leads_to_the_most_severe_finding_there() -> None:
    found = priorities(typical())
    plot = heat_map(found)
    cells = {(row.path, cell.criterion): cell for row in plot.rows for cell in row.cells if cell.count}
    cell = cells["parcels/labels.py", "Security"]
    assert found[cell.first - 1].rule == "code.shell_execution"
    assert (cell.count, cell.severity) == (1, "critical")
    assert plot.rows[0].path == "parcels/labels.py"
    assert f'href="#finding-{cell.first}"' in html(typical(), LINKS)


def test_a_demand_that_asks_for_nothing_has_no_scale() -> None:
    record = typical()
    gate = record.verdict.gate
    idle = [
        each.model_copy(update={"actual": None, "conclusion": Conclusion.PASSED})
        if each.demand == "criteria.tests"
        else each
        for each in gate.reasons
    ]
    verdict = record.verdict.model_copy(update={"gate": gate.model_copy(update={"reasons": tuple(idle)})})
    changed = record.model_copy(update={"verdict": verdict})
    assert sum(each.threshold is not None for each in demands(record)) == 3
    assert sum(each.threshold is not None for each in demands(changed)) == 2


def test_scores_are_placed_by_their_distance_and_never_outside() -> None:
    places = [percent(each) for each in (LOWEST, 2.0, 3.0, 4.0, HIGHEST)]
    assert [round(after - before, 6) for before, after in itertools.pairwise(places)] == [20.5] * 4
    assert percent(-7) == places[0] > 0
    assert percent(99) == places[-1] < 100


# --- code


def lines(text: str, first: int = 1) -> tuple[ExhibitLine, ...]:
    """Lines with marks, as a diff has them; removed ones keep the number of the next line."""
    found, number = [], first
    for row in text.splitlines():
        mark = LineMark(row[:1])
        found.append(ExhibitLine(mark=mark, number=number, text=row[1:]))
        number += mark is not LineMark.REMOVED
    return tuple(found)


DIFF = " a = 1\n b = 2\n c = 3\n d = 4\n-old = 5\n+new = 5\n e = 6\n f = 7\n g = 8\n h = 9\n"


def finder(*excerpts: Excerpt) -> CodeFinder:
    return CodeFinder(typical().model_copy(update={"excerpts": excerpts}))


def shown(found: tuple[CodeLine, ...]) -> list[tuple[str, int | None, str, bool]]:
    return [(each.mark, each.number, "".join(piece.text for piece in each.pieces), each.pointed) for each in found]


def test_a_finding_has_three_lines_around_and_both_sides_of_what_changed() -> None:
    found = finder(Excerpt(path="a.py", lines=lines(DIFF))).around(CodeLocation(path="a.py", start=5, end=5))
    assert shown(found) == [
        (" ", 2, "b = 2", False),
        (" ", 3, "c = 3", False),
        (" ", 4, "d = 4", False),
        ("-", 5, "old = 5", False),
        ("+", 5, "new = 5", True),
        (" ", 6, "e = 6", False),
        (" ", 7, "f = 7", False),
        (" ", 8, "g = 8", False),
    ]


def test_a_place_before_the_change_points_at_the_removed_line() -> None:
    found = finder(Excerpt(path="a.py", lines=lines(DIFF))).around(
        CodeLocation(path="a.py", start=5, end=5, side=Side.BASE)
    )
    assert [each for each in shown(found) if each[3]] == [("-", 5, "old = 5", True)]


def test_without_an_excerpt_the_quote_is_shown_with_its_line() -> None:
    found = finder().around(CodeLocation(path="a.py", start=9, end=10, quote="x = 1\ny = 2"))
    assert shown(found) == [(" ", 9, "x = 1", True), (" ", 10, "y = 2", True)]
    assert finder().around(CodeLocation(path="a.py", start=9)) == ()


@pytest.mark.parametrize(
    ("line", "path", "kinds"),
    [
        ('return "a # b"  # why', "a.py", [("keyword", "return"), ("string", '"a # b"'), ("comment", "# why")]),
        ("x := 'a' // why", "a.go", [("string", "'a'"), ("comment", "// why")]),
        ("it's all return", "a.md", []),
        ("it's", "a.py", []),
        ('"' + "\\" * 10_000, "a.py", []),
    ],
)
def test_a_line_is_coloured_in_pieces_that_make_it_whole_again(
    line: str, path: str, kinds: list[tuple[str, str]]
) -> None:
    pieces = highlight(line, path)
    assert "".join(each.text for each in pieces) == line
    assert [(each.kind, each.text) for each in pieces if each.kind] == kinds


def test_the_page_of_an_audit_shows_the_lines_around_a_finding(drawing: Drawing) -> None:
    drawing.commit({"a.py": "import os\n\n\ndef show(name):\n    print(name)\n    return 0\n"})
    drawing.branch("work")
    drawing.commit({"a.py": 'import os\n\n\ndef show(name):\n    os.system(f"lp {name}")\n    return 0\n'})
    report = audited(drawing.path, "main")
    page = html(report)
    row = r'<span class="row removed"><span class="number">5</span><span class="sign">-</span>'
    assert re.search(row, page)
    assert re.search(r'<span class="row added pointed"><span class="number">5</span><span class="sign">\+</span>', page)
    assert "return" in text_of(page)


def test_a_page_with_two_hundred_findings_is_under_a_megabyte() -> None:
    report = typical()
    fact = next(each for each in report.evidence if each.id == "code.shell_execution#1")
    many = tuple(
        fact.model_copy(update={"id": f"code.shell_execution#{number}", "locations": tuple(_spots(number))})
        for number in range(100, 400)
    )
    excerpts = tuple(Excerpt(path=f"src/module_{each}.py", lines=lines(DIFF)) for each in range(100, 400))
    page = html(report.model_copy(update={"evidence": (*report.evidence, *many), "excerpts": excerpts}), LINKS)
    assert 'id="finding-200"' in page
    assert len(page.encode()) < ONE_MEGABYTE


def _spots(number: int) -> list[CodeLocation]:
    return [CodeLocation(path=f"src/module_{number}.py", start=5, end=5, quote="new = 5")]


# --- graphs


def boxes_overlap(one: Box, other: Box) -> bool:
    apart = one.x + one.width <= other.x or other.x + other.width <= one.x
    return not apart and one.y < other.y + other.height and other.y < one.y + one.height


COURT = [
    ("START", "repo"), ("START", "docs"), ("repo", "gather"), ("docs", "gather"), ("gather", "defense"),
    ("gather", "tech"), ("defense", "judge"), ("tech", "judge"), ("judge", "END"), ("judge", "gather"), ("gather", "END"),
]  # fmt: skip


def test_a_drawing_has_every_node_below_those_that_lead_to_it_and_none_over_another() -> None:
    drawing = draw_graph([], COURT)
    assert drawing is not None
    at = {each.name: each for each in drawing.boxes}
    back = {(each.source, each.target) for each in drawing.curves if each.back}
    assert back == {("judge", "gather")}
    assert all(at[source].y < at[target].y for source, target in COURT if (source, target) not in back)
    assert not any(boxes_overlap(one, other) for one, other in itertools.combinations(drawing.boxes, 2))
    assert all(each.x >= 0 and each.x + each.width <= drawing.width for each in drawing.boxes)
    assert drawing == draw_graph([], COURT)


@pytest.mark.parametrize(
    ("nodes", "edges"),
    [
        (["a"], []),
        (["a", "b"], []),
        ([], [("a", "a")]),
        ([], [("a", "b"), ("b", "a")]),
        ([], [("a", "b"), ("a", "b")]),
        ([], [(f"n{one}", f"n{two}") for one in range(20) for two in range(one + 1, 20)]),
    ],
    ids=["one node", "no edges", "a loop", "a cycle", "an edge twice", "all with all"],
)
def test_every_small_graph_is_drawn(nodes: list[str], edges: list[tuple[str, str]]) -> None:
    drawing = draw_graph(nodes, edges)
    assert drawing is not None
    assert len(drawing.curves) == len(set(edges))
    assert not any(boxes_overlap(one, other) for one, other in itertools.combinations(drawing.boxes, 2))


def test_a_node_is_in_the_middle_of_those_it_is_joined_to_whatever_else_is_in_its_layer() -> None:
    diamond = [("a", "b"), ("b", "c"), ("b", "d"), ("c", "e"), ("d", "e")]
    drawing = draw_graph([], [*diamond, ("other", "a_long_name_for_a_node"), ("other", "x")])
    assert drawing is not None
    middle = {each.name: each.x + each.width / 2 for each in drawing.boxes}
    assert middle["a"] == pytest.approx(middle["b"], abs=2)
    assert middle["b"] == pytest.approx((middle["c"] + middle["d"]) / 2, abs=2)
    assert middle["e"] == pytest.approx(middle["b"], abs=2)


def test_an_edge_past_several_layers_does_not_swing() -> None:
    wide = [("a", each) for each in ("first_branch", "second_branch", "third_branch")]
    drawing = draw_graph([], [*wide, *((each, "join") for _, each in wide), ("join", "end"), ("lone", "end")])
    assert drawing is not None
    (lone,) = [each for each in drawing.curves if each.source == "lone"]
    turns = [float(each) for each in re.findall(r"(?:C| )(-?[\d.]+) [\d.]+", lone.line)]
    steps = [after - before for before, after in itertools.pairwise(turns)]
    assert not (min(steps) < -2 and max(steps) > 2)


def test_a_graph_too_large_to_be_read_is_not_drawn() -> None:
    assert draw_graph([f"n{each}" for each in range(MAX_NODES + 1)], []) is None
    assert draw_graph([], []) is None


class Loose(ProbeData):
    """Data as a record holds it that is read without its probe."""


def with_graph(word: str = "") -> AuditReport:
    """The typical record with a graph and a diagram; `word` is put behind each name."""
    graph = Loose.model_validate(
        {
            "nodes": [f"a{word}", f"lost{word}"],
            "edges": [
                {"source": "START", "target": f"a{word}"},
                {"source": f"a{word}", "target": "END", "conditional": True},
            ],
            "fan_out": [{"source": "START", "branches": [f"a{word}"]}],
            "unresolved": [f"b{word}"],
        }
    )
    sound = Loose.model_validate({"unreachable": [f"lost{word}"]})
    drawn = Loose.model_validate(
        {"diagrams": [{"source": f"report{word}", "nodes": [f"a{word}"], "edges": [["START", f"a{word}"]]}]}
    )
    facts = [("swarm.graph", graph), ("swarm.join_soundness", sound), ("diagrams.parallel", drawn)]
    more = [
        Evidence(id=f"{probe}#1", probe=probe, outcome=Outcome.FOUND, statement="A graph.", data=data)
        for probe, data in facts
    ]
    report = typical()
    return report.model_copy(update={"evidence": (*report.evidence, *more)})


def test_the_graph_of_the_code_stands_beside_that_of_the_documents() -> None:
    report = with_graph()
    (built,) = built_graphs(report)
    assert {each.box.name: each.kind for each in built.nodes} == {
        "START": "end fan_out",
        "a": "",
        "lost": "dead",
        "END": "end",
    }
    assert [each.kind for each in built.edges] == ["plain", "conditional"]
    assert "On no path from START to END: lost" in built.notes
    (claimed,) = claimed_graphs(report)
    assert claimed.listed == ("START → a",)
    page = html(report)
    assert text_of(page).index("As the code builds it") < text_of(page).index("As the documents draw it")


def test_what_the_drawing_of_a_graph_shows_is_text_beside_it() -> None:
    graph = Loose.model_validate(
        {
            "nodes": ["a", "b", "lost", "lone"],
            "edges": [
                {"source": "START", "target": "a"},
                {"source": "START", "target": "b"},
                {"source": "lost", "target": "END", "conditional": True},
            ],
            "fan_out": [{"source": "START", "branches": ["a", "b"]}],
        }
    )
    fact = Evidence(id="swarm.graph#1", probe="swarm.graph", outcome=Outcome.FOUND, statement="A graph.", data=graph)
    sound = next(each for each in with_graph().evidence if each.probe == "swarm.join_soundness")
    drawn = Loose.model_validate({"diagrams": [{"source": "report", "nodes": ["x", "y", "z"], "edges": [["x", "y"]]}]})
    claim = Evidence(
        id="diagrams.parallel#1", probe="diagrams.parallel", outcome=Outcome.FOUND, statement="Drawn.", data=drawn
    )
    record = typical().model_copy(update={"evidence": (*typical().evidence, fact, sound, claim)})
    (built,) = built_graphs(record)
    assert next(each.kind for each in built.nodes if each.box.name == "START") == "end fan_out"
    assert "lost → END (conditional, never runs)" in built.listed
    assert "No edges: lone" in built.notes
    assert claimed_graphs(record)[0].notes == ("No edges: z",)
    page = html(record)
    assert 'aria-label="Drawing of 6 nodes and 3 edges, which are listed below"' in page
    assert "All 3 edges" in text_of(page)
    assert "The edge x → y" in text_of(page)


def test_data_of_another_form_draws_nothing() -> None:
    report = typical()
    broken = Loose.model_validate({"nodes": 7, "edges": "x", "diagrams": [{"source": 3}]})
    more = [
        Evidence(id=f"{probe}#1", probe=probe, outcome=Outcome.FOUND, statement="A graph.", data=broken)
        for probe in ("swarm.graph", "swarm.join_soundness", "diagrams.parallel")
    ]
    page = html(report.model_copy(update={"evidence": (*report.evidence, *more)}))
    assert "Topology" not in page


@pytest.mark.parametrize("name", PAYLOADS)
def test_no_hostile_name_acts_in_a_graph_or_in_code(name: str) -> None:
    payload = PAYLOADS[name]
    report = with_graph(payload)
    place = next(each for each in typical().evidence if each.id == "code.shell_execution#1").locations[0]
    assert isinstance(place, CodeLocation)
    assert place.start is not None
    code = Excerpt(path=place.path, lines=(ExhibitLine(number=place.start, text=payload),))
    page = html(report.model_copy(update={"excerpts": (code,)}), LINKS)
    seen = read(page, HTML_TAGS)
    assert (seen.strange, seen.inside, seen.comments) == ([], [], [])
    assert unseen(page) == set()
    assert not re.search(r"<[^>]*\s(?:on\w+|src|style)\s*=", page)


def test_an_objection_has_its_code_its_cause_and_every_vote_with_its_reason() -> None:
    vote = Vote(
        judge="defense",
        objection="objection#1",
        kind=VoteKind.OVERRULE,
        quote=Quote(exhibit="hunk#1", quote="if weight:"),
        reason="It is checked before.",
    )
    page = text_of(html(with_objections(typical(), objection(1, "a", votes=(vote,))), LINKS))
    for words in ("Divides by zero.", "When: The weight is 0.", "Then: The request fails.", "Raised by Prosecutor."):
        assert words in page
    assert "Cause in the change: rate / weight" in page
    assert "Defense overrule It is checked before. if weight:" in page


@pytest.mark.parametrize("name", PAYLOADS)
def test_no_hostile_word_of_a_judge_acts_in_an_objection(name: str) -> None:
    word = PAYLOADS[name].encode("utf-8", "replace").decode()
    quote = Quote(exhibit=word, quote=word)
    vote = Vote(judge="defense", objection="objection#1", kind=VoteKind.OVERRULE, quote=quote, reason=word)
    texts = dict.fromkeys(("path", "quote", "claim", "trigger", "effect", "fix", "reason"), word)
    states = (ObjectionState.STANDING, ObjectionState.CONTESTED)
    raised = (
        objection(number, "a", state, caused_by=quote, votes=(vote,), **texts) for number, state in enumerate(states, 1)
    )
    page = html(with_objections(typical(), *raised), LINKS)
    seen = read(page, HTML_TAGS)
    assert (seen.strange, seen.inside, seen.comments) == ([], [], [])
    assert all(link.startswith((*OURS, "#")) for link in seen.links)
    assert unseen(page) == set()


def test_the_comparison_and_the_report_share_one_style_sheet() -> None:
    folder = Path(__file__).parents[2] / "templates"
    assert [each.name for each in folder.rglob("*.css")] == ["report.css"]
