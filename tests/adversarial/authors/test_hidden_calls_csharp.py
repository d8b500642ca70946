"""Dangerous calls in C# that hide behind delegates and reflection."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, LOADING, PATH, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names

_USING = (
    "using System.Diagnostics;\nusing System.Reflection;\nusing Microsoft.CodeAnalysis.CSharp.Scripting;\n"
    "using Runner = System.Diagnostics.Process;\nusing Names = System.IO.Path;\n\n"
)


def _method(body: str) -> str:
    """A class with one method."""
    lines = "".join(f"        {each}\n" for each in body.split("\n"))
    more = "    void Each(Func<string, object> run, string x)\n    {\n        run(x);\n    }\n"
    return f"{_USING}class Label\n{{\n    void Print(string x, bool quiet)\n    {{\n{lines}    }}\n{more}}}\n"


CASES: list[Case] = [
    (
        "a method in a field that another class calls",
        SHELL,
        "using System;\nusing System.Diagnostics;\nclass Tools {\n  public Func<string, string, Process> Start = Process.Start;\n}\n",
        "using System;\nusing System.Diagnostics;\nclass Tools {\n  public Func<int, Process> Start = Process.GetProcessById;\n}\n",
    ),
    (
        "a delegate",
        SHELL,
        _method("Func<string, Process> run = Process.Start;\nrun(x);"),
        _method("Func<string, string> run = Path.GetFileName;\nrun(x);"),
    ),
    (
        "a delegate that is invoked",
        SHELL,
        _method("Func<string, Process> run = Process.Start;\nrun.Invoke(x);"),
        _method("Func<string, string> run = Path.GetFileName;\nrun.Invoke(x);"),
    ),
    (
        "a table",
        SHELL,
        _method(
            'var table = new Dictionary<string, Func<string, Process>> { ["run"] = Process.Start };\ntable["run"](x);'
        ),
        _method(
            'var table = new Dictionary<string, Func<string, string>> { ["run"] = Path.GetFileName };\ntable["run"](x);'
        ),
    ),
    (
        "reflection",
        SHELL,
        _method('typeof(Process).GetMethod("Start").Invoke(null, new object[] { x });'),
        _method('typeof(Process).GetMethod("GetProcesses").Invoke(null, new object[] { x });'),
    ),
    (
        "reflection by names",
        SHELL,
        _method('Type.GetType("System.Diagnostics.Process").GetMethod("Start").Invoke(null, new object[] { x });'),
        _method('Type.GetType("System.IO.Path").GetMethod("GetFileName").Invoke(null, new object[] { x });'),
    ),
    (
        "reflection by a name that is put together",
        SHELL,
        _method(
            'var method = typeof(Process).GetMethod("St" + "art", new[] { typeof(string) });\nmethod.Invoke(null, new object[] { x });'
        ),
        _method('var method = typeof(Path).GetMethod("Get" + "FileName");\nmethod.Invoke(null, new object[] { x });'),
    ),
    (
        "a method that is mapped",
        SHELL,
        _method("lines.Select(Process.Start).ToList();"),
        _method("lines.Select(Path.GetFileName).ToList();"),
    ),
    (
        "a method that is passed on",
        SHELL,
        _method("jobs.Later(Process.Start);"),
        _method("jobs.Later(Path.GetFileName);"),
    ),
    ("a parameter", SHELL, _method("Each(Process.Start, x);"), _method("Each(Path.GetFileName, x);")),
    (
        "a choice",
        SHELL,
        _method("Func<string, object> run = quiet ? Path.GetFileName : Process.Start;\nrun(x);"),
        _method("Func<string, object> run = quiet ? Path.GetFileName : Path.GetFullPath;\nrun(x);"),
    ),
    (
        "a number for a setting",
        LOADING,
        _method("var how = new JsonSerializerSettings { TypeNameHandling = (TypeNameHandling)3 };"),
        _method("var how = new JsonSerializerSettings { TypeNameHandling = (TypeNameHandling)0 };"),
    ),
    (
        "text as code",
        CODE,
        _method("Func<string, Task<object>> run = CSharpScript.EvaluateAsync;\nrun(x);"),
        _method("Func<string, Task<object>> run = File.ReadAllTextAsync;\nrun(x);"),
    ),
    (
        "texts that are put together by their class",
        QUERY,
        'class Shops {\n    object List(System.Data.SqlClient.SqlConnection db, string name) {\n        return new System.Data.SqlClient.SqlCommand(string.Concat("select * from shops where name = \'", name, "\'"), db).ExecuteScalar();\n    }\n}\n',
        'class Shops {\n    object List(System.Data.SqlClient.SqlConnection db, string name) {\n        return new System.Data.SqlClient.SqlCommand(string.Concat("select * from shops ", "where name is not null"), db).ExecuteScalar();\n    }\n}\n',
    ),
    (
        "a branch before the last one",
        SHELL,
        'class Shops {\n    void List(string name) {\n        string line;\n        if (name != null)\n        {\n            line = "-c \\"cat " + name + "\\"";\n        }\n        else\n        {\n            line = "-c true";\n        }\n        System.Diagnostics.Process.Start("bash", line);\n    }\n}\n',
        'class Shops {\n    void List(string name) {\n        string line;\n        if (name != null)\n        {\n            line = "-l";\n        }\n        else\n        {\n            line = "-a";\n        }\n        System.Diagnostics.Process.Start("ls", line);\n    }\n}\n',
    ),
    (
        "a function of C",
        SHELL,
        'using System.Runtime.InteropServices;\nstatic partial class Shop {\n    [LibraryImport("libc", StringMarshalling = StringMarshalling.Utf8)]\n    private static partial int system(string line);\n    static void List(string name) => system($"cat {name}");\n}\n',
        'using System.Runtime.InteropServices;\nstatic partial class Shop {\n    [LibraryImport("libc", StringMarshalling = StringMarshalling.Utf8)]\n    private static partial int puts(string line);\n    static void List(string name) => puts($"cat {name}");\n}\n',
    ),
    (
        "an event of a function in the cloud",
        PATH,
        'using Amazon.Lambda.APIGatewayEvents;\nclass Shop {\n    public string Get(APIGatewayHttpApiV2ProxyRequest asked) => System.IO.File.ReadAllText("data/" + asked.PathParameters["name"]);\n}\n',
        'using Amazon.Lambda.APIGatewayEvents;\nclass Shop {\n    public string Get(APIGatewayHttpApiV2ProxyRequest asked) => System.IO.File.ReadAllText("data/list") + asked.PathParameters["name"];\n}\n',
    ),
    (
        "a library from a stream",
        CODE,
        'using System.Runtime.Loader;\nusing Microsoft.AspNetCore.Http;\nusing Microsoft.AspNetCore.Mvc;\npublic class ShopsController : Controller {\n    [HttpPut]\n    public string Put(IFormFile sent) => new AssemblyLoadContext("shop").LoadFromStream(sent.OpenReadStream()).FullName;\n}\n',
        'using System.Runtime.Loader;\nusing Microsoft.AspNetCore.Http;\nusing Microsoft.AspNetCore.Mvc;\npublic class ShopsController : Controller {\n    [HttpPut]\n    public string Put(IFormFile sent) => new AssemblyLoadContext("shop").LoadFromStream(System.IO.File.OpenRead("shop.dll")).FullName + sent.FileName;\n}\n',
    ),
    (
        "a generator",
        PATH,
        'using System.Collections.Generic;\nusing Microsoft.AspNetCore.Mvc;\npublic class ShopsController : Controller {\n    private IEnumerable<string> Pages() { yield return Request.Form["page"]; }\n    [HttpPost]\n    public void Put() { foreach (var page in Pages()) { System.IO.File.Delete("pages/" + page); } }\n}\n',
        'using System.Collections.Generic;\nusing Microsoft.AspNetCore.Mvc;\npublic class ShopsController : Controller {\n    private IEnumerable<string> Pages() { yield return "start"; }\n    [HttpPost]\n    public string Put() { foreach (var page in Pages()) { System.IO.File.Delete("pages/" + page); } return Request.Form["page"]; }\n}\n',
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "cs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_call_that_hides_is_found(number: int, found: Found) -> None:
    assert_is_found(found, number, CASES[number], "cs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_only_looks_like_it_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "cs")
