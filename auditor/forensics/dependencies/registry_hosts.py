"""Hosts and prefixes by which lock files and ranges say where a package comes from: rows of `registry_hosts.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameRows, NameSet, Row, Source, names_of, read_table

_DATA = Path(__file__).with_name("registry_hosts.yaml")


class _Hosts(Row):
    hosts: NameSet
    source: Source


class _Table(Frozen):
    same_registry: tuple[_Hosts, ...]
    registry_prefixes: NameRows
    local_prefixes: NameRows


@cache
def hosts_of_one_registry() -> tuple[frozenset[str], ...]:
    """Groups of hosts that serve one registry."""
    return tuple(row.hosts for row in read_table(_DATA, _Table).same_registry)


@cache
def registry_prefixes() -> tuple[str, ...]:
    """Prefixes by which lock files mark packages of the registry or of the tree."""
    return tuple(sorted(names_of(read_table(_DATA, _Table).registry_prefixes)))


@cache
def local_prefixes() -> tuple[str, ...]:
    """Prefixes of ranges that name a package of the repository itself."""
    return tuple(sorted(names_of(read_table(_DATA, _Table).local_prefixes)))
