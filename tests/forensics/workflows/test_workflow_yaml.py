"""Workflows are read as GitHub reads them, and nothing that it would refuse holds the audit."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.workflows.workflow_yaml import (
    MAX_TEXT_LENGTH,
    MapNode,
    UnreadableYaml,
    format_value,
    iter_scalars,
    read_yaml,
    scalar_value,
)


def only(text: str) -> str:
    """What the key `name` is, as GitHub shows it."""
    root = read_yaml(text)
    assert isinstance(root, MapNode), root
    return root.text("name")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: audit\n", "audit"),
        ('name: "aud\\u0069t"\n', "audit"),
        ("{name: 'it''s'}\n", "it's"),
        ("name: >-\n  the\n  audit\n", "the audit"),
        ("name: |\n  audit\n", "audit\n"),
        ("other: &n audit\nname: *n\n", "audit"),
        ("name: !!str 1.10\n", "1.10"),
        ("name: 1.10\n", "1.1"),
        ("name: 0x1F\n", "31"),
        ("name: 1e20\n", "1E+20"),
        ("name: TRUE\n", "true"),
        ("name: yes\n", "yes"),
        ("name: ${{ 'it''s' }}\n", "it's"),
        ("${{ 'name' }}: audit\n", "audit"),
        ("name: ${{ 'a' }}b\n", "${{ 'a' }}b"),
        ("name: ~\n", ""),
        ("name: [a]\n", ""),
        ("\ufeffname: audit\n", "audit"),
    ],
)
def test_a_text_is_what_github_shows_however_it_is_written(text: str, expected: str) -> None:
    assert only(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: 1\nb: 2\nA: 3\n", "a key is set twice (line 3)"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "it has a merge key, which GitHub does not support (line 3)"),
        ("a: 1\n---\na: 2\n", "it has more than one document"),
        ("? [a]\n: b\n", "a key is not a plain string (line 1)"),
        ("a: !!python/object:os.system x\n", "it has an unknown tag (line 1)"),
        ("a: !mine {b: 1}\n", "it has an unknown tag (line 1)"),
        ("a: &x [*x]\n", "an alias has no anchor before it (line 1)"),
        ("a: *x\n", "an alias has no anchor before it (line 1)"),
        ("- a\n", "it is not a mapping"),
        ("a:\n  b: '\n", "it is not valid YAML (line 3)"),
        ("a: \0\n", "it is not valid YAML"),
        ("a: \ud800\n", "it is not valid YAML"),
        ("a: " + "[" * 10_000, "it is nested deeper than 50 levels"),
        ("? " * 10_000, "it is nested deeper than 50 levels"),
        ("a: [" + "b, " * 60_000 + "]", "it has more than 50,000 nodes"),
        ("#" * (MAX_TEXT_LENGTH + 1), "it is larger than 1,000,000 characters"),
    ],
    ids=lambda given: repr(given[:40]),
)
def test_what_github_refuses_is_unread_and_the_reason_is_given(text: str, reason: str) -> None:
    started = time.process_time()
    assert read_yaml(text) == UnreadableYaml(reason)
    assert time.process_time() - started < 1


def test_aliases_count_as_what_they_stand_for() -> None:
    nested = "".join(f"k{at}: &k{at} [{', '.join([f'*k{at - 1}'] * 9)}]\n" for at in range(1, 12))
    deep = "".join(f"k{at}: &k{at} [*k{at - 1}]\n" for at in range(1, 60))
    started = time.process_time()
    assert read_yaml(f"k0: &k0 [a, a, a, a, a, a, a, a, a]\n{nested}") == UnreadableYaml(
        "it has more than 50,000 nodes"
    )
    assert read_yaml(f"k0: &k0 [a]\n{deep}") == UnreadableYaml("it is nested deeper than 50 levels")
    assert time.process_time() - started < 1


def test_lines_are_those_of_the_text() -> None:
    root = read_yaml("# first\njobs:\n  a:\n    name: x\n  b: &b\n    steps: [one, two]\n  c: *b\n")
    assert isinstance(root, MapNode)
    assert root.mapping_at("jobs").lines == {"a": 3, "b": 5, "c": 7}
    assert [each.line for each in iter_scalars(root)] == [4, 6, 6, 6, 6]


@pytest.mark.parametrize("text", ["", "# nothing\n", "~\n"])
def test_an_empty_text_is_an_empty_mapping(text: str) -> None:
    assert read_yaml(text) == MapNode({}, 1)


def test_what_is_quoted_is_a_text_and_no_number() -> None:
    root = read_yaml("a: '1'\nb: 1\nc: 'true'\nd: true\ne: 0o17\nf: -.inf\ng: .nan\nh: 1_000\n")
    assert isinstance(root, MapNode)
    values = [scalar_value(each) for each in iter_scalars(root)]
    assert values[:6] == ["1", 1.0, "true", True, 15.0, float("-inf")]
    assert [format_value(each) for each in values[5:]] == ["-Infinity", "NaN", "1_000"]


def test_fifty_workflows_are_read_in_a_moment() -> None:
    steps = "".join(f"      - run: make t{at}\n        env:\n          A: ${{{{ matrix.os }}}}\n" for at in range(60))
    text = f"on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n{steps}"
    started = time.process_time()
    assert all(isinstance(read_yaml(text), MapNode) for _ in range(50))
    assert time.process_time() - started < 1
