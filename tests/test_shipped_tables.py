"""Every table that ships follows its schema, and is the same whether its values are checked or only put together."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from auditor import strict_yaml
from auditor.domain.frozen_model import Frozen
from auditor.forensics.languages.described_languages import DESCRIPTIONS, described_languages
from auditor.forensics.languages.description_rows import Description
from auditor.forensics.languages.rule_rows import QuestionFile
from auditor.forensics.library_models.file_sections import python_section, question_files, rows_of_language
from auditor.forensics.library_models.python_rows import FOLDER, SECTION
from auditor.forensics.prompt_injection.vocabulary import Language, RuleTable
from auditor.row_tables import Row, build_table, parse_table

PACKAGE = Path(__file__).parents[1] / "auditor"


class Shipped(NamedTuple):
    """A table, or a part of one, and its schema."""

    schema: type[Frozen]
    text: str
    section: str = ""
    has_all_sections: bool = True


def named_by_modules() -> Iterator[tuple[str, Shipped]]:
    """Tables beside the module that names them."""
    for module in sorted(PACKAGE.rglob("*.py")):
        for name in re.findall(r"with_name\(\"([\w.]+\.yaml)\"\)", module.read_text(encoding="utf-8")):
            path = module.with_name(name)
            text = path.read_text(encoding="utf-8")
            held = importlib.import_module(".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts))
            keys = set(re.findall(r"^(\w+):", text, re.MULTILINE))
            models = [each for each in vars(held).values() if isinstance(each, type) and issubclass(each, Frozen)]
            schema = next(each for each in models if not issubclass(each, Row) and keys <= set(each.model_fields))
            yield str(path.relative_to(PACKAGE)), Shipped(schema, text, has_all_sections=name != "shared_definitions.yaml")  # fmt: skip


def of_libraries() -> Iterator[tuple[str, Shipped]]:
    """Rows for Python by topic, and rows for each other language."""
    for path in sorted(FOLDER.glob("*.yaml")):
        text, name = path.read_text(encoding="utf-8"), str(path.relative_to(PACKAGE))
        if f"\n{SECTION}:" in text:
            module = importlib.import_module(f"auditor.forensics.library_models.{path.stem}")
            yield name, Shipped(type(getattr(module, path.stem)()), python_section(text), SECTION)
        if path in question_files():
            for language in described_languages():
                yield f"{name}[{language}]", Shipped(QuestionFile, rows_of_language(text, language), "", False)


def of_folders() -> Iterator[tuple[str, Shipped]]:
    """Tables of which each file in a folder is one."""
    pages = importlib.import_module("auditor.rule_pages")
    folders = [
        (PACKAGE / "rule_pages", pages._File, False),
        (DESCRIPTIONS, Description, False),
        (PACKAGE / "forensics/prompt_injection/words", Language, False),
        (PACKAGE / "forensics/prompt_injection", RuleTable, True),
    ]
    for folder, schema, has_all in folders:
        for path in sorted(folder.glob("*.yaml")):
            kind = pages._AccuracyFile if path.name == "accuracy.yaml" else schema
            yield str(path.relative_to(PACKAGE)), Shipped(kind, path.read_text(encoding="utf-8"), "", has_all)


TABLES = dict([*named_by_modules(), *of_libraries(), *of_folders()])


@pytest.mark.parametrize("name", TABLES)
def test_a_table_follows_its_schema_and_is_built_as_it_is_checked(name: str, tmp_path: Path) -> None:
    table = TABLES[name]
    checked = parse_table(table.schema, table.text, name, section=table.section, beside=("other_languages",))
    built = build_table(table.schema, table.text, tmp_path / "table.yaml", table.section)
    assert built == checked
    assert built.model_dump(exclude_unset=True) == checked.model_dump(exclude_unset=True)
    if table.has_all_sections:
        assert all(getattr(checked, section) for section in table.schema.model_fields)


def test_every_yaml_file_beside_code_is_such_a_table() -> None:
    there = {str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.yaml")}
    assert there == {name.partition("[")[0] for name in TABLES}
    assert max((PACKAGE / each).stat().st_size for each in there) < strict_yaml.MAX_BYTES
