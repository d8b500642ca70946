"""Where units run: one after the other in this process, or by Dask on this machine or on a cluster."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol
from urllib.parse import urlsplit

from auditor import __version__
from auditor.domain import UserError
from auditor.fleet import unit_process
from auditor.fleet.unit_process import Ending, Outcome, UnitOrder, run_unit

INSTALL_HINT = "Dask is not installed: run `pip install '.[fleet]'` in a checkout of Automaton Auditor, or give --workers 1 to audit one after the other."
LOST_SCHEDULER = "the scheduler is gone; start it and run again"
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


_NO_ROUTES: dict[str, object] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
_IDLE_WORKERS: dict[str, object] = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "10s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
}
"""Workers that only wait: looking at themselves a hundred times a second took a twentieth of a processor, and ticks a thirtieth."""
_SHORT_LOGS: dict[str, object] = {
    "distributed.admin.low-level-log-length": 20,
    "distributed.admin.log-length": 100,
    "distributed.admin.system-monitor.log-length": 60,
    "distributed.diagnostics.computations.max-history": 2,
}
"""What Dask keeps of the past for developers: a thousand messages on each connection, which grew by 70 kB for each unit."""


class UnitExecutor(Protocol):
    """Runs units. `slots` is how many at a time."""

    slots: int

    @property
    def trouble(self) -> str:
        """Why no unit can be started any more; empty while they can."""

    def submit(self, order: UnitOrder) -> None:
        """Start a unit. Only called while fewer than `slots` run."""

    def next_outcome(self, seconds: float) -> Outcome | None:
        """How the next unit ended; None when none did within so many seconds."""

    def stop(self) -> None:
        """End all units that run: each gives an outcome."""

    def close(self) -> None:
        """Give everything back."""


class LocalExecutor:
    """Runs units one after the other, without Dask."""

    slots = 1
    trouble = ""

    def __init__(self) -> None:
        unit_process.allow_all()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="unit")
        self._outcomes: SimpleQueue[Outcome] = SimpleQueue()

    def submit(self, order: UnitOrder) -> None:
        """Start a unit."""
        future = self._pool.submit(run_unit, order)
        future.add_done_callback(lambda done: self._outcomes.put(_outcome(order, done)))

    def next_outcome(self, seconds: float) -> Outcome | None:
        """How the unit ended; None when it did not within so many seconds."""
        return _next(self._outcomes, seconds)

    def stop(self) -> None:
        """End the unit that runs."""
        unit_process.stop_all()

    def close(self) -> None:
        """Wait for the thread."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class DaskExecutor:
    """Runs units as tasks of a Dask cluster: one on this machine, or one that runs already.

    On this machine the workers are threads that wait for the processes of units: nothing is gained by giving them
    processes of their own.
    """

    def __init__(self, client: Any, cluster: Any = None) -> None:
        unit_process.allow_all()
        self._client = client
        self._cluster = cluster
        self._outcomes: SimpleQueue[Outcome] = SimpleQueue()
        self._futures: dict[str, tuple[UnitOrder, Any]] = {}
        self.slots = max(1, sum(client.nthreads().values()))

    @classmethod
    def local(cls, workers: int, *, dashboard: bool = False) -> DaskExecutor:
        """A cluster of so many workers on this machine. Raises UserError when Dask is not installed."""
        distributed = _import_distributed()
        if dashboard and find_spec("bokeh") is None:
            raise UserError("the dashboard needs bokeh: run `pip install bokeh`, or leave --dashboard out.")
        address = "127.0.0.1:0"
        watched = {} if dashboard else {**_NO_ROUTES, **_IDLE_WORKERS}
        with import_module("dask.config").set({**_SHORT_LOGS, **watched}):
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=False,
                dashboard_address=address,
                scheduler_kwargs={"dashboard": dashboard, "dashboard_address": address},
                memory_limit=0,
                silence_logs=50,
            )
            cluster.sync(_stop_listening, cluster, dashboard)
            return cls(distributed.Client(cluster), cluster)

    @classmethod
    def connect(cls, address: str, store: Path) -> DaskExecutor:
        """The cluster behind a scheduler that runs already. Raises UserError where it may not or cannot be used."""
        require_safe_address(address)
        distributed = _import_distributed()
        try:
            client = distributed.Client(address, timeout=20)
        except (OSError, ValueError, TypeError) as error:
            raise UserError(
                f"the scheduler {address} cannot be reached ({str(error)[:200]}): check --scheduler, and for tls:// the keys of "
                "`distributed.comm.tls` in Dask's configuration."
            ) from error
        try:
            _require_shared_store(client, store)
        except UserError:
            client.close()
            raise
        return cls(client)

    def submit(self, order: UnitOrder) -> None:
        """Start a unit, where its repository was read before if there is room."""
        name = f"unit-{order.unit.key[:16]}-{order.attempt}-{secrets.token_hex(4)}"
        future = self._client.submit(run_unit, order, key=name, pure=False)
        self._futures[name] = order, future
        future.add_done_callback(lambda done: self._ended(name, order, done))

    def _ended(self, name: str, order: UnitOrder, future: Any) -> None:
        outcome = _outcome(order, future)
        if self._futures.pop(name, None) is not None:
            self._outcomes.put(outcome)

    @property
    def trouble(self) -> str:
        """Why no unit can be started any more: Dask's client gives up a scheduler that is gone."""
        return LOST_SCHEDULER if self._client.status in {"closed", "closing"} else ""

    def next_outcome(self, seconds: float) -> Outcome | None:
        """How the next unit ended; None when none did within so many seconds."""
        if self.trouble:  # the futures of a client that has given up are never done
            for name, (order, _) in tuple(self._futures.items()):
                if self._futures.pop(name, None) is not None:
                    self._outcomes.put(_lost(order, "the scheduler"))
        return _next(self._outcomes, seconds)

    def stop(self) -> None:
        """End all units that run, on every worker."""
        unit_process.stop_all()
        if self._cluster is None:
            with suppress(Exception):
                self._client.run(_stop_on_worker)

    def close(self) -> None:
        """Leave the cluster, and end it if it is ours."""
        with suppress(Exception):
            self._client.close(timeout=5)
        if self._cluster is not None:
            with suppress(Exception):
                self._cluster.close(timeout=5)


