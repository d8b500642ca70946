"""Untrusted input in PHP that chooses a file, a host or the target of a redirect, and the same code where it is checked."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, FORGERY, PATH, REDIRECT, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_silent, assert_way_is_told, names


def _page(body: str) -> str:
    """A script."""
    return f"<?php\n\n{body}\n"


def _class(uses: str, body: str, given: str) -> str:
    lines = "".join(f"        {each}\n" for each in body.split("\n"))
    imports = "".join(f"use {each};\n" for each in uses.split())
    return f"<?php\n\nnamespace App\\Http\\Controllers;\n\n{imports}\nclass ItemController extends Controller\n{{\n    public function show({given})\n    {{\n{lines}    }}\n}}\n"


_LARAVEL = "Illuminate\\Http\\Request Illuminate\\Support\\Facades\\Http Illuminate\\Support\\Facades\\File Illuminate\\Support\\Facades\\Redirect GuzzleHttp\\Client"
_SYMFONY = "Symfony\\Component\\HttpFoundation\\Request Symfony\\Component\\HttpFoundation\\RedirectResponse Symfony\\Component\\HttpFoundation\\BinaryFileResponse Symfony\\Contracts\\HttpClient\\HttpClientInterface"


def _plain(name: str, probe: str, hostile: str, benign: str) -> Case:
    return name, probe, _page(hostile), _page(benign)


def _laravel(name: str, probe: str, hostile: str, benign: str) -> Case:
    given = "Request $request, Client $client"
    return name, probe, _class(_LARAVEL, hostile, given), _class(_LARAVEL, benign, given)


def _symfony(name: str, probe: str, hostile: str, benign: str) -> Case:
    given = "Request $request, HttpClientInterface $client"
    return name, probe, _class(_SYMFONY, hostile, given), _class(_SYMFONY, benign, given)


CASES: list[Case] = [
    _plain("a file that is sent", PATH, "readfile('/data/' . $_GET['f']);", "readfile('/data/' . basename($_GET['f']));"),
    _plain("a file that is read", PATH, "echo file_get_contents(\"/data/{$_GET['f']}.txt\");", "echo file_get_contents('/data/' . (int) $_GET['f'] . '.txt');"),
    _plain("a path that is compared before it is resolved", PATH, "$p = '/data/' . $_GET['f'];\nif (strpos($p, '/data/') !== 0) {\n    die();\n}\nreadfile($p);", "$p = realpath('/data/' . $_GET['f']);\nif (strpos($p, '/data/') !== 0) {\n    die();\n}\nreadfile($p);"),
    _plain("a check that decides nothing", PATH, "$p = realpath('/data/' . $_GET['f']);\nif (!str_starts_with($p, '/data/')) {\n    error_log($p);\n}\nunlink($p);", "$p = realpath('/data/' . $_GET['f']);\nif ($p === false || !str_starts_with($p, '/data/')) {\n    exit;\n}\nunlink($p);"),
    _plain("a file without a look at its dots", PATH, "$f = $_GET['f'];\nif (strpos($f, '.') === false) {\n    $f .= '.txt';\n}\nunlink('/data/' . $f);", "$f = $_GET['f'];\nif (strpos($f, '..') !== false) {\n    exit;\n}\nunlink('/data/' . $f);"),
    _plain("a resolved path of which nothing is asked", PATH, "$p = realpath('/data/' . $_GET['f']);\nif (!$p) {\n    exit;\n}\nreadfile($p);", "$p = realpath('/data/' . $_GET['f']);\nif (strncmp($p, '/data/', 6) !== 0) {\n    exit;\n}\nreadfile($p);"),
    _plain("an upload under a foreign name", PATH, "move_uploaded_file($_FILES['u']['tmp_name'], '/data/' . $_POST['name']);", "move_uploaded_file($_FILES['u']['tmp_name'], '/data/' . bin2hex(random_bytes(8)));\necho file_get_contents($_FILES['u']['tmp_name']);"),
    _plain("a file that is written", PATH, "file_put_contents('/data/' . $_POST['f'], $_POST['text']);", "file_put_contents('/data/all.txt', $_POST['text'], FILE_APPEND);"),
    _plain("a stream", PATH, "$h = fopen('/data/' . $_REQUEST['f'], 'r');", "$h = fopen('/data/' . pathinfo($_REQUEST['f'], PATHINFO_BASENAME), 'r');"),
    _plain("a name of a known list", PATH, "$f = $_GET['f'];\nif (empty($f)) {\n    exit;\n}\nreadfile($f);", "$f = $_GET['f'];\nif (!in_array($f, ['a.txt', 'b.txt'], true)) {\n    exit;\n}\nreadfile($f);"),
    _laravel("a download", PATH, "return response()->download(storage_path('app/' . $request->input('f')));", "return response()->download(storage_path('app/' . basename($request->input('f'))));"),
    _laravel("a file of the framework", PATH, "return File::get(base_path($request->query('f')));", "return File::get(base_path('README.md')) . $request->query('f');"),
    _symfony("a file as a response", PATH, "return new BinaryFileResponse('/data/' . $request->query->get('f'));", "return new BinaryFileResponse('/data/' . $request->query->getInt('f'));"),
    _plain("an address", FORGERY, "$c = curl_init($_GET['u']);\ncurl_exec($c);", "$c = curl_init('https://shop.example/items/' . $_GET['u']);\ncurl_exec($c);"),
    _plain("an address as an option", FORGERY, "$c = curl_init();\ncurl_setopt($c, CURLOPT_URL, $_GET['u']);", "$c = curl_init('https://shop.example/');\ncurl_setopt($c, CURLOPT_POSTFIELDS, $_GET['u']);"),
    _plain("an address among options", FORGERY, "$c = curl_init();\ncurl_setopt_array($c, [CURLOPT_URL => $_GET['u'], CURLOPT_TIMEOUT => 3]);", "$c = curl_init();\ncurl_setopt_array($c, [CURLOPT_URL => 'https://shop.example/', CURLOPT_POSTFIELDS => $_GET['u']]);"),
    _plain("a host that is not asked for", FORGERY, "$u = $_GET['u'];\nif (!filter_var($u, FILTER_VALIDATE_URL)) {\n    exit;\n}\n$c = curl_init($u);", "$u = $_GET['u'];\nif (parse_url($u, PHP_URL_HOST) !== 'shop.example') {\n    exit;\n}\n$c = curl_init($u);"),
    _plain("a host of a list that is not asked for", FORGERY, "$u = $_GET['u'];\n$host = parse_url($u, PHP_URL_HOST);\nif (!$host) {\n    exit;\n}\n$c = curl_init($u);", "$u = $_GET['u'];\n$host = parse_url($u, PHP_URL_HOST);\nif (!in_array($host, ['shop.example', 'cdn.example'], true)) {\n    exit;\n}\n$c = curl_init($u);"),
    _laravel("an address of the framework", FORGERY, "return Http::get($request->input('u'));", "return Http::get('https://shop.example/', ['u' => $request->input('u')]);"),
    _laravel("an address of a client", FORGERY, "return $client->get($request->input('u'));", "return $client->get('https://shop.example/' . $request->input('u'));"),
    _laravel("an address of a request", FORGERY, "return $client->request('GET', 'https://' . $request->input('h') . '/x');", "return $client->request($request->input('m'), 'https://shop.example/x');"),
    _symfony("an address of the client of Symfony", FORGERY, "return $client->request('GET', $request->query->get('u'));", "$p = parse_url($request->query->get('u'));\nreturn $client->request('GET', 'https://shop.example/x', ['query' => ['p' => $p]]);"),
    _plain("a redirect", REDIRECT, "header('Location: ' . $_GET['next']);", "header('Location: /items?next=' . $_GET['next']);"),
    _plain("a redirect in one text", REDIRECT, "header(\"location: {$_GET['next']}\", true, 302);", "header(\"X-Next: {$_GET['next']}\");"),
    _plain("a redirect of WordPress", REDIRECT, "wp_redirect($_GET['next']);\nexit;", "wp_safe_redirect($_GET['next']);\nexit;"),
    _plain("a redirect to another host", REDIRECT, "$n = $_GET['next'];\nif ($n === '') {\n    $n = '/';\n}\nheader('Location: ' . $n);", "$n = $_GET['next'];\nif (parse_url($n, PHP_URL_HOST) !== null) {\n    $n = '/';\n}\nheader('Location: ' . $n);"),
    _laravel("a redirect of the framework", REDIRECT, "return redirect($request->input('next'));", "return redirect('/items/' . $request->input('next'));"),
    _laravel("a redirect away", REDIRECT, "return redirect()->away($request->input('next'));", "return redirect()->route('items', ['id' => $request->input('id')]);"),
    _symfony("a response that redirects", REDIRECT, "return new RedirectResponse($request->query->get('next'));", "return new RedirectResponse('/items?next=' . $request->query->get('next'));"),
    _symfony("a redirect of a controller", REDIRECT, "return $this->redirect($request->query->get('next'));", "return $this->redirectToRoute('items', ['next' => $request->query->get('next')]);"),
    _plain("characters that are left", PATH, "$n = preg_replace('~[^a-z./]~', '', $_GET['n']);\nunlink('/data/' . $n);", "$n = preg_replace('/[^a-z0-9_-]/', '', $_GET['n']);\nunlink('/data/' . $n);"),
    _plain("a check whose answer may be zero", PATH, "$n = $_GET['n'];\nif (strpos($n, '..')) {\n    exit;\n}\nunlink('/data/' . $n);", "$n = $_GET['n'];\nif (str_contains($n, '..')) {\n    exit;\n}\nunlink('/data/' . $n);"),
    _plain("a check in a block with a handler", PATH, "$n = $_GET['n'];\ntry {\n    if (str_contains($n, '..')) {\n        exit;\n    }\n} catch (Exception $e) {\n    error_log($e);\n}\nunlink('/data/' . $n);", "$n = $_GET['n'];\ntry {\n    if (str_contains($n, '..')) {\n        exit;\n    }\n} catch (Exception $e) {\n    exit;\n}\nunlink('/data/' . $n);"),
    _plain("variables that the request names", CODE, "extract($_GET);", "extract(['a' => $_GET['a']]);"),
    _plain("a socket", FORGERY, "$s = fsockopen($_GET['h'], 80);", "$s = fsockopen('shop.example', 80);\nfwrite($s, $_GET['h']);"),
    _laravel("a base address", FORGERY, "return Http::baseUrl($request->input('u'))->get('/x');", "return Http::withToken($request->input('t'))->timeout(3)->get('https://shop.example/x');"),
    _laravel("an address of a client that is built", FORGERY, "return Http::withToken('t')->timeout(3)->post($request->input('u'));", "return Http::withToken('t')->timeout(3)->post('https://shop.example/x', ['u' => $request->input('u')]);"),
    _plain("a redirect in a format", REDIRECT, "header(sprintf('Location: %s', $_GET['u']));", "header(sprintf('Location: /items/%s', $_GET['u']));"),
    _plain("a page that is left after a while", REDIRECT, "header('Refresh: 0; url=' . $_GET['u']);", "header('Refresh: 5; url=/items/' . $_GET['u']);"),
    _symfony("a header among others", REDIRECT, "$r = new \\Symfony\\Component\\HttpFoundation\\Response('', 302, ['Location' => $request->query->get('u')]);", "$r = new \\Symfony\\Component\\HttpFoundation\\Response('', 302, ['X-Next' => $request->query->get('u')]);"),
    _symfony("a header that is set", REDIRECT, "$this->response->headers->set('Location', $request->query->get('u'));", "$this->response->headers->set('X-Next', $request->query->get('u'));"),
    _plain("a name with all of its namespace", PATH, "\\unlink($_GET['f']);", "\\App\\unlink($_GET['f']);"),
    _plain("a name in capitals", PATH, "UnLink($_GET['f']);", "UnLink('a.txt');\nerror_log($_GET['f']);"),
    _plain("an argument by its name", PATH, "unlink(filename: $_GET['f']);", "unlink(filename: 'a.txt');\nerror_log($_GET['f']);"),
    _plain("a check that begins with its answer", PATH, "$n = $_GET['n'];\nif (false === strpos($n, '..')) {\n    exit;\n}\nunlink('/data/' . $n);", "$n = $_GET['n'];\nif (false !== strpos($n, '..')) {\n    exit;\n}\nunlink('/data/' . $n);"),
    _plain("a field that is called like one of the server", REDIRECT, "header('Location: ' . $_GET['REQUEST_URI']);", "header('Location: ' . $_SERVER['REQUEST_URI']);"),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "php")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_input_that_chooses_a_place_is_found_with_its_way(number: int, found: Found) -> None:
    assert_way_is_told(found, number, CASES[number], "php")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_place_that_is_checked_or_fixed_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "php")
