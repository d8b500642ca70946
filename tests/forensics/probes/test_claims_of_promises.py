"""What is promised of each of several things, of what stays and of when something runs: wrong, right, and only looking like it."""

from __future__ import annotations

import pytest

from auditor.domain import Outcome
from tests.forensics.probes.test_description_claims import (
    CLIENT,
    CONTRADICTS,
    DISCOUNT,
    ONE_TEST,
    PRICES,
    SHOP,
    TESTS,
    said_of,
)

TWO = f"""{DISCOUNT}

def rebate(total: float) -> float:
    return total / 10
"""
TWO_TESTS = f"{ONE_TEST}\n\ndef test_rebate():\n    assert rebate(10) == 1\n"


@pytest.mark.parametrize(
    "words",
    [
        "Tests added for both new functions.",
        "With tests for each of them.",
        "Adds tests for all new functions.",
        "Both are covered by tests.",
        "Adds tests that cover both functions.",
    ],
)
def test_a_test_for_each_new_function_is_a_test_for_every_one(words: str) -> None:
    said = f"Add `discount` and `rebate`\n\n{words}"
    assert said_of(said, {"shop/prices.py": TWO, "tests/test_prices.py": ONE_TEST}) is CONTRADICTS
    assert said_of(said, {"shop/prices.py": TWO, "tests/test_prices.py": TWO_TESTS}) is not CONTRADICTS


def test_tests_of_one_function_promise_none_of_another() -> None:
    said = "Add `discount` and `rebate`\n\nAdds tests for the former."
    assert said_of(said, {"shop/prices.py": TWO, "tests/test_prices.py": ONE_TEST}) is not CONTRADICTS


USERS = "from shop.prices import gross\n\n\ndef one():\n    return gross(1)\n\n\ndef two():\n    return gross(2)\n"


@pytest.mark.parametrize(
    "words",
    [
        "All callers are updated.",
        "The new name is used everywhere.",
        "Every usage of it goes along.",
        "No references to the old name are left.",
    ],
)
def test_a_name_that_is_new_everywhere_is_left_nowhere_in_the_changed_files(words: str) -> None:
    renamed = PRICES.replace("gross", "with_tax")
    before = {**SHOP, "shop/users.py": USERS}
    half = USERS.replace("gross", "with_tax").replace("with_tax(2)", "gross(2)")
    whole = USERS.replace("gross", "with_tax")
    said = f"Rename `gross` to `with_tax`\n\n{words}"
    assert said_of(said, {"shop/prices.py": renamed, "shop/users.py": half}, before) is CONTRADICTS
    assert said_of(said, {"shop/prices.py": renamed, "shop/users.py": whole}, before) is not CONTRADICTS
    noted = f"{whole}\n\n# gross is the old name\nNAMES = ['gross']\n"
    assert said_of(said, {"shop/prices.py": renamed, "shop/users.py": noted}, before) is not CONTRADICTS


def test_a_rename_that_promises_nothing_of_others_may_leave_the_old_name() -> None:
    renamed = f"{PRICES.replace('def gross', 'def with_tax')}\n\ngross = with_tax\n"
    assert said_of("Rename `gross` to `with_tax`", {"shop/prices.py": renamed}) is not CONTRADICTS


@pytest.mark.parametrize(
    "words",
    [
        "Only touches the client.",
        "This change only affects the client module.",
        "The change is limited to the client.",
        "Nothing outside the client is touched.",
        "Only the client is changed.",
    ],
)
def test_one_part_alone_is_no_other_part(words: str) -> None:
    slower = CLIENT.replace("timeout=10", "timeout=30")
    cheaper = PRICES.replace("return", "return 0 +", 1)
    said = f"Next step\n\n{words}"
    assert said_of(said, {"shop/client.py": slower, "shop/prices.py": cheaper}) is CONTRADICTS
    assert said_of(said, {"shop/client.py": slower}) is not CONTRADICTS


def test_a_part_of_no_file_and_a_part_that_others_speak_of_say_nothing() -> None:
    slower = CLIENT.replace("timeout=10", "timeout=30")
    cheaper = PRICES.replace("return", "return 0 +", 1)
    named = f"{PRICES}\n\ndef for_client(client):\n    return client\n"
    assert said_of("N\n\nOnly affects the beginners.", {"shop/client.py": slower, "shop/prices.py": cheaper}) is not CONTRADICTS  # fmt: skip
    assert said_of("N\n\nOnly affects the client.", {"shop/client.py": slower, "shop/prices.py": named}) is not CONTRADICTS  # fmt: skip


OPTIONS = 'def parser(p):\n    p.add_argument("--json")\n    p.add_argument("--semicolons")\n'
WITHOUT_JSON = OPTIONS.replace('    p.add_argument("--json")\n', "")


