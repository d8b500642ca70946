"""Untrusted input in Java that reaches a dangerous call, and the same code where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial.authors.drawing import (
    CODE,
    LOADING,
    PATH,
    QUERY,
    SHELL,
    Case,
    evidence_by_case,
    evidence_by_path,
)
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names

CASES: list[Case] = [
    ('a whole command', SHELL, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    Runtime.getRuntime().exec(r.getParameter("c"));\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    Runtime.getRuntime().exec(new String[] {"ls", r.getParameter("c")});\n  }\n}\n'),
    ('a runtime in a variable', SHELL, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    Runtime rt = Runtime.getRuntime();\n    String d = r.getParameter("d");\n    rt.exec("ls " + d);\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    Runtime rt = Runtime.getRuntime();\n    int d = Integer.parseInt(r.getParameter("d"));\n    rt.exec("head -n " + d);\n  }\n}\n'),
    ('the program of a builder', SHELL, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    new ProcessBuilder(r.getHeader("p"), "-l").start();\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    new ProcessBuilder("ls", r.getHeader("p")).start();\n  }\n}\n'),
    ('the words of a shell', SHELL, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    String c = r.getParameter("c");\n    new ProcessBuilder("sh", "-c", "ls " + c).start();\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    String c = r.getParameter("c");\n    new ProcessBuilder("sh", "run.sh", c).start();\n  }\n}\n'),
    ('words in a list', SHELL, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.util.List;\nimport java.util.ArrayList;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    List<String> w = new ArrayList<>();\n    w.add(r.getParameter("c"));\n    new ProcessBuilder(w).start();\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.util.List;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    List<String> w = List.of("ls", r.getParameter("c"));\n    new ProcessBuilder(w).start();\n  }\n}\n'),
    ('Spring', SHELL, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @GetMapping("/")\n  void f(@RequestParam("d") String d) throws Exception {\n    Runtime.getRuntime().exec("ls " + d);\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @GetMapping("/")\n  void f(@RequestParam("d") int d) throws Exception {\n    Runtime.getRuntime().exec("ls " + d);\n  }\n}\n'),
    ('a path of Spring', QUERY, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport org.springframework.jdbc.core.JdbcTemplate;\n\nclass A {\n  JdbcTemplate jdbc;\n  void f(@PathVariable String id) {\n    jdbc.queryForList("select * from t where id = \'" + id + "\'");\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport org.springframework.jdbc.core.JdbcTemplate;\n\nclass A {\n  JdbcTemplate jdbc;\n  void f(@PathVariable String id) {\n    jdbc.queryForList("select * from t where id = ?", id);\n  }\n}\n'),
    ('a body of Spring', QUERY, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport jakarta.persistence.EntityManager;\n\nclass A {\n  EntityManager em;\n  void f(@RequestBody Search body) {\n    em.createNativeQuery(body.getQuery());\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport jakarta.persistence.EntityManager;\n\nclass A {\n  EntityManager em;\n  void f(@RequestBody Search body) {\n    em.createNativeQuery("select ?").setParameter(1, body.getQuery());\n  }\n}\n'),
    ('a resource of JAX-RS', QUERY, 'package shop;\n\nimport java.sql.Statement;\nimport jakarta.ws.rs.*;\n\nclass A {\n  Statement s;\n  @GET\n  void f(@QueryParam("n") String n) throws Exception {\n    s.executeQuery("select * from t where n = \'" + n + "\'");\n  }\n}\n', 'package shop;\n\nimport java.sql.Statement;\nimport jakarta.ws.rs.*;\n\nclass A {\n  Statement s;\n  @GET\n  void f(@QueryParam("n") long n) throws Exception {\n    s.executeQuery("select * from t where n = " + n);\n  }\n}\n'),
    ('a whole query', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    s.executeQuery(r.getParameter("q"));\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    s.executeQuery("select 1");\n    r.getParameter("q");\n  }\n}\n'),
    ('a text that is formatted', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    String q = String.format("select * from t where n = \'%s\'", r.getParameter("n"));\n    s.executeQuery(q);\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    String q = String.format("select * from t where n = %d", Long.parseLong(r.getParameter("n")));\n    s.executeQuery(q);\n  }\n}\n'),
    ('a builder', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    StringBuilder b = new StringBuilder("select * from t where n = ");\n    b.append(r.getParameter("n"));\n    s.executeQuery(b.toString());\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    StringBuilder b = new StringBuilder("select * from t where n = ");\n    b.append("1");\n    s.executeQuery(b.toString());\n    r.getParameter("n");\n  }\n}\n'),
    ('a chain', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    s.executeQuery(new StringBuilder("select * from t where n = ").append(r.getParameter("n")).toString());\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    s.executeQuery(new StringBuilder("select * from t where n = ").append(r.getParameter("n").length()).toString());\n  }\n}\n'),
    ('a prepared statement that is built', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Connection;\n\nclass A {\n  void f(HttpServletRequest r, Connection c) throws Exception {\n    c.prepareStatement("select * from t where n = \'" + r.getParameter("n") + "\'");\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Connection;\n\nclass A {\n  void f(HttpServletRequest r, Connection c) throws Exception {\n    c.prepareStatement("select * from t where n = ?").setString(1, r.getParameter("n"));\n  }\n}\n'),
    ('a method called sanitize', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  String sanitize(String x) {\n    return x;\n  }\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    s.executeQuery("select * from t where n = \'" + sanitize(r.getParameter("n")) + "\'");\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  String sanitize(String x) {\n    return x.replaceAll("[^a-z]", "");\n  }\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    s.executeQuery("select * from t where n = \'" + sanitize(r.getParameter("n")) + "\'");\n  }\n}\n'),
    ('an allow-list that decides nothing', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\nimport java.util.Set;\n\nclass A {\n  static final Set<String> COLUMNS = Set.of("a", "b");\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    String o = r.getParameter("o");\n    if (!COLUMNS.contains(o)) {\n      log(o);\n    }\n    s.executeQuery("select * from t order by " + o);\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\nimport java.util.Set;\n\nclass A {\n  static final Set<String> COLUMNS = Set.of("a", "b");\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    String o = r.getParameter("o");\n    if (!COLUMNS.contains(o)) {\n      throw new IllegalArgumentException();\n    }\n    s.executeQuery("select * from t order by " + o);\n  }\n}\n'),
    ('a form that any text fits', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    String o = r.getParameter("o");\n    if (!o.matches("[a-z]+.*")) return;\n    s.executeQuery("select * from t order by " + o);\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    String o = r.getParameter("o");\n    if (!o.matches("[a-z_]+")) return;\n    s.executeQuery("select * from t order by " + o);\n  }\n}\n'),
    ('an enum that is not asked', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    String o = r.getParameter("o");\n    Order.valueOf("A");\n    s.executeQuery("select * from t order by " + o);\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    Order o = Order.valueOf(r.getParameter("o"));\n    s.executeQuery("select * from t order by " + o);\n  }\n}\n'),
    ('a helper of the class', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void run(Statement s, String q) throws Exception {\n    s.executeUpdate(q);\n  }\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    run(s, "delete from t where id = " + r.getParameter("id"));\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  void run(Statement s, String q) throws Exception {\n    s.executeUpdate(q);\n  }\n  void f(HttpServletRequest r, Statement s) throws Exception {\n    run(s, "delete from t where id = " + Long.parseLong(r.getParameter("id")));\n  }\n}\n'),
    ('a field that keeps it', QUERY, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  private String q;\n  void take(HttpServletRequest r) {\n    this.q = r.getParameter("q");\n  }\n  void run(Statement s) throws Exception {\n    s.executeQuery("select * from t where n = " + this.q);\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.sql.Statement;\n\nclass A {\n  private String q = "1";\n  private String p;\n  void take(HttpServletRequest r) {\n    this.p = r.getParameter("q");\n  }\n  void run(Statement s) throws Exception {\n    s.executeQuery("select * from t where n = " + this.q);\n  }\n}\n'),
    ('objects of any class', LOADING, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport java.io.ObjectInputStream;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    new ObjectInputStream(r.getInputStream()).readObject();\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    new java.util.Scanner(r.getInputStream()).next();\n  }\n}\n'),
    ('a class by its name', CODE, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    Class.forName(r.getParameter("c")).newInstance();\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    Class.forName("shop.A").newInstance();\n    r.getParameter("c");\n  }\n}\n'),
    ('a script', CODE, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport javax.script.ScriptEngine;\n\nclass A {\n  void f(HttpServletRequest r, ScriptEngine e) throws Exception {\n    e.eval(r.getParameter("s"));\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport javax.script.ScriptEngine;\n\nclass A {\n  void f(HttpServletRequest r, ScriptEngine e) throws Exception {\n    e.put("s", r.getParameter("s"));\n  }\n}\n'),
    ('an expression of Spring', CODE, 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport org.springframework.expression.spel.standard.SpelExpressionParser;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    new SpelExpressionParser().parseExpression(r.getParameter("e")).getValue();\n  }\n}\n', 'package shop;\n\nimport jakarta.servlet.http.HttpServletRequest;\nimport org.springframework.expression.spel.standard.SpelExpressionParser;\n\nclass A {\n  void f(HttpServletRequest r) throws Exception {\n    new SpelExpressionParser().parseExpression("name").getValue(r.getParameter("e"));\n  }\n}\n'),
    ('a shell of Groovy by its full name', CODE, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestBody String n) throws Exception {\n    return new groovy.lang.GroovyShell().evaluate(n);\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestBody String n) throws Exception {\n    return new groovy.lang.GroovyShell(new groovy.lang.Binding(java.util.Map.of("n", n))).evaluate("n");\n  }\n}\n'),
    ('a variable of a full type', CODE, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestBody String n) throws Exception {\n    groovy.lang.GroovyShell s = new groovy.lang.GroovyShell();\n    return s.evaluate(n);\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestBody String n) throws Exception {\n    shop.Scores s = new shop.Scores();\n    return s.evaluate(n);\n  }\n}\n'),
    ('a name in a directory', CODE, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport javax.naming.InitialContext;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    return new InitialContext().lookup(n);\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport javax.naming.InitialContext;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    return java.util.Map.of(n, new InitialContext().lookup("java:comp/env/jdbc/shop"));\n  }\n}\n'),
    ('a name in a directory by its full name', CODE, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    return new javax.naming.InitialContext().lookup(n);\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    return new shop.Prices().lookup(n);\n  }\n}\n'),
    ('classes from an address', CODE, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    return new java.net.URLClassLoader(new java.net.URL[]{new java.net.URL(n)}).loadClass("A");\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    return java.util.Map.of(n, new java.net.URLClassLoader(new java.net.URL[]{new java.net.URL("https://shop.example/a.jar")}));\n  }\n}\n'),
    ('a host of a directory', CODE, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport javax.naming.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    Context c = new InitialContext();\n    return c.lookup("rmi://" + n);\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport javax.naming.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    Context c = new InitialContext();\n    return c.lookup("java:comp/env/" + n);\n  }\n}\n'),
    ('a directory in a field', CODE, 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport javax.naming.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    return c.lookup(n);\n  }\n  Context c;\n  {\n  }\n}\n', 'package shop;\n\nimport org.springframework.web.bind.annotation.*;\nimport javax.naming.*;\n\nclass A {\n  @PostMapping("/")\n  Object f(@RequestParam String n) throws Exception {\n    return c.lookup(n);\n  }\n  Prices c;\n  {\n  }\n}\n'),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "java")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_reaches_a_dangerous_call_is_confirmed_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "java")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_is_provably_harmless_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "java")


PAGE = """import org.springframework.web.bind.annotation.*;

@RestController
public class {name} {{
  @GetMapping("/x")
  public byte[] x(@RequestParam String n) throws Exception {{
    return Store.read(n);
  }}
}}
"""
STORE = """import java.nio.file.*;

public class Store {{
  static byte[] read(String n) throws java.io.IOException {{
    return Files.readAllBytes(Path.of("/srv/f").resolve({file}));
  }}
}}
"""


def test_a_class_without_a_package_passes_input_on_and_hides_those_of_other_folders(tmp_path: Path) -> None:
    files = {
        "open/Page.java": PAGE.format(name="Page"),
        "open/Store.java": STORE.format(file="n"),
        "safe/Page.java": PAGE.format(name="Page"),
        "safe/Store.java": STORE.format(file="Path.of(n).getFileName()"),
    }
    found = evidence_by_path(tmp_path, files, PATH)
    (flow,) = found.pop("open/Page.java")
    assert "`n` (line 6) reaches `Store.read` (line 7), which passes it on to `Files.readAllBytes`" in flow.statement
    assert set(map(len, found.values())) == {0}
