"""Documents that a change leaves alone and that are read because a file goes, written so that nothing is told."""

from __future__ import annotations

from tests.auditing import audited, found, places
from tests.repos import Drawing


def test_a_document_too_tangled_to_read_hides_no_other_that_names_a_file_which_goes(drawing: Drawing) -> None:
    tangled = "[x](tools/weigh.py) `tools/weigh.py` " * 8_000
    climbing = "See [x](../../../../tools/weigh.py).\n"
    drawing.commit(
        {"a.md": tangled, "b.md": climbing, "c.md": "Run `tools/weigh.py`.\n", "tools/weigh.py": "print(1)\n"}
    )
    drawing.branch("work")
    drawing.commit({"tools/weigh.py": None})
    assert places(found(audited(drawing.path, "main"), "docs.paths_exist")) == [("c.md", 1)]
