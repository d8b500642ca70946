"""Settings of TLS in Rust that are written another way than `true`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial.authors.drawing import TLS, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import assert_is_found, assert_is_silent, names

CASES: list[Case] = [
    (
        "a negation",
        TLS,
        "fn f() {\n    let c = reqwest::Client::builder().danger_accept_invalid_certs(!false).build();\n}\n",
        "fn f() {\n    let c = reqwest::Client::builder().danger_accept_invalid_certs(!true).build();\n}\n",
    ),
    (
        "a value that is computed",
        TLS,
        "fn f() {\n    let easy = cfg!(unix) || cfg!(not(unix));\n    let c = reqwest::Client::builder().danger_accept_invalid_hostnames(easy).build();\n}\n",
        "const EASY: bool = false;\n\nfn f() {\n    let c = reqwest::Client::builder().danger_accept_invalid_hostnames(EASY).build();\n}\n\nfn g(given: &Args) {\n    let c = reqwest::Client::builder().danger_accept_invalid_certs(given.insecure).build();\n}\n",
    ),
]


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_may_turn_verification_off_is_found_and_what_never_does_is_not(number: int, tmp_path: Path) -> None:
    found = evidence_by_case(tmp_path, CASES, "rs")
    assert_is_found(found, number, CASES[number], "rs")
    assert_is_silent(found, number, "rs")
