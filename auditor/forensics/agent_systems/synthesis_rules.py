"""Which rules of synthesis are there, and whether they can fire.

Names alone prove nothing: a rule that compares with a name nobody uses, stands behind a switch that is off, or in a
function nothing calls is dead.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from auditor.forensics.agent_systems.called_functions import MAX_REACHABLE_FUNCTIONS
from auditor.forensics.agent_systems.dispatch_tables import calls_unknown_function
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit
from auditor.forensics.agent_systems.path_conditions import is_negated_test
from auditor.forensics.agent_systems.rule_sightings import DISSENT, RuleSighting, all_sightings
from auditor.forensics.agent_systems.system_report_types import RULES, Rule

_SCORE_WORDS = re.compile(r"scor|rating|grade|marks?\b|points|verdict|opinion|pleas?\b|weight", re.IGNORECASE)
_JUDGING_WORDS = re.compile(
    r"\bopinions?\b|\bjudges?\b|prosecut|\bdefen[cs]e\b|tech_?lead|dissent|juror|\bpleas?\b|\bcourts?\b|tribunal",
    re.IGNORECASE,
)
_SYNTHESIS_NAME = re.compile(
    r"justice|synthes|rule|override|suprem|varianc|dissent|verdict|weight|resolve|final", re.IGNORECASE
)
_RULE_NAMES = {
    "security_override": re.compile(r"secur\w*(?:over|cap|veto|limit|rule)", re.IGNORECASE),
    "fact_supremacy": re.compile(r"(?:fact|evidence)\w*(?:suprem|over|first|check|rule|beat|win)", re.IGNORECASE),
    "functionality_weight": re.compile(r"functional|architect\w*weight|weight\w*architect", re.IGNORECASE),
    "variance_re_evaluation": re.compile(r"varianc|spread|re_?eval|re_?hear", re.IGNORECASE),
    "dissent": DISSENT,
}
"""What a function is called that is nothing but one rule."""


def read_rules(study: ProgramStudy, reach: Mapping[FunctionDefinition, Unit]) -> dict[str, Rule]:
    """The state of every named rule, in what the synthesis reaches and in what nothing reaches."""
    live = list(all_sightings(study, reach))
    found: dict[str, Rule] = {}
    rest: dict[FunctionDefinition, Unit] | None = None
    taken: list[ast.AST] = []
    for rule in RULES:
        best = _best_sighting(
            rule, (each for name, each in live if name == rule and _is_about_scores(rule, each)), taken
        )
        taken += [best.node] if best is not None else []
        if best is not None and not best.dead:
            found[rule] = _rule_state("present" if best.strength == 2 else "partial", best, "")
            continue
        rest = _unreached_functions(study, reach) if rest is None else rest
        lost = _best_sighting(
            rule, (each for _, each in all_sightings(study, rest, only=rule) if _is_uncalled(study, rule, each))
        )
        if best is not None:
            found[rule] = _rule_state("dead", best, best.dead)
        elif lost is not None:
            unused = study.unused_reason(lost.unit, lost.node)
            open_end = "" if unused else _unfollowed_calls_reason(study, reach)
            found[rule] = _rule_state(
                "unfollowed" if open_end else "dead", lost, open_end or unused or "the synthesis does not reach it"
            )
        else:
            found[rule] = Rule(state="absent")
    return found


def _is_about_scores(rule: str, seen: RuleSighting) -> bool:
    """Is what may be part of a rule in code that speaks of what judges give? Clients and routers ask such things as well."""
    own = seen.unit.function_of(seen.node)
    return seen.strength == 2 or _has_rule_name(rule, seen) or (own is not None and _mentions_scores(seen.unit, own))


def _is_uncalled(study: ProgramStudy, rule: str, seen: RuleSighting) -> bool:
    """Is it a rule that somebody wrote and nobody calls? What another step of the system works with is its own affair."""
    if _has_rule_name(rule, seen):
        return True
    own = seen.unit.function_of(seen.node)
    if own is not None and any(own in reached for reached in study.run.by_context.values()):
        return False
    return seen.strength >= (1 if rule == "functionality_weight" else 2)  # weights alone are all there is of it


def _unfollowed_calls_reason(study: ProgramStudy, reach: Mapping[FunctionDefinition, Unit]) -> str:
    """Why the synthesis may call more than was seen; empty when all its calls were followed."""
    if study.run.exhausted or len(reach) >= MAX_REACHABLE_FUNCTIONS:
        return "the code exceeds the analysis limit"
    key = ("calls the unknown", frozenset(reach))
    if key not in study.memory:
        study.memory[key] = any(calls_unknown_function(study, unit, node) for node, unit in reach.items())
    if study.memory[key]:
        return "the synthesis calls functions that are only known at run time"
    return ""


def _rule_state(state: str, seen: RuleSighting, reason: str) -> Rule:
    return Rule(state=state, path=seen.unit.path, line=int(getattr(seen.node, "lineno", 1)), reason=reason)


def _best_sighting(rule: str, seen: Iterable[RuleSighting], taken: Iterable[ast.AST] = ()) -> RuleSighting | None:
    """The place that shows a rule best.

    One that can fire, the whole of it even where it cannot rather than a part, under its own name, which is not `taken` to show another rule, is no early way
    out, and stands where the rule begins.
    """
    found = list(seen)
    places = [each.unit.function_of(each.node) for each in found]
    order = {place: -number for number, place in reversed(list(enumerate(places)))}
    others = set(taken)

    def worth(number: int) -> tuple[bool, int, bool, bool, bool, bool, int, int]:
        each = found[number]
        place = (order[places[number]], -int(getattr(each.node, "lineno", 1)))
        return (
            not each.dead and each.strength > 1,
            each.strength,
            not each.dead,
            _has_rule_name(rule, each),
            each.node not in others,
            not _is_early_exit(each.node),
            *place,
        )

    return found[max(range(len(found)), key=worth)] if found else None


def _is_early_exit(node: ast.AST) -> bool:
    """Is it an early way out, or a placeholder: `if not scores: return 0`, `dissent = "none"`?"""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.keyword)):
        return isinstance(node.value, ast.Constant)
    if not isinstance(node, ast.If) or not is_negated_test(node.test) or len(node.body) != 1:
        return False
    only = node.body[0]
    value = only.value if isinstance(only, ast.Return) else None
    parts = value.elts if isinstance(value, ast.Tuple) else [] if value is None else [value]
    return isinstance(only, (ast.Return, ast.Continue)) and all(isinstance(each, ast.Constant) for each in parts)


def _has_rule_name(rule: str, seen: RuleSighting) -> bool:
    """Is a place in a function that bears the rule's name?"""
    own = seen.unit.function_of(seen.node)
    return own is not None and _RULE_NAMES[rule].search(own.name) is not None


def _unreached_functions(
    study: ProgramStudy, reach: Mapping[FunctionDefinition, Unit]
) -> dict[FunctionDefinition, Unit]:
    """Functions of product code that the synthesis does not reach and that speak of scores.

    They stand in files that speak of judges, and are told by their names, where there is a synthesis also by what they speak of.
    """
    found: dict[FunctionDefinition, Unit] = {}
    for unit in study.program.product:
        if not _SCORE_WORDS.search(unit.text) or not _JUDGING_WORDS.search(unit.text):
            continue
        scores = "score" in unit.text
        for node in (*unit.nodes_of_kinds(ast.FunctionDef), *unit.nodes_of_kinds(ast.AsyncFunctionDef)):
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            if node not in reach and (
                (scores and _SYNTHESIS_NAME.search(f"{unit.path} {node.name}") is not None)
                or (bool(reach) and _mentions_scores(unit, node))
            ):
                found[node] = unit
    return found


def _mentions_scores(unit: Unit, node: ast.AST) -> bool:
    """Does a function speak of what judges give?"""
    first, last = int(getattr(node, "lineno", 1)), int(getattr(node, "end_lineno", None) or 1)
    return _SCORE_WORDS.search("\n".join(unit.lines[first - 1 : last])) is not None
