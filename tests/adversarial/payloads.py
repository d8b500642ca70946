"""Messages to AI judges that others wrote, and how sure the probe is of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.auditing import asked, places
from tests.repos import Drawing

Payload = dict[str, Any]


def read_payloads(name: str) -> list[Payload]:
    """The payloads of a file beside this module."""
    payloads: list[Payload] = json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return payloads


def confidence_by_path(drawing: Drawing, payloads: list[Payload]) -> dict[str, float]:
    """How sure the probe is of each file of one change that brings all payloads; files without a finding are not in it."""
    drawing.commit({"a.txt": "x\n"})
    drawing.branch("change")
    drawing.commit({each["path"]: each["content"] for each in payloads})
    found: dict[str, float] = {}
    for each in asked(drawing.path, "main", "code.addresses_reviewer").evidence:
        for path, _ in places([each]) if each.outcome.value == "found" else ():
            found[path] = max(found.get(path, 0.0), each.confidence)
    return found
