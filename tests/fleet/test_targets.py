"""Targets as people write them: every mistake at once with its line, and nothing lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import UserError
from auditor.fleet.targets import MAX_TARGETS, Target, parse_targets, split_range

HERE = Path("/work")


def parsed(text: str) -> tuple[Target, ...]:
    return parse_targets(text, "targets.yaml", HERE)


def mistakes(text: str) -> list[str]:
    with pytest.raises(UserError) as raised:
        parsed(text)
    return str(raised.value).splitlines()


def test_yaml_gives_targets_with_the_defaults_of_its_top() -> None:
    first, second, third = parsed(
        """rubric: agent-swarm
gate: {overall: 3.5}
targets:
  - repository: https://github.com/pallets/click.git
    changes: [8.1.0..8.2.0, a1b2c3d^..a1b2c3d]
  - repository: ../work/httpx
    ref: main
    rubric: pull-request
    gate: {criteria: {security: 4}}
  - repository: https://github.com/encode/httpx/
    pulls: {state: merged, last: 100}
"""
    )
    assert (first.repository, first.rubric) == ("https://github.com/pallets/click", "agent-swarm")
    assert first.changes == ("8.1.0..8.2.0", "a1b2c3d^..a1b2c3d")
    assert first.gate is not None
    assert first.gate.overall == 3.5
    assert (second.repository, second.ref, second.rubric) == ("/work/httpx", "main", "pull-request")
    assert second.gate is not None
    assert (second.gate.overall, second.gate.criteria) == (None, {"security": 4.0})
    assert (third.repository, third.pulls and third.pulls.last) == ("https://github.com/encode/httpx", 100)


def test_a_plain_list_has_one_target_a_line() -> None:
    found = parsed("# ours\nhttps://github.com/pallets/click\n\n  ../work/httpx  \ngit@example.org:a/b.git\n")
    assert [each.repository for each in found] == [
        "https://github.com/pallets/click",
        "/work/httpx",
        "git@example.org:a/b.git",
    ]


def test_every_mistake_of_a_yaml_file_is_told_at_once_with_its_line() -> None:
    assert mistakes(
        """rubrik: x
targets:
  - repository: https://user:secret@example.org/x
    changes: [main, a...b, "--upload-pack=x..b", ok..fine]
  - changes: [a..b]
  - repository: ftp://example.org/x
    pulls: {state: abandoned, last: 0}
  - repository: x
    ref: main
    changes: [a..b]
  - repository: y
    ref: "-x"
"""
    ) == [
        "targets.yaml:1: unknown key 'rubrik'; did you mean 'rubric'?",
        "targets.yaml:3: the URL contains credentials: remove them, and give a token in an environment variable (--token-env).",
        "targets.yaml:4: '--upload-pack=x..b' is no change: write BASE..HEAD.",
        "targets.yaml:4: 'a...b' is no change: write BASE..HEAD.",
        "targets.yaml:4: 'main' is no change: write BASE..HEAD.",
        "targets.yaml:5: targets.1.repository is missing.",
        "targets.yaml:6: ftp:// is not supported: give an https, ssh or file URL, or a path.",
        "targets.yaml:7: targets.2.pulls.last: Input should be greater than or equal to 1 (got 0).",
        "targets.yaml:7: targets.2.pulls.state: Input should be 'merged', 'open' or 'closed' (got 'abandoned').",
        "targets.yaml:8: targets.3: ref audits a whole tree: give it a target of its own, without changes and pulls (got {'repository': 'x', 'ref': 'main', 'changes': ['a..b']}).",
        "targets.yaml:12: '-x' is no name of a commit: name a branch, a tag or a commit id.",
    ]


def test_every_mistake_of_a_plain_list_is_told_at_once_with_its_line() -> None:
    assert mistakes("ext::sh -c date\nfine\n-x\nhttps://[::1\n\x1b[31mred\n") == [
        "targets.yaml:1: ext:: is a transport helper, which is not allowed: give an https, ssh or file URL.",
        "targets.yaml:3: '-x' is neither a URL nor a path.",
        "targets.yaml:4: 'https://[::1' is not a valid URL.",
        "targets.yaml:5: '\\x1b[31mred' is neither a URL nor a path.",
    ]


@pytest.mark.parametrize("text", ["", "\n# only a comment\n"])
def test_an_empty_list_is_a_mistake(text: str) -> None:
    assert mistakes(text) == ["targets.yaml: no target in it: write one URL or path a line, or YAML with `targets:`."]


def test_ten_thousand_targets_are_read_and_one_more_is_refused() -> None:
    lines = [f"https://example.org/repository-{number}" for number in range(MAX_TARGETS + 1)]
    assert len(parsed("\n".join(lines[:-1]))) == MAX_TARGETS
    assert mistakes("\n".join(lines)) == [
        "targets.yaml: 10,001 targets, at most 10,000 are read: give several smaller lists."
    ]


@pytest.mark.parametrize("change", ["", "..", "a..", "..b", "a...b", "a..b..c", "a b..c", "a..-b", "a:x..b", "a..b\nc"])
def test_what_is_no_range_is_none(change: str) -> None:
    assert split_range(change) is None


def test_a_range_has_a_base_and_a_head() -> None:
    assert split_range("v1.0^..feature/x~2") == ("v1.0^", "feature/x~2")
