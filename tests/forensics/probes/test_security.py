"""Security probes: there, not there, and looks like it but is not."""

import pytest

from tests.seeing import sites


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.system(command)",
        "from os import system as s\ns(command)",
        "import subprocess\nsubprocess.run(command, shell=True)",
        "import subprocess as sp\nsp.Popen(command, shell=True)",
        "import subprocess\nSHELL = True\nsubprocess.call(command, shell=SHELL)",
        "import subprocess\nrun = subprocess.run\nrun(command, shell=True)",
        'import subprocess\nsubprocess.run(command, **{"shell": True})',
        "import subprocess, functools\nrun = functools.partial(subprocess.run, shell=True)\nrun(command)",
        'import os\ngetattr(os, "system")(command)',
        '__import__("os").system(command)',
        'import importlib\nimportlib.import_module("os").system(command)',
        "import asyncio\nasync def f():\n    await asyncio.create_subprocess_shell(command)",
        'import subprocess\nsubprocess.run(["sh", "-c", command])',
        'import subprocess\nwords = ["/usr/bin/bash", "-c", command]\nsubprocess.run(words)',
        'import subprocess\noptions = {"shell": True}\nsubprocess.run(command, **options)',
        "try:\n    import subprocess\nexcept ImportError:\n    subprocess = None\nsubprocess.getoutput(command)",
    ],
)
def test_a_command_that_reaches_a_shell_is_reported_with_certainty(source: str) -> None:
    (site,) = sites("code.shell_execution", source)
    assert site.statement.startswith("A command built at run time is handed to a shell")
    assert site.confidence == 1.0


@pytest.mark.parametrize(
    "source",
    [
        'import subprocess\nsubprocess.run(["ls", path])',
        "import subprocess\nsubprocess.run(command, shell=False)",
        "class os:\n    def system(command): ...\nos.system(command)",
        "def system(command): ...\nsystem(command)",
        "def f(os):\n    os.system(command)",
        '# os.system("rm")\ntext = "os.system(command)"',
        "import platform\nplatform.system()",
        "import subprocess\nrun = subprocess.run\ndef f(run):\n    run(command, shell=True)",
    ],
)
def test_what_only_looks_like_a_shell_is_not_reported(source: str) -> None:
    assert sites("code.shell_execution", source) == []


def test_a_constant_command_is_reported_with_doubt() -> None:
    (site,) = sites("code.shell_execution", 'import os\nos.system("clear")')
    assert site.confidence < 0.8
    assert "constant" in site.reason


@pytest.mark.parametrize(
    ("source", "confidence"),
    [
        ("eval(text)", 1.0),
        ("import builtins\nbuiltins.exec(text)", 1.0),
        ("run = eval\nrun(text)", 1.0),
        ('exec("import this")', 0.5),
        ("exec(compile(text, name, 'exec'))", 0.7),
    ],
)
def test_text_run_as_code_is_reported(source: str, confidence: float) -> None:
    assert [site.confidence for site in sites("code.dynamic_code", source)] == [confidence]


@pytest.mark.parametrize(
    "source",
    [
        "model.eval()",
        "import ast\nast.literal_eval(text)",
        "frame.eval('a + b')",
        "def eval(x): ...\neval(text)",
        "cursor.exec(text)",
    ],
)
def test_other_things_called_eval_are_not_reported(source: str) -> None:
    assert sites("code.dynamic_code", source) == []


@pytest.mark.parametrize(
    "source",
    [
        "import pickle\npickle.loads(data)",
        "from pickle import load\nload(stream)",
        "import yaml\nyaml.load(text)",
        "import yaml\nyaml.load(text, Loader=yaml.Loader)",
        "import yaml\nyaml.unsafe_load(text)",
        "import torch\ntorch.load(path, weights_only=False)",
        "import numpy as np\nnp.load(path, allow_pickle=True)",
    ],
)
def test_loading_that_can_run_code_is_reported(source: str) -> None:
    assert len(sites("code.unsafe_deserialization", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import json\njson.loads(text)",
        "import yaml\nyaml.safe_load(text)",
        "import yaml\nyaml.load(text, Loader=yaml.CSafeLoader)",
        "from yaml import SafeLoader, load\nload(text, SafeLoader)",
        "import torch\ntorch.load(path)",
        "import numpy\nnumpy.load(path)",
        "import pickle\npickle.dumps(data)",
        "import pickle\npickle.loads(pickle.dumps(data))",
    ],
)
def test_safe_loading_is_not_reported(source: str) -> None:
    assert sites("code.unsafe_deserialization", source) == []


