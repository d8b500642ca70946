"""A drawn change, audited with a gate that allows no new finding of high severity: how it ended, and what names a place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from auditor.domain import AuditReport, CodeLocation, GatePolicy, Outcome, Severity
from tests.auditing import audited, covered
from tests.repos import Content, Drawing


@dataclass(frozen=True)
class Gated:
    """How the gate's demand for no new finding ended: `passed`, `failed` or `inconclusive`; and the whole record."""

    ended: str
    report: AuditReport

    def finds(self, path: str, *, in_tests: bool = False) -> bool:
        """Does a new finding of a severe question name the file, as product code or as a test?"""
        return any(
            isinstance(place, CodeLocation) and place.path == path
            for each in self.report.evidence
            if each.probe in _SEVERE and each.outcome is Outcome.FOUND
            if each.in_tests is in_tests and each.introduced is not False
            for place in each.locations
        )

    def coverage(self, path: str) -> tuple[str, str]:
        """Status and reason of a file."""
        return covered(self.report)[path]

    def fact(self, probe: str) -> str:
        """The statements of a probe, joined."""
        return " ".join(each.statement for each in self.report.evidence if each.probe == probe)


_SEVERE = frozenset(
    {
        "code.shell_execution",
        "code.dynamic_code",
        "code.unsafe_deserialization",
        "code.tls_verification_off",
        "code.sql_from_strings",
        "workflows.script_injection",
        "workflows.dangerous_trigger",
        "governance.weakened_checks",
    }
)


def gate(drawing: Drawing, base: str = "main") -> Gated:
    """The audit of what is checked out against a base, with `no_new: high` as the only demand."""
    report = audited(drawing.path, base, gate=GatePolicy(no_new=Severity.HIGH))
    (asked,) = [each for each in report.verdict.gate.reasons if each.demand == "no_new"]
    return Gated(asked.conclusion.value, report)


def audit_change(
    drawing: Drawing, base: Mapping[str, Content], head: Mapping[str, Content], links: Mapping[str, str] | None = None
) -> Gated:
    """The audit of one commit upon another; `links` are symbolic links that the change adds, by path and target."""
    drawing.commit({"README.md": "A shop.\n", **base}, "Add the shop")
    drawing.branch("work")
    for path, target in (links or {}).items():
        link(drawing, path, target)
    drawing.commit(head, "Print labels")
    return gate(drawing)


def link(drawing: Drawing, path: str, target: str) -> None:
    """Put a symbolic link into the work tree."""
    place = drawing.path / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)
