"""Secrets of known shapes, put together here at run time, in every field that is recorded."""

from __future__ import annotations

import pytest
from pydantic import ConfigDict

from auditor.domain import CodeLocation, ProbeData
from auditor.report.secret_redaction import redact, redact_evidence
from tests.verdicts import evidence

BODY = "Zk3" + "9xQ2" * 9
SECRETS = {
    "GitHub": "gh" + "p_" + BODY,
    "fine-grained": "github" + "_pat_" + BODY,
    "GitLab": "gl" + "pat-" + BODY[:20],
    "Anthropic": "sk-" + "ant-" + BODY,
    "OpenAI": "sk-" + "proj-" + BODY,
    "Stripe": "sk_" + "live_" + BODY[:24],
    "AWS": "AKIA" + "Q3EGRTYUIOPLKJHG",
    "Google": "AIza" + BODY[:35],
    "Slack": "xox" + "b-" + BODY[:30],
    "npm": "npm_" + BODY[:36],
    "PyPI": "pypi-" + BODY * 2,
    "JWT": "eyJ" + BODY[:20] + ".eyJ" + BODY[:30] + "." + BODY[:20],
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----\n" + BODY + "\n-----END RSA " + "PRIVATE KEY-----",
}


@pytest.mark.parametrize("kind", sorted(SECRETS))
def test_a_secret_is_replaced_by_its_kind_and_a_fingerprint(kind: str) -> None:
    secret = SECRETS[kind]
    clean = redact(f'before "{secret}" after')
    assert secret not in clean
    assert BODY[:12] not in clean
    assert clean.startswith('before "[redacted ')
    assert redact(clean) == clean


def test_the_same_secret_has_the_same_fingerprint_and_another_one_another() -> None:
    first, second = redact(SECRETS["GitHub"]), redact(f"x {SECRETS['GitHub']}")
    assert second == f"x {first}"
    assert redact(SECRETS["GitHub"] + "0") != first


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ('password = "Tr0ub4dor&3x!q"', "Tr0ub4dor"),
        ("api_key: 'c8Fk2Lm9Qz7Xw1'", "c8Fk2Lm9"),
        ("postgres://user:hunter2pass@db.example/x", "hunter2pass"),
        ("Authorization: Bearer " + BODY, BODY),
        ("gh\u200bp_" + BODY, BODY),
        ("DB_PASSWORD=" + "c8Fk2Lm9Qz7X" + "w1Rt5Vb3", "c8Fk2Lm9"),
        ("aws_secret_access_key = " + "c8Fk2Lm9Qz7X" + "w1Rt5Vb3", "c8Fk2Lm9"),
        ('password = "' + "test" + BODY[:12] + '"', BODY[:12]),
        ("-----BEGIN PGP PRIVATE KEY " + "BLOCK-----\n" + BODY * 300, BODY),
        ("dop_" + "v1_" + "ab12" * 16, "ab12" * 4),
        ("deploy --db-password " + "x7Gq92mn" + "Lp0z now", "x7Gq92mn"),
        ("<password>" + "x7Gq92mn" + "Lp0z</password>", "x7Gq92mn"),
        ("Server=db7;Pwd=" + "x7Gq92mn" + "Lp0z;", "x7Gq92mn"),
    ],
)
def test_secrets_in_assignments_addresses_and_headers_are_found(text: str, gone: str) -> None:
    assert gone not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        'password = "changeme"',
        "token = os.environ['TOKEN']",
        'secret = "${SECRET}"',
        "def get_token(password: str):",
        "token = self.tokens.next_token(position)",
        "password: Optional[str] = None",
        "sha256:" + "ab12" * 16,
        "https://example.org/a:b/c",
        "git credential --token file",
        "open(); password = read_password()",
        "<token>Identifier</token>",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


class Named(ProbeData):
    model_config = ConfigDict(frozen=True, extra="forbid")
    names: tuple[str, ...]


def test_every_field_of_evidence_is_cleaned_and_keeps_its_type() -> None:
    secret = SECRETS["GitHub"]
    dirty = evidence(
        locations=(CodeLocation(path="a.py", start=1, quote=f"t = '{secret}'"),), data=Named(names=(secret,))
    ).model_copy(update={"statement": f"Seen {secret}"})
    (clean,) = redact_evidence([dirty])
    assert secret not in clean.model_dump_json()
    assert isinstance(clean.data, Named)
    assert clean.id == dirty.id


def test_redaction_of_long_hostile_text_is_fast() -> None:
    import time

    started = time.process_time()
    for text in (
        "a" * 200_000,
        "password" * 20_000,
        "eyJ" * 60_000,
        "-----BEGIN " * 10_000,
        "https://" + "a:" * 50_000,
    ):
        redact(text)
    assert time.process_time() - started < 5
