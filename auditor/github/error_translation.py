"""The errors of four libraries and the refusals of GitHub, each as one of ours with one sentence."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from auditor.github.bounded_connection import AnswerPending, DeadlinePassed, Redirected, ResponseTooLarge
from auditor.github.github_error import ErrorKind, GitHubError, clean_text

SECONDARY_LIMIT_SECONDS = 60.0
"""Seconds to wait on a secondary limit without Retry-After: GitHub's documentation asks for a minute at least."""
_READ_ONLY_SIGNS = ("not accessible by", "read-only", "authenticate via a github app", "must have write", "archived")


def to_github_error(error: Exception, verb: str, secret: str) -> GitHubError:
    """What an error under PyGithub means. The secret is kept out of the sentence."""
    import github
    import requests
    import urllib3

    match error:
        case github.GithubException():
            return _status_error(error, verb, secret)
        case DeadlinePassed():
            kind, sentence = ErrorKind.TOO_LATE, "GitHub did not answer within the time that was left."
        case ResponseTooLarge():
            kind, sentence = ErrorKind.INVALID, "GitHub's answer is larger than any it should send."
        case Redirected():
            sentence = f"GitHub sends us to another address ({error.status}), which is not followed: check the repository's name and the API URL."
            return GitHubError(ErrorKind.NOT_FOUND, sentence)
        case AnswerPending():
            sentence = "GitHub is still working on its answer."
            return GitHubError(ErrorKind.UNREACHABLE, sentence, maybe_done=True, is_transient=True)
        case requests.RequestException() | urllib3.exceptions.HTTPError():
            return _connection_error(error)
        case json.JSONDecodeError():
            return GitHubError(
                ErrorKind.UNREACHABLE, "GitHub's answer is not whole JSON.", maybe_done=True, is_transient=True
            )
        case _:  # PyGithub takes the shape of an answer for granted, and raises whatever comes of it
            kind, sentence = ErrorKind.INVALID, f"GitHub's answer cannot be read ({type(error).__name__})."
    return GitHubError(kind, sentence, maybe_done=True)


def _status_error(error: Any, verb: str, secret: str) -> GitHubError:
    """What a status of 400 and above means."""
    headers = {str(name).lower(): str(value) for name, value in (error.headers or {}).items()}
    message = _message(error.data)
    words = clean_text(message, secret) or "no reason given"
    status = int(error.status)
    wait = rate_limit_wait(status, headers, message)
    if wait is not None:
        sentence = f"GitHub limits the rate of requests and asks to wait {wait:.0f} s ({status}: {words})."
        return GitHubError(ErrorKind.RATE_LIMITED, sentence, is_transient=True, wait=wait)
    if status >= 500 or status == 408:
        sentence = f"GitHub failed on its side ({status}: {words})."
        return GitHubError(ErrorKind.UNREACHABLE, sentence, maybe_done=True, is_transient=True)
    if status == 403 and verb != "GET" and any(sign in message.lower() for sign in _READ_ONLY_SIGNS):
        fix = _permission_hint(message, clean_text(headers.get("x-accepted-github-permissions", "")))
        return GitHubError(ErrorKind.READ_ONLY, f"The token may not write here (403: {words}): {fix}.")
    kind, meaning, fix = _MEANINGS.get(status, _DEFAULT_MEANING)
    return GitHubError(kind, f"{meaning} ({status}: {words}){fix}.")


def _permission_hint(message: str, needed: str) -> str:
    """Which permission would let the token write."""
    if "github app" in message.lower():
        return "only the token of an app makes check runs, such as the job's own, ${{ github.token }}"
    rights = needed.replace("=", ": ").replace("_", "-") or "checks: write and pull-requests: write"
    return f"give the job {rights}; with a pull request of a fork GitHub gives a token that only reads"


_MEANINGS = {
    401: (ErrorKind.DENIED, "GitHub does not accept the token", ": give one that is valid"),
    403: (ErrorKind.DENIED, "GitHub does not allow this with the token", ""),
    404: (ErrorKind.NOT_FOUND, "GitHub knows no such thing, or hides it from the token", ""),
    410: (ErrorKind.NOT_FOUND, "GitHub has this no more", ""),
}
_DEFAULT_MEANING = (ErrorKind.INVALID, "GitHub refused what was sent", "")


def rate_limit_wait(status: int, headers: Mapping[str, str], message: str) -> float | None:
    """Seconds that GitHub asks to wait; None when it is no rate limit.

    From GitHub's documentation: Retry-After first; else, with no requests left, until X-RateLimit-Reset; else a minute.
    """
    if status not in (403, 429):
        return None
    lowered = message.lower()
    spent = headers.get("x-ratelimit-remaining", "").strip() == "0" and not any(
        each in lowered for each in _READ_ONLY_SIGNS
    )
    after = headers.get("retry-after", "").strip()
    told = "rate limit" in lowered or "abuse detection" in lowered or "retry your request again later" in lowered
    if status != 429 and not (told or spent or after):
        return None
    if after.isascii() and after.isdigit():
        return float(min(int(after[:9]), 86_400))
    reset = headers.get("x-ratelimit-reset", "").strip()
    if spent and reset.isascii() and reset.isdigit():
        return max(0.0, min(int(reset[:12]) + 1 - time.time(), 86_400.0))
    return SECONDARY_LIMIT_SECONDS


def _message(data: Any) -> str:
    """The message of a refusal with its details: GitHub's shape, or whatever a proxy wrote instead."""
    if not isinstance(data, dict):
        return str(data or "")[:2000]
    message = str(data.get("message") or data.get("data") or "")[:1000]
    errors = data.get("errors")
    details = [_detail(each) for each in errors[:5]] if isinstance(errors, list) else []
    return ": ".join(each for each in (message, "; ".join(filter(None, details))) if each)


def _detail(error: Any) -> str:
    if isinstance(error, dict):
        words = [error.get(name) for name in ("field", "code", "message")]
        return " ".join(str(each)[:500] for each in words if each)
    return str(error)[:500]


def _connection_error(error: Exception) -> GitHubError:
    """Nobody answered, or not to the end. Only a connection that was never made is certainly without effect."""
    import requests
    from urllib3 import exceptions

    reason = getattr(error.args[0], "reason", error.args[0]) if error.args else error
    if isinstance(error, requests.exceptions.SSLError) or isinstance(reason, exceptions.SSLError):
        return GitHubError(
            ErrorKind.UNREACHABLE,
            "GitHub's certificate is not trusted here: name the authority's certificate in REQUESTS_CA_BUNDLE.",
        )
    unmade = (exceptions.NewConnectionError, exceptions.ConnectTimeoutError, exceptions.ProxyError)
    if isinstance(reason, unmade) or isinstance(error, requests.exceptions.ConnectTimeout):
        return GitHubError(
            ErrorKind.UNREACHABLE, "GitHub cannot be reached: check the API URL and the network.", is_transient=True
        )
    slow = isinstance(error, requests.exceptions.Timeout) or isinstance(reason, exceptions.ReadTimeoutError)
    return GitHubError(
        ErrorKind.UNREACHABLE,
        "GitHub did not answer in time." if slow else "The connection to GitHub broke off.",
        maybe_done=True,
        is_transient=True,
    )
