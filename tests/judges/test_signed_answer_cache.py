"""Answers kept under a seal: what was kept is heard again, and everything else is a notice and a new request."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.domain import AuditReport
from auditor.judges.claude_bench import ClaudeBench, Options
from auditor.judges.recorded_answers import StoredAnswer
from auditor.judges.signed_answer_cache import SealedAnswerStore, derive_key
from auditor.report.bench_description import price
from auditor.report.markdown_report import markdown
from tests.judges.model_stand_in import Says, Standin, good
from tests.judges.test_recorded_answers import MODEL, lasting
from tests.judges.test_rehearing import APART, audit, disputing

SECRET = "0123456789abcdef" * 3
PLACE = ("1.0", "https://github.com/octo/shop", "anthropic", "")
TODAY = date(2026, 11, 21)
MOST = 100_000


def memory(
    secret: str = SECRET, place: tuple[str, ...] = PLACE, today: date = TODAY, most: int = MOST
) -> SealedAnswerStore:
    return SealedAnswerStore(secret, place, today, most)


def agreeing() -> Standin:
    return Standin(lambda body: Says(good(body)))


def heard(kept: SealedAnswerStore, standin: Standin, **options: Any) -> AuditReport:
    return audit(ClaudeBench(Options(**{"model": MODEL, **options}), standin.connect(), kept))


def sealed(model: Standin | None = None, **more: Any) -> str:
    kept = memory(**more)
    heard(kept, model or agreeing())
    return kept.sealed()


def asked_again(text: str, **more: Any) -> tuple[int, SealedAnswerStore]:
    kept, model = memory(**more), agreeing()
    kept.open(text)
    heard(kept, model)
    return len(model.asked), kept


def test_both_rounds_are_heard_again_without_a_request_and_told_with_their_price() -> None:
    """[T37]"""
    first_memory, model = memory(), disputing(APART, {"prosecutor": 4})
    first = heard(first_memory, model)
    text = first_memory.sealed()
    assert len(model.asked) == 4
    again = memory()
    again.open(text)
    second = heard(again, agreeing_never())
    assert lasting(second) == lasting(first)
    assert (second.cost.model_calls, second.cost.usd, second.cost.reused) == (0, 0.0, 4)
    assert second.cost.reused_usd == first.cost.usd
    assert (
        f"claude bench: 4 answers that were given to the same evidence before, for {price(first.cost.usd)}, 0.00 USD now, by claude-sonnet-5-5."
        in markdown(second)
    )
    assert again.sealed() == text
    assert again.notices == ()


def agreeing_never() -> Standin:
    def refuse(_body: object) -> Says:
        raise AssertionError("somebody was asked")

    return Standin(refuse)


def flipped(text: str) -> str:
    tag, _, data = text.partition(".")
    return f"{tag}.{data[:100]}{'A' if data[100] != 'A' else 'B'}{data[101:]}"


def without_a_seal(text: str) -> str:
    return "." + text.partition(".")[2]


def resealed_by_another(text: str) -> str:
    packed = base64.b64decode(text.partition(".")[2])
    return f"{SealedAnswerStore('x' * 32, PLACE, TODAY, MOST)._tag(packed)}.{text.partition('.')[2]}"


def better(text: str) -> str:
    """Under the old seal, a mild judge's scores."""
    packed = zlib.decompress(base64.b64decode(text.partition(".")[2])).replace(b'"score":4', b'"score":5')
    return f"{text.partition('.')[0]}.{base64.b64encode(zlib.compress(packed)).decode()}"


def bomb(text: str) -> str:
    return f"{'0' * 64}.{base64.b64encode(zlib.compress(bytes(50_000_000))).decode()}"


