"""What the grammar of each followed language calls its expressions and statements. The rows are `data_flow` of a language's description.

A pair such as `[object, property]` names fields of the node. A number stands for a part
that is in no field. A wrapper stands for its `first` or `last` child, or for a field.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.languages.grammar_names import Kind, NodeField

if TYPE_CHECKING:
    from tree_sitter import Node

Kinds = frozenset[Kind]
Fields = dict[Kind, tuple[NodeField, ...]]


def child_part(node: Node, field: str) -> Node | None:
    """A part of a node: by its field, or by its number among the parts, counted from the end where it is negative."""
    if not field.lstrip("-").isdigit():
        return node.child_by_field_name(field) if field else None
    parts, number = node.named_children, int(field)
    return parts[number] if -len(parts) <= number < len(parts) else None


class GrammarKinds(Frozen):
    """The node kinds of one grammar, by what they mean, with the fields that hold their parts."""

    identifiers: Kinds = frozenset()
    constants: Kinds = frozenset()
    patterns: Fields = Field(default_factory=dict)
    texts: Kinds = frozenset()
    fragments: Kinds = frozenset()
    escape_letters: str = Field("abefnrtv", pattern=r"^[abefnrstv]*$")
    """Letters that stand for control characters behind a backslash in a text."""
    interpolations: Kinds = frozenset()
    heredocs: Kinds = frozenset()
    shells: Kinds = frozenset()
    """Texts that a shell runs."""
    keyword_calls: dict[Kind, str] = Field(default_factory=dict)
    """What does something with its part as a function would, and that function's name: `include $file`."""
    unnamed_calls: Kinds = frozenset()
    """What may call a function object without naming a method: `run.(x)`, `run[x]`."""
    keys: Kinds = frozenset()
    computed_keys: Kinds = frozenset()
    """What holds an expression whose value is a key."""
    members: Fields = Field(default_factory=dict)
    variable_members: Kinds = frozenset()
    """Members whose name may be a variable: `$object->$name`."""
    chained: dict[Kind, Kind] = Field(default_factory=dict)
    """Members of what is in the condition of a node around them: `a?.b`."""
    references: Kinds = frozenset()
    items: Fields = Field(default_factory=dict)
    calls: Fields = Field(default_factory=dict)
    constructing: Kinds = frozenset()
    arguments: Fields = Field(default_factory=dict)
    """What surrounds an argument, and the field of its name."""
    placeholders: Kinds = frozenset()
    """Arguments that make a call the function itself: `exec(...)`."""
    macros: Fields = Field(default_factory=dict)
    """Calls whose arguments are tokens, and the field of what is called."""
    format_macros: frozenset[str] = frozenset()
    list_macros: frozenset[str] = frozenset()
    casts: Fields = Field(default_factory=dict)
    """The fields of the type and the value."""
    number_types: frozenset[str] = frozenset()
    """Types to which a cast gives a number."""
    pattern_tests: Fields = Field(default_factory=dict)
    """Conditions that compare a value with a pattern."""
    operations: Kinds = frozenset()
    joining: frozenset[str] = frozenset()
    choosing: frozenset[str] = frozenset()
    wrappers: dict[Kind, str] = Field(default_factory=dict)
    choices: Fields = Field(default_factory=dict)
    alternatives: dict[Kind, int] = Field(default_factory=dict)
    """What holds several values of which it is one, the arms of a `match`, and how many parts precede them."""
    collections: Kinds = frozenset()
    initializers: Kinds = frozenset()
    """Collections in which an assignment gives a value to a field of the object."""
    lists: Kinds = frozenset()
    """Several values side by side, for as many names."""
    entries: Fields = Field(default_factory=dict)
    spreads: Kinds = frozenset()
    block_arguments: Kinds = frozenset()
    functions: Kinds = frozenset()
    typed_parameters: Fields = Field(default_factory=dict)
    tries: Kinds = frozenset()
    """Statements with handlers of exceptions."""
    own_names: frozenset[str] = frozenset()
    """Names of the object itself, whose methods may be called without them."""
    caseless_calls: bool = False
    """Are names of functions the same in any case?"""
    receivers: Kinds = frozenset()
    """Parameters for what a method is called on."""
    targets: Kinds = frozenset()
    transparent_targets: Kinds = frozenset()
    """Patterns that stand for the whole of what is in them: `Some(x)`."""
    typed_fields: Fields = Field(default_factory=dict)
    """Declarations of what a class holds: the fields of its name and type."""
    typed_values: dict[Kind, NodeField] = Field(default_factory=dict)
    """Values that name their type, and the field that holds it: `http.Client{}`."""
    defaults: Fields = Field(default_factory=dict)
    declarations: Fields = Field(default_factory=dict)
    assignments: Fields = Field(default_factory=dict)
    additions: Fields = Field(default_factory=dict)
    loops: Fields = Field(default_factory=dict)
    class_fields: Fields = Field(default_factory=dict)
    object_blocks: Fields = Field(default_factory=dict)
    """Statements in whose block a name may be a member of an object: the fields of the object and of the block."""
    namespaces: Fields = Field(default_factory=dict)
    """Blocks whose names are members of a name: the fields of the name and of the block."""
    aliases: Fields = Field(default_factory=dict)
    """What gives a function a second name: the fields of that name and of the function."""
    returns: Kinds = frozenset()
    leaving: Kinds = frozenset()
    leaving_calls: frozenset[str] = frozenset()
    blocks: Kinds = frozenset()
    conditionals: Fields = Field(default_factory=dict)
    negative: Kinds = frozenset()
    """Conditionals whose consequence is for a condition that does not hold."""
    negations: dict[Kind, str] = Field(default_factory=dict)
    both: str = "&&"
    either: str = "||"
    cases: dict[Kind, Kind] = Field(default_factory=dict)
    imports: Kinds = frozenset()
    exports: Kinds = frozenset()
    classes: Kinds = frozenset()
    implicit_returns: bool = False
    """Does a function give back the value of its last statement?"""
    bare_calls: bool = False
    """May a name be a call without arguments?"""
    text_calls: bool = False
    """May a text be called as the function of that name?"""
    short_names: bool = False
    """Are classes known by their names without the package?"""
    global_prefixes: frozenset[str] = frozenset()
    """First signs of names that belong to no function."""
    closed_functions: Kinds = frozenset()
    """Functions that do not see the variables around them."""

    @cached_property
    def bindings(self) -> Fields:
        """Kinds that give a value to a name."""
        return {**self.declarations, **self.assignments, **self.additions, **self.loops, **self.class_fields}

    @cached_property
    def gathered(self) -> Kinds:
        """Kinds that a file is searched for once."""
        every = self.functions | self.returns | self.blocks | self.imports | self.exports | self.classes
        return frozenset(
            every
            | self.bindings.keys()
            | self.aliases.keys()
            | self.object_blocks.keys()
            | self.namespaces.keys()
            | self.typed_fields.keys()
            | self.keyword_calls.keys()
            | self.macros.keys()
            | (self.conditionals.keys() - self.choices.keys())
            | self.heredocs
            | self.shells
            | (self.texts & {"heredoc_body"})
        )
