"""How a language writes texts and names them, and the marks that are in a text that was assembled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

DYNAMIC_MARK = "\0"
"""Stands for a filled-in part that is not known to be a constant."""
IDENTIFIER_MARK = "\x01"
"""Stands for a filled-in part whose name is that of a table, a column or the like."""
ITEM_SEPARATOR = "\x1f"
"""Separates the items of a list."""


@dataclass(frozen=True, eq=False)
class StringSyntax:
    """How a language builds strings and assigns them. Kinds are node kinds, patterns match names of calls."""

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
    package_level_name: re.Pattern[str] = re.compile(r"(?!)")
    """Form of names of a package as a whole, which are no parameters or variables of a function."""
    delimiters: frozenset[str] = frozenset()
    """Pieces of a literal, or of what is filled into one, that are no part of its text."""
    interpolation_kinds: frozenset[str] = frozenset()
    """What is filled into a literal."""
    bare_interpolations: frozenset[str] = frozenset()
    """The same without anything around it: the piece is itself the name, member or element that is filled in."""
    binary_kinds: frozenset[str] = frozenset({"binary_expression"})
    around: Mapping[str, str] = field(default_factory=dict)
    """Node kinds that change nothing -> the field of what they contain; empty for their first part."""
    sequences: frozenset[str] = frozenset()
    """Those of them that are statements, the last of which is their value."""
    choices: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    alternatives: Mapping[str, int] = field(default_factory=dict)
    """Kinds of nodes of which one part is the value -> how many parts come before those."""
    branches: frozenset[str] = frozenset()
    """Kinds of statements of whose parts each may be left out when the function runs."""
    optional_blocks: Mapping[str, str] = field(default_factory=dict)
    """Kinds of nodes that may be left out, or left early, as a whole -> the kind that they must begin with, or nothing."""
    lists: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset({"identifier"})
    number_names: re.Pattern[str] = re.compile(r"(?!)")
    """Names that stand for numbers only, such as that of the process, or for where the code itself is."""
    number_expressions: re.Pattern[bytes] = re.compile(rb"(?!)")
    """How casts and calls begin that give numbers only, or lists of them."""
    variable_mark: str = ""
    """What every variable begins with, fields of classes included; what goes by an arrow or by `::` is then a member."""
    members: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    self_names: re.Pattern[str] = re.compile(r"(?!)")
    """What fields are named behind: the object itself, or its class."""
    macros: frozenset[str] = frozenset()
    format_calls: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that fill in a text that is their first argument."""
    format_methods: re.Pattern[str] = re.compile(r"(?!)")
    """Methods that fill in the text that they are called on."""
    placeholder_pattern: re.Pattern[str] = re.compile(r"%(?:\d+\$)?[-+ #0]*\d*(?:\.\d+)?([a-zA-Z%])")
    """A place of a text to be filled in."""
    same: re.Pattern[str] = re.compile(r"(?!)")
    """Methods that give the text they are called on, near enough."""
    own: str = ""
    """Optional prefix of a field of the object itself."""
    returns: frozenset[str] = frozenset()
    """Kinds of statements that give a value back, where those of a function of the same file are followed."""
    lasts: bool = False
    """Does a function give back the last expression of its body?"""
    identity_calls: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that give their first argument, near enough."""
    adds: re.Pattern[str] = re.compile(r"(?!)")
    """Methods that add their arguments to the text they are called on, and to what a name stands for."""
    append_methods: re.Pattern[str] = re.compile(r"(?!)")
    """The same for the elements of a list."""
    list_calls: re.Pattern[str] = re.compile(r"(?!)")
    """Calls whose arguments are a list."""
    concatenating_calls: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that give all of their arguments, one behind the other."""
    commands: re.Pattern[str] = re.compile(r"(?!)")
    """Calls of a program by its name: the name up to its first dot and the arguments are a list."""
    writes: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that add a text, filled in, to their first argument."""
    growing: re.Pattern[bytes] = re.compile(rb"")
    """How a call begins that may add to what a name stands for."""
    join_calls: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that join what they are called on, or their first argument that is a list."""
    paths: re.Pattern[str] = re.compile(r"(?!)")
    """Calls that put a path together of their arguments, or, where that is the group `on`, add to the one they are called on."""
    temporary_folder: re.Pattern[bytes] | None = None
    """What gives the temporary folder that all users share."""
    records: frozenset[str] = frozenset()
    """Kinds of what holds values by names; one that holds a query by a telling name stands for that, others for their source."""
    boolean_assignment: re.Pattern[bytes] | None = None
    """Form of what switches on or off what a record holds by a name: `options.shell = true` adds to what `options` stands for."""
    function_value_kinds: frozenset[str] = frozenset()
    """Kinds of functions that a name is given as a value."""
    assignment_before: re.Pattern[bytes] | None = None
    """What precedes or follows a name wherever it is assigned or added to; it may be elsewhere too."""
    assignment_after: re.Pattern[bytes] | None = None
    heredoc_kinds: tuple[str, str] | None = None
    """Kinds of a beginning, and of the body further below."""

    @cached_property
    def binding_kinds(self) -> frozenset[str]:
        """Node kinds of all that may give a name something."""
        return frozenset(self.target_fields) | self.macros | self.calls

    @cached_property
    def optional_kinds(self) -> frozenset[str]:
        """Node kinds of all in which something may never run."""
        return self.branches.union(self.optional_blocks)

    @cached_property
    def target_fields(self) -> dict[str, tuple[str, str]]:
        """Node kinds of all that name what they give -> their fields of both."""
        return {**self.gives, **self.fields, **self.defaults}
