"""Untrusted input in PHP that reaches a dangerous call, and the same code where it does not."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, LOADING, QUERY, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names


def _laravel(body: str, more: str = "") -> str:
    """A controller with one action."""
    lines = "".join(f"        {each}\n" for each in body.split("\n"))
    return (
        "<?php\n\nnamespace App\\Http\\Controllers;\n\nuse Illuminate\\Http\\Request;\nuse Illuminate\\Support\\Facades\\DB;\n\n"
        f"class ItemController extends Controller\n{{\n{more}    public function show(Request $request, int $id)\n    {{\n{lines}    }}\n}}\n"
    )


def _page(body: str) -> str:
    """A script."""
    return f"<?php\n\n{body}\n"


CASES: list[Case] = [
    (
        "a name that is reversed",
        SHELL,
        _page("$f = strrev('metsys');\n$f($_GET['dir']);"),
        _page("$f = strrev('rewolotrts');\n$f($_GET['dir']);"),
    ),
    (
        "a name in base64",
        SHELL,
        _page("base64_decode('c3lzdGVt')($_GET['dir']);"),
        _page("base64_decode('dHJpbQ==')($_GET['dir']);"),
    ),
    (
        "a name whose letters are turned",
        SHELL,
        _page("$f = str_rot13('flfgrz');\n$f($_GET['dir']);"),
        _page("$f = str_rot13('gevz');\n$f($_GET['dir']);"),
    ),
    (
        "a name of several parts",
        SHELL,
        _page("$f = implode('', ['sys', 'tem']);\n$f($_GET['dir']);"),
        _page("function implode($a, $b) { return 'trim'; }\n$f = implode('', ['sys', 'tem']);\n$f($_GET['dir']);"),
    ),
    (
        "a name of a code",
        SHELL,
        _page("$f = chr(115) . 'ystem';\ncall_user_func($f, $_GET['dir']);"),
        _page("$f = chr(116) . 'rim';\ncall_user_func($f, $_GET['dir']);"),
    ),
    (
        "a command",
        SHELL,
        _page("system('ls ' . $_GET['dir']);"),
        _page("system('ls ' . escapeshellarg($_GET['dir']));"),
    ),
    (
        "backticks",
        SHELL,
        _page('$dir = trim($_POST["dir"]);\necho `ls $dir`;'),
        _page('$dir = (int) $_POST["dir"];\necho `head -n $dir log`;'),
    ),
    (
        "a text with braces",
        SHELL,
        _page('$host = $_SERVER["HTTP_HOST"];\nexec("ping -c 1 {$host}", $out);'),
        _page('$host = $_SERVER["SERVER_PORT"];\nexec("ping -c 1 {$host}", $out);'),
    ),
    (
        "a here document",
        SHELL,
        _page("$name = $_REQUEST['name'] ?? 'x';\nshell_exec(<<<CMD\necho $name\nCMD);"),
        _page("$name = intval($_REQUEST['name'] ?? 0);\nshell_exec(<<<CMD\necho $name\nCMD);"),
    ),
    (
        "a list that is looked up",
        SHELL,
        _page("$tool = $_GET['tool'];\nif ($tool == '') {\n    exit;\n}\npassthru($tool . ' -h');"),
        _page(
            "$tool = $_GET['tool'];\nif (!in_array($tool, ['ls', 'df'], true)) {\n    exit;\n}\npassthru($tool . ' -h');"
        ),
    ),
    (
        "a form that is asked",
        SHELL,
        _page(
            "$tool = $_GET['tool'];\nif (!preg_match('/^[a-z]+/', $tool)) {\n    die('no');\n}\nproc_open(\"run $tool\", [], $pipes);"
        ),
        _page(
            "$tool = $_GET['tool'];\nif (!preg_match('/^[a-z]+$/', $tool)) {\n    die('no');\n}\nproc_open(\"run $tool\", [], $pipes);"
        ),
    ),
    (
        "a function of the file",
        SHELL,
        _page("function run($cmd)\n{\n    return popen($cmd, 'r');\n}\n\nrun('du ' . $_COOKIE['d']);"),
        _page(
            "function run($dir)\n{\n    return popen('du ' . escapeshellarg($dir), 'r');\n}\n\n$dir = $_COOKIE['d'];\nrun($dir);"
        ),
    ),
    (
        "a request of Laravel",
        SHELL,
        _laravel("$file = $request->input('file');\nexec(\"convert $file out.png\");"),
        _laravel("$file = $request->integer('file');\nexec(\"convert $file out.png\");"),
    ),
    (
        "a request of Symfony",
        SHELL,
        _page(
            "use Symfony\\Component\\HttpFoundation\\Request;\nuse Symfony\\Component\\Process\\Process;\n\nfunction run(Request $request): void\n{\n    $q = $request->query->get('q');\n    Process::fromShellCommandline('grep ' . $q)->run();\n}"
        ),
        _page(
            "use Symfony\\Component\\HttpFoundation\\Request;\nuse Symfony\\Component\\Process\\Process;\n\nfunction run(Request $request): void\n{\n    $q = $request->query->get('q');\n    (new Process(['grep', $q]))->run();\n}"
        ),
    ),
    (
        "a field of the object",
        SHELL,
        _page(
            "class Report\n{\n    private $name;\n\n    public function __construct()\n    {\n        $this->name = $_GET['name'];\n    }\n\n    public function make()\n    {\n        system('report ' . $this->name);\n    }\n}"
        ),
        _page(
            "class Report\n{\n    private $name = 'daily';\n\n    public function make()\n    {\n        error_log($_GET['name']);\n        system('report ' . $this->name);\n    }\n}"
        ),
    ),
    (
        "evaluated text",
        CODE,
        _page("eval('return ' . $_GET['sum'] . ';');"),
        _page("eval('return ' . floatval($_GET['sum']) . ';');"),
    ),
    (
        "a file that is included",
        CODE,
        _page("$page = $_GET['page'];\ninclude 'pages/' . $page . '.php';"),
        _page(
            "$pages = ['home' => 'home.php'];\n$page = $_GET['page'];\nif (!isset($pages[$page])) {\n    exit;\n}\ninclude 'pages/' . $page . '.php';"
        ),
    ),
    (
        "a function by its name",
        CODE,
        _page("$f = $_GET['f'];\n$f('x');"),
        _page("$f = $_GET['f'] === 'up' ? 'strtoupper' : 'strtolower';\n$f('x');"),
    ),
    (
        "a call of a function by its name",
        CODE,
        _page("call_user_func($_POST['f'], 'x');"),
        _page("call_user_func('strtoupper', $_POST['f']);"),
    ),
    (
        "a query",
        QUERY,
        _page("$name = $_GET['name'];\n$rows = mysqli_query($link, \"SELECT * FROM users WHERE name = '$name'\");"),
        _page(
            "$name = mysqli_real_escape_string($link, $_GET['name']);\n$rows = mysqli_query($link, \"SELECT * FROM users WHERE name = '$name'\");"
        ),
    ),
    (
        "a query of PDO",
        QUERY,
        _page(
            "$pdo = new PDO($dsn);\n$sql = 'SELECT * FROM users WHERE id = ';\n$sql .= $_GET['id'];\n$pdo->query($sql);"
        ),
        _page(
            "$pdo = new PDO($dsn);\n$sql = 'SELECT * FROM users WHERE id = ?';\n$pdo->prepare($sql)->execute([$_GET['id']]);"
        ),
    ),
    (
        "raw SQL of Laravel",
        QUERY,
        _laravel("return DB::table('items')->whereRaw(\"name = '\" . request('name') . \"'\")->get();"),
        _laravel("return DB::table('items')->whereRaw('name = ?', [request('name')])->get();"),
    ),
    (
        "a statement of Laravel",
        QUERY,
        _laravel("DB::statement(\"update items set name = '{$request->get('name')}' where id = $id\");"),
        _laravel('DB::statement("update items set seen = 1 where id = $id");'),
    ),
    (
        "classes that are not restricted",
        LOADING,
        _page("$cart = unserialize($_COOKIE['cart']);"),
        _page("$cart = unserialize($_COOKIE['cart'], ['allowed_classes' => false]);"),
    ),
    (
        "every class is allowed",
        LOADING,
        _page("$cart = unserialize($_POST['cart'], ['allowed_classes' => true]);"),
        _page("$cart = unserialize($_POST['cart'], ['allowed_classes' => [Cart::class]]);"),
    ),
    (
        "classes by a negation",
        LOADING,
        _page("$cart = unserialize($_POST['cart'], ['allowed_classes' => !false]);"),
        _page("$how = ['allowed_classes' => false];\n$cart = unserialize($_POST['cart'], $how);"),
    ),
    (
        "objects of any class",
        LOADING,
        _page("$cart = unserialize(base64_decode($_COOKIE['cart']));"),
        _page("$cart = json_decode(base64_decode($_COOKIE['cart']));"),
    ),
    (
        "the body of a request",
        LOADING,
        _page("$data = unserialize(file_get_contents('php://input'));"),
        _page("$data = json_decode(file_get_contents('php://input'), true);"),
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "php")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_reaches_a_dangerous_call_is_confirmed_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "php")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_is_provably_harmless_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "php")
