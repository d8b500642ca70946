"""Fingerprints of real findings: what keeps them the same, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import CodeLocation, CommitLocation, DocumentLocation, Side
from auditor.domain.comparison import Finding
from auditor.ledger.finding_fingerprint import findings, fingerprint, identity
from auditor.ledger.finding_matching import match
from tests.auditing import asked
from tests.repos import Drawing
from tests.verdicts import evidence

PROBE = "code.shell_execution"
RUN = '    os.system(f"lp {file}")\n'
ONE = f"import os\n\n\ndef send(file):\n{RUN}"
TWO = f"{ONE}{RUN}"


def seen(tmp_path: Path, name: str, files: dict[str, str]) -> tuple[Finding, ...]:
    """The findings of a probe in a repository with these files."""
    drawing = Drawing(tmp_path / name)
    drawing.commit(files)
    found = findings(asked(drawing.path, None, PROBE).evidence)
    return tuple(each for each in found if each.place is not None)


def marks(found: tuple[Finding, ...]) -> list[str]:
    return [each.fingerprint for each in found]


@pytest.mark.parametrize(
    ("case", "after"),
    [
        ("lines put above", {"a.py": ONE.replace("import os\n", 'import os\n\nNAME = "a"\nSIZE = 1\n')}),
        ("function moved within the file", {"a.py": f"{ONE}\n\ndef other():\n    return 1\n"}),
        ("function moved below another", {"a.py": ONE.replace("def send", "def other():\n    return 1\n\n\ndef send")}),
        ("function moved to another file", {"b.py": ONE}),
        ("indentation changed", {"a.py": ONE.replace(RUN, '    if file:\n        os.system(f"lp {file}")\n')}),
        ("spaces put into the line", {"a.py": ONE.replace("os.system(", "os.system( ")}),
    ],
)
def test_a_fingerprint_stays_when_the_line_moves(tmp_path: Path, case: str, after: dict[str, str]) -> None:
    first, second = seen(tmp_path, "before", {"a.py": ONE}), seen(tmp_path, "after", after)
    assert len(first) == 1
    assert marks(first) == marks(second), case


@pytest.mark.parametrize(
    ("case", "after"),
    [
        ("another command", {"a.py": ONE.replace("lp ", "rm ")}),
        ("another function", {"a.py": ONE.replace("def send", "def receive")}),
        ("a comment put behind the line", {"a.py": ONE.replace(RUN, f"{RUN.rstrip()}  # prints\n")}),
    ],
)
def test_other_words_on_the_line_or_another_function_give_another_fingerprint(
    tmp_path: Path, case: str, after: dict[str, str]
) -> None:
    first, second = seen(tmp_path, "before", {"a.py": ONE}), seen(tmp_path, "after", after)
    assert len(first) == len(second) == 1
    assert marks(first) != marks(second), case


def test_a_place_outside_of_every_definition_is_known_by_its_path(tmp_path: Path) -> None:
    top = 'import os\nimport sys\n\nos.system(f"lp {sys.argv[1]}")\n'
    first = seen(tmp_path, "before", {"a.py": top})
    assert len(first) == 1
    assert marks(first) == marks(seen(tmp_path, "shifted", {"a.py": f"#!/usr/bin/env python\n\n{top}"}))
    assert marks(first) != marks(seen(tmp_path, "renamed", {"b.py": top}))


def test_the_same_defect_twice_in_one_function_has_two_fingerprints(tmp_path: Path) -> None:
    first, second = seen(tmp_path, "one", {"a.py": ONE}), seen(tmp_path, "two", {"a.py": TWO})
    assert len(set(marks(second))) == 2
    assert set(marks(first)) < set(marks(second))


def test_one_of_two_removed_leaves_the_other_and_only_one_is_gone(tmp_path: Path) -> None:
    before, after = seen(tmp_path, "two", {"a.py": TWO}), seen(tmp_path, "one", {"a.py": ONE})
    matching = match(before, after)
    assert len(matching.pairs) == len(matching.before) == 1
    assert matching.after == []


def test_of_equal_findings_in_two_files_the_one_in_the_changed_file_is_gone(tmp_path: Path) -> None:
    before = seen(tmp_path, "before", {"a.py": ONE, "b.py": ONE})
    after = seen(tmp_path, "after", {"b.py": f"import sys\n{ONE}"})
    matching = match(before, after)
    assert [each.place.path for each in matching.before if isinstance(each.place, CodeLocation)] == ["a.py"]
    assert matching.after == []


def test_fingerprints_occur_once_in_a_record_and_do_not_depend_on_the_order_of_evidence() -> None:
    place = CodeLocation(path="a.py", start=3, end=3, quote="x()", definition="f")
    lower = place.model_copy(update={"start": 9, "end": 9})
    one, two = evidence(number=1, locations=(lower,)), evidence(number=2, locations=(place,))
    nothing = evidence(number=3, outcome="not_found")
    found = findings([one, two, nothing])
    assert len(set(marks(found))) == 3
    assert found == findings([nothing, two, one])


def test_an_answer_about_tests_keeps_its_fingerprint_when_product_code_gets_a_finding() -> None:
    product, tests = evidence(outcome="not_found"), evidence(number=2, outcome="not_found", in_tests=True)
    before, after = findings([product, tests]), findings([evidence(), tests])
    assert [each.fingerprint for each in before if each.in_tests] == [
        each.fingerprint for each in after if each.in_tests
    ]


def test_commits_documents_and_the_base_side_have_identities_of_their_own() -> None:
    commit = identity("history.messages", CommitLocation(sha="ab" * 20, quote="wip"))
    page = identity("docs.x", DocumentLocation(path="a.pdf", page=3, quote="a  b"))
    moved = identity("docs.x", DocumentLocation(path="a.pdf", page=4, quote="a b"))
    blank = [identity("docs.x", DocumentLocation(path="a.pdf", page=number)) for number in (1, 2)]
    head, base = (identity("t.x", CodeLocation(path="a.py", start=1, quote="q", side=side)) for side in Side)
    assert page == moved
    assert len({commit, page, *blank, head, base}) == 6
    assert fingerprint(page, 1).startswith("v1:")
    assert fingerprint(page, 1) != fingerprint(page, 2)


def test_a_record_without_definitions_is_matched_by_text_within_the_same_file() -> None:
    old = CodeLocation(path="a.py", start=3, end=3, quote="os.system(x)")
    new = CodeLocation(path="a.py", start=7, end=7, quote="os.system(x)", definition="run")
    elsewhere = new.model_copy(update={"path": "b.py"})
    before = findings([evidence(locations=(old,))])
    matching = match(before, findings([evidence(locations=(elsewhere, new))]))
    assert [second.place for _, second in matching.pairs] == [new]
    assert [each.place for each in matching.after] == [elsewhere]


def test_two_definitions_with_the_same_text_are_not_the_same_finding() -> None:
    first = CodeLocation(path="a.py", start=3, end=3, quote="except Exception:", definition="read")
    second = first.model_copy(update={"definition": "write"})
    matching = match(findings([evidence(locations=(first,))]), findings([evidence(locations=(second,))]))
    assert matching.pairs == []
