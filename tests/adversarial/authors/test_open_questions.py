"""Dangerous lines that no rule can follow: where outsiders reach the code, the gate is not passed."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import CodeLocation, Outcome, Side
from auditor.report.annotations import annotate
from tests.adversarial.authors.drawing import SHELL
from tests.adversarial.authors.gated import audit_change
from tests.repos import Drawing

VIEWS = 'from flask import Flask, request\n\nfrom shop.tools import describe\n\napp = Flask(__name__)\n\n\n@app.get("/scan")\ndef scan():\n    return describe(request.args["file"])\n'
UNFOLLOWED = "from importlib import metadata\n\nRUN = metadata.entry_points(group='shop.runners')['list'].load()\n\n\ndef describe(name):\n    return RUN(['/bin/busybox', 'ash', '-c', name])\n"
CONSTANT = "from importlib import metadata\n\nRUN = metadata.entry_points(group='shop.runners')['list'].load()\n\n\ndef describe(name):\n    return RUN(['/bin/cat', '--', name])\n"


def test_a_shell_behind_a_callable_that_no_rule_knows_leaves_the_gate_open(drawing: Drawing) -> None:
    ended = audit_change(drawing, {}, {"shop/views.py": VIEWS, "shop/tools.py": UNFOLLOWED})
    assert ended.ended == "inconclusive"
    assert "`shop/views.py:8`" in ended.fact(SHELL)
    (reason,) = [each for each in ended.report.verdict.gate.reasons if each.demand == "no_new"]
    assert reason.sentence.startswith("Somebody must read shop/tools.py:7: `/bin/busybox` can run a command")


def test_the_line_that_leaves_the_gate_open_is_annotated(drawing: Drawing) -> None:
    ended = audit_change(drawing, {}, {"shop/views.py": VIEWS, "shop/tools.py": UNFOLLOWED})
    first = annotate(ended.report).shown[0]
    assert (first.path, first.start_line, first.title) == ("shop/tools.py", 7, "Somebody must read this line")


def test_a_removed_line_that_leaves_the_gate_open_is_annotated_at_no_line_of_the_head(drawing: Drawing) -> None:
    report = audit_change(drawing, {}, {"shop/views.py": VIEWS, "shop/tools.py": UNFOLLOWED}).report
    gone = CodeLocation(path="shop/tools.py", start=7, end=7, side=Side.BASE)
    evidence = tuple(
        each.model_copy(update={"locations": (gone,)}) if each.outcome is Outcome.UNAVAILABLE else each
        for each in report.evidence
    )
    shown = annotate(report.model_copy(update={"evidence": evidence})).shown
    assert [each.title for each in shown if each.title.startswith("Somebody")] == []


def test_the_same_callable_with_another_program_passes(drawing: Drawing) -> None:
    assert audit_change(drawing, {}, {"shop/views.py": VIEWS, "shop/tools.py": CONSTANT}).ended == "passed"


def test_a_shell_that_no_code_of_requests_names_passes(drawing: Drawing) -> None:
    ended = audit_change(drawing, {"shop/views.py": VIEWS}, {"release/publish_notes.py": UNFOLLOWED})
    assert ended.ended == "passed"


def test_a_handler_that_the_change_leaves_alone_counts(drawing: Drawing) -> None:
    ended = audit_change(drawing, {"shop/views.py": VIEWS, "shop/tools.py": CONSTANT}, {"shop/tools.py": UNFOLLOWED})
    assert ended.ended == "inconclusive"


HOOKS = '[{"id": "a", "execute-command": "/srv/release.sh",\n"pass-arguments-to-command": [{"source": "payload", "name": "keep"}]}]\n'
ROUTES = "GET  /label  controllers.LabelController.print(text: String)\n"


@pytest.mark.parametrize(
    ("before", "path", "hostile", "benign"),
    [
        ({"hooks.json": HOOKS}, "release.sh", "#!/bin/bash\n[[ $1 -gt 20 ]] && exit 1\n", "#!/bin/bash\n[[ $1 == 20 ]] && exit 1\n"),
        ({"conf/routes": ROUTES}, "app/LabelController.scala", "object A { val a = Seq(b, c).!! }\n", "object A { val a = Seq(b, c) }\n"),
    ],
)  # fmt: skip
def test_a_table_of_routes_that_the_change_leaves_alone_counts(
    drawing: Drawing, before: dict[str, str], path: str, hostile: str, benign: str
) -> None:
    assert audit_change(drawing, before, {path: hostile}).ended == "inconclusive"
    assert audit_change(Drawing(drawing.path.parent / "other"), {"a.json": "{}\n"}, {path: hostile}).ended == "passed"
    assert audit_change(Drawing(drawing.path.parent / "third"), before, {path: benign}).ended == "passed"


def test_a_check_of_certificates_of_ones_own_is_read_wherever_it_is(drawing: Drawing) -> None:
    names = "package shop;\n\nfinal class Names {\n    static boolean matches(String host, javax.net.ssl.SSLSession session) {\n        return host != null;\n    }\n}\n"
    calls = "package shop;\n\nfinal class Bank {\n    void open(javax.net.ssl.HttpsURLConnection bank) {\n        bank.setHostnameVerifier(Names::matches);\n    }\n}\n"
    ended = audit_change(drawing, {}, {"src/main/java/shop/Names.java": names, "src/main/java/shop/Bank.java": calls})
    assert ended.ended == "inconclusive"


def test_a_line_that_was_there_and_moves_leaves_nothing_open(drawing: Drawing) -> None:
    moved = UNFOLLOWED.replace("\n\n\ndef describe", "\nNAMES = ('a', 'b')\n\n\ndef describe")
    ended = audit_change(drawing, {"shop/views.py": VIEWS, "shop/tools.py": UNFOLLOWED}, {"shop/tools.py": moved})
    assert ended.ended == "passed"


def test_a_finding_that_was_there_does_not_answer_for_a_new_line_beside_it(drawing: Drawing) -> None:
    old = "import os\n\n\ndef show(name):\n    os.system(name)\n"
    new = old + "\n\ndef describe(runner, name):\n    runner(['bash', '-c', name])\n"
    beside = old.replace("    os.system(name)\n", "    os.system(name)\n    RUNNERS['list'](['bash', '-c', name])\n")
    for number, after in enumerate((new, beside)):
        drawn = Drawing(drawing.path.parent / f"shop{number}")
        ended = audit_change(drawn, {"shop/views.py": VIEWS, "shop/tools.py": old}, {"shop/tools.py": after})
        assert ended.ended in {"inconclusive", "failed"}


def test_tests_and_examples_leave_nothing_open(drawing: Drawing) -> None:
    files = {"tests/test_tools.py": UNFOLLOWED, "examples/tools.py": UNFOLLOWED, "shop/views.py": VIEWS}
    assert audit_change(drawing, {}, files).ended == "passed"


@pytest.mark.parametrize("also", ["", "broken.py"])
def test_a_finding_in_doubt_does_not_hide_a_file_that_could_not_be_read(drawing: Drawing, also: str) -> None:
    """`system` of a parameter is only likely in Ruby; beside a file that nobody could read it must not let the gate pass."""
    doubted = "class Shop\n  def show(name)\n    system(name)\n  end\nend\n"
    files = {"shop/show.rb": doubted, **({f"shop/{also}": "def f(:\n    eval(x)\n"} if also else {})}
    ended = audit_change(drawing, {}, files)
    assert ended.ended == ("inconclusive" if also else "passed")


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    """An empty repository."""
    return Drawing(tmp_path / "shop")
