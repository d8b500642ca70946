"""How a probe is written down: one decorated function, one question.

Three shapes, by what they look at:

- `site_probe`: looks at single places of a Python file; sees one node at a time, never a path;
- `text_probe`: looks at single places of any text file;
- `probe`: looks at the whole subject and asks for what it needs by the annotation of its parameters
  (`Subject`, `Change`, `Description`, `Tree`, `History`, `PythonModules`, `Documents`, `Coverage`).

The first line of the docstring is the question, the last paragraph the advice on how to fix what was seen.
Between them may stand the terms: what counts and what does not, for whoever writes a rubric or doubts an answer. Modules below `auditor.forensics.probes` are discovered; nothing is registered by hand.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from auditor.domain import Fact

if TYPE_CHECKING:
    from auditor.forensics.python.name_resolution import Module
    from auditor.forensics.python.node_match import Match
    from auditor.forensics.python.scoped_nodes import ScopedNode
    from auditor.forensics.source_text.site_probe_types import Site, Text


FileSelector = Callable[["Module"], "list[ScopedNode]"]
"""Picks the places of a whole file that are worth a question, whatever they are called. It is called once a file, and first asks for the words without which there is none."""
NodeFilter = Callable[["list[ScopedNode]", "Module"], "list[ScopedNode]"]
"""Picks the nodes of a kind in a file that are worth a question. It is called once a file, for a call a node costs more than the look."""


class CalledNames(NamedTuple):
    """Qualified names of calls, and names of methods."""

    calls: frozenset[str]
    methods: frozenset[str] = frozenset()


TeamNames = Callable[[], CalledNames]
"""Gives the calls and methods that a probe also looks for because of the rows of a team that are in force."""


@dataclass(frozen=True)
class SubjectProbe:
    """Looks at the whole subject."""

    id: str
    question: str
    terms: str
    advice: str
    ask: Callable[..., Iterator[Fact]]
    reads: tuple[str, ...] = ()
    only_changes: bool = False
    """Are the texts of `reads` wanted only where there is a change? Those of a whole tree are many."""


@dataclass(frozen=True)
class SiteProbe:
    """Looks at single places of Python code."""

    id: str
    question: str
    terms: str
    advice: str
    ask: Callable[[Match], Iterator[Site]]
    none_statement: str
    nodes: tuple[type[ast.AST], ...] = ()
    calls: frozenset[str] = frozenset()
    callable_factories: frozenset[str] = frozenset()
    """Calls that only make a callable: shown like the others, but not followed from module to module, and counted only where something is seen."""
    methods: frozenset[str] = frozenset()
    references: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    """Modules whose functions it looks for, shown where one is passed on as a value."""
    second_look: tuple[str, ...] = ()
    node_filter: NodeFilter | None = None
    method_filter: NodeFilter | None = None
    file_selector: FileSelector | None = None
    team_names: TeamNames | None = None
    counted: tuple[type[ast.AST], ...] = ()
    """The kinds of node that its sites are a share of; all nodes it is shown, if empty."""

    @property
    def by_name(self) -> frozenset[str]:
        """The qualified names of all calls that it is shown."""
        return self.followed | self.callable_factories

    @property
    def followed(self) -> frozenset[str]:
        """The calls that are also followed from module to module, those of the team's rows in force among them."""
        return self.calls if self.team_names is None else self.calls | self.team_names().calls

    @property
    def all_methods(self) -> frozenset[str]:
        """The methods that it is shown whatever they are called on, those of the team's rows in force among them."""
        return self.methods if self.team_names is None else self.methods | self.team_names().methods

    @property
    def is_about_definitions(self) -> bool:
        """Is it about whole definitions? One of those stays the same when a line inside it is edited."""
        told = self.counted or self.nodes  # what it is only shown besides does not make it a judge of lines
        return bool(told) and not self.by_name and all(issubclass(each, _DEFINITIONS) for each in told)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class TextProbe:
    """Looks at single places of any text."""

    id: str
    question: str
    terms: str
    advice: str
    ask: Callable[[Text], Iterator[Site]]
    none_statement: str
    reads_names: bool = False
    """Is it also asked about the paths of files, each as a text of its own?"""


Probe = SubjectProbe | SiteProbe | TextProbe

_registry: dict[str, Probe] = {}


