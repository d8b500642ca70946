"""Clients of the Anthropic SDK, by where the model runs. Credentials come from the runner's environment, by name.

The SDK itself looks in many places for keys and addresses. Here everything is handed to it, so that neither a stray
variable nor a profile on disk can send evidence elsewhere.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode, urlsplit

from auditor import __version__
from auditor.domain import UserError
from auditor.judges import request_telemetry

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from opentelemetry.trace import TracerProvider

DEFAULT_URL = "https://api.anthropic.com"
_CONNECT_SECONDS = 5.0
_READ_SECONDS = 90.0
"""Seconds without a byte after which a connection is given up."""
_RETRIES = 2


class Provider(StrEnum):
    """Where the model runs."""

    ANTHROPIC = "anthropic"
    BEDROCK = "bedrock"
    VERTEX = "vertex"
    FOUNDRY = "foundry"


@dataclass(frozen=True)
class Federation:
    """Keyless access: the job's own OIDC token is exchanged for a short-lived one."""

    rule: str = ""
    organization: str = ""
    service_account: str = ""
    workspace: str = ""
    audience: str = DEFAULT_URL


@dataclass(frozen=True)
class Access:
    """How to reach a model. Secrets stay out of its repr."""

    provider: Provider = Provider.ANTHROPIC
    base_url: str = ""
    key: str = field(default="", repr=False)
    identity_token_provider: Callable[[], str] | None = field(default=None, repr=False)
    """Gives an identity token to exchange, where there is no key."""
    federation: Federation = field(default_factory=Federation)
    spans: TracerProvider | None = field(default=None, repr=False)
    """Who takes the spans of the requests, if anybody does."""

    @property
    def has_credentials(self) -> bool:
        """Is there anything to ask with?"""
        return bool(self.key) or self.identity_token_provider is not None or self.provider is not Provider.ANTHROPIC

    def describe_credentials(self, key_env: str) -> str:
        """Where the credentials come from, for a sentence: a name, never a value."""
        if self.provider is not Provider.ANTHROPIC:
            return f"there are credentials for {self.provider.value}"
        return f"{key_env} is set" if self.key else "the job has an identity token to exchange"


def find_access(
    provider: str, base_url: str, key_env: str, federation: Federation, environment: Mapping[str, str]
) -> Access | None:
    """How to reach the model with the environment's credentials; None when it holds none.

    Raises UserError for an address that is not https (loopback may be http), and for a platform whose extra is missing.
    """
    chosen = Provider(provider)
    _require_https(base_url)
    if chosen is Provider.ANTHROPIC:
        key = _read_key(environment, key_env)
        identity = None if key else _identity_source(federation, environment)
        found = Access(chosen, base_url, key, identity, federation, request_telemetry.make_tracer_provider(environment))
        return found if found.has_credentials else None
    if not any(environment.get(name) for name in _CREDENTIAL_VARIABLES[chosen]):
        return None
    _require_extra(chosen)
    key = environment.get("ANTHROPIC_FOUNDRY_API_KEY", "") if chosen is Provider.FOUNDRY else ""
    return Access(
        chosen, base_url, key, federation=federation, spans=request_telemetry.make_tracer_provider(environment)
    )


def connect(access: Access) -> AsyncAnthropic:
    """A client. It repeats what failed before an answer began, logs nothing of what it sends, and takes no more than it must."""
    import logging

    import anthropic
    import httpx2

    from auditor.judges import http_limits

    logging.getLogger("anthropic").setLevel(logging.WARNING)  # its debug log holds whole requests
    shared: dict[str, Any] = {
        "timeout": anthropic.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS),
        "max_retries": _RETRIES,
        "default_headers": {
            "User-Agent": f"automaton-auditor/{__version__} anthropic-python/{anthropic.__version__}",
            **http_limits.HEADERS,
        },
        "http_client": anthropic.DefaultAsyncHttpxClient(**http_limits.client_options()),
        "open_telemetry": request_telemetry.tracing_options(access.spans),
    }
    try:
        return cast("AsyncAnthropic", _make_client(access, shared))
    except (ValueError, ImportError, anthropic.AnthropicError, httpx2.InvalidURL) as error:
        said = str(error).partition("\n")[0].rstrip(".")
        raise UserError(f"the provider {access.provider.value} cannot be used with these settings: {said}.") from error


def _make_client(access: Access, shared: dict[str, Any]) -> Any:
    import anthropic

    if access.provider is not Provider.ANTHROPIC:
        return _make_platform_client(access, shared)
    shared["base_url"] = access.base_url or DEFAULT_URL
    if access.key:
        return anthropic.AsyncAnthropic(api_key=access.key, **shared)
    return anthropic.AsyncAnthropic(credentials=_workload_credentials(access), **shared)


