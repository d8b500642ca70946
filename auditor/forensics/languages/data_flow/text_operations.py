"""What calls that replace do with the texts that they are given."""

from __future__ import annotations

import re

from auditor.forensics.languages.data_flow.expressions import Call, Expression, Member, Name, Pattern, Text
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.plain_patterns import removes_all_but_plain, undelimited
from auditor.forensics.languages.data_flow.scope_types import Scope

_MAX_CONDITION = 200
_ONE = r"\*?\w+\.is_(?:ascii_)?(?:alphanumeric|alphabetic|digit|hexdigit|numeric)\(\)|char\.Is(?:Ascii)?(?:LetterOrDigit|Letter|Digit)\(\w+\)|\*?\w+ == '[\w-]'"
_PLAIN_CHARACTERS = re.compile(
    rf"(?:\|&*\w+\| |\w+ => )(?:{_ONE})(?: \|\| (?:{_ONE})){{0,4}}|char\.Is(?:LetterOrDigit|Letter|Digit)|char::is_alphanumeric"
)
"""Functions that are true of letters, digits, `_` and `-` only."""


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
    plain = isinstance(put, Text) and _is_plain(put)
    return flags_ok and plain and isinstance(pattern, (Pattern, Text)) and removes_all_but_plain(pattern.value)


def keeps_plain_characters(file: FollowedFile, call: Call) -> bool:
    """`x.chars().filter(|c| c.is_alphanumeric())`: are only characters left that are plain?"""
    if len(call.arguments) != 1:
        return False
    asked = " ".join(file.scopes.lowering.source_of(call.arguments[0].node, _MAX_CONDITION).split())
    return _PLAIN_CHARACTERS.fullmatch(asked) is not None


def puts_plain_text(file: FollowedFile, call: Call) -> bool:
    """`preg_replace("/[^a-z]/", "", $x)`: are all characters taken out that are not plain?"""
    if len(call.arguments) != 3 or file.file.language.name != "php":
        return False
    pattern, put = call.arguments[:2]
    if not isinstance(pattern, Text) or not isinstance(put, Text):
        return False
    return _is_plain(put) and removes_all_but_plain(undelimited(pattern.value)[0])


def _is_plain(put: Text) -> bool:
    return all(each.isalnum() or each in "_-" for each in put.value)
