"""Functions that are given what outsiders send: rows of `request_handlers.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import NameRow, Names, read_python


class HandlerRow(NameRow):
    """Functions, and the parameter that holds what outsiders send."""

    parameter: str


class RequestHandlers(NamedTuple):
    """Functions and decorators."""

    input_functions: Names
    platform_handlers: tuple[HandlerRow, ...]
    route_decorators: Names


def request_handlers() -> RequestHandlers:
    """The rows, read once."""
    return read_python("request_handlers", RequestHandlers)
