"""Calls of functions that are in other files of the repository: how they are named, and what is known of them.

A file asks by a key: where the function may be, as the file writes it, and its name. What is known comes with the next
look at the file.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice

from auditor.forensics.code_facts.input_flows import FunctionFlow, unpacked_flow
from auditor.forensics.languages.data_flow.callee_resolution import CalleeResolver
from auditor.forensics.languages.data_flow.expressions import Call, Expression, Member, Name, last_name
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Scope
from auditor.forensics.source_text.neighbour_files import INCLUDED_SEPARATOR, KEY_SEPARATOR

_RELATIVE = re.compile(
    r"(\.{1,2}/[\w@./-]{1,200}?)(?:\(\))?(?:\.(?!js\b|ts\b|mjs\b|cjs\b|jsx\b|tsx\b)([\w$().]{1,100}))?$"
)
_OF_CLASS = re.compile(r"([\w.:]{0,150}?\b[A-Z]\w{0,80})(?:\.new)?(?:\(\))?\.(\w{1,80}[?!]?)$")
_MADE = re.compile(r"(?:\.(?:default|new))?\(\)")
_OWN_CRATE = frozenset({"crate", "self", "super"})
_INCLUDED = re.compile(r"\b(?:require|include)(?:_once)?\b[^;\n\"']{0,60}[\"']([\w./-]{1,120}\.php)[\"']")
_MAX_INCLUDED = 8
_WORD = re.compile(r"\w{1,80}[?!]?$")
_MAX_ASKED = 60


class NeighbourCalls:
    """The functions of other files that one file calls."""

    def __init__(self, file: FollowedFile, resolver: CalleeResolver) -> None:
        self._file, self._resolver = file, resolver

    def is_one(self, call: Call, scope: Scope) -> bool:
        """May the function that a call makes be in another file of the repository?"""
        return bool(self._key(call, scope))

    def flow(self, call: Call, scope: Scope) -> FunctionFlow | None:
        """What the function that a call makes does; None where it is of the file itself, not known, or not known yet."""
        key = self._key(call, scope) if self._file.file.follows_neighbours else ""
        if not key:
            return None
        asked = self._file.file.looked.asked
        if len(asked) < _MAX_ASKED:
            asked.add(key)
        return unpacked_flow(self._file.file.neighbours.get(key))

    def _key(self, call: Call, scope: Scope) -> str:
        callee = call.callee
        last = last_name(callee)
        if not last or self._file.scopes.by_name.get(last) or _WORD.match(last) is None:
            return ""
        language = self._file.file.language.name
        if language in {"javascript", "typescript"}:
            return self._of_relative_module(callee, scope)
        if language == "go":
            return self._of_package(callee, scope)
        if language == "rust":
            return self._of_module(callee, last, scope)
        if isinstance(callee, Name) and callee.name not in self._file.imports.names and not call.constructs:
            return f"{self._included}{KEY_SEPARATOR}{last}"
        return self._of_class(callee, scope) if isinstance(callee, Member) else ""

    def _of_relative_module(self, callee: Expression, scope: Scope) -> str:
        # what `store.getStore()` gives is asked by the name of the store
        readers = self._file.models.passing.kept_readers
        for each in self._resolver.callees(callee, scope):
            found = _RELATIVE.match(each.name)
            if found is not None:
                held, _, last = (found[2] or "default").rpartition(".")
                last = (held.rpartition(".")[2] if last in readers and held else last).rstrip("()")
                return f"{found[1]}{KEY_SEPARATOR}{last}"
        return ""

    def _of_package(self, callee: Expression, scope: Scope) -> str:
        """A function of the package, of another one that the file imports, or a method of a type of the package."""
        if isinstance(callee, Name):
            return f"{KEY_SEPARATOR}{callee.name}"
        if not isinstance(callee, Member):
            return ""
        owner = callee.owner
        declared = self._file.declared_type(owner.name, scope) if isinstance(owner, Name) else ""
        if "." in declared:
            return ""  # a type of another package
        package = self._file.imports.names.get(owner.name, "") if isinstance(owner, Name) else ""
        return f"{package}{KEY_SEPARATOR}{callee.name}" if not package or "." in package.partition("/")[0] else ""

    def _of_module(self, callee: Expression, last: str, scope: Scope) -> str:
        """A function of a module of the crate, or a method of a type of one."""
        for each in self._resolver.callees(callee, scope):
            place = _MADE.sub("", each.name).rpartition(".")[0]
            head = place.partition(".")[0]
            if head in _OWN_CRATE or (head and f"mod {head};" in self._file.file.latin1_source):
                return f"{place}{KEY_SEPARATOR}{last}"
        return ""

    @cached_property
    def _included(self) -> str:
        """The files of functions that a file of PHP includes, as it names them."""
        if self._file.file.language.name != "php":
            return ""
        found = islice(_INCLUDED.finditer(self._file.file.latin1_source), _MAX_INCLUDED)
        return INCLUDED_SEPARATOR.join(dict.fromkeys(each[1].lstrip("/") for each in found))

    def _of_class(self, callee: Member, scope: Scope) -> str:
        for each in self._resolver.callees(callee, scope):
            found = _OF_CLASS.match(each.name)
            if found is not None:
                return f"{found[1]}{KEY_SEPARATOR}{found[2]}"
        return ""
