"""Guards that a change takes away, each beside an edit that looks like it and keeps the code guarded."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from auditor.forensics.protections.removed_guards import find_removed_guards, guard_rows, is_guard_file
from tests.forensics.protections.changed import changed


class Case(NamedTuple):
    """A row, a file as it was, an edit that takes its guard away, and one that does not."""

    row: str
    path: str
    before: str
    hostile: str
    benign: str


VIEW = "from auth import login_required\n\n\n@app.post('/pay')\n@login_required\ndef pay():\n    return charge()\n"
ROUTES = "app.use(helmet());\napp.post('/refund', requireAuth, (req, res) => res.json(refund(req.body)));\n"
CHECK = "def pay(user):\n    if not user.is_admin:\n        abort(403)\n    return charge()\n"
HOOKS = "repos:\n  - repo: https://example.org/gitleaks\n    rev: v8\n    hooks:\n      - id: gitleaks\n  - repo: https://example.org/ruff\n    rev: v1\n    hooks:\n      - id: ruff\n"
CASES = [
    Case("access_attribute", "src/Controller/AdminController.php", "<?php\n#[Route('/admin')]\n#[IsGranted('ROLE_ADMIN')]\npublic function users(): Response\n", "<?php\n#[Route('/admin')]\npublic function users(): Response\n", "<?php\n#[Route('/admin')]\n#[IsGranted('ROLE_SUPER_ADMIN')]\npublic function users(): Response\n"),
    Case("access_check", "app/Http/Controllers/NoteController.php", "<?php\n$this->authorize('delete', $note);\n$note->delete();\n", "<?php\n$note->delete();\n", "<?php\nGate::authorize('delete', $note);\n$note->delete();\n"),
    Case("annotation", "P.java", "@PreAuthorize(\"hasRole('ADMIN')\")\npublic void wipe() {\n", "public void wipe() {\n", "@Secured(\"ADMIN\")\npublic void wipe() {\n"),
    Case("aspnet_middleware", "Program.cs", "app.UseRouting();\napp.UseAuthorization();\napp.MapControllers();\n", "app.UseRouting();\napp.MapControllers();\n", "app.UseAuthorization();\napp.UseRouting();\napp.MapControllers();\n"),
    Case("attribute", "P.cs", "[Authorize]\npublic class P {\n", "public class P {\n", "[Authorize(Roles = \"Admin\")]\npublic class P {\n"),
    Case("awaited_check", "orders.py", "await require_owner(user, order)\nrefund(order)\n", "require_owner(user, order)\nrefund(order)\n", "await require_owner(order, user)\nrefund(order)\n"),
    Case("commit_hook", ".husky/pre-commit", "npm test\nnpm run lint\n", "npm run lint\n", "npm run lint\nnpm test\n"),
    Case("constant_time", "p.py", "return hmac.compare_digest(a, b)\n", "return a == b\n", "return hmac.compare_digest(a, sign(b))\n"),
    Case("cookie_setting", "settings.py", "SESSION_COOKIE_SECURE = True\nA = 1\n", "A = 1\n", "A = 1\nSESSION_COOKIE_SECURE = True\n"),
    Case("decorator", "views.py", VIEW, VIEW.replace("@login_required\n", "").replace("from auth import login_required\n", ""), VIEW.replace("@login_required", "@admin_required")),
    Case("denied", "views.py", CHECK, CHECK.replace("    if not user.is_admin:\n        abort(403)\n", ""), CHECK.replace("abort(403)", "abort(404)").replace("404", "401")),
    Case("dependency", "api.py", "def refund(id: int, user=Depends(current_user)):\n    return do(id)\n", "def refund(id: int):\n    return do(id)\n", "def refund(id: int, note: str, user=Depends(current_user)):\n    return do(id)\n"),
    Case("filter", "c.rb", "before_action :authenticate_user!\ndef create\n", "def create\n", "before_action :authenticate_admin!\ndef create\n"),
    Case("middleware", "app.js", ROUTES, ROUTES.replace("app.use(helmet());\n", ""), ROUTES.replace("helmet()", "helmet({ hsts: true })")),
    Case("middleware_entry", "settings.py", "MIDDLEWARE = [\n    'django.middleware.csrf.CsrfViewMiddleware',\n    'shop.Log',\n]\n", "MIDDLEWARE = [\n    'shop.Log',\n]\n", "MIDDLEWARE = [\n    'shop.Log',\n    'django.middleware.csrf.CsrfViewMiddleware',\n]\n"),
    Case("package_script", "package.json", '"test": "jest",\n', '"test": "jest || true",\n', '"test": "jest --ci",\n'),
    Case("password", "login.py", "if check_password_hash(u.hash, p):\n    return u\n", "if check_password_hash(u.hash, p) or p == MASTER:\n    return u\n", "if check_password_hash(u.hash, p) and u.active:\n    return u\n"),
    Case("permission_classes", "api.py", "permission_classes = [IsAuthenticated]\n", "permission_classes = [AllowAny]\n", "permission_classes = [IsAuthenticated, HasScope]\n"),
    Case("pre_commit_hook", ".pre-commit-config.yaml", HOOKS, HOOKS.partition("  - repo: https://example.org/gitleaks")[0] + "  - repo: https://example.org/ruff\n    rev: v1\n    hooks:\n      - id: ruff\n", HOOKS.replace("rev: v8", "rev: v9")),
    Case("rejected_request", "S.java", "http.authorizeHttpRequests(a -> a.anyRequest().authenticated());\n", "http.authorizeHttpRequests(a -> a.anyRequest().permitAll());\n", "http.authorizeHttpRequests(a -> a.anyRequest().hasRole(\"USER\"));\n"),
    Case("required_authorization", "Program.cs", 'app.MapPost("/refund", Refund).RequireAuthorization();\n', 'app.MapPost("/refund", Refund);\n', 'app.MapPost("/refund", Refund).RequireAuthorization("Admin");\n'),
    Case("requirement", "views.js", "if (!req.user.isAdmin) return next(refused);\nwipe();\n", "wipe();\n", "if (!req.user.isAdmin || locked) return next(refused);\nwipe();\n"),
    Case("route", "app.js", ROUTES, ROUTES.replace("requireAuth, ", ""), ROUTES.replace("requireAuth", "requireAdmin")),
    Case("route_layer", "src/main.rs", 'Router::new()\n    .route("/refund", post(refund))\n    .route_layer(from_fn(require_auth))\n', 'Router::new()\n    .route("/refund", post(refund))\n', 'Router::new()\n    .route("/refund", post(refund))\n    .layer(from_fn(require_auth))\n'),
    Case("route_layer_of_line", "src/main.rs", 'let app = Router::new().route("/refund", post(refund)).layer(from_fn(require_auth));\n', 'let app = Router::new().route("/refund", post(refund));\n', 'let app = Router::new().route("/refunds", post(refund)).layer(from_fn(require_auth));\n'),
    Case("route_middleware", "routes/web.php", "<?php\nRoute::post('/refund', [PayController::class, 'refund'])->middleware('auth');\n", "<?php\nRoute::post('/refund', [PayController::class, 'refund']);\n", "<?php\nRoute::post('/refund', [PayController::class, 'refund'])->middleware(['auth', 'verified']);\n"),
    Case("sanitiser", "v.js", "el.innerHTML = DOMPurify.sanitize(text);\n", "el.innerHTML = text;\n", "el.innerHTML = DOMPurify.sanitize(text, OPTIONS);\n"),
    Case("signature", "t.js", "const who = jwt.verify(token, key);\n", "const who = decoded(token);\n", "const who = jwt.verify(token, keys.current);\n"),
    Case("wrapper_checksum", "gradle/wrapper/gradle-wrapper.properties", "distributionSha256Sum=31c5\ndistributionUrl=https\\://services.gradle.org/gradle-8.9-bin.zip\n", "distributionUrl=https\\://services.gradle.org/gradle-8.10-bin.zip\n", "distributionSha256Sum=d725\ndistributionUrl=https\\://services.gradle.org/gradle-8.10-bin.zip\n"),
    Case("deployment_environment", ".github/workflows/deploy.yml", "jobs:\n  deploy:\n    environment: production\n    steps:\n      - run: ./deploy.sh\n", "jobs:\n  deploy:\n    concurrency: production\n    steps:\n      - run: ./deploy.sh\n", "jobs:\n  deploy:\n    environment:\n      name: production\n    steps:\n      - run: ./deploy.sh\n"),
    Case("hashes_required", "Dockerfile", "RUN pip install --require-hashes -r requirements.txt\n", "RUN pip install -r requirements.txt\n", "RUN pip install --no-cache-dir --require-hashes -r requirements.txt\n"),
    Case("ignored_secret", ".dockerignore", "node_modules\n.env\ndist\n", "node_modules\ndist\n", "dist\nnode_modules\n.env\n"),
    Case("scopes", "refunds.py", 'async def pay(number: int, person: Annotated[Person, Security(current, scopes=["refunds"])]) -> dict:\n', "async def pay(number: int, person: Asker) -> dict:\n", 'async def pay(number: int, note: str, person: Annotated[Person, Security(current, scopes=["refunds"])]) -> dict:\n'),
    Case("scopes_of_decorator", "refunds.controller.ts", "@Roles('staff')\n@Post('refunds')\nrefund() {\n", "@Post('refunds')\nrefund() {\n", "@Post('refunds')\n@Roles('staff')\nrefund() {\n"),
]  # fmt: skip


def names(path: str, before: str, after: str) -> list[str]:
    """The guards that an edit of one file takes away."""
    return [each.name for each in find_removed_guards([changed(path, before, after)])]


@pytest.mark.parametrize("case", CASES, ids=[each.row for each in CASES])
def test_a_guard_that_goes_while_its_code_stays_is_told(case: Case) -> None:
    assert names(case.path, case.before, case.hostile)


@pytest.mark.parametrize("case", CASES, ids=[each.row for each in CASES])
def test_a_guard_that_is_kept_moved_or_replaced_is_not(case: Case) -> None:
    assert names(case.path, case.before, case.benign) == []


def test_every_row_has_a_case() -> None:
    assert sorted(each.row for each in CASES) == sorted(row.id for row in guard_rows())


def test_a_guard_that_goes_with_its_code_is_not_told() -> None:
    assert names("views.py", VIEW + "\n\ndef other():\n    return 1\n", "def other():\n    return 1\n") == []


def test_a_guard_that_moves_to_another_file_is_not_told() -> None:
    files = [
        changed("views.py", VIEW, VIEW.replace("@login_required\n", "")),
        changed("routes.py", "ROUTES = []\n", "@login_required\ndef all_routes():\n    return []\n"),
    ]
    assert list(find_removed_guards(files)) == []


def test_an_alternative_is_told_as_such_and_a_stricter_condition_is_not() -> None:
    password = next(each for each in CASES if each.row == "password")
    (found,) = find_removed_guards([changed(password.path, password.before, password.hostile)])
    assert found.is_optional
    before = "if not user.is_admin:\n    abort(403)\n"
    assert names("v.py", before, "if not user.is_admin or locked:\n    abort(403)\n") == []


def test_the_place_is_the_first_line_of_what_was_guarded() -> None:
    (found,) = find_removed_guards([changed("views.py", VIEW, VIEW.replace("@login_required\n", ""))])
    assert (found.line, found.quote) == (5, "def pay():")


@pytest.mark.parametrize("path", [".pre-commit-config.yaml", ".github/dependabot.yml", ".husky/pre-push"])
def test_a_file_that_protects_by_being_there_is_known(path: str) -> None:
    assert is_guard_file(path)
    assert not is_guard_file(f"docs/{path}.md")
