"""Which scripts of a repository belong to an agent system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from posixpath import normpath

from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.javascript.library_names import SCRIPT_SUFFIXES
from auditor.forensics.source_text.file_roles import is_test

MAX_FOLLOWED_BYTES = 1_500_000
"""Bytes of scripts that are followed."""
_MANIFESTS = ("package.json", "deno.json", "deno.jsonc", "langgraph.json")
_LIBRARY = re.compile(r"@langchain/langgraph(?:-(?:supervisor|swarm))?[\"'/@]|\blanggraphjs\b")
_IMPORT = re.compile(r"(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['\"]([^'\"\n]{1,300})['\"]")


def manifests_name_library(sources: Iterable[Source]) -> bool:
    """Do the manifests of a repository name LangGraph.js, or is there none that could?"""
    manifests = [each for each in sources if each.path.rpartition("/")[2] in _MANIFESTS]
    return not manifests or any(
        _LIBRARY.search(each.text) or ".ts:" in each.text or ".js:" in each.text for each in manifests
    )


def uses_library(text: str) -> bool:
    """Does a script speak of LangGraph.js by the name of its package?"""
    return _LIBRARY.search(text) is not None


def reachable_scripts(texts: Mapping[str, str], unread: dict[str, str]) -> list[Source]:
    """Scripts that use the library, all that they import, and those that import them; product code first."""
    seeds = [path for path, text in texts.items() if uses_library(text)]
    if not seeds:
        return []
    ends: dict[str, list[str]] = {}
    for path in texts:
        ends.setdefault(_last_path_part(path), []).append(path)
    imports = {path: frozenset(_imported_scripts(path, text, texts, ends)) for path, text in texts.items()}
    users = [path for path, reached in imports.items() if reached & frozenset(seeds) and not is_test(path)]
    first = dict.fromkeys([*seeds, *users])
    waiting = sorted(first, key=lambda path: (is_test(path), path not in seeds, len(texts[path]), path))
    kept: dict[str, None] = {}
    room = MAX_FOLLOWED_BYTES
    while waiting:
        path = waiting.pop(0)
        if path in kept:
            continue
        if len(texts[path]) > room:
            unread[path] = "beyond what is followed"
            continue
        room -= len(texts[path])
        kept[path] = None
        waiting += sorted(imports[path] - kept.keys())
    return [Source(path, texts[path]) for path in kept]


def _imported_scripts(path: str, text: str, texts: Mapping[str, str], ends: Mapping[str, list[str]]) -> Iterator[str]:
    """Scripts that one script may import, by the paths it writes."""
    folder = path.rpartition("/")[0]
    for wanted in _IMPORT.findall(text):
        bare = re.sub(r"\.[cm]?jsx?$", "", wanted)
        if wanted.startswith("."):
            base = normpath(f"{folder}/{bare}" if folder else bare)
            names = (wanted, *(f"{each}{end}" for each in (base, f"{base}/index") for end in SCRIPT_SUFFIXES))
            yield from (each for each in names if each in texts)
        elif "/" in wanted:
            tail = "/".join(re.sub(r"^[@~#$]\w*/", "", bare).split("/")[-2:])
            for each in (tail, f"{tail}/index"):
                yield from (
                    found
                    for found in ends.get(each.rpartition("/")[2], ())[:40]
                    if _without_suffix(found).endswith(each)
                )


def _without_suffix(path: str) -> str:
    return re.sub(r"\.[cm]?[jt]sx?$", "", path)


def _last_path_part(path: str) -> str:
    return _without_suffix(path).rpartition("/")[2]
