"""A script as the tree of a module."""

from __future__ import annotations

import ast

from auditor.forensics.agent_systems.javascript.blocks import block
from auditor.forensics.agent_systems.javascript.calls import HIDDEN
from auditor.forensics.agent_systems.javascript.expressions import EXPRESSIONS
from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext, significant_children
from auditor.forensics.agent_systems.javascript.parsing import broken_lines, parse_script
from auditor.forensics.agent_systems.javascript.statements import STATEMENTS


def lower_script(text: str, path: str) -> tuple[ast.Module, frozenset[int]] | str:
    """The tree of a script with the lines that were lost in it, or why there is none."""
    source = text.encode("utf-8", errors="replace")
    root = parse_script(source, path)
    if isinstance(root, str):
        return root
    writer = LoweringContext(source, EXPRESSIONS, STATEMENTS)
    opening: list[ast.stmt] = [
        ast.Import(names=[ast.alias(name=name, asname=own)], lineno=1, col_offset=0) for name, own in HIDDEN.items()
    ]
    module = ast.Module(body=[*opening, *block(writer, significant_children(root))], type_ignores=[])
    return module, frozenset(writer.lost | (broken_lines(root) if root.has_error else set()))
