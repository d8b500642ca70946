"""What is reported where untrusted input reaches a dangerous argument, also through a function of another file.

A function that passes a parameter on to such a place is recorded for whoever imports it, under a name of our own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import takewhile

from auditor.forensics.code_facts.flow_certainty import CERTAIN, UNKNOWN_CHECK, UNKNOWN_TYPE, Certainty, certainty_of
from auditor.forensics.code_facts.input_flows import Flow, Grade
from auditor.forensics.library_models.team_rows import kept_by_team_rows
from auditor.forensics.python.chosen_words import open_keys, option_words, spread_tables
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name, own_parameters, receiver
from auditor.forensics.python.scoped_nodes import Scope, ScopedNode
from auditor.forensics.python.shell_words import launched_word, runs_by_option
from auditor.forensics.python.sql_runners import PASSING_PREFIX, RUNNER_NAMES, query_position
from auditor.forensics.python.taint_models import (
    Part,
    Sink,
    built_in_taint_models,
    leaving_probes,
    sinks_of,
    source_words,
)
from auditor.forensics.python.taint_sources import imports_one_of, written_expression
from auditor.forensics.python.taint_walk import TaintWalk
from auditor.forensics.python.text_assignments import assignments_by_name
from auditor.forensics.python.written_files import file_flow
from auditor.forensics.source_text.site_probe_types import Site

_PLACES = 4
"""Parameters of a function, from the first on, that are followed into other files."""
_LIKELY_CONFIDENCE = 0.7
_CHOSEN_REASON = "a condition chooses some of the variables"
_CHOSEN_PARTS = frozenset({Part.PROGRAM, Part.FILE, Part.KEYS, Part.OPTIONS})
"""Parts that the person who starts the program may choose."""
_MAX_LIST_DEPTH = 10
_LESS_SEVERE = tuple(f"{PASSING_PREFIX}code.{each}>" for each in ("path_traversal", "request_forgery", "open_redirect"))
"""What functions stand for that pass a parameter on to something that does less harm than running it: one of them is reported."""


@cache
def passing_names(probe: str) -> tuple[str, ...]:
    """What functions stand for that pass a parameter on to a sink of a probe, by the position of that parameter."""
    return tuple(f"{PASSING_PREFIX}{probe}>.{place}" for place in range(_PLACES))


def sink_names(probe: str) -> tuple[str, ...]:
    """Qualified names of all built-in sinks of a probe, without methods of unknown objects."""
    rows = (each for each in built_in_taint_models().sinks if each.probe == probe)
    return tuple(sorted(name for each in rows for name in each.calls if name[0] != "."))


def sink_methods(probe: str) -> tuple[str, ...]:
    """Methods of unknown objects that are sinks of a probe."""
    rows = (each for each in built_in_taint_models().sinks if each.probe == probe)
    return tuple(sorted(name[1:] for each in rows for name in each.calls if name[0] == "."))


@kept_by_team_rows
def team_sink_names(probe: str) -> frozenset[str]:
    """The same with those of the team's rows in force."""
    return frozenset(name for name in sinks_of(probe) if name[0] != ".")


def with_untrusted_input(match: Match, probe: str, sites: Iterable[Site]) -> Iterator[Site]:
    """The sites that a probe reports at a call; where untrusted input reaches it, the one that says so instead."""
    own = [] if match.name.startswith(PASSING_PREFIX) else list(sites)
    asked = _dangerous_arguments(match, probe) if isinstance(match.node, ast.Call) else []
    if not asked:
        yield from own
        return
    for sink, argument in asked:
        found = list(_sites_of(match, probe, sink, argument, own))
        is_harmless = bool(own) and sink.part is not Part.FILE  # it was held to a fixed set
        if found or is_harmless or (sink, argument) == asked[-1]:
            yield from found
            return


