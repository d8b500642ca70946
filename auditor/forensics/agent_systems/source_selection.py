"""Which files of the head a reading of the agent system takes in: the whole tree, also when only a change is audited."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping

from auditor.domain import EntryKind, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.agent_systems import analysis_child_process, whole_program
from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.javascript import reachable_scripts
from auditor.forensics.agent_systems.javascript.library_names import is_script
from auditor.forensics.agent_systems.javascript.parsing import MAX_SCRIPT
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.python.source_parsing import MAX_PYTHON_BYTES, DecodeFailure, decode_source
from auditor.forensics.source_text.file_roles import Role, is_code, is_test, language, role
from auditor.repo.git_objects import BlobReader, SkippedBlob

MAX_DATA_FILE_BYTES = 200_000
"""Bytes of a prompt, rubric or configuration file."""
MAX_DATA_BYTES = 6_000_000
MAX_FULLY_FOLLOWED_BYTES = 3_000_000
"""Bytes of Python up to which every file is followed; of more, those that speak of agents and what they import."""
MAX_FOLLOWED_BYTES = 8_000_000
"""Bytes of Python that are followed at most; a product of 640 files has 6.6 million."""
MAX_SCRIPT_BYTES = 40_000_000
"""Bytes of scripts that are looked through for those that belong to an agent system."""
_AGENT_SOURCE = re.compile(
    r"langgraph|StateGraph|add_conditional_edges|clone_from|[\"']clone[\"']|git clone|with_structured_output|bind_tools|prosecut|judge|verdict",
    re.IGNORECASE,
)
_IMPORT_STATEMENT = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?([\w, \t]*)|import[ \t]+([\w.]+))", re.MULTILINE
)


def gather_agent_system(
    head: Mapping[str, TreeEntry],
    in_scope: Iterable[str],
    exclude: tuple[str, ...],
    reader: BlobReader,
    prepare: Callable[[Iterable[str]], None],
) -> AgentSystem:
    """What the code of the head says of its agent system."""
    scope = frozenset(in_scope)
    wanted = {path: entry for path, entry in head.items() if _is_wanted(path, entry, scope, exclude)}
    prepare(entry.blob for entry in wanted.values())
    sizes = reader.sizes(entry.blob for entry in wanted.values())
    unread: dict[str, str] = {}
    small: dict[str, TreeEntry] = {}
    room = MAX_DATA_BYTES
    for path, entry in sorted(wanted.items(), key=lambda each: (sizes[each[1].blob] or 0, each[0])):
        size, python = sizes[entry.blob], language(path) == "python"
        if size is None or size > (MAX_PYTHON_BYTES if python else MAX_DATA_FILE_BYTES):
            if python:
                unread[path] = "it could not be fetched" if size is None else f"larger than {MAX_PYTHON_BYTES:,} bytes"
            continue
        if python or size <= room:
            room -= 0 if python else size
            small[path] = entry
    contents = dict(reader.read((entry.blob for entry in small.values()), limit=MAX_PYTHON_BYTES))
    sources: list[Source] = []
    for path, entry in small.items():
        text = _file_text(path, contents[entry.blob])
        if isinstance(text, DecodeFailure):
            unread[path] = text.reason
        elif text is not None:
            sources.append(Source(path, text))
    sources = _followed_files(sources, unread)
    if reachable_scripts.manifests_name_library(sources):
        sources += _graph_scripts(head, scope, exclude, reader, prepare, unread)
    system = analysis_child_process.analyze_in_child_process(sources, unread)
    return system.model_copy(update={"foreign": _other_main_language(head)})


def _graph_scripts(
    head: Mapping[str, TreeEntry], scope: frozenset[str], exclude: tuple[str, ...], reader: BlobReader,
    prepare: Callable[[Iterable[str]], None], unread: dict[str, str],
) -> list[Source]:  # fmt: skip
    """The scripts that build or serve a graph of LangGraph.js."""
    wanted = {path: entry for path, entry in head.items() if is_script(path) and _in_scope(path, entry, scope, exclude)}
    prepare(entry.blob for entry in wanted.values())
    sizes = reader.sizes(entry.blob for entry in wanted.values())
    small: dict[str, TreeEntry] = {}
    room = MAX_SCRIPT_BYTES
    for path, entry in sorted(wanted.items(), key=lambda each: (is_test(each[0]), sizes[each[1].blob] or 0, each[0])):
        size = sizes[entry.blob] or 0
        if not 0 < size <= MAX_SCRIPT:
            continue  # bundles and what a tool wrote
        if size <= room:
            room -= size
            small[path] = entry
        else:
            unread[path] = "beyond what is followed"
    texts: dict[str, str] = {}
    contents = dict(reader.read((entry.blob for entry in small.values()), limit=MAX_SCRIPT))
    for path, entry in small.items():
        content = contents[entry.blob]
        if not isinstance(content, SkippedBlob) and b"\0" not in content[:8000]:
            texts[path] = content.decode("utf-8", errors="replace").replace("\r\n", "\n")
        elif not isinstance(content, SkippedBlob) and b"langgraph" in content:
            unread[path] = "it holds zero bytes"
    return reachable_scripts.reachable_scripts(texts, unread)


def _other_main_language(head: Mapping[str, TreeEntry]) -> str:
    """The main language of the product code, where Python is less than a quarter of its files."""
    counted = Counter(language(path) for path in head if is_code(path) and role(path) is Role.PRODUCT)
    if not counted or counted["python"] * 4 >= counted.total():
        return ""
    return min(counted, key=lambda each: (-counted[each], each))


def _is_wanted(path: str, entry: TreeEntry, scope: frozenset[str], exclude: tuple[str, ...]) -> bool:
    return (language(path) == "python" or language(path) in known_names("data_suffixes")) and _in_scope(
        path, entry, scope, exclude
    )


def _in_scope(path: str, entry: TreeEntry, scope: frozenset[str], exclude: tuple[str, ...]) -> bool:
    if entry.kind is not EntryKind.FILE or role(path) in {Role.VENDORED, Role.LOCK}:
        return False
    return path in scope or not matches_any(path, exclude)


def _file_text(path: str, content: bytes | SkippedBlob) -> str | DecodeFailure | None:
    """The text of a file; None for a data file that is no text."""
    if isinstance(content, SkippedBlob):
        return DecodeFailure(content.reason) if language(path) == "python" else None
    if language(path) == "python":
        return DecodeFailure("binary") if b"\0" in content[:8000] else decode_source(content)
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def _followed_files(sources: list[Source], unread: dict[str, str]) -> list[Source]:
    """The files to follow: all of a small code base, of a large one product code that speaks of agents and what it imports.

    What a file that lays out a graph imports comes first. Tests of a large code base are left alone: nothing of the
    system is told by them.
    """
    python = {each.path: each for each in sources if language(each.path) == "python"}
    if sum(len(each.text) for each in python.values()) <= MAX_FULLY_FOLLOWED_BYTES:
        return sources
    endings: dict[str, list[str]] = {}
    for path in python:
        parts = path.rpartition(".")[0].removesuffix("/__init__").split("/")
        endings.setdefault(parts[-1], []).append(path)
    kept: dict[str, Source] = {}
    seeds = [path for path, each in python.items() if not is_test(path) and _AGENT_SOURCE.search(each.text)]
    lays_out = {path: whole_program.builds_graph(path, python[path].text) for path in seeds}
    waiting = deque(sorted(seeds, key=lambda path: (not lays_out[path], len(python[path].text), path)))
    room = MAX_FOLLOWED_BYTES
    while waiting:
        path = waiting.popleft()
        if path in kept:
            continue
        if len(python[path].text) > room:
            unread[path] = "beyond what is followed"
            continue
        room -= len(python[path].text)
        kept[path] = python[path]
        for module, members, whole in _IMPORT_STATEMENT.findall(python[path].text):
            lasts = [(module or whole).rpartition(".")[2], *re.findall(r"\w+", members)]
            used = [each for last in lasts for each in endings.get(last, ())[:8] if each not in kept]
            if lays_out.get(path):
                waiting.extendleft(reversed(used))  # what a graph is made of comes before anything else
            else:
                waiting += used
    return [each for each in sources if each.path in kept or each.path not in python]