@pytest.mark.parametrize(
    "words", ["`--json` and `--semicolons` are removed from the parser.", "Removes `--json` and `--semicolons`."]
)
def test_what_is_taken_out_of_something_stands_in_lines_that_go(words: str) -> None:
    before = {**SHOP, "shop/export.py": OPTIONS}
    empty = "def parser(p):\n    return p\n"
    assert said_of(f"N\n\n{words}", {"shop/export.py": WITHOUT_JSON}, before) is CONTRADICTS
    assert said_of(f"N\n\n{words}", {"shop/export.py": empty}, before) is not CONTRADICTS


@pytest.mark.parametrize("words", ["`shipping` is unchanged.", "`shipping` itself stays untouched."])
def test_code_that_is_said_to_be_unchanged_is_the_same(words: str) -> None:
    edited = PRICES.replace("def shipping", "def shipping", 1)
    head, mark, tail = edited.partition("def shipping")
    changed = f"{head}{mark}{tail.replace('return', 'return 1 +', 1)}"
    assert said_of(f"N\n\n{words}", {"shop/prices.py": changed}) is CONTRADICTS
    assert said_of(f"N\n\n{words}", {"shop/prices.py": DISCOUNT}) is not CONTRADICTS
    assert said_of("N\n\nThe result of `shipping` is unchanged.", {"shop/prices.py": changed}) is not CONTRADICTS


def test_a_variable_is_not_told_by_a_name_that_is_only_like_its_own() -> None:
    code = 'import os\n\nTARGET = os.environ.get("MAIL_DIVERT_TO")\n'
    said = "N\n\nWhen `{}` is set, mails go there."
    assert said_of(said.format("SMTP_DIVERT_TO"), {"shop/mail.py": code}) is CONTRADICTS
    assert said_of(said.format("MAIL_DIVERT_TO"), {"shop/mail.py": code}) is not CONTRADICTS
    assert said_of(said.format("HTTP_PROXY_HOST"), {"shop/mail.py": code}) is not CONTRADICTS
    assert said_of(said.format("mail_divert_to"), {"shop/mail.py": code}) is not CONTRADICTS


LADDER = "def tier(points, strict=True):\n    if points >= 5000 and strict:\n        return 15\n    return wait(30)\n"


@pytest.mark.parametrize(
    "after",
    [
        LADDER.replace(">=", ">"),
        LADDER.replace("15", "10"),
        LADDER.replace("True", "False"),
        LADDER.replace(" and ", " or "),
        LADDER.replace("if points >= 5000 and", "least = 5000\n    if points > least and"),
    ],
)
@pytest.mark.parametrize("words", ["No change in behaviour.", "Pure refactoring.", "Formatting only."])
def test_where_behaviour_stays_no_line_is_another_one_by_a_sign(words: str, after: str) -> None:
    before = {**SHOP, "shop/tiers.py": LADDER}
    assert said_of(f"N\n\n{words}", {"shop/tiers.py": after}, before) is CONTRADICTS


@pytest.mark.parametrize(
    "after",
    [
        LADDER.replace("points >= 5000 and strict", "strict and points >= 5000"),
        LADDER.replace("wait(30)", "wait(PAUSE)").replace("def tier", "PAUSE = 30\n\n\ndef tier"),
        LADDER.replace("15", "15  # percent"),
        LADDER.replace("if points >= 5000 and strict:\n        return 15\n    return wait(30)", "if points < 5000 or not strict:\n        return wait(30)\n    return 15"),
    ],
)  # fmt: skip
def test_lines_that_say_the_same_in_another_way_are_a_refactoring(after: str) -> None:
    before = {**SHOP, "shop/tiers.py": LADDER}
    assert said_of("N\n\nNo change in behaviour.", {"shop/tiers.py": after}, before) is not CONTRADICTS


def test_a_name_that_the_description_says_itself_goes_is_no_hidden_change() -> None:
    renamed = PRICES.replace("def gross", "def with_tax")
    assert said_of("Rename `gross` to `with_tax`\n\nNo change in behaviour.", {"shop/prices.py": renamed}) is not CONTRADICTS  # fmt: skip
    assert said_of("Tidy up\n\nNo change in behaviour.", {"shop/prices.py": renamed}) is CONTRADICTS


def test_settings_by_which_something_runs_are_no_documentation() -> None:
    values = "limits:\n  memory: 512Mi\n"
    before = {**SHOP, "charts/shop/values.yaml": values, "mkdocs.yml": "nav: []\n"}
    said = "Explain limits\n\nDocumentation only."
    guide = {"docs/limits.md": "# Limits\n"}
    larger = values.replace("512", "768")
    assert said_of(said, {**guide, "charts/shop/values.yaml": larger}, before) is CONTRADICTS
    assert said_of(said, {**guide, "mkdocs.yml": "nav: [limits.md]\n"}, before) is not CONTRADICTS


