"""What a description says becomes of files, definitions, versions, values and commands: wrong, right, and only looking like it."""

from __future__ import annotations

import pytest

from tests.accuracy.labelled import project
from tests.forensics.probes.test_description_claims import CONTRADICTS, DISCOUNT, PRICES, SHOP, SLOWER, said_of

assert project("shop") == SHOP
COSTS = '"""Costs."""\n\n\ndef shipping(weight: int) -> int:\n    """Cost in cents."""\n    return 990 if weight > 20 else 490\n'
PRICES_LEFT = PRICES.partition("\n\ndef shipping")[0] + "\n"
SETTINGS = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\nrequires-python = ">=3.8"\n',
    "Dockerfile": "FROM node:18-alpine\nCOPY . /app\n",
    "Makefile": "test:\n\tpytest\n",
    "old/notes.md": "# Notes\n",
    "old/ideas.md": "# Ideas\n",
    ".github/workflows/ci.yml": "on: push\npermissions:\n  contents: read\njobs:\n  test:\n    runs-on: ubuntu-22.04\n",
    "shop/limits.py": "WAIT_SECONDS = 10\n",
}
BASE = {**SHOP, **SETTINGS}
TOML, DOCKER, CI = (SETTINGS[path] for path in ("pyproject.toml", "Dockerfile", ".github/workflows/ci.yml"))
NO_NOTES = {"old/notes.md": None, "old/ideas.md": None}
MOVED = {"shop/prices.py": PRICES_LEFT, "shop/costs.py": COSTS}


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("Remove shop/client.py", {"shop/prices.py": DISCOUNT}, {"shop/client.py": None}),
        ("`shop/client.py` is deleted, nobody used it.", {"shop/prices.py": DISCOUNT}, {"shop/client.py": None}),
        ("This change removes the unused module shop/client.py.", {"shop/prices.py": DISCOUNT}, {"shop/client.py": None}),
        ("- shop/client.py: removed", {"shop/prices.py": DISCOUNT}, {"shop/client.py": None}),
        ("Delete the folder `old/`.", {"shop/prices.py": DISCOUNT}, NO_NOTES),
        ("New module shop/client.py.", {"shop/client.py": SLOWER}, {"shop/client.py": None, "lib/shop/client.py": SLOWER}),
        ("Adds a new module `shop/prices.py`.", {"shop/prices.py": DISCOUNT}, {"src/shop/prices.py": DISCOUNT}),
        ("shop/client.py stays in place for now.", {"shop/client.py": None}, {"shop/client.py": SLOWER}),
        ("Keeps shop/client.py.", {"shop/client.py": None}, {"shop/client.py": SLOWER}),
        ("Move `shipping` from shop/prices.py to shop/costs.py.", {"shop/costs.py": COSTS}, MOVED),
        ("Move `shipping` from shop/prices.py to shop/costs.py.", {"shop/prices.py": PRICES_LEFT, "shop/costs.py": "X = 1\n"}, MOVED),
        ("`shipping` now lives in shop/costs.py.", {"shop/costs.py": "X = 1\n"}, MOVED),
        ("`shipping` moved from shop/prices.py to shop/costs.py.", {"shop/prices.py": DISCOUNT, "shop/costs.py": COSTS}, MOVED),
        ("Extract shipping() out of shop/prices.py.", {"shop/costs.py": COSTS}, MOVED),
        ("shop/prices.py no longer defines `shipping`.", {"shop/prices.py": DISCOUNT}, MOVED),
        ("shop/client.py no longer imports `requests`.", {"shop/client.py": SLOWER}, {"shop/client.py": SLOWER.replace("import requests", "import httpx")}),
        ("shop/client.py is renamed to shop/warehouse.py.", {"shop/warehouse.py": SLOWER}, {"shop/client.py": None, "shop/warehouse.py": SLOWER}),
    ],
)  # fmt: skip
def test_files_and_definitions_that_go_come_stay_or_move_do_so_in_the_change(
    said: str, wrong: dict[str, str | None], right: dict[str, str | None]
) -> None:
    assert said_of(f"Next step\n\n{said}", wrong, BASE) is CONTRADICTS
    assert said_of(f"Next step\n\n{said}", right, BASE) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ('Raises `version` to 2.0 and `requires-python` to ">=3.10".', {"pyproject.toml": TOML.replace("1.0", "2.0")}, {"pyproject.toml": TOML.replace("1.0", "2.0").replace("3.8", "3.10")}),
        ("Drop support for Python 3.8.", {"pyproject.toml": TOML.replace("1.0", "2.0")}, {"pyproject.toml": TOML.replace("3.8", "3.9")}),
        ("Python 3.8 is no longer supported.", {"pyproject.toml": TOML.replace("1.0", "2.0")}, {"pyproject.toml": TOML.replace("3.8", "3.9")}),
        ("No longer supports Python 3.8.", {"pyproject.toml": TOML.replace("1.0", "2.0")}, {"pyproject.toml": TOML.replace("3.8", "3.9")}),
        ("The minimum Python version is now 3.10.", {"pyproject.toml": TOML.replace("3.8", "3.9")}, {"pyproject.toml": TOML.replace("3.8", "3.10")}),
        ("Now requires Python 3.10.", {"pyproject.toml": TOML.replace("3.8", "3.9")}, {"pyproject.toml": TOML.replace("3.8", "3.10")}),
        ("Change the base image from node:18-alpine to node:20-alpine.", {"Dockerfile": DOCKER.replace("18-alpine", "22-bookworm")}, {"Dockerfile": DOCKER.replace("18", "20")}),
        ("The base image is now node:20-alpine.", {"Dockerfile": DOCKER.replace("18", "22")}, {"Dockerfile": DOCKER.replace("18", "20")}),
        ("Use node:20-alpine instead of node:18-alpine.", {"Dockerfile": DOCKER.replace("18", "22")}, {"Dockerfile": DOCKER.replace("18", "20")}),
        ("Switch the runner from ubuntu-22.04 to ubuntu-24.04.", {".github/workflows/ci.yml": CI.replace("22.04", "20.04")}, {".github/workflows/ci.yml": CI.replace("22.04", "24.04")}),
        ("Raise WAIT_SECONDS from 10 to 30.", {"shop/limits.py": "WAIT_SECONDS = 300\n"}, {"shop/limits.py": "WAIT_SECONDS = 30\n"}),
        ("The permissions of the workflow stay unchanged.", {".github/workflows/ci.yml": CI.replace("read", "write")}, {".github/workflows/ci.yml": CI.replace("22.04", "24.04")}),
        ("- `make seed` runs the script", {"shop/seed.py": "X = 1\n", "Makefile": "test:\n\tpytest -q\n"}, {"Makefile": "test:\n\tpytest\n\nseed:\n\tpython -m shop.seed\n"}),
        ("Adds `make seed`.", {"shop/seed.py": "X = 1\n"}, {"Makefile": "test seed:\n\tpytest\n"}),
        ("`npm run seed` runs it.", {"shop/seed.py": "X = 1\n"}, {"package.json": '{"scripts": {"seed": "node seed.js"}}\n'}),
        ("`WAIT_SECONDS` in shop/limits.py goes from 10 to 30.", {"shop/limits.py": "WAIT_SECONDS = 31\n"}, {"shop/limits.py": "WAIT_SECONDS = 30\n"}),
        ("`requires-python` in pyproject.toml is now `>=3.12`.", {"pyproject.toml": TOML.replace("3.8", "3.11")}, {"pyproject.toml": TOML.replace("3.8", "3.12")}),
        ("Require Python 3.12", {"pyproject.toml": TOML.replace("3.8", "3.11")}, {"pyproject.toml": TOML.replace("3.8", "3.12")}),
        ("`shipping` in shop/prices.py now adds a surcharge.", {"shop/limits.py": "WAIT_SECONDS = 30\n"}, {"shop/prices.py": DISCOUNT}),
        ("Read `APP_PORT` and `APP_LEVEL` from the environment.", {"shop/limits.py": 'PORT = environ["APP_PORT"]\n'}, {"shop/limits.py": 'PORT = environ["APP_PORT"]\nLEVEL = environ["APP_LEVEL"]\n'}),
        ("shop/client.py exports two classes now.", {"shop/limits.py": "WAIT_SECONDS = 30\n"}, {"shop/client.py": SLOWER}),
    ],
)  # fmt: skip
def test_versions_values_rights_and_commands_are_those_that_are_said(
    said: str, wrong: dict[str, str | None], right: dict[str, str | None]
) -> None:
    assert said_of(f"Next step\n\n{said}", wrong, BASE) is CONTRADICTS
    assert said_of(f"Next step\n\n{said}", right, BASE) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "We should remove shop/client.py later.",
        "The command removes shop/client.py when it is called.",
        "I tried to delete shop/client.py and it did not work out.",
        "Before, shop/client.py was deleted by the nightly job.",
        "I removed shop/client.py, after which it worked here.",
        "Remove shop/client.py's second class.",
        "Adds a new module-level constant to shop/prices.py.",
        "Moves the cursor from `a` to `b` in shop/prices.py.",
        "Does not move `shipping` from shop/prices.py to shop/costs.py.",
        "`shipping` could move to shop/client.py.",
        "Drop Python.",
        "Change localhost:8000 to localhost:9000 on your machine.",
        "It was node:16 once.",
        "Run `make test` to see it.",
        "The name of the workflow stays unchanged.",
        "The triggers of the workflow are the same.",
        "The examples by the workflow file are unchanged.",
        "shop/client.py now works with proxies.",
        "shop/client.py now passes the linter.",
        "`RATE` is now 20 %.",
        "`RATE` was set to 0.3 before.",
        "Rename shop/client.py to not clash with others.",
    ],
)
def test_words_about_other_things_than_the_change_are_held_against_nobody(said: str) -> None:
    edited = {"shop/prices.py": DISCOUNT, ".github/workflows/ci.yml": CI.replace("22.04", "24.04")}
    assert said_of(f"Next step\n\n{said}", edited, BASE) is not CONTRADICTS


