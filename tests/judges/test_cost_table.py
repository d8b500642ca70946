"""What the documentation says about the cost of judges is what the tables of prices and the budget make of it."""

from __future__ import annotations

import pytest

from auditor.judges.bench_factory import DEFAULT_MODEL, DEFAULT_USD
from tests.documentation import README, page, section
from tests.judges.cost_table import FULL_PROMPT, SMALL_PROMPT, audit_usd, code_tokens, table


def test_the_page_on_the_bench_has_the_costs_as_the_code_computes_them() -> None:
    assert table() in page("claude-bench.md"), "run: python -m tests.judges.cost_table"


def test_the_readme_names_the_cost_of_the_default_model() -> None:
    small, full = audit_usd(DEFAULT_MODEL, SMALL_PROMPT, 1), audit_usd(DEFAULT_MODEL, FULL_PROMPT, 2)
    said = section(README, "What it costs")
    assert f"about {small:.2f} US dollars for a small change and {full:.2f} for the largest prompt" in said


def test_an_audit_is_priced_by_one_prompt_that_is_written_and_others_that_are_read() -> None:
    """10,000 tokens written at 2.50 dollars a million, twice read at 0.20, and 6,000 tokens of answers at 10."""
    assert audit_usd("claude-sonnet-5-5", 10_000, 1) == pytest.approx(0.025 + 0.004 + 0.06)


def test_with_the_default_budget_a_larger_model_is_shown_no_code_as_the_readme_says() -> None:
    assert code_tokens(DEFAULT_MODEL, DEFAULT_USD) > 0
    assert code_tokens("claude-opus-5-5", DEFAULT_USD) == 0
    assert "with `claude-opus-5-5` and 2 dollars, they read no code" in section(README, "What it costs")
