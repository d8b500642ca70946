"""The tables that are derived from the records of a store: their columns, types and meaning."""

from __future__ import annotations

from dataclasses import dataclass

TABLES_VERSION = 1
"""Of tables with other columns: they are derived again."""
UNKNOWN_MONTH = "unknown"


@dataclass(frozen=True)
class Column:
    """A column, its DuckDB type and what it says."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class Table:
    """A table, what one row is, and its columns."""

    name: str
    row: str
    columns: tuple[Column, ...]


_SHARED = (
    Column("key", "VARCHAR", "key of the unit; the record is `records/<aa>/<key>.json`"),
    Column("month", "VARCHAR", "month in which the audit ran, as `2026-11`, or `unknown`"),
    Column("repository", "VARCHAR", "repository of the unit"),
)

TABLES = (
    Table(
        "audits",
        "one record",
        (
            *_SHARED,
            Column("base", "VARCHAR", "commit that the change is to be merged into; null for a whole tree"),
            Column("head", "VARCHAR", "audited commit"),
            Column("pull_request", "BIGINT", "its number, or null"),
            Column("scope", "VARCHAR", "`introduced` or `whole_tree`"),
            Column("conclusion", "VARCHAR", "`passed`, `failed`, `inconclusive` or `nothing_to_judge`"),
            Column("overall", "DOUBLE", "overall score, or null"),
            Column("unmet", "VARCHAR", "demands of the gate that are not met, such as `overall, criteria.security`"),
            Column("rubric", "VARCHAR", "id of the rubric"),
            Column("rubric_digest", "VARCHAR", "SHA-256 of the rubric"),
            Column("bench", "VARCHAR", "who judged; `embedded` means no model"),
            Column("version", "VARCHAR", "version of Automaton Auditor"),
            Column("files", "BIGINT", "files in scope"),
            Column("files_incomplete", "BIGINT", "files that were not analysed in full"),
            Column("started_at", "TIMESTAMP", "start of the audit, UTC"),
            Column("seconds", "DOUBLE", "wall time of the audit"),
            Column("usd", "DOUBLE", "cost of the judges; null when a price is not known"),
        ),
    ),
    Table(
        "rulings",
        "one criterion of a record",
        (
            *_SHARED,
            Column("criterion", "VARCHAR", "id of the criterion"),
            Column("title", "VARCHAR", "its title"),
            Column("status", "VARCHAR", "`judged`, `inconclusive`, `not_applicable` or `waived`"),
            Column("score", "DOUBLE", "final score, or null"),
            Column("decision_rule", "VARCHAR", "decision rule that applied"),
            Column("spread", "BIGINT", "highest less lowest score of the judges, or null"),
            Column("lowered_by", "VARCHAR", "rules and objections whose cap lowered the score"),
        ),
    ),
    Table(
        "facts",
        "one piece of evidence of a record",
        (
            *_SHARED,
            Column("id", "VARCHAR", "id of the evidence in the record"),
            Column("rule", "VARCHAR", "rule that was checked"),
            Column("outcome", "VARCHAR", "`found`, `not_found`, `not_applicable` or `unavailable`"),
            Column("unexpected", "BOOLEAN", "does the outcome break what the rubric expects? Tolerances are left out"),
            Column("severity", "VARCHAR", "highest severity that the rubric gives the rule, or null"),
            Column("statement", "VARCHAR", "what was seen"),
            Column("confidence", "DOUBLE", "0 to 1"),
            Column("introduced", "BOOLEAN", "did the change bring it in? Null when that is not known"),
            Column("in_tests", "BOOLEAN", "is it about test code only?"),
            Column("places", "BIGINT", "number of places"),
            Column("path", "VARCHAR", "file of the first place, or null"),
            Column("line", "BIGINT", "its line, or null"),
        ),
    ),
    Table(
        "objections",
        "one objection of a record",
        (
            *_SHARED,
            Column("id", "VARCHAR", "id of the objection in the record"),
            Column("state", "VARCHAR", "`standing`, `contested` or `dismissed`"),
            Column("severity", "VARCHAR", "`low`, `medium`, `high` or `critical`"),
            Column("consequence", "VARCHAR", "kind of consequence"),
            Column("reach", "VARCHAR", "how many uses are affected"),
            Column("claim", "VARCHAR", "the defect in a sentence"),
            Column("path", "VARCHAR", "file"),
            Column("line", "BIGINT", "first line"),
            Column("raised_by", "VARCHAR", "judges that raised it"),
            Column("votes", "BIGINT", "number of votes"),
        ),
    ),
    Table(
        "costs",
        "one request to a model",
        (
            *_SHARED,
            Column("judge", "VARCHAR", "judge that asked"),
            Column("round", "BIGINT", "1 for the hearing, 2 for the re-hearing"),
            Column("model", "VARCHAR", "model that answered, or that was asked"),
            Column("outcome", "VARCHAR", "`ok`, or why there is no usable answer"),
            Column("input_tokens", "BIGINT", "input tokens outside of the cache"),
            Column("cache_write_tokens", "BIGINT", "input tokens written to the cache"),
            Column("cache_read_tokens", "BIGINT", "input tokens read from the cache"),
            Column("output_tokens", "BIGINT", "output tokens, thinking included"),
            Column("usd", "DOUBLE", "cost; null when the price is not known"),
            Column("seconds", "DOUBLE", "time of the request"),
        ),
    ),
)
