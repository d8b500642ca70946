"""Reports: terms explained or dropped, paths that exist or not, claims that the code contradicts, diagrams that match it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from auditor import cli, rubric_loader
from auditor.domain import DocumentLocation, Evidence, Fact, History, Outcome, Papers, Term
from auditor.forensics.agent_systems.system_report_types import (
    AgentSystem,
    Edge,
    FanIn,
    FanOut,
    GraphData,
    OutputsData,
    ProbeAnswer,
    StateData,
    StateField,
    SynthesisData,
    WhereData,
)
from auditor.forensics.documents.passages import Document, Passage, PassageKind
from auditor.forensics.documents.path_mentions import gitignore_patterns, is_ignored
from auditor.forensics.documents.reader_child_process import read
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.documents.report_selection import ReportFile, make_reports
from auditor.forensics.engine.gathering_options import Options
from auditor.forensics.probe_kit.probe_inputs import Documents, Tree
from tests.auditing import gathered
from tests.forensics.probes.asking import ask, commit, modules, tree
from tests.papers import docx, pdf
from tests.repos import Drawing
from tests.small_process import in_small_process

TERMS = (
    Term(id="dialectic", title="Dialectical Synthesis", variants=("dialectical synthesis", "s\u00edntesis dial\u00e9ctica", "\u8fa9\u8bc1\u7efc\u5408")),
    Term(id="fan", title="Fan-In/Fan-Out", variants=("fan in", "fan out")),
    Term(id="meta", title="Metacognition", variants=("metacognition",)),
)  # fmt: skip
CODE = modules(
    {"src/justice.py": "def resolve_dissent(opinions):\n    return opinions\nclass ChiefJustice:\n    pass\n"}
)
TREE = tree("src/justice.py", "src/graph.py", "README.md", "tests/test_graph.py")
NOTHING = AgentSystem()


def reports(text: str | bytes, name: str = "report.md", terms: tuple[Term, ...] = TERMS) -> Reports:
    """One report."""
    content = text.encode() if isinstance(text, str) else text
    papers = rubric_loader.built_in("agent-swarm").papers.model_copy(update={"terms": terms})
    return make_reports([in_small_process(read)(name, content)], papers)


def explained(text: str, terms: tuple[Term, ...] = TERMS[:1]) -> Fact:
    """What is said of terms in a text."""
    [fact] = ask("docs.terms_explained", reports(text, terms=terms), CODE, TREE, NOTHING)
    return fact


GOOD = (
    "Dialectical Synthesis means that three judges argue from the same evidence and a rule decides between them. "
    "`resolve_dissent` in `src/justice.py` compares their scores and, when they lie more than two apart, writes down why one prevailed."
)


def test_a_definition_with_its_mechanism_in_code_that_exists_is_an_explanation() -> None:
    fact = explained(f"# Design\n\n{GOOD}\n")
    assert fact.outcome is Outcome.FOUND
    assert fact.confidence > 0.7
    assert "three judges argue" in fact.locations[0].quote


@pytest.mark.parametrize(
    "text",
    [
        "# Dialectical Synthesis\n\n# Next\n\nText about something else that goes on for a while and never names it again.\n",
        f"# Executive Summary\n\n{GOOD}\n",
        "# Contents\n\nDialectical Synthesis ............ 4\n",
        "Our platform combines Dialectical Synthesis, fan-in and fan-out, and metacognition into one robust system.\n",
        "It uses Dialectical Synthesis.\n",
        "```\nDialectical Synthesis is done by resolve_dissent, which compares all scores of the judges with each other and then decides.\n```\n",
        "Dialectical Synthesis is a powerful approach that our system embraces to give excellent results in every case, see `no_such_function` for more details on it.\n",
    ],
)
def test_headings_contents_summaries_lists_and_praise_explain_nothing(text: str) -> None:
    assert explained(text, TERMS).outcome is Outcome.NOT_FOUND


def test_a_section_under_the_terms_heading_explains_it() -> None:
    body = GOOD.replace("Dialectical Synthesis means", "It means")
    assert explained(f"## 2.1 Dialectical Synthesis\n\n{body}\n").outcome is Outcome.FOUND


def test_a_passage_without_code_explains_with_doubt() -> None:
    text = (
        "Dialectical Synthesis lets opposite views meet. "
        "First one judge looks for faults and says what is missing. Then another looks for merit and says what is there. Last, a third weighs both by what can be measured, and the final score follows a written rule that anybody can read and check against the record of what was seen before. "
    )
    fact = explained(text)
    assert (fact.outcome, fact.confidence < 0.7) == (Outcome.FOUND, True)


def test_variants_and_other_languages_are_the_rubrics_data() -> None:
    text = "La s\u00edntesis dial\u00e9ctica significa que tres jueces discuten sobre la misma evidencia; `resolve_dissent` compara sus notas, y `ChiefJustice` escribe por qu\u00e9 una de ellas prevalece sobre las otras dos.\n"
    assert explained(text).outcome is Outcome.FOUND
    assert explained("Dialectical-synthesis / " + GOOD).outcome is Outcome.FOUND


def test_the_data_tells_for_every_term_how_often_and_where() -> None:
    fact = explained(f"# A\n\n{GOOD}\n\nThe graph has fan-out.\n", TERMS)
    assert fact.data is not None
    data = fact.data.model_dump()["terms"]
    assert data["dialectic"] == {"occurrences": 1, "explained": True, "locations": ("report.md:3",)}
    assert (data["fan"]["occurrences"], data["fan"]["explained"]) == (1, False)
    assert data["meta"] == {"occurrences": 0, "explained": False, "locations": ()}
    assert fact.measure == pytest.approx(1 / 3, abs=0.001)


@pytest.mark.parametrize(
    ("name", "content"), [("a.pdf", pdf("", images=1)), ("a.pdf", b"junk"), ("a.docx", docx([])), ("a.md", b"")]
)
def test_a_report_that_cannot_be_read_is_unavailable_and_never_without_theory(name: str, content: bytes) -> None:
    for probe, more in (
        ("docs.terms_explained", (CODE, TREE, NOTHING)),
        ("docs.claimed_paths", (TREE, History(()))),
        ("docs.claims_contradicted", (TREE, NOTHING)),
    ):
        facts = ask(probe, reports(content, name), *more)
        assert {each.outcome for each in facts} == {Outcome.UNAVAILABLE}
        assert all(name in str(place) for each in facts for place in each.locations)


def _synchronization_explained(text: str) -> Outcome:
    known = rubric_loader.built_in("agent-swarm").papers.terms
    term = next(each for each in known if each.id == "state_synchronization")
    return explained(text, (term,)).outcome


@pytest.mark.parametrize(
    "text",
    [
        (
            "# State\n\nTwo judges answer in the same step. The reducer of `opinions`, `operator.add`, joins what both return to one list, so that the later "
            "one does not replace the earlier; `resolve_dissent` in `src/justice.py` then sees every opinion exactly once.\n"
        ),
        (
            "# State\n\nParallel writes are taken up in the order in which the nodes were added, whoever is done first. Each list grows and loses nothing, and "
            "`resolve_dissent` in `src/justice.py` therefore sees the same opinions in the same order in every run.\n"
        ),
    ],
)
def test_reducers_or_the_order_of_parallel_writes_explain_how_state_is_kept_in_step(text: str) -> None:
    assert _synchronization_explained(text) is Outcome.FOUND


@pytest.mark.parametrize(
    "text",
    [
        "# State\n\nThe graph has nodes, edges and a typed state with proper reducers.\n",
        "# State\n\n- Reducers\n- Parallel writes\n- Merge order\n",
        (
            "# State\n\nThe judges argue from the same evidence, and a rule decides between them. `resolve_dissent` in `src/justice.py` compares their scores and "
            "writes down, when they lie more than two apart, why one of them prevailed over the others.\n"
        ),
    ],
)
def test_reducers_that_are_only_named_and_prose_about_something_else_explain_no_synchronization(text: str) -> None:
    assert _synchronization_explained(text) is Outcome.NOT_FOUND


def test_without_a_report_the_questions_cannot_be_answered() -> None:
    none = Reports((), TERMS)
    assert [each.outcome for each in ask("docs.terms_explained", none, CODE, TREE, NOTHING)] == [Outcome.UNAVAILABLE]
    assert [each.outcome for each in ask("docs.terms_explained", Reports((), ()), CODE, TREE, NOTHING)] == [
        Outcome.NOT_APPLICABLE
    ]
    assert [each.outcome for each in ask("diagrams.parallel", none, NOTHING)] == [Outcome.UNAVAILABLE]


def claimed(text: str, history: History | None = None) -> dict[str, list[str]]:
    """Paths of a text by how it stands with them."""
    [fact] = ask("docs.claimed_paths", reports(text), TREE, history or History(()))
    assert fact.data is not None
    return {
        claim: sorted(each.rpartition(": ")[2] for each in named)
        for claim, named in fact.data.model_dump().items()
        if named
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The graph is in src/graph.py and `src/justice.py`.", {"verified": ["src/graph.py", "src/justice.py"]}),
        ("See graph.py:12 and src/graph.py::build.", {"verified": ["graph.py", "src/graph.py"]}),
        (r"It is at src\graph.py and C:\work\project\src\justice.py.", {"verified": ["C:/work/project/src/justice.py", "src/graph.py"]}),
        ("The detectives live in src/detectives.py.", {"hallucinated": ["src/detectives.py"]}),
        ("Caching will live in src/cache.py.", {"forward_reference": ["src/cache.py"]}),
        ("Appeals are handled by `src/appeals.py`, and limits are read from `conf/limits.yaml`.", {"hallucinated": ["src/appeals.py"], "example": ["conf/limits.yaml"]}),
        ("The chief justice writes the report in src/chief.py.", {"hallucinated": ["src/chief.py"]}),
        ("Structured output is bound in src/bind.py, which is used to check opinions.", {"hallucinated": ["src/bind.py"]}),
        ("Functions that extract evidence stand next to each other in src/tools.py.", {"hallucinated": ["src/tools.py"]}),
        ("Evidence to be judged is collected by src/collect.py; duplicates are removed.", {"hallucinated": ["src/collect.py"]}),
        ("Extract the parser into src/parser.py.", {"forward_reference": ["src/parser.py"]}),
        ("src/rules.py should be extracted later.", {"forward_reference": ["src/rules.py"]}),
        ("We removed src/first.py and src/second.py.", {"historical": ["src/first.py", "src/second.py"]}),
        ("The graph is built by src/graph.py:build.", {"verified": ["src/graph.py"]}),
        ("## Future work\n\nThe tracer in src/trace.py.", {"forward_reference": ["src/trace.py"]}),
        ("The old src/old.py was renamed to `src/graph.py`.", {"historical": ["src/old.py"], "verified": ["src/graph.py"]}),
        ("The run writes out/report.md.", {"example": ["out/report.md"]}),
        ("Put it at path/to/file.py.", {"example": ["path/to/file.py"]}),
        ("Reports go to `out/<name>.md` (e.g. `out/Harbour.md`).", {"example": ["out/Harbour.md"]}),
        ("Judges sit side by side, i.e. src/bench.py starts them. Say e.g. what they cost.", {"hallucinated": ["src/bench.py"]}),
        ("In our report src/seek.py was told as renamed to `src/graph.py`.", {"historical": ["src/seek.py"], "verified": ["src/graph.py"]}),
        ("A peer's report claimed src/advanced.py.", {"example": ["src/advanced.py"]}),
        ("All functions in repo graph.py are pure; see src justice.py.", {"verified": ["graph.py", "justice.py"]}),
        ("```\n.\n\u251c\u2500\u2500 src/\n\u2502   \u251c\u2500\u2500 graph.py\n\u2502   \u2514\u2500\u2500 ghost.py\n\u2514\u2500\u2500 README.md\n```", {"verified": ["README.md", "src/graph.py"], "hallucinated": ["src/ghost.py"]}),
    ],
)  # fmt: skip
def test_paths_are_told_apart(text: str, expected: dict[str, list[str]]) -> None:
    assert claimed(text) == expected


_IGNORING = "# local\n/private/\nnotes.md\n*.sqlite3\nsrc/ghost.py\n!private/kept.json\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Keys stand in `private/keys.json`.", {"example": ["private/keys.json"]}),
        ("Keys stand in `other/private/keys.json`.", {"hallucinated": ["other/private/keys.json"]}),
        ("The design is in `docs/notes.md`.", {"hallucinated": ["docs/notes.md"]}),
        ("The detectives live in src/ghost.py.", {"hallucinated": ["src/ghost.py"]}),
    ],
)
def test_what_the_repository_is_told_to_ignore_is_made_where_it_runs_but_no_code_and_no_text(
    text: str, expected: dict[str, list[str]]
) -> None:
    [fact] = ask("docs.claimed_paths", reports(text), TREE, History(()), Documents(head={".gitignore": _IGNORING}))
    assert fact.data is not None
    named = {
        claim: [each.rpartition(": ")[2] for each in places]
        for claim, places in fact.data.model_dump().items()
        if places
    }
    assert named == expected


def test_endings_that_are_ignored_hold_in_every_folder_and_long_lists_cost_little() -> None:
    assert is_ignored("var/db/court.sqlite3", gitignore_patterns(_IGNORING))
    assert not is_ignored("var/db/court.sqlite", gitignore_patterns(_IGNORING))
    start = time.process_time()
    many = gitignore_patterns("\n".join(f"{'a*' * 30}{number}" for number in range(20_000)) + "\n" + "*x\n" * 20_000)
    assert not is_ignored("/".join("a" * 40 for _ in range(200)), many)
    assert time.process_time() - start < 1


def test_terms_that_are_named_and_terms_that_do_not_occur_are_told_apart() -> None:
    fact = explained(f"# A\n\n{GOOD}\n\nThe graph has fan-out.\n", TERMS)
    assert fact.statement == (
        f"1 of 3 terms that the rubric asks for is explained; {TERMS[1].title} is only named; {TERMS[2].title} is missing."
    )
    silent = explained("# A\n\nThe system runs.\n", TERMS)
    assert (
        silent.statement
        == f"The reports name none of the 3 terms that the rubric asks for: {', '.join(each.title for each in TERMS)}."
    )


def test_words_set_apart_in_a_numbered_section_of_a_page_do_not_end_it() -> None:
    section = [
        Passage(PassageKind.HEADING, "2.3 Dialectical Synthesis", page=3, heading="2.3 Dialectical Synthesis"),
        Passage(PassageKind.PARAGRAPH, "The bench does dialectical synthesis with three tempers.", page=3, heading="2.3 Dialectical Synthesis"),
        Passage(PassageKind.HEADING, "Prosecutor (strict)", page=3, heading="Prosecutor (strict)"),
        Passage(PassageKind.PARAGRAPH, "It assumes guilt, looks for gaps, and lowers what nobody has shown to work at all.", page=3, heading="Prosecutor (strict)"),
        Passage(PassageKind.HEADING, "Tech Lead (calm)", page=3, heading="Tech Lead (calm)"),
        Passage(PassageKind.PARAGRAPH, "It asks whether things run; `resolve_dissent` then weighs all three by rules.", page=3, heading="Tech Lead (calm)"),
        Passage(PassageKind.HEADING, "2.4 What else there is", page=3, heading="2.4 What else there is"),
    ]  # fmt: skip

    def outcome(passages: list[Passage]) -> Outcome:
        papers = rubric_loader.built_in("agent-swarm").papers.model_copy(update={"terms": TERMS[:1]})
        [fact] = ask(
            "docs.terms_explained", make_reports([Document("a.pdf", tuple(passages))], papers), CODE, TREE, NOTHING
        )
        return fact.outcome

    assert outcome(section) is Outcome.FOUND
    assert outcome([section[0], section[1], section[-1], *section[2:-1]]) is Outcome.NOT_FOUND
    unnumbered = [
        replace(each, text=each.text.removeprefix("2.3 "), heading=each.heading.removeprefix("2.3 "))
        for each in section
    ]
    assert outcome(unnumbered) is Outcome.NOT_FOUND


def test_a_path_that_once_was_there_is_historical() -> None:
    history = History((commit(1, files=1),))  # touches d0/f.py
    assert claimed("The first version stood in d0/f.py.", history) == {"historical": ["d0/f.py"]}


def test_addresses_and_plain_words_are_no_paths() -> None:
    [fact] = ask(
        "docs.claimed_paths",
        reports("See https://example.org/a/b.py, e.g. and v1.2, and node.js or Next.js."),
        TREE,
        History(()),
    )
    assert fact.outcome in (Outcome.NOT_APPLICABLE, Outcome.FOUND) or fact.measure is None or fact.measure >= 0


def graph(*, linear: bool) -> AgentSystem:
    """A system whose graph is a chain, or fans out twice."""
    if linear:
        data = GraphData(
            builder="g.py:1",
            nodes=("a", "b", "c"),
            edges=(Edge(source="a", target="b"), Edge(source="b", target="c")),
            linear=True,
        )
    else:
        data = GraphData(
            builder="g.py:1",
            nodes=("context", "repo", "docs", "aggregator", "prosecutor", "defense", "justice"),
            edges=(),
            fan_out=(
                FanOut(source="context", branches=("repo", "docs")),
                FanOut(source="aggregator", branches=("prosecutor", "defense")),
            ),
            fan_in=(
                FanIn(target="aggregator", sources=("repo", "docs")),
                FanIn(target="justice", sources=("prosecutor", "defense")),
            ),
        )
    return AgentSystem(answers={"swarm.graph": (ProbeAnswer(answer=True, statement="A graph.", data=data),)})


def contradicted(text: str, system: AgentSystem, where: Tree = TREE) -> list[str]:
    """Claims that the code contradicts."""
    [fact] = ask("docs.claims_contradicted", reports(text), where, system)
    return [each["claim"] for each in fact.data.model_dump()["claims"]] if fact.data is not None else []


PARALLEL = "The detectives run in parallel."


def test_parallel_claimed_of_a_chain_is_contradicted_and_of_a_fan_out_is_not() -> None:
    assert contradicted(PARALLEL, graph(linear=True)) == [PARALLEL]
    assert contradicted(PARALLEL, graph(linear=False)) == []
    assert contradicted(PARALLEL, NOTHING) == []


def test_a_chain_with_a_way_back_runs_nothing_in_parallel_either() -> None:
    pairs = [("START", "a"), ("a", "b"), ("b", "c"), ("c", "b"), ("c", "END")]
    looped = GraphData(
        builder="g.py:1",
        nodes=("a", "b", "c"),
        edges=tuple(Edge(source=source, target=target, path="g.py", line=1) for source, target in pairs),
    )
    system = AgentSystem(answers={"swarm.graph": (ProbeAnswer(answer=True, statement="A graph.", data=looped),)})
    assert contradicted(PARALLEL, system) == [PARALLEL]
    forked = looped.model_copy(update={"edges": (*looped.edges, Edge(source="a", target="c", path="g.py", line=1))})
    system = AgentSystem(answers={"swarm.graph": (ProbeAnswer(answer=True, statement="A graph.", data=forked),)})
    assert contradicted(PARALLEL, system) == []


def test_an_action_that_is_listed_claims_nothing() -> None:
    chain = graph(linear=True)
    assert contradicted("Rank 4: the bench \u25cf Action: let the detectives run in parallel.", chain) == []
    assert contradicted("Each action of the detectives runs in parallel.", chain) != []


@pytest.mark.parametrize(
    ("claims", "denies"),
    [
        ("Los jueces trabajan en paralelo.", "Los jueces no trabajan en paralelo."),
        ("Todo se ejecuta simult\u00e1neamente.", "Todo se ejecutar\u00eda sin paralelismo."),
        ("Os tr\u00eas detetives correm em paralelo.", "Os detetives n\u00e3o correm em paralelo."),
        (
            "Les juges d\u00e9lib\u00e8rent en parall\u00e8le.",
            "Les juges ne d\u00e9lib\u00e8rent pas en parall\u00e8le.",
        ),
        ("Die Detektive werden parallel ausgef\u00fchrt.", "Die Detektive laufen nicht parallel."),
        ("Die Richter arbeiten gleichzeitig.", "Die Richter sollen gleichzeitig arbeiten."),
        (
            "\u4e09\u4f4d\u6cd5\u5b98\u5e76\u884c\u5de5\u4f5c\u3002",
            "\u6cd5\u5b98\u6ca1\u6709\u5e76\u884c\u5de5\u4f5c\u3002",
        ),
    ],
)
def test_claims_and_denials_are_understood_in_other_languages(claims: str, denies: str) -> None:
    assert contradicted(claims, graph(linear=True)) == [claims]
    assert contradicted(denies, graph(linear=True)) == []


def test_a_rubric_without_words_of_claims_has_no_such_question() -> None:
    silent = Reports((read("report.md", b"The detectives run in parallel."),))
    [fact] = ask("docs.claims_contradicted", silent, TREE, graph(linear=True))
    assert fact.outcome is Outcome.NOT_APPLICABLE


def test_what_is_planned_or_denied_is_no_claim() -> None:
    for text in ("The detectives will run in parallel.", "The nodes do not run in parallel.", "# Parallel nodes\n"):
        assert contradicted(text, graph(linear=True)) == []


@pytest.mark.parametrize(
    "text",
    [
        "The judges run in parallel and do not wait for each other.",
        "Nobody waits for anybody: all judges run in parallel.",
        "The judges run in parallel, never one after another.",
        "All nodes run in parallel, so nothing has to wait.",
    ],
)
def test_what_another_part_of_a_sentence_denies_does_not_take_the_claim_back(text: str) -> None:
    assert contradicted(text, graph(linear=True)) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Parallel judges and parallel detectives are not there.",
        "The judges run, not in parallel, but one by one.",
        "Parallel work so far is not done.",
        "Parallel detectives, which are not built, would help.",
        "Neither the detectives nor the judges run in parallel.",
        "The assignment asks us to run the judges in parallel.",
        "We were asked to run the judges in parallel.",
        "- Fan-In / Fan-Out\n- Metacognition",
    ],
)
def test_what_the_same_part_of_a_sentence_denies_and_what_a_task_asks_for_is_no_claim(text: str) -> None:
    assert contradicted(text, graph(linear=True)) == []


@pytest.mark.parametrize(
    ("reducer", "confidence", "told"), [("none", 0.9, 1), ("operator.add", 0.9, 0), ("none", 0.5, 0)]
)
def test_reducers_claimed_of_a_state_that_has_none_are_contradicted(reducer: str, confidence: float, told: int) -> None:
    fields = {"opinions": StateField(reducer=reducer, line=2), "report": StateField(reducer="none", line=3)}
    state = StateData(class_name="State", kind="TypedDict", path="s.py", line=1, fields=fields)
    judged = ProbeAnswer(answer=True, statement="x", data=state, confidence=confidence)
    system = AgentSystem(answers={"swarm.state": (judged,)})
    assert len(contradicted("The state uses reducers, so nothing that a node returns is lost.", system)) == told


def test_other_claims_are_held_against_their_facts() -> None:
    parsed = ProbeAnswer(answer=False, statement="x", data=OutputsData(method="manual_parse"), confidence=0.9)
    scored = ProbeAnswer(
        answer=False,
        statement="x",
        data=SynthesisData(function="f", path="a.py", line=1, model_sets_scores=True),
        confidence=0.9,
    )
    cloned = ProbeAnswer(answer=False, statement="x", data=WhereData(where=()), confidence=0.95)
    system = AgentSystem(
        answers={
            "swarm.structured_output": (parsed,),
            "swarm.synthesis": (scored,),
            "code.clone_in_temporary_directory": (cloned,),
        }
    )
    assert contradicted("Judges give structured output.", system)
    assert contradicted("The synthesis of scores is deterministic.", system)
    assert contradicted("Repositories are cloned into a sandbox.", system)
    assert contradicted("It has comprehensive tests.", NOTHING, tree("src/a.py"))
    assert contradicted("It has comprehensive tests.", NOTHING) == []


COURT = "```mermaid\ngraph TD\ncontext --> repo & docs\nrepo & docs --> aggregator\naggregator --> prosecutor & defense\nprosecutor & defense --> justice\n```\n"
CHAIN = "```mermaid\ngraph TD\ncontext --> repo --> docs --> aggregator --> prosecutor --> defense --> justice\n```\n"


def test_a_diagram_that_shows_the_codes_stages_matches_and_a_chain_does_not() -> None:
    [fact] = ask("diagrams.parallel", reports(COURT), graph(linear=False))
    assert fact.outcome is Outcome.FOUND
    assert fact.data is not None
    [diagram] = fact.data.model_dump()["diagrams"]
    assert (diagram["kind"], diagram["matches_code"], len(diagram["parallel_stages"])) == ("mermaid", True, 2)
    assert [each.outcome for each in ask("diagrams.parallel", reports(CHAIN), graph(linear=False))] == [
        Outcome.NOT_FOUND
    ]


def test_parallel_stages_drawn_for_a_chain_do_not_match() -> None:
    [fact] = ask("diagrams.parallel", reports(COURT), graph(linear=True))
    assert fact.outcome is Outcome.NOT_FOUND
    assert "that the graph in the code does not have" in fact.statement


def test_a_path_is_cited_at_its_own_line_of_a_paragraph_a_list_and_a_drawn_tree() -> None:
    text = """# Report

