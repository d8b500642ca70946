"""Sentences as people write them, each with a change of which it is not so and one of which it is."""

from __future__ import annotations

import pytest

from tests.forensics.probes.test_description_claims import CONTRADICTS, SHOP, said_of

WORK = "shop/work.py"


@pytest.mark.parametrize(
    ("said", "wrong", "right", "path"),
    [
        ('Sessions expire after 30 minutes of inactivity.', 'SESSION_LIFETIME = 20 * 60\n', 'SESSION_LIFETIME = 30 * 60\n', WORK),
        ('The lock is released after at most 10 seconds.', 'LOCK_TIMEOUT = 60\n', 'LOCK_TIMEOUT = 10\n', WORK),
        ('Tokens are valid for 24 hours.', 'TOKEN_TTL = 12 * 60 * 60\n', 'TOKEN_TTL = 86400\n', WORK),
        ('Polls every 500 ms.', 'POLL_INTERVAL_MS = 250\n', 'POLL_INTERVAL_MS = 500\n', WORK),
        ('Uploads are limited to 10 MB.', 'MAX_UPLOAD = 5 * 1024 * 1024\n', 'MAX_UPLOAD = 10 * 1024 * 1024\n', WORK),
        ('The pool holds 20 connections.', 'POOL_SIZE = 10\n', 'POOL_SIZE = 20\n', WORK),
        ('Retries up to five times with exponential backoff.', 'MAX_RETRIES = 3\n', 'MAX_RETRIES = 5\n', WORK),
        ('Up to 5 retries are made before giving up.', 'MAX_RETRIES = 3\n', 'MAX_RETRIES = 5\n', WORK),
        ('Batches of 100 rows are written at a time.', 'BATCH_ROWS = 500\n', 'BATCH_ROWS = 100\n', WORK),
        ('Passwords need at least 12 characters.', 'MIN_PASSWORD = 8\n\n\ndef ok(p):\n    return len(p) >= MIN_PASSWORD\n', 'MIN_PASSWORD = 12\n\n\ndef ok(p):\n    return len(p) >= MIN_PASSWORD\n', WORK),
        ('Pages have 20 entries by default.', 'PAGE_SIZE = 50\n', 'PAGE_SIZE = 20\n', WORK),
        ('The cache is limited to 1000 entries.', 'MAX_ENTRIES = 500\n', 'MAX_ENTRIES = 1000\n', WORK),
        ('Runs with 4 workers by default.', 'WORKERS = 2\n', 'WORKERS = 4\n', WORK),
        ('Backs off for 2, 4 and 8 seconds.', 'DELAYS = (1, 2, 4)\n', 'DELAYS = (2, 4, 8)\n', WORK),
        ('Unknown ids give a 404.', 'def work(r):\n    raise HTTPException(status_code=400)\n', 'def work(r):\n    raise HTTPException(status_code=404)\n', WORK),
        ('Requests without a token now get 401 instead of 403.', 'def work(r):\n    abort(403)\n', 'def work(r):\n    abort(401)\n', WORK),
        ('`POST /jobs` returns 202 Accepted.', '  return res.status(201).json(job)\n', '  return res.status(202).json(job)\n', 'src/jobs.ts'),
        ('Rate-limited clients see a 429 response.', '\tw.WriteHeader(http.StatusServiceUnavailable)\n', '\tw.WriteHeader(http.StatusTooManyRequests)\n', 'web/limit.go'),
        ('Missing fields lead to status 422.', '    return ResponseEntity.badRequest().build();\n', '    return ResponseEntity.unprocessableEntity().build();\n', 'src/Work.java'),
        ('The exit code is 2 when the file is missing.', 'import sys\n\n\ndef work():\n    sys.exit(1)\n', 'import sys\n\n\ndef work():\n    sys.exit(2)\n', WORK),
        ('Exits with status 3 if nothing matched.', 'import sys\n\n\ndef work():\n    sys.exit(1)\n', 'import sys\n\n\ndef work():\n    sys.exit(3)\n', WORK),
        ('Failed deliveries are logged as errors.', "def work(log):\n    log.warning('x')\n", "def work(log):\n    log.error('x')\n", WORK),
        ('Skipped rows go to the debug log.', "def work(log):\n    log.info('x')\n", "def work(log):\n    log.debug('x')\n", WORK),
        ('The message about retries is demoted from warning to debug.', "def work(log):\n    log.info('x')\n", "def work(log):\n    log.debug('x')\n", WORK),
        ('A warning is logged when the cache is full.', "def work(log):\n    log.error('x')\n", "def work(log):\n    log.warning('x')\n", WORK),
        ('We log an error if the queue is gone.', "def work(log):\n    log.info('x')\n", "def work(log):\n    log.error('x')\n", WORK),
        ('Emits a warning when the key is unknown.', "def work(log):\n    log.debug('x')\n", "def work(log):\n    log.warning('x')\n", WORK),
        ('Results are sorted by date, newest first.', "def work(q):\n    return q.order_by('created')\n", "def work(q):\n    return q.order_by('-created')\n", WORK),
        ('Entries come in descending order of score.', 'def work(q):\n    return sorted(q, key=lambda e: e.score)\n', 'def work(q):\n    return sorted(q, key=lambda e: e.score, reverse=True)\n', WORK),
        ('The list is ordered by price, cheapest first.', "def work(q):\n    return q.order_by('-price')\n", "def work(q):\n    return q.order_by('price')\n", WORK),
        ('Sorts by size, largest first.', 'def work(q):\n    return sorted(q, key=len)\n', 'def work(q):\n    return sorted(q, key=len, reverse=True)\n', WORK),
        ('Sorted by score in descending order.', '  return rows.sort((a, b) => a.score - b.score);\n', '  return rows.sort((a, b) => b.score - a.score);\n', 'src/w.ts'),
        ('Raises `ValueError` for negative amounts.', 'def work(a):\n    raise TypeError(a)\n', 'def work(a):\n    raise ValueError(a)\n', WORK),
        ('A `TimeoutError` is raised when nothing arrives.', 'def work(a):\n    raise ConnectionError(a)\n', 'def work(a):\n    raise TimeoutError(a)\n', WORK),
        ('Invalid input is rejected with `InvalidInputError`.', 'def work(a):\n    raise BadRequestError(a)\n', 'def work(a):\n    raise InvalidInputError(a)\n', WORK),
        ('`parse` fails with a `ParseError` on empty input.', 'def parse(a):\n    raise EmptyError(a)\n', 'def parse(a):\n    raise ParseError(a)\n', WORK),
        ('Throws an `IllegalStateException` if closed.', '    throw new IllegalArgumentException();\n', '    throw new IllegalStateException();\n', 'src/W.java'),
        ('The new option `verbose` is on by default.', 'def work(verbose=False): ...\n', 'def work(verbose=True): ...\n', WORK),
        ('`strict` defaults to true.', 'def work(strict=False): ...\n', 'def work(strict=True): ...\n', WORK),
        ('The `retries` setting (default 5) says how often.', 'def work(retries=3): ...\n', 'def work(retries=5): ...\n', WORK),
        ('By default `limit` is 100.', 'def work(limit=50): ...\n', 'def work(limit=100): ...\n', WORK),
        ('Compression is enabled by default.', 'COMPRESSION = False\n', 'COMPRESSION = True\n', WORK),
        ('The port can be set with `PORT` and defaults to 8080.', "import os\n\nPORT = int(os.environ.get('PORT', 3000))\n", "import os\n\nPORT = int(os.environ.get('PORT', 8080))\n", WORK),
        ('`format` defaults to `json`.', "def work(format='csv'): ...\n", "def work(format='json'): ...\n", WORK),
        ('The default format is `json`.', "DEFAULT_FORMAT = 'csv'\n", "DEFAULT_FORMAT = 'json'\n", WORK),
        ('`fetch` is now asynchronous.', 'def fetch(a):\n    return get(a)\n', 'async def fetch(a):\n    return await get(a)\n', WORK),
        ('Makes `load` async.', 'def load(a):\n    return get(a)\n', 'async def load(a):\n    return await get(a)\n', WORK),
        ('Scores up to and including 50 count as low.', 'def ok(v):\n    return v < 50\n', 'def ok(v):\n    return v <= 50\n', WORK),
        ('Orders over 100 get free shipping.', 'def ok(v):\n    return v >= 100\n', 'def ok(v):\n    return v > 100\n', WORK),
        ('`find` returns `None` when there is no match.', 'def find(a):\n    return []\n', 'def find(a):\n    return None\n', WORK),
        ('An empty list is returned if nothing matches.', 'def find(a):\n    return None\n', 'def find(a):\n    return []\n', WORK),
        ('Adds the header `X-Request-Id` to every answer.', "def work(r):\n    r.headers['X-Correlation-Id'] = 1\n", "def work(r):\n    r.headers['X-Request-Id'] = 1\n", WORK),
        ('Reads `REDIS_URL` from the environment.', "import os\n\nURL = os.environ['CACHE_URL']\n", "import os\n\nURL = os.environ['REDIS_URL']\n", WORK),
        ('The metric is called `orders_created_total`.', "METRIC = 'orders_placed_total'\n", "METRIC = 'orders_created_total'\n", WORK),
        ('Uses SHA-256 for the digest.', 'import hashlib\n\n\ndef work(a):\n    return hashlib.sha1(a)\n', 'import hashlib\n\n\ndef work(a):\n    return hashlib.sha256(a)\n', WORK),
        ('Switches the hash from MD5 to SHA-256.', 'import hashlib\n\n\ndef work(a):\n    return hashlib.sha1(a)\n', 'import hashlib\n\n\ndef work(a):\n    return hashlib.sha256(a)\n', WORK),
        ('Passwords are hashed with bcrypt.', 'import hashlib\n\n\ndef work(password):\n    return hashlib.scrypt(password)\n', 'import bcrypt\n\n\ndef work(password):\n    return bcrypt.hashpw(password)\n', WORK),
        ('The response is gzip compressed.', 'import zlib\n\n\ndef work(a):\n    return zlib.compress(a)\n', 'import gzip\n\n\ndef work(a):\n    return gzip.compress(a)\n', WORK),
        ('Cookies are set with SameSite=Strict.', "def work(r):\n    r.set_cookie('a', samesite='Lax')\n", "def work(r):\n    r.set_cookie('a', samesite='Strict')\n", WORK),
        ('The container listens on port 8000.', 'EXPOSE 8080\nCMD serve --port 8080\n', 'EXPOSE 8000\nCMD serve --port 8000\n', 'Dockerfile'),
        ('Deploys three replicas.', 'spec:\n  replicas: 2\n', 'spec:\n  replicas: 3\n', 'k8s/web.yaml'),
        ('The memory limit is raised to 512Mi.', 'limits:\n  memory: 256Mi\n', 'limits:\n  memory: 512Mi\n', 'k8s/web.yaml'),
        ('Adds a unique constraint on `email`.', 'CREATE INDEX users_email ON users (email);\n', 'CREATE UNIQUE INDEX users_email ON users (email);\n', 'migrations/2.sql'),
        ('Deleting a user also deletes their orders (on delete cascade).', 'ALTER TABLE orders ADD FOREIGN KEY (u) REFERENCES users ON DELETE SET NULL;\n', 'ALTER TABLE orders ADD FOREIGN KEY (u) REFERENCES users ON DELETE CASCADE;\n', 'migrations/2.sql'),
    ],
)  # fmt: skip
def test_what_is_said_is_told_from_what_comes_instead(said: str, wrong: str, right: str, path: str) -> None:
    assert said_of(f"Next step\n\n{said}", {path: wrong}) is CONTRADICTS
    assert said_of(f"Next step\n\n{said}", {path: right}) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "It used MD5 before.",
        "Uses SHA-1 instead of SHA-256.",
        "SHA-256 is not what is asked for.",
        "Files of SHA-256 and SHA-1 are read.",
        "Support for SHA-256 comes later.",
    ],
)
def test_another_way_that_is_only_spoken_of_is_not_held_against_the_change(said: str) -> None:
    code = "import hashlib\n\n\ndef work(text):\n    return hashlib.sha1(text)\n"
    assert said_of(f"Next step\n\n{said}", {WORK: code}) is not CONTRADICTS


