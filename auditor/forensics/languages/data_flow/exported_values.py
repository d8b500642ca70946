"""What a JavaScript or TypeScript file offers to others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.expressions import Entry, Expression, Member, Name
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Scope
from auditor.forensics.languages.grammar_kinds import child_part

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_VALUES = 200


def exported_values(file: FollowedFile) -> Iterator[tuple[Expression, Scope]]:
    """Values behind `export` and `module.exports`."""
    root = file.scopes.root
    for owner in ("module", "exports"):
        for bound in root.bindings.get(owner, ())[:_MAX_VALUES]:
            if isinstance(bound.value, Entry):
                yield bound.value.value, root
    for node in file.scopes.exports[:_MAX_VALUES]:
        for value in (*_declared(file, node), *_listed(file, node)):
            yield value, root


def _declared(file: FollowedFile, node: Node) -> Iterator[Expression]:
    """`export default value`, `export const name = value`."""
    lowering = file.scopes.lowering
    held = node.child_by_field_name("value")
    if held is not None:
        yield lowering.lower(held)
    declared = node.child_by_field_name("declaration")
    own = file.scopes.kinds.declarations.get(declared.type) if declared is not None else None
    if declared is not None and own is not None:  # `export import name = value`
        value = child_part(declared, own[1])
        yield from (lowering.lower(value),) if value is not None and value.type in file.scopes.kinds.members else ()
        return
    for each in lowering.named_children(declared) if declared is not None else ():
        value = each.child_by_field_name("value") if each.type == "variable_declarator" else None
        if value is not None:
            yield lowering.lower(value)


def _listed(file: FollowedFile, node: Node) -> Iterator[Expression]:
    """`export { name }`, also of another module."""
    lowering = file.scopes.lowering
    module = node.child_by_field_name("source")
    clauses = (each for each in lowering.named_children(node) if each.type == "export_clause")
    for each in (one for clause in clauses for one in lowering.named_children(clause)):
        named = each.child_by_field_name("name")
        if named is None:
            continue
        name = lowering.source_of(named, 200)
        if module is None:
            yield Name(named, name)
        else:
            package = lowering.source_of(module, 200).strip("'\"").removeprefix("node:")
            yield Member(named, Name(module, package), name)
