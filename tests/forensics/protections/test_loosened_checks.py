"""Lines that take the place of a stricter one, each beside an edit of the same line that loosens nothing."""

from __future__ import annotations

import time
from typing import NamedTuple

import pytest

from auditor.forensics.protections.changed_lines import ChangedFile
from auditor.forensics.protections.loosened_checks import find_loosened_checks, loosened_rows
from tests.forensics.protections.changed import changed


class Case(NamedTuple):
    """A row, a file as it was, an edit that loosens a check, and one that does not."""

    row: str
    path: str
    before: str
    hostile: str
    benign: str


CASES = [
    Case('all_alternatives', 'shop/access.py', 'return person.is_verified and person.id == order.owner_id', 'return person.is_verified or person.id == order.owner_id', 'return person.is_verified and person.id == order.buyer_id'),
    Case('anchors_of_pattern', 'shop/labels.py', "NAME = re.compile(r'^[a-z]+\\.txt$')\nif not NAME.match(name):\n    abort(404)", "NAME = re.compile(r'^[a-z]+\\.txt')\nif not NAME.match(name):\n    abort(404)", "NAME = re.compile(r'^[a-z0-9]+\\.txt$')\nif not NAME.match(name):\n    abort(404)"),
    Case('anchors_of_pattern', 'src/cors.js', 'const OURS = /^https:\\/\\/shop\\.example$/;\nif (!OURS.test(origin)) return res.sendStatus(403);', 'const OURS = /^https:\\/\\/shop\\.example/;\nif (!OURS.test(origin)) return res.sendStatus(403);', 'const OURS = /^https:\\/\\/www\\.shop\\.example$/;\nif (!OURS.test(origin)) return res.sendStatus(403);'),
    Case('claim_of_token', 'shop/tokens.py', 'return jwt.decode(token, KEY, algorithms=["ES256"], audience="shop")', 'return jwt.decode(token, KEY, algorithms=["ES256"])', 'return jwt.decode(token, KEYS, algorithms=["ES256"], audience="shop")'),
    Case('comparison_of_type', 'src/Door.php', '<?php\nif ($token === $this->token) {', '<?php\nif ($token == $this->token) {', '<?php\nif ($token === $this->ticket) {'),
    Case('comparison_of_whole', 'shop/origin.py', 'def is_ours(origin):\n    return origin == SHOP', 'def is_ours(origin):\n    return origin.startswith(SHOP)', 'def is_ours(origin):\n    return origin == OFFICE'),
    Case('default_of_refusal', 'src/roles.guard.ts', 'canActivate(context) {\n    return roles?.includes(user?.role) ?? false;\n}', 'canActivate(context) {\n    return roles?.includes(user?.role) ?? !user?.locked;\n}', 'canActivate(context) {\n    return names?.includes(user?.role) ?? false;\n}'),
    Case('default_of_refusal', 'shop/access.py', 'def may_edit(role):\n    return RIGHTS.get(role, False)', 'def may_edit(role):\n    return RIGHTS.get(role, True)', 'def may_edit(role):\n    return EDITORS.get(role, False)'),
    Case('expiry_of_token', 'shop/links.py', 'return links.loads(link, max_age=900)', 'return links.loads(link)', 'return links.loads(link, max_age=600)'),
    Case('expiry_of_token', 'src/tokens.js', "return jwt.sign({ sub }, key, { expiresIn: '15m' });", 'return jwt.sign({ sub }, key);', "return jwt.sign({ sub, role }, key, { expiresIn: '15m' });"),
    Case('identity_alternative', 'shop/access.py', 'return order.owner_id == person.id', 'return order.owner_id == person.id or order.team_id == person.team_id', 'return order.owner_id == person.number'),
    Case('identity_alternative', 'src/access.ts', 'return order.ownerId === person.id;', 'return order.ownerId === person.id || order.team.id === person.team.id;', 'return order.ownerId === person.number;'),
    Case('login_in_place_of_right', 'Refunds.cs', '[Authorize(Policy = "Refunds")]\npublic class Refunds', '[Authorize]\npublic class Refunds', '[Authorize(Policy = "RefundsOfShop")]\npublic class Refunds'),
    Case('login_in_place_of_right', 'S.java', 'http.requestMatchers("/refunds").hasRole("STAFF")', 'http.requestMatchers("/refunds").authenticated()', 'http.requestMatchers("/refunds").hasRole("DESK")'),
    Case('login_in_place_of_right', 'views.py', "@permission_required('shop.refund')\ndef pay(request):", '@login_required\ndef pay(request):', "@permission_required('shop.pay')\ndef pay(request):"),
    Case('login_in_place_of_right', 'app.js', "app.post('/refund', requireAdmin, refund);", "app.post('/refund', requireLogin, refund);", "app.post('/refunds', requireAdmin, refund);"),
    Case('matcher_of_middleware', 'middleware.ts', "export const config = { matcher: ['/((?!welcome|_next|favicon.ico).*)'] };", "export const config = { matcher: ['/((?!welcome|api|_next|favicon.ico).*)'] };", "export const config = { matcher: ['/((?!welcome|about|_next|favicon.ico).*)'] };"),
    Case('member_of_list_by_type', 'src/Door.php', "<?php\nreturn in_array($wanted['ticket'] ?? null, $this->known, true);", "<?php\nreturn in_array($wanted['ticket'] ?? null, $this->known);", "<?php\nreturn in_array($wanted['ticket'] ?? '', $this->known, true);"),
    Case('module_of_name', 'package.json', '"imports": { "#login": "./src/login.js" },', '"imports": { "#login": "./src/login-pages.js" },', '"imports": { "#pages": "./src/login.js" },'),
    Case('pattern_of_whole', 'shop/labels.py', 'if not NAME.fullmatch(name):\n    abort(404)', 'if not NAME.match(name):\n    abort(404)', 'if not LABEL.fullmatch(name):\n    abort(404)'),
    Case('pattern_of_whole', 'src/main/java/shop/Labels.java', 'if (!NAME.matcher(name).matches()) {', 'if (!NAME.matcher(name).find()) {', 'if (!LABEL.matcher(name).matches()) {'),
    Case('random_token', 'shop/reset.py', '"""Forgotten passwords."""\npage = secrets.token_hex(16)', '"""Forgotten passwords."""\npage = uuid.uuid5(uuid.NAMESPACE_URL, address).hex', '"""Forgotten passwords."""\npage = secrets.token_hex(32)'),
    Case('random_token', 'src/session.js', "const sessionId = randomBytes(16).toString('hex');", 'const sessionId = Date.now().toString(36);', "const sessionId = randomBytes(32).toString('hex');"),
    Case('restriction_of_rows', 'shop/api.py', 'return self.request.user.orders.all()', 'return Order.objects.select_related("owner").prefetch_related("lines")', "return self.request.user.orders.select_related('owner')"),
    Case('restriction_of_rows', 'app/controllers/orders_controller.rb', '@order = current_user.orders.find(params[:id])', '@order = Order.find(params[:id])', '@order = current_user.orders.includes(:lines).find(params[:id])'),
    Case('restriction_of_rows', 'app/Http/OrderController.php', '<?php\n$order = $request->user()->orders()->findOrFail($id);', '<?php\n$order = Order::findOrFail($id);', "<?php\n$order = $request->user()->orders()->with('lines')->findOrFail($id);"),
    Case('signature_algorithm', 'src/tokens.js', "return jwt.verify(token, key, { algorithms: ['RS256'] });", 'return jwt.verify(token, key);', "return jwt.verify(token, key, { algorithms: ['ES256'] });"),
    Case('type_of_filter', 'src/users.js', 'return customers.findOne({ mail: String(mail), card: String(card) });', 'return customers.findOne({ mail, card });', 'return customers.findOne({ mail: String(mail), number: String(card) });'),
    Case('type_of_filter', 'shop/users.py', 'return db.customers.find_one({"mail": str(mail)})', 'return db.customers.find_one({"mail": mail})', 'return db.customers.find_one({"post": str(mail)})'),
]  # fmt: skip
CASES += [
    Case('certificate_of_database', 'src/database.rs', '.ssl_mode(PgSslMode::VerifyFull)', '.ssl_mode(PgSslMode::Require)', '.ssl_mode(PgSslMode::VerifyCa)'),
    Case('certificate_of_database', 'shop/db.py', 'URL = "postgresql://db.acme.example/shop?sslmode=verify-full"', 'URL = "postgresql://db.acme.example/shop?sslmode=require"', 'URL = "postgresql://db2.acme.example/shop?sslmode=verify-full"'),
    Case('certificate_of_database', 'config/database.yml', 'sslmode: verify-full', 'sslmode: prefer', 'sslmode: verify-ca'),
    Case('permission_alternative', 'shop/views.py', 'permission_classes = [IsStaff & IsOwner]', 'permission_classes = [IsStaff | IsOwner]', 'permission_classes = [IsStaff & IsAccountant]'),
    Case('values_of_claim', 'Policies.cs', 'p => p.RequireClaim("desk", "office", "owner")', 'p => p.RequireClaim("desk")', 'p => p.RequireClaim("desk", "owner")'),
]  # fmt: skip
IDS = [f"{number}-{each.row}" for number, each in enumerate(CASES)]


