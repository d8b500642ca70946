"""Histories whose messages and names are books: what is kept of them is short, and reading them takes linear time."""

from __future__ import annotations

import io
import time

import pytest

from auditor.domain import EntryKind
from auditor.repo import commit_log, git_output_parser
from auditor.repo.commit_log import read_history
from auditor.repo.git_objects import read_listing
from auditor.repo.git_output_parser import TokenReader


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
    assert [len(each.message) for each in found.commits] == [commit_log.MAX_MESSAGE_BYTES, 5]
    assert found.commits[0].message.startswith("fix: a thing\n\nword word")
    assert len(found.commits[0].author.name) == commit_log.MAX_SIGNATURE_BYTES
    assert found.commits[1].files[0].path == "a.py"
    assert found.complete


@pytest.mark.parametrize(("message", "path"), [(b"m" * 5_000, b"a.py"), (b"m", b"p" * 5_000)])
def test_a_history_of_too_many_bytes_is_cut_and_says_so(
    monkeypatch: pytest.MonkeyPatch, message: bytes, path: bytes
) -> None:
    monkeypatch.setattr(commit_log, "MAX_HISTORY_BYTES", 12_000)
    found = read_history(log(*[message] * 9, path=path))
    assert len(found.commits) == 3
    assert not found.complete
    assert "12,000 bytes" in found.limit_reason


def test_a_long_token_is_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_output_parser, "CHUNK_BYTES", 1 << 9)
    long = b"x" * (1 << 23)
    started = time.process_time()
    assert list(TokenReader(io.BytesIO(b"a\0" + long + b"\0b\0\0c"))) == [b"a", long, b"b", b"", b"c"]
    assert time.process_time() - started < 2


def test_of_a_token_without_end_the_middle_is_left_out_and_one_at_the_end_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(git_output_parser, "MAX_TOKEN_BYTES", 1 << 18)
    first, second, last = TokenReader(io.BytesIO(b"x" * (1 << 20) + b"end\0short\0" + b"z" * (1 << 20)))
    assert (first[:3], first[-3:], second, last[-3:]) == (b"xxx", b"end", b"short", b"zzz")
    assert max(len(first), len(last)) < 1 << 19
    assert list(TokenReader(io.BytesIO(b"a\0" + b"y" * 200_000))) == [b"a", b"y" * 200_000]


def listed(name: bytes) -> io.BytesIO:
    return io.BytesIO(b"100644 blob " + b"1" * 40 + b"\t" + name + b"\0")


def test_a_path_that_no_system_can_open_is_shown_short_and_one_as_long_as_may_be_whole() -> None:
    (long,) = read_listing(listed(b"a/" * 2_047 + b"b")).entries
    assert (len(long.path), long.kind) == (4_095, EntryKind.FILE)
    (longer,) = read_listing(listed(b"app/" + b"p" * 5_000 + b".py")).entries
    assert longer.kind is EntryKind.UNOPENABLE
    assert longer.path.startswith("app/ppp")
    assert longer.path.endswith("ppp.py")
    assert "(5,007 bytes, " in longer.path
    assert len(longer.path) < 300


def test_two_such_paths_with_the_same_ends_are_two() -> None:
    names = [b"a" * 3_000 + each + b"b" * 3_000 for each in (b"1", b"2")]
    assert (
        len({each.path for each in read_listing(io.BytesIO(b"".join(listed(name).read() for name in names))).entries})
        == 2
    )


def test_names_that_read_the_same_are_told_apart_and_keep_their_endings() -> None:
    names = [b"\\xff.py", b"\xff.py"]
    one, other = read_listing(io.BytesIO(b"".join(listed(name).read() for name in names))).entries
    assert one.path == "\\xff.py"
    assert other.path.startswith("\\xff~")
    assert other.path.endswith(".py")


def test_many_names_that_read_the_same_take_linear_time() -> None:
    both = (b"\xff", b"\\xff")
    names = [b"".join(both[number >> bit & 1] for bit in range(15)) for number in range(1 << 15)]
    output = io.BytesIO(b"".join(listed(name).read() for name in names))
    started = time.perf_counter()
    assert len({each.path for each in read_listing(output).entries}) == 1 << 15
    assert time.perf_counter() - started < 5
