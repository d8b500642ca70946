"""Functions that are given what outsiders send: rows of `request_handlers.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRow, NameRows


class HandlerRow(NameRow):
    """Functions, and the parameter that holds what outsiders send."""

    parameter: str


class RequestHandlers(Frozen):
    """Functions and decorators."""

    input_functions: NameRows
    platform_handlers: tuple[HandlerRow, ...]
    route_decorators: NameRows


request_handlers = python_reader("request_handlers", RequestHandlers)
