"""What is reported where untrusted input reaches a dangerous argument, also through a function of another file.

A function that passes a parameter on to such a place is recorded for whoever imports it, under a name of our own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache

from auditor.forensics.python.node_match import Match
from auditor.forensics.python.private_function_arguments import is_method
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.sql_runners import PASSING_PREFIX, RUNNER_NAMES, query_position
from auditor.forensics.python.taint_models import Grade, Part, Sink, sinks_of
from auditor.forensics.python.taint_sources import written_expression
from auditor.forensics.python.taint_walk import Flow, TaintWalk
from auditor.forensics.python.text_assignments import assignments_by_name
from auditor.forensics.source_text.site_probe_types import Site

_PLACES = 4
"""Parameters of a function, from the first on, that are followed into other files."""
_MAX_NAMES = 4
"""Names on the way that a statement tells."""
_UNRESOLVED_CONFIDENCE = 0.9
_LOCAL_CONFIDENCE = 0.5
_LOCAL_REASON = "the input is from the user who starts the program, who may be trusted"
_UNRESOLVED_REASON = "the type of the object is not known"
_MAX_LIST_DEPTH = 10


@cache
def passing_names(probe: str) -> tuple[str, ...]:
    """What functions stand for that pass a parameter on to a sink of a probe, by the position of that parameter."""
    return tuple(f"{PASSING_PREFIX}{probe}>.{place}" for place in range(_PLACES))


def sink_names(probe: str) -> tuple[str, ...]:
    """Qualified names of all sinks of a probe, without methods of unknown objects."""
    return tuple(sorted(name for name in sinks_of(probe) if name[0] != "."))


def with_untrusted_input(match: Match, probe: str, sites: Iterable[Site]) -> Iterator[Site]:
    """The sites that a probe reports at a call; where untrusted input reaches it, the one that says so instead."""
    own = [] if match.name.startswith(PASSING_PREFIX) else list(sites)
    asked = _dangerous_argument(match, probe) if isinstance(match.node, ast.Call) else None
    if asked is None:
        yield from own
        return
    sink, argument = asked
    if not own and not sink.alone:
        return
    walk = TaintWalk(match, probe)
    flow = walk.flow(argument, match.scope)
    if flow is None:
        _record_parameters(match, probe, walk.parameters)
        yield from (() if walk.is_held and sink.needs_input else own)
    elif flow.source.grade is Grade.REQUEST:
        known = bool(own) or match.name[:1] != "."
        yield _site(match, flow, *((1.0, "") if known else (_UNRESOLVED_CONFIDENCE, _UNRESOLVED_REASON)))
    elif own or sink.part is Part.PROGRAM:
        yield from own
    else:
        yield _site(match, flow, _LOCAL_CONFIDENCE, _LOCAL_REASON)


def _site(match: Match, flow: Flow, confidence: float, reason: str) -> Site:
    source = flow.source
    line = getattr(match.by or match.node, "lineno", 1)
    called = written_expression(match.module, match.call.func) or match.name.removeprefix(".")
    further = ", which passes it on" if match.name.startswith(PASSING_PREFIX) else ""
    return match.site(
        flow_statement(flow, called, line, further),
        confidence=confidence,
        because=reason,
        related=tuple(sorted({source.line, *flow.lines} - {line})),
    )


def flow_statement(flow: Flow, called: str, line: int, further: str = "") -> str:
    """The sentence that names where untrusted input comes from, what it reaches, and the names between."""
    names = list(dict.fromkeys(flow.names))[-_MAX_NAMES:]
    way = f" through {', '.join(f'`{each}`' for each in names)}" if names else ""
    return f"`{flow.source.written}` (line {flow.source.line}) reaches `{called}` (line {line}){further}{way}"


def _dangerous_argument(match: Match, probe: str) -> tuple[Sink, ast.expr] | None:
    """The sink that a call is for a probe, and the argument that does harm there."""
    if match.name in passing_names(probe) or match.name in RUNNER_NAMES:
        place = query_position(match.name) if match.name in RUNNER_NAMES else passing_names(probe).index(match.name)
        given = match.argument("", place)
        return None if given is None else (_PASSED, given)
    sink = sinks_of(probe).get(match.name)
    if sink is None:
        return None
    given = match.argument(sink.argument, sink.position) or _only_keyword(match)
    if given is not None and sink.part is Part.PROGRAM:
        given = _program(match, given, match.scope)
    return None if given is None or isinstance(given, ast.Constant) else (sink, given)


_PASSED = Sink(probe="", calls=frozenset({"-"}), argument="-", position=0, source="https://example.org")


def _only_keyword(match: Match) -> ast.expr | None:
    named = [each.value for each in match.call.keywords if each.arg is not None]
    return named[0] if len(named) == 1 and not match.call.args else None


def _program(match: Match, command: ast.expr, scope: Scope, depth: int = _MAX_LIST_DEPTH) -> ast.expr | None:
    """The program of a command: of a list its first word, of a text all of it."""
    for _ in range(depth):
        if isinstance(command, (ast.List, ast.Tuple)):
            command = command.elts[0] if command.elts else ast.Constant("")
            return command.value if isinstance(command, ast.Starred) else command
        if isinstance(command, ast.BinOp) and isinstance(command.op, ast.Add):
            command = command.left
        elif isinstance(command, ast.Name) and (found := match.module.lookup(command.id, scope, lambda all_: all_[0])):
            assigned = assignments_by_name(match.module, found[1]).get(command.id, [])
            lists = [each.value for each in assigned if isinstance(each.value, (ast.List, ast.Tuple, ast.BinOp))]
            if not lists:
                return command
            command = lists[0]
        else:
            return command
    return None


def _record_parameters(match: Match, probe: str, parameters: list[tuple[str, Scope]]) -> None:
    """Record, for importers, that a function passes a parameter of its own on to a sink."""
    for name, place in parameters[:1]:
        node = place.node
        if place.is_nested or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        own = [each.arg for each in (*node.args.posonlyargs, *node.args.args)][is_method(node) :]
        if name in own[:_PLACES]:
            match.module.running.setdefault(place.qualname, passing_names(probe)[own.index(name)])
