"""The judges together: what is sent, in which order, within which budget."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.domain import Cause, Evidence, Scope, UserError
from auditor.judges import reply_validation
from auditor.judges.answer_lookup import Options
from auditor.judges.bench_factory import BenchSettings, make_bench
from auditor.judges.judge_panel import Timeouts
from auditor.judges.model_budget import Budget, BudgetTracker
from auditor.judges.model_prices import TokenUsage, find_prices, same_model
from auditor.report.bench_description import usage_text
from tests.documentation import page
from tests.judges.cases import ADVICE, SEEN, SMALL, heard, place
from tests.judges.model_server import Line, listening, well
from tests.judges.model_stand_in import Body, Says, Standin, good, judge
from tests.verdicts import evidence

MANY = (evidence("code.x", locations=tuple(place(f"src/{n}.py", n + 1) for n in range(200))), SEEN[1])
"""Enough to be cached."""


def answering(**more: float) -> Standin:
    return Standin(lambda body: Says(good(body), **more))  # type: ignore[arg-type]


def test_all_judges_get_the_same_rules_material_and_schema_to_the_byte_and_their_role_last() -> None:
    model = answering()
    heard(model.connect(), seen=MANY)
    shared = {
        json.dumps([each["model"], each["system"], each["messages"][0]["content"][0], each["output_config"]])
        for each in model.asked
    }
    assert len(shared) == 1
    assert [judge(each) for each in model.asked] == ["prosecutor", "defense", "tech_lead"]
    assert len({each["messages"][0]["content"][1]["text"] for each in model.asked}) == 3


def test_nothing_is_sent_but_the_question() -> None:
    model = answering()
    heard(model.connect())
    for body in model.asked:
        assert set(body) == {"model", "max_tokens", "system", "messages", "output_config", "stream"}
        assert body["output_config"]["format"] == {
            "type": "json_schema",
            "schema": reply_validation.schema(["safety", "errors"]),
        }
        assert [list(part) for part in body["messages"][0]["content"]] == [
            ["type", "text", "cache_control"],
            ["type", "text"],
        ]


def test_the_schema_says_only_what_the_service_enforces() -> None:
    from anthropic import transform_schema

    schema = reply_validation.schema(["safety", "errors"])
    assert transform_schema(schema) == schema


def test_the_argument_is_written_before_the_score() -> None:
    said = list(reply_validation.schema(["safety"])["properties"]["opinions"]["items"]["properties"])
    assert said.index("argument") < said.index("citations") < said.index("score")


def test_the_leader_writes_the_cache_and_the_others_read_it() -> None:
    hearing = heard(answering(before=0.05).connect(), seen=MANY)
    first, *others = hearing.cost.attempts
    assert first.cache_write_tokens > 1024
    assert first.cache_read_tokens == 0
    for each in others:
        assert each.cache_write_tokens == 0
        assert each.cache_read_tokens == first.cache_write_tokens


def test_the_others_begin_when_the_leaders_answer_does_and_not_when_it_ends() -> None:
    model = answering(before=0.1, during=0.3)
    heard(model.connect(), seen=MANY)
    assert model.course[:4] == [
        ("asked", "prosecutor"), ("began", "prosecutor"), ("asked", "defense"), ("asked", "tech_lead"),
    ]  # fmt: skip
    assert ("ended", "prosecutor") in model.course[4:]


def test_a_leader_without_a_sign_is_not_waited_for_long() -> None:
    model = Standin(lambda body: Says(good(body), before=0.0 if judge(body) != "prosecutor" else 60.0))
    hearing = heard(model.connect(), seen=MANY, pace=Timeouts(deadline=2.0, leader_timeout=0.2))
    assert {each.judge for each in hearing.opinions} == {"defense", "tech_lead"}


@pytest.mark.parametrize(
    ("seen", "model", "lead"), [(SEEN, "claude-haiku-4-5", True), (MANY, "claude-sonnet-5-5", False)]
)
def test_nobody_waits_where_nothing_would_be_cached_or_leading_is_off(
    seen: tuple[Evidence, ...], model: str, lead: bool
) -> None:
    standin = answering(before=0.3)
    heard(standin.connect(), seen=seen, model=model, pace=Timeouts(deadline=5.0, lead=lead))
    assert [what for what, _ in standin.course[:3]] == ["asked"] * 3


def test_each_model_has_a_leader_of_its_own() -> None:
    model = answering(before=0.2)
    heard(model.connect(), seen=MANY, models={"tech_lead": "claude-opus-5-5"})
    began = model.course.index(("began", "prosecutor"))
    assert model.course.index(("asked", "tech_lead")) < began < model.course.index(("asked", "defense"))
    assert {each["model"] for each in model.asked} == {"claude-sonnet-5-5", "claude-opus-5-5"}


def test_effort_is_named_where_the_model_is_known_to_take_one() -> None:
    for name, effort in (("claude-sonnet-5-5", "medium"), ("claude-haiku-4-5", None), ("my-own", None)):
        model = answering()
        heard(model.connect(), model=name)
        assert model.asked[0]["output_config"].get("effort") == effort


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (Budget(tokens=20_000), "tokens"),
        (Budget(tokens=10**9, usd=0.01), "USD"),
    ],
)
def test_what_may_exceed_the_budget_is_refused_before_anything_is_spent(budget: Budget, told: str) -> None:
    model = answering()
    hearing = heard(model.connect(), budget=budget)
    assert model.asked == []
    assert len(model.counted) == 1
    assert {each.cause for each in hearing.abstentions} == {Cause.OVER_BUDGET}
    assert told in hearing.abstentions[0].reason
    assert hearing.abstentions[0].reason.endswith("; give it a larger budget or a smaller model.")
    assert hearing.cost.usd == 0


def test_the_budget_is_held_by_what_the_service_counts() -> None:
    model = answering()
    model.counting = 300_000
    hearing = heard(model.connect(), budget=Budget(tokens=500_000))
    assert model.asked == []
    assert "948," in hearing.abstentions[0].reason


def test_where_nobody_counts_the_estimate_holds_the_budget() -> None:
    model = answering()
    model.counting = None
    assert len(heard(model.connect()).opinions) == 6
    assert heard(model.connect(), budget=Budget(tokens=49_000)).opinions == ()


def test_a_second_attempt_has_to_be_paid_from_the_same_budget() -> None:
    model = Standin(lambda body: Says(good(body), stop="max_tokens"))
    hearing = heard(model.connect(), budget=Budget(tokens=60_000))
    assert len(model.asked) < 6
    assert Cause.OVER_BUDGET in {each.cause for each in hearing.abstentions}


def test_a_model_of_unknown_price_is_shown_as_such_and_not_asked_within_a_budget_in_money() -> None:
    model = answering()
    hearing = heard(model.connect(), model="claude-unheard-of")
    assert hearing.cost.usd is None
    assert hearing.cost.output_tokens > 0
    strict = heard(model.connect(), model="claude-unheard-of", budget=Budget(usd=5.0, strict=True))
    assert "price of claude-unheard-of is not known" in strict.abstentions[0].reason


def test_what_failed_is_on_the_bill_with_model_request_and_tokens() -> None:
    model = Standin(lambda body: Says(good(body), cut=True))
    hearing = heard(model.connect())
    assert len(hearing.cost.attempts) == 6
    for each in hearing.cost.attempts:
        assert each.answered == "claude-sonnet-5-5"
        assert each.request_id.startswith("req_")
        assert each.input_tokens > 0
        assert (each.usd or 0) > 0
    assert hearing.cost.usd == pytest.approx(sum(each.usd or 0 for each in hearing.cost.attempts))


@pytest.mark.parametrize(
    ("name", "tokens", "usd"),
    [
        ("claude-haiku-5-5", TokenUsage(input=100_000), 0.01),
        ("claude-haiku-5-5", TokenUsage(input=100_001), 0.0500005),
        ("claude-haiku-5-5-20261007", TokenUsage(output=1_000_000), 0.5),
        ("claude-sonnet-5-5", TokenUsage(cache_write=1_000_000, cache_read=1_000_000), 2.7),
    ],
)
def test_prices_are_those_published(name: str, tokens: TokenUsage, usd: float) -> None:
    entry = find_prices(name)
    assert entry is not None
    assert entry.usd(tokens) == pytest.approx(usd)


@pytest.mark.parametrize(
    ("name", "usd"),
    [("claude-haiku-5-5", 2), ("claude-sonnet-5-5", 2), ("claude-opus-5-5", 4), ("claude-fable-5-1", 10)],
)
def test_the_budget_that_the_documentation_names_holds_the_worst_case_of_a_model(name: str, usd: float) -> None:
    """Both rounds with answers of the most tokens from all three, nothing read from the cache, prompts as full as may be."""
    row = re.search(rf"^\| `{name}` \|.*\| ([\d.]+) \|$", page("claude-bench.md"), re.MULTILINE)
    assert row is not None
    assert float(row[1]) <= usd
    prompt = Options("m").prompt_tokens
    worst = [(name, prompt, Options("m").answer_tokens), (name, prompt, 8_000)] * 3
    assert BudgetTracker(Budget(usd=float(usd))).refusal(worst) == ""


@pytest.mark.parametrize(
    ("asked", "answered", "same"),
    [
        ("claude-haiku-4-5", "claude-haiku-4-5-20251001", True),
        ("us.anthropic.claude-sonnet-5-5-20261001-v1:0", "claude-sonnet-5-5", True),
        ("claude-opus-5-5", "claude-haiku-5-5", False),
        ("house-model", "claude-opus-5-5", True),
    ],
)
def test_a_model_is_told_by_its_name(asked: str, answered: str, same: bool) -> None:
    assert same_model(asked, answered) is same


def test_criteria_of_which_nothing_is_known_cost_nothing() -> None:
    model = answering()
    dark = (evidence("code.x", outcome="unavailable"), SEEN[1])
    hearing = heard(model.connect(), seen=dark)
    assert {each.criterion for each in hearing.abstentions} == {"safety"}
    assert {each.criterion for each in hearing.opinions} == {"errors"}
    nothing = heard(model.connect(), seen=(dark[0],), by=SMALL.model_copy(update={"criteria": SMALL.criteria[:1]}))
    assert len(model.asked) == 3
    assert len(nothing.abstentions) == 3


def test_the_same_question_is_the_same_bytes() -> None:
    bodies: list[list[Body]] = []
    for _ in range(2):
        model = answering()
        heard(model.connect())
        bodies.append(model.asked)
    assert bodies[0] == bodies[1]


def test_a_model_for_nobody_is_a_mistake_that_is_said() -> None:
    with pytest.raises(
        UserError,
        match="no persona 'techlead' in the rubric small: name a model for one of prosecutor, defense, tech_lead",
    ):
        heard(answering().connect(), models={"techlead": "claude-opus-5-5"})


def test_what_is_known_of_a_price_is_told_when_the_rest_is_not() -> None:
    model = Standin(lambda body: Says(good(body), before=60.0 if judge(body) == "defense" else 0.0))
    cost = heard(model.connect(), pace=Timeouts(deadline=1.0, leader_timeout=0.2)).cost
    assert cost.usd is None
    assert "at least 0.00" in usage_text(cost)


HEARING = """
import sys
from pathlib import Path
from auditor.domain import Scope
from auditor.judges.bench_factory import BenchSettings, make_bench
from tests.judges.cases import ADVICE, SEEN, SMALL
settings = BenchSettings(judges="claude", base_url=sys.argv[1], store=Path(sys.argv[2]), seconds=50)
make_bench(settings, {"ANTHROPIC_API_KEY": "test-key"}).hear(SMALL, SEEN, Scope.WHOLE_TREE, ADVICE)
"""


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, -signal.SIGINT), (signal.SIGTERM, -signal.SIGTERM)])
def test_answers_that_are_there_when_the_hearing_is_interrupted_are_not_paid_for_again(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    """While two judges are still silent: what the leader said is kept, and only the two are asked again."""
    model = Standin(lambda body: Says(good(body)))
    silent = {"defense", "tech_lead"}

    async def behave(line: Line) -> None:
        if not line.counts and judge(line.body) in silent:
            await line.head()
            await asyncio.sleep(60)
        await well(line, model)

    with listening(behave) as server:
        command = [sys.executable, "-c", HEARING, server.url, str(tmp_path)]
        first = subprocess.Popen(command, stderr=subprocess.PIPE)
        until(lambda: len(server.asked) == 3 and any(b"prosecutor" in each.read_bytes() for each in tmp_path.iterdir()))
        first.send_signal(sent)
        first.communicate(timeout=20)
        assert first.returncode == code
        silent.clear()
        settings = BenchSettings(judges="claude", base_url=server.url, store=tmp_path, seconds=50)
        second = make_bench(settings, {"ANTHROPIC_API_KEY": "test-key"}).hear(SMALL, SEEN, Scope.WHOLE_TREE, ADVICE)
        assert (second.cost.reused, len(second.opinions), len(second.abstentions)) == (1, 6, 0)
        assert {judge(each.body) for each in server.asked[3:]} == {"defense", "tech_lead"}


def until(there: Callable[[], bool], seconds: float = 40.0) -> None:
    """Wait for something that another process does."""
    ends = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < ends
        time.sleep(0.05)
