"""From targets to orders: names resolved, what is done left out, and all that an audit reads fetched before it starts."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Full, Queue, SimpleQueue

from auditor.domain import UserError
from auditor.fleet.host_limits import HostLimits, Stopped
from auditor.fleet.pull_requests import list_pulls
from auditor.fleet.store import Store, TargetProblem
from auditor.fleet.targets import Target
from auditor.fleet.unit import in_shard
from auditor.fleet.unit_listing import (
    ListedUnit,
    NamedSubject,
    TargetPolicy,
    commit_ids,
    list_units,
    named_subjects,
)
from auditor.fleet.unit_process import UnitLimits, UnitOrder
from auditor.repo.commit_range import resolve_commits
from auditor.repo.git_error_messages import git_error_message
from auditor.repo.git_process import GitFailed
from auditor.repo.mirror import (
    CommitSpan,
    FetchFailed,
    Mirror,
    mirror_name,
    open_local_history,
    open_mirror,
    touch,
)
from auditor.repo.remote_fetch import Address, parse_address

_BATCH = 20
"""Units whose files are fetched in one request, while those before them are audited."""
_REPOSITORIES_AT_ONCE = 4
_ORDERS_AHEAD = 2 * _BATCH


@dataclass(frozen=True)
class UnitPolicy:
    """What all units of a run have in common."""

    bench: str = "embedded"
    """Of the key."""
    arguments: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    limits: UnitLimits = field(default_factory=UnitLimits)
    shard: tuple[int, int] = (1, 1)
    retry_failed: bool = False


@dataclass(frozen=True)
class FetchPolicy:
    """How repositories are fetched. `timeout` is in seconds for one git command."""

    token: str | None = field(default=None, repr=False)
    timeout: float = 300.0
    per_host: int = 2


@dataclass
class ListedCounts:
    """How many units there are so far. For several threads."""

    units: int = 0
    already_there: int = 0
    failed_before: int = 0
    listed_twice: int = 0
    problems: list[TargetProblem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


class Preparation:
    """Lists and prepares the units of all targets in threads of its own; orders are taken from it one by one."""

    def __init__(self, store: Store, targets: Sequence[Target], units: UnitPolicy, fetches: FetchPolicy) -> None:
        self.counts = ListedCounts()
        self._store = store
        self._units = units
        self._fetches = fetches
        self._policies = _policies(targets)
        self._done = store.keys()
        self._failed = store.keys("failures")
        self._seen: set[str] = set()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._limits = HostLimits(fetches.per_host, self._stop)
        self._mirrors: set[Mirror] = set()
        self._orders: Queue[UnitOrder] = Queue(_ORDERS_AHEAD)
        self._pool = ThreadPoolExecutor(_REPOSITORIES_AT_ONCE, thread_name_prefix="repository")
        self._under_way = 0
        """Repositories that are not prepared yet. Orders of the others are in the queue, or were taken."""
        self._ended: SimpleQueue[Future[None]] = SimpleQueue()
        self._targets = _by_repository(targets)

    def start(self) -> None:
        """Begin."""
        self._under_way = len(self._targets)
        for each in self._targets.items():
            self._pool.submit(self._prepare, *each).add_done_callback(self._note_end)

    def take(self, seconds: float) -> UnitOrder | None:
        """The next order; None when none is ready within so many seconds. Raises what a thread ended with."""
        try:
            return self._orders.get(timeout=seconds) if seconds else self._orders.get_nowait()
        except Empty:
            while not self._ended.empty():
                self._ended.get().result()
            return None

    @property
    def is_finished(self) -> bool:
        """Was every order taken?"""
        return not self._under_way and self._orders.empty()

    def stop(self) -> None:
        """Fetch nothing more and end the threads."""
        self._stop.set()
        with self._lock:
            for each in self._mirrors:
                each.git.end()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _note_end(self, group: Future[None]) -> None:
        self._ended.put(group)
        with self._lock:
            self._under_way -= 1

    def _prepare(self, repository: str, targets: Sequence[Target]) -> None:
        try:
            address = parse_address(repository)
            if address is None:
                self._prepare_local(repository, targets)
            else:
                self._prepare_remote(repository, address, targets)
        except Stopped:
            return
        except FetchFailed as failed:
            self._report(repository, str(failed), passing=failed.passing)
        except UserError as error:
            self._report(repository, str(error))
        except GitFailed as failed:  # a damaged repository: the others are audited
            self._report(repository, git_error_message(failed))

    def _prepare_local(self, repository: str, targets: Sequence[Target]) -> None:
        if any(each.pulls for each in targets):
            raise UserError("pulls need the https URL of a repository on GitHub, not a path.")
        path = Path(repository)
        with open_local_history(path, self._fetches.timeout) as git:
            for target in targets:
                found = list_units(
                    repository,
                    named_subjects(target, ()),
                    self._policies[_policy_key(target)],
                    self._units.bench,
                    lambda names: resolve_commits(git, names),
                )
                for sentence in found.mistakes:
                    self._report(repository, sentence)
                for each in self._open_units(found.units):
                    self._hand_out(self._order(each, path, path.name.removesuffix(".git") or repository))

    def _prepare_remote(self, repository: str, address: Address, targets: Sequence[Target]) -> None:
        path = self._store.mirrors / mirror_name(address.url)
        with open_mirror(path, address, token=self._fetches.token, timeout=self._fetches.timeout) as mirror:
            with self._lock:
                self._mirrors.add(mirror)
            try:
                subjects = [
                    named_subjects(each, list_pulls(repository, each.pulls, self._fetches.token) if each.pulls else ())
                    for each in targets
                ]
                self._fetch_commits(mirror, [each for some in subjects for each in some])
                touch(path)
                units: list[ListedUnit] = []
                for target, some in zip(targets, subjects, strict=True):
                    policy = self._policies[_policy_key(target)]
                    found = list_units(repository, some, policy, self._units.bench, mirror.resolve)
                    for sentence in found.mistakes:
                        self._report(repository, sentence)
                    units += self._open_units(found.units)
                self._prepare_units(mirror, repository, units)
                if mirror.redirected:
                    self.counts.notices.append(f"{repository} redirects to {mirror.redirected}: use that URL.")
            finally:
                with self._lock:
                    self._mirrors.discard(mirror)

    def _fetch_commits(self, mirror: Mirror, subjects: Sequence[NamedSubject]) -> None:
        """Fetch what the names may lead to; nothing where all are commits that are here."""
        ids = commit_ids(subjects)
        if ids is not None and all(mirror.resolve(ids)):
            return
        self._limits.fetch(mirror.url, mirror.update)
        wanted = commit_ids(subjects) or _ids_among(subjects)
        missing = [each for each, found in zip(wanted, mirror.resolve(wanted), strict=True) if found is None]
        try:
            self._limits.fetch(mirror.url, lambda: mirror.fetch_commits(missing))
        except FetchFailed as failed:
            if failed.passing:
                raise
            for each in missing:  # one that is not there keeps the others from being sent
                self._fetch_if_there(mirror, each)

    def _fetch_if_there(self, mirror: Mirror, commit: str) -> None:
        """Fetch one commit. Where it is not there, resolving its name says so."""
        try:
            self._limits.fetch(mirror.url, lambda: mirror.fetch_commits([commit]))
        except FetchFailed as failed:
            if failed.passing:
                raise

    def _prepare_units(self, mirror: Mirror, repository: str, units: Sequence[ListedUnit]) -> None:
        for start in range(0, len(units), _BATCH):
            batch = units[start : start + _BATCH]
            spans = [CommitSpan(each.unit.key, each.unit.head, each.unit.base) for each in batch]
            self._limits.fetch(mirror.url, lambda spans=spans: mirror.prepare(spans))  # type: ignore[misc]
            for each in batch:
                self._hand_out(self._order(each, mirror.path, repository))

    def _open_units(self, units: Iterable[ListedUnit]) -> list[ListedUnit]:
        """The units of this shard that have no record yet, each once."""
        found: list[ListedUnit] = []
        for each in units:
            key = each.unit.key
            if not in_shard(key, self._units.shard):
                continue
            with self._lock:
                if key in self._seen:
                    self.counts.listed_twice += 1
                    continue
                self._seen.add(key)
                self.counts.units += 1
                if key in self._done:
                    self.counts.already_there += 1
                elif key in self._failed and not self._units.retry_failed:
                    self.counts.failed_before += 1
                else:
                    found.append(each)
        return found

    def _order(self, listed: ListedUnit, source: Path, name: str) -> UnitOrder:
        pull = listed.pull
        return UnitOrder(
            unit=listed.unit,
            source=str(source.absolute()),
            store=str(self._store.path.absolute()),
            name=name,
            limits=self._units.limits,
            arguments=(*listed.options, *self._units.arguments),
            variables=self._units.variables,
            pull_request=pull.number if pull else None,
            description=pull.description if pull else "",
        )

    def _hand_out(self, order: UnitOrder) -> None:
        while not self._stop.is_set():
            try:
                self._orders.put(order, timeout=0.2)
            except Full:
                continue
            return
        raise Stopped

    def _report(self, repository: str, sentence: str, *, passing: bool = False) -> None:
        with self._lock:
            self.counts.problems.append(TargetProblem(repository=repository, sentence=sentence, passing=passing))


def _by_repository(targets: Iterable[Target]) -> Mapping[str, list[Target]]:
    """Targets of one repository together: its mirror has one writer."""
    found: dict[str, list[Target]] = {}
    for each in targets:
        found.setdefault(each.repository, []).append(each)
    return found


def _policy_key(target: Target) -> tuple[str, str, tuple[str, ...]]:
    return target.rubric or "", target.gate.model_dump_json() if target.gate else "", target.reports


def _policies(targets: Iterable[Target]) -> Mapping[tuple[str, str, tuple[str, ...]], TargetPolicy]:
    """Each policy read once, before anything is fetched. Raises UserError."""
    different = {_policy_key(each): each for each in targets}
    return {key: TargetPolicy.of(each) for key, each in different.items()}


def _ids_among(subjects: Sequence[NamedSubject]) -> tuple[str, ...]:
    """The full commit ids among names of all kinds."""
    single = (commit_ids([NamedSubject(name)]) or () for each in subjects for name in each.names)
    return tuple(dict.fromkeys(each for some in single for each in some))
