"""Markdown, record and terminal of real audits and of hostile ones."""

from __future__ import annotations

import io
import json

import jsonschema
import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from auditor.domain import AuditReport, GatePolicy, Severity, UserError
from auditor.report import report_model
from auditor.report.annotations import annotate
from auditor.report.fix_priorities import priorities
from auditor.report.github_links import Links
from auditor.report.html_report import html
from auditor.report.job_summary_text import summary
from auditor.report.markdown_report import markdown
from auditor.report.place_words import describe_place
from auditor.report.report_json import from_json, schema, to_json
from auditor.report.sarif_report import sarif
from auditor.report.terminal_report import print_verdict
from auditor.report.verdict_sentences import other_reasons, verdict
from auditor.synthesis import replay
from tests.auditing import audited
from tests.reports import contested, typical
from tests.repos import Drawing
from tests.verdicts import evidence

SHELL = "import os\n\n\ndef run(command):\n    os.system(command)\n"


@pytest.fixture
def report(drawing: Drawing) -> AuditReport:
    """A change with a few faults."""
    drawing.commit({"a.py": "x = 1\n", "tests/test_a.py": "def test_a():\n    assert 1 + 1 == 2\n"})
    drawing.branch("work")
    drawing.commit({"bad | name @x.py": SHELL, "b.py": SHELL + "# TODO: later\n"})
    return audited(drawing.path, "main")


def shown(report: AuditReport, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None, highlight=False, markup=False, emoji=False)
    print_verdict(report, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_record_is_valid_by_its_own_schema_and_reads_back_the_same(report: AuditReport) -> None:
    text = to_json(report)
    jsonschema.validate(json.loads(text), schema())
    again = from_json(text)
    assert to_json(again) == text
    assert replay(again).same


def test_the_keys_of_the_record_stand_in_their_order(report: AuditReport) -> None:
    plain = json.loads(to_json(report))
    assert list(plain) == [
        "schema_version",
        "tool",
        "subject",
        "rubric",
        "coverage",
        "evidence",
        "exhibits",
        "excerpts",
        "sensitive_lines",
        "opinions",
        "objections",
        "abstentions",
        "hearing",
        "verdict",
        "cost",
        "timings",
    ]
    assert list(plain["verdict"]) == ["conclusion", "overall", "gate", "rulings"]


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"schema_version": "9"}', '{"schema_version": "1.0"}', "[" * 100_000, "\ud800"]
)
def test_other_texts_are_no_record_and_say_so_in_a_sentence(text: str) -> None:
    with pytest.raises(UserError) as error:
        from_json(text)
    assert "\n" not in str(error.value)


def test_a_tampered_record_is_found_out_by_replay(report: AuditReport) -> None:
    plain = json.loads(to_json(report))
    plain["verdict"]["rulings"][3]["score"] = 5.0
    plain["verdict"]["conclusion"] = "passed"
    compared = replay(from_json(json.dumps(plain)))
    assert {each.path for each in compared.differences} == {"verdict.conclusion", "verdict.rulings.security.score"}


def test_every_criterion_appears_in_every_report(report: AuditReport) -> None:
    texts = (markdown(report), shown(report))
    for criterion in report.rubric.definition.criteria:
        for text in texts:
            assert criterion.title.split()[0] in text


def test_the_first_ten_lines_tell_the_verdict_why_and_what_to_mend(report: AuditReport) -> None:
    first = priorities(report)[0]
    for text in (markdown(report), shown(report, 100)):
        head = " ".join("\n".join(text.strip().splitlines()[:10]).split())
        assert "Failed with" in head
        assert describe_place(first.first) in head
        assert first.evidence.statement[1:] in head, "begun small behind a colon"
        assert head.count(first.evidence.statement[1:]) == 1, "and told once"


@pytest.mark.parametrize(
    ("path", "ends"),
    [
        ("a", "severity critical, and 1 more of critical severity."),
        ("a" * 100, "severity critical, and 1 more of critical severity."),
        ("a" * 400, "\u2026"),
    ],
    ids=["short", "long", "what is cut ends with the cut"],
)
def test_a_headline_names_no_probes_and_is_no_sentence_cut_and_stopped_at_once(path: str, ends: str) -> None:
    report = typical()
    sentence = f"A command is run in a shell in {path}.py:1, severity critical, and 1 more of critical severity ({'code.shell_execution, ' * 3}code.x)."
    gate = report.verdict.gate
    reason = next(each for each in gate.reasons if each.demand == "no_new").model_copy(update={"sentence": sentence})
    told = report.verdict.model_copy(update={"gate": gate.model_copy(update={"reasons": (reason,)})})
    assert verdict(report.model_copy(update={"verdict": told})).endswith(ends)


def test_every_report_names_what_is_waived_and_why() -> None:
    report = contested()
    in_part = report.rubric.waivers[0].model_copy(update={"criterion": "security", "path": "demo/**", "until": None})
    record = report.rubric.model_copy(update={"waivers": (*report.rubric.waivers, in_part)})
    report = report.model_copy(update={"rubric": record})
    for text in (markdown(report), shown(report, 140)):
        plain = text.replace("\\", "")
        assert "Waived until 2027-01-31: Documentation accuracy. The manual moves out this month." in plain
        assert "Waived: Security in demo/**. The manual moves out this month." in plain


