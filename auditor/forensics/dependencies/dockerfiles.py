"""What a Dockerfile has package managers install by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.package_origins import SOURCE_ADDRESS, is_floating
from auditor.forensics.dependencies.pip_requirements import parse_requirement
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameRows, name_reader

_INSTALL_COMMAND = lazy_compile(
    r"\b(?:(?P<pip>(?:python[\d.]*\s+-m\s+)?pip[\d.]*\s+install|uv\s+(?:pip\s+install|tool\s+install|add)|pipx\s+install)|"
    r"(?P<npm>npm\s+(?:install|i|add)|yarn\s+(?:global\s+)?add|pnpm\s+add)|(?P<gem>gem\s+install)|(?P<go>go\s+install)|(?P<cargo>cargo\s+install))\s+(?P<rest>[^&|;\n]+)"
)


class _Options(Frozen):
    with_value: NameRows


_names = name_reader(Path(__file__).with_name("install_options.yaml"), _Options)
_MAX_DEPENDENCIES = 500


def dockerfile(text: str) -> Manifest:
    """What a Dockerfile has package managers install by name."""
    dependencies: list[Dependency] = []
    number = 1
    for whole in re.split(r"(?<!\\)\n", text):
        line = whole.replace("\\\n", "  ")[:20_000]
        if not line.lstrip().startswith("#"):
            for found in _INSTALL_COMMAND.finditer(line):
                at = number + whole[: max(0, found.start("rest") - 1)].count("\n")
                dependencies += _installed_packages(found, at, " ".join(line.split())[:300])
        number += whole.count("\n") + 1
    return Manifest("docker", tuple(dependencies[:_MAX_DEPENDENCIES]), images=tuple(_base_images(text)))


_FROM = lazy_compile(
    r"^\s*FROM\s+(?:--platform=\S{1,100}\s+)?(?P<image>\S{1,300})(?:\s+AS\s+(?P<stage>\S{1,100}))?\s*$", re.IGNORECASE
)
_IMAGE = lazy_compile(
    r"(?P<name>(?:[\w.-]{1,100}(?::\d{1,5})?/)?[\w./-]{1,200}?)(?::(?P<tag>[\w.-]{1,128}))?(?:@sha256:(?P<digest>\w{1,64}))?"
)


def _base_images(text: str) -> Iterator[Dependency]:
    """The images that stages are built from; an earlier stage is none."""
    stages: set[str] = set()
    for number, raw in enumerate(text.split("\n"), start=1):
        found = _FROM.match(raw[:1000])
        if found is None:
            continue
        if found["image"].lower() not in {*stages, "scratch"} and (image := _parse_image(found["image"], number, raw)):
            yield image
        stages.add((found["stage"] or "").lower())


def _parse_image(written: str, number: int, raw: str) -> Dependency | None:
    """One image with its tag; None for a name that is assembled when it is built."""
    found = _IMAGE.fullmatch(written.strip("\"'"))
    if found is None:
        return None
    spec = "digest" if found["digest"] else found["tag"] or ""
    return Dependency("docker", found["name"], spec, number, raw.strip()[:300])


_COMPOSE_KEY = lazy_compile(r"^(?P<indent> +)(?P<key>image|build):(?:\s+(?P<value>\S.*?))?\s*$")


def compose(text: str) -> Manifest:
    """What a composition of containers has started; a name that is given to what is built there is no other's image."""
    images: list[Dependency] = []
    own: set[str] = set()
    waiting: tuple[int, Dependency | None, bool] = (0, None, False)
    for number, raw in enumerate([*text.split("\n"), "end:"], start=1):
        line = raw[:500].partition(" #")[0].rstrip()
        depth, image, built = waiting
        if not line.strip():
            continue
        if len(line) - len(line.lstrip()) < depth:
            if image is not None:
                own.update([image.name] if built else [])
                images += [] if built else [image]
            waiting = depth, image, built = 0, None, False
        found = _COMPOSE_KEY.match(line)
        if found is None or (depth and len(found["indent"]) != depth):
            continue
        if found["key"] == "image":
            image = _parse_image(found["value"] or "", number, raw)
        waiting = len(found["indent"]), image, built or found["key"] == "build"
    taken = [each for each in images if each.name not in own]
    return Manifest("images", images=tuple(taken[:_MAX_DEPENDENCIES]))


def _installed_packages(found: re.Match[str], number: int, quote: str) -> Iterator[Dependency]:
    words = found["rest"].split()
    if (
        any(word in {"-c", "--constraint"} for word in words)
        or "--git" in words
        or "--version" in words
        or "-v" in words
    ):
        return
    waiting = False
    for raw in words:
        word = raw.strip("\"'")
        if waiting or raw.startswith("-"):
            waiting = not waiting and raw in _names("with_value")
            continue
        if _is_place(word, of_python=bool(found["pip"])):
            continue
        if found["pip"]:
            parsed = parse_requirement(word, number, quote)
            if SOURCE_ADDRESS.match(word) and "://" in word:
                yield Dependency("pypi", "", "", number, quote, word, is_floating=is_floating(word))
            elif parsed is not None and parsed.name not in {"pip", "setuptools", "wheel"}:
                yield parsed
        elif found["npm"]:
            name, _, version = word.rpartition("@") if "@" in word[1:] else (word, "", "")
            yield Dependency("npm", name, version, number, quote)
        elif found["go"]:
            name, _, version = word.partition("@")
            yield Dependency(
                "go", name, "latest" if version in {"latest", "master", "main", ""} else version, number, quote
            )
        else:
            name, _, version = word.partition(":" if found["gem"] else "@")
            yield Dependency("gems" if found["gem"] else "crates", name, version, number, quote)


def _is_place(word: str, *, of_python: bool) -> bool:
    """Is it a file or a folder, or a variable that may hold one, and no name of a package? Those of npm may hold a slash."""
    if word.startswith((".", "/", "$", "~", "#")):
        return True
    is_file = word.endswith((".whl", ".txt", ".tgz", ".gz", ".gem", ".zip")) or (of_python and "/" in word)
    return is_file and "://" not in word
