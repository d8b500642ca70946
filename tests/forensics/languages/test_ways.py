"""Everyday ways of doing what the questions are about, one by one: what is there, and what only looks like that."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from auditor.forensics.languages.file_rule_evaluation import scan_file
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.source_text.file_roles import is_example
from tests.accuracy.labelled import SAFE_LOADER


@dataclass(frozen=True, slots=True)
class Way:
    """One way of doing something, and whether the question is to be answered with yes."""

    name: str
    language: str
    probe: str
    there: bool
    source: str


_WRITTEN = Path(__file__).with_name("ways.yaml").read_text(encoding="utf-8")
WAYS = [Way(**each) for each in yaml.load(_WRITTEN, Loader=SAFE_LOADER)]  # noqa: S506 - a safe loader


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_an_everyday_way_is_told_from_what_only_looks_like_it(way: Way) -> None:
    language = covered_languages()[way.language]
    seen = scan_file(way.source.encode(), language, language.probes).sites
    assert bool(seen.get(way.probe)) is way.there


PUMPED = [
    ("javascript", "import { spawn } from 'child_process';\nspawn('docker', [" + "'exec', " * 20_000 + "x]);\n"),
    ("javascript", "import { spawn } from 'child_process';\nspawn('ssh', [" + "`a ${x} `, " * 5_000 + "x]);\n"),
    ("javascript", "import { exec } from 'child_process';\nexec('curl " + "-a " * 20_000 + "');\n"),
    ("javascript", "const u = 'https://a?" + ";tls" * 20_000 + "';\n// trustServerCertificate=true\n"),
    ("javascript", "const a = { target: 1, " + "secure : x, " * 20_000 + "};\n"),
    ("javascript", "f().catch(() => {" + " return" * 20_000 + "});\n"),
    ("javascript", "const a = " + "(0, " * 20_000 + "eval;\n"),
    ("javascript", "a\n" + "  .b\n" * 20_000 + "  .c();\n"),
    ("javascript", "import c from 'child_process';\n" + "import /" * 20_000 + "*" * 20_000),
    ("javascript", "import c from 'child_process';\n" + "const a = '/* */' " * 20_000 + "\n"),
    ("javascript", "import c from 'child_process';\n// " + "import a, " * 20_000 + "\n"),
    ("php", "<?php\nuse A" + "\\a" * 20_000 + ";\n"),
    ("php", "<?php\ntry { f(); } catch (" + "A | " * 20_000 + "B $e) { g($e); }\n"),
    ("php", "<?php\ntry { f(); } catch (\\Exception $e) { " + "{ $e->a(); } " * 20_000 + "}\n"),
    ("php", "<?php\nclass ATest { #[" + "A\\" * 20_000 + "Test] function a() { assertTrue(true); } }\n"),
    ("php", "<?php\n$db->query('SELECT * FROM t WHERE a = ' . " + "$a . 'b' . " * 20_000 + "$c);\n"),
    ("php", '<?php\n$a = "' + "{$a['b']} $c " * 20_000 + '"; exec($a);\n'),
    ("php", "<?php\npreg_replace('/" + "/e" * 20_000 + "', '', $a);\n"),
    ("php", "a ?>" + "<?php a(); ?>" * 5_000 + "\n"),
    ("ruby", "x = a" + " rescue 1" * 2_000 + "\n"),
    ("ruby", "begin\n  f\nrescue " + "A, " * 20_000 + "B\nend\n"),
    ("java", "class A { @Test void a() { assertThat(" + "(" * 500 + "a" * 20_000 + "; } }\n"),
    ("java", "class A { @Test void a() { " + "assertThat(f(a) " * 20_000 + "; } }\n"),
    ("rust", "fn f() { match a { " + "Err(_) => x, " * 20_000 + "} }\n"),
    ("shell", "find . -exec sh " + "-a " * 20_000 + "\n"),
    ("shell", "curl -o a https://a " + "&& chmod " * 20_000 + "\n"),
    ("shell", "ssh " + '"a $b" ' * 10_000 + "\n"),
    ("shell", "a() {\n" * 20_000 + '"$@"\n'),
    ("javascript", "f(function (err, " + "a, " * 20_000 + "b) {});\n"),
    ("ruby", "begin\n  f\nrescue\n" + "  # a\n" * 20_000 + "  nil\nend\n"),
    ("csharp", "class A {\n" + "#if A\n" * 20_000 + "void B(\n#else\n#endif\n}\n"),
    ("csharp", "class A { void M() { x." + "B<C<" * 20_000 + "D>>(); } }\n"),
    ("csharp", "class A { void M() { try { } catch (Exception e) { " + "a(" * 5_000 + " } } }\n"),
    ("csharp", 'class A { string M() => "' + "Server=" * 20_000 + 'TrustServerCertificate"; }\n'),
    ("csharp", "class A { " + "[Fact, " * 20_000 + "] void M() { } }\n"),
    ("ruby", 'A.where("a(' + "'b', " * 20_000 + '#{c}")\n'),
]


@pytest.mark.parametrize(("language", "source"), PUMPED, ids=lambda each: each[:24])
def test_what_is_repeated_without_end_costs_no_more_than_its_length(language: str, source: str) -> None:
    known = covered_languages()[language]
    scan_file(b"", known, known.probes)
    started = time.process_time()
    scan_file(source.encode(), known, known.probes)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("src/main/java/org/example/weather/Client.java", False),
        ("core/src/main/java/com/example/Client.java", False),
        ("examples/src/main/java/org/example/Client.java", True),
        ("docs/example/client.py", True),
        ("example/main.go", True),
        ("_examples/logging/main.go", True),
    ],
)
def test_a_package_of_java_that_is_called_example_shows_no_example(path: str, shows: bool) -> None:
    assert is_example(path) is shows
