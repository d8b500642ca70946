"""What calls that replace do with the texts that they are given."""

from __future__ import annotations

from auditor.forensics.languages.data_flow.expressions import Call, Expression, Member, Name, Pattern, Text
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.plain_patterns import removes_all_but_plain
from auditor.forensics.languages.data_flow.scope_types import Scope


def leaves_plain_text(file: FollowedFile, call: Call, scope: Scope) -> bool:
    """Does a call take out all characters that are not plain: `x.replace(/[^a-z]/g, "")`?"""
    assert isinstance(call.callee, Member)
    given = call.arguments
    if len(given) != 2:
        return False
    pattern: Expression | None = given[0]
    put = given[1]
    if call.callee.name.startswith("ReplaceAll"):
        owner = call.callee.owner
        bound = file.reaching(owner.name, owner.node.start_byte, scope) if isinstance(owner, Name) else []
        made = bound[0].value if len(bound) == 1 else owner
        pattern = made.arguments[0] if isinstance(made, Call) and made.arguments else None
    flags_ok = not isinstance(pattern, Pattern) or call.callee.name != "replace" or "g" in pattern.flags
    plain = isinstance(put, Text) and all(each.isalnum() or each in "_-" for each in put.value)
    return flags_ok and plain and isinstance(pattern, (Pattern, Text)) and removes_all_but_plain(pattern.value)
