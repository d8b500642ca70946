"""Whether refused credentials are distinguished from other failures of a clone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.agent_systems.clone_context import split_by_clone, spots_at, surrounding_functions
from auditor.forensics.agent_systems.clone_sites import CloneSite
from auditor.forensics.agent_systems.count_phrases import Wording, share_phrase
from auditor.forensics.agent_systems.library_names import joined_pattern
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.system_report_types import ProbeAnswer, Where, WhereData
from auditor.forensics.python.scope_bindings import callee_name


def _auth_message() -> re.Pattern[str]:
    return joined_pattern("auth_messages", flags=re.IGNORECASE)


_REFUSAL_WORDS = re.compile(r"auth|credential|accessdenied", re.IGNORECASE)
_AUTH_NAME = re.compile(r"auth|credential|permission|accessdenied|forbidden", re.IGNORECASE)


def auth_errors_handled(study: ProgramStudy, sites: list[CloneSite]) -> ProbeAnswer:
    """Are refused credentials distinguished around every clone?"""
    found, bare = split_by_clone(sites, lambda site: _auth_handling(study, site))
    data = WhereData(where=found)
    share = round(1 - len(bare) / len(sites), 4)
    if not bare:
        return ProbeAnswer(
            answer=True, statement=f"Authentication failures are distinguished from other failures: {found[0].what}.", data=data, confidence=0.9,
            because="by the words of git, which differ between versions", spots=tuple(spots_at(study, data.where)), measure=share,
        )  # fmt: skip
    return ProbeAnswer(
        answer=False, statement=f"{share_phrase(len(bare), len(sites), Wording(('clone', 'treats'), ('clones', 'treat')))} refused credentials like any other failure.", data=data,
        spots=tuple(study.place_spot(each.place) for each in bare), confidence=0.85, measure=share,
        because="a caller outside the analysed code may distinguish them",
    )  # fmt: skip


def _auth_handling(study: ProgramStudy, site: CloneSite) -> Where | None:
    return next((each for unit, node in surrounding_functions(study, site) for each in _auth_marks(unit, node)), None)


def _auth_marks(unit: Unit, function: ast.AST) -> Iterator[Where]:
    """Places that look for words of refused credentials, or raise or catch an error of their own for them."""
    if isinstance(function, ast.Module):
        return
    for node in descendants(function):
        line = int(getattr(node, "lineno", 1))
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and _auth_message().search(node.value)
            and len(node.value) < 120
        ):
            if _is_search_text(unit, node):
                yield Where(path=unit.path, line=line, what=f"it looks for {node.value[:60]!r}")
        elif isinstance(node, ast.Raise) and node.exc is not None and _AUTH_NAME.search(callee_name(node.exc)):
            yield Where(path=unit.path, line=line, what=f"it raises {callee_name(node.exc)}")
        elif isinstance(node, ast.ExceptHandler) and node.type is not None:
            names = [
                callee_name(each) for each in (node.type.elts if isinstance(node.type, ast.Tuple) else [node.type])
            ]
            named = next(
                (name for name in names if _REFUSAL_WORDS.search(name) and not _is_process_error(unit, name)), ""
            )
            if named:
                yield Where(path=unit.path, line=line, what=f"it catches {named}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield from _constants_with_auth_words(unit, node)


def _is_process_error(unit: Unit, name: str) -> bool:
    """Is it the error of a library that looks at processes, of the same name as one about credentials?"""
    return name == "AccessDenied" and "psutil" in unit.text


def _constants_with_auth_words(unit: Unit, node: ast.Name) -> Iterator[Where]:
    """Words of refused credentials in a constant of the module that a function passes through."""
    for statement in unit.tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and isinstance(
            statement.value, (ast.Tuple, ast.List, ast.Set, ast.Call, ast.Dict)
        ):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(each, ast.Name) and each.id == node.id for each in targets):
                for each in descendants(statement.value):
                    if (
                        isinstance(each, ast.Constant)
                        and isinstance(each.value, str)
                        and len(each.value) < 60
                        and _auth_message().search(each.value)
                    ):
                        yield Where(path=unit.path, line=each.lineno, what=f"it looks for {each.value[:60]!r}")


def _is_search_text(unit: Unit, node: ast.AST) -> bool:
    """Is a text where one is searched for: a comparison, a pattern, a list to go through?"""
    below: ast.AST = node
    for each in unit.around(node):
        if isinstance(each, ast.Compare):
            return True
        if isinstance(each, (ast.Tuple, ast.List, ast.Set)):
            below = each
            continue
        if isinstance(each, ast.comprehension):
            return True
        if isinstance(each, ast.Call):
            name = callee_name(each.func)
            return name in {"search", "match", "findall", "compile", "fullmatch", "find", "any", "startswith", "RegExp"}
        if isinstance(each, (ast.For, ast.GeneratorExp, ast.Assign, ast.AnnAssign)):
            return isinstance(below, (ast.Tuple, ast.List, ast.Set))
        if isinstance(each, ast.stmt):
            return False
    return False
