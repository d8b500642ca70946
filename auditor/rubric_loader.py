"""Reading rubrics: from what ships with the tool, or from a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
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


def load(text: str | bytes, origin: str) -> Rubric:
    """The rubric that a YAML text describes. Raises UserError listing every mistake with its line."""
    return strict_yaml.parse(Rubric, text, origin)


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


def unknown_probes(rubric: Rubric, known: Collection[str]) -> tuple[str, ...]:
    """A sentence for every probe that the rubric names and nobody wrote."""
    sentences = []
    for criterion in rubric.criteria:
        for each in criterion.evidence:
            if each.probe not in known:
                hint = did_you_mean(each.probe, known, PROBES_HINT)
                sentences.append(
                    f"criterion {criterion.id!r} looks at the probe {each.probe!r}, which does not exist; {hint}"
                )
    return tuple(sentences)


def schema() -> dict[str, Any]:
    """The JSON Schema of a rubric file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Rubric.model_json_schema()}
