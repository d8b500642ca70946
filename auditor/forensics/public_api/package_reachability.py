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

from auditor.forensics.languages.exports.rust_use import used
from auditor.forensics.public_api import init_reexports
from auditor.forensics.source_text.file_roles import Role, is_example, language, role
from auditor.lazy_regex import lazy_compile

MAX_FILES = 600
"""Files that a walk looks into, for each side of a change."""
MAX_NAMES = 100_000
"""Names that files of one walk may pass on, each time that they do: the largest packages have a tenth."""
_MAX_ENTRIES = 200
_MAX_LEVELS = 40
_SCRIPTS = ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs")
_BUILT = lazy_compile(r"^(?:dist|lib|build|out|output|esm|cjs|es|types|dist-types)/")
_ENDING = lazy_compile(r"(?:\.d)?\.(?:[cm]?[jt]sx?)$")


@dataclass
class Served:
    """What of a file is served: all of it, or its own names under those that others see."""

    package: str
    whole: bool = False
    undeclared: bool = False
    """Does no manifest say whether others are served at all?"""
    names: dict[str, set[str]] = field(default_factory=dict)

    def seen_as(self, name: str) -> set[str]:
        """Under which names others see one of the file's."""
        head = re.split(r"\.|::", name, maxsplit=1)[0]
        seen = {other + name[len(head) :] for other in self.names.get(head, ())}
        return seen | ({name} if self.whole else set())


@dataclass(frozen=True)
class Link:
    """What a file passes on of another one: all, or names there -> names here."""

    target: str
    names: Mapping[str, str] | None


Files = frozenset[str]


def entries(path: str, text: str, files: Files) -> list[str]:
    """The files that a package serves at once, by its manifest; none for one that is private."""
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
    said = [each for key in ("main", "module", "types", "typings", "exports") for each in _texts(data.get(key))]
    own = [each for each in files if each.startswith(f"{folder}/" if folder else "")]
    found = [each for one in said[:_MAX_ENTRIES] for each in _sources(folder, one, files, own)]
    found = found or [each for one in ("index.js", "src/index.js") for each in _sources(folder, one, files, own)]
    return list(dict.fromkeys(found))[:_MAX_ENTRIES]


def _texts(value: object) -> Iterator[str]:
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


def _sources(folder: str, said: str, files: Files, own: Iterable[str]) -> Iterator[str]:
    """The sources that a built file comes from, by the usual layouts."""
    path = normpath(said.removeprefix("./"))
    bare = _ENDING.sub("", path)
    inner = _BUILT.sub("", bare)
    inner = _BUILT.sub("", inner)
    for stem in dict.fromkeys((bare, f"src/{inner}", inner, f"lib/{inner}")):
        whole = normpath(join(folder, stem))
        if "*" in whole:
            hits = [each for each in own if fnmatchcase(_ENDING.sub("", each), whole) and _ENDING.search(each)]
        else:
            beside = (one for ending in _SCRIPTS for one in (f"{whole}.{ending}", f"{whole}/index.{ending}"))
            hits = [one for one in beside if one in files][:1]
        if hits:
            yield from hits
            return


def walk(starts: Mapping[str, str], files: Files, read: Callable[[list[str]], Mapping[str, str]]) -> dict[str, Served]:
    """What is served of each file, from the entries (path -> package) on. `read` gives texts of several files at once."""
    served = {path: Served(package, whole=True) for path, package in starts.items()}
    passes: dict[str, tuple[Link, ...]] = {}
    level = list(served)
    kept, passed = _Room(MAX_NAMES), _Room(MAX_NAMES)
    for _ in range(_MAX_LEVELS):
        new = [path for path in dict.fromkeys(level) if path not in passes][: MAX_FILES - len(passes)]
        texts = read(new) if new else {}
        for path in new:
            found = links(path, texts.get(path, ""), files)
            passes[path] = tuple(takewhile(lambda link: kept.takes(len(link.names or ())), found))
        level = [
            link.target
            for path in dict.fromkeys(level)
            for link in passes.get(path, ())
            if link.target in files and passed.takes(_weight(served[path], link)) and _pass_on(served, path, link)
        ]
        if not level:
            break
    return served


