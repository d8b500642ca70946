"""Forms of expressions that give a function without its name."""

from __future__ import annotations

from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Choice,
    Collection,
    Entry,
    Expression,
    Item,
    Member,
    Name,
    Spread,
)

GLOBAL_OBJECTS = frozenset(
    {"globalThis", "window", "global", "self", "root", "Kernel", "java.lang", "Object", "top", "parent", "frames"}
)
"""Objects whose members are known without them."""
LOADERS = frozenset(
    {
        "require",
        "import",
        "process.mainModule.require",
        "module.require",
        "require.main.require",
        "module.constructor._load",
        "process._linkedBinding",
        "process.binding",
        "process.getBuiltinModule",
    }
)
"""Calls that give a module by its name."""
COPIERS = frozenset({"Object.assign", "Object.create", "_.assign", "_.extend", "lodash.assign", "lodash.extend"})
"""Calls whose result has the members of each of their arguments, or what the descriptions in the second one say."""
RELATIVE_STARTS = frozenset({"./", ".."})
"""What the names of modules of the repository begin with, and no method does."""
_PICKERS = frozenset({"find", "findLast", "at", "pop", "shift"})
_MEMBER_LISTS = frozenset({"values", "entries"})
_NO_METHODS = frozenset({"length", "prototype"})
"""Members of a list or a text that are no functions."""


def is_of_call(value: Expression) -> bool:
    """Is it what a call gives, or a part of it, as of `require("os")`?"""
    while isinstance(value, Member):
        value = value.owner
    return isinstance(value, Call)


def listed_members(expression: Expression) -> Expression | None:
    """What `Object.values(module)` lists the members of, also where only some are kept."""
    while isinstance(expression, Call) and isinstance(expression.callee, Member):
        callee = expression.callee
        if callee.name in _MEMBER_LISTS and isinstance(callee.owner, Name) and callee.owner.name == "Object":
            return expression.arguments[0] if expression.arguments else None
        expression = callee.owner
    return None


def picked_members(callee: Member) -> Expression | None:
    """What `Object.values(module).find` picks a member of; None for every other method."""
    return listed_members(callee.owner) if callee.name in _PICKERS else None


def holds_no_keys(made: Collection) -> bool:
    """Is it a list, all of which is written out?"""
    return not any(isinstance(each, (Entry, Spread)) for each in made.entries)


def is_constructor_of_method(parts: tuple[str, ...]) -> bool:
    """`.filter.constructor`: what makes the functions that a list or a text has as methods."""
    return parts[1:2] == ("constructor",) and parts[0].isidentifier() and parts[0] not in _NO_METHODS


def may_be_callee(value: Expression) -> bool:
    """May a value be a function that is named, and not called?"""
    return isinstance(value, (Name, Member, Item, Collection, Choice))
