"""Another policy over recorded audits agrees with audits done anew, and says what it cannot know."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from auditor import rubric_loader
from auditor.domain import AuditReport, Conclusion, GatePolicy, Severity, UserError
from auditor.domain.simulation import Effect, SimulatedAudit, UnansweredAudit
from auditor.fleet.policy_simulation import Policy, gate_under, simulate
from auditor.fleet.store import Store
from auditor.fleet.store_simulation import simulate_store
from auditor.report import simulation_text
from auditor.settings import RequestedSettings
from tests.fleet.commands import run
from tests.fleet.recorded_store import RecordedStore, put

STRICT = Policy(overall=4.5, criteria={"tests": 4.0, "focus": 3.5}, no_new=Severity.MEDIUM)


def ending(report: AuditReport) -> tuple[object, ...]:
    """What a simulation says of an audit."""
    unmet = [(each.demand, each.sentence) for each in report.verdict.gate.reasons if each.conclusion in {Conclusion.FAILED, Conclusion.INCONCLUSIVE}]  # fmt: skip
    return report.verdict.conclusion, report.verdict.overall, unmet


def simulated_ending(audit: SimulatedAudit) -> tuple[object, ...]:
    return audit.after, audit.overall_after, [(each.name, each.sentence) for each in audit.unmet]


def other_rubric(folder: Path) -> Path:
    """The default rubric with other policies, severities, limits, weights and thresholds, and one criterion less."""
    text = rubric_loader.source("pull-request")
    head, _, body = text.partition("criteria:\n  - id: correctness")
    head = head.replace("id: pull-request", "id: house-rules", 1).replace(
        "partial: generous, rounding: up", "partial: measured, rounding: nearest"
    )
    head = re.sub(r"(?m)^  overall: 3\.0$", "  overall: 4.4", head).replace("no_new: critical", "no_new: high")
    body = (
        body.partition("  - id: claims\n")[0]
        .replace("worst: 1.0", "worst: 0.4")
        .replace("severity: low", "severity: high")
        .replace("cap: 3", "cap: 2")
    )
    file = folder / "house.yaml"
    file.write_text(f"{head}criteria:\n  - id: correctness{body.replace('weight: 2', 'weight: 5')}")
    return file


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return other_rubric(tmp_path_factory.mktemp("rubric"))


@pytest.fixture(scope="module")
def house_policy(house: Path) -> Policy:
    rubric = rubric_loader.load(house.read_bytes(), str(house))
    return Policy(rubric=rubric, rubric_digest=rubric_loader.digest(rubric))


def test_the_verdict_under_its_own_policy_is_the_one_on_record(recorded: RecordedStore) -> None:
    found = simulate_store(recorded.store, Policy())
    assert len(found.audits) == 20
    for each in found.audits:
        assert simulated_ending(each) == ending(recorded.records()[each.head])
        assert each.effect is Effect.NONE


def test_a_stricter_gate_agrees_with_audits_done_anew(recorded: RecordedStore) -> None:
    requested = RequestedSettings(fail_under=4.5, minimum={"tests": 4.0, "focus": 3.5}, no_new=Severity.MEDIUM)
    by_head = {each.head: each for each in simulate_store(recorded.store, STRICT).audits}
    for base, head in recorded.changes[:10]:
        assert simulated_ending(by_head[head]) == ending(recorded.audit_again(base, head, requested)), head
    effects = {each.effect for each in by_head.values()}
    assert effects == {Effect.BLOCKED, Effect.NONE}


def test_a_changed_rubric_agrees_with_audits_done_anew(
    recorded: RecordedStore, house: Path, house_policy: Policy
) -> None:
    by_head = {each.head: each for each in simulate_store(recorded.store, house_policy).audits}
    changed = 0
    for base, head in recorded.changes[:10]:
        anew = recorded.audit_again(base, head, RequestedSettings(rubric=str(house)))
        assert simulated_ending(by_head[head]) == ending(anew), head
        changed += by_head[head].overall_before != by_head[head].overall_after
    assert changed >= 5


def test_both_together_agree_with_an_audit_done_anew(
    recorded: RecordedStore, house: Path, house_policy: Policy
) -> None:
    policy = Policy(house_policy.rubric, house_policy.rubric_digest, overall=4.8)
    by_head = {each.head: each for each in simulate_store(recorded.store, policy).audits}
    for base, head in recorded.changes[:3]:
        anew = recorded.audit_again(base, head, RequestedSettings(rubric=str(house), fail_under=4.8))
        assert simulated_ending(by_head[head]) == ending(anew)


def first_record(recorded: RecordedStore) -> tuple[object, AuditReport]:
    stored = next(recorded.store.records())
    return stored.about, recorded.records()[stored.about.unit.head]  # type: ignore[union-attr]


def with_gate(report: AuditReport, gate: GatePolicy, origin: dict[str, str]) -> AuditReport:
    return report.model_copy(update={"rubric": report.rubric.model_copy(update={"gate": gate, "gate_origin": origin})})


def test_a_new_rubric_replaces_the_thresholds_of_the_old_one_and_keeps_those_of_the_configuration(
    recorded: RecordedStore, house_policy: Policy
) -> None:
    _, report = first_record(recorded)
    gate = GatePolicy(overall=2.0, criteria={"security": 2.5, "tests": 1.5}, no_new=Severity.LOW)
    origin = {
        "overall": "rubric",
        "criteria.security": "rubric",
        "criteria.tests": ".github/auditor.yml",
        "no_new": ".github/auditor.yml",
    }
    found = gate_under(with_gate(report, gate, origin), house_policy)
    assert (found.overall, found.no_new) == (4.4, Severity.LOW)
    assert found.criteria == {"correctness": 2.5, "security": 3.0, "governance": 3.5, "tests": 1.5}


def test_a_record_without_a_rule_that_the_rubric_asks_is_counted_apart(recorded: RecordedStore) -> None:
    policy = Policy(rubric=rubric_loader.built_in("agent-swarm"))
    found = simulate_store(recorded.store, policy)
    assert (len(found.audits), len(found.unanswered)) == (0, 20)
    assert "rule swarm.reducers was not run" in found.unanswered[0].lacks


def test_a_threshold_for_a_criterion_that_the_rubric_lacks_is_counted_apart(recorded: RecordedStore) -> None:
    found = simulate_store(recorded.store, Policy(criteria={"vibes": 3.0}))
    assert {each.lacks for each in found.unanswered} == {("the rubric has no criterion vibes, which the gate names",)}


def test_a_record_of_a_model_is_counterfactual_under_another_rubric_alone(
    recorded: RecordedStore, house_policy: Policy
) -> None:
    about, report = first_record(recorded)
    by_model = report.model_copy(update={"tool": report.tool.model_copy(update={"bench": "claude"})})
    asked = simulate(about, by_model, house_policy)  # type: ignore[arg-type]
    gated = simulate(about, by_model, STRICT)  # type: ignore[arg-type]
    assert isinstance(asked, SimulatedAudit)
    assert isinstance(gated, SimulatedAudit)
    assert (asked.counterfactual, gated.counterfactual) == (True, False)


def test_a_model_was_never_asked_about_a_new_criterion(recorded: RecordedStore, house_policy: Policy) -> None:
    about, report = first_record(recorded)
    assert house_policy.rubric is not None
    added = house_policy.rubric.criterion("tests").model_copy(update={"id": "more_tests"})
    rubric = house_policy.rubric.model_copy(update={"criteria": (*house_policy.rubric.criteria, added)})
    by_model = report.model_copy(update={"tool": report.tool.model_copy(update={"bench": "claude"})})
    asked = simulate(about, by_model, Policy(rubric=rubric))  # type: ignore[arg-type]
    assert isinstance(asked, UnansweredAudit)
    assert asked.lacks == ("no model was asked about more_tests",)


def test_an_edited_record_is_left_out(recorded: RecordedStore, tmp_path: Path) -> None:
    shutil.copytree(recorded.store.path, tmp_path / "store")
    store = Store.open(tmp_path / "store")
    first = next(store.records())
    first.path.write_text(first.path.read_text().replace('"passed"', '"failed"') + "\n")
    found = simulate_store(store, STRICT)
    assert (len(found.audits), list(found.not_read)) == (19, [first.key])


def test_many_processes_give_what_one_gives(recorded: RecordedStore, tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store", create=True)
    for number in range(8):
        for report in recorded.records().values():
            put(store, f"https://example.org/{number}", report)
    alone, together = simulate_store(store, STRICT, 1), simulate_store(store, STRICT, 2)
    assert alone == together
    assert len(alone.audits) == 160


def test_an_empty_store_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no record"):
        simulate_store(Store.open(tmp_path / "store", create=True), STRICT)


HOSTILE = "https://example.org/<script>alert(1)</script>|`x`\x1b[31m\u202e@everyone [a](javascript:1)"


def test_hostile_names_are_harmless_in_every_format(recorded: RecordedStore, tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store", create=True)
    for report in recorded.records().values():
        put(store, HOSTILE, report)
    found = simulate_store(store, STRICT)
    assert found.count(Effect.BLOCKED)
    text = simulation_text.markdown(found)
    rows = [each for each in text.splitlines() if each.startswith("| ``")]
    assert rows
    for each in rows:
        assert len(re.findall(r"(?<!\\)\|", each)) == 4
    assert not {"\x1b", "\u202e"} & set(text)
    assert simulation_text.to_json(found).isascii()


def test_a_bar_in_a_reason_ends_no_cell(recorded: RecordedStore) -> None:
    found = simulate_store(recorded.store, STRICT)
    (blocked, *_) = found.with_effect(Effect.BLOCKED)
    demand = blocked.unmet[0].model_copy(update={"sentence": "`a|b` and c|d."})
    text = simulation_text.markdown(
        found.model_copy(update={"audits": (blocked.model_copy(update={"unmet": (demand,)}),)})
    )
    (row,) = [each for each in text.splitlines() if "and c" in each]
    assert len(re.findall(r"(?<!\\)\|", row)) == 4


def test_the_command_says_what_would_be_blocked_and_that_merged_changes_are_survivors(
    recorded: RecordedStore, house: Path, tmp_path: Path
) -> None:
    arguments = ("fleet", "simulate", "--store", recorded.store.path)
    code, printed = run(*arguments, "--min-overall", "4.5", "--no-new", "medium", "--min", "tests=4")
    assert code == 0
    assert re.search(r"Of 20 audits, \d+ that passed would be blocked", printed)
    assert "survivors" in printed
    code, printed = run(*arguments, "--rubric", house, "--format", "json", "--out", tmp_path / "effect.json")
    assert (code, printed) == (0, "")
    plain = json.loads((tmp_path / "effect.json").read_text())
    assert plain["policy"]["rubric"] == "house-rules"
    assert sum(plain["counts"].values()) == 20


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "no policy is given"),
        (("--rubric", "pull-request", "--min", "vibes=3"), "'vibes' is no criterion of the rubric pull-request"),
        (("--min", "tests=9"), "must lie between 1 and 5"),
        (("--rubric", "no-such"), "there is no built-in rubric 'no-such'"),
    ],
)
def test_a_mistake_is_one_sentence(recorded: RecordedStore, options: tuple[str, ...], sentence: str) -> None:
    code, printed = run("fleet", "simulate", "--store", recorded.store.path, *options)
    assert code == 2
    assert sentence in printed
