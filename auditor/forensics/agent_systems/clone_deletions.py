"""Whether the directory of a clone is deleted before anybody uses it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_values import Attr, Call, Choice, Instance, Map, Op, Seq, Text, Value
from auditor.forensics.agent_systems.clone_sites import CloneSite
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.value_contents import options, text_of, walk

_FOLDER_NAME = re.compile(r"path|dir|repo|clone|workspace|folder|root|sandbox", re.IGNORECASE)


def is_deleted_before_use(study: ProgramStudy, site: CloneSite) -> bool:
    """Is the temporary directory of a clone gone before its path is used?"""
    if site.target is None:
        return False
    for made in walk(site.target):
        if isinstance(made, Op) and made.sign == "with" and _leaves_with_block(study, made):
            return True
        if isinstance(made, Call) and made.last == "TemporaryDirectory" and _is_local_directory_object(study, made):
            return True
        if (
            isinstance(made, Call)
            and made.last in {"mkdtemp", "TemporaryDirectory"}
            and _is_removed_in_finally(study, made)
        ):
            return True
    return False


def _leaves_with_block(study: ProgramStudy, made: Op) -> bool:
    """Is the path returned by the function whose `with` deletes it?"""
    context = made.operands[0]
    if not isinstance(context, Call) or context.last != "TemporaryDirectory":
        return False
    function = context.place.unit.function_of(context.place.node)
    return any(
        returned.frame.node is function and _holds_path_below(returned.value, made) for returned in study.run.returned
    )


def _returned_parts(value: Value, depth: int = 0) -> Iterator[Value]:
    """A value returned, or what it holds under names of paths: in a tuple, a dictionary, an object."""
    for each in options(value):
        if depth == 0:
            yield each
        pairs: list[tuple[str, Value]] = []
        if isinstance(each, Seq) and depth == 0:
            yield from each.items
        elif isinstance(each, Map):
            pairs = [(text_of(key) or "", item) for key, item in each.items]
        elif isinstance(each, Instance):
            pairs = list(each.attrs.items())
        elif isinstance(each, Call) and each.last[:1].isupper():
            pairs = list(each.named)
        for name, item in pairs:
            if isinstance(item, (Map, Instance)) and depth < 3:
                yield from _returned_parts(item, depth + 1)
            elif _FOLDER_NAME.search(name) and not isinstance(item, Seq):
                yield item


def _holds_path_below(value: Value, wanted: Value) -> bool:
    """Is a value a path below another one, or a bundle that holds such a path?"""

    def enter(part: Value) -> bool:
        if isinstance(part, Call):
            return part.last in known_names("path_calls")
        return isinstance(part, (Op, Text, Choice)) or (
            isinstance(part, Attr) and part.name in {"name", "working_dir", "working_tree_dir"}
        )

    return any(part is wanted for each in _returned_parts(value) for part in walk(each, enter))


def _is_local_directory_object(study: ProgramStudy, made: Call) -> bool:
    """Is the directory object local to a function that hands back its path only? Then it is deleted on return."""
    unit, node = made.place.unit, made.place.node
    function = unit.function_of(node)
    parent = unit.parents.get(node)
    if function is None or isinstance(parent, ast.withitem):
        return False
    inline = isinstance(parent, ast.Attribute)
    names = _local_names(parent)
    if not inline and (names is None or _is_kept(function, names)):
        return False
    return any(
        returned.frame.node is function and _returns_path_of(returned.value, made) for returned in study.run.returned
    )


def _is_name_attribute(part: Value, made: Call) -> bool:
    return isinstance(part, Attr) and part.name == "name" and part.base is made


def _local_names(parent: ast.AST | None) -> set[str] | None:
    """The local names a directory object is bound to; None when it is stored somewhere that outlives the function."""
    if isinstance(parent, ast.Assign):
        targets = parent.targets
    elif isinstance(parent, (ast.AnnAssign, ast.NamedExpr)):
        targets = [parent.target]
    else:
        return None
    if not all(isinstance(each, ast.Name) for each in targets):
        return None
    return {each.id for each in targets if isinstance(each, ast.Name)}


def _is_kept(function: ast.AST, names: set[str]) -> bool:
    """Is the object itself passed on: returned, stored, inserted into something?"""
    attributes = {id(each.value) for each in descendants(function) if isinstance(each, ast.Attribute)}
    for each in descendants(function):
        if (
            isinstance(each, ast.Name)
            and each.id in names
            and isinstance(each.ctx, ast.Load)
            and id(each) not in attributes
        ):
            return True
        if isinstance(each, (ast.Global, ast.Nonlocal)) and names & set(each.names):
            return True
    return False


def _is_removed_in_finally(study: ProgramStudy, made: Call) -> bool:
    """Is the directory removed in a `finally` of a function that hands back its path?"""
    for event in study.run.events:
        call = event.call
        if call.last not in {"rmtree", "cleanup"}:
            continue
        unit, node = call.place.unit, call.place.node
        function = unit.function_of(node)
        values = [*call.args, *([call.func.base] if isinstance(call.func, Attr) else [])]
        if not any(part is made for value in values for part in walk(value)) or not _is_in_finally(unit, node):
            continue
        if any(
            returned.frame.node is function and _returns_path_of(returned.value, made)
            for returned in study.run.returned
        ):
            return True
    return False


def _returns_path_of(value: Value, made: Call) -> bool:
    def enter(part: Value) -> bool:
        return isinstance(part, (Op, Text, Choice)) or (
            isinstance(part, Call) and part.last in known_names("path_calls")
        )

    return any(
        part is made or _is_name_attribute(part, made) for each in _returned_parts(value) for part in walk(each, enter)
    )


def _is_in_finally(unit: Unit, node: ast.AST) -> bool:
    below: ast.AST = node
    for each in unit.around(node):
        if isinstance(each, ast.Try) and any(below is statement for statement in each.finalbody):
            return True
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        below = each
    return False
