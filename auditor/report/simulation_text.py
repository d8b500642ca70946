"""What another policy would have decided: for a terminal, as Markdown, as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.domain.english_lists import enumerated
from auditor.domain.simulation import AskedPolicy, Effect, SimulatedAudit, Simulation
from auditor.english_counts import by_count, pluralize
from auditor.report.escaping import for_code_span, for_markdown, for_terminal

if TYPE_CHECKING:
    from rich.console import Console

SURVIVORS = (
    "Merged changes are survivors: changes that review or the old gate stopped are missing or were fixed first. So the "
    "share that this policy blocks among them says what it would have cost, not how many bad changes it stops."
)
_SECTIONS = (
    (Effect.BLOCKED, "Passed, would be blocked"),
    (Effect.INCONCLUSIVE, "Decided, would be inconclusive"),
    (Effect.STILL_BLOCKED, "Inconclusive, would be blocked"),
    (Effect.PASSING, "Did not pass, would pass"),
)
_MAX_LISTED = 50
"""Audits of one section on a page; JSON has all."""
_MAX_DEMANDS = 3
_MAX_LACKS = 20


def to_json(simulation: Simulation) -> str:
    """The simulation whole, with the effect of each record. It is ASCII, so that nothing in it acts on a terminal."""
    plain = simulation.model_dump(mode="json")
    for each, audit in zip(plain["audits"], simulation.audits, strict=True):
        each["effect"] = audit.effect.value
    plain["counts"] = {effect.value: simulation.count(effect) for effect in Effect}
    plain["note"] = SURVIVORS
    return json.dumps(plain, ensure_ascii=True, indent=2) + "\n"


def headline(simulation: Simulation) -> str:
    """The result in one sentence."""
    total = len(simulation.audits)
    counted = [
        f"{simulation.count(Effect.BLOCKED):,} that passed would be blocked",
        f"{simulation.count(Effect.PASSING):,} that did not pass would pass",
    ]
    if simulation.count(Effect.INCONCLUSIVE):
        counted.append(f"{simulation.count(Effect.INCONCLUSIVE):,} would be inconclusive")
    if simulation.count(Effect.STILL_BLOCKED):
        counted.append(f"{simulation.count(Effect.STILL_BLOCKED):,} that were inconclusive would be blocked")
    counted.append(f"{simulation.count(Effect.NONE):,} would end as they did")
    return f"Of {pluralize(total, 'audit')}, {enumerated(counted)}."


def policy_sentence(policy: AskedPolicy) -> str:
    """What was asked."""
    parts = [f"rubric {policy.rubric}"] if policy.rubric else []
    parts += [f"overall score at least {policy.overall:g}"] if policy.overall is not None else []
    parts += [f"{name} at least {score:g}" for name, score in policy.criteria.items()]
    parts += [f"no new finding of {policy.no_new.value} severity or above"] if policy.no_new else []
    return (
        f"Policy: {', '.join(parts)}. Everything else is as in each record."
        if parts
        else "Policy: that of each record."
    )


def notes(simulation: Simulation) -> Iterator[str]:
    """What to know of the figures, in sentences."""
    counterfactual = sum(each.counterfactual for each in simulation.audits)
    if counterfactual:
        yield (
            f"{counterfactual:,} {by_count(counterfactual, *_RECORDS)} counterfactual: a model gave the opinions under the old "
            "rubric, and might have given others under this one."
        )
    others = sum(each.other_version for each in simulation.audits)
    if others:
        yield f"{others:,} {by_count(others, *_RECORDS)} from another version of the tool: part of a difference may come from that."
    if simulation.unanswered:
        yield (
            f"{len(simulation.unanswered):,} {by_count(len(simulation.unanswered), *_RECORDS)} not counted, because what the policy "
            "asks is not in them."
        )
    if simulation.not_read:
        yield f"{len(simulation.not_read):,} {by_count(len(simulation.not_read), *_RECORDS)} left out: edited by hand, or not readable."
    yield SURVIVORS


_RECORDS = ("record is", "records are")


def _lacks(simulation: Simulation) -> list[tuple[str, int]]:
    found = Counter(each for audit in simulation.unanswered for each in audit.lacks)
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))


def _name(audit: SimulatedAudit) -> str:
    commits = f"{audit.base[:10]}..{audit.head[:10]}" if audit.base else audit.head[:10]
    number = f" #{audit.pull_request}" if audit.pull_request is not None else ""
    return f"{audit.repository}{number} {commits}"


def _scores(audit: SimulatedAudit) -> str:
    before, after = ("none" if each is None else f"{each:.1f}" for each in (audit.overall_before, audit.overall_after))
    return before if before == after else f"{before} to {after}"


def _reasons(audit: SimulatedAudit) -> list[str]:
    """Why it would end as it would: the demands not met, or for one that would pass, those that were not met before."""
    demands = audit.unmet or audit.unmet_before
    shown = [each.sentence for each in demands[:_MAX_DEMANDS]]
    return shown + ([f"{len(demands) - _MAX_DEMANDS} more."] if len(demands) > _MAX_DEMANDS else [])


def markdown(simulation: Simulation) -> str:
    """The simulation in GitHub Markdown, for a comment or a job summary."""
    return "\n".join(_markdown_lines(simulation)) + "\n"


def _markdown_lines(simulation: Simulation) -> Iterator[str]:
    yield f"**{for_markdown(headline(simulation))}**"
    yield ""
    yield for_markdown(policy_sentence(simulation.policy))
    if simulation.unmet_demands():
        yield from ("", "| Demand that would not be met | Audits |", "|:--|--:|")
        yield from (
            f"| {for_code_span(name, in_table=True)} | {count:,} |" for name, count in simulation.unmet_demands()
        )
    for effect, title in _SECTIONS:
        found = simulation.with_effect(effect)
        if found:
            yield from ("", f"<details><summary>{title}: {len(found):,}</summary>", "")
            yield from ("| Change | Overall | Why |", "|:--|:--|:--|")
            yield from map(_markdown_row, found[:_MAX_LISTED])
            yield from ("", *_more(len(found)), "</details>")
    if simulation.unanswered:
        yield from ("", "| Missing in records that are not counted | Records |", "|:--|--:|")
        yield from (
            f"| {for_code_span(name, in_table=True)} | {count:,} |" for name, count in _lacks(simulation)[:_MAX_LACKS]
        )
    yield ""
    yield from (f"- {for_markdown(each)}" for each in notes(simulation))


def _markdown_row(audit: SimulatedAudit) -> str:
    was = "They were not met: " if not audit.unmet and audit.unmet_before else ""
    why = was + " ".join(for_markdown(each) for each in _reasons(audit))
    mark = " (counterfactual)" if audit.counterfactual else ""
    return f"| {for_code_span(_name(audit), in_table=True)}{mark} | {_scores(audit)} | {_in_cell(why)} |"


def _in_cell(text: str) -> str:
    """Escaped Markdown in a cell: a bar inside a code span would end the cell."""
    return text.replace("\\|", "|").replace("|", "\\|")


def _more(count: int) -> list[str]:
    return [f"and {count - _MAX_LISTED:,} more", ""] if count > _MAX_LISTED else []


def print_simulation(simulation: Simulation, console: Console) -> None:
    """The simulation on a terminal."""
    from rich.text import Text

    for line, style in _terminal_lines(simulation):
        console.print(Text(f" {for_terminal(line)}", style=style), soft_wrap=True)


def _terminal_lines(simulation: Simulation) -> Iterator[tuple[str, str]]:
    yield headline(simulation), "bold"
    yield policy_sentence(simulation.policy), "dim"
    if simulation.unmet_demands():
        yield "", ""
        yield "Demands that would not be met:", "bold"
        yield from ((f"  {count:>7,}  {name}", "") for name, count in simulation.unmet_demands())
    for effect, title in _SECTIONS:
        found = simulation.with_effect(effect)
        if found:
            yield "", ""
            yield f"{title}: {len(found):,}", "bold"
        for each in found[:_MAX_LISTED]:
            mark = " (counterfactual)" if each.counterfactual else ""
            yield f"  {_name(each)}  {_scores(each)}{mark}", "cyan"
            was = "Was not met: " if not each.unmet and each.unmet_before else ""
            yield from ((f"    {was}{reason}", "") for reason in _reasons(each))
        yield from ((f"  {each}", "dim") for each in _more(len(found)) if each)
    if simulation.unanswered:
        yield "", ""
        yield "Missing in records that are not counted:", "bold"
        yield from ((f"  {count:>7,}  {name}", "") for name, count in _lacks(simulation)[:_MAX_LACKS])
    yield "", ""
    yield from ((f"Note: {each}", "yellow") for each in notes(simulation))