def _sites_of(match: Match, probe: str, sink: Sink, argument: ast.expr, own: list[Site]) -> Iterator[Site]:
    """What is reported of one argument."""
    if not own and (
        not sink.alone or (sink.remote and not (match.name.startswith(PASSING_PREFIX) or may_take_input(match.module)))
    ):
        return
    walk = TaintWalk(match, probe, sink.part)
    if sink.part is Part.FILE:
        flow = file_flow(walk, match.module, argument, match.scope)
    else:
        flow = walk.flow(argument, match.scope)
    if flow is not None and sink.on_input and walk.flow(receiver(match.call), match.scope) is None:
        return
    if flow is None:
        _record_parameters(match, probe, [] if sink.doubt or probe in leaving_probes() else walk.parameters)
        yield from (() if walk.is_held and sink.needs_input else own)
    elif flow.source.grade is Grade.LOCAL and (sink.remote or own or sink.part in _CHOSEN_PARTS):
        yield from own
    else:
        yield _site(match, flow, _certainty(match, sink, flow.source.grade, own, is_doubted=walk.is_doubted))


def _certainty(match: Match, sink: Sink, grade: Grade, own: list[Site], *, is_doubted: bool) -> Certainty:
    """How sure it is that input of a grade does harm, and why no surer."""
    if is_doubted:
        return UNKNOWN_CHECK._replace(reason=_CHOSEN_REASON) if grade is Grade.ENVIRONMENT else UNKNOWN_CHECK
    is_method = match.name[:1] == "."
    if sink.doubt and grade in (Grade.REQUEST, Grade.DOWNLOAD):
        return Certainty(_LIKELY_CONFIDENCE, sink.doubt)
    if grade is Grade.REQUEST:
        return CERTAIN if own or not is_method else UNKNOWN_TYPE
    known = certainty_of(grade, is_method=is_method)
    if grade is not Grade.DOWNLOAD:
        return known
    return known._replace(confidence=max((known.confidence, *(each.confidence for each in own))))


def may_take_input(module: Module) -> bool:
    """May input that others send reach a call of the file, or is it asked what its functions pass on?"""
    return module.reads_flows or bool(module.told) or module.says(source_words())