@dataclass
class _Room:
    """How many more names a walk may take."""

    left: int

    def takes(self, names: int) -> bool:
        self.left -= names + 1
        return self.left >= 0


def _weight(here: Served, link: Link) -> int:
    """How many names there are to go through where a file passes on what a link says."""
    others = sum(len(each) + 1 for each in here.names.values())
    return others if link.names is None else len(link.names) + others


def _pass_on(served: dict[str, Served], path: str, link: Link) -> bool:
    """Serve what a file passes on; did that add anything?"""
    here = served[path]
    there = served.setdefault(link.target, Served(here.package))
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


def links(path: str, text: str, files: Files) -> Iterator[Link]:
    """What a file passes on of others in the tree."""
    if language(path) == "python":
        yield from (Link(*each) for each in init_reexports.taken(path, text, files))
    elif language(path) == "rust":
        yield from _rust_links(path, text, files)
    else:
        yield from _script_links(path, text, files)


_B, _S = r"\s{1,200}", r"\s{0,200}"
"""Blanks between words; their number is bounded so that no text takes longer than its length."""
_LIST = r"\{(?P<some>[^{}]{0,9000})\}"
_RELATIVE = r"[\"'](?P<module>\.[^\"'\n]{0,300})[\"']"
_FROM = lazy_compile(rf"\bexport{_B}(?:type{_B})?(?:(?P<all>\*)(?:{_B}as{_B}[\w$]+)?|{_LIST}){_S}from{_S}{_RELATIVE}")
_IMPORTED = lazy_compile(
    rf"\bimport{_B}(?:type{_B})?(?:(?P<default>[\w$]{{1,100}}){_S},?{_S})?(?:{_LIST})?{_S}from{_S}{_RELATIVE}"
)
_PASSED = lazy_compile(
    rf"\bexport{_B}(?:type{_B})?{_LIST}(?!{_S}from)|\bexport{_B}default{_B}(?P<default>[\w$]{{1,100}})[ \t]{{0,50}}(?:;|\n|$)"
)
_REQUIRED = lazy_compile(rf"\bexports(?:\.(?P<name>[\w$]{{1,100}}))?{_S}={_S}require\({_S}{_RELATIVE}{_S}\)")


def _script_links(path: str, text: str, files: Files) -> Iterator[Link]:
    for found in _FROM.finditer(text):
        target = _module(path, found["module"], files)
        if target:
            yield Link(target, None if found["all"] else _aliases(found["some"]))
    for found in _REQUIRED.finditer(text):
        target = _module(path, found["module"], files)
        if target:
            yield Link(target, None if not found["name"] else {"default": found["name"]})
    passed: dict[str, str] = {}
    for found in _PASSED.finditer(text):
        passed |= _aliases(found["some"]) if found["some"] is not None else {found["default"]: "default"}
    for found in _IMPORTED.finditer(text) if passed else ():
        bound = {here: there for there, here in _aliases(found["some"] or "").items()}
        if found["default"]:
            bound[found["default"]] = "default"
        names = {bound[here]: name for here, name in passed.items() if here in bound}
        target = _module(path, found["module"], files)
        if names and target:
            yield Link(target, names)


def _aliases(clause: str) -> dict[str, str]:
    """Name there -> name here, of `a, b as c`."""
    found: dict[str, str] = {}
    for each in re.sub(r"//[^\n]*|/\*.*?\*/", "", clause, flags=re.DOTALL).split(","):
        there, _, here = each.strip().removeprefix("type ").partition(" as ")
        if there.strip():
            found[there.strip()] = here.strip() or there.strip()
    return found


def _module(path: str, said: str, files: Files) -> str:
    """The file that a relative module name means, if it is in the tree."""
    whole = normpath(join(dirname(path), said))
    bare = _ENDING.sub("", whole)
    candidates = [whole, *(f"{bare}.{each}" for each in _SCRIPTS), f"{bare}.d.ts"]
    candidates += [f"{whole}.{each}" for each in _SCRIPTS] + [f"{whole}/index.{each}" for each in _SCRIPTS]
    return next((each for each in candidates if each in files), "")


