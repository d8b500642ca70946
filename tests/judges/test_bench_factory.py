"""Who judges, by settings and environment: said on every surface, refused in one sentence."""

from __future__ import annotations

import io
import json
import logging
import re
import subprocess
import sys
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest
from rich.console import Console

from auditor.domain import AuditReport, Scope, UserError
from auditor.judges.anthropic_client import Access, Federation, Provider, connect, find_access
from auditor.judges.bench_factory import BenchSettings, make_bench
from auditor.judges.claude_bench import ClaudeBench
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.report.check_run_text import check_output
from auditor.report.comment_text import comment
from auditor.report.html_report import html
from auditor.report.job_summary_text import summary
from auditor.report.markdown_report import markdown
from auditor.report.terminal_report import print_verdict
from tests.judges.cases import ADVICE, SEEN, SMALL
from tests.judges.model_server import served
from tests.judges.model_stand_in import Says, Standin, good
from tests.judges.test_rehearing import audit
from tests.reports import LINKS

KEY = {"ANTHROPIC_API_KEY": "sk-ant-test"}
OIDC = Federation(rule="fdrl_1", organization="org")


@pytest.mark.parametrize(
    ("settings", "environment", "kind", "note"),
    [
        (BenchSettings(), KEY, ClaudeBench, "Judges are auto, and ANTHROPIC_API_KEY is set."),
        (BenchSettings(key_env="OTHER"), {"OTHER": "k"}, ClaudeBench, "Judges are auto, and OTHER is set."),
        (BenchSettings(judges="claude"), KEY, ClaudeBench, ""),
        (BenchSettings(), {}, EmbeddedBench, "ANTHROPIC_API_KEY is not set"),
        (BenchSettings(), {"ANTHROPIC_API_KEY": "  "}, EmbeddedBench, "ANTHROPIC_API_KEY is not set"),
        (BenchSettings(judges="claude", trusted=False), KEY, EmbeddedBench, "a change from a fork gets no key"),
        (BenchSettings(trusted=False), KEY, EmbeddedBench, "a change from a fork gets no key"),
        (BenchSettings(judges="embedded"), KEY, EmbeddedBench, ""),
        (BenchSettings(judges="claude", key_env="OTHER"), {"OTHER": "k"}, ClaudeBench, ""),
        (
            BenchSettings(provider="foundry"),
            {"ANTHROPIC_FOUNDRY_API_KEY": "k"},
            ClaudeBench,
            "Judges are auto, and there are credentials for foundry.",
        ),
        (BenchSettings(provider="foundry"), KEY, EmbeddedBench, "ANTHROPIC_FOUNDRY_API_KEY is not set"),
    ],
)
def test_auto_asks_a_model_where_it_may_and_every_report_says_why_or_why_not(
    settings: BenchSettings, environment: dict[str, str], kind: type, note: str
) -> None:
    settings = replace(settings, base_url=settings.base_url or "http://127.0.0.1:9", seconds=1)
    found = make_bench(settings, environment)
    assert isinstance(found, kind)
    report = audit(found)
    for name, text in surfaces(report).items():
        plain = re.sub(r"\s+", " ", re.sub(r"[\\\u2060\u200b]", "", text))
        assert note in plain, name
        assert ("Judges are auto" in plain) is (settings.judges == "auto"), name
        assert ("No model was asked" in plain) is (kind is EmbeddedBench), name


def test_a_record_that_is_heard_again_says_why_its_judges_were_chosen_then() -> None:
    with served(Standin(lambda body: Says(good(body)))) as url:
        first = audit(make_bench(BenchSettings(base_url=url), KEY))
    again = audit(make_bench(BenchSettings(record=(first, "report.json")), {}))
    assert again.hearing == first.hearing
    assert "Judges are auto, and ANTHROPIC\\_API\\_KEY is set." in markdown(again)


