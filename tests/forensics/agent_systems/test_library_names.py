"""The names of libraries that the study of agent systems knows, and what is done with them."""

from __future__ import annotations

from auditor.forensics.agent_systems.graph_from_builder_calls import _READERS
from auditor.forensics.agent_systems.library_names import known_names, library_exports, recorded_calls


def test_every_method_of_a_builder_that_is_known_is_read() -> None:
    assert set(_READERS) == known_names("builder_methods")


def test_calls_of_models_and_what_reads_their_answers_are_recorded() -> None:
    assert {"ainvoke", "raw_decode", "rmtree", "clone_from"} <= recorded_calls()


def test_what_a_library_offers_is_known_by_its_name() -> None:
    assert "StateGraph" in library_exports()["langgraph.graph"]