def _workload_credentials(access: Access) -> Any:
    from anthropic.lib.credentials import WorkloadIdentityCredentials

    assert access.identity_token_provider is not None, "there is a key or an identity"
    return WorkloadIdentityCredentials(
        identity_token_provider=access.identity_token_provider,
        federation_rule_id=access.federation.rule,
        organization_id=access.federation.organization,
        service_account_id=access.federation.service_account or None,
        workspace_id=access.federation.workspace or None,
    )


def _make_platform_client(access: Access, shared: dict[str, Any]) -> Any:
    """Clients of cloud platforms take their own credentials from the environment, as each platform's users expect."""
    import anthropic

    if access.base_url:
        shared["base_url"] = access.base_url
    if access.provider is Provider.BEDROCK:
        return anthropic.AsyncAnthropicBedrock(**shared)
    if access.provider is Provider.VERTEX:
        return anthropic.AsyncAnthropicVertex(**shared)
    return anthropic.AsyncAnthropicFoundry(api_key=access.key or None, **shared)


_CREDENTIAL_VARIABLES = {
    Provider.BEDROCK: (
        "AWS_ACCESS_KEY_ID",
        "AWS_PROFILE",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "AWS_BEARER_TOKEN_BEDROCK",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    ),
    Provider.VERTEX: ("GOOGLE_APPLICATION_CREDENTIALS", "ANTHROPIC_VERTEX_PROJECT_ID"),
    Provider.FOUNDRY: ("ANTHROPIC_FOUNDRY_API_KEY",),
}
"""Variables of which one at least is set where a platform can be used."""
_REQUIRED_MODULES = {Provider.BEDROCK: "boto3", Provider.VERTEX: "google.auth"}


def required_variables(provider: str, key_env: str) -> str:
    """Names of the variables that have to be set, for a sentence."""
    chosen = Provider(provider)
    return key_env if chosen is Provider.ANTHROPIC else " or ".join(_CREDENTIAL_VARIABLES[chosen])


def _require_extra(provider: Provider) -> None:
    wanted = _REQUIRED_MODULES.get(provider)
    if wanted is None:
        return
    try:
        there = importlib.util.find_spec(wanted) is not None
    except ModuleNotFoundError:
        there = False
    if not there:
        raise UserError(
            f"the provider {provider.value} needs more libraries: run `pip install '.[{provider.value}]'` in a checkout of Automaton Auditor."
        )


def _read_key(environment: Mapping[str, str], name: str) -> str:
    """The key of that variable. Raises UserError, without showing it, for what cannot be sent as one."""
    key = environment.get(name, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UserError(f"{name} contains characters that no key has: copy the key again.")
    return key


def _require_https(base_url: str) -> None:
    """Evidence and key go to that address, so it has to be encrypted unless it is this machine."""
    if not base_url:
        return
    try:
        parts = urlsplit(base_url)
        host = parts.hostname or ""
    except ValueError:
        parts, host = urlsplit(""), ""
    local = host in ("127.0.0.1", "localhost", "::1")
    if (
        not host
        or parts.username
        or parts.password
        or not (parts.scheme == "https" or (parts.scheme == "http" and local))
    ):
        raise UserError(f"the base URL {base_url!r} must be an https URL without credentials.")


def _identity_source(federation: Federation, environment: Mapping[str, str]) -> Callable[[], str] | None:
    """Where the job's identity token comes from: GitHub's token service, when the job may ask it."""
    if not (federation.rule and federation.organization):
        return None
    url, token = (
        environment.get("ACTIONS_ID_TOKEN_REQUEST_URL", ""),
        environment.get("ACTIONS_ID_TOKEN_REQUEST_TOKEN", ""),
    )
    if not (url and token):
        raise UserError("keyless access needs an OIDC token: add `permissions: id-token: write` to the job.")
    return lambda: _fetch_job_token(url, token, federation.audience)


def _fetch_job_token(url: str, token: str, audience: str) -> str:
    """GitHub's identity token of this job. Raises ValueError when the service does not give one."""
    import httpx2

    asked = f"{url}{'&' if '?' in url else '?'}{urlencode({'audience': audience})}"
    answer = httpx2.get(asked, headers={"Authorization": f"Bearer {token}"}, timeout=10.0)
    answer.raise_for_status()
    value = answer.json().get("value")
    if not isinstance(value, str) or not value:
        raise ValueError("GitHub's token service gave no token")
    return value
