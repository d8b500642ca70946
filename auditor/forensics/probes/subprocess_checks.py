"""Child processes whose failure nobody notices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.probe import site_probe
from auditor.forensics.sites import UNKNOWN, Match, Site

_SILENT = {"subprocess.getoutput": "its output alone is taken", "os.popen": "its output alone is taken"}
_STARTS = frozenset({"subprocess.Popen", "asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell"})
_PAIRED = frozenset({"subprocess.getstatusoutput", "commands.getstatusoutput"})
"""Calls that give back how it ended and what was printed, as a pair."""
_SPAWNS = frozenset(f"os.{name}" for name in ("spawnl", "spawnle", "spawnlp", "spawnv", "spawnve", "spawnvp"))
_WAITS = frozenset({"wait", "communicate"})
_OUTPUT = frozenset({"stdout", "stderr", "output", "args"})
_ENDS = frozenset({"wait", "communicate", *_OUTPUT, "stdin", "kill", "terminate", "pid", "send_signal"})
"""What is done with a process without asking how it ended."""
_PERHAPS = "an empty output may be told apart"


@site_probe(
    "code.subprocess_unchecked",
    none="No failure of a child process goes unnoticed.",
    calls=("subprocess.run", "subprocess.call", "os.system", *_SILENT, *_STARTS, *_SPAWNS, *_PAIRED),
)
def subprocess_unchecked(match: Match) -> Iterator[Site]:
    """Does the failure of a child process go unnoticed?

    Pass `check=True`, or keep the result and look at its return code.
    """
    if match.name == "subprocess.run":
        yield from _by_run(match)
    elif match.name in _SILENT:
        yield match.site(
            f"The output of a command is taken, and its failure cannot be seen ({match.name})",
            confidence=0.6,
            because=_PERHAPS,
        )
    elif match.name in _STARTS:
        if _use(match) != "all" and _is_waited_for(match):
            yield match.site(
                "A child process is waited for, and nobody asks how it ended", confidence=0.7, because=_PERHAPS
            )
    elif match.name in _PAIRED:
        if _takes_output_only(match):
            yield match.site(
                "The output of a command is taken, and how it ended is dropped", confidence=0.7, because=_PERHAPS
            )
    elif _use(match) == "nothing":
        yield _site(match, None)


def _by_run(match: Match) -> Iterator[Site]:
    check = match.argument("check")
    if (check is None and match.spreads) or (check is not None and match.value(check) is not False):
        return
    used = _use(match)
    if used == "nothing" and not (check is not None and _is_explained(match)):
        yield _site(match, check)
    elif used == "output":
        yield match.site(
            "A child process runs, and its output is taken whether it failed or not", confidence=0.7, because=_PERHAPS
        )


def _is_explained(match: Match) -> bool:
    """Does a comment stand right above a call, or on its lines?"""
    first, last = match.call.lineno, match.call.end_lineno or match.call.lineno
    around = match.module.lines[max(0, first - 2) : last]
    return around[0].lstrip().startswith("#") or any(" # " in each for each in around[1:])


def _use(match: Match) -> str:
    """What becomes of the result of a call: `nothing`, its `output` alone, or `all` of it."""
    around = _around(match)
    if around is None:
        return "nothing"
    if isinstance(around, ast.Attribute) and around.attr in _WAITS:
        return "output" if _is_dropped(_parents(match), around, taken=around.attr == "communicate") else "all"
    if isinstance(around, ast.Attribute):
        return "output" if around.attr in _OUTPUT else "all"
    if isinstance(around, ast.Assign) and len(around.targets) == 1 and isinstance(around.targets[0], ast.Name):
        return _use_of_name(match, around.targets[0].id)
    if isinstance(around, ast.withitem) and isinstance(around.optional_vars, ast.Name):
        return _use_of_name(match, around.optional_vars.id)
    return "all"


def _around(match: Match) -> ast.AST | None:
    """What stands right around a call, `await` left out; None for a statement of its own."""
    parents = _parents(match)
    place: ast.AST = match.by or match.call
    while isinstance(parents.get(place), ast.Await):
        place = parents[place]
    around = parents.get(place, place)
    return None if isinstance(around, ast.Expr) else around


def _parents(match: Match) -> dict[ast.AST, ast.AST]:
    """For what is in a scope, what stands around it; worked out once."""
    key = ("subprocess.parents", id(match.scope))
    known = match.module.memory.get(key)
    if not isinstance(known, dict):
        known = {child: node for node in ast.walk(match.scope.node) for child in ast.iter_child_nodes(node)}
        match.module.memory[key] = known
    return known


def _use_of_name(match: Match, name: str) -> str:
    parents = _parents(match)
    uses = [
        each for each in parents if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
    ]
    if not uses:
        kept = isinstance(match.scope.node, ast.Module) and name != "_"  # others may import it
        return "all" if kept else "nothing"
    taken = [parents[each] for each in uses]
    told = all(isinstance(each, ast.Attribute) and each.attr in _ENDS for each in taken)
    waits = [each for each in taken if isinstance(each, ast.Attribute) and each.attr == "wait"]
    return "all" if not told or any(not _is_dropped(parents, each) for each in waits) else "output"


def _is_dropped(parents: dict[ast.AST, ast.AST], wait: ast.AST, *, taken: bool = False) -> bool:
    """Is what `wait()` gives back made no use of? With `taken` it holds the output alone, whatever is done with it."""
    place = parents.get(wait, wait)
    while isinstance(parents.get(place), ast.Await):
        place = parents[place]
    return taken or isinstance(parents.get(place), ast.Expr)


def _takes_output_only(match: Match) -> bool:
    """Is the first of the pair, which tells how it ended, never looked at?"""
    around = _around(match)
    if isinstance(around, ast.Subscript):
        return match.value(around.slice) == 1
    target = around.targets[0] if isinstance(around, ast.Assign) else None
    if not isinstance(target, ast.Tuple) or not isinstance(target.elts[0], ast.Name):
        return around is None
    name = target.elts[0].id
    return not any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load) for each in _parents(match)
    )


def _is_waited_for(match: Match) -> bool:
    """Does the program wait until the child ends: by a call, or at the end of a `with`?"""
    around = _around(match)
    if isinstance(around, ast.withitem):
        return True
    if isinstance(around, ast.Attribute):
        return around.attr in _WAITS
    target = around.targets[0] if isinstance(around, ast.Assign) else None
    name = target.id if isinstance(target, ast.Name) else None
    return any(
        isinstance(each, ast.Attribute)
        and each.attr in _WAITS
        and isinstance(each.value, ast.Name)
        and each.value.id == name
        for each in _parents(match)
    )


def _site(match: Match, check: ast.expr | None) -> Site:
    if check is not None and match.value(check) is not UNKNOWN:
        return match.site(
            "A child process runs with its failure ignored on purpose (check=False)",
            confidence=0.6,
            because="`check=False` may say that failure does not matter here",
        )
    return match.site(f"A child process runs and its failure is ignored ({match.name})")
