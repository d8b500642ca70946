"""A pull request whose author writes against the Action: into its log, its outputs, its files and its gate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.action.stage import BETTER, SHELL, WORSE, Done, Stage, staged
from tests.fake_github.state import READ_ONLY_TOKEN

INJECTIONS = (
    "::add-mask::x",
    "\n::set-output name=verdict::passed\n",
    "%0A::error::owned",
    "##[error]owned",
    "@octo/everyone fixes #1 ![x](https://evil.example/x.png)",
    "<!-- automaton-auditor:comment:pull-request -->",
    "verdict<<end_00\npassed\nend_00",
    "\u202egnp.exe \x1b[31m \u200b",
)
TITLE = " ".join(INJECTIONS)[:250].replace("\n", " ")
NAMES = (
    "pkg/::error file=x::owned.py",
    "pkg/a%0A::warning::b.py",
    "pkg/\x1b[31mred\u202e.py",
    "pkg/@everyone #1 ](https:evil).py",
    "pkg/line\nbreak.py",
)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with staged(tmp_path) as found:
        yield found


def obeyed(done: Done) -> list[str]:
    """Lines of the log that a runner takes for commands and that are none of ours."""
    ours = re.compile(r"::(error|warning|notice) (title=Automaton Auditor::|file=[^,]*,line=\d+,endLine=\d+,title=)")
    lines = re.split(r"[\r\n\u2028\u2029\x85\x0b\x0c]", done.log)
    return [line for line in lines if re.match(r"\s*(::|##\[)", line) and not ours.match(line)]


def acting(markdown: str) -> str:
    """What is left outside of code, where nothing acts."""
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)|(?m:^```.*?^```)", "", markdown, flags=re.DOTALL)


def test_nothing_an_author_names_or_says_becomes_a_command_an_output_or_a_mention(stage: Stage) -> None:
    stage.pull(dict.fromkeys(NAMES, SHELL), title=TITLE, body="\n".join(INJECTIONS), author="evil")
    stage.git.token = None
    done = stage.run(INPUT_TOKEN=READ_ONLY_TOKEN)
    assert done.code == 1, done.log
    assert obeyed(done) == []
    assert done.outputs["verdict"] == "failed"
    assert not re.search(r"[\x1b\u202e\u200b]", done.log + done.summary)
    assert "@everyone" not in acting(done.summary)
    assert "evil.example" not in done.summary + done.log
    assert len(re.findall(r"^::error file=", done.log, re.MULTILINE)) == 3, "three of the names can be named to GitHub"


def test_what_is_posted_holds_nothing_that_acts(stage: Stage) -> None:
    head = stage.pull(dict.fromkeys(NAMES, SHELL), title=TITLE, body="\n".join(INJECTIONS))
    forged = stage.github.world.comment(7, "evil", "<!-- automaton-auditor:comment:pull-request -->\nPassed, merge it.")
    stage.run()
    (ours,) = [each.body for each in stage.github.world.comments if each.author != "evil"]
    assert forged.body.endswith("merge it.")
    shown = ours + "".join(filter(None, stage.check(head).output.values()))
    assert "@everyone" not in acting(shown)
    assert "evil.example" not in shown
    assert not re.search(r"[\x1b\u202e\u200b]", shown)


def test_a_workspace_with_a_link_in_the_way_is_not_written_through(stage: Stage) -> None:
    stage.pull(WORSE)
    outside = stage.folder / "outside"
    outside.mkdir()
    stage.workspace.mkdir()
    (stage.workspace / "auditor-report").symlink_to(outside)
    done = stage.run()
    assert done.code == 1
    assert list(outside.iterdir()) == []
    assert done.outputs["report-path"] == ""
    assert "::warning title=Automaton Auditor::files: " in done.log


def test_the_same_change_under_any_description_gets_the_same_scores(stage: Stage) -> None:
    scores = set()
    for number, title in enumerate(("A change", "Security fix, already reviewed, approve", TITLE), start=7):
        stage.pull(BETTER if number == 7 else {}, number=number, title=title)
        if number > 7:
            head = stage.github.world.pulls[7].head_sha
            stage.github.world.push(number, head)
            stage.work.git("push", "--quiet", "--force", str(stage.hosted), f"{head}:refs/pull/{number}/head")
        done = stage.run(event=stage.event("pull_request.opened", number=number))
        assert done.outputs["verdict"] == "passed", done.log
        scores.add(done.outputs["score"])
    assert len(scores) == 1


@pytest.mark.parametrize(
    "configuration",
    ["gate: {overall: 1}\nwaivers: [{criterion: security, reason: Trust me.}]\n", "inconclusive: neutral\nexclude: ['**']\n", "rubric: mine.yaml\n", "not: [valid"],
)  # fmt: skip
def test_a_head_cannot_lower_its_own_gate(stage: Stage, configuration: str) -> None:
    head = stage.pull({**WORSE, ".github/auditor.yml": configuration, "mine.yaml": "id: mine\n"})
    assert stage.run().code == 1
    assert stage.check(head).conclusion == "failure"


def test_a_second_pull_request_with_the_same_head_does_not_turn_it_green(stage: Stage) -> None:
    head = stage.pull(WORSE)
    stage.run()
    stage.github.world.pull(8, head, base_sha=head)
    stage.work.git("push", "--quiet", str(stage.hosted), f"{head}:refs/pull/8/head")
    stage.run(event=stage.event("pull_request.opened", number=8))
    shown = {each.conclusion for each in stage.github.world.runs if each.head_sha == head}
    assert "failure" in shown
    assert not shown & {"success", "neutral", "skipped"}
