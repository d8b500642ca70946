"""Dangerous calls in PHP that hide behind names in texts, callbacks and reflection."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, PATH, QUERY, SHELL, TLS, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names


def _page(body: str) -> str:
    """A script."""
    return f"<?php\n\n{body}\n"


CASES: list[Case] = [
    ("a name in a variable", SHELL, _page("$f = 'system';\n$f($x);"), _page("$f = 'strtolower';\n$f($x);")),
    ("call_user_func", SHELL, _page("call_user_func('passthru', $x);"), _page("call_user_func('trim', $x);")),
    (
        "call_user_func_array",
        SHELL,
        _page("call_user_func_array('exec', [$x]);"),
        _page("call_user_func_array('max', [$x]);"),
    ),
    (
        "a filter",
        SHELL,
        _page("$a = filter_var($x, FILTER_CALLBACK, array('options' => '\\\\Shell_Exec'));"),
        _page("$a = filter_var($x, FILTER_CALLBACK, array('options' => 'strtolower'));"),
    ),
    (
        "a filter with a callable",
        SHELL,
        _page("$a = filter_input_array(INPUT_GET, ['a' => ['filter' => FILTER_CALLBACK, 'options' => system(...)]]);"),
        _page("$a = filter_input_array(INPUT_GET, ['a' => ['filter' => FILTER_CALLBACK, 'options' => trim(...)]]);"),
    ),
    ("array_map", SHELL, _page("array_map('system', $x);"), _page("array_map('trim', $x);")),
    (
        "a name that is put together",
        SHELL,
        _page("$f = 'sys' . 'tem';\n$f($x);"),
        _page("$f = 'str' . 'rev';\n$f($x);"),
    ),
    (
        "a table of functions",
        SHELL,
        _page("$table = ['run' => 'shell_exec', 'cut' => 'trim'];\n$table['run']($x);"),
        _page("$table = ['run' => 'strrev', 'cut' => 'trim'];\n$table['run']($x);"),
    ),
    ("the function itself", SHELL, _page("$f = exec(...);\n$f($x);"), _page("$f = trim(...);\n$f($x);")),
    (
        "reflection",
        SHELL,
        _page("(new ReflectionFunction('system'))->invoke($x);"),
        _page("(new ReflectionFunction('trim'))->invoke($x);"),
    ),
    (
        "a closure of a function",
        SHELL,
        _page("$f = Closure::fromCallable('popen');\n$f($x, 'r');"),
        _page("$f = Closure::fromCallable('fopen');\n$f('a.txt', 'r');"),
    ),
    (
        "a name that is chosen",
        SHELL,
        _page("$f = $loud ? 'passthru' : 'trim';\n$f($x);"),
        _page("$f = $loud ? 'strtoupper' : 'trim';\n$f($x);"),
    ),
    (
        "a function that returns a name",
        SHELL,
        _page("function pick() { return 'system'; }\n$f = pick();\n$f($x);"),
        _page("function pick() { return 'trim'; }\n$f = pick();\n$f($x);"),
    ),
    (
        "a default of a parameter",
        SHELL,
        _page("function run($x, $f = 'system') { return $f($x); }"),
        _page("function run($x, $f = 'trim') { return $f($x); }"),
    ),
    (
        "another name by its import",
        SHELL,
        _page("use function exec as show;\nshow($x);"),
        _page("use function trim as show;\nshow($x);"),
    ),
    (
        "a field",
        SHELL,
        _page("class Runner { private $f = 'system'; function go($x) { ($this->f)($x); } }"),
        _page("class Runner { private $f = 'trim'; function go($x) { ($this->f)($x); } }"),
    ),
    (
        "a filter of what is printed",
        SHELL,
        _page('ob_start("system");\necho $x;\nob_end_flush();'),
        _page('ob_start("ob_gzhandler");\necho $x;\nob_end_flush();'),
    ),
    ("the body of a request", CODE, _page('include "php://input";'), _page('include "input.php";')),
    ("text as code", CODE, _page("$f = 'assert';\n$f($x);"), _page("$f = 'is_string';\n$f($x);")),
    (
        "one of three branches",
        SHELL,
        '<?php\nfunction pack(string $kind, string $name): void\n{\n    if ($kind === "zip") {\n        $line = "zip out.zip {$name}";\n    } elseif ($kind === "tar") {\n        $line = "tar -cf out.tar data";\n    } else {\n        $line = "true";\n    }\n    passthru($line);\n}\n',
        '<?php\nfunction pack(string $kind, string $name): void\n{\n    if ($kind === "zip") {\n        $line = "zip out.zip {$name}";\n        $line = "zip out.zip data";\n    } else {\n        $line = "true";\n    }\n    passthru($line);\n}\n',
    ),
    (
        "an arm of a switch",
        QUERY,
        "<?php\nfunction count_them(PDO $db, string $by, string $name): int\n{\n    switch ($by) {\n        case 'name':\n            $sql = 'select count(*) from shops where name = \"' . $name . '\"';\n            break;\n        default:\n            $sql = 'select count(*) from shops';\n    }\n    return (int) $db->query($sql)->fetchColumn();\n}\n",
        "<?php\nfunction count_them(PDO $db, string $by, string $name): int\n{\n    switch ($by) {\n        case 'name':\n            $sql = 'select count(*) from shops where name is not null';\n            break;\n        default:\n            $sql = 'select count(*) from shops';\n    }\n    return (int) $db->query($sql)->fetchColumn();\n}\n",
    ),
    (
        "a list that grows",
        SHELL,
        "<?php\nfunction start(string $name): void\n{\n    $words = [];\n    $words[] = 'bash';\n    $words[] = '-c';\n    $words[] = 'lp ' . $name;\n    proc_open($words, [], $pipes);\n}\n",
        "<?php\nfunction start(string $name): void\n{\n    $words = [];\n    $words[] = 'lp';\n    $words[] = '--';\n    $words[] = $name;\n    proc_open($words, [], $pipes);\n}\n",
    ),
    (
        "a function of C",
        SHELL,
        "<?php\nfunction show(string $name): void\n{\n    $c = FFI::cdef('void *popen(const char *line, const char *way);');\n    $c->popen(\"cat {$name}\", 'r');\n}\n",
        "<?php\nfunction show(string $name): void\n{\n    $c = FFI::cdef('int puts(const char *line);');\n    $c->puts(\"cat {$name}\");\n}\n",
    ),
    (
        "options of curl as numbers",
        TLS,
        "<?php\n\n$options = [\n    10002 => 'https://shops.example',\n    64 => false,\n];\ncurl_setopt_array($curl, $options);\n",
        "<?php\n\n$options = [\n    10002 => 'https://shops.example',\n    64 => true,\n    13 => 0,\n];\ncurl_setopt_array($curl, $options);\n",
    ),
    (
        "a generator",
        PATH,
        "<?php\n\nfunction pages(): iterable\n{\n    yield 'first' => $_GET['page'];\n}\n\nforeach (pages() as $place => $page) {\n    echo $place, file_get_contents(\"pages/{$page}\");\n}\n",
        "<?php\n\nfunction pages(): iterable\n{\n    yield 'first' => basename($_GET['page']);\n}\n\nforeach (pages() as $place => $page) {\n    echo $place, file_get_contents(\"pages/{$page}\");\n}\n",
    ),
    (
        "a function that nobody calls",
        SHELL,
        "<?php\nfunction f($x, $ok)\n{\n    $c = 'rm ' . $x;\n    $never = function () use (&$c) {\n        $c = 'ls';\n    };\n    system($c);\n}\n",
        "<?php\nfunction f($x, $ok)\n{\n    $c = 'pwd';\n    $never = function () use (&$c) {\n        $c = 'ls';\n    };\n    system($c);\n}\n",
    ),
    (
        "a loop that is left at once",
        SHELL,
        "<?php\nfunction f($x, $ok)\n{\n    $c = 'rm ' . $x;\n    do {\n        break;\n        $c = 'ls';\n    } while (0);\n    system($c);\n}\n",
        "<?php\nfunction f($x, $ok)\n{\n    $c = 'pwd';\n    do {\n        break;\n        $c = 'ls';\n    } while (0);\n    system($c);\n}\n",
    ),
    (
        "a sign before an assignment",
        SHELL,
        "<?php\nfunction f($x, $ok)\n{\n    $c = 'rm ' . $x;\n    $ok && $c = 'ls';\n    system($c);\n}\n",
        "<?php\nfunction f($x, $ok)\n{\n    $c = 'pwd';\n    $ok && $c = 'ls';\n    system($c);\n}\n",
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "php")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_call_that_hides_is_found(number: int, found: Found) -> None:
    assert_is_found(found, number, CASES[number], "php")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_only_looks_like_it_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "php")
