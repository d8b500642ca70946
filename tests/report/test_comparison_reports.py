"""Comparisons of records as a terminal, Markdown, JSON and HTML show them."""

from __future__ import annotations

import base64
import hashlib
import io
import itertools
import json
import re

from rich.console import Console

from auditor.domain import AuditReport, CodeLocation, ObjectionState, Outcome, Severity
from auditor.domain.comparison import RecordSetComparison
from auditor.ledger.record_comparison import compare_records
from auditor.report import comparison_content, comparison_json, comparison_pages
from auditor.report.comparison_terminal import print_comparison
from tests.comparisons import objection, single, with_objections
from tests.golden import expected
from tests.reports import contested, typical
from tests.verdicts import evidence


def printed(comparison: RecordSetComparison) -> str:
    page = io.StringIO()
    print_comparison(comparison, Console(file=page, width=100, color_system=None, highlight=False, markup=False))
    return "\n".join(line.rstrip() for line in page.getvalue().split("\n"))


def versions() -> tuple[AuditReport, AuditReport]:
    """Two versions of a submission that differ in everything that is compared."""
    before = with_objections(typical(), objection(1, "aa"), objection(2, "bb", claim="Rounds twice"))
    after = with_objections(
        contested(),
        objection(1, "aa", ObjectionState.CONTESTED, severity=Severity.HIGH),
        objection(2, "cc", claim="Loses the last parcel", path="parcels/zones.py"),
    )
    return before, after


def folders() -> RecordSetComparison:
    before, after = versions()
    return RecordSetComparison(
        pairs=(
            compare_records(before, after, ("one/report.json", "one/report.json")),
            compare_records(before, before, ("two.json", "zwei.json")),
        ),
        only_before=("three.json",),
        only_after=("four.json", "five.json"),
        not_read=("Left out: notes.json is not a record of an audit.",),
    )


def test_a_pair_reads_well_on_a_terminal() -> None:
    text = printed(single(*versions()))
    assert text == expected("comparison-pair.txt", text)


def test_a_pair_reads_well_in_markdown() -> None:
    text = comparison_pages.markdown(single(*versions()))
    assert text == expected("comparison-pair.md", text)


def test_two_folders_read_well_on_a_terminal() -> None:
    text = printed(folders())
    assert text == expected("comparison-folders.txt", text)


def test_two_folders_show_a_table_the_unpaired_and_every_pair_that_differs_in_markdown() -> None:
    text = comparison_pages.markdown(folders())
    assert "| `one/report.json` | failed → inconclusive | 3.9 → 2.6 | -1.3 | 6 | +10 -7 | +1 -1 ~1 |" in text
    assert "| `two.json → zwei.json` | failed | 3.9 |  | 0 | 0 | 0 |" in text
    assert "- `three.json`" in text
    assert "- `five.json`" in text
    assert "## `one/report.json`" in text
    assert "## `two.json" not in text
    assert text.index("notes.json is not a record") < text.index("| Record |")


def test_records_without_differences_say_so_in_one_line() -> None:
    same = single(typical(), typical())
    line = "No differences: failed in both, overall score 3.9."
    assert line in printed(same)
    assert "Criterion" not in printed(same)
    assert comparison_pages.markdown(same).startswith(f"# {line}")
    assert f"<h1>{line}</h1>" in comparison_pages.html(same)


def test_a_difference_in_findings_alone_is_said_to_leave_the_verdict() -> None:
    fewer = typical().model_copy(update={"evidence": typical().evidence[:-1]})
    assert comparison_content.comparison_content(single(typical(), fewer).pairs[0], 5).headline == (
        "Failed in both with overall score 3.9; findings or objections differ."
    )


