"""Asking probes: what each takes, whether its question makes sense here, and within which limits it is answered."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_type_hints

from auditor.domain import Description, Fact, FileChange, History
from auditor.forensics.engine.probe_context import (
    INITIAL_KINDS,
    OUTLINE_KINDS,
    InitialInputs,
    OutlineInputs,
    ProbeInputs,
)
from auditor.forensics.engine.probe_deadline import Overrun, TimeBudget, time_limit
from auditor.forensics.probe_kit.fact_outcomes import not_applicable, unavailable
from auditor.forensics.probe_kit.probe_decorators import Probe, SubjectProbe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.forensics.workflows.workflow_files import WorkflowFiles


@dataclass
class Questions:
    """The questions about a subject as a whole, and what was answered so far."""

    probes: tuple[Probe, ...]
    changes: tuple[FileChange, ...] | None
    description: Description | None
    answers: dict[str, list[Fact]] = field(default_factory=dict)
    clock: TimeBudget = field(default_factory=TimeBudget)

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of all of them."""
        return tuple(each.id for each in self.probes)

    def reads(self) -> tuple[str, ...]:
        """Globs of the texts that are read for them."""
        asked = (each for each in self._open() if not self._missing_input(each))
        return tuple(glob for each in asked for glob in self._reads(each))

    def ask_before_scan(self, known: InitialInputs) -> Iterator[None]:
        """Ask what needs no file to be looked at, a question a step; what others may still be working on is last."""
        early = [each for each in self._open() if input_kinds([each]) <= INITIAL_KINDS]
        for each in sorted(early, key=lambda probe: bool({WorkflowFiles, History} & input_kinds([probe]))):
            self._ask(each, known)
            yield
        known.given(Documents, ())  # the others' texts too, as long as contents can be read

    def ask_before_rescan(self, outlined: OutlineInputs) -> Iterator[None]:
        """Ask what needs no file to be looked at again, a question a step."""
        for each in self._open():
            if input_kinds([each]) <= OUTLINE_KINDS:
                self._ask(each, outlined)
                yield

    def ask_remaining(self, ground: ProbeInputs) -> None:
        """Ask all that was not asked before."""
        for each in self._open():
            self._ask(each, ground)

    def _open(self) -> list[SubjectProbe]:
        return [each for each in self.probes if isinstance(each, SubjectProbe) and each.id not in self.answers]

    def _ask(self, probe: SubjectProbe, ground: InitialInputs | OutlineInputs | ProbeInputs) -> None:
        missing = self._missing_input(probe)
        self.answers[probe.id] = [not_applicable(missing)] if missing else self._answer(probe, ground)

    def _answer(self, probe: SubjectProbe, ground: InitialInputs | OutlineInputs | ProbeInputs) -> list[Fact]:
        """The facts that a probe finds."""
        globs = self._reads(probe)
        given = {
            name: _input_for(probe, _union_members(hint)[0], ground, globs) for name, hint in _parameters(probe).items()
        }
        if not inspect.isgeneratorfunction(probe.ask):
            raise TypeError(f"the probe {probe.id} must yield its facts")
        return collect_facts(probe.ask(**given), self.clock) or [unavailable("The probe gave no answer.")]

    def _reads(self, probe: SubjectProbe) -> tuple[str, ...]:
        """Globs of the documents that a probe reads here."""
        return () if probe.only_changes and self.changes is None else probe.reads

    def _missing_input(self, probe: SubjectProbe) -> str:
        """Why the question makes no sense here: it needs a change or a description, and there is none."""
        needed = {hint for hint in _parameters(probe).values() if not _union_members(hint)[1:]}
        if Change in needed and self.changes is None:
            return "The whole tree is audited, so there is no change to look at."
        if Description in needed and self.description is None:
            return "No description came with the audit."
        return ""


def input_kinds(probes: Iterable[Probe]) -> frozenset[Any]:
    """Every type of input that some of them ask for."""
    taking = (_parameters(each) for each in probes if isinstance(each, SubjectProbe))
    return frozenset(member for hints in taking for hint in hints.values() for member in _union_members(hint))


def collect_facts(facts: Iterator[Fact], clock: TimeBudget) -> list[Fact]:
    """The facts of a probe up to an input that it fails on or takes too long over, which becomes a fact too."""
    seen: list[Fact] = []
    try:
        with clock.running() as left, time_limit(left):
            seen.extend(facts)
    except (RecursionError, MemoryError) as error:
        seen.append(unavailable(f"The rule stopped with an error: {type(error).__name__}."))
    except Overrun:
        clock.overran = True
        seen.append(unavailable("The rule was stopped: it took longer than its time limit."))
    return seen


def _input_for(
    probe: SubjectProbe, kind: Any, ground: InitialInputs | OutlineInputs | ProbeInputs, globs: tuple[str, ...]
) -> object:
    try:
        return ground.given(kind, globs)
    except LookupError as error:
        raise TypeError(f"the probe {probe.id} asks for {kind!r}, which nobody provides") from error


@cache
def _parameters(probe: SubjectProbe) -> dict[str, Any]:
    hints = get_type_hints(probe.ask)
    hints.pop("return", None)
    return hints


def _union_members(hint: Any) -> tuple[Any, ...]:
    """The members of a union, or the type itself."""
    return tuple(getattr(hint, "__args__", ())) or (hint,)
