"""Sensitive lines that no word of their own makes so, input and endpoints, and configuration of access outside of code."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from auditor.domain import SensitiveLines
from auditor.dossier.access_blocks import blocks
from auditor.dossier.sensitive_lines import searched
from tests.dossier.test_sensitive_lines import found, new_file, places
from tests.repos import Drawing


def listed(drawing: Drawing, path: str, before: str, after: str) -> list[str]:
    """The places of a change of one file."""
    return places(found(drawing, {path: before}, {path: after}))


def area_places(lines: SensitiveLines, area: str) -> list[str]:
    return [each for each in places(lines) if each.startswith(f"{area} ")]


@pytest.mark.parametrize(
    ("path", "line", "area"),
    [
        ("a.py", "plan = request.args.get('plan')", "input"),
        ("a.py", "wanted = request.GET.dict()", "input"),
        ("a.js", "const part = String(req.query.part)", "input"),
        ("a.ts", "show(@Query() filter: string) {", "input"),
        ("a.go", 'id := r.PathValue("id")', "input"),
        ("A.java", "String list(@RequestParam String by) {", "input"),
        ("a.rb", "rows = Stock.where(product_id: params[:id])", "input"),
        ("a.php", "$style = $_GET['style'] ?? 'plain';", "input"),
        ("A.cs", "var of = Request.Query[name];", "input"),
        ("a.rs", "async fn search(Query(wanted): Query<Wanted>) -> Html {", "input"),
        ("a.py", "@bp.get('/orders')", "endpoints"),
        ("shop/urls.py", "    path('orders/', orders),", "endpoints"),
        ("a.js", "router.get('/search', search)", "endpoints"),
        ("a.ts", "export const config = { matcher: ['/office'] };", "endpoints"),
        ("a.go", 'mux.HandleFunc("/orders", orders)', "endpoints"),
        ("A.java", '@GetMapping("/orders")', "endpoints"),
        ("A.cs", 'app.MapGet("/health", () => "up");', "endpoints"),
        ("a.php", "Route::get('/orders', show);", "endpoints"),
        ("config/routes.rb", "  resources :orders", "endpoints"),
        ("a.rs", '        .route("/orders", get(orders))', "endpoints"),
        ("a.js", "app.on('certificate-error', answer)", "tls"),
    ],
)
def test_input_and_endpoints_are_told_by_the_words_of_their_frameworks(path: str, line: str, area: str) -> None:
    assert area in {each.area for each in searched([new_file(path, f"x\n{line}\n")]).areas}


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "request = build(name)"),
        ("a.py", "table.get('/orders')"),
        ("a.js", "const found = table.get(name)"),
        ("a.js", "const path = require('path')"),
        ("a.go", "total := r.Total"),
        ("A.java", "@Override"),
        ("a.rb", "total = prices.sum"),
        ("a.rs", "let total = prices.iter().sum();"),
        ("tests/test_a.py", "@app.get('/orders')"),
        ("docs/a.md", "@app.get('/orders')"),
    ],
)
def test_ordinary_lines_are_neither_input_nor_endpoints(path: str, line: str) -> None:
    areas = {each.area for each in searched([new_file(path, f"x\n{line}\n")]).areas}
    assert not areas & {"endpoints", "input"}


def test_an_endpoint_that_is_removed_is_shown_where_it_was(drawing: Drawing) -> None:
    before = "@app.get('/a')\ndef a():\n    return 1\n\n\n@app.get('/b')\ndef b():\n    return 2\n"
    assert listed(drawing, "a.py", before, before.partition("\n\n\n")[0] + "\n") == ["endpoints a.py:6 (before)"]


def test_a_line_inside_a_function_about_access_counts(drawing: Drawing) -> None:
    before = "def is_signed(body, mark):\n    expected = digest(body)\n    return same(expected, mark)\n"
    after = before.replace("same(expected,", "same(expected[: len(mark)],")
    assert listed(drawing, "payments.py", before, after) == ["access_control payments.py:3"]


def test_the_same_line_inside_an_ordinary_function_is_silent(drawing: Drawing) -> None:
    before = "def total(body, mark):\n    expected = digest(body)\n    return same(expected, mark)\n"
    after = before.replace("same(expected,", "same(expected[: len(mark)],")
    assert listed(drawing, "prices.py", before, after) == []


def test_a_return_that_is_removed_from_a_refusal_is_shown(drawing: Drawing) -> None:
    before = "func pay(r Call) {\n\tif !user(r).Staff {\n\t\tfail(r)\n\t\treturn\n\t}\n\tnext(r)\n}\n"
    after = before.replace("\t\treturn\n", "")
    assert listed(drawing, "office.go", before, after) == ["access_control office.go:4 (before)"]


def test_a_case_of_a_switch_over_roles_is_inside_it(drawing: Drawing) -> None:
    before = "switch (role) {\ncase CLERK:\n    limit = 5;\n    break;\ncase CHIEF:\n    limit = 9;\n}\n"
    after = before.replace("    break;\n", "")
    assert listed(drawing, "Limits.java", before, after) == ["access_control Limits.java:4 (before)"]


def test_a_decorator_above_a_definition_about_access_is_inside_it(drawing: Drawing) -> None:
    before = "def current_user():\n    return load(number)\n"
    assert listed(drawing, "a.py", before, f"@lru_cache(maxsize=1)\n{before}") == ["access_control a.py:1"]


def test_what_a_protected_page_does_is_not_about_access(drawing: Drawing) -> None:
    before = "@login_required\ndef prices():\n    return 1\n"
    assert listed(drawing, "a.py", before, before.replace("1", "2")) == []


def test_a_method_of_a_class_about_access_is_inside_it_and_what_follows_is_not(drawing: Drawing) -> None:
    before = (
        "class OrderPolicy\n  def update?\n    owner == me\n  end\nend\n\nclass Price\n  def sum\n    3\n  end\nend\n"
    )
    after = before.replace("owner == me", "owner = me").replace("    3", "    4")
    assert listed(drawing, "order.rb", before, after) == ["access_control order.rb:3"]


def test_a_function_that_is_new_as_a_whole_is_told_by_its_own_words(drawing: Drawing) -> None:
    after = "x = 1\n\n\ndef signed_total(prices):\n    a = sum(prices)\n    return a\n"
    assert listed(drawing, "a.py", "x = 1\n", after) == []


def test_of_lines_that_are_indented_inside_a_block_only_what_is_around_them_is_shown(drawing: Drawing) -> None:
    before = "def login(name):\n    x = find(name)\n    y = 2\n    return x\n"
    after = "def login(name):\n    with timer():\n        x = find(name)\n    y = 2\n    return x\n"
    assert listed(drawing, "a.py", before, after) == ["access_control a.py:2"]


def test_comments_and_brackets_inside_a_block_are_silent(drawing: Drawing) -> None:
    before = "def login(name):\n    return find(name)\n"
    after = "def login(name):\n    # Find it.\n    return find(\n        name\n    )\n"
    assert listed(drawing, "a.py", before, after) == ["access_control a.py:3"]


def test_decorators_that_change_their_order_are_shown(drawing: Drawing) -> None:
    before = "@bp.post('/refunds')\n@login_required\ndef pay():\n    return 1\n"
    after = "@login_required\n@bp.post('/refunds')\ndef pay():\n    return 1\n"
    assert listed(drawing, "office.py", before, after) == ["access_control office.py:2"]


def test_a_layer_that_is_moved_above_a_route_is_shown(drawing: Drawing) -> None:
    before = 'Router::new()\n    .route("/a", get(a))\n    .route("/b", post(b))\n    .layer(from_fn(staff))\n'
    after = 'Router::new()\n    .route("/a", get(a))\n    .layer(from_fn(staff))\n    .route("/b", post(b))\n'
    assert len(listed(drawing, "office.rs", before, after)) == 1


def test_routes_that_move_together_are_silent(drawing: Drawing) -> None:
    routes = '    .route("/a", get(a))\n    .layer(from_fn(staff))\n'
    before = f"fn one() {{\n{routes}}}\n\nfn two() {{\n    let x = 1;\n}}\n"
    after = f"fn two() {{\n    let x = 1;\n}}\n\nfn one() {{\n{routes}}}\n"
    assert listed(drawing, "office.rs", before, after) == []


def test_another_order_of_ordinary_lines_is_silent(drawing: Drawing) -> None:
    assert listed(drawing, "a.py", "a = 1\nb = 2\nc = 3\n", "b = 2\nc = 3\na = 1\n") == []


CONFIGURATION: Mapping[str, tuple[str, str, str]] = {
    "the address of the Gradle wrapper": (
        "gradle/wrapper/gradle-wrapper.properties",
        "distributionUrl=https\\://services.gradle.org/gradle-8.9-bin.zip\n",
        "distributionUrl=https\\://services.example/gradle-8.9-bin.zip\n",
    ),
    "the checksum of the Gradle wrapper": (
        "gradle/wrapper/gradle-wrapper.properties",
        "distributionSha256Sum=d725\nzipStorePath=wrapper\n",
        "zipStorePath=wrapper\n",
    ),
    "the address of a submodule": (
        ".gitmodules",
        '[submodule "a"]\n\turl = https://github.com/acme/a\n',
        '[submodule "a"]\n\turl = https://github.com/acmee/a\n',
    ),
    "methods that a servlet protects": (
        "src/WEB-INF/web.xml",
        "<a>\n</a>\n",
        "<a>\n<http-method>GET</http-method>\n</a>\n",
    ),
    "who a cluster role is for": (
        "deploy/rbac.yaml",
        "subjects:\n  - kind: ServiceAccount\n    name: deployer\n",
        "subjects:\n  - kind: Group\n    name: system:serviceaccounts\n",
    ),
    "who may take a role": (
        "infra/deploy.tf",
        '      values   = ["repo:acme/shop:ref:refs/heads/main"]\n',
        '      values   = ["repo:acme*"]\n',
    ),
    "where a login may lead": (
        "deploy/realm.json",
        '"redirectUris": ["https://shop.example/done"]\n',
        '"redirectUris": ["https://*"]\n',
    ),
    "who may connect to a database": ("pg_hba.conf", "local all all peer\n", "local all all trust\n"),
    "a policy of rows": ("a.sql", "select 1;\n", "select 1;\ncreate policy a on b using (true);\n"),
    "a firewall of Symfony": ("config/packages/security.yaml", "pattern: ^/(a|b)/\n", "pattern: /(a|b|)\n"),
    "what pnpm installs": (".pnpmfile.cjs", "const a = 1;\n", "const a = 2;\n"),
    "rules of Mergify": (".mergify.yml", "- a=1\n", "- a=2\n"),
    "variables of a bundle": (
        "vite.config.ts",
        "build: {}\n",
        "build: {},\ndefine: { a: loadEnv(mode, '.', '') }\n",
    ),
    "text of MyBatis": (
        "src/OrderMapper.xml",
        "SELECT a FROM b WHERE c = #{d}\n",
        "SELECT a FROM b WHERE c = #{d} AND e IN (${f})\n",
    ),
    "another package in a lock entry": (
        "package-lock.json",
        '    "node_modules/qs": {\n      "resolved": "https://registry.npmjs.org/qs/-/qs-6.13.0.tgz"\n    }\n',
        '    "node_modules/qs": {\n      "resolved": "https://registry.npmjs.org/qsx/-/qsx-6.13.0.tgz"\n    }\n',
    ),
    "another archive in a lock entry": (
        "yarn.lock",
        'qs@^6.0.0:\n  resolved "https://registry.yarnpkg.com/qs/-/qs-6.13.0.tgz#a"\n',
        'qs@^6.0.0:\n  resolved "https://registry.yarnpkg.com/qs/-/other-6.13.0.tgz#a"\n',
    ),
    "another wheel in a lock entry": (
        "uv.lock",
        'name = "a-b"\nwheels = [\n  { url = "https://files.pythonhosted.org/p/a_b-1.0-py3-none-any.whl" },\n]\n',
        'name = "a-b"\nwheels = [\n  { url = "https://files.pythonhosted.org/p/ab-1.0-py3-none-any.whl" },\n]\n',
    ),
}


@pytest.mark.parametrize("case", CONFIGURATION)
def test_configuration_of_access_and_of_sources_counts(drawing: Drawing, case: str) -> None:
    path, before, after = CONFIGURATION[case]
    assert listed(drawing, path, before, after)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "package-lock.json",
            '"node_modules/@a/qs": {\n  "resolved": "https://registry.npmjs.org/@a/qs/-/qs-1.0.0.tgz"\n}\n',
            '"node_modules/@a/qs": {\n  "resolved": "https://registry.npmjs.org/@a/qs/-/qs-1.0.1.tgz"\n}\n',
        ),
        (
            "package-lock.json",
            '"node_modules/a": {\n}\n"b": "npm:c@1"\n"resolved": "https://registry.npmjs.org/a/-/a-1.tgz"\n',
            (
                '"node_modules/b": {\n  "resolved": "https://registry.npmjs.org/c/-/c-1.tgz"\n}\n"b": "npm:c@1"\n'
                '"node_modules/a": {\n"resolved": "https://registry.npmjs.org/a/-/a-1.tgz"\n'
            ),
        ),
        (
            "uv.lock",
            'name = "a-b"\nsdist = { url = "https://files.pythonhosted.org/p/a-b-1.0.tar.gz" }\n',
            'name = "a-b"\nsdist = { url = "https://files.pythonhosted.org/p/a_b-1.1.tar.gz" }\n',
        ),
        ("src/OrderMapper.xml", "SELECT a FROM b WHERE c = #{d}\n", "SELECT e FROM b WHERE c = #{f}\n"),
        ("deploy/realm.json", '"name": "a"\n', '"name": "b"\n'),
        ("deploy/values.yaml", "replicas: 1\n", "replicas: 2\n"),
    ],
)
def test_ordinary_updates_of_configuration_and_locks_are_silent(
    drawing: Drawing, path: str, before: str, after: str
) -> None:
    assert listed(drawing, path, before, after) == []


def test_input_and_endpoints_come_last_and_certificate_checks_first() -> None:
    text = "wanted = request.args\n\n@app.get('/a')\n\nos.system(x)\n\nrequests.get(url, verify=False)\n"
    lines = searched([new_file("a.py", text)])
    assert [each.area for each in lines.areas] == ["tls", "programs", "endpoints", "input"]


@pytest.mark.parametrize("line", ["{0}def login():", "{0}if role:", "\t{0}x", "@a{0}", ")", "case {0}:"])
def test_a_hundred_thousand_lines_of_blocks_take_seconds(line: str) -> None:
    lines = [line.format(" " * (each % 390)) for each in range(100_000)]
    started = time.process_time()
    blocks(lines, ())
    assert time.process_time() - started < 4


def test_many_moved_lines_take_seconds(drawing: Drawing) -> None:
    routes = [f"@app.get('/{each}')\n@login_required\n" for each in range(3_000)]
    started = time.process_time()
    found(drawing, {"a.py": "".join(routes)}, {"a.py": "".join(reversed(routes))})
    assert time.process_time() - started < 8
