"""Security probes: there, not there, and looks like it but is not."""

import pytest

from tests.seeing import lines, sites


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.system(command)",
        "from os import system as s\ns(command)",
        "import subprocess\nsubprocess.run(command, shell=True)",
        "import subprocess as sp\nsp.Popen(command, shell=True)",
        "import subprocess\nSHELL = True\nsubprocess.call(command, shell=SHELL)",
        "import subprocess\nrun = subprocess.run\nrun(command, shell=True)",
        "import subprocess\nrun = subprocess.run.__call__\nrun(command, shell=True)",
        "import subprocess\nclass C:\n    def __init__(self):\n        self.go = subprocess.run\n    def f(self, command):\n        self.go(command, shell=True)",
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
    assert site.statement.endswith(" runs a command built at run time")
    assert site.confidence == 1.0


@pytest.mark.parametrize(
    "source",
    [
        'import os\ngetattr(os, "sys" + "tem")(command)',
        'import os\nNAME = "system"\ngetattr(os, NAME)(command)',
        'import os\nvars(os)["system"](command)',
        'import os\nos.__dict__["system"](command)',
        'import sys\nsys.modules["os"].system(command)',
        "import os\n(run := os.system)(command)",
        "import os, functools\nfunctools.partial(os.system)(command)",
        "from os import *\nsystem(command)",
        "import os\nos.system.__call__(command)",
        "import ctypes\nctypes.CDLL(None).system(command)",
        'import ctypes\nlibc = ctypes.CDLL("libc.so.6")\nlibc.system(command)',
        'import os\nos.execvp("sh", ["sh", "-c", command])',
        'import os\nos.execlp("sh", "sh", "-c", command)',
        "import os\n[os.system][0](command)",
        "import os\ndef f(command, run=os.system):\n    run(command)",
        'import os\n{"a": os.system}["a"](command)',
    ],
)
def test_a_shell_reached_by_a_detour_is_reported_like_any_other(source: str) -> None:
    (site,) = sites("code.shell_execution", source)
    assert site.statement.endswith(" runs a command built at run time")


@pytest.mark.parametrize(
    "source",
    [
        "import os\nlist(map(os.system, commands))",
        "import os\nclass A:\n    run = os.system",
        "import os\ndef f():\n    return os.system",
        "import os\nx = a if b else os.system",
        "import os, functools\nmap(functools.partial(os.system), commands)",
        "from os import system as s\nmap(s, commands)",
        "import os\n@os.system\ndef f(): ...",
        'map(__import__("os").system, commands)',
    ],
)
def test_a_function_that_is_passed_on_instead_of_called_is_reported_with_its_doubt(source: str) -> None:
    (site,) = sites("code.shell_execution", source)
    assert site.statement == "{call}, which runs commands in a shell, is passed as a value"
    assert 0.8 < site.confidence < 1
    assert "passed as a value" in site.reason


@pytest.mark.parametrize(
    "source",
    [
        "import os\nif run is os.system: ...",
        "import os\nif run in (os.system, os.popen): ...",
        'import os\nmonkeypatch.setattr(os, "system", fake)',
        "import os\nwraps(os.system)",
        "import os\n# map(os.system, x)\ntext = 'map(os.system, x)'",
        "import platform\nmap(platform.system, x)",
        "import pickle\ndata = pickle.load(stream)\nuse(data)",
    ],
)
def test_looking_at_a_function_is_not_running_it(source: str) -> None:
    assert sites("code.shell_execution", source) == []
    assert [
        each for each in sites("code.unsafe_deserialization", source) if "passed as a value" in each.statement
    ] == []


@pytest.mark.parametrize(
    "source", ["import os\ngetattr(os, name)(command)", "import os\nrun = getattr(os, name)\nrun(command)"]
)
def test_a_function_chosen_by_a_name_made_at_run_time_is_reported_with_doubt(source: str) -> None:
    (site,) = sites("code.shell_execution", source)
    assert "looked up by a name" in site.statement
    assert site.confidence < 0.8


def test_code_for_another_interpreter_is_reported_and_constant_code_with_doubt() -> None:
    (made,) = sites("code.shell_execution", 'import subprocess, sys\nsubprocess.run([sys.executable, "-c", code])')
    (fixed,) = sites("code.shell_execution", 'import subprocess\nsubprocess.run(["python3.11", "-c", "print(1)"])')
    assert (made.confidence, fixed.confidence) == (1.0, 0.4)
    assert sites("code.shell_execution", 'import subprocess, sys\nsubprocess.run([sys.executable, "-m", name])') == []


