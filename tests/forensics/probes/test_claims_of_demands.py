"""What a description says of packages, branches and entries in lists: wrong, right, and only looking like it."""

from __future__ import annotations

from time import process_time

import pytest

from tests.forensics.probes.test_claims_of_several import told
from tests.forensics.probes.test_description_claims import CONTRADICTS, SHOP

ASKS = '{{\n  "dependencies": {{\n    "preact": "^10.0.0"{}\n  }},\n  "devDependencies": {{\n    "vitest": "^2.0.0"{}\n  }}\n}}\n'
WITH = ASKS.format(',\n    "moment": "^2.30.0"', ',\n    "@types/moment": "^2.13.0"')
HALF = ASKS.format(',\n    "moment": "^2.30.0"', "")
WITHOUT = ASKS.format("", "")
FOR_BUILDERS = ASKS.format("", ',\n    "moment": "^2.30.0"')
WORKFLOW = "name: site\non:\n  push:\n    branches: {}\npermissions:\n  contents: read\njobs:\n  ship:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make site\n"
PATH = ".github/workflows/site.yml"


@pytest.mark.parametrize(
    "said",
    [
        "Removes `moment` from package.json.",
        "- drops the moment dependency",
        "We no longer depend on `moment`.",
        "moment is no longer a dependency.",
        "`moment` has been removed from the dependencies.",
        "Drop moment in favour of a helper of our own",
        "Gets rid of the dependency on moment.",
    ],
)
def test_a_package_that_is_said_to_go_is_asked_for_no_longer(said: str) -> None:
    before = {**SHOP, "package.json": WITH}
    assert told(said, {"package.json": HALF}, before) is CONTRADICTS
    assert told(said, {"package.json": WITHOUT}, before) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Drops moment from the calendar; other pages still need it.",
        "Removes `moment` calls from the list.",
        "The moment dependency is removed in a follow-up.",
        "Does not remove the moment dependency yet.",
        "Removes vitest updates from the bot.",
    ],
)
def test_what_goes_of_a_package_elsewhere_says_nothing_of_the_manifest(said: str) -> None:
    assert told(said, {"package.json": HALF}, {**SHOP, "package.json": WITH}) is not CONTRADICTS


def test_a_package_that_one_of_two_manifests_keeps_is_given_up_by_the_other() -> None:
    before = {**SHOP, "web/package.json": WITH, "app/package.json": WITH}
    after: dict[str, str | None] = {"web/package.json": WITHOUT, "app/package.json": HALF}
    assert told("Removes the moment dependency.", after, before) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    ["Moves `moment` to the dev dependencies.", "Adds moment as a dev dependency.", "`moment` is now a devDependency."],
)
def test_what_only_builders_need_stands_in_their_table(said: str) -> None:
    before = {**SHOP, "package.json": WITHOUT}
    assert told(said, {"package.json": HALF}, before) is CONTRADICTS
    assert told(said, {"package.json": FOR_BUILDERS}, before) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "The site is deployed only on pushes to `main`.",
        "Deploys only from main.",
        "The job runs on `main` only.",
        "Publishing is limited to the main branch.",
    ],
)
def test_a_workflow_that_is_said_to_start_for_one_branch_starts_for_no_other(said: str) -> None:
    for others in ('["**"]', "[main, 'feature/*']", "\n      - main\n      - '*'"):
        assert told(said, {PATH: WORKFLOW.format(others)}) is CONTRADICTS
    for alone in ("[main]", "\n    - main", "\n      # the one\n      - 'main'"):
        assert told(said, {PATH: WORKFLOW.format(alone)}) is not CONTRADICTS
    guarded = WORKFLOW.format('["**"]').replace("    runs-on", "    if: github.ref == 'refs/heads/main'\n    runs-on")
    assert told(said, {PATH: guarded}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "It used to run only on main.",
        "Runs on pushes to main and develop.",
        "The job no longer runs on `main` only.",
        "Tests run for every branch.",
    ],
)
def test_branches_that_are_told_in_another_sense_prove_nothing(said: str) -> None:
    assert told(said, {PATH: WORKFLOW.format('["**"]')}) is not CONTRADICTS


