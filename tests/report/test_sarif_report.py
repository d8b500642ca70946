"""The SARIF log: valid by the official schema, and what code scanning asks for beyond it."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from auditor.domain import AuditReport, CodeLocation, CommitLocation, Side
from auditor.forensics.engine.rule_texts import rule_texts
from auditor.report.sarif_report import sarif
from tests.hostile import PAYLOADS, hostile
from tests.reports import LINKS, contested, line, typical

PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
"""A small package of the standard's own authors that carries the official schema."""
DIGEST = "2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8"


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The official schema, fetched when the test runs; its content is pinned, so whoever serves it cannot change it."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so the official SARIF schema cannot be fetched")
    folder = tmp_path_factory.mktemp("sarif")
    try:
        done = subprocess.run(
            [npm, "pack", "--silent", PACKAGE], cwd=folder, capture_output=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip("the npm registry did not answer within 60 s")
    archives = list(folder.glob("*.tgz"))
    if done.returncode or not archives:
        pytest.skip(f"{PACKAGE} could not be fetched from the npm registry")
    return _schema(archives[0])


def _schema(archive: Path) -> Any:
    with tarfile.open(fileobj=io.BytesIO(archive.read_bytes())) as packed:
        member = packed.extractfile(MEMBER)
        assert member is not None
        content = member.read()
    assert hashlib.sha256(content).hexdigest() == DIGEST
    return json.loads(content)


def test_the_log_is_valid_by_the_official_schema(schema: Any) -> None:
    validator = jsonschema.validators.validator_for(schema)(schema)
    for report in (typical(), contested(), *(hostile(each) for each in PAYLOADS.values())):
        validator.validate(json.loads(sarif(report, LINKS)))
        validator.validate(json.loads(sarif(report)))


def run(report: AuditReport) -> dict[str, Any]:
    """The log's only run."""
    (only,) = json.loads(sarif(report, LINKS))["runs"]
    assert isinstance(only, dict)
    return only


def places(report: AuditReport) -> list[tuple[str, str, int]]:
    return [
        (
            each["ruleId"],
            each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            each["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for each in run(report)["results"]
    ]


def test_every_place_at_the_head_has_a_result_and_what_decided_the_gate_comes_first() -> None:
    assert places(typical()) == [
        ("code.shell_execution", "parcels/labels.py", 48),
        ("code.shell_execution", "parcels/labels.py", 63),
        ("tests.removed_or_skipped", "tests/test_rates.py", 30),
        ("code.no_timeout", "parcels/carriers/dhl.py", 22),
        ("docs.paths_exist", "docs/printing.md", 14),
        ("code.broad_except", "parcels/rates.py", 117),
    ]


def test_there_is_a_rule_with_help_for_every_probe_and_results_point_to_theirs() -> None:
    told = run(typical())
    rules = told["tool"]["driver"]["rules"]
    assert {each["id"] for each in rules} == typical().rubric.definition.probes()
    for rule in rules:
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
    for result in told["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert len(result["locations"]) == 1


def test_without_an_address_of_the_tool_a_rule_points_to_a_page_about_its_subject() -> None:
    log = json.loads(sarif(typical(), texts=rule_texts()))
    rules = {each["id"]: each for each in log["runs"][0]["tool"]["driver"]["rules"]}
    assert rules["code.shell_execution"]["helpUri"] == "https://cwe.mitre.org/data/definitions/78.html"


def test_levels_and_security_severity_follow_the_rubric() -> None:
    told = run(typical())
    rules = {each["id"]: each for each in told["tool"]["driver"]["rules"]}
    assert told["results"][0]["level"] == "error"
    assert rules["code.shell_execution"]["properties"]["security-severity"] == "9.5"
    assert "security" in rules["code.shell_execution"]["properties"]["tags"]
    assert "security-severity" not in rules["code.no_timeout"]["properties"]


def moved(report: AuditReport, by: int) -> AuditReport:
    """The same report when lines were put in above every place."""
    evidence = tuple(
        each.model_copy(
            update={
                "locations": tuple(
                    place.model_copy(update={"start": place.start + by, "end": place.start + by})
                    if isinstance(place, CodeLocation) and place.start is not None
                    else place
                    for place in each.locations
                )
            }
        )
        for each in report.evidence
    )
    return report.model_copy(update={"evidence": evidence})


def fingerprints(report: AuditReport) -> list[str]:
    return [each["partialFingerprints"]["primaryLocationLineHash"] for each in run(report)["results"]]


def test_fingerprints_stay_while_lines_move_and_no_two_are_the_same() -> None:
    assert fingerprints(moved(typical(), 7)) == fingerprints(typical())
    assert len(set(fingerprints(typical()))) == 6


def test_two_places_with_the_same_words_are_told_apart() -> None:
    report = typical()
    twice = tuple(
        each.model_copy(update={"locations": (line("a.py", 3, "f()"), line("a.py", 9, "f()"))})
        if each.id == "code.shell_execution#1"
        else each
        for each in report.evidence
    )
    first, second = fingerprints(report.model_copy(update={"evidence": twice}))[:2]
    assert first.endswith(":1")
    assert second == first.removesuffix("1") + "2"


def test_commits_places_at_the_base_and_names_that_are_no_paths_have_no_result() -> None:
    report = typical()
    for place in (
        CommitLocation(sha="1a" * 20),
        line("a.py", 3, "x", side=Side.BASE),
        line("/etc/passwd", 3, "x"),
        line("../a.py", 3, "x"),
        line("a\\xff.py", 3, "x"),
    ):
        nowhere = tuple(each.model_copy(update={"locations": (place,)}) for each in report.evidence)
        assert places(report.model_copy(update={"evidence": nowhere})) == []


def test_no_path_is_absolute_and_nothing_of_this_machine_is_told() -> None:
    text = sarif(typical(), LINKS)
    assert '"file:' not in text
    assert str(Path.cwd()) not in text
    assert all(
        each["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        for each in run(typical())["results"]
    )