def test_a_name_that_is_bound_again_hides_nothing_but_some_certainty() -> None:
    (site,) = sites("code.shell_execution", "import os\nos = os\nos.system(command)")
    assert site.confidence == 0.7
    assert "several ways" in site.reason


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
    ("source", "said"),
    [
        ("list(map(eval, texts))", "passed as a value"),
        ('TABLE = {"run": exec}', "passed as a value"),
        ("import builtins\ngetattr(builtins, name)(text)", "looked up by a name"),
        ("getattr(__builtins__, name)(text)", "looked up by a name"),
        ('__builtins__["ev" + "al"](text)', "runs text built at run time as code"),
        ("import runpy\nrunpy.run_path(path)", "whose name is built at run time"),
    ],
)
def test_code_run_by_a_detour_is_reported(source: str, said: str) -> None:
    (site,) = sites("code.dynamic_code", source)
    assert said in site.statement


@pytest.mark.parametrize(
    "source",
    [
        'import runpy\nrunpy.run_path("tools/make.py")',
        "getattr(self, name)(text)",
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
        "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\npickle.loads(data)",
        "import yaml\nyaml.load(text)",
        "import yaml\nyaml.load(text, Loader=yaml.Loader)",
        "import yaml\nyaml.unsafe_load(text)",
        "import yaml, json\nclass Thing(yaml.UnsafeLoader): ...\njson.load(file)",
        "from pickle import Unpickler as Reader\nclass Thing(Reader): ...",
        "import yaml\nclass SafeThing(A, B, C, yaml.UnsafeLoader): ...\nyaml.load(text, SafeThing)",
        "import yaml\nclass L(yaml.reader.Reader, yaml.constructor.UnsafeConstructor): ...\nyaml.load(text, L)",
        "import yaml\nL = yaml.SafeLoader\nL = yaml.SafeLoader\nL = yaml.SafeLoader\nL = yaml.UnsafeLoader\nyaml.load(text, L)",
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
        "import yaml\nclass L(yaml.reader.Reader, yaml.constructor.SafeConstructor): ...\nyaml.load(text, L)",
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
        "import requests\nclass A:\n    def __init__(self):\n        self.s = requests.Session()\n    def f(self):\n        self.s.get(url, verify=False)",
        "import requests\ndef f(session: requests.Session):\n    session.get(url, verify=False)",
        "import requests\ndef f(session: requests.Session | None = None):\n    session.verify = False",
        'import requests\ndef f(session: "requests.Session"):\n    session.verify = False',
        "import ssl\nssl._create_unverified_context()",
        "import ssl\ncontext.verify_mode = ssl.CERT_NONE",
        "import paramiko\nclient.set_missing_host_key_policy(paramiko.AutoAddPolicy())",
        "import paramiko\nclient.set_missing_host_key_policy(paramiko.AutoAddPolicy)",
        "from paramiko import WarningPolicy as P\nclient.set_missing_host_key_policy(P)",
        "import imaplib\nimaplib.IMAP4_SSL(host)",
        "import smtplib\nsmtplib.SMTP_SSL(host, timeout=5)",
        "import smtplib\nserver = smtplib.SMTP(host)\nserver.starttls()",
        "import ssl\nssl.wrap_socket(connection)",
    ],
)
def test_unchecked_connections_are_reported(source: str) -> None:
    assert len(sites("code.tls_verification_off", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import requests\nrequests.get(url, verify='ca.pem')",
        "import paramiko\nclient.set_missing_host_key_policy(paramiko.RejectPolicy)",
        "import imaplib, ssl\nimaplib.IMAP4_SSL(host, ssl_context=ssl.create_default_context())",
        "import smtplib\nserver = smtplib.SMTP(host)\nserver.starttls(context=context)",
        "import smtplib\nsmtplib.SMTP_SSL(host, **options)",
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
    ("call", "shown"),
    [
        ("hashlib.sha1(data)", "hashlib.sha1"),
        ('hashlib.new("sha-1", data)', 'hashlib.new("sha-1")'),
        ("hashlib.new(NAME, data)", 'hashlib.new("md5")'),
        ("hmac.new(key, data, hashlib.md5)", 'hmac.new(..., "md5")'),
    ],
)
def test_a_weak_hash_is_named_where_the_call_does_not_say_it(call: str, shown: str) -> None:
    (site,) = sites("code.weak_hash", f'import hashlib, hmac\nNAME = "md5"\n{call}')
    assert site.call == shown


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
        'for each in given:\n    cursor.execute(f"DELETE FROM users WHERE id = {each}")',
        'PARTS = ("id", given)\nvalues = ", ".join(PARTS)\ncursor.execute(f"SELECT {values} FROM users")',
        "cursor.execute(f\"UPDATE users SET {', '.join(f'{each} = {given}' for each in (1, 2))}\")",
        "cursor.execute(f\"COPY users FROM '{place}'\")",
        'cursor.execute(f"SELECT * FROM {request.place}")',
        'from flask import request\ndef f():\n    place = request.args["place"]\n    cursor.execute(f"DELETE FROM {place}")',
        'cursor.execute(f"DELETE FROM users WHERE name IS DISTINCT FROM {name}")',
        'cursor.execute(f"SELECT * FROM {backup} WHERE name = {name}")',
        'cursor.execute(("SELECT " + parts.FIELDS + " FROM users WHERE name = {0}").format(name))',
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
        'FIELDS = ("id", "name")\nfields = ", ".join(FIELDS)\ncursor.execute(f"SELECT {fields} FROM users")',
        'class A:\n    FIELDS = ["id"]\n    def f(self):\n        cursor.execute("SELECT {} FROM users".format(", ".join(self.FIELDS)))',
        'marks = ",".join("(?, ?)" for _ in keys)\ncursor.execute(f"SELECT a FROM b WHERE (c, d) IN ({marks})", keys)',
        'some = ", ".join(["?"] * len(keys))\ncursor.execute(f"SELECT a FROM b WHERE c IN ({some})", keys)',
        'for each in ("a", "b"):\n    cursor.execute(f"DELETE FROM {each} WHERE id = 1")',
        'BY = {"a": "name", "b": "id"}\ncursor.execute(f"SELECT * FROM users ORDER BY {BY[key]}")',
        "FIELDS = (\"id\",)\ncursor.execute(f\"UPDATE users SET {', '.join(f'{each} = ?' for each in FIELDS)}\", values)",
        "cursor.execute(f\"SELECT * FROM users ORDER BY id {'DESC' if down else 'ASC'}\")",
        'logger.info(f"SELECT {name} FROM users")',
    ],
)
def test_parameters_and_constants_in_queries_are_not_reported(source: str) -> None:
    assert sites("code.sql_from_strings", source) == []