def test_a_branch_whose_pushes_start_a_workflow_is_among_those_that_it_names() -> None:
    said = "Builds the site on pushes to `main`."
    assert told(said, {PATH: WORKFLOW.format("[develop]")}) is CONTRADICTS
    assert told(said, {PATH: WORKFLOW.format("[main, develop]")}) is not CONTRADICTS
    assert told(said, {PATH: WORKFLOW.replace("    branches: {}\n", "    tags: ['v*']\n")}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "- entry in CHANGELOG.md",
        "- a short note under Unreleased in CHANGELOG.md",
        "- changelog entry",
        "- [x] new changelog entry",
        "A helper is new. Noted under Unreleased in CHANGELOG.md.",
    ],
)
def test_an_entry_that_a_list_names_is_written(said: str) -> None:
    before = {**SHOP, "CHANGELOG.md": "# Changes\n"}
    code = {"shop/prices.py": f"{SHOP['shop/prices.py']}\n\ndef more(): ...\n"}
    assert told(said, code, before) is CONTRADICTS
    assert told(said, {**code, "CHANGELOG.md": "# Changes\n\n- `more`\n"}, before) is not CONTRADICTS


def test_a_link_in_a_list_is_no_entry() -> None:
    code = {"shop/prices.py": f"{SHOP['shop/prices.py']}\n\ndef more(): ...\n"}
    assert told("- link in CHANGELOG.md", code, {**SHOP, "CHANGELOG.md": "# Changes\n"}) is not CONTRADICTS


def test_the_least_of_something_is_no_number_of_minutes() -> None:
    before = {**SHOP, "Form.java": "record Form(String password) {\n}\n"}
    form = "record Form(\n    @Size(min = 12) String password) {\n  static final int ROUNDS = 4;\n}\n"
    assert told("A password has at least 12 characters.", {"Form.java": form}, before) is not CONTRADICTS


def test_a_seat_that_is_already_taken_does_not_tell_how_things_were() -> None:
    before = {**SHOP, "api.py": "def book(seat):\n    return take(seat)\n"}
    after = "def book(seat):\n    if seat.taken:\n        return abort({})\n    return take(seat)\n"
    said = "A seat that is already taken gives 409."
    assert told(said, {"api.py": after.format(400)}, before) is CONTRADICTS
    assert told(said, {"api.py": after.format(409)}, before) is not CONTRADICTS
    assert told("An unknown seat already answers 404.", {"api.py": after.format(400)}, before) is not CONTRADICTS


@pytest.mark.parametrize(
    "said", ["A taken seat is answered with Conflict.", "`book` returns a Conflict for taken seats."]
)
def test_a_status_that_is_told_by_its_name_is_the_one_that_is_sent(said: str) -> None:
    after = "def book(seat):\n    if seat.taken:\n        return abort({})\n    return take(seat)\n"
    assert told(said, {"api.py": after.format(400)}) is CONTRADICTS
    assert told(said, {"api.py": after.format(409)}) is not CONTRADICTS
    assert told("The conflict of two seats is answered in words.", {"api.py": after.format(400)}) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("The list is written as UTF-8.", 'open(p, "w", encoding="latin-1")', 'open(p, "w", encoding="utf8")'),
        ("Clicks are debounced.", "button.on(throttle(save))", "button.on(debounce(save))"),
        ("Columns are named in snake_case.", "rename(camelCase)", "rename(snakeCase)"),
    ],
)
def test_one_of_a_few_ways_is_the_one_that_is_told(said: str, wrong: str, right: str) -> None:
    assert told(said, {"shop/a.py": f"{wrong}\n"}) is CONTRADICTS
    assert told(said, {"shop/a.py": f"{right}\n"}) is not CONTRADICTS
    assert told(said, {"shop/a.py": f"{wrong}\n{right}\n"}) is not CONTRADICTS


@pytest.mark.parametrize(
    "piece", ["drops the ", "runs only on ", "remove a from ", "- a note on ", "no longer needs `a` ", "moves a to "]
)
def test_statements_of_packages_and_branches_that_are_written_to_take_long_take_no_time(piece: str) -> None:
    said = (piece * 2_000)[:15_000]
    started = process_time()
    told(said, {"package.json": HALF, PATH: WORKFLOW.format("[main]")}, {**SHOP, "package.json": WITH})
    assert process_time() - started < 6
