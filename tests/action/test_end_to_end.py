"""The entry point as a runner runs it: it blocks what is bad, passes what is good, and edits instead of adding."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.action.stage import BETTER, NAME, WORSE, Stage, staged
from tests.fake_github.faults import Fault
from tests.fake_github.state import JOB_TOKEN, READ_ONLY_TOKEN


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with staged(tmp_path) as found:
        yield found


def test_a_bad_pull_request_is_blocked_by_check_comment_and_exit_code(stage: Stage) -> None:
    head = stage.pull(WORSE)
    done = stage.step()
    assert done.code == 1, done.log
    check = stage.check(head)
    assert (check.name, check.status, check.conclusion) == (NAME, "completed", "failure")
    assert "pkg/b.py" in {each["path"] for each in check.annotations}
    (body,) = stage.github.world.bodies(7)
    assert "Failed" in body
    assert f"/blob/{head}/pkg/b.py#L5" in body
    assert done.outputs["verdict"] == "failed"
    assert "security" in done.outputs["failed-criteria"].split(",")
    assert done.outputs["check-url"]
    assert done.outputs["comment-url"]
    record = json.loads((stage.workspace / done.outputs["report-path"]).read_text())
    assert record["subject"]["pull_request"] == 7
    (log,) = json.loads((stage.workspace / "auditor-report" / "report.sarif").read_text())["runs"]
    names = {each["id"]: each["shortDescription"]["text"] for each in log["tool"]["driver"]["rules"]}
    assert names["code.shell_execution"] == "Shell injection risk"
    assert {each.name for each in (stage.workspace / "auditor-report").iterdir()} == {
        "report.json", "report.md", "report.html", "report.sarif",
    }  # fmt: skip
    assert "Failed" in done.summary
    assert re.search(
        r"^auditor: Verdict: failed, .*\nauditor: Shell injection risk: .* severity critical", done.log, re.MULTILINE
    )
    assert "Traceback" not in done.log
    assert stage.github.token not in done.log + done.summary + json.dumps(record)
    assert len(stage.github.log) <= 12, stage.github.lines


def test_a_good_pull_request_passes(stage: Stage) -> None:
    head = stage.pull(BETTER)
    done = stage.run()
    assert done.code == 0, done.log
    assert stage.check(head).conclusion == "success"
    assert re.fullmatch(r"[1-5]\.[0-9]", done.outputs["score"])
    assert (done.outputs["verdict"], done.outputs["failed-criteria"]) == ("passed", "")


@pytest.mark.parametrize("files", [BETTER, WORSE], ids=["passed", "failed"])
def test_the_comment_names_the_commit_that_was_audited(stage: Stage, files: dict[str, str]) -> None:
    first = stage.pull(files)
    stage.run()
    (body,) = stage.github.world.bodies(7)
    assert f"Audited commit [`{first[:10]}`](" in body
    second = stage.pull({**files, "pkg/c.py": "LIMIT = 3\n"})
    stage.run(event=stage.event("pull_request.synchronize", before=first, after=second))
    (body,) = stage.github.world.bodies(7)
    assert f"Audited commit [`{second[:10]}`](" in body
    assert f"/commit/{second}). " in body


def test_an_empty_pull_request_is_neutral_and_its_merge_group_too(stage: Stage) -> None:
    head = stage.pull({})
    done = stage.run()
    assert (done.code, done.outputs["verdict"], done.outputs["score"]) == (0, "nothing to judge", ""), done.log
    check = stage.check(head)
    assert check.conclusion == "neutral"
    assert "Nothing to judge" in str(check.output["title"])
    (body,) = stage.github.world.bodies(7)
    assert "Nothing to judge" in body
    assert "Nothing to judge" in done.summary
    assert "auditor: Verdict: nothing to judge." in done.log
    group = stage.work.commit()
    stage.github.world.commits.add(group)
    done = stage.run("merge_group.checks_requested", merge_group(stage, group))
    assert (done.code, done.outputs["verdict"]) == (0, "nothing to judge")
    assert stage.check(group).conclusion == "neutral"


def test_the_whole_tree_of_an_empty_pull_request_is_judged_where_the_workflow_asks_for_it(stage: Stage) -> None:
    head = stage.pull({})
    stage.inputs = {"scope": "whole_tree"}
    assert stage.run().outputs["verdict"] in {"passed", "failed", "inconclusive"}
    assert stage.check(head).conclusion != "neutral"


def test_a_push_with_the_scope_of_the_whole_tree_is_audited(stage: Stage) -> None:
    stage.github.world.commits.add(stage.work.git("rev-parse", "main"))
    stage.inputs = {"scope": "whole_tree"}
    done = stage.run("push.commits")
    assert done.outputs["verdict"] in {"passed", "failed", "inconclusive"}, done.log


def test_the_second_push_edits_the_comment_and_says_what_changed(stage: Stage) -> None:
    first = stage.pull(WORSE)
    assert stage.run().code == 1
    second = stage.pull({"pkg/b.py": None, **{f"pkg/{name.rpartition('/')[2]}": text for name, text in BETTER.items()}})
    event = stage.event("pull_request.synchronize", before=first, after=second)
    stage.run("pull_request.synchronize", event)
    (comment,) = [each for each in stage.github.world.comments if each.pull == 7]
    assert comment.edits == 1
    assert first[:7] in comment.body
    assert stage.check(first).conclusion == "failure"
    assert len(stage.checks(second)) == 1


def test_a_second_run_on_the_same_commit_doubles_nothing(stage: Stage) -> None:
    head = stage.pull(WORSE)
    stage.run()
    before = list(stage.check(head).annotations)
    done = stage.run(GITHUB_RUN_ATTEMPT="2")
    assert done.code == 1
    assert stage.check(head).annotations == before
    (comment,) = stage.github.world.comments
    assert comment.edits == 0


OUTSIDE: dict[str, Any] = {"author": "stranger", "head_repository": "stranger/shop"}
ROUTE = {
    **BETTER,
    "pkg/c.py": '"""C."""\n\n\ndef allow(login: str, admins: list[str]) -> bool:\n    """Is this an admin?"""\n    return login in admins\n',
    "tests/test_c.py": "def test_allow():\n    assert allow('a', ['a'])\n",
}


def test_a_change_of_an_outsider_waits_for_an_approval_of_that_very_commit(stage: Stage) -> None:
    head = stage.pull(ROUTE, **OUTSIDE)
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (4, "inconclusive"), done.log
    check = stage.check(head)
    assert check.conclusion == "action_required"
    assert "somebody who can must approve this commit" in str(check.output["title"])
    assert "pkg/c.py" in {each["path"] for each in check.annotations}
    stage.github.world.review(7, "maintainer")
    done = stage.run("pull_request_review.approved")
    assert (done.code, done.outputs["verdict"]) == (0, "passed"), done.log
    assert stage.check(head).conclusion == "success"
    record = json.loads((stage.workspace / done.outputs["report-path"]).read_text())
    assert record["subject"]["approval_status"] == {
        "author_can_write": False,
        "approved_by": ["maintainer"],
        "unanswered": "",
    }
    again = stage.pull({"pkg/c.py": ROUTE["pkg/c.py"].replace("login in", "login not in")})
    assert stage.run("pull_request.synchronize").code == 4
    assert stage.check(again).conclusion == "action_required"


def test_a_review_that_decides_nothing_repeats_the_verdict_and_writes_nothing(stage: Stage) -> None:
    head = stage.pull(WORSE)
    assert stage.run().code == 1
    before = len(stage.github.writes)
    done = stage.run("pull_request_review.commented")
    assert (done.code, done.outputs["verdict"]) == (1, "failed"), done.log
    assert len(stage.github.writes) == before
    event = stage.event("pull_request_review.approved")
    event["review"]["user"]["login"] = "stranger"
    assert stage.run("pull_request_review.approved", event).code == 1
    assert len(stage.github.writes) == before
    assert len(stage.checks(head)) == 1


def test_a_review_of_a_change_without_a_verdict_is_no_green_run(stage: Stage) -> None:
    stage.pull(WORSE, **OUTSIDE)
    stage.git.token = None
    stage.inputs["token"] = READ_ONLY_TOKEN
    assert stage.run("pull_request_review.commented").code == 1


@pytest.mark.parametrize(
    ("first", "later", "conclusion"),
    [("APPROVED", "DISMISSED", "action_required"), (None, "APPROVED", "success")],
)
def test_what_is_decided_while_an_audit_is_under_way_counts_in_it(
    stage: Stage, first: str | None, later: str, conclusion: str
) -> None:
    head = stage.pull(ROUTE, **OUTSIDE)
    if first:
        stage.github.world.review(7, "maintainer", first)
    stage.github.before("POST", "/check-runs", lambda world: world.review(7, "maintainer", later))
    stage.run()
    assert stage.check(head).conclusion == conclusion


def test_a_merge_group_of_an_outsider_asks_again_who_approved(stage: Stage) -> None:
    stage.pull(ROUTE, **OUTSIDE)
    stage.github.world.review(7, "maintainer")
    assert stage.run().code == 0
    group = stage.work.commit({"pkg/d.py": "LIMIT = 3\n"})
    stage.work.git("push", "--quiet", "--force", str(stage.hosted), "HEAD:refs/heads/queue")
    stage.github.world.commits.add(group)
    assert stage.run("merge_group.checks_requested", merge_group(stage, group)).code == 0
    stage.github.world.review(7, "maintainer", "DISMISSED")
    done = stage.run("merge_group.checks_requested", merge_group(stage, group), GITHUB_RUN_ATTEMPT="2")
    assert done.code == 4, done.log


def test_a_merge_group_of_an_outsider_without_a_verdict_needs_an_approval(stage: Stage) -> None:
    stage.pull(ROUTE, **OUTSIDE)
    group = stage.work.git("rev-parse", "HEAD")
    stage.github.world.commits.add(group)
    assert stage.run("merge_group.checks_requested", merge_group(stage, group)).code == 4
    stage.github.world.review(7, "maintainer")
    done = stage.run("merge_group.checks_requested", merge_group(stage, group), GITHUB_RUN_ATTEMPT="2")
    assert done.code == 0, done.log


def test_the_same_change_of_somebody_who_can_write_needs_no_approval(stage: Stage) -> None:
    stage.pull(ROUTE)
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (0, "passed"), done.log


def test_a_change_cannot_turn_the_approval_off_for_itself_and_the_base_can(tmp_path: Path) -> None:
    off = "gate: {approval_for: nobody}\n"
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with staged(tmp_path / "a") as stage:
        stage.pull({**ROUTE, ".github/auditor.yml": off}, **OUTSIDE)
        assert stage.run().code != 0
    with staged(tmp_path / "b", off) as stage:
        stage.pull(ROUTE, **OUTSIDE)
        assert stage.run().code == 0


def test_inputs_decide_the_gate_and_the_report_says_so(stage: Stage) -> None:
    stage.pull(BETTER)
    stage.inputs = {"min-overall": "5", "min-scores": "tests: 5", "no-new": "low", "report-directory": "out/audit"}
    done = stage.run()
    assert done.outputs["report-path"] == "out/audit/report.json"
    record = json.loads((stage.workspace / "out/audit/report.json").read_text())
    assert record["rubric"]["gate_origin"]["overall"] == "input"
    assert done.code in (0, 1)


@pytest.mark.parametrize(
    ("inputs", "code", "conclusion"),
    [
        ({"fail-step": "never"}, 0, "failure"),
        ({"check-conclusion": "report"}, 1, "neutral"),
    ],
)
def test_check_and_step_are_decided_by_inputs_of_their_own(
    stage: Stage, inputs: dict[str, str], code: int, conclusion: str
) -> None:
    head = stage.pull(WORSE)
    stage.inputs = inputs
    assert stage.run().code == code
    assert stage.check(head).conclusion == conclusion


def test_what_cannot_be_judged_is_for_the_base_to_decide(tmp_path: Path) -> None:
    with staged(tmp_path, "inconclusive: neutral\n") as stage:
        head = stage.pull({"pkg/b.py": "def f(:\n"})
        done = stage.run()
        assert (done.code, done.outputs["verdict"]) == (0, "inconclusive")
        assert stage.check(head).conclusion == "neutral"


# Tokens and forks


def test_a_read_only_token_is_found_out_before_the_audit_and_the_verdict_still_gates(stage: Stage) -> None:
    stage.pull(WORSE, head_repository="stranger/shop")
    stage.git.token = None
    done = stage.run("pull_request.fork", INPUT_TOKEN=READ_ONLY_TOKEN)
    assert done.code == 1
    assert stage.github.world.runs == []
    assert stage.github.world.bodies(7) == []
    assert "::error file=pkg/b.py,line=5" in done.log
    assert "::warning title=Automaton Auditor::" in done.log
    assert "Failed" in done.summary
    assert done.outputs["check-url"] == done.outputs["comment-url"] == ""


def test_without_any_token_a_public_repository_is_audited_all_the_same(stage: Stage) -> None:
    stage.pull(WORSE)
    stage.git.token = None
    done = stage.run(INPUT_TOKEN="")
    assert (done.code, done.outputs["verdict"]) == (1, "failed")
    assert stage.github.log == []


def test_pull_request_target_audits_a_fork_with_the_bases_rules(tmp_path: Path) -> None:
    with staged(tmp_path, "gate: {overall: 1, no_new: critical, criteria: {security: 1, governance: 1}}\n") as stage:
        head = stage.pull({"CHANGES.md": "x\n", ".github/auditor.yml": "gate: {overall: 5}\n"}, head_repository="stranger/shop")  # fmt: skip
        done = stage.run("pull_request_target.opened")
        record = json.loads((stage.workspace / "auditor-report/report.json").read_text())
        assert record["subject"]["fork"] is True
        assert record["rubric"]["gate_origin"]["overall"] == "base:.github/auditor.yml"
        assert record["rubric"]["gate"]["overall"] == 1
        assert stage.checks(head)
        assert done.outputs["verdict"] in {"passed", "inconclusive", "failed"}


def test_a_workflow_run_finds_its_pull_request_by_head_and_repository(stage: Stage) -> None:
    head = stage.pull(WORSE, head_repository="stranger/shop", head_ref="rounding")
    event = stage.event("workflow_run.of_a_fork")
    event["workflow_run"] |= {"head_sha": head, "head_repository": {"full_name": "stranger/shop"}}
    assert stage.run("workflow_run.of_a_fork", event).code == 1
    assert stage.check(head).conclusion == "failure"
    event["workflow_run"] |= {"head_sha": "5" * 40}
    assert stage.run("workflow_run.of_a_fork", event).outputs["verdict"] == "skipped"


def test_a_conflicting_pull_request_is_audited_and_told_to_conflict(stage: Stage) -> None:
    stage.pull(BETTER)
    stage.work.switch("main")
    stage.github.world.pulls[7].mergeable = False
    done = stage.run("pull_request_target.conflicting")
    assert done.outputs["verdict"] == "passed"
    assert "has conflicts with its base" in done.log
    assert "has conflicts with its base" in "".join(stage.github.world.bodies(7))


def test_one_head_in_two_pull_requests_is_no_way_to_be_judged_by_the_milder_base(stage: Stage) -> None:
    head = stage.pull(BETTER, head_repository="stranger/shop", head_ref="rounding")
    main = stage.work.git("rev-parse", "main")
    stage.github.world.pull(8, head, base_sha=main, head_repository="stranger/shop", head_ref="rounding")
    event = stage.event("workflow_run.of_a_fork")
    event["workflow_run"] |= {"head_sha": head, "head_repository": {"full_name": "stranger/shop"}}
    done = stage.run("workflow_run.of_a_fork", event)
    assert (done.code, done.outputs["verdict"]) == (2, "error")
    assert stage.check(head).conclusion == "failure"
    assert "The pull requests 7, 8 have the same head" in done.log


# Merge groups and whole repositories


def merge_group(stage: Stage, sha: str) -> dict[str, object]:
    event = stage.event("merge_group.checks_requested")
    base = stage.work.git("rev-parse", "main")
    event["merge_group"] |= {"head_sha": sha, "base_sha": base, "head_ref": f"refs/heads/gh-readonly-queue/main/pr-7-{base}"}  # fmt: skip
    return event


def test_a_merge_group_gets_the_verdict_of_its_pull_request_without_an_audit(stage: Stage) -> None:
    stage.pull(WORSE)
    stage.run()
    fetched = len(stage.git.requests)
    group = stage.work.commit()
    stage.github.world.commits.add(group)
    done = stage.run("merge_group.checks_requested", merge_group(stage, group))
    assert (done.code, done.outputs["verdict"]) == (1, "failed")
    assert stage.check(group).conclusion == "failure"
    assert len(stage.git.requests) == fetched


@pytest.mark.parametrize("token", [JOB_TOKEN, READ_ONLY_TOKEN])
def test_a_verdict_that_another_app_has_forged_is_not_carried_over(stage: Stage, token: str) -> None:
    stage.git.token = None
    head = stage.pull(WORSE)
    forged = stage.github.world.run(NAME, head, app="other-app", external_id="automaton-auditor/pull-request/7")
    forged.status, forged.conclusion = "completed", "success"
    stage.work.git("push", "--quiet", str(stage.hosted), "HEAD:refs/heads/gh-readonly-queue/main/pr-7-x")
    done = stage.run("merge_group.checks_requested", merge_group(stage, head), INPUT_TOKEN=token)
    assert (done.code, done.outputs["verdict"]) == (1, "failed")


def test_a_merge_group_without_a_verdict_to_carry_is_audited_itself(stage: Stage) -> None:
    stage.pull(WORSE)
    group = stage.work.git("rev-parse", "HEAD")
    stage.work.git("push", "--quiet", str(stage.hosted), "HEAD:refs/heads/gh-readonly-queue/main/pr-7-x")
    done = stage.run("merge_group.checks_requested", merge_group(stage, group))
    assert (done.code, done.outputs["verdict"]) == (1, "failed")
    assert stage.check(group).conclusion == "failure"
    assert stage.github.world.comments == []


@pytest.mark.parametrize("name", ["push.commits", "schedule"])
def test_a_whole_repository_gets_a_check_and_a_summary_and_no_comment(stage: Stage, name: str) -> None:
    sha = stage.work.git("rev-parse", "main")
    stage.github.world.commits.add(sha)
    done = stage.run(name)
    assert done.code in (0, 1, 4), done.log
    (check,) = stage.github.world.runs
    assert (check.name, check.head_sha, check.status) == (f"{NAME}, whole repository", sha, "completed")
    assert stage.github.world.comments == []
    assert "# " in done.summary


def test_a_push_to_the_branch_of_a_pull_request_does_not_stand_for_its_verdict(stage: Stage) -> None:
    head = stage.pull(WORSE)
    stage.run()
    stage.run(
        "push.commits", {**stage.event("push.commits"), "after": head}, GITHUB_SHA=head, GITHUB_REF="refs/heads/work"
    )
    assert [run.name for run in stage.github.world.runs] == [NAME, f"{NAME}, whole repository"]
    assert stage.check(head).external_id == "automaton-auditor/pull-request/7"


# Nothing to do


def test_a_draft_writes_nothing_and_says_why(stage: Stage) -> None:
    head = stage.pull(WORSE, draft=True)
    done = stage.run("pull_request.draft")
    assert (done.code, done.outputs["verdict"]) == (0, "skipped")
    assert stage.checks(head) == []
    assert "is a draft" in done.log
    assert stage.git.requests == []


def test_the_live_state_counts_and_not_the_event(stage: Stage) -> None:
    stage.pull(WORSE)
    event = stage.event("pull_request.opened")
    stage.github.world.pulls[7].state = "closed"
    assert stage.run(event=event).outputs["verdict"] == "skipped"


def test_an_old_event_run_again_audits_the_head_of_today(stage: Stage) -> None:
    stage.pull(WORSE)
    event = stage.event("pull_request.opened")
    newer = stage.pull({"pkg/c.py": "x = 1\n"})
    assert stage.run(event=event).outputs["verdict"] == "superseded"
    assert stage.github.world.runs == []
    done = stage.run(event=event, GITHUB_RUN_ATTEMPT="2")
    assert done.code == 1
    assert stage.check(newer).conclusion == "failure"


# Another base


def led_to_another_base(stage: Stage) -> str:
    """A pull request that passes, and then gets another base; gives its head."""
    head = stage.pull(BETTER)
    assert stage.run().code == 0
    stage.work.switch("main")
    stage.github.world.pulls[7].base_sha = stage.work.commit({".github/auditor.yml": "gate: {overall: 4}\n"})
    stage.work.git("push", "--quiet", str(stage.hosted), "main")
    assert stage.check(head).conclusion == "success"
    return head


def test_what_passed_for_another_base_does_not_outlive_an_audit_that_comes_to_nothing(stage: Stage) -> None:
    head = led_to_another_base(stage)
    stage.git.status = 500
    assert stage.run("pull_request.edited").outputs["verdict"] == "error"
    assert stage.check(head).conclusion == "failure"


def test_what_passed_for_another_base_does_not_count_while_the_new_audit_is_under_way(stage: Stage) -> None:
    head = led_to_another_base(stage)
    seen: list[str | None] = []

    def look(_: object) -> None:
        seen.append(stage.check(head).conclusion)
        stage.github.before("PATCH", "/check-runs/1001", look)

    look(None)
    stage.run("pull_request.edited")
    assert seen == ["success", "success", "action_required", "action_required"]
    assert stage.check(head).conclusion == "success"


def test_a_verdict_on_the_same_base_stays_until_there_is_a_new_one(stage: Stage) -> None:
    head = stage.pull(BETTER)
    stage.run()
    stage.git.status = 500
    assert stage.run("pull_request.edited").outputs["verdict"] == "error"
    assert stage.check(head).conclusion == "success"


# Trouble


def test_a_push_during_the_audit_leaves_the_newer_verdict_alone(stage: Stage) -> None:
    head = stage.pull(WORSE)
    stage.github.before("POST", "/check-runs", lambda world: world.push(7, "5" * 40))
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (0, "superseded")
    assert stage.check(head).conclusion == "cancelled"
    assert stage.github.world.bodies(7) == []


def test_a_ref_that_lags_behind_its_head_costs_no_verdict(stage: Stage) -> None:
    first = stage.pull(BETTER)
    second = stage.pull(WORSE)
    stage.work.git("push", "--quiet", str(stage.hosted), f"{second}:refs/heads/kept")
    stage.work.git("push", "--quiet", "--force", str(stage.hosted), f"{first}:refs/pull/7/head")
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (1, "failed")
    assert stage.check(second).conclusion == "failure"
    assert stage.checks(first) == []


@pytest.mark.parametrize("status", [401, 404, 500])
def test_a_clone_that_fails_completes_the_check_run(stage: Stage, status: int) -> None:
    head = stage.pull(WORSE)
    stage.git.status = status
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (2, "error")
    assert stage.check(head).conclusion == "failure"
    assert "::error title=Automaton Auditor::Nothing was fetched" in done.log
    assert "--" not in done.log
    assert "could not run" in done.summary


def test_a_mistake_in_the_configuration_is_told_with_its_line(tmp_path: Path) -> None:
    with staged(tmp_path, "rubric: pull-request\ngates: {}\n") as stage:
        head = stage.pull(BETTER)
        done = stage.run()
        assert done.code == 2
        assert "base:.github/auditor.yml:2: unknown key 'gates'; did you mean 'gate'?" in done.log.replace("\u2060", "")
        assert stage.check(head).conclusion == "failure"


def test_a_wrong_input_is_an_error_before_anything_is_asked(stage: Stage) -> None:
    stage.pull(BETTER)
    stage.inputs = {"min-overall": "nine"}
    done = stage.run()
    assert done.code == 2
    assert (
        "::error title=Automaton Auditor::the input min-overall must be a number from 1 to 5, not 'nine'." in done.log
    )
    assert done.outputs["verdict"] == "error"
    assert "min-overall" in done.summary
    assert stage.github.log == []


def test_github_that_is_down_costs_what_is_written_there_and_not_the_gate(stage: Stage) -> None:
    stage.pull(WORSE)
    stage.github.fail(Fault.server_error(503, times=1000))
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (1, "failed")
    assert "::error file=pkg/b.py,line=5" in done.log
    assert (stage.workspace / "auditor-report" / "report.json").exists()
    assert done.seconds < 60


def test_a_check_run_that_could_not_be_begun_is_begun_after_the_audit(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    from auditor.action import audit_child_process, check_run_lifecycle

    carried_out = audit_child_process.audit

    def recovering(*given: Any) -> Any:
        found = carried_out(*given)
        stage.github.faults.clear()
        return found

    monkeypatch.setattr(audit_child_process, "audit", recovering)
    monkeypatch.setattr(check_run_lifecycle, "QUERY_SECONDS", 1.0)
    head = stage.pull(WORSE)
    stage.github.fail(Fault.server_error(503, verb="POST", path="/check-runs", times=1000))
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (1, "failed")
    assert stage.check(head).conclusion == "failure"
    assert done.outputs["check-url"]


def test_a_run_again_does_not_go_by_an_old_event_when_github_is_down(stage: Stage) -> None:
    stage.pull(WORSE)
    stage.github.fail(Fault.server_error(503, times=1000))
    done = stage.run(GITHUB_RUN_ATTEMPT="2")
    assert (done.code, done.outputs["verdict"]) == (2, "error")


def test_time_that_is_up_completes_the_check_run_as_timed_out(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.action.check_run_lifecycle import AuditRun

    head = stage.pull(WORSE)
    stage.git.delay = 20
    monkeypatch.setattr(AuditRun, "_left", lambda _case: 0.5)
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (2, "timed out")
    assert stage.check(head).conclusion == "timed_out"
    assert done.seconds < 10


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_completes_the_check_run_as_cancelled(stage: Stage, number: signal.Signals) -> None:
    head = stage.pull(WORSE)
    stage.git.delay = 0.3
    started = time.monotonic()
    process, environment = stage.start()
    while not stage.checks(head) and time.monotonic() - started < 30:
        time.sleep(0.02)
    process.send_signal(number)
    sent = time.monotonic()
    done = stage.wait(process, environment, started)
    assert time.monotonic() - sent < 7
    assert done.code == 143, done.log
    assert stage.check(head).conclusion == "cancelled"
    assert done.outputs["verdict"] == "stopped"
    assert "Traceback" not in done.log


def test_a_bug_completes_the_check_run_and_shows_no_traceback(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("oops")

    head = stage.pull(WORSE)
    monkeypatch.setattr("auditor.pipeline.audit", stumble)
    done = stage.run()
    assert (done.code, done.outputs["verdict"]) == (3, "bug")
    assert stage.check(head).conclusion == "failure"
    assert "ZeroDivisionError" in done.log
    assert "Traceback" not in done.log


def test_an_event_that_cannot_be_audited_is_no_silent_green(stage: Stage) -> None:
    done = stage.run("issue_comment", {"action": "created"})
    assert (done.code, done.outputs["verdict"]) == (2, "error")
