"""Rules of the synthesis: which are there, where they are shown, and what is none."""

from __future__ import annotations

from auditor.forensics.agent_systems.system_report_types import RulesData
from tests.forensics.agent_systems.reading import answer, data

_GRAPH = """
from langgraph.graph import StateGraph, START, END
from src.chief import chief_justice
from src.detectives import reader

def prosecutor(state):
    return {"opinions": [1]}

g = StateGraph(dict)
g.add_node("reader", reader)
g.add_node("prosecutor", prosecutor)
g.add_node("chief_justice", chief_justice)
g.add_edge(START, "reader")
g.add_edge("reader", "prosecutor")
g.add_edge("prosecutor", "chief_justice")
g.add_edge("chief_justice", END)
app = g.compile()
"""
_READER = """
def reader(state):
    found = load(state["path"])
    if not found:
        return {"evidence": {"score": 0, "found": False, "note": "for the judges"}}
    return {"evidence": {"score": 1, "found": True}}
"""
_CHIEF = """
def chief_justice(state):
    results = []
    for name in state["criteria"]:
        opinions = [each for each in state["opinions"] if each.criterion == name]
        results.append(decide(name, opinions, state["evidence"]))
    return {"report": results}

def decide(name, opinions, evidence):
    scores = [each.score for each in opinions]
    if not scores:
        return 1
    prosecutor, defense, tech_lead = scores
    spread = max(scores) - min(scores)
"""


def _rules(chief: str, **more: str) -> RulesData:
    files = {"src/graph.py": _GRAPH, "src/detectives.py": _READER, "src/chief.py": chief, **more}
    found = data("swarm.synthesis_rules", files)
    assert isinstance(found, RulesData)
    return found


def test_what_another_node_does_with_evidence_is_no_rule_that_was_forgotten() -> None:
    found = _rules(_CHIEF + "    return sum(scores) / len(scores)\n")
    assert found.fact_supremacy.state == "absent"
    assert found.functionality_weight.state == "absent"


def test_a_rule_by_its_name_that_nothing_calls_is_dead() -> None:
    lost = """
def fact_supremacy(score, evidence, opinions):
    if not evidence.found and score > 3:
        score = 2
    return score
"""
    found = _rules(_CHIEF + "    return sum(scores) / len(scores)\n" + lost)
    assert found.fact_supremacy.state == "dead"
    assert found.fact_supremacy.path == "src/chief.py"


def test_weights_in_the_last_else_hold_for_what_is_usual() -> None:
    usual = """
    if spread > 2:
        final = min(scores)
    else:
        final = prosecutor * 0.2 + defense * 0.2 + tech_lead * 0.6
    return final
"""
    assert _rules(_CHIEF + usual).functionality_weight.state == "partial"


def test_weights_that_one_condition_brings_belong_to_that_condition() -> None:
    other = """
    final = min(scores)
    if spread > 2:
        final = prosecutor * 0.2 + defense * 0.2 + tech_lead * 0.6
    return final
"""
    found = _rules(_CHIEF + other)
    assert found.functionality_weight.state == "absent"
    assert found.variance_re_evaluation.state == "present"


def test_a_rule_is_shown_where_it_begins_and_not_where_it_is_repeated() -> None:
    chief = (
        _CHIEF
        + """
    final = sorted(scores)[1]
    if unsafe(evidence):
        final = min(final, 3)
    if spread > 2:
        final = tech_lead
        if unsafe(evidence):
            final = min(final, 3)
    return final

def unsafe(evidence):
    return "os.system" in evidence["text"]
"""
    )
    line = next(number for number, each in enumerate(chief.splitlines(), 1) if "if unsafe" in each)
    assert _rules(chief).security_override.line == line


def test_a_rule_is_shown_in_the_function_of_its_name_and_not_at_the_early_way_out() -> None:
    chief = (
        _CHIEF
        + """
    capped = security_cap(name, opinions)
    if capped is not None:
        return capped
    if not evidence_backs(evidence, opinions):
        return min(scores)
    return sum(scores) / len(scores)

def security_cap(name, opinions):
    if name != "safety":
        return None
    for each in opinions:
        if "shell injection" in each.argument:
            return min(3, each.score)
    return None

def evidence_backs(evidence, opinions):
    if not opinions:
        return True
    return any(each.found for each in evidence)
"""
    )
    found = _rules(chief)
    assert "evidence_backs" in chief.splitlines()[found.fact_supremacy.line - 1]
    assert found.security_override.state == "present"


def test_a_client_of_a_model_that_speaks_of_safety_holds_no_part_of_a_rule() -> None:
    client = """
def send(prompt):
    answer = post(prompt)
    if "safety" in answer.error:
        raise RuntimeError(answer.error)
    delta = answer.delta
    if delta:
        print(delta)
    return answer
"""
    chief = "from src.client import send\n" + _CHIEF + "    send(name)\n    return sum(scores) / len(scores)\n"
    found = _rules(chief, **{"src/client.py": client})
    assert found.security_override.state == "absent"
    assert found.variance_re_evaluation.state == "absent"


def test_records_of_a_machine_are_no_report_though_texts_in_them_look_like_headings() -> None:
    writing = """
import json
def keep(path, report):
    with open(path + "report.md", "w") as out:
        out.write(json.dumps({"text": "# One\\n## Two\\n## Three"}))
def save(report):
    keep("out/", report)
"""
    chief = "from src.keeping import save\n" + _CHIEF + "    return sum(scores) / len(scores)\n"
    files = {"src/graph.py": _GRAPH, "src/detectives.py": _READER, "src/chief.py": chief}
    assert answer("swarm.report_written", {**files, "src/keeping.py": writing}).answer is False
    plain = writing.replace('json.dumps({"text": "# One\\n## Two\\n## Three"})', '"# One\\n## Two\\n## Three"')
    assert answer("swarm.report_written", {**files, "src/keeping.py": plain}).answer is True


def test_no_rule_at_all_is_said_in_words() -> None:
    files = {
        "src/graph.py": _GRAPH,
        "src/detectives.py": _READER,
        "src/chief.py": _CHIEF + "    return sum(scores) / len(scores)\n",
    }
    said = answer("swarm.synthesis_rules", files).statement
    assert said.startswith("None of the 5 rules for the final scores is in use (")


def test_a_chained_comparison_asks_for_no_judge_and_is_read_to_the_end() -> None:
    chief = (
        _CHIEF
        + "    if 0 <= spread <= 4 <= 9 and 'shell' in name:\n        return min(scores)\n    return max(scores)\n"
    )
    assert _rules(chief).security_override.state == "present"
