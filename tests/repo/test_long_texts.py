"""Histories whose messages and names are books: what is kept of them is short, and reading them takes linear time."""

from __future__ import annotations

import io
import time

import pytest

from auditor.domain import UserError
from auditor.repo import history, tokens
from auditor.repo.history import read_history
from auditor.repo.objects import read_listing
from auditor.repo.tokens import Tokens


def log(*messages: bytes, name: bytes = b"Ada", path: bytes = b"a.py") -> io.BytesIO:
    """What git prints of commits with those messages, each of which adds one file."""
    raw = b":000000 100644 " + b"0" * 40 + b" " + b"1" * 40 + b" A"
    return io.BytesIO(
        b"".join(
            b"\0".join(
                [b"2" * 40, b"", name, b"a@b.c", b"1700000000 +0000", name, b"a@b.c", b"1700000000 +0000", each]
            )
            + b"\0\0\n" + raw + b"\0" + path + b"\0"
            for each in messages
        )
    )  # fmt: skip


def test_a_message_and_a_name_are_kept_as_far_as_people_write_them() -> None:
    found = read_history(log(b"fix: a thing\n\n" + b"word " * 1_000_000, b"short", name=b"A" * 100_000))
    assert [len(each.message) for each in found.commits] == [history.MAX_MESSAGE, 5]
    assert found.commits[0].message.startswith("fix: a thing\n\nword word")
    assert len(found.commits[0].author.name) == history.MAX_WRITER
    assert found.commits[1].files[0].path == "a.py"
    assert found.complete


@pytest.mark.parametrize(("message", "path"), [(b"m" * 5_000, b"a.py"), (b"m", b"p" * 5_000)])
def test_a_history_of_too_many_bytes_is_cut_and_says_so(
    monkeypatch: pytest.MonkeyPatch, message: bytes, path: bytes
) -> None:
    monkeypatch.setattr(history, "MAX_KEPT", 12_000)
    found = read_history(log(*[message] * 9, path=path))
    assert len(found.commits) == 3
    assert not found.complete
    assert "12,000 bytes" in found.limit_reason


def test_a_long_token_is_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "CHUNK", 1 << 9)
    long = b"x" * (1 << 23)
    started = time.process_time()
    assert list(Tokens(io.BytesIO(b"a\0" + long + b"\0b\0\0c"))) == [b"a", long, b"b", b"", b"c"]
    assert time.process_time() - started < 2


def test_a_token_without_end_is_refused_and_one_at_the_end_is_given() -> None:
    with pytest.raises(ValueError, match="too long"):
        Tokens(io.BytesIO(b"x" * (tokens.MAX_TOKEN + (1 << 18)))).next()
    assert list(Tokens(io.BytesIO(b"a\0" + b"y" * 200_000))) == [b"a", b"y" * 200_000]


def listed(name: bytes) -> io.BytesIO:
    return io.BytesIO(b"100644 blob " + b"1" * 40 + b"\t" + name + b"\0")


def test_a_path_that_no_system_can_open_is_refused_and_a_long_one_is_not() -> None:
    assert len(read_listing(listed(b"a/" * 2_047 + b"b")).entries) == 1
    with pytest.raises(UserError, match="a path of 5,000 bytes"):
        read_listing(listed(b"p" * 5_000))
