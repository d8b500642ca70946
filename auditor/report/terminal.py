"""The verdict for a terminal: the table, then what to fix first. Plain text when it is not a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.domain import AuditReport, Conclusion, Ruling
from auditor.report import judging, story
from auditor.report.escaping import for_terminal
from auditor.report.priorities import Priority, priorities, spoken

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

FIRST = 8
_COLOURS = {Conclusion.PASSED: "green", Conclusion.FAILED: "red", Conclusion.INCONCLUSIVE: "yellow"}
_NARROW = 72
_WIDE = 112


def print_verdict(report: AuditReport, console: Console) -> None:
    """Print headline, criterion table, what to fix first, and how far the audit reached."""
    from rich.padding import Padding
    from rich.text import Text

    colour = _COLOURS[report.verdict.conclusion]
    console.print()
    console.print(Text(f" {story.headline(report)}", style=f"bold {colour}"))
    console.print(Text(f" {for_terminal(story.subject(report))}", style="dim"), soft_wrap=True)
    for reason in story.reasons(report):
        console.print(Text(f" {for_terminal(reason)}", style=colour))
    console.print()
    console.print(Padding(_table(report, console.width), (0, 0, 0, 1)))
    _first(report, console)
    console.print()
    console.print(Text(f" {story.coverage(report)}", style="dim"))
    console.print(Text(f" {for_terminal(judging.judged_by(report))}", style="dim"))


def _table(report: AuditReport, width: int) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="bold", expand=False)
    widest = max(len(criterion.title) for criterion in report.rubric.definition.criteria)
    table.add_column("Criterion", overflow="fold", min_width=min(widest, 38) if width >= _WIDE else None)
    for persona in report.rubric.definition.personas:
        table.add_column(for_terminal(persona.title), justify="center", overflow="fold")
    table.add_column("Final", justify="center", no_wrap=True)
    if width >= _NARROW:
        table.add_column("Rule", overflow="fold", style="dim")
    for row in story.rows(report):
        cells: list[str | Text] = [
            Text(for_terminal(row.criterion.title)),
            *row.scores,
            Text(row.final, style=_style(row.ruling)),
        ]
        table.add_row(*cells, *([row.rule.replace("_", " ")] if width >= _NARROW else []))
    return table


def _style(ruling: Ruling) -> str:
    if ruling.score is None:
        return "yellow" if ruling.status.value == "inconclusive" else "dim"
    return "bold green" if ruling.score >= 4 else "bold yellow" if ruling.score >= 3 else "bold red"


def _first(report: AuditReport, console: Console) -> None:
    from rich.text import Text

    found = priorities(report)
    if not found:
        console.print(Text(" Nothing to fix: every expectation that applies is met.", style="green"))
        return
    console.print(Text(" What to fix first", style="bold"))
    for item in found[:FIRST]:
        console.print()
        _print_item(item, console)
    if len(found) > FIRST:
        console.print()
        console.print(Text(f"   {len(found) - FIRST} more in report.md", style="dim"))


def _print_item(item: Priority, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    place = for_terminal(spoken(item.first)) or item.criterion.title
    line = Text("   ").append(place, style="cyan")
    if item.more:
        line.append(f"  and {item.more:,} more", style="dim")
    line.append(
        f"  {item.standing.expectation.severity.value}",
        style="bold red" if item.standing.expectation.severity.severe else "dim",
    )
    if item.decided_gate:
        line.append("  decided the gate", style="red")
    console.print(line, soft_wrap=True)
    doubt = (
        f" ({item.evidence.confidence:.0%} sure: {item.evidence.confidence_reason})"
        if item.evidence.confidence < 1
        else ""
    )
    console.print(Padding(Text(for_terminal(f"{item.evidence.statement}{doubt}")), (0, 1, 0, 5)))
    if item.advice:
        console.print(Padding(Text(for_terminal(f"Try: {item.advice}"), style="dim"), (0, 1, 0, 5)))
