"""Values that can do no harm whatever they hold: numbers, members of an enum, and what calls make that rows name."""

from __future__ import annotations

import re

from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Constant,
    Expression,
    Item,
    Joined,
    Member,
    Name,
    Operation,
    Text,
)
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.input_sources import InputSources
from auditor.forensics.languages.data_flow.scope_types import Scope, Step
from auditor.forensics.languages.data_flow.text_operations import (
    keeps_plain_characters,
    leaves_plain_text,
    puts_plain_text,
)
from auditor.forensics.languages.data_flow.type_arguments import type_arguments
from auditor.forensics.languages.data_flow.upload_paths import UploadPaths

_MAX_TYPE_BYTES = 60
_WORD = re.compile(r"\w+")
_PIECES_OF_TEXT = frozenset({"byte", "Byte", "sbyte", "char", "Character", "rune", "u8", "i8", "u16", "uint8", "int8"})
"""Types of which one value is harmless and many are a text."""
_ENUMS = frozenset({"enum_declaration", "enum_item"})
_FILTERING = frozenset({"filter", "Where"})
_REPLACING = frozenset({"replace", "replaceAll", "gsub", "gsub!", "ReplaceAllString", "ReplaceAllLiteralString", "replace_all"})  # fmt: skip


class HarmlessValues:
    """What can do no harm in one file where one probe looks."""

    def __init__(self, file: FollowedFile, sources: InputSources, probe: str) -> None:
        self._file, self._passing = file, file.models.passing
        more = (calls for packages, calls in file.models.harmless_without(probe) if not file.imports.uses(packages))
        self._calls = file.models.harmless_for(probe).union(*more)
        self._members = file.models.harmless_members(probe)
        self._uploads = UploadPaths(file, sources, probe)
        self._rooted = file.models.rooted_for(probe)

    def has_type(self, name: Name, scope: Scope) -> bool:
        """Is a name declared with a type of numbers and the like?"""
        holder = scope.holder(name.name)
        given = holder.parameters.get(name.name) if holder is not None else None
        return self._is_type(self._file.written_type(name.name, scope), given.path if given is not None else ())

    def has_field(self, name: Step) -> bool:
        """Is a field of that name of such a type wherever the file declares one?"""
        types = self._file.field_types.get(name) if isinstance(name, str) else None
        return bool(types) and all(map(self._is_type, types or ()))

    def is_member(self, name: str) -> bool:
        """Can a member of a request with that name do no harm?"""
        return name in self._members

    def is_item(self, taken: Item, key: str, scope: Scope) -> bool:
        """`$_FILES["a"]["tmp_name"]`: can what a table holds under a key do no harm, by the key and where the table begins?

        Of a table that a caller gives, nothing but the key is known.
        """
        if self._uploads.is_path_item(taken, key, scope):
            return True
        owner = taken.owner
        while isinstance(owner, (Item, Member)):
            owner = owner.owner
        root = owner.name if isinstance(owner, Name) else ""
        is_given = not isinstance(owner, Name) or self._file.parameter(root, scope) is not None
        return (is_given and f".{key}" in self._members) or f"{root}.{key}" in self._members

    def is_part(self, taken: Member, scope: Scope) -> bool:
        """`r.URL.Path`, or a field: can a member do no harm by its name and its owner, or by its type?"""
        owner = taken.owner
        named = isinstance(owner, Member) and f"{owner.name}.{taken.name}" in self._members
        return named or self.has_field(taken.name) or self._uploads.is_path(taken, scope)

    def is_plain(self, expression: Expression, scope: Scope) -> bool:
        """Is a value written out, or a name with such a type?"""
        return isinstance(expression, (Text, Constant)) or (
            isinstance(expression, Name) and self.has_type(expression, scope)
        )

    def is_call(self, call: Call, names: set[str], last: str, scope: Scope) -> bool:
        """Does a call make a harmless value: by a row, by the type that it names, or as it leaves plain text only?"""
        methods = {f".{last}"} if isinstance(call.callee, Member) else set()
        if not (names | methods).isdisjoint(self._calls) or self._is_asked_for(call, names | methods):
            return True
        if self._is_rooted(call, names, scope):
            return True
        if last in self._passing.callback_calls and self._is_mapped(call, last):
            return True
        if (last == "preg_replace" and puts_plain_text(self._file, call)) or (
            last in _FILTERING and keeps_plain_characters(self._file, call)
        ):
            return True
        named = call.node.child_by_field_name("function") or call.callee.node
        converted = type_arguments(self._file.file.text(named)[-_MAX_TYPE_BYTES:]) if last else []
        if converted and all(map(self._is_type, converted)):
            return True
        return isinstance(call.callee, Member) and self._is_method(call, call.callee, scope)

    def _is_rooted(self, call: Call, names: set[str], scope: Scope) -> bool:
        """`path.Clean("/" + x)`: nothing is left of `..` where a path begins at the root."""
        if not call.arguments or names.isdisjoint(self._rooted):
            return False
        first = call.arguments[0]
        begin = first.left if isinstance(first, Operation) else first.parts[0] if isinstance(first, Joined) else first
        return (text_of(self._file, begin, scope) or "").startswith("/")

    def _is_mapped(self, call: Call, last: str) -> bool:
        """`array_map("intval", $list)`: does the function that is named make harmless values?"""
        place = self._passing.callback_calls[last][0]
        function = call.arguments[place] if place < len(call.arguments) else None
        return isinstance(function, Text) and function.value in self._calls

    def _is_asked_for(self, call: Call, names: set[str]) -> bool:
        """Is a call given a name that makes it harmless: `FILTER_VALIDATE_INT`?"""
        wanted = next((each for name in names if (each := self._file.models.harmless_if_given.get(name))), None)
        return wanted is not None and any(self._file.written(each) in wanted for each in call.arguments)

    def _is_method(self, call: Call, callee: Member, scope: Scope) -> bool:
        if callee.name in self._passing.harmless_methods:
            return True
        if callee.name in _REPLACING and leaves_plain_text(self._file, call, scope):
            return True
        if callee.name == "valueOf" and isinstance(callee.owner, Name):
            owner = callee.owner.name
            return owner[:1].isupper() and owner != "String"
        return False

    def _is_type(self, written: str, path: tuple[Step, ...] = ()) -> bool:
        """Is it a type of numbers and the like, or a wrapper that holds nothing else?"""
        types = self._passing.harmless_types
        if not types or not written:
            return False
        inner = type_arguments(written)
        if (inner or "[" in written) and not _PIECES_OF_TEXT.isdisjoint(_WORD.findall(written)):
            return False
        if path and isinstance(path[0], str) and path[0].isdigit() and int(path[0]) < len(inner):
            inner = inner[int(path[0]) : int(path[0]) + 1]
        if inner:
            return all(each in types or self._is_enum(each) for each in inner)
        declared = self._file.full_type(written).rpartition(".")[2]
        return declared in types or (bool(declared) and self._is_enum(declared))

    def _is_enum(self, name: str) -> bool:
        lowering = self._file.scopes.lowering
        named = (each.child_by_field_name("name") for each in self._file.scopes.classes if each.type in _ENUMS)
        return any(each is not None and lowering.source_of(each, 100) == name for each in named)
