"""Whether what others call is still there after a change, and still takes what they pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from auditor.domain import Location, Side
from auditor.forensics.facts import lines
from auditor.forensics.inputs import Change, PythonModules, Tree
from auditor.forensics.outline import Class, Function, Outline, Parameter, ParameterKind
from auditor.forensics.roles import Role, is_example, role

_DYNAMIC = "the module makes names at run time, so one that is gone may still be served"
_DECORATED = "a decorator may change what callers have to pass"


def is_interface(path: str) -> bool:
    """Is the module one that others import? Private, test, example and script modules are not."""
    if role(path) is not Role.PRODUCT or not path.endswith(".py") or is_example(path):
        return False
    parts = path.removesuffix(".py").split("/")
    private = any(part.startswith("_") and part != "__init__" for part in parts)
    return (
        not private
        and parts[-1] not in {"setup", "noxfile", "tasks", "manage", "conftest"}
        and parts[0] not in {"scripts", "tools", "bin"}
    )


@dataclass(frozen=True)
class Break:
    """One thing that callers relied on and no longer can."""

    sentence: str
    at: Location
    confidence: float
    because: str


def breaks(change: Change, modules: PythonModules, tree: Tree) -> list[Break]:
    """All that the change takes from callers of public modules that were there before it."""
    renamed = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    found: list[Break] = []
    for path, shape in sorted(modules.base.items()):
        if not is_interface(path):
            continue
        new_path = renamed.get(path, path)
        now = modules.head.get(new_path)
        if now is not None and new_path == path:
            found += _broken(path, shape, now)
        elif path not in tree.head and not _still_served(path, tree):
            found.append(
                Break(
                    "A public module is gone",
                    lines(path, side=Side.BASE),
                    0.8,
                    "it may have been internal in spite of its name",
                )
            )
    return found


def _still_served(path: str, tree: Tree) -> bool:
    """A module that became a package of the same name is still imported as before."""
    return f"{path.removesuffix('.py')}/__init__.py" in tree.head


def _broken(path: str, before: Outline, now: Outline) -> Iterator[Break]:
    names = _offered(now)
    doubt = (
        (0.5, _DYNAMIC)
        if now.dynamic or "*" in {each.name for each in now.imports}
        else (0.9, "it may have been internal in spite of its name")
    )
    after_functions = {_key(each): each for each in now.functions}
    after_classes = {each.qualname: each for each in now.classes}
    for old in before.classes:
        if is_public(old) and old.qualname not in after_classes and old.qualname.split(".")[0] not in names:
            yield Break("A public class is gone", _place(path, old), *doubt)
    for function in before.functions:
        if not is_public(function) or (not function.in_class and function.name.startswith("__")):
            continue
        new = after_functions.get(_key(function))
        if new is not None:
            yield from _narrowed(path, function, new)
        elif not _replaced(function, names, after_classes):
            what = "method" if function.in_class else "function"
            yield Break(f"A public {what} is gone", _place(path, function), *doubt)
    exported = set(now.exports or ())
    for name in sorted(set(before.exports or ()) - exported) if now.exports is not None else ():
        if name not in names:
            yield Break(
                "A name is no longer exported",
                lines(path, side=Side.BASE, quote=name),
                0.9,
                "it may be served from elsewhere",
            )


def _key(function: Function) -> tuple[str, str]:
    """A property's getter, setter and deleter share a name and are three functions."""
    accessors = [each.rpartition(".")[2] for each in function.decorators if each.endswith((".setter", ".deleter"))]
    return function.qualname, accessors[0] if accessors else ""


def is_public(definition: Function | Class) -> bool:
    """Can it be imported, or reached through what can?"""
    return definition.public and not definition.nested


def _offered(shape: Outline) -> set[str]:
    """Names that can be imported from a module, however it comes by them."""
    return {
        *(each.qualname for each in shape.functions if not each.in_class),
        *(each.qualname for each in shape.classes),
        *(each.name for each in shape.imports),
        *shape.names,
    }


def _replaced(function: Function, names: set[str], classes: Mapping[str, Class]) -> bool:
    """Is the name still there in another form: inherited, assigned, imported?"""
    if not function.in_class:
        return function.qualname in names
    owner = classes.get(function.in_class)
    if owner is None:
        return True  # the class itself is reported, or lives on by import
    return (
        bool([base for base in owner.bases if base not in {"object", "ABC", "abc.ABC"}])
        or function.name in owner.attributes
    )


def _place(path: str, definition: Function | Class) -> Location:
    return lines(path, definition.line, definition.line, quote=definition.qualname, side=Side.BASE)


def _narrowed(path: str, old: Function, new: Function) -> Iterator[Break]:
    """Calls that worked before and no longer do."""
    at = lines(path, new.line, new.line, quote=f"def {new.name}")
    sure, why = (0.6, _DECORATED) if new.decorators or old.decorators else (1.0, "")
    if "overload" in {each.rpartition(".")[2] for each in (*new.decorators, *old.decorators)}:
        return
    if old.is_async != new.is_async:
        yield Break("A public function became asynchronous, or stopped being so", at, sure, why)
    if old.name.startswith("__") and old.name != "__init__":
        return
    before, after = passed(old), passed(new)
    by_name = {each.name: each for each in after}
    takes_any = {each.kind for each in after}
    for each in before:
        kept = by_name.get(each.name)
        if kept is None and not _swallowed(each, takes_any):
            yield Break("A public function lost a parameter", at, sure, why)
        elif kept is not None and each.has_default and not kept.has_default:
            yield Break("A parameter of a public function lost its default", at, sure, why)
    known = {each.name for each in before}
    if any(each.name not in known and not each.has_default for each in after) and len(after) > len(before):
        yield Break("A public function asks for a new parameter", at, sure, why)
    if _order(before, by_name) != _order(after, {each.name: each for each in before}):
        yield Break("Parameters of a public function changed their order", at, sure, why)


def passed(function: Function) -> list[Parameter]:
    """What a caller passes: all parameters but a method's own instance or class."""
    own = list(function.parameters)
    return own[1:] if function.in_class and own and own[0].name in {"self", "cls", "mcs"} else own


def _swallowed(parameter: Parameter, kinds: set[ParameterKind]) -> bool:
    """Is a parameter that is gone still accepted by `*args` or `**kwargs`? Those themselves never count as lost."""
    if parameter.kind in (ParameterKind.VAR_KEYWORD, ParameterKind.VAR_POSITIONAL):
        return True
    if parameter.kind is ParameterKind.POSITIONAL_ONLY:
        return ParameterKind.VAR_POSITIONAL in kinds
    return ParameterKind.VAR_KEYWORD in kinds


def _order(parameters: list[Parameter], common: Mapping[str, Parameter]) -> list[str]:
    positional = (ParameterKind.POSITIONAL, ParameterKind.POSITIONAL_ONLY)
    return [
        each.name
        for each in parameters
        if each.kind in positional and each.name in common and common[each.name].kind in positional
    ]
