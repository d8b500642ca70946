"""Functions that look as if only their own file called them, with harmless words, and that others call as well."""

from __future__ import annotations

from time import process_time

import pytest

from tests.seeing import lines

QUERY = "code.sql_from_strings"
PUT_IN = 'cur.execute(f"SELECT * FROM parcels WHERE code = {t}")'
IN_SCRIPT = "{ db.query(`SELECT * FROM parcels WHERE code = ${t}`); }"
IN_GO = 'db.Query("SELECT * FROM parcels WHERE code = " + t)'
IN_JAVA = 'st.executeQuery("SELECT * FROM parcels WHERE code = " + t);'
IN_RUST = 'conn.execute(&format!("SELECT * FROM parcels WHERE code = {}", t), &[]);'
IN_RUBY = 'conn.execute("SELECT * FROM parcels WHERE code = #{t}")'


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", f'@app.get("/{{t}}")\ndef _find(t):\n    {PUT_IN}\n_find("x")\n'),
        ("python", f'def make():\n    @app.get("/{{t}}")\n    def find(t):\n        {PUT_IN}\n    find("x")\n'),
        ("python", f'def _find(t="x"):\n    {PUT_IN}\n_find(**request.args)\n'),
        ("python", f'def _find(*t):\n    {PUT_IN}\n_find("x", request.args["t"])\n'),
        ("python", f'def _find(t):\n    def again():\n        nonlocal t\n        t = request.args["t"]\n    again()\n    {PUT_IN}\n_find("x")\n'),
        ("python", f'class A:\n    def _find(self, u, t="x"):\n        {PUT_IN}\n    def f(self):\n        A._find(self, "x", request.args["t"])\n'),
        ("javascript", 'function find(t) { t = req.query.t; db.query(`SELECT * FROM parcels WHERE code = ${t}`); }\nfind("x");\n'),
        ("javascript", 'function find(t) { ({ t } = req.query); db.query(`SELECT * FROM parcels WHERE code = ${t}`); }\nfind("x");\n'),
        ("javascript", f'function find(u, t) {IN_SCRIPT}\nfind(...req.query.all, "x");\n'),
        ("javascript", f'function find(t = req.query.t) {IN_SCRIPT}\nfind(undefined);\n'),
        ("javascript", f'function find(t) {IN_SCRIPT}\nfind("x");\nf\\u0069nd(req.query.t);\n'),
        ("javascript", f'function make() {{ app.get("/", function find(t) {{ {IN_SCRIPT} find("x"); }}); }}\n'),
        ("javascript", f'function make() {{ find("x"); app.find = (t) => {IN_SCRIPT}; }}\n'),
        ("javascript", f'export const find = function (t) {IN_SCRIPT};\nfind("x");\n'),
        ("javascript", f'export const find = _t => {IN_SCRIPT.replace("{t}", "{_t}")};\nfind("x");\n'),
        ("javascript", f'function make() {{ return {{ find(t) {IN_SCRIPT}, all() {{ this.find("x"); }} }}; }}\n'),
        ("typescript", f'class A {{ @Get() private find(t: string) {IN_SCRIPT}\n all() {{ this.find("x"); }} }}\n'),
        ("go", f'package a\nimport "database/sql"\nfunc find(t string) {{ t = r.FormValue("t"); {IN_GO} }}\nfunc f() {{ find("x") }}\n'),
        ("go", f'package a\nimport "database/sql"\nfunc find(t string) {{ fill(&t); {IN_GO} }}\nfunc f() {{ find("x") }}\n'),
        ("java", f'class A {{ private void find(String t) {{ t = req.getParameter("t"); {IN_JAVA} }}\n void f() {{ find("x"); }} }}\n'),
        ("java", f'class A {{ public /* private */ void find(String t) {{ {IN_JAVA} }}\n void f() {{ find("x"); }} }}\n'),
        ("java", f'class A {{ @EventListener private void find(String t) {{ {IN_JAVA} }}\n void f() {{ find("x"); }} }}\n'),
        ("java", f'class A {{ void g() {{ on(new H() {{ public void find(String t) {{ {IN_JAVA} }} void f() {{ find("x"); }} }}); }} }}\n'),
        ("rust", f'#[get("/<t>")]\nfn find(t: &str) {{ {IN_RUST} }}\nfn f() {{ find("x"); }}\n'),
        ("rust", f'impl Find for A {{ fn find(&self, t: &str) {{ {IN_RUST} }} }}\nfn f() {{ a.find("x"); }}\n'),
        ("rust", f'fn find(t: &str) {{ let t = req.get("t"); {IN_RUST} }}\nfn f() {{ find("x"); }}\n'),
        ("ruby", f'class A\n  private\n  def other\n  end\n  public\n  def find(t)\n    {IN_RUBY}\n  end\n  def f\n    find("x")\n  end\nend\n'),
        ("ruby", f'class B\n  private\n  def other\n  end\nend\nclass A\n  def find(t)\n    {IN_RUBY}\n  end\n  def f\n    find("x")\n  end\nend\n'),
        ("ruby", f'class A\n  X = "\nprivate\n"\n  def find(t)\n    {IN_RUBY}\n  end\n  def f\n    find("x")\n  end\nend\n'),
    ],
)  # fmt: skip
def test_a_function_that_others_call_too_is_not_excused_by_the_constants_of_its_own_file(
    language: str, source: str
) -> None:
    assert len(lines(QUERY, source, language)) == 1


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", f'def _find(t):\n    {PUT_IN}\n_find("x")\n'),
        ("python", f'class A:\n    @staticmethod\n    def _find(t):\n        {PUT_IN}\n    def f(self):\n        self._find("x")\n'),
        ("javascript", f'function find(t) {IN_SCRIPT}\nfind("x");\n'),
        ("javascript", f'function make() {{ const find = (t) => {IN_SCRIPT};\n find("x"); }}\n'),
        ("java", f'class A {{ @Nullable private void find(String t) {{ {IN_JAVA} }}\n void f() {{ find("x"); }} }}\n'),
        ("rust", f'#[inline]\nfn find(t: &str) {{ {IN_RUST} }}\nfn f() {{ find("x"); }}\n'),
        ("ruby", f'class A\n  def f\n    find("x")\n  end\n  private\n  def find(t)\n    {IN_RUBY}\n  end\nend\n'),
    ],
)  # fmt: skip
def test_a_function_that_its_own_file_alone_calls_with_constants_is_excused(language: str, source: str) -> None:
    assert lines(QUERY, source, language) == []


def test_many_private_functions_that_put_their_parameters_into_queries_take_no_more_time_than_their_number() -> None:
    source = "".join(f'def _find{n}(t):\n    {PUT_IN}\n_find{n}("x")\n' for n in range(700))
    started = process_time()
    assert lines(QUERY, source) == []
    assert process_time() - started < 3


def test_a_file_of_queries_that_put_in_thousands_of_names_is_asked_about_each_of_them_once() -> None:
    source = "\n".join(PUT_IN.replace("{t}", f"{{t{number}}}") for number in range(4_000))
    began = process_time()
    assert len(lines(QUERY, source)) == 4_000
    assert process_time() - began < 20
