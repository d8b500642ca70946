"""Which files named like tests serve the product: what product code imports or starts, and what a manifest runs.

A name is the author's choice; where a file is used outranks it. Uses among tests make no product. A use is followed for
`MAX_STEPS` files; a path that is put together at run time is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import normpath

from auditor.forensics.public_api.shipped_test_modules import module_files, module_names_index
from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.file_roles import Role, is_code, is_example, is_test, is_tooling, language, role

MAX_STEPS = 3
"""Files between the product and the last test-named file that its use is followed to."""
_SUFFIXES = ("", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".mts", ".cts", ".es6", ".py", ".rb", ".sh")
_INDEX_FILES = tuple(f"/index{suffix}" for suffix in _SUFFIXES[1:10])
_TYPESCRIPT_OUTPUT = re.compile(r"\.([mc]?)js(x?)$")
_ALIASES = ("@/", "~/", "#/")
"""What names the source folder in imports of bundlers."""
_TEST_TOOL_FILE = re.compile(
    r"(?:^|/)(?:\.?(?:jest|vitest|vite|karma|playwright|cypress|mocha|wdio|nightwatch|ava|protractor|testcafe|codecept|stryker|web-test-runner|nyc|c8|eslint|prettier)[\w.-]*\.(?:[cm]?[jt]s)"
    r"|(?:noxfile|toxfile|tasks|fabfile|dodo|setup)\.py|(?:Gruntfile|gulpfile)\.\w+)$"
)
"""Files that tell tools of developers where tests are; what they name is run by those tools."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What a file uses: Python modules, and paths as written."""

    modules: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


ReadUses = Callable[[Iterable[str]], Mapping[str, Uses]]
"""What some files use, by path."""


@dataclass(frozen=True)
class TestNamedFiles:
    """The code files of a tree that are named like tests."""

    __test__ = False
    paths: frozenset[str]

    @classmethod
    def of(cls, tree: Iterable[str]) -> TestNamedFiles:
        """Those of a tree."""
        return cls(
            frozenset(path for path in tree if is_test(path) and (is_code(path) or "." not in path.rpartition("/")[2]))
        )

    @cached_property
    def _python(self) -> frozenset[str]:
        return frozenset(path for path in self.paths if language(path) == "python")

    @cached_property
    def _python_ends(self) -> Mapping[str, list[str]]:
        return module_names_index(self._python)

    @cached_property
    def _go_folders(self) -> Mapping[str, list[str]]:
        folders: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            if path.endswith(".go") and not path.endswith("_test.go"):
                folders.setdefault(path.rpartition("/")[0], []).append(path)
        return folders

    def used_by(self, importer: str, uses: Uses) -> set[str]:
        """Those that a file uses."""
        found = {
            path for name in uses.modules for path in module_files(importer, name, self._python, self._python_ends)
        }
        for written in uses.paths:
            found.update(path for path in _possible_files(importer, written) if path in self.paths)
            if language(importer) == "go":
                found.update(self._go_package(written))
        return found - {importer}

    def _go_package(self, written: str) -> Iterable[str]:
        """The files of a package of this tree, by the end of its import path."""
        parts = written.split("/")
        ends = ("/".join(parts[start:]) for start in range(1, min(len(parts), 12)))
        return next((self._go_folders[each] for each in ends if each in self._go_folders), ())


@dataclass(frozen=True)
class UseGraph:
    """Who uses what on one side; `named` are paths and modules by the manifest that runs them."""

    uses: Mapping[str, Uses]
    named: Mapping[str, Uses] = field(default_factory=dict)

    def product_files(self, tests: TestNamedFiles, further: ReadUses) -> frozenset[str]:
        """Files named like tests that serve the product, directly or through each other; `further` finds what those use in turn."""
        if not tests.paths:
            return frozenset()
        level = {path for manifest, uses in self.named.items() for path in tests.used_by(manifest, uses)}
        for path, uses in self.uses.items():
            own = uses_of_product(path, uses)
            if own is not None:
                level |= tests.used_by(path, own)
        found = set(level)
        for _ in range(MAX_STEPS - 1):
            if not level:
                break
            level = {used for path, uses in further(level).items() for used in tests.used_by(path, uses)} - found
            found |= level
        return frozenset(found)


def uses_of_product(path: str, uses: Uses) -> Uses | None:
    """What a file uses as product code; None where it is a test, or uses nothing as such."""
    if is_test(path) or not (uses.modules or uses.paths):
        return None
    return uses if is_product(path) else Uses(uses.modules)


def is_product(path: str) -> bool:
    """Is it product code, and neither an example nor a script or configuration for developers?"""
    page = language(path) in file_suffixes(FileKind.PAGE) and role(path) in (Role.PRODUCT, Role.DATA)
    served = role(path) is Role.PRODUCT or page
    return served and not is_tooling(path) and not is_example(path) and not _TEST_TOOL_FILE.search(path)


def _possible_files(importer: str, written: str) -> Iterator[str]:
    """Paths that a written one may stand for: beside the importer, from the root or the source folder, with a suffix left out.

    What is started is looked for from where the program runs, so that `./` may be the root.
    """
    folder = importer.rpartition("/")[0] or "."
    if written.startswith("."):
        starts = [f"{folder}/{written}", *([written] if written.startswith("./") else [])]
    elif written.startswith(_ALIASES):
        starts = [written[2:], f"src/{written[2:]}"]
    else:
        starts = [f"{folder}/{written}", written.lstrip("/"), f"src/{written}"]
    for start in dict.fromkeys(normpath(each) for each in starts):
        if start.startswith(".."):
            continue
        yield from (f"{start}{suffix}" for suffix in (*_SUFFIXES, *_INDEX_FILES))
        if _TYPESCRIPT_OUTPUT.search(start):
            yield _TYPESCRIPT_OUTPUT.sub(r".\1ts\2", start)
            yield _TYPESCRIPT_OUTPUT.sub(".tsx", start)
        if start.endswith(".rs"):
            yield f"{start.removesuffix('.rs')}/mod.rs"
            stem = importer.rpartition("/")[2].removesuffix(".rs")
            yield normpath(f"{folder}/{stem}/{written}")
