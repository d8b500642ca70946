"""Models that are asked by a plain request over HTTP, without a library of their own."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_values import Call, Class, Const, Function, Map, Value
from auditor.forensics.agent_systems.library_names import joined_pattern, known_names
from auditor.forensics.agent_systems.value_contents import text_of, walk

_MAX_SENT_VALUES = 400


def is_model_request(call: Call) -> bool:
    """Does a request by HTTP go to a model, by its address or by what it carries?"""
    for part in _sent_values(call):
        if (
            isinstance(part, Const)
            and isinstance(part.value, str)
            and joined_pattern("model_addresses").search(part.value)
        ):
            return True
        asked = isinstance(part, Map) and part.get("model") is not None
        if asked and isinstance(part, Map) and (part.get("messages") is not None or part.get("prompt") is not None):
            return True
    return False


def _sent_values(call: Call) -> Iterator[Value]:
    for value in (*call.args, *(each for _, each in call.named)):
        yield from walk(value, lambda part: not isinstance(part, (Class, Function)), limit=_MAX_SENT_VALUES)


def request_schema(call: Call) -> Value | None:
    """The schema of the answer that a request hands over; asking for any JSON is none."""
    for record in (part for part in _sent_values(call) if isinstance(part, Map)):
        for name in sorted(known_names("request_schema_keys")):
            value = record.get(name)
            if value is None or (name == "tools" and record.get("tool_choice") is None):
                continue
            held = next((part for part in walk(value) if isinstance(part, Class)), None)
            texts = {text_of(part) for part in walk(value) if isinstance(part, Const)}
            if held is not None or texts & {"json_schema", "properties", "input_schema"}:
                return held or value
    return None
