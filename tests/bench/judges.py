"""What the judges cost on real changes: tokens, money with and without the shared prefix, and the time of three against one.

The model is a stand-in that keeps the published cache rule: a prefix can be read once the answer that wrote it has begun.
Its tokens are bytes divided by four, about what English and code take; prices are those of the table.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditor.domain import AuditReport, Cost, Rubric, Scope
from auditor.judges.claude_bench import ClaudeBench, Options
from auditor.judges.judge_panel import Timeouts
from auditor.judges.model_budget import Budget
from auditor.judges.model_prices import TokenUsage, find_prices
from tests.auditing import audited
from tests.bench.forensics import Figure
from tests.bench.ground import Ground
from tests.judges.cases import ADVICE, SMALL, place
from tests.judges.model_stand_in import Says, Standin, good, judge, tokens
from tests.verdicts import evidence

MODEL = "claude-sonnet-5-5"
_SIZES = (("small", 3), ("medium", 30), ("large", 200))
_SIGN, _REST = 0.4, 1.6
"""Seconds until an answer begins, and until it ends: two in all."""


@dataclass(frozen=True)
class Heard:
    """An audit by the stand-in."""

    report: AuditReport
    model: Standin

    @property
    def prompts(self) -> dict[str, int]:
        """Tokens of each judge's prompt."""
        return {
            judge(body): tokens(body["system"], *(part["text"] for part in body["messages"][0]["content"]))
            for body in self.model.asked[:3]
        }


def measure(repository: Path, _repeat: int) -> Iterator[str]:
    """Lines of the table for a repository."""
    yield f"# {repository.name}, {MODEL}"
    for name, files in _SIZES:
        base, changed = Ground(repository, repository, 0, 0, 0).base_of(files)
        led = _hear(repository, base, lead=True)
        naive = _hear(repository, base, lead=False)
        packing = led.report.hearing.packing
        assert packing is not None, "there is something to judge"
        prompts = ", ".join(f"{who} {size:,}" for who, size in led.prompts.items())
        yield (
            f"     {name}: {changed} files, {packing.shown:,} of {packing.places:,} places shown, evidence {packing.tokens:,} tokens by our estimate"
        )
        yield f"     {name}: input tokens {sum(led.prompts.values()):,} an audit ({prompts}), led {_input_usd(led.report.cost):.4f} USD"
        yield Figure(
            "4", f"cost of input, led against naive, {name}", _ratio(led.report.cost, naive.report.cost), 0.5
        ).line()
    yield from _walls()
    yield _imports().line()


def _hear(repository: Path, base: str, *, lead: bool) -> Heard:
    model = Standin(lambda body: Says(good(body), before=0.05))
    options = Options(model=MODEL, pace=Timeouts(lead=lead), budget=Budget(tokens=10**9, usd=None))
    report = audited(repository, base, bench=ClaudeBench(options, model.connect()), jobs=2)
    return Heard(report, model)


def _input_usd(cost: Cost) -> float:
    """The input's share of the price, first round."""
    entry = find_prices(MODEL)
    assert entry is not None, "its price is in the table"
    return sum(
        entry.usd(TokenUsage(each.input_tokens, each.cache_write_tokens, each.cache_read_tokens))
        for each in cost.attempts
        if each.round == 1
    )


def _ratio(led: Cost, naive: Cost) -> float:
    return _input_usd(led) / _input_usd(naive)


def _walls() -> Iterator[str]:
    seen = (evidence("code.x", locations=tuple(place(f"src/{n}.py", n + 1) for n in range(300))), evidence("code.y"))
    alone = SMALL.model_copy(update={"personas": tuple(each for each in SMALL.personas if each.arbiter)})
    one = _wall(alone, seen)
    yield Figure("4", "wall time, three judges led against one, 2 s an answer", _wall(SMALL, seen) / one, 1.3).line()
    yield Figure("4", "wall time, three judges at once against one", _wall(SMALL, seen, lead=False) / one, 1.3).line()


def _wall(rubric: Rubric, seen: tuple[object, ...], *, lead: bool = True) -> float:
    model = Standin(lambda body: Says(good(body), before=_SIGN, during=_REST))
    bench = ClaudeBench(Options(model=MODEL, pace=Timeouts(lead=lead)), model.connect())
    started = time.perf_counter()
    bench.hear(rubric, seen, Scope.WHOLE_TREE, ADVICE)  # type: ignore[arg-type]
    return time.perf_counter() - started


def _imports() -> Figure:
    """Heavy modules that an audit by the embedded bench loads."""
    script = (
        "import sys; from auditor.judges.bench_factory import BenchSettings, make_bench; make_bench(BenchSettings(), {});"
        "print(sum(name in sys.modules for name in ('anthropic', 'httpx2')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return Figure("4", "modules of the SDK loaded without a model", float(done.stdout), 0.0, unit="")
