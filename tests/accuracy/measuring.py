"""Running labelled cases, comparing answers, and the table of precision and recall."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.domain import Description, Evidence, Fact, Outcome
from auditor.forensics.engine.gathering_options import Options
from auditor.rubric_loader import built_in
from tests.accuracy.labelled import Case, Expected
from tests.auditing import gathered
from tests.repos import Drawing

_ORDER = (Outcome.FOUND, Outcome.NOT_FOUND, Outcome.UNAVAILABLE, Outcome.NOT_APPLICABLE)
_TERMS_OF = "agent-swarm"
"""The rubric whose terms are looked for in the reports of a case."""


@dataclass(frozen=True)
class Checked:
    """One answer beside the label."""

    case: str
    probe: str
    expected: Outcome
    got: Outcome
    wrong: str = ""
    """What is wrong with it; empty when it is right."""

    @property
    def hit(self) -> bool:
        """Does the answer agree with the label?"""
        return not self.wrong


def run(case: Case) -> Iterator[Checked]:
    """Draw the case as a git repository, ask the probes through the engine, compare."""
    with tempfile.TemporaryDirectory(prefix="case-") as place:
        drawing = Drawing(Path(place) / "repo")
        tree = case.tree()
        if not case.commits:
            drawing.commit(dict(tree), "Everything")
        drawn: list[str] = []
        for made in case.commits:
            drawing.clock += int(made.hours * 3600) - 3600
            drawn.append(drawing.commit({**tree, **made.files}, made.message))
            tree = {}
        papers = built_in(_TERMS_OF).papers.model_copy(update={"reports": case.reports})
        title, _, body = case.description.partition("\n")
        said = Description(title, body.strip("\n")) if case.description else None
        base = drawn[case.base - 1] if case.base else None
        answers = gathered(drawing.path, base, case.expect, Options(jobs=1, papers=papers, description=said))
    for probe, expected in case.expect.items():
        facts = [_of_the_subject(each) for each in answers.evidence if each.probe == probe]
        yield compare(case.name, probe, expected, facts)


def _of_the_subject(fact: Evidence) -> Evidence:
    """What was there before a change counts against nobody, as in a verdict: of the change it is not found."""
    return fact.model_copy(update={"outcome": Outcome.NOT_FOUND}) if fact.introduced is False else fact


def compare(case: str, probe: str, expected: Expected, facts: Iterable[Fact | Evidence]) -> Checked:
    """The probe's answer against the label: what was found counts first, then what was not."""
    about = [each for each in facts if each.in_tests is expected.in_tests(probe)]
    best = min(about, key=lambda each: (_ORDER.index(each.outcome), -each.confidence), default=None)
    if best is None:
        return Checked(case, probe, expected.outcome, Outcome.UNAVAILABLE, "no answer")
    if best.outcome is not expected.outcome:
        wrong = f"{best.outcome} ({best.confidence:.2f}): {best.statement}"
        return Checked(case, probe, expected.outcome, best.outcome, wrong)
    if best.confidence > expected.at_most:
        return Checked(case, probe, expected.outcome, best.outcome, f"too sure: {best.confidence}")
    answers = [
        each.data.model_dump(by_alias=True) for each in about if each.data is not None and each.outcome is best.outcome
    ]
    said = [*answers, _together(answers)] if len(answers) > 1 else answers
    reasons = [difference(expected.data, answer, "data") for answer in said] if expected.data else [""]
    wrong = "" if "" in reasons else (reasons[0] if reasons else "no data")
    return Checked(case, probe, expected.outcome, best.outcome, wrong)


def _together(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """What several facts of a probe list, as one: they are told apart by what they say of their places."""
    keys = dict.fromkeys(key for answer in answers for key in answer)
    listed = {key: [answer.get(key, ()) for answer in answers] for key in keys}
    return {
        key: [each for several in lists for each in several]
        for key, lists in listed.items()
        if all(isinstance(each, (list, tuple)) for each in lists)
    }


def difference(wanted: Any, got: Any, where: str) -> str:
    """The first place where data lacks what the label names; empty when all of it is there."""
    if isinstance(wanted, dict):
        if not isinstance(got, dict):
            return f"{where} is {got!r}"
        reasons = (difference(value, got.get(key), f"{where}.{key}") for key, value in wanted.items())
        return next((reason for reason in reasons if reason), "")
    if isinstance(wanted, list) and isinstance(got, (list, tuple)):
        if any(isinstance(each, dict) for each in wanted):
            lacking = [each for each in wanted if all(difference(each, other, where) for other in got)]
            return f"{where} lacks {lacking[0]!r}" if lacking else ""
        return "" if sorted(map(str, wanted)) == sorted(map(str, got)) else f"{where} is {list(got)!r}, not {wanted!r}"
    return "" if wanted == got else f"{where} is {got!r}, not {wanted!r}"


@dataclass(frozen=True)
class Figures:
    """How often a probe was right."""

    probe: str
    positives: int
    negatives: int
    precision: float | None
    recall: float | None


def figures(checked: Iterable[Checked]) -> list[Figures]:
    """Precision and recall of each probe; `found` is the positive answer, wrong data is a miss."""
    by_probe: dict[str, list[Checked]] = defaultdict(list)
    for each in checked:
        by_probe[each.probe].append(each)
    return [_figures(probe, by_probe[probe]) for probe in sorted(by_probe)]


def _figures(probe: str, checked: list[Checked]) -> Figures:
    positives = [each for each in checked if each.expected is Outcome.FOUND]
    negatives = [each for each in checked if each.expected is not Outcome.FOUND]
    right = sum(each.hit for each in positives)
    accused = sum(each.got is Outcome.FOUND for each in negatives)
    misread = sum(not each.hit and each.got is Outcome.FOUND for each in positives)
    said = right + accused + misread
    return Figures(
        probe,
        len(positives),
        len(negatives),
        right / said if said else None,
        right / len(positives) if positives else None,
    )
