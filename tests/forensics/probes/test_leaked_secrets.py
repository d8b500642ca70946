"""Secrets are found in every commit of the range, and stand in nothing that is written."""

from __future__ import annotations

import base64
import json
import multiprocessing
import os
import random
import signal
import string
import threading
import time
from pathlib import Path

import pytest

from auditor.domain import Conclusion, Evidence, Outcome, Scope, Subject
from auditor.forensics.engine import blob_batch_reading, evidence_gathering
from auditor.forensics.secrets import content_scan, placeholder_secrets, secret_detector
from auditor.forensics.secrets.content_scan import is_part_of_digest
from auditor.forensics.secrets.placeholder_secrets import is_placeholder
from auditor.forensics.secrets.secret_detector import Detector, Passage, Unscanned
from auditor.repo.repository_opening import open_repository
from tests.auditing import Answers, asked, audited, found
from tests.repos import Drawing

_LETTERS = string.ascii_letters + string.digits


def drawn(prefix: str, length: int, letters: str = _LETTERS, seed: int = 7) -> str:
    """A value of a secret's form, made when the test runs: none stands in this file."""
    chance = random.Random(f"{prefix}{seed}")  # noqa: S311 - it only has to look drawn by chance
    return prefix + "".join(chance.choice(letters) for _ in range(length))


def web_token(**claims: str) -> str:
    """A JSON web token that makes those claims."""
    parts = [json.dumps(each).encode() for each in ({"alg": "HS256", "typ": "JWT"}, {"iss": "x", **claims})]
    return ".".join([*(base64.urlsafe_b64encode(each).decode("ascii").rstrip("=") for each in parts), drawn("", 43)])


TOKEN = drawn("gh" + "p_", 36)
OTHER = drawn("gl" + "pat-", 20)
AGE = "AGE-SECRET-KEY-1" + drawn("", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")


SECRETS = "secrets.committed"


def secrets(report: Answers) -> list[Evidence]:
    """What the probe found, in product code and in tests."""
    return [*found(report, SECRETS), *found(report, SECRETS, in_tests=True)]


def entries(report: Answers) -> list[tuple[str, str, int, str]]:
    """Kind, path, line and commit of every secret."""
    return [
        (each["kind"], each["path"], each["line"], each["commit"])
        for evidence in secrets(report)
        if evidence.data is not None
        for each in evidence.data.model_dump()["secrets"]
    ]


def test_a_secret_added_and_removed_again_within_the_range_is_still_out(drawing: Drawing) -> None:
    drawing.commit({"app.py": "import os\n"})
    drawing.branch("work")
    sha = drawing.commit({"app.py": f"import os\ntoken = '{TOKEN}'\n"})
    drawing.commit({"app.py": "import os\ntoken = os.environ['TOKEN']\n"})
    report = asked(drawing.path, "main", SECRETS)
    assert entries(report) == [("github-pat", "app.py", 2, sha)]
    [evidence] = secrets(report)
    assert evidence.introduced is True
    assert "removed from the files" in evidence.statement
    assert evidence.locations[0].kind == "commit"


def test_without_a_base_old_history_and_the_head_are_both_searched(drawing: Drawing) -> None:
    first = drawing.commit({"old.cfg": f"key={TOKEN}\n"})
    second = drawing.commit({"old.cfg": None, "new.cfg": f"\n\nkey={OTHER}\n"})
    assert sorted(entries(asked(drawing.path, None, SECRETS))) == [
        ("github-pat", "old.cfg", 1, first),
        ("gitlab-pat", "new.cfg", 3, second),
    ]


def test_the_value_stands_in_no_part_of_the_report_and_not_in_the_cache(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"app.py": f"# TODO: rotate {AGE} before release\nx = '{TOKEN}'\n"})
    report = audited(drawing.path, cache=tmp_path / "cache")
    assert {kind for kind, *_ in entries(report)} == {"age-secret-key", "github-pat"}
    quoting = [each for each in report.evidence if each.probe == "text.todo_added"]
    assert quoting[0].locations, "the line is quoted by another probe too"
    for value in (AGE, TOKEN, AGE[-30:], TOKEN[-20:]):
        assert value not in report.model_dump_json()
    kept = b"".join(file.read_bytes() for file in (tmp_path / "cache").iterdir())
    assert TOKEN.encode() not in kept


