"""What a fleet run and its store look like in a terminal: progress, summary and status."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from auditor.cli.audit_output import StatusLine, terminal_text, warn
from auditor.english_counts import pluralize

if TYPE_CHECKING:
    from rich.console import Console

    from auditor.fleet.fleet_run import RunCounts
    from auditor.fleet.fleet_status import FleetStatus, RepositoryStatus
    from auditor.fleet.store import LastRun
    from auditor.fleet.unit_process import Outcome, UnitOrder

_MAX_LISTED = 50


class FleetProgress(StatusLine):
    """One line on stderr with done, failed, rate and time left: on a terminal only. Failures are printed everywhere."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__("Listing units", quiet=quiet)
        self._quiet = quiet
        self._started = time.monotonic()

    def update(self, counts: RunCounts) -> None:
        """Show how far the run has come."""
        if self._status is not None:
            self._status.update(progress_line(counts, time.monotonic() - self._started))

    def failed(self, order: UnitOrder, outcome: Outcome) -> None:
        """Say which unit failed, and why."""
        self.say(f"Failed: {order.unit.name}: {outcome.reason}")

    def say(self, text: str) -> None:
        """Print a line, above the progress if there is one."""
        if not self._quiet:
            warn(text)


def progress_line(counts: RunCounts, seconds: float) -> str:
    """Done, failed, rate and time left."""
    finished = counts.done + counts.failed
    total = counts.units - counts.already_there - counts.failed_before
    more = "+" if counts.listing else ""
    line = f"{finished:,}/{total:,}{more} done, {counts.failed:,} failed, {counts.running} running"
    if counts.usd:
        line += f", ${counts.usd:.2f}"
    if finished and seconds > 0:
        rate = finished / seconds
        line += f", {rate * 60:.1f} per minute, {_duration((total - finished) / rate)} left"
    return line


def _duration(seconds: float) -> str:
    minutes = int(seconds // 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {int(seconds % 60)} s"


def summary_lines(ended: LastRun, notices: Sequence[str], listed_twice: int) -> Iterator[str]:
    """The end of a run in a few lines."""
    yield from notices
    if listed_twice:
        yield f"Listed more than once, audited once: {pluralize(listed_twice, 'unit')}."
    for each in ended.problems[:_MAX_LISTED]:
        yield each.sentence if each.sentence.startswith(each.repository) else f"{each.repository}: {each.sentence}"
    if ended.problem_count > _MAX_LISTED:
        yield f"... and {ended.problem_count - _MAX_LISTED:,} more targets with a problem."
    if ended.stopped:
        yield f"The run stopped early: {ended.stopped}."
    cost = f" It cost ${ended.usd:.2f}." if ended.usd else ""
    yield (
        f"{pluralize(ended.units, 'unit')}: {ended.already_there:,} already in the store, {ended.done:,} done now, "
        f"{ended.failed:,} failed, {ended.left:,} left.{cost}"
    )
    if ended.left or any(each.passing for each in ended.problems):
        yield "Run the same command again to audit what is left."


def draw_status(status: FleetStatus, console: Console) -> None:
    """Draw what a store holds."""
    from rich.table import Table

    console.print(f" {status.done:,} done, {len(status.failures):,} failed")
    if status.repositories:
        table = Table(box=None, pad_edge=True, padding=(0, 2, 0, 0))
        table.add_column("Repository", overflow="fold")
        for name in ("Units", "Passed", "Blocked", "Inconclusive", "Failed"):
            table.add_column(name, justify="right")
        for each in status.repositories:
            table.add_row(*_row(each))
        console.print()
        console.print(table)
    for line in _status_lines(status):
        console.print(f" {terminal_text(line)}", soft_wrap=True)


def _row(status: RepositoryStatus) -> tuple[str, ...]:
    found = status.conclusions
    passed = found["passed"] + found["nothing_to_judge"]
    numbers = (found.total() + status.failed, passed, found["failed"], found["inconclusive"], status.failed)
    return (terminal_text(status.repository), *(f"{each:,}" for each in numbers))


def _status_lines(status: FleetStatus) -> Iterator[str]:
    for each in status.failures[:_MAX_LISTED]:
        yield f"Failed: {each.unit.name}: {each.reason}"
    if len(status.failures) > _MAX_LISTED:
        yield f"... and {len(status.failures) - _MAX_LISTED:,} more failures."
    for key in status.edited[:_MAX_LISTED]:
        yield f"Not counted: records/{key[:2]}/{key}.json is not what an audit wrote. Delete it to audit the unit again."
    if len(status.edited) > _MAX_LISTED:
        yield f"... and {len(status.edited) - _MAX_LISTED:,} more such records."
    if status.other_versions:
        yield f"{status.other_versions:,} of the records are of another version of the tool: a new run audits those units again."
    if status.last_run is not None:
        yield _last_run_line(status.last_run)


def _last_run_line(last: LastRun) -> str:
    if not last.ended_at:
        return f"Last run: began {last.started_at}, still running or ended before its end."
    stopped = f" It stopped early: {last.stopped}." if last.stopped else ""
    problems = f", {last.problem_count:,} targets with a problem" if last.problem_count else ""
    return (
        f"Last run: {last.started_at} to {last.ended_at}, {last.done:,} done, {last.failed:,} failed, {last.left:,} left"
        f"{problems}.{stopped}"
    )
