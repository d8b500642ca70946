"""Waivers of single files: what they cover does not count, and nothing else is let off."""

from __future__ import annotations

import pytest

from auditor.domain import CodeLocation, Conclusion, Evidence, Outcome, Waiver
from auditor.synthesis import apply_waivers, replay
from tests.auditing import audited
from tests.repos import Drawing

SHELL = "import os\n\n\ndef run(command):\n    os.system(command)\n"


def seen(*paths: str, number: int = 1, measure: float | None = None) -> Evidence:
    return Evidence(
        id=f"code.shell_execution#{number}",
        probe="code.shell_execution",
        outcome=Outcome.FOUND,
        statement="Something.",
        locations=tuple(CodeLocation(path=path, start=1) for path in paths),
        measure=measure,
    )


def test_places_in_waived_files_are_parted_from_the_others() -> None:
    record = (seen("a/x.py", "b/y.py", "a/z.py", measure=0.9), seen("c.py", number=2))
    found = apply_waivers(record, [Waiver(criterion="security", path="a/**", reason="Fixtures.")])
    told = [(each.id, [place.path for place in each.locations if place.kind == "code"], each.waived, each.measure) for each in found]  # fmt: skip
    assert told == [
        ("code.shell_execution#1", ["b/y.py"], (), 0.3),
        ("code.shell_execution#2", ["c.py"], (), None),
        ("code.shell_execution#3", ["a/x.py", "a/z.py"], ("security",), 0.6),
    ]


def test_evidence_without_a_place_in_a_file_is_never_waived_by_path() -> None:
    record = (seen(), seen("a.py", number=2))
    assert apply_waivers(record, [Waiver(criterion="security", path="**", reason="x")])[0] == record[0]
    assert apply_waivers(record, [Waiver(criterion="security", reason="All of it.")]) == record


def configured(drawing: Drawing, waivers: str) -> None:
    drawing.commit({".github/auditor.yml": f"waivers:\n{waivers}", "pkg/a.py": "x = 1\n"})
    drawing.branch("work")


WAIVER = "  - {criterion: security, path: 'vendor/**', reason: Not ours., until: 2999-01-01}\n"


def test_what_stands_in_a_waived_file_does_not_block_and_elsewhere_it_does(drawing: Drawing) -> None:
    configured(drawing, WAIVER)
    drawing.commit({"vendor/tool.py": SHELL})
    spared = audited(drawing.path, "main")
    gate = {each.demand: each.conclusion for each in spared.verdict.gate.reasons}
    assert gate["criteria.security"] is not Conclusion.FAILED
    assert gate["no_new"] is not Conclusion.FAILED
    assert replay(spared).same
    drawing.commit({"pkg/b.py": SHELL})
    assert audited(drawing.path, "main").verdict.conclusion is Conclusion.FAILED


def test_a_waiver_for_one_criterion_does_not_spare_another(drawing: Drawing) -> None:
    configured(drawing, WAIVER.replace("security", "documentation"))
    drawing.commit({"vendor/tool.py": SHELL})
    assert audited(drawing.path, "main").verdict.conclusion is Conclusion.FAILED


@pytest.mark.parametrize("line", ["  - {criterion: security, path: '**', reason: Trust me.}\n"])
def test_a_waiver_of_the_head_spares_nothing(drawing: Drawing, line: str) -> None:
    drawing.commit({"pkg/a.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit({"pkg/b.py": SHELL, ".github/auditor.yml": f"waivers:\n{line}"})
    assert audited(drawing.path, "main").verdict.conclusion is Conclusion.FAILED
