"""What probes ask, told to whoever writes a rubric or doubts an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from auditor import rubric_loader as rubrics
from auditor.forensics.engine.probe_discovery import discovered
from auditor.forensics.languages.language_registry import answers, covered
from auditor.forensics.probe_kit.probe_decorators import Probe, SiteProbe, TextProbe
from auditor.user_error import UserError, did_you_mean

_WIDTH = 100
_NAMES = {
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "go": "Go",
    "java": "Java",
    "rust": "Rust",
    "ruby": "Ruby",
    "shell": "shell",
}


def listed() -> str:
    """Every probe and its question, a line each."""
    known = discovered()
    width = max(map(len, known))
    return "\n".join(f"{each.id:<{width}}  {each.question}" for each in known.values())


def described(ids: Sequence[str]) -> str:
    """Of each of them: its question, what counts, what it is asked of, what to do, and which criteria look at it.

    Raises UserError for a probe that does not exist.
    """
    return "\n\n".join("\n".join(_about(_known(each))) for each in ids)


def _known(probe_id: str) -> Probe:
    probes = discovered()
    if probe_id not in probes:
        raise UserError(f"there is no probe {probe_id!r}: {did_you_mean(probe_id, probes, rubrics.ALL_PROBES)}")
    return probes[probe_id]


def _about(probe: Probe) -> Iterator[str]:
    yield probe.id
    yield _indented(probe.question)
    if probe.terms:
        yield _indented(probe.terms)
    yield _indented(f"Asked of: {_asked_of(probe)}.")
    yield _indented(f"To do: {probe.advice}")
    for name in rubrics.names():
        for criterion in rubrics.built_in(name).criteria:
            for each in criterion.evidence:
                if each.probe == probe.id:
                    yield _indented(
                        f"In {name}, {criterion.id}: {each.expect.value.replace('_', ' ')} is expected, {each.severity.value} if it is not so."
                    )


def _asked_of(probe: Probe) -> str:
    if isinstance(probe, TextProbe):
        return "every text file"
    if not isinstance(probe, SiteProbe):
        return _asked_of_all(set(getattr(probe.ask, "__annotations__", {}).values()))
    others = [_NAMES[each] for each in covered() if answers(each, probe.id)]
    return ", ".join(["Python", *others])


def _asked_of_all(inputs: set[object]) -> str:
    """What a probe of the whole subject looks at, by what it asks for."""
    if "Reports" in inputs:
        return "the reports of a submission, beside its code"
    if "AgentSystem" in inputs:
        return "product code in Python and of LangGraph.js, followed as one program"
    if "Change" in inputs:  # and not `Change | None`
        return "a change as a whole; not of a tree without a base"
    return "the change or the tree as a whole"


def _indented(text: str) -> str:
    return click.wrap_text(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")
