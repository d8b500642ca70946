"""What probes ask, told to whoever writes a rubric or doubts an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from auditor import rubric_loader as rubrics
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.languages.language_registry import covered_languages, has_rule_for
from auditor.forensics.probe_kit.probe_decorators import Probe, SiteProbe, TextProbe
from auditor.user_error import UserError, did_you_mean

_WIDTH = 100
_LANGUAGE_NAMES = {
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "go": "Go",
    "java": "Java",
    "rust": "Rust",
    "ruby": "Ruby",
    "shell": "shell",
}


def list_probes() -> str:
    """Every probe and its question, a line each."""
    known = discover_probes()
    width = max(map(len, known))
    return "\n".join(f"{each.id:<{width}}  {each.question}" for each in known.values())


def describe_probes(ids: Sequence[str]) -> str:
    """Of each of them: its question, what counts, what it is asked of, what to do, and which criteria look at it.

    Raises UserError for a probe that does not exist.
    """
    return "\n\n".join("\n".join(_describe(_find_probe(each))) for each in ids)


def _find_probe(probe_id: str) -> Probe:
    probes = discover_probes()
    if probe_id not in probes:
        raise UserError(f"there is no probe {probe_id!r}: {did_you_mean(probe_id, probes, rubrics.PROBES_HINT)}")
    return probes[probe_id]


def _describe(probe: Probe) -> Iterator[str]:
    yield probe.id
    yield _indent(probe.question)
    if probe.terms:
        yield _indent(probe.terms)
    yield _indent(f"Asked of: {_examined_by(probe)}.")
    yield _indent(f"To do: {probe.advice}")
    for name in rubrics.names():
        for criterion in rubrics.built_in(name).criteria:
            for each in criterion.evidence:
                if each.probe == probe.id:
                    yield _indent(
                        f"In {name}, {criterion.id}: {each.expect.value.replace('_', ' ')} is expected, {each.severity.value} if it is not so."
                    )


def _examined_by(probe: Probe) -> str:
    if isinstance(probe, TextProbe):
        return "every text file"
    if not isinstance(probe, SiteProbe):
        return _examined_by_whole(set(getattr(probe.ask, "__annotations__", {}).values()))
    others = [_LANGUAGE_NAMES[each] for each in covered_languages() if has_rule_for(each, probe.id)]
    return ", ".join(["Python", *others])


def _examined_by_whole(inputs: set[object]) -> str:
    """What a probe of the whole subject looks at, by what it asks for."""
    if "Reports" in inputs:
        return "the reports of a submission, beside its code"
    if "AgentSystem" in inputs:
        return "product code in Python and of LangGraph.js, followed as one program"
    if "Change" in inputs:  # and not `Change | None`
        return "a change as a whole; not of a tree without a base"
    return "the change or the tree as a whole"


def _indent(text: str) -> str:
    return click.wrap_text(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")
