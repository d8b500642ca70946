"""What a description says of several things at once, and small numbers that it gives to something: wrong, right, and only looking like it."""

from __future__ import annotations

from collections.abc import Mapping
from time import process_time

import pytest

from auditor.domain import Outcome
from tests.forensics.probes.test_description_claims import CONTRADICTS, SHOP, said_of

MANIFEST = SHOP["pyproject.toml"]
WRITERS = 'FORMATS = {"csv": to_csv, "json": to_json, "html": to_html}\n'
RETRIES = "MAX_ATTEMPTS = 3\n\n\ndef send(body):\n    for attempt in range(1, MAX_ATTEMPTS):\n        put(body)\n"
ACCOUNTS = {f"services/{name}/log.js": 'export const level = "info";\n' for name in ("gate", "mail", "maps")}
WORKFLOW = "jobs:\n  test:\n    services:\n      db:\n        image: postgres:{}\n"
LOCK = '[[package]]\nname = "{}"\nversion = "1.0"\n'


def told(said: str, files: Mapping[str, str | None], before: Mapping[str, str] = SHOP) -> Outcome:
    return said_of(f"Next step\n\n{said}", files, before)


@pytest.mark.parametrize(
    "said",
    [
        "`writers.py` writes CSV, JSON, HTML and LaTeX.",
        "Adds writers for CSV, JSON, HTML, and LaTeX",
        "Tables become CSV, HTML, JSON or LaTeX.",
    ],
)
def test_of_kinds_that_are_listed_each_stands_in_what_comes(said: str) -> None:
    assert told(said, {"shop/writers.py": WRITERS}) is CONTRADICTS
    assert told(said, {"shop/writers.py": f"{WRITERS}\n\ndef to_latex(): ...\n"}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Adds writers for CSV, JSON, HTML and the like.",
        "Unlike CSV, JSON, HTML and LaTeX writers before, this one has a test.",
        "Adds CSV, JSON and HTML; CSV, JSON, HTML and LaTeX come later.",
        "Adds formats such as CSV, JSON, HTML and LaTeX.",
        "Adds CSV, JSON, GraphQL and LaTeX.",
        "Adds CSV, JSON, HTML and tables.",
        "Anna, Bob, Carl and Dora asked for it.",
    ],
)
def test_lists_of_what_is_elsewhere_and_those_that_mean_something_else_prove_nothing(said: str) -> None:
    assert told(said, {"shop/writers.py": WRITERS}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "`log.js` of all three services is quieter.",
        "Every `log.js` is quieter now.",
        "Updates all `log.js` files.",
        "`log.js` in each service is quieter.",
    ],
)
def test_all_files_of_a_name_are_all_of_them(said: str) -> None:
    quiet = 'export const level = "warn";\n'
    most = dict.fromkeys(list(ACCOUNTS)[:2], quiet)
    assert told(said, most, ACCOUNTS) is CONTRADICTS
    assert told(said, dict.fromkeys(ACCOUNTS, quiet), ACCOUNTS) is not CONTRADICTS
    assert told("`log.js` of the gate is quieter.", most, ACCOUNTS) is not CONTRADICTS
    assert told(said, dict.fromkeys(list(ACCOUNTS)[:1], quiet), ACCOUNTS) is not CONTRADICTS


@pytest.mark.parametrize(
    "said", ["It still runs all the tests.", "All tests still run.", "No tests are skipped.", "No test was left out."]
)
@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("Makefile", "test:\n\tpytest -q\n", "test:\n\tpytest -q -n auto --ignore=tests/slow\n"),
        ("tox.ini", "commands = pytest\n", 'commands = pytest -k "not slow"\n'),
        (
            "package.json",
            '{"scripts": {"test": "jest"}}\n',
            '{"scripts": {"test": "jest --testPathIgnorePatterns=e2e"}}\n',
        ),
        ("ci.sh", "mvn verify\n", "mvn verify -DskipTests\n"),
    ],
)
def test_all_tests_run_where_no_option_that_comes_leaves_some_out(
    said: str, path: str, before: str, after: str
) -> None:
    assert told(said, {path: after}, {**SHOP, path: before}) is CONTRADICTS
    assert told(said, {path: before.replace("test", "test ", 1)}, {**SHOP, path: before}) is not CONTRADICTS
    assert told(said, {path: f"{after}#\n"}, {**SHOP, path: after}) is not CONTRADICTS
    assert told("The slow tests run at night.", {path: after}, {**SHOP, path: before}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Both packages are added to `pyproject.toml` and to `poetry.lock`.",
        "Adds `cachetools` and `tenacity`, and updates poetry.lock.",
        "The lock file is regenerated.",
    ],
)
def test_packages_that_are_said_to_be_locked_stand_in_the_lock(said: str) -> None:
    asked = f'{MANIFEST}\n[tool.poetry.dependencies]\ncachetools = "^5.3"\ntenacity = "^8.3"\n'
    both = LOCK.format("cachetools") + LOCK.format("tenacity")
    before = {**SHOP, "poetry.lock": LOCK.format("six")}
    assert told(said, {"pyproject.toml": asked, "poetry.lock": LOCK.format("cachetools")}, before) is CONTRADICTS
    assert told(said, {"pyproject.toml": asked, "poetry.lock": both}, before) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Makes up to {} attempts before it gives up.",
        "Tries at most {} times.",
        "A failed upload is retried {} times.",
        "Gives up after {} failed attempts.",
    ],
)
def test_how_often_something_is_tried_is_what_the_constant_says(said: str) -> None:
    for words in ("five", "12"):
        assert told(said.format(words), {"shop/send.py": RETRIES}) is CONTRADICTS
    for words in ("three", "3", "two", "four"):  # whoever tries three times repeats it twice
        assert told(said.format(words), {"shop/send.py": RETRIES}) is not CONTRADICTS
    two_of_them = f"{RETRIES}\nRETRIES_OF_MAIL = 9\n"
    assert told(said.format("five"), {"shop/send.py": two_of_them}) is not CONTRADICTS


