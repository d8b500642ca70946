"""Untrusted input that chooses a file, a host or the target of a redirect, and the same code where it is checked."""

from __future__ import annotations

import re

import pytest

from auditor.domain import CodeLocation, Evidence
from tests.adversarial.authors.drawing import FORGERY, PATH, REDIRECT, evidence_by_path

Pair = tuple[str, str, str, str, str]
"""What is shown, the suffix of the file, the probe, the hostile lines, and those that look alike and do no harm."""
_FRAMES = {
    "py": "import os\nimport shutil\nimport tarfile\nimport zipfile\nfrom pathlib import Path\nfrom urllib.parse import urlparse\n\nimport requests\nfrom flask import redirect, request, send_file\nfrom werkzeug.utils import secure_filename\n\nBASE = '/data'\n\n\ndef f(p):\n{}\n",
    "js": "const express = require('express');\nconst fs = require('fs');\nconst path = require('path');\nconst axios = require('axios');\nconst B = '/data';\nconst app = express();\napp.get('/', (req, res) => {{\n{}\n}});\n",
    "ts": "import express, {{ Request, Response }} from 'express';\nimport fs, {{ readFileSync as slurp }} from 'fs';\nimport path from 'path';\nconst B = '/data';\nexport function f(req: Request, res: Response) {{\n{}\n}}\n",
    "go": 'package shop\n\nimport (\n\t"archive/zip"\n\t"fmt"\n\t"net/http"\n\t"os"\n\t"path/filepath"\n\t"strings"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request, p string) {{\n{}\n}}\n',
    "java": "import java.io.*;\nimport java.nio.file.*;\nimport java.net.URL;\nimport java.util.zip.*;\nimport javax.servlet.http.*;\n\nclass S {{\n    void f(HttpServletRequest request, HttpServletResponse response, ZipInputStream in, File dir) throws Exception {{\n{}\n    }}\n}}\n",
    "rb": "class FilesController < ApplicationController\n  def show\n{}\n  end\nend\n",
}
_INDENT = {"py": "    ", "js": "  ", "ts": "  ", "go": "\t", "java": "        ", "rb": "    "}
PAIRS: list[Pair] = [
    ("a file that is opened", "py", PATH, "return open(request.args['f']).read()", "return open(secure_filename(request.args['f'])).read()"),
    ("a joined path", "py", PATH, "q = os.path.join(BASE, request.args['f'])\nwith open(q) as h:\n    return h.read()", "q = os.path.realpath(os.path.join(BASE, request.args['f']))\nif not q.startswith(BASE + os.sep):\n    raise ValueError\nwith open(q) as h:\n    return h.read()"),
    ("a file that is sent", "py", PATH, "return send_file('x/' + request.args['f'])", "return send_file(os.path.join('x', os.path.basename(request.args['f'])))"),
    ("a folder that is deleted", "py", PATH, "shutil.rmtree(f\"{BASE}/{request.form['d']}\")", "n = int(request.form['d'])\nshutil.rmtree(f'{BASE}/{n}')"),
    ("a path object", "py", PATH, "return (Path(BASE) / request.args['f']).read_text()", "q = (Path(BASE) / request.args['f']).resolve()\nif not q.is_relative_to(BASE):\n    raise ValueError\nreturn q.read_text()"),
    ("an upload under its own name", "py", PATH, "u = request.files['u']\nu.save(os.path.join(BASE, u.filename))", "u = request.files['u']\nu.save(os.path.join(BASE, secure_filename(u.filename)))"),
    ("a check of a path that was not resolved", "py", PATH, "q = BASE + request.args['f']\nif not q.startswith(BASE):\n    raise ValueError\nreturn open(q)", "q = os.path.abspath(os.path.join(BASE, request.args['f']))\nif os.path.commonpath([BASE, q]) != BASE:\n    raise ValueError\nreturn open(q)"),
    ("a check that decides nothing", "py", PATH, "q = os.path.realpath(os.path.join(BASE, request.args['f']))\nif not q.startswith(BASE):\n    print(q)\nreturn open(q)", "q = (Path(BASE) / request.args['f']).resolve()\nq.relative_to(BASE)\nreturn q.read_text()"),
    ("the target of a copy", "py", PATH, "shutil.copy('/a', request.args['to'])", "n = request.args['to']\nif '..' in n or n.startswith('/'):\n    raise ValueError\nshutil.copy('/a', os.path.join(BASE, n))"),
    ("a file that is deleted", "py", PATH, "Path(request.args['f']).unlink()", "n = request.args['f']\nif n not in ('a', 'b'):\n    raise ValueError\nPath(n).unlink()"),
    ("an archive of a request", "py", PATH, "t = tarfile.open(fileobj=request.files['a'].stream)\nt.extractall('out')", "t = tarfile.open(fileobj=request.files['a'].stream)\nt.extractall('out', filter='data')"),
    ("an archive of somebody", "py", PATH, "with tarfile.open(p) as t:\n    t.extractall('out')", "with zipfile.ZipFile(p) as t:\n    t.extractall('out')"),
    ("members of an archive", "py", PATH, "with zipfile.ZipFile(p) as z:\n    for m in z.namelist():\n        with open(os.path.join('out', m), 'wb') as h:\n            h.write(z.read(m))", "with zipfile.ZipFile(p) as z:\n    for m in z.namelist():\n        with open(os.path.join('out', os.path.basename(m)), 'wb') as h:\n            h.write(z.read(m))"),
    ("a URL", "py", FORGERY, "return requests.get(request.args['u'], timeout=5)", "return requests.get('https://x.example/' + request.args['u'], timeout=5)"),
    ("a host behind a scheme", "py", FORGERY, "return requests.get(f\"http://{request.args['h']}/x\", timeout=5)", "u = request.args['u']\nh = urlparse(u)\nif h.hostname not in {'a.example'}:\n    raise ValueError\nreturn requests.get(u, timeout=5)"),
    ("a host that no slash ends", "py", FORGERY, "return requests.get('https://x.example' + request.args['u'], timeout=5)", "return requests.get('https://x.example?u=' + request.args['u'], timeout=5)"),
    ("a host that no slash ends, in a text with marks", "py", FORGERY, "return requests.get('https://x.example:%s' % request.args['u'], timeout=5)", "return requests.get('https://x.example:%s/%s' % (os.sep, request.args['u']), timeout=5)"),
    ("a host that no slash ends, by a name", "py", FORGERY, "b = 'https://x.example'\nreturn requests.get(f\"{b}@{request.args['u']}\", timeout=5)", "b = 'https://x.example'\nreturn requests.get(f'{b}{request.full_path}', timeout=5)"),
    ("a redirect to a host that no slash ends", "py", REDIRECT, "return redirect('https://x.example' + request.args['next'])", "return redirect('https://x.example/' + request.args['next'])"),
    ("a redirect", "py", REDIRECT, "return redirect(request.args['next'])", "return redirect('/u/' + request.args['next'])"),
    ("a redirect with a default", "py", REDIRECT, "n = request.args.get('n')\nif not n:\n    n = '/x'\nreturn redirect(n)", "n = request.args.get('n')\nif not n or urlparse(n).netloc != '':\n    n = '/x'\nreturn redirect(n)"),
    ("a file that is read", "js", PATH, "fs.readFile(req.query.f, (e, d) => res.send(d));", "fs.readFile(path.join(B, path.basename(req.query.f)), (e, d) => res.send(d));"),
    ("a file that is sent", "js", PATH, "res.sendFile(path.join(B, req.params.f));", "res.sendFile(req.params.f, { root: B });"),
    ("a check that decides nothing", "js", PATH, "const p = path.join(B, req.query.f);\nif (!p.startsWith(B)) { console.log(p); }\nfs.createReadStream(p).pipe(res);", "const p = path.resolve(B, req.query.f);\nif (!p.startsWith(B + path.sep)) { return res.status(400).end(); }\nfs.createReadStream(p).pipe(res);"),
    ("a check of a path that was not resolved", "js", PATH, "const p = B + '/' + req.query.f;\nif (!p.startsWith(B)) { return; }\nfs.createReadStream(p).pipe(res);", "const n = req.query.n;\nif (n.includes('..') || n.includes('/')) { return res.end(); }\nfs.readFile(B + n, () => {});"),
    ("a file that is deleted", "js", PATH, "fs.promises.unlink(`${B}/${req.body.n}`);", "const n = Number(req.body.n);\nfs.promises.unlink(`${B}/${n}`);"),
    ("a URL", "js", FORGERY, "axios.get(req.query.u).then((r) => res.send(r.data));", "axios.get('https://x.example/' + req.query.u).then((r) => res.send(r.data));"),
    ("a host behind a scheme", "js", FORGERY, "axios.get(`http://${req.query.h}/x`).then((r) => res.send(r.data));", "const u = new URL(req.query.h);\nif (!['a.example'].includes(u.hostname)) { return res.end(); }\naxios.get(req.query.h);"),
    ("a host that no slash ends", "js", FORGERY, "axios.get(`https://x.example${req.query.u}`).then((r) => res.send(r.data));", "axios.get(`https://x.example${req.originalUrl}`).then((r) => res.send(r.data));"),
    ("a redirect", "js", REDIRECT, "res.redirect(req.query.next);", "res.redirect('/u/' + req.query.next);"),
    ("a redirect to what is called like the own address", "js", REDIRECT, "res.redirect(req.query.url);", "res.redirect(req.originalUrl + '/');"),
    ("a redirect by a key that is called like the own address", "js", REDIRECT, "res.redirect(req.query['url']);", "res.redirect(req.originalUrl);"),
    ("a place that is not asked for", "js", PATH, "const p = path.resolve(B, req.query.f);\nif (p.indexOf(B)) { return res.end(); }\nfs.createReadStream(p).pipe(res);", "const p = path.resolve(B, req.query.f);\nif (p.indexOf(B + path.sep) !== 0) { return res.end(); }\nfs.createReadStream(p).pipe(res);"),
    ("a function of the file that says nothing", "js", PATH, "const ok = (n) => { return true; };\nif (!ok(req.query.f)) { return res.end(); }\nfs.readFile(B + req.query.f, () => {});", "const ok = (n) => { if (n.includes('..')) { return false; } return true; };\nif (!ok(req.query.f)) { return res.end(); }\nfs.readFile(B + req.query.f, () => {});"),
    ("a function by another name", "ts", PATH, "slurp(req.body.name);", "slurp('log.txt');"),
    ("a file that is written", "ts", PATH, "fs.writeFileSync(path.join(B, req.body.name), req.body.text);", "fs.writeFileSync(path.join(B, 'log.txt'), req.body.text);"),
    ("a file that is opened", "go", PATH, 'os.Open(r.URL.Query().Get("f"))', 'os.Open(filepath.Join("/data", filepath.Base(r.URL.Query().Get("f"))))'),
    ("a file that is sent", "go", PATH, 'q := filepath.Join("/data", r.FormValue("f"))\nhttp.ServeFile(w, r, q)', 'q := filepath.Join("/data", r.FormValue("f"))\nif !strings.HasPrefix(q, "/data/") {\n\treturn\n}\nhttp.ServeFile(w, r, q)'),
    ("a folder that is deleted", "go", PATH, 'os.RemoveAll("/data/" + r.FormValue("f"))', 'n := r.FormValue("f")\nif !filepath.IsLocal(n) {\n\treturn\n}\nos.RemoveAll(filepath.Join("/data", n))'),
    ("members of an archive", "go", PATH, 'z, _ := zip.OpenReader(p)\nfor _, m := range z.File {\n\tos.Create(filepath.Join("/data", m.Name))\n}', 'z, _ := zip.OpenReader(p)\nfor _, m := range z.File {\n\tq := filepath.Join("/data", m.Name)\n\tif !strings.HasPrefix(q, "/data/") {\n\t\tcontinue\n\t}\n\tos.Create(q)\n}'),
    ("a URL", "go", FORGERY, 'http.Get(r.FormValue("u"))', 'http.Get("https://x.example/" + r.FormValue("u"))'),
    ("a URL that a client of its own asks", "go", FORGERY, 'c := &http.Client{}\nc.Get(r.FormValue("u"))', 'c := &http.Client{}\nc.Get("https://x.example/" + r.FormValue("u"))'),
    ("a URL that the usual client asks", "go", FORGERY, 'http.DefaultClient.Head(r.FormValue("u"))', 'r.Header.Get(r.FormValue("u"))'),
    ("a host that no slash ends", "go", FORGERY, 'http.Get(fmt.Sprintf("https://x.example%s", r.FormValue("u")))', 'http.Get(fmt.Sprintf("https://x.example:%d/%s", 8, r.FormValue("u")))'),
    ("a redirect", "go", REDIRECT, 'http.Redirect(w, r, r.FormValue("u"), 302)', 'http.Redirect(w, r, "https://"+r.Host+r.URL.Path, 301)'),
    ("a stream of a file", "java", PATH, 'new FileInputStream(request.getParameter("f"));', 'new FileInputStream("/data/" + Integer.parseInt(request.getParameter("f")));'),
    ("a file that is deleted", "java", PATH, 'new File(request.getParameter("f")).delete();', 'File f = new File("/data", request.getParameter("f"));\nif (!f.getCanonicalPath().startsWith("/data/")) { throw new Exception(); }\nf.delete();'),
    ("a resolved path", "java", PATH, 'Path p = Paths.get("/data").resolve(request.getParameter("f"));\nFiles.readAllBytes(p);', 'Path p = Paths.get("/data").resolve(request.getParameter("f")).normalize();\nif (!p.startsWith("/data")) { return; }\nFiles.readAllBytes(p);'),
    ("a URL", "java", FORGERY, 'new URL(request.getParameter("f")).openStream();', 'new URL("https://x.example/" + request.getParameter("f")).openStream();'),
    ("a host that no slash ends", "java", FORGERY, 'new URL("https://x.example" + request.getParameter("f")).openStream();', 'new URL("https://x.example" + request.getRequestURI()).openStream();'),
    ("a redirect", "java", REDIRECT, 'response.sendRedirect(request.getParameter("f"));', 'response.sendRedirect("/x?f=" + request.getParameter("f"));'),
    ("members of an archive", "java", PATH, "ZipEntry e = in.getNextEntry();\nnew FileOutputStream(new File(dir, e.getName()));", 'ZipEntry e = in.getNextEntry();\nnew FileOutputStream(new File(dir, "all"));'),
    ("a file that is read", "rb", PATH, "File.read(params[:f])", "File.read(File.join('/data', File.basename(params[:f])))"),
    ("a file that is sent", "rb", PATH, "send_file Rails.root.join('x', params[:f])", "q = File.expand_path(params[:f], '/data')\nreturn head(400) unless q.start_with?('/data/')\nsend_file q"),
    ("a folder that is deleted", "rb", PATH, 'FileUtils.rm_rf("/data/#{params[:f]}")', 'FileUtils.rm_rf("/data/#{params[:f].to_i}")'),
    ("a rendered file", "rb", PATH, "render file: params[:f]", "render file: 'about.html', locals: { f: params[:f] }"),
    ("a URL", "rb", FORGERY, "Net::HTTP.get(URI(params[:u]))", 'Net::HTTP.get(URI("https://x.example/#{params[:u]}"))'),
    ("a redirect", "rb", REDIRECT, "redirect_to params[:u]", "redirect_to action: :show, id: params[:id]"),
]  # fmt: skip
Found = dict[str, list[Evidence]]


