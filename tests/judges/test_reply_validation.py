"""What of an answer counts: the whole text, every criterion once, quotes that can be found again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.domain import Citation, CodeLocation, Evidence, Opinion
from auditor.judges import reply_validation
from auditor.judges.reply_validation import Asked, InvalidReply
from auditor.report import prompt_text
from auditor.synthesis.citation_check import Sources, check_citations, find_fault
from tests.judges.cases import place
from tests.verdicts import evidence

SEEN = evidence(
    "code.x",
    locations=(place("src/a.py", 3, "run(command)  # ok"), place("src/b.py", 9, "run(command)"), place("src/b.py", 40, "run(command)")),
).model_copy(update={"statement": "A command is run in a shell."})  # fmt: skip
BY_ID = {SEEN.id: SEEN}


def said(**more: Any) -> dict[str, Any]:
    cited = {"evidence": "code.x#1", "quote": "run(command)", "path": "src/b.py", "line": 40}
    return {"criterion": "c", "argument": "So it is.", "citations": [cited], "remediation": [], "score": 2, **more}


def cited(*, by: Evidence = SEEN, **more: Any) -> Opinion:
    citation = {"evidence": "code.x#1", "quote": "run(command)", "path": "", "line": None, **more}
    text = json.dumps({"opinions": [said(citations=[citation])]})
    (found,) = reply_validation.parse_reply(Asked("defense", ("c",), {by.id: by}), text, "q").opinions
    return found


def test_an_answer_becomes_opinions_that_name_their_question() -> None:
    (found,) = reply_validation.parse_reply(
        Asked("defense", ("c",), BY_ID), json.dumps({"opinions": [said()]}), "key"
    ).opinions
    assert (found.judge, found.criterion, found.score, found.question) == ("defense", "c", 2, "key")
    assert found.citations[0].line == 40


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "null",
        "[]",
        "{}",
        '{"opinions": null}',
        '{"opinions": []}',
        '{"opinions": [], "opinions": []}',
        '{"opinions": [NaN]}',
        "[" * 100_000,
        json.dumps({"opinions": [said()]}) * 2,
        "Here it is: " + json.dumps({"opinions": [said()]}),
        json.dumps({"opinions": [said(), said()]}),
        json.dumps({"opinions": [said(), said(criterion="other")]}),
        json.dumps({"opinions": [said(score=0)]}),
        json.dumps({"opinions": [said(score="2")]}),
        json.dumps({"opinions": [said(score=2.5)]}),
        json.dumps({"opinions": [said(score=True)]}),
        json.dumps({"opinions": [said(argument="")]}),
        json.dumps({"opinions": [said(confidence=1)]}),
        json.dumps({"opinions": [said(citations="code.x#1")]}),
        json.dumps({"opinions": [{key: value for key, value in said().items() if key != "citations"}]}),
    ],
)
def test_anything_else_is_not_usable(text: str) -> None:
    with pytest.raises(InvalidReply):
        reply_validation.parse_reply(Asked("defense", ("c",), BY_ID), text, "q")


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"path": "src/b.py", "line": 41}, 40),
        ({"path": "src/b.py", "line": 1}, 9),
        ({"path": "src/a.py", "line": 500}, 3),
        ({"line": 3}, 3),
        ({"quote": "A command is run in a shell."}, None),
    ],
)
def test_the_quote_comes_first_and_a_line_that_is_off_is_mended(more: dict[str, Any], line: int | None) -> None:
    found = cited(**more).citations[0]
    assert found.line == line
    assert find_fault(found, Sources(BY_ID, {"code.x"}, {})) == ""


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"evidence": "code.x#2"}, "there is no evidence"),
        ({"evidence": "code.zzz#1"}, "there is no evidence"),
        ({"path": "b.py"}, "no place of"),
        ({"path": "src/B.py"}, "no place of"),
        ({"path": "../src/b.py"}, "no place of"),
        ({"path": "src/a.py", "quote": "run(other)"}, "was not found in"),
        ({"quote": ""}, "quotes nothing"),
        ({"quote": "run"}, "was not found in"),
        ({"quote": "command"}, "was not found in"),
        ({"quote": "shell."}, "was not found in"),
        ({"quote": "A command is run by nobody."}, "was not found in"),
    ],
)
def test_a_citation_that_leads_nowhere_is_dropped_with_its_reason(more: dict[str, Any], reason: str) -> None:
    found = check_citations(cited(**more), Sources(BY_ID, {"code.x"}, {}))
    assert reason in found.dropped[0].reason
    assert found.reason.startswith("none of its citations was found")


def test_one_standing_citation_keeps_the_opinion_and_the_bad_one_is_on_the_record() -> None:
    good = {"evidence": "code.x#1", "quote": "run(command)", "path": "", "line": None}
    text = json.dumps({"opinions": [said(citations=[{**good, "quote": "invented()"}, good])]})
    (opinion,) = reply_validation.parse_reply(Asked("defense", ("c",), BY_ID), text, "q").opinions
    found = check_citations(opinion, Sources(BY_ID, {"code.x"}, {}))
    assert found.reason == ""
    assert [each.reason for each in found.dropped] == ["its quote was not found in code.x#1"]


def test_evidence_of_another_criterion_proves_nothing() -> None:
    assert (
        check_citations(cited(), Sources(BY_ID, {"code.y"}, {})).reason
        == "none of its citations was found: code.x#1 is no evidence of this criterion"
    )


@pytest.mark.parametrize("path", ["b.py", "src/b.py", "../src/b.py"])
def test_a_path_beside_a_quote_from_the_statement_is_ignored(path: str) -> None:
    opinion = cited(quote="A command is run in a shell.", path=path)
    assert check_citations(opinion, Sources(BY_ID, {"code.x"}, {})).reason == ""
    assert check_citations(opinion, Sources(BY_ID, {"code.x"}, {})).dropped == ()


def test_a_record_that_kept_a_path_beside_such_a_quote_counts_it_too() -> None:
    kept = Citation(evidence="code.x#1", quote="A command is run in a shell.", path="b.py", line=7)
    assert find_fault(kept, Sources(BY_ID, {"code.x"}, {})) == ""


def test_a_path_that_is_no_place_does_not_reach_the_record() -> None:
    assert [each.path for each in cited(quote="A command is run in a shell.", path="b.py").citations] == [""]


@pytest.mark.parametrize("quote", ["Q| run(command)", "`run(command)`", "“run(command)”", " run(command) "])
def test_marks_around_a_quote_do_no_harm(quote: str) -> None:
    assert cited(quote=quote).citations[0].quote.strip() == "run(command)"


def test_a_quote_of_what_was_written_out_is_put_back_as_it_stands() -> None:
    hidden = evidence(
        "code.x", locations=(CodeLocation(path="src/\u202ea.py", start=1, end=1, quote="if a\u202eccess(user):  # ok"),)
    )
    found = cited(by=hidden, quote="if a⟨U+202E⟩ccess(user)", path="src/⟨U+202E⟩a.py").citations[0]
    assert found.quote == "if a\u202eccess(user): # ok"
    assert found.path == "src/\u202ea.py"
    assert find_fault(found, Sources({hidden.id: hidden}, {"code.x"}, {})) == ""


def test_half_characters_and_secrets_do_not_reach_the_record() -> None:
    token = "ghp_" + "a1B2" * 9
    text = json.dumps(
        {
            "opinions": [
                said(
                    argument=f"\ud800 {token}", remediation=[{"evidence": "\udfff", "path": "\udfff", "change": token}]
                )
            ]
        }
    )
    (found,) = reply_validation.parse_reply(Asked("defense", ("c",), BY_ID), text, "q").opinions
    written = found.model_dump_json()
    assert token not in written
    written.encode("utf-8")


@pytest.mark.parametrize(
    ("step", "kept"),
    [
        (("code.x#1", "src/b.py"), ("code.x#1", "src/b.py")),
        (("code.x#1", "src/invented.py"), ("code.x#1", "")),
        (("code.x#9", "src/b.py"), ("", "")),
    ],
)
def test_a_step_names_a_place_of_the_evidence_it_answers_or_none(step: tuple[str, str], kept: tuple[str, str]) -> None:
    told = {"evidence": step[0], "path": step[1], "change": "Pass a list."}
    (found,) = reply_validation.parse_reply(
        Asked("defense", ("c",), BY_ID), json.dumps({"opinions": [said(remediation=[told])]}), "q"
    ).opinions
    assert (found.remediation[0].evidence, found.remediation[0].path) == kept
    assert found.remediation[0].change == "Pass a list."


def test_a_place_is_made_ready_once_however_many_citations_are_held_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of hundreds of citations beside evidence of thousands of places would outlast every deadline."""
    cleaned: list[str] = []

    def cleaning(text: str) -> str:
        cleaned.append(text)
        return text

    monkeypatch.setattr(prompt_text, "redact", cleaning)
    prompt_text.sanitize.cache_clear()
    many = evidence("code.x", locations=tuple(place(f"src/{n}.py", n, f"run(command, {n})") for n in range(1, 301)))
    citations = [{"evidence": "code.x#1", "quote": f"walk(command, {n})", "path": "", "line": None} for n in range(100)]
    text = json.dumps({"opinions": [said(citations=citations)]})
    (opinion,) = reply_validation.parse_reply(Asked("defense", ("c",), {many.id: many}), text, "q").opinions
    prompt_text.sanitize.cache_clear()
    assert len(check_citations(opinion, Sources({many.id: many}, {"code.x"}, {})).dropped) == 100
    assert len(cleaned) == 301  # the places and the statement
