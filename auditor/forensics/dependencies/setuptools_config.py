"""What `setup.cfg` and `setup.py` ask for, read and never run."""

from __future__ import annotations

from dataclasses import replace

from auditor.forensics.dependencies.dependency_types import Dependency, Manifest
from auditor.forensics.dependencies.pip_requirements import parse_requirement
from auditor.lazy_regex import lazy_compile

_SECTION = lazy_compile(r"^(\w+)\s*[=:]|^\[([\w.:-]+)\]")


def setup_cfg(text: str) -> Manifest:
    """`setup.cfg`: what is below `install_requires` and in the table of extras."""
    dependencies: list[Dependency] = []
    table = key = ""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw[:2000].partition(" #")[0].rstrip()
        if (found := _SECTION.match(line)) is not None:
            table, key = (found[2], "") if found[2] else (table, found[1])
            line = line.partition("=")[2] if found[1] else ""
        wanted = key in {"install_requires", "tests_require", "setup_requires"} or table == "options.extras_require"
        parsed = parse_requirement(line, number, raw.strip()[:300]) if wanted and line.strip() else None
        if parsed is not None:
            dependencies.append(replace(parsed, unlocked=key == "setup_requires"))
    return Manifest("pypi", tuple(dependencies))


_REQUIREMENT_LIST = lazy_compile(
    r"\b(?:install_requires|extras_require|tests_require|requirements|REQUIREMENTS|REQUIRES|INSTALL_REQUIRES)\s*[=:]\s*(?:list\()?[\[({]"
)
_QUOTED = lazy_compile(r"#[^\n]*|\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|([\[({])|([\])}])")
_MAX_LIST_LENGTH = 20_000


def setup_py(text: str) -> Manifest:
    """`setup.py`, never run: the texts in lists that are called what it requires."""
    dependencies: list[Dependency] = []
    seen = 0
    for found in _REQUIREMENT_LIST.finditer(text):
        if found.start() < seen:
            continue
        depth = 1
        for each in _QUOTED.finditer(text, found.end(), found.end() + _MAX_LIST_LENGTH):
            depth += 1 if each[3] else -1 if each[4] else 0
            seen = each.end()
            if depth == 0:
                break
            written = each[1] or each[2]
            if not written or text[each.end() : each.end() + 3].lstrip().startswith(":"):
                continue  # the name of an extra
            number = text.count("\n", 0, each.start()) + 1
            parsed = parse_requirement(written, number, written)
            if parsed is not None:
                dependencies.append(parsed)
        if len(dependencies) > _MAX_DEPENDENCIES:
            break
    return Manifest("pypi", tuple(dependencies))


_MAX_DEPENDENCIES = 500
