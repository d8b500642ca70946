"""How sure a finding about untrusted input is, and why no surer, in any language."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.code_facts.input_flows import Grade


class Certainty(NamedTuple):
    """A confidence from 0 to 1, and the reason why it is no higher."""

    confidence: float = 1.0
    reason: str = ""


CERTAIN = Certainty()
UNKNOWN_TYPE = Certainty(0.9, "the type of the object is not known")
UNKNOWN_CHECK = Certainty(0.5, "a function that was not analysed may check it")
_BY_GRADE = {
    Grade.REQUEST: CERTAIN,
    Grade.DOWNLOAD: Certainty(0.9, "who controls the server is not known"),
    Grade.FILE: Certainty(0.6, "who wrote the file is not known"),
    Grade.LOCAL: Certainty(0.5, "the input is from the user who starts the program, who may be trusted"),
    Grade.ENVIRONMENT: Certainty(0.9, "who receives it is not known"),
}
_SENT_BY_METHOD_CONFIDENCE = 0.7
"""Of the environment sent by a method of an object whose type is not known."""


def certainty_of(grade: Grade, *, is_method: bool) -> Certainty:
    """How sure a finding is by who may send its input; `is_method` where a method of an unknown object is called."""
    known = _BY_GRADE[grade]
    return known._replace(confidence=_SENT_BY_METHOD_CONFIDENCE) if grade is Grade.ENVIRONMENT and is_method else known
