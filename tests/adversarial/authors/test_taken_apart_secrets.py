"""Secrets that no line says as they are: joined, escaped, reversed, encoded; each beside an honest twin of the same form."""

from __future__ import annotations

import base64
import random
import string
import time
from pathlib import Path

import pytest

from auditor.constant_folding.decoded_literals import hidden_texts
from auditor.domain import CodeLocation, Evidence, Outcome
from auditor.report.secret_redaction import redact, redact_lines
from tests.adversarial.authors.drawing import evidence_by_path
from tests.auditing import asked
from tests.repos import Drawing

PROBE = "secrets.committed"
_LETTERS = string.ascii_letters + string.digits


def drawn(prefix: str, length: int, seed: int) -> str:
    """A value of a secret's form, made when the test runs: none stands in this file."""
    chance = random.Random(f"{prefix}{seed}")  # noqa: S311 - it only has to look drawn by chance
    return prefix + "".join(chance.choice(_LETTERS) for _ in range(length))


def token(number: int) -> str:
    """The token of a case: each has its own."""
    return drawn("gh" + "p_", 36, number)


def b64(text: str) -> str:
    """The text in base64."""
    return base64.b64encode(text.encode()).decode()


def hidden(how: str, value: str) -> str:
    """Source text of a file that comes to a value."""
    a, b, c = value[:13], value[13:26], value[26:]
    letters = ", ".join(repr(each) for each in value)
    return {
        "a sum": f"token = '{a}' + '{b}' + '{c}'\n",
        "strings next to each other": f"token = (\n    '{a}'\n    '{b}'\n    '{c}'\n)\n",
        "names": f"A = '{a}'\nB = '{b}'\nC = '{c}'\n\n\ndef client():\n    return A + B + C\n",
        "names far away": f"A = '{a}{b}'\n" + "x = 1\n" * 200 + f"C = '{c}'\n" + "y = 2\n" * 200 + "token = A + C\n",
        "a template": f"A = '{a}'\nB = '{b}{c}'\ntoken = f'{{A}}{{B}}'\n",
        "growing": f"token = '{a}'\ntoken += '{b}'\ntoken += '{c}'\n",
        "a list": f"token = ''.join(['{a}', '{b}', '{c}'])\n",
        "a list of settings": f'{{\n  "half": [\n    "{a}",\n    "{b}",\n    "{c}"\n  ]\n}}\n',
        "rows of settings": f"region: eu\nhalf:\n  - {a}\n  - '{b}'\n  - {c}\nport: 1\n",
        "letters": f"token = ''.join([{letters}])\n",
        "codes": f"token = ''.join(map(chr, [{', '.join(str(ord(each)) for each in value)}]))\n",
        "reversed": f"token = '{value[::-1]}'[::-1]\n",
        "hexadecimal": f"token = bytes.fromhex('{value.encode().hex()}').decode()\n",
        "escapes": "token = '" + "".join(f"\\x{ord(each):02x}" for each in value) + "'\n",
        "base64 twice": f"token = decode('{b64(b64(value))}')\n",
        "base64 twice without quotes": f"BLOB={b64(b64(value))}\n",
        "base64 in two strings": f"token = decode('{b64(value)[:20]}' + '{b64(value)[20:]}')\n",
        "replaced": f"token = '{'#'.join(value)}'.replace('#', '')\n",
        "every third letter": "GLYPHS = '" + "".join(f"{each}q7" for each in value) + "'\n" + "x = 1\n" * 200 + "token = GLYPHS[::3]\n",
        "a number": f"token = ({int.from_bytes(value.encode(), 'big')}).to_bytes(40, 'big').decode()\n",
        "a number under a name": f"N = {hex(int.from_bytes(value.encode(), 'little'))}\n\n\ndef token():\n    return N.to_bytes(40, 'little')\n",
        "a number of so many bits": f"N = {int.from_bytes(value.encode(), 'big')}\n\n\ndef token():\n    return N.to_bytes((N.bit_length() + 7) // 8, 'big')\n",
        "formatted": f"token = '{{}}{{}}'.format('{a}{b}', '{c}')\n",
        "percent": f"token = '%s%s' % ('{a}{b}', '{c}')\n",
        "javascript": f"const token = '{a}' + '{b}' +\n  '{c}';\n",
        "typescript template": f"const a: string = '{a}';\nconst b = '{b}{c}';\nexport const token = `${{a}}${{b}}`;\n",
        "javascript list": f"const token = ['{a}', '{b}', '{c}'].join('');\n",
        "go": f"package x\n\nconst token = \"{a}\" + \"{b}\" +\n\t\"{c}\"\n",
        "java": f"class X {{\n  static final String T = \"{a}\" + \"{b}\" + \"{c}\";\n}}\n",
        "ruby": f"TOKEN = '{a}' + '{b}' '{c}'\n",
    }[how]  # fmt: skip


