"""How far a package serves its files to others: from its entries along what they pass on.

Of JavaScript, TypeScript and Rust all files are asked for, of Python those whose names say that they are private.

Texts are hostile and read by forms alone; the walk is bounded, and what it does not reach is served to nobody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import takewhile
from posixpath import dirname, join, normpath

from auditor.forensics.languages.exports.rust_use import used_names
from auditor.forensics.public_api import init_reexports
from auditor.forensics.source_text.file_roles import Role, is_example, language, role
from auditor.lazy_regex import lazy_compile

MAX_WALKED_FILES = 600
"""Files that a walk reads, for each side of a change."""
MAX_REEXPORTED_NAMES = 100_000
"""Names that the files of one walk may re-export in total: the largest packages have a tenth."""
_MAX_ENTRIES = 200
_MAX_LEVELS = 40
_SCRIPT_SUFFIXES = ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs")
_BUILD_FOLDER = lazy_compile(r"^(?:dist|lib|build|out|output|esm|cjs|es|types|dist-types)/")
_SCRIPT_SUFFIX = lazy_compile(r"(?:\.d)?\.(?:[cm]?[jt]sx?)$")


@dataclass
class Exposure:
    """What a package exposes of a file: all of it, or some of its names under their exported names."""

    package: str
    whole: bool = False
    is_undeclared: bool = False
    """Is there no manifest that says whether anything is exposed at all?"""
    names: dict[str, set[str]] = field(default_factory=dict)

    def seen_as(self, name: str) -> set[str]:
        """The names under which others see one of the file's names."""
        head = re.split(r"\.|::", name, maxsplit=1)[0]
        seen = {other + name[len(head) :] for other in self.names.get(head, ())}
        return seen | ({name} if self.whole else set())


@dataclass(frozen=True)
class ReExport:
    """What a file re-exports from another one: all (None), or names there -> names here."""

    target: str
    names: Mapping[str, str] | None


Files = frozenset[str]


def package_entry_points(path: str, text: str, files: Files) -> list[str]:
    """The entry files of a package, by its manifest; none for one that is private."""
    folder = dirname(path)
    if path.endswith("Cargo.toml"):
        named = re.search(r"^\[lib\][^\[]*?^path\s*=\s*\"([^\"\n]{1,200})\"", text, re.MULTILINE | re.DOTALL)
        root = normpath(join(folder, named[1] if named else "src/lib.rs"))
        return [root] if root in files else []
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(data, dict) or data.get("private") is True:
        return []
    said = [
        each for key in ("main", "module", "types", "typings", "exports") for each in _nested_strings(data.get(key))
    ]
    own = [each for each in files if each.startswith(f"{folder}/" if folder else "")]
    found = [each for one in said[:_MAX_ENTRIES] for each in _source_files(folder, one, files, own)]
    found = found or [each for one in ("index.js", "src/index.js") for each in _source_files(folder, one, files, own)]
    return list(dict.fromkeys(found))[:_MAX_ENTRIES]


def _nested_strings(value: object) -> Iterator[str]:
    waiting = [value]
    for _ in range(2_000):
        if not waiting:
            return
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            waiting += list(each.values())
        elif isinstance(each, list):
            waiting += each


def _source_files(folder: str, built_path: str, files: Files, own: Iterable[str]) -> Iterator[str]:
    """The sources that a built file comes from, by the usual layouts."""
    path = normpath(built_path.removeprefix("./"))
    bare = _SCRIPT_SUFFIX.sub("", path)
    inner = _BUILD_FOLDER.sub("", bare)
    inner = _BUILD_FOLDER.sub("", inner)
    for stem in dict.fromkeys((bare, f"src/{inner}", inner, f"lib/{inner}")):
        whole = normpath(join(folder, stem))
        if "*" in whole:
            hits = [
                each for each in own if fnmatchcase(_SCRIPT_SUFFIX.sub("", each), whole) and _SCRIPT_SUFFIX.search(each)
            ]
        else:
            beside = (one for ending in _SCRIPT_SUFFIXES for one in (f"{whole}.{ending}", f"{whole}/index.{ending}"))
            hits = [one for one in beside if one in files][:1]
        if hits:
            yield from hits
            return


