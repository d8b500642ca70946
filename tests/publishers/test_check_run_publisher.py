"""The check run: one a commit, concluded whatever happens, each annotation on it once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.domain import CheckConclusion, CheckRun
from auditor.github import ErrorKind, GitHub, GitHubError
from auditor.publishers import PublicationSubject, check_run_publisher
from auditor.publishers.check_run_publisher import SubjectOutdated
from auditor.report import answers_kept_on_check_run
from tests.fake_github import PERSONAL_TOKEN, READ_ONLY_TOKEN, FakeGitHub, Fault, StoredRun
from tests.fake_github.state import Token
from tests.publishers.desks import ABOUT, HEAD, NAME, NEWER, connected, note, verdict

FAILURE, SUCCESS = CheckConclusion.FAILURE, CheckConclusion.SUCCESS


def begin(github: GitHub, about: PublicationSubject = ABOUT) -> CheckRun:
    return check_run_publisher.begin(github, about, NAME, "https://example.com/run/1")


def whole(github: GitHub, lines: range, conclusion: CheckConclusion = FAILURE) -> CheckRun:
    return check_run_publisher.conclude(github, ABOUT, begin(github), conclusion, verdict(lines)).run


def lines_on(run: StoredRun) -> list[int]:
    return [each["start_line"] for each in run.annotations]


def test_it_is_begun_before_the_work_and_concluded_by_its_id(fake: FakeGitHub) -> None:
    github = connected(fake)
    run = begin(github)
    stored = fake.world.runs[0]
    assert (stored.status, stored.external_id) == ("in_progress", "automaton-auditor/pull-request/7")
    check_run_publisher.conclude(github, ABOUT, run, FAILURE, verdict([3, 5]))
    assert (stored.status, stored.conclusion, stored.output["title"]) == ("completed", "failure", "Failed: 2.1 of 5")
    assert lines_on(stored) == [3, 5]
    assert fake.writes == ["POST /repos/octo/shop/check-runs", f"PATCH /repos/octo/shop/check-runs/{run.id}"]


@pytest.mark.parametrize("token", [READ_ONLY_TOKEN, PERSONAL_TOKEN])
def test_a_token_that_may_not_write_is_found_out_at_the_beginning(fake: FakeGitHub, token: str) -> None:
    with pytest.raises(GitHubError) as caught:
        begin(connected(fake, token))
    assert caught.value.kind is ErrorKind.READ_ONLY
    assert len(fake.log) == 2


def test_that_is_found_out_on_a_second_run_too(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3))
    with pytest.raises(GitHubError) as caught:
        begin(connected(fake, READ_ONLY_TOKEN))
    assert caught.value.kind is ErrorKind.READ_ONLY


def test_a_second_run_on_the_commit_finds_it_and_keeps_the_old_verdict_until_there_is_a_new_one(
    fake: FakeGitHub,
) -> None:
    first = whole(connected(fake), range(1, 3))
    run = begin(connected(fake))
    assert run.id == first.id
    assert (fake.world.runs[0].conclusion, fake.world.runs[0].output["title"]) == ("failure", "Failed: 2.1 of 5")
    check_run_publisher.conclude(connected(fake), ABOUT, run, SUCCESS, verdict(range(1, 3), "Passed"))
    assert [(each.conclusion, each.output["title"]) for each in fake.world.runs] == [("success", "Passed")]
    assert lines_on(fake.world.runs[0]) == [1, 2]


def test_annotations_go_out_by_fifties_and_the_conclusion_with_the_first(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 121))
    patches = [seen.body for seen in fake.log if seen.verb == "PATCH"]
    assert [len(body["output"]["annotations"]) for body in patches] == [50, 50, 20]
    assert ["conclusion" in body for body in patches] == [True, False, False]
    assert lines_on(fake.world.runs[0]) == list(range(1, 121))
    assert fake.world.runs[0].output["text"] == "All of it."


@pytest.mark.parametrize("count", [0, 1, 50, 51])
def test_a_second_run_adds_nothing_that_is_there(fake: FakeGitHub, count: int) -> None:
    for _ in range(3):
        whole(connected(fake), range(1, count + 1))
    assert len(fake.world.runs) == 1
    assert lines_on(fake.world.runs[0]) == list(range(1, count + 1))


def test_a_second_run_adds_what_is_missing(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3))
    whole(connected(fake), range(1, 60))
    assert len(fake.world.runs) == 1
    assert sorted(lines_on(fake.world.runs[0])) == list(range(1, 60))


def test_what_no_longer_holds_makes_a_new_run_take_the_place_of_the_old_one(fake: FakeGitHub) -> None:
    old = whole(connected(fake), range(1, 61))
    new = whole(connected(fake), range(2, 61), SUCCESS)
    assert new.id != old.id
    (shown,) = fake.world.shown(HEAD, NAME)
    assert (shown.id, shown.conclusion, lines_on(shown)) == (new.id, "success", list(range(2, 61)))
    aside = fake.world.runs[0]
    assert (aside.conclusion, aside.output["title"]) == ("success", "Superseded by a later run")
    again = whole(connected(fake), range(2, 61), SUCCESS)
    assert (again.id, len(fake.world.runs)) == (new.id, 2)


def test_when_no_new_run_can_be_made_the_verdict_stands_beside_the_old_annotations(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3), SUCCESS)
    run = begin(connected(fake))
    fake.fail(Fault.server_error(verb="POST", times=9))
    done = check_run_publisher.conclude(connected(fake), ABOUT, run, FAILURE, verdict([2, 3]))
    assert "earlier verdict still show" in done.reason
    assert [(each.conclusion, lines_on(each)) for each in fake.world.runs] == [("failure", [1, 2, 3])]


def test_an_annotation_that_stands_twice_stands_once_after_the_next_run(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3))
    fake.world.runs[0].annotations.append(fake.world.runs[0].annotations[0])
    whole(connected(fake), range(1, 3))
    (shown,) = fake.world.shown(HEAD, NAME)
    assert lines_on(shown) == [1, 2]


def test_trouble_with_the_run_that_is_there_makes_no_second_one(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3))
    fake.fail(Fault.server_error(verb="PATCH", times=99))
    with pytest.raises(GitHubError):
        begin(connected(fake))
    assert len(fake.world.runs) == 1


def test_blanks_that_github_drops_make_no_annotation_another_one(fake: FakeGitHub) -> None:
    words = "A shell runs here.\n"
    output = verdict().model_copy(update={"annotations": (note(1, words),)})
    check_run_publisher.conclude(connected(fake), ABOUT, begin(connected(fake)), FAILURE, output)
    fake.world.runs[0].annotations[0]["message"] = words.strip()
    check_run_publisher.conclude(connected(fake), ABOUT, begin(connected(fake)), FAILURE, output)
    assert [lines_on(each) for each in fake.world.runs] == [[1]]


def test_an_old_run_that_fell_into_another_suite_does_not_block_either(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3))
    fake.world.suite = 2
    whole(connected(fake), range(2, 3), SUCCESS)
    assert [run.conclusion for run in fake.world.shown(HEAD, NAME)] == ["success", "success"]


def test_whichever_run_of_the_name_counts_its_conclusion_is_that_of_the_last_verdict(fake: FakeGitHub) -> None:
    for line, conclusion in enumerate((SUCCESS, FAILURE, SUCCESS, FAILURE, CheckConclusion.NEUTRAL), 1):
        fake.world.suite = line % 2
        whole(connected(fake), range(line, line + 2), conclusion)
        assert {run.conclusion for run in fake.world.runs} == {conclusion.value}
    assert len(fake.world.runs) == 5


def test_of_two_runs_begun_at_the_same_time_neither_undoes_the_other(fake: FakeGitHub) -> None:
    one = begin(connected(fake))
    other_run = fake.world.run(NAME, HEAD, external_id=ABOUT.external_id, status="in_progress")
    other = next(run for run in connected(fake).check_runs(HEAD) if run.id == other_run.id)
    check_run_publisher.conclude(connected(fake), ABOUT, one, FAILURE, verdict([1]))
    assert [run.conclusion for run in fake.world.runs] == ["failure", None]
    check_run_publisher.conclude(connected(fake), ABOUT, other, FAILURE, verdict([1]))
    assert [run.conclusion for run in fake.world.runs] == ["failure", "failure"]
    assert begin(connected(fake)).id == other.id


def test_at_no_moment_is_there_a_green_run_before_the_new_verdict_stands(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3))
    seen: list[list[str | None]] = []
    for path in ("/check-runs/1001", "/check-runs/1002"):
        fake.before("PATCH", path, lambda world: seen.append([run.conclusion for run in world.shown(HEAD, NAME)]))
    run = begin(connected(fake))
    fake.before("PATCH", "/check-runs/1001", lambda world: seen.append([run.conclusion for run in world.runs]))
    check_run_publisher.conclude(connected(fake), ABOUT, run, FAILURE, verdict([2]))
    assert seen == [["failure"], [None], ["failure", "failure"]]


@pytest.mark.parametrize(
    "fault",
    [
        Fault.server_error(),
        Fault.server_error(served=True),
        Fault.drop(),
        Fault.drop(served=True),
        Fault.cut(),
        Fault.broken_json(served=True),
        Fault.secondary_limit(retry_after=0),
    ],
    ids=["5xx", "5xx served", "drop", "drop served", "cut", "broken", "limit"],
)
class TestUnclearFate:
    """Whichever request fails, however it fails: one run, each annotation once."""

    @pytest.mark.parametrize("at", [0, 1, 2])
    def test_of_a_batch_of_annotations(self, fake: FakeGitHub, fault: Fault, at: int) -> None:
        fake.fail(replace(fault, verb="PATCH", skip=at))
        done = check_run_publisher.conclude(
            connected(fake), ABOUT, begin(connected(fake)), FAILURE, verdict(range(1, 121))
        )
        assert done.reason == ""
        assert sorted(lines_on(fake.world.runs[0])) == list(range(1, 121))
        assert fake.world.runs[0].conclusion == "failure"

    def test_of_making_the_run(self, fake: FakeGitHub, fault: Fault) -> None:
        fake.fail(replace(fault, verb="POST"))
        whole(connected(fake), range(1, 3))
        assert [run.conclusion for run in fake.world.runs] == ["failure"]

    def test_of_making_the_run_that_takes_anothers_place(self, fake: FakeGitHub, fault: Fault) -> None:
        whole(connected(fake), range(1, 3))
        fake.fail(replace(fault, verb="POST"))
        whole(connected(fake), range(2, 3))
        assert [run.conclusion for run in fake.world.runs] == ["failure", "failure"]


def test_a_copy_from_before_steps_aside(fake: FakeGitHub) -> None:
    fake.world.run(NAME, HEAD, external_id=ABOUT.external_id, status="in_progress")
    fake.world.run(NAME, HEAD, external_id=ABOUT.external_id, status="in_progress")
    whole(connected(fake), range(1, 2))
    assert [run.conclusion for run in fake.world.runs] == ["failure", "failure"]
    assert [run.external_id for run in fake.world.runs] == [f"{ABOUT.external_id}/superseded", ABOUT.external_id]


def test_annotations_that_are_refused_do_not_cost_the_conclusion(fake: FakeGitHub) -> None:
    fake.fail(Fault.refusing(422, "Invalid request.", verb="PATCH"))
    done = check_run_publisher.conclude(connected(fake), ABOUT, begin(connected(fake)), FAILURE, verdict(range(1, 4)))
    assert "3 annotations are not on the check run" in done.reason
    assert (fake.world.runs[0].conclusion, lines_on(fake.world.runs[0])) == ("failure", [])


def test_trouble_with_later_annotations_is_told_and_the_conclusion_stands(fake: FakeGitHub) -> None:
    fake.fail(Fault.server_error(verb="PATCH", skip=1, times=99))
    done = check_run_publisher.conclude(connected(fake), ABOUT, begin(connected(fake)), FAILURE, verdict(range(1, 61)))
    assert "10 annotations are not on the check run" in done.reason
    assert (fake.world.runs[0].conclusion, len(lines_on(fake.world.runs[0]))) == ("failure", 50)


def test_a_verdict_that_cannot_be_written_is_trouble(fake: FakeGitHub) -> None:
    run = begin(connected(fake))
    fake.fail(Fault.server_error(verb="PATCH", times=99))
    with pytest.raises(GitHubError):
        check_run_publisher.conclude(connected(fake), ABOUT, run, FAILURE, verdict([1]))


def test_two_runs_at_once_on_one_commit_annotate_once(fake: FakeGitHub) -> None:
    one, other = begin(connected(fake)), begin(connected(fake))
    assert one.id == other.id
    check_run_publisher.conclude(connected(fake), ABOUT, one, FAILURE, verdict([1, 2]))
    check_run_publisher.conclude(connected(fake), ABOUT, other, FAILURE, verdict([1, 2]))
    assert lines_on(fake.world.runs[0]) == [1, 2]


def test_a_superseded_run_is_cancelled_and_says_nothing_else(fake: FakeGitHub) -> None:
    run = begin(connected(fake))
    fake.world.push(7, NEWER)
    with pytest.raises(SubjectOutdated):
        check_run_publisher.conclude(connected(fake), ABOUT, run, FAILURE, verdict([1]))
    stored = fake.world.runs[0]
    assert (stored.conclusion, stored.output["title"]) == ("cancelled", "Superseded by a newer commit")
    assert lines_on(stored) == []
    assert fake.world.shown(NEWER, NAME) == []


def test_a_superseded_run_keeps_the_answers_that_were_paid_for(fake: FakeGitHub) -> None:
    run = begin(connected(fake))
    fake.world.push(7, NEWER)
    paid = verdict([1]).model_copy(update={"text": f"All of it.\n\n{answers_kept_on_check_run.to_line('seal.data')}\n"})
    with pytest.raises(SubjectOutdated):
        check_run_publisher.conclude(connected(fake), ABOUT, run, FAILURE, paid)
    assert answers_kept_on_check_run.find_sealed(fake.world.runs[0].output["text"]) == "seal.data"


def test_a_superseded_run_leaves_the_verdict_from_before_alone(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3))
    run = begin(connected(fake))
    fake.world.push(7, NEWER)
    with pytest.raises(SubjectOutdated):
        check_run_publisher.conclude(connected(fake), ABOUT, run, SUCCESS, verdict([], "Passed"))
    assert (fake.world.runs[0].conclusion, fake.world.runs[0].output["title"]) == ("failure", "Failed: 2.1 of 5")


def test_a_slow_audit_against_the_base_from_before_does_not_overwrite_the_verdict_on_the_new_one(
    fake: FakeGitHub,
) -> None:
    github = connected(fake)
    milder = replace(ABOUT, base="milder")
    fake.world.pulls[7].base_ref = "milder"
    slow = begin(github, milder)
    fake.world.pulls[7].base_ref = "main"
    check_run_publisher.conclude(github, replace(ABOUT, base="main"), begin(github), FAILURE, verdict([1]))
    with pytest.raises(SubjectOutdated):
        check_run_publisher.conclude(github, milder, slow, SUCCESS, verdict([], "Passed"))
    assert [run.conclusion for run in fake.world.runs] == ["failure"]


@pytest.mark.parametrize("conclusion", [SUCCESS, FAILURE])
def test_a_token_for_checks_alone_is_enough_to_conclude(fake: FakeGitHub, conclusion: CheckConclusion) -> None:
    fake.world.tokens["checks"] = Token("job", "github-actions", "github-actions[bot]", comments=False, pulls=False)
    whole(connected(fake, "checks"), range(1, 3), conclusion)
    assert fake.world.runs[0].conclusion == conclusion.value


def test_a_text_that_is_gone_does_not_stay_from_the_verdict_before(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3))
    without = verdict([1, 2]).model_copy(update={"text": ""})
    check_run_publisher.conclude(connected(fake), ABOUT, begin(connected(fake)), FAILURE, without)
    assert fake.world.runs[0].output["text"] == ""


def test_without_a_pull_request_there_is_no_newer_head(fake: FakeGitHub) -> None:
    about = PublicationSubject("pull-request", HEAD, ref="refs/heads/main")
    done = check_run_publisher.conclude(connected(fake), about, begin(connected(fake), about), SUCCESS, verdict())
    assert done.run.external_id == "automaton-auditor/pull-request/refs/heads/main"
    assert not any("/pulls/" in line for line in fake.lines)


@pytest.mark.parametrize("conclusion", [CheckConclusion.CANCELLED, CheckConclusion.TIMED_OUT, FAILURE])
def test_a_run_is_ended_in_one_request_when_there_is_no_verdict(fake: FakeGitHub, conclusion: CheckConclusion) -> None:
    run = begin(connected(fake))
    before = len(fake.log)
    check_run_publisher.abandon(connected(fake).within(3), run, conclusion, verdict([1], "Stopped"))
    stored = fake.world.runs[0]
    assert (stored.conclusion, stored.output["title"], lines_on(stored)) == (conclusion.value, "Stopped", [])
    assert len(fake.log) - before == 1


def test_ending_a_run_leaves_the_verdict_from_before_alone(fake: FakeGitHub) -> None:
    whole(connected(fake), range(1, 3), SUCCESS)
    check_run_publisher.abandon(
        connected(fake), begin(connected(fake)), CheckConclusion.CANCELLED, verdict([], "Stopped")
    )
    assert fake.world.runs[0].conclusion == "success"


def test_a_run_that_was_ended_without_a_verdict_gets_one_the_next_time(fake: FakeGitHub) -> None:
    check_run_publisher.abandon(
        connected(fake), begin(connected(fake)), CheckConclusion.CANCELLED, verdict([], "Stopped")
    )
    whole(connected(fake), range(1, 2))
    assert [run.conclusion for run in fake.world.runs] == ["failure"]


def test_it_never_has_the_name_of_a_job(fake: FakeGitHub) -> None:
    job = fake.world.run(NAME, HEAD, external_id="b7e7", status="in_progress", of_a_job=True)
    first, second = whole(connected(fake), range(1, 2)), whole(connected(fake), range(1, 2))
    assert (first.name, first.id) == ("Automaton Auditor \N{MIDDLE DOT} pull-request verdict", second.id)
    assert job.status == "in_progress"


def test_a_job_of_the_same_name_cannot_stand_for_a_verdict_that_does_not_pass(fake: FakeGitHub) -> None:
    job = fake.world.run(NAME, HEAD, external_id="b7e7", status="completed", conclusion="success", of_a_job=True)
    run = whole(connected(fake), range(1, 2))
    beside = [each for each in fake.world.runs if each.name == NAME and each.id != job.id]
    assert [(each.conclusion, each.external_id) for each in beside] == [("failure", f"{run.external_id}/stand-in")]
    whole(connected(fake), range(0), SUCCESS)
    assert {each.conclusion for each in fake.world.runs if each.external_id.startswith(run.external_id)} == {"success"}
    assert len([each for each in fake.world.runs if each.name == NAME]) == 2


def test_nor_for_an_audit_that_came_to_nothing(fake: FakeGitHub) -> None:
    fake.world.run(NAME, HEAD, external_id="b7e7", status="completed", conclusion="success", of_a_job=True)
    check_run_publisher.abandon(
        connected(fake), begin(connected(fake)), CheckConclusion.TIMED_OUT, verdict([], "Too late")
    )
    assert [run.conclusion for run in fake.world.runs if run.name == NAME] == ["success", "timed_out"]


def test_another_app_does_not_drive_the_verdict_from_its_name(fake: FakeGitHub) -> None:
    forged = fake.world.run(NAME, HEAD, app="other-app", external_id="x", status="completed", conclusion="success")
    run = whole(connected(fake), range(1, 2))
    assert (run.name, run.conclusion, forged.conclusion) == (NAME, "failure", "success")


def test_two_rubrics_under_one_name_do_not_hide_each_other(fake: FakeGitHub) -> None:
    github = connected(fake)
    other = begin(github, PublicationSubject("agent-swarm", HEAD, 7))
    ours = begin(github)
    assert other.name != ours.name


def test_two_taken_names_are_trouble(fake: FakeGitHub) -> None:
    for name in (NAME, f"{NAME} \N{MIDDLE DOT} pull-request verdict"):
        fake.world.run(name, HEAD, external_id="b7e7", of_a_job=True)
    with pytest.raises(GitHubError, match="choose another check name"):
        begin(connected(fake))


def test_a_run_of_another_app_with_our_external_id_is_left_alone(fake: FakeGitHub) -> None:
    forged = fake.world.run(NAME, HEAD, app="other-app", external_id=ABOUT.external_id, output={"title": "Passed"})
    forged.status, forged.conclusion = "completed", "success"
    run = whole(connected(fake), range(1, 2))
    assert (run.id != forged.id, run.app) == (True, "github-actions")
    assert (forged.conclusion, forged.output["title"], forged.annotations) == ("success", "Passed", [])


class TestSharedCommit:
    """Two pull requests with one head commit: none of them is green while the other is red."""

    LENIENT = PublicationSubject("pull-request", HEAD, 8)

    def both(self, fake: FakeGitHub) -> GitHub:
        fake.world.pull(8, HEAD, base_ref="lenient")
        return connected(fake)

    def shown(self, fake: FakeGitHub) -> dict[str, str | None]:
        return {run.external_id.rpartition("/")[2]: run.conclusion for run in fake.world.runs}

    def test_green_after_red_is_held_back(self, fake: FakeGitHub) -> None:
        github = self.both(fake)
        check_run_publisher.conclude(github, ABOUT, begin(github), FAILURE, verdict([1]))
        run = begin(github, self.LENIENT)
        done = check_run_publisher.conclude(github, self.LENIENT, run, SUCCESS, verdict([], "Passed"))
        assert self.shown(fake) == {"7": "failure", "8": "action_required"}
        assert done.run.title == "Held back by pull request #7"

    def test_another_rubric_at_the_other_base_makes_no_difference(self, fake: FakeGitHub) -> None:
        github = self.both(fake)
        milder = PublicationSubject("milder", HEAD, 8)
        check_run_publisher.conclude(github, milder, begin(github, milder), SUCCESS, verdict([], "Passed"))
        check_run_publisher.conclude(github, ABOUT, begin(github), FAILURE, verdict([1]))
        assert {run.name for run in fake.world.runs} == {NAME}
        assert self.shown(fake) == {"7": "failure", "8": "action_required"}

    def test_green_before_red_is_held_back_then(self, fake: FakeGitHub) -> None:
        github = self.both(fake)
        check_run_publisher.conclude(github, self.LENIENT, begin(github, self.LENIENT), SUCCESS, verdict([], "Passed"))
        check_run_publisher.conclude(github, ABOUT, begin(github), FAILURE, verdict([1]))
        assert self.shown(fake) == {"7": "failure", "8": "action_required"}

    def test_nobody_is_held_back_by_one_that_is_held_back_itself(self, fake: FakeGitHub) -> None:
        github = self.both(fake)
        check_run_publisher.conclude(github, self.LENIENT, begin(github, self.LENIENT), SUCCESS, verdict([], "Passed"))
        check_run_publisher.conclude(github, ABOUT, begin(github), FAILURE, verdict())
        check_run_publisher.conclude(github, ABOUT, begin(github), SUCCESS, verdict([], "Passed"))
        check_run_publisher.conclude(github, self.LENIENT, begin(github, self.LENIENT), SUCCESS, verdict([], "Passed"))
        assert self.shown(fake) == {"7": "success", "8": "success"}

    def test_where_the_token_may_not_look_the_other_is_taken_to_be_open(self, fake: FakeGitHub) -> None:
        fake.world.tokens["checks"] = Token("job", "github-actions", "github-actions[bot]", pulls=False)
        github = connected(fake, "checks")
        check_run_publisher.conclude(github, ABOUT, begin(github), FAILURE, verdict())
        done = check_run_publisher.conclude(github, self.LENIENT, begin(github, self.LENIENT), SUCCESS, verdict())
        assert done.run.conclusion == "action_required"

    def test_a_pull_request_that_is_gone_holds_nobody_back(self, fake: FakeGitHub) -> None:
        fake.world.run(NAME, HEAD, external_id=self.LENIENT.external_id, status="completed", conclusion="failure")
        done = check_run_publisher.conclude(connected(fake), ABOUT, begin(connected(fake)), SUCCESS, verdict())
        assert done.run.conclusion == "success"

    def test_trouble_with_the_other_does_not_cost_the_verdict(self, fake: FakeGitHub) -> None:
        github = self.both(fake)
        check_run_publisher.conclude(github, self.LENIENT, begin(github, self.LENIENT), SUCCESS, verdict([], "Passed"))
        run = begin(github)
        fake.fail(Fault.server_error(verb="PATCH", path="/1001$", times=99))
        done = check_run_publisher.conclude(github, ABOUT, run, FAILURE, verdict([1]))
        assert self.shown(fake)["7"] == "failure"
        assert "older check run" in done.reason

    @pytest.mark.parametrize("conclusion", ["failure", "success"])
    def test_runs_of_other_apps_neither_hold_back_nor_are_held(self, fake: FakeGitHub, conclusion: str) -> None:
        github = self.both(fake)
        forged = fake.world.run(
            NAME, HEAD, app="other-app", external_id=self.LENIENT.external_id, conclusion=conclusion
        )
        ours = SUCCESS if conclusion == "failure" else FAILURE
        done = check_run_publisher.conclude(github, ABOUT, begin(github), ours, verdict())
        assert (done.run.conclusion, done.reason, forged.conclusion) == (ours.value, "", conclusion)

    @pytest.mark.parametrize("change", [{"state": "closed"}, {"head_sha": NEWER}])
    def test_a_closed_one_and_one_that_moved_on_hold_nobody_back(
        self, fake: FakeGitHub, change: dict[str, str]
    ) -> None:
        github = self.both(fake)
        check_run_publisher.conclude(github, ABOUT, begin(github), FAILURE, verdict([1]))
        for name, value in change.items():
            setattr(fake.world.pulls[7], name, value)
        check_run_publisher.conclude(github, self.LENIENT, begin(github, self.LENIENT), SUCCESS, verdict([], "Passed"))
        assert self.shown(fake) == {"7": "failure", "8": "success"}


def test_annotations_that_differ_in_words_only_are_different(fake: FakeGitHub) -> None:
    github = connected(fake)
    whole(github, range(1, 2))
    output = verdict().model_copy(update={"annotations": (note(1, "Another thing."),)})
    check_run_publisher.conclude(github, ABOUT, begin(github), FAILURE, output)
    (shown,) = fake.world.shown(HEAD, NAME)
    assert [each["message"] for each in shown.annotations] == ["Another thing."]
