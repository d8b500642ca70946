"""Calls that text is followed through: rows of `text_methods.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class TextMethods(Frozen):
    """Methods and calls by what they do to a text."""

    layout_calls: NameRows
    layout_methods: NameRows
    path_calls: NameRows
    quoting_joins: NameRows
    shared_result_methods: NameRows
    template_methods: NameRows
    unchanging_methods: NameRows
    wrapper_calls: NameRows


text_methods = python_reader("text_methods", TextMethods)
