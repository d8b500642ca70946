"""Calls that text is followed through: rows of `text_methods.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class TextMethods(NamedTuple):
    """Methods and calls by what they do to a text."""

    layout_calls: Names
    layout_methods: Names
    path_calls: Names
    shared_result_methods: Names
    template_methods: Names
    unchanging_methods: Names
    wrapper_calls: Names


def text_methods() -> TextMethods:
    """The rows, read once."""
    return read_python("text_methods", TextMethods)
