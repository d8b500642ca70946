"""What a Dockerfile has package managers install by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.manifests.origins import ADDRESS, moves
from auditor.forensics.manifests.requirements import requirement
from auditor.forensics.manifests.wanted import Dependency, Manifest
from auditor.late import late

_INSTALLS = late(
    r"\b(?:(?P<pip>(?:python[\d.]*\s+-m\s+)?pip[\d.]*\s+install|uv\s+(?:pip\s+install|tool\s+install|add)|pipx\s+install)|"
    r"(?P<npm>npm\s+(?:install|i|add)|yarn\s+(?:global\s+)?add|pnpm\s+add)|(?P<gem>gem\s+install)|(?P<go>go\s+install)|(?P<cargo>cargo\s+install))\s+(?P<rest>[^&|;\n]+)"
)
_WITH_VALUE = frozenset(
    {"-r", "--requirement", "-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-t", "--target", "--prefix", "--timeout",
     "--trusted-host", "--python", "--platform", "-v", "--version", "--root", "--features", "--path", "--git", "--registry", "--cache-dir", "--default-timeout",
     "--retries", "--root-user-action", "--progress-bar", "--no-binary", "--only-binary", "--tag", "--rev", "--branch", "--bin"}
)  # fmt: skip

_MOST_WRITTEN = 500


def dockerfile(text: str) -> Manifest:
    """What a Dockerfile has package managers install by name."""
    dependencies: list[Dependency] = []
    number = 1
    for whole in re.split(r"(?<!\\)\n", text):
        line = whole.replace("\\\n", "  ")[:20_000]
        if not line.lstrip().startswith("#"):
            for found in _INSTALLS.finditer(line):
                at = number + whole[: max(0, found.start("rest") - 1)].count("\n")
                dependencies += _installed(found, at, " ".join(line.split())[:300])
        number += whole.count("\n") + 1
    return Manifest("docker", tuple(dependencies[:_MOST_WRITTEN]))


def _installed(found: re.Match[str], number: int, quote: str) -> Iterator[Dependency]:
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
            waiting = not waiting and raw in _WITH_VALUE
            continue
        if word.startswith((".", "/", "$", "~", "#")) or (
            word.endswith((".whl", ".txt", ".tgz", ".gz", ".gem", ".zip")) and "://" not in word
        ):
            continue
        if found["pip"]:
            parsed = requirement(word, number, quote)
            if ADDRESS.match(word) and "://" in word:
                yield Dependency("pypi", "", "", number, quote, word, moves=moves(word))
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
