"""Judges that a rule asks for by name, and whether anybody in the graph bears the name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from auditor.forensics.agent_systems.agent_graph import function_of
from auditor.forensics.agent_systems.called_functions import callees
from auditor.forensics.agent_systems.impossible_conditions import Scope
from auditor.forensics.agent_systems.judge_detection import judge_nodes
from auditor.forensics.agent_systems.library_names import suffixes_with_dot
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit
from auditor.forensics.agent_systems.path_conditions import Condition, atoms
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.undefined_rule_names import is_compared, texts_of_name
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import last_name, text_constants

_JUDGE_FIELD = re.compile(r"(?:^|_)(?:judge|persona|role|juror)(?:_?(?:name|id))?$", re.IGNORECASE)
_BY_JUDGE = re.compile(r"judge|persona|opinion|score|(?:^|_)ops?$|vote|by_role", re.IGNORECASE)
_NO_LETTER = re.compile(r"[^a-z0-9]+")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MIN_NAME = 4
_MAX_NAME_WORDS = 4
_MAX_UNITS = 60
_MAX_DEPTH = 3
_RUBRIC_FILE = re.compile(r"rubric|criteri", re.IGNORECASE)
"""Files that say what judges are to look at; they speak of judges and name nobody."""
_LOOKUPS = frozenset({"get", "pop"})


def nobody_reason(scope: Scope, conditions: Iterable[Condition], own: Iterable[FunctionDefinition]) -> str:
    """Why conditions never hold: they ask for a judge by a name that nobody in the graph bears; empty when somebody does.

    `own` are the functions of the synthesis: what they call judges gives nobody a name.
    """
    known = _known_names(scope.study, own)
    for condition in conditions if known else ():
        for each in atoms(condition):
            asked = _asked_names(scope, each.test, _MAX_DEPTH) if each.holds else []
            if (
                asked
                and (known := _known_names(scope.study, own))
                and not any(_is_borne(name, known) for name in asked)
            ):
                return f"it requires the judge {asked[0]!r}, which the graph does not have"
    return ""


def _is_borne(name: str, known: frozenset[str]) -> bool:
    plain = _plain(name)
    return len(plain) < _MIN_NAME or plain in known


def _runs_of_words(text: str) -> Iterator[str]:
    """Every one to four words in a row, as a name may be spelled: `techlead` for `tech_lead`, `TechLead` and `Tech Lead`."""
    words = [each.lower() for each in _WORD.findall(text)]
    for size in range(1, _MAX_NAME_WORDS + 1):
        yield from ("".join(words[start : start + size]) for start in range(len(words) - size + 1))


def _plain(text: str) -> str:
    return _NO_LETTER.sub("", text.lower())


def _asked_names(scope: Scope, test: ast.expr, depth: int) -> list[str]:
    """The names of judges one of which must be there for a condition to hold."""
    if not depth:
        return []
    if isinstance(test, ast.BoolOp):
        return _asked_by_all(scope, test, depth)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared_judges(scope, test) or _asked_by_value(scope, test.left, depth, test.ops[0])
    if isinstance(test, ast.Call) and last_name(test.func) in {"any", "bool"} and test.args:
        return _asked_by_elements(scope, test.args[0], depth)
    return _asked_by_value(scope, test, depth, None)


def _asked_by_all(scope: Scope, test: ast.BoolOp, depth: int) -> list[str]:
    """What an `or` asks for: names, where each of its sides needs one; an `and` asks for what a side of it does."""
    told = [_asked_names(scope, each, depth) for each in test.values]
    if isinstance(test.op, ast.And):
        return next((each for each in told if each), [])
    return [name for each in told for name in each] if all(told) else []


def _compared_judges(scope: Scope, test: ast.Compare) -> list[str]:
    """The names in `each.judge == "Prosecutor"`, `judge in ("Prosecutor", ...)` and `"Prosecutor" in by_judge`."""
    left, right = test.left, test.comparators[0]
    if not isinstance(test.ops[0], (ast.Eq, ast.In)):
        return []
    if _is_judge_field(left):
        return _texts(scope, right)
    if isinstance(test.ops[0], ast.In) and isinstance(right, ast.Name) and _BY_JUDGE.search(right.id):
        text = _texts(scope, left)
        return text if text and _names_judge_table(scope, right) else []
    return _texts(scope, left) if isinstance(test.ops[0], ast.Eq) and _is_judge_field(right) else []


def _is_judge_field(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and last_name(node.func) in {"lower", "upper", "strip", "str"}:
        inner = node.func.value if isinstance(node.func, ast.Attribute) else node.args[0] if node.args else node
        return inner is not node and _is_judge_field(inner)
    if isinstance(node, ast.Call) and last_name(node.func) in {*_LOOKUPS, "getattr"}:
        return any(isinstance(each, ast.Constant) and _JUDGE_FIELD.search(str(each.value)) for each in node.args)
    if isinstance(node, ast.Subscript):
        return _JUDGE_FIELD.search(str(getattr(node.slice, "value", ""))) is not None
    word = getattr(node, "attr", getattr(node, "id", ""))
    return isinstance(word, str) and _JUDGE_FIELD.search(word) is not None


def _names_judge_table(scope: Scope, node: ast.expr) -> bool:
    """Is it a table of opinions by the judges who gave them: made so, or asked for a judge who is there elsewhere?"""
    told = scope.names.only_value(node.id) if isinstance(node, ast.Name) else None
    if isinstance(told, ast.DictComp):
        return _is_judge_field(told.key)
    known: frozenset[str] = scope.study.memory.get("judge names", frozenset())
    keys = _table_keys(scope.study).get(last_name(node), set())
    return any(len(_plain(key)) >= _MIN_NAME and _plain(key) in known for key in keys)


@remembered
def _table_keys(study: ProgramStudy) -> dict[str, set[str]]:
    """The texts by which product code looks something up, by the name of the table."""
    found: dict[str, set[str]] = {}
    for unit in study.program.product:
        for node in unit.nodes_of_kinds(ast.Call, ast.Subscript):
            table, key = _lookup(node)
            if table is not None and isinstance(key, ast.Constant) and isinstance(key.value, str):
                found.setdefault(last_name(table), set()).add(key.value)
    return found


def _lookup(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """The table and the key of `table["key"]` and `table.get("key")`, where nothing is given in place of what is not there."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LOOKUPS:
        return node.func.value, node.args[0] if node.args and _is_empty_default(node) else None
    return (node.value, node.slice) if isinstance(node, ast.Subscript) else (None, None)


