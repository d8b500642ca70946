"""Connections that are made without checking who answers: rows of `tls_verification.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import ArgumentRows, NameRow, NameRows

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


class TlsVerification(Frozen):
    """Calls, arguments, settings and options by what turns a check off."""

    attributes: NameRows
    cert_none_arguments: ArgumentRows
    client_classes: NameRows
    client_options: tuple[ClientOptionRow, ...]
    context_arguments: ArgumentRows
    database_address_calls: NameRows
    descriptive_arguments: NameRows
    environment_calls: NameRows
    host_key_policies: NameRows
    host_key_policy_calls: NameRows
    http_methods: NameRows
    httpx_calls: NameRows
    ldap_option_calls: NameRows
    non_using_calls: NameRows
    option_arguments: NameRows
    process_calls: NameRows
    program_options: tuple[ProgramRow, ...]
    requests_calls: NameRows
    sending_calls: NameRows
    settings: tuple[SettingRow, ...]
    shell_calls: NameRows
    ssl_argument_calls: NameRows
    sslopt_calls: NameRows
    text_markers: NameRows
    token_libraries: NameRows
    unverified_contexts: NameRows
    variables: tuple[VariableRow, ...]


tls_verification = python_reader("tls_verification", TlsVerification)
