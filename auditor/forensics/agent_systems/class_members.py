"""Classes of the repository as the walk sees them: bases, methods, fields, and objects that are made of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import Call, Class, Function, Instance, Place, Value
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.value_contents import options


def instantiate(
    run: Interpreter, cls: Class, args: Sequence[Value], named: Sequence[tuple[str, Value]], at: Place
) -> Value:
    """A new object: its fields by the arguments of a data class, or what `__init__` makes of them."""
    instance = Instance(cls, {}, Call(cls, tuple(args), tuple(named), at))
    start = find_method(run, instance, "__init__")
    if isinstance(start, Function):
        run.call(start, args, named, at)
    else:
        instance.attrs.update(named)
        for (name, _), value in zip(annotated_names(cls), args, strict=False):
            instance.attrs[name] = value
    return instance


def class_hierarchy(run: Interpreter, cls: Class) -> list[Class]:
    """A class and its bases inside the repository, nearest first."""
    found: list[Class] = []
    waiting = [cls]
    while waiting and len(found) < 20:
        each = waiting.pop(0)
        if any(each.node is known.node for known in found):
            continue
        found.append(each)
        for base in base_values(run, each):
            waiting += [option for option in options(base) if isinstance(option, Class)]
    return found


def base_values(run: Interpreter, cls: Class) -> list[Value]:
    """What the base classes of a class stand for, subscripts such as `Generic[T]` left out."""
    frame = Frame(cls.unit, cls.node, cls.env.parent or cls.env)
    bare = [each.value if isinstance(each, ast.Subscript) else each for each in cls.node.bases]
    return [run.value(each, frame) for each in bare]


def find_method(run: Interpreter, instance: Instance, name: str) -> Value | None:
    """A method or class attribute of an object, bound to it; None when no class in the repository has it."""
    for cls in class_hierarchy(run, instance.cls):
        found = cls.env.names.get(name)
        if isinstance(found, Function):
            return bind_method(found, instance)
        if found is not None:
            return found
    return None


def bind_method(function: Function, instance: Instance) -> Function:
    """A method bound to an object, unless it is static."""
    decorators = {each.id for each in getattr(function.node, "decorator_list", ()) if isinstance(each, ast.Name)}
    if "staticmethod" in decorators:
        return function
    return Function(function.unit, function.node, function.env, instance, function.preset, function.preset_named)


def annotated_names(cls: Class) -> list[tuple[str, ast.AnnAssign]]:
    """The annotated names of a class body in their order."""
    return [
        (each.target.id, each)
        for each in cls.node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
