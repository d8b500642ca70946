"""Reading rubrics: from what ships with the tool, or from a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from auditor import packaged_files, strict_yaml
from auditor.domain import Rubric, UserError
from auditor.user_error import did_you_mean

PROBES_HINT = "`auditor explain` lists all."


def names() -> tuple[str, ...]:
    """Names of the built-in rubrics."""
    return tuple(sorted(file.stem for file in packaged_files.rubrics().glob("*.yaml")))


def built_in(name: str, *, or_file: bool = True) -> Rubric:
    """A rubric that ships with the tool. Raises UserError when there is none of that name; `or_file` says a file may be given instead."""
    if name not in names():
        hint = did_you_mean(
            name, names(), f"choose one of {', '.join(names())}{', or give a file' if or_file else ''}."
        )
        raise UserError(f"there is no built-in rubric {name!r}: {hint}")
    return _load_cached(source(name), f"{name}.yaml")


def source(name: str) -> str:
    """The YAML of a built-in rubric, comments included."""
    return (packaged_files.rubrics() / f"{name}.yaml").read_text(encoding="utf-8")


def load(text: str | bytes, origin: str, known_probes: Collection[str] | None = None) -> Rubric:
    """The rubric that a YAML text describes. Raises UserError listing every mistake with its line.

    With `known_probes`, a probe of another name is a mistake as well.
    """
    if known_probes is None:
        return strict_yaml.parse(Rubric, text, origin)
    return strict_yaml.parse(Rubric, text, origin, lambda data: _unknown_probes(data, known_probes))


_load_cached = cache(load)
"""A rubric is frozen: one text is read once, however many audits a process makes by it."""


def digest(rubric: Rubric) -> str:
    """SHA-256 over the definition, whatever comments and layout its file had."""
    return _digest(rubric.model_dump(mode="json"))


def recorded_digest(rubric: Rubric) -> str:
    """The digest of a definition that was read from a record, by the keys it had then: a later version may know more."""
    return _digest(rubric.model_dump(mode="json", exclude_unset=True))


def _digest(definition: dict[str, Any]) -> str:
    canonical = json.dumps(definition, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _unknown_probes(data: object, known: Collection[str]) -> Iterator[tuple[strict_yaml.KeyPath, str]]:
    """Every probe that plain data names and nobody wrote. What has another form is left to the schema."""
    for number, criterion in enumerate(_items(data, "criteria")):
        for place, each in enumerate(_items(criterion, "evidence")):
            name = each.get("probe") if isinstance(each, dict) else None
            if isinstance(name, str) and name not in known:
                hint = did_you_mean(name, known, PROBES_HINT)
                yield ("criteria", number, "evidence", place, "probe"), f"there is no probe {name!r}; {hint}"


def _items(data: object, key: str) -> list[Any]:
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, list) else []


def schema() -> dict[str, Any]:
    """The JSON Schema of a rubric file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Rubric.model_json_schema()}
