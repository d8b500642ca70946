"""Mirrors, on a real git server: what is fetched, when, by whom, and where the token never is."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from auditor.fleet.host_limits import HostLimits
from auditor.repo.mirror import (
    CommitSpan,
    FetchFailed,
    Mirror,
    mirror_name,
    open_mirror,
    remove_least_recently_used,
    size_of,
)
from auditor.repo.remote_fetch import parse_address
from tests.action.git_server import GitServer, serve
from tests.repos import Drawing

TOKEN = "token-that-nobody-may-write-down-0123456789"


@pytest.fixture
def server(drawing: Drawing) -> Iterator[GitServer]:
    """A server of the drawn repository, partial clones allowed."""
    with serve(drawing.path.parent) as running:
        yield running


@contextlib.contextmanager
def opened(place: Path, url: str, token: str | None = None) -> Iterator[Mirror]:
    address = parse_address(url)
    assert address is not None
    with open_mirror(place, address, token=token, timeout=30) as mirror:
        yield mirror


def allow_filters(drawing: Drawing) -> None:
    drawing.git("config", "uploadpack.allowFilter", "true")
    drawing.git("config", "uploadpack.allowAnySHA1InWant", "true")


def missing(mirror: Path, commit: str) -> list[str]:
    """Objects of a commit's tree that a mirror lacks."""
    command = ["git", f"--git-dir={mirror}", "rev-list", "--objects", "--no-walk", "--missing=print", commit]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if line.startswith("?")]


def test_only_blobs_of_the_prepared_change_are_fetched_and_the_second_change_brings_only_its_own(
    drawing: Drawing, server: GitServer, tmp_path: Path
) -> None:
    allow_filters(drawing)
    big = "".join(f"{number * 7919 % 10007}\n" for number in range(20_000))
    commits = [drawing.commit({"a.py": "x = 0\n", "big.txt": big})]
    commits += [drawing.commit({"a.py": f"x = {number}\n"}) for number in range(1, 4)]
    place = tmp_path / "m.git"
    with opened(place, f"{server.url}/drawn/.git") as mirror:
        mirror.update()
        assert len(missing(place, commits[1])) == 1, "no tree"
        mirror.prepare([CommitSpan("1" * 64, commits[1], commits[0])])
        first = size_of(place)
        assert missing(place, commits[1]) == missing(place, commits[0]) == []
        assert len(missing(place, commits[3])) == 1
        mirror.prepare([CommitSpan("2" * 64, commits[3], commits[2])])
        assert missing(place, commits[3]) == []
        assert size_of(place) - first < first / 5
        asked = len(server.requests)
        mirror.prepare([CommitSpan("2" * 64, commits[3], commits[2])])
        assert len(server.requests) == asked
    refs = subprocess.run(["git", f"--git-dir={place}", "for-each-ref"], capture_output=True, text=True, check=True)
    assert f"{commits[3]} commit\trefs/units/{'2' * 64}/head" in refs.stdout


def test_a_later_update_brings_new_commits_and_forgets_branches_that_are_gone(
    drawing: Drawing, server: GitServer, tmp_path: Path
) -> None:
    allow_filters(drawing)
    drawing.commit({"a.py": "x = 0\n"})
    drawing.branch("topic")
    place = tmp_path / "m.git"
    with opened(place, f"{server.url}/drawn/.git") as mirror:
        mirror.update()
        assert mirror.resolve(["topic", "main", "HEAD", "HEAD~1"]) == [drawing.head, drawing.head, drawing.head, None]
        drawing.switch("main")
        drawing.git("branch", "-D", "topic")
        drawing.branch("topic/inner")
        head = drawing.commit({"b.py": "y = 1\n"})
        mirror.update()
        assert mirror.resolve(["topic/inner", "topic"]) == [head, None]


def files_holding(folder: Path, words: str) -> list[Path]:
    return [each for each in folder.rglob("*") if each.is_file() and words.encode() in each.read_bytes()]


