"""The commands for many audits: run them into a store, and show what the store holds."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from auditor.cli.audit_output import print_drawn, warn
from auditor.cli.exit_codes import EXIT_CODES, FAILED, INCONCLUSIVE, INTERRUPTED, MISTAKE, PASSED, exit_code_help
from auditor.cli.fleet_progress import FleetProgress, summary_lines
from auditor.cli.input_file import read_file
from auditor.cli.platform_support import require_unix
from auditor.user_error import UserError

if TYPE_CHECKING:
    from auditor.fleet.fleet_run import FleetRun
    from auditor.fleet.run_budget import RunBudget
    from auditor.fleet.store import LastRun, Store
    from auditor.fleet.unit_executor import ExecutorFactory
    from auditor.fleet.unit_preparation import Preparation, UnitPolicy

_MAX_WORKERS = 256
_MAX_TARGET_BYTES = 5_000_000
"""Of standard input: more than is read of any list."""
_GIGABYTE_KB = 1 << 20
_RUN_EPILOGUE = exit_code_help(
    "every unit has a record, whatever its verdict",
    "a unit failed, or a target could not be read",
    EXIT_CODES[MISTAKE],
    EXIT_CODES[3],
    "units are left: run the command again",
)


@click.group()
def fleet() -> None:
    """Audit many changes, and look at the results.

    Records are kept in a store, which is a folder. Running the same command again audits only what has no record yet.
    """


def _parse_shard(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[int, int]:
    """`i/n` as two numbers."""
    number, _, count = (value or "1/1").partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count) <= 10_000):
        raise click.BadParameter(f"{value!r} is not of the form I/N, such as 2/8.")
    return int(number), int(count)


_STORE = click.option(
    "--store", type=click.Path(path_type=Path), metavar="DIR", required=True, help="Folder of the records."
)


@fleet.command(epilog=_RUN_EPILOGUE, short_help="Audit many changes into a store.")
@click.argument("targets", metavar="TARGETS")
@_STORE
@click.option(
    "--workers",
    type=click.IntRange(1, _MAX_WORKERS),
    metavar="N",
    help="Audits at a time. Default: one per processor.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Run the audits on the Dask cluster of this scheduler. Beyond this machine it must be tls://.",
)
@click.option("--dashboard", is_flag=True, help="Serve the Dask dashboard on this machine.")
@click.option(
    "--shard",
    callback=_parse_shard,
    metavar="I/N",
    help="Audit only part I of N, for a matrix of jobs. Every unit is in exactly one part.",
)
@click.option(
    "--judges",
    type=click.Choice(["embedded", "claude"]),
    default="embedded",
    show_default=True,
    help="Who judges: embedded (scoring policies, no model) or claude (a model, needs --budget).",
)
@click.option("--model", metavar="NAME", help="Model that judges. Default: claude-sonnet-5-5.")
@click.option(
    "--key-env", metavar="NAME", help="Environment variable that holds the API key. Default: ANTHROPIC_API_KEY."
)
@click.option("--base-url", metavar="URL", help="Another address of the model API: https, or http on this machine.")
@click.option(
    "--max-usd",
    type=click.FloatRange(0, 1_000, min_open=True),
    metavar="N",
    help="Budget of one audit in US dollars. Default: 2.00.",
)
@click.option(
    "--budget",
    type=click.FloatRange(0, 1_000_000, min_open=True),
    metavar="USD",
    help="Budget of the whole run. What an audit may cost is reserved before it starts.",
)
@click.option("--token-env", metavar="NAME", help="Environment variable that holds a token for https repositories.")
@click.option(
    "--timeout",
    type=click.FloatRange(1, 86_400),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="Timeout of one git command.",
)
@click.option(
    "--unit-seconds",
    type=click.FloatRange(1, 86_400),
    default=900,
    show_default=True,
    metavar="SECONDS",
    help="Timeout of one audit.",
)
@click.option(
    "--unit-memory",
    type=click.FloatRange(0.5, 1_024),
    default=8,
    show_default=True,
    metavar="GB",
    help="Limit on the address space of each process of an audit.",
)
@click.option(
    "--fetches",
    type=click.IntRange(1, 32),
    default=2,
    show_default=True,
    metavar="N",
    help="Fetches from one host at a time.",
)
@click.option(
    "--mirror-size",
    type=click.FloatRange(0.01, 100_000),
    default=20,
    show_default=True,
    metavar="GB",
    help="Size of all mirrors together. Before and after a run, those used longest ago are removed.",
)
@click.option("--retry-failed", is_flag=True, help="Audit units again that are recorded as failed.")
@click.option("--quiet", "-q", is_flag=True, help="Print only errors.")
def run(targets: str, store: Path, *, quiet: bool, mirror_size: float, **options: Any) -> int:
    """Audit everything in TARGETS: a YAML file, or a list of URLs and paths, one per line; - reads standard input.

    Each audit is a process with limits. It is done when its record is in the store; running the command again takes up
    what is left. Ctrl-C lets the audits that run finish; pressed again, it ends them.

    \b
    Examples:
      auditor fleet run targets.yaml --store audits
      auditor fleet run targets.yaml --store audits --shard 2/8
      auditor fleet run targets.yaml --store audits --judges claude --budget 50
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    require_unix()
    gc.enable()  # other commands live for seconds and switch it off; what each unit leaves would fill this one's memory
    from auditor.fleet import store_lock
    from auditor.fleet.store import Store
    from auditor.fleet.targets import parse_targets

    text, origin, folder = _read_targets(targets)
    wanted = parse_targets(text, origin, folder)
    units, budget = _unit_policy(options)
    opened = Store.open(store, create=True)
    try:
        with store_lock.hold(opened.path):
            opened.sweep()
            _limit_mirrors(opened, mirror_size)
            preparation = _preparation(opened, wanted, units, options)
            ended = _run(opened, preparation, budget, _executor(opened, options), quiet=quiet)
            _limit_mirrors(opened, mirror_size)
            opened.sweep()
    except OSError as error:
        raise UserError(
            f"the store {store} cannot be written ({error.strerror}): free some space or give another."
        ) from error
    if not quiet:
        for line in summary_lines(ended, preparation.counts.notices, preparation.counts.listed_twice):
            warn(line)
    return _exit_code(ended)