def require_safe_address(address: str) -> None:
    """Raise UserError for a scheduler that others could listen to or pose as: beyond this machine it is TLS or nothing."""
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        host = parts.hostname
    except ValueError as error:
        raise UserError(f"--scheduler {address[:100]!r} is no address such as tls://host:8786.") from error
    if parts.scheme not in {"tcp", "tls"} or not host:
        raise UserError(f"--scheduler {address[:100]!r} is no address such as tls://host:8786.")
    if parts.scheme != "tls" and host not in _LOOPBACK:
        raise UserError(
            f"--scheduler {address[:100]} is another machine and not TLS, so anybody on the way could run code there: use tls://."
        )


def _import_distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UserError(INSTALL_HINT) from error


async def _stop_listening(cluster: Any, dashboard: bool) -> None:
    """Close the HTTP servers that Dask opens for the scheduler and, on all interfaces, for each worker."""
    for each in (*([] if dashboard else [cluster.scheduler]), *cluster.workers.values()):
        each.http_server.stop()


def _require_shared_store(client: Any, store: Path) -> None:
    """Every worker must see the files of the store, and run this version."""
    if not client.nthreads():
        raise UserError("the scheduler has no workers: start some, then run again.")
    word = secrets.token_hex(16)
    probe = store / "tmp" / f"probe-{word}"
    probe.parent.mkdir(exist_ok=True)
    probe.write_text(word, encoding="ascii")
    try:
        seen = client.run(_look_from_worker, str(probe))
    finally:
        probe.unlink(missing_ok=True)
    for worker, (said, version) in seen.items():
        if said != word:
            raise UserError(
                f"the worker {worker} does not see {store}: give a folder with --store that all machines share."
            )
        if version != __version__:
            raise UserError(
                f"the worker {worker} runs version {version}, this is {__version__}: install the same on both."
            )


def _look_from_worker(path: str) -> tuple[str, str]:
    unit_process.allow_all()
    try:
        return Path(path).read_text(encoding="ascii"), __version__
    except OSError:
        return "", __version__


def _stop_on_worker() -> None:
    unit_process.stop_all()


def _outcome(order: UnitOrder, future: Future[Outcome] | Any) -> Outcome:
    """What a future brought; a future without a result is a unit that was lost."""
    try:
        return future.result()
    except BaseException as error:  # noqa: BLE001 - Dask raises what it likes for a lost worker or scheduler
        return _lost(order, f"its worker ({type(error).__name__})")


def _lost(order: UnitOrder, cause: str) -> Outcome:
    return Outcome(order.unit.key, Ending.LOST, order.attempt, f"it was lost with {cause}")


def _next(outcomes: SimpleQueue[Outcome], seconds: float) -> Outcome | None:
    try:
        return outcomes.get(timeout=seconds)
    except Empty:
        return None


ExecutorFactory = Callable[[], UnitExecutor]