def test_criteria_that_do_not_apply_take_a_line_together_and_none_in_the_table(report: AuditReport) -> None:
    idle = [row.criterion.title for row in report_model.rows(report) if not row.applies]
    assert idle
    for text in (markdown(report), shown(report, 100)):
        head = " ".join(text[: text.index("What to fix first")].split())
        assert f"Does not apply here: {', '.join(idle)}." in head
        assert "n/a" not in head


def test_what_is_doubtful_comes_as_much_later_as_it_is_unlikely() -> None:
    found = [each.evidence.probe for each in priorities(contested())]
    assert found.index("code.public_api_break") < found.index("tests.changed_with_code"), "high, 75 % sure"
    found = [each.evidence.probe for each in priorities(typical())]
    assert found.index("code.no_timeout") < found.index("code.broad_except"), "medium, 50 % sure"


def test_markdown_tells_verdict_reasons_places_and_how_to_replay(report: AuditReport) -> None:
    text = markdown(report)
    first = text.split("\n", 1)[0]
    assert first.startswith("# Failed with ")
    assert "runs a command built at run time" in first
    assert first.endswith(", severity critical.")
    assert "`b.py:5`" in text
    assert "code.shell\\_execution" in text
    assert "No model was asked" in text
    assert "auditor replay report.json" in text


def test_markdown_of_hostile_names_holds_no_link_image_or_foreign_html(report: AuditReport) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown(report))
    inside = [child for token in tokens for child in token.children or ()]
    assert not {token.type for token in inside} & {"link_open", "image"}
    html = {token.content.strip() for token in [*tokens, *inside] if token.type.startswith("html")}
    assert all(each.startswith(("<details><summary><b>", "</details>")) for each in html)


def test_what_to_fix_first_begins_with_what_decided_the_gate_and_names_each_thing_once(report: AuditReport) -> None:
    found = priorities(report)
    assert found[0].decided_gate
    assert found[0].evidence.probe == "code.shell_execution"
    ids = [each.evidence.id for each in found]
    assert len(ids) == len(set(ids))
    assert all(each.advice for each in found)


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_the_table_is_readable_at_any_width(report: AuditReport, width: int) -> None:
    text = shown(report, width)
    table = text[text.index("Criterion") : text.index("What to fix first")]
    rows = [line.split() for line in table.splitlines()]
    words = {word.strip(",.") for row in rows for word in row}
    for criterion in report.rubric.definition.criteria:
        assert set(criterion.title.split()) <= words, "a title is broken inside a word"
    rules = {row.decided for row in report_model.applicable_rows(report_model.rows(report))}
    assert all(each in table for each in rules) == (width >= 80), "rules stand whole or not at all"
    assert ("P Prosecutor, D Defense, TL Tech Lead" in table) == (width < 100), "initials come with their legend"


def test_the_headline_says_in_one_line_why_the_gate_ended_as_it_did(report: AuditReport) -> None:
    line = next(each for each in shown(report, 160).splitlines() if each.strip())
    assert line.startswith(" Failed with ")
    assert ": shell injection risk: `os.system` runs a command built at run time in b.py:5 and 1 other place," in line
    assert line.endswith("severity critical.")


def test_certainty_is_one_word_in_first_lists_and_its_reason_is_in_the_details(report: AuditReport) -> None:
    plain = json.loads(to_json(report))
    for each in plain["evidence"]:
        if each["probe"] == "code.shell_execution" and each["outcome"] == "found":
            each.update(confidence=0.7, confidence_reason="made up here")
    doubtful = from_json(json.dumps(plain))
    for text, sure in ((markdown(doubtful), markdown(report)), (shown(doubtful), shown(report))):
        first = text[text.index("What to fix first") : (text + "## Criteria").index("## Criteria")]
        assert "critical severity, likely" in first
        assert "probably right, but check the code before you change it" in " ".join(first.split())
        assert "% sure" not in first
        assert "likely" not in sure
    assert " (70% sure: made up here)." in markdown(doubtful)


@pytest.mark.parametrize(
    ("statement", "confidence", "reason", "told"),
    [
        ("A is there", 1.0, "", "A is there."),
        ("A is there.", 1.0, "", "A is there."),
        ("A is there. B is not.", 0.7, "it may be C", "A is there. B is not."),
        ("A is th\u2026", 1.0, "", "A is th\u2026"),
    ],
)
def test_what_was_seen_is_a_sentence_with_one_stop_wherever_it_is_shown(
    report: AuditReport, statement: str, confidence: float, reason: str, told: str
) -> None:
    plain = json.loads(to_json(report))
    for each in plain["evidence"]:
        if each["probe"] == "code.shell_execution" and each["outcome"] == "found":
            each.update(statement=statement, confidence=confidence, confidence_reason=reason)
    changed = from_json(json.dumps(plain))
    pages = (
        markdown(changed),
        shown(changed),
        summary(changed, Links()),
        html(changed).replace('<span class="soft">', "").replace("</span>", ""),
        "\n".join(each.message for each in annotate(changed).shown),
        sarif(changed),
    )
    for page in pages:
        assert told in page
        assert f"{told}." not in page


