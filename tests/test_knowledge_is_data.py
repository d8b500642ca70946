"""What the program knows of the world is rows of tables: no list of names, files or words stands in its code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "auditor"
ROOMS = ("agent_systems", "dependencies", "description", "documents", "engine", "history", "library_models", "probes", "prompt_injection", "protections", "public_api", "python", "secrets", "source_text", "test_suites", "tls_verification", "workflows")  # fmt: skip
FOLDERS = {room: PACKAGE / "forensics" / room for room in ROOMS} | {"dossier": PACKAGE / "dossier"}
MOST_NAMES = 6
"""Names that a literal may have before they are a table."""

ALLOWED = {
    "agent_systems/container_method_values.py:METHODS": "a dispatch, the methods that change the case of a text in one line",
    "agent_systems/expression_values.py:SIGNS": "operators of Python's own syntax tree",
    "agent_systems/javascript/calls.py:_PLATFORM": "a dispatch by module and function",
    "agent_systems/javascript/library_names.py:SCRIPT_SUFFIXES": "the order in which a resolver tries them",
    "agent_systems/library_names.py:_RECORDED": "names of sections of the table beside it",
    "agent_systems/prebuilt_graphs.py:_PREBUILT_FUNCTIONS": "a dispatch to what lays a graph out",
    "dependencies/dependency_types.py:_PRERELEASE_ABBREVIATIONS": "the normal form of a version, as PEP 440 computes it",
    "dossier/comment_lines.py:_COMMENT_ENDS": "the brackets of comments, each with its other half",
    "documents/link_targets.py:_PAGE_ENDINGS": "the order in which a site tries them",
    "documents/pdf.py:_PYPDF_LIMITS": "limits of a reader",
    "probes/atomic_commits.py:_STOP_WORDS": "words of English, which no library adds to",
    "probes/hidden_characters.py:_SCRIPTS": "names of Unicode, and how a finding writes them",
    "probes/removed_test_files.py:_READS": "the files that one question reads",
    "probes/todo_comments.py:_MARKER_WORDS": "what the expression beside it finds, for a faster look",
    "probes/uncollected_tests.py:_READS": "the files that one question reads",
    "probes/unverified_tls.py:@tls_verification_off": "a few words in each of several arguments",
    "probes/unverified_tls.py:_STATEMENTS": "sentences of findings",
    "prompt_injection/plain_words.py:_MARKS": "groups of the expression beside it",
    "prompt_injection/vocabulary.py:(_BEFORE, _AFTER)": "what bounds a word",
    "prompt_injection/vocabulary.py:_LETTERS_FOR_DIGITS": "the disguise that is undone",
    "prompt_injection/vocabulary.py:_SPACERS": "the disguise that is undone",
    "public_api/changed_annotations.py:_IMPLICIT_BASES": "what two classes of Python make of their subclasses",
    "public_api/package_reachability.py:_SCRIPT_SUFFIXES": "the order in which a resolver tries them",
    "public_api/product_use.py:_SUFFIXES": "the order in which a path is completed",
    "python/scoped_nodes.py:_LEAF_FIELDS": "fields of nodes of `ast`",
    "python/scoped_nodes.py:_NON_NODE_FIELDS": "fields of nodes of `ast`",
    "python/harmless_values.py:_NUMBER_FORMATS": "letters of Python's format language",
    "source_text/path_conventions.py:_FORMS": "columns of the table beside it, and how they are joined",
    "workflows/shell_commands.py:_BLOCK_ENDS": "the grammar of the shell that is parsed",
    "workflows/shell_commands.py:_SEPARATORS": "the grammar of the shell that is parsed",
    "workflows/shell_pipelines.py:_KEYWORDS": "the grammar of the shell that is parsed",
    "workflows/workflow_yaml.py:_CONSTANTS": "the grammar of the YAML that is parsed",
}  # fmt: skip


def names_in(value: ast.expr) -> set[str]:
    """The short texts that a literal lists, or has as keys of other literals; what leads to a function is a dispatch."""
    found: set[str] = set()
    for node in ast.walk(value):
        items: list[ast.expr | None] = []
        if isinstance(node, (ast.Set, ast.List, ast.Tuple)):
            items = list(node.elts)
        elif isinstance(node, ast.Dict):
            pairs = [(k, v) for k, v in zip(node.keys, node.values, strict=True) if not isinstance(v, (ast.Name, ast.Attribute, ast.Lambda, ast.Call))]  # fmt: skip
            items = [each for pair in pairs for each in pair]
        found |= {each.value for each in items if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return {each for each in found if len(each.split()) <= 3}


def literals(folder: Path) -> Iterator[tuple[str, int]]:
    """Every module-level assignment and decorator below a folder, and how many names it lists."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                count = sum(len(names_in(each)) for each in node.decorator_list)
                yield f"{path.relative_to(folder.parent)}:@{node.name}", count
            elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if ast.unparse(target) != "__all__":
                    yield f"{path.relative_to(folder.parent)}:{ast.unparse(target)}", len(names_in(node.value))


@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_no_table_stands_in_the_code_of_a_room(folder: Path) -> None:
    assert [(name, count) for name, count in literals(folder) if count > MOST_NAMES and name not in ALLOWED] == []


def test_what_is_allowed_is_still_there() -> None:
    there = {name for folder in FOLDERS.values() for name, count in literals(folder) if count > MOST_NAMES}
    assert sorted(ALLOWED.keys() - there) == []


def test_a_list_of_names_is_found_in_every_form_and_a_dispatch_is_none() -> None:
    listed = ast.parse(
        "A = frozenset({'a', 'b'}) | {'c'}\nB = {'d': ('e', 'f'), 'g': 'h'}\nC = {'i': run, 'j': lambda: 1}\n"
    ).body
    assert [names_in(each.value) for each in listed if isinstance(each, ast.Assign)] == [{"a", "b", "c"}, {"d", "e", "f", "g", "h"} - {"d"} | {"d"}, set()]  # fmt: skip
