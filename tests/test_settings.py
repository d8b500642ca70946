"""Who may decide what is asked: the base side and whoever runs the command, never the head."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from auditor import rubric_loader
from auditor.domain import Scope, Severity, UserError
from auditor.repo.repository_opening import open_repository
from auditor.settings import Inconclusive, RequestedSettings, Settings, SettingsSource, resolve
from tests.repos import Drawing

LAX = "gate: {overall: 1, criteria: {security: 1}}\nexclude: ['**']\nwaivers:\n  - {criterion: security, reason: Trust me.}\n"
STRICT = "gate: {overall: 4, criteria: {security: 4.5}, no_new: low}\n"


NO_WISHES = RequestedSettings()


def settled(
    drawing: Drawing, base: str | None = "main", wishes: RequestedSettings = NO_WISHES, today: date | None = None
) -> Settings:
    with open_repository(drawing.path, base=base) as repo:
        return resolve(wishes, repo, today)


@pytest.fixture
def changed(drawing: Drawing) -> Drawing:
    """A strict base, and a head that would rather be lax."""
    drawing.commit({".github/auditor.yml": STRICT, "a.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit({".github/auditor.yml": LAX, "a.py": "x = 2\n"})
    return drawing


def test_the_configuration_of_the_base_counts_and_that_of_the_head_does_not(changed: Drawing) -> None:
    found = settled(changed)
    assert found.applied_rubric.gate.overall == 4
    assert found.applied_rubric.gate.criteria["security"] == 4.5
    assert found.exclude == ()
    assert found.applied_rubric.waivers == ()
    assert found.applied_rubric.gate_origin["overall"] == "base:.github/auditor.yml"
    assert found.applied_rubric.config_digest


def test_without_a_base_nothing_of_the_tree_is_used_and_one_line_says_so(changed: Drawing) -> None:
    found = settled(changed, base=None)
    assert found.exclude == ()
    assert found.applied_rubric.gate.overall == 3
    (line,) = found.notices
    assert "--config" in line


def test_options_win_over_the_base(changed: Drawing) -> None:
    found = settled(changed, wishes=RequestedSettings(fail_under=2, minimum={"security": 2}))
    assert (found.applied_rubric.gate.overall, found.applied_rubric.gate.criteria["security"]) == (2, 2)


def test_a_rubric_of_the_base_is_read_from_the_base(drawing: Drawing) -> None:
    from auditor import rubric_loader

    strict = rubric_loader.source("pull-request").replace("overall: 3.0", "overall: 4.9")
    drawing.commit({".github/auditor.yml": "rubric: audit/own.yaml\n", "audit/own.yaml": strict})
    drawing.branch("work")
    drawing.commit({"audit/own.yaml": strict.replace("overall: 4.9", "overall: 1")})
    found = settled(drawing)
    assert found.applied_rubric.gate.overall == 4.9
    assert found.applied_rubric.rubric_origin == "base:audit/own.yaml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rubric: gone.yaml\n", "neither built in"),
        ("rubric: ''\n", "neither built in"),
        ("rubric: ../gone.yaml\n", "neither built in"),
        ("rubric: /etc/hosts\n", "neither built in"),
        ('rubric: "a\\0b"\n', "neither built in"),
        ("rubric: .github\n", "must be a regular file"),
        ("[]\n", "base:.github/auditor.yml:1: should be keys with values"),
        ("exclude: legacy\n", "exclude: should be a list (got 'legacy')"),
        ("gates: {}\n", "base:.github/auditor.yml:1: unknown key 'gates'; did you mean 'gate'?"),
        ("waivers:\n  - {criterion: safety, reason: x}\n", ".github/auditor.yml:2: 'safety' is not a criterion"),
        ("waivers:\n  - {criterion: security, reason: x, until: soon}\n", ":2: "),
        ("waivers:\n  - {criterion: security, reason: x, until: 2026-02-30}\n", ":2: "),
        ("gate: {criteria: {safety: 3}}\n", ".github/auditor.yml:1: 'safety' is not a criterion"),
        (
            "gate:\n  criteria: {safety: 3}\nwaivers:\n  - {criterion: safty, reason: x}\n",
            "auditor.yml:2: 'safety' is not a criterion of the rubric pull-request: there are",
        ),
        (
            "gate:\n  criteria: {safety: 3}\nwaivers:\n  - {criterion: securty, reason: x}\n",
            "auditor.yml:4: 'securty' is not a criterion of the rubric pull-request: did you mean 'security'?",
        ),
    ],
)
def test_mistakes_in_the_base_configuration_are_sentences(drawing: Drawing, text: str, said: str) -> None:
    drawing.commit({".github/auditor.yml": text})
    drawing.branch("work")
    drawing.commit({"a.py": "x = 1\n"})
    with pytest.raises(UserError) as error:
        settled(drawing)
    assert said in str(error.value)


def with_work(drawing: Drawing) -> Drawing:
    drawing.branch("work")
    drawing.commit({"a.py": "x = 1\n"})
    return drawing


UNREADABLE = r"auditor\.yml' at the base must be a regular file of at most 1,000,000 bytes"


def test_a_configuration_that_is_too_large_does_not_pass_for_absent(drawing: Drawing) -> None:
    drawing.commit({".github/auditor.yml": f"# {'x' * 1_000_000}\n"})
    with pytest.raises(UserError, match=UNREADABLE):
        settled(with_work(drawing))


def test_a_configuration_that_is_a_link_does_not_pass_for_absent(drawing: Drawing) -> None:
    (drawing.path / ".github").mkdir()
    (drawing.path / ".github" / "auditor.yml").symlink_to("elsewhere.yml")
    drawing.commit({"elsewhere.yml": STRICT})
    with pytest.raises(UserError, match=UNREADABLE):
        settled(with_work(drawing))


def test_a_waiver_ends_after_its_last_day(drawing: Drawing) -> None:
    drawing.commit({".github/auditor.yml": "waivers:\n  - {criterion: tests, reason: Later., until: 2026-06-30}\n"})
    drawing.branch("work")
    drawing.commit({"a.py": "x = 1\n"})
    assert len(settled(drawing, today=date(2026, 6, 30)).applied_rubric.waivers) == 1
    late = settled(drawing, today=date(2026, 7, 1))
    assert late.applied_rubric.waivers == ()
    assert "expired" in late.notices[0]


INPUT = SettingsSource.INPUT


def test_an_input_of_a_workflow_names_a_rubric_of_the_base_and_never_a_file_of_this_machine(
    drawing: Drawing, tmp_path: Path
) -> None:
    mine = rubric_loader.source("pull-request").replace("id: pull-request", "id: mine", 1)
    (tmp_path / "mine.yaml").write_text(mine)
    drawing.commit({"rules/mine.yaml": mine})
    drawing.branch("work")
    drawing.commit({"rules/other.yaml": mine})
    found = settled(drawing, wishes=RequestedSettings(rubric="rules/mine.yaml", requested_by=INPUT))
    assert (found.applied_rubric.rubric.id, found.applied_rubric.rubric_origin) == ("mine", "base:rules/mine.yaml")
    for name in (str(tmp_path / "mine.yaml"), "rules/other.yaml", "../mine.yaml", "rules"):
        with pytest.raises(UserError, match=r"nor a file at the base|must be a regular file"):
            settled(drawing, wishes=RequestedSettings(rubric=name, requested_by=INPUT))


def test_without_a_base_a_workflow_uses_the_configuration_of_the_commit_it_stands_in_itself(changed: Drawing) -> None:
    found = settled(changed, base=None, wishes=RequestedSettings(requested_by=INPUT))
    assert found.applied_rubric.gate_origin["overall"] == "head:.github/auditor.yml"
    assert found.exclude == ("**",)


def test_inputs_win_over_the_file_and_the_record_says_so(changed: Drawing) -> None:
    found = settled(changed, wishes=RequestedSettings(fail_under=2, no_new=Severity.CRITICAL, requested_by=INPUT))
    assert (found.applied_rubric.gate.overall, found.applied_rubric.gate.no_new) == (2, Severity.CRITICAL)
    asked = {"overall": "input", "no_new": "input", "criteria.security": "base:.github/auditor.yml"}
    assert asked.items() <= found.applied_rubric.gate_origin.items()


def test_what_could_not_be_judged_does_not_pass_unless_the_base_says_so(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    assert settled(drawing, base="main").inconclusive is Inconclusive.ACTION_REQUIRED
    drawing.commit({".github/auditor.yml": "inconclusive: neutral\n"})
    drawing.branch("work")
    drawing.commit({".github/auditor.yml": "inconclusive: failure\n"})
    assert settled(drawing).inconclusive is Inconclusive.NEUTRAL
    drawing.switch("main")
    drawing.commit({".github/auditor.yml": "inconclusive: success\n"})
    with pytest.raises(UserError, match=r"auditor\.yml:1: .*'failure', 'action_required' or 'neutral'"):
        settled(drawing)


@pytest.mark.parametrize(
    ("asked", "configured", "whole"),
    [(None, "introduced", False), (None, "whole_tree", True), ("introduced", "whole_tree", False), ("whole_tree", "introduced", True)],
)  # fmt: skip
def test_a_scope_that_is_asked_for_wins_over_the_file_both_ways(
    drawing: Drawing, asked: str | None, configured: str, whole: bool
) -> None:
    drawing.commit({".github/auditor.yml": f"scope: {configured}\n"})
    assert settled(drawing, wishes=RequestedSettings(scope=Scope(asked) if asked else None)).whole_tree is whole
