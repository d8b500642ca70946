"""The closed sets of words that rows of sources and sinks use."""

from __future__ import annotations

from enum import StrEnum


class SourceKind(StrEnum):
    """What the names of a source are."""

    PARAMETER = "parameter"
    CLASS = "class"
    ROUTE = "route"
    FUNCTION = "function"
    ANNOTATION = "annotation"
    METHOD = "method"
    CALL = "call"
    VALUE = "value"
    ACTION = "action"
    ENTRY = "entry"
    DIRECTIVE = "directive"


class SinkPart(StrEnum):
    """What of the arguments does harm."""

    WHOLE = "whole"
    PROGRAM = "program"
    COMMAND = "command"
    QUERY = "query"
    WORDS = "words"
    ADDRESS = "address"
    ANY = "any"
    PATH = "path"
    KEYS = "keys"
    OPTIONS = "options"
