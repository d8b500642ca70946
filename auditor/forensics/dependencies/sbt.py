"""What a build of Scala asks for, read line by line and never run."""

from __future__ import annotations

from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.maven_gradle import MANAGED_VERSION
from auditor.lazy_regex import lazy_compile

_MODULE = lazy_compile(
    r"\"(?P<group>[\w.-]{1,100})\"\s*%{1,3}\s*\"(?P<name>[\w.-]{1,100})\"\s*%\s*(?:\"(?P<version>[^\"\n]{1,100})\"|(?P<set>[A-Za-z_][\w.]*))"
)


def sbt(text: str) -> Manifest:
    """The modules of a build; a version that is set elsewhere is not looked up."""
    return Manifest(
        "maven",
        tuple(
            Dependency("maven", f"{found['group']}:{found['name']}", found["version"] or MANAGED_VERSION, number, raw.strip()[:300])
            for number, raw in enumerate(text.split("\n"), start=1)
            if not raw.lstrip().startswith("//")
            for found in _MODULE.finditer(raw[:2000])
        ),
    )  # fmt: skip
