"""Ways in which a description says something works, and the signs that they leave: there, not there, and only looking like it."""

from __future__ import annotations

from time import process_time

import pytest

from auditor.domain import Outcome
from tests.forensics.probes.test_claims_of_several import told
from tests.forensics.probes.test_description_claims import CONTRADICTS, SHOP

SEND = "import time\n\n\ndef send(body):\n    for attempt in range(3):\n        if put(body):\n            return True\n        time.sleep({})\n    return False\n"
SENT = SEND.replace("sleep({})", "sleep(2)  {}")
WORKFLOW = "name: test\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n{}    steps:\n      - run: make test\n"
CONCURRENCY = "    concurrency: {group: a, cancel-in-progress: true}\n"
IMAGE = 'FROM python:3.12\nCOPY . /app\n{}CMD ["python", "-m", "app"]\n'
DEPLOYMENT = "kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n        - name: app\n{}"
PROBE = "          readinessProbe: {httpGet: {path: /ready}}\n"
FIND = "package shop\n\nfunc Find(all []Item, name string) *Item {{\n\tfor i := range all {{\n\t\tif {} {{\n\t\t\treturn &all[i]\n\t\t}}\n\t}}\n\treturn nil\n}}\n"
COOKIE = "res.cookie('id', id, {{ {} }});\n"
MIGRATION = "CREATE TABLE visits (id bigint PRIMARY KEY, page text {});\n"


@pytest.mark.parametrize(
    ("said", "path", "without", "signed"),
    [
        ("Waits with exponential back-off between attempts.", "shop/send.py", SEND.format("1"), SEND.format("2 ** attempt")),
        ("Retries back off exponentially.", "shop/send.py", SEND.format("1"), SEND.format("delay := delay * 2")),
        ("Three attempts, with jitter.", "shop/send.py", SEND.format("2"), SEND.format("2 + random.random()")),
        ("The search is case-insensitive.", "shop/find.go", FIND.format("all[i].Name == name"), FIND.format("strings.EqualFold(all[i].Name, name)")),
        ("`Find` ignores case.", "shop/find.go", FIND.format("all[i].Name == name"), FIND.format("same(strings.ToLower(name), i)")),
        ("Tokens are compared in constant time.", "shop/token.py", "def same(a, b):\n    return a == b\n", "def same(a, b):\n    return hmac.compare_digest(a, b)\n"),
        ("The cookie is HttpOnly.", "web/session.js", COOKIE.format("secure: true"), COOKIE.format("httpOnly: true")),
        ("Warnings go to stderr.", "shop/cli.py", "def warned(text):\n    print(text)\n", "def warned(text):\n    print(text, file=sys.stderr)\n"),
        ("All goods are sorted by name.", "shop/goods.rb", "def goods\n  all.map(&:name)\nend\n", "def goods\n  all.sort_by(&:name)\nend\n"),
        ("Stock and orders are written in one transaction.", "shop/order.py", "def book(db):\n    db.put(1)\n    db.put(2)\n", "def book(db):\n    with db.atomic():\n        db.put(1)\n"),
        ("The registry is thread-safe.", "shop/registry.py", "KNOWN = {}\n\n\ndef add(name):\n    KNOWN[name] = 1\n", "LOCK = Lock()\n\n\ndef add(name):\n    with LOCK:\n        KNOWN[name] = 1\n"),
        ("Deleting asks for confirmation.", "web/delete.ts", "export const drop = (id: string) => api.drop(id);\n", "export const drop = (id: string) => confirm('Delete?') && api.drop(id);\n"),
        ("Cancels older runs of the same branch.", ".github/workflows/test.yml", WORKFLOW.format(""), WORKFLOW.format(CONCURRENCY)),
        ("Dependencies are cached.", ".github/workflows/test.yml", WORKFLOW.format(""), WORKFLOW.format("    env: {PIP_CACHE_DIR: .pip}\n")),
        ("The nightly job may fail.", ".github/workflows/test.yml", WORKFLOW.format(""), WORKFLOW.format("    continue-on-error: true\n")),
        ("The job is stopped after 10 minutes.", ".github/workflows/test.yml", WORKFLOW.format(""), WORKFLOW.format("    timeout-minutes: 10\n")),
        ("The container runs as an unprivileged user.", "Dockerfile", IMAGE.format("USER root\n"), IMAGE.format("USER app\n")),
        ("Builds in two stages.", "Dockerfile", IMAGE.format(""), IMAGE.format("FROM scratch\n")),
        ("Adds a health check.", "Dockerfile", IMAGE.format(""), IMAGE.format("HEALTHCHECK CMD curl localhost\n")),
        ("Adds a readiness probe.", "deploy/app.yaml", DEPLOYMENT.format(""), DEPLOYMENT.format(PROBE)),
        ("The page column is NOT NULL.", "db/migrations/1.sql", MIGRATION.format(""), MIGRATION.format("NOT NULL")),
        ("Visits get a foreign key to pages.", "db/migrations/1.sql", MIGRATION.format(""), MIGRATION.format("REFERENCES pages")),
    ],
)  # fmt: skip
def test_a_way_of_working_leaves_a_sign(said: str, path: str, without: str, signed: str) -> None:
    assert told(said, {path: without}) is CONTRADICTS
    assert told(said, {path: signed}) is not CONTRADICTS
    assert told(said, {path: f"{signed}\n"}, {**SHOP, path: signed}) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "path", "text"),
    [
        ("Three attempts, with jitter.", "shop/send.py", SENT.format("# no jitter")),
        ("Three attempts, with jitter.", "shop/send.py", f"# TODO: jitter\n{SEND.format('2')}"),
        ("Three attempts, with jitter.", "shop/send.ts", "async function send(body) {\n  await sleep(2); // without jitter\n}\n"),
        ("`Find` ignores case.", "shop/find.go", FIND.format("all[i].Name == name /* not yet lower */")),
        ("Cancels older runs of the same branch.", ".github/workflows/test.yml", WORKFLOW.format("    # no concurrency group yet\n")),
        ("Adds a health check.", "Dockerfile", IMAGE.format("# should get a HEALTHCHECK\n")),
        ("The page column is NOT NULL.", "db/migrations/1.sql", MIGRATION.format("-- never NOT NULL\n")),
    ],
)  # fmt: skip
def test_what_a_comment_denies_is_no_sign(said: str, path: str, text: str) -> None:
    assert told(said, {path: text}) is CONTRADICTS


