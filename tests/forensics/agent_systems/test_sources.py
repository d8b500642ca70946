"""Which files are followed when there are too many for all of them."""

from __future__ import annotations

import pytest

from auditor.forensics.agent_systems import source_selection
from auditor.forensics.agent_systems.analyzed_file import Source

_GRAPH = "from langgraph.graph import StateGraph\nfrom app.nodes import look\ng = StateGraph(dict)\n"


def _kept(files: dict[str, str]) -> tuple[set[str], dict[str, str]]:
    unread: dict[str, str] = {}
    kept = source_selection._followed_files([Source(path, text) for path, text in files.items()], unread)
    return {each.path for each in kept}, unread


FILES = {
    "app/graph.py": _GRAPH,
    "app/nodes.py": "from . import helper\nlook = helper.look\n",
    "app/helper.py": "def look(state): return {}\n",
    "app/unrelated.py": "x = 1\n",
    "prompts/a.md": "A prompt.\n",
}


def test_a_small_code_base_is_followed_whole() -> None:
    assert _kept(FILES) == (set(FILES), {})


def test_of_a_large_one_what_speaks_of_agents_and_what_that_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_selection, "MAX_FULLY_FOLLOWED_BYTES", 10)
    kept, unread = _kept(FILES)
    assert kept == {"app/graph.py", "app/nodes.py", "app/helper.py", "prompts/a.md"}
    assert unread == {}


def test_what_is_too_much_is_named_as_unread_and_the_graph_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_selection, "MAX_FULLY_FOLLOWED_BYTES", 10)
    monkeypatch.setattr(source_selection, "MAX_FOLLOWED_BYTES", len(_GRAPH) + 5)
    kept, unread = _kept(FILES)
    assert kept == {"app/graph.py", "prompts/a.md"}
    assert unread == {"app/nodes.py": "beyond what is followed"}
