"""The verdict for a terminal: the table, then what to fix first. Plain text when it is not a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.domain import AuditReport, Conclusion, Ruling
from auditor.report import bench_description, objection_summary, report_model, sensitive_summary, verdict_sentences
from auditor.report.escaping import for_terminal
from auditor.report.fix_priorities import DECIDED, Priority, priorities
from auditor.report.place_words import describe_place, further_places, place_with_side, whole_subject

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table

MAX_FIRST = 8
_COLOURS = {
    Conclusion.PASSED: "green",
    Conclusion.FAILED: "red",
    Conclusion.INCONCLUSIVE: "yellow",
    Conclusion.NOTHING_TO_JUDGE: "cyan",
}
_MIN_TITLE_WIDTH = 30
"""Columns that titles of criteria need to stay readable; longer ones go on in a second line, between words."""


def print_verdict(report: AuditReport, console: Console) -> None:
    """Print headline, criterion table, what to fix first, and how far the audit reached."""
    from rich.padding import Padding
    from rich.text import Text

    colour = _COLOURS[report.verdict.conclusion]
    console.print()
    console.print(_sentence(verdict_sentences.verdict(report), f"bold {colour}"))
    console.print(Text(f" {for_terminal(report_model.subject(report))}", style="dim"), soft_wrap=True)
    for reason in verdict_sentences.other_reasons(report):
        console.print(_sentence(reason, colour))
    found = priorities(report)
    if lead := verdict_sentences.lead(report, found):
        seen = verdict_sentences.with_note(found[0].evidence.statement, "")
        console.print(_sentence(f"{lead} {seen} {_all_places(found[0], report)}.", "bold"))
    console.print()
    layout = _choose_layout(report, console.width)
    console.print(Padding(_table(report, layout), (0, 0, 0, 1)))
    if idle := report_model.inapplicable_sentence(report_model.rows(report)):
        console.print(Padding(Text(for_terminal(idle), style="dim"), (0, 1, 1, 1)))
    if layout.legend:
        console.print(_sentence(layout.legend, "dim"))
        console.print()
    _print_objections(report, console)
    _print_first(found, report, console)
    console.print()
    _print_sensitive(report, console)
    for waived in verdict_sentences.waiver_sentences(report):
        console.print(_sentence(waived, "dim"))
    console.print(_sentence(report_model.coverage(report), "dim"))
    console.print(_sentence(bench_description.judged_by(report), "dim"))


def _sentence(text: str, style: str) -> Padding:
    """A sentence between the margins, on as many lines as it takes."""
    from rich.padding import Padding
    from rich.text import Text

    return Padding(Text(for_terminal(text), style=style), (0, 0, 0, _MARGIN), expand=False)


@dataclass(frozen=True)
class _Layout:
    """What of the criterion table fits: the personas' names or initials, and the rules or not."""

    personas: tuple[str, ...]
    rules: bool
    legend: str = ""


def _choose_layout(report: AuditReport, width: int) -> _Layout:
    """The fullest layout that leaves the titles readable."""
    titles = tuple(persona.title for persona in report.rubric.definition.personas)
    initials = tuple("".join(word[0] for word in title.split())[:3] or "?" for title in titles)
    legend = ", ".join(f"{short} {title}" for short, title in zip(initials, titles, strict=True))
    short = _Layout(initials, rules=False, legend=legend)
    widest = max(len(row.criterion.title) for row in report_model.rows(report))
    layouts = (_Layout(titles, rules=True), _Layout(initials, rules=True, legend=legend), short)
    return next((each for each in layouts if _title_width(report, each, width) >= min(widest, _MIN_TITLE_WIDTH)), short)


def _title_width(report: AuditReport, layout: _Layout, width: int) -> int:
    """Columns that are left for the titles."""
    rules = max(len(row.decided) for row in report_model.rows(report)) + _GAP if layout.rules else 0
    scores = sum(max(len(each), _SCORE_WIDTH) + _GAP for each in layout.personas)
    return width - 2 * _MARGIN - scores - (_FINAL_WIDTH + _GAP) - rules


_MARGIN, _GAP, _SCORE_WIDTH, _FINAL_WIDTH = 1, 2, 3, 6


