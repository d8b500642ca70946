"""What a file is for, by its path, and which language it is in.

Names are the author's choice, so a role never takes a file out of the evidence: a site in `tests/` is still
reported, as one in tests, and a change to a file that looks generated is still read line by line. Roles
only decide what counts as product code to be accompanied by tests, and what counts towards size.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache


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


_LANGUAGES = {
    "py": "python", "pyi": "python", "pyw": "python", "wsgi": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
    "es6": "javascript", "jsm": "javascript",
    "ts": "typescript", "tsx": "typescript", "mts": "typescript", "cts": "typescript", "go": "go", "rs": "rust", "java": "java", "kt": "kotlin",
    "scala": "scala", "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "cs": "csharp",
    "rb": "ruby", "rake": "ruby", "php": "php", "swift": "swift", "m": "objective-c", "sh": "shell", "bash": "shell", "zsh": "shell", "bats": "shell",
    "ps1": "powershell", "pl": "perl", "lua": "lua", "r": "r", "jl": "julia", "ex": "elixir", "exs": "elixir",
    "erl": "erlang", "hs": "haskell", "clj": "clojure", "dart": "dart", "vue": "vue", "svelte": "svelte", "astro": "astro", "sql": "sql",
    "pyx": "cython", "pxd": "cython", "f": "fortran", "for": "fortran", "f90": "fortran", "f95": "fortran", "f03": "fortran", "f08": "fortran",
    "ml": "ocaml", "mli": "ocaml", "fs": "fsharp", "zig": "zig", "nim": "nim", "cr": "crystal", "groovy": "groovy", "vb": "visual-basic",
    "pas": "pascal", "adb": "ada", "ads": "ada", "cob": "cobol", "cbl": "cobol", "sol": "solidity", "sv": "systemverilog", "vhd": "vhdl",
    "vhdl": "vhdl", "asm": "assembly", "cu": "cuda", "mm": "objective-c", "pm": "perl", "coffee": "coffeescript", "elm": "elm",
}  # fmt: skip
_RUBY_BUILD_FILES = frozenset({"rakefile", "capfile", "guardfile", "dangerfile", "fastfile", "vagrantfile"})
"""Names of files that hold Ruby and say how a project is built or put to work, as a Makefile does."""
CODE_LANGUAGES = frozenset(_LANGUAGES.values())
"""Every programming language that `language` can name."""
_LOCK_FILES = frozenset(
    {
        "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lockb", "bun.lock", "poetry.lock",
        "pdm.lock", "uv.lock", "pipfile.lock", "cargo.lock", "go.sum", "composer.lock", "gemfile.lock", "mix.lock",
        "requirements.lock", "pubspec.lock", "packages.lock.json", "flake.lock", "deno.lock", "pylock.toml",
    }
)  # fmt: skip
_DOCUMENT_SUFFIXES = frozenset({"md", "markdown", "mdx", "rst", "adoc", "asciidoc", "txt", "tex", "pdf", "docx", "org"})
_CONFIGURATION_SUFFIXES = frozenset({"toml", "ini", "cfg", "yml", "yaml", "editorconfig", "conf", "properties", "in"})
_VENDORED_PATH = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|node_modules|third_party|third-party|bower_components|jspm_packages|site-packages|Pods|Carthage|wwwroot/lib|\.yarn/(?:releases|plugins|cache))/"
)
_GENERATED_PATH = re.compile(
    r"(?:_pb2(?:_grpc)?\.pyi?|_pb\.(?:[jt]s|d\.ts|rb)|\.pb\.(?:gw\.)?go|\.pb\.cc|\.pb\.h|\.(?:g|freezed)\.dart|\.(?:g|Designer)\.cs|\.gen\.\w+|\.min\.(?:[cm]?js|css)|\.(?:bundle|chunk)\.(?:[cm]?js|css)"
    r"|\.generated\.\w+|_generated\.\w+|\.js\.map|\.css\.map|\.py[co]|\.class)$"
    r"|(?:^|/)dist/(?:[^/]+/)*[^/]+\.(?:[cm]?js|css|map|d\.[cm]?ts)$|(?:^|/)(?:__generated__|__pycache__|storybook-static|htmlcov|lcov-report|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.nyc_output|\.dart_tool|DerivedData|\.terraform/providers|[\w.-]+\.egg-info)/|(?:^|/)lcov\.info$|(?:^|/)(?:docs?|documentation)/(?:source/|src/)?_build/|(?:^|/)obj/(?:Debug|Release|project\.assets\.json)|(?:^|/)bin/(?:Debug|Release)/|\.tsbuildinfo$|(?:^|/)zz_generated\.[^/]+$"
    r"|(?:^|/)generated/(?:[^/]+/)*[^/]+\.(?:[cm]?[jt]sx?|go|py|rs|java|kt|cs|rb|php|swift|dart|h|cc|cpp)$"
)
_TEST_FOLDERS = re.compile(
    r"(?:^|/)(?:tests?|__tests__|testing|test-?suite|spec|specs|e2e|(?:unit|integration|functional|acceptance|regression|system|smoke|e2e)[_-]?tests?)/"
)
_TEST_NAMES = re.compile(
    r"(?:^|/)(?:test_[^/]*\.py|tests\.py|[^/]*_test\.(?:py|go|rb|cc|cpp|exs)|(?:[^/]*_)?tests\.rs|conftest\.py|[^/]*[._-](?:test|spec)\.[cm]?[jt]sx?|[^/]*(?:Test|Tests|IT)\.(?:java|kt|cs|scala)|[^/]*_spec\.rb|[^/]*\.bats|features/(?:environment|steps/[^/]*)\.py)$"
)
_MAIN_SOURCES = re.compile(r"(?:^|/)src/main/(?:java|kotlin|scala|groovy)/")
"""Sources that Maven and Gradle compile into the product whatever they are called. Source: https://maven.apache.org/guides/introduction/introduction-to-the-standard-directory-layout.html"""
_EXPECTED_OUTPUT_FOLDER = re.compile(
    r"(?:^|/)(?:golden|snapshots?|__snapshots__|fixtures?|testdata|test_data|cassettes|expected)/"
)
_TOOLING_FOLDER = re.compile(r"^(?:scripts?|hack|ci|\.github|\.ci)/")
_EXAMPLE_FOLDER = re.compile(
    r"(?:^|(?<!/com)(?<!/org)(?<!/net)(?<!/dev)(?<!/edu)/)examples?/|(?:^|/)(?:samples?|docs?(?:_src)?|tutorials?|benchmarks?|bench)/"
)
"""Folders of what shows how something is used; `org/example` is the name of a package of Java."""


