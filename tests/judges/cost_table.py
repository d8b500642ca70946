"""`python -m tests.judges.cost_table`: what an audit costs by model, and with which budget judges read code. Computed, not measured.

An audit is three requests, one for each judge. A second round is three more, whose answers hold votes. The first request writes the
prompt to the cache, all others read it from there. The share of a prompt that is a judge's own is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

from auditor.judges.answer_lookup import AnswerCollector, Options
from auditor.judges.claude_bench import ClaudeBench
from auditor.judges.model_budget import Budget
from auditor.judges.model_prices import MODELS, TokenUsage
from auditor.rubric_loader import built_in

HEAD = "| Model | Small change, one round | Full prompt, two rounds | `max-usd` to read code | `max-usd` for a full prompt |\n|:--|--:|--:|--:|--:|"
JUDGES = 3
SMALL_PROMPT, FULL_PROMPT = 10_000, 80_000
ANSWER, VOTES = 2_000, 1_000
"""Tokens of an answer in the first and in the second round."""
_STEP, _CENT = 0.05, 0.01
_MOST_STEPS = 1_000


def audit_usd(model: str, prompt: int, rounds: int) -> float:
    """The price of an audit with a prompt of so many tokens."""
    reads = JUDGES * rounds - 1
    output = JUDGES * (ANSWER + VOTES * (rounds - 1))
    return MODELS[model].usd(TokenUsage(cache_write=prompt)) + MODELS[model].usd(
        TokenUsage(cache_read=prompt * reads, output=output)
    )


def code_tokens(model: str, usd: float) -> int:
    """Tokens of code that judges may be shown with this budget."""
    bench = ClaudeBench(Options(model=model, budget=Budget(usd=usd)), _nobody)
    return bench.exhibit_tokens(built_in("pull-request")) or 0


def prompt_tokens(model: str, usd: float) -> int:
    """Tokens of the largest prompt that this budget pays for."""
    collector = AnswerCollector(Options(model=model, budget=Budget(usd=usd)), _nobody, None, lambda: None)
    return collector.affordable_prompt_tokens([each.id for each in built_in("pull-request").personas], 8_000)


def _nobody() -> NoReturn:
    raise AssertionError("no model is called")


def least_usd(wanted: int, model: str, size: Callable[[str, float], int]) -> float:
    """The smallest budget, in steps of five cents, with which there is room for so many tokens."""
    return next(usd for number in range(1, _MOST_STEPS) if size(model, usd := round(number * _STEP, 2)) >= wanted)


def table() -> str:
    """A row for each model, the cheapest first."""
    ordered = sorted(MODELS, key=lambda each: audit_usd(each, SMALL_PROMPT, 1))
    return "\n".join([HEAD, *map(_row, ordered)])


def _row(model: str) -> str:
    cells = [
        audit_usd(model, SMALL_PROMPT, 1),
        audit_usd(model, FULL_PROMPT, 2),
        least_usd(1, model, code_tokens),
        least_usd(FULL_PROMPT, model, prompt_tokens),
    ]
    return f"| `{model}` | {' | '.join(map(_shown, cells))} |"


def _shown(usd: float) -> str:
    return f"{usd:.2f}" if usd >= _CENT else "below 0.01"


if __name__ == "__main__":
    sys.stdout.write(f"{table()}\n")
