"""Functions that are named by a text: reflection, and texts that are called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.expressions import Call, Collection, Expression, Member, Name
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.listed_values import listed
from auditor.forensics.languages.data_flow.scope_types import Scope

METHOD_GETTERS = frozenset({"getMethod", "getDeclaredMethod", "GetMethod", "GetRuntimeMethod"})
_CLASS_VALUE = re.compile(r"(?:typeof\(([\w.]{1,200})\)|([\w.]{1,200})\.class)$")
_MAX_WRITTEN = 80
_OBJECT_AND_METHOD = 2


def reflected_classes(file: FollowedFile, owner: Expression, scope: Scope) -> Iterator[str]:
    """The class that a value stands for: `Class.forName("java.lang.Runtime")`, `Runtime.class`, `typeof(Process)`."""
    if isinstance(owner, Name):
        bound = file.reaching(owner.name, owner.node.start_byte, scope)
        owner = bound[-1].value or owner if bound else owner
    if isinstance(owner, Call) and owner.arguments:
        named = text_of(file, owner.arguments[0], scope)
        if named:
            yield named.partition(",")[0]
    found = _CLASS_VALUE.search(file.scopes.lowering.source_of(owner.node, _MAX_WRITTEN))
    if found is not None:
        yield file.full_type(found[1] or found[2])


def called_text(value: str) -> str:
    """The name of the function that a text is called as; empty where it names none."""
    name = value.strip("\\").replace("::", ".").replace("\\", ".")
    return name if name.replace(".", "").isidentifier() else ""


def named_method(file: FollowedFile, made: Collection, scope: Scope) -> str | None:
    """The method of `[$object, "method"]`, where a list of the two is called as a function."""
    is_pair = file.scopes.kinds.text_calls and len(made.entries) == _OBJECT_AND_METHOD
    return text_of(file, made.entries[1], scope) if is_pair else None


def assigned_call(file: FollowedFile, value: Expression, scope: Scope) -> Call | None:
    """The call that a value is, or that a name was given last."""
    if isinstance(value, Name):
        bound = file.reaching(value.name, value.node.start_byte, scope)
        value = bound[-1].value or value if bound else value
    return value if isinstance(value, Call) else None


def reflected_call(
    file: FollowedFile, owner: Expression, given: Expression, scope: Scope
) -> tuple[Expression, tuple[Expression, ...]] | None:
    """The function and the arguments of `reflect.ValueOf(f).Call(values)` in Go, also where both were given names."""
    made, values = assigned_call(file, owner, scope), listed(file, given, scope)
    function = _reflected(made) if made is not None else None
    if function is None or values is None:
        return None
    return function, tuple(_reflected(each) or each for each in values.entries)


def _reflected(value: Expression) -> Expression | None:
    """What `reflect.ValueOf` is given."""
    callee = value.callee if isinstance(value, Call) else None
    is_value = isinstance(callee, Member) and isinstance(callee.owner, Name)
    if not isinstance(value, Call) or not is_value or not value.arguments:
        return None
    named = (
        f"{callee.owner.name}.{callee.name}" if isinstance(callee, Member) and isinstance(callee.owner, Name) else ""
    )
    return value.arguments[0] if named == "reflect.ValueOf" else None


def short_name(file: FollowedFile, name: str) -> str:
    """A name without its package, where classes are known without it."""
    prefix = file.file.language.package_prefix
    return prefix.sub("", name) if prefix is not None and file.scopes.kinds.short_names else name