WORKFLOW = "name: release\non:\n  push:\n    {}\n  workflow_dispatch:\njobs:\n  a:\n    steps: []\n"


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("The workflow now starts when a tag `v*` is pushed.", 'branches: ["release/*"]', 'tags: ["v*"]'),
        ("It runs on every pull request.", "branches: [main]", "branches: [main]\n  pull_request:"),
        ("Besides, the job runs every night.", "branches: [main]", "branches: [main]\n  schedule:\n    - cron: '0 3 * * *'"),
    ],
)  # fmt: skip
def test_a_workflow_starts_at_what_it_is_said_to_start_at(said: str, wrong: str, right: str) -> None:
    path = ".github/workflows/release.yml"
    assert said_of(f"N\n\n{said}", {path: WORKFLOW.format(wrong)}) is CONTRADICTS
    assert said_of(f"N\n\n{said}", {path: WORKFLOW.format(right)}) is not CONTRADICTS
    assert said_of("N\n\nIt also runs by hand.", {path: WORKFLOW.format(wrong)}) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("Runs nightly at 03:30.", "30 4 * * *", "30 3 * * *"),
        ("The job runs every hour.", "0 0 * * *", "0 * * * *"),
        ("Runs weekly.", "0 5 * * *", "0 5 * * 1"),
        ("The job runs on Mondays.", "0 5 * * 2", "0 5 * * MON"),
        ("The job runs every 15 minutes.", "*/30 * * * *", "*/15 * * * *"),
    ],
)
def test_a_schedule_is_at_the_times_that_are_told(said: str, wrong: str, right: str) -> None:
    code = 'JOBS = {{"prune": "{}"}}\n'
    assert said_of(f"N\n\n{said}", {"shop/jobs.py": code.format(wrong)}) is CONTRADICTS
    assert said_of(f"N\n\n{said}", {"shop/jobs.py": code.format(right)}) is not CONTRADICTS


@pytest.mark.parametrize(
    "words",
    [
        "| date-fns | 2.30.0 | {} |",
        "- date-fns 2.30.0 → {}",
        "`date-fns` goes to {}, axios to 1.6.8.",
        "Takes date-fns {} and axios 1.6.8",
    ],
)
def test_the_version_of_a_package_is_the_one_that_the_manifest_asks_for(words: str) -> None:
    before = {"package.json": '{\n  "dependencies": {\n    "axios": "1.6.2",\n    "date-fns": "2.30.0"\n  }\n}\n'}
    after = before["package.json"].replace("2.30.0", "3.3.1").replace("1.6.2", "1.6.8")
    assert said_of(f"N\n\n{words.format('3.6.0')}", {"package.json": after}, before) is CONTRADICTS
    assert said_of(f"N\n\n{words.format('3.3.1')}", {"package.json": after}, before) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    ["The parser of date-fns through 3.6.0 does not end.", "date-fns before 3.6.4 is vulnerable.", "Fixes CVE-2031-11 of date-fns 3.6.0.", "- `date-fns` 3.6.0 fixed the warnings"],
)  # fmt: skip
def test_a_version_in_which_a_package_has_a_fault_is_not_the_one_that_is_asked_for(said: str) -> None:
    before = {"package.json": '{\n  "dependencies": {\n    "date-fns": "2.30.0"\n  }\n}\n'}
    after = before["package.json"].replace("2.30.0", "3.7.1")
    assert said_of(f"N\n\n{said}", {"package.json": after}, before) is not CONTRADICTS


def test_a_package_of_go_goes_by_the_last_part_of_its_address() -> None:
    before = {"go.mod": "module acme.dev/a\n\nrequire (\n\tgithub.com/jackc/pgx/v5 v5.4.3\n)\n"}
    after = before["go.mod"].replace("5.4.3", "5.5.3")
    assert said_of("N\n\npgx goes from v5.4.3 to v5.5.5", {"go.mod": after}, before) is CONTRADICTS
    assert said_of("N\n\npgx goes from v5.4.3 to v5.5.3", {"go.mod": after}, before) is not CONTRADICTS


def test_the_version_of_a_package_may_stand_in_the_lock_alone() -> None:
    before = {"Gemfile": 'gem "rack", "~> 2.2"\n', "Gemfile.lock": "    rack (2.2.8)\n"}
    files = {"Gemfile": 'gem "rack", "~> 3.0"\n', "Gemfile.lock": "    rack (3.1.7)\n"}
    assert said_of("N\n\nrack goes from 2.2.8 to 3.1.7", files, before) is not CONTRADICTS
    assert said_of("N\n\nrack goes from 2.2.8 to 3.1.9", files, before) is CONTRADICTS


def test_a_sentence_that_says_what_calls_something_does_not_bound_the_change() -> None:
    said = "Remove `shipping`\n\nNothing but its test called `shipping`."
    files = {"shop/prices.py": PRICES.partition("\n\ndef shipping")[0] + "\n", "tests/test_prices.py": TESTS + "\n"}
    assert said_of(said, files) is not Outcome.NOT_FOUND