def _table(report: AuditReport, layout: _Layout) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="bold", expand=False)
    table.add_column("Criterion", overflow="fold")
    for name in layout.personas:
        table.add_column(for_terminal(name), justify="center", no_wrap=True)
    table.add_column("Final", justify="center", no_wrap=True)
    if layout.rules:
        table.add_column("Rule", no_wrap=True, style="dim")
    for row in report_model.applicable_rows(report_model.rows(report)):
        cells: list[str | Text] = [
            Text(for_terminal(row.criterion.title)),
            *row.scores,
            Text(row.final, style=_score_style(row.ruling)),
        ]
        table.add_row(*cells, *([row.decided] if layout.rules else []))
    return table


def _score_style(ruling: Ruling) -> str:
    if ruling.score is None:
        return "yellow" if ruling.status.value == "inconclusive" else "dim"
    return "bold green" if ruling.score >= 4 else "bold yellow" if ruling.score >= 3 else "bold red"


def _print_objections(report: AuditReport, console: Console) -> None:
    """Standing objections with place, claim, trigger and consequence; nothing where there is none."""
    from rich.padding import Padding
    from rich.text import Text

    shown = objection_summary.standing(report)
    if not shown:
        return
    console.print(Text(" Defects that judges see in the change", style="bold"))
    for each in shown[: objection_summary.MAX_SHOWN]:
        claim, *course = objection_summary.problem_sentences(each)
        console.print(Padding(Text(for_terminal(claim), style="bold"), (0, 1, 0, 3)))
        line = Text(for_terminal(place_with_side(objection_summary.place(each))), style="cyan")
        line.append(f"  {each.severity} severity", style="bold red" if each.severity.is_severe else "dim")
        for text in (line, *(Text(for_terminal(part)) for part in course)):
            console.print(Padding(text, (0, 1, 0, 5)))
    if rest := objection_summary.rest_sentence(report, min(len(shown), objection_summary.MAX_SHOWN)):
        console.print(Padding(Text(for_terminal(rest), style="dim"), (0, 1, 0, 3)))
    console.print()


def _print_first(found: Sequence[Priority], report: AuditReport, console: Console) -> None:
    from rich.text import Text

    if not found:
        defects = bool(objection_summary.standing(report))
        nothing = "Nothing to fix: every expectation that applies is met."
        said = verdict_sentences.no_fixes(weak=0, defects=True) if defects else nothing
        console.print(Text(f" {said}", style="dim" if defects else "green"))
        return
    console.print(Text(" What to fix first", style="bold"))
    for number, item in enumerate(found[:MAX_FIRST], start=1):
        console.print()
        _print_item(number, item, report, console)
    if len(found) > MAX_FIRST:
        console.print()
        console.print(Text(f"   {len(found) - MAX_FIRST} more in the reports", style="dim"))


def _print_sensitive(report: AuditReport, console: Console) -> None:
    """The sensitive lines of the change, an area in a line; nothing where there are none."""
    lines, most = report.sensitive_lines, sensitive_summary.MAX_AREAS
    rest = sensitive_summary.rest_sentence(lines, most)
    if not lines.areas and not rest:
        return
    if lines.areas:
        console.print(_sentence(f"{sensitive_summary.TITLE}. {sensitive_summary.NOTE}", "dim"))
    for each in lines.areas[:most]:
        places = sensitive_summary.list_places(each, sensitive_summary.MAX_PLACES, place_with_side)
        console.print(_sentence(f"  {each.does} in {places}", "dim"))
    if rest:
        console.print(_sentence(rest, "dim"))
    console.print()


def _print_item(number: int, item: Priority, report: AuditReport, console: Console) -> None:
    """One finding: what is wrong; where, how severe and how sure; why and what to do; the rule."""
    from rich.padding import Padding
    from rich.text import Text

    lead = f"{number}. "
    margin = (0, 1, 0, 3 + len(lead))
    seen = Text(for_terminal(verdict_sentences.with_note(item.evidence.statement, "")), style="bold")
    console.print(Padding(Text(lead).append(seen), (0, 1, 0, 3)))
    line = Text(for_terminal(_all_places(item, report)), style="cyan")
    grave = item.confirmed and item.severity.is_severe
    line.append(f"  {item.weight}", style="bold red" if grave else "dim")
    if item.decided_gate:
        line.append(f"  {DECIDED}", style="red")
    console.print(Padding(line, margin))
    for said in (*verdict_sentences.advice_sentences(item), f"Criterion: {item.criterion.title}. Rule {item.rule}."):
        console.print(Padding(Text(for_terminal(said), style="dim"), margin))


def _all_places(item: Priority, report: AuditReport) -> str:
    """The places of a finding, or the subject as a whole."""
    if item.first is None:
        return whole_subject(report)
    return f"{describe_place(item.first)}{further_places(item.evidence.locations, describe_place)}"
