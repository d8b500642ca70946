"""One module of a program, parsed: its nodes, what is around each, and what it binds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.javascript.library_names import is_script
from auditor.forensics.python.scoped_nodes import child_nodes
from auditor.forensics.python.source_parsing import MAX_PYTHON_BYTES, parse_source
from auditor.forensics.source_text.file_roles import Role, is_example, is_test, role

FunctionDefinition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ClassNode = ast.ClassDef
MAX_NODES = 250_000
"""Nodes of one file that are followed; the largest hand-written module looked at has a tenth of it."""
_MAX_QUOTE = 300
_DYNAMIC_BINDING_CALLS = frozenset({"globals", "setattr", "exec", "vars"})
"""Functions by which a module may get names that it does not spell."""


@dataclass(eq=False)
class Unit:
    """One parsed module."""

    path: str
    text: str
    tree: ast.Module
    parents: dict[ast.AST, ast.AST]
    nodes: dict[type[ast.AST], list[ast.AST]]
    lost: frozenset[int] = frozenset()
    """Lines of a script of which something could not be taken over."""

    @cached_property
    def is_script(self) -> bool:
        """Is it JavaScript or TypeScript?"""
        return is_script(self.path)

    @cached_property
    def lines(self) -> list[str]:
        """Source lines without their ends."""
        return self.text.split("\n")

    def source_of(self, node: ast.AST) -> str:
        """What is written at a node, on one line; empty for a node that has no place. Reads no deeper than the text."""
        start, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if start is None or end is None:
            return ""
        rows = [each.encode(errors="surrogatepass") for each in self.lines[start - 1 : end]]
        if rows:
            rows[-1] = rows[-1][: getattr(node, "end_col_offset", None)]
            rows[0] = rows[0][getattr(node, "col_offset", 0) :]
        return " ".join(b" ".join(rows).decode(errors="replace").split())

    @cached_property
    def product(self) -> bool:
        """Is it neither test code nor vendored, nor an example?"""
        return not is_test(self.path) and role(self.path) is not Role.VENDORED

    @cached_property
    def shown(self) -> bool:
        """Is it an example, a tutorial or documentation?"""
        return is_example(self.path)

    @cached_property
    def defined(self) -> Mapping[str, ast.stmt]:
        """Functions and classes of the top level by name, the first of each."""
        found: dict[str, ast.stmt] = {}
        for each in self.tree.body:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.setdefault(each.name, each)
        return found

    def lacks(self, name: str) -> bool:
        """Is it sure that it has nothing of a name: not bound anywhere, and no other way to bind it?"""
        return self._bound is not None and name not in self._bound

    @cached_property
    def _bound(self) -> frozenset[str] | None:
        """Every name that its code binds anywhere; None where it may bind others, or more than it spells."""
        if self.is_script or self.path.endswith("__init__.py"):
            return None
        names: set[str] = set()
        for node in self.nodes_of_kinds(ast.Name, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias):
            if isinstance(node, ast.Name):
                if node.id in _DYNAMIC_BINDING_CALLS:
                    return None
                names.update(() if isinstance(node.ctx, ast.Load) else (node.id,))
            elif isinstance(node, ast.alias):
                names.add(node.asname or node.name.partition(".")[0])
            else:
                names.add(node.name)  # type: ignore[attr-defined]
        return None if {"*", "__getattr__"} & names else frozenset(names)

    @cached_property
    def rebound_globals(self) -> frozenset[str]:
        """Module-level names that functions write to."""
        return frozenset(
            each
            for node in self.nodes_of_kinds(ast.Global)
            for each in node.names  # type: ignore[attr-defined]
        )

    @cached_property
    def package(self) -> str:
        """The folder it is in, as a path."""
        return self.path.rpartition("/")[0]

    @cached_property
    def stem(self) -> str:
        """The file's name without its suffix."""
        return self.path.rpartition("/")[2].rpartition(".")[0]

    def quote(self, line: int) -> str:
        """What is on a line."""
        text = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
        return text if len(text) <= _MAX_QUOTE else text[:_MAX_QUOTE] + "…"

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes a node is in, from the inside out."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def function_of(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The named function a node is in."""
        return next(
            (each for each in self.around(node) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))), None
        )

    def class_of(self, node: ast.AST) -> ClassNode | None:
        """The class a node is in."""
        return next((each for each in self.around(node) if isinstance(each, ast.ClassDef)), None)

    def nodes_of_kinds(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """All nodes of some kinds, in no order."""
        for kind in kinds:
            yield from self.nodes.get(kind, ())


def read_unit(source: Source, left: int) -> Unit | str:
    """A file, parsed; or why it could not be. `left` is how many nodes it may have."""
    lost: frozenset[int] = frozenset()
    tree: ast.Module
    if is_script(source.path):
        from auditor.forensics.agent_systems.javascript.lowering import lower_script

        script = lower_script(source.text, source.path)
        if isinstance(script, str):
            return script
        tree, lost = script
    else:
        if len(source.text) > MAX_PYTHON_BYTES:
            return f"larger than {MAX_PYTHON_BYTES:,} bytes"
        python = parse_source(source.text)
        if not isinstance(python, ast.Module):
            return python.reason
        tree = python
    parents: dict[ast.AST, ast.AST] = {}
    nodes: dict[type[ast.AST], list[ast.AST]] = {}
    limit = min(MAX_NODES, left)
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        nodes.setdefault(type(node), []).append(node)
        below = child_nodes(node)
        for child in below:
            parents[child] = node
        waiting += below
        if len(parents) > limit:
            return "too large to be followed"
    return Unit(source.path, source.text, tree, parents, nodes, lost)


def dotted_path(path: str) -> str:
    """The name by which the module of a file is imported, from the root on."""
    return path.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
