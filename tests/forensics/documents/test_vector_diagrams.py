"""Diagrams of PDF pages that are drawn with lines and boxes."""

from __future__ import annotations

import io
import time

import pypdf
import pytest

from auditor.forensics.documents import reader_child_process
from auditor.forensics.documents.vector_diagrams import MAX_OPERATORS, find_diagram
from tests.papers import pdf
from tests.small_process import in_small_process

read = in_small_process(reader_child_process.read)

_BOXES = "100 600 90 30 re S\n250 600 90 30 re S\n175 500 90 30 re S\n"
_ARROWS = "145 600 m 200 532 l S\n295 600 m 240 532 l S\n"
_ROUND = "100 610 m 100 600 l 190 600 l 190 630 l 100 630 l h B\n"


def _page(drawing: str, extra: bytes = b"") -> bytes:
    """A PDF of one page that says a word and draws."""
    content = b"BT /F1 12 Tf 50 750 Td (Architecture of the swarm) Tj ET\n" + drawing.encode()
    return pdf("x", objects={4: b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream"})


def _pictures(drawing: str) -> list[str]:
    return [each.name for each in read("report.pdf", _page(drawing)).images]


@pytest.mark.parametrize(
    "drawing",
    [
        _BOXES + _ARROWS,
        _ROUND + _BOXES + _ARROWS,
        "q 0.5 0 0 0.5 20 20 cm\n200 1200 180 60 re S\n500 1200 180 60 re S\n350 1000 180 60 re S\n290 1200 m 400 1064 l S\n590 1200 m 480 1064 l S\nQ\n",
        "90 480 300 180 re S\n" + _BOXES + _ARROWS,
        "0.9 g " + _BOXES.replace(" S", " f") + "0 g " + _BOXES + "145 600 m 160 580 180 560 200 532 c S\n295 600 m 240 532 l S\n",
    ],
    ids=["boxes and lines", "a round box filled and edged", "scaled", "inside a frame", "filled, edged and joined by curves"],
)  # fmt: skip
def test_boxes_that_lines_join_are_a_drawing(drawing: str) -> None:
    [name] = _pictures(drawing)
    assert name == "a drawing of 3 boxes and 2 lines between them"


@pytest.mark.parametrize(
    "drawing",
    [
        "".join(f"{100 + 90 * (n % 4)} {600 - 30 * (n // 4)} 90 30 re S\n" for n in range(16)) + _ARROWS,
        "".join(f"100 {600 - 20 * n} m 500 {600 - 20 * n} l S\n" for n in range(12)),
        "60 500 480 200 re f\n60 200 480 200 re f\n",
        _BOXES,
        _ARROWS,
        "100 600 90 30 re n\n250 600 90 30 re n\n175 500 90 30 re n\n" + _ARROWS,
    ],
    ids=["a table of cells", "rules", "blocks of code", "boxes alone", "lines alone", "boxes that are never painted"],
)
def test_tables_rules_and_blocks_are_no_drawing(drawing: str) -> None:
    assert _pictures(drawing) == []


@pytest.mark.parametrize(
    "drawing",
    ["1 1 m 2 2 l S\n" * 50_000, _BOXES * 4_000, "q " * 300_000, "(" * 300_000, "1 0 0 1 1 1 cm\n" * 20_000 + _BOXES],
    ids=["lines", "boxes", "saved states", "brackets", "moves"],
)
def test_hostile_drawings_cost_a_bounded_time(drawing: str) -> None:
    page = pypdf.PdfReader(io.BytesIO(_page(drawing))).pages[0]
    started = time.process_time()
    assert find_diagram(page, [MAX_OPERATORS]) is None
    assert time.process_time() - started < 3


def test_operators_are_counted_for_the_whole_document() -> None:
    page = pypdf.PdfReader(io.BytesIO(_page(_BOXES + _ARROWS))).pages[0]
    budget = [20]
    assert find_diagram(page, budget) == (3, 2)
    assert find_diagram(page, budget) is None
    assert budget == [0]
