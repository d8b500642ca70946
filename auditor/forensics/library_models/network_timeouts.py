"""Calls over the network by how they are given a time limit: rows of `network_timeouts.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.forensics.library_models.team_rows import TeamArgumentRow, TeamRow, team_rows
from auditor.row_tables import ArgumentRows, NameRows

TOPIC = "network_timeouts"


class NetworkTimeouts(Frozen):
    """Clients, sessions and functions, and what limits them."""

    async_libraries: NameRows
    database_timeouts: ArgumentRows
    default_timeouts: NameRows
    request_functions: NameRows
    request_methods: NameRows
    sessions: NameRows
    socket_timeouts: ArgumentRows
    wrappers: NameRows


class TeamNetworkTimeouts(Frozen):
    """What a team may add: its own clients."""

    default_timeouts: tuple[TeamRow, ...] = ()
    request_functions: tuple[TeamRow, ...] = ()
    sessions: tuple[TeamRow, ...] = ()
    socket_timeouts: tuple[TeamArgumentRow, ...] = ()


network_timeouts = python_reader(TOPIC, NetworkTimeouts)


def network_timeouts_with_team_rows() -> NetworkTimeouts:
    """The rows, and those of the team that are in force."""
    return team_rows().extend(TOPIC, network_timeouts())
