"""Definitions by the names that people call them."""

from __future__ import annotations

import pytest

from auditor.forensics.source_text.definition_names import definition_names, unqualified
from tests.forensics.probes.asking import shape


@pytest.mark.parametrize(
    "name", ["close", "Client.close", "client::Client::close", "Client#close", "web.Client::close"]
)
def test_a_definition_is_called_by_the_last_part_of_its_name(name: str) -> None:
    assert unqualified(name) == "close"


def test_each_definition_gives_its_name_as_often_as_it_is_there_and_a_function_without_one_gives_none() -> None:
    source = "def close():\n    pass\n\n\nclass Client:\n    def close(self):\n        pass\n"

    assert sorted(definition_names(shape(source))) == ["Client", "close", "close"]
    assert definition_names(shape("close = lambda: None\n")) == []