def _texts(scope: Scope, node: ast.expr) -> list[str]:
    if isinstance(node, ast.Name):
        told = scope.names.only_value(node.id)
        if told is not None:
            return _texts(scope, told) if isinstance(told, ast.Constant) else []
        return [] if node.id in scope.names.counts else texts_of_name(scope.study, scope.unit, node)
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    texts = text_constants(parts)
    return texts if len(texts) == len(parts) else []


def _asked_by_elements(scope: Scope, node: ast.expr, depth: int) -> list[str]:
    """Names that every element of a comprehension needs: `any(each.judge == "X" and ... for each in opinions)`."""
    if not isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
        return []
    tests = [test for each in node.generators for test in each.ifs]
    tests += [node.elt] if isinstance(node.elt, (ast.Compare, ast.BoolOp)) else []
    found = (
        _asked_names(scope, part.test, depth - 1) for test in tests for part in atoms(Condition(test)) if part.holds
    )
    return next((each for each in found if each), [])


def _asked_by_value(scope: Scope, node: ast.expr, depth: int, compared: ast.cmpop | None) -> list[str]:
    """The judge whose opinion a value is, where nothing is there without him: `if prosecutor and prosecutor.score < 3`."""
    if isinstance(compared, (ast.Is, ast.Eq)):
        return []
    while isinstance(node, (ast.Attribute, ast.Subscript)) and not _looks_up(node):
        node = node.value
    found: list[str] = []
    if isinstance(node, ast.Name):
        told = _possible_value(scope, node)
        found = _asked_by_value(scope, told, depth - 1, None) if told is not None and depth else []
    elif isinstance(node, ast.Call) and last_name(node.func) == "next" and node.args:
        found = _asked_by_elements(scope, node.args[0], depth) if _is_empty_default(node) else []
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        found = _asked_by_elements(scope, node, depth)
    elif isinstance(node, ast.Compare):
        found = _asked_names(scope, node, depth - 1) if len(node.ops) == 1 else []
    else:
        found = _looked_up_judge(scope, node)
    return found


def _possible_value(scope: Scope, name: ast.Name) -> ast.expr | None:
    """The one value of a local name beside `None`, `[]` and the like."""
    values = scope.names.bindings.get(name.id, [])
    if len(values) != scope.names.counts.get(name.id, 0):
        return None
    told = [each for each in values if not (isinstance(each, ast.Constant) and not each.value)]
    return told[0] if len(told) == 1 else None


def _is_empty_default(call: ast.Call) -> bool:
    """Does a look-up give nothing where it finds nothing?"""
    default = call.args[1] if len(call.args) > 1 else None
    return default is None or (isinstance(default, ast.Constant) and not default.value)


def _looks_up(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, (ast.Constant, ast.Name))
        and isinstance(getattr(node.slice, "value", ""), str)
    )