The state is in `src/state.py`, and
the rules, which are
long, stand in `src/rules.py`.

- one item that goes
  on to `src/gone.py`

```
src/
├── state.py
└── missing.py
```
"""
    [fact] = ask("docs.claimed_paths", reports(text), tree("src/state.py", "src/rules.py"), History(commits=()))

    assert fact.data is not None
    data = fact.data.model_dump()
    assert set(data["verified"]) == {
        "report.md:3: src/state.py",
        "report.md:5: src/rules.py",
        "report.md:12: state.py",
    }
    assert set(data["hallucinated"]) == {"report.md:8: src/gone.py", "report.md:13: missing.py"}


def test_a_claim_of_sandboxed_clones_is_held_against_code_that_clones_nothing() -> None:
    nothing = ProbeAnswer(answer=None, statement="The product code clones no repository.")
    built = ProbeAnswer(answer=True, statement="A graph.", data=STRAIGHT.model_copy(update={"builder": "src/g.py:1"}))
    system = AgentSystem(answers={"swarm.graph": (built,), "code.clone_in_temporary_directory": (nothing,)})
    unsure = system.model_copy(update={"unread": {"src/a.py": "binary"}})

    assert contradicted("Every repository is cloned into a sandboxed temporary directory.", system)
    assert contradicted("Every repository is cloned into a sandboxed temporary directory.", unsure) == []
    assert contradicted("Opinions are kept in a sandbox of ideas.", system) == []
    assert contradicted("No repository is cloned into a temporary directory.", system) == []


STRAIGHT = GraphData(
    builder="g.py:1",
    nodes=("look", "judge_node", "write"),
    edges=tuple(Edge(source=one, target=two) for one, two in (("START", "look"), ("look", "judge_node"), ("judge_node", "write"), ("write", "END"))),
    linear=True,
)  # fmt: skip


@pytest.mark.parametrize(
    ("drawn", "matches"),
    [
        ("stateDiagram-v2\n[*] --> look\nlook --> judge\njudge --> write\nwrite --> [*]", True),
        ("graph TD\nS((Start)) --> look --> judge --> write --> E((End))", True),
        ("graph TD\n__start__ --> look --> judge --> write --> __end__", True),
        ("graph TD\nlook --> judge --> write", True),
        ("graph TD\nwrite --> judge --> look", False),
        ("stateDiagram-v2\n[*] --> browser\nbrowser --> server\nserver --> [*]", False),
        ("graph TD\nlook --> judge & critic\njudge & critic --> write", False),
    ],
)
def test_a_straight_diagram_matches_straight_code_whatever_its_ends_are_called(drawn: str, matches: bool) -> None:
    system = AgentSystem(answers={"swarm.graph": (ProbeAnswer(answer=True, statement="A graph.", data=STRAIGHT),)})
    [fact] = ask("diagrams.parallel", reports(f"```mermaid\n{drawn}\n```\n"), system)

    assert fact.data is not None
    assert [each["matches_code"] for each in fact.data.model_dump()["diagrams"]] == [matches]
    assert fact.outcome is Outcome.NOT_FOUND


def test_a_diagram_of_other_nodes_does_not_match() -> None:
    other = (
        COURT.replace("context", "browser")
        .replace("repo", "cdn")
        .replace("docs", "cache")
        .replace("aggregator", "server")
        .replace("prosecutor", "db1")
        .replace("defense", "db2")
        .replace("justice", "disk")
    )
    assert [each.outcome for each in ask("diagrams.parallel", reports(other), graph(linear=False))] == [
        Outcome.NOT_FOUND
    ]


def test_images_are_counted_and_unavailable_and_badges_are_no_diagrams() -> None:
    [fact] = ask("diagrams.parallel", reports(pdf("Some text here.", images=2), "a.pdf"), NOTHING)
    assert (fact.outcome, len(fact.locations)) == (Outcome.UNAVAILABLE, 2)
    assert isinstance(fact.locations[0], DocumentLocation)
    [badge] = ask("diagrams.parallel", reports("Text.\n\n![ci](https://img.shields.io/x)\n"), NOTHING)
    assert badge.outcome is Outcome.NOT_FOUND


def answered(drawing: Drawing, probe: str, options: Options) -> list[Evidence]:
    """What the engine says with those options."""
    return list(gathered(drawing.path, None, [probe], options).evidence)


def test_reports_in_the_repository_are_found_by_the_rubrics_globs_and_kept_in_the_cache(
    drawing: Drawing, tmp_path: Path
) -> None:
    drawing.commit(
        {
            "reports/final.pdf": pdf("The graph stands in src/graph.py and also\nin src/ghost.py as it is."),
            "src/graph.py": "x = 1\n",
        }
    )
    options = Options(jobs=1, cache=tmp_path / "cache", papers=Papers(reports=("reports/*.pdf",)))
    [fact] = answered(drawing, "docs.claimed_paths", options)
    place = fact.locations[0]
    assert isinstance(place, DocumentLocation)
    assert (place.path, place.page) == ("reports/final.pdf", 1)
    drawing.commit({"other.txt": "x"})
    assert [each.statement for each in answered(drawing, "docs.claimed_paths", options)] == [fact.statement]


def test_another_report_of_the_same_name_is_not_answered_from_the_cache(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"src/graph.py": "x = 1\n"})
    options = [
        Options(jobs=1, cache=tmp_path / "cache", reports=(ReportFile("r.md", text),))
        for text in (b"See src/graph.py.", b"See src/ghost.py.")
    ]
    outcomes = [answered(drawing, "docs.claimed_paths", each)[0].outcome for each in options]
    assert outcomes == [Outcome.FOUND, Outcome.NOT_FOUND]


CRITERION = """criteria:
  - id: accuracy
    title: Accuracy
    question: Is it so?
    evidence:
      - {probe: docs.claimed_paths, expect: found, where: anywhere}
    levels: {1: "Not so.", 3: Partly., 5: Wholly.}
"""


def test_the_command_line_takes_reports_and_refuses_what_is_none(
    drawing: Drawing, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawing.commit({"src/graph.py": "x = 1\n"})
    source = rubric_loader.source("pull-request")
    (tmp_path / "rubric.yaml").write_text(source[: source.index("gate:\n")] + CRITERION, encoding="utf-8")
    (tmp_path / "report.md").write_text("The graph is built in src/ghost.py.\n", encoding="utf-8")
    command = ["audit", str(drawing.path), "--rubric", str(tmp_path / "rubric.yaml"), "--out", str(tmp_path / "out")]
    cli.run([*command, "--no-cache", "--report", str(tmp_path / "report.md")])
    record = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert [each["outcome"] for each in record["evidence"]] == ["not_found"]
    assert cli.run([*command, "--report", str(tmp_path / "gone.pdf")]) == cli.MISTAKE
    assert "cannot be read" in capsys.readouterr().err
    assert cli.run([*command, "--report", str(tmp_path / "rubric.yaml")]) == cli.MISTAKE
    assert "has an unsupported format" in capsys.readouterr().err
