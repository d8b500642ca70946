"""Every rule has a page, and what the page shows is what the rule does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.domain import Outcome
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.rule_texts import rule_texts, rules_markdown
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.probe_kit.fact_outcomes import code_excerpt
from auditor.forensics.source_text.file_roles import language
from auditor.forensics.source_text.programming_languages import language_title
from auditor.report.rule_page_text import RULES_PAGE, RuleText, rule_anchor, rule_markdown
from auditor.rule_pages import FindingText, RulePage, rule_accuracy, rule_pages, strip_quoted_code
from tests.accuracy.measuring import Figures
from tests.auditing import asked
from tests.repos import Drawing
from tests.rule_accuracy import to_yaml
from tests.statements import statements

ROOT = Path(__file__).parent.parent
WITH_EXAMPLES = [each for each in rule_pages().values() if each.example is not None]
HEADER = """# Rules

What each rule checks, why it matters, what to do about a finding, when it is fine, and what the rule is known to miss. `auditor explain RULE`
prints the same. This page is generated: `python -m auditor explain --all --markdown`, below these lines.

Precision is the share of reported cases that are right, recall the share of faulty cases that are reported. They are measured on the labelled cases
in `tests/accuracy/independent_cases`. Their authors had not read the rules, but the rules were corrected on most of these cases since, so they are no test set
that the rules have never seen. What the rules answered before they were corrected, the best estimate for code that they have not seen, is in
[a table of all sets](../../tests/accuracy/independent_cases/README.md#first-contact). To keep the tests fast, most cases that a rule answers correctly were
removed, and none that it answers wrongly. This makes the figures lower than those on all cases; [the page on the cases](../../tests/accuracy/README.md) has both.

"""
PARSED = ["Python", *(language_title(each) for each in covered_languages())]
"""The languages whose code is parsed, as `Reads` names them."""


def rules_page() -> str:
    """The page of all rules, with a table of the languages in which they are checked."""
    return f"{HEADER}{language_tables()}\n\n{rules_markdown()}\n"


def language_tables() -> str:
    """Rules that read code by language, and the other rules by what they look at."""
    by_code, others = [], dict[str, list[str]]()
    for rule in rule_texts().values():
        link = f"[`{rule.id}`](#{rule_anchor(rule.id)})"
        asked = rule.asked_of.split(", ")
        if set(asked) <= set(PARSED):
            by_code.append(f"| {link} | {' | '.join('yes' if each in asked else '' for each in PARSED)} |")
        else:
            others.setdefault(rule.asked_of, []).append(link)
    head = f"| Rule | {' | '.join(PARSED)} |\n|:--|{':-:|' * len(PARSED)}"
    rest = [f"- {about}: {', '.join(links)}" for about, links in others.items()]
    return "\n".join(
        [
            "## Rules by language",
            "",
            "An empty cell means that the rule is not checked in that language.",
            "",
            head,
            *by_code,
            "",
            "The other rules do not look at single places in code. Where one of them needs the definitions of a language, its section",
            "or [Languages and limits](languages-and-limits.md) says for which languages it has them.",
            "What they look at:",
            "",
            *rest,
        ]
    )


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
    assert written == rules_page(), "run: python -m tests.test_rule_pages"


def test_the_table_of_languages_says_the_same_as_the_page_of_each_rule() -> None:
    rows = [each for each in language_tables().splitlines() if each.startswith("| [")]
    assert len(rows) == sum(rule.asked_of.startswith("Python") for rule in rule_texts().values())
    (row,) = [each for each in rows if "`code.broad_except`" in each]
    checked = [name for name, cell in zip(PARSED, row.split("|")[2:-1], strict=True) if cell.strip() == "yes"]
    assert ", ".join(checked) == rule_texts()["code.broad_except"].asked_of


def test_no_advice_is_for_a_language_in_which_the_rule_is_not_checked() -> None:
    for page in rule_pages().values():
        asked = rule_texts()[page.id].asked_of.split(", ")
        named = {language(f"file{each.lstrip('*')}") for variant in page.variants for each in variant.files}
        titles = {language_title(each) for each in named if each in covered_languages()}
        assert not set(asked) <= set(PARSED) or titles <= set(asked), page.id


def test_every_rule_says_what_can_go_wrong_and_when_a_finding_is_fine() -> None:
    for page in rule_pages().values():
        assert re.fullmatch(r"[A-Z`].{20,108}\.", page.harm), page.id
        assert re.fullmatch(r"[a-z].{15,128}[^.]", page.fine_if), page.id


def test_every_variant_is_for_a_finding_that_its_rule_can_report_and_says_something_of_its_own() -> None:
    said = " ".join(each.text for each in statements())
    told = " ".join(strip_quoted_code(each.text) for each in statements())
    for page in rule_pages().values():
        for variant in page.variants:
            assert [words for words in variant.about if words not in (said if "`" in words else told)] == [], page.id
            assert variant.advice or variant.harm, page.id
            assert re.fullmatch(r"[A-Z`].{20,108}\.", variant.harm or page.harm), page.id
            assert re.fullmatch(r"[a-z].{15,128}[^.]", variant.fine_if or page.fine_if), page.id


def test_quoted_code_never_chooses_the_advice() -> None:
    for page in rule_pages().values():
        words = [each for variant in page.variants for each in variant.about]
        quoted = code_excerpt("; ".join(words))
        for plain in (each for each in words if "`" not in each):
            seen = page.text(f"The check is weaker now: `{code_excerpt(plain)}`", "a.txt")
            assert seen == page.text("The check is weaker now: `x`", "a.txt"), (page.id, plain)
        assert page.text(f"The check is weaker now: `{quoted}`", "a.txt") == page.text(
            "The check is weaker now", "a.txt"
        )


def test_a_finding_gets_the_advice_of_its_kind_and_language_and_else_that_of_the_rule() -> None:
    page = rule_pages()["code.dynamic_code"]
    assert "checksum" in page.text("Downloaded script is run without checking its content", "ci.yml").advice
    assert "JSON.parse" in page.text("Code injection risk: `eval` runs text", "web/a.ts").advice
    assert page.text("Code injection risk: `eval` runs text", "a.zig") == FindingText(page.harm, "", page.fine_if)


def test_advice_for_go_never_speaks_of_exceptions() -> None:
    for page in rule_pages().values():
        assert "xception" not in page.text("Error is silently dropped", "main.go").advice


def test_every_measured_rule_exists_and_its_page_shows_the_figures() -> None:
    text = rules_markdown()
    for measured in rule_accuracy().values():
        assert measured.id in discover_probes(), "run: python -m tests.rule_accuracy"
        section = text.partition(f"## {measured.id}\n")[2].partition("\n## ")[0]
        (line,) = [each for each in section.splitlines() if each.startswith("**Accuracy.** ")]
        for share in (measured.precision, measured.recall):
            assert share is None or f" {share:.2f} " in line
        assert f"{measured.positives} with a finding and {measured.negatives} without." in line


def test_a_waiver_for_findings_on_commits_names_no_path_because_none_would_fit() -> None:
    texts = rule_texts()
    assert {each for each, rule in texts.items() if not rule.in_files} == {
        each for each in texts if each.startswith("history.")
    }
    section = rules_markdown(["history.messages"])
    assert 'waivers:\n  - {criterion: focus, reason: "Why it is fine here."}' in section
    assert "path:" not in section


def test_a_rule_without_labelled_cases_says_that_it_was_not_measured() -> None:
    rule = RuleText(id="a.b", question="Is it?", counts="", advice="Fix it.", asked_of="Python")
    assert "**Accuracy.** Not measured" in rule_markdown(rule, ())


def test_figures_are_rounded_and_left_out_where_there_are_none() -> None:
    rows = to_yaml([Figures("code.weak_hash", 2, 1, 2 / 3, None), Figures("no.such_rule", 1, 0, 1.0, 1.0)])
    assert rows.splitlines()[-1] == "  - {id: code.weak_hash, positives: 2, negatives: 1, precision: 0.67}"


def test_links_to_a_rule_lead_to_its_heading() -> None:
    headings = [line.removeprefix("## ") for line in rules_markdown().splitlines() if line.startswith("## ")]
    assert {rule_anchor(each) for each in headings} == {rule_anchor(each) for each in discover_probes()}


if __name__ == "__main__":
    (ROOT / RULES_PAGE).write_text(rules_page(), encoding="utf-8")