def test_what_single_commits_of_a_squashed_branch_say_may_have_been_undone_by_later_ones() -> None:
    steps = "* move the helper\n\n* remove shop/client.py\n\n* bring shop/client.py back"
    assert said_of(f"Next step\n\n{steps}", {"shop/prices.py": DISCOUNT}) is not CONTRADICTS
    listed = "* move the helper\n* remove shop/client.py\n* more"
    assert said_of(f"Next step\n\n{listed}", {"shop/prices.py": DISCOUNT}) is CONTRADICTS


def test_an_image_put_together_from_parts_is_not_called_another_one() -> None:
    parts = {"Dockerfile": "ARG TAG=20-alpine\nFROM node:${TAG}\nCOPY . /app\n"}
    said = "Change the base image from node:18-alpine to node:20-alpine."
    assert said_of(f"Next step\n\n{said}", parts, BASE) is not CONTRADICTS


def test_a_definition_that_stays_as_a_shim_where_it_was_has_moved() -> None:
    shim = PRICES.replace(
        "    if weight > 20:\n        return 990\n    return 490", "    return costs.shipping(weight)"
    )
    files = {"shop/prices.py": shim, "shop/costs.py": COSTS}
    said = "Move `shipping` from shop/prices.py to shop/costs.py."
    assert said_of(f"Next step\n\n{said}", files, BASE) is not CONTRADICTS


def test_a_renaming_that_names_only_another_suffix_is_one_beside_the_old_file() -> None:
    said = "Rename `client.py` to .pyi"
    assert said_of(f"Next step\n\n{said}", {"shop/client.py": None, "shop/client.pyi": SLOWER}) is not CONTRADICTS
