"""Verdicts for people and machines. All escaping and redaction lives here."""

from auditor.report.markdown import markdown
from auditor.report.priorities import Priority, priorities
from auditor.report.record import from_json, schema, to_json
from auditor.report.redaction import redact, redact_coverage, redact_evidence

__all__ = [
    "Priority",
    "from_json",
    "markdown",
    "priorities",
    "redact",
    "redact_coverage",
    "redact_evidence",
    "schema",
    "to_json",
]
