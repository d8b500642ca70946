"""Dangerous calls in Java that hide behind method references and reflection."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names

CASES: list[Case] = [
    ("a method in a field that another class calls", SHELL, 'class Tools {\n  final Starter start = Runtime.getRuntime()::exec;\n}\n', 'class Tools {\n  final Starter start = Runtime.getRuntime()::addShutdownHook;\n}\n'),
    ('a method reference', SHELL, 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Runner run = Runtime.getRuntime()::exec;\n    run.apply(x);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Runner run = Runtime.getRuntime()::load;\n    run.apply("a.so");\n  }\n}\n'),
    ('a method reference of a variable', SHELL, 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Runtime rt = Runtime.getRuntime();\n    Runner run = rt::exec;\n    run.accept(x);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Runtime rt = Runtime.getRuntime();\n    Runner run = rt::addShutdownHook;\n    run.accept(x);\n  }\n}\n'),
    ('a reference that is mapped', SHELL, 'package shop;\n\nimport java.util.stream.Stream;\n\nclass A {\n  void f(String x) throws Exception {\n    Stream.of(x).map(Runtime.getRuntime()::exec);\n  }\n}\n', 'package shop;\n\nimport java.util.stream.Stream;\n\nclass A {\n  void f(String x) throws Exception {\n    Stream.of(x).map(String::trim);\n  }\n}\n'),
    ('a reference in a table', SHELL, 'package shop;\n\nimport java.util.Map;\n\nclass A {\n  void f(String x) throws Exception {\n    Map<String, Runner> m = Map.of("run", Runtime.getRuntime()::exec);\n    m.get("run").apply(x);\n  }\n}\n', 'package shop;\n\nimport java.util.Map;\n\nclass A {\n  void f(String x) throws Exception {\n    Map<String, Runner> m = Map.of("run", String::trim);\n    m.get("run").apply(x);\n  }\n}\n'),
    ('a field', SHELL, 'package shop;\n\n\nclass A {\n  private final Runner run = Runtime.getRuntime()::exec;\n  void f(String x) throws Exception {\n    run.apply(x);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  private final Runner run = String::trim;\n  void f(String x) throws Exception {\n    run.apply(x);\n  }\n}\n'),
    ('reflection', SHELL, 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Runtime.class.getMethod("exec", String.class).invoke(Runtime.getRuntime(), x);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Runtime.class.getMethod("totalMemory").invoke(Runtime.getRuntime());\n  }\n}\n'),
    ('reflection by names', SHELL, 'package shop;\n\n\nclass A {\n  void f(String x, Object rt) throws Exception {\n    Class.forName("java.lang.Runtime").getMethod("ex" + "ec", String.class).invoke(rt, x);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Class.forName("java.lang.String").getMethod("tr" + "im").invoke(x);\n  }\n}\n'),
    ('reflection in steps', SHELL, 'package shop;\n\nimport java.lang.reflect.Method;\n\nclass A {\n  void f(String x) throws Exception {\n    Class<?> c = Class.forName("java.lang.Runtime");\n    Method m = c.getMethod("exec", String.class);\n    m.invoke(c.getMethod("getRuntime").invoke(null), x);\n  }\n}\n', 'package shop;\n\nimport java.lang.reflect.Method;\n\nclass A {\n  void f(String x) throws Exception {\n    Class<?> c = Class.forName("java.lang.Runtime");\n    Method m = c.getMethod("gc");\n    m.invoke(c.getMethod("getRuntime").invoke(null));\n  }\n}\n'),
    ('a method that returns the runtime', SHELL, 'package shop;\n\n\nclass A {\n  Runtime rt() {\n    return Runtime.getRuntime();\n  }\n  void f(String x) throws Exception {\n    rt().exec(x);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  Runtime rt() {\n    return Runtime.getRuntime();\n  }\n  void f(String x) throws Exception {\n    rt().load("a.so");\n  }\n}\n'),
    ('a reference that is passed on', SHELL, 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Jobs.later(Runtime.getRuntime()::exec);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    Jobs.later(Runtime.getRuntime()::gc);\n  }\n}\n'),
    ('a full name', SHELL, 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    java.lang.Runtime.getRuntime().exec("ls " + x);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    java.lang.Runtime.getRuntime().exec("ls");\n  }\n}\n'),
    ('a builder in a variable', SHELL, 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    ProcessBuilder b = new ProcessBuilder();\n    b.command("sh", "-c", x);\n  }\n}\n', 'package shop;\n\n\nclass A {\n  void f(String x) throws Exception {\n    ProcessBuilder b = new ProcessBuilder();\n    b.command("ls", x);\n  }\n}\n'),
    ('a constant beside a value', QUERY, 'class Shops {\n    Object list(java.sql.Statement db, String name) throws Exception {\n        return db.executeQuery("select * from shops where name = \'" + (name != null ? name : "none") + "\'");\n    }\n}\n', 'class Shops {\n    Object list(java.sql.Statement db, String name) throws Exception {\n        return db.executeQuery("select * from shops where name = \'" + (name != null ? "some" : "none") + "\'");\n    }\n}\n'),
    ('an array that is filled', SHELL, 'class Shops {\n    void list(String name) throws Exception {\n        String[] words = {"", "", ""};\n        words[2] = "cat " + name;\n        words[1] = "-c";\n        words[0] = "/bin/sh";\n        new ProcessBuilder(words).start();\n    }\n}\n', 'class Shops {\n    void list(String name) throws Exception {\n        String[] words = {"", "", ""};\n        words[2] = name;\n        words[1] = "--";\n        words[0] = "/bin/cat";\n        new ProcessBuilder(words).start();\n    }\n}\n'),
    ('a function of C', SHELL, 'import java.lang.foreign.*;\n\nclass Shop {\n    Object list(Linker linker, SymbolLookup of, FunctionDescriptor way) {\n        return linker.downcallHandle(of.findOrThrow("system"), way);\n    }\n}\n', 'import java.lang.foreign.*;\n\nclass Shop {\n    Object list(Linker linker, SymbolLookup of, FunctionDescriptor way) {\n        return linker.downcallHandle(of.findOrThrow("strlen"), way);\n    }\n}\n'),
    ('a filter of JDO', QUERY, 'import javax.jdo.Query;\n\nclass Shops {\n    void named(Query<Shop> asked, String name) {\n        asked.setFilter("name == \\"" + name + "\\"");\n    }\n}\n', 'import javax.jdo.Query;\n\nclass Shops {\n    void named(Query<Shop> asked, String name) {\n        asked.setFilter("name == wanted");\n        asked.execute(name);\n    }\n}\n'),
    ('a condition in the language of the database', QUERY, 'import com.mongodb.client.model.Filters;\n\nclass Shops {\n    Object named(String name) {\n        return Filters.where("this.name == \'" + name + "\'");\n    }\n}\n', 'import com.mongodb.client.model.Filters;\n\nclass Shops {\n    Object named(String name) {\n        return Filters.eq("name", "shop " + name);\n    }\n}\n'),
    ('an event of a function in the cloud', SHELL, 'import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;\n\nclass Shops {\n    Object handleRequest(APIGatewayV2HTTPEvent in, Object ignored) throws Exception {\n        return Runtime.getRuntime().exec(in.getRawQueryString());\n    }\n}\n', 'import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;\n\nclass Shops {\n    Object handleRequest(APIGatewayV2HTTPEvent in, Object ignored) throws Exception {\n        return Runtime.getRuntime().exec("lp list");\n    }\n}\n'),
    ('an expression that is parsed raw', CODE, 'import org.springframework.expression.spel.standard.SpelExpressionParser;\n\nclass Shop {\n    Object rank(String way) {\n        return new SpelExpressionParser().parseRaw(way + " > 1").getValue();\n    }\n}\n', 'import org.springframework.expression.spel.standard.SpelExpressionParser;\n\nclass Shop {\n    Object rank(String way) {\n        return new SpelExpressionParser().parseRaw("rank > 1").getValue(way);\n    }\n}\n'),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "java")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_call_that_hides_is_found(number: int, found: Found) -> None:
    assert_is_found(found, number, CASES[number], "java")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_only_looks_like_it_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "java")
