"""Whole pages, as they were read and found good: of a failed change, and of one with abstentions, a waiver and a dissent.

They lie in `tests/golden`; `UPDATE_GOLDEN=1` writes them anew, and the difference is then read line by line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from markdown_it import MarkdownIt

from auditor.domain import AuditReport, CheckOutput, Conclusion, RulingStatus
from auditor.report.annotations import annotate
from auditor.report.check_run_text import check_output
from auditor.report.comment_text import comment
from auditor.report.html_report import html
from auditor.report.job_summary_text import summary
from auditor.report.markdown_report import markdown
from auditor.report.previous_scores import PastVerdict, VerdictHistory
from auditor.report.report_json import from_json, to_json
from auditor.report.rule_page_text import RuleText
from auditor.report.sarif_report import sarif
from auditor.report.workflow_commands import commands
from auditor.rule_pages import rule_pages
from tests.golden import expected
from tests.reports import BEFORE, LINKS, contested, typical

HOSTILE = "@a #1 http://b.c [d](e) ![f](g) <img src=x> </details> `h` ``` | :i: \u202e \x1b[31m ${{ j }} <!-- k --> /l"
FOREIGN = frozenset(
    {"statement", "quote", "path", "argument", "change", "reason", "confidence_reason", "repository", "title", "question", "limit_reason", "does"}
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


MEMORY = VerdictHistory(
    now=PastVerdict(
        rubric="pull-request",
        digest="5e" * 8,
        bench="embedded",
        head=BEFORE,
        conclusion=Conclusion.FAILED,
        overall=3.4,
        scores={"focus": 5.0, "tests": 3.1, "security": 4.0, "error_handling": RulingStatus.INCONCLUSIVE},
    )
)


def checked(output: CheckOutput) -> str:
    """A check run's output on one page, with lines between its parts that none of them holds."""
    notes = [
        f"{each.level.value} {each.path}:{each.start_line}-{each.end_line} {each.title}\n{each.message}\n"
        for each in output.annotations
    ]
    return "\n=====\n".join((output.title, output.summary, output.text, *notes))


RULES = {
    "code.shell_execution": RuleText(
        id="code.shell_execution",
        question="Is a command passed to a shell?",
        counts="A command built at run time.",
        advice="Pass a list of arguments.",
        asked_of="Python",
        page=rule_pages()["code.shell_execution"],
    )
}
NOTICES = ["The head changes .github/auditor.yml; the configuration of the base is in force until the merge."]
PAGES: dict[str, Callable[[AuditReport, VerdictHistory | None], str]] = {
    "comment.md": lambda report, memory: comment(report, LINKS, memory, NOTICES),
    "check.md": lambda report, memory: checked(check_output(report, LINKS, memory, NOTICES)),
    "summary.md": lambda report, memory: summary(report, LINKS, memory, NOTICES),
    "commands.txt": lambda report, _: "\n".join(commands(annotate(report).shown)) + "\n",
    "page.html": lambda report, memory: html(report, LINKS, memory, NOTICES),
    "log.sarif": lambda report, _: sarif(report, LINKS, RULES),
}


@pytest.mark.parametrize("page", PAGES)
def test_what_is_published_of_a_failed_change_is_as_it_was_read(page: str) -> None:
    text = PAGES[page](typical(), MEMORY)
    assert text == expected(f"failed-{page}", text)
    assert text == PAGES[page](typical(), MEMORY)


@pytest.mark.parametrize("page", PAGES)
def test_what_is_published_of_a_contested_change_is_as_it_was_read(page: str) -> None:
    text = PAGES[page](contested(), None)
    assert text == expected(f"contested-{page}", text)