def follow_reexports(
    entry_points: Mapping[str, str], files: Files, read_texts: Callable[[list[str]], Mapping[str, str]]
) -> dict[str, Exposure]:
    """What is exposed of each file, starting from the entries (path -> package). `read` gives texts of several files."""
    served = {path: Exposure(package, whole=True) for path, package in entry_points.items()}
    passes: dict[str, tuple[ReExport, ...]] = {}
    level = list(served)
    kept, passed = _NameBudget(MAX_REEXPORTED_NAMES), _NameBudget(MAX_REEXPORTED_NAMES)
    for _ in range(_MAX_LEVELS):
        new = [path for path in dict.fromkeys(level) if path not in passes][: MAX_WALKED_FILES - len(passes)]
        texts = read_texts(new) if new else {}
        for path in new:
            found = find_reexports(path, texts.get(path, ""), files)
            passes[path] = tuple(takewhile(lambda link: kept.takes(len(link.names or ())), found))
        level = [
            link.target
            for path in dict.fromkeys(level)
            for link in passes.get(path, ())
            if link.target in files
            and passed.takes(_reexport_cost(served[path], link))
            and _apply_reexport(served, path, link)
        ]
        if not level:
            break
    return served


@dataclass
class _NameBudget:
    """How many more names a walk may process."""

    left: int

    def takes(self, names: int) -> bool:
        self.left -= names + 1
        return self.left >= 0


def _reexport_cost(here: Exposure, link: ReExport) -> int:
    """How many names must be processed for a re-export."""
    others = sum(len(each) + 1 for each in here.names.values())
    return others if link.names is None else len(link.names) + others


def _apply_reexport(served: dict[str, Exposure], path: str, link: ReExport) -> bool:
    """Expose what a file re-exports; returns whether that added anything."""
    here = served[path]
    there = served.setdefault(link.target, Exposure(here.package))
    if link.names is None:
        grew = here.whole and not there.whole
        there.whole = there.whole or here.whole
        if not here.whole:  # some names of a file that passes on all of another: they may come from there
            for name, others in here.names.items():
                known = there.names.setdefault(name, set())
                grew = grew or not others <= known
                known |= others
        return grew
    grew = False
    for local, name in link.names.items():
        others = here.seen_as(name)
        known = there.names.setdefault(local, set())
        grew = grew or not others <= known
        known |= others
    return grew


def find_reexports(path: str, text: str, files: Files) -> Iterator[ReExport]:
    """What a file re-exports from others in the tree."""
    if language(path) == "python":
        yield from (ReExport(*each) for each in init_reexports.find_private_imports(path, text, files))
    elif language(path) == "rust":
        yield from _rust_reexports(path, text, files)
    else:
        yield from _script_reexports(path, text, files)


_SPACES, _OPTIONAL_SPACES = r"\s{1,200}", r"\s{0,200}"
"""Blanks between words; their number is bounded so that no text takes longer than its length."""
_NAME_LIST = r"\{(?P<some>[^{}]{0,9000})\}"
_RELATIVE = r"[\"'](?P<module>\.[^\"'\n]{0,300})[\"']"
_EXPORT_FROM = lazy_compile(
    rf"\bexport{_SPACES}(?:type{_SPACES})?(?:(?P<all>\*)(?:{_SPACES}as{_SPACES}[\w$]+)?|{_NAME_LIST}){_OPTIONAL_SPACES}from{_OPTIONAL_SPACES}{_RELATIVE}"
)
_IMPORT_FROM = lazy_compile(
    rf"\bimport{_SPACES}(?:type{_SPACES})?(?:(?P<default>[\w$]{{1,100}}){_OPTIONAL_SPACES},?{_OPTIONAL_SPACES})?(?:{_NAME_LIST})?{_OPTIONAL_SPACES}from{_OPTIONAL_SPACES}{_RELATIVE}"
)
_LOCAL_EXPORT = lazy_compile(
    rf"\bexport{_SPACES}(?:type{_SPACES})?{_NAME_LIST}(?!{_OPTIONAL_SPACES}from)|\bexport{_SPACES}default{_SPACES}(?P<default>[\w$]{{1,100}})[ \t]{{0,50}}(?:;|\n|$)"
)
_REQUIRE_EXPORT = lazy_compile(
    rf"\bexports(?:\.(?P<name>[\w$]{{1,100}}))?{_OPTIONAL_SPACES}={_OPTIONAL_SPACES}require\({_OPTIONAL_SPACES}{_RELATIVE}{_OPTIONAL_SPACES}\)"
)