def methods_near_input(shown: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """Calls of methods, where untrusted input may reach them."""
    return shown if may_take_input(module) else []


SPREAD = "**"
"""The argument of a row that stands for tables which are spread into the call."""
_FORMATS = frozenset({"format", "format_map"})


def methods_without_own_formats(shown: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """Calls of methods; those that fill in a format only where that may come from outside."""
    if may_take_input(module):
        return shown
    return [each for each in shown if not isinstance(each[0], ast.Call) or last_name(each[0].func) not in _FORMATS]


def _site(match: Match, flow: Flow, certainty: Certainty) -> Site:
    line = getattr(match.by or match.node, "lineno", 1)
    called = written_expression(match.module, match.call.func) or match.name.removeprefix(".")
    further = ", which passes it on" if match.name.startswith(PASSING_PREFIX) else ""
    return match.site(
        flow.statement(called, line, further),
        confidence=certainty.confidence,
        because=certainty.reason,
        related=flow.related_lines(line),
    )


def _dangerous_arguments(match: Match, probe: str) -> list[tuple[Sink, ast.expr]]:
    """The sinks that a call is for a probe, each with the argument that does harm there."""
    if match.name in passing_names(probe) or match.name in RUNNER_NAMES:
        place = query_position(match.name) if match.name in RUNNER_NAMES else passing_names(probe).index(match.name)
        given = match.argument("", place) or _only_keyword(match)
        return [] if given is None else [(_PASSED, given)]
    sinks = [each for each in sinks_of(probe).get(match.name, ()) if not each.requires or _may_be_of(match, each)]
    found = [(each, given) for each in sinks for given in _dangerous_parts(match, each, is_only=len(sinks) == 1)]
    if any(each.part is Part.ANY for each in sinks):
        found = [(sinks[0], each) for each in (*match.call.args, *(one.value for one in match.call.keywords))]
    return [
        (sink, given)
        for sink, given in found
        if given is not None and (sink.part is Part.FILE or not isinstance(given, ast.Constant))
    ]


def _may_be_of(match: Match, sink: Sink) -> bool:
    """May a method be that of a package which the file imports? Not where its owner is known to be something else."""
    return imports_one_of(match.module, sink.requires) and match.resolve(match.call.func) is None


def _dangerous_parts(match: Match, sink: Sink, *, is_only: bool) -> Iterator[ast.expr | None]:
    """What of a call does harm: one argument, or parts of it."""
    if sink.part is Part.KEYS:
        given = match.argument(sink.argument, sink.position) if sink.argument != SPREAD else None
        tables = spread_tables(match) if sink.argument == SPREAD else [given] if given is not None else []
        yield from (key for table in tables for key in open_keys(match, table))
    elif sink.part is Part.OPTIONS:
        given = match.argument(sink.argument, sink.position)
        yield from option_words(match, given) if given is not None else ()
    else:
        yield _dangerous_argument(match, sink, is_only=is_only)


def _dangerous_argument(match: Match, sink: Sink, *, is_only: bool) -> ast.expr | None:
    if any(match.argument(each) is not None for each in sorted(sink.unless)):
        return None
    if sink.part is Part.RECEIVER:
        return receiver(match.call)
    given = match.argument(sink.argument, sink.position) or (_only_keyword(match) if is_only else None)
    return _program(match, given, match.scope) if given is not None and sink.part is Part.PROGRAM else given


_PASSED = Sink(probe="", calls=frozenset({"-"}), argument="-", position=0, source="https://example.org")


def _only_keyword(match: Match) -> ast.expr | None:
    named = [each.value for each in match.call.keywords if each.arg is not None]
    return named[0] if len(named) == 1 and not match.call.args else None


def _program(match: Match, command: ast.expr, scope: Scope, depth: int = _MAX_LIST_DEPTH) -> ast.expr | None:
    """The program of a command: of a list its first word, of a text all of it."""
    for _ in range(depth):
        if isinstance(command, (ast.List, ast.Tuple)):
            words = command.elts or [ast.Constant("")]
            chosen = _spread_options(words) or words[launched_word(_constants(words))]
            return chosen.value if isinstance(chosen, ast.Starred) else chosen
        if isinstance(command, ast.BinOp) and isinstance(command.op, ast.Add):
            command = command.left
        elif (split := _split_text(match, command, scope)) is not None:
            command = split
        elif isinstance(command, ast.Name) and (found := match.module.lookup(command.id, scope, lambda all_: all_[0])):
            assigned = assignments_by_name(match.module, found[1]).get(command.id, [])
            lists = [each.value for each in assigned if isinstance(each.value, (ast.List, ast.Tuple, ast.BinOp))]
            if not lists:
                return command
            command = lists[0]
        else:
            return command
    return None


def _constants(words: list[ast.expr]) -> list[object]:
    return [each.value if isinstance(each, ast.Constant) else None for each in words]


def _spread_options(words: list[ast.expr]) -> ast.Starred | None:
    """All words behind a program that runs what its options name: `["tar", "-xf", path, *options]`."""
    first = words[0]
    if not isinstance(first, ast.Constant) or not runs_by_option(first.value):
        return None
    options = takewhile(lambda each: not (isinstance(each, ast.Constant) and each.value == "--"), words)
    return next((each for each in options if isinstance(each, ast.Starred)), None)


def _split_text(match: Match, command: ast.expr, scope: Scope) -> ast.expr | None:
    """The text that a command is split out of, where its program is in it: `f"ls {x}".split()`, `shlex.split(x)`."""
    if not isinstance(command, ast.Call) or not isinstance(command.func, ast.Attribute) or command.func.attr != "split":
        return None
    of_module = match.module.resolve(command.func, scope) == "shlex.split"
    text = match.module.behind(command.args[0] if of_module and command.args else command.func.value, scope)
    first = text.values[0] if isinstance(text, ast.JoinedStr) and text.values else None
    if isinstance(first, ast.Constant):
        return first if any(map(str.isspace, str(first.value).lstrip())) else text
    return first.value if isinstance(first, ast.FormattedValue) else text


def _record_parameters(match: Match, probe: str, parameters: list[tuple[str, Scope]]) -> None:
    """Record, for importers, that a function passes a parameter of its own on to a sink."""
    for name, place in parameters[:1]:
        node = place.node
        if place.is_nested or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        own = own_parameters(node)
        if name in own[:_PLACES]:
            known = match.module.running.get(place.qualname, "")
            if not known or known.startswith(_LESS_SEVERE):
                match.module.running[place.qualname] = passing_names(probe)[own.index(name)]
