"""What names of a file stand for by its imports, and which packages it uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from auditor.forensics.languages.data_flow.expressions import Call, Text
from auditor.forensics.languages.data_flow.scopes import FileScopes
from auditor.forensics.languages.parsed_file import ParsedFile

_CLAUSE = re.compile(
    r"\bimport\b(?:\s+type\b)?([^;\"']{1,3000}?)\bfrom\s*$|\bimport\b\s*([\w$]{1,100})\s*=\s*require\($"
)
_BRACES = re.compile(r"\{([^{}]*)\}")
_BOUND = re.compile(r"(?:([\w$]+|\*)\s+as\s+)?([\w$]+)$")
_VERSION = re.compile(r"/v\d+$")
_JAVA = re.compile(r"import\s+(?:static\s+)?([\w.]{1,300}?)(?:\.\*)?\s*;?$")
_SUPERCLASS = re.compile(r"(?:class\s+[\w:]{1,200}\s*<\s*|extends\s+)([\w:.]{1,200})")
_QUOTED = re.compile(r"[\"'`]([^\"'`\n]{1,300})[\"'`]")
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
        for local, meant, package in _READERS.get(file.language.name, _of_javascript)(written):
            packages.add(package)
            if local:
                names[local] = meant
    packages.update(_required(file, scopes))
    for node in scopes.classes:
        found = _SUPERCLASS.search(scopes.lowering.source_of(node, 400))
        if found is not None:
            packages.add(found[1].replace("::", "."))
    for node in scopes.exports:
        found = _EXPORTED_FROM.match(scopes.lowering.source_of(node, _MAX_STATEMENT_BYTES))
        if found is not None:
            packages.add(plain_module(found[1]))
    return ImportedNames(names, frozenset(packages))


def plain_module(module: str) -> str:
    """A module without the mark of those that come with Node."""
    return module.removeprefix("node:")


def _required(file: ParsedFile, scopes: FileScopes) -> Iterator[str]:
    for word in _REQUIRE_CALLS:
        for call in file.calls_of(file.called.get(word, ())[:_MAX_REQUIRES]):
            lowered = scopes.lowering.lower(call)
            if isinstance(lowered, Call) and lowered.arguments:
                first = lowered.arguments[0]
                told = first.value if isinstance(first, Text) else scopes.lowering.source_of(first.node, 200)
                yield plain_module(told.replace("::", "."))


def _of_javascript(written: str) -> Iterator[tuple[str, str, str]]:
    quoted = list(_QUOTED.finditer(written))
    if not quoted:
        return
    module = plain_module(quoted[-1][1])
    yield "", "", module
    found = _CLAUSE.search(written[: quoted[-1].start()].rstrip())
    if found is None:
        return
    if found[2]:
        yield found[2], module, module
        return
    braces = _BRACES.search(found[1])
    for each in braces[1].split(",") if braces else ():
        bound = _BOUND.search(each.strip().removeprefix("type "))
        if bound is not None:
            own = bound[1] or bound[2]
            yield bound[2], module if own == "default" else f"{module}.{own}", module
    for each in _BRACES.sub("", found[1]).split(","):
        bound = _BOUND.search(each.strip())
        if bound is not None:
            yield bound[2], module, module


def _of_go(written: str) -> Iterator[tuple[str, str, str]]:
    quoted = _QUOTED.search(written)
    if quoted is not None:
        path = _VERSION.sub("", quoted[1])
        alias = written[: quoted.start()].strip()
        local = alias or path.rpartition("/")[2].removeprefix("go-")
        yield ("" if local in "._" else local), path, path


def _of_java(written: str) -> Iterator[tuple[str, str, str]]:
    found = _JAVA.match(" ".join(written.split()))
    if found is not None:
        yield found[1].rpartition(".")[2], found[1], found[1]


_READERS = {"go": _of_go, "java": _of_java}
