"""Whether a condition of a workflow has the same truth in every run for a change."""

from __future__ import annotations

import re
from collections.abc import Mapping

from auditor.forensics.workflows.expression_evaluator import values
from auditor.forensics.workflows.partial_values import MAX_CHARACTERS, Partial, Value, truth
from auditor.lazy_regex import lazy_compile

_WRAPPED = lazy_compile(r"\s*\$\{\{((?:(?!\}\}).)*)\}\}\s*", re.DOTALL)


def constant(written: str, known: Mapping[str, str] | None = None, *, condition: bool = False) -> bool | None:
    """Whether the value of a key is always true, always false, or neither.

    `condition` says that it is an `if:`, which is an expression without the braces too. `known` are values of context by
    lower-case name, such as `github.event_name`; the rest of their context is unknown.
    """
    text = written.strip()
    if not text or len(text) > MAX_CHARACTERS:
        return None
    wrapped = _WRAPPED.fullmatch(text)
    if wrapped is None and (not condition or "${{" in text):
        return {"true": True, "false": False}.get(text.lower())
    expression = wrapped[1] if wrapped else text
    truths = {truth(each) for each in values(f"${{{{{expression}}}}}", _context(known or {}))}
    return truths.pop() if len(truths) == 1 else None


def _context(known: Mapping[str, str]) -> dict[str, Value]:
    context: dict[str, Value] = {}
    for name, each in known.items():
        first, _, rest = name.partition(".")
        inside = context.setdefault(first, Partial())
        assert isinstance(inside, Partial)
        inside[rest] = each
    return context
