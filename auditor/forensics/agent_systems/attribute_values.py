"""What the attributes of a value stand for."""

from __future__ import annotations

from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Choice,
    Class,
    Const,
    External,
    Function,
    Instance,
    Map,
    ModuleValue,
    Value,
)
from auditor.forensics.agent_systems.class_members import base_values, class_hierarchy, find_method
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.value_contents import choice
from auditor.forensics.agent_systems.value_properties import has_decorator

_MAX_ALTERNATIVES = 12
"""Things that one name may stand for of which an attribute is taken."""


def attribute_value(run: Interpreter, base: Value, name: str, unit: Unit) -> Value:
    """What an attribute of a value stands for."""
    if isinstance(base, Choice):
        return choice(*(attribute_value(run, each, name, unit) for each in base.options[:_MAX_ALTERNATIVES]))
    found: Value = Attr(base, name)
    if isinstance(base, ModuleValue):
        found = run.member(base.unit, name)
    elif isinstance(base, External):
        known = run.program.module(f"{base.name}.{name}", unit) if base.name[0] != "." else None
        found = ModuleValue(known) if known is not None else External(f"{base.name}.{name}")
    elif isinstance(base, Instance):
        found = _instance_attribute(run, base, name)
    elif isinstance(base, Class):
        found = _class_attribute(run, base, name)
    elif isinstance(base, Map) and unit.is_script:
        found = base.get(name) or found
    elif isinstance(base, Function) and name in {"__name__", "__qualname__", *(("name",) if unit.is_script else ())}:
        found = Const(base.name)
    elif isinstance(base, Const) and name == "value":
        found = base  # a member of an Enum and its value
    return found


def _instance_attribute(run: Interpreter, base: Instance, name: str) -> Value:
    if name in base.attrs and base.seen_as is None:
        return base.attrs[name]
    found = find_method(run, base, name)
    if base.seen_as is not None and isinstance(found, Function):
        # on the object itself, so that what a method of a base class calls is the object's own again
        found = Function(found.unit, found.node, found.env, base.seen_as, found.preset, found.preset_named)
    if isinstance(found, Function) and has_decorator(found, {"property", "cached_property"}):
        return run.call(found, (), (), None)
    unset = isinstance(found, Const) and (isinstance(found.value, bool) or not found.value)
    if unset and _is_settings_instance(run, base):
        return Attr(
            base, name
        )  # a switch, or a key left empty: its default says nothing of how it stands where this runs
    return Attr(base, name) if found is None else found


def _is_settings_instance(run: Interpreter, instance: Instance) -> bool:
    """Is it an object of pydantic's settings, whose fields the environment fills?"""
    bases = (base for cls in class_hierarchy(run, instance.cls) for base in base_values(run, cls))
    return any(isinstance(base, External) and base.name.rpartition(".")[2] == "BaseSettings" for base in bases)


def _class_attribute(run: Interpreter, base: Class, name: str) -> Value:
    for cls in class_hierarchy(run, base):
        if name in cls.env.names:
            found = cls.env.names[name]
            if isinstance(found, Function) and has_decorator(found, {"classmethod"}):
                return Function(found.unit, found.node, found.env, Instance(base))
            return found
    return Const(base.name) if name == "__name__" else Attr(base, name)
