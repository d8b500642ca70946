"""Nodes of a syntax tree as expressions, by what the grammar's row says of their kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from auditor.constant_folding.escape_sequences import NAME_ESCAPES, decode_escapes, string_escapes
from auditor.forensics.languages.called_names import without_type_arguments
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Choice,
    Collection,
    Constant,
    Entry,
    Expression,
    FunctionValue,
    Item,
    Joined,
    Member,
    Name,
    Not,
    Operation,
    Pattern,
    Spread,
    Text,
)
from auditor.forensics.languages.data_flow.lowered_forms import (
    MAX_NAME_BYTES,
    argument,
    block_argument,
    cast,
    keyword_call,
    macro,
    pattern_test,
)
from auditor.forensics.languages.grammar_kinds import GrammarKinds, child_part

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_TEXT_BYTES = 20_000
_MAX_PARTS = 200
"""Parts of one expression that are looked at."""
_MAX_WRAPPERS = 30
_MAX_DEPTH = 60
_MAX_DECLARATION_DEPTH = 2
"""Nodes from the object that is made to its declaration."""
_SHELL_NAME = "`"
"""What a text that a shell runs is called by."""


class Lowering:
    """The expressions of one file."""

    def __init__(self, kinds: GrammarKinds, source: bytes, comments: frozenset[str]) -> None:
        self.kinds, self._source, self._comments = kinds, source, comments
        self._escapes = string_escapes(kinds.escape_letters)
        self._known: dict[int, Expression] = {}
        self._depth = 0
        self.heredocs: dict[int, Node] = {}
        """Where a text begins -> the text, if it is below the line that opens it."""
        self._readers: dict[str, Callable[[Node], Expression]] = _readers(self)

    def source_of(self, node: Node, most: int = _MAX_TEXT_BYTES) -> str:
        """The source of a node, up to a length."""
        start, end = node.byte_range
        return self._source[start : min(end, start + most)].decode("utf-8", errors="replace")

    def lower(self, node: Node) -> Expression:
        """The expression that a node is."""
        known = self._known.get(node.id)
        if known is not None:
            return known
        self._depth += 1
        try:
            read = self._readers.get(node.type) if self._depth < _MAX_DEPTH else None
            made = read(node) if read is not None else Expression(node)
        finally:
            self._depth -= 1
        self._known[node.id] = made
        return made

    def named_children(self, node: Node) -> list[Node]:
        """The children that are no signs and no comments."""
        return [each for each in node.named_children[:_MAX_PARTS] if each.type not in self._comments]

    def values(self, node: Node | None) -> list[Expression]:
        """The expressions on one side of an assignment: the elements of a list, or the one node itself."""
        if node is None:
            return []
        parts = self.named_children(node) if node.type in self.kinds.lists else [node]
        return [self.lower(each) for each in parts]

    # kinds of nodes

    def name(self, node: Node) -> Expression:
        """A variable, or a key."""
        return Name(node, self._identifier(node))

    def _identifier(self, node: Node) -> str:
        name = self.source_of(node, MAX_NAME_BYTES)
        if "\\" in name:
            name = decode_escapes(name, NAME_ESCAPES).lstrip("\\").replace("\\", ".")
        if name.endswith(">"):
            return without_type_arguments(name.encode()).decode()
        return name.replace("{", "").replace("}", "") if name.startswith("${") else name

    def constant(self, node: Node) -> Expression:
        """A number and the like."""
        return Constant(node)

    def pattern(self, node: Node) -> Expression:
        """A regular expression."""
        if any(each.type in self.kinds.interpolations for each in node.named_children):
            return Joined(node, tuple(self.lower(each) for each in node.named_children))
        written = self.source_of(node, MAX_NAME_BYTES)
        body, _, flags = written[1:].rpartition("/")
        return Pattern(node, body, flags) if written.startswith("/") else Expression(node)

    def text(self, node: Node) -> Expression:
        """A text; one into which something is put is joined of its parts."""
        return self._text_of(node, node)

    def heredoc(self, node: Node) -> Expression:
        """The text of a heredoc, whose body begins on a later line."""
        body = self.heredocs.get(node.start_byte)
        return self._text_of(node, body) if body is not None else Expression(node)

    def shell_text(self, node: Node) -> Expression:
        """A text that is run by a shell, as a call."""
        return Call(node, Name(node, _SHELL_NAME), (self._text_of(node, node),))

    def _text_of(self, place: Node, node: Node) -> Expression:
        children = node.named_children[:_MAX_PARTS]
        if any(each.type in self.kinds.interpolations for each in children):
            return Joined(place, tuple(self._fragment(each) for each in children))
        if not children:
            written = self.source_of(node)
            return Text(
                place, written.lstrip(":") if "symbol" in node.type else written.removeprefix("@").strip("\"'`")
            )
        return Text(place, "".join(self._written(each) for each in children))

    def _fragment(self, node: Node) -> Expression:
        return self.lower(node) if node.type in self.kinds.interpolations else Text(node, self._written(node))

    def _written(self, node: Node) -> str:
        if node.type == "escape_sequence":
            return decode_escapes(self.source_of(node, 20), self._escapes)
        return self.source_of(node) if node.type in self.kinds.fragments or node.type == "string" else ""

    def member(self, node: Node) -> Expression:
        """A part with a fixed name."""
        fields = self.kinds.members[node.type]
        owner, held = (child_part(node, each) for each in fields) if fields else _ends(node)
        if held is None:
            return Expression(node)
        if owner is None and node.type in self.kinds.chained:
            owner = self._condition_around(node)
        return Name(node, self._identifier(held)) if owner is None else self._member_of(node, owner, held)

    def _member_of(self, node: Node, owner: Node, held: Node) -> Expression:
        """A member by its name, or by what a variable holds."""
        if node.type in self.kinds.variable_members and held.type in self.kinds.identifiers and held.child_count:
            return Item(node, self.lower(owner), self.lower(held))
        name = self._identifier(held)
        return Member(node, self.lower(owner), name.lstrip("$") if held.child_count else name)

    def _condition_around(self, node: Node) -> Node | None:
        """What a member is taken of that is asked for only where there is one: `a` of `a?.b`."""
        around = node.parent
        for _ in range(_MAX_WRAPPERS):
            if around is None:
                return None
            condition = around.child_by_field_name("condition")
            is_behind = condition is not None and condition.end_byte <= node.start_byte
            if around.type == self.kinds.chained[node.type] and is_behind:
                return condition
            around = around.parent
        return None

    def reference(self, node: Node) -> Expression:
        """A method that is named without being called: `Runtime::exec`."""
        owner, name = _ends(node)
        return (
            Member(node, self.lower(owner), self.source_of(name, MAX_NAME_BYTES))
            if owner and name
            else Expression(node)
        )

    def item(self, node: Node) -> Expression:
        """A subscript: an element by its key or index."""
        owner_field, key_field = self.kinds.items[node.type]
        owner = child_part(node, owner_field)
        children = self.named_children(node)
        key = child_part(node, key_field) if key_field else (children[1] if len(children) > 1 else None)
        return Item(node, self.lower(owner), self.lower(key)) if owner and key else Expression(node)

    def call(self, node: Node) -> Expression:
        """A call, or what makes an object."""
        callee = self._callee(node)
        held = node.child_by_field_name("arguments") or _argument_list(node)
        if callee is None:
            return Expression(node)
        given: list[Expression] = []
        if held is not None:
            given = (
                [self.lower(held)] if held.type in self.kinds.texts else list(self._parts(self.named_children(held)))
            )
        if held is not None and any(each.type in self.kinds.placeholders for each in held.named_children[:1]):
            return callee
        built = node.child_by_field_name("initializer")
        if built is not None and isinstance(filled := self.lower(built), Collection):
            given += filled.entries
        return Call(node, callee, tuple(given), node.type in self.kinds.constructing)

    def _callee(self, node: Node) -> Expression | None:
        fields = self.kinds.calls[node.type]
        parts = [child_part(node, each) for each in fields]
        if len(parts) == 1:
            named = parts[0] or _declared_type(node)
            return self.lower(named) if named is not None else None
        owner, method = parts
        if owner is not None and method is not None and method.child_count:
            return self._member_of(node, owner, method)
        name = self.source_of(method, MAX_NAME_BYTES) if method is not None else "call"
        place = method if method is not None else node
        return Name(place, name) if owner is None else Member(node, self.lower(owner), name)

    def operation(self, node: Node) -> Expression:
        """Two values and what joins, compares or chooses between them."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node.child_by_field_name("operator")
        if left is None or right is None:
            return Expression(node)
        operator = sign.type if sign is not None else ""
        return Operation(node, self.lower(left), operator, self.lower(right))

    def negation(self, node: Node) -> Expression:
        """The opposite; other unary operations give numbers or addresses."""
        inner = self.named_children(node)
        if not inner:
            return Expression(node)
        sign = node.children[0].type
        if sign in {"!", "not"}:
            return Not(node, self.lower(inner[-1]))
        if sign in {"-", "~", "typeof", "void", "delete"}:
            return Call(node, Name(node, sign), (self.lower(inner[-1]),))
        return self.lower(inner[-1])

    def wrapper(self, node: Node) -> Expression:
        """What stands for one of its parts."""
        for _ in range(_MAX_WRAPPERS):
            inner = self._inner(node)
            if inner is None:
                return Expression(node)
            node = inner
            if node.type not in self.kinds.wrappers or node.type in self.kinds.negations:
                return self.lower(node)
        return Expression(node)

    def _inner(self, node: Node) -> Node | None:
        where = self.kinds.wrappers[node.type]
        if where not in {"first", "last"}:
            return node.child_by_field_name(where)
        parts = self.named_children(node)
        return parts[0 if where == "first" else -1] if parts else None

    def choice(self, node: Node) -> Expression:
        """One of several values."""
        held = [node.child_by_field_name(each) for each in self.kinds.choices[node.type]]
        if held[0] is None:  # `a ?: b`
            held.append(node.child_by_field_name("condition"))
        return Choice(node, tuple(self.lower(each) for each in held if each is not None))

    def alternative(self, node: Node) -> Expression:
        """One of the values of its parts."""
        parts = self.named_children(node)[self.kinds.alternatives[node.type] :]
        return Choice(node, tuple(self.lower(each) for each in parts))

    def collection(self, node: Node) -> Expression:
        """A list or a table."""
        parts = self.named_children(node)
        if node.type == "chained_string":
            return Joined(node, tuple(self.lower(each) for each in parts))
        if node.type in self.kinds.initializers:
            return Collection(node, tuple(self._fields(parts)))
        return Collection(node, tuple(self._parts(parts)))

    def _fields(self, nodes: Iterable[Node]) -> Iterable[Expression]:
        """Fields of a new object, or elements of a list."""
        for each in nodes:
            name, value = each.child_by_field_name("left"), each.child_by_field_name("right")
            if each.type in self.kinds.assignments and name is not None and value is not None:
                key = self.source_of(name, MAX_NAME_BYTES).strip('[]"')
                yield Entry(each, Text(name, key), self.lower(value))
            else:
                yield self.lower(each)

    def _parts(self, nodes: Iterable[Node]) -> Iterable[Expression]:
        for each in nodes:
            if each.type in self.kinds.functions and (name := each.child_by_field_name("name")) is not None:
                yield Entry(each, Text(name, self.source_of(name, MAX_NAME_BYTES)), FunctionValue(each))
            elif each.type == "shorthand_property_identifier":
                name_ = self.source_of(each, MAX_NAME_BYTES)
                yield Entry(each, Text(each, name_), Name(each, name_))
            else:
                yield self.lower(each)

    def entry(self, node: Node) -> Expression:
        """A key and its value."""
        children = self.named_children(node)
        fields = self.kinds.entries[node.type]
        if len(children) == 1 and not any(fields):
            return self.lower(children[0])
        key, value = (node.child_by_field_name(each) if each else None for each in fields)
        key, value = key or (children[0] if children else None), value or (children[1] if len(children) > 1 else None)
        if key is None:
            return Expression(node)
        if value is None:  # `{c:}` of Ruby
            name = self.source_of(key, MAX_NAME_BYTES)
            return Entry(node, Text(key, name), Name(key, name))
        while key.type == "literal_element" and key.named_children:
            key = key.named_children[0]
        plain = key.type in self.kinds.keys or key.type == "identifier"
        told = Text(key, self.source_of(key, MAX_NAME_BYTES)) if plain else self.lower(key)
        return Entry(node, told, self.lower(value))

    def spread(self, node: Node) -> Expression:
        """All of a collection."""
        parts = self.named_children(node)
        return Spread(node, self.lower(parts[0])) if parts else Expression(node)

    def function(self, node: Node) -> Expression:
        """A function."""
        return FunctionValue(node)


