"""Verdicts for people and machines. All escaping and redaction lives here."""

from auditor.report.annotations import annotate
from auditor.report.check_run import check_output
from auditor.report.comment import comment
from auditor.report.links import Links
from auditor.report.markdown import markdown
from auditor.report.previous import Memory, recall
from auditor.report.priorities import Priority, priorities
from auditor.report.record import from_json, schema, to_json
from auditor.report.redaction import redact, redact_coverage, redact_evidence

__all__ = [
    "Links",
    "Memory",
    "Priority",
    "annotate",
    "check_output",
    "comment",
    "from_json",
    "markdown",
    "priorities",
    "recall",
    "redact",
    "redact_coverage",
    "redact_evidence",
    "schema",
    "to_json",
]
