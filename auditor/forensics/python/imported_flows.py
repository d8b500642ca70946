"""What is known of functions of other modules that a file calls: whether they give back untrusted input, or what they are given.

It is asked for by the name of the function with `()` behind it, and comes with the next look at the file.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from typing import NamedTuple

from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scoped_nodes import Scope

CALL_MARK = "()"
TAKES_IN = "<takes in input>"
"""What a file asks about that takes in untrusted input itself: what the functions do that it imports."""


class FunctionFlow(NamedTuple):
    """What a function of another module gives back."""

    source: str
    """The untrusted input that it returns, as it is written there; empty where it returns none."""
    parameters: tuple[int, ...]
    """Positions of the parameters that its result holds."""
    names: tuple[str, ...]
    """The names of these."""


def imported_flow(module: Module, func: ast.expr, scope: Scope) -> FunctionFlow | None:
    """What a function of another module gives back; None where that is not known, or not known yet."""
    name = module.resolve(func, scope)
    if name is None or ("." not in name.lstrip(".") and not name.startswith(".")):
        return None
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    module.asked.add(f"{name}{CALL_MARK}")
    told = module.told.get(f"{name}{CALL_MARK}")
    if not isinstance(told, dict):
        return None
    held = [(int(number), str(word)) for number, word in told.get("holds", ())]
    return FunctionFlow(str(told.get("source", "")), tuple(n for n, _ in held), tuple(w for _, w in held))


def matters_without_input(told: Mapping[str, object]) -> bool:
    """Does something in it change what is seen in a file that takes in no untrusted input itself?"""
    return any(
        not name.endswith(CALL_MARK) or (isinstance(value, dict) and "source" in value) for name, value in told.items()
    )