def _ends(node: Node) -> Sequence[Node | None]:
    parts = node.named_children
    return (parts[0], parts[-1]) if len(parts) > 1 else (None, None)


def _argument_list(node: Node) -> Node | None:
    """The arguments where no field holds them."""
    return next((each for each in node.named_children if each.type in {"arguments", "argument_list"}), None)


def _declared_type(node: Node) -> Node | None:
    """The type that is declared for what an object without a type is given to: `Foo` of `Foo a = new()`."""
    around = node.parent
    for _ in range(_MAX_DECLARATION_DEPTH):
        typed = around.child_by_field_name("type") if around is not None else None
        if around is None or typed is not None:
            return typed
        around = around.parent
    return None


def _readers(to: Lowering) -> dict[str, Callable[[Node], Expression]]:
    kinds = to.kinds
    return {
        **dict.fromkeys(kinds.identifiers | kinds.keys, to.name),
        **dict.fromkeys(kinds.constants, to.constant),
        **dict.fromkeys(kinds.patterns, to.pattern),
        **dict.fromkeys(kinds.texts, to.text),
        **dict.fromkeys(kinds.heredocs, to.heredoc),
        **dict.fromkeys(kinds.shells, to.shell_text),
        **dict.fromkeys(kinds.members, to.member),
        **dict.fromkeys(kinds.references, to.reference),
        **dict.fromkeys(kinds.items, to.item),
        **dict.fromkeys(kinds.calls, to.call),
        **dict.fromkeys(kinds.operations, to.operation),
        **dict.fromkeys(kinds.wrappers, to.wrapper),
        **dict.fromkeys(kinds.negations, to.negation),
        **dict.fromkeys(kinds.choices, to.choice),
        **dict.fromkeys(kinds.alternatives, to.alternative),
        **dict.fromkeys(kinds.collections, to.collection),
        **dict.fromkeys(kinds.entries, to.entry),
        **dict.fromkeys(kinds.spreads, to.spread),
        **dict.fromkeys(kinds.block_arguments, partial(block_argument, to)),
        **dict.fromkeys(kinds.functions, to.function),
        **dict.fromkeys(kinds.arguments, partial(argument, to)),
        **dict.fromkeys(kinds.keyword_calls, partial(keyword_call, to)),
        **dict.fromkeys(kinds.casts, partial(cast, to)),
        **dict.fromkeys(kinds.pattern_tests, partial(pattern_test, to)),
        **dict.fromkeys(kinds.macros, partial(macro, to)),
    }
