"""Child processes whose failure nobody notices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.aliases import may_be
from auditor.forensics.module import Module
from auditor.forensics.probe import site_probe
from auditor.forensics.sites import UNKNOWN, Match, Site

_VERBS = frozenset({"run", "call", "system"})


def _starts_something(statement: ast.Expr, module: Module) -> bool:
    call = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    if not isinstance(call, ast.Call):
        return False
    func = call.func
    return (
        func.attr in _VERBS
        if isinstance(func, ast.Attribute)
        else isinstance(func, ast.Name) and may_be(module, func, _VERBS)
    )


@site_probe(
    "code.subprocess_unchecked",
    none="No failure of a child process goes unnoticed.",
    nodes=(ast.Expr,),
    glance=_starts_something,
)
def subprocess_unchecked(match: Match) -> Iterator[Site]:
    """Does the failure of a child process go unnoticed?

    Pass `check=True`, or keep the result and look at its return code.
    """
    statement = match.node
    if not isinstance(statement, ast.Expr):
        return
    call = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    if not isinstance(call, ast.Call):
        return
    name = match.resolve(call.func)
    inner = Match(call, match.scope, match.module, name or "")
    if name == "subprocess.run":
        check = inner.argument("check")
        if (check is None and not inner.spreads) or (check is not None and match.value(check) is False):
            yield _site(inner, check)
    elif name in {"subprocess.call", "os.system"}:
        yield _site(inner, None)


def _site(match: Match, check: ast.expr | None) -> Site:
    if check is not None and match.value(check) is not UNKNOWN:
        return match.site(
            "A child process runs with its failure ignored on purpose (check=False)",
            confidence=0.6,
            because="`check=False` may say that failure does not matter here",
        )
    return match.site(f"A child process runs and its failure is ignored ({match.name})")
