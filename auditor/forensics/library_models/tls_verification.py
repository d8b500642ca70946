"""Connections that are made without checking who answers: rows of `tls_verification.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Arguments, NameRow, Names, read_python

Value = bool | str | None


class ClientOptionRow(NameRow):
    """Clients, their argument, and the values of it that turn a check off."""

    argument: str
    values: tuple[Value, ...]


class SettingRow(NameRow):
    """Settings, and the values that turn a check off."""

    values: tuple[Value, ...]


class VariableRow(NameRow):
    """Environment variables, and the value that turns checks off."""

    value: str


class ProgramRow(NameRow):
    """Programs, and their options that turn a check off."""

    options: tuple[str, ...]


class TlsVerification(NamedTuple):
    """Calls, arguments, settings and options by what turns a check off."""

    attributes: Names
    cert_none_arguments: Arguments
    client_classes: Names
    client_options: tuple[ClientOptionRow, ...]
    context_arguments: Arguments
    database_address_calls: Names
    descriptive_arguments: Names
    environment_calls: Names
    host_key_policies: Names
    host_key_policy_calls: Names
    http_methods: Names
    httpx_calls: Names
    ldap_option_calls: Names
    non_using_calls: Names
    option_arguments: Names
    process_calls: Names
    program_options: tuple[ProgramRow, ...]
    requests_calls: Names
    sending_calls: Names
    settings: tuple[SettingRow, ...]
    shell_calls: Names
    ssl_argument_calls: Names
    sslopt_calls: Names
    text_markers: Names
    token_libraries: Names
    unverified_contexts: Names
    variables: tuple[VariableRow, ...]


def tls_verification() -> TlsVerification:
    """The rows, read once."""
    return read_python("tls_verification", TlsVerification)
