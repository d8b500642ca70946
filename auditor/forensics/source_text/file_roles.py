"""What a file is for, by its path, and which language it is in.

Names are the author's choice, so a role never takes a file out of the evidence: a site in `tests/` is still
reported, as one in tests, and a change to a file that looks generated is still read line by line. Roles
only decide what counts as product code to be accompanied by tests, and what counts towards size.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache

from auditor.forensics.source_text.file_kinds import FileKind, file_names, file_suffixes
from auditor.forensics.source_text.path_conventions import Convention, path_pattern
from auditor.forensics.source_text.programming_languages import languages_by_build_file, languages_by_suffix


class Role(StrEnum):
    """What a file is for."""

    PRODUCT = "product"
    TEST = "test"
    DOCUMENTATION = "documentation"
    GENERATED = "generated"
    VENDORED = "vendored"
    LOCK = "lock"
    CONFIGURATION = "configuration"
    WORKFLOW = "workflow"
    DATA = "data"


def language(path: str) -> str:
    """The programming language by suffix, or by a name that says it; otherwise the suffix itself in lower case, or nothing."""
    name = path.rpartition("/")[2]
    suffix = name.rpartition(".")[2].lower() if "." in name else ""
    if suffix:
        return languages_by_suffix().get(suffix, suffix)
    return languages_by_build_file().get(name.lower(), "")


def is_code(path: str) -> bool:
    """Is it written in a programming language we know the suffix of?"""
    name = path.rpartition("/")[2]
    return "." in name and name.rpartition(".")[2].lower() in languages_by_suffix()


def is_test(path: str) -> bool:
    """Is it test code, by the conventions of the common languages?"""
    return role(path) is Role.TEST


@lru_cache(maxsize=1_000_000)  # files are asked for in rounds: where one more is listed than fits, none is found again
def role(path: str) -> Role:
    """What a file is for. Anything that no convention claims is product code if it is code, else data."""
    name = path.rpartition("/")[2].lower()
    suffix = name.rpartition(".")[2] if "." in name else ""
    return next(found for found, fits in _CONVENTIONS if fits(path, name, suffix))


def _is_workflow(path: str, name: str, _suffix: str) -> bool:
    return _follows(Convention.WORKFLOW, path) or name in file_names(FileKind.WORKFLOW)


def _follows(convention: Convention, path: str) -> bool:
    return path_pattern(convention).search(path) is not None


def _is_test(path: str, _name: str, suffix: str) -> bool:
    if _follows(Convention.MAIN_SOURCES, path):
        return False
    return _follows(Convention.TEST_NAME, path) or (
        _follows(Convention.TEST_FOLDER, path) and suffix not in {"md", "rst"}
    )


def _is_document(_path: str, name: str, suffix: str) -> bool:
    if suffix in languages_by_suffix() or name in file_names(FileKind.NOT_DOCUMENT):
        return False
    return suffix in file_suffixes(FileKind.DOCUMENT) or name in file_names(FileKind.DOCUMENT)


def _is_configuration(_path: str, name: str, suffix: str) -> bool:
    return (
        suffix in file_suffixes(FileKind.CONFIGURATION)
        or name.startswith(".")
        or name in languages_by_build_file()
        or name in file_names(FileKind.CONFIGURATION)
    )


_CONVENTIONS: tuple[tuple[Role, Callable[[str, str, str], bool]], ...] = (
    (Role.VENDORED, lambda path, _name, _suffix: _follows(Convention.VENDORED, path)),
    (Role.LOCK, lambda _path, name, _suffix: name in file_names(FileKind.LOCK)),
    (Role.WORKFLOW, _is_workflow),
    (Role.GENERATED, lambda path, _name, _suffix: _follows(Convention.GENERATED, path)),
    (Role.TEST, _is_test),
    (Role.DOCUMENTATION, _is_document),
    (Role.PRODUCT, lambda _path, _name, suffix: suffix in languages_by_suffix()),
    (Role.CONFIGURATION, _is_configuration),
    (Role.DATA, lambda _path, _name, _suffix: True),
)


def is_example(path: str) -> bool:
    """Is it an example, a tutorial, documentation or a benchmark: code that shows rather than serves?"""
    return _follows(Convention.EXAMPLE, path)


def is_tooling(path: str) -> bool:
    """Is it for work on the project, such as a release script, and not for its users?"""
    return _follows(Convention.TOOLING, path)


def is_expected_output(path: str) -> bool:
    """Does it lie with what tests compare with or feed in, such as golden files: material, not words about this code?"""
    return _follows(Convention.EXPECTED_OUTPUT, path) and _follows(Convention.TEST_FOLDER, path)


def is_compressed_by_name(path: str) -> bool:
    """Is its suffix one of compressed data, so that no text can be read from its bytes?"""
    return language(path) in file_suffixes(FileKind.COMPRESSED)
