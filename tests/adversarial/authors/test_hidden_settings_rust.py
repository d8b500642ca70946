"""Settings of TLS in Rust that are written another way than `true`."""

from __future__ import annotations

from pathlib import Path

from tests.adversarial.authors.drawing import TLS, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import assert_is_found, assert_is_silent

CASE: Case = (
    "a negation",
    TLS,
    "fn f() {\n    let c = reqwest::Client::builder().danger_accept_invalid_certs(!false).build();\n}\n",
    "fn f() {\n    let c = reqwest::Client::builder().danger_accept_invalid_certs(!true).build();\n}\n",
)


def test_a_negated_false_turns_verification_off_and_a_negated_true_does_not(tmp_path: Path) -> None:
    found = evidence_by_case(tmp_path, [CASE], "rs")
    assert_is_found(found, 0, CASE, "rs")
    assert_is_silent(found, 0, "rs")
