"""What a search for untrusted input does in one way for all languages: a language says how its expressions are read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from auditor.constant_folding.format_fields import filled_as_text
from auditor.forensics.code_facts.address_prefixes import is_ended_by, is_open_address, open_marks
from auditor.forensics.code_facts.input_flows import Flow, FoundSource, FunctionFlow, Grade

Value = TypeVar("Value")
Place = TypeVar("Place")
MAX_DEPTH = 40
_MAX_CALL_DEPTH = 2
"""Calls through which a value is followed into functions, or back to callers."""


class FlowSearch(ABC, Generic[Value, Place]):
    """One question about one argument of a call."""

    def __init__(
        self, probe: str, rooted_members: frozenset[str], *, leaves: bool, of_address: bool, follows_callers: bool
    ) -> None:
        self._probe, self._of_address, self._follows_callers = probe, of_address, follows_callers
        self._leaves = leaves
        """Is it asked what leaves the program, and not what enters it?"""
        self._rooted_members = rooted_members
        self.is_doubted = False
        """May a function that could not be read, or was not understood, have checked it on the way?"""
        self._bound: dict[tuple[int, str], tuple[Value, Place]] = {}
        """What the call gives that is followed, by the function and the name of its parameter."""
        self._calls = 0

    @abstractmethod
    def flow(self, expression: Value | None, scope: Place, depth: int = MAX_DEPTH) -> Flow | None:
        """The way of untrusted input to an expression; None where there is none, or none that could be followed."""

    @abstractmethod
    def _text(self, expression: Value, scope: Place) -> str | None:
        """The text that an expression always is; None where it is not fixed."""

    def _first(self, expressions: Iterable[Value | None], scope: Place, depth: int) -> Flow | None:
        flows = (self.flow(each, scope, depth) for each in expressions)
        return next((each for each in flows if each is not None), None)

    def _first_decides(self, parts: Iterable[Value], scope: Place, depth: int) -> Flow | None:
        """The flow into the begin of an address, which decides the host: what follows the host does not."""
        begin = ""
        for each in parts:
            text = self._text(each, scope)
            if text is None:
                return self._behind(begin, self.flow(each, scope, depth))
            begin += text
        return None

    def _into_form(self, form: str, given: Sequence[Value], scope: Place, depth: int) -> Flow | None:
        """The flow into the marks of an address that may still choose its host."""
        begin, marks = open_marks(form)
        return self._behind(begin, self._first(filled_as_text(form, given[:marks]), scope, depth))

    def _behind(self, begin: str, flow: Flow | None) -> Flow | None:
        """A flow that is put behind the begin of an address, where it may still choose the host."""
        if flow is None or not is_open_address(begin):
            return None
        return None if is_ended_by(begin, flow.source.written, self._rooted_members) else flow

    def _returned(
        self, told: FunctionFlow, written: str, line: int, held: Iterable[Value], scope: Place, depth: int
    ) -> Flow | None:
        """What a function of another file gives back: untrusted input of its own, or what its parameters hold."""
        if told.source:
            return Flow(FoundSource(written, line, Grade.REQUEST, told.source))
        return self._first(held, scope, depth)

    @property
    def _is_deep(self) -> bool:
        """Was the value followed through as many calls as are followed?"""
        return self._calls >= _MAX_CALL_DEPTH

    @contextmanager
    def _another_call(self) -> Iterator[None]:
        """While a value is followed through a call; what parameters were bound to before is so again behind it."""
        before = dict(self._bound)
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1
            self._bound = before