CASES: list[tuple[str, str, str]] = [
    ("a sum", "py", "digest = 'd41d8cd98f00b204' + 'e9800998ecf8427e'\n"),
    ("strings next to each other", "py", "text = (\n    'ghp_ is how a token of GitHub begins, '\n    'and it has 40 letters'\n)\n"),
    ("names", "py", "A = 'https://example.org/'\nB = 'items'\n\n\ndef url():\n    return A + B\n"),
    ("names far away", "py", "A = 'ghp_'\n" + "x = 1\n" * 200 + "print(A + 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')\n"),
    ("a template", "py", "A = '123e4567-e89b-12d3'\nB = 'a456-426614174000'\nuuid = f'{A}-{B}'\n"),
    ("growing", "py", "sql = 'select name '\nsql += 'from items '\nsql += 'where id = 1'\n"),
    ("a list", "py", "key = ''.join(['MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A', 'MIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo', '4lgOEePzNm0tRgeLezV6ffAt0gunVTLw'])\n"),
    ("a list of settings", "json", '{\n  "versions": ["ubuntu-22-04", "Windows-2022", "macOS-15", "ghp_", "3-13"]\n}\n'),
    ("rows of settings", "yml", "versions:\n  - ghp_1\n  - Windows-2022\n  - macOS-15\n  - Ubuntu2404LTSamd64x\n  - 4f2c\n"),
    ("letters", "py", "vowels = ''.join(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U', 'y', 'Y', 'w', 'W'])\n"),
    ("codes", "py", "alphabet = ''.join(map(chr, [97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108]))\n"),
    ("reversed", "py", "text = 'a man a plan a canal panama and more'[::-1]\n"),
    ("hexadecimal", "py", "digest = bytes.fromhex('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')\n"),
    ("escapes", "py", "magic = '\\x89PNG\\x0d\\x0a\\x1a\\x0a\\x00\\x00\\x00\\x0dIHDR'\n"),
    ("base64 twice", "py", f"cursor = decode('{b64(b64('{page: 2, size: 20, order: name}'))}')\n"),
    ("base64 twice without quotes", "env", f"CURSOR={b64(b64('{page: 2, size: 20, order: name}'))}\n"),
    ("base64 in two strings", "py", f"cursor = decode('{b64('User:1234567890:edges')[:14]}' + '{b64('User:1234567890:edges')[14:]}')\n"),
    ("replaced", "py", "slug = 'a-long-name-of-a-thing-with-many-words'.replace('-', '_')\n"),
    ("every third letter", "py", "LETTERS = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'\nsome = LETTERS[::3]\n"),
    ("a number", "py", "magic = (2305843009213693951170141183460469231731687303715884105727).to_bytes(40, 'big')\n"),
    ("a number under a name", "py", "P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF\n\n\ndef packed():\n    return P.to_bytes(32, 'little')\n"),
    ("a number of so many bits", "py", "P = 115792089210356248762697446949407573530086143415290314195533631308867097853951\n\n\ndef packed():\n    return P.to_bytes((P.bit_length() + 7) // 8, 'big')\n"),
    ("formatted", "py", "path = '{}{}'.format('/usr/share/', 'applications/shop.desktop')\n"),
    ("percent", "py", "path = '%s%s' % ('/usr/share/', 'applications/shop.desktop')\n"),
    ("javascript", "js", "const message = 'No token was given, ' + 'set GITHUB_TOKEN' +\n  ' first';\n"),
    ("typescript template", "ts", "const a: string = 'https://example.org';\nconst b = 'items';\nexport const url = `${a}/${b}`;\n"),
    ("javascript list", "js", "const path = ['usr', 'share', 'applications'].join('');\n"),
    ("go", "go", "package x\n\nconst hash = \"da39a3ee5e6b4b0d\" + \"3255bfef95601890\" +\n\t\"afd80709\"\n"),
    ("java", "java", "class X {\n  static final String T = \"Hello\" + \"Wonderful\" + \"World\";\n}\n"),
    ("ruby", "rb", "TITLE = 'The shop' + ' of ' 'everything'\n"),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Evidence]]:
    """The secrets in each file of one repository with all cases, all added by one change."""
    files = {}
    for number, (how, suffix, benign) in enumerate(CASES):
        files[f"shop{number}/hostile.{suffix}"] = hidden(how, token(number))
        files[f"shop{number}/benign.{suffix}"] = benign
    return evidence_by_path(tmp_path_factory.mktemp("shop"), files, PROBE)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each[0] for each in CASES])
