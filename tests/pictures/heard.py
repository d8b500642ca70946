"""A change judged by a model that is a stand-in: heard by all, with one judge silent, and by answers that were known."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from auditor.domain import AuditReport
from auditor.judges.claude_bench import ClaudeBench, Options
from auditor.judges.model_budget import Budget
from auditor.judges.recorded_answers import AnswerStore
from auditor.judges.signed_answer_cache import SealedAnswerStore
from tests.auditing import audited
from tests.judges.model_stand_in import Body, Says, Standin, good, judge
from tests.repos import Drawing

_BASE = {
    "parcels/rates.py": '"""Rates."""\n\n\ndef rate(weight: float) -> float:\n    """The price of a parcel."""\n    return 3.0 + weight\n',
    "tests/test_rates.py": "from parcels.rates import rate\n\n\ndef test_rate() -> None:\n    assert rate(1) == 4\n",
}
_CHANGE = {
    "parcels/labels.py": '"""Labels."""\n\nimport os\n\n\ndef show(name: str) -> None:\n    """Print a label."""\n    os.system(f"lp {name}")\n',
    "parcels/rates.py": '"""Rates."""\n\n\ndef rate(weight: float, express: bool) -> float:\n    """The price of a parcel."""\n    try:\n        return 3.0 + weight + 2 * express\n    except Exception:\n        return 0.0\n',
}
_SCORES = {"prosecutor": 2, "defense": 4, "tech_lead": 3}
_WORDS = {
    "prosecutor": "What the change claims to be safe is not shown to be: the name of a label reaches a shell, and no test would notice.",
    "defense": "The intent is plain and the change is small. The widest except is narrow in effect, and the rest of the file is as it was.",
    "tech_lead": "The label's name goes into a command line as it is. A list of arguments mends it in one line; the rest works.",
}


def _says(body: Body) -> Says:
    answer = json.loads(good(body, _SCORES[judge(body)], argument=_WORDS[judge(body)]))
    for number, each in enumerate(answer["opinions"]):
        each["score"] = min(5, each["score"] + number % 3)
    return Says(json.dumps(answer))


def _refusing(body: Body) -> Says:
    return Says(stop="refusal") if judge(body) == "defense" else _says(body)


def reports() -> dict[str, AuditReport]:
    """The three records, by name."""
    with TemporaryDirectory() as folder:
        drawing = Drawing(Path(folder) / "parcels")
        drawing.commit(_BASE)
        drawing.branch("work")
        drawing.commit(_CHANGE, "Print labels")

        def heard(model: Standin, memory: AnswerStore | None = None) -> AuditReport:
            options = Options(model="claude-sonnet-5-5", budget=Budget(usd=None))
            return audited(drawing.path, "main", bench=ClaudeBench(options, model.connect(), memory))

        memory = SealedAnswerStore("0" * 32, ("pictures",), date(2026, 11, 21), 30_000)
        claude = heard(Standin(_says), memory)
        later = SealedAnswerStore("0" * 32, ("pictures",), date(2026, 11, 21), 30_000)
        later.open(memory.sealed())
        return {"claude": claude, "silent": heard(Standin(_refusing)), "known": heard(Standin(_says), later)}
