"""What an expression stands for when the code is followed without being run.

Known things are folded (texts, lists, dictionaries, functions, classes); the rest keeps the shape of the
expression it came from, so that a question such as "does this path lie below a temporary directory?" can
be answered by looking into it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.forensics.agent_systems.parsed_unit import ClassNode, FunctionDefinition, Unit

MAX_ITEMS = 2_000
"""Elements of a list or dictionary that are known; of a longer one the rest is open."""
MAX_TEXT = 200_000
"""Characters of a text that is put together."""


@dataclass(slots=True, eq=False)
class Place:
    """The node a value came from, and its file."""

    unit: Unit
    node: ast.AST

    @property
    def line(self) -> int:
        """The first line, counted from 1."""
        return int(getattr(self.node, "lineno", 1))


@dataclass(slots=True, eq=False)
class Unknown:
    """A value that is known only at run time. `hint` is its name in the code."""

    hint: str = ""


@dataclass(slots=True, eq=False)
class Const:
    """A constant of the code, and where it is."""

    value: object
    place: Place | None = None


@dataclass(slots=True, eq=False)
class Text:
    """A text assembled from known and unknown parts."""

    parts: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class Seq:
    """A list, tuple or set. `open` says that a run may add more of the kind."""

    items: list[Value] = field(default_factory=list)
    open: bool = False
    place: Place | None = None
    may_be_empty: bool = False
    """Was it filled on a condition, so that it may be empty?"""

    def add(self, more: Seq) -> None:
        """Take in the elements of another one, as far as there is room."""
        room = max(0, MAX_ITEMS - len(self.items))
        self.open = self.open or more.open or len(more.items) > room
        self.items += more.items[:room]


@dataclass(slots=True, eq=False)
class Map:
    """A dictionary in its order of writing. `open` says that there may be keys beside these."""

    items: list[tuple[Value, Value]] = field(default_factory=list)
    open: bool = False
    place: Place | None = None
    _where: dict[object, int] = field(default_factory=dict)
    """Constant keys, with where the last one of each stands."""
    _told: int = 0
    """How many items `_where` knows of; more are only ever put behind them."""

    def get(self, key: object) -> Value | None:
        """The value last written under a constant key."""
        number = self._at(key)
        return None if number is None else self.items[number][1]

    def put(self, key: Value, value: Value) -> None:
        """Write under a key; an earlier value under the same constant key is replaced."""
        number = self._at(key.value) if isinstance(key, Const) else None
        if number is not None:
            self.items[number] = (key, value)
        else:
            self.add([(key, value)])

    def add(self, more: Sequence[tuple[Value, Value]], *, open: bool = False) -> None:  # noqa: A002 - as the field
        """Write behind what is there, as far as there is room."""
        room = max(0, MAX_ITEMS - len(self.items))
        self.open = self.open or open or len(more) > room
        self.items += more[:room]

    def _at(self, key: object) -> int | None:
        for number in range(self._told, len(self.items)):
            known = self.items[number][0]
            if isinstance(known, Const):
                self._where[known.value] = number
        self._told = len(self.items)
        return self._where.get(key)


@dataclass(slots=True, eq=False)
class Function:
    """A function of the repository, with what it closes over and the instance it is bound to."""

    unit: Unit
    node: FunctionDefinition
    env: Env
    bound: Instance | None = None
    preset: tuple[Value, ...] = ()
    """Arguments that a `partial` fixed."""
    preset_named: tuple[tuple[str, Value], ...] = ()
    wrapper: Value | None = None
    """What a decorator made of it, where that is a function too."""

    @property
    def name(self) -> str:
        """Its name, or `<lambda>`."""
        return getattr(self.node, "name", "<lambda>")


@dataclass(slots=True, eq=False)
class Class:
    """A class of the repository."""

    unit: Unit
    node: ClassNode
    env: Env

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.name


@dataclass(slots=True, eq=False)
class Instance:
    """An object of a class of the repository, with the attributes seen so far."""

    cls: Class
    attrs: dict[str, Value] = field(default_factory=dict)
    call: Call | None = None
    seen_as: Instance | None = None
    """For `super()`: the object itself, of which only the base classes' methods are meant."""


@dataclass(slots=True, eq=False)
class External:
    """Something imported from outside the repository, or a builtin, by its qualified name."""

    name: str


@dataclass(slots=True, eq=False)
class ModuleValue:
    """A module of the repository."""

    unit: Unit


@dataclass(slots=True, eq=False)
class Call:
    """The result of a call that leads outside."""

    func: Value
    args: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]
    place: Place

    @property
    def name(self) -> str:
        """The qualified name called, or `.method` when only the method is known."""
        if isinstance(self.func, External):
            return self.func.name
        return f".{self.func.name}" if isinstance(self.func, Attr) else ""

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    def argument(self, name: str, position: int | None = None) -> Value | None:
        """The argument of that name, else at that position counted from 0."""
        for known, value in self.named:
            if known == name:
                return value
        return self.args[position] if position is not None and position < len(self.args) else None


@dataclass(slots=True, eq=False)
class Attr:
    """An attribute of something not followed further."""

    base: Value
    name: str


@dataclass(slots=True, eq=False)
class Item:
    """An element of something not followed further."""

    base: Value
    key: Value


@dataclass(slots=True, eq=False)
class Op:
    """An operation on operands, by its sign; `with`, `await` and `or` are signs too."""

    sign: str
    operands: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class Choice:
    """One of several values, known only at run time."""

    options: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class Yielded:
    """What a generator function gives out, one after the other."""

    values: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class Step:
    """A call on a graph builder, with its arguments."""

    method: str
    call: Call


@dataclass(slots=True, eq=False)
class Builder:
    """A graph builder and what is done with it."""

    place: Place
    args: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]
    steps: list[Step] = field(default_factory=list)
    is_compiled: bool = False
    started: bool = False
    called_in: set[str] = field(default_factory=set)
    """Nodes whose functions run it; empty text for a run from outside any node."""
    within: FunctionDefinition | None = None
    caller_names: set[str] = field(default_factory=set)
    """Names of the functions whose calls led to it."""
    name: str = ""
    """What the graph itself is called, where it is told."""
    prebuilt: str = ""
    """The library's function that laid it out; empty for one built step by step."""
    origin: Call | None = None
    """That function's call."""


@dataclass(slots=True, eq=False)
class Compiled:
    """A graph ready to run."""

    builder: Builder


Value = (
    Unknown | Const | Text | Seq | Map | Function | Class | Instance | External | ModuleValue | Call | Attr | Item
    | Op | Choice | Yielded | Builder | Compiled
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Env:
    """Names of a scope and what they stand for at this point of the code."""

    unit: Unit
    parent: Env | None = None
    names: dict[str, Value] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)
    """Names declared global or nonlocal here."""

    def find(self, name: str) -> Value | None:
        """What a name stands for, here or in a scope around."""
        env: Env | None = self
        while env is not None:
            if name in env.names:
                return env.names[name]
            env = env.parent
        return None

    def bind(self, name: str, value: Value) -> None:
        """Let a name stand for a value, in the scope that owns it."""
        if name in self.foreign:
            env = self.parent
            while env is not None and name not in env.names and env.parent is not None:
                env = env.parent
            if env is not None:
                env.names[name] = value
                return
        self.names[name] = value
