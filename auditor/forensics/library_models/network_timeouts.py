"""Calls over the network by how they are given a time limit: rows of `network_timeouts.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Arguments, Names, read_python
from auditor.forensics.library_models.team_rows import TeamArgumentRow, TeamRow, team_rows

TOPIC = "network_timeouts"


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


class TeamNetworkTimeouts(NamedTuple):
    """What a team may add: its own clients."""

    default_timeouts: tuple[TeamRow, ...] = ()
    request_functions: tuple[TeamRow, ...] = ()
    sessions: tuple[TeamRow, ...] = ()
    socket_timeouts: tuple[TeamArgumentRow, ...] = ()


def network_timeouts() -> NetworkTimeouts:
    """The rows, read once."""
    return read_python(TOPIC, NetworkTimeouts)


def network_timeouts_with_team_rows() -> NetworkTimeouts:
    """The rows, and those of the team that are in force."""
    return team_rows().extend(TOPIC, network_timeouts())
