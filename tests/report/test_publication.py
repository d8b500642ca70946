"""Comment, check run and notes on lines: what they say, within which limits, and what they remember."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from auditor.domain import (
    AnnotationLevel,
    AuditReport,
    CheckOutput,
    CodeLocation,
    Conclusion,
    RulingStatus,
    Side,
    comment_marker,
)
from auditor.report import answers_kept_on_check_run
from auditor.report.annotations import annotate
from auditor.report.certainty import Certainty
from auditor.report.check_run_text import check_output
from auditor.report.comment_text import comment
from auditor.report.fix_priorities import priorities
from auditor.report.github_links import Links, is_tree_path
from auditor.report.previous_scores import (
    PastVerdict,
    VerdictHistory,
    changes_since,
    make_history,
    parse_history,
    to_line,
)
from tests.reports import BASE, BEFORE, HEAD, LINKS, contested, line, typical

PAST = PastVerdict(
    rubric="pull-request",
    digest="5e" * 8,
    bench="embedded",
    head=BEFORE,
    conclusion=Conclusion.FAILED,
    overall=2.9,
    scores={"focus": 5.0, "tests": 3.1, "security": 4.0, "error_handling": RulingStatus.INCONCLUSIVE},
)


def later(report: AuditReport, head: str) -> AuditReport:
    """The same verdict on another commit."""
    return report.model_copy(update={"subject": report.subject.model_copy(update={"head": head})})


def test_the_comment_begins_with_its_marker_and_the_verdict_as_a_sentence() -> None:
    lines = comment(typical(), LINKS).split("\n")
    assert lines[0] == comment_marker("pull-request") == "<!-- automaton-auditor:comment:pull-request -->"
    assert lines[1].startswith(
        "### ❌ Failed with 3.9 of 5: shell injection risk: `subprocess.run(..., shell=True)` runs a command built at run time in "
    )


def test_the_comment_tells_what_to_fix_first_with_a_link_to_the_line_at_the_head() -> None:
    text = comment(typical(), LINKS)
    first = text[text.index("\n1. ") :]
    assert first.startswith(
        "\n1. **Shell injection risk: `subprocess.run(..., shell=True)` runs a command built at run time.**\n\n"
        f"   [`parcels/labels.py:48`](https://github.com/acme/parcels/blob/{HEAD}/parcels/labels.py#L48), also line 63"
        " · critical severity, makes the check fail\n"
    )
    assert "Anyone who controls a part of the command can run other commands. **Try:** Pass the program" in first
    assert "**Fine if** no part of the command comes from outside" in first
    page = "https://github.com/octo/automaton-auditor/blob/v1/.github/docs/rules.md#codeshell_execution"
    assert f"<sub>Criterion: Security. Rule [`code.shell_execution`]({page}).</sub>" in first


def test_without_an_address_of_the_documentation_a_rule_is_named_without_a_link() -> None:
    text = comment(typical(), replace(LINKS, tool=None))
    assert "Rule `code.shell_execution`." in text
    assert "rules.md" not in text


def doubting(confidence: float) -> AuditReport:
    """The typical report with this confidence in the skipped test."""
    report = typical()
    evidence = tuple(
        each.model_copy(update={"confidence": confidence, "confidence_reason": "made up here"})
        if each.probe == "tests.removed_or_skipped"
        else each
        for each in report.evidence
    )
    return report.model_copy(update={"evidence": evidence})


@pytest.mark.parametrize(
    ("confidence", "word", "folded"),
    [(1.0, "", False), (0.8, "", False), (0.79, ", likely", False), (0.6, ", likely", False), (0.59, ", possible", True)],
)  # fmt: skip
def test_certainty_is_one_word_and_what_is_only_possible_is_folded(confidence: float, word: str, folded: bool) -> None:
    text = comment(doubting(confidence), LINKS)
    first = text[text.index("#### What to fix first") : text.index("<details><summary>All criteria")]
    item = f"`tests/test_rates.py:30`](https://github.com/acme/parcels/blob/{HEAD}/tests/test_rates.py#L30) · medium severity{word}"
    assert item in first
    assert (first.index("<details>") < first.index(item)) is folded
    assert "sure" not in first
    assert (f"{item} (probably right, but check the code before you change it)\n" in first) is ("likely" in word)
    assert (f"{item}\n" in first) is (word == "")


def test_findings_that_are_all_weak_are_counted_and_folded() -> None:
    report = doubting(0.5)
    only = report.model_copy(
        update={"evidence": tuple(each for each in report.evidence if each.probe == "tests.removed_or_skipped")}
    )
    passed = only.verdict.gate.model_copy(update={"reasons": ()})
    text = comment(only.model_copy(update={"verdict": only.verdict.model_copy(update={"gate": passed})}), LINKS)
    first = text[text.index("#### What to fix first") :]
    assert first.split("\n")[2] == "Nothing to fix first. 1 finding is of low severity or only possible."
    assert "<details><summary>1 finding of low severity or only possible</summary>" in first
    assert "**To fix:**" not in text


def test_what_decided_the_gate_is_never_weak() -> None:
    shown = [each for each in priorities(typical()) if each.decided_gate]
    assert shown
    assert not any(replace(each, certainty=Certainty.POSSIBLE).weak for each in shown)


def test_a_place_before_the_change_is_linked_at_the_base() -> None:
    assert f"/blob/{BASE}/tests/test_zones.py#L12), also line 19 (before the change) · " in comment(contested(), LINKS)


def test_the_last_line_tells_who_judged_what_it_cost_how_much_was_read_and_where_more_is() -> None:
    last = comment(contested(), LINKS).rstrip("\n").split("\n")[-1]
    assert "claude bench: 5 requests, 48,210 tokens read, 6,934 written, 0.31 USD" in last
    assert "4 files in scope: 1 analysed, 1 read in part, 1 not readable, 1 excluded." in last
    assert f"[Check run]({LINKS.check_url})" in last
    assert f"[Workflow run]({LINKS.run_url})" in last
    assert "No model was asked" in comment(typical(), LINKS).rstrip("\n").split("\n")[-1]


def test_the_comment_shows_each_score_that_rose_or_fell() -> None:
    text = comment(typical(), LINKS, VerdictHistory(now=PAST))
    assert "| **4.0** ▲\u00a00.9 |" in text
    assert "| **3.0** ❌ ▼\u00a01.0 |" in text
    assert "Error handling open → 3.0" in text
    assert "1 unchanged, 2 new." in text


def test_without_links_the_comment_names_places_and_links_nothing() -> None:
    text = comment(typical(), Links())
    assert "   `parcels/labels.py:48`, also line 63 · " in text
    assert "](" not in text


def test_an_unchanged_verdict_gives_the_same_bytes_also_when_its_own_run_is_what_was_remembered() -> None:
    report = typical()
    first = comment(report, LINKS, VerdictHistory(now=PAST))
    remembered = parse_history(check_output(report, LINKS, VerdictHistory(now=PAST)).text)
    assert remembered is not None
    assert remembered.now.head == HEAD
    assert comment(report, LINKS, remembered) == first
    assert check_output(report, LINKS, remembered) == check_output(report, LINKS, VerdictHistory(now=PAST))


def test_a_verdict_on_a_new_commit_is_compared_with_the_one_before() -> None:
    memory = parse_history(check_output(typical(), LINKS).text)
    changed = changes_since(later(typical(), BEFORE), memory)
    assert changed is not None
    assert changed.past.head == HEAD
    assert not changed.changes
    assert changed.overall is None
    assert "no score has changed" in comment(later(typical(), BEFORE), LINKS, memory)


def test_a_verdict_by_another_rubric_is_not_compared() -> None:
    other = PAST.model_copy(update={"rubric": "agent-swarm"})
    assert changes_since(typical(), VerdictHistory(now=other)) is None
    digest = PAST.model_copy(update={"digest": "00" * 8})
    assert "another rubric or bench" in comment(typical(), LINKS, VerdictHistory(now=digest))


PACKED = json.loads(VerdictHistory(now=PAST).model_dump_json())


@pytest.mark.parametrize(
    "forged",
    [
        {**PACKED, "more": 1},
        {"now": {**PACKED["now"], "overall": 6}},
        {"now": {**PACKED["now"], "overall": True}},
        {"now": {**PACKED["now"], "overall": "4"}},
        {"now": {**PACKED["now"], "scores": {"focus": 0.5}}},
        {"now": {**PACKED["now"], "scores": {"@someone": 5.0}}},
        {"now": {**PACKED["now"], "scores": {f"c{n}": 5.0 for n in range(201)}}},
        {"now": {**PACKED["now"], "scores": {"focus": "<img src=x>"}}},
        {"now": {**PACKED["now"], "head": "main"}},
        {"now": {**PACKED["now"], "bench": "claude](https://evil.example)"}},
        {"now": {**PACKED["now"], "conclusion": "green"}},
        {"now": [], "before": None},
        [],
    ],
)
def test_a_memory_that_is_not_ours_to_the_letter_is_nothing(forged: object) -> None:
    assert parse_history(f"<!-- automaton-auditor:verdict:1 {json.dumps(forged)} -->") is None


def test_a_memory_is_read_from_the_first_line_only() -> None:
    line = to_line(VerdictHistory(now=PAST))
    assert parse_history(line) == VerdictHistory(now=PAST)
    assert parse_history(f"{line}\r\nmore") == VerdictHistory(now=PAST)
    for text in (f"\n{line}", f"`{line}`", f" {line}", f"{line} x", line.replace("-->", "--!>"), "", None):
        assert parse_history(text) is None


@pytest.mark.parametrize("text", ['{"now":NaN}', "{" * 20_000, '{"now":{"scores":' + "[" * 9_000, "{}" * 20_000])
def test_a_strange_memory_is_nothing_and_breaks_nothing(text: str) -> None:
    assert parse_history(f"<!-- automaton-auditor:verdict:1 {text} -->") is None


def test_a_report_whose_names_do_not_fit_is_not_remembered() -> None:
    assert make_history(later(typical(), "a branch")) is None
    assert check_output(later(typical(), "a branch"), LINKS).text.startswith("### Criteria")


def test_kept_answers_are_the_last_line_and_take_their_room_from_the_rest() -> None:
    longest = "a" * answers_kept_on_check_run.MAX_LENGTH
    for answers in ("seal.data", longest):
        output = check_output(contested(), LINKS, answers=answers)
        assert answers_kept_on_check_run.find_sealed(output.text) == answers
        assert parse_history(output.text) is not None
        assert within_limits(output)
    assert answers_kept_on_check_run.find_sealed(check_output(contested(), LINKS).text) == ""


@pytest.mark.parametrize(
    "text",
    ["<!-- automaton-auditor:answers a.b --> x", "<!-- automaton-auditor:answers a b -->", "<!-- automaton-auditor:answers  -->",
     "`<!-- automaton-auditor:answers a.b -->`", "<!-- automaton-auditor:answers a.b -->\nmore", f"<!-- automaton-auditor:answers {'a' * 30_001} -->",
     "<!-- automaton-auditor:answers \u00e9 -->", "", None],
)  # fmt: skip
def test_what_is_no_line_of_kept_answers_to_the_letter_is_nothing(text: str | None) -> None:
    assert answers_kept_on_check_run.find_sealed(text) == ""


def test_the_check_run_reads_as_a_sentence_and_keeps_its_limits() -> None:
    output = check_output(contested(), LINKS)
    assert output.title.startswith("Inconclusive with 2.6 of 5: Security could not be judged, so 3.0 is not reached")
    assert output.summary.startswith("Pull request 272 at [`4f1c9a7be0`]")
    assert "was judged on 4 of 6 criteria." in output.summary
    assert within_limits(output)


def within_limits(output: CheckOutput) -> bool:
    """Does every text keep to what GitHub takes?"""
    texts = (output.title, output.summary, output.text)
    noted = [text for each in output.annotations for text in (each.title, each.message)]
    return (
        len(output.title) <= 255
        and bool(output.title)
        and bool(output.summary)
        and all(len(text) <= 65_535 and len(text.encode()) <= 65_535 for text in texts)
        and all(ord(character) <= 0xFFFF for text in (*texts, *noted) for character in text)
        and all(0 < len(each.title) <= 255 and 0 < len(each.message.encode()) <= 64_000 for each in output.annotations)
        and len(output.annotations) <= 50
    )


def many() -> AuditReport:
    """A report with a few hundred things to fix."""
    report = typical()
    (shell,) = (each for each in report.evidence if each.id == "code.shell_execution#1")
    more = tuple(
        shell.model_copy(
            update={"id": f"code.shell_execution#{number}", "locations": (line(f"src/m{number}.py", number, "f(x)"),)}
        )
        for number in range(2, 400)
    )
    return report.model_copy(update={"evidence": (*report.evidence, *more)})


def test_a_long_list_is_folded_then_counted_and_stays_one_list() -> None:
    text = comment(many(), LINKS)
    assert "<details><summary>25 more findings</summary>" in text
    assert "373 more findings are in the whole report." in text
    tokens = MarkdownIt("commonmark", {"html": True}).parse(text)
    starts = [token.attrGet("start") or 1 for token in tokens if token.type == "ordered_list_open"]
    assert starts == [1, 6]
    assert not any(token.type == "code_block" for token in tokens)
    paragraphs = [token.level for token in tokens if token.type == "paragraph_open"]
    assert paragraphs.count(2) >= 3 * 30 - 3


def test_what_does_not_fit_is_left_out_step_by_step_and_said() -> None:
    report = many()
    argued = tuple(each.model_copy(update={"argument": "Because. " * 800}) for each in report.opinions)
    longer = report.model_copy(update={"opinions": argued})
    sizes = [len(comment(each, LINKS).encode()) for each in (typical(), report, longer)]
    assert sizes == sorted(sizes)
    wordy = many().model_copy(
        update={"evidence": tuple(e.model_copy(update={"statement": "It is so. " * 300}) for e in many().evidence)}
    )
    text = comment(wordy, LINKS)
    assert len(text.encode()) <= 65_535
    assert "Shortened to what a comment can hold." in text
    assert "| Security | **3.0** ❌ |" in text
    assert "\n   [`parcels/labels.py:48`]" in text


def test_annotations_begin_with_what_decided_the_gate() -> None:
    shown = annotate(typical()).shown
    assert [(each.path, each.start_line) for each in shown] == [
        ("parcels/labels.py", 48),
        ("parcels/labels.py", 63),
        ("tests/test_rates.py", 30),
        ("parcels/carriers/dhl.py", 22),
        ("docs/printing.md", 14),
        ("parcels/rates.py", 117),
    ]
    assert shown[0].level is AnnotationLevel.FAILURE
    assert shown[0].title == "Security: critical severity"
    assert shown[0].message.startswith(
        "Shell injection risk: `subprocess.run(..., shell=True)` runs a command built at run time. This makes the check fail."
        "\nWhy: Anyone who controls a part of the command can run other commands.\nTry: "
    )


def test_annotations_are_capped_and_the_rest_is_counted_and_linked() -> None:
    assert annotate(typical(), 4).left == 2
    output = check_output(typical(), LINKS, max_annotations=4)
    assert len(output.annotations) == 4
    assert f"4 notes are on the lines; 2 more places are in [the whole report]({LINKS.run_url})." in output.summary


def test_no_annotation_stands_at_the_base_or_at_a_name_that_cannot_be_exact() -> None:
    report = typical()
    for place in (
        CodeLocation(path="a.py", start=1, side=Side.BASE),
        CodeLocation(path="bad\\xff.py", start=1),
        CodeLocation(path="[redacted GitHub token ab12cd34].py", start=1),
        CodeLocation(path="../a.py", start=1),
        CodeLocation(path="/etc/passwd", start=1),
        CodeLocation(path="a\nb.py", start=1),
        CodeLocation(path="\U0001f600.py", start=1),
        CodeLocation(path="\ud800.py", start=1),
    ):
        moved = tuple(each.model_copy(update={"locations": (place,)}) for each in report.evidence)
        assert annotate(report.model_copy(update={"evidence": moved})).shown == ()


def test_one_place_has_one_annotation_with_all_that_was_seen_there() -> None:
    report = typical()
    place = CodeLocation(path="parcels/labels.py", start=48, end=50)
    together = tuple(
        each.model_copy(update={"locations": (place,)}) if each.locations else each for each in report.evidence
    )
    (only,) = annotate(report.model_copy(update={"evidence": together})).shown
    assert (only.start_line, only.end_line) == (48, 50)
    assert "runs a command" in only.message
    assert "skipped without a condition" in only.message


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("src/a b.py", "src/a%20b.py#L3"),
        ("src/a)(b.py", "src/a%29%28b.py#L3"),
        ("a#b?c.py", "a%23b%3Fc.py#L3"),
        ("é.py", "%C3%A9.py#L3"),
        ("a\nb.py", "a%0Ab.py#L3"),
        ("doc.MD", "doc.MD?plain=1#L3"),
    ],
)
def test_paths_are_quoted_in_links(path: str, target: str) -> None:
    assert LINKS.place(CodeLocation(path=path, start=3)) == f"https://github.com/acme/parcels/blob/{HEAD}/{target}"


def test_what_cannot_be_a_name_in_the_tree_has_no_link() -> None:
    for path in ("/a", "../a", "a/../b", "", "a//b", "a\\xffb", "\ud800", "[redacted secret 12345678]", "a\0b"):
        assert not is_tree_path(path)
        assert LINKS.place(CodeLocation(path=path, start=1)) is None


def test_links_need_a_web_address_a_repository_and_a_commit() -> None:
    place = CodeLocation(path="a.py", start=1)
    assert Links("javascript:alert(1)", "a/b", HEAD).place(place) is None
    assert Links("https://github.com", "a/b/c", HEAD).place(place) is None
    assert Links("https://github.com", "a/b", "main").place(place) is None
    assert Links("https://ghe.example/", "a/b", HEAD).place(place) == f"https://ghe.example/a/b/blob/{HEAD}/a.py#L1"
    assert Links(run_url="https://x.example/a)[b](c <d>").run == "https://x.example/a%29%5Bb%5D%28c%20%3Cd%3E"
