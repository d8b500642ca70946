"""One file, all site and text probes: parse once, walk once, ask each probe about what it subscribed to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.forensics.module import Module
from auditor.forensics.probe import SiteProbe, TextProbe
from auditor.forensics.sites import Match, Site, Text


def look_at_python(source: str, probes: Iterable[SiteProbe]) -> dict[str, list[Site]]:
    """What each probe sees in a Python source, in line order.

    Raises what `ast.parse` raises: SyntaxError, ValueError, RecursionError, MemoryError.
    """
    asked = tuple(probes)
    module = Module(source, ast.parse(source), {ast.Call, *(kind for each in asked for kind in each.nodes)})
    return {each.id: sorted(_seen(each, module), key=lambda site: (site.line, site.end)) for each in asked}


def look_at_text(text: Text, probes: Iterable[TextProbe]) -> dict[str, list[Site]]:
    """What each probe sees in a text, in line order."""
    return {each.id: sorted(each.ask(text), key=lambda site: (site.line, site.end)) for each in probes}


def _seen(probe: SiteProbe, module: Module) -> Iterator[Site]:
    for match in _matches(probe, module):
        yield from probe.ask(match)


def _matches(probe: SiteProbe, module: Module) -> Iterator[Match]:
    for kind in probe.nodes:
        for node, scope in module.nodes[kind]:
            yield Match(node, scope, module)
    if not probe.calls and not probe.methods:
        return
    last_segments = {name.rpartition(".")[2] for name in probe.calls}
    for node, scope in module.nodes[ast.Call]:
        assert isinstance(node, ast.Call)
        name = module.resolve(node.func, scope)
        if name in probe.calls:
            yield Match(node, scope, module, name)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in probe.methods:
            if name is None or name.rpartition(".")[2] not in last_segments:
                yield Match(node, scope, module, f".{node.func.attr}")
