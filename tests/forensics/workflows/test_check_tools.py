"""The table of tools that check, and how commands are recognised as one of them."""

from __future__ import annotations

import pytest

from auditor.forensics.workflows.check_tools import Kind, recognize_action, recognize_command


@pytest.mark.parametrize(
    ("command", "tool", "kind"),
    [
        ("uv run --group tests pytest -q", "pytest", Kind.TESTS),
        ("python -m pytest", "pytest", Kind.TESTS),
        ("coverage run -m pytest", "pytest", Kind.TESTS),
        ("c8 --reporter=lcov node --test", "node --test", Kind.TESTS),
        ("timeout 10m xvfb-run pytest", "pytest", Kind.TESTS),
        ("docker compose run --rm app pytest", "pytest", Kind.TESTS),
        ("$CARGO test --all", "cargo test", Kind.TESTS),
        ("${{env.CARGO}} clippy", "cargo clippy", Kind.STYLE),
        ("npx --no-install eslint .", "eslint", Kind.STYLE),
        ("npm run lint", "npm run", Kind.STYLE),
        ("pnpm test:unit", "pnpm", Kind.TESTS),
        ("./ci/check-licenses.sh", "ci/check-licenses.sh", Kind.TESTS),
        ("scripts/test", "scripts/test", Kind.TESTS),
        ("vendor/bin/phpunit --colors", "phpunit", Kind.TESTS),
        ("php ./vendor/bin/phpunit", "phpunit", Kind.TESTS),
        ("node node_modules/.bin/jest --ci", "jest", Kind.TESTS),
        (".venv/bin/pytest -q", "pytest", Kind.TESTS),
    ],
)
def test_a_check_is_known_behind_what_starts_it(command: str, tool: str, kind: Kind) -> None:
    known = recognize_command(command.split(), {})
    assert known is not None
    assert (known.tool, known.kind) == (tool, kind)


@pytest.mark.parametrize(
    "command",
    ["pip install pytest", "npm ci", "pnpm install", "pre-commit install", "uv sync", "echo pytest", "cat tests/a.txt", "curl x", "npx playwright install chromium", "vendor/bin/setup-shop", ""],
)  # fmt: skip
def test_what_only_prepares_or_speaks_of_checks_is_none(command: str) -> None:
    assert recognize_command(command.split(), {}) is None


@pytest.mark.parametrize(
    ("looking", "checking"),
    [
        ("docker buildx imagetools inspect shop:stable", "docker buildx --builder large build ."),
        ("docker buildx ls", "docker buildx bake"),
        ("golangci-lint linters", "golangci-lint -v run"),
        ("pre-commit autoupdate", "pre-commit run --all-files"),
        ("pre-commit gc", "prek"),
        ("twine upload dist/shop.whl", "twine check dist/shop.whl"),
        ("cargo nextest list", "cargo nextest run"),
        ("biome rage", "biome ci ."),
    ],
)
def test_a_program_checks_only_with_subcommands_that_check(looking: str, checking: str) -> None:
    known = recognize_command(checking.split(), {})
    assert recognize_command(looking.split(), {}) is None
    assert known is not None
    assert not known.never_fails_reason


@pytest.mark.parametrize(
    ("command", "env", "passes"),
    [
        ("cmake --version", {}, True),
        ("cmake --build out", {}, False),
        ("hugo version", {}, True),
        ("mvn -q help:evaluate -Dexpression=project.version", {}, True),
        ("pnpm why vite-test", {}, True),
        ("make --version", {}, True),
        ("pytest -q", {"PYTEST_ADDOPTS": "--version"}, True),
        ("pytest -q", {"PYTEST_ADDOPTS": "--collect-only"}, True),
        ("pytest -q", {"PYTEST_ADDOPTS": "-ra"}, False),
        ("make test", {"MAKEFLAGS": "-i"}, True),
        ("eslint --max-warnings 0 .", {}, False),
        ("mypy --verbose -v src", {}, False),
        ("trivy fs .", {}, True),
        ("trivy fs --exit-code 1 .", {}, False),
    ],
)
def test_only_options_that_let_every_failure_pass_count(command: str, env: dict[str, str], passes: bool) -> None:
    known = recognize_command(command.split(), env)
    assert known is not None
    assert bool(known.never_fails_reason) is passes


def test_an_action_is_known_whatever_its_version_and_letters() -> None:
    known = recognize_action("GolangCI/golangci-lint-action@v6", {})
    assert known is not None
    assert known.kind is Kind.STYLE
    assert recognize_action("actions/checkout@v4", {}) is None
