"""Judges of the blanked arm read code alone, on the lines where it was."""

from __future__ import annotations

from pathlib import Path

from tests.judging.answers import heard
from tests.judging.cases import Case, Kind
from tests.repos import Drawing

BEFORE = 'def total(prices):\n    """Sum all prices."""\n    return sum(prices)  # none is left out\n'
AFTER = BEFORE.replace("(prices)  #", "(prices[1:])  #")


def prompts(folder: Path, *, is_blanked: bool) -> str:
    drawing = Drawing(folder / "r")
    drawing.commit({"cart.py": BEFORE})
    base = drawing.head
    drawing.commit({"cart.py": AFTER})
    case = Case("example/shop", drawing.path, base, drawing.head, drawing.head, "2026-01-01", 1, Kind.ORDINARY)
    heard(case, folder / "answers", "correctness", is_blanked=is_blanked)
    return (folder / "answers" / case.name / "defense-1.md").read_text(encoding="utf-8")


def test_comments_and_docstrings_are_gone_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "bare").mkdir()
    whole = prompts(tmp_path / "whole", is_blanked=False)
    bare = prompts(tmp_path / "bare", is_blanked=True)

    assert '\n 2|     """Sum all prices."""\n' in whole
    assert "\n+3|     return sum(prices[1:])  # none is left out" in whole
    assert "Sum all prices" not in bare
    assert "left out" not in bare
    assert "\n+3|     return sum(prices[1:])\n" in bare
    assert "\n-3|     return sum(prices)\n" in bare
