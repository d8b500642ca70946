"""What is known of functions of other modules that a file calls: whether they give back untrusted input, or what they are given.

It is asked for by the name of the function with `()` behind it, and comes with the next look at the file.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping

from auditor.forensics.code_facts.input_flows import CALL_MARK, FunctionFlow, unpacked_flow
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scoped_nodes import Scope

TAKES_IN = "<takes in input>"
"""What a file asks about that takes in untrusted input itself: what the functions do that it imports."""


def imported_flow(module: Module, func: ast.expr, scope: Scope) -> FunctionFlow | None:
    """What a function of another module gives back; None where that is not known, or not known yet."""
    name = module.resolve(func, scope)
    if name is None or ("." not in name.lstrip(".") and not name.startswith(".")):
        return None
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    module.asked.add(f"{name}{CALL_MARK}")
    return unpacked_flow(module.told.get(f"{name}{CALL_MARK}"))


def matters_without_input(told: Mapping[str, object]) -> bool:
    """Does something in it change what is seen in a file that takes in no untrusted input itself?"""
    return any(
        not name.endswith(CALL_MARK) or (isinstance(value, dict) and "source" in value) for name, value in told.items()
    )
