"""A place in code knows the function or class that it lies in."""

from __future__ import annotations

import pytest

from auditor.domain import CodeLocation
from tests.auditing import asked, found
from tests.repos import Drawing

PYTHON = """import subprocess

subprocess.run("ls", shell=True)


class Client:
    def fetch(self, name):
        def inner():
            subprocess.run(name, shell=True)
        return inner
"""
GO = """package run

import "os/exec"

type Client struct{}

func (c *Client) Fetch(name string) error {
	return exec.Command("sh", "-c", name).Run()
}
"""
JAVASCRIPT = """import { exec } from 'child_process';

export class Client {
  fetch(name) {
    exec(name);
  }
}
"""


def names(drawing: Drawing, path: str, text: str) -> list[str | None]:
    """The definitions around all places at which the file starts a shell."""
    drawing.commit({path: text})
    evidence = found(asked(drawing.path, None, "code.shell_execution"), "code.shell_execution")
    places = [place for each in evidence for place in each.locations if isinstance(place, CodeLocation)]
    return [each.definition for each in sorted(places, key=lambda place: place.start or 0)]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", PYTHON, [None, "Client.fetch.inner"]),
        ("run.go", GO, ["Fetch"]),
        ("a.js", JAVASCRIPT, ["fetch"]),
    ],
)
def test_a_place_names_the_innermost_definition_around_it(
    drawing: Drawing, path: str, text: str, expected: list[str | None]
) -> None:
    assert names(drawing, path, text) == expected


def test_a_place_in_a_file_without_an_outline_names_none(drawing: Drawing) -> None:
    drawing.commit({"README.md": "# A project\n"})
    drawing.branch("work")
    drawing.commit({"app.py": "x = 1\n", "deploy/notes.txt": "a\u202eb\n"})
    evidence = found(asked(drawing.path, "main", "text.hidden_characters"), "text.hidden_characters")
    places = [place for each in evidence for place in each.locations if isinstance(place, CodeLocation)]
    assert [each.definition for each in places] == [None]
