"""The Markdown report of a record that holds every kind of thing, with hostile words wherever foreign text may stand.

The expected page lies in `tests/golden`; `UPDATE_GOLDEN=1` writes it anew, and the difference is then read line by line.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from auditor.domain import AuditReport
from auditor.report import from_json, markdown, to_json
from tests.reports import contested, typical

GOLDEN = Path(__file__).parent.parent / "golden"
HOSTILE = "@a #1 http://b.c [d](e) ![f](g) <img src=x> </details> `h` ``` | :i: \u202e \x1b[31m ${{ j }} <!-- k --> /l"
FOREIGN = frozenset(
    {"statement", "quote", "path", "argument", "change", "reason", "confidence_reason", "repository", "title", "question", "limit_reason"}
)  # fmt: skip


def soaked(value: Any, key: str = "") -> Any:
    """The same record with hostile words at the end of every text that others write."""
    if isinstance(value, dict):
        return {name: soaked(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [soaked(each, key) for each in value]
    return f"{value} {HOSTILE}" if key in FOREIGN and isinstance(value, str) and value else value


def hostile(report: AuditReport) -> AuditReport:
    """Evidence, opinions, abstentions, coverage, waivers and the rubric's words soaked; ids and numbers as they were.

    Sentences of the verdict are soaked too: whoever edits a record can write them.
    """
    plain = json.loads(to_json(report))
    for ruling in plain["verdict"]["rulings"]:
        ruling["sentence"] += f" {HOSTILE}"
        ruling["dissent"] += f" {HOSTILE}" if ruling["dissent"] else ""
    for reason in plain["verdict"]["gate"]["reasons"]:
        reason["sentence"] += f" {HOSTILE}"
    return from_json(json.dumps(soaked(plain)))


def expected(name: str, text: str) -> str:
    file = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return file.read_text(encoding="utf-8")


def test_the_report_of_a_failed_change_is_as_it_was_read() -> None:
    text = markdown(typical())
    assert text == expected("report-failed.md", text)


def test_the_report_of_a_hostile_record_is_as_it_was_read() -> None:
    text = markdown(hostile(contested()))
    assert text == expected("report-hostile.md", text)


def test_the_hostile_record_holds_abstentions_a_waiver_a_dissent_and_caps() -> None:
    report = contested()
    rulings = report.verdict.rulings
    assert report.abstentions
    assert any(each.dissent for each in rulings)
    assert any(each.status.value == "waived" for each in rulings)
    assert any(each.set_aside for each in rulings)
    assert any(each.caps for each in typical().verdict.rulings)


def test_nothing_of_a_hostile_record_becomes_a_link_an_image_or_html() -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown(hostile(contested())))
    inside = [child for token in tokens for child in token.children or ()]
    assert not {token.type for token in inside} & {"link_open", "image"}
    html = {token.content.strip() for token in [*tokens, *inside] if token.type.startswith("html")}
    assert all(each.startswith(("<details><summary><b>", "</details>")) for each in html)
    assert not any("<img" in each or "<!--" in each for each in html)


def test_no_control_character_reaches_the_page() -> None:
    text = markdown(hostile(contested()))
    assert "\x1b" not in text
    assert "\u202e" not in text
