"""Labels of semgrep-rules are read as semgrep means them."""

from __future__ import annotations

from pathlib import Path

from tests.peers.semgrep_labels import labelled_files
from tests.repos import Drawing

_SOURCE = """\
import os

# ruleid: dangerous-system-call, some-other-rule
os.system(name)

# ok: dangerous-system-call
os.system(
    "ls",
)
print(name)

# todoruleid: dangerous-system-call
os.system(name.strip())
"""


def test_marks_label_the_code_below_them(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path)
    drawing.commit(
        {"python/lang/call.py": _SOURCE, "python/lang/call.yaml": "# ruleid: dangerous-system-call\nrules: []\n"}
    )

    (file,) = labelled_files(tmp_path)

    assert [(each.probe, each.first, each.last, each.positive) for each in file.labels] == [
        ("code.shell_execution", 4, 4, True),
        ("code.shell_execution", 7, 9, False),
    ]


def test_files_without_a_label_of_a_known_rule_are_left_out(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path)
    drawing.commit({"python/lang/cookies.py": "# ruleid: secure-set-cookie\nset_cookie()\n"})

    assert labelled_files(tmp_path) == []
