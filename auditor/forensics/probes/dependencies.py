"""What a project takes in from others: whether it is held, where it comes from, and whether its name is what it seems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from auditor.domain import Fact, Location, Side
from auditor.forensics.facts import found, lines, not_applicable, not_found, some, unavailable
from auditor.forensics.inputs import Change, Manifests
from auditor.forensics.manifests import beside, is_lock, read_lock, read_manifest, tells_of_packages
from auditor.forensics.manifests.jvm import MANAGED, moves
from auditor.forensics.manifests.ranges import lies_in
from auditor.forensics.manifests.wanted import COMPUTED, Dependency, Lock, Manifest, normal, ranged
from auditor.forensics.placed import Placed, placed_facts
from auditor.forensics.probe import probe
from auditor.forensics.roles import is_example, is_test
from auditor.late import late

_LOCAL = ("workspace:", "link:", "file:", "portal:", "patch:", "catalog:", "path:", ".", "/")
_ANY = frozenset(
    {
        "",
        "*",
        "x",
        "latest",
        "next",
        ">=0",
        ">=0.0.0",
        "any",
        "@dev",
        "dev-master",
        "dev-main",
        "@stable",
        "*@dev",
        "canary",
    }
)
_MISSING = "missing from the lock file"
_OUTSIDE = "locked at a version outside the range"
_COMMIT = re.compile(r"[#@/=][0-9a-f]{40}(?:$|[#&/.])|[#&]commit[=:][0-9a-f]{7,40}|#[0-9a-f]{7,40}$|sha256[:=-]")
_REPOSITORY = re.compile(
    r"^(?:git|hg|svn|bzr)[+:@]|^ssh://|\.git(?:[#@]|$)|^(?:github|gitlab|bitbucket|gist):|^[\w.-]+/[\w.-]+(?:#|$)"
)
_KNOWN = 2_000
"""Names among the most downloaded that somebody would imitate."""
_SHORTEST = 5
"""Letters of a name below which honest names lie next to each other."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_."


