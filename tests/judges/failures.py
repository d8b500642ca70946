"""Every way in which a model can fail to judge: what it does, and what becomes of it. The table in .github/docs/claude-bench.md is made of this."""

from __future__ import annotations

from dataclasses import dataclass

import httpx2

from auditor.domain import Cause
from tests.judges.model_stand_in import Answers, Body, Says, criteria, good


@dataclass(frozen=True)
class Failure:
    """One way to fail, for as long as it is asked."""

    name: str
    answers: Answers
    cause: Cause
    requests: int
    """HTTP requests a judge causes; those of the SDK count."""
    seconds: float = 3.0
    """Most that the audit may take with a deadline of two seconds."""
    told: str = ""
    """What the reason says among other things."""
    of_opinions: bool = False
    """Is it about opinions, so that nobody fails like this in a vote?"""


def _error(kind: str, code: str = "", message: str = "no") -> dict[str, object]:
    details = {"details": {"error_code": code}} if code else {}
    return {"type": "error", "error": {"type": kind, "message": message, **details}}


def _status(status: int, kind: str, code: str = "", **headers: str) -> Answers:
    return lambda _body: Says(status=status, error=_error(kind, code), headers={"retry-after-ms": "1", **headers})


def _says(**what: object) -> Answers:
    return lambda body: Says(**{"text": good(body), **what})  # type: ignore[arg-type]


def _half(body: Body) -> Says:
    text = good(body)
    return Says(text[: len(text) // 2])


FAILURES = (
    Failure("the model refuses", _says(text="I cannot help with that.", stop="refusal", details={"type": "refusal", "category": "cyber", "explanation": None}), Cause.REFUSED, 1, told="category cyber"),
    Failure("the answer is longer than the limit", _says(stop="max_tokens"), Cause.TRUNCATED, 2),
    Failure("the prompt is longer than the context of the model", _says(stop="model_context_window_exceeded"), Cause.TRUNCATED, 1),
    Failure("the model stops to use a tool", _says(stop="tool_use"), Cause.INVALID, 2, told="tool_use"),
    Failure("the model pauses", _says(stop="pause_turn"), Cause.INVALID, 2),
    Failure("the model stops for an unknown reason", _says(stop="out_of_cheese"), Cause.INVALID, 2, told="out_of_cheese"),
    Failure("the answer ends in the middle, without an error", _says(cut=True), Cause.UNAVAILABLE, 2, told="ended in the middle"),
    Failure("the connection breaks in the middle", _says(drop=httpx2.RemoteProtocolError("peer closed")), Cause.UNAVAILABLE, 2, told="RemoteProtocolError"),
    Failure("the connection times out in the middle", _says(drop=httpx2.ReadTimeout("silence")), Cause.TIMED_OUT, 2),
    Failure("the service is overloaded in the middle of an answer", _says(error=_error("overloaded_error")), Cause.UNAVAILABLE, 2, told="overloaded_error"),
    Failure("the service is overloaded (529)", _status(529, "overloaded_error"), Cause.UNAVAILABLE, 3, told="HTTP 529"),
    Failure("the rate limit is reached again and again (429)", _status(429, "rate_limit_error"), Cause.UNAVAILABLE, 3, told="HTTP 429"),
    Failure("the service asks to wait for an hour (429)", lambda _body: Says(status=429, error=_error("rate_limit_error"), headers={"retry-after": "3600"}), Cause.UNAVAILABLE, 1, told="longer than 60 seconds"),
    Failure("the spend limit of the account is reached", _status(429, "rate_limit_error", "enforced_spend_limit_reached"), Cause.OVER_BUDGET, 3, told="spending limit"),
    Failure("the account has no credit (402)", _status(402, "billing_error"), Cause.OVER_BUDGET, 1, told="spending limit"),
    Failure("the credit of the account is used up (400)", lambda _body: Says(status=400, error=_error("invalid_request_error", message="Your credit balance is too low to access the API.")), Cause.OVER_BUDGET, 1, told="spending limit"),
    Failure("the key is wrong (401)", _status(401, "authentication_error"), Cause.UNAVAILABLE, 1, told="HTTP 401): it does not accept the key"),
    Failure("the model does not exist (404)", _status(404, "not_found_error"), Cause.UNAVAILABLE, 1, told="HTTP 404): it knows no such model"),
    Failure("the request is refused (400)", _status(400, "invalid_request_error"), Cause.UNAVAILABLE, 1, told="HTTP 400"),
    Failure("there is no answer", _says(before=60.0), Cause.TIMED_OUT, 1),
    Failure("the answer stalls in the middle", _says(during=60.0), Cause.TIMED_OUT, 1),
    Failure("the answer is half a JSON document", _half, Cause.INVALID, 2, told="not one JSON document"),
    Failure("the answer has another schema", _says(text='{"verdict": "fine", "opinions": []}'), Cause.INVALID, 2, told="does not follow the schema"),
    Failure("the answer omits a criterion", lambda body: Says(good({**body, "messages": _one_criterion(body)})), Cause.INVALID, 2, told="0 opinions on errors", of_opinions=True),
    Failure("a score is outside 1 to 5", lambda body: Says(good(body, 9)), Cause.INVALID, 2, told="score", of_opinions=True),
    Failure("the answer has two bodies", lambda body: Says(texts=(good(body, 5), good(body, 1))), Cause.INVALID, 2, told="2 bodies"),
    Failure("the answer is empty", _says(text=""), Cause.INVALID, 2, told="it is empty"),
    Failure("a gateway answers with HTML", _says(raw=b"<html><body>Welcome to the hotel</body></html>"), Cause.INVALID, 2, told="holds no message"),
    Failure("the answer is not JSON", _says(raw=b"event: message_start\ndata: {broken\n\n"), Cause.INVALID, 2, told="no answer of this API"),
    Failure("another model answers", _says(model="claude-haiku-4-5"), Cause.INVALID, 1, told="claude-haiku-4-5"),
)  # fmt: skip


def _one_criterion(body: Body) -> list[dict[str, object]]:
    """The same request as if only the first criterion had been asked about."""
    material, turn = body["messages"][0]["content"]
    asked = criteria(body)
    return [{"content": [material, {"text": turn["text"].replace(", ".join(asked), asked[0])}]}]


def table() -> str:
    """The failures as a Markdown table."""
    lines = ["| If all judges fail like this | Each abstains as | Requests per judge | Verdict |", "|:--|:--|:-:|:--|"]
    lines += [
        f"| {each.name} | {each.cause.value.replace('_', ' ')} | {each.requests} | inconclusive |" for each in FAILURES
    ]
    return "\n".join(lines)
