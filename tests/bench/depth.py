"""Secrets, other languages and documents, weighed in this process: history by its commits, code against a bare parse, pages against pypdf."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from auditor.domain import EntryKind
from auditor.forensics.documents import pdf
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.worker_pool import Pool, Task
from auditor.forensics.languages.file_rule_evaluation import scan_file
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.languages.tree_walk import MAX_CODE_BYTES
from auditor.forensics.probe_kit.file_record import FileRecord
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.forensics.secrets import history_scan
from auditor.forensics.secrets.secret_detector import Detector, Passage
from auditor.forensics.source_text.file_roles import language
from auditor.repo.repository import Repo
from auditor.repo.repository_opening import open_repository

_COMMITS = 1000
_SECRETS_SECONDS = 2.0
_AGAINST_PARSE = 2.0
_AGAINST_PYPDF = 1.1


def figures(repository: Path) -> Iterator[tuple[str, float, float | None, str]]:
    """Name, value, limit and unit of each figure that the repository has something for."""
    with open_repository(repository) as repo:
        yield from _secrets(repo)
        yield from _languages(repo)
        yield from _documents(repo)


def _secrets(repo: Repo) -> Iterator[tuple[str, float, float | None, str]]:
    """The newest thousand commits, the detector already loaded, nothing in the cache."""
    history = repo.log()
    some = replace(history, commits=history.commits[:_COMMITS])
    ground = history_scan.ScanScope(some, repo.head, {}, {}, None, lambda: ())
    detector = Detector()
    try:
        list(detector.scan([Passage(b"x = 1\n", "warm")]))
        with repo.blobs() as reader:
            started = time.perf_counter()
            found = history_scan.scan_history(
                ground, reader, detector, RecordCache(None), repo.prepare, lambda *_: None
            )
            seconds = time.perf_counter() - started
    finally:
        detector.end()
    commits = len(some.commits)
    name = f"secrets of {commits:,} commits, {found.secrets.content_count:,} contents, for each thousand"
    yield name, seconds * 1000 / max(1, commits), _SECRETS_SECONDS, "s"


def _languages(repo: Repo) -> Iterator[tuple[str, float, float | None, str]]:
    import tree_sitter

    by_language: dict[str, list[bytes]] = {}
    entries = [
        each
        for each in repo.files().entries
        if each.kind is EntryKind.FILE and language(each.path) in covered_languages()
    ]
    with repo.blobs() as reader:
        contents = dict(reader.read((each.blob for each in entries), limit=MAX_CODE_BYTES))
    for each in entries:
        content = contents[each.blob]
        if isinstance(content, bytes):
            by_language.setdefault(language(each.path), []).append(content)
    for name, sources in sorted(by_language.items()):
        known = covered_languages()[name]
        if sum(map(len, sources)) < 200_000:
            continue

        def parse(sources: list[bytes] = sources, known: Any = known) -> None:
            for source in sources:
                tree_sitter.Parser(known.grammar(source)).parse(source)

        def ask(compared: bool, sources: list[bytes] = sources, known: Any = known) -> None:
            for source in sources:
                scan_file(source, known, known.probes, compared=compared)

        parse()
        floor = _least(parse)
        for compared, what in ((False, "all rules"), (True, "and what a change is compared by,")):
            yield (
                f"{name}, {sum(map(len, sources)) / 1e6:.1f} MB, {what} processor time of one process against a bare parse",
                _least(partial(ask, compared)) / floor,
                None,
                "x",
            )
        yield (
            f"{name}, all of it and what probes of texts ask, read in two processes as an audit does, by the clock",
            _clocked(partial(_read_by_two, name, sources)) / _clocked(parse),
            _AGAINST_PARSE if name == "typescript" else None,
            "x",
        )


def _read_by_two(name: str, sources: list[bytes]) -> None:
    """Files looked at by worker processes, their start and what they send back included."""
    interest = Interest(tuple(discover_probes().values()))
    with Pool(interest, jobs=2) as pool:
        for number, source in enumerate(sources):
            pool.submit(Task(str(number), name, source))
        for _, answer in pool.results():
            FileRecord.unpack(answer)


def _documents(repo: Repo) -> Iterator[tuple[str, float, float | None, str]]:
    entries = [each for each in repo.files().entries if each.path.endswith(".pdf") and each.kind is EntryKind.FILE]
    with repo.blobs() as reader:
        contents = [each for _, each in reader.read((each.blob for each in entries), limit=50_000_000)]
    papers = [each for each in contents if isinstance(each, bytes)]
    if not papers:
        return

    def alone() -> None:
        for each in papers:
            reader = pdf.open_reader(each)
            for page in reader.pages if reader is not None else ():
                page.extract_text()

    def ours() -> None:
        for each in papers:
            pdf.read("a.pdf", each)

    alone()
    yield (
        f"{len(papers)} PDF, text and images listed against pypdf's text alone",
        _least(ours) / _least(alone),
        _AGAINST_PYPDF,
        "x",
    )


def _clocked(work: Callable[[], None]) -> float:
    """Seconds of the quickest of three runs."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def _least(work: Callable[[], None]) -> float:
    """Processor seconds of the quickest of three runs, without collections of garbage: workers make none."""
    times = []
    gc.disable()
    for _ in range(3):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
        gc.collect()
    gc.enable()
    return min(times)
