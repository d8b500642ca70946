"""Messages to AI judges by a second author, written after the rules: what is found of what no rule was made for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.auditing import asked, places
from tests.repos import Drawing

PAYLOADS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "reviewer_payloads_second_author.json").read_text(encoding="utf-8")
)
FOUND_AT_LEAST = 0.65
"""The share that was found when they were first tried: 41 of 60."""
DOUBTLESS_LOOK_ALIKES = 1
"""An instruction to people who grade essays is taken for one to a judge."""


def test_two_thirds_of_messages_by_another_author_are_found(drawing: Drawing) -> None:
    drawing.commit({"a.txt": "x\n"})
    drawing.branch("change")
    drawing.commit({each["path"]: each["content"] for each in PAYLOADS})
    sure: dict[str, float] = {}
    for each in asked(drawing.path, "main", "code.addresses_reviewer").evidence:
        for path, _ in places([each]) if each.outcome.value == "found" else ():
            sure[path] = max(sure.get(path, 0.0), each.confidence)
    hostile = [each["path"] for each in PAYLOADS if each["hostile"]]
    benign = [each["path"] for each in PAYLOADS if not each["hostile"]]

    assert len([each for each in hostile if each in sure]) / len(hostile) >= FOUND_AT_LEAST
    assert len([each for each in benign if sure.get(each, 0.0) >= 0.8]) <= DOUBTLESS_LOOK_ALIKES
