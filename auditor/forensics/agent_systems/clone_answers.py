"""Answers about clones: where they go, whether the URL is checked first, whether refused credentials are distinguished."""

from __future__ import annotations

import ast

from auditor.forensics.agent_systems.auth_errors import auth_errors_handled
from auditor.forensics.agent_systems.clone_destinations import clones_are_temporary
from auditor.forensics.agent_systems.clone_sites import find_clone_sites
from auditor.forensics.agent_systems.clone_urls import urls_are_checked
from auditor.forensics.agent_systems.main_graph_analysis import Answers, ProgramStudy
from auditor.forensics.agent_systems.system_report_types import ProbeAnswer, Spot


def clone_answers(study: ProgramStudy) -> Answers:
    """All answers about clones."""
    sites = list(find_clone_sites(study))
    if not sites:
        nothing = ProbeAnswer(answer=None, statement="The product code clones no repository.")
        names = ("code.clone_in_temporary_directory", "code.url_validated", "code.auth_errors_handled")
        missed = _unfollowed_clones(study)
        if missed:
            sure = ProbeAnswer(
                answer=False, statement="The code clones a repository, but the destination could not be resolved.", spots=missed, confidence=0.4,
                because="the function around it could not be resolved",
            )  # fmt: skip
            return {names[0]: (sure,), names[1]: (nothing,), names[2]: (nothing,)}
        return dict.fromkeys(names, (nothing,))
    return {
        "code.clone_in_temporary_directory": tuple(clones_are_temporary(study, sites)),
        "code.url_validated": (urls_are_checked(study, sites),),
        "code.auth_errors_handled": (auth_errors_handled(study, sites),),
    }


def _unfollowed_clones(study: ProgramStudy) -> tuple[Spot, ...]:
    """Places that look like clones and were never followed: `clone_from`, and lists of words with `git` and `clone`."""
    found = []
    for unit in study.program.product:
        for node in unit.nodes_of_kinds(ast.Call, ast.List):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clone_from":
                found.append(study.spot(unit, node))
            elif isinstance(node, ast.List):
                words = [each.value for each in node.elts[:12] if isinstance(each, ast.Constant)]
                if "clone" in words and words[0] in {"git", "clone", "/usr/bin/git"}:
                    found.append(study.spot(unit, node))
    return tuple(found[:10])
