"""Security checks that a hostile change leaves in place and makes unable to refuse, each beside a twin that refuses."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from auditor.domain import Outcome
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from tests.auditing import asked, found
from tests.repos import Drawing
from tests.seeing import sites

RULE = "code.check_without_effect"
GATED = 0.8


class Pair(NamedTuple):
    """A check that cannot refuse, and the same check that can."""

    name: str
    language: str
    hostile: str
    honest: str
    confidence: float = GATED


PY = "import hmac\nfrom contextlib import suppress\n\n\n"
JAVA = "class A {\n  void f(Signature verifier, byte[] s, Request request, Response response) throws Exception {\n    %s\n    pay();\n  }\n}\n"
PHP = "<?php\nclass A {\n  function f($body, $given) {\n    %s\n    pay();\n  }\n}\n"
CS = "class A : ControllerBase {\n  async Task F(User user, byte[] given, byte[] expected) {\n    %s\n    await next(context);\n  }\n}\n"
GO = 'package a\n\nimport (\n\t"crypto/hmac"\n\t"crypto/subtle"\n\t"net/http"\n)\n\nfunc f(w http.ResponseWriter, given, expected []byte) bool {\n\t%s\n\treturn pay()\n}\n'
JS = "import { timingSafeEqual } from 'node:crypto';\nimport bcrypt from 'bcrypt';\n\nasync function f(req, res, given, expected) {\n  %s\n  pay();\n}\n"
RB = "class A\n  def update\n    %s\n    record.destroy!\n  end\nend\n"
RS = "fn f(mac: Hmac<Sha256>, given: &[u8], expected: &[u8]) {\n    %s\n    pay();\n}\n"

PAIRS = [
    Pair("an unused comparison", "python", PY + "def f(a, b):\n    hmac.compare_digest(a, b)\n    pay()\n", PY + "def f(a, b):\n    if not hmac.compare_digest(a, b):\n        raise PermissionError\n    pay()\n"),
    Pair("a comparison for its time alone", "python", "from werkzeug.security import check_password_hash\n\n\ndef f(user, given):\n    check_password_hash(user.hash, given)\n    return log_in(user)\n", "from werkzeug.security import check_password_hash\n\n\ndef f(user, given):\n    if user is None:\n        check_password_hash(NOBODY, given)\n        return None\n    return check_password_hash(user.hash, given)\n"),
    Pair("a right that is asked for and not heeded", "python", "def f(user):\n    user.has_perm('shop.refund')\n    pay()\n", "def f(user):\n    return user.has_perm('shop.refund') and pay()\n", 0.7),
    Pair("an exception that is not raised", "python", "from fastapi import HTTPException\n\n\ndef f(user):\n    if not user.admin:\n        HTTPException(status_code=403)\n    return pay()\n", "from fastapi import HTTPException\n\n\ndef f(user):\n    if not user.admin:\n        raise HTTPException(status_code=403)\n    return pay()\n"),
    Pair("an asserted tuple", "python", "def f(user):\n    assert (user.admin, 'admins only')\n", "def f(user):\n    assert (user.admin), 'admins only'\n"),
    Pair("a coroutine as a statement", "python", "async def ensure_owner(user):\n    if not await owns(user):\n        raise PermissionError\n\n\nasync def f(user):\n    ensure_owner(user)\n    return pay()\n", "async def ensure_owner(user):\n    if not await owns(user):\n        raise PermissionError\n\n\nasync def f(user):\n    await ensure_owner(user)\n    return pay()\n"),
    Pair("a coroutine as a condition", "python", "class A:\n    async def is_admin(self):\n        return await ask(self)\n\n    async def f(self):\n        if not self.is_admin():\n            raise PermissionError\n        return pay()\n", "class A:\n    async def is_admin(self):\n        return await ask(self)\n\n    async def f(self):\n        if not await self.is_admin():\n            raise PermissionError\n        return pay()\n"),
    Pair("a suppressed refusal", "python", PY + "def f(user):\n    with suppress(LookupError, PermissionError):\n        check(user)\n    pay()\n", PY + "def f(user):\n    with suppress(PermissionError):\n        check(user)\n        return pay()\n    return None\n"),
    Pair("a refusal that is only logged", "python", "def f(user, log):\n    try:\n        authorize(user)\n    except Forbidden:\n        log.warning('refused')\n    return pay()\n", "def f(user, log):\n    try:\n        authorize(user)\n    except Forbidden:\n        log.warning('refused')\n        return None\n    return pay()\n"),
    Pair("a return in finally", "python", "def f(user):\n    order = load()\n    try:\n        check_owner(user, order)\n    finally:\n        return order\n", "def f(user):\n    order = load()\n    try:\n        check_owner(user, order)\n    finally:\n        release()\n    return order\n"),
    Pair("a guard above its route", "python", "@login_required\n@bp.post('/refunds')\ndef f():\n    return pay()\n", "@bp.post('/refunds')\n@login_required\ndef f():\n    return pay()\n"),
    Pair("a dependency that is not called", "python", "from fastapi import APIRouter, Depends\n\nrouter = APIRouter(dependencies=[Depends(lambda: require_admin)])\n", "from fastapi import APIRouter, Depends\n\nrouter = APIRouter(dependencies=[Depends(lambda: settings), Depends(require_admin)])\n"),
    Pair("a comparison cut to the given length", "python", PY + "def f(expected, given):\n    return hmac.compare_digest(expected[: len(given)], given)\n", PY + "def f(expected, given):\n    return hmac.compare_digest(expected, given[: len(expected)])\n"),
    Pair("a value that was overwritten with the expected one", "python", PY + "def f(expected, given):\n    given = (given and expected).lower()\n    return hmac.compare_digest(expected, given)\n", PY + "def f(expected, given):\n    given = given.removeprefix('sha256=').ljust(len(expected))\n    return hmac.compare_digest(expected, given)\n"),
    Pair("an unused signature", "java", JAVA % "verifier.verify(s);", JAVA % "if (!verifier.verify(s)) { throw new SignatureException(); }"),
    Pair("an exception that is not thrown", "java", JAVA % 'if (!request.isAdmin()) { new AccessDeniedException("no"); }', JAVA % 'if (!request.isAdmin()) { throw new AccessDeniedException("no"); }'),
    Pair("a refusal without return", "java", JAVA % "if (!request.isAdmin()) { response.sendError(HttpServletResponse.SC_FORBIDDEN); }", JAVA % "if (!request.isAdmin()) { response.sendError(HttpServletResponse.SC_FORBIDDEN); return; }"),
    Pair("a return in finally", "java", JAVA % "try { access.checkPermission(s); } finally { log(); return; }", JAVA % "try { access.checkPermission(s); } finally { log(); }"),
    Pair("a caught refusal", "java", JAVA % "try { access.checkPermission(s); } catch (AccessDeniedException e) { log.warn(e); }", JAVA % "try { access.checkPermission(s); } catch (AccessDeniedException e) { throw new Refused(e); }"),
    Pair("an assignment as a condition", "java", JAVA % "boolean isAdmin; if (isAdmin = true) { grant(); }", JAVA % "boolean isAdmin; if (isAdmin == true) { grant(); }"),
    Pair("openssl_verify taken for a truth", "php", PHP % "return (bool) openssl_verify($body, $given, KEY);", PHP % "return openssl_verify($body, $given, KEY) === 1;"),
    Pair("openssl_verify negated", "php", PHP % "if (!openssl_verify($body, $given, KEY)) { return false; }", PHP % "if (1 !== openssl_verify($body, $given, KEY)) { return false; }"),
    Pair("an unused password", "php", PHP % "password_verify($given, $this->hash);", PHP % "if (!password_verify($given, $this->hash)) { throw new Refused(); }"),
    Pair("a cut comparison", "php", PHP % "return hash_equals(substr($expected, 0, strlen($given)), $given);", PHP % "return hash_equals($expected, substr($given, 0, strlen($expected)));"),
    Pair("a caught refusal", "php", PHP % "try { $this->authorize('pay'); } catch (AuthorizationException $e) { Log::info('refused'); }", PHP % "try { $this->authorize('pay'); } catch (AuthorizationException $e) { return back(); }"),
    Pair("an unused result", "csharp", CS % "CryptographicOperations.FixedTimeEquals(given, expected);", CS % "if (!CryptographicOperations.FixedTimeEquals(given, expected)) throw new Refused();"),
    Pair("an unreturned refusal", "csharp", CS % "if (!user.Admin) { Forbid(); }", CS % "if (!user.Admin) { return Forbid(); }"),
    Pair("a status without return", "csharp", CS % "if (!user.Admin) { context.Response.StatusCode = 403; }", CS % "if (!user.Admin) { context.Response.StatusCode = 403; return; }"),
    Pair("any result but one", "csharp", "class A {\n  bool F(User u, string p) => hasher.VerifyHashedPassword(u, u.Hash, p) != PasswordVerificationResult.SuccessRehashNeeded;\n}\n", "class A {\n  bool F(User u, string p) => hasher.VerifyHashedPassword(u, u.Hash, p) != PasswordVerificationResult.Failed;\n}\n"),
    Pair("a comparison that is always true", "go", GO % "if subtle.ConstantTimeCompare(given, expected) >= 0 {\n\t\treturn true\n\t}", GO % "if subtle.ConstantTimeCompare(given, expected) == 1 {\n\t\treturn true\n\t}"),
    Pair("an unused comparison", "go", GO % "hmac.Equal(given, expected)", GO % "if !hmac.Equal(given, expected) {\n\t\treturn false\n\t}"),
    Pair("a cut comparison", "go", GO % "if !hmac.Equal(given, expected[:len(given)]) {\n\t\treturn false\n\t}", GO % "if len(given) != len(expected) || !hmac.Equal(given, expected[:len(given)]) {\n\t\treturn false\n\t}"),
    Pair("a refusal without return", "go", GO % 'if !staff(w) {\n\t\tlog()\n\t\thttp.Error(w, "no", http.StatusForbidden)\n\t}', GO % 'if !staff(w) {\n\t\thttp.Error(w, "no", http.StatusForbidden)\n\t\treturn false\n\t}'),
    Pair("a cut comparison", "javascript", JS % "if (!timingSafeEqual(given, expected.subarray(0, given.length))) throw new Refused();", JS % "if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Refused();"),
    Pair("a next step whatever the answer", "javascript", JS % "return bcrypt.compare(given, expected).then(() => pay(), () => refuse());", JS % "return bcrypt.compare(given, expected).then((same) => (same ? pay() : refuse()));"),
    Pair("a callback without the answer", "javascript", JS % "bcrypt.compare(given, expected, (error) => { if (!error) pay(); });", JS % "bcrypt.compare(given, expected, (error, same) => { if (!error && same) pay(); });"),
    Pair("a comparison that is not awaited", "javascript", JS % "if (!bcrypt.compare(given, expected)) throw new Refused();", JS % "if (!(await bcrypt.compare(given, expected))) throw new Refused();"),
    Pair("a function of the file that is not awaited", "javascript", "async function isAdmin(user) { return ask(user); }\n" + JS % "if (!isAdmin(req.user)) return res.sendStatus(403);", "async function isAdmin(user) { return ask(user); }\n" + JS % "if (!(await isAdmin(req.user))) return res.sendStatus(403);"),
    Pair("a check of the file that is not awaited", "typescript", "class A {\n  private async requireOwner(user: User): Promise<void> { await ask(user); }\n  async f(user: User) {\n    this.requireOwner(user);\n    return pay();\n  }\n}\n", "class A {\n  private async requireOwner(user: User): Promise<void> { await ask(user); }\n  async f(user: User) {\n    await this.requireOwner(user);\n    return pay();\n  }\n}\n"),
    Pair("a refusal without return", "javascript", JS % "if (!req.user.admin) { res.status(403).json({ error: 'no' }); }", JS % "if (!req.user.admin) { return res.status(403).json({ error: 'no' }); }"),
    Pair("an assigned role", "javascript", JS % "if (req.user.role = 'admin') { grant(); }", JS % "if (req.user.role === 'admin') { grant(); }"),
    Pair("an exception that is not thrown", "typescript", JS % "if (!req.user.admin) { new ForbiddenException(); }", JS % "if (!req.user.admin) { throw new ForbiddenException(); }"),
    Pair("a caught refusal", "javascript", JS % "try { await requireAdmin(req.user); } catch (e) { console.warn(e); }", JS % "try { await requireAdmin(req.user); } catch (e) { return res.sendStatus(403); }"),
    Pair("a return in finally", "javascript", JS % "try { await requireAdmin(req.user); } finally { return load(); }", JS % "try { await requireAdmin(req.user); } finally { close(); }"),
    Pair("a rescued refusal", "ruby", RB % "authorize record rescue Rails.logger.info('refused')", RB % "authorize record"),
    Pair("a refusal that is rescued and logged", "ruby", RB % "begin\n      authorize record\n    rescue Pundit::NotAuthorizedError\n      Rails.logger.info('refused')\n    end", RB % "begin\n      authorize record\n    rescue Pundit::NotAuthorizedError\n      return head :forbidden\n    end"),
    Pair("an assigned owner", "ruby", "class P\n  def update?\n    user.admin? || record.user_id = user.id\n  end\nend\n", "class P\n  def update?\n    user.admin? || record.user_id == user.id\n  end\nend\n"),
    Pair("an unused comparison", "ruby", RB % "ActiveSupport::SecurityUtils.secure_compare(params[:token], TOKEN)", RB % "return unless ActiveSupport::SecurityUtils.secure_compare(params[:token], TOKEN)"),
    Pair("a dropped result", "rust", RS % "let _ = mac.verify_slice(given);", RS % "mac.verify_slice(given).expect(\"signed\");"),
]  # fmt: skip
IDS = [f"{each.language}, {each.name}" for each in PAIRS]

HONEST = [
    ("python", "import os\nfrom contextlib import suppress\n\n\ndef f(path):\n    with suppress(PermissionError):\n        os.unlink(path)\n    return path\n"),
    ("python", "import subprocess\n\n\ndef f(log):\n    try:\n        subprocess.check_call(['id'])\n    except PermissionError:\n        log.info('no')\n    return 1\n"),
    ("python", "def f(user):\n    allowed = True\n    try:\n        check(user)\n    except PermissionError:\n        allowed = False\n    return pay() if allowed else None\n"),
    ("python", "@guard.login_required\n@property\ndef f(self):\n    return 1\n"),
    ("python", "import functools\n\n\n@functools.cache\nasync def check(x):\n    return x\n\n\ndef f():\n    check(1)\n"),
    ("python", "async def check(x):\n    return x\n\n\ndef f(tasks):\n    tasks.append(check(1))\n    return check(2)\n"),
    ("javascript", "if (timer = start()) { use(timer); }\nif (m = re.exec(text)) { use(m); }\n"),
    ("javascript", "try { require('fsevents'); } catch (e) { console.warn(e); }\nrun();\n"),
    ("javascript", "function f(req, res) {\n  if (!req.user) {\n    res.status(401).end();\n  } else {\n    run();\n  }\n}\n"),
    ("javascript", "function f(req, res) {\n  if (!req.user) {\n    res.status(403);\n  }\n  res.render('page');\n}\n"),
    ("javascript", "async function check(x) { return x; }\nexport async function f() {\n  const all = [check(1), check(2)];\n  await Promise.all(all);\n  return check(3);\n}\n"),
    ("go", "package a\n\nfunc f(w http.ResponseWriter, err error) {\n\tif err != nil {\n\t\thttp.Error(w, \"no\", http.StatusForbidden)\n\t}\n}\n"),
    ("ruby", "class A\n  def ok?\n    @ok = compute\n  end\n\n  def owner\n    @owner || self.owner = load\n  end\nend\n"),
    ("ruby", "def same?(a, b)\n  ActiveSupport::SecurityUtils.secure_compare(a, b)\nend\n"),
    ("php", "<?php\nfunction f($u, $p) {\n  if (!$u) {\n    password_verify($p, DUMMY_HASH);\n    return null;\n  }\n  return password_verify($p, $u->hash);\n}\n"),
    ("java", "class A {\n  void f() {\n    try { files.checkAccess(p); read(p); } catch (AccessDeniedException e) { log.warn(e); }\n    done();\n  }\n}\n"),
]  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_a_check_that_cannot_refuse_is_reported(pair: Pair) -> None:
    seen = sites(RULE, pair.hostile, pair.language)
    assert seen
    assert max(each.confidence for each in seen) >= pair.confidence


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_its_twin_that_refuses_is_not(pair: Pair) -> None:
    assert [(each.line, each.statement) for each in sites(RULE, pair.honest, pair.language)] == []


@pytest.mark.parametrize(("language", "source"), HONEST)
def test_ordinary_code_is_not_reported(language: str, source: str) -> None:
    assert [(each.line, each.statement) for each in sites(RULE, source, language)] == []


def test_what_a_change_brings_is_new_and_confirmed(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path)
    base = drawing.commit({"shop/pay.py": PAIRS[0].honest})
    drawing.commit({"shop/pay.py": PAIRS[0].hostile})
    (found,) = [each for each in asked(tmp_path, base, RULE).evidence if each.outcome is Outcome.FOUND]
    assert found.introduced
    assert found.confidence >= GATED


def test_one_that_was_there_before_is_not_counted_as_new(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path)
    base = drawing.commit({"shop/pay.py": PAIRS[0].hostile})
    drawing.commit({"shop/pay.py": PAIRS[0].hostile + "\n\nLIMIT = 5\n"})
    found = [each for each in asked(tmp_path, base, RULE).evidence if each.outcome is Outcome.FOUND]
    assert all(each.introduced is False for each in found)


@pytest.mark.parametrize(
    ("language", "unit"),
    [
        ("python", "@a\n@b.get('/x')\nasync def check(x):\n    hmac.compare_digest(x, y)\n    check(x)\n"),
        (
            "javascript",
            "if (a) { if (b)\n\n\n\n\n res.status(403).json({a: {b: (c)}}); d(); }\ntry { requireAdmin(); } catch (e) { log.a();log.b();log.c();x() }\n",
        ),
        (
            "php",
            "<?php try { $this->checkAccess(1); } catch (AccessDeniedException $e) { Log::a(); f(['a' => 1]); } g(); ?>\n",
        ),
        ("ruby", "begin\n  authorize x\nrescue NotAuthorized\n  log\nend\nauthorize x rescue log\nx\n"),
    ],
)
def test_hostile_repetition_costs_no_more_than_its_length(language: str, unit: str) -> None:
    record = scan_file((unit * 400).encode(), language, Interest((discover_probes()[RULE],)))
    assert not record.failed


AWAITED = "import { mayRefund } from './access';\n\nexport async function refund(user, order) {\n  if (!(await mayRefund(user, order))) {\n    throw new Error('refused');\n  }\n  return payBack(order);\n}\n"


@pytest.mark.parametrize(
    ("head", "is_reported"),
    [
        (AWAITED.replace("(await mayRefund(user, order))", "mayRefund(user, order)"), True),
        (
            AWAITED.replace("if (!(await", "const allowed = await").replace("order))) {", "order);\n  if (!allowed) {"),
            False,
        ),
    ],
    ids=["the await is removed", "the answer gets a name"],
)
def test_an_imported_check_loses_its_await(head: str, is_reported: bool, tmp_path: Path) -> None:
    drawing = Drawing(tmp_path)
    base = drawing.commit({"src/refunds.ts": AWAITED})
    drawing.commit({"src/refunds.ts": head})
    evidence = asked(tmp_path, base, "code.protection_weakened").evidence
    assert any(each.outcome is Outcome.FOUND for each in evidence) is is_reported


FORMS = """\
import hmac

from fastapi import Depends, FastAPI

app = FastAPI()


async def require_admin(user):
    return user.admin


@app.get("/a")
def wipe(user=Depends(lambda: require_admin)):
    assert (user.admin, "not allowed")
    require_admin(user)
    PermissionError("no")
    hmac.compare_digest(user.key, user.key)
    return erase(hmac.compare_digest(user.name, user.name))
"""


def test_an_audit_says_why_each_form_is_not_quite_sure(drawing: Drawing) -> None:
    drawing.commit({"README.md": "# A\n"})
    drawing.branch("work")
    drawing.commit({"shop/api.py": FORMS})
    facts = found(asked(drawing.path, "main", "code.check_without_effect"), "code.check_without_effect")
    assert len({place.start for each in facts for place in each.locations if place.kind == "code"}) >= 5
    assert all(each.confidence_reason for each in facts if each.confidence < 1)
