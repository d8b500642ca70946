"""Paths of the temporary files that uploads are kept in: the server chooses them, and only the name in them may be the client's."""

from __future__ import annotations

from auditor.forensics.languages.data_flow.expressions import Call, Expression, Item, Member, Name
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.input_sources import InputSources
from auditor.forensics.languages.data_flow.scope_types import Scope

_MAX_DEPTH = 6
_MAX_ASSIGNMENTS = 8


class UploadPaths:
    """The uploads of one file, where one probe looks."""

    def __init__(self, file: FollowedFile, sources: InputSources, probe: str) -> None:
        self._file, self._sources, self._probe = file, sources, probe
        self._row = file.models.uploads_for(probe)

    def is_path(self, taken: Member, scope: Scope) -> bool:
        """Is a member the path of the file that an upload is kept in?"""
        return self._row is not None and taken.name in self._row.paths and self._is_upload(taken.owner, scope)

    def is_path_item(self, taken: Item, key: str, scope: Scope) -> bool:
        """Is what a table holds under a key such a path?"""
        return self._row is not None and key in self._row.keys and self._is_upload(taken.owner, scope)

    def _is_upload(self, value: Expression, scope: Scope, depth: int = _MAX_DEPTH) -> bool:
        row = self._row
        if row is None or depth <= 0:
            return False
        if isinstance(value, Name):
            return self._file.declared_type(value.name, scope) in row.types or self._is_assigned(value, scope, depth)
        if isinstance(value, Call) and isinstance(value.callee, Member):
            callee = value.callee
            is_entry = callee.name in row.lookups and self._is_table(callee.owner, scope)
            return is_entry or self._is_upload(callee, scope, depth - 1)
        if isinstance(value, (Item, Member)):
            inside = self._is_table(value.owner, scope) or self._is_upload(value.owner, scope, depth - 1)
            kept = isinstance(value, Item) or value.name in row.keepers or self._is_table(value.owner, scope)
            return (inside and kept) or (
                isinstance(value, Member) and value.name in row.uploads and self._is_source(value, scope)
            )
        return False

    def _is_assigned(self, name: Name, scope: Scope, depth: int) -> bool:
        """Is a name given nothing but uploads, or each of a table of them?"""
        bound = self._file.reaching(name.name, name.node.start_byte, scope)
        holder = scope.holder(name.name) or scope
        return 0 < len(bound) <= _MAX_ASSIGNMENTS and all(
            each.value is not None
            and (self._is_upload(each.value, holder, depth - 1) or (each.each and self._is_table(each.value, holder)))
            for each in bound
        )

    def _is_table(self, value: Expression, scope: Scope) -> bool:
        """Is it a table of uploads of the request: `$_FILES`, `req.files`?"""
        made = value.callee if isinstance(value, Call) else value
        named = made.name if isinstance(made, (Name, Member)) else ""
        return self._row is not None and named in self._row.tables and self._is_source(made, scope)

    def _is_source(self, value: Expression, scope: Scope) -> bool:
        return self._sources.find(value, scope, self._probe) is not None
