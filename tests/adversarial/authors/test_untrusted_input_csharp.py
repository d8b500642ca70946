"""Untrusted input in C# that reaches a dangerous call, and the same code where it does not."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, LOADING, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names

_USING = (
    "using System.Diagnostics;\nusing Microsoft.AspNetCore.Mvc;\nusing Microsoft.Data.SqlClient;\nusing Dapper;\n\n"
)


_FILTER = "public record Filter { public string Name { get; set; } public int Page { get; set; } }\n"


def _action(body: str, parameters: str = "", more: str = "") -> str:
    """A controller with one action."""
    lines = "".join(f"        {each}\n" for each in body.split("\n"))
    return (
        f"{_USING}namespace Shop;\n\npublic class ItemsController : ControllerBase\n{{\n{more}"
        f"    [HttpGet]\n    public IActionResult Get({parameters})\n    {{\n{lines}        return Ok();\n    }}\n}}\n"
    )


def _route(handler: str) -> str:
    """A program that handles one route."""
    return (
        f'{_USING}var app = WebApplication.CreateBuilder(args).Build();\napp.MapGet("/run", {handler});\napp.Run();\n'
    )


CASES: list[Case] = [
    (
        "a whole program",
        SHELL,
        _action('Process.Start(Request.Query["p"]);'),
        _action('Process.Start("ls", Request.Query["p"]);'),
    ),
    (
        "words of a shell",
        SHELL,
        _action('Process.Start("/bin/sh", $"-c \\"ls {dir}\\"");', "[FromQuery] string dir"),
        _action('Process.Start("/bin/sh", $"-c \\"head -n {lines}\\"");', "[FromQuery] int lines"),
    ),
    (
        "fields of a start",
        SHELL,
        _action(
            'var info = new ProcessStartInfo { FileName = "cmd.exe", Arguments = "/c dir " + dir };\nProcess.Start(info);',
            "string dir",
        ),
        _action(
            'var info = new ProcessStartInfo { FileName = "git", Arguments = "log " + dir };\nProcess.Start(info);',
            "string dir",
        ),
    ),
    (
        "fields that are set later",
        SHELL,
        _action(
            'var info = new ProcessStartInfo();\ninfo.FileName = "bash";\nstring line = Request.Form["line"].ToString();\ninfo.Arguments = "-c " + line;\nProcess.Start(info);'
        ),
        _action(
            'var info = new ProcessStartInfo();\ninfo.FileName = "bash";\nstring line = Request.Form["line"].ToString();\ninfo.Arguments = "script.sh " + line;\nProcess.Start(info);'
        ),
    ),
    (
        "a list of words",
        SHELL,
        _action(
            'var info = new ProcessStartInfo("sh");\ninfo.ArgumentList.Add("-c");\ninfo.ArgumentList.Add(Request.Headers["X-Run"]);\nProcess.Start(info);'
        ),
        _action(
            'var info = new ProcessStartInfo("ls");\ninfo.ArgumentList.Add("-l");\ninfo.ArgumentList.Add(Request.Headers["X-Run"]);\nProcess.Start(info);'
        ),
    ),
    (
        "a program of a process",
        SHELL,
        _action(
            "var process = new Process();\nprocess.StartInfo.FileName = tool;\nprocess.Start();",
            "[FromRoute] string tool",
        ),
        _action(
            'var process = new Process();\nprocess.StartInfo.FileName = "git";\nprocess.StartInfo.WorkingDirectory = tool;\nprocess.Start();',
            "[FromRoute] string tool",
        ),
    ),
    (
        "a choice from a list",
        SHELL,
        _action('Process.Start("sh", "-c " + tool);', "string tool"),
        _action(
            'if (tool is not ("ls" or "df"))\n    return NotFound();\nProcess.Start("sh", "-c " + tool);', "string tool"
        ),
    ),
    (
        "an allow-list that is asked",
        SHELL,
        _action('if (!tool.StartsWith("l")) return NotFound();\nProcess.Start(tool);', "string tool"),
        _action(
            "if (!Allowed.Contains(tool)) return NotFound();\nProcess.Start(tool);",
            "string tool",
            '    private static readonly string[] Allowed = { "ls", "df" };\n',
        ),
    ),
    (
        "a lambda of a route",
        SHELL,
        _route('(string host) => Process.Start("bash", "-c \\"ping " + host + "\\"")'),
        _route('(int host) => Process.Start("bash", "-c \\"ping 10.0.0." + host + "\\"")'),
    ),
    (
        "a command of SQL",
        QUERY,
        _action(
            'var command = new SqlCommand("SELECT * FROM items WHERE name = \'" + name + "\'", connection);',
            "string name",
        ),
        _action(
            'var command = new SqlCommand("SELECT * FROM items WHERE name = @name", connection);\ncommand.Parameters.AddWithValue("@name", name);',
            "string name",
        ),
    ),
    (
        "the text of a command",
        QUERY,
        _action(
            'var name = Request.Query["name"].FirstOrDefault()?.Trim();\ncommand.CommandText = $"SELECT * FROM items WHERE name = \'{name}\'";'
        ),
        _action(
            'var id = int.Parse(Request.Query["id"]);\ncommand.CommandText = $"SELECT * FROM items WHERE id = {id}";'
        ),
    ),
    (
        "Dapper",
        QUERY,
        _action("var found = connection.Query<Item>($\"select * from items where name = '{name}'\");", "string name"),
        _action(
            'var found = connection.Query<Item>("select * from items where name = @name", new { name });', "string name"
        ),
    ),
    (
        "raw SQL of Entity Framework",
        QUERY,
        _action(
            'string sql = "SELECT * FROM items";\nsql += " WHERE name = \'" + name + "\'";\nvar found = db.Items.FromSqlRaw(sql).ToList();',
            "[FromBody] string name",
        ),
        _action(
            'var found = db.Items.FromSqlInterpolated($"SELECT * FROM items WHERE name = {name}").ToList();',
            "[FromBody] string name",
        ),
    ),
    (
        "a field of a model",
        QUERY,
        _action("db.Database.ExecuteSqlRaw($\"update items set name = '{model.Name}'\");", "Filter model") + _FILTER,
        _action('db.Database.ExecuteSqlRaw($"delete from items where page = {model.Page}");', "Filter model") + _FILTER,
    ),
    (
        "a helper of the class",
        QUERY,
        _action(
            "Find(name);",
            "string name",
            '    private void Find(string value)\n    {\n        command.CommandText = "SELECT * FROM items WHERE name = \'" + value + "\'";\n    }\n',
        ),
        _action(
            "Find(name.Length);",
            "string name",
            '    private void Find(int value)\n    {\n        command.CommandText = "SELECT * FROM items WHERE size = " + value;\n    }\n',
        ),
    ),
    (
        "a script",
        CODE,
        "using Microsoft.CodeAnalysis.CSharp.Scripting;\n"
        + _action('CSharpScript.EvaluateAsync(Request.Form["code"]);'),
        "using Microsoft.CodeAnalysis.CSharp.Scripting;\n"
        + _action('CSharpScript.EvaluateAsync("1 + 1");\nLog(Request.Form["code"]);'),
    ),
    (
        "a library",
        CODE,
        _action('System.Reflection.Assembly.LoadFrom(Path.Combine("plugins", name));', "string name"),
        _action('System.Reflection.Assembly.LoadFrom(Path.Combine("plugins", "a.dll"));', "string name"),
    ),
    (
        "objects of any class",
        LOADING,
        "using System.Runtime.Serialization.Formatters.Binary;\n"
        + _action("var formatter = new BinaryFormatter();\nvar cart = formatter.Deserialize(Request.Body);"),
        "using System.Text.Json;\n" + _action("var cart = JsonSerializer.Deserialize<Cart>(Request.Body);"),
    ),
    (
        "a formatter by its full name",
        LOADING,
        _action("var cart = new System.Web.UI.LosFormatter().Deserialize(Request.Body);"),
        _action("var cart = new Shop.Web.CartFormatter().Deserialize(Request.Body);"),
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "cs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_reaches_a_dangerous_call_is_confirmed_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "cs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_is_provably_harmless_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "cs")