@pytest.mark.parametrize(
    ("said", "path", "text"),
    [
        ("Three attempts, with jitter.", "shop/send.py", SENT.format("# the client adds jitter")),
        ("Three attempts, with jitter.", "shop/send.py", SENT.format("# no fixed delay").replace("(2)", "(jittered(2))")),
        ("Three attempts, with jitter.", "shop/send.ts", "async function send(body) {\n  log('// not'); await sleep(jitter(2));\n}\n"),
        ("Cancels older runs of the same branch.", ".github/workflows/test.yml", WORKFLOW.format("    concurrency: ci # no group\n")),
        ("Builds in two stages.", "Dockerfile", IMAGE.format("# no FROM scratch\nFROM scratch\n")),
    ],
)  # fmt: skip
def test_what_a_comment_says_is_done_elsewhere_or_beside_a_sign_contradicts_nothing(
    said: str, path: str, text: str
) -> None:
    assert told(said, {path: text}) is not CONTRADICTS


def test_what_a_document_or_a_comment_says_bears_nothing_out() -> None:
    readme = {"README.md": "# Shop\n\nThe client adds jitter.\n"}
    silent = {"shop/send.py": SEND.format("2")}
    assert told("Three attempts, with jitter.", {**readme, **silent}) is Outcome.NOT_APPLICABLE
    assert told("Three attempts, with jitter.", {"shop/send.py": SENT.format("# jitter")}) is Outcome.NOT_APPLICABLE
    assert told("Three attempts, with jitter.", {"shop/send.py": SEND.format("jitter(2)")}) is Outcome.FOUND


@pytest.mark.parametrize(
    "said",
    [
        "Exponential back-off comes later.",
        "Does not use exponential back-off.",
        "We considered waits with exponential back-off.",
        "The search was case-insensitive before.",
        "Tokens should be compared in constant time.",
        "Attempts are no longer logged.",
        "Fixes a race that made the registry not thread-safe.",
        "It is called when the file is closed.",
    ],
)
def test_ways_that_are_denied_put_off_or_told_of_other_times_prove_nothing(said: str) -> None:
    assert told(said, {"shop/send.py": SEND.format("1")}) is not CONTRADICTS


def test_words_for_people_and_files_of_another_kind_show_no_way_of_working() -> None:
    said = "The nightly job may fail. Adds a readiness probe. The page column is NOT NULL."
    assert told(said, {"shop/send.py": SEND.format("1")}) is not CONTRADICTS
    said = "Waits with exponential back-off between attempts."
    before = {**SHOP, "shop/send.py": SEND.format("1")}
    assert told(said, {"shop/send.py": f"# Sends.\n{SEND.format('1')}"}, before) is not CONTRADICTS
    assert told(said, {"README.md": "# Shop\n\nIt waits.\n"}, before) is not CONTRADICTS


@pytest.mark.parametrize("piece", ["exponential ", "in parallel ", "is now ", "FROM a\n", "with a ", "runs as "])
def test_ways_that_are_written_to_take_long_take_no_time(piece: str) -> None:
    said = (piece * 2_000)[:15_000]
    started = process_time()
    told(said, {"Dockerfile": IMAGE.format(piece * 5_000), "shop/send.py": SEND.format("1")})
    assert process_time() - started < 6


@pytest.mark.parametrize(
    ("said", "path", "without", "word"),
    [
        ("Three attempts, with jitter.", "shop/send.py", SEND.format("2"), "# jitter\n"),
        ("Three attempts, with jitter.", "shop/send.py", SEND.format("2"), '"""With jitter."""\n'),
        ("The cookie is HttpOnly.", "web/session.js", COOKIE.format("secure: true"), "// httpOnly\n"),
        ("Cancels older runs of the same branch.", ".github/workflows/test.yml", WORKFLOW.format(""), "# concurrency\n"),
    ],
)  # fmt: skip
def test_a_sign_in_a_comment_or_a_document_bears_nothing_out(said: str, path: str, without: str, word: str) -> None:
    assert told(said, {path: word + without}) is Outcome.NOT_APPLICABLE
    assert told(said, {path: without, "docs/more.md": word}) is Outcome.NOT_APPLICABLE
