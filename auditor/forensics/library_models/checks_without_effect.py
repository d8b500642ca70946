"""Security checks, what they answer and how they refuse: rows of `checks_without_effect.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows, PatternRows


class ChecksWithoutEffect(Frozen):
    """Checks by how they answer, and words by which checks, guards and refusals are recognised."""

    answer_names: PatternRows
    answering_calls: NameRows
    answering_methods: NameRows
    broad_exceptions: NameRows
    check_names: PatternRows
    comparisons: NameRows
    dependencies: NameRows
    dummy_values: PatternRows
    expected_values: PatternRows
    guard_names: PatternRows
    logging_calls: PatternRows
    optional_checks: PatternRows
    refusal_classes: PatternRows
    refusals: NameRows
    route_methods: NameRows
    suppressions: NameRows
    text_methods: NameRows


checks_without_effect = python_reader("checks_without_effect", ChecksWithoutEffect)