def test_a_token_is_used_and_is_in_no_file_no_argument_and_no_environment(
    drawing: Drawing, server: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow_filters(drawing)
    head = drawing.commit({"a.py": "x = 0\n"})
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    server.token, server.delay = TOKEN, 0.15
    places: list[str] = []
    over = threading.Event()

    def look() -> None:
        while not over.is_set():
            places.extend(map(str, files_holding(temporary, TOKEN)))
            for each in Path("/proc").glob("[0-9]*"):
                if each.name != str(os.getpid()):
                    with contextlib.suppress(OSError):
                        said = (each / "cmdline").read_bytes() + (each / "environ").read_bytes()
                        places.extend([each.name] if TOKEN.encode() in said else [])

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        with opened(tmp_path / "m.git", f"{server.url}/drawn/.git", TOKEN) as mirror:
            mirror.update()
            mirror.prepare([CommitSpan("1" * 64, head)])
    finally:
        over.set()
        watcher.join()
    assert missing(tmp_path / "m.git", head) == []
    assert places == []
    assert files_holding(tmp_path, TOKEN) == []


@pytest.mark.parametrize(
    ("token", "status", "sentence", "passing"),
    [
        (None, None, "asks for a login", False),
        ("wrong-one", None, "asks for a login", False),
        (TOKEN, 404, "no repository at this URL", False),
        (TOKEN, 503, "503", True),
    ],
)
def test_why_nothing_was_fetched_is_one_sentence(
    drawing: Drawing,
    server: GitServer,
    tmp_path: Path,
    token: str | None,
    status: int | None,
    sentence: str,
    passing: bool,
) -> None:
    drawing.commit({"a.py": "x = 0\n"})
    server.token, server.status = TOKEN, status
    with opened(tmp_path / "m.git", f"{server.url}/drawn/.git", token) as mirror, pytest.raises(FetchFailed) as failed:
        mirror.update()
    assert sentence in str(failed.value)
    assert (failed.value.passing, "\n" in str(failed.value)) == (passing, False)


def test_a_host_that_is_down_may_be_up_later(tmp_path: Path) -> None:
    with opened(tmp_path / "m.git", "http://127.0.0.1:9/x") as mirror, pytest.raises(FetchFailed) as failed:
        mirror.update()
    assert failed.value.passing


class _Busy(BaseHTTPRequestHandler):
    times: list[float]

    def do_GET(self) -> None:
        self.times.append(time.monotonic())
        self.send_response(429)
        self.send_header("Retry-After", "1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


def test_what_a_busy_host_says_of_when_to_come_again_is_obeyed(tmp_path: Path) -> None:
    handler = type("Handler", (_Busy,), {"times": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/x"
    limits = HostLimits(1, threading.Event(), first_wait=0)
    try:
        with opened(tmp_path / "m.git", url) as mirror, pytest.raises(FetchFailed) as failed:
            limits.fetch(url, mirror.update)
    finally:
        server.shutdown()
        server.server_close()
    assert failed.value.wait == 1
    times = handler.times  # type: ignore[attr-defined]
    assert len(times) >= 4
    assert times[-1] - times[0] >= 3


class _Moved(BaseHTTPRequestHandler):
    site: str

    def do_GET(self) -> None:
        self.send_response(301)
        self.send_header("Location", self.site + self.path.replace("/old/", "/drawn/"))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


def test_a_repository_that_moved_is_fetched_and_its_new_url_is_known_but_not_given_the_token(
    drawing: Drawing, server: GitServer, tmp_path: Path
) -> None:
    drawing.commit({"a.py": "x = 0\n"})
    moved = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Moved,), {"site": server.url}))
    threading.Thread(target=moved.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{moved.server_port}/old/.git"
    try:
        with opened(tmp_path / "m.git", url, TOKEN) as mirror:
            mirror.update()
            assert mirror.redirected == f"{server.url}/drawn/.git"
        server.token = TOKEN
        with opened(tmp_path / "m.git", url, TOKEN) as mirror, pytest.raises(FetchFailed, match="asks for a login"):
            mirror.update()
    finally:
        moved.shutdown()
        moved.server_close()


def test_at_most_so_many_fetches_of_one_host_at_a_time_and_others_are_not_kept_waiting() -> None:
    limits = HostLimits(2, threading.Event())
    now = {"a": 0, "b": 0}
    most = dict(now)

    def fetch(host: str) -> None:
        def action() -> None:
            now[host] += 1
            most[host] = max(most[host], now[host])
            time.sleep(0.05)
            now[host] -= 1

        limits.fetch(f"https://{host}/x", action)

    threads = [threading.Thread(target=fetch, args=(host,)) for host in "aaaaab"]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert most == {"a": 2, "b": 1}


def test_what_a_killed_fetch_leaves_does_not_stand_in_the_way(
    drawing: Drawing, server: GitServer, tmp_path: Path
) -> None:
    drawing.commit({"a.py": "x = 0\n"})
    place = tmp_path / "m.git"
    with opened(place, f"{server.url}/drawn/.git") as mirror:
        mirror.update()
    for name in ("packed-refs.lock", "HEAD.lock", "objects/pack/tmp_pack_1", "refs/heads/main.lock"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("half")
    head = drawing.commit({"a.py": "x = 1\n"})
    with opened(place, f"{server.url}/drawn/.git") as mirror:
        mirror.update()
        assert mirror.resolve(["main"]) == [head]
    assert not list(place.rglob("*.lock")) + list(place.rglob("tmp_*"))


def test_one_writer_at_a_time(drawing: Drawing, server: GitServer, tmp_path: Path) -> None:
    place, order = tmp_path / "m.git", []
    entered = threading.Event()

    def second() -> None:
        entered.set()
        with opened(place, f"{server.url}/drawn/.git"):
            order.append("second")

    with opened(place, f"{server.url}/drawn/.git"):
        thread = threading.Thread(target=second)
        thread.start()
        entered.wait()
        time.sleep(0.1)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_mirrors_used_longest_ago_are_removed_first(tmp_path: Path) -> None:
    for age, name in enumerate(("new", "old")):
        folder = tmp_path / f"{name}.git"
        folder.mkdir()
        (folder / "pack").write_bytes(b"x" * 1_000)
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    assert remove_least_recently_used(tmp_path, 2_000) == ()
    assert [each.name for each in remove_least_recently_used(tmp_path, 1_500)] == ["old.git"]


@pytest.mark.parametrize(
    "url", ["https://h/..", "https://h/a b/\u202e.git", "https://h/" + "x" * 5_000, "git@h:..", "https://h/"]
)
def test_the_name_of_a_mirror_is_safe_and_no_other_url_has_it(url: str) -> None:
    name = mirror_name(url)
    assert len(name) < 80
    assert name.isascii()
    assert "/" not in name
    assert not name.startswith(".")
    assert name != mirror_name(url + "x")