_MOD = lazy_compile(rf"^[ \t]{{0,50}}(?P<pub>pub{_B})?mod{_B}(?P<name>\w{{1,100}}){_S};", re.MULTILINE)
_USE = lazy_compile(r"^[ \t]{0,50}pub\s+use\s+(?:(?!\buse\b)[^;]){1,5000};", re.MULTILINE)


def _rust_links(path: str, text: str, files: Files) -> Iterator[Link]:
    folder = dirname(path)
    stem = path.rpartition("/")[2].removesuffix(".rs")
    inside = folder if stem in {"lib", "main", "mod"} else join(folder, stem)
    children: dict[str, str] = {}
    for found in _MOD.finditer(text):
        name = found["name"]
        target = next((each for each in (f"{inside}/{name}.rs", f"{inside}/{name}/mod.rs") if each in files), "")
        if target:
            children[name] = target
            if found["pub"]:
                yield Link(target, None)
    for found in _USE.finditer(text):
        for whole, here in used(found[0]).items():
            parts = [each for each in whole.split("::") if each != "self"]
            base = inside
            if parts and parts[0] == "crate":
                parts, base = parts[1:], _crate(path)
            target = _rust_file(base, parts[:-1], files) or (children.get(parts[0], "") if len(parts) > 1 else "")
            if target and parts:
                yield Link(target, None if parts[-1] == "*" else {parts[-1]: here})


def _crate(path: str) -> str:
    """The folder of the sources of a crate, from a file in it."""
    head, mark, _ = path.rpartition("/src/")
    return f"{head}/src" if mark else "src" if path.startswith("src/") else dirname(path)


def _rust_file(base: str, modules: list[str], files: Files) -> str:
    if not modules:
        return ""
    stem = "/".join([base, *modules])
    return next((each for each in (f"{stem}.rs", f"{stem}/mod.rs") if each in files), "")


_MANIFEST = {"javascript": "package.json", "typescript": "package.json", "rust": "Cargo.toml"}
_DECLARING = frozenset({"package.json", "deno.json", "deno.jsonc", "jsr.json", "bower.json"})
_OF_ITSELF = lazy_compile(
    r"(?:^|/)(?:scripts?|tools?|bin|cli|pages|app|routes|migrations|public|static|assets|config|__mocks__|internal|private)/|(?:^|/)(?:main|server|cli|app|setup|[^/]*\.config|gulpfile|Gruntfile)\.[cm]?[jt]sx?$"
)
"""Where scripts lie that are started or loaded by a framework and imported by nobody else."""


def declares(paths: Iterable[str]) -> bool:
    """Does a manifest stand anywhere that says of scripts what a package serves of them?"""
    return any(path.rpartition("/")[2] in _DECLARING for path in paths)


def undeclared(paths: Iterable[str]) -> dict[str, Served]:
    """Modules of scripts among those paths, for a tree where no manifest stands: what they export may be for anybody."""
    return {
        path: Served("", whole=True, undeclared=True)
        for path in paths
        if _MANIFEST.get(language(path)) == "package.json"
        and role(path) is Role.PRODUCT
        and not is_example(path)
        and _OF_ITSELF.search(path) is None
    }


def gems(paths: Iterable[str], files: Files) -> dict[str, Served]:
    """Ruby files among those paths that a gem serves, or that stand in `lib` where nothing says what the project is."""
    folders = {dirname(each) for each in files if each.endswith(".gemspec")}
    application = any(_APPLICATION.search(each) for each in files) if not folders else False
    found: dict[str, Served] = {}
    for path in paths:
        if language(path) != "ruby" or role(path) is not Role.PRODUCT or is_example(path):
            continue
        of_gem = any(path.startswith(join(folder, "lib/") if folder else "lib/") for folder in folders)
        if of_gem or (not folders and not application and re.match(r"lib/", path)):
            found[path] = Served("", whole=True, undeclared=not of_gem)
    return found


_APPLICATION = lazy_compile(r"^(?:config/(?:application|environment|routes)\.rb|config\.ru|bin/rails|app/.*\.rb)$")
"""What stands in an application of Ruby, which nobody else requires."""


def packages(changed: Iterable[str], files: Files) -> set[str]:
    """The nearest manifests above changed product files of these languages."""
    found: set[str] = set()
    for path in changed:
        manifest = _MANIFEST.get(language(path))
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
