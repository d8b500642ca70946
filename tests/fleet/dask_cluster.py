"""A Dask scheduler and workers in processes of their own on loopback, with TLS by keys that are made for the test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from distributed.security import Security

from tests.fleet.commands import ROOT, wait_for

_ROLES = ("client", "scheduler", "worker")


def write_keys(folder: Path) -> dict[str, str]:
    """Environment variables that name a new key and certificate for all roles."""
    made = Security.temporary()  # type: ignore[no-untyped-call]
    certificate, key = folder / "cert.pem", folder / "key.pem"
    certificate.write_text(made.tls_ca_file)
    key.write_text(made.tls_client_key)
    found = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(certificate)}
    for role in _ROLES:
        found[f"DASK_DISTRIBUTED__COMM__TLS__{role.upper()}__CERT"] = str(certificate)
        found[f"DASK_DISTRIBUTED__COMM__TLS__{role.upper()}__KEY"] = str(key)
    return found


@dataclass
class Cluster:
    """A scheduler that runs, and its workers."""

    folder: Path
    environment: Mapping[str, str]
    """With the keys; of clients, too."""
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def log(self) -> Path:
        """What scheduler and workers said."""
        return self.folder / "dask.log"

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        return str(json.loads((self.folder / "scheduler.json").read_bytes())["address"])

    def add_worker(self, before: Sequence[str] = (), more: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        """Start a worker that runs one unit at a time, and wait for it. `before` is what its command starts with."""
        named = ("--scheduler-file", str(self.folder / "scheduler.json"), "--nthreads", "1", "--no-nanny")
        where = ("--protocol", "tls", "--host", "127.0.0.1", "--local-directory", str(self.folder))
        process = _start("worker", self, *named, *where, *more, before=before)
        self.workers.append(process)
        wait_for(lambda: self.log.read_text().count("Register worker addr") == len(self.workers))
        return process


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """A scheduler without workers, until the end of the block."""
    environment = {**os.environ, **write_keys(folder), "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s"}
    cluster = Cluster(folder, environment, None)  # type: ignore[arg-type]
    where = ("--host", "127.0.0.1", "--port", "0", "--protocol", "tls")
    cluster.scheduler = _start("scheduler", cluster, *where, "--scheduler-file", str(folder / "scheduler.json"))
    try:
        wait_for((folder / "scheduler.json").exists)
        yield cluster
    finally:
        for each in (*cluster.workers, cluster.scheduler):
            each.kill()
            each.wait()


def _start(role: str, cluster: Cluster, *arguments: str, before: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    command = [*before, sys.executable, "-m", "distributed.cli.dask_" + role, "--no-dashboard", *arguments]
    with cluster.log.open("ab") as log:
        return subprocess.Popen(
            [*command, "--dashboard-address", "127.0.0.1:0"],
            cwd=ROOT,
            env=cluster.environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
