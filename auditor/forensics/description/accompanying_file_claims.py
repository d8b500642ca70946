"""What is said to come along with a change, and whether it does: tests, documents, records, migrations, pipelines, dependencies."""

from __future__ import annotations

import re
from collections.abc import Mapping

from auditor.domain import FileChange, Status
from auditor.forensics.dependencies.manifest_formats import is_manifest, read_manifest
from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, places
from auditor.forensics.source_text.file_outline import Function, Outline
from auditor.forensics.source_text.file_roles import Role, is_code, is_expected_output, is_test, language, role
from auditor.lazy_regex import lazy_compile


def tests_changed(ground: Ground) -> Answer:
    """Is a test added or extended?"""
    held = any(_TEST.search(line) for line in ground.came)
    added = held or any(
        _is_of_tests(file.path) and _serves_tests(file.path) and file.added for file in ground.change.files
    )
    return Answer(added, confidence=0.8, because=f"{FROM_WORDING}; tests may stand in files whose names do not say so")


_TEST = lazy_compile(
    r"^\s*(?:#\[(?:\w+::)?test\b|(?:async )?def test_|func (?:Test|Benchmark|Fuzz)[A-Z_]|@(?:Parameterized)?Test\b|(?:it|test|describe|specify)\s*\(?\s*[\"'`]|@test\b)"
)
"""How tests begin that stand beside what they test."""


def _is_of_tests(path: str) -> bool:
    """Is it a test, or does it lie with what tests are made of, such as samples?"""
    return is_test(path) or _TEST_MATERIAL.search(path) is not None


_TEST_MATERIAL = lazy_compile(r"(?:^|/)_?tests?[\w-]*/", re.IGNORECASE)


def tests_begin_in(path: str, ground: Ground) -> bool:
    """Do tests stand in the file at the head, whatever its name?"""
    return any(_TEST.match(line) for line in ground.documents.head.get(path, "").split("\n"))


def _serves_tests(path: str) -> bool:
    return is_code(path) or is_expected_output(path)


def documents_changed(ground: Ground) -> Answer:
    """Documents, or where there are none of these words in code that are for readers."""
    told = [
        file
        for file in ground.change.files
        if role(file.path) is Role.DOCUMENTATION or DOCUMENT_FOLDERS.search(file.path)
    ]
    spoken = any(_COMMENT.search(line) for line in ground.came)
    return Answer(bool(told) or spoken, confidence=0.75)


DOCUMENT_FOLDERS = lazy_compile(r"(?:^|/)(?:docs?|documentation|guides?|website|site|landing|www|man)/", re.IGNORECASE)


_COMMENT = lazy_compile(r"^\s*(?:#(?!!)|//|/\*|\*|--\s|<!--)|\"\"\"|'''")


def demands_changed(ground: Ground) -> Answer | None:
    """Is anything touched that says which packages are needed? None where what changes cannot be read, as a linked repository."""
    told = any(role(path) in (Role.LOCK, Role.WORKFLOW, Role.VENDORED) or _demands(path) for path in ground.touched)
    kept_elsewhere = any(_RELEASED.search(line) for line in ground.came)
    return Answer(told or kept_elsewhere, confidence=0.75) if told or (ground.whole and ground.came) else None


_RELEASED = lazy_compile(r"\d\.\d|@v?\d|\b[0-9a-f]{40}\b")


def _demands(path: str) -> bool:
    return is_manifest(path) or role(path) is Role.CONFIGURATION or _VERSIONS.search(path) is not None


_VERSIONS = lazy_compile(
    r"dependenc|versions?|require|\.gradle|\.csproj$|\.props$|\.podspec$|Podfile|WORKSPACE|\.bzl$|\.nix$|\.gitmodules",
    re.IGNORECASE,
)


def no_tests(ground: Ground) -> Answer:
    """Does no test come, as is said?"""
    came = tests_changed(ground).holds
    return Answer(not came, confidence=0.6, because=f"{FROM_WORDING}; tests of something else may be meant")


def no_foreign_code(ground: Ground) -> Answer | None:
    """Does nothing come that others wrote: no copied file, and no new dependency? None where a manifest cannot be read."""
    copied = [file for file in ground.change.files if file.status is Status.ADDED and role(file.path) is Role.VENDORED]
    return Answer(False, places(copied), 0.8) if copied else no_new_demand(ground)


def no_new_demand(ground: Ground) -> Answer | None:
    """None where a manifest that changed cannot be read."""
    grown: list[FileChange] = []
    for file in ground.change.files:
        if file.head is None or not is_manifest(file.path) or is_test(file.path):
            continue
        sides = (
            ground.documents.head.get(file.head.path),
            "" if file.base is None else ground.documents.base.get(file.base.path),
        )
        if sides[0] is None or sides[1] is None:
            return None
        now = {each.name for each in read_manifest(file.head.path, sides[0]).dependencies}
        then = (
            set() if file.base is None else {each.name for each in read_manifest(file.base.path, sides[1]).dependencies}
        )
        if now - then:
            grown.append(file)
    return Answer(not grown, places(grown), 0.85)


def feature(ground: Ground) -> Answer:
    """Does more change than documents and tests?"""
    material = (Role.PRODUCT, Role.CONFIGURATION, Role.WORKFLOW, Role.DATA, Role.GENERATED, Role.VENDORED)
    told = any(role(file.path) in material for file in ground.change.files if file.added)
    return Answer(told, confidence=0.65, because=f"{FROM_WORDING}; documents may be the product")


def annotated(ground: Ground) -> Answer | None:
    """None where no Python changes: other languages are typed anyhow."""
    if not ground.modules.head or any(language(file.path) in _TYPED for file in ground.product):
        return None
    now, then = (
        sum(each.has_return_annotation + sum(parameter.is_annotated for parameter in each.parameters) for each in side)
        for side in (_functions(ground.modules.head), _functions(ground.modules.base))
    )
    came = ground.came_in(lambda path: language(path) == "python" or path.endswith("py.typed"))
    more = now > then or any(_ANNOTATION.search(line) for line in came)
    return Answer(more, confidence=0.65)


_TYPED = frozenset({"typescript", "go", "java", "rust", "kotlin", "javascript", "php", "ruby", "csharp"})
_ANNOTATION = lazy_compile(
    r"^\s*(?!(?:else|try|finally|case)\b)(?:self\.)?\w{1,80}\s*:\s*[A-Za-z\"'][\w.\[\], |\"']{0,200}(?:=(?!=)|$)|#\s*type:|->|\bTypeVar\b|\bcast\("
)
"""A line of Python that says of which type something is; parameters and results are counted by functions."""


def docstrings(ground: Ground) -> Answer | None:
    """None where the words in code of the change may be what is meant, in other languages."""
    if not ground.modules.head or any(language(file.path) != "python" for file in ground.product):
        return None
    now, then = (
        sum(each.has_docstring for each in _functions(side))
        + sum(each.has_docstring for shape in side.values() for each in shape.classes)
        for side in (ground.modules.head, ground.modules.base)
    )
    spoken = any('"""' in line or "'''" in line for line in ground.came)
    return Answer(now > then or spoken, confidence=0.75)


def _functions(side: Mapping[str, Outline]) -> list[Function]:
    return [each for shape in side.values() for each in shape.functions]
