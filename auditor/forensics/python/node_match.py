"""One node of a Python file that a site probe asked to see, with what its scope says of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from itertools import takewhile

from auditor.forensics.python.keyword_options import find_option
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.possible_aliases import may_refer_to
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.source_text.site_probe_types import Site

DOUBT_FACTOR = 0.7
"""What is left of the confidence when the name of what is called may be another one."""


@dataclass(frozen=True, slots=True)
class Match:
    """One node that a probe asked to see."""

    node: ast.AST
    scope: Scope
    module: Module
    name: str = ""
    """For a call: the qualified name it resolves to, or `.method` when only the method is known."""
    doubt: str = ""
    """Why the name may be another one."""
    by: ast.Call | None = None
    """For a call that is made by another, as by `to_thread(function, argument)`: that other one."""

    @property
    def call(self) -> ast.Call:
        """The node as a call; only for matches of `calls` and `methods`."""
        assert isinstance(self.node, ast.Call)
        return self.node

    def argument(self, keyword: str, position: int | None = None) -> ast.expr | None:
        """The argument passed by that name, also in a `**` dictionary as far as it is known, or at that position (counted from 0) before any `*`.

        What `functools.partial` bound before counts as passed.
        """
        call = self.call if "partial" not in self.module.calls else self._with_partial_arguments()
        for named in call.keywords:
            if named.arg == keyword:
                return named.value
        for named in call.keywords:
            if named.arg is None and (value := find_option(self.module, named.value, self.scope, keyword)) is not None:
                return value
        before_star = list(takewhile(lambda each: not isinstance(each, ast.Starred), call.args))
        return before_star[position] if position is not None and position < len(before_star) else None

    def _with_partial_arguments(self) -> ast.Call:
        """The call with the arguments that a `functools.partial` bound before it; those of the call itself come first by name."""
        call = self.call
        made = self.module.behind(call.func, self.scope)
        if not isinstance(made, ast.Call) or not made.args or last_name(made.func) != "partial":
            return call
        return ast.Call(call.func, [*made.args[1:], *call.args], [*call.keywords, *made.keywords])

    @property
    def has_spread_arguments(self) -> bool:
        """Are there `*` or `**` arguments, so that not every argument can be seen?"""
        call = self.call if "partial" not in self.module.calls else self._with_partial_arguments()
        return any(isinstance(each, ast.Starred) for each in call.args) or any(
            each.arg is None for each in call.keywords
        )

    def within(self, scope: Scope) -> Match:
        """The same match as seen from another scope of the file."""
        return self if scope is self.scope else replace(self, scope=scope)

    def value(self, expression: ast.expr | None) -> object:
        """The constant that an expression stands for, through names bound once; UNKNOWN otherwise."""
        return self.module.value(expression, self.scope)

    def may_refer_to(self, expression: ast.expr | None, words: frozenset[str]) -> bool:
        """Can an expression stand for something whose name ends in one of the words? Quicker than to resolve it."""
        return may_refer_to(self.module, expression, words)

    def resolve(self, expression: ast.AST | None) -> str | None:
        """The qualified name an expression stands for, through imports and aliases."""
        return self.module.resolve(expression, self.scope)

    def site(
        self,
        statement: str,
        *,
        at: ast.AST | None = None,
        call: str = "",
        confidence: float = 1.0,
        because: str = "",
        related: tuple[int, ...] = (),
    ) -> Site:
        """A place for the answer; `at` another node than the matched one."""
        node = at or self.by or self.node
        line = getattr(node, "lineno", 1)
        if self.doubt:
            confidence = round(confidence * DOUBT_FACTOR, 2)
            because = f"{because}; {self.doubt}" if because else self.doubt
        end = getattr(node, "end_lineno", None) or line
        return Site(line, end, statement, call or self.name, confidence, because, related)