def test_a_second_run_from_the_cache_says_the_same(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"app.py": f"x = '{TOKEN}'\n"})
    drawing.commit({"app.py": "x = None\n"})
    fresh = audited(drawing.path, cache=tmp_path / "cache")
    drawing.commit({"other.py": "y = 1\n"})
    again = audited(drawing.path, cache=tmp_path / "cache")
    assert entries(again) == entries(fresh) != []


def test_equal_values_share_a_fingerprint_that_is_made_of_places(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": f"x = '{TOKEN}'\n", "b.py": f"y = '{TOKEN}'\n", "c.py": f"z = '{OTHER}'\n"})
    marks = {
        each["path"]: each["fingerprint"]
        for evidence in secrets(asked(drawing.path, None, SECRETS))
        if evidence.data is not None
        for each in evidence.data.model_dump()["secrets"]
    }
    assert marks["a.py"] == marks["b.py"] != marks["c.py"]
    elsewhere = Drawing(tmp_path / "elsewhere")
    elsewhere.commit({"other/place.py": f"x = '{TOKEN}'\n"})
    other = secrets(asked(elsewhere.path, None, SECRETS))[0].data
    assert other is not None
    assert other.model_dump()["secrets"][0]["fingerprint"] != marks["a.py"]


def test_what_stood_there_before_the_change_is_not_new(drawing: Drawing) -> None:
    drawing.commit({"app.py": f"token = '{TOKEN}'\n"})
    drawing.branch("work")
    drawing.git("mv", "app.py", "moved.py")
    drawing.commit({"moved.py": f"import os\ntoken = '{TOKEN}'\n", "note.py": "x = 1\n"})
    report = asked(drawing.path, "main", SECRETS)
    assert [evidence.introduced for evidence in secrets(report)] == [False]


def test_a_secret_that_only_a_merge_brings_in_is_found(drawing: Drawing) -> None:
    drawing.commit({"app.py": "a = 1\n"})
    drawing.branch("side")
    drawing.commit({"app.py": "a = 2\n"})
    drawing.switch("main")
    drawing.branch("work")
    drawing.commit({"app.py": "a = 3\n"})
    drawing.git("merge", "--quiet", "--no-commit", "--strategy=ours", "side")
    merge = drawing.commit({"app.py": f"a = '{TOKEN}'\n"})
    drawing.commit({"app.py": "a = 4\n"})
    assert ("github-pat", "app.py", 1, merge) in entries(asked(drawing.path, "main", SECRETS))


def test_marks_that_ask_scanners_to_look_away_are_not_obeyed(drawing: Drawing) -> None:
    drawing.commit({"app.py": f"x = '{TOKEN}'  # gitleaks:allow # kingfisher:ignore # noqa # nosec\n"})
    assert len(entries(asked(drawing.path, None, SECRETS))) == 1


def test_a_file_in_utf_16_is_read(drawing: Drawing) -> None:
    drawing.commit({"app.ini": f"[a]\nkey = {TOKEN}\n".encode("utf-16")})
    report = asked(drawing.path, None, SECRETS)
    assert [(kind, line) for kind, _, line, _ in entries(report)] == [("github-pat", 2)]
    assert TOKEN not in report.model_dump_json()


def test_utf_16_and_utf_32_are_read_with_and_without_their_mark(drawing: Drawing) -> None:
    text = f"[a]\nkey = {TOKEN}\nname = plain\n"
    codings = ("utf-16-le", "utf-16-be", "utf-32")
    drawing.commit({f"{coding}.ini": text.encode(coding) for coding in codings})
    assert {(path, line) for _, path, line, _ in entries(asked(drawing.path, None, SECRETS))} == {
        (f"{coding}.ini", 2) for coding in codings
    }


def test_a_binary_file_hides_no_issuers_token_and_its_noise_is_no_password(drawing: Drawing) -> None:
    noise = b"\0\1\2password = 'x7Gq92mnLp0zT4'\0"
    drawing.commit({"core.dump": b"\x7fELF\0\0" + TOKEN.encode() + b"\0" + noise, "named.db": f"k={OTHER}\0".encode()})
    assert {(kind, path) for kind, path, *_ in entries(asked(drawing.path, None, SECRETS))} == {
        ("github-pat", "core.dump"),
        ("gitlab-pat", "named.db"),
    }


@pytest.mark.parametrize("before", ["", "TOKEN=", "ab"])
def test_a_token_wrapped_in_base64_is_found_where_it_is_wrapped(drawing: Drawing, before: str) -> None:
    wrapped = base64.b64encode(f"{before}{TOKEN}".encode()).decode("ascii")
    drawing.commit({"secret.yaml": f"apiVersion: v1\nkind: Secret\ndata:\n  env: {wrapped}\n"})
    report = asked(drawing.path, None, SECRETS)
    assert [(kind, line) for kind, _, line, _ in entries(report)] == [("github-pat", 4)]
    assert wrapped not in report.model_dump_json()


def test_a_secret_is_found_in_the_one_of_many_versions_that_holds_it(drawing: Drawing) -> None:
    lines = [f"value_{number} = {number}" for number in range(4_000)]
    drawing.commit({"long.py": "\n".join(lines)})
    for number in range(6):
        lines[number * 500] = f"changed_{number} = 0"
        drawing.commit({"long.py": "\n".join(lines)})
    lines[2_000] = f"token = '{TOKEN[:20]}"
    drawing.commit({"long.py": "\n".join(lines)})
    lines[2_000] = f"token = '{TOKEN}'"
    leak = drawing.commit({"long.py": "\n".join(lines)})
    lines[10] = "moved = 1\nmoved_again = 2"
    drawing.commit({"long.py": "\n".join(lines)})
    assert entries(asked(drawing.path, None, SECRETS)) == [("github-pat", "long.py", 2_002, leak)]
    lines[2_000] = "token = None"
    drawing.commit({"long.py": "\n".join(lines)})
    report = asked(drawing.path, None, SECRETS)
    assert entries(report) == [("github-pat", "long.py", 2_001, leak)]
    assert "removed from the files" in secrets(report)[0].statement


def test_a_version_that_ends_the_detector_costs_its_neighbour_no_answer(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = secret_detector._scan_content

    def faulty(scanner: object, content: bytes) -> object:
        if b"boom" in content:
            raise SystemExit(1)
        return real(scanner, content)

    monkeypatch.setattr(secret_detector, "_scan_content", faulty)
    lines = [f"value_{number} = {number}" for number in range(4_000)]
    lines[3_000] = f"token = '{TOKEN}'"
    drawing.commit({"long.py": "\n".join(lines)})
    drawing.commit({"long.py": "\n".join(["boom = 1", *lines])})
    report = asked(drawing.path, None, SECRETS)
    assert [(kind, path, line) for kind, path, line, _ in entries(report)] == [("github-pat", "long.py", 3_001)]
    [dark] = [each for each in report.evidence if each.probe == SECRETS and each.outcome is Outcome.UNAVAILABLE]
    assert "secret detector crashed" in dark.statement


@pytest.mark.parametrize(
    "key",
    [
        '{"kty": "EC", "crv": "P-256", "d": "@"}',
        '{"d": "@", "kty": "OKP"}',
        "export const key = { kty: 'RSA', n: 'AQAB', d: '@' };",
        '{"kty": "oct", "k": "@"}',
    ],
)
def test_the_private_part_of_a_json_web_key_is_found(drawing: Drawing, key: str) -> None:
    drawing.commit({"keys.js": key.replace("@", drawn("", 43)) + "\n"})
    assert [kind for kind, *_ in entries(asked(drawing.path, None, SECRETS))] == ["json-web-key"]


@pytest.mark.parametrize(
    "files",
    [
        {"app.py": f"token = os.environ['{'T' * 12}']\n"},
        {"README.md": "`export TOKEN=" + "gh" + "p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`\n"},
        {"config.py": "url = 'postgresql://scott:tiger@localhost/test'\n"},
        {"config.py": "url = 'postgresql://app:s3cr3tPassw0rd99@db:5432/x'\n"},
        {"settings.py": "password = 'changeme-please-1'\nSECRET_KEY = 'your-secret-key-0'\n"},
        {"app.py": "sha = '2ac89889f4cc330eabd50f295dcef02828522c69'\nuuid = '1b4e28ba-2fa1-11d2-883f-0016d3cca427'\n"},
        {"pay.py": "key = 'sk" + "_test_" + drawn("", 24) + "'\n"},
        {"tests/test_app.py": "password = 'x7Gq92mnLp0z'\n"},
        {"oauth.py": "access_token = '" + "2YotnFZFEj" + "r1zCsicMWpAA'\n"},
        {
            "main.tf": 'secrets_kms_key_id = "b4924fa6-0bee-430f-adec-5f81ac039291"\nsecret_arn = "arn:aws:kms:eu-1:9083:key/b492"\n'
        },
        {"browser.ts": f"export const key = '{web_token(role='anon')}'\n"},
        {"app/i18n/nl.json": '{"LABEL_TWO_FACTOR_AUTH_TOKEN": "2FA-token"}\n'},
        {"package-lock.json": '{"integrity": "sha512-' + drawn("", 86) + '=="}\n'},
        {"sign.sh": "kSecret" + '="SIG4$VAULT_ACCESS_KEY_2"\npassword' + '="p$own_secret_3-x7Gq"\n'},
        {"keys.json": '{"kty": "OKP", "x": "' + drawn("", 43) + '", "kid": "' + drawn("", 43) + '"}\n'},
        {"keys.json": '{"kty": "OKP", "d": "nWGxne_9WmC6hEr0kuwsxERJ' + 'xWl7MmkZcDusAxyuf2A"}\n'},
        {"labels.ts": "export const password = { label: 'password_label_2', secretName: 'user.password.title1' }\n"},
    ],
)
def test_placeholders_hashes_and_test_keys_are_no_secrets(drawing: Drawing, files: dict[str, str]) -> None:
    drawing.commit(dict(files))
    report = asked(drawing.path, None, SECRETS)
    assert entries(report) == []
    assert [each.outcome for each in report.evidence if each.probe == SECRETS] == [Outcome.NOT_FOUND]


@pytest.mark.parametrize(
    ("before", "after", "is_digest"),
    [
        ("sha512-" + drawn("", 50), drawn("", 4) + "==", True),
        ("sha512-" + drawn("", 49) + "/", drawn("", 4) + "==", True),
        ("sha512-" + drawn("", 50), drawn("", 20) + "==", False),
        ("sha999-" + drawn("", 50), drawn("", 4) + "==", False),
        ("", "", False),
    ],
)
def test_letters_of_a_token_within_a_digest_of_a_lock_file_are_none(
    before: str, after: str, *, is_digest: bool
) -> None:
    assert is_part_of_digest(f"  integrity {before}", "BSA" + drawn("", 29), f"{after}\n") is is_digest


def test_a_token_with_signs_that_no_digest_has_is_none_of_it() -> None:
    assert not is_part_of_digest('key = "sha256-', "gh" + "p_" + drawn("", 36), 'BBB="\n')


def test_an_issuers_token_is_a_secret_even_in_a_test_but_a_key_made_for_it_is_not(drawing: Drawing) -> None:
    key = "-----BEGIN RSA PRIVATE " + "KEY-----\n" + drawn("", 600) + "\n-----END RSA PRIVATE " + "KEY-----\n"
    drawing.commit({"tests/test_a.py": f"x = '{TOKEN}'\n", "tests/key.pem": key, "deploy/key.pem": key})
    report = asked(drawing.path, None, SECRETS)
    assert {(kind, path) for kind, path, *_ in entries(report)} == {
        ("github-pat", "tests/test_a.py"),
        ("private-key", "deploy/key.pem"),
    }


def test_a_private_key_in_a_plain_note_is_a_secret_and_one_that_a_document_shows_is_not(drawing: Drawing) -> None:
    key = "-----BEGIN RSA PRIVATE " + "KEY-----\n" + drawn("", 600) + "\n-----END RSA PRIVATE " + "KEY-----\n"
    shown = f"# Keys\n\n```\n{key}```\n"
    drawing.commit({"docs/server.txt": f"The server:\n\n{key}", "docs/keys.md": shown, "docs/example.txt": key})
    assert {path for _, path, *_ in entries(asked(drawing.path, None, SECRETS))} == {"docs/server.txt"}


def test_a_web_token_of_a_server_is_a_secret(drawing: Drawing) -> None:
    drawing.commit({"server.ts": f"const key = '{web_token(role='service_role')}'\n"})
    assert [kind for kind, *_ in entries(asked(drawing.path, None, SECRETS))] == ["jwt"]


def test_a_password_written_down_as_a_value_is_found_with_doubt(drawing: Drawing) -> None:
    drawing.commit({"settings.py": "DB_PASSWORD = 'x7Gq92mnLp0zT4'\n"})
    [evidence] = secrets(asked(drawing.path, None, SECRETS))
    assert evidence.confidence < 0.8


PARTED = "tG#xQ#vL" + "mw#Rz17"
"""What a sharp sign parts into words that are none."""


def test_a_password_without_quotes_may_hold_signs_and_the_place_of_one_in_a_vault_is_none(drawing: Drawing) -> None:
    secret = drawn("x7", 6) + "#kQ2?" + drawn("z", 6) + "!"
    drawing.commit(
        {
            "prod.properties": f"db.password={secret}\n",
            ".env.production": f"DB_PASSWORD={drawn('y7', 12)}#{drawn('q', 6)}\n",
            "charts.yml": f"password: {drawn('w7', 12)}  # of production\n",
            "mail.py": f'password = "{PARTED}"\n',
            "vault.properties": "db.password=kv2/app/prod#DB_PASS\nmail.password=secret/data/mail#password\n",
        }
    )
    assert {(kind, path) for kind, path, *_ in entries(asked(drawing.path, None, SECRETS))} == {
        ("plain-secret", "prod.properties"),
        ("plain-secret", ".env.production"),
        ("plain-secret", "charts.yml"),
        ("assigned-secret", "mail.py"),
    }


def test_passwords_in_commands_elements_and_connection_strings_are_found_with_doubt(drawing: Drawing) -> None:
    secret = drawn("x7", 16)
    harmless = (
        "deploy --password $PASSWORD --token-file t --set db.password=changeme12 <password>${env.PASSWORD}</password>"
    )
    drawing.commit(
        {
            "deploy.sh": f"helm upgrade a ./a --set image.tag=1 --set db.password={secret}\nPGPASSWORD={secret} psql -h db7\n",
            "settings.xml": f"<server><password>{secret}</password></server>\n",
            "app.json": f'{{"db": "Server=sql.acme.io;User Id=a;Password={secret};Encrypt=True"}}\n',
            "here.json": f'{{"db": "Server=localhost;User Id=a;Password={secret[::-1]};Encrypt=True"}}\n',
            "twins.sh": f"{harmless}\ntool --token-limit 4096 --secret-name prod/api/key-1 --api-key-header X-Api-Key-2\n",
        }
    )
    report = asked(drawing.path, None, SECRETS)
    assert {(kind, path) for kind, path, *_ in entries(report)} == {
        ("argument-secret", "deploy.sh"),
        ("element-secret", "settings.xml"),
        ("connection-secret", "app.json"),
    }
    assert {each.confidence for each in secrets(report)} == {0.6}


def test_the_rules_that_find_secrets_are_told_as_none(drawing: Drawing) -> None:
    rules = Path(secret_detector.__file__).with_name("secret_rules.yml").read_text("utf-8")
    drawing.commit({"rules.yml": rules})
    assert entries(asked(drawing.path, None, SECRETS)) == []


def test_a_host_on_the_own_machine_makes_a_password_harmless_and_a_foreign_one_does_not() -> None:
    assert is_placeholder("generic-credential-uri", "q8Zk2mX9vB3n", "@localhost:5432/db")
    assert not is_placeholder("generic-credential-uri", "q8Zk2mX9vB3n", "@db.prod.acme.io:5432/db")


def test_a_content_that_ends_the_detector_costs_no_other_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    real = secret_detector._scan_content

    def faulty(scanner: object, content: bytes) -> object:
        if content == b"boom":
            raise SystemExit(1)
        return real(scanner, content)

    monkeypatch.setattr(secret_detector, "_scan_content", faulty)
    probe = Detector()
    try:
        passages = [Passage(b"boom", "a"), Passage(f"x = '{TOKEN}'".encode(), "b")]
        answers = {passage.owner: answer for passage, answer in probe.scan(passages)}
    finally:
        probe.end()
    assert isinstance(answers["a"], Unscanned)
    assert not isinstance(answers["b"], Unscanned)
    assert [hit.kind for hit in answers["b"]] == ["github-pat"]


def outcomes(report: Answers) -> list[tuple[Outcome, str]]:
    return [(each.outcome, each.statement) for each in report.evidence if each.probe == SECRETS]


def _abort() -> None:
    os.kill(os.getpid(), signal.SIGABRT)


def test_a_detector_that_cannot_load_its_rules_searched_nothing_and_is_not_kept(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        drawing.commit({"app.py": f"x = {number}\n", f"f{number}.py": f"y = {number}\n"})
    with monkeypatch.context() as broken:
        broken.setattr(secret_detector, "load_scanner", _abort)
        report = asked(drawing.path, None, SECRETS, cache=tmp_path / "cache")
    why = "the secret detector could not start (ended by SIGABRT)."
    assert outcomes(report) == [
        (Outcome.UNAVAILABLE, f"6 versions of 4 files could not be searched for secrets: {why}"),
        (
            Outcome.UNAVAILABLE,
            f"Commit messages and names of files and people could not all be searched for secrets: {why}",
        ),
    ]
    again = asked(drawing.path, None, SECRETS, cache=tmp_path / "cache")
    assert outcomes(again) == [(Outcome.NOT_FOUND, "No secret was found in 3 commits and 6 versions of files.")]


def test_a_detector_that_cannot_start_makes_the_security_of_a_change_inconclusive(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing.commit({"app.py": "x = 1\n"})
    monkeypatch.setattr(secret_detector, "load_scanner", _abort)
    assert audited(drawing.path).verdict.conclusion is Conclusion.INCONCLUSIVE


def test_a_detector_that_is_lost_on_the_way_names_what_it_found_and_what_it_did_not_search(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = secret_detector._scan_content

    def faulty(scanner: object, content: bytes) -> object:
        if b"boom" in content:
            raise SystemExit(1)
        return real(scanner, content)

    monkeypatch.setattr(secret_detector, "_scan_content", faulty)
    monkeypatch.setattr(secret_detector, "BATCH_PASSAGES", 1)
    files = {"z.py": f"token = '{TOKEN}'\n", **{f"b{number:02}.py": f"boom = {number}\n" for number in range(20)}}
    drawing.commit({name: files[name] for name in files if name != "z.py"})
    drawing.commit({"z.py": files["z.py"]})
    (first, statement), *others = outcomes(asked(drawing.path, None, SECRETS))
    assert (first, statement) == (Outcome.FOUND, "Secret (github pat) in a committed file.")
    gave_up = "the secret detector failed too often and was stopped"
    assert (Outcome.UNAVAILABLE, f"20 files could not be searched for secrets: {gave_up}.") in others
    assert Outcome.NOT_FOUND not in {outcome for outcome, _ in others}


def test_only_what_was_read_counts_as_searched(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_scan, "MAX_TOTAL_BYTES", 100)
    drawing.commit({"a.py": "y = 1\n" * 40, "b.py": "x = 1\n"})
    assert outcomes(asked(drawing.path, None, SECRETS)) == [
        (Outcome.UNAVAILABLE, "1 file could not be searched for secrets: beyond the size limit of one audit."),
        (Outcome.NOT_FOUND, "No secret was found in 1 commit and 1 version of files."),
    ]


def test_an_audit_that_is_broken_off_leaves_no_search_and_no_process_behind(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = secret_detector._scan_content

    def slow(scanner: object, content: bytes) -> object:
        time.sleep(0.2)
        return real(scanner, content)

    def broken(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(secret_detector, "_scan_content", slow)
    monkeypatch.setattr(blob_batch_reading, "read_all", broken)
    drawing.commit({f"file_{number}.py": f"x = {number}\n" for number in range(300)})
    before = multiprocessing.active_children()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asked(drawing.path, None, SECRETS)
    assert time.monotonic() - started < 30, "three hundred contents at a fifth of a second each were not waited for"
    assert not [each for each in threading.enumerate() if each.name == "secrets"]
    assert multiprocessing.active_children() == before


def test_hostile_contents_end_in_an_answer_or_a_reason(drawing: Drawing) -> None:
    drawing.commit(
        {
            "long.txt": "a" * 7_000_000,
            "huge.txt": "b\n" * 5_000_000,
            "keys.txt": "-----BEGIN RSA PRIVATE " + "KEY-----\n" * 5_000,
            "at.txt": "http://a:" + "b@" * 50_000,
            "zero.txt": b"text\0" * 100,
            "end.py": f"x = '{TOKEN}'\n",
        }
    )
    with open_repository(drawing.path) as repo:
        subject = Subject(repository="x", head=repo.head, scope=Scope.WHOLE_TREE)
        gathered = evidence_gathering.gather(repo, subject, [SECRETS], evidence_gathering.Options(jobs=1))
    seen = [place for each in gathered.evidence if each.outcome is Outcome.FOUND for place in each.locations]
    assert "end.py" in {place.path for place in seen if place.kind == "code"}
    dark = [each for each in gathered.evidence if each.outcome is Outcome.UNAVAILABLE]
    assert {place.path for each in dark for place in each.locations if place.kind == "code"} >= {"huge.txt"}


@pytest.mark.parametrize(
    ("host", "harmless"),
    [
        ("@db-1.fleet.internal:5432/db", False), ("@10.12.4.7:3306/db", False), ("@files.harbour.example/a", False),
        ("@localhost:5432/db", True), ("@redis:6379/0", True), ("@host.docker.internal:5432/db", True), ("@db.local/a", True),
        ("@db.example:5432/a", True), ("@db.example.com/a", True), ("@192.168.1.4/a", True),
    ],
)  # fmt: skip
def test_a_password_counts_wherever_its_host_is_but_on_the_machine_of_whoever_develops(
    host: str, harmless: bool
) -> None:
    assert is_placeholder("generic-credential-uri", "q8Zk2mX9vB3n", host) is harmless


def test_passwords_are_told_in_short_options_lists_of_logins_and_addresses_of_databases(drawing: Drawing) -> None:
    secret = "q8Zk2mX9vB3nLw"
    rows = (
        f"sshpass -p {secret} ssh web@boats.dev true",
        f"docker login -u bot -p {secret} images.boats.dev",
        f"mysql -h db.boats.dev -u root -p{secret} shop",
        f"echo jdbc:postgresql://db.boats.dev/shop?user=a\\&password={secret}",
        f"machine git.boats.dev login bot password {secret}",
        f"open sqlserver://sa:{secret}@db.boats.dev:1433",
    )
    drawing.commit({f"deploy/{number}.sh": f"{row}\n" for number, row in enumerate(rows)})
    drawing.commit({"deploy/by_name.sh": "\n".join(rows).replace(secret, "$SHOP_PASSWORD")})
    told = {path for _, path, *_ in entries(asked(drawing.path, None, SECRETS))}
    assert told == {f"deploy/{number}.sh" for number in range(len(rows))}


@pytest.mark.parametrize(
    "host", ["test.harbour.dev", "local.harbour.dev", "example-harbour.dev", "db.invalid.harbour.dev"]
)
def test_a_host_that_only_begins_like_a_reserved_name_is_a_real_one(host: str) -> None:
    assert not placeholder_secrets._LOCAL_HOST.match(host)


@pytest.mark.parametrize("host", ["localhost", "db.test", "db.local:5432", "example.com", "db.example", "test/"])
def test_a_reserved_name_is_no_real_host(host: str) -> None:
    assert placeholder_secrets._LOCAL_HOST.match(host)
