"""Small rubrics, evidence and opinions to judge by hand."""

from __future__ import annotations

from typing import Any

from auditor.domain import (
    Citation,
    CodeLocation,
    Criterion,
    Evidence,
    Expect,
    Expectation,
    Opinion,
    Outcome,
    Persona,
    Rubric,
    SecondLook,
    Severity,
)
from auditor.rubric_loader import built_in

PERSONAS: tuple[Persona, ...] = built_in("pull-request").personas
LEVELS = {1: "bad", 3: "fair", 5: "good"}


def expectation(probe: str = "code.x", expect: str = "not_found", **more: Any) -> Expectation:
    """One expectation."""
    return Expectation(probe=probe, expect=Expect(expect), **more)


def criterion(*expectations: Expectation, name: str = "c", **more: Any) -> Criterion:
    """One criterion; by default it wants `code.x` not to be found."""
    return Criterion(
        id=name,
        title=name.title(),
        question="Is it good?",
        evidence=expectations or (expectation(),),
        levels=LEVELS,
        **more,
    )


def rubric(*criteria: Criterion, **more: Any) -> Rubric:
    """A rubric with the three personas of the built-in one."""
    return Rubric(
        id="small", title="Small", about="For tests.", personas=PERSONAS, criteria=criteria or (criterion(),), **more
    )


def evidence(
    probe: str = "code.x",
    number: int = 1,
    outcome: str = "found",
    *,
    confidence: float = 1.0,
    agrees: bool = False,
    **more: Any,
) -> Evidence:
    """One piece of evidence; what is found stands at a.py:1."""
    places = (CodeLocation(path="a.py", start=1, end=1, quote="x = 1"),) if outcome == "found" else ()
    return Evidence(
        id=f"{probe}#{number}",
        probe=probe,
        outcome=Outcome(outcome),
        statement=more.pop("statement", "X was seen."),
        locations=more.pop("locations", places),
        confidence=confidence,
        confidence_reason="" if confidence == 1.0 else "not sure",
        second_look=SecondLook.AGREES if agrees else None,
        **more,
    )


def opinions(
    prosecutor: int | None = None,
    defense: int | None = None,
    tech_lead: int | None = None,
    *,
    on: str = "c",
    cites: str = "code.x#1",
    quote: str = "X was seen",
) -> list[Opinion]:
    """Opinions with those scores; None leaves a judge out."""
    scores = {"prosecutor": prosecutor, "defense": defense, "tech_lead": tech_lead}
    return [
        Opinion(
            judge=judge,
            criterion=on,
            score=score,
            argument=f"Opening of {judge}. Point of {judge}. Rest.",
            citations=(Citation(evidence=cites, quote=quote),),
        )
        for judge, score in scores.items()
        if score is not None
    ]


SEVERE = Severity.CRITICAL