def probe(
    probe_id: str, *, reads: Iterable[str] = (), only_changes: bool = False
) -> Callable[[Callable[..., Iterator[Fact]]], Callable[..., Iterator[Fact]]]:
    """Declare a probe of the whole subject.

    `reads` holds glob patterns (`*` stops at no slash) of the files whose text `Documents` should carry;
    with `only_changes` it carries none where the whole tree is audited.
    """

    def declare(ask: Callable[..., Iterator[Fact]]) -> Callable[..., Iterator[Fact]]:
        _register(SubjectProbe(probe_id, *_parse_docstring(ask), ask, tuple(reads), only_changes))
        return ask

    return declare


def site_probe(  # noqa: PLR0913 - a declaration, every part of it named
    probe_id: str,
    *,
    none_statement: str,
    nodes: Iterable[type[ast.AST]] = (),
    calls: Iterable[str] = (),
    callable_factories: Iterable[str] = (),
    methods: Iterable[str] = (),
    references: Iterable[str] = (),
    modules: Iterable[str] = (),
    second_look: Iterable[str] = (),
    node_filter: NodeFilter | None = None,
    method_filter: NodeFilter | None = None,
    file_selector: FileSelector | None = None,
    measured_nodes: Iterable[type[ast.AST]] = (),
    team_names: TeamNames | None = None,
) -> Callable[[Callable[[Match], Iterator[Site]]], Callable[[Match], Iterator[Site]]]:
    """Declare a probe of single places in Python code.

    It is shown every node of the kinds in `nodes` (no attributes, arguments or calls, which are too many), every call that resolves to a qualified name in `calls`
    (`subprocess.run`, whatever it was imported as) and every call of a method named in `methods` whose
    receiver does not resolve, and every place where a name in `references` is passed on as a value instead of called, or one of `modules` as a whole.
    Calls in `callable_factories` are shown too, but do nothing themselves (`functools.partial` makes what may be called later), and
    half of a code base may have them: they are not followed from module to module, and counted only where something is seen.
    `none_statement` is the sentence when nothing was seen. `second_look` names the ruff rules that look for the same thing in
    their own way. Where `nodes` names a frequent kind, `node_filter` picks from all of them in a file, and quickly, those that
    the probe need be asked about: where it leaves one out, nothing is to be seen there; `method_filter` does the same for the calls of one method.
    `file_selector` picks more of them from the file as a whole, which kinds and names do not tell. What is found is measured against the
    nodes of the kinds in `measured_nodes`; without it, of all kinds in `nodes`. `team_names` gives further calls and methods: those that
    the rows of a team add, asked for anew in each audit.
    """

    def declare(ask: Callable[[Match], Iterator[Site]]) -> Callable[[Match], Iterator[Site]]:
        _register(
            SiteProbe(
                probe_id,
                *_parse_docstring(ask),
                ask,
                none_statement,
                tuple(nodes),
                frozenset(calls),
                frozenset(callable_factories),
                frozenset(methods),
                frozenset(references),
                frozenset(modules),
                tuple(second_look),
                node_filter,
                method_filter,
                file_selector,
                team_names,
                tuple(measured_nodes),
            )
        )
        return ask

    return declare


def text_probe(
    probe_id: str, *, none_statement: str, reads_names: bool = False
) -> Callable[[Callable[[Text], Iterator[Site]]], Callable[[Text], Iterator[Site]]]:
    """Declare a probe of single places in any text file; with `reads_names` also in the names of files that a change adds or renames."""

    def declare(ask: Callable[[Text], Iterator[Site]]) -> Callable[[Text], Iterator[Site]]:
        _register(TextProbe(probe_id, *_parse_docstring(ask), ask, none_statement, reads_names))
        return ask

    return declare


def declared_probes() -> Mapping[str, Probe]:
    """Every probe of the modules imported so far, by id, sorted."""
    return {probe_id: _registry[probe_id] for probe_id in sorted(_registry)}


def _parse_docstring(ask: Callable[..., object]) -> tuple[str, str, str]:
    """Question, terms and advice from a probe's docstring."""
    paragraphs = [" ".join(part.split()) for part in (inspect.getdoc(ask) or "").split("\n\n")]
    if len(paragraphs) < 2 or not paragraphs[0].endswith("?"):
        raise TypeError(f"{ask.__qualname__} needs a docstring: a question, then a paragraph of advice")
    question, *terms, advice = paragraphs
    return question, " ".join(terms), advice


def _register(new_probe: Probe) -> None:
    if new_probe.id in _registry:
        raise TypeError(f"two probes are called {new_probe.id}")
    _registry[new_probe.id] = new_probe


__all__ = ["Probe", "SiteProbe", "SubjectProbe", "TextProbe", "declared_probes", "probe", "site_probe", "text_probe"]
