"""Values of closed models built from plain data that is known to fit: of tables that ship, which tests check.

To build what checks a model takes longer than to read its table. Only shapes are made here, as the annotations ask: a list becomes a
tuple or a set, keys and values a model. Nothing is checked, and no validator is run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

from pydantic import BaseModel

_Build = Callable[[Any], Any]


@cache
def builder_of(annotation: Hashable) -> _Build:
    """What makes the value of an annotation of plain data."""
    kind, inner = get_origin(annotation), get_args(annotation)
    if kind is Annotated:
        return builder_of(inner[0])
    if kind in (Union, UnionType):
        return _union_builder(inner)
    if kind in (tuple, frozenset):
        return _fixed_builder(inner) if kind is tuple and inner[-1] is not ... else _list_builder(kind, inner[0])
    if kind in (dict, Mapping):
        return _mapping_builder(inner[1])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _model_builder(annotation)
    is_made = isinstance(annotation, type) and issubclass(annotation, (Enum, float))
    return cast("_Build", annotation) if is_made else _same


def _same(value: Any) -> Any:
    return value


def _list_builder(kind: Any, item: Any) -> _Build:
    build = builder_of(item)
    if build is _same:
        return lambda values: kind(values or ())
    return lambda values: kind(map(build, values or ()))


def _fixed_builder(items: tuple[Any, ...]) -> _Build:
    builders = [builder_of(each) for each in items]
    return lambda values: tuple(build(value) for build, value in zip(builders, values, strict=True))


def _mapping_builder(item: Any) -> _Build:
    build = builder_of(item)
    return lambda values: {key: build(value) for key, value in values.items()}


def _union_builder(members: tuple[Any, ...]) -> _Build:
    """By the shape of a value: of several members, at most one is made of keys, and at most one of a list."""
    builders = [(member, builder_of(member)) for member in members if member is not NoneType]
    if len(builders) == 1:
        only = builders[0][1]
        return lambda value: None if value is None else only(value)
    of_keys = next((build for member, build in builders if _is_of_keys(member)), _same)
    of_list = next((build for member, build in builders if get_origin(member) in (tuple, frozenset)), _same)

    def build(value: Any) -> Any:
        if isinstance(value, dict):
            return of_keys(value)
        return of_list(value) if isinstance(value, list) else value

    return build


def _is_of_keys(member: Any) -> bool:
    return get_origin(member) in (dict, Mapping) or (isinstance(member, type) and issubclass(member, BaseModel))


def _model_builder(model: type[BaseModel]) -> _Build:
    fields = {
        each.alias or name: (name, builder_of(cast("Hashable", each.annotation)))
        for name, each in model.model_fields.items()
    }

    def build(data: Mapping[str, Any]) -> BaseModel:
        values = {fields[key][0]: fields[key][1](value) for key, value in data.items()}
        return model.model_construct(set(values), **values)

    return build