def says(path: str, before: str, after: str) -> list[str]:
    """What is said of an edit of one file."""
    return [each.says for each in find_loosened_checks([changed(path, before, after)])]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_looser_line_is_reported_with_its_words(case: Case) -> None:
    (told,) = says(case.path, case.before, case.hostile)
    row = next(each for each in loosened_rows() if each.id == case.row)
    assert told.startswith(row.says.partition("`")[0])
    assert "{" not in told.partition("`")[0]
    assert told.count("`") % 2 == 0


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_an_edit_that_loosens_nothing_is_not_reported(case: Case) -> None:
    assert says(case.path, case.before, case.benign) == []


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_line_that_becomes_stricter_is_not_reported(case: Case) -> None:
    row = next(each for each in loosened_rows() if each.id == case.row)
    assert says(case.path, case.hostile, case.before) == [] or row.strict == row.loose


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_line_that_is_new_is_not_reported(case: Case) -> None:
    assert says(case.path, "", case.hostile) == []


def test_every_row_has_a_case() -> None:
    assert sorted({each.row for each in CASES}) == sorted(row.id for row in loosened_rows())


def test_a_check_that_moves_within_its_edit_is_not_looser() -> None:
    before = "if not NAME.fullmatch(name):\n    abort(404)\n"
    after = "if not NAME.match(name) or not NAME.fullmatch(name):\n    abort(404)\n"
    assert says("shop/labels.py", before, after) == []


def test_lines_that_are_made_to_be_slow_are_read_in_time() -> None:
    for line in ("a." * 240, "(" * 499, "x == y or " * 49, '"auth": "./' * 45, "matcher (?!" * 45, "decode(" * 70):
        assert says("shop/a.py", f"fullmatch({line}", line) == []


def test_a_call_that_is_only_written_over_more_lines_is_as_it_was() -> None:
    before = 'return jwt.decode(token, KEY, algorithms=["ES256"], audience="shop")\n'
    after = 'return jwt.decode(\n    token,\n    KEY,\n    algorithms=["ES256"],\n    audience="shop",\n)\n'
    assert list(find_loosened_checks([changed("shop/tokens.py", before, after)])) == []


def test_many_alike_lines_are_compared_in_time() -> None:
    before = ("x = 1",) * 3_000 + ("if verified and owner:",)
    after = (*(line for number in range(1_500) for line in ("x = 1", f"y{number} = 1")), "if verified or owner:")
    added, deleted = frozenset([*range(2, 3_001, 2), 3_001]), frozenset(range(1_501, 3_002))
    started = time.process_time()
    list(find_loosened_checks([ChangedFile("shop/access.py", before, after, added, deleted)]))
    assert time.process_time() - started < 5
