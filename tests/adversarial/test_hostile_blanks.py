"""Long rows of blanks in types and pipelines: forms that look for what stands behind them take no square of their length."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.public_api.written_type_comparison import is_narrowed, is_same_type, is_widened
from auditor.forensics.workflows.checking_pipelines import find_check_pipelines

BLANKS = 60_000
PIPELINE = "on:\n  push:\njobs:\n  a:\n    steps:\n      - run: pytest\n"


def test_types_with_long_rows_of_blanks_are_compared_in_time() -> None:
    wide = "Row" + " " * BLANKS + "| Cell"
    started = time.process_time()
    assert is_same_type(wide, "Row | Cell")
    assert not is_same_type(wide, "Row | Page")
    assert is_widened("Row", wide)
    assert is_narrowed(wide, "Row")
    assert time.process_time() - started < 1


@pytest.mark.parametrize("rows", ["\n" * BLANKS, "  push:" + "\n" * BLANKS + "x", "  mvn " + "-a " * BLANKS])
def test_pipelines_with_long_rows_of_blanks_are_read_in_time(rows: str) -> None:
    path = ".github/workflows/ci.yml"
    started = time.process_time()
    assert find_check_pipelines({path: PIPELINE.replace("jobs:", f"{rows}\njobs:", 1)}) == {path}
    assert time.process_time() - started < 1