@dataclass(frozen=True)
class _Side:
    """Manifests and lock files of one side, read."""

    texts: dict[str, str]

    @cached_property
    def manifests(self) -> dict[str, Manifest]:
        return {path: read_manifest(path, text) for path, text in self.texts.items() if tells_of_packages(path)}

    @cached_property
    def locks(self) -> dict[str, Lock]:
        return {path: read_lock(path, text) for path, text in self.texts.items() if is_lock(path)}

    @cached_property
    def own(self) -> frozenset[str]:
        """Names of the projects in the tree itself."""
        return frozenset(each.own for each in self.manifests.values() if each.own)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """Those names and their scopes, by which the images are called that are built of the projects."""
        return frozenset(part for name in self.own for part in (name, *name.lstrip("@").split("/")))

    @cached_property
    def images_made(self) -> tuple[str, ...]:
        """How images end that are called by the folder of their Dockerfile behind the name of the project."""
        recipes = (path for path, each in self.manifests.items() if each.registry == "docker")
        folders = {path.rpartition("/")[0].rpartition("/")[2] for path in recipes}
        return tuple(f"-{folder}" for folder in sorted(folders) if folder)

    def pins(self, path: str) -> frozenset[str]:
        """The names that a list of requirements holds to one version."""
        if path not in self._pins:
            held = (each for each in self.manifests[path].dependencies if each.spec.startswith("=="))
            self._pins[path] = frozenset(each.name for each in held)
        return self._pins[path]

    def left_out(self, path: str) -> frozenset[str]:
        """The names that a manifest asks for and the lock file, which can be read, does not hold."""
        if path not in self._left_out:
            pair = self.lock_of(path)
            manifest = self.manifests[path]
            told = () if pair is None or pair[1].unread else _apart(manifest, pair[1], path, pair[0], self)
            self._left_out[path] = frozenset(each.name for each, why in told if why == _MISSING)
        return self._left_out[path]

    def loose(self, path: str) -> int:
        """How many of the packages that a manifest asks for may be other ones tomorrow."""
        if path not in self._loose:
            manifest = self.manifests[path]
            self._loose[path] = sum(
                _loosely(self, path, manifest, each) is not None and not _is_held(self, path, each)
                for each in manifest.dependencies
            )
        return self._loose[path]

    @cached_property
    def _loose(self) -> dict[str, int]:
        return {}

    @cached_property
    def _left_out(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _pins(self) -> dict[str, frozenset[str]]:
        return {}

    def lock_of(self, path: str) -> tuple[str, Lock] | None:
        """The lock file that holds what a manifest asks for: in its folder, or above it where workspaces share one."""
        if path.lower().endswith(_OWN_LOCKS):
            return None
        if path.endswith(".in"):
            return self._compiled(path)
        registry = self.manifests[path].registry
        own = folder = path.rpartition("/")[0]
        nearest: tuple[str, Lock] | None = None
        while True:
            for name, lock in self._by_folder.get(folder, ()):
                if lock.registry == registry and nearest is None:
                    nearest = name, lock
                elif lock.registry == registry == "npm" and own.removeprefix(folder).strip("/") in lock.asked:
                    return name, lock  # a package manager reads no other where a workspace has one
            if not folder or registry in _BESIDE:
                return nearest
            folder = folder.rpartition("/")[0]

    @cached_property
    def _by_folder(self) -> dict[str, list[tuple[str, Lock]]]:
        found: dict[str, list[tuple[str, Lock]]] = {}
        for name, lock in sorted(self.locks.items()):
            found.setdefault(name.rpartition("/")[0], []).append((name, lock))
        return found

    def _compiled(self, path: str) -> tuple[str, Lock] | None:
        """For `x.in` the `x.txt` beside it, when it holds packages to one version each."""
        name = f"{path.removesuffix('.in')}.txt"
        if name not in self.manifests or not self.pins(name):
            return None
        held = self.manifests[name].dependencies
        versions = {each.name: frozenset({each.spec.lstrip("= ")}) for each in held if each.spec.startswith("==")}
        return name, Lock("pypi", frozenset(each.name for each in held), versions=versions)


_OWN_LOCKS = (
    "setup.cfg",
    "setup.py",
    "settings.gradle",
    "settings.gradle.kts",
    ".sbt",
    "packages.props",
    "packages.config",
)
"""Manifests that no lock file is made from."""
_BESIDE = frozenset({"go", "gems", "nuget", "pods", "helm", "pub"})
"""Registries whose lock files stand beside their manifests and nowhere above."""
_UNLOCKED = frozenset({"docker", "conda", "images", "settings"})
"""Kinds of manifests for which there are no lock files."""


def _sides(manifests: Manifests) -> tuple[_Side, _Side]:
    return (
        _Side({path: text for path, text in manifests.head.items() if text is not None}),
        _Side({path: text for path, text in manifests.base.items() if text is not None}),
    )


@probe("dependencies.lock_in_step")
def lock_in_step(manifests: Manifests, change: Change | None) -> Iterator[Fact]:
    """Do lock files hold what the manifests ask for?

    Asked where a lock file stands beside or above a manifest. What the manifest asks for must be in it, in a
    version that fits.

    Run the package manager once after editing the manifest, and commit both files together.
    """
    head, base = _sides(manifests)
    compared: list[str] = []
    apart: list[tuple[Location, str, str]] = []
    by_name = False
    for path, manifest in sorted(head.manifests.items()):
        left_aside = is_test(path) or is_example(path) or path.endswith((".txt", ".gemspec"))
        pair = None if left_aside else head.lock_of(path)
        if (
            pair is None
            or manifest.registry in _UNLOCKED
            or manifest.unread
            or (change is not None and not {path, pair[0]} & set(change.by_path))
        ):
            continue
        name, lock = pair
        if lock.unread:
            yield unavailable(f"A lock file could not be read: {lock.unread}.", at=[lines(name)])
            continue
        compared.append(path)
        by_name = by_name or not (lock.asked or lock.pairs)
        old = _asked_for(base.manifests.get(path))
        apart += [
            (lines(path, each.line, each.line, quote=each.quote), why, each.name)
            for each, why in _apart(manifest, lock, path, name, head)
            if not _is_summed_in_part(each, lock) or (old and (each.name, each.spec) not in old)
        ]
        if (
            change is not None
            and path in change.by_path
            and name not in change.by_path
            and not (lock.asked or lock.pairs)
        ):
            apart += _untouched(manifest, base.manifests.get(path), path)
    unread = {path: each.unread for path, each in head.manifests.items() if each.unread and path in manifests.in_scope}
    if unread:
        yield unavailable(
            f"A manifest could not be read: {next(iter(unread.values()))}.", at=[lines(path) for path in unread]
        )
    if apart:
        whys = sorted({why for _, why, _ in apart})
        yield not_found(
            f"{_dependencies(len(apart))} not held by the lock file as the manifest asks ({'; '.join(whys)}): {some(dict.fromkeys(name for *_, name in apart))}.",
            at=[place for place, *_ in apart],
            confidence=0.85,
            because="the package manager's own rules for what it locks were followed in part only",
        )
    elif compared:
        yield found(
            "The lock file holds what the manifest asks for."
            if len(compared) == 1
            else f"The lock files hold what {len(compared):,} manifests ask for.",
            at=[lines(path) for path in compared[:20]],
            confidence=0.75 if by_name else 0.95,
            because="some lock files could be compared by names only"
            if by_name
            else "what is locked was not resolved again",
        )
    elif not unread:
        yield not_applicable("No manifest with a lock file is in scope.")


def _is_flat(path: str) -> bool:
    """A list of requirements is its own lock, and nothing locks what a Dockerfile has installed."""
    return path.endswith((".txt", ".in"))


def _apart(manifest: Manifest, lock: Lock, path: str, name: str, head: _Side) -> Iterator[tuple[Dependency, str]]:
    folder = path.rpartition("/")[0]
    root = name.rpartition("/")[0]
    inside = folder.removeprefix(root).strip("/")
    asked = lock.asked.get(inside)
    replaced = {each.name for each in manifest.dependencies if each.url.startswith("replaced by")}
    named = frozenset(asked_of for asked_of, _ in lock.pairs)
    forced = _forced(head, root) | manifest.forced
    for each in manifest.dependencies:
        if (
            each.unlocked
            or each.spec.startswith(_LOCAL)
            or each.name in head.own
            or each.name in replaced
            or not each.name
        ):
            continue
        if asked is not None:
            why = _noted(each, asked, lock, at_root=not inside)
            if why and not (why == _OUTSIDE and each.name in forced):
                yield each, why
        elif lock.pairs and not each.url and each.spec != COMPUTED:
            why = _unpaired(each, lock, named)
            if why and not (why == _OUTSIDE and each.name in forced):
                yield each, why
        elif not lock.asked and normal(lock.registry, each.name) not in lock.names:
            yield each, _MISSING
        elif not (lock.asked or each.url) and _all_outside(each, lock):
            yield each, _OUTSIDE


def _forced(side: _Side, folder: str) -> frozenset[str]:
    """The names whose versions are set for a whole workspace by the manifest beside its lock."""
    above = side.manifests.get(f"{folder}/package.json".lstrip("/"))
    return above.forced if above is not None else frozenset()


def _noted(each: Dependency, asked: Mapping[str, str], lock: Lock, *, at_root: bool) -> str:
    """What is wrong in a lock that notes what each folder asked for: that, or what it holds for it."""
    if each.name not in asked:
        return _MISSING
    if each.url or each.name in lock.overridden or (each.registry == "nuget" and each.spec in {"", COMPUTED}):
        return ""  # a version that is kept centrally
    if asked[each.name] != each.spec:
        return "locked for another range"
    if each.spec.startswith("npm:"):
        return ""
    if lock.complete and each.name not in lock.names:
        return _MISSING
    return _OUTSIDE if at_root and _all_outside(each, lock) else ""


def _unpaired(each: Dependency, lock: Lock, named: frozenset[str]) -> str:
    """What is wrong in a lock that notes what was asked for; a version tells of a name for which it does not."""
    spec = each.spec if lock.registry in {"npm", "go"} else ranged(each.spec)
    if each.name not in lock.names:
        return _MISSING
    if (each.name, spec) in lock.pairs or (each.in_passing and _is_summed_in_part(each, lock)):
        return _OUTSIDE if each.name not in lock.overridden and _all_outside(each, lock) else ""
    if each.name in named or not lock.versions:
        return "locked for another range"
    return _OUTSIDE if _all_outside(each, lock) else ""


def _all_outside(each: Dependency, lock: Lock) -> bool:
    """Is every version that the lock holds of a package certainly outside of what the manifest asks for?"""
    held = lock.versions.get(normal(lock.registry, each.name), frozenset())
    if lock.registry == "npm" and not _PLAIN_RANGE.fullmatch(each.spec.strip()):
        return False
    spec = re.sub(r"^~(?=\d)", "~>", each.spec) if lock.registry == "packagist" else each.spec
    bare = "^" if lock.registry == "crates" else "="
    return bool(held) and all(lies_in(version, spec, bare) is False for version in held)


_PLAIN_RANGE = late(r"[\^~]\s?v?\d+(?:\.\d+){0,2}|=?v?\d+\.\d+\.\d+")
"""Ranges that mean the same in npm as elsewhere: a number of fewer parts without a sign is a whole row of versions there."""


def _is_summed_in_part(each: Dependency, lock: Lock) -> bool:
    """Has a module of Go the sum of its `go.mod` alone? One that is used on some systems only may have long been so."""
    pair = each.name, each.spec
    return lock.registry == "go" and pair not in lock.pairs and (each.name, f"{each.spec}/go.mod") in lock.pairs


def _dependencies(count: int) -> str:
    return "1 dependency is" if count == 1 else f"{count:,} dependencies are"


def _asked_for(manifest: Manifest | None) -> frozenset[tuple[str, str]]:
    """Names and ranges of a manifest, where there is one."""
    return frozenset() if manifest is None else frozenset((each.name, each.spec) for each in manifest.dependencies)


def _untouched(manifest: Manifest, before: Manifest | None, path: str) -> Iterator[tuple[Location, str, str]]:
    """What the change asks for anew while the lock file, which tells names only, stays as it was."""
    old = _asked_for(before)
    for each in manifest.dependencies:
        if (
            (each.name, each.spec) not in old
            and before is not None
            and not each.unlocked
            and not each.spec.startswith(_LOCAL)
        ):
            yield (
                lines(path, each.line, each.line, quote=each.quote),
                "changed while the lock file was not",
                each.name or each.quote,
            )


@probe("dependencies.unpinned")
def unpinned(manifests: Manifests, change: Change | None) -> Iterator[Fact]:
    """Are packages taken in whatever version there is on the day?

    A package without a version or with one that moves by itself (`latest`, `4.+`), and one that is asked for in a range and is missing from the lock file of its
    manifest; one that is locked in another version is out of step instead. An image of a container counts where it has no tag, or one such as `latest`,
    and is not built in the repository. A range without any lock file counts as held: whoever installs it narrows it; so does
    a version that a file of constraints, a parent, a platform or a central list gives.

    Give a version or a range that was tried, and commit the lock file of whatever is deployed.
    """

    def reading(side: _Side, path: str, manifest: Manifest, each: Dependency) -> Placed | None:
        if each.unlocked or each.spec.startswith((*_LOCAL, COMPUTED)) or _is_held(side, path, each):
            return None
        loosely = _loosely(side, path, manifest, each)
        if loosely is None:
            return None
        statement, confidence, because = loosely
        share = round(side.loose(path) / len(manifest.dependencies), 4)
        return _placed(path, each, statement, confidence, because, share)

    none = "Every package is asked for in a version, a range or by a lock file."
    yield from _facts(manifests, change, reading, none, _images_of, without=frozenset({"settings"}))


def _images_of(side: _Side, path: str) -> Iterator[Placed]:
    """Images of containers that are taken as they are on the day."""
    for each in side.manifests[path].images if path in side.manifests else ():
        name = each.name.rpartition("/")[2]
        if each.spec in _ANY_IMAGE and name not in side.own_words and not name.endswith(side.images_made):
            yield _placed(path, each, "An image of a container is taken in any version.", 0.7, "it may be built nearby")


_ANY_IMAGE = frozenset({"", "latest", "edge", "nightly", "main", "master"})


Loose = tuple[str, float, str]
"""How a package is asked for that may be another one tomorrow, how sure that is, and why not."""


def _loosely(side: _Side, path: str, manifest: Manifest, each: Dependency) -> Loose | None:
    if each.url:
        return _FROM_BRANCH if each.moves else None
    if not each.name or each.name in side.own or _pinned_beside(side, path, manifest, each):
        return None
    if each.registry == "maven":
        return _loosely_in_java(each.spec)
    if _is_any(each) and not (each.registry == "nuget" and not each.spec and _is_central(side, path)):
        library = path.endswith(".gemspec") or (manifest.registry == "pypi" and not _is_flat(path))
        return _ANY_OF_LIBRARY if library else _ANY_VERSION
    if _locked(side, path) is not None and not each.spec.startswith("==") and _may_move(each):
        return _LEFT_OUT
    return None


_FROM_BRANCH = ("A package is taken from a repository as it stands on the day.", 0.8, "a branch may be protected there")
_ANY_OF_LIBRARY = ("A package is asked for in any version.", 0.6, "a library leaves the version to its user")
_ANY_VERSION = ("A package is asked for in any version.", 0.9, "constraints given elsewhere were not followed")
_LEFT_OUT = (
    "A package is asked for in a range, and the lock file of its manifest does not hold it.",
    0.8,
    "it may be there under another name",
)


def _loosely_in_java(spec: str) -> Loose | None:
    if spec == MANAGED or not spec:
        return None
    if moves(spec):
        return "A package is asked for in whatever version is the newest.", 0.9, "a lock may be kept elsewhere"
    return None


def _is_a_range(each: Dependency) -> bool:
    """May another release fit tomorrow?"""
    spec = each.spec.strip()
    if each.registry == "conda":
        return spec.startswith((">", "<", "!", "~"))
    exact = re.match(r"^(?:===?\s*|=\s*|v)?\d[\w.+!-]*$", spec) is not None or spec.startswith(("npm:", "http"))
    return not exact


def _pinned_beside(side: _Side, path: str, manifest: Manifest, each: Dependency) -> bool:
    """Does a list of exact versions in the same folder, or a file of constraints that is named, hold the package?"""
    if each.registry != "pypi":
        return False
    folder = path.rpartition("/")[0]
    named = {beside(path, other) for other in manifest.constraints}
    lists = [
        other
        for other in side.manifests
        if other != path
        and _is_flat(other)
        and (other in named or (not _is_flat(path) and other.rpartition("/")[0] == folder))
    ]
    return any(each.name in side.pins(other) for other in lists)


def _is_held(side: _Side, path: str, each: Dependency) -> bool:
    """Does a lock file, or for `x.in` the `x.txt` beside it, hold a package that the manifest asks for?"""
    if _is_flat(path):
        return path.endswith(".in") and f"{path.removesuffix('.in')}.txt" in side.texts
    return _locked(side, path) is not None and each.name not in side.left_out(path)


def _locked(side: _Side, path: str) -> tuple[str, Lock] | None:
    """The lock file that a manifest has, where there are such files for its kind."""
    registry = side.manifests[path].registry
    return None if _is_flat(path) or registry in _UNLOCKED else side.lock_of(path)


def _may_move(each: Dependency) -> bool:
    """May another release fit tomorrow? A bare version of Rust is a range, one of Go is not."""
    if each.registry == "crates":
        return not each.spec.startswith("=")
    return each.registry not in {"go", "maven"} and _is_a_range(each)


def _is_central(side: _Side, path: str) -> bool:
    """Does a file in the folder of a project of .NET, or above it, keep the versions of all?"""
    folders = [path[:at] for at, letter in enumerate(path) if letter == "/"][:_DEEPEST]
    return any(f"{folder}/Directory.Packages.props".lstrip("/") in side.manifests for folder in ("", *folders))


_DEEPEST = 40


def _is_any(dependency: Dependency) -> bool:
    if dependency.registry == "nuget" and "*" in dependency.spec:
        return True  # whatever is the newest of a row of versions
    return not dependency.url and dependency.spec.replace(" ", "") in _ANY


@probe("dependencies.from_url")
def from_url(manifests: Manifests, change: Change | None) -> Iterator[Fact]:
    """Do packages come from elsewhere than the registry?

    Git repositories, addresses and archives, and settings that name a further registry; paths inside the repository are no
    other source. Packages of Swift all come from repositories, of which only a branch counts.

    Take a released version from the registry; where that cannot be, name a full commit id and say why.
    """

    def reading(side: _Side, path: str, _manifest: Manifest, each: Dependency) -> Placed | None:
        if each.url.startswith("replaced by"):
            return _placed(path, each, "A module is replaced by another one.", 0.8, "the other may be an honest fork")
        if not each.url:
            return None
        if _COMMIT.search(each.url) or _is_held(side, path, each):
            return _placed(
                path,
                each,
                "A package comes from an address outside the registry, at a fixed content.",
                0.6,
                "a fixed content cannot be changed unseen",
            )
        if _REPOSITORY.search(each.url):
            return _placed(
                path,
                each,
                "A package comes from a repository at a branch or tag that can move.",
                0.9,
                "a tag may be protected there",
            )
        return _placed(
            path,
            each,
            "A package comes from an address outside the registry.",
            0.9,
            "what stands there was not looked at",
        )

    none = "Every package comes from its registry."
    yield from _facts(manifests, change, reading, none, _places_of_files, without=frozenset({"images"}))


def _places_of_files(side: _Side, path: str) -> Iterator[Placed]:
    """Places of a whole file: further indexes, and lock entries from another host."""
    for number, line in side.manifests[path].indexes if path in side.manifests else ():
        yield Placed(
            path,
            number,
            line,
            "Packages may be taken from a further index.",
            "index",
            0.7,
            "it may be the only one that is asked",
            in_tests=is_test(path),
        )
    for number, line in side.locks[path].elsewhere if path in side.locks else ():
        yield Placed(
            path,
            number,
            line,
            "A lock file takes a package from another host than the rest.",
            "lock",
            0.7,
            "a mirror may be meant",
            in_tests=is_test(path),
        )


@probe("dependencies.look_alike")
def look_alike(manifests: Manifests, change: Change | None) -> Iterator[Fact]:
    """Does the name of a package only look like one that everybody knows?

    Counts: a name in a manifest at one letter more, less, other or swapped from one of five letters or more among the best-known packages
    of its registry, or the same but for separators or a scope. Well-known names themselves, packages of this repository, local paths,
    addresses, and names that differ only in a number do not.

    Compare the name with the project's own documentation letter by letter before anything is installed.
    """
    known = {registry: frozenset(names) for registry, names in manifests.popular.items()}
    wanted = {registry: frozenset(names[:_KNOWN]) for registry, names in manifests.popular.items()}

    def reading(side: _Side, path: str, _manifest: Manifest, each: Dependency) -> Placed | None:
        names = known.get(each.registry, frozenset())
        if not each.name or each.url or each.name in names or each.name in side.own or each.spec.startswith(_LOCAL):
            return None
        meant = _meant(each.name, wanted.get(each.registry, frozenset()))
        if meant is None:
            return None
        return _placed(
            path,
            each,
            f"The name of a package differs by little from {meant!r}.",
            0.6,
            "two honest packages can be called alike",
        )

    yield from _facts(
        manifests,
        change,
        reading,
        "No name of a package is nearly that of a well-known one.",
        without=frozenset({"conda", "images", "settings", "helm", "swift", "pods"}),
    )


def _meant(name: str, wanted: frozenset[str]) -> str | None:
    """A well-known name at one edit, or at none but for its separators; versions in a name are no edit."""
    bare = name.lower()
    near = {other for other in _edits(bare) if other in wanted and len(other) >= _SHORTEST}
    near |= {other for other in _separated(bare) if other in wanted}
    plain = re.sub(r"[0-9]", "", bare)
    near = {other for other in near if re.sub(r"[0-9]", "", other) != plain}
    return min(near) if near else None


def _edits(name: str) -> Iterator[str]:
    """Every name at one insertion, deletion, exchange or swap of neighbours."""
    if len(name) > 60 or name.startswith("@"):
        return
    for place in range(len(name) + 1):
        start, end = name[:place], name[place:]
        if end:
            yield start + end[1:]
        if len(end) > 1:
            yield start + end[1] + end[0] + end[2:]
        for letter in _LETTERS:
            yield start + letter + end
            if end and start:  # words that rhyme are honest: `router` and `wouter`
                yield start + letter + end[1:]


def _separated(name: str) -> Iterator[str]:
    """The name with its separators changed or left out, and a scope written into the name."""
    parts = [part for part in re.split(r"[-_.]", name.lstrip("@").replace("/", "-")) if part]
    if len(parts) > 1:
        yield from (mark.join(parts) for mark in ("", "-", "_", "."))
        yield f"@{parts[0]}/{'-'.join(parts[1:])}" if not name.startswith("@") else "-".join(parts)


Asking = Callable[[_Side, str, Manifest, Dependency], Placed | None]


def _facts(
    manifests: Manifests,
    change: Change | None,
    reading: Asking,
    none: str,
    whole: Callable[[_Side, str], Iterator[Placed]] = lambda _side, _path: iter(()),
    without: frozenset[str] = frozenset(),
) -> Iterator[Fact]:
    head, base = _sides(manifests)
    asked = {
        path: each for path, each in head.manifests.items()
        if path in manifests.in_scope and each.registry not in without and (each.registry != "settings" or each.indexes)
    }  # fmt: skip
    locks = [path for path in head.locks if path in manifests.in_scope]
    if not asked and not locks:
        yield not_applicable("No manifest that can be read here is in scope.")
        return
    places: dict[Side, list[Placed]] = {}
    for which, side in ((Side.HEAD, head), (Side.BASE, base)):
        paths = asked if which is Side.HEAD else side.manifests
        places[which] = [
            placed
            for path in paths
            for each in side.manifests[path].dependencies
            if (placed := reading(side, path, side.manifests[path], each)) is not None
        ]
        places[which] += [
            each for path in (*paths, *(locks if which is Side.HEAD else side.locks)) for each in whole(side, path)
        ]
    yield from placed_facts(places[Side.HEAD], places[Side.BASE], change)
    dark = {path: each.unread for path, each in asked.items() if each.unread}
    if dark:
        yield unavailable(
            f"A manifest could not be read: {next(iter(dark.values()))}.", at=[lines(path) for path in dark]
        )
    if not places[Side.HEAD] and len(dark) < len(asked) + len(locks):
        yield not_found(none, confidence=0.9, because="what the packages themselves ask for was not followed")


def _placed(
    path: str, each: Dependency, statement: str, confidence: float, because: str, measure: float | None = None
) -> Placed:
    return Placed(
        path=path,
        line=each.line,
        quote=each.quote,
        statement=statement,
        what=f"{each.registry}:{each.name}",
        confidence=confidence,
        because=because,
        measure=measure,
        in_tests=is_test(path) or is_example(path),
    )