def test_other_rubrics_and_tools_are_said_before_anything_else() -> None:
    first = typical()
    other = first.model_copy(
        update={
            "rubric": first.rubric.model_copy(
                update={"definition": first.rubric.definition.model_copy(update={"id": "own"})}
            ),
            "tool": first.tool.model_copy(update={"version": "2.0.0"}),
        }
    )
    comparison = single(first, other)
    sentence = "The rubrics differ, `pull-request` and `own`: what only one of them asks cannot be compared."
    lines = [each.strip() for each in printed(comparison).split("\n") if each.strip()]
    assert lines[0] == f"Note: {sentence}"
    assert lines[1].startswith("Note: The records come from versions 1.0.0 and 2.0.0 of the tool")
    page = comparison_pages.html(comparison)
    assert page.index("The rubrics differ") < page.index("<h1>")
    assert "The rubrics differ" in comparison_pages.markdown(comparison)


def test_the_page_allows_its_own_style_and_nothing_else() -> None:
    page = comparison_pages.html(folders())
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"content=\"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'\"" in page
    assert not re.search(r"<script|<img|<link|style=|https?://", page)


def test_every_pair_of_the_page_is_linked_from_the_table_to_where_a_browser_unfolds_it() -> None:
    page = comparison_pages.html(folders())
    assert (
        re.findall(r'href="#(pair-\d+)"', page)
        == re.findall(r'</summary>\n<div class="body" id="(pair-\d+)">', page)
        == ["pair-1", "pair-2"]
    )


def test_the_page_shows_code_as_code_and_skips_no_level_of_headings() -> None:
    for comparison in (single(*versions()), folders()):
        page = comparison_pages.html(comparison)
        assert "Shell injection risk: <code>subprocess.run(..., shell=True)</code>" in page
        assert "`" not in re.sub(r"<(style|code)\b.*?</\1>", "", page, flags=re.DOTALL)
        levels = [int(each) for each in re.findall(r"<h(\d)>", page)]
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_every_cell_of_the_page_names_its_column_for_narrow_windows() -> None:
    page = comparison_pages.html(folders())
    for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", page):
        assert "<td>" not in row


def test_json_holds_every_place_with_its_fingerprint_and_says_what_differs() -> None:
    places = tuple(CodeLocation(path="a.py", start=n, end=n, quote=f"x{n}", definition="f") for n in range(1, 100))
    before = typical()
    fact = evidence("code.shell_execution", 2, locations=places)
    after = before.model_copy(update={"evidence": (*before.evidence, fact)})
    written = json.loads(comparison_json.to_json(single(before, after)))
    assert list(written) == ["schema_version", "pairs", "only_before", "only_after", "not_read", "different"]
    (pair,) = written["pairs"]
    assert (pair["different"], pair["verdict_different"]) == (True, False)
    (probe,) = [each for each in pair["probes"] if each["different"]]
    assert len(probe["added"]) == 99
    assert all(re.fullmatch(r"v1:[0-9a-f]{32}", each["fingerprint"]) for each in probe["added"])


def test_probes_of_which_only_the_answer_changed_share_a_line() -> None:
    before = typical()
    nothing = [evidence(each, outcome="not_applicable") for each in ("code.shell_execution", "docs.paths_exist")]
    seen = [each.model_copy(update={"outcome": Outcome.NOT_FOUND}) for each in nothing]
    first, second = (before.model_copy(update={"evidence": tuple(each)}) for each in (nothing, seen))
    comparison = single(first, second)
    line = "not applicable → not found"
    assert f"   {line}: code.shell_execution, docs.paths_exist" in printed(comparison)
    assert f"- `code.shell_execution`, `docs.paths_exist`: {line}" in comparison_pages.markdown(comparison)


def test_people_see_the_first_places_and_how_many_more_there_are() -> None:
    places = tuple(CodeLocation(path="a.py", start=n, end=n, quote=f"x{n}", definition="f") for n in range(1, 100))
    before = typical()
    fact = evidence("code.shell_execution", 2, locations=places)
    comparison = single(before, before.model_copy(update={"evidence": (*before.evidence, fact)}))
    assert "and 89 more" in printed(comparison)
    assert "and 59 more" in comparison_pages.markdown(comparison)
    assert "and 59 more" in comparison_pages.html(comparison)
