"""What an audit may still spend. Every request is reserved at its worst before it is sent, and settled by its bill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.judges.model_prices import ModelPrices, TokenUsage, find_prices

_BUDGET_HINT = "give it a larger budget or a smaller model"


@dataclass(frozen=True)
class Budget:
    """The most that one audit may use: tokens in and out, and US dollars (none: no limit in money)."""

    tokens: int = 600_000
    usd: float | None = 2.0
    strict: bool = False
    """Was the limit in money asked for? Then a model of unknown price is not asked at all."""


class BudgetTracker:
    """Tracks the budget of one audit, over both rounds and all attempts."""

    def __init__(self, budget: Budget, *, priced: bool = True) -> None:
        """`priced` says whether the table of prices holds where the models run."""
        self._budget = budget
        self._priced = priced
        self._tokens = budget.tokens
        self._usd = budget.usd

    def refusal(self, requests: Sequence[tuple[str, int, int]]) -> str:
        """Why these requests cannot be paid at their worst, and what to do about it; empty when they can.

        Each is a model, the tokens of its prompt and the most tokens of its answer.
        """
        wanted = sum(prompt + output for _, prompt, output in requests)
        if wanted > self._tokens:
            left = f"{max(self._tokens, 0):,} of {self._budget.tokens:,} are left"
            return f"it may take {wanted:,} tokens, and {left}; {_BUDGET_HINT}"
        if self._usd is None or self._budget.usd is None:
            return ""
        usd = 0.0
        for model, prompt, output in requests:
            entry = self.price(model)
            if entry is not None:
                usd += entry.worst_case_usd(prompt, output)
            elif self._budget.strict:
                return (
                    f"the price of {model} is not known, so the budget of {self._budget.usd:.2f} USD cannot be held; "
                    "name a model whose price is known, or hold the audit by its tokens"
                )
        if usd > self._usd:
            left = f"{max(self._usd, 0):.4f} of {self._budget.usd:.2f} are left"
            return f"it may cost {usd:.4f} USD, and {left}; {_BUDGET_HINT}"
        return ""

    def price(self, model: str) -> ModelPrices | None:
        """The prices of a model; None when they are not known."""
        return find_prices(model) if self._priced else None

    def reserve(self, model: str, prompt: int, output: int) -> Reservation:
        """Take the worst of one request out of the budget."""
        entry = self.price(model)
        held = Reservation(prompt + output, entry.worst_case_usd(prompt, output) if entry else 0.0)
        self._take(held.tokens, held.usd)
        return held

    def settle(self, reservation: Reservation, model: str, used: TokenUsage | None) -> None:
        """Put back what a request did not use. When its use is not known, nothing is put back."""
        if used is None:
            return
        entry = self.price(model)
        self._take(
            used.prompt + used.output - reservation.tokens, (entry.usd(used) if entry else 0.0) - reservation.usd
        )

    def _take(self, tokens: int, usd: float) -> None:
        self._tokens -= tokens
        if self._usd is not None:
            self._usd -= usd


@dataclass(frozen=True)
class Reservation:
    """The tokens and US dollars reserved for one request at its worst."""

    tokens: int
    usd: float
