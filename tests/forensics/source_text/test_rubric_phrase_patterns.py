"""What a match of a form of words is asked for."""

from __future__ import annotations

import pytest

from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group, groups_by_role

_RENAMED = combine_patterns(
    r"rename (?P<old>\w+) to (?P<new>\w+)",
    r"(?P<new_called>\w+), formerly (?P<old_called>\w+)(?: of (?P<place>\w*))?",
)


@pytest.mark.parametrize("text", ["Rename one to other", "other, formerly one", "other, formerly one of "])
def test_a_role_is_told_by_the_group_of_whichever_form_fits(text: str) -> None:
    found = _RENAMED.search(text)

    assert found is not None
    assert groups_by_role(found) == {"old": "one", "new": "other"}


def test_groups_that_hold_nothing_are_not_the_first_one() -> None:
    found = _RENAMED.search("other, formerly one")

    assert found is not None
    assert first_group(found) == "other"