@pytest.mark.parametrize(
    "source",
    [
        "import requests\nrequests.get(url, verify=False)",
        "import httpx\nhttpx.Client(verify=False)",
        "import requests\nsession = requests.Session()\nsession.verify = False",
        "import ssl\nssl._create_unverified_context()",
        "import ssl\ncontext.verify_mode = ssl.CERT_NONE",
        "import paramiko\nclient.set_missing_host_key_policy(paramiko.AutoAddPolicy())",
    ],
)
def test_unchecked_connections_are_reported(source: str) -> None:
    assert len(sites("code.tls_verification_off", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import requests\nrequests.get(url, verify='ca.pem')",
        "import requests\nrequests.get(url)",
        "form.verify = False",
        "checker.get(url, verify=False)",
    ],
)
def test_checked_connections_are_not_reported(source: str) -> None:
    assert sites("code.tls_verification_off", source) == []


@pytest.mark.parametrize(
    ("source", "confidence"),
    [
        ("import hashlib\nhashlib.md5(data)", 0.75),
        ('import hashlib\nhashlib.new("sha-1", data)', 0.75),
        ("import hashlib\ndef cache_key(data):\n    return hashlib.md5(data)", 0.5),
    ],
)
def test_broken_digests_are_reported_with_their_doubt(source: str, confidence: float) -> None:
    assert [site.confidence for site in sites("code.weak_hash", source)] == [confidence]


@pytest.mark.parametrize(
    "source",
    [
        "import hashlib\nhashlib.sha256(data)",
        "import hashlib\nhashlib.md5(data, usedforsecurity=False)",
        "table.md5(data)",
    ],
)
def test_sound_digests_are_not_reported(source: str) -> None:
    assert sites("code.weak_hash", source) == []


@pytest.mark.parametrize(
    "source",
    [
        'cursor.execute(f"SELECT * FROM users WHERE name = {name}")',
        "cursor.execute(\"SELECT * FROM users WHERE name = '%s'\" % name)",
        'cursor.execute("DELETE FROM users WHERE id = " + number)',
        'query = "UPDATE users SET name = {}".format(name)\ncursor.execute(query)',
    ],
)
def test_values_glued_into_queries_are_reported_with_certainty(source: str) -> None:
    assert [site.confidence for site in sites("code.sql_from_strings", source)] == [1.0]


@pytest.mark.parametrize(
    "source",
    [
        'cursor.execute("SELECT * FROM users WHERE name = ?", (name,))',
        'executor.execute(f"select {name}")',
        'marks = ",".join("?" * len(ids))\ncursor.execute(f"SELECT * FROM users WHERE id IN ({marks})", ids)',
        'TABLE = "users"\ncursor.execute(f"SELECT * FROM {TABLE}")',
        'logger.info(f"SELECT {name} FROM users")',
    ],
)
def test_parameters_and_constants_in_queries_are_not_reported(source: str) -> None:
    assert sites("code.sql_from_strings", source) == []


@pytest.mark.parametrize(
    "query", ['f"SELECT * FROM {table_name}"', '"DROP DATABASE %s" % ident', '"GRANT dba TO " + user']
)
def test_a_name_in_a_query_is_reported_with_doubt(query: str) -> None:
    (site,) = sites("code.sql_from_strings", f"cursor.execute({query})")
    assert site.confidence < 0.8


@pytest.mark.parametrize(
    "source",
    [
        "import tempfile\ntempfile.mktemp()",
        'open("/tmp/state", "w")',
        'import pathlib\npathlib.Path("/tmp/state").write_text(text)',
    ],
)
def test_guessable_temporary_files_are_reported(source: str) -> None:
    assert len(sites("code.insecure_temporary_file", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import tempfile\ntempfile.mkstemp()",
        'open("/tmp/state")',
        'open("/tmp/state", "x")',
        'open("state", "w")',
        "open(path, 'w')",
    ],
)
def test_other_files_are_not_reported_as_temporary(source: str) -> None:
    assert sites("code.insecure_temporary_file", source) == []


def test_a_child_process_whose_failure_is_ignored_is_reported() -> None:
    assert len(sites("code.subprocess_unchecked", "import subprocess\nsubprocess.run(['make'])")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess\nsubprocess.run(['make'], check=True)",
        "import subprocess\ndone = subprocess.run(['make'])",
        "import subprocess\nsubprocess.check_call(['make'])",
        "import subprocess\nsubprocess.run(['make'], **options)",
        "loop.run(task)",
    ],
)
def test_a_child_process_that_is_checked_is_not_reported(source: str) -> None:
    assert sites("code.subprocess_unchecked", source) == []
