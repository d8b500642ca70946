"""Every rule has a page, and what the page shows is what the rule does."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import Outcome
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.rule_texts import rule_texts, rules_markdown
from auditor.report.rule_page_text import RULES_PAGE, rule_anchor
from auditor.rule_pages import RulePage, rule_pages
from tests.auditing import asked
from tests.repos import Drawing

ROOT = Path(__file__).parent.parent
WITH_EXAMPLES = [each for each in rule_pages().values() if each.example is not None]
HEADER = """# Rules

What each rule checks, why it matters, what to do about a finding, and what the rule is known to miss. `auditor explain RULE` prints the
same. This page is generated: `python -m auditor explain --all --markdown`, below these lines.

"""


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert sorted(rule_pages()) == sorted(discover_probes())


def outcomes(page: RulePage, code: str, folder: Path) -> set[Outcome]:
    """What the rule says of a repository with one file of this content."""
    assert page.example is not None
    drawing = Drawing(folder)
    drawing.commit({page.example.file: code})
    return {each.outcome for each in asked(drawing.path, None, page.id).evidence}


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.id)
def test_the_bad_example_breaks_the_rule_and_the_good_one_does_not(page: RulePage, tmp_path: Path) -> None:
    assert page.example is not None
    wanted = rule_texts()[page.id]
    bad, good = (
        outcomes(page, code, tmp_path / name) for name, code in (("bad", page.example.bad), ("good", page.example.good))
    )
    assert Outcome.FOUND in bad, wanted.title
    assert Outcome.FOUND not in good, wanted.title


def test_the_page_of_all_rules_is_current() -> None:
    written = (ROOT / RULES_PAGE).read_text(encoding="utf-8")
    fresh = HEADER + rules_markdown() + "\n"
    assert written == fresh, "run: python -m tests.test_rule_pages"


def test_links_to_a_rule_lead_to_its_heading() -> None:
    headings = [line.removeprefix("## ") for line in rules_markdown().splitlines() if line.startswith("## ")]
    assert {rule_anchor(each) for each in headings} == {rule_anchor(each) for each in discover_probes()}


if __name__ == "__main__":
    (ROOT / RULES_PAGE).write_text(HEADER + rules_markdown() + "\n", encoding="utf-8")
