"""Servers behind a private certificate or a proxy: git goes the way that whoever runs us has set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from auditor.domain import UserError
from auditor.repo.repository_opening import open_repository
from tests.action.git_server import serve
from tests.repos import Drawing


def certified(folder: Path) -> Path:
    """A certificate for `localhost` that nobody knows, and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.pem").write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    (folder / "known.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return folder / "server.pem"


@pytest.fixture
def url(drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("HTTPS_PROXY", "https_proxy", "GIT_SSL_CAINFO", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
    drawing.commit({"a.py": "x = 1\n"})
    drawing.git("clone", "--quiet", "--bare", str(drawing.path), str(tmp_path / "root" / "project.git"))
    with serve(tmp_path / "root", certified(tmp_path)) as server:
        yield f"{server.url}/project.git"


@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "GIT_SSL_CAINFO"])
def test_a_private_certificate_is_trusted_where_it_is_named_and_nowhere_else(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with pytest.raises(UserError, match="name the file of its authority in SSL_CERT_FILE"), open_repository(url):
        pass
    monkeypatch.setenv(name, str(tmp_path / "known.pem"))
    with open_repository(url) as repo:
        assert repo.read("a.py") == b"x = 1\n"


def test_a_proxy_is_used_but_for_hosts_that_need_none(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "known.pem"))
    monkeypatch.setenv("HTTPS_PROXY", 'http://user:pass"word@127.0.0.1:1')
    monkeypatch.setenv("NO_PROXY", "")
    with pytest.raises(UserError, match="cannot be reached") as raised, open_repository(url):
        pass
    assert "word" not in str(raised.value)
    monkeypatch.setenv("NO_PROXY", "localhost")
    with open_repository(url) as repo:
        assert len(repo.log().commits) == 1
