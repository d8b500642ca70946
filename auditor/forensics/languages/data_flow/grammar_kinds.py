"""What the grammar of each followed language calls its expressions and statements. The rows are `data_flow` of a language's description.

A pair such as `[object, property]` names fields of the node. A wrapper stands for its `first` or `last` child, or for a field.
"""

from __future__ import annotations

from functools import cached_property

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.languages.grammar_names import Kind, NodeField

Kinds = frozenset[Kind]
Fields = dict[Kind, tuple[NodeField, ...]]


class GrammarKinds(Frozen):
    """The node kinds of one grammar, by what they mean, with the fields that hold their parts."""

    identifiers: Kinds = frozenset()
    constants: Kinds = frozenset()
    patterns: Fields = Field(default_factory=dict)
    texts: Kinds = frozenset()
    fragments: Kinds = frozenset()
    interpolations: Kinds = frozenset()
    heredocs: Kinds = frozenset()
    shells: Kinds = frozenset()
    """Texts that a shell runs."""
    unnamed_calls: Kinds = frozenset()
    """What may call a function object without naming a method: `run.(x)`, `run[x]`."""
    keys: Kinds = frozenset()
    computed_keys: Kinds = frozenset()
    """What holds an expression whose value is a key."""
    members: Fields = Field(default_factory=dict)
    references: Kinds = frozenset()
    items: Fields = Field(default_factory=dict)
    calls: Fields = Field(default_factory=dict)
    constructing: Kinds = frozenset()
    operations: Kinds = frozenset()
    joining: frozenset[str] = frozenset()
    choosing: frozenset[str] = frozenset()
    wrappers: dict[Kind, str] = Field(default_factory=dict)
    choices: Fields = Field(default_factory=dict)
    collections: Kinds = frozenset()
    lists: Kinds = frozenset()
    """Several values side by side, for as many names."""
    entries: Fields = Field(default_factory=dict)
    spreads: Kinds = frozenset()
    block_arguments: Kinds = frozenset()
    functions: Kinds = frozenset()
    typed_parameters: Fields = Field(default_factory=dict)
    targets: Kinds = frozenset()
    defaults: Fields = Field(default_factory=dict)
    declarations: Fields = Field(default_factory=dict)
    assignments: Fields = Field(default_factory=dict)
    additions: Fields = Field(default_factory=dict)
    loops: Fields = Field(default_factory=dict)
    class_fields: Fields = Field(default_factory=dict)
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
            | self.heredocs
            | self.shells
            | (self.texts & {"heredoc_body"})
        )
