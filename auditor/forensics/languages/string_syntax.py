"""How a language writes texts and names them, and the marks that stand in a text that was put together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

FILLED = "\0"
"""Stands for what is filled in and not known to be a constant."""
NAMED = "\x01"
"""The same for what goes by the name of a table, a column or the like."""
NEXT = "\x1f"
"""Stands between the elements of a list."""


@dataclass(frozen=True, eq=False)
class Writing:
    """How a language writes texts and names them. Kinds are node kinds of its grammar, forms are of the names of calls."""

    literals: frozenset[str]
    gives: Mapping[str, tuple[str, str]]
    """Node kinds that give a name a value -> their fields of both."""
    fields: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The same for fields of classes, which go by their names only behind `this` or the name of the class."""
    defaults: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The same for parameters that stand for a value where nobody gives one."""
    declares: frozenset[str] = frozenset()
    """Those of them after which the name is a new one."""
    grows: frozenset[str] = frozenset()
    """Those of them that add to it, whatever their sign."""
    constants: bool = True
    """Does a name in capitals say that it is one?"""
    exported: re.Pattern[str] = re.compile(r"(?!)")
    """How names look that belong to a package as a whole, whoever is called: no parameter and no variable of a function."""
    holes: frozenset[str] = frozenset()
    """What is filled into a literal."""
    sums: frozenset[str] = frozenset({"binary_expression"})
    around: Mapping[str, str] = field(default_factory=dict)
    """Node kinds that change nothing -> the field of what they stand around; empty for their first part."""
    choices: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset({"identifier"})
    numbers: re.Pattern[str] = re.compile(r"(?!)")
    """Names that stand for numbers only, such as that of the process."""
    members: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    owners: re.Pattern[str] = re.compile(r"(?!)")
    """What fields are named behind: the object itself, or its class."""
    macros: frozenset[str] = frozenset()
    formats: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that fill in a text that is their first argument."""
    formatted: re.Pattern[str] = re.compile(r"(?!)")
    """Methods that fill in the text that they are called on."""
    blank: re.Pattern[str] = re.compile(r"%(?:\d+\$)?[-+ #0]*\d*(?:\.\d+)?([a-zA-Z%])")
    """A place of a text to be filled in."""
    same: re.Pattern[str] = re.compile(r"(?!)")
    """Methods that give the text they are called on, near enough."""
    own: str = ""
    """What may stand before the name of a field of the object itself, or be left out."""
    returns: frozenset[str] = frozenset()
    """Kinds of statements that give a value back, where those of a function of the same file are followed."""
    lasts: bool = False
    """Does a function give back the last expression of its body?"""
    wraps: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that give their first argument, near enough."""
    adds: re.Pattern[str] = re.compile(r"(?!)")
    """Methods that add their arguments to the text they are called on, and to what a name stands for."""
    collects: re.Pattern[str] = re.compile(r"(?!)")
    """The same for the elements of a list."""
    makes_list: re.Pattern[str] = re.compile(r"(?!)")
    """Calls whose arguments are a list."""
    commands: re.Pattern[str] = re.compile(r"(?!)")
    """The same for what is told by its name first: that becomes the list's first element."""
    writes: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that add a text, filled in, to their first argument."""
    growing: re.Pattern[bytes] = re.compile(rb"")
    """How a call begins that may add to what a name stands for."""
    joins: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that join what they are called on, or their first argument that is a list."""
    paths: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that put a path together of their arguments, or, where that is the group `on`, add to the one they are called on."""
    temporary: re.Pattern[bytes] | None = None
    """What gives the temporary folder that all users share."""
    records: frozenset[str] = frozenset()
    """Kinds of what holds values by names; one that holds a query by a telling name stands for that, others for their source."""
    switches: re.Pattern[bytes] | None = None
    """Form of what switches on or off what a record holds by a name: `options.shell = true` adds to what `options` stands for."""
    closures: frozenset[str] = frozenset()
    """Kinds of functions that a name is given as a value."""
    given_before: re.Pattern[bytes] | None = None
    """What stands before a name, or behind it, wherever it is given a value or added to; it may stand elsewhere too."""
    given_behind: re.Pattern[bytes] | None = None
    heredocs: tuple[str, str] | None = None
    """Kinds of a beginning, and of the body that stands further below."""

    @cached_property
    def giving(self) -> frozenset[str]:
        """Node kinds of all that may give a name something."""
        return frozenset(self.naming) | self.macros | self.calls

    @cached_property
    def naming(self) -> dict[str, tuple[str, str]]:
        """Node kinds of all that name what they give -> their fields of both."""
        return {**self.gives, **self.fields, **self.defaults}
