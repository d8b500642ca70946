"""Conditions and filters about who may see what: they count where a change edits or removes them, and not where they are new."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.dossier.test_sensitive_reach import listed
from tests.repos import Drawing

EDITED: Mapping[str, tuple[str, str, str]] = {
    "another way in": ("shop/rows.py", "return order.owner_id == person.id\n", "return order.owner_id == person.id or order.team_id == person.team_id\n"),
    "all orders in place of the user's": ("shop/rows.py", "return self.request.user.orders.all()\n", 'return Order.objects.select_related("lines")\n'),
    "a filter without its owner": ("shop/rows.py", "rows = Order.objects.filter(owner=who, open=True)\n", "rows = Order.objects.filter(open=True)\n"),
    "a filter in Rails": ("app/rows.rb", "rows = Order.where(customer_id: id, open: true)\n", "rows = Order.where(open: true)\n"),
    "a filter in Prisma": ("src/rows.ts", "const rows = db.order.findMany({ where: { tenantId, open: true } });\n", "const rows = db.order.findMany({ where: { open: true } });\n"),
    "scopes that are gone": ("shop/rows.py", 'def pay(person: Annotated[Person, Need(current, scopes=["refunds"])]):\n', "def pay(person: Asker):\n"),
    "all in place of any": ("shop/rows.py", "return any(compare_digest(one, given) for one in wanted)\n", "return all(compare_digest(one, given) for one in wanted)\n"),
    "an answer that is dropped": ("rows.go", "	ok, err := c.Genuine(body, mark)\n", "	_, err := c.Genuine(body, mark)\n"),
    "a part in place of the whole": ("shop/rows.py", "if not NAME.fullmatch(name):\n", "if not NAME.match(name):\n"),
    "any type in place of one": ("src/Rows.php", "<?php\nreturn in_array($a, $known, true);\n", "<?php\nreturn in_array($a, $known);\n"),
    "a value that can be computed": ("shop/rows.py", "page = secrets.token_hex(16)\n", "page = uuid.uuid5(uuid.NAMESPACE_URL, text).hex\n"),
    "where a name of a module leads": ("package.json", '"imports": { "#a": "./src/a.js" }\n', '"imports": { "#a": "./src/b.js" }\n'),
    "where a path of TypeScript leads": ("tsconfig.json", '"@a/*": ["./src/a/*"]\n', '"@a/*": ["./src/b/*"]\n'),
    "which libraries are trusted": ("gradle/verification-metadata.xml", "<trusted-artifacts>\n</trusted-artifacts>\n", '<trusted-artifacts>\n<trust group="a"/>\n</trusted-artifacts>\n'),
    "a secret of the build": ("Dockerfile", "RUN --mount=type=secret,id=a pip install .\n", "RUN --mount=type=secret,id=a cp /run/secrets/a /a\n"),
    "a hook of pytest": ("tests/conftest.py", "A = 1\n", "A = 1\n\n\ndef pytest_pyfunc_call(pyfuncitem):\n    return True\n"),
}  # fmt: skip
NEW_OR_THE_SAME: Mapping[str, tuple[str, str, str]] = {
    "a comparison that is new": ("shop/rows.py", "a = 1\n", "a = 1\nown = order.owner_id == person.id\n"),
    "a filter that is new": ("shop/rows.py", "a = 1\n", "a = 1\nrows = Order.objects.filter(owner=who)\n"),
    "a comparison that is indented": ("shop/rows.py", "own = order.owner_id == person.id\n", "if a:\n    own = order.owner_id == person.id\n"),
    "a comparison with nothing": ("shop/rows.py", "a = 1\nif user is None:\n    b = 2\n", "a = 2\nif user is None:\n    b = 2\n"),
    "a value that stays random": ("shop/rows.py", "a = secrets.token_hex(16)\nb = 1\n", "a = secrets.token_hex(16)\nb = 2\n"),
    "a checksum more": ("gradle/verification-metadata.xml", "<components/>\n", '<components/>\n<sha256 value="a"/>\n'),
    "a dependency more": ("package.json", '"dependencies": { "a": "^1.0.0" }\n', '"dependencies": { "a": "^1.0.1" }\n'),
}  # fmt: skip


@pytest.mark.parametrize("case", EDITED)
def test_a_restriction_that_is_edited_or_removed_counts(drawing: Drawing, case: str) -> None:
    assert listed(drawing, *EDITED[case])


@pytest.mark.parametrize("case", NEW_OR_THE_SAME)
def test_a_restriction_that_is_new_or_stays_does_not(drawing: Drawing, case: str) -> None:
    assert listed(drawing, *NEW_OR_THE_SAME[case]) == []


def test_a_restriction_that_is_removed_is_shown_where_it_was(drawing: Drawing) -> None:
    path, before, after = EDITED["all orders in place of the user's"]
    assert listed(drawing, path, before, after) == [f"access_control {path}:1 (before)"]
