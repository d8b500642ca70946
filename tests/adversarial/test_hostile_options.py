"""Options that are switched on for a call and look switched off: put back later, under a condition that never holds, or over a constant."""

from __future__ import annotations

from time import process_time

import pytest

from auditor.forensics.dependencies import helm
from auditor.forensics.description import test_claims
from tests.seeing import lines

TLS, SHELL = "code.tls_verification_off", "code.shell_execution"


@pytest.mark.parametrize(
    ("probe", "source"),
    [
        (TLS, 'import requests\no = {"verify": False}\nrequests.get(u, **o)\no["verify"] = True\n'),
        (TLS, 'import requests\ndef f():\n    o = {"verify": False}\n    requests.get(u, **o)\n    o.update(verify=True)\n'),
        (TLS, 'import requests\no = {"verify": False}\nif 0:\n    o["verify"] = True\nrequests.get(u, **o)\n'),
        (TLS, 'import requests\no = {"verify": False}\no.setdefault("verify", True)\nrequests.get(u, **o)\n'),
        (TLS, 'import requests\no = {}\nif quick:\n    o["verify"] = False\nrequests.get(u, **o)\n'),
        (SHELL, 'import subprocess\no = {"shell": True}\nsubprocess.run(c, **o)\no["shell"] = False\n'),
    ],
)  # fmt: skip
def test_what_is_put_into_options_too_late_or_perhaps_excuses_no_call(probe: str, source: str) -> None:
    assert len(lines(probe, source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'import requests\no = {"verify": False}\no["verify"] = True\nrequests.get(u, **o)\n',
        'import requests\nO = {"verify": False}\nO.update(verify=True)\ndef f():\n    requests.get(u, **O)\n',
    ],
)
def test_what_is_put_into_options_before_the_call_counts(source: str) -> None:
    assert lines(TLS, source) == []


@pytest.mark.parametrize(
    "made",
    [
        '{"a": "b", **request.args}',
        '{"a": "b", key(): request.args["t"]}',
        '{"a": "b", "a": request.args["t"]}',
    ],
)
def test_an_entry_of_a_constant_that_is_no_constant_stays_foreign(made: str) -> None:
    source = "X = MADE\ncur.execute(f\"SELECT * FROM parcels WHERE code = {X['a']}\")\n".replace("MADE", made)
    assert len(lines("code.sql_from_strings", source)) == 1


@pytest.mark.parametrize("more", ['X["a"] = True', "X.update(a=True)"])
def test_a_constant_that_something_is_put_into_switches_no_shell_off(more: str) -> None:
    source = f'import subprocess\nX = {{"a": False}}\n{more}\nsubprocess.run(c, shell=X["a"])\n'
    assert len(lines(SHELL, source)) == 1


def test_an_entry_of_a_constant_is_one() -> None:
    source = """X = {"a": "b"}\ncur.execute(f"SELECT * FROM parcels WHERE code = {X['a']}")\n"""
    assert lines("code.sql_from_strings", source) == []


def test_blanks_and_words_without_end_take_no_square_of_their_number() -> None:
    started = process_time()
    test_claims._TEST_BEGIN.match(" it" + "\t" * 50_000)
    for _ in range(300):
        helm._ROW.match(("version:" + "\t" * 500)[:500])
    assert process_time() - started < 0.8
