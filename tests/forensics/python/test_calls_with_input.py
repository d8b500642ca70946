"""Calls of libraries that run what a request holds, each beside one that is given something else."""

import pytest

from tests.seeing import lines, sites

VIEW = """
from flask import Flask, request
{imports}
app = Flask(__name__)

@app.post("/items")
def item():
    return str({call})
"""
CALLS = [
    ("import statsmodels.formula.api as smf", 'smf.ols(request.args["f"], data=rows)', 'smf.ols("y ~ x", data=request.json)'),
    ("from patsy import dmatrices", 'dmatrices(formula_like=request.args["f"], data=rows)', 'dmatrices("y ~ x", request.json)'),
    ("from statsmodels.api import OLS", 'OLS.from_formula(request.args["f"], rows)', 'OLS.from_formula("y ~ x", request.json)'),
    ("from importlib.metadata import EntryPoint", 'EntryPoint("a", request.args["f"], "b").load()', 'EntryPoint(request.args["f"], "json:dumps", "b").load()'),
    ("from typing import ForwardRef", 'ForwardRef(request.args["f"])', 'ForwardRef("int")'),
    ("import numexpr", 'numexpr.NumExpr(request.args["f"])', 'numexpr.NumExpr("a + 1")'),
]  # fmt: skip
OPENED = [
    ("import webbrowser", 'webbrowser.get(request.json["f"]).open("https://a.example")', 'webbrowser.get("firefox").open(request.json["f"])'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("probe", "imports", "hostile", "benign"),
    [
        *(("code.dynamic_code", *each) for each in CALLS),
        *(("code.shell_execution", *each) for each in OPENED),
    ],
)
def test_what_a_request_holds_is_reported_where_it_is_run_and_not_beside_it(
    probe: str, imports: str, hostile: str, benign: str
) -> None:
    (site,) = sites(probe, VIEW.format(imports=imports, call=hostile))
    assert "ntrusted input" in site.statement
    assert lines(probe, VIEW.format(imports=imports, call=benign)) == []


@pytest.mark.parametrize(
    ("words", "is_read"),
    [
        ('["gnuplot"]', True),
        ('["/usr/bin/gnuplot", "-p"]', True),
        ('["gnuplot", "stock.gp"]', False),
        ('["psql", url]', True),
        ('["psql", url, "-f", "schema.sql"]', False),
        ('["sqlite3", "-safe", "stock.db"]', False),
        ('["sort"]', False),
    ],
)
def test_a_program_that_is_sent_a_script_may_start_others(words: str, *, is_read: bool) -> None:
    source = f"import subprocess\ndef draw(text, url):\n    subprocess.run({words}, input=text, check=True)\n"
    assert lines("code.shell_execution", source) == ([3] if is_read else [])