def _script_reexports(path: str, text: str, files: Files) -> Iterator[ReExport]:
    for found in _EXPORT_FROM.finditer(text):
        target = _resolve_module(path, found["module"], files)
        if target:
            yield ReExport(target, None if found["all"] else _parse_aliases(found["some"]))
    for found in _REQUIRE_EXPORT.finditer(text):
        target = _resolve_module(path, found["module"], files)
        if target:
            yield ReExport(target, None if not found["name"] else {"default": found["name"]})
    passed: dict[str, str] = {}
    for found in _LOCAL_EXPORT.finditer(text):
        passed |= _parse_aliases(found["some"]) if found["some"] is not None else {found["default"]: "default"}
    for found in _IMPORT_FROM.finditer(text) if passed else ():
        bound = {here: there for there, here in _parse_aliases(found["some"] or "").items()}
        if found["default"]:
            bound[found["default"]] = "default"
        names = {bound[here]: name for here, name in passed.items() if here in bound}
        target = _resolve_module(path, found["module"], files)
        if names and target:
            yield ReExport(target, names)


def _parse_aliases(clause: str) -> dict[str, str]:
    """Names there -> names here, of `a, b as c`."""
    found: dict[str, str] = {}
    for each in re.sub(r"//[^\n]*|/\*.*?\*/", "", clause, flags=re.DOTALL).split(","):
        there, _, here = each.strip().removeprefix("type ").partition(" as ")
        if there.strip():
            found[there.strip()] = here.strip() or there.strip()
    return found


def _resolve_module(path: str, said: str, files: Files) -> str:
    """The file that a relative module name refers to, if it is in the tree."""
    whole = normpath(join(dirname(path), said))
    bare = _SCRIPT_SUFFIX.sub("", whole)
    candidates = [whole, *(f"{bare}.{each}" for each in _SCRIPT_SUFFIXES), f"{bare}.d.ts"]
    candidates += [f"{whole}.{each}" for each in _SCRIPT_SUFFIXES] + [
        f"{whole}/index.{each}" for each in _SCRIPT_SUFFIXES
    ]
    return next((each for each in candidates if each in files), "")


_MOD_STATEMENT = lazy_compile(
    rf"^[ \t]{{0,50}}(?P<pub>pub{_SPACES})?mod{_SPACES}(?P<name>\w{{1,100}}){_OPTIONAL_SPACES};", re.MULTILINE
)
_PUB_USE_STATEMENT = lazy_compile(r"^[ \t]{0,50}pub\s+use\s+(?:(?!\buse\b)[^;]){1,5000};", re.MULTILINE)


def _rust_reexports(path: str, text: str, files: Files) -> Iterator[ReExport]:
    folder = dirname(path)
    stem = path.rpartition("/")[2].removesuffix(".rs")
    inside = folder if stem in {"lib", "main", "mod"} else join(folder, stem)
    children: dict[str, str] = {}
    for found in _MOD_STATEMENT.finditer(text):
        name = found["name"]
        target = next((each for each in (f"{inside}/{name}.rs", f"{inside}/{name}/mod.rs") if each in files), "")
        if target:
            children[name] = target
            if found["pub"]:
                yield ReExport(target, None)
    for found in _PUB_USE_STATEMENT.finditer(text):
        for whole, here in used_names(found[0]).items():
            parts = [each for each in whole.split("::") if each != "self"]
            base = inside
            if parts and parts[0] == "crate":
                parts, base = parts[1:], _crate_folder(path)
            target = _rust_file(base, parts[:-1], files) or (children.get(parts[0], "") if len(parts) > 1 else "")
            if target and parts:
                yield ReExport(target, None if parts[-1] == "*" else {parts[-1]: here})


def _crate_folder(path: str) -> str:
    """The source folder of a crate, from a file in it."""
    head, mark, _ = path.rpartition("/src/")
    return f"{head}/src" if mark else "src" if path.startswith("src/") else dirname(path)


def _rust_file(base: str, modules: list[str], files: Files) -> str:
    if not modules:
        return ""
    stem = "/".join([base, *modules])
    return next((each for each in (f"{stem}.rs", f"{stem}/mod.rs") if each in files), "")


