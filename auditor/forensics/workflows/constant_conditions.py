"""Whether a condition of a workflow has the same truth in every run for a change."""

from __future__ import annotations

import re
from collections.abc import Mapping

from auditor.forensics.workflows.expression_evaluator import possible_values
from auditor.forensics.workflows.workflow_expression_values import MAX_TEXT_LENGTH, PartialContext, Value, truth_value
from auditor.lazy_regex import lazy_compile

_SINGLE_EXPRESSION = lazy_compile(r"\s*\$\{\{((?:(?!\}\}).)*)\}\}\s*", re.DOTALL)


def constant_truth(
    written: str, known_values: Mapping[str, str] | None = None, *, condition: bool = False
) -> bool | None:
    """Whether the value of a key is always true, always false, or neither.

    `condition` says that it is an `if:`, which is an expression without the braces too. `known_values` are values of context by
    lower-case name, such as `github.event_name`; the rest of their context is unknown.
    """
    text = written.strip()
    if not text or len(text) > MAX_TEXT_LENGTH:
        return None
    wrapped = _SINGLE_EXPRESSION.fullmatch(text)
    if wrapped is None and (not condition or "${{" in text):
        return {"true": True, "false": False}.get(text.lower())
    expression = wrapped[1] if wrapped else text
    truths = {
        truth_value(each) for each in possible_values(f"${{{{{expression}}}}}", _build_context(known_values or {}))
    }
    return truths.pop() if len(truths) == 1 else None


def _build_context(known_values: Mapping[str, str]) -> dict[str, Value]:
    context: dict[str, Value] = {}
    for name, each in known_values.items():
        first, _, rest = name.partition(".")
        inside = context.setdefault(first, PartialContext())
        assert isinstance(inside, PartialContext)
        inside[rest] = each
    return context
