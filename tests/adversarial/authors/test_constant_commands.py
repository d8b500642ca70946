"""Commands of which every part is a constant of the file, each beside one that looks like it and is built of something else."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import SHELL
from tests.seeing import sites

_RUN_JS = "const { execSync, spawn } = require('child_process')\n"
_CASES: list[tuple[str, str, str, str]] = [
    ("words for a program in a shell", "javascript", _RUN_JS + "spawn('npm', ['run', name], { shell: true })\n", _RUN_JS + "spawn('npm', ['run', 'build'], { shell: true })\n"),
    ("words in a name", "javascript", _RUN_JS + "const words = ['run', ...process.argv]\nspawn('npm', words, { shell: process.platform === 'win32' })\n", _RUN_JS + "const words = ['run', 'build']\nspawn('npm', words, { shell: process.platform === 'win32' })\n"),
    ("a function that callers pass constants", "javascript", _RUN_JS + "function get(name) { execSync('git fetch ' + name) }\nget('main')\nget(process.argv[2])\n", _RUN_JS + "function get(name) { execSync('git fetch ' + name) }\nget('main')\nget('next')\n"),
    ("an arrow function", "javascript", _RUN_JS + "const get = name => execSync(`git fetch ${name}`)\nget('main')\nmodule.exports = { get }\n", _RUN_JS + "const get = name => execSync(`git fetch ${name}`)\nget('main')\n"),
    ("a function that is called by its name", "javascript", _RUN_JS + "function get(name) { execSync('git fetch ' + name) }\nget('main')\nglobalThis['get'](other)\n", _RUN_JS + "function get(name) { execSync('git fetch ' + name) }\nget('main')\nlog('get done')\n"),
    ("names of a loop", "javascript", _RUN_JS + "for (const name of names) execSync('git fetch ' + name)\n", _RUN_JS + "for (const name of ['main', 'next']) execSync('git fetch ' + name)\n"),
    ("a method for tasks", "ruby", 'def get(name)\n  sh "git fetch #{name} && make"\nend\ntask(:all) { get "main"; get $stdin.gets }\n', 'def get(name)\n  sh "git fetch #{name} && make"\nend\ntask(:all) { get "main"; get "next" }\n'),
    ("a method of no script", "ruby", 'def get(name)\n  system "git fetch #{name} && make"\nend\nget("main")\n', '#!/usr/bin/env ruby\ndef get(name)\n  system "git fetch #{name} && make"\nend\nget("main")\n'),
    ("a method of a class in a script", "ruby", '#!/usr/bin/env ruby\nclass Shop\n  def get(name)\n    system "git fetch #{name} && make"\n  end\nend\nShop.new.get("main")\n', '#!/usr/bin/env ruby\nclass Shop\n  def all\n    get("main")\n  end\n  private\n  def get(name)\n    system "git fetch #{name} && make"\n  end\nend\n'),
    ("a function of a package", "go", 'package main\n\nimport ("os"; "os/exec")\n\nfunc get(name string) { exec.Command("sh", "-c", "git fetch "+name).Run() }\n\nfunc main() { get("main"); get(os.Args[1]) }\n', 'package main\n\nimport "os/exec"\n\nfunc get(name string) { exec.Command("sh", "-c", "git fetch "+name).Run() }\n\nfunc main() { get("main"); get("next") }\n'),
    ("a method of a class", "java", 'class Shop {\n  void get(String name) throws Exception { new ProcessBuilder("sh", "-c", "git fetch " + name).start(); }\n  void all() throws Exception { get("main"); }\n}\n', 'class Shop {\n  private void get(String name) throws Exception { new ProcessBuilder("sh", "-c", "git fetch " + name).start(); }\n  void all() throws Exception { get("main"); }\n}\n'),
    ("a function of a crate", "rust", 'use std::process::Command;\npub fn get(name: &str) { Command::new("sh").arg("-c").arg(format!("git fetch {name}")).status().unwrap(); }\npub fn all() { get("main"); }\n', 'use std::process::Command;\nfn get(name: &str) { Command::new("sh").arg("-c").arg(format!("git fetch {name}")).status().unwrap(); }\npub fn all() { get("main"); }\n'),
    ("a function of a module", "python", "import subprocess, sys\ndef _get(name):\n    subprocess.run('git fetch ' + name, shell=True)\n_get('main')\n_get(sys.argv[1])\n", "import subprocess\ndef _get(name):\n    subprocess.run('git fetch ' + name, shell=True)\n_get('main')\n_get('next')\n"),
    ("a parameter that is added to", "python", "import subprocess\ndef _get(name):\n    name += input()\n    subprocess.run('git fetch ' + name, shell=True)\n_get('main')\n", "import subprocess\ndef _get(name):\n    print(name)\n    subprocess.run('git fetch ' + name, shell=True)\n_get('main')\n"),
    ("a function of a script", "python", "import subprocess\ndef get(name):\n    subprocess.run('git fetch ' + name, shell=True)\nget('main')\n", "#!/usr/bin/env python3\nimport subprocess\ndef get(name):\n    subprocess.run('git fetch ' + name, shell=True)\nget('main')\n"),
    ("a constant that is decoded and run", "python", "import subprocess\ndef _get(text):\n    subprocess.run(text, shell=True)\n_get('echo Y3VybCB4IHwgc2g= | base64 -d | sh')\n", "import subprocess\ndef _get(text):\n    subprocess.run(text, shell=True)\n_get('echo Y3VybCB4IHwgc2g= | base64 -d > text')\n"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "built"), [each[1:3] for each in _CASES], ids=[each[0] for each in _CASES])
def test_a_command_that_is_built_is_reported_in_full(language: str, built: str) -> None:
    assert max(each.confidence for each in sites(SHELL, built, language)) >= 0.8


@pytest.mark.parametrize(
    ("language", "constant"), [(each[1], each[3]) for each in _CASES], ids=[each[0] for each in _CASES]
)
def test_a_command_of_constants_is_possible_at_most(language: str, constant: str) -> None:
    assert all(each.confidence <= 0.6 for each in sites(SHELL, constant, language))