_MANIFEST_BY_LANGUAGE = {"javascript": "package.json", "typescript": "package.json", "rust": "Cargo.toml"}
_EXPORT_MANIFESTS = frozenset({"package.json", "deno.json", "deno.jsonc", "jsr.json", "bower.json"})
_NON_LIBRARY_PATH = lazy_compile(
    r"(?:^|/)(?:scripts?|tools?|bin|cli|pages|app|routes|migrations|public|static|assets|config|__mocks__|internal|private)/|(?:^|/)(?:main|server|cli|app|setup|[^/]*\.config|gulpfile|Gruntfile)\.[cm]?[jt]sx?$"
)
"""Paths of scripts that are started or loaded by a framework and imported by nobody else."""


def has_export_manifest(paths: Iterable[str]) -> bool:
    """Is there a manifest that says what a package exposes of its scripts?"""
    return any(path.rpartition("/")[2] in _EXPORT_MANIFESTS for path in paths)


def exposure_without_manifest(paths: Iterable[str]) -> dict[str, Exposure]:
    """Script modules in a tree without a manifest: what they export may be for anybody."""
    return {
        path: Exposure("", whole=True, is_undeclared=True)
        for path in paths
        if _MANIFEST_BY_LANGUAGE.get(language(path)) == "package.json"
        and role(path) is Role.PRODUCT
        and not is_example(path)
        and _NON_LIBRARY_PATH.search(path) is None
    }


def gem_exposure(paths: Iterable[str], files: Files) -> dict[str, Exposure]:
    """Ruby files among those paths that a gem exposes, or that lie in `lib` of a project of unknown kind."""
    folders = {dirname(each) for each in files if each.endswith(".gemspec")}
    application = any(_RAILS_APPLICATION.search(each) for each in files) if not folders else False
    found: dict[str, Exposure] = {}
    for path in paths:
        if language(path) != "ruby" or role(path) is not Role.PRODUCT or is_example(path):
            continue
        of_gem = any(path.startswith(join(folder, "lib/") if folder else "lib/") for folder in folders)
        if of_gem or (not folders and not application and re.match(r"lib/", path)):
            found[path] = Exposure("", whole=True, is_undeclared=not of_gem)
    return found


_RAILS_APPLICATION = lazy_compile(
    r"^(?:config/(?:application|environment|routes)\.rb|config\.ru|bin/rails|app/.*\.rb)$"
)
"""Files of a Ruby application, which nobody else requires."""


def composer_exposure(paths: Iterable[str], files: Files) -> dict[str, Exposure]:
    """PHP files among those paths that a Composer package exposes: all of its product files, unless it is an application."""
    folders = {dirname(each) for each in files if each.rpartition("/")[2] == "composer.json"}
    if not folders or any(_PHP_APPLICATION.search(each) for each in files):
        return {}
    return {
        path: Exposure("", whole=True)
        for path in paths
        if language(path) == "php"
        and role(path) is Role.PRODUCT
        and not is_example(path)
        and _PHP_INTERNAL_PATH.search(path) is None
        and any(not folder or path.startswith(f"{folder}/") for folder in folders)
    }


_PHP_APPLICATION = lazy_compile(
    r"^(?:artisan|bin/console|wp-config(?:-sample)?\.php|(?:public|web|htdocs|webroot)/index\.php|index\.php|config/bundles\.php|app/Http/Kernel\.php)$"
)
"""Files of a PHP application, whose classes nobody else uses."""
_PHP_INTERNAL_PATH = lazy_compile(r"(?:^|/)(?i:internal|testing|bin|build|scripts|config|views?|templates|migrations)/")


def nearest_manifests(changed: Iterable[str], files: Files) -> set[str]:
    """The nearest manifests above changed product files of these languages."""
    found: set[str] = set()
    for path in changed:
        manifest = _MANIFEST_BY_LANGUAGE.get(language(path))
        if manifest is None or role(path) is not Role.PRODUCT or is_example(path):
            continue
        folder = dirname(path)
        while True:
            whole = join(folder, manifest) if folder else manifest
            if whole in files:
                found.add(whole)
            if whole in files or not folder:
                break
            folder = dirname(folder)
    return found