def test_only_what_is_sure_decided_a_gate_that_allows_nothing_that_is_sure(report: AuditReport) -> None:
    plain = json.loads(to_json(report))
    fact = next(each for each in plain["evidence"] if each["probe"] == "code.shell_execution" and each["locations"])
    doubtful = {**fact, "id": "code.shell_execution#9", "confidence": 0.5, "confidence_reason": "made up here"}
    plain["evidence"].append(doubtful)
    for reason in plain["verdict"]["gate"]["reasons"]:
        if reason["demand"] == "no_new":
            reason["evidence"].append(doubtful["id"])
        elif reason["demand"] == "criteria.security":
            reason["conclusion"] = "passed"
    by_id = {each.evidence.id: each for each in priorities(from_json(json.dumps(plain)))}
    assert by_id[fact["id"]].decided_gate
    assert not by_id[doubtful["id"]].decided_gate


def test_what_does_not_apply_for_one_reason_takes_one_line_and_the_rest_one_each() -> None:
    idle = [evidence(f"code.{name}", outcome="not_applicable") for name in "ab"]
    other = evidence("code.c", outcome="not_applicable").model_copy(update={"statement": "For another reason."})
    seen = [evidence("code.d"), evidence("code.e")]
    assert [len(each) for each in report_model.group_inapplicable([*idle, other, *seen])] == [2, 1, 1, 1]


def test_the_tree_of_a_repository_has_one_line_for_all_that_asks_about_a_change(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    whole = audited(drawing.path)
    assert "| `change.size#1`, `change.spread#1`, " in markdown(whole)
    assert "<code>change.size#1</code> <code>change.spread#1</code> " in html(whole)


def test_advice_shows_code_as_code(report: AuditReport) -> None:
    text = markdown(report)
    assert "`subprocess.run([program, argument])`" in text
    assert "\\`" not in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_terminal_keeps_its_width_and_has_no_control_codes_in_a_pipe(report: AuditReport, width: int) -> None:
    text = shown(report, width)
    table = text[text.index("Criterion") : text.index("What to fix first")]
    assert all(len(line) <= width for line in table.splitlines())
    assert "\x1b" not in text
    assert "b.py:5" in text


def test_a_record_with_rulings_that_are_not_its_rubrics_is_refused(report: AuditReport) -> None:
    plain = json.loads(to_json(report))
    plain["verdict"]["rulings"].pop()
    with pytest.raises(UserError, match="rulings do not match the criteria of its rubric"):
        from_json(json.dumps(plain))


def test_a_record_with_strange_names_is_shown_without_harm(report: AuditReport) -> None:
    plain = json.loads(to_json(report))
    plain["opinions"][0]["judge"] = "<img src=x>"
    plain["rubric"]["definition"]["criteria"][0]["title"] = "A <img src=x> title"
    text = markdown(from_json(json.dumps(plain)))
    html = [
        token.content for token in MarkdownIt("commonmark", {"html": True}).parse(text) if token.type == "html_block"
    ]
    assert not any("<img" in each for each in html)
    with pytest.raises(UserError) as error:
        from_json(json.dumps({**plain, "\x1b[31mkey\n": 1}))
    assert "\x1b" not in str(error.value)


def test_a_criterion_that_rests_on_nothing_but_what_could_not_be_told_says_why(drawing: Drawing) -> None:
    drawing.commit({"a.py": "def f() -> int:\n    return 1\n"})
    report = audited(drawing.path, rubric="agent-swarm")
    said = other_reasons(report)
    assert (
        said.count(
            "No report was given with `--report`, and none was found by the rubric's patterns (`papers.reports`)."
        )
        == 1
    )


def test_what_to_do_about_an_open_question_fits_a_file_and_a_line(drawing: Drawing) -> None:
    view = 'from flask import request\n\n\ndef scan(runner):\n    runner(["bash", "-c", request.args["file"]])\n'
    drawing.commit({"README.md": "# Shop\n"})
    for files, hint in (({"b.py": "def f(:\n"}, "under exclude"), ({"views.py": view}, "merge without the check")):
        drawing.branch(f"work-{next(iter(files))}")
        drawing.commit(files)
        report = audited(drawing.path, "main", gate=GatePolicy(no_new=Severity.HIGH))
        assert [hint in each for each in other_reasons(report)].count(True) == 1


def test_a_criterion_that_was_judged_has_nothing_to_explain(drawing: Drawing) -> None:
    drawing.commit({"a.py": "def f() -> int:\n    return 1\n", "b.py": "def f(:\n"})
    assert not any("could not be read" in each for each in other_reasons(audited(drawing.path)))
