"""Settings that turn off TLS verification: attributes, environment variables, options kept for later."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.tls_verification.file_wide_settings import (
    INSECURE_SETTINGS,
    INSECURE_VARIABLES,
    disables_verification,
)
from auditor.forensics.tls_verification.http_clients import UNVERIFIED_CONTEXTS, is_client
from auditor.forensics.tls_verification.reflected_attributes import item_setting, settings_of, settings_of_loop

OPTIONS_NAME = re.compile(r"kw|options|opts|param|config|settings|session|request|args", re.IGNORECASE)


def is_insecure_pair(match: Match, name: object, value: ast.expr) -> bool:
    """Does a setting of that name and value disable verification?"""
    said = match.value(value)
    return disables_verification(name, said, match.resolve(value) or "")


def is_false_value(value: object) -> bool:
    """Is it False, or a zero that stands for it?"""
    return value is False or (type(value) is int and value == 0)


def by_environment_call(match: Match) -> Iterator[Site]:
    """`os.environ.setdefault(name, value)`, `os.putenv`, and names with values as keywords of `os.environ.update`."""
    if any(
        is_insecure_variable(each.arg, match.value(each.value)) for each in match.call.keywords
    ) or is_insecure_variable(match.value(match.argument("key", 0)), match.value(match.argument("value", 1))):
        yield match.site(VARIABLE_STATEMENT)


def by_assignment(match: Match, assignment: ast.Assign) -> Iterator[Site]:
    """An assignment to an attribute, an environment variable or a key of options that disables verification."""
    for target in assignment.targets:
        if (setting := item_setting(target, assignment.value)) is not None:
            yield from _by_attribute_assignment(match, *setting)
        elif isinstance(target, ast.Subscript):
            yield from _by_environment_assignment(match, target, assignment.value)
        elif isinstance(target, ast.Attribute):
            yield from _by_attribute_assignment(match, target, assignment.value)


def by_attribute_call(match: Match) -> Iterator[Site]:
    """A call that sets an attribute such that verification is disabled."""
    for target, value in settings_of(match.call):
        yield from _by_attribute_assignment(match, target, value)


def by_attribute_loop(match: Match) -> Iterator[Site]:
    """A loop that sets attributes from a table such that verification is disabled."""
    for target, value in settings_of_loop(match.module, match.node, match.scope):
        yield from _by_attribute_assignment(match, target, value)


def _by_attribute_assignment(match: Match, target: ast.Attribute, value: ast.expr) -> Iterator[Site]:
    """`context.verify_mode = ssl.CERT_NONE` and what else is set like it."""
    name, said = target.attr, match.value(value)
    if name == "verify_mode" and (is_cert_none(match, value) or is_false_value(said)):
        yield match.site("TLS context has certificate checks turned off (`verify_mode`)")
    elif name == "check_hostname" and said is False:
        yield match.site(
            "TLS context does not check host names (`check_hostname`)",
            confidence=0.8,
            because="certificates may be verified in another way",
        )
    elif name == "verify" and is_client(match, target.value) and is_false_value(said):
        yield match.site("TLS certificate is not verified")
    elif name == "hostkeys" and said is None and match.resolve(target.value) == "pysftp.CnOpts":
        yield match.site("Unknown SSH host keys are accepted")
    elif name == "accept_insecure_certs" and said is True:
        yield match.site("Browser accepts any TLS certificate (`accept_insecure_certs`)")
    elif _disables_attribute(match, name, value):
        yield match.site(CONNECTION_STATEMENT, confidence=0.85, because="what the setting belongs to was not analysed")
    elif name == "_create_default_https_context" and match.resolve(value) in UNVERIFIED_CONTEXTS:
        yield match.site("TLS certificate checks are turned off for the whole process")


def _disables_attribute(match: Match, name: str, value: ast.expr) -> bool:
    """`configuration.verify_ssl = False`, `connection.cert_reqs = "CERT_NONE"`."""
    if name in {"cert_reqs", "assert_hostname"}:
        return is_insecure_pair(match, name, value)
    return name in {"verify_ssl", "ssl_verify"} and match.value(value) is False


def _by_environment_assignment(match: Match, target: ast.Subscript, value: ast.expr) -> Iterator[Site]:
    key = match.value(target.slice)
    if key in INSECURE_VARIABLES:
        if is_insecure_variable(key, match.value(value)):
            yield match.site(VARIABLE_STATEMENT)
    elif is_insecure_pair(match, key, value):
        yield match.site(CONNECTION_STATEMENT)
    elif key not in INSECURE_SETTINGS and match.value(value) is False and _may_be_options(match, key, target.value):
        yield match.site(CONNECTION_STATEMENT, confidence=0.8, because="where the options are used was not analysed")


def _may_be_options(match: Match, key: object, owner: ast.expr) -> bool:
    """Are they options of a client by their name, or `verify` of what is passed on beside such a client?"""
    name, source = last_name(owner), match.module.source
    if OPTIONS_NAME.search(name):
        return True
    if key != "verify" or not any(each in source for each in ("requests", "httpx")):
        return False
    # A call that is given them as keywords is reported itself.
    return (
        f"**{name}" not in source
        and re.search(rf"(?:[(,=]|\breturn\b)\s*{re.escape(name)}\s*[,)\n]", source) is not None
    )


_EQUIVALENT_VALUES: dict[str, frozenset[str]] = {
    "true": frozenset({"true", "1", "yes"}),
    "false": frozenset({"false", "0", "no"}),
}
"""Texts of a variable with the same meaning."""
VARIABLE_STATEMENT = "TLS certificate checks are turned off by an environment variable"


def is_insecure_variable(key: object, value: object) -> bool:
    """Does an environment variable with that text disable verification?"""
    return (
        isinstance(key, str)
        and isinstance(value, str)
        and key in INSECURE_VARIABLES
        and value.lower() in _EQUIVALENT_VALUES.get(INSECURE_VARIABLES[key], {INSECURE_VARIABLES[key]})
    )


CONNECTION_STATEMENT = "TLS certificate is not verified"


def is_cert_none(match: Match, value: ast.expr | None) -> bool:
    """`ssl.CERT_NONE`, the name of it as text, or the member of `ssl.VerifyMode` by its number or name."""
    if value is None:
        return False
    if isinstance(value, ast.Call) and value.args and match.resolve(value.func) == "ssl.VerifyMode":
        return is_false_value(match.value(value.args[0]))
    if isinstance(value, ast.Subscript) and match.resolve(value.value) == "ssl.VerifyMode":
        return match.value(value.slice) == "CERT_NONE"
    return (match.resolve(value) or "").endswith("CERT_NONE") or match.value(value) in {"CERT_NONE", "NONE"}