def test_a_secret_in_pieces_is_found(number: int, found: dict[str, list[Evidence]]) -> None:
    seen = found[f"shop{number}/hostile.{CASES[number][1]}"]
    assert seen
    assert all("github" in each.statement for each in seen)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each[0] for each in CASES])
def test_a_text_of_the_same_form_that_is_none_is_not(number: int, found: dict[str, list[Evidence]]) -> None:
    assert [each.statement for each in found[f"shop{number}/benign.{CASES[number][1]}"]] == []


def leaked(value: str, text: str) -> list[str]:
    """Pieces of a secret, each of nine letters and more, that a text still says in a readable form."""
    forms = (value, value[::-1], value.encode().hex(), b64(value), b64(b64(value)))
    return [each[at : at + 9] for each in forms for at in range(4, len(each) - 9) if each[at : at + 9] in text]


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each[0] for each in CASES])
def test_no_piece_of_it_is_in_what_is_recorded(number: int, found: dict[str, list[Evidence]]) -> None:
    for each in found[f"shop{number}/hostile.{CASES[number][1]}"]:
        assert leaked(token(number), each.model_dump_json()) == []


@pytest.mark.parametrize("how", [each[0] for each in CASES if each[0] != "names far away"])
def test_no_piece_of_it_is_shown_to_a_judge(how: str) -> None:
    value = token(99)
    lines = hidden(how, value).split("\n")
    shown = redact_lines(lines)
    assert len(shown) == len(lines)
    assert leaked(value, "\n".join(shown)) == []
    assert "[redacted GitHub token" in "\n".join(shown)
    assert leaked(value, redact("\n".join(lines))) == []


@pytest.mark.parametrize("benign", [each[2] for each in CASES if "ghp_" not in each[2]])
def test_a_text_without_a_secret_is_shown_as_it_is(benign: str) -> None:
    assert redact(benign) == benign


def test_pieces_on_far_lines_are_all_named_by_the_finding(found: dict[str, list[Evidence]]) -> None:
    (number,) = [at for at, each in enumerate(CASES) if each[0] == "names far away"]
    (seen,) = found[f"shop{number}/hostile.py"]
    lines = {
        place.start
        for place in seen.locations
        if isinstance(place, CodeLocation) and place.path == f"shop{number}/hostile.py"
    }
    assert {1, 202} <= lines


def test_a_secret_in_pieces_that_was_there_before_is_not_new(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path)
    base = drawing.commit({"a.py": hidden("a sum", token(3))})
    drawing.commit({"a.py": "x = 1\n" + hidden("a sum", token(3))})
    seen = [each for each in asked(drawing.path, base, PROBE).evidence if each.outcome is Outcome.FOUND]
    assert [each.introduced for each in seen] == [False]


@pytest.mark.parametrize("cached", [False, True], ids=["first", "again"])
def test_it_is_found_again_by_a_second_audit(tmp_path: Path, *, cached: bool) -> None:
    drawing = Drawing(tmp_path / "shop")
    base = drawing.commit({"README.md": "# Shop\n"})
    drawing.commit({"a.py": hidden("hexadecimal", token(4))})
    for _ in range(1 + cached):
        seen = [
            each
            for each in asked(drawing.path, base, PROBE, cache=tmp_path / "cache").evidence
            if each.outcome is Outcome.FOUND
        ]
        assert len(seen) == 1


@pytest.mark.parametrize(
    "source",
    ["'a' + " * 60_000 + "'b'", "A = 'abcd'\n" * 20_000 + "A + A\n" * 20_000, "{A}" * 100_000, "41" * 400_000, "QUFB" * 200_000, "['a'].join(" * 20_000, "x = 'ab' + 'cd'\n" * 20_000],
    ids=["a long sum", "names", "holes", "digits", "base64", "calls", "many sums"],
)  # fmt: skip
def test_a_text_made_to_take_long_does_not(source: str) -> None:
    began = time.process_time()
    hidden_texts(source)
    assert time.process_time() - began < 8
