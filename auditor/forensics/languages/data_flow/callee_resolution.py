"""Which functions an expression may be: through assignments, tables, functions that return them, bound methods and reflection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from auditor.forensics.languages.data_flow.callee_forms import (
    COPIERS,
    GLOBAL_OBJECTS,
    LOADERS,
    RELATIVE_STARTS,
    holds_no_keys,
    is_constructor_of_method,
    is_of_call,
    listed_members,
    may_be_callee,
    picked_members,
)
from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Choice,
    Collection,
    Constant,
    Entry,
    Expression,
    FunctionValue,
    Item,
    Member,
    Name,
    Operation,
    Spread,
    Text,
)
from auditor.forensics.languages.data_flow.flow_models import ANY_MEMBER
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.import_statements import plain_module
from auditor.forensics.languages.data_flow.listed_values import listed
from auditor.forensics.languages.data_flow.reflected_functions import (
    METHOD_GETTERS,
    assigned_call,
    called_text,
    named_method,
    reflected_classes,
    short_name,
)
from auditor.forensics.languages.data_flow.scope_types import Parameter, Scope, argument_at, self_member
from auditor.forensics.languages.data_flow.scopes import returned_values

_MAX_STEPS = 120
"""Expressions that are looked at for one callee."""
_MAX_DEPTH = 20
_MAX_NESTING = 12
"""Callees of callees that are resolved."""
_MAX_MEMBERS = 12
_MAX_NAME = 200
_PLAIN_LOADERS = frozenset({"require", "import"})
_FUNCTION_MAKER = "Function"
_NAMED_METHODS = frozenset({"method", "public_method", "instance_method"})
_GETTERS = METHOD_GETTERS | {"get", "fetch", "at", "dig"}


class Callee(NamedTuple):
    """A function that an expression may be: its name, and the arguments that it was given beforehand."""

    name: str
    bound: tuple[Expression, ...] = ()
    is_hidden: bool = False
    """Was it reached by another way than by its own name?"""


class _Step(NamedTuple):
    expression: Expression
    scope: Scope
    parts: tuple[str, ...]
    bound: tuple[Expression, ...]
    hidden: bool
    depth: int

    def to(self, expression: Expression, scope: Scope | None = None, *parts: str, hidden: bool = True) -> _Step:
        return self._replace(
            expression=expression,
            scope=scope or self.scope,
            parts=(*parts, *self.parts),
            hidden=self.hidden or hidden,
            depth=self.depth + 1,
        )


class CalleeResolver:
    """The callees of one file."""

    def __init__(self, file: FollowedFile) -> None:
        self._file = file
        self._known: dict[int, list[Callee]] = {}
        self._depth = 0
        self._kept: list[Expression] = []
        """What was asked for: an identity belongs to one expression as long as it is kept."""

    def callees(self, expression: Expression, scope: Scope) -> list[Callee]:
        """Every function that an expression may be; empty where none is known."""
        key = id(expression)
        if key not in self._known:
            if self._depth >= _MAX_NESTING:
                return []
            self._kept.append(expression)
            self._known[key] = []  # an expression that is made of itself
            self._depth += 1
            try:
                self._known[key] = list(dict.fromkeys(self._resolve(expression, scope)))[:_MAX_MEMBERS]
            finally:
                self._depth -= 1
        return self._known[key]

    def _resolve(self, expression: Expression, scope: Scope) -> Iterator[Callee]:
        waiting = [_Step(expression, scope, (), (), hidden=False, depth=0)]
        seen: set[tuple[Expression, tuple[str, ...]]] = set()
        for _ in range(_MAX_STEPS):
            if not waiting:
                return
            step = waiting.pop()
            key = (step.expression, step.parts)  # an identity would go to another one that is made later
            if key in seen or step.depth > _MAX_DEPTH:
                continue
            seen.add(key)
            read = _READERS.get(type(step.expression))
            for each in read(self, step) if read is not None else self._of_method(step):
                if isinstance(each, Callee):
                    yield each
                else:
                    waiting.append(each)

    def _found(self, step: _Step, name: str) -> Iterator[Callee]:
        whole = ".".join((name, *step.parts)) if name else ".".join(("", *step.parts))
        while "." in whole and whole.partition(".")[0] in GLOBAL_OBJECTS and whole.count("."):
            whole = whole.partition(".")[2]
        if len(whole) <= _MAX_NAME:
            yield Callee(short_name(self._file, whole), step.bound, step.hidden)

    def _of_method(self, step: _Step) -> Iterator[Callee]:
        """A method of an object of which nothing is known."""
        if step.parts:
            yield Callee(f".{step.parts[-1]}", step.bound, step.hidden)

    # kinds of expressions

    def _name(self, step: _Step) -> Iterable[_Step | Callee]:
        expression = step.expression
        assert isinstance(expression, Name)
        name, scope, file = expression.name, step.scope, self._file
        given = file.parameter(name, scope)
        if given is not None:
            return [*self._parameter(step, *given), *self._typed(step, name)] or self._of_method(step)
        bound = file.reaching(name, expression.node.start_byte, scope)
        holder = file.scopes.root if name[:1] in file.scopes.kinds.global_prefixes else scope.holder(name)
        if bound and holder is not None:
            steps: list[_Step | Callee] = []
            for each in bound[:_MAX_MEMBERS]:
                if each.value is None:
                    continue
                if isinstance(each.value, Entry):
                    steps += self._entry(step, each.value, holder)
                elif each.each:
                    steps += self._members(step.to(each.value, holder), each.value, None)
                else:
                    steps.append(step.to(each.value, holder, hidden=not is_of_call(each.value)))
            if not steps:  # only its fields are known
                steps += self._of_method(step)
            return [*steps, *self._typed(step, name)]
        return self._unassigned(step, name)

    def _unassigned(self, step: _Step, name: str) -> Iterable[_Step | Callee]:
        """A name that no assignment gives: a function or a class of the file, or what it is by its import."""
        file = self._file
        own = [each for each in file.scopes.by_name.get(name, ()) if each.node.type not in _BLOCKS]
        if own and step.parts[:1] == ("constructor",):
            return self._found(step._replace(parts=step.parts[1:], hidden=True), _FUNCTION_MAKER)
        if own and file.scopes.kinds.bare_calls:  # a method that is called without arguments
            return [step.to(value, each) for each in own[:2] for value in returned_values(file.scopes, each)]
        if own and not step.parts:
            return []
        of_class = self._of_own_class(step, name)
        objects = self._file.scopes.objects_around(step.expression.node)
        if objects and not of_class:  # `with (object) { name() }`
            return [*self._found(step, name), *(one for each in objects for one in self._of_object(step, each, name))]
        meant = file.imports.names.get(name, name)
        if file.file.language.imports is None and meant.rpartition(".")[2] != name:
            step = step._replace(hidden=True)
        return of_class or [*self._typed(step, name), *self._found(step, meant)]

    def _of_object(self, step: _Step, value: Expression, name: str) -> Iterator[_Step | Callee]:
        """A name inside `with (object)`: a member of the object, or any where the object is made by a call."""
        yield step.to(value, None, name)
        made = assigned_call(self._file, value, step.scope) if isinstance(value, Name) else value
        if isinstance(made, Call) and self._file.scopes.lowering.source_of(made.callee.node, 80) in COPIERS:
            for each in made.arguments[:1]:
                yield from self._any_member(step, each)

    def _of_own_class(self, step: _Step, name: str) -> list[_Step]:
        """A field of a class of the file that is reached through the class, or what the class extends."""
        bound = self._file.static_field(name, step.parts[0]) if step.parts else ()
        rest = step._replace(parts=step.parts[1:])
        if bound:
            root = self._file.scopes.root
            return [rest.to(each.value, root) for each in bound[:_MAX_MEMBERS] if each.value is not None]
        superclass = self._file.superclass(name, step.expression.node)
        return [step.to(superclass)] if superclass is not None else []

    def _typed(self, step: _Step, name: str) -> Iterator[Callee]:
        """A method of a variable by the type that it is declared with."""
        if step.parts and (typed := self._file.declared_type(name, step.scope)):
            yield from self._found(step, typed)

    def _entry(self, step: _Step, entry: Entry, holder: Scope) -> list[_Step]:
        key = entry.key.value if isinstance(entry.key, Text) else None
        if step.parts and (key is None or key == step.parts[0]):
            return [step._replace(parts=step.parts[1:]).to(entry.value, holder)]
        return []

    def _parameter(self, step: _Step, parameter: Parameter, function: Scope) -> list[_Step]:
        steps = [step.to(parameter.default, function)] if parameter.default is not None else []
        for call in self._file.calls_of(function.name) if function.name else ():
            value = argument_at(call, parameter)
            if value is not None and may_be_callee(value):
                steps.append(step.to(value, self._file.scopes.scope_of(call.node)))
        return steps[:_MAX_MEMBERS]

    def _member(self, step: _Step) -> Iterable[_Step | Callee]:
        taken = step.expression
        assert isinstance(taken, Member)
        own = self_member(taken)
        if own:
            bound = self._file.scopes.root.bindings.get(own, ())
            steps = [step.to(each.value, self._file.scopes.scope_of(each.value.node)) for each in bound if each.value]
            return [*steps, *self._typed(step, own)] or self._of_method(step.to(taken, None, taken.name, hidden=False))
        typed = self._file.field_type(taken.name) if step.parts else ""
        return [step.to(taken.owner, None, taken.name, hidden=False), *(self._found(step, typed) if typed else ())]

    def _function(self, step: _Step) -> Iterable[_Step | Callee]:
        if step.parts[:1] == ("constructor",):
            return self._found(step._replace(parts=step.parts[1:], hidden=True), _FUNCTION_MAKER)
        return self._of_method(step)

    def _item(self, step: _Step) -> Iterable[_Step | Callee]:
        taken = step.expression
        assert isinstance(taken, Item)
        number = self._file.written(taken.key) if isinstance(taken.key, Constant) else None
        key = text_of(self._file, taken.key, step.scope) or number
        if key is not None and key.isidentifier():
            return [step.to(taken.owner, None, key)]
        listed = listed_members(taken.owner)
        if listed is not None:
            return self._any_member(step, listed)
        return [*self._members(step, taken.owner, key), *(self._any_member(step, taken.owner) if key is None else ())]

    def _any_member(self, step: _Step, owner: Expression) -> Iterator[Callee]:
        """A function of a module that is chosen by a key which is not known."""
        if not step.parts:
            for each in self.callees(owner, step.scope):
                yield Callee(f"{each.name}{ANY_MEMBER}", step.bound, is_hidden=True)

    def _members(self, step: _Step, table: Expression, key: str | None) -> list[_Step | Callee]:
        """What a table that is written out holds under a key, or under any."""
        if isinstance(table, Name):
            bound = self._file.reaching(table.name, table.node.start_byte, step.scope)
            values = [each.value for each in bound if each.value is not None and not each.adds]
            added = [each.value for each in bound if isinstance(each.value, Entry)]
            table = (listed(self._file, values[0], step.scope) if values else None) or table
            if added and not isinstance(table, Collection):
                table = Collection(table.node, tuple(added))
        made = table if isinstance(table, Collection) else listed(self._file, table, step.scope)
        entries = [each for each in made.entries if not isinstance(each, Spread)] if made is not None else []
        if key is not None and key.isdigit() and int(key) < len(entries):
            entries = [entries[int(key)]]
        return [step.to(each.value if isinstance(each, Entry) else each) for each in entries[:_MAX_MEMBERS]]

    def _collection(self, step: _Step) -> Iterable[_Step | Callee]:
        made = step.expression
        assert isinstance(made, Collection)
        if not step.parts:
            named = named_method(self._file, made, step.scope)
            return [step.to(made.entries[0], None, named)] if named else []
        first, rest = step.parts[0], step._replace(parts=step.parts[1:])
        if (first == "constructor" or holds_no_keys(made)) and is_constructor_of_method(step.parts):
            return self._found(step._replace(parts=step.parts[2:], hidden=True), _FUNCTION_MAKER)
        found: list[_Step | Callee] = []
        for number, each in enumerate(made.entries):
            if isinstance(each, Spread):
                found.append(step.to(each.value))
            elif isinstance(each, Entry) and isinstance(each.key, (Text, Name)):
                key = each.key.value if isinstance(each.key, Text) else each.key.name
                if key == first:
                    found.append(rest.to(each.value))
            elif first == str(number):
                found.append(rest.to(each))
        return found

    def _text(self, step: _Step) -> Iterable[_Step | Callee]:
        if not step.parts and self._file.scopes.kinds.text_calls:
            assert isinstance(step.expression, Text)
            name = called_text(step.expression.value)
            return [Callee(name, step.bound, is_hidden=True)] if name else []
        if is_constructor_of_method(step.parts):
            return self._found(step._replace(parts=step.parts[2:], hidden=True), _FUNCTION_MAKER)
        return self._of_method(step)

    def _call(self, step: _Step) -> Iterable[_Step | Callee]:
        call = step.expression
        assert isinstance(call, Call)
        first = call.arguments[0] if call.arguments else None
        known = self._of_known_call(step, call, first)
        if known is not None:
            return known
        if isinstance(call.callee, Member):
            taken = self._of_member_call(step, call, call.callee, first)
            if taken is not None:
                return taken
        if isinstance(call.callee, Name):
            own = self._of_name_call(step, call, call.callee, first)
            if own is not None:
                return own
        fields = [each for each in call.arguments if isinstance(each, Entry)] if call.constructs else []
        found: list[_Step | Callee] = [one for each in fields for one in self._entry(step, each, step.scope)]
        for each in self.callees(call.callee, step.scope):
            last = each.name.rpartition(".")[2]
            if first is not None and last in self._file.models.passing.callable_returning:
                found.append(step.to(first))
            elif step.parts and (each.name[0] != "." or each.name[:2] in RELATIVE_STARTS):
                found += self._found(step, f"{each.name}()")
        return found or self._of_method(step)

    def _of_known_call(self, step: _Step, call: Call, first: Expression | None) -> Iterable[_Step | Callee] | None:
        """A module that is loaded by its name, or what an object copies the members of."""
        named = self._file.scopes.lowering.source_of(call.callee.node, 80)
        if first is not None and (named in LOADERS or self._is_loader(call.callee, step.scope)):
            module = text_of(self._file, first, step.scope)
            if module is not None:
                hidden = step.hidden or named not in _PLAIN_LOADERS or not isinstance(first, Text)
                return self._found(step._replace(hidden=hidden), plain_module(module))
        if step.parts and named in COPIERS:
            return [one for each in call.arguments[:_MAX_MEMBERS] for one in self._copied(step, each)]
        return None

    def _copied(self, step: _Step, given: Expression) -> Iterator[_Step]:
        """A member of what a call copies members from, or describes them with: `{ run: { value: exec } }`."""
        yield step.to(given)
        described = listed(self._file, given, step.scope)
        for each in described.entries if described is not None else ():
            held = each.value if isinstance(each, Entry) and _is_named(each, step.parts[0]) else None
            if isinstance(held, Collection):
                yield step._replace(parts=step.parts[1:]).to(held, None, "value")

    def _is_loader(self, callee: Expression, scope: Scope) -> bool:
        """Does a function load modules: one that has another name, or `createRequire(__filename)`?"""
        if any(each.name in LOADERS for each in self.callees(callee, scope)):
            return True
        makers = self._file.models.passing.loader_makers
        made = assigned_call(self._file, callee, scope) if makers else None
        return made is not None and any(each.name in makers for each in self.callees(made.callee, scope))

    def _of_member_call(
        self, step: _Step, call: Call, callee: Member, first: Expression | None
    ) -> Iterable[_Step | Callee] | None:
        if callee.name == "bind" and first is not None:
            return [step._replace(bound=(*call.arguments[1:], *step.bound)).to(callee.owner)]
        if callee.name in _NAMED_METHODS and first is not None:
            method = text_of(self._file, first, step.scope)
            return [step.to(callee.owner, None, method)] if method else None
        if (picked := picked_members(callee)) is not None:
            return [*self._any_member(step, picked)]
        if callee.name in {"to_proc", "unbind", "curry", "freeze"}:
            return [step.to(callee.owner if first is None else first)]
        return self._got(step, callee, first) if callee.name in _GETTERS and first is not None else None

    def _got(self, step: _Step, callee: Member, first: Expression) -> Iterable[_Step | Callee] | None:
        """What a table or a class holds by a name."""
        key = text_of(self._file, first, step.scope)
        if callee.name in METHOD_GETTERS and key:
            classes = ("", *reflected_classes(self._file, callee.owner, step.scope))
            return [Callee(short_name(self._file, f"{each}.{key}"), step.bound, is_hidden=True) for each in classes]
        return [step.to(callee.owner, None, key)] if key else self._members(step, callee.owner, None) or None

    def _of_name_call(
        self, step: _Step, call: Call, callee: Name, first: Expression | None
    ) -> Iterable[_Step | Callee] | None:
        if callee.name in _NAMED_METHODS and first is not None:
            method = text_of(self._file, first, step.scope)
            return [*self._found(step._replace(hidden=True), method)] if method else None
        own = self._file.scopes.by_name.get(callee.name, ())
        if not own or call.constructs:
            is_called = self._file.scopes.kinds.text_calls and not step.parts  # `strrev("metsys")($x)`
            whole = text_of(self._file, call, step.scope) if is_called else None
            return [step.to(Text(call.node, whole))] if whole is not None else None
        ends = [(each, value) for each in own[:2] for value in returned_values(self._file.scopes, each)]
        found: list[_Step | Callee] = []
        for function, value in ends[:_MAX_MEMBERS]:
            given = function.parameters.get(value.name) if isinstance(value, Name) else None
            argument = argument_at(call, given) if given is not None else None
            found.append(step.to(argument) if argument is not None else step.to(value, function))
        return found

    def _choice(self, step: _Step) -> Iterable[_Step | Callee]:
        made = step.expression
        if isinstance(made, Operation):
            if (whole := text_of(self._file, made, step.scope)) is not None:
                return [step.to(Text(made.node, whole))]
            return [step.to(made.left), step.to(made.right)]
        assert isinstance(made, Choice)
        return [step.to(each) for each in made.parts[:_MAX_MEMBERS]]


def _is_named(entry: Entry, name: str) -> bool:
    return isinstance(entry.key, Text) and entry.key.value == name


_BLOCKS = frozenset({"block", "do_block", "lambda"})
_READERS: Mapping[type[Expression], Callable[[CalleeResolver, _Step], Iterable[_Step | Callee]]] = {
    Name: CalleeResolver._name,
    Member: CalleeResolver._member,
    Item: CalleeResolver._item,
    FunctionValue: CalleeResolver._function,
    Call: CalleeResolver._call,
    Collection: CalleeResolver._collection,
    Text: CalleeResolver._text,
    Choice: CalleeResolver._choice,
    Operation: CalleeResolver._choice,
}
