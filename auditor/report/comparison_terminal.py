"""A comparison of records for a terminal. Plain text when it is not a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.domain.comparison import RecordComparison, RecordSetComparison
from auditor.report import comparison_content
from auditor.report.comparison_content import ADDED, CHANGED, REMOVED, ComparisonContent, FindingGroup, ProbeSection
from auditor.report.comparison_sentences import set_headline
from auditor.report.escaping import clip, for_terminal

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table

MAX_PLACES = 10
_MAX_QUOTE = 100
_SIGNS = {ADDED: "+", REMOVED: "-", CHANGED: "~"}


def print_comparison(comparison: RecordSetComparison, console: Console) -> None:
    """Print what differs in a pair, or a table over all pairs and which records have no partner."""
    console.print()
    if comparison_content.is_single_pair(comparison):
        _print_pair(comparison.pairs[0], console)
        return
    console.print(_indented(set_headline(comparison), style="bold"))
    for note in (*comparison_content.left_out_sentences(comparison), *comparison_content.set_notes(comparison)):
        console.print(_indented(f"Note: {note}", style="yellow"))
    if comparison.pairs:
        _print_pairs(comparison, console)
    _print_unpaired("Only in the first folder", comparison.only_before, console)
    _print_unpaired("Only in the second folder", comparison.only_after, console)
    if any(each.different for each in comparison.pairs):
        console.print()
        console.print(_indented("Compare two records to see what differs, or use --format html.", style="dim"))


def _print_pair(pair: RecordComparison, console: Console) -> None:
    content = comparison_content.comparison_content(pair, MAX_PLACES)
    for note in content.notes:
        console.print(_indented(f"Note: {note}", style="yellow"))
    console.print(_indented(content.headline, style="bold"))
    console.print(_indented(f"Before: {content.before}", style="dim"))
    console.print(_indented(f"After:  {content.after}", style="dim"))
    if not pair.different:
        return
    _print_scores(content, console)
    if content.gate:
        _print_heading("Gate", console)
        for sentence in content.gate:
            console.print(_indented(sentence, 3))
    _print_heading(f"Findings: {content.findings}", console)
    for probe in content.probes:
        console.print(_probe_line(probe))
        for group in probe.groups:
            _print_group(group, console)
    if content.objections:
        _print_heading(f"Objections of judges: {content.objections}", console)
    for line in content.objection_lines:
        console.print(_indented(f"{_SIGNS[line.what]} {line.place}", 3, "cyan", f"  {line.severity}, {line.note}"))
        console.print(_indented(line.claim, 5))


def _print_scores(content: ComparisonContent, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    table = _new_table("Criterion", "Before", "After", "Change")
    table.add_column("Decision rule", style="dim", overflow="fold")
    for row in content.scores:
        change = Text(row.difference, style=_tone(row.better))
        table.add_row(Text(for_terminal(row.title)), row.before, row.after, change, Text(for_terminal(row.decided)))
    console.print(Padding(table, (0, 0, 0, 1)))
    if content.unchanged_criteria:
        console.print(_indented(content.unchanged_criteria, style="dim"))
    changed = [row for row in content.scores if row.opinions]
    if changed:
        _print_heading("Scores of judges", console)
        for row in changed:
            console.print(_indented(f"{row.title}: {row.opinions}", 3))


def _probe_line(probe: ProbeSection) -> Padding:
    """A probe and its outcome; of several, the outcome that they share is first."""
    tests = " (in tests)" if probe.in_tests else ""
    if len(probe.probes) == 1:
        return _indented(f"{probe.probes[0]}{tests}", 3, "cyan", f"  {probe.outcome}")
    return _indented(f"{probe.outcome}{tests}:", 3, "cyan", f" {', '.join(probe.probes)}")


def _print_group(group: FindingGroup, console: Console) -> None:
    note = f" ({group.note})" if group.note else ""
    console.print(_indented(f"{_SIGNS[group.what]} {group.statement}{note}", 5))
    for place, quote in group.places:
        console.print(_indented(place, 9, "cyan", f"  {clip(' '.join(quote.split()), _MAX_QUOTE)}"))
    if group.more:
        console.print(_indented(f"and {group.more:,} more", 9, "dim"))


def _print_pairs(comparison: RecordSetComparison, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    table = _new_table("Record", "Conclusion", "Overall", "Change", "Criteria", "Findings", "Objections")
    for row in comparison_content.pair_rows(comparison):
        cells = (row.conclusion, row.overall, Text(row.difference, style=_tone(row.better)), row.criteria)
        table.add_row(Text(for_terminal(row.name)), *cells, row.findings, row.objections)
    console.print(Padding(table, (1, 0, 0, 1)))


def _new_table(first: str, *others: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="bold", expand=False)
    table.add_column(first, overflow="fold")
    for each in others:
        table.add_column(each, justify="center", no_wrap=True)
    return table


def _print_unpaired(title: str, names: Sequence[str], console: Console) -> None:
    if names:
        _print_heading(title, console)
        for name in names:
            console.print(_indented(name, 3))


def _print_heading(text: str, console: Console) -> None:
    console.print()
    console.print(_indented(text, style="bold"))


def _indented(text: str, columns: int = 1, style: str = "", tail: str = "") -> Padding:
    """A sentence in its style and what follows it, on as many lines as it takes."""
    from rich.padding import Padding
    from rich.text import Text

    line = Text(for_terminal(text), style=style)
    if tail:
        line = Text("").append(line).append(for_terminal(tail), style="dim")
    return Padding(line, (0, 0, 0, columns), expand=False)


def _tone(better: bool | None) -> str:
    return "" if better is None else "bold green" if better else "bold red"
