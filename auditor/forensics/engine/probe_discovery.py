"""Finds every probe: nothing is registered by hand."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from auditor.forensics import probes
from auditor.forensics.probe_kit.probe_decorators import Probe, declared_probes


@cache
def discover_probes() -> Mapping[str, Probe]:
    """Every probe that a module of `auditor.forensics.probes` declares, by id, sorted."""
    for module in pkgutil.iter_modules(probes.__path__, f"{probes.__name__}."):
        importlib.import_module(module.name)
    return declared_probes()
