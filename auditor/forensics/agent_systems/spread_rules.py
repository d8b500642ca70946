"""Re-evaluation on spread: where code asks how far opinions are apart, and whether anything is evaluated again then."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from auditor.forensics.agent_systems.abstract_values import Function
from auditor.forensics.agent_systems.agent_graph import function_of
from auditor.forensics.agent_systems.called_functions import callees
from auditor.forensics.agent_systems.judge_detection import JUDGE_NAME, judge_nodes
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.model_calls import model_calls
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.path_conditions import LocalNames, guarded_statements, local_names
from auditor.forensics.agent_systems.score_effects import changes_score, is_no_score
from auditor.forensics.agent_systems.syntax_queries import descendants, nested_statements, vocabulary
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import last_name, text_constants

_SPREAD = re.compile(r"varianc|spread|diverg|disagree|stdev|deviat|conflict|delta|range_|gap", re.IGNORECASE)
_SPREAD_FLAG = re.compile(r"varianc|spread|diverg|disagree|re_?eval|re_?hear", re.IGNORECASE)
_DISSENT_FLAG = re.compile(r"dissent", re.IGNORECASE)
"""A flag that says that judges differ; in a report it is also only a text, so it counts where a score follows from it."""
_RE_EVALUATION = re.compile(
    r"re_?eval|re_?hear|arbit|tie_?break|reconsider|second_(?:round|look|hearing)|deliberat|_again|re_?(?:judge|score|assess|examin|weigh|vote)|appeal",
    re.IGNORECASE,
)
_MARKS_ONLY = re.compile(
    r"^_*(?:flag|log|note|mark|needs?|should|must|record|request|describe|explain|is|has|warn|format|build_\w*text)_",
    re.IGNORECASE,
)
"""How functions begin that only say that something is to be evaluated again."""
_JUDGING_NAME = re.compile(rf"{_RE_EVALUATION.pattern}|{JUDGE_NAME.pattern}|opinion|hear|scor|rate", re.IGNORECASE)
"""What a function is called by which judges are heard, rather than any text is asked for."""
_HIGHEST_NAME = re.compile(r"(?:^|_)(?:max|hi|high|highest|top|best|upper)(?:$|_)|max|highest", re.IGNORECASE)
_LOWEST_NAME = re.compile(r"(?:^|_)(?:min|lo|low|lowest|bottom|worst|lower)(?:$|_)|min|lowest", re.IGNORECASE)
_GREATER = (ast.Gt, ast.GtE)
_LESS = (ast.Lt, ast.LtE)
_MAX_DEPTH = 3


def spread_sighting(
    study: ProgramStudy, unit: Unit, function: ast.FunctionDef | ast.AsyncFunctionDef, node: ast.AST, names: LocalNames
) -> int:
    """How far a statement re-evaluates opinions that are far apart: 2 it does, 1 it only says so, 0 it is about something else."""
    test, body, other = _parts(unit, node, names)
    if test is None:
        return 0
    side = _asks_spread(study, unit, function, test, names, _MAX_DEPTH)
    if side is None:
        flagged = _asks_dissent_flag(test)
        return 2 if flagged and changes_score(body, names, function) else 0
    block = body if side else (guarded_statements(unit, node) if isinstance(node, ast.If) else other)
    again = changes_score(block, names, function) or _evaluates_again(study, unit, function, block)
    return 2 if again else 1


def _parts(unit: Unit, node: ast.AST, names: LocalNames) -> tuple[ast.expr | None, list[ast.stmt], list[ast.stmt]]:
    """The condition of a statement, and what it does when that holds and when it does not."""
    if isinstance(node, (ast.If, ast.While)):
        return node.test, node.body, node.orelse if isinstance(node, ast.If) else []
    if isinstance(node, ast.match_case):
        return node.guard, node.body, []
    if isinstance(node, ast.IfExp):
        around = next(each for each in unit.around(node) if isinstance(each, ast.stmt))
        return node.test, [around], [around]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        chosen = names.only_value(node.iter.id) if isinstance(node.iter, ast.Name) else node.iter
        tests = [test for each in getattr(chosen, "generators", ()) for test in each.ifs]
        return (ast.BoolOp(ast.And(), tests) if tests else None), node.body, []
    return None, [], []


def _asks_spread(
    study: ProgramStudy, unit: Unit, function: ast.AST, test: ast.AST, names: LocalNames, depth: int
) -> bool | None:
    """Does a condition hold when opinions are far apart (True) or when they are not (False)? None when it asks neither."""
    found: bool | None = None
    if depth < 0:
        return None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        found = _asks_spread(study, unit, function, test.operand, names, depth)
        return None if found is None else not found
    if isinstance(test, ast.Compare):
        return _compares_spread(test, names)
    if isinstance(test, ast.Call):
        return _call_asks_spread(study, unit, function, test, names, depth)
    parts = test.values if isinstance(test, ast.BoolOp) else []
    parts = names.bindings.get(test.id, []) if isinstance(test, ast.Name) else parts
    told = (_asks_spread(study, unit, function, each, names, depth - 1) for each in parts)
    found = next((each for each in told if each is not None), None)
    return True if found is None and _SPREAD_FLAG.search(_word(test)) else found


def _word(node: ast.AST) -> str:
    """The name, attribute or key that a value is read by."""
    if isinstance(node, ast.Subscript):
        return str(getattr(node.slice, "value", ""))
    return last_name(node)


def _call_asks_spread(
    study: ProgramStudy, unit: Unit, function: ast.AST, call: ast.Call, names: LocalNames, depth: int
) -> bool | None:
    """What a predicate asks: by what it returns, by the elements it passes through, by the key it looks up."""
    name = last_name(call.func)
    if name in {"any", "all", "bool"} and call.args:
        element = getattr(call.args[0], "elt", call.args[0])
        return _asks_spread(study, unit, function, element, names, depth - 1)
    if name == "get" and call.args and isinstance(call.args[0], ast.Constant):
        return True if _SPREAD_FLAG.search(str(call.args[0].value)) else None
    helper = _called(study, unit, function, call)
    if helper is None or isinstance(helper.node, ast.Lambda):
        return True if _SPREAD_FLAG.search(name) else None
    inner = local_names(helper.node)
    for each in descendants(helper.node):
        if isinstance(each, ast.Return) and each.value is not None:
            found = _asks_spread(study, helper.unit, helper.node, each.value, inner, depth - 1)
            if found is not None:
                return found
    return None


def _called(study: ProgramStudy, unit: Unit, function: ast.AST, call: ast.Call) -> Function | None:
    name = last_name(call.func)
    return next((each for each in callees(study, unit, function) if each.name == name), None)


def _compares_spread(test: ast.Compare, names: LocalNames) -> bool | None:
    if len(test.ops) != 1 or not isinstance(test.ops[0], (*_GREATER, *_LESS)):
        return None
    greater = isinstance(test.ops[0], _GREATER)
    if is_spread(test.left, names):
        return greater
    return not greater if is_spread(test.comparators[0], names) else None


def is_spread(value: ast.expr, names: LocalNames, depth: int = _MAX_DEPTH) -> bool:
    """Does an expression say how far scores are apart: by its name, or as a difference of the highest and the lowest?"""
    if isinstance(value, ast.IfExp):
        return is_spread(value.body, names, depth) or is_spread(value.orelse, names, depth)
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.Sub) and _is_distance(value, names)
    if isinstance(value, ast.Call):
        return _calls_spread(value, names, depth)
    told = names.only_value(value.id) if isinstance(value, ast.Name) else None
    if told is not None and depth and is_spread(told, names, depth - 1):
        return True
    word = _word(value)
    return _SPREAD.search(word) is not None and not word.isupper()


def _calls_spread(call: ast.Call, names: LocalNames, depth: int) -> bool:
    """Does a call give how far scores are apart?"""
    name = last_name(call.func)
    if name in {"abs", "float", "int", "round"} and call.args:
        return is_spread(call.args[0], names, depth)
    if name in {"get", "getattr"}:
        return any(isinstance(each, ast.Constant) and _SPREAD.search(str(each.value)) for each in call.args)
    return name in known_names("spread_calls") or _SPREAD.search(name) is not None


def _is_distance(value: ast.BinOp, names: LocalNames) -> bool:
    sides = []
    for each in (value.left, value.right):
        told = names.only_value(each.id) if isinstance(each, ast.Name) else None
        sides.append([*vocabulary(each), *(vocabulary(told) if told is not None else ())])
    return any(map(_HIGHEST_NAME.search, sides[0])) and any(map(_LOWEST_NAME.search, sides[1]))


def _asks_dissent_flag(test: ast.expr) -> bool:
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    return any(_DISSENT_FLAG.search(last_name(each)) for each in parts)


def _evaluates_again(study: ProgramStudy, unit: Unit, function: ast.AST, block: Iterable[ast.stmt]) -> bool:
    """Does a block have judges heard once more, or hand the case to something that decides it again?"""
    for statement in nested_statements(block):
        if isinstance(getattr(statement, "body", None), list):
            continue
        if any(_calls_hearing(study, unit, function, each) for each in _calls(statement)):
            return True
        if _leads_to_hearing(study, statement):
            return True
    return False


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a statement, log lines and what they are given left out."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Call):
            if last_name(each.func) in known_names("log_calls"):
                continue
            yield each
        waiting += ast.iter_child_nodes(each)


def _calls_hearing(study: ProgramStudy, unit: Unit, function: ast.AST, call: ast.Call) -> bool:
    name = last_name(call.func)
    helper = _called(study, unit, function, call)
    if helper is None:
        used = not isinstance(unit.parents.get(call), ast.Expr)
        return used and _RE_EVALUATION.search(name) is not None and _MARKS_ONLY.match(name) is None
    if helper.node in _judging_functions(study) and _JUDGING_NAME.search(name):
        return True
    if _RE_EVALUATION.search(name) is None:
        return False
    used = not isinstance(unit.parents.get(call), ast.Expr)
    return _decides(helper.node) or (used and not _gives_texts(helper.node))


def _decides(function: ast.AST) -> bool:
    """Does a function come to a score of its own?"""
    names = local_names(function)
    body = getattr(function, "body", [])
    return isinstance(body, list) and changes_score(body, names, function)


def _gives_texts(function: ast.AST) -> bool:
    """Does a function give back nothing but texts and flags, as one does that only describes the disagreement?"""
    names = local_names(function)
    given = [each.value for each in descendants(function) if isinstance(each, ast.Return) and each.value is not None]
    parts = [part for each in given for part in (each.values if isinstance(each, ast.Dict) else [each])]
    return all(is_no_score(each, names) for each in parts)


@remembered
def _judging_functions(study: ProgramStudy) -> frozenset[ast.AST]:
    """The functions by which judges are heard: those in which they ask a model, and those that lead there."""
    judges = set(judge_nodes(study))
    return frozenset(
        frame.node for each in model_calls(study) if each.event.context in judges for frame in each.event.frames
    )


def _leads_to_hearing(study: ProgramStudy, statement: ast.stmt) -> bool:
    """Does a router send the case back to the judges, or to a node that decides again?"""
    main = study.main_graph
    if main is None:
        return False
    said = {text for part in _destinations(statement) for text in text_constants(descendants(part))}
    labels: Mapping[str, str] = {label: node for router in main.routers for label, node in router.labels.items()}
    judges = set(judge_nodes(study))
    shape = main.topology()
    for node in {labels.get(each, each) for each in said} & set(main.handlers):
        if node in judges or judges & set(shape.successors(node)):
            return True
        handler = function_of(main.handlers[node])
        if handler is not None and _RE_EVALUATION.search(f"{node} {handler.name}") and _decides(handler.node):
            return True
    return False


def _destinations(statement: ast.stmt) -> Iterator[ast.AST]:
    """Where a router says to go on: what it returns, and what `Command` and `Send` are given."""
    value = statement.value if isinstance(statement, ast.Return) else None
    if isinstance(value, (ast.Constant, ast.List, ast.Tuple, ast.ListComp)):
        yield value
    for call in _calls(statement):
        if last_name(call.func) == "Send" and call.args:
            yield call.args[0]
        elif last_name(call.func) == "Command":
            yield from (each.value for each in call.keywords if each.arg == "goto")
