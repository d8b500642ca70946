"""What names of a file stand for by its imports, and which packages it uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from auditor.forensics.languages.data_flow.expressions import Call, Text
from auditor.forensics.languages.data_flow.import_statements import imported_by, plain_module
from auditor.forensics.languages.data_flow.scopes import FileScopes
from auditor.forensics.languages.parsed_file import ParsedFile

_SUPERCLASS = re.compile(r"(?:class\s+[\w:]{1,200}\s*<\s*|extends\s+\\?)([\w:.\\]{1,200})")
_BASES = re.compile(
    r"\b(?:class|record)\s+\w{1,100}\s*(?:<[^<>{}]{0,200}>)?\s*(?:\([^()]{0,600}\))?\s*:\s*([\w.]{1,200})"
)
_NAMED_CLASSES = re.compile(r"(?:\bnew\s+|[(,]\s*\??)\\?([A-Za-z_][\w\\]{1,100})\s*[($]")
_FULL_CLASS = re.compile(r"\b((?:[a-z]\w{0,40}\.){2,8}[A-Z]\w{0,80})")
_MAX_NAMED_CLASSES = 300
_MAX_REQUIRES = 200
_MAX_STATEMENT_BYTES = 4_000
_REQUIRE_CALLS = ("require", "require_relative", "include", "import")
_EXPORTED_FROM = re.compile(r"^export\b[^;]*\bfrom\s*[\"']([^\"']{1,200})[\"']")


@dataclass(frozen=True)
class ImportedNames:
    """Local names with what they stand for, and all packages that the file names."""

    names: dict[str, str] = field(default_factory=dict)
    packages: frozenset[str] = frozenset()

    def uses(self, required: Iterable[str]) -> bool:
        """Does the file use one of some packages, or a part of one? A star stands for the begin of a name."""
        return any(_names(each, package) for each in required for package in self.packages)


def _names(required: str, package: str) -> bool:
    if required.startswith("*"):
        return package.endswith(required[1:])
    return package == required or package.startswith((f"{required}/", f"{required}."))


def read_imported_names(file: ParsedFile, scopes: FileScopes) -> ImportedNames:
    """The imports of a file."""
    names: dict[str, str] = {}
    packages: set[str] = set()
    for node in scopes.imports:
        written = scopes.lowering.source_of(node, _MAX_STATEMENT_BYTES)
        for local, meant, package in imported_by(file.language.name, written):
            packages.add(package)
            if local:
                names[local] = meant
    packages.update(_required(file, scopes))
    for node in scopes.classes:
        above = superclass_of(scopes.lowering.source_of(node, 1_000), file.language.name)
        if above:
            packages.add(above)
    if scopes.kinds.text_calls:
        named = islice(_NAMED_CLASSES.finditer(file.latin1_source), _MAX_NAMED_CLASSES)
        packages.update(each[1].replace("\\", ".") for each in named)
    if file.language.name == "java":
        written_out = islice(_FULL_CLASS.finditer(file.latin1_source), _MAX_NAMED_CLASSES)
        packages.update(each[1] for each in written_out)
    for node in scopes.exports:
        found = _EXPORTED_FROM.match(scopes.lowering.source_of(node, _MAX_STATEMENT_BYTES))
        if found is not None:
            packages.add(plain_module(found[1]))
    return ImportedNames(names, frozenset(packages))


def superclass_of(written: str, language: str) -> str:
    """The class that a class extends, as the source of the class says; empty where there is none."""
    found = (_BASES if language == "csharp" else _SUPERCLASS).search(written)
    return found[1].replace("::", ".").replace("\\", ".").strip(".") if found is not None else ""


def _required(file: ParsedFile, scopes: FileScopes) -> Iterator[str]:
    for word in _REQUIRE_CALLS:
        for call in file.calls_of(file.called.get(word, ())[:_MAX_REQUIRES]):
            lowered = scopes.lowering.lower(call)
            if isinstance(lowered, Call) and lowered.arguments:
                first = lowered.arguments[0]
                told = first.value if isinstance(first, Text) else scopes.lowering.source_of(first.node, 200)
                yield plain_module(told.replace("::", "."))