MATRIX = "on: push\njobs:\n  test:\n    strategy:\n      matrix:\n        os: [{}]\n"


def test_every_system_that_is_told_stands_in_the_workflow() -> None:
    path, said = ".github/workflows/test.yml", "N\n\nTests run on Linux, macOS and Windows."
    assert said_of(said, {path: MATRIX.format("ubuntu-latest, macos-latest")}) is CONTRADICTS
    assert said_of(said, {path: MATRIX.format("ubuntu-latest, macos-latest, windows-latest")}) is not CONTRADICTS
    assert said_of("N\n\nTests run on Linux and macOS.", {"shop/work.py": "X = 'linux'\n"}) is not CONTRADICTS


ROTATE = 'while getopts "d:{}" option; do\n  case "$option" in d) days=1 ;; esac\ndone\n'


def test_a_script_holds_the_option_that_it_is_called_with() -> None:
    said = "N\n\n`scripts/rotate.sh -n` only prints."
    assert said_of(said, {"scripts/rotate.sh": ROTATE.format("p")}) is CONTRADICTS
    assert said_of(said, {"scripts/rotate.sh": ROTATE.format("n")}) is not CONTRADICTS
    assert said_of(said, {"scripts/rotate.sh": 'rotate "$@"\n'}) is not CONTRADICTS