@pytest.mark.parametrize(
    "query",
    [
        'f"SELECT * FROM {table_name}"',
        '"DROP DATABASE %s" % ident',
        '"GRANT dba TO " + user',
        'f"SELECT id, name FROM {backup}"',
        '"INSERT INTO {} SELECT * FROM {}".format(users, old.users)',
        "f\"SELECT 'it''s', id FROM {backup}\"",
    ],
)
def test_a_name_in_a_query_is_reported_with_doubt(query: str) -> None:
    (site,) = sites("code.sql_from_strings", f"cursor.execute({query})")
    assert site.confidence < 0.8


def test_what_is_put_into_a_text_of_another_file_is_reported_with_doubt() -> None:
    source = 'cursor.execute(("SELECT " + server.POSITION + ", state FROM servers").format(server.log, server.unit))'
    assert [site.confidence for site in sites("code.sql_from_strings", source)] == [0.6]


def test_a_query_of_sixty_columns_each_told_by_a_call_is_followed_to_its_end() -> None:
    names = [f"field{number}" for number in range(60)]
    chosen = ", ".join(f"{{{each}}} {each}" for each in names)
    source = "\n".join(
        [
            "def told(known, field, otherwise):",
            "    return field if field in known else otherwise",
            "def copy(known):",
            *(f"    {each} = told(known, '{each}', 'null')" for each in names),
            f"    cursor.execute(f'SELECT {chosen} FROM trades_before')",  # noqa: S608 - it is only read
        ]
    )
    assert sites("code.sql_from_strings", source) == []


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


def _wide(name: str) -> str:
    """The name in letters that Python takes for its own."""
    return "".join(chr(ord(each) + 0xFEE0) if each.isalpha() else each for each in name)


@pytest.mark.parametrize(
    ("probe", "source", "name"),
    [
        ("code.tls_verification_off", "import x\nx.client(verify_ssl=False)\n", "verify_ssl"),
        ("code.shell_execution", "import x\nx.run(command, shell=True)\n", "shell"),
        ("code.shell_execution", "import subprocess\nways = [subprocess.getoutput]\n", "getoutput"),
        ("code.dynamic_code", "ways = [eval]\n", "eval"),
        ("code.unsafe_deserialization", "import yaml\nclass A(yaml.UnsafeLoader): ...\n", "UnsafeLoader"),
        ("code.swallowed_exception", "class A:\n    def __exit__(self, *a):\n        return True\n", "exit"),
    ],
)
def test_a_name_in_other_letters_that_python_takes_for_the_same_hides_nothing(
    probe: str, source: str, name: str
) -> None:
    assert lines(probe, source)
    assert lines(probe, source.replace(name, _wide(name))) == lines(probe, source)