def language(path: str) -> str:
    """The programming language by suffix, or by a name that says it; otherwise the suffix itself in lower case, or nothing."""
    name = path.rpartition("/")[2]
    suffix = name.rpartition(".")[2].lower() if "." in name else ""
    return _LANGUAGES.get(suffix, suffix) if suffix or name.lower() not in _RUBY_BUILD_FILES else "ruby"


def language_title(name: str) -> str:
    """A language as people write it: `TypeScript`, `C++`, `Go`."""
    return _LANGUAGE_TITLES.get(name, name.capitalize())


_LANGUAGE_TITLES = {
    "javascript": "JavaScript", "typescript": "TypeScript", "cpp": "C++", "csharp": "C#", "php": "PHP", "sql": "SQL",
    "objective-c": "Objective-C", "powershell": "PowerShell", "shell": "shell", "ocaml": "OCaml", "fsharp": "F#", "visual-basic": "Visual Basic",
    "cobol": "COBOL", "systemverilog": "SystemVerilog", "vhdl": "VHDL", "cuda": "CUDA", "coffeescript": "CoffeeScript",
}  # fmt: skip


def is_code(path: str) -> bool:
    """Is it written in a programming language we know the suffix of?"""
    name = path.rpartition("/")[2]
    return "." in name and name.rpartition(".")[2].lower() in _LANGUAGES


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
    return path.startswith((".github/workflows/", ".gitlab-ci", ".circleci/")) or name in {
        "action.yml",
        "action.yaml",
        "jenkinsfile",
    }


def _is_test(path: str, _name: str, suffix: str) -> bool:
    if _MAIN_SOURCES.search(path):
        return False
    return bool(_TEST_NAMES.search(path) or (_TEST_FOLDERS.search(path) and suffix not in {"md", "rst"}))


def _is_document(_path: str, name: str, suffix: str) -> bool:
    if suffix in _LANGUAGES or name in {"requirements.txt", "cmakelists.txt", "constraints.txt"}:
        return False
    return suffix in _DOCUMENT_SUFFIXES or name in {"readme", "license", "changelog", "authors", "notice", "copying"}


def _is_configuration(_path: str, name: str, suffix: str) -> bool:
    return (
        suffix in _CONFIGURATION_SUFFIXES
        or name.startswith(".")
        or name in _RUBY_BUILD_FILES
        or name in {"dockerfile", "makefile", "codeowners", "requirements.txt", "cmakelists.txt", "constraints.txt"}
    )


_CONVENTIONS: tuple[tuple[Role, Callable[[str, str, str], bool]], ...] = (
    (Role.VENDORED, lambda path, _name, _suffix: bool(_VENDORED_PATH.search(path))),
    (Role.LOCK, lambda _path, name, _suffix: name in _LOCK_FILES),
    (Role.WORKFLOW, _is_workflow),
    (Role.GENERATED, lambda path, _name, _suffix: bool(_GENERATED_PATH.search(path))),
    (Role.TEST, _is_test),
    (Role.DOCUMENTATION, _is_document),
    (Role.PRODUCT, lambda _path, _name, suffix: suffix in _LANGUAGES),
    (Role.CONFIGURATION, _is_configuration),
    (Role.DATA, lambda _path, _name, _suffix: True),
)


def is_example(path: str) -> bool:
    """Is it an example, a tutorial, documentation or a benchmark: code that shows rather than serves?"""
    return bool(_EXAMPLE_FOLDER.search(path))


def is_tooling(path: str) -> bool:
    """Is it for work on the project, such as a release script, and not for its users?"""
    return bool(_TOOLING_FOLDER.match(path))


def is_expected_output(path: str) -> bool:
    """Does it lie with what tests compare with or feed in, such as golden files: material, not words about this code?"""
    return bool(_EXPECTED_OUTPUT_FOLDER.search(path) and _TEST_FOLDERS.search(path))


COMPRESSED_SUFFIXES = frozenset(
    {
        "png", "jpg", "jpeg", "gif", "webp", "woff", "woff2", "zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "jar", "war", "whl",
        "mp3", "mp4", "mov", "avi", "ogg", "pdf", "docx", "xlsx", "pptx", "parquet", "npz",
    }
)  # fmt: skip
"""Suffixes of files that hold compressed data, so that no text stands in them as such."""


def is_compressed_by_name(path: str) -> bool:
    """Is its suffix one of compressed data, so that no text can be read from its bytes?"""
    return language(path) in COMPRESSED_SUFFIXES
