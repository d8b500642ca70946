"""Calls over the network by how they are given a time limit: rows of `network_timeouts.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Arguments, Names, read_python


class NetworkTimeouts(NamedTuple):
    """Clients, sessions and functions, and what limits them."""

    async_libraries: Names
    channels: Names
    database_timeouts: Arguments
    default_timeouts: Names
    request_functions: Names
    request_methods: Names
    sessions: Names
    socket_timeouts: Arguments
    wrappers: Names


def network_timeouts() -> NetworkTimeouts:
    """The rows, read once."""
    return read_python("network_timeouts", NetworkTimeouts)
