"""Run a version of the auditor, from a checkout of its own, and keep what it wrote."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.compare.changes import Audit, message

ROOT = Path(__file__).parents[2]
TIMEOUT = 900
"""Seconds one audit may take."""


@dataclass(frozen=True, slots=True)
class Version:
    """A checkout of the auditor, and the folder for what it writes. `fixed` is a commit's tree, so its answers can be kept."""

    checkout: Path
    records: Path
    fixed: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one audit ended with: exit code, what stood on its standard error, and its record where there is one."""

    exit_code: int
    errors: str
    record: dict[str, object] | None
    prompts: tuple[str, ...] = ()


def checked_out(revision: str, store: Path) -> Version:
    """A version by its revision in this repository, or by the path of a checkout."""
    given = Path(revision)
    if (given / "auditor").is_dir():
        if _git(given, "status", "--porcelain"):
            digest = hashlib.sha256(str(given.resolve()).encode()).hexdigest()
            return Version(given.resolve(), store / f"uncommitted-{digest[:12]}", fixed=False)
        return Version(given.resolve(), store / _git(given, "rev-parse", "HEAD^{tree}"))
    commit = _git(ROOT, "rev-parse", "--verify", f"{revision}^{{commit}}")
    checkout = store / "checkouts" / commit
    if not checkout.is_dir():
        _git(ROOT, "worktree", "add", "--detach", "--force", str(checkout), commit)
    return Version(checkout, store / _git(ROOT, "rev-parse", f"{commit}^{{tree}}"))


def outcome(version: Version, audit: Audit, *, prompts: bool) -> Outcome:
    """What this version says, asked once: a second run finds it kept."""
    kept = version.records / f"{audit.name}{' prompts' if prompts else ''}.json"
    if version.fixed and kept.is_file():
        return _read(kept)
    fresh = _audited(version, audit, prompts=prompts)
    kept.parent.mkdir(parents=True, exist_ok=True)
    written = kept.with_suffix(".part")
    written.write_text(json.dumps([fresh.exit_code, fresh.errors, fresh.record, fresh.prompts]), encoding="utf-8")
    written.replace(kept)
    return fresh


def _read(kept: Path) -> Outcome:
    exit_code, errors, record, prompts = json.loads(kept.read_text(encoding="utf-8"))
    return Outcome(exit_code, errors, record, tuple(prompts))


def _audited(version: Version, audit: Audit, *, prompts: bool) -> Outcome:
    out = version.records / "running" / audit.name
    out.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "auditor", "audit", str(audit.repository), "--head", audit.head, "--quiet"]
    command += ["--rubric", audit.rubric, "--out", str(out), "--format", "json", "--jobs", "1"]  # fmt: skip
    command += ["--cache", str(version.records / "cache")] if version.fixed else ["--no-cache"]
    if audit.base is not None:
        description = out / "description.md"
        description.write_text(message(audit), encoding="utf-8", errors="surrogateescape")
        command += ["--base", audit.base, "--description", str(description)]
    with _recorder() as recorder:
        if prompts:
            command += ["--judges", "claude", "--base-url", recorder.address, "--key-env", "COMPARED_KEY"]
        done = subprocess.run(
            command,
            cwd=version.checkout,
            env={**os.environ, "PYTHONPATH": str(version.checkout), "COMPARED_KEY": "sk-none"},
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    record = out / "report.json"
    found = json.loads(record.read_bytes()) if record.is_file() else None
    record.unlink(missing_ok=True)
    return Outcome(done.returncode, done.stderr.decode(errors="replace"), found, tuple(sorted(recorder.asked)))


class _Recorder:
    """A model's API on loopback that keeps what it is asked and refuses every request."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        keep = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0))).decode("utf-8")
                if self.path.endswith("/count_tokens"):
                    self._answer(200, {"input_tokens": len(body) // 4})
                    return
                keep.append(body)
                self._answer(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "kept"}})

            def _answer(self, status: int, body: object) -> None:
                said = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *_: object) -> None:
                """Nothing is logged."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@contextmanager
def _recorder() -> Iterator[_Recorder]:
    recorder = _Recorder()
    threading.Thread(target=recorder.server.serve_forever, daemon=True).start()
    try:
        yield recorder
    finally:
        recorder.server.shutdown()
        recorder.server.server_close()


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()