def _file(pair: Pair, lines: str) -> str:
    indent = _INDENT[pair[1]]
    return _FRAMES[pair[1]].format("\n".join(indent + each for each in lines.split("\n")))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all pairs."""
    files = {
        f"shop{number}/{name}.{pair[1]}": _file(pair, lines)
        for number, pair in enumerate(PAIRS)
        for name, lines in (("hostile", pair[3]), ("benign", pair[4]))
    }
    return evidence_by_path(tmp_path_factory.mktemp("shop"), files, PATH, FORGERY, REDIRECT)


_NAMES = [f"{each[0]} in {each[1]}" for each in PAIRS]


@pytest.mark.parametrize("number", range(len(PAIRS)), ids=_NAMES)
def test_input_that_chooses_a_place_is_found_with_its_way(number: int, found: Found) -> None:
    pair = PAIRS[number]
    seen = [each for each in found[f"shop{number}/hostile.{pair[1]}"] if each.probe == pair[2]]
    assert seen
    for flow in (each for each in seen if " reaches `" in each.statement):
        lines = {place.start for place in flow.locations if isinstance(place, CodeLocation)}
        assert {int(line) for line in re.findall(r"\(line (\d+)\)", flow.statement)} <= lines
    archive = "archive of somebody" in pair[0] or "members" in pair[0]
    assert max(each.confidence for each in seen) >= (0.6 if archive else 0.8)


@pytest.mark.parametrize("number", range(len(PAIRS)), ids=_NAMES)
def test_a_place_that_is_checked_or_fixed_is_not(number: int, found: Found) -> None:
    assert [each.statement for each in found[f"shop{number}/benign.{PAIRS[number][1]}"]] == []


def test_a_check_in_another_module_makes_the_finding_possible(tmp_path_factory: pytest.TempPathFactory) -> None:
    source = "from flask import redirect, request\n\nfrom checks import is_ours\n\n\ndef f():\n    n = request.args['n']\n    if not is_ours(n):\n        return None\n    return redirect(n)\n"
    (flow,) = evidence_by_path(tmp_path_factory.mktemp("shop"), {"f.py": source}, REDIRECT)["f.py"]
    assert (flow.confidence, flow.confidence_reason) == (0.5, "a function that was not analysed may check it")


def test_the_person_who_starts_a_program_may_name_any_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    files = {
        "f.py": "import sys\n\nprint(open(sys.argv[1]).read())\n",
        "f.js": "const fs = require('fs');\nfs.readFileSync(process.argv[2]);\n",
        "f.go": 'package main\n\nimport "os"\n\nfunc main() {\n\tos.Open(os.Args[1])\n}\n',
    }
    found = evidence_by_path(tmp_path_factory.mktemp("shop"), files, PATH)
    assert found == {"f.py": [], "f.js": [], "f.go": []}