@pytest.mark.parametrize(
    "change",
    [
        flipped, without_a_seal, resealed_by_another, better, bomb,
        lambda text: text[: len(text) // 2], lambda text: text[:64], lambda text: "." * 500, lambda text: "0",
        lambda text: text.upper(), lambda text: f"{'é' * 64}.{text.partition('.')[2]}",
    ],
)  # fmt: skip
def test_what_is_forged_cut_or_unreadable_is_a_notice_and_a_new_request(change: Callable[[str], str]) -> None:
    """[T36]"""
    requests, kept = asked_again(change(sealed()))
    assert requests == 3
    (notice,) = kept.notices
    assert "are not sealed with this key by this version for this repository" in notice


@pytest.mark.parametrize(
    "more",
    [
        {"secret": SECRET[::-1]},
        {"place": ("2.0", *PLACE[1:])},
        {"place": (PLACE[0], "https://github.com/octo/other", *PLACE[2:])},
        {"place": (*PLACE[:2], "bedrock", "")},
        {"place": (*PLACE[:3], "https://gateway.example.org")},
    ],
    ids=["the key was changed", "another version", "another repository", "another provider", "another address"],
)
def test_what_holds_for_something_else_is_not_believed(more: dict[str, Any]) -> None:
    """[T36]"""
    requests, kept = asked_again(sealed(), **more)
    assert requests == 3
    assert len(kept.notices) == 1


@pytest.mark.parametrize("options", [{"model": "claude-opus-5-5"}, {"effort": "high"}, {"instructions": "Be kind."}])
def test_a_true_answer_to_another_question_is_no_answer(options: dict[str, Any]) -> None:
    """[T36] What is kept is found by the digest of model, effort, schema, prompt and persona."""
    kept, model = memory(), agreeing()
    kept.open(sealed())
    heard(kept, model, **options)
    assert len(model.asked) == 3
    assert kept.notices == ()


def test_an_answer_under_the_seal_whose_name_and_content_differ_is_asked_for_again() -> None:
    """[T36] Even who has the key cannot exchange what two judges said without being noticed."""
    kept = memory()
    heard(kept, agreeing())
    one, other, *rest = kept._used.values()
    exchanged = (one.model_copy(update={"heard": other.heard}), other.model_copy(update={"heard": one.heard}), *rest)
    edited = one.heard.opinions[0].model_copy(update={"score": 5})
    lenient = StoredAnswer(
        heard=one.heard.model_copy(update={"opinions": (edited, *one.heard.opinions[1:])}), day=TODAY
    )
    assert asked_again(kept._seal(exchanged))[0] == 0
    assert asked_again(kept._seal((lenient, other, *rest)))[0] == 1


@pytest.mark.parametrize(("days", "requests"), [(0, 0), (30, 0), (31, 3), (-1, 3)])
def test_answers_have_an_age(days: int, requests: int) -> None:
    found, kept = asked_again(sealed(), today=TODAY + timedelta(days=days))
    assert found == requests
    assert [notice for notice in kept.notices if "older than 30 days" in notice] == list(kept.notices)
    assert bool(kept.notices) == bool(requests)


def test_reuse_makes_no_answer_younger() -> None:
    text = sealed()
    later = memory(today=TODAY + timedelta(days=20))
    later.open(text)
    heard(later, agreeing_never())
    assert asked_again(later.sealed(), today=TODAY + timedelta(days=31))[0] == 3


def test_answers_that_failed_are_not_kept() -> None:
    assert sealed(Standin(lambda _body: Says(stop="refusal"))) == ""


def test_there_is_a_most_and_what_does_not_fit_is_said() -> None:
    whole = sealed()
    kept = memory(most=len(whole) - 1)
    heard(kept, agreeing())
    assert 0 < len(kept.sealed()) < len(whole)
    assert "1 of 3 answers are too long to be kept" in kept.notices[0]
    none = memory(most=100)
    heard(none, agreeing())
    assert none.sealed() == ""
    assert "3 of 3 answers are too long to be kept" in none.notices[0]


def test_where_nobody_is_asked_what_was_kept_stays() -> None:
    text = sealed()
    kept = memory()
    kept.open(text)
    assert kept.sealed() == text
    assert memory().sealed() == ""


def test_what_another_audit_no_longer_needs_is_dropped() -> None:
    kept = memory()
    kept.open(sealed())
    heard(kept, agreeing(), model="claude-opus-5-5")
    assert {each.heard.answer.model for each in kept._used.values()} == {"claude-opus-5-5"}


def test_the_key_is_derived_as_rfc_5869_says() -> None:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    expected = HKDF(SHA256(), 32, b"automaton-auditor: answers kept between audits", b'["a", "b"]').derive(SECRET.encode())  # fmt: skip
    assert derive_key(SECRET, ("a", "b")) == expected


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: f"{'0' * 64}.{base64.b64encode(raw).decode()}"))
def test_nothing_that_can_stand_in_a_check_run_breaks_an_audit(text: str) -> None:
    kept = memory()
    kept.open(text)
    assert len(kept.notices) == (1 if text else 0)
    assert kept.sealed() == ""


@pytest.mark.parametrize(
    ("content", "times", "end"),  # what is collected is in memory for all of the suite
    [(b"", 1, b""), (b"{}", 1, b""), (b"[]", 1, b""), (b"null", 1, b""), (b"[", 100_000, b""), (b'{"answers": [{}]}', 1, b""), (b'{"answers": 1}', 1, b""),
     (b"\xff", 1, b""), (b"\0", 9_000_000, b""), (b" ", 5_000_000, b'{"answers": []}')],
    ids=range(10),
)  # fmt: skip
def test_what_is_under_our_own_seal_and_no_store_of_answers_is_not_believed_either(
    content: bytes, times: int, end: bytes
) -> None:
    """A bug of an earlier version is no way in: its seal would be ours."""
    content = content * times + end
    kept = memory()
    packed = zlib.compress(content)
    kept.open(f"{kept._tag(packed)}.{base64.b64encode(packed).decode()}")
    assert len(kept.notices) == 1
    assert kept.sealed() == ""
