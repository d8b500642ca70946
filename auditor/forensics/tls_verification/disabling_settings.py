"""Settings by which connections are told not to check who answers: attributes, variables of the environment, options kept for later."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.source_text.site_types import Site
from auditor.forensics.tls_verification.file_wide_settings import PAIRS, VARIABLES, switches_off
from auditor.forensics.tls_verification.http_clients import UNVERIFIED, is_client

HANDED_ON = re.compile(r"kw|options|opts|param|config|settings|session|request|args", re.IGNORECASE)


def pair_is_off(match: Match, name: object, value: ast.expr) -> bool:
    """Does a setting of that name and value switch a check off?"""
    said = match.value(value)
    return switches_off(name, said, match.resolve(value) or "")


def is_off(value: object) -> bool:
    """Is it False, or a zero that stands for it?"""
    return value is False or (type(value) is int and value == 0)


def by_setting(match: Match) -> Iterator[Site]:
    """`os.environ.setdefault(name, value)` and `os.putenv`."""
    if variable_is_off(match.value(match.argument("key", 0)), match.value(match.argument("value", 1))):
        yield match.site(BY_VARIABLE)


def switched_off(match: Match, assignment: ast.Assign) -> Iterator[Site]:
    """An assignment to an attribute, a variable of the environment or a key of some options."""
    for target in assignment.targets:
        if isinstance(target, ast.Subscript):
            yield from _told_by_environment(match, target, assignment.value)
        elif isinstance(target, ast.Attribute):
            yield from _by_attribute(match, target, assignment.value)


def _by_attribute(match: Match, target: ast.Attribute, value: ast.expr) -> Iterator[Site]:
    """`context.verify_mode = ssl.CERT_NONE` and what else is set like it."""
    name, said = target.attr, match.value(value)
    if name == "verify_mode" and no_certificate(match, value):
        yield match.site("A TLS context is told to check no certificate")
    elif name == "check_hostname" and said is False:
        yield match.site(
            "A TLS context is told not to compare host names",
            confidence=0.8,
            because="certificates may be checked by other means",
        )
    elif name == "verify" and is_client(match, target.value) and is_off(said):
        yield match.site("A connection is made with certificate checks switched off")
    elif name == "hostkeys" and said is None and match.resolve(target.value) == "pysftp.CnOpts":
        yield match.site("Unknown SSH host keys are accepted")
    elif name == "accept_insecure_certs" and said is True:
        yield match.site("A browser is told to take any certificate")
    elif _sets_off(match, name, value):
        yield match.site(OFF, confidence=0.85, because="what the setting belongs to was not followed")
    elif name == "_create_default_https_context" and match.resolve(value) in UNVERIFIED:
        yield match.site("Certificate checks are switched off for the whole process")


def _sets_off(match: Match, name: str, value: ast.expr) -> bool:
    """`configuration.verify_ssl = False`, `connection.cert_reqs = "CERT_NONE"`."""
    if name in {"cert_reqs", "assert_hostname"}:
        return pair_is_off(match, name, value)
    return name in {"verify_ssl", "ssl_verify"} and match.value(value) is False


def _told_by_environment(match: Match, target: ast.Subscript, value: ast.expr) -> Iterator[Site]:
    key = match.value(target.slice)
    if key in VARIABLES:
        if variable_is_off(key, match.value(value)):
            yield match.site(BY_VARIABLE)
    elif pair_is_off(match, key, value):
        yield match.site(OFF)
    elif key not in PAIRS and match.value(value) is False and HANDED_ON.search(last_name(target.value)):
        yield match.site(OFF, confidence=0.8, because="what the options are handed on to was not followed")


_SAME: dict[str, frozenset[str]] = {"true": frozenset({"true", "1", "yes"}), "false": frozenset({"false", "0", "no"})}
"""Words of a variable that say the same."""
BY_VARIABLE = "Certificate checks are switched off by a variable of the environment"


def variable_is_off(key: object, told: object) -> bool:
    """Does a variable of the environment, given that text, switch checks off?"""
    return (
        isinstance(key, str)
        and isinstance(told, str)
        and key in VARIABLES
        and told.lower() in _SAME.get(VARIABLES[key], {VARIABLES[key]})
    )


OFF = "A connection is made with certificate checks switched off"


def no_certificate(match: Match, value: ast.expr | None) -> bool:
    """`ssl.CERT_NONE`, or the name of it as text."""
    if value is None:
        return False
    return (match.resolve(value) or "").endswith("CERT_NONE") or match.value(value) == "CERT_NONE"
