"""What a JavaScript or TypeScript file offers to others."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.languages.data_flow.expressions import Expression, Member, Name
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scopes import Scope

_MAX_VALUES = 200


def exported_values(file: FollowedFile) -> Iterator[tuple[Expression, Scope]]:
    """Values behind `export` and `module.exports`."""
    root = file.scopes.root
    for owner in ("module", "exports"):
        for each in root.bindings.get(owner, ())[:_MAX_VALUES]:
            value = getattr(each.value, "value", None)
            if isinstance(value, Expression):
                yield value, root
    lowering = file.scopes.lowering
    for node in file.scopes.exports[:_MAX_VALUES]:
        module = node.child_by_field_name("source")
        held = node.child_by_field_name("value")
        if held is not None:
            yield lowering.lower(held), root
        declared = node.child_by_field_name("declaration")
        for each in lowering.named_children(declared) if declared is not None else ():
            value = each.child_by_field_name("value") if each.type == "variable_declarator" else None
            if value is not None:
                yield lowering.lower(value), root
        for clause in lowering.named_children(node) if declared is None else ():
            for each in lowering.named_children(clause) if clause.type == "export_clause" else ():
                named = each.child_by_field_name("name")
                if named is None:
                    continue
                name = lowering.source_of(named, 200)
                if module is None:
                    yield Name(named, name), root
                else:
                    package = lowering.source_of(module, 200).strip("'\"").removeprefix("node:")
                    yield Member(named, Name(module, package), name), root
