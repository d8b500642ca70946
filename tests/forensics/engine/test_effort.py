"""What a file costs beside its parsing, counted in calls instead of seconds: the same on every machine, however busy.

A probe that asks more of every file than those before it shows here first. What C does inside one call (a search of the
whole text, say) is not seen: `python -m tests.bench forensics PATH` times that.
"""

import sys
from textwrap import dedent
from types import FrameType
from typing import Any

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file

EACH_LINE = 30.0
"""Calls that all probes together may make for a line of everyday code; 28.3 when this was written. Raise it only for what is worth that much of every audit."""

EVERYDAY = dedent(
    '''
    class Store{n}(Base):
        """Keeps rows of one kind."""

        limit: int = {n}

        def __init__(self, session: Session, name: str = "rows", *, strict: bool = False) -> None:
            self.session = session
            self.name = name
            self._rows: dict[str, Row] = {{}}
            self.strict = strict or bool(os.environ.get("STRICT"))

        def load(self, key: str) -> Row | None:
            """The row of a key, read once."""
            if key not in self._rows:
                row = self.session.execute(select(table.c.value).where(table.c.key == key)).first()
                if row is None and self.strict:
                    raise KeyError(f"no row {{key!r}} in {{self.name}}")
                self._rows[key] = Row(key, row)  # kept for the next call
            return self._rows.get(key)

        @property
        def keys(self) -> list[str]:
            return sorted(each.strip().lower() for each in self._rows if not each.startswith("_"))

        def save(self, rows: Iterable[Row], path: Path) -> int:
            count = 0
            for row in rows:
                try:
                    self.session.add(row)
                    count += 1
                except ValueError as error:
                    log.warning("row %s was left out: %s", row.key, error)
            path.write_text(json.dumps([row.key for row in rows], indent=2), encoding="utf-8")
            return count


    def test_store_{n}_loads_what_it_saved(tmp_path, session):
        store = Store{n}(session, name="things")
        assert store.save([Row("a", 1), Row("b", 2)], tmp_path / "rows.json") == 2
        assert store.load("a").value == 1
        assert store.keys == ["a", "b"]
    '''
)


def test_all_probes_together_make_few_calls_for_a_line_of_everyday_code() -> None:
    imports = "import json\nimport logging\nimport os\nfrom pathlib import Path\nfrom sqlalchemy import select\nfrom .rows import Base, Row, Session, table\n\nlog = logging.getLogger(__name__)\n"
    source = imports + "".join(EVERYDAY.format(n=n) for n in range(20))
    interest = Interest(tuple(discover_probes().values()))
    record = scan_file(source.encode(), "python", interest)
    assert record.outline is not None
    assert len(record.outline.functions) == 100
    assert not record.failed
    assert _calls(source, interest) / source.count("\n") <= EACH_LINE


def _calls(source: str, interest: Interest) -> int:
    """How many functions, of Python and of C, are called while a file is looked at."""
    count = 0

    def counted(_frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(counted)
    try:
        scan_file(source.encode(), "python", interest)
    finally:
        sys.setprofile(None)
    return count
