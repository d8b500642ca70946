"""The record on disk: `report.json`, byte for byte the same for the same audit, and back."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from auditor.domain import SCHEMA_VERSION, AuditReport, UserError
from auditor.report.escaping import visible

MAX_BYTES = 1 << 29
_MAJOR, _MINOR = SCHEMA_VERSION.split(".")
_READABLE_VERSIONS = tuple(f"{_MAJOR}.{minor}" for minor in range(int(_MINOR) + 1))
"""A new minor version only adds, so records of older ones are read."""
_OLDEST_READABLE = _READABLE_VERSIONS[0]


def to_json(report: AuditReport) -> str:
    """The record as JSON text in the order of its fields. Lone surrogates are escaped, so it is always valid UTF-8."""
    try:
        return report.model_dump_json(indent=2) + "\n"
    except PydanticSerializationError:  # the quick way refuses lone surrogates; the slow one writes the same otherwise
        text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False, indent=2)
        return "".join(f"\\u{ord(each):04x}" if "\ud800" <= each <= "\udfff" else each for each in text) + "\n"


def from_json(text: str | bytes, origin: str = "report.json") -> AuditReport:
    """The record again. Raises UserError with one sentence when the text is something else."""
    if len(text) > MAX_BYTES:
        raise UserError(f"{origin} is too large for a record: give the report.json of an audit.")
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{origin} is not JSON: give the report.json that an audit wrote.") from error
    version = plain.get("schema_version") if isinstance(plain, dict) else None
    if not isinstance(version, str):
        raise UserError(f"{origin} is not a record of an audit: give the report.json that an audit wrote.")
    if version not in _READABLE_VERSIONS:
        raise UserError(
            f"{origin} has schema version {version[:20]!r}, but this version reads {_OLDEST_READABLE} to {SCHEMA_VERSION}: use the version of the tool that wrote it."
        )
    try:
        return _require_consistent(AuditReport.model_validate(plain), origin)
    except (ValidationError, RecursionError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else {"loc": ("?",), "msg": "nested too deeply"}
        where = ".".join(str(part) for part in first["loc"][:6])
        raise UserError(visible(f"{origin} is not a record of an audit: {where}: {first['msg'][:200]}.")) from error


def _require_consistent(report: AuditReport, origin: str) -> AuditReport:
    """The record itself, when its rulings are those of its own rubric, each once."""
    expected = [criterion.id for criterion in report.rubric.definition.criteria]
    if [ruling.criterion for ruling in report.verdict.rulings] != expected:
        raise UserError(f"{origin} is not a record of an audit: its rulings do not match the criteria of its rubric.")
    return report


def schema() -> dict[str, Any]:
    """The JSON Schema of a record."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **AuditReport.model_json_schema(mode="serialization"),
    }
