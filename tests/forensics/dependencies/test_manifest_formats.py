"""Who reads which manifest or lock: named in tables, and loaded when there is such a file."""

from __future__ import annotations

import subprocess
import sys

import pytest

from auditor.forensics.dependencies import format_table, manifest_formats
from auditor.forensics.dependencies.manifest_formats import read_lock, read_manifest

NAMED = [
    *(
        (name if name in row.names else f"a{name}", row.made)
        for row in (*format_table._table().manifests, *format_table._table().locks)
        for name in sorted(row.owned())
    ),
    *(
        (path, format_table.manifest_reader(path) or ("", ""))
        for path in ("requirements.txt", "Dockerfile", ".cargo/config.toml", "compose.yaml")
    ),
]


@pytest.mark.parametrize(("name", "reader"), NAMED, ids=[name for name, _ in NAMED])
def test_every_reader_that_a_table_names_reads_a_file_or_says_why_not(name: str, reader: tuple[str, str]) -> None:
    read = read_lock if manifest_formats.is_lock(name) else read_manifest
    for text in ("", "{}", "\x00\udc80" * 50, "a: [b\n" * 50):
        assert read(name, text).registry in {reader[0], "an older form", "unknown"}


def test_no_reader_is_loaded_before_there_is_a_file_for_it() -> None:
    asked = (
        "import sys; from auditor.forensics.dependencies import manifest_formats; assert manifest_formats.is_manifest('a/pom.xml'); "
        "print(*sorted(each.rpartition('.')[2] for each in sys.modules if each.startswith('auditor.forensics.dependencies.')))"
    )
    printed = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["dependency_types", "format_table", "manifest_formats"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ('[tool.pdm.dependencies]\nclick = "*"\n[tool.pdm.dev-dependencies]\npytest = ">=6"\n', ["click", "pytest"]),
        ('[tool.pdm.dependencies]\nattrs = {version = "*", marker = "python_version<\'3.8\'"}\n', ["attrs"]),
        ('[tool.pdm.dev-dependencies]\ntest = ["pytest>=6", "tox"]\n', ["pytest", "tox"]),
        ('[project.optional-dependencies]\ntest = "pytest"\n', []),
        ('[dependency-groups]\ntest = ["pytest", {include-group = "docs"}]\n', ["pytest"]),
        ("[tool.pdm]\ndependencies = 3\ndev-dependencies = [1]\n", []),
    ],
)
def test_tables_of_packages_and_lists_of_them_are_told_apart(text: str, asked: list[str]) -> None:
    assert [each.name for each in read_manifest("pyproject.toml", text).dependencies] == asked


def test_bundler_reads_gems_rb_and_its_lock_as_it_reads_a_gemfile() -> None:
    assert [each.name for each in read_manifest("gems.rb", 'gem "rails", "~> 7.1"\n').dependencies] == ["rails"]
    lock = "GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (7.1.2)\n\nDEPENDENCIES\n  rails (~> 7.1)\n"
    assert read_lock("gems.locked", lock).versions == {"rails": frozenset({"7.1.2"})}