def test_one_role_alone_is_not_one_of_several() -> None:
    said = "N\n\nOnly users with the role ADMIN may delete."
    assert said_of(said, {WORK: 'allow = may("ADMIN", "CURATOR")\n'}) is CONTRADICTS
    assert said_of(said, {WORK: 'allow = may("ADMIN")\n'}) is not CONTRADICTS
    assert said_of(said, {WORK: 'allow = may("EDITOR", "CURATOR")\n'}) is not CONTRADICTS


def test_what_one_part_is_said_to_do_does_not_stand_in_another_alone() -> None:
    said = "N\n\n`confirm` sends it with `deliver_later`."
    confirm, other = "def confirm(mail):\n    mail.{}()\n", "def sign_up(mail):\n    mail.deliver_later()\n"
    files = {"shop/confirm.py": confirm.format("deliver_now"), "shop/sign_up.py": other}
    assert said_of(said, files) is CONTRADICTS
    assert said_of(said, {**files, "shop/confirm.py": confirm.format("deliver_later")}) is not CONTRADICTS
    before = {**SHOP, "shop/sign_up.py": other}
    assert said_of(said, {"shop/confirm.py": confirm.format("deliver_now")}, before) is not CONTRADICTS


def test_a_function_that_is_told_with_the_number_of_its_parameters_is_its_definition() -> None:
    before = {"lib/a.ex": "  def verify(a), do: hash(a)\n  def hash(a), do: a\n"}
    said = "N\n\n`verify/1` and `hash/1` are removed from `A`."
    assert said_of(said, {"lib/a.ex": "  def hash(a), do: a\n"}, before) is CONTRADICTS
    assert said_of(said, {"lib/a.ex": "  def other(a), do: a\n"}, before) is not CONTRADICTS
