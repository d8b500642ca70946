"""Code around findings in the record: both sides, no secrets, nothing withheld, the same bytes each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.audit_builder import ChangeReader
from auditor.domain import CodeLocation, Evidence, Excerpt, Outcome, Side
from auditor.dossier import finding_excerpts
from auditor.repo.repository_opening import open_repository
from auditor.report.report_json import to_json
from tests.auditing import audited
from tests.repos import Drawing

TEN = "".join(f"line_{each} = {each}\n" for each in range(1, 11))


def finding(*places: CodeLocation, probe: str = "code.shell_execution") -> Evidence:
    return Evidence(id=f"{probe}#1", probe=probe, outcome=Outcome.FOUND, statement="Seen.", locations=places)


def at(path: str, start: int, end: int | None = None, side: Side = Side.HEAD) -> CodeLocation:
    return CodeLocation(path=path, start=start, end=end or start, side=side)


def excerpts(
    target: Path, *findings: Evidence, base: str | None = None, withheld: tuple[str, ...] = ()
) -> tuple[Excerpt, ...]:
    with open_repository(target, base=base) as repo:
        return ChangeReader(repo, never_send=withheld).excerpts(findings, findings)


def rows(excerpt: Excerpt) -> list[str]:
    return [f"{each.mark.value}{each.number} {each.text}" for each in excerpt.lines]


def test_a_finding_has_three_lines_before_and_after(drawing: Drawing) -> None:
    drawing.commit({"a.py": TEN})
    (found,) = excerpts(drawing.path, finding(at("a.py", 5)))
    assert rows(found) == [f" {each} line_{each} = {each}" for each in range(2, 9)]


def test_findings_close_to_each_other_share_an_excerpt_and_distant_ones_do_not(drawing: Drawing) -> None:
    drawing.commit({"a.py": TEN * 5})
    found = excerpts(drawing.path, finding(at("a.py", 5), at("a.py", 9), at("a.py", 40)))
    assert [(each.lines[0].number, each.lines[-1].number) for each in found] == [(2, 12), (37, 43)]


def test_a_line_that_was_changed_has_what_was_there_before_it(drawing: Drawing) -> None:
    drawing.commit({"a.py": TEN})
    drawing.branch("work")
    drawing.commit({"a.py": TEN.replace("line_5 = 5", "line_5 = run()")})
    (found,) = excerpts(drawing.path, finding(at("a.py", 5)), base="main")
    assert rows(found)[2:5] == [" 4 line_4 = 4", "-5 line_5 = 5", "+5 line_5 = run()"]


def test_what_the_change_removed_is_shown_at_the_base(drawing: Drawing) -> None:
    drawing.commit({"a.py": TEN, "b.py": TEN})
    drawing.branch("work")
    drawing.commit({"a.py": TEN.replace("line_5 = 5\n", ""), "b.py": None})
    found = excerpts(drawing.path, finding(at("a.py", 5, side=Side.BASE), at("b.py", 1, side=Side.BASE)), base="main")
    assert [(each.path, each.side) for each in found] == [("a.py", Side.BASE), ("b.py", Side.BASE)]
    assert rows(found[0])[3] == "-5 line_5 = 5"
    assert {row[0] for row in rows(found[1])} == {"-"}


def test_a_secret_beside_a_finding_is_not_in_the_record(drawing: Drawing) -> None:
    token = "ghp_" + "Ab1" * 12
    drawing.commit({"a.py": f'x = 1\ntoken = "{token}"\nrun(x)\n'})
    (found,) = excerpts(drawing.path, finding(at("a.py", 3)))
    assert token not in "".join(rows(found))
    assert "[redacted GitHub token" in rows(found)[1]


def test_the_inside_of_a_key_is_hidden_where_its_first_line_is_not_shown(drawing: Drawing) -> None:
    body = [f"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ{each:02}" for each in range(20)]
    key = "\n".join(["-----BEGIN PRIVATE KEY-----", *body, "-----END PRIVATE KEY-----"])
    drawing.commit({"a.py": f'KEY = """{key}"""\nrun()\n'})
    (found,) = excerpts(drawing.path, finding(at("a.py", 23)))
    assert rows(found)[-1] == " 23 run()"
    assert not any("MIIEvQ" in each for each in rows(found))


def test_a_line_in_which_a_probe_saw_a_secret_is_hidden_whole(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\npin = 4711\nrun(x)\n"})
    secret = finding(at("a.py", 2), probe="secrets.leaked")
    (found,) = excerpts(drawing.path, finding(at("a.py", 3)), secret)
    assert rows(found) == [" 1 x = 1", " 2 ⟨a line with a secret, not shown⟩", " 3 run(x)"]


@pytest.mark.parametrize(
    ("path", "content"),
    [("private/a.py", TEN), ("a.bin", "\0\1\2\n" * 20), ("large.py", "x = 1\n" * 60_000)],
    ids=["withheld", "binary", "too large"],
)
def test_some_files_are_not_shown(drawing: Drawing, path: str, content: str) -> None:
    drawing.commit({path: content, "shown.py": TEN})
    found = excerpts(drawing.path, finding(at(path, 5), at("shown.py", 5)), withheld=("private/**",))
    assert [each.path for each in found] == ["shown.py"]


@pytest.mark.parametrize("place", [at("gone.py", 3), at("a.py", 99_999), at("../../etc/passwd", 1)])
def test_a_place_that_is_not_there_has_no_excerpt(drawing: Drawing, place: CodeLocation) -> None:
    drawing.commit({"a.py": TEN})
    assert excerpts(drawing.path, finding(place)) == ()


def test_a_symbolic_link_is_not_followed(drawing: Drawing, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text(TEN)
    drawing.commit({"a.py": TEN})
    (drawing.path / "link.py").symlink_to(tmp_path / "outside.py")
    drawing.git("add", "link.py")
    drawing.git("commit", "-q", "-m", "Link")
    assert excerpts(drawing.path, finding(at("link.py", 1))) == ()


def test_ten_thousand_findings_keep_to_the_limits(drawing: Drawing) -> None:
    drawing.commit({f"m{each}.py": TEN * 20 for each in range(60)})
    many = [finding(at(f"m{each % 60}.py", each % 200 + 1)) for each in range(10_000)]
    found = excerpts(drawing.path, *many)
    assert len({each.path for each in found}) <= finding_excerpts.MAX_FILES
    assert sum(len(each.lines) for each in found) <= finding_excerpts.MAX_LINES


def test_the_same_change_has_the_same_excerpts_byte_for_byte(drawing: Drawing) -> None:
    drawing.commit({"a.py": "import os\n\n\ndef show(name):\n    print(name)\n"})
    drawing.branch("work")
    drawing.commit({"a.py": 'import os\n\n\ndef show(name):\n    os.system(f"lp {name}")\n'})
    first, second = (audited(drawing.path, "main") for _ in range(2))
    assert first.excerpts
    parts = [
        to_json(each.model_copy(update={"timings": first.timings, "cost": first.cost})) for each in (first, second)
    ]
    assert parts[0] == parts[1]
