"""What models cost and can do, as far as Anthropic has published it. What is not in the table is unknown, never free.

Prices: https://platform.claude.com/docs/en/about-claude/pricing, as of 2026-11. US dollars per million tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MILLION = 1_000_000


@dataclass(frozen=True)
class TokenUsage:
    """Tokens by kind, as a bill counts them. `input` is what was neither read from the cache nor written to it."""

    input: int = 0
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0
    thinking: int = 0
    """Part of `output`."""

    @property
    def prompt(self) -> int:
        """All tokens that went in."""
        return self.input + self.cache_write + self.cache_read


@dataclass(frozen=True)
class ModelPrices:
    """A model's prices, and from how many tokens on a prompt is cached."""

    input: float
    write: float
    """Writing to the cache for five minutes."""
    read: float
    output: float
    long_prompt_from: int | None = None
    """Prompts above so many tokens cost `long_prompt_factor` as much."""
    long_prompt_factor: float = 1.0
    cached_from: int = 1024
    effort: bool = True
    """Does it take an effort?"""

    def usd(self, tokens: TokenUsage) -> float:
        """What one request cost."""
        factor = (
            self.long_prompt_factor
            if self.long_prompt_from is not None and tokens.prompt > self.long_prompt_from
            else 1.0
        )
        parts = (
            (tokens.input, self.input),
            (tokens.cache_write, self.write),
            (tokens.cache_read, self.read),
            (tokens.output, self.output),
        )
        return factor * sum(count * price for count, price in parts) / _MILLION

    def worst_case_usd(self, prompt: int, output: int) -> float:
        """The most that a request can cost: nothing read from the cache, all of it written, every token answered."""
        return self.usd(TokenUsage(cache_write=prompt, output=output))


MODELS = {
    "claude-haiku-5-5": ModelPrices(0.10, 0.125, 0.01, 0.50, long_prompt_from=100_000, long_prompt_factor=5.0),
    "claude-sonnet-5-5": ModelPrices(2, 2.50, 0.20, 10),
    "claude-opus-5-5": ModelPrices(4, 5, 0.20, 20),
    "claude-opus-5": ModelPrices(5, 6.25, 0.50, 25, cached_from=512),
    "claude-fable-5-1": ModelPrices(10, 12.50, 0.25, 50, cached_from=512),
    "claude-haiku-4-5": ModelPrices(1, 1.25, 0.10, 5, cached_from=4096, effort=False),
}
_DATE_SUFFIX = re.compile(r"-20\d{6}$")


def find_prices(model: str) -> ModelPrices | None:
    """The entry of a model; a date at the end of its name does not matter. None for one that is not in the table."""
    return MODELS.get(_DATE_SUFFIX.sub("", model))


def same_model(asked: str, answered: str) -> bool:
    """May the model that answered be the one that was asked? Names of gateways and platforms cannot be distinguished."""
    one, other = _base_name(asked), _base_name(answered)
    if not one or not other:
        return True
    return one == other


def _base_name(name: str) -> str:
    """`claude-...` without a platform's additions and a date; nothing for other names."""
    found = re.search(r"claude-[a-z0-9-]+", name)
    return _DATE_SUFFIX.sub("", re.sub(r"-v\d+$", "", found.group())) if found else ""
