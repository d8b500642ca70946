"""What is worked out of shipped files is kept beside Python's byte code, and never stands in for a file that changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.compiled_data import keep_data, kept_data, plain_data
from auditor.user_error import UserError


@pytest.fixture(autouse=True)
def _keeps_byte_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def kept_files(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.rglob("__pycache__/*"))


def test_a_text_is_parsed_once(tmp_path: Path) -> None:
    source = tmp_path / "rows.yaml"
    assert plain_data("rows: [a, 1, true]", source) == {"rows": ["a", 1, True]}
    assert kept_data(source, b"rows: [a, 1, true]") == {"rows": ["a", 1, True]}
    keep_data(source, b"rows: [a, 1, true]", {"rows": ["kept"]})
    assert plain_data("rows: [a, 1, true]", source) == {"rows": ["kept"]}


def test_another_text_is_parsed_anew_and_takes_its_place(tmp_path: Path) -> None:
    source = tmp_path / "rows.yaml"
    plain_data("rows: [a]", source)
    assert plain_data("rows: [b]", source) == {"rows": ["b"]}
    assert kept_data(source, b"rows: [a]") is None
    assert len(kept_files(tmp_path)) == 1


def test_parts_of_a_file_and_a_module_of_its_name_are_kept_apart(tmp_path: Path) -> None:
    source = tmp_path / "rows.yaml"
    plain_data("rows: [a]", source, "go")
    plain_data("rows: [b]", source, "ruby")
    assert plain_data("rows: [a]", source, "go") == {"rows": ["a"]}
    tag = sys.implementation.cache_tag
    assert kept_files(tmp_path) == [f"rows.yaml.go.{tag}.data", f"rows.yaml.ruby.{tag}.data"]


@pytest.mark.parametrize("broken", [b"", b"12345678", b"12345678\xff\xff\xff"])
def test_what_is_broken_is_parsed_again(tmp_path: Path, broken: bytes) -> None:
    source = tmp_path / "rows.yaml"
    plain_data("rows: [a]", source)
    (kept,) = tmp_path.rglob("__pycache__/*")
    kept.write_bytes(broken and kept.read_bytes()[:8] + broken[8:])
    assert plain_data("rows: [a]", source) == {"rows": ["a"]}


def test_nothing_is_written_where_byte_code_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert plain_data("rows: [a]", tmp_path / "rows.yaml") == {"rows": ["a"]}
    assert kept_files(tmp_path) == []


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").write_text("a file in its place")
    assert plain_data("rows: [a]", tmp_path / "rows.yaml") == {"rows": ["a"]}


def test_a_mistake_is_reported_and_nothing_is_kept(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"rows\.yaml:2: not valid YAML"):
        plain_data("rows: [a", tmp_path / "rows.yaml")
    assert kept_files(tmp_path) == []


def test_an_installation_that_is_compiled_parses_no_table_again(tmp_path: Path) -> None:
    package = Path(__file__).parents[1] / "auditor"
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONPATH": str(package.parent)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-m", "auditor.compile_tables"], env=environment, check=True)
    asked = (
        "from auditor import strict_yaml\n"
        "def refuse(*_): raise AssertionError('parsed again')\n"
        "strict_yaml.parse_plain = refuse\n"
        "from auditor.forensics.languages import keyword_gated_patterns as patterns\n"
        "patterns._required_word_sets = refuse\n"
        "from auditor.forensics.engine.probe_discovery import discover_probes\n"
        "from auditor.forensics.languages.kept_needs import prepare_language\n"
        "from auditor.forensics.languages.language_registry import covered_languages\n"
        "prepare_language('ruby')\n"
        "from auditor.rule_pages import rule_pages\n"
        "assert discover_probes() and covered_languages()['ruby'] and rule_pages()\n"
    )
    done = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
