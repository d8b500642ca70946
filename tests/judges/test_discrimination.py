"""One change as it should be, and many ways to spoil it: each costs the criterion concerned and is told at its line."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from auditor.domain import AuditReport, CodeLocation
from auditor.report.fix_priorities import priorities
from tests.auditing import audited
from tests.repos import Drawing

Files = dict[str, str | None]

RATES = '"""What parcels cost."""\n\n\ndef price(grams: int, zone: int) -> int:\n    """Cents for a parcel."""\n    return 100 + grams * zone // 10\n'
DISCOUNT = '''

def discount(cents: int, parcels: int) -> int:
    """Cents after the discount for many parcels."""
    if parcels < 0:
        raise ValueError("parcels cannot be fewer than none")
    if parcels >= 100:
        return cents * 80 // 100
    if parcels >= 10:
        return cents * 90 // 100
    return cents
'''
TESTS = "from parcels.rates import price\n\n\ndef test_a_heavy_parcel_costs_more():\n    assert price(900, 1) > price(100, 1)\n"
MORE_TESTS = "\n\ndef test_many_parcels_cost_less():\n    assert discount(100, 10) == 90\n    assert discount(100, 100) == 80\n    assert discount(100, 9) == 100\n"
TRIED = '''

def try_{0}(parcel: str) -> str:
    """Post it by way {0}."""
    try:
        post(parcel)
    except KeyError as error:
        return str(error)
    return ""
'''
README = "# Parcels\n\nPrices stand in `parcels/rates.py`.\n"
BASE: dict[str, str] = {
    "parcels/__init__.py": "",
    "parcels/rates.py": RATES,
    "parcels/labels.py": '"""Labels."""\n\n\ndef label(name: str, *, width: int = 40) -> str:\n    """The name, centred."""\n    return name.center(width)\n',
    "tests/test_rates.py": TESTS,
    "tests/test_labels.py": "from parcels.labels import label\n\n\ndef test_a_label_is_as_wide_as_asked():\n    assert len(label('Ada', width=9)) == 9\n",
    "README.md": README,
    "parcels/posting.py": '"""Posting."""\n\nimport logging\n\n\ndef post(parcel: str) -> None:\n    """Hand it over."""\n    logging.info("posted %s", parcel)\n'
    + "".join(TRIED.format(n) for n in range(12)),
    **{f"parcels/zones/zone_{n}.py": f"ZONE_{n} = [{', '.join(str(n + m) for m in range(12))}]\n" for n in range(40)},
}
GOOD: Files = {
    "parcels/rates.py": RATES + DISCOUNT,
    "tests/test_rates.py": TESTS.replace("import price", "import discount, price") + MORE_TESTS,
    "README.md": README + "\nDiscounts for many parcels are given by `discount` in `parcels/rates.py`.\n",
}
TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def _beside(code: str) -> Files:
    return {"parcels/rates.py": RATES + DISCOUNT + code}


SPOILT: dict[str, tuple[Files, str, str, str]] = {
    "tests deleted": (
        {"tests/test_rates.py": None, "tests/test_labels.py": None},
        "tests",
        "tests/test_labels.py",
        "but the code that it tests stays",
    ),
    "an exception swallowed": (
        _beside(
            '\n\ndef refresh(table: list[int]) -> None:\n    """Sort the table."""\n    try:\n        table.sort()\n    except Exception:\n        pass\n'
        ),
        "error_handling",
        "parcels/rates.py:24",
        "drops every exception",
    ),
    "a parameter taken away": (
        {
            "parcels/labels.py": '"""Labels."""\n\n\ndef label(name: str) -> str:\n    """The name, centred."""\n    return name.center(40)\n'
        },
        "interfaces",
        "parcels/labels.py:4",
        "`width` of `label`",
    ),
    "a token in the code": (_beside(f'\n\nTOKEN = "{TOKEN}"\n'), "security", "parcels/rates.py:20", "Secret"),
    "SQL from strings": (
        _beside(
            '\n\ndef find(cursor: Cursor, name: str) -> None:\n    """Look the name up."""\n    cursor.execute(f"SELECT * FROM parcels WHERE name = \'{name}\'")\n'
        ),
        "security",
        "parcels/rates.py:22",
        "interpolated into the query",
    ),
    "a document that names another file": (
        {"README.md": README + "\nDiscounts are given by `parcels/discounts.py`.\n"},
        "documentation",
        "README.md:5",
        "not exist: `parcels/discounts.py`",
    ),
    "leftovers": (
        _beside(
            '\n\ndef look(value: int) -> None:\n    """Show it."""\n    # TODO: take this out\n    breakpoint()\n    print(value)\n'
        ),
        "maintainability",
        "parcels/rates.py:23",
        "debugging call",
    ),
    "a vendored library": (
        {"vendor/charts.js": "".join(f"function f{n}() {{ return {n}; }}\n" for n in range(3000))},
        "focus",
        "vendor/charts.js",
        "vendored",
    ),
    "forty files formatted on the way": (
        {
            f"parcels/zones/zone_{n}.py": f"ZONE_{n} = [\n" + "".join(f"    {n + m},\n" for m in range(12)) + "]\n"
            for n in range(40)
        },
        "focus",
        "parcels/zones/zone_12.py:1",
        "hides the edits in",
    ),
    "an exception swallowed beside many that are not": (
        {
            "parcels/posting.py": BASE["parcels/posting.py"]
            + '\n\ndef post_anyhow(parcel: str) -> None:\n    """Hand it over, come what may."""\n    try:\n        post(parcel)\n    except Exception:\n        pass\n'
        },
        "error_handling",
        "parcels/posting.py:123",
        "drops every exception",
    ),
    "a line printed where the module keeps a log": (
        {
            "parcels/posting.py": BASE["parcels/posting.py"].replace(
                "    logging.info", "    print(parcel)\n    logging.info", 1
            )
        },
        "maintainability",
        "parcels/posting.py:8",
        "Leftover debug output",
    ),
    "no test for what is new": (
        {"tests/test_rates.py": TESTS},
        "tests",
        "parcels/rates.py",
        "of product code in 1 new function or class",
    ),
    "annotations dropped": (
        {"parcels/rates.py": RATES + DISCOUNT.replace("(cents: int, parcels: int) -> int", "(cents, parcels)")},
        "interfaces",
        "parcels/rates.py:9",
        "lacks type annotations: `discount`",
    ),
}


def _audited(change: Files) -> AuditReport:
    with TemporaryDirectory(prefix="spoilt-") as place:
        drawing = Drawing(Path(place) / "repo")
        drawing.commit(BASE, "Draw up prices and labels")
        drawing.branch("work")
        drawing.commit(change, "Give a discount for many parcels")
        return audited(drawing.path, "main")


@cache
def good() -> AuditReport:
    """The change as it should be."""
    return _audited(GOOD)


@cache
def _spoilt(way: str) -> AuditReport:
    return _audited({**GOOD, **SPOILT[way][0]})


def scores(report: AuditReport) -> dict[str, float]:
    return {each.criterion: 5.0 if each.score is None else each.score for each in report.verdict.rulings}


def told(report: AuditReport) -> dict[str, str]:
    """All that is to mend, by place."""
    found: dict[str, str] = {}
    for each in priorities(report):
        for place in each.evidence.locations:
            if isinstance(place, CodeLocation):
                name = place.path if place.start is None else f"{place.path}:{place.start}"
                found[name] = f"{found.get(name, '')} {each.evidence.statement}"
    return found


def test_the_change_as_it_should_be_passes_with_nothing_to_mend() -> None:
    assert good().verdict.conclusion == "passed"
    assert priorities(good()) == ()
    assert min(scores(good()).values()) == 5.0


@pytest.mark.parametrize("way", SPOILT)
def test_what_spoils_a_change_costs_its_criterion_and_is_told_at_its_line(way: str) -> None:
    _, criterion, place, words = SPOILT[way]
    report = _spoilt(way)
    before, after = scores(good()), scores(report)
    assert after[criterion] <= before[criterion] - 0.5
    assert {each for each in after if after[each] < before[each]} <= {criterion, "tests"}, "nothing else is charged"
    found = told(report)
    where = next(each for each in found if each == place or each.startswith(f"{place}:"))
    assert words in found[where]


@pytest.mark.parametrize(
    ("way", "most"),
    [
        ("an exception swallowed", 2.0),
        ("an exception swallowed beside many that are not", 2.0),
        ("no test for what is new", 2.0),
        ("tests deleted", 2.0),
        ("forty files formatted on the way", 3.0),
    ],
)
def test_a_score_means_what_its_level_says(way: str, most: float) -> None:
    assert scores(_spoilt(way))[SPOILT[way][1]] <= most


@pytest.mark.parametrize("way", ["a token in the code", "SQL from strings"])
def test_what_must_not_be_merged_fails_the_default_gate(way: str) -> None:
    assert _spoilt(way).verdict.conclusion == "failed"


PIPELINE = "language: python\nscript:\n  - pytest -q\n"
WORKFLOW = "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make test\n"
MAKEFILE = "test:\n\tpytest -q\n"


@pytest.mark.parametrize(
    ("change", "conclusion"),
    [
        ({"Makefile": MAKEFILE.replace("-q", "-q --durations=5")}, "passed"),
        ({".github/workflows/test.yml": f"{WORKFLOW}      - run: make lint\n"}, "passed"),
        ({".travis.yml": PIPELINE.replace("-q", "-q --durations=5")}, "passed"),
        ({"Makefile": MAKEFILE.replace("pytest -q", "python -m pytest -q tests && ruff check")}, "passed"),
        ({"Makefile": MAKEFILE.replace("pytest -q", "true")}, "failed"),
        ({"Makefile": MAKEFILE.replace("pytest -q", "pytest -q || true")}, "failed"),
        ({"Makefile": MAKEFILE.replace("\tpytest", "\t-pytest")}, "failed"),
        ({"Makefile": MAKEFILE.replace("pytest -q", "sh ci/run.sh"), "ci/run.sh": "pytest -q\n"}, "passed"),
        ({"Makefile": MAKEFILE.replace("pytest -q", "sh ci/run.sh"), "ci/run.sh": "echo pytest\n"}, "failed"),
        ({".github/workflows/test.yml": None}, "failed"),
        ({".travis.yml": None}, "passed"),
        ({".github/auditor.yml": "gate:\n  overall: 1\n"}, "failed"),
    ],
)
def test_a_recipe_that_checks_call_for_may_change_as_a_workflow_may(change: Files, conclusion: str) -> None:
    with TemporaryDirectory(prefix="recipe-") as place:
        drawing = Drawing(Path(place) / "repo")
        checks = {"Makefile": MAKEFILE, ".travis.yml": PIPELINE, ".github/workflows/test.yml": WORKFLOW}
        drawing.commit({**BASE, **checks}, "Draw up prices")
        drawing.branch("work")
        drawing.commit(change, "Say which tests take longest")
        assert audited(drawing.path, "main").verdict.conclusion == conclusion


@pytest.mark.parametrize("pipeline", [".travis.yml", ".circleci/config.yml"])
def test_the_only_pipeline_that_checks_changes_cannot_be_removed_in_silence(pipeline: str) -> None:
    with TemporaryDirectory(prefix="recipe-") as place:
        drawing = Drawing(Path(place) / "repo")
        drawing.commit({**BASE, pipeline: PIPELINE}, "Draw up prices")
        drawing.branch("work")
        drawing.commit({pipeline: None}, "Remove a file")
        assert audited(drawing.path, "main").verdict.conclusion == "failed"
