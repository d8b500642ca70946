"""The closed schema of a language's description: its grammar's node kinds and fields, and how it writes strings, calls and tests.

A key is named for what it says; where the engine has a shorter name for it, that is the name of the field here. What a key means is
written at the field of `Language`, `StringSyntax` or `TestSyntax`.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.languages.grammar_kinds import GrammarKinds
from auditor.forensics.languages.grammar_names import Kind, NodeField
from auditor.forensics.languages.named_values import Definitions

Kinds = tuple[Kind, ...]
FieldPair = tuple[NodeField, NodeField]
Pattern = str


class GrammarRow(Frozen):
    """The package of a grammar, and the function in it that gives the grammar."""

    package: Annotated[str, Field(pattern=r"^tree_sitter_\w+$")]
    dialect: Annotated[str, Field(pattern=r"^language\w*$")] = "language"


class ImportLines(Frozen):
    """How a line of an import reads: groups `path`, and `name` where it has a name of its own."""

    line: Pattern
    separator: str
    """What precedes the last part of a path, which is the name where none is given."""


class HookNames(Frozen):
    """Functions of `language_hooks`, by name, for what no row can say."""

    alternative_parses: str | None = None
    endless: str | None = Field(None, alias="slow_to_parse")
    grammar: str | None = None
    imports: str | None = None
    preprocess: str | None = None
    wrappers: str | None = None


class StringRows(Frozen):
    """Node kinds and names by which strings are written, assigned to names, and built from parts."""

    literals: Kinds = ()
    gives: dict[Kind, FieldPair] = Field(default_factory=dict, alias="assignments")
    fields: dict[Kind, FieldPair] = Field(default_factory=dict, alias="class_fields")
    defaults: dict[Kind, FieldPair] = Field(default_factory=dict, alias="parameter_defaults")
    declares: Kinds = Field((), alias="declarations")
    grows: Kinds = Field((), alias="appending_assignments")
    constants: bool = Field(True, alias="capital_constants")
    package_level_name: Pattern | None = None
    delimiters: Kinds = ()
    interpolation_kinds: Kinds = Field((), alias="interpolations")
    bare_interpolations: Kinds = ()
    binary_kinds: Kinds = Field((), alias="binary_expressions")
    around: dict[Kind, NodeField] = Field(default_factory=dict, alias="transparent")
    sequences: Kinds = ()
    choices: dict[Kind, FieldPair] = Field(default_factory=dict)
    alternatives: dict[Kind, int] = Field(default_factory=dict)
    branches: Kinds = Field((), alias="conditional_statements")
    optional_blocks: dict[Kind, Kind] = Field(default_factory=dict)
    lists: Kinds = ()
    names: Kinds = ()
    number_names: Pattern | None = None
    number_expressions: Pattern | None = None
    variable_mark: str = ""
    members: Kinds = ()
    calls: Kinds = ()
    self_names: Pattern | None = None
    macros: Kinds = ()
    format_calls: Pattern | None = None
    format_methods: Pattern | None = None
    placeholder_pattern: Pattern | None = Field(None, alias="placeholder")
    same: Pattern | None = Field(None, alias="identity_methods")
    own: str = Field("", alias="own_field_prefix")
    returns: Kinds = ()
    lasts: bool = Field(False, alias="implicit_return")
    identity_calls: Pattern | None = None
    adds: Pattern | None = Field(None, alias="append_text_methods")
    append_methods: Pattern | None = Field(None, alias="append_item_methods")
    list_calls: Pattern | None = None
    concatenating_calls: Pattern | None = None
    commands: Pattern | None = Field(None, alias="named_list_calls")
    writes: Pattern | None = Field(None, alias="format_into_calls")
    growing: Pattern | None = Field(None, alias="append_call_start")
    join_calls: Pattern | None = None
    paths: Pattern | None = Field(None, alias="path_calls")
    temporary_folder: Pattern | None = None
    records: Kinds = ()
    boolean_assignment: Pattern | None = None
    function_value_kinds: Kinds = Field((), alias="function_values")
    assignment_before: Pattern | None = None
    assignment_after: Pattern | None = None
    heredoc_kinds: tuple[Kind, Kind] | None = Field(None, alias="heredoc")


class TestRows(Frozen):
    """How tests look: where one begins, what checks something and what skips."""

    __test__ = False

    words: tuple[str, ...] = Field((), alias="file_words")
    checks: Pattern | None = None
    counted: Pattern | None = Field(None, alias="counted_checks")
    is_counted_always_check: bool = Field(False, alias="counted_checks_are_checks")
    calls: Pattern | None = Field(None, alias="test_calls")
    holders: Pattern | None = Field(None, alias="group_calls")
    functions: Pattern | None = Field(None, alias="function_header")
    function_kinds: Kinds = ()
    groups: Kinds = Field((), alias="group_kinds")
    above: Kinds = Field((), alias="kinds_above_function")
    annotations_in_comments: bool = False
    skipped: Pattern | None = None
    conditional: Pattern | None = None
    alone: Pattern | None = Field(None, alias="focused")
    announced: Pattern | None = Field(None, alias="expecting")
    made: Pattern | None = Field(None, alias="check_macro")
    stops: Pattern | None = Field(None, alias="skip_statements")
    preparations: Pattern | None = Field(None, alias="preparation_header")
    trivial: Pattern | None = Field(None, alias="trivial_checks")
    comments: Pattern | None = None
    constraint: Pattern | None = Field(None, alias="build_constraint")
    first_line_pattern: Pattern | None = Field(None, alias="first_line")
    beside: Pattern | None = Field(None, alias="test_only_header")
    test_only_file: Pattern | None = None
    allows_whole_file_tests: bool = Field(False, alias="whole_file_tests")


class Description(Definitions):
    """A language. With `like`, all that is not said is what is said of that language, its rules included."""

    like: str | None = None
    grammar: GrammarRow | None = None
    hooks: HookNames = Field(default_factory=lambda: HookNames.model_validate({}))
    import_lines: ImportLines | None = None
    dialect_keywords: tuple[str, ...] = ()
    calls: dict[Kind, NodeField] = Field(default_factory=dict)
    callee_fields: tuple[NodeField, ...] = ()
    arguments: NodeField = "arguments"
    argument_wrappers: Kinds = ()
    functions: Kinds = ()
    branches: Kinds = ()
    values: Kinds = Field((), alias="assignments")
    computed_keys: tuple[str, ...] = ()
    passing: Kinds = Field((), alias="error_propagation")
    statements: Kinds = ()  # type: ignore[assignment]
    modifiers: Kinds = Field((), alias="statement_modifiers")
    declared: bool = Field(True, alias="declares_variables")
    implicit_return_prefix: Pattern | None = None
    wrapper_commands: tuple[str, ...] = ()
    discarded_result_prefix: Pattern | None = None
    truth_test_prefix: Pattern | None = None
    handlers: Kinds = ()
    handler_body: NodeField = "body"
    comments: Kinds = ()
    comment_starts: tuple[str, ...] = ()
    line_continuation: str = ""
    unsupported_dialect: Pattern | None = None
    preprocess_keywords: tuple[str, ...] = ()
    package_prefix: Pattern | None = None
    types: tuple[Pattern, ...] = Field((), alias="declared_types")
    failing: Pattern | None = Field(None, alias="fallible_functions")
    head: Pattern | None = Field(None, alias="file_head")
    exports: str | None = None
    """The module of `exports/` that reads what a file offers to others."""
    compares_types: bool = False
    """Is what a file offers read without a change, too?"""
    export_keywords: tuple[str, ...] = ()
    private_header: Pattern | None = Field(None, alias="private_function_header")
    script_signs: Pattern | None = None
    escaped_names: bool = Field(False, alias="unicode_escapes_in_names")
    writing: StringRows | None = Field(None, alias="strings")
    test_syntax: TestRows | None = Field(None, alias="tests")
    data_flow: GrammarKinds | None = None
    """What values are followed through; without it, none is."""