@pytest.mark.parametrize("named", ["shell=True", "shell = True", "shell= True", "shell =True"])
def test_blanks_around_the_sign_do_not_hide_that_a_shell_is_asked_for(named: str) -> None:
    assert lines("code.shell_execution", f"import x\nx.run(command, {named})\n") == [2]
    assert not lines("code.shell_execution", f"import x\nx.run(command, {named.replace('True', 'False')})\n")


@pytest.mark.parametrize("option", ["StrictHostKeyChecking", "stricthostkeychecking", "STRICTHOSTKEYCHECKING"])
def test_an_option_of_ssh_means_the_same_in_small_letters(option: str) -> None:
    source = "import x\nx.go(['-o', '{}={}'])\n"
    assert lines("code.tls_verification_off", source.format(option, "no")) == [2]
    assert not lines("code.tls_verification_off", source.format(option, "yes"))


_LAID_OUT = {
    "dedent": "from textwrap import dedent\nCODE = '''\n  x = 1\n'''\nexec(dedent(CODE))\n",
    "cleandoc": "import inspect\nCODE = '''\n  x = 1\n'''\nexec(inspect.cleandoc(CODE))\n",
    "strip": "CODE = '  x = 1'\nexec(CODE.strip())\n",
    "percent": "CODE = 'x = %s'\nNAME = 'y'\nexec(CODE % NAME)\n",
    "a number": "exec('x = %d' % 1)\n",
    "join": "LINES = ['x = 1', 'y = 2']\nexec('\\n'.join(['x = 1', 'y = 2']))\n",
    "lines": "CODE = 'x = 1'\nexec('\\n'.join(CODE.splitlines()))\n",
    "format": "CODE = 'x = {}'\nexec(CODE.format(1))\n",
}


@pytest.mark.parametrize("source", _LAID_OUT.values(), ids=_LAID_OUT)
def test_a_constant_that_is_only_laid_out_is_constant_text(source: str) -> None:
    (site,) = sites("code.dynamic_code", source)
    assert site.confidence == 0.5


_UNREADABLE = {
    "reversed": "CODE = '1 = x'\nexec(CODE[::-1])\n",
    "replaced": "CODE = 'zmport os'\nexec(CODE.replace('z', 'i'))\n",
    "from elsewhere": "from textwrap import dedent\ndef run(text):\n    exec(dedent(text))\n",
    "changed later": "CODE = 'x = 1'\nCODE += input()\nexec(CODE.strip())\n",
}


@pytest.mark.parametrize("source", _UNREADABLE.values(), ids=_UNREADABLE)
def test_a_text_that_cannot_be_read_as_it_stands_is_no_constant(source: str) -> None:
    (site,) = sites("code.dynamic_code", source)
    assert site.confidence > 0.8


@pytest.mark.parametrize(
    ("command", "confidence"),
    [
        ("curl -LsSf https://astral.sh/uv/install.sh | sh", 0.6),
        ("curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y", 0.6),
        ("curl -sSL https://example.org/install.sh | sh", 0.9),
        ("curl -sSL https://sh.rustup.rs.example.org/x | sh", 0.9),
        ("curl -sSL https://sh.rustup.rs@example.org/x | sh", 0.9),
        ("curl -sSL https://sh.rustup.rs https://example.org/x | sh", 0.9),
        ("curl -sSL example.org/x https://sh.rustup.rs | sh", 0.9),
        ("curl -sSL http://sh.rustup.rs | sh", 0.9),
        ("curl -sSL https://sh.rustup.rs/$EXTRA | sh", 0.9),
        ("curl -sSL https://astral.sh/uv/../../x | sh", 0.9),
    ],
)
def test_only_the_plain_address_of_a_well_known_installer_lowers_the_confidence(
    command: str, confidence: float
) -> None:
    (site,) = sites("code.dynamic_code", f"{command}\n", "shell")
    assert site.confidence == confidence


def test_a_shell_that_evaluates_a_part_of_a_request_leaves_little_doubt() -> None:
    (site,) = sites("code.dynamic_code", '#!/bin/sh\neval "$QUERY_STRING"\n', "shell")
    assert site.confidence == 0.95
    (site,) = sites("code.dynamic_code", '#!/bin/sh\neval "$SETTINGS"\n', "shell")
    assert site.confidence == 0.7
