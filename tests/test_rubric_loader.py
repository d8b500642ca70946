"""Rubrics and the closed YAML they are written in."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml

from auditor import packaged_files, rubric_loader, strict_yaml
from auditor.domain import Rubric, UserError
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.probe_kit.probe_decorators import SiteProbe
from auditor.settings import Config


def mistakes(text: str) -> list[str]:
    with pytest.raises(UserError) as error:
        rubric_loader.load(text, "f.yaml")
    return str(error.value).splitlines()


def built_in_text() -> str:
    return rubric_loader.source("pull-request")


def test_the_built_in_rubric_is_whole_and_names_only_probes_that_exist() -> None:
    found = rubric_loader.load(built_in_text(), "pull-request.yaml", discover_probes())
    asked = frozenset().union(*(rubric_loader.built_in(name).probes() for name in rubric_loader.names()))
    elsewhere = ("swarm.", "diagrams.", "docs.", "code.clone", "code.url_", "code.auth_")
    unasked = {each for each in discover_probes() if each not in asked and not each.startswith(elsewhere)}
    assert unasked == set(), "a probe that no rubric asks is of no use to anybody"
    assert found.arbiter.title == "Tech Lead"


def test_its_schema_on_disk_is_current_and_accepts_it() -> None:
    on_disk = json.loads((packaged_files.rubrics() / "rubric.schema.json").read_text(encoding="utf-8"))
    assert on_disk == rubric_loader.schema(), "run: auditor schema rubric > rubric/rubric.schema.json"
    jsonschema.validate(json.loads(json.dumps(yaml.safe_load(built_in_text()))), on_disk)


def test_a_persona_cannot_count_what_is_unknown_by_how_sure_it_is() -> None:
    text = built_in_text().replace("policy: {unknown: ignored, doubt", "policy: {unknown: as_sure, doubt")
    (said,) = mistakes(text)
    assert "`as_sure` is for doubt alone" in said


def test_a_probe_that_does_not_exist_is_named_with_the_nearest_one() -> None:
    text = built_in_text().replace("code.weak_hash", "code.weak_hush").replace("cap: 2.5", "cap: 9")
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "weak_hush" in each)
    with pytest.raises(UserError) as caught:
        rubric_loader.load(text, "f.yaml", discover_probes())
    sentences = str(caught.value).splitlines()
    assert f"f.yaml:{line}: there is no probe 'code.weak_hush'; did you mean 'code.weak_hash'?" in sentences
    assert any("cap" in each for each in sentences), "told together with the mistakes that the schema finds"


def test_all_mistakes_are_told_at_once_each_with_its_line() -> None:
    text = (
        built_in_text()
        .replace("weight: 0.3\n    challenger", "wait: 0.3\n    challenger")
        .replace("cap: 2.5", "cap: 9")
    )
    lines = mistakes(text)
    assert len(lines) == 3
    assert any("unknown key 'wait'; did you mean 'weight'?" in line for line in lines)
    numbers = [int(line.split(":")[1]) for line in lines]
    assert any("cap" in text.splitlines()[number - 1] for number in numbers)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &x 1\nb: *x", "anchors and aliases"),
        ("a: !!python/object/apply:os.system ['touch canary']", "tag"),
        ("a: 1\na: 2", "twice"),
        ("<<: {a: 1}", "a key must be a word"),
        ("[" * 10_000, "nested more than"),
        ("a: " + "[" * 40 + "]" * 40, "nested more than"),
        ("x" * 1_000_001, "larger than"),
        ("a: [1", "not valid YAML"),
        ("\x00", "not valid YAML"),
        ("- 1\n- 2", "keys with values"),
        ("", "is missing"),
        ("? [a]\n: 1", "a key must be a word"),
    ],
)
def test_tricks_of_yaml_end_as_sentences(text: str, said: str) -> None:
    assert any(said in line for line in mistakes(text))


def test_a_billion_laughs_ends_at_its_first_anchor() -> None:
    text = "a: &a [x, x]\n" + "\n".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]" for n in range(20)
    )
    assert "anchors" in mistakes(text)[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("arbiter: true", "arbiter: false"), "exactly one persona must be the arbiter"),
        (("id: tests", "id: security"), "appears twice"),
        (
            ("criteria: {correctness: 2.5, security: 3.0, governance: 3.5}", "criteria: {safety: 3.0}"),
            "not a criterion",
        ),
        (("weight: 0.4", "weight: .nan"), "weight"),
        (
            ("criteria: {correctness: 2.5, security: 3.0, governance: 3.5}", "criteria: {security: -1}"),
            "greater than or equal to 1",
        ),
        (
            ("criteria: {correctness: 2.5, security: 3.0, governance: 3.5}", "criteria: {security: .inf}"),
            "less than or equal to 5",
        ),
        (("{met} of {counted} expectations met", "{mat} of {counted} expectations met"), "{mat} cannot be filled in"),
        (
            ("{met} of {counted} expectations met", "{met:>99999999} of {counted} expectations met"),
            "{met} cannot be filled in",
        ),
        (("weight: 0.4", "weight: 0"), "weight"),
        (("tolerance: 0.1, worst: 0.6", "tolerance: 0.7, worst: 0.6"), "worst must lie above tolerance"),
    ],
)
def test_rubrics_that_make_no_sense_are_refused(change: tuple[str, str], said: str) -> None:
    assert any(said in line for line in mistakes(built_in_text().replace(*change)))


def test_the_digest_is_of_the_meaning_and_not_of_the_layout() -> None:
    plain = rubric_loader.load(built_in_text(), "f")
    assert rubric_loader.digest(plain) == rubric_loader.digest(
        rubric_loader.load(built_in_text() + "\n# a comment\n", "f")
    )
    assert rubric_loader.digest(plain) != rubric_loader.digest(
        rubric_loader.load(built_in_text().replace("overall: 3.0", "overall: 3.1"), "f")
    )


def test_configuration_keys_are_closed() -> None:
    with pytest.raises(UserError, match=r"c\.yml:2: unknown key .excludes.; did you mean .exclude.\?"):
        strict_yaml.parse(Config, "scope: introduced\nexcludes: ['**']\n", "c.yml")
    assert strict_yaml.parse(Config, "gate: {overall: 3}\n", "c.yml").gate.overall == 3


def test_every_second_look_names_rules_that_exist() -> None:
    import subprocess
    import sys
    from pathlib import Path

    ruff = Path(sys.executable).parent / "ruff"
    codes = sorted(
        {code for probe in discover_probes().values() if isinstance(probe, SiteProbe) for code in probe.second_look}
    )
    command = [str(ruff), "check", "--isolated", "--no-cache", f"--select={','.join(codes)}", "-"]
    done = subprocess.run(command, input=b"x = 1\n", capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert b"warning" not in done.stderr


def test_a_rubric_survives_a_round_trip_through_its_own_json() -> None:
    found = rubric_loader.built_in("pull-request")
    assert Rubric.model_validate_json(found.model_dump_json()) == found