def surfaces(report: AuditReport) -> dict[str, str]:
    """Everything that a person may read of a verdict."""
    written = io.StringIO()
    print_verdict(report, Console(file=written, width=300))
    check = check_output(report, LINKS)
    return {
        "terminal": written.getvalue(),
        "markdown": markdown(report),
        "page": html(report, LINKS),
        "comment": comment(report, LINKS),
        "check run": check.summary + check.text,
        "job summary": summary(report, LINKS),
    }


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (BenchSettings(judges="claude"), "set ANTHROPIC_API_KEY, or use --judges embedded"),
        (BenchSettings(judges="claude", provider="vertex"), "set GOOGLE_APPLICATION_CREDENTIALS or"),
        (BenchSettings(judges="jury"), "judges is 'jury'"),
        (BenchSettings(provider="house"), "provider is 'house'"),
        (BenchSettings(effort="maximum"), "effort is 'maximum'"),
        (BenchSettings(answer_tokens=0), "answer tokens must be at least 1,000"),
        (BenchSettings(max_usd=0), "above 0 USD"),
        (BenchSettings(max_usd=float("nan")), "above 0 USD"),
        (BenchSettings(model=" "), "is not a valid model name"),
        (BenchSettings(judges="claude", base_url="http://example.org"), "must be an https URL"),
        (BenchSettings(judges="claude", base_url="https://user:pw@example.org"), "must be an https URL"),
        (BenchSettings(judges="claude", base_url="file:///etc/passwd"), "must be an https URL"),
        (BenchSettings(judges="claude", base_url="https://[x"), "must be an https URL"),
        (BenchSettings(judges="claude", key_env="BAD_KEY"), "BAD_KEY contains characters that no key has"),
        (BenchSettings(judges="claude", federation=OIDC), "id-token: write"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(settings: BenchSettings, told: str) -> None:
    with pytest.raises(UserError, match=told.replace("(", r"\(")) as caught:
        make_bench(settings, {"BAD_KEY": "sk-ant-\n\u00e4"})
    assert "\n" not in str(caught.value)
    assert "sk-ant" not in str(caught.value)


@pytest.mark.parametrize(
    ("provider", "environment"),
    [("bedrock", {"AWS_PROFILE": "ci"}), ("vertex", {"ANTHROPIC_VERTEX_PROJECT_ID": "p"})],
)
def test_a_platform_whose_libraries_are_missing_names_its_extra(
    provider: str, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(UserError, match=rf"'\.\[{provider}\]'"):
        make_bench(BenchSettings(judges="claude", provider=provider), environment)


def test_a_budget_in_money_needs_known_prices() -> None:
    with pytest.raises(UserError, match="set --max-tokens"):
        make_bench(BenchSettings(judges="claude", provider="foundry", max_usd=1.0), {"ANTHROPIC_FOUNDRY_API_KEY": "k"})


def test_stray_variables_change_neither_address_nor_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """[T10] The SDK alone would send the key where these say."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://evil.example")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "other")
    monkeypatch.setenv("ANTHROPIC_LOG", "debug")
    found = find_access("anthropic", "", "ANTHROPIC_API_KEY", Federation(), KEY)
    assert found is not None
    client = connect(found)
    assert str(client.base_url).rstrip("/") == "https://api.anthropic.com"
    assert client.api_key == "sk-ant-test"
    assert logging.getLogger("anthropic").level == logging.WARNING


def test_a_key_shows_in_no_repr() -> None:
    found = find_access("anthropic", "", "ANTHROPIC_API_KEY", Federation(), KEY)
    assert "sk-ant" not in repr(found)


def test_foundry_is_reached_through_the_sdks_own_client() -> None:
    client: Any = connect(Access(Provider.FOUNDRY, base_url="https://house.example/anthropic", key="k"))
    assert type(client).__name__ == "AsyncAnthropicFoundry"


class _Services(BaseHTTPRequestHandler):
    """GitHub's token service and the exchange, on loopback."""

    seen: ClassVar[list[tuple[str, str, str]]] = []

    def do_GET(self) -> None:
        self.seen.append(("GET", self.path, self.headers["Authorization"]))
        self._answer({"value": "the-jobs-token"})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.seen.append(("POST", self.path, self.headers.get("Authorization") or body))
        if self.path.startswith("/v1/oauth/token"):
            self._answer({"access_token": "short-lived", "expires_in": 600, "token_type": "Bearer"})
        else:
            self._answer({"type": "error", "error": {"type": "permission_error", "message": "no"}}, 403)

    def _answer(self, body: dict[str, Any], status: int = 200) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


def test_without_a_key_the_jobs_own_token_is_exchanged_for_a_short_lived_one() -> None:
    _Services.seen.clear()
    server = HTTPServer(("127.0.0.1", 0), _Services)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        environment = {
            "ACTIONS_ID_TOKEN_REQUEST_URL": f"{url}/token?api-version=2.0",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "ask",
        }
        judges = make_bench(BenchSettings(judges="claude", base_url=url, federation=OIDC, seconds=5.0), environment)
        hearing = judges.hear(SMALL, SEEN, Scope.WHOLE_TREE, ADVICE)
    finally:
        server.shutdown()
        server.server_close()
    assert {each.cause.value for each in hearing.abstentions} == {"unavailable"}
    method, path, authorization = _Services.seen[0]
    assert (method, authorization) == ("GET", "Bearer ask")
    assert "api-version=2.0" in path
    assert "audience=https%3A%2F%2Fapi.anthropic.com" in path
    assert '"the-jobs-token"' in next(
        said for kind, where, said in _Services.seen if where.startswith("/v1/oauth/token")
    )
    assert ("POST", "Bearer short-lived") in {
        (kind, said) for kind, where, said in _Services.seen if "/v1/messages" in where
    }


def test_the_sdk_is_imported_only_by_a_bench_that_asks() -> None:
    script = (
        "import sys; from auditor.judges.bench_factory import BenchSettings, make_bench;"
        "make_bench(BenchSettings(), {}); make_bench(BenchSettings(), {'ANTHROPIC_API_KEY': 'k'});"
        "print([name for name in ('anthropic', 'httpx2', 'jinja2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_platform_that_is_not_set_up_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_FOUNDRY_RESOURCE", "ANTHROPIC_FOUNDRY_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="the provider foundry cannot be used with these settings"):
        connect(Access(Provider.FOUNDRY, key="k"))
