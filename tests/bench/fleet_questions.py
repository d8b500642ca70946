"""What questions over a store take: another policy, tables and a site, over copies of real records."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from auditor import rubric_loader
from auditor.fleet.store import Store, StoredRecord

SIMULATED = 10_000
SHOWN = 2_000
_REPOSITORIES = 50
_SIMULATION_GOAL = 30.0


def measure_questions(store: Path, processes: int = 2) -> Iterator[str]:
    """Lines of all figures, for a store of real records that is copied until there are enough."""
    records = tuple(Store.open(store).records())
    with tempfile.TemporaryDirectory(dir=store.parent) as name:
        folder = Path(name)
        many = _copies(records, SIMULATED, folder / "many")
        size = sum(each.path.stat().st_size for each in records) / len(records)
        rubric = folder / "other.yaml"
        rubric.write_text(rubric_loader.source("pull-request").replace("worst: 1.0", "worst: 0.4"))
        for title, policy in (
            ("another gate", ("--min-overall", "4.5")),
            ("another rubric", ("--rubric", str(rubric))),
        ):
            out = ("--format", "json", "--out", str(folder / "out.json"))
            seconds, used = _command("simulate", "--store", str(many), *policy, *out, "--processes", str(processes))
            yield (
                f"simulate {SIMULATED:,} records ({size / 1000:.0f} kB each), {title}: {seconds:.1f} s in {processes} processes "
                f"(goal {_SIMULATION_GOAL:.0f} s on two idle cores), {used / SIMULATED * 1000:.1f} ms of processor each, "
                f"load {os.getloadavg()[0]:.1f}"
            )
        shown = _copies(records, SHOWN, folder / "shown")
        seconds, _ = _command("index", "--store", str(shown), "--processes", str(processes))
        tables = sum(each.stat().st_size for each in (shown / "tables").rglob("*.parquet"))
        yield f"index of {SHOWN:,} records: {seconds:.1f} s, {tables:,} bytes of Parquet"
        seconds, _ = _command("report", str(shown), "-o", str(folder / "site"))
        pages = [each.stat().st_size for each in (folder / "site").glob("*.html")]
        yield f"site of {SHOWN:,} audits: {seconds:.1f} s, {len(pages):,} pages, {sum(pages):,} bytes"


def _copies(records: Sequence[StoredRecord], count: int, folder: Path) -> Path:
    """A store of so many units with these records. A record is one file with many names; only its description is copied."""
    store = Store.open(folder, create=True)
    for number in range(count):
        record = records[number % len(records)]
        assert record.about is not None, "a record of a run has its description"
        key = hashlib.sha256(f"{number}".encode()).hexdigest()
        unit = record.about.unit.model_copy(update={"repository": f"https://example.org/{number % _REPOSITORIES}"})
        about = record.about.model_copy(update={"key": key, "unit": unit})
        for place in (store.record_path(key), store.unit_path(key)):
            place.parent.mkdir(parents=True, exist_ok=True)
        store.unit_path(key).write_text(json.dumps(about.model_dump(mode="json")))
        store.record_path(key).hardlink_to(record.path)
    return folder


def _command(*arguments: str) -> tuple[float, float]:
    """Wall and processor seconds of `auditor fleet ARGUMENTS`."""
    started, before = time.perf_counter(), os.times()
    subprocess.run([sys.executable, "-m", "auditor", "fleet", *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - started, used