def test_the_number_that_something_is_given_stands_on_its_line() -> None:
    reading = {"proto/meter.proto": "message Reading {\n  string unit = 5;\n}\n"}
    assert told("`Reading` gets the field `unit` with number 4.", reading) is CONTRADICTS
    assert told("`Reading` gets the field `unit` with number 5.", reading) is not CONTRADICTS
    assert told("`Reading` gets the field `unit`, one of 4.", reading) is not CONTRADICTS


@pytest.mark.parametrize(
    "said", ["CI starts a Postgres {} service.", "The job runs against a PostgreSQL {} container."]
)
def test_the_version_of_a_program_that_is_started_is_that_of_its_image(said: str) -> None:
    files = {".github/workflows/ci.yml": WORKFLOW.format(15)}
    assert told(said.format(16), files) is CONTRADICTS
    assert told(said.format(15), files) is not CONTRADICTS
    assert told(said.format("15.4"), files) is not CONTRADICTS
    assert told("Postgres 16 is faster at this.", files) is not CONTRADICTS


@pytest.mark.parametrize(
    "said", ["CI gets a second job, `publish`.", "Adds a job called `publish`.", "Adds a separate `publish` job."]
)
def test_a_job_that_is_told_by_its_name_is_a_key_of_a_workflow(said: str) -> None:
    path = ".github/workflows/ci.yml"
    step = "jobs:\n  test:\n    steps:\n      - uses: some/publish@v1\n"
    assert told(said, {path: step}) is CONTRADICTS
    assert told(said, {path: f"{step}  publish:\n    steps: []\n"}) is not CONTRADICTS
    assert told("The job `publish` is slow.", {path: step}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "The links in `docs/index.md` and in the README point to the new place.",
        "Links in the README are updated.",
        "All links of `docs/index.md` and the README now lead there.",
    ],
)
def test_documents_whose_links_are_said_to_follow_are_touched(said: str) -> None:
    before = {**SHOP, "docs/index.md": "[Setup](setup.md)\n", "README.md": "[Setup](docs/setup.md)\n"}
    index = {"docs/index.md": "[Setup](installation.md)\n"}
    both = {**index, "README.md": "[Setup](docs/installation.md)\n"}
    assert told(said, index, before) is CONTRADICTS
    assert told(said, both, before) is not CONTRADICTS
    assert told("A link in the README is broken.", index, before) is not CONTRADICTS


def test_the_only_product_file_is_the_only_one_beside_tests() -> None:
    said = "The only product file changed is `shop/prices.py`."
    prices = {"shop/prices.py": f"{SHOP['shop/prices.py']}\nRATE = 0.3\n"}
    test = {"tests/test_prices.py": f"{SHOP['tests/test_prices.py']}\n\ndef test_more():\n    assert 1\n"}
    client = {"shop/client.py": f"{SHOP['shop/client.py']}\nLIMIT = 3\n"}
    assert told(said, {**prices, **client}) is CONTRADICTS
    assert told(said, {**prices, **test}) is not CONTRADICTS


def test_a_script_that_no_pipeline_need_run_leaves_it_as_it_was() -> None:
    before = {**SHOP, "scripts/release.sh": "git tag v1\n", ".github/workflows/ci.yml": "jobs: {}\n"}
    released = {"scripts/release.sh": "git tag -a v1\n"}
    assert told("CI is unchanged.", released, before) is not CONTRADICTS
    assert told("CI is unchanged.", {**released, ".github/workflows/ci.yml": "jobs:\n  a: {}\n"}, before) is CONTRADICTS