@fleet.command(short_help="Show what a store holds.")
@_STORE
def status(store: Path) -> int:
    """Show how many units are done, what failed and why, and how many changes passed in each repository.

    Every record is compared with its digest; records that were edited by hand are listed and not counted.

    \b
    Example:
      auditor fleet status --store audits
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    require_unix()
    from auditor.cli.fleet_progress import draw_status
    from auditor.fleet.fleet_status import read_status
    from auditor.fleet.store import Store

    found = read_status(Store.open(store))
    print_drawn(lambda console: draw_status(found, console))
    return PASSED


def _read_targets(targets: str) -> tuple[str, str, Path]:
    """The text of the targets, what to call it in errors, and the folder that its paths are relative to."""
    if targets == "-":
        content, origin, folder = sys.stdin.buffer.read(_MAX_TARGET_BYTES), "standard input", Path.cwd()
    else:
        file = Path(targets)
        content, origin, folder = read_file(file, "a file of targets, or - for standard input"), targets, file.parent
    try:
        return content.decode("utf-8-sig"), origin, folder.resolve()
    except UnicodeDecodeError as error:
        raise UserError(f"{origin} is not text in UTF-8: give a file of targets.") from error


def _unit_policy(options: dict[str, Any]) -> tuple[UnitPolicy, RunBudget]:
    from auditor.fleet.run_budget import RunBudget
    from auditor.fleet.unit_preparation import UnitPolicy
    from auditor.fleet.unit_process import UnitLimits

    bench, arguments, variables, per_unit = _bench(options)
    budget = options["budget"]
    if per_unit and budget is None:
        raise UserError(
            "--judges claude costs money: give --budget, the most that the whole run may cost in US dollars."
        )
    if per_unit and per_unit > budget:
        raise UserError(f"--budget {budget:g} does not pay one audit: give at least {per_unit:g}, or lower --max-usd.")
    policy = UnitPolicy(
        bench=bench,
        arguments=arguments,
        variables=variables,
        limits=UnitLimits(options["unit_seconds"], int(options["unit_memory"] * _GIGABYTE_KB)),
        shard=options["shard"],
        retry_failed=options["retry_failed"],
    )
    return policy, RunBudget(budget or 0.0, per_unit)


def _bench(options: dict[str, Any]) -> tuple[str, tuple[str, ...], tuple[str, ...], float]:
    """What the key says of the bench, its options for an audit, the variables it needs, and what an audit may cost."""
    if options["judges"] == "embedded":
        given = [name for name in ("model", "base_url", "key_env", "max_usd", "budget") if options[name] is not None]
        if given:
            raise UserError(f"--{given[0].replace('_', '-')} is for --judges claude: give both, or neither.")
        return "embedded", (), (), 0.0
    from auditor.judges.bench_factory import DEFAULT_MODEL, DEFAULT_USD

    model, key, usd = options["model"] or DEFAULT_MODEL, options["key_env"] or "ANTHROPIC_API_KEY", options["max_usd"]
    if not os.environ.get(key) and options["scheduler"] is None:
        raise UserError(f"the claude bench needs credentials: set {key}, or use --judges embedded.")
    per_unit = usd or DEFAULT_USD
    address = ("--base-url", options["base_url"]) if options["base_url"] else ()
    arguments = ("--judges", "claude", "--model", model, "--key-env", key, "--max-usd", f"{per_unit:g}", *address)
    return f"claude {model} {per_unit:g}", arguments, (key,), per_unit


def _preparation(store: Store, targets: Any, units: UnitPolicy, options: dict[str, Any]) -> Preparation:
    from auditor.fleet.unit_preparation import FetchPolicy, Preparation

    name = options["token_env"]
    if name is not None and not os.environ.get(name):
        raise UserError(f"--token-env names {name}, which is not set: export it, or leave the option out.")
    token = os.environ[name].strip() if name is not None else None
    if token is not None and not (token.isascii() and token.isprintable() and len(token) < 1_000):
        raise UserError(f"{name} holds no token: it has blanks, control characters or too many characters.")
    return Preparation(store, targets, units, FetchPolicy(token, options["timeout"], options["fetches"]))


def _executor(store: Store, options: dict[str, Any]) -> ExecutorFactory:
    """Makes what runs the units, when the first is ready. Raises UserError before, for what cannot run at all."""
    from importlib.util import find_spec

    from auditor.fleet import unit_executor
    from auditor.fleet.unit_executor import DaskExecutor, LocalExecutor

    workers, scheduler = options["workers"], options["scheduler"]
    has_dask = find_spec("distributed") is not None
    if scheduler is not None:
        if workers is not None:
            raise UserError("--workers and --scheduler exclude each other: a cluster has its own workers.")
        unit_executor.require_safe_address(scheduler)
    if not has_dask and (scheduler is not None or workers != 1):
        raise UserError(unit_executor.INSTALL_HINT)
    if scheduler is not None:
        return lambda: DaskExecutor.connect(scheduler, store.path.resolve())
    if not has_dask:
        return LocalExecutor
    count = workers or os.cpu_count() or 1
    return lambda: DaskExecutor.local(count, dashboard=options["dashboard"])


def _run(
    store: Store, preparation: Preparation, budget: RunBudget, make_executor: ExecutorFactory, *, quiet: bool
) -> LastRun:
    from auditor.fleet.fleet_run import FleetRun

    with FleetProgress(quiet=quiet) as progress:
        run_of_fleet = FleetRun(store, preparation, make_executor, budget, progress.update, progress.failed)
        with _interruptible(run_of_fleet, progress):
            return run_of_fleet.run()


@contextmanager
def _interruptible(run_of_fleet: FleetRun, progress: FleetProgress) -> Iterator[None]:
    """Ctrl-C starts no other unit, a second one ends those that run, as does SIGTERM."""
    pressed: list[int] = []

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        pressed.append(1)
        if len(pressed) == 1:
            run_of_fleet.stop_soon()
            progress.say("Finishing the audits that run. Press Ctrl-C again to end them.")
        else:
            run_of_fleet.stop_now()

    def terminate(_number: int, _frame: FrameType | None) -> None:
        run_of_fleet.stop_now()

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _limit_mirrors(store: Store, gigabytes: float) -> None:
    from auditor.repo.mirror import remove_least_recently_used

    remove_least_recently_used(store.mirrors, int(gigabytes * 1e9))


def _exit_code(ended: LastRun) -> int:
    from auditor.fleet.fleet_run import INTERRUPTED as STOPPED_BY_HAND

    if ended.stopped == STOPPED_BY_HAND:
        return INTERRUPTED
    if ended.left or ended.stopped or any(each.passing for each in ended.problems):
        return INCONCLUSIVE
    return FAILED if ended.failed or ended.problems else PASSED
