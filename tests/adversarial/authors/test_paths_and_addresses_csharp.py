"""Untrusted input in C# that chooses a file, a host or the target of a redirect, and the same code where it is checked."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import FORGERY, PATH, REDIRECT, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names

_HEAD = "using System;\nusing System.IO;\nusing System.IO.Compression;\nusing System.Net.Http;\nusing System.Threading.Tasks;\nusing Microsoft.AspNetCore.Mvc;\n\n"


def _action(body: str, given: str = "string name", more: str = "") -> str:
    """A controller with one action."""
    lines = "".join(f"        {each}\n" for each in body.split("\n"))
    return f'{_HEAD}public class FilesController : ControllerBase\n{{\n    private const string Root = "/data/";\n{more}    [HttpGet]\n    public async Task<IActionResult> Show({given})\n    {{\n{lines}    }}\n}}\n'


def _both(name: str, probe: str, hostile: str, benign: str, given: str = "string name", more: str = "") -> Case:
    return name, probe, _action(hostile, given, more), _action(benign, given, more)


_CLIENT = "    private readonly HttpClient _http;\n"
_FACTORY = "    private readonly IHttpClientFactory _clients;\n"
_MINIMAL = 'using System.IO;\nusing Microsoft.AspNetCore.Builder;\nusing Microsoft.AspNetCore.Http;\n\nvar app = WebApplication.CreateBuilder(args).Build();\napp.MapGet("/f", (string name) => {});\n'
_PAGE = 'using Microsoft.AspNetCore.Mvc;\nusing Microsoft.AspNetCore.Mvc.RazorPages;\n\npublic class DownloadModel : PageModel\n{{\n    public IActionResult OnGet(string file)\n    {{\n        return PhysicalFile({}, "text/plain");\n    }}\n}}\n'
_RENAMED = "using Microsoft.AspNetCore.Mvc;\nusing Disk = System.IO.File;\n\npublic class AController : Controller\n{{\n    {} IActionResult Get(string f)\n    {{\n        return Ok(Disk.ReadAllText(f));\n    }}\n}}\n"
_ZIP = "using System.IO;\nusing System.IO.Compression;\n\nstatic class Archives\n{{\n    public static void Unpack(string file, string folder)\n    {{\n        using var archive = ZipFile.OpenRead(file);\n        foreach (ZipArchiveEntry entry in archive.Entries)\n        {{\n{}\n        }}\n    }}\n}}\n"
CASES: list[Case] = [
    _both("a file that is read", PATH, "return Ok(System.IO.File.ReadAllText(Path.Combine(Root, name)));", "return Ok(System.IO.File.ReadAllText(Path.Combine(Root, Path.GetFileName(name))));"),
    _both("a file that is read in time", PATH, "return Ok(await System.IO.File.ReadAllBytesAsync(Root + name));", "return Ok(await System.IO.File.ReadAllBytesAsync(Root + id));", "string name, int id"),
    _both("a path that is compared before it is resolved", PATH, "var path = Path.Combine(Root, name);\nif (!path.StartsWith(Root)) return BadRequest();\nreturn PhysicalFile(path, \"text/plain\");", "var path = Path.GetFullPath(Path.Combine(Root, name));\nif (!path.StartsWith(Root, StringComparison.Ordinal)) return BadRequest();\nreturn PhysicalFile(path, \"text/plain\");"),
    _both("a check that decides nothing", PATH, "var path = Path.GetFullPath(Path.Combine(Root, name));\nif (!path.StartsWith(Root)) Console.WriteLine(path);\nSystem.IO.File.Delete(path);", "if (name.Contains(\"..\") || name.Contains('/')) return BadRequest();\nSystem.IO.File.Delete(Root + name);"),
    _both("a stream of a file", PATH, "using var stream = new FileStream($\"{Root}{name}\", FileMode.Open);\nreturn Ok(stream);", "using var stream = new FileStream($\"{Root}{Path.GetRandomFileName()}\", FileMode.Create);\nreturn Ok(name);"),
    _both("a reader of a file", PATH, "using var reader = new StreamReader(Path.Combine(Root, name));\nreturn Ok(reader.ReadToEnd());", "using var reader = new StreamReader(Request.Body);\nreturn Ok(await reader.ReadToEndAsync());"),
    _both("an upload under its own name", PATH, "using var target = System.IO.File.Create(Path.Combine(Root, upload.FileName));\nawait upload.CopyToAsync(target);\nreturn Ok();", "using var target = System.IO.File.Create(Path.Combine(Root, Path.GetRandomFileName()));\nawait upload.CopyToAsync(target);\nreturn Ok(upload.FileName);", "IFormFile upload"),
    _both("a folder that is deleted", PATH, "Directory.Delete(Path.Combine(Root, Request.Query[\"dir\"]), true);\nreturn Ok();", "Directory.Delete(Path.Combine(Root, Guid.Parse(Request.Query[\"dir\"]).ToString()), true);\nreturn Ok();"),
    _both("the target of a copy", PATH, "System.IO.File.Copy(\"/templates/a\", Path.Combine(Root, name));\nreturn Ok();", "if (Path.GetFileName(name) != name) return BadRequest();\nSystem.IO.File.Copy(\"/templates/a\", Path.Combine(Root, name));\nreturn Ok();"),
    _both("a file object", PATH, "new FileInfo(Path.Combine(Root, name)).Delete();\nreturn Ok();", "new FileInfo(Path.Combine(Root, \"log.txt\")).Delete();\nreturn Ok(name);"),
    _both("a name of a known list", PATH, "return Ok(System.IO.File.ReadAllLines(name));", "var allowed = new[] { \"a.txt\", \"b.txt\" };\nif (!allowed.Contains(name)) return NotFound();\nreturn Ok(System.IO.File.ReadAllLines(name));"),
    ("a route without a controller", PATH, _MINIMAL.format('File.ReadAllText("/data/" + name)'), _MINIMAL.format('File.ReadAllText("/data/" + Path.GetFileName(name))')),
    ("a file that a route sends", PATH, _MINIMAL.format('Results.File("/data/" + name, "text/plain")'), _MINIMAL.format('Results.Text("/data/" + name, "text/plain")')),
    _both("an address", FORGERY, "return Ok(await _http.GetStringAsync(name));", "return Ok(await _http.GetStringAsync(\"https://shop.example/items/\" + name));", more=_CLIENT),
    _both("an address of a new client", FORGERY, "using var http = new HttpClient();\nreturn Ok(await http.GetAsync($\"https://{name}/status\"));", "using var http = new HttpClient();\nreturn Ok(await http.GetAsync($\"https://shop.example/{name}\"));"),
    _both("an address of a made client", FORGERY, "var http = _clients.CreateClient();\nreturn Ok(await http.GetStringAsync(name));", "var http = _clients.CreateClient();\nreturn Ok(await http.GetStringAsync($\"/items/{name}\"));", more=_FACTORY),
    _both("a message", FORGERY, "var message = new HttpRequestMessage(HttpMethod.Get, name);\nreturn Ok(await _http.SendAsync(message));", "var message = new HttpRequestMessage(HttpMethod.Get, \"https://shop.example\");\nmessage.Headers.Add(\"x-name\", name);\nreturn Ok(await _http.SendAsync(message));", more=_CLIENT),
    _both("an address of an old client", FORGERY, "var request = System.Net.WebRequest.Create(name);\nreturn Ok(request.GetResponse());", "var url = new Uri(name);\nif (url.Host != \"shop.example\") return BadRequest();\nvar request = System.Net.WebRequest.Create(url);\nreturn Ok(request.GetResponse());"),
    _both("a host that no slash ends", FORGERY, "return Ok(await _http.PostAsync(\"https://shop.example\" + name, null));", "return Ok(await _http.PostAsync(\"https://shop.example/?q=\" + Uri.EscapeDataString(name), null));", more=_CLIENT),
    _both("a host that is not asked for", FORGERY, "if (!Uri.TryCreate(name, UriKind.Absolute, out var url)) return BadRequest();\nreturn Ok(await _http.GetStringAsync(url));", "if (!Uri.TryCreate(name, UriKind.Absolute, out var url) || url.Host != \"shop.example\") return BadRequest();\nreturn Ok(await _http.GetStringAsync(url));", more=_CLIENT),
    _both("a redirect", REDIRECT, "return Redirect(returnUrl);", "return LocalRedirect(returnUrl);", "string returnUrl"),
    _both("a redirect that is not checked", REDIRECT, "if (string.IsNullOrEmpty(returnUrl)) return Ok();\nreturn Redirect(returnUrl);", "if (Url.IsLocalUrl(returnUrl)) return Redirect(returnUrl);\nreturn RedirectToAction(\"Index\");", "string returnUrl"),
    _both("a redirect for ever", REDIRECT, "return RedirectPermanent(Request.Query[\"next\"]);", "return RedirectPermanent(\"/items/\" + Request.Query[\"next\"]);"),
    _both("a redirect of the response", REDIRECT, "Response.Redirect(name);\nreturn Ok();", "Response.Redirect($\"https://{Request.Host}{Request.Path}\");\nreturn Ok(name);"),
    _both("the result of a redirect", REDIRECT, "return new RedirectResult(name);", "if (!Url.IsLocalUrl(name)) throw new Exception();\nreturn new RedirectResult(name);"),
    ("a redirect of a route", REDIRECT, _MINIMAL.format("Results.Redirect(name)"), _MINIMAL.format("Results.LocalRedirect(name)")),
    ("a Razor page", PATH, _PAGE.format('"/data/" + file'), _PAGE.format('"/data/" + System.IO.Path.GetFileName(file)')),
    ("a class by another name", PATH, _RENAMED.format("public"), _RENAMED.format("[NonAction] public")),
    _both("characters that are left", PATH, "return PhysicalFile(Root + new string(name.Where(c => c != ' ').ToArray()), \"text/plain\");", "return PhysicalFile(Root + new string(name.Where(char.IsLetterOrDigit).ToArray()), \"text/plain\");"),
    _both("a check in a function of the class", PATH, "if (!IsSafe(name)) return BadRequest();\nreturn Ok(System.IO.File.ReadAllText(Root + name));", "if (!IsPlain(name)) return BadRequest();\nreturn Ok(System.IO.File.ReadAllText(Root + name));", more="    private static bool IsSafe(string given) { return given.Length > 0; }\n    private static bool IsPlain(string given)\n    {\n        if (given.Contains(\"..\")) return false;\n        return true;\n    }\n"),
    _both("a base address", FORGERY, "var request = new HttpRequestMessage { RequestUri = new Uri(name) };\nreturn Ok(await _http.SendAsync(request));", "var request = new HttpRequestMessage { RequestUri = new Uri(\"https://shop.example\") };\nreturn Ok(await _http.SendAsync(request));", more=_CLIENT),
    _both("a header", REDIRECT, "Response.Headers[\"Location\"] = name;\nreturn StatusCode(302);", "Response.Headers[\"X-Name\"] = name;\nreturn StatusCode(302);"),
    _both("a header as a property", REDIRECT, "Response.Headers.Location = name;\nreturn StatusCode(302);", "Response.Headers.Location = \"/items/\" + name;\nreturn StatusCode(302);"),
    _both("a method of the class above", REDIRECT, "return base.Redirect(name);", "return base.LocalRedirect(name);"),
    _both("an argument by its name", REDIRECT, "return Redirect(url: name);", "return RedirectToAction(actionName: name);"),
    _both("a class with all of its name", PATH, "global::System.IO.File.Delete(name);\nreturn Ok();", "global::System.IO.File.Delete(\"a.txt\");\nreturn Ok(name);"),
]  # fmt: skip
_ARCHIVE: Case = (
    "members of an archive",
    PATH,
    _ZIP.format("            entry.ExtractToFile(Path.Combine(folder, entry.FullName));"),
    _ZIP.format(
        "            var path = Path.GetFullPath(Path.Combine(folder, entry.FullName));\n            if (!path.StartsWith(folder)) continue;\n            entry.ExtractToFile(path);"
    ),
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), [*CASES, _ARCHIVE], "cs")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_chooses_a_place_is_found_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "cs")


def test_a_member_of_an_archive_that_names_its_own_place_is_likely(found: Found) -> None:
    (flow,) = [each for each in found[f"shop{len(CASES)}/hostile.cs"] if each.probe == PATH]
    assert flow.confidence == 0.6


@pytest.mark.parametrize("number", range(len(CASES) + 1), ids=names([*CASES, _ARCHIVE]))
def test_a_place_that_is_checked_or_fixed_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "cs")
