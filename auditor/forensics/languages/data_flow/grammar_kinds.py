"""What the grammar of each followed language calls its expressions and statements. The rows are in `grammar_kinds.yaml`."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path

from pydantic import Field

from auditor import strict_yaml
from auditor.domain.frozen_model import Frozen

_DATA = Path(__file__).with_name("grammar_kinds.yaml")
Kinds = frozenset[str]
Fields = dict[str, tuple[str, ...]]


class GrammarKinds(Frozen):
    """The node kinds of one grammar, by what they mean, with the fields that hold their parts."""

    names: tuple[str, ...]
    identifiers: Kinds
    constants: Kinds
    patterns: Fields = Field(default_factory=dict)
    texts: Kinds
    fragments: Kinds
    interpolations: Kinds = frozenset()
    heredocs: Kinds = frozenset()
    shells: Kinds = frozenset()
    """Texts that a shell runs."""
    unnamed_calls: Kinds = frozenset()
    """What may call a function object without naming a method: `run.(x)`, `run[x]`."""
    keys: Kinds = frozenset()
    computed_keys: Kinds = frozenset()
    """What holds an expression whose value is a key."""
    members: Fields
    references: Kinds = frozenset()
    items: Fields
    calls: Fields
    constructing: Kinds = frozenset()
    operations: Kinds
    joining: frozenset[str]
    choosing: frozenset[str]
    wrappers: dict[str, str]
    choices: Fields = Field(default_factory=dict)
    collections: Kinds
    lists: Kinds = frozenset()
    """Several values side by side, for as many names."""
    entries: Fields = Field(default_factory=dict)
    spreads: Kinds = frozenset()
    block_arguments: Kinds = frozenset()
    functions: Kinds
    typed_parameters: Fields = Field(default_factory=dict)
    targets: Kinds = frozenset()
    defaults: Fields = Field(default_factory=dict)
    declarations: Fields = Field(default_factory=dict)
    assignments: Fields
    additions: Fields = Field(default_factory=dict)
    loops: Fields
    class_fields: Fields = Field(default_factory=dict)
    aliases: Fields = Field(default_factory=dict)
    """What gives a function a second name: the fields of that name and of the function."""
    returns: Kinds
    leaving: Kinds
    leaving_calls: frozenset[str] = frozenset()
    blocks: Kinds
    conditionals: Fields
    negative: Kinds = frozenset()
    """Conditionals whose consequence is for a condition that does not hold."""
    negations: dict[str, str]
    both: str
    either: str
    cases: dict[str, str]
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


class _Table(Frozen):
    languages: tuple[GrammarKinds, ...]


@cache
def grammar_kinds(language: str) -> GrammarKinds | None:
    """The kinds of a language; None where data flow is not followed in it."""
    table = strict_yaml.parse(_Table, _DATA.read_text(encoding="utf-8"), _DATA.name)
    return next((each for each in table.languages if language in each.names), None)