def _looked_up_judge(scope: Scope, node: ast.expr) -> list[str]:
    """The name in `by_judge.get("Prosecutor")`, `by_judge["Prosecutor"]` and `opinion_of(opinions, "Prosecutor")`."""
    table, key = _lookup(node)
    if table is not None:
        return _texts(scope, key) if key is not None and _names_judge_table(scope, table) else []
    if not isinstance(node, ast.Call):
        return []
    name = last_name(node.func)
    helper = next((each for each in callees(scope.study, scope.unit, scope.function) if each.name == name), None)
    if helper is None or isinstance(helper.node, ast.Lambda) or not _finds_by_judge(helper.node):
        return []
    given = [*node.args, *(each.value for each in node.keywords)]
    return next(
        (texts for each in given if isinstance(each, (ast.Constant, ast.Name)) and (texts := _texts(scope, each))), []
    )


def _finds_by_judge(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Does a function look for the opinion of the judge whose name it is given, and give nothing back where there is none?"""
    parameters = {each.arg for each in function.args.args}
    returned = [each.value for each in descendants(function) if isinstance(each, ast.Return)]
    empty = any(each is None or (isinstance(each, ast.Constant) and not each.value) for each in returned)
    empty = empty or any(
        isinstance(each, ast.Call) and last_name(each.func) == "next" and _is_empty_default(each) for each in returned
    )
    return empty and any(
        isinstance(each, ast.Compare)
        and isinstance(each.ops[0], ast.Eq)
        and any(map(_is_judge_field, (each.left, each.comparators[0])))
        and any(isinstance(side, ast.Name) and side.id in parameters for side in (each.left, each.comparators[0]))
        for each in descendants(function)
    )


def _known_names(study: ProgramStudy, own: Iterable[FunctionDefinition]) -> frozenset[str]:
    """All that may be a judge's name: of nodes, and what judges' code and data files say; nothing without judges."""
    if "judge names" not in study.memory:
        nodes = judge_nodes(study) if study.main_graph is not None else []
        texts = [*nodes, *_texts_of_judges(study, nodes, frozenset(own))] if len(nodes) > 1 else []
        study.memory["judge names"] = frozenset(run for each in texts for run in _runs_of_words(each))
    known: frozenset[str] = study.memory["judge names"]
    return known


def _texts_of_judges(study: ProgramStudy, nodes: list[str], own: frozenset[FunctionDefinition]) -> Iterator[str]:
    heard = {node: unit for each in nodes for node, unit in study.run.by_context.get(each, {}).items()}
    for graph in study.live_graphs:
        handlers = [function_of(graph.handlers[each]) for each in nodes if each in graph.handlers]
        heard.update({each.node: each.unit for each in handlers if each is not None})
    silent = own - heard.keys()
    only_deciding = {unit for node, unit in _units_of(study, silent)} - set(heard.values())
    graphs = {graph.builder.place.unit for graph in study.live_graphs} - only_deciding
    for unit in {*_imported_units(study, set(heard.values())), *graphs}:
        if unit in only_deciding:
            continue
        for node in unit.nodes_of_kinds(ast.Constant):
            value = node.value  # type: ignore[attr-defined]
            if isinstance(value, str) and not is_compared(unit, node) and unit.function_of(node) not in silent:
                yield value
    for path, text in study.program.data.items():
        if path.endswith(suffixes_with_dot("persona_suffixes")) and not _RUBRIC_FILE.search(path):
            yield text[:200_000]


def _functions_of(unit: Unit) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in (*unit.nodes_of_kinds(ast.FunctionDef), *unit.nodes_of_kinds(ast.AsyncFunctionDef)):
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        yield node


def _units_of(
    study: ProgramStudy, functions: frozenset[FunctionDefinition]
) -> Iterator[tuple[FunctionDefinition, Unit]]:
    for unit in study.program.product:
        yield from ((node, unit) for node in _functions_of(unit) if node in functions)


def _imported_units(study: ProgramStudy, start: set[Unit]) -> list[Unit]:
    """Files and all that they import from the repository."""
    found: dict[Unit, None] = {}
    waiting = sorted(start, key=lambda each: each.path)
    while waiting and len(found) < _MAX_UNITS:
        unit = waiting.pop(0)
        if unit in found:
            continue
        found[unit] = None
        for node in unit.nodes_of_kinds(ast.Import, ast.ImportFrom):
            dotted = [f"{'.' * node.level}{node.module or ''}"] if isinstance(node, ast.ImportFrom) else []
            names = [each.name for each in node.names]  # type: ignore[attr-defined]
            for each in (*dotted, *(f"{dotted[0]}.{name}" if dotted else name for name in names)):
                target = study.program.module(each, unit)
                if target is not None and target.product:
                    waiting.append(target)
    return list(found)
