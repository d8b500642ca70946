"""What a function of the file makes of constants is constant in a query; what it makes of input is not."""

from __future__ import annotations

import pytest

from tests.seeing import lines

_PROBE = "code.sql_from_strings"
_GO = 'package store\nimport "database/sql"\n{function}\nfunc Find(db *sql.DB, name string) {{\n\tdb.Query("SELECT a FROM t WHERE id = " + {call})\n}}\n'
_JS = "const mysql = require('mysql');\nconst db = mysql.createConnection({{}});\n{function}\nfunction find(name) {{\n  db.query('SELECT a FROM t WHERE id = ' + {call});\n}}\nmodule.exports = find;\n"
_RUBY = "class Store\n  {function}\n\n  def find(name)\n    ActiveRecord::Base.connection.execute('SELECT a FROM t WHERE id = ' + {call})\n  end\nend\n"
_ROWS = [
    ("go", _GO, "func bound(s string) string { return \"a\" + s }", "bound(\"b\")", "bound(name)"),
    ("go", _GO, "func bound(s string) string { return inner(s) }\nfunc inner(t string) string { return \"a\" + t }", "bound(\"b\")", "bound(name)"),
    ("go", _GO, "func bound(s string) string { s = load(); return \"a\" + s }\nfunc fixed(s string) string { return \"a\" + s }", "fixed(\"b\")", "bound(\"b\")"),
    ("go", _GO, "func bound(s string) string { return \"a\" + s + os.Getenv(\"A\") }\nfunc fixed(s string) string { return \"a\" + s }", "fixed(\"b\")", "bound(\"b\")"),
    ("javascript", _JS, "function bound(s) { return 'a' + s; }", "bound('b')", "bound(name)"),
    ("ruby", _RUBY, "def bound(s)\n    'a' + s\n  end", "bound('b')", "bound(name)"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "around", "function", "constant", "given"), _ROWS)
def test_only_what_a_function_makes_of_constants_is_constant(
    language: str, around: str, function: str, constant: str, given: str
) -> None:
    assert lines(_PROBE, around.format(function=function, call=constant), language) == []
    assert len(lines(_PROBE, around.format(function=function, call=given), language)) == 1


def test_a_parameter_of_the_function_before_says_nothing_of_another_one_of_its_name() -> None:
    source = _GO.format(function="func Drop(db *sql.DB, name int) { use(name) }", call="name")
    assert lines(_PROBE, source, "go") == [5]
