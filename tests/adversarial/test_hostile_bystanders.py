"""Documents that a change leaves alone and that are read because a file goes or a link leads to them, written so that nothing is told."""

from __future__ import annotations

from time import process_time

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


def test_links_without_number_or_end_to_headings_take_no_time_and_hide_no_broken_one(drawing: Drawing) -> None:
    tangled = "# A\n" + "[x](" * 40_000
    climbing = "[x](../../../../../etc/passwd.md#a) [y](../.git/config.md#a)\n"
    drawing.commit({"docs/a.md": tangled, "docs/b.md": "# Here\n", "docs/c.md": "# C\n"})
    drawing.branch("work")
    drawing.commit({"docs/d.md": "[x](a.md#" * 20_000, "docs/e.md": f"{climbing}[b](b.md#there) [c](c.md#c)\n"})
    started = process_time()
    assert ("docs/e.md", 2) in places(found(audited(drawing.path, "main"), "docs.links_resolve"))
    assert process_time() - started < 10
