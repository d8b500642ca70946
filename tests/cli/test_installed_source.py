"""Where the installed tool can be read."""

from __future__ import annotations

import json

import pytest

from auditor.cli.installed_source import tool_home_of


def record(url: str, **more: object) -> str:
    """What an installer writes for an address."""
    return json.dumps({"url": url, **more})


def test_an_installation_from_a_repository_names_it_and_its_commit() -> None:
    found = tool_home_of(
        record("https://git.example.org/octo/auditor.git", vcs_info={"vcs": "git", "commit_id": "c0ffee"})
    )
    assert found is not None
    assert (found.repository, found.ref) == ("https://git.example.org/octo/auditor", "c0ffee")


@pytest.mark.parametrize(
    "written",
    [
        "",
        "[]",
        record("file:///work/auditor", dir_info={}),
        record("ssh://git@git.example.org/octo/auditor", vcs_info={"vcs": "git", "commit_id": "c0ffee"}),
        record("https://user:word@git.example.org/octo/auditor", vcs_info={"vcs": "git", "commit_id": "c0ffee"}),
    ],
)
def test_an_installation_from_elsewhere_names_nothing(written: str) -> None:
    assert tool_home_of(written) is None
