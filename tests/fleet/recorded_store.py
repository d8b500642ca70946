"""A store of real records: small changes that were drawn and audited."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from auditor.audit_builder import AuditRequest
from auditor.domain import AuditReport
from auditor.fleet.store import Store, UnitFile
from auditor.fleet.unit import Unit
from auditor.report.report_json import from_json, to_json
from auditor.settings import RequestedSettings
from tests.auditing import carried_out
from tests.repos import Content, Drawing

WORKFLOW = "on: push\npermissions: {}\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: pytest\n"
STEPS: tuple[dict[str, Content], ...] = (
    {"shop/__init__.py": "", "shop/cart.py": '"""Carts."""\n\n\ndef total(prices: list[int]) -> int:\n    """The sum."""\n    return sum(prices)\n', "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total_of_two():\n    assert total([1, 2]) == 3\n", "README.md": "# Shop\n", ".github/workflows/ci.yml": WORKFLOW},
    {"shop/tax.py": '"""Taxes."""\n\n\ndef tax(price: int) -> float:\n    """A fifth."""\n    return price * 0.2\n', "tests/test_tax.py": "from shop.tax import tax\n\n\ndef test_a_fifth():\n    assert tax(10) == 2\n"},
    {"shop/run.py": "import subprocess\n\n\ndef run(name):\n    subprocess.run('ls ' + name, shell=True)\n"},
    {"shop/load.py": "import pickle\n\n\ndef load(data):\n    try:\n        return pickle.loads(data)\n    except Exception:\n        return None\n"},
    {"tests/test_tax.py": "def test_a_fifth():\n    pass\n"},
    {"tests/test_cart.py": None},
    {"shop/text.py": '"""Text."""\n\n\ndef shorten(text: str, width: int) -> str:\n    """At most `width` characters."""\n    return text[:width]\n', "tests/test_text.py": "from shop.text import shorten\n\n\ndef test_short():\n    assert shorten('abc', 2) == 'ab'\n"},
    {".github/workflows/ci.yml": WORKFLOW.replace("run: pytest", "run: pytest || true")},
    {"shop/cart.py": '"""Carts."""\n\n\ndef total(prices: list[int], discount: int) -> int:\n    """The sum."""\n    return sum(prices) - discount\n'},
    {"shop/fetch.py": "import requests\n\n\ndef fetch(url):\n    return requests.get(url, verify=False).text\n"},
    {"shop/query.py": "def find(connection, name):\n    return connection.execute(f\"SELECT * FROM users WHERE name = '{name}'\")\n"},
    {"README.md": "# Shop\n\nA shop.\n"},
    {"shop/calc.py": "def calc(text):\n    return eval(text)\n"},
    {"shop/tax.py": '"""Taxes."""\n\n\ndef tax(price: int) -> float:\n    """A quarter."""\n    return price * 0.25\n'},
    {"shop/big.py": "".join(f"def f{n}(a):\n    if a:\n        print(a)\n    return a + {n}\n\n\n" for n in range(60))},
    {"shop/swallow.py": "def quiet(action):\n    try:\n        action()\n    except:\n        pass\n"},
    {"shop/digest.py": "import hashlib\n\n\ndef digest(password):\n    return hashlib.md5(password).hexdigest()\n", "tests/test_digest.py": "from shop.digest import digest\n\n\ndef test_digest():\n    assert len(digest(b'a')) == 32\n"},
    {".github/workflows/ci.yml": None},
    {"requirements.txt": "requests\nflask>=2\n"},
    {"shop/big.py": None},
    {"shop/run.py": "import subprocess\n\n\ndef run(name):\n    subprocess.run(['ls', name], check=True)\n"},
)  # fmt: skip
"""Each against the one before: clean ones, faults of several kinds, and repairs."""


@dataclass(frozen=True)
class RecordedStore:
    """A store, the repository that was audited, and its changes with the key of the record of each."""

    store: Store
    repository: Path
    changes: tuple[tuple[str, str], ...]

    def records(self) -> dict[str, AuditReport]:
        """The records by their heads."""
        found = [from_json(each.path.read_bytes()) for each in self.store.records()]
        return {each.subject.head: each for each in found}

    def audit_again(self, base: str, head: str, requested: RequestedSettings) -> AuditReport:
        """The audit of a change done anew."""
        return audit_change(self.repository, base, head, requested, self.store.path.parent / "cache")


def audit_change(
    repository: Path, base: str, head: str, requested: RequestedSettings | None = None, cache: Path | None = None
) -> AuditReport:
    """One audit."""
    chosen = requested or RequestedSettings()
    request = AuditRequest(str(repository), base=base, head=head, requested_settings=chosen, jobs=1, cache=cache)
    return carried_out(request).report


def put(store: Store, repository: str, report: AuditReport, bench: str = "embedded") -> str:
    """Put a record into a store; its key."""
    unit = Unit(
        repository=repository,
        head=report.subject.head,
        base=report.subject.base,
        rubric=report.rubric.digest,
        bench=bench,
        version=report.tool.version,
    )
    content = to_json(report).encode()
    about = UnitFile(
        key=unit.key,
        unit=unit,
        record_sha256=hashlib.sha256(content).hexdigest(),
        conclusion=report.verdict.conclusion.value,
        overall=report.verdict.overall,
        seconds=1.5,
        finished_at="2026-11-27T10:00:00+00:00",
    )
    store.put_record(about, content)
    return unit.key


def record_store(folder: Path) -> RecordedStore:
    """Draw a repository, audit each of its changes, and keep the records."""
    (folder / "shop").mkdir(parents=True)
    drawing = Drawing(folder / "shop")
    commits = [drawing.commit(each, f"Change {number}") for number, each in enumerate(STEPS)]
    store = Store.open(folder / "store", create=True)
    changes = tuple(pairwise(commits))
    (folder / "cache").mkdir()
    for base, head in changes:
        put(store, "https://example.org/shop", audit_change(drawing.path, base, head, cache=folder / "cache"))
    return RecordedStore(store, drawing.path, changes)