def test_loops_of_product_code_blur_no_number_of_tests() -> None:
    product = {
        "shop/prices.py": f"{SHOP['shop/prices.py']}\n\ndef all_of():\n    for each in (1, 2):\n        net(each)\n"
    }
    two = f"{SHOP['tests/test_prices.py']}\n\ndef test_one():\n    assert 1\n\n\ndef test_two():\n    assert 2\n"
    assert told("Adds three tests.", {**product, "tests/test_prices.py": two}) is CONTRADICTS
    assert told("Adds two tests.", {**product, "tests/test_prices.py": two}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said", ["Adds type hints.", "Type hints added.", "Adds missing type annotations.", "Add type annotations."]
)
def test_type_hints_that_are_said_to_come_stand_in_python_that_comes(said: str) -> None:
    untyped = f"{SHOP['shop/prices.py']}\n\ndef more(total):\n    return {{total: 1}} if total else total\n"
    for notes in ({}, {"notes.yaml": "name: shop\n"}):
        assert told(said, {"shop/prices.py": untyped, **notes}) is CONTRADICTS
    assert told(said, {"shop/prices.py": untyped.replace("(total)", "(total: float)")}) is not CONTRADICTS
    assert told(said, {"shop/prices.py": f"{untyped}\nLIMIT: int = 3\n"}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "A" * 3 + ", Aa" * 2_000,
        "retries " + "three " * 2_000,
        "`a` " * 2_000 + "with number",
        "runs all " + "the tests " * 2_000,
        "add " * 2_000 + "poetry.lock",
        "`log.js` of all " * 1_000,
        "adds a job " * 2_000,
        "links in " + "a.md, " * 2_000 + "point",
        "links in " * 2_000,
    ],
)
def test_a_sentence_that_is_written_to_take_long_takes_no_time(said: str) -> None:
    start = process_time()
    told(said, {"shop/send.py": RETRIES})
    assert process_time() - start < 1


MORE = f"{SHOP['shop/prices.py']}\n\ndef more(total):\n    if total < 1:\n        raise ValueError(total)\n    return total\n"


@pytest.mark.parametrize(
    "said",
    [
        "Unit tests for the new check are added.",
        "Tests for `more` were added.",
        "Tests covering totals below 1 have been written.",
    ],
)
def test_tests_that_are_said_to_be_added_for_something_are_asked_for(said: str) -> None:
    assert told(said, {"shop/prices.py": MORE}) is CONTRADICTS
    with_test = {
        "tests/test_prices.py": f"{SHOP['tests/test_prices.py']}\n\ndef test_more():\n    assert more(1) == 1\n"
    }
    assert told(said, {"shop/prices.py": MORE, **with_test}) is not CONTRADICTS


@pytest.mark.parametrize("said", ["Tests for the new check are added later.", "Tests for the new check are not added."])
def test_tests_that_are_put_off_are_not_asked_for(said: str) -> None:
    assert told(said, {"shop/prices.py": MORE}) is not CONTRADICTS


def test_a_version_in_a_manifest_is_no_documentation() -> None:
    docs = {"docs/booking.md": "# Booking\n\n## Errors\n\n409.\n"}
    before = {**SHOP, "docs/booking.md": "# Booking\n", "pom.xml": "<project>\n<version>2.2.0</version>\n</project>\n"}
    bumped = {"pom.xml": before["pom.xml"].replace("2.2.0", "2.3.0")}
    assert told("Documentation only, nothing else is touched.", {**docs, **bumped}, before) is CONTRADICTS
    assert told("Documentation only, nothing else is touched.", docs, before) is not CONTRADICTS


def test_signatures_of_something_that_is_named_stay() -> None:
    said = "Public signatures of `shop` stay unchanged."
    gone = SHOP["shop/prices.py"].replace("def net(", "def net_of(")
    assert gone != SHOP["shop/prices.py"]
    assert told(said, {"shop/prices.py": gone}) is CONTRADICTS
    assert told(said, {"shop/prices.py": MORE}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Adds three endpoints to `Tickets`: `close`, `reopen` and `archive`.",
        "Adds the following methods: `close`, `reopen`, `archive`.",
        "New actions: `close`, `reopen` and `archive`.",
    ],
)
def test_each_of_the_names_behind_a_colon_has_to_come(said: str) -> None:
    two = "class Tickets:\n    def close(self): ...\n\n    def reopen(self): ...\n"
    assert told(said, {"shop/tickets.py": two}) is CONTRADICTS
    assert told(said, {"shop/tickets.py": f"{two}\n    def archive(self): ...\n"}) is not CONTRADICTS
